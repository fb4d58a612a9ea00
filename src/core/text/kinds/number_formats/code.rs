//! The code of a number format, cut into its sections and their parts. What is no format is refused as a whole: half of one would show something else.

/// Spreadsheets allow no longer ones.
const CODE_CHARS: usize = 255;
/// Above zero, below it, zero, text.
const SECTIONS: usize = 4;

/// A part of the code of a number format.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Part {
    /// It is shown as it is.
    Shown(char),
    /// The place of a figure.
    Place(Fill),
    /// A figure other than `0`, as in `# ?/8`.
    Digit(char),
    Point,
    Comma,
    Percent,
    Slash,
    /// `E+` or `E-`.
    Exponent {
        has_plus: bool,
    },
    /// `General`: the number as it is.
    Value,
    /// `@`: the text of the cell.
    Text,
    /// Letters of a day or a time: `yyyy`, `h`.
    Moment {
        unit: Unit,
        letters: usize,
    },
    /// `[h]`: all hours, also those beyond a day.
    Elapsed {
        unit: Unit,
        letters: usize,
    },
    /// `AM/PM`, or `A/P`.
    HalfDay {
        is_long: bool,
    },
}

/// What stands in a place that has no figure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Fill {
    /// `0`
    Zero,
    /// `?`
    Blank,
    /// `#`
    Nothing,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Unit {
    /// Years, days and names of them.
    Day,
    /// `m` stands for both: by what stands beside it, it is a month or a minute.
    MonthOrMinute,
    Hour,
    Second,
}

/// `[>=10]`: the numbers that a section is for.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Condition {
    relation: Relation,
    limit: f64,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Relation {
    Less,
    LessOrEqual,
    Greater,
    GreaterOrEqual,
    Equal,
    Other,
}

#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Section {
    pub(super) condition: Option<Condition>,
    pub(super) parts: Vec<Part>,
}

/// The sections of a code; `None` for what is no format of numbers.
pub(super) fn sections(code: &str) -> Option<Vec<Section>> {
    let mut sections = vec![Section::default()];
    let mut code = Code { rest: Some(code).filter(|code| code.len() <= CODE_CHARS)? };
    while let Some(c) = code.next() {
        if c == ';' {
            sections.push(Section::default());
        }
        let section = sections.last_mut().filter(|_| c != ';');
        section.map_or(Some(()), |section| section.read(c, &mut code))?;
    }
    (sections.len() <= SECTIONS).then_some(sections)
}

impl Section {
    fn read(&mut self, c: char, code: &mut Code<'_>) -> Option<()> {
        match c {
            '"' => self.parts.extend(code.until('"')?.chars().map(Part::Shown)),
            '[' => self.bracket(code.until(']')?)?,
            '\\' => self.parts.push(Part::Shown(code.next()?)),
            // Room as wide as the next sign.
            '_' => self.parts.push(code.next().map(|_| Part::Shown(' '))?),
            // The cell is filled with the next sign.
            '*' => drop(code.next()?),
            _ => self.parts.push(code.part(c)?),
        }
        Some(())
    }

    /// A sign of money, a condition or a length of time; colours and languages are not shown.
    fn bracket(&mut self, said: &str) -> Option<()> {
        // `[$€-407]`, and `[$-407]` which is a language only.
        if let Some(money) = said.strip_prefix('$') {
            let sign = money.rsplit_once('-').map_or(money, |(sign, _)| sign);
            self.parts.extend(sign.chars().map(Part::Shown));
        } else if said.starts_with(['<', '>', '=']) {
            self.condition = Some(Condition::of(said)?);
        } else if let Some(unit) = said.chars().next().and_then(Unit::of_elapsed)
            && said.chars().all(|c| Unit::of_elapsed(c) == Some(unit))
        {
            self.parts.push(Part::Elapsed { unit, letters: said.len() });
        }
        Some(())
    }
}

impl Unit {
    fn of(letter: char) -> Option<Self> {
        Some(match letter.to_ascii_lowercase() {
            // Also the years of other calendars.
            'y' | 'd' | 'e' | 'g' | 'b' => Self::Day,
            'm' => Self::MonthOrMinute,
            'h' => Self::Hour,
            's' => Self::Second,
            _ => return None,
        })
    }

