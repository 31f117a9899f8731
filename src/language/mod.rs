//! The languages that lop knows.
//!
//! A language is a folder in `grammars/` (data), a line in `table.rs` (its parser), and a dependency. [`Language`] answers all questions of
//! lop about texts and nodes; tree-sitter stays inside [`parser`]. A language may also be a grammar in BNF ([`BnfLanguage`]), one of lop's
//! own or one of the user's ([`load_bnf`]), or an external tree-sitter grammar ([`GrammarRepository`]). The types of [`parser`] hide which
//! kind of parser a language has.
//!
//! The rules of a language are in its grammar. What the grammar does not contain is data in its `language.toml` (`data.rs`): kinds that are
//! one token, tokens that need a blank between them, and what a newline means. `lop languages check` tries this data on a text: it makes
//! every candidate of Perses and of the certificate, treats each as uninteresting, and has the parser read it. Tests do so for all
//! languages.

mod bnf_language;
mod brackets;
mod data;
mod external;
mod fillers;
mod hidden;
mod highlights;
mod imports;
mod islands;
mod layout;
mod literals;
mod markers;
mod masking;
pub mod parser;
mod rules;
mod separators;
mod statements;
mod suggest;
mod syntax_file;
mod table;

use std::path::Path;
use std::sync::{Arc, LazyLock, OnceLock};

use crate::display::EscapeHidden;
use crate::grammar::bnf::choices::ChoiceDerivation;
use crate::grammar::bnf::derivation::DerivationError;
use crate::grammar::dictionary;
use crate::grammar::{ExprId, Grammar, NodeClass};
use data::{LanguageData, SeparatorRules};
use hidden::HiddenRules;
use literals::TokenTexts;
use parser::{
    CompiledQuery, LanguageParser, NameQuery, NameWalk, ParseCursor, ParseLimit, ParseTree,
    ParserFn, QueryCapture, QueryError, SyntaxHighlighter,
};
use rules::RuleData;
use table::{BuiltinBnf, LinkedLanguage};

pub use bnf_language::{BnfLanguage, BnfLanguageError, SyntaxError};
pub use data::{ConstantOperations, NewlineMeaning};
pub use external::{
    ExternalLanguage, GrammarOrigin, GrammarRepository, GrammarSelector, RepositoryError,
};
pub use fillers::NodeFiller;
pub use imports::{ImportLookup, ImportRules};
pub use islands::IslandParse;
pub use layout::{LayoutRoles, LayoutRules};
pub use literals::LiteralTexts;
pub use rules::{
    CONDITIONS, PatternElement, RewriteRule, RuleCondition, RulePattern, RuleText, SpacedElement,
    StatementForm, read_rule_file,
};
pub use statements::{AssignmentKind, PlaceKind, StatementFacts};
pub use suggest::suggest_names;
pub use syntax_file::SyntaxFile;

pub use crate::grammar::bnf::LogicRole;
pub use table::all_languages;

/// A language: its parser, its grammar, and the properties of its tokens.
pub struct Language {
    /// Its name on the command line and in files.
    pub name: &'static str,
    /// The extensions of its files, without the dot.
    pub extensions: &'static [&'static str],
    definition: LazyDefinition,
    origin: Option<GrammarOrigin>,
    syntax: Option<SyntaxFile>,
    facts: OnceLock<LanguageFacts>,
    hidden: OnceLock<HiddenRules>,
    highlighter: OnceLock<SyntaxHighlighter>,
    names: OnceLock<Option<NameQuery>>,
    rule_data: OnceLock<RuleData>,
    rules: OnceLock<Vec<Arc<RewriteRule>>>,
    statement_forms: OnceLock<Vec<StatementForm>>,
}

/// What makes a language besides its name and its extensions. A grammar in BNF costs more to prepare than a whole start of lop, so it is made
/// when the language is first used.
type LazyDefinition = LazyLock<LanguageDefinition, Box<dyn FnOnce() -> LanguageDefinition + Send>>;

/// See [`LazyDefinition`].
struct LanguageDefinition {
    linked: LinkedLanguage,
    data: LanguageData,
}

/// Facts derived from the data and the grammar, indexed by class.
struct LanguageFacts {
    grammar: Grammar,
    opaque: Vec<bool>,
    comment: Vec<bool>,
    /// The holes of templates; none for other classes.
    holes: Vec<Vec<NodeClass>>,
    nonempty: Vec<bool>,
    jumps: Vec<bool>,
    fillers: Vec<Option<NodeFiller>>,
    token_texts: TokenTexts,
    /// A class that is allowed only where statements are.
    statement: Option<NodeClass>,
    starts_line: Vec<bool>,
    ends_line: Vec<bool>,
}

