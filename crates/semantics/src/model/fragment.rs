//! Fragments of the language to which the theorems of a paper apply.
//!
//! The language of the library is larger than that of any of the papers, so a theorem says nothing about some programs. This
//! module is the one table of the constructs that each paper's language lacks. Every refusal of a program for lying outside one
//! of these languages takes its reason from here.
//!
//! | fragment | its language | its theorems |
//! |---|---|---|
//! | [`Fragment::LambdaS`] | λ_S: ℜ, tuples, functions, tangents, integrals, roots, optima; discrete data that no real number decides | S |
//! | [`Fragment::Abadi`] | numbers, tuples, comparisons, conditionals, first-order recursion and `rd`, when functions that are no recursions are written out | A |
//! | [`Fragment::OmegaPap`] | numbers, tuples, functions, variants, lists, comparisons, conditionals, recursion, and programs that sample; derivatives are programs of it, which the paper's AD writes | W |
//! | [`Fragment::Derivable`] | smooth operations, functions, variants and lists; with derivatives, integrals, roots and optima inside | H |
//!
//! Membership is syntactic. It does not decide whether a program is defined or its recursion well-founded.

use super::SourceLocation;
use crate::failure::{ErrorKind, ErrorWithKind};
use crate::function::Functional;
use crate::stack::with_stack;
use crate::syntax::constant::Constant;
use crate::syntax::name::Name;
use crate::syntax::term::{Definition, Term, TermKind};
use crate::syntax::ty::{Ty, TyKind};
use rustc_hash::FxHashSet;
use std::fmt;
use std::sync::Arc;

/// The language of a paper, as a part of the language of the library.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Fragment {
    /// λ_S (S §3, §5, §8.1).
    LambdaS,
    /// The language of traces (A §2).
    Abadi,
    /// The programs for which the Taylor macro has rules (H §3, §5).
    Derivable,
    /// The language of piecewise programs that have a semantics in ωPAP spaces (W §3, §5).
    OmegaPap,
}

/// A construct that not every fragment has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Construct {
    /// A constant.
    Constant(Constant),
    /// A natural number.
    NaturalNumber,
    /// A truth value outside a condition.
    TruthValue,
    /// A function that is not applied.
    Function,
    /// A constructor, `Just` or `::`.
    Constructor(Name),
    /// `match`
    Match,
    /// `i.to`, `i.from`
    Isomorphism,
    /// A recursive function without an argument of type ℕ.
    RealRecursion(Name),
    /// Values of a type.
    Type(Ty),
    /// Values of an unknown type.
    UnknownType,
    /// A part of a term that type inference did not produce.
    IllTyped,
}

impl fmt::Display for Construct {
    /// Writes a noun phrase.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Construct::Constant(constant) => f.write_str(&constant.describe_missing()),
            Construct::NaturalNumber => f.write_str("natural numbers"),
            Construct::TruthValue => f.write_str("truth values as values"),
            Construct::Function => f.write_str("functions as values"),
            Construct::Constructor(name) => write!(f, "constructors, such as `{name}`"),
            Construct::Match => f.write_str("`match`"),
            Construct::Isomorphism => f.write_str("isomorphisms of tangents"),
            Construct::RealRecursion(name) => write!(f, "recursions on real numbers, such as `{name}`"),
            Construct::Type(ty) => write!(f, "values of type `{ty}`"),
            Construct::UnknownType => f.write_str("values of a type that is not known"),
            Construct::IllTyped => f.write_str("terms that have no type"),
        }
    }
}

// Advice that more than one fragment gives.
const COUNT_IN_REALS: &str = "count in real numbers";
const NO_KINKS: &str = "write a smooth function; at kinks, `deriv` has sets in the model presheaf";
const TUPLES: &str = "write tuples, whose lengths are known";
const DERIVATIVES: &str = "write `deriv`, `jvp` or `rd`";

impl Fragment {
    /// Every fragment.
    pub const ALL: &'static [Fragment] = &[Fragment::LambdaS, Fragment::Abadi, Fragment::Derivable, Fragment::OmegaPap];

