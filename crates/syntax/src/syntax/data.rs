//! Algebraic data types: variants, lists and other inductive types.
//!
//! Types are nominal: a second declaration of the same form, or of the same name, is a second type. In `type Maybe A =
//! Nothing | Just A` the constructors take no argument or one. In terms every constructor takes an argument, `()` if
//! none was declared.
//!
//! A type may be recursive, as `type Tree A = Leaf | Node (Tree A * A * Tree A)`: see [`inductive`](super::inductive)
//! for the conditions, and [`eliminator`](super::eliminator) for its fold. `List A` is `[] | :: (A * List A)`.
//!
//! | here | in H §5.1 |
//! |---|---|
//! | [`DataType`], with arguments for its parameters | a variant type, labels ℓᵢ with types τᵢ |
//! | `Just e` | τ.ℓ e |
//! | `match e with Nothing => a \| Just x => b` | case e of {ℓ₁ x₁ → a \| ℓ₂ x₂ → b} |
//! | [`DataType::list`], `[]`, `x :: xs`, `fold f z xs` | list(τ), \[\], e :: f, fold |
//!
//! Constructors are definitions of their module, so scope, ambiguity and completion are those of definitions. No
//! real number decides which constructor a value has. An answer writes lists with `::`, because `[1, 2]` is an
//! interval.

use super::name::Name;
use super::ty::{Class, Scheme, Ty, TyKind};
use rustc_hash::FxHashSet;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::{Arc, LazyLock, Mutex, PoisonError};

/// An algebraic data type with parameters. Equality is identity of the declaration.
#[derive(Clone)]
pub struct DataType(Arc<DeclaredData>);

struct DeclaredData {
    module: Name,
    name: Name,
    parameters: Vec<Name>,
    /// The names and arguments. A variable stands for the type itself: a cycle of counted references would never be
    /// freed.
    constructors: Vec<(Name, Option<Ty>)>,
    /// `true` for each constructor whose argument contains the type itself.
    recursive: Vec<bool>,
}

impl DataType {
    /// Declares a new type of a module. In the arguments of constructors, `Variable(i, _)` is parameter `i`. The
    /// variable after the last parameter is the type itself, applied to its own parameters.
    #[must_use]
    pub fn new(module: Name, name: Name, parameters: Vec<Name>, constructors: Vec<(Name, Option<Ty>)>) -> DataType {
        // The variable after the last parameter stands for the type itself.
        let itself = parameters.len();
        let mentions =
            |argument: &Option<Ty>| argument.as_ref().is_some_and(|ty| variable_indices(ty).contains(&itself));
        let recursive = constructors.iter().map(|(_, argument)| mentions(argument)).collect();
        DataType(Arc::new(DeclaredData { module, name, parameters, constructors, recursive }))
    }

