//! The canonical layout of a program, by what its language says of it (`LayoutRules`).
//!
//! The white space before a token is a function of the tree and of the token before it: where the token begins a part that begins a line,
//! stands a line end, and so on. What is written without a blank gets one where the two tokens would be read as one. A comment keeps its
//! white space, and so does the token behind it. A version that keeps its layout is laid out after each edit, in time proportional to the
//! program. Where an edit has left a tree that is not the one of its text (an opaque node), the text is parsed, and its tree decides.

use std::sync::Arc;

use super::node::{NodeFlags, NodeShape, ProgramNode};
use super::read::read_documents;
use super::text::SharedText;
use super::version::{Document, Version};
use super::walk;
use super::whitespace_join::replace_trivia;
use crate::grammar::bnf::LayoutRole;
use crate::language::{Language, LayoutRoles, LayoutRules};

/// The version laid out again, if it keeps its layout.
pub(super) fn restore_layout(version: Version) -> Version {
    let documents = version.keeps_layout().then(|| lay_out_documents(&version));
    match documents.flatten() {
        Some(documents) => version.with_new_white_space(documents),
        None => version,
    }
}

/// The documents laid out; none if they are that already.
pub(super) fn lay_out_documents(version: &Version) -> Option<Vec<Document>> {
    let mut changed = false;
    let documents = version.documents().iter().map(|document| {
        let language = document.language;
        let layout = language.and_then(|language| Some((language, language.layout()?)));
        let changes = layout.map(|(language, rules)| {
            let own = find_changes(language, rules, &document.root);
            own.or_else(|| find_parsed_changes(document, language, rules))
        });
        let changes = changes.flatten().unwrap_or_default();
        changed |= !changes.is_empty();
        document.with_edited_root(replace_trivia(document, &document.root, &changes))
    });
    let documents = documents.collect();
    changed.then_some(documents)
}

/// What [`find_changes`] says of the tree of the document's text; none if that has other leaves.
fn find_parsed_changes(
    document: &Document,
    language: &'static Language,
    rules: &LayoutRules,
) -> Option<Vec<(u32, SharedText)>> {
    let text: Arc<[u8]> = walk::render_text(&document.root).into();
    let read = read_documents(vec![(Some(language), document.path.clone(), text)]).ok()?;
    let root = &read.documents()[0].root;
    let texts = |root| walk::iter_leaves(root).map(|leaf| leaf.text());
    let is_same = texts(root).eq(texts(&document.root));
    is_same
        .then(|| find_changes(language, rules, root))
        .flatten()
}

/// A node that the walk has not come to.
struct UnvisitedNode<'a> {
    node: &'a Arc<ProgramNode>,
    /// Whether what it is in stands on one line.
    one_line: bool,
    /// Whether it is new text that follows other new text in the same place.
    further: bool,
}

/// The leaves with other white space than the layout wants, by their numbers, and that white space; none if a node is opaque.
fn find_changes(
    language: &'static Language,
    rules: &LayoutRules,
    root: &Arc<ProgramNode>,
) -> Option<Vec<(u32, SharedText)>> {
    let (mut changes, mut index) = (Vec::new(), 0);
    let mut open = vec![UnvisitedNode {
        node: root,
        one_line: false,
        further: false,
    }];
    // What begins with the next leaf; its line end and its tab are those of parts that do not stand on one line.
    let (mut begun, mut ends_line, mut tab) = (LayoutRoles::default(), false, false);
    let mut before: Option<&Arc<ProgramNode>> = None;
    while let Some(UnvisitedNode {
        node,
        one_line,
        further,
    }) = open.pop()
    {
        if node.sums().leaves == 0 {
            continue;
        }
        if node.shape == NodeShape::Opaque {
            return None;
        }
        let place = node.expected.filter(|_| !further && is_placed(node));
        let own = place.map(|place| rules.place_roles(language.grammar(), node.class, place));
        let own = own.unwrap_or_default();
        begun = begun.union(own);
        ends_line |= !one_line && own.contains(LayoutRole::NewLine);
        tab |= !one_line && own.contains(LayoutRole::Tab);
        if !node.shape.is_leaf() {
            let one_line = one_line || own.contains(LayoutRole::OneLine);
            let children = node.children();
            open.extend(
                children
                    .iter()
                    .enumerate()
                    .rev()
                    .map(|(at, node)| UnvisitedNode {
                        node,
                        one_line,
                        further: at > 0 && is_new_text(node) && is_new_text(&children[at - 1]),
                    }),
            );
            continue;
        }
        let token = rules.token_roles(node.text());
        let roles = begun.union(token);
        ends_line |= !one_line && token.contains(LayoutRole::NewLine);
        tab |= !one_line && token.contains(LayoutRole::Tab);
        let trivia: &[u8] = match before {
            None if tab => b"\t",
            None => b"",
            _ if node.shape == NodeShape::End => b"\n",
            _ if ends_line && tab => b"\n\t",
            _ if ends_line => b"\n",
            _ if tab => b"\t",
            Some(before) => {
                let open = rules.token_roles(before.text());
                let joined = open.contains(LayoutRole::NoBlankAfter)
                    || roles.contains(LayoutRole::NoBlankBefore);
                match joined && !language.needs_separator(before.text(), node.text()) {
                    true => b"",
                    false => b" ",
                }
            }
        };
        let is_extra = |leaf: &Arc<ProgramNode>| leaf.shape == NodeShape::Extra;
        let fixed = NodeFlags::FROZEN.union(NodeFlags::RAW);
        let stays = is_extra(node) || before.is_some_and(is_extra) || node.flags.intersects(fixed);
        if !stays && trivia != node.trivia() {
            changes.push((index, SharedText::new(trivia)));
        }
        (before, begun) = (Some(node), LayoutRoles::default());
        (ends_line, tab) = (false, false);
        index += 1;
    }
    Some(changes)
}

/// Whether a node stands for its place: it has a class, or is new text.
fn is_placed(node: &ProgramNode) -> bool {
    node.class.is_some() || is_new_text(node)
}

fn is_new_text(node: &ProgramNode) -> bool {
    node.shape == NodeShape::Token && node.class.is_none()
}
