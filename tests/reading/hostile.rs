//! Hostile input, as `benches/fuzz/run` makes it: it is read in a short time, or refused with a message.

use std::fs;
use std::time::Duration;

use lop::language;
use lop::program::{self, EditOp, IndexRanges, NodeShape, walk};
use lop::tui::theme::ColourTheme;
use rustix::time::{ClockId, clock_gettime};

/// A line for each number, with `N` for the number and `M` for the next.
fn lines(count: usize, line: &str) -> String {
    let numbered = (0..count).map(|at| {
        line.replace('N', &at.to_string())
            .replace('M', &(at + 1).to_string())
    });
    numbered.collect()
}

/// What is said of a grammar; nothing if it is read, and a text too.
fn said(grammar: &str) -> String {
    let language = match language::load_bnf("hostile", grammar) {
        Ok(language) => language,
        Err(error) => return error.to_string(),
    };
    let known = language.grammar();
    for rule in known.all_rules() {
        known.describe_expr(known.rule_body(rule));
    }
    let text = "a ".repeat(100);
    language.find_syntax_error(text.as_bytes());
    let path = std::path::Path::new("a.txt").into();
    // A grammar may be too ambiguous for the text.
    drop(program::read_documents(vec![(
        Some(language),
        path,
        text.as_bytes().into(),
    )]));
    String::new()
}

#[test]
#[ignore = "long"]
fn a_grammar_in_bnf_is_no_larger_than_can_be_borne() {
    let quantifiers = format!("s ::= 'a'{}", "*?+".repeat(50_000));
    let groups = format!("s ::= {}'a'{}", "('b' | 'c' ".repeat(90), ")".repeat(90));
    let options = |count| format!("s ::= {}", "'a'? ".repeat(count));
    let doubled = format!(
        "s ::= t\n%token t ::= f0\n{}%fragment f60 ::= 'a'",
        lines(60, "%fragment fN ::= fM fM\n")
    );
    let nested = format!(
        "s ::= t\n%token t ::= f0\n{}%fragment f5000 ::= 'a'",
        lines(5000, "%fragment fN ::= fM* 'b'\n")
    );
    let subsets = format!("s ::= ('a' | 'b')* 'a' {}", "('a' | 'b') ".repeat(30));
    let chain = format!("{}r1500 ::= 'a'", lines(1500, "rN ::= rM | 'b' rM\n"));
    let around = format!(
        "{}r1500 ::= 'a' | r0 'b'",
        lines(1500, "rN ::= rM 'c' | 'x' rM\n")
    );
    let literals = format!("s ::= {}", lines(30_000, "'N' | "));
    let rows = [
        (&quantifiers, ""),
        (&groups, ""),
        (&options(100), ""),
        (
            &options(20_000),
            "the grammar is too large for a normal form",
        ),
        (&doubled, "in the place of its name this token is too large"),
        (&nested, "in the place of its name this token is too large"),
        (&subsets, "its rules are too much for a parser"),
        (&chain, ""),
        (&around, ""),
        (&literals, "there are too many rules and tokens"),
    ];
    for (grammar, wanted) in rows {
        let beginning: String = grammar.chars().take(60).collect();
        let said = said(grammar);
        assert_eq!(said.is_empty(), wanted.is_empty(), "{beginning}: {said}");
        assert!(said.contains(wanted), "{beginning}: {said}");
    }
}

#[test]
fn a_theme_of_an_editor_is_no_deeper_than_can_be_read() {
    let dir = tempfile::tempdir().expect("a directory");
    let said = |inside: &str| {
        let text = format!("<?xml version=\"1.0\"?><plist version=\"1.0\">{inside}</plist>");
        fs::write(dir.path().join("own.tmTheme"), text).expect("written");
        let read = ColourTheme::parse(
            &dir.path().join("own.toml"),
            "tm_theme = 'own.tmTheme'",
            &|_| None,
        );
        read.expect_err("there are no roles").to_string()
    };
    let deep = said(&["<array>".repeat(100_000), "</array>".repeat(100_000)].concat());
    assert!(
        deep.ends_with("it nests deeper than a theme does"),
        "{deep}"
    );
    let whole = said(
        "<dict><key>settings</key><array><dict><key>settings</key><dict/></dict></array></dict>",
    );
    assert!(whole.contains("has no paint for `text`"), "{whole}");
}

#[test]
fn a_deep_text_is_read_again_in_the_time_that_reading_takes() {
    let c = language::by_name("c").expect("C is known");
    let depth = 30_000;
    // All that nests ends with the same token.
    let rest = format!("int x = {}1;\n", "- ".repeat(depth));
    let text = format!("int gone;\n{rest}");
    let path = std::path::Path::new("a.c").into();
    let began = processor_time();
    let version = program::read_documents(vec![(Some(c), path, text.as_bytes().into())]);
    let version = version.expect("it is read");
    let reading = processor_time() - began;
    let root = &version.documents()[0].root;
    let list = walk::preorder(root).find(|node| node.shape == NodeShape::Star);
    let first = EditOp::DeleteItems {
        list: list.expect("the list of declarations").id,
        items: IndexRanges::from_range(0..1),
    };
    let (shorter, _) = program::apply_edit(&version, &first.into()).expect("it may go");
    let began = processor_time();
    let again = program::reparse_version(&shorter).expect("it is read again");
    let reading_again = processor_time() - began;
    let print = |version: &program::Version| walk::render_text(&version.documents()[0].root);
    assert!(print(&again) == print(&shorter) && print(&again).ends_with(rest.as_bytes()));
    // Looking for the ends of each node from its top took a hundred times as long.
    println!("read in {reading:?}, and again in {reading_again:?}");
    assert!(reading_again < 10 * reading, "{reading_again:?}");
}

#[test]
#[ignore = "long"]
fn a_window_of_a_deep_text_is_coloured_faster_than_the_text_is_read() {
    let c = language::by_name("c").expect("C is known");
    let text = format!("{}{}", "<a>".repeat(42_000), "</a>".repeat(42_000));
    let path = std::path::Path::new("a.c").into();
    let began = processor_time();
    let version = program::read_documents(vec![(Some(c), path, text.as_bytes().into())]);
    let version = version.expect("it is read");
    let reading = processor_time() - began;
    let tree = version.known_parse_tree(0).expect("it was parsed");
    let bytes = |range: std::ops::Range<usize>| text.as_bytes()[range].to_vec();
    let began = processor_time();
    c.highlight_range(tree, &bytes, 0..4000);
    let highlighting = processor_time() - began;
    // A query without a limit took four times as long as reading.
    println!("read in {reading:?}, and coloured in {highlighting:?}");
    assert!(highlighting < reading, "{highlighting:?}");
}

/// What this thread has used.
fn processor_time() -> Duration {
    let now = clock_gettime(ClockId::ThreadCPUTime);
    Duration::new(now.tv_sec as u64, now.tv_nsec as u32)
}

#[test]
#[ignore = "long"]
fn what_the_parser_gives_up_may_nest_as_deep_as_it_likes() {
    let c = language::by_name("c").expect("C is known");
    let text = "<a>".repeat(50_000);
    let path = std::path::Path::new("a.c").into();
    let version = program::read_documents(vec![(Some(c), path, text.as_bytes().into())]);
    let version = version.expect("it is read");
    assert_eq!(
        walk::render_text(&version.documents()[0].root),
        text.as_bytes()
    );
}
