//! Rectangles of complex numbers, and integrals of analytic functions that are bounded over them.

use super::ends::ask_within;
use rug::Float;
use smoothish::function::SpecialId;
use smoothish::number::accuracy::{PassOptions, SolverOptions};
use smoothish::number::arithmetic::{Context, Function};
use smoothish::number::budget::Budget;
use smoothish::number::real::{ComputableReal, Precision};
use smoothish::number::{Double, Magnitude, Rational, decimal};
use smoothish::random::SplitMix64;
use smoothish::smooth::algebra::{Algebra, AlgebraGenerator};
use smoothish::smooth::graph::{Binary, Graph, Guard, Unary, Variable};
use smoothish::smooth::jet::{Jet, KinkBranch};
use smoothish::smooth::machine::JetEvaluator;
use smoothish::smooth::machine::complex::ComplexRectangle;
use smoothish::smooth::machine::switch::BranchPoint;
use smoothish::smooth::program::{BlockInstruction, CompiledMap};

/// Values by mpmath at 25 digits, the cube root as exp (log z / 3).
const VALUES: &[(Function, [f64; 2], [f64; 2])] = &[
    (Function::Exp, [0.75, 0.5], [1.8578422981009126, 1.0149438731896383]),
    (Function::Exp, [-1.25, 0.625], [0.23234482381494853, 0.1676331753272583]),
    (Function::Exp, [-0.5, -2.0], [-0.2524058153082637, -0.5515167681675808]),
    (Function::Exp, [2.5, -0.25], [11.803769725940507, -3.0139972394723538]),
    (Function::Exp, [1.5, 0.0], [4.4816890703380645, 0.0]),
    (Function::Expm1, [0.75, 0.5], [0.8578422981009126, 1.0149438731896383]),
    (Function::Expm1, [-1.25, 0.625], [-0.7676551761850515, 0.1676331753272583]),
    (Function::Expm1, [-0.5, -2.0], [-1.2524058153082638, -0.5515167681675808]),
    (Function::Expm1, [2.5, -0.25], [10.803769725940507, -3.0139972394723538]),
    (Function::Expm1, [1.5, 0.0], [3.481689070338065, 0.0]),
    (Function::Sin, [0.75, 0.5], [0.7686335646933927, 0.3812796346521781]),
    (Function::Sin, [-1.25, 0.625], [-1.1404457708876259, 0.21015991534663234]),
    (Function::Sin, [-0.5, -2.0], [-1.8036926955321817, -3.182869448337149]),
    (Function::Sin, [2.5, -0.25], [0.6172720093418363, 0.20237874481938342]),
    (Function::Sin, [1.5, 0.0], [0.9974949866040544, 0.0]),
    (Function::Cos, [0.75, 0.5], [0.8250713669946073, -0.35519875789073846]),
    (Function::Cos, [-1.25, 0.625], [0.37893981348630656, 0.6324909078888045]),
    (Function::Cos, [-0.5, -2.0], [3.3016373329140944, -1.7388095044743164]),
    (Function::Cos, [2.5, -0.25], [-0.8263100199599919, 0.1511814348672524]),
    (Function::Cos, [1.5, 0.0], [0.0707372016677029, 0.0]),
    (Function::Tan, [0.75, 0.5], [0.6180963948062022, 0.7282118012804724]),
    (Function::Tan, [-1.25, 0.625], [-0.5504304319987532, 1.4733267372321792]),
    (Function::Tan, [-0.5, -2.0], [-0.030215987322877575, -0.979940849961738]),
    (Function::Tan, [2.5, -0.25], [-0.6794673888590096, -0.3692338132694629]),
    (Function::Tan, [1.5, 0.0], [14.101419947171719, 0.0]),
    (Function::Sinh, [0.75, 0.5], [0.7216508242975646, 0.620704231078055]),
    (Function::Sinh, [-1.25, 0.625], [-1.2990972945556871, 1.1049116606825646]),
    (Function::Sinh, [-0.5, -2.0], [0.2168521629207897, -1.0253473885839877]),
    (Function::Sinh, [2.5, -0.25], [5.8621182755688555, -1.5171526965636541]),
    (Function::Sinh, [1.5, 0.0], [2.1292794550948173, 0.0]),
    (Function::Cosh, [0.75, 0.5], [1.136191473803348, 0.3942396421115833]),
    (Function::Cosh, [-1.25, 0.625], [1.5314421183706357, -0.9372784853553063]),
    (Function::Cosh, [-0.5, -2.0], [-0.4692579782290534, 0.473830620416407]),
    (Function::Cosh, [2.5, -0.25], [5.941651450371652, -1.4968445429086996]),
    (Function::Cosh, [1.5, 0.0], [2.352409615243247, 0.0]),
    (Function::Tanh, [0.75, 0.5], [0.736084170551191, 0.2908934618296181]),
    (Function::Tanh, [-1.25, 0.625], [-0.9383636343573281, 0.1471838942234682]),
    (Function::Tanh, [-0.5, -2.0], [-1.3212865837711918, 0.8508781211449377]),
    (Function::Tanh, [2.5, -0.25], [0.9882228048240309, -0.006384888831286412]),
    (Function::Tanh, [1.5, 0.0], [0.9051482536448664, 0.0]),
    (Function::Log, [0.75, 0.5], [-0.10381968238912224, 0.5880026035475675]),
    (Function::Log, [-1.25, 0.625], [0.3347153269713146, 2.677945044588987]),
    (Function::Log, [-0.5, -2.0], [0.7234594914681627, -1.8157749899217608]),
    (Function::Log, [2.5, -0.25], [0.9212658973007392, -0.09966865249116202]),
    (Function::Log, [1.5, 0.0], [0.4054651081081644, 0.0]),
    (Function::Log1p, [0.75, 0.5], [0.5988515956561703, 0.27829965900511133]),
    (Function::Log1p, [-1.25, 0.625], [-0.3957936266865989, 1.9513027039072615]),
    (Function::Log1p, [-0.5, -2.0], [0.7234594914681627, -1.3258176636680326]),
    (Function::Log1p, [2.5, -0.25], [1.2553075032491037, -0.07130746478529032]),
    (Function::Log1p, [1.5, 0.0], [0.9162907318741551, 0.0]),
    (Function::Sqrt, [0.75, 0.5], [0.9086770105119854, 0.27512526135016874]),
    (Function::Sqrt, [-1.25, 0.625], [0.27160862093955024, 1.1505525815749076]),
    (Function::Sqrt, [-0.5, -2.0], [0.8836155308755133, -1.1317139242778693]),
    (Function::Sqrt, [2.5, -0.25], [1.5831091095183905, -0.07895855013936923]),
    (Function::Sqrt, [1.5, 0.0], [1.224744871391589, 0.0]),
    (Function::Cbrt, [0.75, 0.5], [0.9474899108408235, 0.188124049656498]),
    (Function::Cbrt, [-1.25, 0.625], [0.7014007081443978, 0.8706532298306469]),
    (Function::Cbrt, [-0.5, -2.0], [1.0466245092929098, -0.7241429673663325]),
    (Function::Cbrt, [2.5, -0.25], [1.358711264506135, -0.04515692231063342]),
    (Function::Cbrt, [1.5, 0.0], [1.1447142425533319, 0.0]),
    (Function::Atan, [0.75, 0.5], [0.7232206661240675, 0.3104282830771958]),
    (Function::Atan, [-1.25, 0.625], [-0.9675175792792828, 0.22584087434317385]),
    (Function::Atan, [-0.5, -2.0], [-1.421546861001807, -0.5003700000525311]),
    (Function::Atan, [2.5, -0.25], [1.19324412505556, -0.034241463768289356]),
    (Function::Atan, [1.5, 0.0], [0.982793723247329, 0.0]),
    (Function::Asinh, [0.75, 0.5], [0.7433204263252785, 0.39827787353830835]),
    (Function::Asinh, [-0.5, -0.25], [-0.4926756834207706, -0.2243284526346675]),
    (Function::Asinh, [2.0, 0.0], [1.4436354751788103, 0.0]),
    (Function::Atanh, [0.25, 0.5], [0.20058661813123432, 0.4842544903299662]),
    (Function::Atanh, [-0.5, -0.75], [-0.3104282830771958, -0.7232206661240675]),
    (Function::Atanh, [0.5, 0.0], [0.5493061443340549, 0.0]),
    (Function::Asin, [0.25, 0.5], [0.2243284526346675, 0.4926756834207706]),
    (Function::Asin, [-0.5, -0.25], [-0.5016088532755008, -0.2813960562452928]),
    (Function::Asin, [0.5, 0.0], [0.5235987755982988, 0.0]),
    (Function::Acos, [0.25, 0.5], [1.3464678741602292, -0.4926756834207706]),
    (Function::Acos, [-0.5, -0.25], [2.0724051800703975, 0.2813960562452928]),
    (Function::Acos, [0.5, 0.0], [1.0471975511965976, 0.0]),
    (Function::Acosh, [2.5, 0.5], [1.5919125928575535, 0.21396098534132457]),
    (Function::Acosh, [1.5, -0.75], [1.1627920981631037, -0.5465082695914841]),
    (Function::Acosh, [2.0, 0.0], [1.3169578969248168, 0.0]),
];

