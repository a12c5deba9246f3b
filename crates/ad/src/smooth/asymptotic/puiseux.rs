//! Puiseux expansions: Taylor expansions in a root of the distance from an end.
//!
//! Along `x = e + l·uᵏ`, for `0 < u ≤ 1`, a value is enclosed as `uʷ·N(u)`, with an integer w and a function N that has
//! Taylor expansions in u on all of [0, 1]. Of N there are the coefficients at u = 0 and, for every order, an interval that
//! encloses those at all u. So `√x` is u for k = 2. The integral beside its end has a remainder of high order, where [a
//! power bound](super) has the range alone:
//!
//! `∫₀¹ f dx  =  l·k·∫₀¹ u^(w+k-1)·N(u) du  ∈  l·k·( Σ_{j<q} n_j/(w+k+j)  +  N_q/(w+k+q) )` for every q, where w + k > 0.
//!
//! | a value | is |
//! |---|---|
//! | with a zero at e, exact to order r in u | `uʳ·N`, the coefficients of N being those of the value, r further up |
//! | a product, a quotient | by the exponents |
//! | a power, a root of order n | by the exponent, which n has to divide; otherwise k is taken n times as large |
//! | a sum of two values that both vanish or are unbounded | with the lesser exponent, the other times a power of u |
//! | any other function, for w = 0, or of `uʷ·N` for w > 0 | by its expansion |
//!
//! *Zeros.* Let v have `v_0(0) = … = v_(r-1)(0) = 0`. By Taylor's theorem `v(u)/uʳ = ∫₀¹ r·(1-τ)^(r-1)·v_r(τu) dτ`, and the
//! j-th coefficient of it is the mean of `v_(r+j)(τu)` with the weight `(1-τ)^(r-1)·τʲ`, over which it sums up to 1. So it
//! lies where `v_(r+j)` does. ∎
//!
//! As for [power bounds](super), a zero counts only if it is one for all inputs nearby, and nothing is claimed at e
//! itself.
//!
//! # Puiseux terms of results by those of their operands

use super::{ORDER, OneSidedLimit};
use crate::function::Monotonicity;
use crate::number::arithmetic::{Function, Sign};
use crate::number::{Magnitude, budget};
use crate::smooth::algebra::{Algebra, AlgebraGenerator};
use crate::smooth::error::SmoothError;
use crate::smooth::graph::{Binary, Unary};
use crate::smooth::hooks::HookedContext;
use crate::smooth::jet::{Jet, JetArithmetic, KinkBranch};
use crate::smooth::machine::{BranchDecisions, JetEvaluator, RegisterFile, decide_branch};
use crate::smooth::program::{Block, BlockInstruction, BlockRegister};
use std::sync::Arc;

/// The expansion `uʷ·N(u)` for 0 < u ≤ 1; see the [module](self).
#[derive(Clone, Debug)]
pub struct PuiseuxExpansion<N> {
    /// The ramification index k.
    pub ramification: u32,
    /// The exponent w.
    pub power: i64,
    /// The algebra of the expansions, in which u is the last generator.
    pub algebra: Arc<Algebra>,
    /// The expansions of N at all u.
    pub over: Jet<N>,
    /// The expansion of N at 0.
    pub at: Jet<N>,
}

impl<N: Clone> PuiseuxExpansion<N> {
    /// Encloses `k·∫₀¹ u^(w+k-1)·N(u) du`, and returns the part that no splitting narrows. Returns `None` if the exponent is
    /// too small.
    ///
    /// # Errors
    /// [`SmoothError::DisjointEnclosures`] if two orders contradict each other.
    pub fn integrate<C: HookedContext<Num = N>>(
        &self,
        context: &C,
        outer: &Algebra,
    ) -> Result<Option<[Jet<N>; 2]>, SmoothError> {
        let Self { ramification, power, algebra, over, at } = self;
        let weight = |j: usize| u64::try_from(power + i64::from(*ramification) + j as i64).ok().filter(|w| *w > 0);
        if weight(0).is_none() {
            return Ok(None);
        }
        let (mut sum, mut floor) = (Jet::zero(), Jet::zero());
        for (monomial, column) in algebra.generator_columns(outer.len()).iter().enumerate() {
            let (mut partial, mut best): (_, Option<N>) = (context.enclose_integer(0), None);
            let mut is_present = false;
            for (j, &index) in column.iter().enumerate() {
                let Some(weight) = weight(j) else { continue };
                is_present |= over.get(index).is_some() || at.get(index).is_some();
                let rest =
                    over.get(index).map_or_else(|| context.enclose_integer(0), |c| context.div_integer(c, weight));
                let candidate = context.add(&partial, &rest);
                // Every order gives an enclosure: the partial sum at 0, and the remainder over all u.
                best = Some(match best {
                    None => candidate,
                    Some(best) => context.intersect(&best, &candidate).ok_or(SmoothError::DisjointEnclosures {
                        construct: "the expansions of an integral beside an end",
                    })?,
                });
                if let Some(c) = at.get(index) {
                    partial = context.add(&partial, &context.div_integer(c, weight));
                }
                if context.is_defined(&partial) && context.is_bounded(&partial) {
                    floor.set(monomial, Some(partial.clone()));
                }
            }
            if let Some(best) = best.filter(|_| is_present) {
                sum.set(monomial, Some(best));
            }
        }
        let times = |jet: Jet<N>| {
            Jet::new(jet.coefficients().map(|c| c.map(|c| context.mul_integer(c, i64::from(*ramification)))))
        };
        Ok(Some([sum, floor].map(times)))
    }
}

