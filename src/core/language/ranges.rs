//! What joins the first of something to the last: `May to September`, `Mo–Fr`, `zwischen 8 und 10`.

use crate::core::base::rows::is_listed;
use crate::core::language::words::plain_words;

/// Words between both, without accents; `and` is one behind `between`.
pub(crate) const TO: &str = "a al au bis jusqu jusque through thru till to tot until";
pub(crate) const BETWEEN: &str = "between entre zwischen";
pub(crate) const AND: &str = "and et und";

/// Whether nothing but a dash stands between two words, which may be abbreviated. One at the beginning of a line begins an item of a list.
pub(crate) fn is_dash(gap: &str) -> bool {
    matches!(gap.trim().trim_start_matches('.').trim_start(), "-" | "–" | "—") && !gap.contains('\n')
}

/// Whether nothing but such words stand between two others.
pub(crate) fn is_to(gap: &str) -> bool {
    let said = plain_words(gap);
    !said.is_empty() && said.iter().all(|word| is_listed(TO, word))
}
