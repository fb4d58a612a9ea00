//! What may be done again after a crash without paying twice.

/// What may be done with an effect that was started and whose end is unknown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Repeat {
    /// Free, or paid by use: run it again.
    Again,
    /// It may have started something that is paid once it exists: never again by itself. The method is
    /// told `Outcome::Uncertain` and decides.
    Never,
}
