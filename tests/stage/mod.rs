//! A stage for tests of the screen: a program, snapshots of a run, and keys.
#![allow(dead_code)] // Each story uses a part of it.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

use crossterm::event::{KeyCode, KeyEvent, KeyModifiers};
use lop::display::{UnixTime, WallClock};
use lop::oracle::{TestOutput, Verdict};
use lop::program::{
    self, Edit, EditAction, EditReason, EditSentence, NodeId, NodeShape, TokenChange, Version,
    apply_edit, text_excerpt, walk,
};
use lop::reduce::{
    CurrentTest, CurvePoint, DecisionDetails, EngineCommand, FinishReason, LoggedDecision,
    PassLine, PassState, ResultOrigin, RunCounts, RunSnapshot, RunState, UntestedCandidates,
    VersionRecord,
};
use lop::tui::ScreenContext;
use lop::tui::app::{App, KeyEffect, PageKind};
use lop::tui::file_graph::FileGraph;
use lop::tui::highlighting::TextHighlighter;
use lop::tui::keys::KeyPress;
use lop::tui::palette::TerminalPalette;
use lop::tui::setup::ScreenSetup;
use ratatui::buffer::Buffer;
use ratatui::layout::Rect;

/// When questions are decided: 2026-03-14, 14:02 by the clocks of the stage.
pub const ASKED: UnixTime = UnixTime::from_seconds(1_773_493_325);

/// The program of most stories.
pub const PROGRAM: &str = "\
struct S { int a; };

int g(int x) {
    return x + 1;
}

// the bug is below
int main(void) {
    struct S s;
    s.a = g(2);
    if (s.a) {
        g(s.a);
        while (s.a) --s.a;
    }
    return s.a;
}
";

/// The seed of most stories about pairs.
pub const SEED: &str = "\
struct Len { unsigned int len; };

static struct Len
len_bar(struct Len x)
{
    struct Len a = x;
    return a;
}

int main(void) {
    struct Len s;
    s.len = 3;
    return len_bar(s).len;
}
";

/// The variant of most stories about pairs: it shows the bug.
pub const VARIANT: &str = "\
struct Len { unsigned int len; };

static struct Len
len_bar(struct Len x)
{
    ({ struct Len a = x; a; });
    return x;
}

int main(void) {
    struct Len s;
    int unused = 7;
    s.len = 3;
    return len_bar(s).len;
}
";

/// A screen and the run that it shows.
pub struct Stage {
    pub app: App,
    pub run: RunSnapshot,
    pub sent: Vec<EngineCommand>,
    pub left: bool,
    /// What finds the colours that no tree says.
    pub highlighter: TextHighlighter,
    /// What the test prints when it answers.
    pub prints: String,
}

/// Reads a program.
pub fn read(name: &str, text: &str) -> Version {
    let files = vec![(Arc::from(Path::new(name)), Arc::from(text.as_bytes()))];
    program::read_program(files).expect("the program can be read")
}

/// Reads a pair of C programs.
pub fn read_pair(seed: &str, variant: &str) -> Version {
    let source = |name: &str, text: &str| {
        let path = Arc::from(Path::new(name));
        (
            lop::language::by_name("c"),
            path,
            Arc::from(text.as_bytes()),
        )
    };
    let [seed, variant] = [source("seed.c", seed), source("variant.c", variant)];
    program::read_pair(seed, variant).expect("a pair")
}

