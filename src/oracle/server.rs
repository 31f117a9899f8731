//! A test that stays alive: a server in place of a script. When it is started, what it is asked, and when its answer counts.
//!
//! ```text
//!  worker ──candidate──▶ its server, which has answered before ──1──▶ uninteresting
//!                             │0
//!                             ▼
//!                        a fresh process, which is asked once and ends ──0──▶ interesting
//!                             │1
//!                             ▼
//!                        uninteresting; from now on every candidate has a fresh process
//! ```
//!
//! Each worker has a server, in a helper of its own. It is started anew after [`MOST_ANSWERS`] candidates, when a limit ends it, when it ends, and when it
//! says what is no answer; then the candidate is asked about once more, of a fresh process. What is tested alone or afresh (`TestJob`) has a fresh process
//! too: a timeout beside others, the original, the result. Where there is no helper, every candidate has a fresh process.
//!
//! The second question to a server and the last one are about a program that is known to be interesting. A server that does not find it so any
//! more keeps something from one candidate to the next, and is not trusted any more ([`ServerTrust`]).

use super::child;
use super::server_pipe::ServerAnswer;
use super::server_process::{ServerQuestion, ServerReply};
use super::server_seat::ServerSeat;
use super::server_trust::ServerTrust;
use super::setting::{self, StageAbort, TestSetting, directory_failure};
use super::test_command::TestCommand;
use super::test_dir::TestDir;
use super::{NoVerdict, TestExit, TestFile, TestRun, TestStage, TimeLimits};

/// How many candidates a server is asked about before it is started anew.
const MOST_ANSWERS: u32 = 200;

/// After so many answers it is asked about a program that is known to be interesting: early, and before its last candidate.
const CONTROLS: [u32; 2] = [1, MOST_ANSWERS - 2];

/// A candidate, and how it is tested.
#[derive(Clone, Copy)]
struct ServerTask<'a> {
    stage: &'a TestStage,
    files: &'a [TestFile],
    limits: TimeLimits,
    trust: &'a ServerTrust,
    /// See [`ServerTrust::generation`].
    generation: u64,
}

/// Runs a stage that is a server on these files. None if it was cancelled.
pub(super) fn run_server_stage(
    stage: &TestStage,
    trust: &ServerTrust,
    setting: &mut TestSetting<'_>,
    files: &[TestFile],
    limits: TimeLimits,
) -> Result<Option<TestRun>, StageAbort> {
    let task = ServerTask {
        stage,
        files,
        limits,
        trust,
        generation: trust.generation(),
    };
    let Some(seat) = setting.server.take() else {
        return task.ask_fresh_process(setting);
    };
    let ran = seat.run_task(&task, setting);
    setting.server = Some(seat);
    ran
}

impl ServerSeat {
    /// Asks the server, and a fresh process where its answer does not count alone.
    fn run_task(
        &mut self,
        task: &ServerTask<'_>,
        setting: &mut TestSetting<'_>,
    ) -> Result<Option<TestRun>, StageAbort> {
        let is_old = self.answers >= MOST_ANSWERS || self.generation != task.generation;
        if is_old || task.trust.is_lost() {
            self.end_server();
        }
        self.generation = task.generation;
        if !self.pass_control(task, setting)? {
            return Ok(None);
        }
        if task.trust.is_lost() {
            return task.ask_fresh_process(setting);
        }
        let (is_new, run, answer) = loop {
            let is_new = self.answers == 0;
            match self.ask(task, setting)? {
                ServerReply::Answered(run, answer) => break (is_new, run, answer),
                ServerReply::Cancelled => return Ok(None),
                ServerReply::Ended => {}
            }
        };
        let has_answered = is_verdict(&run, &answer);
        if is_new {
            return task.judge_run(run, answer).map(Some);
        }
        // What would be kept because of its status, as another failure, is confirmed too.
        if has_answered && matches!(run.exit, TestExit::Code(1 | 125)) {
            setting.is_unconfirmed = true;
            return Ok(Some(run));
        }
        let confirmed = task.ask_fresh_process(setting)?;
        if has_answered
            && run.exit == TestExit::Code(0)
            && let Some(exit) = confirmed.as_ref().map(|run| run.exit)
            && !matches!(exit, TestExit::Code(0) | TestExit::Killed(_))
        {
            task.report_contradiction(
                setting,
                &format!("it found a candidate interesting, and a fresh process did not ({exit})"),
            );
        }
        Ok(confirmed)
    }

    /// If it is time to, asks the server about a program that is known to be interesting. Returns false if that was cancelled.
    fn pass_control(
        &mut self,
        task: &ServerTask<'_>,
        setting: &mut TestSetting<'_>,
    ) -> Result<bool, StageAbort> {
        if !CONTROLS.contains(&self.answers) {
            return Ok(true);
        }
        let Some(known) = task.trust.interesting() else {
            return Ok(true);
        };
        let control = ServerTask {
            files: &known,
            ..*task
        };
        let (run, answer) = match self.ask(&control, setting)? {
            ServerReply::Answered(run, answer) => (run, answer),
            ServerReply::Cancelled => return Ok(false),
            // A new one keeps nothing from before.
            ServerReply::Ended => return Ok(true),
        };
        if is_verdict(&run, &answer) && run.exit != TestExit::Code(0) {
            self.end_server();
            task.report_contradiction(setting, &format!(
                "it found a program uninteresting ({}) that a fresh process had found interesting",
                run.exit
            ));
        }
        Ok(true)
    }

