//! Why an edit is proposed: data, and one function that makes a sentence of it.

use std::borrow::Cow;
use std::sync::Arc;

use super::edit::{Edit, EditOp};
use super::edit_sentence::{EditSentence, QuestionWords};
use super::node::NodeId;
use super::object_words::{
    count_elements, count_removed, declared_name, describe_called, describe_object, describe_part,
    describe_place, element_noun, list_objects, list_removed, list_removed_lines, name_user,
    quote_node, short_name,
};
use super::placement::strip_separator;
use super::quoting::{quote_text, text_excerpt};
use super::token_change::TokenChange;
use super::version::Version;
use super::walk;
use crate::display::format_count;

/// What an edit would do, for people. An action that only one pass has is an [`EditAction::Question`] in the words of that pass, so a new
/// pass needs nothing here.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EditAction {
    /// Some elements of a list are removed.
    DropItems {
        /// How many would be removed.
        go: u32,
        /// How many there are.
        of: u32,
        /// The first that would be removed.
        first: Option<NodeId>,
    },
    /// An optional part is removed.
    DropOptional,
    /// A node is removed that the grammar allows to remove.
    DropNode,
    /// Something below the node replaces it.
    ReplaceBy(NodeId),
    /// The elements of a list below the node replace it.
    SpliceItems(NodeId),
    /// All that is around the node is removed.
    KeepOnly,
    /// Some of the units that a pass has listed are removed.
    DropUnits {
        /// What they are.
        what: ActionUnit,
        /// How many would be removed.
        go: u32,
        /// How many there are.
        of: u32,
    },
    /// A question in the words of a pass.
    Question(QuestionWords),
    /// A rule is applied.
    Rule {
        /// The name of the rule.
        name: Arc<str>,
        /// How the place begins that it is applied to.
        old: Arc<str>,
        /// What stands there then; nothing where the place goes.
        new: Arc<str>,
        /// How many other places change with it.
        others: u32,
    },
    /// The same happens to several similar places at once.
    SimilarPlaces {
        /// What happens to the first place.
        action: Box<EditAction>,
        /// How many other places there are.
        others: u32,
    },
    /// Another action, and a fact about the names that it concerns.
    WithNameFact {
        /// The action.
        action: Box<EditAction>,
        /// The fact, which ends the details.
        fact: NameFact,
    },
}

/// A fact about the names that an edit concerns.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NameFact {
    /// A clause.
    Clause(Arc<str>),
    /// Elements stay that were to go, because what stays uses a name that they declare.
    StillUsed {
        /// How many elements stay.
        stay: u32,
        /// Who uses what the first of them declare: at least one, and a few.
        uses: Arc<[NameUse]>,
    },
}

/// A name that something uses.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NameUse {
    /// The name.
    pub name: Arc<str>,
    /// A node that uses it: a leaf, or what it is in.
    pub user: NodeId,
}

/// The name of a list's units: `part` `on level 3`.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct ActionUnit {
    noun: &'static str,
    /// What follows the noun, with a blank before it, or nothing.
    qualifier: Cow<'static, str>,
}

impl ActionUnit {
    /// A unit of this name, in the singular, without a qualifier.
    pub const fn named(noun: &'static str) -> ActionUnit {
        ActionUnit {
            noun,
            qualifier: Cow::Borrowed(""),
        }
    }

    /// A unit of this name, in the singular, with a qualifier after the name.
    pub fn qualified(noun: &'static str, qualifier: impl std::fmt::Display) -> ActionUnit {
        ActionUnit {
            noun,
            qualifier: format!(" {qualifier}").into(),
        }
    }
}

/// How the details of a question about a rule begin; the name of the rule follows in quotes.
pub const RULE_PREFIX: &str = "rule ";

/// The noun of a unit of all tokens of a line.
pub const LINE: &str = "line";

/// How many characters of a text are quoted.
const EXCERPT_LENGTH: usize = 40;
/// A replacement of fewer characters is shown instead of described.
const TELLING_LENGTH: usize = 16;

