//! The loop: it receives keys, snapshots, signals and clock ticks, and draws a frame when something changed, at a limited rate.
//!
//! ```text
//!   input ──┐
//!   bell  ──┤            ┌─▶ key, take ─▶ dirty ─▶ draw, when the frame's time has come
//!   signals ┼─▶ select! ─┤
//!   watch ──┤            └─▶ commands to the run
//!   clock ──┘
//! ```

use std::sync::Arc;
use std::time::{Duration, Instant};

use crossbeam_channel::{Receiver, after, bounded, never, select};
use crossterm::event::{Event, MouseButton, MouseEventKind};

use super::attention::{AttentionSignal, AttentionState, attention_message};
use super::candidate_thread::{CandidateThread, new_candidate_thread};
use super::editor::{EditorDirectory, EditorOutcome};
use super::highlight_thread::{HighlightThread, new_highlight_thread};
use super::line_pace::FrameCause;
use super::paced_screen::PacedScreen;
use super::screen_thread::spawn_screen_thread;
use crate::display::{UnixTime, WallClock};
use crate::oracle;
use crate::program::pair::PatchSide;
use crate::reduce::{AudienceSeat, EngineCommand, RunState, SnapshotBoard};
use crate::session::file_watcher::{ChangeDebouncer, FileWatcher, WatchedChange};
use crate::tui::app::{App, KeyEffect};
use crate::tui::commands::keys::KeyPress;
use crate::tui::contrast::{ContrastStarter, ContrastTask, ContrastUpdate};
use crate::tui::panes::pane_action::PaneAction;
use crate::tui::program_view::file_graph::FileGraph;
use crate::tui::program_view::pair_alignment::{SEED, SIDES};
use crate::tui::theme::Role;
use crate::tui::{CommandTarget, ExitReason, ScreenExit, TuiError};

/// How long the loop waits for the run to stop.
const STOP_TIMEOUT: Duration = Duration::from_secs(2);

/// The loop and its state.
pub struct ScreenLoop<'a> {
    /// The first field: the terminal is restored before what belongs to a large program is dropped.
    screen: PacedScreen,
    app: App,
    board: &'a SnapshotBoard,
    target: CommandTarget<'a>,
    /// The files that changed lately.
    file_changes: ChangeDebouncer,
    /// The directory for edited programs, after the first edit.
    editor_directory: Option<EditorDirectory>,
    /// The place of an attached screen on the run. It is there as long as its terminal answers.
    pub seat: Option<AudienceSeat>,
    /// Compares the result with its neighbours.
    pub contrast: Option<&'a dyn ContrastStarter>,
    /// The comparison that runs.
    contrast_task: Option<ContrastTask>,
    /// Finds out which file of a project needs which.
    graph_task: Option<Receiver<FileGraph>>,
    /// When that is to be found out again, if it was too early at the last frame.
    graph_due: Option<Instant>,
    /// Finds the colours that no tree says.
    highlighting: HighlightThread,
    /// Reads the candidates that the user opens.
    candidates: CandidateThread,
    /// What the user was called for.
    attention: AttentionState,
    /// Why the screen is being left, and until when it waits for the run to stop.
    pending_exit: Option<(ExitReason, Instant)>,
    /// Why the run was stalled when the screen was left.
    stall_reason: Option<String>,
}

