//! The pane of the algorithm: (program, strategy, what is needed, which question), and what the pane shows.

use lop::minimize::find_minimizer;
use lop::oracle::Verdict;
use lop::pass::{PassOptions, find_strategy};
use lop::program::{self, Version, View, walk};
use lop::protocol::{Feedback, Proposer, ProposerStep};
use lop::reduce::{FinishReason, PassSchedule, RunState};
use lop::tui::layout::{LayoutScope, PaneKind};
use lop::tui::palette::{TerminalColourDepth, TerminalPalette};

use crate::stage::{Stage, read, run};

/// The program of these stories: who calls whom, and a division that is looked for.
const BUG: &str = "\
int limit = 100;
int table[16];

static int clamp(int value) {
    if (value > limit) {
        return limit;
    }
    return value;
}

static void fill(int start) {
    for (int i = 0; i < 16; i++) {
        table[i] = clamp(start + i * 3);
    }
}

int main(int argc, char **argv) {
    int sum = 0;
    fill(argc);
    for (int i = 0; i < 16; i++) {
        if (table[i] > 10) {
            sum += table[i] / (argc - 1);
        }
    }
    return sum;
}
";

/// What the test looks for.
const NEEDED: [&str; 2] = ["value > limit", "/ (argc - 1)"];

fn text(version: &Version) -> String {
    String::from_utf8(walk::render_text(&version.documents()[0].root)).expect("UTF-8")
}

fn is_interesting(text: &str) -> bool {
    NEEDED.iter().all(|needed| text.contains(needed))
}

/// A screen with the layout of the algorithm at this question of a run, counted from 1.
fn at_question(strategy: &str, minimizer: Option<&str>, question: u64) -> Stage {
    let palette = TerminalPalette::FULL;
    at_question_on(palette, strategy, minimizer, question)
}

fn at_question_on(
    palette: TerminalPalette,
    strategy: &str,
    minimizer: Option<&str>,
    question: u64,
) -> Stage {
    let strategy = find_strategy(strategy).expect("a strategy");
    let mut options = PassOptions::from_strategy(strategy);
    if let Some(minimizer) = minimizer {
        options.minimizer = find_minimizer(minimizer).expect("a minimiser");
    }
    let mut view = View::new(read("bug.c", BUG));
    let mut schedule = PassSchedule::new(options);
    let mut stage = Stage::of(run(view.version.clone()), palette);
    let layout = stage
        .app
        .arrangement
        .switch_layout(Some("algorithm"), LayoutScope::Program);
    assert!(layout.is_ok());
    loop {
        match schedule.propose(&view) {
            ProposerStep::Test(edit, why) => {
                let Ok((candidate, _)) = program::apply_edit(&view.version, &edit) else {
                    schedule.on_verdict(&view, &edit, Feedback::Rejected);
                    continue;
                };
                let node = why.node.unwrap_or(view.version.documents()[0].root.id);
                stage.try_edit(edit.clone(), why.action.clone(), node);
                if let Some(trying) = &mut stage.run.current_test {
                    trying.why = why;
                    trying.algorithm = schedule.describe_algorithm(&view).map(Into::into);
                }
                stage.show();
                if stage.run.counts.decisions + 1 == question {
                    return stage;
                }
                let (verdict, answer) = match is_interesting(&text(&candidate)) {
                    true => (Verdict::Interesting, Feedback::Interesting),
                    false => (Verdict::Uninteresting, Feedback::Uninteresting),
                };
                stage.answer(verdict);
                schedule.on_verdict(&view, &edit, answer);
            }
            ProposerStep::Accept(edit) => {
                let (version, change) =
                    program::apply_edit(&view.version, &edit).expect("it was asked");
                view.version = version;
                schedule.on_accept(&view, &change);
            }
            ProposerStep::Reparse => {
                view.version = program::reparse_version(&view.version).expect("it can be read");
                schedule.on_reparse(&view);
            }
            ProposerStep::Done => panic!("the run ended before question {question}"),
        }
        stage.run.version = view.version.clone();
        stage.show();
    }
}

#[test]
fn ddmin_shows_its_chunks_over_the_lines() {
    let mut stage = at_question("lines", Some("ddmin"), 5);
    insta::assert_snapshot!("algorithm_ddmin_120x40", stage.screen(120, 40));
    insta::assert_snapshot!("algorithm_ddmin_80x24", stage.screen(80, 24));
}

