//! The name graph: who declares which name, and who uses it.
//!
//! A *fact* says of one token that it declares or uses a *symbol*, a name in its scope. Facts are found when a text is read, by the
//! query of its language (`grammars/<language>/reduce.scm`) or, without one, by equal text. They are about token identities, and an
//! edit only takes tokens out, so the facts of a version that an edit made are those of the version before it without what went: no
//! parse is needed, and the cost is that of the edit. What is kept per version is only how many tokens declare and use each symbol.
//!
//! The graph is an approximation, and may be: what a filter concludes from it saves questions, and the certificate at the end asks
//! them all the same.

mod facts;
mod later;
mod loss;
mod reach;
mod resolve;
mod table;

use std::sync::Arc;

use rustc_hash::FxBuildHasher;

use super::node::{Body, Node, NodeId, TokId};
use super::walk;
use table::Table;

pub(super) use facts::facts;
pub(super) use later::Later;
pub use loss::{Loss, loss};
pub use reach::going;

/// A name in its scope.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Symbol(pub u32);

/// What a token has to do with a symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Role {
    /// It declares it.
    Declares,
    /// It uses it.
    Uses,
}

/// What a token says.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Fact {
    /// Of what.
    pub symbol: Symbol,
    /// What.
    pub role: Role,
}

impl Fact {
    /// This fact, counted.
    pub fn count(self) -> Count {
        match self.role {
            Role::Declares => Count {
                declares: 1,
                uses: 0,
            },
            Role::Uses => Count {
                declares: 0,
                uses: 1,
            },
        }
    }
}

/// What sort of thing has a name.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A function, or a macro with parameters.
    Function,
    /// A variable, or a macro without.
    Var,
    /// A parameter of a function.
    Param,
    /// A type.
    Type,
    /// A structure, union or enumeration, by its tag.
    Struct,
    /// A field of a structure.
    Field,
    /// A value of an enumeration.
    Enumerator,
    /// A target of jumps.
    Label,
    /// A method, a property, or whatever else is reached through something: known by its name alone in the whole program.
    Member,
    /// A name of something outside of the program.
    Import,
    /// A variable that is there from its first assignment on, in the whole function.
    Binding,
    /// No declaration at all: what the function assigns to this name is a variable outside of it.
    Outer,
}

impl Kind {
    /// Whether any of several declarations does for a use. Which member a name means is not known here, and each assignment
    /// binds a variable.
    pub fn any_will_do(self) -> bool {
        matches!(self, Kind::Member | Kind::Import | Kind::Binding)
    }
}

/// How many tokens declare a symbol, and how many use it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Count {
    /// Tokens that declare it.
    pub declares: u32,
    /// Tokens that use it.
    pub uses: u32,
}

impl Count {
    /// Both.
    pub fn plus(self, other: Count) -> Count {
        Count {
            declares: self.declares + other.declares,
            uses: self.uses + other.uses,
        }
    }

    /// This without `other`, which is part of it.
    pub fn minus(self, other: Count) -> Count {
        Count {
            declares: self.declares.saturating_sub(other.declares),
            uses: self.uses.saturating_sub(other.uses),
        }
    }
}

/// Where a symbol is declared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Declared {
    /// The leaf with the name.
    pub leaf: NodeId,
    /// The first leaf of the declaration.
    pub from: NodeId,
    /// Where that name stood when the text was read.
    pub at: u32,
}

/// A list in braces that belongs to a function or a structure and could be empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Braced {
    /// Whose it is.
    pub owner: Kind,
    /// Its first leaf.
    pub leaf: NodeId,
}

/// A list of the parameters of something that can be called, or of the arguments of a call of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Row {
    /// What is called.
    pub of: Symbol,
    /// The list's first leaf.
    pub leaf: NodeId,
    /// Whether it is one of parameters.
    pub declares: bool,
    /// Whether what stands before the dot of a call is the first of them.
    pub receives: bool,
}

type Counts =
    imbl::GenericHashMap<Symbol, Count, FxBuildHasher, imbl::shared_ptr::DefaultSharedPtr>;

/// The name graph of one version. Cloning costs a few reference counts.
#[derive(Clone, Debug)]
pub struct Names {
    table: Arc<Table>,
    /// The symbols whose count is no longer that of the table.
    changed: Counts,
    lost: Arc<[Symbol]>,
}