/// The language of this name.
pub fn by_name(name: &str) -> Option<&'static Language> {
    all_languages()
        .iter()
        .find(|language| language.name == name)
}

/// The language of a file, by its extension. Case matters, as for compilers: `bug.C` is C++.
pub fn by_path(path: &Path) -> Option<&'static Language> {
    let extension = path.extension()?.to_str()?;
    all_languages()
        .iter()
        .find(|language| language.extensions.contains(&extension))
}

/// Makes a language of a grammar in BNF. The language has the grammar's name, else `name`. It lives as long as the process.
///
/// # Errors
/// When the text is not a grammar.
pub fn load_bnf(name: &str, text: &str) -> Result<&'static Language, BnfLanguageError> {
    load_bnf_coloured(name, text, |_| None)
}

/// The same for a grammar that a directory has. The language is coloured by the file `.sublime-syntax` there that has its name or `name`.
///
/// # Errors
/// When the text is not a grammar.
pub fn load_bnf_beside(
    name: &str,
    text: &str,
    directory: Option<&Path>,
) -> Result<&'static Language, BnfLanguageError> {
    load_bnf_coloured(name, text, |names| {
        SyntaxFile::find_named(directory?, names)
    })
}

/// The same for a grammar that a session has, with the text of the file `.sublime-syntax` that lay beside it.
///
/// # Errors
/// When the text is not a grammar.
pub fn load_recorded_bnf(
    name: &str,
    text: &str,
    syntax: Option<&str>,
) -> Result<&'static Language, BnfLanguageError> {
    load_bnf_coloured(name, text, |_| Some(SyntaxFile::recorded(name, syntax?)))
}

/// The language of a grammar, which is coloured by the file that is found for its names.
fn load_bnf_coloured(
    name: &str,
    text: &str,
    find_syntax: impl FnOnce(&[&str]) -> Option<SyntaxFile>,
) -> Result<&'static Language, BnfLanguageError> {
    let definition = LanguageDefinition::from_bnf(BnfLanguage::from_text(text)?, name, ("", ""));
    let mut language = Language::from_data(definition.linked, definition.data);
    language.syntax = find_syntax(&[language.name, name]);
    Ok(Box::leak(Box::new(language)))
}

/// The grammar in BNF that a dictionary says, in JSON or as a literal of Python.
///
/// # Errors
/// When the text is no such dictionary.
pub fn convert_dictionary(text: &str) -> Result<String, BnfLanguageError> {
    Ok(dictionary::convert_dictionary(text)?)
}

impl std::fmt::Debug for Language {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str(self.name)
    }
}

impl LanguageDefinition {
    /// That of a grammar in BNF, whose language is called `name` if it has no name.
    fn from_bnf(
        grammar: BnfLanguage,
        name: &str,
        sample: (&'static str, &'static str),
    ) -> LanguageDefinition {
        let data = LanguageData::from_bnf(&grammar, name);
        let linked = LinkedLanguage {
            data: grammar.text,
            grammar: grammar.grammar.encode().leak(),
            parser: ParserFn::Bnf(Box::leak(Box::new(grammar))),
            highlights: &[],
            sample,
            names: &[],
        };
        LanguageDefinition { linked, data }
    }
}

impl Language {
    /// The grammar of the parser. Decoded when first needed.
    ///
    /// # Panics
    /// If the table in the binary is damaged, which a test excludes.
    pub fn grammar(&'static self) -> &'static Grammar {
        &self.facts().grammar
    }

    /// The definition of the language as bytes, to compare it with that of another lop.
    pub fn definition_bytes(&self) -> impl Iterator<Item = &'static [u8]> {
        let names = self
            .definition
            .linked
            .names
            .iter()
            .map(|part| part.as_bytes());
        [
            self.definition.linked.grammar,
            self.definition.linked.data.as_bytes(),
        ]
        .into_iter()
        .chain(names)
    }

