//! Mutants of five semantics: one deliberately wrong rule each, which the laws must refute.
//!
//! The first are those of traces and their derivatives (A §3, §6.2).
//!
//! # Mutants of normalising constants and means
//!
//! Mutants of normalising constants and means of probabilistic programs (W §4).
//!
//! # Mutants of samplers
//!
//! Mutants of samplers (W §4, App. A.2).
//!
//! # Mutants of piecewise programs
//!
//! Mutants of piecewise programs (W).
//!
//! # Mutants of partial maps
//!
//! Mutants of partial maps (A §4, §5).

use crate::meaning::pap::{DefaultPiecewiseHooks, PiecewiseHooks};
use crate::meaning::partial::{DefaultPartialHooks, PartialHooks};
use crate::measure::MeasureError;
use crate::measure::change::{PreimageContribution, PushforwardDensity};
use crate::measure::draws::Parameter;
use crate::measure::explore::EndedPath;
use crate::measure::hooks::{DefaultMeasureHooks, MeasureHooks};
use crate::measure::support::{ProgramSupport, SupportChart, determinant};
use crate::number::arithmetic::Context;
use crate::number::budget::Budget;
use crate::number::{Enclosure, Magnitude, Mpfr, Rational};
use crate::pieces::{AnalyticPiece, GuardCondition, PieceValue, PiecewiseMap, SignGuard, SignTest};
use crate::sampler::SamplerHooks;
use crate::smooth::graph::{Binary, Graph, Unary, Variable};
use crate::stack::with_stack;
use crate::syntax::constant::foreign::ForeignId;
use crate::syntax::term::{Term, TermKind};
use crate::trace::evaluation::{DefaultTraceHooks, TraceError, TraceHooks};
use crate::trace::number::NumberSystem;
use crate::trace::operation::OperationSymbol;
use crate::trace::question::ValidityInterval;
use crate::trace::term;
use crate::trace::term::{CoreDefinition, CoreTerm, CoreTermKind, CoreTy, CoreValue, Renaming};
use crate::trace::typing::{CoreVariableTypes, FunctionEnvironment, FunctionTypes, type_of};
use crate::value::{SourceId, UndefinedCause, UndefinedValue};
use std::cmp::Ordering;
use std::sync::Arc;

rules! {
    /// Evaluation to traces, and their derivatives.
    Trace {
        Diagonal "trace_diagonal", "a comparison of equal numbers has no answer (A §2)" => "it is true";
        DynamicScope "trace_dynamic_scope", "a function is evaluated where it was defined (A Fig. 2)" => "where it is called";
        BothBranches "trace_both_branches", "of a conditional one branch is evaluated (A Fig. 2)" => "both are";
        OtherBranch "trace_other_branch", "the trace is that of the branch that is taken (A Fig. 4)" => "of the other one";
        Inlined "trace_inlined", "a variable stays in a trace (A Fig. 4)" => "its value stands there";
        LimitOff "trace_limit_off", "of letrecₙ a call unfolds n levels (A Fig. 8)" => "n + 1 levels";
        LimitAnswers "trace_limit_answers", "a function that may not be unfolded any more has no value (A Fig. 8)" => "it is 0";
        Captured "trace_captured", "bound variables of a trace are apart from V and W (A Fig. 6)" => "they are what they are";
        AtCotangent "trace_at_cotangent", "op_r⟨V, W⟩ has the slope at V (A §3)" => "at W";
        OwnFactor "trace_own_factor", "a factor is handed W times the other one (A §3)" => "times itself";
        LargerDomain "trace_larger_domain", "op_r is defined on Dom(op) × U (A §3)" => "wherever the slope is";
        LastUse "trace_last_use", "what the uses of a variable hand to it is added (A Fig. 6)" => "the last of it counts";
        PairSwapped "trace_pair_swapped", "a pair hands each part of W to its own part (A Fig. 6)" => "to the other part";
        FirstBoth "trace_first_both", "fst hands ⟨W, 0⟩ to the pair (A Fig. 6)" => "⟨W, W⟩";
        ConstantsSkipped "trace_constants_skipped", "a trace without x is run, since it may be undefined (A Thm 6.1)" => "its derivative is 0";
        OtherSlope "trace_other_slope", "the derivative of a conditional is that of the branch that is taken (A Prop. 4.3)" => "of the other one";
        ConstantCall "trace_constant_call", "a recursive call hands on what the derivative of the function says (A Prop. 4.4)" => "0";
        BoxByWidth "trace_box_by_width", "an end of a box is printed to a part of its distance from the point (A Thm 6.2)" => "of the width of the box";
        LetAtPoint "trace_let_at_point", "the body of let y = D is differentiated at the value of D (A Fig. 6)" => "at x";
        TwoAnswers "trace_two_answers", "a guard has one answer (A Prop. 3.4)" => "both, where its sides are less than 1 apart";
        ProjectionsSwapped "trace_projections_swapped", "fst gives the first part of a pair, and snd the second (A Fig. 2)" => "the other one";
        RightFirst "trace_right_first", "of two parts the left one is evaluated first (A Fig. 3)" => "the right one";
        LetCopied "trace_let_copied", "let x = C stands once in a trace (A Fig. 5)" => "C stands wherever x is used";
        Untransposed "trace_untransposed", "W.R_V(x. C) is Jᵗ W (A Thm 6.1)" => "J W, where J is a square";
        BoxDoubled "trace_box_doubled", "a box ends before a guard changes (A Thm 6.2)" => "twice as far from the point";
    }
}

