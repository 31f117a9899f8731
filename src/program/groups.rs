//! Structure without a grammar: matching brackets make a group, and so does each line.

use std::mem::take;

use super::build::{DraftBody, NodeDraft};
use super::node::NodeShape;

/// How parts are grouped.
#[derive(Clone, Copy)]
pub struct BracketGrouping {
    /// What shape the groups have.
    pub shape: NodeShape,
    /// Whether a run of one part is a group too.
    pub wrap_single: bool,
    /// Whether a semicolon ends a run, as a line end does.
    pub split_at_semicolons: bool,
}

/// What is between two brackets, as far as it is read.
#[derive(Default)]
struct OpenBracketGroup {
    bracket: Option<NodeDraft>,
    runs: Vec<NodeDraft>,
    run: Vec<NodeDraft>,
}

impl OpenBracketGroup {
    fn end_run(&mut self, how: BracketGrouping) {
        let run = match self.run.len() {
            0 => None,
            1 if !how.wrap_single => self.run.pop(),
            _ => Some(NodeDraft::new_inner(how.shape, take(&mut self.run))),
        };
        self.runs.extend(run);
    }

    /// The runs, or the parts of the only run.
    fn into_parts(mut self, how: BracketGrouping) -> Vec<NodeDraft> {
        if self.runs.is_empty() {
            return self.run;
        }
        self.end_run(how);
        self.runs
    }

    /// The brackets and what is between them, as a list.
    fn into_bracket_group(mut self, bracket: NodeDraft, how: BracketGrouping) -> NodeDraft {
        let opening = self.bracket.take();
        let inside = Some(self.into_parts(how)).filter(|inside| !inside.is_empty());
        let inside = inside.map(|inside| NodeDraft::new_inner(how.shape, inside));
        let parts: Vec<NodeDraft> = opening.into_iter().chain(inside).chain([bracket]).collect();
        NodeDraft::new_inner(how.shape, parts)
    }
}

/// `parts` as nested lists. Matching brackets stand around the list of what is between them, so that it can be removed as a whole; inside
/// and around them are the runs of what stands on one line.
pub fn group_parts(parts: Vec<NodeDraft>, how: BracketGrouping) -> Vec<NodeDraft> {
    let brackets = match_brackets(parts.iter().map(single_byte));
    let mut outside = Vec::new();
    let mut here = OpenBracketGroup::default();
    for (part, bracket) in parts.into_iter().zip(brackets) {
        if part.begins_line {
            here.end_run(how);
        }
        let ends = how.split_at_semicolons && single_byte(&part) == Some(b';');
        match bracket {
            BracketRole::None => here.run.push(part),
            BracketRole::Opens(_) => {
                let bracket = Some(part);
                let inside = OpenBracketGroup {
                    bracket,
                    ..OpenBracketGroup::default()
                };
                outside.push(std::mem::replace(&mut here, inside));
            }
            BracketRole::Closes => {
                let around = outside.pop().unwrap_or_default();
                let group = std::mem::replace(&mut here, around).into_bracket_group(part, how);
                here.run.push(group);
            }
        }
        if ends {
            here.end_run(how);
        }
    }
    here.into_parts(how)
}

/// For each part that is an opening bracket the place of its partner.
pub fn find_bracket_partners(parts: &[NodeDraft]) -> Vec<Option<usize>> {
    let roles = match_brackets(parts.iter().map(single_byte)).into_iter();
    roles
        .map(|role| match role {
            BracketRole::Opens(partner) => Some(partner),
            BracketRole::None | BracketRole::Closes => None,
        })
        .collect()
}

