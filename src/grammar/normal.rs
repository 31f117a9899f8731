//! Bringing expressions into normal form while they are made.
//!
//! Perses (ICSE'18, Algorithm 1) rewrites a grammar until every repetition is a quantifier. A tree-sitter grammar has quantifiers
//! already, but writes lists the long way: `x ("," x)*`. Read literally, the first `x` could never go. So the constructors here
//! find lists (`Sep`, `Plus`), turn blanks into `Opt`, and take what the members of a choice share out of it
//! (`l "+" r | l "-" r` is `l ("+" | "-") r`). None of that changes what an expression derives.

use super::expression::{Arena, Ex, ExId};

impl Arena {
    /// Any number of `inner`.
    pub fn star(&mut self, inner: ExId) -> ExId {
        match *self.get(inner) {
            Ex::Blank | Ex::Star(_) => inner,
            Ex::Opt(inner) | Ex::Plus(inner) => self.star(inner),
            _ => self.intern(Ex::Star(inner)),
        }
    }

    /// At least one `inner`.
    pub fn plus(&mut self, inner: ExId) -> ExId {
        match *self.get(inner) {
            Ex::Blank | Ex::Star(_) | Ex::Plus(_) => inner,
            Ex::Opt(inner) => self.star(inner),
            _ => self.intern(Ex::Plus(inner)),
        }
    }

    /// `inner` or nothing.
    pub fn opt(&mut self, inner: ExId) -> ExId {
        match *self.get(inner) {
            Ex::Blank | Ex::Star(_) | Ex::Opt(_) => inner,
            Ex::Plus(inner) => self.star(inner),
            _ => self.intern(Ex::Opt(inner)),
        }
    }

    /// One of `members`.
    pub fn choice(&mut self, members: Vec<ExId>) -> ExId {
        let mut nothing = false;
        let mut flat: Vec<ExId> = Vec::new();
        // A stack in reverse keeps the order of the members.
        let mut open: Vec<ExId> = members.into_iter().rev().collect();
        while let Some(member) = open.pop() {
            match self.get(member) {
                Ex::Blank => nothing = true,
                Ex::Opt(inner) => {
                    nothing = true;
                    open.push(*inner);
                }
                Ex::Choice(inner) => open.extend(inner.iter().rev()),
                _ if flat.contains(&member) => {}
                _ => flat.push(member),
            }
        }
        let one_of = match flat.len() {
            0 => self.intern(Ex::Blank),
            1 => flat[0],
            _ => self.shared_taken_out(flat),
        };
        if nothing { self.opt(one_of) } else { one_of }
    }

    /// A choice of at least two different members, with what they all begin or end with taken out.
    fn shared_taken_out(&mut self, members: Vec<ExId>) -> ExId {
        if let Some((name, inners)) = self.one_field(&members) {
            let inner = self.choice(inners);
            return self.field(&name, inner);
        }
        let rows: Vec<Vec<ExId>> = members.iter().map(|&m| self.members(m)).collect();
        let shortest = rows.iter().map(Vec::len).min().unwrap_or(0);
        let same = |at: &dyn Fn(&Vec<ExId>) -> ExId| rows.iter().all(|row| at(row) == at(&rows[0]));
        let head = (0..shortest).take_while(|&i| same(&|row| row[i])).count();
        let tail = (0..shortest - head)
            .take_while(|&i| same(&|row| row[row.len() - 1 - i]))
            .count();
        if head + tail == 0 {
            return self.intern(Ex::Choice(members));
        }
        let middles: Vec<ExId> = rows
            .iter()
            .map(|row| self.seq(row[head..row.len() - tail].to_vec()))
            .collect();
        let middle = self.choice(middles);
        let mut all = rows[0][..head].to_vec();
        all.push(middle);
        all.extend(&rows[0][rows[0].len() - tail..]);
        self.seq(all)
    }

    /// If all members are fields of one name: the name, and what is inside them.
    fn one_field(&self, members: &[ExId]) -> Option<(Box<str>, Vec<ExId>)> {
        let mut shared: Option<&str> = None;
        let mut inners = Vec::new();
        for &member in members {
            let Ex::Field { name, inner } = self.get(member) else {
                return None;
            };
            if **shared.get_or_insert(name) != **name {
                return None;
            }
            inners.push(*inner);
        }
        shared.map(|name| (name.into(), inners))
    }

    /// The members of a sequence; an expression that is none is a sequence of one.
    fn members(&self, ex: ExId) -> Vec<ExId> {
        match self.get(ex) {
            Ex::Seq(members) => members.clone(),
            Ex::Blank => Vec::new(),
            _ => vec![ex],
        }
    }

    /// `members` one after the other.
    pub fn seq(&mut self, members: Vec<ExId>) -> ExId {
        let flat: Vec<ExId> = members.into_iter().flat_map(|m| self.members(m)).collect();
        let mut out: Vec<ExId> = Vec::new();
        let mut next = 0;
        while next < flat.len() {
            let member = flat[next];
            next += 1;
            let Ex::Star(body) = *self.get(member) else {
                out.push(member);
                continue;
            };
            let body = self.members(body);
            if let Some((covered, list)) = self.list_begun(&out, &body) {
                out.truncate(out.len() - covered);
                out.push(list);
            } else if let Some((covered, list)) = self.list_ended(&body, &flat[next..]) {
                next += covered;
                out.push(list);
            } else {
                out.push(member);
            }
        }
        match out.len() {
            0 => self.intern(Ex::Blank),
            1 => out[0],
            _ => self.intern(Ex::Seq(out)),
        }
    }

    /// `x (separator x)*`: the list, and how many of the expressions `before` the repeat are its first element.
    fn list_begun(&mut self, before: &[ExId], body: &[ExId]) -> Option<(usize, ExId)> {
        let most = body.len().min(before.len());
        for covered in (1..=most).rev() {
            let (separator, element) = body.split_at(body.len() - covered);
            if before.ends_with(element)
                && let Some(list) = self.list(element, separator)
            {
                return Some((covered, list));
            }
        }
        None
    }

    /// `(x separator)* x`: the list, and how many of the expressions `after` the repeat are its last element.
    fn list_ended(&mut self, body: &[ExId], after: &[ExId]) -> Option<(usize, ExId)> {
        let most = body.len().min(after.len());
        for covered in (1..=most).rev() {
            let (element, separator) = body.split_at(covered);
            if after.starts_with(element)
                && let Some(list) = self.list(element, separator)
            {
                return Some((covered, list));
            }
        }
        None
    }

    fn list(&mut self, element: &[ExId], separator: &[ExId]) -> Option<ExId> {
        let element = self.seq(element.to_vec());
        if separator.is_empty() {
            return Some(self.plus(element));
        }
        // Part i of a list is element i; an element without children could not keep its place.
        if self.is_empty_match(element) {
            return None;
        }
        let separator = self.seq(separator.to_vec());
        let further = self.intern_further(separator, element);
        Some(self.intern(Ex::Sep {
            element,
            separator,
            further,
        }))
    }

    /// The sequence of a separator and an element, with the element left whole: it is one part of its item.
    fn intern_further(&mut self, separator: ExId, element: ExId) -> ExId {
        let mut members = self.members(separator);
        members.push(element);
        self.intern(Ex::Seq(members))
    }
}
