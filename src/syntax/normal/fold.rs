//! `fold` of a list of which the first constructor is known.

use crate::syntax::constant::Constant;
use crate::syntax::data::Constructor;
use crate::syntax::name::Name;
use crate::syntax::source::Span;
use crate::syntax::term::{Term, TermKind};
use std::sync::LazyLock;

/// What `fold f z l` becomes, over the variables f, z and p, where l is `[]`, or `::` of the pair p: `z`, or
/// `f p[0] (fold f z p[1])`.
pub(super) fn rule(constructor: &Constructor) -> Term {
    static RULES: LazyLock<[Term; 2]> = LazyLock::new(|| {
        let new = |kind| Term::new(kind, Span::default());
        let variable = |index| new(TermKind::Variable { index, name: Name::from("x") });
        let part = |index| new(TermKind::Project { tuple: variable(0), index });
        let apply = |function, argument| Term::apply(function, argument, Span::default());
        let fold = new(TermKind::Constant(Constant::Fold));
        let rest = apply(apply(apply(fold, variable(2)), variable(1)), part(1));
        [variable(1), apply(apply(variable(2), part(0)), rest)]
    });
    RULES[usize::from(constructor.is_cons())].clone()
}
