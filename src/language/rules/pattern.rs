//! A side of a rule: tokens and holes.
//!
//! The parser reads a side with a name in the place of each hole, as a part of a program. If it finds faults there, other texts stand for the
//! holes, and then other text around the side.

use std::ops::Range;
use std::sync::Arc;

use super::{Language, StatementForm};
use crate::grammar::{DerivationPart, ExprId, GrammarChild, NodeClass};
use crate::language::parser::{LanguageParser, ParseCursor, ParseLimit, ParseTree};

/// The most readings of a side that are tried.
const MAX_READINGS: usize = 2000;

/// The text around a side, or for a hole, that adds nothing.
const OWN: &str = "$";

/// A side of a rule.
#[derive(Clone, Debug, Default)]
pub struct RulePattern {
    /// Its tokens and holes, in order, each with the white space before it.
    pub elements: Vec<SpacedElement>,
}

/// A part of a side, with the white space before it.
pub type SpacedElement = (PatternElement, Arc<[u8]>);

/// A part of a side.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum PatternElement {
    /// A token, by its text.
    Token(Arc<[u8]>),
    /// A node, by the number of the hole.
    Hole(usize),
    /// Any number of neighbours, by the number of the hole.
    Rest(usize),
}

impl RulePattern {
    /// What is wrong with it as the side that is looked for; nothing for most.
    pub(super) fn check_as_source(&self) -> Result<(), String> {
        let elements = || self.elements.iter().map(|(element, _)| element);
        let has_token = elements().any(|element| matches!(element, PatternElement::Token(_)));
        match (elements().next(), has_token) {
            (None, _) => Err("it is empty".into()),
            (Some(PatternElement::Rest(_)), _) => {
                Err("a list of neighbours cannot stand first".into())
            }
            (_, false) => Err("it has no token".into()),
            _ => {
                let mut rest: Vec<_> = elements()
                    .filter(|element| matches!(element, PatternElement::Rest(_)))
                    .collect();
                let all = rest.len();
                rest.dedup();
                match rest.len() == all {
                    true => Ok(()),
                    false => Err("a list of neighbours can stand there once".into()),
                }
            }
        }
    }
}

/// The names of the holes of a rule, with their signs, in the order in which they occur.
#[derive(Debug, Default)]
pub(super) struct HoleNames(Vec<String>);

impl HoleNames {
    pub fn len(&self) -> usize {
        self.0.len()
    }

    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.0.iter().map(String::as_str)
    }

    fn number_of(&mut self, name: &str) -> usize {
        let known = self.0.iter().position(|known| known == name);
        known.unwrap_or_else(|| {
            self.0.push(name.to_string());
            self.0.len() - 1
        })
    }
}

/// A part of a side as it is written.
enum SidePart<'a> {
    Text(&'a str),
    Hole { number: usize, is_rest: bool },
}

/// A text for the parser: where the side is in it, and where each of its holes is.
struct Reading {
    text: String,
    side: Range<usize>,
    holes: Vec<(Range<usize>, PatternElement)>,
}

/// Reads sides of rules.
pub(super) struct RuleReader {
    language: &'static Language,
    parser: LanguageParser,
}

impl RuleReader {
    pub fn new(language: &'static Language) -> RuleReader {
        let parser = language.new_parser();
        RuleReader { language, parser }
    }

    /// The pattern of a text.
    pub fn read_pattern(
        &mut self,
        text: &str,
        names: &mut HoleNames,
    ) -> Result<RulePattern, String> {
        if text.trim().is_empty() {
            return Ok(RulePattern::default());
        }
        let parts = split_side(text.trim(), names)?;
        let (reading, tree) = self.find_reading(&parts)?;
        let elements = self.collect_elements(&reading, &tree)?;
        Ok(RulePattern { elements })
    }

    /// The statement of a text with one hole, as it is read inside of something else if that is possible.
    pub fn read_statement_form(&mut self, text: &str, is_for_type: bool) -> Option<StatementForm> {
        let parts = split_side(text, &mut HoleNames::default()).ok()?;
        let around = &self.language.rule_data().rule_places.around;
        let own = [OWN.to_string()];
        let mut around = around.iter().chain(&own);
        around.find_map(|around| {
            let reading = write_reading(&parts, around, &[OWN], 0);
            let tree = self.parse_reading(&reading)?;
            let elements = self.collect_elements(&reading, &tree).ok()?;
            let (class, expected) = self.find_statement(&reading, &tree)?;
            Some(StatementForm {
                pattern: RulePattern { elements },
                class,
                expected,
                is_for_type,
            })
        })
    }

