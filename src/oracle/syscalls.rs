//! The only unsafe code of lop: system calls that have no safe face in rustix.
//!
//! `getrusage` tells the processor time of children exactly, where `/proc` tells it in steps of 10 ms, and most tests use less. `unshare`
//! makes namespaces. `posix_spawn` can put a process into a session of its own, which the standard library does not ask it for. `localtime_r` knows the zone, and `getpeereid` whose process is at the other end of a socket. `fork` is
//! for helpers, which are small. They give up the terminal. A sandbox closes descriptors of which nobody here knows, and filters calls of the kernel.
#![allow(unsafe_code)]

use std::ffi::{CStr, CString, c_char, c_int, c_short};
use std::io;
use std::mem::MaybeUninit;
use std::os::fd::{AsRawFd, BorrowedFd};
use std::ptr;
use std::time::Duration;

use rustix::process::Pid;

/// How many seconds the clocks here are ahead of those of Greenwich, so many seconds after 1970 began; 0 where that is not known.
pub fn read_zone_offset(seconds: i64) -> i64 {
    let mut shown = MaybeUninit::<libc::tm>::zeroed();
    let seconds = seconds as libc::time_t;
    // SAFETY: both pointers are good for the call; a `tm` of zeros is a value, so it is whole even if the call fails.
    let shown = unsafe {
        libc::localtime_r(&seconds, shown.as_mut_ptr());
        shown.assume_init()
    };
    shown.tm_gmtoff as i64
}

/// User and system time of all reaped children of this process and of their reaped children.
pub(super) fn children_cpu_time() -> Duration {
    let mut usage = MaybeUninit::<libc::rusage>::zeroed();
    // SAFETY: the pointer is good for one `rusage` to be written, for which all zeros is a value; so it is whole even if the call
    // fails, which it does for a wrong first argument only.
    let usage = unsafe {
        libc::getrusage(libc::RUSAGE_CHILDREN, usage.as_mut_ptr());
        usage.assume_init()
    };
    to_duration(usage.ru_utime) + to_duration(usage.ru_stime)
}

/// The number of the user whose process is at the other end of a Unix socket.
///
/// # Errors
/// The system's.
#[cfg(target_os = "linux")]
pub fn peer_user_id(socket: BorrowedFd<'_>) -> io::Result<u32> {
    Ok(rustix::net::sockopt::socket_peercred(socket)?.uid.as_raw())
}

/// The number of the user whose process is at the other end of a Unix socket.
///
/// # Errors
/// The system's.
#[cfg(not(target_os = "linux"))]
pub fn peer_user_id(socket: BorrowedFd<'_>) -> io::Result<u32> {
    let (mut user, mut group) = (0, 0);
    // SAFETY: both pointers are good for the call, and the descriptor is open.
    match unsafe { libc::getpeereid(socket.as_raw_fd(), &mut user, &mut group) } {
        0 => Ok(user),
        _ => Err(io::Error::last_os_error()),
    }
}

/// Moves the process into new namespaces. It must have one thread, and `flags` must name namespaces only.
#[cfg(target_os = "linux")]
pub(super) fn unshare(flags: rustix::thread::UnshareFlags) -> rustix::io::Result<()> {
    let flags = flags.difference(rustix::thread::UnshareFlags::FILES);
    // SAFETY: descriptors are not among what is unshared, which is the one thing that other code could rely on.
    unsafe { rustix::thread::unshare_unsafe(flags) }
}

/// Sets close-on-exec for every descriptor but the first three.
#[cfg(target_os = "linux")]
pub(super) fn close_fds_on_exec() -> io::Result<()> {
    for entry in std::fs::read_dir("/proc/self/fd")? {
        let name = entry?.file_name();
        let number = name.to_str().and_then(|name| name.parse::<c_int>().ok());
        if let Some(number) = number.filter(|number| *number > 2) {
            // SAFETY: the descriptor stays open, and stays whose it is. One that is gone is an error of the call.
            unsafe {
                libc::fcntl(number, libc::F_SETFD, libc::FD_CLOEXEC);
            }
        }
    }
    Ok(())
}

