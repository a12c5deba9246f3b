//! The laws of functors out of programs: preservation of structure, of operations, and uniqueness (H Lemma 4).
//!
//! A functor F preserves products if its comparison `F(A × B) → FA × FB` is an isomorphism, and likewise for 1, ⇒, 0, +
//! and lists. The [functor](ProgramFunctor) gives the inverses, the laws test that they are inverse on both sides. Two
//! functors that preserve the structure and agree on operations are equal, up to the isomorphism that the comparisons make
//! ([`transfer`]): that is uniqueness, which [`unique`] tests on programs.
//!
//! | law | equation |
//! |---|---|
//! | [`well_defined`] | `F(t) = F(s)`, where s is the normal form of t |
//! | [`preserves`] | a comparison and its inverse compose to identities |
//! | [`keeps_operations`] | F(op) is the arrow of an interpretation, through the comparisons |
//! | [`unique`] | `F(t).then(τ) = τ.then(G(t))` for the transfer τ : F ≅ G |

use crate::category::value::{
    ArrowError, ArrowResult, ValueBicartesianClosed, ValueCartesian, ValueCategory, ValueClosed, ValueCocartesian,
    ValueLists, ValueSetoid,
};
use crate::model::interpretation::{Comparison, Interpret, Interpretation, Operation, ProgramFunctor, TargetObject};
use crate::random::SplitMix64;
use crate::simple::Terms;
use crate::syntax::data::DataType;
use crate::syntax::normal::normalise;
use crate::syntax::term::Term;
use crate::syntax::ty::{Ty, TyKind};
use crate::verdict::Verdict;

/// A verdict, or the error of an arrow that could not be made.
pub type FunctorLawResult<F> = Result<Verdict, ArrowError<<<F as ProgramFunctor>::Target as ValueCategory>::Error>>;

/// The configuration of a test in the target of a functor.
pub type TargetTrial<F> = <<F as ProgramFunctor>::Target as ValueSetoid>::Trial;

/// Returns A + B, as a type of programs.
#[must_use]
pub fn sum_type(a: &Ty, b: &Ty) -> Ty {
    Ty::new(TyKind::Data(DataType::sum(2), vec![a.clone(), b.clone()]))
}

/// Returns A × B, as a type of programs.
#[must_use]
pub fn product_type(a: &Ty, b: &Ty) -> Ty {
    Ty::new(TyKind::Tuple(vec![a.clone(), b.clone()]))
}

/// Draws a type that is made of ℝ, 1, ×, +, ⇒ and List.
pub fn draw_simple_type(random: &mut SplitMix64, depth: usize) -> Ty {
    let choices = [(4, 0), (1, 1), (2, 2), (2, 3), (2, 4), (1, 5)];
    let choice = random.pick_weighted(if depth == 0 { &choices[..1] } else { &choices });
    let mut part = || draw_simple_type(random, depth.saturating_sub(1));
    match choice {
        0 => Ty::real(),
        1 => Ty::unit(),
        2 => product_type(&part(), &part()),
        3 => sum_type(&part(), &part()),
        4 => Ty::function(part(), part()),
        _ => Ty::list(part()),
    }
}

/// Returns the types that are smaller than a type: ℝ, its parts, and the type with one part smaller. Smaller means of fewer
/// nodes, or of as many with more of them ℝ.
#[must_use]
pub fn smaller_types(ty: &Ty) -> Vec<Ty> {
    let parts = type_parts(ty);
    let mut found = if *ty == Ty::real() { Vec::new() } else { vec![Ty::real()] };
    found.extend(parts.iter().cloned());
    // the number of parts stays, since a variant has one argument for each parameter of its declaration
    for (place, part) in parts.iter().enumerate() {
        found.extend(smaller_types(part).into_iter().map(|smaller| {
            let mut parts = parts.clone();
            parts[place] = smaller;
            match ty.kind() {
                TyKind::Function(..) => Ty::function(parts[0].clone(), parts[1].clone()),
                TyKind::Data(data, _) => Ty::new(TyKind::Data(data.clone(), parts)),
                _ => Ty::new(TyKind::Tuple(parts)),
            }
        }));
    }
    found
}

