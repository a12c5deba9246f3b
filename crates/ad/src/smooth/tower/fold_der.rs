//! foldDer and ′, the two halves of a tower (S §4.3, §4.3.3, §4.3.4).

use super::error::check_dimension;
use super::{DerivativeTable, EnclosureVector, LinearMap, Tower, TowerError, TowerOperand, TowerRule};
use crate::number::context::Context;
use crate::stack::with_stack;
use std::cell::Cell;
use std::sync::OnceLock;

/// The rule of `foldDer(f, g)`.
struct FoldDer<C: Context, F> {
    /// f
    value: F,
    /// g
    derivative: Tower<C>,
}

impl<C: Context, F> FoldDer<C, F> {
    /// Calls `ask` with the point and the directions of g: `(x, v₁)`; `(v₂, 0), …, (v_k, 0)`.
    fn with_lifted_directions<T>(
        context: &C,
        x: &[C::Num],
        first: &[C::Num],
        others: &[&[C::Num]],
        ask: impl FnOnce(&[C::Num], &[&[C::Num]]) -> T,
    ) -> T {
        let zero = vec![context.enclose_integer(0); x.len()];
        let others: Vec<_> = others.iter().map(|v| [*v, &zero].concat()).collect();
        ask(&[x, first].concat(), &others.iter().map(Vec::as_slice).collect::<Vec<_>>())
    }
}

impl<C: Context, F: Fn(&C, &[C::Num]) -> Result<EnclosureVector<C>, TowerError> + Send + Sync> TowerRule<C>
    for FoldDer<C, F>
{
    fn derivative_along(
        &self,
        context: &C,
        x: &[C::Num],
        directions: &[&[C::Num]],
    ) -> Result<EnclosureVector<C>, TowerError> {
        match directions {
            [] => (self.value)(context, x),
            [first, others @ ..] => Self::with_lifted_directions(context, x, first, others, |x, others| {
                self.derivative.evaluate(context, x, others)
            }),
        }
    }

    fn derivative_table(
        &self,
        context: &C,
        x: &[C::Num],
        directions: &[&[C::Num]],
    ) -> Result<DerivativeTable<C>, TowerError> {
        // Each set of directions is computed with its least element as the first direction.
        let mut table = vec![Vec::new(); 1 << directions.len()];
        table[0] = (self.value)(context, x)?;
        for (least, first) in directions.iter().enumerate() {
            let others = &directions[least + 1..];
            let rest = Self::with_lifted_directions(context, x, first, others, |x, others| {
                self.derivative.derivative_table(context, x, others)
            })?;
            for (set, result) in rest.into_iter().enumerate() {
                // `set` is a set of the directions behind `least`.
                table[(set << 1 | 1) << least] = result;
            }
        }
        Ok(table)
    }
}

/// The nesting depth of lazy towers in one evaluation, at most. A choice: a productive tower is as deep as the order of the
/// derivative times the depth of the definitions.
const DEEPEST: u32 = 2000;

thread_local! {
    /// The nesting depth of lazy towers on this thread.
    static DEPTH: Cell<u32> = const { Cell::new(0) };
}

/// The rule of a tower that is built at its first evaluation.
struct LazyTower<C: Context, F> {
    build: F,
    built: OnceLock<Result<Tower<C>, TowerError>>,
}

impl<C: Context, F: Fn() -> Result<Tower<C>, TowerError>> LazyTower<C, F> {
    /// Builds the tower, if necessary, and passes it to `question`.
    ///
    /// # Errors
    /// [`TowerError::Unproductive`] if lazy towers are nested deeper than [`DEEPEST`], those of building, and those of
    /// `question`.
    fn with_built<T>(&self, question: impl FnOnce(&Tower<C>) -> Result<T, TowerError>) -> Result<T, TowerError> {
        let depth = DEPTH.get();
        if depth >= DEEPEST {
            return Err(TowerError::Unproductive);
        }
        DEPTH.set(depth + 1);
        let answer = with_stack(|| question(self.built.get_or_init(&self.build).as_ref().map_err(Clone::clone)?));
        DEPTH.set(depth);
        answer
    }
}

impl<C: Context, F: Fn() -> Result<Tower<C>, TowerError> + Send + Sync> TowerRule<C> for LazyTower<C, F> {
    fn derivative_along(
        &self,
        context: &C,
        x: &[C::Num],
        directions: &[&[C::Num]],
    ) -> Result<EnclosureVector<C>, TowerError> {
        self.with_built(|f| f.evaluate(context, x, directions))
    }

    fn derivative_table(
        &self,
        context: &C,
        x: &[C::Num],
        directions: &[&[C::Num]],
    ) -> Result<DerivativeTable<C>, TowerError> {
        self.with_built(|f| f.derivative_table(context, x, directions))
    }
}

/// The rule of `f′`.
struct Prime<C: Context>(Tower<C>);

