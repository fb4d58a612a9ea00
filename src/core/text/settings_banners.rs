//! Banners in settings: comments that name what follows, up to the next one.
//!
//! `# ---- Network ----`, `### Network ###`, or a name between two lines of nothing but signs.

use std::ops::Range;

use super::passages::words;
use super::settings_comments::{is_setting, said};
use crate::core::base::limits::PASSAGE_MAX_WORDS;

/// The level of a section or a key in the first column.
pub(super) const SECTION: u8 = 3;
/// Those of banners: between lines, and in a line, above sections; and the same inside of one.
const BOXED: u8 = 1;
const IN_LINE: u8 = 2;
const INSIDE: u8 = 3;
/// Signs of a line between which a name stands, and of those around a name.
const RULE_SIGNS: usize = 5;
const SIGNS: usize = 2;
/// Signs before a name that has none behind it, and the words of such a name and of any.
const LEADING_SIGNS: usize = 3;
const FEW_WORDS: usize = 4;
const WORDS: usize = 8;
/// What says that something ends names nothing.
const ENDS: [&str; 3] = ["end", "ende", "fin"];
/// Lines below a banner in which what it stands above is looked for.
const LOOK_BELOW: usize = 40;

/// A comment that names what follows.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Banner<'t> {
    pub(super) lines: Range<usize>,
    pub(super) name: &'t str,
    pub(super) level: u8,
}

/// The banners among the lines of settings, ascending. In settings that are read as one, those inside of a section are a part of it.
pub(super) fn banners<'t>(lines: &[&'t str], begins_section: impl Fn(&str) -> bool) -> Vec<Banner<'t>> {
    let is_small = lines.iter().map(|line| words(line)).sum::<usize>() <= PASSAGE_MAX_WORDS;
    let mut banners = Vec::new();
    let mut at = 0;
    while at < lines.len() {
        let found = boxed(lines, at).or_else(|| in_line(lines, at));
        let Some((name, count, kind)) = found else {
            at += 1;
            continue;
        };
        let below = lines.iter().skip(at + count).take(LOOK_BELOW);
        let mut below = below.filter(|line| !line.trim().is_empty() && said(line).is_none());
        let is_above = below.next().is_some_and(|line| begins_section(line));
        let level = if is_above { kind } else { kind + INSIDE };
        if is_above || !is_small {
            banners.push(Banner { lines: at..at + count, name, level });
        }
        at += count;
    }
    banners
}

/// A name between two lines of signs.
fn boxed<'t>(lines: &[&'t str], at: usize) -> Option<(&'t str, usize, u8)> {
    let [above, named, below] = lines.get(at..at + 3)? else { return None };
    let name = said(named).filter(|name| is_name(name, WORDS))?;
    (is_rule(above) && is_rule(below)).then_some((name, 3, BOXED))
}

/// A name on a line of its own with signs around it, or with many before it below an empty line.
fn in_line<'t>(lines: &[&'t str], at: usize) -> Option<(&'t str, usize, u8)> {
    let line = lines.get(at)?;
    let name = said(line).filter(|name| !name.is_empty())?;
    let (before, after) = line.trim_end().split_once(name)?;
    let signs = |text: &str| text.chars().filter(|c| is_sign(*c)).count();
    // The mark of a comment is one as well, unless many of it are the banner.
    let before = before.strip_prefix(['#', ';']).or_else(|| before.strip_prefix("//")).unwrap_or(before);
    let is_around = signs(before) > 0 && signs(after) >= SIGNS;
    let is_between = before.ends_with("- ") && after == " -";
    let is_alone = at.checked_sub(1).and_then(|above| lines.get(above)).is_none_or(|above| above.trim().is_empty());
    let leads = is_alone && signs(before) + 1 >= LEADING_SIGNS && before.ends_with(' ') && after.is_empty();
    let is_banner = ((is_around || is_between) && is_name(name, WORDS)) || (leads && is_name(name, FEW_WORDS));
    is_banner.then_some((name, 1, IN_LINE))
}

fn is_sign(c: char) -> bool {
    matches!(c, '#' | ';' | '/' | '*' | '=' | '-' | '_' | '~')
}

fn is_rule(line: &str) -> bool {
    said(line).is_some_and(str::is_empty) && line.chars().filter(|c| is_sign(*c)).count() >= RULE_SIGNS
}

