//! Representations of numbers other than jets: complex steps, intervals, error bounds and signs.
//!
//! | representation | 𝒟(real) | S(f, r) | what the macro computes |
//! |---|---|---|---|
//! | [`ComplexStep`] | real² | r = F(u₁ + ih, u₂, …), where F is the analytic extension of f | complex numbers |
//! | [`Intervals`] | real² | r₀ ≤ f ≤ r₁ | interval arithmetic |
//! | [`ErrorBounds`] | real² | \|f − r₀\| ≤ r₁ | a number with a bound of its error |
//! | [`Signs`] | `Neg \| Zero \| Pos \| Any` | the sign of f is that of r | an abstract interpretation |
//!
//! [`TaylorJets`](super::representation::TaylorJets), [`NestedDuals`](super::nested::NestedDuals) and
//! [`ReverseMode`](super::backwards::ReverseMode) are representations as well. Each macro here is rows of text, so that a wrong rule can
//! be put in the place of each: [`RowRepresentation::with_rows`]. Its relation is written in Rust, for stages of every dimension.

use super::claim::{AllowedSigns, CoordinateSpace, GlueError, PlotClaim};
use super::representation::RealMap;
use super::rows::{RowRelation, RowRepresentation, RowRules, RowsError};
use crate::meaning::taylor::functor::NumberRules;
use crate::number::{Function, Rational};
use crate::presheaf::dynamic::Element;
use crate::random::SplitMix64;
use crate::smooth::graph::{Binary, Graph, NodeOperation, Unary, Variable};
use crate::syntax::data::Constructor;
use crate::syntax::library::Library;
use crate::syntax::parser::{PromptInput, parse_input};
use crate::syntax::source::Span;
use crate::syntax::term::{Term, TermKind};
use crate::syntax::ty::{Ty, TyKind};
use crate::value::{SharedBox, ValueError};
use rustc_hash::FxHashMap;
use std::sync::LazyLock;

/// Returns the coordinate of a stage as a plot.
fn coordinate_plot(stage: &CoordinateSpace, direction: usize) -> Graph {
    Graph::variable(stage.variables()[direction])
}

/// Returns the two numbers of an element of real².
fn number_pair(element: &Element) -> Result<[Graph; 2], ValueError> {
    let (a, b) = element.as_pair()?;
    Ok([a.as_real()?.clone(), b.as_real()?.clone()])
}

/// Returns an element of real².
fn pair_element([a, b]: [Graph; 2]) -> Element {
    Element::tuple_of([Element::Real(a), Element::Real(b)])
}

/// Draws a rational number from 0 to 2.
fn draw_slack(random: &mut SplitMix64) -> Graph {
    Graph::rational(Rational::from((random.next_below(9) as i64, 4)))
}

/// Complex numbers x + iy as pairs, with the elementary functions that are entire or meromorphic.
const COMPLEX_ROWS: &str = "
representation Complex = Real * Real
constant c = (c, 0)
x + y = (x[0] + y[0], x[1] + y[1])
x - y = (x[0] - y[0], x[1] - y[1])
- x = (- x[0], - x[1])
x * y = (x[0] * y[0] - x[1] * y[1], x[0] * y[1] + x[1] * y[0])
x / y = let n = y[0] * y[0] + y[1] * y[1] in ((x[0] * y[0] + x[1] * y[1]) / n, (x[1] * y[0] - x[0] * y[1]) / n)
x ^ 2 = (x[0] * x[0] - x[1] * x[1], 2 * x[0] * x[1])
exp x = (exp x[0] * cos x[1], exp x[0] * sin x[1])
sin x = (sin x[0] * cosh x[1], cos x[0] * sinh x[1])
cos x = (cos x[0] * cosh x[1], - (sin x[0] * sinh x[1]))
tan x = let n = cos (2 * x[0]) + cosh (2 * x[1]) in (sin (2 * x[0]) / n, sinh (2 * x[1]) / n)
sinh x = (sinh x[0] * cos x[1], cosh x[0] * sin x[1])
cosh x = (cosh x[0] * cos x[1], sinh x[0] * sin x[1])
tanh x = let n = cosh (2 * x[0]) + cos (2 * x[1]) in (sinh (2 * x[0]) / n, sin (2 * x[1]) / n)
";

