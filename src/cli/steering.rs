//! Commands that are known before a run begins: from the command line, from a script, and from the program's own marks.

use std::path::PathBuf;

use super::args::Reduce;
use super::failure::{Failure, OrFail, USAGE};
use crate::program::{MARK, Requirement, Rule, Target, Version, walk};
use crate::reduce::{self, Command, PLACES, VERBS, When};

/// What the command line says of steering.
#[derive(Clone, Debug, Default)]
pub(super) struct Steering {
    commands: Vec<Command>,
    script: Option<PathBuf>,
    strip_markers: bool,
}

impl Steering {
    /// What these arguments say.
    pub fn of(reduce: &Reduce) -> Steering {
        let given = [
            &reduce.pin,
            &reduce.require,
            &reduce.keep_comments,
            &reduce.command,
        ];
        Steering {
            commands: given.into_iter().flatten().cloned().collect(),
            script: reduce.commands.clone(),
            strip_markers: reduce.strip_markers,
        }
    }

    /// The commands of a run that begins with this version, each of which can be obeyed as far as that is known before.
    pub fn script(&self, version: &Version) -> Result<Vec<(When, Command)>, Failure> {
        let mut script: Vec<(When, Command)> = Vec::new();
        let mut start = |command| script.push((When::Start, command));
        if is_marked(version) {
            start(Command::Constrain(Rule::Keep, Target::Marked));
            if !self.strip_markers {
                start(Command::Constrain(
                    Rule::Keep,
                    Target::Comments(MARK.into()),
                ));
            }
        }
        self.commands.iter().cloned().for_each(start);
        if let Some(path) = &self.script {
            let text = std::fs::read_to_string(path);
            let text = text.map_err(|error| {
                Failure::new(USAGE, format!("the commands {}: {error}", path.display()))
            })?;
            let commands = reduce::script(&text);
            let commands = commands.map_err(|error| {
                Failure::new(USAGE, format!("the commands {}, {error}", path.display()))
            })?;
            script.extend(commands);
        }
        for (when, command) in &script {
            if *when == When::Start {
                possible(command, version)?;
            }
        }
        Ok(script)
    }
}

/// Whether the program marks something itself.
fn is_marked(version: &Version) -> bool {
    use crate::program::Shape;
    let leaves = version
        .documents()
        .iter()
        .flat_map(|document| walk::leaves(&document.root));
    let mut comments = leaves.filter(|leaf| leaf.shape == Shape::Extra);
    comments.any(|comment| {
        comment
            .text()
            .windows(MARK.len())
            .any(|part| part == MARK.as_bytes())
    })
}

/// Whether what the command is about is there.
fn possible(command: &Command, version: &Version) -> Result<(), Failure> {
    let about = || format!("{command}: cannot be");
    match command {
        Command::Constrain(rule, target) => reduce::constraint(version, *rule, target)
            .map(drop)
            .map_err(|error| (about(), error)),
        Command::Require(query) => Requirement::new(query, version)
            .map(drop)
            .map_err(|error| (about(), error)),
        _ => Ok(()),
    }
    .map_err(|(about, error)| anyhow::Error::new(error).context(about))
    .or_fail(USAGE)
}

/// `lop commands`: the page.
pub(super) fn page() -> String {
    let left = |verb: &reduce::Verb| {
        format!("{} {}", verb.name, verb.arguments)
            .trim()
            .to_owned()
    };
    let width = VERBS
        .iter()
        .map(left)
        .filter(|left| left.len() < 30)
        .map(|left| left.len())
        .max()
        .unwrap_or(0);
    let mut page = String::from(
        "Commands that steer a run: on the screen after `:`, in a script (--commands), and with --command:\n",
    );
    for verb in VERBS {
        let left = left(verb);
        match left.len() <= width {
            true => page.push_str(&format!("  {left:width$}  {}\n", verb.what)),
            false => page.push_str(&format!("  {left}\n  {:width$}  {}\n", "", verb.what)),
        }
    }
    page.push_str(&format!("\nA PLACE is {PLACES}; /RE/: the comments that match; {MARK}: what the program marks with that word in a comment.\n"));
    page.push_str("A line of a script is a command, or a moment and a command: `at decision 100: undo ban`, `at commit 3: …`, `at size 50: …`, `at start: …`.\n");
    page
}
