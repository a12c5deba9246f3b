//! Types of β-normal forms, by the unification of the inference.
//!
//! There is no polymorphism left: definitions and `let`s are unfolded, so each part has one type. What is undecided after
//! the expected type is known, and is the type of arithmetic, is `Real`, as in the inference; anything else undecided is a
//! type of its own, of which nothing is known.

use super::beta::{Beta, BetaNormal};
use super::error::NormalError;
use crate::syntax::infer::store::{Clash, Id, Node, Store};
use crate::syntax::ty::{Class, Ty};

/// Nothing is quantified in a normal form, so all types are of one level.
const LEVEL: u32 = 0;

/// The types of the parts of a β-normal form.
#[derive(Debug)]
pub(super) struct Types {
    store: Store,
    /// The type of each part.
    pub(super) parts: Vec<Id>,
    variables: Vec<Id>,
    /// The parameters of the type of the whole.
    parameters: Vec<Id>,
}

/// Finds the type of every part of a normal form that has a given type.
///
/// # Errors
/// [`NormalError::IllTyped`] when it does not have that type; [`NormalError::Size`].
pub(super) fn types(normal: &BetaNormal, ty: &Ty, nodes: usize) -> Result<Types, NormalError> {
    let mut store = Store::new();
    let variables = (0..normal.variables).map(|_| store.unknown(LEVEL, Class::ANY)).collect();
    let parameter = |index: usize| Node::Parameter { level: LEVEL, name: format!("A{index}").into() };
    let parameters = (0..ty.variables()).map(|index| store.make(parameter(index))).collect();
    let mut types = Types { store, parts: Vec::with_capacity(normal.parts.len()), variables, parameters };
    types.infer(normal, ty).map_err(|clash| match clash {
        Clash::TooLarge => NormalError::Size { limit: nodes },
        _ => NormalError::IllTyped { ty: ty.clone() },
    })?;
    Ok(types)
}

impl Types {
    /// The shape of a type.
    pub(super) fn shape(&mut self, id: Id) -> Node {
        self.store.shape(id)
    }

    /// The type that another is the same as, one for each class of such.
    pub(super) fn representative(&mut self, id: Id) -> Id {
        self.store.find(id)
    }

    /// Which parameter of the type of the whole a type is.
    pub(super) fn parameter(&self, id: Id) -> Option<usize> {
        self.parameters.iter().position(|parameter| *parameter == id)
    }

    /// The type of a variable.
    pub(super) fn variable(&self, id: super::machine::Id) -> Id {
        self.variables[id as usize]
    }

    fn unknown(&mut self) -> Id {
        self.store.unknown(LEVEL, Class::ANY)
    }

    fn function(&mut self, domain: Id, codomain: Id) -> Id {
        self.store.make(Node::Function(domain, codomain))
    }

    fn infer(&mut self, normal: &BetaNormal, ty: &Ty) -> Result<(), Clash> {
        let (mut pending, mut numeric) = (Vec::new(), Vec::new());
        for part in &normal.parts {
            self.store.step(1)?;
            let of = |part: &u32, types: &Types| types.parts[*part as usize];
            let ty = match part {
                Beta::Variable(id) => self.variables[*id as usize],
                Beta::Constant(constant) => {
                    let scheme = constant.scheme();
                    let parameters = scheme.parameters.iter();
                    let arguments: Vec<Id> = parameters.map(|(_, class)| self.store.unknown(LEVEL, *class)).collect();
                    let classes = scheme.parameters.iter().zip(&arguments);
                    numeric.extend(classes.filter(|((_, class), _)| *class != Class::ANY).map(|(_, id)| *id));
                    self.store.import(&scheme.ty, &arguments)?
                }
                Beta::Real(_) => Store::REAL,
                Beta::Nat(_) => Store::NAT,
                Beta::Bool(_) => Store::BOOL,
                Beta::Unit => Store::UNIT,
                Beta::Lambda(id, _, body) => {
                    let (domain, codomain) = (self.variables[*id as usize], of(body, self));
                    self.function(domain, codomain)
                }
                Beta::Recursion(id, _, value) => {
                    self.store.unify(self.variables[*id as usize], of(value, self))?;
                    of(value, self)
                }
                Beta::Apply(function, argument) => {
                    let result = self.unknown();
                    let expected = self.function(of(argument, self), result);
                    self.store.unify(of(function, self), expected)?;
                    result
                }
                Beta::Tuple(parts) => {
                    let parts = parts.iter().map(|part| of(part, self)).collect();
                    self.store.make(Node::Tuple(parts))
                }
                Beta::Project(tuple, index) => {
                    let component = self.unknown();
                    if !self.store.component(of(tuple, self), *index, component)? {
                        pending.push((of(tuple, self), *index, component));
                    }
                    component
                }
                Beta::If(condition, then, otherwise) => {
                    self.store.unify(Store::BOOL, of(condition, self))?;
                    self.store.unify(of(then, self), of(otherwise, self))?;
                    of(then, self)
                }
                Beta::Inject(constructor, argument) => {
                    let (ty, arguments) = self.store.data(constructor.data(), LEVEL);
                    let domain = self.store.import(&constructor.domain(), &arguments)?;
                    self.store.unify(domain, of(argument, self))?;
                    ty
                }
                Beta::Match(data, scrutinee, branches) => {
                    let (ty, arguments) = self.store.data(data, LEVEL);
                    self.store.unify(ty, of(scrutinee, self))?;
                    let result = self.unknown();
                    for (constructor, (id, _, body)) in data.constructors().zip(branches) {
                        let domain = self.store.import(&constructor.domain(), &arguments)?;
                        self.store.unify(domain, self.variables[*id as usize])?;
                        self.store.unify(result, of(body, self))?;
                    }
                    result
                }
                Beta::To(iso) | Beta::From(iso) => {
                    let (left, right) = (self.unknown(), self.unknown());
                    let expected = self.store.make(Node::Iso(left, right));
                    self.store.unify(of(iso, self), expected)?;
                    if matches!(part, Beta::To(_)) { self.function(left, right) } else { self.function(right, left) }
                }
            };
            self.parts.push(ty);
        }
        let expected = self.store.import(ty, &self.parameters)?;
        self.store.unify(self.parts[normal.root as usize], expected)?;
        self.store.components(&mut pending, 0)?;
        for id in numeric {
            if matches!(self.shape(id), Node::Unknown { .. }) {
                self.store.unify(id, Store::REAL)?;
            }
        }
        self.store.components(&mut pending, 0)
    }
}
