//! Finding the name occurrences of a text that was just read.

use std::collections::hash_map::Entry;
use std::sync::Arc;

use rustc_hash::{FxHashMap, FxHashSet};

use super::super::node::{NodeId, NodeShape, ProgramNode};
use super::super::walk;
use super::found_names::FoundNames;
use super::read_names::{NameSharing, ReadNames};
use super::resolve::{
    LookupOrder, LookupRule, NameMention, NameSpace, ResolvedCaptures, ScopeId, ScopeTree,
};
use super::table::NameTable;
use super::text_leaves::{TextLeaf, TextLeaves};
use super::{
    BracedList, DeclarationKind, DeclarationSite, NameGraph, NameOccurrence, NameRole, NameSymbol,
    ParameterList, ValueSite,
};
use crate::language::Language;

/// The identity of a symbol: the name in its scope; no scope for a name from outside.
type SymbolKey = (NameSpace, TextNumber, Option<ScopeId>);

/// The number of the name.
type TextNumber = u32;

/// The most documents whose names are numbered apart: the two of a pair.
const SIDES: TextNumber = 2;

/// What one pass over all mentions resolves. Declarations of all documents come first, since a use may stand before its declaration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum ResolutionRound {
    /// Names that a function uses but does not declare (`global` in Python).
    Outer,
    Declarations,
    /// An import declares what the program itself does not.
    Imports,
    Uses,
}

impl ResolutionRound {
    const ALL: [ResolutionRound; 4] = [
        ResolutionRound::Outer,
        ResolutionRound::Declarations,
        ResolutionRound::Imports,
        ResolutionRound::Uses,
    ];

    /// Whether this round handles a mention.
    fn handles_mention(self, mention: &NameMention) -> bool {
        match (self, mention.declares) {
            (ResolutionRound::Outer, kind) => kind == Some(DeclarationKind::Outer),
            (ResolutionRound::Imports, kind) => kind == Some(DeclarationKind::Import),
            (
                ResolutionRound::Declarations,
                None | Some(DeclarationKind::Outer | DeclarationKind::Import),
            ) => false,
            (ResolutionRound::Declarations, Some(_)) => true,
            (ResolutionRound::Uses, kind) => matches!(
                kind,
                None | Some(DeclarationKind::Outer | DeclarationKind::Binding)
            ),
        }
    }
}

/// The graph of a text that was read. What is found in it meanwhile is kept there, in case that the work is interrupted.
pub fn build_name_graph(text: &mut ReadNames) -> NameGraph {
    let ReadNames {
        documents,
        parses,
        found: FoundNames {
            scopes,
            documents: found,
        },
        sharing,
    } = text;
    let (mut table, mut before) = (NameTable::default(), 0);
    let mut read = Vec::with_capacity(documents.len());
    found.resize_with(documents.len(), || None);
    for ((document, parse), found) in documents.iter().zip(&**parses).zip(found) {
        let leaves = TextLeaves::list_leaves(&document.root, &mut table, before);
        before = leaves.end();
        let mut find = || match (document.language, parse) {
            (Some(language), Some(parse)) => {
                let tree = language.has_names().then(|| parse.tree()).flatten();
                let captured = tree.and_then(|tree| {
                    let text = walk::render_text(&document.root);
                    scopes.find_names(language, tree, &language.mask_text(&text))
                });
                captured.unwrap_or_else(|| mentions_from_words(&leaves, Some(language)))
            }
            _ => mentions_from_words(&leaves, None),
        };
        let found = &*found.get_or_insert_with(&mut find);
        read.push((leaves, found, document.language));
    }
    let mentions = read.iter().map(|(_, found, _)| found.mentions.len()).sum();
    let mut make = NameGraphBuilder {
        scopes,
        table,
        symbols: FxHashMap::default(),
        open_symbols: FxHashMap::default(),
        outer: FxHashSet::default(),
        texts: FxHashMap::default(),
        side: 0,
        language: None,
        uses: Vec::with_capacity(mentions),
    };
    for round in ResolutionRound::ALL {
        for (side, (leaves, found, language)) in (0..).zip(&read) {
            make.language = *language;
            make.side = match *sharing {
                NameSharing::Program => 0,
                NameSharing::Document => side,
            };
            make.add_mentions(leaves, &found.mentions, round);
        }
    }
    for (leaves, found, _) in &read {
        let braced = found.braced_lists.iter();
        make.table
            .braced_lists
            .extend(braced.filter_map(|&(start, owner)| {
                let leaf = leaves.starting_at(start)?.leaf.id;
                Some(BracedList { owner, leaf })
            }));
        let returns = found.kept_statements.iter();
        let returns = returns.filter_map(|&start| leaves.first_of_node(start));
        make.table
            .kept_statements
            .extend(returns.map(|first| first.token()));
        for assigned in &found.assigned {
            for token in leaves.leaves_in(assigned).map(|leaf| leaf.token()) {
                let Some(named) = make.table.occurrence_of(token) else {
                    continue;
                };
                make.table.assigned_tokens.insert(token);
                // A type may be that of a cast, or a class that is a value.
                let kind = make.table.symbol_entry(named.symbol).kind;
                if !matches!(kind, Some(DeclarationKind::Type | DeclarationKind::Struct)) {
                    break;
                }
            }
        }
        for found in &found.values {
            let declared = leaves.starting_at(found.name);
            let declared = declared.and_then(|name| make.table.occurrence_of(name.token()));
            let is_of_use = found.part.is_of_use();
            if let Some(fact) = declared.filter(|fact| is_of_use || fact.role == NameRole::Declares)
                && let mut inside = leaves.leaves_in(&found.range)
                && let Some(first) = inside.next()
            {
                let value = ValueSite {
                    first_leaf: first.leaf.id,
                    last_leaf: inside.next_back().unwrap_or(first).leaf.id,
                    part: found.part,
                };
                make.table.add_value(fact.symbol, value);
            }
        }
        for found in &found.parameter_lists {
            let (Some(callee), Some(start)) = (
                leaves.starting_at(found.callee),
                leaves.starting_at(found.start),
            ) else {
                continue;
            };
            if let Some(fact) = make.table.occurrence_of(callee.token()) {
                let list = ParameterList {
                    callee: fact.symbol,
                    sort: found.sort,
                    leaf: start.leaf.id,
                    is_declaration: found.is_declaration,
                    has_receiver: found.has_receiver,
                };
                make.table.add_parameter_list(start.token(), list);
            }
        }
    }
    // What was only needed to find the names takes as much memory as the indexes.
    drop(read);
    let (mut table, uses) = make.into_table();
    table.build_indexes(uses);
    NameGraph::new(table)
}

