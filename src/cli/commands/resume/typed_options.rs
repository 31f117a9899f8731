//! The options that were typed on the command line of a new run, and which of them an unfinished session has.

use std::ffi::OsString;

use crate::cli::args::strategy_names::parse_strategy;
use crate::cli::args::{PairArgs, ReduceArgs, RunArgs};
use crate::cli::launch::recorded_run::recorded_options;
use crate::pass::{self, FeatureSet, PAIR_STRATEGIES, PassOptions};
use crate::reduce::EngineCommand;
use crate::session::journal::JournalHeader;

/// What was typed, as far as it decides what a run asks about; nothing of an option that was left out.
#[derive(Debug, Default)]
pub struct TypedOptions {
    strategy: Option<String>,
    minimizer: Option<String>,
    effort: Option<String>,
    schedule: Option<String>,
    without: Vec<String>,
    with: Vec<String>,
    /// The pins and other commands.
    commands: Vec<EngineCommand>,
}

impl TypedOptions {
    /// Those of a reduction of one program or a project, with this command line.
    pub fn of_reduce(reduce: &ReduceArgs, line: &[OsString]) -> TypedOptions {
        // The default value may be typed too.
        let is_typed = line.iter().any(|word| {
            let word = word.to_string_lossy();
            word == "--strategy" || word.starts_with("--strategy=")
        });
        TypedOptions {
            strategy: is_typed.then(|| reduce.strategy.clone()),
            effort: reduce.effort.clone(),
            schedule: reduce.schedule.clone(),
            without: reduce.without.clone(),
            with: reduce.with.clone(),
            ..TypedOptions::of_run(&reduce.run)
        }
    }

    /// Those of a reduction of a pair.
    pub fn of_pair(pair: &PairArgs) -> TypedOptions {
        let is_typed = pair.strategy != PAIR_STRATEGIES[0].name;
        TypedOptions {
            strategy: is_typed.then(|| pair.strategy.clone()),
            schedule: pair.schedule.clone(),
            without: pair.without.clone(),
            ..TypedOptions::of_run(&pair.run)
        }
    }

    /// Those that every reduction has.
    pub fn of_run(run: &RunArgs) -> TypedOptions {
        let commands = [&run.pin, &run.require, &run.keep_comments, &run.command];
        TypedOptions {
            minimizer: run.minimizer.clone(),
            commands: commands.into_iter().flatten().cloned().collect(),
            ..TypedOptions::default()
        }
    }

    /// The options, as they are typed, that a session with this header does not have.
    pub fn missing_in(&self, header: &JournalHeader) -> Vec<String> {
        // A header that this lop does not understand is another matter.
        let Ok(recorded) = recorded_options(header) else {
            return Vec::new();
        };
        let effort = self.effort.as_deref();
        let schedule = self.schedule.as_deref();
        let values = [
            (
                "--strategy",
                self.strategy.as_deref(),
                self.has_strategy(&recorded),
            ),
            (
                "--minimizer",
                self.minimizer.as_deref(),
                self.minimizer.as_deref() == Some(recorded.minimizer.name),
            ),
            (
                "--effort",
                effort,
                effort.and_then(pass::find_effort) == Some(recorded.effort),
            ),
            (
                "--schedule",
                schedule,
                schedule.and_then(pass::find_schedule) == Some(recorded.schedule),
            ),
        ];
        let values = values
            .into_iter()
            .filter_map(|(option, value, is_recorded)| {
                let value = value.filter(|_| !is_recorded)?;
                Some(format!("{option} {value}"))
            });
        let lists = [
            ("--without", &self.without, recorded.disabled_features),
            ("--with", &self.with, recorded.enabled_features),
        ];
        let lists = lists.into_iter().filter_map(|(option, names, recorded)| {
            let differs = !names.is_empty() && FeatureSet::from_names(names) != recorded;
            differs.then(|| format!("{option} {}", names.join(",")))
        });
        let is_scripted = |command: &&EngineCommand| {
            let line = command.to_string();
            header.script.contains(&line)
        };
        let commands = self.commands.iter().filter(|command| !is_scripted(command));
        let commands = commands.map(|command| format!("`{command}`"));
        values.chain(lists).chain(commands).collect()
    }

    /// Whether these are the options of the typed strategy, whose name may have a list minimiser or a schedule.
    fn has_strategy(&self, recorded: &PassOptions) -> bool {
        self.strategy.as_deref().is_some_and(|name| {
            recorded.strategy.name == name
                || parse_strategy(name).is_ok_and(|named| {
                    let options = named.options;
                    options.strategy.name == recorded.strategy.name
                        && options.minimizer.name == recorded.minimizer.name
                        && options.schedule == recorded.schedule
                })
        })
    }
}