/// A run that has just begun.
pub fn run(version: Version) -> RunSnapshot {
    let started = Instant::now();
    let pass = |name, what| PassLine {
        name,
        what,
        state: PassState::Waiting,
        tried: 0,
        asked: 0,
        last_sweep: None,
        accepted: 0,
        untested: UntestedCandidates::default(),
        scope: None,
        tokens: 0,
        time: Duration::ZERO,
        settled: None,
    };
    let mut passes = vec![
        pass("comments", "comments go"),
        pass(
            "perses",
            "lists and optional parts go, nodes become pieces of theirs",
        ),
    ];
    passes[0].state = PassState::Done;
    (passes[0].tried, passes[0].accepted) = (1, 1);
    passes[1].state = PassState::Running(1);
    let point = CurvePoint {
        tests: 0,
        time: Duration::ZERO,
        size: version.size(),
    };
    let original = Arc::new(VersionRecord {
        number: 0,
        parent: None,
        decision: 0,
        decided: None,
        pass: "",
        sentence: EditSentence::from_line("the original"),
        edit: None,
        hash: version.content_hash(),
        version: version.clone(),
        in_detour: false,
        ended_detour: None,
        flaky: false,
        properties: Vec::new(),
    });
    RunSnapshot {
        more_effort: Some("hard"),
        workers: (1, 1),
        farm: None,
        number: 0,
        smallest: Some(0),
        original: (version.token_count(), version.byte_count()),
        version,
        state: RunState::Running,
        current_test: None,
        planning: None,
        counts: RunCounts::default(),
        passes: passes.into(),
        curve: imbl::vector![point],
        decided: imbl::Vector::new(),
        notes: imbl::Vector::new(),
        claim: None,
        property: None,
        quorum: lop::reduce::Quorum::ONCE,
        version_tally: lop::reduce::RunTally::default(),
        other_failures: Arc::default(),
        unrecorded: None,
        limit: Some(Duration::from_secs(5)),
        time_saved: Duration::ZERO,
        history: imbl::vector![original],
        active_property: None,
        detour_base: None,
        constraints: Default::default(),
        breakpoints: Default::default(),
        switched_off: Default::default(),
        reordered: None,
        last_command: (0, None),
        log: Default::default(),
        started,
        now: started + Duration::from_secs(2),
        replay: None,
    }
}

/// A run on several files that has just begun.
pub fn project_run(files: &[(&str, &str)]) -> RunSnapshot {
    let file =
        |(path, text): &(&str, &str)| (Arc::from(Path::new(path)), Arc::from(text.as_bytes()));
    let version = program::read_program(files.iter().map(file).collect());
    run(version.expect("the files can be read"))
}

/// What the screen says besides the run.
pub fn context() -> ScreenContext {
    ScreenContext {
        title: "bug.c".into(),
        test: "grep -q 'internal compiler error'".into(),
        output: PathBuf::from("bug.lop.c"),
        next_steps: vec!["send it to the people who can mend it".into()],
        ..ScreenContext::default()
    }
}

/// The first node whose text begins so and that has such a shape.
pub fn find(version: &Version, begins: &str, shape: impl Fn(NodeShape) -> bool) -> NodeId {
    let root = &version.documents()[0].root;
    let mut nodes = walk::preorder(root).skip(1);
    let found =
        nodes.find(|node| shape(node.shape) && text_excerpt(node, 1000).starts_with(begins));
    found
        .unwrap_or_else(|| panic!("nothing begins with {begins}"))
        .id
}

impl Stage {
    /// A run of this program, seen for the first time.
    pub fn new(text: &str) -> Stage {
        Stage::of(run(read("bug.c", text)), TerminalPalette::FULL)
    }

    /// A run on a pair, seen for the first time.
    pub fn of_pair(seed: &str, variant: &str) -> Stage {
        Stage::of(run(read_pair(seed, variant)), TerminalPalette::FULL)
    }

    /// A run on several files, seen for the first time.
    pub fn of_project(files: &[(&str, &str)]) -> Stage {
        Stage::of(project_run(files), TerminalPalette::FULL)
    }

    /// The run asks whether these files can go.
    pub fn try_without_files(&mut self, paths: &[&str]) {
        let documents = self.run.version.documents().iter();
        let gone = documents
            .filter(|document| paths.iter().any(|path| *document.path == *Path::new(path)));
        let roots: Vec<NodeId> = gone.map(|document| document.root.id).collect();
        assert_eq!(roots.len(), paths.len(), "these files are there");
        let edit: Edit = roots
            .iter()
            .map(|root| program::EditOp::Delete(*root))
            .collect();
        let asked = lop::pass::name_removed_files(&self.run.version, &edit);
        self.try_edit(edit, asked.expect("files"), roots[0]);
    }

    /// A screen that shows a run.
    pub fn of(run: RunSnapshot, palette: TerminalPalette) -> Stage {
        Stage::with_context(run, palette, context())
    }

    /// The same with other facts about the run.
    pub fn with_context(
        run: RunSnapshot,
        palette: TerminalPalette,
        context: ScreenContext,
    ) -> Stage {
        let mut app = App::new(context, ScreenSetup::with_defaults(palette));
        app.view.clock = WallClock {
            now: ASKED,
            offset_at: |_| 3600,
        };
        let mut stage = Stage {
            app,
            run,
            sent: Vec::new(),
            left: false,
            highlighter: TextHighlighter::default(),
            prints: String::new(),
        };
        stage.show();
        stage
    }