/// Without a query, every word is a use of a name from outside: names tell what belongs together, not what must stay.
fn mentions_from_words(
    leaves: &TextLeaves,
    language: Option<&'static Language>,
) -> ResolvedCaptures {
    let is_word = |(_, leaf): &(u32, &Arc<ProgramNode>)| {
        let first = leaf.text().first();
        let begins = first.is_some_and(|&b| b.is_ascii_alphabetic() || b == b'_' || b >= 0x80);
        // A token without a name of its own in the grammar is a keyword.
        let named = match (language, leaf.class) {
            (Some(language), Some(class)) => language.grammar().is_named(class),
            _ => true,
        };
        begins && named && leaf.shape == NodeShape::Token
    };
    let mentions = leaves
        .iter()
        .filter(is_word)
        .map(|(start, leaf)| NameMention {
            range: start..start + leaf.text().len() as u32,
            space: NameSpace::Ordinary,
            lookups: LookupOrder::Ordinary,
            declares: None,
            scope: 0,
            declaration_start: start,
            is_attached: false,
            must_be_used: false,
            is_assigned: false,
        });
    let mut found = ResolvedCaptures::default();
    found.mentions.extend(mentions);
    found
}

struct NameGraphBuilder<'a> {
    scopes: &'a ScopeTree,
    table: NameTable,
    symbols: FxHashMap<SymbolKey, NameSymbol>,
    /// What open scopes declare by each name; none if several do.
    open_symbols: FxHashMap<TextNumber, Option<NameSymbol>>,
    /// Names that a function does not declare, although it assigns to them.
    outer: FxHashSet<(ScopeId, TextNumber)>,
    /// Every name once.
    texts: FxHashMap<Arc<str>, TextNumber>,
    /// The document whose names are numbered apart from those of others; 0 where all share their names.
    side: TextNumber,
    /// The language of that document.
    language: Option<&'static Language>,
    uses: Vec<(NameSymbol, NodeId, u32)>,
}

