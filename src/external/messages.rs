//! The lines of the protocol. Each is one JSON object; fields are only ever added to it within a version of the protocol.

use serde::{Deserialize, Serialize};
use serde_json::Value;

use crate::oracle::Verdict;
use crate::program::ByteText;

/// The version of the protocol.
pub const PROTOCOL_VERSION: u32 = 1;

/// What a reducer says to a program that proposes candidates.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(tag = "event", rename_all = "snake_case")]
pub enum ReducerLine {
    /// The first line.
    Hello {
        /// The version of the protocol.
        protocol: u32,
        /// The name of the language; none for a text without a grammar.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        language: Option<String>,
    },
    /// The program that is current. What is proposed is asked about on it.
    Version {
        /// Its number: the original is 0.
        version: u64,
        /// Its files, without those that are gone.
        files: Vec<ToldFile>,
    },
    /// What came of a proposal.
    Verdict {
        /// Its `id`.
        id: Value,
        /// What the test says.
        verdict: ProposalVerdict,
        /// Why it was refused.
        #[serde(default, skip_serializing_if = "Option::is_none")]
        why: Option<String>,
        /// The end of what the test printed.
        #[serde(default, skip_serializing_if = "String::is_empty")]
        output: String,
    },
    /// A line could not be read; nothing was done about it.
    Problem {
        /// What is wrong with it.
        message: String,
        /// The beginning of the line.
        line: String,
    },
    /// The run is over.
    End,
    /// What a later version of the protocol may say.
    #[serde(other)]
    Unknown,
}

/// A file of a version.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct ToldFile {
    /// Its name, or its path in the project.
    pub name: String,
    /// Its bytes.
    #[serde(flatten)]
    pub bytes: ByteText,
}

/// What became of a proposal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ProposalVerdict {
    /// The bug is still there: a new version follows.
    Interesting,
    /// The bug is gone.
    Uninteresting,
    /// The test says that the candidate is no program.
    Invalid,
    /// The test took too long.
    TimedOut,
    /// It was not tested: it does not fit the version, breaks a pin, or is not smaller.
    Refused,
    /// It was not tested: the place has changed since the version that it is about.
    Stale,
    /// What a later version of the protocol may say.
    #[serde(other)]
    Unknown,
}

impl From<Verdict> for ProposalVerdict {
    fn from(verdict: Verdict) -> ProposalVerdict {
        match verdict {
            Verdict::Interesting => ProposalVerdict::Interesting,
            Verdict::Uninteresting => ProposalVerdict::Uninteresting,
            Verdict::Invalid => ProposalVerdict::Invalid,
            Verdict::TimedOut => ProposalVerdict::TimedOut,
        }
    }
}

impl ProposalVerdict {
    /// The test's verdict; what was not tested counts as uninteresting.
    pub fn to_verdict(self) -> Verdict {
        match self {
            ProposalVerdict::Interesting => Verdict::Interesting,
            ProposalVerdict::Uninteresting
            | ProposalVerdict::Refused
            | ProposalVerdict::Stale
            | ProposalVerdict::Unknown => Verdict::Uninteresting,
            ProposalVerdict::Invalid => Verdict::Invalid,
            ProposalVerdict::TimedOut => Verdict::TimedOut,
        }
    }
}

/// What a program says that proposes candidates: a proposal, or `done`.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(default)]
pub struct ProposerLine {
    /// It has nothing more to propose of this version.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub done: Option<u64>,
    /// What the verdict is to be called by.
    #[serde(skip_serializing_if = "Value::is_null")]
    pub id: Value,
    /// The version that the proposal is about; without it the newest that was told.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub version: Option<u64>,
    /// The file that changes; without it the only one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub file: Option<String>,
    /// Its whole new text.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// The same for bytes that are not UTF-8.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hex: Option<String>,
    /// Ranges of bytes that go.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub delete: Option<Vec<(usize, usize)>>,
    /// Ranges of bytes, and the text in the place of each.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub replace: Option<Vec<(usize, usize, String)>>,
    /// Whether the file goes as a whole.
    #[serde(skip_serializing_if = "std::ops::Not::not")]
    pub gone: bool,
}
