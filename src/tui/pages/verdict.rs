//! One verdict with all that is known about it: the candidate, how it was decided, and what the test printed.

use std::sync::Arc;
use std::time::Duration;

use super::kind::PageKind;
use super::page::{OverlayPage, PageContext};
use super::text_page::{PageScroll, draw_text_page, line_width, wrap_paragraphs};
use crate::oracle::{LimitKind, Verdict};
use crate::program::EditSentence;
use crate::reduce::{Decision, DecisionDetails, LoggedDecision, RunSnapshot};
use crate::tui::drawing::canvas::ClippedCanvas;
use crate::tui::drawing::text;
use crate::tui::panes::log_candidate::{explain_lost_output, find_details, reading_note};
use crate::tui::panes::pane_action::PaneAction;
use crate::tui::panes::sentences::{question_text, verdict_mark};
use crate::tui::program_view::diff_line::DiffLine;
use crate::tui::program_view::opened_candidate::LoggedDiff;
use crate::tui::run_view::RunView;
use crate::tui::theme::Role;
use crate::tui::theme::palette::ScreenGlyphs;

/// What is known of the decision.
#[derive(Debug)]
enum VerdictSubject {
    /// All.
    Whole(Arc<DecisionDetails>),
    /// Not what the test printed.
    Logged(Arc<LoggedDecision>),
}

impl VerdictSubject {
    fn decision(&self) -> Decision {
        match self {
            VerdictSubject::Whole(decided) => decided.decision,
            VerdictSubject::Logged(logged) => logged.decision,
        }
    }
}

/// The page of a verdict. Its lines are wrapped once for each width, because a test may print much.
#[derive(Debug)]
pub struct VerdictPage {
    subject: VerdictSubject,
    /// The decision as the log has it, if the page was opened from there: then its diff is shown too.
    logged: Option<Arc<LoggedDecision>>,
    /// The width of the lines, and whether the diff was read by then.
    wrapped_for: (usize, bool),
    lines: Vec<(String, Role)>,
    scroll: PageScroll,
}

impl VerdictPage {
    /// The page of this verdict.
    pub fn new(decided: Arc<DecisionDetails>) -> VerdictPage {
        VerdictPage::about(VerdictSubject::Whole(decided), None)
    }

    /// The page of a decision of the log, with its diff.
    pub fn from_log(snapshot: &RunSnapshot, logged: Arc<LoggedDecision>) -> VerdictPage {
        let subject = match find_details(snapshot, logged.decision) {
            Some(details) => VerdictSubject::Whole(details.clone()),
            None => VerdictSubject::Logged(logged.clone()),
        };
        VerdictPage::about(subject, Some(logged))
    }

    fn about(subject: VerdictSubject, logged: Option<Arc<LoggedDecision>>) -> VerdictPage {
        VerdictPage {
            subject,
            logged,
            wrapped_for: (0, false),
            lines: Vec::new(),
            scroll: PageScroll::default(),
        }
    }

    fn wrap_to_width(&mut self, width: usize, view: &RunView, glyphs: &ScreenGlyphs) {
        let number = self.subject.decision();
        let diff = view.candidates.find_diff(number);
        if self.wrapped_for != (width, diff.is_some()) || self.lines.is_empty() {
            self.wrapped_for = (width, diff.is_some());
            let lines = match &self.subject {
                VerdictSubject::Whole(decided) => verdict_lines(decided, glyphs),
                VerdictSubject::Logged(logged) => logged_lines(logged, glyphs),
            };
            self.lines = wrap_paragraphs(&lines, width, glyphs.cut);
            let read = || match diff {
                Some(diff) => diff_lines(diff, glyphs),
                None => vec![
                    (String::new(), Role::Text),
                    (reading_note(number), Role::Dim),
                ],
            };
            let diff = self.logged.iter().flat_map(|_| read());
            let cut =
                |(line, role): (String, Role)| (text::truncate_end(&line, width, glyphs.cut), role);
            self.lines.extend(diff.map(cut));
        }
    }
}

impl OverlayPage for VerdictPage {
    fn kind(&self) -> PageKind {
        PageKind::Verdict
    }

    fn draw_page(&mut self, context: &PageContext, canvas: &mut ClippedCanvas) {
        let glyphs = canvas.theme.glyphs;
        let right = context
            .view
            .setup
            .keys
            .describe_keys(&[("close", "closes")]);
        self.wrap_to_width(line_width(canvas.width()), context.view, &glyphs);
        let title = format!("Candidate {}", text::format_number(self.subject.decision()));
        draw_text_page(canvas, &title, &right, &self.lines, &mut self.scroll);
    }