impl<C: Context> TowerRule<C> for Prime<C> {
    fn derivative_along(
        &self,
        context: &C,
        x: &[C::Num],
        directions: &[&[C::Num]],
    ) -> Result<EnclosureVector<C>, TowerError> {
        let f = &self.0;
        let (x, v) = x.split_at(f.inputs);
        let moved: Vec<_> = directions.iter().map(|d| d.split_at(f.inputs)).collect();
        let points: Vec<_> = moved.iter().map(|(dx, _)| *dx).collect();
        let mut along = vec![v];
        along.extend(&points);
        // The chain rule in x and v: f⁽ᵏ⁺¹⁾ along v and all dx, plus f⁽ᵏ⁾ with one dx replaced by its dv.
        let mut sum = f.evaluate(context, x, &along)?;
        for (j, (_, dv)) in moved.iter().enumerate() {
            let mut along = points.clone();
            along[j] = dv;
            let term = f.evaluate(context, x, &along)?;
            sum = sum.iter().zip(&term).map(|(a, b)| context.add(a, b)).collect();
        }
        // f′ is a derivative itself, so its value needs the neighbourhood that f⁽¹⁾ needs.
        f.require_neighbourhood(context, x, &[v], sum)
    }
}

impl<C: Context> Tower<C> {
    /// Returns `foldDer(f, g) : A ⇝ B` for `f : A → B` and `g : A × A ⇝ B` (S §4.3):
    /// `f` at order 0, and `(x; v₁, …, v_{k+1}) ↦ g⁽ᵏ⁾((x, v₁); (v₂, 0), …, (v_{k+1}, 0))` at order k + 1.
    ///
    /// The analogue of `cons` for streams. A map that occurs in its own derivative is made by [`Tower::lazy`].
    ///
    /// # Errors
    /// [`TowerError::Dimension`] when the domain of g is not of the form A × A. A value of the wrong dimension is found
    /// when it is computed.
    pub fn fold_der(
        value: impl Fn(&C, &[C::Num]) -> Result<EnclosureVector<C>, TowerError> + Send + Sync + 'static,
        derivative: &Self,
    ) -> Result<Self, TowerError> {
        let inputs = derivative.inputs / 2;
        check_dimension(TowerOperand::Derivative, 2 * inputs, derivative.inputs)?;
        let rule = FoldDer { value, derivative: derivative.clone() };
        Ok(Self::new(inputs, derivative.outputs, rule))
    }

    /// Returns a tower that is built at its first evaluation, and then kept.
    ///
    /// This makes self-reference well-founded, as the tail of a lazy stream does (S §4.3.1). The dimensions are those of
    /// the tower to be built. A tower that is defined as itself, with no `foldDer` in between, fails at evaluation with
    /// [`TowerError::Unproductive`].
    pub fn lazy(
        inputs: usize,
        outputs: usize,
        build: impl Fn() -> Result<Self, TowerError> + Send + Sync + 'static,
    ) -> Self {
        let checked = move || {
            let built = build()?;
            check_dimension(TowerOperand::Domains, inputs, built.inputs)?;
            check_dimension(TowerOperand::Codomains, outputs, built.outputs)?;
            Ok(built)
        };
        Self::new(inputs, outputs, LazyTower { build: checked, built: OnceLock::new() })
    }

    /// Returns the value `f⁽⁰⁾ : A → B`, in the form that [`Tower::fold_der`] takes.
    pub fn value_map(
        &self,
    ) -> impl Fn(&C, &[C::Num]) -> Result<EnclosureVector<C>, TowerError> + Send + Sync + 'static {
        let f = self.clone();
        move |context, x| f.evaluate(context, x, &[])
    }

    /// Returns the derivative `f′ : A × A ⇝ B`, `(x, v) ↦ f⁽¹⁾(x; v)`, with all its own derivatives (S §4.3.3):
    /// `f′⁽ᵏ⁾((x, v); (dx_i, dv_i)_i) = f⁽ᵏ⁺¹⁾(x; v, dx₁, …, dx_k) + Σ_j f⁽ᵏ⁾(x; dx₁, …, dv_j, …, dx_k)`.
    ///
    /// `fold_der(f.value_map(), f.prime())` is f; `fold_der(f, g).prime()` is g only where g is linear in v (S §4.3.4).
    #[must_use]
    pub fn prime(&self) -> Self {
        Self::new(2 * self.inputs, self.outputs, Prime(self.clone()))
    }

    /// Returns the tangent map `A × A ⇝ B × B`, `(x, v) ↦ (f(x), f′(x, v))`.
    #[must_use]
    pub fn with_derivative(&self) -> Self {
        let (n, f) = (self.inputs, self.clone());
        Self::lazy(2 * n, 2 * self.outputs, move || f.after_linear(&LinearMap::select(2 * n, 0..n))?.pair(&f.prime()))
    }
}
