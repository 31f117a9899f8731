//! Reading a tree-sitter grammar: `grammar.json` for the rules, `parser.c` for the numbers of their nodes.
//!
//! Hidden rules (those that begin with `_`, supertypes, inlined rules) make no node and are inlined. An alias on a sequence or a choice is
//! an alias on each of its leaves. Precedence is dropped: it chooses between derivations and adds none.
//!
//! A hidden rule that contains itself (among 15 parsers only content models in XML do) is inlined into itself a few times. Nodes that nest
//! it deeper have no derivation, and are opaque lists for a reducer.

use std::collections::{BTreeMap, HashMap, HashSet};

use serde_json::Value;

use super::expression::{ExprArena, ExprId, GrammarExpr, GrammarLeaf};
use super::symbols::SymbolTable;
use super::{ClassEntry, Grammar, GrammarError, GrammarRule, NodeClass, RuleId};

/// How many times a hidden rule is inlined into itself.
const MAX_SELF_INLINING: usize = 3;

/// How deep hidden rules are inlined into each other.
const MAX_INLINING_DEPTH: usize = 50;
/// How many hidden rules are inlined a second time into one visible rule. Without a limit, hidden rules that need each other would be
/// inlined once for every path between them.
const MAX_REPEATED_INLINING: usize = 200;

/// The name that an alias gives a node.
type Alias<'a> = Option<(&'a str, bool)>;

/// The origin of a leaf: its name in the grammar, whatever the tree shows.
enum LeafOrigin<'a> {
    Rule(&'a str),
    Literal(&'a str),
    Pattern,
}

pub(super) fn read_grammar(grammar_json: &str, parser_c: &str) -> Result<Grammar, GrammarError> {
    let json: Value =
        serde_json::from_str(grammar_json).map_err(|e| GrammarError::Json(e.to_string()))?;
    let symbols = SymbolTable::from_parser_c(parser_c)?;
    let rules = json["rules"]
        .as_object()
        .ok_or_else(|| GrammarError::Json("there are no rules".to_owned()))?;
    let mut reader = GrammarReader {
        rules: rules
            .iter()
            .map(|(name, body)| (name.as_str(), body))
            .collect(),
        external: symbol_names(&json["externals"]),
        hidden: symbol_names(&json["supertypes"])
            .into_iter()
            .chain(symbol_names(&json["inline"]))
            .collect(),
        symbols,
        arena: ExprArena::default(),
        bodies: HashMap::new(),
        open: Vec::new(),
        read: HashSet::new(),
        rereads: 0,
        cut: false,
        classes: Vec::new(),
        class_ids: HashMap::new(),
    };
    reader.intern_plain_classes();
    let mut bodies = Vec::new();
    let all: Vec<&str> = reader.rules.keys().copied().collect();
    for name in all {
        if reader.is_token(name) {
            continue;
        }
        bodies.push((name, reader.read_body(name)?));
    }
    if bodies.len().max(reader.classes.len()) > usize::from(u16::MAX) {
        return Err(GrammarError::Json("there are too many rules".to_owned()));
    }
    Ok(reader.into_grammar(json["name"].as_str().unwrap_or_default(), bodies))
}

/// The names of the symbols in a list of names or of `SYMBOL`s.
fn symbol_names(list: &Value) -> HashSet<&str> {
    let list = list.as_array().map(Vec::as_slice).unwrap_or_default();
    list.iter()
        .filter_map(|item| item.as_str().or_else(|| item["name"].as_str()))
        .collect()
}

struct GrammarReader<'a> {
    rules: BTreeMap<&'a str, &'a Value>,
    external: HashSet<&'a str>,
    /// Rules that are hidden whatever their names are.
    hidden: HashSet<&'a str>,
    symbols: SymbolTable,
    arena: ExprArena,
    bodies: HashMap<&'a str, ExprId>,
    /// The rules that are being read, to detect one inside itself.
    open: Vec<&'a str>,
    /// The rules that were read before, and how many of those were read again for the first open one.
    read: HashSet<&'a str>,
    rereads: usize,
    /// Whether one of them was nested too deep inside itself.
    cut: bool,
    classes: Vec<(u16, u16)>,
    class_ids: HashMap<(u16, u16), NodeClass>,
}

