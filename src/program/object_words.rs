//! What the nodes of a program are called in a sentence: by the names that they declare, else by how their text begins; and by nouns of the field
//! in the place of the grammar's kinds.

use std::sync::Arc;

use super::edit::{Edit, EditOp};
use super::names::{DeclarationKind, NameRole};
use super::node::{NodeId, NodeShape, ProgramNode};
use super::placement::strip_separator;
use super::quoting::{quote_text, text_excerpt};
use super::version::{NodePath, Version};
use super::walk;
use crate::display::format_count;

/// How many characters of a text are quoted.
const EXCERPT_LENGTH: usize = 40;
/// A text of fewer characters says too little without a noun before it.
const TELLING_LENGTH: usize = 12;
/// How many objects are named one by one.
const MAX_NAMED: usize = 12;
/// How many lines are named one by one.
const MAX_LINES: usize = 6;
/// How many objects are looked at.
const MAX_SEEN: usize = 64;
/// How many leaves are looked at before a name.
const MAX_LEAVES_BEFORE: usize = 1_000;
/// How many names are looked at below a node that perhaps declares one of them.
const MAX_NAMES_BELOW: usize = 16;

/// The name that a node declares as a whole, and what it declares; none for a node that only has a declaration inside.
pub fn declared_name(
    version: &Version,
    node: &Arc<ProgramNode>,
) -> Option<(Arc<str>, DeclarationKind)> {
    let names = version.name_graph();
    let begins = walk::leaf_at(node, 0)?.id;
    let inside = names.occurrences_below(node).take(MAX_NAMES_BELOW);
    let mut declared = inside.filter(|name| name.role == NameRole::Declares);
    declared.find_map(|name| {
        let kind = names.declaration_kind(name.symbol)?;
        let is_whole = |kind| {
            use DeclarationKind::{Binding, Label, Outer};
            !matches!(kind, Binding | Label | Outer)
        };
        let mut sites = names.declaration_sites(name.symbol).iter();
        let own = sites.find(|site| (site.first_leaf..=site.leaf).contains(&begins))?;
        let is_own = is_whole(kind)
            && !is_in_body(node, kind, own.leaf)
            && !begins_with_element(version, node, own.leaf);
        is_own.then(|| (names.symbol_name(name.symbol).clone(), kind))
    })
}

/// Whether a name stands in a body inside of a node: a field belongs to the structure, which may be part of another declaration. Imports may be
/// listed in braces.
fn is_in_body(node: &Arc<ProgramNode>, kind: DeclarationKind, leaf: NodeId) -> bool {
    let before = walk::iter_leaves(node).take_while(|before| before.id != leaf);
    let before = before.take(MAX_LEAVES_BEFORE);
    let depth = before.fold(0i32, |depth, before| match before.text() {
        b"{" => depth + 1,
        b"}" => depth - 1,
        _ => depth,
    });
    kind != DeclarationKind::Import && depth > 0
}

/// Whether a leaf below a node is in the first element of a list with which the node begins: then the element declares what the leaf names.
fn begins_with_element(version: &Version, node: &Arc<ProgramNode>, leaf: NodeId) -> bool {
    let first_leaf = |node: &Arc<ProgramNode>| walk::leaf_at(node, 0).map(|leaf| leaf.id);
    let Some(path) = version.path_to(leaf) else {
        return false;
    };
    let below = path.nodes.iter().skip_while(|above| above.id != node.id);
    let mut beginning = below.take_while(|below| first_leaf(below) == first_leaf(node));
    beginning.any(|below| below.shape.is_list())
}

/// Whether a node is a namespace of C++, `inline` or not.
pub fn is_namespace(node: &Arc<ProgramNode>) -> bool {
    let mut words = walk::iter_leaves(node).take(2);
    words.any(|word| word.text() == b"namespace")
}

