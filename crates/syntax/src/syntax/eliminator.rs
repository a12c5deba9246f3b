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
use super::data::{Constructor, DataType};
use super::inductive::MarkedTypes;
use super::name::Name;
use super::source::Span;
use super::term::{Definition, MatchBranch, Term, TermKind};
use super::ty::{Class, Scheme, Ty, TyKind};
use super::typing::check_term;
use crate::stack::with_stack;
use rustc_hash::FxHashMap;
use std::sync::Arc;

/// Returns the name of the fold of a type.
#[doc(hidden)]
pub fn fold_name(data: &str) -> String {
    format!("fold{data}")
}

/// Makes the fold of a recursive type. `None` for another type.
pub(super) fn fold_definition(data: &DataType, span: Span) -> Option<Arc<Definition>> {
    if !data.is_recursive() {
        return None;
    }
    let mut builder = FoldBuilder { span, depth: 0, maps: FxHashMap::default() };
    let term = builder.fold_term(data);
    let doc = format!("The fold of {}: what a value becomes when constructors are replaced by these.", data.name());
    Some(make_definition(data, fold_name(data.name()), fold_scheme(data), term, doc, span))
}

fn make_definition(
    data: &DataType,
    name: String,
    scheme: Scheme,
    term: Term,
    doc: String,
    span: Span,
) -> Arc<Definition> {
    let (module, name) = (data.module().clone(), name.into());
    // Types for the binders, which the builder leaves unknown. They exist by construction; if not, the term still runs.
    let term = check_term(&term, &scheme).unwrap_or(term);
    Arc::new(Definition { module, name, scheme, term, doc, span, constructor: None })
}

/// Returns the parameters of a type and `more` further ones, named by letters that are not taken.
fn with_fresh_parameters(data: &DataType, more: usize) -> Vec<Name> {
    let mut names = data.parameters().to_vec();
    let letters = ('A'..='Z').map(String::from).chain((1..).map(|number| format!("A{number}")));
    let free: Vec<Name> = letters.map(Name::from).filter(|letter| !names.contains(letter)).take(more).collect();
    names.extend(free);
    names
}

fn quantify_over(parameters: &[Name], ty: Ty) -> Scheme {
    Scheme { parameters: parameters.iter().map(|name| (name.clone(), Class::ANY)).collect(), ty }
}

/// Returns the type of a fold; for `Tree A` it is `B -> (B * A * B -> B) -> Tree A -> B`.
fn fold_scheme(data: &DataType) -> Scheme {
    let names = with_fresh_parameters(data, 1);
    let all: Vec<Ty> = names.iter().enumerate().map(|(i, name)| Ty::new(TyKind::Variable(i, name.clone()))).collect();
    let result = all[data.parameters().len()].clone();
    let constructors: Vec<Constructor> = data.constructors().collect();
    // In the layer of a constructor, the variable of the type itself is substituted by the result type.
    let handler = |constructor: &Constructor| match constructor.layer_type() {
        Some(layer) => Ty::function(layer.with_arguments(&all), result.clone()),
        None => result.clone(),
    };
    let fold = Ty::function(data.generic_type(), result.clone());
    let ty = constructors.iter().rev().fold(fold, |ty, constructor| Ty::function(handler(constructor), ty));
    quantify_over(&names, ty)
}

/// Returns the type of a map; for `Either A B` with both parameters marked it is `(A -> C) -> (B -> D) -> Either A B ->
/// Either C D`.
fn map_scheme(data: &DataType, marked: &[bool]) -> Scheme {
    let width = data.parameters().len();
    let names = with_fresh_parameters(data, marked.iter().filter(|&&marked| marked).count());
    let variable = |index: usize| Ty::new(TyKind::Variable(index, names[index].clone()));
    // Each marked parameter gets a new variable behind the old ones; the others stay the same.
    let mut next = width..names.len();
    let after: Vec<Ty> =
        (0..width).map(|index| variable(if marked[index] { next.next().unwrap_or(index) } else { index })).collect();
    let functions: Vec<Ty> =
        (0..width).filter(|&index| marked[index]).map(|i| Ty::function(variable(i), after[i].clone())).collect();
    let map = Ty::function(data.generic_type(), data.generic_type().with_arguments(&after));
    let ty = functions.into_iter().rev().fold(map, |ty, function| Ty::function(function, ty));
    quantify_over(&names, ty)
}

/// A variable, by the number of binders around its own (a de Bruijn level), or a component of that variable.
#[derive(Clone)]
struct LevelVariable {
    level: usize,
    component: Option<usize>,
    name: &'static str,
}