/// The largest ramification index k. A choice: the length of the expansions grows with k.
const MOST_RAMIFIED: u32 = 6;

/// The result of a run with a given k.
enum PuiseuxOutcome<N> {
    /// An expansion.
    Expanded(PuiseuxExpansion<N>),
    /// No expansion for this k, but perhaps one for this multiple of it.
    Ramified(u32),
    /// No expansion.
    Failed,
}

/// The term `uʷ·N(u)` of one register, for a given k.
#[derive(Clone, Debug)]
struct PuiseuxTerm<N> {
    /// The exponent w.
    power: i64,
    /// The expansions of N at all u.
    over: Jet<N>,
    /// The expansion of N at 0.
    at: Jet<N>,
}

/// One evaluation beside an end: over the piece, at the end alone, and there for all inputs nearby.
struct PuiseuxRun<'r, 'm, C: HookedContext> {
    machine: &'r JetEvaluator<'m, C>,
    extended: &'r Arc<Algebra>,
    jets: JetArithmetic<'r, C>,
    /// The algebra of the run for inputs nearby.
    nearby: &'r Arc<Algebra>,
    ramification: u32,
}

impl<C: HookedContext> PuiseuxRun<'_, '_, C> {
    /// Returns the arithmetic of coefficients.
    fn context(&self) -> &C {
        self.machine.context
    }

    /// Returns u as a jet, on all of [0, 1] or at 0.
    fn puiseux_variable(&self, everywhere: bool) -> Jet<C::Num> {
        let (zero, one) = (self.context().enclose_integer(0), self.context().enclose_integer(1));
        let mut u = Jet::zero();
        if everywhere {
            u.set(0, Some(self.context().hull(&zero, &one)));
        }
        u.set(self.extended.last_generator(), Some(one));
        u
    }

    /// Returns a power of u as a jet, on all of [0, 1] or at 0.
    fn power_of_u(&self, power: i64, everywhere: bool) -> Jet<C::Num> {
        let u = self.puiseux_variable(everywhere);
        match (power, everywhere) {
            (0, _) => Jet::constant(self.context().enclose_integer(1)),
            (1, _) => u,
            (_, true) => self.jets.power(&u, power, 1),
            // At 0 a power of u has exactly one coefficient, or none if it is beyond the expansion.
            (_, false) => {
                let place = self.extended.power_slice(power as usize).first().filter(|(outer, _)| *outer == 0);
                let mut jet = Jet::zero();
                if let Some(&(_, here)) = place {
                    jet.set(here as usize, Some(self.context().enclose_integer(1)));
                }
                jet
            }
        }
    }

    /// Returns `e + l·uᵏ` as a jet.
    fn path_argument(&self, approach: &OneSidedLimit<C::Num>, everywhere: bool) -> Jet<C::Num> {
        let power = self.power_of_u(i64::from(self.ramification), everywhere);
        self.jets.add(approach.end, &self.jets.multiply(approach.length, &power))
    }

    /// Returns the term if its value is certainly defined and bounded.
    fn if_bounded(&self, term: PuiseuxTerm<C::Num>) -> Option<PuiseuxTerm<C::Num>> {
        let value = self.jets.value_of(&term.over);
        (self.context().is_defined(&value) && self.context().is_bounded(&value)).then_some(term)
    }

