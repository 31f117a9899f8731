//! What the text of a test tells. It only names the line that an experiment has found wanting.
//!
//! A shell script is read as a syntax tree. Of a script in another language only its words are known.

use std::collections::BTreeMap;
use std::fs::File;
use std::io::Read;
use std::path::{Component, Path, PathBuf};

use super::shell_tree::{ShellNodeId, ShellTree};
use crate::display::EscapeHidden;
use crate::oracle::{ScriptInterpreter, TestExecutable};

/// How much of a test is read, in bytes.
const MAX_LENGTH: u64 = 65_536;
/// Shells that know `set -e`.
const SHELLS: [&str; 6] = ["sh", "bash", "dash", "ksh", "zsh", "ash"];

/// Programs that run the program which their arguments name.
const LAUNCHERS: [&str; 10] = [
    "timeout", "env", "exec", "nice", "nohup", "command", "time", "xargs", "stdbuf", "setsid",
];

/// The text of a test that is a script; empty for a program.
pub(super) struct ScriptSource {
    text: String,
    directory: PathBuf,
    /// The command of the shell that runs it.
    shell: Option<Vec<String>>,
    /// None if it is no shell script, or has syntax errors.
    tree: Option<ShellTree>,
}

/// A word of a script that may be a path.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct PathMention {
    /// The number of its line, from 1.
    pub line: usize,
    /// As it is written.
    pub word: String,
    /// With the values of the variables that are known.
    pub path: PathBuf,
    /// The working directory at this point, where the script has changed to one that is known.
    directory: Option<PathBuf>,
}

impl PathMention {
    /// The end of a sentence about a test, for a mention of the file to reduce.
    pub fn describe_as_original(&self) -> String {
        format!(
            "its line {} names {}, which is the original and not the candidate",
            self.line,
            self.path.escape_hidden()
        )
    }
}

impl ScriptSource {
    /// Reads a test. A program, and what cannot be read, has no text.
    pub fn from_executable(test: &TestExecutable) -> ScriptSource {
        let text = read_script_text(test.path());
        let home = test.path().parent().unwrap_or(Path::new("/")).to_path_buf();
        ScriptSource::from_text(text, home, test.interpreter())
    }

    fn from_text(text: String, home: PathBuf, interpreter: ScriptInterpreter) -> ScriptSource {
        let shell = match interpreter {
            ScriptInterpreter::Shell => Some(vec!["/bin/sh".to_owned()]),
            ScriptInterpreter::System => parse_shebang(&text),
        };
        let tree = shell.as_ref().and_then(|_| ShellTree::parse(&text));
        ScriptSource {
            text,
            directory: home,
            shell,
            tree,
        }
    }

    /// Reads a line for `sh -c`.
    pub fn from_shell_line(line: &str) -> ScriptSource {
        ScriptSource::from_text(line.to_owned(), PathBuf::new(), ScriptInterpreter::Shell)
    }

    /// All of it.
    pub fn text(&self) -> &str {
        &self.text
    }

    /// Whether a shell runs it.
    pub fn is_shell(&self) -> bool {
        self.shell.is_some()
    }

    /// The shell that runs it, with its arguments, if the shell knows `set -e` and it is not set.
    pub fn shell_without_errexit(&self) -> Option<&[String]> {
        let shell = self.shell.as_deref()?;
        let short =
            |word: &str| word.starts_with('-') && !word.starts_with("--") && word.contains('e');
        let is_set = |word: &str| short(word) || word == "errexit";
        let by_command = |tree: &ShellTree| tree.has_command("set", is_set);
        let is_on = shell.iter().skip(1).any(|word| short(word))
            || self.tree.as_ref().is_some_and(by_command);
        (!is_on).then_some(shell)
    }

    /// The lines that are neither blank nor comments, trimmed, with their numbers from 1.
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

    /// The last statement and the number of its line, if it always succeeds.
    pub fn infallible_end(&self) -> Option<(usize, &str)> {
        let tree = self.tree.as_ref()?;
        let end = tree.infallible_end()?;
        Some((tree.line(end), tree.text(end)))
    }

    /// The commands that a `trap` runs, as they are written.
    pub fn trap_commands(&self) -> Vec<&str> {
        let Some(tree) = &self.tree else {
            return Vec::new();
        };
        let commands = tree.commands().filter(|command| {
            let name = tree.command_words(*command).next();
            name.is_some_and(|name| tree.text(name) == "trap")
        });
        commands.map(|command| tree.text(command)).collect()
    }

