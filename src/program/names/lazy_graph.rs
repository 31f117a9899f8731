//! The name graph of a version. That of a version that an edit made is computed when it is first needed, because most candidates never need one. That of a
//! text that was read is needed soon, so where the text is long a thread begins with it at once.

use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::thread;

use super::super::edit::Edit;
use super::super::version::Version;
use super::graph_builder::build_name_graph;
use super::read_names::ReadNames;
use super::{NameGraph, loss};

/// The fewest leaves of a text whose graph has a thread of its own. A thread for fewer costs more than it saves.
const MIN_THREAD_LEAVES: u32 = 1 << 16;

/// A graph, or what it is computed from.
#[derive(Clone, Debug)]
pub struct LazyNameGraph(Arc<LazyGraphState>);

#[derive(Debug)]
struct LazyGraphState {
    names: OnceLock<NameGraph>,
    from: Mutex<Option<GraphSource>>,
}

/// What a graph is computed from.
#[derive(Debug)]
enum GraphSource {
    /// A text that was read.
    Text(ReadNames),
    /// The version before an edit. Its graph is computed already, so these never form a chain.
    Edit(Version, Edit),
}

impl LazyNameGraph {
    /// The graph of a text that was read.
    pub fn from_text(text: ReadNames) -> LazyNameGraph {
        let leaves = text
            .documents
            .iter()
            .map(|document| document.root.sums().leaves);
        let is_long = leaves.sum::<u32>() >= MIN_THREAD_LEAVES;
        let graph = LazyNameGraph::from_source(GraphSource::Text(text));
        if is_long {
            let own = graph.clone();
            let thread = thread::Builder::new().name("lop-names".into());
            // If the system has no thread left, it is computed later.
            let _ = thread.spawn(move || {
                own.get_or_compute();
            });
        }
        graph
    }

    /// The graph of what `edit` makes of `base`.
    pub fn from_edit(base: &Version, edit: &Edit) -> LazyNameGraph {
        base.name_graph();
        LazyNameGraph::from_source(GraphSource::Edit(base.clone(), edit.clone()))
    }

    fn from_source(source: GraphSource) -> LazyNameGraph {
        LazyNameGraph(Arc::new(LazyGraphState {
            names: OnceLock::new(),
            from: Mutex::new(Some(source)),
        }))
    }

    /// The graph, if it was computed.
    pub fn known(&self) -> Option<&NameGraph> {
        self.0.names.get()
    }

    /// The graph; computes it the first time.
    pub fn get_or_compute(&self) -> &NameGraph {
        self.0.names.get_or_init(|| {
            let mut from = self.0.from.lock().unwrap_or_else(PoisonError::into_inner);
            // It may be interrupted, and be computed again.
            let names = match from.as_mut() {
                Some(GraphSource::Text(text)) => build_name_graph(text),
                Some(GraphSource::Edit(base, edit)) => base
                    .name_graph()
                    .without_losses(&loss::count_losses(base, edit)),
                None => unreachable!("a graph is known, or is made once"),
            };
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
