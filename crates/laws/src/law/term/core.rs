//! Conversion of random terms to core terms of the language, without a detour through text and parser.

use super::{BinderId, IncreasingFunction, TermHead, TestTerm};
use crate::function::{Function, Functional};
use crate::number::Rational;
use crate::syntax::constant::Constant;
use crate::syntax::name::Name;
use crate::syntax::source::Span;
use crate::syntax::term::{MatchBranch, Term as Core, TermKind};
use crate::syntax::ty::{Ty, TyKind};

// generated terms have no source text, so every span is empty
const SPAN: Span = Span { start: 0, end: 0 };

impl TestTerm {
    /// Returns the typed program. Returns `None` if a variable occurs outside of its binder: not every candidate of the
    /// shrinker is a closed term.
    #[must_use]
    pub fn to_core(&self) -> Option<Core> {
        IndexedScope::default().convert_term(self)
    }
}

/// The binders that enclose a term, with their types, outermost first. A binder without a number cannot be looked up.
#[derive(Default)]
struct IndexedScope(Vec<(Option<BinderId>, Ty)>);

/// Makes a core term with an empty span.
fn core_term(kind: TermKind) -> Core {
    Core::new(kind, SPAN)
}

/// Returns the printed name of a binder.
fn binder_name(id: BinderId) -> Name {
    format!("v{id}").into()
}

/// Applies a function to arguments one after the other.
fn apply_all(function: Core, arguments: impl IntoIterator<Item = Core>) -> Core {
    arguments.into_iter().fold(function, |function, argument| Core::apply(function, argument, SPAN))
}

/// Applies a constant to arguments; the result has type `ty`. The types of the arguments give the constant its type.
fn constant_application(constant: impl Into<Constant>, arguments: Vec<Core>, ty: Ty) -> Core {
    let ty = arguments.iter().rev().fold(ty, |ty, argument| Ty::function(argument.ty().clone(), ty));
    apply_all(Core::with_type(TermKind::Constant(constant.into()), ty, SPAN), arguments)
}

/// Applies a constant to real arguments; the result has type `Real`.
fn real_application(constant: impl Into<Constant>, arguments: impl Into<Vec<Core>>) -> Core {
    constant_application(constant, arguments.into(), Ty::real())
}

/// Returns a rational number as the parser would read it: literals have no sign, and a fraction is a quotient.
fn number_literal(q: &Rational) -> Core {
    let literal = |q: Rational| core_term(TermKind::Real(q));
    let above = literal(q.numer().clone().abs().into());
    let above = if *q < 0 { real_application(Constant::Negate, [above]) } else { above };
    if q.is_integer() { above } else { real_application(Constant::Divide, [above, literal(q.denom().clone().into())]) }
}

/// Raises `base` to a constant power.
fn real_power(base: Core, exponent: &Rational) -> Core {
    real_application(Constant::Power, [base, number_literal(exponent)])
}

impl IncreasingFunction {
    /// Applies the function to `x`.
    fn apply_to(self, x: Core) -> Core {
        let cube = |x: &Core| real_power(x.clone(), &Rational::from(3));
        match self {
            IncreasingFunction::Identity => x,
            IncreasingFunction::Cubic => real_application(Constant::Add, [x.clone(), cube(&x)]),
            IncreasingFunction::Sinh => real_application(Function::Sinh, [x]),
            IncreasingFunction::PlusRelu => real_application(
                Constant::Add,
                [x.clone(), real_application(Constant::Max, [number_literal(&Rational::new()), x])],
            ),
            IncreasingFunction::PlusSine => {
                let half = [real_application(Function::Sin, [x.clone()]), number_literal(&Rational::from(2))];
                real_application(Constant::Add, [x, real_application(Constant::Divide, half)])
            }
            IncreasingFunction::Cbrt => real_application(Function::Cbrt, [x]),
            IncreasingFunction::Cube => cube(&x),
        }
    }
}

impl IndexedScope {
    /// Runs `make` with more binders in scope, and removes them afterwards.
    fn with_binders<R>(&mut self, binders: &[(Option<BinderId>, Ty)], make: impl FnOnce(&mut Self) -> R) -> R {
        let outside = self.0.len();
        self.0.extend_from_slice(binders);
        let made = make(self);
        self.0.truncate(outside);
        made
    }

