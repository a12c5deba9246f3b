//! Certified automatic differentiation.
//!
//! A [`Map`](smooth::map::Map) ℝⁿ ⇝ ℝᵐ has derivatives of every order, through integrals, roots, optima and kinks. Its values, ranges,
//! Jacobians and higher derivatives are intervals that certainly contain the true numbers; at a kink the derivative is a set, Clarke's.
//! The dimensions are types.
//!
//! ```
//! use smoothish_ad::prelude::{typenum::U5, *};
//!
//! // the gradient of a function of five parameters: an interval for each
//! let [a, b, c, d, e] = coordinates::<U5, 5>();
//! let loss: Map<U5, U1> = (a * b.sin() - c.clone()).max(&d) + (e * c).exp();
//! let gradient = loss.gradient_enclosures(&[1.0, 2.0, 0.5, -1.0, 0.25])?;
//! // ∂/∂a is sin 2
//! assert!(*gradient[0].lo() <= 0.909_297_426_825_681_8 && 0.909_297_426_825_681_6 <= *gradient[0].hi());
//!
//! // Clarke's derivative at a kink is a set, and stays one
//! let kink = Map::<U1, U1>::id().relu().derivative().at([Rational::from(0)]);
//! let set = kink.enclose(&Rational::from((1, 1000)), &Budget::unlimited())?;
//! assert_eq!(set.components[0].enclosure.to_string(), "[0, 1]");
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
//!
//! | you have | you want | go to |
//! |---|---|---|
//! | a map ℝⁿ → ℝᵐ | values, ranges, derivatives of every order | [`smooth::map`](mod@smooth::map) |
//! | a map without solvers | gradients in plain or certified `f64`, fast | [`smooth::tape`](mod@smooth::tape) |
//! | an expression graph | what everything here runs on | [`smooth::graph`](mod@smooth::graph) |
//! | a piecewise analytic function | its pieces, intensional derivatives | [`pieces`] |
//! | a category of your own | the interfaces, with derivatives and recursion | [`category`] |
//!
//! Maps as JSON are behind the feature `json`. Programs as text are in `smoothish`.
//!
//! Letters name the papers: S Sherman et al. 2021, A Abadi and Plotkin 2020, W Lew et al. 2021, H Huot et al. 2022. Ids such as
//! S40 and E43 are rows of the chapter *Correspondence* of the book.

pub mod category;
pub mod pieces;
pub mod prelude;
pub mod smooth;
pub mod undefined;

// Old paths of the items that have moved to the number crate: code in this crate and above still names them by these.
#[doc(hidden)]
pub use smoothish_number::{failure, function, number, parallel, random, refs, stack, verdict};
