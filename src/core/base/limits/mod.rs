//! Every limit of hadal, with its unit and its reason, in a file per subject. Nothing in the program is unbounded.

mod hosted;
mod library;
mod model;
mod process;
mod surface;
mod tasks;
mod text;
mod web;

pub(crate) use hosted::*;
pub(crate) use library::*;
pub(crate) use model::*;
pub(crate) use process::*;
pub(crate) use surface::*;
pub(crate) use tasks::*;
pub(crate) use text::*;
pub(crate) use web::*;
