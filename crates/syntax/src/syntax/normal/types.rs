//! Hash-consed types of a normalisation, without variables other than the parameters of the whole type.
//!
//! The types in the value of a polymorphic `let`, and in a definition, have variables. An [`Instance`] assigns types to
//! them for one use; a type is read only together with an instance.

use crate::stack::deep;
use crate::syntax::constant::Constant;
use crate::syntax::data::Data;
use crate::syntax::name::Name;
use crate::syntax::ty::{Ty, TyKind};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// The index of a type.
#[doc(hidden)]
pub type Key = u32;

/// The shape of a type.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
#[doc(hidden)]
pub enum TypeShape {
    /// A type that the program leaves open.
    Unknown,
    /// A parameter of the type of the whole.
    Parameter(usize),
    Real,
    Nat,
    Bool,
    Unit,
    Tuple(Rc<[Key]>),
    Function(Key, Key),
    Tangent(Key),
    Iso(Key, Key),
    Data(Data, Rc<[Key]>),
}

/// An assignment of types to the type variables that occur, ordered by index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct Instance(u32);

impl Instance {
    /// The empty assignment: for closed types, and for variables of which nothing is known.
    pub const NONE: Instance = Instance(0);
}

/// A table of types without duplicates, with the instances.
#[derive(Debug)]
#[doc(hidden)]
pub struct Types {
    shapes: Vec<TypeShape>,
    by_shape: FxHashMap<TypeShape, Key>,
    /// `true` for each type with an unknown part.
    open: Vec<bool>,
    /// The names of the parameters of the whole type.
    names: Vec<Name>,
    /// The number of components of all tuples and data types.
    components: usize,
    instances: Vec<Rc<[(usize, Key)]>>,
    by_instance: FxHashMap<Rc<[(usize, Key)]>, Instance>,
    /// The types imported so far, by address and instance. The types of terms outlive the machine, so addresses stay
    /// valid.
    known: FxHashMap<(usize, Instance), Key>,
    domains: FxHashMap<Key, Rc<[Key]>>,
}

impl Default for Types {
    fn default() -> Self {
        Self::new()
    }
}

impl Types {
    pub const UNKNOWN: Key = 0;
    #[doc(hidden)]
    pub const REAL: Key = 1;
    #[doc(hidden)]
    pub const NAT: Key = 2;
    #[doc(hidden)]
    pub const BOOL: Key = 3;
    #[doc(hidden)]
    pub const UNIT: Key = 4;

    pub fn new() -> Types {
        let none: Rc<[(usize, Key)]> = Rc::new([]);
        let mut types = Types {
            shapes: Vec::new(),
            by_shape: FxHashMap::default(),
            open: Vec::new(),
            names: Vec::new(),
            components: 0,
            instances: vec![none.clone()],
            by_instance: [(none, Instance::NONE)].into_iter().collect(),
            known: FxHashMap::default(),
            domains: FxHashMap::default(),
        };
        // In the order of the indices above.
        for shape in [TypeShape::Unknown, TypeShape::Real, TypeShape::Nat, TypeShape::Bool, TypeShape::Unit] {
            types.put(shape);
        }
        types
    }

    /// Returns the type of a shape, which is added if it is new.
    pub fn put(&mut self, shape: TypeShape) -> Key {
        if let Some(&known) = self.by_shape.get(&shape) {
            return known;
        }
        let key = self.shapes.len() as Key;
        let mut open = shape == TypeShape::Unknown;
        shape.parts(|part| open |= self.open[part as usize]);
        if let TypeShape::Tuple(parts) | TypeShape::Data(_, parts) = &shape {
            self.components += parts.len();
        }
        self.open.push(open);
        self.by_shape.insert(shape.clone(), key);
        self.shapes.push(shape);
        key
    }

    pub fn shape(&self, key: Key) -> &TypeShape {
        &self.shapes[key as usize]
    }

    /// Returns `true` if the type has an unknown part.
    pub fn is_open(&self, key: Key) -> bool {
        self.open[key as usize]
    }

    /// Returns the number of types and of their components.
    pub fn size(&self) -> usize {
        self.shapes.len() + self.components
    }

    /// Makes the instance in which each parameter of the whole type stands for itself.
    pub fn parameters(&mut self, names: Vec<Name>) -> Instance {
        let own = (0..names.len()).map(|index| (index, self.put(TypeShape::Parameter(index)))).collect();
        self.names = names;
        self.instance(own)
    }

