//! The run that a session recorded: its program and language, its options, its input.

use std::path::{Component, Path, PathBuf};
use std::sync::Arc;

use super::derivation;
use super::header::recorded_environment;
use super::language_choice::{grammar_failure, grammar_key, load_repository, project_language};
use crate::cli::failure::{CommandFailure, FAILED, OrFail, USAGE};
use crate::cli::session_lookup::describe_problems;
use crate::display::EscapeHidden;
use crate::language::{self, GrammarRepository, GrammarSelector, Language};
use crate::program::{self, DocumentSource, FileText, Objective, Version};
use crate::reduce::{EngineCommand, Quorum};
use crate::session::history::SessionHistory;
use crate::session::journal::{
    HeaderFile, HeaderInvocation, HeaderProject, HeaderRepository, JournalHeader, JournalLine,
};
use crate::session::ownership::OwnershipProblem;
use crate::session::{InputFile, ProjectInput, RunInput};
use crate::{minimize, pass};

/// The recorded program.
pub fn recorded_version(header: &JournalHeader) -> Result<Version, CommandFailure> {
    read_recorded_version(header, recorded_language)
}

/// The recorded program as lines and tokens, whatever its language.
pub fn recorded_version_as_text(header: &JournalHeader) -> Result<Version, CommandFailure> {
    read_recorded_version(header, |_| Ok(None))
}

fn read_recorded_version(
    header: &JournalHeader,
    language: impl Fn(&HeaderFile) -> Result<Option<&'static Language>, CommandFailure>,
) -> Result<Version, CommandFailure> {
    let files = header.files.iter().map(|file| {
        let bytes = file.bytes.decode_bytes();
        let bytes = bytes.ok_or_else(|| damaged_header("its bytes cannot be read"))?;
        let language = language(file)?;
        Ok((language, file.path.as_path().into(), bytes.into()))
    });
    let mut files = files.collect::<Result<Vec<_>, CommandFailure>>()?;
    if header.is_pair() {
        let [seed, variant]: [DocumentSource; 2] = files
            .try_into()
            .map_err(|_| damaged_header("a pair has two files"))?;
        return program::read_pair(seed, variant).or_fail(FAILED);
    }
    let project = header.run.as_ref().and_then(|run| run.project.as_ref());
    let language = match project {
        None => files.first().and_then(|(language, ..)| *language),
        Some(project) => {
            let languages = files.iter().map(|(language, ..)| *language);
            project_language(languages.zip(project.files.iter().copied()))
        }
    };
    let objective = match language {
        // A query cannot be counted in a program without a grammar.
        None => recorded_objective(header, None).unwrap_or_default(),
        Some(_) => recorded_objective(header, language)?,
    };
    let version = match (&header.files[..], language, files.pop()) {
        (
            [
                HeaderFile {
                    tree: Some(tree), ..
                },
            ],
            Some(_),
            Some(file),
        ) => derivation::read_given_tree(file, tree)?,
        (.., last) => {
            files.extend(last);
            match project {
                None => program::read_documents(files).or_fail(FAILED)?,
                Some(project) => {
                    let files = files.into_iter().zip(project.files.iter().copied());
                    program::read_project(files.collect()).or_fail(FAILED)?
                }
            }
        }
    };
    Ok(version
        .with_objective(objective)
        .keeping_layout(header.canonical))
}

fn damaged_header(what: &str) -> CommandFailure {
    let what = format!("the journal's header is damaged: {what}");
    CommandFailure::new(USAGE, what)
}

/// What the recorded run made smaller.
pub fn recorded_objective(
    header: &JournalHeader,
    language: Option<&'static Language>,
) -> Result<Objective, CommandFailure> {
    if header.is_pair() {
        return Ok(Objective::Pair);
    }
    if header.is_choices() {
        return Ok(Objective::Choices);
    }
    let name = header.objective.as_deref().unwrap_or("tokens");
    Objective::parse_name(name, language).or_fail(USAGE)
}