    /// Returns the variable with the number `id` as a de Bruijn index. Returns `None` if it is not in scope.
    fn resolve_variable(&self, id: BinderId) -> Option<Core> {
        // search from the inside out: the position from the end is the de Bruijn index
        let (index, (_, ty)) = self.0.iter().rev().enumerate().find(|(_, (bound, _))| *bound == Some(id))?;
        Some(Core::variable(index, binder_name(id), ty.clone(), SPAN))
    }

    /// Makes a λ-abstraction over the binder `id`.
    fn make_lambda(&mut self, id: BinderId, domain: &Ty, body: impl FnOnce(&mut Self) -> Option<Core>) -> Option<Core> {
        let body = self.with_binders(&[(Some(id), domain.clone())], body)?;
        Some(Core::lambda(binder_name(id), domain.clone(), body, SPAN))
    }

    /// Converts all parts. Returns `None` if one of them has an unbound variable.
    fn convert_all(&mut self, parts: &[TestTerm]) -> Option<Vec<Core>> {
        parts.iter().map(|part| self.convert_term(part)).collect()
    }

    /// Converts a term. Returns `None` if a variable is unbound, or if a head has the wrong number of parts.
    fn convert_term(&mut self, drawn: &TestTerm) -> Option<Core> {
        let ty = || drawn.ty.clone();
        let isomorphism =
            |iso: &Constant, a: Ty, b: Ty| Core::with_type(TermKind::Constant(*iso), Ty::new(TyKind::Iso(a, b)), SPAN);
        Some(match (&drawn.head, &drawn.parts[..]) {
            (TermHead::Real(q), _) => number_literal(q),
            (TermHead::Nat(n), _) => core_term(TermKind::Nat(*n)),
            (TermHead::Bool(b), _) => core_term(TermKind::Bool(*b)),
            (TermHead::Variable(id), _) => self.resolve_variable(*id)?,
            (TermHead::Parsed(closed), _) => closed.term.clone(),
            (TermHead::Power(q), [base]) => real_power(self.convert_term(base)?, q),
            (TermHead::Call(constant), parts) => constant_application(*constant, self.convert_all(parts)?, ty()),
            (TermHead::Lambda(id, domain), [body]) => {
                self.make_lambda(*id, domain, |scope| scope.convert_term(body))?
            }
            (TermHead::Apply, [function, argument]) => {
                apply_all(self.convert_term(function)?, [self.convert_term(argument)?])
            }
            (TermHead::Let(id), [value, body]) => {
                let value = self.convert_term(value)?;
                // the binder is in scope of the body alone, not of the value
                let body = self.with_binders(&[(Some(*id), value.ty().clone())], |scope| scope.convert_term(body))?;
                core_term(TermKind::Let { name: binder_name(*id), value, body })
            }
            (TermHead::Tuple, []) => core_term(TermKind::Unit),
            (TermHead::Tuple, parts) => core_term(TermKind::Tuple(self.convert_all(parts)?)),
            (TermHead::Project(index), [tuple]) => {
                core_term(TermKind::Project { tuple: self.convert_term(tuple)?, index: *index })
            }
            (TermHead::If, [condition, then, otherwise]) => {
                let (condition, then) = (self.convert_term(condition)?, self.convert_term(then)?);
                core_term(TermKind::If { condition, then, otherwise: self.convert_term(otherwise)? })
            }
            (TermHead::Iterate { function, counter, state }, [step, count, start]) => {
                // the function is in scope of its own definition, so its type is needed before that is converted
                let itself = Ty::function(Ty::nat(), Ty::function(ty(), ty()));
                self.with_binders(&[(Some(*function), itself)], |scope| {
                    let value = scope.make_lambda(*counter, &Ty::nat(), |scope| {
                        scope.make_lambda(*state, &drawn.ty, |scope| {
                            scope.recursion_step(*function, *counter, *state, step)
                        })
                    })?;
                    let body = apply_all(
                        scope.resolve_variable(*function)?,
                        [scope.convert_term(count)?, scope.convert_term(start)?],
                    );
                    Some(core_term(TermKind::LetRec { name: binder_name(*function), value, body }))
                })?
            }
            (TermHead::LetRec { function, argument, of }, [body, rest]) => {
                let itself = Ty::function(of.clone(), body.ty.clone());
                self.with_binders(&[(Some(*function), itself)], |scope| {
                    let value = scope.make_lambda(*argument, of, |scope| scope.convert_term(body))?;
                    Some(core_term(TermKind::LetRec {
                        name: binder_name(*function),
                        value,
                        body: scope.convert_term(rest)?,
                    }))
                })?
            }
            (TermHead::CutRoot(id, rise), [level, steepness]) => {
                // level and steepness are drawn outside of the binder; conversion under it shifts their indices
                let falling = self.make_lambda(*id, &Ty::real(), |scope| {
                    let (level, steepness) =
                        (scope.convert_term(level)?, real_application(Constant::Abs, [scope.convert_term(steepness)?]));
                    let factor = real_application(Constant::Add, [number_literal(&Rational::from(1)), steepness]);
                    let rise =
                        real_application(Constant::Multiply, [factor, rise.apply_to(scope.resolve_variable(*id)?)]);
                    Some(real_application(Constant::Subtract, [level, rise]))
                })?;
                real_application(Constant::Functional(Functional::CutRoot), [falling])
            }
            (TermHead::IsoForward(iso), [part]) => {
                let part = self.convert_term(part)?;
                apply_all(core_term(TermKind::To(isomorphism(iso, part.ty().clone(), ty()))), [part])
            }
            (TermHead::IsoInverse(iso), [part]) => {
                let part = self.convert_term(part)?;
                apply_all(core_term(TermKind::From(isomorphism(iso, ty(), part.ty().clone()))), [part])
            }
            (TermHead::Inject(constructor), parts) => {
                let mut parts = self.convert_all(parts)?;
                let argument = match parts.len() {
                    0 => core_term(TermKind::Unit),
                    1 => parts.pop()?,
                    _ => core_term(TermKind::Tuple(parts)),
                };
                Core::inject(constructor.clone(), argument, ty(), SPAN)
            }
            (TermHead::Match(data, binders), [scrutinee, answers @ ..]) => {
                let scrutinee = self.convert_term(scrutinee)?;
                let TyKind::Data(_, arguments) = scrutinee.ty().kind() else { return None };
                let cases = data.argument_types(arguments).into_iter().zip(binders).zip(answers);
                let branches = cases.map(|((domain, binders), answer)| self.match_branch(domain, binders, answer));
                let branches = branches.collect::<Option<_>>()?;
                core_term(TermKind::Match { data: data.clone(), scrutinee, branches })
            }
            _ => return None,
        })
    }

