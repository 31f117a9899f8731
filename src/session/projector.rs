//! A recording on a board, as if it were a run: a thread that plays it.

use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, after, never, select};

use super::player::{Move, Player};
use super::reel::Reading;
use crate::reduce::{Board, Finish, State};

/// Between two looks at a recording that is still being read.
const GLANCES: Duration = Duration::from_millis(100);

/// Plays a recording on a board until nobody is left who could say anything.
pub struct Projector {
    reading: Reading,
    player: Player,
    board: Arc<Board>,
    /// Why there is nothing after its last moment, unless that is the end of the run.
    cut: Option<String>,
    /// Whether there is more to read.
    more: bool,
    /// When time was last told to the player.
    told: Instant,
}

impl Projector {
    /// Begins to play.
    ///
    /// # Errors
    /// When the system gives no thread.
    pub fn start(
        reading: Reading,
        player: Player,
        cut: Option<String>,
        moves: Receiver<Move>,
        board: Arc<Board>,
    ) -> std::io::Result<JoinHandle<()>> {
        let projector = Projector {
            reading,
            player,
            board,
            cut,
            more: true,
            told: Instant::now(),
        };
        let thread = std::thread::Builder::new().name("lop-player".into());
        thread.spawn(move || projector.run(&moves))
    }

    fn run(mut self, moves: &Receiver<Move>) {
        let mut due = Some(Duration::ZERO);
        let grown = self.reading.grown.clone();
        let mut shown = Instant::now();
        loop {
            let clock = due.map_or_else(never, after);
            let growth = if self.more { grown.clone() } else { never() };
            let mut show = select! {
                recv(moves) -> wanted => match wanted {
                    Ok(wanted) => self.obey(wanted),
                    Err(_) => return,
                },
                recv(growth) -> ring => {
                    let over = ring.is_err();
                    self.more &= !over;
                    let moved = self.player.hear(&self.reading.reel(), self.more);
                    over || moved || shown.elapsed() >= GLANCES
                }
                recv(clock) -> _ => false,
            };
            let time = std::mem::replace(&mut self.told, Instant::now()).elapsed();
            show |= self.player.pass(time, &self.reading.reel(), self.more);
            if show || self.board.newest().is_none() {
                shown = Instant::now();
                self.show();
            }
            due = self.player.due(&self.reading.reel());
        }
    }

    fn obey(&mut self, wanted: Move) -> bool {
        // What has passed until now has passed as it was before.
        let time = std::mem::replace(&mut self.told, Instant::now()).elapsed();
        let reel = self.reading.reel();
        self.player.pass(time, &reel, self.more);
        self.player.obey(wanted, &reel, self.more);
        true
    }

    /// The state where the player is, with what is said of the player.
    fn show(&self) {
        let (state, replay) = {
            let reel = self.reading.reel();
            let replay = self.player.shown(&reel, self.more);
            (reel.at(self.player.at()), replay)
        };
        let Some(mut state) = state else {
            return;
        };
        let done = state.state == State::Finished(Finish::Complete);
        state.state = match (replay.playing, &self.cut) {
            _ if replay.last && done && self.cut.is_none() => state.state,
            (false, Some(cut)) if replay.last => State::Paused(Some(cut.clone())),
            (true, _) => State::Running,
            (false, _) => State::Paused(None),
        };
        state.replay = Some(replay);
        self.board.publish(state);
    }
}
