//! The screen: (program, keys, what it shows).

mod algorithm;
mod answers;
mod commands;
#[path = "../common/mod.rs"]
mod common;
mod contrast;
mod detours;
mod end;
mod files;
mod generator;
mod glance;
mod hidden;
mod highlighting;
mod history;
mod lessons;
mod log;
mod moving;
mod pairs;
mod panes;
mod prompt;
mod race;
mod replay;
mod run;
mod search;
mod sizes;
#[path = "../stage/mod.rs"]
mod stage;
mod start_page;
mod steering;
mod steps;

use lop::oracle::Verdict;
use lop::program::{EditAction, EditOp, IndexRanges, NodeShape, Replacement};
use ratatui::buffer::Buffer;
use stage::{PROGRAM, Stage, find, text};

/// A run that asks whether the loop can go.
fn loop_is_tried() -> Stage {
    let mut stage = Stage::new(PROGRAM);
    ask_for(&mut stage, "while");
    stage
}

/// The run asks whether the statement that begins so can go.
fn ask_for(stage: &mut Stage, begins: &str) {
    let version = &stage.run.version;
    let statement = find(version, begins, |shape| shape == NodeShape::Regular);
    let trail = version.path_to(statement).expect("it is there");
    let list = trail.parent().expect("it is in a list");
    let at = list
        .children()
        .iter()
        .position(|kid| kid.id == statement)
        .expect("of it") as u32;
    let (list, of) = (list.id, list.len() as u32);
    stage.try_edit(
        EditOp::DeleteItems {
            list,
            items: IndexRanges::from_range(at..at + 1),
        },
        EditAction::DropItems {
            go: 1,
            of,
            first: Some(statement),
        },
        list,
    );
}

/// A run with some history.
fn in_the_middle() -> Stage {
    let mut stage = loop_is_tried();
    stage.answer(Verdict::Interesting);
    ask_for(&mut stage, "g(s.a);");
    stage.answer(Verdict::Uninteresting);
    ask_for(&mut stage, "s.a = g(2);");
    stage.answer(Verdict::TimedOut);
    let version = &stage.run.version;
    let node = find(version, "if", |shape| shape == NodeShape::Regular);
    let body = find(version, "{ g(s.a)", |shape| shape == NodeShape::Regular);
    stage.try_edit(
        EditOp::Replace {
            node,
            piece: Replacement::Node(body),
        },
        EditAction::ReplaceBy(body),
        node,
    );
    stage
}

/// The cells of a frame whose text is `needle`, on the first line that has it.
fn cells(frame: &Buffer, needle: &str) -> Vec<ratatui::buffer::Cell> {
    let width = frame.area.width as usize;
    for row in frame.content().chunks(width) {
        let line: Vec<&str> = row.iter().map(|cell| cell.symbol()).collect();
        let wanted: Vec<String> = needle.chars().map(String::from).collect();
        if let Some(at) = line.windows(wanted.len()).position(|part| part == wanted) {
            return row[at..at + wanted.len()].to_vec();
        }
    }
    panic!("no {needle} in\n{}", text(frame));
}
