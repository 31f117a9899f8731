//! `lop report`: a bug report from a session.

mod bug_report;
mod redaction;
mod redactor;
mod result_contrast;
mod tool_versions;

use std::fs;
use std::io;
use std::path::{Path, PathBuf};

use self::bug_report::{BugReport, ReportFile, ReportObservation, ReportTest};
use self::redaction::Redaction;
use self::redactor::{PlaceRemovals, ReportRedactor};
use self::tool_versions::ToolVersion;
use crate::cli::args::ReportArgs;
use crate::cli::commands::init::test_script;
use crate::cli::failure::{CommandFailure, FAILED, NOTHING_TO_DO, OrFail, USAGE};
use crate::cli::launch::header::hash_test;
use crate::cli::launch::prepared_run::PreparedRun;
use crate::cli::launch::recorded_run::{kept_texts, recorded_input, recorded_invocation};
use crate::cli::launch::script_words::find_looked_for;
use crate::cli::launch::test_spec::TestSpec;
use crate::cli::messages::report_message;
use crate::cli::session_lookup::{describe_problems, find_session_aloud, session_argument};
use crate::display::{EscapeHidden, escape_page};
use crate::language;
use crate::oracle::{
    ProgramMaker, StageCommand, StageRole, TestOutcome, TestStage, TimeLimits, Verdict,
};
use crate::plain::{ConsoleWriter, quote_path_for_display, unified_diff};
use crate::program::{ByteText, FileText};
use crate::session::export;
use crate::session::history::{RecordedProperty, SessionHistory};
use crate::session::journal::HeaderInvocation;
use crate::session::{self, RunInput, write_result_files};

/// The page of the report, in its directory.
const PAGE: &str = "report.md";
/// The directory with the result, in that of the report.
const RESULT: &str = "result";
/// The page that plays the run.
const REPLAY: &str = "replay.html";
/// The test, in the directory of the report.
const SCRIPT: &str = "test.sh";

/// A session, and what of it a report is made of.
struct ReportSubject {
    history: SessionHistory,
    run: HeaderInvocation,
    input: RunInput,
    /// The texts of the result.
    texts: Vec<FileText>,
    /// The property and the limit at the end of the run.
    recorded: RecordedProperty,
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
    let mut subject = ReportSubject::from_history(opened.read_history().or_fail(USAGE)?)?;
    let redaction = subject.find_redaction();
    let mut redactor = ReportRedactor::new(match args.keep_names {
        true => redaction.clone().keeping_names(),
        false => redaction.clone(),
    });
    subject.redact_programs(&mut redactor)?;
    let mut report = subject.describe(&mut redactor, !args.markdown);
    if runs_test && !subject.run.offline {
        let prepared = subject.prepare(args)?;
        if let Some(made) = subject.make_program(&prepared, &mut redactor)? {
            report.files.insert(0, made);
        }
        report
            .tests
            .extend(script_of_commands(&prepared, &subject, &mut redactor));
        report.observed = Some(subject.observe(&prepared, &mut redactor)?);
        if args.contrast {
            let section = result_contrast::explain_result(&subject, &prepared)?;
            report.contrast = Some(redactor.redact_section("what the bug needs", &section));
        }
    } else if args.contrast {
        let what = "--contrast runs the test, and no test runs here; leave --contrast out";
        return Err(CommandFailure::new(USAGE, what));
    }
    report.removed = redactor.removed().to_vec();
    report_removals(&report, &redaction);
    if args.markdown {
        ConsoleWriter::stdout().write_page(&report.render_markdown());
        return Ok(0);
    }
    let directory = match &args.output {
        Some(directory) => directory.clone(),
        None => PathBuf::from(format!("report-{}", place.name())),
    };
    make_directory(&directory)?;
    let test = redactor
        .redaction()
        .redact_text(&subject.run.describe_test())
        .to_text();
    let title = subject.input.title();
    let replay = export::render_public_page(&subject.history, &title, &test, &|text| {
        redactor.redaction().redact_program(text).bytes
    });
    if let Err(error) = write_files(&directory, &subject, &report, &replay) {
        // Half a report is none, and lop made the directory.
        let _ = fs::remove_dir_all(&directory);
        let named = quote_path_for_display(&directory);
        let what =
            format!("{named} cannot be written: {error}; choose another place with --output");
        return Err(CommandFailure::new(FAILED, what));
    }
    ConsoleWriter::stdout().write_line(&format!(
        "{} reports session {}: {PAGE}, {RESULT}/ and {REPLAY}, which holds the original program too",
        quote_path_for_display(&directory),
        session_argument(&place)
    ));
    Ok(0)
}

impl ReportSubject {
    fn from_history(history: SessionHistory) -> Result<ReportSubject, CommandFailure> {
        let run = recorded_invocation(&history, "there is nothing to report")?;
        let input = recorded_input(&history, &run)?;
        let texts = kept_texts(&history)?;
        let recorded = history.recorded_property();
        Ok(ReportSubject {
            history,
            run,
            input,
            texts,
            recorded,
        })
    }

