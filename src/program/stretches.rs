//! A long text, parsed by stretches: on all processors, and without the parser's tree of all of it at once.
//!
//! What a parser makes of an item at the top level of a program does not depend on items that stand far away, unless it has lost its way. So
//! a text is cut into stretches of a fixed length, each of which reaches over the beginning of the next. Both parses read the text that two
//! stretches share: the first knows what stands before it, the second what stands behind it. Where both find the same items without a fault, long
//! enough, the second has found its way, and it is used from the middle of those items on. So a stretch may begin in the middle of an item, and may
//! have faults: these are far from where it is joined to others. Where they do not agree, the first is parsed again, with the text of both. If that happens too often, the text is parsed as a whole.
//!
//! Lengths are fixed, so that the tree is the same on every machine.

use std::collections::{BTreeMap, VecDeque};
use std::iter::Enumerate;
use std::ops::Range;

use crate::language::Language;
use crate::language::parser::{ParseCursor, ParseLimit, ParseNode, ParseTree};

/// How long stretches are, in bytes.
#[derive(Clone, Copy, Debug)]
pub struct StretchLengths {
    /// A shorter text is parsed as a whole.
    pub text: usize,
    /// From the beginning of a stretch to that of the next, at least.
    pub stretch: usize,
    /// What a stretch shares with the next, at least.
    pub shared: usize,
    /// The items that both parses find alike have together this length at least.
    pub agreement: usize,
}

impl Default for StretchLengths {
    fn default() -> StretchLengths {
        StretchLengths {
            text: 1 << 18,
            stretch: 1 << 18,
            shared: 1 << 14,
            agreement: 1 << 10,
        }
    }
}

/// The fewest items that both parses of a shared text find alike.
const MIN_ITEMS: usize = 4;

/// The fewest lines of a shared text on which an item probably begins.
const MIN_LINES: usize = 3 * MIN_ITEMS;

/// The children of the root in this range are those of a parse of the whole text.
pub struct ParsedStretch {
    /// The parser's tree of the range and of more.
    pub tree: ParseTree,
    /// Where the first child begins, and where the one after the last does; for the last stretch, `usize::MAX`.
    pub items: Range<usize>,
}

/// A text is parsed as a whole.
#[derive(Debug)]
pub struct ParseAsWhole;

/// The stretches of a text: they are parsed in any order, and joined in theirs.
pub struct StretchParser<'a> {
    language: &'static Language,
    masked: &'a [u8],
    lengths: StretchLengths,
    /// The stretches that nobody parses yet, with their numbers. Each reaches over the beginning of the next.
    ahead: Enumerate<std::vec::IntoIter<Range<usize>>>,
    /// Those that were parsed before one in front of them.
    early: BTreeMap<usize, TriedStretch>,
    /// Those that were parsed and are not joined to the next.
    parsed: VecDeque<TriedStretch>,
    /// The number of the first that is not parsed.
    next: usize,
    /// How many there are.
    count: usize,
    /// Where the children begin that the first of them gives.
    from: usize,
    /// How many bytes may still be parsed again.
    budget: usize,
}