impl TraceHooks for Trace {
    fn body_scope<'f>(
        &self,
        closure: &'f FunctionEnvironment,
        call: &'f FunctionEnvironment,
    ) -> &'f FunctionEnvironment {
        if *self == Self::DynamicScope { call } else { closure }
    }
    fn also_evaluated<'t>(&self, other: &'t CoreTerm) -> Option<&'t CoreTerm> {
        (*self == Self::BothBranches).then_some(other)
    }
    fn traced_branch<'t>(&self, taken: &'t CoreTerm, other: &'t CoreTerm) -> &'t CoreTerm {
        if *self == Self::OtherBranch { other } else { taken }
    }
    fn traced_value(&self, value: CoreTerm, closed: Option<CoreTerm>) -> CoreTerm {
        match closed {
            Some(closed) if *self == Self::Inlined => closed,
            _ => value,
        }
    }
    fn exhausted_call(&self, codomain: &CoreTy) -> Option<CoreTerm> {
        (*self == Self::LimitAnswers).then(|| term::zero_of_type(codomain))
    }
    fn rename_apart(&self, trace: &CoreTerm) -> CoreTerm {
        if *self == Self::Captured { trace.clone() } else { with_stack(|| Renaming::rename_apart(trace)) }
    }
    fn operation_pullback(
        &self,
        operation: &OperationSymbol,
        x: &[CoreTerm],
        y: &CoreTerm,
        w: &CoreTerm,
    ) -> Vec<CoreTerm> {
        match (self, operation) {
            // the slope of x^q is q x^(q−1), here at the cotangent in place of x; q = 0 has no slope to misplace
            (Self::AtCotangent, OperationSymbol::Power(q)) if *q != 0 => {
                let slope = CoreTerm::operation(OperationSymbol::Power(Rational::from(q - 1)), w.clone());
                let slope = CoreTerm::binary_operation(OperationSymbol::Multiply, CoreTerm::number(q.clone()), slope);
                vec![CoreTerm::binary_operation(OperationSymbol::Multiply, w.clone(), slope)]
            }
            (Self::OwnFactor, OperationSymbol::Multiply) => {
                let mut pulled = operation.pullback(x, y, w);
                pulled.reverse();
                pulled
            }
            _ => operation.pullback(x, y, w),
        }
    }
    fn keeps_operation_domain(&self) -> bool {
        *self != Self::LargerDomain
    }
    fn add_cotangents(&self, so_far: CoreTerm, next: CoreTerm) -> CoreTerm {
        if *self == Self::LastUse { next } else { CoreTerm::sum(so_far, next) }
    }
    fn pair_cotangents(&self, y: CoreTerm, z: CoreTerm) -> [CoreTerm; 2] {
        if *self == Self::PairSwapped { [z, y] } else { [y, z] }
    }
    fn first_cotangents(&self, w: CoreTerm, zero: CoreTerm) -> [CoreTerm; 2] {
        if *self == Self::FirstBoth { [w.clone(), w] } else { [w, zero] }
    }
    fn runs_constants(&self) -> bool {
        *self != Self::ConstantsSkipped
    }
    fn derivative_branches(&self, then: CoreTerm, otherwise: CoreTerm) -> [CoreTerm; 2] {
        if *self == Self::OtherSlope { [otherwise, then] } else { [then, otherwise] }
    }
    fn call_cotangent(&self, derivative: CoreTerm, domain: &CoreTy) -> CoreTerm {
        if *self == Self::ConstantCall { term::zero_of_type(domain) } else { derivative }
    }
    fn let_point(&self, y: CoreTerm, x: &CoreTerm, same_type: bool) -> CoreTerm {
        if *self == Self::LetAtPoint && same_type { x.clone() } else { y }
    }
}

/// The rules of the semantics, of its numbers, and of its output.
pub trait TraceMutationHooks: TraceHooks {
    /// Returns the value of a comparison of equal numbers; `None` if it is undefined.
    fn on_the_diagonal(&self) -> Option<bool> {
        None
    }
    /// Returns the program that is run in place of `term`.
    fn program_to_run(&self, term: &CoreTerm) -> CoreTerm {
        term.clone()
    }
    /// Returns the decimals of a range.
    fn printed_range(&self, range: &ValidityInterval) -> [String; 2] {
        range.to_decimals()
    }
    /// Returns all answers of a guard: of a comparison that is `holds`, between numbers that lie `apart`.
    fn guard_answers(&self, holds: bool, apart: &Rational) -> Vec<bool> {
        let _ = apart;
        vec![holds]
    }
    /// Returns the order in which two parts of a term are evaluated, by their positions.
    fn evaluation_order(&self) -> [usize; 2] {
        [0, 1]
    }
    /// Returns a trace as it is handed on.
    fn finished_trace(&self, trace: CoreTerm) -> CoreTerm {
        trace
    }
}

impl TraceMutationHooks for DefaultTraceHooks {}

