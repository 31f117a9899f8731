//! What holds the processes of a test together: a process group, a helper, a helper in control groups, or a helper in a sandbox.
//!
//! `tests/oracle/hostile.rs` has the table of what hostile tests try, on each of these levels that the machine offers.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::ResourceQuotas;

/// How tests are contained: what keeps a test from harming others and from leaving processes.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TestContainment {
    /// What its processes are in.
    pub kind: ContainmentKind,
    /// The limits that control groups enforce.
    pub cgroup_limits: CgroupLimits,
    /// Its limits.
    pub quotas: ResourceQuotas,
}

/// What the processes of a test are in.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum ContainmentKind {
    /// Namespaces of their own, with a helper in them.
    Sandbox,
    /// A helper for each test: all descendants of the test are killed at its end, and if lop dies.
    Helper,
    /// A process group: a process that leaves it may live until the end of the run. With the reason why there is no helper, if one was
    /// wanted.
    ProcessGroup(Option<String>),
}

/// Which limits control groups enforce, exactly and without polling. The others are checked every 50 ms.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct CgroupLimits {
    /// That of memory.
    pub memory: bool,
    /// That of processes.
    pub processes: bool,
}

impl TestContainment {
    /// Whether tests run in helpers. Without them no server stays alive between two candidates.
    pub fn has_helper(&self) -> bool {
        !matches!(self.kind, ContainmentKind::ProcessGroup(_))
    }
}

/// For the user: what contains the tests, and why nothing stronger does.
impl fmt::Display for TestContainment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.kind {
            ContainmentKind::Sandbox => f.write_str(
                "each test runs in a sandbox: it can write in directories of its own only, reaches no network, socket or device, and all that it starts ends with it",
            )?,
            ContainmentKind::Helper => f.write_str(
                "each test runs in a helper process, and all that it starts ends with it",
            )?,
            ContainmentKind::ProcessGroup(reason) => {
                f.write_str("each test runs in a process group")?;
                if let Some(reason) = reason {
                    write!(f, ", for want of a helper process: {reason}")?;
                }
            }
        }
        write!(f, "; it may take {}", self.quotas)?;
        let wanted = CgroupLimits {
            memory: self.quotas.memory.is_some(),
            processes: self.quotas.processes.is_some(),
        };
        if wanted == CgroupLimits::default() {
            return Ok(());
        }
        match self.cgroup_limits {
            held if held == wanted => f.write_str(", by control groups"),
            CgroupLimits { memory: true, .. } => f.write_str(", of memory by a control group"),
            CgroupLimits {
                processes: true, ..
            } => f.write_str(", of processes by a control group"),
            CgroupLimits { .. } => f.write_str(", as far as looking every 50 ms tells"),
        }
    }
}
