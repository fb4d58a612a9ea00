//! The marks of RTF: groups, control words with their numbers, bytes of text.

/// One of what RTF is made of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Token<'b> {
    Open,
    Close,
    /// `\b0`: a word of letters and the number behind it.
    Word(&'b str, Option<i32>),
    /// `\~`: what is no letter.
    Sign(u8),
    /// `\'e9`
    Byte(u8),
    /// Text as it stands, without ends of lines.
    Text(&'b [u8]),
}

/// The tokens of a file, in one pass.
#[derive(Debug)]
pub(super) struct Tokens<'b> {
    rest: &'b [u8],
}

/// No control word is longer, by the standard 32.
const WORD_BYTES: usize = 64;

impl<'b> Tokens<'b> {
    pub(super) fn new(bytes: &'b [u8]) -> Self {
        Self { rest: bytes }
    }

    fn take(&mut self, bytes: usize) -> &'b [u8] {
        let (taken, rest) = self.rest.split_at_checked(bytes).unwrap_or((self.rest, &[]));
        self.rest = rest;
        taken
    }

    /// How many of the next bytes are of a kind, up to so many.
    fn run_of(&self, most: usize, is_it: impl Fn(&u8) -> bool) -> usize {
        self.rest.iter().take(most).take_while(|byte| is_it(byte)).count()
    }

    /// What stands behind a backslash.
    fn control(&mut self) -> Option<Token<'b>> {
        let letters = self.run_of(WORD_BYTES, u8::is_ascii_alphabetic);
        if letters == 0 {
            return match self.take(1) {
                [b'\''] => Some(self.hexadecimal()),
                [sign] => Some(Token::Sign(*sign)),
                _ => None,
            };
        }
        let word = std::str::from_utf8(self.take(letters)).unwrap_or_default();
        let is_negative = self.rest.first() == Some(&b'-') && self.rest.get(1).is_some_and(u8::is_ascii_digit);
        self.take(usize::from(is_negative));
        let digits = self.run_of(usize::MAX, u8::is_ascii_digit);
        let digits = std::str::from_utf8(self.take(digits)).unwrap_or_default();
        // A number that is too large for its place stands for the largest.
        let number = (!digits.is_empty()).then(|| digits.parse::<i32>().unwrap_or(i32::MAX));
        let number = number.map(|number| if is_negative { -number } else { number });
        self.take(usize::from(self.rest.first() == Some(&b' ')));
        if word == "bin" {
            self.skip_bytes(number);
        }
        Some(Token::Word(word, number))
    }

    /// Bytes that are no RTF. A length that reaches behind the end is a lie, and what follows is read as if it were not there.
    fn skip_bytes(&mut self, length: Option<i32>) {
        let length = length.and_then(|length| usize::try_from(length).ok()).unwrap_or_default();
        if length < self.rest.len() {
            self.take(length);
        }
    }

    fn hexadecimal(&mut self) -> Token<'b> {
        let digits = self.run_of(2, u8::is_ascii_hexdigit);
        let value = std::str::from_utf8(self.take(digits)).ok().and_then(|hex| u8::from_str_radix(hex, 16).ok());
        value.map_or(Token::Text(&[]), Token::Byte)
    }
}

impl<'b> Iterator for Tokens<'b> {
    type Item = Token<'b>;

    fn next(&mut self) -> Option<Token<'b>> {
        let ends = self.run_of(usize::MAX, |byte| matches!(byte, b'\r' | b'\n' | 0));
        self.take(ends);
        match self.rest.first()? {
            b'{' => {
                self.take(1);
                Some(Token::Open)
            }
            b'}' => {
                self.take(1);
                Some(Token::Close)
            }
            b'\\' => {
                self.take(1);
                self.control()
            }
            _ => {
                let length = self.run_of(usize::MAX, |byte| !matches!(byte, b'{' | b'}' | b'\\' | b'\r' | b'\n' | 0));
                Some(Token::Text(self.take(length)))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// LB-01: the marks of RTF end where the standard says, and lengths that lie hide nothing.
    #[test]
    fn lb_01_marks_of_rtf_end_where_they_end() {
        use Token::{Byte, Close, Open, Sign, Text, Word};
        let cases: [(&[u8], &[Token<'_>]); 12] = [
            (b"{\\b x}", &[Open, Word("b", None), Text(b"x"), Close]),
            (b"\\b0  x", &[Word("b", Some(0)), Text(b" x")]),
            (b"\\li-720x", &[Word("li", Some(-720)), Text(b"x")]),
            (b"\\b-x", &[Word("b", None), Text(b"-x")]),
            (b"a\\'e9b\r\nc", &[Text(b"a"), Byte(0xe9), Text(b"b"), Text(b"c")]),
            (b"\\'zz\\~", &[Text(b""), Text(b"zz"), Sign(b'~')]),
            (b"\\uc99999999999 x", &[Word("uc", Some(i32::MAX)), Text(b"x")]),
            (b"\\bin3 {{{x", &[Word("bin", Some(3)), Text(b"x")]),
            (b"\\bin999999 {x", &[Word("bin", Some(999_999)), Open, Text(b"x")]),
            (b"\\bin-5 x", &[Word("bin", Some(-5)), Text(b"x")]),
            (b"\\\n\\", &[Sign(b'\n')]),
            (b"", &[]),
        ];
        for (bytes, expected) in cases {
            let tokens: Vec<_> = Tokens::new(bytes).collect();
            assert_eq!(tokens, expected, "{}", String::from_utf8_lossy(bytes));
        }
    }
}