    /// The tree of a reading, if the parser finds no fault in it.
    fn parse_reading(&mut self, reading: &Reading) -> Option<ParseTree> {
        let text = reading.text.as_bytes();
        let tree = self
            .parser
            .parse(text, None, ParseLimit::for_length(text.len()));
        tree.ok().filter(|tree| tree.count_faults() == 0)
    }

    /// The first reading without faults.
    fn find_reading(&mut self, parts: &[SidePart]) -> Result<(Reading, ParseTree), String> {
        let places = &self.language.rule_data().rule_places;
        let own = [OWN.to_string()];
        let holes: Vec<&str> = own
            .iter()
            .chain(&places.holes)
            .map(String::as_str)
            .collect();
        let count = parts
            .iter()
            .filter(|part| matches!(part, SidePart::Hole { .. }))
            .count();
        let choices = holes.len().saturating_pow(count as u32);
        let around = || own.iter().chain(&places.around);
        let readings = (0..choices).flat_map(|choice| around().map(move |around| (choice, around)));
        for (choice, around) in readings.take(MAX_READINGS) {
            let reading = write_reading(parts, around, &holes, choice);
            if let Some(tree) = self.parse_reading(&reading) {
                return Ok((reading, tree));
            }
        }
        Err(format!(
            "{} has nothing like that; write a whole statement, declaration or expression",
            self.language.name
        ))
    }

    /// The tokens and holes of a reading.
    fn collect_elements(
        &self,
        reading: &Reading,
        tree: &ParseTree,
    ) -> Result<Vec<SpacedElement>, String> {
        let mut elements: Vec<SpacedElement> = Vec::new();
        let (mut end, mut holes) = (reading.side.start, reading.holes.iter().peekable());
        for token in self.list_tokens(reading, tree) {
            if token.end <= reading.side.start
                || token.start >= reading.side.end
                || token.start < end
            {
                continue;
            }
            while let Some((range, element)) =
                holes.next_if(|(range, _)| range.start <= token.start)
            {
                let trivia = normal_trivia(&reading.text[end..range.start]);
                elements.push((element.clone(), trivia));
                end = range.end;
            }
            if token.start < end {
                continue;
            }
            if holes
                .peek()
                .is_some_and(|(range, _)| range.start < token.end)
            {
                return Err(format!(
                    "a hole cannot stand inside of the token {}",
                    &reading.text[token]
                ));
            }
            let trivia = normal_trivia(&reading.text[end..token.start]);
            end = token.end;
            let text = reading.text[token].as_bytes();
            elements.push((PatternElement::Token(text.into()), trivia));
        }
        for (range, element) in holes {
            let trivia = normal_trivia(&reading.text[end..range.start]);
            elements.push((element.clone(), trivia));
            end = range.end;
        }
        Ok(elements)
    }

    /// Where the tokens of a reading are, as lop counts them.
    fn list_tokens(&self, reading: &Reading, tree: &ParseTree) -> Vec<Range<usize>> {
        let (mut tokens, mut end) = (Vec::new(), 0);
        let mut add = |range: Range<usize>| {
            // Text that no node has is a token too.
            let gap = end..range.start.max(end);
            let text = reading.text.get(gap.clone()).unwrap_or_default();
            if !text.trim().is_empty() {
                let blank = text.len() - text.trim_start().len();
                tokens.push(gap.start + blank..gap.start + text.trim_end().len());
            }
            end = range.end.max(end);
            if !reading.text[range.clone()].trim().is_empty() {
                tokens.push(range);
            }
        };
        let mut cursor = tree.walk();
        loop {
            let node = cursor.node();
            let class = self.class_at(&cursor);
            let is_token = class.is_some_and(|class| self.language.is_token(class, &cursor));
            if node.child_count() > 0 && !is_token && cursor.goto_first_child() {
                continue;
            }
            add(node.range());
            while !cursor.goto_next_sibling() {
                if !cursor.goto_parent() {
                    add(reading.text.len()..reading.text.len());
                    return tokens;
                }
            }
        }
    }

