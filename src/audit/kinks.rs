//! Clarke's set of a function of several variables, from its [pieces](crate::meaning::pap::local) around the point.
//!
//! The function is continuous near x, and there one of some analytic maps, each on a set on which guards have certain signs. So
//! Clarke's set is the hull of their gradients g at x, over the pieces whose sets have points beside x inside of them (Scholtes
//! 2012, Introduction to Piecewise Differentiable Equations, Prop. 4.3.1). Two sets of pieces bound it:
//!
//! | pieces | condition | proves |
//! |---|---|---|
//! | inner | a vector v with ±⟨∇h, v⟩ > 0 for the signs of all borders h: the piece contains a ray | a claim between their gradients is inside |
//! | outer | not that a sum Σ λₖ·(±hₖ), λₖ ≥ 0, not all 0, vanishes everywhere: then the piece is empty | a claim apart from all their gradients is outside |
//!
//! A piece may be outer and not inner: 0 < y < x² has no ray at 0. A claim between the two hulls gets no verdict.
//!
//! # Norms
//!
//! Where norms Nᵢ = ‖Fᵢ‖ vanish at x, a piece is a map G(x, N). Each limit of its gradients is ∇G + Σ wᵢAᵢᵀbᵢ, where wᵢ = ∂G/∂Nᵢ, Aᵢ is the
//! Jacobian of Fᵢ, and |bᵢ| ≤ 1. If there is one piece and the wᵢ have one sign, then f or -f is regular, and all of these vectors are
//! in Clarke's set (Clarke 1983, 2.3.3, 2.3.9 and 2.3.10). Otherwise they only contain it.
//!
//! # Certificates
//!
//! Let p be the point of the hull of g - c that is nearest to 0, for a claim c. It is a mean of some of the g - c; and if it is not 0,
//! then ⟨p, g - c⟩ ≥ |p|² for all g. So the weights prove that the claim is inside, and p that it is outside. Both are found in
//! floating-point numbers ([Wolfe 1976](nearest_point)), and proved by rational numbers.

use super::judge::EndBounds;
use super::{AuditFinding, Claim, ClaimTolerance, DisagreementCause};
use crate::meaning::pap::beside::{BorderPlaces, FunctionSource};
use crate::meaning::pap::local::{LocalBorder, LocalPieces, resolve_pieces};
use crate::number::arithmetic::Context;
use crate::number::budget::Budget;
use crate::number::mpfr::Mpfr;
use crate::number::{Accuracy, Enclosure, Integer, Rational};
use crate::smooth::graph::{Graph, Variable};
use crate::smooth::question::QueryBatch;
use std::sync::Arc;

/// The gradients of one piece: one, or a set of them where norms vanish.
#[derive(Clone, Debug)]
struct PieceGradients {
    /// The gradient without norms.
    gradient: Vec<EndBounds>,
    /// The slopes in the norms.
    weights: Vec<EndBounds>,
    is_inner: bool,
}

/// The Jacobian of a vector of maps whose norm vanishes, by rows.
type NormJacobian = Vec<Vec<EndBounds>>;

/// Bounds of Clarke's set at a kink, from inside and from outside.
#[derive(Clone, Debug)]
pub(super) struct KinkSet {
    pieces: Vec<PieceGradients>,
    jacobians: Vec<NormJacobian>,
    /// The maps of the pieces over their variables, if there are no norms.
    maps: Vec<(Vec<Variable>, Graph)>,
    /// `true` if the pieces are all that there are, so that claims apart from them are outside.
    is_complete: bool,
    /// The positions of the guards and norms.
    pub(super) borders: BorderPlaces,
    /// The budget of the question, which comparisons with claims keep.
    budget: Arc<Budget>,
}

/// The bits of the ends of a box. A choice: more than those of a claim.
const BOX_BITS: u32 = 128;

