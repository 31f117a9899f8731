//! All facts that were found when a text was read.

use std::collections::hash_map::Entry;
use std::ops::Range;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};
use smallvec::SmallVec;

use super::super::apply::FRESH;
use super::super::node::{NodeId, TokId};
use super::reach::{Place, Reach};
use super::{Braced, Count, Declared, Fact, Kind, Role, Row, Symbol};

/// What was found; shared by all versions until the text is read again.
#[derive(Debug, Default)]
pub struct Table {
    /// By the number of a token of the original: no fact, or one.
    original: Vec<Packed>,
    /// For tokens that an edit made.
    fresh: FxHashMap<TokId, Packed>,
    /// Where a token of the original stood, and one that an edit made.
    places: Vec<Place>,
    fresh_places: FxHashMap<TokId, Place>,
    symbols: Vec<Named>,
    /// The leaves that use a symbol, sorted by symbol; `Named::uses_end` says where they end.
    used_by: Vec<NodeId>,
    /// Where those stood.
    used_at: Vec<Place>,
    pub reach: Reach,
    pub braced: Vec<Braced>,
    /// The first tokens of statements that a body keeps.
    pub returns: FxHashSet<TokId>,
    /// Lists of parameters and arguments: sorted by symbol, each in the order of the text, once all are noted.
    rows: Vec<Row>,
    /// By their first tokens.
    row_at: FxHashMap<TokId, Row>,
    /// Whether some symbol must be used.
    pub any_must: bool,
}

/// What there is to say of a symbol.
#[derive(Debug)]
pub struct Named {
    pub name: Arc<str>,
    pub kind: Option<Kind>,
    pub declared_by: SmallVec<[Declared; 1]>,
    /// Uses in what goes with it.
    pub belongings: Vec<Declared>,
    /// Whether the language refuses its declaration where nothing uses it.
    pub must: bool,
    count: Count,
    uses_end: u32,
}

/// A fact in 32 bits; 0 for none.
#[derive(Clone, Copy, Debug, Default)]
struct Packed(u32);

impl Packed {
    fn new(fact: Fact) -> Packed {
        Packed((fact.symbol.0 + 1) << 1 | u32::from(fact.role == Role::Declares))
    }

    fn fact(self) -> Option<Fact> {
        let role = if self.0 & 1 == 1 {
            Role::Declares
        } else {
            Role::Uses
        };
        let symbol = (self.0 >> 1).checked_sub(1).map(Symbol)?;
        Some(Fact { symbol, role })
    }
}

impl Table {
    /// A new symbol.
    pub fn name(&mut self, name: Arc<str>, kind: Option<Kind>) -> Symbol {
        self.symbols.push(Named {
            name,
            kind,
            declared_by: SmallVec::new(),
            belongings: Vec::new(),
            must: false,
            count: Count::default(),
            uses_end: 0,
        });
        Symbol(self.symbols.len() as u32 - 1)
    }

    /// The language refuses the declaration of this symbol where nothing uses it.
    pub fn must_be_used(&mut self, symbol: Symbol) {
        self.symbols[symbol.0 as usize].must = true;
        self.any_must = true;
    }

    /// The next token in the order of the text stands at this place.
    pub fn stands(&mut self, token: TokId, place: Place) {
        if token.0 & FRESH != 0 {
            self.fresh_places.insert(token, place);
        } else {
            let at = token.0 as usize;
            if at >= self.places.len() {
                self.places.resize(at + 1, 0);
            }
            self.places[at] = place;
        }
    }

    /// Where a token stood when the text was read; none if it is new.
    pub fn place(&self, token: TokId) -> Option<Place> {
        let place = if token.0 & FRESH != 0 {
            self.fresh_places.get(&token)
        } else {
            self.places.get(token.0 as usize)
        };
        place.copied().filter(|&place| place != 0)
    }

    /// Notes what a token says. `declared` says where it stands; `belongs`, whether what uses it there goes with it.
    pub fn note(&mut self, token: TokId, declared: Declared, fact: Fact, belongs: bool) {
        let packed = Packed::new(fact);
        if token.0 & FRESH != 0 {
            self.fresh.insert(token, packed);
        } else {
            let at = token.0 as usize;
            if at >= self.original.len() {
                self.original.resize(at + 1, Packed::default());
            }
            self.original[at] = packed;
        }
        let named = &mut self.symbols[fact.symbol.0 as usize];
        named.count = named.count.plus(fact.count());
        if fact.role == Role::Declares {
            named.declared_by.push(declared);
        } else if belongs {
            named.belongings.push(declared);
        }
    }

    /// Notes a list of parameters or arguments that begins with this token.
    pub fn row(&mut self, token: TokId, row: Row) {
        if let Entry::Vacant(free) = self.row_at.entry(token) {
            free.insert(row);
            self.rows.push(row);
        }
    }

    pub fn row_at(&self, token: TokId) -> Option<Row> {
        self.row_at.get(&token).copied()
    }

    pub fn rows(&self, symbol: Symbol) -> impl Iterator<Item = Row> + '_ {
        let from = self.rows.partition_point(|row| row.of < symbol);
        let rows = self.rows[from..].iter().copied();
        rows.take_while(move |row| row.of == symbol)
    }

    /// All facts are noted; these are the uses among them.
    pub fn finish(&mut self, mut uses: Vec<(Symbol, NodeId, Place)>) {
        self.rows.sort_by_key(|row| row.of);
        uses.sort_by_key(|&(symbol, _, place)| (symbol, place));
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
            let symbol = Symbol(number as u32);
            declared.extend(named.declared_by.iter().map(|by| (by.at, symbol, range)));
        }
        self.used_by = uses.iter().map(|(_, leaf, _)| *leaf).collect();
        self.used_at = uses.iter().map(|(.., place)| *place).collect();
        self.reach = Reach::new(declared);
    }

    pub fn fact(&self, token: TokId) -> Option<Fact> {
        let packed = if token.0 & FRESH != 0 {
            self.fresh.get(&token)
        } else {
            self.original.get(token.0 as usize)
        };
        packed.copied().unwrap_or_default().fact()
    }

    pub fn symbol(&self, symbol: Symbol) -> &Named {
        &self.symbols[symbol.0 as usize]
    }

    pub fn count(&self, symbol: Symbol) -> Count {
        self.symbol(symbol).count
    }

    pub fn used_by(&self, symbol: Symbol) -> &[NodeId] {
        &self.used_by[self.uses(symbol)]
    }

    /// Where [`Self::used_by`] stood, in order.
    pub fn used_at(&self, symbol: Symbol) -> &[Place] {
        &self.used_at[self.uses(symbol)]
    }

    fn uses(&self, symbol: Symbol) -> Range<usize> {
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
