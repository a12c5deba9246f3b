//! The language λ_S: texts, types, terms (S §3, §5 and Fig. 5).
//!
//! | chapter | what it holds |
//! |---|---|
//! | [`source`] | source texts and places in them |
//! | [`token`] | the words of the language |
//! | [`surface`], [`parser`] | programs as they are written, and how they are read |
//! | [`ty`], [`constant`] | types, and the constants of S Fig. 2 with theirs |
//! | [`data`], [`inductive`], [`eliminator`] | types given by their constructors, lists among them; which may occur in themselves, and their folds |
//! | [`term`] | programs as they are interpreted |
//! | [`substitution`] | terms for variables in terms |
//! | [`library`] | modules of definitions, and how a name finds its meaning |
//! | [`typing`] | the types of terms that were made, not read |
//! | [`normal`] | βη-normal forms, and when two programs are the same |
//! | [`error`], [`type_error`], [`report`] | what can be wrong, and how it is shown |
//! | [`idiom`] | what is written in other languages, and what is written here |
//! | [`printer`] | types and terms as text that can be read back |
//! | [`limit`] | how large a program may be |
//!
//! This layer gives programs types, not meanings: it knows no model and evaluates nothing.

pub mod constant;
pub mod counted;
pub mod data;
pub mod eliminator;
pub mod error;
#[doc(hidden)]
pub mod exact;
pub mod idiom;
pub mod inductive;
mod infer;
pub mod lexer;
pub mod library;
pub mod limit;
pub mod mention;
pub mod name;
pub mod nesting;
pub mod normal;
pub mod parser;
pub mod printer;
pub mod report;
pub mod source;
pub mod substitution;
pub mod surface;
pub mod term;
pub mod token;
pub mod ty;
pub mod type_error;
pub mod typing;
