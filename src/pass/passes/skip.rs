//! Statements go, one at a time (bp-reduce, *skip*).
//!
//! A statement may be the target of a jump. So one whose label is used becomes the statement that does nothing; any other goes with its
//! line, and with it each statement that did nothing and that only jumps in it needed. A label before a statement that stays does so too:
//! *unused* removes it.

use std::sync::Arc;

use crate::pass::shared::place_questions::{
    FoundQuestion, PlacePass, PlaceQuestion, QuestionPlace,
};
use crate::pass::shared::removable::removal_edit;
use crate::pass::shared::statement_lines::{
    StatementLine, is_label_used, statement_lines, unneeded_lines,
};
use crate::pass::{PairScope, PassKind, RepeatPolicy, SyntaxCheck};
use crate::program::names::SymbolLosses;
use crate::program::{
    Edit, EditAction, EditOp, EditReason, Replacement, Version, View, quote_text, text_excerpt,
};

/// Statements go.
pub static SKIP: PassKind = PassKind {
    name: "skip",
    description: "removes one statement after the other; a target of jumps becomes the statement that does nothing (bp-reduce)",
    repeat: RepeatPolicy::Never,
    syntax_check: SyntaxCheck::Enforce,
    pair_scope: PairScope::Seed,
    filters: &[],
    start: |_, options| {
        Box::new(PlacePass::over_statements(
            next_question,
            options.asks_about_inner(),
        ))
    },
};

fn next_question(view: &View, from: QuestionPlace) -> Option<FoundQuestion> {
    let lines = statement_lines(view);
    from.find_question(|place, candidate| {
        let Some(line) = lines.get(place) else {
            return PlaceQuestion::End;
        };
        let is_left_out = !from.asks_about_inner() && line.place.is_inner();
        if is_left_out || line.is_empty || candidate > 0 {
            return PlaceQuestion::NextPlace;
        }
        match skip_statement(&view.version, &lines, line) {
            Some((edit, why)) => PlaceQuestion::Candidate(edit, why),
            None => PlaceQuestion::NextPlace,
        }
    })
}

/// The edit that removes a statement or makes it one that does nothing, and why.
fn skip_statement(
    version: &Version,
    lines: &[StatementLine],
    line: &StatementLine,
) -> Option<(Edit, EditReason)> {
    let statement = line.place.node;
    let mut lost = SymbolLosses::default();
    lost.add_node(version.name_graph(), statement);
    let mut nodes = unneeded_lines(version, lines, &lost, line.line.id);
    // What is inside goes with the statement.
    nodes.retain(|&node| {
        let path = version.path_to(node);
        path.is_some_and(|path| path.nodes.iter().all(|above| above.id != statement.id))
    });
    let mut labels = line.labels.iter();
    let is_target = labels.any(|&(label, _)| is_label_used(version, label, &lost));
    let goes = !is_target && !removal_edit(version, &[line.line.id]).ops.is_empty();
    if goes {
        nodes.push(line.line.id);
    }
    let mut edit = removal_edit(version, &nodes);
    let (_, empty) = line.place.language.statements()?.statement.as_ref()?;
    let shown = quote_text(&text_excerpt(statement, 40));
    let question = if goes {
        format!("Can {shown} go?")
    } else {
        let tokens: Arc<[Arc<[u8]>]> = [Arc::from(&empty[..])].into();
        let piece = Replacement::Tokens(tokens);
        let node = statement.id;
        edit.ops.push(EditOp::Replace { node, piece });
        let empty = quote_text(&String::from_utf8_lossy(empty));
        let target = if is_target {
            " something jumps to it"
        } else {
            ""
        };
        format!("Can {shown} become {empty}?{target}")
    };
    let why = EditReason {
        pass: SKIP.name,
        action: EditAction::Question(question.into()),
        node: Some(statement.id),
    };
    Some((edit, why))
}

/// The edit that removes all statements that do nothing and that nothing jumps to.
pub fn remove_empty_statements(version: &Version, lines: &[StatementLine]) -> Edit {
    let none = SymbolLosses::default();
    let unneeded = lines.iter().filter(|line| {
        let mut labels = line.labels.iter();
        line.is_empty && !labels.any(|&(label, _)| is_label_used(version, label, &none))
    });
    let nodes: Vec<_> = unneeded.map(|line| line.line.id).collect();
    removal_edit(version, &nodes)
}
