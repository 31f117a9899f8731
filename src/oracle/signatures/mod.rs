//! What failures look like: for each kind of tool the lines that name a failure, and the stack it prints.
//!
//! One file a kind, one table. A row is data: regular expressions over all that a command printed. What they find is made a
//! [`PropertyCriterion`], without what hangs on the program or the moment. Adding a kind is a file with samples as its test, and a line in the
//! table.

mod diagnostics;
mod gcc;
mod glibc;
mod go;
mod java;
mod llvm;
mod node;
mod python;
mod rustc;
mod rustc_errors;
mod sanitizers;
mod words;

use std::sync::{LazyLock, Mutex, PoisonError};

use regex::Regex;
use rustc_hash::FxHashMap;

use super::property::{
    FailureProperty, MessagePattern, PatternOptions, PropertyCriterion, generalize_message,
};

/// All kinds, the most telling first: the first that is found counts.
static SIGNATURES: &[&FailureSignature] = &[
    &sanitizers::SIGNATURE,
    &rustc::SIGNATURE,
    &gcc::SIGNATURE,
    &llvm::SIGNATURE,
    &go::SIGNATURE,
    &python::SIGNATURE,
    &java::SIGNATURE,
    &node::SIGNATURE,
    &glibc::SIGNATURE,
    &rustc_errors::SIGNATURE,
    &words::SIGNATURE,
    &diagnostics::SIGNATURE,
];

/// How many lines of one expression are listed.
const LINES: usize = 4;
/// How many frames of a stack are listed.
const FRAMES: usize = 6;

/// A kind of failure.
struct FailureSignature {
    /// What it is, in words.
    name: &'static str,
    /// Without this it is something else.
    precondition: &'static str,
    /// What names the failure, the most telling first: group 1, which lies in one line.
    messages: &'static [(MessageWeight, &'static str)],
    /// More that varies in those.
    loose: Option<&'static str>,
    /// Its stack, if it prints one.
    stack: Option<StackFormat>,
}

/// How much what an expression finds tells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum MessageWeight {
    /// The first that it finds counts.
    Counts,
    /// The same, and what is in quotes is the tool's word.
    Verbatim,
    /// It is listed, for the user to choose.
    Listed,
}

/// A stack as a tool prints it.
struct StackFormat {
    /// Group 1 is the function.
    frame: &'static str,
    /// What stands before and after the function in the line of its frame, for tools that print lines of the program too, in which it
    /// may stand as well: expressions that `grep -E` reads. Where a word of that name is enough, none.
    context: Option<(&'static str, &'static str)>,
    /// Functions that only report.
    ignored_frames: &'static str,
    /// How many frames count, from the innermost on.
    counted_frames: usize,
    /// A message that tells as much, so that no frame counts.
    enough: Option<&'static str>,
    /// The innermost frame is the last one.
    innermost_last: bool,
}

/// What was found of a failure.
#[derive(Clone, Debug)]
pub(super) struct DetectedFailure {
    /// The kind.
    pub name: &'static str,
    /// The criteria, and whether each counts.
    pub criteria: Vec<(PropertyCriterion, bool)>,
}

/// What a command's output tells of its failure; none if it has no form that we know.
pub(super) fn detect_failure(text: &str) -> Option<DetectedFailure> {
    SIGNATURES
        .iter()
        .find_map(|signature| signature.match_output(text))
}

/// The crash that a command's output tells of, in words, if it is not the one that a property is known by. What any wrong program is
/// told, a plain diagnostic, is no crash.
pub fn describe_other_crash(property: &FailureProperty, text: &str) -> Option<String> {
    const PLAIN: [&str; 2] = [diagnostics::SIGNATURE.name, rustc_errors::SIGNATURE.name];
    let found = detect_failure(text).filter(|found| !PLAIN.contains(&found.name))?;
    let criteria = found.criteria.iter().filter(|(_, counts)| *counts);
    let criteria: Vec<&PropertyCriterion> = criteria.map(|(criterion, _)| criterion).collect();
    let is_ours = |criterion: &&PropertyCriterion| {
        property
            .parts
            .iter()
            .any(|part| part.criterion == **criterion)
    };
    if criteria.iter().any(is_ours) {
        return None;
    }
    let criteria: Vec<String> = criteria
        .iter()
        .map(|criterion| criterion.to_string())
        .collect();
    Some(format!("{}: {}", found.name, criteria.join("; ")))
}

/// An expression of the table, made once: crashes are looked for in every answer of a run.
fn cached_regex(text: &'static str) -> Regex {
    static KNOWN: LazyLock<Mutex<FxHashMap<&str, Regex>>> = LazyLock::new(Mutex::default);
    let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
    let make = || Regex::new(text).expect("the table holds regular expressions");
    known.entry(text).or_insert_with(make).clone()
}

impl FailureSignature {
    fn match_output(&self, text: &str) -> Option<DetectedFailure> {
        if !cached_regex(self.precondition).is_match(text) {
            return None;
        }
        let mut criteria = self.match_lines(text);
        if criteria.is_empty() {
            return None;
        }
        let tells_enough = |stack: &StackFormat| {
            let enough = stack.enough.map(cached_regex);
            let telling = criteria.iter().filter(|(_, counts)| *counts);
            let mut shown = telling.map(|(criterion, _)| criterion.to_string());
            enough.is_some_and(|enough| shown.any(|line| enough.is_match(&line)))
        };
        if let Some(stack) = &self.stack {
            let counts = if tells_enough(stack) {
                0
            } else {
                stack.counted_frames
            };
            criteria.extend(stack.match_frames(text, counts));
        }
        Some(DetectedFailure {
            name: self.name,
            criteria,
        })
    }