/// What a node that declares something of this kind is called. A namespace counts as an import, for it may be opened again anywhere.
fn declaration_noun(node: &Arc<ProgramNode>, kind: DeclarationKind) -> &'static str {
    match kind {
        DeclarationKind::Import if is_namespace(node) => "namespace",
        DeclarationKind::Function => "function",
        DeclarationKind::Param => "parameter",
        DeclarationKind::Type | DeclarationKind::Struct => "type",
        DeclarationKind::Field => "field",
        DeclarationKind::Enumerator => "enumerator",
        DeclarationKind::Member => "member",
        DeclarationKind::Import => "import",
        DeclarationKind::Label => "label",
        DeclarationKind::Var | DeclarationKind::Binding | DeclarationKind::Outer => "declaration",
    }
}

/// A grammar's kind as words: `if_statement` is an "if statement".
fn kind_words(version: &Version, document: usize, node: &ProgramNode) -> String {
    match (node.class, node.shape) {
        (None, NodeShape::Opt) => "optional part".into(),
        (None, NodeShape::Token) => "token".into(),
        (None, NodeShape::Extra) => "comment".into(),
        (None, _) => "part".into(),
        _ => {
            let kind = version.kind_name(document, node);
            let words = kind.trim_matches(['_', '<', '>']).replace(['_', '-'], " ");
            match words.strip_prefix("expression ") {
                _ if !words.contains(char::is_alphanumeric) => "token".into(),
                Some("statement") => "statement".into(),
                _ => words,
            }
        }
    }
}

/// The noun of these nodes of a list in the singular: "function", "statement", else "element".
pub fn element_noun<'a>(
    version: &Version,
    list: &NodePath,
    elements: impl Iterator<Item = &'a Arc<ProgramNode>>,
) -> String {
    let mut owners = std::iter::once(list.node()).chain(list.ancestors());
    if let Some(owner) = owners.find(|node| node.class.is_some()) {
        let kind = version.kind_name(list.document, owner);
        let of_owner = ["argument", "parameter"];
        if let Some(noun) = of_owner.into_iter().find(|noun| kind.contains(noun)) {
            return noun.into();
        }
    }
    let elements: Vec<_> = elements.take(MAX_SEEN).map(strip_separator).collect();
    let common = |nouns: &[String]| {
        let first = nouns.first()?;
        nouns
            .iter()
            .all(|noun| noun == first)
            .then(|| first.clone())
    };
    let declared = elements.iter().filter_map(|node| {
        let (_, kind) = declared_name(version, node)?;
        Some(declaration_noun(node, kind).to_owned())
    });
    let declared: Vec<String> = declared.collect();
    if !elements.is_empty() && declared.len() == elements.len() {
        return common(&declared).unwrap_or_else(|| "declaration".into());
    }
    let kinds = elements
        .iter()
        .map(|node| kind_words(version, list.document, node));
    let kinds: Vec<String> = kinds.collect();
    let heads = kinds.iter().map(|kind| head_noun(kind).to_owned());
    let heads: Vec<String> = heads.collect();
    if let Some(kind) = common(&kinds).or_else(|| common(&heads)) {
        return kind;
    }
    match heads.iter().any(|head| head == "statement") {
        true => "statement".into(),
        false if declared.len() * 2 > elements.len() => "declaration".into(),
        false => "element".into(),
    }
}

/// The word that says what it is: that of an "if statement" is "statement".
fn head_noun(kind: &str) -> &str {
    kind.rsplit(' ').next().unwrap_or(kind)
}

/// A node with its article: "the function `f`", "the argument `0`"; a text that tells enough stands alone.
pub fn describe_object(version: &Version, id: NodeId) -> String {
    let Some(path) = version.path_to(id) else {
        return "something".into();
    };
    let node = path.node();
    match declared_name(version, node) {
        Some((name, kind)) => {
            let noun = declaration_noun(node, kind);
            let of = match noun {
                "declaration" => " of",
                _ => "",
            };
            format!("the {noun}{of} {}", quote_text(&name))
        }
        None => {
            let text = text_excerpt(node, EXCERPT_LENGTH);
            if text.chars().count() >= TELLING_LENGTH {
                return quote_text(&text);
            }
            let list = path.parent().filter(|parent| parent.shape.is_list());
            let noun = match list.and_then(|list| version.path_to(list.id)) {
                Some(list) => element_noun(version, &list, std::iter::once(node)),
                None => kind_words(version, path.document, node),
            };
            format!("the {noun} {}", quote_text(&text))
        }
    }
}