/// Values by mpmath likewise, of functions that are only bounded off the axis.
const BOUNDED: &[(Function, [f64; 2], [f64; 2])] = &[
    (Function::Erf, [0.75, 0.5], [0.841_551_810_036_332_1, 0.316_301_010_060_480_93]),
    (Function::Erf, [-1.25, 0.625], [-1.036_039_393_520_409_8, 0.102_303_537_635_396_35]),
    (Function::Erf, [-0.5, -2.0], [-13.839_985_667_741_28, 1.042_992_500_831_420_3]),
    (Function::Erf, [2.5, -0.25], [0.999_900_410_867_553_9, -0.000_420_040_819_239_079_3]),
    (Function::Erfc, [0.75, 0.5], [0.158_448_189_963_667_9, -0.316_301_010_060_480_93]),
    (Function::Erfc, [-1.25, 0.625], [2.036_039_393_520_41, -0.102_303_537_635_396_35]),
    (Function::Erfc, [-0.5, -2.0], [14.839_985_667_741_28, -1.042_992_500_831_420_3]),
    (Function::Erfc, [2.5, -0.25], [9.958_913_244_613_281e-5, 0.000_420_040_819_239_079_3]),
    (Function::LOG_GAMMA, [0.75, 0.5], [-0.074_102_531_408_119_96, -0.452_971_895_014_924_1]),
    (Function::LOG_GAMMA, [0.25, -2.0], [-2.393_897_330_535_136, 1.001_175_259_517_681_5]),
    (Function::LOG_GAMMA, [2.5, -0.25], [0.269_395_438_759_308_1, -0.176_401_737_371_274_14]),
    (Function::LOG_GAMMA, [8.0, 12.0], [1.144_387_690_324_474, 27.391_373_889_303_21]),
    (Function::DIGAMMA, [0.75, 0.5], [-0.609_401_355_854_648_7, 0.981_852_634_216_93]),
    (Function::DIGAMMA, [0.25, -2.0], [0.690_502_564_412_993_1, -1.697_949_130_607_622_6]),
    (Function::DIGAMMA, [2.5, -0.25], [0.710_487_392_939_412_9, -0.122_011_016_520_681_88]),
    (Function::DIGAMMA, [8.0, 12.0], [2.649_692_227_284_673, 1.012_009_836_178_935_3]),
    (TRIGAMMA, [0.75, 0.5], [1.148_027_749_799_998, -1.385_892_758_901_498]),
    (TRIGAMMA, [0.25, -2.0], [-0.065_987_596_931_685_7, 0.502_733_085_636_287_7]),
    (TRIGAMMA, [2.5, -0.25], [0.483_453_672_337_706_55, 0.058_244_532_599_207_6]),
    (TRIGAMMA, [8.0, 12.0], [0.037_482_446_595_327_93, -0.059_921_963_002_519_055]),
];

