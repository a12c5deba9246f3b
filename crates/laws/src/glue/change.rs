//! Programs with one value changed, which show from outside what a result depends on.
//!
//! The occurrence of a variable in a program says little: its value may be discarded. So the value is replaced by
//! another one, and the two programs are compared. Each number in it becomes `5/4 · x + 3/8`, and each function one
//! whose results are changed.

use crate::law::term::{BinderId, TermHead, TestTerm, branch_binder_types};
use crate::number::Rational;
use crate::syntax::constant::Constant;
use crate::syntax::data::{Constructor, DataType};
use crate::syntax::ty::{Ty, TyKind};

/// A construct that a program may be observed to use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UsedConstruct {
    /// A variable of a function type: another function gives other derivatives.
    Function,
    /// A fold: the result changes with the state and with the elements.
    Fold,
    /// A match on data that hold numbers: the result changes with the numbers.
    Match,
    /// A match on a recursive type other than lists, under the same condition.
    Inductive,
}

impl UsedConstruct {
    /// All constructs.
    pub const ALL: [Self; 4] = [Self::Function, Self::Fold, Self::Match, Self::Inductive];

    /// Returns the name in reports.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Self::Function => "functions",
            Self::Fold => "folds",
            Self::Match => "matches",
            Self::Inductive => "trees",
        }
    }

    /// Returns `true` if the derivatives must change; otherwise a change of the values is enough.
    #[must_use]
    pub fn is_of_slopes(self) -> bool {
        self == Self::Function
    }
}

/// A program changed in one place, in each of several ways.
#[derive(Clone, Debug)]
pub struct ProgramChange {
    /// The construct that the program uses if all the changed programs differ from it.
    pub of: UsedConstruct,
    /// The changed programs.
    pub programs: Vec<TestTerm>,
}

/// Returns the changes of a program, from the root on, lazily.
pub fn list_changes(program: &TestTerm) -> impl Iterator<Item = ProgramChange> {
    let mut mover = ProgramChanger { fresh: highest_binder(program) };
    subterm_paths(program).into_iter().flat_map(move |path| {
        let mut local = mover.changes_at_root(subterm_at(program, &path));
        // the local change is of the part alone; it is put back into the whole program
        for change in &mut local {
            for part in &mut change.programs {
                let moved = std::mem::replace(part, TestTerm::real_literal(Rational::new()));
                *part = replace_subterm(program, &path, moved);
            }
        }
        local
    })
}

/// Returns the paths to all subterms, the root first.
fn subterm_paths(term: &TestTerm) -> Vec<Vec<usize>> {
    fn visit(term: &TestTerm, path: &mut Vec<usize>, found: &mut Vec<Vec<usize>>) {
        found.push(path.clone());
        for (place, part) in term.parts.iter().enumerate() {
            path.push(place);
            visit(part, path, found);
            path.pop();
        }
    }
    let mut found = Vec::new();
    visit(term, &mut Vec::new(), &mut found);
    found
}

/// Returns the subterm at the end of a path.
fn subterm_at<'t>(term: &'t TestTerm, path: &[usize]) -> &'t TestTerm {
    path.iter().fold(term, |term, place| &term.parts[*place])
}

/// Returns the term with the subterm at the end of a path replaced.
fn replace_subterm(term: &TestTerm, path: &[usize], part: TestTerm) -> TestTerm {
    let mut whole = term.clone();
    let place = path.iter().fold(&mut whole, |term, place| &mut term.parts[*place]);
    *place = part;
    whole
}

/// Returns the highest identifier of a binder in the term, 0 if there is none.
fn highest_binder(term: &TestTerm) -> BinderId {
    let own = match &term.head {
        TermHead::Variable(id) | TermHead::Lambda(id, _) | TermHead::Let(id) | TermHead::CutRoot(id, _) => *id,
        TermHead::Iterate { function, counter, state } => *function.max(counter).max(state),
        TermHead::LetRec { function, argument, .. } => *function.max(argument),
        TermHead::Match(_, binders) => binders.iter().flatten().copied().max().unwrap_or(0),
        _ => 0,
    };
    term.parts.iter().map(highest_binder).fold(own, BinderId::max)
}

/// A source of identifiers that occur nowhere in the program.
struct ProgramChanger {
    fresh: BinderId,
}

fn variable_term(id: BinderId, ty: &Ty) -> TestTerm {
    TestTerm::new(TermHead::Variable(id), ty.clone(), Vec::new())
}

