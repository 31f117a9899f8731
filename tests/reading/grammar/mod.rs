//! The grammar accepts every node that the parser makes, and rejects what the parser would not make.

mod edits;
mod text_nodes;

use lop::grammar::GrammarChild;
use lop::language;
use lop::language::parser::{ParseError, ParseLimit, ParseTree, TextEdit};
use text_nodes::{Derivable, all_samples, c, derive_all, files, indices, nodes, parse, samples};

#[test]
fn every_node_of_the_samples_is_derived() {
    let samples = all_samples();
    assert!(samples.len() > language::all_languages().len());
    for path in samples {
        let text = std::fs::read(&path).expect("readable");
        let language = language::by_path(&path).expect("a known language");
        assert_eq!(
            parse(language, &language.mask_text(&text)).count_faults(),
            0,
            "{}",
            path.display()
        );
        let (derived, refused) = derive_all(language, &language.mask_text(&text));
        assert_eq!(refused, Vec::<&str>::new(), "{}", path.display());
        assert!(derived > 50, "{}: only {derived}", path.display());
    }
}

/// The programs of the benchmark, where they are at hand.
#[test]
fn every_clean_node_of_the_benchmark_is_derived() {
    for case in files("/work/shared/bench/cases", |path| {
        path.join("input.c").exists()
    }) {
        let text = std::fs::read(case.join("input.c")).expect("readable");
        let text = c().mask_text(&text);
        let start = std::time::Instant::now();
        let faults = parse(c(), &text).count_faults();
        let parsed = start.elapsed();
        let start = std::time::Instant::now();
        let nodes = nodes(c(), &text);
        let walked = start.elapsed();
        let start = std::time::Instant::now();
        let refused = nodes.iter().filter(|n| !n.broken).filter(|n| {
            c().grammar()
                .derive_children(n.rule, &n.children, n.trailing_gap)
                .is_none()
        });
        let refused: Vec<&str> = refused.map(|n| c().grammar().rule_name(n.rule)).collect();
        let derived = start.elapsed();
        println!(
            "{}: {} bytes, {faults} faults, {} nodes, {} broken, {} not derived; parse {parsed:?}, walk {walked:?}, derive {derived:?}",
            case.display(),
            text.len(),
            nodes.len(),
            nodes.iter().filter(|n| n.broken).count(),
            refused.len(),
        );
        assert_eq!(refused, Vec::<&str>::new(), "{}", case.display());
    }
}

/// A matcher that accepts everything would derive every node too. So children are dropped and swapped, and most must be refused.
#[test]
fn most_nodes_with_a_child_dropped_or_swapped_are_refused() {
    let mut paths = samples();
    let cases = files("/work/shared/bench/cases", |path| {
        path.join("input.c").exists()
    });
    paths.extend(cases.iter().map(|case| case.join("input.c")));
    let (mut drops, mut dropped, mut swaps, mut swapped) = (0u32, 0u32, 0u32, 0u32);
    // A fixed sequence that looks random (Knuth's MMIX generator).
    let mut state = 7u64;
    let mut random = |below: usize| {
        state = state
            .wrapping_mul(6364136223846793005)
            .wrapping_add(1442695040888963407);
        (state >> 33) as usize % below
    };
    for path in paths {
        let language = language::by_path(&path).expect("a known language");
        let text = std::fs::read(&path).expect("readable");
        let derives = |node: &Derivable, children: &[GrammarChild]| {
            let derivation =
                language
                    .grammar()
                    .derive_children(node.rule, children, node.trailing_gap);
            u32::from(derivation.is_none())
        };
        for node in nodes(language, &language.mask_text(&text))
            .iter()
            .filter(|n| !n.broken)
        {
            if node.children.len() < 2 {
                continue;
            }
            let mut without = node.children.clone();
            without.remove(random(without.len()));
            drops += 1;
            dropped += derives(node, &without);
            let (i, j) = (random(node.children.len()), random(node.children.len()));
            if node.children[i].class != node.children[j].class {
                let mut other = node.children.clone();
                other.swap(i, j);
                swaps += 1;
                swapped += derives(node, &other);
            }
        }
    }
    let (dropped, swapped) = (
        f64::from(dropped) / f64::from(drops),
        f64::from(swapped) / f64::from(swaps),
    );
    println!(
        "{:.1} % of {drops} drops and {:.1} % of {swaps} swaps refused",
        100.0 * dropped,
        100.0 * swapped
    );
    assert!(dropped > 0.75 && swapped > 0.9, "{dropped} {swapped}");
}