    /// Returns the type of lists.
    #[must_use]
    pub fn list() -> &'static DataType {
        // Declared once, like a type of a program: types are nominal.
        static LIST: LazyLock<DataType> = LazyLock::new(|| {
            let variable = |index, name: &str| Ty::new(TyKind::Variable(index, name.into()));
            let cons = Ty::new(TyKind::Tuple(vec![variable(0, "A"), variable(1, "List")]));
            let constructors = vec![("[]".into(), None), ("::".into(), Some(cons))];
            DataType::new("language".into(), "List".into(), vec!["A".into()], constructors)
        });
        &LIST
    }

    /// Returns the n-ary sum type, with constructors `In0`, `In1`, …. There is one type for each n.
    #[must_use]
    pub fn sum(width: usize) -> DataType {
        // Types are nominal, so the sums are cached: a second call must return the same type.
        static SUMS: Mutex<Vec<DataType>> = Mutex::new(Vec::new());
        let mut sums = SUMS.lock().unwrap_or_else(PoisonError::into_inner);
        while sums.len() <= width {
            let n = sums.len();
            let parameters: Vec<Name> = (0..n).map(|i| format!("A{i}").into()).collect();
            let alternative = |i: usize| {
                let argument = Ty::new(TyKind::Variable(i, parameters[i].clone()));
                (Name::from(format!("In{i}")), Some(argument))
            };
            let constructors = (0..n).map(alternative).collect();
            sums.push(DataType::new("host".into(), format!("Sum{n}").into(), parameters, constructors));
        }
        sums[width].clone()
    }

    /// Returns `true` if this is the type of lists.
    #[must_use]
    pub fn is_list(&self) -> bool {
        self == DataType::list()
    }

    /// Returns the module that declares the type.
    #[must_use]
    pub fn module(&self) -> &Name {
        &self.0.module
    }

    /// Returns the name of the type.
    #[must_use]
    pub fn name(&self) -> &Name {
        &self.0.name
    }

    /// Returns the names of the parameters.
    #[must_use]
    pub fn parameters(&self) -> &[Name] {
        &self.0.parameters
    }

    /// Returns `true` if the type occurs in its own constructors, as lists do.
    #[must_use]
    pub fn is_recursive(&self) -> bool {
        self.0.recursive.contains(&true)
    }

    /// Returns the number of constructors.
    #[must_use]
    pub fn constructor_count(&self) -> usize {
        self.0.constructors.len()
    }

    /// Returns the constructors, in the order of the declaration.
    pub fn constructors(&self) -> impl Iterator<Item = Constructor> + '_ {
        (0..self.constructor_count()).map(|index| Constructor { data: self.clone(), index })
    }

    /// Returns the types of the arguments of the constructors, in order, for the type applied to `arguments`. The unit
    /// type stands for no argument.
    pub fn argument_types(&self, arguments: &[Ty]) -> Vec<Ty> {
        let all = self.with_itself(arguments);
        let domain =
            |c: Constructor| c.layer_type().map_or_else(|| Ty::new(TyKind::Unit), |layer| layer.with_arguments(&all));
        self.constructors().map(domain).collect()
    }

    /// Returns `arguments` followed by the type applied to them: a substitution for the variables of a constructor.
    pub(super) fn with_itself(&self, arguments: &[Ty]) -> Vec<Ty> {
        let itself = Ty::new(TyKind::Data(self.clone(), arguments.to_vec()));
        arguments.iter().cloned().chain([itself]).collect()
    }

    /// Returns the parameters as types.
    pub(super) fn parameter_types(&self) -> Vec<Ty> {
        let parameters = self.parameters().iter().enumerate();
        parameters.map(|(index, name)| Ty::new(TyKind::Variable(index, name.clone()))).collect()
    }

    /// Returns the type applied to its own parameters.
    #[must_use]
    pub fn generic_type(&self) -> Ty {
        Ty::new(TyKind::Data(self.clone(), self.parameter_types()))
    }

    fn scheme_for(&self, ty: Ty) -> Scheme {
        Scheme { parameters: self.parameters().iter().map(|name| (name.clone(), Class::ANY)).collect(), ty }
    }

    /// Returns the type scheme of the type: quantified over its parameters, each in [`Class::ANY`].
    #[must_use]
    pub fn type_scheme(&self) -> Scheme {
        self.scheme_for(self.generic_type())
    }
}

impl PartialEq for DataType {
    fn eq(&self, other: &DataType) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for DataType {}

impl Hash for DataType {
    fn hash<H: Hasher>(&self, state: &mut H) {
        Arc::as_ptr(&self.0).hash(state);
    }
}

/// Prints the declaration, as it is written.
impl fmt::Display for DataType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "type {} =", self.generic_type())?;
        // A bar first tells a data type of one constructor from a type synonym.
        if self.constructor_count() == 1 {
            f.write_str(" |")?;
        }
        for constructor in self.constructors() {
            write!(f, "{}{}", if constructor.index == 0 { " " } else { " | " }, constructor.name())?;
            if let Some(argument) = constructor.argument() {
                write!(f, " {}", argument.as_argument())?;
            }
        }
        Ok(())
    }
}

