//! What a question asks for, and whether a text has it: a figure, a price, a name, a number, somebody who does something, one thing and not its like.
//!
//! Nothing here knows a library or a report. Each rule is told from words alone, and says nothing where it is not sure.

pub(crate) mod alternatives;
pub(crate) mod announcing;
pub(crate) mod asking;
pub(crate) mod attributes;
pub(crate) mod bounds;
mod check;
pub(crate) mod clauses;
pub(crate) mod denying;
pub(crate) mod descriptions;
pub(crate) mod designation;
pub(crate) mod doers;
pub(crate) mod ended;
pub(crate) mod figures;
pub(crate) mod joined;
pub(crate) mod labels;
pub(crate) mod light;
pub(crate) mod measures;
pub(crate) mod month;
pub(crate) mod names;
pub(crate) mod numbers;
mod numerals;
pub(crate) mod ordinals;
pub(crate) mod periods;
pub(crate) mod present;
pub(crate) mod prices;
pub(crate) mod qualifiers;
pub(crate) mod reason_signs;
mod setting_names;
pub(crate) mod state;
pub(crate) mod terms;
pub(crate) mod things;
pub(crate) mod times;
mod tokens;
pub(crate) mod unknown;
pub(crate) mod vague;
pub(crate) mod why;
pub(crate) mod worth;

pub(crate) use check::check;
