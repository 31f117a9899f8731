//! What the user points at: a node, lines, a name, or what a query finds.

use std::fmt;
use std::ops::Range;
use std::path::Path;
use std::str::FromStr;
use std::sync::Arc;

use memchr::memmem;
use regex::bytes::Regex;

use super::names::DeclarationKind;
use super::node::{NodeId, NodeShape, ProgramNode};
use super::version::{Document, NodePath, Version};
use super::walk;
use crate::display::EscapeHidden;
use crate::language::suggest_names;

/// The word in a comment that marks what must stay.
pub const KEEP_MARK: &str = "lop-keep";
/// The name of the difference of a pair, as a target.
const DIFFERENCE_NAME: &str = "difference";
/// The word in a comment before a region that must stay.
const KEEP_BEGIN_MARK: &str = "lop-keep-begin";
/// The word in a comment after a region that must stay.
const KEEP_END_MARK: &str = "lop-keep-end";

/// What a command is about, as the user names it. Lines and columns count from 1 and are those of the current version.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NodeTarget {
    /// `#12`: a node, by its identity.
    Node(NodeId),
    /// `12` or `12-20`: what stands on these lines as a whole.
    Lines(u32, u32),
    /// `12:5`: the smallest part of a list, or optional part, around this place.
    Position(u32, u32),
    /// `(call_expression) @keep`: what a tree-sitter query captures as `@keep`, or all that it captures if no capture has that name.
    Query(Arc<str>),
    /// `main`: the declarations of a name. In a pair, `difference` is the difference. In a project also a file or a directory, by its path.
    Name(Arc<str>),
    /// `src/a.c:12`: lines, or a place, of a file of a project.
    InFile(Arc<str>, Box<NodeTarget>),
    /// `/dg-error/`: the comments that a regular expression finds.
    Comments(Arc<str>),
    /// `lop-keep`: what the program itself marks, by comments with these words: the node after `lop-keep`, and what stands between
    /// `lop-keep-begin` and `lop-keep-end`.
    Marked,
}

/// Why a target cannot be found.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum TargetError {
    /// The node is not in this version.
    #[error("that node is not in the program any more")]
    NodeNotFound,
    /// No whole node stands there.
    #[error(
        "nothing stands there as a whole: {0}; name lines, a place or a name that the program has now"
    )]
    NotFound(String),
    /// The lines hold white space at most.
    #[error("{0}; name a line with text, a place or a name")]
    EmptyLines(String),
    /// The lines are after the end of the program.
    #[error("the program has {0} line{s}; name some of these, a place or a name", s = if *.0 == 1 { "" } else { "s" })]
    LineOutOfRange(usize),
    /// Nothing declares the name.
    #[error("nothing declares `{}`; {near}", name.escape_hidden())]
    UndeclaredName {
        /// The name.
        name: String,
        /// Similar names, as the end of the sentence.
        near: String,
    },
    /// The query cannot be used, or found nothing.
    #[error("{0}")]
    Query(String),
}

impl fmt::Display for NodeTarget {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            NodeTarget::Node(node) => write!(f, "#{}", node.0),
            NodeTarget::Lines(first, last) if first == last => write!(f, "{first}"),
            NodeTarget::Lines(first, last) => write!(f, "{first}-{last}"),
            NodeTarget::Position(line, column) => write!(f, "{line}:{column}"),
            NodeTarget::Query(text) => f.write_str(text),
            NodeTarget::Name(text) => match is_plain_name(text) {
                true => f.write_str(text),
                false => write!(f, "{QUOTE_MARK}{}", quote_file(text)),
            },
            NodeTarget::InFile(file, target) => match split_file(&format!("{file}:{target}")) {
                Some((own, _)) if own == &**file && is_plain_name(file) => {
                    write!(f, "{file}:{target}")
                }
                _ => write!(f, "{QUOTE_MARK}{}:{target}", quote_file(file)),
            },
            NodeTarget::Comments(expression) => write!(f, "/{expression}/"),
            NodeTarget::Marked => f.write_str(KEEP_MARK),
        }
    }
}

impl FromStr for NodeTarget {
    type Err = String;

