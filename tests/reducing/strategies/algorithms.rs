//! What passes say of their algorithms: (program, strategy, what is needed, the states of the questions).

use std::ops::Range;

use lop::pass::{PassOptions, STRATEGIES, find_strategy};
use lop::program::{NodeId, Version, View, text_excerpt};
use lop::protocol::{AlgorithmPicture, AlgorithmState, ChunkFate, Feedback, Proposer};
use lop::reduce::PassSchedule;

use crate::common::{read, text};
use crate::strategies::{SMALL, take_step};

const LIST: &str = "int a;\nint b;\nint f(void) {\n  g(1);\n  h(2);\n}\n";

/// Behind each algorithm in angle brackets: the node at hand and what waits, the level of all with their parts, or the chunks, of which those
/// behind a `-` would go.
#[rustfmt::skip]
const PERSES: [&str; 5] = [
    "Perses: a list? minimise its elements <int a; int f(… |> / complements: all but it? drop it < [1 int a;] -[1 int f(void) {…]>",
    "Perses: a list? minimise its elements <int a; int f(… |> / complements: all but it? drop it <-[1 int a;]  [1 int f(void) {…]>",
    "Perses: else a smaller one from inside of it <int f(void) {… | int a;>",
    "Perses: a list? minimise its elements <g(1); h(2); | int a;> / complements: all but it? drop it <-[2 g(1);]>",
    "Perses: a list? minimise its elements <g(1); h(2); | int a;> / complements: all but it? drop it < [1 g(1);] -[1 h(2);]>",
];

#[rustfmt::skip]
const HDD: [&str; 4] = [
    "coarse HDD: minimise the list of all of them <level 1 of 1:2 3:2 4:3 7:2> / complements: all but it? drop it <-[1 int a;]  [1 int f(void) {…]>",
    "coarse HDD: minimise the list of all of them <level 1 of 1:2 3:2 4:3 7:2> / complements: all but it? drop it < [1 int a;] -[1 int f(void) {…]>",
    "coarse HDD: minimise the list of all of them <level 1 of 1:2 3:2 4:3 7:2> / complements: all but it? drop it <-[1 int a;]  [1 int f(void) {…]>",
    "coarse HDD: minimise the list of all of them <level 3 of 1:2 3:2 4:3 7:2> / complements: all but it? drop it <-[2 g(1);]>",
];

#[rustfmt::skip]
const HDDR: [&str; 3] = [
    "HDDr: minimise the list of its children <int a; int f(… |> / complements: all but it? drop it <-[1 int a;]  [1 int f(void) {…]>",
    "HDDr: minimise the list of its children <{ g(1); h(2);… | f | (void)> / complements: all but it? drop it <-[2 g(1);]>",
    "HDDr: minimise the list of its children <{ g(1); h(2);… | f | (void)> / complements: all but it? drop it < [1 g(1);] -[1 h(2);]>",
];

#[rustfmt::skip]
const PARDIS: [&str; 4] = [
    "Pardis: may it go, and does it? drop it <int f(void) {… | int a; | int b;>",
    "Pardis: may it go, and does it? drop it <g(1); | h(2); | f(void) | int a; | int b; | int | { | }>",
    "Pardis: may it go, and does it? drop it <h(2); | f(void) | int a; | int b; | int | { | }>",
    "Pardis: may it go, and does it? drop it <h(2) | int a; | int b; | (void) | int | { | } | ; | f>",
];

/// How a node begins.
fn words(version: &Version, node: NodeId) -> String {
    let node = version.find_node(node);
    node.map_or_else(|| "gone".into(), |node| text_excerpt(node, 14))
}

/// A state as a row: the algorithms from the outermost to the innermost, each with its present line and what it works on.
fn row(version: &Version, state: &AlgorithmState<NodeId>) -> String {
    let layers = state.layers.iter().map(|layer| {
        let line = layer.text.lines[layer.line].split_whitespace();
        let line = line.collect::<Vec<_>>().join(" ");
        let picture = match &layer.picture {
            AlgorithmPicture::None => String::new(),
            AlgorithmPicture::Chunks(picture) => {
                let chunks = picture.chunks.iter().map(|chunk| {
                    let sign = match chunk.fate {
                        ChunkFate::Going => '-',
                        ChunkFate::GoingInPart => '~',
                        ChunkFate::KeptAlone => 'K',
                        ChunkFate::Tried | ChunkFate::Open => ' ',
                    };
                    format!("{sign}[{} {}]", chunk.elements, words(version, chunk.first))
                });
                chunks.collect::<Vec<_>>().join(" ")
            }
            AlgorithmPicture::Queue(queue) => {
                let next = queue.next.iter().map(|node| words(version, *node));
                format!(
                    "{} | {}",
                    words(version, queue.at_hand),
                    next.collect::<Vec<_>>().join(" | ")
                )
            }
            AlgorithmPicture::Levels(picture) => {
                let levels = picture.levels.iter();
                let levels = levels.map(|size| format!("{}:{}", size.level, size.parts));
                let levels = levels.collect::<Vec<_>>().join(" ");
                format!("level {} of {levels}", picture.level)
            }
        };
        format!("{}: {line} <{}>", layer.text.name, picture.trim_end())
    });
    layers.collect::<Vec<_>>().join(" / ")
}

