//! The name graph of a version that an edit made: found when it is first asked for, since most candidates are never asked.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use super::super::edit::Edit;
use super::super::version::Version;
use super::{Names, loss};

/// A graph, or what it will be made of.
#[derive(Clone, Debug)]
pub struct Later(Arc<Inner>);

#[derive(Debug)]
struct Inner {
    names: OnceLock<Names>,
    /// The version before the edit, whose own graph is known: so these never form a chain.
    from: Mutex<Option<(Version, Edit)>>,
}

impl Later {
    /// A graph that is known.
    pub fn known(names: Names) -> Later {
        Later(Arc::new(Inner {
            names: OnceLock::from(names),
            from: Mutex::new(None),
        }))
    }

    /// The graph of what `edit` makes of `base`.
    pub fn after(base: &Version, edit: &Edit) -> Later {
        base.names();
        Later(Arc::new(Inner {
            names: OnceLock::new(),
            from: Mutex::new(Some((base.clone(), edit.clone()))),
        }))
    }

    /// The graph.
    pub fn names(&self) -> &Names {
        self.0.names.get_or_init(|| {
            let mut from = self.0.from.lock().unwrap_or_else(PoisonError::into_inner);
            let Some((base, edit)) = from.take() else {
                unreachable!("a graph is known, or is made once");
            };
            base.names().without(&loss::loss(&base, &edit))
        })
    }
}
