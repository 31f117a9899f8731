//! Programs for which a pass begins a detour, with their tests.

use lop::pass::{self, DetourBounds, DetourPlan, PassKind, Strategy, Stratum};

/// The default strategy with quick effort, and after it the pass that unfolds names as a stratum of its own, with detours of so many decisions.
pub fn unfolding(decisions: u32) -> &'static Strategy {
    unfolding_within(DetourBounds {
        decisions,
        growth: 60,
        failures: u32::MAX,
    })
}

/// The same with detours within these bounds.
pub fn unfolding_within(bounds: DetourBounds) -> &'static Strategy {
    let lop = &pass::STRATEGIES[0];
    let unfold = pass::all_passes()
        .into_iter()
        .find(|kind| kind.name == "unfold");
    let unfold: &'static [&'static PassKind] = vec![unfold.expect("a pass")].leak();
    let common = lop.passes.iter().copied();
    let common = common.filter(|kind| lop.stratum_of(kind.name).is_none());
    let passes: Vec<&'static PassKind> = common.chain(unfold.iter().copied()).collect();
    let plan = lop.detours.expect("it has detours");
    let stratum = Stratum {
        name: "unfolding",
        description: "names are unfolded",
        repeat_from: Some(plan.first),
        works_on_tokens: false,
        passes: unfold,
        claims: &[],
    };
    Box::leak(Box::new(Strategy {
        detours: Some(Box::leak(Box::new(DetourPlan {
            normal: bounds,
            ..*plan
        }))),
        passes: passes.leak(),
        strata: vec![&*Box::leak(Box::new(stratum))].leak(),
        ..*lop
    }))
}

/// `x` stands for a sum of which each place needs one operand.
pub const SUM: &str = "int f(int a, int b) {\n  int x = a + b;\n  return x - x;\n}\n";

/// Interesting: a difference of something of `a` and something of `b`. So nothing of `SUM` can go while `x` has a name, and where the sum
/// stands in both places, each needs only one operand.
pub fn takes_difference(text: &str) -> bool {
    let flat: String = text.split_whitespace().collect();
    let Some((_, returned)) = flat.split_once("return") else {
        return false;
    };
    let x = flat
        .split_once("intx=")
        .and_then(|(_, after)| after.split_once(';'));
    let open = |side: &str| match (side, x) {
        ("x", Some((value, _))) => value.to_string(),
        _ => side.to_string(),
    };
    let sides = returned
        .split_once(';')
        .and_then(|(value, _)| value.split_once('-'));
    let declared = text.contains("int a") && text.contains("int b");
    declared
        && sides.is_some_and(|(left, right)| open(left).contains('a') && open(right).contains('b'))
}

/// The same, where each place needs all of the sum: a detour leads nowhere.
pub fn takes_sums(text: &str) -> bool {
    let flat: String = text.split_whitespace().collect();
    flat.contains("intx=a+b;returnx-x;") || flat.contains("return(a+b)-(a+b);")
}
