//! Real numbers as intervals that certainly contain them.
//!
//! Interval arithmetic and elementary functions run at two precisions: machine numbers and MPFR. A real number that is queried
//! for a width is computed in machine numbers first, then in MPFR at growing precision.
//!
//! ```
//! use smoothish_number::prelude::*;
//!
//! // log 2 in machine numbers, and the sine of 10²² with forty digits
//! let log = Double.apply_function(Function::Log, &Double.enclose_integer(2));
//! assert!(*log.lo() <= std::f64::consts::LN_2 && std::f64::consts::LN_2 <= *log.hi());
//! let mpfr = Mpfr::new(250);
//! let sine = mpfr.apply_function(Function::Sin, &mpfr.enclose_rational(&decimal::parse("1e22")?));
//! let shown = mpfr.to_enclosure(&sine).print_decimals(&decimal::parse("1e-20")?).to_string();
//! assert_eq!(shown, "[-0.8522008497671888017728, -0.8522008497671888017727]");
//! // an undefined value is the whole line, marked as undefined
//! let none = Double.to_enclosure(&Double.div(&Double.enclose_integer(1), &Double.enclose_integer(0)));
//! assert!(!none.is_defined());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | you have | you want | go to |
//! |---|---|---|
//! | numbers | intervals that are never wrong, at any precision | [`number`] |
//! | an elementary function | its domain, slope and monotonicity | [`function`] |
//! | samples of a law | whether it is refuted, survived, or was not tried | [`verdict`] |
//! | an error | its kind and remedy | [`failure`] |
//! | a citation | the paper | [`refs`] |
//!
//! Derivatives are in `smoothish-ad`, programs as text in `smoothish`.
//!
//! Letters name the papers: S Sherman et al. 2021, A Abadi and Plotkin 2020, W Lew et al. 2021, H Huot et al. 2022. Ids such as
//! S40 and E43 are rows of the chapter *Correspondence* of the book.

pub mod failure;
pub mod function;
pub mod number;
pub mod parallel;
pub mod prelude;
pub mod random;
pub mod refs;
#[doc(hidden)]
pub mod stack;
pub mod verdict;