/// Encloses closed maps, those exactly whose normal form is a number. Returns `None` unless all of them are certainly defined, and
/// bounded.
fn enclose_maps(
    maps: &[Graph],
    local: &mut LocalPieces,
    accuracy: &Accuracy,
    budget: &Budget,
) -> Option<Vec<EndBounds>> {
    let mut batch = QueryBatch::new(&maps.iter().collect::<Vec<_>>());
    let mut enclose = |map: &Graph| {
        if budget.is_exhausted() {
            return None;
        }
        if let Some(q) = map.as_rational() {
            return Some(EndBounds::of(q));
        }
        // A sum that cancels is 0 exactly. A normal form says nothing of the domain, so that a coarse enclosure must.
        let exact = local.as_rational(map);
        let coarse = Accuracy::within(Rational::from(1));
        let goal = if exact.is_some() { &coarse } else { accuracy };
        let found = batch.real_of(map).ok()?.enclose_to(goal, budget).ok()?.enclosure;
        let found = EndBounds::of_enclosure(&Some(found).filter(Enclosure::is_defined)?)?;
        Some(exact.map_or(found, |exact| EndBounds::of(&exact)))
    };
    maps.iter().map(&mut enclose).collect()
}

/// Returns the gradient of a map at a point, as closed maps.
fn gradient_at(variables: &[Variable], map: &Graph, point: &[Graph]) -> Vec<Graph> {
    Graph::reverse_mode(variables, std::slice::from_ref(map), point, &[Graph::integer(1)])
}

/// A border that is an analytic map, at the point.
struct BorderSlope {
    /// The map.
    map: Graph,
    gradient: Vec<EndBounds>,
    /// The gradient, if it is one of rational numbers.
    exact: Option<Vec<Rational>>,
}

impl KinkSet {
    /// Finds the set of a function at a point.
    ///
    /// # Errors
    /// The reason why it is not known.
    pub(super) fn resolve(
        function: FunctionSource<'_>,
        at: &[Rational],
        tolerance: &ClaimTolerance,
        budget: &Arc<Budget>,
    ) -> Result<Self, String> {
        let mut local = resolve_pieces(function, at, budget)?;
        if !local.is_continuous() {
            return Err("the branches of a choice are not shown to agree on its border".to_owned());
        }
        let accuracy = tolerance.accuracy();
        let no_slope = || "the gradient of a piece was not enclosed".to_owned();
        let point: Vec<_> = at.iter().map(|q| Graph::rational(q.clone())).collect();
        // The slopes of the borders tell which pieces have a ray, and which are certainly empty beside the point.
        let slopes = border_slopes(&mut local, &point, &accuracy, budget).ok_or_else(no_slope)?;
        let mut jacobians = Vec::new();
        let bindings: Vec<_> = local.variables.iter().copied().zip(point.iter().cloned()).collect();
        // A norm of F contributes weight · Jᵗ b with the Jacobian J of F and |b| ≤ 1. The root of a weight goes into its row.
        for norm in local.norms.clone() {
            let mut row = |(weight, form): &(Graph, Graph)| {
                let root = weight.substitute(&bindings).pow(&Rational::from((1, 2)));
                let slopes: Vec<_> = gradient_at(&local.variables, form, &point).iter().map(|g| g * &root).collect();
                enclose_maps(&slopes, &mut local, &accuracy, budget)
            };
            jacobians.push(norm.squares.iter().map(&mut row).collect::<Option<NormJacobian>>().ok_or_else(no_slope)?);
        }
        // A norm is one more variable of each piece, and is 0 at the point.
        let norms: Vec<_> = local.norms.iter().map(|norm| norm.variable).collect();
        let variables: Vec<_> = local.variables.iter().chain(&norms).copied().collect();
        let point: Vec<_> = point.into_iter().chain(norms.iter().map(|_| Graph::integer(0))).collect();
        let (mut pieces, mut maps): (Vec<PieceGradients>, Vec<_>) = (Vec::new(), Vec::new());
        for piece in local.pieces.clone().iter().filter(|piece| piece.is_open()) {
            if budget.is_exhausted() {
                return Err("not all pieces around the point were looked at".to_owned());
            }
            let signs: Vec<_> = piece.signs().map(|(border, sign)| (&slopes[border], sign)).collect();
            let signs: Vec<_> = signs.into_iter().filter_map(|(slope, sign)| Some((slope.as_ref()?, sign))).collect();
            // Leaving out a piece that may have points would let a member of the set be called outside.
            if is_empty_piece(&mut local, &signs, budget) {
                continue;
            }
            let map = piece.map.as_ref().map_err(Clone::clone)?;
            let slopes = gradient_at(&variables, map, &point);
            let mut gradient = enclose_maps(&slopes, &mut local, &accuracy, budget).ok_or_else(no_slope)?;
            // The slopes in the norms are their weights.
            let weights = gradient.split_off(at.len());
            let found = PieceGradients { gradient, weights, is_inner: has_ray(&signs, budget) };
            match pieces.iter_mut().find(|known| known.gradient == found.gradient && known.weights == found.weights) {
                Some(known) => known.is_inner |= found.is_inner,
                None => {
                    pieces.push(found);
                    maps.extend(norms.is_empty().then(|| (variables.clone(), map.clone())));
                }
            }
        }
        let (borders, budget) = (local.places, budget.clone());
        let set = Self { pieces, jacobians, maps, is_complete: true, borders, budget };
        Ok(set.with_exact_norms())
    }

