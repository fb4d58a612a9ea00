//! A row of a table on one line of Markdown.

/// Its cells between bars.
pub(super) fn line(cells: &[String]) -> String {
    line_of(cells).0
}

/// Cells on one line, and where in it each of their further lines begins.
pub(super) fn line_of(cells: &[String]) -> (String, Vec<usize>) {
    let (mut line, mut breaks) = ("|".to_owned(), Vec::new());
    for cell in cells {
        line.push(' ');
        for (nth, said) in cell.split('\n').enumerate() {
            let mut words = said.split_whitespace().peekable();
            let is_apart = words.peek().is_some() && !line.ends_with(' ');
            line.push_str(if is_apart { " " } else { "" });
            breaks.extend((nth > 0).then_some(line.len()));
            for (at, word) in words.enumerate() {
                line.push_str(if at > 0 { " " } else { "" });
                line.push_str(&word.replace('|', "\\|"));
            }
        }
        line.push_str(" |");
    }
    (line, breaks)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// EM-01: where the lines of a cell begin is known, whatever else stands in it.
    #[test]
    fn em_01_lines_of_cells_are_known() {
        for (cells, wanted, begins) in [
            (&["a", "b"][..], "| a | b |", &[][..]),
            (&["a\nb c", "d"], "| a b c | d |", &["b c | d |"]),
            (&["a|\n\n b\n", "d\n|"], "| a\\| b | d \\| |", &[" b | d", "b | d", " | d", "\\| |"]),
            (&["", " \n "], "|  |  |", &[" |"]),
        ] {
            let cells: Vec<String> = cells.iter().map(|cell| (*cell).to_owned()).collect();
            let (line, breaks) = line_of(&cells);
            assert_eq!(line, wanted);
            assert_eq!(breaks.len(), begins.len(), "{line}");
            for (at, begin) in breaks.iter().zip(begins) {
                assert!(line.get(*at..).unwrap().starts_with(begin), "{line:?} at {at}: {begin:?}");
            }
        }
    }
}