    /// Converts shapes to types. Each shape comes after its parts.
    pub fn written(&self, shapes: &[TypeShape]) -> Vec<Ty> {
        let mut types: Vec<Ty> = Vec::with_capacity(shapes.len());
        for shape in shapes {
            let of = |key: &Key| types[*key as usize].clone();
            types.push(match shape {
                TypeShape::Unknown => Ty::unknown(),
                TypeShape::Parameter(index) => Ty::new(TyKind::Variable(*index, self.names[*index].clone())),
                TypeShape::Real => Ty::real(),
                TypeShape::Nat => Ty::nat(),
                TypeShape::Bool => Ty::bool(),
                TypeShape::Unit => Ty::unit(),
                TypeShape::Tuple(parts) => Ty::new(TyKind::Tuple(parts.iter().map(of).collect())),
                TypeShape::Function(a, b) => Ty::function(of(a), of(b)),
                TypeShape::Iso(a, b) => Ty::new(TyKind::Iso(of(a), of(b))),
                TypeShape::Tangent(a) => Ty::new(TyKind::Tangent(of(a))),
                TypeShape::Data(data, parts) => Ty::new(TyKind::Data(data.clone(), parts.iter().map(of).collect())),
            });
        }
        types
    }

    /// Converts all types of the table.
    #[doc(hidden)]
    pub fn all(&self) -> Vec<Ty> {
        self.written(&self.shapes)
    }

    /// Converts a type of reals, tuples and functions. Unknown parts count as `Real`. `None` for other types.
    pub fn closed(&self, key: Key) -> Option<Ty> {
        Some(match self.shape(key) {
            // An open type defaults to `Real`, as in inference.
            TypeShape::Real | TypeShape::Unknown => Ty::real(),
            TypeShape::Unit => Ty::unit(),
            TypeShape::Tuple(parts) => {
                let parts = parts.iter().map(|part| deep(|| self.closed(*part)));
                Ty::new(TyKind::Tuple(parts.collect::<Option<_>>()?))
            }
            TypeShape::Function(a, b) => Ty::function(deep(|| self.closed(*a))?, deep(|| self.closed(*b))?),
            _ => return None,
        })
    }

    /// Returns for each type whether it contains functions or isomorphisms.
    #[doc(hidden)]
    pub fn functional(&self) -> Vec<bool> {
        let mut found: Vec<bool> = Vec::with_capacity(self.shapes.len());
        for shape in &self.shapes {
            let mut functional = matches!(shape, TypeShape::Function(..) | TypeShape::Iso(..));
            shape.parts(|part| functional |= found[part as usize]);
            found.push(functional);
        }
        found
    }

    /// Returns the function type of one direction of an isomorphism. `None` for another type.
    pub fn side(&mut self, iso: Key, forward: bool) -> Option<Key> {
        let TypeShape::Iso(a, b) = *self.shape(iso) else { return None };
        Some(self.put(if forward { TypeShape::Function(a, b) } else { TypeShape::Function(b, a) }))
    }

    fn instance(&mut self, variables: Rc<[(usize, Key)]>) -> Instance {
        let next = Instance(self.instances.len() as u32);
        let instance = *self.by_instance.entry(variables.clone()).or_insert(next);
        if instance == next {
            self.instances.push(variables);
        }
        instance
    }

    /// Extends the instance `outside` by matching a declared type with the type of a use.
    pub fn used(&mut self, declared: &Ty, used: Key, outside: Instance) -> Instance {
        if declared.is_closed() {
            return outside;
        }
        let mut found = self.instances[outside.0 as usize].to_vec();
        self.learn(declared, used, &mut found, &mut FxHashSet::default());
        self.instance(found.into())
    }

    fn learn(&self, declared: &Ty, used: Key, found: &mut Vec<(usize, Key)>, seen: &mut FxHashSet<usize>) {
        // A shared part of the declared type has the same instance wherever it occurs.
        if declared.is_closed() || !seen.insert(declared.address()) {
            return;
        }
        let mut learn = |ty: &Ty, key: Key| deep(|| self.learn(ty, key, found, seen));
        match (declared.kind(), self.shape(used)) {
            // The list is ordered by variable, so that equal assignments are one instance.
            (TyKind::Variable(index, _), _) => match found.binary_search_by_key(index, |(index, _)| *index) {
                Ok(place) => found[place].1 = used,
                Err(place) => found.insert(place, (*index, used)),
            },
            (TyKind::Tuple(parts), TypeShape::Tuple(keys)) | (TyKind::Data(_, parts), TypeShape::Data(_, keys)) => {
                parts.iter().zip(keys.iter()).for_each(|(part, &key)| learn(part, key));
            }
            (TyKind::Function(a, b), TypeShape::Function(c, d)) | (TyKind::Iso(a, b), TypeShape::Iso(c, d)) => {
                learn(a, *c);
                learn(b, *d);
            }
            (TyKind::Tangent(a), TypeShape::Tangent(b)) => learn(a, *b),
            _ => {}
        }
    }

