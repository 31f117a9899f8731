//! What programs outside of lop propose: when it is heard, and what becomes of it.
//!
//! A proposal takes the place of a question of the run's own: never while one is tested, and once between two of them. Where nothing else is left
//! to ask, all are heard until each program has no more of the version. What is asked about is a command in the journal, so a replay needs no
//! program.

use std::sync::Arc;

use crossbeam_channel::{Receiver, never};

use super::{CommandResult, ReductionEngine};
use crate::oracle::{TestOutput, Verdict};
use crate::program::{ContentHash, Edit, EditAction, EditOp, EditReason, FileText, QuestionWords};
use crate::reduce::commands::{EngineCommand, ExternalProposal, FileChange};
use crate::reduce::ports::{ProposalMessage, ProposalOutcome, ProposalSource};
use crate::reduce::proposer::ProposerStop;
use crate::reduce::reporting::EXTERNAL;

/// The programs, and what they were told.
pub(super) struct ExternalProposers {
    source: Option<Box<dyn ProposalSource>>,
    /// What was said last, until it is heard.
    message: Option<ProposalMessage>,
    /// The program whose proposal is asked about.
    asked: Option<usize>,
    /// Whether a proposal was asked about, and no question of the run's own since.
    had_turn: bool,
    /// The version that they were told last.
    announced: Option<u64>,
    /// The last version of which each has no more to propose.
    done: Vec<Option<u64>>,
    /// Whether the user knows that the run waits for them.
    is_wait_noted: bool,
}

impl ExternalProposers {
    pub fn new(source: Option<Box<dyn ProposalSource>>) -> ExternalProposers {
        let count = source.as_ref().map_or(0, |source| source.proposer_count());
        ExternalProposers {
            source,
            message: None,
            asked: None,
            had_turn: false,
            announced: None,
            done: vec![None; count],
            is_wait_noted: false,
        }
    }

    /// The channel of what they say, while there is room for it.
    pub fn message_receiver(&self) -> Receiver<ProposalMessage> {
        let source = self.source.as_ref().filter(|_| self.message.is_none());
        source.map_or_else(never, |source| source.message_receiver().clone())
    }

    /// Keeps what they said until it is heard. Nobody says more if they are gone.
    pub fn on_message(&mut self, message: Option<ProposalMessage>) {
        match message {
            Some(message) => self.message = Some(message),
            None => self.source = None,
        }
    }

    fn take_message(&mut self) -> Option<ProposalMessage> {
        let next = || self.source.as_ref()?.message_receiver().try_recv().ok();
        self.message.take().or_else(next)
    }

    fn report_outcome(&mut self, proposer: usize, outcome: ProposalOutcome) {
        if let Some(source) = &mut self.source {
            source.report_outcome(proposer, outcome);
        }
    }

    /// What came of the proposal that is asked about.
    fn finish_asked(&mut self, outcome: ProposalOutcome) {
        if let Some(proposer) = self.asked.take() {
            self.report_outcome(proposer, outcome);
        }
    }

    /// A candidate was decided.
    pub fn on_decision(&mut self, pass: &str, verdict: Verdict, output: &TestOutput) {
        self.had_turn = pass == EXTERNAL;
        if self.had_turn {
            self.finish_asked(ProposalOutcome::Decided(verdict, output.clone()));
        }
    }

    /// Whether the run has a proposal of theirs.
    pub fn is_asked(&self) -> bool {
        self.asked.is_some()
    }

    /// The proposal that is asked about breaks a rule.
    pub fn on_rejection(&mut self) {
        self.finish_asked(ProposalOutcome::Refused(
            "it would not be smaller, or a pin, a required query or another constraint forbids it"
                .into(),
        ));
    }

    fn has_more(&self, version: u64) -> bool {
        self.source.is_some() && self.done.iter().any(|done| *done != Some(version))
    }
}

