//! The fold of an inductive type, which its declaration brings along (H §5).
//!
//! `type Tree A = Leaf | Node (Tree A * A * Tree A)` brings `foldTree : B -> (B * A * B -> B) -> Tree A -> B`: one handler
//! for each constructor in the order of the declaration, a value for one without argument, then the tree. It is the arrow
//! out of the initial algebra: `foldTree l n (Node (s, x, t))` is `n (foldTree l n s, x, foldTree l n t)`. Where the type
//! stands under a list or another declared type, the results stand there in its place.
//!
//! A fold is a definition like any other, with a term made of `let rec` and `match`; so no model has to know of it. It
//! ends, since a part of a value is smaller than the value.

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

/// The name of the fold of a type.
#[doc(hidden)]
pub fn fold_name(data: &str) -> String {
    format!("fold{data}")
}

/// The fold of a type that occurs in its own constructors; nothing for another type.
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
    let term = typed(&term, &scheme).unwrap_or(term);
    Arc::new(Definition { module, name, scheme, term, doc, span, constructor: None })
}

/// The parameters of a type and more, which get letters that are free.
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

/// Of `Tree A`: `B -> (B * A * B -> B) -> Tree A -> B`.
fn fold_scheme(data: &Data) -> Scheme {
    let names = parameters(data, 1);
    let all: Vec<Ty> = names.iter().enumerate().map(|(i, name)| Ty::new(TyKind::Variable(i, name.clone()))).collect();
    let result = all[data.parameters().len()].clone();
    let constructors: Vec<Constructor> = data.constructors().collect();
    // in the types of arguments the variable of the type itself is that of the result
    let handler = |constructor: &Constructor| match constructor.layer() {
        Some(layer) => Ty::function(layer.with(&all), result.clone()),
        None => result.clone(),
    };
    let fold = Ty::function(data.generic(), result.clone());
    let ty = constructors.iter().rev().fold(fold, |ty, constructor| Ty::function(handler(constructor), ty));
    scheme(&names, ty)
}

/// Of `Either A B` with both parameters marked: `(A -> C) -> (B -> D) -> Either A B -> Either C D`.
fn map_scheme(data: &Data, marked: &[bool]) -> Scheme {
    let width = data.parameters().len();
    let names = parameters(data, marked.iter().filter(|&&marked| marked).count());
    let variable = |index: usize| Ty::new(TyKind::Variable(index, names[index].clone()));
    let mut next = width..names.len();
    let after: Vec<Ty> =
        (0..width).map(|index| variable(if marked[index] { next.next().unwrap_or(index) } else { index })).collect();
    let functions: Vec<Ty> =
        (0..width).filter(|&index| marked[index]).map(|i| Ty::function(variable(i), after[i].clone())).collect();
    let map = Ty::function(data.generic(), data.generic().with(&after));
    let ty = functions.into_iter().rev().fold(map, |ty, function| Ty::function(function, ty));
    scheme(&names, ty)
}

/// A variable by the number of binders around its own, or a component of one.
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

/// What is done to the values of each variable of a type: they are left, or a function is applied.
type Functions = Vec<Option<Place>>;

/// Makes terms under a number of binders.
struct Builder {
    span: Span,
    depth: usize,
    /// The maps of other types, for the parameters that are marked: one each, however often they are used.
    maps: FxHashMap<(Data, Vec<bool>), Arc<Definition>>,
}

impl Builder {
    fn term(&self, kind: TermKind) -> Term {
        Term::new(kind, self.span)
    }

    fn at(&self, place: &Place) -> Term {
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

    /// `\f … f => body`, with so many parameters.
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

    /// `let rec f = \t => match t with … in f`
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

    /// `\t => match t with …`
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

    /// `\f … f => let rec fold = \t => match t with Node x => f (x, the parts of the type folded) | … in fold`
    fn fold(&mut self, data: &Data) -> Term {
        self.lambdas("f", data.width(), Vec::new(), |builder, handlers| {
            builder.recursion(data, "fold", |builder, constructor, itself, argument| {
                let handler = builder.at(&handlers[constructor.index()]);
                let Some(layer) = constructor.layer() else { return handler };
                let mut functions: Functions = vec![None; data.parameters().len()];
                functions.push(Some(itself.clone()));
                let argument = builder.mapped(layer, &functions, argument);
                Term::apply(handler, argument, builder.span)
            })
        })
    }

    /// The map of a type: functions for its marked parameters, applied inside.
    fn map(&mut self, data: &Data, marked: &[bool]) -> Arc<Definition> {
        let key = (data.clone(), marked.to_vec());
        if let Some(known) = self.maps.get(&key) {
            return known.clone();
        }
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
                // no layer mentions the type
                builder.function(data, &Place::variable(0, "map"), branch)
            }
        });
        self.depth = depth;
        let (name, doc) = (format!("map{}", data.name()), String::new());
        let map = definition(data, name, map_scheme(data, marked), term, doc, self.span);
        self.maps.insert(key, map.clone());
        map
    }

    /// What stands at a place, of this type, with the functions applied to the values of the variables.
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
                let value = self.at(place);
                let body = self.under("p", |builder, p| builder.mapped_in(ty, functions, touched, &p));
                self.term(TermKind::Let { name: "p".into(), value, body })
            }
            TyKind::Data(data, arguments) if data.is_list() => {
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
            // the variables stand under nothing else
            _ => self.at(place),
        })
    }
}
