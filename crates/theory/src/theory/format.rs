//! The text of one theory, read but not yet typed.

pub mod statement;

use super::Citation;
use crate::syntax::eliminator::fold_name;
use crate::syntax::error::{SyntaxError, THEORY};
use crate::syntax::name::{Name, is_capital};
use crate::syntax::parser::Parser;
use crate::syntax::surface::{Declaration, Expression, Identifier, TypeDeclaration, TypeExpression};
use crate::syntax::token::Token;
use rustc_hash::FxHashSet;
use statement::{ClaimDraft, LawDraft};

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
    "refuted",
    "rejects",
    "sample",
    "undefined",
    "where",
    "derives",
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
    /// Where the header and every part begin, citations included.
    pub starts: Vec<u32>,
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
    /// `law name … : …`, `refuted law name … : …`
    Law(LawDraft),
    /// `sample T = …`
    Sample(SampleDraft),
    /// `model name : …`
    Model(ModelDraft),
    /// `refute mutant : …`
    Refute(RefuteDraft),
}

/// `sample T = e | \(x : S) => e`, as written.
#[derive(Debug)]
pub struct SampleDraft {
    /// The type that is sampled.
    pub ty: TypeExpression,
    /// Its constructors.
    pub alternatives: Vec<Expression>,
}

/// `model name : all except law, … because "…"`, as written.
#[derive(Debug)]
pub struct ModelDraft {
    /// The model.
    pub model: Identifier,
    /// What is not asked of it.
    pub except: Vec<Identifier>,
    /// Why not.
    pub because: Option<String>,
}

/// `refute mutant : law, …`, as written.
#[derive(Debug)]
pub struct RefuteDraft {
    /// The wrong model.
    pub mutant: Identifier,
    /// What must refute it.
    pub by: Vec<Identifier>,
}

/// `theory Name extends Other, …`
#[derive(Debug)]
pub struct Header {
    /// The name.
    pub name: Identifier,
    /// The theories that it extends.
    pub extends: Vec<Identifier>,
}

/// Reads how the text of a theory begins.
///
/// # Errors
/// A [`SyntaxError`] with the first place that is wrong.
pub fn header(text: &str) -> Result<Header, SyntaxError> {
    read_header(&mut Parser::new(text, RESERVED)?)
}

fn read_header(parser: &mut Parser<'_>) -> Result<Header, SyntaxError> {
    word(parser, "theory", THEORY)?;
    let name = capital(parser, "the name of the theory, with a capital initial")?;
    let mut extends = Vec::new();
    if parser.at_word("extends") {
        parser.advance()?;
        loop {
            extends.push(capital(parser, "the name of a theory, with a capital initial")?);
            if !parser.accept(Token::Comma)? {
                break;
            }
        }
    }
    Ok(Header { name, extends })
}

/// What the text of a theory that is [laid out](super::layout) may define, found without reading it: the names after
/// `let`, and after `type` all names with a capital initial, and their folds.
pub(super) fn announced(text: &str) -> FxHashSet<Name> {
    let mut names: FxHashSet<Name> = FxHashSet::default();
    let mut in_type = false;
    for line in text.lines() {
        in_type = line.starts_with("type ") || in_type && line.starts_with(' ');
        if in_type {
            let words = line.split(|letter: char| !letter.is_alphanumeric() && !matches!(letter, '_' | '\''));
            for word in words.filter(|word| is_capital(word)) {
                names.insert(word.into());
                names.insert(fold_name(word).into());
            }
        } else if let Some(rest) = line.strip_prefix("let ") {
            names.extend(rest.split_whitespace().find(|word| *word != "rec").map(Name::from));
        }
    }
    names
}

