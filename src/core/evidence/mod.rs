//! Passages, claims and whether one bears out the other.

#[cfg_attr(
    not(test),
    expect(dead_code, unused_imports, reason = "the form of what is checked; those who check come next")
)]
pub(crate) mod checked;
pub(crate) mod claim;
pub(crate) mod excerpt;
#[cfg_attr(
    not(any(test, feature = "eval")),
    expect(
        dead_code,
        unused_imports,
        reason = "the ledger uses the verdict; reasons and pages together are for the checks to come"
    )
)]
pub(crate) mod judge;
pub(crate) mod ledger;
pub(crate) mod passage;
pub(crate) mod place;
pub(crate) mod rank;
pub(crate) mod reading;
