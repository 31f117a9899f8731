//! Marks: what a grammar in BNF says of the names in its programs.
//!
//! A mark is a name of the vocabulary that the queries `reduce.scm` have for tree-sitter's grammars (`grammars/c/reduce.scm` explains it). It belongs
//! to all nodes of a rule, or to a symbol where it stands in a rule. The parser tells for each derivation which tokens a mark covers, so
//! a mark also holds where a node of one part is left out of the tree.

use super::{NodeClass, RuleId};

/// The number of a mark, in the order of the grammar's rules: a rule's own marks first, then those of its parts.
pub type MarkNumber = u32;

/// The marks of a grammar.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct GrammarMarks {
    /// The mark of each number.
    names: Vec<&'static str>,
    /// By the number of a rule.
    rules: Vec<RuleMarks>,
}

/// The marks of a rule.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
struct RuleMarks {
    /// Of all its nodes.
    whole: Vec<MarkNumber>,
    /// Of parts of it, by their symbols.
    parts: Vec<(NodeClass, MarkNumber)>,
}

impl GrammarMarks {
    /// No marks, for this number of rules.
    pub fn for_rules(rules: usize) -> GrammarMarks {
        GrammarMarks {
            names: Vec::new(),
            rules: vec![RuleMarks::default(); rules],
        }
    }

    /// Adds a mark to all nodes of a rule, or to the parts of it that are this symbol. The name lives as long as the process, as
    /// languages do.
    pub fn add_mark(&mut self, rule: RuleId, part: Option<NodeClass>, name: &str) {
        let number = self.names.len() as MarkNumber;
        self.names.push(name.to_owned().leak());
        let rule = &mut self.rules[rule.0 as usize];
        match part {
            None => rule.whole.push(number),
            Some(part) => rule.parts.push((part, number)),
        }
    }

    /// Whether there is none.
    pub fn is_empty(&self) -> bool {
        self.names.is_empty()
    }

    /// The mark of this number.
    pub fn mark_name(&self, number: MarkNumber) -> &'static str {
        self.names[number as usize]
    }

    /// The marks of all nodes of a rule.
    pub fn marks_of_rule(&self, rule: RuleId) -> &[MarkNumber] {
        let rule = self.rules.get(rule.0 as usize);
        rule.map_or(&[], |rule| &rule.whole)
    }

    /// The marks of the parts of a rule, in the order of the rule.
    pub fn marked_parts(&self, rule: RuleId) -> &[(NodeClass, MarkNumber)] {
        let rule = self.rules.get(rule.0 as usize);
        rule.map_or(&[], |rule| &rule.parts)
    }

    /// The marks of a symbol in a rule.
    pub fn marks_of_part(
        &self,
        rule: RuleId,
        part: NodeClass,
    ) -> impl Iterator<Item = MarkNumber> + '_ {
        self.marked_parts(rule)
            .iter()
            .filter(move |(class, _)| *class == part)
            .map(|(_, number)| *number)
    }
}