/// The complex step of size h: S relates f to its analytic extension at u + ih, along the first coordinate.
///
/// It is the forward mode that evaluates a program at a complex number, before h → 0: the imaginary part over h is a derivative
/// up to O(h²). Here h is any number, and nothing is neglected.
pub type ComplexStep = RowRepresentation<ComplexRelation>;

/// The relation of the complex step of a size.
#[derive(Clone, Debug)]
pub struct ComplexRelation {
    step: Rational,
}

impl ComplexStep {
    /// Makes the complex step of size `step`.
    ///
    /// # Errors
    /// [`RowsError`]; not expected, since the rows are given.
    pub fn of_size(step: Rational) -> Result<Self, RowsError> {
        Ok(Self::new(ComplexRelation { step }, RowRules::read(COMPLEX_ROWS)?))
    }
}

impl RowRelation for ComplexRelation {
    fn coordinate(&self, stage: &CoordinateSpace, direction: usize, _: &mut SplitMix64) -> Result<Element, ValueError> {
        let step = if direction == 0 { self.step.clone() } else { Rational::new() };
        Ok(pair_element([coordinate_plot(stage, direction), Graph::rational(step)]))
    }

    fn claims(
        &self,
        plot: &Graph,
        representation: &Element,
        stage: &CoordinateSpace,
    ) -> Result<Vec<PlotClaim>, GlueError> {
        let mut extension = AnalyticExtension::default();
        for (direction, variable) in stage.variables().iter().enumerate() {
            let step = if direction == 0 { self.step.clone() } else { Rational::new() };
            extension.at.insert(*variable, [Graph::variable(*variable), Graph::rational(step)]);
        }
        // nothing is claimed of a plot with no extension here
        let Some([re, im]) = extension.extend(plot) else { return Ok(Vec::new()) };
        let [x, y] = number_pair(representation)?;
        Ok(vec![PlotClaim::Equal(re, x), PlotClaim::Equal(im, y)])
    }

    fn lifted(&self, map: &RealMap<'_>, arguments: &[Element]) -> Option<Result<Element, ValueError>> {
        let variables: Vec<Variable> = arguments.iter().map(|_| Variable::fresh()).collect();
        let at: Vec<Element> = variables.iter().map(|v| Element::Real(Graph::variable(*v))).collect();
        let numbers: Result<Vec<[Graph; 2]>, ValueError> = arguments.iter().map(number_pair).collect();
        let body = map(&at).and_then(|body| body.as_real().cloned());
        let (numbers, body) = match (numbers, body) {
            (Ok(numbers), Ok(body)) => (numbers, body),
            (Err(error), _) | (_, Err(error)) => return Some(Err(error)),
        };
        let mut extension = AnalyticExtension::default();
        extension.at.extend(variables.into_iter().zip(numbers));
        Some(Ok(pair_element(extension.extend(&body)?)))
    }
}

/// The analytic extension of graphs. It is written with exponentials alone, and shares no formula with the rows.
#[derive(Default)]
struct AnalyticExtension {
    /// The complex numbers that the variables stand for.
    at: FxHashMap<Variable, [Graph; 2]>,
    /// The nodes that were extended, by address.
    known: FxHashMap<usize, Option<[Graph; 2]>>,
}

impl AnalyticExtension {
    /// Returns the real and the imaginary part of the extension. Returns `None` for a graph with a node that has none.
    fn extend(&mut self, g: &Graph) -> Option<[Graph; 2]> {
        if let Some(known) = self.known.get(&g.address()) {
            return known.clone();
        }
        let made = crate::stack::with_stack(|| self.extend_node(g));
        self.known.insert(g.address(), made.clone());
        made
    }

