//! Multi-indices: the coordinates of a Taylor representation (H §2.2).
//!
//! A number becomes one number for each multi-index α = (α₁, …, α_k) of a [`Basis`]. It represents `∂^α f (a)` for some
//! `f : ℝᵏ → ℝ`: the derivative, not divided by α!. The multi-indices are in lexicographic order, from (0, …, 0) to
//! (R, 0, …, 0).
//!
//! | k, R | 1, 1 | 1, 2 | 2, 1 | 2, 2 | 2, 3 | 3, 3 |
//! |---|---|---|---|---|---|---|
//! | coordinates, `C(R + k, k)` | 2 | 3 | 3 | 6 | 10 | 20 |
//!
//! A basis may be any finite set of multi-indices that contains with each one all smaller ones: the monomials left
//! out then form an ideal. Total order at most R is one such set, and H's restricted (2,2)′ another. No other
//! module depends on the choice.

use rustc_hash::FxHashMap;

/// The most terms that one operation on jets may have when written out; a choice.
pub const MAX_OPERATION_TERMS: u128 = 500_000;

/// The reason why there is no Taylor representation for a pair (k, R).
#[derive(Clone, Copy, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum BasisError {
    /// k = 0.
    #[error("there is no direction to differentiate in: k is 0; give a k of at least 1")]
    NoDirection,
    /// R = 0.
    #[error("order 0 asks for no derivative; give an order of at least 1")]
    NoOrder,
    /// Operations would have too many terms.
    #[error(
        "derivatives of order {order} in {directions} directions would make operations of more than {MAX_OPERATION_TERMS} terms; \
         give a smaller order, or fewer directions"
    )]
    TooLarge {
        /// k
        directions: usize,
        /// R
        order: usize,
    },
}

/// A multi-index α = (α₁, …, α_k).
pub type MultiIndex = Vec<usize>;

/// A finite, downward closed set of multi-indices, in lexicographic order.
///
/// The first is (0, …, 0). The complement in all multi-indices is an ideal, so jets over a basis form an algebra: a
/// quotient of power series in k variables.
///
/// # Examples
/// ```
/// use smoothish_semantics::meaning::taylor::basis::Basis;
/// let basis = Basis::new(2, 2)?;
/// let names: Vec<String> = basis.indices().iter().map(|index| format!("{}{}", index[0], index[1])).collect();
/// assert_eq!(names, ["00", "01", "02", "10", "11", "20"]);
/// assert!(Basis::new(0, 1).is_err() && Basis::new(40, 40).is_err());
/// # Ok::<(), smoothish_semantics::meaning::taylor::basis::BasisError>(())
/// ```
#[derive(Clone, Debug)]
pub struct Basis {
    directions: usize,
    order: usize,
    indices: Vec<MultiIndex>,
    /// The position of each multi-index in `indices`.
    positions: FxHashMap<MultiIndex, usize>,
}

impl Basis {
    /// Builds the basis of the (k, R)-Taylor representation: all α with α₁ + … + α_k ≤ R.
    ///
    /// # Errors
    /// [`BasisError`]
    pub fn new(directions: usize, order: usize) -> Result<Self, BasisError> {
        match (directions, order) {
            (0, _) => return Err(BasisError::NoDirection),
            (_, 0) => return Err(BasisError::NoOrder),
            // a product has a term for each pair β ≤ α, and a composite consists of R products
            _ if term_bound(directions, order) > MAX_OPERATION_TERMS => {
                return Err(BasisError::TooLarge { directions, order });
            }
            _ => {}
        }
        let mut indices = Vec::new();
        extend_indices(&mut vec![0; directions], 0, order, &mut indices);
        Ok(Self::from_indices(directions, order, indices))
    }

    /// Builds the restricted (2,2)′ of H Ex. 3.2, without the unmixed second derivatives: (0,0), (0,1), (1,0), (1,1).
    #[must_use]
    pub fn without_unmixed() -> Self {
        Self::from_indices(2, 2, vec![vec![0, 0], vec![0, 1], vec![1, 0], vec![1, 1]])
    }