    fn from_str(text: &str) -> Result<NodeTarget, String> {
        let text = text.trim();
        let number = |text: &str| text.parse::<u32>().ok().filter(|&number| number > 0);
        let wrong = || {
            format!(
                "`{text}` is not a place: a line (12), lines (12-20), a place (12:5), a name (main), a node (#7) or a query ((if_statement))"
            )
        };
        match text.chars().next() {
            None => Err("what? a line (12), lines (12-20), a place (12:5), a name (main) or a query ((if_statement))".into()),
            Some('#') => text[1..].parse().map(|id| NodeTarget::Node(NodeId(id))).map_err(|_| wrong()),
            Some('/') if text.len() > 2 && text.ends_with('/') => {
                let expression = &text[1..text.len() - 1];
                parse_expression(expression)?;
                Ok(NodeTarget::Comments(expression.into()))
            }
            Some(_) if text == KEEP_MARK => Ok(NodeTarget::Marked),
            Some(QUOTE_MARK) => {
                let mut quoted = serde_json::Deserializer::from_str(&text[1..]).into_iter::<String>();
                let file = quoted.next().and_then(Result::ok).ok_or_else(wrong)?;
                match text[1 + quoted.byte_offset()..].strip_prefix(':') {
                    None => Ok(NodeTarget::Name(file.into())),
                    Some(target) => {
                        let target = target.parse::<NodeTarget>()?;
                        Ok(NodeTarget::InFile(file.into(), Box::new(target)))
                    }
                }
            }
            Some('(' | '[' | '"') => Ok(NodeTarget::Query(text.into())),
            Some('0'..='9') => {
                if let Some((line, column)) = text.split_once(':') {
                    let place = number(line).zip(number(column));
                    return place.map(|(line, column)| NodeTarget::Position(line, column)).ok_or_else(wrong);
                }
                let (first, last) = text.split_once('-').unwrap_or((text, text));
                let lines = number(first).zip(number(last)).filter(|(first, last)| first <= last);
                lines.map(|(first, last)| NodeTarget::Lines(first, last)).ok_or_else(wrong)
            }
            Some(_) => match split_file(text) {
                Some((file, target)) => {
                    let target = target.parse::<NodeTarget>()?;
                    Ok(NodeTarget::InFile(file.into(), Box::new(target)))
                }
                None if text.split_whitespace().count() == 1 => Ok(NodeTarget::Name(text.into())),
                None => Err(wrong()),
            },
        }
    }
}

/// Before the path of a file in quotes, which would mean something else without them: `@"3rd/a.c":12`.
const QUOTE_MARK: char = '@';

/// Whether a name is read as one without quotes.
fn is_plain_name(text: &str) -> bool {
    let is_word = text.split_whitespace().eq([text]);
    let begins_plainly = !text.starts_with(|first: char| {
        first.is_ascii_digit() || ['#', '/', '(', '[', '"', QUOTE_MARK].contains(&first)
    });
    is_word && begins_plainly && text != KEEP_MARK && split_file(text).is_none()
}

/// A path in quotes, on one line.
fn quote_file(path: &str) -> String {
    serde_json::Value::from(path).to_string()
}

/// A file, and a line, lines or a place in it, such as `a.c:12` or `a.c:12:5`.
fn split_file(text: &str) -> Option<(&str, &str)> {
    let is_place = |text: &str| {
        text.starts_with(|first: char| first.is_ascii_digit())
            && text.chars().all(|c| c.is_ascii_digit() || "-:".contains(c))
    };
    let splits = text.match_indices(':').map(|(at, _)| text.split_at(at));
    let mut splits = splits.map(|(file, rest)| (file, &rest[1..]));
    splits.find(|(file, rest)| !file.is_empty() && is_place(rest))
}

/// A regular expression, or one line about the error in it.
fn parse_expression(text: &str) -> Result<Regex, String> {
    Regex::new(text).map_err(|error| {
        let error = error.to_string();
        let reason = error.lines().last().unwrap_or_default();
        let reason = reason.trim_start_matches("error: ");
        format!(
            "`{text}` is not a regular expression: {reason}; a literal special character needs a \\ before it, as in \\["
        )
    })
}

impl NodeTarget {
    /// Whether it is the difference of this version, which is a pair.
    pub fn is_difference_of(&self, version: &Version) -> bool {
        let is_named = matches!(self, NodeTarget::Name(name) if &**name == DIFFERENCE_NAME);
        is_named && version.twins().is_some()
    }

