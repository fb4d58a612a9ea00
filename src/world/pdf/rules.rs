//! Lines that are drawn on a page: where tables are ruled.

use pdf_extract::{Path, PathOp, Transform};

use crate::core::text::pdf_pages::tables::Rule;

/// In points: a figure that is no wider is a line, and one that leans no more than this is level or upright.
const THIN: f64 = 3.0;
const LEANS: f64 = 0.5;
/// Pieces of lines of one page that are looked at. Where there are more, it is a drawing.
pub(super) const PIECES: usize = 20_000;

type Point = (f64, f64);

/// Takes down the lines of a path that is drawn along its edges.
pub(super) fn of_stroke(ctm: &Transform, path: &Path, rules: &mut Vec<Rule>) {
    for shape in shapes(ctm, path) {
        rules.extend(shape.windows(2).filter_map(|pair| line(*pair.first()?, *pair.get(1)?)));
    }
}

/// Takes down the lines of a path that is filled, and so thin that it is one.
pub(super) fn of_fill(ctm: &Transform, path: &Path, rules: &mut Vec<Rule>) {
    for shape in shapes(ctm, path) {
        let range = |of: &dyn Fn(&Point) -> f64| {
            shape.iter().map(of).fold((f64::INFINITY, f64::NEG_INFINITY), |(low, high), at| (low.min(at), high.max(at)))
        };
        let ((left, right), (low, high)) = (range(&|point| point.0), range(&|point| point.1));
        let is_level = high - low <= THIN && right - left > high - low;
        if is_level || right - left <= THIN {
            let (at, from, to) = if is_level {
                (f64::midpoint(low, high), left, right)
            } else {
                (f64::midpoint(left, right), low, high)
            };
            rules.push(Rule { is_level, at, from, to });
        }
    }
}

fn line(from: Point, to: Point) -> Option<Rule> {
    let (wide, high) = ((from.0 - to.0).abs(), (from.1 - to.1).abs());
    if high <= LEANS {
        return Some(Rule {
            is_level: true,
            at: f64::midpoint(from.1, to.1),
            from: from.0.min(to.0),
            to: from.0.max(to.0),
        });
    }
    (wide <= LEANS).then(|| Rule {
        is_level: false,
        at: f64::midpoint(from.0, to.0),
        from: from.1.min(to.1),
        to: from.1.max(to.1),
    })
}

/// The points of each part of a path on the page; parts that are bent are none.
fn shapes(ctm: &Transform, path: &Path) -> Vec<Vec<Point>> {
    let on_page = |x: f64, y: f64| (x * ctm.m11 + y * ctm.m21 + ctm.m31, x * ctm.m12 + y * ctm.m22 + ctm.m32);
    let mut shapes: Vec<Vec<Point>> = Vec::new();
    let mut is_bent = false;
    for op in path.ops.iter().take(PIECES) {
        match *op {
            PathOp::MoveTo(x, y) => {
                is_bent = false;
                shapes.push(vec![on_page(x, y)]);
            }
            PathOp::LineTo(x, y) => {
                shapes.last_mut().filter(|_| !is_bent).into_iter().for_each(|shape| shape.push(on_page(x, y)));
            }
            PathOp::Rect(x, y, wide, high) => {
                let corners = [(x, y), (x + wide, y), (x + wide, y + high), (x, y + high), (x, y)];
                shapes.push(corners.into_iter().map(|(x, y)| on_page(x, y)).collect());
            }
            PathOp::CurveTo(..) => {
                is_bent = true;
                shapes.last_mut().into_iter().for_each(Vec::clear);
            }
            PathOp::Close => {
                let first = shapes.last().and_then(|shape| shape.first()).copied();
                shapes.last_mut().filter(|_| !is_bent).into_iter().for_each(|shape| shape.extend(first));
            }
        }
    }
    shapes.retain(|shape| shape.len() > 1);
    shapes
}
