//! Candidates that programs outside propose: when the engine hears them, and what becomes of them.

use std::sync::{Arc, Mutex};

use crossbeam_channel::{Receiver, Sender, unbounded};

use super::{PROGRAM, words};
use crate::common::{oracle, quick, read, run, setup, text, verdict};
use lop::oracle::Verdict;
use lop::program::Version;
use lop::reduce::{
    self, EngineCommand, ExternalProposal, FileChange, FinishReason, ProposalMessage,
    ProposalOutcome, ProposalSource, RunAudience, RunEvent, RunSetup, TextReplacement,
};

/// What a program proposes of a version: whole texts, one after the other.
type Texts = Box<dyn FnMut(&str) -> Vec<String> + Send>;

/// A program that answers at once.
struct ScriptedProposer {
    texts: Texts,
    queue: Vec<String>,
    version: (u64, String),
    outcomes: Arc<Mutex<Vec<String>>>,
    sender: Sender<ProposalMessage>,
    messages: Receiver<ProposalMessage>,
}

impl ScriptedProposer {
    /// The program, and what it is told.
    fn new(
        texts: impl FnMut(&str) -> Vec<String> + Send + 'static,
    ) -> (ScriptedProposer, Arc<Mutex<Vec<String>>>) {
        let (sender, messages) = unbounded();
        let outcomes: Arc<Mutex<Vec<String>>> = Arc::default();
        let proposer = ScriptedProposer {
            texts: Box::new(texts),
            queue: Vec::new(),
            version: (0, String::new()),
            outcomes: outcomes.clone(),
            sender,
            messages,
        };
        (proposer, outcomes)
    }

    fn say_next(&mut self) {
        let (version, old) = (self.version.0, &self.version.1);
        let message = match self.queue.pop() {
            None => ProposalMessage::Done {
                proposer: 0,
                version,
                silent: None,
            },
            Some(text) => ProposalMessage::Propose {
                proposer: 0,
                version,
                proposal: whole_text(old.len(), &text),
            },
        };
        self.sender.send(message).expect("the run");
    }
}

impl ProposalSource for ScriptedProposer {
    fn proposer_count(&self) -> usize {
        1
    }

    fn message_receiver(&self) -> &Receiver<ProposalMessage> {
        &self.messages
    }

    fn announce_version(&mut self, number: u64, version: &Version) {
        let is_first = self.version.1.is_empty();
        self.version = (number, text(version));
        self.queue = (self.texts)(&self.version.1);
        self.queue.reverse();
        // Later the outcome comes first.
        if is_first || self.queue.is_empty() {
            self.say_next();
        }
    }

    fn report_outcome(&mut self, _: usize, outcome: ProposalOutcome) {
        self.outcomes
            .lock()
            .expect("unpoisoned")
            .push(match outcome {
                ProposalOutcome::Decided(verdict, _) => format!("{verdict:?}"),
                ProposalOutcome::Stale => "stale".into(),
                ProposalOutcome::Refused(why) => why,
            });
        self.say_next();
    }
}

fn whole_text(length: usize, text: &str) -> ExternalProposal {
    let all = TextReplacement {
        range: 0..length,
        text: text.as_bytes().into(),
    };
    let change = FileChange {
        file: 0,
        replacements: Some([all].into()),
    };
    ExternalProposal {
        proposer: "script".into(),
        changes: [change].into(),
    }
}

/// A run with this program beside it: the result, the events, and what the program was told.
fn propose(
    script: &str,
    texts: impl FnMut(&str) -> Vec<String> + Send + 'static,
    says: impl Fn(&str) -> bool + Send + Sync + 'static,
) -> (String, Vec<RunEvent>, Vec<String>) {
    let (proposer, outcomes) = ScriptedProposer::new(texts);
    let runner = oracle(move |text| verdict(says(text)));
    let (left, events) = run(RunSetup {
        script: reduce::parse_script(script).expect("a script"),
        options: quick(),
        proposals: Some(Box::new(proposer)),
        ..setup(read("a.c", PROGRAM), runner)
    });
    let outcomes = outcomes.lock().expect("unpoisoned").clone();
    (left, events, outcomes)
}

fn decisions(events: &[RunEvent]) -> Vec<(&'static str, Verdict)> {
    let decided = events.iter().filter_map(|event| match event {
        RunEvent::Decided(decided) => Some((decided.why.pass, decided.verdict)),
        _ => None,
    });
    decided.collect()
}

