//! Centred forms (Moore): numbers as functions on a box of inputs, with a range, the value at the centre, and the
//! ranges of the slopes.
//!
//! Interval arithmetic forgets that two ranges depend on the same input: on an interval, `x * x - a` gets a much wider
//! range than it has when x is close to √a. By the mean value theorem a number also lies in its value at the centre
//! plus its slopes times the half-widths of the box. Both enclosures hold, so the range is their intersection. The
//! theorem applies, since every number is defined and smooth on the whole box. For operations this holds or they have
//! no value here, and guards are decided for the whole box.

use super::{CertifiedReals, NumberSystem};
use crate::number::{Context, Rational, Sign};
use crate::trace::error::TraceError;
use crate::trace::operation::OperationSymbol;
use crate::trace::ty::CoreTy;
use crate::trace::value::CoreValue;
use std::cmp::Ordering;

/// The representation of real numbers by centred forms on one box.
#[derive(Clone, Debug)]
pub struct CentredForms<C: Context> {
    numbers: CertifiedReals<C>,
    /// For each input, the range of its distance from the centre.
    deviations: Vec<C::Num>,
}

/// A centred form: a number that depends on the inputs.
#[derive(Clone, Debug)]
pub struct CentredForm<N> {
    /// An enclosure of all values on the box.
    range: N,
    /// An enclosure of the value at the centre.
    centre: N,
    /// Enclosures of the partial derivatives on the whole box, one per input. Empty for a constant.
    slopes: Vec<N>,
}

impl<C: Context> CentredForms<C> {
    /// Makes the representation for a box, and the inputs, of type `ty`, that range over it. Returns `None` if the box
    /// has too few numbers for the type.
    pub fn box_inputs(context: &C, ty: &CoreTy, over: &CoreValue<C::Num>) -> Option<CentredInput<C>> {
        let numbers = CertifiedReals(context.clone());
        let ranges = over.real_components();
        let centres: Vec<_> = ranges.iter().map(|range| context.midpoint(range)).collect();
        let n = centres.len();
        let moves = centres.iter().zip(&ranges).map(|(centre, range)| context.sub(range, centre)).collect();
        let unit = |i: usize| (0..n).map(|j| context.enclose_integer(i64::from(i == j))).collect();
        let moving = centres.iter().zip(&ranges).enumerate().map(|(i, (centre, range))| CentredForm {
            range: (*range).clone(),
            centre: centre.clone(),
            slopes: unit(i),
        });
        let value = CoreValue::from_reals(ty, &mut moving.collect::<Vec<_>>().into_iter())?;
        Some((CentredForms { numbers, deviations: moves }, value))
    }

    /// Returns the enclosure of a number by the mean value theorem.
    fn mean_value(&self, centre: &C::Num, slopes: &[C::Num]) -> C::Num {
        let c = &self.numbers.0;
        slopes.iter().zip(&self.deviations).fold(centre.clone(), |sum, (slope, by)| c.add(&sum, &c.mul(slope, by)))
    }

    /// Makes a centred form whose range is intersected with the mean value enclosure.
    fn narrowed_form(&self, range: C::Num, centre: C::Num, slopes: Vec<C::Num>) -> CentredForm<C::Num> {
        // Disjoint enclosures would mean that there is no value; then the range stays as it is.
        let narrower = self.numbers.0.intersect(&range, &self.mean_value(&centre, &slopes));
        CentredForm { range: narrower.unwrap_or(range), centre, slopes }
    }

    /// Returns the linear combination of slope vectors with these factors; missing entries are 0.
    fn combine_slopes(&self, parts: &[(&C::Num, &[C::Num])]) -> Vec<C::Num> {
        let c = &self.numbers.0;
        let longest = parts.iter().map(|(_, slopes)| slopes.len()).max().unwrap_or(0);
        let at = |i: usize| {
            let terms = parts.iter().filter_map(|(factor, slopes)| Some(c.mul(factor, slopes.get(i)?)));
            terms.fold(c.enclose_integer(0), |sum, term| c.add(&sum, &term))
        };
        (0..longest).map(at).collect()
    }

