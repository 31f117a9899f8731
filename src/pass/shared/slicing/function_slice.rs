//! The slice of the functions of a file, by the call graph (ReduKtor, figure 5).
//!
//! What the function around the line calls, directly or not, stays, and so do its callers. The graph goes by the names: of functions of one name all stay.
//! What begins a program has no caller and stays.

use rustc_hash::{FxHashMap, FxHashSet};

use super::outer_elements::{OuterElement, list_outer_elements};
use super::statements::FunctionBodies;
use super::target::SliceTarget;
use super::{SlicePart, SlicePartKind};
use crate::program::names::NameSymbol;
use crate::program::{NodeId, Version};

/// The functions that the line does not need, callees before their callers.
pub fn find_outside(version: &Version, target: &SliceTarget) -> Vec<SlicePart> {
    let bodies = FunctionBodies::of_document(version, target.document);
    let elements = list_outer_elements(version, target, &bodies);
    let graph = CallGraph::new(version, &elements);
    // A line outside of all functions belongs to what is declared around it.
    let is_root =
        |element: &&OuterElement| element.has_target && element.kind == SlicePartKind::Function;
    let mut roots: Vec<&OuterElement> = elements.iter().filter(is_root).collect();
    if roots.is_empty() {
        roots.extend(elements.iter().rfind(|element| element.has_target));
    }
    let declared = roots.iter().flat_map(|root| root.declared.iter().copied());
    let declared: Vec<NameSymbol> = declared.collect();
    let uses = roots.iter().flat_map(|root| root.uses(version));
    let mut kept = graph.reach(declared.iter().copied().chain(uses).collect(), &graph.calls);
    kept.extend(graph.reach(declared, &graph.callers));
    let (names, language) = (
        version.name_graph(),
        version.documents()[target.document].language,
    );
    let is_entry = |symbol: NameSymbol| {
        language.is_some_and(|language| language.is_entry_name(names.symbol_name(symbol)))
    };
    // An element that declares several functions stays with any of them.
    let is_kept = |symbol: &NameSymbol| kept.contains(symbol) || is_entry(*symbol);
    let stays = |element: &OuterElement| element.has_target || element.declared.iter().any(is_kept);
    let mut going: FxHashSet<NodeId> = FxHashSet::default();
    let mut parts = Vec::new();
    for symbol in graph.callees_first() {
        let own = graph.elements[&symbol].iter().map(|&at| &elements[at]);
        let own = own.filter(|element| !stays(element) && going.insert(element.node.id));
        let own: Vec<&OuterElement> = own.collect();
        let single = own
            .iter()
            .map(|element| SlicePart::of_node(SlicePartKind::Function, element.node));
        match names.needs_all_declarations(symbol) {
            // A prototype goes with its function.
            true if !own.is_empty() => parts.push(SlicePart {
                kind: SlicePartKind::Function,
                count: 1,
                nodes: own.iter().map(|element| element.node.id).collect(),
                tokens: single.map(|part| part.tokens).sum(),
            }),
            true => {}
            false => parts.extend(single),
        }
    }
    parts
}

type SymbolEdges = FxHashMap<NameSymbol, Vec<NameSymbol>>;

/// Which function calls which, by their names.
struct CallGraph {
    /// The functions in their order.
    functions: Vec<NameSymbol>,
    /// The numbers of the elements that declare each.
    elements: FxHashMap<NameSymbol, Vec<usize>>,
    calls: SymbolEdges,
    callers: SymbolEdges,
}

impl CallGraph {
    fn new(version: &Version, elements: &[OuterElement]) -> CallGraph {
        let mut graph = CallGraph {
            functions: Vec::new(),
            elements: FxHashMap::default(),
            calls: SymbolEdges::default(),
            callers: SymbolEdges::default(),
        };
        let functions = elements.iter().enumerate();
        let functions = functions.filter(|(_, element)| element.kind == SlicePartKind::Function);
        for (at, element) in functions.clone() {
            for &symbol in &element.declared {
                let own = graph.elements.entry(symbol).or_default();
                if own.is_empty() {
                    graph.functions.push(symbol);
                }
                own.push(at);
            }
        }
        for (_, element) in functions {
            let uses = element.uses(version).into_iter();
            for called in uses.filter(|used| graph.elements.contains_key(used)) {
                for &caller in &element.declared {
                    graph.calls.entry(caller).or_default().push(called);
                    graph.callers.entry(called).or_default().push(caller);
                }
            }
        }
        graph
    }

    /// These functions and all that can be reached from them.
    fn reach(&self, mut open: Vec<NameSymbol>, edges: &SymbolEdges) -> FxHashSet<NameSymbol> {
        let mut reached = FxHashSet::default();
        while let Some(symbol) = open.pop() {
            if reached.insert(symbol) {
                open.extend(edges.get(&symbol).into_iter().flatten());
            }
        }
        reached
    }

    /// All functions, each behind what it calls, as far as they do not call each other.
    fn callees_first(&self) -> Vec<NameSymbol> {
        let (mut order, mut seen) = (Vec::new(), FxHashSet::default());
        for &first in &self.functions {
            let mut stack = vec![(first, false)];
            while let Some((symbol, is_left)) = stack.pop() {
                if is_left {
                    order.push(symbol);
                } else if seen.insert(symbol) {
                    stack.push((symbol, true));
                    let called = self.calls.get(&symbol).into_iter().flatten().rev();
                    stack.extend(called.map(|&called| (called, false)));
                }
            }
        }
        order
    }
}
