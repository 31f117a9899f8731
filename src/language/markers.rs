//! Line markers: lines in a preprocessor's output that give the origin of the following lines.
//!
//! Examples are `# 33 "file.h" 1 3` and `#line 33 "file.h"`. tree-sitter's C reads the first as an error, and an error in the middle of a
//! struct costs the whole struct (measured: 18,824 errors in 24 MB with markers, 493 without).

use std::borrow::Cow;
use std::ops::Range;

use memchr::memchr;

/// The text with all markers replaced by blanks.
pub(super) fn mask_markers(text: &[u8]) -> Cow<'_, [u8]> {
    let mut masked = Cow::Borrowed(text);
    for line in marker_lines(text) {
        for byte in &mut masked.to_mut()[line] {
            if !matches!(byte, b'\n' | b'\r') {
                *byte = b' ';
            }
        }
    }
    masked
}

/// Whether there is a marker.
pub(super) fn has_marker(text: &[u8]) -> bool {
    marker_lines(text).next().is_some()
}

/// The text without the lines that are markers.
pub(super) fn strip_markers(text: &[u8]) -> Vec<u8> {
    let (mut out, mut known) = (Vec::with_capacity(text.len()), 0);
    for line in marker_lines(text) {
        out.extend_from_slice(&text[known..line.start]);
        known = line.end;
    }
    out.extend_from_slice(&text[known..]);
    out
}

/// The lines that are markers, each with its newline. A marker begins with `#`, so nothing else is looked at.
fn marker_lines(text: &[u8]) -> impl Iterator<Item = Range<usize>> {
    let mut known = 0;
    std::iter::from_fn(move || {
        loop {
            let hash = known + memchr(b'#', &text[known..])?;
            let end = memchr(b'\n', &text[hash..]).map_or(text.len(), |at| hash + at + 1);
            let blank = text[known..hash].iter().rev();
            let blank = blank.take_while(|&&byte| byte != b'\n' && byte.is_ascii_whitespace());
            let start = hash - blank.count();
            let is_first = start == 0 || text[start - 1] == b'\n';
            known = end;
            if is_first && is_marker(&text[start..end]) {
                return Some(start..end);
            }
        }
    })
}

fn is_marker(line: &[u8]) -> bool {
    let Some(rest) = line.trim_ascii_start().strip_prefix(b"#") else {
        return false;
    };
    let rest = rest.trim_ascii_start();
    let number = rest
        .strip_prefix(b"line")
        .map_or(rest, <[u8]>::trim_ascii_start);
    number.first().is_some_and(u8::is_ascii_digit)
}

/// The line of the text, from 1, that markers call line `line` of `file`; the first of several. Of two paths one may be the end of the other.
pub(super) fn find_origin_line(text: &[u8], file: &str, line: u32) -> Option<u32> {
    let (mut at, mut number) = (0, 1);
    let mut origin: Option<u32> = None;
    for marker in marker_lines(text).chain(std::iter::once(text.len()..text.len())) {
        let lines = count_lines(&text[at..marker.start]);
        let ahead = origin.and_then(|first| line.checked_sub(first));
        if let Some(ahead) = ahead.filter(|ahead| *ahead < lines) {
            return Some(number + ahead);
        }
        number += lines + 1;
        origin = read_marker(&text[marker.clone()])
            .filter(|(_, named)| is_same_path(named, file))
            .map(|(first, _)| first);
        at = marker.end;
    }
    None
}

/// The lines of a text; what stands behind its last newline is one.
fn count_lines(text: &[u8]) -> u32 {
    text.split_inclusive(|byte| *byte == b'\n').count() as u32
}

/// The number of the next line and its file, as a marker says.
fn read_marker(line: &[u8]) -> Option<(u32, &str)> {
    let line = std::str::from_utf8(line).ok()?;
    let rest = line.trim_start().strip_prefix('#')?.trim_start();
    let rest = rest.strip_prefix("line").map_or(rest, str::trim_start);
    let (number, rest) = rest.split_once(' ')?;
    let name = rest.trim_start().strip_prefix('"')?;
    Some((number.parse().ok()?, name.split_once('"')?.0))
}

/// Whether two paths are the same, or one is the end of the other.
fn is_same_path(one: &str, other: &str) -> bool {
    let ends = |long: &str, short: &str| {
        let before = long.strip_suffix(short);
        before.is_some_and(|before| before.is_empty() || before.ends_with('/'))
    };
    ends(one, other) || ends(other, one)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_marker_says_where_the_next_line_comes_from() {
        let text =
            b"# 1 \"a.c\"\nint x;\n# 7 \"/usr/b.h\" 1\nint y;\n\nint z;\n# 2 \"a.c\" 2\nint w;";
        for (file, line, found) in [
            ("a.c", 1, Some(2)),
            ("./a.c", 2, Some(8)),
            ("/usr/b.h", 7, Some(4)),
            ("b.h", 9, Some(6)),
            ("b.h", 10, None),
            ("a.c", 3, None),
            ("c.h", 1, None),
        ] {
            assert_eq!(find_origin_line(text, file, line), found, "{file}:{line}");
        }
    }

    #[test]
    fn a_marker_is_a_line_that_begins_with_a_hash_and_a_number() {
        for (text, masked, stripped) in [
            ("int x;\n", "int x;\n", "int x;\n"),
            ("# 1 \"a.c\"\nint x;\n", "         \nint x;\n", "int x;\n"),
            (" \t#line 7\r\nint x;", "         \r\nint x;", "int x;"),
            (
                "a # 1\n# x\n#define N 1 # 2\n",
                "a # 1\n# x\n#define N 1 # 2\n",
                "a # 1\n# x\n#define N 1 # 2\n",
            ),
            ("a;\n\n  # 3", "a;\n\n     ", "a;\n\n"),
            ("# 1\n# 2\nb\n # 3\n", "   \n   \nb\n    \n", "b\n"),
        ] {
            assert_eq!(mask_markers(text.as_bytes()), masked.as_bytes(), "{text:?}");
            assert_eq!(
                strip_markers(text.as_bytes()),
                stripped.as_bytes(),
                "{text:?}"
            );
            assert_eq!(has_marker(text.as_bytes()), text != stripped, "{text:?}");
        }
    }
}
