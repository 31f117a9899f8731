//! Strongly connected components by Tarjan's algorithm (1972), without recursion.

use std::collections::{BTreeSet, HashMap};

struct TarjanFrame {
    node: usize,
    next: std::vec::IntoIter<usize>,
}

#[derive(Clone, Copy)]
struct TarjanMark {
    number: usize,
    /// The lowest number that is known to be reachable and is still on the stack.
    low: usize,
    on_stack: bool,
}

/// The components of the graph, each in ascending order; those that others lead to come first.
pub(super) fn strongly_connected_components(
    nodes: &[usize],
    edges: impl Fn(usize) -> BTreeSet<usize>,
) -> Vec<Vec<usize>> {
    let mut marks: HashMap<usize, TarjanMark> = HashMap::new();
    let (mut stack, mut components) = (Vec::new(), Vec::new());
    for &root in nodes {
        if marks.contains_key(&root) {
            continue;
        }
        let mut path: Vec<TarjanFrame> = Vec::new();
        let mut enter = Some(root);
        loop {
            if let Some(node) = enter.take() {
                let number = marks.len();
                let mark = TarjanMark {
                    number,
                    low: number,
                    on_stack: true,
                };
                marks.insert(node, mark);
                stack.push(node);
                let next = edges(node).into_iter().collect::<Vec<_>>().into_iter();
                path.push(TarjanFrame { node, next });
            }
            let Some(open) = path.last_mut() else { break };
            let node = open.node;
            if let Some(target) = open.next.next() {
                match marks.get(&target).copied() {
                    None => enter = Some(target),
                    Some(seen) if seen.on_stack => update_low_link(&mut marks, node, seen.number),
                    Some(_) => {}
                }
                continue;
            }
            path.pop();
            let mark = marks[&node];
            if let Some(parent) = path.last() {
                update_low_link(&mut marks, parent.node, mark.low);
            }
            if mark.low == mark.number {
                components.push(pop_component(&mut stack, &mut marks, node));
            }
        }
    }
    components
}

fn update_low_link(marks: &mut HashMap<usize, TarjanMark>, node: usize, low: usize) {
    if let Some(mark) = marks.get_mut(&node) {
        mark.low = mark.low.min(low);
    }
}

/// Pops a component from the stack, down to its first node.
fn pop_component(
    stack: &mut Vec<usize>,
    marks: &mut HashMap<usize, TarjanMark>,
    first: usize,
) -> Vec<usize> {
    let mut component = Vec::new();
    while let Some(node) = stack.pop() {
        if let Some(mark) = marks.get_mut(&node) {
            mark.on_stack = false;
        }
        component.push(node);
        if node == first {
            break;
        }
    }
    component.sort_unstable();
    component
}