/// The byte of a token of one byte.
fn single_byte(part: &NodeDraft) -> Option<u8> {
    match &part.body {
        DraftBody::Leaf(leaf) if part.shape == NodeShape::Token => match leaf.text() {
            &[byte] => Some(byte),
            _ => None,
        },
        _ => None,
    }
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum BracketRole {
    None,
    /// Its partner is this part.
    Opens(usize),
    Closes,
}

/// Which of these are brackets with a partner. A bracket without one is an ordinary token.
fn match_brackets(tokens: impl Iterator<Item = Option<u8>>) -> Vec<BracketRole> {
    let mut all = Vec::new();
    let mut open: Vec<(usize, u8)> = Vec::new();
    // How many of each kind are open, so that a closing bracket without a partner does not search through all open ones.
    let mut waiting = [0u32; 256];
    for (at, token) in tokens.enumerate() {
        all.push(BracketRole::None);
        let opens = match token {
            Some(byte @ (b'(' | b'[' | b'{')) => {
                open.push((at, byte));
                waiting[byte as usize] += 1;
                continue;
            }
            Some(b')') => b'(',
            Some(b']') => b'[',
            Some(b'}') => b'{',
            _ => continue,
        };
        while waiting[opens as usize] > 0 {
            let Some((partner, byte)) = open.pop() else {
                break;
            };
            waiting[byte as usize] -= 1;
            if byte == opens {
                all[partner] = BracketRole::Opens(at);
                all[at] = BracketRole::Closes;
                break;
            }
        }
    }
    all
}

#[cfg(test)]
mod tests {
    use std::sync::Arc;

    use super::super::node::LeafBody;
    use super::super::plain_text;
    use super::*;

    /// The tokens of `text`, grouped; each group in ⟨⟩.
    fn shown(text: &str, how: BracketGrouping) -> String {
        let bytes = Arc::new(Arc::from(text.as_bytes()));
        let mut end = 0;
        let tokens = plain_text::split_tokens(text.as_bytes()).map(|range| {
            let from = std::mem::replace(&mut end, range.end);
            let leaf = LeafBody::in_source(&[], &bytes, from, range);
            NodeDraft::new_leaf(NodeShape::Token, leaf)
        });
        fn show(part: &NodeDraft) -> String {
            match &part.body {
                DraftBody::Leaf(leaf) => String::from_utf8_lossy(leaf.text()).into_owned(),
                _ => format!("⟨{}⟩", join_parts(part.children().into_iter().flatten())),
            }
        }
        fn join_parts<'a>(parts: impl Iterator<Item = &'a NodeDraft>) -> String {
            parts.map(show).collect::<Vec<_>>().join(" ")
        }
        join_parts(group_parts(tokens.collect(), how).iter())
    }

    #[test]
    fn brackets_lines_and_semicolons_make_groups() {
        let unparsed = BracketGrouping {
            shape: NodeShape::Opaque,
            wrap_single: false,
            split_at_semicolons: true,
        };
        let plain = BracketGrouping {
            shape: NodeShape::Star,
            wrap_single: true,
            split_at_semicolons: false,
        };
        for (text, of_unparsed, of_plain) in [
            ("a", "a", "a"),
            ("a b", "a b", "a b"),
            ("a b; c;", "⟨a b ;⟩ ⟨c ;⟩", "a b ; c ;"),
            ("a\nb c", "a ⟨b c⟩", "⟨a⟩ ⟨b c⟩"),
            ("f(a, b);", "⟨f ⟨( ⟨a , b⟩ )⟩ ;⟩", "f ⟨( ⟨a , b⟩ )⟩ ;"),
            (
                "{ a; b[]\n}\nc",
                "⟨{ ⟨⟨a ;⟩ ⟨b ⟨[ ]⟩⟩⟩ }⟩ c",
                "⟨⟨{ ⟨⟨a ; b ⟨[ ]⟩⟩⟩ }⟩⟩ ⟨c⟩",
            ),
            ("(a] b", "( a ] b", "( a ] b"),
            ("(a [b) c", "⟨( ⟨a [ b⟩ )⟩ c", "⟨( ⟨a [ b⟩ )⟩ c"),
        ] {
            assert_eq!(shown(text, unparsed), of_unparsed, "{text}");
            assert_eq!(shown(text, plain), of_plain, "{text}");
        }
    }
}
