//! The differences of two texts in the form of `diff -u`.

use similar::DiffOp;

use crate::program::diff_sequences;

/// How many lines are shown around a difference.
const AROUND: usize = 3;

/// The lines of a text, without their ends.
fn split_lines(text: &[u8]) -> Vec<&[u8]> {
    let lines = text.split_inclusive(|byte| *byte == b'\n');
    let bare = lines.map(|line| line.strip_suffix(b"\n").unwrap_or(line));
    bare.collect()
}

/// The differences of two texts in the form of `diff -u`.
pub fn unified_diff(old: &[u8], new: &[u8], old_name: &str, new_name: &str) -> Vec<u8> {
    let (a, b) = (split_lines(old), split_lines(new));
    let ops = diff_sequences(&a, &b);
    let mut page = Vec::new();
    for group in similar::group_diff_ops(ops, AROUND) {
        let (Some(first), Some(last)) = (group.first(), group.last()) else {
            continue;
        };
        if page.is_empty() {
            page.extend(format!("--- {old_name}\n+++ {new_name}\n").bytes());
        }
        let range = |start: usize, end: usize| {
            format!("{},{}", start + usize::from(end > start), end - start)
        };
        let place = format!(
            "@@ -{} +{} @@\n",
            range(first.old_range().start, last.old_range().end),
            range(first.new_range().start, last.new_range().end)
        );
        page.extend(place.bytes());
        for op in &group {
            let mut lines = |mark: u8, lines: &[&[u8]]| {
                let marked = lines.iter().map(|line| [&[mark], *line, b"\n"].concat());
                page.extend(marked.flatten());
            };
            match op {
                DiffOp::Equal { .. } => lines(b' ', &a[op.old_range()]),
                _ => {
                    lines(b'-', &a[op.old_range()]);
                    lines(b'+', &b[op.new_range()]);
                }
            }
        }
    }
    page
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_difference_is_shown_as_diff_does() {
        let old = b"a\nb\nc\xff\nd\ne\nf\n";
        let new = b"a\nb\nc\xff\ne\nf\n";
        let expected = b"--- old\n+++ new\n@@ -1,6 +1,5 @@\n a\n b\n c\xff\n-d\n e\n f\n";
        assert_eq!(unified_diff(old, new, "old", "new"), expected);
        assert_eq!(unified_diff(old, old, "old", "new"), b"");
    }
}
