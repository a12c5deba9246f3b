//! Syntax errors: one enum, each with a message, a span, and a suggestion where one is known.
//!
//! # Limits on the size of a program
//!
//! Limits on the size of a program. Each has its own message, which states it.
//!
//! The limits bound time and memory on any input. All are choices: far above what is written by hand, and still quickly
//! refused. Within them, every recursion over the depth of a program runs under [`deep`](crate::stack::with_stack). It moves
//! to a new stack segment when the current one is nearly used up.

use super::lexer::superscript_digit;
use super::source::Span;
use thiserror::Error;

/// The name of the end of the text in messages.
pub(crate) const END: &str = "the end";

/// The expectation in the brackets of `x[0]`.
pub(crate) const COMPONENT: &str = "the number of a component, a literal such as 0";

/// The expectation after the first branch of an `if`.
pub(crate) const ELSE: &str = "`else`, as every `if` has both answers";

/// The expectation at the beginning of a theory file.
#[doc(hidden)]
pub const THEORY: &str = "`theory` and its name";

/// The help for a text that is no theory file.
const THEORY_HELP: &str = "a theory begins with its name, in a line of its own, `theory Model`; below it stand definitions without `in`, \
     `let f (x : Real) = x^2`, claims and laws";

/// An error in the form of a text: it is not a program.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum SyntaxError {
    /// The bytes are not text.
    #[error("the input is not UTF-8 text: the byte at offset {offset} does not belong to a character")]
    NotUtf8 {
        /// The offset of the first byte that is not UTF-8, counted from 0.
        offset: usize,
    },
    /// The text is longer than [`SOURCE_BYTES`].
    #[error("the input has {bytes} bytes; at most {} are read", SOURCE_BYTES)]
    TooLong {
        /// The length found.
        bytes: usize,
    },
    /// The text has nothing but space and comments.
    #[error("expected an expression, found nothing")]
    Empty {
        /// The end of the text.
        span: Span,
    },
    /// A token other than the expected one.
    #[error("expected {expected}, found {found}")]
    Expected {
        /// The tokens that could stand here, described.
        expected: String,
        /// The token that stands here.
        found: String,
        /// The span of the token.
        span: Span,
    },
    /// A bracket that is never closed.
    #[error("expected `{closing}`, found {found}")]
    Unclosed {
        /// The bracket that would close it.
        closing: char,
        /// The place of the opening bracket.
        opening: Span,
        /// The token where it should be closed.
        found: String,
        /// The span of that token.
        span: Span,
    },
    /// A closing bracket that closes nothing.
    #[error("expected an opening bracket before `{bracket}`, found none")]
    Unopened {
        /// The bracket.
        bracket: String,
        /// The span of the bracket.
        span: Span,
    },
    /// A character that has no meaning in the language.
    #[error("the character `{}` (U+{:04X}) has no meaning here", printable_char(*found), *found as u32)]
    Character {
        /// The character.
        found: char,
        /// The span of the character.
        span: Span,
    },
    /// The operator `!=`, which would begin a comment.
    #[error("`!=` is not an operator: `!` begins a comment")]
    ExclamationEquals {
        /// The span of the operator.
        span: Span,
    },
    /// A `!` right after a value, or with no word after it, which may be meant as a factorial.
    #[error("expected a space before `!` and a word after it, as a comment has")]
    ExclamationBehind {
        /// The span of the `!`.
        span: Span,
    },
    /// Two minus signs, `--`, which may be meant as a comment, or as the difference from a negative number.
    #[error("`--` is neither an operator nor the beginning of a comment")]
    DoubleMinus {
        /// The span of both signs.
        span: Span,
    },
    /// A text in quotation marks that does not end.
    #[error("the text that begins here has no closing quotation mark")]
    UnterminatedText {
        /// The opening quotation mark.
        span: Span,
    },
    /// A number and a name, or a bracket and a number, with nothing between them.
    #[error("expected a space or an operator between `{left}` and `{right}`")]
    Adjacent {
        /// The first part.
        left: String,
        /// The second part.
        right: String,
        /// The span of the second part.
        span: Span,
    },
    /// The program is nested too deep.
    #[error("the program is nested more than {} levels deep", DEPTH)]
    TooDeep {
        /// The place where the limit is passed.
        span: Span,
    },
    /// The program has too many nodes.
    #[error("the program has more than {} parts", SYNTAX_NODES)]
    TooLarge {
        /// The place where the limit is passed.
        span: Span,
    },
    /// A tuple, or a tuple type, with too many components.
    #[error("a tuple of {width} components is too wide: at most {} are allowed", TUPLE_WIDTH)]
    TooWide {
        /// The width, as written.
        width: String,
        /// The span of the opening bracket, of the type, or of the width.
        span: Span,
    },
    /// A literal with a huge decimal exponent, or a huge number of digits.
    #[error(
        "this number is too long: at most {} digits, and decimal exponents from -{} to {}, are allowed",
        LITERAL_DIGITS,
        LITERAL_DIGITS,
        LITERAL_DIGITS
    )]
    LiteralTooLong {
        /// The span of the literal.
        span: Span,
    },
    /// Long literals that are too long together.
    #[error("the long numbers of this text are too long together: at most {} bits are allowed", LITERAL_BITS)]
    LiteralsTooLong {
        /// The first literal that passes the limit.
        span: Span,
    },
    /// A literal exponent that is too large.
    #[error("the exponent {exponent} is too large: literal exponents from -{} to {} are allowed", POWER, POWER)]
    PowerTooLarge {
        /// The exponent, as written.
        exponent: String,
        /// The span of the exponent.
        span: Span,
    },
    /// `f x²`, which reads in two ways.
    #[error("`{function} {argument}{power}` can be read in two ways")]
    AmbiguousPower {
        /// The function.
        function: String,
        /// The argument, without the power.
        argument: String,
        /// The power sign and the exponent.
        power: String,
        /// The span of the power.
        span: Span,
    },
    /// `a < b < c`, `A ≅ B ≅ C`.
    #[error("`{operator}` cannot be chained")]
    Chained {
        /// The second operator.
        operator: String,
        /// The span of the second operator.
        span: Span,
    },
    /// A list with too many elements.
    #[error("this list is too long to be written out: at most {} elements are allowed", LIST_LENGTH)]
    ListTooLong {
        /// The opening bracket.
        span: Span,
    },
    /// A pattern of a case that matches inside the argument of a constructor.
    #[error("expected a name, `_` or a tuple of these in a case, found a pattern one level deeper")]
    DeepCase {
        /// The inner pattern.
        span: Span,
    },
    /// A type after the `=` or a `|` of a `type` that has not the form of a constructor.
    #[error("expected a constructor: a name with a capital letter first, and at most one argument")]
    Constructor {
        /// The span of that type.
        span: Span,
    },
    /// A selection other than `.to` and `.from`.
    #[error("expected `.to` or `.from`, found `.{member}`")]
    Member {
        /// The name after the dot.
        member: String,
        /// The expression before the dot.
        record: String,
        /// The span of the name after the dot.
        span: Span,
    },
    /// A variable that begins with a capital letter.
    #[error("the variable `{name}` begins with a capital letter, like a type")]
    CapitalVariable {
        /// The variable.
        name: String,
        /// The span of the variable.
        span: Span,
    },
    /// A name that a pattern or a list of parameters binds twice.
    #[error("`{name}` is bound twice here")]
    BoundTwice {
        /// The name.
        name: String,
        /// The span of the second binding.
        span: Span,
    },
    /// `let rec` of something that is not a function.
    #[error("`{name}` is recursive but not a function")]
    RecursiveValue {
        /// The name.
        name: String,
        /// The span of the name.
        span: Span,
    },
    /// A division by zero in a number that must be known in advance.
    #[error("this fraction divides by zero")]
    ZeroDenominator {
        /// The span of the `/`.
        span: Span,
    },
}

