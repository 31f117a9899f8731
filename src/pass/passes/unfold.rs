//! A name is *unfolded* (Burstall and Darlington, A Transformation System for Developing Recursive Programs, JACM 1977): what it stands for
//! stands in the place of each of its uses, and its declaration goes, in one edit.
//!
//! The name graph says what a name stands for (`@unfold` in `grammars/c/reduce.scm`): the value of a variable that is declared once and that no
//! use assigns, or the type of an alias. Whether a copy means the same in its new place, the test decides: another
//! declaration may shadow a name of it, and a value may change between two uses.
//!
//! Names whose unfolding makes the program smallest come first. Where it becomes larger, the edit begins a detour, if the strategy has
//! detours: of what the name stood for, a part may be enough in each of its places. There is no paper on unfolding as a detour of a reduction.

use std::sync::Arc;

use rustc_hash::FxHashSet;

use crate::pass::passes::heaviest_passes::HEAVIEST;
use crate::pass::shared::passed_edit::PassedEdit;
use crate::pass::shared::removal_closure::RemovalClosure;
use crate::pass::{DetourPlan, PairScope, PassKind, RepeatPolicy, SyntaxCheck};
use crate::program::names::{NameRole, NameSymbol, SymbolCount, SymbolLosses, ValueSite};
use crate::program::{
    AppliedEdit, DetourBound, Edit, EditAction, EditOp, EditReason, NodeId, NodeShape, Objective,
    ProgramNode, Replacement, Version, View, format_names, quote_text, text_excerpt, walk,
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
            .filter_map(|name| Some((Unfolding::of_name(version, name)?.growth(), name)))
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
                    ..found.to_edit()
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
            let inside = names.occurrences_below(found.value);
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
    name: NameSymbol,
    /// What it stands for.
    value: &'a Arc<ProgramNode>,
    /// Whether that stands in parentheses.
    is_enclosed: bool,
    /// The leaf that declares it.
    declared: NodeId,
    /// The leaves that use it.
    uses: Vec<NodeId>,
    /// What goes with the declaration.
    removal: Edit,
    removed_tokens: u32,
}

impl<'a> Unfolding<'a> {
    /// None if the name has several declarations, no use, or nothing that is known to stand for it, or if its declaration cannot go.
    fn of_name(version: &'a Version, name: NameSymbol) -> Option<Unfolding<'a>> {
        let names = version.name_graph();
        let SymbolCount { declares, uses } = names.symbol_count(name);
        if declares != 1 || uses == 0 {
            return None;
        }
        let mut sites = names.value_sites(name).iter();
        let (site, value) = sites.find_map(|site| Some((site, find_value(version, site)?)))?;
        let mut declared = names.declaration_sites(name).iter().map(|site| site.leaf);
        let declared = declared.find(|leaf| version.find_node(*leaf).is_some())?;
        let mut losses = SymbolLosses::default();
        let mut places = Vec::new();
        for path in names
            .used_by(name)
            .iter()
            .filter_map(|leaf| version.path_to(*leaf))
        {
            if path.nodes.iter().any(|node| node.id == value.id) {
                // It stands for something that contains it.
                return None;
            }
            losses.add_node(names, path.node());
            places.push(path);
        }
        // What the value declares is declared by each of its copies. What else it uses, they use.
        let inside = || names.occurrences_below(value);
        let own = inside().filter(|fact| fact.role == NameRole::Declares);
        let own: FxHashSet<NameSymbol> = own.map(|fact| fact.symbol).collect();
        for &symbol in &own {
            losses.add_count(symbol, names.symbol_count(symbol));
        }
        let copied = inside().map(|fact| fact.symbol);
        let copied = copied.filter(|symbol| !own.contains(symbol));
        let mut closure = RemovalClosure::new(version, losses).with_copied_uses(copied);
        closure.add_symbol(name)?;
        let stays = |node: &&Arc<ProgramNode>| closure.nodes.contains(&node.id);
        let uses = places.iter().filter(|path| !path.nodes.iter().any(&stays));
        let uses: Vec<NodeId> = uses.map(|path| path.node().id).collect();
        let is_enclosed = !site.is_bare && token_leaves(value).nth(1).is_some();
        (!uses.is_empty()).then(|| Unfolding {
            version,
            name,
            value,
            is_enclosed,
            declared,
            uses,
            removal: closure.to_edit(),
            removed_tokens: closure.tokens,
        })
    }

    /// How many tokens more the program has then.
    fn growth(&self) -> i64 {
        let copy = i64::from(self.value.sums.tokens) + if self.is_enclosed { 2 } else { 0 };
        let used = self.uses.len() as i64;
        used * (copy - 1) - i64::from(self.removed_tokens)
    }

    fn to_edit(&self) -> Edit {
        let texts = self.copied_texts();
        let replaced = self.uses.iter().map(|&node| EditOp::Replace {
            node,
            piece: Replacement::Tokens(texts.clone()),
        });
        replaced.chain(self.removal.ops.iter().cloned()).collect()
    }

    /// The tokens of a copy, each with the white space before it.
    fn copied_texts(&self) -> Arc<[Arc<[u8]>]> {
        let own = token_leaves(self.value)
            .enumerate()
            .map(|(at, leaf)| match at {
                0 => Arc::from(leaf.text()),
                _ => Arc::from([leaf.trivia(), leaf.text()].concat()),
            });
        let mark = |text: &'static [u8]| self.is_enclosed.then(|| Arc::from(text));
        let opened = mark(b"(").into_iter().chain(own);
        opened.chain(mark(b")")).collect()
    }

    fn to_reason(&self) -> EditReason {
        let name = format_names(self.version.name_graph().symbol_name(self.name), 0);
        let value = text_excerpt(self.value, 40);
        let value = quote_text(&match self.is_enclosed {
            true => format!("({value})"),
            false => value,
        });
        let places = match self.uses.len() {
            1 => "its only place".to_string(),
            more => format!("its {more} places"),
        };
        EditReason {
            pass: UNFOLD.name,
            action: EditAction::Question(
                format!("unfold {name}: {value} stands in {places}").into(),
            ),
            node: Some(self.declared),
        }
    }
}

/// The node that consists of these leaves; none where they are gone.
fn find_value<'a>(version: &'a Version, site: &ValueSite) -> Option<&'a Arc<ProgramNode>> {
    let path = version.path_to(site.first_leaf)?;
    let is_value = |node: &&&Arc<ProgramNode>| {
        let ends = [0, node.sums.leaves - 1].map(|at| walk::leaf_at(node, at).map(|leaf| leaf.id));
        ends == [Some(site.first_leaf), Some(site.last_leaf)]
    };
    path.nodes.iter().rev().find(is_value).copied()
}

/// The leaves of a node but for comments and what has no text.
fn token_leaves(node: &Arc<ProgramNode>) -> impl Iterator<Item = &Arc<ProgramNode>> {
    let is_token =
        |leaf: &&Arc<ProgramNode>| leaf.shape == NodeShape::Token && !leaf.text().is_empty();
    walk::iter_leaves(node).filter(is_token)
}