/// Drives a strategy on a C program; `see` gets the state of each question.
fn drive(
    options: PassOptions,
    program: &str,
    questions: usize,
    interesting: impl Fn(&str) -> bool,
    mut see: impl FnMut(&View, Option<AlgorithmState<NodeId>>),
) {
    let mut view = View::new(read("a.c", program));
    let mut schedule = PassSchedule::new(options.for_version(&view.version));
    let mut asked = 0;
    let mut is_going_on = true;
    while is_going_on && asked < questions {
        is_going_on = take_step(&mut schedule, &mut view, |schedule, view, candidate| {
            asked += 1;
            see(view, schedule.describe_algorithm(view));
            match interesting(&text(candidate)) {
                true => Feedback::Interesting,
                false => Feedback::Uninteresting,
            }
        });
    }
}

/// The states of these questions, counted from 0, where `int a` and `h(2)` are needed.
fn states(strategy: &str, questions: Range<usize>) -> Vec<String> {
    let strategy = find_strategy(strategy).expect("a strategy");
    let mut seen = Vec::new();
    drive(
        PassOptions::from_strategy(strategy),
        LIST,
        questions.end,
        |text| text.contains("h(2)") && text.contains("int a"),
        |view, state| {
            let state = state.expect("it has a state");
            seen.push(row(&view.version, &state));
        },
    );
    seen.split_off(questions.start)
}

#[test]
fn perses_tells_the_node_at_hand_and_what_waits() {
    assert_eq!(states("perses", 6..11), PERSES);
}

#[test]
fn hdd_tells_the_level_and_how_many_parts_each_has() {
    assert_eq!(states("hdd", 5..9), HDD);
}

#[test]
fn hddr_and_pardis_tell_their_queues() {
    assert_eq!(states("hddr", 7..10), HDDR);
    assert_eq!(states("pardis", 0..4), PARDIS);
}

#[test]
fn the_default_strategy_tells_its_queue_too() {
    let told = states_of_default();
    let shows = |words: &str| told.iter().any(|row| row.starts_with(words));
    assert!(shows("heaviest first: a list?"), "{told:#?}");
    assert!(shows("heaviest first: else a smaller one"), "{told:#?}");
}

fn states_of_default() -> Vec<String> {
    let mut seen = Vec::new();
    drive(
        PassOptions::default(),
        LIST,
        40,
        |text| text.contains("h(2)"),
        |view, state| {
            if let Some(state) = state {
                seen.push(row(&view.version, &state));
            }
        },
    );
    seen
}

#[test]
fn what_a_state_names_is_there_and_short() {
    for strategy in STRATEGIES
        .iter()
        .filter(|strategy| !strategy.needs_statements() && !strategy.needs_bnf())
    {
        let mut told = 0;
        drive(
            PassOptions::from_strategy(strategy),
            SMALL,
            150,
            |text| text.len() % 3 == 0,
            |view, state| {
                let Some(state) = state else { return };
                told += 1;
                for layer in &state.layers {
                    let name = layer.text.name;
                    assert!(layer.line < layer.text.lines.len(), "{name}");
                    let is_there = |node: NodeId| view.version.find_node(node).is_some();
                    match &layer.picture {
                        AlgorithmPicture::Chunks(picture) => {
                            assert!(picture.chunks.len() <= 65, "{name}");
                            let mut chunks = picture.chunks.iter();
                            assert!(
                                chunks.all(|chunk| is_there(chunk.first) && is_there(chunk.last)),
                                "{name}"
                            );
                        }
                        AlgorithmPicture::Queue(picture) => {
                            assert!(is_there(picture.at_hand), "{name}");
                            assert!(picture.next.len() <= 8, "{name}");
                        }
                        AlgorithmPicture::Levels(_) | AlgorithmPicture::None => {}
                    }
                }
            },
        );
        let is_told = ["lines", "hdd", "hddr", "perses", "pardis", "lop"];
        assert!(
            told > 0 || !is_told.contains(&strategy.name),
            "{}",
            strategy.name
        );
    }
}
