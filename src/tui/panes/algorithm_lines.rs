//! The state of an algorithm as lines: its pseudo-code with the present line marked, what it counts, and a picture of what it works on.
//!
//! Where the lines do not fit, the pseudo-code of the outer algorithms is cut to the present line, then that of the innermost to the present line
//! and as many beside it as there is room for.

use super::algorithm_words::{
    QueuedNode, chunk_lines, chunk_words, describe_queued, describe_rule,
};
use crate::program::{NodeId, Version};
use crate::protocol::{
    AlgorithmFact, AlgorithmLayer, AlgorithmPicture, AlgorithmState, ChunkFate, ChunkPicture,
    FactValue, LevelPicture, ListChunk, QueuePicture,
};
use crate::tui::drawing::text;
use crate::tui::theme::Role;
use crate::tui::theme::palette::ScreenGlyphs;

/// A line of the pane: its parts, one after the other.
pub type AlgorithmLine = Vec<(String, Role)>;

/// The least rows that a picture gets before the pseudo-code is cut.
const LEAST_PICTURE: usize = 6;
/// The rows that the rule of a node takes at most.
const MOST_RULE_ROWS: usize = 3;
/// Where words begin: behind the mark of the present line.
const INDENT: &str = "  ";

/// What lines are made for.
#[derive(Clone, Copy)]
pub struct LineContext<'a> {
    /// The version that the nodes are of.
    pub version: &'a Version,
    /// The characters of the terminal.
    pub glyphs: &'a ScreenGlyphs,
    /// Whether the candidate at hand was accepted, so that the version is the one before it.
    pub is_accepted: bool,
    /// The cells of a line.
    pub width: usize,
}

/// How much of the pseudo-code is shown: how many lines above the present one, and below it.
#[derive(Clone, Copy, PartialEq, Eq)]
struct CodeForm {
    outer: usize,
    innermost: usize,
}

/// The forms, from the longest.
const CODE_FORMS: [CodeForm; 5] = [
    CodeForm::new(usize::MAX, usize::MAX),
    CodeForm::new(0, usize::MAX),
    CodeForm::new(0, 2),
    CodeForm::new(0, 1),
    CodeForm::new(0, 0),
];

impl CodeForm {
    const fn new(outer: usize, innermost: usize) -> CodeForm {
        CodeForm { outer, innermost }
    }

    /// How many lines beside the present one the algorithm at this place has.
    fn reach(self, state: &AlgorithmState<NodeId>, at: usize) -> usize {
        match at + 1 == state.layers.len() {
            true => self.innermost,
            false => self.outer,
        }
    }
}

/// The state of algorithms that have come to their end: each at its last line, with nothing at hand.
pub fn ended_state(state: &AlgorithmState<NodeId>) -> AlgorithmState<NodeId> {
    let layers = state.layers.iter().map(|layer| AlgorithmLayer {
        text: layer.text,
        line: layer.text.ends_at,
        passed: &[],
        facts: Vec::new(),
        picture: match &layer.picture {
            AlgorithmPicture::Levels(picture) => AlgorithmPicture::Levels(LevelPicture {
                level: u32::MAX,
                levels: picture.levels.clone(),
            }),
            _ => AlgorithmPicture::None,
        },
    });
    AlgorithmState {
        layers: layers.collect(),
    }
}

/// The lines of a state, for a pane of this height; there may be more.
pub fn list_algorithm_lines(
    state: &AlgorithmState<NodeId>,
    context: LineContext,
    height: usize,
) -> Vec<AlgorithmLine> {
    let fixed = |form: CodeForm| -> usize {
        let layers = state.layers.iter().enumerate();
        layers
            .map(|(at, layer)| {
                let code = code_lines(layer, form.reach(state, at), context);
                code.len() + usize::from(!layer.facts.is_empty()) + heading(layer, at).len()
            })
            .sum()
    };
    let is_drawn = |layer: &&AlgorithmLayer<_>| layer.picture != AlgorithmPicture::None;
    let pictures = state.layers.iter().filter(is_drawn).count();
    let least = state.layers.iter();
    let least = least.map(|layer| picture_lines(&layer.picture, context, LEAST_PICTURE).len());
    let least: usize = least.sum();
    let fits = |form: &CodeForm| fixed(*form) + least <= height;
    let form = CODE_FORMS.into_iter().find(fits);
    let form = form.unwrap_or(CodeForm::new(0, 0));
    // What one picture leaves is for the next.
    let mut room = height.saturating_sub(fixed(form));
    let mut left = pictures;
    let mut lines = Vec::new();
    for (at, layer) in state.layers.iter().enumerate() {
        lines.extend(heading(layer, at));
        lines.extend(code_lines(layer, form.reach(state, at), context));
        lines.extend(fact_line(&layer.facts, context.glyphs));
        if is_drawn(&layer) {
            let rows = (room / left.max(1)).max(LEAST_PICTURE / 2);
            let picture = picture_lines(&layer.picture, context, rows);
            (room, left) = (room.saturating_sub(picture.len()), left - 1);
            lines.extend(picture);
        }
    }
    lines
}

