//! The signatures of failures: for each kind of tool the lines that identify a failure, and its stack trace.
//!
//! Each kind has a file, and a row in one table. A row is data: regular expressions over the output of a command. What they match becomes a
//! [`PropertyCriterion`], generalised so that it does not depend on the program or the moment. To add a kind, write a file with samples
//! as its tests, and add a line to the table.

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

use regex::{Captures, Regex};
use rustc_hash::FxHashMap;

use super::error_limit::ERROR_LINE;
use super::property::{
    FailureProperty, MessagePattern, PatternOptions, PropertyCriterion, generalize_message,
};

/// All kinds, the most specific first: the first that matches counts.
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

/// The number of lines of one expression that are listed.
const MAX_LINES: usize = 4;
/// The number of frames of a stack that are listed.
const MAX_FRAMES: usize = 6;

/// A kind of failure.
struct FailureSignature {
    /// Its name in words.
    name: &'static str,
    /// An output without a match is of another kind.
    precondition: &'static str,
    /// The lines that identify the failure, the most specific first. Group 1 is the message; it lies in one line.
    messages: &'static [(MessageWeight, &'static str)],
    /// Matches further text that varies in the messages.
    loose: Option<&'static str>,
    /// Lines that must stay absent if no line of the original matches.
    absent: Option<AbsentLine>,
    /// The format of its stack trace, if it prints one.
    stack: Option<StackFormat>,
}

/// Whether a match of an expression identifies the failure.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum MessageWeight {
    /// The first match counts.
    Counts,
    /// The first match counts, and text in quotes is the tool's own.
    Verbatim,
    /// The first match counts where no message is specific ([`StackFormat::enough`]).
    CountsIfVague,
    /// A match is only listed, for the user to choose.
    Listed,
}

/// Lines by which a tool reports something else than its own failure: a candidate with one of them may fail for that reason.
#[derive(Clone, Copy, Debug)]
struct AbsentLine {
    /// What such a line is, in words.
    shown: &'static str,
    /// Matches such a line; `grep -E` reads it too.
    regex: &'static str,
}

/// The errors of a compiler for C and its relatives about the program.
const ERROR_IN_PROGRAM: AbsentLine = AbsentLine {
    shown: "error in the program",
    regex: ERROR_LINE,
};

/// A line of the program that a compiler quotes below a message.
const QUOTED_LINE: &str = r"^ *[0-9]* \| ";

/// The format of a tool's stack trace.
struct StackFormat {
    /// Matches a frame. The first group that takes part is the function.
    frame: &'static str,
    /// What surrounds the function in its frame, as expressions that `grep -E` reads: for tools that also print lines of the program,
    /// which may contain the same word. `None` if the word alone is enough.
    context: Option<(&'static str, &'static str)>,
    /// Matches a frame of a system library, by its line. Frames above the first such frames only report the failure, and these too.
    system_frames: Option<&'static str>,
    /// Matches a frame without a function. The group is its place in the tool. Such frames stand for functions where no frame has one.
    nameless_frame: Option<&'static str>,
    /// Matches functions that only report the failure.
    ignored_frames: &'static str,
    /// The number of frames that count, from the innermost.
    counted_frames: usize,
    /// Matches a message that is specific enough, so that no frame counts.
    enough: Option<&'static str>,
    /// Whether the innermost frame is printed last.
    innermost_last: bool,
}

/// A failure that was detected in an output.
#[derive(Clone, Debug)]
pub(super) struct DetectedFailure {
    /// The name of its kind.
    pub name: &'static str,
    /// The criteria, and whether each counts.
    pub criteria: Vec<(PropertyCriterion, bool)>,
}

/// Detects the failure in a command's output; `None` if no signature matches.
pub(super) fn detect_failure(text: &str) -> Option<DetectedFailure> {
    SIGNATURES
        .iter()
        .find_map(|signature| signature.match_output(text))
}

