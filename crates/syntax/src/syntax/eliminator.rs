//! The fold of an inductive type, defined along with the type (H §5).
//!
//! `type Tree A = Leaf | Node (Tree A * A * Tree A)` defines `foldTree : B -> (B * A * B -> B) -> Tree A -> B`. The
//! arguments are one handler for each constructor in the order of the declaration, a value if it has no argument, then
//! the tree.
//!
//! The fold is the arrow out of the initial algebra: `foldTree l n (Node (s, x, t))` is `n (foldTree l n s, x, foldTree
//! l n t)`. Inside a list or another data type, the results replace the values of the type.
//!
//! A fold is an ordinary definition, a term of `let rec` and `match`, so no model has to know of it. It terminates,
//! since a part of a value is smaller than the value.

use super::constant::Constant;
use super::data::{Constructor, Data};
use super::inductive::Mentions;
use super::name::Name;
use super::source::Span;
use super::term::{Branch, Definition, Term, TermKind};
use super::ty::{Class, Scheme, Ty, TyKind};
use super::typing::typed;
use crate::stack::deep;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Returns the name of the fold of a type.
#[doc(hidden)]
pub fn fold_name(data: &str) -> String {
    format!("fold{data}")
}

/// Makes the fold of a recursive type. `None` for another type.
pub(super) fn fold(data: &Data, span: Span) -> Option<Arc<Definition>> {
    if !data.is_recursive() {
        return None;
    }
    let mut builder = Builder { span, depth: 0, maps: FxHashMap::default() };
    let term = builder.fold(data);
    let doc = format!("The fold of {}: what a value becomes when constructors are replaced by these.", data.name());
    Some(definition(data, fold_name(data.name()), fold_scheme(data), term, doc, span))
}

fn definition(data: &Data, name: String, scheme: Scheme, term: Term, doc: String, span: Span) -> Arc<Definition> {
    let (module, name) = (data.module().clone(), name.into());
    // Types for the binders, which the builder leaves unknown. They exist by construction; if not, the term still runs.
    let term = typed(&term, &scheme).unwrap_or(term);
    Arc::new(Definition { module, name, scheme, term, doc, span, constructor: None })
}

/// Returns the parameters of a type and `more` further ones, named by letters that are not taken.
fn parameters(data: &Data, more: usize) -> Vec<Name> {
    let mut names = data.parameters().to_vec();
    let letters = ('A'..='Z').map(String::from).chain((1..).map(|number| format!("A{number}")));
    let free: Vec<Name> = letters.map(Name::from).filter(|letter| !names.contains(letter)).take(more).collect();
    names.extend(free);
    names
}

fn scheme(parameters: &[Name], ty: Ty) -> Scheme {
    Scheme { parameters: parameters.iter().map(|name| (name.clone(), Class::ANY)).collect(), ty }
}

/// Returns the type of a fold; for `Tree A` it is `B -> (B * A * B -> B) -> Tree A -> B`.
fn fold_scheme(data: &Data) -> Scheme {
    let names = parameters(data, 1);
    let all: Vec<Ty> = names.iter().enumerate().map(|(i, name)| Ty::new(TyKind::Variable(i, name.clone()))).collect();
    let result = all[data.parameters().len()].clone();
    let constructors: Vec<Constructor> = data.constructors().collect();
    // In the layer of a constructor, the variable of the type itself is substituted by the result type.
    let handler = |constructor: &Constructor| match constructor.layer() {
        Some(layer) => Ty::function(layer.with(&all), result.clone()),
        None => result.clone(),
    };
    let fold = Ty::function(data.generic(), result.clone());
    let ty = constructors.iter().rev().fold(fold, |ty, constructor| Ty::function(handler(constructor), ty));
    scheme(&names, ty)
}

/// Returns the type of a map; for `Either A B` with both parameters marked it is `(A -> C) -> (B -> D) -> Either A B ->
/// Either C D`.
fn map_scheme(data: &Data, marked: &[bool]) -> Scheme {
    let width = data.parameters().len();
    let names = parameters(data, marked.iter().filter(|&&marked| marked).count());
    let variable = |index: usize| Ty::new(TyKind::Variable(index, names[index].clone()));
    // Each marked parameter gets a new variable behind the old ones; the others stay the same.
    let mut next = width..names.len();
    let after: Vec<Ty> =
        (0..width).map(|index| variable(if marked[index] { next.next().unwrap_or(index) } else { index })).collect();
    let functions: Vec<Ty> =
        (0..width).filter(|&index| marked[index]).map(|i| Ty::function(variable(i), after[i].clone())).collect();
    let map = Ty::function(data.generic(), data.generic().with(&after));
    let ty = functions.into_iter().rev().fold(map, |ty, function| Ty::function(function, ty));
    scheme(&names, ty)
}

