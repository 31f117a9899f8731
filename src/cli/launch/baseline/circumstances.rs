//! What ran for a baseline test and where, and how to run the same by hand.

use std::path::Path;

use super::preflight::PreflightTester;
use crate::display::{EscapeHidden, sanitize_line};
use crate::oracle::{CANDIDATE, ScriptInterpreter, StageCommand, StageView, TestStage};
use crate::plain::quote_path_for_display;
use crate::session::{InputFile, RunInput};

impl PreflightTester<'_> {
    /// The commands that ran, and where.
    pub fn describe_circumstances(&self) -> Vec<String> {
        let ran = self
            .test
            .stages()
            .iter()
            .map(|stage| self.describe_stage(stage));
        let sandbox = self.isolation.sandbox.then(|| {
            "  sandbox: it reaches no network, socket or device; of /tmp, /var/tmp and /dev/shm it sees the directory that lop was started in and what its text or its command names"
                .to_owned()
        });
        ran.chain([self.describe_directory()])
            .chain(sandbox)
            .collect()
    }

    /// The files that a stage sees.
    fn seen_files(&self, stage: &TestStage) -> &[InputFile] {
        let files = self.input.files();
        match stage.sees.document() {
            Some(at) => files.get(at..=at).unwrap_or(files),
            None => files,
        }
    }

    pub(super) fn describe_stage(&self, stage: &TestStage) -> String {
        match &stage.line {
            StageCommand::Script(script) => {
                let path = quote_path_for_display(script.path());
                if stage.sees == StageView::Directory {
                    let shell = shell_prefix(script.interpreter(), "/bin/sh ");
                    return format!(
                        "  ran:     {shell}{path} .  (with the absolute path of the directory)"
                    );
                }
                let names = self.seen_names(stage).into_iter();
                let names: Vec<_> = names.map(|name| name.escape_hidden()).collect();
                format!(
                    "  ran:     {}{path} {}  (with the absolute path of {})",
                    shell_prefix(script.interpreter(), "/bin/sh "),
                    names.join(" "),
                    names.join(" and of ")
                )
            }
            line @ StageCommand::Serve(_) => format!(
                "  ran:     {}  (which reads the absolute path of the directory in a line)",
                sanitize_line(&line.to_string())
            ),
            line => format!(
                "  ran:     {}",
                sanitize_line(&self.fill_in_name(stage, line))
            ),
        }
    }

    pub(super) fn describe_directory(&self) -> String {
        let root = self.scratch.root_path().escape_hidden();
        let copies = match self.input {
            RunInput::Program(file) => format!("a copy of {}", file.file_name().escape_hidden()),
            RunInput::Project(project) => format!("copies of all {} files", project.files().len()),
            RunInput::Pair(_) => "copies of what each test sees".to_owned(),
        };
        match self.input {
            _ if self.test.is_served() => format!(
                "  where:   in an empty directory under {root}; the directory in the line has {copies}; both have been removed"
            ),
            RunInput::Program(_) | RunInput::Project(_) => format!(
                "  where:   in an empty directory under {root} with {copies}; it has been removed"
            ),
            RunInput::Pair(_) => format!(
                "  where:   in empty directories under {root} with {copies}; they have been removed"
            ),
        }
    }

    /// The names under which a test sees the files, each with the script that sees it alone.
    pub(super) fn scripts_of_one_file(&self) -> impl Iterator<Item = (&Path, &Path)> {
        self.test.stages().iter().filter_map(|stage| {
            let [name] = self.seen_names(stage)[..] else {
                return None;
            };
            match &stage.line {
                StageCommand::Script(script) => Some((name, script.path())),
                StageCommand::Words(_) | StageCommand::Shell(_) | StageCommand::Serve(_) => None,
            }
        })
    }

    /// The names under which a stage sees its files: that of the program, for all stages behind a generator.
    fn seen_names(&self, stage: &TestStage) -> Vec<&Path> {
        match self.test.generator() {
            Some((_, program)) if stage.makes.is_none() => vec![program],
            _ => {
                let files = self.seen_files(stage).iter();
                files.map(InputFile::test_path).collect()
            }
        }
    }

    /// A line with the file's name in its place.
    fn fill_in_name(&self, stage: &TestStage, line: &StageCommand) -> String {
        let names = self
            .seen_names(stage)
            .into_iter()
            .map(quote_path_for_display);
        let name = match stage.sees {
            StageView::Directory => ".".to_owned(),
            _ => names.collect::<Vec<_>>().join(" "),
        };
        let line = line.to_string().replace(CANDIDATE, &name);
        let program = stage.makes.as_deref().map(quote_path_for_display);
        match program {
            None => line,
            Some(program) if line.contains([';', '&', '|']) => format!("({line}) > {program}"),
            Some(program) => format!("{line} > {program}"),
        }
    }

    pub(super) fn how_by_hand(&self) -> &'static str {
        match self.isolation.sandbox {
            true => "(with all your rights, not in the sandbox)",
            false => "as lop does",
        }
    }

    /// Shell lines that do the same by hand: one for each directory in which stages run.
    pub(super) fn manual_commands(&self) -> Vec<String> {
        let stages = self.test.stages();
        let parts = stages.chunk_by(|stage, next| stage.sees == next.sees);
        parts.map(|part| self.manual_command(part)).collect()
    }

    /// What puts copies of the files into the working directory.
    fn describe_copies(&self, files: &[InputFile]) -> Vec<String> {
        if let Some(project) = self
            .input
            .project()
            .filter(|project| project.is_directory())
        {
            let path = quote_path_for_display(&project.main_file().path);
            return vec![format!("cp -r {path}/. .")];
        }
        let copy = |file: &InputFile| {
            let path = quote_path_for_display(&file.path);
            let place = quote_path_for_display(file.test_path());
            match file
                .test_path()
                .parent()
                .filter(|parent| !parent.as_os_str().is_empty())
            {
                None => format!("cp {path} {place}"),
                Some(parent) => {
                    format!(
                        "mkdir -p {} && cp {path} {place}",
                        quote_path_for_display(parent)
                    )
                }
            }
        };
        files.iter().map(copy).collect()
    }

    /// A shell line that runs stages which see the same files.
    fn manual_command(&self, stages: &[TestStage]) -> String {
        let files = stages
            .first()
            .map_or(&[][..], |stage| self.seen_files(stage));
        let copies = self.describe_copies(files).into_iter();
        let stages = stages.iter().map(|stage| match &stage.line {
            StageCommand::Script(script) => {
                let names = self.seen_names(stage).into_iter();
                let names = names.map(|name| format!(" \"$PWD\"/{}", quote_path_for_display(name)));
                let names = match stage.sees {
                    StageView::Directory => " \"$PWD\"".to_owned(),
                    _ => names.collect::<String>(),
                };
                format!(
                    "{}{}{names}; echo $?",
                    shell_prefix(script.interpreter(), "sh "),
                    quote_path_for_display(script.path()),
                )
            }
            StageCommand::Serve(line) => format!("pwd | ({line})"),
            line => format!("{}; echo $?", self.fill_in_name(stage, line)),
        });
        let stages: Vec<String> = stages.collect();
        let words = ["cd \"$(mktemp -d)\"".to_owned()].into_iter();
        let words = words.chain(copies).chain([stages.join("; ")]);
        words.collect::<Vec<_>>().join(" && ")
    }
}

/// What starts a script: nothing, or the shell.
fn shell_prefix(interpreter: ScriptInterpreter, shell: &'static str) -> &'static str {
    match interpreter {
        ScriptInterpreter::System => "",
        ScriptInterpreter::Shell => shell,
    }
}
