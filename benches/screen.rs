//! The cost of a frame: 200×60 cells on a program of about a hundred thousand nodes.

#[path = "../tests/stage/mod.rs"]
mod stage;

use divan::Bencher;
use lop::program::{EditAction, EditOp, IndexRanges, NodeShape, walk};
use lop::tui::palette::TerminalPalette;
use stage::{Stage, read, run};

fn main() {
    divan::main();
}

/// A C program of about a hundred thousand nodes.
fn large() -> Stage {
    let mut text = String::new();
    for number in 0..1600 {
        text.push_str(&format!(
            "int f{number}(int a, int b) {{\n    int c = a * {number} + b;\n    if (c > {number}) {{\n        c = f{}(c, \"s\"[0]);\n    }}\n    return c - (a + b);\n}}\n",
            number / 2
        ));
    }
    let version = read("large.c", &text);
    let nodes = walk::preorder(&version.documents()[0].root).count();
    assert!(nodes > 100_000, "only {nodes} nodes");
    Stage::of(run(version), TerminalPalette::FULL)
}

/// A C program of more than ten megabytes.
fn huge() -> Stage {
    let mut text = String::new();
    for number in 0..90_000 {
        text.push_str(&format!(
            "int f{number}(int a, int b) {{\n    int c = a * {number} + b;\n    if (c > {number}) {{\n        c = f{}(c, \"s\"[0]);\n    }}\n    return c - (a + b);\n}}\n",
            number / 2
        ));
    }
    assert!(text.len() > 10_000_000);
    Stage::of(run(read("huge.c", &text)), TerminalPalette::FULL)
}

/// Keys in a program of ten megabytes: each must be handled within a frame. `work` is the work between frames.
#[divan::bench(args = ["j", "tab", "G", "g", "E", "C", "n", "H", "d", "z", "t"], sample_count = 20)]
fn ten_megabytes_key_to_frame(bencher: Bencher, key: &str) {
    let mut stage = HUGE.with(|huge| huge.take().unwrap_or_else(huge_and_searched));
    bencher.bench_local(|| {
        stage.press_only(key);
        stage.frame(200, 60)
    });
    while stage.app.run_idle_work() {}
    HUGE.with(|huge| huge.set(Some(stage)));
}

/// One slice of the search through ten megabytes.
#[divan::bench(sample_count = 20)]
fn ten_megabytes_slice_of_search(bencher: Bencher) {
    let mut stage = HUGE.with(|huge| huge.take().unwrap_or_else(huge_and_searched));
    stage.press_only("/");
    stage.press_only("c");
    stage.press_only("enter");
    bencher.bench_local(|| stage.app.run_idle_work());
    while stage.app.run_idle_work() {}
    HUGE.with(|huge| huge.set(Some(stage)));
}

thread_local! {
    static HUGE: std::cell::Cell<Option<Stage>> = const { std::cell::Cell::new(None) };
}

fn huge_and_searched() -> Stage {
    let mut stage = huge();
    stage.frame(200, 60);
    stage.keys("/ 9 9 9 enter");
    stage
}

/// The first frame of a program of about a hundred thousand nodes, with all that is read for it.
#[divan::bench]
fn first_frame(bencher: Bencher) {
    let snapshot = std::sync::Arc::new(large().run);
    bencher.bench_local(|| {
        lop::tui::render_frame(
            &snapshot,
            (200, 60),
            lop::tui::ScreenContext::default(),
            TerminalPalette::FULL,
        )
    });
}

/// The rows that are open.
#[derive(Debug, Clone, Copy)]
enum Open {
    TopLevel,
    Everything,
}

/// The same run again and again: what a key costs.
#[divan::bench(args = [Open::TopLevel, Open::Everything])]
fn frame_after_a_key(bencher: Bencher, open: Open) {
    let mut stage = large();
    if let Open::Everything = open {
        stage.keys("E");
    }
    stage.frame(200, 60);
    bencher.bench_local(|| {
        stage.keys("j");
        stage.frame(200, 60)
    });
}

/// In the middle of the program, by pages.
#[divan::bench]
fn frame_after_a_page(bencher: Bencher) {
    let mut stage = large();
    stage.keys("E");
    stage.frame(200, 60);
    let mut forth = true;
    bencher.bench_local(|| {
        stage.keys(if forth { "tab G tab" } else { "tab g tab" });
        forth = !forth;
        stage.frame(200, 60)
    });
}

/// Another question each time, and the screen follows.
#[divan::bench(args = [Open::TopLevel, Open::Everything])]
fn frame_after_a_question(bencher: Bencher, open: Open) {
    let mut stage = large();
    if let Open::Everything = open {
        stage.keys("E F");
    }
    stage.frame(200, 60);
    let version = stage.run.version.clone();
    let root = &version.documents()[0].root;
    let lists: Vec<_> = walk::preorder(root)
        .filter(|node| node.shape == NodeShape::Star && node.len() == 3)
        .map(|node| node.id)
        .collect();
    let mut at = 0;
    bencher.bench_local(|| {
        at = (at + 37) % lists.len();
        let list = lists[at];
        stage.try_edit(
            EditOp::DeleteItems {
                list,
                items: IndexRanges::from_range(1..2),
            },
            EditAction::DropItems {
                go: 1,
                of: 3,
                first: None,
            },
            list,
        );
        stage.frame(200, 60)
    });
}

/// Another version each time: everything is unfolded, and an edit goes through.
#[divan::bench]
fn frame_after_a_take(bencher: Bencher) {
    let mut stage = large();
    stage.keys("E");
    stage.frame(200, 60);
    bencher.bench_local(|| {
        let list = {
            let root = &stage.run.version.documents()[0].root;
            let list =
                walk::preorder(root).find(|node| node.shape == NodeShape::Star && node.len() > 100);
            list.expect("functions").id
        };
        let edit = EditOp::DeleteItems {
            list,
            items: IndexRanges::from_range(50..51),
        }
        .into();
        let (version, _) =
            lop::program::apply_edit(&stage.run.version, &edit).expect("it can be made");
        stage.run.version = version;
        stage.run.number += 1;
        stage.show();
        stage.frame(200, 60)
    });
}
