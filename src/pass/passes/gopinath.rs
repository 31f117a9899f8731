//! The search of Gopinath's post on Perses ("Simplifying Inputs with a Grammar: Perses", rahul.gopinath.org), over the grammar as it is
//! written.
//!
//! The queue holds whole programs with a place in each: smallest program first, then fewest tokens below the place, then the newest. What
//! derives the place is replaced by each part inside it of the same nonterminal, outer ones first; where the grammar allows nothing there,
//! that comes first. Each replacement that is interesting joins the queue with the same place. If none is, the nonterminals
//! directly below join it. No text is asked about twice. A program that is smaller than all before is accepted. Larger ones stay on the queue
//! too, so every candidate is a new text as a whole.

use std::cmp::Reverse;
use std::sync::Arc;

use crate::grammar::bnf::choices::{ChoiceDerivation, ChoiceSpan, ChoiceSpanKind};
use crate::pass::shared::choice_program::ChoiceProgram;
use crate::pass::{PairScope, PassKind, RepeatPolicy, SyntaxCheck};
use crate::program::{
    AppliedEdit, DetourBound, Edit, EditAction, EditOp, EditReason, View, apply_edit,
};
use crate::protocol::{Feedback, Proposer, ProposerStep};

/// Gopinath's search.
pub static GOPINATH: PassKind = PassKind {
    name: "gopinath",
    description: "Gopinath's search: a queue of programs, each part replaced by those inside it of the same nonterminal",
    repeat: RepeatPolicy::Never,
    syntax_check: SyntaxCheck::Enforce,
    pair_scope: PairScope::Both,
    filters: &[],
    start: |_, _| Box::new(GopinathPass::default()),
};

/// Tokens of the program, tokens below the place, the newest first.
type QueueOrder = (usize, usize, Reverse<u64>);

/// A program with a place in it.
#[derive(Clone)]
struct QueuedProgram {
    derivation: Arc<ChoiceDerivation>,
    /// The number of a span of a nonterminal.
    place: usize,
}

/// The state of the search.
#[derive(Clone, Default)]
struct GopinathPass {
    program: Option<ChoiceProgram>,
    queue: imbl::OrdMap<QueueOrder, QueuedProgram>,
    /// How many have joined the queue.
    joined: u64,
    /// All texts that were asked about.
    seen: imbl::OrdSet<Arc<[u8]>>,
    running: Option<PlaceSearch>,
    /// An interesting program that is smaller than the one that the run is at.
    smaller: Option<Edit>,
}

/// What is asked about one place.
#[derive(Clone)]
struct PlaceSearch {
    item: QueuedProgram,
    /// The choices that would stand in the place of a range of choices.
    replacements: Arc<[(usize, usize, Vec<u32>)]>,
    next: usize,
    /// Whether one of them was interesting.
    found: bool,
    asked: Option<(Arc<ChoiceDerivation>, Arc<[u8]>)>,
}

impl PlaceSearch {
    fn new(item: QueuedProgram) -> PlaceSearch {
        PlaceSearch {
            replacements: list_replacements(&item).into(),
            item,
            next: 0,
            found: false,
            asked: None,
        }
    }

    /// The place in the program that was asked about: the same span, or the nonterminal around it if the place went with what held it.
    fn kept_place(&self) -> usize {
        let (place, spans) = (self.item.place, &self.item.derivation.spans);
        let asked = self
            .next
            .checked_sub(1)
            .and_then(|at| self.replacements.get(at));
        if asked.is_none_or(|(start, ..)| *start == spans[place].start) {
            return place;
        }
        let holds =
            |span: &ChoiceSpan| span.kind == ChoiceSpanKind::Rule && span.end >= spans[place].end;
        spans[..place].iter().rposition(holds).unwrap_or(0)
    }
}

/// What may stand in the place of an item.
fn list_replacements(item: &QueuedProgram) -> Vec<(usize, usize, Vec<u32>)> {
    let spans = &item.derivation.spans;
    let place = &spans[item.place];
    let mut all = Vec::new();
    // What is only there because a list or an option has it.
    let holder = item.place.checked_sub(1).map(|at| &spans[at]);
    if let Some(holder) = holder.filter(|holder| holder.end == place.end) {
        match holder.kind {
            ChoiceSpanKind::Rule => {}
            ChoiceSpanKind::Element => all.push((holder.start, holder.end, Vec::new())),
            ChoiceSpanKind::Option => all.push((holder.start, holder.end, vec![0])),
        }
    }
    let inside = spans_below(spans, item.place).map(|at| &spans[at]);
    let same = inside.filter(|span| span.label == place.label);
    all.extend(same.map(|span| {
        let with = item.derivation.choices[span.start..span.end].to_vec();
        (place.start, place.end, with)
    }));
    all
}

