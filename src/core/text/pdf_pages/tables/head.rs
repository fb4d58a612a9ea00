//! Whether rows are those of a table, and which of them name its columns.

/// Words of a name of a column, of a cell of a table without figures, and of a name there.
const NAME_WORDS: usize = 8;
const CELL_WORDS: usize = 12;
const TITLE_WORDS: usize = 4;
/// Rows below the head: of a table with figures, of one of two columns, and of one without figures.
const ROWS: usize = 2;
const ROWS_OF_TWO: usize = 4;
const ROWS_OF_WORDS: usize = 3;
/// Years as names of columns.
const YEARS: std::ops::RangeInclusive<u32> = 1_900..=2_100;

/// How many of the first rows name the columns of these; nothing where it is not plain that they are a table.
pub(super) fn rows(rows: &[Vec<String>]) -> Option<usize> {
    let head = rows.first()?;
    // Where the row below is written as those of units are, neither is one: `abs(x)`, `any`, `absolute value of x`.
    let has_units = rows.len() > 1 + ROWS
        && rows.get(1).is_some_and(|row| are_units(row))
        && !rows.get(2).is_some_and(|row| are_units(row));
    let below = if has_units { 2 } else { 1 };
    let body = rows.get(below..)?;
    let columns = head.len();
    let figures: Vec<usize> = (1..columns).filter(|column| has_figures(body, *column)).collect();
    let is_plain = match figures.as_slice() {
        [] => columns > 2 && body.len() >= ROWS_OF_WORDS && are_titles(head) && are_words(body),
        [_] if columns == 2 => body.len() >= ROWS_OF_TWO && are_alike(body),
        _ => body.len() >= ROWS,
    };
    (is_plain && names_columns(head, &figures) && has_rows(body) && !body.iter().flatten().any(|cell| has_two(cell)))
        .then_some(below)
}

/// How many of the first rows name the columns of a table whose cells are ruled; none where it has no names. `is_wide`: names in the first row reach over
/// several columns, which the second one names.
pub(super) fn of_ruled(rows: &[Vec<String>], is_wide: bool) -> usize {
    let has_units = rows.len() > 2
        && rows.get(1).is_some_and(|row| are_units(row))
        && !rows.get(2).is_some_and(|row| are_units(row));
    let below = if is_wide || has_units { 2 } else { 1 };
    let (Some(named), Some(body)) = (rows.get(..below), rows.get(below..)) else { return 0 };
    let head = super::joined(named);
    let columns = head.len();
    let figures: Vec<usize> = (1..columns).filter(|column| has_figures(body, *column)).collect();
    let is_plain = match figures.as_slice() {
        // A name and what is said of it: the first row may be one of them.
        [_] if columns == 2 => are_alike(body),
        _ if columns == 2 => are_titles(&head) && are_sentences(body),
        _ => true,
    };
    if !body.is_empty() && is_plain && names_columns(&head, &figures) && !is_form(rows) { below } else { 0 }
}

/// Whether the second cells of all rows say more than a name.
fn are_sentences(body: &[Vec<String>]) -> bool {
    body.len() > 1 && body.iter().all(|row| cell(row, 1).split_whitespace().count() >= TITLE_WORDS)
}

/// Whether a column has fields of a form: `Name: …  Date: …`
fn is_form(rows: &[Vec<String>]) -> bool {
    let are_fields =
        |column: usize| 2 * rows.iter().filter(|row| cell(row, column).ends_with(':')).count() > rows.len();
    (0..rows.first().map_or(0, Vec::len)).any(are_fields)
}

/// Whether a figure stands behind the first cell.
pub(super) fn has_figure(row: &[String]) -> bool {
    row.iter().skip(1).any(|cell| is_figure(cell))
}

fn cell(row: &[String], column: usize) -> &str {
    row.get(column).map(String::as_str).unwrap_or_default()
}

/// Whether each column has a name; the first one may have none.
fn names_columns(head: &[String], figures: &[usize]) -> bool {
    let is_name = |name: &String| {
        name.contains(char::is_alphabetic)
            && !name.ends_with([':', '.', ',', ';'])
            && name.split_whitespace().count() <= NAME_WORDS
            && !is_figure(name)
    };
    let years: Vec<u32> = figures.iter().filter_map(|column| cell(head, *column).parse().ok()).collect();
    let are_years = years.len() == figures.len()
        && years.len() > 1
        && years.iter().all(|year| YEARS.contains(year))
        && (years.is_sorted() || years.iter().rev().is_sorted());
    let is_named = |(at, name): (usize, &String)| {
        is_name(name) || (at == 0 && name.is_empty()) || (are_years && figures.contains(&at))
    };
    head.iter().enumerate().all(is_named)
}

