//! Tests of derivation trees: any tree of any grammar is read, and what it says stays in normal form.

use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::TestRunner;

use super::super::super::earley::{EarleyNode, EarleyParser, SourceToken, TokenSource};
use super::super::super::{Grammar, NodeClass};
use super::super::BnfGrammar;
use super::super::choices::ChoiceGrammar;
use super::super::rules::{Alternatives, RuleTerm, SymbolId};
use super::*;

/// A text in which each token is one letter.
struct Letters {
    text: Vec<u8>,
    classes: Vec<NodeClass>,
}

impl Letters {
    fn new(bnf: &BnfGrammar, text: &str) -> Letters {
        let class = |letter: char| bnf.tokens.iter().position(|t| t.name == letter.to_string());
        let classes = text
            .chars()
            .map(|letter| NodeClass(class(letter).expect("a token") as u16));
        Letters {
            classes: classes.collect(),
            text: text.into(),
        }
    }
}

impl TokenSource for Letters {
    fn end(&self) -> usize {
        self.text.len()
    }

    fn push_tokens_at(&self, at: usize, into: &mut Vec<SourceToken>) {
        self.classes[..].push_tokens_at(at, into);
    }
}

impl LeafSource for Letters {
    fn place_leaf(&self, at: usize, text: &[u8]) -> Result<usize, LeafMismatch> {
        match self.text[at..].starts_with(text) {
            true => Ok(at + text.len()),
            false => Err(self.mismatch_at(at)),
        }
    }

    fn find_rest(&self, at: usize) -> Option<LeafMismatch> {
        (at < self.text.len()).then(|| self.mismatch_at(at))
    }
}

impl Letters {
    fn mismatch_at(&self, at: usize) -> LeafMismatch {
        let letter = self.text.get(at).map(|&letter| char::from(letter));
        LeafMismatch {
            line: 1,
            column: at + 1,
            found: letter.map_or("its end".to_owned(), String::from),
        }
    }
}

/// A node by its name and its tokens.
type NamedRange = (String, u32, u32);

/// What a tree became: as it is written, and in normal form.
struct ReadTree {
    written: Vec<EarleyNode>,
    normal: Vec<EarleyNode>,
    /// The nodes in normal form, with the names of the rules that they come from.
    names: Vec<NamedRange>,
}

fn read_tree(bnf: &BnfGrammar, json: &str, text: &str) -> Result<ReadTree, DerivationError> {
    let choices = ChoiceGrammar::new(bnf).expect("a small grammar");
    let reader = DerivationReader::new(bnf, &choices);
    let tree = DerivationTree::from_json(json)?;
    let written = reader.read_nodes(&tree, &Letters::new(bnf, text))?;
    let grammar = bnf.to_grammar();
    let parser = EarleyParser::new(&grammar).expect("a small grammar");
    let normal = reader.normalize_tree(&written, &parser)?.nodes;
    let names = name_nodes(&grammar, &normal);
    Ok(ReadTree {
        written,
        normal,
        names,
    })
}

fn name_nodes(grammar: &Grammar, nodes: &[EarleyNode]) -> Vec<NamedRange> {
    let name = |node: &EarleyNode| grammar.class_name(node.class).replace('\'', "");
    let named = nodes
        .iter()
        .map(|node| (name(node), node.tokens.0, node.tokens.1));
    named.collect()
}

fn grammar_of(text: &str) -> BnfGrammar {
    BnfGrammar::from_text(text).expect("a grammar")
}

const SUMS: &str = "start ::= sum\nsum ::= sum '+' sum | sum '-' item | item\nitem ::= 'x' | '(' sum? ')' | pair\npair ::= 'x' 'x'";

