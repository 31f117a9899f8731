//! A program as declarations that go or stay as a whole, and what each declares and uses.
//!
//! A *unit* is an element of a list of declarations: of a document, or of what only groups declarations, such as a namespace. Such a group is
//! a *group* here. What stands in the braces of a function or a structure is a part of its unit. The table is made of one walk over all leaves.

use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::emptying::{can_be_left_out, is_evaluated, kept_end};
use crate::grammar::NodeClass;
use crate::program::names::{DeclarationKind, DeclarationSite, NameRole, NameSymbol};
use crate::program::{
    NodeId, NodePath, NodeShape, PathFinder, ProgramNode, Version, find_bodies, strip_separator,
    walk,
};
use crate::protocol::abandon::count_round;

/// Where in its unit a name stands.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub enum UnitDepth {
    /// Outside of all braces.
    Head,
    /// In the braces of a structure, or in the body of a function that the compiler evaluates.
    Inside,
    /// In the statement that an emptied body keeps, or in a body that loses its statements only with it.
    End,
    /// In the body of a function.
    Body,
}

/// A use of a name in a unit.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct UnitUse {
    /// Where it stands.
    pub depth: UnitDepth,
    /// The name.
    pub symbol: NameSymbol,
    /// The name in front of it, with one token between: in `a::b` that of a group, which `b` is inside of.
    pub qualifier: Option<NameSymbol>,
}

/// A declaration, or a group of them.
#[derive(Debug)]
pub struct DeclarationUnit {
    /// Its node.
    pub node: Arc<ProgramNode>,
    /// The units and groups directly in it, if it is a group.
    pub members: Vec<usize>,
    /// The group around it.
    pub around: Option<usize>,
    /// What it declares outside of all braces.
    pub declared: Vec<NameSymbol>,
    /// What it uses.
    pub used: Vec<UnitUse>,
    /// What it uses in places where only a member of something can be meant.
    pub used_members: Vec<UnitUse>,
    /// The names of its members.
    pub members_declared: Vec<NameSymbol>,
    /// The words that the parser has not seen as names: something stands in for them, or they are hidden.
    pub unread: Vec<Box<str>>,
    /// What it names before a colon, outside of all braces, such as the base classes of a specialisation.
    pub subjects: Vec<NameSymbol>,
    /// The structures of which it is a member that stands outside.
    pub owners: Vec<NameSymbol>,
    /// Whether it cannot go alone: a token by itself, or brackets that do not match. The parser did not understand what is around it.
    pub is_fragment: bool,
}

impl DeclarationUnit {
    /// Whether it only groups declarations.
    pub fn is_group(&self) -> bool {
        !self.members.is_empty()
    }
}

/// The units of a version.
#[derive(Debug)]
pub struct DeclarationUnits {
    /// The version.
    pub version: Version,
    /// All units and groups, those around others first.
    pub units: Vec<DeclarationUnit>,
    /// Those of the documents, in order.
    pub outermost: Vec<usize>,
    /// Those that declare a symbol which can be used elsewhere.
    declaring: FxHashMap<NameSymbol, Vec<usize>>,
    /// Those that declare a name outside of all braces.
    named: FxHashMap<Arc<str>, Vec<usize>>,
}

/// What braces are the body of.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum BodyKind {
    /// A structure, or what else is no function.
    Structure,
    /// A function.
    Function,
    /// A function that the compiler evaluates.
    Evaluated,
}

/// What is known of the braces of a version.
struct KnownBraces {
    /// The bodies.
    nodes: FxHashMap<NodeId, BodyKind>,
    /// The kinds of these nodes in a document.
    kinds: FxHashSet<(usize, NodeClass)>,
}

impl KnownBraces {
    fn find(version: &Version) -> KnownBraces {
        let mut braces = KnownBraces {
            nodes: FxHashMap::default(),
            kinds: FxHashSet::default(),
        };
        for (path, owner) in find_bodies(version) {
            let kind = match owner {
                DeclarationKind::Function if is_evaluated(version, &path) => BodyKind::Evaluated,
                DeclarationKind::Function => BodyKind::Function,
                _ => BodyKind::Structure,
            };
            braces.nodes.insert(path.node().id, kind);
            if let Some(class) = path.node().class {
                braces.kinds.insert((path.document, class));
            }
        }
        braces
    }

    /// What the node is the body of; none if it is no body. What has no name of its own, such as a specialisation, is not emptied, so all of its
    /// body is needed.
    fn body_kind(&self, document: usize, node: &ProgramNode) -> Option<BodyKind> {
        let known = self.nodes.get(&node.id).copied();
        let is_body = |class| self.kinds.contains(&(document, class));
        known.or_else(|| {
            node.class
                .filter(|&class| is_body(class))
                .map(|_| BodyKind::Structure)
        })
    }
}

