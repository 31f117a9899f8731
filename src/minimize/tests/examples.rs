//! The candidates of each minimiser, written by hand: the elements that stay, and `!` where they were interesting.

use super::*;

/// The candidates for elements of these names and weights when a list with all of `needed` is interesting.
#[track_caller]
fn assert_questions(name: &str, elements: &str, weights: &[u32], needed: &str, expected: &[&str]) {
    let letters: Vec<char> = elements.chars().collect();
    let text = |left: &[u32]| -> String { left.iter().map(|&e| letters[e as usize]).collect() };
    let interesting = |left: &[u32]| needed.chars().all(|letter| text(left).contains(letter));
    let mut case = MinimizerCase::new(letters.len() as u32, &interesting);
    if !weights.is_empty() {
        case.weights = weights.to_vec();
    }
    let run = case.run_minimizer(find_minimizer(name).unwrap());
    let told = |(left, yes): &(Vec<u32>, bool)| text(left) + if *yes { "!" } else { "" };
    assert_eq!(run.asked.iter().map(told).collect::<Vec<_>>(), expected);
    assert_eq!(text(&run.left), needed);
}

#[test]
fn complements_halve_the_parts_and_repeat_the_last_round() {
    let expected = ["", "abcd!", "", "ab", "cd!", "c!", "", ""];
    assert_questions("complements", "abcdefgh", &[], "c", &expected);
}

#[test]
fn ddmin_keeps_a_subset_or_drops_it_and_starts_over() {
    let expected = ["", "abcd!", "ab", "cd!", "c!"];
    assert_questions("ddmin", "abcdefgh", &[], "c", &expected);
    let expected = [
        "", "ab", "cd", "a", "b", "c", "d", "bcd", "acd!", "cd", "ad!", "a", "d",
    ];
    assert_questions("ddmin", "abcd", &[], "ad", &expected);
}

#[test]
fn opdd_does_not_start_over() {
    let expected = [
        "", "cd", "ab", "d", "c", "b", "a", "abc", "abd!", "ad!", "d",
    ];
    assert_questions("opdd", "abcd", &[], "ad", &expected);
}

#[test]
fn opdd_doubles_the_parts_that_are_left() {
    let expected = [
        "",
        "ijklmnop",
        "abcdefgh",
        "mnop",
        "ijkl",
        "efgh",
        "abcd",
        "abcdefghijkl",
        "abcdefghmnop!",
        "abcdmnop!",
        "mnop",
        "op",
        "mn",
        "cd",
        "ab",
        "abcdmn",
        "abcdop!",
        "abop!",
        "op",
        "p",
        "o",
        "b",
        "a",
        "abo",
        "abp!",
        "ap!",
        "p",
    ];
    assert_questions("opdd", "abcdefghijklmnop", &[], "ap", &expected);
}

#[test]
fn lithium_begins_with_half() {
    let expected = ["abcd!", "", "ab", "cd!", "c!", "", ""];
    assert_questions("lithium", "abcdefgh", &[], "c", &expected);
}

#[test]
fn cdd_tries_parts_of_four_two_and_one() {
    let expected = ["", "abcd!", "", "ab", "cd!", "c!", ""];
    assert_questions("cdd", "abcdefgh", &[], "c", &expected);
}

#[test]
fn cdd_closes_an_element_that_failed_alone() {
    let expected = ["", "abcde!", "a!", ""];
    assert_questions("cdd", "abcdefghi", &[], "a", &expected);
}

#[test]
fn wcdd_tries_a_heavy_element_alone() {
    let expected = ["", "abc", "d!"];
    assert_questions("wcdd", "abcd", &[1, 1, 1, 8], "d", &expected);
}

#[test]
fn probdd_tries_the_ten_last_then_six_of_the_least_likely() {
    let expected = ["", "ab", "cdefgh", "abijkl!", "ijk", "abl!", "l!", ""];
    assert_questions("probdd", "abcdefghijkl", &[], "l", &expected);
}

#[test]
fn wprobdd_begins_with_the_heaviest() {
    let expected = ["", "bcd", "a!"];
    assert_questions("wprobdd", "abcd", &[50, 1, 1, 1], "a", &expected);
}

#[test]
fn wdd_cuts_in_the_middle_of_the_weight() {
    let expected = ["a", "bcdef!", "bc!", "", "b!", "", ""];
    assert_questions("wdd", "abcdef", &[5, 1, 1, 1, 1, 1], "b", &expected);
}

#[test]
fn galloping_grows_a_stretch_and_searches_for_its_end() {
    let expected = [
        "abcdefghijklmno!",
        "abcdefghijklmn!",
        "abcdefghijklm!",
        "abcdefghijkl!",
        "abcdefghijk!",
        "abcdef!",
        "",
        "abc!",
        "ab",
        "ac!",
        "c!",
        "",
    ];
    assert_questions("galloping", "abcdefghijklmnop", &[], "c", &expected);
    let expected = [
        "bcdefgh!", "cdefgh", "bdefgh!", "befgh!", "bfgh!", "bgh!", "bh!", "b!", "",
    ];
    assert_questions("galloping-forwards", "abcdefgh", &[], "b", &expected);
}