/// The lines above the pseudo-code: the source, and below another algorithm the name.
fn heading(layer: &AlgorithmLayer<NodeId>, at: usize) -> Vec<AlgorithmLine> {
    let source = layer.text.source;
    match at {
        0 if source.is_empty() => Vec::new(),
        0 => vec![vec![(format!(" {source}"), Role::Dim)]],
        _ => vec![
            Vec::new(),
            vec![
                (format!(" {}", layer.text.name), Role::Title),
                (format!("  {source}"), Role::Dim),
            ],
        ],
    }
}

/// The pseudo-code: its present line, and so many above and below.
fn code_lines(
    layer: &AlgorithmLayer<NodeId>,
    reach: usize,
    context: LineContext,
) -> Vec<AlgorithmLine> {
    let glyphs = context.glyphs;
    let lines = layer.text.lines.iter().enumerate();
    let shown = lines.filter(|(at, _)| at.abs_diff(layer.line) <= reach);
    let is_passed = |at: usize| layer.passed.contains(&at);
    shown
        .map(|(at, line)| {
            let line = match glyphs.braille {
                true => (*line).to_owned(),
                false => to_ascii(line),
            };
            let room = context.width.saturating_sub(INDENT.len() + 1);
            let line = text::truncate_end(&line, room, glyphs.cut);
            match at == layer.line {
                true => vec![
                    (format!("{} ", glyphs.forwards), Role::Trying),
                    (line, Role::Title),
                ],
                false if is_passed(at) => vec![
                    (
                        format!("{} ", if glyphs.braille { "·" } else { "." }),
                        Role::Trying,
                    ),
                    (line, Role::Text),
                ],
                false => vec![(format!("{INDENT}{line}"), Role::Dim)],
            }
        })
        .collect()
}

/// Pseudo-code for a terminal that shows only ASCII.
fn to_ascii(line: &str) -> String {
    const SIGNS: [(&str, &str); 8] = [
        ("←", "<-"),
        ("≤", "<="),
        ("−", "-"),
        ("·", "*"),
        ("∏", "product"),
        ("⌈", "ceil("),
        ("⌉", ")"),
        ("→", "->"),
    ];
    let signs = SIGNS.into_iter();
    signs.fold(line.to_owned(), |line, (sign, ascii)| {
        line.replace(sign, ascii)
    })
}

/// What an algorithm counts, on one line.
fn fact_line(facts: &[AlgorithmFact], glyphs: &ScreenGlyphs) -> Option<AlgorithmLine> {
    let words = facts.iter().map(|fact| {
        let label = fact.label;
        match fact.value {
            FactValue::Equals(value) => format!("{label} = {}", text::format_number(value.into())),
            FactValue::Place(at, of) => format!(
                "{label} {} of {}",
                text::format_number(at.into()),
                text::format_number(of.into())
            ),
            FactValue::Count(count) => text::format_count(count.into(), label),
        }
    });
    let words = words.collect::<Vec<_>>().join(glyphs.dot);
    (!words.is_empty()).then(|| vec![(format!("{INDENT}{words}"), Role::Number)])
}

fn picture_lines(
    picture: &AlgorithmPicture<NodeId>,
    context: LineContext,
    rows: usize,
) -> Vec<AlgorithmLine> {
    match picture {
        AlgorithmPicture::None => Vec::new(),
        AlgorithmPicture::Chunks(chunks) => chunk_rows(chunks, context, rows),
        AlgorithmPicture::Queue(queue) => queue_rows(queue, context, rows),
        AlgorithmPicture::Levels(levels) => level_rows(levels, context, rows),
    }
}

/// Of `count` rows those around one, as many as there is room for.
fn window(at: usize, count: usize, rows: usize) -> std::ops::Range<usize> {
    let start = at.saturating_sub(rows / 2).min(count.saturating_sub(rows));
    start..count.min(start + rows)
}