impl TraceMutationHooks for Trace {
    fn on_the_diagonal(&self) -> Option<bool> {
        (*self == Self::Diagonal).then_some(true)
    }
    fn program_to_run(&self, term: &CoreTerm) -> CoreTerm {
        match self {
            Self::LimitOff => unfold_once_more(term),
            Self::ProjectionsSwapped => swap_projections(term),
            Self::Untransposed => untranspose(term),
            _ => term.clone(),
        }
    }
    fn guard_answers(&self, holds: bool, apart: &Rational) -> Vec<bool> {
        if *self == Self::TwoAnswers && *apart < 1 { vec![true, false] } else { vec![holds] }
    }
    fn evaluation_order(&self) -> [usize; 2] {
        if *self == Self::RightFirst { [1, 0] } else { [0, 1] }
    }
    fn finished_trace(&self, trace: CoreTerm) -> CoreTerm {
        if *self == Self::LetCopied { copy_bound(&trace) } else { trace }
    }
    fn printed_range(&self, range: &ValidityInterval) -> [String; 2] {
        let [least, most] = &range.point;
        if *self == Self::BoxDoubled {
            let lo = range.lo.as_ref().map(|lo| Rational::from(lo * 2) - least);
            let hi = range.hi.as_ref().map(|hi| Rational::from(hi * 2) - most);
            return ValidityInterval { lo, hi, point: range.point.clone() }.to_decimals();
        }
        if *self != Self::BoxByWidth {
            return range.to_decimals();
        }
        // `to_decimals` rounds an end by its distance from the point, so the other end in place of the point gives the
        // width
        let part = Rational::from((1, 100));
        let point = match (&range.lo, &range.hi) {
            (Some(lo), Some(hi)) => [hi.clone(), lo.clone()],
            (Some(lo), None) => [lo + part, most.clone()],
            // a range without a second end has no width; 1/100 is a choice
            (None, Some(hi)) => [least.clone(), hi - part],
            (None, None) => return range.to_decimals(),
        };
        ValidityInterval { point, ..range.clone() }.to_decimals()
    }
}

/// Returns the program with one more unfolding for each limited recursive function.
fn unfold_once_more(term: &CoreTerm) -> CoreTerm {
    let found = term.kind().map_children(&mut |part| with_stack(|| unfold_once_more(part)));
    let found = match found {
        CoreTermKind::LetRec(definition, rest) => {
            let (body, limit) = (with_stack(|| unfold_once_more(&definition.body)), definition.limit.map(|n| n + 1));
            CoreTermKind::LetRec(Arc::new(CoreDefinition { body, limit, ..(*definition).clone() }), rest)
        }
        other => other,
    };
    CoreTerm::from(found).with_site(term.site())
}

/// Returns the program with `fst` and `snd` exchanged.
fn swap_projections(term: &CoreTerm) -> CoreTerm {
    let found = match term.kind().map_children(&mut |part| with_stack(|| swap_projections(part))) {
        CoreTermKind::First(t, u, pair) => CoreTermKind::Second(t, u, pair),
        CoreTermKind::Second(t, u, pair) => CoreTermKind::First(t, u, pair),
        other => other,
    };
    CoreTerm::from(found).with_site(term.site())
}

/// Returns the program with J W in place of Jᵗ W for `W.rd_V(x : T. N)`, where W has the type T.
fn untranspose(term: &CoreTerm) -> CoreTerm {
    let found = match term.kind().map_children(&mut |part| with_stack(|| untranspose(part))) {
        // a literal cotangent shows its type without the types of what is in scope
        CoreTermKind::Reverse { cotangent, point, variable, ty, body }
            if cotangent.is_value() && cotangent.free_variables().is_empty() =>
        {
            let of_cotangent = type_of(&FunctionTypes::default(), &CoreVariableTypes::default(), &cotangent);
            match of_cotangent.is_ok_and(|own| own == ty && own != CoreTy::Real) {
                true => return term::forward_derivative(cotangent, point, &variable, [&ty, &ty], body),
                false => CoreTermKind::Reverse { cotangent, point, variable, ty, body },
            }
        }
        other => other,
    };
    CoreTerm::from(found).with_site(term.site())
}

/// Returns a trace in which each bound variable is replaced by a copy of its term.
fn copy_bound(trace: &CoreTerm) -> CoreTerm {
    match trace.kind() {
        CoreTermKind::Let(x, _, value, body) => {
            let value = with_stack(|| copy_bound(value));
            with_stack(|| copy_bound(&Renaming::substitute(body, x, value)))
        }
        kind => {
            let found = kind.map_children(&mut |part| with_stack(|| copy_bound(part)));
            CoreTerm::from(found).with_site(trace.site())
        }
    }
}

/// Numbers that are compared under replaced rules.
#[derive(Clone, Copy, Debug)]
pub struct HookedNumbers<'r, N> {
    /// The numbers.
    pub numbers: &'r N,
    /// The rules of comparison.
    pub hooks: &'r dyn TraceMutationHooks,
}

impl<N: NumberSystem> NumberSystem for HookedNumbers<'_, N> {
    type Number = N::Number;

    fn represent_rational(&self, q: &Rational) -> N::Number {
        self.numbers.represent_rational(q)
    }
    fn add(&self, a: &N::Number, b: &N::Number) -> N::Number {
        self.numbers.add(a, b)
    }
    fn apply_operation(&self, operation: &OperationSymbol, arguments: &[&N::Number]) -> Result<N::Number, TraceError> {
        self.numbers.apply_operation(operation, arguments)
    }
    fn apply_foreign(&self, id: ForeignId, a: &N::Number, budget: &Budget) -> Result<N::Number, TraceError> {
        self.numbers.apply_foreign(id, a, budget)
    }
    fn compare(&self, a: &N::Number, b: &N::Number) -> Result<Ordering, Option<i64>> {
        self.numbers.compare(a, b)
    }
    fn decide_equal(&self) -> Option<bool> {
        self.hooks.on_the_diagonal()
    }
    fn exact_rational(&self, number: &N::Number) -> Option<Rational> {
        self.numbers.exact_rational(number)
    }
}