    /// The limits of a test at the end of the run.
    fn limits(&self) -> TimeLimits {
        self.recorded.limit.current_limits()
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

    /// Takes home directories and names out of the result. The name of a file stays, so it may have none.
    fn redact_programs(&mut self, redactor: &mut ReportRedactor) -> Result<(), CommandFailure> {
        let title = PathBuf::from(self.input.title());
        let paths = self.input.test_paths();
        // The replay names files that have gone, too.
        for path in paths.iter().chain([&title]) {
            let named = path.to_string_lossy();
            let is_telling = redactor.redaction().redact_program(named.as_bytes());
            if !is_telling.removals.is_empty() {
                let what = format!(
                    "the file name {} has the name of the user or of this machine in it; --keep-names reports it all the same",
                    quote_path_for_display(path)
                );
                return Err(CommandFailure::new(USAGE, what));
            }
        }
        for (path, text) in paths.iter().zip(&mut self.texts) {
            let Some(bytes) = text else { continue };
            let redacted = redactor.redact_program(&path.escape_hidden(), bytes);
            if *redacted != **bytes {
                *text = Some(redacted.into());
            }
        }
        Ok(())
    }

    fn describe(&self, redactor: &mut ReportRedactor, has_files: bool) -> BugReport {
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
        let tests = self.describe_tests(redactor);
        let property = self.recorded.property.as_ref();
        let property = property.map(ToString::to_string);
        BugReport {
            files: files.collect(),
            property: property
                .or_else(|| tests.iter().find_map(|test| find_looked_for(&test.text)))
                .map(|property| redactor.redact_text("the message", &property)),
            tests,
            observed: None,
            tokens: (tokens(0), tokens(versions.kept)),
            test_count: history.decisive_test_count(),
            elapsed: history.journal.run_duration(),
            certificate: history.certificate.clone(),
            contrast: None,
            removed: Vec::new(),
            has_files,
            lop: history.header.lop.clone(),
            system: describe_system(),
        }
    }

    /// The stages of the test, for a stranger.
    fn describe_tests(&self, redactor: &mut ReportRedactor) -> Vec<ReportTest> {
        let is_pair = matches!(self.input, RunInput::Pair(_));
        let stages = self.run.stages.iter();
        let mut tests: Vec<ReportTest> = stages
            .filter_map(|stage| describe_stage(stage, is_pair, redactor))
            .collect();
        let first = match is_pair {
            true => ("The test of the seed", "test-seed.sh"),
            false => ("The test", SCRIPT),
        };
        let second = ("The test of the variant", "test-variant.sh");
        let recorded = [
            (first, &self.run.test_bytes),
            (second, &self.run.variant_test_bytes),
        ];
        for ((role, script), bytes) in recorded {
            let bytes = bytes.as_ref().and_then(ByteText::decode_bytes);
            let Some(bytes) = bytes else { continue };
            tests.push(match String::from_utf8(bytes) {
                Ok(text) => ReportTest {
                    role: role.into(),
                    text: redactor.redact_text(script, &text),
                    script: Some(script),
                },
                Err(program) => ReportTest {
                    role: format!("{role}, a program"),
                    text: format!("({} bytes)", program.as_bytes().len()),
                    script: None,
                },
            });
        }
        tests
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
        if let Some(property) = self.recorded.property.clone() {
            prepared.use_property(property)?;
        }
        let (_, recorded) = self.history.last_fingerprint();
        if hash_test(prepared.script_path(), prepared.test.stages()).0 != recorded.test_hash {
            let what =
                "the test has changed since the session; restore it, or leave it out with --no-run";
            return Err(CommandFailure::new(USAGE, what));
        }
        Ok(prepared)
    }

    /// The program that the generator makes of the result; none without a generator.
    fn make_program(
        &self,
        prepared: &PreparedRun,
        redactor: &mut ReportRedactor,
    ) -> Result<Option<ReportFile>, CommandFailure> {
        let limits = self.limits();
        let sequence = Path::new(self.input.main_file().file_name());
        let place = (&prepared.scratch, &prepared.isolation);
        let maker = ProgramMaker::from_test(&prepared.test, sequence, place, limits);
        let (Some(maker), Some(Some(listing))) = (maker, self.texts.first()) else {
            return Ok(None);
        };
        let made = maker.make_program(listing).or_fail(FAILED)?;
        let path = maker.program_name().to_path_buf();
        Ok(Some(ReportFile {
            text: redactor.redact_program(&path.escape_hidden(), &made),
            language: language::by_path(&path).map(|language| language.name.to_owned()),
            path,
        }))
    }

    /// Runs the test on the result, and asks its tools for their versions.
    fn observe(
        &self,
        prepared: &PreparedRun,
        redactor: &mut ReportRedactor,
    ) -> Result<ReportObservation, CommandFailure> {
        let limits = self.limits();
        let files = prepared.input.files_with_texts(self.texts.iter().cloned());
        let outcome = prepared
            .preflight_tester()
            .test_result(files.clone(), limits)?;
        match outcome {
            TestOutcome::Verdict(Verdict::Interesting, run) => {
                let output = escape_page(&run.output.to_bytes()).into_owned();
                let versions = tool_versions::ask_versions(prepared, &files)?.into_iter();
                Ok(ReportObservation {
                    output: redactor.redact_text("what the test printed", &output),
                    versions: versions
                        .map(|said| ToolVersion {
                            tool: redactor.redact_text("versions", &said.tool),
                            version: redactor.redact_text("versions", &said.version),
                        })
                        .collect(),
                })
            }
            TestOutcome::NoVerdict(trouble) => Err(CommandFailure::new(FAILED, trouble)),
            TestOutcome::Verdict(..) | TestOutcome::Cancelled => Err(CommandFailure::new(
                NOTHING_TO_DO,
                self.explain_no(redactor),
            )),
        }
    }

    /// Why the result may not show the bug.
    fn explain_no(&self, redactor: &ReportRedactor) -> String {
        let paths = self.input.test_paths();
        let names: Vec<String> = paths
            .iter()
            .map(|path| path.escape_hidden().into_owned())
            .collect();
        let mut removed = redactor.removed().iter();
        match removed.find(|place| names.contains(&place.place)) {
            Some(place) => format!(
                "without the names and paths of this machine the result does not show the bug: {}. --keep-names reports it as it is",
                place.sentences().join("; ")
            ),
            None => "the result does not show the bug here and now: the test says no to it. `lop resume` goes on with another version; --no-run reports it all the same".into(),
        }
    }
}

/// Commands as a script; none if the test is one already, has two programs, a generator or a server.
fn script_of_commands(
    prepared: &PreparedRun,
    subject: &ReportSubject,
    redactor: &mut ReportRedactor,
) -> Option<ReportTest> {
    let test = &prepared.test;
    let is_commands = test.property().is_some()
        && matches!(subject.input, RunInput::Program(_))
        && !test.is_served()
        && test.generator().is_none();
    is_commands.then(|| ReportTest {
        role: "The same as a script".into(),
        text: redactor.redact_text(SCRIPT, &test_script(test, subject.limits().wall)),
        script: Some(SCRIPT),
    })
}

fn describe_stage(
    stage: &TestStage,
    is_pair: bool,
    redactor: &mut ReportRedactor,
) -> Option<ReportTest> {
    let role = match stage.role {
        _ if stage.makes.is_some() => "The generator, which makes the program of the choices",
        StageRole::Says | StageRole::Subject if is_pair => "On the variant this shows the bug",
        StageRole::Says | StageRole::Subject => "The command",
        StageRole::Check => "It must succeed first",
        StageRole::Succeeds => "On the seed this succeeds",
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
        text: redactor.redact_text("the command", &text),
        script: None,
    })
}

