//! Base64 in both alphabets, and what the service writes in it: ids of interactions, ids of events, images.

use super::fault::draw;

const STANDARD: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
const URL: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_";

fn encode(bytes: &[u8], alphabet: &[u8; 64]) -> String {
    let mut text = String::with_capacity(bytes.len().div_ceil(3) * 4);
    for three in bytes.chunks(3) {
        let bits = three.iter().fold(0_u32, |bits, byte| bits << 8 | u32::from(*byte)) << (8 * (3 - three.len()));
        for n in 0..=three.len() {
            text.push(char::from(alphabet[(bits >> (18 - 6 * n)) as usize & 63]));
        }
    }
    text
}

/// The id of an interaction: `v1_` and 50 bytes that differ for every seed.
pub(super) fn interaction_id(seed: u64) -> String {
    let bytes: Vec<u8> =
        (0..7).flat_map(|n| draw(seed.wrapping_mul(7).wrapping_add(n)).to_le_bytes()).take(50).collect();
    format!("v1_{}", encode(&bytes, URL))
}

/// The id of an event: `v1_` and its number.
pub(super) fn event_id(number: usize) -> String {
    format!("v1_{}", encode(number.to_string().as_bytes(), URL))
}

/// Bytes in base64 that begin like a PNG file.
pub(super) fn image(bytes: usize) -> String {
    let mut picture = b"\x89PNG\r\n\x1a\n".to_vec();
    picture.resize(bytes, 0);
    let mut text = encode(&picture, STANDARD);
    text.extend(std::iter::repeat_n('=', (4 - text.len() % 4) % 4));
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn base64_is_that_of_the_standard() {
        let table = [("", ""), ("f", "Zg"), ("fo", "Zm8"), ("foo", "Zm9v"), ("foobar", "Zm9vYmFy"), ("??>", "Pz8-")];
        for (text, encoded) in table {
            assert_eq!(encode(text.as_bytes(), URL), encoded);
        }
        assert_eq!(encode(b"??>", STANDARD), "Pz8+");
        assert_eq!(image(8), "iVBORw0KGgo=");
        assert_eq!(event_id(3), "v1_Mw");
    }

    #[test]
    fn ids_are_long_and_differ() {
        let ids: std::collections::BTreeSet<_> = (0..1000).map(interaction_id).collect();
        assert_eq!(ids.len(), 1000);
        assert!(ids.iter().all(|id| id.len() == 70 && id.starts_with("v1_")), "{ids:?}");
    }
}
