//! Namespaces in which a test can do no harm: it may read what its user may, write in one directory and where nobody else sees it, and
//! speak to nobody.
//!
//! ```text
//!  helper outside    enter_sandbox: new user, mount, network, process and IPC namespaces; a view of the file system (`mount_view.rs`)
//!    └ helper inside complete_sandbox: the first process of its namespace, a /proc of its own, the user's own number again,
//!        └ test      no way to write elsewhere (`writable.rs`), a filter of calls (`filter.rs`)
//! ```
//!
//! In the first user namespace we are root, so that the helper inside, which is a program of its own, may still mount its `/proc`. Then
//! it makes a second one, in which it has the number of the user again and no say over the mounts any more. When the helper inside
//! ends, the kernel kills whatever else is in its process namespace. No way leads out through the helper: it stands in `/`, and has no
//! descriptors but its pipes. No process in it makes a namespace of control groups: root in such a namespace could mount the machine's.
//!
//! Each helper has a *room* in the scratch directory, the one directory there that its tests can write in. So no test reaches another's
//! directories, or puts a link where lop is about to write.

mod filter;
mod mount_view;
mod visible_paths;
mod writable;

use std::env;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use rustix::io::Errno;
use rustix::mount::{MountPropagationFlags, mount_change};
use rustix::process::Signal;
use rustix::thread::UnshareFlags;

use super::syscalls;
pub(super) use visible_paths::visible_paths;

/// Creates the namespaces around this process, which must have one thread. Its next child is the first process of the new process
/// namespace.
/// `room` is the only writable directory. The paths in `seen` stay visible in hidden directories.
pub(super) fn enter_sandbox(room: &Path, seen: &[PathBuf]) -> io::Result<()> {
    // The process that started lop may have left sockets open.
    syscalls::close_fds_on_exec()?;
    let (user, group) = (rustix::process::geteuid(), rustix::process::getegid());
    syscalls::unshare(
        UnshareFlags::NEWUSER
            | UnshareFlags::NEWNS
            | UnshareFlags::NEWNET
            | UnshareFlags::NEWIPC
            | UnshareFlags::NEWPID,
    )
    .map_err(error_while("making namespaces"))?;
    map_ids(0, user.as_raw(), 0, group.as_raw())?;
    let private = MountPropagationFlags::PRIVATE | MountPropagationFlags::REC;
    mount_change("/", private).map_err(error_while("making the mounts our own"))?;
    mount_view::build_view(room, seen)?;
    // The working directory may be hidden now.
    env::set_current_dir("/")
}

/// The second half, for the first process of the process namespace.
pub(super) fn complete_sandbox(room: &Path) -> io::Result<()> {
    // The process outside does not notice otherwise when this one should end.
    rustix::process::set_parent_process_death_signal(Some(Signal::KILL))?;
    let user = outer_id("/proc/self/uid_map")?;
    let group = outer_id("/proc/self/gid_map")?;
    mount_view::mount_proc()?;
    // In one of its own a test could mount the control groups of the whole machine anew, and write to them where it is root. The limit
    // is of the namespace around the one that we make now, so that nobody in that raises it.
    fs::write("/proc/sys/user/max_cgroup_namespaces", "0")
        .map_err(|error| io::Error::other(format!("forbidding control groups: {error}")))?;
    mount_view::shut_proc()?;
    syscalls::unshare(UnshareFlags::NEWUSER).map_err(error_while("making a user namespace"))?;
    map_ids(user, 0, group, 0)?;
    let unknown = || io::Error::other("the calls of this processor are not known");
    let filter = filter::build_program().ok_or_else(unknown)?;
    rustix::thread::set_no_new_privs(true)?;
    writable::keep_to(room)?;
    syscalls::install_seccomp_filter(&filter).map_err(error_while("filtering calls of the kernel"))
}

/// In the user namespace that was just made, this user and this group are those of the one around it.
fn map_ids(user: u32, user_around: u32, group: u32, group_around: u32) -> io::Result<()> {
    // It is so already in a namespace that is in one where it is so.
    let _ = fs::write("/proc/self/setgroups", "deny");
    fs::write("/proc/self/uid_map", format!("{user} {user_around} 1"))?;
    fs::write("/proc/self/gid_map", format!("{group} {group_around} 1"))
}

/// The outer number of our root user.
fn outer_id(map: &str) -> io::Result<u32> {
    let text = fs::read_to_string(map)?;
    let number = text
        .split_whitespace()
        .nth(1)
        .and_then(|number| number.parse().ok());
    number.ok_or_else(|| io::ErrorKind::InvalidData.into())
}

/// Adds to an error what the system refused.
fn error_while(what: &'static str) -> impl Fn(Errno) -> io::Error {
    move |error| io::Error::other(format!("{what}: {}", io::Error::from(error)))
}
