//! Inversion of maps by formulas: all x with f(x) = c, as maps of the other variables.
//!
//! A formula is a list of *branches*. For each point of the other variables, up to a null set, the solutions are the values of
//! the branches whose conditions hold there, and there are no others. So a list is a proof that nothing is missing.
//!
//! | map | solutions |
//! |---|---|
//! | a composite | those of the outer map, each inverted by the inner one |
//! | a quotient of polynomials of degree 2 in one map t of x | the roots of a polynomial in t, each inverted by t |
//! | a function of the [table](crate::function) with an inverse there | one, or two for an even function |
//! | sin, cos, tan | one family for each branch of the inverse, at those periods that the range of the angle allows |
//!
//! A number at which the shape of the list changes is no ordinary one. Where branches meet the slope of the map is 0, and the
//! list is that of the meeting point. Where a solution escapes to the border of a domain, or to infinity, the answer is
//! [`InversionError::Border`].

use super::injective::is_analytic;
use crate::function::{Domain, DomainEnd, Function, Monotonicity};
use crate::measure::range::{enclose_range, strict_sign_on_box};
use crate::number::budget::Budget;
use crate::number::{Enclosure, Rational};
use crate::pieces::function::decide_sign;
use crate::smooth::graph::{Binary, Graph, NodeOperation, RationalExponent, Unary, Variable};
use crate::smooth::normal_form::RationalNormalForm;
use std::cmp::Ordering;

/// The greatest number of branches of one map. A choice: a sine over a long range has many.
const MAX_BRANCHES: usize = 64;
/// The greatest number of maps of x that are tried as the unknown of a polynomial. A choice.
const MAX_UNKNOWNS: usize = 8;

/// A solution of an equation, as a map of other variables.
#[derive(Clone, Debug)]
pub struct SolutionBranch {
    /// The solution.
    pub value: Graph,
    /// The maps that are all positive exactly where the value is a solution.
    pub conditions: Vec<Graph>,
}

/// The reason why there is no list of branches.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum InversionError {
    /// The map has no inverse by formulas.
    NoFormula,
    /// There are infinitely many branches.
    Countable,
    /// A solution lies at the border of a domain, or at infinity.
    Border,
    /// A sign is undecided.
    Undecided,
}

/// A box in which equations are solved.
#[derive(Debug)]
pub struct Inversion<'a> {
    /// The ranges of all variables.
    pub hull: &'a [(Variable, Enclosure)],
    /// `true` if solutions may be missing at a null set of the other variables, over which is integrated. Otherwise none is.
    pub ignores_null_sets: bool,
    /// The limits on time and memory.
    pub budget: &'a Budget,
}

type Branches = Result<Vec<SolutionBranch>, InversionError>;

/// A quotient of polynomials in one unknown, by their coefficients.
type Fraction = [Vec<Graph>; 2];

