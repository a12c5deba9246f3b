//! Maps as files: a versioned form of graphs, as bytes and as JSON, for other programs and other machines.
//!
//! A map ℝⁿ ⇝ ℝᵐ is written as a list of *records*, one for each node of its graphs, operands before the nodes that use
//! them. A record is the name of an operation and its operands. A node is referred to by its number in the list, a
//! variable by its own: the inputs are the variables from 0 to n - 1, the others are bound.
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
//! | `partial` | variables, which are bound, a node, the nodes of the point, the index of one of the variables, a natural number |
//!
//! `sum` and `dot` are read as balanced trees of additions, and never written: a written map has its additions one by
//! one. Source positions of nodes are not kept. A primitive from outside has no form.
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
//! [`MAGIC`], the version, the number of inputs, the names of the operations that occur, the records, the outputs.
//! Natural numbers are in base 128, the least digit first, the top bit of all but the last set (LEB128). A list is its
//! length and its elements; a name is a list of bytes of UTF-8. A record is the index of its name among the names, and
//! its operands; a node is its distance back in the list, from 1; an output is its number. A number is 0 and the eight
//! bytes of an IEEE double, the least first, or 1 and a list of the bytes of `p` or `p/q` in decimal.
//!
//! # Robustness
//! All inputs give a map or an [`ExchangeError`]. Memory is bounded by a multiple of the length, and by the limits
//! [`MOST_BYTES`], [`MOST_OPERANDS`], [`MOST_LEVELS`], [`MOST_TERMS`], [`MOST_CONSTANT_BITS`].
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

use crate::smooth::dimension::{Dyn, MapEnd};
use crate::smooth::map::Map;
use crate::smooth::map::untyped::DynMap;
use read::RecordReader;

/// The first bytes of every file. A text file does not contain the 0 at its end.
pub const MAGIC: &[u8] = b"smoothish\0";
/// The version that is written, and the latest that is read.
pub const VERSION: u64 = 1;
/// The largest length of a file, in bytes. A choice, as all limits below: they bound the memory that a hostile file can
/// take.
pub const MOST_BYTES: usize = 1 << 28;
/// The largest length of JSON, in bytes.
pub const MOST_JSON_BYTES: usize = 1 << 26;
/// The largest number of nodes and operands of nodes together.
pub const MOST_OPERANDS: usize = 1 << 23;
/// The largest depth of nodes.
pub const MOST_LEVELS: u32 = 1 << 17;
/// The largest depth of binders inside each other.
pub const MOST_BINDERS: u32 = 64;
/// The largest number of operands of one sum.
pub const MOST_TERMS: usize = 1 << 16;
/// The largest total number of bits of constants, including results of arithmetic on constants.
pub const MOST_CONSTANT_BITS: u64 = 1 << 30;

impl DynMap {
    /// Serialises the map to bytes; see [`exchange`](self).
    ///
    /// # Errors
    /// [`ExchangeError::Primitive`] for a primitive from outside; [`ExchangeError::TooLarge`] beyond [`MOST_OPERANDS`] or
    /// [`MOST_LEVELS`].
    pub fn to_bytes(&self) -> Result<Vec<u8>, ExchangeError> {
        Ok(binary::write_binary(&write::list_records(self)?))
    }

    /// Reads a map from bytes; see [`exchange`](self).
    ///
    /// # Errors
    /// [`ExchangeError`], for bytes that do not describe a map.
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, ExchangeError> {
        // before anything is allocated
        if bytes.len() > MOST_BYTES {
            return Err(ExchangeError::TooLarge { what: "bytes", most: MOST_BYTES as u64 });
        }
        let mut builder = RecordReader::default();
        binary::read_binary(bytes, &mut builder)?.into_map(builder)
    }

    /// Serialises the map to JSON; see [`exchange`](self).
    ///
    /// # Errors
    /// As for [`DynMap::to_bytes`].
    #[cfg(feature = "json")]
    pub fn to_json(&self) -> Result<String, ExchangeError> {
        Ok(json::write_json(&write::list_records(self)?))
    }

    /// Reads a map from JSON; see [`exchange`](self).
    ///
    /// # Errors
    /// [`ExchangeError`], for a text that does not describe a map.
    #[cfg(feature = "json")]
    pub fn from_json(text: &str) -> Result<Self, ExchangeError> {
        if text.len() > MOST_JSON_BYTES {
            return Err(ExchangeError::TooLarge { what: "bytes of JSON", most: MOST_JSON_BYTES as u64 });
        }
        let mut builder = RecordReader::default();
        json::read_json(text, &mut builder)?.into_map(builder)
    }
}

impl<N: MapEnd, M: MapEnd> Map<N, M> {
    /// Serialises the map to bytes; see [`exchange`](self).
    ///
    /// # Errors
    /// As for [`DynMap::to_bytes`].
    pub fn to_bytes(&self) -> Result<Vec<u8>, ExchangeError> {
        self.as_dyn().to_bytes()
    }

    /// Serialises the map to JSON; see [`exchange`](self).
    ///
    /// # Errors
    /// As for [`DynMap::to_bytes`].
    #[cfg(feature = "json")]
    pub fn to_json(&self) -> Result<String, ExchangeError> {
        self.as_dyn().to_json()
    }
}

impl Map<Dyn, Dyn> {
    /// Reads a map from bytes; see [`exchange`](self).
    ///
    /// # Errors
    /// As for [`DynMap::from_bytes`].
    pub fn from_bytes(bytes: &[u8]) -> Result<Self, ExchangeError> {
        DynMap::from_bytes(bytes).map(Self::from_dyn)
    }

    /// Reads a map from JSON; see [`exchange`](self).
    ///
    /// # Errors
    /// As for [`DynMap::from_json`].
    #[cfg(feature = "json")]
    pub fn from_json(text: &str) -> Result<Self, ExchangeError> {
        DynMap::from_json(text).map(Self::from_dyn)
    }
}
