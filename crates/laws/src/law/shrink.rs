//! Shrinking of terms: a failure is reported on a term without a smaller neighbour that fails, within a limit of
//! attempts.
//!
//! A neighbour differs in one subterm. That is replaced by a simplest term of its type, by a part of its own with the
//! same type, by its β-reduct, or by itself with a simpler number. Scopes are not checked. A neighbour that mentions an
//! unbound variable is not a program, and the test must not count it as a failure.

use super::term::{BinderId, IncreasingFunction, TermHead, TestTerm};
use crate::number::Rational;
use crate::random::SplitMix64;
use crate::syntax::constant::Constant;
use crate::syntax::ty::{Ty, TyKind};

/// Returns the smallest failing term that is found by going from neighbour to neighbour. `fails` is called at most
/// `patience` times, and never on `term` itself.
pub fn shrink_term(term: TestTerm, patience: usize, mut fails: impl FnMut(&TestTerm) -> bool) -> TestTerm {
    let (mut best, mut asked) = (term, 0);
    'again: loop {
        let cost = best.shrink_cost();
        // the cost decreases strictly in a well-founded order, so the loop ends even without the limit
        let mut next: Vec<TestTerm> = term_neighbours(&best).into_iter().filter(|t| t.shrink_cost() < cost).collect();
        // cheapest first: one large step saves many small ones
        next.sort_by_key(TestTerm::shrink_cost);
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
fn term_neighbours(term: &TestTerm) -> Vec<TestTerm> {
    let mut found = root_replacements(term);
    for (i, part) in term.parts.iter().enumerate() {
        found.extend(term_neighbours(part).into_iter().map(|smaller| {
            let mut parts = term.parts.clone();
            parts[i] = smaller;
            TestTerm { head: term.head.clone(), ty: term.ty.clone(), parts }
        }));
    }
    found
}

/// Returns the candidates that may replace a whole term.
fn root_replacements(term: &TestTerm) -> Vec<TestTerm> {
    let mut found = simplest_terms(&term.ty);
    // a choice: parts down to depth 3 skip several heads at once
    collect_descendants(term, &term.ty, 3, &mut found);
    let leaf = |head: TermHead| TestTerm::new(head, term.ty.clone(), Vec::new());
    match (&term.head, &term.parts[..]) {
        (TermHead::Real(q), _) => found.extend(simpler_numbers(q).into_iter().map(TestTerm::real_literal)),
        (TermHead::Nat(n), _) => found.extend([n / 2, n.saturating_sub(1)].map(|n| leaf(TermHead::Nat(n)))),
        (TermHead::Power(q), [part]) => {
            let with = |q| TestTerm::new(TermHead::Power(q), term.ty.clone(), vec![part.clone()]);
            found.extend(simpler_numbers(q).into_iter().map(with));
        }
        (TermHead::CutRoot(id, rise), parts) if *rise != IncreasingFunction::Identity => {
            found.push(TestTerm::new(
                TermHead::CutRoot(*id, IncreasingFunction::Identity),
                term.ty.clone(),
                parts.to_vec(),
            ));
        }
        // β-reduction copies the value, so the result may be larger; the filter of `shrink_term` decides
        (TermHead::Let(id), [value, body]) => found.push(substitute_variable(body, *id, value)),
        (TermHead::Apply, [function, argument]) => {
            if let (TermHead::Lambda(id, _), [body]) = (&function.head, &function.parts[..]) {
                found.push(substitute_variable(body, *id, argument));
            }
        }
        (TermHead::Match(_, binders), [scrutinee, branches @ ..]) => {
            if let TermHead::Inject(constructor) = &scrutinee.head {
                let place = constructor.index();
                let bound = binders[place].iter().zip(&scrutinee.parts);
                found.push(
                    bound.fold(branches[place].clone(), |body, (id, part)| substitute_variable(&body, *id, part)),
                );
            }
        }
        (TermHead::Call(Constant::Fold), [step, start, list]) => {
            if let (TermHead::Inject(_), [head, rest]) = (&list.head, &list.parts[..])
                && let TyKind::Function(_, step_at) = step.ty.kind()
            {
                let rest = TestTerm::apply_constant(
                    Constant::Fold,
                    term.ty.clone(),
                    vec![step.clone(), start.clone(), rest.clone()],
                );
                let applied = TestTerm::new(TermHead::Apply, step_at.clone(), vec![step.clone(), head.clone()]);
                found.push(TestTerm::new(TermHead::Apply, term.ty.clone(), vec![applied, rest]));
            }
        }
        (TermHead::Project(i), [tuple]) if tuple.head == TermHead::Tuple => found.extend(tuple.parts.get(*i).cloned()),
        (head, [choice]) if choice.head == TermHead::If => {
            // push a projection into the branches: `(if c then (a, b) else (d, e))[0]` becomes `if c then a else d`
            if let (Some(i), [condition, then, otherwise]) = (projected_index(head), &choice.parts[..])
                && then.head == TermHead::Tuple
                && otherwise.head == TermHead::Tuple
                && let (Some(then), Some(otherwise)) = (then.parts.get(i), otherwise.parts.get(i))
            {
                let parts = vec![condition.clone(), then.clone(), otherwise.clone()];
                found.push(TestTerm::new(TermHead::If, term.ty.clone(), parts));
            }
        }
        _ => {}
    }
    found
}

/// Returns the index of the component that a head projects to. Returns `None` if it is no projection.
fn projected_index(head: &TermHead) -> Option<usize> {
    match head {
        TermHead::Project(i) => Some(*i),
        TermHead::Call(Constant::Fst) => Some(0),
        TermHead::Call(Constant::Snd) => Some(1),
        _ => None,
    }
}

/// Returns the simplest terms of a type. Empty if the type has no obvious one.
fn simplest_terms(ty: &Ty) -> Vec<TestTerm> {
    match ty.kind() {
        TyKind::Real => [0, 1, 2].map(TestTerm::real_literal).to_vec(),
        TyKind::Nat => vec![TestTerm::new(TermHead::Nat(0), ty.clone(), Vec::new())],
        TyKind::Bool => [true, false].map(|b| TestTerm::new(TermHead::Bool(b), ty.clone(), Vec::new())).to_vec(),
        TyKind::Data(data, _) => {
            let constants = data.constructors().filter(|constructor| constructor.layer_type().is_none());
            constants.map(|constructor| TestTerm::new(TermHead::Inject(constructor), ty.clone(), Vec::new())).collect()
        }
        TyKind::Function(domain, codomain) if domain == codomain => {
            // generated binders count from 1, so 0 is free
            let id = 0;
            let body = TestTerm::new(TermHead::Variable(id), codomain.clone(), Vec::new());
            vec![TestTerm::new(TermHead::Lambda(id, domain.clone()), ty.clone(), vec![body])]
        }
        _ => Vec::new(),
    }
}

/// Collects the proper subterms of type `ty`, down to depth `depth + 1`.
fn collect_descendants(term: &TestTerm, ty: &Ty, depth: u32, into: &mut Vec<TestTerm>) {
    for part in &term.parts {
        if part.ty == *ty {
            into.push(part.clone());
        }
        if depth > 0 {
            collect_descendants(part, ty, depth - 1, into);
        }
    }
}

/// Returns candidates for a simpler number than `q`; some may be more complex.
fn simpler_numbers(q: &Rational) -> Vec<Rational> {
    let mut simpler: Vec<Rational> = [0, 1, 2].map(Rational::from).to_vec();
    simpler.extend([Rational::from(-q), q.clone().abs().floor(), q.clone().abs().ceil(), Rational::from((1, 2))]);
    let half = Rational::from(q / 2u32).abs().floor();
    simpler.extend([Rational::from(q * 2u32), Rational::from(q / 2u32), half.clone(), half + 1u32]);
    simpler
}

/// Returns the term with `value` in the place of the variable `id`. Binders are unique, so no variable is captured.
fn substitute_variable(term: &TestTerm, id: BinderId, value: &TestTerm) -> TestTerm {
    if term.head == TermHead::Variable(id) {
        return value.clone();
    }
    let parts = term.parts.iter().map(|part| substitute_variable(part, id, value)).collect();
    TestTerm { head: term.head.clone(), ty: term.ty.clone(), parts }
}

/// Returns a random neighbour of a term, for mutations. It need not be smaller.
#[must_use]
pub fn random_neighbour(term: &TestTerm, random: &mut SplitMix64) -> TestTerm {
    if term.parts.is_empty() || random.random_bool(25) {
        let mut found = root_replacements(term);
        return if found.is_empty() { term.clone() } else { found.swap_remove(random.next_below(found.len())) };
    }
    let at = random.next_below(term.parts.len());
    let mut parts = term.parts.clone();
    parts[at] = random_neighbour(&term.parts[at], random);
    TestTerm { head: term.head.clone(), ty: term.ty.clone(), parts }
}
