//! The place of the failure as commands of a run: from `--place`, else from what the failing command printed.

use std::fs;
use std::path::Path;

use rustc_hash::FxHashMap;

use super::initial_commands::NamedPlace;
use super::plan::RunPlan;
use super::prepared_run::PreparedRun;
use crate::cli::failure::{CommandFailure, USAGE};
use crate::display::EscapeHidden;
use crate::language::Language;
use crate::oracle::{FilePlace, InterestingnessTest, TestOutput, find_mentions};
use crate::pass::{PLACE, SLICES};
use crate::program::{ConstraintRule, NodeTarget, Version, is_namespace};
use crate::reduce::{self, EngineCommand};
use crate::session::{InputFile, ProjectInput, RunInput};

/// The most places and names, each, that a message mentions for the pass: the first say most.
const MOST_MENTIONED: usize = 16;

/// A text in whose lines places are looked for.
struct PlacedText<'a> {
    language: Option<&'static Language>,
    name: String,
    bytes: &'a [u8],
}

/// A program in whose lines places are looked for.
struct PlacedProgram<'a> {
    version: &'a Version,
    text: PlacedText<'a>,
    /// The files, where it has several.
    project: Option<&'a ProjectInput>,
}

/// The commands that tell the run the place of its failure: none if nothing says where that is, or no pass asks about it.
///
/// # Errors
/// When the program has not the place that the user names.
pub fn place_commands(
    plan: &RunPlan,
    prepared: &PreparedRun,
    output: &TestOutput,
    version: &Version,
) -> Result<Vec<EngineCommand>, CommandFailure> {
    let file = prepared.input.main_file();
    let program = PlacedProgram {
        version,
        text: PlacedText::new(file, plan.main_language()),
        project: prepared.input.project(),
    };
    if let Some(named) = plan.initial_commands.place() {
        let place = program.command_for(ConstraintRule::Place, &named.place);
        let place = place.ok_or_else(|| program.explain_missing(named))?;
        let sliced = named.is_sliced.then_some(EngineCommand::Slice(None));
        let of_test = program.commands_for_test(&prepared.test);
        return Ok([place].into_iter().chain(sliced).chain(of_test).collect());
    }
    let mut asking = [PLACE.name, SLICES.name].into_iter();
    let is_asked = (asking.any(|pass| plan.options.strategy.has_pass(pass))
        || program.project.is_some())
        && !matches!(prepared.input, RunInput::Pair(_))
        && prepared.test.generator().is_none()
        && !plan.initial_commands.names_place();
    match prepared.test.property() {
        property if is_asked && (property.is_some() || program.project.is_some()) => {
            let mentions = find_mentions(output, property);
            let mut commands = program.commands_for(&mentions.places, &mentions.names);
            commands.extend(program.commands_for_test(&prepared.test));
            Ok(commands)
        }
        _ => Ok(Vec::new()),
    }
}

/// The first place of a program that the failure of its command mentions, as `--place` takes it.
pub fn find_failure_place(
    prepared: &PreparedRun,
    language: Option<&'static Language>,
    output: &TestOutput,
) -> Option<FilePlace> {
    let text = PlacedText::new(prepared.input.main_file(), language);
    let mentions = find_mentions(output, prepared.test.property());
    let mut places = mentions.places.iter();
    let (line, column) = places.find_map(|place| text.find_position(place))?;
    Some(FilePlace {
        file: None,
        line,
        column: Some(column),
    })
}

impl<'a> PlacedText<'a> {
    fn new(file: &'a InputFile, language: Option<&'static Language>) -> PlacedText<'a> {
        PlacedText {
            language,
            name: file.file_name().to_string_lossy().into_owned(),
            bytes: &file.bytes,
        }
    }

    /// The line and the column of a place; none if the text does not have it. Lines of a program with line markers are those that the markers
    /// name, else its own.
    fn find_position(&self, place: &FilePlace) -> Option<(u32, u32)> {
        let of_marker = place.file.as_ref().and_then(|file| {
            self.language?
                .find_origin_line(self.bytes, file, place.line)
        });
        let is_own = place.file.as_ref().is_none_or(|file| {
            let parts = file.rsplit(['/', '\\']);
            parts.into_iter().next() == Some(&self.name)
        });
        let line = of_marker.or(is_own.then_some(place.line))?;
        let text = self
            .bytes
            .split(|byte| *byte == b'\n')
            .nth(line as usize - 1)?;
        let blank = text
            .iter()
            .take_while(|byte| byte.is_ascii_whitespace())
            .count();
        if blank == text.len() {
            return None;
        }
        let column = place.column.filter(|&column| column as usize <= text.len());
        Some((line, column.unwrap_or(blank as u32 + 1)))
    }
}

