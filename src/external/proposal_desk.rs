//! One program's proposals: which is asked about next, and what is sent to the program. A pure state; lines, outcomes and time come from outside.
//!
//! A proposal is about a version that the program was told of. The run goes on meanwhile, so its ranges are moved to the version that is current when
//! its turn comes.

use std::collections::VecDeque;
use std::sync::Arc;

use serde_json::Value;

use super::messages::{ProposalVerdict, ProposerLine, ReducerLine, ToldFile};
use super::moved_ranges::TextMove;
use crate::oracle::TestOutput;
use crate::program::{ByteText, FileText, Objective, Version, decode_hex, find_changed_stretches};
use crate::reduce::{
    ExternalProposal, FileChange, ProposalMessage, ProposalOutcome, TextReplacement,
};

/// How many versions back a proposal may be about, and how many bytes these may have in all.
const KEPT_VERSIONS: usize = 64;
const KEPT_BYTES: usize = 64 << 20;
/// How many proposals wait here; the program waits with the others.
const MAX_QUEUED: usize = 64;
/// How many proposals of one version in a row may come to nothing at the end of the run.
const MAX_FRUITLESS: u32 = 10_000;
/// How many lines in a row may be no proposals before nothing more is read.
const MAX_PROBLEMS: u32 = 100;
/// How much of such a line is quoted to the program, in characters.
const QUOTED_LINE: usize = 120;
/// How much of the output of a test is sent to the program, in bytes.
const TOLD_OUTPUT: usize = 4_096;

/// What follows from what was heard.
#[derive(Clone, Debug)]
pub enum DeskAction {
    /// This is sent to the program.
    Tell(ReducerLine),
    /// This is sent to the run.
    Send(ProposalMessage),
}

/// A version that the program was told of.
struct ToldVersion {
    number: u64,
    texts: Arc<[FileText]>,
}

impl ToldVersion {
    fn byte_count(&self) -> usize {
        self.texts.iter().flatten().map(|text| text.len()).sum()
    }
}

/// A proposal that waits for its turn.
struct QueuedProposal {
    id: Value,
    version: u64,
    change: FileChange,
}

/// The desk of one program.
pub struct ProposalDesk {
    /// The number of the program.
    proposer: usize,
    name: Arc<str>,
    /// The names of the files, as the program receives them.
    files: Vec<String>,
    is_project: bool,
    told: VecDeque<ToldVersion>,
    queue: VecDeque<QueuedProposal>,
    /// The proposal that the run has.
    asked: Option<QueuedProposal>,
    /// The version of which the program says that it has no more.
    finished_with: Option<u64>,
    /// The version of which the run knows that.
    reported_done: Option<u64>,
    /// Proposals in a row that made no version.
    fruitless: u32,
    has_ended: bool,
    /// How many lines in a row were no proposals.
    problems: u32,
    /// Whether the user knows of one.
    has_complained: bool,
}

impl ProposalDesk {
    /// The desk of the program of this number and name.
    pub fn new(proposer: usize, name: Arc<str>) -> ProposalDesk {
        ProposalDesk {
            proposer,
            name,
            files: Vec::new(),
            is_project: false,
            told: VecDeque::new(),
            queue: VecDeque::new(),
            asked: None,
            finished_with: None,
            reported_done: None,
            fruitless: 0,
            has_ended: false,
            problems: 0,
            has_complained: false,
        }
    }

    /// Whether the program is to be heard: not where enough of its proposals wait, nor where it has ended.
    pub fn hears_lines(&self) -> bool {
        self.queue.len() < MAX_QUEUED && !self.has_ended
    }

    /// Whether its last line was one of the protocol.
    pub fn makes_sense(&self) -> bool {
        self.problems == 0
    }

    /// Whether the run may be waiting for a word of the program.
    pub fn is_awaited(&self) -> bool {
        self.asked.is_none() && self.queue.is_empty() && self.reported_done != self.current()
    }

    fn current(&self) -> Option<u64> {
        self.told.back().map(|told| told.number)
    }

