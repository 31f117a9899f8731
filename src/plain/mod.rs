//! The same run without a screen: progress lines for people and logs, or JSON lines for programs; and the sentences with which a run
//! begins and ends, which a screen leaves behind too.

mod about;
mod json;
mod lines;
mod totals;
mod watch;
mod words;

pub use crate::display::Out;
pub use crate::oracle::quoted;
pub use about::About;
pub use json::Json;
pub use lines::Lines;
pub use totals::Totals;
pub use watch::{Voice, watch};
pub use words::{count, grouped, seconds};
