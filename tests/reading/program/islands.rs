//! Pieces in brackets that are parsed by themselves, where the parser fails around them.

use std::sync::Arc;

use lop::program::{self, EditOp, NodeId, ProgramNode, Version, walk};

use super::{check, find, read, text};

fn shown(node: &Arc<ProgramNode>) -> String {
    let text = walk::render_text(node);
    String::from_utf8_lossy(&text).trim().to_owned()
}

/// The kind of the innermost node that consists of this piece, and its elements.
fn elements_of(version: &Version, piece: &str) -> Option<(String, Vec<String>)> {
    let nodes = walk::preorder(&version.documents()[0].root).filter(|node| node.class.is_some());
    let node = nodes.filter(|node| shown(node) == piece).last()?;
    let list = walk::preorder(node).find(|part| part.shape.is_list())?;
    let elements = walk::iter_items(list).map(shown);
    Some((version.kind_name(0, node).to_owned(), elements.collect()))
}

#[test]
fn what_stands_in_brackets_has_lists_where_the_parser_fails_around_it() {
    for (file, text, piece, kind, elements) in [
        (
            "bug.c",
            "int f(int a) @ b ( int c, long d ) @ c;",
            "( int c, long d )",
            "parameter_list",
            &["int c", ", long d"] as &[_],
        ),
        (
            "bug.cpp",
            "@ X @ int ( { g(1); if (a) h(); return; }",
            "{ g(1); if (a) h(); return; }",
            "compound_statement",
            &["g(1);", "if (a) h();", "return;"],
        ),
        // The string is one token, though the parser took it for several.
        (
            "bug.c",
            "int x = @ LOG(\"a b\", 2 y) z f(1, \"c d\", 3) @ ( 4 5;",
            "(1, \"c d\", 3)",
            "argument_list",
            &["1", ", \"c d\"", ", 3"],
        ),
        // Only the smallest piece that is not understood is opaque.
        (
            "bug.cpp",
            "ns @ :: { int a; void f() { g(); h() i j k; l(); } int b; } ) }",
            "{ int a; void f() { g(); h() i j k; l(); } int b; }",
            "compound_statement",
            &["int a;", "void f() { g(); h() i j k; l(); }", "int b;"],
        ),
        (
            "bug.rs",
            "fn f() { let x = weird @ (a, { g(); h() }) q; }",
            "(a, { g(); h() })",
            "arguments",
            &["a", ", { g(); h() }"],
        ),
    ] {
        let version = read(file, text);
        let (found, parts) = elements_of(&version, piece).expect(piece);
        assert_eq!(
            (&*found, parts),
            (kind, elements.iter().map(|e| e.to_string()).collect()),
            "{text}"
        );
    }
}

#[test]
fn an_element_of_an_island_goes_and_the_rest_keeps_its_identities() {
    let version = read(
        "bug.cpp",
        "int b; @ X @ int ( { g(1); if (a) h(); return; } int c;",
    );
    check(&version);
    let gone = find(&version, "if_statement", "if (a)");
    let kept = |version: &Version| -> Vec<NodeId> {
        let nodes = ["g(1);", "return;"].map(|node| {
            let kind = if node == "g(1);" {
                "expression_statement"
            } else {
                "return_statement"
            };
            find(version, kind, node)
        });
        nodes.to_vec()
    };
    let (shorter, _) =
        program::apply_edit(&version, &EditOp::Delete(gone).into()).expect("it can go");
    assert_eq!(
        text(&shorter),
        "int b; @ X @ int ( { g(1); return; } int c;"
    );
    let again = program::reparse_version(&shorter).expect("it is read again");
    check(&again);
    assert_eq!(kept(&version), kept(&shorter));
    assert_eq!(kept(&shorter), kept(&again));
}

#[test]
fn a_token_that_the_parser_tears_again_and_again_keeps_as_many_identities() {
    let mut version = read(
        "bug.c",
        "int x = @ LOG(\"a b\", 2 y) z f(1, \"c d\", 3) @ ( 4 5; int y; int z; int w;",
    );
    let most = |version: &Version| {
        let leaves = walk::iter_leaves(&version.documents()[0].root);
        leaves.map(|leaf| leaf.ids().len()).max()
    };
    let before = most(&version);
    for gone in ["int w;", "int z;", "int y;"] {
        let gone = find(&version, "declaration", gone);
        let (shorter, _) =
            program::apply_edit(&version, &EditOp::Delete(gone).into()).expect("it can go");
        version = program::reparse_version(&shorter).expect("it is read again");
        check(&version);
    }
    assert_eq!(most(&version), before);
}
