//! Words of a question that are said of anything of its kind, and are not missed where it is found by its name.

use crate::core::base::rows::listed;
use crate::core::language::stems::has_stem;
use crate::core::question::designation::Designation;

/// What is said of any setting: `max_connections = 7` does not call itself a value.
const OF_SETTINGS: &str = "file option parameter set setting value variable";
/// What is said of a name that source code defines, also of one that has no joint: `MalformedHeader`.
const OF_CODE: &str = "class constant declared defined function implemented located method";

/// What is said of any entry of a log that is found by its time or by the id in it.
const OF_LOGS: &str = "entry event happened id log logged recorded request session transaction";

/// What is said of any release that is found by its number.
const OF_RELEASES: &str = "changed new release released version";

/// Whether a term says no more than that an identifier is asked for.
pub(super) fn is_said_of_any(designations: &[Designation], has_identifier: bool, text: &str) -> bool {
    let is_of = |said| listed(said).any(|word| has_stem(word, text));
    let is_any = |is: fn(&Designation) -> bool| designations.iter().any(is);
    (is_any(Designation::is_identifier) && is_of(OF_SETTINGS))
        || (has_identifier && is_of(OF_CODE))
        || (is_any(Designation::is_of_logs) && is_of(OF_LOGS))
        || (is_any(Designation::is_version) && is_of(OF_RELEASES))
}
