//! What holds the processes of a test together.

use std::fmt;

/// How sure it is that nothing of a test is left when it is over.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Containment {
    /// Each test has a helper around it: all that descends from the test is killed at its end, and if lop dies.
    Helper,
    /// A process group: what leaves it may live until the end of the run. With the reason why there is no helper, if one was wanted.
    Group(Option<String>),
}

/// For the user: what is done, and why no more.
impl fmt::Display for Containment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Containment::Helper => write!(
                f,
                "each test runs in a helper process, and all that it starts ends with it"
            ),
            Containment::Group(reason) => {
                write!(f, "each test runs in a process group")?;
                match reason {
                    Some(reason) => write!(f, ", for want of a helper process: {reason}"),
                    None => Ok(()),
                }
            }
        }
    }
}
