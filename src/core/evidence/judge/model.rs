//! The learnt score: a weighted sum of the features, squeezed between 0 and 1.

use std::sync::LazyLock;

use super::features::{Features, NAMES};

/// Per line a feature with its mean, its spread and its weight; `bias` has a weight alone. Made by `hadal-eval train-evidence`.
const TABLE: &str = include_str!("weights.txt");

/// The model as it is used: means and spreads are part of the weights.
#[derive(Debug)]
struct Model {
    bias: f32,
    weights: Features,
}

static MODEL: LazyLock<Model> = LazyLock::new(|| {
    let mut model = Model { bias: 0.0, weights: [0.0; NAMES.len()] };
    for line in TABLE.lines() {
        let mut fields = line.split(' ');
        let name = fields.next().unwrap_or_default();
        let numbers: Vec<f32> = fields.filter_map(|field| field.parse().ok()).collect();
        match (numbers.as_slice(), NAMES.iter().position(|known| *known == name)) {
            ([bias], None) => model.bias += bias,
            ([mean, spread, weight], Some(at)) => {
                let scaled = weight / spread;
                model.bias -= mean * scaled;
                if let Some(slot) = model.weights.get_mut(at) {
                    *slot = scaled;
                }
            }
            (_, Some(_) | None) => {}
        }
    }
    model
});

/// How likely a page bears a claim out, as far as words can tell: 0 to 1.
pub(crate) fn score(features: &Features) -> f32 {
    let sum: f32 = features.iter().zip(&MODEL.weights).map(|(feature, weight)| feature * weight).sum();
    1.0 / (1.0 + (-(sum + MODEL.bias)).exp())
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The table has a row for every feature and nothing else.
    #[test]
    fn the_table_is_whole() {
        let mut rows: Vec<&str> = TABLE.lines().map(|line| line.split(' ').next().unwrap_or_default()).collect();
        let mut want: Vec<&str> = NAMES.into_iter().chain(["bias"]).collect();
        rows.sort_unstable();
        want.sort_unstable();
        assert_eq!(rows, want);
        assert!(MODEL.weights.iter().all(|weight| weight.is_finite()));
    }
}