#[test]
fn a_list_of_a_hundred_thousand_is_derived_in_no_time() {
    let mut text = b"int a[] = {".to_vec();
    (0..100_000).for_each(|_| text.extend_from_slice(b"1,"));
    text.extend_from_slice(b"};");
    let nodes = nodes(c(), &text);
    let list = nodes
        .iter()
        .max_by_key(|node| node.children.len())
        .expect("there are nodes");
    assert_eq!(list.children.len(), 200_002);
    let start = std::time::Instant::now();
    let derivation = c()
        .grammar()
        .derive_children(list.rule, &list.children, false)
        .expect("derived");
    assert!(start.elapsed().as_secs() < 2, "{:?}", start.elapsed());
    assert_eq!(indices(&derivation).len(), 200_002);
}

#[test]
fn depth_costs_no_stack() {
    let depth = 100_000;
    let clean = [
        "int a = ".as_bytes(),
        &b"(".repeat(depth),
        b"1",
        &b")".repeat(depth),
        b";",
    ]
    .concat();
    let tree = parse(c(), &clean);
    assert_eq!(tree.count_faults(), 0);
    let (derived, refused) = derive_all(c(), &clean);
    assert!(derived > depth && refused.is_empty());
    // The query engine counts depth in 16 bits: so far down nothing is highlighted, but it comes back.
    assert!(
        c().highlight_range(&tree, &|range| clean[range].to_vec(), depth..depth + 9)
            .is_empty()
    );
    let edit = TextEdit {
        old: 8 + depth..9 + depth,
        new: 8 + depth..9 + depth,
    };
    let again = tree.with_edits(&clean, &[edit], &clean);
    let limit = ParseLimit::for_length(clean.len());
    let again = c()
        .new_parser()
        .parse(&clean, Some(&again), limit)
        .expect("it ends");
    assert_eq!(again.count_faults(), 0);
    assert!(tree.changed_ranges(&again).is_empty());
    // A fault at the bottom, so that counting goes all the way down.
    let faulty = [
        "int a = ".as_bytes(),
        &b"(".repeat(depth),
        b"1 +",
        &b")".repeat(depth),
        b";",
    ]
    .concat();
    assert!(parse(c(), &faulty).count_faults() > 0);
}

#[test]
fn faults_are_errors_and_missing_tokens() {
    let faults = |text: &str| parse(c(), text.as_bytes()).count_faults();
    assert_eq!(faults("int a;"), 0);
    assert_eq!(faults("int a"), 1);
    // The error, the character in it that is not a token, and the semicolon.
    assert_eq!(faults("int a; @ int b"), 3);
    // One error in both, but it swallows the function in the second.
    assert!(faults("int f(void) { a; } }") < faults("int f(void) { a; } } {"));
}

#[test]
fn a_parse_that_is_too_much_work_is_an_error_and_the_parser_is_as_good_as_new() {
    let text = "int a;".repeat(10_000);
    let mut parser = c().new_parser();
    let stopped = parser.parse(text.as_bytes(), None, ParseLimit(3));
    let error = stopped.expect_err("it is too much work");
    assert_eq!(error, ParseError::TooMuchWork(3));
    let said = error.to_string();
    assert!(
        said.contains("took far longer") && said.contains("--language text"),
        "{said}"
    );
    assert!(
        !said.contains(|c: char| c.is_ascii_digit()),
        "what is counted is for nobody: {said}"
    );
    let tree = parser
        .parse(b"int b;", None, ParseLimit(3))
        .expect("a small text");
    assert_eq!(tree.walk().node().range(), 0..6);
    assert_eq!(tree.count_faults(), 0);
}