rules! {
    /// Masses and means of programs that sample.
    Measure {
        RestDropped "rest_dropped", "paths that were not followed count with their chance (W §4)" => "they do not count";
        TailLost "tail_lost", "what is left of natural numbers counts (W §4)" => "it does not count";
        WeightForgotten "weight_forgotten", "a path counts with the product of its weights (W §4)" => "with its chance";
        ScoreTwice "score_twice", "each score weighs once (W §4)" => "twice";
        ScoresAdded "scores_added", "weights are multiplied (W §4)" => "added, as their logarithms are";
        IndicatorLost "indicator_lost", "a path counts where everything is as it was decided (W §2.1)" => "everywhere";
        OtherSide "other_side", "where a guard fails is the other side (W §2.1)" => "the last guard is turned over";
        NotNormalised "not_normalised", "a mean is divided by the mass (W §4)" => "it is not";
        BoundaryTermLost "boundary_term_lost", "a border that moves brings what lies beside it along (W §4)" => "it stays where it is";
        BorderCellInside "border_cell_inside", "of a box that a border crosses one side counts (W §4)" => "all of it";
        CancellationTaken "cancellation_taken", "a mean exists where the absolute value has one (Fubini's theorem)" => "where integrals one after the other have values";
        DeterminantForMeasure "determinant_for_measure", "𝒥 is how the map stretches the support (W App. A.2)" => "it is the determinant of the Jacobian";
        JacobianTransposed "jacobian_transposed", "a Jacobian has a row for each coordinate of the image" => "a column";
        OtherPiece "other_piece", "slopes are those of the piece on which the support lies (W App. A.2)" => "of the other one";
        PreimageDropped "preimage_dropped", "the density of an image is a sum over all preimages (area formula)" => "over all but the first";
        FactorMultiplied "factor_multiplied", "each preimage counts with its density over 𝒥 (area formula)" => "times 𝒥";
        TailBySupremum "tail_by_supremum", "infinitely many branches have the sum of their densities" => "at most their probability times the greatest density";
    }
}

impl MeasureHooks for Measure {
    fn path_weights(&self, scores: &[Graph]) -> Vec<Graph> {
        match self {
            Self::WeightForgotten => Vec::new(),
            Self::ScoreTwice => [scores, scores].concat(),
            // weights multiply, and their logarithms add; the mutant confuses the two
            Self::ScoresAdded => {
                scores.iter().cloned().reduce(|sum, next| Graph::binary(Binary::Add, &sum, &next)).into_iter().collect()
            }
            _ => scores.to_vec(),
        }
    }
    fn unexplored_probability(&self, chance: Magnitude) -> Magnitude {
        if *self == Self::RestDropped { Magnitude::ZERO } else { chance }
    }
    fn tails_to_sum(&self, tails: Vec<EndedPath>) -> Vec<EndedPath> {
        if *self == Self::TailLost { Vec::new() } else { tails }
    }
    fn path_decisions(&self, decided: &[GuardCondition], parameter: Option<&Parameter>) -> Vec<GuardCondition> {
        let mut found = decided.to_vec();
        match self {
            Self::IndicatorLost => found.clear(),
            // a path with the last guard negated is the neighbouring path
            Self::OtherSide => found.iter_mut().rev().take(1).for_each(|last| last.holds = !last.holds),
            // the guard is fixed at the point of differentiation, so that its border does not move
            Self::BoundaryTermLost => {
                let here: Vec<_> =
                    parameter.map(|p| (p.variable, Graph::rational(p.value.clone()))).into_iter().collect();
                found.iter_mut().for_each(|own| own.guard.graph = own.guard.graph.substitute(&here));
            }
            _ => {}
        }
        found
    }
    fn divides_by_the_mass(&self) -> bool {
        *self != Self::NotNormalised
    }
    fn needs_absolute_integrals(&self) -> bool {
        *self != Self::CancellationTaken
    }
    fn counts_whole_boxes(&self) -> bool {
        *self == Self::BorderCellInside
    }
}

/// The rules for sums over paths and for pushforwards.
pub trait MeasureMutationHooks: MeasureHooks {
    /// Returns the support of a program with a map. The Jacobian of the map determines how it scales measures on the
    /// support.
    ///
    /// # Errors
    /// [`MeasureError`], as [`ProgramSupport::of_program`].
    fn support_of_map(&self, program: &Term, map: &Term, budget: &Arc<Budget>) -> Result<ProgramSupport, MeasureError> {
        ProgramSupport::of_program(program, Some(map), budget)
    }

    /// Returns the density of the image of a number at a point, from the contributions of its preimages. `None` if no density is known.
    fn image_density(&self, found: &PushforwardDensity) -> Option<Enclosure> {
        match &found.densities[..] {
            [(_, density)] if found.is_complete => Some(density.clone()),
            _ => None,
        }
    }
}

impl MeasureMutationHooks for DefaultMeasureHooks {}

/// The distance from 0 beyond which [`Measure::TailBySupremum`] bounds the branches of a normal draw by its wrong rule, 3π/2.
const TAIL_DISTANCE: f64 = 1.5 * std::f64::consts::PI;
/// The probability P(|X| > [`TAIL_DISTANCE`]) of a normal draw X: `erfc(3π/(2√2))`, by mpmath.
const TAIL_PROBABILITY: f64 = 2.448_294_705_702_909_5e-6;
/// The precision of sums over preimages, in bits.
const DENSITY_BITS: u32 = 128;