    /// The screen receives what the run reports.
    pub fn show(&mut self) {
        self.app.apply_snapshot(Arc::new(self.run.clone()));
    }

    /// The run asks about an edit.
    pub fn try_edit(&mut self, edit: impl Into<Edit>, action: EditAction, node: NodeId) {
        let edit = edit.into();
        let why = EditReason {
            pass: "perses",
            action,
            node: Some(node),
        };
        let after = apply_edit(&self.run.version, &edit)
            .expect("the edit can be made")
            .0;
        let change = TokenChange::between(&self.run.version, &after);
        self.run.current_test = Some(CurrentTest {
            decision: self.run.counts.decisions + 1,
            sentence: why.to_sentence(&self.run.version, &edit, change),
            edit,
            why,
            change,
            algorithm: None,
            since: self.run.now - Duration::from_millis(400),
        });
        self.show();
    }

    /// The test answers.
    pub fn answer(&mut self, ending: Verdict) {
        let run = &mut self.run;
        let Some(trying) = run.current_test.take() else {
            panic!("nothing is asked")
        };
        run.counts.decisions += 1;
        run.counts.tests += 1;
        let counter = match ending {
            Verdict::Interesting => &mut run.counts.interesting,
            Verdict::Uninteresting => &mut run.counts.uninteresting,
            Verdict::Invalid => &mut run.counts.invalid,
            Verdict::TimedOut => &mut run.counts.timed_out,
        };
        *counter += 1;
        let printed = TestOutput::from_text(&self.prints);
        let decided = Arc::new(DecisionDetails {
            decision: trying.decision,
            verdict: ending,
            edit: trying.edit.clone(),
            why: trying.why,
            sentence: trying.sentence,
            change: trying.change,
            algorithm: trying.algorithm,
            origin: ResultOrigin::Ran,
            decided_at: Some(ASKED),
            time: Some(Duration::from_millis(410)),
            exit: if ending == Verdict::Interesting {
                "exit 0"
            } else {
                "exit 1"
            }
            .into(),
            bound: None,
            output: printed,
        });
        run.log.add_decision(&decided, run.number, &run.version);
        run.decided.push_back(decided.clone());
        let mut passes = run.passes.to_vec();
        passes[1].tried += 1;
        if ending == Verdict::Interesting {
            let version = apply_edit(&run.version, &trying.edit)
                .expect("the edit can be made")
                .0;
            passes[1].accepted += 1;
            passes[1].tokens += trying.change.0.min(0).unsigned_abs();
            run.version = program::reparse_version(&version).unwrap_or(version);
            let past = VersionRecord {
                number: run.history.len() as u64,
                parent: Some(run.number),
                decision: decided.decision,
                decided: Some(decided.clone()),
                pass: "perses",
                sentence: decided.sentence.clone(),
                edit: Some(trying.edit.clone()),
                hash: run.version.content_hash(),
                version: run.version.clone(),
                in_detour: false,
                ended_detour: None,
                flaky: false,
                properties: Vec::new(),
            };
            run.number = past.number;
            let smallest = run.smallest_version();
            if smallest.is_none_or(|known| past.version.size() < known.version.size()) {
                run.smallest = Some(past.number);
            }
            run.history.push_back(Arc::new(past));
            run.counts.accepted += 1;
            run.curve.push_back(CurvePoint {
                tests: run.counts.tests,
                time: run.now - run.started,
                size: run.version.size(),
            });
        }
        run.passes = passes.into();
        self.show();
    }

    /// The run stands at another version.
    pub fn stand_at(&mut self, number: u64) {
        let past = &self.run.history[number as usize];
        (self.run.number, self.run.version) = (number, past.version.clone());
        self.run.current_test = None;
        self.show();
    }

    /// The run ends.
    pub fn finish(&mut self, finish: FinishReason) {
        self.run.state = RunState::Finished(finish);
        self.run.current_test = None;
        self.show();
    }

    /// Keys are pressed, a word each: `j`, `space`, `esc`, `ctrl-c`.
    pub fn keys(&mut self, keys: &str) {
        for name in keys.split_whitespace() {
            let (name, modifiers) = match name.strip_prefix("ctrl-") {
                Some(name) => (name, KeyModifiers::CONTROL),
                None => (name, KeyModifiers::NONE),
            };
            let code = match name {
                "space" => KeyCode::Char(' '),
                "enter" => KeyCode::Enter,
                "esc" => KeyCode::Esc,
                "tab" => KeyCode::Tab,
                "up" => KeyCode::Up,
                "down" => KeyCode::Down,
                "left" => KeyCode::Left,
                "right" => KeyCode::Right,
                "pgdn" => KeyCode::PageDown,
                "backspace" => KeyCode::Backspace,
                name => KeyCode::Char(name.chars().next().expect("a key")),
            };
            self.press(code, modifiers);
        }
    }