impl<'a> StretchParser<'a> {
    /// None for a text that is parsed as a whole.
    pub fn new(
        language: &'static Language,
        masked: &'a [u8],
        lengths: StretchLengths,
    ) -> Option<StretchParser<'a>> {
        if masked.len() < lengths.text {
            return None;
        }
        let ahead = cut_text(masked, lengths);
        let count = ahead.len();
        (count > 1).then(|| StretchParser {
            language,
            masked,
            lengths,
            ahead: ahead.into_iter().enumerate(),
            early: BTreeMap::new(),
            parsed: VecDeque::new(),
            next: 0,
            count,
            from: 0,
            budget: masked.len() / 2,
        })
    }

    /// The next stretch that is to be parsed, and its number; none after the last.
    pub fn next_range(&mut self) -> Option<(usize, Range<usize>)> {
        self.ahead.next()
    }

    /// Whether [`StretchParser::next_range`] gave all.
    pub fn is_handed_out(&self) -> bool {
        self.ahead.len() == 0
    }

    /// Joins the stretch of this number, and those that were parsed before it and stand behind it, to those in front. What comes out is in order: all that
    /// is before a stretch that has none behind it yet.
    ///
    /// # Errors
    /// When a stretch does not fit to the next.
    pub fn join_parsed(
        &mut self,
        number: usize,
        stretch: TriedStretch,
    ) -> Result<Vec<ParsedStretch>, ParseAsWhole> {
        self.early.insert(number, stretch);
        while let Some(stretch) = self.early.remove(&self.next) {
            self.parsed.push_back(stretch);
            self.next += 1;
        }
        let mut found = Vec::new();
        while let Some(left) = self.parsed.pop_front() {
            let Some(right) = self.parsed.front() else {
                if self.next < self.count {
                    self.parsed.push_front(left);
                    break;
                }
                let tree = left.tree.ok_or(ParseAsWhole)?;
                let items = self.from..usize::MAX;
                found.push(ParsedStretch { tree, items });
                break;
            };
            let shared = self.from.max(right.range.start)..left.range.end;
            let both = left.range.start..right.range.end;
            if let Some((tree, next)) = left.tree.zip(right.tree.as_ref())
                && let Some(junction) =
                    find_junction(&tree, next, shared, self.masked, self.lengths.agreement)
            {
                let items = std::mem::replace(&mut self.from, junction)..junction;
                found.push(ParsedStretch { tree, items });
                continue;
            }
            self.budget = self.budget.checked_sub(both.len()).ok_or(ParseAsWhole)?;
            self.parsed[0].tree = None;
            self.parsed[0] = TriedStretch::parse(self.language, self.masked, both);
        }
        Ok(found)
    }
}

/// A stretch that was parsed.
pub struct TriedStretch {
    range: Range<usize>,
    /// None if the parse did not end within its limit, or found no program at all.
    tree: Option<ParseTree>,
}

impl TriedStretch {
    /// Parses a stretch of a masked text.
    pub fn parse(language: &'static Language, masked: &[u8], range: Range<usize>) -> TriedStretch {
        let limit = ParseLimit::for_length(range.len());
        let parsed = language
            .new_parser()
            .parse_stretch(masked, range.clone(), limit);
        let tree = parsed.and_then(Result::ok);
        let tree = tree.filter(|tree| !tree.walk().node().is_error());
        TriedStretch { range, tree }
    }
}

/// The stretches of a text.
fn cut_text(masked: &[u8], lengths: StretchLengths) -> Vec<Range<usize>> {
    let (mut stretches, mut start, mut at) = (Vec::new(), 0, lengths.stretch);
    while at + lengths.stretch <= masked.len() {
        let until = at + lengths.stretch / 2;
        at = match find_shared(masked, at..until, lengths.shared) {
            Some(shared) => {
                stretches.push(start..shared.end);
                start = shared.start;
                start + lengths.stretch
            }
            None => until,
        };
    }
    stretches.push(start..masked.len());
    stretches
}

/// The shortest text in this range, of this length at least, with enough lines on which an item probably begins. It is between two of them.
fn find_shared(masked: &[u8], range: Range<usize>, length: usize) -> Option<Range<usize>> {
    let lines = item_lines(masked, range);
    let mut end = 0;
    let shared = lines.iter().enumerate().filter_map(|(at, &start)| {
        while end < at + MIN_LINES || lines.get(end).is_some_and(|&end| end < start + length) {
            end += 1;
        }
        Some(start..*lines.get(end)?)
    });
    shared.min_by_key(|shared| shared.len())
}

/// The lines of a range on which an item at the top level probably begins: those that are not indented, stand after an empty line or after the end of
/// something, and stand in fewer brackets than others.
fn item_lines(masked: &[u8], range: Range<usize>) -> Vec<usize> {
    // What stands before the first line is not known.
    let (mut last, mut at): (&[u8], usize) = (b"?", range.start);
    let (mut lines, mut depth, mut least) = (Vec::new(), 0, i64::MAX);
    for line in masked[range].split_inclusive(|&byte| byte == b'\n') {
        let text = line.trim_ascii_end();
        let begins = |first: &u8| !is_blank(*first) && !b")]}".contains(first);
        let is_after_end =
            last.iter().copied().all(is_blank) || last.ends_with(b"}") || last.ends_with(b";");
        if is_after_end && text.first().is_some_and(begins) && depth <= least {
            if depth < least {
                lines.clear();
            }
            least = depth;
            lines.push(at);
        }
        depth += text.iter().map(|&byte| bracket_step(byte)).sum::<i64>();
        at += line.len();
        last = text;
    }
    lines
}

