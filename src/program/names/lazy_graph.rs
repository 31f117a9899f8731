//! The name graph of a version that an edit made. It is computed when it is first needed, because most candidates never need one.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use super::super::edit::Edit;
use super::super::version::Version;
use super::{NameGraph, loss};

/// A graph, or what it is computed from.
#[derive(Clone, Debug)]
pub struct LazyNameGraph(Arc<LazyGraphState>);

#[derive(Debug)]
struct LazyGraphState {
    names: OnceLock<NameGraph>,
    /// The version before the edit. Its graph is computed already, so these never form a chain.
    from: Mutex<Option<(Version, Edit)>>,
}

impl LazyNameGraph {
    /// A graph that is computed already.
    pub fn from_graph(names: NameGraph) -> LazyNameGraph {
        LazyNameGraph(Arc::new(LazyGraphState {
            names: OnceLock::from(names),
            from: Mutex::new(None),
        }))
    }

    /// The graph of what `edit` makes of `base`.
    pub fn from_edit(base: &Version, edit: &Edit) -> LazyNameGraph {
        base.name_graph();
        LazyNameGraph(Arc::new(LazyGraphState {
            names: OnceLock::new(),
            from: Mutex::new(Some((base.clone(), edit.clone()))),
        }))
    }

    /// The graph; computes it the first time.
    pub fn get_or_compute(&self) -> &NameGraph {
        self.0.names.get_or_init(|| {
            let mut from = self.0.from.lock().unwrap_or_else(PoisonError::into_inner);
            let Some((base, edit)) = from.as_ref() else {
                unreachable!("a graph is known, or is made once");
            };
            // It may be interrupted, and be computed again.
            let names = base
                .name_graph()
                .without_losses(&loss::count_losses(base, edit));
            *from = None;
            names
        })
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::program;
    use crate::protocol::abandon::{AbandonFlag, unless_abandoned};

    #[test]
    fn a_graph_that_was_abandoned_is_found_when_it_is_asked_for_again() {
        let text = "int v;\n".repeat(1000);
        let bytes: Arc<[u8]> = text.as_bytes().into();
        let before =
            program::read_program(vec![(Path::new("a.c").into(), bytes)]).expect("it can be read");
        let mut nodes = program::walk::preorder(&before.documents()[0].root);
        let list = nodes.find(|node| node.shape.is_list()).expect("a list").id;
        let edit = Edit::from(program::EditOp::DeleteItems {
            list,
            items: std::iter::once(0..900).collect(),
        });
        let (after, _) = program::apply_edit(&before, &edit).expect("an edit");
        let unwanted = AbandonFlag::default();
        unwanted.abandon();
        let names = unless_abandoned(&unwanted, || after.name_graph());
        assert!(names.is_none(), "it was found in less than 256 rounds");
        let (fresh, _) = program::apply_edit(&before, &edit).expect("an edit");
        let [given, fresh] = [after, fresh].map(|version| format!("{:?}", version.name_graph()));
        assert_eq!(given, fresh);
    }
}