    /// The first of these commands that the script runs.
    pub fn first_command_of(&self, names: &[&'static str]) -> Option<&'static str> {
        let mut commands = self.tree.iter().flat_map(ShellTree::command_names);
        commands.find_map(|command| names.iter().find(|name| **name == command).copied())
    }

    /// The first command whose words have such a place: that word, and the number of its line.
    pub fn find_command_word(
        &self,
        find: impl Fn(&[&str]) -> Option<usize>,
    ) -> Option<(usize, &str)> {
        let tree = self.tree.as_ref()?;
        tree.commands().find_map(|command| {
            let nodes: Vec<ShellNodeId> = tree.command_words(command).collect();
            let words: Vec<&str> = nodes.iter().map(|node| tree.text(*node)).collect();
            let node = *nodes.get(find(&words)?)?;
            Some((tree.line(node), tree.text(node)))
        })
    }

    /// Whether it uses its arguments.
    pub fn uses_argument(&self) -> bool {
        match &self.tree {
            Some(tree) => tree.nodes().any(|node| tree.is_argument(node)),
            None => ["$1", "${1", "$@", "$*", "argv", "ARGV"]
                .iter()
                .any(|argument| self.line_containing(argument).is_some()),
        }
    }

    /// The words that may be paths. `$HOME`, `~`, the script's own directory and variables with a known value are replaced.
    pub fn path_mentions(&self) -> Vec<PathMention> {
        match &self.tree {
            Some(tree) => MentionReader::new(tree, &self.directory).read_mentions(),
            None => self
                .code_lines()
                .flat_map(|(number, line)| text_mentions(number, line))
                .collect(),
        }
    }

    /// The programs that it calls, in the order of its text, with the values of variables that are known. Of `timeout 5 gcc` both count. None if no
    /// shell runs it.
    pub fn called_programs(&self) -> Vec<String> {
        let tree = self.tree.as_ref();
        tree.map_or_else(Vec::new, |tree| {
            MentionReader::new(tree, &self.directory).read_programs()
        })
    }

    /// The place where it names this very file by a path that does not depend on the directory it runs in.
    pub fn find_mention_of(&self, file: &Path) -> Option<PathMention> {
        let is_file = |mention: &PathMention| {
            let path = match (&mention.directory, mention.path.is_absolute()) {
                (_, true) => mention.path.clone(),
                (Some(directory), false) => directory.join(&mention.path),
                (None, false) => return false,
            };
            path.canonicalize().is_ok_and(|path| path == file)
        };
        self.path_mentions().into_iter().find(is_file)
    }
}

/// Reads the mentions of paths in a shell script, in the order of its text.
struct MentionReader<'a> {
    tree: &'a ShellTree,
    script_directory: &'a Path,
    /// The values of variables, as far as they are known.
    variables: BTreeMap<String, String>,
    /// The working directory, where the script has changed to one that is known.
    directory: Option<PathBuf>,
    mentions: Vec<PathMention>,
}

impl<'a> MentionReader<'a> {
    fn new(tree: &'a ShellTree, script_directory: &'a Path) -> MentionReader<'a> {
        let home = std::env::var("HOME").ok();
        MentionReader {
            tree,
            script_directory,
            variables: home
                .map(|home| ("HOME".to_owned(), home))
                .into_iter()
                .collect(),
            directory: None,
            mentions: Vec::new(),
        }
    }

    fn read_mentions(mut self) -> Vec<PathMention> {
        let tree = self.tree;
        let in_script_directory = |node| {
            let outer = tree.enclosing_substitution(node);
            outer.is_some_and(|outer| tree.is_script_directory(outer))
        };
        for node in tree.nodes() {
            match tree.kind(node) {
                "variable_assignment" => self.read_assignment(node),
                "command" if tree.enclosing_substitution(node).is_none() => {
                    self.read_directory_change(node);
                }
                "heredoc_body" => {
                    let lines = tree.text(node).lines().enumerate();
                    let first = tree.line(node);
                    let mentions = lines.flat_map(|(at, line)| text_mentions(first + at, line));
                    self.mentions.extend(mentions);
                }
                _ if tree.is_word(node) && !in_script_directory(node) => self.read_word(node),
                _ => {}
            }
        }
        self.mentions
    }