/// Why an edit is proposed.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EditReason {
    /// The name of the pass.
    pub pass: &'static str,
    /// What would happen.
    pub action: EditAction,
    /// Where: the list, the optional part, or the node that would be replaced.
    pub node: Option<NodeId>,
}

impl EditReason {
    /// The sentence for `version`, the version that `edit` changes. `change` is what it does to the number of tokens.
    pub fn to_sentence(&self, version: &Version, edit: &Edit, change: TokenChange) -> EditSentence {
        let proposal = ProposalWords {
            version,
            edit,
            node: self.node,
        };
        EditSentence::new(proposal.describe_action(&self.action), change)
    }
}

impl EditReason {
    /// The reason for what a filter left of an edit: `rest` has some of what `whole` does. What was said of the names of the whole is not said.
    pub fn for_rest(&self, version: &Version, whole: &Edit, rest: &Edit) -> EditReason {
        let action = match &self.action {
            EditAction::WithNameFact { action, .. } => action,
            action => action,
        };
        if let Some(action) = recount_action(action, version, whole, rest) {
            return EditReason {
                action,
                ..self.clone()
            };
        }
        let bare = EditReason {
            action: action.clone(),
            ..self.clone()
        };
        let removes_only = rest.ops.iter().all(|op| op.replacement().is_none());
        if rest.ops.len() == whole.ops.len() || !removes_only {
            return bare;
        }
        match count_removed(rest) {
            0 => bare,
            1 => EditReason {
                action: EditAction::DropNode,
                node: rest.first_removed_node(version),
                ..bare
            },
            parts => {
                let parts = format_count(parts, "part");
                let words = QuestionWords::ask_removal(parts).listing_removed();
                EditReason {
                    action: EditAction::Question(words),
                    ..bare
                }
            }
        }
    }
}

/// An action that counts what goes, with the count of `rest`, which has some of what `whole` does. None for other actions.
pub fn recount_action(
    action: &EditAction,
    version: &Version,
    whole: &Edit,
    rest: &Edit,
) -> Option<EditAction> {
    match (action, &rest.ops[..]) {
        (EditAction::DropItems { of, .. }, [op @ EditOp::DeleteItems { items, .. }]) => {
            let first = op.removed_nodes(version).next();
            Some(EditAction::DropItems {
                go: items.len(),
                of: *of,
                first: first.map(|item| strip_separator(item).id),
            })
        }
        // Each unit is one node.
        (EditAction::DropUnits { what, go, of }, _) if count_removed(whole) == u64::from(*go) => {
            Some(EditAction::DropUnits {
                what: what.clone(),
                go: count_removed(rest) as u32,
                of: *of,
            })
        }
        _ => None,
    }
}

/// An edit of a version, about which there are words to find.
struct ProposalWords<'a> {
    version: &'a Version,
    edit: &'a Edit,
    node: Option<NodeId>,
}