impl NameGraphBuilder<'_> {
    /// What was recorded: the table, and the uses.
    fn into_table(self) -> (NameTable, Vec<(NameSymbol, NodeId, u32)>) {
        (self.table, self.uses)
    }

    /// Records those of the mentions that this round handles.
    fn add_mentions(
        &mut self,
        leaves: &TextLeaves,
        mentions: &[NameMention],
        round: ResolutionRound,
    ) {
        let mut at = 0;
        for mention in mentions
            .iter()
            .filter(|mention| round.handles_mention(mention))
        {
            at = leaves.walk_to(at, mention.range.start);
            let leaf = leaves.get_starting_at(at, mention.range.start);
            // What is inside an opaque token has no leaf of its own.
            let is_whole = |own: &TextLeaf| own.leaf.text().len() == mention.range.len();
            let Some(leaf) = leaf.filter(is_whole) else {
                continue;
            };
            let own = mention.declaration_start == mention.range.start;
            let from = if own {
                None
            } else {
                leaves.first_of_node(mention.declaration_start as usize)
            };
            let from = from.unwrap_or(leaf).leaf.id;
            self.add_mention(leaf, mention, from, round);
        }
    }

    fn add_mention(
        &mut self,
        own: TextLeaf,
        mention: &NameMention,
        from: NodeId,
        round: ResolutionRound,
    ) {
        let text = String::from_utf8_lossy(own.leaf.text());
        let text = match mention.declares {
            Some(DeclarationKind::Import) => last_word(&text),
            _ => &text,
        };
        let name = SIDES * self.intern_text(text) + self.side;
        let outer = self.outer.contains(&(mention.scope, name));
        match (round, mention.declares) {
            (ResolutionRound::Outer, _) => {
                self.outer.insert((mention.scope, name));
                return;
            }
            (ResolutionRound::Declarations, Some(DeclarationKind::Binding)) if outer => return,
            (ResolutionRound::Uses, Some(DeclarationKind::Binding)) if !outer => return,
            _ => {}
        }
        let (symbol, role) = match self.declared_kind(mention, name) {
            Some(kind) => (
                self.declare_symbol(text, name, mention, kind),
                NameRole::Declares,
            ),
            None => {
                let outside = (mention.space, name, None);
                let known = self
                    .resolve_use(mention, name)
                    .or_else(|| self.resolve_shorter(mention, text));
                let symbol = known.unwrap_or_else(|| self.intern_symbol(text, outside, None));
                self.uses.push((symbol, own.leaf.id, own.place));
                if mention.is_assigned {
                    self.table.mark_assigned(symbol);
                }
                if mention.declares == Some(DeclarationKind::Import) {
                    // From here on the name has that meaning in the scope of the import.
                    let here = (mention.space, name, Some(mention.scope));
                    self.symbols.entry(here).or_insert(symbol);
                }
                (symbol, NameRole::Uses)
            }
        };
        let declared = DeclarationSite {
            leaf: own.leaf.id,
            first_leaf: from,
            place: own.place,
        };
        let fact = NameOccurrence { symbol, role };
        self.table
            .add_occurrence(own.token(), declared, fact, mention.is_attached);
    }

    /// The number of a name.
    fn intern_text(&mut self, text: &str) -> TextNumber {
        if let Some(&name) = self.texts.get(text) {
            return name;
        }
        let name = self.texts.len() as TextNumber;
        self.texts.insert(Arc::from(text), name);
        name
    }

    /// What a mention declares, now that the other declarations of the program are known.
    fn declared_kind(&self, mention: &NameMention, name: TextNumber) -> Option<DeclarationKind> {
        let kind = mention.declares?;
        let own = match kind {
            DeclarationKind::Outer => false,
            DeclarationKind::Binding => !self.outer.contains(&(mention.scope, name)),
            DeclarationKind::Import => {
                let meant = self.resolve_use(mention, name);
                meant.is_none_or(|symbol| {
                    self.table.symbol_entry(symbol).kind == Some(DeclarationKind::Import)
                })
            }
            _ => true,
        };
        own.then_some(kind)
    }

    fn declare_symbol(
        &mut self,
        text: &str,
        name: TextNumber,
        mention: &NameMention,
        kind: DeclarationKind,
    ) -> NameSymbol {
        let symbol =
            self.intern_symbol(text, (mention.space, name, Some(mention.scope)), Some(kind));
        if mention.must_be_used {
            self.table.require_use(symbol);
        }
        let open = mention.space == NameSpace::Ordinary && kind != DeclarationKind::Param;
        if open && kind != DeclarationKind::Import && self.scopes.is_open(mention.scope) {
            let only = self.open_symbols.entry(name).or_insert(Some(symbol));
            *only = only.filter(|&only| only == symbol);
        }
        symbol
    }

    /// The symbol that a use refers to where its text is a declared name with signs before or behind it.
    fn resolve_shorter(&self, mention: &NameMention, text: &str) -> Option<NameSymbol> {
        let texts = self.language?.shorter_name_texts(text);
        texts.into_iter().find_map(|text| {
            let name = SIDES * self.texts.get(text)? + self.side;
            self.resolve_use(mention, name)
        })
    }

    /// The symbol that a use refers to.
    fn resolve_use(&self, mention: &NameMention, name: TextNumber) -> Option<NameSymbol> {
        mention.lookups.rules().iter().find_map(|look| match *look {
            LookupRule::Enclosing(space) => {
                let declared = |scope| self.symbols.get(&(space, name, Some(scope)));
                self.scopes
                    .enclosing_scopes(mention.scope)
                    .find_map(declared)
                    .copied()
            }
            LookupRule::OpenScopes => self.open_symbols.get(&name).copied().flatten(),
        })
    }

    fn intern_symbol(
        &mut self,
        text: &str,
        key: SymbolKey,
        kind: Option<DeclarationKind>,
    ) -> NameSymbol {
        match self.symbols.entry(key) {
            Entry::Occupied(known) => *known.get(),
            Entry::Vacant(free) => {
                let text = self.texts.get_key_value(text).map(|(text, _)| text.clone());
                *free.insert(self.table.add_symbol(text.unwrap_or_default(), kind))
            }
        }
    }
}

/// The name of a quoted path: its last word.
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