    fn extend_node(&mut self, g: &Graph) -> Option<[Graph; 2]> {
        Some(match g.operation() {
            NodeOperation::Variable(v) => self.at.get(v)?.clone(),
            NodeOperation::Rational(_) | NodeOperation::Pi | NodeOperation::Euler => [g.clone(), Graph::integer(0)],
            NodeOperation::Unary(Unary::Negate, a) => self.extend(a)?.map(|a| Graph::unary(Unary::Negate, &a)),
            NodeOperation::Unary(Unary::Function(f), a) => extended_function(*f, &self.extend(a)?)?,
            NodeOperation::Binary(op, a, b) => {
                let (a, b) = (self.extend(a)?, self.extend(b)?);
                match op {
                    Binary::Add | Binary::Subtract => componentwise(*op, &a, &b),
                    Binary::Multiply => complex_product(&a, &b),
                    Binary::Divide => complex_quotient(&a, &b),
                    // no extension along the whole step
                    Binary::Maximum | Binary::Minimum | Binary::Planar(_) => return None,
                }
            }
            NodeOperation::Power(a, q) if q.denominator == 1 => {
                let a = self.extend(a)?;
                let one = [Graph::integer(1), Graph::integer(0)];
                let power = (0..q.numerator.unsigned_abs()).fold(one.clone(), |power, _| complex_product(&power, &a));
                if q.numerator < 0 { complex_quotient(&one, &power) } else { power }
            }
            _ => return None,
        })
    }
}

fn componentwise(op: Binary, a: &[Graph; 2], b: &[Graph; 2]) -> [Graph; 2] {
    [Graph::binary(op, &a[0], &b[0]), Graph::binary(op, &a[1], &b[1])]
}

fn times(a: &Graph, b: &Graph) -> Graph {
    Graph::binary(Binary::Multiply, a, b)
}

fn complex_product(a: &[Graph; 2], b: &[Graph; 2]) -> [Graph; 2] {
    let re = Graph::binary(Binary::Subtract, &times(&a[0], &b[0]), &times(&a[1], &b[1]));
    [re, Graph::binary(Binary::Add, &times(&a[1], &b[0]), &times(&a[0], &b[1]))]
}

fn complex_quotient(a: &[Graph; 2], b: &[Graph; 2]) -> [Graph; 2] {
    let conjugate = [b[0].clone(), Graph::unary(Unary::Negate, &b[1])];
    let norm = complex_product(b, &conjugate)[0].clone();
    complex_product(a, &conjugate).map(|part| Graph::binary(Binary::Divide, &part, &norm))
}

/// Returns e^z.
fn complex_exponential([x, y]: &[Graph; 2]) -> [Graph; 2] {
    let size = Graph::function(Function::Exp, x);
    [Function::Cos, Function::Sin].map(|f| times(&size, &Graph::function(f, y)))
}

/// Returns the extension of a function, by exponentials. Returns `None` if it has branch points, or no such form.
fn extended_function(f: Function, z: &[Graph; 2]) -> Option<[Graph; 2]> {
    let negated = |z: &[Graph; 2]| [0, 1].map(|part: usize| Graph::unary(Unary::Negate, &z[part]));
    let rotated = [Graph::unary(Unary::Negate, &z[1]), z[0].clone()];
    let half = |z: [Graph; 2]| z.map(|part| Graph::binary(Binary::Divide, &part, &Graph::integer(2)));
    let pair = |z: &[Graph; 2], op| componentwise(op, &complex_exponential(z), &complex_exponential(&negated(z)));
    // division by i
    let turned_back = |z: [Graph; 2]| [z[1].clone(), Graph::unary(Unary::Negate, &z[0])];
    let (sine, cosine) = (|| turned_back(half(pair(&rotated, Binary::Subtract))), || half(pair(&rotated, Binary::Add)));
    let (sinh, cosh) = (|| half(pair(z, Binary::Subtract)), || half(pair(z, Binary::Add)));
    Some(match f {
        Function::Exp => complex_exponential(z),
        Function::Sin => sine(),
        Function::Cos => cosine(),
        Function::Tan => complex_quotient(&sine(), &cosine()),
        Function::Sinh => sinh(),
        Function::Cosh => cosh(),
        Function::Tanh => complex_quotient(&sinh(), &cosh()),
        _ => return None,
    })
}

