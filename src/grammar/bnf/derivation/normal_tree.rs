//! From a tree of the grammar as it is written to one in normal form.
//!
//! Algorithm 1 inlines rules at the ends of others, and puts repetition in the place of recursion. So a node in normal form consists of parts of
//! the node as it is written, some of which are *dissolved*: their own parts stand in their place. Which ones follows from the automaton of
//! the rule in normal form. [`TreeRuns::find_run`] leads from a state to all states behind the parts of a node; a part that is a node is one
//! step, or its own parts are. Each run is made once for a node and a state, whoever asks, so the time is linear in the tree.
//!
//! Where both are possible a node stays, so that what the tree says is what is reduced. Of random grammars whose rules all begin and end with each
//! other about one in ten thousand has a tree that this does not find; such a tree is refused.

use super::super::super::earley::{
    EarleyMachine, EarleyNode, EarleyParser, EarleyTree, PartContent, StateId, TreePart,
};
use super::super::super::{NodeClass, RuleId};
use super::super::rules::SymbolId;
use super::DerivationReader;

pub(super) fn normalize_tree(
    reader: &DerivationReader,
    nodes: &[EarleyNode],
    parser: &EarleyParser,
) -> Option<EarleyTree> {
    let root_node = nodes.first()?;
    let mut runs = TreeRuns::new(reader, nodes, parser.machine());
    let root = RuleId(0);
    while let Err(MissingRun(node, from)) = runs.find_derivation(0, root) {
        runs.make_run(node, from);
    }
    runs.find_derivation(0, root).ok()??;
    let part = TreePart {
        content: PartContent::Rule(root, (0, root)),
        tokens: root_node.tokens,
    };
    Some(parser.assemble_tree(part, |(node, rule), parts| {
        runs.list_parts(node, rule, parts);
    }))
}

/// A node by its number, and the rule in normal form that it is derived by.
type NormalNode = (usize, RuleId);

/// The states behind the parts of nodes, by the states before them.
struct TreeRuns<'a> {
    nodes: &'a [EarleyNode],
    machine: &'a EarleyMachine,
    /// For each node the rules in normal form that its rule became; none for a token.
    rules: Vec<Option<&'a [RuleId]>>,
    /// For each node the number of the one behind the last node inside it.
    ends: Vec<usize>,
    /// For each node its first token.
    first_tokens: Vec<NodeClass>,
    /// For each node the runs over its parts.
    known: Vec<Vec<(StateId, Box<[StateId]>)>>,
}

/// How a rule in normal form derives a node.
enum NormalDerivation {
    /// By its parts, the last of which leads to this state.
    Parts(StateId),
    /// By a rule that was split off from it.
    Split(RuleId),
}

/// A run that is being made.
struct OpenRun {
    node: usize,
    from: StateId,
    /// The next part, and the states before it.
    part: usize,
    states: Vec<StateId>,
}

/// A run that must be made before another can go on.
struct MissingRun(usize, StateId);

/// What is still to be listed: a part, or the parts of a node between two states.
enum PendingPart {
    Part(TreePart<NormalNode>),
    Inside {
        node: usize,
        from: StateId,
        to: StateId,
    },
}

