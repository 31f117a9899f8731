//! From the captures of a query to names in their scopes.
//!
//! A declaration belongs to the innermost scope around what declares it, a parameter to what it is a parameter of, a label to its
//! function, a binding to the innermost body of a function, a field or member to the whole program. A use means the nearest enclosing
//! declaration of its name, wherever in the scope that stands, or what else its look says; one that is found nowhere means a name from
//! outside. All documents share the outermost scope.

use std::ops::Range;

use rustc_hash::FxHashMap;

use super::Kind;
use crate::language::parser::Capture;

/// Apart from each other, names may be equal.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Space {
    Ordinary,
    Tag,
    Field,
    Label,
}

/// Where a use looks for what it means, one after the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Look {
    /// In the scopes around it.
    Around(Space),
    /// In all open scopes: what only one of them declares.
    Open,
}

const ORDINARY: &[Look] = &[Look::Around(Space::Ordinary)];
const BARE: &[Look] = &[Look::Around(Space::Ordinary), Look::Around(Space::Field)];
const ANY: &[Look] = &[
    Look::Around(Space::Ordinary),
    Look::Open,
    Look::Around(Space::Field),
];
const MEMBER: &[Look] = &[Look::Around(Space::Field), Look::Open];
const IMPORT: &[Look] = &[Look::Around(Space::Ordinary), Look::Open];

/// Where a name is known: the number of a stretch of text, counted through all documents; 0 for the program.
pub type Scope = u32;

/// A name in the text.
#[derive(Debug)]
pub struct Mention {
    /// Its bytes.
    pub range: Range<usize>,
    pub space: Space,
    /// For a use, where to look.
    pub looks: &'static [Look],
    /// What it declares; none if it is a use.
    pub declares: Option<Kind>,
    /// For a declaration, the scope; for a use, the innermost stretch that it stands in.
    pub at: Scope,
    /// Where what declares it begins, or what belongs to it.
    pub from: usize,
    /// Whether it is a use in something that goes with what it means.
    pub belongs: bool,
    /// Whether the language refuses what it declares where nothing uses that.
    pub must: bool,
}

/// All that the captures of one document say.
#[derive(Debug, Default)]
pub struct Found {
    /// In the order of the text; no two stand at one place.
    pub mentions: Vec<Mention>,
    /// The first bytes of lists in braces, with whose they are.
    pub braced: Vec<(usize, Kind)>,
    /// The first bytes of statements that a body keeps.
    pub returns: Vec<usize>,
    /// Lists of parameters and of arguments.
    pub rows: Vec<Row>,
    /// The pattern that had a word for the last of the mentions.
    pattern: usize,
}

/// A list of parameters, or of the arguments of a call.
#[derive(Debug)]
pub struct Row {
    /// The first byte of the name that is declared or called.
    pub callee: usize,
    /// The first byte of the list.
    pub start: usize,
    /// Whether it is one of parameters.
    pub declares: bool,
    /// Whether what stands before the dot of a call is the first of them.
    pub receives: bool,
}

/// The stretches of text in which names can be known, of all documents: a forest under the program.
#[derive(Debug)]
pub struct Scopes {
    all: Vec<Stretch>,
}

#[derive(Debug)]
struct Stretch {
    parent: Scope,
    start: usize,
    end: usize,
    sort: Sort,
}

/// What a stretch is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Sort {
    /// A declaration.
    Declares(Kind),
    /// A scope.
    Block,
    /// The body of a function.
    Body,
    /// A scope whose names can be reached from outside.
    Open,
}

impl Scopes {
    /// Only the program.
    pub fn new() -> Scopes {
        Scopes {
            all: vec![Stretch {
                parent: 0,
                start: 0,
                end: usize::MAX,
                sort: Sort::Open,
            }],
        }
    }

