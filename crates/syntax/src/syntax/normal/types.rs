//! Hash-consed types of a normalisation, without variables other than the parameters of the whole type.
//!
//! The types in the value of a polymorphic `let`, and in a definition, have variables. A [`TypeInstance`] assigns types to
//! them for one use; a type is read only together with an instance.

use crate::stack::with_stack;
use crate::syntax::constant::Constant;
use crate::syntax::data::DataType;
use crate::syntax::name::Name;
use crate::syntax::ty::{Ty, TyKind};
use rustc_hash::{FxHashMap, FxHashSet};
use std::rc::Rc;

/// The index of a type.
#[doc(hidden)]
pub type TypeKey = u32;

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
    Tuple(Rc<[TypeKey]>),
    Function(TypeKey, TypeKey),
    Tangent(TypeKey),
    Iso(TypeKey, TypeKey),
    Data(DataType, Rc<[TypeKey]>),
}

/// An assignment of types to the type variables that occur, ordered by index.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub struct TypeInstance(u32);

impl TypeInstance {
    /// The empty assignment: for closed types, and for variables of which nothing is known.
    pub const NONE: TypeInstance = TypeInstance(0);
}

/// A table of types without duplicates, with the instances.
#[derive(Debug)]
#[doc(hidden)]
pub struct TypeTable {
    shapes: Vec<TypeShape>,
    by_shape: FxHashMap<TypeShape, TypeKey>,
    /// `true` for each type with an unknown part.
    open: Vec<bool>,
    /// The names of the parameters of the whole type.
    names: Vec<Name>,
    /// The number of components of all tuples and data types.
    components: usize,
    instances: Vec<Rc<[(usize, TypeKey)]>>,
    by_instance: FxHashMap<Rc<[(usize, TypeKey)]>, TypeInstance>,
    /// The types imported so far, by address and instance. The types of terms outlive the machine, so addresses stay
    /// valid.
    known: FxHashMap<(usize, TypeInstance), TypeKey>,
    argument_types: FxHashMap<TypeKey, Rc<[TypeKey]>>,
}

impl Default for TypeTable {
    fn default() -> Self {
        Self::new()
    }
}

impl TypeTable {
    pub const UNKNOWN: TypeKey = 0;
    #[doc(hidden)]
    pub const REAL: TypeKey = 1;
    #[doc(hidden)]
    pub const NAT: TypeKey = 2;
    #[doc(hidden)]
    pub const BOOL: TypeKey = 3;
    #[doc(hidden)]
    pub const UNIT: TypeKey = 4;

    pub fn new() -> TypeTable {
        let none: Rc<[(usize, TypeKey)]> = Rc::new([]);
        let mut types = TypeTable {
            shapes: Vec::new(),
            by_shape: FxHashMap::default(),
            open: Vec::new(),
            names: Vec::new(),
            components: 0,
            instances: vec![none.clone()],
            by_instance: [(none, TypeInstance::NONE)].into_iter().collect(),
            known: FxHashMap::default(),
            argument_types: FxHashMap::default(),
        };
        // In the order of the indices above.
        for shape in [TypeShape::Unknown, TypeShape::Real, TypeShape::Nat, TypeShape::Bool, TypeShape::Unit] {
            types.intern_shape(shape);
        }
        types
    }

    /// Returns the type of a shape, which is added if it is new.
    pub fn intern_shape(&mut self, shape: TypeShape) -> TypeKey {
        if let Some(&known) = self.by_shape.get(&shape) {
            return known;
        }
        let key = self.shapes.len() as TypeKey;
        let mut open = shape == TypeShape::Unknown;
        shape.for_each_part(|part| open |= self.open[part as usize]);
        if let TypeShape::Tuple(parts) | TypeShape::Data(_, parts) = &shape {
            self.components += parts.len();
        }
        self.open.push(open);
        self.by_shape.insert(shape.clone(), key);
        self.shapes.push(shape);
        key
    }