const TRIGAMMA: Function = Function::Special(SpecialId::Gamma, 2);

fn point([re, im]: [f64; 2]) -> ComplexRectangle {
    let number = |x: f64| Double.enclose_rational(&Rational::from_f64(x).unwrap());
    ComplexRectangle { re: number(re), im: number(im) }
}

/// Whether a rectangle holds a point, up to the last digits of the table.
fn holds(z: &ComplexRectangle, value: [f64; 2]) -> bool {
    let near = |x: &<Double as Context>::Num, value: f64| {
        let (e, slack) = (Double.to_enclosure(x), 1e-15 * value.abs().max(1.0));
        e.is_defined() && e.lo().to_f64() <= value + slack && e.hi().to_f64() >= value - slack
    };
    near(&z.re, value[0]) && near(&z.im, value[1])
}

/// Every function at a point of each quadrant, and at one of the axis, within a few ulps.
#[test]
fn functions_have_the_values_of_the_complex_plane() {
    for &(f, z, value) in VALUES {
        let found = point(z).apply_function(f).unwrap_or_else(|| panic!("{f:?} at {z:?}"));
        assert!(holds(&found, value), "{f:?} at {z:?}: {found:?}, not {value:?}");
        assert!([&found.re, &found.im].iter().all(|x| Double.width(x).to_f64() < 1e-12), "{f:?} at {z:?}");
        // and another is told from it
        assert!(!holds(&found, [value[0] + 1e-9, value[1]]) && !holds(&found, [value[0], value[1] - 1e-9]));
    }
    let powers = [((3, 1), [-0.140625, 0.71875]), ((-2, 1), [0.473_372_781_065_088_76, -1.136_094_674_556_213])];
    for ((p, q), value) in powers {
        assert!(holds(&point([0.75, 0.5]).power(p, q).unwrap(), value), "{p}/{q}");
    }
}

/// Bounds hold at the points, and are not far from what they bound where that is not wildly large; in squares around them they hold as well.
#[test]
fn functions_are_bounded_off_the_axis() {
    for &(f, z, value) in BOUNDED {
        let found = point(z).apply_function(f).unwrap_or_else(|| panic!("{f:?} at {z:?}"));
        assert!(holds(&found, value), "{f:?} at {z:?}: {found:?}, not {value:?}");
        let size = found.modulus().expect("a bound").to_f64();
        assert!(size <= 16.0 * value[0].hypot(value[1]) + 0.5, "{f:?} at {z:?}: {size} for {value:?}");
        for (left, right) in [(0.2, 0.0), (0.0, 0.2), (0.125, 0.125)] {
            let around = z.map(|x| {
                let number = |x: f64| Double.enclose_rational(&Rational::from_f64(x).unwrap());
                Double.hull(&number(x - left), &number(x + right))
            });
            let [re, im] = around;
            let found = ComplexRectangle { re, im }.apply_function(f).unwrap_or_else(|| panic!("{f:?} around {z:?}"));
            assert!(holds(&found, value), "{f:?} around {z:?}: {found:?}, not {value:?}");
        }
    }
}

/// On rectangles that a cut or a pole meets there is no value, however small they are.
#[test]
fn nothing_is_analytic_across_a_cut() {
    let across = |re: [f64; 2], im: [f64; 2]| {
        let between = |[a, b]: [f64; 2]| {
            let number = |x: f64| Double.enclose_rational(&Rational::from_f64(x).unwrap());
            Double.hull(&number(a), &number(b))
        };
        ComplexRectangle { re: between(re), im: between(im) }
    };
    let cut = across([-1.001, -1.0], [-0.001, 0.001]);
    let origin = across([-0.001, 0.001], [0.0, 0.001]);
    for f in [Function::Log, Function::Sqrt, Function::Cbrt] {
        assert!(cut.apply_function(f).is_none() && origin.apply_function(f).is_none(), "{f:?}");
        // beside the cut there is one
        assert!(across([-1.001, -1.0], [0.001, 0.002]).apply_function(f).is_some(), "{f:?}");
    }
    assert!(across([-2.001, -2.0], [0.0, 0.001]).apply_function(Function::Log1p).is_none());
    assert!(across([0.0, 0.001], [1.0, 1.001]).apply_function(Function::Atan).is_none());
    assert!(across([1.57, 1.58], [-0.01, 0.01]).apply_function(Function::Tan).is_none());
    assert!(origin.power(-1, 1).is_none() && origin.power(2, 1).is_some() && cut.power(2, 3).is_none());
    // beside the cut lgamma is analytic as well, but it has no value there
    for f in [Function::LOG_GAMMA, Function::DIGAMMA, TRIGAMMA] {
        assert!(across([-0.001, 0.002], [1.0, 1.001]).apply_function(f).is_none(), "{f:?}");
    }
}

