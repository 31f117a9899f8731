//! A helper that one test leaves for the next.
//!
//! The looks before a run are one after another, and then the run begins: one helper serves the looks, and the first worker of the run goes on
//! with it. Starting a helper takes about as long as ten short tests.

use std::sync::{Arc, Mutex, PoisonError};

use super::client::{HelperConfig, TestHelper};

/// The helper that nobody uses at the moment, if there is one. Clones share it; it ends with the last of them.
#[derive(Clone, Debug, Default)]
pub struct SpareHelper(Arc<Mutex<Option<TestHelper>>>);

impl SpareHelper {
    /// Takes the helper, if it works and has these settings. Another one ends.
    pub(in crate::oracle) fn take_helper(&self, config: &HelperConfig) -> Option<TestHelper> {
        let spare = self.replace(None);
        spare.filter(|helper| helper.is_ready(config))
    }

    /// Leaves a helper that has no test. The one that was there ends.
    pub(in crate::oracle) fn leave_helper(&self, helper: TestHelper) {
        drop(self.replace(Some(helper)));
    }

    /// The lock is not held while a helper ends.
    fn replace(&self, helper: Option<TestHelper>) -> Option<TestHelper> {
        let mut spare = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        std::mem::replace(&mut *spare, helper)
    }
}
