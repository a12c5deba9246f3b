//! First-order terms as terms of λ_S.
//!
//! | first-order | λ_S |
//! |---|---|
//! | ∗, ⌊ℝ⁰⌋ | `unit` |
//! | ⌊ℝ⌋, ⌊ℝⁿ⌋ | `Real`, `Real^n` |
//! | τ₁ × τ₂ | `A * B` |
//! | Γ, x : τ ⊢ e : σ | `\x => e` of type `A -> B`, one argument for each variable of Γ |
//! | ∂e_y/∂x\|x=e_x·e_dx | for each coordinate of the result, `deriv (\t => let x = e_x + t e_dx in e_y) 0` |
//!
//! The last line says that a directional derivative is the derivative along a line. At a kink it may be a smaller set than
//! the paper's, which moves the whole context along a direction of zeros; the two overlap.

use super::arrow::{Arrow, ArrowKind};
use super::ty::{Context, Type, TypeKind};
use super::typing::TypingError;
use super::{Term, TermKind};
use smoothish::number::Rational;
use smoothish::stack::with_stack;
use smoothish::syntax::constant::Constant;
use smoothish::syntax::name::Name;
use smoothish::syntax::source::Span;
use smoothish::syntax::term::{self, TermKind as Kind};
use smoothish::syntax::ty::{Ty, TyKind};

/// The type of λ_S for a first-order type.
#[must_use]
pub fn embedded_type(ty: &Type) -> Ty {
    with_stack(|| match ty.kind() {
        TypeKind::Unit | TypeKind::Space(0) => Ty::new(TyKind::Unit),
        TypeKind::Space(1) => Ty::real(),
        TypeKind::Space(n) => Ty::new(TyKind::Tuple(vec![Ty::real(); *n])),
        TypeKind::Product(a, b) => Ty::new(TyKind::Tuple(vec![embedded_type(a), embedded_type(b)])),
    })
}

/// The closed term of λ_S for Γ ⊢ e : τ, a function of the variables of Γ one after another, and its type.
///
/// # Errors
/// [`TypingError`] when Γ gives e no type.
pub fn embedded(term: &Term, context: &Context) -> Result<(term::Term, Ty), TypingError> {
    let ty = term.type_in(context)?;
    let mut embedding = Embedding::default();
    for (name, ty) in context.variables() {
        embedding.scope.push((Some(name.clone()), ty.clone()));
    }
    let (body, _) = embedding.term(term);
    let variables = context.variables().iter().rev();
    let function = variables.fold((body, embedded_type(&ty)), |(body, result), (name, ty)| {
        let lambda = new(Kind::Lambda { name: name.clone(), body });
        (lambda, Ty::function(embedded_type(ty), result))
    });
    Ok(function)
}

fn new(kind: Kind) -> term::Term {
    term::Term::new(kind, Span::default())
}

fn number(value: Rational) -> term::Term {
    new(Kind::Real(value))
}

fn call(constant: Constant, arguments: Vec<term::Term>) -> term::Term {
    let head = new(Kind::Constant(constant));
    arguments.into_iter().fold(head, |function, argument| term::Term::apply(function, argument, Span::default()))
}

fn project(tuple: term::Term, index: usize) -> term::Term {
    new(Kind::Project { tuple, index })
}

/// Every coordinate of something of a type, from left to right.
fn coordinates(whole: &term::Term, ty: &Type, into: &mut Vec<term::Term>) {
    with_stack(|| match ty.kind() {
        TypeKind::Unit | TypeKind::Space(0) => {}
        TypeKind::Space(1) => into.push(whole.clone()),
        TypeKind::Space(n) => into.extend((0..*n).map(|index| project(whole.clone(), index))),
        TypeKind::Product(a, b) => {
            coordinates(&project(whole.clone(), 0), a, into);
            coordinates(&project(whole.clone(), 1), b, into);
        }
    });
}

/// Something of a type, from its coordinates.
fn assembled(ty: &Type, from: &mut dyn Iterator<Item = term::Term>) -> term::Term {
    let next = |from: &mut dyn Iterator<Item = term::Term>| from.next().unwrap_or_else(|| number(Rational::new()));
    with_stack(|| match ty.kind() {
        TypeKind::Unit | TypeKind::Space(0) => new(Kind::Unit),
        TypeKind::Space(1) => next(from),
        TypeKind::Space(n) => new(Kind::Tuple((0..*n).map(|_| next(from)).collect())),
        TypeKind::Product(a, b) => new(Kind::Tuple(vec![assembled(a, from), assembled(b, from)])),
    })
}

/// Turns names into indices. The variables that the embedding adds have no name to be found by.
#[derive(Default)]
struct Embedding {
    scope: Vec<(Option<Name>, Type)>,
}

impl Embedding {
    /// The variable at a place of the scope.
    fn at(&self, position: usize, shown: &str) -> term::Term {
        new(Kind::Variable { index: self.scope.len() - 1 - position, name: shown.into() })
    }

    /// What is under one binder more.
    fn under<R>(&mut self, name: Option<&Name>, ty: &Type, make: impl FnOnce(&mut Self, usize) -> R) -> R {
        self.scope.push((name.cloned(), ty.clone()));
        let made = make(self, self.scope.len() - 1);
        self.scope.pop();
        made
    }

    /// `let shown = value in …`
    fn bound(
        &mut self,
        shown: &str,
        ty: &Type,
        value: term::Term,
        make: impl FnOnce(&mut Self, usize) -> term::Term,
    ) -> term::Term {
        let body = self.under(None, ty, make);
        new(Kind::Let { name: shown.into(), value, body })
    }

