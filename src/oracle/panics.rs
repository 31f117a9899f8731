//! Faults of lop itself: whoever waits for an answer of a thread gets one though the thread panicked.

use std::any::Any;
use std::panic::{AssertUnwindSafe, catch_unwind};

/// Does this, or says in which words it panicked. What it had in its hands may be half done: the caller takes it anew.
///
/// # Errors
/// When it panicked.
pub fn catch_panic<T>(does: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(does)).map_err(|panic| panic_message(&*panic))
}

/// What a panic said.
fn panic_message(panic: &(dyn Any + Send)) -> String {
    let text = panic.downcast_ref::<&str>().map(|text| (*text).to_owned());
    let text = text.or_else(|| panic.downcast_ref::<String>().cloned());
    text.unwrap_or_else(|| "it did not say why".into())
}
