//! Lessons: listed, played with and without a screen, and as pages.

use std::env;

use lop::lesson::{Lesson, LessonStep, SHIPPED, find_lesson};
use lop::reduce::{EngineCommand, StepUnit};

use crate::compare::row;
use crate::page::{page_scripts, run_page};
use crate::shell::Stage;
use crate::shell::terminal::Session;

fn shipped() -> impl Iterator<Item = Lesson> {
    SHIPPED
        .iter()
        .map(|(name, _)| find_lesson(name).expect("a lesson"))
}

#[test]
fn the_lessons_are_listed() {
    let stage = Stage::new();
    let end = stage.lop(&["learn"]);
    assert_eq!(end.status, 0, "{end}");
    for lesson in shipped() {
        assert!(end.out.contains(&lesson.title), "{}: {end}", lesson.name);
    }
}

#[test]
#[ignore = "long"]
fn every_shipped_lesson_plays_to_its_end_without_a_refused_command() {
    for lesson in shipped() {
        let stage = Stage::new();
        let end = stage.lop(&["learn", &lesson.name, "--plain"]);
        assert_eq!(end.status, 0, "{}: {end}", lesson.name);
        let all = lesson.steps.len();
        for (at, step) in lesson.steps.iter().enumerate() {
            let told = format!("step {} of {all}: {}", at + 1, step.text);
            assert!(end.out.contains(&told), "{}: {told}: {end}", lesson.name);
            // Every command leads to something that is decided, but for those that only change what is allowed.
            let answer = step.answer.iter().all(|answer| end.out.contains(answer));
            assert!(answer, "{}: {told}: {end}", lesson.name);
        }
    }
}

/// What each lesson says about its own end is true: (lesson, what it says in numbers and what was counted).
#[test]
#[ignore = "long"]
fn the_figures_of_the_lessons_are_true() {
    let figures: [(&str, &[&str]); 5] = [
        ("ddmin", &["16 million", "24 lines", "of 4 lines"]),
        (
            "hdd",
            &[
                "11 of 162 tokens",
                "162 tokens fewer",
                "4 of 5 parts on level 3",
            ],
        ),
        (
            "perses",
            &["14 of 148 tokens", "148 tokens fewer", "table/ (argc - 1)"],
        ),
        ("names", &["18 of 232 tokens", "64 tokens", "price * tax"]),
        (
            "race",
            &[
                "103 tokens went",
                "lop: 96 of 199 tokens after 1 test\n",
                "perses: 72 of 199 tokens after 15 tests",
                "it has 17 tokens after 30 tests, and lop has 16",
                "perses: 17 of 199 tokens after 30 tests",
                "lop: 16 of 199 tokens after 30 tests",
                "lop after 34 tests, perses after 45",
                "lop: 16 of 199 tokens after 34 tests",
                "perses: 16 of 199 tokens after 45 tests",
                "To 93 tokens after 185 tests",
                "ddmin: 131 of 199 tokens after 50 tests",
                "ddmin: 93 of 199 tokens after 185 tests",
            ],
        ),
    ];
    for (name, figures) in figures {
        let stage = Stage::new();
        let end = stage.lop(&["learn", name, "--plain"]);
        for words in figures {
            assert!(end.out.contains(words), "{name}: {words}: {end}");
        }
    }
}

/// The question at the end of the lesson ddmin counts the candidates that were no programs.
#[test]
fn the_lesson_on_ddmin_counts_its_invalid_candidates() {
    let stage = Stage::new();
    let end = stage.lop(&["learn", "ddmin", "--plain"]);
    let invalid = end.out.matches(". Invalid, ").count();
    let said = format!("{invalid} candidates were invalid");
    assert!(end.out.contains(&said), "{said}: {end}");
}

/// The lesson perses says how far HDD comes, and the race that LESSONS.md proposes shows it.
#[test]
fn perses_ends_smallest_in_a_race_on_its_own_lesson() {
    let stage = Stage::new();
    let end = stage.lop(&["learn", "perses", "--race", "ddmin,hdd,perses", "--plain"]);
    let [hdd, perses] = ["hdd", "perses"].map(|name| row(&end.out, name)[0]);
    assert!(end.out.contains("perses ended smallest"), "{end}");
    let lesson = find_lesson("perses").expect("a lesson");
    let said = format!("It ends with {hdd} tokens here, Perses with {perses}.");
    let is_said = |step: &LessonStep| step.text.contains(&said);
    assert!(lesson.steps.iter().any(is_said), "{said}");
}

