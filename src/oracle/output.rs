//! What a test printed: the head and the tail of it.

use std::borrow::Cow;
use std::collections::VecDeque;
use std::fs::{File, OpenOptions};
use std::io::Read;
use std::os::unix::fs::OpenOptionsExt;
use std::path::Path;

use serde::{Deserialize, Serialize};

/// How much is kept of each end, in bytes.
const KEPT: usize = 32 * 1024;
/// The same where something is looked for in it.
const KEPT_TO_JUDGE: usize = 512 * 1024;
/// How much of a file is read, in bytes: it may be said to be of any length.
const READ: u64 = 64 << 20;

/// The first and the last 32 KB of what a test printed, stdout and stderr together; 512 KB of either end of what a command printed in
/// which something is looked for. Short output is all in the head.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct TestOutput {
    /// The most that either end holds.
    capacity: usize,
    head: Vec<u8>,
    tail: VecDeque<u8>,
    omitted: u64,
    /// A hash of what was cut, so that two outputs are equal only if all of them was.
    omitted_hash: u64,
}

/// Adds bytes to a hash (FNV-1a with 64 bits, Fowler, Noll and Vo): the same in whatever pieces they come.
fn hash_bytes<'a>(hash: u64, bytes: impl Iterator<Item = &'a u8>) -> u64 {
    bytes.fold(hash, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

impl Default for TestOutput {
    fn default() -> TestOutput {
        TestOutput {
            capacity: KEPT,
            head: Vec::new(),
            tail: VecDeque::new(),
            omitted: 0,
            omitted_hash: 0,
        }
    }
}

impl TestOutput {
    /// One of which as much is kept as is good to look for something in it.
    pub(super) fn with_judge_capacity() -> TestOutput {
        TestOutput {
            capacity: KEPT_TO_JUDGE,
            ..TestOutput::default()
        }
    }

    /// All of a text, for a runner that has no process.
    pub fn from_text(text: impl AsRef<[u8]>) -> TestOutput {
        let mut output = TestOutput::default();
        output.push(text.as_ref());
        output
    }

    /// What is in a file, to judge; nothing if it cannot be read, or a test has put something else in its place.
    pub(super) fn from_file(path: &Path) -> TestOutput {
        let mut output = TestOutput::with_judge_capacity();
        let Some((file, length)) = open_regular_file(path) else {
            return output;
        };
        let mut file = file.take(READ);
        let mut chunk = [0; 8192];
        while let Ok(read @ 1..) = file.read(&mut chunk) {
            output.push(&chunk[..read]);
        }
        output.omitted += length.saturating_sub(READ);
        output
    }

    /// The test printed more.
    pub(super) fn push(&mut self, bytes: &[u8]) {
        let (first, rest) = bytes.split_at(bytes.len().min(self.capacity - self.head.len()));
        self.head.extend_from_slice(first);
        let (passed, last) = rest.split_at(rest.len().saturating_sub(self.capacity));
        let crowded = (self.tail.len() + last.len()).saturating_sub(self.capacity);
        self.omitted_hash = hash_bytes(self.omitted_hash, self.tail.range(..crowded).chain(passed));
        self.tail.drain(..crowded);
        self.tail.extend(last);
        self.omitted += (passed.len() + crowded) as u64;
    }

    /// The same with no more of either end than people look at.
    pub(super) fn to_shortened(&self) -> TestOutput {
        let mut short = TestOutput::default();
        short.push(&self.head);
        short.push(self.tail.as_slices().0);
        short.push(self.tail.as_slices().1);
        short.omitted += self.omitted;
        short.omitted_hash ^= self.omitted_hash;
        short
    }

    /// How many bytes were dropped between head and tail.
    pub fn omitted_bytes(&self) -> u64 {
        self.omitted
    }

    /// Whether the test printed nothing.
    pub fn is_empty(&self) -> bool {
        self.head.is_empty()
    }

    /// Head and tail; where something was cut, a line between them says how much.
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

    /// The same without the two halves of lines at a cut, and without a word about it.
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

    /// The same as text; what is no UTF-8 is replaced.
    pub fn to_text(&self) -> String {
        String::from_utf8_lossy(&self.to_bytes()).into_owned()
    }
}

/// A regular file and its length. A pipe in its place would be waited for, and a device be read for ever.
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
        let all: Vec<u8> = (0..2 * KEPT).map(|i| (i % 251) as u8).collect();
        let mut output = TestOutput::default();
        all.chunks(1000).for_each(|chunk| output.push(chunk));
        assert_eq!(output.to_bytes(), all);
        assert_eq!(output, TestOutput::from_text(&all));
    }

    #[test]
    fn lines_that_were_cut_are_no_lines() {
        let mut output = TestOutput::default();
        output.push(&b"one\n".repeat(KEPT / 4));
        assert_eq!(output.whole_lines(), output.to_bytes());
        output.push(&b"12345678\n".repeat(KEPT));
        output.push(&b"x".repeat(KEPT - 6));
        output.push(b"\nlast\n");
        assert_eq!(output.whole_lines().len(), KEPT + "last\n".len());
        assert!(output.whole_lines().ends_with(b"one\nlast\n"));
    }

    #[test]
    fn outputs_that_differ_in_the_middle_are_not_equal() {
        let mut other = vec![b'x'; 5 * KEPT];
        let one = TestOutput::from_text(&other);
        other[2 * KEPT] = b'y';
        assert_eq!(one.to_bytes(), TestOutput::from_text(&other).to_bytes());
        assert_ne!(one, TestOutput::from_text(&other));
    }

    #[test]
    fn long_output_keeps_both_ends_and_says_what_is_missing() {
        let all: Vec<u8> = (0..5 * KEPT + 7).map(|i| (i % 251) as u8).collect();
        for size in [1, 999, KEPT, all.len()] {
            let mut output = TestOutput::default();
            all.chunks(size).for_each(|chunk| output.push(chunk));
            let left_out = 3 * KEPT + 7;
            assert_eq!(output.omitted_bytes(), left_out as u64);
            assert_eq!(output, TestOutput::from_text(&all), "in pieces of {size}");
            let mut expected = all[..KEPT].to_vec();
            expected.extend_from_slice(
                format!("\n[lop: {left_out} bytes are left out here]\n").as_bytes(),
            );
            expected.extend_from_slice(&all[all.len() - KEPT..]);
            assert_eq!(output.to_bytes(), expected, "in pieces of {size}");
        }
    }
}
