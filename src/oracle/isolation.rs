//! What is asked of whoever runs tests, for the safety of all others.

use std::path::{Path, PathBuf};

use super::{ResourceQuotas, SpareHelper};

/// How tests are looked after.
#[derive(Clone, Debug, Default)]
pub struct TestIsolation {
    /// A program whose `main` calls [`super::run_helper`] when its first argument is [`super::HELPER`]. Never name another: it would be
    /// started.
    pub helper: Option<PathBuf>,
    /// What a test may take of the machine.
    pub quotas: ResourceQuotas,
    /// Whether control groups keep the limits of memory and processes where they can.
    pub cgroups: bool,
    /// Tests see all of the file system, but for the places where everybody writes or listens, of which they see what they name; they can
    /// write in directories of their own only, have a home of their own, reach no network, no socket and no device, and see no process
    /// but theirs. Needs a helper, and a system that allows it.
    pub sandbox: bool,
    /// The helper that a look leaves for whoever starts next.
    pub spare: SpareHelper,
}

/// A helper or none, and no limits.
impl From<Option<&Path>> for TestIsolation {
    fn from(helper: Option<&Path>) -> TestIsolation {
        TestIsolation {
            helper: helper.map(Path::to_path_buf),
            ..TestIsolation::default()
        }
    }
}
