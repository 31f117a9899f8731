//! An interrupted run, done again without tests.
//!
//! A run is a function of what it started from and of what it was given: the answers, and the commands. So the dialogue is held again with the
//! recorded answers, and ends in the same state. At each question the engine does the next recorded thing instead of asking. A question that
//! comes earlier than the next recorded decision, by the number of refusals between them, was refused then and is refused now, and the parser
//! does not see it. Only what was accepted is parsed: the trees of the next candidates are made from its trees. Meanwhile nothing is
//! published, reported or written.
//!
//! Where the dialogue differs (another lop, another grammar), the other versions are made from their texts, as the user's own edits are, so
//! tokens keep their identities. Then only commands that constrain are executed, and the run continues from the last version; inside a
//! detour, from the version that it left.

use std::sync::Arc;
use std::time::{Duration, Instant};

use super::breakpoints::BreakEvent;
use super::replay_cursor::ReplayAction;
use super::{ReductionEngine, RunFinished};
use crate::oracle::{TestOutput, Verdict};
use crate::program::{self, Edit, EditOp, EditSentence, FileText, Version};
use crate::reduce::commands::EngineCommand;
use crate::reduce::history::VersionRecord;
use crate::reduce::ports::RecordedEvent;
use crate::reduce::proposer::ProposedCandidate;
use crate::reduce::reporting::{FinishReason, RunEvent, RunState, USER};

/// Between two notes about the progress; and between two reports of it to the screen.
const NOTE_INTERVAL: Duration = Duration::from_secs(1);
const REPORT_INTERVAL: Duration = Duration::from_millis(100);

impl ReductionEngine {
    /// Replays the next event at a candidate. Returns whether there was one; there is none while the parser checks what was accepted.
    pub(super) fn replay_at_candidate(
        &mut self,
        proposed: &Arc<ProposedCandidate>,
    ) -> Result<bool, RunFinished> {
        if self.replay.is_none() {
            return Ok(false);
        }
        self.poll_replay_commands()?;
        match self.next_replay_action(proposed) {
            ReplayAction::Reject => self.tree.reject_candidate(self.tree.root_index()),
            ReplayAction::Confirm => {
                let key = (self.root_node().base, proposed.hash);
                if !self.testing.is_being_checked(key) {
                    self.submit_candidate(
                        self.tree.root_index(),
                        key,
                        proposed.candidate.clone(),
                        false,
                    );
                }
                return Ok(false);
            }
            ReplayAction::Unconfirmed => {
                self.restore_versions("the parser refuses what was accepted")
            }
            ReplayAction::Decide(result, (at, time)) => {
                self.publish_replay_frame();
                self.record.publisher.set_clock(at, time);
                self.check_breakpoints(&BreakEvent::Proposing(proposed.why.node));
                self.commit_decision(proposed, result, TestOutput::default());
            }
            ReplayAction::Execute(command) => {
                self.publish_replay_frame();
                self.execute_command(command)?;
            }
            ReplayAction::Differs => self.restore_versions("another question is asked"),
            ReplayAction::Finished if self.record.publisher.is_observed() => {
                return Err(RunFinished(FinishReason::Stopped));
            }
            ReplayAction::Finished => self.finish_replay(true),
        }
        Ok(true)
    }

    /// Executes the next command again that held here, before work. Returns whether there was one.
    pub(super) fn replay_before_work(&mut self) -> Result<bool, RunFinished> {
        if self.replay.is_none() || self.has_pending_feedback() {
            return Ok(false);
        }
        self.poll_replay_commands()?;
        let here = self.command_position();
        let Some(replay) = &mut self.replay else {
            return Ok(false);
        };
        if !replay.follows_recording(&self.history) {
            return Ok(false);
        }
        let event = &mut replay.resume.events;
        let holds_here = |event: &RecordedEvent| matches!(event, RecordedEvent::Command { place, .. } if *place == here);
        let next = event
            .front()
            .is_some_and(holds_here)
            .then(|| event.pop_front());
        let Some(Some(RecordedEvent::Command { command, .. })) = next else {
            return Ok(false);
        };
        self.publish_replay_frame();
        self.execute_command(command)?;
        Ok(true)
    }

    /// Publishes a moment of a recording that is only observed.
    fn publish_replay_frame(&mut self) {
        if self.record.publisher.is_observed() {
            self.publish_snapshot();
        }
    }

