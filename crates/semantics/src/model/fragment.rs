//! Which programs the theorems of a paper are about.
//!
//! The language of the library is larger than that of any of the papers, so a theorem says nothing of some programs. What each
//! paper's language lacks stands here, in one table: whoever refuses a program for not being in one of these languages takes its
//! reason from it.
//!
//! | fragment | its language | its theorems |
//! |---|---|---|
//! | [`Fragment::LambdaS`] | λ_S: ℜ, tuples, functions, tangents, integrals, roots, optima; discrete data that no real number decides | S |
//! | [`Fragment::Abadi`] | numbers, tuples, comparisons, conditionals, first-order recursion and `rd`, when functions that are no recursions are written out | A |
//! | [`Fragment::OmegaPap`] | numbers, tuples, functions, variants, lists, comparisons, conditionals, recursion, and programs that sample; derivatives are programs of it, which the paper's AD writes | W |
//! | [`Fragment::Derivable`] | smooth operations, functions, variants and lists; with derivatives and integrals inside | H |
//!
//! What is refused is syntax. That a program of a fragment is defined, or that its recursion is well-founded, is not decided.

use super::Place;
use crate::failure::{ErrorKind, Failure};
use crate::function::Functional;
use crate::stack::deep;
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
    /// What the Taylor macro has rules for (H §3, §5).
    Derivable,
    /// The language of programs in pieces that ωPAP spaces give a meaning to (W §3, §5).
    OmegaPap,
}

/// Something that a program may have and that not every fragment has.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Construct {
    /// A constant.
    Constant(Constant),
    /// A natural number.
    Natural,
    /// A truth value that is no condition.
    Truth,
    /// A function that is not applied.
    Function,
    /// A constructor, `Just` or `::`.
    Constructor(Name),
    /// `match`
    Match,
    /// `i.to`, `i.from`
    Isomorphism,
    /// A recursive function that has no natural number for an argument.
    RealRecursion(Name),
    /// Values of a type.
    Type(Ty),
    /// Values of a type that is not known.
    UnknownType,
    /// A part of a term that was not made by the inference.
    IllTyped,
}

impl fmt::Display for Construct {
    /// A noun phrase.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Construct::Constant(constant) => f.write_str(&constant.lacking()),
            Construct::Natural => f.write_str("natural numbers"),
            Construct::Truth => f.write_str("truth values as values"),
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

const COUNT_IN_REALS: &str = "count in real numbers";
const NO_KINKS: &str = "write what is smooth; at kinks, `deriv` has sets in the model presheaf";
const TUPLES: &str = "write tuples, whose lengths are known";
const DERIVATIVES: &str = "write `deriv`, `jvp` or `rd`";

impl Fragment {
    /// Every fragment.
    pub const ALL: &'static [Fragment] = &[Fragment::LambdaS, Fragment::Abadi, Fragment::Derivable, Fragment::OmegaPap];

    /// The name under which it can be asked for.
    #[must_use]
    pub fn name(self) -> &'static str {
        match self {
            Fragment::LambdaS => "lambda-s",
            Fragment::Abadi => "abadi",
            Fragment::Derivable => "derivable",
            Fragment::OmegaPap => "omega-pap",
        }
    }

    /// What has no such construct, as the beginning of a sentence.
    fn speaker(self) -> &'static str {
        match self {
            Fragment::LambdaS => "λ_S has no",
            Fragment::Abadi => "traces have no",
            Fragment::Derivable => "the Taylor macro has no rule for",
            Fragment::OmegaPap => "ωPAP has no",
        }
    }

    /// Whether it has a constant.
    #[must_use]
    pub fn has(self, constant: Constant) -> bool {
        self.instead_of(&Construct::Constant(constant)).is_none()
    }

    /// What to write instead of a construct that it lacks; `None` for what it has. This is the table.
    #[must_use]
    pub fn instead_of(self, construct: &Construct) -> Option<&'static str> {
        match construct {
            Construct::Constant(constant) => self.instead_of_constant(*constant),
            // a term without types is none of any language
            Construct::IllTyped => Some("let the inference make the term"),
            _ => match self {
                Fragment::LambdaS => match construct {
                    Construct::Constructor(_) | Construct::Match => Some(TUPLES),
                    Construct::Type(ty) if matches!(ty.kind(), TyKind::Data(..)) => Some(TUPLES),
                    Construct::RealRecursion(_) => Some("recur on a natural number, or solve by `cutRoot`"),
                    _ => None,
                },
                Fragment::Abadi => match construct {
                    Construct::Natural => Some(COUNT_IN_REALS),
                    Construct::Truth => Some("write the comparison where it decides"),
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

    fn instead_of_constant(self, constant: Constant) -> Option<&'static str> {
        use Constant::{
            Abs, Equal, Fold, Greater, GreaterEqual, Jvp, Less, LessEqual, Max, Min, NaturalDifference, NaturalPower,
            NaturalProduct, NotEqual, Polygamma, Rd, Signum, Tangent, TangentProd, TangentR, TangentToR, TangentValue,
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
                | NaturalPower | ToReal | Polygamma => Some(COUNT_IN_REALS),
                _ if tangents => Some(DERIVATIVES),
                _ => None,
            },
            Fragment::OmegaPap => match constant {
                Constant::Functional(Functional::Integral) => {
                    Some("sample, and ask `expect`; of a function in pieces it need not be one in pieces")
                }
                Constant::Functional(_) => {
                    Some("search by a recursion; of a function in pieces it need not be one in pieces")
                }
                _ if tangents => Some(DERIVATIVES),
                _ => None,
            },
            Fragment::Derivable => match constant {
                comparison if comparison.compares_reals() => {
                    Some("choose by a natural number or a constructor, which do not vary")
                }
                Abs | Signum | Max | Min => Some(NO_KINKS),
                Constant::Functional(Functional::Integral) => None,
                Constant::Functional(_) => Some("take steps of Newton's method, as many as a natural number says"),
                _ if tangents => Some("write `deriv`"),
                _ => None,
            },
        }
    }

    /// That a construct is refused, with what to write instead.
    fn refusal(self, construct: &Construct) -> String {
        let advice = self.instead_of(construct).map(|instead| format!("; {instead}"));
        format!("{} {construct}{}", self.speaker(), advice.unwrap_or_default())
    }

    /// Whether a program and the definitions that it uses have only what the fragment has, as they are written. Programs of A are
    /// written out before.
    ///
    /// # Errors
    /// [`FragmentError::Construct`], at the first place.
    pub fn admits_term(self, term: &Term) -> Result<(), FragmentError> {
        Walk { fragment: self, home: None, seen: FxHashSet::default() }.term(term)
    }
}

