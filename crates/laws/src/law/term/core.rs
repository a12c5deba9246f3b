//! Conversion of random terms to core terms of the language, without a detour through text and parser.

use super::{Head, Id, Rise, Term};
use crate::function::{Function, Functional};
use crate::number::Rational;
use crate::syntax::constant::Constant;
use crate::syntax::name::Name;
use crate::syntax::source::Span;
use crate::syntax::term::{Branch, Term as Core, TermKind};
use crate::syntax::ty::{Ty, TyKind};

// generated terms have no source text, so every span is empty
const SPAN: Span = Span { start: 0, end: 0 };

impl Term {
    /// Returns the typed program. Returns `None` if a variable occurs outside of its binder: not every candidate of the
    /// shrinker is a closed term.
    #[must_use]
    pub fn core(&self) -> Option<Core> {
        Scope::default().term(self)
    }
}

/// The binders that enclose a term, with their types, outermost first. A binder without a number cannot be looked up.
#[derive(Default)]
struct Scope(Vec<(Option<Id>, Ty)>);

/// Makes a core term with an empty span.
fn term(kind: TermKind) -> Core {
    Core::new(kind, SPAN)
}

/// Returns the printed name of a binder.
fn name(id: Id) -> Name {
    format!("v{id}").into()
}

/// Applies a function to arguments one after the other.
fn applied(function: Core, arguments: impl IntoIterator<Item = Core>) -> Core {
    arguments.into_iter().fold(function, |function, argument| Core::apply(function, argument, SPAN))
}

/// Applies a constant to arguments; the result has type `ty`. The types of the arguments give the constant its type.
fn called(constant: impl Into<Constant>, arguments: Vec<Core>, ty: Ty) -> Core {
    let ty = arguments.iter().rev().fold(ty, |ty, argument| Ty::function(argument.ty().clone(), ty));
    applied(Core::typed(TermKind::Constant(constant.into()), ty, SPAN), arguments)
}

/// Applies a constant to real arguments; the result has type `Real`.
fn real(constant: impl Into<Constant>, arguments: impl Into<Vec<Core>>) -> Core {
    called(constant, arguments.into(), Ty::real())
}

/// Returns a rational number as the parser would read it: literals have no sign, and a fraction is a quotient.
fn number(q: &Rational) -> Core {
    let literal = |q: Rational| term(TermKind::Real(q));
    let above = literal(q.numer().clone().abs().into());
    let above = if *q < 0 { real(Constant::Negate, [above]) } else { above };
    if q.is_integer() { above } else { real(Constant::Divide, [above, literal(q.denom().clone().into())]) }
}

/// Raises `base` to a constant power.
fn power(base: Core, exponent: &Rational) -> Core {
    real(Constant::Power, [base, number(exponent)])
}

impl Rise {
    /// Applies the function to `x`.
    fn at(self, x: Core) -> Core {
        let cube = |x: &Core| power(x.clone(), &Rational::from(3));
        match self {
            Rise::Line => x,
            Rise::Cubic => real(Constant::Add, [x.clone(), cube(&x)]),
            Rise::Sinh => real(Function::Sinh, [x]),
            Rise::Kink => real(Constant::Add, [x.clone(), real(Constant::Max, [number(&Rational::new()), x])]),
            Rise::Wave => {
                let half = [real(Function::Sin, [x.clone()]), number(&Rational::from(2))];
                real(Constant::Add, [x, real(Constant::Divide, half)])
            }
            Rise::Cbrt => real(Function::Cbrt, [x]),
            Rise::Cube => cube(&x),
        }
    }
}

impl Scope {
    /// Runs `make` with more binders in scope, and removes them afterwards.
    fn under<R>(&mut self, binders: &[(Option<Id>, Ty)], make: impl FnOnce(&mut Self) -> R) -> R {
        let outside = self.0.len();
        self.0.extend_from_slice(binders);
        let made = make(self);
        self.0.truncate(outside);
        made
    }

