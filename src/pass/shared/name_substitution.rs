//! Names that go, each with other text in the place of all of its uses, in one edit.

use std::sync::Arc;

use rustc_hash::FxHashSet;

use super::removal_closure::RemovalClosure;
use crate::program::names::{
    NameRole, NameSymbol, SymbolCount, SymbolLosses, ValuePart, ValueSite,
};
use crate::program::{
    Edit, EditOp, NodeId, NodePath, NodeShape, ProgramNode, Replacement, Version, walk,
};

/// The tokens that stand in one place, each with the white space before it.
pub(in crate::pass) type TokenTexts = Arc<[Arc<[u8]>]>;

/// What a name stands for, by the name graph: one node, which the declaration of the name contains.
pub(in crate::pass) struct NameMeaning<'a> {
    /// The name.
    pub name: NameSymbol,
    /// The leaf that declares it.
    pub declared: NodeId,
    /// What it stands for.
    pub value: &'a Arc<ProgramNode>,
    /// Whether that stands in parentheses.
    pub is_enclosed: bool,
    /// The name, where it stays before what it stands for. That is then in the place of the first use, and known at the others.
    pub kept_name: Option<Arc<str>>,
}

impl<'a> NameMeaning<'a> {
    /// None if the name has several declarations, no use, or nothing that is known to stand for it.
    pub fn of_name(version: &'a Version, name: NameSymbol) -> Option<NameMeaning<'a>> {
        let names = version.name_graph();
        let SymbolCount { declares, uses } = names.symbol_count(name);
        if declares != 1 || uses == 0 {
            return None;
        }
        let mut sites = names.value_sites(name);
        let (site, value) = sites.find_map(|site| Some((site, find_value(version, site)?)))?;
        let is_definition = site.part == ValuePart::Definition;
        let mut declared = names.declaration_sites(name).iter().map(|site| site.leaf);
        Some(NameMeaning {
            name,
            declared: declared.find(|leaf| version.find_node(*leaf).is_some())?,
            value,
            is_enclosed: site.part == ValuePart::Enclosed && token_leaves(value).nth(1).is_some(),
            kept_name: is_definition.then(|| names.symbol_name(name).clone()),
        })
    }

    /// The tokens of a copy.
    pub fn to_texts(&self) -> TokenTexts {
        let own = copy_texts(self.value).into_iter();
        let mark = |text: &'static [u8]| self.is_enclosed.then(|| Arc::from(text));
        let name = self.kept_name.iter().map(|name| Arc::from(name.as_bytes()));
        let opened = name.chain(mark(b"(")).chain(own);
        opened.chain(mark(b")")).collect()
    }

    /// The edit that puts these tokens in the place of each use of the name.
    pub fn substitute(&self, version: &Version, texts: TokenTexts) -> Option<NameSubstitution> {
        NameSubstitution::of_meanings(version, &[(self, texts)])
    }
}

/// Names that go, and what stands in the places of their uses.
pub(in crate::pass) struct NameSubstitution {
    /// The nodes that are replaced, each with what stands there.
    uses: Vec<(NodeId, TokenTexts)>,
    /// Their tokens.
    replaced_tokens: u32,
    /// What goes with the declarations.
    removal: Edit,
    removed_tokens: u32,
}

impl NameSubstitution {
    /// Each of these names goes, and these tokens stand in the places of its uses. None if a declaration must stay, if no use is outside of
    /// them, or if a name stands for something that contains it.
    pub fn of_meanings(
        version: &Version,
        meanings: &[(&NameMeaning, TokenTexts)],
    ) -> Option<NameSubstitution> {
        let names = version.name_graph();
        let going: FxHashSet<NameSymbol> =
            meanings.iter().map(|(meaning, _)| meaning.name).collect();
        let mut losses = SymbolLosses::default();
        let mut copied = FxHashSet::default();
        let mut places = Vec::new();
        for (meaning, texts) in meanings {
            let mut uses: Vec<NodePath> = use_paths(version, meaning.name).collect();
            uses.iter()
                .for_each(|path| losses.add_node(names, path.node()));
            let is_inside =
                |path: &NodePath| path.nodes.iter().any(|node| node.id == meaning.value.id);
            if meaning.kept_name.is_some() {
                uses.retain(|path| !is_inside(path));
                uses.sort_by_key(|path| (path.document, path.preceding_sums().leaves));
                // In the head of a function it would only keep that from going.
                if uses.len() > 1 && !uses.first().is_some_and(|path| is_in_body(version, path)) {
                    return None;
                }
                uses.truncate(1);
            } else if uses.iter().any(is_inside) {
                return None;
            }
            places.extend(uses.into_iter().map(|path| (path, texts.clone())));
            // What the value declares is declared by each of its copies. What else it uses, they use. The path of an import declares its name.
            let inside = || {
                let all = names.occurrences_below(meaning.value);
                all.filter(|fact| fact.symbol != meaning.name)
            };
            let own = inside().filter(|fact| fact.role == NameRole::Declares);
            let own: FxHashSet<NameSymbol> = own.map(|fact| fact.symbol).collect();
            for &symbol in &own {
                losses.add_count(symbol, names.symbol_count(symbol));
            }
            let used = inside().map(|fact| fact.symbol);
            copied.extend(used.filter(|symbol| !own.contains(symbol) && !going.contains(symbol)));
        }
        let mut closure = RemovalClosure::new(version, losses).with_copied_uses(copied.into_iter());
        for (meaning, _) in meanings {
            closure.add_symbol(meaning.name)?;
        }
        NameSubstitution::with_removal(version, places, closure.to_edit())
    }