/// What a test of a project that names none of its files costs.
pub const NO_PLACE: &str = "the test prints no place of the project; if it prints what it searches (cat run.log), or with --place FILE:LINE, the files that the failure does not need go first";

/// Whether a project could be reduced sooner if anything said where its failure is.
pub fn lacks_place(plan: &RunPlan, prepared: &PreparedRun, places: &[EngineCommand]) -> bool {
    let project = prepared.input.project();
    project.is_some_and(|project| project.files().len() > 2)
        && places.is_empty()
        && !plan.offline
        && !plan.initial_commands.names_place()
}

impl PlacedProgram<'_> {
    /// The first place that the program has, and what else is mentioned.
    fn commands_for(&self, places: &[FilePlace], names: &[String]) -> Vec<EngineCommand> {
        let mut commands = Vec::new();
        for place in places {
            let rule = match commands.is_empty() {
                true => ConstraintRule::Place,
                false => ConstraintRule::Mention,
            };
            if commands.len() <= MOST_MENTIONED {
                commands.extend(self.command_for(rule, place));
            }
        }
        if commands.is_empty() {
            return commands;
        }
        let names = names
            .iter()
            .map(|name| NodeTarget::Name(name.as_str().into()));
        // That of a namespace only begins other names: what is meant is a part of it.
        let names = names.filter(|name| {
            let found = name.find_nodes(self.version);
            !found.is_ok_and(|found| found.iter().all(is_namespace))
        });
        let named = names.filter_map(|name| self.checked_command(ConstraintRule::Mention, name));
        commands.extend(named.take(MOST_MENTIONED));
        commands
    }

    /// The files of a project that its test mentions by their paths, or with dots in them: `src/lib.rs`, `app.Main`. None if it mentions many,
    /// or if there is one program.
    fn commands_for_test(&self, test: &InterestingnessTest) -> Vec<EngineCommand> {
        let Some(project) = self.project else {
            return Vec::new();
        };
        let programs = test.program_files().into_iter();
        let programs = programs.filter_map(|program| fs::read(program).ok());
        let programs = programs.map(|bytes| String::from_utf8_lossy(&bytes).into_owned());
        let lines = test.stages().iter().map(|stage| stage.line.to_string());
        let text = programs.chain(lines).collect::<Vec<_>>().join("\n");
        let places = project.files().iter().map(InputFile::test_path);
        let mentioned = find_mentioned_files(&text, &places.collect::<Vec<_>>());
        let targets = mentioned.into_iter();
        let targets = targets.filter_map(|place| Some(NodeTarget::Name(place.to_str()?.into())));
        let commands =
            targets.filter_map(|target| self.checked_command(ConstraintRule::Mention, target));
        let commands: Vec<EngineCommand> = commands.collect();
        match commands.len() <= MOST_MENTIONED {
            true => commands,
            false => Vec::new(),
        }
    }

    /// The command about a place; none if the program does not have it.
    fn command_for(&self, rule: ConstraintRule, place: &FilePlace) -> Option<EngineCommand> {
        if let Some(project) = self.project {
            return self.command_in_project(project, rule, place);
        }
        let (line, column) = self.text.find_position(place)?;
        self.checked_command(rule, NodeTarget::Position(line, column))
    }

    /// The same for a line of a file of a project, which a message may name by its whole path or by the end of it.
    fn command_in_project(
        &self,
        project: &ProjectInput,
        rule: ConstraintRule,
        place: &FilePlace,
    ) -> Option<EngineCommand> {
        let named = Path::new(place.file.as_ref()?);
        let files = project.files().iter();
        let ends_alike = |own: &Path| named.ends_with(own) || own.ends_with(named);
        let file = files
            .map(InputFile::test_path)
            .filter(|own| ends_alike(own))
            .max_by_key(|own| own.components().count())?;
        let line = NodeTarget::Lines(place.line, place.line);
        let target = NodeTarget::InFile(file.to_str()?.into(), Box::new(line));
        self.checked_command(rule, target)
    }

    /// The command, if the program has such a place.
    fn checked_command(&self, rule: ConstraintRule, target: NodeTarget) -> Option<EngineCommand> {
        let found = reduce::resolve_constraints(self.version, rule, &target);
        found
            .is_ok()
            .then_some(EngineCommand::Constrain(rule, target))
    }

    fn explain_missing(&self, NamedPlace { option, place, .. }: &NamedPlace) -> CommandFailure {
        if let (Some(project), None) = (self.project, &place.file) {
            let line = place.line;
            let first = project.files().first();
            let first = first.map_or_else(|| "a.c".into(), |file| file.test_path().escape_hidden());
            let what = format!(
                "{option} {line}: line {line} of which file? The program has {}; name one, as in {option} {first}:{line}",
                project.files().len()
            );
            return CommandFailure::new(USAGE, what);
        }
        let named = place.file.as_deref().unwrap_or(&self.text.name);
        let what = format!(
            "{option} {}:{}: the program has nothing there; name a line of {}, or one that its line markers name",
            named.escape_hidden(),
            place.line,
            self.text.name.escape_hidden(),
        );
        CommandFailure::new(USAGE, what)
    }
}