    /// Returns the partial derivatives of an operation at arguments, where it has the value y.
    fn partial_derivatives(
        &self,
        operation: &OperationSymbol,
        x: &[&C::Num],
        y: &C::Num,
    ) -> Result<Vec<C::Num>, TraceError> {
        let c = &self.numbers.0;
        Ok(match (operation, x) {
            (OperationSymbol::Negate, _) => vec![c.enclose_integer(-1)],
            (OperationSymbol::Subtract, _) => vec![c.enclose_integer(1), c.enclose_integer(-1)],
            (OperationSymbol::Multiply, [a, b]) => vec![(*b).clone(), (*a).clone()],
            (OperationSymbol::Divide, [_, b]) => vec![c.div(&c.enclose_integer(1), b), c.neg(&c.div(y, b))],
            // As in [`OperationSymbol::pullback`]: x⁰ has the slope 0, also at 0.
            (OperationSymbol::Power(q), _) if *q == 0 => vec![c.enclose_integer(0)],
            (OperationSymbol::Power(q), [a]) => {
                let power = self.numbers.apply_operation(&OperationSymbol::Power(Rational::from(q - 1)), &[*a])?;
                vec![c.mul(&c.enclose_rational(q), &power)]
            }
            (OperationSymbol::Function(f), _) => vec![c.eval_formula(&f.slope_formula(), x, y)],
            (OperationSymbol::BinaryFunction(f), _) => {
                f.slope_formulas().iter().map(|slope| c.eval_formula(slope, x, y)).collect()
            }
            _ => Vec::new(),
        })
    }
}

/// The representation for a box, and the inputs that range over it.
pub type CentredInput<C> = (CentredForms<C>, CoreValue<CentredForm<<C as Context>::Num>>);

impl<C: Context> NumberSystem for CentredForms<C> {
    type Number = CentredForm<C::Num>;

    fn represent_rational(&self, q: &Rational) -> CentredForm<C::Num> {
        let value = self.numbers.represent_rational(q);
        CentredForm { range: value.clone(), centre: value, slopes: Vec::new() }
    }

    fn add(&self, a: &CentredForm<C::Num>, b: &CentredForm<C::Num>) -> CentredForm<C::Num> {
        let (c, one) = (&self.numbers.0, self.numbers.0.enclose_integer(1));
        let slopes = self.combine_slopes(&[(&one, &a.slopes), (&one, &b.slopes)]);
        self.narrowed_form(c.add(&a.range, &b.range), c.add(&a.centre, &b.centre), slopes)
    }

    fn apply_operation(
        &self,
        operation: &OperationSymbol,
        arguments: &[&CentredForm<C::Num>],
    ) -> Result<CentredForm<C::Num>, TraceError> {
        let ranges: Vec<_> = arguments.iter().map(|x| &x.range).collect();
        let centres: Vec<_> = arguments.iter().map(|x| &x.centre).collect();
        let range = self.numbers.apply_operation(operation, &ranges)?;
        let centre = self.numbers.apply_operation(operation, &centres)?;
        // Constants have no slopes to propagate, and their partial derivatives may be undefined.
        let partials = match arguments.iter().all(|x| x.slopes.is_empty()) {
            true => Vec::new(),
            false => self.partial_derivatives(operation, &ranges, &range)?,
        };
        let parts: Vec<_> = partials.iter().zip(arguments).map(|(slope, x)| (slope, &x.slopes[..])).collect();
        let slopes = self.combine_slopes(&parts);
        Ok(self.narrowed_form(range, centre, slopes))
    }

    fn compare(&self, a: &CentredForm<C::Num>, b: &CentredForm<C::Num>) -> Result<Ordering, Option<i64>> {
        let c = &self.numbers.0;
        // The difference of centred forms is narrower than the ranges if both depend on the same inputs.
        self.numbers.compare(&a.range, &b.range).or_else(|agreement| {
            let (one, minus) = (c.enclose_integer(1), c.enclose_integer(-1));
            let slopes = self.combine_slopes(&[(&one, &a.slopes), (&minus, &b.slopes)]);
            match c.sign(&self.mean_value(&c.sub(&a.centre, &b.centre), &slopes)) {
                Sign::Positive => Ok(Ordering::Greater),
                Sign::Negative => Ok(Ordering::Less),
                Sign::Undecided => Err(agreement),
            }
        })
    }
}
