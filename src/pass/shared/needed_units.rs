//! What some declarations need, by the names: a closure over the units of a program.
//!
//! A unit that stays needs all units that a use of it may mean. Of several functions of one name those are meant of which all stays that they name outside of
//! their bodies; in `a::b` the name `b` means what is inside of groups named `a`. What declares no name of its own (a specialisation, an operator, a directive)
//! is needed by no use. It stays if all does that it names before a colon, or if any does ([`ClosureReach`]); the rest it needs. A member that stands outside of its
//! structure stays with the structure, if something that stays uses its name. An empty group stays with another of its name. Nothing here is
//! certain: a wrong closure costs a test.

use rustc_hash::{FxHashMap, FxHashSet};

use super::declaration_units::{DeclarationUnits, UnitDepth};
use super::near_units::find_near;
use crate::program::NodeId;
use crate::program::names::{DeclarationKind, NameSymbol};

/// The units that stay.
#[derive(Debug)]
pub struct NeededUnits {
    /// Whether each of the units and groups stays.
    pub stays: Vec<bool>,
    /// How many units stay.
    pub count: u32,
    /// The units of which the bodies stay whole, if they stay.
    pub whole: FxHashSet<usize>,
}

/// What stays beside some declarations.
#[derive(Clone, Copy, Debug)]
pub struct KeptParts {
    /// What stays of functions.
    pub bodies: KeptBodies,
    /// How many steps away a unit may be whose bodies stay whole (`near_units.rs`).
    pub near: u32,
    /// What stays that no use needs.
    pub reach: ClosureReach,
}

/// How much stays that no use needs by its name.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ClosureReach {
    /// What declares no name stays if all stays that it names, and something of that is a unit.
    Narrow,
    /// It stays if anything stays that it names, as all specialisations of a template, or if no unit is named in it, as in a `#pragma`.
    Wide,
}

/// How much stays of the functions that are needed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeptBodies {
    /// All.
    Whole,
    /// The statement that ends a body.
    End,
    /// Nothing.
    Nothing,
}

impl KeptBodies {
    /// The deepest uses in what stays.
    fn deepest_use(self) -> UnitDepth {
        match self {
            KeptBodies::Whole => UnitDepth::Body,
            KeptBodies::End => UnitDepth::End,
            KeptBodies::Nothing => UnitDepth::Inside,
        }
    }
}

/// Finds what is needed.
struct UnitClosure<'a> {
    units: &'a DeclarationUnits,
    whole: FxHashSet<usize>,
    kept: KeptParts,
    stays: Vec<bool>,
    used_names: FxHashSet<&'a str>,
    /// Sets of functions of one name, of which a use means one.
    overloads: FxHashSet<Vec<usize>>,
    /// The same, where a use may also mean a member of something: with the name.
    possible: FxHashMap<&'a str, &'a [usize]>,
    /// The names of members of what stays.
    kept_members: FxHashSet<&'a str>,
    open: Vec<usize>,
}

/// What these units need, themselves included. What does not stay of the bodies in other units needs nothing.
pub fn find_needed(
    units: &DeclarationUnits,
    roots: &FxHashSet<usize>,
    kept: KeptParts,
) -> NeededUnits {
    let mut closure = UnitClosure {
        units,
        whole: find_near(units, roots, kept.near),
        kept,
        stays: vec![false; units.units.len()],
        used_names: FxHashSet::default(),
        overloads: FxHashSet::default(),
        possible: FxHashMap::default(),
        kept_members: FxHashSet::default(),
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
        whole: closure.whole,
    }
}

impl<'a> UnitClosure<'a> {
    /// Keeps a unit and the groups around it.
    fn keep_unit(&mut self, unit: usize) {
        let mut next = Some(unit);
        while let Some(at) = next.filter(|&at| !self.stays[at]) {
            self.stays[at] = true;
            self.open.push(at);
            next = self.units.units[at].around;
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
            self.keep_overloads();
            if self.open.is_empty() {
                return;
            }
        }
    }

    /// Keeps the functions of a name that can be meant: those of which all stays that they name outside of their bodies. If there is none and the use
    /// means no member, the first.
    fn keep_overloads(&mut self) {
        let sets = self.overloads.iter().map(|set| &set[..]);
        let fitting = sets
            .chain(self.possible.values().copied())
            .flatten()
            .copied();
        let fitting = fitting.filter(|&at| !self.stays[at] && self.can_be_meant(at));
        let mut fitting: Vec<usize> = fitting.collect();
        fitting.sort_unstable();
        fitting.into_iter().for_each(|at| self.keep_if_plain(at));
        if !self.open.is_empty() {
            return;
        }
        let possible = self.possible.iter();
        let possible = possible.filter(|(name, _)| !self.kept_members.contains(**name));
        let sets = self.overloads.iter().map(|set| &set[..]);
        let sets = sets.chain(possible.map(|(_, set)| *set));
        let unmet = sets.filter(|set| !set.iter().any(|&at| self.stays[at]));
        let unmet = unmet.filter_map(|set| set.iter().find(|&&at| self.is_plain(at)));
        if let Some(&first) = unmet.min() {
            self.keep_unit(first);
        }
    }