impl ReductionEngine {
    /// The next proposal from outside, as a command, if its turn has come.
    pub(super) fn next_external_proposal(&mut self) -> Option<EngineCommand> {
        self.announce_version();
        while self.hears_proposals() {
            match self.external.take_message()? {
                ProposalMessage::Notice(sentence) => self.add_note(sentence),
                ProposalMessage::Done {
                    proposer,
                    version,
                    silent,
                } => {
                    self.external.done[proposer] = Some(version);
                    if let Some(name) = silent.filter(|_| self.is_nothing_left()) {
                        self.add_note(format!("{name} says nothing; the run does not wait for it"));
                    }
                }
                ProposalMessage::Propose {
                    proposer,
                    version,
                    proposal,
                } => match self.check_proposal(version, &proposal) {
                    Ok(()) => {
                        (self.external.asked, self.external.had_turn) = (Some(proposer), true);
                        return Some(EngineCommand::Propose(proposal));
                    }
                    Err(outcome) => self.external.report_outcome(proposer, outcome),
                },
            }
        }
        None
    }

    fn announce_version(&mut self) {
        let current = self.history.current_version();
        let external = &mut self.external;
        if let Some(source) = &mut external.source
            && external.announced != Some(current.number)
        {
            external.announced = Some(current.number);
            source.announce_version(current.number, &current.version);
        }
    }

    /// Whether a proposal would be the next question.
    fn hears_proposals(&mut self) -> bool {
        let proposer = &self.root_node().proposer;
        if self.external.source.is_none()
            || self.is_planning()
            || self.is_standing()
            || (self.root_state.permitted && !self.is_nothing_left())
            || self.testing.recheck.is_some()
            || proposer.schedule.has_manual_edit()
        {
            return false;
        }
        // Another command has taken its place.
        self.external.finish_asked(ProposalOutcome::Stale);
        self.is_nothing_left() || !self.external.had_turn
    }

    fn is_nothing_left(&self) -> bool {
        matches!(self.root_node().stop, ProposerStop::Done)
    }

    /// Whether the run waits at its end for programs that may have more to propose.
    pub(super) fn waits_for_proposals(&mut self) -> bool {
        let version = self.history.current_version().number;
        let waits = self.replay.is_none() && self.external.has_more(version);
        if waits && !self.external.is_wait_noted {
            self.external.is_wait_noted = true;
            self.add_note("nothing of the run's own is left to ask; it waits for proposals".into());
        }
        waits
    }

    /// Whether a proposal can be asked about now; or what its program receives instead.
    fn check_proposal(
        &self,
        version: u64,
        proposal: &ExternalProposal,
    ) -> Result<(), ProposalOutcome> {
        if version != self.history.current_version().number {
            return Err(ProposalOutcome::Stale);
        }
        let refused = ProposalOutcome::Refused;
        let texts = self.proposed_texts(proposal).map_err(refused)?;
        let hash = ContentHash::from_documents(texts.iter().map(Option::as_deref));
        let known = self.lookup_cache(hash, None).map(|hit| hit.verdict);
        if let Some(verdict) = known.filter(|verdict| *verdict != Verdict::Interesting) {
            return Err(ProposalOutcome::Decided(verdict, TestOutput::default()));
        }
        let proposer = &self.root_node().proposer;
        if proposer.view.version.token_count() >= self.background_threshold {
            // The planner's thread finds out, and commands are heard meanwhile.
            return Ok(());
        }
        let rejection = proposer.rejection_reason(&Edit::from(EditOp::Rewrite(texts)));
        rejection.map_or(Ok(()), |rejection| Err(refused(rejection.to_string())))
    }

    fn proposed_texts(&self, proposal: &ExternalProposal) -> Result<Arc<[FileText]>, String> {
        let version = &self.root_node().proposer.view.version;
        let is_gone = |change: &FileChange| change.replacements.is_none();
        if !version.is_project() && proposal.changes.iter().any(is_gone) {
            return Err("only a file of a project can go as a whole".into());
        }
        let texts = proposal.apply_to(&version.render_texts());
        texts.map(Into::into).map_err(|error| error.to_string())
    }

    /// Makes a proposal the next question.
    pub(super) fn execute_proposal(&mut self, proposal: &ExternalProposal) -> CommandResult {
        let edit = Edit::from(EditOp::Rewrite(self.proposed_texts(proposal)?));
        let question = format!("Is what {} proposes interesting?", proposal.proposer);
        let why = EditReason {
            pass: EXTERNAL,
            action: EditAction::Question(QuestionWords::ask(question)),
            node: None,
        };
        self.change_root(|proposer| proposer.propose_manual_edit(edit, why));
        Ok(None)
    }
}
