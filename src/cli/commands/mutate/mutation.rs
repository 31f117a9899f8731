//! Random changes of a program by its tree: a part is deleted, a copy of another element is inserted into a list, or another node of its kind
//! replaces a node. These are the changes by which the variants of PPR's pairs were made (Zhang and others, FSE 2023, §4.1).

use std::ops::Range;
use std::sync::Arc;

use crate::pass::{removal_edit, walk_parts};
use crate::program::{
    self, Document, NodeId, NodeShape, ProgramNode, ReadError, Version, strip_separator, walk,
};

/// How often another change is chosen if one cannot be made.
const CHOICES: usize = 20;

/// Random numbers: SplitMix64 (Steele, Lea and Flood, "Fast Splittable Pseudorandom Number Generators", OOPSLA 2014, figure 17).
pub(super) struct RandomNumbers {
    state: u64,
}

impl RandomNumbers {
    /// The numbers of this seed, the same on every machine.
    pub(super) fn from_seed(seed: u64) -> RandomNumbers {
        RandomNumbers { state: seed }
    }

    /// An index of a list of this length.
    fn pick_index(&mut self, length: usize) -> Option<usize> {
        self.state = self.state.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.state;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        ((mixed ^ (mixed >> 31)) % length.max(1) as u64)
            .try_into()
            .ok()
            .filter(|index| *index < length)
    }

    /// One of these.
    fn pick<'a, T>(&mut self, all: &'a [T]) -> Option<&'a T> {
        all.get(self.pick_index(all.len())?)
    }
}

/// A way to change a program.
type Mutator = fn(&Version, &mut RandomNumbers) -> Option<Vec<u8>>;

/// All ways, each as likely as the others.
const MUTATORS: [Mutator; 3] = [delete_part, insert_copy, replace_node];

/// The program after 1 to `most` random changes. None if they are nothing, or make new syntax errors.
///
/// # Errors
/// When a parse does not end within its limit.
pub(super) fn mutate_program(
    original: &Version,
    most: usize,
    random: &mut RandomNumbers,
) -> Result<Option<Version>, ReadError> {
    let mut changed = original.clone();
    let count = 1 + random.pick_index(most).unwrap_or(0);
    for _ in 0..count {
        let tried = (0..CHOICES).find_map(|_| random.pick(&MUTATORS)?(&changed, random));
        let Some(text) = tried else {
            return Ok(None);
        };
        let document = &original.documents()[0];
        let source = (document.language, document.path.clone(), Arc::from(text));
        changed = program::read_documents(vec![source])?;
    }
    let is_same = changed.content_hash() == original.content_hash();
    Ok((!is_same && count_faults(&changed) <= count_faults(original)).then_some(changed))
}

fn count_faults(version: &Version) -> u32 {
    let trees = version.parse_trees().iter().flatten();
    trees.map(|tree| tree.count_faults()).sum()
}

/// Deletes what the grammar allows to remove.
fn delete_part(version: &Version, random: &mut RandomNumbers) -> Option<Vec<u8>> {
    let parts = walk_parts(&version.documents()[0].root);
    let removable = parts.filter(|part| part.removable).map(|part| part.node.id);
    let removable: Vec<NodeId> = removable.collect();
    let edit = removal_edit(version, &[*random.pick(&removable)?]);
    let (changed, _) = program::apply_edit(version, &edit).ok()?;
    Some(walk::render_text(&changed.documents()[0].root))
}

/// Inserts a copy of an element behind another one of its kind.
fn insert_copy(version: &Version, random: &mut RandomNumbers) -> Option<Vec<u8>> {
    let document = &version.documents()[0];
    let sites = find_sites(document);
    let elements: Vec<&MutationSite> = sites.iter().filter(|site| site.is_element).collect();
    let place = random.pick(&elements)?;
    let same_kind: Vec<&&MutationSite> = elements
        .iter()
        .filter(|site| site.node.class == place.node.class)
        .collect();
    let copied = random.pick(&same_kind)?;
    let text = walk::render_text(&document.root);
    let mut inserted = place.separator.clone();
    let space = first_leaf(place.node).map_or(&b" "[..], |leaf| leaf.trivia());
    inserted.extend_from_slice(if space.is_empty() { b" " } else { space });
    inserted.extend_from_slice(&text[copied.text.clone()]);
    Some(splice(&text, place.text.end..place.text.end, &inserted))
}

/// Puts a copy of another node of its kind in the place of a node.
fn replace_node(version: &Version, random: &mut RandomNumbers) -> Option<Vec<u8>> {
    let document = &version.documents()[0];
    let sites = find_sites(document);
    let place = random.pick(&sites)?;
    let text = walk::render_text(&document.root);
    let old = &text[place.text.clone()];
    let others: Vec<&MutationSite> = sites
        .iter()
        .filter(|site| site.node.class == place.node.class && text[site.text.clone()] != *old)
        .collect();
    let other = random.pick(&others)?;
    Some(splice(&text, place.text.clone(), &text[other.text.clone()]))
}

/// The text with other bytes in this range.
fn splice(text: &[u8], range: Range<usize>, by: &[u8]) -> Vec<u8> {
    [&text[..range.start], by, &text[range.end..]].concat()
}

