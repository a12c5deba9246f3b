//! The language λ_S: texts, types, terms (S §3, §5 and Fig. 5).
//!
//! | chapter | what it holds |
//! |---|---|
//! | [`source`] | source texts and spans in them |
//! | [`lexer`] | the tokens of the language, and the lexer |
//! | [`surface`], [`parser`] | the syntax tree, and the parser that makes it |
//! | [`ty`], [`constant`] | types, and the constants of S Fig. 2 with their types |
//! | [`data`] | algebraic data types, lists among them; which may be recursive, and their folds |
//! | [`term`] | core terms, which are interpreted |
//! | [`substitution`] | substitution of terms for variables |
//! | [`library`] | modules of definitions, and name resolution |
//! | [`typing`] | type checking of terms that no text was parsed for |
//! | [`normal`] | βη-normal forms, and equality of programs |
//! | [`error`], [`type_error`], [`source`] | errors, and their display |
//! | [`idiom`] | notations of other languages, and their counterparts here |
//! | [`printer`] | types and terms as text that parses back |
//! | [`error`] | limits on the size of programs |
//!
//! This layer gives programs types, not meanings: it knows no model and evaluates nothing.

pub mod constant;
pub mod data;
pub mod error;
#[doc(hidden)]
pub mod exact;
pub mod idiom;
mod infer;
pub mod lexer;
pub mod library;
pub mod name;
pub mod normal;
pub mod parser;
pub mod printer;
pub mod source;
pub mod substitution;
pub mod surface;
pub mod term;
pub mod ty;
pub mod type_error;
pub mod typing;