/// A variable, by the number of binders around its own (a de Bruijn level), or a component of that variable.
#[derive(Clone)]
struct Place {
    level: usize,
    component: Option<usize>,
    name: &'static str,
}

impl Place {
    fn variable(level: usize, name: &'static str) -> Place {
        Place { level, component: None, name }
    }
}

/// For each variable of a type, the function to apply to its values; `None` leaves them as they are.
type Functions = Vec<Option<Place>>;

/// A builder of terms, which counts the binders that it is under.
struct Builder {
    span: Span,
    depth: usize,
    /// The maps of other types, by their marked parameters: one definition each, shared by all uses.
    maps: FxHashMap<(Data, Vec<bool>), Arc<Definition>>,
}

impl Builder {
    fn term(&self, kind: TermKind) -> Term {
        Term::new(kind, self.span)
    }

    fn at(&self, place: &Place) -> Term {
        // Levels stay valid under further binders, indices do not: they are computed at the place of use.
        let index = self.depth - 1 - place.level;
        let variable = self.term(TermKind::Variable { index, name: place.name.into() });
        match place.component {
            Some(index) => self.term(TermKind::Project { tuple: variable, index }),
            None => variable,
        }
    }

    fn under<R>(&mut self, name: &'static str, body: impl FnOnce(&mut Self, Place) -> R) -> R {
        let place = Place::variable(self.depth, name);
        self.depth += 1;
        let result = body(self, place);
        self.depth -= 1;
        result
    }

    fn lambda(&mut self, name: &'static str, body: impl FnOnce(&mut Self, Place) -> Term) -> Term {
        let body = self.under(name, body);
        self.term(TermKind::Lambda { name: name.into(), body })
    }

    /// Makes `\f … f => body`, with `count` parameters.
    fn lambdas(
        &mut self,
        name: &'static str,
        count: usize,
        mut before: Vec<Place>,
        body: impl FnOnce(&mut Self, Vec<Place>) -> Term,
    ) -> Term {
        if before.len() == count {
            return body(self, before);
        }
        deep(|| {
            self.lambda(name, |builder, place| {
                before.push(place);
                builder.lambdas(name, count, before, body)
            })
        })
    }

    /// Makes `let rec f = \t => match t with … in f`.
    fn recursion(
        &mut self,
        data: &Data,
        name: &'static str,
        branch: impl FnMut(&mut Self, &Constructor, &Place, &Place) -> Term,
    ) -> Term {
        let value = self.under(name, |builder, itself| builder.function(data, &itself, branch));
        let body = self.term(TermKind::Variable { index: 0, name: name.into() });
        self.term(TermKind::LetRec { name: name.into(), value, body })
    }

    /// Makes `\t => match t with …`.
    fn function(
        &mut self,
        data: &Data,
        itself: &Place,
        mut branch: impl FnMut(&mut Self, &Constructor, &Place, &Place) -> Term,
    ) -> Term {
        self.lambda("t", |builder, matched| {
            let branches = data.constructors().map(|constructor| {
                let name = if constructor.layer().is_some() { "x" } else { "_" };
                let body = builder.under(name, |builder, argument| branch(builder, &constructor, itself, &argument));
                Branch { name: name.into(), body }
            });
            let branches = branches.collect();
            let scrutinee = builder.at(&matched);
            builder.term(TermKind::Match { data: data.clone(), scrutinee, branches })
        })
    }

    /// Makes `\f … f => let rec fold = \t => match t with Node x => f (x with its parts of the type folded) | … in
    /// fold`.
    fn fold(&mut self, data: &Data) -> Term {
        self.lambdas("f", data.width(), Vec::new(), |builder, handlers| {
            builder.recursion(data, "fold", |builder, constructor, itself, argument| {
                let handler = builder.at(&handlers[constructor.index()]);
                let Some(layer) = constructor.layer() else { return handler };
                // The last variable of a layer is the type itself: its values are folded, all others stay.
                let mut functions: Functions = vec![None; data.parameters().len()];
                functions.push(Some(itself.clone()));
                let argument = builder.mapped(layer, &functions, argument);
                Term::apply(handler, argument, builder.span)
            })
        })
    }

