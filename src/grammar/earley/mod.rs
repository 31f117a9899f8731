//! A parser for any grammar: Earley's (1970), over tokens.
//!
//! An item is a state of `machine` and the place where its rule began. `machine` has one deterministic automaton for each rule, so
//! quantifiers cost no items. In a grammar in normal form only the start may derive the empty text, and every state knows the tokens that
//! can come next, so items without a future are never made.
//!
//! Of several derivations the parser always chooses the same one: the last part of each node is as short as possible, then the part before
//! it, and so on; so ambiguous operators associate to the left. Of several rules that could make the same part it chooses the one that was
//! found first, which depends on the grammar alone.
//!
//! The time is linear in the number of tokens for most grammars that people write, and cubic in the worst case, times the logarithm of a
//! search.

mod machine;
#[cfg(test)]
mod tests;

use machine::{EarleyMachine, StateId, contains_token};

use super::{Grammar, NodeClass, RuleId};

/// A parser of a grammar.
pub struct EarleyParser {
    machine: EarleyMachine,
}

/// A node of the tree, in the order in which nodes begin, parents first.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EarleyNode {
    /// Its class.
    pub class: NodeClass,
    /// Its tokens.
    pub tokens: (u32, u32),
    /// Its depth below the root.
    pub depth: u32,
}

/// Where a parse failed, and what could have come there.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ParseFrontier {
    /// The number of the first token that does not fit; the number of tokens if the text is incomplete.
    pub at: usize,
    /// The tokens that could stand there, ascending.
    pub expected: Vec<NodeClass>,
    /// Whether the text could end there.
    pub end: bool,
}

/// The parser was stopped.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct EarleyLimitExceeded;

#[derive(Clone, Copy)]
struct EarleyItem {
    state: StateId,
    /// The number of tokens before its rule began.
    origin: u32,
    /// The item before its last part, and how many tokens were before that part; none at the start of a rule.
    before: u32,
    from: u32,
    /// The item that ended the part; [`TOKEN_PART`] if the part is a token.
    part: u32,
}

/// The number of no item.
const NO_ITEM: u32 = u32::MAX;
/// The number that says that a part is a token.
const TOKEN_PART: u32 = u32::MAX - 1;

/// The items after some tokens.
#[derive(Default)]
struct EarleySet {
    items: Vec<EarleyItem>,
    /// The items that wait for a rule; sorted by rule when the set is complete.
    waiting: Vec<(RuleId, u32)>,
}

/// For each state its items in the current set, by the places where their rules began.
struct ItemIndex {
    of: Vec<Vec<(u32, u32)>>,
    used: Vec<StateId>,
}

impl EarleySet {
    /// The items that wait for this rule, in the order in which they were found.
    fn items_waiting_for(&self, rule: RuleId) -> &[(RuleId, u32)] {
        let first = self.waiting.partition_point(|(waits, _)| *waits < rule);
        let count = self.waiting[first..].partition_point(|(waits, _)| *waits == rule);
        &self.waiting[first..first + count]
    }
}

impl EarleyParser {
    /// A parser of the first rule of a grammar in which all rules make nodes.
    ///
    /// # Errors
    /// When its automaton would be too large.
    pub fn new(grammar: &Grammar) -> Result<EarleyParser, EarleyLimitExceeded> {
        let machine = EarleyMachine::new(grammar).ok_or(EarleyLimitExceeded)?;
        Ok(EarleyParser { machine })
    }

    /// The tree of these tokens; `None` if there is none.
    ///
    /// # Errors
    /// When it would need more than `most` steps, each of which makes an item, even if the item exists already: the grammar is too
    /// ambiguous for a text of this length.
    pub fn parse(
        &self,
        tokens: &[NodeClass],
        most: usize,
    ) -> Result<Option<Vec<EarleyNode>>, EarleyLimitExceeded> {
        let sets = self.build_sets(tokens, true, most)?;
        let root = self.find_root_item(&sets, tokens.len());
        Ok(root.map(|root| self.build_tree(&sets, tokens, root)))
    }

