//! Piecewise analytic functions, given by their pieces.
//!
//! # Sign conditions on a map
//!
//! # The sign of a number
//!
//! The sign of a number, decided as far as possible.

use super::line::{IntervalUnion, LineInterval};
use super::paving::{self, AnalyticRegion, Paving, RationalBox, SetDimension};
use super::proof::{SetPoints, find_points};
use crate::number::accuracy::PassOptions;
use crate::number::budget::Budget;
use crate::number::real::{ComputableReal, Precision};
use crate::number::{Magnitude, Rational};
use crate::smooth::graph::{Graph, Variable};
use crate::smooth::normal_form::{RationalFunction, RationalNormalForm};
use crate::undefined::{SourceId, UndefinedValue};
use std::cmp::Ordering;
use std::fmt;

/// The value of a function on a piece.
#[derive(Clone, Debug)]
pub enum PieceValue {
    /// Analytic maps, one for each coordinate of the value, defined on an open set around the piece.
    Values(Vec<Graph>),
    /// Undefined: the program has no value there. The reason.
    Undefined(UndefinedValue),
}

impl PieceValue {
    /// Returns the map of a function into ℝ. Returns `None` where there is no value, and for values of ℝᵐ, m ≠ 1.
    #[must_use]
    pub fn as_number(&self) -> Option<&Graph> {
        match self {
            Self::Values(values) => <&[Graph; 1]>::try_from(&values[..]).ok().map(|[value]| value),
            Self::Undefined(_) => None,
        }
    }

    /// Substitutes maps for variables.
    #[must_use]
    pub fn substitute(&self, bindings: &[(Variable, Graph)]) -> Self {
        match self {
            Self::Values(values) => Self::Values(values.iter().map(|value| value.substitute(bindings)).collect()),
            Self::Undefined(found) => Self::Undefined(found.clone()),
        }
    }
}

/// A set that contains a part of the domain of a function.
#[derive(Clone, Debug)]
pub enum PartExtent {
    /// On a line: exactly these intervals.
    Line(IntervalUnion),
    /// In a box of ℝⁿ: within these boxes.
    Boxes(Paving),
    /// Somewhere in ℝⁿ.
    Anywhere,
}

/// The fineness and the limits of a division of parts by guards.
#[derive(Clone, Copy, Debug)]
pub struct SplitLimits<'a> {
    /// The smallest width of an undecided interval that is split further.
    pub finest: &'a Rational,
    /// The budget.
    pub budget: &'a Budget,
}

impl PartExtent {
    /// Splits the part in three: where a guard may hold, where it may fail, and where this is undecided and the part is not
    /// followed. The first two are disjoint on a line, and sets that boxes cover are cut further by the guard itself.
    #[must_use]
    pub fn split_by_guard(
        &self,
        variables: &[Variable],
        guard: &SignGuard,
        forms: &mut RationalNormalForm,
        limits: SplitLimits<'_>,
    ) -> [Self; 3] {
        let nothing = || Self::Line(IntervalUnion::default());
        match (self, variables) {
            (Self::Line(region), [v]) => {
                region.split_by_guard(*v, guard, forms, limits.finest, limits.budget).map(Self::Line)
            }
            (Self::Boxes(cover), _) => {
                let [holds, fails] = cover.split_by_guard(variables, guard, limits.budget).map(Self::Boxes);
                [holds, fails, nothing()]
            }
            // without an extent nothing is known to be impossible
            _ => [self.clone(), self.clone(), nothing()],
        }
    }

    /// Returns `true` if the part is known to have no points.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        match self {
            Self::Line(region) => region.is_empty(),
            Self::Boxes(cover) => cover.is_empty(),
            Self::Anywhere => false,
        }
    }

    /// Returns an upper bound of the length, or of the volume. Returns 0 if nothing is known.
    #[must_use]
    pub fn size_bound(&self) -> Rational {
        match self {
            Self::Line(region) => {
                let [_, most] = region.length_bounds();
                most
            }
            Self::Boxes(cover) => cover.volume(),
            Self::Anywhere => Rational::new(),
        }
    }

    /// Returns the intervals, for a part of a line.
    #[must_use]
    pub fn into_line(self) -> Option<IntervalUnion> {
        match self {
            Self::Line(region) => Some(region),
            _ => None,
        }
    }

    /// Returns the boxes, for a part of a box.
    #[must_use]
    pub fn as_paving(&self) -> Option<&Paving> {
        match self {
            Self::Boxes(cover) => Some(cover),
            _ => None,
        }
    }
}

