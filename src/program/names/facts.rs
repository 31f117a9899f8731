//! Finding the facts of a text that was just read.

use std::collections::hash_map::Entry;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::super::node::{Body, Node, NodeId, Shape, TokId};
use super::super::version::Document;
use super::super::walk;
use super::resolve::{Found, Look, Mention, Scope, Scopes, Space};
use super::table::Table;
use super::{Braced, Declared, Fact, Kind, Names, Role, Row, Symbol};
use crate::language::Language;
use crate::language::parser::{Capture, ParseTree};

/// A leaf that has text, where it begins, and its number among those of all documents.
struct Place<'a> {
    start: usize,
    number: u32,
    token: TokId,
    leaf: &'a Arc<Node>,
}

/// The places of a document; the table learns of them.
fn places<'a>(root: &'a Arc<Node>, table: &mut Table, number: &mut u32) -> Vec<Place<'a>> {
    let (mut places, mut at) = (Vec::with_capacity(root.sums.leaves as usize), 0);
    for leaf in walk::leaves(root) {
        let start = at + leaf.trivia().len();
        at = start + leaf.text().len();
        if let Body::Leaf { ids, .. } = &leaf.body
            && let Some(&token) = ids.first()
        {
            *number += 1;
            table.stands(token, *number);
            places.push(Place {
                start,
                number: *number,
                token,
                leaf,
            });
        }
    }
    places
}

fn place_at<'a, 'b>(places: &'b [Place<'a>], start: usize) -> Option<&'b Place<'a>> {
    let at = places.partition_point(|place| place.start < start);
    places.get(at).filter(|place| place.start == start)
}

/// What makes two mentions the same symbol: the name in its scope; none for a name from outside.
type Key = (Space, Text, Option<Scope>);

/// The number of a name's text.
type Text = u32;

/// What one look through all mentions is for. Declarations of all documents come first, since a use may stand before what it means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Round {
    /// Names that a function declares nothing by.
    Outer,
    Declarations,
    /// An import declares what the program does not.
    Imports,
    Uses,
}

impl Round {
    const ALL: [Round; 4] = [
        Round::Outer,
        Round::Declarations,
        Round::Imports,
        Round::Uses,
    ];

    /// Whether a mention may be for this round.
    fn concerns(self, mention: &Mention) -> bool {
        match (self, mention.declares) {
            (Round::Outer, kind) => kind == Some(Kind::Outer),
            (Round::Imports, kind) => kind == Some(Kind::Import),
            (Round::Declarations, None | Some(Kind::Outer | Kind::Import)) => false,
            (Round::Declarations, Some(_)) => true,
            (Round::Uses, kind) => matches!(kind, None | Some(Kind::Outer | Kind::Binding)),
        }
    }
}

/// The graph of these documents, of which `trees` are the parser's trees, and `captures` what the query found, where it was asked.
pub fn facts(
    documents: &[Document],
    trees: &[Option<ParseTree>],
    captures: Vec<Option<Vec<Capture>>>,
) -> Names {
    let (mut table, mut number) = (Table::default(), 0);
    let mut scopes = Scopes::new();
    let mut read = Vec::with_capacity(documents.len());
    for ((document, tree), captures) in documents.iter().zip(trees).zip(captures) {
        let places = places(&document.root, &mut table, &mut number);
        let found = match (document.language, tree) {
            (Some(language), Some(tree)) => match language.names() {
                Some(query) => {
                    let find = || query.find(tree, &language.mask(&walk::render(&document.root)));
                    scopes.read(&captures.unwrap_or_else(find))
                }
                None => words(&places, Some(language)),
            },
            _ => words(&places, None),
        };
        read.push((places, found));
    }
    let mut make = Make {
        scopes: &scopes,
        table,
        known: FxHashMap::default(),
        open: FxHashMap::default(),
        outer: FxHashSet::default(),
        texts: FxHashMap::default(),
        uses: Vec::new(),
    };
    for round in Round::ALL {
        for (places, found) in &read {
            make.each(places, &found.mentions, round);
        }
    }
    for (places, found) in &read {
        let braced = found.braced.iter();
        make.table
            .braced
            .extend(braced.filter_map(|&(start, owner)| {
                let leaf = place_at(places, start)?.leaf.id;
                Some(Braced { owner, leaf })
            }));
        let returns = found.returns.iter();
        let returns = returns.filter_map(|&start| place_at(places, start));
        make.table.returns.extend(returns.map(|place| place.token));
        for row in &found.rows {
            let (Some(callee), Some(list)) =
                (place_at(places, row.callee), place_at(places, row.start))
            else {
                continue;
            };
            if let Some(fact) = make.table.fact(callee.token) {
                let row = Row {
                    of: fact.symbol,
                    leaf: list.leaf.id,
                    declares: row.declares,
                    receives: row.receives,
                };
                make.table.row(list.token, row);
            }
        }
    }
    make.table.finish(make.uses);
    Names::new(make.table)
}

/// Without a query, every word is a use of a name from outside: names say what belongs together, not what must stay.
fn words(places: &[Place], language: Option<&'static Language>) -> Found {
    let is_word = |place: &&Place| {
        let first = place.leaf.text().first();
        let begins = first.is_some_and(|&b| b.is_ascii_alphabetic() || b == b'_' || b >= 0x80);
        // A token of a grammar that has no name of its own is a keyword.
        let named = match (language, place.leaf.class) {
            (Some(language), Some(class)) => language.grammar().is_named(class),
            _ => true,
        };
        begins && named && place.leaf.shape == Shape::Token
    };
    let mentions = places.iter().filter(is_word).map(|place| Mention {
        range: place.start..place.start + place.leaf.text().len(),
        space: Space::Ordinary,
        looks: &[Look::Around(Space::Ordinary)],
        declares: None,
        at: 0,
        from: place.start,
        belongs: false,
        must: false,
    });
    let mut found = Found::default();
    found.mentions.extend(mentions);
    found
}

