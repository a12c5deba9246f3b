//! Floating-point numbers with derivatives: dual numbers, nested and tagged.
//!
//! A number is an `f64`, or `a + b·ε` with ε² = 0 for one of many ε, which tags distinguish. Every derivative that is taken has
//! an ε of its own, so a derivative inside another does not confuse their perturbations. The representation is canonical: the ε
//! with the largest tag is outermost. ε may be nested to any depth, so whatever traverses them all, dropping included, runs on a
//! growing stack.

use crate::stack::with_stack;
use std::sync::Arc;

/// The name of an ε.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct EpsilonTag(pub u64);

/// An `f64` with derivatives. See the [module](self).
#[derive(Clone, Debug)]
pub enum DualNumber {
    /// A number without derivatives.
    Plain(f64),
    /// A dual number `value + slope·ε`.
    Dual(Arc<DualParts>),
}

/// A dual number `value + slope·ε`.
#[derive(Clone, Debug)]
pub struct DualParts {
    tag: EpsilonTag,
    value: DualNumber,
    slope: DualNumber,
}

impl Drop for DualParts {
    fn drop(&mut self) {
        // only if a part is a dual number itself: the common case needs no growing stack
        let parts = [&mut self.value, &mut self.slope].map(|part| std::mem::replace(part, DualNumber::ZERO));
        if parts.iter().any(|part| matches!(part, DualNumber::Dual(_))) {
            with_stack(|| drop(parts));
        }
    }
}

impl DualNumber {
    pub(super) const ZERO: Self = DualNumber::Plain(0.0);
    pub(super) const ONE: Self = DualNumber::Plain(1.0);

    /// Returns the number without any ε.
    #[must_use]
    pub fn plain_value(&self) -> f64 {
        let mut here = self;
        while let DualNumber::Dual(dual) = here {
            here = &dual.value;
        }
        match here {
            DualNumber::Plain(x) => *x,
            DualNumber::Dual(_) => f64::NAN,
        }
    }

    /// Returns the tag of the outermost ε; `None` if there is no ε.
    pub(super) fn outermost_tag(&self) -> Option<EpsilonTag> {
        match self {
            DualNumber::Plain(_) => None,
            DualNumber::Dual(dual) => Some(dual.tag),
        }
    }

    /// Splits `a + b·ε` into `(a, b)`. The number must have no larger tag.
    pub(super) fn split_at_tag(&self, tag: EpsilonTag) -> (DualNumber, DualNumber) {
        match self {
            DualNumber::Dual(dual) if dual.tag == tag => (dual.value.clone(), dual.slope.clone()),
            _ => (self.clone(), Self::ZERO),
        }
    }

    /// Builds `value + slope·ε`. Neither may have an ε with this or a larger tag.
    pub(super) fn with_outermost(tag: EpsilonTag, value: DualNumber, slope: DualNumber) -> DualNumber {
        DualNumber::Dual(Arc::new(DualParts { tag, value, slope }))
    }

    /// Builds `value + slope·ε` from any two numbers, in canonical form.
    pub(super) fn attach_epsilon(tag: EpsilonTag, value: &DualNumber, slope: &DualNumber) -> DualNumber {
        match value.outermost_tag().max(slope.outermost_tag()) {
            // a larger tag has to stay outermost: attach inside both of its parts
            Some(outer) if outer > tag => {
                let ((a, b), (c, d)) = (value.split_at_tag(outer), slope.split_at_tag(outer));
                with_stack(|| {
                    DualNumber::with_outermost(
                        outer,
                        DualNumber::attach_epsilon(tag, &a, &c),
                        DualNumber::attach_epsilon(tag, &b, &d),
                    )
                })
            }
            // (a + b·ε) + (c + d·ε)·ε = a + (b + c)·ε, since ε² = 0
            Some(outer) if outer == tag => {
                let ((a, b), (c, _)) = (value.split_at_tag(tag), slope.split_at_tag(tag));
                DualNumber::with_outermost(tag, a, DualNumber::add_rounded(&b, &c))
            }
            _ => DualNumber::with_outermost(tag, value.clone(), slope.clone()),
        }
    }

