//! Assertions that imply that two plots are related: equalities, inequalities and signs of real numbers, at every point.
//!
//! A relation between plots reduces to [claims](PlotClaim) on graphs: that graphs are the derivatives of a graph, that two graphs have
//! the same value or are ordered, or that a graph has a sign. Claims are collected while a pair is decomposed, and tested
//! together at a point.
//!
//! # Stages ℝᵏ
//!
//! Stages ℝᵏ, and the evaluation of plots at a point.
//!
//! A plot ℝᵏ → ⟦τ⟧ is an [`Element`] that mentions the k coordinates of a [`CoordinateSpace`]. ℝᵏ is connected, so constructors
//! and lengths in it are constant, and its real parts are graphs. All derivatives of order at most R of a list of
//! graphs are computed in one run, over the algebra of truncated polynomials in k variables.
//!
//! The jets of f are put into the derived program as numbers. So the test of Theorem 3 needs no node that
//! differentiates.
//!
//! # Detection of mutants of the macro
//!
//! Which statements refute which mutant, and after how many samples.
//!
//! The samples of a seed are those on which the statement is tested when the macro is right. They are drawn once for
//! all mutants. If a mutant gives the same derived program as the right macro, the two cannot be told apart, and
//! nothing is evaluated.
//!
//! # The errors of the tests of logical relations

use super::evaluation;
use super::lemma::GluingSetup;
use super::rows::RowsError;
use super::theorems::Theorem;
use super::trial::{TheoremSample, TheoremTest, TheoremTestConfig, VerdictWithValues};
use crate::diffeology::DiffeologyError;
use crate::diffeology::manifold::AtlasError;
use crate::meaning::taylor::derive::{DeriveError, DerivedProgram};
use crate::meaning::taylor::functor::TaylorHooks;
use crate::meaning::taylor::jet::{Basis, BasisError};
use crate::model::InterpretError;
use crate::number::accuracy::PassOptions;
use crate::number::arithmetic::Context;
use crate::number::budget::Budget;
use crate::number::real::Precision;
use crate::number::{Double, Enclosure, Magnitude, Mpfr, Rational};
use crate::presheaf::dynamic::Element;
use crate::smooth::algebra::{Algebra, AlgebraGenerator};
use crate::smooth::error::SmoothError;
use crate::smooth::graph::{Graph, Variable};
use crate::smooth::hooks::HookedContext;
use crate::smooth::jet::Jet;
use crate::smooth::machine::{BranchDecisions, JetEvaluator};
use crate::smooth::program::CompiledMap;
use crate::value::ValueError;
use crate::verdict::Verdict;
use std::fmt;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

/// The claim that the derivatives of a plot are given graphs, at some places of the basis.
#[derive(Clone, Debug)]
pub struct DerivativeClaim {
    /// The position in the pair, such as `[1] at x`.
    pub path: String,
    /// The plot ℝᵏ → ℝ.
    pub plot: Graph,
    /// For each place of the basis, the plot ℝᵏ → ℝ that is claimed to be that derivative.
    pub derivatives: Vec<(usize, Graph)>,
    /// `true` if the values of the plot are derivatives themselves: coordinates of a jet other than the first.
    pub is_slope: bool,
}

/// A claim on graphs over a stage. Each is refuted by enclosures alone, and confirmed by none.
#[derive(Clone, Debug)]
pub enum PlotClaim {
    /// The derivatives of a plot are given graphs.
    Jet(DerivativeClaim),
    /// Two graphs have the same value. It is refuted by disjoint enclosures.
    Equal(Graph, Graph),
    /// The first graph is at most the second. It is refuted where the lower bound of the first exceeds the upper bound of the
    /// second.
    AtMost(Graph, Graph),
    /// A graph has one of these signs. It is refuted by an enclosure that contains no number of such a sign.
    Sign(Graph, AllowedSigns),
    /// Two discrete parts, given as text, are the same. It is refuted by other texts.
    Same(String, String),
}

impl From<DerivativeClaim> for PlotClaim {
    fn from(claim: DerivativeClaim) -> Self {
        Self::Jet(claim)
    }
}

/// A set of signs of real numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AllowedSigns {
    /// `true` if it contains the sign of negative numbers.
    pub negative: bool,
    /// `true` if it contains the sign of 0.
    pub zero: bool,
    /// `true` if it contains the sign of positive numbers.
    pub positive: bool,
}

