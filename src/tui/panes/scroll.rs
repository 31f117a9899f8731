//! The scroll position of a list of rows or lines.

/// The scroll position of a list of rows or lines.
#[derive(Clone, Copy, Debug, Default)]
pub struct ScrollState {
    /// The first visible row.
    pub top: usize,
    /// The number of visible rows, as of the last frame.
    pub height: usize,
    /// The distance of the selected row from the top in the last frame.
    line: usize,
    /// Whether the rows have changed, so that the next frame keeps the selected row at its place on the screen.
    anchored: bool,
}

impl ScrollState {
    /// Keeps the selected row at its place on the screen in the next frame, although the rows change.
    pub fn anchor_selection(&mut self) {
        self.anchored = true;
    }

    /// The length of a page: one row less than is visible.
    pub fn page_length(&self) -> usize {
        self.height.saturating_sub(1).max(1)
    }

    /// Scrolls as [`ScrollState::scroll_to`]; a row that is followed is brought to the middle unless it is near it.
    pub fn scroll_to_followed(&mut self, at: usize, len: usize, height: usize, is_followed: bool) {
        self.scroll_to(at, len, height);
        let near = self.top + height / 4..self.top + height - height / 4;
        if is_followed && !near.contains(&at) {
            self.top = at
                .saturating_sub(height / 2)
                .min(len.saturating_sub(height));
            self.line = at.saturating_sub(self.top);
        }
    }

    /// Scrolls so that row `at` of `len` is visible on `height` lines, and no further than needed.
    pub fn scroll_to(&mut self, at: usize, len: usize, height: usize) {
        if std::mem::take(&mut self.anchored) {
            self.top = at.saturating_sub(self.line);
        }
        let shown = self.top..self.top + height;
        if !shown.contains(&at) {
            let far = at + height < shown.start || at > shown.end + height;
            self.top = match at < shown.start {
                _ if far => at.saturating_sub(height / 3),
                true => at,
                false => (at + 1).saturating_sub(height),
            };
        }
        self.top = self.top.min(len.saturating_sub(height));
        self.height = height;
        self.line = at.saturating_sub(self.top);
    }
}
