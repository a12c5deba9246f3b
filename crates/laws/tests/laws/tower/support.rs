//! Numbers to compute with and ways to compare them.

use smoothish_laws::number::{Context, Enclosure, Mpfr, Rational};
use smoothish_laws::smooth::tower::{Tower, TowerError};

pub type Map = Tower<Mpfr>;
pub type Num = <Mpfr as Context>::Num;

/// The precision of these tests.
pub const BITS: u32 = 160;

pub fn context() -> Mpfr {
    Mpfr::new(BITS)
}

/// n/d
pub fn number(n: i64, d: i64) -> Num {
    context().enclose_rational(&Rational::from((n, d)))
}

pub fn vector(components: &[i64]) -> Vec<Num> {
    components.iter().map(|n| number(*n, 1)).collect()
}

/// The hull of two integers.
pub fn interval(lo: i64, hi: i64) -> Num {
    context().hull(&number(lo, 1), &number(hi, 1))
}

pub fn bottom() -> Num {
    context().bottom()
}

pub fn show(x: &Num) -> Enclosure {
    context().to_enclosure(x)
}

/// The first component of f⁽ᵏ⁾(x; v₁…v_k).
pub fn derivative(f: &Map, x: &[Num], directions: &[Vec<Num>]) -> Num {
    f.derivative(x, directions, &context()).unwrap().swap_remove(0)
}

/// f⁽ᵏ⁾(x; 1, …, 1) for a map of one variable.
pub fn along_one(f: &Map, x: &Num, k: usize) -> Num {
    derivative(f, std::slice::from_ref(x), &vec![vector(&[1]); k])
}

/// Defined, and not wider than rounding makes it.
pub fn is_narrow(x: &Num) -> bool {
    let c = context();
    let size = c.magnitude(x).max(c.magnitude(&c.enclose_integer(1)));
    c.is_defined(x) && c.is_bounded(x) && c.width(x) <= size.mul_exp2(-i64::from(BITS / 2))
}

/// ⊥: no bound at all, and not known to be defined or else an honest whole line (0·⊥).
pub fn is_bottom(x: &Num) -> bool {
    show(x).is_bottom()
}

pub fn overlap(a: &Num, b: &Num) -> bool {
    show(a).overlaps(&show(b))
}

/// Two enclosures of one real number, known to more than half of the digits.
pub fn same(a: &Num, b: &Num) -> bool {
    is_narrow(a) && is_narrow(b) && overlap(a, b)
}

/// The same ends and the same definedness.
pub fn identical(a: &Num, b: &Num) -> bool {
    show(a) == show(b)
}

#[track_caller]
pub fn assert_same(found: &Num, expected: &Num, what: &str) {
    assert!(same(found, expected), "{what}: {} is not {}", show(found), show(expected));
}

#[track_caller]
pub fn assert_identical(found: &Num, expected: &Num, what: &str) {
    assert!(identical(found, expected), "{what}: {:?} is not {:?}", show(found), show(expected));
}

#[track_caller]
pub fn assert_bottom(found: &Num, what: &str) {
    assert!(is_bottom(found), "{what}: {} is not ⊥", show(found));
}

/// `a ⊇ b` up to rounding.
pub fn contains(a: &Num, b: &Num) -> bool {
    let c = context();
    let size = [a, b].map(|x| if c.is_bounded(x) { c.magnitude(x) } else { c.magnitude(&c.enclose_integer(1)) });
    let size = size[0].max(size[1]).max(c.magnitude(&c.enclose_integer(1)));
    let slack = size.mul_exp2(-i64::from(BITS / 2)).to_rational().unwrap();
    let slack = c.hull(&c.enclose_rational(&Rational::from(-&slack)), &c.enclose_rational(&slack));
    c.contains(&c.add(a, &slack), b)
}

pub fn map(result: Result<Map, TowerError>) -> Map {
    result.unwrap()
}
