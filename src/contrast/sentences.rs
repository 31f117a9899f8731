//! The findings as sentences, the nearest neighbours first.

use super::neighbours::ProgramNeighbour;
use super::roles::{ChangeKind, ChangeOutcome, TokenRole};
use super::{ContrastReport, TriedNeighbour};
use crate::display::EscapeHidden;

/// How many neighbours that work are shown, and how many free tokens.
const SHOWN: [usize; 2] = [5, 3];
/// The longest text in a sentence, in characters.
const LONGEST: usize = 40;

/// A sentence, and what it is about.
#[derive(Clone, Debug)]
pub struct ContrastSentence<'a> {
    /// The sentence.
    pub text: String,
    /// The line of the program, counted from 1.
    pub line: usize,
    /// The neighbour that works, if it is about one.
    pub contrast: Option<&'a TriedNeighbour>,
}

/// The nearest neighbours without the bug, one for each place, then the free tokens.
pub fn write_sentences(report: &ContrastReport) -> Vec<ContrastSentence<'_>> {
    let mut told: Vec<usize> = Vec::new();
    let line_of = |neighbour: &ProgramNeighbour| report.tokens[neighbour.tokens[0]].0.line;
    let is_near = |tried: &&TriedNeighbour| {
        matches!(tried.outcome, ChangeOutcome::Works | ChangeOutcome::Lost)
    };
    let mut near: Vec<&TriedNeighbour> = report.tried.iter().filter(is_near).collect();
    // What is known to be valid comes first, then the smallest change; of two of a size, what goes before what is replaced.
    near.sort_by_key(|tried| {
        let neighbour = &tried.neighbour;
        let kind = match neighbour.kind {
            ChangeKind::Deletion => 0,
            ChangeKind::Filling => 1,
            ChangeKind::Other => 2,
        };
        (
            tried.outcome != ChangeOutcome::Works,
            neighbour.distance(),
            kind,
        )
    });
    let mut sentences = Vec::new();
    for tried in near {
        let neighbour = &tried.neighbour;
        let is_told = neighbour.tokens.iter().any(|token| told.contains(token));
        if !is_told && sentences.len() < SHOWN[0] {
            told.extend(&neighbour.tokens);
            sentences.push(ContrastSentence {
                text: describe_contrast(tried),
                line: line_of(neighbour),
                contrast: Some(tried),
            });
        }
    }
    sentences.extend(free_sentences(report));
    sentences
}

fn describe_contrast(tried: &TriedNeighbour) -> String {
    let ProgramNeighbour {
        old,
        new,
        everywhere,
        ..
    } = &tried.neighbour;
    let end = match tried.outcome {
        ChangeOutcome::Works => "it works",
        _ => "the bug is gone",
    };
    match new.is_empty() {
        true => format!("without {} {end}", quote_piece(old)),
        false => {
            let places = if *everywhere { " everywhere" } else { "" };
            format!(
                "with {} for {}{places} {end}",
                quote_piece(new),
                quote_piece(old)
            )
        }
    }
}

/// A sentence for the first free tokens, each text once.
fn free_sentences(report: &ContrastReport) -> Vec<ContrastSentence<'_>> {
    let mut told: Vec<&str> = Vec::new();
    let mut sentences = Vec::new();
    for (number, (token, role)) in report.tokens.iter().enumerate() {
        let is_new = *role == TokenRole::Free && !told.contains(&&*token.text);
        if !is_new || sentences.len() == SHOWN[1] {
            continue;
        }
        told.push(&token.text);
        let fails = |tried: &&TriedNeighbour| {
            let neighbour = &tried.neighbour;
            let is_filling =
                neighbour.kind == ChangeKind::Filling && neighbour.tokens.contains(&number);
            is_filling && tried.outcome == ChangeOutcome::Fails
        };
        let mut fillings: Vec<String> = Vec::new();
        for tried in report.tried.iter().filter(fails) {
            let filling = quote_piece(&tried.neighbour.new);
            if !fillings.contains(&filling) {
                fillings.push(filling);
            }
        }
        sentences.push(ContrastSentence {
            text: format!(
                "any other {} for {} also fails (tried: {})",
                token.kind.escape_hidden(),
                quote_piece(&token.text),
                fillings.join(", ")
            ),
            line: token.line,
            contrast: None,
        });
    }
    sentences
}

/// A text in quotes, shortened if it is long.
fn quote_piece(text: &str) -> String {
    let shown = text.escape_hidden();
    match shown.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("`{}…`", shown[..end].trim_end()),
        None => format!("`{shown}`"),
    }
}

/// How many tokens have each role: essential, free, only needed to compile, unknown.
pub fn role_counts(report: &ContrastReport) -> [usize; 4] {
    let mut counts = [0; 4];
    for (_, role) in &report.tokens {
        counts[match role {
            TokenRole::Essential => 0,
            TokenRole::Free => 1,
            TokenRole::CompileOnly => 2,
            TokenRole::Unknown(_) => 3,
        }] += 1;
    }
    counts
}