/// The recorded options of the passes.
pub fn recorded_options(header: &JournalHeader) -> Result<pass::PassOptions, CommandFailure> {
    let unknown = |what: &str, name: &str| {
        CommandFailure::new(
            USAGE,
            format!(
                "this lop does not know the {what} `{}`",
                name.escape_hidden()
            ),
        )
    };
    let minimizer = minimize::find_minimizer(&header.minimizer)
        .ok_or_else(|| unknown("list minimiser", &header.minimizer))?;
    let strategy = pass::find_strategy(&header.strategy)
        .ok_or_else(|| unknown("strategy", &header.strategy))?;
    let schedule = match &header.schedule {
        None => strategy.schedule,
        Some(name) => pass::find_schedule(name).ok_or_else(|| unknown("schedule", name))?,
    };
    let effort = match &header.effort {
        None => pass::Effort::Quick,
        Some(name) => pass::find_effort(name).ok_or_else(|| unknown("effort", name))?,
    };
    let features = |names: &[String]| {
        let mut names = names.iter();
        names.try_fold(pass::FeatureSet::default(), |features, name| {
            let more = features.with_named(name);
            more.ok_or_else(|| unknown("part", name))
        })
    };
    Ok(pass::PassOptions {
        minimizer,
        strategy,
        effort,
        keeps_text: header.keeps_text,
        schedule,
        disabled_features: features(&header.without)?,
        enabled_features: features(&header.with)?,
        mirror: header.mirror,
        is_project: false,
        statements: false,
        unguarded_text: false,
        has_canonical_layout: false,
    })
}

/// Where and with what the session ran; `why` says what cannot be done without that.
pub fn recorded_invocation(
    history: &SessionHistory,
    why: &str,
) -> Result<HeaderInvocation, CommandFailure> {
    history.header.run.clone().ok_or_else(|| {
        let what = format!(
            "this journal does not say where and with what it ran, so {why}; reduce the file again"
        );
        CommandFailure::new(USAGE, what)
    })
}

/// The texts of the version that the session kept.
pub fn kept_texts(history: &SessionHistory) -> Result<Vec<FileText>, CommandFailure> {
    let kept = history.versions.kept;
    history.versions.document_texts(kept).ok_or_else(|| {
        let what = format!(
            "version {kept} of the session cannot be made from its journal, which is damaged; `lop history` lists those that can, `lop show N` prints one"
        );
        CommandFailure::new(USAGE, what)
    })
}

/// The recorded input.
pub fn recorded_input(
    history: &SessionHistory,
    run: &HeaderInvocation,
) -> Result<RunInput, CommandFailure> {
    let damaged = || {
        CommandFailure::new(
            USAGE,
            "the journal does not hold the original, so it cannot be resumed; reduce the file again",
        )
    };
    let read = |file: &HeaderFile, path: &Path, mode| {
        let bytes = file.bytes.decode_bytes().ok_or_else(damaged)?;
        let input = InputFile::from_recorded(path, &file.path, bytes.into(), mode);
        Ok(input.with_tree(file.tree.as_deref().map(Arc::from)))
    };
    if let Some(project) = &run.project {
        let main = InputFile::from_recorded(&run.input, &run.input, Arc::default(), run.mode);
        let files = &history.header.files;
        let is_below = |file: &HeaderFile| {
            let mut parts = file.path.components();
            parts.all(|part| matches!(part, Component::Normal(_)))
        };
        if !files.iter().all(is_below)
            || files.len() != project.files.len()
            || files.len() != project.modes.len()
        {
            return Err(damaged());
        }
        let root = project_root(&run.input, project, files);
        // What lies there now may be a link: none is followed.
        let whole_root = root.canonicalize().unwrap_or_else(|_| root.clone());
        let files = files.iter().zip(&project.modes).map(|(file, mode)| {
            let input = read(file, &root.join(&file.path), *mode)?;
            // What a test may execute, and what is a link, is part of what the run started from.
            let input = InputFile {
                mode: *mode,
                path: whole_root.join(&file.path),
                ..input
            };
            Ok(input.at_place(&file.path))
        });
        let files = files.collect::<Result<Vec<_>, _>>()?;
        let freedoms = project.files.clone();
        let project = ProjectInput::from_recorded(main, project.is_directory, files, freedoms);
        return Ok(RunInput::Project(Box::new(project)));
    }
    match (&history.header.files[..], &run.seed) {
        ([file], None) => read(file, &run.input, run.mode).map(RunInput::Program),
        ([first, second], Some(seed)) if history.header.is_pair() => {
            let seed = read(first, &seed.path, seed.mode)?;
            let variant = read(second, &run.input, run.mode)?;
            Ok(RunInput::Pair([seed, variant]))
        }
        _ => Err(damaged()),
    }
}

