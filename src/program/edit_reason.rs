//! Why a question is asked: data, and the one function that makes a sentence of it.

use std::sync::Arc;

use super::node::NodeId;
use super::version::Version;
use super::walk;
use crate::display::{EscapeHidden, floor_escape_boundary};

/// What an edit would do, for people.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum EditAction {
    /// Some elements of a list go.
    DropItems {
        /// How many would go.
        go: u32,
        /// How many there are.
        of: u32,
        /// The first that would go.
        first: Option<NodeId>,
    },
    /// An optional part goes.
    DropOptional,
    /// A node goes that the grammar lets go.
    DropNode,
    /// Something below the node stands in its place.
    ReplaceBy(NodeId),
    /// The elements of a list below the node stand in its place.
    SpliceItems(NodeId),
    /// Some of the things that a pass has put in a row go.
    DropUnits {
        /// What they are.
        what: ActionUnit,
        /// How many would go.
        go: u32,
        /// How many there are.
        of: u32,
    },
    /// Some nodes of one level of the tree become what they contain, each the nearest that the grammar allows in its place.
    Hoist {
        /// How many would.
        go: u32,
        /// How many could.
        of: u32,
        /// How many nodes are around them.
        level: u32,
    },
    /// All line markers go.
    StripMarkers,
    /// All that is around the node goes.
    KeepOnly,
    /// The user's own text stands in the place of the program.
    UserEdit,
    /// Declarations go that nothing uses any more.
    DropUnused {
        /// How many would go.
        go: u32,
        /// A name that nothing uses.
        name: Arc<str>,
        /// How many more names there are.
        others: u32,
    },
    /// The bodies of functions are emptied, or the fields of structures go.
    EmptyLists {
        /// Of functions.
        bodies: EmptiedLists,
        /// Of structures.
        fields: EmptiedLists,
    },
    /// What happens to one place happens to others like it at once.
    SimilarPlaces {
        /// What happens to the first.
        action: Box<EditAction>,
        /// How many others there are.
        others: u32,
    },
    /// Edits that passed one by one are made together.
    CombinedEdits {
        /// How many.
        go: u32,
    },
    /// Another action, and what is known of the names that it is about.
    WithNameFact {
        /// The action.
        action: Box<EditAction>,
        /// What is known.
        fact: NameFact,
    },
}

/// Lists that are emptied.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct EmptiedLists {
    /// How many, those in one that goes as a whole included.
    pub count: u32,
    /// The fillers in their places, each once; none for those that are just emptied.
    fillers: Vec<Option<Arc<str>>>,
}

impl EmptiedLists {
    /// One more, with this in its place.
    pub fn add_list(&mut self, left: Option<&Arc<str>>) {
        self.count += 1;
        if !self.fillers.iter().any(|known| known.as_ref() == left) {
            self.fillers.push(left.cloned());
        }
    }

    /// What becomes of them; `nothing` says it of those that are just emptied.
    fn describe_outcome(&self, nothing: &str) -> String {
        let fillers = self.fillers.iter().flatten();
        let fillers: Vec<_> = fillers
            .map(|filler| format!("`{}`", filler.escape_hidden()))
            .collect();
        let filled = (!fillers.is_empty()).then(|| format!("be {}", fillers.join(" or ")));
        let empty = self.fillers.contains(&None).then(|| nothing.to_owned());
        let fates: Vec<_> = filled.into_iter().chain(empty).collect();
        fates.join(" or ")
    }
}

/// What is known of the names that an action is about.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum NameFact {
    /// What would go declares these, and nothing that would stay uses them.
    Unused {
        /// One of them.
        name: Arc<str>,
        /// How many more there are; none if they are too many to count.
        others: Option<u32>,
    },
    /// Parameters go, and what every call gives for them.
    ParameterWithArguments {
        /// The name of one of them, if it has one.
        name: Option<Arc<str>>,
        /// How many calls.
        calls: u32,
    },
    /// Declarations go too that nothing would use, which the language does not allow.
    MustBeUsed {
        /// The name of one of them.
        name: Arc<str>,
        /// How many more there are.
        others: u32,
    },
    /// Elements stay that would have gone, because what stays uses what they declare.
    StillUsed {
        /// How many.
        items: u32,
        /// A name that one of them declares.
        name: Arc<str>,
    },
}

