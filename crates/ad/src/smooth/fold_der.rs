//! Evaluation of a primitive `foldDer(f, g)` over a Weil algebra (S §4.3).
//!
//! At `x₀ + s` with generic nilpotent s, of total degree at most k, the value `y` of the primitive has
//! `E y = Σᵢ g(x₀ + s; eᵢ)·sᵢ`, where g is needed to degree k - 1 only: the recursion through mutually recursive primitives
//! ends. The actual arguments are then substituted for s.

use crate::number::context::Context;
use crate::smooth::algebra::{Algebra, AlgebraGenerator};
use crate::smooth::error::SmoothError;
use crate::smooth::hooks::HookedContext;
use crate::smooth::jet::Jet;
use crate::smooth::machine::{BranchDecisions, EvalTarget, JetEvaluator};
use crate::smooth::primitive::{Primitive, ValueRule};
use std::sync::Arc;

/// An element of an algebra, with the algebra.
type PrimitiveExpansion<C> = (Arc<Algebra>, Jet<<C as Context>::Num>);

impl<C: HookedContext> JetEvaluator<'_, C> {
    /// Evaluates the primitive at a tuple of jets.
    ///
    /// # Errors
    /// [`SmoothError::Dimension`] if the number of arguments is not the arity; errors of the derivative.
    pub fn eval_primitive(
        &self,
        p: &Primitive,
        algebra: &Arc<Algebra>,
        arguments: &[Jet<C::Num>],
    ) -> Result<Jet<C::Num>, SmoothError> {
        if arguments.len() != p.arity {
            return Err(SmoothError::Dimension { expected: p.arity, found: arguments.len() });
        }
        let jets = self.jets(algebra);
        let point: Vec<_> = arguments.iter().map(|x| jets.value_of(x)).collect();
        let steps: Vec<_> = arguments.iter().map(|x| jets.nilpotent_part(x)).collect();
        let all = steps.iter().fold(Jet::zero(), |sum, n| jets.add(&sum, n));
        // the arguments' own order: a higher degree of the expansion would be multiplied by 0
        let order = jets.nilpotency_bound(&all) - 1;
        let Some((generic, expansion)) = self.expand_primitive(p, &point, order)? else {
            return Ok(self.bottom_for_large_algebra(algebra));
        };
        let mut y = Jet::zero();
        for monomial in 0..generic.len() {
            let Some(c) = expansion.get(monomial) else { continue };
            let mut term = Jet::constant(c.clone());
            for (step, &power) in steps.iter().zip(generic.exponents(monomial)) {
                for _ in 0..power {
                    term = jets.multiply(&term, step);
                }
            }
            y = jets.add(&y, &term);
        }
        // outside the domain no derivative may look defined, structural zeros included
        let defined = y.get(0).is_some_and(|v| self.context.is_defined(v));
        Ok(if defined { y } else { jets.mark_undefined(y, arguments) })
    }

    /// Computes the value of a primitive.
    fn primitive_value(&self, p: &Primitive, point: &[C::Num]) -> Result<C::Num, SmoothError> {
        Ok(match &p.value {
            ValueRule::Extension(f) => {
                // the domain of an extension is unknown, so every point may lie on its boundary
                self.edges.record_unknown_boundary();
                self.context.apply_extension(&**f, point)
            }
            ValueRule::Map { program, .. } => {
                let machine = self.for_program(program);
                let point: Vec<_> = point.iter().cloned().map(Jet::constant).collect();
                let branches = &mut BranchDecisions::default();
                let y = machine.eval_block(&program.root, &self.real, &point, &[], branches, EvalTarget::Outputs)?;
                self.edges.adopt_boundaries(&machine.edges);
                self.jets(&self.real).value_of(&y[0])
            }
        })
    }

    /// Expands a primitive at a point, to a total degree. Returns `None` if there are too many terms.
    fn expand_primitive(
        &self,
        p: &Primitive,
        point: &[C::Num],
        order: u32,
    ) -> Result<Option<PrimitiveExpansion<C>>, SmoothError> {
        let generic = |degree: u32| {
            let generators = if degree == 0 { 0 } else { p.arity };
            (0..generators).try_fold(self.real.clone(), |a, _| a.adjoin(AlgebraGenerator::Taylor(degree)))
        };
        let (Some(algebra), Some(lower)) = (generic(order), generic(order.saturating_sub(1))) else {
            return Ok(None);
        };
        let mut y = Jet::constant(self.primitive_value(p, point)?);
        if order == 0 || p.arity == 0 {
            return Ok(Some((algebra, y)));
        }
        let unit = |i: usize| (0..p.arity).map(|j| u32::from(i == j)).collect::<Vec<_>>();
        let inputs: Vec<_> = (0..p.arity)
            .map(|i| {
                let mut x = Jet::constant(point[i].clone());
                if let Some(s) = lower.index(&unit(i)) {
                    x.set(s, Some(self.context.enclose_integer(1)));
                }
                x
            })
            .collect();
        let partials = p.partial_derivatives();
        let machine = self.for_program(partials);
        let slopes =
            machine.eval_derivatives(&partials.root, &lower, [&inputs, &[]], 0, &mut BranchDecisions::default())?;
        self.edges.adopt_boundaries(&machine.edges);
        for monomial in 1..algebra.len() {
            let mut sum: Option<C::Num> = None;
            for (i, slope) in slopes.iter().enumerate() {
                // E y = Σᵢ gᵢ·sᵢ: the coefficient of s^α in gᵢ·sᵢ is that of s^α/sᵢ in gᵢ
                let mut exponents = algebra.exponents(monomial).to_vec();
                if exponents[i] == 0 {
                    continue;
                }
                exponents[i] -= 1;
                let index = if order == 1 { Some(0) } else { lower.index(&exponents) };
                if let Some(c) = index.and_then(|m| slope.get(m)) {
                    sum = Some(sum.map_or_else(|| c.clone(), |s| self.context.add(&s, c)));
                }
            }
            // E multiplies a monomial by its degree, so this divides
            let degree = u64::from(algebra.degree(monomial));
            y.set(monomial, sum.map(|s| self.context.div_integer(&s, degree)));
        }
        Ok(Some((algebra, y)))
    }
}
