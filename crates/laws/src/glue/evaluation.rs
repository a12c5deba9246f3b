//! Derivatives of the evaluation map `ev(a)(f) = f(a)` (H §7, Lemma 9, Prop. 10).
//!
//! S relates a functional to more than one representation. H gives two representations of ev over (1, 1). The second is
//! wrong as printed, and right as intended:
//!
//! | | H | at the dual number (a, a′) | |
//! |---|---|---|---|
//! | [`EvaluationDerivative::Macro`] | ev′₁ | f(a, a′) | the result of the macro |
//! | [`EvaluationDerivative::Printed`] | ev′₂ | (sort f)(a, a′) | not related to ev (E37) |
//! | [`EvaluationDerivative::Corrected`] | – | (π₁ f(a, 0), π₂ f(a, a′)) | related, and different from ev′₁ |
//!
//! `sort f` is `(r, _) ↦ (π₁ f(r, 0), ∇(π₁ f(−, 0))(r))`. In a plot of functions f, it treats f(x) as constant, and so
//! loses the dependence of f on x. For γ(x)(y) = x y, the derivative of γ(x)(x) = x² comes out as x. The proof of Lemma
//! 9 has the same gap: it takes the derivative of `u′ ↦ f(u)` in one place, and that of `f(u′)` in another.
//!
//! # The material of related pairs
//!
//! Variables in scope, and random smooth functions.
//!
//! A related pair is made twice, once for each [`PlotSide`], from the same random numbers. So a function on one side does
//! not depend on the argument on the other. All choices depend on the random numbers and on discrete data alone, which
//! are the same on both sides.

use super::claim::{ClaimSet, CompiledPlots, CoordinateSpace, DerivativeClaim, GlueError, enclose_point};
use super::equality::test_equal;
use super::lemma::{GluingSetup, apply_all, curried_reals, draw_point};
use super::object::{GluingObject, PaperClauses};
use super::representation::Representation;
use super::trial::{BasisRange, TheoremSample, TheoremTest, VerdictWithValues};
use super::{claim, representation};
use crate::law::generate::{TermGenerator, TermVocabulary, data_library};
use crate::law::term::{TermHead, TestTerm};
use crate::meaning::presheaf::PresheafInterpreter;
use crate::meaning::taylor::derive::{DeriveError, DerivedProgram, derive_with};
use crate::meaning::taylor::functor;
use crate::meaning::taylor::functor::{NumberRules, Taylor};
use crate::meaning::taylor::jet::Basis;
use crate::meaning::taylor::partial::SmoothOperation;
use crate::number::Rational;
use crate::number::budget::Budget;
use crate::presheaf::dynamic::{Element, StageFunction};
use crate::random::SplitMix64;
use crate::smooth::graph::{Binary, Graph, Variable};
use crate::stack::with_stack;
use crate::syntax::constant::Constant;
use crate::syntax::term::Term as Core;
use crate::syntax::ty::{Ty, TyKind};
use crate::value::ValueError;
use crate::verdict::Verdict;
use std::sync::Arc;

/// The spread of the sizes of random functions, in heads. A choice.
const SIZE: usize = 12;

/// A representation of evaluation: `ℝ² → (ℝ² ⇒ ℝ²) ⇒ ℝ²`, at a dual number and a function of dual numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[doc(alias("ev", "swap"))]
pub enum EvaluationDerivative {
    /// ev′₁, the result of the macro.
    Macro,
    /// ev′₂ as it is printed.
    Printed,
    /// (π₁ f(a, 0), π₂ f(a, a′))
    Corrected,
}

/// Returns a constant number.
fn constant_element(value: i64) -> Element {
    Element::Real(Graph::integer(value))
}

/// Returns the dual number with this value and slope.
fn dual_element(value: Element, slope: Element) -> Element {
    Element::tuple_of([value, slope])
}

/// The second component of `sort f`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum SortSlope {
    /// ∇(π₁ f(−, 0))(r), whatever r′ is: as printed.
    Printed,
    /// r′ · ∇(π₁ f(−, 0))(r): the dual-number function of the first component (E38).
    Scaled,
}

