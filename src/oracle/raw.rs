//! The only unsafe code of lop: system calls that have no safe face in rustix.
//!
//! `getrusage` tells the processor time of children exactly, where `/proc` tells it in steps of 10 ms, and most tests use less. `unshare`
//! makes namespaces.
#![allow(unsafe_code)]

use std::mem::MaybeUninit;
use std::time::Duration;

/// User and system time of all children of this process that have ended and were waited for, and of theirs.
pub(super) fn of_children() -> Duration {
    let mut usage = MaybeUninit::<libc::rusage>::zeroed();
    // SAFETY: the pointer is good for one `rusage` to be written, for which all zeros is a value; so it is whole even if the call
    // fails, which it does for a wrong first argument only.
    let usage = unsafe {
        libc::getrusage(libc::RUSAGE_CHILDREN, usage.as_mut_ptr());
        usage.assume_init()
    };
    time(usage.ru_utime) + time(usage.ru_stime)
}

/// Leaves the namespaces that it shares with others. The process must have one thread, and `flags` name namespaces only.
#[cfg(target_os = "linux")]
pub(super) fn unshare(flags: rustix::thread::UnshareFlags) -> rustix::io::Result<()> {
    let flags = flags.difference(rustix::thread::UnshareFlags::FILES);
    // SAFETY: descriptors are not among what is unshared, which is the one thing that other code could rely on.
    unsafe { rustix::thread::unshare_unsafe(flags) }
}

fn time(time: libc::timeval) -> Duration {
    let seconds = u64::try_from(time.tv_sec).unwrap_or_default();
    let micros = u64::try_from(time.tv_usec).unwrap_or_default();
    Duration::from_secs(seconds) + Duration::from_micros(micros)
}
