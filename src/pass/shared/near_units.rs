//! Which units are few steps away from some: a step leads from a unit to what its names may mean, and from a structure or a template to its
//! members that stand outside and to its specialisations.

use rustc_hash::{FxHashMap, FxHashSet};

use super::declaration_units::DeclarationUnits;

/// These units, and those at most this number of steps away.
pub fn find_near(
    units: &DeclarationUnits,
    roots: &FxHashSet<usize>,
    steps: u32,
) -> FxHashSet<usize> {
    let mut near = roots.clone();
    if steps == 0 {
        return near;
    }
    let mut attached: FxHashMap<usize, Vec<usize>> = FxHashMap::default();
    for (at, unit) in units.units.iter().enumerate() {
        let subjects = unit.subjects.iter().filter(|_| unit.declared.is_empty());
        for &symbol in subjects.chain(&unit.owners) {
            for &to in units.meant_by(symbol) {
                attached.entry(to).or_default().push(at);
            }
        }
    }
    let mut last: Vec<usize> = roots.iter().copied().collect();
    for _ in 0..steps {
        let next = last.iter().flat_map(|at| {
            let used = units.units[*at].used.iter();
            let meant = used.flat_map(|used| {
                let inside = units.meant_inside(used);
                inside.unwrap_or_else(|| units.meant_by(used.symbol).to_vec())
            });
            let beside = attached.get(at).into_iter().flatten().copied();
            meant.chain(beside).collect::<Vec<_>>()
        });
        let next = next.filter(|&at| !units.units[at].is_group());
        let next: Vec<usize> = next.filter(|at| !near.contains(at)).collect();
        last = next.into_iter().filter(|&at| near.insert(at)).collect();
    }
    near
}
