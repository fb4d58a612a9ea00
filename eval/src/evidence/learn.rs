//! Logistic regression: small, exact, and the same in every run.

/// A model: per feature its mean, its spread and its weight, and a bias.
#[derive(Clone, Debug)]
pub(crate) struct Learnt {
    pub(crate) means: Vec<f64>,
    pub(crate) spreads: Vec<f64>,
    pub(crate) weights: Vec<f64>,
    pub(crate) bias: f64,
}

/// A row to learn from.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Example<'a> {
    pub(crate) features: &'a [f32],
    pub(crate) supported: bool,
    pub(crate) weight: f64,
}

/// How strongly weights are held at zero. Chosen once, on folds; every value from 10 to 100 gives nearly the same.
const PENALTY: f64 = 25.0;
const STEPS: usize = 12;

impl Learnt {
    /// Learns by Newton's method.
    pub(crate) fn of(examples: &[Example<'_>]) -> Self {
        let size = examples.first().map_or(0, |example| example.features.len());
        let total: f64 = examples.iter().map(|example| example.weight).sum();
        let mean = |at: usize| examples.iter().map(|e| e.weight * f64::from(e.features[at])).sum::<f64>() / total;
        let means: Vec<f64> = (0..size).map(mean).collect();
        let spread = |at: usize| {
            let squares = examples.iter().map(|e| e.weight * (f64::from(e.features[at]) - means[at]).powi(2));
            (squares.sum::<f64>() / total).sqrt().max(1e-6)
        };
        let spreads: Vec<f64> = (0..size).map(spread).collect();
        let scaled = |e: &Example<'_>| -> Vec<f64> {
            let parts = e
                .features
                .iter()
                .zip(&means)
                .zip(&spreads)
                .map(|((value, mean), spread)| (f64::from(*value) - mean) / spread);
            parts.chain([1.0]).collect()
        };
        let rows: Vec<Vec<f64>> = examples.iter().map(scaled).collect();
        let mut weights = vec![0.0; size + 1];
        for _ in 0..STEPS {
            let mut gradient = vec![0.0; size + 1];
            let mut curve = vec![vec![0.0; size + 1]; size + 1];
            for (row, example) in rows.iter().zip(examples) {
                let guess = sigmoid(row.iter().zip(&weights).map(|(a, b)| a * b).sum());
                let off = example.weight * (guess - f64::from(u8::from(example.supported)));
                let bend = example.weight * guess * (1.0 - guess);
                for i in 0..=size {
                    gradient[i] += off * row[i];
                    for j in 0..=i {
                        curve[i][j] += bend * row[i] * row[j];
                    }
                }
            }
            for i in 0..=size {
                if i < size {
                    gradient[i] += PENALTY * weights[i];
                    curve[i][i] += PENALTY;
                }
                let (above, below) = curve.split_at_mut(i);
                for (row, value) in above.iter_mut().zip(&below[0]) {
                    row[i] = *value;
                }
            }
            for (weight, step) in weights.iter_mut().zip(solve(curve, gradient)) {
                *weight -= step;
            }
        }
        let bias = weights.pop().unwrap_or_default();
        Self { means, spreads, weights, bias }
    }

    pub(crate) fn score(&self, features: &[f32]) -> f64 {
        let scaled = features
            .iter()
            .zip(&self.means)
            .zip(&self.spreads)
            .map(|((value, mean), spread)| (f64::from(*value) - mean) / spread);
        sigmoid(self.bias + scaled.zip(&self.weights).map(|(value, weight)| value * weight).sum::<f64>())
    }
}

fn sigmoid(sum: f64) -> f64 {
    1.0 / (1.0 + (-sum).exp())
}

/// Solves a system of linear equations by elimination with pivots.
fn solve(mut left: Vec<Vec<f64>>, mut right: Vec<f64>) -> Vec<f64> {
    let size = right.len();
    for at in 0..size {
        let pivot = (at..size).max_by(|a, b| left[*a][at].abs().total_cmp(&left[*b][at].abs())).unwrap_or(at);
        left.swap(at, pivot);
        right.swap(at, pivot);
        for below in at + 1..size {
            let factor = left[below][at] / left[at][at];
            let (above, rest) = left.split_at_mut(below);
            for (value, pivot) in rest[0].iter_mut().zip(&above[at]).skip(at) {
                *value -= factor * pivot;
            }
            right[below] -= factor * right[at];
        }
    }
    for at in (0..size).rev() {
        let known: f64 = (at + 1..size).map(|column| left[at][column] * right[column]).sum();
        right[at] = (right[at] - known) / left[at][at];
    }
    right
}

/// The chance that a supported claim has a higher score than one that is not; equal scores count half.
pub(crate) fn auroc(scores: &[f64], supported: &[bool]) -> f64 {
    let mut order: Vec<usize> = (0..scores.len()).collect();
    order.sort_by(|a, b| scores[*a].total_cmp(&scores[*b]));
    let (mut ranks, mut at) = (0.0, 0);
    while at < order.len() {
        let mut end = at;
        while end < order.len() && scores[order[end]] == scores[order[at]] {
            end += 1;
        }
        let rank = (at + end + 1) as f64 / 2.0;
        ranks += rank * order[at..end].iter().filter(|row| supported[**row]).count() as f64;
        at = end;
    }
    let positive = supported.iter().filter(|supported| **supported).count() as f64;
    let negative = supported.len() as f64 - positive;
    (ranks - positive * (positive + 1.0) / 2.0) / (positive * negative)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_rule_is_learnt_and_ranked() {
        let rows: Vec<[f32; 2]> = (0..200_u8).map(|no| [f32::from(no), f32::from(no % 7)]).collect();
        let examples: Vec<Example<'_>> =
            rows.iter().map(|row| Example { features: row, supported: row[0] > 120.0, weight: 1.0 }).collect();
        let learnt = Learnt::of(&examples);
        let scores: Vec<f64> = rows.iter().map(|row| learnt.score(row)).collect();
        let truth: Vec<bool> = examples.iter().map(|example| example.supported).collect();
        assert!(auroc(&scores, &truth) > 0.99);
        assert!((auroc(&[1.0, 1.0], &[true, false]) - 0.5).abs() < 1e-9);
        assert!((auroc(&[1.0, 2.0, 3.0], &[true, false, false])).abs() < 1e-9);
    }
}
