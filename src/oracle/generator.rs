//! A test on a sequence of choices. Its first stage, the generator, reads the sequence as a file of bytes, and what it prints is the
//! program that the other stages see, in a directory of their own.
//!
//! A sequence on which the generator fails is invalid, and so is a text that is no sequence. The generator may take the limits of a whole
//! test, and the rest of the test too. What the rest said of the same program is remembered, so that two sequences which make the same
//! program cost one test.

use std::io;
use std::path::{Path, PathBuf};
use std::slice;
use std::sync::Arc;

use super::process::{DetailedOutcome, run_part};
use super::setting::TestSetting;
use super::test::TestPart;
use super::test_parts::PartedTest;
use super::{
    InterestingnessTest, ScratchSpace, TestExit, TestFile, TestFiles, TestIsolation, TestOutcome,
    TestOutput, TestRun, TimeLimits, TrialRun, Verdict,
};
use crate::protocol::read_choices;

impl PartedTest {
    /// Runs the generator, and the rest of the test on what it makes; with `fresh`, also if the verdict on that is remembered.
    pub(super) fn run_generated(
        &self,
        part: &TestPart<'_>,
        setting: &mut TestSetting<'_>,
        files: &[TestFile],
        limits: TimeLimits,
        fresh: bool,
    ) -> DetailedOutcome {
        let ([(file_name, listing)], Some((generator, rest))) = (files, part.stages.split_first())
        else {
            return invalid_outcome("a generator reads one sequence");
        };
        let Some(bytes) = read_choices(listing) else {
            return invalid_outcome("this is no sequence: a choice is a number from 0 to 255");
        };
        let sequence = [(file_name.clone(), Arc::from(bytes))];
        let only_generator = TestPart {
            stages: slice::from_ref(generator),
            matcher: None,
            ..*part
        };
        let mut made = run_part(&only_generator, setting, &sequence, limits);
        let ended = made.runs.first().map(|run| run.run.exit);
        if let (Some(exit), TestOutcome::Verdict(_, run)) = (ended, &mut made.outcome) {
            let line = format!("[lop: {}: {exit}]\n", generator.line);
            let mut output = TestOutput::from_text(line);
            output.push(&run.output.to_bytes());
            run.output = output;
        }
        if made.outcome.verdict() != Some(Verdict::Interesting) {
            return made;
        }
        let made_program = made.runs.first().and_then(|run| run.program.clone());
        let (Some(program), Some(name)) = (made_program, &generator.makes) else {
            let mut outcome = invalid_outcome("the program that the generator made is too long");
            outcome.runs = made.runs;
            return outcome;
        };
        let program: TestFile = (name.clone(), program);
        if rest.is_empty() {
            self.test.programs().keep_program(listing, &program.1);
            return made;
        }
        let sight = self.hasher.hash_sight(slice::from_ref(&program), limits);
        let known = self.lock_memory(0).recall_outcome(sight);
        let tested = known.filter(|_| !fresh).map(DetailedOutcome::from);
        let tested = tested.unwrap_or_else(|| {
            let rest = TestPart {
                stages: rest,
                ..*part
            };
            let tested = run_part(&rest, setting, slice::from_ref(&program), limits);
            self.lock_memory(0).learn_outcome(sight, &tested.outcome);
            tested
        });
        if tested.outcome.verdict() == Some(Verdict::Interesting) {
            self.test.programs().keep_program(listing, &program.1);
        }
        join_outcomes(made, tested, &program)
    }
}

/// What the generator did and made, and what the rest of the test did, as one run.
fn join_outcomes(
    made: DetailedOutcome,
    tested: DetailedOutcome,
    program: &TestFile,
) -> DetailedOutcome {
    let mut joined = tested;
    if let (TestOutcome::Verdict(_, run), TestOutcome::Verdict(_, generated)) =
        (&mut joined.outcome, made.outcome)
    {
        let (name, text) = program;
        let name = name.to_string_lossy();
        let mut output = generated.output;
        output.push(format!("[lop: {name}, {} bytes]\n", text.len()).as_bytes());
        output.push(text);
        let line_end: &[u8] = if text.ends_with(b"\n") { b"" } else { b"\n" };
        output.push(line_end);
        output.push(b"[lop: the test]\n");
        output.push(&run.output.to_bytes());
        *run = TestRun {
            exit: run.exit,
            time: generated.time + run.time,
            cpu: generated.cpu.zip(run.cpu).map(|(one, other)| one + other),
            output,
        };
    }
    joined.runs = made.runs.into_iter().chain(joined.runs).collect();
    joined
}

/// A candidate that no process was needed for.
fn invalid_outcome(why: &str) -> DetailedOutcome {
    let mut outcome = TestOutcome::from(Verdict::Invalid);
    if let TestOutcome::Verdict(_, run) = &mut outcome {
        run.output = TestOutput::from_text(format!("[lop: {why}]\n"));
    }
    DetailedOutcome::from(outcome)
}

/// Makes the programs of sequences, for whoever keeps or shows them.
#[derive(Clone, Debug)]
pub struct ProgramMaker {
    generator: InterestingnessTest,
    /// The name of the file of a sequence.
    sequence_name: PathBuf,
    name: PathBuf,
    scratch: ScratchSpace,
    isolation: TestIsolation,
    limits: TimeLimits,
}

impl ProgramMaker {
    /// For the sequences of this test, in files of this name; none if it has no generator.
    pub fn from_test(
        test: &InterestingnessTest,
        sequence_name: &Path,
        (scratch, isolation): (&ScratchSpace, &TestIsolation),
        limits: TimeLimits,
    ) -> Option<ProgramMaker> {
        let (_, name) = test.generator()?;
        Some(ProgramMaker {
            generator: test.generator_alone()?,
            sequence_name: sequence_name.to_path_buf(),
            name: name.to_path_buf(),
            scratch: scratch.clone(),
            isolation: isolation.clone(),
            limits,
        })
    }

    /// The name of the programs.
    pub fn program_name(&self) -> &Path {
        &self.name
    }

    /// The program of a listing: the one that was tested, if that was lately; else the generator runs again.
    ///
    /// # Errors
    /// When the generator cannot run, or makes no program of it.
    pub fn make_program(&self, listing: &[u8]) -> io::Result<Arc<[u8]>> {
        let memory = self.generator.programs();
        if let Some(known) = memory.find_program(listing) {
            return Ok(known);
        }
        let files: TestFiles = vec![(self.sequence_name.clone(), listing.into())];
        let (test, scratch) = (self.generator.clone(), self.scratch.clone());
        let run = TrialRun::start(test, scratch, files, self.limits, self.isolation.clone())?;
        let done = run.outcome_receiver().recv();
        let exit = match done.map(|done| done.outcome) {
            Ok(TestOutcome::Verdict(_, run)) => run.exit.to_string(),
            Ok(TestOutcome::NoVerdict(why)) => why.to_string(),
            Ok(TestOutcome::Cancelled) | Err(_) => TestExit::Signal(9).to_string(),
        };
        memory.find_program(listing).ok_or_else(|| {
            io::Error::other(format!("the generator makes no program of it: {exit}"))
        })
    }
}
