//! What a candidate changes in each file of a project.

use std::sync::Arc;

use super::diff_line::{DiffLine, DiffLineKind};
use crate::display::EscapeHidden;
use crate::program::{TokenChange, Version};
use crate::tui::drawing::text;

/// How many files are listed.
const MOST_LISTED: usize = 20;

/// The files that differ between two versions of a project, with what goes in each; nothing if that is one file, of which only a part goes.
pub fn list_changed_files(old: &Version, new: &Version) -> Vec<DiffLine> {
    let files = old.documents().iter().zip(new.documents());
    let changed = files.filter(|(old, new)| {
        old.is_gone != new.is_gone || !new.is_gone && !Arc::ptr_eq(&old.root, &new.root)
    });
    let lines: Vec<DiffLine> = changed
        .map(|(old, new)| {
            let path = old.path.escape_hidden();
            let tokens = [old, new].map(|document| document.root.sums().tokens);
            let change = i64::from(tokens[1]) - i64::from(tokens[0]);
            let (kind, what) = match (old.is_gone, new.is_gone) {
                (_, true) => {
                    let tokens = text::format_count(tokens[0].into(), "token");
                    (DiffLineKind::Removed, format!("the file goes, {tokens}"))
                }
                (true, false) => (DiffLineKind::Added, "the file comes back".to_owned()),
                (false, false) => {
                    let change = TokenChange(change).describe();
                    let change = change.unwrap_or_else(|| "as many tokens".into());
                    (DiffLineKind::Unchanged, change)
                }
            };
            DiffLine::unnumbered(kind, format!("{path}  {what}"))
        })
        .collect();
    if let [only] = &lines[..]
        && only.kind == DiffLineKind::Unchanged
    {
        return Vec::new();
    }
    let count = lines.len();
    let heading = text::format_count(count as u64, "file");
    let mut shown = vec![DiffLine::unnumbered(DiffLineKind::Heading, heading)];
    shown.extend(lines.into_iter().take(MOST_LISTED));
    if count > MOST_LISTED {
        let more = format!("{} more files", count - MOST_LISTED);
        shown.push(DiffLine::unnumbered(DiffLineKind::Omitted, more));
    }
    shown
}

/// The line at the top of the next change after line `top` of a diff, or of the one before: two lines above the change, or the heading of its file.
pub fn find_change(lines: &[DiffLine], top: usize, forward: bool) -> Option<usize> {
    let is_change = |line: &DiffLine| {
        line.number > 0 && matches!(line.kind, DiffLineKind::Removed | DiffLineKind::Added)
    };
    let begins = |at: &usize| {
        is_change(&lines[*at])
            && !at
                .checked_sub(1)
                .is_some_and(|before| is_change(&lines[before]))
    };
    let start = |at: usize| {
        let mut first = at;
        while first > 0 && at - first < 3 {
            let before = &lines[first - 1];
            let is_heading = before.kind == DiffLineKind::Heading;
            if !is_heading && (before.kind != DiffLineKind::Unchanged || before.number == 0) {
                break;
            }
            first -= 1;
            if is_heading {
                break;
            }
        }
        first
    };
    let mut starts = (0..lines.len()).filter(begins).map(start);
    match forward {
        true => starts.find(|start| *start > top),
        false => starts.take_while(|start| *start < top).last(),
    }
}