impl<'a> ScreenLoop<'a> {
    /// A loop that draws on `screen`.
    pub fn new(
        app: App,
        screen: PacedScreen,
        board: &'a SnapshotBoard,
        target: CommandTarget<'a>,
    ) -> ScreenLoop<'a> {
        ScreenLoop {
            screen,
            app,
            board,
            target,
            file_changes: ChangeDebouncer::default(),
            editor_directory: None,
            seat: None,
            contrast: None,
            contrast_task: None,
            graph_task: None,
            graph_due: None,
            highlighting: new_highlight_thread(),
            candidates: new_candidate_thread(),
            attention: AttentionState::default(),
            pending_exit: None,
            stall_reason: None,
        }
    }

    /// Runs until the screen is left.
    ///
    /// # Errors
    /// When the terminal is gone, or a thread panicked.
    pub fn run(
        mut self,
        signals: &Receiver<i32>,
        watch: &FileWatcher,
        over: &Receiver<()>,
    ) -> Result<ScreenExit, TuiError> {
        let (bell, silence) = (self.board.subscribe_updates(), never());
        let (events, replies) = (self.screen.events(), self.screen.replies());
        loop {
            self.screen.ensure_owned()?;
            if let Some(seat) = &mut self.seat {
                // It may have answered while an editor ran.
                replies
                    .try_iter()
                    .for_each(|reply| self.screen.on_reply(reply));
                seat.set_taken(!self.screen.is_silent());
            }
            if self.screen.is_frame_due() {
                self.draw_frame()?;
            }
            // Not by a frame at that time: while one is due, updates of the board are ignored.
            if self.graph_due.is_some_and(|due| due <= Instant::now()) {
                self.start_file_graph();
            }
            if let Some((reason, until)) = self.pending_exit
                && (self.has_run_ended() || until <= Instant::now())
            {
                return Ok(self.build_exit(reason));
            }
            let changes = self.file_changes.take_settled();
            if !changes.is_empty() {
                self.on_files_changed(&changes)?;
            }
            let clock = if self.app.run_idle_work() {
                // More idle work is left: handle only the events that are waiting already.
                self.screen.request_frame(FrameCause::Run);
                after(Duration::ZERO)
            } else {
                self.wakeup_timer()
            };
            // While a frame is due, updates of the board are ignored: drawing reads the newest snapshot anyway. So a fast run wakes
            // the screen once for each frame, not once for each test. The end of the run that the screen is left for waits for no frame.
            let bell = if self.screen.wants_frame() && self.pending_exit.is_none() {
                &silence
            } else {
                &bell
            };
            let graph = self.graph_task.clone().unwrap_or_else(never);
            let task = self.contrast_task.as_ref();
            let contrast = task.map_or_else(never, |task| task.updates.clone());
            select! {
                recv(events) -> event => match event {
                    Ok(event) => {
                        self.handle_event(event.map_err(TuiError::Terminal)?)?;
                        while let Ok(event) = events.try_recv() {
                            self.handle_event(event.map_err(TuiError::Terminal)?)?;
                        }
                    }
                    Err(_) => return Err(TuiError::Panicked),
                },
                recv(bell) -> _ => self.screen.request_frame(FrameCause::Run),
                recv(signals) -> signal => self.request_exit(ExitReason::Signal(signal.unwrap_or_default())),
                recv(watch.changes) -> change => if let Ok(change) = change {
                    self.file_changes.add_change(change);
                },
                recv(contrast) -> update => self.on_contrast_update(update.ok()),
                recv(replies) -> reply => if let Ok(reply) = reply {
                    self.screen.on_reply(reply);
                },
                recv(graph) -> graph => {
                    self.graph_task = None;
                    self.app.finish_file_graph(graph.ok());
                    self.screen.request_frame(FrameCause::Run);
                }
                recv(self.highlighting.updates) -> update => match update {
                    Ok(update) => {
                        self.app.apply_highlights(update);
                        self.screen.request_frame(FrameCause::Key);
                    }
                    Err(_) => self.highlighting.restart(),
                },
                recv(self.candidates.updates) -> opened => match opened {
                    Ok(opened) => {
                        self.app.apply_candidate(opened);
                        self.screen.request_frame(FrameCause::Key);
                    }
                    Err(_) => self.candidates.restart(),
                },
                recv(over) -> _ => {
                    self.stall_reason = None;
                    return Ok(self.build_exit(ExitReason::Superseded));
                }
                recv(clock) -> _ => self.on_clock_tick(),
            }
        }
    }

    fn build_exit(&mut self, reason: ExitReason) -> ScreenExit {
        self.screen.settle_line();
        // The last snapshot may not be drawn yet.
        self.poll_board();
        ScreenExit {
            reason,
            stall_reason: self.stall_reason.take(),
            paused_time: self.app.view.paused_time(),
        }
    }

    fn draw_frame(&mut self) -> Result<(), TuiError> {
        self.poll_board();
        let app = &mut self.app;
        app.view.clock = WallClock {
            now: UnixTime::now(),
            offset_at: oracle::read_zone_offset,
        };
        self.screen
            .draw_frame(|buffer| app.draw_frame(buffer, Instant::now()))?;
        self.start_file_graph();
        if let Some(request) = self.app.take_highlight_request() {
            // Without a thread there are no colours.
            let _ = self.highlighting.send_request(request);
        }
        let wanted = self.app.take_candidate_request();
        let unread = wanted.and_then(|request| self.candidates.send_request(request).err());
        if let Some(request) = unread {
            self.app.apply_candidate(request.read_candidate());
            self.screen.request_frame(FrameCause::Key);
        }
        self.call_user()
    }

    /// Calls the user if the newest state is a reason for it, as the configuration says.
    fn call_user(&mut self) -> Result<(), TuiError> {
        let view = &self.app.view;
        let Some(snapshot) = &view.snapshot else {
            return Ok(());
        };
        // Who leaves is here.
        if self.pending_exit.is_some() {
            return Ok(());
        }
        let signal = AttentionSignal::from_word(view.setup.config.notify_word());
        let message = attention_message(&view.context.title, snapshot);
        let sequence = self.attention.update_message(signal, message);
        self.screen.send_sequence(&sequence)
    }

    /// Has a thread find out which file needs which, if the frame shows files and that is not known.
    fn start_file_graph(&mut self) {
        let begun = self.app.begin_file_graph(Instant::now());
        self.graph_due = begun.as_ref().err().copied().flatten();
        let Ok(version) = begun else {
            return;
        };
        let (found, task) = bounded(1);
        let find = move || {
            // The screen may be gone by then.
            let _ = found.send(FileGraph::of_version(&version));
        };
        match spawn_screen_thread("files", find) {
            Ok(()) => self.graph_task = Some(task),
            Err(_) => self.app.finish_file_graph(None),
        }
    }

    /// Wakes the loop for the next deadline, and regularly to check that it still owns the terminal.
    fn wakeup_timer(&self) -> Receiver<Instant> {
        let until = self.pending_exit.map(|(_, until)| until);
        after(
            self.screen
                .wait_for(&[until, self.file_changes.settle_at, self.graph_due]),
        )
    }

    /// Redraws the time of a long test or of long planning. A terminal that is attached shows with each frame that it is there.
    fn on_clock_tick(&mut self) {
        let snapshot = self.app.view.snapshot.as_ref();
        let waiting = snapshot.is_some_and(|snapshot| {
            snapshot.current_test.is_some() || snapshot.state == RunState::Running
        });
        let waiting = waiting || self.seat.is_some() || !self.app.toasts.is_empty();
        if waiting {
            self.screen.request_clock_frame();
        }
    }

    /// Handles changed files, after the writes to them have ended.
    fn on_files_changed(&mut self, changes: &[WatchedChange]) -> Result<(), TuiError> {
        if changes.contains(&WatchedChange::Settings) {
            match self.app.view.setup.reload_config() {
                Ok(setup) => {
                    let mouse = setup.config.is_mouse_enabled();
                    self.screen.set_mouse_capture(mouse)?;
                    self.app.apply_setup(setup);
                    self.app.toasts.clear_errors();
                    self.app
                        .toasts
                        .push_toast("the configuration was read again", Role::Note);
                }
                Err(error) => {
                    let text = error.to_string().replace('\n', "; ");
                    let text = format!("{text}; the configuration is unchanged");
                    self.app.toasts.push_toast(text, Role::Failed);
                }
            }
        }
        for change in changes {
            let is_over = self.app.view.is_finished();
            let is_heard = change
                .to_command()
                .is_none_or(|command| !is_over && self.send_command(command));
            if !is_heard {
                self.app.add_notice(match self.app.view.can_go_on() {
                    true => "the test has changed since the run ended: the result is what the old one found; :new-test asks the new one",
                    false => "the test has changed since the run ended: the result is what the old one found",
                });
            }
            if let Some(notice) = change.notice_text() {
                self.app.add_notice(notice);
            }
        }
        self.screen.request_frame(FrameCause::Key);
        Ok(())
    }

    /// Whether the newest snapshot, which may not be drawn yet, is the last.
    fn has_run_ended(&self) -> bool {
        let newest = self.board.newest_snapshot();
        newest.is_some_and(|newest| matches!(newest.state, RunState::Finished(_)))
    }

    fn poll_board(&mut self) {
        self.app.view.resume_progress = self.board.replay_progress();
        if let Some(newest) = self.board.newest_snapshot()
            && !self
                .app
                .view
                .snapshot
                .as_ref()
                .is_some_and(|known| Arc::ptr_eq(known, &newest))
        {
            self.app.apply_snapshot(newest);
            self.drop_cancelled_contrast();
        }
        let due = [
            self.app.take_early_command(),
            self.app.take_lesson_command(),
        ];
        for command in due.into_iter().flatten() {
            self.send_command(command);
        }
    }

    fn handle_event(&mut self, event: Event) -> Result<(), TuiError> {
        self.screen.on_event();
        let changed = match event {
            Event::Key(event) => match KeyPress::from_event(&event) {
                Some(key) => self.handle_key(key)?,
                None => false,
            },
            Event::Mouse(event) => match event.kind {
                MouseEventKind::Down(MouseButton::Left) => {
                    self.app.on_mouse_down(event.column, event.row)
                }
                MouseEventKind::Drag(MouseButton::Left) => {
                    self.app.on_mouse_drag(event.column, event.row)
                }
                MouseEventKind::Up(MouseButton::Left) => {
                    self.app.on_mouse_up();
                    false
                }
                MouseEventKind::ScrollUp => {
                    self.app
                        .on_mouse_wheel(event.column, event.row, PaneAction::Up)
                }
                MouseEventKind::ScrollDown => {
                    self.app
                        .on_mouse_wheel(event.column, event.row, PaneAction::Down)
                }
                _ => false,
            },
            Event::Resize(..) => true,
            _ => false,
        };
        if changed {
            self.screen.request_frame(FrameCause::Key);
        }
        Ok(())
    }

    fn handle_key(&mut self, key: KeyPress) -> Result<bool, TuiError> {
        match self.app.handle_key(key) {
            KeyEffect::Nothing => return Ok(false),
            KeyEffect::Redraw => {}
            KeyEffect::Send(commands) => {
                for command in commands {
                    self.send_command(command);
                }
            }
            KeyEffect::Play(wanted) => {
                if let CommandTarget::Replay(moves) = self.target {
                    // The player receives as long as there is a screen.
                    let _ = moves.try_send(wanted);
                }
            }
            KeyEffect::Edit => self.edit_program()?,
            KeyEffect::Suspend => self.screen.suspend_process()?,
            KeyEffect::Contrast => self.start_contrast(),
            KeyEffect::Quit => self.request_exit(ExitReason::User),
        }
        self.drop_cancelled_contrast();
        // Its directory may be unwatched: read new themes before the choice.
        if self.app.is_choosing_theme() {
            self.app.view.setup.reload_themes();
        }
        Ok(true)
    }

    /// Ends a comparison that nobody waits for any more.
    fn drop_cancelled_contrast(&mut self) {
        if !self.app.view.contrast.is_running() {
            self.contrast_task = None;
        }
    }

    /// Starts to compare the result with its neighbours.
    fn start_contrast(&mut self) {
        let snapshot = self.app.view.snapshot.as_deref();
        let Some((starter, snapshot)) = self.contrast.zip(snapshot) else {
            return;
        };
        match starter.start_contrast(snapshot) {
            Ok(task) => self.contrast_task = Some(task),
            Err(reason) => self
                .app
                .apply_contrast_update(ContrastUpdate::Failed(reason)),
        }
    }

    /// Applies news of the comparison. Without any it has died.
    fn on_contrast_update(&mut self, update: Option<ContrastUpdate>) {
        let died =
            || ContrastUpdate::Failed("the comparison has died, which is a fault of lop".into());
        self.app.apply_contrast_update(update.unwrap_or_else(died));
        self.drop_cancelled_contrast();
        self.screen.request_frame(FrameCause::Run);
    }

    /// Runs the editor on the program, and sends the edited text to the run.
    fn edit_program(&mut self) -> Result<(), TuiError> {
        let snapshot = self.app.view.snapshot.clone();
        let Some(version) = snapshot.as_ref().map(|snapshot| &snapshot.version) else {
            return Ok(());
        };
        // Of a pair, the program with the selection.
        let shown = self.app.selection.shown_document(version);
        let Some(document) = version.documents().get(shown) else {
            return Ok(());
        };
        let side = version.twins().map(|_| match shown {
            SEED => PatchSide::Seed,
            _ => PatchSide::Variant,
        });
        let whose = side.map_or("", |_| SIDES[shown].0);
        let directory = match self
            .editor_directory
            .take()
            .map_or_else(EditorDirectory::new, Ok)
        {
            Ok(directory) => self.editor_directory.insert(directory),
            Err(error) => {
                self.app.toasts.push_toast(error.to_string(), Role::Failed);
                return Ok(());
            }
        };
        let edited = match directory.write_document(document, whose) {
            Ok(path) => {
                let ended = self.screen.run_editor(&path)?;
                EditorOutcome::of_edited_file(document, &path, ended)
            }
            Err(error) => EditorOutcome::Failed(error.to_string()),
        };
        match edited {
            EditorOutcome::Unchanged => self.app.status_message = Some("nothing was edited".into()),
            EditorOutcome::Failed(reason) => self.app.toasts.push_toast(reason, Role::Failed),
            EditorOutcome::Text(text) => {
                let command = EngineCommand::Edit {
                    side,
                    text: text.into(),
                    larger: false,
                };
                let path = directory.document_path(document, whose);
                let words = ["edit", whose, &path.to_string_lossy()];
                let words = words.into_iter().filter(|word| !word.is_empty());
                let line = words.collect::<Vec<_>>().join(" ");
                self.app.send_command(command.clone(), line);
                self.send_command(command);
            }
        }
        Ok(())
    }

    /// Sends a command to the run. Returns whether the run can receive it.
    fn send_command(&self, command: EngineCommand) -> bool {
        match self.target {
            CommandTarget::Run(commands) => commands.try_send(command).is_ok(),
            CommandTarget::Replay(_) => false,
        }
    }

    /// Stops the run, and leaves when it has stopped. An attached screen only leaves.
    fn request_exit(&mut self, reason: ExitReason) {
        if self.pending_exit.is_some() || self.app.view.context.is_attached {
            // The second request leaves at once.
            self.pending_exit = Some((reason, Instant::now()));
            return;
        }
        self.stall_reason = self.app.view.stall_reason().map(str::to_owned);
        self.pending_exit = Some((reason, Instant::now() + STOP_TIMEOUT));
        if !self.app.view.is_finished() {
            self.app
                .add_pending_command(EngineCommand::Stop, EngineCommand::Stop.to_string());
            if !self.send_command(EngineCommand::Stop) {
                // There is no run to wait for.
                self.pending_exit = Some((reason, Instant::now()));
            }
            self.screen.request_frame(FrameCause::Key);
        }
    }
}