/// Reads the text of a theory.
///
/// # Errors
/// A [`SyntaxError`] with the first place that is wrong.
pub fn parse(text: &str) -> Result<Document, SyntaxError> {
    let mut parser = Parser::new(text, RESERVED)?;
    let start = parser.span().start;
    let Header { name, extends } = read_header(&mut parser)?;
    let mut document =
        Document { name, extends, citations: vec![], about: String::new(), items: vec![], starts: vec![start] };
    while !parser.at(Token::End) {
        item(&mut parser, &mut document)?;
    }
    Ok(document)
}

fn item(parser: &mut Parser<'_>, document: &mut Document) -> Result<(), SyntaxError> {
    let comment = parser.current().comment;
    document.starts.push(parser.span().start);
    if parser.at_word("cite") {
        parser.advance()?;
        let span = parser.span();
        if !parser.at(Token::Upper) && !parser.at(Token::Lower) {
            return Err(parser.expected("the key of a paper, such as Sherman2021"));
        }
        let key = parser.name(span);
        parser.advance()?;
        document.citations.push(Citation {
            key,
            span,
            place: text(parser, "the place in the paper, in quotation marks")?,
        });
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
        document.items.push(Item::Claim(statement::claim(parser)?));
    } else if parser.at_word("law") {
        parser.advance()?;
        document.items.push(Item::Law(statement::law(parser, false)?));
    } else if parser.at_word("refuted") {
        parser.advance()?;
        word(parser, "law", "`law` after `refuted`")?;
        document.items.push(Item::Law(statement::law(parser, true)?));
    } else if parser.at_word("sample") {
        parser.advance()?;
        document.items.push(Item::Sample(sample(parser)?));
    } else if parser.at_word("model") {
        parser.advance()?;
        document.items.push(Item::Model(model(parser)?));
    } else if parser.at_word("refute") {
        parser.advance()?;
        document.items.push(Item::Refute(refute(parser)?));
    } else {
        return Err(parser.expected("`let`, `type`, `law`, `claim`, `sample`, `model`, `refute`, `cite` or `about`"));
    }
    Ok(())
}

fn sample(parser: &mut Parser<'_>) -> Result<SampleDraft, SyntaxError> {
    let ty = parser.type_expression()?;
    parser.expect(Token::Equals, "`=` and the constructors, with `|` between them")?;
    let mut alternatives = vec![parser.expression()?];
    while parser.accept(Token::Bar)? {
        alternatives.push(parser.expression()?);
    }
    Ok(SampleDraft { ty, alternatives })
}

fn model(parser: &mut Parser<'_>) -> Result<ModelDraft, SyntaxError> {
    let model = lower(parser, "the name of a model")?;
    parser.expect(Token::Colon, "`:` and `all`")?;
    word(parser, "all", "`all`, or `all except` and the names of laws")?;
    if !parser.at_word("except") {
        return Ok(ModelDraft { model, except: Vec::new(), because: None });
    }
    parser.advance()?;
    let except = names(parser)?;
    word(parser, "because", "`because` and the reason, in quotation marks")?;
    Ok(ModelDraft { model, except, because: Some(text(parser, "the reason, in quotation marks")?) })
}

fn refute(parser: &mut Parser<'_>) -> Result<RefuteDraft, SyntaxError> {
    let mutant = lower(parser, "the name of a mutant; `smoothish mutants` lists them")?;
    parser.expect(Token::Colon, "`:` and the names of laws and claims")?;
    Ok(RefuteDraft { mutant, by: names(parser)? })
}

/// Names with commas between them.
fn names(parser: &mut Parser<'_>) -> Result<Vec<Identifier>, SyntaxError> {
    let mut names = vec![lower(parser, "the name of a law or of a claim")?];
    while parser.accept(Token::Comma)? {
        names.push(lower(parser, "the name of a law or of a claim")?);
    }
    Ok(names)
}

fn lower(parser: &mut Parser<'_>, expected: &str) -> Result<Identifier, SyntaxError> {
    if parser.at(Token::Lower) { parser.identifier() } else { Err(parser.expected(expected)) }
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
