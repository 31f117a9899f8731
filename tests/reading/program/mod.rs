//! Invariants of programs and edits, on real text: printing, identities, hashes, and that the parser accepts every edit that the normal
//! form allows.

mod edits;
mod islands;
mod optional;
mod parse_check;

use std::path::Path;
use std::sync::Arc;

use lop::language::parser::ParseLimit;
use lop::pass;
use lop::program::{
    self, ContentHash, Edit, EditOp, NodeFlags, NodeId, NodeShape, ProgramNode, Replacement,
    Version, View, walk,
};
use lop::protocol::{Feedback, Proposer, ProposerStep};
use lop::reduce::PassSchedule;
use proptest::prelude::*;

fn read(name: &str, text: &str) -> Version {
    program::read_program(vec![(
        Arc::from(Path::new(name)),
        Arc::from(text.as_bytes()),
    )])
    .expect("the program can be read")
}

fn text(version: &Version) -> String {
    String::from_utf8(walk::render_text(&version.documents()[0].root)).expect("UTF-8")
}

/// The first node of this kind whose text begins with `start`.
fn find(version: &Version, kind: &str, start: &str) -> NodeId {
    let nodes = walk::preorder(&version.documents()[0].root);
    let matching = |node: &&Arc<ProgramNode>| {
        version.kind_name(0, node) == kind && program::text_excerpt(node, 1000).starts_with(start)
    };
    nodes
        .filter(|node| node.shape != NodeShape::Chunk)
        .find(matching)
        .unwrap_or_else(|| panic!("no {kind} {start}"))
        .id
}

/// The nearest list or optional part around the node.
fn around(version: &Version, node: NodeId, shape: NodeShape) -> NodeId {
    let trail = version.path_to(node).expect("the node is there");
    trail
        .ancestors()
        .find(|above| above.shape == shape)
        .expect("there is one around it")
        .id
}

