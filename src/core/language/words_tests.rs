use super::*;

#[test]
fn fillers_can_be_searched() {
    assert!(listed(FILLERS).is_sorted_by(|before, after| before < after), "each is there once");
    assert!(is_filler("difference") && is_filler("yourself") && !is_filler("your yourself"));
}

#[test]
fn what_is_asked_for_is_what_remains() {
    for (goal, want) in [
        ("How do I understand the Android handshake?", vec!["android", "handshake"]),
        ("what is max_attempts", vec!["max_attempts"]),
        ("What is it?", vec!["what", "is", "it"]),
        ("lock, Lock and LOCK", vec!["lock"]),
        ("Hello, please tell me the address. Thanks!", vec!["address"]),
        ("¿?", vec![]),
    ] {
        assert_eq!(informative(goal), want, "{goal}");
    }
}

/// ST-02: texts in a script without spaces share pieces when they speak of the same, and figures stand alone.
#[test]
fn a_script_without_spaces_is_cut() {
    let cut = |text: &str| pieces(text).collect::<Vec<_>>();
    assert_eq!(cut("质量为4184千克"), ["质量", "量为", "4184", "千克"]);
    assert_eq!(cut("Die Länge, max_x 海"), ["die", "länge", "max_x", "海"]);
    assert_eq!(informative_pieces("how deep 海有海有"), ["deep", "海有", "有海"]);
}

/// LB-02: Latin words inside a script without spaces are words, and an accent behind its letter ends none.
#[test]
fn words_end_where_the_script_changes() {
    for (text, want) in [
        ("使用maxOpenFiles参数", &["使用", "maxOpenFiles", "参数"][..]),
        ("Gru\u{308}ner Tee", &["Gru\u{308}ner", "Tee"]),
        ("max_attempts=3", &["max_attempts", "3"]),
        ("\u{308}", &[]),
    ] {
        assert_eq!(written(text).collect::<Vec<_>>(), want, "{text}");
    }
}

#[test]
fn the_word_of_a_stem_is_told_by_its_letters() {
    assert!(begins_like("symbolic", "symbol") && begins_like("überlebt", "uberlebt"));
    assert!(!begins_like("symbol", "syllabl") && !begins_like("ab", "ab"));
    assert_eq!(nearest(&["done", "dying", "wool"], "die"), Some("done"));
    assert_eq!(nearest(&["dying", "wool"], "die"), Some("dying"));
    assert_eq!((nearest(&["wool"], "die"), nearest(&["深海魚"], "深海")), (None, None));
    assert!(is_filler_stem("pleas") && is_filler_stem("exampl") && !is_filler_stem("lock"));
}

#[test]
fn forms_of_a_word_have_one_root() {
    for forms in [
        &["carry", "carries", "carried"][..],
        &["voyage", "voyages"],
        &["expedition", "expeditions"],
        &["ship", "ships"],
    ] {
        let roots: BTreeSet<&str> = forms.iter().map(|word| root(word)).collect();
        assert_eq!(roots.len(), 1, "{roots:?}");
    }
    assert_ne!(root("port"), root("part"));
    assert_eq!(root("as"), "as");
}