impl ProposalWords<'_> {
    fn describe_action(&self, action: &EditAction) -> QuestionWords {
        let removed = || list_removed(self.version, self.edit);
        match action {
            EditAction::DropItems { go, of, first } => self.describe_items(*go, *of, *first),
            EditAction::DropOptional => QuestionWords::ask_removal(self.describe_node())
                .because("the grammar makes it optional"),
            EditAction::DropNode => QuestionWords::ask_removal(self.describe_node()),
            EditAction::ReplaceBy(part) => self.describe_replacement(*part),
            EditAction::SpliceItems(list) => {
                let inside = count_elements(self.version, *list);
                let old = self.quote_place();
                let kept = self.version.find_node(*list);
                let kept = kept.map(|list| {
                    let items = walk::iter_items(list).map(strip_separator);
                    list_objects(self.version, items, list.len() as u64)
                });
                QuestionWords::ask(format!("Can {old} become the {inside} inside it?"))
                    .in_short(format!("{} → its {inside}", self.short_place()))
                    .because(format!("what stays: {}", kept.unwrap_or_default()))
            }
            EditAction::KeepOnly => {
                let kept = self.quote_place();
                QuestionWords::ask(format!("Can all go but {kept}?"))
            }
            EditAction::DropUnits { what, go, of } => self.describe_units(what, *go, *of),
            EditAction::Question(words) if words.lists_removed() => words.clone().first(removed()),
            EditAction::Question(words) => words.clone(),
            EditAction::Rule {
                name,
                old,
                new,
                others,
            } => {
                let words = match new.is_empty() {
                    true => QuestionWords::ask_removal(quote_text(old)),
                    false => QuestionWords::ask_change(old, new),
                };
                let rule = format!("{RULE_PREFIX}{}", quote_text(name));
                words.because(match others {
                    0 => rule,
                    _ => format!(
                        "{rule}, and {} with it",
                        format_count((*others).into(), "other place")
                    ),
                })
            }
            EditAction::SimilarPlaces { action, others } => {
                self.describe_action(action).and_elsewhere(*others)
            }
            EditAction::WithNameFact { action, fact } => {
                self.describe_action(action).then(&self.describe_fact(fact))
            }
        }
    }

    fn describe_fact(&self, fact: &NameFact) -> String {
        let (stay, uses) = match fact {
            NameFact::Clause(clause) => return clause.to_string(),
            NameFact::StillUsed { stay, uses } => (stay, uses),
        };
        let Some(NameUse { name, user }) = uses.first() else {
            return String::new();
        };
        let stays = if *stay == 1 { "stays" } else { "stay" };
        let quoted = quote_text(name);
        match name_user(self.version, *user).filter(|user| user != name) {
            Some(user) => format!("{stay} {stays}, {} still uses {quoted}", quote_text(&user)),
            None => format!("{stay} {stays}, {quoted} is still used"),
        }
    }

    fn describe_node(&self) -> String {
        match self.node {
            Some(node) => describe_object(self.version, node),
            None => "the program".into(),
        }
    }

    /// The node by what it declares, else by its text.
    fn quote_place(&self) -> String {
        let Some(id) = self.node else {
            return "the program".into();
        };
        let node = self.version.find_node(id);
        match node.and_then(|node| declared_name(self.version, node)) {
            Some(_) => describe_object(self.version, id),
            None => quote_node(self.version, id),
        }
    }

    fn short_place(&self) -> String {
        let node = self.node.and_then(|node| self.version.find_node(node));
        node.map_or_else(|| "program".into(), |node| short_name(self.version, node))
    }

    /// Elements of a list.
    fn describe_items(&self, go: u32, of: u32, first: Option<NodeId>) -> QuestionWords {
        let list = self.node.and_then(|list| self.version.path_to(list));
        let noun = match &list {
            Some(list) => element_noun(self.version, list, walk::iter_items(list.node())),
            None => "element".into(),
        };
        let is_top = list.as_ref().is_some_and(|list| {
            let mut around = list.ancestors();
            around.nth(1).is_none() && !self.version.is_project()
        });
        let place = list.as_ref().and_then(|list| {
            describe_called(self.version, list).or_else(|| describe_place(self.version, list))
        });
        let place = place.map_or(String::new(), |place| format!(" of {place}"));
        if let (1, Some(first)) = (go, first) {
            let rank = match of {
                1 => format!("the only {noun}{place}"),
                _ => format!("one of {}{place}", format_count(of.into(), &noun)),
            };
            return QuestionWords::ask_removal(describe_object(self.version, first)).because(rank);
        }
        let noun = match is_top && noun == "declaration" {
            true => "top-level declaration".into(),
            false => noun,
        };
        let what = match go == of {
            true => format!("all {}{place}", format_count(of.into(), &noun)),
            false => format!("{go} of {}{place}", format_count(of.into(), &noun)),
        };
        QuestionWords::ask_removal(what).because(list_removed(self.version, self.edit))
    }

    fn describe_replacement(&self, part: NodeId) -> QuestionWords {
        let kept = self.version.find_node(part);
        let kept_text = kept.map_or(String::new(), |kept| text_excerpt(kept, EXCERPT_LENGTH));
        let words = match self.node.and_then(|node| self.version.find_node(node)) {
            Some(node) if kept_text.chars().count() < TELLING_LENGTH => {
                QuestionWords::ask_change(&text_excerpt(node, EXCERPT_LENGTH), &kept_text)
            }
            Some(node) => {
                let part = describe_part(self.version, node.id, part);
                let old = self.quote_place();
                QuestionWords::ask(format!("Can {old} become {part}?"))
                    .in_short(format!("{} → {part}", self.short_place()))
                    .because(format!("{} stays", quote_text(&kept_text)))
            }
            None => QuestionWords::ask("Can a part be replaced by one inside it?"),
        };
        words.then("the grammar allows it here")
    }

    fn describe_units(&self, what: &ActionUnit, go: u32, of: u32) -> QuestionWords {
        let ActionUnit { noun, qualifier } = what;
        let place = self.node.and_then(|node| self.version.path_to(node));
        let place = place.and_then(|path| {
            let own = path.node();
            let name = declared_name(self.version, own);
            name.map(|(name, _)| quote_text(&name))
                .or_else(|| describe_place(self.version, &path))
        });
        let place = match place {
            Some(place) => format!(" of {place}"),
            None => String::new(),
        };
        let units = format!("{}{qualifier}{place}", format_count(of.into(), noun));
        let what = match (go, go == of) {
            (1, _) => {
                let only = || format!("the only {noun}{qualifier}{place}");
                match (self.describe_unit(noun), of) {
                    (None, 1) => only(),
                    (None, _) => format!("1 of {units}"),
                    (Some(unit), _) => {
                        let rank = match of {
                            1 => only(),
                            _ => format!("one of {units}"),
                        };
                        return QuestionWords::ask_removal(unit).because(rank);
                    }
                }
            }
            (_, true) => format!("all {units}"),
            (_, false) => format!("{go} of {units}"),
        };
        let removed = match *noun {
            LINE => list_removed_lines(self.version, self.edit, go),
            _ => list_removed(self.version, self.edit),
        };
        QuestionWords::ask_removal(what).because(removed)
    }

    /// The only unit that the edit removes, with its article; none where it is no single object.
    fn describe_unit(&self, noun: &str) -> Option<String> {
        if noun == LINE {
            let line = list_removed_lines(self.version, self.edit, 1);
            return (!line.is_empty()).then(|| format!("the {LINE} {line}"));
        }
        let is_removal = matches!(&self.edit.ops[..], [op] if op.replacement().is_none());
        let single = is_removal && count_removed(self.edit) == 1;
        let node = self.edit.first_removed_node(self.version);
        let node = node.filter(|_| single)?;
        Some(describe_object(self.version, node))
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::program::read_program;

    #[test]
    fn a_noun_agrees_with_its_number_and_what_follows_it_stays() {
        let file = (Path::new("a.c").into(), b"int a;"[..].into());
        let version = read_program(vec![file]).expect("a program");
        let question = |what: ActionUnit, go, of| {
            let action = EditAction::DropUnits { what, go, of };
            let (pass, node) = ("a pass", None);
            let why = EditReason { pass, action, node };
            let sentence = why.to_sentence(&version, &Edit::default(), TokenChange::default());
            sentence.question.to_string()
        };
        let subtree = || ActionUnit::qualified("subtree", "that the variant has instead");
        let group = ActionUnit::qualified("group", "of hunks");
        assert_eq!(
            question(subtree(), 1, 12),
            "Can 1 of 12 subtrees that the variant has instead go?"
        );
        assert_eq!(
            question(subtree(), 1, 1),
            "Can the only subtree that the variant has instead go?"
        );
        assert_eq!(question(group, 4, 4), "Can all 4 groups of hunks go?");
    }
}