/// An analytic set, with the value of a function on it: a cell of its domain.
#[derive(Clone, Debug)]
pub struct AnalyticPiece {
    /// The guard conditions that cut the set out, within the domain of the function.
    pub guards: Vec<GuardCondition>,
    /// The set as intervals, for a function of one variable.
    pub region: Option<IntervalUnion>,
    /// The value of the function on the set.
    pub outcome: PieceValue,
    /// A rational point of the set, which is certain, or what is known of its points otherwise.
    pub points: SetPoints,
    /// The dimension of the set.
    pub dimension: SetDimension,
}

impl AnalyticPiece {
    /// Creates the piece of a function whose points are not searched for.
    #[must_use]
    pub fn unexamined(guards: Vec<GuardCondition>, outcome: PieceValue, variables: usize) -> Self {
        let dimension = SetDimension { at_least: None, at_most: variables };
        Self { guards, region: None, outcome, points: SetPoints::Unknown, dimension }
    }

    /// Returns a rational point of the set. Returns `None` if none is known.
    #[must_use]
    pub fn sample(&self) -> Option<&[Rational]> {
        match &self.points {
            SetPoints::At(point) => Some(point),
            _ => None,
        }
    }
}

/// The reason why a part of the domain was not explored.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum StopReason {
    /// The limit on pieces or on paths was reached.
    Limit,
    /// The limit on steps of the program was reached, or the time was up.
    Fuel,
    /// A guard was not decided.
    Undecided,
    /// The values of the first function of a composite lie outside of the domain of the second one.
    Outside,
}

/// An unexplored part of the domain. The function may be anything there.
#[derive(Clone, Debug)]
pub struct Frontier {
    /// The guard conditions on the path to this part.
    pub guards: Vec<GuardCondition>,
    /// The part as intervals, for a function of one variable.
    pub region: Option<IntervalUnion>,
    /// An upper bound of the length, or of the volume. 0 if nothing is known, as on all of ℝⁿ.
    pub size_bound: Rational,
    /// The reason why it was not explored.
    pub reason: StopReason,
    /// The position in the program, in the caller's table: the guard that was evaluated last, or the recursion that did
    /// not end.
    pub site: SourceId,
}

/// A piecewise analytic function ℝⁿ ⇀ ℝᵐ, as far as it was explored.
#[derive(Clone, Debug)]
#[doc(alias("PAP", "PAP function"))]
pub struct PiecewiseMap {
    /// The variables of the guards and maps.
    pub variables: Vec<Variable>,
    /// The box on which the function was explored, as the bounds of each coordinate. `None` for all of ℝⁿ.
    pub domain: Option<RationalBox>,
    /// The pieces that were found. They are disjoint.
    pub pieces: Vec<AnalyticPiece>,
    /// The unexplored parts. Together with the pieces they cover the domain.
    pub frontier: Vec<Frontier>,
}

/// The piece of a function that contains a point.
#[derive(Clone, Debug)]
pub enum PointLocation<'p> {
    /// The point lies on this piece.
    Piece(&'p AnalyticPiece),
    /// The point lies on none of the pieces that were found.
    Frontier,
    /// Not decided.
    Undecided,
}

/// A part of a composite, while the conditions of the second function are pulled back to it.
#[derive(Clone)]
struct PulledPart {
    guards: Vec<GuardCondition>,
    extent: PartExtent,
}

/// The pullback of the pieces of a function along one piece of another.
struct PiecePullback<'a> {
    variables: &'a [Variable],
    /// The values of the first function, for the variables of the second one.
    along: Vec<(Variable, Graph)>,
    forms: &'a mut RationalNormalForm,
    limits: SplitLimits<'a>,
    /// The parts on which a pulled back guard is undecided.
    undecided: Vec<Frontier>,
}

