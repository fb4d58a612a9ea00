//! How an error looks in a terminal: `error[CODE]: what happened`, then one `hint:` line for each thing to do.

use crate::core::base::error::Error;
use crate::core::base::plain;
use crate::engine::log;
use crate::surface::hints::{Reader, spoken};

/// Whether stderr gets colours.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Paint {
    Plain,
    Color,
}

impl Paint {
    /// Colours only for a person, and only if that person wants them.
    pub(super) fn new(wanted: bool) -> Self {
        if wanted && log::is_terminal() { Self::Color } else { Self::Plain }
    }

    fn around(self, code: &str, text: &str) -> String {
        match self {
            Self::Plain => text.to_owned(),
            Self::Color => format!("\u{1b}[{code}m{text}\u{1b}[0m"),
        }
    }
}

/// The error for people.
pub(super) fn error(error: &Error, paint: Paint) -> String {
    let label = paint.around("1;31", &format!("error[{}]", error.code));
    let mut text = format!("{label}: {}\n", plain::lines(error.message.trim_end()));
    let retry = error.retry_after.map(|wait| format!("try again in {} s", wait.as_millis().div_ceil(1_000)));
    for hint in error.hints.iter().chain(&retry) {
        text.push_str(&format!("{}: {}\n", paint.around("1;36", "hint"), plain::lines(&spoken(hint, Reader::Person))));
    }
    text
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use expect_test::expect;

    use super::*;
    use crate::core::base::error::Code;

    #[test]
    fn errors_say_what_happened_and_what_to_do() {
        let mut fault = Error::new(Code::StoreLocked, "the database\u{1b}[2J is busy").hint("close the other hadal");
        fault.retry_after = Some(Duration::from_millis(1_200));
        expect![[r#"
            error[STORE_LOCKED]: the database[2J is busy
            hint: close the other hadal
            hint: try again in 2 s
        "#]]
        .assert_eq(&error(&fault, Paint::Plain));
        let painted = error(&fault, Paint::Color);
        assert!(painted.starts_with("\u{1b}[1;31merror[STORE_LOCKED]\u{1b}[0m: "), "{painted:?}");
    }
}
