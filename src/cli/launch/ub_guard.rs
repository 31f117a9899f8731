//! Stages that keep undefined behaviour out of candidates which two compilers, or two levels of one, disagree about.
//!
//! A program with undefined behaviour may do anything, so a reducer that searches for a difference drifts towards it. Therefore a
//! candidate must compile without warnings, run silently and equally under sanitizers and with other values in uninitialised variables,
//! and behave the same with another compiler. Stages whose tools are missing on this machine are left out, with a note.

use std::env;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::cli::failure::{CommandFailure, FAILED, OrFail, USAGE};
use crate::oracle::shell::quote_path;
use crate::oracle::{CANDIDATE, StageCommand, StageRole, TestStage};
use crate::session::InputFile;

/// Warnings that mean undefined behaviour, or a program that only works by accident. Compilers ignore those they do not know.
const WARNINGS: &[&str] = &[
    "uninitialized",
    "sometimes-uninitialized",
    "return-type",
    "array-bounds",
    "stringop-overflow",
    "format",
    "return-local-addr",
    "return-stack-address",
    "dangling-pointer",
    "use-after-free",
    "shift-count-overflow",
    "shift-count-negative",
    "div-by-zero",
    "division-by-zero",
    "overflow",
    "sequence-point",
    "unsequenced",
    "strict-aliasing",
    "implicit-function-declaration",
    "implicit-int",
    "int-conversion",
    "incompatible-pointer-types",
    "builtin-declaration-mismatch",
    "pointer-to-int-cast",
    "int-to-pointer-cast",
    "discarded-qualifiers",
    "strict-prototypes",
    "missing-parameter-type",
    "nonnull",
];

/// Options that the compiler needs to give these warnings.
const LOOKED_FOR: &str = "-Wall -Wextra -O1";

/// A language, and groups of compilers for it. Of each group the first installed one is used.
struct SourceKind {
    extensions: &'static [&'static str],
    compilers: &'static [&'static [&'static str]],
}

const KINDS: &[SourceKind] = &[
    SourceKind {
        extensions: &["c", "i"],
        compilers: &[&["gcc", "cc"], &["clang"]],
    },
    SourceKind {
        extensions: &["cc", "cpp", "cxx", "C", "ii"],
        compilers: &[&["g++", "c++"], &["clang++"]],
    },
];

/// A program that does nothing, valid in both languages.
const NOTHING: &str = "int main(void) { return 0; }\n";

/// The stages around the two commands.
#[derive(Default)]
pub struct UbGuard {
    pub before: Vec<TestStage>,
    pub after: Vec<TestStage>,
    /// What is missing on this machine.
    pub notes: Vec<String>,
}

/// The guard for a file, with flags for its compilers, around the right and the wrong command.
pub fn build_guard(
    input: &InputFile,
    flags: &str,
    pair: [&str; 2],
) -> Result<UbGuard, CommandFailure> {
    let extension = Path::new(input.file_name())
        .extension()
        .and_then(OsStr::to_str);
    let of = |kind: &&SourceKind| extension.is_some_and(|own| kind.extensions.contains(&own));
    let Some(kind) = KINDS.iter().find(of) else {
        return Err(CommandFailure::new(
            USAGE,
            "--ub-guard is for C and C++ only, and the file's name says neither; leave it out",
        ));
    };
    let directory = tempfile::tempdir().or_fail(FAILED)?;
    let nothing = directory
        .path()
        .join(format!("nothing.{}", kind.extensions[0]));
    std::fs::write(&nothing, NOTHING).or_fail(FAILED)?;
    let flags = format!(" {flags}").trim_end().to_owned();
    let mut guard = UbGuard::default();
    let all: Vec<Vec<InstalledCompiler>> = kind
        .compilers
        .iter()
        .map(|names| find_compilers(names))
        .collect();
    let compilers: Vec<&InstalledCompiler> = all.iter().filter_map(|group| group.first()).collect();
    for compiler in &compilers {
        let compiler = &compiler.name;
        let (check, has) =
            warning_check(compiler, &flags, [&nothing, &input.path], directory.path());
        guard.before.push(check);
        if !has.is_empty() {
            guard.notes.push(format!(
                "{compiler} warns of possible undefined behaviour in the original, so these warnings are ignored: {}",
                has.join(", ")
            ));
        }
    }
    let mut runs = |what: &str, line: String| match line_succeeds(&line, &nothing, directory.path())
    {
        true => guard
            .after
            .push(TestStage::new(StageRole::Agrees, StageCommand::Shell(line))),
        false => guard.notes.push(format!(
            "the guard works without {what}, because this command fails here: {line}"
        )),
    };
    // A compiler of one of the commands is not independent, and that of the wrong command is suspect.
    let [right, wrong] = pair.map(find_programs);
    let is_other = |compiler: &&InstalledCompiler| {
        !right.contains(&compiler.program) && !wrong.contains(&compiler.program)
    };
    let other = all.iter().rev().flatten().find(is_other);
    if let Some(other) = other {
        runs(
            "a second compiler",
            compile_and_run(&other.name, &format!("{flags} -w -O0"), "lop-second"),
        );
    }
    let is_trusted = |compiler: &&&InstalledCompiler| {
        right.contains(&compiler.program) || !wrong.contains(&compiler.program)
    };
    if let Some(first) = compilers.iter().find(is_trusted) {
        let first = &first.name;
        let filled = format!("{flags} -w -O1 -ftrivial-auto-var-init=pattern");
        runs(
            "values in what is not initialised",
            compile_and_run(first, &filled, "lop-filled"),
        );
        let sane =
            format!("{flags} -w -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all");
        // A leak is not undefined behaviour.
        let sane = format!(
            "ASAN_OPTIONS=detect_leaks=0; export ASAN_OPTIONS; {}",
            compile_and_run(first, &sane, "lop-sane")
        );
        runs("sanitizers", sane);
    }
    if other.is_none() {
        guard.notes.push(
            "the guard works without a second compiler: PATH has only those of the two commands"
                .into(),
        );
    }
    match compilers.is_empty() {
        true => Err(CommandFailure::new(
            FAILED,
            "--ub-guard needs a compiler in PATH, gcc or clang",
        )),
        false => Ok(guard),
    }
}

