//! Converting expressions into normal form while they are built.
//!
//! Perses (ICSE'18, Algorithm 1) rewrites a grammar until every repetition is a quantifier. A tree-sitter grammar has quantifiers already,
//! but writes lists as `x ("," x)*`. Read literally, the first `x` could never be removed. So the constructors here find lists (`Sep`,
//! `Plus`), turn blanks into `Opt`, and factor out what the members of a choice share (`l "+" r | l "-" r` is `l ("+" | "-") r`). This does
//! not change what an expression derives.

use super::expression::{ExprArena, ExprId, GrammarExpr};

impl ExprArena {
    /// Any number of `inner`.
    pub fn add_star(&mut self, inner: ExprId) -> ExprId {
        match *self.get(inner) {
            GrammarExpr::Blank | GrammarExpr::Star(_) => inner,
            GrammarExpr::Opt(inner) | GrammarExpr::Plus(inner) => self.add_star(inner),
            _ => self.intern(GrammarExpr::Star(inner)),
        }
    }

    /// At least one `inner`.
    pub fn add_plus(&mut self, inner: ExprId) -> ExprId {
        match *self.get(inner) {
            GrammarExpr::Blank | GrammarExpr::Star(_) | GrammarExpr::Plus(_) => inner,
            GrammarExpr::Opt(inner) => self.add_star(inner),
            _ => self.intern(GrammarExpr::Plus(inner)),
        }
    }

    /// Zero or one `inner`.
    pub fn add_opt(&mut self, inner: ExprId) -> ExprId {
        match *self.get(inner) {
            GrammarExpr::Blank | GrammarExpr::Star(_) | GrammarExpr::Opt(_) => inner,
            GrammarExpr::Plus(inner) => self.add_star(inner),
            _ => self.intern(GrammarExpr::Opt(inner)),
        }
    }

    /// One of `members`.
    pub fn add_choice(&mut self, members: Vec<ExprId>) -> ExprId {
        let mut nothing = false;
        let mut flat: Vec<ExprId> = Vec::new();
        // A stack in reverse keeps the order of the members.
        let mut open: Vec<ExprId> = members.into_iter().rev().collect();
        while let Some(member) = open.pop() {
            match self.get(member) {
                GrammarExpr::Blank => nothing = true,
                GrammarExpr::Opt(inner) => {
                    nothing = true;
                    open.push(*inner);
                }
                GrammarExpr::Choice(inner) => open.extend(inner.iter().rev()),
                _ if flat.contains(&member) => {}
                _ => flat.push(member),
            }
        }
        let one_of = match flat.len() {
            0 => self.intern(GrammarExpr::Blank),
            1 => flat[0],
            _ => self.factor_common(flat),
        };
        if nothing {
            self.add_opt(one_of)
        } else {
            one_of
        }
    }

    /// A choice of at least two different members, with common beginnings and ends factored out.
    fn factor_common(&mut self, members: Vec<ExprId>) -> ExprId {
        if let Some((name, inners)) = self.common_field(&members) {
            let inner = self.add_choice(inners);
            return self.add_field(&name, inner);
        }
        let sequences: Vec<Vec<ExprId>> =
            members.iter().map(|&m| self.sequence_members(m)).collect();
        let shortest = sequences.iter().map(Vec::len).min().unwrap_or(0);
        let same = |at: &dyn Fn(&Vec<ExprId>) -> ExprId| {
            sequences
                .iter()
                .all(|sequence| at(sequence) == at(&sequences[0]))
        };
        let head = (0..shortest)
            .take_while(|&i| same(&|sequence| sequence[i]))
            .count();
        let tail = (0..shortest - head)
            .take_while(|&i| same(&|sequence| sequence[sequence.len() - 1 - i]))
            .count();
        if head + tail == 0 {
            return self.intern(GrammarExpr::Choice(members));
        }
        let middles: Vec<ExprId> = sequences
            .iter()
            .map(|sequence| self.add_seq(sequence[head..sequence.len() - tail].to_vec()))
            .collect();
        let middle = self.add_choice(middles);
        let mut all = sequences[0][..head].to_vec();
        all.push(middle);
        all.extend(&sequences[0][sequences[0].len() - tail..]);
        self.add_seq(all)
    }