/// Returns the parts of a function type, a product, a variant or a list. Empty for other types.
fn type_parts(ty: &Ty) -> Vec<Ty> {
    match ty.kind() {
        TyKind::Tuple(parts) | TyKind::Data(_, parts) => parts.clone(),
        TyKind::Function(domain, codomain) => vec![domain.clone(), codomain.clone()],
        _ => Vec::new(),
    }
}

/// Returns the number of atoms of a type that are not ℝ.
#[must_use]
pub fn other_atoms(ty: &Ty) -> usize {
    match type_parts(ty) {
        parts if parts.is_empty() => usize::from(*ty != Ty::real()),
        parts => parts.iter().map(other_atoms).sum(),
    }
}

/// Returns the source and the target of a comparison.
fn comparison_ends<F: ProgramFunctor>(functor: &F, of: &Comparison) -> ResultOf<F, [TargetObject<F>; 2]> {
    let c = functor.target();
    let object = |ty: &Ty| functor.object_of(ty);
    Ok(match of {
        Comparison::Terminal => [object(&Ty::unit())?, c.terminal_object()],
        Comparison::Product(a, b) => [object(&product_type(a, b))?, c.product_object(&object(a)?, &object(b)?)],
        Comparison::Exponential(a, b) => {
            [object(&Ty::function(a.clone(), b.clone()))?, c.exponential_object(&object(a)?, &object(b)?)]
        }
        Comparison::Initial => [c.initial_object(), object(&empty_type())?],
        Comparison::Sum(a, b) => [c.sum_object(&object(a)?, &object(b)?), object(&sum_type(a, b))?],
        Comparison::List(a) => [c.list_object(&object(a)?), object(&Ty::list(a.clone()))?],
    })
}

/// A value, or the error of an arrow that could not be made.
type ResultOf<F, T> = Result<T, ArrowError<<<F as ProgramFunctor>::Target as ValueCategory>::Error>>;

fn empty_type() -> Ty {
    Ty::new(TyKind::Data(DataType::sum(0), Vec::new()))
}

/// A program of the structure, by its name in the laws of [`category`](super::category).
fn structure_program<F: ProgramFunctor>(
    functor: &F,
    program: Result<Term, impl std::fmt::Display>,
    [from, to]: [&Ty; 2],
) -> ArrowResult<F::Target> {
    let program =
        program.map_err(|error| ArrowError::NoImage { functor: "programs".into(), construct: error.to_string() })?;
    functor.arrow_of(&program, from, to)
}

/// Returns the comparison arrow of a functor.
///
/// # Errors
/// Those of the functor and of its target.
pub fn comparison<F: ProgramFunctor>(functor: &F, of: &Comparison) -> ArrowResult<F::Target> {
    let c = functor.target();
    let [source, target] = comparison_ends(functor, of)?;
    let object = |ty: &Ty| functor.object_of(ty);
    match of {
        Comparison::Terminal => c.terminal(&source),
        Comparison::Initial => c.initial(&target),
        Comparison::Product(a, b) => {
            let whole = product_type(a, b);
            let first = structure_program(functor, ValueCartesian::first(&Terms, [a, b]), [&whole, a])?;
            let second = structure_program(functor, ValueCartesian::second(&Terms, [a, b]), [&whole, b])?;
            c.pair([&source, &object(a)?, &object(b)?], &first, &second)
        }
        Comparison::Exponential(a, b) => {
            let function = Ty::function(a.clone(), b.clone());
            let both = product_type(&function, a);
            // F(A ⇒ B) × FA ≅ F((A ⇒ B) × A) → FB
            let from = c.product_object(&source, &object(a)?);
            let joined = functor.inverse_of(&Comparison::Product(function, a.clone()))?;
            let apply = structure_program(functor, ValueClosed::apply(&Terms, [a, b]), [&both, b])?;
            let uncurried = c.then([&from, &object(&both)?, &object(b)?], &joined, &apply)?;
            c.curry([&source, &object(a)?, &object(b)?], &uncurried)
        }
        Comparison::Sum(a, b) => {
            let whole = sum_type(a, b);
            let left = structure_program(functor, ValueCocartesian::left(&Terms, [a, b]), [a, &whole])?;
            let right = structure_program(functor, ValueCocartesian::right(&Terms, [a, b]), [b, &whole])?;
            c.case([&object(a)?, &object(b)?, &target], &left, &right)
        }
        Comparison::List(a) => {
            let (list, unit) = (Ty::list(a.clone()), Ty::unit());
            let cell = product_type(a, &list);
            let nil = structure_program(functor, ValueLists::nil(&Terms, a), [&unit, &list])?;
            let cons = structure_program(functor, ValueLists::cons(&Terms, a), [&cell, &list])?;
            let start = functor.inverse_of(&Comparison::Terminal)?;
            let start = c.then([&c.terminal_object(), &object(&unit)?, &target], &start, &nil)?;
            let step = functor.inverse_of(&Comparison::Product(a.clone(), list))?;
            let from = c.product_object(&object(a)?, &target);
            let step = c.then([&from, &object(&cell)?, &target], &step, &cons)?;
            c.fold([&object(a)?, &target], &start, &step)
        }
    }
}

