//! Bytes in lines of JSON, and versions as what differs.

use serde::{Deserialize, Serialize};

/// Bytes: as text if they are UTF-8, else two digits each.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Plain {
    /// UTF-8.
    Text(String),
    /// Any bytes.
    Hex(String),
}

impl Plain {
    /// These bytes.
    pub fn of(bytes: &[u8]) -> Plain {
        match std::str::from_utf8(bytes) {
            Ok(text) => Plain::Text(text.to_owned()),
            Err(_) => Plain::Hex(digits(bytes)),
        }
    }

    /// The bytes; none if they are not two digits each.
    pub fn bytes(&self) -> Option<Vec<u8>> {
        match self {
            Plain::Text(text) => Some(text.clone().into_bytes()),
            Plain::Hex(hex) => undigits(hex),
        }
    }
}

fn digits(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn undigits(hex: &str) -> Option<Vec<u8>> {
    let digit = |byte: u8| char::from(byte).to_digit(16);
    let pairs = hex.as_bytes().chunks(2);
    let pairs = pairs.map(|pair| Some((digit(pair[0])? * 16 + digit(*pair.get(1)?)?) as u8));
    pairs.collect()
}

/// A document of a version.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stored {
    /// All of it, as UTF-8.
    Text(String),
    /// All of it, two digits a byte.
    Hex(String),
    /// What it differs in from the document of the version that it was made of, from front to back.
    Cuts(Vec<Cut>),
}

/// In the place of the bytes from the first number to the second stand these.
pub type Cut = (usize, usize, Plain);

impl Stored {
    /// All of it.
    pub fn whole(bytes: &[u8]) -> Stored {
        match Plain::of(bytes) {
            Plain::Text(text) => Stored::Text(text),
            Plain::Hex(hex) => Stored::Hex(hex),
        }
    }

    /// Its bytes; `parent` are those of the document before. None if the two do not fit together.
    pub fn bytes(&self, parent: Option<&[u8]>) -> Option<Vec<u8>> {
        match self {
            Stored::Text(text) => Some(text.clone().into_bytes()),
            Stored::Hex(hex) => undigits(hex),
            Stored::Cuts(cuts) => super::delta::apply(parent?, cuts),
        }
    }
}