    /// These tokens stand in these places, but for those that the removal removes. None if no place is left.
    pub fn with_removal(
        version: &Version,
        places: Vec<(NodePath, TokenTexts)>,
        removal: Edit,
    ) -> Option<NameSubstitution> {
        let removed = removal.ops.iter().flat_map(|op| op.removed_nodes(version));
        let (mut going, mut removed_tokens) = (FxHashSet::default(), 0);
        for node in removed {
            going.insert(node.id);
            removed_tokens += node.sums().tokens;
        }
        let stays = |path: &NodePath| !path.nodes.iter().any(|node| going.contains(&node.id));
        let uses = places.into_iter().filter(|(path, _)| stays(path));
        let mut replaced_tokens = 0;
        let uses = uses.map(|(path, texts)| {
            replaced_tokens += path.node().sums().tokens;
            (path.node().id, texts)
        });
        let uses: Vec<_> = uses.collect();
        (!uses.is_empty()).then_some(NameSubstitution {
            uses,
            replaced_tokens,
            removal,
            removed_tokens,
        })
    }

    /// In how many places something else stands.
    pub fn place_count(&self) -> usize {
        self.uses.len()
    }

    /// How many tokens more the program has then.
    pub fn growth(&self) -> i64 {
        let added = self.uses.iter().map(|(_, texts)| texts.len() as i64);
        added.sum::<i64>() - i64::from(self.removed_tokens) - i64::from(self.replaced_tokens)
    }

    /// The edit.
    pub fn to_edit(&self) -> Edit {
        let replaced = self.uses.iter().map(|(node, texts)| EditOp::Replace {
            node: *node,
            piece: Replacement::Tokens(texts.clone()),
        });
        replaced.chain(self.removal.ops.iter().cloned()).collect()
    }

    /// The end of a sentence: in how many places something else stands.
    pub fn describe_places(&self) -> String {
        match self.place_count() {
            1 => "its only place".to_string(),
            more => format!("its {more} places"),
        }
    }
}

/// Whether a place is in the body of a function or a structure.
fn is_in_body(version: &Version, path: &NodePath) -> bool {
    let bodies = version.name_graph().braced_lists().iter();
    let bodies: FxHashSet<NodeId> = bodies.map(|body| body.leaf).collect();
    path.nodes.iter().any(|node| {
        let first = walk::leaf_at(node, 0);
        first.is_some_and(|leaf| leaf.id != path.node().id && bodies.contains(&leaf.id))
    })
}

/// The paths to the leaves that use a name.
pub(in crate::pass) fn use_paths(
    version: &Version,
    name: NameSymbol,
) -> impl Iterator<Item = NodePath<'_>> {
    let leaves = version.name_graph().used_by(name).iter();
    leaves.filter_map(|leaf| version.path_to(*leaf))
}

/// The leaves of a node but for comments and what has no text.
pub(in crate::pass) fn token_leaves(
    node: &Arc<ProgramNode>,
) -> impl Iterator<Item = &Arc<ProgramNode>> {
    let is_token =
        |leaf: &&Arc<ProgramNode>| leaf.shape == NodeShape::Token && !leaf.text().is_empty();
    walk::iter_leaves(node).filter(is_token)
}

/// The tokens of a copy of a node.
pub(in crate::pass) fn copy_texts(node: &Arc<ProgramNode>) -> Vec<Arc<[u8]>> {
    let texts = token_leaves(node).enumerate().map(|(at, leaf)| match at {
        0 => Arc::from(leaf.text()),
        _ => Arc::from([leaf.trivia(), leaf.text()].concat()),
    });
    texts.collect()
}

/// The node that consists of these leaves; none where they are gone.
pub(in crate::pass) fn find_value<'a>(
    version: &'a Version,
    site: &ValueSite,
) -> Option<&'a Arc<ProgramNode>> {
    let path = version.path_to(site.first_leaf)?;
    let is_value = |node: &&&Arc<ProgramNode>| {
        let ends =
            [0, node.sums().leaves - 1].map(|at| walk::leaf_at(node, at).map(|leaf| leaf.id));
        ends == [Some(site.first_leaf), Some(site.last_leaf)]
    };
    path.nodes.iter().rev().find(is_value).copied()
}
