//! Types that are given by their constructors: finite variants, and lists.
//!
//! `type Maybe A = Nothing | Just A` declares a type that is no other: a second declaration of the same form, or of the
//! same name, is a second type. A constructor takes no argument or one; here it always takes one, of the unit type if
//! none was declared. Lists are the one type among these that occurs in its own constructors: `List A` is
//! `[] | :: (A * List A)`.
//!
//! | here | in H §5.1 |
//! |---|---|
//! | [`Data`], with arguments for its parameters | a variant type, labels ℓᵢ with types τᵢ |
//! | `Just e` | τ.ℓ e |
//! | `match e with Nothing => a \| Just x => b` | case e of {ℓ₁ x₁ → a \| ℓ₂ x₂ → b} |
//! | [`Data::list`], `[]`, `x :: xs`, `fold f z xs` | list(τ), \[\], e :: f, fold |

use super::name::Name;
use super::ty::{Class, Scheme, Ty, TyKind};
use crate::stack::deep;
use rustc_hash::FxHashSet;
use std::fmt;
use std::hash::{Hash, Hasher};
use std::sync::{Arc, LazyLock, OnceLock};

/// A type with parameters, declared by its constructors. Equal to itself alone.
#[derive(Clone)]
pub struct Data(Arc<Declared>);

struct Declared {
    module: Name,
    name: Name,
    parameters: Vec<Name>,
    /// Names and arguments. Of lists, these mention the type itself.
    constructors: OnceLock<Vec<(Name, Option<Ty>)>>,
}

impl Data {
    /// A new type of a module. In the arguments of constructors, `Variable(i, _)` is parameter `i`.
    #[must_use]
    pub fn new(module: Name, name: Name, parameters: Vec<Name>, constructors: Vec<(Name, Option<Ty>)>) -> Data {
        Data(Arc::new(Declared { module, name, parameters, constructors: constructors.into() }))
    }

    /// A new type whose constructors may mention it: they are made once the type is there.
    #[must_use]
    pub fn recursive(
        module: Name,
        name: Name,
        parameters: Vec<Name>,
        constructors: impl FnOnce(&Data) -> Vec<(Name, Option<Ty>)>,
    ) -> Data {
        let data = Data(Arc::new(Declared { module, name, parameters, constructors: OnceLock::new() }));
        let made = constructors(&data);
        data.0.constructors.get_or_init(|| made);
        data
    }

    /// The type of lists.
    #[must_use]
    pub fn list() -> &'static Data {
        static LIST: LazyLock<Data> = LazyLock::new(|| {
            let (module, name, parameters) = (Name::from("language"), Name::from("List"), vec![Name::from("A")]);
            let list = Data(Arc::new(Declared { module, name, parameters, constructors: OnceLock::new() }));
            let of = Ty::new(TyKind::Variable(0, "A".into()));
            let cons = Ty::new(TyKind::Tuple(vec![of.clone(), Ty::new(TyKind::Data(list.clone(), vec![of]))]));
            list.0.constructors.get_or_init(|| vec![("[]".into(), None), ("::".into(), Some(cons))]);
            list
        });
        &LIST
    }

    /// Whether this is the type of lists.
    #[must_use]
    pub fn is_list(&self) -> bool {
        self == Data::list()
    }

    /// The module that declares the type.
    #[must_use]
    pub fn module(&self) -> &Name {
        &self.0.module
    }

    /// The name of the type.
    #[must_use]
    pub fn name(&self) -> &Name {
        &self.0.name
    }

    /// The names of the parameters.
    #[must_use]
    pub fn parameters(&self) -> &[Name] {
        &self.0.parameters
    }

    fn declared(&self) -> &[(Name, Option<Ty>)] {
        self.0.constructors.get().map_or(&[], Vec::as_slice)
    }

    /// How many constructors there are.
    #[must_use]
    pub fn width(&self) -> usize {
        self.declared().len()
    }

    /// The constructors, in the order of the declaration.
    pub fn constructors(&self) -> impl Iterator<Item = Constructor> + '_ {
        (0..self.width()).map(|index| Constructor { data: self.clone(), index })
    }

    /// The types of the arguments of the constructors, in order, for these arguments of the type itself.
    pub fn domains(&self, arguments: &[Ty]) -> Vec<Ty> {
        self.constructors().map(|constructor| constructor.domain().with(arguments)).collect()
    }

    /// The type with its own parameters for arguments.
    #[must_use]
    pub fn generic(&self) -> Ty {
        let parameters = self.parameters().iter().enumerate();
        let variables = parameters.map(|(index, name)| Ty::new(TyKind::Variable(index, name.clone())));
        Ty::new(TyKind::Data(self.clone(), variables.collect()))
    }

    fn scheme(&self, ty: Ty) -> Scheme {
        Scheme { parameters: self.parameters().iter().map(|name| (name.clone(), Class::ANY)).collect(), ty }
    }

    /// The type as a named type with parameters.
    #[must_use]
    pub fn named(&self) -> Scheme {
        self.scheme(self.generic())
    }
}