    /// Where a parse fails: all sets again, now with the items that the next token makes useless.
    ///
    /// # Errors
    /// When it would need more than `most` steps.
    pub fn find_frontier(
        &self,
        tokens: &[NodeClass],
        most: usize,
    ) -> Result<ParseFrontier, EarleyLimitExceeded> {
        let sets = self.build_sets(tokens, false, most)?;
        let at = sets.len().saturating_sub(1);
        let mut expected = Vec::new();
        for item in sets.last().iter().flat_map(|set| &set.items) {
            expected.extend(self.machine.states[item.state as usize].tokens.keys());
        }
        expected.sort_unstable();
        expected.dedup();
        Ok(ParseFrontier {
            at,
            expected,
            end: self.find_root_item(&sets, at).is_some(),
        })
    }

    /// The item that derives the whole text.
    fn find_root_item(&self, sets: &[EarleySet], tokens: usize) -> Option<u32> {
        let set = sets.get(tokens)?;
        let is_root = |item: &EarleyItem| {
            item.origin == 0 && self.machine.states[item.state as usize].ends == Some(RuleId(0))
        };
        set.items.iter().position(is_root).map(|at| at as u32)
    }

    /// The sets of items after 0, 1, ... tokens, up to the last that is not empty; without the items that the next token makes useless, if
    /// `looks` is set.
    fn build_sets(
        &self,
        tokens: &[NodeClass],
        looks: bool,
        most: usize,
    ) -> Result<Vec<EarleySet>, EarleyLimitExceeded> {
        let mut left = most;
        let mut index = ItemIndex {
            of: vec![Vec::new(); self.machine.states.len()],
            used: Vec::new(),
        };
        let mut sets: Vec<EarleySet> = Vec::with_capacity(tokens.len() + 1);
        for at in 0..=tokens.len() {
            let mut run = EarleySetBuilder {
                machine: &self.machine,
                next: tokens.get(at).copied().filter(|_| looks),
                sets: &sets,
                set: EarleySet::default(),
                index: &mut index,
                at: at as u32,
                left: &mut left,
            };
            match at.checked_sub(1) {
                None => run.predict_rule(RuleId(0))?,
                Some(before) => run.scan_token(tokens[before])?,
            }
            run.process_items()?;
            let mut set = run.set;
            index.clear();
            if set.items.is_empty() && at > 0 {
                break;
            }
            set.waiting.sort_by_key(|(rule, _)| *rule);
            sets.push(set);
        }
        Ok(sets)
    }

    /// The tree below an item of the last set.
    fn build_tree(&self, sets: &[EarleySet], tokens: &[NodeClass], root: u32) -> Vec<EarleyNode> {
        let mut found = Vec::new();
        let mut open = vec![(root, tokens.len() as u32, 0)];
        while let Some((item, end, depth)) = open.pop() {
            if item == TOKEN_PART {
                let class = tokens[end as usize - 1];
                found.push(EarleyNode {
                    class,
                    tokens: (end - 1, end),
                    depth,
                });
                continue;
            }
            let mut item = sets[end as usize].items[item as usize];
            let rule = self.machine.states[item.state as usize].ends;
            let rule = rule.expect("only what ends is a part");
            // A node with one child node and nothing else is left out.
            let single = item.from == item.origin && depth > 0;
            let depth = if single {
                depth
            } else {
                let class = self.machine.classes[rule.0 as usize];
                found.push(EarleyNode {
                    class,
                    tokens: (item.origin, end),
                    depth,
                });
                depth + 1
            };
            // Parts are found from the last to the first; the stack reverses them.
            let mut last = end;
            while item.before != NO_ITEM {
                open.push((item.part, last, depth));
                last = item.from;
                item = sets[last as usize].items[item.before as usize];
            }
        }
        found
    }
}

impl ItemIndex {
    fn clear(&mut self) {
        for state in self.used.drain(..) {
            self.of[state as usize].clear();
        }
    }
}

