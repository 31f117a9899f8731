//! `lop grammar`: shows grammars as lop reads them, for teaching and for debugging grammars.

use std::collections::BTreeSet;
use std::io::{self, Write};
use std::path::Path;

use thiserror::Error;

use crate::cli::failure::{CommandFailure, FAILED, OrFail, USAGE};
use crate::cli::launch::language_choice;
use crate::cli::launch::prepared_run::PreparedRun;
use crate::display::{ConsoleWriter, EscapeHidden, OutputStream, is_terminal};
use crate::grammar::{ExprId, Grammar, GrammarExpr, RuleId};
use crate::language::suggest_names;
use crate::language::{self, Language};

/// Why `lop grammar` shows nothing.
#[derive(Debug, Error)]
pub enum GrammarCommandError {
    /// No language of that name.
    #[error("lop knows no language `{}`; {}", name.escape_hidden(), did_you_mean(near).unwrap_or_else(|| format!("there is {}", all.join(", "))))]
    UnknownLanguage {
        /// The requested name.
        name: String,
        /// Similar names.
        near: Vec<String>,
        /// All languages.
        all: Vec<&'static str>,
    },
    /// The name is not a language, but a rule of one, or a kind of token.
    #[error("`{name}` is in the grammar of {language}; type\n    lop grammar {language} {name}")]
    PartOfLanguage {
        /// The requested name.
        name: String,
        /// The language that has it.
        language: &'static str,
    },
    /// No rule of that name.
    #[error("the grammar of {language} has no rule `{}`; {}", name.escape_hidden(), did_you_mean(near).unwrap_or_else(|| format!("`lop grammar {language}` lists them")))]
    UnknownRule {
        /// The language.
        language: &'static str,
        /// The requested name.
        name: String,
        /// Similar names.
        near: Vec<String>,
    },
    /// The output is closed.
    #[error(transparent)]
    Output(#[from] io::Error),
}

fn did_you_mean(near: &[String]) -> Option<String> {
    (!near.is_empty()).then(|| format!("did you mean {}?", near.join(" or ")))
}

const NOTATION: &str = "\
x?       x or nothing
x*       any number of x: each may go
x+       at least one x: each may go, but not all
x % \",\"  at least one x, with a \",\" between each two: with each x that goes, a \",\" goes
a | b    a or b
name: x  an x that is called name
_x       a rule that makes no node of its own
";

/// The largest width of a list's line on a terminal.
const LINE: usize = 120;

/// Prints languages, rules or steps; the exit status.
pub fn run_grammar(
    language: Option<&str>,
    rule: Option<&str>,
    steps: bool,
) -> Result<u8, CommandFailure> {
    let mut text = Vec::new();
    let width = is_terminal(OutputStream::Output).then_some(LINE);
    match language
        .map(Path::new)
        .filter(|file| language_choice::is_grammar_path(file))
    {
        Some(file) if steps => {
            text.extend(language_choice::normalization_stages(file)?.into_bytes())
        }
        Some(file) => {
            let language = language_choice::load_grammar(file, None)?;
            write_rules(language, rule, width, &mut text).or_fail(USAGE)?;
        }
        None if steps => {
            let what = "--steps is for a grammar in a file, as in  lop grammar FILE.bnf --steps";
            return Err(CommandFailure::new(USAGE, what));
        }
        None => write_grammar(language, rule, width, &mut text).or_fail(USAGE)?,
    }
    ConsoleWriter::stdout().write_page(&String::from_utf8_lossy(&text));
    Ok(0)
}

/// Prints the derivation tree of a file as JSON; the exit status.
pub fn print_derivation(grammar: &str, file: &Path) -> Result<u8, CommandFailure> {
    let path = Path::new(grammar);
    let language = match language_choice::is_grammar_path(path) {
        true => language_choice::load_grammar(path, Some(file))?,
        false => language::by_name(grammar)
            .ok_or_else(|| unknown_language(grammar))
            .or_fail(USAGE)?,
    };
    let input = PreparedRun::read_input(file)?;
    if language.bnf_grammar().is_none() {
        let what = "--parse is for a grammar in BNF, or one that is a dictionary, as in  lop grammar FILE.bnf --parse FILE";
        return Err(CommandFailure::new(USAGE, what));
    }
    language_choice::check_syntax(Some(language), file, &input.bytes)?;
    let tree = language.write_derivation(&input.bytes).ok_or_else(|| {
        let what = format!(
            "{} is too ambiguous by this grammar: the parser took far longer than a text of this length needs",
            file.escape_hidden()
        );
        CommandFailure::new(FAILED, what)
    })?;
    ConsoleWriter::stdout().write_json(&tree);
    Ok(0)
}

/// Writes the languages; or the rules of a language, one a line, cut to `width` if there is one; or one rule in full.
pub fn write_grammar(
    language: Option<&str>,
    rule: Option<&str>,
    width: Option<usize>,
    out: &mut impl Write,
) -> Result<(), GrammarCommandError> {
    let Some(name) = language else {
        return Ok(list_languages(out)?);
    };
    let language = language::by_name(name).ok_or_else(|| unknown_language(name))?;
    write_rules(language, rule, width, out)
}

/// Writes the rules of a language, or one of them.
pub fn write_rules(
    language: &'static Language,
    rule: Option<&str>,
    width: Option<usize>,
    out: &mut impl Write,
) -> Result<(), GrammarCommandError> {
    match rule {
        None => Ok(list_rules(language, width, out)?),
        Some(rule) => show_rule_or_kind(language, rule, out),
    }
}

pub fn unknown_language(name: &str) -> GrammarCommandError {
    let languages = language::all_languages();
    let knows = |language: &&'static Language| has_rule_or_kind(language.grammar(), name);
    if let Some(language) = languages.iter().find(knows).filter(|_| !name.is_empty()) {
        let (name, language) = (name.to_owned(), language.name);
        return GrammarCommandError::PartOfLanguage { name, language };
    }
    let all: Vec<&'static str> = languages.iter().map(|language| language.name).collect();
    // `C`, `.c` and `h` all mean c.
    let lower = name.trim_start_matches('.').to_lowercase();
    let means = |language: &&Language| {
        language.name == lower || language.extensions.contains(&lower.as_str())
    };
    let near = match languages.iter().find(means) {
        Some(language) => vec![language.name.to_owned()],
        None => suggest_names(name, all.iter().copied()),
    };
    let name = name.to_owned();
    GrammarCommandError::UnknownLanguage { name, near, all }
}

/// Whether a grammar has a rule or a kind of node of this name.
fn has_rule_or_kind(grammar: &Grammar, name: &str) -> bool {
    let mut classes = grammar.classes().filter(|&class| grammar.is_named(class));
    grammar.find_rule(name).is_some() || classes.any(|class| grammar.class_name(class) == name)
}

fn list_languages(out: &mut impl Write) -> io::Result<()> {
    for language in language::all_languages() {
        let rules = language.grammar().visible_rules().count();
        let extensions: Vec<String> = language
            .extensions
            .iter()
            .map(|e| format!(".{e}"))
            .collect();
        writeln!(
            out,
            "{:<12} {:<24} {rules} rules",
            language.name,
            extensions.join(" ")
        )?;
    }
    Ok(())
}

fn list_rules(
    language: &'static Language,
    width: Option<usize>,
    out: &mut impl Write,
) -> io::Result<()> {
    let grammar = language.grammar();
    for rule in grammar.visible_rules() {
        let line = format!(
            "{} ::= {}",
            grammar.rule_name(rule),
            grammar.describe_expr(grammar.rule_body(rule))
        );
        writeln!(out, "{}", truncate_line(&line, width))?;
    }
    write!(out, "\n{NOTATION}")?;
    let marks = language
        .bnf_grammar()
        .map(|grammar| grammar.describe_marks());
    let marks = marks.unwrap_or_default();
    if !marks.is_empty() {
        writeln!(out, "\nwhat its marks say of names")?;
    }
    for line in marks {
        writeln!(out, "  {}", truncate_line(&line, width))?;
    }
    let Some(bnf) = language.bnf_grammar() else {
        return Ok(());
    };
    let sections = [
        ("what may become simpler", bnf.describe_statements()),
        (
            "how its programs are laid out (--canonical)",
            bnf.describe_layout(),
        ),
        ("what has no effect", bnf.warnings()),
    ];
    for (title, lines) in sections.iter().filter(|(_, lines)| !lines.is_empty()) {
        writeln!(out, "\n{title}")?;
        for line in *lines {
            writeln!(out, "  {}", truncate_line(line, width))?;
        }
    }
    Ok(())
}

fn truncate_line(line: &str, width: Option<usize>) -> String {
    match width {
        Some(width) if line.chars().count() > width => {
            let short = line.chars().take(width.saturating_sub(1));
            short.chain(['…']).collect()
        }
        _ => line.to_owned(),
    }
}

fn show_rule_or_kind(
    language: &'static Language,
    name: &str,
    out: &mut impl Write,
) -> Result<(), GrammarCommandError> {
    let grammar = language.grammar();
    let shown_as = rules_shown_as(grammar, name);
    if let Some(rule) = grammar.find_rule(name) {
        show_rule(grammar, rule, out)?;
    } else if let [first, ..] = shown_as[..] {
        show_rule(grammar, first, out)?;
    } else if grammar
        .classes()
        .any(|class| grammar.class_name(class) == name)
    {
        writeln!(out, "{name} is a token: it has no parts")?;
    } else {
        let rules = grammar.all_rules().map(|rule| grammar.rule_name(rule));
        let kinds = grammar.classes().map(|class| grammar.class_name(class));
        let near = suggest_names(name, rules.chain(kinds));
        let (language, name) = (language.name, name.to_owned());
        return Err(GrammarCommandError::UnknownRule {
            language,
            name,
            near,
        });
    }
    let others: Vec<&str> = shown_as
        .iter()
        .map(|&r| grammar.rule_name(r))
        .filter(|&r| r != name)
        .collect();
    if !others.is_empty() {
        writeln!(
            out,
            "\nNodes of these rules are shown as {name} too: {}",
            others.join(", ")
        )?;
    }
    Ok(())
}

/// The rules whose nodes are shown under this name.
fn rules_shown_as(grammar: &Grammar, name: &str) -> Vec<RuleId> {
    let shown = grammar
        .classes()
        .filter(|&class| grammar.class_name(class) == name);
    let rules: BTreeSet<RuleId> = shown
        .filter_map(|class| grammar.rule_of_class(class))
        .collect();
    rules.into_iter().collect()
}

fn show_rule(grammar: &Grammar, rule: RuleId, out: &mut impl Write) -> io::Result<()> {
    let body = grammar.rule_body(rule);
    writeln!(
        out,
        "{} ::= {}",
        grammar.rule_name(rule),
        grammar.describe_expr(body)
    )?;
    let hidden = hidden_rules(grammar, body);
    if !hidden.is_empty() {
        writeln!(out, "\nwhere")?;
    }
    for name in hidden {
        if let Some(rule) = grammar.find_rule(name) {
            writeln!(
                out,
                "  {name} ::= {}",
                grammar.describe_expr(grammar.rule_body(rule))
            )?;
        }
    }
    writeln!(out, "\nits parts, and what may stand in the place of each")?;
    for part in notable_parts(grammar, body) {
        writeln!(out, "  {}", grammar.describe_expr(part))?;
        writeln!(out, "      {}", describe_part(grammar, part))?;
    }
    let optional = || grammar.optional_parts().filter(|(own, ..)| *own == rule);
    if optional().next().is_some() {
        writeln!(
            out,
            "\nits parts that compilers do without, and what the parser is shown in the place of each"
        )?;
    }
    for (_, part, stand_in) in optional() {
        writeln!(out, "  {part}")?;
        writeln!(out, "      {stand_in}")?;
    }
    Ok(())
}

/// The hidden rules that an expression names, directly or through each other, in the order of their names.
fn hidden_rules(grammar: &Grammar, body: ExprId) -> BTreeSet<&str> {
    let mut names = BTreeSet::new();
    let mut open = vec![body];
    while let Some(ex) = open.pop() {
        let ex = grammar.expression(ex);
        match ex {
            GrammarExpr::Hidden { name, .. } if !names.insert(&**name) => {}
            _ => open.extend(ex.parts()),
        }
    }
    names
}

/// The parts of a right-hand side that get a line: lists, options, and nodes with names.
fn notable_parts(grammar: &Grammar, body: ExprId) -> Vec<ExprId> {
    let mut parts: Vec<ExprId> = Vec::new();
    let mut open = vec![body];
    while let Some(ex) = open.pop() {
        match grammar.expression(ex) {
            GrammarExpr::Leaf(leaf) if !leaf.named => {}
            GrammarExpr::Text | GrammarExpr::Blank => {}
            GrammarExpr::Seq(members) => open.extend(members.iter().rev()),
            GrammarExpr::Choice(members) if grammar.fitting_classes(ex).next().is_none() => {
                open.extend(members.iter().rev())
            }
            GrammarExpr::Field { inner, .. }
                if grammar.fitting_classes(*inner).next().is_none() =>
            {
                open.push(*inner)
            }
            GrammarExpr::Opt(inner) | GrammarExpr::Star(inner) | GrammarExpr::Plus(inner) => {
                parts.push(ex);
                if grammar.fitting_classes(*inner).next().is_none() {
                    open.push(*inner);
                }
            }
            _ => parts.push(ex),
        }
    }
    let mut seen = BTreeSet::new();
    parts.retain(|part| seen.insert(*part));
    parts
}

/// The edits that the grammar allows for a part.
fn describe_part(grammar: &Grammar, part: ExprId) -> String {
    let list = match innermost_expr(grammar, part) {
        GrammarExpr::Star(_) => "a list, may be empty; each",
        GrammarExpr::Plus(_) | GrammarExpr::Sep { .. } if grammar.is_nullable(part) => {
            "a list, may go as a whole; each"
        }
        GrammarExpr::Plus(_) | GrammarExpr::Sep { .. } => "a list, at least one; each",
        _ if grammar.is_nullable(part) => "may go;",
        _ => "",
    };
    let mut kinds: Vec<String> = Vec::new();
    for class in grammar.fitting_classes(part) {
        let name = grammar.class_name(class);
        let name = if grammar.is_named(class) {
            name.to_owned()
        } else {
            format!("{name:?}")
        };
        if !kinds.contains(&name) {
            kinds.push(name);
        }
    }
    kinds.sort();
    let kinds = match &kinds[..] {
        [] => "no single node".to_owned(),
        kinds => kinds.join(", "),
    };
    format!("{list} {kinds}").trim_start().to_owned()
}

/// The expression inside of options and names.
fn innermost_expr(grammar: &Grammar, mut part: ExprId) -> &GrammarExpr {
    loop {
        match grammar.expression(part) {
            GrammarExpr::Opt(inner)
            | GrammarExpr::Field { inner, .. }
            | GrammarExpr::Hidden { inner, .. } => part = *inner,
            ex => return ex,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shown(language: Option<&str>, rule: Option<&str>) -> String {
        let mut out = Vec::new();
        match write_grammar(language, rule, None, &mut out) {
            Ok(()) => String::from_utf8(out).expect("text"),
            Err(e) => format!("error: {e}"),
        }
    }

    #[test]
    fn a_rule_is_shown_as_a_person_would_write_it() {
        let text = shown(Some("c"), Some("if_statement"));
        assert!(text.starts_with(
            "if_statement ::= \"if\" condition: parenthesized_expression consequence: statement alternative: else_clause?\n"
        ));
        assert!(
            text.contains("  alternative: else_clause?\n      may go; else_clause\n"),
            "{text}"
        );
        let consequence = "  consequence: statement\n      attributed_statement, break_statement, ";
        assert!(text.contains(consequence), "{text}");
    }

    #[test]
    fn lines_are_cut_only_to_a_width() {
        let mut out = Vec::new();
        write_grammar(Some("c"), None, Some(40), &mut out).expect("a list");
        let (cut, whole) = (
            String::from_utf8(out).expect("text"),
            shown(Some("c"), None),
        );
        let rules = |text: &str| {
            let lines = text.lines().filter(|line| line.contains("::="));
            lines.map(|line| line.chars().count()).max()
        };
        assert_eq!(rules(&cut), Some(40));
        assert!(rules(&whole) > Some(200) && !whole.contains('…'));
    }

    #[test]
    fn no_alternative_is_shown_twice() {
        let text = shown(Some("c"), None);
        let double = "function_definition | function_definition";
        assert!(!text.contains(double), "{text}");
    }

    #[test]
    fn lists_are_explained() {
        let text = shown(Some("c"), Some("argument_list"));
        assert!(
            text.starts_with(
                "argument_list ::= \"(\" ((expression | compound_statement) % \",\")? \")\"\n"
            ),
            "{text}"
        );
        assert!(
            text.contains("a list, may go as a whole; each alignof_expression, "),
            "{text}"
        );
        assert!(shown(Some("c"), None).contains("x % \",\"  at least one x"));
    }

    #[test]
    fn every_rule_of_every_language_can_be_shown() {
        for language in language::all_languages() {
            for rule in language.grammar().all_rules() {
                let name = language.grammar().rule_name(rule);
                assert!(
                    shown(Some(language.name), Some(name)).starts_with(&format!("{name} ::= "))
                );
            }
        }
    }

    #[test]
    fn a_token_has_no_parts() {
        assert_eq!(
            shown(Some("c"), Some("identifier")),
            "identifier is a token: it has no parts\n"
        );
    }

    #[test]
    fn a_name_that_is_not_there_brings_its_neighbours() {
        assert_eq!(
            shown(Some("c"), Some("if_statment")),
            "error: the grammar of c has no rule `if_statment`; did you mean if_statement?"
        );
        assert_eq!(
            shown(Some("c"), Some("")),
            "error: the grammar of c has no rule ``; `lop grammar c` lists them"
        );
        for name in ["C", ".c", "h"] {
            assert_eq!(
                shown(Some(name), None),
                format!("error: lop knows no language `{name}`; did you mean c?")
            );
        }
        assert_eq!(
            shown(Some("if_statement"), None),
            "error: `if_statement` is in the grammar of c; type\n    lop grammar c if_statement"
        );
        let unknown = shown(Some("cobol"), None);
        let begin = "error: lop knows no language `cobol`; there is c, cpp, java, rust, ";
        assert!(unknown.starts_with(begin), "{unknown}");
        assert!(unknown.ends_with(", boolean-program"), "{unknown}");
    }

    #[test]
    fn marks_are_listed_behind_the_rules() {
        let text = shown(Some("boolean-program"), None);
        let (_, marks) = text
            .split_once("\nwhat its marks say of names\n")
            .expect("marks");
        let lines: Vec<&str> = marks.lines().map(str::trim).collect();
        assert!(
            lines.contains(&"variables: name@def.var.name  %def.var"),
            "{marks}"
        );
        assert!(
            lines.contains(
                &"function: name@def.function.name  lines@def.function.body  %def.function  %scope"
            ),
            "{marks}"
        );
        assert!(
            lines.contains(&"%same-name leading \"'\"") && lines.contains(&"%entry main"),
            "{marks}"
        );
        assert!(!shown(Some("json"), None).contains("marks"));
    }

    #[test]
    fn the_languages_are_listed_with_their_files() {
        assert!(shown(None, None).starts_with("c            .c .h .i "));
    }
}
