//! Letters and signs that TeX writes as commands: `\"o` for `ö`, `\ss` for `ß`, `\%` for `%`.

use unicode_normalization::UnicodeNormalization;

/// Accents by the sign behind the backslash.
const SIGNS: [(char, char); 7] = [
    ('"', '\u{308}'),
    ('\'', '\u{301}'),
    ('`', '\u{300}'),
    ('^', '\u{302}'),
    ('~', '\u{303}'),
    ('=', '\u{304}'),
    ('.', '\u{307}'),
];
/// Accents by the name of their command.
const NAMED: [(&str, char); 6] =
    [("c", '\u{327}'), ("v", '\u{30c}'), ("u", '\u{306}'), ("H", '\u{30b}'), ("k", '\u{328}'), ("r", '\u{30a}')];
/// Letters by the name of their command.
const LETTERS: [(&str, char); 12] = [
    ("ss", 'ß'),
    ("aa", 'å'),
    ("AA", 'Å'),
    ("o", 'ø'),
    ("O", 'Ø'),
    ("ae", 'æ'),
    ("AE", 'Æ'),
    ("oe", 'œ'),
    ("OE", 'Œ'),
    ("l", 'ł'),
    ("L", 'Ł'),
    ("i", 'ı'),
];
/// Signs that are commands of TeX without a backslash, and the narrow blank before a unit: `47\,\%` is read as `47 %`.
const WRITTEN: [(char, char); 5] = [('%', '%'), ('&', '&'), ('#', '#'), ('_', '_'), (',', ' ')];
/// Environments in which a backslash is one, or moves to a column.
const AS_WRITTEN: [&str; 4] = ["verbatim", "lstlisting", "minted", "tabbing"];
/// Names of commands are shorter, in bytes.
const COMMAND_BYTES: usize = 24;

/// The text with these letters as they are read. Lines stay those of the file; formulas, code and commands stay as they are.
pub(super) fn letters(text: String) -> String {
    if !text.contains('\\') {
        return text;
    }
    let mut out = String::with_capacity(text.len());
    let mut as_written: Option<&str> = None;
    let mut in_formula = false;
    for line in text.split_inclusive('\n') {
        let is_of = |command: &str, name: &str| {
            line.trim_start().strip_prefix(command).is_some_and(|rest| rest.starts_with(name))
        };
        if let Some(name) = as_written {
            as_written = as_written.filter(|_| !is_of("\\end{", name));
            out.push_str(line);
            continue;
        }
        as_written = AS_WRITTEN.into_iter().find(|name| is_of("\\begin{", name) && !line.contains("\\end{"));
        // A formula ends with its paragraph at the latest.
        in_formula &= !line.trim().is_empty();
        write_line(line, &mut in_formula, &mut out);
    }
    out
}

fn write_line(line: &str, in_formula: &mut bool, out: &mut String) {
    let mut rest = line;
    // Nothing but blanks was written of the line; not looked up in it, as a file may be one line.
    let mut is_first = true;
    while let Some((before, sign)) = rest.find(['\\', '$']).and_then(|at| rest.split_at_checked(at)) {
        out.push_str(before);
        is_first &= before.trim_start().is_empty();
        let Some(command) = sign.strip_prefix('\\') else {
            *in_formula = !*in_formula;
            is_first = false;
            out.push('$');
            rest = sign.strip_prefix('$').unwrap_or_default();
            continue;
        };
        // At the beginning of a line it would make a comment of the line.
        let letter = letter(command).filter(|(c, _)| *c != '%' || !is_first);
        match letter.filter(|_| !*in_formula) {
            Some((c, behind)) => {
                is_first &= c.is_whitespace();
                rest = pushed(c, behind, out);
            }
            None => {
                is_first = false;
                out.push('\\');
                let mut behind = command.chars();
                out.extend(behind.next());
                rest = behind.as_str();
            }
        }
    }
    out.push_str(rest);
}

/// Writes a letter, without the braces that hold it alone: `Schr{\"o}dinger`, but not `\emph{\"o}`. What follows.
fn pushed<'t>(c: char, behind: &'t str, out: &mut String) -> &'t str {
    let unbraced = behind.strip_prefix('}').filter(|_| {
        out.strip_suffix('{').is_some_and(|before| {
            let near = before.get(before.ceil_char_boundary(before.len().saturating_sub(COMMAND_BYTES))..);
            let name = near.unwrap_or_default().trim_end_matches(|c: char| c.is_ascii_alphabetic());
            !name.ends_with(['\\', ']', '}', '*'])
        })
    });
    if unbraced.is_some() {
        out.pop();
    }
    out.push(c);
    unbraced.unwrap_or(behind)
}

