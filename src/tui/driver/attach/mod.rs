//! A screen on a run of another process: `lop attach`. The run's process draws, and the attached process is its terminal.
//!
//! ```text
//!   the run's process                                                        the attached process
//!   AttachServer ─▶ attached screen: App, ScreenLoop, AttachedPort ────frames──▶ run_attached_terminal ─▶ the terminal
//!                                                                    ◀──events──                       ◀─ keys, mouse, sizes
//! ```
//!
//! So there is no second engine, and nothing of the run is read again. All screens of a run read one board of snapshots, and send their commands over one
//! channel: the engine receives them in one order. What a screen looks like is its own: the size, the colours and the configuration of the attached
//! terminal come with the first message, and the state of a screen (its selection, its pages) is nobody else's.
//!
//! * Nobody waits for an attached terminal. Each has three threads: one that draws, one that reads, one that writes. A frame is drawn when the last one was
//!   written there, so one that stands still costs the memory of a frame.
//! * Both sides say their version first, and refuse another one: messages have the shapes of this version (`messages.rs`).
//! * The socket is the session's own ([`crate::session::AttachListener`]): only processes of the same user are heard. A message that cannot be read
//!   ends its connection.
//! * A panic in an attached screen ends that screen (`screen_thread.rs`).
//!
//! When the run ends, [`AttachServer::finish`] tells all attached processes how, and waits a moment until they have read it.

mod attached_port;
mod attached_screen;
mod attached_terminal;
mod messages;
mod server;

pub use attached_screen::AttachedRun;
pub use attached_terminal::{AttachEnd, AttachError, AttachRequest, run_attached_terminal};
pub use messages::RunEnding;
pub use server::AttachServer;
