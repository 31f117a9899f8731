//! Standard output, which may go away.

use std::io::{self, Write};

/// A place for lines. When who reads them has gone (`lop … | head -1`), the rest is dropped in silence: the run matters more.
pub struct Out {
    to: Option<Box<dyn Write>>,
}

impl Out {
    /// Standard output.
    pub fn stdout() -> Out {
        Out {
            to: Some(Box::new(io::stdout())),
        }
    }

    /// Writes a line, and sees to it that it can be read at once.
    pub fn line(&mut self, line: &str) {
        self.raw(format!("{line}\n").as_bytes());
    }

    /// Writes bytes as they are.
    pub fn raw(&mut self, bytes: &[u8]) {
        let Some(to) = &mut self.to else { return };
        if to.write_all(bytes).and_then(|()| to.flush()).is_err() {
            self.to = None;
        }
    }
}