/// **Preservation.** A comparison and the inverse that the functor gives compose to the identity on both sides.
///
/// # Errors
/// Those of the functor and of its target, here and in all laws.
pub fn preserves<F: ProgramFunctor<Target: ValueSetoid>>(
    functor: &F,
    of: &Comparison,
    trial: &TargetTrial<F>,
) -> FunctorLawResult<F> {
    let c = functor.target();
    let [source, target] = comparison_ends(functor, of)?;
    let (to, from) = (comparison(functor, of)?, functor.inverse_of(of)?);
    let there = c.then([&source, &target, &source], &to, &from)?;
    let back = c.then([&target, &source, &target], &from, &to)?;
    let there = c.agree([&source, &source], &there, &c.identity(&source)?, trial)?;
    Ok(there.and(c.agree([&target, &target], &back, &c.identity(&target)?, trial)?))
}

/// Tests [`preserves`] at each part of the structure, by its name.
///
/// A part whose arrows the functor cannot give has its error.
pub fn check_preservation<F: ProgramFunctor<Target: ValueSetoid>>(
    functor: &F,
    [a, b]: [&Ty; 2],
    trial: &TargetTrial<F>,
) -> Vec<(&'static str, FunctorLawResult<F>)> {
    let two = |make: fn(Ty, Ty) -> Comparison| make(a.clone(), b.clone());
    let parts = [
        ("1", Comparison::Terminal),
        ("products", two(Comparison::Product)),
        ("exponentials", two(Comparison::Exponential)),
        ("0", Comparison::Initial),
        ("sums", two(Comparison::Sum)),
        ("lists", Comparison::List(a.clone())),
    ];
    parts.into_iter().map(|(name, of)| (name, preserves(functor, &of, trial))).collect()
}

/// **Programs modulo βη.** `F(t) = F(s)`, where s is the normal form of t.
///
/// # Errors
/// As for [`preserves`]. A program without a normal form within the limits is vacuous.
pub fn well_defined<F: ProgramFunctor<Target: ValueSetoid>>(
    functor: &F,
    program: &Term,
    [from, to]: [&Ty; 2],
    trial: &TargetTrial<F>,
) -> FunctorLawResult<F> {
    let Ok(normal) = normalise(program).and_then(|normal| normal.to_term()) else { return Ok(Verdict::Vacuous) };
    let images = [functor.arrow_of(program, from, to)?, functor.arrow_of(&normal, from, to)?];
    functor.target().agree([&functor.object_of(from)?, &functor.object_of(to)?], &images[0], &images[1], trial)
}

/// Two arrows, there and back.
pub type TransferPair<C> = [<C as ValueCategory>::Arrow; 2];

