//! Drawing on cells: a canvas that clips, texts and sentences that fit in a number of cells, toasts, and frames as pictures.

mod animated_svg;
pub mod canvas;
mod frame_svg;
pub mod quoted_text;
pub mod text;
pub mod toast;

pub use animated_svg::render_animation;
pub use frame_svg::render_svg;
