//! Stages that keep undefined behaviour out of candidates which two compilers, or two levels of one, disagree about.
//!
//! A program with undefined behaviour may do anything, and a reducer that looks for a difference finds it: so a candidate must pass
//! a compiler's warnings, run silently and alike under sanitizers and with other values in what is not initialised, and do the same
//! in another compiler. What this machine does not have is left out, and said.

use std::env;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use crate::cli::failure::{CommandFailure, FAILED, OrFail, USAGE};
use crate::oracle::shell::quote_path;
use crate::oracle::{CANDIDATE, StageCommand, StageRole, TestStage};
use crate::session::InputFile;

/// Warnings that mean undefined behaviour, or a program that only works by accident. What a compiler does not know it ignores.
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

/// The warnings of which a compiler must know more to give them.
const LOOKED_FOR: &str = "-Wall -Wextra -O1";

/// A kind of source, and who compiles it: of each the first that is there.
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

/// A program of both languages that does nothing.
const NOTHING: &str = "int main(void) { return 0; }\n";

/// The stages around the two commands.
#[derive(Default)]
pub struct UbGuard {
    pub before: Vec<TestStage>,
    pub after: Vec<TestStage>,
    /// What is missing on this machine.
    pub notes: Vec<String>,
}

/// The guard for a file, with flags for its compilers, around the command that is taken to be right and the one that is not.
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
        true => guard.after.push(TestStage {
            role: StageRole::Agrees,
            line: StageCommand::Shell(line),
        }),
        false => guard.notes.push(format!(
            "the guard works without {what}, because this command fails here: {line}"
        )),
    };
    // One that is in a command says what that command says, and of one of the two that is wrong.
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
        // A leak is no undefined behaviour.
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

/// A compiler's warnings as errors: those that it knows, and of which the original is free. What that has is no sign of a candidate's
/// fault; the second value names it.
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
    // Some compilers refuse what they do not know, and some only complain, each time.
    let usual = try_line(&line(&[]), nothing, directory);
    if try_line(&line(&names), nothing, directory) != usual {
        names.retain(|name| try_line(&line(&[*name]), nothing, directory) == usual);
    }
    // One compilation names all that the file has.
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
    (
        TestStage {
            role: StageRole::Check,
            line,
        },
        has,
    )
}

/// Compiles and runs.
fn compile_and_run(compiler: &str, flags: &str, to: &str) -> String {
    format!("{compiler}{flags} {{}} -o {to} && ./{to}")
}

/// Whether such a line works for a file, and what it prints to stderr.
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

/// Whether such a line works for a file.
fn line_succeeds(line: &str, file: &Path, directory: &Path) -> bool {
    try_line(line, file, directory).0
}

/// A compiler of this machine.
#[derive(Debug)]
struct InstalledCompiler {
    name: String,
    /// What runs: names may be links to one program.
    program: PathBuf,
}

/// The compilers in PATH with one of these names, in their order; then those with a number behind such a name, the newest first.
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

/// The programs that the words of a line for the shell name.
fn find_programs(line: &str) -> Vec<PathBuf> {
    let directories = path_directories();
    let words = line.split(|c: char| c.is_whitespace() || "()`'\";&|".contains(c));
    words
        .filter(|word| !word.is_empty())
        .filter_map(|word| resolve_program(word, &directories))
        .collect()
}

/// What a word runs, all links followed.
fn resolve_program(word: &str, directories: &[PathBuf]) -> Option<PathBuf> {
    let there = directories.iter().map(|dir| dir.join(word));
    let file = there.into_iter().find(|path| path.is_file())?;
    file.canonicalize().ok()
}

fn path_directories() -> Vec<PathBuf> {
    env::var_os("PATH").map_or_else(Vec::new, |path| env::split_paths(&path).collect())
}
