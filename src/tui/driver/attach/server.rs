//! Lets processes attach to a run, and tells them its end.

use std::io;
use std::net::Shutdown;
use std::os::unix::net::UnixStream;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use crossbeam_channel::{Receiver, Sender, bounded};
use rustix::event::{PollFd, PollFlags, Timespec, poll};

use super::super::screen_thread::{mark_attached_thread, spawn_screen_thread};
use super::attached_screen::{AttachedRun, greet_terminal, show_attached_screen};
use super::messages::{RunEnding, ScreenMessage};
use crate::oracle::write_message;
use crate::session::AttachListener;

/// How many terminals may be attached at once.
const MOST_TERMINALS: usize = 8;
/// How many messages may wait for a terminal. One of them is a frame at most.
const MESSAGE_ROOM: usize = 64;
/// The wait before another try where the system let nobody in.
const RETRY_WAIT: Timespec = Timespec {
    tv_sec: 0,
    tv_nsec: 100_000_000,
};
/// How long the run waits at its end until attached terminals have read how it ended.
const LAST_WORDS: Duration = Duration::from_secs(2);

/// Terminals that are attached, and what they have in common.
#[derive(Debug)]
struct TerminalRegistry {
    run: AttachedRun,
    /// How many there are, those too that have not greeted yet.
    count: AtomicUsize,
    open: Mutex<OpenTerminals>,
    /// Disconnected when the run has ended.
    over: Receiver<()>,
}

/// One of those that are counted, until this is dropped.
struct CountedTerminal(Arc<TerminalRegistry>);

impl Drop for CountedTerminal {
    fn drop(&mut self) {
        self.0.count.fetch_sub(1, Ordering::SeqCst);
    }
}

/// The terminals that have a screen.
#[derive(Debug)]
struct OpenTerminals {
    /// By their numbers.
    terminals: Vec<(usize, OpenTerminal)>,
    next_number: usize,
    /// A clone of it goes with the writer of each. None after the end.
    writers: Option<Sender<()>>,
}

/// An attached terminal that has a screen.
#[derive(Debug)]
struct OpenTerminal {
    outgoing: Sender<ScreenMessage>,
    stream: UnixStream,
}

/// Lets processes attach to a run. Dropping it closes what is open.
#[derive(Debug)]
pub struct AttachServer {
    attached: Arc<TerminalRegistry>,
    /// Disconnected when no writer is left.
    written: Receiver<()>,
    /// Whose loss ends the screens.
    over: Option<Sender<()>>,
    /// Whose loss wakes the thread that lets processes in.
    wake: Option<UnixStream>,
    thread: Option<JoinHandle<()>>,
}

impl AttachServer {
    /// Lets processes attach at this socket.
    ///
    /// # Errors
    /// When the system gives no thread.
    pub fn start(listener: AttachListener, run: AttachedRun) -> io::Result<AttachServer> {
        let (over_sender, over) = bounded(0);
        let (writers, written) = bounded(0);
        let attached = Arc::new(TerminalRegistry {
            run,
            count: AtomicUsize::new(0),
            open: Mutex::new(OpenTerminals {
                terminals: Vec::new(),
                next_number: 0,
                writers: Some(writers),
            }),
            over,
        });
        let (wake, woken) = UnixStream::pair()?;
        let let_in = attached.clone();
        let thread = thread::Builder::new()
            .name("attach".into())
            .spawn(move || let_in.accept_terminals(&listener, &woken))?;
        Ok(AttachServer {
            attached,
            written,
            over: Some(over_sender),
            wake: Some(wake),
            thread: Some(thread),
        })
    }

    /// Lets nobody in any more, and removes the socket. Who is attached stays.
    pub fn stop_listening(&mut self) {
        self.wake = None;
        if let Some(thread) = self.thread.take() {
            // The hook has reported a panic.
            let _ = thread.join();
        }
    }

    /// Tells all attached processes how the run has ended, and waits a moment until they have read it.
    pub fn finish(mut self, ending: &RunEnding) {
        self.stop_listening();
        self.close_terminals(Some(ending));
    }

