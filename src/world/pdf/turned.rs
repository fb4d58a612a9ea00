//! Letters that are turned: tables that lie on their side, titles along an edge. They are read as they would stand on a page that is turned with them.

use pdf_extract::Transform;

use crate::core::text::pdf_pages::tables::Rule;

/// How far a line rises at most that is level, for its length.
const SLANT: f64 = 0.01;
/// Lines that rise by less, for their length, are read one below the other as level ones are.
const LEANING: f64 = 0.5;
/// The quarters of a full turn.
pub(super) const QUARTERS: usize = 4;

/// The way that a letter is turned, to the left.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct Turn {
    cos: f64,
    sin: f64,
}

impl Turn {
    /// How a letter is turned, and how many quarters that is, if it is whole quarters. One that is mirrored or leans is read as it stands.
    pub(super) fn of(place: &Transform) -> (Self, Option<usize>) {
        let (along, up) = (place.m11, place.m12);
        let is_level = up.abs() < along.abs() * SLANT;
        let is_upright = along.abs() < up.abs() * SLANT;
        let is_mirrored = along * place.m22 < up * place.m21;
        let length = along.hypot(up);
        match (is_level, is_upright) {
            (true, _) => {
                let quarter = if along > 0.0 || is_mirrored { 0 } else { 2 };
                (Self::quarters(quarter), Some(quarter))
            }
            (_, true) if !is_mirrored => {
                let quarter = if up > 0.0 { 1 } else { 3 };
                (Self::quarters(quarter), Some(quarter))
            }
            _ if is_mirrored || up.abs() < along * LEANING || length == 0.0 => (Self::quarters(0), None),
            _ => (Self { cos: along / length, sin: up / length }, None),
        }
    }

    pub(super) fn quarters(count: usize) -> Self {
        let (cos, sin) = match count % QUARTERS {
            0 => (1.0, 0.0),
            1 => (0.0, 1.0),
            2 => (-1.0, 0.0),
            _ => (0.0, -1.0),
        };
        Self { cos, sin }
    }

    fn back(self, (x, y): (f64, f64)) -> (f64, f64) {
        (x * self.cos + y * self.sin, y * self.cos - x * self.sin)
    }

    /// The same letter upright.
    pub(super) fn upright(self, place: &Transform) -> Transform {
        let mut upright = *place;
        (upright.m11, upright.m12) = self.back((place.m11, place.m12));
        (upright.m21, upright.m22) = self.back((place.m21, place.m22));
        (upright.m31, upright.m32) = self.back((place.m31, place.m32));
        upright
    }

    /// The same line on the page that is turned.
    pub(super) fn line(self, rule: &Rule) -> Rule {
        let on_page = |along: f64| if rule.is_level { (along, rule.at) } else { (rule.at, along) };
        let (one, other) = (self.back(on_page(rule.from)), self.back(on_page(rule.to)));
        let is_level = (one.1 - other.1).abs() <= (one.0 - other.0).abs();
        let (at, from, to) = if is_level { (one.1, one.0, other.0) } else { (one.0, one.1, other.1) };
        Rule { is_level, at, from: from.min(to), to: from.max(to) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn letters_and_lines_are_turned_back() {
        let letter = |m11: f64, m12: f64| Transform::row_major(m11, m12, -m12, m11, 30.0, 40.0);
        for (m11, m12, quarter, at) in [
            (10.0, 0.0, Some(0), (30.0, 40.0)),
            (0.0, 10.0, Some(1), (40.0, -30.0)),
            (-10.0, 0.0, Some(2), (-30.0, -40.0)),
            (0.0, -10.0, Some(3), (-40.0, 30.0)),
            (6.0, 8.0, None, (50.0, 0.0)),
            // It leans.
            (9.8, 2.0, None, (30.0, 40.0)),
        ] {
            let (turn, found) = Turn::of(&letter(m11, m12));
            let upright = turn.upright(&letter(m11, m12));
            assert_eq!(found, quarter);
            let near = |a: f64, b: f64| (a - b).abs() < 1e-9;
            let is_level = near(upright.m11, 10.0) && near(upright.m12, 0.0) && near(upright.m22, 10.0);
            assert!(is_level || m11 == 9.8, "{m11} {m12}");
            assert!(near(upright.m31, at.0) && near(upright.m32, at.1), "{m11} {m12}");
        }
        // A letter in a mirror.
        let (turn, found) = Turn::of(&Transform::row_major(-10.0, 0.0, 0.0, 10.0, 30.0, 40.0));
        assert_eq!((turn, found), (Turn::quarters(0), Some(0)));
        let level = Rule { is_level: true, at: 5.0, from: 1.0, to: 9.0 };
        let upright = Rule { is_level: false, at: 5.0, from: -9.0, to: -1.0 };
        assert_eq!(Turn::quarters(1).line(&level), upright);
        assert_eq!(Turn::quarters(3).line(&upright), level);
        assert_eq!(Turn::quarters(0).line(&level), level);
    }
}