impl AllowedSigns {
    /// Returns `true` if an enclosure contains no number with a sign in the set.
    fn excludes(self, number: &Enclosure) -> bool {
        let negative = self.negative && *number.lo() < 0;
        let zero = self.zero && *number.lo() <= 0 && *number.hi() >= 0;
        !(negative || zero || (self.positive && *number.hi() > 0))
    }
}

impl fmt::Display for AllowedSigns {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let names = [(self.negative, "negative"), (self.zero, "0"), (self.positive, "positive")];
        let names: Vec<&str> = names.iter().filter(|(is_in, _)| *is_in).map(|(_, name)| *name).collect();
        f.write_str(&if names.is_empty() { "of any sign".to_owned() } else { names.join(" or ") })
    }
}

/// Claims that are tested together.
#[derive(Clone, Debug, Default)]
pub struct ClaimSet {
    /// The claims, each with its position in the pair.
    claims: Vec<(String, PlotClaim)>,
    /// The plots whose first derivatives are recorded, beside those of which derivatives are claimed.
    observed: Vec<Graph>,
    /// The first pair of discrete parts that differ: the position, and both sides.
    different: Option<(String, String, String)>,
    /// The premises: claims on the arguments of functions that were drawn, where these are not known to be related.
    premises_mut: Option<Box<ClaimSet>>,
}

/// The binary exponent of the relative width below which an enclosure counts as narrow. A choice: about half of double
/// precision.
const NARROW_EXPONENT: i64 = -24;

/// The offsets from the point at which premises are tested as well. A choice.
const PREMISE_OFFSETS: [(i64, u64); 4] = [(0, 1), (1, 3), (7, 5), (-2, 7)];

impl ClaimSet {
    /// Adds a claim on derivatives, at its own position.
    pub fn push(&mut self, claim: DerivativeClaim) {
        self.claims.push((claim.path.clone(), PlotClaim::Jet(claim)));
    }

    /// Adds a claim on the numbers at a position in the pair.
    pub fn push_claim(&mut self, path: &str, claim: PlotClaim) {
        match claim {
            PlotClaim::Same(left, right) if left != right => self.record_difference(path, left, right),
            PlotClaim::Same(..) => {}
            claim => self.claims.push((path.to_owned(), claim)),
        }
    }

    /// Records the first derivatives of a plot, which tell whether a sample moves. They are no claim.
    pub fn observe_plot(&mut self, plot: Graph) {
        self.observed.push(plot);
    }

    /// Records that constructors, lengths or natural numbers differ. The first difference refutes without any
    /// evaluation.
    pub fn record_difference(&mut self, path: &str, left: impl ToString, right: impl ToString) {
        self.different.get_or_insert_with(|| (path.to_owned(), left.to_string(), right.to_string()));
    }

    /// Returns the premises, which the claims presuppose.
    pub fn premises_mut(&mut self) -> &mut ClaimSet {
        self.premises_mut.get_or_insert_default()
    }

    /// Tests all claims at one point of the stage.
    ///
    /// The verdict is *refuted* at the first number whose two enclosures are disjoint. It is *vacuous* if an enclosure
    /// is narrow at no precision, or if there is no claim on a number. It is also vacuous if the claims fail and the
    /// premises are not shown.
    ///
    /// # Errors
    /// [`GlueError::Number`]; [`GlueError::UnrelatedDraw`] if the claims fail and the premises fail as well.
    pub fn test_at(
        &self,
        stage: &CoordinateSpace,
        basis: &Basis,
        point: &[Rational],
    ) -> Result<VerdictWithValues, GlueError> {
        let found = self.test_claims_at(stage, basis, point)?;
        let Some(premises) = self.premises_mut.as_ref().filter(|_| found.is_refuted()) else { return Ok(found) };
        // plots are related if the claims hold at every point, so the premises are tested at several
        for step in PREMISE_OFFSETS {
            let beside: Vec<Rational> = point.iter().map(|x| x + Rational::from(step)).collect();
            match premises.test_at(stage, basis, &beside)?.verdict {
                Verdict::Survived => {}
                // premises without content hold
                Verdict::Vacuous if premises.claims.is_empty() && premises.different.is_none() => {}
                Verdict::Vacuous => return Ok(Verdict::Vacuous.into()),
                // an argument that is not related refutes nothing: the fault is in how it was drawn
                refuted => return Err(GlueError::UnrelatedDraw { because: refuted.to_string() }),
            }
        }
        Ok(found)
    }