    /// Another version is current.
    pub fn on_version(&mut self, number: u64, version: &Version) -> Vec<DeskAction> {
        if self.files.is_empty() {
            (self.files, self.is_project) = (name_files(version), version.is_project());
        }
        let texts: Arc<[FileText]> = version.render_texts().into();
        let files = self.files.iter().zip(texts.iter());
        let files = files.filter_map(|(name, text)| {
            Some(ToldFile {
                name: name.clone(),
                bytes: ByteText::from_bytes(text.as_ref()?),
            })
        });
        let line = ReducerLine::Version {
            version: number,
            files: files.collect(),
        };
        self.told.retain(|told| told.number != number);
        self.told.push_back(ToldVersion { number, texts });
        self.forget_old_versions();
        self.fruitless = 0;
        let mut actions = vec![DeskAction::Tell(line)];
        actions.extend(self.next_actions());
        actions
    }

    /// Drops the oldest versions, where there are too many. The newest stays.
    fn forget_old_versions(&mut self) {
        let mut bytes: usize = self.told.iter().map(ToldVersion::byte_count).sum();
        while self.told.len() > KEPT_VERSIONS || (self.told.len() > 1 && bytes > KEPT_BYTES) {
            let oldest = self.told.pop_front();
            bytes -= oldest.map_or(0, |oldest| oldest.byte_count());
        }
    }

    /// The program says something.
    pub fn on_line(&mut self, line: &str) -> Vec<DeskAction> {
        let read = serde_json::from_str(line).map_err(|error| error.to_string());
        let read = read.and_then(|line: ProposerLine| self.on_proposer_line(line));
        match read {
            Ok(()) => {
                self.problems = 0;
                self.next_actions()
            }
            Err(message) => self.refuse_line(line, message),
        }
    }

    fn refuse_line(&mut self, line: &str, message: String) -> Vec<DeskAction> {
        let mut actions = Vec::new();
        self.problems += 1;
        let mut notice = |text: String| {
            actions.push(DeskAction::Send(ProposalMessage::Notice(text)));
        };
        if !std::mem::replace(&mut self.has_complained, true) {
            let name = &self.name;
            notice(format!(
                "{name} wrote a line that is no proposal, and was told so: {message}"
            ));
        }
        if self.problems == MAX_PROBLEMS {
            notice(format!(
                "{} wrote {MAX_PROBLEMS} such lines in a row; nothing more of it is read",
                self.name
            ));
            self.has_ended = true;
        }
        let line = line.chars().take(QUOTED_LINE).collect();
        actions.push(DeskAction::Tell(ReducerLine::Problem { message, line }));
        actions.extend(self.next_actions());
        actions
    }

    fn on_proposer_line(&mut self, line: ProposerLine) -> Result<(), String> {
        if let Some(version) = line.done {
            self.finished_with = Some(version);
            return Ok(());
        }
        let current = self.current().ok_or("no version was told yet")?;
        let version = line.version.unwrap_or(current);
        if version > current {
            return Err(format!("version {version} was not told yet"));
        }
        let kinds = [
            line.text.is_some(),
            line.hex.is_some(),
            line.delete.is_some() || line.replace.is_some(),
            line.gone,
        ];
        if kinds.into_iter().filter(|is_there| *is_there).count() > 1 {
            return Err(
                "a line has one of `text`, `hex`, `delete` with `replace`, and `gone`".into(),
            );
        }
        if line.gone && !self.is_project {
            return Err("`gone` is for a file of several: a program stays".into());
        }
        let file = self.find_file(line.file.as_deref())?;
        let replacements = match self.find_told(version) {
            // Too old: it is answered when its turn comes.
            None => Some(Arc::default()),
            Some(told) => {
                let text = told.texts.get(file).and_then(Option::as_ref);
                self.read_replacements(&line, text.ok_or("that file is gone")?)?
            }
        };
        self.queue.push_back(QueuedProposal {
            id: line.id,
            version,
            change: FileChange { file, replacements },
        });
        Ok(())
    }

    fn find_file(&self, name: Option<&str>) -> Result<usize, String> {
        let texts = self.told.back().map(|told| &told.texts);
        let left = texts.map_or(0, |texts| texts.iter().flatten().count());
        match name {
            None if left == 1 => {
                let only = texts.and_then(|texts| texts.iter().position(Option::is_some));
                Ok(only.unwrap_or(0))
            }
            None => Err("there are several files: `file` says which changes".into()),
            Some(name) => {
                let mut files = self.files.iter();
                let found = files.position(|file| file == name);
                found.ok_or_else(|| "`file` names no file of the version".into())
            }
        }
    }

