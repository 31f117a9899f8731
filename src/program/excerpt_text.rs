//! The text of an excerpt ([`super::parse_excerpt`]), and where its faults are in the document.
//!
//! An excerpt has two texts: one of the base, one of the candidate. What the parser finds in the first is compared with the faults that are known
//! of the base there. The faults of the candidate are those of the base in what was left out, those that the parser does not see in the first, and
//! those that it finds in the second, but for what only the excerpt makes a fault: base − old + new.

use std::cmp::Reverse;
use std::ops::Range;
use std::sync::Arc;

use super::node::ProgramNode;
use super::walk;

/// The part of a candidate that its change can affect.
#[derive(Debug)]
pub struct ParseExcerpt {
    /// The same part of the base; empty if the base has no faults.
    pub base: ExcerptText,
    /// The text for the parser.
    pub candidate: ExcerptText,
    /// The faults of the base that are not in what was left out.
    faults: Vec<KnownFault>,
    /// The faults of the candidate in what was left out, as byte ranges of the candidate.
    outside: Vec<Range<usize>>,
    /// What was left out of both texts, as byte ranges of the base and of the candidate.
    omitted: Vec<CommonPart>,
    /// What both documents have, left out or not.
    common: Vec<CommonPart>,
}

/// A fault of the base in an excerpt or around it.
#[derive(Debug)]
struct KnownFault {
    /// Its place in the excerpt of the base; none if it begins or ends in what was left out.
    excerpt: Option<Range<usize>>,
    /// What the candidate has of it.
    candidate: Option<Range<usize>>,
}

/// How the faults of an excerpt differ from those of its document.
#[derive(Debug, Default)]
pub struct FaultDifference {
    /// What the candidate has of the faults that are known, and not in the excerpt.
    unseen: Vec<Option<Range<usize>>>,
    /// Those that are not known, as byte ranges of the excerpt.
    new: Vec<Range<usize>>,
}

impl FaultDifference {
    /// Whether they are the same.
    pub fn is_empty(&self) -> bool {
        self.unseen.is_empty() && self.new.is_empty()
    }
}

/// Bytes of the base that the candidate has too, but for white space.
#[derive(Clone, Debug)]
struct CommonPart {
    old: Range<usize>,
    new: Range<usize>,
}

/// A text of pieces of a document.
#[derive(Debug, Default)]
pub struct ExcerptText {
    /// Its bytes.
    pub bytes: Vec<u8>,
    pieces: Vec<ExcerptPiece>,
    /// How much of the document lies behind.
    at: usize,
}

/// Bytes that stand together in an excerpt and in its document.
#[derive(Clone, Copy, Debug)]
struct ExcerptPiece {
    excerpt: usize,
    document: usize,
    length: usize,
}

/// Elements that stand together and are left out.
#[derive(Clone, Copy, Debug, Default)]
pub struct OmittedStretch {
    /// See [`super::node::SubtreeSums`].
    pub bytes: u32,
    /// As above.
    pub newlines: u32,
}

impl OmittedStretch {
    /// One more element.
    pub fn add_node(&mut self, node: &ProgramNode) {
        self.bytes += node.sums().bytes;
        self.newlines += node.sums().newlines;
    }

    /// What stands on two lines, or are two tokens, stays that.
    fn separator(self) -> u8 {
        if self.newlines > 0 { b'\n' } else { b' ' }
    }
}

impl ExcerptPiece {
    /// The same place in the other text.
    fn swapped(self) -> ExcerptPiece {
        ExcerptPiece {
            excerpt: self.document,
            document: self.excerpt,
            length: self.length,
        }
    }
}

impl ExcerptText {
    /// None if the text would be longer than `longest`.
    fn write_node(&mut self, node: &Arc<ProgramNode>, longest: usize) -> Option<()> {
        let length = node.sums().bytes as usize;
        if self.bytes.len() + length > longest {
            return None;
        }
        let (excerpt, document) = (self.bytes.len(), self.at);
        match self.pieces.last_mut() {
            Some(last)
                if last.excerpt + last.length == excerpt
                    && last.document + last.length == document =>
            {
                last.length += length;
            }
            _ => self.pieces.push(ExcerptPiece {
                excerpt,
                document,
                length,
            }),
        }
        self.at += length;
        walk::visit_text_pieces(node, |_, piece| self.bytes.extend_from_slice(piece));
        Some(())
    }

