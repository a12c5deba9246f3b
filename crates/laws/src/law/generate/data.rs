//! Random terms of variants and lists, matches and folds.

use super::{Generator, Vocabulary};
use crate::law::term::{Head, Term, bound};
use crate::syntax::constant::Constant;
use crate::syntax::data::{Constructor, Data};
use crate::syntax::inductive::{Heights, least};
use crate::syntax::library::Library;
use crate::syntax::parser::{Input, parse_input};
use crate::syntax::ty::{Ty, TyKind};
use std::sync::LazyLock;

/// The declarations of the types that random programs use, as in the theory `Data`.
pub const DECLARATIONS: [&str; 3] = [
    "type Maybe A = Nothing | Just A",
    "type Either A B = Left A | Right B",
    "type Tree A = Leaf | Node (Tree A * A * Tree A)",
];

/// The greatest length of an ordinary list. A choice.
const LONGEST: usize = 4;
/// The greatest length of the few long lists that samples of laws contain. A choice.
const LONG: usize = 12;

/// Returns the library that random programs are read in: a module `Data` with their types.
#[must_use]
pub fn library() -> &'static Library {
    static LIBRARY: LazyLock<Library> = LazyLock::new(|| {
        let mut library = Library::new();
        library.add_module("Data".into(), Vec::new());
        for text in DECLARATIONS {
            if let Ok(Input::Type(declaration)) = parse_input(text, &[]) {
                // the result can be ignored: a test reads programs of every constructor
                let _ = library.define_type("Data", text, &declaration);
            }
        }
        library
    });
    &LIBRARY
}

/// Returns the type `name` of the library at `arguments`. Returns `None` if the library does not declare it.
fn declared(name: &str, arguments: Vec<Ty>) -> Option<Ty> {
    let module = library().module("Data")?;
    Some(module.alias(name)?.scheme.ty.with(&arguments))
}

/// Returns the type `Maybe A`.
#[must_use]
pub fn maybe(of: Ty) -> Ty {
    declared("Maybe", vec![of]).unwrap_or_else(Ty::real)
}

/// Returns the type `Either A B`.
#[must_use]
pub fn either(a: Ty, b: Ty) -> Ty {
    declared("Either", vec![a, b]).unwrap_or_else(Ty::real)
}

/// Returns the type `Tree A`.
#[must_use]
pub fn tree(of: Ty) -> Ty {
    declared("Tree", vec![of]).unwrap_or_else(Ty::real)
}

impl Generator {
    /// Draws the type of a variant or of a list.
    pub(super) fn data_type(&mut self) -> Ty {
        let real = Ty::real;
        match self.random.weighted(&[(4, 0), (4, 1), (2, 2), (1, 3), (1, 4)]) {
            0 => maybe(real()),
            1 => Ty::list(real()),
            2 => either(real(), Ty::function(real(), real())),
            3 => Ty::list(maybe(real())),
            _ => maybe(Ty::list(real())),
        }
    }

    /// Draws a term of a data type: a constructor, a variable or a conditional.
    pub(super) fn data(&mut self, ty: &Ty, data: &Data, arguments: &[Ty], size: usize) -> Term {
        if self.random.chance(30)
            && let Some(variable) = self.variable(ty)
        {
            return variable;
        }
        if size > 4 && self.random.chance(15) {
            return self.conditional(ty, size);
        }
        if data.is_list() {
            return self.list(ty, &arguments[0], size);
        }
        // no size is left for a subterm of the same type: end with the value of least depth
        if data.is_recursive() && size <= 1 {
            return self.least(ty, &mut Heights::default());
        }
        let mut constructors: Vec<Constructor> = data.constructors().collect();
        // without this most trees would be leaves
        if data.is_recursive() && size > 3 && self.random.chance(70) {
            constructors.retain(Constructor::is_recursive);
        }
        let constructor = self.random.pick(&constructors).clone();
        let domain = constructor.argument().map(|argument| argument.with(arguments));
        let parts = domain.iter().map(|domain| self.term(domain, size.saturating_sub(1).max(1))).collect();
        Term::new(Head::Inject(constructor), ty.clone(), parts)
    }