/// Returns `sort f` at a dual number.
///
/// # Errors
/// Those of `f`.
pub fn sort_at(f: &StageFunction, at: &Element, which: SortSlope) -> Result<Element, ValueError> {
    let (r, slope) = at.as_pair()?;
    let first = |r: Element| Ok::<_, ValueError>(f.apply(&dual_element(r, constant_element(0)))?.as_pair()?.0.clone());
    // a fresh variable: the derivative must not see other variables of the stage
    let s = Variable::fresh();
    let body = first(Element::Real(Graph::variable(s)))?.as_real()?.clone();
    let along = match which {
        SortSlope::Printed => Graph::integer(1),
        SortSlope::Scaled => slope.as_real()?.clone(),
    };
    let derivative = Graph::derivative(vec![s], body, vec![r.as_real()?.clone()], vec![along]);
    Ok(dual_element(first(r.clone())?, Element::Real(derivative)))
}

/// Returns the map (r, r′) ↦ (r′, r).
#[must_use]
pub fn swap_function() -> StageFunction {
    StageFunction::new(|at: &Element| {
        let (r, slope) = at.as_pair()?;
        Ok(dual_element(slope.clone(), r.clone()))
    })
}

impl EvaluationDerivative {
    /// Returns the representation at a dual number and a function.
    ///
    /// # Errors
    /// Those of `f`.
    pub fn evaluate_at(self, a: &Element, f: &StageFunction) -> Result<Element, ValueError> {
        match self {
            Self::Macro => f.apply(a),
            Self::Printed => sort_at(f, a, SortSlope::Printed),
            Self::Corrected => {
                let value = f.apply(&dual_element(a.as_pair()?.0.clone(), constant_element(0)))?;
                Ok(dual_element(value.as_pair()?.0.clone(), f.apply(a)?.as_pair()?.1.clone()))
            }
        }
    }
}

/// Returns a plot of functions γ : ℝ → (ℝ ⇒ ℝ), given by a program `\x y => …`, with its representation in S: γ(x)(y) =
/// G(x, y), and γ′(x)(y, y′) is the representation of G at (x, 1) and (y, y′).
fn plot_of_functions(program: &TestTerm, sample: &TheoremSample, x: &Graph) -> Result<PlotPair, GlueError> {
    let g = run_program(&core_term(program)?)?;
    let plot = apply_all(&g, [Element::Real(x.clone())])?;
    let (basis, x) = (sample.basis.clone(), dual_element(Element::Real(x.clone()), constant_element(1)));
    let representation = Element::from_closure(move |y| {
        let g = |curves: &[Element]| curves.iter().try_fold(g.clone(), |f, argument| f.as_function()?.apply(argument));
        representation::taylor_representation(&basis, g, &[x.clone(), y.clone()])
    });
    Ok(PlotPair { plot, representation })
}

/// Proposition 10 (H): (ev, witness) is related at `real → (real → real) → real`. For related γ and γ′, `x ↦ witness(x,
/// 1)(γ′(x))` must be the value and the derivative of `x ↦ ev(x)(γ(x))`.
#[must_use]
pub fn proposition_10(witness: EvaluationDerivative) -> TheoremTest<'static> {
    let draw = |random: &mut SplitMix64| {
        let size = 2 + random.next_below(SIZE);
        vec![draw_program(random, &curried_reals(2), size)]
    };
    let judge = move |sample: &TheoremSample| {
        let stage = CoordinateSpace::new(1);
        let point = draw_point(&mut SplitMix64::new(sample.seed), 1);
        let x = Graph::variable(stage.variables()[0]);
        let pair = plot_of_functions(&sample.terms[0], sample, &x)?;
        let plot = apply_all(&pair.plot, [Element::Real(x.clone())])?.as_real()?.clone();
        let found = witness
            .evaluate_at(&dual_element(Element::Real(x), constant_element(1)), pair.representation.as_function()?)?;
        let derivatives = representation::jet_coordinates(&found)?.into_iter().enumerate().collect();
        let mut claims = ClaimSet::default();
        claims.push(DerivativeClaim { path: "x ↦ γ(x)(x)".to_owned(), plot, derivatives, is_slope: false });
        claims.test_at(&stage, &sample.basis, &point)
    };
    TheoremTest { range: BasisRange::Only(1, 1), draw: Box::new(draw), judge: Box::new(judge) }
}