impl Inversion<'_> {
    /// Solves `map = target` for `x`. The target does not depend on `x`.
    ///
    /// # Errors
    /// [`InversionError`] if the solutions are not known to be the values of a finite list of branches.
    pub fn solve(&self, map: &Graph, x: Variable, target: &Graph) -> Branches {
        let inner = |a: &Graph, target: Graph| self.solve(a, x, &target);
        match map.operation() {
            NodeOperation::Variable(v) if *v == x => {
                Ok(vec![SolutionBranch { value: target.clone(), conditions: Vec::new() }])
            }
            NodeOperation::Unary(Unary::Negate, a) => inner(a, -target),
            NodeOperation::Unary(Unary::Function(f), a) => self.solve_function(*f, a, x, target),
            NodeOperation::Power(a, e) => self.solve_power(a, *e, x, target),
            NodeOperation::Binary(operation, a, b) => match (operation, a.depends_on(x), b.depends_on(x)) {
                (Binary::Add, true, false) => inner(a, target - b),
                (Binary::Add, false, true) => inner(b, target - a),
                (Binary::Subtract, true, false) => inner(a, target + b),
                (Binary::Subtract, false, true) => inner(b, a - target),
                // 0·a is no other number than 0
                (Binary::Multiply, true, false) if self.is_nonzero(b) || self.is_nowhere_zero(target) => {
                    inner(a, target / b)
                }
                (Binary::Multiply, false, true) if self.is_nonzero(a) || self.is_nowhere_zero(target) => {
                    inner(b, target / a)
                }
                (Binary::Divide, true, false) => inner(a, target * b),
                (Binary::Divide, false, true) => {
                    // b would have to be infinite
                    if self.closed_sign(target)? == Some(Ordering::Equal) {
                        return Err(InversionError::Border);
                    }
                    // a/b = 0 has no solution, unless a is 0
                    match self.is_nonzero(a) {
                        true => inner(b, a / target),
                        false => Err(InversionError::NoFormula),
                    }
                }
                (Binary::Add | Binary::Subtract | Binary::Multiply | Binary::Divide, true, true) => {
                    self.solve_fraction(map, x, target)
                }
                _ => Err(InversionError::NoFormula),
            },
            _ => Err(InversionError::NoFormula),
        }
    }

    /// Returns the sign of a map without variables; `None` for a map with variables.
    fn closed_sign(&self, g: &Graph) -> Result<Option<Ordering>, InversionError> {
        if !g.free_variables().is_empty() {
            return Ok(None);
        }
        decide_sign(g, self.budget).map(Some).map_err(|_| InversionError::Undecided)
    }

    /// Returns `true` if a map is certainly not 0 anywhere in the box.
    fn is_nowhere_zero(&self, g: &Graph) -> bool {
        match self.closed_sign(g) {
            Ok(Some(sign)) => sign != Ordering::Equal,
            Ok(None) => strict_sign_on_box(g, self.hull, self.budget).is_some(),
            Err(_) => false,
        }
    }

    /// Returns `true` if a map is certainly not 0, up to a null set if these are ignored.
    fn is_nonzero(&self, g: &Graph) -> bool {
        if !self.ignores_null_sets || g.free_variables().is_empty() {
            return self.is_nowhere_zero(g);
        }
        match g.operation() {
            NodeOperation::Variable(_) => true,
            NodeOperation::Unary(Unary::Negate, a) | NodeOperation::Power(a, _) => self.is_nonzero(a),
            NodeOperation::Unary(Unary::Function(f), a) => match f {
                Function::Exp | Function::Cosh => true,
                Function::Sqrt | Function::Cbrt => self.is_nonzero(a),
                Function::Log => self.is_nonzero(&(a - 1)),
                // a strictly increasing function with f(0) = 0 has no other zero
                f if f.row().monotonicity == Monotonicity::Increasing && f.exact_value(0.0) == Some(0.0) => {
                    self.is_nonzero(a)
                }
                _ => self.is_nonzero_by_a_sample(g),
            },
            NodeOperation::Binary(Binary::Multiply, a, b) => self.is_nonzero(a) && self.is_nonzero(b),
            // the denominator is not 0 where the map has a value
            NodeOperation::Binary(Binary::Divide, a, _) => self.is_nonzero(a),
            _ => strict_sign_on_box(g, self.hull, self.budget).is_some() || self.is_nonzero_by_a_sample(g),
        }
    }

    /// Returns `true` for an analytic map that is not 0 at some point of the box: its zeros are a null set, since the box is
    /// connected.
    fn is_nonzero_by_a_sample(&self, g: &Graph) -> bool {
        // off the simple numbers, at which maps often vanish; each variable has another place
        let at = |(k, (v, range)): (usize, &(Variable, Enclosure))| {
            let part = Rational::from((37 + 11 * k as i64 % 40, 101));
            let number = match [range.lo().to_rational(), range.hi().to_rational()] {
                [Some(a), Some(b)] => &a + Rational::from(&b - &a) * part,
                [Some(a), None] => a + part,
                [None, Some(b)] => b - part,
                [None, None] => part,
            };
            (*v, Graph::rational(number))
        };
        let place: Vec<(Variable, Graph)> = self.hull.iter().enumerate().map(at).collect();
        let sign = decide_sign(&g.substitute(&place), self.budget);
        matches!(sign, Ok(Ordering::Less | Ordering::Greater)) && is_analytic(g, self.hull, self.budget)
    }

    /// Adds the condition c > 0. Returns `false` if it certainly fails.
    ///
    /// # Errors
    /// [`InversionError::Border`] if c is 0.
    fn require(&self, c: &Graph, conditions: &mut Vec<Graph>) -> Result<bool, InversionError> {
        let sign = match self.closed_sign(c)? {
            Some(Ordering::Equal) => return Err(InversionError::Border),
            Some(sign) => Some(sign),
            None => strict_sign_on_box(c, self.hull, self.budget),
        };
        if sign.is_none() {
            conditions.push(c.clone());
        }
        Ok(sign != Some(Ordering::Less))
    }

    /// Solves `a = target` for each target, where all conditions are positive.
    fn solve_each(&self, a: &Graph, x: Variable, targets: Vec<Graph>, conditions: &[Graph]) -> Branches {
        let mut found = Vec::new();
        // branches of the outer map, each with all branches of the inner one
        for target in targets {
            for mut branch in self.solve(a, x, &target)? {
                branch.conditions.extend_from_slice(conditions);
                found.push(branch);
            }
            if found.len() > MAX_BRANCHES {
                return Err(InversionError::Countable);
            }
        }
        Ok(found)
    }

    /// Solves `f(a) = c`.
    fn solve_function(&self, f: Function, a: &Graph, x: Variable, c: &Graph) -> Branches {
        use Function::{Acos, Acosh, Asin, Atan, Cbrt, Cos, Cosh, Sin, Sqrt, Tan};
        let (one, quarter) = (Graph::integer(1), Graph::pi() / Graph::integer(2));
        let of = |f: Function| Graph::function(f, c);
        // the value, and the maps that are positive on the interior of the range of f
        let (targets, needs) = match f {
            Sqrt => (vec![c.pow(&Rational::from(2))], vec![c.clone()]),
            Cbrt => (vec![c.pow(&Rational::from(3))], vec![]),
            Atan => (vec![of(Tan)], vec![&quarter - c, &quarter + c]),
            Asin => (vec![of(Sin)], vec![&quarter - c, &quarter + c]),
            Acos => (vec![of(Cos)], vec![c.clone(), Graph::pi() - c]),
            Acosh => (vec![of(Cosh)], vec![c.clone()]),
            Cosh if self.closed_sign(&(c - &one))? == Some(Ordering::Equal) => (vec![Graph::integer(0)], vec![]),
            Cosh => (vec![of(Acosh), -of(Acosh)], vec![c - &one]),
            Sin | Cos | Tan => return self.solve_periodic(f, a, x, c),
            _ => {
                let inverse = mutual_inverse(f).ok_or(InversionError::NoFormula)?;
                (vec![of(inverse)], interior_of_domain(inverse, c))
            }
        };
        let mut conditions = Vec::new();
        for need in &needs {
            if !self.require(need, &mut conditions)? {
                return Ok(Vec::new());
            }
        }
        self.solve_each(a, x, targets, &conditions)
    }

    /// Solves `f(a) = c` for a sine, a cosine or a tangent, at all periods that the range of `a` allows.
    fn solve_periodic(&self, f: Function, a: &Graph, x: Variable, c: &Graph) -> Branches {
        let mut conditions = Vec::new();
        let half = Graph::pi();
        let (bases, turns) = match f {
            Function::Tan => (vec![Graph::function(Function::Atan, c)], 1),
            _ => {
                let room = 1 - c * c;
                let is_top = self.closed_sign(&room)? == Some(Ordering::Equal);
                if !is_top && !self.require(&room, &mut conditions)? {
                    return Ok(Vec::new());
                }
                let inverse = if f == Function::Sin { Function::Asin } else { Function::Acos };
                let base = Graph::function(inverse, c);
                let other = if f == Function::Sin { &half - &base } else { -&base };
                // at the top both bases are the same angle up to a turn, a multiple of a quarter of it
                let top = |c: &Graph| if f == Function::Sin { c * (&half / 2) } else { (1 - c) * (&half / 2) };
                (if is_top { vec![top(c)] } else { vec![base, other] }, 2)
            }
        };
        let range = enclose_range(a, self.hull, self.budget);
        let (Some(low), Some(high)) = (range.lo().to_rational(), range.hi().to_rational()) else {
            return Err(InversionError::Countable);
        };
        // all bases lie in [-4, 7], and a turn in [3, 63/20]·turns
        let turn = Rational::from(turns);
        let ends = |q: Rational| {
            [Rational::from((3, 1)), Rational::from((63, 20))].map(|width| {
                let periods: Rational = q.clone() / (width * turn.clone());
                periods.to_f64()
            })
        };
        let ([near, far], [most, least]) = (ends(low - 7), ends(high + 4));
        let (first, last) = (near.min(far).floor(), most.max(least).ceil());
        if !range.is_defined() || last - first > MAX_BRANCHES as f64 {
            return Err(InversionError::Countable);
        }
        let mut found = Vec::new();
        for k in first as i64..=last as i64 {
            for base in &bases {
                let angle = base + Graph::integer(k * turns) * &half;
                // angles outside of the range are dropped here, since each branch costs a search
                let at = enclose_range(&angle, self.hull, self.budget);
                if !at.is_defined() || at.overlaps(&range) {
                    found.extend(self.solve_each(a, x, vec![angle], &conditions)?);
                }
            }
        }
        Ok(found)
    }

    /// Solves `a^(p/q) = c`.
    fn solve_power(&self, a: &Graph, e: RationalExponent, x: Variable, c: &Graph) -> Branches {
        let inverse = Rational::from((i64::from(e.denominator), e.numerator));
        let is_zero = self.closed_sign(c)? == Some(Ordering::Equal);
        let (is_even, has_even_root) = (e.numerator % 2 == 0, e.denominator.is_multiple_of(2));
        if is_zero {
            // a^(p/q) = 0 only at a = 0, where an even root ends; a negative power is 0 at infinity
            return match e.numerator > 0 && !has_even_root {
                true => self.solve(a, x, &Graph::integer(0)),
                false => Err(InversionError::Border),
            };
        }
        let mut conditions = Vec::new();
        if is_even || has_even_root {
            if !self.require(c, &mut conditions)? {
                return Ok(Vec::new());
            }
        } else if e.numerator < 0 && !self.is_nonzero(c) {
            return Err(InversionError::NoFormula);
        }
        let root = Graph::power(c, &inverse).ok_or(InversionError::NoFormula)?;
        let targets = if is_even { vec![root.clone(), -root] } else { vec![root] };
        self.solve_each(a, x, targets, &conditions)
    }

    /// Solves an equation whose map is a quotient of polynomials in x, or in one function of x.
    fn solve_fraction(&self, map: &Graph, x: Variable, target: &Graph) -> Branches {
        let is_unknown = |g: &&Graph| {
            g.depends_on(x)
                && matches!(g.operation(), NodeOperation::Unary(Unary::Function(_), _) | NodeOperation::Power(..))
        };
        // x itself comes first: the shortest formula
        let mut unknowns = vec![Graph::variable(x)];
        unknowns.extend(Graph::all_nodes([map]).into_iter().filter(is_unknown).take(MAX_UNKNOWNS).cloned());
        for unknown in &unknowns {
            let Some([over, under]) = self.as_fraction(map, x, unknown) else { continue };
            let polynomial = self.trimmed(combine(&over, &scale(&under, target), -1));
            // a root of a polynomial whose lead vanishes has gone to infinity
            if polynomial.len() < over.len().max(under.len())
                && !enclose_range(unknown, self.hull, self.budget).is_bounded()
            {
                return Err(InversionError::Border);
            }
            match self.solve_polynomial(&polynomial, &under, x, unknown) {
                Err(InversionError::NoFormula) => {}
                found => return found,
            }
        }
        Err(InversionError::NoFormula)
    }

    /// Solves p(t) = 0 for a polynomial of degree 1 or 2, where q(t) is not 0, and then the map t for x.
    fn solve_polynomial(&self, p: &[Graph], q: &[Graph], x: Variable, t: &Graph) -> Branches {
        let mut conditions = Vec::new();
        let Some(lead) = p.last() else { return Err(InversionError::NoFormula) };
        // a linear polynomial without lead is a number, which is not 0
        let has_lead = self.is_nonzero(lead) || p.len() == 2 && self.is_nowhere_zero(&p[0]);
        if !has_lead {
            return Err(InversionError::NoFormula);
        }
        let roots = match p {
            [b, a] => vec![-(b / a)],
            [c, b, a] => {
                let discriminant = b * b - Graph::integer(4) * a * c;
                let middle = -(b / (Graph::integer(2) * a));
                match self.closed_sign(&discriminant)? {
                    Some(Ordering::Equal) => vec![middle],
                    _ if !self.require(&discriminant, &mut conditions)? => Vec::new(),
                    _ => {
                        let reach = discriminant.pow(&Rational::from((1, 2))) / (Graph::integer(2) * lead);
                        vec![&middle + &reach, middle - reach]
                    }
                }
            }
            _ => return Err(InversionError::NoFormula),
        };
        let mut kept = Vec::new();
        for root in roots {
            let at = q.iter().rev().fold(Graph::integer(0), |sum, c| &sum * &root + c);
            // a common zero of both polynomials is a hole of the quotient
            match self.closed_sign(&at)? {
                Some(Ordering::Equal) => return Err(InversionError::Border),
                Some(_) => {}
                None if self.is_nonzero(&at) => {}
                None if self.ignores_null_sets => return Err(InversionError::NoFormula),
                None => conditions.push(at.pow(&Rational::from(2))),
            }
            kept.push(root);
        }
        self.solve_each(t, x, kept, &conditions)
    }

    /// Writes a map as a quotient of polynomials in an unknown, whose coefficients do not depend on x.
    fn as_fraction(&self, g: &Graph, x: Variable, unknown: &Graph) -> Option<Fraction> {
        let one = || vec![Graph::integer(1)];
        if g.address() == unknown.address() || g.is_alpha_equivalent(unknown) {
            return Some([vec![Graph::integer(0), Graph::integer(1)], one()]);
        }
        if !g.depends_on(x) {
            return Some([vec![g.clone()], one()]);
        }
        let inner = |a: &Graph| self.as_fraction(a, x, unknown);
        let [over, under] = match g.operation() {
            NodeOperation::Unary(Unary::Negate, a) => {
                let [over, under] = inner(a)?;
                [scale(&over, &Graph::integer(-1)), under]
            }
            NodeOperation::Binary(operation @ (Binary::Add | Binary::Subtract), a, b) => {
                let ([p, q], [r, s]) = (inner(a)?, inner(b)?);
                let sign = if *operation == Binary::Add { 1 } else { -1 };
                match q.iter().zip(&s).all(|(q, s)| q.is_alpha_equivalent(s)) && q.len() == s.len() {
                    true => [combine(&p, &r, sign), q],
                    false => [combine(&multiply(&p, &s), &multiply(&r, &q), sign), multiply(&q, &s)],
                }
            }
            NodeOperation::Binary(Binary::Multiply, a, b) => {
                let ([p, q], [r, s]) = (inner(a)?, inner(b)?);
                [multiply(&p, &r), multiply(&q, &s)]
            }
            NodeOperation::Binary(Binary::Divide, a, b) => {
                let ([p, q], [r, s]) = (inner(a)?, inner(b)?);
                [multiply(&p, &s), multiply(&q, &r)]
            }
            NodeOperation::Power(a, e) if e.denominator == 1 && e.numerator.unsigned_abs() <= 2 => {
                if let (NodeOperation::Unary(Unary::Function(Function::Sqrt), root), 2) = (a.operation(), e.numerator) {
                    return inner(root);
                }
                let [p, q] = inner(a)?;
                let power =
                    |p: &Vec<Graph>| (1..e.numerator.unsigned_abs()).fold(p.clone(), |all, _| multiply(&all, p));
                let [p, q] = [power(&p), power(&q)];
                if e.numerator < 0 { [q, p] } else { [p, q] }
            }
            // solutions that were substituted are positive where they are logarithms or roots
            NodeOperation::Unary(Unary::Function(Function::Exp), a) => match a.operation() {
                NodeOperation::Unary(Unary::Function(Function::Log), a) => inner(a)?,
                _ => return None,
            },
            _ => return None,
        };
        let found = [self.trimmed(over), self.trimmed(under)];
        found.iter().all(|p| p.len() <= 4).then_some(found)
    }

    /// Drops leading coefficients that are 0.
    fn trimmed(&self, mut p: Vec<Graph>) -> Vec<Graph> {
        let mut forms = RationalNormalForm::default();
        let mut is_zero = |c: &Graph| {
            forms.normal_form(c).is_some_and(|form| form.is_zero()) || self.closed_sign(c) == Ok(Some(Ordering::Equal))
        };
        while p.len() > 1 && p.last().is_some_and(&mut is_zero) {
            p.pop();
        }
        p
    }
}

