//! Numbers: enclosures of real numbers, and the arithmetic that computes them.
//!
//! Every answer of the library is an *enclosure* of a real number: two dyadic (or infinite) ends between which the number
//! certainly lies. This layer computes with enclosures, at two precisions and by one code path.
//!
//! | module | contents |
//! |---|---|
//! | [`arithmetic`] | the interface: interval arithmetic at some precision; the arithmetic on ends that a number type must supply, rounded in a given direction; interval extensions given from outside |
//! | [`enclosure`] | an enclosure by itself, with exact ends; its order ⊑ |
//! | [`magnitude`] | upper bounds with a huge range of exponents |
//! | [`decimal`] | decimal printing, rounded outward; the digits that are certain |
//! | [`accuracy`] | the accuracy asked of a number: a width, or digits |
//! | [`arithmetic`], [`elementary`] | intervals, their arithmetic and elementary functions, written once over [`arithmetic`] |
//! | [`special`] | the special functions, a file each |
//! | [`legendre`] | the nodes and weights of quadrature |
//! | [`balls`] | vectors of midpoints with radii, for long sums of products |
//! | [`double`] | interval arithmetic in `f64` |
//! | [`mpfr`] | interval arithmetic of any precision |
//! | [`foreign`] | functions of a caller, whose failures are errors |
//! | [`budget`], [`accuracy`] | the budget of a question, the limit on memory, the costs of operations, and the options of one pass |
//! | [`tuning`] | the limits of the searches |
//! | [`real`] | real numbers that can be queried: escalation through the precisions; the reason for an answer wider than asked |
pub mod accuracy;
pub mod arithmetic;
pub mod balls;
pub mod budget;
pub mod decimal;
pub mod double;
pub mod elementary;
pub mod enclosure;
pub mod exact;
pub mod foreign;
pub mod legendre;
pub mod magnitude;
pub mod mpfr;
pub mod real;
pub mod special;
pub mod tuning;

pub use accuracy::Accuracy;
pub use arithmetic::{Context, Function, Interval, Planar, Sign};
pub use decimal::Decimals;
pub use double::Double;
pub use enclosure::{Enclosure, NumberError};
pub use exact::Exact;
pub use magnitude::Magnitude;
pub use mpfr::Mpfr;
pub use rug::{Float, Integer, Rational};
