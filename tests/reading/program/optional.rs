//! Parts that a grammar requires and compilers do not: the tree without one is that of the grammar of lop, whatever the parser would read.

use lop::program::{
    self, ConstraintSet, Edit, EditOp, NodeShape, ParseChecker, Version, find_dispensable_parts,
    walk,
};
use proptest::prelude::*;

use super::{around, find, read, text};

/// The version without the first dispensable part of this node, as the parse check accepts it.
fn without_part(version: &Version, kind: &str, start: &str) -> Version {
    let node = version
        .find_node(find(version, kind, start))
        .expect("it is there");
    let language = version.documents()[0].language.expect("a language");
    let part = find_dispensable_parts(language, node)[0].id;
    checked(version, &EditOp::Delete(part).into()).expect("the parse check accepts it")
}

fn checked(version: &Version, edit: &Edit) -> Option<Version> {
    let (candidate, _) = program::apply_edit(version, edit).ok()?;
    let (files, free) = (candidate.render_texts(), ConstraintSet::default());
    let trees =
        ParseChecker::default().check_candidate(version, &candidate, &files, true, &free)?;
    Some(candidate.with_parse_trees(trees))
}

/// The nodes of the parser in a tree, and the texts of leaves.
fn nodes(version: &Version) -> Vec<String> {
    let nodes = walk::preorder(&version.documents()[0].root);
    let nodes = nodes.filter(|node| node.class.is_some() || node.shape.is_leaf());
    let described = nodes.map(|node| match node.shape.is_leaf() {
        true => String::from_utf8_lossy(node.text()).into_owned(),
        false => version.kind_name(0, node).to_owned(),
    });
    described.collect()
}

/// What declares or uses a name, in order.
fn mentions(version: &Version, name: &str) -> usize {
    let names = version.name_graph();
    let leaves = walk::iter_leaves(&version.documents()[0].root);
    let own = leaves.filter(|leaf| leaf.text() == name.as_bytes());
    own.filter(|leaf| names.occurrence_of(leaf.ids()[0]).is_some())
        .count()
}

#[test]
fn a_type_goes_and_the_tree_stays_that_of_a_declaration() {
    for (program, kind, left) in [
        ("typedef int word;\n", "type_definition", "typedef word;\n"),
        ("int g;\n", "declaration", "g;\n"),
        ("static int x, *y;\n", "declaration", "static x, *y;\n"),
        (
            "int f() { return 1; }\n",
            "function_definition",
            "f() { return 1; }\n",
        ),
        (
            "int const /* why */ c = 1;\n",
            "declaration",
            "const /* why */ c = 1;\n",
        ),
    ] {
        let version = without_part(&read("a.c", program), kind, "");
        assert_eq!(text(&version), left);
        find(&version, kind, "");
        let again = program::reparse_version(&version).expect("it is read again");
        assert_eq!(nodes(&again), nodes(&version), "{left}");
        assert_eq!(
            again.parse_trees()[0]
                .as_ref()
                .map(|parse| parse.count_faults()),
            Some(0)
        );
    }
}

#[test]
fn without_a_type_the_parse_check_is_as_strict_as_before() {
    let version = read("a.c", "int g;\nint f(int a) { return g + a; }\n");
    let bare = without_part(&version, "function_definition", "int f");
    assert_eq!(text(&bare), "int g;\nf(int a) { return g + a; }\n");
    // The parser would misread the text, but not what is new in it.
    let body = find(&bare, "compound_statement", "{");
    let loses_body = checked(&bare, &EditOp::Delete(body).into());
    assert!(loses_body.is_none(), "a definition without a body");
    let statement = find(&bare, "return_statement", "return");
    let list = around(&bare, statement, NodeShape::Star);
    let items = program::IndexRanges::from_range(0..1);
    let empty = checked(&bare, &EditOp::DeleteItems { list, items }.into());
    assert_eq!(text(&empty.expect("it is sound")), "int g;\nf(int a) { }\n");
}

#[test]
fn names_and_an_edited_text_keep_what_the_parser_would_misread() {
    let version = read(
        "a.c",
        "static int x;\nint f() { return x; }\nint main() { return f(); }\n",
    );
    let bare = without_part(&version, "declaration", "static int x");
    let bare = without_part(&bare, "function_definition", "int f");
    let bare = program::reparse_version(&bare).expect("it is read again");
    assert_eq!(
        text(&bare),
        "static x;\nf() { return x; }\nint main() { return f(); }\n"
    );
    let edited = "static x;\nf() { return x; }\nint main() { return 1 + f(); }\n";
    let edit = Edit::from(EditOp::Rewrite([Some(edited.as_bytes().into())].into()));
    let (edited, _) = program::apply_edit(&bare, &edit).expect("it is read");
    for version in [&version, &bare, &edited] {
        find(version, "declaration", "static");
        assert_eq!((mentions(version, "x"), mentions(version, "f")), (2, 2));
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn whatever_is_absent_a_version_is_printed_and_read_alike(
        places in proptest::collection::vec((any::<u16>(), any::<bool>()), 1..20),
    ) {
        let sample = include_str!("../../samples/small.c");
        let mut version = read("a.c", sample);
        let language = version.documents()[0].language.expect("a language");
        for (place, dispensable) in places {
            let root = &version.documents()[0].root;
            let parts: Vec<_> = match dispensable {
                true => walk::preorder(root)
                    .flat_map(|node| find_dispensable_parts(language, node))
                    .map(|part| part.id)
                    .collect(),
                false => walk::preorder(root)
                    .filter(|node| node.shape == NodeShape::Opt)
                    .map(|part| part.id)
                    .collect(),
            };
            let Some(&part) = parts.get(usize::from(place) % parts.len().max(1)) else {
                continue;
            };
            let Some(next) = checked(&version, &EditOp::Delete(part).into()) else {
                continue;
            };
            let again = program::reparse_version(&next).expect("it is read again");
            prop_assert_eq!(text(&again), text(&next));
            prop_assert_eq!(nodes(&again), nodes(&next));
            version = if place % 2 == 0 { next } else { again };
        }
    }
}
