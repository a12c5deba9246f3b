//! Derivatives of the evaluation map `ev(a)(f) = f(a)` (H §7, Lemma 9, Prop. 10).
//!
//! S relates a functional to more than one representation. H gives two representations of ev over (1, 1). The second is
//! wrong as printed, and right as intended:
//!
//! | | H | at the dual number (a, a′) | |
//! |---|---|---|---|
//! | [`Witness::Macro`] | ev′₁ | f(a, a′) | the result of the macro |
//! | [`Witness::Printed`] | ev′₂ | (sort f)(a, a′) | not related to ev (E37) |
//! | [`Witness::Mended`] | – | (π₁ f(a, 0), π₂ f(a, a′)) | related, and different from ev′₁ |
//!
//! `sort f` is `(r, _) ↦ (π₁ f(r, 0), ∇(π₁ f(−, 0))(r))`. In a plot of functions f, it treats f(x) as constant, and so
//! loses the dependence of f on x. For γ(x)(y) = x y, the derivative of γ(x)(x) = x² comes out as x. The proof of Lemma
//! 9 has the same gap: it takes the derivative of `u′ ↦ f(u)` in one place, and that of `f(u′)` in another.

use super::claim::{self, Claim, Claims};
use super::equality::equal;
use super::error::GlueError;
use super::judged::Judged;
use super::lemma::{Setting, applied, curried, point};
use super::representation;
use super::scope::{self, Pair};
use super::stage::{Plots, Stage, TIERS, exact};
use super::trial::{Experiment, Range, Sample};
use crate::law::term::Term;
use crate::meaning::taylor::basis::Basis;
use crate::meaning::taylor::types;
use crate::number::Rational;
use crate::presheaf::dynamic::{Element, Function};
use crate::random::Random;
use crate::smooth::graph::{Binary, Graph, Variable};
use crate::syntax::ty::Ty;
use crate::value::ValueError;
use crate::verdict::Verdict;

/// The spread of the sizes of random functions, in heads. A choice.
const SIZE: usize = 12;

/// A representation of evaluation: `ℝ² → (ℝ² ⇒ ℝ²) ⇒ ℝ²`, at a dual number and a function of dual numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Witness {
    /// ev′₁, the result of the macro.
    Macro,
    /// ev′₂ as it is printed.
    Printed,
    /// (π₁ f(a, 0), π₂ f(a, a′))
    Mended,
}

/// Returns a constant number.
fn number(value: i64) -> Element {
    Element::Real(Graph::integer(value))
}

/// Returns the dual number with this value and slope.
fn dual(value: Element, slope: Element) -> Element {
    Element::tuple([value, slope])
}

/// The second component of `sort f`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Sort {
    /// ∇(π₁ f(−, 0))(r), whatever r′ is: as printed.
    Printed,
    /// r′ · ∇(π₁ f(−, 0))(r): the dual-number function of the first component (E38).
    Scaled,
}

/// Returns `sort f` at a dual number.
///
/// # Errors
/// Those of `f`.
pub fn sort(f: &Function, at: &Element, which: Sort) -> Result<Element, ValueError> {
    let (r, slope) = at.as_pair()?;
    let first = |r: Element| Ok::<_, ValueError>(f.apply(&dual(r, number(0)))?.as_pair()?.0.clone());
    // a fresh variable: the derivative must not see other variables of the stage
    let s = Variable::fresh();
    let body = first(Element::Real(Graph::variable(s)))?.as_real()?.clone();
    let along = match which {
        Sort::Printed => Graph::integer(1),
        Sort::Scaled => slope.as_real()?.clone(),
    };
    let derivative = Graph::derivative(vec![s], body, vec![r.as_real()?.clone()], vec![along]);
    Ok(dual(first(r.clone())?, Element::Real(derivative)))
}

/// Returns the map (r, r′) ↦ (r′, r).
#[must_use]
pub fn swap() -> Function {
    Function::new(|at: &Element| {
        let (r, slope) = at.as_pair()?;
        Ok(dual(slope.clone(), r.clone()))
    })
}

