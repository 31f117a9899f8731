//! The report for people.

use super::letters::{LEGEND, diff_lines, lettered_lines};
use super::{ContrastOutput, unknown_reason};
use crate::cli::launch::contrast::count_sentence;
use crate::contrast::{
    ChangeOutcome, ContrastReport, TriedNeighbour, UnknownReason, find_changed_lines, role_counts,
    write_sentences,
};
use crate::display::{ConsoleWriter, EscapeHidden, TextStyle, format_count};

/// How many unknown tokens are explained.
const SHOWN: usize = 5;
/// How many changes explain one.
const CHANGES: usize = 2;

/// Writes the report.
pub fn write_report(out: &mut ConsoleWriter, output: &ContrastOutput) {
    let findings = &output.findings;
    for (line, number) in lettered_lines(output).iter().zip(1..) {
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
            .map(|tried| find_changed_lines(&findings.bytes, &tried.neighbour.bytes));
        diff_lines(&changed.unwrap_or_default())
            .for_each(|line| out.write_line(&format!("      {line}")));
    }
    unknown_lines(&findings.report)
        .iter()
        .for_each(|line| out.write_line(line));
    out.write_line("");
    count_lines(output)
        .iter()
        .for_each(|line| out.write_line(line));
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
pub fn count_lines(output: &ContrastOutput) -> Vec<String> {
    let report = &output.findings.report;
    let [essential, free, compile, unknown] = role_counts(report);
    vec![
        format!(
            "{}: {}: {essential} essential, {free} free in their kind, {compile} only needed to compile, {unknown} unknown",
            output.file.escape_hidden(),
            format_count(report.tokens.len() as u64, "token")
        ),
        count_sentence(report),
        output.findings.validity.escape_hidden().into_owned(),
    ]
}
