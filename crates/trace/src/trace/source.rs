//! The source transformation: it turns a program with `rd` into a program without `rd` that has the same value.
//!
//! A differentiates traces, and says of its Propositions 4.3 and 4.4 that they justify transformations of programs;
//! this is one. `W.rd_V(x. N)` becomes the [reverse sweep](super::accumulate) over N itself. The derivative of a
//! conditional is the conditional of the derivatives. A function `f : T → U` gains `f_r : T × U → T`, whose body is the
//! sweep over the body of f, with `f_r` where that calls f.
//!
//! Functions are first-order, so the sweep needs numbers alone, and it computes them again instead of storing them. A
//! call that is not in tail position is run twice at each level: k² steps for k levels, in memory proportional to k. A
//! loop takes k steps forwards, and k on the way back.
//!
//! A derivative of `f_r` is made likewise if it is used. A function that is defined by its own derivative would need
//! derivatives of all orders; it is refused.

use super::accumulate::in_scope;
use super::error::Obstacle;
use super::hooks::{self, Hooks};
use super::program::{Program, Transposed};
use super::sugar;
use super::term::{Definition, Term, TermKind, Variable};
use super::ty::Ty;
use crate::stack::deep;
use crate::syntax::name::Name;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::RefCell;
use std::sync::Arc;

/// The largest number of nodes of a transformed program. A choice: each nested derivative copies the program.
pub const NODES: u64 = 100_000;

/// Replaces every `rd` in a program by its source transformation.
///
/// # Errors
/// [`Obstacle::OwnDerivative`] for a function defined by its own derivative, [`Obstacle::Limited`] for a limited
/// recursion, [`Obstacle::ProgramTooLarge`] for more than [`NODES`] nodes, [`Obstacle::Stuck`] for an ill-typed
/// program.
pub fn written_out(program: &Program) -> Result<Program, Obstacle> {
    let term = written_out_by(&hooks::Library, &program.parameters, &program.term)?;
    Ok(Program { term, ..program.clone() })
}

/// Like [`written_out`], for a term with the free variables `parameters`, and with other rules.
///
/// # Errors
/// As [`written_out`].
pub fn written_out_by(hooks: &dyn Hooks, parameters: &[(Variable, Ty)], term: &Term) -> Result<Term, Obstacle> {
    Scope::new(hooks, parameters).written(term)
}

/// Returns the transposed derivative of a function of one vector, as a program. Its parameters are the point and a
/// cotangent; the cotangent is left out (and 1) if the function is real-valued.
///
/// # Errors
/// As [`written_out`]; [`Obstacle::Stuck`] if the program is no function of one vector.
pub fn reversed(program: &Program) -> Result<Program, Obstacle> {
    let Some(Transposed { x, ty, point, cotangent, parameters }) = program.transposed() else {
        return Err(Obstacle::Stuck { construct: "a function of one vector" });
    };
    let term = sugar::reverse(cotangent, point, x, ty, program.term.clone());
    written_out(&Program { parameters, term, ty: ty.clone(), places: program.places.clone() })
}

/// The types and derivative functions that are known around a part of a program.
pub(super) struct Scope<'r> {
    hooks: &'r dyn Hooks,
    known: RefCell<Known>,
}

#[derive(Default)]
/// The types of variables and functions; bound variables are all different.
struct Known {
    variables: FxHashMap<Variable, Ty>,
    functions: FxHashMap<Variable, (Ty, Ty)>,
    /// For each function f, the function f_r, if it is used.
    derivatives: FxHashMap<Variable, Variable>,
    /// The functions whose bodies are being transformed.
    open: Vec<Variable>,
}

impl<'r> Scope<'r> {
    /// Creates the scope of a program with free variables.
    pub(super) fn new(hooks: &'r dyn Hooks, variables: &[(Variable, Ty)]) -> Self {
        let scope = Scope { hooks, known: RefCell::default() };
        variables.iter().for_each(|(x, ty)| scope.has(x, ty));
        scope
    }

    /// Declares x : T.
    pub(super) fn has(&self, x: &Variable, ty: &Ty) {
        self.known.borrow_mut().variables.insert(x.clone(), ty.clone());
    }

    /// Declares f : T → U, and its parameter.
    pub(super) fn defines(&self, definition: &Definition) {
        let types = (definition.domain.clone(), definition.codomain.clone());
        self.known.borrow_mut().functions.insert(definition.function.clone(), types);
        self.has(&definition.parameter, &definition.domain);
    }

    /// Returns the type of a term. Declares the variables and functions that its outer `let`s and `letrec`s bind.
    pub(super) fn type_of(&self, term: &Term) -> Result<Ty, Obstacle> {
        let mut term = term;
        loop {
            match term.kind() {
                TermKind::Let(x, ty, _, body) => {
                    self.has(x, ty);
                    term = body;
                }
                TermKind::LetRec(definition, rest) => {
                    self.defines(definition);
                    term = rest;
                }
                TermKind::If(_, then, _) => term = then,
                _ => break,
            }
        }
        let known = self.known.borrow();
        Ok(match term.kind() {
            // Variables that a sweep makes are not declared, and are real numbers.
            TermKind::Variable(x) => known.variables.get(x).cloned().unwrap_or(Ty::Real),
            TermKind::Unit => Ty::Unit,
            TermKind::Pair(t, u, ..) => Ty::product(t.clone(), u.clone()),
            TermKind::First(t, ..) => t.clone(),
            TermKind::Second(_, u, _) => u.clone(),
            TermKind::Reverse { ty, .. } => ty.clone(),
            TermKind::Call(f, _) => match known.functions.get(f) {
                Some((_, codomain)) => codomain.clone(),
                None => return Err(Obstacle::Stuck { construct: "a function variable" }),
            },
            _ => Ty::Real,
        })
    }

