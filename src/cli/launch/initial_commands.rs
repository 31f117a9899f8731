//! Commands that are known before a run begins: from the command line, a script, and marks in the program.

use std::path::{Path, PathBuf};

use crate::cli::args::RunArgs;
use crate::cli::failure::{CommandFailure, OrFail, USAGE};
use crate::display::{EscapeHidden, sanitize_line};
use crate::language::{RuleText, read_rule_file, suggest_names};
use crate::oracle::FilePlace;
use crate::pass::{self, STRATA};
use crate::program::rules::read_rule;
use crate::program::{
    ConstraintRule, KEEP_MARK, NodeTarget, QueryRequirement, Version, mentions_keep_mark,
};
use crate::reduce::{self, BreakCondition, EngineCommand, ScriptTrigger};

/// The place of the failure, as the command line names it.
#[derive(Clone, Debug)]
pub struct NamedPlace {
    /// The option that names it.
    pub option: &'static str,
    /// Where it is.
    pub place: FilePlace,
    /// Whether slices of it come first.
    pub is_sliced: bool,
}

/// The steering commands of the command line.
#[derive(Clone, Debug, Default)]
pub struct InitialCommands {
    commands: Vec<EngineCommand>,
    place: Option<NamedPlace>,
    script: Option<PathBuf>,
    rules: Option<PathBuf>,
    strip_markers: bool,
}

impl InitialCommands {
    /// The commands of these arguments.
    pub fn from_args(run: &RunArgs) -> InitialCommands {
        let given = [&run.pin, &run.require, &run.keep_comments, &run.command];
        let confirm = run.confirm.map(EngineCommand::Confirm).into_iter();
        InitialCommands {
            commands: confirm
                .chain(given.into_iter().flatten().cloned())
                .collect(),
            place: [
                ("--place", &run.place, false),
                ("--slice", &run.slice, true),
            ]
            .into_iter()
            .find_map(|(option, place, is_sliced)| {
                Some(NamedPlace {
                    option,
                    place: place.clone()?,
                    is_sliced,
                })
            }),
            script: run.commands.clone(),
            rules: run.rules.clone(),
            strip_markers: run.strip_markers,
        }
    }

    /// The place of the failure that the user named.
    pub fn place(&self) -> Option<&NamedPlace> {
        self.place.as_ref()
    }

    /// Whether a command names the place of the failure.
    pub fn names_place(&self) -> bool {
        let is_place = |command: &EngineCommand| {
            let constraint = command.added_constraint();
            constraint.is_some_and(|(rule, _)| rule == ConstraintRule::Place)
        };
        self.commands.iter().any(is_place)
    }

    /// The commands of a run that begins with this version, with those about the place of its failure. Each is checked as far as that is
    /// possible before the run.
    pub fn build_script(
        &self,
        places: Vec<EngineCommand>,
        version: &Version,
    ) -> Result<Vec<(ScriptTrigger, EngineCommand)>, CommandFailure> {
        let mut script: Vec<(ScriptTrigger, EngineCommand)> = Vec::new();
        let mut start = |command| script.push((ScriptTrigger::Start, command));
        let marks = NodeTarget::Comments(KEEP_MARK.into());
        let mut documents = version.documents().iter();
        let may_mark = documents.any(|document| mentions_keep_mark(&document.root));
        if may_mark && marks.find_nodes(version).is_ok() {
            start(EngineCommand::Constrain(
                ConstraintRule::Pin,
                NodeTarget::Marked,
            ));
            if !self.strip_markers {
                start(EngineCommand::Constrain(ConstraintRule::Pin, marks));
            }
        }
        places.into_iter().for_each(&mut start);
        self.commands.iter().cloned().for_each(&mut start);
        let rules = self.rules.iter().map(|path| read_rules(path, version));
        let rules = rules.collect::<Result<Vec<_>, _>>()?;
        rules.into_iter().flatten().for_each(start);
        if let Some(path) = &self.script {
            let text = std::fs::read_to_string(path);
            let text = text.map_err(|error| {
                CommandFailure::new(
                    USAGE,
                    format!(
                        "the commands {} cannot be read: {}; name a text file with a command a line, of those that `lop commands` lists",
                        path.escape_hidden(),
                        describe_read_error(&error)
                    ),
                )
            })?;
            let commands = reduce::parse_script(&text);
            let commands = commands.map_err(|error| {
                CommandFailure::new(
                    USAGE,
                    format!("the commands {}, {error}", path.escape_hidden()),
                )
            })?;
            script.extend(commands);
        }
        for (when, command) in &script {
            named_passes(command).try_for_each(|name| check_pass_name(command, name))?;
            if *when == ScriptTrigger::Start {
                check_target(command, version)?;
            }
        }
        Ok(script)
    }
}

