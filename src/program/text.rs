//! A piece of text that shares the bytes of the file it came from.

use std::ops::{Deref, Range};
use std::sync::Arc;

/// A slice of shared bytes. Cloning never copies them.
#[derive(Clone)]
pub struct Text {
    source: Arc<[u8]>,
    start: u32,
    end: u32,
}

impl Text {
    /// The bytes `range` of `source`. Inputs are at most 100 MB, so 32 bits hold every offset.
    pub fn slice(source: &Arc<[u8]>, range: Range<usize>) -> Text {
        Text {
            source: source.clone(),
            start: range.start as u32,
            end: range.end as u32,
        }
    }

    /// New text, of its own.
    pub fn new(bytes: impl Into<Arc<[u8]>>) -> Text {
        let source = bytes.into();
        Text {
            start: 0,
            end: source.len() as u32,
            source,
        }
    }

    /// No text.
    pub fn empty() -> Text {
        Text::new(&[][..])
    }
}

impl Deref for Text {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.source[self.start as usize..self.end as usize]
    }
}

impl PartialEq for Text {
    fn eq(&self, other: &Text) -> bool {
        **self == **other
    }
}

impl std::fmt::Debug for Text {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?}", String::from_utf8_lossy(self))
    }
}
