//! Partial maps as a restriction category: the laws of [`law::restriction`](crate::law::restriction), tested on random
//! maps.

use crate::category::restriction::{Joins, Paired, Restriction};
use crate::category::{Arrow, Category, Names};
use crate::law::category::{associativity, identity};
use crate::law::restriction::{
    chain, differential, differential_joins, forward_from_reverse, joins, meets, pairs, restrictions, reverse,
    unfolding,
};
use crate::law::trace::generate::{Sample, Shape, sample};
use crate::meaning::partial::category::{Maps, Trial};
use crate::meaning::partial::hooks::Hooks;
use crate::meaning::partial::map::PartialMap;
use crate::number::Rational;
use crate::random::Random;
use crate::smooth::dimension::{Dim, Line};
use crate::syntax::ty::Ty as ProgramTy;
use crate::trace::operation::Operation;
use crate::trace::printer::in_language;
use crate::trace::renaming::Renaming;
use crate::trace::term::{Definition, Term, TermKind, Variable};
use crate::trace::ty::Ty;
use crate::value::ValueError;
use crate::verdict::Verdict;
use std::sync::Arc;

/// ℝ² as an object.
type Plane = (Line, Line);
/// An arrow of the category of partial maps.
type Of<A, B> = Arrow<Maps, A, B>;

/// A generator of random partial maps, which also collects the numbers at which they change.
struct Maker {
    random: Random,
    borders: Vec<Rational>,
}

/// The greatest number of programs drawn until one has the wanted dimensions. A choice.
const DRAWS: usize = 200;

impl Maker {
    /// Draws a program from `ty` to the reals for which `fits` holds. Returns `None` if there is none within [`DRAWS`].
    fn program(&mut self, ty: &Ty, fits: impl Fn(&Sample) -> bool) -> Option<Sample> {
        let mut drawn = (0..DRAWS).map(|_| sample(Random::new(self.random.next())));
        // composites of functions that call their own derivatives nest too many derivatives
        let fits = |sample: &Sample| sample.shape != Shape::OwnDerivative && fits(sample);
        let found = drawn.find(|sample| sample.ty == *ty && sample.codomain == Ty::Real && fits(sample))?;
        self.borders.extend(found.points.iter().flat_map(|point| point.reals().into_iter().cloned()));
        Some(found)
    }

    /// Draws a map from `ty` to the reals.
    fn map<A: Dim + Names<Maps>>(&mut self, ty: &Ty) -> Option<Of<A, Line>> {
        let Sample { x, term, .. } = self.program(ty, |_| true)?;
        arrow(&x, ty, &term)
    }

    /// Draws a map ℝ ⇀ ℝ.
    fn line(&mut self) -> Option<Of<Line, Line>> {
        self.map(&Ty::Real)
    }

    /// Draws a map ℝ² ⇀ ℝ.
    fn plane(&mut self) -> Option<Of<Plane, Line>> {
        self.map(&Ty::reals(2))
    }

    /// Draws a border, and returns the identity above it and the identity below it. Both are undefined on the border.
    fn sides(&mut self) -> Option<(Rational, [Of<Line, Line>; 2])> {
        let border = Rational::from(self.random.below(7) as i64 - 3);
        self.borders.push(border.clone());
        let x = Variable::fresh(&"x".into());
        let side = |below: bool| {
            let (at, border) = (Term::variable(&x), Term::number(border.clone()));
            // a guard on equal numbers is undefined (A §2), so the border belongs to neither side
            let (left, right) = if below { (at.clone(), border) } else { (border, at.clone()) };
            arrow(&x, &Ty::Real, &Term::if_less(left, right, at, nothing()))
        };
        Some((border.clone(), [side(false)?, side(true)?]))
    }

    /// Returns the comparison of arrows for these maps. It samples near the collected borders.
    fn trial(mut self, rules: &Arc<dyn Hooks>) -> Trial {
        Trial { seed: self.random.next(), samples: 6, borders: self.borders, work: 2_000, hooks: rules.clone() }
    }
}

/// Returns a term of type real that is undefined everywhere.
fn nothing() -> Term {
    Term::binary(Operation::Divide, Term::number(1), Term::number(0))
}

/// Interprets a term with one free variable as an arrow. Returns `None` if that fails.
fn arrow<A: Dim + Names<Maps>>(x: &Variable, ty: &Ty, term: &Term) -> Option<Of<A, Line>> {
    let program = in_language(&[(x.clone(), ty.clone())], term);
    PartialMap::of_program(&program, &ProgramTy::function(ty.in_language(), ProgramTy::real())).map(Arrow)
}

/// Restricts `f` to the domain of `to`.
fn restricted<A: Names<Maps>>(to: &Of<A, Line>, f: &Of<A, Line>) -> Of<A, Line> {
    Arrow(Maps::then(&Maps::restriction(&to.0), &f.0))
}

/// Tests a law on random maps. Vacuous if the generator finds no maps.
fn tried(
    random: Random,
    rules: &Arc<dyn Hooks>,
    law: impl FnOnce(&mut Maker) -> Option<Box<dyn FnOnce(&Trial) -> Result<Verdict, ValueError>>>,
) -> Verdict {
    let mut maker = Maker { random, borders: Vec::new() };
    let Some(law) = law(&mut maker) else { return Verdict::Vacuous };
    // the laws hold for well-typed arrows, so an error of evaluation is a refutation
    law(&maker.trial(rules)).unwrap_or_else(|error| Verdict::refuted("a random map", "a vector", error))
}

