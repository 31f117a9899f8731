//! Drops what is large on a thread of its own.
//!
//! A large program takes a tenth of a second to drop: its nodes, and the parser's trees even more. Whoever lets go of it last pays for that. The
//! engine receives no command meanwhile, so it hands over what it replaces.

use std::thread::Builder;

use crossbeam_channel::{Sender, unbounded};

/// Drops values on a thread of its own, in their order. The thread ends with the last clone.
#[derive(Clone)]
pub struct Cleaner {
    values: Sender<Box<dyn Send>>,
    threshold: u32,
}

impl Cleaner {
    /// Starts the thread, for what belongs to programs of this number of tokens and more. Where the system gives none, values are dropped at once.
    pub fn start(threshold: u32) -> Cleaner {
        let (values, inbox) = unbounded::<Box<dyn Send>>();
        let thread = Builder::new().name("lop-cleaner".into());
        // Without a receiver each value comes back, and is dropped by its sender.
        let _ = thread.spawn(move || inbox.iter().for_each(drop));
        Cleaner { values, threshold }
    }

    /// Drops what belongs to a program of this number of tokens: at once if that is small, because waking the thread costs more.
    pub fn drop_later(&self, tokens: u32, value: impl Send + 'static) {
        if tokens >= self.threshold {
            let _ = self.values.send(Box::new(value));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Says which thread drops it.
    struct Witness(Sender<Option<String>>);

    impl Drop for Witness {
        fn drop(&mut self) {
            let name = std::thread::current().name().map(str::to_owned);
            let _ = self.0.send(name);
        }
    }

    #[test]
    fn what_is_large_is_dropped_on_another_thread_also_when_the_cleaner_is_gone() {
        let (send, heard) = unbounded();
        let cleaner = Cleaner::start(100);
        cleaner.drop_later(99, Witness(send.clone()));
        let own = std::thread::current().name().map(str::to_owned);
        assert_eq!(heard.try_recv(), Ok(own));
        cleaner.drop_later(100, Witness(send));
        drop(cleaner);
        assert_eq!(heard.recv().ok().flatten().as_deref(), Some("lop-cleaner"));
    }
}