/// One edit away from clean Kotlin the parser may try for longer than anyone waits; a limit in callbacks ends it at the same place
/// everywhere.
#[test]
fn a_kotlin_parse_that_lost_its_way_ends() {
    let kotlin = language::by_name("kotlin").expect("Kotlin is known");
    let (_, sample) = kotlin.sample_program();
    let broken = [sample, "\nval x = a(b[c]) ] { \"${ ] }\"\n"]
        .concat()
        .repeat(4);
    let limit = ParseLimit(200);
    let mut parser = kotlin.new_parser();
    let stopped = parser.parse(broken.as_bytes(), None, ParseLimit(2));
    assert_eq!(stopped.err(), Some(ParseError::TooMuchWork(2)));
    let first = parser
        .parse(broken.as_bytes(), None, limit)
        .map(|tree| tree.count_faults());
    let again = parser
        .parse(broken.as_bytes(), None, limit)
        .map(|tree| tree.count_faults());
    assert_eq!(first, again);
    let clean = parser.parse(
        sample.as_bytes(),
        None,
        ParseLimit::for_length(sample.len()),
    );
    assert_eq!(clean.expect("it is clean").count_faults(), 0);
}

/// The work of a parse after two cuts far apart is that of the cuts, and a step for each declaration that stays as it is.
#[test]
fn what_lies_between_two_cuts_is_not_parsed_again() {
    let body = "int f(int a) { return a + 1; }\n".repeat(20_000);
    let old = ["int first;\n", &body, "int last;\n"].concat();
    let new = body.as_bytes();
    let tree = parse(c(), old.as_bytes());
    let edits = [0..11, old.len() - 10..old.len()].map(|gone| {
        let at = gone.start.saturating_sub(11);
        TextEdit {
            old: gone,
            new: at..at,
        }
    });
    let one = TextEdit {
        old: 0..old.len(),
        new: 0..new.len(),
    };
    let ends_within = |limit: u32, edits: &[TextEdit]| {
        let edited = tree.with_edits(old.as_bytes(), edits, new);
        let again = c()
            .new_parser()
            .parse(new, Some(&edited), ParseLimit(limit));
        again.map(|tree| tree.count_faults())
    };
    assert_eq!(ends_within(1_000, &edits), Ok(0));
    let error = ends_within(8_000, &[one]).expect_err("all of it is parsed again");
    assert_eq!(error, ParseError::TooMuchWork(8_000));
}

#[test]
fn an_incremental_parse_gives_the_tree_of_a_parse_from_scratch() {
    let old = std::fs::read(concat!(
        env!("CARGO_MANIFEST_DIR"),
        "/tests/samples/lists.c"
    ))
    .expect("readable");
    let gone = b"    for (;;) break;\n";
    let start = old
        .windows(gone.len())
        .position(|w| w == gone)
        .expect("it is there");
    let new = [&old[..start], &old[start + gone.len()..]].concat();
    let edit = TextEdit {
        old: start..start + gone.len(),
        new: start..start,
    };
    let mut parser = c().new_parser();
    let limit = ParseLimit::for_length(old.len());
    let tree = parser
        .parse(&old, None, limit)
        .expect("parsed")
        .with_edits(&old, &[edit], &new);
    let again = parser.parse(&new, Some(&tree), limit).expect("parsed");
    let kinds = |tree: &ParseTree| {
        let mut cursor = tree.walk();
        let mut kinds = Vec::new();
        loop {
            let node = cursor.node();
            kinds.push((
                node.kind_id(),
                node.range(),
                cursor.field_id(),
                cursor.depth(),
            ));
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
    assert_eq!(kinds(&again), kinds(&parse(c(), &new)));
}