impl PiecePullback<'_> {
    /// Cuts a part by a guard of the second function: returns the parts where it holds and where it fails.
    fn cut(&mut self, part: &PulledPart, guard: &SignGuard, is_condition: bool) -> [PulledPart; 2] {
        let guard = guard.preimage_under(&self.along);
        let [holds, fails, rest] = part.extent.split_by_guard(self.variables, &guard, self.forms, self.limits);
        // an undecided guard belongs to several pieces of the second function: its part is recorded once
        if !rest.is_empty() {
            let found = Frontier::new(part.guards.clone(), rest, StopReason::Undecided, guard.site);
            if self.undecided.iter().all(|known| known.region != found.region) {
                self.undecided.push(found);
            }
        }
        let side = |holds: bool, extent: PartExtent| {
            let mut guards = part.guards.clone();
            guards.push(GuardCondition { guard: guard.clone(), holds, is_condition });
            PulledPart { guards, extent }
        };
        [side(true, holds), side(false, fails)]
    }

    /// Restricts a part to where the conditions of the second function hold. Returns `None` if nothing is left.
    fn restrict(&mut self, part: &PulledPart, conditions: &[GuardCondition]) -> Option<PulledPart> {
        let mut part = part.clone();
        for decided in conditions {
            let [holds, fails] = self.cut(&part, &decided.guard, decided.is_condition);
            part = if decided.holds { holds } else { fails };
            if part.extent.is_empty() {
                return None;
            }
        }
        Some(part)
    }

    /// Restricts a part to where the values lie in the domain of the second function. What lies outside is added to
    /// `outside`. Returns `None` if nothing is left.
    fn enter_domain(
        &mut self,
        part: PulledPart,
        domain: &[[Rational; 2]],
        outside: &mut Vec<Frontier>,
    ) -> Option<PulledPart> {
        let mut part = part;
        let ends: Vec<_> = self.along.iter().map(|(v, _)| *v).zip(domain).collect();
        for (v, ends) in ends {
            // one end after the other, so that the parts outside are disjoint
            for distance in paving::distances(v, ends) {
                let guard = SignGuard::new(&distance, SignTest::NonNegative, SourceId::NOWHERE);
                let [inside, beyond] = self.cut(&part, &guard, false);
                // no condition is added where all values are inside: a piece keeps the guards of the programs alone
                if beyond.extent.is_empty() {
                    part.extent = inside.extent;
                    continue;
                }
                outside.push(Frontier::new(beyond.guards, beyond.extent, StopReason::Outside, SourceId::NOWHERE));
                if inside.extent.is_empty() {
                    return None;
                }
                part = inside;
            }
        }
        Some(part)
    }
}

impl Frontier {
    /// Creates an unexplored part.
    #[must_use]
    pub fn new(guards: Vec<GuardCondition>, extent: PartExtent, reason: StopReason, site: SourceId) -> Self {
        Self { guards, size_bound: extent.size_bound(), region: extent.into_line(), reason, site }
    }
}

impl PiecewiseMap {
    fn point_bindings(&self, point: &[Rational]) -> Vec<(Variable, Graph)> {
        self.variables.iter().copied().zip(point.iter().cloned().map(Graph::rational)).collect()
    }

    /// Creates a piece of the function: an analytic set of its domain, of which a point and the dimension are searched for.
    /// Returns `None` if the set is shown to be empty.
    #[must_use]
    pub fn examine_piece(
        &self,
        guards: Vec<GuardCondition>,
        extent: PartExtent,
        outcome: PieceValue,
        budget: &Budget,
    ) -> Option<AnalyticPiece> {
        let (points, dimension) = match &extent {
            PartExtent::Line(region) => {
                let is_thin = region.0.iter().all(LineInterval::is_point);
                // inside of an interval, if there is one
                let inside = region.0.iter().filter(|stretch| is_thin || !stretch.is_point());
                let points = inside
                    .filter_map(LineInterval::interior_rational)
                    .next()
                    .map_or_else(|| SetPoints::Near(region.clone()), |x| SetPoints::At(vec![x]));
                let dimension = usize::from(!is_thin);
                (points, SetDimension { at_least: Some(dimension), at_most: dimension })
            }
            extent => {
                let region = AnalyticRegion::new(&guards, &self.variables, self.domain.as_deref());
                let points = match extent.as_paving() {
                    Some(cover) => region.search_paving(cover, budget),
                    None => find_points(&guards, &self.variables),
                };
                let dimension = region.bound_dimension(&points, budget);
                (points, dimension)
            }
        };
        let region = extent.into_line();
        (points != SetPoints::None).then_some(AnalyticPiece { guards, region, outcome, points, dimension })
    }

