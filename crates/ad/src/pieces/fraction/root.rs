//! Square roots in normal forms.

use super::polynomial::Polynomial;
use super::{Fraction, Normaliser};
use crate::function::Function;
use crate::number::Rational;
use crate::smooth::graph::Graph;

/// Factors of numbers under a square root are looked for below this.
const SMALL: u32 = 100;

impl Normaliser {
    /// A square root: that of a polynomial is that of one with a leading coefficient of 1 or -1, times that of a number.
    pub(super) fn root(&mut self, of: &Graph, g: &Graph) -> Option<Fraction> {
        let Fraction { over, under } = self.fraction(of)?;
        let under = under.as_constant().map(|divisor| over.times(&Polynomial::constant(divisor.recip())));
        let whole = match under {
            Some(whole) => whole?,
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

    /// An atom with this square.
    fn atom_of_square(&mut self, square: Polynomial, graph: &Graph) -> Fraction {
        let known = self.graphs.len();
        let found = self.atom(format!("{}({:?})", Function::Sqrt, square.0), graph);
        if self.graphs.len() > known {
            self.squares.push((known as u32, square));
        }
        found
    }

    /// The square root of a number, which is not negative: a rational multiple of that of a whole one without small square factors.
    fn root_of(&mut self, q: &Rational) -> Option<Fraction> {
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