    /// Returns the term of a plain expansion, with w = 0.
    fn regular_term(&self, over: Jet<C::Num>, at: Jet<C::Num>) -> Option<PuiseuxTerm<C::Num>> {
        self.if_bounded(PuiseuxTerm { power: 0, over, at })
    }

    /// Returns a term as a jet, over the piece and at the end. An unbounded one is ⊥.
    fn multiplied_out(&self, term: &PuiseuxTerm<C::Num>) -> [Jet<C::Num>; 2] {
        match term.power {
            0 => [term.over.clone(), term.at.clone()],
            power if power > 0 => [
                self.jets.multiply(&term.over, &self.power_of_u(power, true)),
                self.jets.multiply(&term.at, &self.power_of_u(power, false)),
            ],
            _ => [self.jets.bottom_everywhere(), self.jets.bottom_everywhere()],
        }
    }

    /// Divides a value by as many u as its zero at the end is seen to have. Without a zero it returns the term unchanged.
    ///
    /// `near` is the value for inputs nearby. Without it the value is 0 at the end for all inputs.
    fn divide_out_zero(&self, term: PuiseuxTerm<C::Num>, near: Option<&Jet<C::Num>>) -> Option<PuiseuxTerm<C::Num>> {
        if term.power != 0 {
            return Some(term);
        }
        let context = self.context();
        let is_zero = |c: &C::Num| context.is_defined(c) && context.is_point(c) && context.contains_zero(c);
        let vanishes = |algebra: &Algebra, jet: &Jet<C::Num>, power: usize| {
            algebra.power_slice(power).iter().all(|&(_, here)| jet.get(here as usize).is_none_or(is_zero))
        };
        let is_seen = |power: &usize| match near {
            None if *power == 0 => true,
            // Zeros by the structure of x hold for all inputs.
            None => self.extended.power_slice(*power).iter().all(|&(_, here)| term.at.get(here as usize).is_none()),
            Some(near) => vanishes(self.extended, &term.at, *power) && vanishes(self.nearby, near, *power),
        };
        let order = (0..(ORDER * self.ramification) as usize).take_while(is_seen).count();
        if order == 0 {
            return Some(term);
        }
        self.if_bounded(PuiseuxTerm {
            power: order as i64,
            over: self.divide_by_power_of_u(&term.over, order),
            at: self.divide_by_power_of_u(&term.at, order),
        })
    }

    /// Divides an expansion by a power of u. The coefficients beyond the expansion are ⊥.
    fn divide_by_power_of_u(&self, jet: &Jet<C::Num>, order: usize) -> Jet<C::Num> {
        let mut lowered = Jet::zero();
        let mut power = 0;
        while let slice @ [_, ..] = self.extended.power_slice(power) {
            let above = self.extended.power_slice(power + order);
            for &(outer, here) in slice {
                let coefficient = match above.binary_search_by_key(&outer, |(outer, _)| *outer) {
                    Ok(place) => jet.get(above[place].1 as usize).cloned(),
                    Err(_) => Some(self.context().bottom()),
                };
                lowered.set(here as usize, coefficient);
            }
            power += 1;
        }
        lowered
    }
}

