//! Bytes in lines of JSON.

use serde::{Deserialize, Serialize};

/// Bytes: as text if they are UTF-8, else two digits each.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ByteText {
    /// UTF-8.
    Text(String),
    /// Any bytes.
    Hex(String),
}

impl ByteText {
    /// These bytes.
    pub fn from_bytes(bytes: &[u8]) -> ByteText {
        match std::str::from_utf8(bytes) {
            Ok(text) => ByteText::Text(text.to_owned()),
            Err(_) => ByteText::Hex(bytes.iter().map(|byte| format!("{byte:02x}")).collect()),
        }
    }

    /// The bytes; none if they are not two digits each.
    pub fn decode_bytes(&self) -> Option<Vec<u8>> {
        match self {
            ByteText::Text(text) => Some(text.clone().into_bytes()),
            ByteText::Hex(hex) => decode_hex(hex),
        }
    }
}

/// The bytes of two digits each; none if they are something else.
pub fn decode_hex(hex: &str) -> Option<Vec<u8>> {
    let digit = |byte: u8| char::from(byte).to_digit(16);
    let pairs = hex.as_bytes().chunks(2);
    let pairs = pairs.map(|pair| Some((digit(pair[0])? * 16 + digit(*pair.get(1)?)?) as u8));
    pairs.collect()
}