/// A node by the name that it declares, else by its text, without quotes.
fn name_object(version: &Version, node: &Arc<ProgramNode>) -> String {
    match declared_name(version, node) {
        Some((name, _)) => name.to_string(),
        None => text_excerpt(node, EXCERPT_LENGTH),
    }
}

/// What is called with a list of arguments, quoted; none for another list.
pub fn describe_called(version: &Version, list: &NodePath) -> Option<String> {
    let mut around = std::iter::once(list.node()).chain(list.ancestors());
    let arguments = around.find(|node| node.class.is_some())?;
    if !version
        .kind_name(list.document, arguments)
        .contains("argument")
    {
        return None;
    }
    let mut inner = arguments;
    for call in around {
        let before = call.children().iter().take_while(|kid| kid.id != inner.id);
        if let Some(called) = before.filter(|kid| kid.sums().tokens > 0).last() {
            return Some(quote_text(&text_excerpt(called, EXCERPT_LENGTH)));
        }
        if call.class.is_some() {
            return None;
        }
        inner = call;
    }
    None
}

/// What surrounds a node: the nearest declaration around it, quoted; in a project the file. None at the top of a program.
pub fn describe_place(version: &Version, path: &NodePath) -> Option<String> {
    let declared = path
        .ancestors()
        .filter(|node| node.class.is_some())
        .find_map(|node| declared_name(version, node));
    match declared {
        Some((name, _)) => Some(quote_text(&name)),
        None if version.is_project() => {
            let file = &version.documents()[path.document].path;
            Some(quote_text(&file.to_string_lossy()))
        }
        None => None,
    }
}

/// Who uses what a node names: the outermost function around it, itself included, else the outermost declaration. None where there is none.
pub fn name_user(version: &Version, node: NodeId) -> Option<Arc<str>> {
    let path = version.path_to(node)?;
    let around = path.nodes.iter().filter(|node| node.class.is_some());
    let mut declared = around.filter_map(|node| declared_name(version, node));
    let first = declared.next()?;
    let is_function = |(_, kind): &(Arc<str>, DeclarationKind)| {
        matches!(kind, DeclarationKind::Function | DeclarationKind::Member)
    };
    let (name, _) = match is_function(&first) {
        true => first,
        false => declared.find(is_function).unwrap_or(first),
    };
    Some(name)
}

/// How many objects an edit removes: elements of lists, and other nodes.
pub fn count_removed(edit: &Edit) -> u64 {
    let count = |op: &EditOp| match op.removed_items() {
        Some((_, items)) => u64::from(items.len()),
        None => u64::from(op.removed_node().is_some()),
    };
    edit.ops.iter().map(count).sum()
}

/// The objects that an edit removes, by name: "`a`, `b` ×2 and 31 more". Empty for an edit of no nodes.
pub fn list_removed(version: &Version, edit: &Edit) -> String {
    let all = count_removed(edit);
    let removed = edit.ops.iter().flat_map(|op| op.removed_nodes(version));
    list_objects(version, removed.map(strip_separator), all)
}

/// The lines that an edit of their tokens removes, by how they begin: "`int a;`, `int b;` and 31 more"; `all` is how many there are.
pub fn list_removed_lines(version: &Version, edit: &Edit, all: u32) -> String {
    let mut lines: Vec<String> = Vec::new();
    for leaf in edit.ops.iter().flat_map(|op| op.removed_nodes(version)) {
        let is_new = lines.is_empty() || leaf.trivia().contains(&b'\n');
        if is_new && lines.len() == MAX_LINES {
            break;
        }
        let text = text_excerpt(leaf, EXCERPT_LENGTH);
        match lines.last_mut() {
            Some(line) if !is_new && line.chars().count() < EXCERPT_LENGTH => {
                let gap = if leaf.trivia().is_empty() { "" } else { " " };
                line.push_str(gap);
                line.push_str(&text);
            }
            Some(_) if !is_new => {}
            _ => lines.push(text),
        }
    }
    let names: Vec<String> = lines.iter().map(|line| quote_text(line)).collect();
    let names = names.join(", ");
    match u64::from(all).saturating_sub(lines.len() as u64) {
        0 => names,
        more => format!("{names} and {more} more"),
    }
}

