//! What a frame costs: 200×60 cells over a program of about a hundred thousand nodes.

#[path = "../tests/stage/mod.rs"]
mod stage;

use divan::Bencher;
use lop::program::{Action, Indices, Op, Shape, walk};
use lop::tui::palette::Palette;
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
    Stage::of(run(version), Palette::FULL)
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
        .filter(|node| node.shape == Shape::Star && node.len() == 3)
        .map(|node| node.id)
        .collect();
    let mut at = 0;
    bencher.bench_local(|| {
        at = (at + 37) % lists.len();
        let list = lists[at];
        stage.try_edit(
            Op::DeleteItems {
                list,
                items: Indices::range(1..2),
            },
            Action::DropItems {
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
                walk::preorder(root).find(|node| node.shape == Shape::Star && node.len() > 100);
            list.expect("functions").id
        };
        let edit = Op::DeleteItems {
            list,
            items: Indices::range(50..51),
        }
        .into();
        let (version, _) = lop::program::apply(&stage.run.version, &edit).expect("it can be made");
        stage.run.version = version;
        stage.run.number += 1;
        stage.show();
        stage.frame(200, 60)
    });
}
