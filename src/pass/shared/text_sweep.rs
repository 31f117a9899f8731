//! Passes over the tokens of a program, whatever its tree says: each shape of a cut is asked about at each token, from the front to the back.
//!
//! After a yes the sweep goes on at the same place, and at its end begins again, until it comes to the place of the last yes: then every cut was
//! asked about on the program as it is, and none is interesting.

use std::ops::Range;
use std::sync::Arc;

use super::passed_edit::PassedEdit;
use super::token_text::{TokenCut, TokenText, is_bracket};
use crate::pass::filters::constraint_filter::allows_whole_edit;
use crate::pass::{Effort, PassOptions};
use crate::program::{
    AppliedEdit, Edit, EditAction, EditReason, Objective, QuestionWords, View, quote_text,
};
use crate::protocol::{Feedback, Proposer, ProposerStep};

/// What goes at a token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::pass) enum CutShape {
    /// So many tokens whose brackets balance.
    Balanced(usize),
    /// So many tokens without which the brackets of the program balance.
    Window(usize),
    /// Both brackets of a pair; what is between them stays.
    Pair,
    /// A pair of brackets with all between them.
    Group,
    /// From the closing bracket of a group to the opening one of the next such group beside it: what is in the two is in one then.
    Joint,
    /// What stands between two of `;`, `{`, `}`, with the `;` at its end.
    Segment,
    /// The same, with the braces at its end and all between them.
    SegmentWithBraces,
    /// One of [`USUAL_TOKENS`] stands in the place of so many whose brackets balance.
    UsualToken(usize),
    /// A token of the program does, one of each kind.
    OwnToken(usize),
    /// A token goes, and half of the next one, which is one sign twice: where the tree knows no types, `>>` may close two lists of them.
    Half,
}

/// A program with more tokens is swept only with hard effort: a sweep asks two to three questions a token.
pub(in crate::pass) const MOST_SWEPT_TOKENS: u32 = 200;

/// Tokens that many languages take in many places.
const USUAL_TOKENS: [&[u8]; 6] = [b"0", b",", b"=", b"*", b"+=", b";"];

/// A family of cuts: passes of this kind differ only in it.
#[derive(Debug)]
pub(in crate::pass) struct TextFamily {
    /// The name of the pass.
    pub name: &'static str,
    /// The shapes, in the order in which they are asked about.
    pub shapes: &'static [CutShape],
    /// What follows where something of the pass was accepted; with hard effort always.
    pub paid_shapes: &'static [CutShape],
    /// What only hard effort asks about, after those.
    pub hard_shapes: &'static [CutShape],
    /// A larger program is asked about only with hard effort.
    pub most_tokens: u32,
}

/// A place in a sweep, in its order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
struct SweepPlace {
    shape: usize,
    token: usize,
    /// Of the tokens that can stand in the place of a window, the number of one.
    choice: usize,
}

/// A pass over text.
#[derive(Clone)]
pub(in crate::pass) struct TextSweep {
    family: &'static TextFamily,
    effort: Effort,
    at: SweepPlace,
    /// Where the last yes was.
    last_yes: Option<SweepPlace>,
    /// Whether the sweep has begun again since then.
    again: bool,
    to_accept: PassedEdit,
}

impl TextSweep {
    /// Begins at the first token.
    pub fn new(family: &'static TextFamily, options: &PassOptions) -> TextSweep {
        TextSweep {
            family,
            effort: options.effort,
            at: SweepPlace::default(),
            last_yes: None,
            again: false,
            to_accept: PassedEdit::default(),
        }
    }

    fn shape_at(&self, index: usize) -> Option<CutShape> {
        let is_hard = self.effort == Effort::Hard;
        let paid = self.family.paid_shapes.iter();
        let paid = paid.filter(|_| is_hard || self.last_yes.is_some());
        let hard = self.family.hard_shapes.iter().filter(|_| is_hard);
        let all = self.family.shapes.iter().chain(paid).chain(hard);
        all.copied().nth(index)
    }

