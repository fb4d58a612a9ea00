//! Lines that are drawn on a page, and the frames that they make where they cross.

use std::collections::BTreeSet;

use crate::core::base::sorting::sort_by;

/// In points: lines that stand nearer to each other are one, and so are pieces of one line.
pub(super) const NEAR: f64 = 2.5;
/// Lines of one page that are looked at once pieces are joined, in each direction.
const LINES: usize = 400;

/// A line that is drawn on a page, level or upright.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(crate) struct Rule {
    pub(crate) is_level: bool,
    /// How far up a level one is, how far to the right an upright one.
    pub(crate) at: f64,
    pub(crate) from: f64,
    pub(crate) to: f64,
}

impl Rule {
    /// Whether it stands over a place of its length.
    pub(super) fn is_over(&self, place: f64) -> bool {
        self.from <= place && place <= self.to
    }

    fn crosses(&self, upright: &Self) -> bool {
        self.is_over_nearly(upright.at) && upright.is_over_nearly(self.at)
    }

    fn is_over_nearly(&self, place: f64) -> bool {
        self.from - NEAR <= place && place <= self.to + NEAR
    }
}

/// Lines that hang together.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Frame {
    pub(super) level: Vec<Rule>,
    pub(super) upright: Vec<Rule>,
}

/// The frames of a page; none where it is drawn on rather than ruled.
pub(super) fn frames(rules: &[Rule]) -> Vec<Frame> {
    let (level, upright) = (joined(rules, true), joined(rules, false));
    if level.len() > LINES || upright.len() > LINES {
        return Vec::new();
    }
    // Each level line is of the frame of the first upright one that it crosses; those of one level line are one frame.
    let mut frame_of: Vec<usize> = (0..upright.len()).collect();
    let mut frames_of_level = Vec::with_capacity(level.len());
    for line in &level {
        let crossed: BTreeSet<usize> =
            upright.iter().zip(&frame_of).filter(|(rule, _)| line.crosses(rule)).map(|(_, frame)| *frame).collect();
        let first = crossed.first().copied();
        if let Some(first) = first {
            frame_of.iter_mut().filter(|frame| crossed.contains(frame)).for_each(|frame| *frame = first);
        }
        frames_of_level.push(crossed.first().and_then(|_| upright.iter().position(|rule| line.crosses(rule))));
    }
    let mut frames = vec![Frame::default(); upright.len()];
    for (rule, frame) in upright.iter().zip(&frame_of) {
        frames.get_mut(*frame).into_iter().for_each(|frame| frame.upright.push(*rule));
    }
    for (rule, crossed) in level.iter().zip(frames_of_level) {
        let frame = crossed.and_then(|upright| frame_of.get(upright)).and_then(|frame| frames.get_mut(*frame));
        frame.into_iter().for_each(|frame| frame.level.push(*rule));
    }
    frames.retain(|frame| !frame.level.is_empty());
    frames
}

/// The level lines of a page that cross no others.
pub(super) fn loose(rules: &[Rule]) -> Vec<Rule> {
    let (mut level, upright) = (joined(rules, true), joined(rules, false));
    if level.len() > LINES || upright.len() > LINES {
        return Vec::new();
    }
    level.retain(|line| !upright.iter().any(|rule| line.crosses(rule)));
    level
}

/// The lines of one direction, each in one piece.
fn joined(rules: &[Rule], is_level: bool) -> Vec<Rule> {
    let is_finite = |rule: &&Rule| rule.at.is_finite() && rule.from.is_finite() && rule.to.is_finite();
    let mut own: Vec<Rule> = rules.iter().filter(|rule| rule.is_level == is_level).filter(is_finite).copied().collect();
    sort_by(&mut own, |a, b| a.at.total_cmp(&b.at));
    let mut lines: Vec<Rule> = Vec::new();
    let mut rest = own.as_mut_slice();
    while let Some(first) = rest.first().copied() {
        let (line, after) = rest.split_at_mut(rest.partition_point(|rule| rule.at - first.at <= NEAR));
        sort_by(line, |a, b| a.from.total_cmp(&b.from));
        let before = lines.len();
        for rule in line.iter() {
            match lines.get_mut(before..).and_then(|new| new.last_mut()) {
                Some(last) if rule.from - last.to <= NEAR => last.to = last.to.max(rule.to),
                _ => lines.push(Rule { at: first.at, ..*rule }),
            }
        }
        rest = after;
    }
    // A dot, or the corner of two lines.
    lines.retain(|line| line.to - line.from > 2.0 * NEAR);
    lines
}

#[cfg(test)]
mod tests {
    use super::*;

    fn rule(is_level: bool, at: f64, from: f64, to: f64) -> Rule {
        Rule { is_level, at, from, to }
    }

    #[test]
    fn lines_in_pieces_make_one_frame_and_lines_apart_another() {
        let rules = [
            rule(true, 100.0, 0.0, 50.0),
            rule(true, 100.4, 51.0, 100.0),
            rule(true, 80.0, 0.0, 100.0),
            rule(false, 0.0, 80.0, 100.0),
            rule(false, 50.0, 90.0, 101.0),
            rule(false, 50.5, 80.0, 89.0),
            rule(false, 100.0, 80.0, 100.0),
            // A corner, one line that crosses nothing, and another frame.
            rule(true, 80.0, 200.0, 201.0),
            rule(true, 30.0, 0.0, 100.0),
            rule(true, 20.0, 300.0, 400.0),
            rule(false, 300.0, 0.0, 20.0),
        ];
        let frames = frames(&rules);
        let counts: Vec<(usize, usize)> = frames.iter().map(|frame| (frame.level.len(), frame.upright.len())).collect();
        assert_eq!(counts, [(2, 3), (1, 1)]);
        let top = frames.first().and_then(|frame| frame.level.last());
        assert_eq!(top, Some(&rule(true, 100.0, 0.0, 100.0)));
    }

    #[test]
    fn a_page_that_is_drawn_on_has_no_frames() {
        let drawn: Vec<Rule> = (0..2_000)
            .flat_map(|at| {
                let at = f64::from(at) * 3.0;
                [rule(true, at, 0.0, 6_000.0), rule(false, at, 0.0, 6_000.0)]
            })
            .collect();
        assert_eq!(frames(&drawn), []);
        assert_eq!(frames(&[rule(true, f64::NAN, 0.0, f64::INFINITY)]), []);
    }
}