/// Interval arithmetic. Where monotonicity gives no exact range, the rows are wider: a sine moves by at most its argument.
const INTERVAL_ROWS: &str = "
representation Interval = Real * Real
constant c = (c, c)
x + y = (x[0] + y[0], x[1] + y[1])
x - y = (x[0] - y[1], x[1] - y[0])
- x = (- x[1], - x[0])
x * y = let a = x[0] * y[0] in let b = x[0] * y[1] in let c = x[1] * y[0] in let d = x[1] * y[1] in
  (min (min a b) (min c d), max (max a b) (max c d))
! undefined where the divisor may be 0: the logarithm is
x / y = let o = log (y[0] * y[1]) in let z = o - o in
  let a = x[0] / y[0] in let b = x[0] / y[1] in let c = x[1] / y[0] in let d = x[1] / y[1] in
  (z + min (min a b) (min c d), z + max (max a b) (max c d))
sqrt x = (sqrt x[0], sqrt x[1])
cbrt x = (cbrt x[0], cbrt x[1])
exp x = (exp x[0], exp x[1])
expm1 x = (expm1 x[0], expm1 x[1])
log x = (log x[0], log x[1])
log1p x = (log1p x[0], log1p x[1])
sin x = let m = sin ((x[0] + x[1]) / 2) in let w = (x[1] - x[0]) / 2 in (m - w, m + w)
cos x = let m = cos ((x[0] + x[1]) / 2) in let w = (x[1] - x[0]) / 2 in (m - w, m + w)
atan x = (atan x[0], atan x[1])
sinh x = (sinh x[0], sinh x[1])
cosh x = ((exp x[0] + exp (- x[1])) / 2, (exp x[1] + exp (- x[0])) / 2)
tanh x = (tanh x[0], tanh x[1])
asinh x = (asinh x[0], asinh x[1])
sigmoid x = (sigmoid x[0], sigmoid x[1])
erf x = (erf x[0], erf x[1])
erfc x = (erfc x[1], erfc x[0])
";

/// Interval arithmetic: S relates f to a pair of bounds.
pub type Intervals = RowRepresentation<BoundRelation>;

/// The relation of a number to a pair of bounds.
#[derive(Clone, Copy, Debug)]
pub struct BoundRelation;

impl Intervals {
    /// Makes the representation.
    ///
    /// # Errors
    /// [`RowsError`]; not expected, since the rows are given.
    pub fn from_rows() -> Result<Self, RowsError> {
        Ok(Self::new(BoundRelation, RowRules::read(INTERVAL_ROWS)?))
    }
}

impl RowRelation for BoundRelation {
    fn coordinate(
        &self,
        stage: &CoordinateSpace,
        direction: usize,
        random: &mut SplitMix64,
    ) -> Result<Element, ValueError> {
        let u = coordinate_plot(stage, direction);
        let (below, above) = (draw_slack(random), draw_slack(random));
        Ok(pair_element([Graph::binary(Binary::Subtract, &u, &below), Graph::binary(Binary::Add, &u, &above)]))
    }

    fn claims(&self, plot: &Graph, representation: &Element, _: &CoordinateSpace) -> Result<Vec<PlotClaim>, GlueError> {
        let [lower, upper] = number_pair(representation)?;
        Ok(vec![PlotClaim::AtMost(lower, plot.clone()), PlotClaim::AtMost(plot.clone(), upper)])
    }
}

/// A number with a bound of its error. Functions move by at most the largest slope between the two, times the error.
const ERROR_ROWS: &str = "
representation Approximation = Real * Real
constant c = (c, 0)
x + y = (x[0] + y[0], x[1] + y[1])
x - y = (x[0] - y[0], x[1] + y[1])
- x = (- x[0], x[1])
x * y = (x[0] * y[0], abs x[0] * y[1] + abs y[0] * x[1] + x[1] * y[1])
! undefined where the divisor may be 0: the logarithm is
x / y = let d = abs y[0] - y[1] in let o = log d in
  (x[0] / y[0] + (o - o), (x[1] * abs y[0] + abs x[0] * y[1]) / (d * abs y[0]))
