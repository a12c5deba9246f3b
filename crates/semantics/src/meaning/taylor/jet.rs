//! Operations on jets: the (k, R)-Taylor representations of operations, as programs (H §2.2, (3)).
//!
//! A jet is a tuple of numbers, one for each multi-index of a [`Basis`]. Jets are the elements of a truncated polynomial algebra,
//! written in derivatives instead of coefficients. Operations act on them by these rules:
//!
//! | operation | `h_α` |
//! |---|---|
//! | `x · y` | `Σ_{β ≤ α} C(α, β) x_β y_{α−β}` |
//! | `x / y` | `(x_α − Σ_{0 ≠ β ≤ α} C(α, β) y_β h_{α−β}) / y₀` |
//! | `g x` | the coordinates of `Σ_j g⁽ʲ⁾(x₀) (x − x₀)ʲ / j!`; of two arguments, of `Σ_β ∂_β g (x₀) (x − x₀)^β / β!` |
//!
//! For fixed k the number of steps is polynomial in R. [`faa_di_bruno`](super::jet) has the formula of the paper, with
//! as many terms as there are partitions. Both give the same functions.
//!
//! # Multi-indices
//!
//! The coordinates of a Taylor representation (H §2.2).
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
//!
//! # Faà di Bruno's formula for several variables
//!
//! Faà di Bruno's formula for several variables, as in H §3.2 (after Savits 2006): the reference for [`jet`](super::jet).
//!
//! For α ≠ 0, with α¹, …, α^q all the multi-indices ≤ α but 0 (E29: the superscript r on the factors, and n arguments),
//!
//! `D^α op = α! Σ_β ∂_β op (x₀) Σ_e Π_r Π_j (1/e^r_j!) (x^j_{α^r} / α^r!)^{e^r_j}`
//!
//! where e ranges over the matrices of natural numbers with `Σ_r (Σ_j e^r_j) α^r = α`, and `β_j = Σ_r e^r_j`. There is a
//! term for each way to write α as a sum of coloured multi-indices. So this is slow, but evidently the formula of the paper.

use super::block::{BlockValue, JetBlock};
use super::functor::TaylorHooks;
use super::partial::SmoothOperation;
use crate::function::Function;
use crate::number::Rational;
use crate::syntax::constant::Constant;
use crate::syntax::name::Name;
use crate::syntax::term::Term;
use rustc_hash::FxHashMap;

/// Arithmetic on the jets over a basis, in a block.
#[derive(Debug)]
#[doc(alias("dual numbers", "dual number"))]
pub struct JetBuilder<'b> {
    basis: &'b Basis,
    block: JetBlock,
    hooks: &'b dyn TaylorHooks,
}

/// The coordinates of a jet.
type JetCoordinates = Vec<BlockValue>;

impl<'b> JetBuilder<'b> {
    /// Builds the function on jets for an operation. It has as many arguments as the operation, preceded by the order if there is
    /// one.
    #[must_use]
    pub fn lift_operation(basis: &'b Basis, operation: &SmoothOperation, hooks: &'b dyn TaylorHooks) -> Term {
        let mut jets = Self { basis, block: JetBlock::default(), hooks };
        let first = usize::from(matches!(operation, SmoothOperation::Special(_)));
        let arity = first + operation.arity();
        let arguments: Vec<JetCoordinates> = (first..arity)
            .map(|argument| (0..basis.len()).map(|component| jets.block.input(argument, component)).collect())
            .collect();
        let result = jets.apply_operation(operation, &arguments);
        let result = jets.hooks.result_coordinates(&mut jets.block, result);
        let names = [Name::from("x"), Name::from("y")];
        jets.block.to_function(&names[..arity], basis.len(), &result)
    }

    /// Applies an operation to jets.
    fn apply_operation(&mut self, operation: &SmoothOperation, x: &[JetCoordinates]) -> JetCoordinates {
        match operation {
            SmoothOperation::Constant(Constant::Multiply) => self.multiply_jets(&x[0], &x[1]),
            SmoothOperation::Constant(Constant::Divide) => self.divide_jets(&x[0], &x[1]),
            // exp (y · log x)
            SmoothOperation::Constant(Constant::RealPower) => {
                let log = self.compose_taylor(&SmoothOperation::Constant(Constant::Elementary(Function::Log)), &x[..1]);
                let known = self.hooks.unknown_exponent(&mut self.block, x[1].clone());
                let exponent = self.multiply_jets(&known, &log);
                let mut power =
                    self.compose_taylor(&SmoothOperation::Constant(Constant::Elementary(Function::Exp)), &[exponent]);
                // the value itself is one call: exp of a rounded product would lose accuracy
                power[0] = self.block.call_constant(Constant::RealPower, &[x[0][0], x[1][0]]);
                power
            }
            SmoothOperation::Constant(Constant::Add | Constant::Subtract) => {
                let subtract = *operation == SmoothOperation::Constant(Constant::Subtract);
                let each = x[0].iter().zip(&x[1]);
                each.map(|(a, b)| if subtract { self.block.subtract(*a, *b) } else { self.block.add(*a, *b) }).collect()
            }
            _ => self.compose_taylor(operation, x),
        }
    }