impl<'a> TreeRuns<'a> {
    fn new(
        reader: &'a DerivationReader,
        nodes: &'a [EarleyNode],
        machine: &'a EarleyMachine,
    ) -> TreeRuns<'a> {
        let rules = nodes
            .iter()
            .map(|node| match reader.written.symbol_of(node.class) {
                SymbolId::Rule(rule) => Some(&reader.normal_rules[rule][..]),
                SymbolId::Token(_) => None,
            });
        let rules: Vec<_> = rules.collect();
        let mut ends = vec![nodes.len(); nodes.len()];
        let mut first_tokens = vec![NodeClass(0); nodes.len()];
        let mut open: Vec<usize> = Vec::new();
        for (at, node) in nodes.iter().enumerate() {
            while let Some(closed) = open.pop_if(|&mut outer| nodes[outer].depth >= node.depth) {
                ends[closed] = at;
            }
            open.push(at);
        }
        for at in (0..nodes.len()).rev() {
            first_tokens[at] = match rules[at] {
                None => nodes[at].class,
                Some(_) => first_tokens[(at + 1).min(nodes.len() - 1)],
            };
        }
        TreeRuns {
            known: vec![Vec::new(); nodes.len()],
            nodes,
            machine,
            rules,
            ends,
            first_tokens,
        }
    }

    /// The parts of a node.
    fn parts_of(&self, node: usize) -> impl Iterator<Item = usize> + '_ {
        let end = self.ends[node];
        let first = Some(node + 1).filter(|&first| first < end);
        std::iter::successors(first, move |&part| {
            Some(self.ends[part]).filter(|&next| next < end)
        })
    }

    fn find_run(&self, node: usize, from: StateId) -> Result<&[StateId], MissingRun> {
        let known = self.known[node].iter().find(|(state, _)| *state == from);
        known
            .map(|(_, states)| &**states)
            .ok_or(MissingRun(node, from))
    }

    /// How a rule derives a node, if it does.
    fn find_derivation(
        &self,
        node: usize,
        rule: RuleId,
    ) -> Result<Option<NormalDerivation>, MissingRun> {
        let start = self.machine.starts[rule.0 as usize];
        let ends = |state: StateId| self.machine.states[state as usize].ends.is_some();
        let states = self.find_run(node, start)?;
        if let Some(&end) = states.iter().find(|&&state| ends(state)) {
            return Ok(Some(NormalDerivation::Parts(end)));
        }
        // Rules that are split off come later.
        let rules = self.rules[node].into_iter().flatten();
        for &split in rules.filter(|&&split| split > rule) {
            let behind = self.machine.states[start as usize].behind_rule(split);
            if behind.is_some_and(ends) && self.find_derivation(node, split)?.is_some() {
                return Ok(Some(NormalDerivation::Split(split)));
            }
        }
        Ok(None)
    }

    /// Whether a rule derives a node all of whose runs are known.
    fn derives(&self, node: usize, rule: RuleId) -> bool {
        matches!(self.find_derivation(node, rule), Ok(Some(_)))
    }

    /// Adds the states behind a part.
    fn push_steps(
        &self,
        part: usize,
        from: StateId,
        into: &mut Vec<StateId>,
    ) -> Result<(), MissingRun> {
        let state = &self.machine.states[from as usize];
        let mut push = |next: StateId| {
            if !into.contains(&next) {
                into.push(next);
            }
        };
        let Some(rules) = self.rules[part] else {
            let next = state.tokens.get(&self.nodes[part].class);
            next.into_iter().for_each(|&next| push(next));
            return Ok(());
        };
        if !state.may_begin_with(self.first_tokens[part]) {
            return Ok(());
        }
        for &rule in rules {
            if let Some(next) = state.behind_rule(rule)
                && self.find_derivation(part, rule)?.is_some()
            {
                push(next);
            }
        }
        self.find_run(part, from)?
            .iter()
            .for_each(|&next| push(next));
        Ok(())
    }

    /// Makes the run over the parts of a node, and those that it needs.
    fn make_run(&mut self, node: usize, from: StateId) {
        let open_run = |node, from| OpenRun {
            node,
            from,
            part: node + 1,
            states: vec![from],
        };
        let mut open = vec![open_run(node, from)];
        'runs: while let Some(run) = open.last_mut() {
            while run.part < self.ends[run.node] && !run.states.is_empty() {
                let mut next = Vec::new();
                for &state in &run.states {
                    if let Err(MissingRun(node, from)) = self.push_steps(run.part, state, &mut next)
                    {
                        open.push(open_run(node, from));
                        continue 'runs;
                    }
                }
                run.states = next;
                run.part = self.ends[run.part];
            }
            let states = std::mem::take(&mut run.states).into();
            self.known[run.node].push((run.from, states));
            open.pop();
        }
    }

    /// Adds the parts of a node in normal form.
    fn list_parts(&self, node: usize, rule: RuleId, into: &mut Vec<TreePart<NormalNode>>) {
        let to = match self.find_derivation(node, rule) {
            Ok(Some(NormalDerivation::Parts(to))) => to,
            Ok(Some(NormalDerivation::Split(split))) => {
                return into.push(TreePart {
                    content: PartContent::Rule(split, (node, split)),
                    tokens: self.nodes[node].tokens,
                });
            }
            _ => return,
        };
        let from = self.machine.starts[rule.0 as usize];
        let mut pending = vec![PendingPart::Inside { node, from, to }];
        while let Some(next) = pending.pop() {
            match next {
                PendingPart::Part(part) => into.push(part),
                PendingPart::Inside { node, from, to } => {
                    self.push_way(node, (from, to), &mut pending);
                }
            }
        }
    }

    /// Pushes the parts of a node on a way from a state to another, the last one first.
    fn push_way(
        &self,
        node: usize,
        (from, to): (StateId, StateId),
        pending: &mut Vec<PendingPart>,
    ) {
        let parts: Vec<usize> = self.parts_of(node).collect();
        let mut layers = vec![vec![from]];
        for &part in &parts {
            let mut next = Vec::new();
            for &state in layers.last().into_iter().flatten() {
                // All of these runs were made before.
                let _ = self.push_steps(part, state, &mut next);
            }
            layers.push(next);
        }
        let mut to = to;
        for (&part, before) in parts.iter().zip(&layers).rev() {
            let Some((from, way)) = self.find_step(part, before, to) else {
                return;
            };
            pending.push(way);
            to = from;
        }
    }

    /// The first of these states from which a part leads to `to`, and how it does.
    fn find_step(
        &self,
        part: usize,
        before: &[StateId],
        to: StateId,
    ) -> Option<(StateId, PendingPart)> {
        let tokens = self.nodes[part].tokens;
        let as_part = |content| PendingPart::Part(TreePart { content, tokens });
        let states = before
            .iter()
            .map(|&from| (from, &self.machine.states[from as usize]));
        let Some(rules) = self.rules[part] else {
            let class = self.nodes[part].class;
            let mut states = states.filter(|(_, state)| state.tokens.get(&class) == Some(&to));
            return Some((states.next()?.0, as_part(PartContent::Token(class))));
        };
        for (from, state) in states {
            for &rule in rules {
                if state.behind_rule(rule) == Some(to) && self.derives(part, rule) {
                    return Some((from, as_part(PartContent::Rule(rule, (part, rule)))));
                }
            }
        }
        let dissolved = |&&from: &&StateId| {
            let run = self.find_run(part, from);
            run.is_ok_and(|states| states.contains(&to))
        };
        let from = *before.iter().find(dissolved)?;
        let way = PendingPart::Inside {
            node: part,
            from,
            to,
        };
        Some((from, way))
    }
}
