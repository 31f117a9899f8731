//! `lop demo`: a program and a test that come with lop.

use std::fs::{self, Permissions};
use std::io;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::{env, process};

use super::args;
use super::failure::{FAILED, Failure, OrFail};
use super::front::Front;
use super::given::Given;
use super::reduction::{Keep, Plan};
use crate::display::{Shown, shown_page};
use crate::plain::{Out, quoted};
use crate::session;
use crate::session::place::Place;

pub(in crate::cli) const PROGRAM: &str = include_str!("program.c");
const TEST: &str = include_str!("test.sh");

/// Writes the demo to a fresh directory, reduces it, and shows the result.
pub(super) fn run(demo: &args::Demo) -> Result<u8, Failure> {
    if !has_compiler() {
        return Err(Failure::new(
            FAILED,
            "the demo's test calls the C compiler as cc, and there is none; install gcc or clang, and try again",
        ));
    }
    // The directory stays: the result is in it.
    let made = tempfile::Builder::new()
        .prefix("lop-demo-")
        .tempdir()
        .map_err(session::system_words)
        .and_then(|directory| write(directory.path()).map(|()| directory.keep()));
    let directory = made.map_err(|error| {
        Failure::new(
            FAILED,
            format!(
                "the demo cannot be written to {}: {error}",
                env::temp_dir().shown()
            ),
        )
    })?;
    let (program, test) = (directory.join("program.c"), directory.join("test.sh"));
    let mut plan = Plan::new(program, Given::script(&test), &demo.common);
    let front = plan.front;
    plan.notes = vec![
        format!(
            "the demo is in {}: a program, and a test for it",
            directory.shown()
        ),
        "the test keeps one warning of the compiler alive, which stands in for a bug".into(),
    ];
    plan.next = next();
    // It would be over before anyone has looked.
    plan.waits = true;
    let session = directory.join("session");
    plan.session = Keep::At(session.clone());
    let status = plan.run()?;
    if front != Front::Json {
        show(&directory.join("program.lop.c"))?;
        let mut out = Out::stdout();
        out.line("");
        if Place::at(&session).journal().exists() {
            out.line(&format!(
                "lop: to watch it again, five times slower:\n    lop replay {} --speed 0.2",
                quoted(&session)
            ));
        }
        out.line(&format!(
            "lop: the program, the test and the result stay in {0}; to remove them:\n    rm -r {0}",
            quoted(&directory)
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
pub(in crate::cli) fn write(directory: &Path) -> io::Result<()> {
    fs::write(directory.join("program.c"), PROGRAM)?;
    let test = directory.join("test.sh");
    fs::write(&test, TEST)?;
    fs::set_permissions(test, Permissions::from_mode(0o755))
}

/// What to do after the demo.
pub(in crate::cli) fn next() -> Vec<String> {
    vec!["now your own: write a test, then type  lop FILE TEST".into()]
}

/// Ends with what is left of the program.
fn show(result: &Path) -> Result<(), Failure> {
    let text = fs::read(result).or_fail(FAILED)?;
    let mut out = Out::stdout();
    out.line("");
    out.page(&shown_page(&text));
    if !text.ends_with(b"\n") {
        out.line("");
    }
    Ok(())
}
