//! Letters of fonts whose letters are signs: `α` is written as the `a` of the font Symbol.

/// The signs of the font Symbol, from 0x20 and from 0xa0 on.
const SYMBOL: [&str; 2] = [
    " !∀#∃%&∋()∗+,−./0123456789:;<=>?≅ΑΒΧΔΕΦΓΗΙϑΚΛΜΝΟΠΘΡΣΤΥςΩΞΨΖ[∴]⊥_‾αβχδεφγηιϕκλμνοπθρστυϖωξψζ{|}∼",
    "€ϒ′≤⁄∞ƒ♣♦♥♠↔←↑→↓°±″≥×∝∂•÷≠≡≈…⏐⎯↵ℵℑℜ℘⊗⊕∅∩∪⊃⊇⊄⊂⊆∈∉∠∇®©™∏√⋅¬∧∨⇔⇐⇑⇒⇓◊〈®©™∑⎛⎜⎝⎡⎢⎣⎧⎨⎩⎪ 〉∫⌠⎮⌡⎞⎟⎠⎤⎥⎦⎫⎬⎭",
];
/// Those of Wingdings that say something in a text.
const WINGDINGS: [(u32, char); 11] = [
    (0x28, '☎'),
    (0x2a, '✉'),
    (0x6f, '□'),
    (0xa8, '☐'),
    (0xdf, '←'),
    (0xe0, '→'),
    (0xe1, '↑'),
    (0xe2, '↓'),
    (0xfb, '✗'),
    (0xfc, '✓'),
    (0xfe, '☑'),
];

/// The sign that a font shows for the character of this number, which is written in hexadecimal digits.
pub(super) fn symbol(font: &str, number: &str) -> Option<char> {
    let number = u32::from_str_radix(number.trim(), 16).ok()?;
    // Fonts of signs have theirs at a place of their own as well.
    let own = if (0xf000..=0xf0ff).contains(&number) { number - 0xf000 } else { number };
    let nth = |from: u32, signs: &str| signs.chars().nth(usize::try_from(own.checked_sub(from)?).ok()?);
    let [first, second] = SYMBOL;
    match font.to_lowercase().as_str() {
        "symbol" => nth(0xa0, second).or_else(|| nth(0x20, first)),
        "wingdings" => WINGDINGS.iter().find(|(at, _)| *at == own).map(|(_, sign)| *sign),
        // Nobody knows what the letters of other fonts look like.
        _ if own != number => None,
        _ => char::from_u32(number).filter(|c| !c.is_control()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lb_01_signs_of_fonts_are_known() {
        for (font, number, expected) in [
            ("Symbol", "F061", Some('α')),
            ("Symbol", "F0B0", Some('°')),
            ("symbol", "B0", Some('°')),
            ("Symbol", "F0FE", Some('⎭')),
            ("Symbol", "F07E", Some('∼')),
            ("Symbol", "F0FF", None),
            ("Symbol", "F07F", None),
            ("Wingdings", "F0FC", Some('✓')),
            ("Wingdings", "F041", None),
            ("Webdings", "F061", None),
            ("Cambria", "2264", Some('≤')),
            ("Cambria", "7", None),
            ("Cambria", "x", None),
        ] {
            assert_eq!(symbol(font, number), expected, "{font} {number}");
        }
    }
}
