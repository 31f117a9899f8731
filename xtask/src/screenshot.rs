//! `cargo xtask screenshot`: the pictures in `screenshots/`, drawn from runs of the demo in the studio: the same pictures on every machine.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use anyhow::anyhow;
use lop::display::{ConsoleWriter, EscapeHidden};
use lop::reduce::RunSnapshot;
use lop::tui;
use lop::tui::ScreenContext;
use lop::tui::palette::TerminalPalette;

use crate::demo_studio::{DemoStudio, demo_context, pair_context, with_uniform_times};
use crate::frame_pairs::{Picture, draw_frame_pairs};
use crate::{animation, lesson_picture};

/// Columns and lines of a picture.
const SIZE: (u16, u16) = (140, 40);
/// The run is drawn when between 1/50 and 1/5 of the tokens are left: much is done, and much is left.
const LEFT: (u32, u32) = (50, 5);

/// Draws a lesson, a run at work, its result, a run that is steered, and frames before and after.
pub fn run_screenshot(to: &Path) -> anyhow::Result<()> {
    fs::create_dir_all(to.join("frames"))?;
    for (name, picture) in draw_pictures()? {
        let path = to.join(name);
        fs::write(&path, picture)?;
        ConsoleWriter::stdout().write_line(&format!("drew {}", path.escape_hidden()));
    }
    Ok(())
}

/// The pictures, with the names of their files.
fn draw_pictures() -> anyhow::Result<Vec<Picture>> {
    let (at_work, last) = demo_snapshots()?;
    let draw = |snapshot: &RunSnapshot, context: ScreenContext| {
        let snapshot = with_uniform_times(snapshot, true);
        let frame = tui::render_frame(&snapshot, SIZE, context, TerminalPalette::FULL);
        tui::render_svg(&frame)
    };
    let single = [
        ("lesson.svg", lesson_picture::draw_lesson()?),
        ("run.svg", draw(&at_work, demo_context())),
        ("result.svg", draw(&last, demo_context())),
        ("steered.svg", animation::draw_animation()?),
        ("pair.svg", draw(&*pair_snapshot()?, pair_context())),
    ];
    let single = single.map(|(name, picture)| (name.to_owned(), picture));
    Ok(single.into_iter().chain(draw_frame_pairs()?).collect())
}

/// The pair at work: the first candidate after a part of its difference has gone that is about what both programs have.
fn pair_snapshot() -> anyhow::Result<Arc<RunSnapshot>> {
    let studio = DemoStudio::start_paused_pair()?;
    studio.queue_steps()?;
    let mut shown = None;
    while let Some(snapshot) = studio.next_candidate()? {
        let (left, whole) = snapshot.primary_sizes();
        let trying = snapshot.current_test.as_ref();
        let removes =
            trying.is_some_and(|trying| trying.edit.ops.len() > 1 && trying.change.0 < -8);
        if removes && left < whole && shown.is_none() {
            shown = Some(snapshot);
        }
        studio.release_test()?;
    }
    shown.ok_or_else(|| anyhow!("the pair ended before there was anything to draw"))
}

/// The demo at work, and at its end.
fn demo_snapshots() -> anyhow::Result<(Arc<RunSnapshot>, Arc<RunSnapshot>)> {
    let studio = DemoStudio::start_paused()?;
    studio.queue_steps()?;
    let mut best: Option<(usize, Arc<RunSnapshot>)> = None;
    while let Some(snapshot) = studio.next_candidate()? {
        if let Some(depth) = candidate_depth(&snapshot)
            && best.as_ref().is_none_or(|(most, _)| depth > *most)
        {
            best = Some((depth, snapshot));
        }
        studio.release_test()?;
    }
    let missed = || anyhow!("the demo ended before there was anything to draw");
    let last = studio.wait_for_end()?;
    let (_, at_work) = best.ok_or_else(missed)?;
    Ok((at_work, last))
}

/// The depth of the candidate in the tree, if its size is right for a picture: the tree unfolds the nodes of the candidate.
fn candidate_depth(snapshot: &RunSnapshot) -> Option<usize> {
    let (original, left) = (snapshot.original.0, snapshot.version.token_count());
    let moment = original / LEFT.0 <= left && left <= original / LEFT.1;
    let trying = snapshot.current_test.as_ref().filter(|_| moment)?;
    Some(snapshot.version.path_to(trying.why.node?)?.nodes.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pictures_are_those_of_the_program() {
        let pictures = draw_pictures().unwrap_or_else(|error| panic!("{error}"));
        let shown = [
            ("lesson", ">complements</text>"),
            ("run", ">3,801</text>"),
            ("result", ">done:</text>"),
            ("steered", ">PAUSED</text>"),
            ("pair", ">variant</text>"),
            ("frames/undo-menu-after", ">undo</text>"),
            ("frames/ddmin-diff-after", ">return</text>"),
        ];
        for (name, shown) in shown {
            let name = format!("{name}.svg");
            let drawn = pictures.iter().find(|(known, _)| *known == name);
            let picture = drawn.map_or("", |(_, picture)| picture);
            assert!(picture.contains(shown), "{name} does not show {shown}");
        }
        for (name, picture) in pictures {
            let path = crate::repository_root().join("screenshots").join(name);
            let drawn = fs::read_to_string(&path).unwrap_or_default();
            assert!(
                drawn == picture,
                "{} shows another screen: draw it again with `cargo xtask screenshot`",
                path.escape_hidden()
            );
        }
    }
}
