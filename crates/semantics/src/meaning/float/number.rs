//! Floating-point numbers with derivatives: dual numbers, nested and tagged.
//!
//! A number is an `f64`, or `a + b·ε` with ε² = 0 for one of many ε, told apart by tags. Every derivative that is taken
//! has an ε of its own, so one derivative inside another does not take the other's perturbation for its own. The
//! representation is canonical: the ε with the largest tag is outermost. There may be any number of them, so what goes
//! through all of them, the drop of a number included, does so on a stack that grows.

use crate::stack::deep;
use std::sync::Arc;

/// The name of an ε.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Tag(pub u64);

/// An `f64` with derivatives. See the [module](self).
#[derive(Clone, Debug)]
pub enum Number {
    /// A number that nothing is differentiated by.
    Plain(f64),
    /// `value + slope·ε`
    Dual(Arc<Dual>),
}

/// `value + slope·ε`
#[derive(Clone, Debug)]
pub struct Dual {
    tag: Tag,
    value: Number,
    slope: Number,
}

impl Drop for Dual {
    fn drop(&mut self) {
        let parts = [&mut self.value, &mut self.slope].map(|part| std::mem::replace(part, Number::ZERO));
        if parts.iter().any(|part| matches!(part, Number::Dual(_))) {
            deep(|| drop(parts));
        }
    }
}

impl Number {
    pub(super) const ZERO: Self = Number::Plain(0.0);
    pub(super) const ONE: Self = Number::Plain(1.0);

    /// The number without any ε.
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

    /// The outermost ε.
    pub(super) fn tag(&self) -> Option<Tag> {
        match self {
            Number::Plain(_) => None,
            Number::Dual(dual) => Some(dual.tag),
        }
    }

    /// `(a, b)` of `a + b·ε`, where no larger tag is in the number.
    pub(super) fn split(&self, tag: Tag) -> (Number, Number) {
        match self {
            Number::Dual(dual) if dual.tag == tag => (dual.value.clone(), dual.slope.clone()),
            _ => (self.clone(), Self::ZERO),
        }
    }

    /// `value + slope·ε`, where neither has an ε with this or a larger tag.
    pub(super) fn dual(tag: Tag, value: Number, slope: Number) -> Number {
        Number::Dual(Arc::new(Dual { tag, value, slope }))
    }

    /// `value + slope·ε` for any two numbers.
    pub(super) fn attach(tag: Tag, value: &Number, slope: &Number) -> Number {
        match value.tag().max(slope.tag()) {
            Some(outer) if outer > tag => {
                let ((a, b), (c, d)) = (value.split(outer), slope.split(outer));
                deep(|| Number::dual(outer, Number::attach(tag, &a, &c), Number::attach(tag, &b, &d)))
            }
            Some(outer) if outer == tag => {
                let ((a, b), (c, _)) = (value.split(tag), slope.split(tag));
                Number::dual(tag, a, Number::plus(&b, &c))
            }
            _ => Number::dual(tag, value.clone(), slope.clone()),
        }
    }

    /// The sum, rounded to nearest.
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

    /// The number with another ε in place of one, or none.
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

    /// The coefficient of an ε.
    pub(super) fn slope(&self, tag: Tag) -> Number {
        match self {
            Number::Dual(dual) if dual.tag == tag => dual.slope.clone(),
            Number::Dual(dual) if dual.tag > tag => {
                deep(|| Number::attach(dual.tag, &dual.value.slope(tag), &dual.slope.slope(tag)))
            }
            _ => Self::ZERO,
        }
    }

    /// The number with 0 for its part without ε.
    pub(super) fn infinitesimal(&self) -> Number {
        match self {
            Number::Plain(_) => Self::ZERO,
            Number::Dual(dual) => deep(|| Number::dual(dual.tag, dual.value.infinitesimal(), dual.slope.clone())),
        }
    }

    /// How many ε there are along the value: a number has at most two to this power coefficients.
    pub(super) fn levels(&self) -> u32 {
        let (mut levels, mut here) = (0, self);
        while let Number::Dual(dual) = here {
            levels += 1;
            here = &dual.value;
        }
        levels
    }

    /// How many ε are nested in the number.
    pub(super) fn depth(&self) -> u32 {
        match self {
            Number::Plain(_) => 0,
            Number::Dual(dual) => deep(|| 1 + dual.value.depth().max(dual.slope.depth())),
        }
    }

    /// The largest absolute value among the coefficients; NaN where one is.
    pub(super) fn largest(&self) -> f64 {
        match self {
            Number::Plain(x) => x.abs(),
            Number::Dual(dual) => {
                let (a, b) = deep(|| (dual.value.largest(), dual.slope.largest()));
                if a >= b || a.is_nan() { a } else { b }
            }
        }
    }
}