impl LevelVariable {
    fn whole_variable(level: usize, name: &'static str) -> LevelVariable {
        LevelVariable { level, component: None, name }
    }
}

/// For each variable of a type, the function to apply to its values; `None` leaves them as they are.
type VariableMaps = Vec<Option<LevelVariable>>;

/// A builder of terms, which counts the binders that it is under.
struct FoldBuilder {
    span: Span,
    depth: usize,
    /// The maps of other types, by their marked parameters: one definition each, shared by all uses.
    maps: FxHashMap<(DataType, Vec<bool>), Arc<Definition>>,
}

impl FoldBuilder {
    fn make_term(&self, kind: TermKind) -> Term {
        Term::new(kind, self.span)
    }

    fn variable_at(&self, place: &LevelVariable) -> Term {
        // Levels stay valid under further binders, indices do not: they are computed at the place of use.
        let index = self.depth - 1 - place.level;
        let variable = self.make_term(TermKind::Variable { index, name: place.name.into() });
        match place.component {
            Some(index) => self.make_term(TermKind::Project { tuple: variable, index }),
            None => variable,
        }
    }

    fn under_binder<R>(&mut self, name: &'static str, body: impl FnOnce(&mut Self, LevelVariable) -> R) -> R {
        let place = LevelVariable::whole_variable(self.depth, name);
        self.depth += 1;
        let result = body(self, place);
        self.depth -= 1;
        result
    }

    fn lambda(&mut self, name: &'static str, body: impl FnOnce(&mut Self, LevelVariable) -> Term) -> Term {
        let body = self.under_binder(name, body);
        self.make_term(TermKind::Lambda { name: name.into(), body })
    }

    /// Makes `\f … f => body`, with `count` parameters.
    fn nested_lambdas(
        &mut self,
        name: &'static str,
        count: usize,
        mut before: Vec<LevelVariable>,
        body: impl FnOnce(&mut Self, Vec<LevelVariable>) -> Term,
    ) -> Term {
        if before.len() == count {
            return body(self, before);
        }
        with_stack(|| {
            self.lambda(name, |builder, place| {
                before.push(place);
                builder.nested_lambdas(name, count, before, body)
            })
        })
    }

    /// Makes `let rec f = \t => match t with … in f`.
    fn recursive_match(
        &mut self,
        data: &DataType,
        name: &'static str,
        branch: impl FnMut(&mut Self, &Constructor, &LevelVariable, &LevelVariable) -> Term,
    ) -> Term {
        let value = self.under_binder(name, |builder, itself| builder.match_function(data, &itself, branch));
        let body = self.make_term(TermKind::Variable { index: 0, name: name.into() });
        self.make_term(TermKind::LetRec { name: name.into(), value, body })
    }

    /// Makes `\t => match t with …`.
    fn match_function(
        &mut self,
        data: &DataType,
        itself: &LevelVariable,
        mut branch: impl FnMut(&mut Self, &Constructor, &LevelVariable, &LevelVariable) -> Term,
    ) -> Term {
        self.lambda("t", |builder, matched| {
            let branches = data.constructors().map(|constructor| {
                let name = if constructor.layer_type().is_some() { "x" } else { "_" };
                let body =
                    builder.under_binder(name, |builder, argument| branch(builder, &constructor, itself, &argument));
                MatchBranch { name: name.into(), body }
            });
            let branches = branches.collect();
            let scrutinee = builder.variable_at(&matched);
            builder.make_term(TermKind::Match { data: data.clone(), scrutinee, branches })
        })
    }

    /// Makes `\f … f => let rec fold = \t => match t with Node x => f (x with its parts of the type folded) | … in
    /// fold`.
    fn fold_term(&mut self, data: &DataType) -> Term {
        self.nested_lambdas("f", data.constructor_count(), Vec::new(), |builder, handlers| {
            builder.recursive_match(data, "fold", |builder, constructor, itself, argument| {
                let handler = builder.variable_at(&handlers[constructor.index()]);
                let Some(layer) = constructor.layer_type() else { return handler };
                // The last variable of a layer is the type itself: its values are folded, all others stay.
                let mut functions: VariableMaps = vec![None; data.parameters().len()];
                functions.push(Some(itself.clone()));
                let argument = builder.map_value(layer, &functions, argument);
                Term::apply(handler, argument, builder.span)
            })
        })
    }

