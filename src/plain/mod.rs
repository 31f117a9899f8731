//! Reports on a run without a screen: progress lines for people and logs, or JSON lines for programs. The first and last sentences of a
//! run are printed with a screen too.

mod decision_line;
mod format;
mod json;
mod lesson;
mod lines;
mod reporter;
mod run_header;
mod summary;
mod unified_diff;

pub use crate::display::ConsoleWriter;
pub use crate::oracle::quote_path_for_display;
pub use format::format_duration;
pub use json::JsonReporter;
pub use lesson::{LessonLines, LessonListener, play_lesson};
pub use lines::LineReporter;
pub use reporter::{RunReporter, follow_run};
pub use run_header::{GeneratorHeader, PairHeader, RunHeader};
pub use summary::{RunSummary, start_cpu_clock};
pub use unified_diff::unified_diff;
