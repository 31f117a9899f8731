//! Every error that a user can cause says what happened, where, and what to do. The catalogue is in `rows.rs`. It is tested here, and
//! compared with the sources: it has every error message.

mod rows;
mod sources;

use std::fs::{self, Permissions};
use std::io::Read;
use std::os::unix::fs::{PermissionsExt, chown, symlink};
use std::path::Path;
use std::process::Command;
use std::sync::Mutex;
use std::thread;

use crate::shell::Stage;
use portable_pty::{CommandBuilder, PtySize, native_pty_system};
use rows::{ROWS, Row, There, Who};

const LOP: &str = env!("CARGO_BIN_EXE_lop");
/// How many rows are tried at a time.
const THREADS: usize = 4;

/// The user to whom permissions apply where the tests run as root.
const NOBODY: u32 = 65534;

fn is_root() -> bool {
    rustix::process::getuid().is_root()
}

/// Somebody else can be had: as root by `setpriv`.
fn has_others() -> bool {
    !is_root() || Command::new("setpriv").arg("--version").output().is_ok()
}

/// Puts it there.
fn set_up(stage: &Stage, there: There) {
    let journal = || stage.sessions().join("bug.c-1/journal.jsonl");
    match there {
        There::File(name, text) => fs::write(stage.path(name), text).expect("a file"),
        There::Bytes(name, bytes) => fs::write(stage.path(name), bytes).expect("a file"),
        There::Test(name, lines) => stage.test(name, lines),
        There::Dir(name) => fs::create_dir_all(stage.path(name)).expect("a directory"),
        There::Pipe(name) => stage.pipe(name),
        There::Link(name, to) => symlink(to, stage.path(name)).expect("a link"),
        There::Large(name, bytes) => fs::File::create(stage.path(name))
            .and_then(|file| file.set_len(bytes))
            .expect("a large file"),
        There::Mode(name, mode) => {
            fs::set_permissions(stage.path(name), Permissions::from_mode(mode)).expect("a mode");
        }
        There::Session => {
            let end = stage.lop(&["bug.c", "test.sh", "--jobs", "1"]);
            assert_eq!(end.status, 0, "{end}");
        }
        There::Journal(from, to) => {
            let text = fs::read_to_string(journal()).expect("a journal");
            assert!(text.contains(from), "{from}: {text}");
            fs::write(journal(), text.replacen(from, to, 1)).expect("a journal");
        }
        There::Config(text) => {
            fs::create_dir_all(stage.path("settings/lop")).expect("a directory");
            stage.write("settings/lop/config.toml", text);
        }
        There::Variable(..) => {}
    }
}

/// The command that tries a row, as words; `lop` is the program, where everybody can run it.
fn words(stage: &Stage, row: &Row, lop: &Path) -> Vec<String> {
    let mut words: Vec<String> = Vec::new();
    if row.who == Who::NotRoot && is_root() {
        let owned = stage.names().into_iter().chain([String::new()]);
        for path in owned.map(|name| stage.path(&name)) {
            chown(&path, Some(NOBODY), Some(NOBODY)).expect("another owner");
        }
        let nobody = NOBODY.to_string();
        words.extend(["setpriv", "--reuid", &nobody, "--regid", &nobody].map(String::from));
        words.extend(["--clear-groups"].map(String::from));
        words.push(lop.display().to_string());
    } else {
        words.push(LOP.into());
    }
    let state = stage.state().display().to_string();
    words.extend(row.line.iter().map(|word| word.replace("STATE", &state)));
    words
}

/// What lop says, and its exit status.
fn tried(row: &Row, lop: &Path) -> (i32, String) {
    let stage = Stage::new();
    row.there.iter().for_each(|there| set_up(&stage, *there));
    let words = words(&stage, row, lop);
    let mut variables = vec![
        ("XDG_STATE_HOME", stage.state().display().to_string()),
        (
            "XDG_CONFIG_HOME",
            stage.path("settings").display().to_string(),
        ),
        ("XDG_CACHE_HOME", stage.path("cache").display().to_string()),
    ];
    for there in row.there {
        if let There::Variable(name, value) = there {
            variables.push((name, (*value).to_owned()));
        }
    }
    match row.who {
        Who::OnTerminal => on_terminal(&stage, &words, &variables),
        Who::Anybody | Who::NotRoot => {
            let arguments: Vec<&str> = words[1..].iter().map(String::as_str).collect();
            let mut command = stage.program(&words[0], &arguments);
            let output = command.envs(variables).output().expect("lop");
            let said = String::from_utf8(output.stderr).expect("text");
            (output.status.code().unwrap_or(-1), said)
        }
    }
}

