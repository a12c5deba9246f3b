//! Square roots in normal forms.

use super::polynomial::AtomPolynomial;
use super::{RationalFunction, RationalNormalForm};
use crate::function::Function;
use crate::number::Rational;
use crate::smooth::graph::Graph;

/// Square factors p² of numbers under a square root are extracted for p below this. A choice: trial division, not
/// factorisation.
const SMALL: u32 = 100;

impl RationalNormalForm {
    /// Returns the normal form of a square root. A leading coefficient other than ±1 is extracted, so that multiples
    /// share one atom.
    pub(super) fn square_root(&mut self, of: &Graph, g: &Graph) -> Option<RationalFunction> {
        let RationalFunction { over, under } = self.normal_form(of)?;
        let under = under.as_constant().map(|divisor| over.times(&AtomPolynomial::constant(divisor.recip())));
        let whole = match under {
            Some(whole) => whole?,
            // the denominator varies, so its sign is unknown: √(a/b) is not √a/√b in general
            None => {
                let key = format!("{}({})", Function::Sqrt, self.text_key(of)?);
                return Some(self.intern_atom(key, g));
            }
        };
        let leading = whole.0.last_key_value().map(|(_, leading)| leading.clone().abs()).unwrap_or_default();
        if let Some(q) = whole.as_constant().filter(|q| *q >= 0) {
            return self.square_root_of_number(&q);
        }
        let own = whole.times(&AtomPolynomial::constant(leading.clone().recip()))?;
        let graph = match leading == 1 {
            true => g.clone(),
            false => Graph::function(
                Function::Sqrt,
                &RationalFunction::from_polynomial(own.clone()).write_graph(&self.graphs)?,
            ),
        };
        let root = self.atom_of_square(own, &graph);
        self.square_root_of_number(&leading)?.times(&root)
    }

    /// Returns an atom with this square, and records the relation if the atom is new.
    fn atom_of_square(&mut self, square: AtomPolynomial, graph: &Graph) -> RationalFunction {
        let known = self.graphs.len();
        let found = self.intern_atom(format!("{}({:?})", Function::Sqrt, square.0), graph);
        if self.graphs.len() > known {
            self.squares.push((known as u32, square));
        }
        found
    }

    /// Returns the normal form of √q for q ≥ 0: a rational multiple of the square root of an integer without small
    /// square factors.
    fn square_root_of_number(&mut self, q: &Rational) -> Option<RationalFunction> {
        // √(n/d) = √(n·d)/d
        let mut rest = q.numer().clone() * q.denom();
        let mut outside = Rational::from(1) / q.denom();
        for p in 2..SMALL {
            while rest != 0 && rest.is_divisible_u(p * p) {
                rest.div_exact_u_mut(p * p);
                outside *= p;
            }
        }
        if rest.is_perfect_square() {
            return Some(RationalFunction::from_polynomial(AtomPolynomial::constant(outside * rest.sqrt())));
        }
        let whole = Rational::from(rest);
        let graph = Graph::function(Function::Sqrt, &Graph::rational(whole.clone()));
        let root = self.atom_of_square(AtomPolynomial::constant(whole), &graph);
        root.times(&RationalFunction::from_polynomial(AtomPolynomial::constant(outside)))
    }
}