impl DeclarationUnits {
    /// The units of the first documents of a version.
    pub fn of_version(version: &Version, documents: usize) -> DeclarationUnits {
        let braces = KnownBraces::find(version);
        let outer = OuterPlaces::find(version, &braces);
        let names = version.name_graph();
        let attached = names.symbols().flat_map(|symbol| {
            let sites = names.attached_sites(symbol).iter();
            sites.map(move |site| (site.leaf, symbol))
        });
        let mut reader = UnitReader {
            version,
            attached: attached.collect(),
            document: 0,
            braces,
            outer,
            announced: Vec::new(),
            found: DeclarationUnits {
                version: version.clone(),
                units: Vec::new(),
                outermost: Vec::new(),
                declaring: FxHashMap::default(),
                named: FxHashMap::default(),
            },
        };
        for (number, document) in version.documents().iter().take(documents).enumerate() {
            reader.document = number;
            let list = reader.inner_lists(&document.root);
            for list in list {
                let members = reader.read_list(list);
                reader.found.outermost.extend(members);
            }
        }
        for (symbol, unit) in reader.announced {
            if let Some(declaring) = reader.found.declaring.get_mut(&symbol) {
                declaring.push(unit);
            }
        }
        reader.found
    }

    /// The units and groups that declare this name outside of all braces, or announce it.
    pub fn named_units(&self, name: &str) -> &[usize] {
        self.named.get(name).map_or(&[], |units| units)
    }

    /// The units that a use of this symbol may mean. Where the name graph does not know which, those that declare its name.
    pub fn meant_by(&self, symbol: NameSymbol) -> &[usize] {
        if let Some(units) = self.declaring.get(&symbol) {
            return units;
        }
        let names = self.version.name_graph();
        let is_known = names
            .declaration_kind(symbol)
            .is_some_and(|kind| !kind.any_declaration_suffices());
        match is_known {
            true => &[],
            false => self.named_units(names.symbol_name(symbol)),
        }
    }

    /// Those of the units that a use may mean which are inside of a group of the name in front of it; none if that says nothing.
    pub fn meant_inside(&self, used: &UnitUse) -> Option<Vec<usize>> {
        let inside = self.units_inside(self.meant_by(used.symbol), used.qualifier?);
        (!inside.is_empty()).then_some(inside)
    }

    /// Those of these units that are inside of a group of this name.
    fn units_inside(&self, units: &[usize], group: NameSymbol) -> Vec<usize> {
        let names = self.version.name_graph();
        let name = names.symbol_name(group);
        let is_inside = |&&at: &&usize| {
            let above = |at: &usize| self.units[*at].around;
            let mut groups = std::iter::successors(above(&at), above);
            groups.any(|group| {
                let mut declared = self.units[group].declared.iter();
                declared.any(|&symbol| names.symbol_name(symbol) == name)
            })
        };
        units.iter().filter(is_inside).copied().collect()
    }
}

/// What stands outside of all braces of a version.
#[derive(Default)]
struct OuterPlaces {
    /// The lists of which an element is a declaration.
    lists: FxHashSet<NodeId>,
    /// The kinds of leaves that declare something. Where a grammar has a kind of its own for names of members, a leaf of it names nothing else.
    classes: FxHashSet<NodeClass>,
}

impl OuterPlaces {
    fn find(version: &Version, braces: &KnownBraces) -> OuterPlaces {
        let names = version.name_graph();
        let sites = names.symbols().flat_map(|symbol| {
            let sites = names.declaration_sites(symbol).iter();
            sites.map(move |site| (symbol, site))
        });
        let mut sites: Vec<_> = sites.collect();
        sites.sort_unstable_by_key(|(_, site)| site.place);
        let declares = |symbol: NameSymbol| {
            names.declaration_kind(symbol) != Some(DeclarationKind::Param)
                && names.symbol_count(symbol).declares > 0
        };
        let mut paths = PathFinder::new(version);
        let mut outer = OuterPlaces::default();
        for (symbol, site) in sites {
            count_round();
            if let Some(path) = paths.path_to(site.leaf) {
                outer.add_site(path, site, braces, declares(symbol));
            }
        }
        outer
    }

    /// Adds the place of a declaration: its kind of leaf, and the list of which it is an element if it `declares` something.
    fn add_site(
        &mut self,
        path: &NodePath,
        site: &DeclarationSite,
        braces: &KnownBraces,
        declares: bool,
    ) {
        let (mut list, mut is_found) = (None, !declares);
        for node in &path.nodes {
            if let Some(list) = list.filter(|_| !is_found && node.shape != NodeShape::Chunk) {
                let first = walk::leaf_at(node, 0);
                if first.is_some_and(|leaf| (site.first_leaf..=site.leaf).contains(&leaf.id)) {
                    self.lists.insert(list);
                    is_found = true;
                }
            }
            if braces.body_kind(path.document, node).is_some() {
                return;
            }
            list = match node.shape {
                NodeShape::Chunk => list,
                shape => is_plain_list(shape).then_some(node.id),
            };
        }
        self.classes.extend(path.node().class);
    }
}

