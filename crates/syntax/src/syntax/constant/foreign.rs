//! Constants from outside (S Fig. 5: ⌊k⌋): those that a session defines, and that the table of the language lacks.
//!
//! A [`Constant`](super::Constant) is copied freely, so that one from outside is an index into a registry of the process. The
//! registry only grows: an entry keeps the name, the type and a line of help, some hundred bytes, until the process ends. The
//! meaning, with functions and data of the caller, is not kept here. The [definition](crate::syntax::term::Definition) of the name
//! owns it, and every term that mentions the definition shares it. So a meaning is freed with its session and the terms of that.
//!
//! Names are no part of the registry. The name of a constant is a definition of a module, so that one name in two sessions is two
//! constants.

use super::{Name, Scheme};
use std::any::Any;
use std::fmt;
use std::sync::{Arc, PoisonError, RwLock, Weak};

/// A constant from outside, by its index in the registry.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ForeignId(u32);

/// The meaning of a constant from outside, of a type that the semantics know.
pub type AnyMeaning = dyn Any + Send + Sync;

/// The description of a constant from outside. It is never freed.
struct ForeignSpec {
    names: [&'static str; 1],
    arity: usize,
    scheme: Scheme,
    summary: &'static str,
    meaning: RwLock<Option<Weak<AnyMeaning>>>,
}

/// The owner of the meaning of a constant from outside. It is dropped with the last copy.
#[derive(Clone)]
pub struct ForeignOwner(#[expect(dead_code, reason = "it is held to be dropped")] Arc<AnyMeaning>);

impl ForeignOwner {
    /// Makes an owner of a value.
    pub fn new(owned: Arc<AnyMeaning>) -> Self {
        Self(owned)
    }
}

impl fmt::Debug for ForeignOwner {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("ForeignOwner").finish_non_exhaustive()
    }
}

static REGISTRY: RwLock<Vec<&'static ForeignSpec>> = RwLock::new(Vec::new());

impl ForeignId {
    /// Registers a constant without a meaning. Its type has no parameters.
    ///
    /// Returns `None` if the process has 2³² constants from outside.
    pub fn register(name: &Name, arity: usize, scheme: Scheme, summary: &str) -> Option<ForeignId> {
        let mut all = REGISTRY.write().unwrap_or_else(PoisonError::into_inner);
        let id = ForeignId(u32::try_from(all.len()).ok()?);
        let kept = |text: &str| -> &'static str { Box::leak(text.to_owned().into_boxed_str()) };
        let (names, summary) = ([kept(name)], kept(summary));
        all.push(Box::leak(Box::new(ForeignSpec { names, arity, scheme, summary, meaning: RwLock::new(None) })));
        Some(id)
    }

    /// Returns `true` if any constant was registered in this process.
    #[must_use]
    pub fn any_registered() -> bool {
        !REGISTRY.read().unwrap_or_else(PoisonError::into_inner).is_empty()
    }

    /// Sets the meaning, which the registry does not own.
    pub fn set_meaning(self, meaning: &Arc<AnyMeaning>) {
        *self.spec().meaning.write().unwrap_or_else(PoisonError::into_inner) = Some(Arc::downgrade(meaning));
    }

    /// Returns the meaning. `None` if it was dropped with its session, or is not set yet.
    #[must_use]
    pub fn meaning(self) -> Option<Arc<AnyMeaning>> {
        self.spec().meaning.read().unwrap_or_else(PoisonError::into_inner).as_ref()?.upgrade()
    }

    fn spec(self) -> &'static ForeignSpec {
        // Ids are made by `register` alone, and entries are never removed.
        REGISTRY.read().unwrap_or_else(PoisonError::into_inner)[self.0 as usize]
    }

    pub(super) fn names(self) -> &'static [&'static str] {
        &self.spec().names
    }

    pub(super) fn arity(self) -> usize {
        self.spec().arity
    }

    pub(super) fn scheme(self) -> &'static Scheme {
        &self.spec().scheme
    }

    pub(super) fn summary(self) -> &'static str {
        self.spec().summary
    }
}
