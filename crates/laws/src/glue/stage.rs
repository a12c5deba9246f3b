//! Stages ℝᵏ, and the evaluation of plots at a point.
//!
//! A plot ℝᵏ → ⟦τ⟧ is an [`Element`] that mentions the k coordinates of a [`CoordinateSpace`]. ℝᵏ is connected, so constructors
//! and lengths in it are constant, and its real parts are graphs. All derivatives of order at most R of a list of
//! graphs are computed in one run, over the algebra of truncated polynomials in k variables.
//!
//! The jets of f are put into the derived program as numbers. So the test of Theorem 3 needs no node that
//! differentiates.

use super::error::GlueError;
use crate::meaning::taylor::basis::Basis;
use crate::number::budget::Budget;
use crate::number::context::Context;
use crate::number::effort::PassOptions;
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
use std::sync::Arc;

/// The k coordinates of ℝᵏ.
#[derive(Clone, Debug)]
pub struct CoordinateSpace(Arc<[Variable]>);

impl CoordinateSpace {
    /// Makes ℝᵏ, in fresh coordinates.
    #[must_use]
    pub fn new(dimension: usize) -> Self {
        Self((0..dimension).map(|_| Variable::fresh()).collect())
    }

    /// Returns the coordinates.
    #[must_use]
    pub fn variables(&self) -> &[Variable] {
        &self.0
    }

    /// Returns the coordinates as plots ℝᵏ → ℝ.
    pub fn coordinate_plots(&self) -> impl Iterator<Item = Graph> + '_ {
        self.0.iter().map(|v| Graph::variable(*v))
    }

    /// Substitutes graphs for the coordinates of a plot.
    #[must_use]
    pub fn substitute_point(&self, plot: &Element, point: impl IntoIterator<Item = Graph>) -> Element {
        let bindings: Vec<_> = self.0.iter().copied().zip(point).collect();
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
pub const TIERS: [Precision; 3] = [Precision::Double, Precision::Mpfr(192), Precision::Mpfr(768)];
