//! What must always hold of programs and edits, over real text: printing, identities, hashes, and that what the normal form
//! proposes is a program by the parser's word.

use std::path::Path;
use std::sync::Arc;

use lop::dialogue::{Answer, Dialogue, Step};
use lop::language::parser::ParseLimit;
use lop::pass;
use lop::program::{self, Body, Edit, Hash, Node, NodeId, Op, Piece, Shape, Version, View, walk};
use lop::reduce::Schedule;

fn read(name: &str, text: &str) -> Version {
    program::read(vec![(
        Arc::from(Path::new(name)),
        Arc::from(text.as_bytes()),
    )])
    .expect("the program can be read")
}

fn text(version: &Version) -> String {
    String::from_utf8(walk::render(&version.documents()[0].root)).expect("UTF-8")
}

/// The first node of this kind whose text begins with `start`.
fn find(version: &Version, kind: &str, start: &str) -> NodeId {
    let nodes = walk::preorder(&version.documents()[0].root);
    let matching = |node: &&Arc<Node>| {
        version.kind(0, node) == kind && program::beginning(node, 1000).starts_with(start)
    };
    nodes
        .filter(|node| node.shape != Shape::Chunk)
        .find(matching)
        .unwrap_or_else(|| panic!("no {kind} {start}"))
        .id
}

/// The nearest list or optional part around the node.
fn around(version: &Version, node: NodeId, shape: Shape) -> NodeId {
    let trail = version.trail(node).expect("the node is there");
    trail
        .ancestors()
        .find(|above| above.shape == shape)
        .expect("there is one around it")
        .id
}

/// Nodes, sums and hashes are what they would be if the tree had been made from its text.
fn check(version: &Version) {
    for document in version.documents() {
        let bytes = walk::render(&document.root);
        assert_eq!(
            document.root.sums.hash,
            Hash::of(&bytes),
            "the hash composes over the tree"
        );
        assert_eq!(document.root.sums.bytes as usize, bytes.len());
        assert_eq!(
            document.root.sums.newlines as usize,
            bytes.iter().filter(|&&b| b == b'\n').count()
        );
        for node in walk::preorder(&document.root) {
            let trail = version
                .trail(node.id)
                .unwrap_or_else(|| panic!("no way to {:?} {:?}", node.shape, node.id));
            assert!(
                Arc::ptr_eq(trail.node(), node),
                "the way to {:?} {:?} leads to another node",
                node.shape,
                node.id
            );
        }
    }
}

fn faults(version: &Version) -> u32 {
    let document = &version.documents()[0];
    let language = document.language.expect("a language");
    let bytes = walk::render(&document.root);
    let tree = language.parser().parse(
        &language.mask(&bytes),
        None,
        ParseLimit::for_length(bytes.len()),
    );
    tree.expect("the parse ends").faults()
}

/// Every question that a whole run asks when every answer is `answer`'s.
fn questions(
    version: &Version,
    mut answer: impl FnMut(&View, &Edit) -> Answer,
) -> (Vec<Edit>, Version) {
    let mut view = View::new(version.clone());
    let mut schedule = Schedule::new(pass::Options::of(pass::strategy("perses").expect("known")));
    let mut asked = Vec::new();
    loop {
        match schedule.step(&view) {
            Step::Ask(edit, _) => {
                let answer = answer(&view, &edit);
                schedule.told(&view, &edit, answer);
                asked.push(edit);
            }
            Step::Take(edit) => {
                let (next, change) =
                    program::apply(&view.version, &edit).expect("a take can be made");
                view.version = next;
                schedule.taken(&view, &change);
            }
            Step::Settle => {
                view.version = program::reread(&view.version).expect("the parse ends");
                schedule.settled(&view);
            }
            Step::Done => return (asked, view.version),
        }
    }
}

const SMALL: &str = include_str!("samples/small.c");

#[test]
fn what_becomes_the_first_of_its_list_may_change_too() {
    let version = read("a.c", "int x = f(a, g(b, c), d);\n");
    let lists = [
        find(&version, "identifier", "a"),
        find(&version, "identifier", "b"),
    ];
    let ops = lists.map(|first| Op::DeleteItems {
        list: around(&version, first, Shape::Sep),
        items: lop::dialogue::Indices::range(0..1),
    });
    for ops in [ops.clone(), [ops[1].clone(), ops[0].clone()]] {
        let edit: Edit = ops.into_iter().collect();
        let (version, _) = program::apply(&version, &edit).expect("two places");
        assert_eq!(text(&version), "int x = f(g(c), d);\n");
        check(&version);
    }
}