struct Make<'a> {
    scopes: &'a Scopes,
    table: Table,
    known: FxHashMap<Key, Symbol>,
    /// What open scopes declare by each name; none if several do.
    open: FxHashMap<Text, Option<Symbol>>,
    /// What a function does not declare, whatever it assigns.
    outer: FxHashSet<(Scope, Text)>,
    /// Every name once.
    texts: FxHashMap<Arc<str>, Text>,
    uses: Vec<(Symbol, NodeId, u32)>,
}

impl Make<'_> {
    /// Notes those of the mentions that this round is for.
    fn each(&mut self, places: &[Place], mentions: &[Mention], round: Round) {
        let mut at = 0;
        for mention in mentions.iter().filter(|mention| round.concerns(mention)) {
            let ahead = &places[at..];
            at += ahead.partition_point(|place| place.start < mention.range.start);
            // What is inside of an opaque token is no leaf of its own.
            let Some(place) = places.get(at).filter(|place| {
                place.start == mention.range.start && place.leaf.text().len() == mention.range.len()
            }) else {
                continue;
            };
            let from = place_at(places, mention.from).map_or(place.leaf.id, |place| place.leaf.id);
            self.note(place, mention, from, round);
        }
    }

    fn note(&mut self, place: &Place, mention: &Mention, from: NodeId, round: Round) {
        let text = String::from_utf8_lossy(place.leaf.text());
        let text = match mention.declares {
            Some(Kind::Import) => last_word(&text),
            _ => &text,
        };
        let name = self.text(text);
        let outer = self.outer.contains(&(mention.at, name));
        match (round, mention.declares) {
            (Round::Outer, _) => {
                self.outer.insert((mention.at, name));
                return;
            }
            (Round::Declarations, Some(Kind::Binding)) if outer => return,
            (Round::Uses, Some(Kind::Binding)) if !outer => return,
            _ => {}
        }
        let (symbol, role) = match self.declares(mention, name) {
            Some(kind) => (self.declare(text, name, mention, kind), Role::Declares),
            None => {
                let outside = (mention.space, name, None);
                let known = self.meant(mention, name);
                let symbol = known.unwrap_or_else(|| self.symbol(text, outside, None));
                self.uses.push((symbol, place.leaf.id, place.number));
                if mention.declares == Some(Kind::Import) {
                    // From here on the name means that in the scope of the import.
                    let here = (mention.space, name, Some(mention.at));
                    self.known.entry(here).or_insert(symbol);
                }
                (symbol, Role::Uses)
            }
        };
        let declared = Declared {
            leaf: place.leaf.id,
            from,
            at: place.number,
        };
        let fact = Fact { symbol, role };
        self.table
            .note(place.token, declared, fact, mention.belongs);
    }

    /// The number of a name.
    fn text(&mut self, text: &str) -> Text {
        if let Some(&name) = self.texts.get(text) {
            return name;
        }
        let name = self.texts.len() as Text;
        self.texts.insert(Arc::from(text), name);
        name
    }

    /// What a mention declares, now that it is known what else the program declares.
    fn declares(&self, mention: &Mention, name: Text) -> Option<Kind> {
        let kind = mention.declares?;
        let own = match kind {
            Kind::Outer => false,
            Kind::Binding => !self.outer.contains(&(mention.at, name)),
            Kind::Import => {
                let meant = self.meant(mention, name);
                meant.is_none_or(|symbol| self.table.symbol(symbol).kind == Some(Kind::Import))
            }
            _ => true,
        };
        own.then_some(kind)
    }

    fn declare(&mut self, text: &str, name: Text, mention: &Mention, kind: Kind) -> Symbol {
        let symbol = self.symbol(text, (mention.space, name, Some(mention.at)), Some(kind));
        if mention.must {
            self.table.must_be_used(symbol);
        }
        let open = mention.space == Space::Ordinary && kind != Kind::Param;
        if open && kind != Kind::Import && self.scopes.is_open(mention.at) {
            let only = self.open.entry(name).or_insert(Some(symbol));
            *only = only.filter(|&only| only == symbol);
        }
        symbol
    }

    /// The symbol that a use means.
    fn meant(&self, mention: &Mention, name: Text) -> Option<Symbol> {
        mention.looks.iter().find_map(|look| match *look {
            Look::Around(space) => {
                let declared = |scope| self.known.get(&(space, name, Some(scope)));
                self.scopes.around(mention.at).find_map(declared).copied()
            }
            Look::Open => self.open.get(&name).copied().flatten(),
        })
    }

    fn symbol(&mut self, text: &str, key: Key, kind: Option<Kind>) -> Symbol {
        match self.known.entry(key) {
            Entry::Occupied(known) => *known.get(),
            Entry::Vacant(free) => {
                let text = self.texts.get_key_value(text).map(|(text, _)| text.clone());
                *free.insert(self.table.name(text.unwrap_or_default(), kind))
            }
        }
    }
}

/// What a path in quotes is called by: its last word.
fn last_word(text: &str) -> &str {
    let is_part = |c: char| c.is_alphanumeric() || c == '_' || c == '$';
    let end = text.rfind(is_part).map_or(text, |at| {
        let last = text[at..].chars().next().map_or(0, char::len_utf8);
        &text[..at + last]
    });
    let start = end.rfind(|c| !is_part(c)).map_or(0, |at| {
        at + end[at..].chars().next().map_or(0, char::len_utf8)
    });
    &end[start..]
}
