//! Programs with one value changed, which show from outside what a result depends on.
//!
//! The occurrence of a variable in a program says little: its value may be discarded. So the value is replaced by
//! another one, and the two programs are compared. Each number in it becomes `5/4 · x + 3/8`, and each function one
//! whose results are changed.

use crate::law::term::{Head, Id, Term, bound};
use crate::number::Rational;
use crate::syntax::constant::Constant;
use crate::syntax::data::{Constructor, Data};
use crate::syntax::ty::{Ty, TyKind};

/// A construct that a program may be observed to use.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Use {
    /// A variable of a function type: another function gives other derivatives.
    Function,
    /// A fold: the result changes with the state and with the elements.
    Fold,
    /// A match on data that hold numbers: the result changes with the numbers.
    Match,
    /// A match on a recursive type other than lists, under the same condition.
    Inductive,
}

impl Use {
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
pub struct Change {
    /// The construct that the program uses if all the changed programs differ from it.
    pub of: Use,
    /// The changed programs.
    pub programs: Vec<Term>,
}

/// Returns the changes of a program, from the root on, lazily.
pub fn changes(program: &Term) -> impl Iterator<Item = Change> {
    let mut mover = Mover { fresh: highest(program) };
    places(program).into_iter().flat_map(move |path| {
        let mut local = mover.here(at(program, &path));
        // the local change is of the part alone; it is put back into the whole program
        for change in &mut local {
            for part in &mut change.programs {
                let moved = std::mem::replace(part, Term::real(Rational::new()));
                *part = with(program, &path, moved);
            }
        }
        local
    })
}

/// Returns the paths to all subterms, the root first.
fn places(term: &Term) -> Vec<Vec<usize>> {
    fn visit(term: &Term, path: &mut Vec<usize>, found: &mut Vec<Vec<usize>>) {
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
fn at<'t>(term: &'t Term, path: &[usize]) -> &'t Term {
    path.iter().fold(term, |term, place| &term.parts[*place])
}

/// Returns the term with the subterm at the end of a path replaced.
fn with(term: &Term, path: &[usize], part: Term) -> Term {
    let mut whole = term.clone();
    let place = path.iter().fold(&mut whole, |term, place| &mut term.parts[*place]);
    *place = part;
    whole
}

/// Returns the highest identifier of a binder in the term, 0 if there is none.
fn highest(term: &Term) -> Id {
    let own = match &term.head {
        Head::Variable(id) | Head::Lambda(id, _) | Head::Let(id) | Head::CutRoot(id, _) => *id,
        Head::Iterate { function, counter, state } => *function.max(counter).max(state),
        Head::Recurse { function, argument, .. } => *function.max(argument),
        Head::Match(_, binders) => binders.iter().flatten().copied().max().unwrap_or(0),
        _ => 0,
    };
    term.parts.iter().map(highest).fold(own, Id::max)
}

/// A source of identifiers that occur nowhere in the program.
struct Mover {
    fresh: Id,
}

fn variable(id: Id, ty: &Ty) -> Term {
    Term::new(Head::Variable(id), ty.clone(), Vec::new())
}

fn lambda(id: Id, domain: &Ty, body: Term) -> Term {
    let ty = Ty::function(domain.clone(), body.ty.clone());
    Term::new(Head::Lambda(id, domain.clone()), ty, vec![body])
}

fn apply(function: Term, argument: Term, codomain: &Ty) -> Term {
    Term::new(Head::Apply, codomain.clone(), vec![function, argument])
}

/// Returns `5/4 · x + rest`.
fn scaled(x: Term, rest: Term) -> Term {
    // a choice: with 3/8 for `rest`, −3/2 is the only number that is not changed
    let larger = Term::operation(Constant::Multiply, vec![Term::real(Rational::from((5, 4))), x]);
    Term::operation(Constant::Add, vec![larger, rest])
}

/// Substitutes `by` for a variable. Binders are unique, so nothing is captured.
fn replaced(term: &Term, id: Id, by: &Term) -> Term {
    if term.head == Head::Variable(id) {
        return by.clone();
    }
    let parts = term.parts.iter().map(|part| replaced(part, id, by)).collect();
    Term { head: term.head.clone(), ty: term.ty.clone(), parts }
}

impl Mover {
    /// Returns an identifier that is not in use.
    fn id(&mut self) -> Id {
        self.fresh += 1;
        self.fresh
    }

    /// Returns the changes at the root of a term.
    fn here(&mut self, term: &Term) -> Vec<Change> {
        match (&term.head, &term.parts[..]) {
            (Head::Lambda(id, domain), [_]) => self.function(term, 0, *id, domain).into_iter().collect(),
            (Head::Let(id), [value, _]) => self.function(term, 1, *id, &value.ty).into_iter().collect(),
            (Head::Call(Constant::Fold), [step, _, _]) => self.fold(term, step).into_iter().collect(),
            (Head::Match(data, binders), [scrutinee, ..]) => self.cases(term, data, binders, &scrutinee.ty),
            _ => Vec::new(),
        }
    }

    /// Changes a variable of a function type in one part of the term. Returns `None` for a variable of another type.
    fn function(&mut self, term: &Term, place: usize, id: Id, ty: &Ty) -> Option<Change> {
        let TyKind::Function(..) = ty.kind() else { return None };
        Some(Change { of: Use::Function, programs: vec![self.with_moved(term, place, id, ty)?] })
    }