/// A node of the parser's tree.
struct MutationSite<'a> {
    node: &'a Arc<ProgramNode>,
    /// Its bytes, without the white space before it.
    text: Range<usize>,
    /// Whether it is an element of a list to which another one can be added.
    is_element: bool,
    /// What stands between two elements of its list.
    separator: Vec<u8>,
}

/// All nodes of the parser's tree below the root.
fn find_sites(document: &Document) -> Vec<MutationSite<'_>> {
    let mut sites = Vec::new();
    let mut open = vec![(&document.root, 0, None)];
    while let Some((node, start, list)) = open.pop() {
        let list: Option<&Arc<ProgramNode>> = list;
        if node.class.is_some() && !matches!(node.shape, NodeShape::Extra | NodeShape::End) {
            let separator = list.map(find_separator);
            sites.push(MutationSite {
                node,
                text: start + first_leaf(node).map_or(0, |leaf| leaf.trivia().len())
                    ..start + node.sums().bytes as usize,
                is_element: separator.as_ref().is_some_and(Option::is_some),
                separator: separator.flatten().unwrap_or_default(),
            });
        }
        let list = match node.shape {
            shape if shape.is_list() => Some(node),
            // What a list consists of, and an element with the separator before it.
            NodeShape::Chunk | NodeShape::Link => list,
            _ => None,
        };
        let first = open.len();
        let mut at = start;
        for child in node.children() {
            let is_separator =
                node.shape == NodeShape::Link && strip_separator(node).id != child.id;
            open.push((child, at, list.filter(|_| !is_separator)));
            at += child.sums().bytes as usize;
        }
        open[first..].reverse();
    }
    sites.retain(|site| site.node.id != document.root.id);
    sites
}

/// What stands between two elements of a list: nothing in most. None if the list has separators, and shows none.
fn find_separator(list: &Arc<ProgramNode>) -> Option<Vec<u8>> {
    if list.shape != NodeShape::Sep {
        return Some(Vec::new());
    }
    let mut links = walk::iter_items(list).filter(|item| item.shape == NodeShape::Link);
    let separator = first_leaf(links.next()?)?;
    Some(separator.text().to_vec())
}

fn first_leaf(node: &Arc<ProgramNode>) -> Option<&Arc<ProgramNode>> {
    walk::leaf_at(node, 0)
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::path::Path;

    use super::*;

    const PROGRAM: &str =
        "int a, b;\nint f(int x, int y) { if (x) return y; return x + 1; }\nlong c;\n";

    fn read_c(text: &str) -> Version {
        let path = Arc::from(Path::new("a.c"));
        program::read_program(vec![(path, text.as_bytes().into())]).expect("a program")
    }

    /// All texts that one kind of change makes in many tries.
    fn changed_texts(mutate: Mutator) -> BTreeSet<String> {
        let version = read_c(PROGRAM);
        let mut random = RandomNumbers::from_seed(1);
        let texts = (0..500).filter_map(|_| mutate(&version, &mut random));
        texts
            .map(|text| String::from_utf8(text).expect("UTF-8"))
            .collect()
    }

    #[test]
    fn a_part_goes_a_copy_comes_and_a_node_takes_the_place_of_another() {
        let deleted = changed_texts(delete_part);
        assert!(
            deleted.contains(&PROGRAM.replace(" if (x) return y;", "")),
            "{deleted:#?}"
        );
        assert!(deleted.contains(&PROGRAM.replace("a, b", "b")));
        let inserted = changed_texts(insert_copy);
        let twice = PROGRAM.replace("long c;\n", "long c;\nlong c;\n");
        assert!(inserted.contains(&twice), "{inserted:#?}");
        assert!(inserted.contains(&PROGRAM.replace("int y)", "int y, int y)")));
        let replaced = changed_texts(replace_node);
        assert!(replaced.contains(&PROGRAM.replace("if (x)", "if (b)")) || replaced.len() > 20);
        assert!(
            replaced.contains(&PROGRAM.replace("return y;", "return x + 1;")),
            "{replaced:#?}"
        );
        let lengths = |texts: &BTreeSet<String>, of: fn(usize) -> bool| {
            texts.iter().all(|text| of(text.len()))
        };
        assert!(lengths(&deleted, |length| length < PROGRAM.len()));
        assert!(lengths(&inserted, |length| length > PROGRAM.len()));
    }

    #[test]
    fn several_changes_keep_the_syntax_and_a_seed_gives_the_same_programs_again() {
        let version = read_c(PROGRAM);
        let programs = |seed| {
            let mut random = RandomNumbers::from_seed(seed);
            let changed = (0..50).map(|_| mutate_program(&version, 4, &mut random).expect("read"));
            let texts = changed.flatten().map(|changed| {
                assert_eq!(count_faults(&changed), 0);
                walk::render_text(&changed.documents()[0].root)
            });
            texts.collect::<Vec<_>>()
        };
        assert!(programs(1).len() > 20);
        assert_eq!(programs(1), programs(1));
        assert_ne!(programs(1), programs(2));
    }
}
