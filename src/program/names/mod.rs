//! The name graph: which token declares or uses which name.
//!
//! An *occurrence* is a token that declares or uses a *symbol*, which is a name in its scope. Occurrences are found when a text is read, by
//! the query of its language (`grammars/<language>/reduce.scm`; that of C explains the captures), and again at each reparse. `resolve.rs`
//! finds the scope of each name. A language without a query has only uses, by equal text: its names tell what belongs together and keep
//! nothing from being removed.
//!
//! Occurrences refer to token identities, and an edit only deletes tokens. So all versions between two reads share them: no parse is
//! needed, and the cost is that of the edit. A version keeps only how many tokens declare and use each symbol whose count changed, and
//! computes even that when it is first needed (`lazy_graph.rs`). Filters need the names that are declared in what would be deleted and used
//! outside of it; `declaration_tree.rs` finds them.
//!
//! The graph may be an approximation: what a filter concludes from it only saves tests, and the certificate at the end makes them all the
//! same.

mod declaration_tree;
mod found_names;
mod graph_builder;
mod lazy_graph;
mod loss;
mod read_names;
mod resolve;
mod statement_names;
mod table;
mod text_leaves;
mod token_places;

use std::sync::Arc;

use rustc_hash::FxBuildHasher;

use super::node::{NodeId, ProgramNode, TokenId};
use super::walk;
use crate::protocol::abandon::count_round;
use table::NameTable;

pub use declaration_tree::removed_places;
pub(super) use found_names::{DocumentNames, FoundNames};
pub(super) use lazy_graph::LazyNameGraph;
pub use loss::{SymbolLosses, count_losses};
pub(super) use read_names::{NameSharing, ReadNames};
pub use statement_names::{any_own_name, any_removed_name, changed_place, visit_concerned_names};

/// A name in its scope.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct NameSymbol(pub u32);

/// What a token does with a symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum NameRole {
    /// It declares it.
    Declares,
    /// It uses it.
    Uses,
}

/// A token that declares or uses a symbol.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct NameOccurrence {
    /// The symbol.
    pub symbol: NameSymbol,
    /// Whether it declares or uses it.
    pub role: NameRole,
}

impl NameOccurrence {
    /// This occurrence as a count.
    pub fn to_count(self) -> SymbolCount {
        match self.role {
            NameRole::Declares => SymbolCount {
                declares: 1,
                uses: 0,
            },
            NameRole::Uses => SymbolCount {
                declares: 0,
                uses: 1,
            },
        }
    }
}

/// What a name stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum DeclarationKind {
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
    /// A method, a property, or another member: known by its name alone in the whole program.
    Member,
    /// A name of something outside of the program.
    Import,
    /// A variable that exists from its first assignment on, in the whole function.
    Binding,
    /// Not a declaration: what the function assigns to this name is a variable outside of it.
    Outer,
}

impl DeclarationKind {
    /// Whether any of several declarations is enough for a use. It is not known here which member a name refers to, and each assignment
    /// binds a variable.
    pub fn any_declaration_suffices(self) -> bool {
        matches!(
            self,
            DeclarationKind::Member | DeclarationKind::Import | DeclarationKind::Binding
        )
    }
}

/// How many tokens declare a symbol, and how many use it.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct SymbolCount {
    /// Tokens that declare it.
    pub declares: u32,
    /// Tokens that use it.
    pub uses: u32,
}

impl SymbolCount {
    /// Both.
    pub fn plus(self, other: SymbolCount) -> SymbolCount {
        SymbolCount {
            declares: self.declares + other.declares,
            uses: self.uses + other.uses,
        }
    }

    /// This without `other`, which is part of it.
    pub fn minus(self, other: SymbolCount) -> SymbolCount {
        SymbolCount {
            declares: self.declares.saturating_sub(other.declares),
            uses: self.uses.saturating_sub(other.uses),
        }
    }
}

/// Where a symbol is declared.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct DeclarationSite {
    /// The leaf with the name.
    pub leaf: NodeId,
    /// The first leaf of the declaration.
    pub first_leaf: NodeId,
    /// Where that name was when the text was read.
    pub place: u32,
}

/// What a symbol stands for: the leaves of a declaration that could stand in the place of each of its uses.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ValueSite {
    /// The first of the leaves.
    pub first_leaf: NodeId,
    /// The last of them.
    pub last_leaf: NodeId,
    /// What they are.
    pub part: ValuePart,
}

/// What a name stands for, as a part of a declaration or a statement.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ValuePart {
    /// A value that needs parentheses in the place of a use.
    Enclosed,
    /// A value or type that needs none.
    Bare,
    /// The body of a structure: behind the name it defines the structure in the place of its only use.
    Definition,
    /// What a namespace declares, in its brackets.
    Members,
    /// The body of a function, in its brackets.
    Body,
    /// What the last statement of the body of a function returns, or what its body is.
    Result,
    /// An assignment to the name that is a statement of its own, and could stand in the place of the next use.
    Update,
    /// What is assigned to the name: its declaration could have that as its value.
    Start,
    /// What is assigned to a member of the name.
    Member,
    /// The type of a member of this name.
    Type,
    /// The declarator of an array or a pointer of this name.
    Element,
    /// A type that the type of this name extends.
    Supertype,
    /// The word that says that the member of this name overrides another.
    OverrideWord,
    /// The type of what the function of this name returns.
    ReturnedType,
}