/// These objects by name; `all` is how many there are.
pub fn list_objects<'a>(
    version: &Version,
    objects: impl Iterator<Item = &'a Arc<ProgramNode>>,
    all: u64,
) -> String {
    let mut named: Vec<(String, u64)> = Vec::new();
    for node in objects.take(MAX_SEEN) {
        let name = name_object(version, node);
        let known = named.iter().position(|(known, _)| *known == name);
        match known {
            _ if name.is_empty() => {}
            Some(at) => named[at].1 += 1,
            None if named.len() < MAX_NAMED => named.push((name, 1)),
            None => break,
        }
    }
    let more = all.saturating_sub(named.iter().map(|(_, times)| times).sum());
    let names = named.iter().map(|(name, times)| match times {
        1 => quote_text(name),
        _ => format!("{} ×{times}", quote_text(name)),
    });
    let names = names.collect::<Vec<_>>().join(", ");
    match more {
        _ if names.is_empty() => names,
        0 => names,
        _ => format!("{names} and {more} more"),
    }
}

/// How a node is called where it is changed: "`a + b`", cut where it is long.
pub fn quote_node(version: &Version, id: NodeId) -> String {
    quote_text(&super::quoting::node_excerpt(version, id, EXCERPT_LENGTH))
}

/// The word by which a node goes in a short form: a keyword that it begins with, the name that it declares, or its text.
pub fn short_name(version: &Version, node: &Arc<ProgramNode>) -> String {
    let name = name_object(version, node);
    if name.chars().count() < TELLING_LENGTH {
        return name;
    }
    let first = walk::leaf_at(node, 0).map(|leaf| String::from_utf8_lossy(leaf.text()));
    let is_keyword = |word: &str| {
        word.chars().all(char::is_alphabetic)
            && walk::first_token(node)
                .is_some_and(|token| version.name_graph().occurrence_of(token).is_none())
    };
    match first {
        Some(word) if !word.is_empty() && is_keyword(&word) => word.into_owned(),
        _ => name,
    }
}

/// What a part is to the node that it would replace: "its body", "its `else` branch", "`x`, which is inside it".
pub fn describe_part(version: &Version, whole: NodeId, part: NodeId) -> String {
    let Some(path) = version.path_to(part) else {
        return "a part of it".into();
    };
    let node = path.node();
    let text = text_excerpt(node, EXCERPT_LENGTH);
    if text.chars().count() < TELLING_LENGTH {
        return quote_text(&text);
    }
    let language = version.documents()[path.document].language;
    // A part of a part has the field that it has in the node that would go.
    let mut below = path
        .nodes
        .iter()
        .rev()
        .take_while(|above| above.id != whole);
    let field = below.find(|node| node.field != 0);
    let field = field
        .zip(language)
        .and_then(|(node, language)| Some(language.field_name(node.field)?.to_string()));
    match field.as_deref() {
        Some("consequence") => "its `then` branch".into(),
        Some("alternative") => "its `else` branch".into(),
        Some(field) => format!("its {}", field.replace('_', " ")),
        None => format!("its {}", kind_words(version, path.document, node)),
    }
}

/// What the elements of a list are, with their number: "2 statements", "statement" for one.
pub fn count_elements(version: &Version, list: NodeId) -> String {
    let Some(path) = version.path_to(list) else {
        return "elements".into();
    };
    let noun = element_noun(version, &path, walk::iter_items(path.node()));
    match path.node().len() {
        1 => noun,
        count => format_count(count as u64, &noun),
    }
}