/// Returns the sum of some enclosures.
fn sum_of(parts: impl Iterator<Item = Enclosure>) -> Enclosure {
    let context = Mpfr::new(DENSITY_BITS);
    let zero = context.enclose_integer(0);
    let sum = parts.fold(zero, |sum, part| context.add(&sum, &context.round_enclosure(&part)));
    context.to_enclosure(&sum)
}

/// Returns the densities at the preimages, where those beyond [`TAIL_DISTANCE`] count with at most P(|X| > [`TAIL_DISTANCE`]) times the
/// greatest of them, for a normal draw X.
fn bound_by_supremum(found: &PushforwardDensity) -> Enclosure {
    let is_far = |part: &PreimageContribution| {
        let at = part.preimage.as_ref().and_then(|place| place.first());
        at.is_some_and(|x| x.lo().to_f64().abs().min(x.hi().to_f64().abs()) > TAIL_DISTANCE)
    };
    // the branches of a sine have no probabilities of their own, so this is no bound of their sum
    let (far, near): (Vec<_>, Vec<_>) = found.parts.iter().partition(|part| is_far(part));
    let most = far.iter().map(|part| part.density.hi().to_f64()).fold(0.0, f64::max);
    let tail = TAIL_PROBABILITY * most;
    let context = Mpfr::new(DENSITY_BITS);
    let tail = context.to_enclosure(&context.enclose_rational(&Rational::from_f64(tail).unwrap_or_default()));
    let bound = context.to_enclosure(&context.enclose_integer(0)).hull(&tail);
    sum_of(near.into_iter().map(|part| part.density.clone()).chain([bound]))
}

impl MeasureMutationHooks for Measure {
    fn support_of_map(&self, program: &Term, map: &Term, budget: &Arc<Budget>) -> Result<ProgramSupport, MeasureError> {
        let mut support = ProgramSupport::of_program(program, Some(map), budget)?;
        match self {
            Self::OtherPiece => {
                // guards are the same for both maps, and so are the paths
                let other = ProgramSupport::of_program(program, Some(&exchange_branches(map)), budget)?;
                let both = support.charts.iter_mut().zip(other.charts);
                both.for_each(|(chart, other)| chart.jacobian = other.jacobian);
            }
            Self::JacobianTransposed => square_charts(&mut support).for_each(|chart| {
                let rows = &chart.jacobian;
                chart.jacobian = (0..rows.len()).map(|j| rows.iter().map(|row| row[j].clone()).collect()).collect();
            }),
            // a multiple of the identity scales the measure by the determinant, whatever the support is
            Self::DeterminantForMeasure => square_charts(&mut support).for_each(|chart| {
                let (n, dimension) = (chart.jacobian.len(), chart.image_draws().len().max(1));
                let determinant = Graph::unary(Unary::Abs, &determinant(&chart.jacobian));
                let scale = if dimension == 1 { determinant } else { determinant.pow(&Rational::from((1, dimension))) };
                let entry = |i: usize, j: usize| if i == j { scale.clone() } else { Graph::integer(0) };
                chart.jacobian = (0..n).map(|i| (0..n).map(|j| entry(i, j)).collect()).collect();
            }),
            _ => {}
        }
        Ok(support)
    }
    fn image_density(&self, found: &PushforwardDensity) -> Option<Enclosure> {
        let density = DefaultMeasureHooks.image_density(found)?;
        let rests = found.rests.iter().map(|(_, rest)| rest.clone());
        let context = Mpfr::new(DENSITY_BITS);
        Some(match self {
            // of one preimage nothing can be dropped unseen
            Self::PreimageDropped if found.parts.len() > 1 => {
                sum_of(found.parts[1..].iter().map(|part| part.density.clone()).chain(rests))
            }
            Self::FactorMultiplied => {
                let product = |part: &PreimageContribution| {
                    let (before, factor) = (part.density_before.as_ref()?, part.factor.as_ref()?);
                    let product = context.mul(&context.round_enclosure(before), &context.round_enclosure(factor));
                    Some(context.to_enclosure(&product))
                };
                sum_of(found.parts.iter().map(product).collect::<Option<Vec<_>>>()?.into_iter().chain(rests))
            }
            Self::TailBySupremum => bound_by_supremum(found),
            _ => density,
        })
    }
}

/// Returns the charts whose Jacobian is square.
fn square_charts(support: &mut ProgramSupport) -> impl Iterator<Item = &mut SupportChart> {
    support.charts.iter_mut().filter(|chart| chart.jacobian.first().map_or(0, Vec::len) == chart.jacobian.len())
}

/// Returns the program with the branches of its conditionals exchanged, but not those inside a branch.
fn exchange_branches(term: &Term) -> Term {
    let mut found = term.clone();
    let (kind, _) = found.parts_mut();
    if let TermKind::If { then, otherwise, .. } = kind {
        std::mem::swap(then, otherwise);
        return found;
    }
    kind.children_mut().for_each(|child| *child = crate::stack::with_stack(|| exchange_branches(child)));
    found
}

rules! {
    /// Samplers.
    Sampler {
        AcceptRatioInverted "accept_ratio_inverted", "a proposal is accepted by its density over that of the state" => "by the inverse of that";
        AcceptNoJacobian "accept_no_jacobian", "an involution is accepted with its factor 𝒥 (W App. A.2)" => "without";
    }
}