    fn find_told(&self, version: u64) -> Option<&ToldVersion> {
        self.told.iter().find(|told| told.number == version)
    }

    /// What a proposal replaces in a text; none if the file goes.
    fn read_replacements(
        &self,
        line: &ProposerLine,
        old: &[u8],
    ) -> Result<Option<Arc<[TextReplacement]>>, String> {
        let whole = match (&line.text, &line.hex) {
            (Some(text), _) => Some(text.clone().into_bytes()),
            (None, Some(hex)) => {
                let bytes = decode_hex(hex);
                Some(bytes.ok_or("`hex` is not two digits for each byte")?)
            }
            (None, None) => None,
        };
        let mut replacements: Vec<TextReplacement> = match (whole, &line.delete, &line.replace) {
            _ if line.gone => return Ok(None),
            (Some(new), ..) => {
                let changed = find_changed_stretches(old, &new).into_iter();
                let changed = changed.map(|(was, is)| TextReplacement {
                    range: was,
                    text: new[is].into(),
                });
                changed.collect()
            }
            (None, None, None) => {
                return Err(
                    "a line has `text`, `hex`, `delete`, `replace`, `gone` or `done`".into(),
                );
            }
            (None, delete, replace) => {
                let deleted = delete.iter().flatten();
                let deleted = deleted.map(|(start, end)| (*start, *end, ""));
                let replaced = replace.iter().flatten();
                let replaced = replaced.map(|(start, end, text)| (*start, *end, text.as_str()));
                let all = deleted.chain(replaced);
                all.map(|(start, end, text)| TextReplacement {
                    range: start..end,
                    text: text.as_bytes().into(),
                })
                .collect()
            }
        };
        replacements.sort_by_key(|replacement| (replacement.range.start, replacement.range.end));
        let is_inside = |replacement: &TextReplacement| {
            replacement.range.start <= replacement.range.end && replacement.range.end <= old.len()
        };
        let is_behind = |pair: &[TextReplacement]| pair[0].range.end <= pair[1].range.start;
        match replacements.iter().all(is_inside) && replacements.windows(2).all(is_behind) {
            true => Ok(Some(replacements.into())),
            false => Err(format!(
                "a range overlaps another, or does not lie inside of the {} bytes of the file",
                old.len()
            )),
        }
    }

    /// The run says what came of the proposal that it had.
    pub fn on_outcome(&mut self, outcome: ProposalOutcome) -> Vec<DeskAction> {
        let Some(asked) = self.asked.take() else {
            return Vec::new();
        };
        let mut actions = Vec::new();
        if self.fruitless >= MAX_FRUITLESS {
            let notice = format!(
                "{} of {MAX_FRUITLESS} proposals found nothing; it is not heard any more",
                self.name
            );
            actions.push(DeskAction::Send(ProposalMessage::Notice(notice)));
            self.queue.clear();
            self.has_ended = true;
        }
        match outcome {
            // It is moved to the version that is current now.
            ProposalOutcome::Stale => self.queue.push_front(asked),
            ProposalOutcome::Decided(verdict, output) => {
                self.fruitless += 1;
                let mut line = verdict_line(asked.id, verdict.into(), None);
                if let ReducerLine::Verdict { output: told, .. } = &mut line {
                    *told = output_end(&output);
                }
                actions.push(DeskAction::Tell(line));
            }
            ProposalOutcome::Refused(why) => {
                self.fruitless += 1;
                let line = verdict_line(asked.id, ProposalVerdict::Refused, Some(why));
                actions.push(DeskAction::Tell(line));
            }
        }
        actions.extend(self.next_actions());
        actions
    }

    /// The program has said nothing for as long as it is waited for.
    pub fn on_silence(&mut self) -> Vec<DeskAction> {
        match self.is_awaited() {
            true => self.report_done(true),
            false => Vec::new(),
        }
    }

    /// The program has ended.
    pub fn on_end(&mut self) -> Vec<DeskAction> {
        self.has_ended = true;
        self.next_actions()
    }

