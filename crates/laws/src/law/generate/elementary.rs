//! Random quotients, powers and elementary functions, with arguments in their domains.

use super::{Generator, Vocabulary};
use crate::function::{Course, Edge, Function, Planar};
use crate::law::term::{Head, Term};
use crate::number::Rational;
use crate::syntax::constant::Constant;
use crate::syntax::ty::{Ty, TyKind};

impl Generator {
    /// Draws a quotient; mostly the denominator is `1 + e²`, which has no zero.
    pub(super) fn quotient(&mut self, size: usize) -> Term {
        let [a, b] = self.split(size);
        let (a, b) = (self.real(a), self.real(b));
        let b = if self.vocabulary != Vocabulary::Full || self.random.chance(60) {
            Self::one_plus(Self::squared(b))
        } else {
            b
        };
        Term::operation(Constant::Divide, vec![a, b])
    }

    /// Draws a power with a constant exponent; exponents other than natural numbers in the full vocabulary alone.
    pub(super) fn power(&mut self, size: usize) -> Term {
        let part = self.real(size - 1);
        let full = usize::from(self.vocabulary == Vocabulary::Full);
        let exponent = match self.random.weighted(&[(8, 0), (full, 1), (2 * full, 2)]) {
            // a choice: squares are the most frequent; the exponents 0 and 1 are edge cases
            0 => Rational::from(*self.random.pick(&[2, 2, 2, 3, 3, 4, 5, 1, 0])),
            1 => Rational::from(*self.random.pick(&[-1, -2, -3])),
            _ => Rational::from(*self.random.pick(&[(1, 2), (1, 3), (2, 3), (3, 2), (-1, 2), (4, 3)])),
        };
        Term::new(Head::Power(exponent), Ty::real(), vec![part])
    }

    /// Draws an elementary function of one or two variables.
    pub(super) fn elementary(&mut self, size: usize) -> Term {
        let vocabulary = self.vocabulary;
        let functions = Function::ALL.iter().copied().map(Constant::Elementary).chain([Constant::Sigmoid]);
        let allowed = functions.filter(|constant| vocabulary.allows(*constant));
        // binary functions get a guarded argument in every vocabulary, so none of them is excluded
        let all: Vec<_> = allowed.chain(Planar::ALL.iter().copied().map(Constant::Planar)).collect();
        // polygamma is defined on positive arguments: 1 + e² is one
        if vocabulary.allows(Constant::Polygamma) && self.random.chance(4) {
            let order = Term::new(Head::Nat(self.random.below(4) as u64), Ty::new(TyKind::Nat), Vec::new());
            let part = self.real(size - 1);
            return Term::operation(Constant::Polygamma, vec![order, Self::one_plus(Self::squared(part))]);
        }
        let constant = *self.random.pick(&all);
        if let Constant::Planar(function) = constant {
            return self.planar(function, size);
        }
        let part = self.real(size - 1);
        let part = match constant {
            Constant::Elementary(f) if self.vocabulary != Vocabulary::Full || self.random.chance(75) => {
                self.guarded(f, part)
            }
            _ => part,
        };
        Term::operation(constant, vec![part])
    }

    /// Draws a function of two numbers, mostly on the right half-plane, where the angle is smooth.
    pub(super) fn planar(&mut self, function: Planar, size: usize) -> Term {
        let [a, b] = self.split(size);
        let (a, b) = (self.real(a), self.real(b));
        let guarded = self.vocabulary != Vocabulary::Full || self.random.chance(60);
        let b = if guarded { Self::one_plus(Self::squared(b)) } else { b };
        Term::operation(function.into(), vec![a, b])
    }

    /// Transforms an argument so that it lies in the domain of `f`; in the vocabulary `Derivable`, in the interior of
    /// it.
    pub(super) fn guarded(&mut self, f: Function, part: Term) -> Term {
        let of = |f: Function, part: Term| Term::operation(f.into(), vec![part]);
        let above = |edge: i8, part: Term| match edge {
            0 => part,
            edge => Term::operation(Constant::Add, vec![Term::real(edge), part]),
        };
        let magnitude = |part: Term| Term::operation(Constant::Abs, vec![part]);
        let derivable = self.vocabulary == Vocabulary::Derivable;
        let row = f.row();
        match (row.domain.left, row.domain.right) {
            // squares are smooth and magnitudes have a kink, so derivable terms use squares
            (Edge::Open(edge) | Edge::Closed(edge), Edge::None) if derivable => above(edge + 1, Self::squared(part)),
            (Edge::Open(edge), Edge::None) => above(edge + 1, magnitude(part)),
            (Edge::Closed(edge), Edge::None) => match self.random.below(3) {
                0 => above(edge, magnitude(part)),
                1 => above(edge, Self::squared(part)),
                _ => above(edge + 1, Self::squared(part)),
            },
            // asin and acos have infinite slopes at ±1; sin (sin x) stays away from both
            (Edge::Closed(_), _) if derivable => of(Function::Sin, of(Function::Sin, part)),
            (Edge::Closed(_), _) => of(Function::Sin, part),
            (Edge::Open(_), _) => of(Function::Tanh, part),
            // log Γ and its derivatives are smooth on (0, ∞)
            _ if f.raised().is_some() => Self::one_plus(Self::squared(part)),
            // sin x lies in [−1, 1], between the poles next to 0
            _ if row.course == Course::Poles => of(Function::Sin, part),
            _ if derivable && !f.is_smooth() => Self::one_plus(Self::squared(part)),
            // nested exponentials would exceed every exponent range
            _ if row.grows && (self.vocabulary != Vocabulary::Full || self.random.chance(50)) => {
                of(Function::Atan, part)
            }
            _ => part,
        }
    }
}