/// How many brackets a token opens; less than 0 if it closes one.
fn bracket_depth(text: &[u8]) -> i32 {
    match text {
        b"(" | b"[" | b"{" => 1,
        b")" | b"]" | b"}" => -1,
        _ => 0,
    }
}

/// Whether a part of what the parser did not understand ends as a declaration does.
fn ends_whole(node: &Arc<ProgramNode>) -> bool {
    last_tokens(node)
        .next()
        .is_some_and(|last| matches!(last.text(), b";" | b"}"))
}

/// The tokens of a node from the last to the first.
fn last_tokens(node: &Arc<ProgramNode>) -> impl Iterator<Item = &Arc<ProgramNode>> {
    let leaves = (0..node.sums().leaves).rev();
    let leaves = leaves.filter_map(|index| walk::leaf_at(node, index));
    leaves.filter(|leaf| leaf.shape == NodeShape::Token)
}

/// Whether the elements have no separators.
fn is_plain_list(shape: NodeShape) -> bool {
    shape.is_list() && shape != NodeShape::Sep
}

/// Reads the units of a version.
struct UnitReader<'a> {
    version: &'a Version,
    attached: FxHashMap<NodeId, NameSymbol>,
    document: usize,
    braces: KnownBraces,
    outer: OuterPlaces,
    /// The units that announce a name which another one may declare.
    announced: Vec<(NameSymbol, usize)>,
    found: DeclarationUnits,
}

