//! What a test in a sandbox may open to write to: what lies in its own directories, its devices, and `/proc`, which is read-only where it
//! matters.
//!
//! A read-only mount prevents no write to a named pipe, and a program that reads at its other end may take that for an order. So the
//! kernel is told where files, pipes included, may be opened for writing (Landlock). A process under Landlock can mount nothing any more, in any
//! namespace. Where the kernel is older than 5.19, or has it switched off, it is left out: the first version of it forbade to move files too.

use std::io;
use std::path::{Path, PathBuf};

use landlock::{
    AccessFs, BitFlags, CompatLevel, Compatible, PathBeneath, PathFd, Ruleset, RulesetAttr,
    RulesetCreatedAttr, RulesetError,
};

use crate::oracle::private_dirs;

/// Restricts this process and all that it starts: nothing else can be opened for writing.
pub(super) fn keep_to(room: &Path) -> io::Result<()> {
    let [dev, proc] = ["/dev", "/proc"].map(PathBuf::from);
    let places = [
        private_dirs::writable_dirs(),
        vec![room.to_path_buf(), dev, proc],
    ]
    .concat();
    let opened = places.iter().map(|place| open(place));
    let opened: Vec<PathFd> = opened.collect::<io::Result<_>>()?;
    restrict(open(Path::new("/"))?, opened)
        .map_err(|error| io::Error::other(format!("restricting what can be written: {error}")))
}

fn open(place: &Path) -> io::Result<PathFd> {
    PathFd::new(place).map_err(io::Error::other)
}

fn restrict(all: PathFd, places: Vec<PathFd>) -> Result<(), RulesetError> {
    // Files are moved from one directory to another as before, if the one may be written to as the other.
    let moves = BitFlags::from(AccessFs::Refer);
    let mut rules = Ruleset::default()
        .set_compatibility(CompatLevel::SoftRequirement)
        .handle_access(moves | AccessFs::WriteFile)?
        .create()?
        .add_rule(PathBeneath::new(all, moves))?;
    for place in places {
        rules = rules.add_rule(PathBeneath::new(place, moves | AccessFs::WriteFile))?;
    }
    rules.restrict_self().map(drop)
}
