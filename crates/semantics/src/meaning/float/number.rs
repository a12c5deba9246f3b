//! Floating-point numbers with derivatives: dual numbers, nested and tagged.
//!
//! A number is an `f64`, or `a + b·ε` with ε² = 0 for one of many ε, which tags distinguish. Every derivative that is taken has
//! an ε of its own, so a derivative inside another does not confuse their perturbations. The representation is canonical: the ε
//! with the largest tag is outermost. ε may be nested to any depth, so whatever traverses them all, dropping included, runs on a
//! growing stack.

use crate::stack::deep;
use std::sync::Arc;

/// The name of an ε.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Tag(pub u64);

/// An `f64` with derivatives. See the [module](self).
#[derive(Clone, Debug)]
pub enum Number {
    /// A number without derivatives.
    Plain(f64),
    /// A dual number `value + slope·ε`.
    Dual(Arc<Dual>),
}

/// A dual number `value + slope·ε`.
#[derive(Clone, Debug)]
pub struct Dual {
    tag: Tag,
    value: Number,
    slope: Number,
}

impl Drop for Dual {
    fn drop(&mut self) {
        // only if a part is a dual number itself: the common case needs no growing stack
        let parts = [&mut self.value, &mut self.slope].map(|part| std::mem::replace(part, Number::ZERO));
        if parts.iter().any(|part| matches!(part, Number::Dual(_))) {
            deep(|| drop(parts));
        }
    }
}

impl Number {
    pub(super) const ZERO: Self = Number::Plain(0.0);
    pub(super) const ONE: Self = Number::Plain(1.0);

    /// Returns the number without any ε.
    #[must_use]
    pub fn value(&self) -> f64 {
        let mut here = self;
        while let Number::Dual(dual) = here {
            here = &dual.value;
        }
        match here {
            Number::Plain(x) => *x,
            Number::Dual(_) => f64::NAN,
        }
    }

    /// Returns the tag of the outermost ε; `None` if there is no ε.
    pub(super) fn tag(&self) -> Option<Tag> {
        match self {
            Number::Plain(_) => None,
            Number::Dual(dual) => Some(dual.tag),
        }
    }

    /// Splits `a + b·ε` into `(a, b)`. The number must have no larger tag.
    pub(super) fn split(&self, tag: Tag) -> (Number, Number) {
        match self {
            Number::Dual(dual) if dual.tag == tag => (dual.value.clone(), dual.slope.clone()),
            _ => (self.clone(), Self::ZERO),
        }
    }

    /// Builds `value + slope·ε`. Neither may have an ε with this or a larger tag.
    pub(super) fn dual(tag: Tag, value: Number, slope: Number) -> Number {
        Number::Dual(Arc::new(Dual { tag, value, slope }))
    }

    /// Builds `value + slope·ε` from any two numbers, in canonical form.
    pub(super) fn attach(tag: Tag, value: &Number, slope: &Number) -> Number {
        match value.tag().max(slope.tag()) {
            // a larger tag has to stay outermost: attach inside both of its parts
            Some(outer) if outer > tag => {
                let ((a, b), (c, d)) = (value.split(outer), slope.split(outer));
                deep(|| Number::dual(outer, Number::attach(tag, &a, &c), Number::attach(tag, &b, &d)))
            }
            // (a + b·ε) + (c + d·ε)·ε = a + (b + c)·ε, since ε² = 0
            Some(outer) if outer == tag => {
                let ((a, b), (c, _)) = (value.split(tag), slope.split(tag));
                Number::dual(tag, a, Number::plus(&b, &c))
            }
            _ => Number::dual(tag, value.clone(), slope.clone()),
        }
    }

    /// Returns the sum, rounded to nearest. It is exempt from the perturbation of [`Float`](super::Float).
    fn plus(a: &Number, b: &Number) -> Number {
        match (a, b) {
            (Number::Plain(x), Number::Plain(y)) => Number::Plain(x + y),
            _ => match a.tag().max(b.tag()) {
                Some(tag) => {
                    let ((a, c), (b, d)) = (a.split(tag), b.split(tag));
                    deep(|| Number::dual(tag, Number::plus(&a, &b), Number::plus(&c, &d)))
                }
                None => Number::Plain(f64::NAN),
            },
        }
    }

    /// Replaces an ε by another one, or removes it if `by` is `None`.
    pub(super) fn replaced(&self, tag: Tag, by: Option<Tag>) -> Number {
        match self {
            Number::Dual(dual) if dual.tag == tag => match by {
                Some(by) => Number::attach(by, &dual.value, &dual.slope),
                None => dual.value.clone(),
            },
            Number::Dual(dual) if dual.tag > tag => {
                deep(|| Number::attach(dual.tag, &dual.value.replaced(tag, by), &dual.slope.replaced(tag, by)))
            }
            _ => self.clone(),
        }
    }

    /// Returns the coefficient of an ε; 0 if the number does not have it.
    pub(super) fn slope(&self, tag: Tag) -> Number {
        match self {
            Number::Dual(dual) if dual.tag == tag => dual.slope.clone(),
            Number::Dual(dual) if dual.tag > tag => {
                deep(|| Number::attach(dual.tag, &dual.value.slope(tag), &dual.slope.slope(tag)))
            }
            _ => Self::ZERO,
        }
    }

    /// Replaces the part without ε by 0.
    pub(super) fn infinitesimal(&self) -> Number {
        match self {
            Number::Plain(_) => Self::ZERO,
            Number::Dual(dual) => deep(|| Number::dual(dual.tag, dual.value.infinitesimal(), dual.slope.clone())),
        }
    }

    /// Returns the number of nested ε in the value parts; slopes are not counted. Its power of two estimates the number of
    /// coefficients.
    pub(super) fn levels(&self) -> u32 {
        let (mut levels, mut here) = (0, self);
        while let Number::Dual(dual) = here {
            levels += 1;
            here = &dual.value;
        }
        levels
    }

    /// Returns the nesting depth of ε, in value and slope parts.
    pub(super) fn depth(&self) -> u32 {
        match self {
            Number::Plain(_) => 0,
            Number::Dual(dual) => deep(|| 1 + dual.value.depth().max(dual.slope.depth())),
        }
    }

    /// Returns the largest absolute value among the coefficients; NaN if one is NaN.
    pub(super) fn largest(&self) -> f64 {
        match self {
            Number::Plain(x) => x.abs(),
            Number::Dual(dual) => {
                let (a, b) = deep(|| (dual.value.largest(), dual.slope.largest()));
                // NaN in either part wins: `a >= b` is false for a NaN b, which is then returned
                if a >= b || a.is_nan() { a } else { b }
            }
        }
    }
}
