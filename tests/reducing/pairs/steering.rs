//! The user's commands in the run of a pair, and what its end says.

use std::sync::Arc;

use lop::pass::{PAIR_STRATEGIES, PassOptions};
use lop::program::pair::token_leaves;
use lop::program::{self, NodeId, Version, walk};
use proptest::prelude::*;

use super::{
    EDITED, edited_fails, edited_works, options_without, pair_options, read_pair, reduce_steered,
    reduce_with, words,
};
use crate::common::small_program;

#[test]
fn the_end_of_a_complete_run_says_that_no_hunk_no_token_and_no_common_part_can_go() {
    let left = reduce_with(pair_options(), EDITED, edited_works, edited_fails, 1);
    assert_eq!(
        left.claim,
        "minimal for these passes (no hunk of the difference, no token of a hunk and no single part of what is common can go)"
    );
    let round = ["tree difference", "list difference", "certificate"];
    let began: Vec<&str> = left
        .passes
        .iter()
        .copied()
        .filter(|pass| round.contains(pass))
        .collect();
    assert!(began.len() >= 6 && began.ends_with(&round), "{began:?}");
}

#[test]
fn what_was_left_out_is_no_part_of_the_claim() {
    let once = PassOptions::from_strategy(&PAIR_STRATEGIES[1]);
    let left = reduce_with(once, EDITED, edited_works, edited_fails, 1);
    assert_eq!(
        left.claim,
        "not proven minimal; left out: a round on the result, which this strategy does not have"
    );
    for part in ["ldiff", "common"] {
        let left = reduce_with(
            options_without(&[part]),
            EDITED,
            edited_works,
            edited_fails,
            1,
        );
        let claim = format!("not proven minimal; left out: {part} (switched off)");
        assert_eq!(left.claim, claim);
    }
    let left = reduce_with(
        options_without(&["tdiff"]),
        EDITED,
        edited_works,
        edited_fails,
        1,
    );
    assert!(
        left.claim.starts_with("minimal for these passes")
            && left.claim.ends_with("tdiff (switched off)"),
        "{}",
        left.claim
    );
    let script = "disable list difference";
    let left = reduce_steered(
        pair_options(),
        script,
        EDITED,
        edited_works,
        edited_fails,
        1,
    );
    assert_eq!(
        left.claim,
        "not proven minimal; left out: the pass list difference (switched off)"
    );
}

#[test]
fn a_pass_that_is_skipped_has_its_turn_again_in_the_next_round() {
    let left = reduce_steered(
        pair_options(),
        "at decision 1: skip pass",
        EDITED,
        edited_works,
        edited_fails,
        1,
    );
    let began = left
        .passes
        .iter()
        .filter(|pass| **pass == "tree difference");
    assert!(began.count() >= 2, "{:?}", left.passes);
    assert_eq!(left.difference, 2);
    assert!(left.claim.starts_with("minimal for"), "{}", left.claim);
}

#[test]
fn the_passes_of_a_pair_run_in_the_order_that_the_user_wants_and_all_come_again() {
    let script = "order certificate, list difference, tree difference";
    let left = reduce_steered(
        pair_options(),
        script,
        EDITED,
        edited_works,
        edited_fails,
        1,
    );
    let place = |name: &str| left.passes.iter().position(|pass| *pass == name);
    assert!(
        place("certificate") < place("list difference"),
        "{:?}",
        left.passes
    );
    assert!(
        place("list difference") < place("tree difference"),
        "{:?}",
        left.passes
    );
    let rounds = left.passes.iter().filter(|pass| **pass == "certificate");
    assert!(rounds.count() >= 2, "{:?}", left.passes);
    assert_eq!(left.difference, 2, "{} / {}", left.seed, left.variant);
    assert!(left.claim.starts_with("minimal for"), "{}", left.claim);
}

#[test]
fn what_is_pinned_in_one_program_stays_in_both() {
    let pair = ("int keep; int a; f(1);", "int keep; int b; g(2); f(1);");
    let left = reduce_steered(pair_options(), "pin keep", pair, |_| true, |_| true, 1);
    assert_eq!((&*left.seed, &*left.variant), ("int keep;", "int keep;"));
    for (seed, variant) in &left.asked {
        assert!(
            seed.contains("int keep;") && variant.contains("int keep;"),
            "{seed} / {variant}"
        );
    }
    // Where it is only in one of them, it stays in that one.
    let left = reduce_steered(pair_options(), "pin b", pair, |_| true, |_| true, 1);
    assert_eq!((&*left.seed, &*left.variant), ("", "b"));
}

