//! 𝒟 on types (H §3.2, §5.1): ℜ becomes a tuple of ℜ, every other type constructor is kept.
//!
//! A declared type with ℜ in the arguments of its constructors becomes a new type. Its name and those of its constructors get a
//! prime. A parameter may be any type, so `Maybe Real` becomes `Maybe` of jets.

use crate::stack::with_stack;
use crate::syntax::data::{Constructor, DataType};
use crate::syntax::name::Name;
use crate::syntax::ty::{Ty, TyKind};
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::{Mutex, MutexGuard, PoisonError};

/// Returns the type of jets with `length` coordinates.
#[must_use]
pub fn jet_type(length: usize) -> Ty {
    Ty::new(TyKind::Tuple(vec![Ty::real(); length]))
}

/// 𝒟 on types, for jets of one length. A declared type is translated once.
#[derive(Debug)]
pub struct TypeTranslation {
    length: usize,
    lock_declared: Mutex<DeclaredImages>,
}

/// The images of declared types.
#[derive(Debug, Default)]
struct DeclaredImages {
    images: FxHashMap<DataType, DataType>,
    /// The new types, each after those that it mentions.
    made: Vec<DataType>,
    /// The names of all images and of their constructors.
    names: FxHashSet<Name>,
}

impl TypeTranslation {
    /// Builds the translation for jets with `length` coordinates.
    #[must_use]
    pub fn new(length: usize) -> Self {
        Self { length, lock_declared: Mutex::default() }
    }

    fn lock_declared(&self) -> MutexGuard<'_, DeclaredImages> {
        self.lock_declared.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns the new types, each after those that it mentions.
    #[must_use]
    pub fn made_types(&self) -> Vec<DataType> {
        self.lock_declared().made.clone()
    }

    /// Returns 𝒟(τ).
    #[must_use]
    pub fn translate_type(&self, ty: &Ty) -> Ty {
        self.translate_cached(ty, &mut FxHashMap::default())
    }

    fn translate_cached(&self, ty: &Ty, known: &mut FxHashMap<usize, Ty>) -> Ty {
        // types share their parts; the table keeps the translation linear in the shared size
        if let Some(known) = known.get(&ty.address()) {
            return known.clone();
        }
        let of = |ty: &Ty| with_stack(|| self.translate_cached(ty, known));
        let kind = match ty.kind() {
            TyKind::Real => return jet_type(self.length),
            TyKind::Variable(..) | TyKind::Nat | TyKind::Bool | TyKind::Unit => return ty.clone(),
            TyKind::Data(data, arguments) => {
                let arguments = arguments.iter().map(of).collect();
                TyKind::Data(self.translate_data(data), arguments)
            }
            kind => kind.map_parts(of),
        };
        let result = Ty::new(kind);
        known.insert(ty.address(), result.clone());
        result
    }

    /// Returns the image of a declared type.
    ///
    /// It is the type itself if its constructors do not mention ℜ and no new type has one of its names.
    #[must_use]
    pub fn translate_data(&self, data: &DataType) -> DataType {
        if let Some(known) = self.lock_declared().images.get(data) {
            return known.clone();
        }
        // `layer` has a variable in place of each recursive occurrence
        let layers: Vec<Option<Ty>> =
            data.constructors().map(|constructor| constructor.layer_type().map(|ty| self.translate_type(ty))).collect();
        let is_same =
            data.constructors().zip(&layers).all(|(constructor, image)| constructor.layer_type() == image.as_ref());
        let mut declared = self.lock_declared();
        let constructors: Vec<Name> = data.constructors().map(|constructor| constructor.name().clone()).collect();
        let own = || constructors.iter().chain([data.name()]);
        let primes = (usize::from(!is_same)..).map(|primes| "'".repeat(primes));
        let mut free = primes.filter(|primes| own().all(|name| !declared.names.contains(&*format!("{name}{primes}"))));
        // the sequence of primes is infinite and the names are finite, so one is free
        let primes = if data.is_list() { String::new() } else { free.next().unwrap_or_default() };
        let primed = |name: &Name| Name::from(format!("{name}{primes}"));
        let names: Vec<Name> = own().map(primed).collect();
        let image = if primes.is_empty() {
            data.clone()
        } else {
            let constructors = constructors.iter().map(primed).zip(layers).collect();
            let image =
                DataType::new(data.module().clone(), primed(data.name()), data.parameters().to_vec(), constructors);
            declared.made.push(image.clone());
            image
        };
        declared.names.extend(names);
        declared.images.insert(data.clone(), image.clone());
        image
    }

    /// Returns the image of a constructor.
    #[must_use]
    pub fn translate_constructor(&self, constructor: &Constructor) -> Constructor {
        // an image has the same constructors in the same order
        let image = self.translate_data(constructor.data());
        image.constructors().nth(constructor.index()).unwrap_or_else(|| constructor.clone())
    }
}
