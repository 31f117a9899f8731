//! The lines of a version: read one after the other from any line on, and compared with those of another version.

use std::sync::{Arc, LazyLock};

use super::line_parser::LONGEST_LINE;
use crate::program::ProgramNode;
use crate::tui::program_view::edit_marks::EditMarks;
use crate::tui::program_view::lines::{LeafWalker, count_line_ends};

static NO_MARKS: LazyLock<EditMarks> = LazyLock::new(EditMarks::default);

/// The lines of a document from one on, without their ends. Of a line that is too long to be coloured only the beginning is kept.
pub struct LineReader<'a> {
    leaves: LeafWalker<'a, 'static>,
    /// What is left of the leaf that was begun: white space before it, and its text.
    rest: [&'a [u8]; 2],
    /// How many lines before the first one are left.
    skipped: u32,
    is_done: bool,
}

impl<'a> LineReader<'a> {
    /// The lines from `first` on.
    pub fn from_line(root: &'a Arc<ProgramNode>, first: u32) -> LineReader<'a> {
        let mut leaves = LeafWalker::new(root, &NO_MARKS, None);
        leaves.skip_to_line(first);
        let mut reader = LineReader {
            leaves,
            rest: [&[], &[]],
            skipped: 0,
            is_done: first > root.sums().newlines,
        };
        if let Some(leaf) = reader.leaves.next() {
            reader.rest = [leaf.node.trivia(), leaf.node.text()];
            reader.skipped = first.saturating_sub(leaf.line);
        }
        reader
    }

    fn read_line(&mut self) -> Option<Vec<u8>> {
        if self.is_done {
            return None;
        }
        let mut line = Vec::new();
        loop {
            for part in &mut self.rest {
                let end = memchr::memchr(b'\n', part);
                let (own, after) = part.split_at(end.unwrap_or(part.len()));
                // One more says that it is too long.
                let room = (LONGEST_LINE + 1).saturating_sub(line.len());
                line.extend_from_slice(&own[..own.len().min(room)]);
                *part = after;
                if end.is_some() {
                    *part = &part[1..];
                    // CR LF is one line end.
                    line.truncate(line.strip_suffix(b"\r").unwrap_or(&line).len());
                    return Some(line);
                }
            }
            match self.leaves.next() {
                Some(leaf) => self.rest = [leaf.node.trivia(), leaf.node.text()],
                None => {
                    self.is_done = true;
                    return Some(line);
                }
            }
        }
    }
}

impl Iterator for LineReader<'_> {
    type Item = Vec<u8>;

    fn next(&mut self) -> Option<Vec<u8>> {
        while self.skipped > 0 {
            self.skipped -= 1;
            self.read_line();
        }
        self.read_line()
    }
}

/// What two versions of a document have in common at their beginning and at their end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct CommonLines {
    /// The line ends in front of the first difference.
    pub before: u32,
    /// The line ends behind the last difference.
    pub behind: u32,
}

impl CommonLines {
    /// Compares two versions. Nodes that they share cost nothing.
    pub fn between(old: &Arc<ProgramNode>, new: &Arc<ProgramNode>) -> CommonLines {
        let (all_old, all_new) = (old.sums().newlines, new.sums().newlines);
        let before = count_common_ends([old, new], false);
        if before == all_old && all_old == all_new {
            return CommonLines { before, behind: 0 };
        }
        let most = all_old.min(all_new) - before;
        let behind = count_common_ends([old, new], true).min(most);
        CommonLines { before, behind }
    }
}

/// The line ends in the leaves that both have, from the beginning or from the end.
fn count_common_ends([old, new]: [&Arc<ProgramNode>; 2], from_end: bool) -> u32 {
    let (mut old_stack, mut new_stack) = (vec![old], vec![new]);
    let mut ends = 0;
    while let (Some(old), Some(new)) = (old_stack.pop(), new_stack.pop()) {
        if Arc::ptr_eq(old, new) {
            ends += old.sums().newlines;
        } else if !old.shape.is_leaf() || !new.shape.is_leaf() {
            expand_node(&mut old_stack, old, from_end);
            expand_node(&mut new_stack, new, from_end);
        } else if old.trivia() == new.trivia() && old.text() == new.text() {
            ends += old.sums().newlines;
        } else {
            if !from_end && old.trivia() == new.trivia() {
                ends += count_line_ends(old.trivia());
            }
            break;
        }
    }
    ends
}

/// Puts the children of a node on a stack, the first to be taken last; of a leaf the leaf itself.
fn expand_node<'a>(
    stack: &mut Vec<&'a Arc<ProgramNode>>,
    node: &'a Arc<ProgramNode>,
    from_end: bool,
) {
    match (node.shape.is_leaf(), from_end) {
        (true, _) => stack.push(node),
        (false, true) => stack.extend(node.children()),
        (false, false) => stack.extend(node.children().iter().rev()),
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::program;

    fn read_root(text: &str) -> Arc<ProgramNode> {
        let source = (None, Arc::from(Path::new("a")), Arc::from(text.as_bytes()));
        let version = program::read_documents(vec![source]).expect("a text");
        version.documents()[0].root.clone()
    }

    #[test]
    fn the_lines_from_any_line_on_are_those_of_the_text() {
        let text = "one two\n\n  three\r\nfour (five\n\tsix)\n";
        let root = read_root(text);
        let lines: Vec<&str> = text
            .split('\n')
            .map(|line| line.trim_end_matches('\r'))
            .collect();
        for first in 0..lines.len() + 2 {
            let read = LineReader::from_line(&root, first as u32);
            let read: Vec<String> = read
                .map(|line| String::from_utf8(line).expect("UTF-8"))
                .collect();
            assert_eq!(read, lines[first.min(lines.len())..], "{first}");
        }
    }

    #[test]
    fn a_line_that_is_too_long_is_read_to_its_end() {
        let root = read_root(&format!("{}\nb\n", "a ".repeat(10_000)));
        let read: Vec<Vec<u8>> = LineReader::from_line(&root, 0).collect();
        assert_eq!(read.len(), 3);
        assert_eq!(read[0].len(), LONGEST_LINE + 1);
        assert_eq!(read[1], b"b");
    }

    #[test]
    fn versions_have_the_lines_around_a_change_in_common() {
        let common = |old, new| {
            let common = CommonLines::between(&read_root(old), &read_root(new));
            (common.before, common.behind)
        };
        assert_eq!(common("a\nb\nc\nd\n", "a\nb\nd\n"), (2, 1));
        assert_eq!(common("a\nb\nc\nd\n", "a\nx y\nc\nd\n"), (1, 3));
        assert_eq!(common("a\nb\n", "a\nb\n"), (2, 0));
        assert_eq!(common("a\na\na\n", "a\na\n").0, 2);
        assert_eq!(common("a", "b"), (0, 0));
    }
}
