//! Shrinking of terms: a failure is reported on a term without a smaller neighbour that fails, within a limit of
//! attempts.
//!
//! A neighbour differs in one subterm. That is replaced by a simplest term of its type, by a part of its own with the
//! same type, by its β-reduct, or by itself with a simpler number. Scopes are not checked. A neighbour that mentions an
//! unbound variable is not a program, and the test must not count it as a failure.

use super::term::{Head, Id, Rise, Term};
use crate::number::Rational;
use crate::random::Random;
use crate::syntax::constant::Constant;
use crate::syntax::ty::{Ty, TyKind};

/// Returns the smallest failing term that is found by going from neighbour to neighbour. `fails` is called at most
/// `patience` times, and never on `term` itself.
pub fn smallest(term: Term, patience: usize, mut fails: impl FnMut(&Term) -> bool) -> Term {
    let (mut best, mut asked) = (term, 0);
    'again: loop {
        let cost = best.cost();
        // the cost decreases strictly in a well-founded order, so the loop ends even without the limit
        let mut next: Vec<Term> = neighbours(&best).into_iter().filter(|t| t.cost() < cost).collect();
        // cheapest first: one large step saves many small ones
        next.sort_by_key(Term::cost);
        next.dedup();
        for candidate in next {
            if asked == patience {
                return best;
            }
            asked += 1;
            if fails(&candidate) {
                best = candidate;
                continue 'again;
            }
        }
        return best;
    }
}

/// Returns the terms that differ from `term` in one subterm. Some are larger, and some are not closed.
fn neighbours(term: &Term) -> Vec<Term> {
    let mut found = replacements(term);
    for (i, part) in term.parts.iter().enumerate() {
        found.extend(neighbours(part).into_iter().map(|smaller| {
            let mut parts = term.parts.clone();
            parts[i] = smaller;
            Term { head: term.head.clone(), ty: term.ty.clone(), parts }
        }));
    }
    found
}

/// Returns the candidates that may replace a whole term.
fn replacements(term: &Term) -> Vec<Term> {
    let mut found = simplest(&term.ty);
    // a choice: parts down to depth 3 skip several heads at once
    descendants(term, &term.ty, 3, &mut found);
    let leaf = |head: Head| Term::new(head, term.ty.clone(), Vec::new());
    match (&term.head, &term.parts[..]) {
        (Head::Real(q), _) => found.extend(simpler(q).into_iter().map(Term::real)),
        (Head::Nat(n), _) => found.extend([n / 2, n.saturating_sub(1)].map(|n| leaf(Head::Nat(n)))),
        (Head::Power(q), [part]) => {
            let with = |q| Term::new(Head::Power(q), term.ty.clone(), vec![part.clone()]);
            found.extend(simpler(q).into_iter().map(with));
        }
        (Head::CutRoot(id, rise), parts) if *rise != Rise::Line => {
            found.push(Term::new(Head::CutRoot(*id, Rise::Line), term.ty.clone(), parts.to_vec()));
        }
        // β-reduction copies the value, so the result may be larger; the filter of `smallest` decides
        (Head::Let(id), [value, body]) => found.push(substituted(body, *id, value)),
        (Head::Apply, [function, argument]) => {
            if let (Head::Lambda(id, _), [body]) = (&function.head, &function.parts[..]) {
                found.push(substituted(body, *id, argument));
            }
        }
        (Head::Match(_, binders), [scrutinee, branches @ ..]) => {
            if let Head::Inject(constructor) = &scrutinee.head {
                let place = constructor.index();
                let bound = binders[place].iter().zip(&scrutinee.parts);
                found.push(bound.fold(branches[place].clone(), |body, (id, part)| substituted(&body, *id, part)));
            }
        }
        (Head::Call(Constant::Fold), [step, start, list]) => {
            if let (Head::Inject(_), [head, rest]) = (&list.head, &list.parts[..])
                && let TyKind::Function(_, step_at) = step.ty.kind()
            {
                let rest = Term::call(Constant::Fold, term.ty.clone(), vec![step.clone(), start.clone(), rest.clone()]);
                let applied = Term::new(Head::Apply, step_at.clone(), vec![step.clone(), head.clone()]);
                found.push(Term::new(Head::Apply, term.ty.clone(), vec![applied, rest]));
            }
        }
        (Head::Project(i), [tuple]) if tuple.head == Head::Tuple => found.extend(tuple.parts.get(*i).cloned()),
        (head, [choice]) if choice.head == Head::If => {
            // push a projection into the branches: `(if c then (a, b) else (d, e))[0]` becomes `if c then a else d`
            if let (Some(i), [condition, then, otherwise]) = (component(head), &choice.parts[..])
                && then.head == Head::Tuple
                && otherwise.head == Head::Tuple
                && let (Some(then), Some(otherwise)) = (then.parts.get(i), otherwise.parts.get(i))
            {
                let parts = vec![condition.clone(), then.clone(), otherwise.clone()];
                found.push(Term::new(Head::If, term.ty.clone(), parts));
            }
        }
        _ => {}
    }
    found
}