impl SyntaxError {
    /// Returns the span of the error. `None` for an input that is no text or too long.
    pub fn span(&self) -> Option<Span> {
        match self {
            SyntaxError::NotUtf8 { .. } | SyntaxError::TooLong { .. } => None,
            SyntaxError::Empty { span }
            | SyntaxError::Expected { span, .. }
            | SyntaxError::Unclosed { span, .. }
            | SyntaxError::Unopened { span, .. }
            | SyntaxError::Character { span, .. }
            | SyntaxError::ExclamationEquals { span }
            | SyntaxError::ExclamationBehind { span }
            | SyntaxError::DoubleMinus { span }
            | SyntaxError::UnterminatedText { span }
            | SyntaxError::Adjacent { span, .. }
            | SyntaxError::TooDeep { span }
            | SyntaxError::TooLarge { span }
            | SyntaxError::TooWide { span, .. }
            | SyntaxError::LiteralTooLong { span }
            | SyntaxError::LiteralsTooLong { span }
            | SyntaxError::PowerTooLarge { span, .. }
            | SyntaxError::AmbiguousPower { span, .. }
            | SyntaxError::Chained { span, .. }
            | SyntaxError::ListTooLong { span }
            | SyntaxError::DeepCase { span }
            | SyntaxError::Constructor { span }
            | SyntaxError::Member { span, .. }
            | SyntaxError::CapitalVariable { span, .. }
            | SyntaxError::BoundTwice { span, .. }
            | SyntaxError::RecursiveValue { span, .. }
            | SyntaxError::ZeroDenominator { span } => Some(*span),
        }
    }

