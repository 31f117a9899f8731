//! The proposer without an engine: it is pure, and proposes in batches where that pays.

use std::time::Duration;

use lop::pass::{self, PassOptions, STRATEGIES, Strategy};
use lop::program::{self, TokenChange, Version, View};
use lop::protocol::{Feedback, Proposer, ProposerStep};
use lop::reduce::PassSchedule;
use rustix::time::{ClockId, clock_gettime};

use crate::common::{read, text};
use crate::strategies::{SMALL, take_step};

/// Runs a strategy without an engine on a real file, for this number of steps; `answer` sees each candidate, and whether its pass is syntactic.
fn drive(
    strategy: &'static Strategy,
    text: &str,
    steps: u32,
    mut answer: impl FnMut(&Version, bool) -> Feedback,
) {
    let mut view = View::new(read("a.c", text));
    let options = PassOptions::from_strategy(strategy);
    let mut schedule = PassSchedule::new(options);
    for _ in 0..steps {
        let step = schedule.clone().propose(&view);
        assert_eq!(
            schedule.propose(&view),
            step,
            "{}: a clone asks the same",
            strategy.name
        );
        assert_eq!(
            schedule.propose(&view),
            step,
            "{}: the same step twice",
            strategy.name
        );
        let is_going_on = take_step(&mut schedule, &mut view, |schedule, _, candidate| {
            answer(candidate, schedule.is_syntactic())
        });
        if !is_going_on {
            return;
        }
    }
}

#[test]
#[ignore = "long"]
fn asking_is_pure_and_what_a_syntactic_strategy_asks_about_is_a_program() {
    for strategy in STRATEGIES
        .iter()
        .filter(|strategy| !strategy.needs_statements() && !strategy.needs_bnf())
    {
        // Transformations put in new text, of which the parse check of the engine rejects what is no program.
        let deletes = strategy.steps.is_empty();
        let mut asked = 0u64;
        drive(strategy, SMALL, 150, |candidate, syntactic| {
            asked += 1;
            let faults = match syntactic && deletes {
                true => read("a.c", &text(candidate)).parse_trees()[0]
                    .as_ref()
                    .map_or(0, |tree| tree.count_faults()),
                false => 0,
            };
            assert_eq!(faults, 0, "{}: {}", strategy.name, text(candidate));
            // As good as any: an answer that depends on the candidate alone.
            match candidate.content_hash().derive_id(0) % 20 {
                0 if candidate.token_count() > 100 => Feedback::Interesting,
                _ => Feedback::Uninteresting,
            }
        });
        assert!(asked > 80, "{} asked {asked} questions", strategy.name);
    }
}

/// A program with this number of functions.
fn functions(number: u32) -> View {
    let one = |at| {
        format!(
            "int f{at}(int a, int b) {{\n  if (a > {at}) {{ b = a * (b + {at}); }} else {{ return b; }}\n  return a + b;\n}}\n"
        )
    };
    View::new(read("a.c", &(0..number).map(one).collect::<String>()))
}

/// What it takes to clone the state of a strategy when so many questions were answered with no: the least of many times, by this thread's own clock, which others on the machine do not move.
fn cost_of_a_clone(strategy: &'static Strategy, view: &View, questions: u32) -> Duration {
    let mut schedule = PassSchedule::new(PassOptions::from_strategy(strategy));
    for _ in 0..questions {
        match schedule.propose(view) {
            ProposerStep::Test(edit, _) => {
                schedule.on_verdict(view, &edit, Feedback::Uninteresting)
            }
            ProposerStep::Reparse => schedule.on_reparse(view),
            ProposerStep::Accept(_) | ProposerStep::Done => break,
        }
    }
    let now = || {
        let time = clock_gettime(ClockId::ThreadCPUTime);
        Duration::new(time.tv_sec as u64, time.tv_nsec as u32)
    };
    let times = (0..50).map(|_| {
        let began = now();
        let clone = schedule.clone();
        let time = now() - began;
        drop(clone);
        time
    });
    times.min().expect("it was taken")
}

