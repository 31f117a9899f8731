//! The tree of versions as a graph, one row for each version, the newest first. Lines join where a branch begins.
//!
//! ```text
//!  ●     5
//!  │ ○   4     undone: the parent of 5 is 2
//!  │ ○   3
//!  ●─╯   2
//!  ●     1
//! ```

use crate::tui::theme::palette::ScreenGlyphs;

/// The greatest number of lines beside each other; further branches are not drawn.
const MOST_LANES: usize = 8;

/// The lines that come from newer versions: for each, the version that it leads to.
#[derive(Debug, Default)]
pub struct HistoryGraph {
    lanes: Vec<Option<u64>>,
}

impl HistoryGraph {
    /// The row of a version with this parent, after the rows of all newer versions. `node` is the glyph of the version itself.
    pub fn render_row(
        &mut self,
        number: u64,
        parent: Option<u64>,
        node: &str,
        glyphs: &ScreenGlyphs,
    ) -> String {
        let leads = |lane: &Option<u64>| *lane == Some(number);
        let free = || self.lanes.iter().position(Option::is_none);
        let at = self.lanes.iter().position(leads).or_else(free);
        let at = at.unwrap_or(self.lanes.len());
        if at == self.lanes.len() {
            self.lanes.push(Some(number));
        }
        let last = self.lanes.iter().rposition(leads).unwrap_or(at);
        let [down, across, cross, join, end] = glyphs.graph;
        let mut row = String::new();
        for (lane, leads_to) in self.lanes.iter().enumerate().take(MOST_LANES) {
            let between = at < lane && lane < last;
            row.push_str(match leads_to {
                _ if lane == at => node,
                Some(to) if *to == number && lane == last => end,
                Some(to) if *to == number => join,
                Some(_) if between => cross,
                Some(_) => down,
                None if between => across,
                None => " ",
            });
            row.push_str(if at <= lane && lane < last {
                across
            } else {
                " "
            });
        }
        for lane in self.lanes.iter_mut().filter(|lane| leads(lane)) {
            *lane = None;
        }
        self.lanes[at] = parent;
        while self.lanes.last() == Some(&None) {
            self.lanes.pop();
        }
        row.truncate(row.trim_end().len());
        row
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn drawn(parents: &[u64], glyphs: &ScreenGlyphs) -> String {
        let mut graph = HistoryGraph::default();
        let mut rows = Vec::new();
        for number in (0..=parents.len() as u64).rev() {
            let parent = number.checked_sub(1).map(|before| parents[before as usize]);
            let row = graph.render_row(number, parent, &(number % 10).to_string(), glyphs);
            rows.push(row);
        }
        rows.join("\n")
    }

    #[test]
    fn branches_join_where_they_left() {
        assert_eq!(drawn(&[0, 1], &ScreenGlyphs::UNICODE), "2\n1\n0");
        assert_eq!(
            drawn(&[0, 1, 2, 1], &ScreenGlyphs::UNICODE),
            "4\n│ 3\n│ 2\n1─╯\n0"
        );
        assert_eq!(
            drawn(&[0, 1, 1, 1, 2], &ScreenGlyphs::UNICODE),
            "5\n│ 4\n│ │ 3\n2 │ │\n1─┴─╯\n0"
        );
        assert_eq!(
            drawn(&[0, 0, 1, 0], &ScreenGlyphs::ASCII),
            "4\n| 3\n| | 2\n| 1 |\n0-+-'"
        );
        assert_eq!(
            drawn(&[0, 1, 0, 2, 1], &ScreenGlyphs::UNICODE),
            "5\n│ 4\n│ │ 3\n│ 2 │\n1─╯ │\n0───╯"
        );
    }

    #[test]
    fn many_branches_are_cut_off() {
        let all = drawn(&[0; 40], &ScreenGlyphs::UNICODE);
        assert!(all.lines().all(|row| row.chars().count() <= 2 * MOST_LANES));
    }
}
