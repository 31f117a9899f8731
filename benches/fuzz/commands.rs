//! Scripts of commands, and lines of the prompt: a printed command parses as the same, and a run executes it or says why not.

use std::sync::OnceLock;

use lop::language::by_name;
use lop::oracle::ScriptedRunner;
use lop::pass::STRATEGIES;
use lop::program::{NodeTarget as Place, Version};
use lop::reduce::{self, EngineCommand, VERBS};

use super::Target;
use super::exercise::{hash, outcome, read, setup};
use super::mutate::{Mutator, NUMBERS};
use super::random::Random;

pub const TARGET: Target = Target {
    name: "commands",
    what: "scripts of commands: read, written, read again; some obeyed",
    input,
    run,
};

const PROGRAM: &str = include_str!("../../tests/samples/small.c");

const PLACES: &[&str] = &[
    "12",
    "12-20",
    "3:5",
    "1-4294967295",
    "4294967295:4294967295",
    "main",
    "sum",
    "handler",
    "#7",
    "#0",
    "#18446744073709551615",
    "(call_expression) @keep",
    "(_) @keep",
    "[(identifier) (number_literal)] @x",
    "\"if\"",
    "((identifier) @a (#eq? @a \"sum\"))",
    "/a|b/",
    "/(/",
    "/x{1000}{1000}/",
    "lop-keep",
    "all",
    "é",
    "",
    "delete",
    "by",
];

const OTHERS: &[&str] = &[
    "size",
    "pass",
    "gone",
    "touch",
    "time",
    "invalid",
    "timeout",
    "question",
    "commit",
    "node",
    "candidate",
    "keep",
    "ban",
    "fails",
    "disable",
    "stop",
    "on",
    "off",
    "grep",
    "not-grep",
    "exit",
    "like",
    "line 2",
    "2/3",
    "0/0",
    "4294967295/4294967295",
    "delete",
    "replace",
    " by ",
    "keep",
    "\"int x;\\n\"",
    "\"\\u00ff\"",
    "\"\\u0100\"",
    "at decision ",
    "at commit ",
    "at size ",
    "at start: ",
    ":",
    ",",
    "/",
    "#",
    "1e-9",
    "1e18",
    "0.000000001",
    "18446744073709551615.9",
    "v1",
];

/// A line as its verb might want it.
fn line(random: &mut Random) -> String {
    let mut line = match random.below(6) {
        0 => format!("at decision {}: ", random.length(200)),
        1 => format!(
            "at {} {}: ",
            random.pick(&["commit", "size", "decision", "start", "noon"]),
            random.pick(NUMBERS)
        ),
        _ => String::new(),
    };
    line += random.pick(VERBS).name;
    let passes: Vec<&str> = STRATEGIES
        .iter()
        .flat_map(|strategy| strategy.passes.iter().map(|pass| pass.name))
        .collect();
    for _ in 0..random.below(4) {
        line += *random.pick(&[" ", " ", "  ", "\t", ""]);
        line += match random.below(5) {
            0 => *random.pick(OTHERS),
            1 => *random.pick(NUMBERS),
            2 => *random.pick(&passes),
            _ => *random.pick(PLACES),
        };
    }
    line + "\n"
}

fn input(random: &mut Random) -> Vec<u8> {
    let mut text = String::new();
    for _ in 0..random.length(20) {
        text += &line(random);
    }
    let mut text = text.into_bytes();
    if random.one_in(2) {
        let names: Vec<&str> = VERBS
            .iter()
            .map(|verb| verb.name)
            .chain(OTHERS.iter().copied())
            .collect();
        let mutator = Mutator {
            words: &names,
            pairs: &[
                ("(", ")"),
                ("\"", "\""),
                ("((a ", "))"),
                ("/", "/"),
                ("[", "]"),
            ],
            depth: 10_000,
            others: &[b"undo ban\nat decision 3: pin main\norder top level, certificate\n"],
        };
        mutator.mutate(random, &mut text);
    }
    text
}

fn program() -> &'static Version {
    static VERSION: OnceLock<Version> = OnceLock::new();
    VERSION.get_or_init(|| read(by_name("c"), PROGRAM.as_bytes()).expect("it can be read"))
}

fn run(input: &[u8]) {
    let text = String::from_utf8_lossy(input);
    let mut all = Vec::new();
    for line in text.lines() {
        if let Ok(command) = EngineCommand::parse_line(line) {
            let said = command.to_string();
            assert!(!said.contains('\n'), "{said:?} is more than a line");
            assert_eq!(
                EngineCommand::parse_line(&said),
                Ok(command),
                "{line:?} is written as {said:?}"
            );
        }
        if let Ok(place) = line.parse::<Place>() {
            assert_eq!(place.to_string().parse(), Ok(place.clone()));
            let _ = place.find_nodes(program());
        }
        match reduce::parse_script(line) {
            Ok(script) => {
                for (when, command) in script {
                    let said = reduce::script_line(when, &command);
                    assert_eq!(
                        reduce::parse_script(&said),
                        Ok(vec![(when, command.clone())]),
                        "{line:?} is written as {said:?}"
                    );
                    all.push((when, command));
                }
            }
            Err(error) => assert!(!error.problem.is_empty()),
        }
    }
    let salt = hash(input, 3);
    if !all.is_empty() && salt.is_multiple_of(4) {
        obey(all, salt);
    }
}

/// A run gets all of it, and ends, or pauses where it should.
fn obey(all: Vec<(reduce::ScriptTrigger, EngineCommand)>, salt: u64) {
    let runner =
        ScriptedRunner::new(move |files| outcome(hash(&files[0].1, salt).is_multiple_of(3)));
    let mut setup = setup(program().clone(), runner, 1);
    setup.script.extend(all);
    let run = reduce::start_run(setup).expect("a run");
    for event in &run.events {
        if let reduce::RunEvent::Paused { .. } = event {
            break;
        }
    }
    let _ = run.commands.send(EngineCommand::Stop);
    run.wait_for_end();
}