    /// Returns the sum, rounded to nearest. It is exempt from the perturbation of [`Float`](super::Float).
    fn add_rounded(a: &DualNumber, b: &DualNumber) -> DualNumber {
        match (a, b) {
            (DualNumber::Plain(x), DualNumber::Plain(y)) => DualNumber::Plain(x + y),
            _ => match a.outermost_tag().max(b.outermost_tag()) {
                Some(tag) => {
                    let ((a, c), (b, d)) = (a.split_at_tag(tag), b.split_at_tag(tag));
                    with_stack(|| {
                        DualNumber::with_outermost(
                            tag,
                            DualNumber::add_rounded(&a, &b),
                            DualNumber::add_rounded(&c, &d),
                        )
                    })
                }
                None => DualNumber::Plain(f64::NAN),
            },
        }
    }

    /// Replaces an ε by another one, or removes it if `by` is `None`.
    pub(super) fn replace_epsilon(&self, tag: EpsilonTag, by: Option<EpsilonTag>) -> DualNumber {
        match self {
            DualNumber::Dual(dual) if dual.tag == tag => match by {
                Some(by) => DualNumber::attach_epsilon(by, &dual.value, &dual.slope),
                None => dual.value.clone(),
            },
            DualNumber::Dual(dual) if dual.tag > tag => with_stack(|| {
                DualNumber::attach_epsilon(
                    dual.tag,
                    &dual.value.replace_epsilon(tag, by),
                    &dual.slope.replace_epsilon(tag, by),
                )
            }),
            _ => self.clone(),
        }
    }

    /// Returns the coefficient of an ε; 0 if the number does not have it.
    pub(super) fn slope_along(&self, tag: EpsilonTag) -> DualNumber {
        match self {
            DualNumber::Dual(dual) if dual.tag == tag => dual.slope.clone(),
            DualNumber::Dual(dual) if dual.tag > tag => with_stack(|| {
                DualNumber::attach_epsilon(dual.tag, &dual.value.slope_along(tag), &dual.slope.slope_along(tag))
            }),
            _ => Self::ZERO,
        }
    }

    /// Replaces the part without ε by 0.
    pub(super) fn infinitesimal_part(&self) -> DualNumber {
        match self {
            DualNumber::Plain(_) => Self::ZERO,
            DualNumber::Dual(dual) => {
                with_stack(|| DualNumber::with_outermost(dual.tag, dual.value.infinitesimal_part(), dual.slope.clone()))
            }
        }
    }

    /// Returns the number of nested ε in the value parts; slopes are not counted. Its power of two estimates the number of
    /// coefficients.
    pub(super) fn value_levels(&self) -> u32 {
        let (mut levels, mut here) = (0, self);
        while let DualNumber::Dual(dual) = here {
            levels += 1;
            here = &dual.value;
        }
        levels
    }

    /// Returns the nesting depth of ε, in value and slope parts.
    pub(super) fn nesting_depth(&self) -> u32 {
        match self {
            DualNumber::Plain(_) => 0,
            DualNumber::Dual(dual) => with_stack(|| 1 + dual.value.nesting_depth().max(dual.slope.nesting_depth())),
        }
    }

    /// Returns the largest absolute value among the coefficients; NaN if one is NaN.
    pub(super) fn largest_coefficient(&self) -> f64 {
        match self {
            DualNumber::Plain(x) => x.abs(),
            DualNumber::Dual(dual) => {
                let (a, b) = with_stack(|| (dual.value.largest_coefficient(), dual.slope.largest_coefficient()));
                // NaN in either part wins: `a >= b` is false for a NaN b, which is then returned
                if a >= b || a.is_nan() { a } else { b }
            }
        }
    }
}