    /// The next cut from here on, and the edit that makes it; none at the end of the sweep.
    fn find_cut(&mut self, view: &View) -> Option<(Edit, EditReason)> {
        let text = TokenText::of_view(view);
        if self.effort < Effort::Hard && text.len() > self.family.most_tokens as usize {
            return None;
        }
        let texts = text.sample_texts();
        loop {
            if self.again && Some(self.at) >= self.last_yes {
                return None;
            }
            let Some(shape) = self.shape_at(self.at.shape) else {
                if self.again || self.last_yes.is_none() {
                    return None;
                }
                (self.at, self.again) = (SweepPlace::default(), true);
                continue;
            };
            if self.at.token >= text.len() {
                (self.at.shape, self.at.token) = (self.at.shape + 1, 0);
                continue;
            }
            match find_choice(&text, &texts, shape, self.at) {
                Some((choice, cut)) => {
                    self.at.choice = choice;
                    let edit = text.to_edit(&cut);
                    // A constraint that holds one token holds all of them.
                    if allows_whole_edit(view, &edit) {
                        let why = self.reason_for(&text, &cut);
                        return Some((edit, why));
                    }
                    self.at.choice += 1;
                }
                None => (self.at.token, self.at.choice) = (self.at.token + 1, 0),
            }
        }
    }

    fn reason_for(&self, text: &TokenText, cut: &TokenCut) -> EditReason {
        let gone = |range: &Range<usize>| quote_tokens(text, range.clone());
        let words = match (&cut.put, &cut.ranges[..]) {
            (Some(put), [range]) => QuestionWords::ask(format!(
                "Can {} become {}?",
                gone(range),
                quote_text(&String::from_utf8_lossy(put))
            )),
            (_, [open, close]) => {
                QuestionWords::ask_removal(format!("{} and {}", gone(open), gone(close)))
                    .because("what is between them stays")
            }
            (_, [range]) if range.len() == 1 => {
                QuestionWords::ask_removal(format!("the token {}", gone(range)))
            }
            (_, ranges) => {
                let gone: Vec<String> = ranges.iter().map(gone).collect();
                QuestionWords::ask_removal(gone.join(" and "))
            }
        };
        EditReason {
            pass: self.family.name,
            action: EditAction::Question(words),
            node: Some(text.leaf(cut.ranges[0].start).id),
        }
    }
}

/// The first cut of this shape from this place on that stays at its token, with the number of the choice.
fn find_choice(
    text: &TokenText,
    texts: &[&[u8]],
    shape: CutShape,
    place: SweepPlace,
) -> Option<(usize, TokenCut)> {
    let SweepPlace { token, choice, .. } = place;
    if let CutShape::UsualToken(length) | CutShape::OwnToken(length) = shape {
        let texts = match shape {
            CutShape::OwnToken(_) => texts,
            _ => &USUAL_TOKENS,
        };
        return find_token(text, texts, text.window(token, length)?, choice);
    }
    if choice > 0 {
        return None;
    }
    let whole = TokenCut::of_range;
    let cut = match shape {
        CutShape::Balanced(length) => whole(
            text.window(token, length)
                .filter(|range| text.is_balanced(range))?,
        ),
        CutShape::Window(length) => whole(
            text.window(token, length)
                .filter(|range| text.stays_balanced(range))?,
        ),
        CutShape::Group => whole(text.bracket_group(token)?),
        CutShape::Pair => {
            let group = text.bracket_group(token)?;
            TokenCut {
                ranges: [token..token + 1, group.end - 1..group.end].into(),
                put: None,
            }
        }
        CutShape::Joint => whole(text.bracket_joint(token)?),
        CutShape::Segment => whole(find_segment(text, token)?),
        CutShape::SegmentWithBraces => {
            let segment = find_segment(text, token)?;
            let braces = text.bracket_group(segment.end);
            whole(segment.start..braces?.end)
        }
        CutShape::Half => {
            let pair = text
                .window(token, 2)
                .filter(|pair| text.is_balanced(pair))?;
            TokenCut {
                put: Some(Arc::from(half_of_token(text.text(pair.end - 1))?)),
                ..TokenCut::of_range(pair)
            }
        }
        CutShape::UsualToken(_) | CutShape::OwnToken(_) => return None,
    };
    Some((choice, cut))
}