    fn navigate(&mut self, action: PaneAction, _: &RunView) {
        self.scroll.navigate(action);
    }

    fn logged_decision(&self) -> Option<&Arc<LoggedDecision>> {
        self.logged.as_ref()
    }
}

/// What a verdict means for its candidate.
fn verdict_outcome(verdict: Verdict, bound: Option<LimitKind>) -> &'static str {
    match verdict {
        Verdict::Interesting => "interesting: the candidate was accepted",
        Verdict::Uninteresting => "uninteresting: the candidate was rejected",
        Verdict::Invalid => "invalid: the test exited with 125, the candidate cannot be judged",
        Verdict::TimedOut => match bound.filter(|bound| !bound.is_time_limit()) {
            Some(_) => "counts as timed out: the test exceeded another limit",
            None => "timed out: the test was killed at its limit",
        },
    }
}

/// The facts that are known about every decision.
struct VerdictFacts<'a> {
    pass: &'a str,
    sentence: &'a EditSentence,
    verdict: Verdict,
    bound: Option<LimitKind>,
    time: Option<Duration>,
    exit: &'a str,
}

impl VerdictFacts<'_> {
    fn to_lines(&self, glyphs: &ScreenGlyphs) -> Vec<(String, Role)> {
        let (mark, role) = verdict_mark(self.verdict, glyphs);
        let outcome = verdict_outcome(self.verdict, self.bound);
        let mut facts = vec![self.sentence.change.to_string()];
        match self.time {
            Some(time) => {
                facts.extend(Some(self.exit.to_owned()).filter(|exit| !exit.is_empty()));
                facts.push(format!("test took {}", text::format_duration(time)));
            }
            None => facts.push("known from an earlier test of the same text".into()),
        }
        let candidate = format!("{}  {}", self.pass, question_text(self.sentence, glyphs));
        vec![
            (candidate, Role::Text),
            (String::new(), Role::Text),
            (format!("{mark} {outcome}"), role),
            (facts.join("   "), Role::Dim),
            (String::new(), Role::Text),
        ]
    }
}

/// What is known of a decision long ago, line by line.
fn logged_lines(logged: &LoggedDecision, glyphs: &ScreenGlyphs) -> Vec<(String, Role)> {
    let facts = VerdictFacts {
        pass: logged.pass,
        sentence: &logged.sentence,
        verdict: logged.verdict,
        bound: logged.bound,
        time: logged.time,
        exit: &logged.exit,
    };
    let mut lines = facts.to_lines(glyphs);
    let lost = explain_lost_output(None).filter(|_| logged.time.is_some());
    lines.extend(lost.map(|reason| (format!("The test printed: {reason}"), Role::Dim)));
    lines
}

/// The lines of a diff, with a heading.
fn diff_lines(diff: &LoggedDiff, glyphs: &ScreenGlyphs) -> Vec<(String, Role)> {
    let blank = (String::new(), Role::Text);
    let lines = match diff {
        Ok(lines) => lines,
        Err(reason) => return vec![blank, ((*reason).to_owned(), Role::Dim)],
    };
    let line = |line: &DiffLine| {
        let (sign, role) = line.kind.sign(glyphs.cut);
        let words = text::displayable_line(&line.text, glyphs.braille);
        (format!("{sign} {words}"), role)
    };
    let heading = ("The candidate".to_owned(), Role::Title);
    let heading = [blank, heading].into_iter();
    heading.chain(lines.iter().map(line)).collect()
}

/// All that is known about a verdict, line by line.
pub fn verdict_lines(decided: &DecisionDetails, glyphs: &ScreenGlyphs) -> Vec<(String, Role)> {
    let facts = VerdictFacts {
        pass: decided.why.pass,
        sentence: &decided.sentence,
        verdict: decided.verdict,
        bound: decided.bound,
        time: decided.time,
        exit: &decided.exit,
    };
    let mut lines = facts.to_lines(glyphs);
    let printed = text::displayable_lines(&decided.output.to_bytes(), glyphs.braille);
    if let Some(reason) = explain_lost_output(Some(decided)) {
        lines.push((format!("The test printed: {reason}"), Role::Dim));
    } else if decided.time.is_some() {
        let printed = if printed.is_empty() {
            "The test printed nothing"
        } else {
            "The test printed"
        };
        lines.push((printed.into(), Role::Title));
    }
    lines.extend(printed.into_iter().map(|line| (line, Role::Kind)));
    lines
}