    /// Imports a type in an instance.
    pub fn import(&mut self, ty: &Ty, instance: Instance) -> Key {
        // A closed type is the same in every instance, so it is imported once.
        let instance = if ty.is_closed() { Instance::NONE } else { instance };
        if let Some(&known) = self.known.get(&(ty.address(), instance)) {
            return known;
        }
        let mut of = |ty: &Ty| deep(|| self.import(ty, instance));
        let shape = match ty.kind() {
            TyKind::Real => return Types::REAL,
            TyKind::Nat => return Types::NAT,
            TyKind::Bool => return Types::BOOL,
            TyKind::Unit => return Types::UNIT,
            TyKind::Variable(index, _) => {
                let variables = &self.instances[instance.0 as usize];
                let place = variables.binary_search_by_key(index, |(index, _)| *index);
                return place.map_or(Types::UNKNOWN, |place| variables[place].1);
            }
            TyKind::Tuple(parts) => TypeShape::Tuple(parts.iter().map(of).collect()),
            TyKind::Data(data, parts) => TypeShape::Data(data.clone(), parts.iter().map(of).collect()),
            TyKind::Function(a, b) => TypeShape::Function(of(a), of(b)),
            TyKind::Iso(a, b) => TypeShape::Iso(of(a), of(b)),
            TyKind::Tangent(a) => TypeShape::Tangent(of(a)),
        };
        let key = self.put(shape);
        self.known.insert((ty.address(), instance), key);
        key
    }

    /// Returns the types of the arguments of the constructors of a data type; empty for another type.
    pub fn domains(&mut self, key: Key) -> Rc<[Key]> {
        if let Some(known) = self.domains.get(&key) {
            return known.clone();
        }
        let TypeShape::Data(data, arguments) = self.shape(key).clone() else { return Rc::new([]) };
        // In a layer the variable after the parameters is the type itself.
        let instance = self.instance(arguments.iter().copied().chain([key]).enumerate().collect());
        let domain = |constructor: crate::syntax::data::Constructor| match constructor.layer() {
            Some(layer) => self.import(layer, instance),
            None => Types::UNIT,
        };
        let domains: Rc<[Key]> = data.constructors().map(domain).collect();
        self.domains.insert(key, domains.clone());
        domains
    }

    /// Returns the type of a component. `None` if the type is no tuple, or too narrow.
    pub fn component(&self, key: Key, index: usize) -> Option<Key> {
        match self.shape(key) {
            TypeShape::Tuple(parts) => parts.get(index).copied(),
            _ => None,
        }
    }

    /// Returns the type of a componentwise operation on components, from its type on tuples. `None` if it is not on
    /// tuples.
    pub fn of_component(&mut self, constant: Constant, key: Key, index: usize) -> Option<Key> {
        let TypeShape::Function(tuple, _) = *self.shape(key) else { return None };
        let component = self.component(tuple, index)?;
        let function = |result, _| self.put(TypeShape::Function(component, result));
        Some((0..constant.arity()).fold(component, function))
    }
}

impl TypeShape {
    /// Visits the immediate parts, from left to right.
    pub fn parts(&self, mut each: impl FnMut(Key)) {
        match self {
            TypeShape::Tuple(parts) | TypeShape::Data(_, parts) => parts.iter().copied().for_each(each),
            TypeShape::Function(a, b) | TypeShape::Iso(a, b) => [*a, *b].into_iter().for_each(each),
            TypeShape::Tangent(a) => each(*a),
            _ => {}
        }
    }

    /// Rebuilds the shape with `of` applied to its immediate parts.
    pub fn map(&self, mut of: impl FnMut(Key) -> Key) -> TypeShape {
        match self {
            TypeShape::Tuple(parts) => TypeShape::Tuple(parts.iter().map(|&part| of(part)).collect()),
            TypeShape::Data(data, parts) => TypeShape::Data(data.clone(), parts.iter().map(|&part| of(part)).collect()),
            TypeShape::Function(a, b) => TypeShape::Function(of(*a), of(*b)),
            TypeShape::Iso(a, b) => TypeShape::Iso(of(*a), of(*b)),
            TypeShape::Tangent(a) => TypeShape::Tangent(of(*a)),
            other => other.clone(),
        }
    }
}
