//! From the captures of a query to names in their scopes.
//!
//! A declaration belongs to the innermost scope around what declares it, a parameter to what it is a parameter of, a label to its
//! function, a field to the whole program. A use means the nearest enclosing declaration of its name, wherever in the scope that
//! stands; one that is found nowhere means a name from outside. All documents share the outermost scope.

use std::ops::Range;

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

/// Where a name is known: the number of a stretch of text, counted through all documents; 0 for the program.
pub type Scope = u32;

/// A name in the text.
#[derive(Debug)]
pub struct Mention {
    /// Its bytes.
    pub range: Range<usize>,
    pub space: Space,
    /// What it declares; none if it is a use.
    pub declares: Option<Kind>,
    /// For a declaration, the scope; for a use, the innermost stretch that it stands in.
    pub at: Scope,
    /// Where what declares it begins.
    pub from: usize,
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
    /// The pattern that had a word for the last of the mentions.
    pattern: usize,
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
    /// None for a scope; what it declares for a declaration.
    declares: Option<Kind>,
}

impl Scopes {
    /// Only the program.
    pub fn new() -> Scopes {
        Scopes {
            all: vec![Stretch {
                parent: 0,
                start: 0,
                end: usize::MAX,
                declares: None,
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
        let mut inner: Scope = 0;
        for capture in captures {
            let Range { start, end } = capture.range;
            while self.all[inner as usize].end <= start {
                inner = self.all[inner as usize].parent;
            }
            let mut words = capture.name.split('.');
            match (words.next(), words.next(), words.next()) {
                (Some("scope"), ..) => inner = self.open(inner, start..end, None),
                (Some("return"), ..) => found.returns.push(start),
                (Some("def"), Some("name"), None) => {
                    let own = self.around(inner).find(|&at| self.declares(at).is_some());
                    let kind = own.and_then(|at| self.declares(at)).unwrap_or(Kind::Var);
                    self.mention(
                        &mut found,
                        capture,
                        kind_space(kind),
                        Some((kind, own)),
                        inner,
                    );
                }
                (Some("def"), Some(what), None) => {
                    inner = self.open(inner, start..end, Some(kind(what)));
                }
                (Some("def"), Some(what), Some("name")) => {
                    let kind = kind(what);
                    let own = self
                        .around(inner)
                        .find(|&at| self.declares(at) == Some(kind));
                    self.mention(
                        &mut found,
                        capture,
                        kind_space(kind),
                        Some((kind, own)),
                        inner,
                    );
                }
                (Some("def"), Some(what), Some("body")) => found.braced.push((start, kind(what))),
                (Some("ref"), what, _) => {
                    let space = match what {
                        Some("struct") => Space::Tag,
                        Some("field") => Space::Field,
                        Some("label") => Space::Label,
                        _ => Space::Ordinary,
                    };
                    self.mention(&mut found, capture, space, None, inner);
                }
                _ => {}
            }
        }
        found
    }

    fn open(&mut self, parent: Scope, range: Range<usize>, declares: Option<Kind>) -> Scope {
        self.all.push(Stretch {
            parent,
            start: range.start,
            end: range.end,
            declares,
        });
        self.all.len() as Scope - 1
    }

    fn declares(&self, scope: Scope) -> Option<Kind> {
        self.all[scope as usize].declares
    }

    /// Notes a name, unless an earlier pattern had a word for it. `own` is the declaration whose name it is.
    fn mention(
        &self,
        found: &mut Found,
        capture: &Capture,
        space: Space,
        declares: Option<(Kind, Option<Scope>)>,
        inner: Scope,
    ) {
        let at = match (declares, space) {
            (Some((kind, own)), _) => self.scope_of(kind, own.unwrap_or(inner)),
            (None, Space::Label) => self.scope_of(Kind::Label, inner),
            (None, _) => inner,
        };
        let mention = Mention {
            range: capture.range.clone(),
            space,
            declares: declares.map(|(kind, _)| kind),
            at,
            from: declares
                .and_then(|(_, own)| own)
                .map_or(capture.range.start, |own| self.outermost(own)),
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
            Kind::Field => None,
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
        _ => Kind::Var,
    }
}

fn kind_space(kind: Kind) -> Space {
    match kind {
        Kind::Struct => Space::Tag,
        Kind::Field => Space::Field,
        Kind::Label => Space::Label,
        Kind::Function | Kind::Var | Kind::Param | Kind::Type | Kind::Enumerator => Space::Ordinary,
    }
}