impl SamplerHooks for Sampler {
    fn log_acceptance_ratio(&self, densities: f64, factor: f64) -> f64 {
        match self {
            // both arguments are logarithms, so that the inverse ratio is the negative sum
            Self::AcceptRatioInverted => -densities - factor,
            Self::AcceptNoJacobian => densities,
        }
    }
}

rules! {
    /// Programs in pieces.
    Pap {
        TestBorder "test_border", "x < y is false for x = y (W §2.1)" => "true";
        BranchByTangent "branch_by_tangent", "a derivative branches as the primal point does (W §3.3)" => "as the tangent does";
        ReplayForgets "replay_forgets", "both answers to a guard are followed (W §2.1)" => "one of them";
        FrontierDropped "frontier_dropped", "what was not unfolded is told (W §3.2)" => "nothing of it";
        DomainConditionLost "domain_condition_lost", "a map is defined around its piece (W §2.1)" => "what an operation needs is not asked";
        AbsSmooth "abs_smooth", "abs is two pieces (W §2.1)" => "one map, of which a piece may have a kink inside";
        FuelIsUndefined "fuel_is_undefined", "that fuel is used up says nothing (W §3.2)" => "there is no value";
        OuterGuardsKept "outer_guards_kept", "the guards of g hold at f(x) in a composite (W §2.1)" => "at x";
        SlopesDoubled "slopes_doubled", "an intensional derivative is the derivative of each piece (W §2.1)" => "twice that";
        InnerSlopeLost "inner_slope_lost", "the slope of a composite is dg(f x) · df x (W §2.1)" => "dg(f x)";
        OuterAtInner "outer_at_inner", "the slope of g is taken at f x (W §2.1)" => "at x";
        OuterSlopeLost "outer_slope_lost", "the slope of a composite is dg(f x) · df x (W §2.1)" => "df x";
        SlopesAdded "slopes_added", "the slope of a composite is dg(f x) · df x (W §2.1)" => "dg(f x) + df x";
        SampleAtMiddle "sample_at_middle", "the sample of a piece is a point of it" => "the middle of the domain";
        EquationsIgnored "equations_ignored", "a condition g = 0 lowers the dimension of a piece" => "it does not";
        SlopeShifted "slope_shifted", "an intensional derivative differs from the slope on null sets alone (W §2.1)" => "it is 1 more above 0";
    }
}

/// The rules of programs in pieces, and of how pieces are composed and differentiated.
pub trait PiecewiseMutationHooks: PiecewiseHooks {
    /// Returns g ∘ f, as [`PiecewiseMap::then`].
    fn compose_pieces(
        &self,
        f: &PiecewiseMap,
        g: &PiecewiseMap,
        finest: &Rational,
        budget: &Budget,
    ) -> Option<PiecewiseMap> {
        f.then(g, finest, budget)
    }
    /// Returns the sample of a piece, with the least dimension that the piece has around it. Returns `None` without a sample.
    fn sample_of(&self, map: &PiecewiseMap, piece: &AnalyticPiece) -> Option<(Vec<Rational>, usize)> {
        let _ = map;
        Some((piece.sample()?.to_vec(), piece.dimension.at_least?))
    }
    /// Returns the parts of a piece with the slopes that are claimed on them. The first part that holds a point counts.
    fn claimed_slopes(&self, slope: Graph, x: &Graph) -> Vec<(Vec<GuardCondition>, Graph)> {
        let _ = x;
        vec![(Vec::new(), slope)]
    }
    /// Returns the slope of a composite from the slope of g as a function of its variable, the value f x, x, and the slope
    /// of f at x.
    fn composite_slope(&self, outer: &dyn Fn(&Graph) -> Graph, [value, x, inner]: [&Graph; 3]) -> Graph {
        let _ = x;
        Graph::binary(Binary::Multiply, &outer(value), inner)
    }
}

impl PiecewiseMutationHooks for DefaultPiecewiseHooks {}

