//! The completions of a typed line.

use super::fuzzy;
use super::rule_preview::preview_rule;
use crate::program::NodeTarget;
use crate::reduce::{CommandVerb, VERBS, list_strategy_names};
use crate::tui::app::App;
use crate::tui::commands::command::ScreenCommand;
use crate::tui::commands::facts::ScreenFacts;
use crate::tui::commands::table::{COMMANDS, find_command, run_ended};
use crate::tui::handlers::command_handlers::disabled_reason;
use crate::tui::panes::sentences::removed_files;

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
    let values: Vec<(String, &'static str)> = match (entry.and_then(|entry| entry.argument), verb) {
        (Some(arg), _) => without_notes((arg.values)(app)),
        (None, Some(verb)) => list_verb_arguments(app, verb, typed),
        (None, None) => Vec::new(),
    };
    let whole = match (entry, verb) {
        (Some(entry), _) => command_completion(&facts, entry),
        (None, Some(verb)) => verb_completion(&facts, verb),
        (None, None) => return rank_completions(line, all),
    };
    let undone = (name == "undo").then(|| undone_files(app)).flatten();
    let value = |(value, note): &(String, &'static str)| CompletionItem {
        line: format!("{name} {value}"),
        label: value.clone(),
        command: whole.command,
        note: match &undone {
            None => (*note).to_owned(),
            Some(files) => format!("{note} ({files})"),
        },
        disabled: whole.disabled,
    };
    let mut proposed: Vec<CompletionItem> =
        fuzzy::rank_matches(typed, values.iter().map(|(value, _)| value.as_str()))
            .into_iter()
            .map(|at| value(&values[at]))
            .collect();
    if proposed.is_empty() {
        proposed.push(CompletionItem {
            line: line.to_owned(),
            ..whole
        });
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
    }
}

fn verb_completion(facts: &ScreenFacts, verb: &'static CommandVerb) -> CompletionItem {
    CompletionItem {
        line: verb.name.to_owned(),
        label: format!("{} {}", verb.name, verb.arguments),
        command: None,
        note: verb.what.to_owned(),
        disabled: run_ended(facts),
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
        ("undo", "keep") => "undo one version, and pin what its edit removed",
        ("undo", "ban") => "undo one version, and never test the same program again",
        ("undo", "fails") => {
            "undo one version that only a flaky test accepted, and count it as rejected"
        }
        ("undo", "disable") => "undo one version, and disable the pass that made it",
        ("undo", "stop") => "undo one version, and pause the run",
        _ => "",
    }
}

/// Words that say all.
fn without_notes(words: Vec<String>) -> Vec<(String, &'static str)> {
    words.into_iter().map(|word| (word, "")).collect()
}

/// The possible arguments of a verb, each with what it means: a few words, the passes, the strategies, or the selected node.
fn list_verb_arguments(app: &App, verb: &CommandVerb, typed: &str) -> Vec<(String, &'static str)> {
    let snapshot = app.view.snapshot.as_ref();
    // What may stand after it is not completed.
    let arguments = verb.arguments.trim_end_matches(" [VERSION]");
    let arguments = arguments.trim_matches(['[', ']']);
    match arguments {
        "PASS" => {
            let passes = snapshot.iter().flat_map(|snapshot| snapshot.passes.iter());
            passes
                .map(|pass| (pass.name.to_owned(), pass.what))
                .collect()
        }
        "NAME" if verb.name == "strategy" => snapshot.map_or_else(Vec::new, |snapshot| {
            list_strategy_names(&snapshot.version, typed)
        }),
        "PLACE" => {
            let selected = app.selected_place().ok().map(|place| place.to_string());
            // A line (9) is no part of the number of a node (#19).
            let selected = selected.filter(|place| place.starts_with(typed));
            let paths = app.file_paths().into_iter();
            let paths = paths.map(|path| NodeTarget::Name(path.into()).to_string());
            let mut places: Vec<String> = selected.into_iter().collect();
            let others = paths.filter(|path| places.first() != Some(path));
            let others: Vec<String> = others.collect();
            places.extend(others);
            without_notes(places)
        }
        words if words.contains('|') && !words.contains(' ') => {
            let words = words.split('|');
            words
                .map(|word| (word.to_owned(), describe_word(verb.name, word)))
                .collect()
        }
        _ => Vec::new(),
    }
}