/// On the real axis they are the functions of real numbers, which are computed another way.
#[test]
fn functions_agree_with_those_of_real_numbers() {
    let mut random = SplitMix64::new(11);
    let mut tried = std::collections::BTreeMap::new();
    for f in Function::ALL {
        for _ in 0..60 {
            let x = (random.next_below(4001) as f64 - 2000.0) / 600.0;
            let Some(found) = point([x, 0.0]).apply_function(*f) else { continue };
            let real = Double.apply_function(*f, &Double.enclose_rational(&Rational::from_f64(x).unwrap()));
            let [re, im, real] = [&found.re, &found.im, &real].map(|part| Double.to_enclosure(part));
            // beside a branch point the argument need not be told from it
            if !(re.is_defined() && re.is_bounded()) {
                continue;
            }
            assert!(
                real.is_defined() && re.overlaps(&real) && im.contains(&Rational::new()),
                "{f:?} at {x}: {re}, {real}"
            );
            *tried.entry(*f).or_insert(0) += 1;
        }
    }
    assert!(tried.len() == 22 && tried.values().all(|count| *count >= 8), "{tried:?}");
}

/// What a function is at a point lies in what it is on each rectangle around it.
#[test]
fn rectangles_hold_the_values_at_their_points() {
    let mut random = SplitMix64::new(5);
    let mut tried = 0;
    for _ in 0..3000 {
        let at: [f64; 2] = [0, 1].map(|_| (random.next_below(4001) as f64 - 2000.0) / 500.0);
        let radius = 10f64.powi(-(random.next_below(5) as i32));
        let around = |x: f64| {
            let number = |x: f64| Double.enclose_rational(&Rational::from_f64(x).unwrap());
            Double.hull(&number(x - radius), &number(x + radius * 0.5))
        };
        let f = random.pick(VALUES).0;
        let wide = ComplexRectangle { re: around(at[0]), im: around(at[1]) };
        let (Some(wide), Some(narrow)) = (wide.apply_function(f), point(at).apply_function(f)) else { continue };
        for (wide, narrow) in [(&wide.re, &narrow.re), (&wide.im, &narrow.im)] {
            assert!(Double.to_enclosure(wide).overlaps(&Double.to_enclosure(narrow)), "{f:?} at {at:?}");
        }
        tried += 1;
    }
    assert!(tried > 1500, "{tried}");
}

/// √(x + iy), by MPFR.
fn root([x, y]: [f64; 2]) -> [Float; 2] {
    let [x, y] = [x, y].map(|part| Float::with_val(400, part));
    let modulus = Float::with_val(400, x.hypot_ref(&y));
    let [re, size] = [Float::with_val(400, &modulus + &x), modulus - &x].map(|sum: Float| (sum / 2_u32).sqrt());
    [re, if y.is_sign_negative() { -size } else { size }]
}

// The least and the greatest parts are at corners, or on the real axis.
#[test]
fn rectangles_hold_square_roots_and_little_more() {
    let mut random = SplitMix64::new(21);
    let (mut on_sides, mut straddling) = ([0; 4], 0);
    for _ in 0..4000 {
        let size = 2f64.powi(random.next_below(900) as i32 - 450);
        let mut ends = || {
            let [a, b] = [0, 1].map(|_| (random.next_below(2001) as f64 - 1000.0) / 977.0 * size);
            [a.min(b), if random.next_below(4) == 0 { a.min(b) } else { a.max(b) }]
        };
        let [[left, right], [low, high]] = [ends(), ends()];
        let wide =
            ComplexRectangle { re: Double::interval_between(left, right), im: Double::interval_between(low, high) };
        let meets_axis = low <= 0.0 && high >= 0.0;
        let Some(found) = wide.apply_function(Function::Sqrt) else {
            assert!(meets_axis && left <= 0.0, "{wide:?} has no root");
            continue;
        };
        on_sides[usize::from(left > 0.0) + 2 * usize::from(low > 0.0)] += 1;
        straddling += usize::from(meets_axis);
        let middle = |a: f64, b: f64| if a < 0.0 && b > 0.0 { 0.0 } else { a };
        let places = [left, middle(left, right), right].map(|x| [low, middle(low, high), high].map(|y| [x, y]));
        let roots: Vec<[Float; 2]> = places.into_iter().flatten().map(root).collect();
        for (part, name) in [&found.re, &found.im].into_iter().zip(["re", "im"]) {
            let values = roots.iter().map(|[re, im]| if name == "re" { re } else { im });
            let (least, greatest) = values
                .fold(None, |found: Option<(&Float, &Float)>, value| {
                    Some(found.map_or((value, value), |(a, b)| {
                        (if value < a { value } else { a }, if value > b { value } else { b })
                    }))
                })
                .unwrap();
            let (lo, hi) = (*part.lo(), *part.hi());
            assert!(lo <= *least && hi >= *greatest, "{name} of {wide:?}: {lo} {hi}, {least} {greatest}");
            let slack = |value: &Float| value.to_f64().abs() * 1e-14;
            assert!(
                least.to_f64() - lo <= slack(least) && hi - greatest.to_f64() <= slack(greatest),
                "{name} of {wide:?} is wide"
            );
        }
    }
    assert!(straddling > 200 && on_sides.iter().all(|count| *count > 200), "{straddling} {on_sides:?}");
}