impl Names {
    fn new(table: Table) -> Names {
        Names {
            table: Arc::new(table),
            changed: Counts::default(),
            lost: Arc::from([]),
        }
    }

    /// What a token says; none if it is no name.
    pub fn fact(&self, token: TokId) -> Option<Fact> {
        self.table.fact(token)
    }

    /// What the tokens of a leaf say.
    pub fn of_leaf<'a>(&'a self, leaf: &'a Node) -> impl Iterator<Item = Fact> + 'a {
        let ids = match &leaf.body {
            Body::Leaf { ids, .. } => &ids[..],
            Body::Inner(_) => &[],
        };
        ids.iter().filter_map(|&id| self.fact(id))
    }

    /// What all tokens below a node say, in order.
    pub fn below<'a>(&'a self, node: &'a Arc<Node>) -> impl Iterator<Item = Fact> + 'a {
        walk::leaves(node).flat_map(|leaf| self.of_leaf(leaf))
    }

    /// How many tokens declare and use a symbol.
    pub fn count(&self, symbol: Symbol) -> Count {
        self.changed
            .get(&symbol)
            .copied()
            .unwrap_or_else(|| self.table.count(symbol))
    }

    /// Its name.
    pub fn name(&self, symbol: Symbol) -> &Arc<str> {
        &self.table.symbol(symbol).name
    }

    /// What declares it; none for a name from outside.
    pub fn kind(&self, symbol: Symbol) -> Option<Kind> {
        self.table.symbol(symbol).kind
    }

    /// Whether what declares it must stay as long as something uses it, though another declaration may stay.
    pub fn needs_all(&self, symbol: Symbol) -> bool {
        !self.kind(symbol).is_some_and(Kind::any_will_do)
    }

    /// Whether the language refuses its declaration where nothing uses it.
    pub fn must_be_used(&self, symbol: Symbol) -> bool {
        self.table.symbol(symbol).must
    }

    /// Whether there is a symbol of which that is so.
    pub fn any_must_be_used(&self) -> bool {
        self.table.any_must
    }

    /// Where it was declared when the text was read; some may be gone.
    pub fn declared_by(&self, symbol: Symbol) -> &[Declared] {
        &self.table.symbol(symbol).declared_by
    }

    /// What goes with its declarations, by its use there (methods outside of their class); some may be gone.
    pub fn belongings(&self, symbol: Symbol) -> &[Declared] {
        &self.table.symbol(symbol).belongings
    }

    /// The leaves that used it when the text was read; some may be gone.
    pub fn used_by(&self, symbol: Symbol) -> &[NodeId] {
        self.table.used_by(symbol)
    }

    /// All symbols, also those that are gone.
    pub fn symbols(&self) -> impl Iterator<Item = Symbol> + use<> {
        (0..self.table.len()).map(Symbol)
    }

    /// The lists in braces that the text had when it was read, in order; some may be gone.
    pub fn braced(&self) -> &[Braced] {
        &self.table.braced
    }

    /// Whether a body that is emptied keeps the statement that begins with this token, if it is the last.
    pub fn ends_body(&self, token: TokId) -> bool {
        self.table.returns.contains(&token)
    }

    /// The list of parameters or arguments that begins with this token.
    pub fn row(&self, token: TokId) -> Option<Row> {
        self.table.row_at(token)
    }

    /// The lists of parameters and arguments of a symbol, in the order of the text; some may be gone.
    pub fn rows(&self, symbol: Symbol) -> impl Iterator<Item = Row> + '_ {
        self.table.rows(symbol)
    }

    /// The symbols of which the edit that made this version took a declaration or a use, in the order of their numbers.
    pub fn lost(&self) -> &[Symbol] {
        &self.lost
    }

    /// The graph without what an edit takes out.
    fn without(&self, loss: &Loss) -> Names {
        let mut changed = self.changed.clone();
        let mut lost: Vec<Symbol> = loss.iter().map(|(symbol, _)| symbol).collect();
        lost.sort_unstable();
        for (symbol, gone) in loss.iter() {
            changed.insert(symbol, self.count(symbol).minus(gone));
        }
        Names {
            table: self.table.clone(),
            changed,
            lost: lost.into(),
        }
    }
}
