//! Programs outside of lop that propose candidates, as the engine sees them.
//!
//! The engine takes a proposal only where it would ask a question of its own, at most one between two of its own, and at its end as many as there
//! are. So a program that is slow, wrong, or never ends holds nothing up but that end, and [`ProposalMessage::Done`] comes in any case.

use std::sync::Arc;

use crossbeam_channel::Receiver;

use crate::oracle::{TestOutput, Verdict};
use crate::program::Version;
use crate::reduce::commands::ExternalProposal;

/// What a program outside says.
#[derive(Clone, Debug)]
pub enum ProposalMessage {
    /// It proposes a candidate. The next message of the same program comes behind the outcome.
    Propose {
        /// The number of the program, from 0.
        proposer: usize,
        /// The version that the proposal is about.
        version: u64,
        /// What it proposes.
        proposal: ExternalProposal,
    },
    /// It has nothing more to propose of this version, or is not waited for any longer.
    Done {
        /// The number of the program.
        proposer: usize,
        /// The version.
        version: u64,
        /// Its name, if it only said nothing for as long as it is waited for.
        silent: Option<Arc<str>>,
    },
    /// The user is to know this.
    Notice(String),
}

/// What came of a proposal.
#[derive(Clone, Debug)]
pub enum ProposalOutcome {
    /// The test, or what is known of it, says this. Behind *interesting* there is a new version.
    Decided(Verdict, TestOutput),
    /// The version is another one by now: it may be proposed again.
    Stale,
    /// It was not tested, for this reason.
    Refused(String),
}

/// Where proposals come from. No call waits.
pub trait ProposalSource: Send {
    /// How many programs there are.
    fn proposer_count(&self) -> usize;

    /// The channel of what they say.
    fn message_receiver(&self) -> &Receiver<ProposalMessage>;

    /// Another version is current.
    fn announce_version(&mut self, number: u64, version: &Version);

    /// What came of the last proposal of this program.
    fn report_outcome(&mut self, proposer: usize, outcome: ProposalOutcome);
}