// No part is larger than the modulus can be: what powers of a root would be that is close to 0.
#[test]
fn powers_of_rectangles_are_no_larger_than_their_moduli() {
    let mut random = SplitMix64::new(22);
    for _ in 0..2000 {
        let mut part = |least: f64| least + random.next_below(1000) as f64 / 500.0;
        let (left, low) = (part(0.001), part(-2.0));
        let (right, high) = (left + part(0.0), low + part(0.0));
        let wide =
            ComplexRectangle { re: Double::interval_between(left, right), im: Double::interval_between(low, high) };
        let near = if low <= 0.0 && high >= 0.0 { 0.0 } else { low.abs().min(high.abs()) };
        let (least, greatest) = (left.hypot(near), right.hypot(low.abs().max(high.abs())));
        for (numerator, denominator) in [(-1, 2), (-3, 2), (3, 2), (7, 2), (-5, 3)] {
            let found = wide.power(numerator, denominator).unwrap();
            let exponent = numerator as f64 / f64::from(denominator);
            let largest = least.powf(exponent).max(greatest.powf(exponent)) * (1.0 + 1e-9);
            for part in [&found.re, &found.im] {
                let size = part.lo().abs().max(part.hi().abs());
                assert!(size <= largest, "{wide:?} to {exponent}: {part:?}, {largest}");
            }
        }
    }
}

fn asked(question: &str, eps: &str) -> smoothish::number::Enclosure {
    let answer = ask_within(2_000_000_000, question, eps);
    assert!(answer.reached, "{question}: {answer:?}");
    answer.enclosure
}

/// Integrals with closed forms, to hundreds of digits.
#[test]
fn integrals_of_analytic_functions_have_hundreds_of_digits() {
    for (integrand, truth) in [
        ("exp x", "e - 1"),
        ("1 / (1 + x^2)", "pi / 4"),
        ("1 / (1 + x)", "log 2"),
        ("x * sin (x^2)", "(1 - cos 1) / 2"),
        ("sqrt (1 + x)", "(2 * sqrt 8 - 2) / 3"),
        ("(1 + x)^(-5/3)", "3/2 * (1 - 2^(-2/3))"),
        ("tanh x", "log (cosh 1)"),
        ("1 / (1 + 400 * x^2)", "atan 20 / 20"),
        ("cos (30 * x)", "sin 30 / 30"),
        ("tan (1.4 * x)", "0 - log (cos 1.4) / 1.4"),
        ("log (1/100 + x)", "1.01 * log 1.01 - 0.01 * log 0.01 - 1"),
        ("x^11 - 2 * x^3", "1/12 - 1/2"),
    ] {
        for eps in ["1e-30", "1e-200"] {
            let found = asked(&format!("integral01 (\\x => {integrand})"), eps);
            let truth = asked(truth, "1e-230");
            assert!(found.overlaps(&truth), "{integrand}: {found}, and the truth is {truth}");
        }
    }
}

/// The same without complex arguments, which shares no bound with it.
#[test]
fn panels_agree_with_complex_arguments() {
    let mut cheap = 0;
    let [sin, cos, exp, log, sqrt, atan] =
        [Function::Sin, Function::Cos, Function::Exp, Function::Log, Function::Sqrt, Function::Atan]
            .map(|f| move |g: Graph| Graph::function(f, &g));
    let add = |a: &Graph, b: Graph| Graph::binary(Binary::Add, a, &b);
    let times = |a: Graph, b: &Graph| Graph::binary(Binary::Multiply, &a, b);
    let [one, two] = [1, 2].map(Graph::integer);
    let v = Variable::fresh();
    let x = Graph::variable(v);
    let thrice = times(Graph::integer(3), &x);
    for integrand in [
        sin(add(&x, exp(x.clone()))),
        Graph::binary(Binary::Divide, &one, &add(&two, cos(times(Graph::integer(5), &x)))),
        exp(times(Graph::integer(-1), &times(thrice.clone(), &thrice))),
        times(sqrt(add(&one, sin(x.clone()))), &log(add(&two, x.clone()))),
        atan(add(&thrice, Graph::integer(-1))),
    ] {
        let graph = Graph::integral(v, integrand.clone());
        let mut work = [0, 0];
        let found = [true, false].map(|complex| {
            let budget = Budget::new(2_000_000_000, None, None);
            let shortcuts = SolverOptions { complex, ..SolverOptions::ALL };
            let effort = PassOptions::new(Magnitude::power_of_two(-100), &budget).with_solver_options(shortcuts);
            let found = graph.compile_evaluation().unwrap().enclose_in_pass(Precision::Mpfr(160), &effort).unwrap();
            work[usize::from(complex)] = budget.work_done();
            found
        });
        assert!(found[0].overlaps(&found[1]), "{integrand:?}: {} {}", found[0], found[1]);
        assert!(found.iter().all(|e| e.is_defined() && e.width().floor_log2() < -90), "{integrand:?}: {found:?}");
        println!("{work:?}");
        cheap += u32::from(4 * work[1] < work[0]);
    }
    // it is there for its speed, and is what is used
    assert_eq!(cheap, 5);
}

