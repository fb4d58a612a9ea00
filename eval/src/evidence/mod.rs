//! Measures how well hadal judges claims by pages, on labelled claims and on faults that are planted in true ones.

mod common;
mod data;
mod faults;
mod learn;
mod measure;
mod plant;
mod random;
mod reports;
mod speed;
mod train;
mod words;

pub(crate) use common::run as common_words;
pub(crate) use faults::run as faults;
pub(crate) use measure::run;
pub(crate) use reports::run as citations;
pub(crate) use speed::run as speed;
pub(crate) use train::run as train;
