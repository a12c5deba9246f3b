//! Names of other languages without a direct counterpart, and the advice for them.
//!
//! # Functions of numerical libraries
//!
//! Functions of numerical libraries (NumPy, SciPy, JAX, MATLAB, Mathematica, Julia), and their counterparts here.

/// The names of libraries that are written before functions.
pub(super) const PREFIXES: &[&str] =
    &["np", "numpy", "jnp", "jax", "torch", "tf", "math", "cmath", "sp", "scipy", "sympy", "std", "f64"];

/// The types of other languages.
pub(super) const TYPES: &[&str] = &[
    "float", "double", "real", "int", "integer", "num", "number", "nat", "bool", "boolean", "string", "list", "Int",
    "int32", "float32", "float64", "Integer", "Float", "Double", "Number", "Num", "Boolean", "String", "Natural", "R",
    "N", "Z", "Vector", "Array", "f32", "f64", "i32", "i64", "u32", "u64", "usize", "str",
];

pub(super) const IMPORTS: &str =
    "theories are there without being asked for; a file is read by --load FILE, or :load at the prompt";
pub(super) const LOOPS: &str = "there are no loops: a list is taken by `fold`, or `let rec` calls itself";
pub(super) const EQUATIONS: &str = "linear equations are solved by linearSolve (matrix2 m) b";
pub(super) const TRANSPOSED: &str = "transposed is transpose (matrix2 ((1, 2), (3, 4))), and rows2 shows its rows";
pub(super) const WITHOUT_PREFIX: &str = "functions stand without a prefix: sin 1, sqrt 2, log 3";
pub(super) const OF_NO_MODULE: &str =
    "functions stand without a prefix: sin 1; `smoothish doc` lists the names there are, :list the modules";
pub(super) const NAMED: &str = "arguments have no names, and stand side by side: max 1 2";
pub(super) const EQUATIONS_OF_SLOPES: &str =
    "differential equations are not solved here; there are integrals, integral 0 1 f, and roots, root 0 1 f";
pub(super) const ROOTS: &str = "root a b f is the first zero of f between a and b, where f changes its sign: root 0 2 (\\x => x^2 - 2); of a function that falls through 0 once it is cutRoot f";
pub(super) const CHANCES: &str = "the probability that a normal number is above 1 is 1 - normalCdf 0 1 1; of any program that samples, smoothish expect 'sample (normal 0 1)' '\\x => if x > 1 then 1 else 0'";
pub(super) const UNITS: &str = "numbers have no units: a length in metres is a number of metres, 3 * 1000; a product is written with a sign, 2 * x";
/// Units of measurement that are not also common names of variables.
pub(super) const UNIT_NAMES: &[&str] = &[
    "km", "cm", "mm", "nm", "µm", "um", "kg", "mg", "ms", "Hz", "kHz", "MHz", "GHz", "Pa", "kPa", "hPa", "bar", "eV",
    "keV", "MeV", "kW", "kWh", "mol", "inch", "inches", "feet", "foot", "ft", "lb", "lbs", "oz", "mile", "miles",
    "mph", "kmh", "meter", "meters", "metre", "metres", "gram", "grams", "liter", "litre", "hour", "hours", "minute",
    "minutes", "seconds", "day", "days", "year", "years", "USD", "EUR", "dollar", "dollars", "euro", "euros",
    "celsius", "kelvin", "rad",
];
pub(super) const ROUNDED: &str = "numbers are rounded by floor, ceil and round, each undefined where it jumps; towards 0 it is floor x above 0, ceil x below";
pub(super) const LIMITS: &str = "there are no limits: a quotient of differences is deriv f x, an integral to infinity integral a infinity f; near a point, a value is f (x + 1e-9)";
pub(super) const HAS_TYPES: &str =
    "the types are Real, Nat and Bool, tuples Real * Real, functions Real -> Real, and lists List Real";