impl<C: HookedContext> PuiseuxRun<'_, '_, C> {
    /// Returns the term of a result by those of its operands, or `None` if a plain expansion in x does.
    ///
    /// # Errors
    /// The factor by which k has to be multiplied for an expansion to exist.
    fn term_by_rule(
        &self,
        instruction: &BlockInstruction,
        branch: KinkBranch,
        frames: &[RegisterFile<C::Num>; 3],
        found: &[Option<PuiseuxTerm<C::Num>>],
    ) -> Result<Option<PuiseuxTerm<C::Num>>, u32> {
        let of = |r: &BlockRegister| found[r.0 as usize].as_ref();
        // A zero is looked for only where the value may be 0: this costs a pass over the coefficients.
        let nonzero = |r: &BlockRegister| {
            let term = found[r.0 as usize].clone()?;
            let may_vanish = self.context().contains_zero(&self.jets.value_of(&term.over));
            if may_vanish { self.divide_out_zero(term, Some(frames[2].get(*r))) } else { Some(term) }
        };
        let power_of = |r: &BlockRegister| of(r).map_or(0, |term| term.power);
        let same = |r: &BlockRegister| of(r).filter(|term| term.power != 0).cloned();
        Ok(match instruction {
            BlockInstruction::Unary(Unary::Negate, x) => {
                same(x).map(|a| self.map_expansions(&a, |jet| self.jets.negate(jet)))
            }
            BlockInstruction::Unary(Unary::Abs, x) => match branch {
                KinkBranch::Left => same(x),
                KinkBranch::Right => same(x).map(|a| self.map_expansions(&a, |jet| self.jets.negate(jet))),
                KinkBranch::Undecided => None,
            },
            BlockInstruction::Unary(Unary::Function(f), x) => match f.row().monotonicity {
                Monotonicity::Root(n) => match nonzero(x).filter(|a| a.power != 0) {
                    Some(a) => self.root_of_term(&a, *f, u32::from(n))?,
                    None => None,
                },
                _ => None,
            },
            BlockInstruction::Binary(Binary::Add | Binary::Subtract, x, y) if power_of(x) != 0 || power_of(y) != 0 => {
                let (Some(a), Some(b)) = (nonzero(x), nonzero(y)) else { return Ok(None) };
                // Next to a limit other than 0, a vanishing summand is no power.
                if a.power.min(b.power) == 0 {
                    return Ok(None);
                }
                let is_sum = matches!(instruction, BlockInstruction::Binary(Binary::Add, ..));
                Some(self.add_terms(&a, &if is_sum { b } else { self.map_expansions(&b, |jet| self.jets.negate(jet)) }))
            }
            BlockInstruction::Binary(Binary::Multiply, x, y) if power_of(x) != 0 || power_of(y) != 0 => {
                let (Some(a), Some(b)) = (of(x), of(y)) else { return Ok(None) };
                Some(PuiseuxTerm {
                    power: a.power + b.power,
                    over: self.multiply_or_square(x == y, &a.over, &b.over),
                    at: self.multiply_or_square(x == y, &a.at, &b.at),
                })
            }
            BlockInstruction::Binary(Binary::Divide, x, y) => {
                let (Some(a), Some(b)) = (of(x), nonzero(y)) else { return Ok(None) };
                if a.power == 0 && b.power == 0 {
                    return Ok(None);
                }
                // In sin x / x the common zero cancels.
                let Some(a) = (if a.power == 0 { nonzero(x) } else { Some(a.clone()) }) else { return Ok(None) };
                Some(PuiseuxTerm {
                    power: a.power - b.power,
                    over: self.jets.divide(&a.over, &b.over),
                    at: self.jets.divide(&a.at, &b.at),
                })
            }
            BlockInstruction::Binary(Binary::Maximum | Binary::Minimum, x, y) => match branch {
                _ if x == y => same(x),
                KinkBranch::Left => same(x),
                KinkBranch::Right => same(y),
                KinkBranch::Undecided => None,
            },
            BlockInstruction::Power(x, e) => {
                let Some(a) = nonzero(x).filter(|a| a.power != 0) else { return Ok(None) };
                let steps = a.power * e.numerator;
                // u^(w·p/q) needs an integer exponent, that is, a larger k.
                let over = i64::from(e.denominator);
                if steps % over != 0 {
                    return Err(e.denominator);
                }
                // An even root needs N > 0, and its domain ends at 0.
                if e.denominator.is_multiple_of(2) {
                    if !self.is_positive(&a) {
                        return Ok(None);
                    }
                    self.machine.record_function_boundary(&self.jets, Function::Sqrt, &a.over);
                }
                let raised = self.map_expansions(&a, |jet| self.jets.power(jet, e.numerator, e.denominator));
                Some(PuiseuxTerm { power: steps / over, ..raised })
            }
            BlockInstruction::Guard(x) => same(x),
            BlockInstruction::Select { guard, then, otherwise } => match frames[0].guard_branch(*guard) {
                KinkBranch::Left => same(then),
                KinkBranch::Right => same(otherwise),
                KinkBranch::Undecided => None,
            },
            _ => None,
        })
    }

    /// Applies a map to both expansions of a term. The exponent stays.
    fn map_expansions(&self, a: &PuiseuxTerm<C::Num>, f: impl Fn(&Jet<C::Num>) -> Jet<C::Num>) -> PuiseuxTerm<C::Num> {
        PuiseuxTerm { power: a.power, over: f(&a.over), at: f(&a.at) }
    }

    /// Multiplies two jets; a square is never negative.
    fn multiply_or_square(&self, is_square: bool, a: &Jet<C::Num>, b: &Jet<C::Num>) -> Jet<C::Num> {
        if is_square { self.jets.square(a) } else { self.jets.multiply(a, b) }
    }