#[test]
fn hdd_shows_the_ladder_of_levels() {
    let mut stage = at_question("hdd", Some("ddmin"), 3);
    insta::assert_snapshot!("algorithm_hdd_120x40", stage.screen(120, 40));
}

#[test]
fn perses_shows_its_queue_and_the_rule_of_the_node_at_hand() {
    let mut stage = at_question("perses", None, 11);
    insta::assert_snapshot!("algorithm_perses_120x40", stage.screen(120, 40));
    insta::assert_snapshot!("algorithm_perses_80x24", stage.screen(80, 24));
}

#[test]
fn the_names_say_who_still_uses_what_cannot_go() {
    let mut stage = at_question("lop", None, 1);
    let screen = stage.screen(140, 40);
    let words: Vec<&str> = screen.lines().collect();
    for told in ["stay", "used by `main` (line "] {
        assert!(
            words.iter().any(|line| line.contains(told)),
            "{told}: {screen}"
        );
    }
    let sentence = words[1..3].join(" ");
    assert!(sentence.contains("still uses"), "{sentence}");
}

#[test]
fn a_terminal_that_shows_only_ascii_has_the_same_in_ascii() {
    let palette = TerminalPalette {
        depth: TerminalColourDepth::Monochrome,
        unicode: false,
    };
    let mut stage = at_question_on(palette, "lines", Some("ddmin"), 3);
    let screen = stage.screen(120, 40);
    assert!(screen.is_ascii(), "{screen}");
    for shown in ["n <- 2", ">   one alone?", "stays alone"] {
        assert!(screen.contains(shown), "{shown}: {screen}");
    }
}

#[test]
fn the_state_stays_while_the_answer_is_read() {
    let mut stage = at_question("lines", Some("ddmin"), 3);
    stage.answer(Verdict::Uninteresting);
    stage.run.state = RunState::Paused(None);
    stage.show();
    let screen = stage.screen(120, 40);
    assert!(screen.contains("n = 2 · subset 2 of 2"), "{screen}");
}

#[test]
fn a_candidate_whose_verdict_is_guessed_has_its_state() {
    let mut stage = at_question("lines", Some("ddmin"), 2);
    stage.answer(Verdict::Uninteresting);
    stage.run.state = RunState::Paused(None);
    stage.show();
    stage.keys("Y .");
    stage.run = at_question("lines", Some("ddmin"), 3).run;
    stage.answer(Verdict::Uninteresting);
    let screen = stage.screen(120, 40);
    assert!(screen.contains("Will the test say yes"), "{screen}");
    assert!(screen.contains("n = 2 · subset 2 of 2"), "{screen}");
}

#[test]
fn a_pass_without_a_state_is_described_in_words() {
    let mut stage = at_question("perses", None, 1);
    if let Some(trying) = &mut stage.run.current_test {
        trying.algorithm = None;
    }
    stage.show();
    let screen = stage.screen(120, 40);
    assert!(
        screen.contains("lists and optional parts go, nodes become pieces"),
        "{screen}"
    );
}

#[test]
fn before_the_first_question_nothing_is_known_and_a_recording_says_why() {
    let mut stage = Stage::new(BUG);
    stage.screen(120, 40);
    stage.keys("D");
    assert_eq!(stage.app.focused_pane(), PaneKind::Algorithm);
    let screen = stage.screen(120, 40);
    assert!(screen.contains("nothing was asked yet"), "{screen}");
    stage.app.view.context.replay = true;
    let screen = stage.screen(120, 40);
    assert!(
        screen.contains("this recording does not keep it"),
        "{screen}"
    );
}

#[test]
fn one_key_shows_the_algorithm_from_anywhere_and_leads_back() {
    let mut stage = at_question("perses", None, 10);
    stage.screen(120, 40);
    stage.keys("L");
    let before = stage.app.arrangement.layout.name;
    assert_ne!(before, "algorithm");
    stage.keys("D");
    assert_eq!(stage.app.arrangement.layout.name, "algorithm");
    assert_eq!(stage.app.focused_pane(), PaneKind::Algorithm);
    stage.keys("D");
    assert_eq!(stage.app.arrangement.layout.name, before);
    // On a layout that has the pane, the key only leads there.
    let arrangement = &mut stage.app.arrangement;
    assert!(
        arrangement
            .switch_layout(Some("beamer"), LayoutScope::Program)
            .is_ok()
    );
    stage.keys("D");
    assert_eq!(stage.app.arrangement.layout.name, "beamer");
    assert_eq!(stage.app.focused_pane(), PaneKind::Algorithm);
}