/// Where a question of a shipped lesson is what the test says, its answer begins with the verdict: who guesses right is told so.
#[test]
#[ignore = "long"]
fn yes_and_no_mean_in_a_shipped_lesson_what_the_test_says() {
    for lesson in shipped() {
        let stage = Stage::new();
        let end = stage.lop(&["learn", &lesson.name, "--plain"]);
        let told = end.out.split("\nstep ").skip(1);
        for (step, lines) in lesson.steps.iter().zip(told) {
            let last = step.commands.last();
            let is_hidden = last.is_some_and(|last| last.command.asks_one_question());
            let (Some(answer), true) = (&step.answer, step.takes_guess && is_hidden) else {
                continue;
            };
            let mut asked = lines.lines().filter(|line| line.contains(": Can "));
            let decided = asked.next_back().expect("a question of the run");
            let verdict = ["Yes", "No", "Invalid"].map(|verdict| {
                let said = [",", "."].map(|sign| format!(". {verdict}{sign}"));
                (said.iter().any(|said| decided.contains(said)), verdict)
            });
            let (_, verdict) = verdict.iter().find(|(said, _)| *said).expect("a verdict");
            assert!(answer.starts_with(verdict), "{}: {lines}", lesson.name);
        }
    }
}

const OWN: &str = "title = 'Mine'\nteaches = 'All.'\nminutes = 1\nstrategy = 'perses'\n\
    [program]\nfile = 'own.c'\n\
    [[test]]\nhas = 'int bug'\n\
    [[steps]]\ntext = 'The first step.'\n\
    [[steps]]\ntext = 'The second step.'\nrun = ['step']\n";

#[test]
fn a_lesson_of_ones_own_is_played_and_its_mistakes_are_told() {
    let stage = Stage::new();
    stage.write("own.c", "int a;\nint bug;\n");
    stage.write("mine.toml", OWN);
    let end = stage.lop(&["learn", "mine.toml", "--plain"]);
    assert_eq!(end.status, 0, "{end}");
    assert!(end.out.contains("step 2 of 2: The second step."), "{end}");
    for (from, to, status, said) in [
        (
            "'step'",
            "'stp'",
            2,
            "mine.toml, line 13: there is no command `stp`",
        ),
        (
            "'perses'",
            "'perse'",
            2,
            "mine.toml, line 4: perse is not a strategy; near it: perses",
        ),
        (
            "'perses'",
            "'perses+dmin'",
            2,
            "perses+dmin is not a strategy; near it: ddmin",
        ),
        (
            "'step'",
            "'pin nothing'",
            1,
            "step 2, line 13: pin nothing: ",
        ),
        (
            "'step'",
            "'until size 1'",
            0,
            "step 2: size 1 was not reached",
        ),
        (
            "int bug",
            "int bugs",
            2,
            "line 7: own.c breaks this condition of the test: it has `int bugs`",
        ),
        ("own.c", "gone.c", 2, "line 5: gone.c cannot be read"),
    ] {
        stage.write("mine.toml", &OWN.replacen(from, to, 1));
        let end = stage.lop(&["learn", "mine.toml", "--plain"]);
        assert_eq!(end.status, status, "{to}: {end}");
        assert!(end.err.contains(said), "{to}: {end}");
    }
}

/// (command line, screen): who guesses has not missed the first question, in a run and in its recording.
#[test]
fn guessing_begins_paused() {
    let stage = Stage::new();
    stage.write("bug.c", "int a;\nint b;\nint bug;\n");
    stage.test("test.sh", "grep -q 'int bug' bug.c");
    let mut lop = Session::start(&stage, &["bug.c", "test.sh", "--guess"]);
    lop.wait_for(". shows the next candidate");
    lop.send(".");
    lop.wait_for("Will the test say yes to this candidate?");
    lop.wait_for("the test has answered");
    lop.send("n.");
    lop.wait_for("You said no: right.");
    lop.send(" ");
    lop.wait_for("done");
    lop.send("q");
    lop.end();
    let mut lop = Session::start(&stage, &["replay", "--guess"]);
    lop.wait_for("bug.c");
    lop.wait_for("Will the test say yes to this candidate?");
    lop.send("q");
    lop.end();
}

