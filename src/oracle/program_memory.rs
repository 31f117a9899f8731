//! The programs that a generator made of sequences of choices lately.

use std::collections::VecDeque;
use std::fs;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};

use super::output::read_whole_file;

/// How many programs are remembered.
const REMEMBERED: usize = 64;

/// A listing, and the program that was made of it.
type MadeProgram = (Arc<[u8]>, Arc<[u8]>);

/// The programs of the sequences that were interesting lately.
#[derive(Debug, Default)]
pub struct ProgramMemory(Mutex<VecDeque<MadeProgram>>);

impl ProgramMemory {
    /// Remembers what was made of a listing.
    pub fn keep_program(&self, sequence: &Arc<[u8]>, program: &Arc<[u8]>) {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        known.retain(|(other, _)| other != sequence);
        known.push_back((sequence.clone(), program.clone()));
        let excess = known.len().saturating_sub(REMEMBERED);
        known.drain(..excess);
    }

    /// What was made of a listing lately.
    pub fn find_program(&self, sequence: &[u8]) -> Option<Arc<[u8]>> {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let mut known = known.iter();
        known.find_map(|(other, program)| (**other == *sequence).then(|| program.clone()))
    }
}

/// The program that a generator has written. The file is removed: what is in the directory of a test should be the test's.
pub(super) fn take_program(path: &Path) -> Option<Arc<[u8]>> {
    let program = read_whole_file(path).map(Arc::from);
    // The directory is removed in any case, only more slowly.
    let _ = fs::remove_file(path);
    program
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_latest_programs_are_remembered() {
        let memory = ProgramMemory::default();
        let bytes = |number: usize| -> Arc<[u8]> { number.to_string().into_bytes().into() };
        for number in 0..=REMEMBERED {
            memory.keep_program(&bytes(number), &bytes(number));
        }
        memory.keep_program(&bytes(1), &bytes(7));
        assert_eq!(memory.find_program(b"0"), None);
        assert_eq!(memory.find_program(b"1"), Some(bytes(7)));
        assert_eq!(memory.find_program(b"2"), Some(bytes(2)));
    }
}