/// What a pass puts in a row.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ActionUnit {
    /// Comments.
    Comments,
    /// Lines of text.
    Lines,
    /// Tokens.
    Tokens,
    /// Stretches of text that end with `;`, `{` or `}` inside at most so many brackets.
    Forms(u32),
    /// Parts that the grammar lets go, with so many nodes around them.
    Level(u32),
    /// Parts of one node that the grammar lets go.
    Parts,
    /// Parts that the user doubts.
    Doubted,
    /// Parts that are apart from all that the user suspects.
    Unsuspected,
}

impl ActionUnit {
    /// What one is called, and what follows the word.
    fn describe_unit(self) -> (&'static str, String) {
        match self {
            ActionUnit::Comments => ("comment", String::new()),
            ActionUnit::Lines => ("line", String::new()),
            ActionUnit::Tokens => ("token", String::new()),
            ActionUnit::Forms(depth) => (
                "stretch",
                format!(" inside {}", format_count(depth, "bracket")),
            ),
            ActionUnit::Level(level) => ("part", format!(" on level {level}")),
            ActionUnit::Parts => ("part", String::new()),
            ActionUnit::Doubted => ("part", " that you doubt".into()),
            ActionUnit::Unsuspected => ("part", " apart from what you suspect".into()),
        }
    }
}

/// Why a question is asked.
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
    /// The sentence for `version`, the one the question is about. `saved` is the number of tokens that would go.
    pub fn to_sentence(&self, version: &Version, saved: u32) -> String {
        let name = |id: NodeId| describe_node(version, id);
        let place = self.node.map(name).unwrap_or_else(|| "the program".into());
        let (action, fact) = match &self.action {
            EditAction::WithNameFact { action, fact } => (&**action, Some(fact)),
            action => (action, None),
        };
        let (action, others) = match action {
            EditAction::SimilarPlaces { action, others } => (&**action, *others),
            action => (action, 0),
        };
        let what = match action {
            EditAction::DropItems {
                go,
                of: 1,
                first: Some(first),
            } if *go == 1 => format!("does {place} need its only element, {}?", name(*first)),
            EditAction::DropItems {
                go,
                of,
                first: Some(first),
            } if *go == 1 => format!("can {} go? one of {of} in {place}", name(*first)),
            EditAction::DropItems { go, of, .. } if go == of => {
                format!("can all {of} elements of {place} go?")
            }
            EditAction::DropItems { go, of, .. } => {
                format!("can {go} of the {of} elements of {place} go?")
            }
            EditAction::DropOptional => format!("can {place} go? the grammar makes it optional"),
            EditAction::DropNode => format!("can {place} go?"),
            EditAction::ReplaceBy(piece) => format!(
                "{place} could be its {}, which the grammar allows here",
                name(*piece)
            ),
            EditAction::SpliceItems(list) => {
                format!("{place} could be what it contains: {}", name(*list))
            }
            EditAction::DropUnits { what, go, of } => {
                let (noun, of_what) = what.describe_unit();
                let place = match self.node {
                    Some(_) => format!(" of {place}"),
                    None => of_what,
                };
                match go == of {
                    true if *of == 1 => format!("can the only {noun}{place} go?"),
                    true => format!("can all {}{place} go?", format_count(*of, noun)),
                    false => format!("can {go} of {}{place} go?", format_count(*of, noun)),
                }
            }
            EditAction::Hoist { go, of, level } => format!(
                "could {go} of {} on level {level} be what they contain?",
                format_count(*of, "node")
            ),
            EditAction::KeepOnly => format!("can all go that is around {place}?"),
            EditAction::UserEdit => "is the program as you edited it interesting?".into(),
            EditAction::StripMarkers => "can the line markers of the preprocessor go?".into(),
            EditAction::DropUnused { go, name, others } => format!(
                "can {} go? nothing uses {} any more",
                format_count(*go, "declaration"),
                format_names(name, *others)
            ),
            EditAction::EmptyLists { bodies, fields } => {
                let functions = format!("the bodies of {}", format_count(bodies.count, "function"));
                let structures =
                    format!("the fields of {}", format_count(fields.count, "structure"));
                let (body, field) = (
                    bodies.describe_outcome("be empty"),
                    fields.describe_outcome("go"),
                );
                match (bodies.count, fields.count) {
                    (_, 0) => format!("can {functions} {body}?"),
                    (0, _) => format!("can {structures} {field}?"),
                    // They go with their structures.
                    _ if body == field || body.is_empty() => {
                        format!("can {functions} and {structures} {field}?")
                    }
                    _ => format!("can {functions} {body}, and {structures} {field}?"),
                }
            }
            EditAction::CombinedEdits { go } => {
                format!(
                    "can {} go together that passed one by one?",
                    format_count(*go, "edit")
                )
            }
            EditAction::WithNameFact { .. } | EditAction::SimilarPlaces { .. } => {
                "can this go?".into()
            }
        };
        let what = match others {
            0 => what,
            _ => format!("in {} at once: {what}", format_count(others + 1, "place")),
        };
        let what = match fact {
            None => what,
            Some(fact) if what.ends_with('?') => format!("{what} {}", fact.to_clause()),
            Some(fact) => format!("{what}; {}", fact.to_clause()),
        };
        match saved {
            0 => what,
            _ => format!("{what} ({} fewer)", format_count(saved, "token")),
        }
    }
}