    /// Tests the claims without regard to the premises.
    fn test_claims_at(
        &self,
        stage: &CoordinateSpace,
        basis: &Basis,
        point: &[Rational],
    ) -> Result<VerdictWithValues, GlueError> {
        if let Some((path, left, right)) = &self.different {
            return Ok(Verdict::refuted(path, left, right).into());
        }
        if self.claims.is_empty() {
            return Ok(Verdict::Vacuous.into());
        }
        // compiled once, and evaluated in each arithmetic
        let jets = self.claims.iter().filter_map(|(_, claim)| match claim {
            PlotClaim::Jet(claim) => Some(claim.plot.clone()),
            _ => None,
        });
        let plots: Vec<Graph> = jets.chain(self.observed.iter().cloned()).collect();
        let stated: Vec<Graph> = self.claims.iter().flat_map(|(_, claim)| claim.stated_graphs()).collect();
        let plots = CompiledPlots::new(stage.variables(), &plots)?;
        let stated = CompiledPlots::new(stage.variables(), &stated)?;
        judge_in_tiers(|tier| {
            let at = enclose_point(point, tier);
            let derivatives = plots.enclose_derivatives(&at, basis, tier)?;
            let values = stated.enclose_values(&at, tier)?;
            // A number that is undefined in the middle arithmetic is outside of a domain. The last one would take nine tenths of
            // the time of such samples, and made none of 3,772 of them defined (measured).
            let all = || derivatives.iter().flatten().chain(&values);
            let goes_on = tier == Precision::Double || all().all(Enclosure::is_defined);
            Ok((self.compare_sides(basis, point, &derivatives, &values), goes_on))
        })
    }

    /// Compares the sides of all claims, given the derivatives of plots and the values of the other graphs.
    fn compare_sides(
        &self,
        basis: &Basis,
        point: &[Rational],
        derivatives: &[Vec<Enclosure>],
        values: &[Enclosure],
    ) -> VerdictWithValues {
        let mut verdict = Verdict::Survived;
        let mut numbers = Vec::new();
        let (mut derivatives, mut values) = (derivatives.iter(), values.iter());
        // the first refuted number is reported, and the later ones are only recorded
        let mut judge = |refuted: Option<(String, String, String)>, is_narrow: bool| match refuted {
            Some((witness, left, right)) if !verdict.is_refuted() => verdict = Verdict::refuted(witness, left, right),
            None if !is_narrow && verdict == Verdict::Survived => verdict = Verdict::Vacuous,
            _ => {}
        };
        for (path, claim) in &self.claims {
            match claim {
                PlotClaim::Jet(claim) => {
                    let Some(jet) = derivatives.next() else { break };
                    for ((place, _), right) in claim.derivatives.iter().zip(values.by_ref()) {
                        let left = &jet[*place];
                        // recorded also where nothing is refuted: the statistics of samples need the numbers
                        numbers.push((claim.is_slope || *place > 0, left.clone()));
                        let named = || {
                            let (name, at) = (coordinate_name(basis, *place), format_point(point));
                            format!("{name} of {}, at u = {at}", claim.path)
                        };
                        let refuted =
                            (!left.overlaps(right)).then(|| (named(), format_enclosure(left), format_enclosure(right)));
                        judge(refuted, is_narrow(left) && is_narrow(right));
                    }
                }
                PlotClaim::Equal(..) | PlotClaim::AtMost(..) => {
                    let (Some(left), Some(right)) = (values.next(), values.next()) else { break };
                    numbers.push((false, left.clone()));
                    let (is_wrong, sign) = match claim {
                        PlotClaim::AtMost(..) => (left.lo() > right.hi(), "at most "),
                        _ => (!left.overlaps(right), ""),
                    };
                    let refuted = is_wrong.then(|| {
                        let witness = format!("{path}, at u = {}", format_point(point));
                        (witness, format_enclosure(left), format!("{sign}{}", format_enclosure(right)))
                    });
                    judge(refuted, is_narrow(left) && is_narrow(right));
                }
                PlotClaim::Sign(_, signs) => {
                    let Some(number) = values.next() else { break };
                    numbers.push((false, number.clone()));
                    let refuted = signs.excludes(number).then(|| {
                        let witness = format!("the sign of {path}, at u = {}", format_point(point));
                        (witness, format_enclosure(number), signs.to_string())
                    });
                    judge(refuted, is_narrow(number));
                }
                // compared when it was added
                PlotClaim::Same(..) => {}
            }
        }
        for jet in derivatives {
            numbers.extend(jet.iter().skip(1).map(|slope| (true, slope.clone())));
        }
        VerdictWithValues::with_numbers(verdict, numbers)
    }
}