fn lambda_term(id: BinderId, domain: &Ty, body: TestTerm) -> TestTerm {
    let ty = Ty::function(domain.clone(), body.ty.clone());
    TestTerm::new(TermHead::Lambda(id, domain.clone()), ty, vec![body])
}

fn apply_term(function: TestTerm, argument: TestTerm, codomain: &Ty) -> TestTerm {
    TestTerm::new(TermHead::Apply, codomain.clone(), vec![function, argument])
}

/// Returns `5/4 · x + rest`.
fn scale_and_add(x: TestTerm, rest: TestTerm) -> TestTerm {
    // a choice: with 3/8 for `rest`, −3/2 is the only number that is not changed
    let larger = TestTerm::real_operation(Constant::Multiply, vec![TestTerm::real_literal(Rational::from((5, 4))), x]);
    TestTerm::real_operation(Constant::Add, vec![larger, rest])
}

/// Substitutes `by` for a variable. Binders are unique, so nothing is captured.
fn substitute_variable(term: &TestTerm, id: BinderId, by: &TestTerm) -> TestTerm {
    if term.head == TermHead::Variable(id) {
        return by.clone();
    }
    let parts = term.parts.iter().map(|part| substitute_variable(part, id, by)).collect();
    TestTerm { head: term.head.clone(), ty: term.ty.clone(), parts }
}

impl ProgramChanger {
    /// Returns an identifier that is not in use.
    fn fresh_id(&mut self) -> BinderId {
        self.fresh += 1;
        self.fresh
    }

    /// Returns the changes at the root of a term.
    fn changes_at_root(&mut self, term: &TestTerm) -> Vec<ProgramChange> {
        match (&term.head, &term.parts[..]) {
            (TermHead::Lambda(id, domain), [_]) => {
                self.change_function_variable(term, 0, *id, domain).into_iter().collect()
            }
            (TermHead::Let(id), [value, _]) => {
                self.change_function_variable(term, 1, *id, &value.ty).into_iter().collect()
            }
            (TermHead::Call(Constant::Fold), [step, _, _]) => self.change_fold(term, step).into_iter().collect(),
            (TermHead::Match(data, binders), [scrutinee, ..]) => {
                self.change_match_variables(term, data, binders, &scrutinee.ty)
            }
            _ => Vec::new(),
        }
    }

    /// Changes a variable of a function type in one part of the term. Returns `None` for a variable of another type.
    fn change_function_variable(
        &mut self,
        term: &TestTerm,
        place: usize,
        id: BinderId,
        ty: &Ty,
    ) -> Option<ProgramChange> {
        let TyKind::Function(..) = ty.kind() else { return None };
        Some(ProgramChange { of: UsedConstruct::Function, programs: vec![self.change_variable(term, place, id, ty)?] })
    }

    /// Changes a variable in one part of the term. Returns `None` if its value holds no number that can be reached.
    fn change_variable(&mut self, term: &TestTerm, place: usize, id: BinderId, ty: &Ty) -> Option<TestTerm> {
        let mut changed = term.clone();
        changed.parts[place] =
            substitute_variable(&term.parts[place], id, &self.change_numbers(variable_term(id, ty), &mut Vec::new())?);
        Some(changed)
    }

    /// Changes the state, and the elements, of a fold. Returns `None` if either holds no number.
    fn change_fold(&mut self, term: &TestTerm, step: &TestTerm) -> Option<ProgramChange> {
        let TyKind::Function(element, rest) = step.ty.kind() else { return None };
        let (x, y) = (self.fresh_id(), self.fresh_id());
        let mut with = |moves_state: bool| {
            let (mut a, mut b) = (variable_term(x, element), variable_term(y, &term.ty));
            if moves_state {
                b = self.change_numbers(b, &mut Vec::new())?;
            } else {
                a = self.change_numbers(a, &mut Vec::new())?;
            }
            let body = apply_term(apply_term(step.clone(), a, rest), b, &term.ty);
            let mut changed = term.clone();
            changed.parts[0] = lambda_term(x, element, lambda_term(y, &term.ty, body));
            Some(changed)
        };
        Some(ProgramChange { of: UsedConstruct::Fold, programs: vec![with(true)?, with(false)?] })
    }

