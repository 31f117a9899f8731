//! What the text of a test tells: only to name the line that an experiment has found wanting.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read;
use std::path::{Component, Path, PathBuf};

use crate::display::EscapeHidden;
use crate::oracle::{ScriptInterpreter, TestExecutable};

/// How much of a test is read.
const LOOKED_AT: u64 = 65_536;
/// Shells that know `set -e`.
const SHELLS: [&str; 6] = ["sh", "bash", "dash", "ksh", "zsh", "ash"];
/// Ways to write the directory of the script.
const HERE: [&str; 7] = [
    "$(dirname \"$0\")",
    "$(dirname -- \"$0\")",
    "$(dirname $0)",
    "`dirname \"$0\"`",
    "`dirname $0`",
    "${0%/*}",
    "$(dirname \"${BASH_SOURCE[0]}\")",
];
/// Commands that never fail.
const NEVER_FAIL: [&str; 4] = ["exit 0", "true", ":", "echo"];

/// The text of a test that is a script; empty for a program.
pub(super) struct ScriptSource {
    text: String,
    directory: PathBuf,
    shell: Option<Vec<String>>,
}

/// A word of a script that may be a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct PathMention {
    /// The number of its line, from 1.
    pub line: usize,
    /// As it is written.
    pub word: String,
    /// With what is known put in place of variables.
    pub path: PathBuf,
}

impl PathMention {
    /// What is said of one that is the file to reduce; it goes on about the test.
    pub fn describe_as_original(&self) -> String {
        format!(
            "its line {} names {}, which is the original and not the candidate",
            self.line,
            self.path.escape_hidden()
        )
    }
}

impl ScriptSource {
    /// Reads it; nothing of a program, or of what cannot be read.
    pub fn from_executable(test: &TestExecutable) -> ScriptSource {
        let mut bytes = Vec::new();
        let read =
            File::open(test.path()).and_then(|file| file.take(LOOKED_AT).read_to_end(&mut bytes));
        let text = match read {
            Ok(_) if !bytes.contains(&0) => String::from_utf8_lossy(&bytes).into_owned(),
            _ => String::new(),
        };
        let home = test.path().parent().unwrap_or(Path::new("/")).to_path_buf();
        ScriptSource::from_text(text, home, test.interpreter())
    }

    fn from_text(text: String, home: PathBuf, interpreter: ScriptInterpreter) -> ScriptSource {
        let shell = match interpreter {
            ScriptInterpreter::Shell => Some(vec!["/bin/sh".to_owned()]),
            ScriptInterpreter::System => parse_shebang(&text),
        };
        ScriptSource {
            text,
            directory: home,
            shell,
        }
    }

    /// All of it.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether a shell runs it.
    pub fn is_shell(&self) -> bool {
        self.shell.is_some()
    }

    /// The shell that runs it, with its arguments, if it is one that can be told to stop where a step fails and has not been.
    pub fn shell_without_errexit(&self) -> Option<&[String]> {
        let shell = self.shell.as_deref()?;
        let short =
            |word: &str| word.starts_with('-') && !word.starts_with("--") && word.contains('e');
        let set = |line: &str| {
            let mut words = line.split([' ', '\t', ';']);
            words.next() == Some("set") && words.any(|word| short(word) || word == "errexit")
        };
        let told = shell.iter().skip(1).any(|word| short(word))
            || self.code_lines().any(|(_, line)| set(line));
        (!told).then_some(shell)
    }

    /// Lines that are neither blank nor comments, with their numbers from 1, without the white space around them.
    pub fn code_lines(&self) -> impl Iterator<Item = (usize, &str)> {
        self.text
            .lines()
            .enumerate()
            .map(|(at, line)| (at + 1, line.trim()))
            .filter(|(_, line)| !line.is_empty() && !line.starts_with('#'))
    }

