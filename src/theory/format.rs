//! The text of one theory, read but not yet typed.

use super::Citation;
use crate::number::Rational;
use crate::syntax::error::SyntaxError;
use crate::syntax::name::Name;
use crate::syntax::parser::Parser;
use crate::syntax::source::Span;
use crate::syntax::surface::{Declaration, Expression, Identifier, TypeDeclaration};
use crate::syntax::token::Token;

/// The words that are not names in the text of a theory.
pub const RESERVED: &[&str] = &[
    "theory",
    "extends",
    "cite",
    "about",
    "type",
    "claim",
    "within",
    "of",
    "because",
    "unreached",
    "law",
    "model",
    "refute",
];

/// A theory as written.
#[derive(Debug)]
pub struct Document {
    /// The name.
    pub name: Identifier,
    /// The theories that it extends.
    pub extends: Vec<Identifier>,
    /// Where its content was published.
    pub citations: Vec<Citation>,
    /// What it is for.
    pub about: String,
    /// The rest, in order.
    pub items: Vec<Item>,
}

/// A part of a theory.
#[derive(Debug)]
pub enum Item {
    /// `type Name A = T`, `type Name A = C | D T`
    Type(TypeDeclaration),
    /// `let name … = e`, and the comment before it.
    Let(Declaration, String),
    /// `claim name : …`
    Claim(ClaimDraft),
}

/// A claim as written.
#[derive(Debug)]
pub struct ClaimDraft {
    /// The name.
    pub name: Identifier,
    /// What is said.
    pub statement: StatementDraft,
    /// Why it is right.
    pub because: String,
    /// The place of the statement.
    pub span: Span,
}

/// What a claim says, as written.
#[derive(Debug)]
pub enum StatementDraft {
    /// `e within d of a .. b`, `e unreached within d of a .. b`
    Within {
        /// The program.
        expression: Expression,
        /// How far the answer may reach beyond the ends.
        tolerance: Rational,
        /// The lower end.
        low: Rational,
        /// The upper end.
        high: Rational,
        /// Whether the tolerance is reached.
        reached: bool,
    },
    /// `e ~ f`
    Agree(Expression, Expression),
}

/// Reads the text of a theory.
///
/// # Errors
/// A [`SyntaxError`] with the first place that is wrong.
pub fn parse(text: &str) -> Result<Document, SyntaxError> {
    let mut parser = Parser::new(text, RESERVED)?;
    word(&mut parser, "theory", "`theory` and its name")?;
    let name = capital(&mut parser, "the name of the theory, with a capital initial")?;
    let mut document = Document { name, extends: vec![], citations: vec![], about: String::new(), items: vec![] };
    if parser.at_word("extends") {
        parser.advance()?;
        loop {
            document.extends.push(capital(&mut parser, "the name of a theory, with a capital initial")?);
            if !parser.accept(Token::Comma)? {
                break;
            }
        }
    }
    while !parser.at(Token::End) {
        item(&mut parser, &mut document)?;
    }
    Ok(document)
}

fn item(parser: &mut Parser<'_>, document: &mut Document) -> Result<(), SyntaxError> {
    let comment = parser.current().comment;
    if parser.at_word("cite") {
        parser.advance()?;
        let span = parser.span();
        if !parser.at(Token::Upper) && !parser.at(Token::Lower) {
            return Err(parser.expected("the key of a paper, such as Sherman2021"));
        }
        let key = parser.name(span);
        parser.advance()?;
        document.citations.push(Citation { key, place: text(parser, "the place in the paper, in quotation marks")? });
    } else if parser.at_word("about") {
        parser.advance()?;
        document.about = text(parser, "a text in quotation marks")?;
    } else if parser.at_word("type") {
        parser.advance()?;
        document.items.push(Item::Type(parser.type_declaration()?));
    } else if parser.accept(Token::Let)? {
        let declaration = parser.declaration()?;
        if parser.at(Token::In) {
            return Err(parser.expected("the next part of the theory, as definitions of a theory have no `in`"));
        }
        let doc = documentation(parser.text_of(comment));
        document.items.push(Item::Let(declaration, doc));
    } else if parser.at_word("claim") {
        parser.advance()?;
        document.items.push(Item::Claim(claim(parser)?));
    } else {
        return Err(parser.expected("`let`, `type`, `claim`, `cite` or `about`"));
    }
    Ok(())
}

fn claim(parser: &mut Parser<'_>) -> Result<ClaimDraft, SyntaxError> {
    if !parser.at(Token::Lower) && !parser.at(Token::Upper) {
        return Err(parser.expected("the name of the claim"));
    }
    let span = parser.span();
    let name: Name = parser.name(span);
    parser.advance()?;
    let name = Identifier { name, span };
    parser.expect(Token::Colon, "`:` and what is claimed")?;
    let start = parser.span();
    let expression = parser.expression()?;
    let statement = if parser.accept(Token::Tilde)? {
        StatementDraft::Agree(expression, parser.expression()?)
    } else {
        let reached = !parser.at_word("unreached");
        if !reached {
            parser.advance()?;
        }
        word(parser, "within", "`within`, `unreached within` or `~`")?;
        let at = parser.span();
        let tolerance = parser.constant_number()?;
        if tolerance < 0 {
            return Err(not_below(parser, at, "a tolerance of at least 0"));
        }
        word(parser, "of", "`of` and a number")?;
        let low = parser.constant_number()?;
        let mut high = low.clone();
        if parser.accept(Token::DotDot)? {
            let at = parser.span();
            high = parser.constant_number()?;
            if high < low {
                return Err(not_below(parser, at, "an upper end that is not below the lower one"));
            }
        }
        StatementDraft::Within { expression, tolerance, low, high, reached }
    };
    let span = parser.span_from(start);
    word(parser, "because", "`because` and the reason, in quotation marks")?;
    let because = text(parser, "the reason, in quotation marks")?;
    Ok(ClaimDraft { name, statement, because, span })
}

fn not_below(parser: &Parser<'_>, start: Span, expected: &str) -> SyntaxError {
    let span = parser.span_from(start);
    SyntaxError::Expected { expected: expected.to_owned(), found: format!("`{}`", parser.text_of(span)), span }
}

/// Moves past a reserved word.
fn word(parser: &mut Parser<'_>, word: &str, expected: &str) -> Result<(), SyntaxError> {
    if !parser.at_word(word) {
        return Err(parser.expected(expected));
    }
    parser.advance().map(|_| ())
}

/// A name with a capital initial.
fn capital(parser: &mut Parser<'_>, expected: &str) -> Result<Identifier, SyntaxError> {
    let span = parser.expect(Token::Upper, expected)?.span;
    Ok(Identifier { name: parser.name(span), span })
}

/// A text in quotation marks; line breaks in it are spaces.
fn text(parser: &mut Parser<'_>, expected: &str) -> Result<String, SyntaxError> {
    let span = parser.expect(Token::Text, expected)?.span;
    let inside = parser.text_of(span).trim_matches(['"', '“', '”']);
    Ok(inside.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// What a comment says, without the comment signs.
fn documentation(comment: &str) -> String {
    let lines = comment.lines().map(|line| line.trim_start().trim_start_matches('!').trim());
    lines.collect::<Vec<_>>().join("\n")
}