    /// Returns the name by which users select the fragment.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Fragment::LambdaS => "lambda-s",
            Fragment::Abadi => "abadi",
            Fragment::Derivable => "derivable",
            Fragment::OmegaPap => "omega-pap",
        }
    }

    /// Returns the beginning of a refusal, before the construct.
    fn refusal_prefix(self) -> &'static str {
        match self {
            Fragment::LambdaS => "λ_S has no",
            Fragment::Abadi => "traces have no",
            Fragment::Derivable => "the Taylor macro has no rule for",
            Fragment::OmegaPap => "ωPAP has no",
        }
    }

    /// Returns `true` if the fragment has a constant.
    #[must_use]
    pub fn has_constant(self, constant: Constant) -> bool {
        self.advice_instead_of(&Construct::Constant(constant)).is_none()
    }

    /// Returns advice what to write instead of a construct that the fragment lacks; `None` if it has the construct.
    ///
    /// This function and its case for constants are the table of the fragments.
    #[must_use]
    pub fn advice_instead_of(self, construct: &Construct) -> Option<&'static str> {
        match construct {
            Construct::Constant(constant) => self.advice_instead_of_constant(*constant),
            // a term without types belongs to no language
            Construct::IllTyped => Some("let the inference make the term"),
            _ => match self {
                Fragment::LambdaS => match construct {
                    Construct::Constructor(_) | Construct::Match => Some(TUPLES),
                    Construct::Type(ty) if matches!(ty.kind(), TyKind::Data(..)) => Some(TUPLES),
                    Construct::RealRecursion(_) => Some("recur on a natural number, or solve by `cutRoot`"),
                    _ => None,
                },
                Fragment::Abadi => match construct {
                    Construct::NaturalNumber => Some(COUNT_IN_REALS),
                    Construct::TruthValue => Some("write the comparison where it decides"),
                    Construct::Function => Some("apply the function where it stands"),
                    Construct::Type(ty) if matches!(ty.kind(), TyKind::Tangent(_) | TyKind::Iso(..)) => {
                        Some(DERIVATIVES)
                    }
                    Construct::Constructor(_) | Construct::Match | Construct::Type(_) => Some(TUPLES),
                    Construct::Isomorphism => Some(DERIVATIVES),
                    Construct::UnknownType => Some("write the type"),
                    _ => None,
                },
                Fragment::OmegaPap => match construct {
                    Construct::Isomorphism => Some(DERIVATIVES),
                    Construct::Type(ty) if matches!(ty.kind(), TyKind::Tangent(_) | TyKind::Iso(..)) => {
                        Some(DERIVATIVES)
                    }
                    _ => None,
                },
                Fragment::Derivable => match construct {
                    Construct::Isomorphism => Some("write `deriv`"),
                    Construct::Type(ty) if matches!(ty.kind(), TyKind::Tangent(_) | TyKind::Iso(..)) => {
                        Some("write a pair of a value and a derivative")
                    }
                    _ => None,
                },
            },
        }
    }

    fn advice_instead_of_constant(self, constant: Constant) -> Option<&'static str> {
        use Constant::{
            Abs, Equal, Fold, Greater, GreaterEqual, Jvp, Less, LessEqual, Max, Min, NaturalDifference, NaturalPower,
            NaturalProduct, NotEqual, Rd, Signum, Special, Tangent, TangentProd, TangentR, TangentToR, TangentValue,
            ToReal,
        };
        let tangents = matches!(constant, Tangent | TangentValue | TangentR | TangentProd | TangentToR);
        match self {
            Fragment::LambdaS => match constant {
                comparison if comparison.compares_reals() => {
                    Some("choose by `max`, `min` and `abs`, or by a condition on natural numbers")
                }
                Jvp | Rd => Some("write `deriv` along a line, or `tangent`"),
                Fold => Some(TUPLES),
                _ => None,
            },
            Fragment::Abadi => match constant {
                comparison if comparison.equates_reals() => Some("write comparisons by `<`, or ask the model `pap`"),
                Constant::Functional(_) => Some("write the sum, or the search, as a recursion"),
                Fold => Some(TUPLES),
                Equal | NotEqual | Less | LessEqual | Greater | GreaterEqual | NaturalProduct | NaturalDifference
                | NaturalPower | ToReal | Special(_) => Some(COUNT_IN_REALS),
                _ if tangents => Some(DERIVATIVES),
                _ => None,
            },
            Fragment::OmegaPap => match constant {
                Constant::Functional(Functional::Integral) => {
                    Some("sample, and use `expect`; its value need not be piecewise analytic")
                }
                Constant::Functional(_) => Some("search by a recursion; its value need not be piecewise analytic"),
                _ if tangents => Some(DERIVATIVES),
                _ => None,
            },
            Fragment::Derivable => match constant {
                comparison if comparison.compares_reals() => {
                    Some("choose by a natural number or a constructor, which do not vary")
                }
                Abs | Signum | Max | Min => Some(NO_KINKS),
                _ if tangents => Some("write `deriv`"),
                _ => None,
            },
        }
    }

    /// Formats the refusal of a construct, with the advice.
    fn refusal_message(self, construct: &Construct) -> String {
        let advice = self.advice_instead_of(construct).map(|instead| format!("; {instead}"));
        format!("{} {construct}{}", self.refusal_prefix(), advice.unwrap_or_default())
    }

    /// Checks that a program, with the definitions that it uses, has only constructs of the fragment.
    ///
    /// The program is taken as it is written. For [`Fragment::Abadi`] the caller inlines the definitions first.
    ///
    /// # Errors
    /// [`FragmentError::Construct`], at the first construct that the fragment lacks.
    pub fn admits_term(self, term: &Term) -> Result<(), FragmentError> {
        self.admits_term_with(term, &|_| false)
    }

    /// Like [`admits_term`](Self::admits_term), of the fragment with more constants.
    ///
    /// # Errors
    /// Those of [`admits_term`](Self::admits_term).
    pub fn admits_term_with(self, term: &Term, added: &dyn Fn(Constant) -> bool) -> Result<(), FragmentError> {
        FragmentCheck { fragment: self, added, current_definition: None, seen: FxHashSet::default() }.check_term(term)
    }
}