    /// Returns `true` if N is certainly positive on the whole piece.
    fn is_positive(&self, a: &PuiseuxTerm<C::Num>) -> bool {
        self.context().sign(&self.jets.value_of(&a.over)) == Sign::Positive
    }

    /// Returns the n-th root of a term.
    ///
    /// # Errors
    /// The factor n if n does not divide the exponent.
    fn root_of_term(&self, a: &PuiseuxTerm<C::Num>, f: Function, n: u32) -> Result<Option<PuiseuxTerm<C::Num>>, u32> {
        if n.is_multiple_of(2) && !self.is_positive(a) {
            return Ok(None);
        }
        if a.power % i64::from(n) != 0 {
            return Err(n);
        }
        self.machine.record_function_boundary(&self.jets, f, &a.over);
        let root = self.map_expansions(a, |jet| self.jets.apply_function(f, jet));
        Ok(Some(PuiseuxTerm { power: a.power / i64::from(n), ..root }))
    }

    /// Adds two terms, with the lesser of their exponents.
    fn add_terms(&self, a: &PuiseuxTerm<C::Num>, b: &PuiseuxTerm<C::Num>) -> PuiseuxTerm<C::Num> {
        let (low, high) = if a.power <= b.power { (a, b) } else { (b, a) };
        let further = high.power - low.power;
        let moved = |jet, everywhere| match further {
            0 => Jet::clone(jet),
            _ => self.jets.multiply(jet, &self.power_of_u(further, everywhere)),
        };
        PuiseuxTerm {
            power: low.power,
            over: self.jets.add(&low.over, &moved(&high.over, true)),
            at: self.jets.add(&low.at, &moved(&high.at, false)),
        }
    }
}

/// Expands the output of a block of one parameter near an end, to order `order` in u. Returns `None` if no expansion is
/// found.
///
/// # Errors
/// Those of [`JetEvaluator::eval_block`].
pub fn puiseux_expansion<C: HookedContext>(
    machine: &JetEvaluator<'_, C>,
    block: &Block,
    (algebra, order): (&Arc<Algebra>, u32),
    approach: &OneSidedLimit<C::Num>,
    captures: &[Jet<C::Num>],
    branches: &mut BranchDecisions,
) -> Result<Option<PuiseuxExpansion<C::Num>>, SmoothError> {
    // Hooks would have to see every step.
    if C::ACTIVE {
        return Ok(None);
    }
    // The right k shows at the inputs themselves, over ℝ, where a run is cheap.
    let still = |jet: &Jet<C::Num>| Jet::constant(machine.jets(algebra).value_of(jet));
    let (end, length, root) = (still(approach.end), still(approach.length), approach.root);
    let (base, scouting) =
        (OneSidedLimit { end: &end, length: &length, root }, captures.iter().map(still).collect::<Vec<_>>());
    let mut ramification = 1;
    // An expansion whose first coefficients are unknown is worth no second run.
    let known = |jet: &Jet<C::Num>| {
        let mut first = jet.coefficients().take(ORDER as usize).flatten();
        first.all(|c| machine.context.is_defined(c) && machine.context.is_bounded(c))
    };
    loop {
        let look =
            || expand_with_ramification(machine, block, (&machine.real, 0), (&base, ramification), &scouting, branches);
        // Only definedness and boundedness matter here, so solvers need not be precise.
        match machine.effort.with_looser_tolerance(Magnitude::INFINITY, look)? {
            PuiseuxOutcome::Expanded(found) if known(&found.over) => break,
            PuiseuxOutcome::Ramified(times) if ramification * times <= MOST_RAMIFIED => ramification *= times,
            _ => return Ok(None),
        }
    }
    match expand_with_ramification(machine, block, (algebra, order), (approach, ramification), captures, branches)? {
        PuiseuxOutcome::Expanded(found) => Ok(Some(found)),
        _ => Ok(None),
    }
}