    fn from_indices(directions: usize, order: usize, indices: Vec<MultiIndex>) -> Self {
        let positions = indices.iter().cloned().enumerate().map(|(place, index)| (index, place)).collect();
        Self { directions, order, indices, positions }
    }

    /// Returns k.
    #[must_use]
    pub fn directions(&self) -> usize {
        self.directions
    }

    /// Returns R, the greatest α₁ + … + α_k.
    #[must_use]
    pub fn order(&self) -> usize {
        self.order
    }

    /// Returns the multi-indices as text: `02`, or `0,12` if an entry may have two digits.
    #[must_use]
    pub fn names(&self) -> Vec<String> {
        let large = self.order() > 9;
        let name = |index: &Vec<usize>| {
            let entries: Vec<String> = index.iter().map(usize::to_string).collect();
            entries.join(if large { "," } else { "" })
        };
        self.indices().iter().map(name).collect()
    }

    /// Returns the multi-indices in lexicographic order.
    #[must_use]
    pub fn indices(&self) -> &[MultiIndex] {
        &self.indices
    }

    /// Returns the number of multi-indices; at least 2.
    #[must_use]
    pub fn len(&self) -> usize {
        self.indices.len()
    }

    /// Returns `true` if there are no multi-indices; never for a basis.
    #[must_use]
    pub fn is_empty(&self) -> bool {
        self.indices.is_empty()
    }

    /// Returns the position of a multi-index; `None` if it is not in the basis.
    #[must_use]
    pub fn position_of(&self, index: &[usize]) -> Option<usize> {
        self.positions.get(index).copied()
    }

    /// Returns the terms of the product rule: for every β ≤ α, the positions of β and `α − β`, and `C(α, β)`.
    pub fn product_splittings(&self, place: usize) -> impl Iterator<Item = (usize, usize, u128)> + '_ {
        let whole = &self.indices[place];
        self.indices.iter().enumerate().filter_map(move |(part, index)| {
            let rest: Option<MultiIndex> = whole.iter().zip(index).map(|(a, b)| a.checked_sub(*b)).collect();
            let rest = self.position_of(&rest?)?;
            let coefficient =
                whole.iter().zip(index).map(|(a, b)| binomial_coefficient(*a as u128, *b as u128)).product();
            Some((part, rest, coefficient))
        })
    }
}

/// Appends all extensions of a prefix by entries with a sum of at most `left`, in lexicographic order.
fn extend_indices(index: &mut MultiIndex, from: usize, left: usize, all: &mut Vec<MultiIndex>) {
    if from == index.len() {
        all.push(index.clone());
        return;
    }
    for entry in 0..=left {
        index[from] = entry;
        extend_indices(index, from + 1, left - entry, all);
    }
    index[from] = 0;
}

/// Returns R times the number of pairs β ≤ α with |α| ≤ R, which is `C(R + 2k, 2k)`. If that exceeds [`MAX_OPERATION_TERMS`], so does the
/// result.
fn term_bound(directions: usize, order: usize) -> u128 {
    let (k, r) = (directions as u128, order as u128);
    let mut count: u128 = 1;
    // iterate over the smaller of the two factorials
    let (small, large) = if 2 * k < r { (2 * k, r) } else { (r, 2 * k) };
    for i in 1..=small {
        // exact: after i factors the product is a binomial coefficient
        count = count.saturating_mul(large + i) / i;
        if count > MAX_OPERATION_TERMS {
            break;
        }
    }
    count.saturating_mul(r)
}

/// Returns `C(n, j)`. Orders are below 100, so this is below 2¹⁰⁰; products of such with a sum of n below 100 fit as well.
fn binomial_coefficient(n: u128, j: u128) -> u128 {
    (1..=j).fold(1, |count, i| count * (n - j + i) / i)
}