impl fmt::Display for Fragment {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

struct Walk {
    fragment: Fragment,
    home: Option<Arc<Definition>>,
    seen: FxHashSet<usize>,
}

impl Walk {
    fn term(&mut self, term: &Term) -> Result<(), FragmentError> {
        let admits = |construct: Construct| match self.fragment.instead_of(&construct) {
            None => Ok(()),
            Some(_) => {
                let place = Place { definition: self.home.clone(), span: term.span() };
                Err(FragmentError::Construct { fragment: self.fragment, construct, place })
            }
        };
        match term.kind() {
            TermKind::Constant(constant) => admits(Construct::Constant(*constant))?,
            TermKind::To(_) | TermKind::From(_) => admits(Construct::Isomorphism)?,
            TermKind::Inject { constructor, .. } => admits(Construct::Constructor(constructor.name().clone()))?,
            TermKind::Match { .. } => admits(Construct::Match)?,
            TermKind::Nat(_) => admits(Construct::Natural)?,
            TermKind::Lambda { .. } => admits(Construct::Type(term.domain()))?,
            TermKind::LetRec { name, value, .. } if !counts(value.ty()) => {
                admits(Construct::RealRecursion(name.clone()))?;
            }
            TermKind::Global(definition) if self.seen.insert(Arc::as_ptr(definition) as usize) => {
                let home = self.home.replace(definition.clone());
                deep(|| self.term(&definition.term))?;
                self.home = home;
            }
            _ => {}
        }
        term.kind().children().try_for_each(|child| deep(|| self.term(child)))
    }
}

/// Whether a function takes a natural number.
fn counts(ty: &Ty) -> bool {
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
        TyKind::Tuple(parts) => parts.iter().any(|part| deep(|| mentions_nat(part))),
        _ => false,
    }
}

/// Why a program is not in a fragment.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum FragmentError {
    /// It has a construct that the fragment lacks.
    #[error("{}", fragment.refusal(construct))]
    Construct {
        /// Which fragment.
        fragment: Fragment,
        /// What it has.
        construct: Construct,
        /// Where.
        place: Place,
    },
    /// A recursive function has a variable from outside (A Fig. 1).
    #[error(
        "the recursive function `{function}` mentions `{variable}`, which is bound outside of it; give it to the function as \
         one more argument"
    )]
    FreeVariable {
        /// The function.
        function: String,
        /// The variable.
        variable: String,
        /// Where the function is defined.
        place: Place,
    },
    /// With the definitions that it uses written out it is too large.
    #[error("the program has more than {nodes} parts, with the definitions that it uses written out")]
    TooLarge {
        /// The most.
        nodes: usize,
        /// Where the last part stands.
        place: Place,
    },
}

impl FragmentError {
    /// Where.
    #[must_use]
    pub fn place(&self) -> &Place {
        match self {
            FragmentError::Construct { place, .. }
            | FragmentError::FreeVariable { place, .. }
            | FragmentError::TooLarge { place, .. } => place,
        }
    }
}

impl Failure for FragmentError {
    fn kind(&self) -> ErrorKind {
        match self {
            FragmentError::Construct { .. } => ErrorKind::Unsupported,
            FragmentError::FreeVariable { .. } => ErrorKind::Wrong,
            FragmentError::TooLarge { .. } => ErrorKind::Limit,
        }
    }
}