sqrt x = (sqrt x[0], sqrt x[0] - sqrt (x[0] - x[1]))
exp x = (exp x[0], exp x[0] * expm1 x[1])
expm1 x = (expm1 x[0], exp x[0] * expm1 x[1])
log x = (log x[0], log x[0] - log (x[0] - x[1]))
log1p x = (log1p x[0], log1p x[0] - log1p (x[0] - x[1]))
sin x = (sin x[0], x[1])
cos x = (cos x[0], x[1])
atan x = (atan x[0], x[1])
sinh x = (sinh x[0], x[1] * cosh (abs x[0] + x[1]))
cosh x = (cosh x[0], x[1] * sinh (abs x[0] + x[1]))
tanh x = (tanh x[0], x[1])
asinh x = (asinh x[0], x[1])
sigmoid x = (sigmoid x[0], x[1] / 4)
erf x = (erf x[0], 2 * x[1] / sqrt pi)
erfc x = (erfc x[0], 2 * x[1] / sqrt pi)
";

/// Error bounds: S relates f to an approximation and a bound of its error.
pub type ErrorBounds = RowRepresentation<ErrorRelation>;

/// The relation of a number to an approximation and a bound of its error.
#[derive(Clone, Copy, Debug)]
pub struct ErrorRelation;

impl ErrorBounds {
    /// Makes the representation.
    ///
    /// # Errors
    /// [`RowsError`]; not expected, since the rows are given.
    pub fn from_rows() -> Result<Self, RowsError> {
        Ok(Self::new(ErrorRelation, RowRules::read(ERROR_ROWS)?))
    }
}

impl RowRelation for ErrorRelation {
    fn coordinate(
        &self,
        stage: &CoordinateSpace,
        direction: usize,
        random: &mut SplitMix64,
    ) -> Result<Element, ValueError> {
        let bound = draw_slack(random);
        // a true error from -bound to bound; half of the time at an end, where a bound that is too small shows
        let part = *random.pick(&[-4, -4, -1, 0, 2, 4, 4]);
        let error = times(&bound, &Graph::rational(Rational::from((part, 4))));
        let u = coordinate_plot(stage, direction);
        Ok(pair_element([Graph::binary(Binary::Add, &u, &error), bound]))
    }

    fn claims(&self, plot: &Graph, representation: &Element, _: &CoordinateSpace) -> Result<Vec<PlotClaim>, GlueError> {
        let [approximation, bound] = number_pair(representation)?;
        let error = Graph::unary(Unary::Abs, &Graph::binary(Binary::Subtract, plot, &approximation));
        Ok(vec![PlotClaim::AtMost(error, bound)])
    }
}

/// Rules of signs.
const SIGN_ROWS: &str = "
representation Signs = Sign
constant c = Any
x + y = match x with
    Neg => (match y with Neg => Neg | Zero => Neg | Pos => Any | Any => Any)
  | Zero => y
  | Pos => (match y with Neg => Any | Zero => Pos | Pos => Pos | Any => Any)
  | Any => Any
x - y = match x with
    Neg => (match y with Neg => Any | Zero => Neg | Pos => Neg | Any => Any)
  | Zero => (match y with Neg => Pos | Zero => Zero | Pos => Neg | Any => Any)
  | Pos => (match y with Neg => Pos | Zero => Pos | Pos => Any | Any => Any)
  | Any => Any
- x = match x with Neg => Pos | Zero => Zero | Pos => Neg | Any => Any
x * y = match x with
    Neg => (match y with Neg => Pos | Zero => Zero | Pos => Neg | Any => Any)
  | Zero => Zero
  | Pos => (match y with Neg => Neg | Zero => Zero | Pos => Pos | Any => Any)
  | Any => (match y with Neg => Any | Zero => Zero | Pos => Any | Any => Any)
x / y = match x with
    Neg => (match y with Neg => Pos | Zero => Any | Pos => Neg | Any => Any)
  | Zero => Zero
  | Pos => (match y with Neg => Neg | Zero => Any | Pos => Pos | Any => Any)
  | Any => Any