    /// The grammar in BNF, if the language has one.
    pub fn bnf_grammar(&self) -> Option<&'static BnfLanguage> {
        match self.definition.linked.parser {
            ParserFn::Bnf(grammar) => Some(grammar),
            ParserFn::TreeSitter(_) | ParserFn::Loaded(_) => None,
        }
    }

    /// The origin of its grammar, if it is an external tree-sitter grammar.
    pub fn origin(&self) -> Option<&GrammarOrigin> {
        self.origin.as_ref()
    }

    /// The parser's crate and its version, or lop's own.
    pub fn describe_parser(&self) -> String {
        if self.bnf_grammar().is_some() {
            return "a grammar in BNF".into();
        }
        if let Some(origin) = &self.origin {
            return format!("the grammar in {}", origin.directory.escape_hidden());
        }
        format!(
            "{} {}",
            self.definition.data.package, self.definition.data.version
        )
    }

    /// A sample program: the name of its file, and its text.
    pub fn sample_program(&self) -> (&'static str, &'static str) {
        self.definition.linked.sample
    }

    /// The first syntax error of a text. Only a grammar in BNF reports one: a tree-sitter parser makes a tree of any text.
    pub fn find_syntax_error(&self, text: &[u8]) -> Option<SyntaxError> {
        self.bnf_grammar()?
            .find_syntax_error(text, ParseLimit::for_length(text.len()).earley_steps())
    }

    /// The tree of a text that a derivation tree in JSON says, in the place of a parse. Only a grammar in BNF has such trees.
    ///
    /// # Errors
    /// Where the tree is not a derivation of the text.
    pub fn read_derivation(
        &self,
        json: &str,
        text: &[u8],
    ) -> Option<Result<ParseTree, DerivationError>> {
        let tree = self.bnf_grammar()?.read_derivation(json, text);
        Some(tree.map(ParseTree::from_bnf))
    }

    /// The derivation tree of a text by the grammar as it is written, as JSON. Only a grammar in BNF can; none if the text does not follow it, or
    /// the parse does not end within its limit.
    pub fn write_derivation(&self, text: &[u8]) -> Option<String> {
        let steps = ParseLimit::for_length(text.len()).earley_steps();
        self.bnf_grammar()?.write_derivation(text, steps)
    }

    /// The choices that make a program by the grammar as it is written. Only a grammar in BNF can; none if the text does not follow it, or the
    /// parse does not end within its limit. If `tree` is a derivation tree that was given with the text, nothing is parsed.
    pub fn encode_choices(
        &self,
        text: &[u8],
        tree: Option<&ParseTree>,
    ) -> Option<ChoiceDerivation> {
        let grammar = self.bnf_grammar()?;
        let given = tree.and_then(ParseTree::bnf_tree);
        given
            .and_then(|tree| grammar.encode_given(text, tree))
            .or_else(|| {
                let steps = ParseLimit::for_length(text.len()).earley_steps();
                grammar.encode_choices(text, steps)
            })
    }

    /// The program that choices make, and its text; none if they are too few.
    pub fn decode_choices(&self, choices: &[u32]) -> Option<(ChoiceDerivation, Vec<u8>)> {
        let grammar = self.bnf_grammar()?;
        let derivation = grammar.choice_grammar()?.decode(choices)?;
        let text = grammar.join_tokens(&derivation.tokens)?;
        Some((derivation, text))
    }

    /// The rule of the grammar as it is written that the spans of choices with this label belong to.
    pub fn choice_span_name(&self, label: u32) -> Option<&str> {
        Some(self.bnf_grammar()?.choice_grammar()?.span_name(label))
    }

    /// A new parser for the language.
    pub fn new_parser(&self) -> LanguageParser {
        LanguageParser::new(self.definition.linked.parser)
    }

    /// The name of a field, by the number that the parser gives it.
    pub fn field_name(&self, field: u16) -> Option<String> {
        parser::field_name(self.definition.linked.parser, field)
    }

    /// Whether the node under the cursor, which has this class, is one token for lop, whatever is inside: a comment, a literal, or a
    /// template without holes.
    pub fn is_token(&self, class: NodeClass, cursor: &ParseCursor) -> bool {
        let (facts, at) = (self.facts(), class.0 as usize);
        let holes = &facts.holes[at];
        if holes.is_empty() {
            return facts.opaque[at] || facts.comment[at];
        }
        let mut inside = cursor.clone();
        let mut there = inside.goto_first_child();
        while there {
            let node = inside.node();
            let class = facts.grammar.find_class(node.kind_id(), node.grammar_id());
            if node.has_error() || class.is_some_and(|class| holes.contains(&class)) {
                return false;
            }
            there = inside.goto_next_sibling();
        }
        true
    }

    /// Whether a node of this class is a text with holes. Its own bytes are text, white space included.
    pub fn is_template(&self, class: NodeClass) -> bool {
        !self.facts().holes[class.0 as usize].is_empty()
    }

    /// Whether a list in nodes of this class must keep an element although the parser does not need one.
    pub fn is_nonempty(&self, class: NodeClass) -> bool {
        self.facts().nonempty[class.0 as usize]
    }

    /// Whether a node of this class leaves a block.
    pub fn is_jump(&self, class: NodeClass) -> bool {
        self.facts().jumps[class.0 as usize]
    }

    /// The filler that replaces a node of this class, if its kind has one.
    pub fn class_filler(&self, class: NodeClass) -> Option<&NodeFiller> {
        self.facts().fillers[class.0 as usize].as_ref()
    }

    /// Other texts for a token of this class; none for most.
    pub fn class_fillings(&'static self, class: NodeClass) -> &'static [String] {
        let fillings = self
            .definition
            .data
            .fillings
            .get(self.grammar().class_name(class));
        fillings.map_or(&[], Vec::as_slice)
    }

    /// The token that can stand in the place of a name of this class whose value does not matter; none for most.
    pub fn simplest_value(&'static self, class: NodeClass) -> Option<&'static str> {
        let values = &self.definition.data.simplest_values;
        let value = values.get(self.grammar().class_name(class));
        value.map(String::as_str)
    }

    /// Whether a token of this text before the body of a function says that the compiler evaluates the function.
    pub fn marks_evaluated(&'static self, text: &[u8]) -> bool {
        let words = &self.definition.data.evaluated;
        words.iter().any(|word| word.as_bytes() == text)
    }

    /// The token that can stand in the place of a type of this class if any type will do; none for what is no type.
    pub fn simplest_type(&'static self, class: NodeClass) -> Option<&'static str> {
        let types = &self.definition.data.simplest_types;
        let simplest = types.get(self.grammar().class_name(class));
        simplest.map(String::as_str)
    }

    /// Texts that can stand in the place of a node of this class where the simplest value or type does not fit: the tokens of each with a blank between
    /// them. Empty for most.
    pub fn default_texts(&'static self, class: NodeClass) -> &'static [String] {
        let defaults = &self.definition.data.defaults;
        let texts = defaults.get(self.grammar().class_name(class));
        texts.map_or(&[], Vec::as_slice)
    }

    /// What stands in the place of the type of a function that returns nothing, where there must be a type.
    pub fn no_result(&'static self) -> Option<&'static str> {
        self.definition.data.no_result.as_deref()
    }

    /// What a literal of this class may become; none for what is no literal.
    pub fn literal_texts(&'static self, class: NodeClass) -> Option<&'static LiteralTexts> {
        self.facts().token_texts.literal_texts(class)
    }

    /// The same, or what a word or sign may become.
    pub fn simpler_texts(&'static self, class: NodeClass) -> Option<&'static LiteralTexts> {
        self.facts().token_texts.simpler_texts(class)
    }

    /// Whether a token of this class is a name: any other word could stand in its place.
    pub fn is_name(&self, class: NodeClass) -> bool {
        self.facts().token_texts.is_name(class)
    }

    /// Whether this text is a word or a sign of the language.
    pub fn is_fixed_text(&self, text: &str) -> bool {
        self.facts().token_texts.is_fixed(text)
    }

    /// Whether programs often begin at a declaration of this name.
    pub fn is_entry_name(&self, name: &str) -> bool {
        let entries = &self.definition.data.names.entries;
        entries.iter().any(|entry| entry == name)
    }

    /// Whether a blank may mean something wherever there is one.
    pub fn has_telling_blanks(&self) -> bool {
        self.definition.data.joins.blanks
    }

    /// Whether a newline between these two tokens ends nothing, where others may.
    pub fn ignores_newline_between(&self, before: &[u8], after: &[u8]) -> bool {
        let SeparatorRules { open, close, .. } = &self.definition.data.joins;
        let has = |set: &[String], text: &[u8]| set.iter().any(|known| known.as_bytes() == text);
        has(open, before) || has(close, after)
    }

    /// White space with a blank in the place of each continuation of a line.
    pub fn join_lines(&self, trivia: &[u8]) -> Vec<u8> {
        let Some(continuation) = self.definition.data.continuation else {
            return trivia.to_vec();
        };
        let text = String::from_utf8_lossy(trivia);
        let ends = [format!("{continuation}\r\n"), format!("{continuation}\n")];
        let joined = text.replace(&ends[0], " ").replace(&ends[1], " ");
        joined.into_bytes()
    }

    /// The first fault of its fillers, literals and names that the grammar shows.
    pub fn find_filler_problem(&self) -> Option<String> {
        fillers::find_filler_problem(&self.definition.data, &self.facts().grammar)
    }

    /// What is wrong with the rules for hidden tokens, if anything.
    pub fn find_hidden_problem(&self) -> Option<String> {
        hidden::find_hidden_problem(&self.definition.data.hidden)
    }

    /// What a file needs of others; none if nothing in it names a file.
    pub fn import_rules(&self) -> Option<&ImportRules> {
        self.definition.data.imports.as_ref()
    }

    /// The operations of numbers whose value a compiler computes.
    pub fn constant_operations(&self) -> &ConstantOperations {
        &self.definition.data.constants
    }

    /// Whether a node of this class is a comment.
    pub fn is_comment(&self, class: NodeClass) -> bool {
        self.facts().comment[class.0 as usize]
    }

    /// Whether a token of this class must be the first on its line.
    pub fn starts_line(&self, class: NodeClass) -> bool {
        self.facts().starts_line[class.0 as usize]
    }

    /// Whether a newline must follow a node of this class with this text.
    pub fn ends_line(&self, class: NodeClass, text: &[u8]) -> bool {
        if let Some(grammar) = self.bnf_grammar() {
            return grammar.ends_line(class, text);
        }
        let line_comment = self.definition.data.line_comment.as_deref();
        self.facts().ends_line[class.0 as usize]
            || self.is_comment(class)
                && line_comment.is_some_and(|start| text.starts_with(start.as_bytes()))
    }

    /// Whether passes over text ask about candidates in which the parser finds new errors: compilers accept much that it misreads.
    pub fn has_unguarded_text(&self) -> bool {
        self.definition.data.text_unguarded
    }

    /// What a newline means wherever no token is bound to its line.
    pub fn newline_meaning(&self) -> NewlineMeaning {
        self.definition.data.newlines
    }

    /// Whether a statement may stand where `expected` is expected.
    pub fn accepts_statement(&self, expected: ExprId) -> bool {
        let facts = self.facts();
        let fits = |class| facts.grammar.class_fits(class, expected);
        facts.statement.is_some_and(fits)
    }

    /// Whether newlines before or after this token or comment are significant. In doubt they are: the parser did not understand a token
    /// without a class, which may be part of one that begins a line.
    pub fn is_bound_to_line(&self, class: Option<NodeClass>, text: &[u8]) -> bool {
        match class {
            Some(class) => self.starts_line(class) || self.ends_line(class, text),
            None => {
                let starts = &self.definition.data.lines.start;
                starts.iter().any(|kind| kind.as_bytes().starts_with(text))
            }
        }
    }

    /// Whether `before` and `after` need a blank between them to stay two tokens. In doubt they do.
    pub fn needs_separator(&self, before: &[u8], after: &[u8]) -> bool {
        if let Some(grammar) = self.bnf_grammar() {
            return grammar.needs_separator(before, after);
        }
        separators::needs_separator(&self.definition.data.joins, before, after)
    }

    /// The same where it does not matter whether a sign is part of the number behind it.
    pub fn is_read_as_one(&self, before: &[u8], after: &[u8]) -> bool {
        match self.bnf_grammar() {
            Some(_) => self.needs_separator(before, after),
            None => separators::is_read_as_one(&self.definition.data.joins, before, after),
        }
    }

    /// Whether a text is white space for the parser after masking.
    pub fn is_blank(&self, text: &[u8]) -> bool {
        if let Some(grammar) = self.bnf_grammar() {
            return grammar.is_blank(text);
        }
        let continuation = self.definition.data.continuation.map(|c| c as u8);
        text.iter().enumerate().all(|(at, &byte)| {
            byte.is_ascii_whitespace()
                || byte == b'\x0b'
                || Some(byte) == continuation && matches!(text.get(at + 1), Some(b'\n' | b'\r'))
        })
    }

    /// The query for names, `reduce.scm`; none for a language without one.
    ///
    /// # Panics
    /// If the query does not fit the parser, which a test excludes.
    fn name_query(&self) -> Option<&NameQuery> {
        let compile = || match NameQuery::new(
            self.definition.linked.parser,
            &self.definition.linked.names.join("\n"),
        ) {
            Ok(captures) => captures,
            Err(e) => panic!("the query for names of {}: {e}", self.name),
        };
        self.names
            .get_or_init(|| (!self.definition.linked.names.is_empty()).then(compile))
            .as_ref()
    }

    /// Whether lop knows what declares and uses names: by a query, or by the marks of a grammar in BNF.
    ///
    /// # Panics
    /// If the query does not fit the parser, which a test excludes.
    pub fn has_names(&self) -> bool {
        match self.bnf_grammar() {
            Some(grammar) => grammar.has_marks(),
            None => self.name_query().is_some(),
        }
    }

    /// What declares and uses names in a masked text, whose tree is `tree`: outer before inner, in the order of the text. None if that is not known.
    pub fn find_name_captures(&self, tree: &ParseTree, masked: &[u8]) -> Option<Vec<QueryCapture>> {
        match (self.bnf_grammar(), tree.bnf_tree()) {
            (Some(grammar), Some(tree)) => grammar.has_marks().then(|| {
                let found = grammar.marked_ranges(tree, masked).into_iter();
                found.map(QueryCapture::from).collect()
            }),
            _ => Some(self.name_query()?.find_captures(tree, masked)),
        }
    }

    /// A search for the same that goes along with a walk over the tree; none if names are not found so.
    pub fn begin_name_walk<'a, 'tree>(
        &'a self,
        tree: &'tree ParseTree,
        masked: &'a [u8],
    ) -> Option<NameWalk<'a, 'tree>> {
        self.name_query()?.begin_walk(tree, masked)
    }

    /// The texts that a name may also be known by: without what may stand before or behind a name of this language.
    pub fn shorter_name_texts<'a>(&self, text: &'a str) -> Vec<&'a str> {
        let Some(grammar) = self.bnf_grammar() else {
            return Vec::new();
        };
        let settings = grammar.name_settings();
        let texts = |signs: &'static [Vec<u8>]| {
            signs
                .iter()
                .filter_map(|sign| std::str::from_utf8(sign).ok())
        };
        let mut shorter = vec![text];
        shorter.extend(texts(&settings.leading).filter_map(|sign| text.strip_prefix(sign)));
        for at in 0..shorter.len() {
            let stripped =
                texts(&settings.trailing).filter_map(|sign| shorter[at].strip_suffix(sign));
            let stripped: Vec<&str> = stripped.collect();
            shorter.extend(stripped);
        }
        shorter.split_off(1)
    }

    /// What it says of statements, assignments and expressions.
    pub fn statements(&self) -> Option<&StatementFacts> {
        self.bnf_grammar().map(|grammar| grammar.statements())
    }

    /// How its programs are laid out; none if it does not say so.
    pub fn layout(&self) -> Option<&LayoutRules> {
        self.bnf_grammar()?.layout()
    }

    /// Whether nothing needs to use a declaration of this name: a program begins there.
    pub fn is_entry(&self, name: &str) -> bool {
        let grammar = self.bnf_grammar();
        grammar.is_some_and(|grammar| grammar.name_settings().entries.iter().any(|n| n == name))
    }

    /// Compiles a query of the user.
    ///
    /// # Errors
    /// When it is not a query, or contains names that the parser does not know. The error is a sentence with the place and similar names.
    pub fn compile_query(&self, text: &str) -> Result<CompiledQuery, String> {
        CompiledQuery::new(self.definition.linked.parser, text)
            .map_err(|error| self.explain_query_error(text, &error))
    }

    fn explain_query_error(&'_ self, text: &str, error: &QueryError) -> String {
        if self.bnf_grammar().is_some() {
            return format!("{} is a grammar in BNF, which has no queries", self.name);
        }
        // The first error that the parser reports may only be a consequence.
        if let Some(problem) = brackets::find_mismatch(text) {
            return format!(
                "not a query: {problem}; the kinds of nodes stand in brackets, as (if_statement) @keep"
            );
        }
        let place = format!("line {}, column {}", error.row + 1, error.column + 1);
        let Some(name) = parser::unknown_kind(error) else {
            let shown = error.message.lines().next().unwrap_or_default().trim();
            return format!(
                "not a query, at {place} of it: {shown}; the kinds of nodes stand in brackets, as (if_statement) @keep"
            );
        };
        let grammar = &self.facts().grammar;
        let kinds = grammar.classes().map(|class| grammar.class_name(class));
        match &suggest_names(name, kinds)[..] {
            [] => format!(
                "{} has no kind of node called `{name}` ({place}); `lop grammar {}` lists them",
                self.name,
                self.origin
                    .as_ref()
                    .map_or(self.name.into(), |origin| origin.directory.escape_hidden())
            ),
            near => format!(
                "{} has no kind of node called `{name}` ({place}); near it: {}",
                self.name,
                near.join(", ")
            ),
        }
    }

    fn new(linked: LinkedLanguage) -> Language {
        let data = match LanguageData::from_toml(linked.data) {
            Ok(data) => data,
            Err(e) => panic!("a language.toml in the binary: {e}"),
        };
        Language::from_data(linked, data)
    }

    /// A language of lop's own that has a grammar in BNF, which is not read before the language is used.
    fn from_builtin_bnf(builtin: &'static BuiltinBnf) -> Language {
        let prepare = || match BnfLanguage::from_text(builtin.text) {
            Ok(grammar) => LanguageDefinition::from_bnf(grammar, builtin.name, builtin.sample),
            Err(error) => panic!("a grammar in the binary: {error}"),
        };
        let mut language = Language::new_lazy(builtin.name, builtin.extensions, Box::new(prepare));
        let (name, text) = builtin.syntax;
        language.syntax = Some(SyntaxFile::built_in(name, text));
        language
    }

    fn from_data(linked: LinkedLanguage, data: LanguageData) -> Language {
        // The table of languages lives as long as the process.
        let extensions: Vec<&'static str> =
            data.extensions.iter().map(|e| &*e.clone().leak()).collect();
        let (name, extensions) = (data.name.clone().leak(), extensions.leak());
        let definition = LanguageDefinition { linked, data };
        Language::new_lazy(name, extensions, Box::new(|| definition))
    }

    fn new_lazy(
        name: &'static str,
        extensions: &'static [&'static str],
        prepare: Box<dyn FnOnce() -> LanguageDefinition + Send>,
    ) -> Language {
        Language {
            name,
            extensions,
            definition: LazyLock::new(prepare),
            origin: None,
            syntax: None,
            facts: OnceLock::new(),
            hidden: OnceLock::new(),
            highlighter: OnceLock::new(),
            names: OnceLock::new(),
            rule_data: OnceLock::new(),
            rules: OnceLock::new(),
            statement_forms: OnceLock::new(),
        }
    }

    fn facts(&self) -> &LanguageFacts {
        self.facts.get_or_init(|| {
            let grammar = match Grammar::decode(self.definition.linked.grammar) {
                Ok(grammar) => grammar,
                Err(e) => panic!("the grammar of {}: {e}", self.name),
            };
            let optional = self.definition.data.optional_parts();
            let grammar = match grammar.with_optional_parts(&optional) {
                Ok(grammar) => grammar,
                Err(e) => panic!("the optional parts of {}: {e}", self.name),
            };
            let is_one_of = |kinds: &[String]| {
                let classes = grammar.classes();
                classes
                    .map(|c| kinds.iter().any(|kind| kind == grammar.class_name(c)))
                    .collect()
            };
            let named = |name: &String| {
                let of_name = |&class: &NodeClass| grammar.class_name(class) == name;
                grammar.classes().filter(of_name).collect::<Vec<_>>()
            };
            let holes = |class| {
                let holes = self
                    .definition
                    .data
                    .templates
                    .get(grammar.class_name(class));
                holes.into_iter().flatten().flat_map(named).collect()
            };
            LanguageFacts {
                holes: grammar.classes().map(holes).collect(),
                nonempty: is_one_of(&self.definition.data.nonempty),
                jumps: is_one_of(&self.definition.data.jumps),
                fillers: fillers::fillers_by_class(&self.definition.data, &grammar),
                token_texts: TokenTexts::new(&self.definition.data, &grammar),
                statement: self.definition.data.statement.iter().flat_map(named).next(),
                opaque: is_one_of(&self.definition.data.opaque),
                comment: is_one_of(&self.definition.data.comments),
                starts_line: is_one_of(&self.definition.data.lines.start),
                ends_line: is_one_of(&self.definition.data.lines.end),
                grammar,
            }
        })
    }
}