/// Installs a filter for the system calls of this process and of all that it starts. It cannot be removed.
#[cfg(target_os = "linux")]
pub(super) fn install_seccomp_filter(filter: &[libc::sock_filter]) -> rustix::io::Result<()> {
    let program = libc::sock_fprog {
        len: u16::try_from(filter.len()).map_err(|_| rustix::io::Errno::INVAL)?,
        filter: filter.as_ptr().cast_mut(),
    };
    // SAFETY: the kernel copies the lines before the call returns, and reads no more of them than there are.
    let done = unsafe {
        libc::syscall(
            libc::SYS_seccomp,
            libc::SECCOMP_SET_MODE_FILTER,
            0,
            &raw const program,
        )
    };
    match done {
        0 => Ok(()),
        _ => Err(
            rustix::io::Errno::from_io_error(&io::Error::last_os_error())
                .unwrap_or(rustix::io::Errno::INVAL),
        ),
    }
}

/// Gives up the controlling terminal of this process, which must not lead a session. Processes that it starts have none either.
#[cfg(target_os = "linux")]
pub(super) fn leave_terminal(terminal: BorrowedFd<'_>) {
    // SAFETY: the call has no further argument.
    unsafe {
        libc::ioctl(terminal.as_raw_fd(), libc::TIOCNOTTY);
    }
}

/// Forks this process, which must have one thread. Returns the number of the child; none in the child.
pub(super) fn fork() -> io::Result<Option<Pid>> {
    // SAFETY: nobody else is there who could hold a lock, and is missing in the new process.
    match unsafe { libc::fork() } {
        -1 => Err(io::Error::last_os_error()),
        pid => Ok(Pid::from_raw(pid)),
    }
}

/// A process to start.
pub(super) struct SpawnRequest<'a> {
    /// The program and its arguments. It is searched in our `PATH` if it has no slash.
    pub argv: &'a [CString],
    /// `NAME=VALUE` each.
    pub environment: &'a [&'a CStr],
    /// Its working directory; ours if there is none.
    pub dir: Option<&'a CStr>,
    /// Its standard input, output and error.
    pub files: [BorrowedFd<'a>; 3],
    /// Whether it gets a session of its own, and so no terminal. The kernel makes a scheduling group for each session (autogroups), so a
    /// caller without a terminal does without.
    pub session: bool,
}

/// The flag for a new session. Where the system has none, the process only gets a group.
#[cfg(target_os = "linux")]
const SESSION: c_short = libc::POSIX_SPAWN_SETSID;
#[cfg(target_vendor = "apple")]
const SESSION: c_short = 0x0400;
#[cfg(not(any(target_os = "linux", target_vendor = "apple")))]
const SESSION: c_short = libc::POSIX_SPAWN_SETPGROUP as c_short;

impl SpawnRequest<'_> {
    /// Starts the process without copying pages of this one. It leads a new process group, and a new session if it gets one. No signal is
    /// blocked, ignored or handled.
    ///
    /// # Errors
    /// Those of the system. `Unsupported` for a working directory that the C library cannot set: see [`can_set_directory`].
    pub(super) fn spawn_process(&self) -> io::Result<Pid> {
        let program = self.argv.first().ok_or(io::ErrorKind::InvalidInput)?;
        let (line, environment) = (
            null_terminated(self.argv),
            null_terminated(self.environment),
        );
        let (attributes, actions) = (
            SpawnAttributes::new(self.session)?,
            SpawnFileActions::new(self)?,
        );
        let mut pid = 0;
        // SAFETY: program, words and variables are strings that end in a zero, in lists that end in a null, and live until the call
        // returns; it changes none of them. The attributes and actions were initialised.
        check_errno(unsafe {
            libc::posix_spawnp(
                &raw mut pid,
                program.as_ptr(),
                &raw const actions.0,
                &raw const attributes.0,
                line.as_ptr(),
                environment.as_ptr(),
            )
        })?;
        Pid::from_raw(pid).ok_or_else(|| io::ErrorKind::InvalidData.into())
    }
}

/// The attributes of a new process.
struct SpawnAttributes(libc::posix_spawnattr_t);

