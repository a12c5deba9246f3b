//! Transformations of programs that keep their meaning, by definition of that meaning.

use crate::stack::with_stack;
use crate::trace::operation::OperationSymbol;
use crate::trace::renaming::Renaming;
use crate::trace::sugar;
use crate::trace::term::{BooleanTerm, CoreDefinition, CoreTerm, CoreTermKind, CoreVariable};
use crate::trace::ty::CoreTy;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Turns every `if a < b then M else N` into `if b < a then N else M`, where the pair of a and b is written out.
pub(super) fn turn_guards(term: &CoreTerm) -> CoreTerm {
    let kind = term.kind().map_children(&mut |part| with_stack(|| turn_guards(part)));
    let CoreTermKind::If(BooleanTerm::Predicate(predicate, pair), then, otherwise) = &kind else { return kind.into() };
    let CoreTermKind::Pair(t, u, left, right) = pair.kind() else { return kind.into() };
    // both sides are bound first, in their order: whichever is undefined stays first
    let [a, b] = ["a", "b"].map(|name| CoreVariable::fresh(&name.into()));
    let pair = CoreTerm::pair(CoreTy::Real, CoreTy::Real, CoreTerm::variable(&b), CoreTerm::variable(&a));
    let choice = CoreTermKind::If(BooleanTerm::Predicate(*predicate, pair), otherwise.clone(), then.clone()).into();
    CoreTerm::bind(&a, t.clone(), left.clone(), CoreTerm::bind(&b, u.clone(), right.clone(), choice))
}

/// Renames all bound variables to one name. They remain different variables.
pub(super) fn rename_alike(term: &CoreTerm) -> CoreTerm {
    rename_alike_with(term, &mut Renaming::default())
}

/// Like [`rename_alike`], under a renaming of the variables in scope.
fn rename_alike_with(term: &CoreTerm, names: &mut Renaming) -> CoreTerm {
    let fresh = || CoreVariable::fresh(&"v".into());
    with_stack(|| match term.kind() {
        CoreTermKind::Variable(x) => names.get(x),
        CoreTermKind::Let(x, ty, value, body) => {
            let (value, y) = (rename_alike_with(value, names), fresh());
            let body = names.with_binding(x, CoreTerm::variable(&y), |names| rename_alike_with(body, names));
            CoreTerm::bind(&y, ty.clone(), value, body).with_site(term.site())
        }
        CoreTermKind::Reverse { cotangent, point, variable, ty, body } => {
            let (cotangent, point, y) = (rename_alike_with(cotangent, names), rename_alike_with(point, names), fresh());
            let body = names.with_binding(variable, CoreTerm::variable(&y), |names| rename_alike_with(body, names));
            CoreTermKind::Reverse { cotangent, point, variable: y, ty: ty.clone(), body }.into()
        }
        CoreTermKind::LetRec(definition, rest) => {
            let parameter = fresh();
            let body = names.with_binding(&definition.parameter, CoreTerm::variable(&parameter), |names| {
                rename_alike_with(&definition.body, names)
            });
            let definition = CoreDefinition { parameter, body, ..(**definition).clone() };
            CoreTermKind::LetRec(Arc::new(definition), rename_alike_with(rest, names)).into()
        }
        kind => CoreTerm::from(kind.map_children(&mut |part| rename_alike_with(part, names))).with_site(term.site()),
    })
}

/// Gives all functions different names.
pub(super) fn separate_functions(term: &CoreTerm) -> CoreTerm {
    rename_functions(term, &FxHashMap::default())
}

/// Renames function variables, and every definition to a fresh name.
fn rename_functions(term: &CoreTerm, names: &FxHashMap<CoreVariable, CoreVariable>) -> CoreTerm {
    with_stack(|| match term.kind() {
        CoreTermKind::Call(f, argument) => {
            let f = names.get(f).unwrap_or(f).clone();
            CoreTermKind::Call(f, rename_functions(argument, names)).into()
        }
        CoreTermKind::LetRec(definition, rest) => {
            let function = definition.function.renamed();
            let mut inside = names.clone();
            // the new name is in scope in the body as well, since definitions are recursive
            inside.insert(definition.function.clone(), function.clone());
            let body = rename_functions(&definition.body, &inside);
            let definition = CoreDefinition { function, body, ..(**definition).clone() };
            CoreTermKind::LetRec(Arc::new(definition), rename_functions(rest, &inside)).into()
        }
        kind => kind.map_children(&mut |part| rename_functions(part, names)).into(),
    })
}

/// Unrolls `letrec f(x) = M in N` to `f₀(x) = ⊥, f₁(x) = M[f₀/f], …, N[fₙ/f]`, without recursion. All functions get
/// different names.
pub(super) fn unroll_recursions(term: &CoreTerm, n: u64) -> CoreTerm {
    let kind = term.kind().map_children(&mut |part| with_stack(|| unroll_recursions(part, n)));
    let CoreTermKind::LetRec(definition, rest) = &kind else { return kind.into() };
    let again = |f: &CoreVariable, body: CoreTerm, rest: CoreTerm| -> CoreTerm {
        let definition = CoreDefinition { function: f.clone(), body, ..(**definition).clone() };
        CoreTermKind::LetRec(Arc::new(definition), rest).into()
    };
    let functions: Vec<CoreVariable> = (0..=n).map(|_| definition.function.renamed()).collect();
    let calling = |f: &CoreVariable, term: &CoreTerm| {
        rename_functions(term, &[(definition.function.clone(), f.clone())].into_iter().collect())
    };
    let mut all = calling(functions.last().unwrap_or(&definition.function), rest);
    for pair in functions.windows(2).rev() {
        all = again(&pair[1], calling(&pair[0], &definition.body), all);
    }
    // ⊥ at any type: a division by 0, bound before a zero of the codomain
    let bottom = CoreTerm::binary_operation(OperationSymbol::Divide, CoreTerm::number(1), CoreTerm::number(0));
    let nothing = CoreVariable::fresh(&"bottom".into());
    let undefined = CoreTerm::bind(&nothing, CoreTy::Real, bottom, sugar::zero_of_type(&definition.codomain));
    again(&functions[0], undefined, all)
}