#[test]
fn the_twin_of_a_pinned_token_does_not_go_with_a_subtree_that_only_the_variant_has() {
    let pair = ("a;\nf(keep);\n", "if (x && y && z) { f(keep); }\na;\n");
    // The pin is in the seed.
    let left = reduce_steered(pair_options(), "pin 2", pair, |_| true, |_| true, 1);
    for (seed, variant) in &left.asked {
        assert!(
            seed.contains("f(keep);") && variant.contains("f(keep);"),
            "{seed} / {variant}"
        );
    }
    assert_eq!((&*left.seed, &*left.variant), ("f(keep);", "f(keep);"));
}

#[test]
fn a_focus_and_a_lock_on_one_program_hold_in_both() {
    let pair = (
        "int a;\nint f(void) { x; y; return 1; }\nint b;\n",
        "int a;\nint f(void) { x; y; return 2; }\nint b;\n",
    );
    // The lines are those of the seed.
    let left = reduce_steered(pair_options(), "focus 2", pair, |_| true, has_two, 1);
    for (seed, variant) in &left.asked {
        for text in [seed, variant] {
            assert!(text.contains("int a;") && text.contains("int b;"), "{text}");
        }
    }
    assert_eq!(left.seed, "int a; return; int b;");
    assert_eq!(left.variant, "int a; return 2; int b;");
    let locked = reduce_steered(pair_options(), "lock 2", pair, |_| true, has_two, 1);
    for (seed, variant) in &locked.asked {
        let stays = |text: &str, line: &str| text.contains(line) || !text.contains("f(");
        assert!(stays(seed, "{ x; y; return 1; }"), "{seed}");
        assert!(stays(variant, "{ x; y; return 2; }"), "{variant}");
    }
    assert_eq!(locked.variant, "int f(void) { x; y; return 2; }");
}

fn has_two(text: &str) -> bool {
    text.contains("return 2")
}

#[test]
fn what_is_suspected_or_doubted_in_one_program_is_in_both() {
    let lines: String = (0..8).map(|at| format!("int g{at};\n")).collect();
    let (seed, variant) = (format!("{lines}f(1);"), format!("{lines}f(2);"));
    let two = |text: &str| text.contains("f(2)");
    for (script, begins) in [
        ("suspect 9", ("f(1);", "f(2);")),
        ("doubt 1-4", ("int g4;", "int g4;")),
    ] {
        let left = reduce_steered(pair_options(), script, (&seed, &variant), |_| true, two, 1);
        let (first, second) = &left.asked[0];
        assert!(
            first.trim_start().starts_with(begins.0) && second.trim_start().starts_with(begins.1),
            "{script}: {first} / {second}"
        );
    }
}

#[test]
fn what_the_user_deletes_in_one_program_goes_from_both() {
    let pair = ("int a; int b; f(1);", "int a; int b; f(2);");
    let two = |text: &str| text.contains("f(2)");
    let find = |document: usize| {
        let version = read_pair(pair.0, pair.1);
        let nodes = walk::preorder(&version.documents()[document].root);
        let nodes = nodes.filter(|node| program::text_excerpt(node, 20) == "int b;");
        nodes.last().expect("it is there").id.0
    };
    for document in [0, 1] {
        let script = format!("try delete #{}", find(document));
        let left = reduce_steered(pair_options(), &script, pair, |_| true, two, 1);
        let first = left
            .asked
            .first()
            .map(|(seed, variant)| [words(seed), words(variant)]);
        let expected = ["int a; f(1);", "int a; f(2);"].map(String::from);
        assert_eq!(first, Some(expected), "{:?}", left.outcomes);
    }
}

#[test]
fn a_program_of_a_pair_that_the_user_edited_is_asked_about_with_the_other_as_it_is() {
    let pair = ("int a; f(1);", "int a; g(2); f(2);");
    let two = |text: &str| text.contains("f(2)");
    let run = |script: &str| reduce_steered(pair_options(), script, pair, |_| true, two, 1);
    let left = run("edit variant \"int a; f(2);\"");
    assert_eq!(
        left.asked[0],
        ("int a; f(1);".into(), "int a; f(2);".into())
    );
    let left = run("edit seed \"int a; g(1); f(1);\"");
    assert_eq!(
        left.asked[0].0, "int a; g(1); f(1);",
        "the difference is smaller"
    );
    assert_eq!(left.asked[0].1, pair.1);
    let said = |script: &str| run(script).outcomes[0].clone().expect_err("refused");
    assert_eq!(
        said("edit \"int a;\""),
        "this run has a pair: type edit seed FILE, or edit variant FILE"
    );
    assert_eq!(
        said("edit seed \"f(1);\""),
        "it would not make the difference smaller (+3 tokens); `edit!` tries it all the same"
    );
}