    /// Uses members of the set alone, which prove nothing of what is outside.
    pub(super) fn of_members(members: Vec<Vec<EndBounds>>, budget: &Arc<Budget>) -> Self {
        let member = |gradient| PieceGradients { gradient, weights: Vec::new(), is_inner: true };
        let pieces = members.into_iter().map(member).collect();
        let (jacobians, maps, borders) = (Vec::new(), Vec::new(), BorderPlaces::default());
        Self { pieces, jacobians, maps, is_complete: false, borders, budget: budget.clone() }
    }

    /// Decides of which pieces with norms all vectors are members of the set.
    fn with_exact_norms(mut self) -> Self {
        let is_zero = |weight: &EndBounds| weight.lo == 0 && weight.hi == 0;
        // With weights of one sign f or -f is regular, so all vectors are members (Clarke 1983, 2.3.10).
        if let [only] = &mut self.pieces[..] {
            let has_one_sign = only.weights.iter().all(|w| w.lo >= 0) || only.weights.iter().all(|w| w.hi <= 0);
            only.is_inner = has_one_sign;
        } else {
            // which unit vectors are limits on a piece is not known
            self.pieces.iter_mut().for_each(|piece| piece.is_inner &= piece.weights.iter().all(is_zero));
        }
        self
    }

    /// Returns the maps of the pieces over their variables. None are known where norms vanish.
    pub(super) fn maps(&self) -> &[(Vec<Variable>, Graph)] {
        &self.maps
    }

    /// Returns by how much the norms of a piece move a coordinate at most, with bounds of that.
    fn radius(&self, piece: &PieceGradients, place: usize) -> EndBounds {
        let part = |(weight, rows): (&EndBounds, &NormJacobian)| {
            let column = rows.iter().map(|row| row[place].squared()).fold(EndBounds::default(), |sum, q| sum.plus(&q));
            weight
                .absolute()
                .times(&EndBounds { lo: root_bounds(&column.lo)[0].clone(), hi: root_bounds(&column.hi)[1].clone() })
        };
        piece.weights.iter().zip(&self.jacobians).map(part).fold(EndBounds::default(), |sum, q| sum.plus(&q))
    }

    /// Returns the box around the outer pieces. `None` if there are none, and of members alone: the set may have others.
    pub(super) fn enclosing_box(&self) -> Option<Vec<Enclosure>> {
        if !self.is_complete {
            return None;
        }
        let count = self.pieces.first()?.gradient.len();
        let context = Mpfr::new(BOX_BITS);
        let coordinate = |place: usize| {
            let ends = self.pieces.iter().map(|piece| {
                let (slope, radius) = (&piece.gradient[place], self.radius(piece, place).hi);
                [Rational::from(&slope.lo - &radius), Rational::from(&slope.hi + &radius)]
            });
            let [lo, hi] = ends.reduce(|[a, b], [c, d]| [a.min(c), b.max(d)])?;
            let hull = context.hull(&context.enclose_rational(&lo), &context.enclose_rational(&hi));
            Some(context.to_enclosure(&hull))
        };
        (0..count).map(coordinate).collect()
    }

    /// Returns the allowed distance in each coordinate: by what the inner members are at least, or the outer ones at most.
    fn allowances(&self, tolerance: &ClaimTolerance, extra: &[Rational], by_inner: bool) -> Vec<Rational> {
        let count = self.pieces.first().map_or(0, |piece| piece.gradient.len());
        let size = |place: usize| {
            let sizes = self.pieces.iter().filter(|piece| !by_inner || piece.is_inner).map(|piece| {
                let (slope, radius) = (&piece.gradient[place], self.radius(piece, place));
                match by_inner {
                    true => slope.plus(&radius).magnitude().max(slope.plus(&radius.negative()).magnitude()),
                    false => slope.absolute().hi + radius.hi,
                }
            });
            sizes.max().unwrap_or_default()
        };
        let extra = |place: usize| extra.get(place).cloned().unwrap_or_default();
        (0..count).map(|place| tolerance.allowed_distance(&size(place)) + extra(place)).collect()
    }