#[test]
#[ignore = "long"]
fn a_clone_costs_no_more_for_a_large_program() {
    let (small, large) = (functions(8), functions(800));
    for strategy in STRATEGIES.iter().filter(|strategy| !strategy.needs_bnf()) {
        let cost = |view| cost_of_a_clone(strategy, view, 60);
        let (little, much) = (cost(&small), cost(&large));
        println!("{}: {little:?}, {much:?}", strategy.name);
        // A hundred times as much to copy would be a hundred times the cost.
        let most = little.max(Duration::from_nanos(500)) * 4;
        assert!(
            much <= most,
            "{}: {little:?} of a small program, {much:?} of a large one",
            strategy.name
        );
    }
}

/// Variables with a value each, and how many questions the main loop needs when these values are needed.
fn values(number: u32, needed: impl Fn(u32) -> bool) -> (Vec<String>, String) {
    let line = |at: u32| format!("int v{at} = 10{at};\n");
    let program: String = (0..number).map(line).collect();
    let interesting = |text: &str| {
        (0..number).all(|at| {
            let name = text.contains(&format!("v{at};")) || text.contains(&format!("v{at} "));
            name && (!needed(at) || text.contains(&format!(" 10{at};")))
        })
    };
    let mut view = View::new(read("a.c", &program));
    let mut state = pass::HEAVIEST.start_filtered(&view, &PassOptions::default());
    let (mut asked, mut ahead) = (Vec::new(), Vec::new());
    loop {
        match state.propose(&view) {
            ProposerStep::Test(edit, why) => {
                if !ahead.is_empty() {
                    assert_eq!(edit, ahead.remove(0), "what was said ahead comes");
                }
                if ahead.is_empty() {
                    ahead = state.lookahead_edits(&view, 64);
                }
                let candidate = program::apply_edit(&view.version, &edit);
                let yes = candidate.is_ok_and(|(candidate, _)| interesting(&text(&candidate)));
                let answer = if yes { "yes" } else { "no" };
                asked.push(format!(
                    "{answer}: {}",
                    why.to_sentence(&view.version, &edit, TokenChange::default())
                ));
                let answer = if yes {
                    Feedback::Interesting
                } else {
                    Feedback::Uninteresting
                };
                state.on_verdict(&view, &edit, answer);
            }
            ProposerStep::Accept(edit) => {
                assert!(ahead.is_empty(), "the batch was asked to its end");
                let (version, change) =
                    program::apply_edit(&view.version, &edit).expect("it was asked");
                view.version = version;
                state.on_accept(&view, &change);
            }
            ProposerStep::Reparse | ProposerStep::Done => return (asked, text(&view.version)),
        }
    }
}

#[test]
fn what_passed_in_two_places_is_asked_about_all_places_like_them() {
    let about_values = |asked: &[String]| {
        let values = asked.iter().filter(|asked| asked.contains(" become "));
        values.cloned().collect::<Vec<_>>()
    };
    let (asked, left) = values(40, |_| false);
    assert!(!left.contains('='), "{left}");
    let asked = about_values(&asked);
    let endings = [
        "`?",
        "`?",
        "and so in one similar place?",
        "and so in 3 similar places?",
        "and so in 7 similar places?",
        "and so in 15 similar places?",
    ];
    for (asked, ending) in asked.iter().zip(endings) {
        assert!(
            asked.starts_with("yes: ") && asked.contains(ending),
            "{asked}"
        );
    }
    assert!(asked.len() <= 7, "{asked:#?}");

    let (asked, left) = values(40, |at| at == 20);
    assert_eq!(left.matches('=').count(), 1, "{left}");
    let asked = about_values(&asked);
    assert!(
        asked.len() < 24,
        "halves find the one that stays: {asked:#?}"
    );
}