impl fmt::Debug for DataType {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.module(), self.name())
    }
}

/// A constructor of an algebraic data type.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Constructor {
    data: DataType,
    index: usize,
}

impl Constructor {
    /// Returns `[]`.
    #[must_use]
    pub fn nil() -> Constructor {
        Constructor { data: DataType::list().clone(), index: 0 }
    }

    /// Returns `::`, whose argument is the pair of the first element and the rest.
    #[must_use]
    pub fn cons() -> Constructor {
        Constructor { data: DataType::list().clone(), index: 1 }
    }

    /// Returns the type that the constructor belongs to.
    #[must_use]
    pub fn data(&self) -> &DataType {
        &self.data
    }

    /// Returns the index among the constructors of the type, from 0.
    #[must_use]
    pub fn index(&self) -> usize {
        self.index
    }

    /// Returns the name of the constructor.
    #[must_use]
    pub fn name(&self) -> &Name {
        &self.data.0.constructors[self.index].0
    }

    /// Returns the type of the argument. `None` if the constructor takes none.
    #[must_use]
    pub fn argument(&self) -> Option<Ty> {
        let layer = self.layer_type()?;
        // Without recursion the layer is the argument: it has no variable for the type itself.
        Some(if self.is_recursive() {
            layer.with_arguments(&self.data.with_itself(&self.data.parameter_types()))
        } else {
            layer.clone()
        })
    }

    /// Like [`Constructor::argument`], but with the variable after the last parameter for the type itself: one layer of
    /// a value.
    #[must_use]
    pub fn layer_type(&self) -> Option<&Ty> {
        self.data.0.constructors[self.index].1.as_ref()
    }

    /// Returns `true` if the argument contains the type that the constructor belongs to.
    #[must_use]
    pub fn is_recursive(&self) -> bool {
        self.data.0.recursive[self.index]
    }

    /// Returns the type of the argument; the unit type if the constructor takes none.
    #[must_use]
    pub fn argument_or_unit(&self) -> Ty {
        self.argument().unwrap_or_else(|| Ty::new(TyKind::Unit))
    }

    /// Returns `true` if the types of the `known` components of the argument determine every parameter of the type. An
    /// argument that is no tuple is its component 0.
    #[must_use]
    pub fn is_determined(&self, known: impl Fn(usize) -> bool) -> bool {
        let itself = self.data.parameters().len();
        let components: &[Ty] = match self.layer_type() {
            None => &[],
            Some(layer) => match layer.kind() {
                TyKind::Tuple(parts) => parts,
                _ => std::slice::from_ref(layer),
            },
        };
        let known = components.iter().enumerate().filter(|&(index, _)| known(index));
        let found: FxHashSet<usize> = known.flat_map(|(_, component)| variable_indices(component)).collect();
        // The type itself, at its own parameters, determines all of them at once.
        found.contains(&itself) || (0..itself).all(|index| found.contains(&index))
    }

    /// Returns the type scheme of the constructor: of a function if it takes an argument.
    #[must_use]
    pub fn scheme(&self) -> Scheme {
        let result = self.data.generic_type();
        self.data.scheme_for(match self.argument() {
            Some(argument) => Ty::function(argument, result),
            None => result,
        })
    }

    /// Returns `true` if this is `[]`.
    #[must_use]
    pub fn is_nil(&self) -> bool {
        self.data.is_list() && self.index == 0
    }

    /// Returns `true` if this is `::`.
    #[must_use]
    pub fn is_cons(&self) -> bool {
        self.data.is_list() && self.index == 1
    }
}

impl fmt::Debug for Constructor {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.data.module(), self.name())
    }
}

/// Returns the indices of the variables of a type.
fn variable_indices(ty: &Ty) -> FxHashSet<usize> {
    let mut found = FxHashSet::default();
    ty.for_each_variable(|index, _| _ = found.insert(index));
    found
}