/// Tests that the two right witnesses differ: at swap, ev′₁ is (1, a) and the other one is (0, a).
#[must_use]
pub fn not_unique() -> TheoremTest<'static> {
    let judge = |sample: &TheoremSample| {
        let a = draw_point(&mut SplitMix64::new(sample.seed), 1).remove(0);
        let at = dual_element(Element::Real(Graph::rational(a.clone())), constant_element(1));
        let pair = |first: i64| dual_element(constant_element(first), Element::Real(Graph::rational(a.clone())));
        let same = |witness: EvaluationDerivative, expected: &Element| {
            test_equal(
                &functor::jet_type(2),
                &witness.evaluate_at(&at, &swap_function())?,
                expected,
                &mut SplitMix64::new(0),
            )
        };
        // `same` can only refute, so equality with the expected values is joined by a refutation of the other one
        let mine = same(EvaluationDerivative::Macro, &pair(1))?.both(same(EvaluationDerivative::Corrected, &pair(0))?);
        Ok(match same(EvaluationDerivative::Corrected, &pair(1))?.verdict {
            Verdict::Refuted { .. } => mine,
            _ => Verdict::refuted("both derivatives of evaluation, at swap", "(1, a)", "(1, a)").into(),
        })
    };
    TheoremTest { range: BasisRange::Only(1, 1), draw: Box::new(|_| Vec::new()), judge: Box::new(judge) }
}

/// Draws a function of dual numbers, as a program.
fn dual_function(random: &mut SplitMix64) -> Vec<TestTerm> {
    let ty = Ty::function(functor::jet_type(2), functor::jet_type(2));
    let size = 3 + random.next_below(SIZE);
    vec![draw_program(random, &ty, size)]
}

/// Runs a program as a function of dual numbers.
fn run_dual(term: &TestTerm) -> Result<StageFunction, GlueError> {
    Ok(run_program(&core_term(term)?)?.as_function()?.clone())
}

/// A candidate for `sort`, at a function and a dual number.
pub type SortMap = fn(&StageFunction, &Element) -> Result<Element, ValueError>;

/// The order up to which plots are compared. A choice.
const ORDER: usize = 3;

/// Lemma 9 (H): sort is smooth and idempotent, and maps swap to the constant (0, 0).
#[must_use]
#[doc(alias = "sort")]
pub fn lemma_9() -> TheoremTest<'static> {
    lemma_9_of(|f, at| sort_at(f, at, SortSlope::Printed))
}

/// Lemma 9 for another map than `sort`.
///
/// A smooth map sends plots to plots. For plots f of functions and γ of dual numbers, `u ↦ sort_at(f(u))(γ(u))` must be a
/// plot. Let `H(u, y) = π₁ f(u)(π₁γ(u) + y, 0)`. Then the plot must have the derivatives `∂ᵤⁿ H` and `∂ᵤⁿ ∂_y H` at y =
/// 0. These are derivatives of a map ℝ² → ℝ that contains no derivative node itself. So no variable of the stage is
/// confused with that of `sort`, and no dependence on u is lost.
#[must_use]
pub fn lemma_9_of(sorting: SortMap) -> TheoremTest<'static> {
    let draw = |random: &mut SplitMix64| {
        let ty = Ty::function(Ty::real(), Ty::function(functor::jet_type(2), functor::jet_type(2)));
        let size = 4 + random.next_below(SIZE);
        vec![draw_program(random, &ty, size)]
    };
    let judge = move |sample: &TheoremSample| {
        let mut random = SplitMix64::new(sample.seed);
        let family = run_program(&core_term(&sample.terms[0])?)?;
        // the point of the stage, and the coefficients of γ
        let c = draw_point(&mut random, 1).remove(0);
        let numbers = draw_point(&mut random, 2);
        // γ(u) = (a + u, b u), a plot of dual numbers
        let [a, b] = [0, 1].map(|i: usize| Graph::rational(numbers[i].clone()));
        let gamma = |u: &Graph| {
            let first = Graph::binary(Binary::Add, &a, u);
            dual_element(Element::Real(first), Element::Real(Graph::binary(Binary::Multiply, &b, u)))
        };
        let at = |u: &Graph| apply_all(&family, [Element::Real(u.clone())]);
        let sent = sent_to_a_plot(sorting, &at, &gamma, &c)?;
        let c = Graph::rational(c);
        let (f, x) = (at(&c)?.as_function()?.clone(), gamma(&c));
        let once = sorting(&f, &x)?;
        let twice = sorting(&StageFunction::new(move |at: &Element| sorting(&f, at)), &x)?;
        let same = |x: &Element, y: &Element| test_equal(&functor::jet_type(2), x, y, &mut SplitMix64::new(0));
        Ok(sent
            .both(same(&once, &twice)?)
            .both(same(&sorting(&swap_function(), &x)?, &dual_element(constant_element(0), constant_element(0)))?))
    };
    TheoremTest { range: BasisRange::Only(1, 1), draw: Box::new(draw), judge: Box::new(judge) }
}

