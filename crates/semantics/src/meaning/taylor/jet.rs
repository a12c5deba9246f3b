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
//! For fixed k the number of steps is polynomial in R. [`faa_di_bruno`](super::faa_di_bruno) has the formula of the paper, with
//! as many terms as there are partitions. Both give the same functions.

use super::basis::Basis;
use super::block::{BlockValue, JetBlock};
use super::hooks::TaylorHooks;
use super::partial::SmoothOperation;
use crate::function::Function;
use crate::number::Rational;
use crate::syntax::constant::Constant;
use crate::syntax::name::Name;
use crate::syntax::term::Term;

/// Arithmetic on the jets over a basis, in a block.
#[derive(Debug)]
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
        let first = usize::from(*operation == SmoothOperation::Polygamma);
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