    /// The proposer has nothing more to propose. Replays the next event. Returns whether there was one.
    pub(super) fn replay_at_end(&mut self) -> Result<bool, RunFinished> {
        let rejected_now = self.record.counts.rejected - self.rejected_before;
        let Some(replay) = &mut self.replay else {
            return Ok(false);
        };
        let same = replay.follows_recording(&self.history);
        if same && replay.resume.events.is_empty() {
            if self.record.publisher.is_observed() {
                return Err(RunFinished(FinishReason::Complete));
            }
            self.finish_replay(true);
            // A command may go on from the end.
            return Ok(true);
        }
        match replay.resume.events.pop_front() {
            Some(RecordedEvent::Command { place, command })
                if same && (place.rejected == rejected_now || !command.changes_proposals()) =>
            {
                let view = self.root_node().proposer.view.clone();
                self.record.remember_proof(&view);
                self.execute_command(command)?;
            }
            Some(other) => {
                replay.resume.events.push_front(other);
                // A detour that ends larger returns by itself.
                if !same || self.detour_base.is_none() {
                    self.restore_versions("it ends");
                    return Ok(true);
                }
                return Ok(false);
            }
            None => self.restore_versions("it ends"),
        }
        Ok(true)
    }

    /// Defers commands until the replay has ended, except a stop. Reports the progress.
    fn poll_replay_commands(&mut self) -> Result<(), RunFinished> {
        let Some(replay) = &mut self.replay else {
            return Ok(());
        };
        while let Some(command) = self.commands.receive_command() {
            match command {
                EngineCommand::Stop => return Err(RunFinished(FinishReason::Stopped)),
                command => replay.deferred_commands.push(command),
            }
        }
        let (done, all) = (self.record.counts.decisions, replay.decisions);
        if replay.last_report.elapsed() >= REPORT_INTERVAL {
            replay.last_report = Instant::now();
            replay.report_progress(&self.record, done);
        }
        if replay.last_note.elapsed() >= NOTE_INTERVAL {
            replay.last_note = Instant::now();
            let note = format!("going on: decision {done} of {all}");
            self.record.publisher.emit_always(RunEvent::Note(note));
        }
        Ok(())
    }

    /// Defers a command until the replay has ended.
    pub(super) fn defer_until_resumed(&mut self, command: EngineCommand) {
        if let Some(replay) = &mut self.replay {
            replay.deferred_commands.push(command);
        }
    }

    fn next_replay_action(&mut self, proposed: &ProposedCandidate) -> ReplayAction {
        let rejected_now = self.record.counts.rejected - self.rejected_before;
        let number = self.record.counts.decisions + 1;
        let key = (self.root_node().base, proposed.hash);
        let confirmed = self.testing.checked.get(&key).map(Option::is_some);
        let Some(replay) = &mut self.replay else {
            return ReplayAction::Finished;
        };
        if !replay.follows_recording(&self.history) {
            return ReplayAction::Differs;
        }
        let expected = match replay.resume.events.front() {
            Some(RecordedEvent::Decided {
                rejected: refused, ..
            }) => *refused,
            Some(RecordedEvent::Command { place, command })
                if place.before == number || !command.changes_proposals() =>
            {
                place.rejected
            }
            None => return ReplayAction::Finished,
            _ => return ReplayAction::Differs,
        };
        if rejected_now < expected {
            return ReplayAction::Reject;
        }
        match replay.resume.events.front() {
            Some(RecordedEvent::Decided { hash, result, .. })
                if rejected_now == expected
                    && *hash == proposed.hash
                    && result.verdict == Verdict::Interesting =>
            {
                match confirmed {
                    None => return ReplayAction::Confirm,
                    Some(false) => return ReplayAction::Unconfirmed,
                    Some(true) => {}
                }
            }
            _ => {}
        }
        match replay.resume.events.pop_front() {
            Some(RecordedEvent::Decided {
                hash,
                result,
                at,
                time,
                ..
            }) if rejected_now == expected && hash == proposed.hash => {
                ReplayAction::Decide(result, (at, time))
            }
            Some(RecordedEvent::Command { command, .. })
                if rejected_now == expected || !command.changes_proposals() =>
            {
                ReplayAction::Execute(command)
            }
            Some(other) => {
                replay.resume.events.push_front(other);
                ReplayAction::Differs
            }
            None => ReplayAction::Finished,
        }
    }

