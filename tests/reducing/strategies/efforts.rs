//! Efforts and strata: (program, effort or commands, result, what the end says).

use lop::pass::{self, Effort, FeatureSet, PassOptions};
use lop::reduce::{self, RunSetup, RunSnapshot};

use super::words;
use crate::common::{oracle, read, setup, text, verdict};

/// A name of a type that can give way to its type, in a program of which no single part can go.
const ALIASED: &str = "typedef int T; T x;";

/// The end of a run on it that wants the declaration of `x`, with these options and this script.
fn end_of(options: PassOptions, script: &str) -> std::sync::Arc<RunSnapshot> {
    let says = |text: &str| [ALIASED, "int x;"].contains(&&*words(text));
    let runner = oracle(move |text| verdict(says(text)));
    let run = reduce::start_run(RunSetup {
        options,
        script: reduce::parse_script(script).expect("a script"),
        ..setup(read("a.c", ALIASED), runner)
    });
    run.expect("a run").wait_for_end().expect("a snapshot")
}

fn options(effort: Effort, without: &str) -> PassOptions {
    let text = FeatureSet::default().with_named("text");
    let features = text.expect("a stratum").with_named(without);
    PassOptions {
        effort,
        disabled_features: features.expect("a part"),
        ..PassOptions::default()
    }
}

#[test]
fn quick_effort_ends_where_no_part_can_go_and_more_effort_rewrites() {
    let quick = end_of(options(Effort::Quick, "bytes"), "");
    assert_eq!(words(&text(&quick.version)), ALIASED);
    let normal = end_of(options(Effort::Normal, "bytes"), "");
    assert_eq!(words(&text(&normal.version)), "int x;");
}

#[test]
fn a_pass_of_a_stratum_or_all_of_them_can_be_left_out() {
    for part in ["alias", "rewrites"] {
        let without = end_of(options(Effort::Normal, part), "");
        // A later pass may take the definition apart in another way.
        let passes: Vec<&str> = without.decided.iter().map(|one| one.why.pass).collect();
        assert!(!passes.contains(&"alias"), "{part}: {passes:?}");
        let claim = without.claim.clone().expect("it has ended").to_string();
        assert!(claim.contains("alias (switched off)"), "{claim}");
    }
}

#[test]
fn more_effort_in_a_run_adds_the_strata_and_less_takes_them_away() {
    let raised = end_of(options(Effort::Quick, "bytes"), "effort normal");
    assert_eq!(words(&text(&raised.version)), "int x;");
    assert_eq!(raised.more_effort, Some("hard"));
    let lowered = end_of(options(Effort::Hard, "bytes"), "effort quick");
    assert_eq!(words(&text(&lowered.version)), ALIASED);
}

#[test]
fn a_command_about_a_stratum_is_one_about_all_of_its_passes() {
    let disabled = end_of(options(Effort::Normal, "bytes"), "disable rewrites");
    assert_eq!(words(&text(&disabled.version)), ALIASED);
    let enabled = end_of(options(Effort::Quick, "bytes"), "enable rewrites");
    assert_eq!(words(&text(&enabled.version)), "int x;");
}

#[test]
fn the_end_says_what_each_pass_of_a_stratum_proves_of_the_result() {
    let claim = |end: &RunSnapshot| end.claim.clone().expect("it has ended").to_string();
    let proven = "no token can go";
    let all = PassOptions::default();
    assert!(claim(&end_of(all, "")).contains(proven));
    // Nobody asked.
    let quick = end_of(options(Effort::Quick, "bytes"), "");
    assert!(!claim(&quick).contains(proven), "{}", claim(&quick));
    // Of what the user passed over nothing is said.
    let jumped = end_of(all, "at decision 1: restart certificate");
    assert!(!claim(&jumped).contains(proven), "{}", claim(&jumped));
}

#[test]
fn a_stratum_ends_also_where_its_round_would_begin_with_a_pass_that_is_off() {
    let without = FeatureSet::default().with_named("single-tokens");
    let end = end_of(
        PassOptions {
            disabled_features: without.expect("a pass"),
            ..PassOptions::default()
        },
        "",
    );
    assert!(end.claim.is_some());
    let enabled = end_of(
        options(Effort::Quick, "bytes"),
        "enable window-token\nenable windows",
    );
    assert!(enabled.claim.is_some());
}

#[test]
fn a_stratum_and_a_pass_never_share_a_name() {
    let passes = pass::all_passes();
    for stratum in pass::STRATA {
        assert!(passes.iter().all(|kind| kind.name != stratum.name));
        for claim in stratum.claims {
            assert!(stratum.has_pass(claim.pass.name), "{}", claim.sentence);
        }
    }
}
