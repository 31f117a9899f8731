//! Edits: deletions, replacements, and the white space at their seams.

use std::sync::Arc;

use lop::program::{self, EditOp, NodeId, NodeShape, Replacement};
use lop::protocol::Feedback;

use crate::program::{around, check, faults, find, questions, read, text};

#[test]
fn elements_go_with_their_separators() {
    let version = read("a.c", "void f() { g(a, b, c, d); }");
    let list = around(&version, find(&version, "identifier", "b"), NodeShape::Sep);
    for (gone, left) in [
        (vec![0], "g(b, c, d)"),
        (vec![1, 2], "g(a, d)"),
        (vec![3], "g(a, b, c)"),
        (vec![0, 1, 3], "g(c)"),
        (vec![0, 2], "g(b, d)"),
    ] {
        let edit = EditOp::DeleteItems {
            list,
            items: program::IndexRanges::from_sorted(gone),
        }
        .into();
        let (next, _) = program::apply_edit(&version, &edit).expect("it can be made");
        assert_eq!(text(&next), format!("void f() {{ {left}; }}"));
        check(&next);
    }
}

#[test]
fn a_chain_of_one_operator_is_a_list_and_ends_as_its_last_element() {
    let version = read("a.c", "int x = a + b * 2 + c + d;");
    let list = around(&version, find(&version, "identifier", "c"), NodeShape::Sep);
    assert_eq!(version.find_node(list).expect("the chain").len(), 4);
    for (gone, left) in [
        (vec![0], "b * 2 + c + d"),
        (vec![1, 2], "a + d"),
        (vec![1, 2, 3], "a"),
        (vec![0, 2, 3], "b * 2"),
    ] {
        let edit = EditOp::DeleteItems {
            list,
            items: program::IndexRanges::from_sorted(gone),
        }
        .into();
        let (next, _) = program::apply_edit(&version, &edit).expect("it can be made");
        assert_eq!(text(&next), format!("int x = {left};"));
        check(&next);
    }
}

#[test]
fn adjacent_strings_are_a_list_and_end_as_the_last_of_them() {
    let version = read("a.c", "char *s = \"a\" \"b\" \"c\" \"d\";");
    let list = around(
        &version,
        find(&version, "string_literal", "\"b\""),
        NodeShape::Plus,
    );
    for (gone, left) in [
        (vec![0, 1], "\"c\" \"d\""),
        (vec![1, 3], "\"a\" \"c\""),
        (vec![0, 1, 3], "\"c\""),
    ] {
        let edit = EditOp::DeleteItems {
            list,
            items: program::IndexRanges::from_sorted(gone),
        }
        .into();
        let (next, _) = program::apply_edit(&version, &edit).expect("it can be made");
        assert_eq!(text(&next), format!("char *s = {left};"));
        check(&next);
    }
}

#[test]
fn else_ifs_are_a_list_of_links() {
    let source =
        "void f() { if (a) x(); else if (b) y(); else if (c) z(); else if (d) u(); else v(); }";
    let version = read("a.c", source);
    let link = around(
        &version,
        find(&version, "if_statement", "if (b)"),
        NodeShape::Link,
    );
    let list = around(&version, link, NodeShape::Star);
    assert_eq!(version.find_node(list).expect("the list").len(), 3);
    let drop = |gone: Vec<u32>| {
        let edit = EditOp::DeleteItems {
            list,
            items: program::IndexRanges::from_sorted(gone),
        }
        .into();
        let (next, _) = program::apply_edit(&version, &edit).expect("it can be made");
        check(&next);
        assert_eq!(faults(&next), 0);
        text(&next)
    };
    assert_eq!(
        drop(vec![1]),
        "void f() { if (a) x(); else if (b) y(); else if (d) u(); else v(); }"
    );
    assert_eq!(drop(vec![0, 1, 2]), "void f() { if (a) x(); else v(); }");
}

#[test]
fn the_whole_chain_of_else_ifs_is_asked_about_and_no_question_breaks_it() {
    let version = read(
        "a.c",
        "void f() { if (a) x(); else if (b) y(); else if (c) z(); else if (d) { u(); } else v(); }",
    );
    let mut seen = Vec::new();
    questions(&version, |view, edit| {
        let (next, _) = program::apply_edit(&view.version, edit).expect("it can be made");
        assert_eq!(faults(&next), 0, "{}", text(&next));
        seen.push(text(&next));
        Feedback::Uninteresting
    });
    for wanted in [
        "void f() { if (b) y(); }",
        "void f() { if (a) x(); else v(); }",
    ] {
        assert!(
            seen.iter().any(|text| text == wanted),
            "{wanted} is not among {seen:#?}"
        );
    }
}