    /// Compares a claim with the set. The tolerance grows by `extra` for each coordinate, if there are such numbers. `None` if that
    /// does not decide.
    pub(super) fn compare_claim(
        &self,
        claim: &[Claim],
        tolerance: &ClaimTolerance,
        extra: &[Rational],
    ) -> Option<AuditFinding> {
        let numbers = claim.iter().map(|claim| match claim {
            Claim::Number(q) => Some(q.clone()),
            Claim::NotFinite => None,
        });
        let Some(claim) = numbers.collect::<Option<Vec<_>>>() else {
            // a Lipschitz function has a set of vectors
            return self.is_complete.then_some(AuditFinding::Outside(DisagreementCause::NotFinite));
        };
        // A claim is in by the inner members alone, and out only by all outer ones.
        let allowed = self.allowances(tolerance, extra, true);
        if self.pieces.iter().any(|piece| piece.is_inner) && self.contains_claim(&claim, &allowed) {
            return Some(AuditFinding::Inside);
        }
        let allowed = self.allowances(tolerance, extra, false);
        let is_outside = self.is_complete && self.is_apart(&claim, &allowed);
        is_outside.then_some(AuditFinding::Outside(match self.borders.is_empty() {
            false => DisagreementCause::Border,
            true => DisagreementCause::Unexplained,
        }))
    }

    /// Returns `true` if a mean of members is certainly near a claim.
    fn contains_claim(&self, claim: &[Rational], allowed: &[Rational]) -> bool {
        let problem = ScaledSet::new(self, claim, allowed, true);
        let found = nearest_point(claim.len(), &|direction| problem.lowest_member(direction), &self.budget);
        let Some(weights) = found.exact_weights() else { return false };
        // What was found in floating-point numbers is shown again in intervals of fractions.
        let members: Vec<_> = found.members.iter().map(|member| self.exact_member(member)).collect();
        (0..claim.len()).all(|place| {
            let part = |(weight, member): (&Rational, &Vec<EndBounds>)| member[place].times(&EndBounds::of(weight));
            let mean = weights.iter().zip(&members).map(part).fold(EndBounds::default(), |sum, q| sum.plus(&q));
            Rational::from(&claim[place] - &mean.lo) <= allowed[place]
                && Rational::from(&mean.hi - &claim[place]) <= allowed[place]
        })
    }

    /// Encloses a member that was found in floating-point numbers: its unit vectors are made no longer than 1.
    fn exact_member(&self, member: &ScaledMember) -> Vec<EndBounds> {
        let piece = &self.pieces[member.piece];
        let mut found = piece.gradient.clone();
        for ((weight, rows), unit) in piece.weights.iter().zip(&self.jacobians).zip(&member.units) {
            let unit: Vec<_> = unit.iter().map(|x| Rational::from_f64(*x).unwrap_or_default()).collect();
            let length: Rational = unit.iter().map(|x| Rational::from(x * x)).sum();
            // Division by an upper bound of the length leaves a vector of the unit ball.
            let longer = root_bounds(&length)[1].clone().max(1.into());
            for (row, x) in rows.iter().zip(&unit) {
                let factor = weight.times(&EndBounds::of(&Rational::from(x / &longer)));
                found.iter_mut().zip(row).for_each(|(sum, slope)| *sum = sum.plus(&factor.times(slope)));
            }
        }
        found
    }

    /// Returns `true` if a plane certainly lies between a claim, with all that is allowed around it, and all outer pieces.
    fn is_apart(&self, claim: &[Rational], allowed: &[Rational]) -> bool {
        let problem = ScaledSet::new(self, claim, allowed, false);
        let found = nearest_point(claim.len(), &|direction| problem.lowest_member(direction), &self.budget);
        let Some(normal) = problem.normal_of(&found.nearest) else { return false };
        // The claim may move by what is allowed in each coordinate, and its product with the normal by this much.
        let around: Rational = normal.iter().zip(allowed).map(|(v, a)| Rational::from(v * a).abs()).sum();
        !self.pieces.is_empty()
            && self.pieces.iter().all(|piece| {
                let part = |((v, slope), q): ((&Rational, &EndBounds), &Rational)| {
                    slope.plus(&EndBounds::of(&Rational::from(-q))).times(&EndBounds::of(v))
                };
                let parts = normal.iter().zip(&piece.gradient).zip(claim).map(part);
                let mut least = parts.fold(EndBounds::default(), |sum, q| sum.plus(&q)).lo;
                // Over all |b| ≤ 1 the product of the normal with Jᵗ b is least at -|J v|.
                for (weight, rows) in piece.weights.iter().zip(&self.jacobians) {
                    let along = rows.iter().map(|row| product_of(row, &normal).squared());
                    let length = along.fold(EndBounds::default(), |sum, q| sum.plus(&q)).hi;
                    least -= weight.absolute().hi * &root_bounds(&length)[1];
                }
                least > around
            })
    }
}