impl ValuePart {
    /// Whether it belongs to a use of the name, not to its declaration.
    pub fn is_of_use(self) -> bool {
        matches!(
            self,
            ValuePart::Update | ValuePart::Start | ValuePart::Member
        )
    }
}

/// A list in braces that belongs to a function or a structure and could be empty.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BracedList {
    /// The kind of its owner.
    pub owner: DeclarationKind,
    /// Its first leaf.
    pub leaf: NodeId,
}

/// What a parameter stands for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ParameterSort {
    /// A value, as in the parameters of a function or macro.
    Value,
    /// A type, as in the parameters of a template or of a generic class.
    Type,
}

/// A list of the parameters of a function, macro or template, or of the arguments of a use of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ParameterList {
    /// The symbol that is called, or that is a template.
    pub callee: NameSymbol,
    /// What the parameters stand for. A name may have lists of both.
    pub sort: ParameterSort,
    /// The list's first leaf.
    pub leaf: NodeId,
    /// Whether it is a list of parameters.
    pub is_declaration: bool,
    /// Whether the receiver before the dot of a call is the first of them.
    pub has_receiver: bool,
}

type SymbolCounts = imbl::GenericHashMap<
    NameSymbol,
    SymbolCount,
    FxBuildHasher,
    imbl::shared_ptr::DefaultSharedPtr,
>;

/// The name graph of one version. Cloning costs a few reference counts.
#[derive(Clone, Debug)]
pub struct NameGraph {
    table: Arc<NameTable>,
    /// The symbols whose count differs from that in the table.
    changed: SymbolCounts,
    lost: Arc<[NameSymbol]>,
}

impl NameGraph {
    fn new(table: NameTable) -> NameGraph {
        NameGraph {
            table: Arc::new(table),
            changed: SymbolCounts::default(),
            lost: Arc::from([]),
        }
    }

    /// What a token declares or uses; none if it is not a name.
    pub fn occurrence_of(&self, token: TokenId) -> Option<NameOccurrence> {
        self.table.occurrence_of(token)
    }

