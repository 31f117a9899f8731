//! Threads of a screen, and whether it is that of an attached terminal: a panic there is no reason to give back the terminal of this process.

use std::cell::Cell;
use std::io;
use std::thread;

thread_local! {
    static IS_ATTACHED: Cell<bool> = const { Cell::new(false) };
}

/// Whether this thread works for an attached terminal.
pub fn is_attached_thread() -> bool {
    // A thread that is ending has no value any more.
    IS_ATTACHED.try_with(Cell::get).unwrap_or(false)
}

/// From now on this thread works for an attached terminal, and so do those that it starts here.
pub fn mark_attached_thread() {
    IS_ATTACHED.set(true);
}

/// Starts a thread for the same screen as this one.
///
/// # Errors
/// When the system gives none.
pub fn spawn_screen_thread(name: &str, work: impl FnOnce() + Send + 'static) -> io::Result<()> {
    let is_attached = is_attached_thread();
    let work = move || {
        IS_ATTACHED.set(is_attached);
        work();
    };
    thread::Builder::new()
        .name(name.into())
        .spawn(work)
        .map(drop)
}