    /// Returns the variable with the number `id` as a de Bruijn index. Returns `None` if it is not in scope.
    fn variable(&self, id: Id) -> Option<Core> {
        // search from the inside out: the position from the end is the de Bruijn index
        let (index, (_, ty)) = self.0.iter().rev().enumerate().find(|(_, (bound, _))| *bound == Some(id))?;
        Some(Core::variable(index, name(id), ty.clone(), SPAN))
    }

    /// Makes a λ-abstraction over the binder `id`.
    fn lambda(&mut self, id: Id, domain: &Ty, body: impl FnOnce(&mut Self) -> Option<Core>) -> Option<Core> {
        let body = self.under(&[(Some(id), domain.clone())], body)?;
        Some(Core::lambda(name(id), domain.clone(), body, SPAN))
    }

    /// Converts all parts. Returns `None` if one of them has an unbound variable.
    fn all(&mut self, parts: &[Term]) -> Option<Vec<Core>> {
        parts.iter().map(|part| self.term(part)).collect()
    }

    /// Converts a term. Returns `None` if a variable is unbound, or if a head has the wrong number of parts.
    fn term(&mut self, drawn: &Term) -> Option<Core> {
        let ty = || drawn.ty.clone();
        let isomorphism =
            |iso: &Constant, a: Ty, b: Ty| Core::typed(TermKind::Constant(*iso), Ty::new(TyKind::Iso(a, b)), SPAN);
        Some(match (&drawn.head, &drawn.parts[..]) {
            (Head::Real(q), _) => number(q),
            (Head::Nat(n), _) => term(TermKind::Nat(*n)),
            (Head::Bool(b), _) => term(TermKind::Bool(*b)),
            (Head::Variable(id), _) => self.variable(*id)?,
            (Head::Text(closed), _) => closed.term.clone(),
            (Head::Power(q), [base]) => power(self.term(base)?, q),
            (Head::Call(constant), parts) => called(*constant, self.all(parts)?, ty()),
            (Head::Lambda(id, domain), [body]) => self.lambda(*id, domain, |scope| scope.term(body))?,
            (Head::Apply, [function, argument]) => applied(self.term(function)?, [self.term(argument)?]),
            (Head::Let(id), [value, body]) => {
                let value = self.term(value)?;
                // the binder is in scope of the body alone, not of the value
                let body = self.under(&[(Some(*id), value.ty().clone())], |scope| scope.term(body))?;
                term(TermKind::Let { name: name(*id), value, body })
            }
            (Head::Tuple, []) => term(TermKind::Unit),
            (Head::Tuple, parts) => term(TermKind::Tuple(self.all(parts)?)),
            (Head::Project(index), [tuple]) => term(TermKind::Project { tuple: self.term(tuple)?, index: *index }),
            (Head::If, [condition, then, otherwise]) => {
                let (condition, then) = (self.term(condition)?, self.term(then)?);
                term(TermKind::If { condition, then, otherwise: self.term(otherwise)? })
            }
            (Head::Iterate { function, counter, state }, [step, count, start]) => {
                // the function is in scope of its own definition, so its type is needed before that is converted
                let itself = Ty::function(Ty::nat(), Ty::function(ty(), ty()));
                self.under(&[(Some(*function), itself)], |scope| {
                    let value = scope.lambda(*counter, &Ty::nat(), |scope| {
                        scope.lambda(*state, &drawn.ty, |scope| scope.step(*function, *counter, *state, step))
                    })?;
                    let body = applied(scope.variable(*function)?, [scope.term(count)?, scope.term(start)?]);
                    Some(term(TermKind::LetRec { name: name(*function), value, body }))
                })?
            }
            (Head::Recurse { function, argument, of }, [body, rest]) => {
                let itself = Ty::function(of.clone(), body.ty.clone());
                self.under(&[(Some(*function), itself)], |scope| {
                    let value = scope.lambda(*argument, of, |scope| scope.term(body))?;
                    Some(term(TermKind::LetRec { name: name(*function), value, body: scope.term(rest)? }))
                })?
            }
            (Head::CutRoot(id, rise), [level, steepness]) => {
                // level and steepness are drawn outside of the binder; conversion under it shifts their indices
                let falling = self.lambda(*id, &Ty::real(), |scope| {
                    let (level, steepness) = (scope.term(level)?, real(Constant::Abs, [scope.term(steepness)?]));
                    let factor = real(Constant::Add, [number(&Rational::from(1)), steepness]);
                    let rise = real(Constant::Multiply, [factor, rise.at(scope.variable(*id)?)]);
                    Some(real(Constant::Subtract, [level, rise]))
                })?;
                real(Constant::Functional(Functional::CutRoot), [falling])
            }
            (Head::To(iso), [part]) => {
                let part = self.term(part)?;
                applied(term(TermKind::To(isomorphism(iso, part.ty().clone(), ty()))), [part])
            }
            (Head::From(iso), [part]) => {
                let part = self.term(part)?;
                applied(term(TermKind::From(isomorphism(iso, ty(), part.ty().clone()))), [part])
            }
            (Head::Inject(constructor), parts) => {
                let mut parts = self.all(parts)?;
                let argument = match parts.len() {
                    0 => term(TermKind::Unit),
                    1 => parts.pop()?,
                    _ => term(TermKind::Tuple(parts)),
                };
                Core::inject(constructor.clone(), argument, ty(), SPAN)
            }
            (Head::Match(data, binders), [scrutinee, answers @ ..]) => {
                let scrutinee = self.term(scrutinee)?;
                let TyKind::Data(_, arguments) = scrutinee.ty().kind() else { return None };
                let cases = data.domains(arguments).into_iter().zip(binders).zip(answers);
                let branches = cases.map(|((domain, binders), answer)| self.branch(domain, binders, answer));
                let branches = branches.collect::<Option<_>>()?;
                term(TermKind::Match { data: data.clone(), scrutinee, branches })
            }
            _ => return None,
        })
    }

