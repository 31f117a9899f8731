//! The processor time of children, exact.
//!
//! The only unsafe code of lop: `getrusage` has no safe face in rustix, and `/proc` tells in steps of 10 ms what most tests use less of.
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

fn time(time: libc::timeval) -> Duration {
    let seconds = u64::try_from(time.tv_sec).unwrap_or_default();
    let micros = u64::try_from(time.tv_usec).unwrap_or_default();
    Duration::from_secs(seconds) + Duration::from_micros(micros)
}