/// Returns the isomorphism FA → GA and its inverse, made of the comparisons of two functors into one category.
///
/// | argument | meaning |
/// |---|---|
/// | `real` | the isomorphism at real: F(real) → G(real), and back |
/// | `ty` | A, made of ℝ, 1, ×, ⇒, 0, + and List |
///
/// # Errors
/// [`ArrowError::NoImage`] at another type; those of the functors.
pub fn transfer<C: ValueBicartesianClosed>(
    f: &impl ProgramFunctor<Target = C>,
    g: &impl ProgramFunctor<Target = C>,
    real: &TransferPair<C>,
    ty: &Ty,
) -> Result<TransferPair<C>, ArrowError<C::Error>> {
    let c = f.target();
    let part = |ty: &Ty| transfer(f, g, real, ty);
    let ends = |ty: &Ty| Ok::<_, ArrowError<C::Error>>([f.object_of(ty)?, g.object_of(ty)?]);
    let no_image = || ArrowError::NoImage {
        functor: "the comparison of two functors".into(),
        construct: format!("the type {ty}"),
    };
    // of a comparison out of F(…): through it, across the parts, and back by the inverse of the other functor
    let out = |of: &Comparison, across: TransferPair<C>| {
        let ([fs, ft], [gs, gt]) = (comparison_ends(f, of)?, comparison_ends(g, of)?);
        let to = c.then([&fs, &ft, &gt], &comparison(f, of)?, &across[0])?;
        let back = c.then([&gs, &gt, &ft], &comparison(g, of)?, &across[1])?;
        Ok([c.then([&fs, &gt, &gs], &to, &g.inverse_of(of)?)?, c.then([&gs, &ft, &fs], &back, &f.inverse_of(of)?)?])
    };
    // of a comparison into F(…): first its inverse
    let into = |of: &Comparison, across: TransferPair<C>| {
        let ([fs, ft], [gs, gt]) = (comparison_ends(f, of)?, comparison_ends(g, of)?);
        let to = c.then([&ft, &fs, &gs], &f.inverse_of(of)?, &across[0])?;
        let back = c.then([&gt, &gs, &fs], &g.inverse_of(of)?, &across[1])?;
        Ok([c.then([&ft, &gs, &gt], &to, &comparison(g, of)?)?, c.then([&gt, &fs, &ft], &back, &comparison(f, of)?)?])
    };
    match ty.kind() {
        TyKind::Real => Ok(real.clone()),
        TyKind::Unit => {
            let one = c.identity(&c.terminal_object())?;
            out(&Comparison::Terminal, [one.clone(), one])
        }
        TyKind::Tuple(parts) if parts.len() == 2 => {
            let ([a0, a1], [b0, b1]) = (ends(&parts[0])?, ends(&parts[1])?);
            let ([a_to, a_from], [b_to, b_from]) = (part(&parts[0])?, part(&parts[1])?);
            let across = |[a, b]: [&_; 2], [x, y]: [&_; 2], f: &_, g: &_| {
                let from = c.product_object(a, b);
                let left = c.then([&from, a, x], &c.first([a, b])?, f)?;
                c.pair([&from, x, y], &left, &c.then([&from, b, y], &c.second([a, b])?, g)?)
            };
            let pair =
                [across([&a0, &b0], [&a1, &b1], &a_to, &b_to)?, across([&a1, &b1], [&a0, &b0], &a_from, &b_from)?];
            out(&Comparison::Product(parts[0].clone(), parts[1].clone()), pair)
        }
        TyKind::Function(a, b) => {
            let ([a0, a1], [b0, b1]) = (ends(a)?, ends(b)?);
            let ([a_to, a_from], [b_to, b_from]) = (part(a)?, part(b)?);
            // a function after the way back of its argument, before the way there of its result
            let across = |[a, b]: [&_; 2], [x, y]: [&_; 2], f: &_, g: &_| {
                let function = c.exponential_object(a, b);
                let (from, applied) = (c.product_object(&function, x), c.product_object(&function, a));
                let argument = c.then([&from, x, a], &c.second([&function, x])?, f)?;
                let both = c.pair([&from, &function, a], &c.first([&function, x])?, &argument)?;
                let result = c.then([&from, &applied, b], &both, &c.apply([a, b])?)?;
                c.curry([&function, x, y], &c.then([&from, b, y], &result, g)?)
            };
            let pair =
                [across([&a0, &b0], [&a1, &b1], &a_from, &b_to)?, across([&a1, &b1], [&a0, &b0], &a_to, &b_from)?];
            out(&Comparison::Exponential(a.clone(), b.clone()), pair)
        }
        TyKind::Data(data, arguments) if data.is_list() => {
            let [a] = arguments.as_slice() else { return Err(no_image()) };
            let ([a0, a1], [a_to, a_from]) = (ends(a)?, part(a)?);
            let across = |a: &_, x: &_, f: &_| {
                let list = c.list_object(x);
                let (from, cell) = (c.product_object(a, &list), c.product_object(x, &list));
                let head = c.then([&from, a, x], &c.first([a, &list])?, f)?;
                let step = c.pair([&from, x, &list], &head, &c.second([a, &list])?)?;
                c.fold([a, &list], &c.nil(x)?, &c.then([&from, &cell, &list], &step, &c.cons(x)?)?)
            };
            into(&Comparison::List(a.clone()), [across(&a0, &a1, &a_to)?, across(&a1, &a0, &a_from)?])
        }
        TyKind::Data(data, arguments) if *data == DataType::sum(2) => {
            let [a, b] = arguments.as_slice() else { return Err(no_image()) };
            let ([a0, a1], [b0, b1]) = (ends(a)?, ends(b)?);
            let ([a_to, a_from], [b_to, b_from]) = (part(a)?, part(b)?);
            let across = |[a, b]: [&_; 2], [x, y]: [&_; 2], f: &_, g: &_| {
                let sum = c.sum_object(x, y);
                let left = c.then([a, x, &sum], f, &c.left([x, y])?)?;
                c.case([a, b, &sum], &left, &c.then([b, y, &sum], g, &c.right([x, y])?)?)
            };
            let pair =
                [across([&a0, &b0], [&a1, &b1], &a_to, &b_to)?, across([&a1, &b1], [&a0, &b0], &a_from, &b_from)?];
            into(&Comparison::Sum(a.clone(), b.clone()), pair)
        }
        TyKind::Data(data, _) if *data == DataType::sum(0) => {
            let zero = c.identity(&c.initial_object())?;
            into(&Comparison::Initial, [zero.clone(), zero])
        }
        _ => Err(no_image()),
    }
}

