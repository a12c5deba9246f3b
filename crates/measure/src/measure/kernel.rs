//! Products of powers and exponentials in one draw, as one exponential that is 1 at its peak, and their closed
//! integrals.
//!
//! A product of factors in y is written as `C·yᵖ·(1 - y)^q·e^(g(y))·f(y)`. Densities of gamma and beta draws have this
//! form, and so do observations of a rate or of a probability: exponents add up. With large exponents the powers are
//! far out of the range of doubles, although their product is of the size of 1. So the integrals are
//!
//! `C·e^(h(m))·∫ e^(h(y) - h(m))·f(y) dy`, with `h(y) = p log y + q log (1 - y) + g(y)`,
//!
//! for a number m near the peak of h. It is found in floating point, since the identity holds for every m.
//!
//! | support of y | integral |
//! |---|---|
//! | y > 0, g = -b y, b > 0, p > -1 | `C Γ(p + 1)/b^(p + 1)·Σ cₖ (p + 1)…(p + k)/bᵏ` |
//! | 0 < y < 1, g = 0, p > -1, q > -1 | `C B(p + 1, q + 1)·Σ cₖ (p + 1)…(p + k)/((p + q + 2)…(p + q + 1 + k))` |
//!
//! where f = Σ cₖ yᵏ is a polynomial.
//!
//! *Proof.* `∫ yᵖ⁺ᵏ e^(-b y) dy = Γ(p + k + 1)/b^(p + k + 1)` is Euler's integral of the second kind, and `∫ yᵖ⁺ᵏ (1 - y)^q dy = B(p + k + 1, q + 1)`
//! that of the first kind; Γ(z + 1) = z Γ(z) does the rest. All of these integrals converge absolutely, so that the sum over k may be taken outside,
//! and the draws that y does not depend on may be integrated over first or last. ∎
//!
//! The size at the peak, a power of two, is kept beside the integral. So a mass of e^(-3000) costs what a mass of
//! 1 does.
//!
//! # Closed integrals over the whole support of gamma and beta draws
//!
//! # The peak of a product of powers and exponentials in one draw
//!
//! The peak of a product of powers and exponentials in one draw, and the product scaled around it.

use super::distribution::lgamma;
use super::draws::Parameter;
use super::eliminate::{affine_coefficients, quartic_coefficients};
use super::range::enclose_range;
use crate::function::Function;
use crate::measure::draws::TraceCoordinate;
use crate::number::budget::Budget;
use crate::number::{Enclosure, Rational};
use crate::smooth::graph::{Binary, Graph, NodeOperation, Unary, Variable};
use crate::smooth::normal_form::RationalNormalForm;

/// The greatest number of nodes of the factors. A choice.
const MAX_KERNEL_NODES: usize = 20_000;
/// The greatest exponent of a product to distribute over its factors. A choice: it keeps exponents far below overflow.
const MAX_DISTRIBUTED_EXPONENT: u64 = 1 << 32;
/// The greatest number of factors and terms to visit. A choice: shared sums of sums have more terms than nodes.
const MAX_PARTS: usize = 4096;

/// The context of a product: ranges, parameter and budget.
#[derive(Clone, Copy, Debug)]
pub struct KernelContext<'a> {
    /// Enclosures of the variables.
    pub within: &'a [(Variable, Enclosure)],
    /// The parameter.
    pub parameter: Option<&'a Parameter>,
    /// The budget.
    pub budget: &'a Budget,
}

/// A product of factors in a draw y; see the [module](self).
#[derive(Debug)]
pub struct DensityKernel {
    /// The draw.
    y: Variable,
    /// The exponents p and q.
    powers: [Graph; 2],
    /// The terms of g.
    exponents: Vec<Graph>,
    /// The terms of log C, for the part of C that is a product of exponentials and of powers of positive maps.
    logarithms: Vec<Graph>,
    /// The other factors of C.
    constants: Vec<Graph>,
    /// The factors of f.
    rest: Vec<Graph>,
}

/// The base of a power.
enum PowerBase {
    /// A multiple of y.
    Variable(Graph),
    /// A multiple of 1 - y, positive.
    OneMinusVariable(Graph),
    /// Another nonnegative map that is affine in y.
    Affine,
}