/// The kernel and the processor, without the name of the machine.
fn describe_system() -> String {
    let system = rustix::system::uname();
    let parts = [system.sysname(), system.release(), system.machine()];
    let parts: Vec<_> = parts.iter().map(|part| part.to_string_lossy()).collect();
    parts.join(" ")
}

/// What was replaced, and what of a program stays: who sends it should know.
fn report_removals(report: &BugReport, redaction: &Redaction) {
    let sentences = report.removed.iter().flat_map(PlaceRemovals::sentences);
    sentences.for_each(|sentence| report_message(&sentence));
    for file in &report.files {
        let text = String::from_utf8_lossy(&file.text);
        let left = redaction.redact_text(&text).removals;
        if let Some(first) = left.iter().map(|removal| removal.line).min() {
            report_message(&format!(
                "{}, line {first}: a path or a name of this machine stays in the program; look before you send it",
                file.path.escape_hidden()
            ));
        }
    }
}

/// Makes the directory, which must not exist.
fn make_directory(directory: &Path) -> Result<(), CommandFailure> {
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
    })
}

fn write_files(
    directory: &Path,
    subject: &ReportSubject,
    report: &BugReport,
    replay: &str,
) -> io::Result<()> {
    let result = directory.join(RESULT);
    fs::create_dir(&result)?;
    let versions = &subject.history.versions;
    match subject.history.version_choices(versions.kept) {
        // A listing is for people, and a generator reads bytes.
        Some(choices) => {
            fs::write(result.join(subject.input.main_file().file_name()), choices)?;
            if let [made, _] = &report.files[..] {
                fs::write(result.join(&made.path), &made.text)?;
            }
        }
        None => write_result_files(&subject.input, &result, &subject.texts, unified_diff)?,
    }
    for test in &report.tests {
        if let Some(script) = test.script {
            session::create_executable(&directory.join(script), &test.text)?;
        }
    }
    fs::write(directory.join(PAGE), report.render_markdown())?;
    fs::write(directory.join(REPLAY), replay)
}
