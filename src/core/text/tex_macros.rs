//! Commands of TeX that stand for a text, written out where they are used: below `\newcommand{\pump}{AquaJet 400}`, `\pump{}` says AquaJet 400.
//!
//! A line stays a line, so that places are those of the file. Commands with arguments, and those whose text has commands in it, keep their names.

use std::collections::BTreeMap;

use super::markup::braced;

/// Commands of one document that are known, and bytes of a name and of a text.
const COMMANDS: usize = 1_000;
const NAME_BYTES: usize = 60;
const TEXT_BYTES: usize = 200;

/// Environments in which everything stands as it is written.
const AS_WRITTEN: [&str; 4] = ["verbatim", "lstlisting", "minted", "comment"];

/// How a command is set.
const SETTERS: [&str; 4] = ["\\newcommand", "\\renewcommand", "\\providecommand", "\\def"];

/// The text with what its own commands stand for.
pub(super) fn written_out(text: String) -> String {
    if !SETTERS.iter().any(|setter| text.contains(setter)) {
        return text;
    }
    let mut commands: BTreeMap<&str, &str> = BTreeMap::new();
    let mut out = String::with_capacity(text.len());
    let (mut room, mut as_written) = (text.len(), None);
    for line in text.split_inclusive('\n') {
        let is_open = as_written.is_some();
        as_written = as_written_behind(line, as_written);
        if is_open || as_written.is_some() {
            out.push_str(line);
        } else if let Some((name, says)) = set(line) {
            match says.filter(|_| commands.len() < COMMANDS || commands.contains_key(name)) {
                Some(says) => commands.insert(name, says),
                None => commands.remove(name),
            };
            out.push_str(line);
        } else {
            write(&mut out, line, &commands, &mut room);
        }
    }
    out
}

/// The environment of text as it is written that is open behind a line.
fn as_written_behind(line: &str, open: Option<&'static str>) -> Option<&'static str> {
    let has = |lead: &str, name: &str| line.split(lead).skip(1).any(|rest| rest.starts_with(name));
    match open {
        Some(name) => Some(name).filter(|name| !has("\\end{", name)),
        None => AS_WRITTEN.into_iter().find(|name| has("\\begin{", name) && !has("\\end{", name)),
    }
}

/// The command that a line sets, and what it says, if that is known.
fn set(line: &str) -> Option<(&str, Option<&str>)> {
    let line = line.trim_start();
    let setter = SETTERS.iter().find(|setter| line.starts_with(**setter))?;
    let rest = line.get(setter.len()..)?.trim_start_matches('*');
    let (name, rest) = match braced(rest) {
        Some(name) => (name.trim().strip_prefix('\\')?, rest.split_once('}')?.1),
        None => {
            let rest = rest.strip_prefix('\\')?;
            rest.split_at_checked(name_bytes(rest))?
        }
    };
    let is_name = !name.is_empty() && name.len() <= NAME_BYTES && name_bytes(name) == name.len();
    let says = braced(rest).map(|says| says.strip_suffix("\\xspace").unwrap_or(says).trim());
    let is_text = |says: &&str| {
        let is_short = !says.is_empty() && says.len() <= TEXT_BYTES;
        let has_command = says.split('\\').skip(1).any(|rest| rest.starts_with(|c: char| c.is_ascii_alphabetic()));
        is_short && !has_command && !says.contains(['#', '$', '{', '}', '&'])
    };
    is_name.then_some((name, says.filter(is_text)))
}

fn name_bytes(text: &str) -> usize {
    text.bytes().take_while(u8::is_ascii_alphabetic).count()
}

/// Writes a line with what commands stand for, with so many bytes more than it has at most.
fn write(out: &mut String, line: &str, commands: &BTreeMap<&str, &str>, room: &mut usize) {
    let mut rest = line;
    while let Some((before, behind)) = rest.split_once('\\') {
        out.push_str(before);
        let length = name_bytes(behind);
        let (name, after) = behind.split_at_checked(length).unwrap_or(("", behind));
        let after = after.strip_prefix("{}").unwrap_or(after);
        match commands.get(name).filter(|says| says.len() <= *room) {
            Some(says) => {
                *room -= says.len();
                out.push_str(says);
                rest = after;
            }
            None => {
                // `\\` is a line's end and begins no command.
                let known = length.max(usize::from(behind.starts_with('\\')));
                out.push('\\');
                out.push_str(behind.get(..known).unwrap_or_default());
                rest = behind.get(known..).unwrap_or_default();
            }
        }
    }
    out.push_str(rest);
}

#[cfg(test)]
mod tests {
    use super::*;

    /// LB-01: what a quote of TeX says of a command without arguments is its text.
    #[test]
    fn lb_01_commands_of_tex_are_written_out() {
        for (text, want) in [
            (
                "\\newcommand{\\pump}{AquaJet 400}\nThe \\pump{} and \\pump, not \\pumps.",
                "The AquaJet 400 and AquaJet 400, not \\pumps.",
            ),
            ("\\newcommand*\\pump{AquaJet\\xspace}\nThe \\pump runs.", "The AquaJet runs."),
            ("\\def\\v{2.4}\n\\renewcommand{\\v}{2.5}\nUse \\v.", "Use 2.5."),
            ("\\newcommand{\\p}{12\\,\\%}\nIt is \\p.", "It is 12\\,\\%."),
            ("Before \\v.\n\\def\\v{2}\nThen \\v.", "Before \\v.\n\\def\\v{2}\nThen 2."),
            // With arguments, with commands inside, over lines, or no text at all.
            (
                "\\newcommand{\\a}[1]{x #1}\n\\newcommand{\\b}{\\textbf{x}}\n\\newcommand{\\c}{\nx}\n\\newcommand{\\d}{}\n\\a{1} \\b \\c \\d",
                "\\a{1} \\b \\c \\d",
            ),
            ("\\def\\v{2}\n\\begin{verbatim}\n\\v\n\\end{verbatim}\n\\v", "\\begin{verbatim}\n\\v\n\\end{verbatim}\n2"),
            ("\\def\\n{2}\na\\\\n b\\", "a\\\\n b\\"),
        ] {
            let written = written_out(text.to_owned());
            assert!(written.ends_with(want), "{written:?}");
            assert_eq!(written.lines().count(), text.lines().count());
        }
    }

    /// LB-01: commands that stand for commands, and many uses of a long one, do not make a text grow.
    #[test]
    fn lb_01_hostile_commands_do_not_grow() {
        for text in [
            (1..100).map(|at| format!("\\def\\a{0}{{\\b{0}\\b{0}}}\n", "x".repeat(at))).collect::<String>()
                + &"\\ax".repeat(1_000),
            format!("\\def\\a{{{}}}\n{}", "x".repeat(200), "\\a ".repeat(100_000)),
            format!("\\def\\a{{x}}\n{}", "\\".repeat(300_000)),
            format!("\\def\\a{{x}}\n{}", "\\begin{".repeat(50_000)),
            (0..20_000).map(|at| format!("\\def\\{}{{y}}\n", "ab".repeat(at % 30 + 1))).collect(),
        ] {
            let length = text.len();
            assert!(written_out(text).len() <= 2 * length);
        }
    }
}