    /// The nodes of `version` that the target names, at least one, none within another.
    ///
    /// # Errors
    /// When there is none; the error says why.
    pub fn find_nodes(&self, version: &Version) -> Result<Vec<Arc<ProgramNode>>, TargetError> {
        match self {
            NodeTarget::Node(id) => Ok(vec![
                version
                    .find_node(*id)
                    .ok_or(TargetError::NodeNotFound)?
                    .clone(),
            ]),
            NodeTarget::Lines(..) | NodeTarget::Position(..) => self.find_in_document(version, 0),
            NodeTarget::InFile(file, target) => {
                target.find_in_document(version, find_file(version, file)?)
            }
            NodeTarget::Query(query) => find_by_query(version, query),
            NodeTarget::Name(_) if self.is_difference_of(version) => difference_tokens(version),
            NodeTarget::Name(name) => {
                let files = find_files(version, name);
                let is_path = version.is_project() && name.contains(['.', '/']);
                match files.is_empty() {
                    true if is_path => Err(TargetError::NotFound(format!(
                        "there is no file {}, or it is gone",
                        name.escape_hidden()
                    ))),
                    true => find_declarations(version, name),
                    false => Ok(files),
                }
            }
            NodeTarget::Comments(expression) => matching_comments(version, expression),
            NodeTarget::Marked => marked_nodes(version),
        }
    }
}

impl NodeTarget {
    /// The nodes that lines or a place name in a document.
    fn find_in_document(
        &self,
        version: &Version,
        document: usize,
    ) -> Result<Vec<Arc<ProgramNode>>, TargetError> {
        match self {
            NodeTarget::Lines(first, last) => nodes_on_lines(version, document, *first, *last),
            NodeTarget::Position(line, column) => {
                part_at_position(version, document, *line, *column)
            }
            other => Err(TargetError::NotFound(other.to_string())),
        }
    }
}

/// The number of the file of this path, or of the only one whose path ends like that.
fn find_file(version: &Version, path: &str) -> Result<usize, TargetError> {
    let there = |document: &&Document| !document.is_gone;
    let number = |is_meant: &dyn Fn(&Path) -> bool| {
        let documents = version.documents().iter().enumerate();
        let mut found =
            documents.filter(|(_, document)| there(document) && is_meant(&document.path));
        let first = found.next()?.0;
        found.next().is_none().then_some(first)
    };
    let found =
        number(&|own| own == Path::new(path)).or_else(|| number(&|own| own.ends_with(path)));
    found.ok_or_else(|| TargetError::NotFound(format!("there is no file {}", path.escape_hidden())))
}

/// The trees of the file of this path, or of all files below this directory. None in a program of one file.
fn find_files(version: &Version, path: &str) -> Vec<Arc<ProgramNode>> {
    if !version.is_project() {
        return Vec::new();
    }
    let path = path.trim_start_matches("./").trim_end_matches('/');
    let there = version
        .documents()
        .iter()
        .filter(|document| !document.is_gone);
    let below = there.filter(|document| document.path.starts_with(path));
    let below: Vec<_> = below.map(|document| document.root.clone()).collect();
    match below.is_empty() {
        true if path.contains(['.', '/']) => {
            let file = find_file(version, path);
            let root = |file: usize| version.documents()[file].root.clone();
            file.map(root).into_iter().collect()
        }
        _ => below,
    }
}

/// The leaves of a pair that are tokens of one document only.
fn difference_tokens(version: &Version) -> Result<Vec<Arc<ProgramNode>>, TargetError> {
    let documents = version.documents().iter();
    let leaves = documents.flat_map(|document| walk::iter_leaves(&document.root));
    let tokens = leaves.filter(|leaf| leaf.shape == NodeShape::Token);
    let has_twin = |leaf: &Arc<ProgramNode>| {
        let twins = version.twins();
        twins.is_some_and(|twins| twins.twin_of(leaf.id).is_some())
    };
    let alone: Vec<_> = tokens.filter(|leaf| !has_twin(leaf)).cloned().collect();
    match alone.is_empty() {
        true => Err(TargetError::NotFound("the programs do not differ".into())),
        false => Ok(alone),
    }
}

/// The element of a list, or the optional part, around the end of a path.
fn enclosing_part<'a>(path: &NodePath<'a>) -> &'a Arc<ProgramNode> {
    enclosing_parts(path).next().unwrap_or(path.nodes[0])
}

/// What declares the name at the end of a path as a whole: not a name alone that its definition may lack, as a class of C++ may.
fn declaring_part<'a>(path: &NodePath<'a>) -> &'a Arc<ProgramNode> {
    let is_name_alone =
        |part: &&Arc<ProgramNode>| part.shape == NodeShape::Opt && part.sums().tokens == 1;
    let mut parts = enclosing_parts(path).skip_while(is_name_alone);
    parts.next().unwrap_or(path.nodes[0])
}

