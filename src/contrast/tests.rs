//! Programs, scripted tests and checks, and what is said of the tokens.

use std::path::Path;
use std::sync::{Arc, Mutex};

use crossbeam_channel::{bounded, never};

use super::*;
use crate::oracle::{Runner, ScriptedRunner, TimeLimits, Verdict};
use crate::program::{self, ContentHash};

type TextPredicate = fn(&str) -> bool;

/// A runner that finds interesting what the predicate says, and notes what it is asked.
fn runner(predicate: TextPredicate, seen: &Arc<Mutex<Vec<String>>>) -> ScriptedRunner {
    let seen = seen.clone();
    ScriptedRunner::new(move |files| {
        let text = String::from_utf8_lossy(&files[0].1).into_owned();
        let verdict = if predicate(&text) {
            Verdict::Interesting
        } else {
            Verdict::Uninteresting
        };
        seen.lock().expect("a note").push(text);
        verdict.into()
    })
}

/// A story: a program, a test, and perhaps a check, known verdicts and a limit of tests.
struct Story {
    name: &'static str,
    text: &'static str,
    test: TextPredicate,
    check: Option<TextPredicate>,
    known: Option<(&'static str, Verdict)>,
    max_tests: usize,
}

impl Story {
    fn new(
        name: &'static str,
        text: &'static str,
        test: TextPredicate,
        check: TextPredicate,
    ) -> Story {
        assert!(test(text) && check(text));
        Story {
            name,
            text,
            test,
            check: Some(check),
            known: None,
            max_tests: 1000,
        }
    }