#[test]
#[ignore = "long"]
fn a_lesson_is_a_page_that_names_nothing_of_the_machine() {
    let stage = Stage::new();
    let end = stage.lop(&["learn", "--export", "pages"]);
    assert_eq!(end.status, 0, "{end}");
    let user = env::var("USER").unwrap_or_else(|_| "nobody-at-all".into());
    let home = env::var("HOME").unwrap_or_else(|_| "/home/".into());
    for lesson in shipped() {
        let page = stage.read(&format!("pages/{}.html", lesson.name));
        let (data, _) = page_scripts(&page);
        for private in ["/tmp", "/dev/shm", "lop-learn-", "test.sh", &*home] {
            assert!(!data.contains(private), "{}: {private}", lesson.name);
        }
        assert!(!data.contains(&format!("/{user}/")), "{}", lesson.name);
        if lesson.is_race() {
            shows_the_lanes(&stage, &page);
            continue;
        }
        let data: serde_json::Value = serde_json::from_str(data).expect("JSON");
        let steps = data["lesson"]["steps"].as_array().expect("steps");
        assert_eq!(steps.len(), lesson.steps.len());
        for (step, shown) in lesson.steps.iter().zip(steps) {
            assert_eq!(shown["text"], step.text);
            assert_eq!(shown["question"].as_str(), step.question.as_deref());
        }
        let rejected = |step: &&serde_json::Value| {
            let last = step["decisions"].as_array().and_then(|all| all.last());
            last.is_some_and(|last| last["taken"] == false)
        };
        for step in steps.iter().filter(rejected) {
            let cuts = step["cuts"].as_array().expect("a difference");
            assert!(!cuts.is_empty(), "{}: {step}", lesson.name);
        }
        begins_with_a_candidate(&stage, &page, &lesson);
        tells_no_end(&stage, &page, &lesson);
    }
}

#[test]
fn one_lesson_is_a_page_whatever_its_end_is_called() {
    let stage = Stage::new();
    let end = stage.lop(&["learn", "--export", "ddmin.htm", "ddmin"]);
    assert_eq!(end.status, 0, "{end}");
    assert!(stage.read("ddmin.htm").starts_with("<!doctype html>"));
}

/// The first thing to see is the first candidate. One that the audience is asked about is a difference, from a version that does not tell the answer.
fn begins_with_a_candidate(stage: &Stage, page: &str, lesson: &Lesson) {
    let lines = "for (const at of page.data.lesson.steps.keys()) {\n\
         const sight = page.sightOf(at, false);\n\
         console.log(JSON.stringify([sight.hidden ? sight.cuts.length : 0, page.data.versions[sight.base].decision]));\n}\n";
    let Some(said) = run_page(stage, page, lines) else {
        return;
    };
    let sights: Vec<[u64; 2]> = said
        .lines()
        .map(|line| serde_json::from_str(line).expect("two numbers"))
        .collect();
    let [cuts, decision] = sights[0];
    assert!(cuts > 0 && decision == 0, "{}: {said}", lesson.name);
    let mut asked = 0;
    for (step, [cuts, _]) in lesson.steps.iter().zip(&sights) {
        let last = step.commands.last().map(|last| &last.command);
        let step_asks = last == Some(&EngineCommand::Step(StepUnit::Question));
        if step.question.is_some() && step_asks {
            assert!(*cuts > 0, "{}: {}", lesson.name, step.text);
            asked += 1;
        }
    }
    assert!(asked > 0, "{}", lesson.name);
}