/// The same on a terminal that is wide enough for every line.
fn on_terminal(stage: &Stage, words: &[String], variables: &[(&str, String)]) -> (i32, String) {
    let size = PtySize {
        cols: 2000,
        ..PtySize::default()
    };
    let pty = native_pty_system().openpty(size).expect("a terminal");
    let mut command = CommandBuilder::new(&words[0]);
    command.args(&words[1..]);
    command.cwd(stage.path(""));
    command.env("TERM", "xterm-256color");
    variables
        .iter()
        .for_each(|(name, value)| command.env(name, value));
    let mut reader = pty.master.try_clone_reader().expect("its output");
    let mut child = pty.slave.spawn_command(command).expect("lop");
    drop(pty.slave);
    let mut said = Vec::new();
    // Its end is an error on Linux.
    let _ = reader.read_to_end(&mut said);
    let status = child.wait().expect("an end").exit_code();
    let status = i32::try_from(status).expect("a status");
    (status, String::from_utf8_lossy(&said).replace('\r', ""))
}

/// What no user should read.
const NOISE: &[&str] = &[
    "Some(",
    "None)",
    "Err(",
    "Ok(",
    "Os {",
    "kind:",
    "panicked",
    "RUST_BACKTRACE",
    "at path \"",
    "..=",
    "invalid digit",
    "stream did not",
    "; \n",
    ": \n",
];

/// How it begins: lop's word, clap's, or that of the help.
const BEGINS: &[&str] = &["lop: ", "error: ", "Cuts a program down"];

/// What is wrong with what lop says; none if nothing is.
fn fault(row: &Row, status: i32, said: &str) -> Option<String> {
    let lacks = |text: &&&str| !said.contains(**text);
    let what = row
        .says
        .iter()
        .find(lacks)
        .map(|text| format!("it lacks {text:?}"));
    let noise = NOISE.iter().find(|noise| said.contains(**noise));
    what.or_else(|| (status != row.status).then(|| format!("the status is {status}")))
        .or_else(|| noise.map(|noise| format!("{noise:?} is for nobody")))
        .or_else(|| {
            (!BEGINS.iter().any(|begins| said.starts_with(begins))).then(|| "who says that?".into())
        })
        .map(|fault| format!("{}: {fault}\n{said}", row.name))
}

/// Tries all rows that can be tried here; all that was said, and all that was wrong with it.
fn all() -> (String, Vec<String>) {
    // The program may lie where only root can look. It is there before there are threads: a file that somebody writes cannot be run.
    let open = tempfile::tempdir().expect("a directory");
    let lop = open.path().join("lop");
    fs::copy(LOP, &lop).expect("a program");
    fs::set_permissions(open.path(), Permissions::from_mode(0o755)).expect("a mode");
    let todo = Mutex::new(ROWS.iter());
    let ends = Mutex::new((String::new(), Vec::new()));
    let others = has_others();
    let work = || {
        loop {
            let next = todo.lock().expect("nobody fails").next();
            let Some(row) = next else {
                return;
            };
            if row.who == Who::NotRoot && !others {
                println!("SKIPPED: {}: as root it needs setpriv", row.name);
                continue;
            }
            let (status, said) = tried(row, &lop);
            let mut ends = ends.lock().expect("nobody fails");
            ends.1.extend(fault(row, status, &said));
            ends.0 += &said;
        }
    };
    thread::scope(|scope| (0..THREADS).for_each(|_| drop(scope.spawn(work))));
    ends.into_inner().expect("nobody fails")
}

#[test]
#[ignore = "long"]
fn every_error_says_what_happened_where_and_what_to_do() {
    let (said, faults) = all();
    assert!(
        faults.is_empty(),
        "{} rows:\n{}",
        faults.len(),
        faults.join("\n")
    );
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("src");
    let missing = sources::missing(&root, &said);
    assert!(missing.is_empty(), "{}", missing.join("\n"));
}
