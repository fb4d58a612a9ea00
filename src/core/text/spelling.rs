//! Words that are spelt a little differently from those of a text: how near a term is to what somebody typed.

/// Characters from which a word may have an error, and from which it may have two.
const ONE_ERROR: usize = 4;
const TWO_ERRORS: usize = 8;
/// Endings that a stem has lost.
const ENDINGS: [&str; 18] = [
    "s", "es", "ed", "er", "ers", "ing", "ion", "ions", "ation", "ations", "ment", "ments", "ity", "able", "ance",
    "ence", "ization", "ness",
];
/// Characters of a stem behind which an ending may be spelt wrong.
const STEM: usize = 5;

/// A typed word as it is compared: as it was typed, and its stem.
#[derive(Clone, Debug)]
pub(crate) struct Typed {
    word: Vec<char>,
    stem: Vec<char>,
    most: usize,
}

impl Typed {
    /// `None` for a word that is too short to have an error, or that is no word: figures and names of programs are what they are.
    pub(crate) fn new(word: &str, stem: &str) -> Option<Self> {
        let (word, stem): (Vec<char>, Vec<char>) = (word.chars().collect(), stem.chars().collect());
        let is_word = word.iter().all(|c| c.is_alphabetic());
        let most = match word.len() {
            length if length >= TWO_ERRORS => 2,
            length if length >= ONE_ERROR => 1,
            _ => return None,
        };
        is_word.then_some(Self { word, stem, most })
    }

    /// The letter that a near term begins with.
    pub(crate) fn first(&self) -> Option<char> {
        self.stem.first().copied()
    }

    /// The shortest and the longest term that can be near.
    pub(crate) fn lengths(&self) -> (usize, usize) {
        (self.stem.len().min(STEM).saturating_sub(self.most), self.word.len() + self.most)
    }

    /// How many errors lie between it and a term; `None` for too many.
    pub(crate) fn errors(&self, term: &str) -> Option<usize> {
        let term: Vec<char> = term.chars().collect();
        // The first letter is seldom wrong, and a word with another one is mostly another word.
        if term.first() != self.stem.first() || term.len() < 3 {
            return None;
        }
        let whole = distance(&self.stem, &term, self.most);
        whole.into_iter().chain(self.with_wrong_ending(&term)).filter(|errors| *errors > 0).min()
    }

    /// The errors where the term is the stem of what was meant, and the error stands in the ending.
    fn with_wrong_ending(&self, term: &[char]) -> Option<usize> {
        let ending = self.word.get(term.len()..).filter(|_| term.len() >= STEM)?;
        if self.word.get(..term.len())? != term {
            return None;
        }
        let near = |known: &&str| {
            let known: Vec<char> = known.chars().collect();
            let most = if known.len() >= ONE_ERROR { 1 } else { 0 };
            distance(ending, &known, most)
        };
        ENDINGS.iter().filter_map(near).filter(|errors| *errors > 0).min()
    }
}

/// Letters that are missing, too many, wrong or swapped with the next, if they are at most so many.
fn distance(a: &[char], b: &[char], most: usize) -> Option<usize> {
    if a.len().abs_diff(b.len()) > most {
        return None;
    }
    let (mut before, mut above): (Vec<usize>, Vec<usize>) = (Vec::new(), (0..=b.len()).collect());
    for (row, of_a) in a.iter().enumerate() {
        let mut line = vec![row + 1];
        for (column, of_b) in b.iter().enumerate() {
            let at = |cells: &[usize], place: usize| cells.get(place).copied().unwrap_or(usize::MAX / 2);
            let mut least = at(&above, column) + usize::from(of_a != of_b);
            least = least.min(at(&above, column + 1) + 1).min(at(&line, column) + 1);
            let swapped = row > 0 && column > 0 && a.get(row - 1) == Some(of_b) && b.get(column - 1) == Some(of_a);
            if swapped {
                least = least.min(at(&before, column - 1) + 1);
            }
            line.push(least);
        }
        before = std::mem::replace(&mut above, line);
    }
    above.last().copied().filter(|errors| *errors <= most)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// LB-02: a letter too many, too few, wrong or swapped is an error; another word is not.
    #[test]
    fn errors_are_counted() {
        for (word, stem, term, want) in [
            ("databse", "databs", "databas", Some(1)),
            ("recieve", "reciev", "receiv", Some(1)),
            ("replicaton", "replicaton", "replic", Some(1)),
            ("configuraton", "configuraton", "configur", Some(1)),
            ("authetication", "authet", "authent", Some(1)),
            ("partitoin", "partitoin", "partit", None),
            ("kernle", "kernl", "kernel", Some(1)),
            ("trench", "trench", "french", None),
            ("postgrest", "postgrest", "postgr", None),
            ("lark", "lark", "larch", None),
            ("bat", "bat", "bet", None),
        ] {
            let errors = Typed::new(word, stem).and_then(|typed| typed.errors(term));
            assert_eq!(errors, want, "{word} {term}");
        }
        assert!(Typed::new("x86_64", "x86_64").is_none() && Typed::new("utf8", "utf8").is_none());
    }
}
