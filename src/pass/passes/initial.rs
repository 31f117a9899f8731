//! A variable begins with a constant: a line that gives it one is put in at the start of the function in which the program begins (an idea in
//! the README of bp-reduce).
//!
//! bp-reduce would put `x := *` in and then make `T` or `F` of it. A variable of a Boolean program begins with any value, so `x := *` there says
//! nothing: here `x := T` is put in at once, then `x := F`. The program grows by that line first, so each is a detour, and counts if what the
//! value made unnecessary is more. The pass is off unless the user asks for it.

use std::sync::Arc;

use rustc_hash::FxHashSet;

use crate::language::{LogicRole, StatementFacts};
use crate::pass::passes::skip::SKIP;
use crate::pass::shared::place_questions::{
    FoundQuestion, PlacePass, PlaceQuestion, QuestionPlace,
};
use crate::pass::shared::removable::declaring_elements;
use crate::pass::shared::statement_lines::{StatementLine, statement_lines};
use crate::pass::{DetourBounds, DetourPlan, PairScope, PassKind, RepeatPolicy, SyntaxCheck};
use crate::program::names::{DeclarationKind, NameSymbol};
use crate::program::{
    DetourBound, Edit, EditAction, EditOp, EditReason, NodeId, Replacement, Version, View,
    quote_text, walk,
};

/// Variables begin with constants.
pub static INITIAL: PassKind = PassKind {
    name: "initial",
    description: "gives a variable a constant where the program begins; the program is larger then, so that begins a detour (bp-reduce)",
    repeat: RepeatPolicy::BackTo(SKIP.name),
    syntax_check: SyntaxCheck::Enforce,
    pair_scope: PairScope::Seed,
    filters: &[],
    start: |_, _| Box::new(PlacePass::new(next_question)),
};

/// Its detours: one more line of a few tokens, then as many rounds over the statements as pay.
pub static INITIAL_VALUES: DetourPlan = DetourPlan {
    pass: INITIAL.name,
    first: SKIP.name,
    normal: BOUNDS,
    hard: BOUNDS,
};

const BOUNDS: DetourBounds = DetourBounds {
    decisions: 400,
    growth: 8,
    failures: u32::MAX,
};

fn next_question(view: &View, from: QuestionPlace) -> Option<FoundQuestion> {
    let start = ProgramStart::find(view)?;
    let variables = start.variables(&view.version);
    from.find_question(|place, candidate| {
        let Some(&variable) = variables.get(place) else {
            return PlaceQuestion::End;
        };
        let value = [LogicRole::True, LogicRole::False].get(candidate);
        match value.and_then(|value| start.begin_with(&view.version, variable, *value)) {
            Some((edit, why)) => PlaceQuestion::Candidate(edit, why),
            None => PlaceQuestion::NextPlace,
        }
    })
}

/// Where a program begins.
struct ProgramStart<'a> {
    /// The lines of the function in which it begins.
    lines: Vec<StatementLine<'a>>,
    facts: &'static StatementFacts,
    /// The declarations of that function.
    own: Vec<NodeId>,
    /// The declarations of the others.
    others: FxHashSet<NodeId>,
}

impl<'a> ProgramStart<'a> {
    /// None where the language does not say where a program begins, or how a variable gets a value.
    fn find(view: &'a View) -> Option<ProgramStart<'a>> {
        let version = &view.version;
        let names = version.name_graph();
        let functions = names
            .symbols()
            .filter(|symbol| names.declaration_kind(*symbol) == Some(DeclarationKind::Function));
        let (entries, others): (Vec<NameSymbol>, Vec<NameSymbol>) =
            functions.partition(|symbol| version.is_entry(names.symbol_name(*symbol)));
        let elements = |symbols: &[NameSymbol]| -> Vec<NodeId> {
            let symbols = symbols.iter();
            symbols
                .flat_map(|symbol| declaring_elements(version, *symbol))
                .collect()
        };
        let own = elements(&entries);
        let mut lines = statement_lines(view);
        lines.retain(|line| is_inside(version, line.line.id, |node| own.contains(&node)));
        let facts = lines.first()?.place.language.statements()?;
        Some(ProgramStart {
            lines,
            facts,
            own,
            others: elements(&others).into_iter().collect(),
        })
    }

    /// The variables that are known there, are used, and do not get a constant there.
    fn variables(&self, version: &Version) -> Vec<NameSymbol> {
        let names = version.name_graph();
        let is_known = |symbol: &NameSymbol| {
            let mut sites = names.declaration_sites(*symbol).iter();
            sites.any(|site| {
                is_inside(version, site.leaf, |node| self.own.contains(&node))
                    || !is_inside(version, site.leaf, |node| self.others.contains(&node))
            })
        };
        let variables = names.symbols().filter(|symbol| {
            let kind = names.declaration_kind(*symbol);
            let count = names.symbol_count(*symbol);
            matches!(kind, Some(DeclarationKind::Var | DeclarationKind::Param))
                && count.declares > 0
                && count.uses > 0
                && is_known(symbol)
        });
        variables
            .filter(|symbol| !self.has_value(names.symbol_name(*symbol)))
            .collect()
    }

    /// Whether a line gives the variable a value alone.
    fn has_value(&self, name: &str) -> bool {
        let Some([sign, _]) = &self.facts.initial else {
            return false;
        };
        let mut statements = self.lines.iter().map(|line| line.place.node);
        statements.any(|statement| {
            let text = |at| walk::leaf_at(statement, at).map(|leaf| leaf.text());
            statement.sums().tokens == 3
                && text(0) == Some(name.as_bytes())
                && text(1) == Some(&sign[..])
        })
    }

    /// The edit that puts in the line which gives the variable this value, and why.
    fn begin_with(
        &self,
        version: &Version,
        variable: NameSymbol,
        value: LogicRole,
    ) -> Option<(Edit, EditReason)> {
        let [sign, end] = self.facts.initial.as_ref()?;
        let name = version.name_graph().symbol_name(variable);
        let value = self.facts.logic_text(value)?;
        let first = walk::leaf_at(self.lines.first()?.line, 0)?;
        let spaced = |text: &[u8]| -> Arc<[u8]> { Arc::from([b" ", text].concat()) };
        let tokens: [Arc<[u8]>; 5] = [
            Arc::from(name.as_bytes()),
            spaced(sign),
            spaced(value),
            Arc::from(&end[..]),
            match first.trivia() {
                [] => spaced(first.text()),
                space => Arc::from([space, first.text()].concat()),
            },
        ];
        let line = format!(
            "{name} {} {}",
            String::from_utf8_lossy(sign),
            String::from_utf8_lossy(value)
        );
        let edit = Edit {
            detour: Some(DetourBound::Decisions(BOUNDS.decisions)),
            ..EditOp::Replace {
                node: first.id,
                piece: Replacement::Tokens(Arc::new(tokens)),
            }
            .into()
        };
        let question = format!("Can the program begin with {}?", quote_text(&line));
        let why = EditReason {
            pass: INITIAL.name,
            action: EditAction::Question(question.into()),
            node: Some(first.id),
        };
        Some((edit, why))
    }
}

/// Whether a node, or one that it stands in, is one of these.
fn is_inside(version: &Version, node: NodeId, is_one: impl Fn(NodeId) -> bool) -> bool {
    let path = version.path_to(node);
    path.is_some_and(|path| path.nodes.iter().any(|above| is_one(above.id)))
}