/// The cuts that put a token in the place of a window. One that the window begins or ends with would be a smaller window that goes, and one that
/// is written as the window is would change nothing.
fn find_token(
    text: &TokenText,
    texts: &[&[u8]],
    window: Range<usize>,
    from: usize,
) -> Option<(usize, TokenCut)> {
    if !text.is_balanced(&window) {
        return None;
    }
    let ends = [window.start, window.end - 1].map(|token| text.text(token));
    let written = text.written(&window);
    let mut open = texts.iter().enumerate().skip(from);
    let (choice, put) =
        open.find(|(_, put)| !ends.contains(put) && !is_bracket(put) && **put != written)?;
    let cut = TokenCut {
        ranges: [window].into_iter().collect(),
        put: Some(Arc::from(*put)),
    };
    Some((choice, cut))
}

/// Half of a token that is one sign twice, such as `>>`; quotes are no such sign.
fn half_of_token(text: &[u8]) -> Option<&[u8]> {
    match text {
        [first, second]
            if first == second
                && first.is_ascii_punctuation()
                && !matches!(first, b'"' | b'\'' | b'`') =>
        {
            Some(&text[..1])
        }
        _ => None,
    }
}

/// The segment that begins with this token, if one does: its brackets balance.
fn find_segment(text: &TokenText, token: usize) -> Option<Range<usize>> {
    let ends = |token: usize| matches!(text.text(token), b";" | b"{" | b"}");
    if ends(token) || token > 0 && !ends(token - 1) {
        return None;
    }
    let mut length = 1;
    while let Some(window) = text.window(token, length + 1)
        && !ends(window.end - 1)
    {
        length += 1;
    }
    let ended = text.window(token, length + 1);
    let semicolon = ended.filter(|window| text.text(window.end - 1) == b";");
    let segment = semicolon.unwrap_or(token..token + length);
    text.stays_balanced(&segment).then_some(segment)
}

/// These tokens with a blank between each two, shortened if they are many.
fn quote_tokens(text: &TokenText, tokens: Range<usize>) -> String {
    const MOST: usize = 40;
    let texts = tokens.map(|token| String::from_utf8_lossy(text.text(token)));
    let line = texts.collect::<Vec<_>>().join(" ");
    match line.char_indices().nth(MOST) {
        Some((end, _)) => quote_text(&format!("{}…", line[..end].trim_end())),
        None => quote_text(&line),
    }
}

impl Proposer for TextSweep {
    type View = View;
    type Edit = Edit;
    type Why = EditReason;
    type Change = AppliedEdit;

    fn propose(&mut self, view: &View) -> ProposerStep<Edit, EditReason> {
        if let Some(step) = self.to_accept.to_step() {
            return step;
        }
        // What a token is a part of is known only when the text is read again, and a size in nodes would count too few.
        let is_about_nodes = matches!(view.version.objective(), Objective::Nodes);
        // A program in canonical form would not stay in it.
        if is_about_nodes || view.version.keeps_layout() {
            return ProposerStep::Done;
        }
        match self.find_cut(view) {
            Some((edit, why)) => ProposerStep::Test(edit, why),
            None => ProposerStep::Done,
        }
    }

    fn on_verdict(&mut self, _: &View, tested: &Edit, feedback: Feedback) {
        self.to_accept.record_verdict(tested, feedback);
        self.at.choice += usize::from(!feedback.is_interesting());
    }

    fn on_accept(&mut self, _: &View, _: &AppliedEdit) {
        self.to_accept.clear();
        self.at.choice = 0;
        (self.last_yes, self.again) = (Some(self.at), false);
    }

    fn invalidate(&mut self, _: &View) {
        *self = TextSweep {
            at: SweepPlace::default(),
            last_yes: None,
            again: false,
            to_accept: PassedEdit::default(),
            ..*self
        };
    }
}
