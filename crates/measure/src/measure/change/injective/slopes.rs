//! Tests of the slopes of maps on a box: monotone, triangular, or nowhere singular.

use crate::function::Function;
use crate::measure::distribution::{add, negate, subtract};
use crate::measure::range::{PRECISION_BITS, enclose_range};
use crate::measure::support::determinant;
use crate::number::budget::Budget;
use crate::number::context::Context;
use crate::number::{Enclosure, Mpfr, Rational};
use crate::pieces::analytic::analyticity_conditions;
use crate::pieces::fraction::RationalNormalForm;
use crate::pieces::{GuardCondition, SignTest};
use crate::smooth::graph::{Binary, Graph, NodeOperation, Unary, Variable};
use rustc_hash::FxHashSet;
use std::cmp::Ordering;

/// Returns `true` if a map of one variable, which is not constant, is certainly strictly monotone.
pub(super) fn is_monotone(map: &Graph, slope: &Graph, hull: &[(Variable, Enclosure)], budget: &Budget) -> bool {
    if strict_sign(slope, hull, budget).is_some() {
        return true;
    }
    let found = enclose_range(slope, hull, budget);
    // The zeros of an analytic slope are isolated, unless it is 0 everywhere. So one weak sign is enough.
    let has_one_sign = found.is_defined() && (*found.lo() >= 0 || *found.hi() <= 0);
    has_one_sign && is_analytic(map, hull, budget)
}

/// Returns `true` if a map is certainly analytic on these intervals.
pub(super) fn is_analytic(map: &Graph, hull: &[(Variable, Enclosure)], budget: &Budget) -> bool {
    let holds = |decided: &GuardCondition| {
        let found = enclose_range(&decided.guard.graph, hull, budget);
        found.is_defined()
            && match (decided.guard.test, decided.holds) {
                (SignTest::Positive, true) => *found.lo() > 0,
                (SignTest::Zero, false) => *found.lo() > 0 || *found.hi() < 0,
                _ => false,
            }
    };
    analyticity_conditions(map, &FxHashSet::default())
        .is_ok_and(|all| all.iter().all(|need| need.any.iter().any(holds)))
}

/// Returns the strict sign of a map on a box; `None` if it is not certain.
fn strict_sign(map: &Graph, hull: &[(Variable, Enclosure)], budget: &Budget) -> Option<Ordering> {
    let found = enclose_range(map, hull, budget);
    match () {
        () if !found.is_defined() => None,
        () if *found.lo() > 0 || is_positive(map, hull, budget) => Some(Ordering::Greater),
        () if *found.hi() < 0 => Some(Ordering::Less),
        () => match map.operation() {
            NodeOperation::Unary(Unary::Negate, a) => strict_sign(a, hull, budget).map(Ordering::reverse),
            NodeOperation::Binary(Binary::Multiply | Binary::Divide, a, b) => {
                let (a, b) = (strict_sign(a, hull, budget)?, strict_sign(b, hull, budget)?);
                Some(if a == b { Ordering::Greater } else { Ordering::Less })
            }
            _ => None,
        },
    }
}

/// Returns `true` if a map is positive by its form, wherever it is defined.
fn is_positive(map: &Graph, hull: &[(Variable, Enclosure)], budget: &Budget) -> bool {
    let of = |a: &Graph| crate::stack::with_stack(|| is_positive(a, hull, budget));
    match map.operation() {
        NodeOperation::Rational(q) => **q > 0,
        NodeOperation::Pi | NodeOperation::Euler | NodeOperation::Unary(Unary::Function(Function::Exp), _) => true,
        NodeOperation::Power(a, _) => of(a),
        NodeOperation::Binary(Binary::Multiply | Binary::Divide, a, b) => of(a) && of(b),
        NodeOperation::Binary(Binary::Add, a, b) => {
            let is_never_negative = |g: &Graph| *enclose_range(g, hull, budget).lo() >= 0;
            of(a) && (of(b) || is_never_negative(b)) || of(b) && is_never_negative(a)
        }
        // Interval arithmetic decides the rest; forms are tried first, as e^x has the range (0, ∞) with 0 as closed end.
        _ => *enclose_range(map, hull, budget).lo() > 0,
    }
}