#[test]
fn a_piece_moves_into_the_place_of_what_is_around_it() {
    let version = read(
        "a.c",
        "void f() {\n  if (a) {\n    b();\n    c();\n  }\n  d();\n}\n",
    );
    let whole = find(&version, "if_statement", "if");
    let block = find(&version, "compound_statement", "{ b");
    let list = around(
        &version,
        find(&version, "expression_statement", "c"),
        NodeShape::Star,
    );
    let with = |piece: Replacement| {
        let (next, _) =
            program::apply_edit(&version, &EditOp::Replace { node: whole, piece }.into())
                .expect("it can be made");
        check(&next);
        text(&next)
    };
    assert_eq!(
        with(Replacement::Node(block)),
        "void f() {\n  {\n    b();\n    c();\n  }\n  d();\n}\n"
    );
    assert_eq!(
        with(Replacement::Items(list)),
        "void f() {\n    b();\n    c();\n  d();\n}\n"
    );
    let tokens: Arc<[Arc<[u8]>]> = [&b"g"[..], b"(", b")", b";"].map(Arc::from).into();
    assert_eq!(
        with(Replacement::Tokens(tokens)),
        "void f() {\n  g();\n  d();\n}\n"
    );
}

#[test]
fn a_directive_stays_on_its_own_line() {
    let version = read("a.c", "int x;\n#define A 1\nint y; int z;\n");
    let list = around(
        &version,
        find(&version, "declaration", "int y"),
        NodeShape::Star,
    );
    let drop = |gone: Vec<u32>| {
        let edit = EditOp::DeleteItems {
            list,
            items: program::IndexRanges::from_sorted(gone),
        }
        .into();
        text(
            &program::apply_edit(&version, &edit)
                .expect("it can be made")
                .0,
        )
    };
    assert_eq!(drop(vec![2]), "int x;\n#define A 1\nint z;\n");
    assert_eq!(drop(vec![0]), "#define A 1\nint y; int z;\n");
    assert_eq!(drop(vec![2, 3]), "int x;\n#define A 1\n");
}

#[test]
fn a_blank_is_put_in_where_two_tokens_would_become_one() {
    let version = read("a.c", "int(x); char*s = a-(-b);");
    let parenthesized = find(&version, "parenthesized_expression", "(-b)");
    let inner = find(&version, "unary_expression", "-b");
    let edit = EditOp::Replace {
        node: parenthesized,
        piece: Replacement::Node(inner),
    }
    .into();
    assert_eq!(
        text(
            &program::apply_edit(&version, &edit)
                .expect("it can be made")
                .0
        ),
        "int(x); char*s = a- -b;"
    );
}

#[test]
fn an_edit_is_made_whole_or_not_at_all() {
    let version = read("a.c", "void f() { a(); b(); }");
    let a = find(&version, "expression_statement", "a");
    let list = around(&version, a, NodeShape::Star);
    let gone = |items: Vec<u32>| EditOp::DeleteItems {
        list,
        items: program::IndexRanges::from_sorted(items),
    };
    let call = find(&version, "call_expression", "a");
    let error = |ops: Vec<EditOp>| {
        program::apply_edit(&version, &ops.into_iter().collect())
            .map(|(next, _)| text(&next))
            .expect_err("refused")
    };
    assert_eq!(error(vec![gone(vec![5])]), program::EditError::NodeNotFound);
    assert_eq!(
        error(vec![gone(vec![0]), gone(vec![1])]),
        program::EditError::Overlap
    );
    assert_eq!(
        error(vec![EditOp::Delete(NodeId(99_999))]),
        program::EditError::NodeNotFound
    );
    assert_eq!(
        error(vec![EditOp::Replace {
            node: call,
            piece: Replacement::Node(list)
        }]),
        program::EditError::NodeNotFound
    );
    let named = read("a.c", "int a, b;");
    let list = around(&named, find(&named, "identifier", "a"), NodeShape::Sep);
    let all = EditOp::DeleteItems {
        list,
        items: program::IndexRanges::from_range(0..2),
    };
    let refused = program::apply_edit(&named, &all.into()).map(|(next, _)| text(&next));
    assert_eq!(
        refused,
        Err(program::EditError::Ungrammatical),
        "one of them must stay"
    );
}

#[test]
fn a_long_list_loses_elements_and_keeps_its_order() {
    let source: String = (0..5000).map(|i| format!("int x{i};\n")).collect();
    let version = read("a.c", &source);
    let list = around(
        &version,
        find(&version, "declaration", "int x0"),
        NodeShape::Star,
    );
    let odd = program::IndexRanges::from_sorted((0..5000).filter(|i| i % 2 == 1));
    let (next, _) = program::apply_edit(&version, &EditOp::DeleteItems { list, items: odd }.into())
        .expect("it can be made");
    check(&next);
    let left: String = (0..5000)
        .step_by(2)
        .map(|i| format!("int x{i};\n"))
        .collect();
    assert_eq!(text(&next), left);
    let (next, _) = program::apply_edit(
        &next,
        &EditOp::DeleteItems {
            list,
            items: program::IndexRanges::from_range(100..2400),
        }
        .into(),
    )
    .expect("it can be made");
    check(&next);
    assert_eq!(next.find_node(list).expect("the list").len(), 200);
}
