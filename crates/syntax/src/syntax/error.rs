//! What can be wrong with the form of a program: one enum, a message, a place, and what to try.

use super::limit;
use super::source::Span;
use super::token::superscript_digit;
use thiserror::Error;

/// What messages call the end of the text.
pub(crate) const END: &str = "the end";

/// What is expected in the brackets of `x[0]`.
pub(crate) const COMPONENT: &str = "the number of a component, a literal such as 0";

/// What is expected behind the first answer of an `if`.
pub(crate) const ELSE: &str = "`else`, as every `if` has both answers";

/// What is expected at the beginning of a file of a theory.
#[doc(hidden)]
pub const THEORY: &str = "`theory` and its name";

/// What a file of a theory looks like.
const THEORY_HELP: &str = "a theory begins with its name, in a line of its own, `theory Model`; below it stand definitions without `in`, \
     `let f (x : Real) = x^2`, claims and laws";

/// A text that is not a program.
#[derive(Clone, Debug, Error, PartialEq, Eq)]
#[non_exhaustive]
pub enum SyntaxError {
    /// The bytes are not text.
    #[error("the input is not UTF-8 text: the byte at offset {offset} does not belong to a character")]
    NotUtf8 {
        /// The offset of the first byte that is not UTF-8, counted from 0.
        offset: usize,
    },
    /// The text is longer than [`limit::SOURCE_BYTES`].
    #[error("the input has {bytes} bytes; at most {} are read", limit::SOURCE_BYTES)]
    TooLong {
        /// The length found.
        bytes: usize,
    },
    /// Nothing but space and comments.
    #[error("expected an expression, found nothing")]
    Empty {
        /// The end of the text.
        span: Span,
    },
    /// Something else was expected here.
    #[error("expected {expected}, found {found}")]
    Expected {
        /// What could stand here.
        expected: String,
        /// What stands here.
        found: String,
        /// Where.
        span: Span,
    },
    /// A bracket that is never closed.
    #[error("expected `{closing}`, found {found}")]
    Unclosed {
        /// The bracket that would close it.
        closing: char,
        /// The place of the opening bracket.
        opening: Span,
        /// What stands where it should be closed.
        found: String,
        /// Where it should be closed.
        span: Span,
    },
    /// A closing bracket that closes nothing.
    #[error("this `{bracket}` closes nothing")]
    Unopened {
        /// The bracket.
        bracket: String,
        /// Where.
        span: Span,
    },
    /// A character that has no meaning in the language.
    #[error("the character `{}` (U+{:04X}) has no meaning here", shown(*found), *found as u32)]
    Character {
        /// The character.
        found: char,
        /// Where.
        span: Span,
    },
    /// `!=`, which would begin a comment.
    #[error("`!=` is not an operator: `!` begins a comment")]
    ExclamationEquals {
        /// Where.
        span: Span,
    },
    /// A `!` right behind a value, or with no word behind it, where somebody may mean a factorial.
    #[error("a `!` right behind a value begins no comment, nor does one that no word follows")]
    ExclamationBehind {
        /// Where.
        span: Span,
    },
    /// `--`, where somebody may mean a comment, or a difference from a negative number.
    #[error("two minus signs together are no operator, and no comment")]
    DoubleMinus {
        /// Where.
        span: Span,
    },
    /// A text in quotation marks that does not end.
    #[error("the text that begins here has no closing quotation mark")]
    UnterminatedText {
        /// The opening quotation mark.
        span: Span,
    },
    /// A number and a name, or a bracket and a number, with nothing between them.
    #[error("`{left}` and `{right}` stand together with nothing between them")]
    Adjacent {
        /// What comes first.
        left: String,
        /// What follows.
        right: String,
        /// Where the second begins.
        span: Span,
    },
    /// The program is nested too deep.
    #[error("the program is nested more than {} levels deep", limit::DEPTH)]
    TooDeep {
        /// Where the limit is passed.
        span: Span,
    },
    /// The program has too many nodes.
    #[error("the program has more than {} parts", limit::SYNTAX_NODES)]
    TooLarge {
        /// Where the limit is passed.
        span: Span,
    },
    /// A tuple, or a tuple type, with too many components.
    #[error("a tuple of {width} components is too wide: at most {} are allowed", limit::TUPLE_WIDTH)]
    TooWide {
        /// The width, as written.
        width: String,
        /// Where.
        span: Span,
    },
    /// A literal with a huge decimal exponent, or a huge number of digits.
    #[error(
        "this number is too long: at most {} digits, and decimal exponents from -{} to {}, are allowed",
        limit::LITERAL_DIGITS,
        limit::LITERAL_DIGITS,
        limit::LITERAL_DIGITS
    )]
    LiteralTooLong {
        /// Where.
        span: Span,
    },
    /// Many long literals, which together are too long.
    #[error("the long numbers of this text are too long together: at most {} bits are allowed", limit::LITERAL_BITS)]
    LiteralsTooLong {
        /// The first that is too much.
        span: Span,
    },
    /// A literal exponent that is too large.
    #[error(
        "the exponent {exponent} is too large: literal exponents from -{} to {} are allowed",
        limit::POWER,
        limit::POWER
    )]
    PowerTooLarge {
        /// The exponent, as written.
        exponent: String,
        /// Where.
        span: Span,
    },
    /// `f x²`, which reads in two ways.
    #[error("`{function} {argument}{power}` can be read in two ways")]
    AmbiguousPower {
        /// What is applied.
        function: String,
        /// What it is applied to.
        argument: String,
        /// The power sign and the exponent.
        power: String,
        /// Where.
        span: Span,
    },
    /// `a < b < c`, `A ≅ B ≅ C`.
    #[error("`{operator}` cannot be chained")]
    Chained {
        /// The second operator.
        operator: String,
        /// Where.
        span: Span,
    },
    /// A list with too many elements.
    #[error("this list is too long to be written out: at most {} elements are allowed", limit::LIST_LENGTH)]
    ListTooLong {
        /// The opening bracket.
        span: Span,
    },
    /// A case that looks into the argument of a constructor.
    #[error("a case looks one constructor deep: names, `_` and tuples of such stand for the argument")]
    DeepCase {
        /// The inner pattern.
        span: Span,
    },
    /// What is not a constructor, after the `=` or a `|` of a `type`.
    #[error("this is not a constructor: it has a name, with a capital initial, and at most one argument")]
    Constructor {
        /// Where.
        span: Span,
    },
    /// A selection other than `.to` and `.from`.
    #[error("`.{member}` is not a part of anything")]
    Member {
        /// The name after the dot.
        member: String,
        /// What stands before the dot.
        record: String,
        /// Where.
        span: Span,
    },
    /// A variable that begins with a capital letter.
    #[error("the variable `{name}` begins with a capital letter, like a type")]
    CapitalVariable {
        /// The variable.
        name: String,
        /// Where.
        span: Span,
    },
    /// A name that a pattern or a list of parameters binds twice.
    #[error("`{name}` is bound twice here")]
    BoundTwice {
        /// The name.
        name: String,
        /// The second place.
        span: Span,
    },
    /// `let rec` of something that is not a function.
    #[error("`{name}` is recursive but not a function")]
    RecursiveValue {
        /// The name.
        name: String,
        /// Where.
        span: Span,
    },
    /// A division by zero in a number that must be known in advance.
    #[error("this fraction divides by zero")]
    ZeroDenominator {
        /// Where.
        span: Span,
    },
}