/// Tests that `u ↦ sort_at(f(u))(γ(u))` has the required derivatives at `c`.
fn sent_to_a_plot(
    sorting: SortMap,
    at: &dyn Fn(&Graph) -> Result<Element, GlueError>,
    gamma: &dyn Fn(&Graph) -> Element,
    c: &Rational,
) -> Result<VerdictWithValues, GlueError> {
    let stage = CoordinateSpace::new(2);
    let [u, y] = [0, 1].map(|i: usize| Graph::variable(stage.variables()[i]));
    let (value, slope) = sorting(at(&u)?.as_function()?, &gamma(&u))?.as_pair().map(|(a, b)| (a.clone(), b.clone()))?;
    let plot = CompiledPlots::new(&stage.variables()[..1], &[value.as_real()?.clone(), slope.as_real()?.clone()])?;
    // H is built without `sort`, by moving the argument along a second coordinate of the stage
    let moved = Graph::binary(Binary::Add, gamma(&u).as_pair()?.0.as_real()?, &y);
    let h = apply_all(&at(&u)?, [dual_element(Element::Real(moved), constant_element(0))])?;
    let h = CompiledPlots::new(stage.variables(), &[h.as_pair()?.0.as_real()?.clone()])?;
    let (line, plane) = (Basis::new(1, ORDER)?, Basis::new(2, ORDER + 1)?);
    // first all ∂ᵤⁿ H, then all ∂ᵤⁿ ∂_y H: the order of the two components of the plot
    let places =
        (0..2).flat_map(|y| (0..=ORDER).map(move |n| vec![n, y])).filter_map(|index| plane.position_of(&index));
    let places: Vec<usize> = places.collect();
    claim::judge_in_tiers(|tier| {
        let left = plot.enclose_derivatives(&enclose_point(std::slice::from_ref(c), tier), &line, tier)?.concat();
        let all = h.enclose_derivatives(&enclose_point(&[c.clone(), Rational::new()], tier), &plane, tier)?.concat();
        let right: Vec<_> = places.iter().map(|place| all[*place].clone()).collect();
        let name = |place| format!("derivative {} of component {}, at u = {c}", place % line.len(), place / line.len());
        Ok((claim::compare_jets(&line, &left, &right, name), true))
    })
}

/// "sort converts any map into the dual-number representation of its first component" (H §7.1). `sort f` must be
/// related to `r ↦ π₁ f(r, 0)`. As printed it ignores r′, and is not (E38).
#[must_use]
pub fn sort_represents(which: SortSlope) -> TheoremTest<'static> {
    let judge = move |sample: &TheoremSample| {
        let stage = CoordinateSpace::new(1);
        let numbers = draw_point(&mut SplitMix64::new(sample.seed), 3);
        let u = Graph::variable(stage.variables()[0]);
        // the plot r = a u + b, with its jet (r, a)
        let [a, b] = [0, 1].map(|i: usize| Graph::rational(numbers[i].clone()));
        let r = Graph::binary(Binary::Add, &Graph::binary(Binary::Multiply, &a, &u), &b);
        let f = run_dual(&sample.terms[0])?;
        let plot =
            f.apply(&dual_element(Element::Real(r.clone()), constant_element(0)))?.as_pair()?.0.as_real()?.clone();
        let found = sort_at(&f, &dual_element(Element::Real(r), Element::Real(a)), which)?;
        let derivatives = representation::jet_coordinates(&found)?.into_iter().enumerate().collect();
        let mut claims = ClaimSet::default();
        claims.push(DerivativeClaim { path: "π₁ f(r, 0)".to_owned(), plot, derivatives, is_slope: false });
        claims.test_at(&stage, &sample.basis, &numbers[2..])
    };
    TheoremTest { range: BasisRange::Only(1, 1), draw: Box::new(dual_function), judge: Box::new(judge) }
}

