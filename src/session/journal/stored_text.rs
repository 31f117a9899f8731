//! Documents of versions in lines of JSON, as differences where these are shorter.

use serde::{Deserialize, Serialize};

use crate::program::{ByteText, FileText, decode_hex, replace_ranges};

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
pub type TextCut = (usize, usize, ByteText);

impl StoredDocument {
    /// All of it.
    pub fn from_text(text: &FileText) -> StoredDocument {
        match text {
            Some(bytes) => StoredDocument::from_bytes(bytes),
            None => StoredDocument::Gone,
        }
    }

    fn from_bytes(bytes: &[u8]) -> StoredDocument {
        match ByteText::from_bytes(bytes) {
            ByteText::Text(text) => StoredDocument::Text(text),
            ByteText::Hex(hex) => StoredDocument::Hex(hex),
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
    let decode = |(start, end, bytes): &TextCut| Some((*start..*end, bytes.decode_bytes()?));
    let cuts: Option<Vec<_>> = cuts.iter().map(decode).collect();
    replace_ranges(old, cuts?)
}
