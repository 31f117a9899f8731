//! The parse check starts from the tree of the base and reads only what the cuts changed. What it says is what a parse with one change from
//! the first cut to the last says, and, where that is worse than the base, a parse from scratch. Of a large document only an excerpt is
//! parsed: where the base has no faults, that says the same; where it has, the same but for rare cases.

use lop::language::{
    self, Language,
    parser::{ParseLimit, ParseTree, TextEdit},
};
use lop::program::{
    self, ConstraintSet, Edit, EditOp, IndexRanges, NodeShape, ParseChecker, Version, walk,
};
use proptest::prelude::*;

use crate::program::{read, text};

/// An edit with a cut at each of these places that it can be made at.
fn cuts(version: &Version, places: &[(u16, u16)]) -> Edit {
    let root = &version.documents()[0].root;
    let nodes = walk::preorder(root);
    let free: Vec<_> = nodes
        .filter(|node| {
            matches!(
                node.shape,
                NodeShape::Star | NodeShape::Sep | NodeShape::Opt | NodeShape::Opaque
            )
        })
        .collect();
    let mut edit = Edit::default();
    for &(place, item) in places {
        let Some(node) = free.get(usize::from(place) % free.len().max(1)) else {
            break;
        };
        let op = match node.shape {
            NodeShape::Opt => EditOp::Delete(node.id),
            _ => {
                let first = u32::from(item) % node.len() as u32;
                let items = IndexRanges::from_range(first..first + 1);
                EditOp::DeleteItems {
                    list: node.id,
                    items,
                }
            }
        };
        let mut more = edit.clone();
        more.ops.push(op);
        if program::apply_edit(version, &more).is_ok() {
            edit = more;
        }
    }
    edit
}

/// What a check with one change would say: the number of faults of the tree, if they are not more than those of the base.
fn faults_by_one_change(
    language: &'static Language,
    base: &Version,
    candidate: &Version,
) -> Option<u32> {
    let tree = base.parse_tree(0).expect("the base has a tree");
    let (old, new) = (text(base), text(candidate));
    let (old, new) = (
        language.mask_text(old.as_bytes()),
        language.mask_text(new.as_bytes()),
    );
    let front = old
        .iter()
        .zip(new.iter())
        .take_while(|(a, b)| a == b)
        .count();
    let back = old[front..].iter().rev().zip(new[front..].iter().rev());
    let back = back.take_while(|(a, b)| a == b).count();
    let edit = TextEdit {
        old: front..old.len() - back,
        new: front..new.len() - back,
    };
    let limit = ParseLimit::for_length(new.len());
    let mut parser = language.new_parser();
    let mut count = |before: Option<&ParseTree>| {
        let tree = parser.parse(&new, before, limit).ok();
        tree.map(|tree| tree.count_faults())
            .filter(|faults| *faults <= tree_faults(base))
    };
    count(Some(&tree.with_edits(&old, &[edit], &new))).or_else(|| count(None))
}

fn tree_faults(version: &Version) -> u32 {
    version.parse_trees()[0]
        .as_ref()
        .expect("the base has a tree")
        .count_faults()
}

#[test]
fn dropped_trees_are_those_of_a_parse_from_scratch() {
    let version = read("a.c", "int a;\nint f(void) { return a; }\n");
    assert!(version.parse_dropped_trees().is_none());
    let bare = version.clone().without_parse_trees();
    assert!(bare.parse_trees()[0].is_none());
    let parsed = bare.parse_dropped_trees().expect("they were dropped");
    assert!(parsed.parse_dropped_trees().is_none());
    let kinds = |version: &Version| {
        let tree = version.parse_tree(0).expect("a tree");
        let (mut cursor, mut kinds) = (tree.walk(), Vec::new());
        loop {
            kinds.push((cursor.node().kind().to_owned(), cursor.node().range()));
            if cursor.goto_first_child() {
                continue;
            }
            while !cursor.goto_next_sibling() {
                if !cursor.goto_parent() {
                    return kinds;
                }
            }
        }
    };
    assert_eq!(kinds(&parsed), kinds(&version));
}

