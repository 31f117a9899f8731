//! A name is *unfolded* (Burstall and Darlington, A Transformation System for Developing Recursive Programs, JACM 1977): what it stands for
//! stands in the place of each of its uses, and its declaration goes, in one edit.
//!
//! The name graph says what a name stands for (`@unfold` in `grammars/*/reduce.scm`): the value of a variable that is declared once and that no
//! use assigns, the type of an alias, what a function returns or does (`shared/function_unfolding.rs`), and the argument of a parameter, where
//! that is the same in all calls. An assignment that is a statement goes to the next use of its variable, and the declaration of a local variable goes to the
//! top level with hard effort: no smaller, but what is around it may go then. Whether a copy means the same in
//! its new place, the test decides: another declaration may shadow a name of it, and a value may change between two uses. Most are asked
//! about without parentheses, then with them.
//!
//! What makes the program smallest comes first, but parameters become variables only after arguments in their places. Where it becomes larger, the edit begins a detour, if the strategy has detours: of what the
//! name stood for, a part may be enough in each of its places. There is no paper on unfolding as a detour of a reduction.

use std::cell::OnceCell;
use std::sync::Arc;

use crate::display::format_count;
use crate::pass::filters::arguments::{find_parameter, slot_nodes};
use crate::pass::filters::constraint_filter::allows_whole_edit;
use crate::pass::passes::coupled::coupled_pass;
use crate::pass::passes::first_assignment::FirstAssignment;
use crate::pass::passes::merge::remove_part;
use crate::pass::shared::function_unfolding::{
    ArgumentForm, CalledFunction, EarlyReturns, enclose, is_value_of,
};
use crate::pass::shared::name_substitution::{
    NameMeaning, NameSubstitution, copy_texts, find_value, token_leaves, use_paths,
};
use crate::pass::shared::passed_edit::PassedEdit;
use crate::pass::shared::removable::removal_edit;
use crate::pass::{DetourBounds, Effort, PassKind};
use crate::program::names::{DeclarationKind, NameSymbol, SymbolLosses, ValuePart};
use crate::program::{
    AppliedEdit, DetourBound, Edit, EditAction, EditReason, NodeId, NodePath, Objective,
    ProgramNode, QuestionWords, Version, View, fits_place, format_names, quote_text,
    strip_separator, text_excerpt, walk,
};
use crate::protocol::{Feedback, Proposer, ProposerStep};

/// Replaces names by what they stand for.
pub static UNFOLD: PassKind = coupled_pass(
    "unfold",
    "replaces a name by what it stands for, a call by what the function does, and removes the declaration; a larger program begins a detour",
    |_, options| {
        let plan = options.strategy.detours;
        Box::new(UnfoldPass {
            bounds: plan.map(|plan| plan.bounds(options.effort)),
            is_hard: options.effort == Effort::Hard,
            ..UnfoldPass::default()
        })
    },
);

/// How many uses after an assignment are tried, and how many before it.
const NEXT_USES: [usize; 2] = [3, 2];

/// How many assignments to a name are tried.
const MAX_UPDATES: usize = 16;

/// See the module's text.
#[derive(Clone, Debug, Default)]
pub struct UnfoldPass {
    bounds: Option<&'static DetourBounds>,
    /// Whether all declarations go to the top level, and assignments into uses that need parentheses: measured, that pays too rarely for a run of
    /// normal effort.
    is_hard: bool,
    /// What is proposed, in this order; none before the first.
    queue: Option<Arc<[UnfoldQuestion]>>,
    at: usize,
    /// How many candidates that are not of fewer tokens were not interesting, or began a detour that led nowhere.
    failed_detours: u32,
    to_accept: PassedEdit,
    /// Whether there is new text that is not read yet: the names in it are not known.
    has_new_text: bool,
}

/// A name and what is asked about it, in their order.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct UnfoldQuestion {
    /// Smaller results come first. Parameters become variables only after arguments in their places were asked about, which may be larger at first and
    /// leaves less to undo.
    rank: i64,
    name: NameSymbol,
    form: UnfoldForm,
    growth: i64,
}

