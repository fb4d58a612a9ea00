//! Static vectors: each piece of a word has one, and a text has the mean of its pieces' vectors. Texts that say the same in other words
//! then lie near each other. There is no model that runs: a table is looked up and added.
//!
//! The form is that of published tables: `tokenizer.json` with a WordPiece vocabulary, and `model.safetensors` with one vector for each of its
//! pieces. Other tokenizers and further tensors are refused, because a table that is read in another way than it was made says nothing.

mod pieces;
mod table;
#[cfg(test)]
pub(crate) mod tests;

use std::collections::HashMap;
use std::fmt;

use pieces::Pieces;
use table::Table;

/// A table of vectors and the pieces of words that they belong to.
#[derive(Debug)]
pub(crate) struct StaticVectors {
    pieces: Pieces,
    table: Table,
}

/// Why two files are no static vectors.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct NoVectors(String);

impl fmt::Display for NoVectors {
    fn fmt(&self, to: &mut fmt::Formatter<'_>) -> fmt::Result {
        to.write_str(&self.0)
    }
}

/// The sum of the vectors of a text's pieces: its direction is what the text is about.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Vector(Vec<f32>);

/// Makes vectors of texts, and remembers the words that it has seen.
#[derive(Debug)]
pub(crate) struct Embedder<'a> {
    vectors: &'a StaticVectors,
    known: HashMap<String, Vec<u32>>,
}

impl StaticVectors {
    /// Reads the two files.
    pub(crate) fn read(tokenizer: &[u8], tensors: &[u8]) -> Result<Self, NoVectors> {
        let pieces = Pieces::read(tokenizer)?;
        let table = Table::read(tensors)?;
        if pieces.highest() >= table.rows() {
            let (rows, highest) = (table.rows(), pieces.highest());
            return Err(NoVectors(format!("a piece has the number {highest}, and there are {rows} vectors")));
        }
        Ok(Self { pieces, table })
    }

    pub(crate) fn embedder(&self) -> Embedder<'_> {
        Embedder { vectors: self, known: HashMap::new() }
    }
}

impl Embedder<'_> {
    /// The vector of a text; of a text without a known piece it is zero.
    pub(crate) fn vector(&mut self, text: &str) -> Vector {
        let StaticVectors { pieces, table } = self.vectors;
        let mut sum = vec![0.0_f32; table.dimensions()];
        pieces::each_word(text, |word| {
            if !self.known.contains_key(word) {
                self.known.insert(word.to_owned(), pieces.of_word(word));
            }
            let numbers = self.known.get(word).map(Vec::as_slice).unwrap_or_default();
            for row in numbers.iter().filter_map(|number| table.row(*number)) {
                sum.iter_mut().zip(row).for_each(|(sum, value)| *sum += value);
            }
        });
        Vector(sum)
    }
}

impl Vector {
    /// The vector of two texts together.
    #[must_use]
    pub(crate) fn with(mut self, other: &Self) -> Self {
        self.0.iter_mut().zip(&other.0).for_each(|(sum, value)| *sum += value);
        self
    }

    /// The cosine of the angle between two: 1 for the same direction; 0 where one of them says nothing.
    pub(crate) fn nearness(&self, other: &Self) -> f32 {
        let product = |a: &Self, b: &Self| a.0.iter().zip(&b.0).map(|(a, b)| a * b).sum::<f32>();
        let lengths = (product(self, self) * product(other, other)).sqrt();
        let cosine = product(self, other) / lengths;
        if cosine.is_finite() { cosine.clamp(-1.0, 1.0) } else { 0.0 }
    }
}
