//! The symbols of a generated parser, read from its `parser.c`.
//!
//! A tree identifies its nodes by two numbers, the symbol they are shown as and the symbol of the grammar; `grammar.json` has names only.
//! Names alone do not map to these numbers: a symbol that is always aliased has its alias for a name, also as its `grammar_name`. The enum
//! in `parser.c` keeps the rule's own name (`sym_NAME = 7`), and the tables after it give the rest.

use std::collections::HashMap;

use super::GrammarError;

/// One symbol of a parser.
#[derive(Clone, Debug, Default)]
pub(super) struct ParserSymbol {
    /// Its name in the enum: `sym_x`, `anon_sym_x`, `aux_sym_x_token1`, `alias_sym_x`.
    pub id: String,
    /// The kind that a tree shows.
    pub kind: String,
    pub visible: bool,
    pub named: bool,
    /// The number that a tree gives as a node's kind: of all symbols with the same name and visibility, one.
    pub public: u16,
    /// Whether it is a token.
    pub terminal: bool,
}

/// All symbols of a parser; a symbol's number is its index.
#[derive(Debug)]
pub(super) struct SymbolTable {
    pub all: Vec<ParserSymbol>,
    numbers: HashMap<String, u16>,
}

impl SymbolTable {
    /// Reads the tables of a `parser.c`.
    pub fn from_parser_c(parser_c: &str) -> Result<SymbolTable, GrammarError> {
        let mut numbers: HashMap<String, u16> = HashMap::new();
        numbers.insert("ts_builtin_sym_end".to_owned(), 0);
        for line in find_table(parser_c, "enum ts_symbol_identifiers {")?.lines() {
            if let Some((name, number)) = line.trim().trim_end_matches(',').split_once(" = ")
                && let Ok(number) = number.parse()
            {
                numbers.insert(name.to_owned(), number);
            }
        }
        let mut symbols = SymbolTable {
            all: vec![ParserSymbol::default(); numbers.len()],
            numbers,
        };
        let terminals = parse_constant(parser_c, "TOKEN_COUNT")?;
        for (name, &number) in &symbols.numbers {
            let symbol = symbols.all.get_mut(number as usize).ok_or_else(|| {
                GrammarError::Parser(format!("the number of the symbol {name} is out of order"))
            })?;
            symbol.id.clone_from(name);
            symbol.public = number;
            symbol.terminal = number < terminals;
        }
        symbols.read_names(parser_c)?;
        symbols.read_public(parser_c)?;
        symbols.read_visibility(parser_c)?;
        Ok(symbols)
    }

    /// The number of the symbol that the enum calls `id`.
    pub fn symbol_number(&self, id: &str) -> Option<u16> {
        self.numbers.get(id).copied()
    }

    /// The numbers under which a tree may show nodes of this kind, ascending.
    pub fn numbers_of_kind(&self, kind: &str, named: bool) -> Vec<u16> {
        let mut all: Vec<u16> = self
            .all
            .iter()
            .filter(|s| s.visible && s.named == named && s.kind == kind)
            .map(|s| s.public)
            .collect();
        all.sort_unstable();
        all.dedup();
        all
    }

    fn read_names(&mut self, parser_c: &str) -> Result<(), GrammarError> {
        for line in find_table(parser_c, "ts_symbol_names[] = {")?.lines() {
            let Some((id, name)) = parse_entry(line) else {
                continue;
            };
            let name = name
                .strip_prefix('"')
                .and_then(|n| n.strip_suffix('"'))
                .ok_or_else(|| GrammarError::Parser(format!("the name of {id} is not a string")))?;
            self.symbol_mut(id)?.kind = unescape_c(name);
        }
        Ok(())
    }

    fn read_public(&mut self, parser_c: &str) -> Result<(), GrammarError> {
        for line in find_table(parser_c, "ts_symbol_map[] = {")?.lines() {
            let Some((id, public)) = parse_entry(line) else {
                continue;
            };
            let public = self
                .symbol_number(public)
                .ok_or_else(|| GrammarError::Parser(format!("{public} has no number")))?;
            self.symbol_mut(id)?.public = public;
        }
        Ok(())
    }

    fn read_visibility(&mut self, parser_c: &str) -> Result<(), GrammarError> {
        let mut id = String::new();
        for line in find_table(parser_c, "ts_symbol_metadata[] = {")?.lines() {
            match line.trim() {
                ".visible = true," => self.symbol_mut(&id)?.visible = true,
                ".named = true," => self.symbol_mut(&id)?.named = true,
                line => {
                    if let Some((next, "{")) = parse_entry(line) {
                        id = next.to_owned();
                    }
                }
            }
        }
        Ok(())
    }

    fn symbol_mut(&mut self, id: &str) -> Result<&mut ParserSymbol, GrammarError> {
        let number = self
            .symbol_number(id)
            .ok_or_else(|| GrammarError::Parser(format!("{id} has no number")))?;
        Ok(&mut self.all[number as usize])
    }
}

/// The text between the line that ends with `head` and the closing brace of its table.
fn find_table<'a>(parser_c: &'a str, head: &str) -> Result<&'a str, GrammarError> {
    let missing = || GrammarError::Parser(format!("there is no table `{head}`"));
    let start = parser_c.find(head).ok_or_else(missing)? + head.len();
    let end = parser_c[start..].find("\n};").ok_or_else(missing)?;
    Ok(&parser_c[start..start + end])
}

/// `[id] = value,`
fn parse_entry(line: &str) -> Option<(&str, &str)> {
    let (id, value) = line.trim().strip_prefix('[')?.split_once("] = ")?;
    Some((id, value.strip_suffix(',').unwrap_or(value)))
}

fn parse_constant(parser_c: &str, name: &str) -> Result<u16, GrammarError> {
    let head = format!("#define {name} ");
    parser_c
        .lines()
        .find_map(|line| line.strip_prefix(&head)?.trim().parse().ok())
        .ok_or_else(|| GrammarError::Parser(format!("{name} is not defined")))
}

/// The text of a C string literal, as far as generated parsers write them.
fn unescape_c(literal: &str) -> String {
    let mut out = String::new();
    let mut chars = literal.chars();
    while let Some(c) = chars.next() {
        if c != '\\' {
            out.push(c);
            continue;
        }
        match chars.next() {
            Some('n') => out.push('\n'),
            Some('r') => out.push('\r'),
            Some('t') => out.push('\t'),
            Some('f') => out.push('\u{c}'),
            Some('v') => out.push('\u{b}'),
            Some('0') => out.push('\0'),
            Some(other) => out.push(other),
            None => {}
        }
    }
    out
}