    /// If all members are fields of one name: the name, and what is inside them.
    fn common_field(&self, members: &[ExprId]) -> Option<(Box<str>, Vec<ExprId>)> {
        let mut shared: Option<&str> = None;
        let mut inners = Vec::new();
        for &member in members {
            let GrammarExpr::Field { name, inner } = self.get(member) else {
                return None;
            };
            if **shared.get_or_insert(name) != **name {
                return None;
            }
            inners.push(*inner);
        }
        shared.map(|name| (name.into(), inners))
    }

    /// The members of a sequence; any other expression is a sequence of one.
    fn sequence_members(&self, ex: ExprId) -> Vec<ExprId> {
        match self.get(ex) {
            GrammarExpr::Seq(members) => members.clone(),
            GrammarExpr::Blank => Vec::new(),
            _ => vec![ex],
        }
    }

    /// `members` in order.
    pub fn add_seq(&mut self, members: Vec<ExprId>) -> ExprId {
        let flat: Vec<ExprId> = members
            .into_iter()
            .flat_map(|m| self.sequence_members(m))
            .collect();
        let mut out: Vec<ExprId> = Vec::new();
        let mut next = 0;
        while next < flat.len() {
            let member = flat[next];
            next += 1;
            let GrammarExpr::Star(body) = *self.get(member) else {
                out.push(member);
                continue;
            };
            let body = self.sequence_members(body);
            if let Some((covered, list)) = self.match_list_before(&out, &body) {
                out.truncate(out.len() - covered);
                out.push(list);
            } else if let Some((covered, list)) = self.match_list_after(&body, &flat[next..]) {
                next += covered;
                out.push(list);
            } else {
                out.push(member);
            }
        }
        match out.len() {
            0 => self.intern(GrammarExpr::Blank),
            1 => out[0],
            _ => self.intern(GrammarExpr::Seq(out)),
        }
    }

    /// `x (separator x)*`: the list, and how many of the expressions `before` the repeat belong to its first element.
    fn match_list_before(&mut self, before: &[ExprId], body: &[ExprId]) -> Option<(usize, ExprId)> {
        let most = body.len().min(before.len());
        for covered in (1..=most).rev() {
            let (separator, element) = body.split_at(body.len() - covered);
            if before.ends_with(element)
                && let Some(list) = self.add_list(element, separator)
            {
                return Some((covered, list));
            }
        }
        None
    }

    /// `(x separator)* x`: the list, and how many of the expressions `after` the repeat belong to its last element.
    fn match_list_after(&mut self, body: &[ExprId], after: &[ExprId]) -> Option<(usize, ExprId)> {
        let most = body.len().min(after.len());
        for covered in (1..=most).rev() {
            let (element, separator) = body.split_at(covered);
            if after.starts_with(element)
                && let Some(list) = self.add_list(element, separator)
            {
                return Some((covered, list));
            }
        }
        None
    }

    fn add_list(&mut self, element: &[ExprId], separator: &[ExprId]) -> Option<ExprId> {
        let element = self.add_seq(element.to_vec());
        if separator.is_empty() {
            return Some(self.add_plus(element));
        }
        // Part i of a list is element i; an element without children could not keep its place.
        if self.is_empty_match(element) {
            return None;
        }
        let separator = self.add_seq(separator.to_vec());
        let further = self.intern_further(separator, element);
        Some(self.intern(GrammarExpr::Sep {
            element,
            separator,
            further,
        }))
    }

    /// The sequence of a separator and an element, with the element as one part of its item.
    fn intern_further(&mut self, separator: ExprId, element: ExprId) -> ExprId {
        let mut members = self.sequence_members(separator);
        members.push(element);
        self.intern(GrammarExpr::Seq(members))
    }
}
