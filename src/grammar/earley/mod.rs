//! A parser for any grammar: Earley's (1970), over tokens, or over bytes where no lexer has divided the text (`source.rs`).
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

mod assembly;
mod machine;
mod source;
#[cfg(test)]
mod tests;

pub(super) use assembly::{PartContent, TreePart};
use machine::contains_token;
pub(super) use machine::{EarleyMachine, StateId};
pub use source::{SourceToken, TokenSource};

use std::collections::BTreeMap;

use super::marks::{GrammarMarks, MarkNumber};
use super::{Grammar, NodeClass, RuleId};

/// A parser of a grammar.
pub struct EarleyParser {
    machine: EarleyMachine,
    /// The rules whose nodes stay in the tree even if they consist of one other node.
    kept: Vec<bool>,
    marks: GrammarMarks,
}

/// A tree, and what the grammar's marks say of it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct EarleyTree {
    /// The nodes, parents first.
    pub nodes: Vec<EarleyNode>,
    /// What has marks, in no order.
    pub marked: Vec<MarkedTokens>,
}

/// Tokens that have a mark.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct MarkedTokens {
    /// The number of the mark.
    pub mark: MarkNumber,
    /// The tokens.
    pub tokens: (u32, u32),
    /// The number of the derivation of a rule that it is a part of: what one derivation marks belongs together.
    pub derivation: u32,
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
    /// The item that ended the part; [`FIRST_TOKEN_PART`] and the class if the part is a token.
    part: u32,
}

