//! The only source of randomness.

/// 64 bits, for spreading things out.
pub(crate) fn bits64() -> u64 {
    u64::try_from(bits128() & u128::from(u64::MAX)).unwrap_or(0)
}

/// 128 bits from the operating system.
pub(crate) fn bits128() -> u128 {
    let mut bytes = [0; 16];
    #[expect(clippy::disallowed_methods, reason = "this is the gate")]
    let filled = getrandom::fill(&mut bytes);
    // Without a working random source neither ids nor temp names are safe; there is nothing to fall back to.
    #[expect(clippy::expect_used, reason = "see above")]
    filled.expect("the operating system gives random bytes");
    u128::from_le_bytes(bytes)
}