/// Nodes, sums and hashes are what they would be if the tree had been made from its text.
fn check(version: &Version) {
    for document in version.documents() {
        let bytes = walk::render_text(&document.root);
        assert_eq!(
            document.root.content_hash(),
            ContentHash::from_bytes(&bytes),
            "the hash composes over the tree"
        );
        assert_eq!(document.root.sums().bytes as usize, bytes.len());
        assert_eq!(
            document.root.sums().newlines as usize,
            bytes.iter().filter(|&&b| b == b'\n').count()
        );
        let comments = walk::iter_comments(&document.root).map(|leaf| leaf.id);
        let leaves = walk::iter_leaves(&document.root);
        let expected = leaves.filter(|leaf| leaf.shape == NodeShape::Extra);
        assert!(comments.eq(expected.map(|leaf| leaf.id)));
        for node in walk::preorder(&document.root) {
            let trail = version
                .path_to(node.id)
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
    let bytes = walk::render_text(&document.root);
    let tree = language.new_parser().parse(
        &language.mask_text(&bytes),
        None,
        ParseLimit::for_length(bytes.len()),
    );
    tree.expect("the parse ends").count_faults()
}

/// Every question that a whole run asks when every answer is `answer`'s.
fn questions(
    version: &Version,
    mut answer: impl FnMut(&View, &Edit) -> Feedback,
) -> (Vec<Edit>, Version) {
    let mut view = View::new(version.clone());
    let mut schedule = PassSchedule::new(pass::PassOptions::from_strategy(
        pass::find_strategy("perses").expect("known"),
    ));
    let mut asked = Vec::new();
    loop {
        match schedule.propose(&view) {
            ProposerStep::Test(edit, _) => {
                let answer = answer(&view, &edit);
                schedule.on_verdict(&view, &edit, answer);
                asked.push(edit);
            }
            ProposerStep::Accept(edit) => {
                let (next, change) =
                    program::apply_edit(&view.version, &edit).expect("a take can be made");
                view.version = next;
                schedule.on_accept(&view, &change);
            }
            ProposerStep::Reparse => {
                view.version = program::reparse_version(&view.version).expect("the parse ends");
                schedule.on_reparse(&view);
            }
            ProposerStep::Done => return (asked, view.version),
        }
    }
}

const SMALL: &str = include_str!("../../samples/small.c");

#[test]
fn what_becomes_the_first_of_its_list_may_change_too() {
    let version = read("a.c", "int x = f(a, g(b, c), d);\n");
    let lists = [
        find(&version, "identifier", "a"),
        find(&version, "identifier", "b"),
    ];
    let ops = lists.map(|first| EditOp::DeleteItems {
        list: around(&version, first, NodeShape::Sep),
        items: lop::protocol::IndexRanges::from_range(0..1),
    });
    for ops in [ops.clone(), [ops[1].clone(), ops[0].clone()]] {
        let edit: Edit = ops.into_iter().collect();
        let (version, _) = program::apply_edit(&version, &edit).expect("two places");
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
            text(&program::reparse_version(&version).expect("the parse ends")),
            text_in
        );
    }
}

#[test]
fn an_unknown_language_is_lines_and_tokens() {
    let version = read("notes.txt", "one two, three\n\n  four\n");
    check(&version);
    assert_eq!(version.token_count(), 5);
    let (_, last) = questions(&version, |view, edit| {
        let next = program::apply_edit(&view.version, edit).map(|(next, _)| text(&next));
        if next.is_ok_and(|next| next.contains("three")) {
            Feedback::Interesting
        } else {
            Feedback::Uninteresting
        }
    });
    assert_eq!(text(&last).trim(), "three");
}

#[test]
fn every_question_about_a_small_file_is_a_program_to_the_parser() {
    let version = read("small.c", SMALL);
    assert_eq!(faults(&version), 0);
    assert!(
        version.token_count() >= 300,
        "{} tokens",
        version.token_count()
    );
    let mut made = 0;
    let (asked, _) = questions(&version, |view, edit| {
        match program::apply_edit(&view.version, edit) {
            Ok((next, _)) => {
                made += 1;
                assert_eq!(faults(&next), 0, "{edit:?} makes\n{}", text(&next));
                check(&next);
            }
            Err(error) => panic!("{edit:?}: {error}"),
        }
        Feedback::Uninteresting
    });
    assert!(
        made > 300,
        "{made} of {} questions could be made",
        asked.len()
    );
}

/// The version without the first element of this kind whose text begins with `start`.
fn without(version: &Version, kind: &str, start: &str) -> Version {
    let element = find(version, kind, start);
    let list = around(version, element, NodeShape::Star);
    let kids = version.find_node(list).expect("the list").children();
    let place = kids.iter().position(|kid| kid.id == element);
    let place = place.expect("an element of the list") as u32;
    let edit = EditOp::DeleteItems {
        list,
        items: lop::protocol::IndexRanges::from_range(place..place + 1),
    };
    let (next, _) = program::apply_edit(version, &edit.into()).expect("it can be made");
    next
}

#[test]
fn a_reread_keeps_every_node_that_is_the_same() {
    let source = "int a;\nint f(int x) { return x + g(1, 2); }\nint b[3];\n";
    let version = without(&read("a.c", source), "declaration", "int a");
    let again = program::reparse_version(&version).expect("the parse ends");
    let ids = |version: &Version| -> Vec<_> {
        let nodes = walk::preorder(&version.documents()[0].root);
        nodes
            .filter(|node| node.shape != NodeShape::Chunk)
            .map(|node| node.id)
            .collect()
    };
    assert_eq!(ids(&version), ids(&again));
    check(&again);
}

#[test]
fn a_tree_that_the_parser_would_misread_stays() {
    // Two semicolons in a row are Kotlin, but not for tree-sitter's grammar of it.
    let version = read("a.kt", "interface P { ; fun put(); }\n");
    let version = without(&version, "function_declaration", "fun put");
    assert_eq!(text(&version), "interface P { ;; }\n");
    assert!(faults(&read("a.kt", &text(&version))) > 0);
    assert!(program::reparse_version(&version).is_none());
}

#[test]
#[ignore = "long"]
fn a_hundred_thousand_nested_parentheses_are_read_edited_and_dropped() {
    let depth = 100_000;
    let source = format!("int x = {}1{};", "(".repeat(depth), ")".repeat(depth));
    let version = read("deep.c", &source);
    assert_eq!(version.token_count() as usize, 2 * depth + 5);
    let inner = find(&version, "number_literal", "1");
    let outer = version
        .path_to(inner)
        .expect("it is there")
        .nodes
        .iter()
        .find(|node| version.kind_name(0, node) == "parenthesized_expression")
        .map(|node| node.id);
    let edit = EditOp::Replace {
        node: outer.expect("parentheses"),
        piece: Replacement::Node(inner),
    }
    .into();
    let (next, _) = program::apply_edit(&version, &edit).expect("it can be made");
    assert_eq!(text(&next), "int x = 1;");
}

#[test]
fn what_does_not_parse_is_a_list_that_can_shrink() {
    let version = read("a.c", "int a;\nint $ = @ 3 4 ] ];\nint b;\n");
    check(&version);
    let (_, last) = questions(&version, |view, edit| {
        let next = program::apply_edit(&view.version, edit).map(|(next, _)| text(&next));
        if next.is_ok_and(|next| next.contains('@')) {
            Feedback::Interesting
        } else {
            Feedback::Uninteresting
        }
    });
    assert!(last.token_count() <= 3, "{}", text(&last));
    assert!(text(&last).contains('@'));
}

#[test]
fn line_markers_are_hidden_from_the_parser_and_go_first() {
    let source = "# 1 \"a.c\"\nint x;\n# 7 \"b.h\" 2\nint y;\n";
    let version = read("a.c", source);
    assert_eq!(text(&version), source);
    assert_eq!(faults(&version), 0);
    assert_eq!(version.token_count(), 6, "markers are no tokens");
    let (asked, last) = questions(&version, |_, edit| {
        if edit.ops[0] == EditOp::StripMarkers {
            Feedback::Interesting
        } else {
            Feedback::Uninteresting
        }
    });
    assert_eq!(asked[0], EditOp::StripMarkers.into());
    assert_eq!(text(&last), "int x;\nint y;\n");
    check(&last);
    let list = around(
        &version,
        find(&version, "declaration", "int y"),
        NodeShape::Star,
    );
    let edit = EditOp::DeleteItems {
        list,
        items: program::IndexRanges::from_range(1..2),
    }
    .into();
    assert_eq!(
        text(
            &program::apply_edit(&version, &edit)
                .expect("it can be made")
                .0
        ),
        "# 1 \"a.c\"\nint x;\n",
        "a marker goes with the token after it"
    );
}

#[test]
fn hidden_tokens_are_optional_parts_of_what_they_stand_in() {
    let source = "__extension__ typedef int A;\nint x __attribute__((unused)) = 3;\nint y;\n";
    let version = read("a.cpp", source);
    assert_eq!(text(&version), source);
    assert_eq!(faults(&version), 0);
    assert_eq!(version.token_count(), 19, "each is a token");
    check(&version);
    let hidden: Vec<_> = walk::preorder(&version.documents()[0].root)
        .filter(|node| node.shape == NodeShape::Opt && node.flags.contains(NodeFlags::HIDDEN))
        .map(|node| node.id)
        .collect();
    let without = |node: NodeId| {
        let edit = EditOp::Delete(node).into();
        let (edited, _) = program::apply_edit(&version, &edit).expect("it can go");
        check(&edited);
        text(&edited)
    };
    let texts: Vec<_> = hidden.into_iter().map(without).collect();
    assert_eq!(
        texts,
        [
            "typedef int A;\nint x __attribute__((unused)) = 3;\nint y;\n",
            "__extension__ typedef int A;\nint x = 3;\nint y;\n"
        ]
    );
    assert_eq!(
        without(find(&version, "type_definition", "__extension__")),
        "int x __attribute__((unused)) = 3;\nint y;\n",
        "what stands before a node goes with it"
    );
    assert_eq!(
        without(find(&version, "declaration", "int x")),
        "__extension__ typedef int A;\nint y;\n"
    );
}

#[test]
fn a_declaration_begins_with_what_is_hidden_before_it() {
    let version = read("a.cpp", "int x;\n__extension__ struct A { };\n");
    let names = version.name_graph();
    let mut symbols = names.symbols();
    let symbol = symbols.find(|&symbol| &**names.symbol_name(symbol) == "A");
    let sites = names.declaration_sites(symbol.expect("it is declared"));
    let begins = sites
        .iter()
        .map(|site| version.find_node(site.first_leaf).expect("a leaf").text());
    assert_eq!(begins.collect::<Vec<_>>(), [b"__extension__"]);
}

#[test]
fn tokens_that_are_read_as_a_word_stay_tokens() {
    let source = "int f(B b) { return b.operator->()->x; }\n";
    let version = read("a.cpp", source);
    assert_eq!(text(&version), source);
    assert_eq!(faults(&version), 0);
    assert_eq!(version.token_count(), 18);
    check(&version);
}

#[test]
fn what_the_parser_skips_in_a_list_is_an_optional_part_of_it() {
    let source = "namespace a {\nint x;\n@ @\nint y;\n}\nint z;\n";
    let version = read("a.cpp", source);
    assert_eq!(text(&version), source);
    check(&version);
    let without = |node: NodeId| {
        let (edited, _) =
            program::apply_edit(&version, &EditOp::Delete(node).into()).expect("it can go");
        check(&edited);
        text(&edited)
    };
    let list = find(&version, "declaration_list", "{");
    let path = version.path_to(list).expect("it is there");
    let mut elements = path.node().children().iter();
    let elements = elements.find(|child| child.shape == NodeShape::Star);
    let elements = elements.expect("its declarations are a list");
    let texts: Vec<_> = walk::iter_items(elements)
        .map(|part| without(part.id))
        .collect();
    assert_eq!(
        texts,
        [
            "namespace a {\n@ @\nint y;\n}\nint z;\n",
            "namespace a {\nint x;\nint y;\n}\nint z;\n",
            "namespace a {\nint x;\n@ @\n}\nint z;\n",
        ]
    );
}

#[test]
fn a_declaration_with_an_error_between_its_parts_is_a_list_of_what_stands_there() {
    let version = read(
        "a.cpp",
        "int f() @ @ { return 1; }\nint g() { return 2; }\n",
    );
    check(&version);
    let is_opaque = |text: &str| {
        let path = version.path_to(find(&version, "function_definition", text));
        let node = path.expect("it is there").node().clone();
        node.children()[0].shape == NodeShape::Opaque
    };
    assert!(is_opaque("int f"));
    assert!(!is_opaque("int g"));
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]
    #[test]
    fn a_text_with_hidden_tokens_is_printed_as_it_was(
        pieces in proptest::collection::vec(proptest::sample::select(vec![
            "__attribute__((a))", "__extension__", "extern template", "class A<int>;", "typedef int A;", "= delete;", "= {}", "(", ")", ",",
            "::", "*", ".operator->()", "unsigned{1}", "x", "int", "{", "}", "\"\\\"\"", "'", "R\"(", ")\"", "// b\n", "/* c */", "#define D \\\n",
            "# 1 \"a\"\n", "\n", "...", "1'0", "return", "typename A::b", ";",
        ]), 0..40),
    ) {
        let source = pieces.join(" ");
        let version = read("a.cpp", &source);
        prop_assert_eq!(text(&version), source);
        check(&version);
    }
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
    let ids = walk::iter_leaves(root).filter_map(|leaf| Some(leaf.ids().first()?.0));
    assert!(
        ids.eq(1..u64::from(root.sums().leaves)),
        "tokens are counted"
    );
    let mut seen = std::collections::BTreeSet::new();
    for node in walk::preorder(root) {
        assert!(seen.insert(node.id), "{:?} is there twice", node.id);
        assert!(node.children().iter().all(|kid| kid.id < node.id));
    }
    assert_eq!(seen.last().map(|id| id.0), Some(seen.len() as u64));
    for id in seen.iter().step_by(97) {
        assert_eq!(version.find_node(*id).map(|node| node.id), Some(*id));
    }
}

#[test]
fn a_version_that_no_edit_made_is_not_read_again() {
    let version = read("a.c", "int x;\nint y;\n");
    let again = program::reparse_version(&version).expect("it can be read");
    let roots = [&version, &again].map(|version| version.documents()[0].root.clone());
    assert!(std::sync::Arc::ptr_eq(&roots[0], &roots[1]));
}