/// Names that are not defined here, with the advice for them. Those with a counterpart are in
/// [`constant`](crate::syntax::constant).
#[doc(hidden)]
pub const NAMES: &[(&[&str], &str)] = &[
    (&["Norm", "hypot", "magnitude"], "the length of a vector is norm v, and its square norm2 v"),
    (
        &["int", "float", "double", "real", "fromIntegral"],
        "literals are real where they can be; toReal turns a natural number into a real one",
    ),
    (
        &["head", "tail", "last", "first", "nth", "get"],
        "a list is taken apart by match xs with [] => 0 | x :: rest => x",
    ),
    (
        &["sort", "sorted", "filter", "zip", "zipWith", "foldl", "concat"],
        "of lists there are fold, mapList, append, reverse, sum and length",
    ),
    (&["fmax", "amax", "nanmax", "Max"], "the greater of two numbers is max a b, that of a list maximum [1, 2, 3]"),
    (&["fmin", "amin", "nanmin", "Min"], "the lesser of two numbers is min a b, that of a list minimum [1, 2, 3]"),
    (&["heaviside", "Heaviside", "step"], "write if x > 0 then 1 else 0"),
    (&["Some"], "a value that may be missing is Nothing, or Just x"),
    (&["sinc"], "write sin x / x, which is undefined at 0"),
    (
        &["Σ", "Π"],
        "sums and products have ends: sumOn 1 10 (\\i => i^2), productOn 1 5 (\\i => i); a list is added by sum [1, 2, 3]",
    ),
    (
        &["std", "stdev", "sd", "sigma", "StandardDeviation"],
        "the standard deviation of a list is spread [1, 2, 3], and its mean average [1, 2, 3]",
    ),
    (
        &["median", "mode", "quantile", "percentile"],
        "of a list there are average, maximum, minimum and spread; of the normal distribution normalQuantile 0 1 0.975",
    ),
    (
        &["end", "disp", "it", "ans", "_"],
        "the last answer of the prompt, where there is one, is ans; write the expression itself",
    ),
    (&["exit", "quit"], "the prompt is left by :quit, or Ctrl-D"),
    (&["help", "man", "usage"], "at the prompt, :help; on the command line, smoothish --help"),
    (&["ceiling", "trunc", "truncate", "rint"], ROUNDED),
    (
        &["mod", "fmod", "rem", "remainder", "divmod"],
        "a remainder is mod 7.5 2, undefined where it jumps: at multiples of the divisor, so that of integers is mod (5 + 1/2) 2 - 1/2",
    ),
    (&["nan", "NaN"], "numbers are finite; what has no value is ⊥, as is 1/0"),
    (&["Infinity", "oo"], "infinity stands only at an end of an integral: integral 0 infinity (\\x => exp (-x))"),
    (
        &["print", "println", "printf", "show", "echo", "eval", "puts", "str", "hex", "bin", "repr"],
        "write the expression itself",
    ),
    (&["import", "include", "require", "from", "using", "open"], IMPORTS),
    (
        &["def", "function", "func", "define", "var", "const", "val", "set"],
        "a definition is written let f x = e in …, a function \\x => e",
    ),
    (&["while", "for", "loop", "repeat", "break", "continue"], LOOPS),
    (&["and"], "truth values are combined by &&"),
    (&["or"], "truth values are combined by ||"),
    (&["xor"], "write (a && not b) || (b && not a)"),
    (&["None", "null", "undefined"], "a value that may be missing is Nothing, or Just x"),
    (&["div", "quot"], "a quotient is x / y, that of integers floor ((x + 1/2) / y)"),
    (&["choose", "binom", "nCr", "comb", "nchoosek", "Binomial"], "n over k is binomial n k: binomial 52 5"),
    (&["nthroot", "nthRoot", "nroot"], "the n-th root of x is x^(1/n)"),
    (&["D", "Derivative"], "the derivative of f at x is deriv f x"),
    (&["Plot", "plot"], "a function is drawn by smoothish plot '\\x => x^2' --from 0 --to 1, :plot at the prompt"),
    (&["N"], "every answer is a number; --digits sets how many digits are certain"),
    (&["Table"], "over a list it is mapList: mapList (\\i => toReal i) (range 5)"),
    (&["E"], "Euler's number is e, or exp 1; a mean is enclosed by smoothish expect"),
    (
        &["doc", "load", "smoothish", "density", "infer"],
        "a command stands by itself: smoothish doc sin on the command line, :doc sin at the prompt",
    ),
    (&["otherwise"], "a choice is written if x > 0 then a else b"),
    (&["eye", "identity", "ones"], "a matrix is written out: matrix2 ((1, 0), (0, 1))"),
    (
        &["i", "j", "I"],
        "numbers are real: a complex number is a pair (re, im); as a parameter, it is bound by \\i => …",
    ),
    (&["d", "dx", "dy", "dt"], "the derivative of f at x is deriv f x"),
    (&["numpy", "np", "jnp", "math", "torch", "jax"], "functions stand without a prefix: sin 1"),
    (
        &["random", "rand", "randn", "randint", "RandomReal"],
        "a program that samples is written do { x <- sample (uniformOn 0 1); … }; an expectation is an integral",
    ),
    (&["log_10", "log₁₀", "lg", "Log10"], "the logarithm to base 10 is log10 x"),
    (&["log_2", "log₂", "ld", "lb", "Log2"], "the logarithm to base 2 is log2 x"),
    (&["Ln"], "the natural logarithm is ln x, or log x"),
    (&["exp2"], "a power is written 2^x"),
    (&["sec", "csc", "cot"], "write 1/cos x, 1/sin x, cos x/sin x"),
    (&["deg", "degrees", "radians"], "angles are in radians: sin (pi / 2)"),
    (&["fact", "Factorial", "fac"], "n! is factorial n: factorial 5"),
    (&["tgamma", "Γ", "Gamma"], "for a positive x, the gamma function is exp (lgamma x)"),
    (
        &["arange"],
        "range n is the list of the natural numbers below n, linspace a b n that of the ends of n equal parts of [a, b]",
    ),
    (&["len", "size", "count"], "the length of a list is length list"),
    (&["inv"], "the inverse of a linear map is inverse f: of a matrix ((a, b), (c, d)) inverse (matrix2 m)"),
    (
        &["matmul", "mm", "matvec", "mv", "matrix"],
        "matrix2 m v is the product of a matrix of two rows with a vector, matrix3 that of three; rows2 (compose (matrix2 m) (matrix2 n)) that of two matrices",
    ),
    (&["lstsq", "linsolve", "gauss", "linalg"], EQUATIONS),
    (
        &["linprog", "linear_program", "milp", "LinearProgramming"],
        "there are no linear programs: minOn a b f is the least value of f on [a, b], argminOn a b f its place; nest them for several variables",
    ),
    (
        &["eig", "eigenvalues", "eigvals", "Eigenvalues", "Eigensystem", "svd", "lu", "qr", "cholesky"],
        "of matrices there are det, trace, transpose, inverse and linearSolve",
    ),
    (&["softplus"], "write log1p (exp x)"),
    (&["gelu"], "write x * (1 + erf (x / sqrt 2)) / 2"),
    (&["clip", "clamp"], "write max lo (min hi x)"),
    (
        &["where", "piecewise", "cond", "ifelse", "Piecewise", "If", "Which", "iif", "elif", "elseif", "unless"],
        "a choice is written if x > 0 then a else b",
    ),
    (&["lim", "limit", "Limit"], LIMITS),
    (&["complex", "Complex", "im", "conj"], "numbers are real: a complex number is a pair (re, im)"),
    (
        &["array", "vector", "vec", "tensor", "asarray", "tuple", "list"],
        "a vector is a tuple, (1, 2, 3), and a list is written [1, 2, 3]",
    ),
    (
        &["Det", "Inverse", "Transpose", "Dot", "Cross", "Tr", "LinearSolve"],
        "of matrices there are det, trace, transpose, inverse and linearSolve, as det (matrix2 ((1, 2), (3, 4))); of vectors dot v w and crossProduct v w",
    ),
    (
        &["simplify", "expand", "factor", "Simplify", "FullSimplify", "Expand", "Factor", "collect", "subs"],
        "an expression is answered by its value, and is not rewritten; the program of a derivative is printed by smoothish derive",
    ),
    (
        &["syms", "symbols", "Symbol", "Function", "sym"],
        "a variable is that of a function: \\x => x^2, and deriv (\\x => x^2) 3",
    ),
    (&["assert", "check", "prove"], "a claim or a law is written in a theory, and tried by smoothish check FILE"),
    (&["is"], "whether two natural numbers are equal is a == b; real numbers are compared by < and >"),
    (&["begin"], "a program is one expression: let x = 1 in x + 1"),
    (
        &["prod", "Product", "cumprod"],
        "a product has ends: productOn 1 5 (\\i => i); the numbers of a list are multiplied by fold (\\x rest => x * rest) 1 [2, 3]",
    ),
    (
        &["avg", "Mean", "nanmean"],
        "the mean of a list is average [1, 2, 3]; that of a program that samples is enclosed by smoothish expect",
    ),
    (
        &["Sum", "cumsum", "summation"],
        "a sum has ends: sumOn 1 10 (\\i => i^2); the numbers of a list are added by sum [1, 2, 3]",
    ),
    (&["Map", "fmap", "apply", "vmap", "arrayfun"], "over a list it is mapList: mapList sqrt [1, 2]"),
    (&["ode", "ode45", "odeint", "solve_ivp", "DSolve", "NDSolve", "dsolve"], EQUATIONS_OF_SLOPES),
    (&["clear", "cls", "clc"], "at the prompt, Ctrl-L clears the screen; a name is hidden by a later one"),
    (
        &["data", "class", "instance", "module", "struct", "newtype", "enum"],
        "a type is declared at the prompt or in a theory: type Foo = A | B Real",
    ),
    (
        &["expect", "expectation", "Expectation", "expected", "NExpectation"],
        "the mean of a function is enclosed by smoothish expect 'sample (normal 0 1)' '\\x => x^2'; of a distribution alone it is normal 0 1 (\\x => x^2)",
    ),
    (&["prob", "Prob", "Pr", "probability", "Probability", "proba", "NProbability"], CHANCES),
    (&["Module", "Block", "With"], "names are given one at a time: let x = 1 in x + 1"),
    (&["frac", "fract", "fractional"], "the fractional part of x is mod x 1"),
    (&["fix"], "towards 0, an integer is floor x above 0 and ceil x below"),
    (
        &["gcd", "lcm", "isprime", "prime", "even", "odd", "isodd", "iseven"],
        "integers have no functions of their own; natural numbers have +, -, * and ==",
    ),
    (&["elem", "member", "contains"], "a list is searched by fold: fold (\\x rest => x == 2 || rest) ff (range 5)"),
    (&["subtract"], "a difference is written x - y"),
    (&["roundTo", "roundn", "signif"], "rounded to two places, x is round (100 * x) / 100"),
    (
        &["toNat", "fromReal", "toInt", "toInteger"],
        "no natural number is made of a real one: where it is needed, write it as one, as in range 5",
    ),
    (&["NA", "NULL"], "a value that may be missing is Nothing, or Just x"),
    (&["nPr", "perm"], "of n things, k are ordered in factorial k * binomial n k ways"),
    (
        &["cdf", "CDF", "pnorm", "normcdf", "normalcdf", "ncdf", "Phi", "Φ"],
        "the probability of a normal number up to x is normalCdf m s x, of mean m and standard deviation s: normalCdf 0 1 1.96",
    ),
    (
        &["pdf", "PDF", "dnorm", "normpdf", "normalpdf", "φ"],
        "the normal density at x is normalPdf m s x, of mean m and standard deviation s: normalPdf 0 1 1.96",
    ),
    (
        &["qnorm", "norminv", "ppf", "invnorm", "invNorm", "probit"],
        "the number up to which a normal one lies with probability p is normalQuantile m s p: normalQuantile 0 1 0.975",
    ),
    (
        &["rnorm", "runif", "rexp", "rbinom"],
        "a program that samples is written do { x <- sample (normal 0 1); return x }",
    ),
    (
        &["lognormal", "rlnorm", "dlnorm"],
        "a log-normal number has the mean and the standard deviation of its logarithm: do { x <- sample (logNormal 0 1); return x }",
    ),
    (&["at"], "an argument stands behind its function: deriv sin 3"),
    (&["typeof", "TypeOf"], "the type of an expression is printed by :type e at the prompt, and by eval --json"),
];

