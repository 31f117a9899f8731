//! Algorithm 1, preprocessing: no rule derives nothing, and each is reached.
//!
//! A rule that may be nothing becomes one that may not, and `N` becomes `N?` where it stood; at the front of an alternative that is
//! written out, `N x | x`, because the next step looks at what stands there. If the start may be nothing, a new one says so. The
//! order of the rules is that of the text (the paper takes a random one; the result would differ from run to run).

use super::rules::{Alternatives, Rules, Sym, Term, any_nullable, size};

/// `None` if there would be more than `most` terms: written out, what may be nothing at many places grows with their square.
pub(super) fn without_empty(rules: &Rules, most: usize) -> Option<Rules> {
    let nullable = nullable(rules);
    let mut next = rules.clone();
    let mut left = most;
    for body in &mut next.bodies {
        *body = some(body, &nullable, &mut left);
    }
    if left == 0 {
        return None;
    }
    if nullable[rules.start] {
        let body = vec![vec![Term::Sym(Sym::Rule(rules.start))], vec![]];
        next.start = next.add("S".to_owned(), body);
    }
    // A rule that was nothing but nothing.
    let ends = next.ends();
    for body in &mut next.bodies {
        prune(body, &ends);
    }
    Some(next)
}

/// Takes out what has no finite derivation.
fn prune(alternatives: &mut Alternatives, ends: &[bool]) {
    alternatives.retain_mut(|row| {
        let mut fits = true;
        row.retain_mut(|term| match term {
            Term::Sym(Sym::Token(_)) => true,
            Term::Sym(Sym::Rule(rule)) => {
                fits &= ends[*rule];
                true
            }
            term => {
                let may_go = matches!(term, Term::Star(_) | Term::Opt(_));
                let left = term.inner_mut().is_some_and(|inner| {
                    prune(inner, ends);
                    !inner.is_empty()
                });
                fits &= left || may_go;
                left
            }
        });
        fits
    });
}

/// For each rule whether it derives nothing.
fn nullable(rules: &Rules) -> Vec<bool> {
    let mut known = vec![false; rules.names.len()];
    loop {
        let before = known.clone();
        for (rule, body) in rules.bodies.iter().enumerate() {
            known[rule] = known[rule] || any_nullable(body, &before);
        }
        if known == before {
            return known;
        }
    }
}

/// What the alternatives derive, but not nothing. As many terms as are made are taken from `left`, and none are made without.
fn some(alternatives: &Alternatives, nullable: &[bool], left: &mut usize) -> Alternatives {
    let mut out: Alternatives = Vec::new();
    for row in alternatives {
        for row in some_of_row(row, nullable, left) {
            if !out.contains(&row) {
                out.push(row);
            }
        }
    }
    out
}

fn some_of_row(row: &[Term], nullable: &[bool], left: &mut usize) -> Alternatives {
    let cleaned: Vec<Term> = row
        .iter()
        .filter_map(|term| without_hidden(term, nullable, left))
        .collect();
    let may_go = |term: &Term| matches!(term, Term::Star(_) | Term::Opt(_));
    let all_may_go = cleaned.iter().all(may_go);
    let mut rows = Vec::new();
    for (at, term) in cleaned.iter().enumerate() {
        let by_rule = is_nullable_rule(term, nullable);
        let rest = &cleaned[at + 1..];
        *left = left.saturating_sub(size(&[cleaned[at..].to_vec()]));
        if *left == 0 {
            break;
        }
        if all_may_go || by_rule {
            rows.extend(at_least_once(term).into_iter().map(|mut row| {
                row.extend_from_slice(rest);
                row
            }));
        }
        if !all_may_go && !by_rule {
            rows.push(cleaned[at..].to_vec());
            break;
        }
    }
    rows
}

/// Whether the term is `N?` of a rule that was nullable.
fn is_nullable_rule(term: &Term, nullable: &[bool]) -> bool {
    match term {
        Term::Opt(inner) => match &inner[..] {
            [row] => matches!(row[..], [Term::Sym(Sym::Rule(rule))] if nullable[rule]),
            _ => false,
        },
        _ => false,
    }
}

/// The term with nothing inside it that may be nothing without a quantifier that says so. `None` if it is nothing.
fn without_hidden(term: &Term, nullable: &[bool], left: &mut usize) -> Option<Term> {
    let may_be_nothing = term.nullable(nullable);
    let inner = match term {
        Term::Sym(Sym::Rule(rule)) if nullable[*rule] => {
            return Some(Term::Opt(vec![vec![term.clone()]]));
        }
        Term::Sym(_) => return Some(term.clone()),
        term => some(term.inner()?, nullable, left),
    };
    if inner.is_empty() {
        return None;
    }
    Some(match term {
        Term::Star(_) => Term::Star(inner),
        Term::Plus(_) if may_be_nothing => Term::Star(inner),
        Term::Plus(_) => Term::Plus(inner),
        _ if may_be_nothing => Term::Opt(inner),
        _ => Term::Group(inner),
    })
}

/// A term that may be nothing, as one that is not.
fn at_least_once(term: &Term) -> Alternatives {
    match term {
        Term::Opt(inner) => inner.clone(),
        Term::Star(inner) => vec![vec![Term::Plus(inner.clone())]],
        term => vec![vec![term.clone()]],
    }
}
