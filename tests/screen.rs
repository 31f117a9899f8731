//! Stories about the screen: (program, keys, what is seen).

mod stage;

use lop::program::{Action, Op, Shape};
use stage::{PROGRAM, Stage, find};

fn a_run() -> Stage {
    let mut stage = Stage::new(PROGRAM);
    let while_ = find(&stage.run.version, "while", |shape| shape == Shape::Regular);
    let list = stage
        .run
        .version
        .trail(while_)
        .unwrap()
        .parent()
        .unwrap()
        .id;
    stage.try_edit(
        Op::DeleteItems {
            list,
            items: lop::program::Indices::range(1..2),
        },
        Action::DropItems {
            go: 1,
            of: 2,
            first: Some(while_),
        },
        list,
    );
    stage
}

#[test]
fn print() {
    let mut stage = a_run();
    println!("{}", stage.screen(140, 40));
    println!("{}", stage.screen(80, 24));
    println!("{}", stage.screen(50, 12));
    println!("{}", stage.screen(20, 5));
}