/// Another program with lines of this one left out, repeated, or changed.
fn edit_lines(program: &str, choices: &[u8]) -> String {
    let lines = program
        .lines()
        .zip(choices.iter().chain(std::iter::repeat(&9)));
    let edited = lines.map(|(line, choice)| match choice {
        0 => String::new(),
        1 => format!("{line}\n{line}\n"),
        2 => format!("{}\n", line.replace("1", "7")),
        3 => format!("{{ {line} }}\n"),
        _ => format!("{line}\n"),
    });
    edited.collect()
}

/// The texts of these leaves of a document, in order.
fn leaf_texts(version: &Version, document: usize, wanted: &[NodeId]) -> Vec<String> {
    let leaves = walk::iter_leaves(&version.documents()[document].root);
    let leaves = leaves.filter(|leaf| wanted.contains(&leaf.id));
    leaves
        .map(|leaf| String::from_utf8_lossy(leaf.text()).into_owned())
        .collect()
}

/// Whether a text has these tokens in this order.
fn has_tokens(text: &str, wanted: &[String]) -> bool {
    let path: Arc<std::path::Path> = std::path::Path::new("a.c").into();
    let read = program::read_program(vec![(path, text.as_bytes().into())]).expect("it can be read");
    let leaves = token_leaves(&read.documents()[0].root);
    let mut leaves = leaves.iter().map(|leaf| leaf.text());
    wanted
        .iter()
        .all(|word| leaves.any(|leaf| leaf == word.as_bytes()))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    /// Random pairs, pins and strategies: every candidate keeps the pinned tokens of the seed, and those of the variant that are the same.
    #[test]
    #[ignore = "long"]
    fn pins_hold_in_both_programs(
        choices in proptest::collection::vec(any::<u8>(), 1..30),
        edits in proptest::collection::vec(0u8..8, 1..30),
        lines in proptest::collection::vec(0usize..60, 1..4),
        strategy in 0..PAIR_STRATEGIES.len(),
        mirror in any::<bool>(),
        salt in any::<u64>(),
    ) {
        let seed = small_program(&choices);
        let variant = edit_lines(&seed, &edits);
        let version = read_pair(&seed, &variant);
        prop_assume!(version.size().primary() > 0 && version.documents()[1].root.sums().tokens > 0);
        let count = seed.lines().count();
        let mut script = String::new();
        let mut kept: Vec<[Vec<String>; 2]> = Vec::new();
        let twins = version.twins().expect("a pair");
        for line in lines {
            let line = line % count + 1;
            let target: program::NodeTarget = line.to_string().parse().expect("a line");
            let Ok(nodes) = target.find_nodes(&version) else { continue };
            script += &format!("pin {line}\n");
            let pinned: Vec<NodeId> = nodes.iter().flat_map(token_leaves).map(|leaf| leaf.id).collect();
            let others: Vec<NodeId> = pinned.iter().filter_map(|leaf| twins.twin_of(*leaf)).collect();
            kept.push([leaf_texts(&version, 0, &pinned), leaf_texts(&version, 1, &others)]);
        }
        let start = [seed.clone(), variant.clone()];
        let says = move |text: &str| {
            let hash = text.bytes().fold(salt, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
            start.iter().any(|start| start == text) || !(hash >> 20).is_multiple_of(3)
        };
        let mut options = PassOptions::from_strategy(&PAIR_STRATEGIES[strategy]);
        options.mirror = mirror;
        let left = reduce_steered(options, &script, (&seed, &variant), says.clone(), says, 1);
        for (one, other) in &left.asked {
            for [in_seed, in_variant] in &kept {
                prop_assert!(has_tokens(one, in_seed), "{in_seed:?} are not in the seed {one}\nwith {script} on {seed}");
                prop_assert!(has_tokens(other, in_variant), "{in_variant:?} are not in the variant {other}\nwith {script} on {seed} / {variant}");
            }
        }
        // The difference never grows, and every version has both properties.
        prop_assert!(left.differences.is_sorted_by(|a, b| a >= b), "{:?}", left.differences);
    }
}
