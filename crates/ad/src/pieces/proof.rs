//! Whether an analytic set has points: proven, or not known.
//!
//! | by | what is proven |
//! |---|---|
//! | the signs of maps that are multiples of each other | that answers contradict each other |
//! | on the line, [roots](super::line) | either, where guards are quotients of polynomials, or the set is bounded |
//! | boxes that are cut in two as long as it takes, with enclosures of all maps | that there is none |
//! | points, of which many lie where guards are 0 | that there is one |
//!
//! Maps are taken to have values, and to be analytic, wherever answers are asked: that they are is a question of the same kind, whether the set
//! where one of their [needs](super::analytic) is not met has points.

mod range;

use super::fraction::Normaliser;
use super::function::holds_at;
use super::guard::Decided;
use super::line::{Region, Stretch};
use super::univariate::Roots;
use crate::number::Rational;
use crate::number::budget::Budget;
use crate::random::Random;
use crate::smooth::graph::{Graph, Variable};
use crate::smooth::reverse::without_derivatives;
use range::{Facts, Side, right};
use std::cmp::Ordering;
use std::fmt;

/// What is known of the points at which answers are right.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Points {
    /// There is none.
    None,
    /// This is one.
    At(Vec<Rational>),
    /// There are some, and they are not rational: where.
    Near(Region),
    /// Nothing.
    Unknown,
}

/// What a proof may cost.
const WORK: u64 = 4_000_000;
/// How many boxes are looked at.
const MOST_BOXES: usize = 4_000;
/// How many points are tried.
const MOST_POINTS: usize = 300;
/// What part of a line is not told from a point: 2 to the negative of this.
const FINEST: u32 = 44;
/// Boxes are between the negative of 2 to this and that, or go on to infinity…
const FARTHEST: u32 = 64;
/// …and no narrower than 2 to the negative of this.
const NARROWEST: u32 = 24;
/// As far from 0 roots of guards are looked for.
const REACH: i64 = 16;

/// Looks for a point at which all these answers, over these variables, are right.
#[must_use]
pub fn points(answers: &[Decided], variables: &[Variable]) -> Points {
    let budget = Budget::new(WORK, None, None);
    let graphs: Vec<Graph> = answers.iter().map(|decided| decided.guard.graph.clone()).collect();
    let facts = Facts::of(answers, &without_derivatives(&graphs));
    if facts.contradict {
        return Points::None;
    }
    let sides: Vec<Side> = variables.iter().map(|v| side(answers, *v)).collect();
    if let ([v], [side]) = (variables, &sides[..])
        && let Some(found) = on_line(answers, *v, side, &budget)
    {
        return found;
    }
    if has_none(&facts, variables, sides) {
        return Points::None;
    }
    let (mut random, bind) = (Random::new(1), |point: &[Rational]| -> Vec<(Variable, Graph)> {
        variables.iter().copied().zip(point.iter().cloned().map(Graph::rational)).collect()
    });
    for _ in 0..MOST_POINTS {
        let point = candidate(&graphs, variables, &mut random);
        if holds_at(answers, &bind(&point), &budget) == Some(true) {
            return Points::At(point);
        }
    }
    Points::Unknown
}

/// A random point; more often than not one where maps are 0, along a coordinate.
pub fn candidate(graphs: &[Graph], variables: &[Variable], random: &mut Random) -> Vec<Rational> {
    let mut point: Vec<_> = variables.iter().map(|_| rational(random)).collect();
    for (axis, v) in variables.iter().enumerate() {
        let along: Vec<_> = graphs.iter().filter(|graph| graph.depends_on(*v)).collect();
        if along.is_empty() || random.chance(30) {
            continue;
        }
        let graph = *random.pick(&along);
        let all = variables.iter().copied().zip(point.iter().cloned().map(Graph::rational));
        let others: Vec<_> = all.filter(|(w, _)| w != v).collect();
        if let Some([over, _]) = Normaliser::default().quotient(&graph.substitute(&others), *v)
            && over.degree() > 0
        {
            let finest = Rational::from((1, 1000));
            let roots = Roots::of(&over).between(&Rational::from(-REACH), &Rational::from(REACH), &finest);
            let exact: Vec<_> = roots.into_iter().filter(|[lo, hi]| lo == hi).map(|[x, _]| x).collect();
            if !exact.is_empty() {
                point[axis].clone_from(random.pick(&exact));
            }
        }
    }
    point
}

fn rational(random: &mut Random) -> Rational {
    let denominator = 1 + random.below(3) as i64;
    Rational::from((random.below(8 * denominator as usize + 1) as i64 - 4 * denominator, denominator))
}

