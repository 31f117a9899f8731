//! Verdicts that are known before a run: those of `--verdicts` and of `--cache`; with `--offline` there are no others. `record_options.rs` has what the
//! command line says of them.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::cache::open_cache;
use super::plan::RunPlan;
use super::prepared_run::PreparedRun;
use crate::cli::failure::{CommandFailure, FAILED, NOTHING_TO_DO, OrFail, USAGE};
use crate::display::{EscapeHidden, format_count, format_number};
use crate::oracle::{LimitPolicy, LogMatcher, TestFiles, TestOutcome, Verdict};
use crate::reduce::{CertainStore, LayeredStore, VerdictStore};
use crate::session::journal::HeaderVerdicts;
use crate::session::{RecordedVerdicts, keep_missing_candidate, read_verdict_line, recall_outcome};

/// Keeps the candidate of which no verdict is known, and says where, and what to do with it.
pub(super) fn describe_missing(output: &Path, files: &TestFiles) -> String {
    let Some((_, bytes)) = files.last() else {
        return "the candidate has no file".into();
    };
    match keep_missing_candidate(output, bytes) {
        Ok(path) => {
            let name = Path::new("NAME").with_extension(path.extension().unwrap_or_default());
            format!(
                "the candidate without a verdict is in {}; test it, and put it into the directory of --verdicts as {} with the output of the test as NAME.log",
                path.escape_hidden(),
                name.escape_hidden()
            )
        }
        Err(error) => format!("the candidate without a verdict cannot be kept: {error}"),
    }
}

impl PreparedRun {
    /// Opens the recorded verdicts of the plan, and, for a run without tests, all that it knows.
    pub fn open_records(&mut self, plan: &RunPlan) -> Result<(), CommandFailure> {
        let records = plan.verdicts.as_ref();
        let records = records
            .map(|wanted| self.read_records(wanted))
            .transpose()?;
        self.records = records;
        if plan.offline {
            let mut notes = Vec::new();
            let known = self.known_verdicts(plan.cache.as_deref(), plan.limit, &mut notes);
            self.notes.extend(notes);
            self.offline = Some(Arc::new(CertainStore(
                known.unwrap_or_else(|| Arc::new(LayeredStore(Vec::new()))),
            )));
        }
        Ok(())
    }

    /// Reads the recorded verdicts, with a note about them.
    fn read_records(
        &mut self,
        wanted: &HeaderVerdicts,
    ) -> Result<Arc<dyn VerdictStore>, CommandFailure> {
        let matcher = LogMatcher::new(&wanted.grep, &wanted.not_grep).or_fail(USAGE)?;
        let name = Path::new(self.input.main_file().file_name());
        let decide_log = |log: &[u8]| match (wanted.grep.is_empty(), matcher.matches_log(log)) {
            (true, _) => read_verdict_line(log),
            (false, true) => Some(Verdict::Interesting),
            (false, false) => Some(Verdict::Uninteresting),
        };
        let records = RecordedVerdicts::read(&wanted.directory, name.extension(), decide_log);
        let records = records.or_fail(USAGE)?;
        let [known, interesting, unclear, silent] = records.counts();
        let directory = wanted.directory.escape_hidden();
        self.notes.push(format!(
            "the logs below {directory} have verdicts on {}, {} of them interesting",
            format_count(known, "program"),
            format_number(interesting)
        ));
        if unclear > 0 {
            self.notes.push(format!(
                "logs of the same program disagree, for {}: these verdicts do not count",
                format_count(unclear, "program")
            ));
        }
        if silent > 0 {
            self.notes.push(format!(
                "{} without a verdict of lop in the last line: --grep RE says what the log of an interesting program has",
                format_count(silent, "log")
            ));
        }
        Ok(Arc::new(records))
    }

    /// The verdicts of the records, and those of the cache.
    pub fn known_verdicts(
        &self,
        cache: Option<&Path>,
        limit: LimitPolicy,
        notes: &mut Vec<String>,
    ) -> Option<Arc<dyn VerdictStore>> {
        let cache = open_cache(cache, self, limit, notes);
        let mut layers: Vec<_> = self.records.iter().cloned().chain(cache).collect();
        match layers.len() {
            0 | 1 => layers.pop(),
            _ => Some(Arc::new(LayeredStore(layers))),
        }
    }

    /// Fails unless the recorded verdict on these files, `what`, is interesting; for a run without tests. With an output, a program without a
    /// verdict is kept beside it: the user may not have it. `paths` are those of all documents.
    pub fn ensure_recorded(
        store: &dyn VerdictStore,
        paths: &[PathBuf],
        files: &TestFiles,
        what: &str,
        output: Option<&Path>,
    ) -> Result<(), CommandFailure> {
        match recall_outcome(store, paths, files) {
            TestOutcome::Verdict(Verdict::Interesting, _) => Ok(()),
            TestOutcome::Verdict(..) => Err(CommandFailure::new(
                NOTHING_TO_DO,
                format!(
                    "the recorded verdict on {what} is that it is not interesting, so there is nothing to reduce"
                ),
            )),
            TestOutcome::NoVerdict(_) | TestOutcome::Cancelled => {
                let kept = output.map(|output| {
                    let missing = describe_missing(output, files);
                    format!("; {missing}, then run the same command again")
                });
                Err(CommandFailure::new(
                    FAILED,
                    format!(
                        "no verdict is known of {what}, and --offline runs no test; name the directory or the cache that has one{}",
                        kept.unwrap_or_default()
                    ),
                ))
            }
        }
    }
}