/// The letter that a command makes, and what follows it.
fn letter(command: &str) -> Option<(char, &str)> {
    let sign = command.chars().next()?;
    if let Some((_, accent)) = SIGNS.iter().find(|(known, _)| *known == sign) {
        return accented(command.strip_prefix(sign)?, *accent);
    }
    if let Some((_, c)) = WRITTEN.iter().find(|(known, _)| *known == sign) {
        return Some((*c, command.strip_prefix(sign)?));
    }
    let (name, behind) = command_name(command)?;
    if let Some((_, accent)) = NAMED.iter().find(|(known, _)| *known == name) {
        // A letter that follows the name stands behind a blank.
        return accented(behind.strip_prefix(' ').unwrap_or(behind), *accent);
    }
    let (_, c) = LETTERS.iter().find(|(known, _)| *known == name)?;
    Some((*c, behind.strip_prefix("{}").or_else(|| behind.strip_prefix(' ')).unwrap_or(behind)))
}

/// The letters behind a backslash; those of longer commands are of no use.
fn command_name(command: &str) -> Option<(&str, &str)> {
    let end = command.bytes().take(COMMAND_BYTES).take_while(u8::is_ascii_alphabetic).count();
    command.split_at_checked(end).filter(|(name, _)| !name.is_empty())
}

/// A letter, in braces or not, with its accent: only where the two are one letter.
fn accented(text: &str, accent: char) -> Option<(char, &str)> {
    let (inside, end) = text.strip_prefix('{').map_or((text, ""), |inside| (inside, "}"));
    let (base, behind) = match inside.strip_prefix('\\') {
        // The letters without a dot, to which an accent is put.
        Some(command) => command_name(command).filter(|(name, _)| matches!(*name, "i" | "j"))?,
        None => {
            let first = inside.chars().next().filter(char::is_ascii_alphabetic)?;
            inside.split_at_checked(first.len_utf8())?
        }
    };
    let mut composed = base.chars().chain([accent]).nfc();
    let c = composed.next().filter(|_| composed.next().is_none())?;
    Some((c, behind.strip_prefix(end)?))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// LB-01: words of TeX are found as they are read.
    #[test]
    fn lb_01_accents_of_tex_are_letters() {
        for (written, read) in [
            (r#"Schr\"odinger in M\"{o}lltal, Schr{\"o}dinger"#, "Schrödinger in Mölltal, Schrödinger"),
            (r"caf\'e, h\^otel, se\~nor, gar\c{c}on, gar\c con", "café, hôtel, señor, garçon, garçon"),
            (
                r"Stra\ss e, Stra{\ss}e, \AA rhus, \o{}re, c\ae sar, \L\'od\'z",
                "Straße, Straße, Århus, øre, cæsar, Łódź",
            ),
            (r#"na\"{\i}ve, \'\i"#, "naïve, í"),
            (r#"\emph{\"o} \section{\'E}"#, r"\emph{ö} \section{É}"),
            (r"\label{x} \cite{y} \omega \v{x} \\'e", r"\label{x} \cite{y} \omega \v{x} \\'e"),
            (r"$\v{a}$ \v{s} \$5 \'e", r"$\v{a}$ š \$5 é"),
            (r"47\,\% of R\&D in max\_rows, item \#3", "47 % of R&D in max_rows, item #3"),
            ("a\n \\% b \\% c, $a\\,b\\%$", "a\n \\% b % c, $a\\,b\\%$"),
            ("$a\n\n\\'e", "$a\n\né"),
            ("\\begin{verbatim}\n\\'e\n\\end{verbatim}\n\\'e\n", "\\begin{verbatim}\n\\'e\n\\end{verbatim}\né\n"),
            ("\\'\ne \\o\nx \\", "\\'\ne ø\nx \\"),
            (r"\'{e \'{} \'1", r"\'{e \'{} \'1"),
        ] {
            assert_eq!(letters(written.to_owned()), read, "{written}");
        }
    }
}