    fn multiply_jets(&mut self, x: &[BlockValue], y: &[BlockValue]) -> JetCoordinates {
        (0..self.basis.len()).map(|place| self.product_coordinate(place, x, y)).collect()
    }

    /// Returns one coordinate of a product.
    fn product_coordinate(&mut self, place: usize, x: &[BlockValue], y: &[BlockValue]) -> BlockValue {
        let mut terms = Vec::new();
        for splitting in self.basis.product_splittings(place) {
            if let Some((coefficient, left, right)) = self.hooks.product_term(x, y, splitting) {
                let coefficient = self.block.rational(coefficient);
                let product = self.block.multiply(left, right);
                terms.push(self.block.multiply(coefficient, product));
            }
        }
        self.block.sum(&terms)
    }

    fn divide_jets(&mut self, x: &[BlockValue], y: &[BlockValue]) -> JetCoordinates {
        let mut quotient: JetCoordinates = Vec::with_capacity(x.len());
        for (place, coordinate) in x.iter().enumerate() {
            let mut terms = vec![*coordinate];
            // β = 0 is the unknown coordinate itself, solved for by the division by y₀
            for splitting in self.basis.product_splittings(place).filter(|(part, ..)| *part > 0) {
                if let Some((coefficient, left, right)) = self.hooks.product_term(y, &quotient, splitting) {
                    let coefficient = self.block.rational(-Rational::from(coefficient));
                    let product = self.block.multiply(left, right);
                    terms.push(self.block.multiply(coefficient, product));
                }
            }
            let numerator = self.block.sum(&terms);
            quotient.push(self.hooks.quotient_coordinate(&mut self.block, numerator, y[0]));
        }
        quotient
    }

    /// Applies g to jets by its Taylor series: `Σ_β ∂_β g (x₀) (x − x₀)^β / β!`, for one argument or two.
    fn compose_taylor(&mut self, g: &SmoothOperation, x: &[JetCoordinates]) -> JetCoordinates {
        let point: Vec<BlockValue> = x.iter().map(|x| x[0]).collect();
        let mut terms = vec![Vec::new(); self.basis.len()];
        terms[0].push(g.build_partial(&mut self.block, &vec![0; x.len()], &point));
        // the nilpotent parts vanish beyond this order, so the series is finite
        let highest = self.basis.order();
        let powers: Vec<Vec<JetCoordinates>> = x.iter().map(|x| self.nilpotent_powers(x, highest)).collect();
        for order in 1..=highest {
            let seconds = if x.len() == 1 { 0..=0 } else { 0..=order };
            for second in seconds {
                let beta = &[order - second, second][..x.len()];
                let factors: Vec<_> =
                    powers.iter().zip(beta).filter(|(_, n)| **n > 0).map(|(powers, n)| powers[n - 1].clone()).collect();
                let mut power = factors[0].clone();
                for factor in &factors[1..] {
                    power = self.multiply_jets(&power, factor);
                }
                let coefficient = self.hooks.taylor_coefficient(beta);
                let partial = self.hooks.partial_derivative(&mut self.block, g, beta, &point);
                for (place, coordinate) in power.iter().enumerate() {
                    let over = self.block.rational(coefficient.clone());
                    let scaled = self.block.multiply(over, *coordinate);
                    terms[place].push(self.block.multiply(partial, scaled));
                }
            }
        }
        terms.iter().map(|terms| self.block.sum(terms)).collect()
    }

    /// Returns (x − x₀)ⁿ for n = 1, …, `highest`.
    fn nilpotent_powers(&mut self, x: &[BlockValue], highest: usize) -> Vec<JetCoordinates> {
        let mut nilpotent = x.to_vec();
        nilpotent[0] = self.block.rational(0);
        let mut powers = vec![nilpotent.clone()];
        for _ in 1..highest {
            let next = self.multiply_jets(&powers[powers.len() - 1].clone(), &nilpotent);
            powers.push(next);
        }
        powers
    }
}

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
/// use smoothish_semantics::meaning::taylor::jet::{Basis, BasisError};
/// let basis = Basis::new(2, 2)?;
/// let names: Vec<String> = basis.indices().iter().map(|index| format!("{}{}", index[0], index[1])).collect();
/// assert_eq!(names, ["00", "01", "02", "10", "11", "20"]);
/// assert!(Basis::new(0, 1).is_err() && Basis::new(40, 40).is_err());
/// # Ok::<(), BasisError>(())
/// ```
#[derive(Clone, Debug)]
#[doc(alias = "Taylor approximation")]
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

