//! Random terms of variants and lists, matches and folds.

use super::{TermGenerator, TermVocabulary};
use crate::law::term::{TermHead, TestTerm, branch_binder_types};
use crate::syntax::constant::Constant;
use crate::syntax::data::{Constructor, DataType};
use crate::syntax::inductive::{HeightCache, least_constructor};
use crate::syntax::library::Library;
use crate::syntax::parser::{PromptInput, parse_input};
use crate::syntax::ty::{Ty, TyKind};
use std::sync::LazyLock;

/// The declarations of the types that random programs use, as in the theory `DataType`.
pub const DATA_DECLARATIONS: [&str; 3] = [
    "type Maybe A = Nothing | Just A",
    "type Either A B = Left A | Right B",
    "type Tree A = Leaf | Node (Tree A * A * Tree A)",
];

/// The greatest length of an ordinary list. A choice.
const MAX_LIST_LENGTH: usize = 4;
/// The greatest length of the few long lists that samples of laws contain. A choice.
const MAX_LONG_LIST_LENGTH: usize = 12;

/// Returns the library that random programs are read in: a module `DataType` with their types.
#[must_use]
pub fn data_library() -> &'static Library {
    static LIBRARY: LazyLock<Library> = LazyLock::new(|| {
        let mut library = Library::new();
        library.add_module("Data".into(), Vec::new());
        for text in DATA_DECLARATIONS {
            if let Ok(PromptInput::Type(declaration)) = parse_input(text, &[]) {
                // the result can be ignored: a test reads programs of every constructor
                let _ = library.define_type("Data", text, &declaration);
            }
        }
        library
    });
    &LIBRARY
}

/// Returns the type `name` of the library at `arguments`. Returns `None` if the library does not declare it.
fn declared_type(name: &str, arguments: Vec<Ty>) -> Option<Ty> {
    let module = data_library().module("Data")?;
    Some(module.find_named_type(name)?.scheme.ty.with_arguments(&arguments))
}

/// Returns the type `Maybe A`.
#[must_use]
pub fn maybe_type(of: Ty) -> Ty {
    declared_type("Maybe", vec![of]).unwrap_or_else(Ty::real)
}

/// Returns the type `Either A B`.
#[must_use]
pub fn either_type(a: Ty, b: Ty) -> Ty {
    declared_type("Either", vec![a, b]).unwrap_or_else(Ty::real)
}

/// Returns the type `Tree A`.
#[must_use]
pub fn tree_type(of: Ty) -> Ty {
    declared_type("Tree", vec![of]).unwrap_or_else(Ty::real)
}

impl TermGenerator {
    /// Draws the type of a variant or of a list.
    pub(super) fn data_type(&mut self) -> Ty {
        let real = Ty::real;
        match self.random.pick_weighted(&[(4, 0), (4, 1), (2, 2), (1, 3), (1, 4)]) {
            0 => maybe_type(real()),
            1 => Ty::list(real()),
            2 => either_type(real(), Ty::function(real(), real())),
            3 => Ty::list(maybe_type(real())),
            _ => maybe_type(Ty::list(real())),
        }
    }

    /// Draws a term of a data type: a constructor, a variable or a conditional.
    pub(super) fn draw_data(&mut self, ty: &Ty, data: &DataType, arguments: &[Ty], size: usize) -> TestTerm {
        if self.random.random_bool(30)
            && let Some(variable) = self.draw_variable(ty)
        {
            return variable;
        }
        if size > 4 && self.random.random_bool(15) {
            return self.draw_conditional(ty, size);
        }
        if data.is_list() {
            return self.draw_list(ty, &arguments[0], size);
        }
        // no size is left for a subterm of the same type: end with the value of least depth
        if data.is_recursive() && size <= 1 {
            return self.least_value(ty, &mut HeightCache::default());
        }
        let mut constructors: Vec<Constructor> = data.constructors().collect();
        // without this most trees would be leaves
        if data.is_recursive() && size > 3 && self.random.random_bool(70) {
            constructors.retain(Constructor::is_recursive);
        }
        let constructor = self.random.pick(&constructors).clone();
        let domain = constructor.argument().map(|argument| argument.with_arguments(arguments));
        let parts = domain.iter().map(|domain| self.draw_term(domain, size.saturating_sub(1).max(1))).collect();
        TestTerm::new(TermHead::Inject(constructor), ty.clone(), parts)
    }

