//! The completions of a typed line.

use std::sync::Arc;

use rustc_hash::FxHashSet;

use super::fuzzy;
use super::rule_preview::preview_rule;
use crate::program::{NodeTarget, Version, node_excerpt};
use crate::reduce::{CommandVerb, VERBS, list_strategy_names};
use crate::tui::app::App;
use crate::tui::commands::command::ScreenCommand;
use crate::tui::commands::facts::ScreenFacts;
use crate::tui::commands::table::{COMMANDS, find_command, run_ended};
use crate::tui::handlers::command_handlers::disabled_reason;
use crate::tui::panes::sentences::removed_files;

/// The most characters of a node that a completion shows.
const LONGEST_EXCERPT: usize = 24;

/// A completion of a line.
pub struct CompletionItem {
    /// The whole line.
    pub line: String,
    /// The text that is shown for it.
    pub label: String,
    /// The command, if it has a row in the table; otherwise it is a verb of the run.
    pub command: Option<&'static ScreenCommand>,
    /// Its description.
    pub note: String,
    /// Why it is disabled now.
    pub disabled: Option<&'static str>,
    /// Whether it is only what was typed, which the list does not know.
    pub is_typed: bool,
}

impl CompletionItem {
    /// Whether the list knows it, so that it completes a line.
    pub fn is_listed(&self) -> bool {
        !self.is_typed
    }
}

/// The completions of a command line, the best first.
pub fn list_completions(app: &App, line: &str) -> Vec<CompletionItem> {
    let facts = app.facts();
    let line = line.trim_start();
    let mut all: Vec<CompletionItem> = COMMANDS
        .iter()
        .filter(|entry| entry.is_typeable() && entry.context.is_available(&facts))
        .map(|entry| command_completion(&facts, entry))
        .collect();
    let Some((name, typed)) = line.split_once(char::is_whitespace) else {
        let verbs = VERBS
            .iter()
            .filter(|verb| find_command(verb.name).is_none());
        all.extend(verbs.map(|verb| verb_completion(&facts, verb)));
        return rank_completions(line, all);
    };
    let typed = typed.trim();
    // The rows whose name has several words and begins with this one.
    all.retain(|known| known.line.starts_with(&format!("{name} ")));
    let entry = find_command(name).filter(|entry| entry.is_typeable());
    let verb = VERBS.iter().find(|verb| verb.name == name);
    if let Some(verb) = verb.filter(|verb| ["rule", "add-rule"].contains(&verb.name)) {
        return rule_proposals(app, line, verb, typed);
    }
    let values: Vec<(String, String)> = match (entry.and_then(|entry| entry.argument), verb) {
        (Some(arg), _) => without_notes((arg.values)(app)),
        (None, Some(verb)) if takes_place(verb) => list_places(app, typed)
            .into_iter()
            .map(|place| {
                let note = describe_place(app, &place);
                (place, note)
            })
            .collect(),
        (None, Some(verb)) => list_verb_arguments(app, verb, typed),
        (None, None) => Vec::new(),
    };
    let whole = match (entry, verb) {
        (Some(entry), _) => command_completion(&facts, entry),
        (None, Some(verb)) => verb_completion(&facts, verb),
        (None, None) => return rank_completions(line, all),
    };
    let undone = (name == "undo").then(|| undone_files(app)).flatten();
    let value = |(value, note): &(String, String)| CompletionItem {
        line: format!("{name} {value}"),
        label: value.clone(),
        command: whole.command,
        note: match &undone {
            None => note.clone(),
            Some(files) => format!("{note} ({files})"),
        },
        disabled: whole.disabled,
        is_typed: false,
    };
    let mut proposed: Vec<CompletionItem> =
        fuzzy::rank_matches(typed, values.iter().map(|(value, _)| value.as_str()))
            .into_iter()
            .map(|at| value(&values[at]))
            .collect();
    let takes_other = entry.is_some_and(|entry| entry.argument.is_some());
    let takes_typed = !takes_other && verb.is_some_and(takes_place) && !typed.is_empty();
    if proposed.is_empty() {
        proposed.push(CompletionItem {
            line: line.to_owned(),
            ..whole
        });
    } else if takes_typed && proposed[0].label != typed {
        // A name that is typed is meant: another one has to be chosen.
        let as_typed = (typed.to_owned(), "as it is typed".to_owned());
        let as_typed = CompletionItem {
            is_typed: true,
            ..value(&as_typed)
        };
        proposed.insert(0, as_typed);
    }
    proposed
}

/// What a rule would do that is being typed. Each line stands for the rule as it is typed.
fn rule_proposals(
    app: &App,
    line: &str,
    verb: &'static CommandVerb,
    typed: &str,
) -> Vec<CompletionItem> {
    let proposal = |label: String| CompletionItem {
        label,
        line: line.to_owned(),
        command: None,
        note: String::new(),
        disabled: run_ended(&app.facts()),
        is_typed: false,
    };
    let usage = format!("{} {}", verb.name, verb.arguments);
    let lines = match preview_rule(app, typed) {
        lines if lines.is_empty() => vec![usage],
        lines => lines,
    };
    lines.into_iter().map(proposal).collect()
}

/// The completions that match the typed text, the best first.
fn rank_completions(typed: &str, all: Vec<CompletionItem>) -> Vec<CompletionItem> {
    let ranked = fuzzy::rank_matches(typed, all.iter().map(|proposal| proposal.line.as_str()));
    let mut all: Vec<Option<CompletionItem>> = all.into_iter().map(Some).collect();
    ranked.into_iter().filter_map(|at| all[at].take()).collect()
}

