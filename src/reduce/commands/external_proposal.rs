//! A candidate that a program outside of lop proposes: what changes in the files of the version that is current when it is asked about.
//!
//! A journal has it as one line of JSON, and not as a whole text: `["sed", [[0, [[10, 25, ""]]], [2, null]]]` are the bytes 10 to 25 of the first
//! file, which go, and the third file, which goes as a whole.

use std::fmt;
use std::ops::Range;
use std::sync::Arc;

use super::latin1::{decode_latin1, encode_latin1};
use crate::program::{FileText, replace_ranges};

/// What a program outside proposes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ExternalProposal {
    /// The name of the program.
    pub proposer: Arc<str>,
    /// The files that change, each once.
    pub changes: Arc<[FileChange]>,
}

/// What happens to a file.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct FileChange {
    /// The number of the file among the documents of the version, from 0.
    pub file: usize,
    /// What is replaced in it, from front to back; none if the file goes.
    pub replacements: Option<Arc<[TextReplacement]>>,
}

/// Bytes in the place of others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TextReplacement {
    /// The bytes that go.
    pub range: Range<usize>,
    /// What comes in their place.
    pub text: Arc<[u8]>,
}

/// Why a proposal cannot be made of a version.
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ProposalError {
    /// It names a file that is not there.
    #[error("there is no file of that number")]
    NoFile,
    /// Its ranges lie outside of the file, or overlap, or are not in order.
    #[error("its ranges do not lie inside of the file, one behind the other")]
    BadRange,
    /// It leaves all as it is.
    #[error("it changes nothing")]
    NoChange,
}

impl ExternalProposal {
    /// The texts of all files with these changes.
    ///
    /// # Errors
    /// When it does not fit the texts, or changes nothing.
    pub fn apply_to(&self, texts: &[FileText]) -> Result<Vec<FileText>, ProposalError> {
        let mut new = texts.to_vec();
        for change in self.changes.iter() {
            let place = new.get_mut(change.file).ok_or(ProposalError::NoFile)?;
            let old = place.as_ref().ok_or(ProposalError::NoFile)?;
            *place = match &change.replacements {
                None => None,
                Some(replacements) => {
                    let replacements = replacements.iter();
                    let ranges = replacements.map(|one| (one.range.clone(), &one.text));
                    Some(
                        replace_ranges(old, ranges)
                            .ok_or(ProposalError::BadRange)?
                            .into(),
                    )
                }
            };
        }
        match new == texts {
            true => Err(ProposalError::NoChange),
            false => Ok(new),
        }
    }
}

/// A proposal as the line of a journal has it: the name, and of each file its number and what is replaced in it, each byte a character.
type ProposalLine = (String, Vec<(usize, Option<Vec<(usize, usize, String)>>)>);

impl fmt::Display for ExternalProposal {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let line = |change: &FileChange| {
            let replacements = change.replacements.as_deref().map(|replacements| {
                let replacements = replacements.iter();
                let replacements = replacements.map(|TextReplacement { range, text }| {
                    (range.start, range.end, encode_latin1(text))
                });
                replacements.collect()
            });
            (change.file, replacements)
        };
        let changes = self.changes.iter().map(line).collect();
        let line: ProposalLine = (self.proposer.to_string(), changes);
        f.write_str(&serde_json::to_string(&line).map_err(|_| fmt::Error)?)
    }
}

impl std::str::FromStr for ExternalProposal {
    type Err = String;

    fn from_str(line: &str) -> Result<ExternalProposal, String> {
        let torn = "the proposal is torn; a journal writes it as [\"NAME\", [[FILE, [[START, END, \"TEXT\"]]]]]";
        let (proposer, changes): ProposalLine = serde_json::from_str(line).map_err(|_| torn)?;
        let replacement = |(start, end, text): (usize, usize, String)| {
            Some(TextReplacement {
                range: start..end,
                text: decode_latin1(&text)?.into(),
            })
        };
        let changes = changes.into_iter().map(|(file, replacements)| {
            let replacements = match replacements {
                None => None,
                Some(list) => {
                    let list: Option<Vec<_>> = list.into_iter().map(replacement).collect();
                    Some(list?.into())
                }
            };
            Some(FileChange { file, replacements })
        });
        let changes: Option<Vec<FileChange>> = changes.collect();
        Ok(ExternalProposal {
            proposer: proposer.into(),
            changes: changes.ok_or(torn)?.into(),
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn proposal(line: &str) -> ExternalProposal {
        line.parse().expect("a proposal")
    }

    fn texts(texts: &[&str]) -> Vec<FileText> {
        texts
            .iter()
            .map(|text| Some(text.as_bytes().into()))
            .collect()
    }

    #[test]
    fn ranges_go_and_text_comes() {
        let two = proposal(r#"["sed",[[0,[[0,4,""],[8,9,"x"]]]]]"#);
        assert_eq!(two.apply_to(&texts(&["int main;"])), Ok(texts(&["mainx"])));
    }

    #[test]
    fn a_file_goes_as_a_whole() {
        let gone = proposal(r#"["sed",[[1,null]]]"#);
        let left = gone.apply_to(&texts(&["a", "b"])).expect("it can");
        assert_eq!(left, [Some(b"a"[..].into()), None]);
        assert_eq!(gone.apply_to(&left), Err(ProposalError::NoFile));
    }

    #[test]
    fn what_does_not_fit_is_refused() {
        for (line, error) in [
            (r#"["p",[[0,[[5,9,""]]]]]"#, ProposalError::BadRange),
            (r#"["p",[[0,[[2,1,""]]]]]"#, ProposalError::BadRange),
            (
                r#"["p",[[0,[[1,2,""],[0,1,""]]]]]"#,
                ProposalError::BadRange,
            ),
            (r#"["p",[[7,[[1,2,""]]]]]"#, ProposalError::NoFile),
            (r#"["p",[[0,[[1,2,"b"]]]]]"#, ProposalError::NoChange),
        ] {
            assert_eq!(
                proposal(line).apply_to(&texts(&["abc"])),
                Err(error),
                "{line}"
            );
        }
    }
}
