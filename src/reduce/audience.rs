//! Who looks at a run and could resume it: screens come and go while the run goes on.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use crossbeam_channel::Sender;

use super::commands::EngineCommand;
use super::reporting::SnapshotBoard;

/// Who looks at a run. Without anybody it ends where it would wait for somebody: at a pause, or where the test fails again and again. Clones are
/// about the same run.
#[derive(Clone, Debug, Default)]
pub struct RunAudience(Arc<AudienceCount>);

#[derive(Debug, Default)]
struct AudienceCount {
    /// Whether somebody is there as long as the run is.
    is_resident: bool,
    screens: AtomicUsize,
    /// Whether a screen was there that could go, since the run began or forgot those that had gone.
    had_screens: AtomicBool,
}

impl RunAudience {
    /// Somebody who is there as long as the run is.
    pub fn resident() -> RunAudience {
        RunAudience(Arc::new(AudienceCount {
            is_resident: true,
            ..AudienceCount::default()
        }))
    }

    /// Whether somebody is there.
    pub fn is_present(&self) -> bool {
        self.0.is_resident || self.0.screens.load(Ordering::SeqCst) > 0
    }

    /// Whether there were screens, and all have gone.
    pub fn has_left(&self) -> bool {
        self.0.had_screens.load(Ordering::SeqCst) && !self.is_present()
    }

    /// Nobody has left who is not here now: what the run does by itself is the same, whoever looked at it before.
    pub fn forget_departed(&self) {
        let is_present = self.0.screens.load(Ordering::SeqCst) > 0;
        self.0.had_screens.store(is_present, Ordering::SeqCst);
    }

    /// A screen on the run comes; it goes when this is dropped.
    pub fn enter(
        &self,
        commands: Sender<EngineCommand>,
        board: Arc<SnapshotBoard>,
    ) -> AudienceSeat {
        let mut seat = AudienceSeat {
            audience: self.clone(),
            commands,
            board,
            is_taken: false,
        };
        seat.set_taken(true);
        seat
    }
}

/// The place of a screen on a run.
#[derive(Debug)]
pub struct AudienceSeat {
    audience: RunAudience,
    commands: Sender<EngineCommand>,
    board: Arc<SnapshotBoard>,
    /// Whether the screen is there. One whose terminal is silent is not.
    is_taken: bool,
}

impl AudienceSeat {
    /// The screen is there, or it is not.
    pub fn set_taken(&mut self, is_taken: bool) {
        if self.is_taken == is_taken {
            return;
        }
        self.is_taken = is_taken;
        let count = &self.audience.0;
        match is_taken {
            true => {
                count.screens.fetch_add(1, Ordering::SeqCst);
                count.had_screens.store(true, Ordering::SeqCst);
            }
            false => self.leave(),
        }
    }

    /// A run that stands still decides again whether to wait, when the last screen has gone. One that comes to a pause later sees for itself that nobody
    /// is there.
    fn leave(&self) {
        self.audience.0.screens.fetch_sub(1, Ordering::SeqCst);
        let stands = || {
            let newest = self.board.newest_snapshot();
            newest.is_some_and(|newest| newest.state.is_suspended())
        };
        if !self.audience.is_present() && stands() {
            // The run may have ended.
            let _ = self.commands.send(EngineCommand::Resume);
        }
    }
}

impl Drop for AudienceSeat {
    fn drop(&mut self) {
        self.set_taken(false);
    }
}