    fn omit_stretch(&mut self, stretch: OmittedStretch) {
        self.at += stretch.bytes as usize;
        self.bytes.push(stretch.separator());
    }

    /// Where a range of the document is in the excerpt; none if one of its ends was left out.
    fn find_in_excerpt(&self, range: &Range<usize>) -> Option<Range<usize>> {
        translate_range(self.pieces.iter().map(|piece| piece.swapped()), range)
    }

    /// Where a range of the excerpt is in the document; none if one of its ends is a separator.
    fn find_in_document(&self, range: &Range<usize>) -> Option<Range<usize>> {
        translate_range(self.pieces.iter().copied(), range)
    }
}

/// A range of excerpts as one of documents. What is empty belongs to the piece before it: so does a missing token.
fn translate_range(
    pieces: impl Iterator<Item = ExcerptPiece>,
    range: &Range<usize>,
) -> Option<Range<usize>> {
    let (mut start, mut end) = (None, None);
    for piece in pieces {
        let (from, to) = (piece.excerpt, piece.excerpt + piece.length);
        let place = |at: usize| at - from + piece.document;
        let ends_here = from < range.end && range.end <= to || range.end == 0 && from == 0;
        let begins_here = match range.is_empty() {
            true => ends_here,
            false => from <= range.start && range.start < to,
        };
        start = start.or(begins_here.then(|| place(range.start)));
        end = end.or(ends_here.then(|| place(range.end)));
    }
    Some(start?..end?)
}

impl ParseExcerpt {
    /// How the faults that the parser finds in the base's excerpt differ from those that are known of the base there.
    pub fn compare_faults(&self, found: &[Range<usize>]) -> FaultDifference {
        let mut difference = FaultDifference::default();
        let mut found = found.iter().peekable();
        for fault in &self.faults {
            let place = fault.excerpt.as_ref();
            let before =
                |found: &&Range<usize>| place.is_some_and(|place| order(found) < order(place));
            while let Some(other) = found.next_if(before) {
                difference.new.push(other.clone());
            }
            if place.is_none() || found.next_if(|found| Some(*found) == place).is_none() {
                difference.unseen.push(fault.candidate.clone());
            }
        }
        difference.new.extend(found.cloned());
        difference
    }

    /// The faults of the candidate, if the parser finds these in the two excerpts: those in what was left out, what it does not see of the base's, and
    /// what it finds in the candidate's excerpt, but for what is new in that of the base. None if something new in the base's excerpt is not
    /// in the candidate's, though what is there stays; and if a fault has a part that was left out where no fault of the base's excerpt has
    /// the same part: nobody knows what is a fault there.
    pub fn place_faults(
        &self,
        in_base: &[Range<usize>],
        in_candidate: &[Range<usize>],
        difference: FaultDifference,
    ) -> Option<Vec<Range<usize>>> {
        let place = |text: &ExcerptText, faults: &[Range<usize>]| -> Option<Vec<Range<usize>>> {
            let places = faults.iter().map(|fault| text.find_in_document(fault));
            places.collect()
        };
        let old = place(&self.base, in_base)?;
        let mut all = place(&self.candidate, in_candidate)?;
        if self.list_omissions(&old, |part| &part.old)
            != self.list_omissions(&all, |part| &part.new)
        {
            return None;
        }
        for fault in place(&self.base, &difference.new)? {
            if let Some(fault) = find_in_candidate(&self.common, &fault) {
                let at = all.iter().position(|found| *found == fault)?;
                all.swap_remove(at);
            }
        }
        all.extend(self.outside.iter().cloned());
        all.extend(difference.unseen.into_iter().flatten());
        sort_faults(&mut all);
        Some(all)
    }

    /// For each fault that has parts that were left out of both texts, which these are.
    fn list_omissions(
        &self,
        faults: &[Range<usize>],
        place: impl Fn(&CommonPart) -> &Range<usize>,
    ) -> Vec<Range<usize>> {
        let inside = |fault: &Range<usize>| {
            let first = self
                .omitted
                .partition_point(|part| place(part).start < fault.start);
            let last = self
                .omitted
                .partition_point(|part| place(part).end <= fault.end);
            first..last
        };
        let around = faults
            .iter()
            .map(inside)
            .filter(|inside| !inside.is_empty());
        let mut around: Vec<Range<usize>> = around.collect();
        sort_faults(&mut around);
        around
    }
}