/// A compiler's warnings as errors: those that it knows and that the original does not cause. The second value names those that the
/// original causes.
fn warning_check(
    compiler: &str,
    flags: &str,
    probes: [&Path; 2],
    directory: &Path,
) -> (TestStage, Vec<&'static str>) {
    let line = |names: &[&str]| {
        let errors: String = names
            .iter()
            .map(|name| format!(" -Werror={name}"))
            .collect();
        format!("{compiler}{flags} {LOOKED_FOR}{errors} -c {{}} -o lop-warned.o")
    };
    let [nothing, original] = probes;
    let mut names = WARNINGS.to_vec();
    // Some compilers refuse unknown warnings, others only report them each time.
    let usual = try_line(&line(&[]), nothing, directory);
    if try_line(&line(&names), nothing, directory) != usual {
        names.retain(|name| try_line(&line(&[*name]), nothing, directory) == usual);
    }
    // One compilation reports all warnings of the file.
    let (_, said) = try_line(&line(&names), original, directory);
    let is_said = |name: &&str| {
        let tags = [
            format!("-Werror={name}]"),
            format!("-Werror={name}="),
            format!("-W{name}]"),
        ];
        tags.iter().any(|tag| said.contains(tag))
    };
    let has: Vec<&str> = names.iter().copied().filter(is_said).collect();
    names.retain(|name| !has.contains(name));
    let line = StageCommand::Shell(line(&names));
    (TestStage::new(StageRole::Check, line), has)
}

/// A line that compiles and runs the file.
fn compile_and_run(compiler: &str, flags: &str, to: &str) -> String {
    format!("{compiler}{flags} {{}} -o {to} && ./{to}")
}

/// Whether a line succeeds for a file, and what it prints to stderr.
fn try_line(line: &str, file: &Path, directory: &Path) -> (bool, String) {
    let line = line.replace(CANDIDATE, &quote_path(file));
    let mut shell = Command::new("/bin/sh");
    shell
        .args(["-c", &line])
        .current_dir(directory)
        .stdin(Stdio::null());
    shell.output().map_or_else(
        |error| (false, error.to_string()),
        |output| {
            let said = String::from_utf8_lossy(&output.stderr).into_owned();
            (output.status.success(), said)
        },
    )
}

/// Whether a line succeeds for a file.
fn line_succeeds(line: &str, file: &Path, directory: &Path) -> bool {
    try_line(line, file, directory).0
}

/// A compiler of this machine.
#[derive(Debug)]
struct InstalledCompiler {
    name: String,
    /// The program with all links followed: several names may lead to one program.
    program: PathBuf,
}

/// The compilers in PATH with one of these names, in this order; then those with a version number, the newest first.
fn find_compilers(names: &[&str]) -> Vec<InstalledCompiler> {
    let directories = path_directories();
    let entries = directories
        .iter()
        .filter_map(|dir| dir.read_dir().ok())
        .flatten()
        .flatten();
    let mut numbered: Vec<(u32, String)> = entries
        .filter_map(|entry| {
            let name = entry.file_name().into_string().ok()?;
            let number = names
                .iter()
                .find_map(|base| name.strip_prefix(base)?.strip_prefix('-'))?;
            Some((number.parse().ok()?, name))
        })
        .collect();
    numbered.sort();
    let plain = names.iter().map(|name| (*name).to_owned());
    let all = plain.chain(numbered.into_iter().rev().map(|(_, name)| name));
    all.filter_map(|name| {
        let program = resolve_program(&name, &directories)?;
        Some(InstalledCompiler { name, program })
    })
    .collect()
}

/// The programs that a shell line names.
fn find_programs(line: &str) -> Vec<PathBuf> {
    let directories = path_directories();
    let words = line.split(|c: char| c.is_whitespace() || "()`'\";&|".contains(c));
    words
        .filter(|word| !word.is_empty())
        .filter_map(|word| resolve_program(word, &directories))
        .collect()
}

/// The program that a word runs, with all links followed.
fn resolve_program(word: &str, directories: &[PathBuf]) -> Option<PathBuf> {
    let there = directories.iter().map(|dir| dir.join(word));
    let file = there.into_iter().find(|path| path.is_file())?;
    file.canonicalize().ok()
}

fn path_directories() -> Vec<PathBuf> {
    env::var_os("PATH").map_or_else(Vec::new, |path| env::split_paths(&path).collect())
}
