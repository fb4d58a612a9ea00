//! One table of numbers out of a safetensors file: the length of a header, the header as JSON, and the numbers.

use std::collections::BTreeMap;

use serde::Deserialize;
use serde::de::IgnoredAny;

use super::NoVectors;

/// A header describes one table; anything longer describes something else.
const HEADER_BYTES: usize = 1 << 20;
const DIMENSIONS: usize = 4_096;

#[derive(Debug)]
pub(super) struct Table {
    numbers: Vec<f32>,
    dimensions: usize,
}

#[derive(Deserialize)]
struct Tensor {
    dtype: String,
    shape: Vec<usize>,
    data_offsets: (usize, usize),
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Entry {
    Tensor(Tensor),
    Other(IgnoredAny),
}

impl Table {
    pub(super) fn read(file: &[u8]) -> Result<Self, NoVectors> {
        let (length, rest) = file.split_first_chunk::<8>().ok_or_else(|| no_table("it is too short"))?;
        let length = usize::try_from(u64::from_le_bytes(*length)).unwrap_or(usize::MAX);
        if length > HEADER_BYTES {
            return Err(no_table("its header is too long"));
        }
        let (header, data) = rest.split_at_checked(length).ok_or_else(|| no_table("its header is cut off"))?;
        let entries: BTreeMap<String, Entry> =
            serde_json::from_slice(header).map_err(|error| no_table(&format!("its header cannot be read: {error}")))?;
        let tensor = only_tensor(entries)?;
        let [rows, dimensions] = *tensor.shape else { return Err(no_table("its tensor is no table")) };
        if rows == 0 || dimensions == 0 || dimensions > DIMENSIONS {
            return Err(no_table("its table is empty or has too many columns"));
        }
        let (start, end) = tensor.data_offsets;
        let data = data.get(start..end).ok_or_else(|| no_table("its numbers are cut off"))?;
        let numbers = numbers(&tensor.dtype, data)?;
        if rows.checked_mul(dimensions) != Some(numbers.len()) {
            return Err(no_table("its shape does not fit its numbers"));
        }
        if !numbers.iter().all(|number| number.is_finite()) {
            return Err(no_table("it holds numbers without a value"));
        }
        Ok(Self { numbers, dimensions })
    }

    pub(super) fn dimensions(&self) -> usize {
        self.dimensions
    }

    pub(super) fn rows(&self) -> u32 {
        u32::try_from(self.numbers.len() / self.dimensions).unwrap_or(u32::MAX)
    }

    pub(super) fn row(&self, number: u32) -> Option<&[f32]> {
        let start = usize::try_from(number).ok()?.checked_mul(self.dimensions)?;
        self.numbers.get(start..start.checked_add(self.dimensions)?)
    }
}

/// The one tensor of a file. Further ones (weights of pieces, a second numbering) would have to be applied.
fn only_tensor(entries: BTreeMap<String, Entry>) -> Result<Tensor, NoVectors> {
    let tensors = entries.into_iter().filter(|(name, _)| name != "__metadata__");
    let (names, mut tensors): (Vec<String>, Vec<Entry>) = tensors.unzip();
    match (tensors.pop(), tensors.is_empty()) {
        (Some(Entry::Tensor(tensor)), true) => Ok(tensor),
        (Some(Entry::Tensor(_) | Entry::Other(_)) | None, _) => {
            let names = names.iter().take(5).map(String::as_str).collect::<Vec<_>>().join(", ");
            Err(no_table(&format!("it must hold one table and nothing else; it holds: {names}")))
        }
    }
}

/// Whole bytes stand for numbers of one scale, which a direction does not depend on.
fn numbers(kind: &str, data: &[u8]) -> Result<Vec<f32>, NoVectors> {
    match kind {
        "F32" => Ok(data.as_chunks::<4>().0.iter().map(|bytes| f32::from_le_bytes(*bytes)).collect()),
        "F16" => Ok(data.as_chunks::<2>().0.iter().map(|bytes| half(u16::from_le_bytes(*bytes))).collect()),
        "I8" => Ok(data.iter().map(|byte| f32::from(i8::from_le_bytes([*byte]))).collect()),
        other => Err(no_table(&format!("its numbers are {other}; F32, F16 and I8 are read"))),
    }
}

/// A number of 16 bits: a sign, five bits of exponent, ten of fraction.
fn half(bits: u16) -> f32 {
    let sign = if bits >> 15 == 0 { 1.0 } else { -1.0 };
    let (exponent, fraction) = (i32::from(bits >> 10 & 0x1f), f32::from(bits & 0x3ff) / 1_024.0);
    sign * match exponent {
        0 => fraction * 2.0_f32.powi(-14),
        31 => f32::INFINITY,
        _ => (1.0 + fraction) * 2.0_f32.powi(exponent - 15),
    }
}

fn no_table(why: &str) -> NoVectors {
    NoVectors(format!("`model.safetensors` cannot be used: {why}"))
}
