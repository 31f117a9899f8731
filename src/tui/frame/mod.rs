//! One frame: the line at the top, the panes, the pages, the prompt, and the line at the bottom.

mod draw_frame;
mod footer;
mod header;