#[test]
fn edits_that_pass_now_and_then_are_asked_about_one_version_and_taken_together() {
    let (asked, left) = values(60, |at| at % 3 > 0);
    assert_eq!(left.matches('=').count(), 40, "{left}");
    let merges = asked
        .iter()
        .filter(|asked| asked.contains("be made together"));
    assert_eq!(merges.count(), 1, "{asked:#?}");
    let takes = asked.iter().filter(|asked| asked.starts_with("yes"));
    assert!(
        takes.count() > 20,
        "each was found by itself, and their merge"
    );
}

/// A function with this number of statements that are alike, of 7 to 11 tokens, and some of 4 at its end.
fn alike_statements(count: u32) -> String {
    let statement = |at: u32| match at % 3 {
        0 => format!("  g[{}] = h + {at};\n", at % 90),
        1 => format!("  if (h > {at}) h = {at};\n"),
        _ => format!("  h += g[{}];\n", at % 90),
    };
    let long: String = (0..count).map(statement).collect();
    let short: String = (0..count / 10).map(|_| "  h++;\n").collect();
    format!("int g[90], h;\nint main(void) {{\n{short}{long}  return 0;\n}}\n")
}

/// Where only the size counts, the run comes close to the limit in few questions, and asks about the smallest statements before those that
/// cannot go.
#[test]
#[ignore = "long"]
fn where_any_tokens_will_do_few_questions_lead_to_as_few_as_possible() {
    let program = alike_statements(900);
    let (mut asked, mut reached, mut least) = (0, 0, u32::MAX);
    drive(&STRATEGIES[0], &program, 2_000, |candidate, _| {
        asked += 1;
        let tokens = candidate.token_count();
        if tokens < 3_000 || !text(candidate).contains("main") {
            return Feedback::Uninteresting;
        }
        if tokens < least {
            (least, reached) = (tokens, asked);
        }
        Feedback::Interesting
    });
    assert!(least <= 3_003, "{least} tokens");
    assert!(reached <= 100, "after {reached} questions");
}

/// Where statements are at their limit, what costs nothing of the size still goes, many places at a time.
#[test]
#[ignore = "long"]
fn at_the_limit_of_a_size_brackets_still_go_in_few_questions() {
    let statement = |at: u32| format!("  h = ({} + h);\n", at % 90);
    let statements: String = (0..900).map(statement).collect();
    let program = format!("int h;\nint main(void) {{\n{statements}  return 0;\n}}\n");
    let (mut asked, mut reached, mut least) = (0, 0, u32::MAX);
    drive(&STRATEGIES[0], &program, 2_000, |candidate, _| {
        asked += 1;
        let text = text(candidate);
        let brackets = text.matches(['(', ')']).count() as u32;
        let others = candidate.token_count() - brackets;
        if others < 3_000 || !text.contains("main") {
            return Feedback::Uninteresting;
        }
        if brackets < least {
            (least, reached) = (brackets, asked);
        }
        Feedback::Interesting
    });
    assert_eq!(least, 2, "those of main stay");
    assert!(reached <= 120, "after {reached} questions");
}

/// Forty statements go at once, the next twenty are needed, and none of those before them.
#[test]
fn needed_statements_that_look_like_a_limit_hide_nothing() {
    let calls: String = (0..300).map(|at| format!("  f({at});\n")).collect();
    let program = format!("void f(int);\nint main(void) {{\n{calls}}}\n");
    let needed: Vec<String> = (240..260).map(|at| format!("f({at});")).collect();
    let mut smallest = program.clone();
    drive(&STRATEGIES[0], &program, 4_000, |candidate, _| {
        let text = text(candidate);
        if !needed.iter().all(|call| text.contains(call)) {
            return Feedback::Uninteresting;
        }
        smallest = text;
        Feedback::Interesting
    });
    assert_eq!(smallest.matches("f(").count(), 20, "{smallest}");
}
