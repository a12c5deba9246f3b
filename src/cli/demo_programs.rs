//! The programs of `smoothish demo`: the examples of [Sherman et al. 2021](crate::refs::SHERMAN_2021). Each has its
//! true value, derived by hand, and the cost of the authors' implementation.

/// A program with its true value.
#[derive(Clone, Copy, Debug)]
pub struct DemoProgram {
    /// The title: the computed number, and its section in the paper.
    pub title: &'static str,
    /// The source text.
    pub source: &'static str,
    /// The true value.
    pub truth: KnownValue,
    /// The derivation of the true value.
    pub because: &'static str,
    /// The time of the authors' implementation on the same machine, its memory, and the tolerance that it reached.
    pub artifact: Option<&'static str>,
}

/// A true value, as far as decimals express it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KnownValue {
    /// The value is this decimal.
    Exact(&'static str),
    /// The value is `name`. It lies between these digits and one more in the last place, away from 0.
    Digits {
        /// The value in mathematical notation.
        name: &'static str,
        /// The first digits.
        digits: &'static str,
    },
    /// The value is the set of the numbers between two decimals.
    Set(&'static str, &'static str),
}

/// Returns a true value of which only the first digits are known as decimals.
const fn known_digits(name: &'static str, digits: &'static str) -> KnownValue {
    KnownValue::Digits { name, digits }
}

