//! `lop screenshot`: the pictures in `screenshots/`, drawn from runs of the demo in the studio: the same pictures on every machine.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use super::failure::{FAILED, Failure, OrFail};
use super::steered;
use super::studio::{Studio, by_the_metronome, context};
use crate::display::Shown;
use crate::plain::Out;
use crate::reduce::Snapshot;
use crate::tui;
use crate::tui::palette::Palette;

/// Columns and lines of a picture.
const SIZE: (u16, u16) = (140, 40);
/// The run is drawn when the program has between these parts of its tokens left, one in so many: much is done, and much is left.
const LEFT: (u32, u32) = (50, 5);

/// Draws a run at work, its result, and a run that is steered.
pub(super) fn run(to: &Path) -> Result<u8, Failure> {
    fs::create_dir_all(to).or_fail(FAILED)?;
    for (name, picture) in pictures()? {
        let path = to.join(name);
        fs::write(&path, picture).or_fail(FAILED)?;
        Out::stdout().line(&format!("lop: drew {}", path.shown()));
    }
    Ok(0)
}

/// The pictures, with the names of their files.
fn pictures() -> Result<[(&'static str, String); 3], Failure> {
    let (at_work, last) = snapshots()?;
    let draw = |snapshot: &Snapshot| {
        let snapshot = by_the_metronome(snapshot, true);
        tui::picture(&tui::frame(&snapshot, SIZE, context(), Palette::FULL))
    };
    Ok([
        ("run.svg", draw(&at_work)),
        ("result.svg", draw(&last)),
        ("steered.svg", steered::picture()?),
    ])
}

/// The demo at work, and at its end.
fn snapshots() -> Result<(Arc<Snapshot>, Arc<Snapshot>), Failure> {
    let studio = Studio::open()?;
    studio.play()?;
    let mut best: Option<(usize, Arc<Snapshot>)> = None;
    while let Some(snapshot) = studio.question()? {
        if let Some(depth) = depth(&snapshot)
            && best.as_ref().is_none_or(|(most, _)| depth > *most)
        {
            best = Some((depth, snapshot));
        }
        studio.answer()?;
    }
    let missed = || Failure::new(FAILED, "the demo ended before there was anything to draw");
    let last = studio.end()?;
    let (_, at_work) = best.ok_or_else(missed)?;
    Ok((at_work, last))
}

/// How deep in the tree the question is, if the moment is worth a picture: the tree unfolds what is asked about.
fn depth(snapshot: &Snapshot) -> Option<usize> {
    let (original, left) = (snapshot.original.0, snapshot.version.tokens());
    let moment = original / LEFT.0 <= left && left <= original / LEFT.1;
    let trying = snapshot.trying.as_ref().filter(|_| moment)?;
    Some(snapshot.version.trail(trying.why.node?)?.nodes.len())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_pictures_are_those_of_the_program() {
        let pictures = pictures().unwrap_or_else(|failure| panic!("{}", failure.error));
        for (name, picture) in pictures {
            let path = Path::new("screenshots").join(name);
            let drawn = fs::read_to_string(&path).unwrap_or_default();
            assert!(
                drawn == picture,
                "{} shows another screen: draw it anew with `cargo run -- screenshot`",
                path.shown()
            );
        }
    }
}
