//! From the captures of a query to names in their scopes.
//!
//! A declaration belongs to the innermost scope around its node, a parameter to its function, a label to its function, a binding to the
//! innermost body of a function, a field or member to the whole program. A use refers to the nearest enclosing declaration of its name, at
//! any place in its scope, or to what its capture says. A name without a declaration comes from outside. All documents share the outermost
//! scope.
//!
//! * A *member* is known by its name alone in the whole program, since the types are not known here. So any of several members of a name is
//!   enough for a use.
//! * An *import* declares a name unless the program itself does; then it is a use of that declaration.
//! * What *belongs* to a name (an `impl`, a method outside of its class) uses it, and yet garbage collection removes it with the name.
//! * A list of parameters or of arguments is known by its first token and by the called symbol.
//! * A declaration that *must be used* is rejected by the language where nothing uses it.

use std::ops::Range;

use rustc_hash::FxHashMap;

use super::{DeclarationKind, ParameterSort, ValuePart};
use crate::language::parser::QueryCapture;

/// The name spaces of a language: equal names in different ones are different symbols.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NameSpace {
    Ordinary,
    Tag,
    Field,
    Label,
}

/// Where a use looks for its declaration, one rule after the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LookupRule {
    /// In the enclosing scopes.
    Enclosing(NameSpace),
    /// In all open scopes, if only one of them declares the name.
    OpenScopes,
}

/// The rules of a use. There is one for each mention in a text, so it has a byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum LookupOrder {
    /// It is a name from outside.
    Outside,
    Ordinary,
    Tag,
    Field,
    Label,
    /// A variable, or else a member of the object around it.
    Bare,
    /// A name that may be of anything.
    Any,
    Member,
    Import,
}

impl LookupOrder {
    /// One after the other.
    pub fn rules(self) -> &'static [LookupRule] {
        use LookupRule::{Enclosing, OpenScopes};
        use NameSpace::{Field, Label, Ordinary, Tag};
        match self {
            LookupOrder::Outside => &[],
            LookupOrder::Ordinary => &[Enclosing(Ordinary)],
            LookupOrder::Tag => &[Enclosing(Tag)],
            LookupOrder::Field => &[Enclosing(Field)],
            LookupOrder::Label => &[Enclosing(Label)],
            LookupOrder::Bare => &[Enclosing(Ordinary), Enclosing(Field)],
            LookupOrder::Any => &[Enclosing(Ordinary), OpenScopes, Enclosing(Field)],
            LookupOrder::Member => &[Enclosing(Field), OpenScopes],
            LookupOrder::Import => &[Enclosing(Ordinary), OpenScopes],
        }
    }

    /// The name space of the first of them that has one.
    fn name_space(self) -> NameSpace {
        let mut spaces = self.rules().iter().filter_map(|rule| match rule {
            LookupRule::Enclosing(space) => Some(*space),
            LookupRule::OpenScopes => None,
        });
        spaces.next().unwrap_or(NameSpace::Ordinary)
    }
}

/// The scope of a name: the number of a range of text, counted through all documents; 0 for the program.
pub type ScopeId = u32;

/// A name in the text. In a text of ten megabytes there are more than a million.
#[derive(Debug)]
pub struct NameMention {
    /// Its bytes. Offsets have 32 bits here, as in a text that is shared.
    pub range: Range<u32>,
    pub space: NameSpace,
    /// For a use, where to look for its declaration.
    pub lookups: LookupOrder,
    /// What it declares; none if it is a use.
    pub declares: Option<DeclarationKind>,
    /// For a declaration, the scope; for a use, the innermost range around it.
    pub scope: ScopeId,
    /// Where its declaration begins, or what belongs to it.
    pub declaration_start: u32,
    /// Whether it is a use in something that is removed with the declaration.
    pub is_attached: bool,
    /// Whether the language rejects the declaration where nothing uses it.
    pub must_be_used: bool,
    /// Whether it is a use that changes what the name stands for.
    pub is_assigned: bool,
}

