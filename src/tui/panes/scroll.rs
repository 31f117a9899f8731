//! Where a list of rows or lines is scrolled to.

/// A place in a list of rows or lines.
#[derive(Clone, Copy, Debug, Default)]
pub struct ScrollState {
    /// The first that is visible.
    pub top: usize,
    /// How many are visible, as of the last frame.
    pub height: usize,
    /// How far below the top the selected one was in the last frame.
    line: usize,
    /// The rows changed under the selection: it stays where it is on the screen.
    anchored: bool,
}

impl ScrollState {
    /// The rows change under the selection: in the next frame it stays where it is on the screen.
    pub fn anchor_selection(&mut self) {
        self.anchored = true;
    }

    /// How far a page is: a line less than is visible.
    pub fn page_length(&self) -> usize {
        self.height.saturating_sub(1).max(1)
    }

    /// Scrolls so that number `at` of `len` is visible on `height` lines, moving no more than needed.
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