    /// What comes next: the next proposal, or that there is none.
    fn next_actions(&mut self) -> Vec<DeskAction> {
        let mut actions = Vec::new();
        if self.asked.is_some() {
            return actions;
        }
        while let Some(next) = self.queue.pop_front() {
            match self.move_to_current(&next) {
                Some((version, change)) => {
                    let proposal = ExternalProposal {
                        proposer: self.name.clone(),
                        changes: [change].into(),
                    };
                    self.asked = Some(next);
                    actions.push(DeskAction::Send(ProposalMessage::Propose {
                        proposer: self.proposer,
                        version,
                        proposal,
                    }));
                    break;
                }
                None => {
                    let line = verdict_line(next.id, ProposalVerdict::Stale, None);
                    actions.push(DeskAction::Tell(line));
                }
            }
        }
        let has_no_more = self.has_ended || self.finished_with == self.current();
        if self.asked.is_none() && has_no_more {
            actions.extend(self.report_done(false));
        }
        actions
    }

    fn report_done(&mut self, is_silent: bool) -> Vec<DeskAction> {
        match self
            .current()
            .filter(|_| self.reported_done != self.current())
        {
            None => Vec::new(),
            Some(version) => {
                self.reported_done = Some(version);
                vec![DeskAction::Send(ProposalMessage::Done {
                    proposer: self.proposer,
                    version,
                    silent: is_silent.then(|| self.name.clone()),
                })]
            }
        }
    }

    /// The proposal as one about the current version, and the number of that; none if the place has changed.
    fn move_to_current(&self, proposal: &QueuedProposal) -> Option<(u64, FileChange)> {
        let (now, then) = (self.told.back()?, self.find_told(proposal.version)?);
        let FileChange { file, replacements } = &proposal.change;
        let new = now.texts.get(*file)?.as_ref()?;
        let replacements = match replacements {
            None => None,
            Some(same) if now.number == then.number => Some(same.clone()),
            Some(old) => {
                let moved = TextMove::between(then.texts.get(*file)?.as_ref()?, new);
                Some(moved.move_replacements(old)?.into())
            }
        };
        let file = *file;
        Some((now.number, FileChange { file, replacements }))
    }
}

/// The names of the files: of a pair, those below `seed` and `variant`, because both may have one name.
fn name_files(version: &Version) -> Vec<String> {
    let names = version.documents().iter();
    let names = names.map(|document| document.path.to_string_lossy().into_owned());
    match version.objective() {
        Objective::Pair => ["seed", "variant"]
            .iter()
            .zip(names)
            .map(|(side, name)| format!("{side}/{name}"))
            .collect(),
        _ => names.collect(),
    }
}

fn verdict_line(id: Value, verdict: ProposalVerdict, why: Option<String>) -> ReducerLine {
    ReducerLine::Verdict {
        id,
        verdict,
        why,
        output: String::new(),
    }
}