/// All that the captures of one document say.
#[derive(Debug, Default)]
pub struct ResolvedCaptures {
    /// In the order of the text; each at a place of its own.
    pub mentions: Vec<NameMention>,
    /// The first bytes of lists in braces, with the kinds of their owners.
    pub braced_lists: Vec<(usize, DeclarationKind)>,
    /// The first bytes of statements that a body keeps.
    pub kept_statements: Vec<usize>,
    /// What assignments change.
    pub assigned: Vec<Range<usize>>,
    /// Lists of parameters and of arguments.
    pub parameter_lists: Vec<CapturedParameterList>,
    /// What names stand for.
    pub values: Vec<CapturedValue>,
    /// The pattern that captured the last of the mentions.
    last_pattern: usize,
}

/// A list of parameters, or of the arguments of a call.
#[derive(Debug)]
pub struct CapturedParameterList {
    /// The first byte of the name that is declared or called.
    pub callee: usize,
    /// What the parameters stand for.
    pub sort: ParameterSort,
    /// The first byte of the list.
    pub start: usize,
    /// Whether it is a list of parameters.
    pub is_declaration: bool,
    /// Whether the receiver before the dot of a call is the first of them.
    pub has_receiver: bool,
}

/// What one pattern captured of a list of parameters or arguments so far. The name may stand on either side of its list.
#[derive(Default)]
struct CapturedListParts {
    /// The first byte of the name.
    callee: Option<usize>,
    /// The first byte of the list, and whether it is one of parameters.
    list: Option<(usize, bool)>,
    /// Whether the first of the parameters is a receiver.
    has_receiver: bool,
}

/// What a name stands for.
#[derive(Debug)]
pub struct CapturedValue {
    /// The first byte of the name that is declared.
    pub name: usize,
    /// The bytes that could stand in the place of each use.
    pub range: Range<usize>,
    /// What they are.
    pub part: ValuePart,
}

/// The ranges of text in which names can be known, of all documents: a forest under the program.
#[derive(Debug)]
pub struct ScopeTree {
    all: Vec<ScopeRange>,
}

#[derive(Debug)]
struct ScopeRange {
    parent: ScopeId,
    start: u32,
    end: u32,
    kind: ScopeKind,
}

/// What a range is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ScopeKind {
    /// A declaration.
    Declaration(DeclarationKind),
    /// A scope.
    Block,
    /// The body of a function.
    Body,
    /// A scope whose names are visible from outside.
    Open,
}

impl Default for ScopeTree {
    /// Only the program.
    fn default() -> ScopeTree {
        ScopeTree {
            all: vec![ScopeRange {
                parent: 0,
                start: 0,
                end: u32::MAX,
                kind: ScopeKind::Open,
            }],
        }
    }
}

impl ResolvedCaptures {
    /// Continues it with what the text behind it says. `scopes` is what [`ScopeTree::append_scopes`] has said of its scopes.
    pub fn append_captures(&mut self, next: ResolvedCaptures, scopes: ScopeOffset) {
        let next = next.with_scopes_after(scopes);
        self.mentions.extend(next.mentions);
        self.braced_lists.extend(next.braced_lists);
        self.kept_statements.extend(next.kept_statements);
        self.assigned.extend(next.assigned);
        self.parameter_lists.extend(next.parameter_lists);
        self.values.extend(next.values);
        self.last_pattern = next.last_pattern;
    }

    /// The same, whose scopes were appended to others.
    pub fn with_scopes_after(mut self, scopes: ScopeOffset) -> ResolvedCaptures {
        for mention in &mut self.mentions {
            mention.scope = scopes.shift(mention.scope);
        }
        self
    }
}

/// What is added to the numbers of scopes that are appended to others. The program stays 0.
#[derive(Clone, Copy, Debug)]
pub struct ScopeOffset(ScopeId);

