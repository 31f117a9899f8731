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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_panic_said_is_told() {
        let said = |panic: Box<dyn Any + Send>| panic_message(&*panic);
        assert_eq!(said(Box::new("a fault")), "a fault");
        assert_eq!(said(Box::new(format!("fault {}", 3))), "fault 3");
        assert_eq!(said(Box::new(3)), "it did not say why");
    }
}