/// A list as a bar of blocks, then a row for each chunk.
///
/// ```text
///   ██████ ░░░░░░ ██████ ██████
///   1  lines 1–6     tried
/// ▶ 2  lines 7–12    goes
///   3  lines 13–18
/// ```
fn chunk_rows(
    picture: &ChunkPicture<NodeId>,
    context: LineContext,
    rows: usize,
) -> Vec<AlgorithmLine> {
    let chunks = &picture.chunks;
    let mut lines = vec![chunk_bar(chunks, context)];
    let is_at_hand = |chunk: &ListChunk<NodeId>| match chunk.fate {
        ChunkFate::KeptAlone => true,
        ChunkFate::Going | ChunkFate::GoingInPart => chunks
            .iter()
            .all(|other| other.fate != ChunkFate::KeptAlone),
        ChunkFate::Tried | ChunkFate::Open => false,
    };
    let at = chunks.iter().position(is_at_hand).unwrap_or(0);
    let shown = window(at, chunks.len(), rows.saturating_sub(1));
    let digits = (picture.before as usize + shown.end).to_string().len();
    let ranges = chunks[shown.clone()].iter();
    let ranges: Vec<String> = ranges
        .map(|chunk| match chunk_lines(context.version, chunk) {
            Some((first, last)) if first == last => format!("line {first}"),
            Some((first, last)) => format!("lines {first}–{last}"),
            None => format!("{} elements", chunk.elements),
        })
        .collect();
    let widest = ranges.iter().map(|range| text::text_width(range)).max();
    let widest = widest.unwrap_or(0);
    let fates = chunks[shown.clone()].iter();
    let fates = fates
        .map(|chunk| fate_words(chunk.fate, context.is_accepted).0.len())
        .max();
    let fate_width = fates.unwrap_or(0);
    for (chunk, (number, range)) in chunks[shown.clone()].iter().zip(shown.zip(ranges)) {
        let (fate, role) = fate_words(chunk.fate, context.is_accepted);
        let mark = match is_at_hand(chunk) {
            true => (format!("{} ", context.glyphs.forwards), Role::Trying),
            false => (INDENT.to_owned(), Role::Text),
        };
        let range = match context.glyphs.braille {
            true => range,
            false => range.replace('–', "-"),
        };
        let number = picture.before as usize + number + 1;
        let words = chunk_words(context.version, chunk);
        let words = text::displayable_line(&words, context.glyphs.braille);
        let number = format!("{number:>digits$}  ");
        let range = format!("{range:<widest$}  ");
        let fate = format!("{fate:<fate_width$}  ");
        let parts = [INDENT, &number, &range, &fate].into_iter();
        let taken: usize = parts.map(text::text_width).sum();
        let room = context.width.saturating_sub(taken + 1);
        let words = text::truncate_end(&words, room, context.glyphs.cut);
        lines.push(vec![
            mark,
            (number, Role::Number),
            (range, Role::Text),
            (fate, role),
            (words, Role::Dim),
        ]);
    }
    lines
}

/// What happens to a chunk, in words.
fn fate_words(fate: ChunkFate, is_accepted: bool) -> (&'static str, Role) {
    match fate {
        ChunkFate::Going if is_accepted => ("has gone", Role::Deleted),
        ChunkFate::Going => ("goes", Role::Deleted),
        ChunkFate::GoingInPart if is_accepted => ("has gone but one", Role::Deleted),
        ChunkFate::GoingInPart => ("goes but one", Role::Deleted),
        ChunkFate::KeptAlone => ("stays alone", Role::Interesting),
        ChunkFate::Tried => ("tried", Role::Dim),
        ChunkFate::Open => ("", Role::Dim),
    }
}

/// The chunks as blocks beside each other, as wide as they have elements: full blocks stay, light ones go.
fn chunk_bar(chunks: &[ListChunk<NodeId>], context: LineContext) -> AlgorithmLine {
    let blocks = match context.glyphs.braille {
        true => ["█", "░", "▓"],
        false => ["#", ".", "+"],
    };
    let width = context.width.saturating_sub(2 * INDENT.len());
    let has_gaps = 3 * chunks.len() <= width;
    let room = match has_gaps {
        true => width - (chunks.len() - 1).min(width),
        false => width,
    } as u64;
    let all: u64 = chunks.iter().map(|chunk| u64::from(chunk.elements)).sum();
    let mut line = vec![(INDENT.to_owned(), Role::Text)];
    let mut before = 0;
    for chunk in chunks {
        let start = before * room / all.max(1);
        before += u64::from(chunk.elements);
        let cells = (before * room / all.max(1) - start).max(1) as usize;
        let (block, role) = match chunk.fate {
            ChunkFate::Going | ChunkFate::GoingInPart => (blocks[1], Role::Deleted),
            ChunkFate::KeptAlone => (blocks[0], Role::Interesting),
            ChunkFate::Tried => (blocks[2], Role::Dim),
            ChunkFate::Open => (blocks[0], Role::Text),
        };
        line.push((block.repeat(cells), role));
        if has_gaps {
            line.push((" ".into(), Role::Text));
        }
    }
    line
}