    /// Whether all stays that the unit names outside of its body.
    fn can_be_meant(&self, at: usize) -> bool {
        let unit = &self.units.units[at];
        let mut named = unit
            .used
            .iter()
            .filter(|used| used.depth == UnitDepth::Head);
        named.all(|used| self.remains(used.symbol))
    }

    /// Whether a unit stays that this may mean, or there is none.
    fn remains(&self, symbol: NameSymbol) -> bool {
        self.units.meant_by(symbol).is_empty() || self.is_kept(symbol)
    }

    /// Whether a unit stays that this may mean.
    fn is_kept(&self, symbol: NameSymbol) -> bool {
        let mut meant = self.units.meant_by(symbol).iter();
        meant.any(|&unit| self.stays[unit])
    }

    /// Whether these units are several functions of one name, all with a body.
    fn are_overloads(&self, meant: &[usize]) -> bool {
        let names = self.units.version.name_graph();
        let is_function = |&at: &usize| {
            let mut declared = self.units.units[at].declared.iter();
            declared
                .any(|&symbol| names.declaration_kind(symbol) == Some(DeclarationKind::Function))
        };
        meant.len() > 1 && meant.iter().all(is_function)
    }

    fn keep_used(&mut self, at: usize) {
        let units = self.units;
        let names = units.version.name_graph();
        let deepest = match self.whole.contains(&at) {
            true => UnitDepth::Body,
            false => self.kept.bodies.deepest_use(),
        };
        let unit = &units.units[at];
        let members = unit.members_declared.iter();
        let members = members.map(|&symbol| &**names.symbol_name(symbol));
        self.kept_members.extend(members);
        for used in &unit.used {
            if used.depth > deepest {
                continue;
            }
            let name: &str = names.symbol_name(used.symbol);
            self.used_names.insert(name);
            let meant = units.meant_by(used.symbol);
            match units.meant_inside(used) {
                Some(inside) => self.keep_meant(&inside),
                None if names.declaration_kind(used.symbol) == Some(DeclarationKind::Member) => {
                    self.possible.insert(name, meant);
                }
                None => self.keep_meant(meant),
            }
            self.keep_imports(name);
        }
        for used in &unit.used_members {
            if used.depth <= deepest {
                self.used_names.insert(names.symbol_name(used.symbol));
            }
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
                self.keep_if_plain(at);
            }
        }
    }

    /// Keeps those of these units that a use can need.
    fn keep_meant(&mut self, meant: &[usize]) {
        if self.are_overloads(meant) {
            self.overloads.insert(meant.to_vec());
            return;
        }
        meant.iter().for_each(|&at| self.keep_if_plain(at));
    }

    /// Keeps a unit that is no group and no member outside of its structure.
    fn keep_if_plain(&mut self, at: usize) {
        if self.is_plain(at) {
            self.keep_unit(at);
        }
    }

    fn is_plain(&self, at: usize) -> bool {
        let unit = &self.units.units[at];
        unit.owners.is_empty() && !unit.is_group()
    }

    /// Whether nothing needs the unit by a name, and all that it names stays.
    fn belongs_to_kept(&self, at: usize) -> bool {
        let unit = &self.units.units[at];
        let names = self.units.version.name_graph();
        if !unit.owners.is_empty() {
            let is_used = |&owner: &NameSymbol| match names.declaration_kind(owner) {
                Some(DeclarationKind::Member) => {
                    self.used_names.contains(&**names.symbol_name(owner))
                }
                _ => self.remains(owner),
            };
            return unit.owners.iter().all(is_used);
        }
        let is_of_group = |&symbol: &NameSymbol| {
            let mut named = self.units.named_units(names.symbol_name(symbol)).iter();
            named.any(|&other| self.stays[other] && self.units.units[other].is_group())
        };
        let names_kept = || unit.subjects.iter().any(|&symbol| self.is_kept(symbol));
        match (unit.declared.is_empty(), self.kept.reach) {
            (true, ClosureReach::Wide) if names_kept() => true,
            (true, ClosureReach::Narrow) if !names_kept() => false,
            (true, _) => unit.subjects.iter().all(|&symbol| self.remains(symbol)),
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