impl DensityKernel {
    /// Reads a product of factors in a draw. Returns `None` if there are too many, or if the budget is exhausted.
    #[must_use]
    pub fn from_factors(y: Variable, factors: &[Graph], known: KernelContext<'_>) -> Option<Self> {
        if Graph::all_nodes(factors).len() > MAX_KERNEL_NODES {
            return None;
        }
        let mut kernel = Self {
            y,
            powers: [Graph::integer(0), Graph::integer(0)],
            exponents: Vec::new(),
            logarithms: Vec::new(),
            constants: Vec::new(),
            rest: Vec::new(),
        };
        let mut reader = FactorReader { known, forms: RationalNormalForm::default(), parts: 0 };
        factors.iter().for_each(|factor| kernel.multiply_by(factor, 1, &mut reader));
        // a partial product would be wrong
        if reader.parts > MAX_PARTS || known.budget.is_exhausted() {
            return None;
        }
        kernel.collect_exponents(&mut reader);
        Some(kernel)
    }

    /// Multiplies the kernel by a factor to the power `n`, split into powers, exponentials and others.
    fn multiply_by(&mut self, graph: &Graph, n: i64, reader: &mut FactorReader<'_>) {
        graph.split_factors(n, &mut |g, n, can_split| {
            // a part beyond the limit is left out, and the kernel is not used
            !reader.count_part() || self.take_factor(g, n, can_split, reader)
        });
    }

    /// Multiplies the kernel by a factor to the power `n`. Returns `false` for a factor to be split.
    fn take_factor(&mut self, graph: &Graph, n: i64, can_split: bool, reader: &mut FactorReader<'_>) -> bool {
        match graph.operation() {
            NodeOperation::Unary(Unary::Function(Function::Exp), a) => {
                self.take_term(a, &Graph::integer(n), reader);
            }
            // √a = a^(1/2) for a nonnegative base; other roots stay as they are
            NodeOperation::Unary(Unary::Function(Function::Sqrt), a) if reader.classify_base(a, self.y).is_some() => {
                self.take_power(a, &Graph::rational(Rational::from((n, 2))), reader);
            }
            NodeOperation::Power(a, e) => {
                let exponent = Rational::from((e.numerator, i64::from(e.denominator)));
                let is_product = matches!(
                    a.operation(),
                    NodeOperation::Binary(Binary::Multiply | Binary::Divide, ..) | NodeOperation::Unary(..)
                );
                // (ab)ⁿ = aⁿbⁿ holds for integers n without conditions on signs
                let is_small = e.numerator.unsigned_abs().saturating_mul(n.unsigned_abs()) <= MAX_DISTRIBUTED_EXPONENT;
                if reader.is_power_base(a, self.y) {
                    self.take_power(a, &Graph::rational(exponent * n), reader);
                } else if can_split && is_product && is_small {
                    return false;
                } else {
                    self.multiply_unsplit(graph, n);
                }
            }
            _ if can_split => return false,
            _ if graph.is_constant(-1) && n % 2 != 0 => self.constants.push(graph.clone()),
            _ if reader.is_power_base(graph, self.y) => self.take_power(graph, &Graph::integer(n), reader),
            _ => self.multiply_unsplit(graph, n),
        }
        true
    }

    /// Multiplies the kernel by a factor to the power `n`, without splitting it.
    fn multiply_unsplit(&mut self, graph: &Graph, n: i64) {
        let own = match n {
            1 => graph.clone(),
            -1 => 1 / graph,
            _ => graph.pow(&Rational::from(n)),
        };
        if graph.depends_on(self.y) { &mut self.rest } else { &mut self.constants }.push(own);
    }

    /// Multiplies the kernel by a power of a positive map, or of a base in `y`.
    fn take_power(&mut self, base: &Graph, exponent: &Graph, reader: &mut FactorReader<'_>) {
        if !base.depends_on(self.y) {
            return self.logarithms.push(exponent * base.log());
        }
        let mut add_to = |index: usize, scale: Graph| {
            self.powers[index] = &self.powers[index] + exponent;
            if scale.as_rational().is_none_or(|q| *q != 1) {
                self.logarithms.push(exponent * scale.log());
            }
        };
        match reader.classify_base(base, self.y) {
            Some(PowerBase::Variable(scale)) => add_to(0, scale),
            Some(PowerBase::OneMinusVariable(scale)) => add_to(1, scale),
            // a·y + b with other coefficients: its power becomes a term of g
            _ => self.exponents.push(exponent * base.log()),
        }
    }

