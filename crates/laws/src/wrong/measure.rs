//! Mutants of normalising constants and means of probabilistic programs (W §4).

use crate::measure::MeasureError;
use crate::measure::distribution::power;
use crate::measure::draws::Parameter;
use crate::measure::explore::EndedPath;
use crate::measure::hooks::{DefaultMeasureHooks, MeasureHooks};
use crate::measure::support::{ProgramSupport, SupportChart, determinant};
use crate::number::budget::Budget;
use crate::number::{Magnitude, Rational};
use crate::pieces::GuardCondition;
use crate::smooth::graph::{Binary, Graph, Unary};
use crate::syntax::term::{Term, TermKind};
use std::sync::Arc;

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
                let scale =
                    if dimension == 1 { determinant } else { power(&determinant, &Rational::from((1, dimension))) };
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