/// The files whose path a text has as a word of its own, or with dots and without its extension, as a class may be named. Such a name may be
/// the end of one path alone: `app.Main` is `src/main/kotlin/app/Main.kt`.
fn find_mentioned_files<'p>(text: &str, paths: &[&'p Path]) -> Vec<&'p Path> {
    let ends: Vec<Vec<String>> = paths.iter().map(|path| class_names(path)).collect();
    let mut owners: FxHashMap<&str, usize> = FxHashMap::default();
    for name in ends.iter().flatten() {
        *owners.entry(name).or_default() += 1;
    }
    let is_mentioned = |path: &Path, names: &[String]| {
        let whole = path.components().count();
        let mut classes = names.iter().enumerate().filter(|(at, name)| {
            // The whole path comes first.
            *at == 0 && whole > 1 || owners.get(name.as_str()) == Some(&1)
        });
        path.to_str().is_some_and(|path| stands_alone(text, path))
            // A class of the file: `app.MainKt` is made of `app/Main.kt`.
            || classes.any(|(_, name)| {
                stands_alone(text, name) || stands_alone(text, &format!("{name}Kt"))
            })
    };
    let files = paths.iter().zip(&ends);
    let mentioned = files.filter(|(path, names)| is_mentioned(path, names));
    mentioned.map(|(path, _)| *path).collect()
}

/// The names that a class of a file may have, the longest first: the ends of its path, of two parts at least.
fn class_names(path: &Path) -> Vec<String> {
    let path = path.with_extension("");
    let parts: Vec<_> = path.iter().map(|part| part.to_string_lossy()).collect();
    let longer = parts.len().saturating_sub(1);
    (0..longer).map(|from| parts[from..].join(".")).collect()
}

/// Whether a text has a name as a word of its own.
fn stands_alone(text: &str, name: &str) -> bool {
    let is_part = |c: char| c.is_alphanumeric() || c == '_';
    let mut places = text.match_indices(name);
    places.any(|(at, _)| {
        let before = text[..at].chars().next_back();
        let after = text[at + name.len()..].chars().next();
        !before.is_some_and(|c| is_part(c) || c == '/' || c == '.') && !after.is_some_and(is_part)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn mentions(text: &str, path: &str) -> bool {
        !find_mentioned_files(text, &[Path::new(path)]).is_empty()
    }

    #[test]
    fn a_test_mentions_a_file_by_its_path_or_its_class() {
        assert!(mentions("rustc -o out src/lib.rs", "src/lib.rs"));
        assert!(mentions("kotlin -cp out app.MainKt", "app/Main.kt"));
        assert!(mentions("java -cp out app.Main", "app/Main.java"));
        assert!(!mentions("rustc other/src/lib.rs", "src/lib.rs"));
        assert!(!mentions("rustc src/lib.rs", "rs"));
        assert!(!mentions("java app.Mainly", "app/Main.java"));
        assert!(!mentions("for f in src/*.c", "src/a.c"));
    }

    #[test]
    fn a_class_lies_where_build_tools_have_it() {
        let text = "kotlin -cp out app.MainKt";
        assert!(mentions(text, "src/main/kotlin/app/Main.kt"));
        assert!(!mentions(text, "src/main/kotlin/web/Main.kt"));
        assert!(!mentions("kotlin MainKt", "src/main/kotlin/Main.kt"));
        let find = |paths: &[&str]| {
            let paths: Vec<&Path> = paths.iter().map(Path::new).collect();
            find_mentioned_files(text, &paths).len()
        };
        assert_eq!(find(&["core/src/app/Main.kt", "web/src/app/Main.kt"]), 0);
        assert_eq!(find(&["app/Main.kt", "web/src/app/Main.kt"]), 1);
    }
}