    /// Adds a term of an exponent times a factor, split into sums and logarithms.
    fn take_term(&mut self, graph: &Graph, scale: &Graph, reader: &mut FactorReader<'_>) {
        if !reader.count_part() {
            return;
        }
        if !graph.depends_on(self.y) {
            return self.logarithms.push(scale * graph);
        }
        let mut of = |this: &mut Self, a: &Graph, c: &Graph| crate::stack::with_stack(|| this.take_term(a, c, reader));
        match graph.operation() {
            NodeOperation::Binary(Binary::Add, a, b) => {
                of(self, a, scale);
                of(self, b, scale);
            }
            NodeOperation::Binary(Binary::Subtract, a, b) => {
                of(self, a, scale);
                of(self, b, &(-1 * scale));
            }
            NodeOperation::Unary(Unary::Negate, a) => of(self, a, &(-1 * scale)),
            NodeOperation::Binary(Binary::Multiply, a, b) if !a.depends_on(self.y) => of(self, b, &(scale * a)),
            NodeOperation::Binary(Binary::Multiply, a, b) if !b.depends_on(self.y) => of(self, a, &(scale * b)),
            NodeOperation::Binary(Binary::Divide, a, b) if !b.depends_on(self.y) => {
                // numbers are divided at once, so that exponents stay readable as rationals
                let scale = match (scale.as_rational(), b.as_rational()) {
                    (Some(p), Some(q)) if *q != 0 => Graph::rational(Rational::from(p / q)),
                    _ => scale / b,
                };
                of(self, a, &scale);
            }
            NodeOperation::Unary(Unary::Function(Function::Log), a) if reader.classify_base(a, self.y).is_some() => {
                self.take_power(a, scale, reader);
            }
            _ => self.exponents.push(scale * graph),
        }
    }

    /// Adds up the terms of g, and writes them as one multiple of y if they are affine.
    fn collect_exponents(&mut self, reader: &mut FactorReader<'_>) {
        let whole = self.exponents.iter().sum::<Graph>();
        if let Some([c, first]) = affine_coefficients(&whole, self.y, &mut reader.forms) {
            self.logarithms.push(c);
            self.exponents = if first.is_constant(0) { Vec::new() } else { vec![&first * Graph::variable(self.y)] };
        }
    }

    /// Returns the maps y and 1 - y.
    fn power_bases(&self) -> [Graph; 2] {
        let y = Graph::variable(self.y);
        [y.clone(), 1 - &y]
    }

    /// Returns `true` if a term is a multiple of y.
    fn is_linear(&self, term: &Graph) -> bool {
        let is_y = |g: &Graph| matches!(g.operation(), NodeOperation::Variable(v) if *v == self.y);
        match term.operation() {
            NodeOperation::Binary(Binary::Multiply, a, b) => is_y(b) && !a.depends_on(self.y),
            _ => is_y(term),
        }
    }
}

impl KernelContext<'_> {
    /// Approximates a map by a number, at the value of the parameter. Returns `None` if it depends on draws or is
    /// unbounded.
    fn approximate_number(self, graph: &Graph) -> Option<f64> {
        if let Some(q) = graph.as_rational() {
            return Some(q.to_f64());
        }
        let at = match self.parameter {
            Some(p) => graph.substitute(&[(p.variable, Graph::rational(p.value.clone()))]),
            None => graph.clone(),
        };
        let found = enclose_range(&at, &[], self.budget);
        (found.is_defined() && found.is_bounded()).then(|| f64::midpoint(found.lo().to_f64(), found.hi().to_f64()))
    }

    /// Returns `true` if a map is shown to be positive by its range.
    fn is_positive(self, graph: &Graph) -> bool {
        let found = enclose_range(graph, self.within, self.budget);
        found.is_defined() && *found.lo() > 0
    }
}

/// A reader of factors and bases, with a limit.
struct FactorReader<'a> {
    known: KernelContext<'a>,
    forms: RationalNormalForm,
    /// The number of factors and terms visited.
    parts: usize,
}