    /// A line of code, by its number.
    pub fn code_line(&self, number: usize) -> Option<&str> {
        self.code_lines()
            .find(|(at, _)| *at == number)
            .map(|(_, line)| line)
    }

    /// The first line of code that contains the text.
    pub fn line_containing(&self, text: &str) -> Option<(usize, &str)> {
        self.code_lines().find(|(_, line)| line.contains(text))
    }

    /// The last line, if it cannot fail.
    pub fn infallible_last_line(&self) -> Option<(usize, &str)> {
        let (number, line) = self.code_lines().last()?;
        let simple = !line.contains("&&") && !line.contains("||");
        let command = |command: &&str| {
            let rest = line.strip_prefix(*command);
            rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(' '))
        };
        let never = simple && NEVER_FAIL.iter().any(command);
        (never || line.ends_with("|| true")).then_some((number, line))
    }

    /// Whether it looks at its argument.
    pub fn uses_argument(&self) -> bool {
        ["$1", "${1", "$@", "$*", "argv", "ARGV"]
            .iter()
            .any(|argument| self.code_lines().any(|(_, line)| line.contains(argument)))
    }

    /// The words that may be paths. `$HOME`, `~`, the script's own directory and variables that were set to a plain text are put in.
    pub fn path_mentions(&self) -> Vec<PathMention> {
        let mut variables: BTreeMap<String, String> = BTreeMap::new();
        variables.extend(
            std::env::var("HOME")
                .ok()
                .map(|home| ("HOME".to_owned(), home)),
        );
        let home = self.directory.to_string_lossy().into_owned();
        let mut mentions = Vec::new();
        for (number, line) in self.code_lines() {
            // One word each, until the line has been split.
            let line = HERE
                .iter()
                .enumerate()
                .fold(line.to_owned(), |line, (at, here)| {
                    line.replace(here, &placeholder_mark(at))
                });
            for written in line.split(|c: char| c.is_whitespace() || "\"'`;|&<>(),".contains(c)) {
                if let Some((name, value)) = written.split_once('=')
                    && !name.is_empty()
                    && name.chars().all(|c| c.is_alphanumeric() || c == '_')
                {
                    let value = replace_marks(value, |_| &home);
                    variables.insert(name.to_owned(), expand_variables(&value, &variables));
                }
                let value = written.rsplit('=').next().unwrap_or(written);
                let value = ["-I", "-L", "-o"]
                    .iter()
                    .find_map(|option| value.strip_prefix(option))
                    .unwrap_or(value);
                if value.is_empty() || value.starts_with('-') {
                    continue;
                }
                mentions.push(PathMention {
                    line: number,
                    word: replace_marks(value, |at| HERE[at]),
                    path: PathBuf::from(expand_variables(
                        &replace_marks(value, |_| &home),
                        &variables,
                    )),
                });
            }
        }
        mentions
    }

    /// Where it names this very file by a path that does not depend on where it runs: the line, and the word as it is written.
    pub fn find_mention_of(&self, file: &Path) -> Option<PathMention> {
        let same = |path: &Path| path.canonicalize().is_ok_and(|path| path == file);
        let mut there: Option<PathBuf> = None;
        let mentions = self.path_mentions();
        let mut goes: Option<usize> = None;
        for mention in mentions {
            if mention.word == "cd" {
                goes = Some(mention.line);
                continue;
            }
            if goes.take() == Some(mention.line) {
                there = mention.path.is_absolute().then(|| mention.path.clone());
                continue;
            }
            let found = match &there {
                _ if mention.path.is_absolute() => same(&mention.path),
                Some(there) => same(&there.join(&mention.path)),
                None => false,
            };
            if found {
                return Some(mention);
            }
        }
        None
    }
}

/// A relative path without its beginning `./`, if it leads anywhere.
pub(super) fn normalize_relative(path: &Path) -> Option<PathBuf> {
    let plain = path.components().all(|part| {
        matches!(
            part,
            Component::Normal(_) | Component::CurDir | Component::ParentDir
        )
    });
    let path: PathBuf = path
        .components()
        .filter(|part| *part != Component::CurDir)
        .collect();
    (plain && path.file_name().is_some()).then_some(path)
}