    /// Asks the server, and starts it if it does not run. One that gives no verdict is ended. After [`ServerReply::Ended`] the next question starts
    /// another.
    fn ask(
        &mut self,
        task: &ServerTask<'_>,
        setting: &mut TestSetting<'_>,
    ) -> Result<ServerReply, StageAbort> {
        let asked = self.try_ask(task, setting);
        match &asked {
            Ok(ServerReply::Answered(run, answer)) if is_verdict(run, answer) => self.answers += 1,
            // It may have heard of that candidate, and is not new any more.
            Ok(ServerReply::Cancelled) => self.answers = self.answers.max(1),
            Ok(ServerReply::Ended) => self.forget_server(),
            Ok(ServerReply::Answered(..)) | Err(_) => self.end_server(),
        }
        asked
    }

    fn try_ask(
        &mut self,
        task: &ServerTask<'_>,
        setting: &mut TestSetting<'_>,
    ) -> Result<ServerReply, StageAbort> {
        let room = self.helper.ensure_directory().map_err(directory_failure)?;
        let room = room.cloned();
        let home = match self.home.take() {
            Some(home) => home,
            None => TestDir::new(setting.scratch, &[], room.as_ref()).map_err(directory_failure)?,
        };
        let home = self.home.insert(home);
        let candidate = TestDir::for_server(setting.scratch, task.files, room.as_ref());
        let candidate = candidate.map_err(directory_failure)?;
        let question = task.new_question(home, &candidate, setting, false);
        let reply = self.helper.ask_server(&question, setting.cancel_signal)?;
        if let ServerReply::Answered(run, _) = &reply {
            check_disk(run, setting)?;
        }
        Ok(reply)
    }
}

impl ServerTask<'_> {
    fn new_question(
        &self,
        home: &TestDir,
        candidate: &TestDir,
        setting: &TestSetting<'_>,
        once: bool,
    ) -> ServerQuestion {
        ServerQuestion {
            command: TestCommand::new(self.stage, home, self.limits, setting.isolation.quotas),
            candidate: candidate.work_dir().to_path_buf(),
            once,
        }
    }

    /// Starts the server for this candidate alone. None if that was cancelled.
    fn ask_fresh_process(
        &self,
        setting: &mut TestSetting<'_>,
    ) -> Result<Option<TestRun>, StageAbort> {
        let room = setting.ensure_room()?;
        let home = TestDir::new(setting.scratch, &[], room.as_ref());
        let home = home.map_err(directory_failure)?;
        let candidate = TestDir::for_server(setting.scratch, self.files, room.as_ref());
        let candidate = candidate.map_err(directory_failure)?;
        let question = self.new_question(&home, &candidate, setting, true);
        let asked = match setting.helper.as_deref_mut() {
            Some(helper) => match helper.ask_server(&question, setting.cancel_signal)? {
                ServerReply::Answered(run, answer) => Some((run, answer)),
                ServerReply::Ended | ServerReply::Cancelled => None,
            },
            None => child::ask_child(&question, setting.cancel_signal).map_err(NoVerdict::from)?,
        };
        let Some((run, answer)) = asked else {
            return Ok(None);
        };
        check_disk(&run, setting)?;
        self.judge_run(run, answer).map(Some)
    }

    /// What a fresh process said, as the run of a test.
    fn judge_run(&self, mut run: TestRun, answer: ServerAnswer) -> Result<TestRun, StageAbort> {
        match answer {
            ServerAnswer::Status(_) => {}
            ServerAnswer::Malformed(fault) => {
                return Err(NoVerdict::ServerFault {
                    fault,
                    run: Box::new(run),
                }
                .into());
            }
            ServerAnswer::Nothing | ServerAnswer::Ended => {
                let note = format!("[lop: the server gave no answer: {}]\n", run.exit);
                run.output.push(note.as_bytes());
                if matches!(run.exit, TestExit::Code(0 | 125)) {
                    // These would be verdicts, and it gave none.
                    run.exit = TestExit::Code(1);
                }
            }
        }
        if run.exit == TestExit::Code(0) {
            self.trust.keep_interesting(self.generation, self.files);
        }
        Ok(run)
    }

    /// From now on no server is trusted that has answered before.
    fn report_contradiction(&self, setting: &mut TestSetting<'_>, what: &str) {
        if self.trust.lose(self.generation) {
            setting.notice = Some(format!(
                "from now on the server is started for each candidate: it keeps something from one to the next ({what}). What it has called \
                 uninteresting is not tested again"
            ));
        }
    }
}

/// Whether a server has given a verdict, within its limits.
fn is_verdict(run: &TestRun, answer: &ServerAnswer) -> bool {
    matches!(answer, ServerAnswer::Status(_)) && matches!(run.exit, TestExit::Code(_))
}

/// The disk may be the reason for a negative verdict. Must be checked before the files are removed.
fn check_disk(run: &TestRun, setting: &TestSetting<'_>) -> Result<(), StageAbort> {
    match run.exit == TestExit::Code(0) {
        true => Ok(()),
        false => setting::check_disk(setting.scratch),
    }
}