impl FactorReader<'_> {
    /// Counts a part. Returns `true` if it may be visited.
    fn count_part(&mut self) -> bool {
        self.parts += 1;
        self.parts <= MAX_PARTS && !self.known.budget.is_exhausted()
    }

    /// Returns `true` if powers of a map are split: positive maps without y, and nonnegative ones that are affine in y.
    fn is_power_base(&mut self, graph: &Graph, y: Variable) -> bool {
        match graph.depends_on(y) {
            true => self.classify_base(graph, y).is_some(),
            false => self.known.is_positive(graph),
        }
    }

    /// Classifies a map as the base of a power. Returns `None` if it is not affine in y, or may be negative.
    fn classify_base(&mut self, graph: &Graph, y: Variable) -> Option<PowerBase> {
        // functions are never affine here: the range and normal form would be wasted
        if matches!(graph.operation(), NodeOperation::Unary(..)) {
            return None;
        }
        let found = enclose_range(graph, self.known.within, self.known.budget);
        if !found.is_defined() || *found.lo() < 0 {
            return None;
        }
        let [c, first] = affine_coefficients(graph, y, &mut self.forms).filter(|[_, first]| !first.is_constant(0))?;
        // the range allows y = 0, so that the sign of the coefficient has to be checked by itself
        if c.is_constant(0) {
            return self.known.is_positive(&first).then_some(PowerBase::Variable(first));
        }
        let is_rest = self.forms.normal_form(&(&c + &first)).is_some_and(|sum| sum.is_zero());
        Some(if is_rest && self.known.is_positive(&c) { PowerBase::OneMinusVariable(c) } else { PowerBase::Affine })
    }
}

/// The highest degree of a polynomial f. A choice.
const MAX_POLYNOMIAL_DEGREE: usize = 64;

impl DensityKernel {
    /// Integrates the kernel over the whole support of the draw. Returns `None` if it is not in the table of the
    /// [module](super).
    #[must_use]
    pub fn integrate_support(&self, x: &TraceCoordinate, known: KernelContext<'_>) -> Option<Graph> {
        let ends = x.distribution.ends().map(|end| end.map(|end| end.as_rational().cloned()));
        let [zero, one] = [0, 1].map(Rational::from);
        let is_gamma = ends == [Some(Some(zero.clone())), None];
        let is_beta = ends == [Some(Some(zero)), Some(Some(one))];
        let polynomial = self.polynomial_factor()?;
        let [p, q] = self.powers.each_ref().map(|p| p + 1);
        // p > -1, or the integral diverges at 0
        if !known.is_positive(&p) || polynomial.is_empty() {
            return None;
        }
        let mut logarithms = self.logarithms.clone();
        // the quotient of the kth moment and the one before
        let next: Box<dyn Fn(i64) -> Graph> = match &self.exponents[..] {
            [linear] if is_gamma && self.powers[1].is_constant(0) && self.is_linear(linear) => {
                let b = -1 * linear.substitute(&[(self.y, Graph::integer(1))]);
                if !known.is_positive(&b) {
                    return None;
                }
                logarithms.extend([lgamma(&p), -(&p * b.log())]);
                Box::new(move |k| (&p + Graph::integer(k - 1)) / &b)
            }
            [] if is_beta && known.is_positive(&q) => {
                let whole = &p + &q;
                logarithms.extend([lgamma(&p), lgamma(&q), -lgamma(&whole)]);
                Box::new(move |k| (&p + Graph::integer(k - 1)) / (&whole + Graph::integer(k - 1)))
            }
            _ => return None,
        };
        // Γ(z + 1) = z Γ(z): each moment follows from the one before
        let (mut total, mut moment) = (Graph::integer(0), Graph::integer(1));
        for (k, c) in (0i64..).zip(&polynomial) {
            if k > 0 {
                moment = &moment * next(k);
            }
            total = &total + c * &moment;
        }
        let constants = self.constants.iter().fold(total, |product, factor| &product * factor);
        Some(&constants * logarithms.iter().sum::<Graph>().exp())
    }

    /// Returns the coefficients of f, the constant one first. Returns `None` if f is no polynomial.
    fn polynomial_factor(&self) -> Option<Vec<Graph>> {
        let mut forms = RationalNormalForm::default();
        let mut product = vec![Graph::integer(1)];
        for factor in &self.rest {
            // numbers first: their polynomials may have any degree, those with maps as coefficients at most 4
            let numbers = forms.as_polynomial(factor, self.y).filter(|own| own.len() <= MAX_POLYNOMIAL_DEGREE + 1);
            let own: Vec<Graph> = match numbers {
                Some(own) => own.into_iter().map(Graph::rational).collect(),
                None => quartic_coefficients(factor, self.y, &mut forms)?.to_vec(),
            };
            let mut next = vec![Graph::integer(0); product.len() + own.len() - 1];
            for (i, a) in product.iter().enumerate() {
                for (j, b) in own.iter().enumerate() {
                    next[i + j] = &next[i + j] + a * b;
                }
            }
            product = next;
            if product.len() > MAX_POLYNOMIAL_DEGREE + 1 {
                return None;
            }
        }
        Some(product)
    }
}

