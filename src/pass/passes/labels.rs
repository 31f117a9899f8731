//! Labels lose the statements that do nothing but stand behind them, and places with several labels all but one.
//!
//! A statement that does nothing is needed where something jumps to it, unless another one follows: what jumps to it may as well jump to the
//! next statement. If that has a label, the jumps name it, and the line goes with its labels. Else the labels stay, and stand before the next
//! statement when the text is read again. Whether the next line may begin with them the parser says. Statements are asked about from
//! the last to the first, so of several in a row each finds what became of the next one. There is no paper on it.

use std::sync::Arc;

use crate::pass::shared::place_questions::{
    FoundQuestion, PlacePass, PlaceQuestion, QuestionPlace,
};
use crate::pass::shared::removable::{deletion_edit, next_element, removal_edit};
use crate::pass::shared::statement_lines::{StatementLine, labels_among, statement_lines};
use crate::pass::{PairScope, PassKind, RepeatPolicy, SyntaxCheck};
use crate::program::names::NameSymbol;
use crate::program::{
    Edit, EditAction, EditOp, EditReason, NodeId, ProgramNode, QuestionWords, Replacement, Version,
    View, format_names, quote_text, text_excerpt, walk,
};

/// Labels of statements that do nothing.
pub static LABELS: PassKind = PassKind {
    name: "labels",
    description: "removes statements that do nothing and have labels: what jumps to them goes to the next one; of several labels in one place one stays",
    repeat: RepeatPolicy::Never,
    syntax_check: SyntaxCheck::Enforce,
    pair_scope: PairScope::Seed,
    filters: &[],
    start: |_, _| Box::new(PlacePass::new(next_question)),
};

fn next_question(view: &View, from: QuestionPlace) -> Option<FoundQuestion> {
    let lines = statement_lines(view);
    from.find_question(|place, candidate| match lines.iter().rev().nth(place) {
        None => PlaceQuestion::End,
        Some(line) => match propose_candidate(&view.version, &lines, line, candidate) {
            Some((edit, why)) => PlaceQuestion::Candidate(edit, why),
            None => PlaceQuestion::NextPlace,
        },
    })
}

fn propose_candidate(
    version: &Version,
    lines: &[StatementLine],
    line: &StatementLine,
    candidate: usize,
) -> Option<(Edit, EditReason)> {
    let names = version.name_graph();
    let name = |label: NameSymbol| format_names(names.symbol_name(label), 0);
    let (&(last, _), others) = line.labels.split_last()?;
    let (edit, words) = if line.is_empty {
        let next = next_element(version, line.line.id)?;
        let statement = quote_text(&text_excerpt(line.place.node, 40));
        match (first_label(version, lines, next), candidate) {
            (Some(target), 0) => (
                redirect_jumps(version, &line.labels, line.line.id, target),
                QuestionWords::ask_removal(statement)
                    .because(format!("what jumps to it goes to {}", name(target))),
            ),
            (Some(_), 1) | (None, 0) => (
                keep_labels(version, line),
                QuestionWords::ask_removal(statement)
                    .because(format!("{} stands before what follows", name(last))),
            ),
            _ => return None,
        }
    } else {
        let mut used = others
            .iter()
            .filter(|(label, _)| names.symbol_count(*label).uses > 0);
        let &(label, node) = used.nth(candidate)?;
        (
            redirect_jumps(version, &[(label, node)], node, last),
            QuestionWords::ask(format!(
                "Can what jumps to {} go to {}?",
                name(label),
                name(last)
            ))
            .in_short(format!("goto {} → {}", name(label), name(last)).replace('`', "")),
        )
    };
    let why = EditReason {
        pass: LABELS.name,
        action: EditAction::Question(words),
        node: Some(line.place.node.id),
    };
    (!edit.ops.is_empty()).then_some((edit, why))
}

/// The first label before the statement in an element of a list.
fn first_label(
    version: &Version,
    lines: &[StatementLine],
    element: &Arc<ProgramNode>,
) -> Option<NameSymbol> {
    let labels = match lines.iter().find(|line| line.line.id == element.id) {
        Some(line) => line.labels.clone(),
        // Its statement is gone already.
        None => labels_among(version, walk::iter_leaves(element)),
    };
    labels.first().map(|(label, _)| *label)
}

/// The edit by which what jumps to these labels jumps to the target, and this node goes.
fn redirect_jumps(
    version: &Version,
    labels: &[(NameSymbol, NodeId)],
    goes: NodeId,
    target: NameSymbol,
) -> Edit {
    let names = version.name_graph();
    let text: Arc<[u8]> = Arc::from(names.symbol_name(target).as_bytes());
    let uses = labels.iter().flat_map(|(label, _)| names.used_by(*label));
    let mut edit: Edit = uses
        .filter(|leaf| version.find_node(**leaf).is_some())
        .map(|&node| EditOp::Replace {
            node,
            piece: Replacement::Tokens([text.clone()].into()),
        })
        .collect();
    edit.ops.extend(removal_edit(version, &[goes]).ops);
    edit
}

/// The edit that removes all of a line but its labels.
fn keep_labels(version: &Version, line: &StatementLine) -> Edit {
    let labels = line.labels.iter();
    let kept = labels.filter_map(|(_, node)| version.find_node(*node));
    let kept: Vec<NodeId> = kept
        .flat_map(walk::iter_leaves)
        .map(|leaf| leaf.id)
        .collect();
    let leaves = walk::iter_leaves(line.line).map(|leaf| leaf.id);
    let goes: Vec<NodeId> = leaves.filter(|leaf| !kept.contains(leaf)).collect();
    deletion_edit(version, &goes)
}
