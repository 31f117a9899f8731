//! A name is *unfolded* (Burstall and Darlington, A Transformation System for Developing Recursive Programs, JACM 1977): what it stands for
//! stands in the place of each of its uses, and its declaration goes, in one edit.
//!
//! The name graph says what a name stands for (`@unfold` in `grammars/*/reduce.scm`): the value of a variable that is declared once and that no
//! use assigns, or the type of an alias. Whether a copy means the same in its new place, the test decides: another
//! declaration may shadow a name of it, and a value may change between two uses.
//!
//! Names whose unfolding makes the program smallest come first. Where it becomes larger, the edit begins a detour, if the strategy has
//! detours: of what the name stood for, a part may be enough in each of its places. There is no paper on unfolding as a detour of a reduction.

use std::sync::Arc;

use rustc_hash::FxHashSet;

use crate::pass::passes::heaviest_passes::HEAVIEST;
use crate::pass::shared::name_substitution::{NameMeaning, NameSubstitution};
use crate::pass::shared::passed_edit::PassedEdit;
use crate::pass::{DetourPlan, PairScope, PassKind, RepeatPolicy, SyntaxCheck};
use crate::program::names::NameSymbol;
use crate::program::{
    AppliedEdit, DetourBound, Edit, EditAction, EditReason, Objective, Version, View, format_names,
    quote_text, text_excerpt,
};
use crate::protocol::{Feedback, Proposer, ProposerStep};

/// Replaces names by what they stand for.
pub static UNFOLD: PassKind = PassKind {
    name: "unfold",
    description: "replaces each use of a name by what the name stands for, and removes its declaration; a larger program begins a detour",
    repeat: RepeatPolicy::BackTo(HEAVIEST.name),
    syntax_check: SyntaxCheck::Enforce,
    pair_scope: PairScope::Seed,
    filters: &[],
    start: |_, options| {
        Box::new(UnfoldPass {
            plan: options.strategy.detours,
            ..UnfoldPass::default()
        })
    },
};

/// See the module's text.
#[derive(Clone, Debug, Default)]
pub struct UnfoldPass {
    plan: Option<&'static DetourPlan>,
    /// The names, in the order in which they are proposed; none before the first.
    queue: Option<Arc<[NameSymbol]>>,
    at: usize,
    to_accept: PassedEdit,
    /// The names of what was copied since the text was read: not all of their uses are known.
    copied: FxHashSet<NameSymbol>,
}

impl UnfoldPass {
    /// All names that can be unfolded, the smallest result first.
    fn list_names(&self, version: &Version) -> Arc<[NameSymbol]> {
        let most = self.plan.map_or(0, |plan| i64::from(plan.growth));
        let names = version.name_graph().symbols();
        let mut known: Vec<(i64, NameSymbol)> = names
            .filter_map(|name| {
                Some((
                    Unfolding::of_name(version, name)?.substitution.growth(),
                    name,
                ))
            })
            .filter(|(growth, _)| *growth <= most)
            .collect();
        known.sort_unstable();
        known.into_iter().map(|(_, name)| name).collect()
    }

    /// The next name that can still be unfolded.
    fn next_unfolding<'a>(&mut self, version: &'a Version) -> Option<Unfolding<'a>> {
        let queue = match &self.queue {
            Some(queue) => queue.clone(),
            None => self.list_names(version),
        };
        self.queue = Some(queue.clone());
        while let Some(&name) = queue.get(self.at) {
            let known = Some(name).filter(|name| !self.copied.contains(name));
            if let Some(found) = known.and_then(|name| Unfolding::of_name(version, name)) {
                return Some(found);
            }
            self.at += 1;
        }
        None
    }
}

impl Proposer for UnfoldPass {
    type View = View;
    type Edit = Edit;
    type Why = EditReason;
    type Change = AppliedEdit;

    fn propose(&mut self, view: &View) -> ProposerStep<Edit, EditReason> {
        if let Some(step) = self.to_accept.to_step() {
            return step;
        }
        // The nodes of a copy are known only when the text is read again, and a size in nodes would count too few.
        if matches!(view.version.objective(), Objective::Nodes) {
            return ProposerStep::Done;
        }
        let bound = self.plan.map(|plan| DetourBound::Decisions(plan.decisions));
        match self.next_unfolding(&view.version) {
            Some(found) => {
                let edit = Edit {
                    detour: bound,
                    ..found.substitution.to_edit()
                };
                ProposerStep::Test(edit, found.to_reason())
            }
            None => ProposerStep::Done,
        }
    }

    fn on_verdict(&mut self, view: &View, tested: &Edit, feedback: Feedback) {
        self.to_accept.record_verdict(tested, feedback);
        if feedback.is_interesting()
            && let Some(found) = self.next_unfolding(&view.version)
        {
            let names = view.version.name_graph();
            let inside = names.occurrences_below(found.meaning.value);
            self.copied.extend(inside.map(|fact| fact.symbol));
        }
        self.at += 1;
    }

    fn on_accept(&mut self, _: &View, _: &AppliedEdit) {
        self.to_accept.clear();
    }

    fn invalidate(&mut self, _: &View) {
        (self.queue, self.at) = (None, 0);
        self.to_accept.clear();
    }
}

/// A name, and all that is needed to unfold it.
struct Unfolding<'a> {
    version: &'a Version,
    meaning: NameMeaning<'a>,
    substitution: NameSubstitution,
}

impl<'a> Unfolding<'a> {
    /// None if the name has several declarations, no use, or nothing that is known to stand for it, or if its declaration cannot go.
    fn of_name(version: &'a Version, name: NameSymbol) -> Option<Unfolding<'a>> {
        let meaning = NameMeaning::of_name(version, name)?;
        let substitution = meaning.substitute(version, meaning.to_texts())?;
        Some(Unfolding {
            version,
            meaning,
            substitution,
        })
    }

    fn to_reason(&self) -> EditReason {
        let meaning = &self.meaning;
        let name = format_names(self.version.name_graph().symbol_name(meaning.name), 0);
        let value = text_excerpt(meaning.value, 40);
        let value = quote_text(&match meaning.is_enclosed {
            true => format!("({value})"),
            false => value,
        });
        let places = self.substitution.describe_places();
        EditReason {
            pass: UNFOLD.name,
            action: EditAction::Question(
                format!("unfold {name}: {value} stands in {places}").into(),
            ),
            node: Some(meaning.declared),
        }
    }
}