impl Witness {
    /// Returns the representation at a dual number and a function.
    ///
    /// # Errors
    /// Those of `f`.
    pub fn at(self, a: &Element, f: &Function) -> Result<Element, ValueError> {
        match self {
            Self::Macro => f.apply(a),
            Self::Printed => sort(f, a, Sort::Printed),
            Self::Mended => {
                let value = f.apply(&dual(a.as_pair()?.0.clone(), number(0)))?;
                Ok(dual(value.as_pair()?.0.clone(), f.apply(a)?.as_pair()?.1.clone()))
            }
        }
    }
}

/// Returns a plot of functions γ : ℝ → (ℝ ⇒ ℝ), given by a program `\x y => …`, with its representation in S: γ(x)(y) =
/// G(x, y), and γ′(x)(y, y′) is the representation of G at (x, 1) and (y, y′).
fn functions(program: &Term, sample: &Sample, x: &Graph) -> Result<Pair, GlueError> {
    let g = scope::run(&scope::core(program)?)?;
    let plot = applied(&g, [Element::Real(x.clone())])?;
    let (basis, x) = (sample.basis.clone(), dual(Element::Real(x.clone()), number(1)));
    let representation = Element::function(move |y| {
        let g = |curves: &[Element]| curves.iter().try_fold(g.clone(), |f, argument| f.as_function()?.apply(argument));
        representation::lifted(&basis, g, &[x.clone(), y.clone()])
    });
    Ok(Pair { plot, representation })
}

/// Proposition 10 (H): (ev, witness) is related at `real → (real → real) → real`. For related γ and γ′, `x ↦ witness(x,
/// 1)(γ′(x))` must be the value and the derivative of `x ↦ ev(x)(γ(x))`.
#[must_use]
pub fn proposition_10(witness: Witness) -> Experiment<'static> {
    let draw = |random: &mut Random| {
        let size = 2 + random.below(SIZE);
        vec![scope::program(random, &curried(2), size)]
    };
    let judge = move |sample: &Sample| {
        let stage = Stage::new(1);
        let point = point(&mut Random::new(sample.seed), 1);
        let x = Graph::variable(stage.variables()[0]);
        let pair = functions(&sample.terms[0], sample, &x)?;
        let plot = applied(&pair.plot, [Element::Real(x.clone())])?.as_real()?.clone();
        let found = witness.at(&dual(Element::Real(x), number(1)), pair.representation.as_function()?)?;
        let derivatives = representation::coordinates(&found)?.into_iter().enumerate().collect();
        let mut claims = Claims::default();
        claims.push(Claim { path: "x ↦ γ(x)(x)".to_owned(), plot, derivatives, is_slope: false });
        claims.tried(&stage, &sample.basis, &point)
    };
    Experiment { range: Range::Only(1, 1), draw: Box::new(draw), judge: Box::new(judge) }
}

/// Tests that the two right witnesses differ: at swap, ev′₁ is (1, a) and the other one is (0, a).
#[must_use]
pub fn not_unique() -> Experiment<'static> {
    let judge = |sample: &Sample| {
        let a = point(&mut Random::new(sample.seed), 1).remove(0);
        let at = dual(Element::Real(Graph::rational(a.clone())), number(1));
        let pair = |first: i64| dual(number(first), Element::Real(Graph::rational(a.clone())));
        let same = |witness: Witness, expected: &Element| {
            equal(&types::jet(2), &witness.at(&at, &swap())?, expected, &mut Random::new(0))
        };
        // `same` can only refute, so equality with the expected values is joined by a refutation of the other one
        let mine = same(Witness::Macro, &pair(1))?.both(same(Witness::Mended, &pair(0))?);
        Ok(match same(Witness::Mended, &pair(1))?.verdict {
            Verdict::Refuted { .. } => mine,
            _ => Verdict::refuted("both derivatives of evaluation, at swap", "(1, a)", "(1, a)").into(),
        })
    };
    Experiment { range: Range::Only(1, 1), draw: Box::new(|_| Vec::new()), judge: Box::new(judge) }
}

/// Draws a function of dual numbers, as a program.
fn dual_function(random: &mut Random) -> Vec<Term> {
    let ty = Ty::function(types::jet(2), types::jet(2));
    let size = 3 + random.below(SIZE);
    vec![scope::program(random, &ty, size)]
}

