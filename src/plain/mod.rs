//! The same run without a screen: progress lines for people and logs, or JSON lines for programs; and the sentences with which a run
//! begins and ends, which a screen leaves behind too.

mod about;
mod json;
mod lines;
mod out;
mod totals;
mod watch;
mod words;

pub use crate::oracle::quoted;
pub use about::About;
pub use json::Json;
pub use lines::Lines;
pub use out::Out;
pub use totals::Totals;
pub use watch::{Voice, watch};
pub use words::{count, grouped, seconds, tame, tame_page};