/// Returns the inner product of a vector of intervals with one of numbers.
fn product_of(row: &[EndBounds], v: &[Rational]) -> EndBounds {
    row.iter().zip(v).fold(EndBounds::default(), |sum, (slope, v)| sum.plus(&slope.times(&EndBounds::of(v))))
}

/// Returns the slopes of the borders at the point; `None` for a norm. `None` if one is not enclosed.
fn border_slopes(
    local: &mut LocalPieces,
    point: &[Graph],
    accuracy: &Accuracy,
    budget: &Budget,
) -> Option<Vec<Option<BorderSlope>>> {
    let borders = local.borders.clone();
    let slope = |border: LocalBorder| {
        let LocalBorder::Map(map) = border else { return Some(None) };
        let slopes = gradient_at(&local.variables, &map, point);
        let gradient = enclose_maps(&slopes, local, accuracy, budget)?;
        let exact = gradient.iter().map(|end| (end.lo == end.hi).then(|| end.lo.clone())).collect();
        Some(Some(BorderSlope { map, gradient, exact }))
    };
    borders.into_iter().map(slope).collect()
}

/// Returns the point nearest to 0 in the hull of the gradients of borders, with their signs.
fn nearest_slope(signs: &[(&BorderSlope, bool)], budget: &Budget) -> NearestPoint {
    let middles: Vec<Vec<f64>> = signs
        .iter()
        .map(|(slope, is_positive)| {
            let sign = if *is_positive { 1.0 } else { -1.0 };
            slope.gradient.iter().map(|end| sign * end.middle().to_f64()).collect()
        })
        .collect();
    let count = middles.first().map_or(0, Vec::len);
    let lowest_member = |direction: &[f64]| {
        let members = middles.iter().enumerate();
        let member = |(piece, at): (usize, &Vec<f64>)| ScaledMember { piece, units: Vec::new(), at: at.clone() };
        members.map(member).min_by(|a, b| inner(direction, &a.at).total_cmp(&inner(direction, &b.at)))
    };
    nearest_point(count, &lowest_member, budget)
}

/// Returns `true` if a piece certainly contains a ray from the point.
fn has_ray(signs: &[(&BorderSlope, bool)], budget: &Budget) -> bool {
    if signs.is_empty() {
        return true;
    }
    let nearest = nearest_slope(signs, budget).nearest;
    let Some(ray) = nearest.iter().map(|x| Rational::from_f64(*x)).collect::<Option<Vec<_>>>() else { return false };
    signs.iter().all(|(slope, is_positive)| {
        let along = product_of(&slope.gradient, &ray);
        if *is_positive { along.lo > 0 } else { along.hi < 0 }
    })
}

/// Returns `true` if a piece is certainly empty: some sum of its borders, with their signs and weights ≥ 0, is 0 everywhere.
fn is_empty_piece(local: &mut LocalPieces, signs: &[(&BorderSlope, bool)], budget: &Budget) -> bool {
    let exact: Vec<_> = signs.iter().filter(|(slope, _)| slope.exact.is_some()).copied().collect();
    if exact.len() < 2 {
        return false;
    }
    // the weights make the gradient 0, so that 0 is the nearest point
    let found = nearest_slope(&exact, budget);
    let Some(weights) = found.exact_weights() else { return false };
    let part = |(weight, member): (&Rational, &ScaledMember)| {
        let (slope, is_positive) = exact[member.piece];
        &slope.map * (if is_positive { weight.clone() } else { -weight.clone() })
    };
    let sum: Graph = weights.iter().zip(&found.members).map(part).sum();
    weights.iter().any(|weight| *weight > 0) && local.is_zero_map(&sum)
}

