//! A declaration without a value and the first assignment to its name as one: the declaration stands where the assignment is, or the assigned value
//! where the declaration is.
//!
//! `unsigned b; … for (b = 0; …)` becomes `for (unsigned b = 0; …)`, or `unsigned b = 0; … for (; …)`. `struct S s; s.a = 7;` becomes `struct S s = {7};`.
//! The captures `@unfold.start` and `@unfold.member` say what is assigned. Whether the name is still known at all of its uses, or whether another
//! assignment comes before, the test decides.

use std::sync::Arc;

use crate::pass::passes::merge::remove_part;
use crate::pass::shared::name_substitution::{
    NameSubstitution, TokenTexts, copy_texts, find_value, token_leaves, use_paths,
};
use crate::pass::shared::removable::removal_edit;
use crate::program::names::{DeclarationKind, NameSymbol, SymbolLosses, ValuePart};
use crate::program::{
    Edit, EditOp, NodeId, NodePath, NodeShape, ProgramNode, Version, strip_separator, walk,
};

/// A name that is declared without a value, and what is assigned to it first.
pub(super) struct FirstAssignment<'a> {
    version: &'a Version,
    name: NameSymbol,
    /// The leaf that declares the name.
    declared: NodePath<'a>,
    /// The tokens of the declaration before its names.
    start: Vec<Arc<[u8]>>,
    assignment: NodePath<'a>,
    value: &'a Arc<ProgramNode>,
    /// Whether the value is that of a member.
    is_member: bool,
}

impl<'a> FirstAssignment<'a> {
    /// None where the name has several declarations, or no assignment is known.
    pub fn of_name(version: &'a Version, name: NameSymbol) -> Option<FirstAssignment<'a>> {
        let names = version.name_graph();
        if names.declaration_kind(name) != Some(DeclarationKind::Var)
            || names.symbol_count(name).declares != 1
        {
            return None;
        }
        let mut sites = names.declaration_sites(name).iter();
        let (site, declared) = sites.find_map(|site| Some((site, version.path_to(site.leaf)?)))?;
        let list = declared
            .nodes
            .iter()
            .rposition(|node| node.shape.is_list())
            .filter(|&at| declared.nodes[at].shape == NodeShape::Sep)?;
        let (_, element) = declared.child_below(list)?;
        // Anything else in it belongs to the type, or is a value.
        let is_bare = token_leaves(strip_separator(element)).nth(1).is_none();
        let names_start = walk::leaf_at(declared.nodes[list], 0)?.id;
        let declaration = declared.nodes.iter().rev().find(|node| {
            let first = walk::leaf_at(node, 0).map(|leaf| leaf.id);
            first == Some(site.first_leaf)
        })?;
        let start = token_leaves(declaration).take_while(|leaf| leaf.id != names_start);
        let start: Vec<Arc<[u8]>> = start.map(|leaf| Arc::from(leaf.text())).collect();
        if !is_bare || start.is_empty() {
            return None;
        }
        let first = |part| {
            let mut sites = names.value_parts(name, part);
            sites.find_map(|site| find_value(version, site))
        };
        let starts = first(ValuePart::Start).map(|value| (value, false));
        let (value, is_member) =
            starts.or_else(|| first(ValuePart::Member).map(|value| (value, true)))?;
        let uses: Vec<NodeId> = use_paths(version, name)
            .map(|path| path.node().id)
            .collect();
        let value_path = version.path_to(value.id)?;
        let mut around = value_path.ancestors();
        let assigns = |node: &&Arc<ProgramNode>| {
            walk::leaf_at(node, 0).is_some_and(|leaf| uses.contains(&leaf.id))
        };
        let assignment = version.path_to(around.find(assigns)?.id)?;
        Some(FirstAssignment {
            version,
            name,
            declared,
            start,
            assignment,
            value,
            is_member,
        })
    }

    /// The declaration stands where the assignment is.
    pub fn declare_there(&self) -> Option<NameSubstitution> {
        if self.is_member {
            return None;
        }
        let names = self.version.name_graph();
        let mut losses = SymbolLosses::default();
        for path in use_paths(self.version, self.name) {
            losses.add_node(names, path.node());
        }
        let (removal, _) = remove_part(self.version, self.name, &losses)?;
        let first = walk::leaf_at(self.assignment.node(), 0)?;
        let place = self.version.path_to(first.id)?;
        let name: Arc<[u8]> = Arc::from([b" ", first.text()].concat());
        let mut texts = spaced(&self.start);
        texts.push(name);
        NameSubstitution::with_removal(self.version, vec![(place, texts.into())], removal)
    }

    /// The assigned value stands where the declaration is.
    pub fn assign_there(&self) -> Option<NameSubstitution> {
        let removal = self.removal_of_assignment()?;
        let mark = |text: &'static [u8]| Arc::<[u8]>::from(text);
        let mut texts = vec![Arc::from(self.declared.node().text()), mark(b" =")];
        let mut value = copy_texts(self.value);
        if self.is_member {
            texts.push(mark(b" {"));
            texts.extend(value);
            texts.push(mark(b"}"));
        } else {
            if let Some(first) = value.first_mut() {
                *first = Arc::from([b" ", &**first].concat());
            }
            texts.extend(value);
        }
        let texts: TokenTexts = texts.into();
        let place = self.declared.clone();
        NameSubstitution::with_removal(self.version, vec![(place, texts)], removal)
    }

    /// The edit that removes the assignment: the statement, or the optional part that it is. None where another value needs it.
    fn removal_of_assignment(&self) -> Option<Edit> {
        let path = &self.assignment;
        let own = path.node().sums().tokens;
        let list = path.nodes.iter().rposition(|node| node.shape.is_list())?;
        let (_, element) = path.child_below(list)?;
        let element = strip_separator(element);
        let is_statement = path.nodes[list].shape != NodeShape::Sep;
        if is_statement && element.sums().tokens <= own + 1 {
            let removal = removal_edit(self.version, &[element.id]);
            return (!removal.ops.is_empty()).then_some(removal);
        }
        let same = path.nodes.iter().rev();
        let mut same = same.take_while(|node| node.sums().tokens == own);
        let optional = same.find(|node| node.shape == NodeShape::Opt)?;
        Some(EditOp::Delete(optional.id).into())
    }

    /// How the declaration begins: its type.
    pub fn start_text(&self) -> String {
        let words = self.start.iter().map(|text| String::from_utf8_lossy(text));
        words.collect::<Vec<_>>().join(" ")
    }

    /// The assigned value.
    pub fn value(&self) -> &Arc<ProgramNode> {
        self.value
    }
}

/// These tokens with a blank between each two.
fn spaced(texts: &[Arc<[u8]>]) -> Vec<Arc<[u8]>> {
    let texts = texts.iter().enumerate();
    texts
        .map(|(at, text)| match at {
            0 => text.clone(),
            _ => Arc::from([b" ", &**text].concat()),
        })
        .collect()
}
