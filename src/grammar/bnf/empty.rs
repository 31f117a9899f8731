//! Algorithm 1, preprocessing: no rule derives nothing, and each is reached.
//!
//! A rule that may be nothing becomes one that may not, and `N` becomes `N?` where it stood; at the front of an alternative that is
//! written out, `N x | x`, because the next step looks at what stands there. If the start may be nothing, a new one says so. The
//! order of the rules is that of the text (the paper takes a random one; the result would differ from run to run).

use super::rules::{Alternatives, BnfRules, RuleTerm, SymbolId, any_nullable, count_terms};

/// `None` if there would be more than `most` terms: written out, what may be nothing at many places grows with their square.
pub(super) fn remove_empty_rules(rules: &BnfRules, most: usize) -> Option<BnfRules> {
    let nullable = find_nullable(rules);
    let mut next = rules.clone();
    let mut left = most;
    for body in &mut next.bodies {
        *body = nonempty_alternatives(body, &nullable, &mut left);
    }
    if left == 0 {
        return None;
    }
    if nullable[rules.start] {
        let body = vec![vec![RuleTerm::Sym(SymbolId::Rule(rules.start))], vec![]];
        next.start = next.add_rule("S".to_owned(), body);
    }
    // A rule that was nothing but nothing.
    let ends = next.find_productive();
    for body in &mut next.bodies {
        prune_unproductive(body, &ends);
    }
    Some(next)
}

/// Takes out what has no finite derivation.
fn prune_unproductive(alternatives: &mut Alternatives, ends: &[bool]) {
    alternatives.retain_mut(|sequence| {
        let mut fits = true;
        sequence.retain_mut(|term| match term {
            RuleTerm::Sym(SymbolId::Token(_)) => true,
            RuleTerm::Sym(SymbolId::Rule(rule)) => {
                fits &= ends[*rule];
                true
            }
            term => {
                let may_go = matches!(term, RuleTerm::Star(_) | RuleTerm::Opt(_));
                let left = term.inner_mut().is_some_and(|inner| {
                    prune_unproductive(inner, ends);
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
fn find_nullable(rules: &BnfRules) -> Vec<bool> {
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
fn nonempty_alternatives(
    alternatives: &Alternatives,
    nullable: &[bool],
    left: &mut usize,
) -> Alternatives {
    let mut out: Alternatives = Vec::new();
    for sequence in alternatives {
        for sequence in nonempty_sequences(sequence, nullable, left) {
            if !out.contains(&sequence) {
                out.push(sequence);
            }
        }
    }
    out
}

fn nonempty_sequences(sequence: &[RuleTerm], nullable: &[bool], left: &mut usize) -> Alternatives {
    let cleaned: Vec<RuleTerm> = sequence
        .iter()
        .filter_map(|term| quantify_nullable(term, nullable, left))
        .collect();
    let may_go = |term: &RuleTerm| matches!(term, RuleTerm::Star(_) | RuleTerm::Opt(_));
    let all_may_go = cleaned.iter().all(may_go);
    let mut sequences = Vec::new();
    for (at, term) in cleaned.iter().enumerate() {
        let by_rule = is_nullable_option(term, nullable);
        let rest = &cleaned[at + 1..];
        *left = left.saturating_sub(count_terms(&[cleaned[at..].to_vec()]));
        if *left == 0 {
            break;
        }
        if all_may_go || by_rule {
            sequences.extend(at_least_once(term).into_iter().map(|mut sequence| {
                sequence.extend_from_slice(rest);
                sequence
            }));
        }
        if !all_may_go && !by_rule {
            sequences.push(cleaned[at..].to_vec());
            break;
        }
    }
    sequences
}

/// Whether the term is `N?` of a rule that was nullable.
fn is_nullable_option(term: &RuleTerm, nullable: &[bool]) -> bool {
    match term {
        RuleTerm::Opt(inner) => match &inner[..] {
            [sequence] => {
                matches!(sequence[..], [RuleTerm::Sym(SymbolId::Rule(rule))] if nullable[rule])
            }
            _ => false,
        },
        _ => false,
    }
}

/// The term with nothing inside it that may be nothing without a quantifier that says so. `None` if it is nothing.
fn quantify_nullable(term: &RuleTerm, nullable: &[bool], left: &mut usize) -> Option<RuleTerm> {
    let may_be_nothing = term.is_nullable(nullable);
    let inner = match term {
        RuleTerm::Sym(SymbolId::Rule(rule)) if nullable[*rule] => {
            return Some(RuleTerm::Opt(vec![vec![term.clone()]]));
        }
        RuleTerm::Sym(_) => return Some(term.clone()),
        term => nonempty_alternatives(term.inner()?, nullable, left),
    };
    if inner.is_empty() {
        return None;
    }
    Some(match term {
        RuleTerm::Star(_) => RuleTerm::Star(inner),
        RuleTerm::Plus(_) if may_be_nothing => RuleTerm::Star(inner),
        RuleTerm::Plus(_) => RuleTerm::Plus(inner),
        _ if may_be_nothing => RuleTerm::Opt(inner),
        _ => RuleTerm::Group(inner),
    })
}

/// A term that may be nothing, as one that is not.
fn at_least_once(term: &RuleTerm) -> Alternatives {
    match term {
        RuleTerm::Opt(inner) => inner.clone(),
        RuleTerm::Star(inner) => vec![vec![RuleTerm::Plus(inner.clone())]],
        term => vec![vec![term.clone()]],
    }
}