    /// Returns `true` if the text ends too early, so that more text could complete it.
    pub fn is_unfinished(&self) -> bool {
        match self {
            // All other tokens are in backquotes there, so none is taken for the end.
            SyntaxError::Expected { found, .. } | SyntaxError::Unclosed { found, .. } => found == END,
            SyntaxError::UnterminatedText { .. } => true,
            _ => false,
        }
    }

    /// Returns `true` if the only thing missing at the end is the `else` of an `if`.
    pub fn lacks_else(&self) -> bool {
        self.is_unfinished() && matches!(self, SyntaxError::Expected { expected, .. } if expected == ELSE)
    }

    /// Returns a second span that explains the first, with a label for it. `None` if there is none.
    pub fn related_span(&self) -> Option<(Span, &'static str)> {
        match self {
            SyntaxError::Unclosed { opening, .. } => Some((*opening, "opened here")),
            _ => None,
        }
    }

    /// Returns a suggestion. `None` if none is known.
    pub fn help(&self) -> Option<String> {
        let text = match self {
            SyntaxError::Empty { .. } => "for example: deriv (\\x => x^2) 3".to_owned(),
            // Special expectations come before the general rules on the token found.
            SyntaxError::Expected { expected, .. } if expected == ELSE => {
                "a choice is written if x > 0 then a else b, and has both answers".to_owned()
            }
            SyntaxError::Expected { expected, .. } if expected == THEORY => THEORY_HELP.to_owned(),
            SyntaxError::Expected { expected, found, .. } if expected.starts_with("`in`") && found == END => {
                "a `let` is followed by `in` and the expression that uses it: let x = 2 in x^2".to_owned()
            }
            SyntaxError::Expected { found, .. } if found == "`->`" || found == "`=>`" || found == "`=`" => {
                "a function is \\x => e, a type of functions A -> B, a definition let f x = e in e".to_owned()
            }
            SyntaxError::Character { found, .. } => match found {
                '&' => "truth values are combined by && and ||".to_owned(),
                '∂' | '∇' => "derivatives are written deriv, gradient, tangent".to_owned(),
                '√' => "the square root is sqrt".to_owned(),
                '∫' => "the integral from a to b is integral a b (\\x => x^2)".to_owned(),
                '–' | '—' => "the minus sign is -".to_owned(),
                '÷' => "division is written /".to_owned(),
                _ => return None,
            },
            SyntaxError::ExclamationEquals { .. } => "not equal, on Nat, is /=; real numbers are compared by <, >, <= and >=".to_owned(),
            SyntaxError::ExclamationBehind { .. } => {
                "a comment has a space before it, and words; n! is factorial n, as in factorial 5; an element of a list is found by `match`".to_owned()
            }
            SyntaxError::DoubleMinus { .. } => "a comment begins with `!`; a negative number is taken away as a - (-b)".to_owned(),
            SyntaxError::Adjacent { left, right, .. } if left == ")" || left == "]" => {
                format!("a power is written ^{right}, an argument after a space")
            }
            SyntaxError::Adjacent { left, .. } if left.chars().all(|sign| superscript_digit(sign).is_some()) => {
                "a power of a function's answer is written (f x)^2".to_owned()
            }
            SyntaxError::Adjacent { left, right, .. } => format!("a product is written {left} * {right}"),
            SyntaxError::TooDeep { .. } => "name parts of it with definitions of their own".to_owned(),
            SyntaxError::TooLarge { .. } => "split it into several files".to_owned(),
            SyntaxError::PowerTooLarge { exponent, .. } => {
                format!("for a positive base, x^{exponent} is exp ({exponent} * log x)")
            }
            SyntaxError::AmbiguousPower { function, argument, power, .. } => {
                format!("write `{function} ({argument}{power})` or `({function} {argument}){power}`")
            }
            SyntaxError::Chained { operator, .. } if operator == "≅" => "use parentheses".to_owned(),
            SyntaxError::Chained { operator, .. } => {
                format!("write two comparisons: a {operator} b && b {operator} c")
            }
            SyntaxError::ListTooLong { .. } => "make it by recursion, or of several lists".to_owned(),
            SyntaxError::DeepCase { .. } => {
                "match again inside, in parentheses: Just x => (match x with …)".to_owned()
            }
            SyntaxError::Constructor { .. } => {
                "several arguments are a tuple, and a type of several words is in parentheses: type Shape = Disc Real | \
                 Box (Real * Real)"
                    .to_owned()
            }
            SyntaxError::Expected { expected, .. } if expected.starts_with(COMPONENT) => {
                "a list that is an argument has a space before it: f [x]".to_owned()
            }
            SyntaxError::Member { member, record, .. }
                if matches!(member.as_str(), "x" | "y" | "z" | "fst" | "snd") =>
            {
                let index = usize::from(matches!(member.as_str(), "y" | "snd")) + 2 * usize::from(member == "z");
                format!("a component is written {record}[{index}]")
            }
            SyntaxError::Member { member, record, .. } if record.starts_with(|c: char| c.is_lowercase()) => {
                let mut letters = record.chars();
                let module: String =
                    letters.next().map(|c| c.to_uppercase().chain(letters).collect()).unwrap_or_default();
                format!(
                    "an isomorphism has the parts .to and .from; a component is written {record}[0]; modules have capital \
                     initials: {module}.{member}"
                )
            }
            SyntaxError::Member { .. } => {
                "an isomorphism has the parts .to and .from; a definition of a module is written Module.name".to_owned()
            }
            SyntaxError::CapitalVariable { name, .. } => {
                let lower: String = name.to_lowercase();
                format!(
                    "variables begin with a small letter: {lower}; in a `let`, type parameters come bare: let f A (x : A) = x"
                )
            }
            SyntaxError::RecursiveValue { name, .. } => {
                format!("give it a parameter, let rec {name} (n : Nat) = …, or leave out `rec`")
            }
            SyntaxError::Unopened { .. } => "remove it, or add the opening bracket".to_owned(),
            _ => return None,
        };
        Some(text)
    }
}

