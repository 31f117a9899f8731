//! A runner whose test is another reducer: a candidate is proposed to it, and its verdict is the answer.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crossbeam_channel::{Receiver, Sender, unbounded};
use rustc_hash::FxHashMap;
use serde_json::Value;

use super::messages::{ProposalVerdict, ProposerLine};
use crate::oracle::{JobId, JobResult, Runner, TestJob, TestOutcome, TestOutput};
use crate::program::ByteText;

/// Writes a line to the reducer.
pub type LineWriter = Arc<dyn Fn(&ProposerLine) + Send + Sync>;

/// Proposes the files of each job.
pub struct ServedRunner {
    writer: LineWriter,
    shared: Arc<Mutex<OpenQuestions>>,
    results: Receiver<JobResult>,
}

/// The candidates without an answer.
struct OpenQuestions {
    /// The version that candidates are about.
    version: u64,
    /// The job of each, and its text.
    jobs: FxHashMap<u64, (JobId, Arc<[u8]>)>,
    next: u64,
    results: Sender<JobResult>,
    /// The text that the reducer found interesting last: it is its next version.
    interesting: Option<Arc<[u8]>>,
    /// Candidates that wait for the number of that version.
    held: Option<Vec<TestJob>>,
}

/// Gives the answers to a [`ServedRunner`].
#[derive(Clone)]
pub struct AnswerSink {
    shared: Arc<Mutex<OpenQuestions>>,
    writer: LineWriter,
}

impl ServedRunner {
    /// A runner that proposes candidates for this version; the numbers of its proposals begin with `first`.
    pub fn new(version: u64, first: u64, writer: LineWriter) -> ServedRunner {
        let (results_out, results) = unbounded();
        let shared = OpenQuestions {
            version,
            jobs: FxHashMap::default(),
            next: first,
            results: results_out,
            interesting: None,
            held: None,
        };
        ServedRunner {
            writer,
            shared: Arc::new(Mutex::new(shared)),
            results,
        }
    }

    /// Where the answers go.
    pub fn answer_sink(&self) -> AnswerSink {
        AnswerSink {
            shared: self.shared.clone(),
            writer: self.writer.clone(),
        }
    }
}

impl OpenQuestions {
    /// The line that proposes the file of a job.
    fn propose(&mut self, job: TestJob) -> ProposerLine {
        let text = job.files.into_iter().next().map(|(_, text)| text);
        let text = text.unwrap_or_default();
        let number = self.next;
        self.next += 1;
        let mut line = ProposerLine {
            id: number.into(),
            version: Some(self.version),
            ..ProposerLine::default()
        };
        match ByteText::from_bytes(&text) {
            ByteText::Text(text) => line.text = Some(text),
            ByteText::Hex(hex) => line.hex = Some(hex),
        }
        self.jobs.insert(number, (job.id, text));
        line
    }
}

fn lock(shared: &Mutex<OpenQuestions>) -> MutexGuard<'_, OpenQuestions> {
    shared.lock().unwrap_or_else(PoisonError::into_inner)
}

impl AnswerSink {
    /// The reducer answers a proposal.
    pub fn answer(&self, id: &Value, verdict: ProposalVerdict, output: &str) {
        let mut open = lock(&self.shared);
        let job = id.as_u64().and_then(|id| open.jobs.remove(&id));
        let Some((job, text)) = job else {
            return;
        };
        if verdict == ProposalVerdict::Interesting {
            open.interesting = Some(text);
            open.held.get_or_insert_default();
        }
        let mut outcome = TestOutcome::from(verdict.to_verdict());
        if let TestOutcome::Verdict(_, run) = &mut outcome {
            run.output = TestOutput::from_text(output);
        }
        // The run may be over.
        let _ = open.results.send(JobResult::new(job, outcome));
    }

    /// Whether a version of the reducer is the candidate that it found interesting last. Then further candidates are about it.
    pub fn adopt_version(&self, version: u64, text: &[u8]) -> bool {
        let mut open = lock(&self.shared);
        let is_found = open.interesting.as_deref() == Some(text);
        if !is_found {
            return false;
        }
        open.version = version;
        let lines: Vec<ProposerLine> = open
            .held
            .take()
            .into_iter()
            .flatten()
            .map(|job| open.propose(job))
            .collect();
        drop(open);
        lines.iter().for_each(|line| (self.writer)(line));
        true
    }

    /// The number of the next proposal.
    pub fn next_number(&self) -> u64 {
        lock(&self.shared).next
    }
}

impl Runner for ServedRunner {
    fn submit(&mut self, job: TestJob) {
        let mut open = lock(&self.shared);
        match &mut open.held {
            Some(held) => held.push(job),
            None => {
                let line = open.propose(job);
                drop(open);
                (self.writer)(&line);
            }
        }
    }

    fn cancel(&mut self, id: JobId) {
        let mut open = lock(&self.shared);
        let held = open.held.iter_mut().flatten().position(|job| job.id == id);
        let known = open.jobs.iter().find(|(_, (job, _))| *job == id);
        let known = known.map(|(number, _)| *number);
        if let (Some(held), Some(at)) = (&mut open.held, held) {
            held.remove(at);
        }
        if let Some(number) = known {
            open.jobs.remove(&number);
        }
        if held.is_some() || known.is_some() {
            let _ = open
                .results
                .send(JobResult::new(id, TestOutcome::Cancelled));
        }
    }

    fn result_receiver(&self) -> &Receiver<JobResult> {
        &self.results
    }
}