    /// Changes a variable in one part of the term. Returns `None` if its value holds no number that can be reached.
    fn with_moved(&mut self, term: &Term, place: usize, id: Id, ty: &Ty) -> Option<Term> {
        let mut changed = term.clone();
        changed.parts[place] = replaced(&term.parts[place], id, &self.moved(variable(id, ty), &mut Vec::new())?);
        Some(changed)
    }

    /// Changes the state, and the elements, of a fold. Returns `None` if either holds no number.
    fn fold(&mut self, term: &Term, step: &Term) -> Option<Change> {
        let TyKind::Function(element, rest) = step.ty.kind() else { return None };
        let (x, y) = (self.id(), self.id());
        let mut with = |moves_state: bool| {
            let (mut a, mut b) = (variable(x, element), variable(y, &term.ty));
            if moves_state {
                b = self.moved(b, &mut Vec::new())?;
            } else {
                a = self.moved(a, &mut Vec::new())?;
            }
            let body = apply(apply(step.clone(), a, rest), b, &term.ty);
            let mut changed = term.clone();
            changed.parts[0] = lambda(x, element, lambda(y, &term.ty, body));
            Some(changed)
        };
        Some(Change { of: Use::Fold, programs: vec![with(true)?, with(false)?] })
    }

    /// Changes the variables that a match binds, one at a time.
    fn cases(&mut self, term: &Term, data: &Data, binders: &[Vec<Id>], scrutinee: &Ty) -> Vec<Change> {
        let TyKind::Data(_, arguments) = scrutinee.kind() else { return Vec::new() };
        let mut found = Vec::new();
        for (index, constructor) in data.constructors().enumerate() {
            for (id, ty) in binders[index].iter().zip(bound(&constructor, arguments)) {
                let Some(program) = self.with_moved(term, index + 1, *id, &ty) else { continue };
                if let TyKind::Function(..) = ty.kind() {
                    found.push(Change { of: Use::Function, programs: vec![program.clone()] });
                }
                if data.is_recursive() && !data.is_list() {
                    found.push(Change { of: Use::Inductive, programs: vec![program.clone()] });
                }
                found.push(Change { of: Use::Match, programs: vec![program] });
            }
        }
        found
    }

    /// Returns the term with all numbers in it changed that can be reached. Returns `None` if there are none. `open`
    /// holds the recursive types around it.
    fn moved(&mut self, term: Term, open: &mut Vec<Ty>) -> Option<Term> {
        let ty = term.ty.clone();
        match ty.kind() {
            TyKind::Real => Some(scaled(term, Term::real(Rational::from((3, 8))))),
            TyKind::Function(domain, codomain) => {
                let x = self.id();
                let (argument, is_real) = (variable(x, domain), matches!(domain.kind(), TyKind::Real));
                let result = apply(term, argument.clone(), codomain);
                let body = match codomain.kind() {
                    // adding the argument changes the derivative too, even of a constant function
                    TyKind::Real if is_real => scaled(result, argument),
                    _ => self.moved(result, open)?,
                };
                Some(lambda(x, domain, body))
            }
            TyKind::Tuple(types) => {
                let x = self.id();
                // the tuple is bound, so that its term is not copied into every component
                let whole = variable(x, &ty);
                let part = |i: usize, ty: &Ty| Term::new(Head::Project(i), ty.clone(), vec![whole.clone()]);
                let parts = types.iter().enumerate().map(|(i, ty)| self.or_same(part(i, ty), open));
                let parts: Vec<(bool, Term)> = parts.collect();
                if !parts.iter().any(|(is_moved, _)| *is_moved) {
                    return None;
                }
                let tuple = Term::new(Head::Tuple, ty.clone(), parts.into_iter().map(|(_, part)| part).collect());
                Some(Term::new(Head::Let(x), ty.clone(), vec![term, tuple]))
            }
            TyKind::Data(data, arguments) if data.is_list() => {
                let (x, rest) = (self.id(), self.id());
                let head = self.moved(variable(x, &arguments[0]), open)?;
                let cons = Term::new(Head::Inject(Constructor::cons()), ty.clone(), vec![head, variable(rest, &ty)]);
                let step = lambda(x, &arguments[0], lambda(rest, &ty, cons));
                let nil = Term::new(Head::Inject(Constructor::nil()), ty.clone(), Vec::new());
                Some(Term::call(Constant::Fold, ty.clone(), vec![step, nil, term]))
            }
            // of a recursive type only the outermost layer is changed: `open` stops the recursion
            TyKind::Data(data, arguments) if !open.contains(&ty) => {
                open.push(ty.clone());
                let (mut parts, mut binders, mut any) = (vec![term], Vec::new(), false);
                for constructor in data.constructors() {
                    let ids: Vec<(Id, Ty)> =
                        bound(&constructor, arguments).into_iter().map(|ty| (self.id(), ty)).collect();
                    let arguments = ids.iter().map(|(id, ty)| {
                        let (is_moved, part) = self.or_same(variable(*id, ty), open);
                        any = any || is_moved;
                        part
                    });
                    let arguments = arguments.collect();
                    parts.push(Term::new(Head::Inject(constructor), ty.clone(), arguments));
                    binders.push(ids.into_iter().map(|(id, _)| id).collect());
                }
                open.pop();
                any.then(|| Term::new(Head::Match(data.clone(), binders), ty.clone(), parts))
            }
            _ => None,
        }
    }

    /// Returns the changed term and `true`, or the term itself and `false` if it cannot be changed.
    fn or_same(&mut self, term: Term, open: &mut Vec<Ty>) -> (bool, Term) {
        match self.moved(term.clone(), open) {
            Some(moved) => (true, moved),
            None => (false, term),
        }
    }
}