impl SpawnAttributes {
    fn new(session: bool) -> io::Result<SpawnAttributes> {
        let mut made = MaybeUninit::uninit();
        let group = libc::POSIX_SPAWN_SETPGROUP as c_short;
        let flags = if session { SESSION } else { group }
            | libc::POSIX_SPAWN_SETSIGMASK as c_short
            | libc::POSIX_SPAWN_SETSIGDEF as c_short;
        let mut signals = MaybeUninit::<libc::sigset_t>::uninit();
        // SAFETY: each is initialised by the first call that gets it and dropped only then; all others get what is initialised. A set
        // of signals is copied.
        unsafe {
            check_errno(libc::posix_spawnattr_init(made.as_mut_ptr()))?;
            let mut attributes = SpawnAttributes(made.assume_init());
            let own = &raw mut attributes.0;
            check_errno(libc::posix_spawnattr_setflags(own, flags))?;
            libc::sigemptyset(signals.as_mut_ptr());
            check_errno(libc::posix_spawnattr_setsigmask(own, signals.as_ptr()))?;
            // SIGPIPE, which Rust programs ignore, and all others: the C library asks about each signal that is not named, and then sets it
            // all the same. The kernel has none for the two.
            libc::sigfillset(signals.as_mut_ptr());
            libc::sigdelset(signals.as_mut_ptr(), libc::SIGKILL);
            libc::sigdelset(signals.as_mut_ptr(), libc::SIGSTOP);
            check_errno(libc::posix_spawnattr_setsigdefault(own, signals.as_ptr()))?;
            Ok(attributes)
        }
    }
}

impl Drop for SpawnAttributes {
    fn drop(&mut self) {
        // SAFETY: it was initialised, and nobody has it any more.
        unsafe {
            libc::posix_spawnattr_destroy(&raw mut self.0);
        }
    }
}

/// What a new process does before exec.
struct SpawnFileActions(libc::posix_spawn_file_actions_t);

impl SpawnFileActions {
    fn new(birth: &SpawnRequest<'_>) -> io::Result<SpawnFileActions> {
        let mut made = MaybeUninit::uninit();
        // SAFETY: they are initialised by the first call, and dropped only then. The path is copied.
        unsafe {
            check_errno(libc::posix_spawn_file_actions_init(made.as_mut_ptr()))?;
            let mut actions = SpawnFileActions(made.assume_init());
            let own = &raw mut actions.0;
            for (standard, file) in (0..).zip(&birth.files) {
                let file = file.as_raw_fd();
                check_errno(libc::posix_spawn_file_actions_adddup2(own, file, standard))?;
            }
            if let Some(dir) = birth.dir {
                let add = directory_action().ok_or(io::ErrorKind::Unsupported)?;
                check_errno(add(own, dir.as_ptr()))?;
            }
            Ok(actions)
        }
    }
}

impl Drop for SpawnFileActions {
    fn drop(&mut self) {
        // SAFETY: they were initialised, and nobody has them any more.
        unsafe {
            libc::posix_spawn_file_actions_destroy(&raw mut self.0);
        }
    }
}

type DirectoryAction =
    unsafe extern "C" fn(*mut libc::posix_spawn_file_actions_t, *const c_char) -> c_int;

/// Whether [`SpawnRequest::dir`] is supported.
pub(super) fn can_set_directory() -> bool {
    directory_action().is_some()
}

/// The C library's function for it. glibc before 2.29 has none, and a program that links to it would not start there.
#[cfg(target_env = "gnu")]
fn directory_action() -> Option<DirectoryAction> {
    use std::sync::OnceLock;
    static FOUND: OnceLock<Option<DirectoryAction>> = OnceLock::new();
    *FOUND.get_or_init(|| {
        let name = c"posix_spawn_file_actions_addchdir_np";
        // SAFETY: a function of this name has this type in every library that has it.
        unsafe {
            let found = libc::dlsym(libc::RTLD_DEFAULT, name.as_ptr());
            (!found.is_null())
                .then(|| std::mem::transmute::<*mut libc::c_void, DirectoryAction>(found))
        }
    })
}

#[cfg(not(target_env = "gnu"))]
fn directory_action() -> Option<DirectoryAction> {
    Some(libc::posix_spawn_file_actions_addchdir_np)
}

/// The strings with the null that ends a list of them.
fn null_terminated(strings: &[impl AsRef<CStr>]) -> Vec<*mut c_char> {
    let strings = strings
        .iter()
        .map(|string| string.as_ref().as_ptr().cast_mut());
    strings.chain([ptr::null_mut()]).collect()
}

/// What the functions of `spawn.h` return: an error's number, or 0.
fn check_errno(number: c_int) -> io::Result<()> {
    match number {
        0 => Ok(()),
        number => Err(io::Error::from_raw_os_error(number)),
    }
}

fn to_duration(time: libc::timeval) -> Duration {
    let seconds = u64::try_from(time.tv_sec).unwrap_or_default();
    let micros = u64::try_from(time.tv_usec).unwrap_or_default();
    Duration::from_secs(seconds) + Duration::from_micros(micros)
}
