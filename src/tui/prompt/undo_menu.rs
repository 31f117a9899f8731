//! The menu of the ways to undo: which version it is about, and whether the run waits for it.

use crate::program::node_excerpt;
use crate::reduce::{EngineCommand, RunSnapshot, UndoMode, VersionRecord};
use crate::tui::drawing::text;
use crate::tui::panes::sentences::question_summary;
use crate::tui::theme::palette::ScreenGlyphs;

/// The most characters of what an edit removed.
const LONGEST_EXCERPT: usize = 32;

/// What an open menu is about. The run may make one more version of a test that was running; the menu stays with its own.
#[derive(Clone, Debug)]
pub struct UndoMenu {
    /// The version whose edit is undone.
    pub version: u64,
    /// The edit, as the title of the menu.
    pub title: String,
    /// Whether the run was paused for the menu, and is resumed when it closes.
    pub holds_run: bool,
}

impl UndoMenu {
    /// A menu about the current version. `holds_run` says that the run is paused for it.
    pub fn of_current(
        snapshot: &RunSnapshot,
        holds_run: bool,
        glyphs: &ScreenGlyphs,
    ) -> Option<UndoMenu> {
        let past = snapshot.history.get(snapshot.number as usize)?;
        let title = format!(
            "undo {}: {}",
            past.number,
            describe_edit(snapshot, past, glyphs)
        );
        Some(UndoMenu {
            version: past.number,
            title,
            holds_run,
        })
    }

    /// A typed line; an undo without a version is about that of the menu.
    pub fn complete_line(&self, line: String) -> String {
        match EngineCommand::parse_line(&line) {
            Ok(EngineCommand::Undo(mode, None)) => {
                EngineCommand::Undo(mode, Some(self.version)).to_string()
            }
            _ => line,
        }
    }

    /// Whether the run goes on when the menu closes with these commands.
    pub fn resumes_after(&self, sent: &[EngineCommand]) -> bool {
        let stands = |command: &EngineCommand| {
            matches!(
                command,
                EngineCommand::Pause
                    | EngineCommand::Resume
                    | EngineCommand::Stop
                    | EngineCommand::Step(_)
                    | EngineCommand::Until(_)
                    | EngineCommand::Undo(UndoMode::Stop, _)
            )
        };
        self.holds_run && !sent.iter().any(stands)
    }
}

/// What an edit removed, in short, and what became of the size.
fn describe_edit(snapshot: &RunSnapshot, past: &VersionRecord, glyphs: &ScreenGlyphs) -> String {
    let summary = question_summary(&past.sentence, glyphs);
    let parent = past
        .parent
        .and_then(|parent| snapshot.history.get(parent as usize));
    let Some((before, edit)) = parent.zip(past.edit.as_ref()) else {
        return summary;
    };
    let removed = edit.first_removed_node(&before.version);
    let removed = removed.and_then(|node| before.version.find_node(node));
    let removed = removed.map(|node| {
        let text = node_excerpt(&before.version, node.id, LONGEST_EXCERPT);
        (i64::from(node.sums().tokens), text)
    });
    let size = |past: &VersionRecord| i64::from(past.version.size().primary());
    let change = size(past) - size(before);
    // The text of a node says what went if nothing else did.
    let removed = removed.filter(|(tokens, text)| *tokens == -change && !text.is_empty());
    let what = match removed {
        Some((_, text)) => format!("`{text}`"),
        None => summary,
    };
    let sign = if change > 0 { "+" } else { glyphs.minus };
    let number = text::format_number(change.unsigned_abs());
    format!("{what} {sign}{number}")
}