/// Returns bounds of the square root of a number ≥ 0.
fn root_bounds(q: &Rational) -> [Rational; 2] {
    if *q <= 0 {
        return [Rational::new(), Rational::new()];
    }
    // some 128 bits of the root
    let size = i64::from(q.numer().significant_bits()) - i64::from(q.denom().significant_bits());
    let shift = (256 - size).div_euclid(2);
    let power = |q: Rational, shift: i64| if shift >= 0 { q << shift as u32 } else { q >> shift.unsigned_abs() as u32 };
    let scaled = power(q.clone(), 2 * shift);
    let below = Integer::from(scaled.numer() / scaled.denom()).sqrt();
    let is_exact = Integer::from(&below * &below) == scaled;
    let above = if is_exact { below.clone() } else { Integer::from(&below + 1) };
    [power(Rational::from(below), -shift), power(Rational::from(above), -shift)]
}

fn inner(a: &[f64], b: &[f64]) -> f64 {
    a.iter().zip(b).map(|(x, y)| x * y).sum()
}

/// A member of the set in floating-point numbers, less the claim and scaled.
#[derive(Clone, Debug, PartialEq)]
struct ScaledMember {
    piece: usize,
    /// For each norm the vector b of length 1 at most.
    units: Vec<Vec<f64>>,
    at: Vec<f64>,
}

/// The pieces of a set in floating-point numbers, less the claim, where what is allowed has the length 1.
struct ScaledSet {
    /// The pieces: their number, gradients and weights.
    pieces: Vec<(usize, Vec<f64>, Vec<f64>)>,
    jacobians: Vec<Vec<Vec<f64>>>,
    scale: Vec<Rational>,
}

impl ScaledSet {
    fn new(set: &KinkSet, claim: &[Rational], allowed: &[Rational], inner_only: bool) -> Self {
        let chosen: Vec<_> = set.pieces.iter().enumerate().filter(|(_, piece)| piece.is_inner || !inner_only).collect();
        // A coordinate without any size has nearly no allowance; a bound keeps the squares of floats finite.
        let farthest = chosen.iter().flat_map(|(_, piece)| piece.gradient.iter().zip(claim));
        let farthest = farthest.map(|(end, q)| (end.middle() - q).abs()).max().unwrap_or_default();
        let least = allowed.iter().max().cloned().unwrap_or_default().max(farthest) >> 100;
        let scale = |a: &Rational| a.max(&least).clone().recip();
        let scale: Vec<_> = allowed.iter().map(scale).collect();
        let scaled = |row: &[EndBounds], minus: Option<&[Rational]>| -> Vec<f64> {
            let coordinate = |(place, end): (usize, &EndBounds)| {
                let middle = end.middle() - minus.map_or_else(Rational::new, |minus| minus[place].clone());
                (middle * &scale[place]).to_f64()
            };
            row.iter().enumerate().map(coordinate).collect()
        };
        let piece = |(place, piece): (usize, &PieceGradients)| {
            let weights = piece.weights.iter().map(|weight| weight.middle().to_f64()).collect();
            (place, scaled(&piece.gradient, Some(claim)), weights)
        };
        let pieces = chosen.into_iter().map(piece).collect();
        let jacobians = set.jacobians.iter().map(|rows| rows.iter().map(|row| scaled(row, None)).collect()).collect();
        Self { pieces, jacobians, scale }
    }

    /// Returns a member whose inner product with a direction is the least.
    fn lowest_member(&self, direction: &[f64]) -> Option<ScaledMember> {
        let member = |(piece, gradient, weights): &(usize, Vec<f64>, Vec<f64>)| {
            let (mut at, mut units) = (gradient.clone(), Vec::new());
            for (weight, rows) in weights.iter().zip(&self.jacobians) {
                let along: Vec<f64> = rows.iter().map(|row| inner(row, direction)).collect();
                let length = inner(&along, &along).sqrt();
                let turn = if length > 0.0 { -weight.signum() / length } else { 0.0 };
                let unit: Vec<f64> = along.iter().map(|x| x * turn).collect();
                for (row, b) in rows.iter().zip(&unit) {
                    at.iter_mut().zip(row).for_each(|(sum, slope)| *sum += weight * b * slope);
                }
                units.push(unit);
            }
            ScaledMember { piece: *piece, units, at }
        };
        let lowest = |a: &ScaledMember, b: &ScaledMember| inner(direction, &a.at).total_cmp(&inner(direction, &b.at));
        self.pieces.iter().map(member).min_by(lowest)
    }