impl SyntaxError {
    /// Where in the source; nothing for an input that is no text at all.
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

    /// Whether the text ends too early, so that more of it could mend it.
    pub fn is_unfinished(&self) -> bool {
        match self {
            SyntaxError::Expected { found, .. } | SyntaxError::Unclosed { found, .. } => found == END,
            SyntaxError::UnterminatedText { .. } => true,
            _ => false,
        }
    }

    /// Whether all that is missing at the end is the `else` of an `if`.
    pub fn lacks_else(&self) -> bool {
        self.is_unfinished() && matches!(self, SyntaxError::Expected { expected, .. } if expected == ELSE)
    }

    /// A second place that explains the first, and what to say there.
    pub fn related(&self) -> Option<(Span, &'static str)> {
        match self {
            SyntaxError::Unclosed { opening, .. } => Some((*opening, "opened here")),
            _ => None,
        }
    }

    /// What to try, where that is known.
    pub fn help(&self) -> Option<String> {
        let text = match self {
            SyntaxError::Empty { .. } => "for example: deriv (\\x => x^2) 3".to_owned(),
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
                '∞' => "numbers are finite".to_owned(),
                _ => return None,
            },
            SyntaxError::ExclamationEquals { .. } => "not equal, on Nat, is /=; real numbers are compared by <, >, <= and >=".to_owned(),
            SyntaxError::ExclamationBehind { .. } => {
                "a comment has a space before it, and words; n! is exp (lgamma (n + 1)); an element of a list is found by `match`".to_owned()
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

/// A character as it is written, where it can be seen.
fn shown(c: char) -> String {
    if matches!(c, '\'' | '"' | '\\') { c.into() } else { c.escape_debug().collect() }
}
