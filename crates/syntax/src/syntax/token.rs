//! The tokens of the language.

use super::source::Span;

/// A kind of token.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Token {
    /// A name with a small initial.
    Lower,
    /// A name with a capital initial, or one of the signs ℜ ℝ 𝔅 𝔹 ℕ.
    Upper,
    /// A number without a sign.
    Number,
    /// Superscript digits, `²`.
    Superscript,
    /// A string in quotation marks.
    Text,
    /// `let`
    Let,
    /// `rec`
    Rec,
    /// `in`
    In,
    /// `if`
    If,
    /// `then`
    Then,
    /// `else`
    Else,
    /// `match`
    Match,
    /// `with`
    With,
    /// `do`
    Do,
    /// `tt`
    True,
    /// `ff`
    False,
    /// `\` or `λ`
    Lambda,
    /// `=>` or `⇒`
    FatArrow,
    /// `->` or `→`
    Arrow,
    /// `(`
    LeftParenthesis,
    /// `)`
    RightParenthesis,
    /// `[`
    LeftBracket,
    /// `]`
    RightBracket,
    /// `{`, after `do`
    LeftBrace,
    /// `}`, in a `do`
    RightBrace,
    /// `;`, in a `do`
    Semicolon,
    /// `,`
    Comma,
    /// `:`
    Colon,
    /// `::`
    ColonColon,
    /// `|`
    Bar,
    /// `.`
    Dot,
    /// `..`
    DotDot,
    /// `=`
    Equals,
    /// `+`
    Plus,
    /// `-` or `−`
    Minus,
    /// `*` or `×`
    Times,
    /// `/`
    Slash,
    /// `^`
    Caret,
    /// `==`
    EqualEqual,
    /// `/=` or `≠`
    NotEqual,
    /// `<`
    Less,
    /// `<=` or `≤`
    LessEqual,
    /// `>`
    Greater,
    /// `>=` or `≥`
    GreaterEqual,
    /// `&&` or `∧`
    And,
    /// `||` or `∨`
    Or,
    /// `~`
    Tilde,
    /// `~=` or `≅`
    Isomorphic,
    /// The end of the source text.
    End,
}

/// A token with its position in a source text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lexeme {
    /// The kind of token.
    pub token: Token,
    /// The span of the token, without the space and comments before it.
    pub span: Span,
    /// `true` if nothing separates the token from the previous one.
    pub adjacent: bool,
    /// The span of the comment on the lines just before the token; empty if there is none.
    pub comment: Span,
}

/// Returns the token of a reserved word. `None` if `name` is not reserved.
pub(crate) fn keyword_token(name: &str) -> Option<Token> {
    Some(match name {
        "let" => Token::Let,
        "rec" => Token::Rec,
        "in" => Token::In,
        "if" => Token::If,
        "then" => Token::Then,
        "else" => Token::Else,
        "match" => Token::Match,
        "with" => Token::With,
        "do" => Token::Do,
        "tt" => Token::True,
        "ff" => Token::False,
        _ => return None,
    })
}

/// Returns the digit of a superscript digit. `None` for any other character.
pub(crate) fn superscript_digit(sign: char) -> Option<char> {
    Some(match sign {
        // No range: in Unicode ¹, ² and ³ stand apart from the others.
        '⁰' => '0',
        '¹' => '1',
        '²' => '2',
        '³' => '3',
        '⁴' => '4',
        '⁵' => '5',
        '⁶' => '6',
        '⁷' => '7',
        '⁸' => '8',
        '⁹' => '9',
        _ => return None,
    })
}
