//! What the letters of TeX's bitmap fonts are called, in names that the parser knows.
//!
//! TeX draws with bitmaps where it has no outlines (Type 3), and calls each letter by its code: `a28`. The parser knows no such name and takes the code for one of
//! PDF's own, where the places of `fi` and `fl` hold accents: `˝rst`, `in˛uence`. The codes are those of TeX's two encodings of text, T1 and OT1; which one it
//! is, the ligatures tell, for there is hardly a text without one.

use std::collections::{BTreeMap, BTreeSet};

use pdf_extract::{Dictionary, Document, Object};

/// The codes of T1 that mean something else in PDF's own encoding, by the names of their letters.
const T1: [(i64, &str); 12] = [
    (16, "quotedblleft"),
    (17, "quotedblright"),
    (18, "quotedblbase"),
    (19, "guillemotleft"),
    (20, "guillemotright"),
    (21, "endash"),
    (22, "emdash"),
    (27, "ff"),
    (28, "fi"),
    (29, "fl"),
    (30, "ffi"),
    (31, "ffl"),
];
/// Letters of T1 from 128 on.
const T1_FROM_128: &str = "Abreve Aogonek Cacute Ccaron Dcaron Ecaron Eogonek Gbreve Lacute Lcaron Lslash Nacute Ncaron Eng Ohungarumlaut Racute \
    Rcaron Sacute Scaron Scedilla Tcaron Tcommaaccent Uhungarumlaut Uring Ydieresis Zacute Zcaron Zdotaccent IJ Idotaccent dcroat section \
    abreve aogonek cacute ccaron dcaron ecaron eogonek gbreve lacute lcaron lslash nacute ncaron eng ohungarumlaut racute \
    rcaron sacute scaron scedilla tcaron tcommaaccent uhungarumlaut uring ydieresis zacute zcaron zdotaccent ij exclamdown questiondown sterling";
/// The others that differ.
const T1_LAST: [(i64, &str); 3] = [(215, "OE"), (247, "oe"), (255, "germandbls")];
/// The same of OT1, in fonts that have its ligatures.
const OT1: [(i64, &str); 13] = [
    (11, "ff"),
    (12, "fi"),
    (13, "fl"),
    (14, "ffi"),
    (15, "ffl"),
    (25, "germandbls"),
    (26, "ae"),
    (27, "oe"),
    (28, "oslash"),
    (34, "quotedblright"),
    (92, "quotedblleft"),
    (123, "endash"),
    (124, "emdash"),
];
/// So many different small letters make a font of text; formulas use fewer.
const SMALL_LETTERS: usize = 5;
/// A font of this many is one that the text itself is set in.
const MAIN_SMALL_LETTERS: usize = 12;

/// Names the letters of all such fonts of a document.
pub(super) fn name_letters(document: &mut Document) {
    let fonts: Vec<_> = document
        .objects
        .iter()
        .filter_map(|(id, object)| Some((*id, codes_of_bitmaps(document, object.as_dict().ok()?)?)))
        .collect();
    let mains = fonts.iter().map(|(_, codes)| codes).filter(|codes| small_letters(codes) >= MAIN_SMALL_LETTERS);
    let (t1, ot1) = mains.fold((0, 0), |(t1, ot1), codes| {
        (t1 + usize::from(has_any(codes, 27..=31)), ot1 + usize::from(has_any(codes, 11..=15)))
    });
    for (id, codes) in fonts {
        let is_text = small_letters(&codes) >= SMALL_LETTERS;
        let table = match t1 > ot1 {
            _ if !is_text => continue,
            true => t1_names(),
            false if has_any(&codes, 11..=15) && has_any(&codes, 44..=46) => OT1.into_iter().collect(),
            false => continue,
        };
        let encoding = encoding(&codes, &table);
        if let Ok(font) = document.get_object_mut(id).and_then(Object::as_dict_mut) {
            font.set("Encoding", encoding);
        }
    }
}

fn t1_names() -> BTreeMap<i64, &'static str> {
    let letters = (128..).zip(T1_FROM_128.split_ascii_whitespace());
    T1.into_iter().chain(letters).chain(T1_LAST).collect()
}

fn small_letters(codes: &BTreeSet<i64>) -> usize {
    codes.range(i64::from(b'a')..=i64::from(b'z')).count()
}

fn has_any(codes: &BTreeSet<i64>, range: std::ops::RangeInclusive<i64>) -> bool {
    codes.range(range).next().is_some()
}

