//! A recording on a board, as if it were a run: a thread that plays it.
//!
//! It puts the state at the player's place on the board, with `RunSnapshot::replay`. The screen reads the board as it does a run's, and sends moves
//! instead of commands.

use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, after, never, select};

use super::player::{PlayerCommand, ReplayPlayer};
use super::timeline::TimelineReader;
use crate::reduce::{FinishReason, RunState, SnapshotBoard};

/// Between two looks at a recording that is still being read.
const GLANCES: Duration = Duration::from_millis(100);

/// Plays a recording on a board until its handle is dropped.
pub struct PlaybackThread {
    reading: TimelineReader,
    player: ReplayPlayer,
    board: Arc<SnapshotBoard>,
    /// Why the recording ends there, unless that is the end of the run.
    cut_reason: Option<String>,
    /// Whether there is more to read.
    is_reading: bool,
    /// When the player's time was last advanced.
    last_tick: Instant,
}

impl PlaybackThread {
    /// Begins to play.
    ///
    /// # Errors
    /// When the system gives no thread.
    pub fn start(
        reading: TimelineReader,
        player: ReplayPlayer,
        cut: Option<String>,
        moves: Receiver<PlayerCommand>,
        board: Arc<SnapshotBoard>,
    ) -> std::io::Result<JoinHandle<()>> {
        let projector = PlaybackThread {
            reading,
            player,
            board,
            cut_reason: cut,
            is_reading: true,
            last_tick: Instant::now(),
        };
        let thread = std::thread::Builder::new().name("lop-player".into());
        thread.spawn(move || projector.run_loop(&moves))
    }

    fn run_loop(mut self, moves: &Receiver<PlayerCommand>) {
        let mut due = Some(Duration::ZERO);
        let grown = self.reading.grown.clone();
        let mut shown = Instant::now();
        loop {
            let clock = due.map_or_else(never, after);
            let growth = if self.is_reading {
                grown.clone()
            } else {
                never()
            };
            let mut show = select! {
                recv(moves) -> wanted => match wanted {
                    Ok(wanted) => self.apply_command(wanted),
                    Err(_) => return,
                },
                recv(growth) -> ring => {
                    let over = ring.is_err();
                    self.is_reading &= !over;
                    let moved = self.player.on_timeline_grown(&self.reading.lock_timeline(), self.is_reading);
                    over || moved || shown.elapsed() >= GLANCES
                }
                recv(clock) -> _ => false,
            };
            let time = std::mem::replace(&mut self.last_tick, Instant::now()).elapsed();
            show |= self
                .player
                .advance_time(time, &self.reading.lock_timeline(), self.is_reading);
            if show || self.board.newest_snapshot().is_none() {
                shown = Instant::now();
                self.publish_frame();
            }
            due = self
                .player
                .time_to_next_frame(&self.reading.lock_timeline());
        }
    }

    fn apply_command(&mut self, wanted: PlayerCommand) -> bool {
        // The time until now passed at the old speed.
        let time = std::mem::replace(&mut self.last_tick, Instant::now()).elapsed();
        let timeline = self.reading.lock_timeline();
        self.player.advance_time(time, &timeline, self.is_reading);
        self.player
            .apply_command(wanted, &timeline, self.is_reading);
        true
    }

    /// The state at the player's place, with the player's status.
    fn publish_frame(&self) {
        let (state, replay) = {
            let timeline = self.reading.lock_timeline();
            let replay = self.player.replay_state(&timeline, self.is_reading);
            (timeline.snapshot_at(self.player.frame_index()), replay)
        };
        let Some(mut state) = state else {
            return;
        };
        let done = state.state == RunState::Finished(FinishReason::Complete);
        state.state = match (replay.playing, &self.cut_reason) {
            _ if replay.last && done && self.cut_reason.is_none() => state.state,
            (false, Some(cut)) if replay.last => RunState::Paused(Some(cut.clone())),
            (true, _) => RunState::Running,
            (false, _) => RunState::Paused(None),
        };
        state.replay = Some(replay);
        self.board.publish_snapshot(state);
    }
}
