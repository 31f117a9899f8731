//! Frames as one animated picture: cells to SVG with keyframes.
//!
//! A shape that several frames share is drawn once. It belongs to the set of frames that have it, and each set is a group that is
//! visible while one of its frames is. So a dozen frames of a screen need little more space than one.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::time::Duration;

use ratatui::buffer::Buffer;

use super::frame_svg::{frame_shapes, svg_background, svg_header};

/// A set of frames, one bit for each.
type FrameSet = u64;

/// The animation of at most 64 frames of one size, each shown for its duration, in a loop. A reader who prefers no motion sees the last.
pub fn render_animation(frames: &[(Buffer, Duration)]) -> String {
    let mut papers: BTreeMap<String, (usize, FrameSet)> = BTreeMap::new();
    let mut inks = papers.clone();
    for (at, (buffer, _)) in frames.iter().enumerate() {
        let (below, above) = frame_shapes(buffer);
        for (all, some) in [(&mut papers, below), (&mut inks, above)] {
            for shape in some {
                let next = all.len();
                all.entry(shape).or_insert((next, 0)).1 |= 1 << at;
            }
        }
    }
    let every = !0 >> (FrameSet::BITS as usize - frames.len().clamp(1, 64));
    let (papers, inks) = (group_shapes(papers), group_shapes(inks));
    let mut svg = frames
        .first()
        .map_or_else(String::new, |(first, _)| svg_header(first.area));
    let mut sets: Vec<FrameSet> = papers.keys().chain(inks.keys()).copied().collect();
    sets.sort_unstable();
    sets.dedup();
    sets.retain(|set| *set != every);
    svg.push_str(&animation_style(&sets, frames));
    svg.push_str(&svg_background());
    for (set, shapes) in papers.iter().chain(&inks) {
        // Writing to a string does not fail.
        let _ = match *set == every {
            true => writeln!(svg, "<g>\n{shapes}</g>"),
            false => writeln!(svg, "<g class=\"s{set:x}\">\n{shapes}</g>"),
        };
    }
    svg.push_str("</g>\n</svg>\n");
    svg
}

/// The shapes of each set of frames, in the order of their first occurrence.
fn group_shapes(shapes: BTreeMap<String, (usize, FrameSet)>) -> BTreeMap<FrameSet, String> {
    let mut shapes: Vec<_> = shapes.into_iter().collect();
    shapes.sort_unstable_by_key(|(_, (met, _))| *met);
    let mut groups: BTreeMap<FrameSet, String> = BTreeMap::new();
    for (shape, (_, set)) in shapes {
        groups.entry(set).or_default().push_str(&shape);
    }
    groups
}

/// The style sheet that shows and hides each set of frames.
fn animation_style(sets: &[FrameSet], frames: &[(Buffer, Duration)]) -> String {
    let whole: Duration = frames.iter().map(|(_, shown)| *shown).sum();
    let seen = |seen: bool| if seen { "visible" } else { "hidden" };
    let mut style = String::from("<style>\n");
    for set in sets {
        let is_in = |at: usize| set >> at & 1 == 1;
        let last = is_in(frames.len() - 1);
        let _ = writeln!(
            style,
            ".s{set:x}{{visibility:{};animation:k{set:x} {:.1}s step-end infinite}}",
            seen(last),
            whole.as_secs_f64()
        );
        let _ = write!(style, "@keyframes k{set:x}{{");
        let mut time = Duration::ZERO;
        for (at, (_, shown)) in frames.iter().enumerate() {
            if at == 0 || is_in(at) != is_in(at - 1) {
                let part = 100.0 * time.as_secs_f64() / whole.as_secs_f64();
                let _ = write!(style, "{part:.2}%{{visibility:{}}}", seen(is_in(at)));
            }
            time += *shown;
        }
        style.push_str("}\n");
    }
    style.push_str(
        "@media (prefers-reduced-motion:reduce){g{animation:none!important}}\n</style>\n",
    );
    style
}

#[cfg(test)]
mod tests {
    use super::*;
    use ratatui::layout::Rect;
    use ratatui::style::Style;

    #[test]
    fn what_frames_share_is_drawn_once() {
        let frame = |words: [&str; 2]| {
            let mut buffer = Buffer::empty(Rect::new(0, 0, 8, 2));
            for (y, word) in words.into_iter().enumerate() {
                buffer.set_string(0, y as u16, word, Style::new());
            }
            (buffer, Duration::from_secs(1))
        };
        let film = render_animation(&[
            frame(["same", "first"]),
            frame(["same", "second"]),
            frame(["same", "first"]),
            frame(["same", "last"]),
        ]);
        for word in ["same", "first", "second", "last"] {
            assert_eq!(film.matches(&format!(">{word}<")).count(), 1, "{film}");
        }
        assert!(film.contains(".s5{visibility:hidden;animation:k5 4.0s step-end infinite}"));
        assert!(film.contains(
            "@keyframes k5{0.00%{visibility:visible}25.00%{visibility:hidden}50.00%{visibility:visible}75.00%{visibility:hidden}}"
        ));
        assert!(
            film.contains(".s8{visibility:visible;"),
            "the last stays where nothing moves"
        );
    }
}
