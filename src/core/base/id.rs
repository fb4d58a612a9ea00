//! Task ids: 128 random bits in the form of a UUID. An id is a handle, never a permission.

use std::fmt;

use serde::{Deserialize, Serialize};

use crate::core::base::error::{Code, Error};
use crate::core::base::plain;

/// The name of a task, for ever. Its text form holds only hexadecimal digits and hyphens, so
/// it is safe in a file name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub(crate) struct TaskId(u128);

impl TaskId {
    /// An id from 128 random bits, with the version and variant of a random UUID set.
    pub(crate) fn from_random(bits: u128) -> Self {
        let version = (bits & !(0xf << 76)) | (0x4 << 76);
        Self((version & !(0b11 << 62)) | (0b10 << 62))
    }

    /// Reads what a user typed. Anything but the canonical form is refused: no `../`, no
    /// upper-case twin of the same id.
    pub(crate) fn parse(text: &str) -> Result<Self, Error> {
        let digits: String = text.chars().filter(|c| *c != '-').take(33).collect();
        let id = u128::from_str_radix(&digits, 16).map(Self).ok();
        id.filter(|id| id.to_string() == text).ok_or_else(|| {
            let shown = plain::line(text, 60);
            Error::new(Code::InvalidTaskId, format!("not a task id: `{shown}`"))
                .hint("a task id looks like `3f2b8c1e-5d44-4a0e-9c57-0b6f2f0e7a11`; `hadal list` shows them")
        })
    }
}

impl fmt::Display for TaskId {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self(bits) = self;
        write!(
            f,
            "{:08x}-{:04x}-{:04x}-{:04x}-{:012x}",
            bits >> 96,
            (bits >> 80) & 0xffff,
            (bits >> 64) & 0xffff,
            (bits >> 48) & 0xffff,
            bits & 0xffff_ffff_ffff,
        )
    }
}

impl Serialize for TaskId {
    fn serialize<S: serde::Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for TaskId {
    fn deserialize<D: serde::Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let text = String::deserialize(deserializer)?;
        Self::parse(&text).map_err(serde::de::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn reads_back_what_it_prints() {
        for bits in [0, 1, u128::MAX, 0x1234_5678_9abc_def0_1234_5678_9abc_def0] {
            let id = TaskId::from_random(bits);
            assert_eq!(TaskId::parse(&id.to_string()).unwrap(), id);
            assert_eq!(id.to_string().len(), 36);
        }
    }

    #[test]
    fn refuses_everything_else() {
        let good = TaskId::from_random(0xabcdef).to_string();
        for bad in [
            "",
            "-",
            "../etc/passwd",
            "1",
            &good.to_uppercase(),
            &good.replace('-', ""),
            &format!("{good}0"),
            &format!(" {good}"),
            &format!("{good}\0"),
            "+3f2b8c1e5d444a0e9c570b6f2f0e7a1",
            &"f".repeat(1 << 20),
        ] {
            assert_eq!(TaskId::parse(bad).unwrap_err().code, Code::InvalidTaskId, "{bad:.40}");
        }
    }
}