/// Compares the tangent of λ_S at `(ℜ → ℜ) → ℜ` (S §5.3) with 𝒟 at the same type, by evaluation on curves of functions.
/// The two sides are `tangent F` at the tangent of x ↦ G x in direction 1, and ⟦𝒟F⟧ at the representation of the same
/// curve.
#[must_use]
pub fn tangents(setting: GluingSetup) -> TheoremTest<'static> {
    let draw = |random: &mut SplitMix64| {
        let functional = Ty::function(curried_reals(1), Ty::real());
        let (f, g) = (3 + random.next_below(SIZE), 2 + random.next_below(SIZE));
        vec![draw_program(random, &functional, f), draw_smooth_program(random, &curried_reals(2), g)]
    };
    let judge = move |sample: &TheoremSample| {
        let x: Rational = draw_point(&mut SplitMix64::new(sample.seed), 1).remove(0);
        let (functional, curve) = (&sample.terms[0], &sample.terms[1]);
        let text = format!(
            "tangent_R.to (tangent ({functional}) (tangent (\\(x : Real) => ({curve}) x) (tangent_R.from ({x}, 1))))"
        );
        let left = run_program(&parse_program(&text)?.0)?;
        let core = core_term(functional)?;
        let derived = setting.derive_program(&core, &functional.ty, &sample.basis)?;
        let pair = plot_of_functions(curve, sample, &Graph::rational(x))?;
        let right = apply_all(&run_program(&derived.term)?, [pair.representation])?;
        test_equal(&functor::jet_type(2), &left, &right, &mut SplitMix64::new(0))
    };
    TheoremTest { range: BasisRange::Only(1, 1), draw: Box::new(draw), judge: Box::new(judge) }
}

/// A side of a related pair.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum PlotSide {
    /// The plot of X.
    Plot,
    /// The plot of X′, its representation.
    Representation,
}

/// A pair of plots, which may be related.
#[derive(Clone, Debug)]
pub struct PlotPair {
    /// The plot ℝᵏ → X.
    pub plot: Element,
    /// The plot ℝᵏ → X′.
    pub representation: Element,
}

/// The number of arguments of a random smooth function. A choice.
pub const ARITY: usize = 3;
/// The number of random functions of a scope. A choice.
const RANDOM_FUNCTIONS: usize = 3;
/// The number of functions that are drawn for one that the macro has rules for. A choice.
const ATTEMPTS: usize = 10;
/// The budget of a random program, in work units. It exceeds the step limit of the interpreter.
const STEPS: u64 = 1 << 24;
/// The budget of a derived program by the rules of a representation, in steps. A choice: a continuation is run at each use.
const DERIVED_STEPS: u64 = 1 << 18;

/// A smooth function ℝ³ → ℝ, with its program.
#[derive(Clone, Debug)]
pub struct RandomFunction {
    /// The program as text.
    pub text: String,
    function: Element,
    /// The derived program. `None` if every map is represented by definition.
    derived: Option<Element>,
}

impl RandomFunction {
    /// Draws a function of about `size` operations.
    ///
    /// # Errors
    /// [`GlueError::Program`], [`GlueError::Element`]; neither is expected for a drawn term. [`GlueError::Macro`] if a
    /// representation has no rules for any function drawn.
    pub fn draw_function(
        random: &mut SplitMix64,
        size: usize,
        representation: &Arc<dyn Representation>,
    ) -> Result<Self, GlueError> {
        let ty = (0..ARITY).fold(Ty::real(), |ty, _| Ty::function(Ty::real(), ty));
        let mut refused = None;
        for attempt in 0..ATTEMPTS {
            // smaller ones towards the end: a macro with few rules has more of these
            let size = size * (ATTEMPTS - attempt) / ATTEMPTS;
            let mut term = draw_smooth_program(random, &ty, size + ARITY);
            if !representation.lifts_every_map() {
                term = replace_unruled(&term, representation.rules());
            }
            let core = core_term(&term)?;
            let derived = match representation.lifts_every_map() {
                true => None,
                false => match derive_by_rules(representation, &core, &ty) {
                    Ok(derived) => Some(run_derived(&derived)?),
                    Err(error @ GlueError::Macro(DeriveError::NoRule { .. })) => {
                        refused = Some(error);
                        continue;
                    }
                    Err(error) => return Err(error),
                },
            };
            return Ok(Self { function: run_program(&core)?, text: term.to_string(), derived });
        }
        Err(refused.unwrap_or_else(|| ValueError::Mismatch { expected: "a function", found: "none" }.into()))
    }