    /// Letters are typed, as they stand.
    pub fn types(&mut self, letters: &str) {
        for letter in letters.chars() {
            self.press(KeyCode::Char(letter), KeyModifiers::NONE);
        }
    }

    /// A key is pressed, and nothing is done after it.
    pub fn press_only(&mut self, name: &str) {
        let key = KeyPress::parse_name(name).expect("a key");
        self.app.handle_key(key);
    }

    fn press(&mut self, code: KeyCode, modifiers: KeyModifiers) {
        let key = KeyPress::from_event(&KeyEvent::new(code, modifiers)).expect("it was pressed");
        match self.app.handle_key(key) {
            KeyEffect::Send(commands) => self.sent.extend(commands),
            KeyEffect::Quit => self.left = true,
            KeyEffect::Nothing
            | KeyEffect::Redraw
            | KeyEffect::Play(_)
            | KeyEffect::Suspend
            | KeyEffect::Edit
            | KeyEffect::Contrast => {}
        }
        while self.app.run_idle_work() {}
    }

    /// The frame on a terminal of this size.
    pub fn frame(&mut self, width: u16, height: u16) -> Buffer {
        let mut buffer = Buffer::empty(Rect {
            x: 0,
            y: 0,
            width,
            height,
        });
        self.app.draw_frame(&mut buffer, self.run.now);
        if let Ok(version) = self.app.begin_file_graph(self.run.now) {
            let graph = FileGraph::of_version(&version);
            self.app.finish_file_graph(Some(graph));
            buffer.reset();
            self.app.draw_frame(&mut buffer, self.run.now);
        }
        if let Some(request) = self.app.take_candidate_request() {
            self.app.apply_candidate(request.read_candidate());
            buffer.reset();
            self.app.draw_frame(&mut buffer, self.run.now);
        }
        if let Some(request) = self.app.take_highlight_request() {
            if let Some(update) = self.highlighter.highlight_now(request) {
                self.app.apply_highlights(update);
            }
            buffer.reset();
            self.app.draw_frame(&mut buffer, self.run.now);
        }
        buffer
    }

    /// The frame while the thread that highlights has not answered.
    pub fn frame_before_highlights(&mut self, width: u16, height: u16) -> Buffer {
        let mut buffer = Buffer::empty(Rect {
            x: 0,
            y: 0,
            width,
            height,
        });
        self.app.draw_frame(&mut buffer, self.run.now);
        buffer
    }

    /// The frame as text.
    pub fn screen(&mut self, width: u16, height: u16) -> String {
        text(&self.frame(width, height))
    }

    /// The pages over the panes, the topmost last.
    pub fn pages(&self) -> Vec<PageKind> {
        self.app.pages.kinds().collect()
    }

    /// The verdict that the user is on, and how many newer ones are shown.
    pub fn selected_verdict(&self) -> Option<(usize, Arc<LoggedDecision>)> {
        let snapshot = self.app.view.snapshot.as_ref()?;
        let log = &self.app.panes.log;
        let selected = log.selected_decision(snapshot)?;
        Some((log.selected_row(snapshot), selected.clone()))
    }

    /// How the selected node begins.
    pub fn selected(&self) -> String {
        let node = self
            .app
            .selection
            .node
            .and_then(|id| self.run.version.find_node(id));
        node.map(|node| text_excerpt(node, 30)).unwrap_or_default()
    }
}

/// A frame as text, without blanks at the ends of lines.
pub fn text(buffer: &Buffer) -> String {
    let mut text = String::new();
    for y in 0..buffer.area.height {
        let mut line = String::new();
        let mut skip = 0;
        for x in 0..buffer.area.width {
            let symbol = buffer[(x, y)].symbol();
            if skip == 0 {
                line.push_str(symbol);
                skip = unicode_width::UnicodeWidthStr::width(symbol).saturating_sub(1);
            } else {
                skip -= 1;
            }
        }
        text.push_str(line.trim_end());
        text.push('\n');
    }
    text
}
