//! Draws that need no numerical integral: unused ones, normal ones on ℝ, and gamma and beta ones on their whole
//! support.

use crate::measure::distribution::ClosedForm;
use crate::measure::draws::{ExecutionPath, Parameter, TraceCoordinate};
use crate::measure::eliminate::integrate_normal_draw;
use crate::measure::kernel::{DensityKernel, KernelContext};
use crate::number::budget::Budget;
use crate::smooth::graph::{Graph, Variable};

/// Removes draws on which nothing depends: their densities have the integral 1.
pub(super) fn remove_unused_draws(
    coordinates: &mut Vec<TraceCoordinate>,
    factors: &mut Vec<Graph>,
    ends: &mut Vec<(Variable, Graph)>,
    densities: &[(Variable, Graph)],
    path: &ExecutionPath,
) {
    let mut index = coordinates.len();
    while index > 0 {
        index -= 1;
        let y = coordinates[index].variable;
        // the density is identified as a node, since an equal factor may be a score
        let Some(own) = densities.iter().find(|(v, _)| *v == y).map(|(_, density)| density.address()) else { continue };
        let decided = path.decisions.iter().map(|decided| &decided.guard.graph);
        let others = factors.iter().filter(|factor| factor.address() != own);
        let borders = ends.iter().filter(|(v, _)| *v != y).map(|(_, end)| end);
        if !decided.chain(others).chain(borders).any(|graph| graph.depends_on(y)) {
            factors.retain(|factor| factor.address() != own);
            ends.retain(|(v, _)| *v != y);
            coordinates.remove(index);
            // the draws of its parameters may be unused now
            index = coordinates.len();
        }
    }
}

/// Integrates draws without guards in closed form: normal ones, and gamma and beta ones on which no other draw depends.
pub(super) fn integrate_closed_draws(
    coordinates: &mut Vec<TraceCoordinate>,
    factors: &mut Vec<Graph>,
    ends: &[Graph],
    absolutely: bool,
    path: &ExecutionPath,
    parameter: Option<&Parameter>,
    budget: &Budget,
) {
    let within = path.coordinate_ranges(parameter);
    let mut index = coordinates.len();
    while index > 0 {
        index -= 1;
        if budget.is_exhausted() {
            return;
        }
        let y = coordinates[index].variable;
        let variables: Vec<Variable> = coordinates.iter().map(|x| x.variable).filter(|x| *x != y).collect();
        let is_alone = |graph: &Graph| !variables.iter().any(|x| graph.depends_on(*x));
        let Some(form) = coordinates[index].distribution.family().closed_form() else { continue };
        let is_normal = form == ClosedForm::Normal;
        // the ends of its own distribution bound the whole support
        let ends = ends.iter().filter(|end| is_normal || !is_alone(end));
        let mut borders = path.decisions.iter().map(|decided| &decided.guard.graph).chain(ends);
        if borders.any(|border| border.depends_on(y)) {
            continue;
        }
        let (own, others): (Vec<_>, Vec<_>) = factors.iter().cloned().partition(|factor| factor.depends_on(y));
        let closed = || {
            let known = KernelContext { within: &within, parameter, budget };
            // closed forms over the support need all factors to depend on this draw alone
            let may_be = own.iter().all(is_alone) && (absolutely || variables.is_empty());
            let kernel = DensityKernel::from_factors(y, &own, known).filter(|_| may_be)?;
            kernel.integrate_support(&coordinates[index], known).map(|found| vec![found])
        };
        let found = match is_normal {
            true => integrate_normal_draw(y, &own, &variables, absolutely, &within, budget),
            false => closed(),
        };
        if let Some(found) = found {
            *factors = others.into_iter().chain(found).collect();
            coordinates.remove(index);
            // an earlier failure may have a closed form now
            index = coordinates.len();
        }
    }
}