    /// Applies the function to its arguments.
    fn evaluate_at(&self, arguments: &[Element]) -> Result<Element, ValueError> {
        apply_curried(&self.function, arguments)
    }

    /// Applies the function to representations: by definition, or else by its derived program.
    fn represent_at(&self, representation: &dyn Representation, arguments: &[Element]) -> Result<Element, ValueError> {
        match (representation.lifted(&|arguments| self.evaluate_at(arguments), arguments), &self.derived) {
            (Some(lifted), _) => lifted,
            (None, Some(derived)) => apply_curried(derived, arguments),
            (None, None) => {
                Err(ValueError::Mismatch { expected: "a map that is lifted by definition", found: "another" })
            }
        }
    }
}

/// Applies a function to arguments, one after another.
fn apply_curried(function: &Element, arguments: &[Element]) -> Result<Element, ValueError> {
    arguments.iter().try_fold(function.clone(), |f, x| f.as_function()?.apply(x))
}

/// The share of the programs in which operations without a rule are replaced, in percent. The others may not be asked. A choice.
const RESTRICTED: usize = 90;

/// Replaces the operations of a program for which a macro has no rule by their first arguments, in most programs.
///
/// Nearly every large random program has such an operation, so that without this only small ones would be asked.
pub(super) fn restrict_to_rules(term: &TestTerm, rules: &dyn NumberRules, random: &mut SplitMix64) -> TestTerm {
    if random.random_bool(RESTRICTED) { replace_unruled(term, rules) } else { term.clone() }
}

/// Replaces every operation without a rule by its first argument.
fn replace_unruled(term: &TestTerm, rules: &dyn NumberRules) -> TestTerm {
    let has_rule = |operation: SmoothOperation| rules.operation(&operation).is_some();
    let has_product = || has_rule(SmoothOperation::Constant(Constant::Multiply));
    let parts: Vec<TestTerm> = term.parts.iter().map(|part| with_stack(|| replace_unruled(part, rules))).collect();
    let is_kept = match &term.head {
        TermHead::Power(q) => {
            has_rule(SmoothOperation::Power(q.clone())) || (q.is_integer() && *q >= 0 && has_product())
        }
        TermHead::Call(Constant::NaturalPower) => has_product(),
        // sums of tuples and of natural numbers need no rule
        TermHead::Call(constant) if matches!(term.ty.kind(), TyKind::Real) => {
            let operation = match constant {
                Constant::RealPower => Some(SmoothOperation::Constant(*constant)),
                constant => SmoothOperation::of_constant(*constant),
            };
            operation.is_none_or(has_rule)
        }
        _ => true,
    };
    match parts.first() {
        Some(first) if !is_kept && first.ty == term.ty => first.clone(),
        _ => TestTerm { head: term.head.clone(), ty: term.ty.clone(), parts },
    }
}

/// Returns 𝒟 of a program, by the rules of a representation.
///
/// # Errors
/// [`GlueError::Macro`] if the macro has no rule for an operation of the program, or its result is too large.
pub fn derive_by_rules(
    representation: &Arc<dyn Representation>,
    term: &Core,
    ty: &Ty,
) -> Result<DerivedProgram, GlueError> {
    Ok(derive_with(&Taylor::with_rules(Arc::new(representation::RulesOf(representation.clone()))), term, ty)?)
}

/// Draws a closed program of a type, in the language of H, that uses what it binds.
pub fn draw_smooth_program(random: &mut SplitMix64, ty: &Ty, size: usize) -> TestTerm {
    TermGenerator::with_vocabulary(SplitMix64::new(random.next()), TermVocabulary::Derivable).draw_using_scope(ty, size)
}

/// The share of the programs that use what they bind by construction, in percent; the others are drawn without that. A
/// choice.
const USING: usize = 80;

/// Draws a closed program for a statement: mostly one that uses what it binds.
pub fn draw_program(random: &mut SplitMix64, ty: &Ty, size: usize) -> TestTerm {
    if random.random_bool(USING) {
        return draw_smooth_program(random, ty, size);
    }
    TermGenerator::with_vocabulary(SplitMix64::new(random.next()), TermVocabulary::Derivable).draw_term(ty, size)
}

/// Draws a closed program that is one operation at variables, by the rules if there is one for it: the base case of an
/// induction over programs.
pub(super) fn draw_single_operation(random: &mut SplitMix64, rules: &dyn NumberRules) -> TestTerm {
    let mut generator = TermGenerator::with_vocabulary(SplitMix64::new(random.next()), TermVocabulary::Derivable);
    generator.draw_single_operation(|f| rules.operation(&SmoothOperation::Constant(Constant::Elementary(f))).is_some())
}