/// What stands in the place of a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum UnfoldForm {
    /// Its value or type.
    Value,
    /// What a function returns, for each call; with parentheses or without.
    Result { encloses: bool },
    /// What a function does, before the statement with its only call.
    Body {
        returns: EarlyReturns,
        arguments: ArgumentForm,
    },
    /// What is around the only call of a function, around each value that it returns.
    Returns,
    /// Its declaration, where it is first assigned.
    Declaration,
    /// What is first assigned, in its declaration.
    Start,
    /// The argument that a parameter has in all calls.
    Argument { encloses: bool },
    /// Its declaration, before the outermost statement or declaration around it.
    Outside,
    /// The assignment of this number, in the place of the use of this number: those after it come first, then those before it.
    Update {
        site: usize,
        next: usize,
        encloses: bool,
    },
}

/// What is asked about a name, whatever it is.
fn all_forms(version: &Version, name: NameSymbol) -> Vec<UnfoldForm> {
    let both = [false, true];
    let names = version.name_graph();
    let kind = names.declaration_kind(name);
    let mut forms = Vec::new();
    // A longer path says no more than the name that was imported.
    if kind != Some(DeclarationKind::Import) {
        forms.push(UnfoldForm::Value);
    }
    if names.value_parts(name, ValuePart::Result).next().is_some()
        || names.value_parts(name, ValuePart::Body).next().is_some()
    {
        forms.extend(both.map(|encloses| UnfoldForm::Result { encloses }));
        let bodies = EarlyReturns::ALL.into_iter();
        let uses = [ArgumentForm::Plain, ArgumentForm::Enclosed];
        let bodies = bodies.flat_map(|returns| uses.map(|arguments| (returns, arguments)));
        let variables = (EarlyReturns::Kept, ArgumentForm::Variable);
        let bodies = bodies.chain([variables]);
        forms.extend(bodies.map(|(returns, arguments)| UnfoldForm::Body { returns, arguments }));
        forms.push(UnfoldForm::Returns);
    }
    if matches!(kind, Some(DeclarationKind::Var | DeclarationKind::Binding)) {
        forms.extend([
            UnfoldForm::Declaration,
            UnfoldForm::Start,
            UnfoldForm::Outside,
        ]);
    }
    if kind == Some(DeclarationKind::Param) {
        forms.extend(both.map(|encloses| UnfoldForm::Argument { encloses }));
    }
    let updates = names.value_parts(name, ValuePart::Update).count();
    for site in 0..updates.min(MAX_UPDATES) {
        let places =
            (0..NEXT_USES.iter().sum()).flat_map(|next| both.map(|encloses| (next, encloses)));
        forms.extend(places.map(|(next, encloses)| UnfoldForm::Update {
            site,
            next,
            encloses,
        }));
    }
    forms
}

impl UnfoldPass {
    /// All that can be asked, in the order of its rank. What parentheses do not change is asked once.
    fn list_questions(&self, version: &Version) -> Arc<[UnfoldQuestion]> {
        let most = self.bounds.map_or(0, |bounds| i64::from(bounds.growth));
        let mut found: Vec<UnfoldQuestion> = Vec::new();
        for name in version.name_graph().symbols() {
            let mut known: Vec<Edit> = Vec::new();
            let function = OnceCell::new();
            let forms = all_forms(version, name).into_iter();
            let mut largest_body = i64::MIN;
            let moves = self.is_hard || is_initialised_and_assigned(version, name);
            for form in forms.filter(|form| moves || *form != UnfoldForm::Outside) {
                let Some(unfolding) = Unfolding::find(version, name, form, &function) else {
                    continue;
                };
                let Unfolding { growth, edit, .. } = unfolding;
                // Shorter only in its white space, such a program is often a dead end.
                let is_turn = growth >= 0 && matches!(form, UnfoldForm::Update { .. });
                if is_turn && !self.is_hard {
                    continue;
                }
                if growth <= most && !known.contains(&edit) {
                    let rank = match form {
                        UnfoldForm::Body {
                            arguments: ArgumentForm::Variable,
                            ..
                        } => growth.max(largest_body.saturating_add(1)),
                        UnfoldForm::Body { .. } => {
                            largest_body = largest_body.max(growth);
                            growth
                        }
                        _ => growth,
                    };
                    found.push(UnfoldQuestion {
                        rank,
                        name,
                        form,
                        growth,
                    });
                    known.push(edit);
                }
            }
        }
        found.sort_unstable();
        found.into()
    }

