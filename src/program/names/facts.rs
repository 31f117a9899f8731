//! Finding the facts of a text that was just read.

use std::collections::hash_map::Entry;
use std::sync::Arc;

use rustc_hash::FxHashMap;

use super::super::node::{Body, Node, NodeId, Shape, TokId};
use super::super::version::Document;
use super::super::walk;
use super::resolve::{Found, Mention, Scope, Scopes, Space};
use super::table::Table;
use super::{Braced, Declared, Fact, Kind, Names, Role, Symbol};
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
        texts: FxHashMap::default(),
        uses: Vec::new(),
    };
    // Declarations of all documents first: a use may stand before what it means.
    for (places, found) in &read {
        make.each(places, &found.mentions, true);
    }
    for (places, found) in &read {
        make.each(places, &found.mentions, false);
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
        declares: None,
        at: 0,
        from: place.start,
    });
    let mut found = Found::default();
    found.mentions.extend(mentions);
    found
}

struct Make<'a> {
    scopes: &'a Scopes,
    table: Table,
    known: FxHashMap<Key, Symbol>,
    /// Every name once.
    texts: FxHashMap<Arc<str>, Text>,
    uses: Vec<(Symbol, NodeId, u32)>,
}

impl Make<'_> {
    /// Notes the declarations among the mentions, or the uses.
    fn each(&mut self, places: &[Place], mentions: &[Mention], declarations: bool) {
        let mut at = 0;
        for mention in mentions {
            while places
                .get(at)
                .is_some_and(|place| place.start < mention.range.start)
            {
                at += 1;
            }
            // What is inside of an opaque token is no leaf of its own.
            let Some(place) = places.get(at).filter(|place| {
                place.start == mention.range.start && place.leaf.text().len() == mention.range.len()
            }) else {
                continue;
            };
            if mention.declares.is_some() == declarations {
                let from =
                    place_at(places, mention.from).map_or(place.leaf.id, |place| place.leaf.id);
                self.note(place, mention, from);
            }
        }
    }

    fn note(&mut self, place: &Place, mention: &Mention, from: NodeId) {
        let text = String::from_utf8_lossy(place.leaf.text());
        let name = match self.texts.get(&*text) {
            Some(&name) => name,
            None => {
                let name = self.texts.len() as Text;
                self.texts.insert(Arc::from(&*text), name);
                name
            }
        };
        let (symbol, role) = match mention.declares {
            Some(kind) => {
                let symbol =
                    self.symbol(&text, (mention.space, name, Some(mention.at)), Some(kind));
                (symbol, Role::Declares)
            }
            None => {
                let known = self.meant(mention, name);
                let symbol =
                    known.unwrap_or_else(|| self.symbol(&text, (mention.space, name, None), None));
                self.uses.push((symbol, place.leaf.id, place.number));
                (symbol, Role::Uses)
            }
        };
        let declared = Declared {
            leaf: place.leaf.id,
            from,
            at: place.number,
        };
        self.table
            .note(place.token, declared, Fact { symbol, role });
    }

    /// The symbol that a use means.
    fn meant(&self, mention: &Mention, name: Text) -> Option<Symbol> {
        let declared = |scope| self.known.get(&(mention.space, name, Some(scope)));
        self.scopes.around(mention.at).find_map(declared).copied()
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