/// Whether most rows have several cells, and most first cells something in them that says of what they are.
fn has_rows(body: &[Vec<String>]) -> bool {
    let filled = |row: &&Vec<String>| row.iter().filter(|cell| !cell.is_empty()).count() > 1;
    let named = |row: &&Vec<String>| cell(row, 0).contains(char::is_alphanumeric);
    // Names of groups stand alone.
    let is_name = |row: &&Vec<String>| !cell(row, 0).is_empty() && !filled(row);
    let names = body.iter().filter(is_name).count();
    3 * body.iter().filter(filled).count() >= 2 * (body.len() - names)
        && 5 * names <= 2 * body.len()
        && 2 * body.iter().filter(named).count() >= body.len()
        && !is_form(body)
}

/// Whether a column has figures, but for cells in which nothing is said.
fn has_figures(body: &[Vec<String>], column: usize) -> bool {
    let said = |row: &&Vec<String>| cell(row, column).contains(char::is_alphanumeric);
    let (said, figures) = body
        .iter()
        .filter(said)
        .fold((0, 0), |(said, figures), row| (said + 1, figures + usize::from(is_figure(cell(row, column)))));
    said > 1 && 3 * figures >= 2 * said
}

/// Whether the second cells of all rows are figures of one kind: one of each kind are what a list says of a single thing.
fn are_alike(body: &[Vec<String>]) -> bool {
    let unit = |cell: &str| cell.chars().filter(|c| !c.is_ascii_digit() && !".,-– ".contains(*c)).collect::<String>();
    let first = body.first().map(|row| unit(cell(row, 1))).unwrap_or_default();
    body.iter().all(|row| is_figure(cell(row, 1)) && unit(cell(row, 1)) == first)
}

/// Whether cells look like names of columns where nothing below tells: the first of a list of options or of addresses does not.
fn are_titles(head: &[String]) -> bool {
    let is_title = |(at, name): (usize, &String)| {
        let first = name.chars().next();
        let is_large = first.is_some_and(|c| c.is_alphabetic() && !c.is_lowercase());
        let is_short = name.split_whitespace().count() <= TITLE_WORDS;
        (at == 0 && name.is_empty()) || (is_large && is_short && !name.contains(|c: char| c.is_ascii_digit()))
    };
    head.iter().enumerate().all(is_title)
}

/// Whether rows without figures are those of a table: nearly all cells are filled, and with few words.
fn are_words(body: &[Vec<String>]) -> bool {
    let cells = || body.iter().flatten();
    let filled = cells().filter(|cell| !cell.is_empty()).count();
    4 * filled >= 3 * cells().count() && cells().all(|cell| cell.split_whitespace().count() <= CELL_WORDS)
}

/// Whether two figures stand in one cell, so that two columns below one name were taken for one: `61 57`. Thousands are parted by blanks, too.
fn has_two(cell: &str) -> bool {
    let is_number = |word: &str| {
        word.starts_with(|c: char| c.is_ascii_digit())
            && word.chars().all(|c| c.is_ascii_digit() || matches!(c, '.' | ',' | '%'))
    };
    let words: Vec<&str> = cell.split_whitespace().collect();
    words.len() > 1
        && words.iter().all(|word| is_number(word))
        && words.iter().skip(1).any(|word| word.len() != "000".len())
}

/// The second line of a head: `(EUR)`, `per piece`.
fn are_units(row: &[String]) -> bool {
    let is_unit = |cell: &String| cell.starts_with(['(', '[']) || cell.starts_with(char::is_lowercase);
    let mut said = row.iter().filter(|cell| !cell.is_empty()).peekable();
    said.peek().is_some() && said.all(|cell| is_unit(cell) && !is_figure(cell))
}

/// A number with whatever it is of: `12`, `-3.5 kg`, `€ 30`, `EUR 30`, `3 May 2026`.
pub(super) fn is_figure(cell: &str) -> bool {
    let bare = |text: &str| text.trim_start_matches(|c: char| "+-–−±~≈<>≤≥([€$£¥ ".contains(c)).to_owned();
    let is_number = |text: &str| text.starts_with(|c: char| c.is_ascii_digit());
    let (currency, rest) = cell.split_once(' ').unwrap_or_default();
    let is_currency = currency.len() == 3 && currency.bytes().all(|byte| byte.is_ascii_uppercase());
    is_number(&bare(cell)) || (is_currency && is_number(&bare(rest)))
}
