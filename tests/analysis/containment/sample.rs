//! Random ends and intervals, half of them at an edge of something.
use rug::float::{Round, Special};
use rug::{Float, Integer};
use smoothish::number::{Context, Double, Enclosure, Mpfr};
use smoothish::random::SplitMix64;

/// A stream of random ends.
pub struct Random(SplitMix64);

impl Random {
    pub fn new(seed: u64) -> Self {
        Self(SplitMix64::new(seed))
    }

    pub fn bits(&mut self) -> u64 {
        self.0.next()
    }

    pub fn below(&mut self, n: u64) -> u64 {
        self.bits() % n
    }

    pub fn one_in(&mut self, n: u64) -> bool {
        self.below(n) == 0
    }

    /// Uniform in [0, 1).
    pub fn unit(&mut self) -> f64 {
        (self.bits() >> 11) as f64 / (1u64 << 53) as f64
    }

    fn sign(&mut self) -> f64 {
        if self.one_in(2) { 1.0 } else { -1.0 }
    }

    /// A finite double.
    pub fn double(&mut self) -> f64 {
        let ulps = |r: &mut Self, x: f64| f64::from_bits(x.to_bits().wrapping_add(r.below(7)).wrapping_sub(3));
        let x = match self.below(12) {
            0 => self.below(21) as f64 - 10.0,
            1 => (self.below(201) as f64 - 100.0) / (1u64 << self.below(8)) as f64,
            2 | 3 => 20.0 * self.unit() - 10.0,
            4 => f64::from_bits(self.bits()),
            5 => f64::from_bits(self.bits() & (0x800f_ffff_ffff_ffff | self.below(64) << 52)),
            6 => f64::from_bits(self.bits() | 0x7f80_0000_0000_0000 & !(self.below(64) << 52)),
            7 => [0.0, -0.0, 5e-324, f64::MIN_POSITIVE, f64::MAX, 1.0][self.below(6) as usize] * self.sign(),
            8 => {
                let range = 1 << self.below(40);
                let k = self.below(range) as f64;
                ulps(self, k * std::f64::consts::FRAC_PI_2) * self.sign()
            }
            9 => self.sign() * (1.0 + self.unit()) * 2f64.powi(self.below(121) as i32 - 60),
            10 => 2.0 * self.unit() - 1.0,
            _ => {
                let near = 1.0 + self.sign() * 2f64.powi(-(self.below(54) as i32));
                ulps(self, near) * self.sign()
            }
        };
        if x.is_finite() { x } else { self.double() }
    }
}

/// A context whose ends can be drawn.
pub trait Tier: Context {
    /// A finite end of its precision.
    fn end(&self, random: &mut Random) -> Float;
    /// The neighbour `places` places away, towards +∞.
    fn after(&self, x: &Float, places: u64) -> Float;
}

impl Tier for Double {
    fn end(&self, random: &mut Random) -> Float {
        Float::with_val(53, random.double())
    }

    fn after(&self, x: &Float, places: u64) -> Float {
        let mut x = x.to_f64();
        for _ in 0..places {
            x = x.next_up().min(f64::MAX);
        }
        Float::with_val(53, x)
    }
}

impl Tier for Mpfr {
    fn end(&self, random: &mut Random) -> Float {
        let bits = self.precision();
        if random.one_in(2) {
            return Float::with_val(bits, random.double());
        }
        let mut mantissa = Integer::from(0);
        for _ in 0..bits.div_ceil(64) {
            mantissa = (mantissa << 64) + random.bits();
        }
        let exponent = match random.below(64) {
            0 => random.below(1 << 30) as i32 - (1 << 29),
            1..8 => random.below(4000) as i32 - 2000,
            _ => random.below(40) as i32 - 20,
        };
        let x = Float::with_val_round(bits, &mantissa, Round::Zero).0;
        let x = (x >> (64 * bits.div_ceil(64))) << exponent;
        if random.one_in(2) { x } else { -x }
    }

    fn after(&self, x: &Float, places: u64) -> Float {
        let mut x = x.clone();
        for _ in 0..places {
            x.next_up();
        }
        if x.is_finite() { x } else { Float::with_val(self.precision(), 1) }
    }
}

/// An interval: a point, a narrow one, a wide one, a half-line, the whole line.
pub fn interval<T: Tier>(tier: &T, random: &mut Random) -> Enclosure {
    let a = tier.end(random);
    let infinite = |s| Float::with_val(53, s);
    let (lo, hi) = match random.below(24) {
        0..8 => (a.clone(), a),
        8..12 => {
            let places = random.below(20);
            (a.clone(), tier.after(&a, places))
        }
        12..16 => {
            let relative = Float::with_val(53, random.unit()) >> (random.below(60) as u32);
            let b = Float::with_val_round(tier.precision(), &a + relative * &a, Round::Zero).0;
            let b = if b.is_finite() { b } else { a.clone() };
            (a, to_grid(tier, b))
        }
        16..19 => (a, to_grid(tier, tier.end(random))),
        19..22 => {
            let width = 7.0 * random.unit();
            let b = Float::with_val(tier.precision(), &a + width);
            let b = if b.is_finite() { b } else { a.clone() };
            (a, to_grid(tier, b))
        }
        22 if random.one_in(2) => (infinite(Special::NegInfinity), a),
        22 => (a, infinite(Special::Infinity)),
        _ if random.one_in(4) => (infinite(Special::NegInfinity), infinite(Special::Infinity)),
        _ => (a.clone(), a),
    };
    let (lo, hi) = if lo <= hi { (lo, hi) } else { (hi, lo) };
    Enclosure::new(lo, hi, !random.one_in(16)).unwrap()
}

/// The number brought to the grid of the tier (subnormal doubles have fewer bits).
fn to_grid<T: Tier>(tier: &T, x: Float) -> Float {
    let e = tier.to_enclosure(&tier.round_enclosure(&Enclosure::point(x.clone()).unwrap()));
    if e.hi().is_finite() { e.hi().clone() } else { e.lo().clone() }
}

/// A finite point inside an enclosure, of 300 bits, often an end.
pub fn point_in(e: &Enclosure, random: &mut Random) -> Float {
    let finite = |x: &Float| x.is_finite().then(|| Float::with_val(300, x));
    let point = match (random.below(4), finite(e.lo()), finite(e.hi())) {
        (0, Some(lo), _) => lo,
        (1, _, Some(hi)) => hi,
        (2, _, _) => Float::with_val(300, random.double()),
        (_, Some(lo), Some(hi)) => {
            let t = random.unit();
            Float::with_val(300, &lo * (1.0 - t)) + hi * t
        }
        _ => Float::with_val(300, random.double()),
    };
    let point = point.max(e.lo()).min(e.hi());
    Float::with_val(300, point)
}

/// An enclosure inside another.
pub fn part_of<T: Tier>(tier: &T, e: &Enclosure, random: &mut Random) -> Enclosure {
    let mut end = || {
        let x = Float::with_val(tier.precision(), point_in(e, random));
        to_grid(tier, x).max(e.lo()).min(e.hi())
    };
    let (a, b) = (end(), end());
    let (lo, hi) = if a <= b { (a, b) } else { (b, a) };
    Enclosure::new(lo, hi, true).unwrap()
}