#[test]
fn an_unedited_program_is_printed_byte_for_byte() {
    for text_in in [
        SMALL,
        "",
        "\n\n",
        "int x;",
        "// only a comment\n",
        "  int x ;\t\n\n",
        "int \\\n x;",
        "}{ ))) int\n",
        "#define A \\\n 1\nint x;\n",
    ] {
        let version = read("a.c", text_in);
        assert_eq!(text(&version), text_in);
        check(&version);
        assert_eq!(
            text(&program::reread(&version).expect("the parse ends")),
            text_in
        );
    }
}

#[test]
fn an_unknown_language_is_lines_and_tokens() {
    let version = read("notes.txt", "one two, three\n\n  four\n");
    check(&version);
    assert_eq!(version.tokens(), 5);
    let (_, last) = questions(&version, |view, edit| {
        let next = program::apply(&view.version, edit).map(|(next, _)| text(&next));
        if next.is_ok_and(|next| next.contains("three")) {
            Answer::Yes
        } else {
            Answer::No
        }
    });
    assert_eq!(text(&last).trim(), "three");
}

#[test]
fn every_question_about_a_small_file_is_a_program_to_the_parser() {
    let version = read("small.c", SMALL);
    assert_eq!(faults(&version), 0);
    assert!(version.tokens() >= 300, "{} tokens", version.tokens());
    let mut made = 0;
    let (asked, _) = questions(&version, |view, edit| {
        match program::apply(&view.version, edit) {
            Ok((next, _)) => {
                made += 1;
                assert_eq!(faults(&next), 0, "{edit:?} makes\n{}", text(&next));
                check(&next);
            }
            Err(error) => panic!("{edit:?}: {error}"),
        }
        Answer::No
    });
    assert!(
        made > 300,
        "{made} of {} questions could be made",
        asked.len()
    );
}

#[test]
fn a_reread_keeps_every_node_that_is_the_same() {
    let version = read("small.c", SMALL);
    let again = program::reread(&version).expect("the parse ends");
    let ids = |version: &Version| -> Vec<_> {
        let nodes = walk::preorder(&version.documents()[0].root);
        nodes
            .filter(|node| node.shape != Shape::Chunk)
            .map(|node| node.id)
            .collect()
    };
    assert_eq!(ids(&version), ids(&again));
    check(&again);
}

#[test]
fn elements_go_with_their_separators() {
    let version = read("a.c", "void f() { g(a, b, c, d); }");
    let list = around(&version, find(&version, "identifier", "b"), Shape::Sep);
    for (gone, left) in [
        (vec![0], "g(b, c, d)"),
        (vec![1, 2], "g(a, d)"),
        (vec![3], "g(a, b, c)"),
        (vec![0, 1, 3], "g(c)"),
        (vec![0, 2], "g(b, d)"),
    ] {
        let edit = Op::DeleteItems {
            list,
            items: program::Indices::sorted(gone),
        }
        .into();
        let (next, _) = program::apply(&version, &edit).expect("it can be made");
        assert_eq!(text(&next), format!("void f() {{ {left}; }}"));
        check(&next);
    }
}