/// The commands that add the rules of a file. Each can be read as a part of the program.
fn read_rules(path: &Path, version: &Version) -> Result<Vec<EngineCommand>, CommandFailure> {
    let wrong = |problem: String| {
        let what = format!("the rules {}{problem}", path.escape_hidden());
        CommandFailure::new(USAGE, what)
    };
    let text = std::fs::read_to_string(path).map_err(|error| {
        wrong(format!(
            " cannot be read: {}; name a TOML file with [[rules]]",
            describe_read_error(&error)
        ))
    })?;
    let rules = read_rule_file(&text).map_err(|problem| wrong(format!(", {problem}")))?;
    let check = |(line, rule): (usize, RuleText)| {
        let read = read_rule(version, &rule);
        read.map_err(|problem| wrong(format!(", line {line}: {problem}")))?;
        Ok(EngineCommand::Rule { rule, now: false })
    };
    rules.into_iter().map(check).collect()
}

/// Why a text could not be read.
fn describe_read_error(error: &std::io::Error) -> String {
    match error.kind() {
        std::io::ErrorKind::InvalidData => "it is not UTF-8".into(),
        _ => error.to_string(),
    }
}

/// Fails if the target of the command does not exist.
fn check_target(command: &EngineCommand, version: &Version) -> Result<(), CommandFailure> {
    let about = || format!("{} cannot be", sanitize_line(&command.to_string()));
    let constraint = command.added_constraint();
    let found = constraint.map(|(rule, target)| {
        let found = reduce::resolve_constraints(version, rule, target);
        found.map(drop).map_err(|error| (about(), error))
    });
    match command {
        _ if found.is_some() => found.unwrap_or(Ok(())),
        EngineCommand::Rule { rule, .. } => {
            let read = read_rule(version, rule);
            return read
                .map(drop)
                .map_err(|problem| CommandFailure::new(USAGE, format!("{}: {problem}", about())));
        }
        EngineCommand::Require(query) => QueryRequirement::new(query, version)
            .map(drop)
            .map_err(|error| (about(), error)),
        _ => Ok(()),
    }
    .map_err(|(about, error)| anyhow::Error::new(error).context(about))
    .or_fail(USAGE)
}

/// The passes that a command names.
fn named_passes(command: &EngineCommand) -> impl Iterator<Item = &str> {
    let names: Vec<&str> = match command {
        EngineCommand::Pass(_, name) => vec![name],
        EngineCommand::Until(BreakCondition::Pass(name))
        | EngineCommand::Break(BreakCondition::Pass(name)) => vec![name],
        EngineCommand::Order(names) => names.iter().map(|name| &**name).collect(),
        _ => Vec::new(),
    };
    names.into_iter()
}

/// Whether there is a pass of this name.
fn check_pass_name(command: &EngineCommand, name: &str) -> Result<(), CommandFailure> {
    let kinds = pass::all_passes();
    let strata = STRATA.iter().map(|stratum| stratum.name);
    let names = || kinds.iter().map(|kind| kind.name).chain(strata.clone());
    if names().any(|known| known == name) {
        return Ok(());
    }
    let near = suggest_names(name, names());
    let near = match near.is_empty() {
        true => "`lop passes` lists them".to_owned(),
        false => format!("near it: {}", near.join(", ")),
    };
    let problem = format!(
        "{}: there is no pass `{}`; {near}",
        sanitize_line(&command.to_string()),
        name.escape_hidden()
    );
    Err(CommandFailure::new(USAGE, problem))
}