/// Whether words name something: they are no sentence, no setting, and nothing for an editor.
fn is_name(name: &str, words: usize) -> bool {
    name.contains(char::is_alphabetic)
        && !name.ends_with(['.', ',', '!', '?'])
        && name.split_whitespace().count() <= words
        && !name.contains("-*-")
        && !name.starts_with("coding:")
        && !ENDS.contains(&name.split_whitespace().next().unwrap_or_default().to_lowercase().as_str())
        && !is_setting(name)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn found(text: &str) -> Vec<(Range<usize>, String, u8)> {
        // What is small is read as one.
        let long = format!("{text}\nx = {}", "y ".repeat(PASSAGE_MAX_WORDS));
        let lines: Vec<&str> = long.lines().collect();
        let begins = |line: &str| line.starts_with('[') || line.ends_with(':');
        banners(&lines, begins).into_iter().map(|banner| (banner.lines, banner.name.to_owned(), banner.level)).collect()
    }

    /// LB-01: a banner names what stands below it, above sections or inside of one.
    #[test]
    fn lb_01_banners_name_what_follows() {
        for (text, want) in [
            ("# ---- Network ----\nport = 1\n", vec![(0..1, "Network", 5)]),
            ("a = 1\n### Réseau interne ###\nb:\n", vec![(1..2, "Réseau interne", 2)]),
            ("########\n# Drucker  #\n########\n\n[a]\n", vec![(0..3, "Drucker", 1)]),
            (
                "#------\n# LOGS AND TRACES\n#------\n\n# - Where to Log -\n\n#a = 1\n",
                vec![(0..3, "LOGS AND TRACES", 4), (4..5, "Where to Log", 5)],
            ),
            ("; === Till ===\n[a]\n; == Paper ==\nb=1\n", vec![(0..1, "Till", 2), (2..3, "Paper", 5)]),
            ("a=1\n\n### Storage\nb=1\n", vec![(2..3, "Storage", 5)]),
            ("a=1\n//// Lights ////\nb=1\n", vec![(1..2, "Lights", 5)]),
            // Comments, what was commented out, rules alone, signs for editors.
            ("# Network\n## Network\n# a - b - c\n#--\n#######\na=1\n", vec![]),
            ("a=1\n### Storage\n\n### What is set here is read once a day by all\n", vec![]),
            ("# ---- end of network ----\n# ENDE ###\n", vec![]),
            ("# -*- coding: utf-8 -*-\n# --port=80--\n--- a ---\n# -- It is read once. --\n", vec![]),
            ("## Réseau / interne ###\nb = 1\n", vec![(0..1, "Réseau / interne", 5)]),
            ("", vec![]),
        ] {
            let want: Vec<_> = want.into_iter().map(|(lines, name, level)| (lines, name.to_owned(), level)).collect();
            assert_eq!(found(text), want, "{text}");
        }
        let small = |text: &str| banners(&text.lines().collect::<Vec<_>>(), |line| line.starts_with('[')).len();
        assert_eq!((small("# -- Net --\na = 1\n"), small("# -- Net --\n\n[a]\nb = 1\n")), (0, 1));
    }

    /// LB-01: a banner at the head is the title of all, unless it is the first of several parts.
    #[test]
    fn lb_01_a_banner_at_the_head_may_be_the_title() {
        let boxed = |name: &str| format!("########\n# {name}\n########\n");
        let [one, two, all] = ["Pump station one", "Pump station two", "Pumps of the town"].map(boxed);
        for (text, title, headings) in [
            (format!("{one}\n[a]\nx = 1\n"), Some("Pump station one"), &["a"][..]),
            (
                format!("{one}\n[a]\nx = 1\n\n{two}\n[b]\nx = 2\n"),
                None,
                &["Pump station one > a", "Pump station two > b"],
            ),
            (
                format!("{all}#\n# Read once a day.\n\n{one}\n[a]\nx = 1\n\n{two}\n[b]\nx = 2\n"),
                Some("Pumps of the town"),
                &["Pump station one > a", "Pump station two > b"],
            ),
        ] {
            let document = super::super::extract(super::super::Format::Settings, text.into_bytes()).unwrap();
            assert_eq!(document.title.as_deref(), title);
            let found: Vec<String> = document.passages.iter().map(|piece| piece.headings.join(" > ")).collect();
            assert!(headings.iter().all(|wanted| found.iter().any(|found| found == wanted)), "{found:?}");
        }
    }

    /// LB-01: a file of nothing but banners is read in one go.
    #[test]
    fn lb_01_many_banners_are_read_in_one_go() {
        assert_eq!(found(&"# -- a --\n".repeat(100_000)).len(), 100_000);
        assert_eq!(found(&"#####\n".repeat(100_000)).len(), 0);
        assert_eq!(found(&format!("# {} a", "-".repeat(1_000_000))).len(), 1);
    }
}
