//! Bytes in lines of JSON, and versions as differences.

use serde::{Deserialize, Serialize};

use crate::program::FileText;

/// Bytes: as text if they are UTF-8, else two digits each.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum JournalBytes {
    /// UTF-8.
    Text(String),
    /// Any bytes.
    Hex(String),
}

impl JournalBytes {
    /// These bytes.
    pub fn from_bytes(bytes: &[u8]) -> JournalBytes {
        match std::str::from_utf8(bytes) {
            Ok(text) => JournalBytes::Text(text.to_owned()),
            Err(_) => JournalBytes::Hex(encode_hex(bytes)),
        }
    }

    /// The bytes; none if they are not two digits each.
    pub fn decode_bytes(&self) -> Option<Vec<u8>> {
        match self {
            JournalBytes::Text(text) => Some(text.clone().into_bytes()),
            JournalBytes::Hex(hex) => decode_hex(hex),
        }
    }
}

fn encode_hex(bytes: &[u8]) -> String {
    bytes.iter().map(|byte| format!("{byte:02x}")).collect()
}

fn decode_hex(hex: &str) -> Option<Vec<u8>> {
    let digit = |byte: u8| char::from(byte).to_digit(16);
    let pairs = hex.as_bytes().chunks(2);
    let pairs = pairs.map(|pair| Some((digit(pair[0])? * 16 + digit(*pair.get(1)?)?) as u8));
    pairs.collect()
}

/// A document of a version.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum StoredDocument {
    /// All of it, as UTF-8.
    Text(String),
    /// All of it, two digits a byte.
    Hex(String),
    /// The differences from the document of the version that it was made of, from front to back.
    Cuts(Vec<TextCut>),
    /// Its file is gone.
    Gone,
}

/// These bytes replace those from the first number to the second.
pub type TextCut = (usize, usize, JournalBytes);

impl StoredDocument {
    /// All of it.
    pub fn from_text(text: &FileText) -> StoredDocument {
        match text {
            Some(bytes) => StoredDocument::from_bytes(bytes),
            None => StoredDocument::Gone,
        }
    }

    fn from_bytes(bytes: &[u8]) -> StoredDocument {
        match JournalBytes::from_bytes(bytes) {
            JournalBytes::Text(text) => StoredDocument::Text(text),
            JournalBytes::Hex(hex) => StoredDocument::Hex(hex),
        }
    }

    /// Its text; `parent` are the bytes of the document before. None if the two do not fit together.
    pub fn decode_text(&self, parent: Option<&[u8]>) -> Option<FileText> {
        let bytes = match self {
            StoredDocument::Text(text) => text.clone().into_bytes(),
            StoredDocument::Hex(hex) => decode_hex(hex)?,
            StoredDocument::Cuts(cuts) => apply_cuts(parent?, cuts)?,
            StoredDocument::Gone => return Some(None),
        };
        Some(Some(bytes.into()))
    }
}

/// The text that cuts make of `old`; none if they are not in it, or not in order.
pub fn apply_cuts(old: &[u8], cuts: &[TextCut]) -> Option<Vec<u8>> {
    let (mut new, mut at) = (Vec::with_capacity(old.len()), 0);
    for (start, end, bytes) in cuts {
        if end < start {
            return None;
        }
        new.extend_from_slice(old.get(at..*start)?);
        new.extend(bytes.decode_bytes()?);
        at = *end;
    }
    new.extend_from_slice(old.get(at..)?);
    Some(new)
}