/// The least exponent for which a peak is searched. A choice: smaller powers are harmless for doubles.
const LEAST_PEAK_EXPONENT: f64 = 8.0;
/// The number of steps of the golden section search. Each shortens the interval by 0.618, and 90 exceed double
/// precision.
const GOLDEN_SECTION_STEPS: u32 = 90;
/// The least binary logarithm of the size at the peak for which a power of two is split off. A choice.
const LEAST_SHIFT: f64 = 64.0;
/// The distance of the outer cuts from the peak, in widths. A choice: e^(-32) for a normal shape.
const CUT_DISTANCE: u32 = 8;

/// The product of all factors, scaled around a peak.
#[derive(Debug)]
pub struct ScaledKernel {
    /// The product, divided by two to the power of `shift`.
    pub product: Graph,
    /// The peak.
    pub peak: KernelPeak,
    /// The binary logarithm of the approximate size at the peak; 0 if the size is in the range of doubles.
    pub shift: i64,
}

/// A peak of a kernel, approximately.
#[derive(Clone, Debug)]
pub struct KernelPeak {
    /// The position.
    pub position: Rational,
    /// The width, a power of two.
    pub width: Rational,
}

impl DensityKernel {
    /// Returns which of the two powers join the exponential: those with exponent at least 1. Smaller ones have a pole,
    /// or an unbounded slope, at an end.
    fn powers_in_exponential(&self, known: KernelContext<'_>) -> [bool; 2] {
        self.powers.each_ref().map(|p| known.approximate_number(p).is_some_and(|p| p >= 1.0))
    }

    /// Returns h up to a constant, without the powers that stay outside of the exponential.
    fn log_height(&self, known: KernelContext<'_>) -> Graph {
        let powers = self.powers.iter().zip(self.power_bases()).zip(self.powers_in_exponential(known));
        let powers = powers.filter(|(_, taken)| *taken).map(|((p, base), _)| p * base.log());
        powers.chain(self.exponents.iter().cloned()).sum::<Graph>()
    }

    /// Searches the peak of the kernel in floating point, inside of the range of the draw. Returns `None` if no
    /// exponent is large.
    #[must_use]
    pub fn find_peak(&self, x: &TraceCoordinate, known: KernelContext<'_>) -> Option<KernelPeak> {
        let powers = self.powers.each_ref().map(|p| known.approximate_number(p));
        if !powers.iter().flatten().any(|p| *p >= LEAST_PEAK_EXPONENT) {
            return None;
        }
        let height = self.log_height(known);
        let at = |y: f64| {
            let place = Rational::from_f64(y).map(Graph::rational)?;
            known.approximate_number(&height.substitute(&[(self.y, place)])).filter(|h| !h.is_nan())
        };
        let [lo, hi] = [x.range.lo(), x.range.hi()].map(|end| end.to_f64());
        // on a half-line: s/(1 - s) to a high power reaches many orders of magnitude
        let place = |s: f64| if hi.is_finite() { lo + (hi - lo) * s } else { lo + (s / (1.0 - s)).powi(12) };
        let found = self
            .closed_form_peak(known)
            .filter(|y| lo < *y && *y < hi)
            .or_else(|| golden_section_maximum(|s| at(place(s))).map(place))?;
        // -h″ by second differences; for a normal shape the width is 1/√(-h″)
        let curvature = || {
            let step = (found - lo).min(hi - found) / 64.0;
            let [a, b, c] = [found - step, found, found + step].map(at);
            Some((b? - a? + b? - c?) / step.powi(2))
        };
        let width = curvature().filter(|c| *c > 0.0 && c.is_finite()).map_or((found - lo) / 8.0, |c| c.sqrt().recip());
        // short numbers near these, for cheap arithmetic
        let width = nearest_power_of_two(width)?;
        let unit = Rational::from(&width / 64u32);
        let place = (Rational::from_f64(found)? / &unit).round() * unit;
        (width > 0 && place > lo && place < hi).then_some(KernelPeak { position: place, width })
    }

    /// Returns the peak of yᵖ·(1 - y)^q·e^(-b·y) for b = 0 or q = 0, in floating point. Returns `None` for other forms.
    fn closed_form_peak(&self, known: KernelContext<'_>) -> Option<f64> {
        let taken = self.powers_in_exponential(known);
        let [p, q] = [0, 1].map(|i| known.approximate_number(&self.powers[i]).filter(|_| taken[i]).unwrap_or(0.0));
        match &self.exponents[..] {
            [] if p > 0.0 && q > 0.0 => Some(p / (p + q)),
            [linear] if q == 0.0 && p > 0.0 => {
                let slope = known.approximate_number(&linear.substitute(&[(self.y, Graph::integer(1))]))?;
                (slope < 0.0).then_some(p / -slope)
            }
            _ => None,
        }
    }

