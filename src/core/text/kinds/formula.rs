//! Formulas of Word and PowerPoint in one line, as they are spoken: `F=P/v`, `x^2`, `√(a+b)`.

use super::xml::{Tag, Token, Tokens};
use crate::core::base::limits;
use crate::core::text::raised::Script;

/// Bytes of one formula; what follows is left out.
const MOST_BYTES: usize = 10_000;

/// A part of a formula that is open.
#[derive(Debug)]
struct Part {
    name: &'static str,
    /// Where its text begins.
    from: usize,
    before: String,
    behind: String,
    /// Signs are left out around a single name or number.
    is_plain_alone: bool,
}

/// The formula that was just opened, up to its end.
pub(super) fn formula(tokens: &mut Tokens<'_>) -> String {
    let mut out = String::new();
    let mut open: Vec<Part> = Vec::new();
    // Deeper parts than are told apart.
    let mut deeper = 0_usize;
    let mut in_text = false;
    while let Some(token) = tokens.next() {
        match token {
            Token::Close("oMath") => break,
            // How things look.
            Token::Open(tag) if matches!(tag.name, "rPr" | "ctrlPr") => tokens.skip_element(tag.name),
            Token::Open(tag) if tag.name == "t" => in_text = true,
            Token::Close("t") => in_text = false,
            Token::Open(tag) | Token::Empty(tag) if is_sign(&tag) => sign(&tag, &mut open),
            Token::Open(tag) if part(tag.name, 0).is_some() => match part(tag.name, out.len()) {
                Some(part) if open.len() < limits::OFFICE_DEPTH && deeper == 0 => open.push(part),
                _ => deeper += 1,
            },
            Token::Close(name) if part(name, 0).is_some() => match deeper.checked_sub(1) {
                Some(left) => deeper = left,
                None => {
                    let root = open.pop().and_then(|part| part.end(&mut out));
                    open.last_mut().zip(root).into_iter().for_each(|(part, root)| part.before.insert_str(0, &root));
                }
            },
            // Rows of a matrix, and equations one below the other.
            Token::Close("e") if out.len() < MOST_BYTES => match open.last().map(|part| part.name) {
                Some("eqArr") => out.push_str("; "),
                Some("mr") => out.push(' '),
                Some(_) | None => {}
            },
            Token::Text(text) if in_text && out.len() < MOST_BYTES => {
                out.extend(text.chars().take(MOST_BYTES));
            }
            Token::Open(_) | Token::Empty(_) | Token::Close(_) | Token::Text(_) => {}
        }
    }
    open.into_iter().rev().for_each(|part| drop(part.end(&mut out)));
    out
}

/// What stands around a part of a formula.
fn part(name: &str, from: usize) -> Option<Part> {
    let (name, before, behind, is_plain_alone) = *PARTS.iter().find(|(known, ..)| *known == name)?;
    Some(Part { name, from, before: before.to_owned(), behind: behind.to_owned(), is_plain_alone })
}

/// The parts of formulas: what stands before and behind each, and whether a single name or number needs no brackets.
const PARTS: [(&str, &str, &str, bool); 22] = [
    ("num", "(", ")", true),
    ("den", "/(", ")", true),
    ("sup", "^(", ")", true),
    ("sub", "_(", ")", true),
    ("lim", "_(", ")", true),
    ("rad", "√(", ")", false),
    ("deg", "", "", false),
    ("d", "(", ")", false),
    ("nary", "∫", "", false),
    ("fName", "", " ", false),
    ("eqArr", "", "", false),
    ("mr", "", "; ", false),
    ("m", "[", "]", false),
    // What stands inside of these is theirs.
    ("f", "", "", false),
    ("sSup", "", "", false),
    ("sSub", "", "", false),
    ("sSubSup", "", "", false),
    ("sPre", "", "", false),
    ("func", "", "", false),
    ("acc", "", "", false),
    ("limLow", "", "", false),
    ("limUpp", "", "", false),
];

fn is_sign(tag: &Tag<'_>) -> bool {
    matches!(tag.name, "begChr" | "endChr" | "chr")
}

/// Brackets of another kind, or the sign of a sum.
fn sign(tag: &Tag<'_>, open: &mut [Part]) {
    let sign: String = tag.get("val").unwrap_or_default().chars().take(1).collect();
    let Some(part) = open.last_mut() else { return };
    match (tag.name, part.name) {
        ("begChr", "d") | ("chr", "nary") => part.before = sign,
        ("endChr", "d") => part.behind = sign,
        _ => {}
    }
}