    /// Returns a value of the least depth, counted in nested constructors.
    pub(super) fn least(&mut self, ty: &Ty, known: &mut Heights) -> Term {
        match ty.kind() {
            TyKind::Tuple(components) => {
                let parts = components.iter().map(|component| self.least(component, known)).collect();
                Term::new(Head::Tuple, ty.clone(), parts)
            }
            TyKind::Data(data, arguments) if data.width() > 0 => {
                // `least` is `None` for a type without constructors only, excluded by the guard above
                let constructor = least(data, arguments, known).unwrap_or_else(Constructor::nil);
                let domain = constructor.argument().map(|argument| argument.with(arguments));
                let parts = domain.iter().map(|domain| self.least(domain, known)).collect();
                Term::new(Head::Inject(constructor), ty.clone(), parts)
            }
            _ => self.term(ty, 1),
        }
    }

    /// Draws a list: random elements in front of the empty list or, in one case of five, of a variable.
    fn list(&mut self, ty: &Ty, of: &Ty, size: usize) -> Term {
        let nil = Term::new(Head::Inject(Constructor::nil()), ty.clone(), Vec::new());
        // a choice: long lists occur in samples of laws alone, to keep full programs cheap
        let is_long = self.vocabulary != Vocabulary::Full && self.random.chance(10);
        let length = self.random.below(if is_long { LONG } else { LONGEST.min(size) } + 1);
        let end = if self.random.chance(20) { self.variable(ty).unwrap_or(nil) } else { nil };
        let each = (size / length.max(1)).max(1);
        (0..length).fold(end, |rest, _| {
            let parts = vec![self.term(of, each), rest];
            Term::new(Head::Inject(Constructor::cons()), ty.clone(), parts)
        })
    }

    /// Draws `match e with …`, with answers of type `ty`.
    pub(super) fn cases(&mut self, ty: &Ty, size: usize) -> Term {
        let matched = self.data_type();
        let TyKind::Data(data, arguments) = matched.kind() else { return self.term(ty, size) };
        let [scrutinee, each] = self.split(size);
        let mut parts = vec![self.term(&matched, scrutinee)];
        let mut binders = Vec::new();
        for constructor in data.constructors() {
            let bound: Vec<_> = bound(&constructor, arguments).into_iter().map(|ty| (self.id(), ty)).collect();
            // a size of 2 at least, so that a case can be more than a leaf
            let each = (each / data.width()).max(2);
            parts.push(self.under(&bound, |g| g.term(ty, each)));
            binders.push(bound.into_iter().map(|(id, _)| id).collect());
        }
        Term::new(Head::Match(data.clone(), binders), ty.clone(), parts)
    }

    /// Draws `fold step start list`, with a result of type `ty`.
    pub(super) fn fold(&mut self, ty: &Ty, size: usize) -> Term {
        let of = if self.random.chance(80) { Ty::real() } else { maybe(Ty::real()) };
        let [step, start, list] = self.split(size);
        // a choice: a third of the size at least for the step, which has two binders to use
        let step = self.lambdas(&[of.clone(), ty.clone()], ty, step.max(size / 3));
        let parts = vec![step, self.term(ty, start), self.term(&Ty::list(of), list)];
        Term::call(Constant::Fold, ty.clone(), parts)
    }

    /// Draws `\x y => body`, with one λ for each domain.
    fn lambdas(&mut self, domains: &[Ty], codomain: &Ty, size: usize) -> Term {
        let Some((domain, rest)) = domains.split_first() else { return self.term(codomain, size.max(1)) };
        let ty = domains.iter().rev().fold(codomain.clone(), |ty, domain| Ty::function(domain.clone(), ty));
        let id = self.id();
        let body = self.under(&[(id, domain.clone())], |g| g.lambdas(rest, codomain, size.saturating_sub(1)));
        Term::new(Head::Lambda(id, domain.clone()), ty, vec![body])
    }
}