    /// From the innermost stretch outwards, the program last.
    pub fn around(&self, scope: Scope) -> impl Iterator<Item = Scope> + '_ {
        std::iter::successors(Some(scope), |&at| {
            (at != 0).then(|| self.all[at as usize].parent)
        })
    }

    /// Goes through the captures of a document.
    pub fn read(&mut self, captures: &[Capture]) -> Found {
        let mut found = Found::default();
        let mut callees: FxHashMap<u32, usize> = FxHashMap::default();
        let mut inner: Scope = 0;
        for capture in captures {
            let Range { start, end } = capture.range;
            while self.all[inner as usize].end <= start {
                inner = self.all[inner as usize].parent;
            }
            let mut words = capture.name.split('.');
            match (words.next(), words.next(), words.next()) {
                (Some("scope"), what, _) => {
                    let sort = match what {
                        Some("body") => Sort::Body,
                        Some("open") => Sort::Open,
                        _ => Sort::Block,
                    };
                    inner = self.open(inner, start..end, sort);
                }
                (Some("return"), ..) => found.returns.push(start),
                (Some("call"), Some("callee"), _) => {
                    callees.insert(capture.matched, start);
                }
                (Some("call"), Some(what), more) => {
                    found
                        .rows
                        .extend(callees.remove(&capture.matched).map(|callee| Row {
                            callee,
                            start,
                            declares: what == "params",
                            receives: more == Some("self"),
                        }));
                }
                (Some("def"), Some("name"), None) => {
                    let near = self.around(inner);
                    let own = near.take_while(|&at| self.declares(at).is_some()).next();
                    let kind = own.and_then(|at| self.declares(at));
                    // A pattern without a declaration around it assigns.
                    let looks = kind.map_or(ORDINARY, kind_looks);
                    let declares = kind.map(|kind| (kind, own));
                    self.mention(&mut found, capture, looks, declares, inner);
                }
                (Some("def"), Some(what), None) => {
                    inner = self.open(inner, start..end, Sort::Declares(kind(what)));
                }
                (Some("def"), Some(what), Some("name")) => {
                    let kind = kind(what);
                    let own = self
                        .around(inner)
                        .find(|&at| self.declares(at) == Some(kind));
                    self.mention(
                        &mut found,
                        capture,
                        kind_looks(kind),
                        Some((kind, own)),
                        inner,
                    );
                }
                (Some("def"), Some(what), Some("body")) => found.braced.push((start, kind(what))),
                (Some("ref"), what, more) => {
                    let looks: &[Look] = match what {
                        Some("struct") => &[Look::Around(Space::Tag)],
                        Some("field") => &[Look::Around(Space::Field)],
                        Some("label") => &[Look::Around(Space::Label)],
                        Some("member") => MEMBER,
                        Some("bare") => BARE,
                        Some("any") => ANY,
                        Some("owner") => IMPORT,
                        Some("outside") => &[],
                        _ => ORDINARY,
                    };
                    self.mention(&mut found, capture, looks, None, inner);
                    if [what, more].contains(&Some("owner")) {
                        self.belongs(&mut found, capture, inner);
                    }
                }
                _ => {}
            }
        }
        found
    }

    fn open(&mut self, parent: Scope, range: Range<usize>, sort: Sort) -> Scope {
        self.all.push(Stretch {
            parent,
            start: range.start,
            end: range.end,
            sort,
        });
        self.all.len() as Scope - 1
    }

    fn declares(&self, scope: Scope) -> Option<Kind> {
        match self.all[scope as usize].sort {
            Sort::Declares(kind) => Some(kind),
            Sort::Block | Sort::Body | Sort::Open => None,
        }
    }

    /// Whether what this scope declares can be reached from everywhere.
    pub fn is_open(&self, scope: Scope) -> bool {
        let sort = |at: Scope| self.all[at as usize].sort;
        self.around(scope)
            .all(|at| matches!(sort(at), Sort::Open | Sort::Declares(_)))
    }

    /// Notes a name, unless an earlier pattern had a word for it. `own` is the declaration whose name it is.
    fn mention(
        &self,
        found: &mut Found,
        capture: &Capture,
        looks: &'static [Look],
        declares: Option<(Kind, Option<Scope>)>,
        inner: Scope,
    ) {
        let space = looks.iter().find_map(|look| match look {
            Look::Around(space) => Some(*space),
            Look::Open => None,
        });
        let space = space.unwrap_or(Space::Ordinary);
        let at = match (declares, space) {
            (Some((kind, own)), _) => self.scope_of(kind, own.unwrap_or(inner)),
            (None, Space::Label) => self.scope_of(Kind::Label, inner),
            (None, _) => inner,
        };
        let mention = Mention {
            range: capture.range.clone(),
            space,
            looks,
            declares: declares.map(|(kind, _)| kind),
            at,
            from: declares
                .and_then(|(_, own)| own)
                .map_or(capture.range.start, |own| self.outermost(own)),
            belongs: false,
            must: capture.name.ends_with(".name.used"),
        };
        // Captures come in the order of the text.
        match found.mentions.last_mut() {
            Some(last) if last.range.start == capture.range.start => {
                if capture.pattern < found.pattern {
                    (*last, found.pattern) = (mention, capture.pattern);
                }
            }
            _ => {
                found.mentions.push(mention);
                found.pattern = capture.pattern;
            }
        }
    }

    /// The declaration around the last of the mentions goes with what that means, if that is what this capture made of it.
    fn belongs(&self, found: &mut Found, capture: &Capture, inner: Scope) {
        let own = self.around(inner).find(|&at| self.declares(at).is_some());
        if let (Some(own), Some(last)) = (own, found.mentions.last_mut())
            && last.range == capture.range
            && found.pattern == capture.pattern
        {
            (last.from, last.belongs) = (self.outermost(own), true);
        }
    }

    /// Where the declaration begins that `own` is a part of: a structure may be declared with a variable of it.
    fn outermost(&self, own: Scope) -> usize {
        let whole = self
            .around(own)
            .take_while(|&at| self.declares(at).is_some());
        whole
            .last()
            .map_or(0, |whole| self.all[whole as usize].start)
    }

    /// The scope of what the declaration `own` declares.
    fn scope_of(&self, kind: Kind, own: Scope) -> Scope {
        let mut outside = self.around(own).skip(1);
        let found = match kind {
            Kind::Field | Kind::Member => None,
            Kind::Binding | Kind::Outer => {
                let holds =
                    |at: &Scope| matches!(self.all[*at as usize].sort, Sort::Body | Sort::Open);
                outside.find(holds)
            }
            Kind::Param => outside.find(|&at| self.declares(at).is_some()),
            Kind::Label => self
                .around(own)
                .filter(|&at| self.declares(at) == Some(Kind::Function))
                .last(),
            _ => outside.find(|&at| self.declares(at).is_none()),
        };
        found.unwrap_or(0)
    }
}

fn kind(word: &str) -> Kind {
    match word {
        "function" => Kind::Function,
        "param" => Kind::Param,
        "type" => Kind::Type,
        "struct" => Kind::Struct,
        "field" => Kind::Field,
        "enumerator" => Kind::Enumerator,
        "label" => Kind::Label,
        "member" => Kind::Member,
        "import" => Kind::Import,
        "binding" => Kind::Binding,
        "outer" => Kind::Outer,
        _ => Kind::Var,
    }
}

/// Where a name of this kind is declared, or what it means if it is a use after all.
fn kind_looks(kind: Kind) -> &'static [Look] {
    match kind {
        Kind::Struct => &[Look::Around(Space::Tag)],
        Kind::Field | Kind::Member => &[Look::Around(Space::Field)],
        Kind::Label => &[Look::Around(Space::Label)],
        Kind::Import => IMPORT,
        _ => ORDINARY,
    }
}
