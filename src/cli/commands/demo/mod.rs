//! `lop demo`: a program and a test that come with lop.

use std::fs;
use std::io;
use std::path::Path;
use std::{env, process};

use crate::cli::args::DemoArgs;
use crate::cli::failure::{CommandFailure, FAILED, OrFail};
use crate::cli::launch::fresh_directory::create_directory;
use crate::cli::launch::front_end::FrontEnd;
use crate::cli::launch::plan::{RunPlan, SessionChoice};
use crate::cli::launch::prepared_run::PreparedRun;
use crate::cli::launch::run_plan;
use crate::cli::launch::test_spec::TestSpec;
use crate::cli::program_path::quote_own_program;
use crate::display::{EscapeHidden, escape_page};
use crate::plain::{ConsoleWriter, quote_path_for_display};
use crate::session::session_directory::SessionDirectory;
use crate::session::{RunInput, create_executable};

/// The program of `lop demo`.
pub const DEMO_PROGRAM: &str = include_str!("program.c");
const TEST: &str = include_str!("test.sh");

/// The next step after the demo, for who runs lop by typing `lop`.
pub fn demo_next_step(lop: &str) -> String {
    format!("now your own:  {lop} FILE  asks for all that it needs")
}

/// Writes the demo to a fresh directory, reduces it, and shows the result.
pub fn run_demo(demo: &DemoArgs) -> Result<u8, CommandFailure> {
    if !has_compiler() {
        return Err(CommandFailure::new(
            FAILED,
            "the demo's test calls the C compiler as cc, and there is none; install gcc or clang, and try again",
        ));
    }
    // The directory stays: the result is in it.
    let made = create_directory("lop-demo-")
        .and_then(|directory| write_demo(directory.path()).map(|()| directory.keep()));
    let directory = made.map_err(|error| {
        CommandFailure::new(
            FAILED,
            format!(
                "the demo cannot be written to {}: {error}",
                env::temp_dir().escape_hidden()
            ),
        )
    })?;
    let (program, test) = (directory.join("program.c"), directory.join("test.sh"));
    let input = RunInput::Program(PreparedRun::read_input(&program)?);
    let mut plan = RunPlan::new(input, TestSpec::from_script(&test), &demo.common);
    let front = plan.front_end;
    plan.notes = vec![
        format!(
            "the demo is in {}: a program, and a test for it",
            directory.escape_hidden()
        ),
        "the test keeps one warning of the compiler, which stands for a bug".into(),
    ];
    let lop = quote_own_program();
    plan.next_steps = vec![demo_next_step(&lop)];
    // Without a pause it would be over before the user sees it.
    plan.start_paused = true;
    let session = directory.join("session");
    plan.session = SessionChoice::At(session.clone());
    let status = run_plan(plan)?.status;
    if front != FrontEnd::Json {
        print_result(&directory.join("program.lop.c"))?;
        let mut out = ConsoleWriter::stdout();
        out.write_line("");
        if SessionDirectory::from_path(&session)
            .journal_path()
            .exists()
        {
            out.write_line(&format!(
                "lop: the test says in its comments how it works; to watch the run again, five times slower:\n    {lop} replay {} --speed 0.2",
                quote_path_for_display(&session)
            ));
        }
        out.write_line(&format!(
            "lop: the program, the test and the result stay in {0}; to remove them:\n    rm -r {0}",
            quote_path_for_display(&directory)
        ));
    }
    Ok(status)
}

fn has_compiler() -> bool {
    let mut compiler = process::Command::new("cc");
    compiler
        .arg("--version")
        .stdin(process::Stdio::null())
        .stdout(process::Stdio::null())
        .stderr(process::Stdio::null());
    compiler.status().is_ok_and(|status| status.success())
}

/// Writes the program and its test.
fn write_demo(directory: &Path) -> io::Result<()> {
    fs::write(directory.join("program.c"), DEMO_PROGRAM)?;
    create_executable(&directory.join("test.sh"), TEST)
}

/// Prints the reduced program.
fn print_result(result: &Path) -> Result<(), CommandFailure> {
    let text = fs::read(result).or_fail(FAILED)?;
    let mut out = ConsoleWriter::stdout();
    out.write_line("");
    out.write_page(&escape_page(&text));
    if !text.ends_with(b"\n") {
        out.write_line("");
    }
    Ok(())
}
