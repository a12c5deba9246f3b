//! Towers against jets: Taylor coefficients from a tower, and the tower of a program that is evaluated by jets.
//!
//! Over a Weil algebra with generators ε₁, …, ε_g, the coefficient of ε^α in `f(x + Σ v_i ε_i)` is `f⁽|α|⁾(x; v₁^α₁, …)/α!`,
//! each v_i taken α_i times. Conversely `f⁽ᵏ⁾(x; v₁, …, v_k)` is the coefficient of ε₁⋯ε_k over ℝ[ε₁, …, ε_k]/(ε_i²).

use super::{EnclosureVector, Tower, TowerError, TowerRule};
use crate::number::budget::Budget;
use crate::number::effort::PassOptions;
use crate::number::magnitude::Magnitude;
use crate::smooth::algebra::{Algebra, AlgebraGenerator};
use crate::smooth::graph::{Graph, Variable};
use crate::smooth::hooks::HookedContext;
use crate::smooth::jet::Jet;
use crate::smooth::machine::{BranchDecisions, JetEvaluator};
use crate::smooth::program::CompiledMap;
use crate::smooth::tower::error::{TowerOperand, check_dimension};

/// The rule of a program that is evaluated by jets.
struct JetTowerRule(CompiledMap);

impl<C: HookedContext> TowerRule<C> for JetTowerRule {
    fn derivative_along(
        &self,
        context: &C,
        x: &[C::Num],
        directions: &[&[C::Num]],
    ) -> Result<EnclosureVector<C>, TowerError> {
        let real = Algebra::real();
        let mut algebra = real.clone();
        let mut generators = Vec::with_capacity(directions.len());
        // One generator ε with ε² = 0 for each direction: their product is the last monomial, with the mixed derivative.
        for _ in directions {
            algebra = algebra
                .adjoin(AlgebraGenerator::Direction(1))
                .ok_or(TowerError::Unsupported { construct: "so many directions" })?;
            generators.push(algebra.last_generator());
        }
        let inputs: Vec<_> = (0..x.len())
            .map(|i| {
                let mut jet = Jet::constant(x[i].clone());
                generators.iter().zip(directions).for_each(|(g, v)| jet.set(*g, Some(v[i].clone())));
                jet
            })
            .collect();
        let budget = Budget::unlimited();
        // Towers have no budget: tolerance is as fine as the precision.
        let effort = PassOptions::new(Magnitude::power_of_two(-i64::from(context.precision())), &budget);
        let machine = JetEvaluator::new(context, &effort, &real, &self.0);
        let y = machine.eval_derivatives(&self.0.root, &algebra, [&inputs, &[]], 0, &mut BranchDecisions::default())?;
        let top = algebra.len() - 1;
        Ok(y.iter().map(|jet| jet.get(top).cloned().unwrap_or_else(|| context.enclose_integer(0))).collect())
    }
}

impl<C: HookedContext> Tower<C> {
    /// Returns the tower `ℝⁿ ⇝ ℝᵐ` of graphs by jets, second-order primitives included. It is compared with
    /// [`Tower::of_graph`]. A structural zero becomes 0.
    ///
    /// # Errors
    /// [`TowerError::Unbound`] for a variable that is not an input. Evaluation fails with [`TowerError::Jets`] where the
    /// jets do.
    pub fn by_jets(graphs: &[Graph], inputs: &[Variable]) -> Result<Self, TowerError> {
        match CompiledMap::unbound_variables(inputs, graphs).first() {
            Some(&variable) => Err(TowerError::Unbound { variable }),
            None => Ok(Self::new(inputs.len(), graphs.len(), JetTowerRule(CompiledMap::compile(inputs, graphs)))),
        }
    }

    /// Returns the value at `x + Σ v_i ε_i` over an algebra with a generator ε_i for each direction: one jet for each
    /// component. No coefficient is structurally zero.
    ///
    /// # Errors
    /// [`TowerError::Dimension`] when there are not as many directions as generators; those of [`Tower::derivative`].
    pub fn jet_at(
        &self,
        x: &[C::Num],
        directions: &[EnclosureVector<C>],
        algebra: &Algebra,
        context: &C,
    ) -> Result<Vec<Jet<C::Num>>, TowerError> {
        check_dimension(TowerOperand::Directions, algebra.generator_count(), directions.len())?;
        let mut jets = vec![Jet::zero(); self.outputs()];
        for monomial in 0..algebra.len() {
            let mut along = Vec::new();
            // f⁽|α|⁾(x; v₁^α₁, …)/α!, the Taylor coefficient of ε^α.
            let mut factorial = 1;
            for (direction, power) in directions.iter().zip(algebra.exponents(monomial)) {
                for count in 1..=u64::from(*power) {
                    along.push(direction.clone());
                    factorial *= count;
                }
            }
            for (jet, c) in jets.iter_mut().zip(self.derivative(x, &along, context)?) {
                jet.set(monomial, Some(context.div_integer(&c, factorial)));
            }
        }
        Ok(jets)
    }
}
