//! Maps as files: a versioned form of graphs, as bytes and as JSON, for other programs and other machines.
//!
//! A map ℝⁿ ⇝ ℝᵐ is written as a list of *records*, one for each node of its graphs, each once, parts before what is made of
//! them. A record is the name of an operation and its operands. A node is referred to by its number in the list, a variable
//! by its own: the inputs are the variables from 0 to n - 1, the others are bound.
//!
//! | operations | operands |
//! |---|---|
//! | `variable` | a variable |
//! | `rational` | a number |
//! | `pi`, `euler` | |
//! | `negate`, `abs`, `signum`, and every [elementary function](crate::function) by its name | a node |
//! | `add`, `subtract`, `multiply`, `divide`, `max`, `min`, `atan2` | two nodes |
//! | `power` | a node, its exponent, a number |
//! | `polygamma` | a node, its order, a natural number |
//! | `sum` | nodes |
//! | `dot` | nodes, and as many nodes: the sum of the products |
//! | `select` | a node, which is a [guard](crate::smooth::graph::Guard), and the nodes where it is positive and where it is negative |
//! | `integral01`, `cutRoot`, `firstRoot`, `max01`, `argmax01` | a variable, which is bound, and a node |
//! | `derivative` | variables, which are bound, a node, the nodes of the point, the nodes of the direction |
//!
//! `sum` and `dot` are read as balanced trees of additions, and never written: what is written has its additions one by one. The
//! places that nodes have in a source are not kept. A primitive from outside has no form.
//!
//! # As JSON
//! ```json
//! {"format": "smoothish", "version": 1, "inputs": 2,
//!  "nodes": [["variable", 0], ["variable", 1], ["rational", "1/3"], ["dot", [0, 1], [1, 2]], ["max", 3, 0]],
//!  "outputs": [4]}
//! ```
//! Numbers are integers, or strings `"p"` and `"p/q"`, exact either way; a number with a point would not be.
//!
//! # As bytes
//! [`MAGIC`], the version, the number of inputs, the names of operations that occur, the records, the outputs. Natural numbers are in
//! base 128, the least digit first, the top bit of all but the last set (LEB128). A list is its length and its parts; a name
//! is a list of bytes of UTF-8. A record is the place of its name among the names, and its operands; a node is how far back in the
//! list it lies, from 1; an output its number. A number is 0 and the eight bytes of an IEEE double, the least first, or 1 and a
//! list of the bytes of `p` or `p/q` in decimal.
//!
//! # What is read
//! Any bytes at all: there is a map or an [`ExchangeError`], and memory is bounded by a multiple of the length, and by the
//! limits [`MOST_BYTES`], [`MOST_OPERANDS`], [`MOST_LEVELS`], [`MOST_TERMS`], [`MOST_CONSTANT_BITS`].
//!
//! ```
//! use smoothish_ad::prelude::*;
//! let [x, y] = coordinates::<U2, 2>();
//! let f: Map<U2, U1> = (x * y.sin()).max(&y);
//! let copy = Map::from_bytes(&f.to_bytes()?)?;
//! assert_eq!(copy.to_string(), f.to_string());
//! assert_eq!(copy.to_bytes()?, f.to_bytes()?);
//! assert!(Map::from_bytes(b"smoothie").is_err());
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

mod binary;
mod error;
#[cfg(feature = "json")]
mod json;
mod read;
mod record;
mod write;

pub use error::ExchangeError;

use crate::smooth::dimension::{Hidden, Shape};
use crate::smooth::map::Map;
use crate::smooth::map::untyped::Untyped;
use read::Builder;

/// The first bytes of every file.
pub const MAGIC: &[u8] = b"smoothish\0";
/// What is written, and the latest that is read.
pub const VERSION: u64 = 1;
/// The longest file that is read.
pub const MOST_BYTES: usize = 1 << 28;
/// The longest JSON that is read.
pub const MOST_JSON_BYTES: usize = 1 << 26;
/// The most nodes and operands of nodes.
pub const MOST_OPERANDS: usize = 1 << 23;
/// How deep nodes may lie in each other.
pub const MOST_LEVELS: u32 = 1 << 17;
/// How deep binders may lie in each other.
pub const MOST_BINDERS: u32 = 64;
/// The most parts of one sum.
pub const MOST_TERMS: usize = 1 << 16;
/// The most bits that constants may have together, those included that arithmetic on constants makes.
pub const MOST_CONSTANT_BITS: u64 = 1 << 30;

impl Untyped {
    /// The map as bytes; see [`exchange`](self).
    ///
    /// # Errors
    /// [`ExchangeError::Primitive`] for a primitive from outside; [`ExchangeError::TooLarge`] for what would not be read.
    pub fn to_bytes(&self) -> Result<Vec<u8>, ExchangeError> {
        Ok(binary::write(&write::listing(self)?))
    }

    /// The map that bytes are; see [`exchange`](self).
    ///
    /// # Errors
    /// [`ExchangeError`], for bytes that are none.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, ExchangeError> {
        if bytes.len() > MOST_BYTES {
            return Err(ExchangeError::TooLarge { what: "bytes", most: MOST_BYTES as u64 });
        }
        let mut builder = Builder::default();
        binary::read(bytes, &mut builder)?.finish(builder)
    }

    /// The map as JSON; see [`exchange`](self).
    ///
    /// # Errors
    /// As for [`Untyped::to_bytes`].
    #[cfg(feature = "json")]
    pub fn to_json(&self) -> Result<String, ExchangeError> {
        Ok(json::write(&write::listing(self)?))
    }

    /// The map that JSON is; see [`exchange`](self).
    ///
    /// # Errors
    /// [`ExchangeError`], for a text that is none.
    #[cfg(feature = "json")]
    pub fn from_json(text: &str) -> Result<Self, ExchangeError> {
        if text.len() > MOST_JSON_BYTES {
            return Err(ExchangeError::TooLarge { what: "bytes of JSON", most: MOST_JSON_BYTES as u64 });
        }
        let mut builder = Builder::default();
        json::read(text, &mut builder)?.finish(builder)
    }
}

impl<N: Shape, M: Shape> Map<N, M> {
    /// The map as bytes; see [`exchange`](self).
    ///
    /// # Errors
    /// As for [`Untyped::to_bytes`].
    pub fn to_bytes(&self) -> Result<Vec<u8>, ExchangeError> {
        self.untyped().to_bytes()
    }

    /// The map as JSON; see [`exchange`](self).
    ///
    /// # Errors
    /// As for [`Untyped::to_bytes`].
    #[cfg(feature = "json")]
    pub fn to_json(&self) -> Result<String, ExchangeError> {
        self.untyped().to_json()
    }
}

impl Map<Hidden, Hidden> {
    /// The map that bytes are; see [`exchange`](self).
    ///
    /// # Errors
    /// As for [`Untyped::from_bytes`].
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, ExchangeError> {
        Untyped::from_bytes(bytes).map(Self::hidden)
    }

    /// The map that JSON is; see [`exchange`](self).
    ///
    /// # Errors
    /// As for [`Untyped::from_json`].
    #[cfg(feature = "json")]
    pub fn from_json(text: &str) -> Result<Self, ExchangeError> {
        Untyped::from_json(text).map(Self::hidden)
    }
}
