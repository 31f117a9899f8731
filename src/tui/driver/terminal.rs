//! The terminal: taken over for the screen, and given back whatever happens.

use std::io::{self, Stdout, stdout};
use std::mem::ManuallyDrop;
use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};

use crossterm::event::{DisableMouseCapture, EnableMouseCapture};
use crossterm::terminal::{
    BeginSynchronizedUpdate, Clear, ClearType, EndSynchronizedUpdate, EnterAlternateScreen,
    LeaveAlternateScreen,
};
use crossterm::{cursor, execute, queue, terminal};
use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;
use ratatui::buffer::Buffer;
use rustix::process::{Signal, kill_current_process_group};

use crate::oracle;

/// Whether the mouse is heard.
static MOUSE: AtomicBool = AtomicBool::new(true);

/// Whether the terminal is ours. The panic hook asks, on whatever thread it runs.
static OURS: AtomicBool = AtomicBool::new(false);

/// The terminal while it is ours. Dropping it gives it back.
pub struct TerminalScreen {
    /// Never dropped: it would say that it cannot show the cursor, to a terminal that may be closed, and what cannot be said is a panic.
    terminal: ManuallyDrop<Terminal<CrosstermBackend<Stdout>>>,
}

impl TerminalScreen {
    /// Takes the terminal over, with the mouse or without.
    ///
    /// # Errors
    /// When there is no terminal.
    pub fn open(mouse: bool) -> io::Result<TerminalScreen> {
        MOUSE.store(mouse, Ordering::SeqCst);
        restore_on_panic();
        // Colours are ours to leave out: crossterm 0.29 answers NO_COLOR with resets that take bold and reversed away too.
        crossterm::style::force_color_output(true);
        match acquire_terminal().and_then(|()| Terminal::new(CrosstermBackend::new(stdout()))) {
            Ok(terminal) => Ok(TerminalScreen {
                terminal: ManuallyDrop::new(terminal),
            }),
            Err(error) => {
                restore_terminal();
                Err(error)
            }
        }
    }

    /// Draws a frame, as one update.
    ///
    /// # Errors
    /// When the terminal is gone.
    pub fn draw_frame(&mut self, frame: impl FnOnce(&mut Buffer)) -> io::Result<()> {
        queue!(self.terminal.backend_mut(), BeginSynchronizedUpdate)?;
        self.terminal.draw(|target| frame(target.buffer_mut()))?;
        execute!(self.terminal.backend_mut(), EndSynchronizedUpdate)
    }

    /// Gives the terminal back and stops this process and those of its group, as the shell's Ctrl-Z does; then takes it over again. Where
    /// there is no shell to come back from, the system does not stop us.
    ///
    /// # Errors
    /// When the terminal is gone.
    pub fn suspend_process(&mut self) -> io::Result<()> {
        restore_terminal();
        // The tests stop first, and go on last.
        oracle::suspend_tests();
        // Not SIGTSTP: whoever once listened to it has taken its effect away.
        let stopped = kill_current_process_group(Signal::STOP);
        oracle::resume_tests();
        stopped?;
        self.reclaim_terminal()
    }

    /// Hears the mouse, or no longer.
    ///
    /// # Errors
    /// When the terminal is gone.
    pub fn set_mouse_capture(&mut self, mouse: bool) -> io::Result<()> {
        match (MOUSE.swap(mouse, Ordering::SeqCst), mouse) {
            (false, true) => execute!(stdout(), EnableMouseCapture),
            (true, false) => execute!(stdout(), DisableMouseCapture),
            _ => Ok(()),
        }
    }

    /// Lends the terminal to somebody else, until that is over.
    ///
    /// # Errors
    /// When the terminal is gone.
    pub fn release_while<T>(&mut self, other: impl FnOnce() -> T) -> io::Result<T> {
        restore_terminal();
        let done = other();
        self.reclaim_terminal()?;
        Ok(done)
    }

    fn reclaim_terminal(&mut self) -> io::Result<()> {
        acquire_terminal()?;
        // Nothing of the last frame is there any more.
        execute!(stdout(), Clear(ClearType::All))?;
        self.terminal = ManuallyDrop::new(Terminal::new(CrosstermBackend::new(stdout()))?);
        Ok(())
    }

    /// Whether it is ours still: a panic on another thread gives it back.
    pub fn owns_terminal(&self) -> bool {
        OURS.load(Ordering::SeqCst)
    }
}

impl Drop for TerminalScreen {
    fn drop(&mut self) {
        restore_terminal();
    }
}

/// Makes the terminal ours.
fn acquire_terminal() -> io::Result<()> {
    terminal::enable_raw_mode()?;
    OURS.store(true, Ordering::SeqCst);
    execute!(stdout(), EnterAlternateScreen, cursor::Hide)?;
    if MOUSE.load(Ordering::SeqCst) {
        execute!(stdout(), EnableMouseCapture)?;
    }
    Ok(())
}

/// Gives the terminal back, once. What fails is not said: there is nowhere to say it, and the rest must still be done.
fn restore_terminal() {
    if OURS.swap(false, Ordering::SeqCst) {
        let _ = execute!(
            stdout(),
            EndSynchronizedUpdate,
            DisableMouseCapture,
            LeaveAlternateScreen,
            cursor::Show
        );
        let _ = terminal::disable_raw_mode();
    }
}

/// Before a panic is told, the terminal is given back, so that it can be read.
fn restore_on_panic() {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let told = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            restore_terminal();
            told(panic);
        }));
    });
}
