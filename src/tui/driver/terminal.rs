//! The terminal: set up for the screen, and restored in every case.

use std::io::{self, Stdout, Write, stdout};
use std::mem::ManuallyDrop;
use std::sync::Once;
use std::sync::atomic::{AtomicBool, Ordering};

use crossterm::event::DisableMouseCapture;
use crossterm::style::Print;
use crossterm::terminal::{
    BeginSynchronizedUpdate, Clear, ClearType, EndSynchronizedUpdate, EnterAlternateScreen,
    LeaveAlternateScreen,
};
use crossterm::{cursor, execute, queue, terminal};
use ratatui::Terminal;
use ratatui::backend::CrosstermBackend;
use ratatui::buffer::Buffer;
use rustix::process::{Signal, kill_current_process_group};

use super::screen_thread::is_attached_thread;
use crate::oracle;

/// Whether the mouse is captured.
static MOUSE: AtomicBool = AtomicBool::new(true);

/// Whether the terminal keeps the title that it had.
static TITLED: AtomicBool = AtomicBool::new(false);

/// Keeps the title of the window (XTWINOPS 22;2), and brings it back (23;2).
const PUSH_TITLE: &str = "\x1b[22;2t";
const POP_TITLE: &str = "\x1b[23;2t";

/// Asks for the buttons of the mouse (1000), for its moves while one is held (1002), and for their numbers in full (1006). Moves without
/// a button mean nothing here, and would use the line.
const REPORT_MOUSE: &str = "\x1b[?1000h\x1b[?1002h\x1b[?1006h";

/// Whether the terminal is ours. The panic hook reads this on any thread.
static OURS: AtomicBool = AtomicBool::new(false);

/// The terminal while it is ours. Dropping it restores the terminal.
pub struct OwnedTerminal(());

impl OwnedTerminal {
    /// Sets up the terminal, with or without the mouse.
    ///
    /// # Errors
    /// When there is no terminal.
    pub fn open(mouse: bool) -> io::Result<OwnedTerminal> {
        MOUSE.store(mouse, Ordering::SeqCst);
        restore_on_panic();
        let owned = OwnedTerminal(());
        acquire_terminal()?;
        Ok(owned)
    }

    /// Writes the bytes of a frame.
    ///
    /// # Errors
    /// When the terminal is gone.
    pub fn write_frame(&mut self, bytes: &[u8]) -> io::Result<()> {
        let mut whole = stdout().lock();
        whole.write_all(bytes)?;
        whole.flush()
    }

    /// Sends the terminal what shows nothing in a frame: a title, a bell, a notification. The title that it had comes back when the
    /// terminal is restored.
    ///
    /// # Errors
    /// When the terminal is gone.
    pub fn send_sequence(&mut self, sequence: &str) -> io::Result<()> {
        if sequence.is_empty() {
            return Ok(());
        }
        let _whole = stdout().lock();
        if !TITLED.swap(true, Ordering::SeqCst) {
            queue!(stdout(), Print(PUSH_TITLE))?;
        }
        execute!(stdout(), Print(sequence))
    }

    /// Restores the terminal and stops this process and its group, as Ctrl-Z does in a shell; then sets it up again, without a frame. Without a shell that
    /// could continue the process, the system does not stop it.
    ///
    /// # Errors
    /// When the terminal is gone.
    pub fn suspend_process(&mut self) -> io::Result<()> {
        self.release_while(|| {
            // The tests stop first, and resume last.
            oracle::suspend_tests();
            // Not SIGTSTP: a handler for it would disable its effect.
            let stopped = kill_current_process_group(Signal::STOP);
            oracle::resume_tests();
            stopped
        })??;
        Ok(())
    }

    /// Captures the mouse, or no longer.
    ///
    /// # Errors
    /// When the terminal is gone.
    pub fn set_mouse_capture(&mut self, mouse: bool) -> io::Result<()> {
        match (MOUSE.swap(mouse, Ordering::SeqCst), mouse) {
            (false, true) => execute!(stdout(), Print(REPORT_MOUSE)),
            (true, false) => execute!(stdout(), DisableMouseCapture),
            _ => Ok(()),
        }
    }