    /// Returns a value of the least depth, counted in nested constructors.
    pub(super) fn least_value(&mut self, ty: &Ty, known: &mut HeightCache) -> TestTerm {
        match ty.kind() {
            TyKind::Tuple(components) => {
                let parts = components.iter().map(|component| self.least_value(component, known)).collect();
                TestTerm::new(TermHead::Tuple, ty.clone(), parts)
            }
            TyKind::Data(data, arguments) if data.constructor_count() > 0 => {
                // `least` is `None` for a type without constructors only, excluded by the guard above
                let constructor = least_constructor(data, arguments, known).unwrap_or_else(Constructor::nil);
                let domain = constructor.argument().map(|argument| argument.with_arguments(arguments));
                let parts = domain.iter().map(|domain| self.least_value(domain, known)).collect();
                TestTerm::new(TermHead::Inject(constructor), ty.clone(), parts)
            }
            _ => self.draw_term(ty, 1),
        }
    }

    /// Draws a list: random elements in front of the empty list or, in one case of five, of a variable.
    fn draw_list(&mut self, ty: &Ty, of: &Ty, size: usize) -> TestTerm {
        let nil = TestTerm::new(TermHead::Inject(Constructor::nil()), ty.clone(), Vec::new());
        // a choice: long lists occur in samples of laws alone, to keep full programs cheap
        let is_long = self.vocabulary != TermVocabulary::Full && self.random.random_bool(10);
        let length = self.random.next_below(if is_long { MAX_LONG_LIST_LENGTH } else { MAX_LIST_LENGTH.min(size) } + 1);
        let end = if self.random.random_bool(20) { self.draw_variable(ty).unwrap_or(nil) } else { nil };
        let each = (size / length.max(1)).max(1);
        (0..length).fold(end, |rest, _| {
            let parts = vec![self.draw_term(of, each), rest];
            TestTerm::new(TermHead::Inject(Constructor::cons()), ty.clone(), parts)
        })
    }

    /// Draws `match e with …`, with answers of type `ty`.
    pub(super) fn draw_match(&mut self, ty: &Ty, size: usize) -> TestTerm {
        let matched = self.data_type();
        let TyKind::Data(data, arguments) = matched.kind() else { return self.draw_term(ty, size) };
        let [scrutinee, each] = self.split_size(size);
        let mut parts = vec![self.draw_term(&matched, scrutinee)];
        let mut binders = Vec::new();
        for constructor in data.constructors() {
            let bound: Vec<_> =
                branch_binder_types(&constructor, arguments).into_iter().map(|ty| (self.fresh_id(), ty)).collect();
            // a size of 2 at least, so that a case can be more than a leaf
            let each = (each / data.constructor_count()).max(2);
            parts.push(self.with_binders(&bound, |g| g.draw_term(ty, each)));
            binders.push(bound.into_iter().map(|(id, _)| id).collect());
        }
        TestTerm::new(TermHead::Match(data.clone(), binders), ty.clone(), parts)
    }

    /// Draws `fold step start list`, with a result of type `ty`.
    pub(super) fn draw_fold(&mut self, ty: &Ty, size: usize) -> TestTerm {
        let of = if self.random.random_bool(80) { Ty::real() } else { maybe_type(Ty::real()) };
        let [step, start, list] = self.split_size(size);
        // a choice: a third of the size at least for the step, which has two binders to use
        let step = self.draw_lambdas(&[of.clone(), ty.clone()], ty, step.max(size / 3));
        let parts = vec![step, self.draw_term(ty, start), self.draw_term(&Ty::list(of), list)];
        TestTerm::apply_constant(Constant::Fold, ty.clone(), parts)
    }

    /// Draws `\x y => body`, with one λ for each domain.
    fn draw_lambdas(&mut self, domains: &[Ty], codomain: &Ty, size: usize) -> TestTerm {
        let Some((domain, rest)) = domains.split_first() else { return self.draw_term(codomain, size.max(1)) };
        let ty = domains.iter().rev().fold(codomain.clone(), |ty, domain| Ty::function(domain.clone(), ty));
        let id = self.fresh_id();
        let body =
            self.with_binders(&[(id, domain.clone())], |g| g.draw_lambdas(rest, codomain, size.saturating_sub(1)));
        TestTerm::new(TermHead::Lambda(id, domain.clone()), ty, vec![body])
    }
}