#[test]
fn a_tree_says_which_of_two_derivations_it_is() {
    let bnf = grammar_of(
        "s ::= e\ne ::= 'x' | '(' e ')' | '(' a ')' | '(' b ')'\na ::= 'x' 'y' b?\nb ::= 'x' 'y' a?",
    );
    for (name, other) in [("a", "b"), ("b", "a")] {
        let json = format!(
            r#"["s", [["e", [["(", []], ["{name}", [["x", []], ["y", []], ["<{other}>", [["x", []], ["y", []]]]]], [")", []]]]]]"#
        );
        let read = read_tree(&bnf, &json, "(xyxy)").expect("a tree");
        let expected = [
            ("s", 0, 6),
            ("e", 0, 6),
            ("(", 0, 1),
            (name, 1, 5),
            ("x", 1, 2),
            ("y", 2, 3),
        ];
        for (name, from, to) in expected {
            assert!(
                read.names.contains(&(name.to_owned(), from, to)),
                "{:?}",
                read.names
            );
        }
    }
}

#[test]
fn recursion_is_dissolved_in_its_list() {
    let bnf = grammar_of(SUMS);
    let leaf = |text: &str| format!(r#"["{text}", []]"#);
    let x = format!(r#"["<sum>", [["<item>", [{}]]]]"#, leaf("x"));
    let left = format!(
        r#"["<sum>", [["<sum>", [{x}, {}, {x}]], {}, {x}]]"#,
        leaf("+"),
        leaf("+")
    );
    let right = format!(
        r#"["<sum>", [{x}, {}, ["<sum>", [{x}, {}, {x}]]]]"#,
        leaf("+"),
        leaf("+")
    );
    let trees = [left, right].map(|sum| {
        let json = format!(r#"["<start>", [{sum}]]"#);
        read_tree(&bnf, &json, "x+x+x").expect("a tree").normal
    });
    assert_eq!(trees[0], trees[1]);
    let deepest = trees[0].iter().map(|node| node.depth).max();
    assert_eq!((trees[0].len(), deepest), (7, Some(2)));
}

#[test]
fn what_has_no_text_may_be_left_out_or_not() {
    let bnf = grammar_of("s ::= a b 'x' a\na ::= 'y'?\nb ::= | a a");
    let with = r#"["s", [["<a>", []], ["b", [["a", null], ["<a>"]]], ["", []], ["x", []], null, ["<a>", [["y", []]]]]]"#;
    let without = r#"["s", [["x", []], ["a", [["y", []]]]]]"#;
    let with = read_tree(&bnf, with, "xy").expect("a tree");
    let without = read_tree(&bnf, without, "xy").expect("a tree");
    assert_eq!(with.written, without.written);
    assert_eq!(with.normal, without.normal);
}

#[test]
fn a_text_and_an_empty_rule_may_have_one_name() {
    let bnf = grammar_of("s ::= a 'a'\na ::= 'a'?");
    for (json, text) in [
        (r#"["s", [["a", []]]]"#, "a"),
        (r#"["s", [["<a>", []], ["a", []]]]"#, "a"),
        (r#"["s", [["a", [["a", []]]], ["a", []]]]"#, "aa"),
    ] {
        assert!(read_tree(&bnf, json, text).is_ok(), "{json}");
    }
    let error = read_tree(&bnf, r#"["s", [["a", []], ["a", []]]]"#, "aa");
    let error = error.err().map(|error| error.to_string());
    let expected = "at s: its parts are \"a\" \"a\", and the grammar has s ::= a \"a\"";
    assert_eq!(error.as_deref(), Some(expected));
}

#[test]
fn garbage_is_told_with_its_place() {
    let bnf = grammar_of(SUMS);
    let told = |json: &str| match read_tree(&bnf, json, "x+x") {
        Ok(_) => "it is read".to_owned(),
        Err(error) => error.to_string(),
    };
    let item = r#"["item", [["x", []]]]"#;
    for (json, expected) in [
        (
            "",
            "line 1, column 1: `[` is missing: a node is [\"name\", [parts]], and a leaf [\"text\", []]; here is the end of the file",
        ),
        (
            "{}",
            "line 1, column 1: `[` is missing: a node is [\"name\", [parts]], and a leaf [\"text\", []]; here is `{`",
        ),
        (
            "[1]",
            "line 1, column 2: a name or a text is missing: a node is [\"name\", [parts]], and a leaf [\"text\", []]; here is `1`",
        ),
        (
            "[\"s\", 1]",
            "line 1, column 7: the list of parts is missing: a node is [\"name\", [parts]], and a leaf [\"text\", []]; here is `1`",
        ),
        (
            "[\"s\",\n [[\"x\", []] 1]]",
            "line 2, column 13: `,` or `]` is missing behind a part; here is `1`",
        ),
        (
            "[\"s\", []] []",
            "line 1, column 11: a tree is one node, and there is more; here is `[`",
        ),
        (
            "[\"s\", [\"x\"]]",
            "line 1, column 8: `[` is missing: a node is [\"name\", [parts]], and a leaf [\"text\", []]; here is `\"`",
        ),
        (
            "[\"s",
            "line 1, column 2: this string is not closed on its line",
        ),
        (
            "[\"\\q\", []]",
            "line 1, column 3: no escape of JSON begins so; here is `\\`",
        ),
        (
            "[\"\\ud800\", []]",
            "line 1, column 3: no character of JSON is written so; here is `\\`",
        ),
        (
            r#"["<sum>", [["x", []]]]"#,
            "it begins with <sum>, and the grammar with start",
        ),
        (
            r#"["start", [["summ", [["x", []]]]]]"#,
            "at start[0].summ: the grammar derives nothing from a rule or token called summ",
        ),
        (
            r#"["start", [["sum", [["item", [["x", []]]], ["+", []], ["item", [["x", []]]]]]]]"#,
            "at start[0].sum: its parts are item \"+\" item, and the grammar has sum ::= sum \"+\" sum | sum \"-\" item | item",
        ),
        (
            r#"["start", [["sum", []]]]"#,
            "at start[0]: the leaf is \"sum\", and line 1, column 1 of the program has x",
        ),
        (
            r#"["start", [["<sum>", []]]]"#,
            "at start[0].sum: its parts are none, and the grammar has sum ::= sum \"+\" sum | sum \"-\" item | item",
        ),
        (
            &format!(
                r#"["start", [["sum", [["sum", [{item}]], ["+", []], ["sum", [["item", [["y", []]]]]]]]]]"#
            ),
            "at start[0].sum[2].sum[0].item[0]: the leaf is \"y\", and line 1, column 3 of the program has x",
        ),
        (
            &format!(
                r#"["start", [["sum", [["sum", [{item}]], ["+", []], ["sum", [["item", [["x", []], ["x", []]]]]]]]]]"#
            ),
            "at start[0].sum[2].sum[0].item[1]: the leaf is \"x\", and line 1, column 4 of the program has its end",
        ),
        (
            &format!(r#"["start", [["sum", [{item}]]]]"#),
            "it has no more leaves, and line 1, column 2 of the program has +",
        ),
    ] {
        assert_eq!(told(json), expected, "{json}");
    }
}

#[test]
fn bytes_that_are_no_text_are_written_as_python_does_it() {
    let tree = DerivationTree::from_json(r#"["a\udcff\u00e9\ud83d\ude00\n", []]"#).expect("a tree");
    assert_eq!(tree.names, [b"a\xFF\xC3\xA9\xF0\x9F\x98\x80\n"]);
}

/// The JSON of a chain of nested parentheses and sums.
fn deep_json(depth: usize) -> (String, String) {
    let (mut json, mut text) = (r#"["start", ["#.to_owned(), String::new());
    for _ in 0..depth {
        json.push_str(r#"["sum", [["sum", [["item", [["x", []]]]]], ["+", []], ["sum", [["item", [["(", []], "#);
        text.push_str("x+(");
    }
    json.push_str(r#"["sum", [["item", [["x", []]]]]]"#);
    text.push('x');
    for _ in 0..depth {
        json.push_str(r#", [")", []]]]]]]]"#);
        text.push(')');
    }
    (json + "]]", text)
}

#[test]
#[ignore = "long"]
fn a_tree_may_be_as_deep_as_it_likes() {
    let bnf = grammar_of(SUMS);
    let (json, text) = deep_json(100_000);
    let read = read_tree(&bnf, &json, &text).expect("a tree");
    let depth = read.normal.iter().map(|node| node.depth).max();
    assert!(depth > Some(100_000), "{depth:?}");
}

#[test]
#[ignore = "long"]
fn chains_on_either_side_are_read_in_linear_time() {
    let bnf = grammar_of(SUMS);
    let x = r#"["sum", [["item", [["x", []]]]]]"#;
    let terms = 50_000;
    let open = r#"["sum", ["#.repeat(terms);
    let close = format!(r#", ["+", []], {x}]]"#).repeat(terms);
    let left = format!(r#"["start", [{open}{x}{close}]]"#);
    let open = format!(r#"["sum", [{x}, ["+", []], "#).repeat(terms);
    let right = format!(r#"["start", [{open}{x}{}]]"#, "]]".repeat(terms));
    let text = format!("x{}", "+x".repeat(terms));
    let trees = [left, right].map(|json| read_tree(&bnf, &json, &text).expect("a tree").normal);
    assert_eq!(trees[0], trees[1]);
}

/// A derivation that bytes choose: as JSON, its text, and its nodes with their ranges.
struct RandomDerivation<'a> {
    bnf: &'a BnfGrammar,
    /// For each rule the height of its smallest derivation.
    heights: Vec<u32>,
    choices: std::slice::Iter<'a, u8>,
    json: String,
    text: String,
    nodes: Vec<NamedRange>,
}

impl RandomDerivation<'_> {
    fn height(&self, sequence: &[RuleTerm]) -> u32 {
        let heights = sequence.iter().map(|term| match term {
            RuleTerm::Sym(SymbolId::Rule(rule)) => self.heights[*rule],
            RuleTerm::Sym(SymbolId::Token(_)) | RuleTerm::Star(_) | RuleTerm::Opt(_) => 0,
            term => self.lowest(term.inner().expect("a group")).0,
        });
        heights.max().unwrap_or(0).saturating_add(1)
    }

    fn lowest(&self, alternatives: &Alternatives) -> (u32, usize) {
        let heights = alternatives.iter().map(|sequence| self.height(sequence));
        heights.zip(0..).min().expect("alternatives")
    }

    fn choose(&mut self, ways: usize, simplest: usize) -> usize {
        let choice = self.choices.next();
        choice.map_or(simplest, |&choice| usize::from(choice) % ways)
    }

    fn derive(&mut self, alternatives: &Alternatives) {
        let simplest = self.lowest(alternatives).1;
        let sequence = &alternatives[self.choose(alternatives.len(), simplest)];
        for term in sequence {
            match term {
                RuleTerm::Sym(SymbolId::Rule(rule)) => self.derive_rule(*rule),
                RuleTerm::Sym(SymbolId::Token(token)) => {
                    let name = &self.bnf.tokens[*token].name;
                    self.separate();
                    self.json.push_str(&format!("[\"{name}\", []]"));
                    self.text.push_str(name);
                }
                RuleTerm::Group(inner) => self.derive(inner),
                RuleTerm::Opt(inner) if self.choose(2, 0) == 1 => self.derive(inner),
                RuleTerm::Opt(_) => {}
                RuleTerm::Star(inner) | RuleTerm::Plus(inner) => {
                    let least = usize::from(matches!(term, RuleTerm::Plus(_)));
                    let count = least + self.choose(3, 0);
                    (0..count).for_each(|_| self.derive(inner));
                }
            }
        }
    }

    fn separate(&mut self) {
        if self.json.ends_with(']') {
            self.json.push_str(", ");
        }
    }

    fn derive_rule(&mut self, rule: usize) {
        let (bnf, from, at) = (self.bnf, self.text.len() as u32, self.nodes.len());
        let name = &bnf.rules.names[rule];
        self.separate();
        self.json.push_str(&format!("[\"<{name}>\", ["));
        self.nodes.push((name.clone(), from, from));
        self.derive(&bnf.rules.bodies[rule]);
        self.nodes[at].2 = self.text.len() as u32;
        self.json.push_str("]]");
    }
}

fn derive_randomly<'a>(bnf: &'a BnfGrammar, choices: &'a [u8]) -> RandomDerivation<'a> {
    let rules = bnf.rules.bodies.len();
    let mut random = RandomDerivation {
        bnf,
        heights: vec![1_000_000; rules],
        choices: choices.iter(),
        json: String::new(),
        text: String::new(),
        nodes: Vec::new(),
    };
    for _ in 0..rules {
        let lowest = bnf.rules.bodies.iter().map(|body| random.lowest(body).0);
        random.heights = lowest.collect();
    }
    random.derive_rule(0);
    random
}

/// A term: a token, a rule, or a group with a sign.
fn any_term() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        3 => (0..4usize).prop_map(|at| format!("'{}'", ["a", "b", "c", "d"][at])),
        4 => (0..4usize).prop_map(|at| format!("r{at}")),
    ];
    let group = (prop::collection::vec(leaf.clone(), 1..3), 0..4usize);
    let group = group
        .prop_map(|(terms, sign)| format!("({}){}", terms.join(" "), ["*", "+", "?", ""][sign]));
    prop_oneof![4 => leaf, 1 => group]
}

fn any_grammar() -> impl Strategy<Value = String> {
    let sequence = prop::collection::vec(any_term(), 0..4).prop_map(|terms| terms.join(" "));
    let body = prop::collection::vec(sequence, 1..4).prop_map(|all| all.join(" | "));
    prop::collection::vec(body, 4).prop_map(|bodies| {
        let rules = bodies.iter().zip(0..);
        let rules = rules.map(|(body, at)| format!("r{at} ::= {body}\n"));
        rules.collect()
    })
}

/// Whether a tree of a grammar is read, and all of it stays; none if the grammar or the tree is nothing to try.
fn keeps_its_nodes(grammar: &str, choices: &[u8]) -> Option<bool> {
    let bnf = BnfGrammar::from_text(grammar).ok()?;
    let random = derive_randomly(&bnf, choices);
    if random.text.is_empty() || random.text.len() > 400 {
        return None;
    }
    let shown = format!("{grammar}{}", random.json);
    let read = match read_tree(&bnf, &random.json, &random.text) {
        Ok(read) => read,
        Err(DerivationError::NoNormalForm) => return Some(false),
        Err(error) => panic!("{error}\n{shown}"),
    };
    // Each node is one of the tree.
    for (name, from, to) in &read.names {
        let known = random.nodes.contains(&(name.clone(), *from, *to));
        let leaf = to - from == 1 && random.text[*from as usize..].starts_with(&name[..]);
        assert!(known || leaf || name == "S", "{name} {from} {to}\n{shown}");
    }
    // All of the text is in it.
    let is_token = |node: &&EarleyNode| bnf.tokens.len() > node.class.0 as usize;
    let tokens = read.normal.iter().filter(is_token);
    assert_eq!(tokens.count(), random.text.len(), "{shown}");
    // The choices of the tree make the text again.
    let written = ChoiceGrammar::new(&bnf).expect("a small grammar");
    let bytes = |from: u32, to: u32| random.text.as_bytes()[from as usize..to as usize].to_vec();
    let derivation = written.encode_tree(&read.written, &bytes).expect("choices");
    assert_eq!(derivation.tokens.concat(), random.text.as_bytes());
    // And so does the tree as JSON.
    let json = DerivationTree::write_json(&bnf, &written, &read.written, &bytes);
    let again = read_tree(&bnf, &json, &random.text).expect("the same tree");
    assert_eq!(again.written, read.written, "{shown}");
    assert_eq!(again.normal, read.normal, "{shown}");
    Some(true)
}

#[test]
fn any_tree_of_any_grammar_keeps_its_nodes() {
    let mut runner = TestRunner::deterministic();
    let cases = (any_grammar(), prop::collection::vec(any::<u8>(), 0..60));
    let results = (0..800).filter_map(|_| {
        let case = cases.new_tree(&mut runner).expect("a case").current();
        keeps_its_nodes(&case.0, &case.1)
    });
    let (read, lost): (Vec<bool>, Vec<bool>) = results.partition(|read| *read);
    assert!(read.len() > 300 && lost.is_empty(), "{}", lost.len());
}