    /// Returns f_r, and T, for f : T → U. Makes the name f_r at its first use.
    pub(super) fn derivative(&self, f: &Variable) -> Result<(Variable, Ty), Obstacle> {
        // The body of f is not complete yet, and its derivative would contain itself, differentiated.
        let mut known = self.known.borrow_mut();
        if known.open.contains(f) {
            return Err(Obstacle::OwnDerivative { function: f.name().clone() });
        }
        let Some((domain, codomain)) = known.functions.get(f).cloned() else {
            return Err(Obstacle::Stuck { construct: "a function variable" });
        };
        if let Some(found) = known.derivatives.get(f) {
            return Ok((found.clone(), domain));
        }
        let derivative = Variable::fresh(&Name::from(format!("{}_r", f.name())));
        let types = (Ty::product(domain.clone(), codomain), domain.clone());
        known.functions.insert(derivative.clone(), types);
        known.derivatives.insert(f.clone(), derivative.clone());
        Ok((derivative, domain))
    }

    /// Returns f_r, if it was used.
    fn has_derivative(&self, f: &Variable) -> Option<Variable> {
        self.known.borrow().derivatives.get(f).cloned()
    }

    /// Binds definitions around a term, each followed by the derivatives of it that are used, and their derivatives.
    pub(super) fn around(&self, definitions: Vec<Arc<Definition>>, part: Term) -> Result<Term, Obstacle> {
        let mut here: FxHashSet<Variable> = definitions.iter().map(|definition| definition.function.clone()).collect();
        let mut part = part;
        for definition in definitions.into_iter().rev() {
            let mut chain = vec![definition];
            // Terms within may use f_r, the derivative of f_r and so on. The chain ends, as these terms are finite.
            while let Some(last) = chain.last()
                && let Some(next) = self.has_derivative(&last.function)
                && here.insert(next.clone())
            {
                chain.push(Arc::new(self.derived(last, next)?));
            }
            part = chain.into_iter().rev().fold(part, |part, definition| TermKind::LetRec(definition, part).into());
        }
        bounded(part)
    }

    /// Defines `f_r ⟨x, w⟩ = w.R_x(x. M)`, for the definition f x = M.
    fn derived(&self, definition: &Definition, function: Variable) -> Result<Definition, Obstacle> {
        let (t, u) = (&definition.domain, &definition.codomain);
        let [parameter, at, w] = [&"p".into(), definition.parameter.name(), &"w".into()].map(Variable::fresh);
        let pair = || Term::variable(&parameter);
        let (first, second) =
            (TermKind::First(t.clone(), u.clone(), pair()), TermKind::Second(t.clone(), u.clone(), pair()));
        let (x, [point, cotangent]) = (&definition.parameter, [&at, &w].map(Term::variable));
        let body = deep(|| in_scope(self.hooks, Some(self), &cotangent, &point, x, t, &definition.body))?;
        let body = bounded(Term::bind(&at, t.clone(), first.into(), Term::bind(&w, u.clone(), second.into(), body)))?;
        let domain = Ty::product(t.clone(), u.clone());
        Ok(Definition { function, parameter, domain, codomain: t.clone(), body, limit: None })
    }

    /// Replaces every `rd` in a term.
    fn written(&self, term: &Term) -> Result<Term, Obstacle> {
        deep(|| self.clause(term))
    }

    /// Replaces every `rd` in the immediate parts of a term, and then at its root.
    fn clause(&self, term: &Term) -> Result<Term, Obstacle> {
        match term.kind() {
            TermKind::LetRec(definition, _) if definition.limit.is_some() => Err(Obstacle::Limited),
            TermKind::LetRec(definition, rest) => {
                self.defines(definition);
                self.known.borrow_mut().open.push(definition.function.clone());
                let body = self.written(&definition.body);
                self.known.borrow_mut().open.pop();
                let definition = Arc::new(Definition { body: body?, ..(**definition).clone() });
                self.around(vec![definition], self.written(rest)?)
            }
            TermKind::Reverse { cotangent, point, variable, ty, body } => {
                // W and V are bound to variables, since the sweep takes values.
                let [w, at] = [&"w".into(), variable.name()].map(Variable::fresh);
                self.has(variable, ty);
                let (codomain, body) = (self.type_of(body)?, self.written(body)?);
                let [w_value, at_value] = [&w, &at].map(Term::variable);
                let swept = in_scope(self.hooks, Some(self), &w_value, &at_value, variable, ty, &body)?;
                let swept = Term::bind(&at, ty.clone(), self.written(point)?, swept);
                Ok(Term::bind(&w, codomain, self.written(cotangent)?, swept))
            }
            kind => {
                if let TermKind::Let(x, ty, ..) = kind {
                    self.has(x, ty);
                }
                // [`TermKind::map`] takes no errors, so one is kept aside.
                let mut found = Ok(());
                let kind = kind.map(&mut |part| {
                    self.written(part).unwrap_or_else(|error| {
                        found = Err(error);
                        part.clone()
                    })
                });
                found.map(|()| Term::from(kind).at(term.site()))
            }
        }
    }
}

/// Checks the size of a transformed term.
fn bounded(term: Term) -> Result<Term, Obstacle> {
    if term.size() > NODES { Err(Obstacle::ProgramTooLarge) } else { Ok(term) }
}
