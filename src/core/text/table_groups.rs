//! Rows of a table that name those below them: `North basin`, and below it what was spent there.
//!
//! A row says of what it is in its own cells once its group is said with it; nobody looks for that in another row.

use std::collections::{BTreeMap, BTreeSet};

use crate::core::base::rows::is_listed;

/// A name of a group has no more words.
const NAME_WORDS: usize = 8;
/// Rows that are looked at to tell whether a table has groups, and rows of groups that are remembered.
const LOOKED_AT: usize = 20;
const REMEMBERED: usize = 500;
/// Words of rows that may sum up all groups as well as the last one.
const SUMS: &str = "total totals subtotal sum sums overall summe gesamt gesamtsumme insgesamt zwischensumme somme ensemble totaal totale suma";

/// The groups of a table while its rows are read from above.
#[derive(Debug, Default)]
struct Groups {
    name: String,
    /// First cells of rows so far: what was a row of one group is one in the next, too, though nothing else is said in it.
    rows: BTreeSet<String>,
}

impl Groups {
    /// The groups of a table whose first rows below its head are these; nothing where it has none. A row without values may as well be one whose values are
    /// not known. So there are two names at least, the first above all rows, none of which is the name of a row as well; and all of them reach over their
    /// rows, or a row of one group is one of another, too. `first` says of each row whether its first cell reaches over all others.
    fn of<'r>(first: impl Iterator<Item = (bool, &'r [String])>, columns: usize) -> Option<Self> {
        let mut groups = Self::default();
        let mut rows: Vec<(Option<&str>, bool, &str)> = Vec::new();
        for (reaches_over, row) in first.filter(|_| columns > 1) {
            let name = groups.name_in(row);
            if name.is_none() {
                groups.remember(row);
            }
            rows.push((name, reaches_over, row.first().map_or("", |cell| cell.trim())));
        }
        // Remarks at the end, or names whose rows are not seen.
        while rows.pop_if(|(name, ..)| name.is_some()).is_some() {}
        let is_name_of_none = rows.windows(2).any(|pair| matches!(pair, [(Some(_), ..), (Some(_), ..)]));
        let names: Vec<&str> = rows.iter().filter_map(|(name, ..)| *name).collect();
        let reach_over = rows.iter().all(|(name, reaches_over, _)| name.is_none() || *reaches_over);
        let mut groups_of: BTreeMap<&str, BTreeSet<usize>> = BTreeMap::new();
        let mut group = 0;
        for (name, _, first) in &rows {
            group += usize::from(name.is_some());
            if name.is_none() && !first.is_empty() {
                groups_of.entry(first).or_default().insert(group);
            }
        }
        let are_names = names.iter().all(|name| !groups_of.contains_key(name));
        let is_any_twice = names.iter().collect::<BTreeSet<_>>().len() < names.len();
        let is_said_again = groups_of.values().any(|groups| groups.len() > 1);
        let begins = rows.first().is_some_and(|(name, ..)| name.is_some());
        (begins && names.len() > 1 && !is_name_of_none && are_names && !is_any_twice && (reach_over || is_said_again))
            .then(Self::default)
    }

    /// Says the group of a row with its first cell; says whether the row stays one. Nothing stands below a name that is the last row, or above another
    /// name.
    fn read(&mut self, row: &mut [String], next: Option<&[String]>) -> bool {
        let is_name_of_rows = next.is_some_and(|next| self.name_in(next).is_none());
        if let Some(name) = self.name_in(row) {
            self.name = if is_name_of_rows { name.trim_end_matches(':').to_owned() } else { String::new() };
            return !is_name_of_rows;
        }
        self.remember(row);
        let Some(first) = row.first_mut() else { return true };
        if !self.name.is_empty() && !first.split_whitespace().any(is_sum) {
            *first = match first.trim() {
                "" => self.name.clone(),
                said => format!("{}: {said}", self.name),
            };
        }
        true
    }

    fn remember(&mut self, row: &[String]) {
        let first = row.first().filter(|_| self.rows.len() < REMEMBERED);
        self.rows.extend(first.map(|first| first.trim().to_owned()));
    }

    fn name_in<'r>(&self, row: &'r [String]) -> Option<&'r str> {
        name(row).filter(|name| !self.rows.contains(*name))
    }
}