/// In the order in which they begin, what is around others first.
pub fn sort_faults(faults: &mut [Range<usize>]) {
    faults.sort_unstable_by_key(order);
}

fn order(fault: &Range<usize>) -> (usize, Reverse<usize>) {
    (fault.start, Reverse(fault.end))
}

/// What the candidate has of a range of the base.
fn find_in_candidate(common: &[CommonPart], range: &Range<usize>) -> Option<Range<usize>> {
    let place = |part: &CommonPart, at: usize| {
        let inside = at.clamp(part.old.start, part.old.end) - part.old.start;
        (part.new.start + inside).min(part.new.end)
    };
    let last = common.partition_point(|part| part.old.start < range.end);
    let last = common.get(last.saturating_sub(1))?;
    if range.is_empty() {
        let there = last.old.start <= range.end && range.end <= last.old.end;
        return there.then(|| place(last, range.end)..place(last, range.end));
    }
    let first = common.partition_point(|part| part.old.end <= range.start);
    let range = place(common.get(first)?, range.start)..place(last, range.end);
    (range.start < range.end).then_some(range)
}

/// Writes an excerpt from the front to the back.
pub struct ExcerptWriter {
    /// Whether the text of the base is needed.
    with_base: bool,
    longest: usize,
    base: ExcerptText,
    candidate: ExcerptText,
    /// What was left out of the base.
    gone: Vec<Range<usize>>,
    /// What was left out of both.
    omitted: Vec<CommonPart>,
    /// What both have, left out or not.
    common: Vec<CommonPart>,
}

impl ExcerptWriter {
    /// A writer of texts of at most `longest` bytes.
    pub fn new(longest: usize, with_base: bool) -> ExcerptWriter {
        ExcerptWriter {
            with_base,
            longest,
            base: ExcerptText::default(),
            candidate: ExcerptText::default(),
            gone: Vec::new(),
            omitted: Vec::new(),
            common: Vec::new(),
        }
    }

    /// A node that stays; it may have changed its white space. None if the excerpt would be too long.
    pub fn keep_pair(&mut self, old: &Arc<ProgramNode>, new: &Arc<ProgramNode>) -> Option<()> {
        let start = (self.base.at, self.candidate.at);
        self.drop_node(old)?;
        self.insert_node(new)?;
        self.common.push(CommonPart {
            old: start.0..self.base.at,
            new: start.1..self.candidate.at,
        });
        Some(())
    }

    /// A node that the candidate does not have.
    pub fn drop_node(&mut self, node: &Arc<ProgramNode>) -> Option<()> {
        match self.with_base {
            true => self.base.write_node(node, self.longest),
            false => Some(()),
        }
    }

    /// A node that the base did not have.
    pub fn insert_node(&mut self, node: &Arc<ProgramNode>) -> Option<()> {
        self.candidate.write_node(node, self.longest)
    }

    /// Elements that both have and the excerpts do not.
    pub fn omit_stretch(&mut self, stretch: OmittedStretch) {
        let start = (self.base.at, self.candidate.at);
        self.candidate.omit_stretch(stretch);
        self.omit_dropped(stretch);
        let part = CommonPart {
            old: start.0..self.base.at,
            new: start.1..self.candidate.at,
        };
        self.common.push(part.clone());
        self.omitted.push(part);
    }

    /// Elements that only the base has, and its excerpt does not.
    pub fn omit_dropped(&mut self, stretch: OmittedStretch) {
        if self.with_base {
            let start = self.base.at;
            self.base.omit_stretch(stretch);
            self.gone.push(start..self.base.at);
        }
    }

    /// The excerpt of a base with these faults.
    pub fn finish(self, faults: &[Range<usize>]) -> ParseExcerpt {
        let ExcerptWriter {
            base,
            candidate,
            gone,
            omitted,
            common,
            ..
        } = self;
        let (mut inside, mut outside) = (Vec::new(), Vec::new());
        for fault in faults {
            let next = gone.partition_point(|gone| gone.end < fault.end);
            let left_out =
                |gone: &Range<usize>| gone.start < fault.end && gone.start <= fault.start;
            let place = find_in_candidate(&common, fault);
            match gone.get(next).is_some_and(left_out) {
                true => outside.extend(place),
                false => inside.push(KnownFault {
                    excerpt: base.find_in_excerpt(fault),
                    candidate: place,
                }),
            }
        }
        ParseExcerpt {
            base,
            candidate,
            faults: inside,
            outside,
            omitted,
            common,
        }
    }
}