    /// Returns the normal of the plane for the nearest point. `None` if a number is no float.
    fn normal_of(&self, nearest: &[f64]) -> Option<Vec<Rational>> {
        nearest.iter().zip(&self.scale).map(|(x, scale)| Some(Rational::from_f64(*x)? * scale)).collect()
    }
}

/// The point of a convex set that is nearest to 0: approximately, a mean of members.
#[derive(Debug, Default)]
struct NearestPoint {
    nearest: Vec<f64>,
    members: Vec<ScaledMember>,
    weights: Vec<f64>,
}

/// The most steps of the search for the nearest point for each coordinate, and beside that. A choice.
const STEPS: [usize; 2] = [4, 64];
/// The most members of which the nearest point is a mean. A choice: each step costs the cube of it.
const MOST_MEMBERS: usize = 128;
/// The most members whose weights are computed exactly. A choice.
const MOST_EXACT_MEMBERS: usize = 16;
/// A length, where 1 is what is allowed, below which the nearest point is 0. A choice.
const NEAR: f64 = 1e-3;

impl NearestPoint {
    /// Returns weights ≥ 0 whose sum is 1: those of the point nearest to 0, if they are positive, or those that were found.
    fn exact_weights(&self) -> Option<Vec<Rational>> {
        let exact = (self.members.len() <= MOST_EXACT_MEMBERS).then(|| {
            let rational = |member: &ScaledMember| member.at.iter().map(|x| Rational::from_f64(*x)).collect();
            let points = self.members.iter().map(rational).collect::<Option<Vec<Vec<Rational>>>>()?;
            affine_weights(&points, &Rational::new())
        });
        let found = exact.flatten().filter(|weights| weights.iter().all(|weight| *weight >= 0));
        let weights = match found {
            Some(weights) => weights,
            None => self.weights.iter().map(|x| Rational::from_f64(x.max(0.0))).collect::<Option<Vec<_>>>()?,
        };
        let sum: Rational = weights.iter().sum();
        (sum > 0).then(|| weights.into_iter().map(|weight| weight / &sum).collect())
    }
}

/// A number in which linear equations are solved.
trait Field: Clone {
    fn from_whole(n: i32) -> Self;
    fn plus_product(&mut self, a: &Self, b: &Self);
    fn divided_by(&self, other: &Self) -> Self;
    fn size(&self) -> f64;
}

impl Field for f64 {
    fn from_whole(n: i32) -> Self {
        f64::from(n)
    }
    fn plus_product(&mut self, a: &Self, b: &Self) {
        *self += a * b;
    }
    fn divided_by(&self, other: &Self) -> Self {
        self / other
    }
    fn size(&self) -> f64 {
        self.abs()
    }
}

impl Field for Rational {
    fn from_whole(n: i32) -> Self {
        Rational::from(n)
    }
    fn plus_product(&mut self, a: &Self, b: &Self) {
        *self += Rational::from(a * b);
    }
    fn divided_by(&self, other: &Self) -> Self {
        Rational::from(self / other)
    }
    fn size(&self) -> f64 {
        self.clone().abs().to_f64()
    }
}

/// Returns the weights, with the sum 1, of the point nearest to 0 in the plane through some points. `None` if they are not
/// affinely independent, as far as a pivot above `least` shows.
///
/// They solve (G + ssᵗ)u = s, scaled to the sum 1, where G has the inner products of the points and s the size of the greatest.
fn affine_weights<F: Field>(points: &[Vec<F>], least: &F) -> Option<Vec<F>> {
    let count = points.len();
    let product = |a: &[F], b: &[F]| {
        let mut sum = F::from_whole(0);
        a.iter().zip(b).for_each(|(x, y)| sum.plus_product(x, y));
        sum
    };
    let mut rows: Vec<Vec<F>> =
        points.iter().map(|a| points.iter().map(|b| product(a, b)).collect::<Vec<_>>()).collect();
    let one = F::from_whole(1);
    let largest = (0..count).map(|i| rows[i][i].clone()).max_by(|a, b| a.size().total_cmp(&b.size()))?;
    let shift = if largest.size() > 0.0 { largest } else { one.clone() };
    for row in &mut rows {
        row.iter_mut().for_each(|entry| entry.plus_product(&shift, &one));
        row.push(shift.clone());
    }
    for step in 0..count {
        let pivot = (step..count).max_by(|i, j| rows[*i][step].size().total_cmp(&rows[*j][step].size()))?;
        rows.swap(step, pivot);
        if rows[step][step].size() <= least.size() * shift.size() {
            return None;
        }
        let pivot_row = rows[step].clone();
        for (_, row) in rows.iter_mut().enumerate().filter(|(i, _)| *i != step) {
            let factor = row[step].divided_by(&pivot_row[step]);
            let minus = F::from_whole(-1);
            let mut turned = F::from_whole(0);
            turned.plus_product(&factor, &minus);
            row.iter_mut().zip(&pivot_row).for_each(|(entry, p)| entry.plus_product(p, &turned));
        }
    }
    let found: Vec<_> = rows.iter().enumerate().map(|(i, row)| row[count].divided_by(&row[i])).collect();
    let mut sum = F::from_whole(0);
    found.iter().for_each(|u| sum.plus_product(u, &one));
    (sum.size() > 0.0).then(|| found.iter().map(|u| u.divided_by(&sum)).collect())
}

