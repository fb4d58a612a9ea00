//! Lists of contents and indexes: lines of a name, a row of dots and the number of a page. What they name stands on that page.

/// Dots that lead to a number.
const DOTS: usize = 5;
/// So many such lines on a page are a list of pages.
const LEAST_LINES: usize = 4;
/// Figures of the number of a page.
const DIGITS: usize = 4;

/// Pages without the lines that lead to others. A price list or a list of telephones has rows of dots as well, and larger numbers than pages.
pub(crate) fn without_leaders(texts: Vec<String>) -> Vec<String> {
    let pages = texts.len();
    let leads = |line: &&str| leads_to(line).is_some_and(|page| page <= pages);
    let without = |text: String| {
        let leading = text.lines().filter(leads).count();
        let all = text.lines().filter(|line| leads_to(line).is_some()).count();
        if leading < LEAST_LINES || leading < all {
            return text;
        }
        text.lines().filter(|line| !leads(line)).collect::<Vec<_>>().join("\n")
    };
    texts.into_iter().map(without).collect()
}

/// The number that the dots of a line lead to.
fn leads_to(line: &str) -> Option<usize> {
    let line = line.trim_end();
    let digits = line.len() - line.trim_end_matches(|c: char| c.is_ascii_digit()).len();
    let (before, number) = line.split_at_checked(line.len() - digits)?;
    let name = before.trim_end_matches(['.', ' ', '·', '…']);
    let dots = before.get(name.len()..)?.chars().filter(|c| *c != ' ').count();
    (dots >= DOTS && (1..=DIGITS).contains(&digits)).then(|| number.parse().ok()).flatten()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_that_lead_to_pages_are_left_out() {
        let dots = ". ".repeat(12);
        let list = |numbers: &[&str]| -> String {
            let line = |(at, number): (usize, &&str)| format!("Name {at} {dots}{number}\n");
            numbers.iter().enumerate().map(line).collect()
        };
        let book = |page: String| -> Vec<String> {
            std::iter::once(page).chain((0..30).map(|at| format!("Page {at}."))).collect()
        };
        for (numbers, is_left_out) in [
            (&["1", "3", "17", "30"][..], true),
            (&["1", "3", "17"], false),
            // Prices, telephones.
            (&["4.50", "6.00", "7.20", "9.90"], false),
            (&["1", "3", "17", "4021"], false),
            (&["4021", "4022", "4023", "4024"], false),
        ] {
            let page = format!("Contents\n{}End", list(numbers));
            let read = without_leaders(book(page.clone()));
            let want = if is_left_out { "Contents\nEnd" } else { page.as_str() };
            assert_eq!(read.first().map(String::as_str), Some(want), "{numbers:?}");
        }
        let menu = list(&["4", "6", "7", "9"]);
        assert_eq!(without_leaders(vec![menu.clone()]), [menu], "one page has no page 9");
        assert_eq!(leads_to("It is so ... 12"), None);
        assert_eq!(leads_to("........12"), Some(12));
    }
}