impl<'a> GrammarReader<'a> {
    fn is_hidden(&self, name: &str) -> bool {
        name.starts_with('_') || self.hidden.contains(name)
    }

    /// Whether the rule is one token for the parser.
    fn is_token(&self, name: &str) -> bool {
        self.symbols
            .symbol_number(&format!("sym_{name}"))
            .is_some_and(|n| self.symbols.all[n as usize].terminal)
    }

    fn intern_class(&mut self, kind: u16, grammar: u16) -> NodeClass {
        *self.class_ids.entry((kind, grammar)).or_insert_with(|| {
            self.classes.push((kind, grammar));
            NodeClass((self.classes.len() - 1) as u16)
        })
    }

    /// Every visible symbol as itself; extras such as comments occur in no rule.
    fn intern_plain_classes(&mut self) {
        for number in 0..self.symbols.all.len() {
            let symbol = &self.symbols.all[number];
            if symbol.visible && !symbol.id.starts_with("alias_sym_") {
                self.intern_class(symbol.public, number as u16);
            }
        }
    }

    /// The right-hand side of a rule.
    fn read_body(&mut self, name: &'a str) -> Result<ExprId, GrammarError> {
        if let Some(&body) = self.bodies.get(name) {
            return Ok(body);
        }
        if self.is_too_deep(name) {
            return Ok(self.intern_opaque(name));
        }
        let json = self.rules[name];
        let outer = std::mem::take(&mut self.cut);
        let known = !self.read.insert(name);
        self.rereads = match self.open.is_empty() {
            true => 0,
            false => self.rereads + usize::from(known),
        };
        self.open.push(name);
        let body = match split_left_recursion(json, name) {
            None => self.read_expression(json, None)?,
            Some((bases, tails)) => self.unroll_left_recursion(&bases, &tails)?,
        };
        self.open.pop();
        // A rule that was cut short inside another one is complete in its own place.
        if !self.cut || self.open.is_empty() {
            self.bodies.insert(name, body);
        }
        self.cut = !self.open.is_empty() && (self.cut || outer);
        Ok(body)
    }

    fn is_too_deep(&self, name: &str) -> bool {
        let nested = self.open.iter().filter(|&&open| open == name).count();
        nested > MAX_SELF_INLINING
            || self.open.len() > MAX_INLINING_DEPTH
            || !self.open.is_empty() && self.rereads > MAX_REPEATED_INLINING
    }

    /// What replaces a rule that is nested too deep: nothing fits there.
    fn intern_opaque(&mut self, name: &str) -> ExprId {
        self.cut = true;
        self.arena.intern(GrammarExpr::Leaf(GrammarLeaf {
            kind: name.into(),
            named: true,
            classes: Vec::new(),
        }))
    }