/// Parses a program.
///
/// # Errors
/// [`GlueError::Program`] if it is not well-typed.
pub fn parse_program(text: &str) -> Result<(Core, Ty), GlueError> {
    data_library()
        .infer_expression(text)
        .map_err(|error| GlueError::Program { program: text.to_owned(), because: error.to_string() })
}

/// Returns the core term of a drawn program.
///
/// # Errors
/// [`GlueError::Program`] if a variable occurs outside its binder, which a shrunk term may have.
pub fn core_term(term: &TestTerm) -> Result<Core, GlueError> {
    let because = || "a variable stands outside of its binder".to_owned();
    term.to_core().ok_or_else(|| GlueError::Program { program: term.to_string(), because: because() })
}

/// Runs a program in the presheaf semantics.
///
/// # Errors
/// [`GlueError::Element`] if it cannot be run.
pub fn run_program(term: &Core) -> Result<Element, GlueError> {
    Ok(interpret_term(term)?)
}

/// Runs a derived program, whose numbers may be large: functions, or tuples of many numbers.
///
/// # Errors
/// [`GlueError::Element`] if it cannot be run, or takes more than a quarter of a million steps.
pub fn run_derived(derived: &DerivedProgram) -> Result<Element, GlueError> {
    let budget = Arc::new(Budget::new(DERIVED_STEPS, None, None));
    Ok(PresheafInterpreter::new(budget).interpret_program(&derived.term)?)
}

/// Like [`run_program`], with the error of the interpreter.
pub(super) fn interpret_term(term: &Core) -> Result<Element, ValueError> {
    PresheafInterpreter::new(Arc::new(Budget::new(STEPS, None, None))).interpret_program(term)
}

/// The material of related pairs, on one side.
#[derive(Clone, Debug)]
pub struct PlotScope {
    /// The side.
    side: PlotSide,
    /// The domain of the plots.
    stage: CoordinateSpace,
    /// The k and R up to which plots are differentiated.
    basis: Arc<Basis>,
    /// The representation of numbers on the other side.
    representation: Arc<dyn Representation>,
    /// The random functions, the same on both sides.
    forms: Arc<[RandomFunction]>,
    /// The values in scope, with their objects.
    values: Vec<(GluingObject, Element)>,
}

impl PlotScope {
    /// Makes the scopes of both sides over a stage, for jets. Each coordinate is in scope, on the other side its jet.
    ///
    /// # Errors
    /// Those of [`RandomFunction::draw_function`].
    pub fn over_stage(
        stage: &CoordinateSpace,
        basis: &Arc<Basis>,
        random: &mut SplitMix64,
        size: usize,
    ) -> Result<(Self, Self), GlueError> {
        Self::represented_over(&representation::jets_over(basis), stage, basis, random, size)
    }

    /// Makes the scopes of both sides over a stage. Each coordinate is in scope, on the other side a representation of it.
    ///
    /// # Errors
    /// Those of [`RandomFunction::draw_function`] and [`Representation::coordinate`].
    pub fn represented_over(
        representation: &Arc<dyn Representation>,
        stage: &CoordinateSpace,
        basis: &Arc<Basis>,
        random: &mut SplitMix64,
        size: usize,
    ) -> Result<(Self, Self), GlueError> {
        let (mut plot, mut other) = Self::draw_forms(representation, stage, basis, random, size)?;
        // the definition is called once here, so that one of another type is an error of the representation
        let zero = representation.constant_element(&Rational::new())?;
        if let Some(lifted) = representation.lifted(&|x: &[Element]| Ok(x[0].clone()), &[zero]) {
            representation::check_carrier(&**representation, "a lifted map", &lifted?)?;
        }
        for (direction, u) in stage.coordinate_plots().enumerate() {
            let real = GluingObject::real_of(&PaperClauses, representation);
            let represented = representation.coordinate(stage, direction, random)?;
            representation::check_carrier(&**representation, "a coordinate", &represented)?;
            plot.values.push((real.clone(), Element::Real(u)));
            other.values.push((real, represented));
        }
        Ok((plot, other))
    }