impl PlotClaim {
    /// Returns the graphs whose values are compared, in the order of the comparison.
    fn stated_graphs(&self) -> Vec<Graph> {
        match self {
            Self::Jet(claim) => claim.derivatives.iter().map(|(_, g)| g.clone()).collect(),
            Self::Equal(left, right) | Self::AtMost(left, right) => vec![left.clone(), right.clone()],
            Self::Sign(number, _) => vec![number.clone()],
            Self::Same(..) => Vec::new(),
        }
    }
}

/// Returns `true` if the enclosure is bounded, defined, and narrow relative to its size. Below 1 the width counts
/// absolutely.
#[must_use]
pub fn is_narrow(enclosure: &Enclosure) -> bool {
    if !enclosure.is_bounded() || !enclosure.is_defined() {
        return false;
    }
    let size = Magnitude::from_float(enclosure.lo()).max(Magnitude::from_float(enclosure.hi()));
    enclosure.width() <= size.max(Magnitude::power_of_two(0)).mul_exp2(NARROW_EXPONENT)
}

/// Compares two lists of jets, whose coordinates follow one another. `name` names the number at a place.
pub fn compare_jets(
    basis: &Basis,
    left: &[Enclosure],
    right: &[Enclosure],
    name: impl Fn(usize) -> String,
) -> VerdictWithValues {
    let verdict = match left.iter().zip(right).position(|(a, b)| !a.overlaps(b)) {
        Some(place) => Verdict::refuted(name(place), format_enclosure(&left[place]), format_enclosure(&right[place])),
        None if left.is_empty() || !left.iter().chain(right).all(is_narrow) => Verdict::Vacuous,
        None => Verdict::Survived,
    };
    let numbers = left.iter().enumerate().map(|(place, number)| (place % basis.len() > 0, number.clone()));
    VerdictWithValues::with_numbers(verdict, numbers)
}

/// Returns the name of a coordinate: `∂^(0, 1)`, or `the value` for the first.
#[must_use]
pub fn coordinate_name(basis: &Basis, place: usize) -> String {
    if place == 0 {
        return "the value".to_owned();
    }
    let entries: Vec<String> = basis.indices()[place].iter().map(usize::to_string).collect();
    format!("∂^({})", entries.join(", "))
}

/// Prints an enclosure to 9 decimals.
#[must_use]
pub fn format_enclosure(enclosure: &Enclosure) -> String {
    enclosure.print_decimals(&Rational::from((1, 1_000_000_000))).to_string()
}

/// Prints a point: `(1, 1/2)`.
#[must_use]
pub fn format_point(point: &[Rational]) -> String {
    let parts: Vec<String> = point.iter().map(Rational::to_string).collect();
    format!("({})", parts.join(", "))
}

/// The k coordinates of ℝᵏ, near a point.
#[derive(Clone, Debug)]
pub struct CoordinateSpace {
    variables: Arc<[Variable]>,
    center: Arc<[Rational]>,
}

impl CoordinateSpace {
    /// Makes ℝᵏ near 0, in fresh coordinates.
    #[must_use]
    pub fn new(dimension: usize) -> Self {
        Self::near_point(&vec![Rational::new(); dimension])
    }

    /// Makes a neighbourhood of a point of ℝᵏ, in fresh coordinates.
    ///
    /// A relation may depend on the point: a coordinate is positive on a neighbourhood of 1, and on none of 0.
    #[must_use]
    pub fn near_point(point: &[Rational]) -> Self {
        Self { variables: point.iter().map(|_| Variable::fresh()).collect(), center: point.into() }
    }

    /// Returns the coordinates.
    #[must_use]
    pub fn variables(&self) -> &[Variable] {
        &self.variables
    }