    /// The next question that can still be asked.
    fn next_unfolding(&mut self, view: &View) -> Option<Unfolding> {
        let queue = match &self.queue {
            Some(queue) => queue.clone(),
            None => self.list_questions(&view.version),
        };
        self.queue = Some(queue.clone());
        let most = self.bounds.map_or(u32::MAX, |bounds| bounds.failures);
        while let Some(question) = queue.get(self.at) {
            if question.growth < 0 || self.failed_detours < most {
                let function = OnceCell::new();
                let (name, form) = (question.name, question.form);
                let found = Unfolding::find(&view.version, name, form, &function);
                let found = found.filter(|found| allows_whole_edit(view, &found.edit));
                if found.is_some() {
                    return found;
                }
            }
            self.at += 1;
        }
        None
    }

    fn restart(&mut self) {
        (self.queue, self.at) = (None, 0);
        self.to_accept.clear();
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
        if std::mem::take(&mut self.has_new_text) {
            return ProposerStep::Reparse;
        }
        // The nodes of a copy are known only when the text is read again, and a size in nodes would count too few.
        if matches!(view.version.objective(), Objective::Nodes) {
            return ProposerStep::Done;
        }
        let bound = self
            .bounds
            .map(|bounds| DetourBound::Decisions(bounds.decisions));
        match self.next_unfolding(view) {
            Some(found) => {
                let detour = bound.filter(|_| found.growth >= 0);
                let edit = Edit {
                    detour,
                    ..found.edit
                };
                ProposerStep::Test(edit, found.why)
            }
            None => ProposerStep::Done,
        }
    }

    fn on_verdict(&mut self, _: &View, tested: &Edit, feedback: Feedback) {
        self.to_accept.record_verdict(tested, feedback);
        let question = self.queue.as_ref().and_then(|queue| queue.get(self.at));
        if feedback == Feedback::Uninteresting && question.is_some_and(|asked| asked.growth >= 0) {
            self.failed_detours += 1;
        }
        self.at += 1;
    }

    fn on_accept(&mut self, _: &View, _: &AppliedEdit) {
        self.restart();
        self.has_new_text = true;
    }

    fn invalidate(&mut self, _: &View) {
        self.restart();
    }
}

/// An edit that unfolds a name, and why.
struct Unfolding {
    edit: Edit,
    /// How many tokens more the program has then.
    growth: i64,
    why: EditReason,
}

