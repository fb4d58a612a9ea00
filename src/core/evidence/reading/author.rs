//! Citations by author and year: `(Smith 2024)`, `(Smith & Lee, 2023; Doe et al. 2021a)`.

/// The surname and the year of each part, or none if a part is anything else.
pub(super) fn authors(text: &str) -> Option<Vec<(String, String)>> {
    let text = text.trim();
    if text.len() > 200 || !text.contains(|c: char| c.is_ascii_digit()) {
        return None;
    }
    text.split(';').map(author).collect()
}

fn author(part: &str) -> Option<(String, String)> {
    let part = part.trim();
    let part = ["see also ", "see ", "e.g., ", "e.g. ", "cf. ", "vgl. "]
        .iter()
        .find_map(|start| part.strip_prefix(start))
        .unwrap_or(part);
    let (names, year) = part.rsplit_once([' ', ','])?;
    // A page behind the year says where, not what.
    let (names, year) = if year_of(year).is_none() {
        names.rsplit_once([' ', ',']).map(|(names, year)| (names, year.trim_end_matches([',', ':'])))?
    } else {
        (names, year)
    };
    let year = year_of(year)?;
    let names = names.trim().trim_end_matches(',');
    let surname = names.split([' ', ',', '&']).find(|word| !word.is_empty())?;
    let named = surname.chars().next().is_some_and(char::is_uppercase)
        && surname.chars().all(|c| c.is_alphabetic() || matches!(c, '-' | '’' | '\''));
    let few = names.split_whitespace().count() <= 8;
    (named && few).then(|| (surname.to_lowercase(), year))
}

/// A year with the letter that tells works of one year apart.
pub(super) fn year_of(text: &str) -> Option<String> {
    let text = text.trim().trim_matches(['(', ')', '.', ',']);
    let digits = text.get(..4)?;
    let rest = text.get(4..)?;
    let year = digits.parse::<u16>().ok().filter(|year| (1500..2200).contains(year))?;
    (rest.is_empty() || (rest.len() == 1 && rest.bytes().all(|byte| byte.is_ascii_lowercase())))
        .then(|| format!("{year}{rest}"))
}