/// ∫₀¹ exp (z·t) dt = (exp z - 1)/z, over squares round z that shrink.
#[test]
fn rectangles_hold_integrals() {
    let [x, t] = [Variable::fresh(), Variable::fresh()];
    let product = Graph::binary(Binary::Multiply, &Graph::variable(x), &Graph::variable(t));
    let inner = Graph::integral(t, Graph::function(Function::Exp, &product));
    let program = CompiledMap::compile(&[], &[Graph::integral(x, inner)]);
    let (body, budget, real) = (crate::integrand(&program), Budget::unlimited(), Algebra::real());
    let effort = PassOptions::new(Magnitude::power_of_two(-40), &budget);
    let machine = JetEvaluator::new(&Double, &effort, &real, &program);
    let complex = machine.on_rectangles(&body, &[], &Algebra::real(), 0, &[]).unwrap();
    let interval = |middle: f64, radius: f64| {
        let [a, b] =
            [middle - radius, middle + radius].map(|end| Double.enclose_rational(&Rational::from_f64(end).unwrap()));
        Double.hull(&a, &b)
    };
    for [a, b] in [[0.75, 0.5], [-1.25, 2.0], [2.5, -3.0], [-3.0, 0.125]] {
        let [re, im] = [f64::exp(a) * f64::cos(b) - 1.0, f64::exp(a) * f64::sin(b)];
        let squared = a * a + b * b;
        let truth = [(re * a + im * b) / squared, (im * a - re * b) / squared];
        for radius in [0.25, 0.0625, 0.0] {
            let found =
                complex.eval_on(&ComplexRectangle { re: interval(a, radius), im: interval(b, radius) }).unwrap();
            for (part, truth) in [found.re, found.im].iter().zip(truth) {
                let part = Double.to_enclosure(part);
                let [low, high] = [truth + 1e-12, truth - 1e-12].map(|end| Rational::from_f64(end).unwrap());
                assert!(*part.lo() <= low && *part.hi() >= high, "{a} + {b}i, {radius}: {part}, {truth}");
            }
        }
    }
    assert!(machine.on_rectangles(&program.root, &[], &Algebra::real(), 0, &[]).is_some());
}

/// exp (z·(c + ε + ε²/2)) for ε of modulus ½, real and imaginary.
#[test]
fn rectangles_hold_the_directions_of_captures() {
    let [c, x] = [Variable::fresh(), Variable::fresh()];
    let product = Graph::binary(Binary::Multiply, &Graph::variable(x), &Graph::variable(c));
    let program = CompiledMap::compile(&[c], &[Graph::integral(x, Graph::function(Function::Exp, &product))]);
    let (body, budget, real) = (crate::integrand(&program), Budget::unlimited(), Algebra::real());
    let effort = PassOptions::new(Magnitude::power_of_two(-40), &budget);
    let machine = JetEvaluator::new(&Double, &effort, &real, &program);
    let number = |x: f64| Double.enclose_rational(&Rational::from_f64(x).unwrap());
    let algebra = real.adjoin(AlgebraGenerator::Direction(2)).unwrap();
    let capture = Jet::new([0.75, 1.0, 0.5].map(|c| Some(number(c))));
    let complex = machine.on_rectangles(&body, &[capture], &algebra, -1, &[]).unwrap();
    for [a, b] in [[0.75, 0.5], [-1.25, 2.0], [2.5, -3.0], [-3.0, 0.125]] {
        let found = complex.eval_on(&point([a, b])).unwrap();
        // c + ε + ε²/2
        for [re, im] in [[0.75, 0.0], [1.375, 0.0], [0.375, 0.0], [0.625, 0.5], [0.625, -0.5]] {
            let [size, angle] = [f64::exp(a * re - b * im), a * im + b * re];
            for (part, truth) in [&found.re, &found.im].iter().zip([size * angle.cos(), size * angle.sin()]) {
                assert!(
                    Double.to_enclosure(part).contains(&Rational::from_f64(truth).unwrap()),
                    "{a} + {b}i, {re} + {im}i"
                );
            }
        }
        let size = f64::exp(1.375 * a.abs() + 0.5 * b.abs());
        assert!(found.modulus().unwrap().to_f64() < 40.0 * size, "{a} + {b}i: {:?}, {size}", found.modulus());
    }
}

/// Derivatives of integrals in what they depend on, beside those of closed forms in which nothing is integrated: near and far from poles. Nodes that
/// were enough for the value alone, and captures without their directions, are refused.
#[test]
fn derivatives_of_integrals_have_nodes() {
    for (integral, closed, at) in [
        (r"integral01 (\x => exp (c*x))", "(exp c - 1)/c", "1"),
        (r"integral01 (\x => 1/(1 + c*x))", "log (1 + c)/c", "-0.9"),
        (r"integral01 (\x => cos (20*c*x))", "sin (20*c)/(20*c)", "1.5"),
        (r"integral01 (\x => x*sqrt (c + x^2))", "((1 + c)^(3/2) - c^(3/2))/3", "0.125"),
        (r"integral01 (\x => integral01 (\y => exp (c*(x + y))))", "((exp c - 1)/c)^2", "1"),
        (
            r"integral01 (\x => integral01 (\y => 1/(1 + c*(x + y))))",
            "((1 + 2*c)*log (1 + 2*c) - 2*(1 + c)*log (1 + c))/c^2",
            "-0.4",
        ),
        (r"integral01 (\x => integral 0 x (\y => cos (c*x - y)))", "(1 - cos c)/c - (1 - cos (c - 1))/(c - 1)", "2"),
        (r"integral 0 c (\x => integral01 (\y => exp (x*c - y)))", "(1 - exp (-1))*(exp (c^2) - 1)/c", "0.75"),
    ] {
        for (order, eps) in [(1, "1e-12"), (2, "1e-25"), (4, "1e-40"), (8, "1e-20")] {
            let [found, truth] = [(integral, eps), (closed, "1e-60")]
                .map(|(body, eps)| asked(&format!(r"nthDeriv {order} (\c => {body}) ({at})"), eps));
            assert!(found.overlaps(&truth), "{integral}, order {order}: {found}, and the truth is {truth}");
            assert!(
                found.is_defined() && found.has_width_at_most(&decimal::parse(eps).unwrap()),
                "{integral}: {found}"
            );
        }
    }
    // in two directions, one after the other and as a gradient
    let integral = r"integral01 (\x => integral01 (\y => exp (a*x + b*y)))";
    let mixed = asked(&format!(r"deriv (\a => deriv (\b => {integral}) 0.5) 0.25"), "1e-20");
    let closed = |c: &str| format!(r"deriv (\c => (exp c - 1)/c) {c}");
    let truth = asked(&format!("{} * {}", closed("0.25"), closed("0.5")), "1e-40");
    assert!(mixed.overlaps(&truth), "{mixed}, {truth}");
    // where an integral has few digits and is asked inside of another one
    let nested = r"deriv (\c => integral01 (\x => integral01 (\y => 1/(1 + c*(x + y))))) 1";
    let answer = ask_within(3_000_000, nested, "1e-12");
    // it is there for its speed: with panels it took ten seconds
    assert!(answer.reached, "{answer:?}");
}