impl<'a> UnitReader<'a> {
    /// The outermost lists of declarations in a node.
    fn inner_lists(&self, node: &'a Arc<ProgramNode>) -> Vec<&'a Arc<ProgramNode>> {
        let (mut found, mut stack) = (Vec::new(), vec![node]);
        while let Some(node) = stack.pop() {
            if self.outer.lists.contains(&node.id) {
                found.push(node);
            } else if self.braces.body_kind(self.document, node).is_none() {
                stack.extend(node.children().iter().rev());
            }
        }
        found
    }

    fn read_list(&mut self, list: &'a Arc<ProgramNode>) -> Vec<usize> {
        let elements = walk::iter_items(list).map(strip_separator);
        let elements =
            elements.filter(|element| !matches!(element.shape, NodeShape::Extra | NodeShape::End));
        let is_unparsed = list.shape == NodeShape::Opaque;
        elements
            .map(|element| self.read_unit(element, is_unparsed))
            .collect()
    }

    fn read_unit(&mut self, node: &'a Arc<ProgramNode>, is_unparsed: bool) -> usize {
        count_round();
        let at = self.found.units.len();
        self.found.units.push(DeclarationUnit {
            node: node.clone(),
            members: Vec::new(),
            declared: Vec::new(),
            used: Vec::new(),
            used_members: Vec::new(),
            members_declared: Vec::new(),
            around: None,
            unread: Vec::new(),
            subjects: Vec::new(),
            owners: Vec::new(),
            is_fragment: node.shape == NodeShape::Token,
        });
        let (mut open_brackets, mut has_colon) = (0, false);
        // The names that the last two tokens use.
        let mut last_names: [Option<NameSymbol>; 2] = [None; 2];
        let mut stack = vec![(node, UnitDepth::Head)];
        while let Some((node, depth)) = stack.pop() {
            if node.shape == NodeShape::Token {
                open_brackets += bracket_depth(node.text());
                has_colon |= depth == UnitDepth::Head && node.text() == b":";
                let qualifier = last_names[0].filter(|_| last_names[1].is_none());
                let name = self.read_name(at, node, depth, has_colon, qualifier);
                last_names = [last_names[1], name];
                continue;
            }
            if depth == UnitDepth::Head && self.outer.lists.contains(&node.id) {
                let members = self.read_list(node);
                for &member in &members {
                    self.found.units[member].around = Some(at);
                }
                self.found.units[at].members.extend(members);
                continue;
            }
            let inner = match self.braces.body_kind(self.document, node) {
                Some(BodyKind::Function) if can_be_left_out(self.version, node) => UnitDepth::Body,
                Some(BodyKind::Function) => depth.max(UnitDepth::End),
                Some(BodyKind::Structure | BodyKind::Evaluated) => depth.max(UnitDepth::Inside),
                None => depth,
            };
            let kept = (inner == UnitDepth::Body && depth != inner)
                .then(|| kept_end(self.version, node))
                .flatten();
            // What a body keeps is read first as such, and then with the body: its names are there twice.
            if let Some(kept) = kept {
                for leaf in walk::iter_leaves(kept) {
                    for found in self.version.name_graph().leaf_occurrences(leaf) {
                        if found.role == NameRole::Uses {
                            self.add_use(at, leaf, UnitDepth::End, found.symbol, None);
                        }
                    }
                }
            }
            stack.extend(node.children().iter().rev().map(|child| (child, inner)));
        }
        self.found.units[at].is_fragment |= open_brackets != 0 || is_unparsed && !ends_whole(node);
        if let Some(symbol) = self.announced_name(at) {
            let name = self.version.name_graph().symbol_name(symbol);
            let named = self.found.named.entry(name.clone());
            named.or_default().push(at);
            self.announced.push((symbol, at));
        }
        at
    }

    /// The name that a unit ends with, if it declares none but types, such as the parameters of a template: `struct S;` announces `S`, but
    /// `using A = S;` does not.
    fn announced_name(&self, at: usize) -> Option<NameSymbol> {
        let unit = &self.found.units[at];
        let names = self.version.name_graph();
        let is_type =
            |symbol: &NameSymbol| names.declaration_kind(*symbol) == Some(DeclarationKind::Type);
        if !unit.declared.iter().all(is_type) || unit.is_group() {
            return None;
        }
        let mut tokens = last_tokens(&unit.node);
        let last = tokens.next()?;
        let named = match last.text() {
            b";" => tokens.next()?,
            _ => last,
        };
        let found = names.leaf_occurrences(named).next()?;
        let is_word = |text: &[u8]| {
            let first = text.first();
            first.is_some_and(|&first| first.is_ascii_alphabetic() || first == b'_')
        };
        let is_alias = tokens
            .find(|leaf| leaf.text() != b"::" && !is_word(leaf.text()))
            .is_some_and(|leaf| leaf.text() == b"=");
        (!is_alias && !unit.declared.contains(&found.symbol)).then_some(found.symbol)
    }

    /// Adds a use. Whether it may mean more than a member.
    fn add_use(
        &mut self,
        at: usize,
        leaf: &ProgramNode,
        depth: UnitDepth,
        symbol: NameSymbol,
        qualifier: Option<NameSymbol>,
    ) -> bool {
        let unit = &mut self.found.units[at];
        let class = leaf.class;
        let is_member = class.is_some_and(|class| !self.outer.classes.contains(&class));
        let used = match is_member {
            true => &mut unit.used_members,
            false => &mut unit.used,
        };
        used.push(UnitUse {
            depth,
            symbol,
            qualifier,
        });
        !is_member
    }

    fn read_name(
        &mut self,
        at: usize,
        leaf: &'a Arc<ProgramNode>,
        depth: UnitDepth,
        has_colon: bool,
        qualifier: Option<NameSymbol>,
    ) -> Option<NameSymbol> {
        let mut last = None;
        let names = self.version.name_graph();
        let unit = &mut self.found.units[at];
        if let Some(&owner) = self
            .attached
            .get(&leaf.id)
            .filter(|_| depth == UnitDepth::Head)
        {
            unit.owners.push(owner);
        }
        if leaf.class.is_none() {
            let word = str::from_utf8(leaf.text()).ok();
            let is_word =
                |text: &&str| text.starts_with(|first: char| first.is_alphabetic() || first == '_');
            unit.unread.extend(word.filter(is_word).map(Box::from));
        }
        for found in names.leaf_occurrences(leaf) {
            last = Some(found.symbol);
            if found.role == NameRole::Uses {
                let is_open = self.add_use(at, leaf, depth, found.symbol, qualifier);
                if is_open && depth == UnitDepth::Head && !has_colon {
                    self.found.units[at].subjects.push(found.symbol);
                }
                continue;
            }
            let Some(kind) = names.declaration_kind(found.symbol) else {
                continue;
            };
            let is_local = depth >= UnitDepth::End
                || matches!(
                    kind,
                    DeclarationKind::Param | DeclarationKind::Label | DeclarationKind::Outer
                );
            if is_local {
                continue;
            }
            let unit = &mut self.found.units[at];
            if depth == UnitDepth::Head {
                unit.declared.push(found.symbol);
                let named = self
                    .found
                    .named
                    .entry(names.symbol_name(found.symbol).clone());
                named.or_default().push(at);
            }
            if matches!(kind, DeclarationKind::Field | DeclarationKind::Member) {
                unit.members_declared.push(found.symbol);
            } else {
                self.found
                    .declaring
                    .entry(found.symbol)
                    .or_default()
                    .push(at);
            }
        }
        last
    }
}
