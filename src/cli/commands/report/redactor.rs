//! Redacts the parts of a report one after the other, and tells what was replaced where.

use super::redaction::{Redaction, Removal};

/// Redacts the parts of a report, and remembers what went where.
#[derive(Clone, Debug)]
pub struct ReportRedactor {
    redaction: Redaction,
    removed: Vec<PlaceRemovals>,
}

/// What was taken out of a part of a report.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PlaceRemovals {
    /// The name of a file, or what the text is: "what the test printed".
    pub place: String,
    pub removals: Vec<Removal>,
}

impl ReportRedactor {
    /// Takes this out.
    pub fn new(redaction: Redaction) -> ReportRedactor {
        ReportRedactor {
            redaction,
            removed: Vec::new(),
        }
    }

    /// What is taken out.
    pub fn redaction(&self) -> &Redaction {
        &self.redaction
    }

    /// As [`Redaction::redact_program`].
    pub fn redact_program(&mut self, place: &str, program: &[u8]) -> Vec<u8> {
        let redacted = self.redaction.redact_program(program);
        self.note_removals(place, redacted.removals);
        redacted.bytes
    }

    /// As [`Redaction::redact_text`].
    pub fn redact_text(&mut self, place: &str, text: &str) -> String {
        let redacted = self.redaction.redact_text(text);
        let text = redacted.to_text();
        self.note_removals(place, redacted.removals);
        text
    }

    /// A section in Markdown. Its sentences may name commands. Between its fences are pieces of programs, where a token may stand above its letter: what a program may
    /// have stays there.
    pub fn redact_section(&mut self, place: &str, section: &str) -> String {
        let (mut is_program, mut removals) = (false, Vec::new());
        let mut redact_line = |(at, line): (usize, &str)| {
            is_program ^= line.trim_start().starts_with("```");
            let redacted = match is_program {
                true => self.redaction.redact_program(line.as_bytes()),
                false => self.redaction.redact_text(line),
            };
            let text = redacted.to_text();
            let line = at + 1;
            removals.extend(
                redacted
                    .removals
                    .into_iter()
                    .map(|removal| Removal { line, ..removal }),
            );
            text
        };
        let lines: Vec<String> = section
            .split('\n')
            .enumerate()
            .map(&mut redact_line)
            .collect();
        removals.sort();
        self.note_removals(place, removals);
        lines.join("\n")
    }

    fn note_removals(&mut self, place: &str, removals: Vec<Removal>) {
        if !removals.is_empty() {
            self.removed.push(PlaceRemovals {
                place: place.to_owned(),
                removals,
            });
        }
    }

    /// All that went, in the order of the calls.
    pub fn removed(&self) -> &[PlaceRemovals] {
        &self.removed
    }
}

impl PlaceRemovals {
    /// A sentence a kind and stand-in: "bug.c, lines 3 and 5: a home directory, now `/home/USER`".
    pub fn sentences(&self) -> Vec<String> {
        let groups = self
            .removals
            .chunk_by(|a, b| (a.what, &a.stand_in) == (b.what, &b.stand_in));
        let sentences = groups.map(|group| {
            let mut lines: Vec<usize> = group.iter().map(|removal| removal.line).collect();
            lines.dedup();
            let Removal { what, stand_in, .. } = &group[0];
            let (lines, what) = (name_lines(&lines), what.describe());
            format!("{}, {lines}: {what}, now `{stand_in}`", self.place)
        });
        sentences.collect()
    }
}

/// "line 3", "lines 3 and 5"; of many the first.
fn name_lines(lines: &[usize]) -> String {
    const SHOWN: usize = 5;
    let numbers: Vec<String> = lines.iter().take(SHOWN).map(usize::to_string).collect();
    match (&numbers[..], lines.len()) {
        ([line], 1) => format!("line {line}"),
        (shown, count) if count > SHOWN => {
            format!("lines {} and {} more", shown.join(", "), count - SHOWN)
        }
        ([first @ .., last], _) => format!("lines {} and {last}", first.join(", ")),
        ([], _) => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::super::redaction::tests::redaction_of;
    use super::*;

    #[test]
    fn between_fences_a_section_keeps_what_programs_keep() {
        let mut redactor = ReportRedactor::new(redaction_of("alice", "/home/alice"));
        let section = "by /work/gcc/bin/cc1\n```\n\"/work/x/y\" alice\nE\n```\n/work/x/y\n";
        assert_eq!(
            redactor.redact_section("it", section),
            "by cc1\n```\n\"/work/x/y\" USER\nE\n```\n.../y\n"
        );
        assert_eq!(
            redactor.removed()[0].sentences(),
            [
                "it, line 3: the name of the user, now `USER`",
                "it, line 6: a path of the machine, now `.../y`",
                "it, line 1: a path of the machine, now `cc1`",
            ]
        );
    }
}