    /// Makes the scopes of both sides without coordinates, for maps X → Y and jets.
    ///
    /// # Errors
    /// Those of [`RandomFunction::draw_function`].
    pub fn without_coordinates(
        basis: &Arc<Basis>,
        random: &mut SplitMix64,
        size: usize,
    ) -> Result<(Self, Self), GlueError> {
        Self::represented_globally(&representation::jets_over(basis), basis, random, size)
    }

    /// Makes the scopes of both sides without coordinates, for a representation.
    ///
    /// # Errors
    /// Those of [`RandomFunction::draw_function`].
    pub fn represented_globally(
        representation: &Arc<dyn Representation>,
        basis: &Arc<Basis>,
        random: &mut SplitMix64,
        size: usize,
    ) -> Result<(Self, Self), GlueError> {
        Self::draw_forms(representation, &CoordinateSpace::new(0), basis, random, size)
    }

    /// Draws the functions of both scopes.
    fn draw_forms(
        representation: &Arc<dyn Representation>,
        stage: &CoordinateSpace,
        basis: &Arc<Basis>,
        random: &mut SplitMix64,
        size: usize,
    ) -> Result<(Self, Self), GlueError> {
        let forms: Arc<[RandomFunction]> = (0..RANDOM_FUNCTIONS)
            .map(|_| RandomFunction::draw_function(random, size, representation))
            .collect::<Result<_, _>>()?;
        let scope = |side| Self {
            side,
            stage: stage.clone(),
            basis: basis.clone(),
            representation: representation.clone(),
            forms: forms.clone(),
            values: Vec::new(),
        };
        Ok((scope(PlotSide::Plot), scope(PlotSide::Representation)))
    }

    /// Returns the basis of multi-indices.
    #[must_use]
    pub fn basis(&self) -> &Arc<Basis> {
        &self.basis
    }

    /// Returns the domain of the plots.
    #[must_use]
    pub fn stage(&self) -> &CoordinateSpace {
        &self.stage
    }

    /// Returns the scope without its values.
    #[must_use]
    pub fn without_values(&self) -> Self {
        Self { values: Vec::new(), ..self.clone() }
    }

    /// Returns the scope with one more value.
    #[must_use]
    pub fn with_value(&self, object: &GluingObject, value: &Element) -> Self {
        let mut scope = self.clone();
        scope.values.push((object.clone(), value.clone()));
        scope
    }

    /// Returns a random value of this type in scope. Returns `None` if there is none.
    pub fn find_value(&self, ty: &Ty, random: &mut SplitMix64) -> Option<Element> {
        // objects are found by their first type, which is the same on both sides
        let fitting: Vec<&Element> = self.values.iter().filter(|(o, _)| o.left() == ty).map(|(_, v)| v).collect();
        if fitting.is_empty() { None } else { Some((*random.pick(&fitting)).clone()) }
    }

    /// Returns a constant number, or its representation.
    ///
    /// # Errors
    /// Those of [`Representation::constant_element`].
    pub fn constant_value(&self, value: &Rational) -> Result<Element, ValueError> {
        match self.side {
            PlotSide::Plot => Ok(Element::Real(Graph::rational(value.clone()))),
            PlotSide::Representation => self.representation.constant_element(value),
        }
    }

    /// Returns a random smooth function of numbers that can be observed in the scope.
    ///
    /// # Errors
    /// Those of the functions in scope.
    pub fn draw_number(&self, random: &mut SplitMix64, depth: usize) -> Result<Element, ValueError> {
        let mut arguments = Vec::with_capacity(ARITY);
        for place in 0..ARITY {
            let mut seen = Vec::new();
            // the last value is the argument of the innermost function that is being made, so it is observed first
            let chosen = match (place, self.values.last()) {
                (0, Some(last)) => Some(last),
                (_, Some(_)) => Some(random.pick(&self.values)),
                (_, None) => None,
            };
            if let Some((object, value)) = chosen {
                object.observe_numbers(value, self, random, depth, &mut seen)?;
            }
            // drawn in any case, so that the random numbers of both sides stay in step
            let constant = Rational::from((random.next_below(9) as i64 - 4, 2));
            arguments.push(if seen.is_empty() { self.constant_value(&constant)? } else { random.pick(&seen).clone() });
        }
        let form = random.pick(&self.forms).clone();
        match self.side {
            PlotSide::Plot => form.evaluate_at(&arguments),
            PlotSide::Representation => form.represent_at(&*self.representation, &arguments),
        }
    }
}
