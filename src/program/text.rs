//! A piece of text that shares the bytes of the file it came from.

use std::num::NonZeroUsize;
use std::ops::{Deref, Range};
use std::ptr::NonNull;
use std::sync::Arc;

/// The bytes of a file, shared by all texts of it. The second pointer makes a text half as large, and threads that make texts of one file
/// count their references separately.
pub type SharedBytes = Arc<Arc<[u8]>>;

/// The text of a file; none where the file is gone.
pub type FileText = Option<Arc<[u8]>>;

/// The bytes of a file; none at all where it is gone.
pub fn text_bytes(text: &FileText) -> &[u8] {
    text.as_deref().unwrap_or_default()
}

/// A slice of shared bytes. A clone never copies them.
#[derive(Clone)]
pub struct SharedText {
    source: SharedBytes,
    start: u32,
    end: u32,
}

impl SharedText {
    /// The bytes `range` of `source`. Inputs are at most 100 MB, so 32 bits hold every offset.
    pub fn from_source(source: &SharedBytes, range: Range<usize>) -> SharedText {
        SharedText {
            source: source.clone(),
            start: range.start as u32,
            end: range.end as u32,
        }
    }

    /// New text, of its own.
    pub fn new(bytes: impl Into<Arc<[u8]>>) -> SharedText {
        let source = Arc::new(bytes.into());
        SharedText {
            start: 0,
            end: source.len() as u32,
            source,
        }
    }

    /// No text.
    pub fn empty() -> SharedText {
        SharedText::new(&[][..])
    }
}

/// Where in which source a run of text stands, if it stands there as a whole. Sources are distinguished by their address, which is unique
/// as long as a text of them lives.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct SourceSpan {
    source: NonZeroUsize,
    start: u32,
    end: u32,
}

impl SourceSpan {
    /// These bytes of a source.
    pub(super) fn new(source: &SharedBytes, range: Range<u32>) -> SourceSpan {
        SourceSpan {
            source: NonNull::from(&***source).addr(),
            start: range.start,
            end: range.end,
        }
    }

    /// This run followed by `next`; none if they do not stand together in one source.
    pub fn followed_by(self, next: SourceSpan) -> Option<SourceSpan> {
        let together = self.source == next.source && self.end == next.start;
        together.then_some(SourceSpan {
            end: next.end,
            ..self
        })
    }

    /// So many bytes of a source from here on.
    pub(super) fn with_length(source: NonZeroUsize, start: u32, length: u32) -> SourceSpan {
        SourceSpan {
            source,
            start,
            end: start + length,
        }
    }

    /// Its source, by its address.
    pub(super) fn source(self) -> NonZeroUsize {
        self.source
    }

    /// Where in its source it begins.
    pub(super) fn start(self) -> u32 {
        self.start
    }

    /// Where in its source it stands.
    pub(super) fn range(self) -> Range<usize> {
        self.start as usize..self.end as usize
    }

    /// The empty text where this run begins.
    pub fn empty_at_start(self) -> SourceSpan {
        SourceSpan {
            end: self.start,
            ..self
        }
    }

    /// The bytes, if they stand in this source.
    pub(super) fn bytes_in(self, source: &SharedBytes) -> Option<&[u8]> {
        let there = SourceSpan::new(source, self.start..self.end);
        (self.source == there.source).then(|| &source[self.range()])
    }
}

impl SharedText {
    /// Where this text stands.
    pub fn span(&self) -> SourceSpan {
        SourceSpan::new(&self.source, self.start..self.end)
    }

    /// The bytes of its file.
    pub(super) fn source(&self) -> &SharedBytes {
        &self.source
    }

    /// The same.
    pub(super) fn into_source(self) -> SharedBytes {
        self.source
    }
}

impl Deref for SharedText {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        &self.source[self.start as usize..self.end as usize]
    }
}

impl PartialEq for SharedText {
    fn eq(&self, other: &SharedText) -> bool {
        **self == **other
    }
}

impl std::fmt::Debug for SharedText {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        write!(f, "{:?}", String::from_utf8_lossy(self))
    }
}
