//! Pages that lie over the panes, one file each. A page is a value behind the trait [`page::OverlayPage`].

pub mod candidate;
pub mod contrast;
pub mod difference;
pub mod file;
pub mod help;
pub mod hunk;
pub mod inspection;
pub mod kind;
pub mod page;
pub mod pass;
pub mod property;
pub mod result;
mod result_preview;
pub mod stall;
pub mod steering;
pub mod text_page;
pub mod verdict;
pub mod words;