    /// Returns the pieces that contain `point`, and `true` if every piece was decided. For a partition there is at most
    /// one. Outside of the domain there is none.
    #[must_use]
    pub fn pieces_at(&self, point: &[Rational], budget: &Budget) -> (Vec<&AnalyticPiece>, bool) {
        let is_outside = |(x, [from, to]): (&Rational, &[Rational; 2])| x < from || to < x;
        if point.iter().zip(self.domain.as_deref().unwrap_or_default()).any(is_outside) {
            return (Vec::new(), true);
        }
        let (bindings, mut decided) = (self.point_bindings(point), true);
        let mut contains = |piece: &&AnalyticPiece| {
            let passes = conditions_hold_at(&piece.guards, &bindings, budget);
            decided &= passes.is_some();
            passes == Some(true)
        };
        (self.pieces.iter().filter(|piece| contains(piece)).collect(), decided)
    }

    /// Returns the piece that contains `point`.
    #[must_use]
    pub fn locate_point(&self, point: &[Rational], budget: &Budget) -> PointLocation<'_> {
        match self.pieces_at(point, budget) {
            // pieces are disjoint, so an undecided one cannot contain the point as well
            (found, _) if !found.is_empty() => PointLocation::Piece(found[0]),
            (_, true) => PointLocation::Frontier,
            (_, false) => PointLocation::Undecided,
        }
    }

    /// Returns a lower and an upper bound of the length of the unexplored part. Returns `None` for functions of two or
    /// more variables.
    #[must_use]
    pub fn unexplored_length(&self) -> Option<[Rational; 2]> {
        let lengths: Option<Vec<_>> =
            self.frontier.iter().map(|part| part.region.as_ref().map(IntervalUnion::length_bounds)).collect();
        Some(
            lengths?
                .into_iter()
                .fold([Rational::new(), Rational::new()], |[least, most], [a, b]| [least + a, most + b]),
        )
    }

    /// Returns the extent of a piece: its intervals on a line, otherwise the whole domain, which its guards cut.
    fn extent_of(&self, region: Option<&IntervalUnion>) -> PartExtent {
        match (region, self.domain.as_deref()) {
            (Some(region), _) => PartExtent::Line(region.clone()),
            (None, Some(domain)) => PartExtent::Boxes(Paving::of_box(domain)),
            (None, None) => PartExtent::Anywhere,
        }
    }

    /// Composes two functions: each piece of `next` is pulled back along the maps of each piece of `self`. Values outside of
    /// the domain of `next` are on the frontier. So is what the budget does not reach. On all of ℝⁿ the pieces of the composite are not
    /// [examined](Self::examine_piece), and some may be empty. Returns `None` if `next` has another number of variables than `self` has
    /// values.
    #[must_use]
    pub fn then(&self, next: &Self, finest: &Rational, budget: &Budget) -> Option<Self> {
        let mut forms = RationalNormalForm::default();
        let limits = SplitLimits { finest, budget };
        let mut composite = Self { pieces: Vec::new(), ..self.clone() };
        for piece in &self.pieces {
            let PieceValue::Values(values) = &piece.outcome else {
                composite.pieces.push(piece.clone());
                continue;
            };
            if values.len() != next.variables.len() {
                return None;
            }
            let along: Vec<_> = next.variables.iter().copied().zip(values.iter().cloned()).collect();
            let (variables, undecided) = (&self.variables[..], Vec::new());
            let mut pullback = PiecePullback { variables, along: along.clone(), forms: &mut forms, limits, undecided };
            let mut outside = Vec::new();
            let mut whole = Some(PulledPart { guards: Vec::new(), extent: self.extent_of(piece.region.as_ref()) });
            if piece.region.is_none() {
                // the paving of a piece is not kept: its guards cut the domain again
                let own: Vec<(Variable, Graph)> = Vec::new();
                let along = std::mem::replace(&mut pullback.along, own);
                whole = whole.and_then(|whole| pullback.restrict(&whole, &piece.guards));
                pullback.along = along;
            } else if let Some(whole) = &mut whole {
                whole.guards.clone_from(&piece.guards);
            }
            // beyond its domain the second function may take other branches under the same guards
            let entered = whole.and_then(|whole| match next.domain.as_deref() {
                Some(domain) => pullback.enter_domain(whole, domain, &mut outside),
                None => Some(whole),
            });
            composite.frontier.extend(outside);
            let Some(entered) = entered else {
                composite.frontier.append(&mut pullback.undecided);
                continue;
            };
            let known = (composite.pieces.len(), composite.frontier.len(), pullback.undecided.len());
            for onto in &next.pieces {
                if budget.is_exhausted() {
                    break;
                }
                let Some(part) = pullback.restrict(&entered, &onto.guards) else { continue };
                let outcome = onto.outcome.substitute(&along);
                // a cut reads the guard at least once
                budget.spend(
                    part.guards.iter().map(|decided| Graph::all_nodes([&decided.guard.graph]).len() as u64).sum(),
                );
                composite.pieces.extend(match part.extent {
                    // on all of ℝⁿ a search for points takes long, and most composites are not asked for any
                    PartExtent::Anywhere => Some(AnalyticPiece::unexamined(part.guards, outcome, self.variables.len())),
                    extent => composite.examine_piece(part.guards, extent, outcome, budget),
                });
            }
            for part in &next.frontier {
                let Some(pulled) = pullback.restrict(&entered, &part.guards) else { continue };
                composite.frontier.push(Frontier::new(pulled.guards, pulled.extent, part.reason, part.site));
            }
            // what the budget does not reach is unexplored as a whole, without the pieces that were found of it
            if budget.was_exhausted() {
                composite.pieces.truncate(known.0);
                composite.frontier.truncate(known.1);
                pullback.undecided.truncate(known.2);
                composite.frontier.push(Frontier::new(
                    entered.guards,
                    entered.extent,
                    StopReason::Fuel,
                    SourceId::NOWHERE,
                ));
            }
            composite.frontier.append(&mut pullback.undecided);
        }
        Some(composite)
    }
}

