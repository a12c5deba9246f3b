//! Linked lists with shared tails: the values of type `List A`.

use std::sync::Arc;

/// A linked list. Clones and extension at the front are cheap. Lists of any length may be dropped.
#[derive(Debug)]
pub struct SharedList<V>(Option<Arc<ListLink<V>>>);

#[derive(Debug)]
struct ListLink<V> {
    head: V,
    tail: SharedList<V>,
}

impl<V> Clone for SharedList<V> {
    fn clone(&self) -> Self {
        Self(self.0.clone())
    }
}

impl<V> Default for SharedList<V> {
    fn default() -> Self {
        Self(None)
    }
}

impl<V> SharedList<V> {
    /// Returns the list `head :: self`.
    #[must_use]
    pub fn with_head(&self, head: V) -> Self {
        Self(Some(Arc::new(ListLink { head, tail: self.clone() })))
    }

    /// Returns the address of the first cell; 0 for the empty list. Two lists have the same address exactly if they
    /// share all cells.
    #[must_use]
    pub fn storage_address(&self) -> usize {
        self.0.as_ref().map_or(0, |link| Arc::as_ptr(link) as usize)
    }

    /// Returns the first element and the rest. Returns `None` for the empty list.
    #[must_use]
    pub fn split_first(&self) -> Option<(&V, &Self)> {
        self.0.as_ref().map(|link| (&link.head, &link.tail))
    }

    /// Returns the elements in order.
    pub fn iter(&self) -> impl Iterator<Item = &V> {
        let mut here = self;
        std::iter::from_fn(move || {
            let (head, rest) = here.split_first()?;
            here = rest;
            Some(head)
        })
    }

    /// Folds the list from its end: `f x₁ (f x₂ … (f xₙ start))`. The recursion is a loop, so any length is possible.
    ///
    /// # Errors
    /// The errors of `f`.
    pub fn try_fold_right<R, E>(&self, start: R, mut f: impl FnMut(&V, R) -> Result<R, E>) -> Result<R, E> {
        let elements: Vec<&V> = self.iter().collect();
        elements.into_iter().rev().try_fold(start, |result, element| f(element, result))
    }
}

impl<V> FromIterator<V> for SharedList<V> {
    fn from_iter<I: IntoIterator<Item = V>>(elements: I) -> Self {
        let elements: Vec<V> = elements.into_iter().collect();
        elements.into_iter().rev().fold(Self::default(), |rest, head| rest.with_head(head))
    }
}

impl<V> Drop for SharedList<V> {
    // A derived drop would recurse once for each element. The loop stops at the first cell that another list shares.
    fn drop(&mut self) {
        let mut rest = self.0.take();
        while let Some(link) = rest {
            rest = Arc::into_inner(link).and_then(|mut link| link.tail.0.take());
        }
    }
}
