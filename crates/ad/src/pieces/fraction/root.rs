//! Square roots in normal forms.

use super::polynomial::Polynomial;
use super::{Fraction, Normaliser};
use crate::function::Function;
use crate::number::Rational;
use crate::smooth::graph::Graph;

/// Square factors p² of numbers under a square root are extracted for p below this. A choice: trial division, not
/// factorisation.
const SMALL: u32 = 100;

impl Normaliser {
    /// Returns the normal form of a square root. A leading coefficient other than ±1 is extracted, so that multiples
    /// share one atom.
    pub(super) fn root(&mut self, of: &Graph, g: &Graph) -> Option<Fraction> {
        let Fraction { over, under } = self.fraction(of)?;
        let under = under.as_constant().map(|divisor| over.times(&Polynomial::constant(divisor.recip())));
        let whole = match under {
            Some(whole) => whole?,
            // the denominator varies, so its sign is unknown: √(a/b) is not √a/√b in general
            None => {
                let key = format!("{}({})", Function::Sqrt, self.key(of)?);
                return Some(self.atom(key, g));
            }
        };
        let leading = whole.0.last_key_value().map(|(_, leading)| leading.clone().abs()).unwrap_or_default();
        if let Some(q) = whole.as_constant().filter(|q| *q >= 0) {
            return self.root_of(&q);
        }
        let own = whole.times(&Polynomial::constant(leading.clone().recip()))?;
        let graph = match leading == 1 {
            true => g.clone(),
            false => Graph::function(Function::Sqrt, &Fraction::whole(own.clone()).written(&self.graphs)?),
        };
        let root = self.atom_of_square(own, &graph);
        self.root_of(&leading)?.times(&root)
    }

    /// Returns an atom with this square, and records the relation if the atom is new.
    fn atom_of_square(&mut self, square: Polynomial, graph: &Graph) -> Fraction {
        let known = self.graphs.len();
        let found = self.atom(format!("{}({:?})", Function::Sqrt, square.0), graph);
        if self.graphs.len() > known {
            self.squares.push((known as u32, square));
        }
        found
    }

    /// Returns the normal form of √q for q ≥ 0: a rational multiple of the square root of an integer without small
    /// square factors.
    fn root_of(&mut self, q: &Rational) -> Option<Fraction> {
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
            return Some(Fraction::whole(Polynomial::constant(outside * rest.sqrt())));
        }
        let whole = Rational::from(rest);
        let graph = Graph::function(Function::Sqrt, &Graph::rational(whole.clone()));
        let root = self.atom_of_square(Polynomial::constant(whole), &graph);
        root.times(&Fraction::whole(Polynomial::constant(outside)))
    }
}