fn bracket_step(byte: u8) -> i64 {
    match byte {
        b'(' | b'[' | b'{' => 1,
        b')' | b']' | b'}' => -1,
        _ => 0,
    }
}

/// Whether a byte is white space or was masked.
pub fn is_blank(byte: u8) -> bool {
    byte.is_ascii_whitespace() || byte == b'\x0b'
}

/// Where the tree of the text before and that of the text behind may be joined in what they share: at the beginning of an item in the middle
/// of those that both have.
fn find_junction(
    before: &ParseTree,
    behind: &ParseTree,
    shared: Range<usize>,
    masked: &[u8],
    agreement: usize,
) -> Option<usize> {
    if before.walk().node().kind_id() != behind.walk().node().kind_id() {
        return None;
    }
    let (mut left, mut right) = (before.walk(), behind.walk());
    let mut is_there = left.goto_first_child() && right.goto_first_child();
    let mut alike: Vec<Range<usize>> = Vec::new();
    while is_there {
        let (own, other) = (left.node().range(), right.node().range());
        if own.start < shared.start || own.start < other.start {
            is_there = left.goto_next_sibling();
            alike.clear();
            continue;
        }
        if other.start < own.start {
            is_there = right.goto_next_sibling();
            alike.clear();
            continue;
        }
        match is_same_item(&left, &right) {
            true => alike.push(own),
            false => alike.clear(),
        }
        let length = match &alike[..] {
            [first, .., last] => last.end - first.start,
            _ => 0,
        };
        if length >= agreement && alike.len() >= MIN_ITEMS {
            let middle = alike[0].start + length / 2;
            let inner = alike.windows(2).skip(1);
            let ends_in_token =
                |item: &Range<usize>| !item.is_empty() && !is_blank(masked[item.end - 1]);
            let places =
                inner.filter(|pair| ends_in_token(&pair[0]) && pair[0].end <= pair[1].start);
            let junction = places.min_by_key(|pair| pair[1].start.abs_diff(middle));
            if let Some(pair) = junction {
                return Some(pair[1].start);
            }
        }
        is_there = left.goto_next_sibling() && right.goto_next_sibling();
    }
    None
}