    /// Restores the terminal while `other` runs. Then it is empty.
    ///
    /// # Errors
    /// When the terminal is gone.
    pub fn release_while<T>(&mut self, other: impl FnOnce() -> T) -> io::Result<T> {
        restore_terminal();
        let done = other();
        acquire_terminal()?;
        execute!(stdout(), Clear(ClearType::All))?;
        Ok(done)
    }

    /// Whether it is still ours; a panic on another thread restores it.
    pub fn owns_terminal(&self) -> bool {
        OURS.load(Ordering::SeqCst)
    }
}

impl Drop for OwnedTerminal {
    fn drop(&mut self) {
        restore_terminal();
    }
}

/// What ratatui draws on.
pub type FrameCanvas<W> = Terminal<CrosstermBackend<W>>;

/// Draws a frame, as one update.
///
/// # Errors
/// When it cannot be written.
pub fn draw_whole_frame<W: Write>(
    canvas: &mut FrameCanvas<W>,
    frame: &mut dyn FnMut(&mut Buffer),
) -> io::Result<()> {
    // The theme omits colours itself: for NO_COLOR, crossterm 0.29 writes resets that remove bold and reversed too.
    crossterm::style::force_color_output(true);
    queue!(canvas.backend_mut(), BeginSynchronizedUpdate)?;
    canvas.draw(|target| frame(target.buffer_mut()))?;
    execute!(canvas.backend_mut(), EndSynchronizedUpdate)
}

/// The terminal of this process, with the frame that it shows.
pub struct TerminalScreen {
    /// The terminal.
    pub owned: OwnedTerminal,
    /// Never dropped: its `drop` prints an error if it cannot show the cursor, and printing to a closed terminal panics.
    canvas: ManuallyDrop<FrameCanvas<Stdout>>,
}

impl TerminalScreen {
    /// Sets up the terminal, with or without the mouse.
    ///
    /// # Errors
    /// When there is no terminal.
    pub fn open(mouse: bool) -> io::Result<TerminalScreen> {
        Ok(TerminalScreen {
            owned: OwnedTerminal::open(mouse)?,
            canvas: new_canvas()?,
        })
    }

    /// Draws a frame. No other thread writes in the middle of it.
    ///
    /// # Errors
    /// When the terminal is gone.
    pub fn draw_frame(&mut self, frame: &mut dyn FnMut(&mut Buffer)) -> io::Result<()> {
        let _whole = stdout().lock();
        draw_whole_frame(&mut self.canvas, frame)
    }

    /// Forgets the last frame, which is gone: every cell is drawn again.
    ///
    /// # Errors
    /// When the terminal is gone.
    pub fn forget_frame(&mut self) -> io::Result<()> {
        self.canvas = new_canvas()?;
        Ok(())
    }
}

fn new_canvas() -> io::Result<ManuallyDrop<FrameCanvas<Stdout>>> {
    Terminal::new(CrosstermBackend::new(stdout())).map(ManuallyDrop::new)
}

/// Sets up the terminal: raw mode, alternate screen, no cursor.
fn acquire_terminal() -> io::Result<()> {
    terminal::enable_raw_mode()?;
    OURS.store(true, Ordering::SeqCst);
    execute!(stdout(), EnterAlternateScreen, cursor::Hide)?;
    if MOUSE.load(Ordering::SeqCst) {
        execute!(stdout(), Print(REPORT_MOUSE))?;
    }
    Ok(())
}

/// Restores the terminal, once. Errors are ignored: there is nowhere to report them, and the remaining steps must still be done.
fn restore_terminal() {
    if OURS.swap(false, Ordering::SeqCst) {
        let _ = execute!(
            stdout(),
            EndSynchronizedUpdate,
            DisableMouseCapture,
            LeaveAlternateScreen,
            cursor::Show
        );
        if TITLED.swap(false, Ordering::SeqCst) {
            let _ = execute!(stdout(), Print(POP_TITLE));
        }
        let _ = terminal::disable_raw_mode();
    }
}

/// Restores the terminal before a panic message is printed, so that it can be read.
fn restore_on_panic() {
    static HOOK: Once = Once::new();
    HOOK.call_once(|| {
        let previous_hook = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            // Who looks at the run elsewhere is told there, and this terminal goes on.
            if !is_attached_thread() {
                restore_terminal();
                previous_hook(panic);
            }
        }));
    });
}
