//! Commands: they hold between two decisions.

use super::command::Command;
use super::engine::Engine;
use super::event::{Event, Finish};
use super::present::End;
use super::snapshot::State;

impl Engine {
    pub(super) fn obey(&mut self, command: Command) -> Result<(), End> {
        let in_the_air = u64::from(self.at.permitted);
        self.journal
            .command(self.record.counts.decisions + 1 + in_the_air, command);
        match command {
            Command::Pause if self.paused => self.at.steps = 0,
            Command::Pause => {
                self.paused = true;
                self.tree.forget_bets();
                self.cancel_unwanted();
                self.pause(None);
            }
            Command::Resume if !self.paused => {}
            Command::Resume => {
                (self.paused, self.at.steps) = (false, 0);
                self.record.state = State::Running;
                self.record.event(Event::Resumed {
                    before: self.record.counts.decisions + 1 + in_the_air,
                });
            }
            Command::Step if self.paused => self.at.steps += 1,
            Command::Step => {}
            Command::Stop => return Err(End(Finish::Stopped)),
        }
        self.publish();
        Ok(())
    }

    pub(super) fn pause(&mut self, reason: Option<String>) {
        (self.paused, self.at.steps) = (true, 0);
        self.record.state = State::Paused(reason.clone());
        let before = self.record.counts.decisions + 1 + u64::from(self.at.permitted);
        self.record.event(Event::Paused { before, reason });
        self.publish();
    }
}
