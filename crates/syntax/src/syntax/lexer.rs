//! The lexer: characters to tokens, one at a time, in constant memory.
//!
//! # The tokens of the language

use super::error::SyntaxError;
use super::source::Span;

/// A lexer: the source text, and the offset of the next character in it.
#[derive(Clone, Debug)]
pub struct Lexer<'s> {
    source: &'s str,
    offset: usize,
}

impl<'s> Lexer<'s> {
    /// Makes the lexer of a text, at its beginning.
    pub fn new(source: &'s str) -> Lexer<'s> {
        Lexer { source, offset: 0 }
    }

    /// Returns the whole text.
    pub fn source(&self) -> &'s str {
        self.source
    }

    fn remaining_text(&self) -> &'s str {
        &self.source[self.offset..]
    }

    fn peek(&self) -> Option<char> {
        self.remaining_text().chars().next()
    }

    fn take_while(&mut self, belongs: impl Fn(char) -> bool) {
        let rest = self.remaining_text();
        self.offset += rest.find(|letter| !belongs(letter)).unwrap_or(rest.len());
    }

    fn span_from(&self, start: usize) -> Span {
        Span::new(start as u32, self.offset as u32)
    }

    /// Returns the next token; [`Token::End`] at the end, however often it is called.
    ///
    /// # Errors
    /// A character that begins no token, a sign of other languages (`--`, `!=`, `!` as an operator), a number with
    /// letters behind it, and a string without end.
    pub fn next_lexeme(&mut self) -> Result<Lexeme, SyntaxError> {
        let before = self.offset;
        self.check_exclamation()?;
        let comment = self.skip_space();
        let start = self.offset;
        // The first token is adjacent to nothing, hence `start > 0`.
        let adjacent = start == before && start > 0;
        let token = match self.peek() {
            None => Token::End,
            Some(first) => self.lex_token(first, start)?,
        };
        Ok(Lexeme { token, span: self.span_from(start), adjacent, comment })
    }

    /// Rejects a `!` that may be meant as an operator: right after a value, or after a space if no word follows it.
    /// Otherwise `!` begins a comment.
    fn check_exclamation(&mut self) -> Result<(), SyntaxError> {
        let space = self.remaining_text().len() - self.remaining_text().trim_start_matches([' ', '\t']).len();
        let Some(after) = self.remaining_text()[space..].strip_prefix('!').filter(|after| !after.starts_with('='))
        else {
            return Ok(());
        };
        let written = &self.source[..self.offset];
        let line = written.rsplit('\n').next().unwrap_or_default();
        let is_behind_value = written.ends_with(|last| continues_name(last) || ")]".contains(last));
        let next = after.split('\n').next().unwrap_or_default().trim_start();
        // Numbers and single letters may be meant as operands: `n ! 2` is no comment.
        let has_word = !next.is_ascii() || next.split(|c: char| !c.is_alphabetic()).any(|word| word.len() > 1);
        // A sign behind the `!` continues a formula, `x !* 2`; `!!` is an operator of other languages.
        let is_comment =
            next.starts_with(|first: char| !"!+-*/^<>=&|,)]".contains(first)) && has_word && !after.starts_with('!');
        if space == 0 && is_behind_value || !line.trim().is_empty() && !is_comment {
            self.offset += space;
            let before = self.offset;
            self.offset += 1;
            return Err(SyntaxError::ExclamationBehind { span: self.span_from(before) });
        }
        Ok(())
    }

    /// Skips space and comments. Returns the span of the comment that ends on the line before the next token. The span
    /// is empty if the comment does not stand on lines of its own.
    fn skip_space(&mut self) -> Span {
        let mut comment = Span::default();
        // Newlines since the last comment: above 0 a comment stands on a line of its own. The first line counts as
        // begun.
        let mut lines = if self.offset == 0 { 1 } else { 0 };
        loop {
            match self.peek() {
                Some('\n') => {
                    lines += 1;
                    // An empty line separates a comment from the definition below it.
                    if lines > 1 {
                        comment = Span::default();
                    }
                    self.offset += 1;
                }
                Some(letter) if letter.is_whitespace() || letter == '\u{feff}' => self.offset += letter.len_utf8(),
                Some('!') if !self.remaining_text().starts_with("!=") => {
                    let start = self.offset;
                    self.take_while(|letter| letter != '\n');
                    if lines > 0 {
                        let span = self.span_from(start);
                        comment = if comment == Span::default() { span } else { comment.to(span) };
                        lines = 0;
                    }
                }
                _ => return comment,
            }
        }
    }

    fn lex_token(&mut self, first: char, start: usize) -> Result<Token, SyntaxError> {
        self.offset += first.len_utf8();
        let token = match first {
            '(' => Token::LeftParenthesis,
            ')' => Token::RightParenthesis,
            '[' => Token::LeftBracket,
            ']' => Token::RightBracket,
            '{' => Token::LeftBrace,
            '}' => Token::RightBrace,
            ';' => Token::Semicolon,
            ',' => Token::Comma,
            ':' => self.take_longer_sign(":", Token::ColonColon, Token::Colon),
            '\\' | 'λ' | '𝜆' | '𝛌' | '𝝀' | '𝞴' => Token::Lambda,
            '⇒' => Token::FatArrow,
            '→' => Token::Arrow,
            '≅' => Token::Isomorphic,
            '+' => Token::Plus,
            '−' => Token::Minus,
            '*' | '×' | '·' | '⋅' => Token::Times,
            '^' => Token::Caret,
            '≠' => Token::NotEqual,
            '≤' => Token::LessEqual,
            '≥' => Token::GreaterEqual,
            '∧' => Token::And,
            '∨' => Token::Or,
            '.' => self.take_longer_sign(".", Token::DotDot, Token::Dot),
            // `--` is a comment in Haskell and Lean, so it is reported and not read as two signs.
            '-' if self.peek() == Some('-') => {
                return Err(SyntaxError::DoubleMinus { span: Span::new(start as u32, start as u32 + 2) });
            }
            '-' => self.take_longer_sign(">", Token::Arrow, Token::Minus),
            '/' => self.take_longer_sign("=", Token::NotEqual, Token::Slash),
            '<' => self.take_longer_sign("=", Token::LessEqual, Token::Less),
            '>' => self.take_longer_sign("=", Token::GreaterEqual, Token::Greater),
            '~' => self.take_longer_sign("=", Token::Isomorphic, Token::Tilde),
            '=' => match self.take_longer_sign(">", Token::FatArrow, Token::Equals) {
                Token::Equals => self.take_longer_sign("=", Token::EqualEqual, Token::Equals),
                arrow => arrow,
            },
            // A single `&` has no meaning here and falls through to the last branch.
            '&' if self.peek() == Some('&') => self.take_longer_sign("&", Token::And, Token::And),
            '|' => self.take_longer_sign("|", Token::Or, Token::Bar),
            '!' => {
                return Err(SyntaxError::ExclamationEquals { span: Span::new(start as u32, start as u32 + 2) });
            }
            '"' | '“' | '”' => return self.lex_string(start),
            'ℜ' | 'ℝ' | '𝔅' | '𝔹' | 'ℕ' => Token::Upper,
            '0'..='9' => return self.lex_number(start),
            // A superscript minus is a token as well: the parser says that such an exponent is not an integer.
            _ if superscript_digit(first).is_some() || first == '⁻' => {
                self.take_while(|letter| superscript_digit(letter).is_some());
                Token::Superscript
            }
            '∞' => Token::Lower,
            _ if first.is_alphabetic() || first == '_' => {
                self.take_while(continues_name);
                let name = self.span_from(start).text_in(self.source);
                match keyword_token(name) {
                    Some(word) => word,
                    None if first.is_uppercase() => Token::Upper,
                    None => Token::Lower,
                }
            }
            _ => {
                return Err(SyntaxError::Character { found: first, span: self.span_from(start) });
            }
        };
        Ok(token)
    }

    /// Consumes `second`, the rest of a longer sign, and returns `both` if it comes next. Returns `first` otherwise.
    fn take_longer_sign(&mut self, second: &str, both: Token, first: Token) -> Token {
        if self.remaining_text().starts_with(second) {
            self.offset += second.len();
            both
        } else {
            first
        }
    }

    fn lex_number(&mut self, start: usize) -> Result<Token, SyntaxError> {
        let digit = |letter: char| letter.is_ascii_digit();
        let begins = |rest: &str| rest.starts_with(|letter: char| letter.is_ascii_digit());
        self.take_while(digit);
        // A point needs a digit behind it: `2.to` and `0..1` end the number before the point.
        if self.remaining_text().strip_prefix('.').is_some_and(begins) {
            self.offset += 1;
            self.take_while(digit);
        }
        if let Some(rest) = self.remaining_text().strip_prefix(['e', 'E']) {
            let sign = usize::from(rest.starts_with(['+', '-']));
            // An `e` without digits is no exponent; it is rejected below as a name adjacent to a number.
            if begins(&rest[sign..]) {
                self.offset += 1 + sign;
                self.take_while(digit);
            }
        }
        let after = self.offset;
        // `2x` is no product: two tokens with nothing between them would read as an application.
        if self.peek().is_some_and(|letter| letter.is_alphabetic() || letter == '_') {
            self.take_while(continues_name);
            let (left, right) = (&self.source[start..after], &self.source[after..self.offset]);
            return Err(SyntaxError::Adjacent {
                left: message_excerpt(left),
                right: message_excerpt(right),
                span: Span::new(after as u32, self.offset as u32),
            });
        }
        Ok(Token::Number)
    }

    fn lex_string(&mut self, start: usize) -> Result<Token, SyntaxError> {
        let opening = self.span_from(start);
        // Strings have no escapes. Typographic quotation marks come from text that was copied from a document.
        let ends = |letter| letter == '"' || letter == '”';
        self.take_while(|letter| !ends(letter));
        match self.peek() {
            Some(quote) => self.offset += quote.len_utf8(),
            None => return Err(SyntaxError::UnterminatedText { span: opening }),
        }
        Ok(Token::Text)
    }
}

/// Returns `true` if a character can stand inside a name. Superscript digits cannot: they are powers.
fn continues_name(letter: char) -> bool {
    letter.is_alphabetic() || letter.is_ascii_digit() || matches!(letter, '_' | '\'' | '’' | '′' | '₀'..='₉')
}

/// Shortens a piece of a program for messages: to one line, and to 39 characters and `…`.
#[doc(hidden)]
pub fn message_excerpt(text: &str) -> String {
    let mut shown = String::new();
    for (count, letter) in text.chars().enumerate() {
        if count >= 39 {
            shown.push('…');
            break;
        }
        match letter {
            _ if !letter.is_whitespace() && !letter.is_control() => shown.push(letter),
            _ if !shown.ends_with(' ') => shown.push(' '),
            _ => {}
        }
    }
    shown
}

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