/// The state while one set is made.
struct EarleySetBuilder<'a> {
    machine: &'a EarleyMachine,
    /// The next token, if it is used.
    next: Option<NodeClass>,
    sets: &'a [EarleySet],
    set: EarleySet,
    index: &'a mut ItemIndex,
    at: u32,
    /// How many steps are left.
    left: &'a mut usize,
}

impl EarleySetBuilder<'_> {
    fn predict_rule(&mut self, rule: RuleId) -> Result<(), EarleyLimitExceeded> {
        let state = self.machine.starts[rule.0 as usize];
        self.add_item(EarleyItem {
            state,
            origin: self.at,
            before: NO_ITEM,
            from: self.at,
            part: NO_ITEM,
        })
    }

    /// Moves the items of the set before over its token.
    fn scan_token(&mut self, token: NodeClass) -> Result<(), EarleyLimitExceeded> {
        let before = &self.sets[self.at as usize - 1];
        for (item, before) in before.items.iter().zip(0..) {
            let state = &self.machine.states[item.state as usize];
            if let Some(&state) = state.tokens.get(&token) {
                self.add_item(EarleyItem {
                    state,
                    origin: item.origin,
                    before,
                    from: self.at - 1,
                    part: TOKEN_PART,
                })?;
            }
        }
        Ok(())
    }

    /// Completes the rules that end here, and predicts those that may begin.
    fn process_items(&mut self) -> Result<(), EarleyLimitExceeded> {
        let machine = self.machine;
        let mut next = 0;
        while let Some(&item) = self.set.items.get(next) {
            let part = next as u32;
            next += 1;
            let state = &machine.states[item.state as usize];
            for &(rule, _) in &state.rules {
                let first = &machine.states[machine.starts[rule.0 as usize] as usize];
                if self
                    .next
                    .is_none_or(|token| contains_token(&first.next, token))
                {
                    self.set.waiting.push((rule, part));
                    self.predict_rule(rule)?;
                }
            }
            // The start may be empty, and then no item waits for it.
            if let Some(rule) = state.ends.filter(|_| item.origin < self.at) {
                self.complete_rule(rule, item.origin, part)?;
            }
        }
        Ok(())
    }

    /// A rule from `from` to here is complete: the items that waited for it move over it.
    fn complete_rule(
        &mut self,
        rule: RuleId,
        from: u32,
        part: u32,
    ) -> Result<(), EarleyLimitExceeded> {
        let sets = self.sets;
        let set = &sets[from as usize];
        for &(_, before) in set.items_waiting_for(rule) {
            let item = set.items[before as usize];
            let state = &self.machine.states[item.state as usize];
            let target = state.rules.iter().find(|(waits, _)| *waits == rule);
            let Some(&(_, state)) = target else { continue };
            self.add_item(EarleyItem {
                state,
                origin: item.origin,
                before,
                from,
                part,
            })?;
        }
        Ok(())
    }

    /// Adds an item, unless it is there; of two equal ones the one with the shorter last part stays.
    fn add_item(&mut self, item: EarleyItem) -> Result<(), EarleyLimitExceeded> {
        *self.left = self.left.checked_sub(1).ok_or(EarleyLimitExceeded)?;
        let state = &self.machine.states[item.state as usize];
        let hopeless = self
            .next
            .is_some_and(|token| !contains_token(&state.next, token));
        if hopeless && state.ends.is_none() {
            return Ok(());
        }
        let here = &mut self.index.of[item.state as usize];
        match here.binary_search_by_key(&item.origin, |(origin, _)| *origin) {
            Ok(same) => {
                let known = &mut self.set.items[here[same].1 as usize];
                if known.before != NO_ITEM && item.before != NO_ITEM && item.from > known.from {
                    *known = item;
                }
            }
            Err(place) => {
                if here.is_empty() {
                    self.index.used.push(item.state);
                }
                here.insert(place, (item.origin, self.set.items.len() as u32));
                self.set.items.push(item);
            }
        }
        Ok(())
    }
}
