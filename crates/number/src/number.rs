//! Numbers: enclosures of real numbers, and the arithmetic that computes them.
//!
//! Every answer of the library is an *enclosure* of a real number: two dyadic (or infinite) ends between which the number
//! certainly lies. This layer computes with enclosures, at two precisions and by one code path.
//!
//! | module | contents |
//! |---|---|
//! | [`context`] | the interface: interval arithmetic at some precision |
//! | [`enclosure`] | an enclosure by itself, with exact ends; its order ⊑ |
//! | [`magnitude`] | upper bounds with a huge range of exponents |
//! | [`decimal`], [`digits`] | decimal printing, rounded outward; the digits that are certain |
//! | [`accuracy`] | the accuracy asked of a number: a width, or digits |
//! | [`ends`] | the arithmetic on ends that a number type must supply, rounded in a given direction |
//! | [`interval`], [`arithmetic`], [`elementary`] | intervals, their arithmetic and elementary functions, written once over [`ends`] |
//! | `gamma`, `branches` | the logarithm of the gamma function with its derivatives, at points and on intervals |
//! | [`legendre`] | the nodes and weights of quadrature |
//! | [`balls`] | vectors of midpoints with radii, for long sums of products |
//! | [`double`], [`rounding`], `lanes`, [`powers`] | interval arithmetic in `f64` |
//! | [`mpfr`] | interval arithmetic of any precision |
//! | [`extension`] | interval extensions given from outside |
//! | [`budget`], [`memory`], [`work`], [`effort`] | the budget of a question, the limit on memory, the costs of operations, and the options of one pass |
//! | [`real`] | real numbers that can be queried: escalation through the precisions |
//! | [`why`] | the reason for an answer wider than asked |
pub mod accuracy;
pub mod arithmetic;
pub mod balls;
mod branches;
pub mod budget;
pub mod comparison;
pub mod context;
pub mod decimal;
pub mod digits;
pub mod double;
pub mod effort;
pub mod elementary;
pub mod enclosure;
pub mod ends;
pub mod error;
pub mod exact;
pub mod extension;
mod gamma;
pub mod interval;
mod lanes;
pub mod legendre;
pub mod magnitude;
pub mod memory;
pub mod mpfr;
mod planar;
pub mod powers;
pub mod real;
pub mod rounding;
mod thin;
pub mod why;
pub mod width;
pub mod work;

pub use accuracy::Accuracy;
pub use context::{Context, Function, Planar, Sign};
pub use decimal::Decimals;
pub use double::Double;
pub use enclosure::Enclosure;
pub use error::NumberError;
pub use exact::Exact;
pub use interval::Interval;
pub use magnitude::Magnitude;
pub use mpfr::Mpfr;
pub use rug::{Float, Rational};