impl Unfolding {
    /// None if nothing is known of what the name stands for in this form, or if a declaration cannot go. `function` is what is known of the name as that of a
    /// function, once it was looked for.
    fn find<'a>(
        version: &'a Version,
        name: NameSymbol,
        form: UnfoldForm,
        function: &OnceCell<Option<CalledFunction<'a>>>,
    ) -> Option<Unfolding> {
        let find_function = || CalledFunction::of_name(version, name);
        match form {
            UnfoldForm::Value => unfold_value(version, name),
            UnfoldForm::Result { encloses } => {
                let function = function.get_or_init(find_function).as_ref()?;
                let result = match function.result {
                    Some(result) => quote_text(&text_excerpt(result, 40)),
                    None => "the simplest value".to_string(),
                };
                let substitution = function.unfold_result(encloses)?;
                let calls = match function.call_count() {
                    1 => "its only call".to_string(),
                    more => format!("its {more} calls"),
                };
                let what = format!("{result} stands in the place of {calls}");
                Some(Unfolding::new(version, name, substitution, &what))
            }
            UnfoldForm::Body { returns, arguments } => {
                let function = function.get_or_init(find_function).as_ref()?;
                let substitution = function.unfold_body(returns, arguments)?;
                let how = match (arguments, returns) {
                    (ArgumentForm::Variable, _) => ", with its parameters as variables",
                    (_, EarlyReturns::Simplest) => ", where it returns the simplest value early",
                    (_, EarlyReturns::Empty) => ", where it returns nothing early",
                    (_, EarlyReturns::Wrapped) => {
                        ", what is around that also around what it returns early"
                    }
                    (_, EarlyReturns::Kept) => "",
                };
                let what =
                    format!("what it does stands before the statement with its only call{how}");
                Some(Unfolding::new(version, name, substitution, &what))
            }
            UnfoldForm::Returns => {
                let function = function.get_or_init(find_function).as_ref()?;
                let what = "what is around its only call stands around what it returns";
                Some(Unfolding::new(
                    version,
                    name,
                    function.wrap_returns()?,
                    what,
                ))
            }
            UnfoldForm::Declaration => {
                let found = FirstAssignment::of_name(version, name)?;
                let start = quote_text(&found.start_text());
                let what = format!("{start} stands before its first assignment");
                Some(Unfolding::new(version, name, found.declare_there()?, &what))
            }
            UnfoldForm::Start => {
                let found = FirstAssignment::of_name(version, name)?;
                let value = quote_text(&text_excerpt(found.value(), 40));
                let what = format!("{value}, its first value, stands in its declaration");
                Some(Unfolding::new(version, name, found.assign_there()?, &what))
            }
            UnfoldForm::Outside => move_outside(version, name),
            UnfoldForm::Argument { encloses } => unfold_argument(version, name, encloses),
            UnfoldForm::Update {
                site,
                next,
                encloses,
            } => unfold_update(version, name, site, next, encloses),
        }
    }

    fn new(
        version: &Version,
        name: NameSymbol,
        substitution: NameSubstitution,
        what: &str,
    ) -> Unfolding {
        let names = version.name_graph();
        let mut declared = names.declaration_sites(name).iter().map(|site| site.leaf);
        let own = format_names(names.symbol_name(name), 0);
        Unfolding {
            growth: substitution.growth(),
            edit: substitution.to_edit(),
            why: EditReason {
                pass: UNFOLD.name,
                action: EditAction::Question(
                    QuestionWords::ask(format!("Can {own} be unfolded?"))
                        .in_short(format!("unfold {}", names.symbol_name(name)))
                        .because(what.to_owned()),
                ),
                node: declared.find(|leaf| version.find_node(*leaf).is_some()),
            },
        }
    }
}

/// The value of a variable, or the type of an alias.
fn unfold_value(version: &Version, name: NameSymbol) -> Option<Unfolding> {
    let meaning = NameMeaning::of_name(version, name)?;
    let substitution = meaning.substitute(version, meaning.to_texts())?;
    let value = text_excerpt(meaning.value, 40);
    let value = match meaning.is_enclosed {
        true => format!("({value})"),
        false => value,
    };
    let is_first = meaning.kept_name.is_some() && version.name_graph().symbol_count(name).uses > 1;
    let places = match is_first {
        true => "its first place".to_string(),
        false => substitution.describe_places(),
    };
    let what = format!("{} stands in {places}", quote_text(&value));
    Some(Unfolding::new(version, name, substitution, &what))
}

/// The argument that a parameter has in all calls. Parameter and arguments go.
fn unfold_argument(version: &Version, name: NameSymbol, encloses: bool) -> Option<Unfolding> {
    let names = version.name_graph();
    let mut sites = names.declaration_sites(name).iter();
    let path = sites.find_map(|site| version.path_to(site.leaf))?;
    let (callee, slot) = find_parameter(version, &path)?;
    let calls = slot_nodes(version, callee, false);
    let arguments = calls.map(|(_, nodes)| nodes.get(slot as usize).cloned());
    let arguments = arguments.collect::<Option<Vec<_>>>()?;
    let texts = |node| {
        token_leaves(node)
            .map(|leaf| leaf.text().to_vec())
            .collect::<Vec<_>>()
    };
    let first = arguments.first()?;
    if !is_value_of(version, name, first)
        || arguments.iter().any(|other| texts(other) != texts(first))
    {
        return None;
    }
    let mut losses = SymbolLosses::default();
    let uses: Vec<NodePath> = use_paths(version, name).collect();
    for path in &uses {
        losses.add_node(names, path.node());
    }
    let (removal, _) = remove_part(version, name, &losses)?;
    let texts = enclose(copy_texts(first), encloses);
    let places = uses.into_iter().map(|path| (path, texts.clone())).collect();
    let substitution = NameSubstitution::with_removal(version, places, removal)?;
    let argument = quote_text(&text_excerpt(first, 40));
    let places = substitution.describe_places();
    let calls = format_count(arguments.len() as u64, "call");
    let what = format!("{argument} stands in {places}, as in {calls}");
    Some(Unfolding::new(version, name, substitution, &what))
}

