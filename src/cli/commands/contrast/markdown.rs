//! The report as a section of a bug report.

use super::ContrastOutput;
use super::letters::{LEGEND, diff_lines, lettered_lines};
use super::page::{count_lines, unknown_lines};
use crate::contrast::{find_changed_lines, write_sentences};

/// The section.
pub fn markdown_section(output: &ContrastOutput) -> String {
    let findings = &output.findings;
    let mut program = String::new();
    for line in lettered_lines(output) {
        program.push_str(&format!("{}\n", line.text()));
        if !line.letters.is_empty() {
            program.push_str(&format!("{}\n", line.letters));
        }
    }
    let fence = fence_for(&program);
    let mut page = String::from("### What the bug needs\n\n");
    for sentence in write_sentences(&findings.report) {
        page.push_str(&format!("- {} (line {})\n", sentence.text, sentence.line));
        let changed = sentence
            .contrast
            .map(|tried| find_changed_lines(&findings.bytes, &tried.neighbour.bytes));
        let lines: Vec<String> = diff_lines(&changed.unwrap_or_default()).collect();
        if !lines.is_empty() {
            page.push_str(&format!("\n  {fence}diff\n"));
            lines
                .iter()
                .for_each(|line| page.push_str(&format!("  {line}\n")));
            page.push_str(&format!("  {fence}\n\n"));
        }
    }
    for line in unknown_lines(&findings.report) {
        page.push_str(&format!("- {}\n", line.trim_start_matches("? ")));
    }
    page.push_str(&format!(
        "\nEach token with a letter below it: {LEGEND}.\n\n{fence}\n{program}{fence}\n\n"
    ));
    count_lines(output)
        .iter()
        .for_each(|line| page.push_str(&format!("{line}\n\n")));
    format!("{}\n", page.trim_end())
}

/// A fence that is longer than any in the text.
pub fn fence_for(text: &str) -> String {
    let runs = text.split(|c| c != '`').map(str::len);
    "`".repeat(runs.max().unwrap_or_default().max(2) + 1)
}