/// Finds the point of a convex set that is nearest to 0. The set is given by its lowest member in each direction.
///
/// P. Wolfe, Finding the nearest point in a polytope, Mathematical Programming 11 (1976). Nothing rests on the result: what it
/// suggests is proved by rational numbers. So it may end early, as when the budget is exhausted.
fn nearest_point(
    count: usize,
    lowest_member: &dyn Fn(&[f64]) -> Option<ScaledMember>,
    budget: &Budget,
) -> NearestPoint {
    let mut found = NearestPoint::default();
    let Some(first) = lowest_member(&vec![0.0; count]) else { return found };
    let first = lowest_member(&first.at).unwrap_or(first);
    (found.nearest, found.members, found.weights) = (first.at.clone(), vec![first], vec![1.0]);
    for _ in 0..STEPS[0] * count + STEPS[1] {
        // the products of members, and the elimination with them
        let members = found.members.len() as u64 + 1;
        if !budget.spend((members * members * (members + count as u64)) >> 3) {
            break;
        }
        let length = inner(&found.nearest, &found.nearest);
        let is_near = found.nearest.iter().all(|x| x.abs() <= NEAR);
        let Some(next) = lowest_member(&found.nearest) else { break };
        // all members lie beyond the plane through the nearest point
        let is_lowest = length - inner(&found.nearest, &next.at) <= 1e-9 * length;
        if is_near || is_lowest || found.members.contains(&next) || found.members.len() == MOST_MEMBERS {
            break;
        }
        found.members.push(next);
        found.weights.push(0.0);
        if !reduce_members(&mut found) {
            break;
        }
        let mean = |place: usize| found.members.iter().zip(&found.weights).map(|(m, w)| w * m.at[place]).sum();
        found.nearest = (0..count).map(mean).collect();
        if inner(&found.nearest, &found.nearest) >= length {
            break;
        }
    }
    found
}

/// Moves the weights to those of the nearest point in the plane of the members, and leaves out members whose weight gets 0. Returns
/// `false` if the members are not independent.
fn reduce_members(found: &mut NearestPoint) -> bool {
    loop {
        let points: Vec<_> = found.members.iter().map(|member| member.at.clone()).collect();
        let Some(goal) = affine_weights(&points, &1e-13) else {
            found.members.pop();
            found.weights.pop();
            return false;
        };
        if goal.iter().all(|weight| *weight > 0.0) {
            found.weights = goal;
            return true;
        }
        let reach = found.weights.iter().zip(&goal).filter(|(_, to)| **to <= 0.0);
        let part = reach.map(|(from, to)| from / (from - to)).fold(1.0, f64::min).max(0.0);
        found.weights.iter_mut().zip(&goal).for_each(|(from, to)| *from += part * (to - *from));
        let least = found.weights.iter().copied().fold(f64::INFINITY, f64::min);
        let kept: Vec<bool> = found.weights.iter().map(|weight| *weight > least.max(1e-15)).collect();
        if kept.iter().all(|kept| *kept) || kept.iter().all(|kept| !*kept) {
            return false;
        }
        let mut of_member = kept.iter();
        found.members.retain(|_| *of_member.next().unwrap_or(&true));
        let mut of_weight = kept.iter();
        found.weights.retain(|_| *of_weight.next().unwrap_or(&true));
    }
}