impl PiecewiseMutationHooks for Pap {
    fn compose_pieces(
        &self,
        f: &PiecewiseMap,
        g: &PiecewiseMap,
        finest: &Rational,
        budget: &Budget,
    ) -> Option<PiecewiseMap> {
        let right = f.then(g, finest, budget)?;
        if *self != Self::OuterGuardsKept || f.variables.len() != g.variables.len() {
            return Some(right);
        }
        let same: Vec<_> = g.variables.iter().copied().zip(f.variables.iter().map(|v| Graph::variable(*v))).collect();
        let mut pieces = Vec::new();
        for inner in &f.pieces {
            let PieceValue::Values(values) = &inner.outcome else {
                pieces.push(inner.clone());
                continue;
            };
            let along: Vec<_> = g.variables.iter().copied().zip(values.iter().cloned()).collect();
            for outer in &g.pieces {
                let kept = outer
                    .guards
                    .iter()
                    .map(|own| GuardCondition { guard: own.guard.preimage_under(&same), ..own.clone() });
                let guards = inner.guards.iter().cloned().chain(kept).collect();
                pieces.push(AnalyticPiece::unexamined(guards, outer.outcome.substitute(&along), f.variables.len()));
            }
        }
        Some(PiecewiseMap { pieces, ..right })
    }
    fn sample_of(&self, map: &PiecewiseMap, piece: &AnalyticPiece) -> Option<(Vec<Rational>, usize)> {
        let (sample, dimension) = (piece.sample()?.to_vec(), piece.dimension.at_least?);
        Some(match self {
            Self::SampleAtMiddle => {
                let domain = map.domain.as_deref().unwrap_or_default();
                (domain.iter().map(|[from, to]| Rational::from(from + to) / 2u32).collect(), dimension)
            }
            Self::EquationsIgnored => (sample, map.variables.len()),
            _ => (sample, dimension),
        })
    }
    fn claimed_slopes(&self, slope: Graph, x: &Graph) -> Vec<(Vec<GuardCondition>, Graph)> {
        match self {
            Self::SlopesDoubled => vec![(Vec::new(), Graph::binary(Binary::Multiply, &Graph::integer(2), &slope))],
            Self::SlopeShifted => {
                let guard = SignGuard::of_difference(x, &Graph::integer(0), SignTest::Positive, SourceId::NOWHERE);
                let above = GuardCondition { guard, holds: true, is_condition: false };
                let shifted = Graph::binary(Binary::Add, &slope, &Graph::integer(1));
                vec![(vec![above], shifted), (Vec::new(), slope)]
            }
            _ => vec![(Vec::new(), slope)],
        }
    }
    fn composite_slope(&self, outer: &dyn Fn(&Graph) -> Graph, [value, x, inner]: [&Graph; 3]) -> Graph {
        match self {
            Self::InnerSlopeLost => outer(value),
            Self::OuterSlopeLost => inner.clone(),
            Self::SlopesAdded => Graph::binary(Binary::Add, &outer(value), inner),
            Self::OuterAtInner => Graph::binary(Binary::Multiply, &outer(x), inner),
            _ => Graph::binary(Binary::Multiply, &outer(value), inner),
        }
    }
}

/// The rules of the semantics of A and W. A law is tested with those of the library, or with one that is wrong.
#[derive(Clone, Debug)]
pub struct RuleSet {
    /// The rules of traces.
    pub trace: Arc<dyn TraceMutationHooks>,
    /// The clauses of partial maps.
    pub partial: Arc<dyn PartialMutationHooks>,
    /// The clauses of programs in pieces.
    pub pieces: Arc<dyn PiecewiseMutationHooks>,
}

impl Default for RuleSet {
    /// The rules of the library.
    fn default() -> Self {
        Self {
            trace: Arc::new(DefaultTraceHooks),
            partial: Arc::new(DefaultPartialHooks),
            pieces: Arc::new(DefaultPiecewiseHooks),
        }
    }
}

impl RuleSet {
    /// Returns the clauses of partial maps that a universe asks.
    #[must_use]
    pub fn partial_hooks(&self) -> Arc<dyn PartialHooks> {
        self.partial.clone()
    }

    /// Returns the clauses of programs in pieces that a run asks.
    #[must_use]
    pub fn pieces_hooks(&self) -> Arc<dyn PiecewiseHooks> {
        self.pieces.clone()
    }
}

/// A wrong rule of the semantics of A and W.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum WrongRule {
    /// A rule of traces.
    Trace(Trace),
    /// A clause of partial maps.
    Partial(Partial),
    /// A clause of programs in pieces.
    Pieces(Pap),
}

impl WrongRule {
    /// Returns the name of the rule.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Trace(rule) => rule.name(),
            Self::Partial(rule) => rule.name(),
            Self::Pieces(rule) => rule.name(),
        }
    }

    /// Returns the right rule and the wrong one, in words.
    #[must_use]
    pub fn rule_texts(self) -> [&'static str; 2] {
        match self {
            Self::Trace(rule) => [rule.rule(), rule.instead()],
            Self::Partial(rule) => [rule.rule(), rule.instead()],
            Self::Pieces(rule) => [rule.rule(), rule.instead()],
        }
    }

    /// Returns all wrong rules.
    #[must_use]
    pub fn all() -> Vec<Self> {
        let traces = Trace::ALL.iter().map(|rule| Self::Trace(*rule));
        let partial = Partial::ALL.iter().map(|rule| Self::Partial(*rule));
        traces.chain(partial).chain(Pap::ALL.iter().map(|rule| Self::Pieces(*rule))).collect()
    }
}

impl From<WrongRule> for RuleSet {
    fn from(rule: WrongRule) -> Self {
        match rule {
            WrongRule::Trace(rule) => Self { trace: Arc::new(rule), ..Self::default() },
            WrongRule::Partial(rule) => Self { partial: Arc::new(rule), ..Self::default() },
            WrongRule::Pieces(rule) => Self { pieces: Arc::new(rule), ..Self::default() },
        }
    }
}

impl PiecewiseHooks for Pap {
    fn test_to_ask(&self, test: SignTest) -> SignTest {
        // borders belong to the other side
        match (self, test) {
            (Self::TestBorder, SignTest::Positive) => SignTest::NonNegative,
            _ => test,
        }
    }
    fn substitute_point(&self, graph: &Graph, v: Variable, at: &Graph) -> Graph {
        match self {
            // branching by the derivative of the guard along the line, in place of its value
            Self::BranchByTangent => {
                Graph::derivative(vec![v], graph.clone(), vec![at.clone()], vec![Graph::integer(1)])
            }
            _ => graph.substitute(&[(v, at.clone())]),
        }
    }
    fn keeps_conditions(&self) -> bool {
        *self != Self::DomainConditionLost
    }
    fn forks_at_kinks(&self) -> bool {
        *self != Self::AbsSmooth
    }
    fn follows_both_answers(&self) -> bool {
        *self != Self::ReplayForgets
    }
    fn reports_frontier(&self) -> bool {
        *self != Self::FrontierDropped
    }
    fn fuel_error(&self, found: UndefinedValue) -> UndefinedValue {
        match self {
            Self::FuelIsUndefined => UndefinedValue {
                operation: found.operation,
                ..UndefinedValue::of_operation(UndefinedCause::Domain, "a recursion")
            },
            _ => found,
        }
    }
}

