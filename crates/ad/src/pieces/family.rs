//! Countable families, such as the pieces of a recursive function (W §2.1: partitions into countably many sets).
//!
//! A family is a function from n to its n-th member, so finitely many members are computed at a time. What they leave is told by a
//! [rest](CountableFamily::rest): an upper bound of the volume, or of the mass, of all members from n on.
//!
//! | question | answer |
//! |---|---|
//! | which member has a point? | the least one, among the first [`SEARCH_LIMIT`]; otherwise it is unknown |
//! | what is the sum of a bounded function over all members? | that over the first n, and the rest times the hull of 0 and of the values |
//!
//! Images, disjoint unions and products of families are families. A complement is none: that of the middle thirds is Cantor's set
//! (W8).

use crate::number::Rational;
use std::fmt;
use std::sync::Arc;

/// The greatest number of members of an endless family that a question about one point looks at. A choice.
pub const SEARCH_LIMIT: usize = 64;

type MemberFunction<T> = dyn Fn(usize) -> Option<T> + Send + Sync;
type RestFunction = dyn Fn(usize) -> Rational + Send + Sync;

/// A countable family of sets or pieces, with a bound of what its first members leave.
///
/// # Examples
///
/// The pieces of `let rec f x = if x > 1/2 then x else f (2 * x)` on (0, 1] have the lengths 1/2, 1/4, 1/8, …
/// ```
/// use smoothish_ad::number::Rational;
/// use smoothish_ad::pieces::CountableFamily;
/// let length = |n: usize| Rational::from(1) >> (n as u32 + 1);
/// let lengths = CountableFamily::new(move |n| Some(length(n))).with_rest(|n| Rational::from(1) >> n as u32);
/// assert_eq!(lengths.get(2), Some(Rational::from((1, 8))));
/// assert_eq!(lengths.rest(3), Some(Rational::from((1, 8))));
/// assert_eq!(lengths.len(), None);
/// ```
#[derive(Clone)]
pub struct CountableFamily<T> {
    members: Members<T>,
    rest: Option<Arc<RestFunction>>,
}

#[derive(Clone)]
enum Members<T> {
    /// A finite family.
    Listed(Vec<T>),
    /// A family without a known end.
    Computed(Arc<MemberFunction<T>>),
}

impl<T> fmt::Debug for CountableFamily<T> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("CountableFamily").field("len", &self.len()).finish_non_exhaustive()
    }
}

impl<T> From<Vec<T>> for CountableFamily<T> {
    fn from(members: Vec<T>) -> Self {
        Self { members: Members::Listed(members), rest: None }
    }
}

impl<T> CountableFamily<T> {
    /// Returns the number of members. `None` if no end is known.
    #[must_use]
    pub fn len(&self) -> Option<usize> {
        match &self.members {
            Members::Listed(members) => Some(members.len()),
            Members::Computed(_) => None,
        }
    }

    /// Returns `true` if the family is known to have no members.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.len() == Some(0)
    }

    /// Adds a bound of the volume of all members from n on, as a function of n. The caller must have proved it.
    #[must_use]
    pub fn with_rest(self, rest: impl Fn(usize) -> Rational + Send + Sync + 'static) -> Self {
        Self { rest: Some(Arc::new(rest)), ..self }
    }

    /// Returns a bound of the volume of all members from the n-th on: 0 beyond the end of a finite family. Returns `None` if no
    /// bound is known.
    #[must_use]
    pub fn rest(&self, n: usize) -> Option<Rational> {
        match self.len() {
            Some(len) if n >= len => Some(Rational::new()),
            _ => self.rest.as_ref().map(|rest| rest(n)),
        }
    }

    /// Returns the least n ≤ [`SEARCH_LIMIT`] for which the members from n on have at most the volume `small`. Returns `None` if there is
    /// none.
    #[must_use]
    pub fn steps_until(&self, small: &Rational) -> Option<usize> {
        (0..=SEARCH_LIMIT).find(|n| self.rest(*n).is_some_and(|rest| rest <= *small))
    }
}

impl<T: Clone> CountableFamily<T> {
    /// Creates an endless family of its function from n to the n-th member. A number may have no member.
    #[must_use]
    pub fn new(member: impl Fn(usize) -> Option<T> + Send + Sync + 'static) -> Self {
        Self { members: Members::Computed(Arc::new(member)), rest: None }
    }

    /// Returns the n-th member. Returns `None` if there is none of this number.
    #[must_use]
    pub fn get(&self, n: usize) -> Option<T> {
        match &self.members {
            Members::Listed(members) => members.get(n).cloned(),
            Members::Computed(member) => member(n),
        }
    }

    /// Returns the members that a question about one point looks at: all of a finite family, and otherwise those with numbers below
    /// [`SEARCH_LIMIT`]. The second part is `true` if the family has others.
    #[must_use]
    pub fn searched(&self) -> (Vec<T>, bool) {
        match &self.members {
            Members::Listed(members) => (members.clone(), false),
            Members::Computed(member) => ((0..SEARCH_LIMIT).filter_map(|n| member(n)).collect(), true),
        }
    }

    /// Returns the family of the images of all members. Its rest is that of the family: `image` must not enlarge volumes.
    #[must_use]
    pub fn map<U: Clone>(&self, image: impl Fn(&T) -> U + Send + Sync + 'static) -> CountableFamily<U>
    where
        T: 'static,
    {
        let members = match &self.members {
            Members::Listed(members) => Members::Listed(members.iter().map(image).collect()),
            Members::Computed(member) => {
                let member = member.clone();
                Members::Computed(Arc::new(move |n| member(n).as_ref().map(&image)))
            }
        };
        CountableFamily { members, rest: self.rest.clone() }
    }
}

/// Orders all pairs of two lists so that those of early members come first: by the sum of their numbers if a list goes on beyond what is
/// listed, and otherwise row by row.
#[must_use]
pub fn pair_members<A, B>((left, goes_on): (&[A], bool), (right, also): (&[B], bool)) -> Vec<(usize, usize)> {
    let mut pairs: Vec<(usize, usize)> = (0..left.len()).flat_map(|i| (0..right.len()).map(move |j| (i, j))).collect();
    if goes_on || also {
        pairs.sort_by_key(|(i, j)| (i + j, *i));
        // a pair of the first k members of both is never behind one of later members
        pairs.truncate(SEARCH_LIMIT.max(left.len()).max(right.len()));
    }
    pairs
}
