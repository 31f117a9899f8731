//! What a test may use of the machine besides time: memory, processes and files.
//!
//! Control groups keep the first two exactly (`cgroup.rs`), and `resource_monitor.rs` the rest. Beyond such a limit a test counts as timed out,
//! but is not repeated: the machine has no part in it. Where the machine has one (the kernel killed something for want of memory, outside of
//! our group), there is no verdict.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::LimitKind;
use super::system;

/// How many processes and threads a test may have at a time.
const PROCESSES: u64 = 1024;
/// How many bytes it may have in its scratch directory.
const DISK: u64 = 1_000_000_000;

/// What one test may take of the machine; `None` for no limit.
///
/// There is no limit of address space among them (`RLIMIT_AS`): sanitizers reserve far more than they use.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct ResourceQuotas {
    /// Memory of all its processes, in bytes. In a control group also what it holds of files in memory.
    pub memory: Option<u64>,
    /// Processes and threads at a time.
    pub processes: Option<u64>,
    /// What it has in its scratch directory, in bytes; a file counts for 4 KB at least.
    pub disk: Option<u64>,
}

impl ResourceQuotas {
    /// For so many tests at a time: 80 % of the memory that there is for us, in equal parts; 1,024 processes; 1 GB in the scratch
    /// directory. No limit of memory where the system does not tell how much there is.
    pub fn for_jobs(jobs: usize) -> ResourceQuotas {
        let jobs = jobs.max(1) as u64;
        ResourceQuotas {
            memory: system::available_memory().map(|all| all / 5 * 4 / jobs),
            processes: Some(PROCESSES),
            disk: Some(DISK),
        }
    }

    /// This limit alone.
    pub fn only_limit(self, limit: LimitKind) -> ResourceQuotas {
        let mut without = self;
        without.remove_limit(limit);
        let only = |all: Option<u64>, rest: Option<u64>| all.filter(|_| rest.is_none());
        ResourceQuotas {
            memory: only(self.memory, without.memory),
            processes: only(self.processes, without.processes),
            disk: only(self.disk, without.disk),
        }
    }

    /// Switches a limit off and returns its value.
    pub fn remove_limit(&mut self, limit: LimitKind) -> Option<u64> {
        match limit {
            LimitKind::Wall | LimitKind::Cpu => None,
            LimitKind::Memory => self.memory.take(),
            LimitKind::Processes => self.processes.take(),
            LimitKind::Disk => self.disk.take(),
        }
    }
}

/// For the end of a sentence: "at most 9.6 GB of memory and 1024 processes".
impl fmt::Display for ResourceQuotas {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let parts: Vec<String> = [
            self.memory
                .map(|memory| format!("{} of memory", format_size(memory))),
            self.processes.map(|count| match count {
                1 => "1 process".into(),
                more => format!("{more} processes"),
            }),
            self.disk
                .map(|disk| format!("{} of files", format_size(disk))),
        ]
        .into_iter()
        .flatten()
        .collect();
        match parts.as_slice() {
            [] => f.write_str("as much memory, processes and files as it likes"),
            [one] => write!(f, "at most {one}"),
            [all @ .., last] => write!(f, "at most {} and {last}", all.join(", ")),
        }
    }
}

/// Bytes, for people.
pub(super) fn format_size(bytes: u64) -> String {
    let exact = bytes as f64;
    match bytes {
        1 => "1 byte".into(),
        0..1_000 => format!("{bytes} bytes"),
        1_000..1_000_000 => format!("{:.0} KB", exact / 1e3),
        1_000_000..1_000_000_000 => format!("{:.0} MB", exact / 1e6),
        _ => format!("{:.1} GB", exact / 1e9),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn quotas_are_told_in_words() {
        let all = ResourceQuotas {
            memory: Some(9_600_000_000),
            processes: Some(1024),
            disk: Some(64_000_000),
        };
        assert_eq!(
            all.to_string(),
            "at most 9.6 GB of memory, 1024 processes and 64 MB of files"
        );
        let mut some = all;
        assert_eq!(some.remove_limit(LimitKind::Memory), Some(9_600_000_000));
        assert_eq!(some.remove_limit(LimitKind::Wall), None);
        assert_eq!(
            some.to_string(),
            "at most 1024 processes and 64 MB of files"
        );
        assert_eq!(some.remove_limit(LimitKind::Disk), Some(64_000_000));
        assert_eq!(some.to_string(), "at most 1024 processes");
        assert_eq!(
            ResourceQuotas {
                memory: Some(10),
                processes: Some(1),
                disk: Some(64_000),
            }
            .to_string(),
            "at most 10 bytes of memory, 1 process and 64 KB of files"
        );
        assert_eq!(
            ResourceQuotas::default().to_string(),
            "as much memory, processes and files as it likes"
        );
    }
}