/// Runs a block for one ramification index.
fn expand_with_ramification<C: HookedContext>(
    machine: &JetEvaluator<'_, C>,
    block: &Block,
    (algebra, order): (&Arc<Algebra>, u32),
    (approach, ramification): (&OneSidedLimit<C::Num>, u32),
    captures: &[Jet<C::Num>],
    branches: &mut BranchDecisions,
) -> Result<PuiseuxOutcome<C::Num>, SmoothError> {
    // Order enough to recognise zeros; the first k degrees are not lost when a zero is divided out.
    let order = order.max(ORDER * ramification) + ramification;
    let generator = AlgebraGenerator::Divided { order, by: ramification };
    let Some(extended) = &algebra.adjoin(generator) else { return Ok(PuiseuxOutcome::Failed) };
    let limbs = budget::limb_count(machine.context.precision());
    if !machine.effort.budget.spend(2 * block.instructions.len() as u64 * extended.product_count() * limbs) {
        return Ok(PuiseuxOutcome::Failed);
    }
    let Some(nearby) = machine.real.adjoin(AlgebraGenerator::Direction(ORDER * ramification)) else {
        return Ok(PuiseuxOutcome::Failed);
    };
    let run = PuiseuxRun { machine, extended, jets: machine.jets(extended), nearby: &nearby, ramification };
    let (over, at) = (run.path_argument(approach, true), run.path_argument(approach, false));
    // A zero has to be one for all inputs nearby: a third run, without derivatives in the inputs, shows it.
    let (near_captures, near_end) =
        (machine.widen_inputs(captures), machine.widen_inputs(std::slice::from_ref(approach.end)));
    let length = approach.length.get(0).cloned().unwrap_or_else(|| machine.context.enclose_integer(0));
    let mut near = near_end[0].clone();
    near.set(ramification as usize, Some(length));
    let inputs = ([over], [at], [near]);
    let frame = |place, captures| RegisterFile::for_outputs([place, captures], block);
    let mut frames = [frame(&inputs.0[..], captures), frame(&inputs.1, captures), frame(&inputs.2, &near_captures)];
    let first = captures.len() + 1;
    let mut found: Vec<Option<PuiseuxTerm<C::Num>>> = (0..first)
        .map(|i| BlockRegister(i as u32))
        .map(|r| run.regular_term(frames[0].get(r).clone(), frames[1].get(r).clone()))
        .collect();
    let known_at_end = machine.known_at_end(block, approach, first);
    branches.clear_records();
    for (index, instruction) in block.instructions.iter().enumerate() {
        if frames[0].choices.is_skipped(index) {
            frames.iter_mut().for_each(|frame| frame.results.push(Jet::constant(machine.context.bottom())));
            found.push(None);
            continue;
        }
        if let BlockInstruction::Guard(x) = instruction {
            let side = decide_branch(machine.context.sign(&run.jets.value_of(frames[0].get(*x))), index, branches);
            frames.iter_mut().for_each(|frame| frame.choices.set_branch(index, side));
        }
        let (branch, mut known) = machine.branch_beside(&run.jets, &frames[0], (index, instruction), branches);
        let site = (index, block.sites[index]);
        // Terms go by rules of their own only where a plain expansion in x does not do.
        let ruled = match run.term_by_rule(instruction, branch, &frames, &found) {
            Ok(ruled) => ruled,
            Err(times) => return Ok(PuiseuxOutcome::Ramified(times)),
        };
        let own = BlockRegister((first + index) as u32);
        let exact = |algebra, limit| machine.with_end_fact(algebra, limit, known_at_end.fact(own), ramification);
        let beside = exact(&nearby, machine.eval_beside_end(&nearby, &frames[2], site, instruction, &mut known)?);
        // The registers hold the value itself, for steps that have no rule.
        let (term, plain) = match ruled {
            Some(term) => {
                let plain = run.multiplied_out(&term);
                (run.if_bounded(term), plain)
            }
            None => {
                let over = machine.eval_beside_end(extended, &frames[0], site, instruction, branches)?;
                let at = machine.eval_beside_end(extended, &frames[1], site, instruction, &mut known)?;
                let at = exact(extended, at);
                // At the zero of the root the result is 0 by definition.
                let is_zero = known_at_end.zeros.contains(&own);
                let term = run.regular_term(over.clone(), at.clone());
                let zero = |term| if is_zero { run.divide_out_zero(term, None) } else { Some(term) };
                (term.and_then(zero), [over, at])
            }
        };
        // A branch that may change along the piece has no expansion.
        if !branches.undecided.is_empty() {
            return Ok(PuiseuxOutcome::Failed);
        }
        found.push(term);
        frames.iter_mut().zip(plain.into_iter().chain([beside])).for_each(|(frame, jet)| frame.results.push(jet));
    }
    let output = block.outputs.first().and_then(|r| found[r.0 as usize].clone());
    Ok(match output {
        Some(PuiseuxTerm { power, over, at }) => {
            PuiseuxOutcome::Expanded(PuiseuxExpansion { ramification, power, algebra: extended.clone(), over, at })
        }
        None => PuiseuxOutcome::Failed,
    })
}