/// An assignment that is a statement of its own, in the place of a use after it. The statement goes.
fn unfold_update(
    version: &Version,
    name: NameSymbol,
    site: usize,
    next: usize,
    encloses: bool,
) -> Option<Unfolding> {
    let mut sites = version.name_graph().value_parts(name, ValuePart::Update);
    let update = find_value(version, sites.nth(site)?)?;
    let path = version.path_to(update.id)?;
    let list = path.nodes.iter().rposition(|node| node.shape.is_list())?;
    let (_, statement) = path.child_below(list)?;
    if statement.sums().tokens > update.sums().tokens + 1 {
        return None;
    }
    let inside: Vec<NodeId> = walk::iter_leaves(statement).map(|leaf| leaf.id).collect();
    let at = |path: &NodePath| (path.document, path.preceding_sums().leaves);
    let own = at(&path);
    let mut others: Vec<NodePath> = use_paths(version, name)
        .filter(|path| !inside.contains(&path.node().id))
        .collect();
    others.sort_by_key(at);
    let later = others.partition_point(|path| at(path) < own);
    let after = others[later..].iter().take(NEXT_USES[0]);
    let before = others[..later].iter().rev().take(NEXT_USES[1]);
    let place = after.chain(before).nth(next)?.clone();
    let side = match at(&place) > own {
        true => "after",
        false => "before",
    };
    let texts = enclose(copy_texts(update), encloses);
    let removal = removal_edit(version, &[strip_separator(statement).id]);
    let used = quote_text(&text_excerpt(update, 40));
    let substitution = NameSubstitution::with_removal(version, vec![(place, texts)], removal)?;
    let what = format!("{used} stands in a use {side} it");
    Some(Unfolding::new(version, name, substitution, &what))
}

/// Whether a name is declared with a value and a use changes that: where such a variable is local, a compiler may know what it holds, and where it is
/// not, it may not. So moving it often is what lets a body go that hid it.
fn is_initialised_and_assigned(version: &Version, name: NameSymbol) -> bool {
    let names = version.name_graph();
    let mut sites = names.declaration_sites(name).iter();
    let path = sites.find_map(|site| version.path_to(site.leaf));
    names.is_assigned(name)
        && path.is_some_and(|path| {
            let list = path.nodes.iter().rposition(|node| node.shape.is_list());
            let element = list.and_then(|list| path.child_below(list));
            element.is_some_and(|(_, node)| {
                let mut inside = walk::iter_leaves(node);
                inside.any(|leaf| leaf.text() == b"=")
            })
        })
}

/// The declaration of a local variable before the outermost statement or declaration around it.
fn move_outside(version: &Version, name: NameSymbol) -> Option<Unfolding> {
    let names = version.name_graph();
    let [site] = names.declaration_sites(name) else {
        return None;
    };
    let path = version.path_to(site.leaf)?;
    let begins = |node: &Arc<ProgramNode>| {
        let first = walk::leaf_at(node, 0).map(|leaf| leaf.id);
        first == Some(site.first_leaf)
    };
    let mut lists = (0..path.nodes.len()).filter(|&depth| path.nodes[depth].shape.is_list());
    let element = |depth: usize| {
        path.child_below(depth)
            .map(|(_, node)| strip_separator(node))
    };
    let declaration = lists
        .clone()
        .filter_map(element)
        .find(|node| begins(node))?;
    let outer = lists.find_map(element)?;
    let outer_path = version.path_to(outer.id)?;
    if outer.id == declaration.id || !fits_place(version, &outer_path, declaration) {
        return None;
    }
    let first = version.path_to(walk::leaf_at(outer, 0)?.id)?;
    let mut texts = copy_texts(declaration);
    texts.push(Arc::from([b"\n", first.node().text()].concat()));
    let removal = removal_edit(version, &[declaration.id]);
    if removal.ops.is_empty() {
        return None;
    }
    let shown = quote_text(&text_excerpt(declaration, 40));
    let substitution =
        NameSubstitution::with_removal(version, vec![(first, texts.into())], removal)?;
    let what = format!("{shown} goes to the top level");
    Some(Unfolding::new(version, name, substitution, &what))
}