impl Part {
    /// Writes what stands around it. The degree of a root stands before its sign, and is given back for that.
    fn end(self, out: &mut String) -> Option<String> {
        let end = out.trim_end_matches([' ', ';']).len().max(self.from);
        out.truncate(if matches!(self.name, "eqArr" | "mr" | "m") { end } else { out.len() });
        let said = out.get(self.from..).unwrap_or_default();
        if said.is_empty() || out.len() >= MOST_BYTES {
            return None;
        }
        if self.name == "deg" {
            return Some(Script::Raised.written(&out.split_off(self.from)));
        }
        // `ab` is a product.
        let is_single = said.chars().all(char::is_numeric) || said.chars().nth(1).is_none();
        let is_plain = self.is_plain_alone && is_single;
        let signs = |text: &'_ str| text.trim_end_matches('(').len();
        let before = if is_plain { self.before.get(..signs(&self.before)).unwrap_or_default() } else { &self.before };
        out.insert_str(self.from, before);
        out.push_str(if is_plain { "" } else { &self.behind });
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// LB-01: a formula in one line says what it said before.
    #[test]
    fn lb_01_formulas_are_read_in_one_line() {
        let run = |text: &str| format!("<m:r><m:rPr><m:sty m:val=\"p\"/></m:rPr><m:t>{text}</m:t></m:r>");
        let of = |name: &str, parts: &[(&str, &str)]| {
            let part = |(part, text): &(&str, &str)| format!("<m:{part}>{}</m:{part}>", run(text));
            format!("<m:{name}>{}</m:{name}>", parts.iter().map(part).collect::<String>())
        };
        let sum = "<m:nary><m:naryPr><m:chr m:val=\"∑\"/></m:naryPr>".to_owned()
            + &of("sub", &[("r", "i=1")])
            + &of("sup", &[("r", "n")])
            + &of("e", &[("r", "i")])
            + "</m:nary>";
        let square = "<m:d><m:dPr><m:begChr m:val=\"[\"/><m:endChr m:val=\"]\"/></m:dPr>".to_owned()
            + &of("e", &[("r", "a+b")])
            + "</m:d>";
        let rows = of("mr", &[("e", "1"), ("e", "0")]) + &of("mr", &[("e", "0"), ("e", "1")]);
        for (inside, expected) in [
            (run("F=") + &of("f", &[("num", "P"), ("den", "v")]), "F=P/v"),
            (of("f", &[("num", "a+b"), ("den", "2c")]), "(a+b)/(2c)"),
            (of("f", &[("num", "1"), ("den", "a b")]), "1/(a b)"),
            (of("sSup", &[("e", "x"), ("sup", "2")]) + &run("+1"), "x^2+1"),
            (of("sSubSup", &[("e", "x"), ("sub", "i"), ("sup", "n-1")]), "x_i^(n-1)"),
            (of("rad", &[("deg", "3"), ("e", "a+b")]), "³√(a+b)"),
            (of("rad", &[("e", "x")]), "√(x)"),
            (of("d", &[("e", "a+b")]) + &run("c"), "(a+b)c"),
            (square, "[a+b]"),
            (sum, "∑_(i=1)^ni"),
            (of("func", &[("fName", "sin"), ("e", "x")]), "sin x"),
            (of("eqArr", &[("e", "a=1"), ("e", "b=2")]), "a=1; b=2"),
            (format!("<m:m>{rows}</m:m>"), "[1 0; 0 1]"),
            (of("f", &[("num", "a")]).replace("</m:num>", ""), "a"),
            (String::new(), ""),
        ] {
            let xml = format!("{inside}</m:oMath>behind");
            let mut tokens = Tokens::new(&xml);
            assert_eq!(formula(&mut tokens), expected, "{inside}");
            assert_eq!(tokens.next(), Some(Token::Text("behind".into())), "{inside}");
        }
        for part in ["<m:f><m:num><m:r><m:t>x</m:t>", "<m:d>", "<m:e></m:e>", "<m:sup><m:t>x</m:t></m:sup>"] {
            assert!(formula(&mut Tokens::new(&part.repeat(200_000))).len() < 3 * MOST_BYTES, "{part}");
        }
    }
}