/// Returns a character as it is written, escaped if it is invisible.
fn printable_char(c: char) -> String {
    if matches!(c, '\'' | '"' | '\\') { c.into() } else { c.escape_debug().collect() }
}

/// The largest depth of an expression or a type. Parentheses, operands, arguments and binders count one each.
pub const DEPTH: u32 = 10_000;
/// The largest source text, in bytes.
pub const SOURCE_BYTES: usize = 10_000_000;
/// The largest number of syntax nodes in one source text.
pub const SYNTAX_NODES: u32 = 1_000_000;
/// The largest number of type nodes that the inference of one definition may make, instances of polymorphic types
/// included. It also bounds the size of one type, written out without sharing.
pub const TYPE_NODES: usize = 1_000_000;
/// The largest number of components of a tuple.
pub const TUPLE_WIDTH: usize = 10_000;
/// The largest number of elements of a list literal.
pub const LIST_LENGTH: usize = 5_000;
/// The largest magnitude of the decimal exponent of a literal, and the largest number of its digits.
pub const LITERAL_DIGITS: usize = 100_000;
/// The largest number of bits of all long literals of one source text together, see [`LONG_LITERAL_BITS`].
pub const LITERAL_BITS: u32 = 2_000_000;
/// The number of bits from which a literal counts as long.
pub const LONG_LITERAL_BITS: u32 = 4096;
/// The largest magnitude of a literal exponent after `^`.
pub const POWER: u32 = 100_000;