    /// `r = base | r tail` is `r = base tail*` (Perses, Algorithm 1, step 3).
    fn unroll_left_recursion(
        &mut self,
        bases: &[&'a Value],
        tails: &[&'a [Value]],
    ) -> Result<ExprId, GrammarError> {
        let mut base = Vec::new();
        for json in bases {
            base.push(self.read_expression(json, None)?);
        }
        let mut tail = Vec::new();
        for members in tails {
            let members: Result<Vec<ExprId>, _> = members
                .iter()
                .map(|m| self.read_expression(m, None))
                .collect();
            tail.push(self.arena.add_seq(members?));
        }
        let base = self.arena.add_choice(base);
        let tail = self.arena.add_choice(tail);
        let tails = self.arena.add_star(tail);
        Ok(self.arena.add_seq(vec![base, tails]))
    }

    fn read_expression(
        &mut self,
        json: &'a Value,
        alias: Alias<'a>,
    ) -> Result<ExprId, GrammarError> {
        match json["type"].as_str().unwrap_or_default() {
            "BLANK" => Ok(self.arena.intern(GrammarExpr::Blank)),
            "SYMBOL" => self.read_symbol(string_field(json, "name")?, alias),
            "STRING" => {
                Ok(self.intern_leaf(LeafOrigin::Literal(string_field(json, "value")?), alias))
            }
            "PATTERN" => Ok(self.intern_leaf(LeafOrigin::Pattern, alias)),
            "TOKEN" | "IMMEDIATE_TOKEN" => match skip_precedence(&json["content"]) {
                literal if literal["type"] == "STRING" => self.read_expression(literal, alias),
                _ => Ok(self.intern_leaf(LeafOrigin::Pattern, alias)),
            },
            "SEQ" => {
                let members = self.read_members(json, alias)?;
                Ok(self.arena.add_seq(members))
            }
            "CHOICE" => {
                let members = self.read_members(json, alias)?;
                Ok(self.arena.add_choice(members))
            }
            "REPEAT" => {
                let inner = self.read_expression(&json["content"], alias)?;
                Ok(self.arena.add_star(inner))
            }
            "REPEAT1" => {
                let inner = self.read_expression(&json["content"], alias)?;
                Ok(self.arena.add_plus(inner))
            }
            "FIELD" => {
                let inner = self.read_expression(&json["content"], alias)?;
                Ok(self.arena.add_field(string_field(json, "name")?, inner))
            }
            "ALIAS" => {
                let named = json["named"].as_bool().unwrap_or(false);
                let alias = alias.or(Some((string_field(json, "value")?, named)));
                self.read_expression(&json["content"], alias)
            }
            "PREC" | "PREC_LEFT" | "PREC_RIGHT" | "PREC_DYNAMIC" | "RESERVED" => {
                self.read_expression(&json["content"], alias)
            }
            other => Err(GrammarError::Json(format!(
                "unknown kind of expression `{other}`"
            ))),
        }
    }

    fn read_members(
        &mut self,
        json: &'a Value,
        alias: Alias<'a>,
    ) -> Result<Vec<ExprId>, GrammarError> {
        let members = json["members"]
            .as_array()
            .map(Vec::as_slice)
            .unwrap_or_default();
        members
            .iter()
            .map(|m| self.read_expression(m, alias))
            .collect()
    }

    /// A rule by its name.
    fn read_symbol(&mut self, name: &'a str, alias: Alias<'a>) -> Result<ExprId, GrammarError> {
        let known = self.rules.contains_key(name);
        if !known && !self.external.contains(name) {
            let inside = self.open.last().copied().unwrap_or_default().to_owned();
            return Err(GrammarError::UnknownRule {
                inside,
                name: name.to_owned(),
            });
        }
        let expand = known && self.is_hidden(name) && !self.is_token(name);
        match alias {
            // Outside of inlined rules, an alias on a hidden rule makes it a node.
            Some(_) if expand && self.symbols.symbol_number(&format!("sym_{name}")).is_none() => {
                if self.is_too_deep(name) {
                    return Ok(self.intern_opaque(name));
                }
                // Under an alias the body is different each time.
                self.rereads += 1;
                self.open.push(name);
                let inner = self.read_expression(self.rules[name], alias);
                self.open.pop();
                inner
            }
            None if expand => {
                let inner = self.read_body(name)?;
                Ok(self.arena.intern(GrammarExpr::Hidden {
                    name: name.into(),
                    inner,
                }))
            }
            _ => Ok(self.intern_leaf(LeafOrigin::Rule(name), alias)),
        }
    }

    /// A single node, or text that makes none.
    fn intern_leaf(&mut self, origin: LeafOrigin<'a>, alias: Alias<'a>) -> ExprId {
        let (kind, named) = match (alias, &origin) {
            (Some((kind, named)), _) => (kind, named),
            (None, LeafOrigin::Literal(text)) => (*text, false),
            (None, LeafOrigin::Rule(name)) if !self.is_hidden(name) => (*name, true),
            (None, _) => return self.arena.intern(GrammarExpr::Text),
        };
        let origins = self.origin_symbols(&origin, kind);
        let mut classes = Vec::new();
        for shown in self.symbols.numbers_of_kind(kind, named) {
            for &number in &origins {
                classes.push(self.intern_class(shown, number));
            }
        }
        classes.sort_unstable();
        classes.dedup();
        self.arena.intern(GrammarExpr::Leaf(GrammarLeaf {
            kind: kind.into(),
            named,
            classes,
        }))
    }

    /// The symbols that a leaf may have in the grammar.
    fn origin_symbols(&self, origin: &LeafOrigin, shown: &str) -> Vec<u16> {
        if let LeafOrigin::Rule(name) = origin {
            return self
                .symbols
                .symbol_number(&format!("sym_{name}"))
                .into_iter()
                .collect();
        }
        // A literal that is always aliased has its most common alias for a name; if it is a word, its id in the enum still has it.
        let comes_from = |id: &str, name: &str| match origin {
            LeafOrigin::Literal(text) => id
                .strip_prefix("anon_sym_")
                .is_some_and(|word| word == *text || name == *text || name == shown),
            _ => id.starts_with("aux_sym_"),
        };
        let numbers = self.symbols.all.iter().enumerate();
        numbers
            .filter(|(_, s)| s.terminal && comes_from(&s.id, &s.kind))
            .map(|(number, _)| number as u16)
            .collect()
    }

    fn into_grammar(self, name: &str, bodies: Vec<(&str, ExprId)>) -> Grammar {
        let symbols = &self.symbols.all;
        let mut rules: Vec<GrammarRule> = Vec::new();
        let mut rule_of: HashMap<u16, RuleId> = HashMap::new();
        let shown: HashSet<u16> = self.classes.iter().map(|&(_, grammar)| grammar).collect();
        for (rule, body) in bodies {
            let symbol = self.symbols.symbol_number(&format!("sym_{rule}"));
            let makes_nodes = symbol.is_some_and(|symbol| shown.contains(&symbol));
            let visible = makes_nodes && !self.hidden.contains(rule);
            if let Some(symbol) = symbol {
                rule_of.insert(symbol, RuleId(rules.len() as u16));
            }
            rules.push(GrammarRule {
                name: rule.to_owned(),
                body,
                visible,
            });
        }
        let classes = self
            .classes
            .iter()
            .map(|&(kind, grammar)| ClassEntry {
                kind,
                grammar,
                name: symbols[kind as usize].kind.clone(),
                named: symbols[kind as usize].named,
                rule: rule_of.get(&grammar).copied(),
            })
            .collect();
        Grammar::from_parts(
            name.to_owned(),
            rules,
            classes,
            self.arena.into_expressions(),
        )
    }
}

/// If a hidden rule is a choice of which some members begin with the rule itself: the other members, and what follows the rule in those.
fn split_left_recursion<'a>(
    json: &'a Value,
    name: &str,
) -> Option<(Vec<&'a Value>, Vec<&'a [Value]>)> {
    let (mut bases, mut tails) = (Vec::new(), Vec::new());
    for member in skip_precedence(json)["members"].as_array()? {
        let parts = skip_precedence(member)["members"].as_array();
        match parts.map(Vec::as_slice) {
            Some([first, tail @ ..]) if first["name"] == name && first["type"] == "SYMBOL" => {
                tails.push(tail)
            }
            _ => bases.push(member),
        }
    }
    let is_choice = skip_precedence(json)["type"] == "CHOICE";
    (is_choice && name.starts_with('_') && !tails.is_empty()).then_some((bases, tails))
}

fn skip_precedence(mut json: &Value) -> &Value {
    while json["type"]
        .as_str()
        .is_some_and(|kind| kind.starts_with("PREC"))
    {
        json = &json["content"];
    }
    json
}

fn string_field<'a>(json: &'a Value, key: &str) -> Result<&'a str, GrammarError> {
    json[key]
        .as_str()
        .ok_or_else(|| GrammarError::Json(format!("an expression lacks its `{key}`")))
}