    /// The rest cannot be replayed: versions are restored from their texts, and constraints where they were made.
    fn restore_versions(&mut self, why: &str) {
        let Some(replay) = &mut self.replay else {
            return;
        };
        let held = replay.replayed_count();
        let (rest, made_before) = replay.take_unreplayable();
        let why = replay.resume.divergence.take().unwrap_or_else(|| {
            format!("the dialogue differs from the recorded one ({why}): a fault of lop")
        });
        let text = replay.resume.texts.clone();
        let mut detour_base = self.detour_base.take();
        for event in rest {
            match event {
                RecordedEvent::Accepted {
                    decision,
                    version,
                    parent,
                    hash,
                    sentence,
                    in_detour,
                } if version == self.history.next_number() => {
                    let made = self.history.get(parent).cloned().zip(text(version));
                    let made =
                        made.and_then(|(parent, texts)| rewrite_version(&parent.version, &texts));
                    let Some((edit, made)) = made else {
                        continue;
                    };
                    detour_base = in_detour.then(|| detour_base.unwrap_or(parent));
                    self.history.switch_to(parent);
                    self.history.push(VersionRecord {
                        number: version,
                        parent: Some(parent),
                        decision,
                        decided: None,
                        pass: USER,
                        sentence: EditSentence::from_line(&sentence),
                        edit: Some(edit),
                        hash,
                        version: made,
                        in_detour,
                        ended_detour: None,
                        flaky: false,
                        properties: self.history.properties_in_force(),
                    });
                    if self.record.publisher.is_observed() {
                        let made = &self.history.current_version().version;
                        self.record.record_switch(made);
                        self.switch_to_history();
                        self.publish_replay_frame();
                    }
                }
                RecordedEvent::Decided {
                    result, at, time, ..
                } if self.record.publisher.is_observed() => {
                    self.record
                        .count_decision(result.verdict, !result.origin.is_cached());
                    self.record.publisher.set_clock(at, time);
                }
                RecordedEvent::VersionSwitched { current, kept }
                    if self.history.get(current).is_some() =>
                {
                    self.history.switch_to(current);
                    if let Some(base) = detour_base.filter(|_| current == kept) {
                        self.history.finish_detour(base);
                    }
                    detour_base = (current != kept).then_some(kept);
                }
                RecordedEvent::Command { command, .. }
                    if command.changes_rules() || command.controls_pausing() =>
                {
                    self.switch_to_history();
                    // The command itself reports what is not possible any more.
                    let _ = self.execute_command(command);
                }
                _ => {}
            }
        }
        // What goes on is not the detour that was recorded, so nothing of it counts.
        if let Some(base) = detour_base {
            self.history.switch_to(base);
        }
        self.switch_to_history();
        if made_before {
            return;
        }
        if self.record.publisher.is_observed() {
            self.add_note(format!("from here on only its versions are known: {why}"));
            return;
        }
        self.journal.record_restore(held);
        self.finish_replay(false);
        self.add_note(format!(
            "{why}; the run continues from version {}, but not as it would have continued then",
            self.history.current_version().number
        ));
    }

    fn switch_to_history(&mut self) {
        self.record.passes.forget_settled();
        let version = self.history.current_version().version.clone();
        self.change_rules(|proposer| proposer.switch_version(&version, false));
    }

    /// Ends the replay. From now on things happen.
    fn finish_replay(&mut self, exactly: bool) {
        let Some(replay) = self.replay.take() else {
            return;
        };
        self.record.publisher.show_replay_progress(None);
        // Where no user could resume the run, it resumes.
        self.paused &= self.audience.is_present();
        if !self.paused {
            self.record.state = RunState::Running;
        }
        self.record.publisher.end_replay(replay.resume.elapsed);
        self.record.publisher.emit_event(RunEvent::Replayed {
            counts: self.record.counts,
            elapsed: replay.resume.elapsed,
        });
        self.journal.record_resume(exactly);
        let now = self.history.current_version().number;
        self.journal
            .record_switch(now, self.detour_base.unwrap_or(now));
        self.commands.prepend_commands(replay.deferred_commands);
        let now = self.history.current_version().clone();
        let tokens = now.version.token_count();
        self.record.publisher.emit_event(RunEvent::VersionSwitched {
            version: now.number,
            tokens,
            bytes: now.version.byte_count(),
            size: now.version.size(),
        });
        self.record.add_resume_note(format!(
            "the session continues after decision {}, at version {} with {tokens} tokens",
            self.record.counts.decisions, now.number
        ));
        self.publish_snapshot();
        self.record.report_running_pass();
    }
}

/// The version whose documents have these texts, with identities kept where the text is.
fn rewrite_version(parent: &Version, texts: &[FileText]) -> Option<(Edit, Version)> {
    let edit = Edit::from(EditOp::Rewrite(texts.into()));
    let (version, _) = program::apply_edit(parent, &edit).ok()?;
    Some((edit, version))
}
