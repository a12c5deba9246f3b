//! Members of Clarke's set: limits of gradients along rays, and their convex combinations.
//!
//! Consider a ray from the point that lies on no border. Near its end the function is one analytic map, on an open set
//! around each point of the ray. So its gradient tends to that of the map, which is a member of Clarke's set; and the
//! set is convex. Only some rays are tried: the set may have other members.

use super::{Claim, ClaimTolerance};
use crate::meaning::pap::beside::{FunctionSource, resolve_on_ray};
use crate::number::budget::Budget;
use crate::number::{Enclosure, Rational};
use crate::random::SplitMix64;
use crate::smooth::graph::Graph;
use std::sync::Arc;

/// The number of rays tried for each variable. A choice: more rays find more members, and each costs one run.
const RAYS: usize = 16;
/// The greatest number of rays. A choice, as above.
const MOST_RAYS: usize = 64;

/// Encloses gradients of a function along rays from a point: members of Clarke's set.
pub(super) fn enclose_members(
    function: FunctionSource<'_>,
    at: &[Rational],
    tolerance: &ClaimTolerance,
    budget: &Arc<Budget>,
) -> Vec<Vec<Enclosure>> {
    // A fixed seed: the same question gets the same answer.
    let mut random = SplitMix64::new(at.len() as u64);
    let mut found: Vec<Vec<Enclosure>> = Vec::new();
    for _ in 0..(RAYS * at.len()).min(MOST_RAYS) {
        // A choice: coordinates with a large prime denominator lie on few borders of programs with small constants.
        let along: Vec<_> = at.iter().map(|_| Rational::from((random.next_below(199) as i32 - 99, 97))).collect();
        let Ok(Some((variables, map))) = resolve_on_ray(function, at, &along, budget) else { continue };
        let point: Vec<_> = at.iter().map(|x| Graph::rational(x.clone())).collect();
        let gradient = Graph::reverse_mode(&variables, &[map], &point, &[Graph::integer(1)]);
        let enclosed = |slope: &Graph| {
            let enclosure = slope.to_real().ok()?.enclose_to(&tolerance.accuracy(), budget).ok()?.enclosure;
            Some(enclosure).filter(|e| e.is_defined() && e.is_bounded())
        };
        // A map that is not smooth at the point may have another limit there: such a ray is skipped.
        let Some(member) = gradient.iter().map(enclosed).collect::<Option<Vec<_>>>() else { continue };
        // Rays into the same piece give the same gradient.
        if !found.contains(&member) {
            found.push(member);
        }
    }
    found
}

/// Returns `true` if a claim is a convex combination of the members, up to a distance `allowed` in each coordinate.
pub(super) fn spans_claim(members: &[Vec<Enclosure>], claim: &[Claim], allowed: &[Rational]) -> bool {
    let numbers = claim.iter().map(|claim| match claim {
        Claim::Number(q) => Some(q.clone()),
        Claim::NotFinite => None,
    });
    let Some(claim) = numbers.collect::<Option<Vec<_>>>() else { return false };
    let is_near = |weights: &[Rational]| {
        claim.iter().enumerate().all(|(place, q)| {
            let end = |of: &dyn Fn(&Enclosure) -> Option<Rational>| -> Option<Rational> {
                let part = |(weight, member): (&Rational, &Vec<Enclosure>)| Some(of(&member[place])? * weight);
                weights.iter().zip(members).map(part).sum()
            };
            let (lo, hi) = (end(&|e| e.lo().to_rational()), end(&|e| e.hi().to_rational()));
            lo.zip(hi).is_some_and(|(lo, hi)| {
                [Rational::from(q - &lo), Rational::from(&hi - q)].iter().all(|off| *off <= allowed[place])
            })
        })
        // Single members first: in the usual case of a claim that follows one branch, no linear program is solved.
    };
    let alone =
        |place: usize| -> Vec<Rational> { (0..members.len()).map(|i| Rational::from(u32::from(i == place))).collect() };
    if (0..members.len()).any(|place| is_near(&alone(place))) {
        return true;
    }
    // The weights are found for midpoints, then verified on the enclosures: a wrong midpoint cannot prove anything.
    let middle = |e: &Enclosure| Some((e.lo().to_rational()? + e.hi().to_rational()?) / 2);
    let middles = members.iter().map(|member| member.iter().map(middle).collect::<Option<Vec<_>>>());
    let Some(middles) = middles.collect::<Option<Vec<_>>>() else { return false };
    convex_weights(&middles, &claim).is_some_and(|weights| is_near(&weights))
}

/// Finds numbers ≥ 0 with the sum 1 by which the target is a mean of the points. Returns `None` if there are none. This
/// is phase one of the simplex algorithm with Bland's rule, in exact arithmetic.
fn convex_weights(points: &[Vec<Rational>], target: &[Rational]) -> Option<Vec<Rational>> {
    let columns = points.len();
    // Rows Σ wⱼ·pⱼ = target and Σ wⱼ = 1, with right sides ≥ 0. The basis begins with artificial variables.
    let row = |(coefficients, right): (Vec<Rational>, Rational)| {
        let sign = if right < 0 { -1 } else { 1 };
        coefficients.into_iter().chain([right]).map(|q| q * sign).collect::<Vec<_>>()
    };
    let coordinate = |i: usize| (points.iter().map(|p| p[i].clone()).collect::<Vec<_>>(), target[i].clone());
    let last = (vec![Rational::from(1); columns], Rational::from(1));
    let mut rows: Vec<Vec<Rational>> = (0..target.len()).map(coordinate).chain([last]).map(row).collect();
    let mut basis: Vec<Option<usize>> = vec![None; rows.len()];
    loop {
        // The sum of the artificial variables decreases with a column whose sum over their rows is positive.
        let gain = |j: usize| -> Rational {
            rows.iter().zip(&basis).filter(|(_, b)| b.is_none()).map(|(row, _)| row[j].clone()).sum()
        };
        // Bland's rule: the first such column, and on ties the first row variable. It excludes cycles.
        let Some(enter) = (0..columns).find(|j| !basis.contains(&Some(*j)) && gain(*j) > 0) else { break };
        let ratio = |i: &usize| Rational::from(&rows[*i][columns] / &rows[*i][enter]);
        let leaving = (0..rows.len()).filter(|i| rows[*i][enter] > 0);
        let leave = leaving.min_by_key(|i| (ratio(i), basis[*i].map_or(0, |j| j + 1)))?;
        let pivot = rows[leave][enter].clone();
        rows[leave].iter_mut().for_each(|q| *q /= &pivot);
        let pivot_row = rows[leave].clone();
        for (_, row) in rows.iter_mut().enumerate().filter(|(i, _)| *i != leave) {
            let factor = row[enter].clone();
            row.iter_mut().zip(&pivot_row).for_each(|(q, p)| *q -= Rational::from(p * &factor));
        }
        basis[leave] = Some(enter);
    }
    let mut found = vec![Rational::new(); columns];
    for (row, b) in rows.iter().zip(&basis) {
        match b {
            Some(j) => found[*j] = row[columns].clone(),
            // An artificial variable that stays positive means that the constraints have no solution.
            None if row[columns] != 0 => return None,
            None => {}
        }
    }
    Some(found)
}
