//! The socket at which a running session can be looked at: a file in the session's directory, for its owner alone.
//!
//! It is made after the session was locked, so one that is there already was left by a process that was killed. The address of a socket is short
//! (108 bytes on Linux), and the path of a session may not be: it is named from its open directory where the system can do that.

use std::fs::File;
use std::io;
use std::os::fd::{AsFd, AsRawFd, OwnedFd};
use std::os::unix::net::{UnixListener, UnixStream};
use std::path::{Path, PathBuf};

use rustix::fs::{AtFlags, FileType, Mode, Stat};
use rustix::io::Errno;
use rustix::net::{AddressFamily, SocketAddrUnix, SocketType};

use super::opened_session::is_same_inode;
use super::own_files::UnexpectedFile;
use super::{effective_user_id, ensure_owned_by_user};
use crate::oracle;

/// Its name in the directory of a session.
const SOCKET: &str = "screen";
/// Only the owner may connect.
const OWNER_ONLY: Mode = Mode::RUSR.union(Mode::WUSR);
/// How many processes may wait to be let in.
const BACKLOG: i32 = 8;

/// The socket of a session that this process runs. It is removed when this is dropped.
#[derive(Debug)]
pub struct AttachListener {
    /// Where processes connect.
    listener: UnixListener,
    directory: OwnedFd,
    /// What was made, as another may lie there in the end.
    made: Stat,
}

impl AttachListener {
    /// Makes the socket of a session whose lock this process holds.
    ///
    /// # Errors
    /// When the file system has no sockets, or something else lies in its place.
    pub fn bind(session: &Path) -> io::Result<AttachListener> {
        let directory = open_directory(session)?;
        remove_stale(session, &directory)?;
        let socket = new_socket()?;
        rustix::net::bind(
            &socket,
            &SocketAddrUnix::new(short_path(session, &directory))?,
        )?;
        // Nobody can connect before it listens. Linux has no permissions of a socket that is not bound yet.
        let made = rustix::fs::chmodat(&directory, SOCKET, OWNER_ONLY, AtFlags::empty())
            .and_then(|()| stat_socket(&directory))
            .and_then(|made| rustix::net::listen(&socket, BACKLOG).map(|()| made));
        let made = made.inspect_err(|_| {
            let _ = rustix::fs::unlinkat(&directory, SOCKET, AtFlags::empty());
        })?;
        let listener = AttachListener {
            listener: UnixListener::from(socket),
            directory,
            made,
        };
        // Whoever waited for a process that is gone again must not wait for the next one.
        listener.listener.set_nonblocking(true)?;
        Ok(listener)
    }

    /// The socket itself, to wait for a connection.
    pub fn socket(&self) -> impl AsFd + '_ {
        &self.listener
    }

    /// Takes the next connection, if there is one. That of another user is closed, and none.
    ///
    /// # Errors
    /// The system's.
    pub fn accept_own(&self) -> io::Result<Option<UnixStream>> {
        let stream = match self.listener.accept() {
            Ok((stream, _)) => stream,
            Err(error) if error.kind() == io::ErrorKind::WouldBlock => return Ok(None),
            Err(error) => return Err(error),
        };
        // Some systems give it what the listener has.
        stream.set_nonblocking(false)?;
        Ok(is_own_peer(&stream)?.then_some(stream))
    }
}

impl Drop for AttachListener {
    fn drop(&mut self) {
        let there = stat_socket(&self.directory);
        if there.is_ok_and(|there| is_same_inode(&there, &self.made)) {
            let _ = rustix::fs::unlinkat(&self.directory, SOCKET, AtFlags::empty());
        }
    }
}