    /// Makes `if counter == 0 then state else function (counter - 1) step`.
    fn step(&mut self, function: Id, counter: Id, state: Id, step: &Term) -> Option<Core> {
        let nat = |n| term(TermKind::Nat(n));
        let condition = called(Constant::Equal, vec![self.variable(counter)?, nat(0)], Ty::bool());
        let left = called(Constant::Subtract, vec![self.variable(counter)?, nat(1)], Ty::nat());
        let otherwise = applied(self.variable(function)?, [left, self.term(step)?]);
        Some(term(TermKind::If { condition, then: self.variable(state)?, otherwise }))
    }

    /// Makes the branch of one case. A constructor that binds several variables takes a tuple, and each variable is a
    /// projection of it.
    fn branch(&mut self, domain: Ty, binders: &[Id], answer: &Term) -> Option<Branch> {
        let (TyKind::Tuple(types), [_, _, ..]) = (domain.kind(), binders) else {
            let id = binders.first().copied();
            let body = self.under(&[(id, domain)], |scope| scope.term(answer))?;
            return Some(Branch { name: id.map_or_else(|| "_".into(), name), body });
        };
        let pair = Name::from("pair");
        // the tuple itself has no number, so no variable can resolve to it
        let mut scope = vec![(None, domain.clone())];
        scope.extend(binders.iter().zip(types).map(|(id, ty)| (Some(*id), ty.clone())));
        let answer = self.under(&scope, |scope| scope.term(answer))?;
        // seen from the let of component `index`, the lets of the earlier components lie between it and the tuple
        let body = binders.iter().enumerate().rev().fold(answer, |body, (index, id)| {
            let tuple = Core::variable(index, pair.clone(), domain.clone(), SPAN);
            term(TermKind::Let { name: name(*id), value: term(TermKind::Project { tuple, index }), body })
        });
        Some(Branch { name: pair, body })
    }
}