/// Describes the crash in a command's output if it is not the one that the property identifies. A plain diagnostic, as any wrong program
/// gets it, is not a crash, whatever words are in it: `error: static assertion failed`.
pub fn describe_other_crash(property: &FailureProperty, text: &str) -> Option<String> {
    const PLAIN: [&str; 2] = [diagnostics::SIGNATURE.name, rustc_errors::SIGNATURE.name];
    let is_about_program = |line: &&str| {
        [ERROR_LINE, QUOTED_LINE]
            .iter()
            .any(|about| cached_regex(about).is_match(line))
    };
    let text: Vec<&str> = text
        .lines()
        .filter(|line| !is_about_program(line))
        .collect();
    let found = detect_failure(&text.join("\n")).filter(|found| !PLAIN.contains(&found.name))?;
    let criteria = found.criteria.iter().filter(|(_, counts)| *counts);
    let criteria = criteria.map(|(criterion, _)| criterion);
    // What is absent tells no crash from another.
    let is_seen =
        |criterion: &&PropertyCriterion| !matches!(criterion, PropertyCriterion::NoLine(_));
    let criteria: Vec<&PropertyCriterion> = criteria.filter(is_seen).collect();
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

/// An expression of the table, compiled once: every test result of a run is searched for crashes.
fn cached_regex(text: &'static str) -> Regex {
    static COMPILED: LazyLock<Mutex<FxHashMap<&str, Regex>>> = LazyLock::new(Mutex::default);
    let mut compiled = COMPILED.lock().unwrap_or_else(PoisonError::into_inner);
    let compile = || Regex::new(text).expect("the table holds regular expressions");
    compiled.entry(text).or_insert_with(compile).clone()
}

impl FailureSignature {
    fn match_output(&self, text: &str) -> Option<DetectedFailure> {
        if !cached_regex(self.precondition).is_match(text) {
            return None;
        }
        let mut criteria = self.match_lines(text, |weight| weight != MessageWeight::CountsIfVague);
        let is_specific = self.stack.as_ref().is_some_and(|stack| {
            let enough = stack.enough.map(cached_regex);
            let counting = criteria.iter().filter(|(_, counts)| *counts);
            let mut shown = counting.map(|(criterion, _)| criterion.to_string());
            enough.is_some_and(|enough| shown.any(|line| enough.is_match(&line)))
        });
        let vague = self.match_lines(text, |weight| weight == MessageWeight::CountsIfVague);
        let vague = vague.into_iter();
        criteria.extend(vague.map(|(line, counts)| (line, counts && !is_specific)));
        if let Some(stack) = &self.stack {
            let counts = if is_specific { 0 } else { stack.counted_frames };
            criteria.extend(stack.match_frames(text, counts));
        }
        if criteria.is_empty() {
            return None;
        }
        let absent = self.absent.filter(|absent| {
            let regex = cached_regex(absent.regex);
            !text.lines().any(|line| regex.is_match(line))
        });
        criteria.extend(absent.map(|absent| {
            let pattern = MessagePattern {
                shown: absent.shown.to_owned(),
                regex: absent.regex.to_owned(),
            };
            (PropertyCriterion::NoLine(pattern), true)
        }));
        Some(DetectedFailure {
            name: self.name,
            criteria,
        })
    }

    /// The lines that match an expression of a weight in question, and whether each counts.
    fn match_lines(
        &self,
        text: &str,
        is_in_question: impl Fn(MessageWeight) -> bool,
    ) -> Vec<(PropertyCriterion, bool)> {
        let loose = self.loose.map(cached_regex);
        let mut lines: Vec<(PropertyCriterion, bool)> = Vec::new();
        let messages = self.messages.iter();
        for (weight, expression) in messages.filter(|(weight, _)| is_in_question(*weight)) {
            let expression = cached_regex(expression);
            let options = PatternOptions {
                loose: loose.as_ref(),
                verbatim: *weight == MessageWeight::Verbatim,
            };
            let mut counts = *weight != MessageWeight::Listed;
            let pieces = expression.captures_iter(text).filter_map(|hit| hit.get(1));
            let pieces = pieces.filter(|piece| !is_incidental(text, piece.start()));
            for piece in pieces.take(MAX_LINES) {
                let pattern = generalize_message(piece.as_str(), options);
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

/// Whether the match lies in a line that is marked as a warning or a note.
fn is_incidental(text: &str, at: usize) -> bool {
    let line = text[..at].rsplit('\n').next().unwrap_or_default();
    // Sanitizers mark their findings with WARNING in capitals.
    ["warning", "note:", "info:", "hint:"]
        .iter()
        .any(|word| line.contains(word))
}

impl StackFormat {
    fn match_frames(&self, text: &str, counts: usize) -> Vec<(PropertyCriterion, bool)> {
        let mut names = self.function_names(text);
        if names.is_empty()
            && let Some(nameless) = self.nameless_frame
        {
            names = self.frame_names(self.below_handler(text), nameless);
        }
        if self.innermost_last {
            names.reverse();
        }
        let frames = names.into_iter().take(MAX_FRAMES).enumerate();
        let pattern = |name: &str| match self.context {
            Some((before, after)) => MessagePattern::from_context(before, name, after),
            None => MessagePattern::from_word(name),
        };
        let criterion = |name: &str| PropertyCriterion::Frame(pattern(name));
        frames
            .map(|(at, name)| (criterion(name), at < counts))
            .collect()
    }

    /// The functions of the stack, without those that only report the failure.
    fn function_names<'t>(&self, text: &'t str) -> Vec<&'t str> {
        let below = self.frame_names(self.below_handler(text), self.frame);
        match below.is_empty() {
            // The only system library was the one that starts the program.
            true => self.frame_names(text, self.frame),
            false => below,
        }
    }

    /// What the matches of an expression for frames name, each once, without those that only report the failure.
    fn frame_names<'t>(&self, text: &'t str, frame: &'static str) -> Vec<&'t str> {
        let reports = cached_regex(self.ignored_frames);
        let mut names: Vec<&str> = Vec::new();
        let frames = cached_regex(frame);
        let function = |hit: Captures<'t>| hit.iter().skip(1).flatten().next();
        let all = frames.captures_iter(text).filter_map(function);
        for name in all.map(|hit| hit.as_str().trim()) {
            if !reports.is_match(name) && !names.contains(&name) {
                names.push(name);
            }
        }
        names
    }

    /// The text behind the first frames of a system library that stand together: by these the system called the handler of a signal.
    fn below_handler<'t>(&self, text: &'t str) -> &'t str {
        let Some(system) = self.system_frames.map(cached_regex) else {
            return text;
        };
        let mut at = 0;
        let mut begun = false;
        for line in text.split_inclusive('\n') {
            match (system.is_match(line), begun) {
                (true, _) => begun = true,
                (false, true) => return &text[at..],
                (false, false) => {}
            }
            at += line.len();
        }
        &text[at..]
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The kind that is detected in a text, and its criteria that count.
    pub(super) fn detected(text: &str) -> (&'static str, Vec<String>) {
        let found = detect_failure(text).unwrap_or_else(|| panic!("nothing is found in {text}"));
        for (criterion, _) in &found.criteria {
            if let PropertyCriterion::NoLine(pattern) = criterion {
                let regex = Regex::new(&pattern.regex).expect("a regular expression");
                assert!(!text.lines().any(|line| regex.is_match(line)), "{regex}");
            }
            let (PropertyCriterion::Line(pattern) | PropertyCriterion::Frame(pattern)) = criterion
            else {
                continue;
            };
            let regex = Regex::new(&pattern.regex).expect("a regular expression");
            assert!(
                text.lines().any(|line| regex.is_match(line)),
                "{regex} matches no line of the text that it was made from"
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
            signature.absent.map(|absent| cached_regex(absent.regex));
            for stack in signature.stack.iter() {
                drop((
                    cached_regex(stack.frame),
                    cached_regex(stack.ignored_frames),
                ));
                let others = [stack.enough, stack.system_frames, stack.nameless_frame];
                others
                    .into_iter()
                    .flatten()
                    .for_each(|text| drop(cached_regex(text)));
            }
        }
    }

    #[test]
    fn a_line_of_the_program_is_not_a_frame() {
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
    fn output_without_a_failure_has_none() {
        assert!(detect_failure("").is_none());
        assert!(detect_failure("3 files compiled\n").is_none());
    }
}
