//! Commands that are known before a run begins: from the command line, from a script, and from the program's own marks.

use std::path::PathBuf;

use super::args::Reduce;
use super::failure::{Failure, OrFail, USAGE};
use crate::display::{Shown, tamed};
use crate::language::near;
use crate::pass;
use crate::program::{MARK, Requirement, Rule, Target, Version};
use crate::reduce::{self, Command, Halt, PLACES, VERBS, When};

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
        let confirm = reduce.confirm.map(Command::Confirm).into_iter();
        Steering {
            commands: confirm
                .chain(given.into_iter().flatten().cloned())
                .collect(),
            script: reduce.commands.clone(),
            strip_markers: reduce.strip_markers,
        }
    }

    /// The commands of a run that begins with this version, each of which can be obeyed as far as that is known before.
    pub fn script(&self, version: &Version) -> Result<Vec<(When, Command)>, Failure> {
        let mut script: Vec<(When, Command)> = Vec::new();
        let mut start = |command| script.push((When::Start, command));
        let marks = Target::Comments(MARK.into());
        if marks.find(version).is_ok() {
            start(Command::Constrain(Rule::Keep, Target::Marked));
            if !self.strip_markers {
                start(Command::Constrain(Rule::Keep, marks));
            }
        }
        self.commands.iter().cloned().for_each(start);
        if let Some(path) = &self.script {
            let text = std::fs::read_to_string(path);
            let text = text.map_err(|error| {
                Failure::new(
                    USAGE,
                    format!(
                        "the commands {} cannot be read: {}; name a text file with a command a line, of those that `lop commands` lists",
                        path.shown(),
                        unreadable(&error)
                    ),
                )
            })?;
            let commands = reduce::script(&text);
            let commands = commands.map_err(|error| {
                Failure::new(USAGE, format!("the commands {}, {error}", path.shown()))
            })?;
            script.extend(commands);
        }
        for (when, command) in &script {
            passes_of(command).try_for_each(|name| known(command, name))?;
            if *when == When::Start {
                possible(command, version)?;
            }
        }
        Ok(script)
    }
}

/// Why a text could not be read.
fn unreadable(error: &std::io::Error) -> String {
    match error.kind() {
        std::io::ErrorKind::InvalidData => "it is not UTF-8".into(),
        _ => error.to_string(),
    }
}

/// Whether what the command is about is there.
fn possible(command: &Command, version: &Version) -> Result<(), Failure> {
    let about = || format!("{} cannot be", tamed(&command.to_string()));
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

/// The passes that a command names.
fn passes_of(command: &Command) -> impl Iterator<Item = &str> {
    let names: Vec<&str> = match command {
        Command::Pass(_, name) => vec![name],
        Command::Until(Halt::Pass(name)) | Command::Break(Halt::Pass(name)) => vec![name],
        Command::Order(names) => names.iter().map(|name| &**name).collect(),
        _ => Vec::new(),
    };
    names.into_iter()
}

/// Whether there is a pass of this name.
fn known(command: &Command, name: &str) -> Result<(), Failure> {
    let kinds = pass::kinds();
    let names = || kinds.iter().map(|kind| kind.name);
    if names().any(|known| known == name) {
        return Ok(());
    }
    let near = near(name, names());
    let near = match near.is_empty() {
        true => "`lop passes` lists them".to_owned(),
        false => format!("near it: {}", near.join(", ")),
    };
    let problem = format!(
        "{}: there is no pass `{}`; {near}",
        tamed(&command.to_string()),
        name.shown()
    );
    Err(Failure::new(USAGE, problem))
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

/// The same as a document: docs/COMMANDS.md.
pub(super) fn document() -> String {
    let mut page = String::from(
        "# Commands that steer a run\n\n\
         The same lines work on the screen after `:`, in a script (`--commands FILE`), and at the start (`--command LINE`); the journal has\n\
         them too. A command holds between two questions: a question whose test runs is asked anew under the new rules, and a test that no\n\
         longer matters is killed. Two runs with the same script make the same decisions.\n\n\
         `lop generate` writes this page.\n\n| command | |\n| --- | --- |\n",
    );
    for verb in VERBS {
        let line = format!("{} {}", verb.name, verb.arguments);
        page.push_str(&format!(
            "| `{}` | {} |\n",
            line.trim().replace('|', "\\|"),
            verb.what
        ));
    }
    page.push_str(&format!(
        "\nA `PLACE` is {PLACES}; `/RE/`, the comments that match; or `{MARK}`, what the program itself marks: the node after a comment with\n\
         that word, or what stands between `{MARK}-begin` and `{MARK}-end`. Such marks are heeded without being told to. Lines and columns\n\
         count from 1 and are those of the program at that moment. A pass is called as `lop passes` calls it.\n\n\
         A line of a script is a command, or a moment and a command:\n\n\
         ```text\n# what follows is a comment\npin main\nat decision 100: undo ban\nat commit 3: disable bodies\nat size 50: stop\n```\n\n\
         `undo` goes back by one version. Since a run always goes the same way, it needs to know what shall be different: by default what the\n\
         edit took is pinned. `redo` takes that back. The versions of all branches stay reachable by `goto`, and when the run ends on a larger\n\
         version than another branch has, that one is in a file beside the output.\n\n\
         An edited text that is larger than the program begins an *excursion* (`edit!`): the run goes on from it, the file on the disk stays\n\
         at the version that was left, and what comes of it counts only if it ends smaller than it began.\n"
    ));
    page
}