/// Functions that take a function of one variable.
pub(super) const OF_FUNCTIONS: &[&str] = &[
    "deriv",
    "integral01",
    "cutRoot",
    "firstRoot",
    "max01",
    "min01",
    "argmax01",
    "argmin01",
    "gradient",
    "jacobian",
    "hessian",
    "tangent",
];

/// Functions that take a function of one tuple.
pub(super) const OF_POINTS: &[&str] = &["gradient", "jacobian", "hessian", "rd", "jvp"];

/// Names of library functions, with the advice for them.
#[doc(hidden)]
pub const LIBRARIES: &[(&[&str], &str)] = &[
    (
        &[
            "integrate",
            "integration",
            "integ",
            "quad",
            "quadgk",
            "quadl",
            "quadv",
            "quad_vec",
            "fixed_quad",
            "romberg",
            "trapz",
            "trapezoid",
            "simpson",
            "simps",
            "nintegrate",
            "NIntegrate",
            "Integrate",
        ],
        "the integral of f from a to b is integral a b f, from a on integral a infinity f, and over [0, 1] integral01 f",
    ),
    (
        &["integral2", "integral3", "dblquad", "tplquad", "nquad", "cubature", "hcubature", "quad2d"],
        "integrals stand in each other: integral 0 1 (\\x => integral 0 x (\\y => x * y))",
    ),
    (
        &["cumtrapz", "cumulative_trapezoid", "antiderivative", "primitive"],
        "the integral up to x, as a function of x, is \\x => integral 0 x f",
    ),
    (
        &[
            "value_and_grad",
            "autograd",
            "ForwardDiff",
            "Zygote",
            "Enzyme",
            "ReverseDiff",
            "numdiff",
            "finite_diff",
            "ND",
            "Dt",
            "jacrev",
            "jacfwd",
            "Grad",
            "Jacobian",
        ],
        "the derivative of f at x is deriv f x, the gradient at a tuple gradient f p, the derivative of a map along v jacobian f p v",
    ),
    (&["vjp", "pullback"], "reverse mode is rd f x w, the transposed derivative of f at x, applied to w"),
    (&["pushforward", "jvp_fn"], "forward mode is jvp f x v, the derivative of f at x along v"),
    (&["hess", "Hessian", "hvp"], "the second derivative at p, applied to v, is hessian f p v"),
    (
        &["jet", "series", "Series", "Taylor", "maclaurin", "taylorSeries"],
        "the Taylor coefficients of f at a up to order n are coefficients n f a: coefficients 5 exp 0; the polynomial at a + h is taylor 5 exp 0 0.1",
    ),
    (
        &[
            "solve",
            "fsolve",
            "nsolve",
            "roots",
            "Solve",
            "NSolve",
            "FindRoot",
            "root_scalar",
            "find_zero",
            "fzero",
            "uniroot",
            "brentq",
            "brenth",
            "bisect",
            "bisection",
            "ridder",
            "toms748",
            "secant",
        ],
        ROOTS,
    ),
    (
        &[
            "optimize",
            "minimize",
            "Minimize",
            "NMinimize",
            "FindMinimum",
            "ArgMin",
            "fminbnd",
            "fminsearch",
            "fminunc",
            "minimize_scalar",
            "argmin",
        ],
        "the least value of f on [a, b] is minOn a b f, and its place argminOn a b f: argminOn 0 10 sin; min01 and argmin01 are over [0, 1]",
    ),
    (
        &["maximize", "Maximize", "NMaximize", "FindMaximum", "ArgMax", "argmax"],
        "the greatest value of f on [a, b] is maxOn a b f, and its place argmaxOn a b f: argmaxOn 0 10 sin; max01 and argmax01 are over [0, 1]",
    ),
    (&["fabs", "absolute"], "the absolute value is abs x"),
    (&["inner", "vdot", "dotproduct", "Inner"], "the inner product of two vectors is dot u v"),
    (&["pinv", "PseudoInverse"], "a map with as many rows as columns has an inverse f, others have none"),
    (&["kron", "diag", "rank", "expm", "logm"], "of matrices there are det, trace, transpose, inverse and linearSolve"),
    (&["T", "ConjugateTranspose"], "transposed is transpose (matrix2 ((1, 2), (3, 4))), and rows2 shows its rows"),
    (&["ndarray"], "vectors are tuples, (1, 2, 3), data of any length are lists, [1, 2, 3]"),
    (
        &["reshape", "concatenate", "stack", "hstack", "vstack"],
        "tuples are written out, and lists are joined by append xs ys",
    ),
    (&["vectorize", "pmap", "cellfun"], "over a list it is mapList f xs"),
    (&["Total", "nansum", "fsum"], "the sum of the numbers of a list is sum xs"),
    (&["scan", "accumulate"], "a list is taken from its end by fold (\\x rest => x + rest) 0 xs"),
    (
        &["polyval", "poly1d", "Polynomial", "evalpoly"],
        "the polynomial with the coefficients 1, 2, 3, the constant one first, is horner [1, 2, 3] x",
    ),
    (
        &["interp", "interp1", "interp1d", "spline", "polyfit"],
        "an interpolation is written by if, or as a polynomial horner [1, 2, 3] x",
    ),
    (
        &["fft", "ifft", "rfft", "convolve", "conv"],
        "a Fourier coefficient or a convolution is an integral: integral 0 1 (\\t => f t * g (x - t))",
    ),
    (
        &["ODEProblem"],
        "there are no differential equations; write a solution as an integral, integral a b f, or as a root, root a b f",
    ),
    (
        &["besselj", "besselJ", "jv", "jn", "j0", "j1"],
        "Bessel functions are besselJ0 x and besselJ1 x, with derivatives such as besselJ0Derivative n x; others are written as integrals",
    ),
    (
        &["zeta", "gammainc", "polylog", "ellipk", "hyp2f1"],
        "`smoothish doc` lists the special functions there are, such as lgamma, erf and besselJ0; others are written as integrals",
    ),
    (&["erfinv", "InverseErf"], "an inverse is a root: \\y => cutRoot (\\x => y - erf x)"),
    (&["logsumexp"], "write log (sum (mapList exp xs))"),
    (&["softmax"], "write mapList (\\x => exp x / sum (mapList exp xs)) xs"),
];