/// What is not analytic, or not defined on all of the interval, has none of it: no node meets these places.
#[test]
fn what_is_not_analytic_is_left_to_panels() {
    for question in [r"integral01 (\x => 1 / (x - 1/3))", r"integral01 (\x => log (x - 1/7))"] {
        let answer = ask_within(400_000_000, question, "1e-25");
        assert!(!answer.reached && !answer.enclosure.is_defined(), "{question}: {}", answer.enclosure);
    }
    // ∫|x - 1/9|^(-2/3) = 3·((1/9)^(1/3) + (8/9)^(1/3)) = 9^(2/3)
    let singular = asked(r"integral01 (\x => (x - 1/9)^(1/3) / (x - 1/9))", "1e-20");
    assert!(singular.overlaps(&asked("9^(2/3)", "1e-25")), "{singular}");
    // ∫|x - 1/3| = 5/18, ∫√x = 2/3
    for (question, truth) in [(r"integral01 (\x => abs (x - 1/3))", (5, 18)), ("integral01 sqrt", (2, 3))] {
        assert!(asked(question, "1e-25").contains(&Rational::from(truth)), "{question}");
    }
}

/// A kink, a sign and a choice on rectangles: by the sign of the real part, or as is given, whatever that sign.
#[test]
fn rectangles_hold_the_sides_of_kinks() {
    let v = Variable::fresh();
    let x = Graph::variable(v);
    let half = Graph::rational(Rational::from((1, 2)));
    let beyond = Graph::binary(Binary::Subtract, &x, &half);
    let twice = Graph::binary(Binary::Add, &x, &x);
    type Side = fn([f64; 2]) -> [f64; 2];
    // where x > ½, and where x < ½
    let itself: Side = |z| z;
    let constant: Side = |_| [0.5, 0.0];
    let kinks: [(&str, Graph, [Side; 2]); 5] = [
        ("abs", Graph::unary(Unary::Abs, &beyond), [|[re, im]| [re - 0.5, im], |[re, im]| [0.5 - re, -im]]),
        ("signum", Graph::unary(Unary::Signum, &beyond), [|_| [1.0, 0.0], |_| [-1.0, 0.0]]),
        ("max", Graph::binary(Binary::Maximum, &x, &half), [itself, constant]),
        ("min", Graph::binary(Binary::Minimum, &half, &x), [constant, itself]),
        ("if", Graph::select(&Guard::positive(&beyond), &twice, &half), [|[re, im]| [2.0 * re, 2.0 * im], constant]),
    ];
    for (name, kink, sides) in kinks {
        let program = CompiledMap::compile(&[], &[Graph::integral(v, kink)]);
        let (body, budget, real) = (crate::integrand(&program), Budget::unlimited(), Algebra::real());
        let effort = PassOptions::new(Magnitude::power_of_two(-40), &budget);
        let machine = JetEvaluator::new(&Double, &effort, &real, &program);
        let decides = |instruction: &BlockInstruction| match instruction {
            BlockInstruction::Unary(f, _) => matches!(f, Unary::Abs | Unary::Signum),
            BlockInstruction::Binary(f, ..) => matches!(f, Binary::Maximum | Binary::Minimum),
            BlockInstruction::Guard(_) => true,
            _ => false,
        };
        let switch = BranchPoint::of_instruction(body.instructions.iter().position(decides).expect("a kink"));
        let on = |given: &[_]| machine.on_rectangles(&body, &[], &Algebra::real(), 0, given).unwrap();
        for [re, im] in [[0.75, 0.5], [0.25, -1.0], [-1.0, 0.25], [3.0, 0.0]] {
            let told = on(&[]).eval_on(&point([re, im])).unwrap();
            assert!(holds(&told, sides[usize::from(re < 0.5)]([re, im])), "{name} at {re} + {im}i");
            for (side, branch) in [KinkBranch::Left, KinkBranch::Right].into_iter().enumerate() {
                let given = on(&[(switch, branch)]).eval_on(&point([re, im])).unwrap();
                assert!(holds(&given, sides[side]([re, im])), "{name} at {re} + {im}i, {branch:?}");
            }
        }
        let number = |x: f64| Double.enclose_rational(&Rational::from_f64(x).unwrap());
        let across = ComplexRectangle { re: Double.hull(&number(0.25), &number(0.75)), im: number(0.5) };
        assert!(
            on(&[]).eval_on(&across).is_none() && on(&[(switch, KinkBranch::Left)]).eval_on(&across).is_some(),
            "{name}"
        );
    }
}

