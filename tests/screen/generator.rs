//! A run on a sequence of choices, of which a generator makes the program.

use std::path::Path;
use std::sync::Arc;

use crate::stage::{Stage, context, run};
use lop::oracle::ProgramMemory;
use lop::program::{self, Objective};
use lop::protocol::list_choices;
use lop::reduce::FinishReason;
use lop::tui::ScreenContext;
use lop::tui::palette::TerminalPalette;

#[test]
fn the_result_shows_the_program_that_is_made() {
    let listing: Arc<[u8]> = list_choices(&[1, 0, 5, 200]).into();
    let source = (None, Arc::from(Path::new("c.bin")), listing.clone());
    let version = program::read_documents(vec![source]).expect("it is read");
    let programs = Arc::new(ProgramMemory::default());
    programs.keep_program(
        &listing,
        &Arc::from(&b"int f(int x) {\n  \x1b[2Jx = y1;\n}\n"[..]),
    );
    let mut stage = Stage::with_context(
        run(version.with_objective(Objective::Choices)),
        TerminalPalette::FULL,
        ScreenContext {
            program: Some("bug.lop.c".into()),
            programs: Some(programs),
            ..context()
        },
    );
    let screen = stage.screen(100, 40);
    assert!(screen.contains("1 0 5 200"), "{screen}");
    stage.finish(FinishReason::Complete);
    let screen = stage.screen(100, 40);
    for said in [
        "The program that it makes is in bug.lop.c",
        "look at it: less bug.lop.c",
        "int f(int x) {",
        "<U+001B>[2Jx = y1;",
    ] {
        assert!(screen.contains(said), "{said}: {screen}");
    }
}
