//! Transformations of programs that keep their meaning, by definition of that meaning.

use crate::stack::deep;
use crate::trace::operation::Operation;
use crate::trace::renaming::Renaming;
use crate::trace::sugar;
use crate::trace::term::{Boolean, Definition, Term, TermKind, Variable};
use crate::trace::ty::Ty;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Turns every `if a < b then M else N` into `if b < a then N else M`, where the pair of a and b is written out.
pub(super) fn turned(term: &Term) -> Term {
    let kind = term.kind().map(&mut |part| deep(|| turned(part)));
    let TermKind::If(Boolean::Predicate(predicate, pair), then, otherwise) = &kind else { return kind.into() };
    let TermKind::Pair(t, u, left, right) = pair.kind() else { return kind.into() };
    // both sides are bound first, in their order: whichever is undefined stays first
    let [a, b] = ["a", "b"].map(|name| Variable::fresh(&name.into()));
    let pair = Term::pair(Ty::Real, Ty::Real, Term::variable(&b), Term::variable(&a));
    let choice = TermKind::If(Boolean::Predicate(*predicate, pair), otherwise.clone(), then.clone()).into();
    Term::bind(&a, t.clone(), left.clone(), Term::bind(&b, u.clone(), right.clone(), choice))
}

/// Renames all bound variables to one name. They remain different variables.
pub(super) fn alike(term: &Term) -> Term {
    call_alike(term, &mut Renaming::default())
}

/// Like [`alike`], under a renaming of the variables in scope.
fn call_alike(term: &Term, names: &mut Renaming) -> Term {
    let fresh = || Variable::fresh(&"v".into());
    deep(|| match term.kind() {
        TermKind::Variable(x) => names.get(x),
        TermKind::Let(x, ty, value, body) => {
            let (value, y) = (call_alike(value, names), fresh());
            let body = names.with(x, Term::variable(&y), |names| call_alike(body, names));
            Term::bind(&y, ty.clone(), value, body).at(term.site())
        }
        TermKind::Reverse { cotangent, point, variable, ty, body } => {
            let (cotangent, point, y) = (call_alike(cotangent, names), call_alike(point, names), fresh());
            let body = names.with(variable, Term::variable(&y), |names| call_alike(body, names));
            TermKind::Reverse { cotangent, point, variable: y, ty: ty.clone(), body }.into()
        }
        TermKind::LetRec(definition, rest) => {
            let parameter = fresh();
            let body = names
                .with(&definition.parameter, Term::variable(&parameter), |names| call_alike(&definition.body, names));
            let definition = Definition { parameter, body, ..(**definition).clone() };
            TermKind::LetRec(Arc::new(definition), call_alike(rest, names)).into()
        }
        kind => Term::from(kind.map(&mut |part| call_alike(part, names))).at(term.site()),
    })
}

/// Gives all functions different names.
pub(super) fn functions_apart(term: &Term) -> Term {
    rename(term, &FxHashMap::default())
}

/// Renames function variables, and every definition to a fresh name.
fn rename(term: &Term, names: &FxHashMap<Variable, Variable>) -> Term {
    deep(|| match term.kind() {
        TermKind::Call(f, argument) => {
            let f = names.get(f).unwrap_or(f).clone();
            TermKind::Call(f, rename(argument, names)).into()
        }
        TermKind::LetRec(definition, rest) => {
            let function = definition.function.renamed();
            let mut inside = names.clone();
            // the new name is in scope in the body as well, since definitions are recursive
            inside.insert(definition.function.clone(), function.clone());
            let body = rename(&definition.body, &inside);
            let definition = Definition { function, body, ..(**definition).clone() };
            TermKind::LetRec(Arc::new(definition), rename(rest, &inside)).into()
        }
        kind => kind.map(&mut |part| rename(part, names)).into(),
    })
}

/// Unrolls `letrec f(x) = M in N` to `f₀(x) = ⊥, f₁(x) = M[f₀/f], …, N[fₙ/f]`, without recursion. All functions get
/// different names.
pub(super) fn unrolled(term: &Term, n: u64) -> Term {
    let kind = term.kind().map(&mut |part| deep(|| unrolled(part, n)));
    let TermKind::LetRec(definition, rest) = &kind else { return kind.into() };
    let again = |f: &Variable, body: Term, rest: Term| -> Term {
        let definition = Definition { function: f.clone(), body, ..(**definition).clone() };
        TermKind::LetRec(Arc::new(definition), rest).into()
    };
    let functions: Vec<Variable> = (0..=n).map(|_| definition.function.renamed()).collect();
    let calling =
        |f: &Variable, term: &Term| rename(term, &[(definition.function.clone(), f.clone())].into_iter().collect());
    let mut all = calling(functions.last().unwrap_or(&definition.function), rest);
    for pair in functions.windows(2).rev() {
        all = again(&pair[1], calling(&pair[0], &definition.body), all);
    }
    // ⊥ at any type: a division by 0, bound before a zero of the codomain
    let bottom = Term::binary(Operation::Divide, Term::number(1), Term::number(0));
    let nothing = Variable::fresh(&"bottom".into());
    let undefined = Term::bind(&nothing, Ty::Real, bottom, sugar::zero(&definition.codomain));
    again(&functions[0], undefined, all)
}