    fn of_elapsed(letter: char) -> Option<Self> {
        Self::of(letter).filter(|unit| *unit != Self::Day)
    }
}

impl Condition {
    fn of(said: &str) -> Option<Self> {
        let number = said.trim_start_matches(['<', '>', '=']);
        let relation = match said.strip_suffix(number)? {
            "<" => Relation::Less,
            "<=" => Relation::LessOrEqual,
            ">" => Relation::Greater,
            ">=" => Relation::GreaterOrEqual,
            "=" => Relation::Equal,
            "<>" => Relation::Other,
            _ => return None,
        };
        Some(Self { relation, limit: number.trim().parse().ok().filter(|limit: &f64| limit.is_finite())? })
    }

    #[expect(clippy::float_cmp, reason = "a format asks for the number that it names")]
    pub(super) fn holds(&self, number: f64) -> bool {
        match self.relation {
            Relation::Less => number < self.limit,
            Relation::LessOrEqual => number <= self.limit,
            Relation::Greater => number > self.limit,
            Relation::GreaterOrEqual => number >= self.limit,
            Relation::Equal => number == self.limit,
            Relation::Other => number != self.limit,
        }
    }

    /// `[<0]`
    pub(super) fn is_below_zero(&self) -> bool {
        self.limit == 0.0 && matches!(self.relation, Relation::Less | Relation::LessOrEqual)
    }

    /// `[>0]`
    pub(super) fn is_above_zero(&self) -> bool {
        self.limit == 0.0 && matches!(self.relation, Relation::Greater | Relation::GreaterOrEqual)
    }
}

/// What is left to read of a code.
struct Code<'c> {
    rest: &'c str,
}

impl<'c> Code<'c> {
    fn next(&mut self) -> Option<char> {
        let mut signs = self.rest.chars();
        let next = signs.next();
        self.rest = signs.as_str();
        next
    }

    /// What stands before a sign, which is read, too.
    fn until(&mut self, sign: char) -> Option<&'c str> {
        let (said, rest) = self.rest.split_once(sign)?;
        self.rest = rest;
        Some(said)
    }

    /// Reads on over a word, in letters of any case.
    fn takes(&mut self, word: &str) -> bool {
        let split = self.rest.split_at_checked(word.len()).filter(|(said, _)| said.eq_ignore_ascii_case(word));
        self.rest = split.map_or(self.rest, |(_, rest)| rest);
        split.is_some()
    }

    fn part(&mut self, c: char) -> Option<Part> {
        Some(match c {
            '0' => Part::Place(Fill::Zero),
            '?' => Part::Place(Fill::Blank),
            '#' => Part::Place(Fill::Nothing),
            '1'..='9' => Part::Digit(c),
            '.' => Part::Point,
            ',' => Part::Comma,
            '%' => Part::Percent,
            '/' => Part::Slash,
            '@' => Part::Text,
            'G' | 'g' if self.takes("eneral") => Part::Value,
            'E' | 'e' if self.takes("+") => Part::Exponent { has_plus: true },
            'E' | 'e' if self.takes("-") => Part::Exponent { has_plus: false },
            'A' | 'a' if self.takes("M/PM") => Part::HalfDay { is_long: true },
            'A' | 'a' if self.takes("/P") => Part::HalfDay { is_long: false },
            _ if c.is_ascii_alphabetic() => {
                let unit = Unit::of(c)?;
                let letters = 1 + std::iter::from_fn(|| self.takes(c.encode_utf8(&mut [0; 4])).then_some(())).count();
                Part::Moment { unit, letters }
            }
            ' ' | '$' | '-' | '+' | '(' | ')' | ':' | '!' | '^' | '&' | '\'' | '~' | '{' | '}' | '<' | '>' | '=' => {
                Part::Shown(c)
            }
            _ if !c.is_ascii() => Part::Shown(c),
            _ => return None,
        })
    }
}