impl NameFact {
    fn to_clause(&self) -> String {
        match self {
            NameFact::Unused {
                name,
                others: Some(others),
            } => format!("nothing else uses {}", format_names(name, *others)),
            NameFact::Unused { name, others: None } => {
                format!(
                    "nothing else uses `{}` and many more names",
                    name.escape_hidden()
                )
            }
            NameFact::ParameterWithArguments { name, calls } => {
                let what = match name {
                    Some(name) => format!("parameter `{}`", name.escape_hidden()),
                    None => "the parameter".into(),
                };
                format!(
                    "{what} with its argument in {}",
                    format_count(*calls, "call")
                )
            }
            NameFact::MustBeUsed { name, others } => {
                format!("{} must go with the last use", format_names(name, *others))
            }
            NameFact::StillUsed { items, name } => {
                let stay = if *items == 1 { "stays" } else { "stay" };
                format!(
                    "{items} more {stay}: `{}` is still used",
                    name.escape_hidden()
                )
            }
        }
    }
}

fn format_count(number: u32, noun: &str) -> String {
    if number == 1 {
        format!("1 {noun}")
    } else if noun.ends_with("ch") {
        format!("{number} {noun}es")
    } else {
        format!("{number} {noun}s")
    }
}

fn format_names(name: &str, others: u32) -> String {
    let name = name.escape_hidden();
    match others {
        0 => format!("`{name}`"),
        1 => format!("`{name}` and one more name"),
        _ => format!("`{name}` and {others} more names"),
    }
}

/// A node in words: its kind and how it begins. A group is named after the node it belongs to.
fn describe_node(version: &Version, id: NodeId) -> String {
    let Some(trail) = version.path_to(id) else {
        return "something".into();
    };
    let node = trail.node();
    let (kind, owner) = (
        version.kind_name(trail.document, node),
        trail.ancestors().find(|above| above.class.is_some()),
    );
    let begins = node_excerpt(version, id, 24);
    match owner.filter(|_| node.class.is_none()) {
        Some(owner) => format!(
            "the {kind} `{begins}` of {}",
            version.kind_name(trail.document, owner)
        ),
        None => format!("{kind} `{begins}`"),
    }
}

/// How the text of a node begins, without what is hidden: at most `limit` characters on one line, cut in the middle where it is longer.
pub fn node_excerpt(version: &Version, id: NodeId, limit: usize) -> String {
    version
        .find_node(id)
        .map(|node| text_excerpt(node, limit))
        .unwrap_or_default()
}

/// As [`node_excerpt`], for a node at hand.
pub fn text_excerpt(node: &Arc<super::node::ProgramNode>, limit: usize) -> String {
    let mut text = String::new();
    for leaf in walk::iter_leaves(node) {
        if !text.is_empty() && !leaf.trivia().is_empty() {
            text.push(' ');
        }
        // Its lines are one here.
        let words = leaf.text().split(u8::is_ascii_whitespace);
        for (at, word) in words.enumerate() {
            if at > 0 {
                text.push(' ');
            }
            text.push_str(&word.escape_hidden());
            if text.chars().count() > limit {
                let end = text.char_indices().nth(limit.saturating_sub(1));
                let end = end.map_or(text.len(), |(at, _)| floor_escape_boundary(&text, at));
                return format!("{}…", text[..end].trim_end());
            }
        }
    }
    text
}