exp x = Pos
cosh x = Pos
sigmoid x = Pos
sin x = match x with Neg => Any | Zero => Zero | Pos => Any | Any => Any
cos x = match x with Neg => Any | Zero => Pos | Pos => Any | Any => Any
tan x = match x with Neg => Any | Zero => Zero | Pos => Any | Any => Any
sinh x = x
tanh x = x
atan x = x
asinh x = x
cbrt x = x
erf x = x
expm1 x = x
log1p x = x
asin x = x
atanh x = x
sqrt x = x
erfc x = Pos
";

/// The declaration of the type of signs.
const SIGN_TYPE: &str = "type Sign = Neg | Zero | Pos | Any";

/// Returns a library with the type of signs.
fn sign_library() -> &'static Library {
    static LIBRARY: LazyLock<Library> = LazyLock::new(|| {
        let mut library = crate::law::generate::data_library().clone();
        if let Ok(PromptInput::Type(declaration)) = parse_input(SIGN_TYPE, &[]) {
            // the rows are read with this type, which fails in every test if it is not defined
            let _ = library.define_type("Data", SIGN_TYPE, &declaration);
        }
        library
    });
    &LIBRARY
}

/// The constructors of the type of signs, by what numbers they stand for.
const SIGN_SETS: [AllowedSigns; 4] = [
    AllowedSigns { negative: true, zero: false, positive: false },
    AllowedSigns { negative: false, zero: true, positive: false },
    AllowedSigns { negative: false, zero: false, positive: true },
    AllowedSigns { negative: true, zero: true, positive: true },
];

/// Signs: S relates f to a constructor that stands for the sign of f near a point, or for all signs.
pub type Signs = RowRepresentation<SignRelation>;

/// The relation of a number to a sign.
#[derive(Clone, Copy, Debug)]
pub struct SignRelation;

impl Signs {
    /// Makes the representation.
    ///
    /// # Errors
    /// [`RowsError`]; not expected, since the rows are given.
    pub fn from_rows() -> Result<Self, RowsError> {
        Ok(Self::new(SignRelation, RowRules::read_in(SIGN_ROWS, sign_library())?))
    }
}

/// The place of `Pos` among the constructors.
const POSITIVE: usize = 2;
/// The place of `Any` among the constructors.
const ANY: usize = 3;

/// Returns the program of a constructor of the type of signs.
fn sign_term(carrier: Ty, place: usize) -> Term {
    let constructor = match carrier.kind() {
        TyKind::Data(data, _) => data.constructors().nth(place),
        _ => None,
    };
    // the carrier of the rows is the type of signs, which has these constructors
    let constructor = constructor.unwrap_or_else(Constructor::nil);
    Term::inject(constructor, Term::new(TermKind::Unit, Span::default()), carrier, Span::default())
}

/// Returns the place of a sign among the constructors.
fn sign_place(value: &Rational) -> usize {
    match value.cmp0() {
        std::cmp::Ordering::Less => 0,
        std::cmp::Ordering::Equal => 1,
        std::cmp::Ordering::Greater => 2,
    }
}

impl RowRelation for SignRelation {
    fn constant(&self, rules: &RowRules, value: Term) -> Term {
        let place = match value.kind() {
            TermKind::Real(q) => sign_place(q),
            TermKind::Constant(_) => POSITIVE,
            // a natural number that is not known
            _ => ANY,
        };
        sign_term(rules.carrier(), place)
    }

    fn coordinate(
        &self,
        stage: &CoordinateSpace,
        direction: usize,
        random: &mut SplitMix64,
    ) -> Result<Element, ValueError> {
        let center = &stage.center()[direction];
        // at 0 a coordinate has no sign on any neighbourhood, and elsewhere it may be forgotten
        let place = if center.is_zero() || random.random_bool(20) { ANY } else { sign_place(center) };
        Ok(Element::Variant(place, SharedBox::new(Element::Unit)))
    }

    fn claims(&self, plot: &Graph, representation: &Element, _: &CoordinateSpace) -> Result<Vec<PlotClaim>, GlueError> {
        let (place, _) = representation.as_variant()?;
        let none = || ValueError::Mismatch { expected: "a sign", found: "another constructor" };
        let signs = SIGN_SETS.get(place).ok_or_else(none)?;
        Ok(vec![PlotClaim::Sign(plot.clone(), *signs)])
    }
}
