//! What some declarations need, by the names: a closure over the units of a program.
//!
//! A unit that stays needs all units that a use of it may mean. What declares no name of its own (a specialisation, an operator, a directive)
//! is needed by no use. It stays if all does that it names before a colon, or if any does ([`ClosureReach`]); the rest it needs. A member that stands outside of its
//! structure stays with the structure, if something that stays uses its name. An empty group stays with another of its name. Nothing here is
//! certain: a wrong closure costs a test.

use rustc_hash::FxHashSet;

use super::declaration_units::{DeclarationUnits, UnitDepth};
use crate::program::NodeId;
use crate::program::names::{DeclarationKind, NameSymbol};

/// The units that stay.
#[derive(Debug)]
pub struct NeededUnits {
    /// Whether each of the units and groups stays.
    pub stays: Vec<bool>,
    /// How many units stay.
    pub count: u32,
}

/// How much stays that no use needs by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClosureReach {
    /// What declares no name stays if all stays that it names.
    Narrow,
    /// It stays if anything stays that it names: all specialisations of a template.
    Wide,
}

/// Finds what is needed.
struct UnitClosure<'a> {
    units: &'a DeclarationUnits<'a>,
    roots: &'a FxHashSet<usize>,
    with_bodies: bool,
    reach: ClosureReach,
    around: Vec<Option<usize>>,
    stays: Vec<bool>,
    used_names: FxHashSet<&'a str>,
    open: Vec<usize>,
}

/// What these units need, themselves included. Without `with_bodies` the bodies of functions in other units need nothing.
pub fn find_needed(
    units: &DeclarationUnits,
    roots: &FxHashSet<usize>,
    with_bodies: bool,
    reach: ClosureReach,
) -> NeededUnits {
    let mut around = vec![None; units.units.len()];
    for (at, unit) in units.units.iter().enumerate() {
        unit.members
            .iter()
            .for_each(|&member| around[member] = Some(at));
    }
    let mut closure = UnitClosure {
        units,
        roots,
        with_bodies,
        reach,
        around,
        stays: vec![false; units.units.len()],
        used_names: FxHashSet::default(),
        open: Vec::new(),
    };
    let mut first: Vec<usize> = roots.iter().copied().collect();
    first.sort_unstable();
    first.into_iter().for_each(|root| closure.keep_unit(root));
    closure.keep_all();
    let count =
        (0..units.units.len()).filter(|&at| closure.stays[at] && !units.units[at].is_group());
    NeededUnits {
        count: count.count() as u32,
        stays: closure.stays,
    }
}

impl UnitClosure<'_> {
    /// Keeps a unit and the groups around it.
    fn keep_unit(&mut self, unit: usize) {
        let mut next = Some(unit);
        while let Some(at) = next.filter(|&at| !self.stays[at]) {
            self.stays[at] = true;
            self.open.push(at);
            next = self.around[at];
        }
    }

    fn keep_all(&mut self) {
        loop {
            while let Some(at) = self.open.pop() {
                self.keep_used(at);
            }
            let units = &self.units.units;
            for (at, unit) in units.iter().enumerate() {
                if !self.stays[at] && !unit.is_group() && self.belongs_to_kept(at) {
                    self.keep_unit(at);
                }
            }
            if self.open.is_empty() {
                return;
            }
        }
    }

    fn keep_used(&mut self, at: usize) {
        let units = self.units;
        let names = units.version.name_graph();
        let all = self.with_bodies || self.roots.contains(&at);
        for &(depth, symbol) in &units.units[at].used {
            if depth == UnitDepth::Body && !all {
                continue;
            }
            self.used_names.insert(names.symbol_name(symbol));
            self.keep_meant(units.meant_by(symbol));
            self.keep_imports(names.symbol_name(symbol));
        }
        for text in &units.units[at].unread {
            self.keep_meant(units.named_units(text));
        }
        for &symbol in &units.units[at].declared {
            // What it stands for has its name.
            if names.declaration_kind(symbol) == Some(DeclarationKind::Import) {
                self.keep_meant(units.named_units(names.symbol_name(symbol)));
            }
        }
    }

    /// Keeps the imports of a name: a path may lead to one, though the name graph knows what it stands for.
    fn keep_imports(&mut self, name: &str) {
        let names = self.units.version.name_graph();
        for &at in self.units.named_units(name) {
            let mut declared = self.units.units[at].declared.iter();
            if declared
                .any(|&symbol| names.declaration_kind(symbol) == Some(DeclarationKind::Import))
            {
                self.keep_meant(&[at]);
            }
        }
    }

    /// Keeps those of these units that a use can need.
    fn keep_meant(&mut self, meant: &[usize]) {
        for &at in meant {
            let unit = &self.units.units[at];
            if unit.owners.is_empty() && !unit.is_group() {
                self.keep_unit(at);
            }
        }
    }

    /// Whether nothing needs the unit by a name, and all that it names stays.
    fn belongs_to_kept(&self, at: usize) -> bool {
        let unit = &self.units.units[at];
        let names = self.units.version.name_graph();
        let remains = |symbol: NameSymbol| {
            let meant = self.units.meant_by(symbol);
            meant.is_empty() || meant.iter().any(|&unit| self.stays[unit])
        };
        if !unit.owners.is_empty() {
            let is_used = |&owner: &NameSymbol| match names.declaration_kind(owner) {
                Some(DeclarationKind::Member) => {
                    self.used_names.contains(&**names.symbol_name(owner))
                }
                _ => remains(owner),
            };
            return unit.owners.iter().all(is_used);
        }
        let is_of_group = |&symbol: &NameSymbol| {
            let mut named = self.units.named_units(names.symbol_name(symbol)).iter();
            named.any(|&other| self.stays[other] && self.units.units[other].is_group())
        };
        let stays = |&symbol: &NameSymbol| {
            let meant = self.units.meant_by(symbol);
            meant.iter().any(|&unit| self.stays[unit])
        };
        match (unit.declared.is_empty(), self.reach) {
            (true, ClosureReach::Wide) if unit.subjects.iter().any(stays) => true,
            (true, _) => unit.subjects.iter().all(|&symbol| remains(symbol)),
            (false, _) => unit.declared.iter().all(is_of_group),
        }
    }
}

impl NeededUnits {
    /// The nodes that go, none within another.
    pub fn dropped_nodes(&self, units: &DeclarationUnits) -> Vec<NodeId> {
        let mut dropped = Vec::new();
        let mut stack: Vec<usize> = units.outermost.iter().rev().copied().collect();
        while let Some(at) = stack.pop() {
            let unit = &units.units[at];
            match self.stays[at] {
                true => stack.extend(unit.members.iter().rev()),
                false if unit.is_fragment => {}
                false => dropped.push(unit.node.id),
            }
        }
        dropped
    }
}
