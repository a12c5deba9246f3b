//! The theorems of H §6 and §7, on random programs.

mod backwards;
mod category;
mod content;
mod dual;
mod evaluation;
mod functor;
mod jets;
mod lemma;
mod manifolds;
mod nested;
mod points;
mod relations;
mod representations;
mod wrong;
