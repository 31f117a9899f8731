//! Stages that keep undefined behaviour out of candidates which two compilers, or two levels of one, disagree about.
//!
//! A program with undefined behaviour may do anything, and a reducer that looks for a difference finds it: so a candidate must pass
//! a compiler's warnings, run silently and alike under sanitizers and with other values in what is not initialised, and do the same
//! in another compiler. What this machine does not have is left out, and said.

use std::env;
use std::ffi::OsStr;
use std::path::Path;
use std::process::{Command, Stdio};

use super::failure::{FAILED, Failure, OrFail, USAGE};
use crate::oracle::{CANDIDATE, Line, Role, Stage};
use crate::plain::quoted;
use crate::session::Input;

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
struct Kind {
    extensions: &'static [&'static str],
    compilers: &'static [&'static [&'static str]],
}

const KINDS: &[Kind] = &[
    Kind {
        extensions: &["c", "i"],
        compilers: &[&["gcc", "cc"], &["clang"]],
    },
    Kind {
        extensions: &["cc", "cpp", "cxx", "C", "ii"],
        compilers: &[&["g++", "c++"], &["clang++"]],
    },
];

/// A program of both languages that does nothing.
const NOTHING: &str = "int main(void) { return 0; }\n";

/// The stages around the two commands.
#[derive(Default)]
pub(super) struct Guard {
    pub before: Vec<Stage>,
    pub after: Vec<Stage>,
    /// What is missing on this machine.
    pub notes: Vec<String>,
}

/// The guard for a file, with flags for its compilers; `right` is the command that is taken to be right.
pub(super) fn stages(input: &Input, flags: &str, right: &str) -> Result<Guard, Failure> {
    let extension = Path::new(input.name()).extension().and_then(OsStr::to_str);
    let of = |kind: &&Kind| extension.is_some_and(|own| kind.extensions.contains(&own));
    let Some(kind) = KINDS.iter().find(of) else {
        return Err(Failure::new(
            USAGE,
            "--ub-guard knows C and C++ only: the file is neither, by its name",
        ));
    };
    let directory = tempfile::tempdir().or_fail(FAILED)?;
    let nothing = directory
        .path()
        .join(format!("nothing.{}", kind.extensions[0]));
    std::fs::write(&nothing, NOTHING).or_fail(FAILED)?;
    let flags = format!(" {flags}").trim_end().to_owned();
    let mut guard = Guard::default();
    let groups = kind.compilers.iter();
    let compilers: Vec<String> = groups.filter_map(|names| compiler(names)).collect();
    for compiler in &compilers {
        let (check, has) = check(compiler, &flags, [&nothing, &input.path], directory.path());
        guard.before.push(check);
        if !has.is_empty() {
            guard.notes.push(format!(
                "{compiler} warns of the file itself of what may be undefined behaviour, so that is not minded: {}",
                has.join(", ")
            ));
        }
    }
    let mut runs = |what: &str, line: String| match works(&line, &nothing, directory.path()) {
        true => guard.after.push(Stage {
            role: Role::Agrees,
            line: Line::Shell(line),
        }),
        false => guard.notes.push(format!(
            "the guard goes without {what}: this does not work here: {line}"
        )),
    };
    let named = |compiler: &String| right.split_whitespace().any(|word| word == compiler);
    if let Some(other) = compilers.iter().rev().find(|compiler| !named(compiler)) {
        runs(
            "a second compiler",
            run(other, &format!("{flags} -w -O0"), "lop-second"),
        );
    }
    if let Some(first) = compilers.first() {
        let filled = format!("{flags} -w -O1 -ftrivial-auto-var-init=pattern");
        runs(
            "values in what is not initialised",
            run(first, &filled, "lop-filled"),
        );
        let sane =
            format!("{flags} -w -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all");
        // A leak is no undefined behaviour.
        let sane = format!(
            "ASAN_OPTIONS=detect_leaks=0; export ASAN_OPTIONS; {}",
            run(first, &sane, "lop-sane")
        );
        runs("sanitizers", sane);
    }
    if compilers.len() < 2 {
        guard
            .notes
            .push("the guard has one compiler only: another kind would make it safer".into());
    }
    match compilers.is_empty() {
        true => Err(Failure::new(
            FAILED,
            "--ub-guard needs a compiler in PATH, gcc or clang",
        )),
        false => Ok(guard),
    }
}

/// A compiler's warnings as errors: those that it knows, and of which the original is free. What that has is no sign of a candidate's
/// fault; the second value names it.
fn check(
    compiler: &str,
    flags: &str,
    probes: [&Path; 2],
    directory: &Path,
) -> (Stage, Vec<&'static str>) {
    let line = |names: &[&str]| {
        let errors: String = names
            .iter()
            .map(|name| format!(" -Werror={name}"))
            .collect();
        format!("{compiler}{flags} {LOOKED_FOR}{errors} -c {{}} -o lop-warned.o")
    };
    let [nothing, original] = probes;
    let mut names = WARNINGS.to_vec();
    if !works(&line(&names), nothing, directory) {
        names.retain(|name| works(&line(&[*name]), nothing, directory));
    }
    // One compilation names all that the file has.
    let said = printed(&line(&names), original, directory);
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
    let line = Line::Shell(line(&names));
    (
        Stage {
            role: Role::Check,
            line,
        },
        has,
    )
}

/// Compiles and runs.
fn run(compiler: &str, flags: &str, to: &str) -> String {
    format!("{compiler}{flags} {{}} -o {to} && ./{to}")
}

/// What such a line prints to stderr about a file.
fn printed(line: &str, file: &Path, directory: &Path) -> String {
    let line = line.replace(CANDIDATE, &quoted(file));
    let mut shell = Command::new("/bin/sh");
    shell
        .args(["-c", &line])
        .current_dir(directory)
        .stdin(Stdio::null());
    let output = shell.output();
    output.map_or_else(
        |_| String::new(),
        |output| String::from_utf8_lossy(&output.stderr).into_owned(),
    )
}

/// Whether such a line works for a file.
fn works(line: &str, file: &Path, directory: &Path) -> bool {
    let line = line.replace(CANDIDATE, &quoted(file));
    let mut shell = Command::new("/bin/sh");
    shell.args(["-c", &line]).current_dir(directory);
    shell
        .stdin(Stdio::null())
        .stdout(Stdio::null())
        .stderr(Stdio::null());
    shell.status().is_ok_and(|status| status.success())
}

/// The first of these that is in PATH, or else the newest with a number behind its name.
fn compiler(names: &[&str]) -> Option<String> {
    let path = env::var_os("PATH")?;
    let directories: Vec<_> = env::split_paths(&path).collect();
    let plain = names
        .iter()
        .find(|name| directories.iter().any(|dir| dir.join(name).is_file()));
    if let Some(plain) = plain {
        return Some((*plain).to_owned());
    }
    let entries = directories
        .iter()
        .filter_map(|dir| dir.read_dir().ok())
        .flatten()
        .flatten();
    let numbered = entries.filter_map(|entry| {
        let name = entry.file_name().into_string().ok()?;
        let number = names
            .iter()
            .find_map(|base| name.strip_prefix(base)?.strip_prefix('-'))?;
        Some((number.parse::<u32>().ok()?, name))
    });
    numbered.max().map(|(_, name)| name)
}