/// Rows below the head of a table with the names of their groups. `reaches_over` says whether the first cell of a row reaches over all others.
pub(crate) fn in_groups<R>(
    mut rows: impl Iterator<Item = R>,
    columns: usize,
    reaches_over: impl Fn(&R) -> bool,
    cells: impl Fn(&mut R) -> &mut Vec<String>,
) -> impl Iterator<Item = R> {
    let mut first: Vec<R> = rows.by_ref().take(LOOKED_AT).collect();
    let mut groups = Groups::of(first.iter_mut().map(|row| (reaches_over(row), cells(row).as_slice())), columns);
    let mut rows = first.into_iter().chain(rows).peekable();
    std::iter::from_fn(move || {
        loop {
            let mut row = rows.next()?;
            let next = rows.peek_mut().map(|next| cells(next).as_slice());
            if groups.as_mut().is_none_or(|groups| groups.read(cells(&mut row), next)) {
                return Some(row);
            }
        }
    })
}

/// What a row names that has nothing but its first cell, or says the same in all of them.
fn name(row: &[String]) -> Option<&str> {
    let (first, others) = row.split_first()?;
    let first = first.trim();
    let is_alone = others.iter().all(|cell| cell.trim().is_empty() || cell.trim() == first);
    let is_name = first.contains(char::is_alphanumeric)
        && first.split_whitespace().count() <= NAME_WORDS
        && !first.split_whitespace().any(is_sum)
        && !first.ends_with(['.', ',', ';']);
    (is_alone && is_name).then_some(first)
}

fn is_sum(word: &str) -> bool {
    let word = word.trim_matches(|c: char| !c.is_alphanumeric()).to_lowercase();
    is_listed(SUMS, &word)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(rows: &[&str]) -> Vec<String> {
        // A cell with `=` behind it reaches over the others.
        let cells = rows.iter().map(|row| row.split('|').map(|cell| cell.trim_end_matches('=').to_owned()).collect());
        let rows = cells.zip(rows).map(|(cells, row): (Vec<String>, _)| (row.contains('='), cells));
        let columns = rows.clone().map(|(_, row)| row.len()).max().unwrap_or_default();
        in_groups(rows, columns, |row| row.0, |row| &mut row.1).map(|row| row.1.join("|")).collect()
    }

    #[test]
    fn a_row_says_of_which_group_it_is() {
        for (rows, want) in [
            (
                &["North|", "Lamps|3", "Silt|4", "South:|South:", "Lamps|5", "Grand total|12"][..],
                &["North: Lamps|3", "North: Silt|4", "South: Lamps|5", "Grand total|12"][..],
            ),
            (&["Hall=|", "|3", "Yard=", "Lamps|5"], &["Hall|3", "Yard: Lamps|5"]),
            (&["2024|", "May|2", "2025|", "May|4"], &["2024: May|2", "2025: May|4"]),
            // A row of another group has no value here, and below a remark at the end stands nothing.
            (&["A|", "x|1", "y|2", "B|", "x|", "y|3", "Note|"], &["A: x|1", "A: y|2", "B: x|", "B: y|3", "Note|"]),
        ] {
            assert_eq!(read(rows), want);
        }
    }

    /// What has no values yet is no group, nor are names without rows, and no table has a single column.
    #[test]
    fn rows_without_values_are_no_groups() {
        for rows in [
            &["North|1", "South|", "East|2"][..],
            &["North|", "East|2", "West|3"],
            &["North|", "South|", "East|2", "West|"],
            &["North|", "East|2", "Total|", "East|4"],
            &["Ann", "Low", "Ray"],
            // Days and people of whom nothing is known.
            &["3 May|", "4 May|2", "5 May|", "6 May|1"],
            &["Ann|", "Low|2", "Ray|", "May|1"],
            // Stations that are told of again and again.
            &["A|", "B|2", "C|", "B|1", "A|4"],
            &["A|", "B|2", "A|", "B|1"],
            &[],
        ] {
            assert_eq!(read(rows), rows);
        }
    }
}