/// Runs a program as a function of dual numbers.
fn run_dual(term: &Term) -> Result<Function, GlueError> {
    Ok(scope::run(&scope::core(term)?)?.as_function()?.clone())
}

/// A candidate for `sort`, at a function and a dual number.
pub type Sorting = fn(&Function, &Element) -> Result<Element, ValueError>;

/// The order up to which plots are compared. A choice.
const ORDER: usize = 3;

/// Lemma 9 (H): sort is smooth and idempotent, and maps swap to the constant (0, 0).
#[must_use]
pub fn lemma_9() -> Experiment<'static> {
    lemma_9_of(|f, at| sort(f, at, Sort::Printed))
}

/// Lemma 9 for another map than `sort`.
///
/// A smooth map sends plots to plots. For plots f of functions and γ of dual numbers, `u ↦ sort(f(u))(γ(u))` must be a
/// plot. Let `H(u, y) = π₁ f(u)(π₁γ(u) + y, 0)`. Then the plot must have the derivatives `∂ᵤⁿ H` and `∂ᵤⁿ ∂_y H` at y =
/// 0. These are derivatives of a map ℝ² → ℝ that contains no derivative node itself. So no variable of the stage is
/// confused with that of `sort`, and no dependence on u is lost.
#[must_use]
pub fn lemma_9_of(sorting: Sorting) -> Experiment<'static> {
    let draw = |random: &mut Random| {
        let ty = Ty::function(Ty::real(), Ty::function(types::jet(2), types::jet(2)));
        let size = 4 + random.below(SIZE);
        vec![scope::program(random, &ty, size)]
    };
    let judge = move |sample: &Sample| {
        let mut random = Random::new(sample.seed);
        let family = scope::run(&scope::core(&sample.terms[0])?)?;
        // the point of the stage, and the coefficients of γ
        let c = point(&mut random, 1).remove(0);
        let numbers = point(&mut random, 2);
        // γ(u) = (a + u, b u), a plot of dual numbers
        let [a, b] = [0, 1].map(|i: usize| Graph::rational(numbers[i].clone()));
        let gamma = |u: &Graph| {
            let first = Graph::binary(Binary::Add, &a, u);
            dual(Element::Real(first), Element::Real(Graph::binary(Binary::Multiply, &b, u)))
        };
        let at = |u: &Graph| applied(&family, [Element::Real(u.clone())]);
        let sent = sent_to_a_plot(sorting, &at, &gamma, &c)?;
        let c = Graph::rational(c);
        let (f, x) = (at(&c)?.as_function()?.clone(), gamma(&c));
        let once = sorting(&f, &x)?;
        let twice = sorting(&Function::new(move |at: &Element| sorting(&f, at)), &x)?;
        let same = |x: &Element, y: &Element| equal(&types::jet(2), x, y, &mut Random::new(0));
        Ok(sent.both(same(&once, &twice)?).both(same(&sorting(&swap(), &x)?, &dual(number(0), number(0)))?))
    };
    Experiment { range: Range::Only(1, 1), draw: Box::new(draw), judge: Box::new(judge) }
}

