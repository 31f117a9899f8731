//! The output of a test: its head and its tail.

use std::borrow::Cow;
use std::collections::VecDeque;
use std::fs::{File, OpenOptions};
use std::io::Read;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use serde::{Deserialize, Serialize};

/// How much is kept of each end, in bytes.
const SHOWN_CAPACITY: usize = 32 * 1024;
/// How much is kept of each end if the property is matched against the output.
pub(super) const JUDGE_CAPACITY: usize = 512 * 1024;
/// How much of a file is read, in bytes: a sparse file may have any length.
const MAX_FILE_BYTES: u64 = 64 << 20;

/// The first and the last 32 KB of a test's output, stdout and stderr together; 512 KB of each end if the property is matched against it.
/// Short output is all in the head.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TestOutput {
    /// The most that each end holds, in bytes.
    capacity: usize,
    head: Vec<u8>,
    tail: VecDeque<u8>,
    omitted: u64,
    /// A hash of what was omitted, so that two outputs are equal only if they were equal in full.
    omitted_hash: u64,
}

/// Adds bytes to a hash (FNV-1a with 64 bits, Fowler, Noll and Vo). How the bytes are split does not matter.
fn hash_bytes<'a>(hash: u64, bytes: impl Iterator<Item = &'a u8>) -> u64 {
    bytes.fold(hash, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

impl Default for TestOutput {
    fn default() -> TestOutput {
        TestOutput {
            capacity: SHOWN_CAPACITY,
            head: Vec::new(),
            tail: VecDeque::new(),
            omitted: 0,
            omitted_hash: 0,
        }
    }
}

impl TestOutput {
    /// An empty output that keeps enough for the property to be matched.
    pub(super) fn with_judge_capacity() -> TestOutput {
        TestOutput {
            capacity: JUDGE_CAPACITY,
            ..TestOutput::default()
        }
    }

    /// The output that a text is, for a runner without processes.
    pub fn from_text(text: impl AsRef<[u8]>) -> TestOutput {
        let mut output = TestOutput::default();
        output.push(text.as_ref());
        output
    }

    /// The contents of a file, for the property. Empty if it cannot be read, or the test has replaced it by something else.
    pub(super) fn from_file(path: &Path) -> TestOutput {
        let mut output = TestOutput::with_judge_capacity();
        let Some((file, length)) = open_regular_file(path) else {
            return output;
        };
        let mut file = file.take(MAX_FILE_BYTES);
        let mut chunk = [0; 8192];
        while let Ok(read @ 1..) = file.read(&mut chunk) {
            output.push(&chunk[..read]);
        }
        output.omitted += length.saturating_sub(MAX_FILE_BYTES);
        output
    }

    /// The output whose ends these are, for the property: each at most [`JUDGE_CAPACITY`] long, with so many bytes of this checksum between them.
    #[cfg(feature = "remote")]
    pub(super) fn from_ends(ends: &[u8], omitted: u64, checksum: u64) -> TestOutput {
        let mut output = TestOutput::with_judge_capacity();
        output.push(ends);
        if omitted > 0 {
            output.omitted += omitted;
            output.omitted_hash ^= checksum;
        }
        output
    }

    /// Appends bytes that the test printed.
    pub(super) fn push(&mut self, bytes: &[u8]) {
        let (first, rest) = bytes.split_at(bytes.len().min(self.capacity - self.head.len()));
        self.head.extend_from_slice(first);
        let (skipped, last) = rest.split_at(rest.len().saturating_sub(self.capacity));
        let displaced = (self.tail.len() + last.len()).saturating_sub(self.capacity);
        self.omitted_hash = hash_bytes(
            self.omitted_hash,
            self.tail.range(..displaced).chain(skipped),
        );
        self.tail.drain(..displaced);
        self.tail.extend(last);
        self.omitted += (skipped.len() + displaced) as u64;
    }

    /// The same with only as much of each end as is shown.
    pub(super) fn to_shortened(&self) -> TestOutput {
        let mut short = TestOutput::default();
        short.push(&self.head);
        short.push(self.tail.as_slices().0);
        short.push(self.tail.as_slices().1);
        short.omitted += self.omitted;
        short.omitted_hash ^= self.omitted_hash;
        short
    }

    /// The number of bytes that were omitted between head and tail.
    pub fn omitted_bytes(&self) -> u64 {
        self.omitted
    }

    /// Whether the test printed nothing.
    pub fn is_empty(&self) -> bool {
        self.head.is_empty()
    }

    /// Head and tail. If bytes were omitted, a line between them has their number.
    pub fn to_bytes(&self) -> Cow<'_, [u8]> {
        if self.tail.is_empty() {
            return Cow::Borrowed(&self.head);
        }
        let mut all = self.head.clone();
        if self.omitted > 0 {
            all.extend_from_slice(
                format!("\n[lop: {} bytes are left out here]\n", self.omitted).as_bytes(),
            );
        }
        all.extend(&self.tail);
        Cow::Owned(all)
    }

    /// Head and tail without the incomplete lines at the cut, and without a line about it.
    pub(super) fn whole_lines(&self) -> Cow<'_, [u8]> {
        if self.omitted == 0 {
            return self.to_bytes();
        }
        let is_end = |byte: &u8| *byte == b'\n';
        let head = self.head.iter().rposition(is_end).map_or(0, |at| at + 1);
        let tail = self.tail.iter().position(is_end);
        let tail = tail.map_or(self.tail.len(), |at| at + 1);
        Cow::Owned(
            self.head[..head]
                .iter()
                .chain(self.tail.range(tail..))
                .copied()
                .collect(),
        )
    }

    /// [`TestOutput::to_bytes`] as text. Bytes that are not UTF-8 are replaced.
    pub fn to_text(&self) -> String {
        String::from_utf8_lossy(&self.to_bytes()).into_owned()
    }
}

