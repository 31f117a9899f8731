//! The comparison of a run's result for the screen: on a thread of its own, with what the run knows.

use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};
use std::thread::{self, JoinHandle};

use crossbeam_channel::{bounded, unbounded};

use super::{
    ContrastExperiment, ContrastFindings, ContrastObserver, ContrastSubject, count_sentence,
    known_verdicts,
};
use crate::cli::launch::plan::RunPlan;
use crate::cli::launch::prepared_run::PreparedRun;
use crate::contrast::{
    ContrastError, ContrastProgress, TokenRole, USUAL_TESTS, annotate_lines, find_changed_lines,
    role_counts, write_sentences,
};
use crate::display::EscapeHidden;
use crate::language::Language;
use crate::oracle::{FailureProperty, TimeLimits};
use crate::program::Version;
use crate::reduce::RunSnapshot;
use crate::session::history::SessionHistory;
use crate::tui::contrast::{
    ContrastFinding, ContrastStarter, ContrastSummary, ContrastTask, ContrastUpdate, PurposePiece,
    TokenPurpose,
};

/// Compares the result of a run with its neighbours, when the user asks for it.
pub struct ResultContrast {
    /// The test of the run, and where it runs.
    experiment: ContrastExperiment,
    language: Option<&'static Language>,
    /// The journal of the run: its verdicts need no test.
    journal: Option<PathBuf>,
    /// The threads of comparisons, also of those that were cancelled.
    threads: Mutex<Vec<JoinHandle<()>>>,
}

impl ResultContrast {
    /// For the run of this plan; `journal` is its journal.
    pub fn new(plan: &RunPlan, prepared: &PreparedRun, journal: Option<PathBuf>) -> ResultContrast {
        ResultContrast {
            experiment: ContrastExperiment::from_prepared(
                prepared,
                TimeLimits::default(),
                plan.jobs,
                USUAL_TESTS as usize,
            ),
            language: plan.main_language(),
            journal,
            threads: Mutex::default(),
        }
    }

    /// Waits until no test of a comparison runs any more. The screen, which no longer exists, has cancelled them.
    pub fn wait_for_threads(self) {
        let threads = self.threads.into_inner();
        for thread in threads.unwrap_or_else(PoisonError::into_inner) {
            // The hook has reported a panic.
            let _ = thread.join();
        }
    }
}

impl ContrastStarter for ResultContrast {
    fn start_contrast(&self, result: &RunSnapshot) -> Result<ContrastTask, String> {
        let (_, version) = result.kept_version();
        let (path, bytes) = only_document(version)
            .ok_or("it explains one program, and this run has a pair of them")?;
        let original = result.history.front();
        let original = original.and_then(|original| only_document(&original.version));
        let original = original.map(|(_, bytes)| bytes);
        let mut experiment = self.experiment.clone();
        if let Some(property) = &result.property {
            let test = experiment
                .test
                .with_property(FailureProperty::clone(property));
            experiment.test = test.map_err(|error| error.to_string())?;
        }
        experiment.limits = TimeLimits {
            wall: result.limit,
            cpu: None,
        };
        let subject = ContrastSubject::read(path, self.language, bytes, original)
            .map_err(|why| format!("the result {why}"))?;
        let (send, updates) = unbounded();
        let (lifeline, interrupted) = bounded(0);
        let journal = self.journal.clone();
        let compare = move || {
            // The screen may have been left: then nobody listens.
            let report = |update| drop(send.send(update));
            let session = journal.and_then(|path| SessionHistory::read_from(&path).ok());
            let known = session.map(|session| known_verdicts(&session, &experiment.test));
            let observer = ContrastObserver {
                interrupted: &interrupted,
                on_progress: &|progress| {
                    report(match progress {
                        ContrastProgress::Tested(done, all) => ContrastUpdate::Tested(done, all),
                        ContrastProgress::Checked(done, all) => ContrastUpdate::Checked(done, all),
                    });
                },
            };
            let known = known.as_ref().map(|known| known as _);
            let found = experiment.compare_neighbours(subject, None, known, &observer);
            report(match found {
                Ok(findings) => ContrastUpdate::Found(Arc::new(summarize_findings(&findings))),
                Err(ContrastError::Interrupted(_)) => return,
                Err(error) => ContrastUpdate::Failed(error.to_string()),
            });
        };
        let thread = thread::Builder::new().name("lop-contrast".into());
        let thread = thread.spawn(compare).map_err(|error| error.to_string())?;
        let mut threads = self.threads.lock().unwrap_or_else(PoisonError::into_inner);
        threads.push(thread);
        Ok(ContrastTask { updates, lifeline })
    }
}

/// The path and the bytes of a version's document, if it has one only.
fn only_document(version: &Version) -> Option<(PathBuf, Arc<[u8]>)> {
    let [document] = version.documents() else {
        return None;
    };
    let (_, bytes) = version.render_files().into_iter().next()?;
    Some((document.path.to_path_buf(), bytes.into()))
}

/// The findings, as the screen shows them.
fn summarize_findings(findings: &ContrastFindings) -> ContrastSummary {
    let report = &findings.report;
    let lines = annotate_lines(&findings.bytes, report).into_iter();
    let lines = lines.map(|line| {
        let pieces = line.into_iter().map(|piece| PurposePiece {
            text: piece.text,
            purpose: piece.role.map(to_purpose),
        });
        pieces.collect()
    });
    let shown = write_sentences(report).into_iter().map(|sentence| {
        let changed = sentence
            .contrast
            .map(|tried| find_changed_lines(&findings.bytes, &tried.neighbour.bytes));
        let changed = changed.unwrap_or_default();
        ContrastFinding {
            sentence: format!("{} (line {})", sentence.text, sentence.line),
            old_lines: changed.old,
            new_lines: changed.new,
        }
    });
    let purposes = [
        TokenPurpose::Essential,
        TokenPurpose::Free,
        TokenPurpose::CompileOnly,
        TokenPurpose::Undecided,
    ];
    ContrastSummary {
        lines: lines.collect(),
        findings: shown.collect(),
        counts: purposes.into_iter().zip(role_counts(report)).collect(),
        remarks: vec![
            count_sentence(report),
            findings.validity.escape_hidden().into_owned(),
        ],
    }
}

fn to_purpose(role: TokenRole) -> TokenPurpose {
    match role {
        TokenRole::Essential => TokenPurpose::Essential,
        TokenRole::Free => TokenPurpose::Free,
        TokenRole::CompileOnly => TokenPurpose::CompileOnly,
        TokenRole::Unknown(_) => TokenPurpose::Undecided,
    }
}