/// Returns `true` if the slopes are triangular, after a permutation of rows and columns, with strict signs on the diagonal.
///
/// Each chosen row has a strict slope in one new variable, and the slope 0 in all variables that are not chosen yet.
pub(super) fn is_triangular(slopes: &[Vec<Graph>], hull: &[(Variable, Enclosure)], budget: &Budget) -> bool {
    let mut forms = RationalNormalForm::default();
    let mut is_zero = |g: &Graph| forms.normal_form(g).is_some_and(|fraction| fraction.is_zero());
    let zeros: Vec<Vec<bool>> = slopes.iter().map(|row| row.iter().map(&mut is_zero).collect()).collect();
    let n = slopes.first().map_or(0, Vec::len);
    let mut done = vec![false; n];
    // Greedy choice is enough: an available row stays so until its column is done.
    while let Some((row, column)) = zeros.iter().enumerate().find_map(|(row, zeros)| {
        let mut open = (0..n).filter(|j| !done[*j] && !zeros[*j]);
        match (open.next(), open.next()) {
            (Some(j), None) if strict_sign(&slopes[row][j], hull, budget).is_some() => Some((row, j)),
            _ => None,
        }
    }) {
        let _ = row;
        done[column] = true;
    }
    done.into_iter().all(|done| done)
}

/// Returns `true` if, for some `n` adjacent rows of the `m × n` slopes, no matrix with entries in their ranges is singular.
///
/// By the mean value theorem, a difference of values is such a matrix times the difference of the arguments.
pub(super) fn is_regular(slopes: &[Vec<Graph>], hull: &[(Variable, Enclosure)], budget: &Budget) -> bool {
    let n = slopes.first().map_or(0, Vec::len);
    let variables: Vec<Vec<Graph>> =
        (0..n).map(|_| (0..n).map(|_| Graph::variable(Variable::fresh())).collect()).collect();
    let form = determinant(&variables);
    let context = Mpfr::new(PRECISION_BITS);
    let ranges: Vec<Vec<Enclosure>> =
        slopes.iter().map(|row| row.iter().map(|slope| enclose_range(slope, hull, budget)).collect()).collect();
    let starts = 0..=slopes.len().saturating_sub(n);
    let mut rows = starts.map(|start| &ranges[start..start + n]);
    rows.any(|rows| {
        // Entries that are 0 are substituted: 0 times an unbounded range would be the whole line.
        let within: Vec<(Variable, Enclosure)> = variables
            .iter()
            .flatten()
            .zip(rows.iter().flatten())
            .filter_map(|(g, range)| match g.operation() {
                NodeOperation::Variable(v) => Some((*v, range.clone())),
                _ => None,
            })
            .collect();
        let zeros: Vec<(Variable, Graph)> = within
            .iter()
            .filter(|(_, range)| range.is_point() && range.contains(&Rational::new()))
            .map(|(v, _)| (*v, Graph::integer(0)))
            .collect();
        let is_defined = within.iter().all(|(_, range)| range.is_defined());
        let found = enclose_range(&drop_zero_products(&form.substitute(&zeros)), &within, budget);
        let number = context.round_enclosure(&found);
        is_defined && found.is_defined() && !context.contains_zero(&number)
    })
}

/// Simplifies products with a factor 0 to 0.
fn drop_zero_products(g: &Graph) -> Graph {
    let is_zero = |g: &Graph| g.as_rational().is_some_and(|q| *q == 0);
    match g.operation() {
        NodeOperation::Binary(Binary::Multiply, a, b) => {
            let (a, b) = (drop_zero_products(a), drop_zero_products(b));
            if is_zero(&a) || is_zero(&b) { Graph::integer(0) } else { Graph::binary(Binary::Multiply, &a, &b) }
        }
        NodeOperation::Binary(Binary::Add, a, b) => add(&drop_zero_products(a), &drop_zero_products(b)),
        NodeOperation::Binary(Binary::Subtract, a, b) => subtract(&drop_zero_products(a), &drop_zero_products(b)),
        NodeOperation::Unary(Unary::Negate, a) => negate(&drop_zero_products(a)),
        _ => g.clone(),
    }
}