/// Builds the function on jets for an operation, term by term.
#[must_use]
#[doc(alias("Faà di Bruno", "Faa di Bruno", "Savits"))]
pub fn lift_operation(basis: &Basis, operation: &SmoothOperation) -> Term {
    let mut block = JetBlock::default();
    let arity = operation.arity();
    let point: Vec<BlockValue> = (0..arity).map(|argument| block.input(argument, 0)).collect();
    let mut result = Vec::with_capacity(basis.len());
    for index in basis.indices() {
        // the formula is for α ≠ 0; the first coordinate is the value
        if index.iter().all(|entry| *entry == 0) {
            result.push(operation.build_value(&mut block, &point));
            continue;
        }
        let mut terms = Vec::new();
        for summand in formula_terms(basis, index, arity) {
            let mut factors = block.rational(1);
            for (place, argument, exponent) in &summand.powers {
                let coordinate = block.input(*argument, *place);
                let power = block.power(coordinate, *exponent);
                factors = block.multiply(factors, power);
            }
            let partial = operation.build_partial(&mut block, &summand.beta, &point);
            let coefficient = block.rational(summand.coefficient);
            let scaled = block.multiply(coefficient, factors);
            terms.push(block.multiply(partial, scaled));
        }
        result.push(block.sum(&terms));
    }
    let names = [Name::from("x"), Name::from("y")];
    block.to_function(&names[..arity], basis.len(), &result)
}

/// Returns the number of terms of the formula for one multi-index and `arity` arguments.
#[must_use]
pub fn count_terms(basis: &Basis, index: &[usize], arity: usize) -> usize {
    exponent_matrices(basis, index, arity).len()
}

/// A term of the formula: `coefficient · ∂_β op (x₀) · Π (x^j_{α^r})^{e^r_j}`, without the partial derivative.
#[derive(Clone, Debug)]
pub struct FaaDiBrunoTerm {
    /// `α! Π 1/(e^r_j! (α^r!)^{e^r_j})`
    pub coefficient: Rational,
    /// β, the order of the partial derivative in each argument of the operation.
    pub beta: Vec<usize>,
    /// The exponents e^r_j ≠ 0, as (position of α^r in the basis, j, e^r_j).
    pub powers: Vec<(usize, usize, usize)>,
}

/// Returns the terms of the formula for a multi-index α ≠ 0 and `arity` arguments.
///
/// For α = 0 it returns one term with β = 0 and no powers, the value.
#[must_use]
pub fn formula_terms(basis: &Basis, index: &[usize], arity: usize) -> Vec<FaaDiBrunoTerm> {
    let summand = |exponents: ExponentMatrix| {
        let mut coefficient = multi_factorial(index);
        for (place, _, exponent) in &exponents.entries {
            coefficient /= multi_factorial(&[*exponent]);
            let below = multi_factorial(&basis.indices()[*place]);
            for _ in 0..*exponent {
                coefficient /= &below;
            }
        }
        FaaDiBrunoTerm { coefficient, beta: exponents.beta, powers: exponents.entries }
    };
    exponent_matrices(basis, index, arity).into_iter().map(summand).collect()
}

/// The entries ≠ 0 of one matrix e, as (position of α^r, j, e^r_j), with its β.
#[derive(Clone, Debug)]
struct ExponentMatrix {
    entries: Vec<(usize, usize, usize)>,
    beta: Vec<usize>,
}

/// Returns all matrices e for α.
fn exponent_matrices(basis: &Basis, index: &[usize], arity: usize) -> Vec<ExponentMatrix> {
    let below: Vec<usize> = (1..basis.len()).filter(|place| is_at_most(&basis.indices()[*place], index)).collect();
    let cells: Vec<(usize, usize)> = below.iter().flat_map(|place| (0..arity).map(|j| (*place, j))).collect();
    let mut found = Vec::new();
    let start = ExponentMatrix { entries: Vec::new(), beta: vec![0; arity] };
    extend_choice(basis, &cells, index.to_vec(), start, &mut found);
    found
}

/// Extends a choice for the previous cells, where `left` of α remains to be written as a sum.
fn extend_choice(
    basis: &Basis,
    cells: &[(usize, usize)],
    left: MultiIndex,
    chosen: ExponentMatrix,
    found: &mut Vec<ExponentMatrix>,
) {
    let Some((&(place, argument), rest)) = cells.split_first() else {
        if left.iter().all(|entry| *entry == 0) {
            found.push(chosen);
        }
        return;
    };
    let step = &basis.indices()[place];
    // exponent 0 for this cell, then 1, 2, … as long as the multi-index fits
    extend_choice(basis, rest, left.clone(), chosen.clone(), found);
    let mut left = left;
    for exponent in 1.. {
        if !is_at_most(step, &left) {
            return;
        }
        left.iter_mut().zip(step).for_each(|(left, step)| *left -= step);
        let mut chosen = chosen.clone();
        chosen.entries.push((place, argument, exponent));
        chosen.beta[argument] += exponent;
        extend_choice(basis, rest, left.clone(), chosen, found);
    }
}

fn is_at_most(small: &[usize], large: &[usize]) -> bool {
    small.iter().zip(large).all(|(a, b)| a <= b)
}

/// Returns α!.
fn multi_factorial(index: &[usize]) -> Rational {
    index.iter().flat_map(|entry| 1..=*entry).fold(Rational::from(1), |product, i| product * i as u64)
}
