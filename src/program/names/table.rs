//! All name occurrences that were found when a text was read.

use std::collections::hash_map::Entry;
use std::ops::Range;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use super::super::node::{FRESH_BIT, NodeId, ProgramNode, TokenId};
use super::super::walk;
use super::declaration_tree::DeclarationTree;
use super::token_places::{TokenPlace, TokenPlaces};
use super::{
    BracedList, DeclarationKind, DeclarationSite, NameOccurrence, NameRole, NameSymbol,
    ParameterList, SymbolCount, ValueSite,
};

/// All that was found; shared by all versions until the text is read again.
#[derive(Debug, Default)]
pub struct NameTable {
    /// By the number of a token of the original: no occurrence, or one.
    original: Vec<PackedOccurrence>,
    /// For tokens that an edit made.
    fresh: FxHashMap<TokenId, PackedOccurrence>,
    /// Where all tokens stood.
    places: TokenPlaces,
    symbols: Vec<SymbolEntry>,
    /// The leaves that use a symbol, sorted by symbol; `SymbolEntry::uses_end` says where they end.
    used_by: Vec<NodeId>,
    /// Where those stood.
    used_at: Vec<TokenPlace>,
    pub declaration_tree: DeclarationTree,
    pub braced_lists: Vec<BracedList>,
    /// The first tokens of statements that a body keeps.
    pub kept_statements: FxHashSet<TokenId>,
    /// The names that assignments change.
    pub assigned_tokens: FxHashSet<TokenId>,
    /// Lists of parameters and arguments, sorted by symbol once all are added; those of one symbol are in the order of the text.
    parameter_lists: Vec<ParameterList>,
    /// By their first tokens.
    list_by_token: FxHashMap<TokenId, ParameterList>,
    /// Whether some symbol must be used.
    pub any_must_be_used: bool,
    /// Whether some symbol has a declaration.
    pub any_declared: bool,
}

/// All that is known of a symbol.
#[derive(Debug)]
pub struct SymbolEntry {
    pub name: Arc<str>,
    pub kind: Option<DeclarationKind>,
    pub declaration_sites: SmallVec<[DeclarationSite; 1]>,
    /// Uses in what is removed with it.
    pub attached_sites: Vec<DeclarationSite>,
    /// Whether the language rejects its declaration where nothing uses it.
    pub must_be_used: bool,
    /// What it stands for, by each of its declarations that says so.
    pub values: SmallVec<[ValueSite; 1]>,
    /// Whether a use changes what it stands for.
    pub is_assigned: bool,
    count: SymbolCount,
    uses_end: u32,
}

/// An occurrence in 32 bits; 0 for none.
#[derive(Clone, Copy, Debug, Default)]
struct PackedOccurrence(u32);

impl PackedOccurrence {
    fn new(fact: NameOccurrence) -> PackedOccurrence {
        PackedOccurrence((fact.symbol.0 + 1) << 1 | u32::from(fact.role == NameRole::Declares))
    }

    fn unpack_occurrence(self) -> Option<NameOccurrence> {
        let role = if self.0 & 1 == 1 {
            NameRole::Declares
        } else {
            NameRole::Uses
        };
        let symbol = (self.0 >> 1).checked_sub(1).map(NameSymbol)?;
        Some(NameOccurrence { symbol, role })
    }
}

impl NameTable {
    /// There will be so many more tokens. A table that grows as it is filled is copied again and again, and ends larger than it need be.
    pub fn reserve_tokens(&mut self, more: usize) {
        self.original.reserve(more + 1);
    }

    /// A new symbol.
    pub fn add_symbol(&mut self, name: Arc<str>, kind: Option<DeclarationKind>) -> NameSymbol {
        self.any_declared |= kind.is_some();
        self.symbols.push(SymbolEntry {
            name,
            kind,
            declaration_sites: SmallVec::new(),
            attached_sites: Vec::new(),
            must_be_used: false,
            values: SmallVec::new(),
            is_assigned: false,
            count: SymbolCount::default(),
            uses_end: 0,
        });
        NameSymbol(self.symbols.len() as u32 - 1)
    }

    /// The language rejects the declaration of this symbol where nothing uses it.
    pub fn require_use(&mut self, symbol: NameSymbol) {
        self.symbols[symbol.0 as usize].must_be_used = true;
        self.any_must_be_used = true;
    }

    /// A declaration says what this symbol stands for.
    pub fn add_value(&mut self, symbol: NameSymbol, value: ValueSite) {
        self.symbols[symbol.0 as usize].values.push(value);
    }

    /// A use changes what this symbol stands for.
    pub fn mark_assigned(&mut self, symbol: NameSymbol) {
        self.symbols[symbol.0 as usize].is_assigned = true;
    }

    /// The next token in the order of the text stands at this place.
    pub fn set_place(&mut self, token: TokenId, place: TokenPlace) {
        self.places.set_place(token, place);
    }

    /// Where a token stood when the text was read; none if it is new.
    pub fn place_of(&self, token: TokenId) -> Option<TokenPlace> {
        self.places.place_of(token)
    }