/// What a checker says of a candidate, and how many faults the candidate has then.
fn check(
    checker: &mut ParseChecker,
    base: &Version,
    candidate: &Version,
) -> Option<(Version, u32)> {
    let (files, free) = (candidate.render_texts(), ConstraintSet::default());
    let trees = checker.check_candidate(base, candidate, &files, true, &free)?;
    let faults = trees[0].as_ref().expect("it is known").count_faults();
    Some((candidate.clone().with_parse_trees(trees), faults))
}

/// `version` without these declarations.
fn without_declarations(version: &Version, gone: &[u32]) -> Version {
    let mut nodes = walk::preorder(&version.documents()[0].root);
    let list = nodes.find(|node| node.shape.is_list()).expect("a list");
    let items = IndexRanges::from_sorted(gone.iter().copied());
    let edit = EditOp::DeleteItems {
        list: list.id,
        items,
    };
    let made = program::apply_edit(version, &edit.into());
    made.expect("it can be made").0
}

fn functions(number: u32) -> String {
    let each = |at| format!("int f{at}(int a) {{ return a + {at}; }}\n");
    (0..number).map(each).collect()
}

#[test]
fn of_a_large_document_an_excerpt_is_parsed() {
    let base = read("a.c", &functions(12_000));
    let mut checker = ParseChecker::default();
    let (next, faults) = check(
        &mut checker,
        &base,
        &without_declarations(&base, &[7, 6_000]),
    )
    .expect("it is clean");
    assert!(faults == 0 && !parse_of(&next).is_whole());
    let last = without_declarations(&next, &[9]);
    let (last, _) = check(&mut checker, &next, &last).expect("it is clean");
    let tree = last.parse_tree(0).expect("it is made when it is asked for");
    assert_eq!(tree.walk().node().range().end, text(&last).len());
    assert_eq!(tree.count_faults(), 0);
    let small = read("a.c", &functions(10));
    let (small, _) =
        check(&mut checker, &small, &without_declarations(&small, &[5])).expect("it is clean");
    assert!(parse_of(&small).is_whole());
}

/// A program of many functions with an error in the middle, and the number of its faults.
fn faulty_program(error: &str) -> (Version, u32) {
    let base = read("a.c", &[&*functions(40), error, &*functions(40)].concat());
    let faults = tree_faults(&base);
    assert!(faults > 0);
    (base, faults)
}

/// What a checker with excerpts says of the base without these declarations: the number of faults.
fn faults_without(base: &Version, gone: &[u32]) -> Option<u32> {
    let candidate = without_declarations(base, gone);
    let (next, faults) = check(&mut ParseChecker::with_excerpts(), base, &candidate)?;
    assert!(!parse_of(&next).is_whole(), "an excerpt was enough");
    let scratch = read("a.c", &text(&next));
    assert_eq!(faults, tree_faults(&scratch));
    Some(faults)
}

#[test]
fn an_excerpt_is_enough_where_the_base_has_an_error_elsewhere() {
    let (base, faults) = faulty_program("int g = ) ;\n");
    assert_eq!(faults_without(&base, &[5]), Some(faults));
    assert_eq!(faults_without(&base, &[5, 70]), Some(faults));
}

#[test]
fn an_error_next_to_a_change_stays_and_one_in_it_goes() {
    let (base, faults) = faulty_program("int g = ) ;\n");
    let list = walk::preorder(&base.documents()[0].root).find(|node| node.shape.is_list());
    let length = list.expect("a list").len() as u32;
    let error = (0..length).filter(|&at| faults_without(&base, &[at]) < Some(faults));
    let error: Vec<u32> = error.collect();
    assert!(
        (40..43).contains(&error[0]) && error.len() <= 2,
        "{error:?}"
    );
    let all: Vec<u32> = (error[0] - 1..error[0] + 3).collect();
    assert_eq!(faults_without(&base, &all), Some(0));
}