    /// Returns the point.
    #[must_use]
    pub fn center(&self) -> &[Rational] {
        &self.center
    }

    /// Returns the coordinates as plots ℝᵏ → ℝ.
    pub fn coordinate_plots(&self) -> impl Iterator<Item = Graph> + '_ {
        self.variables.iter().map(|v| Graph::variable(*v))
    }

    /// Substitutes graphs for the coordinates of a plot.
    #[must_use]
    pub fn substitute_point(&self, plot: &Element, point: impl IntoIterator<Item = Graph>) -> Element {
        let bindings: Vec<_> = self.variables.iter().copied().zip(point).collect();
        plot.restrict(&bindings)
    }
}

/// The budget of one evaluation, in work units. A choice: deterministic, and far above what random programs take.
const WORK: u64 = 20_000_000;
/// The binary exponent of the tolerance of solvers. It has no effect: random programs contain no solver.
const TOLERANCE: i64 = -40;

/// Real maps ℝⁿ → ℝᵐ, compiled.
#[derive(Debug)]
pub struct CompiledPlots {
    program: CompiledMap,
    inputs: usize,
}

impl CompiledPlots {
    /// Compiles the map `variables ↦ graphs`.
    ///
    /// # Errors
    /// [`GlueError::Number`] if the graphs mention other variables.
    pub fn new(variables: &[Variable], graphs: &[Graph]) -> Result<Self, GlueError> {
        let (program, unbound) = CompiledMap::compile_open(variables, graphs);
        let inputs = variables.len();
        if !unbound.is_empty() {
            return Err(SmoothError::Dimension { expected: inputs, found: inputs + unbound.len() }.into());
        }
        Ok(Self { program, inputs })
    }

    /// Returns the values at a point given by enclosures; ⊥ where a value is not shown to be defined.
    ///
    /// # Errors
    /// [`GlueError::Number`] if the evaluation fails.
    pub fn enclose_values(&self, point: &[Enclosure], tier: Precision) -> Result<Vec<Enclosure>, GlueError> {
        let all = match tier {
            Precision::Double => self.evaluate_in(&Double, point, None),
            Precision::Mpfr(bits) => self.evaluate_in(&Mpfr::new(bits), point, None),
        };
        Ok(all?.into_iter().flatten().collect())
    }

    /// Returns the derivatives `∂^α` of each value in the inputs. The basis has as many directions as there are inputs.
    ///
    /// # Errors
    /// [`GlueError::Number`] if the evaluation fails.
    pub fn enclose_derivatives(
        &self,
        point: &[Enclosure],
        basis: &Basis,
        tier: Precision,
    ) -> Result<Vec<Vec<Enclosure>>, GlueError> {
        match tier {
            Precision::Double => self.evaluate_in(&Double, point, Some(basis)),
            Precision::Mpfr(bits) => self.evaluate_in(&Mpfr::new(bits), point, Some(basis)),
        }
    }