/// The programs, in the order of the demonstration.
pub const PROGRAMS: &[DemoProgram] = &[
    DemoProgram {
        title: "the slope of an integral whose integrand has a kink that moves (§5.2.1)",
        source: r"deriv (\c => integral01 (\x => max 0 (x - c))) 0.6",
        truth: KnownValue::Exact("-0.4"),
        because: "d/dc (1-c)²/2 = c - 1",
        artifact: Some("85 s, 13 GB (1e-6)"),
    },
    DemoProgram {
        title: "the same for an absolute value (§5.2.1)",
        source: r"deriv (\c => integral01 (\x => abs (x - c))) 0.6",
        truth: KnownValue::Exact("0.2"),
        because: "d/dc (c² + (1-c)²)/2 = 2c - 1",
        artifact: None,
    },
    DemoProgram {
        title: "brightness under a line of light (§2.3)",
        source: "let brightness (y : ℜ) : ℜ =\n  integral01 (λ y0 : ℜ ⇒ max 0 ((y0 - y) / sqrt (1 + (y0 - y)^2)))\nin brightness (1/2)",
        truth: known_digits("√5/2 - 1", "0.1180339887498948482045868343656381177203"),
        because: "∫₀^(1-y) u/√(1+u²) du = √(1 + (1-y)²) - 1",
        artifact: None,
    },
    DemoProgram {
        title: "its slope (§2.3)",
        source: "let brightness (y : ℜ) : ℜ =\n  integral01 (λ y0 : ℜ ⇒ max 0 ((y0 - y) / sqrt (1 + (y0 - y)^2)))\nin deriv brightness (1/2)",
        truth: known_digits("-1/√5", "-0.4472135954999579392818347337462552470881"),
        because: "-(1-y)/√(1 + (1-y)²)",
        artifact: Some("9.2 s, 1.5 GB (1e-4)"),
    },
    DemoProgram {
        title: "the slope of the cube root, found as a root (§5.2.2)",
        source: r"let cuberoot (a : Real) : Real = cutRoot (\q => a - q^3) in deriv cuberoot 8",
        truth: known_digits("1/12", "0.0833333333333333333333333333333333333333"),
        because: "1/(3q²) at q = 2",
        artifact: Some("0.01 s (1e-5)"),
    },
    DemoProgram {
        title: "its second derivative",
        source: r"let cuberoot (a : Real) : Real = cutRoot (\q => a - q^3) in deriv (deriv cuberoot) 8",
        truth: known_digits("-1/144", "-0.0069444444444444444444444444444444444444"),
        because: "-2/(9q⁵) at q = 2",
        artifact: Some("0.15 s (1e-200)"),
    },
    DemoProgram {
        title: "its third derivative",
        source: r"let cuberoot (a : Real) : Real = cutRoot (\q => a - q^3) in deriv (deriv (deriv cuberoot)) 8",
        truth: known_digits("5/3456", "0.0014467592592592592592592592592592592592"),
        because: "10/(27q⁸) at q = 2",
        artifact: None,
    },
    DemoProgram {
        title: "where a ray meets a circle (§2.1)",
        source: r"let tStar (y : Real) : Real = firstRoot (\t => (t - 1)^2 + y^2 - 1) in tStar (-3/4)",
        truth: known_digits("1 - √7/4", "0.3385621722338523523745960615901848935724"),
        because: "(t-1)² + y² = 1, first at t = 1 - √(1-y²)",
        artifact: None,
    },
    DemoProgram {
        title: "how that moves with the circle (§2.1)",
        source: r"let tStar (y : Real) : Real = firstRoot (\t => (t - 1)^2 + y^2 - 1) in deriv tStar (-3/4)",
        truth: known_digits("-3/√7", "-1.1338934190276816816435496087025401802447"),
        because: "y/√(1-y²)",
        artifact: None,
    },
    DemoProgram {
        title: "a ray tracer (§2, Fig. 1; the paper prints 2.587, by an error in its program)",
        source: "raytrace (circle (1, -3/4) 1) (1, 1) (1, 0)",
        truth: known_digits("", "1.5818357141387754206504983169321692715822"),
        because: "(y²-y-1)/((1-s)² (2-y²)^(3/2)), s = √(1-y²), at y = -3/4",
        artifact: Some("0.15 s (1e-12), another value"),
    },
    DemoProgram {
        title: "how brightness changes when the circle is moved up (§2; the paper prints 1.348)",
        source: r"deriv (\y => raytrace (circle (1, y) 1) (1, 1) (1, 0)) (-3/4)",
        truth: known_digits("", "-4.5350117564923532251325823791598846345493"),
        because: "the value times -8 + 24/(4√7-7) - 36/23, its logarithmic derivative",
        artifact: Some("2.0 s (1e-3), another value"),
    },
    DemoProgram {
        title: "a function applied twice (Table 1)",
        source: "deriv (twice sin) 1",
        truth: known_digits("cos(sin 1) cos 1", "0.3600394890896209170006861816856929267043"),
        because: "the chain rule",
        artifact: None,
    },
    DemoProgram {
        title: "the mean of the uniform distribution, tilted along change f = ∫₀¹ (x - ½) f(x) dx (§7.1)",
        source: "der mean uniform change",
        truth: known_digits("1/12", "0.0833333333333333333333333333333333333333"),
        because: "∫ (x - ½) x dx = 1/3 - 1/4",
        artifact: None,
    },
    DemoProgram {
        title: "and its variance (§7.1)",
        source: "der variance uniform change",
        truth: KnownValue::Exact("0"),
        because: "∫ (x - ½) x² dx - 2 · ½ · 1/12 = 1/12 - 1/12",
        artifact: Some("9.6 s, 3.4 GB (1e-2)"),
    },
    DemoProgram {
        title: "and its variance, to second order",
        source: r"deriv (deriv (\t => variance (\f => uniform f + t * change f))) 0",
        truth: known_digits("-1/72", "-0.0138888888888888888888888888888888888888"),
        because: "the variance is 1/12 - t²/144",
        artifact: None,
    },
    DemoProgram {
        title: "the derivative of a function of functions (§5.3)",
        source: r"der (\f => integral01 (\x => f x ^ 2)) (\x => x) (\x => x^2)",
        truth: KnownValue::Exact("0.5"),
        because: "2 ∫ x · x² dx",
        artifact: None,
    },
    DemoProgram {
        title: "the Hausdorff distance of an L shape and a quarter circle (§7.3)",
        source: "hausdorffDist R2Dist lShape (quarterCircle 0)",
        truth: known_digits("√2 - 1", "0.4142135623730950488016887242096980785696"),
        because: "the corner (1, 1) is farthest from the circle",
        artifact: Some("2.5 s (1e-4)"),
    },
    DemoProgram {
        title: "its slope as the circle moves up (§7.3)",
        source: r"deriv (\y => hausdorffDist R2Dist lShape (quarterCircle y)) 0",
        truth: known_digits("-1/√2", "-0.7071067811865475244008443621048490392848"),
        because: "√(1 + (1-y)²) - 1 has slope -1/√2; the corner belongs to both sides, with one slope",
        artifact: Some("45 s, 4.5 GB (1e-1)"),
    },
    DemoProgram {
        title: "the slope of the place of a maximum (§5.2.3)",
        source: r"deriv (\c => argmax01 (\x => 1/2 - (x - c)^2 + 0.3 * c^3 * x)) 0.5",
        truth: KnownValue::Exact("1.1125"),
        because: "the maximum is at c + 0.15 c³",
        artifact: None,
    },
    DemoProgram {
        title: "the slope of a maximum that is flat to third order (§5.2.3)",
        source: r"deriv (\c => max01 (\x => c - (x - 1/2)^4)) 1",
        truth: KnownValue::Exact("1"),
        because: "the maximum is c",
        artifact: Some("NaN"),
    },
    DemoProgram {
        title: "a maximum of minima (§5.2.3)",
        source: r"deriv (\c => max01 (\x => min01 (\y => (x - y - c)^2))) 0.3",
        truth: KnownValue::Exact("0.6"),
        because: "c², at x = 0 with y = 0",
        artifact: None,
    },
    DemoProgram {
        title: "the slope of relu at its kink: a set (§2.3)",
        source: r"deriv (\x => max 0 x) 0",
        truth: KnownValue::Set("0", "1"),
        because: "the hull of the slopes 0 and 1 on either side (Clarke)",
        artifact: Some("does not end"),
    },
    DemoProgram {
        title: "a root that is only touched: a set (§5.2.2)",
        source: r"firstRoot (\x => (x - 1/2)^2)",
        truth: KnownValue::Set("0.5", "1"),
        because: "a little lower it has a root near ½, a little higher none, and then the answer is 1",
        artifact: Some("does not end"),
    },
];