/// The end of what a test printed.
fn output_end(output: &TestOutput) -> String {
    let bytes = output.to_bytes();
    let from = bytes.len().saturating_sub(TOLD_OUTPUT);
    String::from_utf8_lossy(&bytes[from..]).into_owned()
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::oracle::Verdict;

    /// A desk that knows a program as version 0, and others.
    struct Story {
        desk: ProposalDesk,
        /// What the program was told, and the run.
        said: Vec<String>,
    }

    impl Story {
        fn new(text: &str) -> Story {
            let mut story = Story {
                desk: ProposalDesk::new(0, "sed".into()),
                said: Vec::new(),
            };
            story.version(0, text);
            story.said.clear();
            story
        }

        fn note(&mut self, actions: Vec<DeskAction>) {
            for action in actions {
                self.said.push(match action {
                    DeskAction::Tell(line) => serde_json::to_string(&line).expect("a line"),
                    DeskAction::Send(ProposalMessage::Propose {
                        version, proposal, ..
                    }) => format!("ask about {version}: {proposal}"),
                    DeskAction::Send(ProposalMessage::Done { version, .. }) => {
                        format!("done with {version}")
                    }
                    DeskAction::Send(ProposalMessage::Notice(notice)) => notice,
                });
            }
        }

        fn version(&mut self, number: u64, text: &str) {
            let files = vec![(None, Path::new("a.c").into(), text.as_bytes().into())];
            let version = crate::program::read_documents(files).expect("a text");
            let actions = self.desk.on_version(number, &version);
            self.note(actions);
        }

        fn line(&mut self, line: &str) {
            let actions = self.desk.on_line(line);
            self.note(actions);
        }

        fn outcome(&mut self, outcome: ProposalOutcome) {
            let actions = self.desk.on_outcome(outcome);
            self.note(actions);
        }

        fn said(&mut self) -> Vec<String> {
            std::mem::take(&mut self.said)
        }
    }

    fn no() -> ProposalOutcome {
        ProposalOutcome::Decided(Verdict::Uninteresting, TestOutput::from_text("no crash"))
    }

    #[test]
    fn proposals_are_asked_about_one_after_the_other() {
        let mut story = Story::new("one\ntwo\n");
        story.line(r#"{"id":1,"delete":[[0,4]]}"#);
        story.line(r#"{"id":2,"text":"two\n"}"#);
        story.line(r#"{"done":0}"#);
        assert_eq!(story.said(), [r#"ask about 0: ["sed",[[0,[[0,4,""]]]]]"#]);
        story.outcome(no());
        let verdict = r#"{"event":"verdict","id":1,"verdict":"uninteresting","output":"no crash"}"#;
        let next = r#"ask about 0: ["sed",[[0,[[0,4,""]]]]]"#;
        assert_eq!(story.said(), [verdict, next]);
        story.outcome(ProposalOutcome::Refused("closed by pin".into()));
        let refused = r#"{"event":"verdict","id":2,"verdict":"refused","why":"closed by pin"}"#;
        assert_eq!(story.said(), [refused, "done with 0"]);
    }

    #[test]
    fn a_proposal_of_an_older_version_is_about_what_is_left_of_it() {
        let mut story = Story::new("one\ntwo\nthree\n");
        story.version(1, "two\nthree\n");
        story.said();
        story.line(r#"{"id":"a","version":0,"delete":[[4,8]]}"#);
        story.line(r#"{"id":"b","version":0,"delete":[[0,4]]}"#);
        assert_eq!(story.said(), [r#"ask about 1: ["sed",[[0,[[0,4,""]]]]]"#]);
        story.outcome(no());
        let said = story.said();
        assert_eq!(said[1], r#"{"event":"verdict","id":"b","verdict":"stale"}"#);
    }

    #[test]
    fn one_that_the_run_calls_stale_is_moved_once_more() {
        let mut story = Story::new("one\ntwo\n");
        story.line(r#"{"id":1,"delete":[[4,8]]}"#);
        story.version(1, "two\n");
        story.said();
        story.outcome(ProposalOutcome::Stale);
        assert_eq!(story.said(), [r#"ask about 1: ["sed",[[0,[[0,4,""]]]]]"#]);
    }

    #[test]
    fn what_is_no_proposal_is_answered_and_the_user_hears_of_the_first() {
        let mut story = Story::new("one\n");
        for line in [
            "rubbish",
            "{}",
            r#"{"delete":[[0,99]]}"#,
            r#"{"delete":[[0,3],[2,4]]}"#,
            r#"{"file":"b.c","text":""}"#,
            r#"{"hex":"0g"}"#,
            r#"{"gone":true}"#,
            r#"{"text":"x","delete":[[0,1]]}"#,
            r#"{"version":9,"text":"x"}"#,
        ] {
            story.line(line);
        }
        let said = story.said();
        assert!(
            said[0].starts_with("sed wrote a line that is no proposal"),
            "{said:?}"
        );
        let problems = said[1..].iter();
        assert!(
            problems
                .clone()
                .all(|line| line.contains(r#""event":"problem""#)),
            "{said:?}"
        );
        assert_eq!(problems.count(), 9);
        assert!(story.desk.hears_lines());
        (0..MAX_PROBLEMS).for_each(|_| story.line("[]"));
        assert!(!story.desk.hears_lines());
    }

    #[test]
    fn a_program_that_says_nothing_or_has_ended_is_not_waited_for() {
        let mut story = Story::new("one\n");
        assert!(story.desk.is_awaited());
        let actions = story.desk.on_silence();
        story.note(actions);
        assert_eq!(story.said(), ["done with 0"]);
        assert!(!story.desk.is_awaited());
        story.version(1, "");
        let actions = story.desk.on_end();
        story.note(actions);
        assert_eq!(story.said()[1..], ["done with 1"]);
        story.version(2, "two\n");
        assert_eq!(story.said()[1..], ["done with 2"]);
    }
}