/// Whether both have the same item here, without a fault.
fn is_same_item(left: &ParseCursor, right: &ParseCursor) -> bool {
    let (mut left, mut right) = (left.clone(), right.clone());
    let mut depth = 0;
    loop {
        let (own, other) = (left.node(), right.node());
        let of_node = |node: &ParseNode| {
            (
                node.kind_id(),
                node.grammar_id(),
                node.range(),
                node.child_count(),
                node.is_extra(),
            )
        };
        let is_same = of_node(&own) == of_node(&other) && left.field_id() == right.field_id();
        if !is_same || own.has_error() || other.has_error() || own.is_missing() {
            return false;
        }
        if left.goto_first_child() {
            right.goto_first_child();
            depth += 1;
            continue;
        }
        loop {
            if depth == 0 {
                return true;
            }
            if left.goto_next_sibling() {
                right.goto_next_sibling();
                break;
            }
            left.goto_parent();
            right.goto_parent();
            depth -= 1;
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;
    use std::sync::Arc;

    use proptest::prelude::*;

    use super::*;
    use crate::language::{self, all_languages};
    use crate::program::names::NameSharing;
    use crate::program::read::read_with_lengths;
    use crate::program::reread::reparse_with_lengths;
    use crate::program::{Edit, Version};
    use crate::program::{EditOp, apply_edit, walk};

    /// A text of a hundred lines is long.
    const SHORT: StretchLengths = StretchLengths {
        text: 1,
        stretch: 4000,
        shared: 300,
        agreement: 60,
    };
    /// For texts with faults: a parser needs some of the text behind a fault until it has found its way again.
    const FAULTY: StretchLengths = StretchLengths {
        text: 1,
        stretch: 12_000,
        shared: 3_000,
        agreement: 500,
    };
    /// Every text is parsed as a whole.
    const WHOLE: StretchLengths = StretchLengths {
        text: usize::MAX,
        ..SHORT
    };

    fn read(language: &'static Language, text: &[u8], lengths: StretchLengths) -> Option<Version> {
        let file = (Some(language), Path::new("a").into(), Arc::from(text));
        read_with_lengths(vec![file], NameSharing::Program, lengths).ok()
    }

    /// Whether the text is parsed by stretches of these lengths. Then all that is read is the same as if it was parsed as a whole.
    fn assert_same(language: &'static Language, text: &[u8], stretches: StretchLengths) -> bool {
        let read = [stretches, WHOLE].map(|lengths| read(language, text, lengths));
        let [Some(stretched), Some(whole)] = &read else {
            return false;
        };
        let is_stretched = stretched.known_parse_tree(0).is_none();
        let facts = [stretched, whole].map(|version| {
            let parse = version.parse_trees()[0].as_ref().expect("what is known");
            let root = &version.documents()[0].root;
            let names = format!("{:?}", version.name_graph());
            (
                parse.faults().to_vec(),
                root.sums(),
                root.content_hash(),
                names,
            )
        });
        let [own, other] = [stretched, whole].map(|version| &version.documents()[0].root);
        assert!(
            own.is_identical(other) && facts[0] == facts[1],
            "{} read by stretches differs:\n{}",
            language.name,
            String::from_utf8_lossy(text)
        );
        is_stretched
    }

    /// Whether the text without some nodes is parsed by stretches when it is read again. Then all is the same as if it was parsed as a whole.
    fn assert_reread_same(language: &'static Language, text: &[u8], removed: &[usize]) -> bool {
        let Some(version) = read(language, text, WHOLE) else {
            return false;
        };
        let edited = removed.iter().fold(version, |version, &at| {
            let nodes = walk::preorder(&version.documents()[0].root);
            let nodes: Vec<_> = nodes.map(|node| node.id).collect();
            let edit = Edit::from(EditOp::Delete(nodes[at % nodes.len()]));
            let edited = apply_edit(&version, &edit).map(|(edited, _)| edited);
            edited.unwrap_or(version)
        });
        let again = [SHORT, WHOLE].map(|lengths| reparse_with_lengths(&edited, lengths));
        let [Some(stretched), Some(whole)] = &again else {
            assert!(again.iter().all(Option::is_none), "{}", language.name);
            return false;
        };
        let [own, other] = [stretched, whole].map(|version| &version.documents()[0].root);
        let names = [stretched, whole].map(|version| format!("{:?}", version.name_graph()));
        assert!(own.is_identical(other), "{}", language.name);
        assert_eq!(names[0], names[1], "{}", language.name);
        let nodes = walk::preorder(own);
        let mut ids = nodes.map(|node| node.id);
        assert!(ids.all(|id| stretched.find_node(id).is_some()));
        stretched.known_parse_tree(0).is_none()
    }

    /// Programs one after the other, as long as a few stretches.
    fn repeat_sample(language: &'static Language, stretches: StretchLengths) -> String {
        let (_, sample) = language.sample_program();
        sample.repeat(4 * stretches.stretch / sample.len() + 3)
    }

    #[test]
    #[ignore = "long"]
    fn what_is_parsed_by_stretches_is_what_is_parsed_as_a_whole() {
        let stretched = all_languages().iter().filter(|language| {
            assert_same(language, repeat_sample(language, SHORT).as_bytes(), SHORT)
        });
        let names: Vec<_> = stretched.map(|language| language.name).collect();
        assert!(names.len() >= 6, "{names:?}");
    }

    #[test]
    #[ignore = "long"]
    fn a_text_is_read_again_by_stretches_as_it_is_as_a_whole() {
        let stretched = all_languages().iter().filter(|language| {
            assert_reread_same(
                language,
                repeat_sample(language, SHORT).as_bytes(),
                &[700, 90, 2000],
            )
        });
        let names: Vec<_> = stretched.map(|language| language.name).collect();
        assert!(names.len() >= 6, "{names:?}");
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(48))]
        #[test]
        #[ignore = "long"]
        fn a_spoiled_text_is_read_by_stretches_as_it_is_as_a_whole(
            language in prop::sample::select(vec!["c", "cpp", "rust", "python", "java", "javascript", "go"]),
            cuts in prop::collection::vec((any::<prop::sample::Index>(), 1..40usize), 0..4),
        ) {
            let language = language::by_name(language).expect("it is known");
            let mut text = repeat_sample(language, FAULTY).into_bytes();
            for (at, length) in cuts {
                let at = at.index(text.len());
                text.drain(at..text.len().min(at + length));
            }
            assert_same(language, &text, FAULTY);
        }
    }
}
