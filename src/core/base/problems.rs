//! What went wrong on the way to a result: so many are listed, the others are counted.

use super::error::{Error, Problem};
use super::limits;

/// Problems in the order they came, each once.
#[derive(Clone, Debug, Default, PartialEq)]
pub(crate) struct Problems {
    pub(crate) listed: Vec<Problem>,
    /// How many more there were.
    pub(crate) beyond: u64,
}

impl Problems {
    /// Takes a problem down, once.
    pub(crate) fn add(&mut self, problem: Problem) {
        if self.listed.contains(&problem) {
            return;
        }
        if self.listed.len() < limits::PROBLEMS_KEPT {
            self.listed.push(problem);
        } else {
            self.beyond += 1;
        }
    }

    /// Takes down what was listed elsewhere, and what was only counted there.
    pub(crate) fn add_all(&mut self, problems: Vec<Problem>, beyond: u64) {
        problems.into_iter().for_each(|problem| self.add(problem));
        self.beyond = self.beyond.saturating_add(beyond);
    }

    /// Takes down that something did not work, and why.
    pub(crate) fn add_failure(&mut self, subject: &str, error: &Error) {
        let subject = subject.chars().take(limits::LABEL_CHARS).collect();
        self.add(Problem { subject, error: error.clone() });
    }
}

/// How many there are beyond the first `shown` of a list, and what was only counted.
pub(crate) fn omitted(listed: usize, beyond: u64, shown: usize) -> u64 {
    u64::try_from(listed.saturating_sub(shown)).unwrap_or(u64::MAX).saturating_add(beyond)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::core::base::error::Code;

    fn problem(number: usize) -> Problem {
        Problem { subject: number.to_string(), error: Error::new(Code::LibraryUnreadable, "it is damaged") }
    }

    #[test]
    fn what_is_not_listed_is_counted() {
        let kept = limits::PROBLEMS_KEPT;
        // How many came, how many were counted elsewhere; how many are listed and how many are not among the first twenty of them.
        for (came, counted, listed, not_shown) in [
            (0, 0, 0, 0),
            (20, 0, 20, 0),
            (21, 0, 21, 1),
            (50, 250, 50, 280),
            (kept, 0, kept, 180),
            (kept + 7, 0, kept, 187),
            (kept + 7, u64::MAX, kept, u64::MAX),
        ] {
            let mut problems = Problems::default();
            problems.add_all((0..came).map(problem).collect(), counted);
            problems.add_all(vec![problem(0); usize::from(came > 0)], 0);
            let shown = omitted(problems.listed.len(), problems.beyond, 20);
            assert_eq!((problems.listed.len(), shown), (listed, not_shown), "{came} {counted}");
        }
    }
}