    /// Returns the map of a type, which takes one function for each marked parameter. Each map is made once.
    fn map_definition(&mut self, data: &DataType, marked: &[bool]) -> Arc<Definition> {
        let key = (data.clone(), marked.to_vec());
        if let Some(known) = self.maps.get(&key) {
            return known.clone();
        }
        // A map is a definition of its own: closed, so its levels count from 0.
        let depth = std::mem::take(&mut self.depth);
        let count = marked.iter().filter(|&&marked| marked).count();
        let term = self.nested_lambdas("f", count, Vec::new(), |builder, given| {
            let mut given = given.into_iter();
            let functions: VariableMaps =
                marked.iter().map(|&marked| if marked { given.next() } else { None }).collect();
            let branch =
                |builder: &mut Self, constructor: &Constructor, itself: &LevelVariable, argument: &LevelVariable| {
                    let Some(layer) = constructor.layer_type() else {
                        let unit = builder.make_term(TermKind::Unit);
                        return Term::inject(constructor.clone(), unit, Ty::unknown(), builder.span);
                    };
                    let functions = [&functions[..], &[Some(itself.clone())]].concat();
                    let argument = builder.map_value(layer, &functions, argument);
                    Term::inject(constructor.clone(), argument, Ty::unknown(), builder.span)
                };
            if data.is_recursive() {
                builder.recursive_match(data, "map", branch)
            } else {
                // No layer contains the type, so this variable is never used.
                builder.match_function(data, &LevelVariable::whole_variable(0, "map"), branch)
            }
        });
        self.depth = depth;
        let (name, doc) = (format!("map{}", data.name()), String::new());
        let map = make_definition(data, name, map_scheme(data, marked), term, doc, self.span);
        self.maps.insert(key, map.clone());
        map
    }

    /// Makes the value at `place`, of this type, with the functions applied to the values of the variables in it.
    fn map_value(&mut self, ty: &Ty, functions: &VariableMaps, place: &LevelVariable) -> Term {
        let mut touched = MarkedTypes::new(|index: usize| functions.get(index).is_some_and(Option::is_some));
        self.map_value_in(ty, functions, &mut touched, place)
    }

    fn map_value_in(
        &mut self,
        ty: &Ty,
        functions: &VariableMaps,
        touched: &mut MarkedTypes<impl Fn(usize) -> bool>,
        place: &LevelVariable,
    ) -> Term {
        // The value is used as it is: no copy of a tuple or a list is made for a part that does not change.
        if !touched.contains(ty) {
            return self.variable_at(place);
        }
        with_stack(|| match ty.kind() {
            TyKind::Variable(index, _) => match &functions[*index] {
                Some(function) => Term::apply(self.variable_at(function), self.variable_at(place), self.span),
                None => self.variable_at(place),
            },
            TyKind::Tuple(parts) if place.component.is_none() => {
                let parts = parts.iter().enumerate();
                let component = |index| LevelVariable { component: Some(index), ..*place };
                let parts = parts.map(|(i, part)| self.map_value_in(part, functions, touched, &component(i))).collect();
                self.make_term(TermKind::Tuple(parts))
            }
            TyKind::Tuple(_) => {
                // A component of a component is bound by a `let` first: a `LevelVariable` has one projection at most.
                let value = self.variable_at(place);
                let body = self.under_binder("p", |builder, p| builder.map_value_in(ty, functions, touched, &p));
                self.make_term(TermKind::Let { name: "p".into(), value, body })
            }
            TyKind::Data(data, arguments) if data.is_list() => {
                // Lists have the constant `fold` of the language; other types need a map of their own.
                let step = self.lambda("x", |builder, head| {
                    builder.lambda("rest", |builder, rest| {
                        let head = builder.map_value_in(&arguments[0], functions, touched, &head);
                        Term::cons(head, builder.variable_at(&rest), Ty::unknown(), builder.span)
                    })
                });
                let fold = self.make_term(TermKind::Constant(Constant::Fold));
                let operands = [step, Term::nil(Ty::unknown(), self.span), self.variable_at(place)];
                operands.into_iter().fold(fold, |function, operand| Term::apply(function, operand, self.span))
            }
            TyKind::Data(data, arguments) => {
                let marked: Vec<bool> = arguments.iter().map(|argument| touched.contains(argument)).collect();
                let map = self.map_definition(data, &marked);
                let map = self.make_term(TermKind::Global(map));
                let arguments = arguments.iter().zip(&marked).filter(|(_, marked)| **marked);
                let map = arguments.fold(map, |map, (argument, _)| {
                    let function =
                        self.lambda("x", |builder, x| builder.map_value_in(argument, functions, touched, &x));
                    Term::apply(map, function, self.span)
                });
                Term::apply(map, self.variable_at(place), self.span)
            }
            // The variables occur nowhere else: `inductive` rejected such declarations.
            _ => self.variable_at(place),
        })
    }
}