    /// Evaluates in one arithmetic: the derivatives over a basis, or the values without one.
    fn evaluate_in<C: HookedContext>(
        &self,
        context: &C,
        point: &[Enclosure],
        basis: Option<&Basis>,
    ) -> Result<Vec<Vec<Enclosure>>, GlueError> {
        let budget = Budget::new(WORK, None, None);
        let effort = PassOptions::new(Magnitude::power_of_two(TOLERANCE), &budget);
        let real = Algebra::real();
        let (mut algebra, mut generators) = (real.clone(), Vec::new());
        let (directions, order) = basis.map_or((0, 0), |basis| (basis.directions(), basis.order() as u32));
        for _ in 0..directions {
            // an algebra with too many monomials is not made; the answer ⊥ encloses every derivative
            let Some(extended) = algebra.adjoin(AlgebraGenerator::Taylor(order)) else {
                let length = basis.map_or(1, Basis::len);
                return Ok(vec![vec![Enclosure::bottom(); length]; self.program.root.outputs.len()]);
            };
            algebra = extended;
            generators.push(algebra.last_generator());
        }
        let inputs: Vec<Jet<C::Num>> = (0..self.inputs)
            .map(|i| {
                let mut jet = Jet::constant(context.round_enclosure(&point[i]));
                // input i is x_i plus the generator of direction i
                if let Some(generator) = generators.get(i) {
                    jet.set(*generator, Some(context.enclose_integer(1)));
                }
                jet
            })
            .collect();
        let machine = JetEvaluator::new(context, &effort, &real, &self.program);
        let outputs = machine.eval_derivatives(
            &self.program.root,
            &algebra,
            [&inputs, &[]],
            0,
            &mut BranchDecisions::default(),
        )?;
        let jets = machine.jets(&algebra);
        // without a basis, the only monomial is that of the value
        let whole = [Vec::new()];
        let wanted = basis.map_or(&whole[..], Basis::indices);
        let monomials: Vec<_> = wanted
            .iter()
            .map(|index| {
                let exponents: Vec<u32> = index.iter().map(|entry| *entry as u32).collect();
                (algebra.index(&exponents), exponents)
            })
            .collect();
        let coefficient = |jet: &Jet<C::Num>, (monomial, exponents): &(Option<usize>, Vec<u32>)| {
            // where the value is not shown to be defined, its derivatives are not either
            let (Some(monomial), true) = (monomial, context.is_defined(&jets.value_of(jet))) else {
                return Enclosure::bottom();
            };
            let coefficient = jet.get(*monomial).cloned().unwrap_or_else(|| context.enclose_integer(0));
            // a coefficient of the truncated polynomial is a derivative divided by α!
            let factors = exponents.iter().flat_map(|&entry| 2..=i64::from(entry));
            let derivative = factors.fold(coefficient, |c, n| context.mul_integer(&c, n));
            if context.is_defined(&derivative) { context.to_enclosure(&derivative) } else { Enclosure::bottom() }
        };
        Ok(outputs.iter().map(|jet| monomials.iter().map(|m| coefficient(jet, m)).collect()).collect())
    }
}

/// Encloses an exact point in an arithmetic. A rational that is not representable in it gets an interval of some width.
#[must_use]
pub fn enclose_point(point: &[Rational], tier: Precision) -> Vec<Enclosure> {
    match tier {
        Precision::Double => point.iter().map(|q| Double.to_enclosure(&Double.enclose_rational(q))).collect(),
        Precision::Mpfr(bits) => {
            let context = Mpfr::new(bits);
            point.iter().map(|q| context.to_enclosure(&context.enclose_rational(q))).collect()
        }
    }
}

/// The arithmetics for evaluation, tried in this order until the enclosures are narrow. The bits are a choice.
const TIERS: [Precision; 3] = [Precision::Double, Precision::Mpfr(192), Precision::Mpfr(768)];

/// Judges in wider and wider arithmetics, until the verdict is not vacuous, or `judge` returns `false`: then no wider one will say more.
pub(super) fn judge_in_tiers(
    mut judge: impl FnMut(Precision) -> Result<(VerdictWithValues, bool), GlueError>,
) -> Result<VerdictWithValues, GlueError> {
    let mut found = VerdictWithValues::from(Verdict::Vacuous);
    for tier in TIERS {
        let goes_on;
        (found, goes_on) = judge(tier)?;
        if found.verdict != Verdict::Vacuous || !goes_on {
            break;
        }
    }
    Ok(found)
}

/// The statements about the macro that depend on it only through the derived program of the first program of a sample.
/// So `initiality`, which derives a normal form and comparisons as well, is not among them.
pub const ABOUT_THE_MACRO: [&str; 6] =
    ["theorem-3", "fundamental-lemma", "diagram-4", "theorem-8", "uniqueness", "nested"];

/// The detection of one mutant by one statement: for each seed, the number of samples up to the first that refutes.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct MutantDetection {
    /// For each seed, that number; `None` if no sample refutes.
    pub needed: Vec<Option<u64>>,
}

