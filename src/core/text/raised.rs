//! Raised and lowered text: written with characters that stand higher or lower themselves, so that `10³⁰` does not become 1030.

/// Where text stands beside its line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::core::text) enum Script {
    Raised,
    Lowered,
}

/// More than this is a remark rather than an exponent or an index, and looking has an end.
pub(in crate::core::text) const SCRIPT_BYTES: usize = 32;

const RAISED: [&str; 2] =
    ["0123456789+-−–=()abcdefghijklmnoprstuvwxyzTM", "⁰¹²³⁴⁵⁶⁷⁸⁹⁺⁻⁻⁻⁼⁽⁾ᵃᵇᶜᵈᵉᶠᵍʰⁱʲᵏˡᵐⁿᵒᵖʳˢᵗᵘᵛʷˣʸᶻᵀᴹ"];
const LOWERED: [&str; 2] = ["0123456789+-−–=()aehijklmnoprstuvx", "₀₁₂₃₄₅₆₇₈₉₊₋₋₋₌₍₎ₐₑₕᵢⱼₖₗₘₙₒₚᵣₛₜᵤᵥₓ"];

impl Script {
    /// The character that stands higher or lower, if there is one.
    pub(in crate::core::text) fn character(self, c: char) -> Option<char> {
        let [plain, moved] = match self {
            // Signs that are small and high by themselves.
            Self::Raised if matches!(c, '*' | '†' | '‡' | '°' | '′' | '″' | '®' | '©' | '™' | 'º' | 'ª') =>
            {
                return Some(c);
            }
            Self::Raised => RAISED,
            Self::Lowered => LOWERED,
        };
        let at = plain.chars().position(|known| known == c)?;
        moved.chars().nth(at)
    }

    /// Whether all of a text has such characters.
    pub(in crate::core::text) fn has_all(self, text: &str) -> bool {
        text.len() <= SCRIPT_BYTES && text.chars().all(|c| self.character(c).is_some())
    }

    /// What is written around a text that has not.
    pub(in crate::core::text) fn marks(self) -> (&'static str, &'static str) {
        match self {
            Self::Raised => ("^(", ")"),
            Self::Lowered => ("_(", ")"),
        }
    }

    /// The text as it is written; blanks around it stay outside.
    pub(in crate::core::text) fn written(self, text: &str) -> String {
        let inner = text.trim();
        if inner.is_empty() || is_bracketed(inner) {
            return text.to_owned();
        }
        let (open, close) = self.marks();
        let moved = if self.has_all(inner) {
            inner.chars().filter_map(|c| self.character(c)).collect()
        } else {
            format!("{open}{inner}{close}")
        };
        let (before, behind) = text.split_once(inner).unwrap_or_default();
        format!("{before}{moved}{behind}")
    }
}

/// `[1]` is told from its line by its brackets already.
pub(in crate::core::text) fn is_bracketed(text: &str) -> bool {
    text.starts_with('[') && text.ends_with(']')
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::language::fold::folded;

    #[test]
    fn raised_and_lowered_text_is_told_from_its_line() {
        for (script, text, written) in [
            (Script::Raised, "30", "³⁰"),
            (Script::Raised, "-6", "⁻⁶"),
            (Script::Raised, "−6", "⁻⁶"),
            (Script::Raised, "th", "ᵗʰ"),
            (Script::Raised, " 2 ", " ² "),
            (Script::Raised, "1,5", "^(1,5)"),
            (Script::Raised, "[1]", "[1]"),
            (Script::Raised, "®", "®"),
            (Script::Raised, " ", " "),
            (Script::Lowered, "2", "₂"),
            (Script::Lowered, "max", "ₘₐₓ"),
            (Script::Lowered, "eff, 1", "_(eff, 1)"),
        ] {
            assert_eq!(script.written(text), written, "{text:?}");
        }
    }

    /// Whoever looks for `CO2` or `5th` finds them however they are written.
    #[test]
    fn they_are_the_same_letters_when_words_are_compared() {
        for (script, [letters, moved]) in [(Script::Raised, RAISED), (Script::Lowered, LOWERED)] {
            assert_eq!(letters.chars().count(), moved.chars().count());
            for c in letters.chars().filter(char::is_ascii_alphanumeric) {
                let moved = script.character(c).unwrap().to_string();
                assert_eq!(folded(&moved), c.to_ascii_lowercase().to_string(), "{moved}");
                assert!(moved.chars().all(char::is_alphanumeric), "{moved}");
            }
        }
    }
}