/// Before the first answer only the original is to be seen, and at the end all versions.
fn tells_no_end(stage: &Stage, page: &str, lesson: &Lesson) {
    let lines = "const steps = page.data.lesson.steps.length;\n\
         console.log(page.reachedAt(0, false), page.reachedAt(steps - 1, true) + 1 - page.data.versions.length);\n";
    if let Some(said) = run_page(stage, page, lines) {
        assert_eq!(said, "0 0\n", "{}", lesson.name);
    }
}

/// The page of a race begins with the first question of each lane, and an answer is not seen before it is shown.
fn shows_the_lanes(stage: &Stage, page: &str) {
    let lines = "const tokens = (at, revealed) => page.sightOf(at, revealed).map((lane) => lane.tokens).join();\n\
         console.log(page.sightOf(0, true).every((lane) => lane.asks.cuts.length > 0));\n\
         console.log(tokens(0, true), tokens(1, false), tokens(1, true), tokens(7, true));\n\
         console.log(page.sightOf(7, true)[2].text);\n";
    let Some(said) = run_page(stage, page, lines) else {
        return;
    };
    let (first, text) = said.split_at(said.find("int").expect("a program"));
    let expected = "true\n199,199,199 199,199,199 199,199,96 93,16,16\n";
    assert!(first.starts_with(expected), "{said}");
    assert!(text.contains("return total / count;"), "{said}");
}

/// The directory that stays after a lesson on the screen, as its last lines name it.
fn lesson_directory(text: &str) -> String {
    let words = text.replace('\n', "");
    let (_, after) = words.split_once("rm -r ").expect("where it is");
    let place = after.split_whitespace().next().expect("a path");
    assert!(place.contains("lop-learn-"), "{text}");
    place.to_owned()
}

/// Goes on, and waits until the run has done what the step says.
fn go_to_step(lop: &mut Session, number: usize, all: usize) {
    lop.send(" ");
    lop.wait_for(&format!("step {number} of {all}   "));
}

#[test]
#[ignore = "long"]
fn a_lesson_is_played_from_its_first_step_to_its_last_on_a_terminal() {
    let lesson = find_lesson("ddmin").expect("a lesson");
    let all = lesson.steps.len();
    let stage = Stage::new();
    let mut lop = Session::start(&stage, &["learn", "ddmin"]);
    lop.wait_for(&format!("step 1 of {all}   "));
    lop.send("b");
    lop.wait_for("this is the first step");
    go_to_step(&mut lop, 2, all);
    // The candidate is shown, and not what the test says.
    lop.wait_for("y or n?");
    assert!(!lop.screen.screen().contents().contains("rejected"));
    lop.send("y");
    lop.wait_for("You say yes.");
    lop.send(" ");
    lop.wait_for("You said yes: wrong.   0 of 1 guesses right");
    lop.wait_for("No, so there is something to find.");
    for (at, step) in lesson.steps.iter().enumerate().skip(2) {
        go_to_step(&mut lop, at + 1, all);
        if step.question.is_some() {
            lop.wait_for("shows");
            lop.send(" ");
            let answer = step.answer.as_deref().expect("an answer");
            // As much of it as is on one line.
            lop.wait_for(&answer[..40.min(answer.len())]);
        }
    }
    lop.send("b");
    lop.wait_for("told again; the run stays where it is");
    lop.wait_for(&format!("step {} of {all}   ", all - 1));
    go_to_step(&mut lop, all, all);
    lop.send(" ");
    // Nothing is left to try.
    lop.wait_for("the lesson is over, and so is its run: q leaves");
    lop.wait_for("1-minimal in lines (no single line can go)");
    lop.send("q");
    let (_, text) = lop.end();
    std::fs::remove_dir_all(lesson_directory(&text)).expect("it is ours");
}