/// The elements of lists and the optional parts around the end of a path, from the inside, without their separators.
fn enclosing_parts<'a>(path: &NodePath<'a>) -> impl Iterator<Item = &'a Arc<ProgramNode>> {
    let pairs = path.nodes.windows(2).rev();
    let parts = pairs.filter(|pair| {
        let in_list = pair[0].shape.is_list() || pair[0].shape == NodeShape::Chunk;
        in_list && pair[1].shape != NodeShape::Chunk || pair[1].shape == NodeShape::Opt
    });
    parts.map(|pair| super::placement::strip_separator(pair[1]))
}

fn nodes_on_lines(
    version: &Version,
    number: usize,
    first: u32,
    last: u32,
) -> Result<Vec<Arc<ProgramNode>>, TargetError> {
    let document = &version.documents()[number];
    let text = walk::render_text(&document.root);
    let count = text.split_inclusive(|b| *b == b'\n').count();
    let mut starts = std::iter::once(0).chain(
        text.iter()
            .enumerate()
            .filter(|(_, b)| **b == b'\n')
            .map(|(at, _)| at + 1),
    );
    let start = starts.nth(first as usize - 1);
    let end = match last - first {
        0 => starts.next(),
        more => starts.nth(more as usize),
    };
    let range = start.map(|start| start..end.unwrap_or(text.len()));
    let there = range
        .as_ref()
        .map(|range| nodes_in_range(version, number, range));
    let is_blank = range.is_some_and(|range| text[range].trim_ascii().is_empty());
    let lines = match first == last {
        true => format!("line {first}"),
        false => format!("lines {first} to {last}"),
    };
    match there {
        Some(nodes) if !nodes.is_empty() => Ok(nodes),
        _ if first as usize > count => Err(TargetError::LineOutOfRange(count)),
        _ if is_blank && first == last => Err(TargetError::EmptyLines(format!("{lines} is empty"))),
        _ if is_blank => Err(TargetError::EmptyLines(format!("{lines} are empty"))),
        _ => Err(TargetError::NotFound(lines)),
    }
}

fn part_at_position(
    version: &Version,
    number: usize,
    line: u32,
    column: u32,
) -> Result<Vec<Arc<ProgramNode>>, TargetError> {
    let nothing = || TargetError::NotFound(format!("line {line}, column {column}"));
    let document = &version.documents()[number];
    let text = walk::render_text(&document.root);
    let mut lines = text.split(|b| *b == b'\n');
    let before: usize = lines
        .by_ref()
        .take(line as usize - 1)
        .map(|line| line.len() + 1)
        .sum();
    let place = before + column as usize - 1;
    let mut end = 0;
    let leaf = walk::iter_leaves(&document.root).find(|leaf| {
        end += leaf.sums().bytes as usize;
        end > place
    });
    let path = leaf
        .and_then(|leaf| version.path_to(leaf.id))
        .ok_or_else(nothing)?;
    Ok(vec![enclosing_part(&path).clone()])
}

fn matching_comments(
    version: &Version,
    expression: &str,
) -> Result<Vec<Arc<ProgramNode>>, TargetError> {
    let expression = parse_expression(expression).map_err(TargetError::Query)?;
    let comments = version
        .documents()
        .iter()
        .flat_map(|document| walk::iter_comments(&document.root));
    let found = comments.filter(|comment| expression.is_match(comment.text()));
    let found: Vec<Arc<ProgramNode>> = found.cloned().collect();
    match found.is_empty() {
        true => Err(TargetError::NotFound(format!(
            "no comment matches {expression}"
        ))),
        false => Ok(found),
    }
}