#[test]
fn what_does_not_fit_can_be_scrolled_to() {
    let mut stage = at_question("perses", None, 1);
    stage.keys("D");
    let top = stage.screen(80, 16);
    stage.keys("G");
    let bottom = stage.screen(80, 16);
    assert_ne!(top, bottom);
    assert!(bottom.contains("lines 1–"), "{bottom}");
    stage.keys("g");
    assert_eq!(stage.screen(80, 16), top);
}

#[test]
fn nodes_that_are_gone_are_left_out() {
    let mut stage = at_question("perses", None, 1);
    // The screen has a version that is not the one of the question.
    stage.run.version = read("bug.c", "int x;\n");
    stage.show();
    let screen = stage.screen(120, 40);
    assert!(screen.contains("Perses"), "{screen}");
    assert!(!screen.contains("lines 1–"), "{screen}");
}

/// The lines of the pseudo-code with a mark, without it.
fn marked_lines(screen: &str, mark: char) -> Vec<String> {
    let cells = screen.lines().flat_map(|line| line.split("││").nth(1));
    let marked = cells.filter_map(|cell| cell.strip_prefix(mark)?.strip_prefix(' '));
    let ends = marked.map(|line| {
        line.trim_end_matches(['│', '█', ' ', '▅'])
            .trim()
            .to_owned()
    });
    ends.collect()
}

#[test]
fn the_lines_between_two_questions_are_marked() {
    // The first chunk of all, then the first of a finer cut: what was said in between.
    for (question, passed) in [
        (2, ["n ← 2", "loop: cut the list into n chunks"]),
        (
            4,
            [
                "loop: cut the list into n chunks",
                "n < length?   n ← min(2n, length)",
            ],
        ),
    ] {
        let mut stage = at_question("lines", Some("ddmin"), question);
        let screen = stage.screen(120, 40);
        assert_eq!(marked_lines(&screen, '·'), passed, "{question}: {screen}");
    }
    let mut stage = at_question("lines", Some("ddmin"), 3);
    let screen = stage.screen(120, 40);
    assert_eq!(marked_lines(&screen, '·'), [""; 0], "{screen}");
}

#[test]
fn an_algorithm_ends_at_its_last_line() {
    for (strategy, last) in [
        ("lines", "else done"),
        ("hdd", "while the tree has nodes on it:"),
        ("perses", "while Q is not empty:"),
    ] {
        let mut stage = at_question(strategy, Some("ddmin"), 4);
        stage.answer(Verdict::Uninteresting);
        stage.run.state = RunState::Finished(FinishReason::Complete);
        stage.show();
        stage.keys("esc");
        let screen = stage.screen(120, 40);
        let present = marked_lines(&screen, '▶');
        assert_eq!(present.first().map(String::as_str), Some(last), "{screen}");
        for gone in ["goes", "may go", "n = "] {
            assert!(!screen.contains(gone), "{gone}: {screen}");
        }
    }
}

#[test]
fn the_ladder_keeps_the_levels_that_are_done() {
    let mut stage = at_question("hdd", Some("ddmin"), 14);
    let screen = stage.screen(120, 40);
    assert!(screen.contains("level 1 "), "{screen}");
    assert!(screen.contains(" stayed"), "{screen}");
}

#[test]
fn a_chunk_of_a_candidate_that_was_accepted_has_gone() {
    let mut stage = at_question("lines", Some("ddmin"), 5);
    assert!(stage.screen(120, 40).contains("goes"));
    let before = stage.run.version.clone();
    stage.answer(Verdict::Interesting);
    stage.run.state = RunState::Paused(None);
    stage.show();
    assert_ne!(before.size().primary(), stage.run.version.size().primary());
    let screen = stage.screen(120, 40);
    assert!(screen.contains("has gone"), "{screen}");
    assert!(screen.contains("lines, lines before v1"), "{screen}");
}