/// Stands for a way to write the script's directory.
fn placeholder_mark(at: usize) -> String {
    format!("\u{1}{at}\u{2}")
}

/// With something in the place of marks.
fn replace_marks<'a>(text: &str, what: impl Fn(usize) -> &'a str) -> String {
    let marks = 0..HERE.len();
    marks.fold(text.to_owned(), |text, at| {
        text.replace(&placeholder_mark(at), what(at))
    })
}

/// With the values of variables in their places.
fn expand_variables(text: &str, variables: &BTreeMap<String, String>) -> String {
    let mut text = text.to_owned();
    if let Some(rest) = text.strip_prefix("~/")
        && let Some(home) = variables.get("HOME")
    {
        text = format!("{home}/{rest}");
    }
    for (name, value) in variables.iter().rev() {
        text = text
            .replace(&format!("${{{name}}}"), value)
            .replace(&format!("${name}"), value);
    }
    text
}

/// The words of the `#!` line, if it names a shell; `env` is looked through, but not its options.
fn parse_shebang(text: &str) -> Option<Vec<String>> {
    let line = text.strip_prefix("#!")?.lines().next()?;
    let words: Vec<String> = line.split_ascii_whitespace().map(str::to_owned).collect();
    let name = |word: &String| {
        Path::new(word)
            .file_name()
            .map(|name| name.to_string_lossy().into_owned())
    };
    let program = match name(words.first()?)?.as_str() {
        "env" => words.get(1)?,
        _ => words.first()?,
    };
    SHELLS.contains(&name(program)?.as_str()).then_some(words)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn script(text: &str) -> ScriptSource {
        ScriptSource::from_text(
            text.to_owned(),
            "/home/me".into(),
            ScriptInterpreter::System,
        )
    }

    #[test]
    fn a_shell_that_goes_on_after_a_failure_is_known() {
        let goes_on = |text: &str| script(text).shell_without_errexit().is_some();
        assert!(goes_on("#!/bin/sh\ncc x.c\n"));
        assert!(goes_on("#!/usr/bin/env bash\ncc x.c\n"));
        assert!(!goes_on("#!/bin/sh -e\ncc x.c\n"));
        assert!(!goes_on("#!/bin/bash\nset -euo pipefail\n"));
        assert!(!goes_on("#!/bin/bash\nset -o errexit\n"));
        assert!(!goes_on("#!/usr/bin/python3\nprint()\n"));
    }

    #[test]
    fn a_last_line_that_cannot_fail_is_known() {
        let cannot = |text: &str| {
            script(text)
                .infallible_last_line()
                .map(|(number, _)| number)
        };
        assert_eq!(cannot("grep x y\necho done\n"), Some(2));
        assert_eq!(cannot("grep x y\nexit 0\n"), Some(2));
        assert_eq!(cannot("grep x y || true\n"), Some(1));
        assert_eq!(cannot("grep x y && exit 0\n"), None);
        assert_eq!(cannot("grep x y\n"), None);
        assert_eq!(cannot("true_positive x\n"), None);
    }

    #[test]
    fn words_are_filled_with_what_is_known() {
        let paths = |text: &str| {
            let mentions = script(text).path_mentions();
            mentions
                .into_iter()
                .map(|mention| mention.path.to_string_lossy().into_owned())
                .collect::<Vec<_>>()
        };
        assert_eq!(
            paths("cc \"$(dirname \"$0\")/bug.c\""),
            ["cc", "/home/me/bug.c"]
        );
        assert_eq!(
            paths("D=/tmp/x\ncc -I$D ${D}/bug.c >log"),
            ["/tmp/x", "cc", "/tmp/x", "/tmp/x/bug.c", "log"]
        );
    }
}