#[test]
fn what_no_pass_finds_is_accepted_from_outside_and_reduced_further() {
    let says = |text: &str| text.contains("return needed") || text.contains("magic");
    let once = |text: &str| match text.contains("magic") {
        true => Vec::new(),
        false => vec!["int magic; int rest;".into()],
    };
    let (left, events, outcomes) = propose("", once, says);
    assert_eq!(words(&left), "int magic;");
    assert_eq!(outcomes, ["Interesting"]);
    let is_told = |event: &RunEvent| matches!(event, RunEvent::Proposed { command, .. } if command == "propose script");
    assert!(events.iter().any(is_told));
    let first = decisions(&events)[0];
    assert_eq!(first, ("external", Verdict::Interesting));
}

#[test]
fn a_program_that_is_wrong_without_end_has_every_second_question_at_the_most() {
    let says = |text: &str| text.contains("needed = x");
    let mut round = 0;
    let wrong = move |_: &str| {
        round += 1;
        (0..50).map(|at| format!("int w{round}_{at};")).collect()
    };
    let (alone, events, _) = propose("", |_| Vec::new(), says);
    let own = decisions(&events);
    let (beside, events, outcomes) = propose("", wrong, says);
    assert_eq!(beside, alone, "wrong proposals change nothing");
    let all = decisions(&events);
    let pairs = all.windows(2);
    let mut before_end = pairs.take(own.len());
    assert!(
        !before_end.any(|pair| pair[0].0 == "external" && pair[1].0 == "external"),
        "{all:?}"
    );
    let kept: Vec<_> = all.into_iter().filter(|one| one.0 != "external").collect();
    assert_eq!(kept, own, "the run's own questions are the same");
    // One that was on its way when the version changed is about another program.
    let is_no = |said: &String| said == "Uninteresting" || said == "stale";
    assert!(outcomes.iter().all(is_no), "{outcomes:?}");
}

#[test]
fn what_cannot_be_asked_is_refused_with_a_reason_and_no_test() {
    let says = |text: &str| !text.contains("nobody asks this");
    let texts = |text: &str| match text == PROGRAM {
        false => Vec::new(),
        true => vec![
            format!("{PROGRAM}int nobody asks this;"),
            PROGRAM.to_owned(),
            "int f(void);".into(),
        ],
    };
    let (left, _, outcomes) = propose("pin main", texts, says);
    assert!(words(&left).contains("int main(void) {"), "{left}");
    assert!(
        outcomes[0].starts_with("it would not make the program smaller"),
        "{outcomes:?}"
    );
    assert_eq!(outcomes[1..], ["it changes nothing", "closed by pins"]);
}

/// A program that thinks for ever.
struct SilentProposer(Receiver<ProposalMessage>);

impl ProposalSource for SilentProposer {
    fn proposer_count(&self) -> usize {
        1
    }

    fn message_receiver(&self) -> &Receiver<ProposalMessage> {
        &self.0
    }

    fn announce_version(&mut self, _: u64, _: &Version) {}

    fn report_outcome(&mut self, _: usize, _: ProposalOutcome) {}
}

#[test]
fn a_pause_with_nobody_there_ends_a_run_that_would_wait_for_proposals() {
    let asked = || RunSetup {
        audience: RunAudience::default(),
        options: quick(),
        ..setup(
            read("a.c", PROGRAM),
            oracle(|text| verdict(text.contains("needed = x"))),
        )
    };
    let (_, alone) = run(asked());
    let (_sender, messages) = unbounded();
    let pause = format!("at decision {}: pause", decisions(&alone).len() + 1);
    let (_, events) = run(RunSetup {
        script: reduce::parse_script(&pause).expect("a script"),
        proposals: Some(Box::new(SilentProposer(messages))),
        ..asked()
    });
    let paused = |event: &RunEvent| matches!(event, RunEvent::Paused { .. });
    assert!(events.iter().any(paused));
    assert_eq!(decisions(&events), decisions(&alone));
    let last = events.last();
    assert!(
        matches!(last, Some(RunEvent::Finished(FinishReason::Stopped))),
        "{last:?}"
    );
}

#[test]
fn a_paused_run_asks_nothing_of_what_is_proposed() {
    let (proposer, outcomes) = ScriptedProposer::new(|_| vec!["int x;".into()]);
    let runner = oracle(|_| verdict(true));
    let run = reduce::start_run(RunSetup {
        paused: true,
        proposals: Some(Box::new(proposer)),
        ..setup(read("a.c", PROGRAM), runner)
    })
    .expect("a run");
    run.commands
        .send(EngineCommand::Recheck)
        .expect("the run hears");
    // The recheck ends behind whatever would have been asked before it.
    let mut noted = run.events.iter().filter_map(|event| match event {
        RunEvent::Note(text) => Some(text),
        RunEvent::Decided(_) => panic!("it asks"),
        _ => None,
    });
    noted.next().expect("what the recheck says");
    assert!(outcomes.lock().expect("unpoisoned").is_empty());
    run.commands.send(EngineCommand::Stop).expect("it hears");
    run.wait_for_end();
}