/// The contents of a file that a test wrote; none if it cannot be read, has more than 64 MB, or the test has replaced it by something else.
pub(super) fn read_whole_file(path: &Path) -> Option<Vec<u8>> {
    let (file, length) = open_regular_file(path)?;
    let mut bytes = Vec::new();
    // It may grow while it is read.
    let read = file.take(MAX_FILE_BYTES + 1).read_to_end(&mut bytes);
    (read.is_ok() && length.max(bytes.len() as u64) <= MAX_FILE_BYTES).then_some(bytes)
}

/// Opens a regular file, and returns its length. To open a pipe would block, and a device has no end.
fn open_regular_file(path: &Path) -> Option<(File, u64)> {
    let flags = libc::O_NOFOLLOW | libc::O_NONBLOCK;
    let file = OpenOptions::new()
        .read(true)
        .custom_flags(flags)
        .open(path)
        .ok()?;
    let known = file.metadata().ok()?;
    known.is_file().then_some((file, known.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_output_is_kept_as_it_is() {
        let mut output = TestOutput::default();
        assert!(output.is_empty());
        output.push(b"one\n");
        output.push(b"two\n");
        assert_eq!(output.to_text(), "one\ntwo\n");
        assert_eq!(output.omitted_bytes(), 0);
    }

    #[test]
    fn output_that_just_fits_loses_nothing() {
        let all: Vec<u8> = (0..2 * SHOWN_CAPACITY).map(|i| (i % 251) as u8).collect();
        let mut output = TestOutput::default();
        all.chunks(1000).for_each(|chunk| output.push(chunk));
        assert_eq!(output.to_bytes(), all);
        assert_eq!(output, TestOutput::from_text(&all));
    }

    #[test]
    fn incomplete_lines_are_left_out() {
        let mut output = TestOutput::default();
        output.push(&b"one\n".repeat(SHOWN_CAPACITY / 4));
        assert_eq!(output.whole_lines(), output.to_bytes());
        output.push(&b"12345678\n".repeat(SHOWN_CAPACITY));
        output.push(&b"x".repeat(SHOWN_CAPACITY - 6));
        output.push(b"\nlast\n");
        assert_eq!(output.whole_lines().len(), SHOWN_CAPACITY + "last\n".len());
        assert!(output.whole_lines().ends_with(b"one\nlast\n"));
    }

    #[test]
    fn outputs_that_differ_in_the_middle_are_not_equal() {
        let mut other = vec![b'x'; 5 * SHOWN_CAPACITY];
        let one = TestOutput::from_text(&other);
        other[2 * SHOWN_CAPACITY] = b'y';
        assert_eq!(one.to_bytes(), TestOutput::from_text(&other).to_bytes());
        assert_ne!(one, TestOutput::from_text(&other));
    }

    #[test]
    fn long_output_keeps_both_ends_and_says_what_is_missing() {
        let all: Vec<u8> = (0..5 * SHOWN_CAPACITY + 7)
            .map(|i| (i % 251) as u8)
            .collect();
        for size in [1, 999, SHOWN_CAPACITY, all.len()] {
            let mut output = TestOutput::default();
            all.chunks(size).for_each(|chunk| output.push(chunk));
            let left_out = 3 * SHOWN_CAPACITY + 7;
            assert_eq!(output.omitted_bytes(), left_out as u64);
            assert_eq!(output, TestOutput::from_text(&all), "in pieces of {size}");
            let mut expected = all[..SHOWN_CAPACITY].to_vec();
            expected.extend_from_slice(
                format!("\n[lop: {left_out} bytes are left out here]\n").as_bytes(),
            );
            expected.extend_from_slice(&all[all.len() - SHOWN_CAPACITY..]);
            assert_eq!(output.to_bytes(), expected, "in pieces of {size}");
        }
    }
}