    fn read_programs(mut self) -> Vec<String> {
        let tree = self.tree;
        let mut programs = Vec::new();
        for node in tree.nodes() {
            match tree.kind(node) {
                "variable_assignment" => self.read_assignment(node),
                "command" => {
                    let words = tree.command_words(node);
                    let values: Vec<String> = words.map(|word| self.word_value(word)).collect();
                    programs.extend(called_programs(&values).map(str::to_owned));
                }
                _ => {}
            }
        }
        programs
    }

    fn read_assignment(&mut self, node: ShellNodeId) {
        let children: Vec<ShellNodeId> = self.tree.children(node).collect();
        if let [name, .., value] = children.as_slice() {
            let value = self.word_value(*value);
            let name = self.tree.text(*name).to_owned();
            self.variables.insert(name, value);
        }
    }

    fn read_directory_change(&mut self, command: ShellNodeId) {
        let words: Vec<ShellNodeId> = self.tree.command_words(command).collect();
        if let [name, .., directory] = words.as_slice()
            && self.tree.text(*name) == "cd"
        {
            let directory = PathBuf::from(self.word_value(*directory));
            let before = self.directory.take();
            self.directory = match directory.is_absolute() {
                true => Some(directory),
                false => before.map(|before| before.join(directory)),
            };
        }
    }

    fn read_word(&mut self, node: ShellNodeId) {
        let (line, written) = (self.tree.line(node), unquote(self.tree.text(node)));
        let value = self.word_value(node);
        // An option may hold the path.
        let value = strip_option(&value);
        let mention = PathMention {
            line,
            word: strip_option(written).to_owned(),
            path: PathBuf::from(expand_home(value, &self.variables)),
            directory: self.directory.clone(),
        };
        if !value.is_empty() && !value.starts_with('-') {
            self.mentions.push(mention);
        }
        // It may be a line for another shell.
        if value.contains(char::is_whitespace) {
            let parts = text_mentions(line, value);
            self.mentions.extend(parts.map(|part| PathMention {
                directory: self.directory.clone(),
                ..part
            }));
        }
    }

    fn word_value(&self, word: ShellNodeId) -> String {
        let value = self.tree.word_value(word, &|node| self.expand(node));
        expand_home(&value, &self.variables)
    }

    /// The value of an expansion, if it is known.
    fn expand(&self, node: ShellNodeId) -> Option<String> {
        if self.tree.is_script_directory(node) {
            return Some(self.script_directory.to_string_lossy().into_owned());
        }
        let text = self.tree.text(node).strip_prefix('$')?;
        let braced = text
            .strip_prefix('{')
            .and_then(|text| text.strip_suffix('}'));
        self.variables.get(braced.unwrap_or(text)).cloned()
    }
}

/// The programs that a command calls: its first word, and behind a program that runs another one, that one.
pub(super) fn called_programs(words: &[String]) -> impl Iterator<Item = &str> {
    let mut rest = words.iter().map(String::as_str);
    let mut runs_another = true;
    std::iter::from_fn(move || {
        if !runs_another {
            return None;
        }
        let is_program = |word: &&str| {
            !word.starts_with('-') && !word.contains('=') && !word.starts_with(char::is_numeric)
        };
        let program = rest.find(is_program)?;
        runs_another = LAUNCHERS.contains(&program);
        Some(program)
    })
}

/// The words of a line in any language that may be paths.
fn text_mentions(line: usize, text: &str) -> impl Iterator<Item = PathMention> {
    let words = text.split(|c: char| c.is_whitespace() || "\"'`;|&<>(),".contains(c));
    let paths = words.map(strip_option);
    paths
        .filter(|path| !path.is_empty() && !path.starts_with('-'))
        .map(move |path| PathMention {
            line,
            word: path.to_owned(),
            path: path.into(),
            directory: None,
        })
}

/// A word without the option that it is the value of: `-Idir`, `--option=path`, `NAME=path`.
fn strip_option(word: &str) -> &str {
    let word = word.rsplit('=').next().unwrap_or(word);
    let options = ["-I", "-L", "-o"];
    let value = options.iter().find_map(|option| word.strip_prefix(option));
    value.unwrap_or(word)
}