    /// The lines, and whether each counts.
    fn match_lines(&self, text: &str) -> Vec<(PropertyCriterion, bool)> {
        let loose = self.loose.map(cached_regex);
        let mut lines: Vec<(PropertyCriterion, bool)> = Vec::new();
        for (weight, expression) in self.messages {
            let expression = cached_regex(expression);
            let manner = PatternOptions {
                loose: loose.as_ref(),
                verbatim: *weight == MessageWeight::Verbatim,
            };
            let mut counts = *weight != MessageWeight::Listed;
            let pieces = expression.captures_iter(text).filter_map(|hit| hit.get(1));
            let pieces = pieces.filter(|piece| !is_incidental(text, piece.start()));
            for piece in pieces.take(LINES) {
                let pattern = generalize_message(piece.as_str(), manner);
                if !pattern.is_distinctive() {
                    continue;
                }
                let criterion = PropertyCriterion::Line(pattern);
                if !lines.iter().any(|(known, _)| *known == criterion) {
                    lines.push((criterion, counts));
                    counts = false;
                }
            }
        }
        lines
    }
}

/// Whether what stands there is in a line that says of itself that it is no failure.
fn is_incidental(text: &str, at: usize) -> bool {
    let line = text[..at].rsplit('\n').next().unwrap_or_default();
    // In capitals it is a sanitizer's word for a finding.
    ["warning", "note:", "info:", "hint:"]
        .iter()
        .any(|word| line.contains(word))
}

impl StackFormat {
    fn match_frames(&self, text: &str, counts: usize) -> Vec<(PropertyCriterion, bool)> {
        let (frame, reports) = (cached_regex(self.frame), cached_regex(self.ignored_frames));
        let mut names: Vec<&str> = Vec::new();
        let all = frame.captures_iter(text).filter_map(|hit| hit.get(1));
        for name in all.map(|hit| hit.as_str().trim()) {
            if !reports.is_match(name) && !names.contains(&name) {
                names.push(name);
            }
        }
        if self.innermost_last {
            names.reverse();
        }
        let frames = names.into_iter().take(FRAMES).enumerate();
        let pattern = |name: &str| match self.context {
            Some((before, after)) => MessagePattern::from_context(before, name, after),
            None => MessagePattern::from_word(name),
        };
        let criterion = |name: &str| PropertyCriterion::Frame(pattern(name));
        frames
            .map(|(at, name)| (criterion(name), at < counts))
            .collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The kind that is found in a text, and what counts of it.
    pub(super) fn told(text: &str) -> (&'static str, Vec<String>) {
        let found = detect_failure(text).unwrap_or_else(|| panic!("nothing is found in {text}"));
        for (criterion, _) in &found.criteria {
            let (PropertyCriterion::Line(pattern) | PropertyCriterion::Frame(pattern)) = criterion
            else {
                continue;
            };
            let regex = Regex::new(&pattern.regex).expect("a regular expression");
            assert!(
                text.lines().any(|line| regex.is_match(line)),
                "{regex} finds no line of what it was made of"
            );
        }
        let counts = found.criteria.iter().filter(|(_, counts)| *counts);
        (
            found.name,
            counts.map(|(criterion, _)| criterion.to_string()).collect(),
        )
    }

    #[test]
    fn all_expressions_of_the_table_can_be_read() {
        for signature in SIGNATURES {
            cached_regex(signature.precondition);
            signature
                .messages
                .iter()
                .for_each(|(_, text)| drop(cached_regex(text)));
            signature.loose.map(cached_regex);
            for stack in signature.stack.iter() {
                drop((
                    cached_regex(stack.frame),
                    cached_regex(stack.ignored_frames),
                ));
                stack.enough.map(cached_regex);
            }
        }
    }

    #[test]
    fn a_line_of_the_program_is_no_frame() {
        for (text, line) in [
            (
                "Traceback (most recent call last):\n  File \"/x/a.py\", line 9, in rpn\n    f(1)\nZeroDivisionError: by zero\n",
                "    rpn = 1 // 0",
            ),
            (
                "/x/a.js:1\n\nTypeError: no\n    at async rpn [as f] (/x/a.js:10:11)\n",
                "    throw rpn (0)",
            ),
        ] {
            let criteria = detect_failure(text).expect("a failure").criteria;
            let frame = criteria.iter().find_map(|(criterion, _)| match criterion {
                PropertyCriterion::Frame(pattern) => Some(&pattern.regex),
                _ => None,
            });
            let frame = Regex::new(frame.expect("a frame")).expect("an expression");
            assert!(text.lines().any(|line| frame.is_match(line)), "{frame}");
            assert!(!frame.is_match(line), "{frame}");
        }
    }

    #[test]
    fn what_is_no_failure_is_none() {
        assert!(detect_failure("").is_none());
        assert!(detect_failure("3 files compiled\n").is_none());
    }
}