    /// The report, and what the test was asked.
    fn tell(&self) -> (ContrastReport, Vec<String>) {
        let read = |text: &str| {
            let files = vec![(Path::new(self.name).into(), text.as_bytes().into())];
            program::read_program(files).expect("a program")
        };
        let (asked, checked) = (Arc::default(), Arc::default());
        let mut test = runner(self.test, &asked);
        let mut check = self.check.map(|check| runner(check, &checked));
        let known = self
            .known
            .map(|(text, verdict)| (read(text).content_hash(), verdict));
        let mut oracle = ContrastOracle {
            test: &mut test,
            validity: match &mut check {
                Some(check) => ValiditySource::Check(check),
                None => ValiditySource::Nobody,
            },
            limits: TimeLimits::default(),
            known: &|hash: ContentHash| {
                known
                    .filter(|(known, _)| *known == hash)
                    .map(|(_, verdict)| verdict)
            },
            max_tests: self.max_tests,
            interrupted: &never(),
            on_progress: &|_| {},
        };
        let report = contrast_version(&read(self.text), None, &mut oracle).expect("a report");
        let asked = asked.lock().expect("what was asked").clone();
        (report, asked)
    }
}

/// The tokens with the letters of their roles.
fn letters(report: &ContrastReport) -> String {
    let letter = |role: &TokenRole| match role {
        TokenRole::Essential => 'E',
        TokenRole::Free => 'F',
        TokenRole::CompileOnly => 'C',
        TokenRole::Unknown(_) => '?',
    };
    let words = report
        .tokens
        .iter()
        .map(|(token, role)| format!("{}:{}", token.text, letter(role)));
    words.collect::<Vec<_>>().join(" ")
}

fn sentences(report: &ContrastReport) -> Vec<String> {
    write_sentences(report)
        .into_iter()
        .map(|sentence| sentence.text)
        .collect()
}

/// Every statement and declaration has its end, and every bracket its partner.
fn is_whole(text: &str) -> bool {
    let count = |c: char| text.matches(c).count();
    text.trim_end().ends_with([';', '}']) && count('(') == count(')') && count('{') == count('}')
}

#[test]
fn the_word_that_the_bug_needs_is_essential_and_a_name_is_free() {
    let story = Story::new(
        "a.c",
        "static int a;\n",
        |text| text.contains("static"),
        is_whole,
    );
    let (report, _) = story.tell();
    assert_eq!(letters(&report), "static:E int:F a:F ;:C");
    let said = sentences(&report);
    assert_eq!(said[0], "without `static` it works");
    assert!(
        said[1].starts_with("any other primitive type for `int` also fails (tried: `unsigned`"),
        "{said:?}"
    );
    assert!(
        said[2].starts_with("any other identifier for `a` also fails (tried: `x`, `y`"),
        "{said:?}"
    );
}

#[test]
fn an_operator_is_replaced_by_those_that_the_grammar_has_beside_it() {
    let test: TextPredicate = |text| text.contains('/') && text.contains('0');
    let story = Story::new("a.c", "int f(int a) { return a / 0; }\n", test, is_whole);
    let (report, asked) = story.tell();
    for operator in ["*", "%"] {
        let with = format!("int f(int a) {{ return a {operator} 0; }}\n");
        assert!(asked.contains(&with), "{operator}: {asked:#?}");
    }
    let said = sentences(&report);
    assert!(
        said.iter().any(|said| said.ends_with("for `/` it works")),
        "{said:?}"
    );
    assert!(
        said.iter().any(|said| said == "with `1` for `0` it works"),
        "{said:?}"
    );
    assert!(letters(&report).contains("/:E 0:E"), "{}", letters(&report));
}

#[test]
fn a_name_with_several_places_is_renamed_at_all_of_them() {
    /// Whether what is returned is the variable.
    fn is_same(text: &str) -> bool {
        let words: Vec<&str> = text.split(|c: char| !c.is_alphanumeric()).collect();
        let after = |word: &str| {
            words
                .iter()
                .position(|other| *other == word)
                .map(|at| words[at + 1])
        };
        is_whole(text) && after("long").is_some() && after("long") == after("return")
    }
    let story = Story::new(
        "a.c",
        "long v;\nlong f(void) { return v; }\n",
        is_same,
        is_whole,
    );
    let (report, asked) = story.tell();
    assert!(
        asked.contains(&"long x;\nlong f(void) { return x; }\n".to_owned()),
        "{asked:#?}"
    );
    assert!(
        asked.contains(&"long v;\nlong f(void) { return x; }\n".to_owned()),
        "{asked:#?}"
    );
    // One place alone loses the bug, and is no filling of a name.
    assert!(
        letters(&report).starts_with("long:E v:F ") && letters(&report).contains("return:E v:F "),
        "{}",
        letters(&report)
    );
}

#[test]
fn what_loses_the_bug_only_where_it_is_invalid_is_needed_to_compile() {
    let check: TextPredicate = |text| is_whole(text) && text.contains("static");
    let story = Story::new(
        "a.c",
        "static int a;\n",
        |text| text.contains("static"),
        check,
    );
    let (report, _) = story.tell();
    assert!(
        letters(&report).starts_with("static:C"),
        "{}",
        letters(&report)
    );
    assert!(
        sentences(&report)
            .iter()
            .all(|said| !said.contains("works"))
    );
}

#[test]
fn without_a_check_nothing_is_said_to_work() {
    let story = Story {
        check: None,
        ..Story::new(
            "a.c",
            "static int a;\n",
            |text| text.contains("static"),
            is_whole,
        )
    };
    let (report, _) = story.tell();
    assert_eq!(letters(&report), "static:E int:F a:F ;:C");
    assert_eq!(sentences(&report)[0], "without `static` the bug is gone");
    assert_eq!(report.checks, 0);
}

#[test]
fn a_known_verdict_needs_no_test() {
    let without = "int a;\n";
    let story = Story {
        known: Some((without, Verdict::Uninteresting)),
        ..Story::new(
            "a.c",
            "static int a;\n",
            |text| text.contains("static"),
            is_whole,
        )
    };
    let (report, asked) = story.tell();
    assert!(!asked.contains(&without.to_owned()), "{asked:#?}");
    assert_eq!((report.known, report.tests), (1, asked.len()));
    assert_eq!(sentences(&report)[0], "without `static` it works");
}

#[test]
fn the_limit_of_tests_leaves_the_less_telling_changes_out() {
    let whole = Story::new(
        "a.c",
        "static int a;\n",
        |text| text.contains("static"),
        is_whole,
    );
    let (all, _) = whole.tell();
    let (some, asked) = Story {
        max_tests: 3,
        ..whole
    }
    .tell();
    assert_eq!((some.tests, asked.len()), (3, 3));
    assert_eq!(some.left_out_count() + 3, all.tests);
    assert_eq!(sentences(&some)[0], "without `static` it works");
    assert!(
        letters(&some).starts_with("static:E int:?"),
        "{}",
        letters(&some)
    );
}

#[test]
fn a_program_that_is_not_minimal_says_so() {
    let story = Story::new(
        "a.c",
        "static int a;\nint b;\n",
        |text| text.contains("static"),
        is_whole,
    );
    let (report, _) = story.tell();
    let (_, role) = &report.tokens[4];
    assert_eq!(
        *role,
        TokenRole::Unknown(UnknownReason::Removable),
        "{}",
        letters(&report)
    );
}

#[test]
fn a_text_without_a_grammar_has_tokens() {
    let story = Story::new(
        "notes.txt",
        "keep one of 7\n",
        |text| text.contains("keep"),
        |_| true,
    );
    let (report, _) = story.tell();
    assert!(
        letters(&report).starts_with("keep:E"),
        "{}",
        letters(&report)
    );
    assert_eq!(report.tokens.len(), 4);
}

#[test]
fn a_change_without_a_verdict_is_not_counted() {
    let mut test = ScriptedRunner::new(|_| Verdict::TimedOut.into());
    let files = vec![(Path::new("a.c").into(), b"int a;\n"[..].into())];
    let version = program::read_program(files).expect("a program");
    let mut oracle = ContrastOracle {
        test: &mut test,
        validity: ValiditySource::Test,
        limits: TimeLimits::default(),
        known: &|_| None,
        max_tests: 1000,
        interrupted: &never(),
        on_progress: &|_| {},
    };
    let report = contrast_version(&version, None, &mut oracle).expect("a report");
    assert_eq!(letters(&report), "int:? a:? ;:C");
}

#[test]
fn a_signal_ends_it() {
    let mut test = ScriptedRunner::new(|_| Verdict::Interesting.into());
    test.script_handle().hold_jobs();
    let (send, interrupted) = bounded(1);
    send.send(15).expect("a signal");
    let files = vec![(Path::new("a.c").into(), b"int a;\n"[..].into())];
    let version = program::read_program(files).expect("a program");
    let mut oracle = ContrastOracle {
        test: &mut test as &mut dyn Runner,
        validity: ValiditySource::Nobody,
        limits: TimeLimits::default(),
        known: &|_| None,
        max_tests: 1000,
        interrupted: &interrupted,
        on_progress: &|_| {},
    };
    let end = contrast_version(&version, None, &mut oracle);
    assert!(
        matches!(end, Err(ContrastError::Interrupted(15))),
        "{end:?}"
    );
}