/// Tests the laws of a category.
pub fn category_axioms(random: Random, rules: &Arc<dyn Hooks>) -> Verdict {
    tried(random, rules, |maker| {
        let (f, g, h) = (maker.plane()?, maker.line()?, maker.line()?);
        Some(Box::new(move |trial| Ok(identity(&f, trial)?.and(associativity(&f, &g, &h, trial)?))))
    })
}

/// Tests R1 to R4, and the laws of pairs.
pub fn restriction_axioms(random: Random, rules: &Arc<dyn Hooks>) -> Verdict {
    tried(random, rules, |maker| {
        let [f, g, h] = [maker.line()?, maker.line()?, maker.line()?];
        Some(Box::new(move |trial| Ok(restrictions(&f, &g, &h, trial)?.and(pairs(&f, &g, trial)?))))
    })
}

/// Tests joins of two parts of one map, and the meets of two independent maps.
pub fn joins_are_least(random: Random, rules: &Arc<dyn Hooks>) -> Verdict {
    tried(random, rules, |maker| {
        let [k, h, other] = [maker.line()?, maker.line()?, maker.line()?];
        let (_, [above, below]) = maker.sides()?;
        // both are restrictions of h, so they are compatible and h is an upper bound
        let (f, g) = (restricted(&above, &h), restricted(&restricted(&other, &below), &h));
        Some(Box::new(move |trial| {
            let least = joins(&k, [&f, &g, &h], trial)?;
            Ok(least.and(meets(&h, &other, trial)?).and(differential_joins(&f, &g, trial)?))
        }))
    })
}

/// Tests forward derivatives of maps of one and of two numbers.
pub fn differential_axioms(random: Random, rules: &Arc<dyn Hooks>) -> Verdict {
    tried(random, rules, |maker| {
        let [f, g, h] = [maker.line()?, maker.line()?, maker.line()?];
        let [p, q] = [maker.plane()?, maker.plane()?];
        Some(Box::new(move |trial| Ok(differential(&f, &g, &h, trial)?.and(differential(&p, &g, &q, trial)?))))
    })
}

/// Tests reverse derivatives of maps from ℝ² to ℝ, and of pairs of them to ℝ².
pub fn reverse_axioms(random: Random, rules: &Arc<dyn Hooks>) -> Verdict {
    tried(random, rules, |maker| {
        let g = maker.line()?;
        let [p, q] = [maker.plane()?, maker.plane()?];
        Some(Box::new(move |trial| {
            let both: Of<Plane, Plane> = Arrow(Maps::pair(&p.0, &q.0));
            let axioms = reverse(&p, &g, &q, trial)?.and(reverse(&both, &p, &q, trial)?);
            Ok(axioms.and(forward_from_reverse(&p, trial)?))
        }))
    })
}

/// Tests that the approximants of a recursion increase. Those of `f x = if b < x then e x else f (s x)` are also
/// compared with their unfolding, a join of both branches.
pub fn chains_increase(random: Random, rules: &Arc<dyn Hooks>) -> Verdict {
    tried(random, rules, |maker| {
        let any = maker.line()?;
        let (border, [above, below]) = maker.sides()?;
        let plain = |maker: &mut Maker| maker.program(&Ty::Real, |sample| sample.shape == Shape::Plain);
        let (end, step) = (plain(maker)?, plain(maker)?);
        let [x, f] = ["x", "f"].map(|name| Variable::fresh(&name.into()));
        let at = |sample: &Sample| Renaming::substitute(&sample.term, &sample.x, Term::variable(&x));
        let again: Term = TermKind::Call(f.clone(), at(&step)).into();
        let body = Term::if_less(Term::number(border), Term::variable(&x), at(&end), again);
        let (domain, codomain) = (Ty::Real, Ty::Real);
        let definition = Definition { function: f.clone(), parameter: x.clone(), domain, codomain, body, limit: None };
        let y = Variable::fresh(&"y".into());
        let call: Term = TermKind::Call(f, Term::variable(&y)).into();
        let whole: Of<Line, Line> = arrow(&y, &Ty::Real, &TermKind::LetRec(Arc::new(definition), call).into())?;
        let end: Of<Line, Line> = arrow(&end.x, &Ty::Real, &end.term)?;
        let step: Of<Line, Line> = arrow(&step.x, &Ty::Real, &step.term)?;
        let nowhere: Of<Line, Line> = arrow(&y, &Ty::Real, &nothing())?;
        let n = maker.random.below(4) as u64;
        Some(Box::new(move |trial| {
            // F(f) = (x > b; e) ∨ (x < b; s; f)
            let unfold = |f: &PartialMap<Line, Line>| Maps::join(&above.then(&end).0, &below.then(&step).0.then(f));
            let unfolded = unfolding::<Maps, Line, Line>(&whole.0, unfold, &nowhere, n, trial)?;
            let increase = chain::<Maps, Line, Line>(&any.0, &[0, 1, 2, 5], trial)?;
            Ok(unfolded.and(increase).and(chain::<Maps, Line, Line>(&whole.0, &[0, 1, 3], trial)?))
        }))
    })
}
