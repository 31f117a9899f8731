//! Namespaces in which a test can do no harm: it may read all that its user may, and write nothing but the run's scratch directory.
//!
//! ```text
//!  helper outside    enclose: new user, mount, network, process and IPC namespaces; all mounts read-only but one
//!    └ helper inside settle: the first process of its namespace, a /proc of its own, the user's own number again
//!        └ test
//! ```
//!
//! In the first user namespace we are root, so that the helper inside, which is a program of its own, may still mount its `/proc`. Then
//! it makes a second one, in which it has the number of the user again and no say over the mounts any more. When the helper inside
//! ends, the kernel kills whatever else is in its process namespace.

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use rustix::io::Errno;
use rustix::mount::{
    MountFlags, MountPropagationFlags, mount, mount_bind, mount_change, mount_remount,
};
use rustix::process::Signal;
use rustix::thread::UnshareFlags;

use super::raw;

/// What even a root who may do nothing else could write to, since the files are its own.
const SWITCHES: [&str; 2] = ["/proc/sys", "/proc/sysrq-trigger"];

/// Makes the namespaces around this process, which must have one thread; its next child is the first in its namespace of processes.
/// `root` is the one directory that can be written.
pub(super) fn enclose(root: &Path) -> io::Result<()> {
    // As the kernel names it: links may lead there.
    let root = &root.canonicalize()?;
    let (user, group) = (rustix::process::geteuid(), rustix::process::getegid());
    raw::unshare(
        UnshareFlags::NEWUSER
            | UnshareFlags::NEWNS
            | UnshareFlags::NEWNET
            | UnshareFlags::NEWIPC
            | UnshareFlags::NEWPID,
    )
    .map_err(doing("making namespaces"))?;
    map(0, user.as_raw(), 0, group.as_raw())?;
    let private = MountPropagationFlags::PRIVATE | MountPropagationFlags::REC;
    mount_change("/", private).map_err(doing("making the mounts our own"))?;
    mount_bind(root, root).map_err(doing("mounting the scratch directory"))?;
    let mounts = fs::read_to_string("/proc/self/mountinfo")?;
    for line in mounts.lines() {
        let Some((point, flags)) = mount_point(line) else {
            continue;
        };
        // The scratch directory stays as it is. /proc is mounted anew, and nothing that lies below it is seen then.
        if point == *root || point.starts_with("/proc") {
            continue;
        }
        match mount_remount(&point, MountFlags::BIND | MountFlags::RDONLY | flags, "") {
            // Nobody can come to it, or something else is mounted over it.
            Ok(()) | Err(Errno::NOENT | Errno::INVAL | Errno::ACCESS | Errno::NOTDIR) => {}
            Err(error) => {
                return Err(doing("making mounts read-only")(error));
            }
        }
    }
    Ok(())
}

/// The second half, for the first process in the namespace of processes.
pub(super) fn settle() -> io::Result<()> {
    // Whoever waits outside is told by nobody else that we shall end.
    rustix::process::set_parent_process_death_signal(Some(Signal::KILL))?;
    let user = outside("/proc/self/uid_map")?;
    let group = outside("/proc/self/gid_map")?;
    let flags = MountFlags::NOSUID | MountFlags::NODEV | MountFlags::NOEXEC;
    mount("proc", "/proc", "proc", flags, None).map_err(doing("mounting /proc"))?;
    for switch in SWITCHES.into_iter().filter(|path| Path::new(path).exists()) {
        let bound = mount_bind(switch, switch).and_then(|()| {
            mount_remount(switch, MountFlags::BIND | MountFlags::RDONLY | flags, "")
        });
        bound.map_err(doing("making the switches in /proc read-only"))?;
    }
    raw::unshare(UnshareFlags::NEWUSER).map_err(doing("making a user namespace"))?;
    map(user, 0, group, 0)
}

/// In the user namespace that was just made, this user and this group are those of the one around it.
fn map(user: u32, user_around: u32, group: u32, group_around: u32) -> io::Result<()> {
    // It is so already in a namespace that is in one where it is so.
    let _ = fs::write("/proc/self/setgroups", "deny");
    fs::write("/proc/self/uid_map", format!("{user} {user_around} 1"))?;
    fs::write("/proc/self/gid_map", format!("{group} {group_around} 1"))
}

/// Who our root is outside.
fn outside(map: &str) -> io::Result<u32> {
    let text = fs::read_to_string(map)?;
    let number = text
        .split_whitespace()
        .nth(1)
        .and_then(|number| number.parse().ok());
    number.ok_or_else(|| io::ErrorKind::InvalidData.into())
}

/// A line of mountinfo: where it is mounted, and the flags that must stay.
fn mount_point(line: &str) -> Option<(PathBuf, MountFlags)> {
    let mut fields = line.split(' ').skip(4);
    let (point, options) = (fields.next()?, fields.next()?);
    let flags = options.split(',').map(|option| match option {
        "nosuid" => MountFlags::NOSUID,
        "nodev" => MountFlags::NODEV,
        "noexec" => MountFlags::NOEXEC,
        "noatime" => MountFlags::NOATIME,
        "nodiratime" => MountFlags::NODIRATIME,
        "relatime" => MountFlags::RELATIME,
        _ => MountFlags::empty(),
    });
    Some((PathBuf::from(unescaped(point)), flags.collect()))
}

/// Blanks and their like are written as three octal digits.
fn unescaped(text: &str) -> std::ffi::OsString {
    use std::os::unix::ffi::OsStringExt;
    let (mut bytes, mut rest) = (Vec::new(), text.as_bytes());
    while let [first, tail @ ..] = rest {
        let number = tail.get(..3).filter(|_| *first == b'\\');
        let number = number.and_then(|digits| std::str::from_utf8(digits).ok());
        match number.and_then(|digits| u8::from_str_radix(digits, 8).ok()) {
            Some(byte) => {
                bytes.push(byte);
                rest = &tail[3..];
            }
            None => {
                bytes.push(*first);
                rest = tail;
            }
        }
    }
    std::ffi::OsString::from_vec(bytes)
}

/// Says what the system refused.
fn doing(what: &'static str) -> impl Fn(Errno) -> io::Error {
    move |error| io::Error::other(format!("{what}: {}", io::Error::from(error)))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mount_keeps_its_flags_and_its_name() {
        let line =
            r"36 35 98:0 / /mnt/two\040words\134 rw,nosuid,noatime shared:1 - ext4 /dev/sda rw";
        let (point, flags) = mount_point(line).expect("a mount");
        assert_eq!(point, Path::new(r"/mnt/two words\"));
        assert_eq!(flags, MountFlags::NOSUID | MountFlags::NOATIME);
        assert_eq!(mount_point("nonsense"), None);
    }
}