    /// Writes the product of all factors with an exponential that is 1 at a number near the peak.
    #[must_use]
    pub fn scale_around(&self, peak: KernelPeak, known: KernelContext<'_>) -> ScaledKernel {
        let m = Graph::rational(peak.position.clone());
        let [at_peak, y] = [&m, &Graph::variable(self.y)].map(|place| {
            let mut bases = self.power_bases();
            bases.iter_mut().for_each(|base| *base = base.substitute(&[(self.y, place.clone())]));
            bases
        });
        let (mut height, mut rise) = (self.logarithms.clone(), Vec::new());
        let mut product = self.constants.iter().product::<Graph>();
        for (index, is_taken) in self.powers_in_exponential(known).into_iter().enumerate() {
            // each power moves its value at the peak to `height`, and only the quotient stays in the integral
            let (p, top, base) = (&self.powers[index], &at_peak[index], &y[index]);
            match (is_taken, p.as_rational()) {
                (_, Some(q)) if *q == 0 => {}
                (true, _) => {
                    height.push(p * top.log());
                    rise.push(p * (base / top).log());
                }
                (false, Some(q)) => product = &product * base.pow(q),
                (false, None) => product = &product * (p * base.log()).exp(),
            }
        }
        let own = [(self.y, m.clone())];
        for term in &self.exponents {
            let top = term.substitute(&own);
            rise.push(match self.is_linear(term) {
                // c·(y - m), so that nothing cancels; c is the term at 1, since m may be 0
                true => {
                    let slope = term.substitute(&[(self.y, Graph::integer(1))]);
                    &slope * (Graph::variable(self.y) - &m)
                }
                false => term - &top,
            });
            height.push(top);
        }
        // the size at the peak is only needed roughly: the shift is undone exactly
        let bits = known
            .approximate_number(&height.iter().sum::<Graph>())
            .map_or(0.0, |height| (height / std::f64::consts::LN_2).round());
        let shift = if bits.abs() > LEAST_SHIFT && bits.is_finite() { bits as i64 } else { 0 };
        if shift != 0 {
            height.push(Graph::integer(-shift) * Graph::integer(2).log());
        }
        let whole = height.iter().sum::<Graph>().exp() * rise.iter().sum::<Graph>().exp();
        let product = self.rest.iter().fold(&product * &whole, |product, factor| &product * factor);
        ScaledKernel { product, peak, shift }
    }
}

impl KernelPeak {
    /// Returns the points at which to cut the line: the peak, and some widths to both sides of it.
    #[must_use]
    pub fn cut_points(&self) -> Vec<Rational> {
        let far = Rational::from(&self.width * CUT_DISTANCE);
        vec![Rational::from(&self.position - &far), self.position.clone(), Rational::from(&self.position + &far)]
    }
}

/// Maximises a unimodal function on [0, 1] by golden section search. Returns `None` if it has no finite value there.
fn golden_section_maximum(f: impl Fn(f64) -> Option<f64>) -> Option<f64> {
    const GOLDEN: f64 = 0.618_033_988_749_894_9;
    let f = |s: f64| f(s).unwrap_or(f64::NEG_INFINITY);
    let (mut lo, mut hi) = (0.0, 1.0);
    let (mut a, mut b) = (1.0 - GOLDEN, GOLDEN);
    let (mut at_a, mut at_b) = (f(a), f(b));
    for _ in 0..GOLDEN_SECTION_STEPS {
        if at_a < at_b {
            (lo, a, at_a) = (a, b, at_b);
            b = lo + GOLDEN * (hi - lo);
            at_b = f(b);
        } else {
            (hi, b, at_b) = (b, a, at_a);
            a = hi - GOLDEN * (hi - lo);
            at_a = f(a);
        }
    }
    f(a).is_finite().then_some(a)
}

/// Rounds a positive number to a power of two. Returns `None` if it is not positive and finite.
fn nearest_power_of_two(x: f64) -> Option<Rational> {
    let exponent = (x > 0.0 && x.is_finite()).then(|| x.log2().round() as i32)?;
    Some(if exponent < 0 { Rational::from(1) >> exponent.unsigned_abs() } else { Rational::from(1) << exponent as u32 })
}
