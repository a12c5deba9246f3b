//! Of `number::exact`.

use rug::Rational;
use smoothish_number::number::arithmetic::Context;
use smoothish_number::number::exact::*;

#[test]
fn what_grows_too_long_is_bottom() {
    let c = Exact { bits: 100 };
    assert_eq!(c.power(&c.enclose_integer(2), 99), Some(Rational::from(1) << 99u32));
    assert_eq!(c.power(&c.enclose_integer(2), 100), None);
    assert_eq!(c.power(&c.enclose_integer(-1), u32::MAX), c.enclose_integer(-1));
    assert_eq!(c.mul(&c.power(&c.enclose_integer(2), 60), &c.power(&c.enclose_integer(2), 60)), None);
}

#[test]
fn a_fraction_is_told_outward() {
    let c = Exact::default();
    let third = c.enclose_rational(&Rational::from((1, 3)));
    let told = c.to_enclosure(&third);
    assert!(told.contains(&Rational::from((1, 3))) && !told.is_point() && told.is_defined());
    assert!(c.to_enclosure(&c.enclose_integer(7)).is_point() && !c.to_enclosure(&None).is_defined());
}