#[test]
fn a_chain_of_one_operator_is_a_list_and_ends_as_its_last_element() {
    let version = read("a.c", "int x = a + b * 2 + c + d;");
    let list = around(&version, find(&version, "identifier", "c"), Shape::Sep);
    assert_eq!(version.node(list).expect("the chain").len(), 4);
    for (gone, left) in [
        (vec![0], "b * 2 + c + d"),
        (vec![1, 2], "a + d"),
        (vec![1, 2, 3], "a"),
        (vec![0, 2, 3], "b * 2"),
    ] {
        let edit = Op::DeleteItems {
            list,
            items: program::Indices::sorted(gone),
        }
        .into();
        let (next, _) = program::apply(&version, &edit).expect("it can be made");
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
        Shape::Plus,
    );
    for (gone, left) in [
        (vec![0, 1], "\"c\" \"d\""),
        (vec![1, 3], "\"a\" \"c\""),
        (vec![0, 1, 3], "\"c\""),
    ] {
        let edit = Op::DeleteItems {
            list,
            items: program::Indices::sorted(gone),
        }
        .into();
        let (next, _) = program::apply(&version, &edit).expect("it can be made");
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
        Shape::Link,
    );
    let list = around(&version, link, Shape::Star);
    assert_eq!(version.node(list).expect("the list").len(), 3);
    let drop = |gone: Vec<u32>| {
        let edit = Op::DeleteItems {
            list,
            items: program::Indices::sorted(gone),
        }
        .into();
        let (next, _) = program::apply(&version, &edit).expect("it can be made");
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
        let (next, _) = program::apply(&view.version, edit).expect("it can be made");
        assert_eq!(faults(&next), 0, "{}", text(&next));
        seen.push(text(&next));
        Answer::No
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
        Shape::Star,
    );
    let with = |piece: Piece| {
        let (next, _) = program::apply(&version, &Op::Replace { node: whole, piece }.into())
            .expect("it can be made");
        check(&next);
        text(&next)
    };
    assert_eq!(
        with(Piece::Node(block)),
        "void f() {\n  {\n    b();\n    c();\n  }\n  d();\n}\n"
    );
    assert_eq!(
        with(Piece::Items(list)),
        "void f() {\n    b();\n    c();\n  d();\n}\n"
    );
    let tokens: Arc<[Arc<[u8]>]> = [&b"g"[..], b"(", b")", b";"].map(Arc::from).into();
    assert_eq!(
        with(Piece::Tokens(tokens)),
        "void f() {\n  g();\n  d();\n}\n"
    );
}

