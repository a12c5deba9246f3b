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

use super::accumulate::derivative_in_scope;
use super::embed::{CoreProgram, TransposedParts};
use super::evaluation::{TraceError, TraceHooks};
use super::term::{CoreDefinition, CoreTerm, CoreTermKind, CoreTy, CoreVariable};
use super::{evaluation, term};
use crate::stack::with_stack;
use crate::syntax::name::Name;
use rustc_hash::{FxHashMap, FxHashSet};
use std::cell::RefCell;
use std::sync::Arc;

/// The largest number of nodes of a transformed program. A choice: each nested derivative copies the program.
pub const NODES: u64 = 100_000;

/// Replaces every `rd` in a program by its source transformation.
///
/// # Errors
/// [`TraceError::DefinedByOwnDerivative`] for a function defined by its own derivative, [`TraceError::LimitedRecursion`] for a limited
/// recursion, [`TraceError::ProgramTooLarge`] for more than [`NODES`] nodes, [`TraceError::Stuck`] for an ill-typed
/// program.
pub fn eliminate_reverse(program: &CoreProgram) -> Result<CoreProgram, TraceError> {
    let term = eliminate_reverse_with(&evaluation::DefaultTraceHooks, &program.parameters, &program.term)?;
    Ok(CoreProgram { term, ..program.clone() })
}

/// Like [`eliminate_reverse`], for a term with the free variables `parameters`, and with other rules.
///
/// # Errors
/// As [`eliminate_reverse`].
pub fn eliminate_reverse_with(
    hooks: &dyn TraceHooks,
    parameters: &[(CoreVariable, CoreTy)],
    term: &CoreTerm,
) -> Result<CoreTerm, TraceError> {
    // Types and derivatives are known by the names of functions, so a definition must not take the name of another one.
    let apart = term::separate_functions(term, &FxHashMap::default());
    TransformationScope::new(hooks, parameters).eliminate_in(&apart)
}

/// Returns the transposed derivative of a function of one vector, as a program. Its parameters are the point and a
/// cotangent; the cotangent is left out (and 1) if the function is real-valued.
///
/// # Errors
/// As [`eliminate_reverse`]; [`TraceError::Stuck`] if the program is no function of one vector.
pub fn transposed_derivative(program: &CoreProgram) -> Result<CoreProgram, TraceError> {
    let Some(TransposedParts { x, ty, point, cotangent, parameters }) = program.transposed_parts() else {
        return Err(TraceError::Stuck { construct: "a function of one vector" });
    };
    let term = term::reverse_derivative(cotangent, point, x, ty, program.term.clone());
    eliminate_reverse(&CoreProgram {
        parameters,
        term,
        ty: ty.clone(),
        positions: program.positions.clone(),
        lifted: program.lifted.clone(),
    })
}

/// The types and derivative functions that are known around a part of a program.
pub(super) struct TransformationScope<'r> {
    hooks: &'r dyn TraceHooks,
    known: RefCell<DeclaredTypes>,
}

#[derive(Default)]
/// The types of variables and functions; bound variables are all different.
struct DeclaredTypes {
    variables: FxHashMap<CoreVariable, CoreTy>,
    functions: FxHashMap<CoreVariable, (CoreTy, CoreTy)>,
    /// For each function f, the function f_r, if it is used.
    derivatives: FxHashMap<CoreVariable, CoreVariable>,
    /// The functions whose bodies are being transformed.
    functions_in_progress: Vec<CoreVariable>,
}

impl<'r> TransformationScope<'r> {
    /// Creates the scope of a program with free variables.
    pub(super) fn new(hooks: &'r dyn TraceHooks, variables: &[(CoreVariable, CoreTy)]) -> Self {
        let scope = TransformationScope { hooks, known: RefCell::default() };
        variables.iter().for_each(|(x, ty)| scope.declare_variable(x, ty));
        scope
    }

    /// Declares x : T.
    pub(super) fn declare_variable(&self, x: &CoreVariable, ty: &CoreTy) {
        self.known.borrow_mut().variables.insert(x.clone(), ty.clone());
    }

