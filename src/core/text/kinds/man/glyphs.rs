//! Characters that roff writes by names: `\(em`, `\[rs]`, `\[u00E9]`.

use std::collections::HashMap;
use std::sync::LazyLock;

use crate::core::base::rows::pairs;

/// Names of two letters or more, each before what it shows, sorted; letters with accents, Greek ones and code points are computed.
const GLYPHS: &str = "!= ≠ ** ∗ +- ± +e ϵ +f ϕ +h ϑ +p ϖ ,C Ç ,c ç - - -+ ∓ -> → -D Ð -h ℏ .i ı .j ȷ /L Ł /O Ø /_ ∠ \
     /l ł /o ø 12 ½ 14 ¼ 18 ⅛ 34 ¾ 38 ⅜ 3d ∴ 58 ⅝ 78 ⅞ < < <- ← << ≪ <= ≤ <> ↔ == ≡ =~ ≅ > > >= ≥ >> ≫ AE Æ AN ∧ Ah ℵ \
     Bq „ CL ♣ CR ↵ Cs ¤ DI ♦ Do $ Eu € Fc » Fi ffi Fl ffl Fn ƒ Fo « HE ♥ IJ IJ Im ℑ OE Œ OK ✓ OR ∨ Of ª Om º Po £ \
     Re ℜ S1 ¹ S2 ² S3 ³ SP ♠ Sd ð TP Þ Tp þ Ye ¥ a\" ˝ a- ¯ a. ˙ a^ ^ aa ´ ab ˘ ac ¸ ad ¨ ae æ ah ˇ ao ˚ ap ~ aq ' \
     at @ a~ ~ ba | barex ‾ bb ¦ bq ‚ br │ bu • bv | c* ⊗ c+ ⊕ ca ∩ ci ○ co © coproduct ∐ cq ’ ct ¢ cu ∪ dA ⇓ da ↓ \
     dd ‡ de ° dg † di ÷ dq \" em — en – eq = es ∅ eu € fa ∀ fc › ff ff fi fi fl fl fm ′ fo ‹ ga ` gr ∇ hA ⇔ ha ^ \
     hbar ℏ hy - ib ⊆ if ∞ ij ij integral ∫ ip ⊇ is ∫ lA ⇐ lB [ lC { la ⟨ lb ⎩ lc ⌈ lf ⌊ lh ☜ lk ⎨ lq “ lt ⎧ lz ◊ mc µ \
     md ⋅ mi - mo ∈ mu × nb ⊄ nc ⊅ ne ≢ nm ∉ no ¬ oA Å oa å oe œ oq ‘ or | pc · pd ∂ pl + pp ⊥ product ∏ ps ¶ pt ∝ \
     rA ⇒ rB ] rC } ra ⟩ rb ⎭ rc ⌉ rf ⌋ rg ® rh ☞ rk ⎬ rn ‾ rq ” rs \\ rsq ’ rt ⎫ ru _ sb ⊂ sc § sd ″ sh # sl / sp ⊃ \
     sq □ sqrt √ sr √ ss ß st ∋ sum ∑ t+- ± tdi ÷ te ∃ tf ∴ ti ~ tm ™ tmu × tno ¬ ts ς uA ⇑ ua ↑ ul _ vA ⇕ vC Č vS Š \
     vZ Ž va ↕ vc č vs š vz ž wp ℘ |= ≃ ~= ≈ ~~ ≈";

/// Names that show nothing.
const EMPTY: [&str; 2] = ["bs", "lbr"];

static SHOWN: LazyLock<HashMap<&str, &str>> =
    LazyLock::new(|| pairs(GLYPHS).chain(EMPTY.map(|name| (name, ""))).collect());

/// An accent, the letters that it stands above, and both together.
const ACCENTS: [(char, &str, &str); 5] = [
    ('\'', "aeiouycAEIOUYC", "áéíóúýćÁÉÍÓÚÝĆ"),
    ('`', "aeiouAEIOU", "àèìòùÀÈÌÒÙ"),
    (':', "aeiouyAEIOUY", "äëïöüÿÄËÏÖÜŸ"),
    ('^', "aeiouAEIOU", "âêîôûÂÊÎÔÛ"),
    ('~', "anoANO", "ãñõÃÑÕ"),
];

const LATIN: &str = "abgdezyhiklmncoprstufxqw";
const GREEK: &str = "αβγδεζηθικλμνξοπρστυφχψω";

/// What a name shows; nothing for names that are not known.
pub(super) fn glyph(name: &str) -> Option<String> {
    if let Some(shown) = SHOWN.get(name) {
        return Some((*shown).to_owned());
    }
    // A letter and what stands above it: the letter is read.
    if let Some((letter, _accent)) = name.split_once(' ') {
        return Some(letter.to_owned()).filter(|letter| letter.chars().nth(1).is_none());
    }
    let mut chars = name.chars();
    match (chars.next(), chars.next(), chars.next()) {
        // A character is its own name.
        (Some(c), None, None) => Some(c.to_string()),
        (Some('*'), Some(letter), None) => greek(letter).map(String::from),
        (Some(accent), Some(letter), None) => accented(accent, letter).map(String::from),
        _ => code_points(name),
    }
}

fn greek(letter: char) -> Option<char> {
    let at = LATIN.chars().position(|latin| latin == letter.to_ascii_lowercase())?;
    let small = GREEK.chars().nth(at)?;
    if letter.is_ascii_uppercase() { small.to_uppercase().next() } else { Some(small) }
}

fn accented(accent: char, letter: char) -> Option<char> {
    let (_, letters, shown) = ACCENTS.iter().find(|(known, _, _)| *known == accent)?;
    shown.chars().nth(letters.chars().position(|known| known == letter)?)
}

/// `u00E9`, `u0065_0301` and `char233`, as characters.
fn code_points(name: &str) -> Option<String> {
    if let Some(number) = name.strip_prefix("char") {
        return number.parse().ok().and_then(char::from_u32).map(String::from);
    }
    let is_hexadecimal = |digits: &str| digits.len() >= 4 && digits.bytes().all(|byte| byte.is_ascii_hexdigit());
    let point = |digits: &str| {
        let code = u32::from_str_radix(digits, 16).ok().filter(|_| is_hexadecimal(digits))?;
        char::from_u32(code).filter(|c| !c.is_control())
    };
    name.strip_prefix('u')?.split('_').map(point).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn glyphs_are_found_by_their_names() {
        assert!(pairs(GLYPHS).is_sorted_by(|(before, _), (after, _)| before < after), "each name is there once");
        assert_eq!(pairs(GLYPHS).last(), Some(("~~", "≈")), "the list is read to its end");
        for (name, shown) in [
            ("em", "—"),
            ("+-", "±"),
            ("lbr", ""),
            (":o", "ö"),
            ("*W", "Ω"),
            ("u00E9", "é"),
            ("u0065_0301", "e\u{301}"),
            ("char233", "é"),
            ("e", "e"),
        ] {
            assert_eq!(glyph(name).as_deref(), Some(shown), "{name}");
        }
        for name in ["", "no such", "u1", "u12", "uD800", "u0007", "char", "'q", "*1"] {
            assert_eq!(glyph(name), None, "{name}");
        }
    }
}