impl MutantDetection {
    /// Tests a statement with mutants of the macro, with the seeds 0, 1, …. Unless `all` is set, a mutant is not tested
    /// further after a seed that does not refute it.
    ///
    /// # Errors
    /// [`GlueError::Basis`] for a k or R that was given.
    pub fn detect_mutants(
        theorem: &Theorem,
        macros: &[&'static dyn TaylorHooks],
        seeds: u64,
        all: bool,
        trials: &TheoremTestConfig,
    ) -> Result<Vec<Self>, GlueError> {
        let right = theorem.make_test(GluingSetup::default());
        let wrong: Vec<MutantTest> = macros.iter().map(|rules| MutantTest::new(theorem, *rules)).collect();
        let mut found = vec![Self::default(); macros.len()];
        for seed in 0..seeds {
            let trials = TheoremTestConfig { seed, ..trials.clone() };
            let asked: Vec<usize> =
                (0..macros.len()).filter(|place| all || found[*place].is_always_refuted()).collect();
            let needed = refuted_at(&right, &asked.iter().map(|place| &wrong[*place]).collect::<Vec<_>>(), &trials)?;
            for (place, needed) in asked.into_iter().zip(needed) {
                found[place].needed.push(needed);
            }
        }
        Ok(found)
    }

    /// Returns `true` if every seed refutes the mutant.
    #[must_use]
    pub fn is_always_refuted(&self) -> bool {
        self.needed.iter().all(Option::is_some)
    }

    /// Returns the median of the numbers of samples. Returns `None` if half of the seeds do not refute.
    #[must_use]
    pub fn median_samples(&self) -> Option<u64> {
        // a seed that does not refute counts as infinite
        let mut sorted: Vec<u64> = self.needed.iter().map(|n| n.unwrap_or(u64::MAX)).collect();
        sorted.sort_unstable();
        sorted.get(sorted.len() / 2).copied().filter(|n| *n < u64::MAX)
    }
}

/// A mutant of the macro, with the statement about it.
struct MutantTest {
    setting: GluingSetup,
    statement: TheoremTest<'static>,
}

impl MutantTest {
    fn new(theorem: &Theorem, rules: &'static dyn TaylorHooks) -> Self {
        let setting = GluingSetup { hooks: Some(rules), ..GluingSetup::default() };
        Self { setting: setting.clone(), statement: theorem.make_test(setting) }
    }