    /// The term of a well-typed expression, and its type.
    fn term(&mut self, term: &Term) -> (term::Term, Type) {
        with_stack(|| match term.kind() {
            TermKind::Variable(name) => {
                let found = self.scope.iter().rposition(|(known, _)| known.as_ref() == Some(name));
                match found {
                    Some(position) => (self.at(position, name), self.scope[position].1.clone()),
                    None => (new(Kind::Unit), Type::unit()),
                }
            }
            TermKind::Unit => (new(Kind::Unit), Type::unit()),
            TermKind::Pair(first, second) => {
                let ((first, a), (second, b)) = (self.term(first), self.term(second));
                (new(Kind::Tuple(vec![first, second])), Type::product(&a, &b))
            }
            TermKind::Let { variable, value, body } => {
                let (value, ty) = self.term(value);
                let (body, result) = self.under(Some(variable), &ty, |embedding, _| embedding.term(body));
                (new(Kind::Let { name: variable.clone(), value, body }), result)
            }
            TermKind::Apply(arrow, argument) => {
                let (argument, ty) = self.term(argument);
                (self.arrow(arrow, argument, &ty), arrow.codomain().clone())
            }
            TermKind::Derivative { body, variable, at, along } => self.derivative(body, variable, at, along),
        })
    }

    /// ⌊f⌋ of a term, of a type that denotes the domain.
    fn arrow(&mut self, arrow: &Arrow, argument: term::Term, ty: &Type) -> term::Term {
        // coordinates that are at hand need no name, where each is used once
        let at_hand = match (argument.kind(), ty.kind()) {
            (_, TypeKind::Space(1)) => Some(vec![argument.clone()]),
            (Kind::Tuple(parts), TypeKind::Product(a, b)) if [a, b].iter().all(|ty| **ty == Type::real()) => {
                Some(parts.clone())
            }
            _ => None,
        };
        match (arrow.kind(), at_hand) {
            (ArrowKind::Operation(constant), Some(parts)) => return call(*constant, parts),
            (ArrowKind::Power(exponent), Some(parts)) => {
                return call(Constant::Power, parts.into_iter().chain([number(exponent.clone())]).collect());
            }
            _ => {}
        }
        match arrow.kind() {
            ArrowKind::Number(value) => number(value.clone()),
            ArrowKind::First => project(argument, 0),
            ArrowKind::Second => project(argument, 1),
            _ => self.bound("p", ty, argument, |embedding, place| {
                let mut parts = Vec::new();
                coordinates(&embedding.at(place, "p"), ty, &mut parts);
                match arrow.kind() {
                    ArrowKind::Operation(constant) => call(*constant, parts),
                    ArrowKind::Power(exponent) => {
                        parts.push(number(exponent.clone()));
                        call(Constant::Power, parts)
                    }
                    ArrowKind::Linear(rows) => {
                        let mut values = rows.iter().map(|row| combination(row, &parts));
                        assembled(arrow.codomain(), &mut values)
                    }
                    _ => assembled(arrow.codomain(), &mut parts.into_iter()),
                }
            }),
        }
    }

    fn derivative(&mut self, body: &Term, variable: &Name, at: &Term, along: &Term) -> (term::Term, Type) {
        let (at, ty) = self.term(at);
        let mut result = Type::unit();
        let along = self.under(None, &ty, |embedding, _| embedding.term(along).0);
        let real = Type::real();
        let whole = self.bound("at", &ty, at, |embedding, point| {
            embedding.bound("along", &ty, along, |embedding, direction| {
                // f t = e_y at e_x + t e_dx
                let line = embedding.under(None, &real, |embedding, time| {
                    let (mut from, mut by) = (Vec::new(), Vec::new());
                    coordinates(&embedding.at(point, "at"), &ty, &mut from);
                    coordinates(&embedding.at(direction, "along"), &ty, &mut by);
                    let time = embedding.at(time, "t");
                    let mut moved = from.into_iter().zip(by).map(|(x, dx)| {
                        let step = call(Constant::Multiply, vec![time.clone(), dx]);
                        call(Constant::Add, vec![x, step])
                    });
                    let moved = assembled(&ty, &mut moved);
                    let (body, found) = embedding.under(Some(variable), &ty, |embedding, _| embedding.term(body));
                    result = found;
                    new(Kind::Let { name: variable.clone(), value: moved, body })
                });
                let line = new(Kind::Lambda { name: "t".into(), body: line });
                embedding.bound("f", &real, line, |embedding, f| {
                    // under \t, the value of f at t
                    let value = embedding.under(None, &real, |embedding, t| {
                        term::Term::apply(embedding.at(f, "f"), embedding.at(t, "t"), Span::default())
                    });
                    let mut parts = Vec::new();
                    coordinates(&value, &result, &mut parts);
                    let mut slopes = parts.into_iter().map(|part| {
                        let function = new(Kind::Lambda { name: "t".into(), body: part });
                        call(Constant::Deriv, vec![function, number(Rational::new())])
                    });
                    assembled(&result, &mut slopes)
                })
            })
        });
        (whole, result)
    }
}

/// Σ c_j x_j
fn combination(row: &[Rational], parts: &[term::Term]) -> term::Term {
    let terms = row.iter().zip(parts).filter(|(c, _)| !c.is_zero()).map(|(c, part)| match *c == 1 {
        true => part.clone(),
        false => call(Constant::Multiply, vec![number(c.clone()), part.clone()]),
    });
    terms.reduce(|sum, term| call(Constant::Add, vec![sum, term])).unwrap_or_else(|| number(Rational::new()))
}