rules! {
    /// The denotational meaning of partial maps.
    Partial {
        Diagonal "partial_diagonal", "a comparison of equal numbers is undefined (A §2)" => "it is true";
        ClosedDomain "partial_closed_domain", "an operation is defined on an open set (A §4)" => "at its edges too";
        LazyLet "partial_lazy_let", "`let x = M in N` is undefined where M is (A Fig. 7)" => "where M is used";
        LazyPair "partial_lazy_pair", "a pair is undefined where one of its parts is (A Fig. 7)" => "a part is where it is used";
        BothBranches "partial_both_branches", "of a conditional one branch has to be defined (A §4)" => "both";
        LevelsOff "partial_levels_off", "µⁿ⁺¹ = F(µⁿ) (A §4)" => "µ⁰ = F(⊥)";
        BottomAnswers "partial_bottom_answers", "µ⁰ is ⊥ (A §4)" => "0";
        OneDirection "partial_one_direction", "each derivative has a direction of its own (A §3)" => "the one that is there";
        Untransposed "partial_untransposed", "`rd f x w` is Jᵗ w (A (4))" => "J w, where J is a square";
        Unrestricted "partial_unrestricted", "f̄ is undefined where f is (A Prop. 4.1)" => "nowhere";
        JoinLeft "partial_join_left", "f ∨ g is whichever is defined (A Prop. 4.2)" => "f";
        NothingForNothing "partial_nothing_for_nothing", "`rd f x 0` is defined where f is (A §4.1)" => "everywhere";
        PartsReversed "partial_parts_reversed", "a pair is the vector of its left part, then of its right part (A Lemma 5.1)" => "of its right part first";
        BoxAtMiddle "partial_box_at_middle", "a map on a box has the values of all of its points" => "of the middle";
        RoundedToNearest "partial_rounded_to_nearest", "an enclosure is rounded outward" => "to the nearest number";
        CompositeSwapped "partial_composite_swapped", "g after f takes the coordinates of f in their order" => "in reverse";
        ChainAtPoint "partial_chain_at_point", "in the chain rule g is differentiated at f(x) (A (7))" => "at x";
    }
}

/// The rules of partial maps, and of how laws evaluate them.
pub trait PartialMutationHooks: PartialHooks {
    /// Returns the numbers of a value, in the order of the vector that it denotes.
    fn vector_of_value(&self, value: &CoreValue<Rational>) -> Vec<Rational> {
        value.real_components().into_iter().cloned().collect()
    }
    /// Returns `true` if a map on a box is evaluated at the middle alone.
    fn evaluates_at_middle(&self) -> bool {
        false
    }
    /// Returns `true` if enclosures are replaced by the number in their middle.
    fn rounds_to_nearest(&self) -> bool {
        false
    }
    /// Returns `true` if composites take coordinates in reverse.
    fn swaps_coordinates(&self) -> bool {
        false
    }
    /// Returns `true` if the outer map of a composite is differentiated at the point of the inner one.
    fn keeps_the_point(&self) -> bool {
        false
    }
}

impl PartialMutationHooks for DefaultPartialHooks {}

impl PartialMutationHooks for Partial {
    fn vector_of_value(&self, value: &CoreValue<Rational>) -> Vec<Rational> {
        let mut found: Vec<Rational> = value.real_components().into_iter().cloned().collect();
        if *self == Self::PartsReversed {
            found.reverse();
        }
        found
    }
    fn evaluates_at_middle(&self) -> bool {
        *self == Self::BoxAtMiddle
    }
    fn rounds_to_nearest(&self) -> bool {
        *self == Self::RoundedToNearest
    }
    fn swaps_coordinates(&self) -> bool {
        *self == Self::CompositeSwapped
    }
    fn keeps_the_point(&self) -> bool {
        *self == Self::ChainAtPoint
    }
}

impl PartialHooks for Partial {
    fn comparison_on_diagonal(&self) -> Option<bool> {
        (*self == Self::Diagonal).then_some(true)
    }
    fn closes_domains(&self) -> bool {
        *self == Self::ClosedDomain
    }
    fn binds_lazily(&self) -> bool {
        *self == Self::LazyLet
    }
    fn pairs_lazily(&self) -> bool {
        *self == Self::LazyPair
    }
    fn runs_both_branches(&self) -> bool {
        *self == Self::BothBranches
    }
    fn approximant_levels(&self, n: u64) -> u64 {
        n + u64::from(*self == Self::LevelsOff)
    }
    fn bottom_value(&self) -> Option<i64> {
        (*self == Self::BottomAnswers).then_some(0)
    }
    fn separates_directions(&self) -> bool {
        *self != Self::OneDirection
    }
    fn transposes_reverse(&self) -> bool {
        *self != Self::Untransposed
    }
    fn restricts_domain(&self) -> bool {
        *self != Self::Unrestricted
    }
    fn joins_both_sides(&self) -> bool {
        *self != Self::JoinLeft
    }
    fn runs_for_zero_cotangent(&self) -> bool {
        *self != Self::NothingForNothing
    }
}