impl ScopeOffset {
    fn shift(self, scope: ScopeId) -> ScopeId {
        match scope {
            0 => 0,
            scope => scope + self.0,
        }
    }
}

impl ScopeTree {
    /// Adds the scopes of a text behind this one.
    pub fn append_scopes(&mut self, next: ScopeTree) -> ScopeOffset {
        let offset = ScopeOffset(self.all.len() as ScopeId - 1);
        let scopes = next.all.into_iter().skip(1).map(|scope| ScopeRange {
            parent: offset.shift(scope.parent),
            ..scope
        });
        self.all.extend(scopes);
        offset
    }

    /// From the innermost range outwards, the program last.
    pub fn enclosing_scopes(&self, scope: ScopeId) -> impl Iterator<Item = ScopeId> + '_ {
        std::iter::successors(Some(scope), |&at| {
            (at != 0).then(|| self.all[at as usize].parent)
        })
    }

    /// Reads the captures of a document.
    pub fn read_captures(&mut self, captures: &[QueryCapture]) -> ResolvedCaptures {
        let mut found = ResolvedCaptures::default();
        let mut lists: FxHashMap<u32, CapturedListParts> = FxHashMap::default();
        let mut named: FxHashMap<u32, usize> = FxHashMap::default();
        let mut valued: FxHashMap<u32, (Range<usize>, ValuePart)> = FxHashMap::default();
        let mut inner: ScopeId = 0;
        for capture in captures {
            let Range { start, end } = capture.range;
            while self.all[inner as usize].end as usize <= start {
                inner = self.all[inner as usize].parent;
            }
            let mut words = capture.name.split('.');
            match (words.next(), words.next(), words.next()) {
                (Some("scope"), what, _) => {
                    let sort = match what {
                        Some("body") => ScopeKind::Body,
                        Some("open") => ScopeKind::Open,
                        _ => ScopeKind::Block,
                    };
                    inner = self.open_scope(inner, start..end, sort);
                }
                (Some("return"), ..) => found.kept_statements.push(start),
                (Some("assign"), Some("name"), _) => found.assigned.push(start..end),
                (Some(group @ ("call" | "generic")), Some(what), more) => {
                    let parts = lists.entry(capture.matched).or_default();
                    match what {
                        "callee" | "name" => parts.callee = Some(start),
                        _ => parts.list = Some((start, what == "params")),
                    }
                    parts.has_receiver |= more == Some("self");
                    let has_receiver = parts.has_receiver;
                    if let Some((callee, (start, is_declaration))) = parts.callee.zip(parts.list) {
                        lists.remove(&capture.matched);
                        let sort = match group {
                            "call" => ParameterSort::Value,
                            _ => ParameterSort::Type,
                        };
                        found.parameter_lists.push(CapturedParameterList {
                            callee,
                            sort,
                            start,
                            is_declaration,
                            has_receiver,
                        });
                    }
                }
                (Some("unfold" | "part"), Some(what), _) => {
                    match what {
                        "name" => drop(named.insert(capture.matched, start)),
                        _ => {
                            valued.insert(capture.matched, (start..end, parse_value_part(what)));
                        }
                    }
                    // The two come in the order of the text.
                    let (name, value) = (named.get(&capture.matched), valued.get(&capture.matched));
                    let known = name.zip(value).map(|(&name, (range, part))| CapturedValue {
                        name,
                        range: range.clone(),
                        part: *part,
                    });
                    found.values.extend(known);
                }
                (Some("def"), Some("name"), None) => {
                    let near = self.enclosing_scopes(inner);
                    let own = near
                        .take_while(|&at| self.declaration_kind(at).is_some())
                        .next();
                    let kind = own.and_then(|at| self.declaration_kind(at));
                    // A pattern without a declaration around it is an assignment.
                    let looks = kind.map_or(LookupOrder::Ordinary, choose_lookup_order);
                    let declares = kind.map(|kind| (kind, own));
                    self.add_mention(&mut found, capture, looks, declares, inner);
                }
                (Some("def"), Some(what), None) => {
                    inner = self.open_scope(
                        inner,
                        start..end,
                        ScopeKind::Declaration(parse_kind(what)),
                    );
                }
                (Some("def"), Some(what), Some("name")) => {
                    let kind = parse_kind(what);
                    let own = self
                        .enclosing_scopes(inner)
                        .find(|&at| self.declaration_kind(at) == Some(kind));
                    self.add_mention(
                        &mut found,
                        capture,
                        choose_lookup_order(kind),
                        Some((kind, own)),
                        inner,
                    );
                }
                (Some("def"), Some(what), Some("body")) => {
                    found.braced_lists.push((start, parse_kind(what)))
                }
                (Some("ref"), what, more) => {
                    let looks = match what {
                        Some("struct") => LookupOrder::Tag,
                        Some("field") => LookupOrder::Field,
                        Some("label") => LookupOrder::Label,
                        Some("member") => LookupOrder::Member,
                        Some("bare") => LookupOrder::Bare,
                        Some("any") => LookupOrder::Any,
                        Some("owner") => LookupOrder::Import,
                        Some("outside") => LookupOrder::Outside,
                        _ => LookupOrder::Ordinary,
                    };
                    self.add_mention(&mut found, capture, looks, None, inner);
                    if [what, more].contains(&Some("owner")) {
                        self.attach_declaration(&mut found, capture, inner);
                    }
                }
                _ => {}
            }
        }
        found
    }

    fn open_scope(&mut self, parent: ScopeId, range: Range<usize>, sort: ScopeKind) -> ScopeId {
        self.all.push(ScopeRange {
            parent,
            start: range.start as u32,
            end: range.end as u32,
            kind: sort,
        });
        self.all.len() as ScopeId - 1
    }

    fn declaration_kind(&self, scope: ScopeId) -> Option<DeclarationKind> {
        match self.all[scope as usize].kind {
            ScopeKind::Declaration(kind) => Some(kind),
            ScopeKind::Block | ScopeKind::Body | ScopeKind::Open => None,
        }
    }

    /// Whether the declarations of this scope are visible everywhere.
    pub fn is_open(&self, scope: ScopeId) -> bool {
        let sort = |at: ScopeId| self.all[at as usize].kind;
        self.enclosing_scopes(scope)
            .all(|at| matches!(sort(at), ScopeKind::Open | ScopeKind::Declaration(_)))
    }

    /// Adds a name, unless an earlier pattern captured it. `own` is the declaration whose name it is.
    fn add_mention(
        &self,
        found: &mut ResolvedCaptures,
        capture: &QueryCapture,
        looks: LookupOrder,
        declares: Option<(DeclarationKind, Option<ScopeId>)>,
        inner: ScopeId,
    ) {
        let space = looks.name_space();
        let range = capture.range.start as u32..capture.range.end as u32;
        let at = match (declares, space) {
            (Some((kind, own)), _) => self.declaring_scope(kind, own.unwrap_or(inner)),
            (None, NameSpace::Label) => self.declaring_scope(DeclarationKind::Label, inner),
            (None, _) => inner,
        };
        let mention = NameMention {
            range: range.clone(),
            space,
            lookups: looks,
            declares: declares.map(|(kind, _)| kind),
            scope: at,
            declaration_start: declares
                .and_then(|(_, own)| own)
                .map_or(range.start, |own| self.outermost_start(own)),
            is_attached: false,
            must_be_used: capture.name.ends_with(".name.used"),
            is_assigned: capture.name.ends_with(".assigned"),
        };
        // Captures come in the order of the text.
        match found.mentions.last_mut() {
            Some(last) if last.range.start == range.start => {
                if capture.pattern < found.last_pattern {
                    (*last, found.last_pattern) = (mention, capture.pattern);
                }
            }
            _ => {
                found.mentions.push(mention);
                found.last_pattern = capture.pattern;
            }
        }
    }

    /// The declaration around the last mention is removed with what that mention refers to, if this capture says so.
    fn attach_declaration(
        &self,
        found: &mut ResolvedCaptures,
        capture: &QueryCapture,
        inner: ScopeId,
    ) {
        let own = self
            .enclosing_scopes(inner)
            .find(|&at| self.declaration_kind(at).is_some());
        if let (Some(own), Some(last)) = (own, found.mentions.last_mut())
            && last.range.start as usize == capture.range.start
            && last.range.end as usize == capture.range.end
            && found.last_pattern == capture.pattern
        {
            (last.declaration_start, last.is_attached) = (self.outermost_start(own), true);
        }
    }

    /// Where the declaration begins that contains `own`: a structure may be declared together with a variable of its type.
    fn outermost_start(&self, own: ScopeId) -> u32 {
        let whole = self
            .enclosing_scopes(own)
            .take_while(|&at| self.declaration_kind(at).is_some());
        whole
            .last()
            .map_or(0, |whole| self.all[whole as usize].start)
    }

    /// The scope of the declaration `own`.
    fn declaring_scope(&self, kind: DeclarationKind, own: ScopeId) -> ScopeId {
        let mut outside = self.enclosing_scopes(own).skip(1);
        let found = match kind {
            DeclarationKind::Field | DeclarationKind::Member => None,
            DeclarationKind::Binding | DeclarationKind::Outer => {
                let holds = |at: &ScopeId| {
                    matches!(
                        self.all[*at as usize].kind,
                        ScopeKind::Body | ScopeKind::Open
                    )
                };
                outside.find(holds)
            }
            DeclarationKind::Param => outside.find(|&at| self.declaration_kind(at).is_some()),
            DeclarationKind::Label => self
                .enclosing_scopes(own)
                .filter(|&at| self.declaration_kind(at) == Some(DeclarationKind::Function))
                .last(),
            _ => outside.find(|&at| self.declaration_kind(at).is_none()),
        };
        found.unwrap_or(0)
    }
}