/// Returns the index of the component that a head projects to. Returns `None` if it is no projection.
fn component(head: &Head) -> Option<usize> {
    match head {
        Head::Project(i) => Some(*i),
        Head::Call(Constant::Fst) => Some(0),
        Head::Call(Constant::Snd) => Some(1),
        _ => None,
    }
}

/// Returns the simplest terms of a type. Empty if the type has no obvious one.
fn simplest(ty: &Ty) -> Vec<Term> {
    match ty.kind() {
        TyKind::Real => [0, 1, 2].map(Term::real).to_vec(),
        TyKind::Nat => vec![Term::new(Head::Nat(0), ty.clone(), Vec::new())],
        TyKind::Bool => [true, false].map(|b| Term::new(Head::Bool(b), ty.clone(), Vec::new())).to_vec(),
        TyKind::Data(data, _) => {
            let constants = data.constructors().filter(|constructor| constructor.layer().is_none());
            constants.map(|constructor| Term::new(Head::Inject(constructor), ty.clone(), Vec::new())).collect()
        }
        TyKind::Function(domain, codomain) if domain == codomain => {
            // generated binders count from 1, so 0 is free
            let id = 0;
            let body = Term::new(Head::Variable(id), codomain.clone(), Vec::new());
            vec![Term::new(Head::Lambda(id, domain.clone()), ty.clone(), vec![body])]
        }
        _ => Vec::new(),
    }
}

/// Collects the proper subterms of type `ty`, down to depth `depth + 1`.
fn descendants(term: &Term, ty: &Ty, depth: u32, into: &mut Vec<Term>) {
    for part in &term.parts {
        if part.ty == *ty {
            into.push(part.clone());
        }
        if depth > 0 {
            descendants(part, ty, depth - 1, into);
        }
    }
}

/// Returns candidates for a simpler number than `q`; some may be more complex.
fn simpler(q: &Rational) -> Vec<Rational> {
    let mut simpler: Vec<Rational> = [0, 1, 2].map(Rational::from).to_vec();
    simpler.extend([Rational::from(-q), q.clone().abs().floor(), q.clone().abs().ceil(), Rational::from((1, 2))]);
    let half = Rational::from(q / 2u32).abs().floor();
    simpler.extend([Rational::from(q * 2u32), Rational::from(q / 2u32), half.clone(), half + 1u32]);
    simpler
}

/// Returns the term with `value` in the place of the variable `id`. Binders are unique, so no variable is captured.
fn substituted(term: &Term, id: Id, value: &Term) -> Term {
    if term.head == Head::Variable(id) {
        return value.clone();
    }
    let parts = term.parts.iter().map(|part| substituted(part, id, value)).collect();
    Term { head: term.head.clone(), ty: term.ty.clone(), parts }
}

/// Returns a random neighbour of a term, for mutations. It need not be smaller.
#[must_use]
pub fn neighbour(term: &Term, random: &mut Random) -> Term {
    if term.parts.is_empty() || random.chance(25) {
        let mut found = replacements(term);
        return if found.is_empty() { term.clone() } else { found.swap_remove(random.below(found.len())) };
    }
    let at = random.below(term.parts.len());
    let mut parts = term.parts.clone();
    parts[at] = neighbour(&term.parts[at], random);
    Term { head: term.head.clone(), ty: term.ty.clone(), parts }
}
