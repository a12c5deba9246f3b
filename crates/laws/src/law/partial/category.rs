//! Partial maps as a restriction category: the laws of [`law::restriction`](crate::law::restriction) on random maps.

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

type Plane = (Line, Line);
type Of<A, B> = Arrow<Maps, A, B>;

/// Random maps, and the numbers at which they change.
struct Maker {
    random: Random,
    borders: Vec<Rational>,
}

/// How many programs are drawn until one has the dimensions that are asked for.
const DRAWS: usize = 200;

impl Maker {
    /// A program from N to the reals that fits.
    fn program(&mut self, ty: &Ty, fits: impl Fn(&Sample) -> bool) -> Option<Sample> {
        let mut drawn = (0..DRAWS).map(|_| sample(Random::new(self.random.next())));
        // composites of functions that are their own derivatives take too many derivatives within each other
        let fits = |sample: &Sample| sample.shape != Shape::OwnDerivative && fits(sample);
        let found = drawn.find(|sample| sample.ty == *ty && sample.codomain == Ty::Real && fits(sample))?;
        self.borders.extend(found.points.iter().flat_map(|point| point.reals().into_iter().cloned()));
        Some(found)
    }

    fn map<A: Dim + Names<Maps>>(&mut self, ty: &Ty) -> Option<Of<A, Line>> {
        let Sample { x, term, .. } = self.program(ty, |_| true)?;
        arrow(&x, ty, &term)
    }

    fn line(&mut self) -> Option<Of<Line, Line>> {
        self.map(&Ty::Real)
    }

    fn plane(&mut self) -> Option<Of<Plane, Line>> {
        self.map(&Ty::reals(2))
    }

    /// A border, and the maps that are the identity above and below it.
    fn sides(&mut self) -> Option<(Rational, [Of<Line, Line>; 2])> {
        let border = Rational::from(self.random.below(7) as i64 - 3);
        self.borders.push(border.clone());
        let x = Variable::fresh(&"x".into());
        let side = |below: bool| {
            let (at, border) = (Term::variable(&x), Term::number(border.clone()));
            let (left, right) = if below { (at.clone(), border) } else { (border, at.clone()) };
            arrow(&x, &Ty::Real, &Term::if_less(left, right, at, nothing()))
        };
        Some((border.clone(), [side(false)?, side(true)?]))
    }

    fn trial(mut self, rules: &Arc<dyn Hooks>) -> Trial {
        Trial { seed: self.random.next(), samples: 6, borders: self.borders, work: 2_000, hooks: rules.clone() }
    }
}

/// ⊥, of type real.
fn nothing() -> Term {
    Term::binary(Operation::Divide, Term::number(1), Term::number(0))
}

fn arrow<A: Dim + Names<Maps>>(x: &Variable, ty: &Ty, term: &Term) -> Option<Of<A, Line>> {
    let program = in_language(&[(x.clone(), ty.clone())], term);
    PartialMap::of_program(&program, &ProgramTy::function(ty.in_language(), ProgramTy::real())).map(Arrow)
}

fn restricted<A: Names<Maps>>(to: &Of<A, Line>, f: &Of<A, Line>) -> Of<A, Line> {
    Arrow(Maps::then(&Maps::restriction(&to.0), &f.0))
}

/// What a law says of maps that a maker makes; nothing where none was found.
fn tried(
    random: Random,
    rules: &Arc<dyn Hooks>,
    law: impl FnOnce(&mut Maker) -> Option<Box<dyn FnOnce(&Trial) -> Result<Verdict, ValueError>>>,
) -> Verdict {
    let mut maker = Maker { random, borders: Vec::new() };
    let Some(law) = law(&mut maker) else { return Verdict::Vacuous };
    law(&maker.trial(rules)).unwrap_or_else(|error| Verdict::refuted("a random map", "a vector", error))
}

/// The laws of a category.
pub fn category_axioms(random: Random, rules: &Arc<dyn Hooks>) -> Verdict {
    tried(random, rules, |maker| {
        let (f, g, h) = (maker.plane()?, maker.line()?, maker.line()?);
        Some(Box::new(move |trial| Ok(identity(&f, trial)?.and(associativity(&f, &g, &h, trial)?))))
    })
}

/// R1 to R4, and that a pair is defined where both parts are.
pub fn restriction_axioms(random: Random, rules: &Arc<dyn Hooks>) -> Verdict {
    tried(random, rules, |maker| {
        let [f, g, h] = [maker.line()?, maker.line()?, maker.line()?];
        Some(Box::new(move |trial| Ok(restrictions(&f, &g, &h, trial)?.and(pairs(&f, &g, trial)?))))
    })
}

/// Joins of two parts of one map, and of two maps.
pub fn joins_are_least(random: Random, rules: &Arc<dyn Hooks>) -> Verdict {
    tried(random, rules, |maker| {
        let [k, h, other] = [maker.line()?, maker.line()?, maker.line()?];
        let (_, [above, below]) = maker.sides()?;
        let (f, g) = (restricted(&above, &h), restricted(&restricted(&other, &below), &h));
        Some(Box::new(move |trial| {
            let least = joins(&k, [&f, &g, &h], trial)?;
            Ok(least.and(meets(&h, &other, trial)?).and(differential_joins(&f, &g, trial)?))
        }))
    })
}

/// Forward derivatives, of maps of one number and of two.
pub fn differential_axioms(random: Random, rules: &Arc<dyn Hooks>) -> Verdict {
    tried(random, rules, |maker| {
        let [f, g, h] = [maker.line()?, maker.line()?, maker.line()?];
        let [p, q] = [maker.plane()?, maker.plane()?];
        Some(Box::new(move |trial| Ok(differential(&f, &g, &h, trial)?.and(differential(&p, &g, &q, trial)?))))
    })
}

/// Reverse derivatives, of maps of two numbers into one and, pairs of these, into two.
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

/// Approximants of a recursion increase; those of `f x = if b < x then e x else f (s x)` are what unfolding makes of them, by a
/// join of both sides.
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
            let unfold = |f: &PartialMap<Line, Line>| Maps::join(&above.then(&end).0, &below.then(&step).0.then(f));
            let unfolded = unfolding::<Maps, Line, Line>(&whole.0, unfold, &nowhere, n, trial)?;
            let increase = chain::<Maps, Line, Line>(&any.0, &[0, 1, 2, 5], trial)?;
            Ok(unfolded.and(increase).and(chain::<Maps, Line, Line>(&whole.0, &[0, 1, 3], trial)?))
        }))
    })
}