/// The node at hand with its rule in normal form, and the next ones by their order.
///
/// ```text
/// ▶  33  fill()  function_definition
///        function_definition → type declarator: _declarator body: compound_statement
///    33  clamp()  function_definition
///   12 more wait
/// ```
fn queue_rows(
    picture: &QueuePicture<NodeId>,
    context: LineContext,
    rows: usize,
) -> Vec<AlgorithmLine> {
    let glyphs = context.glyphs;
    let next = picture.next.iter();
    let next: Vec<_> = next
        .filter_map(|node| describe_queued(context.version, *node))
        .collect();
    let at_hand = describe_queued(context.version, picture.at_hand);
    let tokens = next.iter().chain(&at_hand).map(|node| node.tokens).max();
    let digits = text::format_number(tokens.unwrap_or(0).into()).len();
    let row = |node: &QueuedNode, is_at_hand: bool| {
        let tokens = text::format_number(node.tokens.into());
        let name = text::displayable_line(&node.name, glyphs.braille);
        let room = context.width.saturating_sub(INDENT.len() + digits + 5);
        let room = room.saturating_sub(text::text_width(&node.kind));
        let name = text::truncate_end(&name, room.max(10), glyphs.cut);
        let (mark, role) = match is_at_hand {
            true => (format!("{} ", glyphs.forwards), Role::Title),
            false => (INDENT.to_owned(), Role::Text),
        };
        vec![
            (mark, Role::Trying),
            (format!("{tokens:>digits$}  "), Role::Number),
            (format!("{name}  "), role),
            (node.kind.clone(), Role::Dim),
        ]
    };
    let mut lines: Vec<AlgorithmLine> = at_hand.iter().map(|node| row(node, true)).collect();
    if let Some((name, body)) = describe_rule(context.version, picture.at_hand) {
        let indent = " ".repeat(INDENT.len() + digits + 2);
        let rule = format!("{name} {} {body}", glyphs.arrow);
        let rule = text::displayable_line(&rule, glyphs.braille);
        let room = context.width.saturating_sub(indent.len() + 1);
        let most = MOST_RULE_ROWS.min(rows.saturating_sub(2).max(1));
        let wrapped = text::wrap_text(&rule, room, most, glyphs.cut);
        lines.extend(
            wrapped
                .into_iter()
                .map(|part| vec![(format!("{indent}{part}"), Role::Kind)]),
        );
    }
    let room = rows.saturating_sub(lines.len() + 1);
    let shown = next.len().min(room);
    lines.extend(next[..shown].iter().map(|node| row(node, false)));
    let more = u64::from(picture.waiting).saturating_sub(shown as u64);
    let words = match (more, shown) {
        (0, 0) => "nothing else waits".to_owned(),
        (0, _) => return lines,
        (more, 0) => format!("{} wait", text::format_count(more, "node")),
        (more, _) => format!("{} more wait", text::format_number(more)),
    };
    lines.push(vec![(format!("{INDENT}{words}"), Role::Dim)]);
    lines
}

/// The levels of the tree as a ladder.
fn level_rows(picture: &LevelPicture, context: LineContext, rows: usize) -> Vec<AlgorithmLine> {
    let levels = &picture.levels;
    let is_present = |level: u32| level == picture.level;
    let at = levels.iter().position(|size| is_present(size.level));
    let shown = window(at.unwrap_or(0), levels.len(), rows);
    let digits = levels.last().map_or(1, |last| last.level.to_string().len());
    let lines = levels[shown].iter().map(|size| {
        let (mark, role) = match is_present(size.level) {
            true => (format!("{} ", context.glyphs.forwards), Role::Title),
            false => (INDENT.to_owned(), Role::Dim),
        };
        let parts = text::format_count(size.parts.into(), "part");
        let state = match size.level.cmp(&picture.level) {
            std::cmp::Ordering::Less => "stayed",
            std::cmp::Ordering::Equal => "may go",
            std::cmp::Ordering::Greater => "",
        };
        let level = format!("level {:<digits$}  ", size.level);
        vec![
            (mark, Role::Trying),
            (level, role),
            (format!("{parts} {state}"), role),
        ]
    });
    lines.collect()
}