/// The spans inside a span, outer ones first.
fn spans_below(spans: &[ChoiceSpan], of: usize) -> impl Iterator<Item = usize> + '_ {
    let end = spans[of].end;
    (of + 1..spans.len()).take_while(move |&at| spans[at].start < end)
}

/// The nonterminals directly below one.
fn nonterminals_below(spans: &[ChoiceSpan], of: usize) -> Vec<usize> {
    let mut found: Vec<usize> = Vec::new();
    for at in spans_below(spans, of).filter(|&at| spans[at].kind == ChoiceSpanKind::Rule) {
        if found
            .last()
            .is_none_or(|&last| spans[last].end <= spans[at].start)
        {
            found.push(at);
        }
    }
    found
}

impl GopinathPass {
    fn start(&mut self, view: &View) {
        if let Some((program, derivation, text)) = ChoiceProgram::from_view(view) {
            self.program = Some(program);
            self.seen.insert(text);
            self.push_place(&Arc::new(derivation), 0);
        }
    }

    fn push_place(&mut self, derivation: &Arc<ChoiceDerivation>, place: usize) {
        let tokens = derivation.spans[place].tokens;
        let order = (derivation.tokens.len(), tokens, Reverse(self.joined));
        self.joined += 1;
        let derivation = derivation.clone();
        let item = QueuedProgram { derivation, place };
        self.queue.insert(order, item);
    }

    /// The next text that was not asked about; false when the queue is empty.
    fn ask_next(&mut self) -> bool {
        loop {
            let Some(running) = &mut self.running else {
                let (item, queue) = self.queue.without_min();
                self.queue = queue;
                let Some(item) = item else {
                    return false;
                };
                self.running = Some(PlaceSearch::new(item));
                continue;
            };
            let Some((start, end, with)) = running.replacements.get(running.next) else {
                let (item, found) = (running.item.clone(), running.found);
                self.running = None;
                let below = nonterminals_below(&item.derivation.spans, item.place);
                for place in below.into_iter().filter(|_| !found) {
                    self.push_place(&item.derivation, place);
                }
                continue;
            };
            let choices = &running.item.derivation.choices;
            let choices = [&choices[..*start], with, &choices[*end..]].concat();
            running.next += 1;
            let made = self.program.and_then(|program| program.decode(&choices));
            if let Some((derivation, text)) = made
                && self.seen.insert(text.clone()).is_none()
            {
                running.asked = Some((derivation.into(), text));
                return true;
            }
        }
    }

    /// What was asked is interesting.
    fn keep_found(&mut self) {
        let Some(running) = &mut self.running else {
            return;
        };
        let Some((derivation, _)) = running.asked.take() else {
            return;
        };
        running.found = true;
        let place = running.kept_place();
        self.push_place(&derivation, place);
    }
}

/// The edit that makes this text of any program: it is asked about also where the run is at a smaller one by now.
fn rewrite_edit(text: &Arc<[u8]>) -> Edit {
    Edit {
        detour: Some(DetourBound::OnlyAsked),
        ..EditOp::Rewrite([Some(text.clone())].into()).into()
    }
}

impl Proposer for GopinathPass {
    type View = View;
    type Edit = Edit;
    type Why = EditReason;
    type Change = AppliedEdit;

    fn propose(&mut self, view: &View) -> ProposerStep<Edit, EditReason> {
        if let Some(edit) = &self.smaller {
            return ProposerStep::Accept(edit.clone());
        }
        if self.program.is_none() {
            self.start(view);
        }
        let is_asking = |running: &PlaceSearch| running.asked.is_some();
        if !self.running.as_ref().is_some_and(is_asking) && !self.ask_next() {
            return ProposerStep::Done;
        }
        let running = self.running.as_ref();
        let Some((_, text)) = running.and_then(|running| running.asked.as_ref()) else {
            return ProposerStep::Done;
        };
        let action = EditAction::Question("Can a part become one inside it?".into());
        let why = EditReason {
            pass: GOPINATH.name,
            action,
            node: None,
        };
        ProposerStep::Test(rewrite_edit(text), why)
    }

    fn on_verdict(&mut self, view: &View, edit: &Edit, feedback: Feedback) {
        if feedback.is_interesting() {
            let made = apply_edit(&view.version, edit).ok();
            let smaller = made.is_some_and(|(version, _)| version.size() < view.version.size());
            self.smaller = smaller.then(|| edit.clone());
            self.keep_found();
        } else if let Some(running) = &mut self.running {
            running.asked = None;
        }
    }

    fn on_accept(&mut self, _: &View, _: &AppliedEdit) {
        self.smaller = None;
    }

    fn invalidate(&mut self, _: &View) {
        *self = GopinathPass::default();
    }
}
