//! A test of a rule for 𝒥: the image measure has the same mass as the measure.
//!
//! Let K be a rule in place of 𝒥. The density ρ/K is integrated over the image, pulled back to the chart by the slopes of f∘T,
//! which do not depend on how f is written: `∫ ρ/K dHᵈ = ∫ p·√det((f∘T)′ᵀ(f∘T)′) / (√det(TᵀT)·K)`. For the right K this
//! is ∫ p.

use super::volume_factor;
use crate::measure::MeasureError;
use crate::measure::contribution::{PathContribution, PathFactors};
use crate::measure::distribution::{divide, multiply};
use crate::measure::range::PRECISION_BITS;
use crate::measure::support::{ProgramSupport, SupportChart, matrix_product};
use crate::number::budget::Budget;
use crate::number::context::Context;
use crate::number::{Enclosure, Mpfr, Rational};
use crate::smooth::graph::Graph;

/// Encloses the mass of each chart before and after the map. Densities are divided by 𝒥, from the Jacobians of the support.
///
/// # Errors
/// None at present; the type leaves room for a [`MeasureError`].
pub fn masses_by_chart(
    support: &ProgramSupport,
    eps: &Rational,
    budget: &Budget,
) -> Result<Vec<[Enclosure; 2]>, MeasureError> {
    let own = |chart: &SupportChart| {
        let kept = chart.image_draws();
        let slopes = SupportChart::slope_matrix(&chart.value, &kept);
        let t = volume_factor(&slopes);
        let along = volume_factor(&SupportChart::slope_matrix(&chart.image, &kept));
        let factor = divide(&volume_factor(&matrix_product(&chart.jacobian, &slopes)), &t);
        let after = divide(&along, &multiply(&t, &factor));
        [Graph::integer(1), after].map(|over| {
            let factors = PathFactors { weights: chart.scores.clone(), values: vec![over] };
            PathContribution::new(&chart.path, factors, None, 0, budget).enclose(eps, budget)
        })
    };
    Ok(support.charts.iter().map(own).collect())
}

/// Encloses a sum of masses.
#[must_use]
pub fn total_mass(masses: impl IntoIterator<Item = Enclosure>) -> Enclosure {
    let context = Mpfr::new(PRECISION_BITS);
    let sum = masses
        .into_iter()
        .fold(context.enclose_integer(0), |sum, mass| context.add(&sum, &context.round_enclosure(&mass)));
    if context.is_defined(&sum) { context.to_enclosure(&sum) } else { Enclosure::bottom() }
}