fn marked_nodes(version: &Version) -> Result<Vec<Arc<ProgramNode>>, TargetError> {
    let mut found = Vec::new();
    let documents = version.documents().iter().enumerate();
    for (at, document) in documents.filter(|(_, document)| mentions_keep_mark(&document.root)) {
        let (mut end, mut open, mut next) = (0, None, false);
        for leaf in walk::iter_leaves(&document.root) {
            let start = end + leaf.trivia().len();
            end += leaf.sums().bytes as usize;
            let says = |word: &str| {
                leaf.text()
                    .windows(word.len())
                    .any(|part| part == word.as_bytes())
            };
            match leaf.shape {
                NodeShape::Extra if says(KEEP_BEGIN_MARK) => open = Some(end),
                NodeShape::Extra if says(KEEP_END_MARK) => {
                    let range = open.take().map(|open| open..start);
                    found.extend(
                        range
                            .into_iter()
                            .flat_map(|range| nodes_in_range(version, at, &range)),
                    );
                }
                NodeShape::Extra if says(KEEP_MARK) => next = true,
                NodeShape::Token if std::mem::take(&mut next) => {
                    let path = version.path_to(leaf.id).ok_or(TargetError::NodeNotFound)?;
                    found.push(part_starting_at(&path).clone());
                }
                _ => {}
            }
        }
        if open.is_some() {
            return Err(TargetError::Query(format!(
                "{KEEP_BEGIN_MARK} without {KEEP_END_MARK}"
            )));
        }
    }
    match found.is_empty() {
        true => Err(TargetError::NotFound(format!(
            "nothing follows a comment with {KEEP_MARK}"
        ))),
        false => Ok(found),
    }
}

/// Whether [`KEEP_MARK`] stands anywhere in the text of a tree. Most texts have none, and a look at their bytes costs less than one at their leaves.
pub fn mentions_keep_mark(root: &Arc<ProgramNode>) -> bool {
    let mark = memmem::Finder::new(KEEP_MARK);
    let mut found = false;
    walk::visit_text_pieces(root, |_, piece| found |= mark.find(piece).is_some());
    found
}

/// The largest part of a list, or optional part, that begins with the leaf at the end of a path.
fn part_starting_at<'a>(path: &NodePath<'a>) -> &'a Arc<ProgramNode> {
    let leaf = path.node();
    let begins =
        |node: &Arc<ProgramNode>| walk::leaf_at(node, 0).is_some_and(|first| first.id == leaf.id);
    let parts = enclosing_parts(path).take_while(|part| begins(part));
    // For a declaration, not for its first specifier: the largest one, as long as it is one element and not a whole document.
    parts.last().unwrap_or(leaf)
}

fn find_declarations(version: &Version, name: &str) -> Result<Vec<Arc<ProgramNode>>, TargetError> {
    let names = version.name_graph();
    let mut found: Vec<Arc<ProgramNode>> = Vec::new();
    let named = names.symbols().filter(|&symbol| {
        &**names.symbol_name(symbol) == name && !names.declaration_sites(symbol).is_empty()
    });
    let named: Vec<_> = named.collect();
    let rank = |symbol| names.declaration_kind(symbol).map_or(u8::MAX, name_rank);
    let first = named.iter().map(|symbol| rank(*symbol)).min();
    for symbol in named
        .into_iter()
        .filter(|symbol| Some(rank(*symbol)) == first)
    {
        let leaves = names.declaration_sites(symbol).iter();
        for path in leaves.filter_map(|declared| version.path_to(declared.leaf)) {
            let part = declaring_part(&path);
            if found.iter().all(|known| known.id != part.id) {
                found.push(part.clone());
            }
        }
    }
    if !found.is_empty() {
        return Ok(found);
    }
    let all = names
        .symbols()
        .filter(|&symbol| names.symbol_count(symbol).declares > 0);
    let near = suggest_names(name, all.map(|symbol| &**names.symbol_name(symbol)));
    Err(TargetError::UndeclaredName {
        name: name.to_owned(),
        near: match near.is_empty() {
            true => "a PLACE may be a line or a query too, as `lop commands` says".into(),
            false => format!("near it: {}", near.join(", ")),
        },
    })
}

/// Of several declarations of one name, those of the lowest rank are meant: `f` is the function, and no parameter of another one.
fn name_rank(kind: DeclarationKind) -> u8 {
    match kind {
        DeclarationKind::Function
        | DeclarationKind::Type
        | DeclarationKind::Struct
        | DeclarationKind::Member
        | DeclarationKind::Import => 0,
        DeclarationKind::Var
        | DeclarationKind::Enumerator
        | DeclarationKind::Binding
        | DeclarationKind::Outer => 1,
        DeclarationKind::Param | DeclarationKind::Field | DeclarationKind::Label => 2,
    }
}