/// (lesson, keys, screen): a question of the step's own is the one whose verdict is guessed.
#[test]
fn a_step_that_tries_an_edit_shows_that_question_and_no_other() {
    let stage = Stage::new();
    let mut lop = Session::start(&stage, &["learn", "names"]);
    lop.wait_for("step 1 of 11   ");
    go_to_step(&mut lop, 2, 11);
    lop.wait_for("y or n?");
    let screen = lop.screen.screen().contents();
    assert!(
        screen.contains("Can the declaration of `tax` go?"),
        "{screen}"
    );
    lop.send("n");
    lop.wait_for("You say no.");
    lop.send(" ");
    lop.wait_for("You said no: right.   1 of 1 guesses right");
    lop.wait_for("rejected: invalid");
    go_to_step(&mut lop, 3, 11);
    lop.wait_for("Can the bodies of 4 functions be emptied");
    let screen = lop.screen.screen().contents();
    assert!(
        !screen.contains("y or n?"),
        "which and why is no verdict: {screen}"
    );
    lop.send("q");
    let (_, text) = lop.end();
    std::fs::remove_dir_all(lesson_directory(&text)).expect("it is ours");
}

#[test]
#[ignore = "long"]
fn a_race_is_told_from_its_first_step_to_its_last_on_a_terminal() {
    let lesson = find_lesson("race").expect("a lesson");
    let all = lesson.steps.len();
    let stage = Stage::new();
    let mut lop = Session::start(&stage, &["learn", "race"]);
    lop.wait_for(&format!("step 1 of {all}   "));
    lop.wait_for("Can all 36 lines go?");
    for (at, step) in lesson.steps.iter().enumerate().skip(1) {
        go_to_step(&mut lop, at + 1, all);
        if let Some(answer) = &step.answer {
            // The lanes go on with the answer.
            lop.wait_for("space lets the lanes go on, and shows the answer");
            lop.send("++ ");
            lop.wait_for(&answer[..40.min(answer.len())]);
        }
    }
    lop.wait_for("perses and lop ended smallest, with 16 tokens; lop needed the fewest tests: 34");
    lop.send("b");
    lop.wait_for(&format!("step {} of {all}   ", all - 1));
    go_to_step(&mut lop, all, all);
    lop.send(" ");
    // The keys are those of any race again.
    lop.wait_for("✓ all done");
    lop.send("q");
    let (status, text) = lop.end();
    assert_eq!(status, 0, "{text}");
    assert!(text.contains("no candidate is tested twice"), "{text}");
    assert!(!text.contains("rm -r "), "nothing stays: {text}");
}

#[test]
fn a_lesson_begins_with_its_layout_and_names_the_known_ones_otherwise() {
    let stage = Stage::new();
    stage.write("own.c", "int a;\nint bug;\n");
    let with = |layout: &str| OWN.replacen("minutes", &format!("layout = '{layout}'\nminutes"), 1);
    stage.write("mine.toml", &with("versions"));
    for (flags, pane) in [(&[][..], "╭ History ─"), (&["--layout", "run"], "◆ Log ─")] {
        let mut lop = Session::start(&stage, &[&["learn", "mine.toml"][..], flags].concat());
        lop.wait_for("step 1 of 2   ");
        lop.wait_for(pane);
        lop.send("q");
        let (_, text) = lop.end();
        std::fs::remove_dir_all(lesson_directory(&text)).expect("it is ours");
    }
    for (layout, said) in [
        (
            "best",
            "there is no layout `best`; there are all, steps, code",
        ),
        (
            "pair",
            "there is no layout `pair` here; there are all, steps, code",
        ),
    ] {
        stage.write("mine.toml", &with(layout));
        let end = stage.lop(&["learn", "mine.toml", "--plain"]);
        assert_eq!(end.status, 2, "{end}");
        let said = format!("the lesson mine.toml, line 3: {said}");
        assert!(end.err.contains(&said), "{end}");
    }
}

#[test]
fn a_lesson_that_is_left_can_be_resumed() {
    let stage = Stage::new();
    let mut lop = Session::start(&stage, &["learn", "hdd"]);
    lop.wait_for("step 1 of 11   ");
    go_to_step(&mut lop, 2, 11);
    lop.send("q");
    let (status, text) = lop.end();
    assert_eq!(status, 130, "{text}");
    let place = lesson_directory(&text);
    let session = format!("{place}/session");
    let end = stage.lop(&["resume", &session, "--trust", "--plain"]);
    assert_eq!(end.status, 0, "{end}");
    assert!(end.out.contains("11 tokens"), "{end}");
    std::fs::remove_dir_all(place).expect("it is ours");
}
