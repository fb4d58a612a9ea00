//! Measures how well hadal judges claims by pages, on labelled claims and on faults that are planted in true ones.

mod data;
mod learn;
mod measure;
mod random;
mod train;

pub(crate) use measure::run;
pub(crate) use train::run as train;