fn find_by_query(version: &Version, query: &str) -> Result<Vec<Arc<ProgramNode>>, TargetError> {
    let mut found = Vec::new();
    let (mut asked, mut problem) = (false, None);
    for (at, document) in version.documents().iter().enumerate() {
        let Some(language) = document.language.filter(|_| !document.is_gone) else {
            continue;
        };
        let captures = match language.compile_query(query) {
            Ok(captures) => captures,
            // Another language of the program may have such nodes.
            Err(error) => {
                problem.get_or_insert(error);
                continue;
            }
        };
        asked = true;
        let text = walk::render_text(&document.root);
        let Some(tree) = version.get_or_parse_tree(at, &text) else {
            continue;
        };
        let keep = captures.has_capture("keep");
        let whole = captures.find_captures(&tree, &text).into_iter();
        let wanted: Vec<Range<usize>> = whole
            .filter(|capture| !keep || capture.name == "keep")
            .map(|capture| capture.range)
            .collect();
        if wanted.is_empty() && captures.has_match(&tree, &text) {
            return Err(TargetError::Query(format!(
                "the query {query} matches, but captures nothing: name what it is about with @keep"
            )));
        }
        for range in wanted {
            found.extend(nodes_in_range(version, at, &range));
        }
    }
    if let Some(problem) = problem.filter(|_| !asked) {
        return Err(TargetError::Query(problem));
    }
    if !asked {
        return Err(TargetError::Query(
            "a query needs a program in a language that lop knows; --language names one".into(),
        ));
    }
    if found.is_empty() {
        return Err(TargetError::Query(format!(
            "the query {query} matches nothing in the program; {}",
            describe_node_kinds(version)
        )));
    }
    found.dedup_by_key(|node| node.id);
    Ok(found)
}

/// The kinds of nodes that the program is made of, the most frequent first.
fn describe_node_kinds(version: &Version) -> String {
    let mut counts: std::collections::BTreeMap<&str, usize> = std::collections::BTreeMap::new();
    for (at, document) in version.documents().iter().enumerate() {
        let inner = walk::preorder(&document.root)
            .filter(|node| node.class.is_some() && !node.shape.is_leaf());
        for node in inner {
            *counts.entry(version.kind_name(at, node)).or_default() += 1;
        }
    }
    let mut kinds: Vec<(usize, &str)> = counts
        .into_iter()
        .map(|(kind, count)| (count, kind))
        .collect();
    kinds.sort_unstable_by_key(|&(count, kind)| (std::cmp::Reverse(count), kind));
    let names: Vec<&str> = kinds.into_iter().take(12).map(|(_, kind)| kind).collect();
    format!("it is made of {}", names.join(", "))
}

/// The largest nodes of a document whose text, without the white space before it, lies in a range of bytes.
pub fn nodes_in_range(
    version: &Version,
    document: usize,
    range: &Range<usize>,
) -> Vec<Arc<ProgramNode>> {
    let mut found = Vec::new();
    let mut stack = vec![(&version.documents()[document].root, 0)];
    while let Some((node, start)) = stack.pop() {
        let end = start + node.sums().bytes as usize;
        if end <= range.start || start >= range.end || node.sums().leaves == 0 {
            continue;
        }
        let trivia = walk::leaf_at(node, 0).map_or(0, |leaf| leaf.trivia().len());
        let whole = start + trivia >= range.start && end <= range.end && start + trivia < end;
        if whole
            && !matches!(
                node.shape,
                NodeShape::Chunk | NodeShape::Link | NodeShape::End
            )
        {
            found.push(node.clone());
            continue;
        }
        let mut at = start;
        let places = node.children().iter().map(|child| {
            let place = (child, at);
            at += child.sums().bytes as usize;
            place
        });
        let places: Vec<_> = places.collect();
        stack.extend(places.into_iter().rev());
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_target_reads_what_it_writes() {
        let names = [
            "main", "src/a.c", "3rd/a.c", "a b.c", "[id].tsx", "a\nb", "#a", "lop-keep", "@x",
            "a.c:12", "12",
        ];
        for name in names {
            let own = NodeTarget::Name(name.into());
            assert_eq!(own.to_string().parse(), Ok(own.clone()), "{own}");
            let place = NodeTarget::InFile(name.into(), Box::new(NodeTarget::Lines(3, 5)));
            assert_eq!(place.to_string().parse(), Ok(place.clone()), "{place}");
        }
        assert_eq!(NodeTarget::Name("main".into()).to_string(), "main");
        let place = "src/a.c:12:5".parse::<NodeTarget>().expect("a place");
        let inside = Box::new(NodeTarget::Position(12, 5));
        assert_eq!(place, NodeTarget::InFile("src/a.c".into(), inside));
    }
}