/// Returns the inverse of a function on both sides, by the [table](crate::function). Returns `None` if it has none.
fn mutual_inverse(f: Function) -> Option<Function> {
    // one side is not enough: sin (asin x) = x, but asin (sin x) is x on one branch only
    f.row().left_inverse_of.filter(|inverse| inverse.row().left_inverse_of == Some(f))
}

/// Returns maps that are positive exactly where `c` lies in the interior of the domain of a function.
fn interior_of_domain(f: Function, c: &Graph) -> Vec<Graph> {
    let Domain { left, right } = f.row().conditions.interval();
    let end = |end: DomainEnd| match end {
        DomainEnd::Open(at) | DomainEnd::Closed(at) => Some(Graph::integer(at.into())),
        _ => None,
    };
    end(left).map(|a| c - a).into_iter().chain(end(right).map(|b| b - c)).collect()
}

/// Multiplies a polynomial by a map.
fn scale(p: &[Graph], by: &Graph) -> Vec<Graph> {
    p.iter().map(|c| c * by).collect()
}

/// Returns p + sign·q.
fn combine(p: &[Graph], q: &[Graph], sign: i64) -> Vec<Graph> {
    let at = |p: &[Graph], n: usize| p.get(n).cloned().unwrap_or_else(|| Graph::integer(0));
    let term = |n: usize| if sign > 0 { at(p, n) + at(q, n) } else { at(p, n) - at(q, n) };
    (0..p.len().max(q.len())).map(term).collect()
}

/// Returns the product of two polynomials.
fn multiply(p: &[Graph], q: &[Graph]) -> Vec<Graph> {
    let mut product = vec![Graph::integer(0); (p.len() + q.len()).saturating_sub(1)];
    for (i, a) in p.iter().enumerate() {
        for (j, b) in q.iter().enumerate() {
            product[i + j] = &product[i + j] + a * b;
        }
    }
    product
}
