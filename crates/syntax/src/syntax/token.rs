//! The words of the language.

use super::source::Span;

/// A kind of word.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
pub enum Token {
    /// A name with a small initial.
    Lower,
    /// A name with a capital initial, or one of the signs ℜ ℝ 𝔅 𝔹 ℕ.
    Upper,
    /// A number without a sign.
    Number,
    /// Raised digits, `²`.
    Superscript,
    /// A text in quotation marks.
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
    /// The end of the text.
    End,
}

/// A word of a program, at its place.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Lexeme {
    /// What kind of word.
    pub token: Token,
    /// Where it stands.
    pub span: Span,
    /// Whether it follows the word before it with nothing between them.
    pub adjacent: bool,
    /// The comment on the lines just before it; an empty span if there is none.
    pub comment: Span,
}

/// The word of the language that a name is, if it is reserved.
pub(crate) fn keyword(name: &str) -> Option<Token> {
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

/// The digit that a raised digit stands for.
pub(crate) fn superscript_digit(sign: char) -> Option<char> {
    Some(match sign {
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