    /// Makes `if counter == 0 then state else function (counter - 1) step`.
    fn recursion_step(
        &mut self,
        function: BinderId,
        counter: BinderId,
        state: BinderId,
        step: &TestTerm,
    ) -> Option<Core> {
        let nat = |n| core_term(TermKind::Nat(n));
        let condition =
            constant_application(Constant::Equal, vec![self.resolve_variable(counter)?, nat(0)], Ty::bool());
        let left = constant_application(Constant::Subtract, vec![self.resolve_variable(counter)?, nat(1)], Ty::nat());
        let otherwise = apply_all(self.resolve_variable(function)?, [left, self.convert_term(step)?]);
        Some(core_term(TermKind::If { condition, then: self.resolve_variable(state)?, otherwise }))
    }

    /// Makes the branch of one case. A constructor that binds several variables takes a tuple, and each variable is a
    /// projection of it.
    fn match_branch(&mut self, domain: Ty, binders: &[BinderId], answer: &TestTerm) -> Option<MatchBranch> {
        let (TyKind::Tuple(types), [_, _, ..]) = (domain.kind(), binders) else {
            let id = binders.first().copied();
            let body = self.with_binders(&[(id, domain)], |scope| scope.convert_term(answer))?;
            return Some(MatchBranch { name: id.map_or_else(|| "_".into(), binder_name), body });
        };
        let pair = Name::from("pair");
        // the tuple itself has no number, so no variable can resolve to it
        let mut scope = vec![(None, domain.clone())];
        scope.extend(binders.iter().zip(types).map(|(id, ty)| (Some(*id), ty.clone())));
        let answer = self.with_binders(&scope, |scope| scope.convert_term(answer))?;
        // seen from the let of component `index`, the lets of the earlier components lie between it and the tuple
        let body = binders.iter().enumerate().rev().fold(answer, |body, (index, id)| {
            let tuple = Core::variable(index, pair.clone(), domain.clone(), SPAN);
            core_term(TermKind::Let {
                name: binder_name(*id),
                value: core_term(TermKind::Project { tuple, index }),
                body,
            })
        });
        Some(MatchBranch { name: pair, body })
    }
}