/// Returns `true` if all conditions hold at a point, `false` if one fails. Returns `None` if one is undecided and none
/// fails.
#[must_use]
pub fn conditions_hold_at(guards: &[GuardCondition], bindings: &[(Variable, Graph)], budget: &Budget) -> Option<bool> {
    let mut all = Some(true);
    for GuardCondition { guard, holds, .. } in guards {
        match decide_sign(&guard.graph.substitute(bindings), budget) {
            Ok(sign) if guard.test.is_satisfied_by(sign) != *holds => return Some(false),
            Ok(_) => {}
            Err(_) => all = None,
        }
    }
    all
}

/// A condition on the sign of a number.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum SignTest {
    /// g > 0
    Positive,
    /// g ≥ 0
    NonNegative,
    /// g = 0
    Zero,
}

impl SignTest {
    /// Returns `true` if a number of this sign satisfies the condition.
    #[must_use]
    pub fn is_satisfied_by(self, sign: Ordering) -> bool {
        match self {
            Self::Positive => sign == Ordering::Greater,
            Self::NonNegative => sign != Ordering::Less,
            Self::Zero => sign == Ordering::Equal,
        }
    }
}

/// A condition on an analytic map: it is positive, nonnegative, or 0. The zero set belongs to one of the two sides.
#[derive(Clone, Debug)]
pub struct SignGuard {
    /// The map.
    pub graph: Graph,
    /// The condition on its value.
    pub test: SignTest,
    /// The position in the source, in the caller's table.
    pub site: SourceId,
}

impl SignGuard {
    /// Creates the condition `test` on `graph`.
    #[must_use]
    pub fn new(graph: &Graph, test: SignTest, site: SourceId) -> Self {
        Self { graph: graph.clone(), test, site }
    }

    /// Creates a condition on the difference x - y, without a node for a side that is 0.
    #[must_use]
    pub fn of_difference(x: &Graph, y: &Graph, test: SignTest, site: SourceId) -> Self {
        // the common guard `x > 0` stays x, without a subtraction
        Self { graph: x - y, test, site }
    }