    /// Declares f : T → U, and its parameter.
    pub(super) fn declare_function(&self, definition: &CoreDefinition) {
        let types = (definition.domain.clone(), definition.codomain.clone());
        self.known.borrow_mut().functions.insert(definition.function.clone(), types);
        self.declare_variable(&definition.parameter, &definition.domain);
    }

    /// Returns the type of a term. Declares the variables and functions that its outer `let`s and `letrec`s bind.
    pub(super) fn type_of(&self, term: &CoreTerm) -> Result<CoreTy, TraceError> {
        let mut term = term;
        loop {
            match term.kind() {
                CoreTermKind::Let(x, ty, _, body) => {
                    self.declare_variable(x, ty);
                    term = body;
                }
                CoreTermKind::LetRec(definition, rest) => {
                    self.declare_function(definition);
                    term = rest;
                }
                CoreTermKind::If(_, then, _) => term = then,
                _ => break,
            }
        }
        let known = self.known.borrow();
        Ok(match term.kind() {
            // Variables that a sweep makes are not declared, and are real numbers.
            CoreTermKind::Variable(x) => known.variables.get(x).cloned().unwrap_or(CoreTy::Real),
            CoreTermKind::Unit => CoreTy::Unit,
            CoreTermKind::Pair(t, u, ..) => CoreTy::product(t.clone(), u.clone()),
            CoreTermKind::First(t, ..) => t.clone(),
            CoreTermKind::Second(_, u, _) => u.clone(),
            CoreTermKind::Reverse { ty, .. } => ty.clone(),
            CoreTermKind::Call(f, _) => match known.functions.get(f) {
                Some((_, codomain)) => codomain.clone(),
                None => return Err(TraceError::Stuck { construct: "a function variable" }),
            },
            _ => CoreTy::Real,
        })
    }

    /// Returns f_r, and T, for f : T → U. Makes the name f_r at its first use.
    pub(super) fn derivative_function(&self, f: &CoreVariable) -> Result<(CoreVariable, CoreTy), TraceError> {
        // The body of f is not complete yet, and its derivative would contain itself, differentiated.
        let mut known = self.known.borrow_mut();
        if known.functions_in_progress.contains(f) {
            return Err(TraceError::DefinedByOwnDerivative { function: f.name().clone() });
        }
        let Some((domain, codomain)) = known.functions.get(f).cloned() else {
            return Err(TraceError::Stuck { construct: "a function variable" });
        };
        if let Some(found) = known.derivatives.get(f) {
            return Ok((found.clone(), domain));
        }
        let derivative = CoreVariable::fresh(&Name::from(format!("{}_r", f.name())));
        let types = (CoreTy::product(domain.clone(), codomain), domain.clone());
        known.functions.insert(derivative.clone(), types);
        known.derivatives.insert(f.clone(), derivative.clone());
        Ok((derivative, domain))
    }

    /// Returns f_r, if it was used.
    fn used_derivative(&self, f: &CoreVariable) -> Option<CoreVariable> {
        self.known.borrow().derivatives.get(f).cloned()
    }

    /// Binds definitions around a term, each followed by the derivatives of it that are used, and their derivatives.
    pub(super) fn bind_definitions(
        &self,
        definitions: Vec<Arc<CoreDefinition>>,
        part: CoreTerm,
    ) -> Result<CoreTerm, TraceError> {
        let mut here: FxHashSet<CoreVariable> =
            definitions.iter().map(|definition| definition.function.clone()).collect();
        let mut part = part;
        for definition in definitions.into_iter().rev() {
            let mut chain = vec![definition];
            // Terms within may use f_r, the derivative of f_r and so on. The chain ends, as these terms are finite.
            while let Some(last) = chain.last()
                && let Some(next) = self.used_derivative(&last.function)
                && here.insert(next.clone())
            {
                chain.push(Arc::new(self.define_derivative(last, next)?));
            }
            part = chain.into_iter().rev().fold(part, |part, definition| CoreTermKind::LetRec(definition, part).into());
        }
        check_size(part)
    }

