//! Bytes as characters of the same number, so that any text fits a line of JSON.

/// Each byte as a character.
pub fn encode_latin1(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| char::from(*byte)).collect()
}

/// The bytes of such a text; none if it has other characters.
pub fn decode_latin1(text: &str) -> Option<Vec<u8>> {
    text.chars()
        .map(|c| u8::try_from(u32::from(c)).ok())
        .collect()
}
