//! Real numbers as intervals that certainly contain them.
//!
//! Interval arithmetic and elementary functions at two precisions, that of machine numbers and that of MPFR, and numbers that are asked for
//! a width, which go from the first to the second as far as it takes.
//!
//! ```
//! use smoothish_number::prelude::*;
//!
//! // log 2 in machine numbers, and the sine of 10²² with forty digits
//! let log = Double.function(Function::Log, &Double.integer(2));
//! assert!(*log.lo() <= std::f64::consts::LN_2 && std::f64::consts::LN_2 <= *log.hi());
//! let mpfr = Mpfr::new(250);
//! let sine = mpfr.function(Function::Sin, &mpfr.rational(&decimal::parse("1e22")?));
//! let shown = mpfr.to_enclosure(&sine).decimals(&decimal::parse("1e-20")?).to_string();
//! assert_eq!(shown, "[-0.8522008497671888017728, -0.8522008497671888017727]");
//! // what has no value is the whole line, and says so
//! let none = Double.to_enclosure(&Double.div(&Double.integer(1), &Double.integer(0)));
//! assert!(!none.is_defined());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | you have | you want | go to |
//! |---|---|---|
//! | numbers | intervals that are never wrong, at any precision | [`number`] |
//! | an elementary function | its domain, slope and monotonicity | [`function`] |
//! | samples of a law | whether it is refuted, survived, or was not tried | [`verdict`] |
//! | an error | what can be done about it | [`failure`] |
//! | a citation | the paper | [`refs`] |
//!
//! Derivatives are in `smoothish-ad`, programs as text in `smoothish`.

pub mod failure;
pub mod function;
pub mod number;
pub mod parallel;
pub mod prelude;
#[doc(hidden)]
pub mod random;
pub mod refs;
#[doc(hidden)]
pub mod stack;
pub mod verdict;