    fn class_at(&self, cursor: &ParseCursor) -> Option<NodeClass> {
        let node = cursor.node();
        self.language
            .grammar()
            .find_class(node.kind_id(), node.grammar_id())
    }

    /// The class of the innermost node that is the side, and what is expected in the place of its hole.
    fn find_statement(&self, reading: &Reading, tree: &ParseTree) -> Option<(NodeClass, ExprId)> {
        let (hole, _) = reading.holes.first()?;
        let mut cursor = tree.walk();
        loop {
            let class = self.class_at(&cursor);
            let mut children = Vec::new();
            let mut inside = cursor.clone();
            let mut there = inside.goto_first_child();
            while there {
                children.push((
                    inside.node().range(),
                    self.class_at(&inside),
                    inside.node().child_count(),
                ));
                there = inside.goto_next_sibling();
            }
            let at = children
                .iter()
                .position(|(range, ..)| range.start <= hole.start && hole.end <= range.end)?;
            if (&children[at].0, children[at].2) == (hole, 0)
                && cursor.node().range() == reading.side
            {
                let rule = self.language.grammar().rule_of_class(class?)?;
                let children: Vec<GrammarChild> = children
                    .iter()
                    .map(|(_, class, _)| GrammarChild {
                        class: *class,
                        gap: false,
                    })
                    .collect();
                let derivation = self
                    .language
                    .grammar()
                    .derive_children(rule, &children, false)?;
                return Some((class?, expected_of(&derivation.parts, at as u32)?));
            }
            cursor.goto_first_child();
            (0..at).for_each(|_| {
                cursor.goto_next_sibling();
            });
        }
    }
}

/// What is expected in the place of a child.
fn expected_of(parts: &[DerivationPart], child: u32) -> Option<ExprId> {
    parts.iter().find_map(|part| match part {
        DerivationPart::Child { index, expected } => (*index == child).then_some(*expected),
        group => expected_of(group.parts(), child),
    })
}

/// White space as a rule means it: nothing, a blank, or the end of a line.
fn normal_trivia(text: &str) -> Arc<[u8]> {
    match text {
        "" => Arc::from([]),
        text if text.contains('\n') => Arc::from(*b"\n"),
        _ => Arc::from(*b" "),
    }
}

/// The text and the holes of a side.
fn split_side<'a>(text: &'a str, names: &mut HoleNames) -> Result<Vec<SidePart<'a>>, String> {
    let (mut parts, mut rest) = (Vec::new(), text);
    while let Some(start) = rest.find('$') {
        let signs = if rest[start..].starts_with("$$") {
            2
        } else {
            1
        };
        let name = &rest[start + signs..];
        let end = name
            .find(|c: char| !c.is_ascii_alphanumeric() && c != '_')
            .unwrap_or(name.len());
        if end == 0 {
            return Err("a hole is $x or $$x".into());
        }
        let end = start + signs + end;
        if start > 0 {
            parts.push(SidePart::Text(&rest[..start]));
        }
        let (is_rest, other) = match signs {
            2 => (true, rest[start + 1..end].to_string()),
            _ => (false, format!("${}", &rest[start..end])),
        };
        if names.names().any(|known| known == other) {
            return Err(format!(
                "{} and {other} cannot both be there",
                &rest[start..end]
            ));
        }
        let number = names.number_of(&rest[start..end]);
        parts.push(SidePart::Hole { number, is_rest });
        rest = &rest[end..];
    }
    if !rest.is_empty() {
        parts.push(SidePart::Text(rest));
    }
    Ok(parts)
}

/// The side between what is around it, with one of the texts for holes in the place of each; the number of the choice says which.
fn write_reading(parts: &[SidePart], around: &str, fillers: &[&str], mut choice: usize) -> Reading {
    let (before, behind) = around.split_once('$').unwrap_or(("", ""));
    let mut text = before.to_string();
    let mut holes = Vec::new();
    for part in parts {
        match part {
            SidePart::Text(own) => text += own,
            &SidePart::Hole { number, is_rest } => {
                let start = text.len();
                text += &fillers[choice % fillers.len()].replace('$', &format!("lop_{number}"));
                choice /= fillers.len();
                let element = match is_rest {
                    true => PatternElement::Rest(number),
                    false => PatternElement::Hole(number),
                };
                holes.push((start..text.len(), element));
            }
        }
    }
    let side = before.len()..text.len();
    text += behind;
    Reading { text, side, holes }
}