/// A word without the quotes around all of it.
fn unquote(word: &str) -> &str {
    let without = |quote: char| word.strip_prefix(quote)?.strip_suffix(quote);
    without('"').or_else(|| without('\'')).unwrap_or(word)
}

/// With the user's home in place of `~`.
fn expand_home(text: &str, variables: &BTreeMap<String, String>) -> String {
    match (text.strip_prefix("~/"), variables.get("HOME")) {
        (Some(rest), Some(home)) => format!("{home}/{rest}"),
        _ => text.to_owned(),
    }
}

/// The start of a script. Empty for a program, and for what cannot be read.
pub(super) fn read_script_text(path: &Path) -> String {
    let mut bytes = Vec::new();
    let read = File::open(path).and_then(|file| file.take(MAX_LENGTH).read_to_end(&mut bytes));
    match read {
        Ok(_) if !bytes.contains(&0) => String::from_utf8_lossy(&bytes).into_owned(),
        _ => String::new(),
    }
}

/// A relative path without `./`. None if it is absolute or names no file.
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

/// The words of the `#!` line, if it names a shell, directly or by `env` without options.
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
            match text.starts_with("#!") {
                true => ScriptInterpreter::System,
                false => ScriptInterpreter::Shell,
            },
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
        let cannot = |text: &str| script(text).infallible_end().map(|(number, _)| number);
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

    #[test]
    fn the_programs_that_a_script_calls_are_known() {
        let text = "CC=/opt/gcc/bin/gcc\nif ! timeout -k 1 5 $CC -c \"$1\" 2>&1 | grep -q 'a; clang'; then exit 1; fi\n";
        assert_eq!(
            script(text).called_programs(),
            ["timeout", "/opt/gcc/bin/gcc", "grep", "exit"]
        );
        assert_eq!(
            script("OUT=$(env LC_ALL=C node x.js)\n").called_programs(),
            ["env", "node"]
        );
    }

    #[test]
    fn comments_and_strings_are_no_commands() {
        let goes_on = |text: &str| script(text).shell_without_errexit().is_some();
        assert!(goes_on("# set -e\necho 'set -e'\ncc x.c\n"));
        assert!(!goes_on("cd /x && set -eu; cc x.c\n"));
        assert!(script("cc x.c # $1\n").infallible_end().is_none());
        assert!(!script("cc x.c # $1\n").uses_argument());
        assert!(script("cc \"${1}\"\n").uses_argument());
        let traps = script("trap 'rm -f x' EXIT; cc x.c\n");
        assert_eq!(traps.trap_commands(), ["trap 'rm -f x' EXIT"]);
        assert_eq!(traps.first_command_of(&["gcc", "cc"]), Some("cc"));
    }

    #[test]
    fn a_path_is_found_in_any_quotes_and_directory() {
        let dir = tempfile::tempdir().expect("a directory");
        let home = dir.path().canonicalize().expect("its path");
        std::fs::write(home.join("bug.c"), "").expect("a file");
        std::fs::write(home.join("a bug.c"), "").expect("a file");
        let found = |text: &str, name: &str| {
            let text = text.replace("DIR", &home.to_string_lossy());
            let source = ScriptSource::from_text(text, home.clone(), ScriptInterpreter::Shell);
            let mention = source.find_mention_of(&home.join(name));
            mention.map(|mention| (mention.line, mention.word))
        };
        let at = |line, word: &str| Some((line, word.to_owned()));
        assert_eq!(
            found("D='DIR'\ncc \"$D\"/bug.c", "bug.c"),
            at(2, "\"$D\"/bug.c")
        );
        assert_eq!(
            found("cc \"$(dirname -- \"$0\")/a bug.c\"", "a bug.c"),
            at(1, "$(dirname -- \"$0\")/a bug.c")
        );
        assert_eq!(found("cd DIR || exit 1; cc bug.c", "bug.c"), at(1, "bug.c"));
        assert_eq!(found("x=$(cd DIR && pwd)\ncc bug.c", "bug.c"), None);
        assert_eq!(
            found("sh -c 'cc DIR/bug.c 2>&1' | grep x", "bug.c").map(|(line, _)| line),
            Some(1)
        );
        // What bash does not read is read as words.
        assert_eq!(
            found("if ((; then\ncc DIR/bug.c", "bug.c").map(|(line, _)| line),
            Some(2)
        );
    }
}