/// The directory that the paths of a project's files begin in: the input, or what is above the first of several files.
fn project_root(input: &Path, project: &HeaderProject, files: &[HeaderFile]) -> PathBuf {
    let first = files.iter().find(|file| input.ends_with(&file.path));
    match first.filter(|_| !project.is_directory) {
        None => input.to_path_buf(),
        Some(first) => {
            let up = first.path.components().count();
            input.ancestors().nth(up).unwrap_or(input).to_path_buf()
        }
    }
}

/// The last recorded quorum; none without a `confirm` command.
pub fn recorded_quorum(history: &SessionHistory) -> Option<Quorum> {
    let lines = history.journal.lines.iter().rev();
    let mut commands = lines.filter_map(|line| match line {
        JournalLine::Command { command, .. } => EngineCommand::parse_recorded(command).ok(),
        _ => None,
    });
    commands.find_map(|command| match command {
        EngineCommand::Confirm(quorum) => Some(quorum),
        _ => None,
    })
}

/// The variables with another value now, among those whose values are recorded.
pub fn changed_variables(run: &HeaderInvocation) -> Vec<String> {
    let now = recorded_environment();
    let value = |all: &[(String, Option<String>)], name: &str| {
        all.iter()
            .find(|(other, _)| other == name)
            .map(|(_, value)| value.clone())
    };
    let kept = |(_, value): &&(String, Option<String>)| value.is_some();
    let names = run
        .environment
        .iter()
        .filter(kept)
        .chain(now.iter().filter(kept));
    let mut names: Vec<String> = names
        .map(|(name, _)| name.clone())
        .filter(|name| value(&run.environment, name) != value(&now, name))
        .collect();
    names.sort_unstable();
    names.dedup();
    names
}

/// The language of a repository that a journal names, if its sources are unchanged.
fn load_recorded_repository(then: &HeaderRepository) -> Result<&'static Language, CommandFailure> {
    let directory = &then.directory;
    let repository = GrammarRepository::find_grammar(directory, GrammarSelector::Named(&then.name));
    let repository = repository.map_err(|error| grammar_failure(directory, &error))?;
    let key = grammar_key(directory, &repository)?;
    if key != then.sources {
        let what = format!(
            "the grammar in {} is not the one of the session; restore that one, or start a new run",
            directory.escape_hidden()
        );
        return Err(CommandFailure::new(USAGE, what));
    }
    Ok(load_repository(directory, repository, key)?.language)
}

/// The language that a file of a journal was read in.
pub fn recorded_language(file: &HeaderFile) -> Result<Option<&'static Language>, CommandFailure> {
    let Some(name) = &file.language else {
        return Ok(None);
    };
    if let Some(repository) = &file.repository {
        return load_recorded_repository(repository).map(Some);
    }
    match &file.bnf {
        Some(text) => language::load_recorded_bnf(name, text, file.syntax.as_deref())
            .map(Some)
            .or_fail(USAGE),
        None => match language::by_name(name) {
            Some(language) => Ok(Some(language)),
            None => {
                let what = format!(
                    "this lop does not know the language `{}`; use the lop that wrote the session, or a newer one",
                    name.escape_hidden()
                );
                Err(CommandFailure::new(USAGE, what))
            }
        },
    }
}

/// Why the program of a journal is not read as it was: a grammar that somebody else may have named is C code, and none of it is built or
/// loaded only to look at what a run did. None where it can be.
pub fn describe_withheld_grammar(
    header: &JournalHeader,
    doubts: &[OwnershipProblem],
) -> Option<String> {
    let mut repositories = header
        .files
        .iter()
        .filter_map(|file| file.repository.as_ref());
    let repository = repositories.next().filter(|_| !doubts.is_empty())?;
    Some(format!(
        "the session may be somebody else's ({}), so its grammar in {} is not loaded",
        describe_problems(doubts),
        repository.directory.escape_hidden()
    ))
}
