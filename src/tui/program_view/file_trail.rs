//! Where the user was in other files of a project, to go back and forth.

use crate::program::{NodeId, Version};

/// The most places that are kept.
const MOST_PLACES: usize = 100;

/// The places before the present one and those after it, each by its node.
#[derive(Debug, Default)]
pub struct FileTrail {
    before: Vec<NodeId>,
    after: Vec<NodeId>,
}

impl FileTrail {
    /// The user leaves a place for one in another file.
    pub fn record_leave(&mut self, place: NodeId) {
        self.after.clear();
        self.before.push(place);
        if self.before.len() > MOST_PLACES {
            self.before.remove(0);
        }
    }

    /// The last place before the present one that is still there, or with `back` false the next one after it.
    pub fn step(
        &mut self,
        version: &Version,
        present: Option<NodeId>,
        back: bool,
    ) -> Option<NodeId> {
        let (from, to) = match back {
            true => (&mut self.before, &mut self.after),
            false => (&mut self.after, &mut self.before),
        };
        let place = loop {
            let place = from.pop()?;
            if version.path_to(place).is_some() {
                break place;
            }
        };
        to.extend(present);
        Some(place)
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use super::*;
    use crate::program::read_program;

    #[test]
    fn the_way_back_leads_over_what_is_still_there() {
        let file = |name: &str| (Path::new(name).into(), b"int a;\n".as_slice().into());
        let version = read_program(vec![file("a.c"), file("b.c"), file("c.c")]).expect("files");
        let [a, b, c] = [0, 1, 2].map(|at| version.documents()[at].root.id);
        let gone = NodeId(u64::MAX);
        let mut trail = FileTrail::default();
        for place in [a, gone, b] {
            trail.record_leave(place);
        }
        assert_eq!(trail.step(&version, Some(c), true), Some(b));
        assert_eq!(trail.step(&version, Some(b), true), Some(a));
        assert_eq!(trail.step(&version, Some(a), true), None);
        assert_eq!(trail.step(&version, Some(a), false), Some(b));
        assert_eq!(trail.step(&version, Some(b), false), Some(c));
        trail.record_leave(c);
        assert_eq!(trail.step(&version, Some(a), false), None, "a new way");
    }
}