    /// Adds an occurrence. `declared` is the place of its declaration; `belongs` says whether that is removed with the symbol.
    pub fn add_occurrence(
        &mut self,
        token: TokenId,
        declared: DeclarationSite,
        fact: NameOccurrence,
        belongs: bool,
    ) {
        let packed = PackedOccurrence::new(fact);
        if token.0 & FRESH_BIT != 0 {
            self.fresh.insert(token, packed);
        } else {
            let at = token.0 as usize;
            if at >= self.original.len() {
                self.original.resize(at + 1, PackedOccurrence::default());
            }
            self.original[at] = packed;
        }
        let named = &mut self.symbols[fact.symbol.0 as usize];
        named.count = named.count.plus(fact.to_count());
        if fact.role == NameRole::Declares {
            named.declaration_sites.push(declared);
        } else if belongs {
            named.attached_sites.push(declared);
        }
    }

    /// Adds a list of parameters or arguments that begins with this token.
    pub fn add_parameter_list(&mut self, token: TokenId, list: ParameterList) {
        if let Entry::Vacant(free) = self.list_by_token.entry(token) {
            free.insert(list);
            self.parameter_lists.push(list);
        }
    }

    pub fn parameter_list_at(&self, token: TokenId) -> Option<ParameterList> {
        self.list_by_token.get(&token).copied()
    }

    pub fn parameter_lists(&self, symbol: NameSymbol) -> impl Iterator<Item = ParameterList> + '_ {
        let from = self
            .parameter_lists
            .partition_point(|list| list.callee < symbol);
        let lists = self.parameter_lists[from..].iter().copied();
        lists.take_while(move |list| list.callee == symbol)
    }

    /// All occurrences are added; these are the uses among them.
    pub fn build_indexes(&mut self, mut uses: Vec<(NameSymbol, NodeId, TokenPlace)>) {
        self.parameter_lists.sort_by_key(|list| list.callee);
        uses.sort_unstable_by_key(|&(symbol, _, place)| (symbol, place));
        let mut declared = Vec::new();
        let mut end = 0;
        for (number, named) in self.symbols.iter_mut().enumerate() {
            let start = end;
            end += uses[start..]
                .iter()
                .take_while(|(symbol, ..)| symbol.0 as usize == number)
                .count();
            named.uses_end = end as u32;
            let own = &uses[start..end];
            let range = own.first().zip(own.last());
            let range = range.map(|(first, last)| (first.2, last.2));
            let symbol = NameSymbol(number as u32);
            declared.extend(
                named
                    .declaration_sites
                    .iter()
                    .map(|by| (by.place, symbol, range)),
            );
        }
        self.used_by = uses.iter().map(|(_, leaf, _)| *leaf).collect();
        self.used_at = uses.iter().map(|(.., place)| *place).collect();
        self.declaration_tree = DeclarationTree::new(declared);
    }

    pub fn occurrence_of(&self, token: TokenId) -> Option<NameOccurrence> {
        let packed = if token.0 & FRESH_BIT != 0 {
            self.fresh.get(&token)
        } else {
            self.original.get(token.0 as usize)
        };
        packed.copied().unwrap_or_default().unpack_occurrence()
    }

    /// What the tokens below a node declare or use, where its text stands in the file as it was read: then its tokens are all those from its
    /// first to its last. None for other nodes, and if the text that was read had tokens that an edit had made.
    pub fn occurrences_in_text(
        &self,
        node: &Arc<ProgramNode>,
    ) -> Option<impl Iterator<Item = NameOccurrence> + '_> {
        node.span().filter(|_| self.fresh.is_empty())?;
        let ends = [walk::first_token(node)?, walk::last_token(node)?];
        if ends.iter().any(|token| token.0 & FRESH_BIT != 0) {
            return None;
        }
        let [first, last] = ends.map(|token| token.0 as usize);
        let end = (last + 1).min(self.original.len());
        let tokens = self.original.get(first.min(end)..end)?;
        Some(
            tokens
                .iter()
                .filter_map(|packed| packed.unpack_occurrence()),
        )
    }

    pub fn symbol_entry(&self, symbol: NameSymbol) -> &SymbolEntry {
        &self.symbols[symbol.0 as usize]
    }

    pub fn symbol_count(&self, symbol: NameSymbol) -> SymbolCount {
        self.symbol_entry(symbol).count
    }

    pub fn used_by(&self, symbol: NameSymbol) -> &[NodeId] {
        &self.used_by[self.use_range(symbol)]
    }

    /// Where [`Self::used_by`] stood, in order.
    pub fn used_at(&self, symbol: NameSymbol) -> &[TokenPlace] {
        &self.used_at[self.use_range(symbol)]
    }

    fn use_range(&self, symbol: NameSymbol) -> Range<usize> {
        let number = symbol.0 as usize;
        let start = number
            .checked_sub(1)
            .map_or(0, |before| self.symbols[before].uses_end as usize);
        start..self.symbols[number].uses_end as usize
    }

    pub fn len(&self) -> u32 {
        self.symbols.len() as u32
    }
}
