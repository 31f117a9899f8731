//! Literals lose characters: the suffix and the prefix of a number and its digits, the text of a string. Stretches of characters go, the longest
//! first and from the back to the front (ddmin), as long as what is left looks like a literal of the kind (`pattern` of `[literals]` in
//! `language.toml`). A literal loses them in all of its places at once.
//!
//! Unless the run has more effort, a literal is left alone after a few candidates in a row without success.

use std::ops::Range;
use std::sync::Arc;

use crate::pass::shared::literal_places::{LiteralPlaces, describe_literal, write_literal};
use crate::pass::shared::passed_edit::PassedEdit;
use crate::pass::{Effort, PairScope, PassKind, RepeatPolicy, SyntaxCheck};
use crate::program::{AppliedEdit, Edit, EditAction, EditReason, NodeId, View};
use crate::protocol::{Feedback, Proposer, ProposerStep};

/// Shorter literals.
pub static CHARACTERS: PassKind = PassKind {
    name: "characters",
    description: "shortens literals that had to stay: suffixes, prefixes, digits, and the text of strings (T-Rec)",
    repeat: RepeatPolicy::Never,
    syntax_check: SyntaxCheck::Enforce,
    pair_scope: PairScope::Seed,
    filters: &[],
    start: |_, options| Box::new(CharacterPass::new(options.effort)),
};

/// A longer literal stays as it is.
const MOST_BYTES: usize = 4096;

/// Failures in a row after which the pass ends, unless the run has more effort.
const MAX_FAILURES: u32 = 12;

/// The pass.
#[derive(Clone)]
struct CharacterPass {
    effort: Effort,
    /// None before the first candidate.
    literals: Option<Arc<[LiteralPlaces]>>,
    /// The literal at hand.
    at: usize,
    cut: Option<LiteralCut>,
    to_accept: PassedEdit,
    /// Failures in a row, of all literals.
    failed: u32,
}

/// A literal that loses characters.
#[derive(Clone, Debug)]
struct LiteralCut {
    text: Arc<[u8]>,
    leaves: Arc<[NodeId]>,
    /// How many bytes go at once, and where they end.
    size: usize,
    end: usize,
    failed: u32,
}

impl LiteralCut {
    fn new(literal: &LiteralPlaces) -> LiteralCut {
        let size = literal.text.len().next_power_of_two() / 2;
        LiteralCut {
            text: literal.text.clone(),
            leaves: literal.leaves.as_slice().into(),
            size,
            end: inner_range(&literal.text).end,
            failed: 0,
        }
    }

    /// The next shorter text from here on, which must look like a literal; none where there are no more.
    fn next_text(&mut self, literal: &LiteralPlaces) -> Option<Vec<u8>> {
        if self.text.len() > MOST_BYTES {
            return None;
        }
        let inner = inner_range(&self.text);
        self.end = self.end.min(inner.end);
        while self.size > 0 {
            while self.end > inner.start {
                let start = self.end.saturating_sub(self.size).max(inner.start);
                let text = [&self.text[..start], &self.text[self.end..]].concat();
                let is_text =
                    std::str::from_utf8(&text).is_ok() || std::str::from_utf8(&self.text).is_err();
                if is_text && literal.rule.is_literal(&text) {
                    return Some(text);
                }
                self.end = start;
            }
            (self.size, self.end) = (self.size / 2, inner.end);
        }
        None
    }

    /// The candidate at hand was not interesting.
    fn pass_by(&mut self) {
        self.end = self.end.saturating_sub(self.size);
        self.failed += 1;
    }
}

/// What is between the quotes, where a text has some; else all of it.
fn inner_range(text: &[u8]) -> Range<usize> {
    let end = text.len().saturating_sub(1);
    let quote = text.last().filter(|last| !last.is_ascii_alphanumeric());
    let start = quote.and_then(|quote| text[..end].iter().position(|byte| byte == quote));
    match start {
        Some(start) => start + 1..end,
        None => 0..text.len(),
    }
}

impl CharacterPass {
    fn new(effort: Effort) -> CharacterPass {
        CharacterPass {
            effort,
            literals: None,
            at: 0,
            cut: None,
            to_accept: PassedEdit::default(),
            failed: 0,
        }
    }

    /// Whether the literal at hand had enough candidates without success.
    fn is_left_alone(&self, cut: &LiteralCut) -> bool {
        let most = cut.text.len().max(1).ilog2() + 2;
        self.effort < Effort::Hard && cut.failed >= most
    }

    fn list_literals(view: &View) -> Arc<[LiteralPlaces]> {
        let literals = LiteralPlaces::list_all(view).into_iter();
        literals.filter(|literal| !literal.is_simple()).collect()
    }
}

impl Proposer for CharacterPass {
    type View = View;
    type Edit = Edit;
    type Why = EditReason;
    type Change = AppliedEdit;

    fn propose(&mut self, view: &View) -> ProposerStep<Edit, EditReason> {
        if let Some(step) = self.to_accept.to_step() {
            return step;
        }
        let literals = self
            .literals
            .get_or_insert_with(|| CharacterPass::list_literals(view))
            .clone();
        while let Some(literal) = literals.get(self.at) {
            if self.effort < Effort::Hard && self.failed >= MAX_FAILURES {
                break;
            }
            let mut cut = self.cut.take().unwrap_or_else(|| LiteralCut::new(literal));
            let text = match self.is_left_alone(&cut) {
                true => None,
                false => cut.next_text(literal),
            };
            let Some(text) = text else {
                self.at += 1;
                continue;
            };
            let words = describe_literal(&cut.text, &text, cut.leaves.len());
            let why = EditReason {
                pass: CHARACTERS.name,
                action: EditAction::Question(words),
                node: cut.leaves.first().copied(),
            };
            let edit = write_literal(&cut.leaves, &text);
            self.cut = Some(cut);
            return ProposerStep::Test(edit, why);
        }
        ProposerStep::Done
    }

    fn on_verdict(&mut self, _: &View, tested: &Edit, feedback: Feedback) {
        self.to_accept.record_verdict(tested, feedback);
        if let Some(cut) = self.cut.as_mut().filter(|_| !feedback.is_interesting()) {
            cut.pass_by();
            self.failed += 1;
        }
    }

    fn on_accept(&mut self, view: &View, change: &AppliedEdit) {
        if !self.to_accept.clear() {
            return;
        }
        self.failed = 0;
        let Some(cut) = &mut self.cut else {
            return;
        };
        (cut.leaves, cut.failed) = (change.inserted.clone(), 0);
        let first = cut
            .leaves
            .first()
            .and_then(|leaf| view.version.find_node(*leaf));
        if let Some(first) = first {
            cut.text = first.text().into();
        }
    }

    fn invalidate(&mut self, _: &View) {
        *self = CharacterPass::new(self.effort);
    }
}