#[test]
fn a_directive_stays_on_its_own_line() {
    let version = read("a.c", "int x;\n#define A 1\nint y; int z;\n");
    let list = around(
        &version,
        find(&version, "declaration", "int y"),
        Shape::Star,
    );
    let drop = |gone: Vec<u32>| {
        let edit = Op::DeleteItems {
            list,
            items: program::Indices::sorted(gone),
        }
        .into();
        text(&program::apply(&version, &edit).expect("it can be made").0)
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
    let edit = Op::Replace {
        node: parenthesized,
        piece: Piece::Node(inner),
    }
    .into();
    assert_eq!(
        text(&program::apply(&version, &edit).expect("it can be made").0),
        "int(x); char*s = a- -b;"
    );
}

#[test]
fn an_edit_is_made_whole_or_not_at_all() {
    let version = read("a.c", "void f() { a(); b(); }");
    let a = find(&version, "expression_statement", "a");
    let list = around(&version, a, Shape::Star);
    let gone = |items: Vec<u32>| Op::DeleteItems {
        list,
        items: program::Indices::sorted(items),
    };
    let call = find(&version, "call_expression", "a");
    let error = |ops: Vec<Op>| {
        program::apply(&version, &ops.into_iter().collect())
            .map(|(next, _)| text(&next))
            .expect_err("refused")
    };
    assert_eq!(error(vec![gone(vec![5])]), program::EditError::Gone);
    assert_eq!(
        error(vec![gone(vec![0]), gone(vec![1])]),
        program::EditError::Overlap
    );
    assert_eq!(
        error(vec![Op::Delete(NodeId(99_999))]),
        program::EditError::Gone
    );
    assert_eq!(
        error(vec![Op::Replace {
            node: call,
            piece: Piece::Node(list)
        }]),
        program::EditError::Gone
    );
}

#[test]
fn a_hundred_thousand_nested_parentheses_are_read_edited_and_dropped() {
    let depth = 100_000;
    let source = format!("int x = {}1{};", "(".repeat(depth), ")".repeat(depth));
    let version = read("deep.c", &source);
    assert_eq!(version.tokens() as usize, 2 * depth + 5);
    let inner = find(&version, "number_literal", "1");
    let outer = version
        .trail(inner)
        .expect("it is there")
        .nodes
        .iter()
        .find(|node| version.kind(0, node) == "parenthesized_expression")
        .map(|node| node.id);
    let edit = Op::Replace {
        node: outer.expect("parentheses"),
        piece: Piece::Node(inner),
    }
    .into();
    let (next, _) = program::apply(&version, &edit).expect("it can be made");
    assert_eq!(text(&next), "int x = 1;");
}

#[test]
fn what_does_not_parse_is_a_list_that_can_shrink() {
    let version = read("a.c", "int a;\nint $ = @ 3 4 ] ];\nint b;\n");
    check(&version);
    let (_, last) = questions(&version, |view, edit| {
        let next = program::apply(&view.version, edit).map(|(next, _)| text(&next));
        if next.is_ok_and(|next| next.contains('@')) {
            Answer::Yes
        } else {
            Answer::No
        }
    });
    assert!(last.tokens() <= 3, "{}", text(&last));
    assert!(text(&last).contains('@'));
}

#[test]
fn line_markers_are_hidden_from_the_parser_and_go_first() {
    let source = "# 1 \"a.c\"\nint x;\n# 7 \"b.h\" 2\nint y;\n";
    let version = read("a.c", source);
    assert_eq!(text(&version), source);
    assert_eq!(faults(&version), 0);
    assert_eq!(version.tokens(), 6, "markers are no tokens");
    let (asked, last) = questions(&version, |_, edit| {
        if edit.ops[0] == Op::StripMarkers {
            Answer::Yes
        } else {
            Answer::No
        }
    });
    assert_eq!(asked[0], Op::StripMarkers.into());
    assert_eq!(text(&last), "int x;\nint y;\n");
    check(&last);
    let list = around(
        &version,
        find(&version, "declaration", "int y"),
        Shape::Star,
    );
    let edit = Op::DeleteItems {
        list,
        items: program::Indices::range(1..2),
    }
    .into();
    assert_eq!(
        text(&program::apply(&version, &edit).expect("it can be made").0),
        "# 1 \"a.c\"\nint x;\n",
        "a marker goes with the token after it"
    );
}

#[test]
fn a_long_list_loses_elements_and_keeps_its_order() {
    let source: String = (0..5000).map(|i| format!("int x{i};\n")).collect();
    let version = read("a.c", &source);
    let list = around(
        &version,
        find(&version, "declaration", "int x0"),
        Shape::Star,
    );
    let odd = program::Indices::sorted((0..5000).filter(|i| i % 2 == 1));
    let (next, _) = program::apply(&version, &Op::DeleteItems { list, items: odd }.into())
        .expect("it can be made");
    check(&next);
    let left: String = (0..5000)
        .step_by(2)
        .map(|i| format!("int x{i};\n"))
        .collect();
    assert_eq!(text(&next), left);
    let (next, _) = program::apply(
        &next,
        &Op::DeleteItems {
            list,
            items: program::Indices::range(100..2400),
        }
        .into(),
    )
    .expect("it can be made");
    check(&next);
    assert_eq!(next.node(list).expect("the list").len(), 200);
}

#[test]
fn a_document_that_several_threads_read_is_numbered_as_if_one_had() {
    let mut source = String::new();
    for number in 0..4_000 {
        source += &format!(
            "#define M{number} 1\n/* {number} */\nint g{number} = {number}; // \\\nint h;\nint f{number}(int a) {{ return a + M{number}; }} @\n"
        );
    }
    let version = read("a.c", &source);
    assert_eq!(text(&version), source);
    let root = &version.documents()[0].root;
    let ids = walk::leaves(root).filter_map(|leaf| match &leaf.body {
        Body::Leaf { ids, .. } => ids.first().map(|id| id.0),
        Body::Inner(_) => None,
    });
    assert!(ids.eq(1..u64::from(root.sums.leaves)), "tokens are counted");
    let mut seen = std::collections::BTreeSet::new();
    for node in walk::preorder(root) {
        assert!(seen.insert(node.id), "{:?} is there twice", node.id);
        assert!(node.kids().iter().all(|kid| kid.id < node.id));
    }
    assert_eq!(seen.last().map(|id| id.0), Some(seen.len() as u64));
    for id in seen.iter().step_by(97) {
        assert_eq!(version.node(*id).map(|node| node.id), Some(*id));
    }
}

#[test]
fn a_version_that_no_edit_made_is_not_read_again() {
    let version = read("a.c", "int x;\nint y;\n");
    let again = program::reread(&version).expect("it can be read");
    let roots = [&version, &again].map(|version| version.documents()[0].root.clone());
    assert!(std::sync::Arc::ptr_eq(&roots[0], &roots[1]));
}