    /// Returns the preimage: the condition with other maps substituted for variables.
    #[must_use]
    pub fn preimage_under(&self, bindings: &[(Variable, Graph)]) -> Self {
        Self { graph: self.graph.substitute(bindings), ..self.clone() }
    }
}

/// A guard with the side that was taken: an analytic set.
#[derive(Clone, Debug)]
pub struct GuardCondition {
    /// The guard.
    pub guard: SignGuard,
    /// `true` if the set is where the guard holds, `false` if where it fails.
    pub holds: bool,
    /// `true` if the guard is the domain condition of an operation, and not a branch of the program.
    pub is_condition: bool,
}

impl GuardCondition {
    /// Returns `false` for g = 0, a set without interior unless g is 0 everywhere. The other sets are open, or closed
    /// with an interior in general.
    #[must_use]
    pub fn is_open_or_closed(&self) -> bool {
        self.guard.test != SignTest::Zero || !self.holds
    }

    /// Returns the comparison with 0 as the language writes it: `>` for `g > 0`.
    #[must_use]
    pub fn comparison_symbol(&self) -> &'static str {
        match (self.guard.test, self.holds) {
            (SignTest::Positive, true) => ">",
            (SignTest::Positive, false) => "<=",
            (SignTest::NonNegative, true) => ">=",
            (SignTest::NonNegative, false) => "<",
            (SignTest::Zero, true) => "==",
            (SignTest::Zero, false) => "/=",
        }
    }
}

impl fmt::Display for SignTest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Self::Positive => "> 0",
            Self::NonNegative => ">= 0",
            Self::Zero => "== 0",
        })
    }
}

/// The precisions, in bits, of the enclosures after normal forms did not decide. A choice: each takes four times as
/// many bits.
const PRECISIONS: [u32; 3] = [128, 512, 2048];

/// Returns the sign of a closed graph: by an enclosure, then exactly by its [normal form](crate::smooth::normal_form), then by
/// narrower enclosures. A returned sign is certain.
///
/// # Errors
/// `Err(Some(e))` if the number is certainly at most 2^e in absolute value, but undecided. `Err(None)` if no enclosure
/// is known, as outside a domain.
pub fn decide_sign(g: &Graph, budget: &Budget) -> Result<Ordering, Option<i64>> {
    let of = |q: &Rational| q.cmp0();
    if let Some(q) = g.as_rational() {
        return Ok(of(q));
    }
    let Ok(evaluation) = g.compile_evaluation() else { return Err(None) };
    let at = |tier: Precision| -> Result<Ordering, Option<i64>> {
        let effort = PassOptions::new(Magnitude::power_of_two(-i64::from(tier.bits())), budget);
        let found = evaluation.enclose_in_pass(tier, &effort).ok().filter(|found| found.is_defined()).ok_or(None)?;
        match (*found.lo() > 0, *found.hi() < 0, found.is_point()) {
            (true, ..) => Ok(Ordering::Greater),
            (_, true, _) => Ok(Ordering::Less),
            (_, _, true) => Ok(Ordering::Equal),
            // the enclosure contains 0: its larger end bounds the absolute value
            _ => Err(found.lo().clone().abs().max(&found.hi().clone().abs()).get_exp().map(i64::from)),
        }
    };
    let mut agreement = match at(Precision::Double) {
        Ok(sign) => return Ok(sign),
        Err(found) => found,
    };
    let fraction = RationalNormalForm::default().normal_form(g);
    if let Some(q) = fraction.as_ref().and_then(RationalFunction::as_rational) {
        return Ok(of(&q));
    }
    let is_zero = fraction.is_some_and(|fraction| fraction.is_zero());
    for bits in PRECISIONS {
        // equal to 0 wherever it has a value; `agreement` shows that it has one
        if is_zero && agreement.is_some() {
            return Ok(Ordering::Equal);
        }
        if budget.is_exhausted() {
            break;
        }
        match at(Precision::Mpfr(bits)) {
            Ok(sign) => return Ok(sign),
            Err(found) => agreement = found.or(agreement),
        }
    }
    Err(agreement)
}
