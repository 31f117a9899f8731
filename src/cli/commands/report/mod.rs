//! `lop report`: a bug report from a session.

mod bug_report;
mod redaction;
mod result_contrast;
mod tool_versions;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::time::Duration;

use self::bug_report::{BugReport, ReportFile, ReportObservation, ReportTest};
use self::redaction::Redaction;
use crate::cli::args::ReportArgs;
use crate::cli::failure::{CommandFailure, FAILED, NOTHING_TO_DO, OrFail, USAGE};
use crate::cli::launch::prepared_run::PreparedRun;
use crate::cli::launch::recorded_run::recorded_input;
use crate::cli::launch::test_spec::TestSpec;
use crate::cli::messages::report_message;
use crate::cli::session_lookup::{describe_problems, find_session_aloud, session_argument};
use crate::display::EscapeHidden;
use crate::oracle::{StageCommand, StageRole, TestOutcome, TestStage, Verdict};
use crate::plain::{ConsoleWriter, quote_path_for_display, unified_diff};
use crate::program::FileText;
use crate::session::export;
use crate::session::history::SessionHistory;
use crate::session::journal::{HeaderInvocation, JournalBytes};
use crate::session::{RunInput, write_result_files};

/// The page of the report, in its directory.
const PAGE: &str = "report.md";
/// The directory with the result, in that of the report.
const RESULT: &str = "result";
/// The page that plays the run.
const REPLAY: &str = "replay.html";

/// A session, and what of it a report is made of.
struct ReportSubject {
    history: SessionHistory,
    run: HeaderInvocation,
    input: RunInput,
    /// The texts of the result.
    texts: Vec<FileText>,
}

/// Writes the report; the exit status.
pub fn run_report(args: &ReportArgs) -> Result<u8, CommandFailure> {
    let place = find_session_aloud(args.session.as_deref())?;
    let opened = place.open_journal().or_fail(USAGE)?;
    let problems = opened.ownership_problems();
    let runs_test = !args.no_run && problems.is_empty();
    if !problems.is_empty() && !args.no_run {
        report_message(&format!(
            "the session may be somebody else's ({}), so its test is not run: the report has no output and no versions",
            describe_problems(&problems)
        ));
    }
    let subject = ReportSubject::from_history(opened.read_history().or_fail(USAGE)?)?;
    let redaction = subject.find_redaction();
    let mut report = subject.describe();
    if runs_test && !subject.run.offline {
        let prepared = subject.prepare(args)?;
        report.observed = Some(subject.observe(&prepared)?);
        if args.contrast {
            report.contrast = Some(result_contrast::explain_result(&subject, &prepared)?);
        }
    } else if args.contrast {
        let what = "--contrast runs the test, and no test runs here; leave --contrast out";
        return Err(CommandFailure::new(USAGE, what));
    }
    let page = report.render_markdown(&redaction);
    warn_of_program(&report, &redaction);
    if args.markdown {
        ConsoleWriter::stdout().write_page(&page);
        return Ok(0);
    }
    let directory = match &args.output {
        Some(directory) => directory.clone(),
        None => PathBuf::from(format!("report-{}", place.name())),
    };
    write_directory(&directory, &subject, &page, &redaction)?;
    ConsoleWriter::stdout().write_line(&format!(
        "{} reports session {}: {PAGE}, {RESULT}/ and {REPLAY}, which holds the original program too",
        quote_path_for_display(&directory),
        session_argument(&place)
    ));
    Ok(0)
}

impl ReportSubject {
    fn from_history(history: SessionHistory) -> Result<ReportSubject, CommandFailure> {
        let Some(run) = history.header.run.clone() else {
            let what = "this journal does not say where and with what it ran, so there is nothing to report; reduce the file again";
            return Err(CommandFailure::new(USAGE, what));
        };
        let input = recorded_input(&history, &run)?;
        let kept = history.versions.kept;
        let texts = history.versions.document_texts(kept).ok_or_else(|| {
            let what = format!(
                "version {kept} of the session cannot be made from its journal, which is damaged; `lop history` lists those that can, `lop show N` prints one"
            );
            CommandFailure::new(USAGE, what)
        })?;
        Ok(ReportSubject {
            history,
            run,
            input,
            texts,
        })
    }

    /// What is taken out: paths below the directories of the run become relative.
    fn find_redaction(&self) -> Redaction {
        let parent = |path: &PathBuf| path.parent().map(Path::to_path_buf);
        let is_directory = self
            .input
            .project()
            .is_some_and(|project| project.is_directory());
        let root = match is_directory {
            true => Some(self.run.input.clone()),
            false => parent(&self.run.input),
        };
        let others = [parent(&self.run.output), parent(&self.run.test)];
        Redaction::of_machine([root].into_iter().chain(others).flatten())
    }

    fn describe(&self) -> BugReport {
        let history = &self.history;
        let versions = &history.versions;
        let tokens = |number| versions.get(number).and_then(|saved| saved.tokens);
        let names = self.input.test_paths().into_iter();
        let files = names.zip(&history.header.files).zip(&self.texts);
        let files = files.filter_map(|((path, file), text)| {
            Some(ReportFile {
                path,
                language: file.language.clone(),
                text: text.as_ref()?.to_vec(),
            })
        });
        let kept = versions.get(versions.kept);
        BugReport {
            files: files.collect(),
            tests: describe_tests(&self.run),
            property: history
                .recorded_property()
                .property
                .map(|property| property.to_string()),
            observed: None,
            tokens: (tokens(0), tokens(versions.kept)),
            test_count: history.test_count() as u64,
            elapsed: kept.map_or(Duration::ZERO, |_| history.journal.run_duration()),
            certificate: history.certificate.clone(),
            contrast: None,
            lop: history.header.lop.clone(),
            system: describe_system(),
        }
    }