/// What a capture `@unfold.WHAT` says that a name stands for, or `@part.WHAT` of its declaration.
fn parse_value_part(what: &str) -> ValuePart {
    match what {
        "bare" => ValuePart::Bare,
        "definition" => ValuePart::Definition,
        "members" => ValuePart::Members,
        "body" => ValuePart::Body,
        "result" => ValuePart::Result,
        "update" => ValuePart::Update,
        "start" => ValuePart::Start,
        "member" => ValuePart::Member,
        "type" => ValuePart::Type,
        "element" => ValuePart::Element,
        "super" => ValuePart::Supertype,
        "override" => ValuePart::OverrideWord,
        "returned" => ValuePart::ReturnedType,
        _ => ValuePart::Enclosed,
    }
}

fn parse_kind(word: &str) -> DeclarationKind {
    match word {
        "function" => DeclarationKind::Function,
        "param" => DeclarationKind::Param,
        "type" => DeclarationKind::Type,
        "struct" => DeclarationKind::Struct,
        "field" => DeclarationKind::Field,
        "enumerator" => DeclarationKind::Enumerator,
        "label" => DeclarationKind::Label,
        "member" => DeclarationKind::Member,
        "import" => DeclarationKind::Import,
        "binding" => DeclarationKind::Binding,
        "outer" => DeclarationKind::Outer,
        _ => DeclarationKind::Var,
    }
}

/// The scope in which a name of this kind is declared, or what it refers to if it is a use after all.
fn choose_lookup_order(kind: DeclarationKind) -> LookupOrder {
    match kind {
        DeclarationKind::Struct => LookupOrder::Tag,
        DeclarationKind::Field | DeclarationKind::Member => LookupOrder::Field,
        DeclarationKind::Label => LookupOrder::Label,
        DeclarationKind::Import => LookupOrder::Import,
        _ => LookupOrder::Ordinary,
    }
}