    /// Changes the variables that a match binds, one at a time.
    fn change_match_variables(
        &mut self,
        term: &TestTerm,
        data: &DataType,
        binders: &[Vec<BinderId>],
        scrutinee: &Ty,
    ) -> Vec<ProgramChange> {
        let TyKind::Data(_, arguments) = scrutinee.kind() else { return Vec::new() };
        let mut found = Vec::new();
        for (index, constructor) in data.constructors().enumerate() {
            for (id, ty) in binders[index].iter().zip(branch_binder_types(&constructor, arguments)) {
                let Some(program) = self.change_variable(term, index + 1, *id, &ty) else { continue };
                if let TyKind::Function(..) = ty.kind() {
                    found.push(ProgramChange { of: UsedConstruct::Function, programs: vec![program.clone()] });
                }
                if data.is_recursive() && !data.is_list() {
                    found.push(ProgramChange { of: UsedConstruct::Inductive, programs: vec![program.clone()] });
                }
                found.push(ProgramChange { of: UsedConstruct::Match, programs: vec![program] });
            }
        }
        found
    }

    /// Returns the term with all numbers in it changed that can be reached. Returns `None` if there are none. `open`
    /// holds the recursive types around it.
    fn change_numbers(&mut self, term: TestTerm, open: &mut Vec<Ty>) -> Option<TestTerm> {
        let ty = term.ty.clone();
        match ty.kind() {
            TyKind::Real => Some(scale_and_add(term, TestTerm::real_literal(Rational::from((3, 8))))),
            TyKind::Function(domain, codomain) => {
                let x = self.fresh_id();
                let (argument, is_real) = (variable_term(x, domain), matches!(domain.kind(), TyKind::Real));
                let result = apply_term(term, argument.clone(), codomain);
                let body = match codomain.kind() {
                    // adding the argument changes the derivative too, even of a constant function
                    TyKind::Real if is_real => scale_and_add(result, argument),
                    _ => self.change_numbers(result, open)?,
                };
                Some(lambda_term(x, domain, body))
            }
            TyKind::Tuple(types) => {
                let x = self.fresh_id();
                // the tuple is bound, so that its term is not copied into every component
                let whole = variable_term(x, &ty);
                let part = |i: usize, ty: &Ty| TestTerm::new(TermHead::Project(i), ty.clone(), vec![whole.clone()]);
                let parts = types.iter().enumerate().map(|(i, ty)| self.change_or_keep(part(i, ty), open));
                let parts: Vec<(bool, TestTerm)> = parts.collect();
                if !parts.iter().any(|(is_moved, _)| *is_moved) {
                    return None;
                }
                let tuple =
                    TestTerm::new(TermHead::Tuple, ty.clone(), parts.into_iter().map(|(_, part)| part).collect());
                Some(TestTerm::new(TermHead::Let(x), ty.clone(), vec![term, tuple]))
            }
            TyKind::Data(data, arguments) if data.is_list() => {
                let (x, rest) = (self.fresh_id(), self.fresh_id());
                let head = self.change_numbers(variable_term(x, &arguments[0]), open)?;
                let cons = TestTerm::new(
                    TermHead::Inject(Constructor::cons()),
                    ty.clone(),
                    vec![head, variable_term(rest, &ty)],
                );
                let step = lambda_term(x, &arguments[0], lambda_term(rest, &ty, cons));
                let nil = TestTerm::new(TermHead::Inject(Constructor::nil()), ty.clone(), Vec::new());
                Some(TestTerm::apply_constant(Constant::Fold, ty.clone(), vec![step, nil, term]))
            }
            // of a recursive type only the outermost layer is changed: `open` stops the recursion
            TyKind::Data(data, arguments) if !open.contains(&ty) => {
                open.push(ty.clone());
                let (mut parts, mut binders, mut any) = (vec![term], Vec::new(), false);
                for constructor in data.constructors() {
                    let ids: Vec<(BinderId, Ty)> = branch_binder_types(&constructor, arguments)
                        .into_iter()
                        .map(|ty| (self.fresh_id(), ty))
                        .collect();
                    let arguments = ids.iter().map(|(id, ty)| {
                        let (is_moved, part) = self.change_or_keep(variable_term(*id, ty), open);
                        any = any || is_moved;
                        part
                    });
                    let arguments = arguments.collect();
                    parts.push(TestTerm::new(TermHead::Inject(constructor), ty.clone(), arguments));
                    binders.push(ids.into_iter().map(|(id, _)| id).collect());
                }
                open.pop();
                any.then(|| TestTerm::new(TermHead::Match(data.clone(), binders), ty.clone(), parts))
            }
            _ => None,
        }
    }

    /// Returns the changed term and `true`, or the term itself and `false` if it cannot be changed.
    fn change_or_keep(&mut self, term: TestTerm, open: &mut Vec<Ty>) -> (bool, TestTerm) {
        match self.change_numbers(term.clone(), open) {
            Some(moved) => (true, moved),
            None => (false, term),
        }
    }
}
