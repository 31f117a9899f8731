//! The probability that an element is needed, as a fixed-point number: no decision depends on the rounding of a platform.
//!
//! The rules that compare products of probabilities are solved for one more element (`probdd.rs`, `wcdd.rs`).

/// A probability in units of 2⁻³¹.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct NeedProbability(u32);

const ONE: u32 = 1 << 31;

/// 1 - 1/e.
const ONE_MINUS_INVERSE_E: u64 = 1_357_468_564;

impl NeedProbability {
    /// 0.25, the first probability in counter-based delta debugging as Perses implements it.
    pub const QUARTER: NeedProbability = NeedProbability(ONE / 4);
    /// 0.1, the first probability in ProbDD.
    pub const TENTH: NeedProbability = NeedProbability(ONE / 10);

    /// The probability that the element is not needed, in units of 2⁻³¹.
    pub fn not_needed(self) -> u64 {
        u64::from(ONE - self.0)
    }

    /// Whether the element is needed for certain.
    pub fn is_certain(self) -> bool {
        self.0 == ONE
    }

    /// The probability after one more failure by counting: p / (1 - 1/e), at most 1.
    pub fn after_failure(self) -> NeedProbability {
        let raised = (u64::from(self.0) << 31) / ONE_MINUS_INVERSE_E;
        NeedProbability(raised.min(u64::from(ONE)) as u32)
    }

    /// Whether a set of weight `sum` has a higher gain with an element of that weight and this probability: whether (sum + weight) · (1 -
    /// p) ≥ sum, the rest of the product being the same on both sides. A tie counts as higher.
    pub fn improves_gain(self, sum: u64, weight: u32) -> bool {
        u128::from(weight) * u128::from(self.not_needed()) >= u128::from(sum) * u128::from(self.0)
    }

    /// The size s of a part with the largest s · (1 - p)^s, the larger of two equal ones; at least 1, even if p is certain.
    pub fn best_part_size(self) -> u32 {
        // One more pays as long as (s + 1) · p ≤ 1.
        ONE / self.0
    }

    /// The probabilities, by Bayes, of elements that could not be removed together: p / (1 - ∏(1 - p)). They grow with every failure, and
    /// become certain only for a single element.
    pub fn bayesian_update<'a>(together: impl Iterator<Item = &'a mut NeedProbability>) {
        let mut together: Vec<&mut NeedProbability> = together.collect();
        if let [alone] = &mut together[..] {
            **alone = NeedProbability(ONE);
            return;
        }
        let none = together.iter().fold(u64::from(ONE), |product, chance| {
            (product * chance.not_needed()) >> 31
        });
        let some = u64::from(ONE) - none.min(u64::from(ONE) - 1);
        for chance in together {
            let raised = (u64::from(chance.0) << 31) / some;
            let raised = raised.max(u64::from(chance.0) + 1).min(u64::from(ONE) - 1);
            chance.0 = raised as u32;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_follow_the_schedule_of_the_paper() {
        let schedule = |first: NeedProbability| {
            let mut chance = first;
            let mut sizes = vec![chance.best_part_size()];
            while chance.best_part_size() > 1 {
                chance = chance.after_failure();
                sizes.push(chance.best_part_size());
            }
            sizes
        };
        assert_eq!(schedule(NeedProbability::QUARTER), [4, 2, 1]);
        assert_eq!(schedule(NeedProbability::TENTH), [10, 6, 3, 2, 1]);
    }

    #[test]
    fn a_chance_ends_in_certainty_where_parts_are_single() {
        let mut chance = NeedProbability::QUARTER;
        for _ in 0..5 {
            chance = chance.after_failure();
        }
        assert!(chance.is_certain());
        assert_eq!(chance.best_part_size(), 1);
        assert!(!chance.improves_gain(1, u32::MAX));
    }

    #[test]
    fn failing_together_raises_and_failing_alone_decides() {
        let mut chances = [NeedProbability::TENTH; 10];
        NeedProbability::bayesian_update(chances.iter_mut());
        // 0.1 / (1 - 0.9^10) = 0.1535
        let expected = 0.153_534 * f64::from(ONE);
        assert!(
            chances
                .iter()
                .all(|chance| (f64::from(chance.0) - expected).abs() < 1e-5 * expected)
        );
        NeedProbability::bayesian_update(chances[..1].iter_mut());
        assert!(chances[0].is_certain() && !chances[1].is_certain());

        let mut nearly = [NeedProbability(ONE - 2); 2];
        NeedProbability::bayesian_update(nearly.iter_mut());
        assert_eq!(nearly, [NeedProbability(ONE - 1); 2]);
    }
}