/// Between which numbers a coordinate lies, by the guards that are affine in it alone.
fn side(answers: &[Decided], v: Variable) -> Side {
    let mut forms = Normaliser::default();
    let [mut least, mut most]: Side = [None, None];
    for decided in answers {
        let Some([b, a]) =
            forms.polynomial(&decided.guard.graph, v).and_then(|all| <[Rational; 2]>::try_from(all).ok())
        else {
            continue;
        };
        let root = -Rational::from(&b / &a);
        let (rising, signs) = (a > 0, right(decided));
        let is_never = |sign: Ordering| signs & range::bit(sign) == 0;
        let (left, above) = match rising {
            true => (Ordering::Less, Ordering::Greater),
            false => (Ordering::Greater, Ordering::Less),
        };
        if is_never(left) && least.as_ref().is_none_or(|least| *least < root) {
            least = Some(root.clone());
        }
        if is_never(above) && most.as_ref().is_none_or(|most| *most > root) {
            most = Some(root);
        }
    }
    [least, most]
}

/// By the places where guards are 0; nothing where they are not all known.
fn on_line(answers: &[Decided], v: Variable, [from, to]: &Side, budget: &Budget) -> Option<Points> {
    let mut forms = Normaliser::default();
    let quotients: Option<Vec<_>> = answers.iter().map(|decided| forms.quotient(&decided.guard.graph, v)).collect();
    let (from, to) = match (from, to) {
        (Some(from), Some(to)) => (from.clone(), to.clone()),
        // beyond all roots and poles nothing changes
        (from, to) => {
            let polynomials = quotients?.into_iter().flatten();
            let reach = polynomials.map(|p| p.reach()).max().unwrap_or_default() + 1u32;
            let left =
                from.clone().unwrap_or_else(|| Rational::from(-&reach).min(to.clone().unwrap_or_default()) - 1u32);
            let right = to.clone().unwrap_or_else(|| reach.max(left.clone()) + 1u32);
            (left, right)
        }
    };
    if from > to {
        return Some(Points::None);
    }
    let finest = (Rational::from(&to - &from) >> FINEST).max(Rational::from(1) >> (2 * FINEST));
    let mut region = Region(vec![Stretch::between(&from, &to)]);
    let mut is_known = true;
    for decided in answers {
        let [holds, fails, open] = region.split(v, &decided.guard, &mut forms, &finest, budget);
        is_known &= open.is_empty();
        region = if decided.holds { holds } else { fails };
        region.0.extend(open.0);
        region.0.sort_by_key(|stretch| (stretch.left.lo.clone(), stretch.right.hi.clone()));
    }
    match (region.is_empty(), is_known) {
        (true, _) => Some(Points::None),
        (false, true) => Some(match region.0.iter().find_map(Stretch::inside) {
            Some(point) => Points::At(vec![point]),
            None => Points::Near(region),
        }),
        (false, false) => None,
    }
}

/// Whether in each of some boxes that make up the space an answer is wrong.
fn has_none(facts: &Facts, variables: &[Variable], whole: Vec<Side>) -> bool {
    let mut pending = vec![whole];
    for _ in 0..MOST_BOXES {
        let Some(sides) = pending.pop() else { return true };
        if facts.exclude(variables, &sides) {
            continue;
        }
        let Some(halves) = halved(&sides) else { return false };
        pending.extend(halves);
    }
    pending.is_empty()
}

/// The halves of a box along its widest side; nothing of what is very narrow, or very far.
fn halved(sides: &[Side]) -> Option<[Vec<Side>; 2]> {
    let width = |[a, b]: &Side| Some(Rational::from(b.as_ref()? - a.as_ref()?));
    let (axis, widest) = sides.iter().enumerate().max_by(|(_, x), (_, y)| match (width(x), width(y)) {
        (None, None) => Ordering::Equal,
        (None, _) => Ordering::Greater,
        (_, None) => Ordering::Less,
        (Some(x), Some(y)) => x.cmp(&y),
    })?;
    let (narrowest, farthest) = (Rational::from(1) >> NARROWEST, Rational::from(1) << FARTHEST);
    let cut = match widest {
        [None, None] => Rational::new(),
        [Some(a), None] if *a < 0 => Rational::new(),
        [None, Some(b)] if *b > 0 => Rational::new(),
        [Some(a), None] => Rational::from(a * 2u32) + 1u32,
        [None, Some(b)] => Rational::from(b * 2u32) - 1u32,
        [Some(a), Some(b)] => Rational::from(a + b) / 2u32,
    };
    if width(widest).is_some_and(|width| width < narrowest) || cut.clone().abs() > farthest {
        return None;
    }
    let half = |side: Side| {
        let mut half = sides.to_vec();
        half[axis] = side;
        half
    };
    let [a, b] = widest;
    Some([half([a.clone(), Some(cut.clone())]), half([Some(cut), b.clone()])])
}

impl fmt::Display for Points {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::None => f.write_str("nowhere"),
            Self::At(point) => {
                let shown: Vec<_> = point.iter().map(Rational::to_string).collect();
                write!(f, "({})", shown.join(", "))
            }
            Self::Near(region) => region.fmt(f),
            Self::Unknown => f.write_str("a place that is not known"),
        }
    }
}