    /// Prepares a run of the recorded test.
    fn prepare(&self, args: &ReportArgs) -> Result<PreparedRun, CommandFailure> {
        let place = &args.test_run;
        let mut prepared = PreparedRun::from_input(
            self.input.clone(),
            &TestSpec::from_recorded(&self.run),
            place.scratch.as_deref(),
            &place.isolation.clone().with_recorded(self.run.isolation),
            1,
        )?;
        if let Some(property) = self.history.recorded_property().property {
            prepared.test = prepared.test.with_property(property).or_fail(USAGE)?;
        }
        Ok(prepared)
    }

    /// Runs the test on the result, and asks its tools for their versions.
    fn observe(&self, prepared: &PreparedRun) -> Result<ReportObservation, CommandFailure> {
        let limits = self.history.recorded_property().limit.current_limits();
        let files = prepared.input.files_with_texts(self.texts.iter().cloned());
        let outcome = prepared
            .preflight_tester()
            .test_subject(files.clone(), limits)?;
        match outcome {
            TestOutcome::Verdict(Verdict::Interesting, run) => Ok(ReportObservation {
                output: run.output.to_bytes().to_vec(),
                versions: tool_versions::ask_versions(prepared, &files),
            }),
            TestOutcome::NoVerdict(trouble) => Err(CommandFailure::new(FAILED, trouble)),
            TestOutcome::Verdict(..) | TestOutcome::Cancelled => {
                let what = "the result does not show the bug here and now: the test says no to it. `lop resume` goes on with another version; --no-run reports it all the same";
                Err(CommandFailure::new(NOTHING_TO_DO, what))
            }
        }
    }
}

/// The stages of the test, for a stranger.
fn describe_tests(run: &HeaderInvocation) -> Vec<ReportTest> {
    let script = |bytes: &Option<JournalBytes>| {
        let bytes = bytes.as_ref()?.decode_bytes()?;
        Some(String::from_utf8_lossy(&bytes).into_owned())
    };
    let mut tests: Vec<ReportTest> = run.stages.iter().filter_map(describe_stage).collect();
    let is_pair = run.variant_test_bytes.is_some();
    let scripts = [
        (
            if is_pair {
                "The test of the seed"
            } else {
                "The test"
            },
            &run.test_bytes,
        ),
        ("The test of the variant", &run.variant_test_bytes),
    ];
    for (role, bytes) in scripts {
        tests.extend(script(bytes).map(|text| ReportTest {
            role: role.into(),
            text,
        }));
    }
    tests
}

fn describe_stage(stage: &TestStage) -> Option<ReportTest> {
    let role = match stage.role {
        _ if stage.makes.is_some() => "The generator, which makes the program of the choices",
        StageRole::Says | StageRole::Subject => "The command",
        StageRole::Check => "It must succeed first",
        StageRole::Succeeds => "It must succeed, without the bug",
        StageRole::Reference => "The reference",
        StageRole::Differs => "Its output differs from that of the reference",
        StageRole::Agrees => "Its output is that of the reference",
    };
    let text = match &stage.line {
        // Its text is told of itself.
        StageCommand::Script(_) => return None,
        line => line.to_string(),
    };
    Some(ReportTest {
        role: role.to_owned(),
        text,
    })
}

/// The kernel and the processor, without the name of the machine.
fn describe_system() -> String {
    let system = rustix::system::uname();
    let parts = [system.sysname(), system.release(), system.machine()];
    let parts: Vec<_> = parts.iter().map(|part| part.to_string_lossy()).collect();
    parts.join(" ")
}

/// The program stays as it is: who sends it should know what it names.
fn warn_of_program(report: &BugReport, redaction: &Redaction) {
    for file in &report.files {
        let text = String::from_utf8_lossy(&file.text);
        let mut lines = text.lines().enumerate();
        if let Some((at, _)) = lines.find(|(_, line)| redaction.finds_something(line)) {
            report_message(&format!(
                "line {} of {} has a path or a name of this machine; a program is never changed, so look before you send it",
                at + 1,
                file.path.escape_hidden()
            ));
        }
    }
}

/// Writes the directory, which must not exist.
fn write_directory(
    directory: &Path,
    subject: &ReportSubject,
    page: &str,
    redaction: &Redaction,
) -> Result<(), CommandFailure> {
    let named = quote_path_for_display(directory);
    fs::create_dir(directory).map_err(|error| match error.kind() {
        io::ErrorKind::AlreadyExists => CommandFailure::new(
            USAGE,
            format!("{named} exists; choose another place with --output, or remove it"),
        ),
        _ => CommandFailure::new(
            FAILED,
            format!("{named} cannot be made: {error}; choose another place with --output"),
        ),
    })?;
    let write = || -> io::Result<()> {
        let result = directory.join(RESULT);
        fs::create_dir(&result)?;
        write_result_files(&subject.input, &result, &subject.texts, unified_diff)?;
        if let Some(choices) = subject
            .history
            .version_choices(subject.history.versions.kept)
        {
            fs::write(result.join(subject.input.main_file().file_name()), choices)?;
        }
        fs::write(directory.join(PAGE), page)?;
        let heading = export::PublicHeading {
            title: redaction.redact(&subject.run.input.to_string_lossy()),
            test: redaction.redact(&subject.run.describe_test()),
        };
        fs::write(
            directory.join(REPLAY),
            export::render_public_page(&subject.history, heading),
        )
    };
    write()
        .map_err(|error| CommandFailure::new(FAILED, format!("{named} cannot be written: {error}")))
}