    pub fn shape(&self, key: TypeKey) -> &TypeShape {
        &self.shapes[key as usize]
    }

    /// Returns `true` if the type has an unknown part.
    pub fn is_open(&self, key: TypeKey) -> bool {
        self.open[key as usize]
    }

    /// Returns the number of types and of their components.
    pub fn stored_size(&self) -> usize {
        self.shapes.len() + self.components
    }

    /// Makes the instance in which each parameter of the whole type stands for itself.
    pub fn parameter_instance(&mut self, names: Vec<Name>) -> TypeInstance {
        let own = (0..names.len()).map(|index| (index, self.intern_shape(TypeShape::Parameter(index)))).collect();
        self.names = names;
        self.intern_instance(own)
    }

    /// Converts shapes to types. Each shape comes after its parts.
    pub fn to_types(&self, shapes: &[TypeShape]) -> Vec<Ty> {
        let mut types: Vec<Ty> = Vec::with_capacity(shapes.len());
        for shape in shapes {
            let of = |key: &TypeKey| types[*key as usize].clone();
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
    pub fn all_types(&self) -> Vec<Ty> {
        self.to_types(&self.shapes)
    }

    /// Converts a type of reals, tuples and functions. Unknown parts count as `Real`. `None` for other types.
    pub fn to_closed_type(&self, key: TypeKey) -> Option<Ty> {
        Some(match self.shape(key) {
            // An open type defaults to `Real`, as in inference.
            TypeShape::Real | TypeShape::Unknown => Ty::real(),
            TypeShape::Unit => Ty::unit(),
            TypeShape::Tuple(parts) => {
                let parts = parts.iter().map(|part| with_stack(|| self.to_closed_type(*part)));
                Ty::new(TyKind::Tuple(parts.collect::<Option<_>>()?))
            }
            TypeShape::Function(a, b) => {
                Ty::function(with_stack(|| self.to_closed_type(*a))?, with_stack(|| self.to_closed_type(*b))?)
            }
            _ => return None,
        })
    }

    /// Returns for each type whether it contains functions or isomorphisms.
    #[doc(hidden)]
    pub fn functional_types(&self) -> Vec<bool> {
        let mut found: Vec<bool> = Vec::with_capacity(self.shapes.len());
        for shape in &self.shapes {
            let mut functional = matches!(shape, TypeShape::Function(..) | TypeShape::Iso(..));
            shape.for_each_part(|part| functional |= found[part as usize]);
            found.push(functional);
        }
        found
    }

    /// Returns the function type of one direction of an isomorphism. `None` for another type.
    pub fn iso_direction(&mut self, iso: TypeKey, forward: bool) -> Option<TypeKey> {
        let TypeShape::Iso(a, b) = *self.shape(iso) else { return None };
        Some(self.intern_shape(if forward { TypeShape::Function(a, b) } else { TypeShape::Function(b, a) }))
    }

    fn intern_instance(&mut self, variables: Rc<[(usize, TypeKey)]>) -> TypeInstance {
        let next = TypeInstance(self.instances.len() as u32);
        let instance = *self.by_instance.entry(variables.clone()).or_insert(next);
        if instance == next {
            self.instances.push(variables);
        }
        instance
    }

    /// Extends the instance `outside` by matching a declared type with the type of a use.
    pub fn matched_instance(&mut self, declared: &Ty, used: TypeKey, outside: TypeInstance) -> TypeInstance {
        if declared.is_closed() {
            return outside;
        }
        let mut found = self.instances[outside.0 as usize].to_vec();
        self.match_variables(declared, used, &mut found, &mut FxHashSet::default());
        self.intern_instance(found.into())
    }

    fn match_variables(
        &self,
        declared: &Ty,
        used: TypeKey,
        found: &mut Vec<(usize, TypeKey)>,
        seen: &mut FxHashSet<usize>,
    ) {
        // A shared part of the declared type has the same instance wherever it occurs.
        if declared.is_closed() || !seen.insert(declared.address()) {
            return;
        }
        let mut learn = |ty: &Ty, key: TypeKey| with_stack(|| self.match_variables(ty, key, found, seen));
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
    pub fn import_type(&mut self, ty: &Ty, instance: TypeInstance) -> TypeKey {
        // A closed type is the same in every instance, so it is imported once.
        let instance = if ty.is_closed() { TypeInstance::NONE } else { instance };
        if let Some(&known) = self.known.get(&(ty.address(), instance)) {
            return known;
        }
        let mut of = |ty: &Ty| with_stack(|| self.import_type(ty, instance));
        let shape = match ty.kind() {
            TyKind::Real => return TypeTable::REAL,
            TyKind::Nat => return TypeTable::NAT,
            TyKind::Bool => return TypeTable::BOOL,
            TyKind::Unit => return TypeTable::UNIT,
            TyKind::Variable(index, _) => {
                let variables = &self.instances[instance.0 as usize];
                let place = variables.binary_search_by_key(index, |(index, _)| *index);
                return place.map_or(TypeTable::UNKNOWN, |place| variables[place].1);
            }
            TyKind::Tuple(parts) => TypeShape::Tuple(parts.iter().map(of).collect()),
            TyKind::Data(data, parts) => TypeShape::Data(data.clone(), parts.iter().map(of).collect()),
            TyKind::Function(a, b) => TypeShape::Function(of(a), of(b)),
            TyKind::Iso(a, b) => TypeShape::Iso(of(a), of(b)),
            TyKind::Tangent(a) => TypeShape::Tangent(of(a)),
        };
        let key = self.intern_shape(shape);
        self.known.insert((ty.address(), instance), key);
        key
    }

    /// Returns the types of the arguments of the constructors of a data type; empty for another type.
    pub fn argument_types(&mut self, key: TypeKey) -> Rc<[TypeKey]> {
        if let Some(known) = self.argument_types.get(&key) {
            return known.clone();
        }
        let TypeShape::Data(data, arguments) = self.shape(key).clone() else { return Rc::new([]) };
        // In a layer the variable after the parameters is the type itself.
        let instance = self.intern_instance(arguments.iter().copied().chain([key]).enumerate().collect());
        let domain = |constructor: crate::syntax::data::Constructor| match constructor.layer_type() {
            Some(layer) => self.import_type(layer, instance),
            None => TypeTable::UNIT,
        };
        let domains: Rc<[TypeKey]> = data.constructors().map(domain).collect();
        self.argument_types.insert(key, domains.clone());
        domains
    }

    /// Returns the type of a component. `None` if the type is no tuple, or too narrow.
    pub fn component_type(&self, key: TypeKey, index: usize) -> Option<TypeKey> {
        match self.shape(key) {
            TypeShape::Tuple(parts) => parts.get(index).copied(),
            _ => None,
        }
    }

    /// Returns the type of a componentwise operation on components, from its type on tuples. `None` if it is not on
    /// tuples.
    pub fn componentwise_type(&mut self, constant: Constant, key: TypeKey, index: usize) -> Option<TypeKey> {
        let TypeShape::Function(tuple, _) = *self.shape(key) else { return None };
        let component = self.component_type(tuple, index)?;
        let function = |result, _| self.intern_shape(TypeShape::Function(component, result));
        Some((0..constant.arity()).fold(component, function))
    }
}

impl TypeShape {
    /// Visits the immediate parts, from left to right.
    pub fn for_each_part(&self, mut each: impl FnMut(TypeKey)) {
        match self {
            TypeShape::Tuple(parts) | TypeShape::Data(_, parts) => parts.iter().copied().for_each(each),
            TypeShape::Function(a, b) | TypeShape::Iso(a, b) => [*a, *b].into_iter().for_each(each),
            TypeShape::Tangent(a) => each(*a),
            _ => {}
        }
    }

    /// Rebuilds the shape with `of` applied to its immediate parts.
    pub fn map_parts(&self, mut of: impl FnMut(TypeKey) -> TypeKey) -> TypeShape {
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