impl PartialEq for Data {
    fn eq(&self, other: &Data) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }
}

impl Eq for Data {}

impl Hash for Data {
    fn hash<H: Hasher>(&self, state: &mut H) {
        Arc::as_ptr(&self.0).hash(state);
    }
}

/// The declaration, as it is written.
impl fmt::Display for Data {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "type {} =", self.generic())?;
        if self.width() == 1 {
            f.write_str(" |")?;
        }
        for (index, (name, argument)) in self.declared().iter().enumerate() {
            write!(f, "{}{name}", if index == 0 { " " } else { " | " })?;
            if let Some(argument) = argument {
                write!(f, " {}", argument.as_argument())?;
            }
        }
        Ok(())
    }
}

impl fmt::Debug for Data {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.module(), self.name())
    }
}

/// A constructor of a type.
#[derive(Clone, PartialEq, Eq, Hash)]
pub struct Constructor {
    data: Data,
    index: usize,
}

impl Constructor {
    /// `[]`
    #[must_use]
    pub fn nil() -> Constructor {
        Constructor { data: Data::list().clone(), index: 0 }
    }

    /// `::`, of the pair of the first element and the rest.
    #[must_use]
    pub fn cons() -> Constructor {
        Constructor { data: Data::list().clone(), index: 1 }
    }

    /// The type that it belongs to.
    #[must_use]
    pub fn data(&self) -> &Data {
        &self.data
    }

    /// Its number among the constructors of the type, from 0.
    #[must_use]
    pub fn index(&self) -> usize {
        self.index
    }

    /// Its name.
    #[must_use]
    pub fn name(&self) -> &Name {
        &self.data.declared()[self.index].0
    }

    /// The type of its argument, if it takes one.
    #[must_use]
    pub fn argument(&self) -> Option<&Ty> {
        self.data.declared()[self.index].1.as_ref()
    }

    /// The type of its argument; the unit type if it takes none.
    #[must_use]
    pub fn domain(&self) -> Ty {
        self.argument().cloned().unwrap_or_else(|| Ty::new(TyKind::Unit))
    }

    /// Whether every parameter of the type occurs in the argument.
    #[must_use]
    pub fn is_determined(&self) -> bool {
        fn collect(ty: &Ty, into: &mut FxHashSet<usize>, seen: &mut FxHashSet<usize>) {
            if !seen.insert(ty.address()) {
                return;
            }
            deep(|| match ty.kind() {
                TyKind::Variable(index, _) => drop(into.insert(*index)),
                TyKind::Tuple(parts) | TyKind::Data(_, parts) => parts.iter().for_each(|ty| collect(ty, into, seen)),
                TyKind::Function(a, b) | TyKind::Iso(a, b) => [a, b].into_iter().for_each(|ty| collect(ty, into, seen)),
                TyKind::Tangent(a) => collect(a, into, seen),
                TyKind::Real | TyKind::Nat | TyKind::Bool | TyKind::Unit => {}
            });
        }
        let mut found = FxHashSet::default();
        collect(&self.domain(), &mut found, &mut FxHashSet::default());
        (0..self.data.parameters().len()).all(|index| found.contains(&index))
    }

    /// Its type: that of a function if it takes an argument.
    #[must_use]
    pub fn scheme(&self) -> Scheme {
        let result = self.data.generic();
        self.data.scheme(match self.argument() {
            Some(argument) => Ty::function(argument.clone(), result),
            None => result,
        })
    }

    /// Whether this is `[]`.
    #[must_use]
    pub fn is_nil(&self) -> bool {
        self.data.is_list() && self.index == 0
    }

    /// Whether this is `::`.
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_are_a_type_of_two_constructors() {
        let list = Data::list();
        assert_eq!(list.to_string(), "type List A = [] | :: (A * List A)");
        assert!(Constructor::nil().is_nil() && Constructor::cons().is_cons() && !Constructor::cons().is_nil());
        assert_eq!(Constructor::cons().scheme().to_string(), "A * List A -> List A");
        let domains: Vec<String> = list.domains(&[Ty::real()]).iter().map(Ty::to_string).collect();
        assert_eq!(domains, ["unit", "Real * List Real"]);
    }

    #[test]
    fn types_of_the_same_form_are_two() {
        let one = || Data::new("M".into(), "T".into(), Vec::new(), vec![("C".into(), Some(Ty::real()))]);
        let (first, second) = (one(), one());
        assert_eq!(first, first.clone());
        assert_ne!(first, second);
        assert_ne!(first.generic(), second.generic());
        assert_eq!(first.to_string(), "type T = | C Real");
    }
}