/// The codes of a font of bitmaps whose letters are called by nothing else.
fn codes_of_bitmaps(document: &Document, font: &Dictionary) -> Option<BTreeSet<i64>> {
    let is_bitmaps = font.get(b"Subtype").and_then(Object::as_name).is_ok_and(|kind| kind == b"Type3");
    let encoding = document.dereference(font.get(b"Encoding").ok().filter(|_| is_bitmaps)?).ok()?.1.as_dict().ok()?;
    let differences = document.dereference(encoding.get(b"Differences").ok()?).ok()?.1.as_array().ok()?;
    let mut codes = BTreeSet::new();
    let mut code = 0_i64;
    for part in differences {
        match part {
            Object::Integer(next) => code = *next,
            Object::Name(name) => {
                if name != b".notdef" {
                    let is_code = (0..=255).contains(&code) && *name == format!("a{code}").into_bytes();
                    is_code.then(|| codes.insert(code))?;
                }
                code = code.saturating_add(1);
            }
            _ => return None,
        }
    }
    (!codes.is_empty()).then_some(codes)
}

/// An encoding of these codes, with names for those that have one.
fn encoding(codes: &BTreeSet<i64>, table: &BTreeMap<i64, &str>) -> Dictionary {
    let mut differences = Vec::new();
    for code in codes {
        let name = table.get(code).map_or_else(|| format!("a{code}"), |name| (*name).to_owned());
        differences.extend([Object::Integer(*code), Object::Name(name.into_bytes())]);
    }
    let mut encoding = Dictionary::new();
    encoding.set("Differences", differences);
    encoding
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The names that the letters of fonts with these codes get, where they are named at all.
    fn named(fonts: &[&[u8]]) -> Vec<String> {
        let mut document = Document::new();
        let ids: Vec<_> = fonts
            .iter()
            .map(|codes| {
                let codes: BTreeSet<i64> = codes.iter().map(|code| i64::from(*code)).collect();
                let mut font = Dictionary::new();
                font.set("Subtype", Object::Name(b"Type3".to_vec()));
                font.set("Encoding", encoding(&codes, &BTreeMap::new()));
                document.add_object(font)
            })
            .collect();
        name_letters(&mut document);
        ids.iter()
            .map(|id| {
                let font = document.get_dictionary(*id).unwrap();
                let differences = font.get(b"Encoding").unwrap().as_dict().unwrap().get(b"Differences").unwrap();
                let names = differences.as_array().unwrap().iter().filter_map(|part| part.as_name().ok());
                let names = names.map(|name| String::from_utf8(name.to_vec()).unwrap());
                names.filter(|name| !name.starts_with('a') || name.len() == 2).collect::<Vec<_>>().join(" ")
            })
            .collect()
    }

    #[test]
    fn the_ligatures_tell_which_encoding_it_is() {
        let with = |codes: &[u8]| [codes, b"abcdefghijklmno.,"].concat();
        for (fonts, want) in [
            (vec![with(&[16, 27, 28, 174])], vec!["quotedblleft ff fi ohungarumlaut"]),
            (vec![with(&[12, 15, 123])], vec!["fi ffl endash"]),
            // A heading has its letters from the text, and a formula has none.
            (vec![with(&[28]), b"\x1bRdenoru".to_vec(), b"\x1bxy".to_vec()], vec!["fi", "ff", ""]),
            // Greek letters beside others, with no point or comma.
            (vec![with(&[12]), b"\x0babcxyz".to_vec()], vec!["fi", ""]),
            (vec![with(&[])], vec![""]),
            (vec![b"\x1cxy".to_vec()], vec![""]),
        ] {
            assert_eq!(named(&fonts.iter().map(Vec::as_slice).collect::<Vec<_>>()), want, "{fonts:?}");
        }
        assert_eq!(T1_FROM_128.split_ascii_whitespace().count(), 64);
    }

    #[test]
    fn letters_that_have_names_keep_them() {
        let mut document = Document::new();
        for (kind, name) in [("Type3", "tilde"), ("Type1", "a28"), ("Type3", "a27")] {
            let mut font = Dictionary::new();
            let letters = (b'a'..=b'z').map(|code| Object::Name(format!("a{code}").into_bytes()));
            let mut all = vec![Object::Integer(28), Object::Name(name.as_bytes().to_vec()), Object::Integer(97)];
            all.extend(letters);
            let mut encoding = Dictionary::new();
            encoding.set("Differences", all.clone());
            font.set("Subtype", Object::Name(kind.as_bytes().to_vec()));
            font.set("Encoding", encoding);
            let id = document.add_object(font);
            name_letters(&mut document);
            let font = document.get_dictionary(id).unwrap();
            let now = font.get(b"Encoding").unwrap().as_dict().unwrap().get(b"Differences").unwrap();
            assert_eq!(now.as_array().unwrap(), &all, "{kind} {name}");
        }
    }
}