    /// Returns the map of a type, which takes one function for each marked parameter. Each map is made once.
    fn map(&mut self, data: &Data, marked: &[bool]) -> Arc<Definition> {
        let key = (data.clone(), marked.to_vec());
        if let Some(known) = self.maps.get(&key) {
            return known.clone();
        }
        // A map is a definition of its own: closed, so its levels count from 0.
        let depth = std::mem::take(&mut self.depth);
        let count = marked.iter().filter(|&&marked| marked).count();
        let term = self.lambdas("f", count, Vec::new(), |builder, given| {
            let mut given = given.into_iter();
            let functions: Functions = marked.iter().map(|&marked| if marked { given.next() } else { None }).collect();
            let branch = |builder: &mut Self, constructor: &Constructor, itself: &Place, argument: &Place| {
                let Some(layer) = constructor.layer() else {
                    let unit = builder.term(TermKind::Unit);
                    return Term::inject(constructor.clone(), unit, Ty::unknown(), builder.span);
                };
                let functions = [&functions[..], &[Some(itself.clone())]].concat();
                let argument = builder.mapped(layer, &functions, argument);
                Term::inject(constructor.clone(), argument, Ty::unknown(), builder.span)
            };
            if data.is_recursive() {
                builder.recursion(data, "map", branch)
            } else {
                // No layer contains the type, so this variable is never used.
                builder.function(data, &Place::variable(0, "map"), branch)
            }
        });
        self.depth = depth;
        let (name, doc) = (format!("map{}", data.name()), String::new());
        let map = definition(data, name, map_scheme(data, marked), term, doc, self.span);
        self.maps.insert(key, map.clone());
        map
    }

    /// Makes the value at `place`, of this type, with the functions applied to the values of the variables in it.
    fn mapped(&mut self, ty: &Ty, functions: &Functions, place: &Place) -> Term {
        let mut touched = Mentions::new(|index: usize| functions.get(index).is_some_and(Option::is_some));
        self.mapped_in(ty, functions, &mut touched, place)
    }

    fn mapped_in(
        &mut self,
        ty: &Ty,
        functions: &Functions,
        touched: &mut Mentions<impl Fn(usize) -> bool>,
        place: &Place,
    ) -> Term {
        // The value is used as it is: no copy of a tuple or a list is made for a part that does not change.
        if !touched.contains(ty) {
            return self.at(place);
        }
        deep(|| match ty.kind() {
            TyKind::Variable(index, _) => match &functions[*index] {
                Some(function) => Term::apply(self.at(function), self.at(place), self.span),
                None => self.at(place),
            },
            TyKind::Tuple(parts) if place.component.is_none() => {
                let parts = parts.iter().enumerate();
                let component = |index| Place { component: Some(index), ..*place };
                let parts = parts.map(|(i, part)| self.mapped_in(part, functions, touched, &component(i))).collect();
                self.term(TermKind::Tuple(parts))
            }
            TyKind::Tuple(_) => {
                // A component of a component is bound by a `let` first: a `Place` has one projection at most.
                let value = self.at(place);
                let body = self.under("p", |builder, p| builder.mapped_in(ty, functions, touched, &p));
                self.term(TermKind::Let { name: "p".into(), value, body })
            }
            TyKind::Data(data, arguments) if data.is_list() => {
                // Lists have the constant `fold` of the language; other types need a map of their own.
                let step = self.lambda("x", |builder, head| {
                    builder.lambda("rest", |builder, rest| {
                        let head = builder.mapped_in(&arguments[0], functions, touched, &head);
                        Term::cons(head, builder.at(&rest), Ty::unknown(), builder.span)
                    })
                });
                let fold = self.term(TermKind::Constant(Constant::Fold));
                let operands = [step, Term::nil(Ty::unknown(), self.span), self.at(place)];
                operands.into_iter().fold(fold, |function, operand| Term::apply(function, operand, self.span))
            }
            TyKind::Data(data, arguments) => {
                let marked: Vec<bool> = arguments.iter().map(|argument| touched.contains(argument)).collect();
                let map = self.map(data, &marked);
                let map = self.term(TermKind::Global(map));
                let arguments = arguments.iter().zip(&marked).filter(|(_, marked)| **marked);
                let map = arguments.fold(map, |map, (argument, _)| {
                    let function = self.lambda("x", |builder, x| builder.mapped_in(argument, functions, touched, &x));
                    Term::apply(map, function, self.span)
                });
                Term::apply(map, self.at(place), self.span)
            }
            // The variables occur nowhere else: `inductive` rejected such declarations.
            _ => self.at(place),
        })
    }
}
