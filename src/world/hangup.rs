//! What a terminal that closes does to this process.

/// Whether SIGHUP would end this process, as far as the system tells: whoever started it may want it ignored, as `nohup` does.
pub(crate) fn hangup_ends() -> bool {
    std::fs::read_to_string("/proc/self/status").is_ok_and(|status| is_heeded(&status))
}

/// Whether the first bit of the mask of ignored signals, which is SIGHUP's, is clear.
fn is_heeded(status: &str) -> bool {
    let ignored = status.lines().find_map(|line| line.strip_prefix("SigIgn:"));
    ignored.and_then(|mask| u64::from_str_radix(mask.trim(), 16).ok()).is_some_and(|mask| mask & 1 == 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_mask_of_ignored_signals_is_read() {
        for (status, heeded) in [
            ("Name:\thadal\nSigIgn:\t0000000000001000\nSigCgt:\t0000000000000001\n", true),
            ("SigIgn:\t0000000000000000\n", true),
            ("SigIgn:\t0000000000001001\n", false),
            ("SigIgn:\tx\n", false),
            ("Name:\thadal\n", false),
        ] {
            assert_eq!(is_heeded(status), heeded, "{status}");
        }
    }
}
