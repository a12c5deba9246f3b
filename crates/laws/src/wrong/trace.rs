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

use crate::meaning::pap::PiecewiseHooks;
use crate::meaning::partial::PartialHooks;
use crate::measure::MeasureError;
use crate::measure::draws::Parameter;
use crate::measure::explore::EndedPath;
use crate::measure::hooks::{DefaultMeasureHooks, MeasureHooks};
use crate::measure::support::{ProgramSupport, SupportChart, determinant};
use crate::number::budget::Budget;
use crate::number::{Magnitude, Rational};
use crate::pieces::{GuardCondition, SignTest};
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
use crate::trace::term::{CoreDefinition, CoreTerm, CoreTermKind, CoreTy, Renaming};
use crate::trace::typing::FunctionEnvironment;
use crate::value::{UndefinedCause, UndefinedValue};
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
}

impl TraceMutationHooks for DefaultTraceHooks {}

impl TraceMutationHooks for Trace {
    fn on_the_diagonal(&self) -> Option<bool> {
        (*self == Self::Diagonal).then_some(true)
    }
    fn program_to_run(&self, term: &CoreTerm) -> CoreTerm {
        if *self == Self::LimitOff { unfold_once_more(term) } else { term.clone() }
    }
    fn printed_range(&self, range: &ValidityInterval) -> [String; 2] {
        let (Self::BoxByWidth, [least, most]) = (self, &range.point) else { return range.to_decimals() };
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
}

impl MeasureMutationHooks for DefaultMeasureHooks {}

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