/// Between kinks the integrand is analytic; the ends of these pieces move with the inputs. Nodes answer within 2 to a power of work,
/// where panels alone need at least four times as much.
#[test]
fn pieces_between_kinks_have_nodes() {
    let mut cheap = 0;
    for (integral, closed, at, work) in [
        (r"integral01 (\z => max 0 ((z - c)/sqrt (1 + (z - c)^2)))", "sqrt (1 + (1 - c)^2) - 1", "0.5", 16),
        (r"integral01 (\x => abs (sin (c*x)))", "(5 - cos c)/c", "8", 16),
        (r"integral01 (\x => exp (0 - abs (x - c)))", "2 - exp (0 - c) - exp (c - 1)", "1/3", 14),
        (r"integral01 (\x => min (exp x) (exp (c - x)))", "2*exp (c/2) - 1 - exp (c - 1)", "0.75", 14),
        // by parts, up to √c and beyond
        (
            r"integral01 (\x => log (2 + abs (x^2 - c)))",
            "let a = sqrt (2 + c) in let b = sqrt (2 - c) in let r = sqrt c in \
             r*log 2 - 2*r + a*log ((a + r)/(a - r)) + log (3 - c) - r*log 2 - 2*(1 - r) + 2*b*(atan (1/b) - atan (r/b))",
            "0.25",
            16,
        ),
        (
            r"integral01 (\x => if x < c then exp (c*x) else sin (c*x))",
            "(exp (c^2) - 1 + cos (c^2) - cos c)/c",
            "0.4",
            14,
        ),
        (r"integral01 (\x => signum (x - c) * exp (x/c))", "c*(exp (1/c) - 2*e + 1)", "0.625", 14),
        (
            r"integral01 (\x => integral01 (\y => exp (c*y)*max 0 (sin (x - c))))",
            "(exp c - 1)/c * (1 - cos (1 - c))",
            "0.5",
            30,
        ),
    ] {
        for (order, eps) in [(0, "1e-30"), (0, "1e-100"), (1, "1e-12"), (1, "1e-30"), (2, "1e-25"), (4, "1e-40")] {
            let question = |body: &str| match order {
                0 => format!(r"(\c => {body}) ({at})"),
                _ => format!(r"nthDeriv {order} (\c => {body}) ({at})"),
            };
            let [found, truth] = [asked(&question(integral), eps), asked(&question(closed), "1e-110")];
            assert!(found.overlaps(&truth), "{integral}, order {order}: {found}, and the truth is {truth}");
            assert!(
                found.is_defined() && found.has_width_at_most(&decimal::parse(eps).unwrap()),
                "{integral}: {found}"
            );
        }
        let first = format!(r"deriv (\c => {integral}) ({at})");
        cheap += u32::from(ask_within(1 << work, &first, "1e-40").reached);
    }
    assert_eq!(cheap, 8);
}

/// Tests that take more than half a second: `cargo quick` passes them over.
mod slow {
    use super::*;

    /// Integrals inside of integrals: the outer one has nodes, in doubles too. Values by quadrature at 20 digits, the second by the distribution
    /// function of normal draws, 2π·(2Φ(4) - 1)²; that with a kink is ∫ 2(1 - exp (-x/2))/x.
    #[test]
    fn integrals_of_integrals_have_nodes() {
        for (question, eps, truth) in [
            (r"integral01 (\x => integral01 (\y => exp (x*y)))", "1e-12", "1.31790215145440389486"),
            (r"integral (-4) 4 (\x => integral (-4) 4 (\y => exp (-(x^2 + y^2)/2)))", "1e-9", "6.28238934726403991628"),
            (
                r"integral01 (\x => integral01 (\y => integral01 (\z => exp (-(x + y + z)^2))))",
                "1e-9",
                "0.18431849531288580879",
            ),
            // the inner one is of length x
            (r"integral01 (\x => integral 0 x (\y => cos (x - y)))", "1e-12", "0.45969769413186028260"),
            // a kink inside, and one at which the variables meet: panels
            (r"integral01 (\x => integral01 (\y => abs (x - y)))", "1e-6", "0.33333333333333333333"),
            (r"integral01 (\x => integral01 (\y => exp (-(abs (y - 1/2)*x))))", "1e-6", "0.88768415823549672587"),
        ] {
            let (found, truth) = (asked(question, eps), decimal::parse(truth).unwrap());
            let near = decimal::parse("1e-19").unwrap();
            let [low, high] = [Rational::from(&truth - &near), Rational::from(&truth + &near)];
            assert!(*found.lo() <= high && *found.hi() >= low, "{question}: {found}, and the truth is {truth}");
            assert!(
                found.is_defined() && found.has_width_at_most(&decimal::parse(eps).unwrap()),
                "{question}: {found}"
            );
        }
        for question in [
            r"integral01 (\x => integral01 (\y => 1 / (x + y - 1/2)))",
            r"integral01 (\x => integral01 (\y => log (x + y - 1/7)))",
        ] {
            let answer = ask_within(100_000_000, question, "1e-3");
            assert!(!answer.enclosure.is_defined(), "{question}: {}", answer.enclosure);
        }
    }
}