    /// Returns `true` if the sample refutes the mutant. `right` is the derived program of the right macro.
    fn is_refuted_by(&self, sample: &TheoremSample, right: Option<&DerivedProgram>) -> bool {
        // comparing derived programs is cheaper than evaluating them, and most mutants leave most programs as they are
        let is_right = right.is_some_and(|right| {
            derived_program(&self.setting, sample).is_some_and(|mine| mine.is_same_program(right))
        });
        !is_right && (self.statement.judge)(sample).is_ok_and(|judged| judged.is_refuted())
    }
}

/// Returns the derived program of the first program of a sample. Returns `None` if there is none.
fn derived_program(setting: &GluingSetup, sample: &TheoremSample) -> Option<DerivedProgram> {
    let program = sample.terms.first()?;
    setting.derive_program(&evaluation::core_term(program).ok()?, &program.ty, &sample.basis).ok()
}

/// Returns for each mutant the number of samples up to the first that refutes it. The result does not depend on
/// threads: a sample is tested with every mutant that no earlier sample has refuted so far.
fn refuted_at(
    right: &TheoremTest<'_>,
    wrong: &[&MutantTest],
    trials: &TheoremTestConfig,
) -> Result<Vec<Option<u64>>, GlueError> {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    let next = AtomicU64::new(0);
    let first: Vec<AtomicU64> = wrong.iter().map(|_| AtomicU64::new(u64::MAX)).collect();
    let failed = Mutex::new(None);
    let work = || {
        loop {
            let index = next.fetch_add(1, Ordering::Relaxed);
            // a mutant is left out only once a smaller index has refuted it, so the minimum stays exact
            let asked = || wrong.iter().zip(&first).filter(|(_, first)| first.load(Ordering::Relaxed) > index);
            if index >= trials.samples || asked().next().is_none() || trials.interrupted.load(Ordering::Relaxed) {
                return;
            }
            let sample = match right.draw_sample(trials, index) {
                Ok(sample) => sample,
                Err(error) => return *failed.lock().unwrap_or_else(PoisonError::into_inner) = Some(error),
            };
            let made = derived_program(&GluingSetup::default(), &sample);
            for (wrong, first) in asked() {
                if wrong.is_refuted_by(&sample, made.as_ref()) {
                    first.fetch_min(index, Ordering::Relaxed);
                }
            }
            trials.done.fetch_add(1, Ordering::Relaxed);
        }
    };
    std::thread::scope(|scope| (0..threads).for_each(|_| drop(scope.spawn(|| crate::parallel::run_as_part(work)))));
    match failed.into_inner().unwrap_or_else(PoisonError::into_inner) {
        Some(error) => Err(error),
        None => Ok(first
            .into_iter()
            .map(|first| Some(first.into_inner()).filter(|n| *n < u64::MAX).map(|n| n + 1))
            .collect()),
    }
}

/// The reason why a pair of plots was not judged.
#[derive(Clone, Debug, thiserror::Error)]
#[non_exhaustive]
pub enum GlueError {
    /// A program that could not be run, or an element of another type than expected.
    #[error(transparent)]
    Element(#[from] ValueError),
    /// A number that could not be computed.
    #[error(transparent)]
    Number(#[from] SmoothError),
    /// A program without a derived program: above all, one with an operation for which the macro has no rule.
    #[error(transparent)]
    Macro(#[from] DeriveError),
    /// A method of a representation that panicked.
    #[error("the representation panicked: {message}; its methods have to return an error, or no claim")]
    Panic {
        /// The message of the panic.
        message: String,
    },
    /// A text with the rows of a macro that cannot be read.
    #[error(transparent)]
    Rows(#[from] RowsError),
    /// A representation whose methods contradict each other.
    #[error("{what} of the representation is no element of its carrier, `{carrier}`: {because}")]
    Carrier {
        /// The element, as a noun phrase.
        what: String,
        /// 𝒟(real).
        carrier: String,
        /// The difference.
        because: String,
    },
    /// A program without an interpretation in the gluing category.
    #[error(transparent)]
    Interpretation(#[from] InterpretError),
    /// A Taylor basis that does not exist: k or R is 0 or too large.
    #[error(transparent)]
    Basis(#[from] BasisError),
    /// A plot or a map of manifolds that could not be evaluated.
    #[error(transparent)]
    Space(#[from] DiffeologyError),
    /// A manifold without an atlas.
    #[error(transparent)]
    Atlas(#[from] AtlasError),
    /// A jet in a chart that is not known to contain its point.
    #[error("the point {point} is not known to be in chart {chart}; ask in a chart that contains it")]
    Chart {
        /// The point, in the chart in which it is given.
        point: String,
        /// The index of the chart.
        chart: usize,
    },
    /// A statement about one k and R, tested with others.
    #[error("this is a statement about k = {directions} and R = {order}; leave k and R out")]
    Only {
        /// The k of the statement.
        directions: usize,
        /// The R of the statement.
        order: usize,
    },
    /// A Taylor basis with more coordinates than random programs are tested with.
    #[error(
        "derivatives of order {order} in {directions} directions are {found} numbers for each number; random programs are \
         tried with at most {most}: give a smaller order, or fewer directions"
    )]
    LargeBasis {
        /// The k that was given, or the largest that may be drawn.
        directions: usize,
        /// The R that was given, or the largest that may be drawn.
        order: usize,
        /// The number of coordinates of a jet.
        found: usize,
        /// The largest number allowed.
        most: usize,
    },
    /// More levels of nested derivatives than are tested.
    #[error("k = {directions} and R = {order} are {} levels; at most {most} are tried: give a smaller k or R", directions * order)]
    Levels {
        /// The k that was given.
        directions: usize,
        /// The R that was given.
        order: usize,
        /// The largest number of levels, k · R.
        most: usize,
    },
    /// A random or shrunk program that is not well-typed.
    #[error("`{program}` is no program: {because}")]
    Program {
        /// The program as text.
        program: String,
        /// The message of the type inference.
        because: String,
    },
    /// A relation from which no related pairs can be drawn.
    #[error(
        "no pair can be drawn from this relation: what is drawn is a plot with its Taylor representation, which it does not relate: \
         {because}"
    )]
    UnrelatedDraw {
        /// The position at which the drawn pair is not related, with both sides.
        because: String,
    },
    /// A type that has no object in the gluing category.
    #[error(
        "the type `{ty}` has no object in the gluing category; use real numbers, tuples, functions, variants, lists"
    )]
    Type {
        /// The type.
        ty: String,
    },
}

impl GlueError {
    /// Returns `true` if the methods of a representation are at fault. No theorem is then tested.
    #[must_use]
    pub fn is_of_representation(&self) -> bool {
        matches!(self, Self::Panic { .. } | Self::Carrier { .. })
    }
}