/// The number of no item.
const NO_ITEM: u32 = u32::MAX;
/// The first of the numbers that say which token a part is. Classes have 16 bits.
const FIRST_TOKEN_PART: u32 = u32::MAX - (1 << 16);

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
    /// The items of this set, which is the one at `from`, behind a token.
    fn items_over_token(
        &self,
        machine: &EarleyMachine,
        token: NodeClass,
        from: u32,
    ) -> impl Iterator<Item = EarleyItem> {
        let behind = move |(item, before): (&EarleyItem, u32)| {
            let state = *machine.states[item.state as usize].tokens.get(&token)?;
            Some(EarleyItem {
                state,
                origin: item.origin,
                before,
                from,
                part: FIRST_TOKEN_PART + u32::from(token.0),
            })
        };
        self.items.iter().zip(0..).filter_map(behind)
    }

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
        EarleyParser::with_kept_rules(grammar, |_| false)
    }

    /// A parser that leaves no node of the rules in `keeps` out.
    ///
    /// # Errors
    /// When its automaton would be too large.
    pub fn with_kept_rules(
        grammar: &Grammar,
        keeps: impl Fn(RuleId) -> bool,
    ) -> Result<EarleyParser, EarleyLimitExceeded> {
        let machine = EarleyMachine::new(grammar).ok_or(EarleyLimitExceeded)?;
        let kept = grammar.all_rules().map(keeps).collect();
        Ok(EarleyParser {
            machine,
            kept,
            marks: GrammarMarks::default(),
        })
    }

    /// The parser, with what the grammar says of names.
    pub fn with_marks(self, marks: GrammarMarks) -> EarleyParser {
        EarleyParser { marks, ..self }
    }

    /// The states that lead through the parts of a node.
    pub(super) fn machine(&self) -> &EarleyMachine {
        &self.machine
    }

    /// What the grammar says of names.
    pub fn marks(&self) -> &GrammarMarks {
        &self.marks
    }

    /// The tree of these tokens; `None` if there is none.
    ///
    /// # Errors
    /// When it would need more than `most` steps, each of which makes an item, even if the item exists already: the grammar is too
    /// ambiguous for a text of this length.
    pub fn parse(
        &self,
        tokens: &(impl TokenSource + ?Sized),
        most: usize,
    ) -> Result<Option<EarleyTree>, EarleyLimitExceeded> {
        let sets = self.build_sets(tokens, true, most)?;
        let root = self.find_root_item(&sets, tokens.end());
        Ok(root.map(|root| self.build_tree(&sets, root)))
    }

    /// Where a parse fails: all sets again, now with the items that the next token makes useless.
    ///
    /// # Errors
    /// When it would need more than `most` steps.
    pub fn find_frontier(
        &self,
        tokens: &(impl TokenSource + ?Sized),
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
        tokens: &(impl TokenSource + ?Sized),
        looks: bool,
        most: usize,
    ) -> Result<Vec<EarleySet>, EarleyLimitExceeded> {
        let mut left = most;
        let mut sets: Vec<EarleySet> = Vec::new();
        let mut index = ItemIndex {
            of: vec![Vec::new(); self.machine.states.len()],
            used: Vec::new(),
        };
        // What tokens have led to, by the places behind them.
        let mut scanned: BTreeMap<u32, Vec<EarleyItem>> = BTreeMap::new();
        let mut next = Vec::new();
        for at in 0..=tokens.end() as u32 {
            next.clear();
            if at == 0 || scanned.contains_key(&at) {
                tokens.push_tokens_at(at as usize, &mut next);
            }
            let mut run = EarleySetBuilder {
                machine: &self.machine,
                next: Some(&next[..]).filter(|_| looks && at < tokens.end() as u32),
                sets: &sets,
                set: EarleySet::default(),
                index: &mut index,
                at,
                left: &mut left,
            };
            if at == 0 {
                run.predict_rule(RuleId(0))?;
            }
            for item in scanned.remove(&at).into_iter().flatten() {
                run.add_item(item)?;
            }
            run.process_items()?;
            let mut set = run.set;
            index.clear();
            for &(token, end) in &next {
                let mut moved = set.items_over_token(&self.machine, token, at).peekable();
                if moved.peek().is_some() {
                    scanned.entry(end).or_default().extend(moved);
                }
            }
            set.waiting.sort_by_key(|(rule, _)| *rule);
            sets.push(set);
            if scanned.is_empty() {
                break;
            }
        }
        let used = sets.iter().rposition(|set| !set.items.is_empty());
        sets.truncate(used.map_or(1, |last| last + 1));
        Ok(sets)
    }

    /// The tree below an item of the last set.
    fn build_tree(&self, sets: &[EarleySet], root: u32) -> EarleyTree {
        let end = sets.len() as u32 - 1;
        let rule_of = |item: &EarleyItem| {
            let rule = self.machine.states[item.state as usize].ends;
            rule.expect("only what ends is a part")
        };
        let list_parts = |(item, end): (u32, u32), parts: &mut Vec<TreePart<(u32, u32)>>| {
            let mut item = sets[end as usize].items[item as usize];
            // Parts are found from the last to the first.
            let mut last = end;
            while item.before != NO_ITEM {
                let content = match item.part.checked_sub(FIRST_TOKEN_PART) {
                    Some(class) => PartContent::Token(NodeClass(class as u16)),
                    None => {
                        let part = &sets[last as usize].items[item.part as usize];
                        PartContent::Rule(rule_of(part), (item.part, last))
                    }
                };
                parts.push(TreePart {
                    content,
                    tokens: (item.from, last),
                });
                last = item.from;
                item = sets[last as usize].items[item.before as usize];
            }
            parts.reverse();
        };
        let item = &sets[end as usize].items[root as usize];
        let root = TreePart {
            content: PartContent::Rule(rule_of(item), (root, end)),
            tokens: (item.origin, end),
        };
        self.assemble_tree(root, list_parts)
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
    /// The tokens that may come next, if they are used.
    next: Option<&'a [SourceToken]>,
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
                if self.may_come_next(&first.next) {
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

    /// Whether one of the tokens of a set may come next.
    fn may_come_next(&self, set: &[u64]) -> bool {
        self.next
            .is_none_or(|tokens| tokens.iter().any(|&(token, _)| contains_token(set, token)))
    }

    /// Adds an item, unless it is there; of two equal ones the one with the shorter last part stays.
    fn add_item(&mut self, item: EarleyItem) -> Result<(), EarleyLimitExceeded> {
        *self.left = self.left.checked_sub(1).ok_or(EarleyLimitExceeded)?;
        let state = &self.machine.states[item.state as usize];
        if state.ends.is_none() && !self.may_come_next(&state.next) {
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