    /// What the tokens of a leaf declare or use.
    pub fn leaf_occurrences<'a>(
        &'a self,
        leaf: &'a ProgramNode,
    ) -> impl Iterator<Item = NameOccurrence> + 'a {
        let ids = leaf.ids().iter();
        ids.filter_map(|&id| self.occurrence_of(id))
    }

    /// What all tokens below a node declare or use, in order. Where all of them stand as they were read, the tree is not looked at.
    pub fn occurrences_below<'a>(
        &'a self,
        node: &'a Arc<ProgramNode>,
    ) -> impl Iterator<Item = NameOccurrence> + 'a {
        count_round();
        let read = self.table.occurrences_in_text(node);
        let leaves = read.is_none().then(|| walk::iter_leaves(node));
        let found = leaves.into_iter().flatten();
        let found = found.flat_map(|leaf| self.leaf_occurrences(leaf));
        read.into_iter().flatten().chain(found)
    }

    /// How many tokens declare and use a symbol.
    pub fn symbol_count(&self, symbol: NameSymbol) -> SymbolCount {
        self.changed
            .get(&symbol)
            .copied()
            .unwrap_or_else(|| self.table.symbol_count(symbol))
    }

    /// Its name.
    pub fn symbol_name(&self, symbol: NameSymbol) -> &Arc<str> {
        &self.table.symbol_entry(symbol).name
    }

    /// What declares it; none for a name from outside.
    pub fn declaration_kind(&self, symbol: NameSymbol) -> Option<DeclarationKind> {
        self.table.symbol_entry(symbol).kind
    }

    /// Whether an edit may change what it stands for: the program declares it, or the language has no query that knows declarations.
    pub fn may_change(&self, symbol: NameSymbol) -> bool {
        self.declaration_kind(symbol).is_some() || !self.table.any_declared
    }

    /// Whether its declaration must stay as long as something uses it, even if another declaration stays.
    pub fn needs_all_declarations(&self, symbol: NameSymbol) -> bool {
        !self
            .declaration_kind(symbol)
            .is_some_and(DeclarationKind::any_declaration_suffices)
    }

    /// Whether the language rejects its declaration where nothing uses it.
    pub fn must_be_used(&self, symbol: NameSymbol) -> bool {
        self.table.symbol_entry(symbol).must_be_used
    }

    /// Whether there is a symbol that must be used.
    pub fn any_must_be_used(&self) -> bool {
        self.table.any_must_be_used
    }

    /// Where it was declared when the text was read; some places may be gone.
    pub fn declaration_sites(&self, symbol: NameSymbol) -> &[DeclarationSite] {
        &self.table.symbol_entry(symbol).declaration_sites
    }

    /// What is removed with its declarations, by its use there (methods outside of their class); some may be gone.
    pub fn attached_sites(&self, symbol: NameSymbol) -> &[DeclarationSite] {
        &self.table.symbol_entry(symbol).attached_sites
    }

    /// What it stood for when the text was read, by each declaration that says so; none if a use changes that. Some may be gone.
    pub fn value_sites(&self, symbol: NameSymbol) -> impl Iterator<Item = &ValueSite> {
        let entry = self.table.symbol_entry(symbol);
        let sites = entry.values.iter().filter(|_| !entry.is_assigned);
        let is_value = |part| {
            matches!(
                part,
                ValuePart::Enclosed | ValuePart::Bare | ValuePart::Definition
            )
        };
        sites.filter(move |site| is_value(site.part))
    }

    /// The parts of this kind that the text had for it when it was read, in the order of the text. Some may be gone.
    pub fn value_parts(
        &self,
        symbol: NameSymbol,
        part: ValuePart,
    ) -> impl Iterator<Item = &ValueSite> {
        let entry = self.table.symbol_entry(symbol);
        entry.values.iter().filter(move |site| site.part == part)
    }

    /// Whether a use changed what it stands for when the text was read.
    pub fn is_assigned(&self, symbol: NameSymbol) -> bool {
        self.table.symbol_entry(symbol).is_assigned
    }

    /// The leaves that used it when the text was read; some may be gone.
    pub fn used_by(&self, symbol: NameSymbol) -> &[NodeId] {
        self.table.used_by(symbol)
    }

    /// All symbols, also those that are gone.
    pub fn symbols(&self) -> impl Iterator<Item = NameSymbol> + use<> {
        (0..self.table.len()).map(NameSymbol)
    }

    /// The lists in braces of the text when it was read, in order; some may be gone.
    pub fn braced_lists(&self) -> &[BracedList] {
        &self.table.braced_lists
    }

    /// Whether an emptied body keeps the statement that begins with this token, if it is the last.
    pub fn ends_body(&self, token: TokenId) -> bool {
        self.table.kept_statements.contains(&token)
    }

    /// Whether an assignment changes what this token names. Types before that name count too.
    pub fn is_assigned_at(&self, token: TokenId) -> bool {
        self.table.assigned_tokens.contains(&token)
    }

    /// The list of parameters or arguments that begins with this token.
    pub fn parameter_list_at(&self, token: TokenId) -> Option<ParameterList> {
        self.table.parameter_list_at(token)
    }

    /// The lists of parameters and arguments of a symbol, in the order of the text; some may be gone.
    pub fn parameter_lists(&self, symbol: NameSymbol) -> impl Iterator<Item = ParameterList> + '_ {
        self.table.parameter_lists(symbol)
    }

    /// The symbols that lost a declaration or a use by the edit that made this version, in the order of their numbers.
    pub fn lost_symbols(&self) -> &[NameSymbol] {
        &self.lost
    }

    /// The graph without what an edit removes.
    fn without_losses(&self, loss: &SymbolLosses) -> NameGraph {
        let mut changed = self.changed.clone();
        let mut lost: Vec<NameSymbol> = loss.iter().map(|(symbol, _)| symbol).collect();
        lost.sort_unstable();
        for (symbol, gone) in loss.iter() {
            changed.insert(symbol, self.symbol_count(symbol).minus(gone));
        }
        NameGraph {
            table: self.table.clone(),
            changed,
            lost: lost.into(),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::super::{EditOp, Replacement, Version, apply_edit, read_program, reparse_version};
    use super::*;

    fn check_occurrences(version: &Version) {
        let names = version.name_graph();
        for node in walk::preorder(&version.documents()[0].root) {
            let leaves = walk::iter_leaves(node).flat_map(|leaf| names.leaf_occurrences(leaf));
            let found: Vec<_> = names.occurrences_below(node).collect();
            assert_eq!(found, leaves.collect::<Vec<_>>());
        }
    }

    #[test]
    fn the_occurrences_below_a_node_are_those_of_its_leaves() {
        let text = "int a;\nint f(int b) {\n  if (a) { b = a; }\n  return b + a;\n}\nint c = 1;\n";
        let text: Arc<[u8]> = text.as_bytes().into();
        let files = vec![(Path::new("a.c").into(), text)];
        let mut version = read_program(files).expect("it can be read");
        check_occurrences(&version);
        let replace = |version: &Version, old: &[u8], new: &'static [u8]| {
            let leaves = walk::iter_leaves(&version.documents()[0].root);
            let old = leaves.filter(|leaf| leaf.text() == old).last();
            let node = old.expect("it is there").id;
            let piece = Replacement::Tokens([Arc::from(new)].into());
            apply_edit(version, &EditOp::Replace { node, piece }.into())
                .expect("an edit")
                .0
        };
        // New tokens that are no names, then one that is: before the text is read again, and behind it.
        for (old, new) in [(&b"1"[..], &b"2"[..]), (b"a", b"b"), (b"int", b"long")] {
            version = replace(&version, old, new);
            check_occurrences(&version);
            version = reparse_version(&version).expect("it can be parsed");
            check_occurrences(&version);
        }
    }
}