    /// Defines `f_r ⟨x, w⟩ = w.R_x(x. M)`, for the definition f x = M.
    fn define_derivative(
        &self,
        definition: &CoreDefinition,
        function: CoreVariable,
    ) -> Result<CoreDefinition, TraceError> {
        let (t, u) = (&definition.domain, &definition.codomain);
        let [parameter, at, w] = [&"p".into(), definition.parameter.name(), &"w".into()].map(CoreVariable::fresh);
        let pair = || CoreTerm::variable(&parameter);
        let (first, second) =
            (CoreTermKind::First(t.clone(), u.clone(), pair()), CoreTermKind::Second(t.clone(), u.clone(), pair()));
        let (x, [point, cotangent]) = (&definition.parameter, [&at, &w].map(CoreTerm::variable));
        let body =
            with_stack(|| derivative_in_scope(self.hooks, Some(self), &cotangent, &point, x, t, &definition.body))?;
        let body = check_size(CoreTerm::bind(
            &at,
            t.clone(),
            first.into(),
            CoreTerm::bind(&w, u.clone(), second.into(), body),
        ))?;
        let domain = CoreTy::product(t.clone(), u.clone());
        Ok(CoreDefinition { function, parameter, domain, codomain: t.clone(), body, limit: None })
    }

    /// Replaces every `rd` in a term.
    fn eliminate_in(&self, term: &CoreTerm) -> Result<CoreTerm, TraceError> {
        with_stack(|| self.eliminate_at_root(term))
    }

    /// Replaces every `rd` in the immediate parts of a term, and then at its root.
    fn eliminate_at_root(&self, term: &CoreTerm) -> Result<CoreTerm, TraceError> {
        match term.kind() {
            CoreTermKind::LetRec(definition, _) if definition.limit.is_some() => Err(TraceError::LimitedRecursion),
            CoreTermKind::LetRec(definition, rest) => {
                self.declare_function(definition);
                self.known.borrow_mut().functions_in_progress.push(definition.function.clone());
                let body = self.eliminate_in(&definition.body);
                self.known.borrow_mut().functions_in_progress.pop();
                let definition = Arc::new(CoreDefinition { body: body?, ..(**definition).clone() });
                self.bind_definitions(vec![definition], self.eliminate_in(rest)?)
            }
            CoreTermKind::Reverse { cotangent, point, variable, ty, body } => {
                // W and V are bound to variables, since the sweep takes values.
                let [w, at] = [&"w".into(), variable.name()].map(CoreVariable::fresh);
                self.declare_variable(variable, ty);
                let (codomain, body) = (self.type_of(body)?, self.eliminate_in(body)?);
                let [w_value, at_value] = [&w, &at].map(CoreTerm::variable);
                let swept = derivative_in_scope(self.hooks, Some(self), &w_value, &at_value, variable, ty, &body)?;
                let swept = CoreTerm::bind(&at, ty.clone(), self.eliminate_in(point)?, swept);
                Ok(CoreTerm::bind(&w, codomain, self.eliminate_in(cotangent)?, swept))
            }
            kind => {
                if let CoreTermKind::Let(x, ty, ..) = kind {
                    self.declare_variable(x, ty);
                }
                // [`CoreTermKind::map_children`] takes no errors, so one is kept aside.
                let mut found = Ok(());
                let kind = kind.map_children(&mut |part| {
                    self.eliminate_in(part).unwrap_or_else(|error| {
                        found = Err(error);
                        part.clone()
                    })
                });
                found.map(|()| CoreTerm::from(kind).with_site(term.site()))
            }
        }
    }
}

/// Checks the size of a transformed term.
fn check_size(term: CoreTerm) -> Result<CoreTerm, TraceError> {
    if term.size() > NODES { Err(TraceError::ProgramTooLarge) } else { Ok(term) }
}
