//! Bounded memory for unbounded output: lines of stdout, and the tail of stderr. No IO here.

use std::io::{BufRead, Read};

/// Cuts stdout into lines as it comes. Holds one line at most.
#[derive(Debug)]
pub(super) struct Lines {
    line: Vec<u8>,
    line_bytes: usize,
    /// How much stdout may still bring.
    left: u64,
    /// The rest of the line in hand is thrown away.
    skipping: bool,
    over: bool,
    truncated: bool,
}

impl Lines {
    pub(super) fn new(line_bytes: usize, stdout_bytes: u64) -> Self {
        Self { line: Vec::new(), line_bytes, left: stdout_bytes, skipping: false, over: false, truncated: false }
    }

    /// Whether more came than stdout may bring in all.
    pub(super) fn over(&self) -> bool {
        self.over
    }

    /// Whether something was thrown away.
    pub(super) fn truncated(&self) -> bool {
        self.truncated
    }

    pub(super) fn feed(&mut self, chunk: &[u8], on_line: &mut dyn FnMut(&[u8])) {
        let allowed = usize::try_from(self.left).unwrap_or(usize::MAX);
        let (mut chunk, beyond) = chunk.split_at(chunk.len().min(allowed));
        self.left -= chunk.len() as u64;
        if !beyond.is_empty() {
            self.over = true;
            self.truncated = true;
        }
        while !chunk.is_empty() {
            if self.take(&mut chunk) {
                on_line(&self.line);
                self.line.clear();
            }
        }
    }

    /// Hands over a last line that has no line feed.
    pub(super) fn finish(&mut self, on_line: &mut dyn FnMut(&[u8])) {
        if !self.line.is_empty() || self.skipping {
            on_line(&self.line);
            self.line.clear();
        }
    }

    /// Moves bytes up to the end of the line into it; true when the line is complete.
    fn take(&mut self, chunk: &mut &[u8]) -> bool {
        let before = *chunk;
        let room = self.line_bytes - self.line.len().min(self.line_bytes);
        // A slice as a reader cannot fail; std's search for the line feed is fast also without optimisation.
        let taken = if self.skipping {
            chunk.skip_until(b'\n')
        } else {
            // One more than there is room for, so that a line of exactly the limit finds its line feed.
            chunk.take(room as u64 + 1).read_until(b'\n', &mut self.line)
        };
        let taken = taken.unwrap_or(before.len());
        *chunk = before.get(taken..).unwrap_or_default();
        if taken > 0 && before.get(taken - 1) == Some(&b'\n') {
            if !self.skipping {
                self.line.pop();
            }
            self.skipping = false;
            return true;
        }
        if self.line.len() > self.line_bytes {
            self.line.truncate(self.line_bytes);
            self.skipping = true;
            self.truncated = true;
        }
        false
    }
}

/// The last bytes of a stream.
#[derive(Debug)]
pub(super) struct Tail {
    bytes: Vec<u8>,
    kept: usize,
}

impl Tail {
    pub(super) fn new(kept: usize) -> Self {
        Self { bytes: Vec::new(), kept }
    }

    pub(super) fn feed(&mut self, chunk: &[u8]) {
        self.bytes.extend_from_slice(chunk);
        // Twice the size before anything moves, so that small writes do not each move the whole tail.
        if self.bytes.len() > self.kept.saturating_mul(2) {
            self.trim();
        }
    }

    pub(super) fn into_bytes(mut self) -> Vec<u8> {
        self.trim();
        self.bytes
    }

    fn trim(&mut self) {
        self.bytes.drain(..self.bytes.len().saturating_sub(self.kept));
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn cut(chunks: &[&[u8]], line_bytes: usize, stdout_bytes: u64) -> (Vec<String>, bool, bool) {
        let mut lines = Lines::new(line_bytes, stdout_bytes);
        let mut seen = Vec::new();
        let mut on_line = |line: &[u8]| seen.push(String::from_utf8_lossy(line).into_owned());
        for chunk in chunks {
            lines.feed(chunk, &mut on_line);
        }
        lines.finish(&mut on_line);
        (seen, lines.truncated(), lines.over())
    }

    #[test]
    fn lines_are_cut_at_their_ends_and_limits() {
        let check = |chunks: &[&[u8]], line_bytes, stdout_bytes, lines: &[&str], truncated, over| {
            let seen = cut(chunks, line_bytes, stdout_bytes);
            assert_eq!(seen, (lines.iter().map(ToString::to_string).collect(), truncated, over), "{chunks:?}");
        };
        check(&[], 4, 99, &[], false, false);
        check(&[b"a\nb\n"], 4, 99, &["a", "b"], false, false);
        check(&[b"a", b"b\n", b"c"], 4, 99, &["ab", "c"], false, false);
        check(&[b"\n\na\r\n"], 4, 99, &["", "", "a\r"], false, false);
        check(&[b"abcd\nx"], 4, 99, &["abcd", "x"], false, false);
        check(&[b"abcd", b"\nx"], 4, 99, &["abcd", "x"], false, false);
        check(&[b"abcde\nx"], 4, 99, &["abcd", "x"], true, false);
        check(&[b"abcde", b"fgh", b"i\nx\n"], 4, 99, &["abcd", "x"], true, false);
        check(&[b"ab\ncd"], 4, 5, &["ab", "cd"], false, false);
        check(&[b"ab\ncd\n"], 4, 5, &["ab", "cd"], true, true);
        check(&[b"ab\n", b"cd\n", b"ef\n"], 4, 4, &["ab", "c"], true, true);
        check(&[b"\nab"], 0, 99, &["", ""], true, false);
    }

    proptest! {
        #[test]
        fn chunks_do_not_matter(bytes in proptest::collection::vec(prop_oneof![Just(b'\n'), any::<u8>()], 0..200),
                                line_bytes in 0_usize..20, stdout_bytes in 0_u64..250, size in 1_usize..50) {
            let whole = cut(&[&bytes], line_bytes, stdout_bytes);
            let pieces: Vec<&[u8]> = bytes.chunks(size).collect();
            prop_assert_eq!(&whole, &cut(&pieces, line_bytes, stdout_bytes));
            prop_assert_eq!(whole.2, bytes.len() as u64 > stdout_bytes);
        }

        #[test]
        fn the_tail_is_the_end(chunks in proptest::collection::vec(proptest::collection::vec(any::<u8>(), 0..30), 0..20),
                               kept in 0_usize..40) {
            let mut tail = Tail::new(kept);
            for chunk in &chunks {
                tail.feed(chunk);
                prop_assert!(tail.bytes.len() <= kept * 2);
            }
            let all = chunks.concat();
            prop_assert_eq!(&tail.into_bytes(), &all[all.len().saturating_sub(kept)..]);
        }
    }
}
