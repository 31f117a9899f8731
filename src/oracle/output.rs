//! What a test printed: the head and the tail of it.

use std::borrow::Cow;
use std::collections::VecDeque;
use std::fs::File;
use std::io::Read;
use std::path::Path;

/// How much is kept of each end, in bytes.
const KEPT: usize = 32 * 1024;

/// The first and the last 32 KB of what a test printed, stdout and stderr together. Short output is all in the head.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Output {
    head: Vec<u8>,
    tail: VecDeque<u8>,
    cut: u64,
    /// A hash of what was cut, so that two outputs are equal only if all of them was.
    dropped: u64,
}

/// Adds bytes to a hash (FNV-1a with 64 bits, Fowler, Noll and Vo): the same in whatever pieces they come.
fn hashed<'a>(hash: u64, bytes: impl Iterator<Item = &'a u8>) -> u64 {
    bytes.fold(hash, |hash, byte| {
        (hash ^ u64::from(*byte)).wrapping_mul(0x0000_0100_0000_01b3)
    })
}

impl Output {
    /// All of a text, for a runner that has no process.
    pub fn new(text: impl AsRef<[u8]>) -> Output {
        let mut output = Output::default();
        output.push(text.as_ref());
        output
    }

    /// What is in a file; nothing if it cannot be read.
    pub(super) fn of_file(path: &Path) -> Output {
        let mut output = Output::default();
        let Ok(mut file) = File::open(path) else {
            return output;
        };
        let mut chunk = [0; 8192];
        while let Ok(read @ 1..) = file.read(&mut chunk) {
            output.push(&chunk[..read]);
        }
        output
    }

    /// The test printed more.
    pub(super) fn push(&mut self, bytes: &[u8]) {
        let (first, rest) = bytes.split_at(bytes.len().min(KEPT - self.head.len()));
        self.head.extend_from_slice(first);
        let (passed, last) = rest.split_at(rest.len().saturating_sub(KEPT));
        let crowded = (self.tail.len() + last.len()).saturating_sub(KEPT);
        self.dropped = hashed(self.dropped, self.tail.range(..crowded).chain(passed));
        self.tail.drain(..crowded);
        self.tail.extend(last);
        self.cut += (passed.len() + crowded) as u64;
    }

    /// Head, tail (in two parts), how much was cut and its hash, for whoever passes it on.
    #[expect(clippy::type_complexity, reason = "it is taken apart at once")]
    pub(super) fn parts(&self) -> (&[u8], (&[u8], &[u8]), (u64, u64)) {
        (&self.head, self.tail.as_slices(), (self.cut, self.dropped))
    }

    /// What [`Output::parts`] gave.
    pub(super) fn from_parts(head: Vec<u8>, tail: Vec<u8>, (cut, dropped): (u64, u64)) -> Output {
        Output {
            head,
            tail: tail.into(),
            cut,
            dropped,
        }
    }

    /// How many bytes were dropped between head and tail.
    pub fn cut(&self) -> u64 {
        self.cut
    }

    /// Whether the test printed nothing.
    pub fn is_empty(&self) -> bool {
        self.head.is_empty()
    }

    /// Head and tail; where something was cut, a line between them says how much.
    pub fn bytes(&self) -> Cow<'_, [u8]> {
        if self.tail.is_empty() {
            return Cow::Borrowed(&self.head);
        }
        let mut all = self.head.clone();
        if self.cut > 0 {
            all.extend_from_slice(
                format!("\n[lop: {} bytes are left out here]\n", self.cut).as_bytes(),
            );
        }
        all.extend(&self.tail);
        Cow::Owned(all)
    }

    /// The same as text; what is no UTF-8 is replaced.
    pub fn text(&self) -> String {
        String::from_utf8_lossy(&self.bytes()).into_owned()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn short_output_is_kept_as_it_is() {
        let mut output = Output::default();
        assert!(output.is_empty());
        output.push(b"one\n");
        output.push(b"two\n");
        assert_eq!(output.text(), "one\ntwo\n");
        assert_eq!(output.cut(), 0);
    }

    #[test]
    fn output_that_just_fits_loses_nothing() {
        let all: Vec<u8> = (0..2 * KEPT).map(|i| (i % 251) as u8).collect();
        let mut output = Output::default();
        all.chunks(1000).for_each(|chunk| output.push(chunk));
        assert_eq!(output.bytes(), all);
        assert_eq!(output, Output::new(&all));
    }

    #[test]
    fn outputs_that_differ_in_the_middle_are_not_equal() {
        let mut other = vec![b'x'; 5 * KEPT];
        let one = Output::new(&other);
        other[2 * KEPT] = b'y';
        assert_eq!(one.bytes(), Output::new(&other).bytes());
        assert_ne!(one, Output::new(&other));
    }

    #[test]
    fn long_output_keeps_both_ends_and_says_what_is_missing() {
        let all: Vec<u8> = (0..5 * KEPT + 7).map(|i| (i % 251) as u8).collect();
        for size in [1, 999, KEPT, all.len()] {
            let mut output = Output::default();
            all.chunks(size).for_each(|chunk| output.push(chunk));
            let left_out = 3 * KEPT + 7;
            assert_eq!(output.cut(), left_out as u64);
            assert_eq!(output, Output::new(&all), "in pieces of {size}");
            let mut expected = all[..KEPT].to_vec();
            expected.extend_from_slice(
                format!("\n[lop: {left_out} bytes are left out here]\n").as_bytes(),
            );
            expected.extend_from_slice(&all[all.len() - KEPT..]);
            assert_eq!(output.bytes(), expected, "in pieces of {size}");
        }
    }
}
