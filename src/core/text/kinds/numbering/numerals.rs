//! Numbers as lists write them: figures, letters, Roman numerals.

/// How the count of a level is written.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(super) enum Numeral {
    #[default]
    Decimal,
    /// `01`, `02`.
    Padded,
    /// `1st`, `2nd`.
    Ordinal,
    /// `a`, `b`; behind `z` come `aa`, `bb`.
    Letter {
        is_upper: bool,
    },
    /// Behind `z` come `aa`, `ab`.
    LetterPair {
        is_upper: bool,
    },
    Roman {
        is_upper: bool,
    },
    /// A sign, and no number.
    Bullet,
    /// Nothing at all.
    Silent,
}

/// Letters of one number; a list that needs more is counted in figures.
const LETTERS: u32 = 5;

impl Numeral {
    /// As Word names it. What is unknown is counted in figures.
    pub(super) fn of_word(name: &str) -> Self {
        match name {
            "decimalZero" => Self::Padded,
            "ordinal" => Self::Ordinal,
            "lowerLetter" => Self::Letter { is_upper: false },
            "upperLetter" => Self::Letter { is_upper: true },
            "lowerRoman" => Self::Roman { is_upper: false },
            "upperRoman" => Self::Roman { is_upper: true },
            "bullet" => Self::Bullet,
            "none" => Self::Silent,
            _ => Self::Decimal,
        }
    }

    /// As open documents name it: by its first number.
    pub(super) fn of_open(first: &str, doubles_letters: bool) -> Self {
        let is_upper = first.starts_with(|c: char| c.is_uppercase());
        match first.trim() {
            "" => Self::Silent,
            "a" | "A" if doubles_letters => Self::Letter { is_upper },
            "a" | "A" => Self::LetterPair { is_upper },
            "i" | "I" => Self::Roman { is_upper },
            "01, 02, 03, ..." => Self::Padded,
            "1st" => Self::Ordinal,
            _ => Self::Decimal,
        }
    }

    /// The same as a plain number.
    pub(super) fn legal(self) -> Self {
        match self {
            Self::Letter { .. } | Self::LetterPair { .. } | Self::Roman { .. } | Self::Ordinal => Self::Decimal,
            Self::Decimal | Self::Padded | Self::Bullet | Self::Silent => self,
        }
    }

    pub(super) fn written(self, number: u32) -> String {
        let cased = |text: String, is_upper: bool| if is_upper { text.to_uppercase() } else { text };
        match self {
            Self::Decimal => number.to_string(),
            Self::Padded => format!("{number:02}"),
            Self::Ordinal => format!("{number}{}", ordinal_ending(number)),
            Self::Letter { is_upper } => cased(doubled(number), is_upper),
            Self::LetterPair { is_upper } => cased(paired(number), is_upper),
            Self::Roman { is_upper } => cased(roman(number), is_upper),
            Self::Bullet | Self::Silent => String::new(),
        }
    }
}

fn ordinal_ending(number: u32) -> &'static str {
    match (number % 100, number % 10) {
        (11..=13, _) => "th",
        (_, 1) => "st",
        (_, 2) => "nd",
        (_, 3) => "rd",
        _ => "th",
    }
}

fn letter(at: u32) -> Option<char> {
    u8::try_from(at % 26).ok().map(|at| char::from(b'a' + at))
}

fn doubled(number: u32) -> String {
    let Some(at) = number.checked_sub(1).filter(|at| *at < 26 * LETTERS) else { return number.to_string() };
    (0..=at / 26).filter_map(|_| letter(at)).collect()
}

fn paired(number: u32) -> String {
    let mut letters = Vec::new();
    let mut rest = number;
    while let Some(at) = rest.checked_sub(1) {
        letters.extend(letter(at));
        rest = at / 26;
    }
    if letters.is_empty() { number.to_string() } else { letters.iter().rev().collect() }
}

const ROMAN: [(u32, &str); 13] = [
    (1000, "m"),
    (900, "cm"),
    (500, "d"),
    (400, "cd"),
    (100, "c"),
    (90, "xc"),
    (50, "l"),
    (40, "xl"),
    (10, "x"),
    (9, "ix"),
    (5, "v"),
    (4, "iv"),
    (1, "i"),
];

/// Up to 3,999; what is larger, and nought, has no such numeral.
fn roman(number: u32) -> String {
    if !(1..4_000).contains(&number) {
        return number.to_string();
    }
    let mut rest = number;
    let mut out = String::new();
    for (value, letters) in ROMAN {
        while let Some(left) = rest.checked_sub(value) {
            out.push_str(letters);
            rest = left;
        }
    }
    out
}