/// Why a session cannot be connected to.
#[derive(Debug, thiserror::Error)]
pub enum ConnectError {
    /// There is no socket, or nobody listens at it.
    #[error("nobody listens there")]
    NobodyListens,
    /// It belongs to another user.
    #[error("it belongs to another user")]
    OtherUser,
    /// The system refused it.
    #[error(transparent)]
    Io(#[from] io::Error),
}

/// Connects to the process that runs the session in this directory. What others wrote would steer this terminal, so that process must be the
/// user's own.
///
/// # Errors
/// When there is none, or it is not the user's.
pub fn connect_to_session(session: &Path) -> Result<UnixStream, ConnectError> {
    let directory = open_directory(session)?;
    let about = match stat_socket(&directory) {
        Ok(about) => about,
        Err(Errno::NOENT) => return Err(ConnectError::NobodyListens),
        Err(error) => return Err(io::Error::from(error).into()),
    };
    if !is_socket(&about) {
        return Err(ConnectError::NobodyListens);
    }
    if about.st_uid != effective_user_id() {
        return Err(ConnectError::OtherUser);
    }
    let socket = new_socket()?;
    let address = SocketAddrUnix::new(short_path(session, &directory)).map_err(io::Error::from)?;
    match rustix::net::connect(&socket, &address) {
        Ok(()) => {}
        // It was left by a process that was killed, or its process has just ended.
        Err(Errno::CONNREFUSED | Errno::NOENT) => return Err(ConnectError::NobodyListens),
        Err(error) => return Err(io::Error::from(error).into()),
    }
    let stream = UnixStream::from(socket);
    match is_own_peer(&stream)? {
        true => Ok(stream),
        false => Err(ConnectError::OtherUser),
    }
}

/// What lies in the place of the socket.
fn stat_socket(directory: &OwnedFd) -> Result<Stat, Errno> {
    rustix::fs::statat(directory, SOCKET, AtFlags::SYMLINK_NOFOLLOW)
}

fn is_socket(about: &Stat) -> bool {
    FileType::from_raw_mode(about.st_mode) == FileType::Socket
}

fn open_directory(session: &Path) -> io::Result<OwnedFd> {
    let directory = File::open(session)?;
    ensure_owned_by_user(session, &directory.metadata()?)?;
    Ok(directory.into())
}

fn new_socket() -> io::Result<OwnedFd> {
    // Tests must not inherit it.
    #[cfg(not(target_vendor = "apple"))]
    let socket = rustix::net::socket_with(
        AddressFamily::UNIX,
        SocketType::STREAM,
        rustix::net::SocketFlags::CLOEXEC,
        None,
    )?;
    #[cfg(target_vendor = "apple")]
    let socket = {
        let socket = rustix::net::socket(AddressFamily::UNIX, SocketType::STREAM, None)?;
        rustix::io::fcntl_setfd(&socket, rustix::io::FdFlags::CLOEXEC)?;
        socket
    };
    Ok(socket)
}

/// A path of the socket that is short, if the system names open directories.
fn short_path(session: &Path, directory: &OwnedFd) -> PathBuf {
    let open = PathBuf::from(format!("/proc/self/fd/{}", directory.as_raw_fd()));
    match open.is_dir() {
        true => open.join(SOCKET),
        false => session.join(SOCKET),
    }
}

/// Removes a socket that a process left which was killed. Anything else stays.
fn remove_stale(session: &Path, directory: &OwnedFd) -> io::Result<()> {
    match stat_socket(directory) {
        Err(Errno::NOENT) => Ok(()),
        Err(error) => Err(error.into()),
        Ok(about) if is_socket(&about) => {
            Ok(rustix::fs::unlinkat(directory, SOCKET, AtFlags::empty())?)
        }
        Ok(_) => Err(UnexpectedFile::io_error(&session.join(SOCKET), "no socket")),
    }
}

/// Whether the process at the other end is the user's own.
fn is_own_peer(stream: &UnixStream) -> io::Result<bool> {
    Ok(oracle::peer_user_id(stream.as_fd())? == effective_user_id())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nobody_is_waited_for_who_has_gone_again() {
        let session = tempfile::tempdir().expect("a directory");
        let listener = AttachListener::bind(session.path()).expect("a socket");
        assert!(listener.accept_own().expect("the system answers").is_none());
        let _theirs = connect_to_session(session.path()).expect("a connection");
        let stream = listener.accept_own().expect("the system answers");
        let flags = rustix::fs::fcntl_getfl(stream.expect("a connection")).expect("flags");
        assert!(!flags.contains(rustix::fs::OFlags::NONBLOCK));
    }
}
