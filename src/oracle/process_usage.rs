//! What running processes use of the machine.

use std::ops::AddAssign;
use std::time::Duration;

/// Resources that processes use at one moment. `system::tree_usage` measures it.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct ProcessUsage {
    /// User and system time, with that of the children that were waited for, in steps of 10 ms each.
    pub cpu: Duration,
    /// Processes and threads.
    pub tasks: u64,
    /// Memory in bytes. A page that several processes share counts for each of them.
    pub resident: u64,
}

impl AddAssign for ProcessUsage {
    fn add_assign(&mut self, other: ProcessUsage) {
        self.cpu += other.cpu;
        self.tasks += other.tasks;
        self.resident += other.resident;
    }
}