fn command_completion(facts: &ScreenFacts, entry: &'static ScreenCommand) -> CompletionItem {
    CompletionItem {
        line: entry.name.to_owned(),
        label: entry.usage(),
        command: Some(entry),
        note: entry.description_for(facts).to_owned(),
        disabled: disabled_reason(entry, facts),
        is_typed: false,
    }
}

fn verb_completion(facts: &ScreenFacts, verb: &'static CommandVerb) -> CompletionItem {
    CompletionItem {
        line: verb.name.to_owned(),
        label: format!("{} {}", verb.name, verb.arguments),
        command: None,
        note: verb.what.to_owned(),
        disabled: run_ended(facts),
        is_typed: false,
    }
}

/// The files that an undo would bring back, in short.
fn undone_files(app: &App) -> Option<String> {
    let snapshot = app.view.snapshot.as_ref()?;
    let menu = app.prompt.as_ref().and_then(|prompt| prompt.undo_menu());
    let undone = menu.map_or(snapshot.number, |menu| menu.version);
    let undone = snapshot.history.get(undone as usize)?;
    removed_files(undone, &app.view.theme.glyphs)
}

/// The description of a word after a verb, if it has one.
fn describe_word(verb: &str, word: &str) -> &'static str {
    match (verb, word) {
        ("undo", "keep") => "undo it, and pin what its edit removed",
        ("undo", "ban") => "undo it, and never test the same program again",
        ("undo", "fails") => "undo it, for the test is flaky: it counts as rejected",
        ("undo", "disable") => "undo it, and disable the pass that made it",
        ("undo", "stop") => "undo it, and pause the run",
        _ => "",
    }
}

/// Words that say all.
fn without_notes(words: Vec<String>) -> Vec<(String, String)> {
    words
        .into_iter()
        .map(|word| (word, String::new()))
        .collect()
}

/// What stands at the node of a number; nothing of another place.
fn describe_place(app: &App, value: &str) -> String {
    let snapshot = app.view.snapshot.as_deref();
    match (value.parse(), snapshot) {
        (Ok(NodeTarget::Node(node)), Some(snapshot)) => {
            node_excerpt(&snapshot.version, node, LONGEST_EXCERPT)
        }
        _ => String::new(),
    }
}

/// Whether a verb is about a place of the program.
fn takes_place(verb: &CommandVerb) -> bool {
    verb.arguments.trim_matches(['[', ']']) == "PLACE"
}

/// The places that may be meant: what is typed, if it is a place by itself, such as a line; the selected node; the files of a project,
/// and what the program declares.
fn list_places(app: &App, typed: &str) -> Vec<String> {
    let is_whole = !matches!(typed.parse(), Err(_) | Ok(NodeTarget::Name(_)));
    let as_typed = is_whole.then(|| typed.to_owned());
    let selected = app.selected_place().ok().map(|place| place.to_string());
    let named = |name: &str| NodeTarget::Name(name.into()).to_string();
    let paths = app.file_paths();
    let paths = paths.iter().map(|path| named(path));
    let snapshot = app.view.snapshot.as_deref();
    let declared = snapshot.map_or(Vec::new(), |snapshot| {
        list_declared_names(&snapshot.version, typed)
    });
    let declared = declared.iter().map(|name| named(name));
    let mut seen = FxHashSet::default();
    let places = as_typed.into_iter().chain(selected);
    let places = places.chain(paths).chain(declared);
    places.filter(|place| seen.insert(place.clone())).collect()
}

/// Names that a version declares: of all those the one that is typed and those that begin with it, then the first ones of the program. Of a
/// long program only if they are known already: a key waits for nothing.
fn list_declared_names(version: &Version, typed: &str) -> Vec<Arc<str>> {
    const LONG_PROGRAM: u32 = 10_000;
    const MOST_NAMES: usize = 2_000;
    let is_short = version.token_count() < LONG_PROGRAM;
    let names = match is_short {
        true => Some(version.name_graph()),
        false => version.known_name_graph(),
    };
    let Some(names) = names else {
        return Vec::new();
    };
    let declared = || {
        let symbols = names.symbols();
        let symbols = symbols.filter(|symbol| !names.declaration_sites(*symbol).is_empty());
        symbols.map(|symbol| names.symbol_name(symbol).clone())
    };
    let typed_itself = declared().find(|name| &**name == typed);
    let begins = declared().filter(|name| name.starts_with(typed));
    let listed = typed_itself
        .into_iter()
        .chain(begins.take(MOST_NAMES))
        .chain(declared().take(MOST_NAMES));
    listed.collect()
}

/// The possible arguments of a verb, each with what it means: a few words, the passes, or the strategies.
fn list_verb_arguments(app: &App, verb: &CommandVerb, typed: &str) -> Vec<(String, String)> {
    let snapshot = app.view.snapshot.as_ref();
    // What may stand after it is not completed.
    let arguments = verb.arguments.trim_end_matches(" [VERSION]");
    let arguments = arguments.trim_matches(['[', ']']);
    match arguments {
        "PASS" => {
            let passes = snapshot.iter().flat_map(|snapshot| snapshot.passes.iter());
            passes
                .map(|pass| (pass.name.to_owned(), pass.what.to_owned()))
                .collect()
        }
        "NAME" if verb.name == "strategy" => {
            let names = snapshot.map_or_else(Vec::new, |snapshot| {
                list_strategy_names(&snapshot.version, typed)
            });
            let names = names.into_iter();
            names.map(|(name, note)| (name, note.to_owned())).collect()
        }
        words if words.contains('|') && !words.contains(' ') => {
            let words = words.split('|');
            words
                .map(|word| (word.to_owned(), describe_word(verb.name, word).to_owned()))
                .collect()
        }
        _ => Vec::new(),
    }
}