    fn close_terminals(&mut self, ending: Option<&RunEnding>) {
        // The last words come first: a screen that has ended is not in the list any more.
        let open = {
            let open = &self.attached.open;
            let mut open = open.lock().unwrap_or_else(PoisonError::into_inner);
            open.writers = None;
            std::mem::take(&mut open.terminals)
        };
        let streams: Vec<UnixStream> = open
            .into_iter()
            .map(|(_, terminal)| {
                if let Some(ending) = ending {
                    // Without room for it the terminal has stood still.
                    let _ = (terminal.outgoing).try_send(ScreenMessage::Ended(ending.clone()));
                }
                terminal.stream
            })
            .collect();
        self.over = None;
        if ending.is_some() && !streams.is_empty() {
            // Nothing is sent: the last writer disconnects it.
            let _ = self.written.recv_timeout(LAST_WORDS);
        }
        for stream in streams {
            let _ = stream.shutdown(Shutdown::Both);
        }
    }
}

impl Drop for AttachServer {
    fn drop(&mut self) {
        self.stop_listening();
        self.close_terminals(None);
    }
}

impl TerminalRegistry {
    /// Lets processes in until `woken` is closed.
    fn accept_terminals(self: Arc<Self>, listener: &AttachListener, woken: &UnixStream) {
        loop {
            let socket = listener.socket();
            let mut waits = [
                PollFd::new(&socket, PollFlags::IN),
                PollFd::new(woken, PollFlags::IN),
            ];
            match poll(&mut waits, None) {
                Err(rustix::io::Errno::INTR) => continue,
                Err(_) => return,
                Ok(_) if !waits[1].revents().is_empty() => return,
                Ok(_) => {}
            }
            match listener.accept_own() {
                Ok(Some(stream)) => self.clone().serve_terminal(stream),
                // Another user's, or it is gone again.
                Ok(None) => {}
                // One that is gone again, and a lack of descriptors, are no reason to let nobody in later.
                Err(_) => {
                    let _ = poll(&mut [PollFd::new(woken, PollFlags::IN)], Some(&RETRY_WAIT));
                }
            }
        }
    }

    /// Shows the run on the terminal of a process that has connected, on a thread of its own.
    fn serve_terminal(self: Arc<Self>, stream: UnixStream) {
        let is_full = self.count.fetch_add(1, Ordering::SeqCst) >= MOST_TERMINALS;
        let counted = CountedTerminal(self);
        let serve = move || {
            mark_attached_thread();
            // Who does not say the right words is not answered.
            let _ = counted.0.greet_and_show(stream, is_full);
        };
        // Without a thread the stream is closed.
        let _ = spawn_screen_thread("attached-screen", serve);
    }

    fn greet_and_show(&self, stream: UnixStream, is_full: bool) -> io::Result<()> {
        let hello = greet_terminal(&stream)?;
        if is_full {
            let reason = format!("{MOST_TERMINALS} screens are attached already");
            return write_message(&stream, &ScreenMessage::Refused(reason));
        }
        let (outgoing, messages) = bounded(MESSAGE_ROOM);
        let registered = {
            let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
            let Some(writers) = open.writers.clone() else {
                // The run has ended meanwhile.
                return Ok(());
            };
            let written = stream.try_clone()?;
            let write = move || {
                write_messages(&written, &messages);
                drop(writers);
            };
            spawn_screen_thread("attached-writer", write)?;
            let number = open.next_number;
            open.next_number += 1;
            let terminal = OpenTerminal {
                outgoing: outgoing.clone(),
                stream: stream.try_clone()?,
            };
            open.terminals.push((number, terminal));
            number
        };
        show_attached_screen(stream, &hello, &self.run, &outgoing, &self.over);
        let mut open = self.open.lock().unwrap_or_else(PoisonError::into_inner);
        // After the end it is not there any more, and its writer has the last words.
        open.terminals.retain(|(number, _)| *number != registered);
        Ok(())
    }
}

/// Writes the messages until nobody sends any more, or one is the last. Then the connection is closed.
fn write_messages(stream: &UnixStream, messages: &Receiver<ScreenMessage>) {
    for message in messages {
        if write_message(stream, &message).is_err() || message.is_last() {
            break;
        }
    }
    let _ = stream.shutdown(Shutdown::Both);
}