fn parse_of(version: &Version) -> &program::DocumentParse {
    version.parse_trees()[0].as_ref().expect("it is known")
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    #[ignore = "long"]
    fn without_faults_an_excerpt_says_what_the_whole_text_says(
        edits in proptest::collection::vec(proptest::collection::vec(any::<(u16, u16)>(), 1..5), 1..12),
    ) {
        for language in language::all_languages() {
            let (name, sample) = language.sample_program();
            let copies = if ["json", "xml"].contains(&language.name) { 1 } else { 3 };
            let sound = sample.repeat(copies);
            let mut known = read(name, &sound);
            if tree_faults(&known) > 0 {
                continue;
            }
            let mut whole = known.clone();
            let (mut by_excerpt, mut by_tree) = (ParseChecker::with_excerpts(), ParseChecker::default());
            for places in &edits {
                let edit = cuts(&known, places);
                let (candidate, _) = program::apply_edit(&known, &edit).expect("it can be made");
                let found = check(&mut by_excerpt, &known, &candidate);
                let expected = check(&mut by_tree, &whole, &candidate);
                let faults = |answer: &Option<(Version, u32)>| answer.as_ref().map(|(_, faults)| *faults);
                prop_assert_eq!(faults(&found), faults(&expected), "{:?} of {}", edit, text(&known));
                if let (Some((found, _)), Some((expected, _))) = (found, expected) {
                    (known, whole) = (found, expected);
                }
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(6))]

    #[test]
    #[ignore = "long"]
    fn with_faults_the_answer_does_not_depend_on_what_was_checked_before(
        edits in proptest::collection::vec(proptest::collection::vec(any::<(u16, u16)>(), 1..5), 1..12),
    ) {
        for language in language::all_languages() {
            let (name, sample) = language.sample_program();
            let mut known = read(name, &[sample, sample, "\n@ ) @\n", sample].concat());
            let mut checker = ParseChecker::with_excerpts();
            for places in &edits {
                let edit = cuts(&known, places);
                let (candidate, _) = program::apply_edit(&known, &edit).expect("it can be made");
                let found = check(&mut checker, &known, &candidate);
                let again = check(&mut ParseChecker::with_excerpts(), &known, &candidate);
                let faults = |answer: &Option<(Version, u32)>| answer.as_ref().map(|(_, faults)| *faults);
                prop_assert_eq!(faults(&found), faults(&again), "{:?} of {}", edit, text(&known));
                if let Some((found, faults)) = found {
                    prop_assert!(faults <= tree_faults(&known));
                    known = found;
                }
            }
        }
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(12))]

    #[test]
    #[ignore = "long"]
    fn scattered_cuts_have_the_faults_that_one_change_would_have(
        edits in proptest::collection::vec(proptest::collection::vec(any::<(u16, u16)>(), 1..10), 1..6),
    ) {
        for language in ["c", "cpp", "rust", "python"] {
            let language = language::by_name(language).expect("it is known");
            let (name, sample) = language.sample_program();
            // Three of them, with what the parser does not understand between the second and the third.
            let mut version = read(name, &[sample, sample, "\n@ ) @\n", sample].concat());
            let mut checker = ParseChecker::default();
            for places in &edits {
                let edit = cuts(&version, places);
                let (candidate, _) = program::apply_edit(&version, &edit).expect("it can be made");
                let files = candidate.render_texts();
                let trees = checker.check_candidate(&version, &candidate, &files, true, &ConstraintSet::default());
                let found = trees.as_ref().map(|trees| trees[0].as_ref().expect("a tree").count_faults());
                let expected = faults_by_one_change(language, &version, &candidate);
                prop_assert_eq!(found, expected, "{:?} of {}", edit, text(&version));
                if let Some(trees) = trees {
                    version = candidate.with_parse_trees(trees);
                }
            }
        }
    }
}
