//! Algorithm 1, preprocessing: afterwards no rule derives the empty text, and each rule can be reached.
//!
//! A rule that may be empty becomes one that may not, and its uses `N` become `N?`. At the front of an alternative this is written out as
//! `N x | x`, because the next step looks at what stands there. If the start may be empty, a new start rule says so. The order of the rules
//! is that of the text; the paper chooses a random one, and its result would differ from run to run.

use super::rules::{Alternatives, BnfRules, RuleTerm, SymbolId, any_nullable, count_terms};

/// `None` if there would be more than `most` terms: written out, parts that may be empty at many places grow with the square of their
/// number.
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
        next.start = next.add_rule("S".to_owned(), body, None);
    }
    // A rule that only derived the empty text.
    let ends = next.find_productive();
    for body in &mut next.bodies {
        prune_unproductive(body, &ends);
    }
    Some(next)
}

/// Removes what has no finite derivation.
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

/// For each rule whether it derives the empty text.
pub(super) fn find_nullable(rules: &BnfRules) -> Vec<bool> {
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

/// What the alternatives derive, except the empty text. Each term that is made counts against `left`, and at 0 none are made.
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

/// The term with nothing inside it that may be empty without a quantifier. `None` if it is always empty.
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

/// A term that may be empty, as one that may not.
fn at_least_once(term: &RuleTerm) -> Alternatives {
    match term {
        RuleTerm::Opt(inner) => inner.clone(),
        RuleTerm::Star(inner) => vec![vec![RuleTerm::Plus(inner.clone())]],
        term => vec![vec![term.clone()]],
    }
}