/// Tests that `u ↦ sort(f(u))(γ(u))` has the required derivatives at `c`.
fn sent_to_a_plot(
    sorting: Sorting,
    at: &dyn Fn(&Graph) -> Result<Element, GlueError>,
    gamma: &dyn Fn(&Graph) -> Element,
    c: &Rational,
) -> Result<Judged, GlueError> {
    let stage = Stage::new(2);
    let [u, y] = [0, 1].map(|i: usize| Graph::variable(stage.variables()[i]));
    let (value, slope) = sorting(at(&u)?.as_function()?, &gamma(&u))?.as_pair().map(|(a, b)| (a.clone(), b.clone()))?;
    let plot = Plots::new(&stage.variables()[..1], &[value.as_real()?.clone(), slope.as_real()?.clone()])?;
    // H is built without `sort`, by moving the argument along a second coordinate of the stage
    let moved = Graph::binary(Binary::Add, gamma(&u).as_pair()?.0.as_real()?, &y);
    let h = applied(&at(&u)?, [dual(Element::Real(moved), number(0))])?;
    let h = Plots::new(stage.variables(), &[h.as_pair()?.0.as_real()?.clone()])?;
    let (line, plane) = (Basis::new(1, ORDER)?, Basis::new(2, ORDER + 1)?);
    // first all ∂ᵤⁿ H, then all ∂ᵤⁿ ∂_y H: the order of the two components of the plot
    let places = (0..2).flat_map(|y| (0..=ORDER).map(move |n| vec![n, y])).filter_map(|index| plane.place(&index));
    let places: Vec<usize> = places.collect();
    let mut judged = Judged::from(Verdict::Vacuous);
    for tier in TIERS {
        let left = plot.derivatives(&exact(std::slice::from_ref(c), tier), &line, tier)?.concat();
        let all = h.derivatives(&exact(&[c.clone(), Rational::new()], tier), &plane, tier)?.concat();
        let right: Vec<_> = places.iter().map(|place| all[*place].clone()).collect();
        let name = |place| format!("derivative {} of component {}, at u = {c}", place % line.len(), place / line.len());
        judged = claim::compared(&line, &left, &right, name);
        if judged.verdict != Verdict::Vacuous {
            break;
        }
    }
    Ok(judged)
}

/// "sort converts any map into the dual-number representation of its first component" (H §7.1). `sort f` must be
/// related to `r ↦ π₁ f(r, 0)`. As printed it ignores r′, and is not (E38).
#[must_use]
pub fn sort_represents(which: Sort) -> Experiment<'static> {
    let judge = move |sample: &Sample| {
        let stage = Stage::new(1);
        let numbers = point(&mut Random::new(sample.seed), 3);
        let u = Graph::variable(stage.variables()[0]);
        // the plot r = a u + b, with its jet (r, a)
        let [a, b] = [0, 1].map(|i: usize| Graph::rational(numbers[i].clone()));
        let r = Graph::binary(Binary::Add, &Graph::binary(Binary::Multiply, &a, &u), &b);
        let f = run_dual(&sample.terms[0])?;
        let plot = f.apply(&dual(Element::Real(r.clone()), number(0)))?.as_pair()?.0.as_real()?.clone();
        let found = sort(&f, &dual(Element::Real(r), Element::Real(a)), which)?;
        let derivatives = representation::coordinates(&found)?.into_iter().enumerate().collect();
        let mut claims = Claims::default();
        claims.push(Claim { path: "π₁ f(r, 0)".to_owned(), plot, derivatives, is_slope: false });
        claims.tried(&stage, &sample.basis, &numbers[2..])
    };
    Experiment { range: Range::Only(1, 1), draw: Box::new(dual_function), judge: Box::new(judge) }
}

/// Compares the tangent of λ_S at `(ℜ → ℜ) → ℜ` (S §5.3) with 𝒟 at the same type, by evaluation on curves of functions.
/// The two sides are `tangent F` at the tangent of x ↦ G x in direction 1, and ⟦𝒟F⟧ at the representation of the same
/// curve.
#[must_use]
pub fn tangents(setting: Setting) -> Experiment<'static> {
    let draw = |random: &mut Random| {
        let functional = Ty::function(curried(1), Ty::real());
        let (f, g) = (3 + random.below(SIZE), 2 + random.below(SIZE));
        vec![scope::program(random, &functional, f), scope::smooth(random, &curried(2), g)]
    };
    let judge = move |sample: &Sample| {
        let x: Rational = point(&mut Random::new(sample.seed), 1).remove(0);
        let (functional, curve) = (&sample.terms[0], &sample.terms[1]);
        let text = format!(
            "tangent_R.to (tangent ({functional}) (tangent (\\(x : Real) => ({curve}) x) (tangent_R.from ({x}, 1))))"
        );
        let left = scope::run(&scope::read(&text)?.0)?;
        let core = scope::core(functional)?;
        let derived = setting.derived(&core, &functional.ty, &sample.basis)?;
        let pair = functions(curve, sample, &Graph::rational(x))?;
        let right = applied(&scope::run(&derived.term)?, [pair.representation])?;
        equal(&types::jet(2), &left, &right, &mut Random::new(0))
    };
    Experiment { range: Range::Only(1, 1), draw: Box::new(draw), judge: Box::new(judge) }
}