impl fmt::Display for Fragment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

struct FragmentCheck<'a> {
    fragment: Fragment,
    /// The constants that are admitted beside those of the fragment.
    added: &'a dyn Fn(Constant) -> bool,
    current_definition: Option<Arc<Definition>>,
    seen: FxHashSet<usize>,
}

impl FragmentCheck<'_> {
    fn check_term(&mut self, term: &Term) -> Result<(), FragmentError> {
        let admits = |construct: Construct| match self.fragment.advice_instead_of(&construct) {
            None => Ok(()),
            Some(_) => {
                let place = SourceLocation { definition: self.current_definition.clone(), span: term.span() };
                Err(FragmentError::Construct { fragment: self.fragment, construct, place })
            }
        };
        match term.kind() {
            TermKind::Constant(constant) if !(self.added)(*constant) => admits(Construct::Constant(*constant))?,
            TermKind::To(_) | TermKind::From(_) => admits(Construct::Isomorphism)?,
            TermKind::Inject { constructor, .. } => admits(Construct::Constructor(constructor.name().clone()))?,
            TermKind::Match { .. } => admits(Construct::Match)?,
            TermKind::Nat(_) => admits(Construct::NaturalNumber)?,
            // the types of values are looked at where a parameter has them
            TermKind::Lambda { .. } => admits(Construct::Type(term.domain()))?,
            // only the recursive function itself is judged here; its body is visited below, as a child
            TermKind::LetRec { name, value, .. } if !takes_natural(value.ty()) => {
                admits(Construct::RealRecursion(name.clone()))?;
            }
            // each definition is visited once, with its own source for the spans of errors
            TermKind::Global(definition) if self.seen.insert(Arc::as_ptr(definition) as usize) => {
                let home = self.current_definition.replace(definition.clone());
                with_stack(|| self.check_term(&definition.term))?;
                self.current_definition = home;
            }
            _ => {}
        }
        term.kind().children().try_for_each(|child| with_stack(|| self.check_term(child)))
    }
}

/// Returns `true` if a curried function has an argument of type ℕ, or a tuple with a part of type ℕ.
fn takes_natural(ty: &Ty) -> bool {
    let mut rest = ty;
    while let TyKind::Function(domain, codomain) = rest.kind() {
        if mentions_nat(domain) {
            return true;
        }
        rest = codomain;
    }
    false
}

fn mentions_nat(ty: &Ty) -> bool {
    match ty.kind() {
        TyKind::Nat => true,
        TyKind::Tuple(parts) => parts.iter().any(|part| with_stack(|| mentions_nat(part))),
        _ => false,
    }
}

/// The reason why a program is not in a fragment.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FragmentError {
    /// The program has a construct that the fragment lacks.
    #[error("{}", fragment.refusal_message(construct))]
    Construct {
        /// The fragment.
        fragment: Fragment,
        /// The construct.
        construct: Construct,
        /// The place of the construct.
        place: SourceLocation,
    },
    /// Traces have no meaning for a constant from outside.
    #[error("traces have no meaning for `{name}`: {reason}")]
    Foreign {
        /// The name of the constant.
        name: String,
        /// The part that it lacks, as a sentence.
        reason: String,
        /// The place of the constant.
        place: SourceLocation,
    },
    /// The program is too large once the definitions that it uses are inlined.
    #[error("the program has more than {nodes} parts, with the definitions that it uses written out")]
    TooLarge {
        /// The largest number of parts.
        nodes: usize,
        /// The place of the part that exceeds it.
        place: SourceLocation,
    },
}

impl FragmentError {
    /// Returns the place at fault.
    #[must_use]
    pub fn location(&self) -> &SourceLocation {
        match self {
            FragmentError::Construct { place, .. }
            | FragmentError::Foreign { place, .. }
            | FragmentError::TooLarge { place, .. } => place,
        }
    }
}

impl ErrorWithKind for FragmentError {
    fn kind(&self) -> ErrorKind {
        match self {
            FragmentError::Construct { .. } | FragmentError::Foreign { .. } => ErrorKind::Unsupported,
            FragmentError::TooLarge { .. } => ErrorKind::Limit,
        }
    }
}