/// **Uniqueness.** `F(t).then(τ) = τ.then(G(t))` for the [`transfer`] τ of two functors.
///
/// A premise is that both preserve the structure and agree on operations; then no program refutes it (H Lemma 4).
///
/// # Errors
/// As for [`preserves`] and [`transfer`].
pub fn unique<C: ValueBicartesianClosed + ValueSetoid>(
    f: &impl ProgramFunctor<Target = C>,
    g: &impl ProgramFunctor<Target = C>,
    real: &TransferPair<C>,
    (program, [from, to]): (&Term, [&Ty; 2]),
    trial: &C::Trial,
) -> Result<Verdict, ArrowError<C::Error>> {
    let c = f.target();
    let (source, target) = (transfer(f, g, real, from)?, transfer(f, g, real, to)?);
    let ([fa, ga], [fb, gb]) = ([f.object_of(from)?, g.object_of(from)?], [f.object_of(to)?, g.object_of(to)?]);
    let first = c.then([&fa, &fb, &gb], &f.arrow_of(program, from, to)?, &target[0])?;
    let second = c.then([&fa, &ga, &gb], &source[0], &g.arrow_of(program, from, to)?)?;
    c.agree([&fa, &gb], &first, &second, trial)
}

/// **Operations.** F(op) is the arrow that an interpretation gives for op, through the [`transfer`] to the functor that it
/// determines.
///
/// # Errors
/// As for [`unique`].
pub fn keeps_operations<C: ValueBicartesianClosed + ValueSetoid, I: Interpretation<C>>(
    functor: &impl ProgramFunctor<Target = C>,
    interpret: &Interpret<C, I>,
    real: &TransferPair<C>,
    operation: &Operation,
    trial: &C::Trial,
) -> Result<Verdict, ArrowError<C::Error>> {
    let c = functor.target();
    let (from, to) = (operation.domain(), operation.codomain());
    let (source, target) = (transfer(functor, interpret, real, &from)?, transfer(functor, interpret, real, &to)?);
    let [fa, ga] = [functor.object_of(&from)?, interpret.object_of(&from)?];
    let [fb, gb] = [functor.object_of(&to)?, interpret.object_of(&to)?];
    let first = c.then([&fa, &fb, &gb], &functor.arrow_of(&operation.to_program(), &from, &to)?, &target[0])?;
    let given = interpret.interpretation.operation(c, operation)?;
    c.agree([&fa, &gb], &first, &c.then([&fa, &ga, &gb], &source[0], &given)?, trial)
}
