//! Random quotients, powers and elementary functions, with arguments in their domains.

use super::{TermGenerator, TermVocabulary};
use crate::function::{DomainEnd, Function, Monotonicity, Planar};
use crate::law::term::{TermHead, TestTerm};
use crate::number::Rational;
use crate::syntax::constant::Constant;
use crate::syntax::ty::{Ty, TyKind};

impl TermGenerator {
    /// Draws a quotient; mostly the denominator is `1 + e²`, which has no zero.
    pub(super) fn draw_quotient(&mut self, size: usize) -> TestTerm {
        let [a, b] = self.split_size(size);
        let (a, b) = (self.draw_real(a), self.draw_real(b));
        let b = if self.vocabulary != TermVocabulary::Full || self.random.random_bool(60) {
            Self::one_plus(Self::square_of(b))
        } else {
            b
        };
        TestTerm::real_operation(Constant::Divide, vec![a, b])
    }

    /// Draws a power with a constant exponent; exponents other than natural numbers in the full vocabulary alone.
    pub(super) fn draw_power(&mut self, size: usize) -> TestTerm {
        let part = self.draw_real(size - 1);
        let full = usize::from(self.vocabulary == TermVocabulary::Full);
        let exponent = match self.random.pick_weighted(&[(8, 0), (full, 1), (2 * full, 2)]) {
            // a choice: squares are the most frequent; the exponents 0 and 1 are edge cases
            0 => Rational::from(*self.random.pick(&[2, 2, 2, 3, 3, 4, 5, 1, 0])),
            1 => Rational::from(*self.random.pick(&[-1, -2, -3])),
            _ => Rational::from(*self.random.pick(&[(1, 2), (1, 3), (2, 3), (3, 2), (-1, 2), (4, 3)])),
        };
        TestTerm::new(TermHead::Power(exponent), Ty::real(), vec![part])
    }

    /// Draws an elementary function of one or two variables.
    pub(super) fn draw_elementary(&mut self, size: usize) -> TestTerm {
        let vocabulary = self.vocabulary;
        let functions = Function::ALL.iter().copied().map(Constant::Elementary).chain([Constant::Sigmoid]);
        let allowed = functions.filter(|constant| vocabulary.allows_constant(*constant));
        // binary functions get a guarded argument in every vocabulary, so none of them is excluded
        let all: Vec<_> = allowed.chain(Planar::ALL.iter().copied().map(Constant::Planar)).collect();
        // polygamma is defined on positive arguments: 1 + e² is one
        if vocabulary.allows_constant(Constant::Polygamma) && self.random.random_bool(4) {
            let order =
                TestTerm::new(TermHead::Nat(self.random.next_below(4) as u64), Ty::new(TyKind::Nat), Vec::new());
            let part = self.draw_real(size - 1);
            return TestTerm::real_operation(Constant::Polygamma, vec![order, Self::one_plus(Self::square_of(part))]);
        }
        let constant = *self.random.pick(&all);
        if let Constant::Planar(function) = constant {
            return self.draw_binary_function(function, size);
        }
        let part = self.draw_real(size - 1);
        let part = match constant {
            Constant::Elementary(f) if self.vocabulary != TermVocabulary::Full || self.random.random_bool(75) => {
                self.guard_argument(f, part)
            }
            _ => part,
        };
        TestTerm::real_operation(constant, vec![part])
    }

    /// Draws a function of two numbers, mostly on the right half-plane, where the angle is smooth.
    pub(super) fn draw_binary_function(&mut self, function: Planar, size: usize) -> TestTerm {
        let [a, b] = self.split_size(size);
        let (a, b) = (self.draw_real(a), self.draw_real(b));
        let guarded = self.vocabulary != TermVocabulary::Full || self.random.random_bool(60);
        let b = if guarded { Self::one_plus(Self::square_of(b)) } else { b };
        TestTerm::real_operation(function.into(), vec![a, b])
    }

    /// Transforms an argument so that it lies in the domain of `f`; in the vocabulary `Derivable`, in the interior of
    /// it.
    pub(super) fn guard_argument(&mut self, f: Function, part: TestTerm) -> TestTerm {
        let of = |f: Function, part: TestTerm| TestTerm::real_operation(f.into(), vec![part]);
        let above = |edge: i8, part: TestTerm| match edge {
            0 => part,
            edge => TestTerm::real_operation(Constant::Add, vec![TestTerm::real_literal(edge), part]),
        };
        let magnitude = |part: TestTerm| TestTerm::real_operation(Constant::Abs, vec![part]);
        let derivable = self.vocabulary == TermVocabulary::Derivable;
        let row = f.row();
        match (row.domain.left, row.domain.right) {
            // squares are smooth and magnitudes have a kink, so derivable terms use squares
            (DomainEnd::Open(edge) | DomainEnd::Closed(edge), DomainEnd::None) if derivable => {
                above(edge + 1, Self::square_of(part))
            }
            (DomainEnd::Open(edge), DomainEnd::None) => above(edge + 1, magnitude(part)),
            (DomainEnd::Closed(edge), DomainEnd::None) => match self.random.next_below(3) {
                0 => above(edge, magnitude(part)),
                1 => above(edge, Self::square_of(part)),
                _ => above(edge + 1, Self::square_of(part)),
            },
            // asin and acos have infinite slopes at ±1; sin (sin x) stays away from both
            (DomainEnd::Closed(_), _) if derivable => of(Function::Sin, of(Function::Sin, part)),
            (DomainEnd::Closed(_), _) => of(Function::Sin, part),
            (DomainEnd::Open(_), _) => of(Function::Tanh, part),
            // log Γ and its derivatives are smooth on (0, ∞)
            _ if f.derivative_function().is_some() => Self::one_plus(Self::square_of(part)),
            // sin x lies in [−1, 1], between the poles next to 0
            _ if row.monotonicity == Monotonicity::Poles => of(Function::Sin, part),
            _ if derivable && !f.is_smooth() => Self::one_plus(Self::square_of(part)),
            // nested exponentials would exceed every exponent range
            _ if row.outgrows_powers && (self.vocabulary != TermVocabulary::Full || self.random.random_bool(50)) => {
                of(Function::Atan, part)
            }
            _ => part,
        }
    }
}
