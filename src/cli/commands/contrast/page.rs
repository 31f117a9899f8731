//! The report for people.

use super::annotated::{LEGEND, annotated_lines, show_line};
use super::{ContrastFindings, unknown_reason};
use crate::contrast::{
    ChangeOutcome, ContrastReport, TriedNeighbour, UnknownReason, role_counts, write_sentences,
};
use crate::display::{ConsoleWriter, EscapeHidden, TextStyle, format_count};

/// How many unknown tokens are explained.
const SHOWN: usize = 5;
/// How many changes explain one.
const CHANGES: usize = 2;
/// Of a change of more lines, none is shown.
const LINES: usize = 3;

/// Writes the report.
pub fn write_report(out: &mut ConsoleWriter, findings: &ContrastFindings) {
    for (line, number) in annotated_lines(findings).iter().zip(1..) {
        let mut pieces = vec![(TextStyle::Plain, format!("{number:>4}  "))];
        pieces.extend(line.pieces.iter().cloned());
        out.write_styled(&pieces);
        if !line.letters.is_empty() {
            out.write_line(&format!("      {}", line.letters));
        }
    }
    out.write_line("");
    out.write_line(LEGEND);
    out.write_line("");
    for sentence in write_sentences(&findings.report) {
        out.write_line(&format!("* {} (line {})", sentence.text, sentence.line));
        let changed = sentence
            .contrast
            .map(|tried| changed_lines(&findings.bytes, &tried.neighbour.bytes));
        changed
            .unwrap_or_default()
            .iter()
            .for_each(|line| out.write_line(&format!("      {line}")));
    }
    unknown_lines(&findings.report)
        .iter()
        .for_each(|line| out.write_line(line));
    out.write_line("");
    count_lines(findings)
        .iter()
        .for_each(|line| out.write_line(line));
}

/// The lines of a change, old and new.
pub fn changed_lines(old: &[u8], new: &[u8]) -> Vec<String> {
    let split = |text: &[u8]| -> Vec<Vec<u8>> {
        text.split(|byte| *byte == b'\n')
            .map(<[u8]>::to_vec)
            .collect()
    };
    let (old, new) = (split(old), split(new));
    let before = old
        .iter()
        .zip(&new)
        .take_while(|(old, new)| old == new)
        .count();
    let after = old[before..].iter().rev().zip(new[before..].iter().rev());
    let after = after.take_while(|(old, new)| old == new).count();
    let marked = |mark: char, lines: &[Vec<u8>]| -> Vec<String> {
        let lines = lines[before..lines.len() - after].iter();
        lines
            .map(|line| format!("{mark} {}", show_line(line.trim_ascii_end())))
            .collect()
    };
    let (old, new) = (marked('-', &old), marked('+', &new));
    match old.len() <= LINES && new.len() <= LINES {
        true => [old, new].concat(),
        false => Vec::new(),
    }
}

/// Why the first unknown tokens are unknown, each text once.
pub fn unknown_lines(report: &ContrastReport) -> Vec<String> {
    let mut told: Vec<&str> = Vec::new();
    let mut lines = Vec::new();
    for (number, (token, role)) in report.tokens.iter().enumerate() {
        let Some(reason) = unknown_reason(*role).filter(|_| !told.contains(&&*token.text)) else {
            continue;
        };
        if lines.len() == SHOWN {
            break;
        }
        told.push(&token.text);
        let examples = match reason {
            UnknownReason::Mixed => mixed_examples(report, number),
            _ => String::new(),
        };
        lines.push(format!(
            "? `{}` (line {}): {}{examples}",
            token.text.escape_hidden(),
            token.line,
            reason.describe()
        ));
    }
    lines
}

/// Which fillings keep the bug, and which lose it.
fn mixed_examples(report: &ContrastReport, token: usize) -> String {
    let texts = |outcomes: &[ChangeOutcome]| {
        let is_one = |tried: &&TriedNeighbour| {
            let neighbour = &tried.neighbour;
            neighbour.tokens == [token]
                && !neighbour.new.is_empty()
                && outcomes.contains(&tried.outcome)
        };
        let found = report.tried.iter().filter(is_one).take(CHANGES);
        let texts: Vec<String> = found
            .map(|tried| format!("`{}`", tried.neighbour.new.escape_hidden()))
            .collect();
        texts.join(", ")
    };
    let sides = [
        ("fails with", texts(&[ChangeOutcome::Fails])),
        (
            "not with",
            texts(&[ChangeOutcome::Works, ChangeOutcome::Lost]),
        ),
    ];
    let sides = sides.iter().filter(|(_, texts)| !texts.is_empty());
    let sides: Vec<String> = sides
        .map(|(words, texts)| format!("{words} {texts}"))
        .collect();
    match sides.is_empty() {
        true => String::new(),
        false => format!(": it {}", sides.join(", ")),
    }
}

/// What was counted.
pub fn count_lines(findings: &ContrastFindings) -> Vec<String> {
    let report = &findings.report;
    let [essential, free, compile, unknown] = role_counts(report);
    let count = |number: usize, noun: &str| format_count(number as u64, noun);
    let left_out = match report.left_out_count() {
        0 => String::new(),
        number => format!("; {} left out (--tests N)", count(number, "neighbour")),
    };
    vec![
        format!(
            "{}: {}: {essential} essential, {free} free in their kind, {compile} only needed to compile, {unknown} unknown",
            findings.file.escape_hidden(),
            count(report.tokens.len(), "token")
        ),
        format!(
            "{}, {} and {}{left_out}",
            count(report.tests, "test"),
            count(report.known, "known verdict"),
            count(report.checks, "check")
        ),
        findings.validity.escape_hidden().into_owned(),
    ]
}
