//! The parser of one theory file: from text to an untyped [`TheoryDocument`].

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

/// The syntax tree of a theory, before type inference.
#[derive(Debug)]
pub struct TheoryDocument {
    /// The name of the theory.
    pub name: Identifier,
    /// The theories that this theory extends, as declared.
    pub extends: Vec<Identifier>,
    /// The papers that the theory cites.
    pub citations: Vec<Citation>,
    /// The purpose of the theory, as written after `about`.
    pub summary: String,
    /// The definitions and statements, in the order of the source.
    pub items: Vec<TheoryItem>,
    /// The byte offsets at which the header and every item begin, `cite` and `about` included. The formatter breaks
    /// lines there.
    pub starts: Vec<u32>,
}

/// An item of a theory: a definition or a statement.
#[derive(Debug)]
pub enum TheoryItem {
    /// `type Name A = T`, `type Name A = C | D T`
    Type(TypeDeclaration),
    /// `let name … = e`, and the text of the comment before it.
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
    /// The type that the random values inhabit.
    pub ty: TypeExpression,
    /// The constructors: values of the type, or functions to it.
    pub alternatives: Vec<Expression>,
}

/// `model name : all except law, … because "…"`, as written.
#[derive(Debug)]
pub struct ModelDraft {
    /// The name of the model.
    pub model: Identifier,
    /// The names of the laws that the model is not tested with.
    pub except: Vec<Identifier>,
    /// The reason for the exceptions; `None` if there are none.
    pub because: Option<String>,
}

/// `refute mutant : law, …`, as written.
#[derive(Debug)]
pub struct RefuteDraft {
    /// The name of the mutant.
    pub mutant: Identifier,
    /// The laws and claims of which each must refute the mutant.
    pub by: Vec<Identifier>,
}

/// `theory Name extends Other, …`
#[derive(Debug)]
pub struct Header {
    /// The name of the theory.
    pub name: Identifier,
    /// The theories that this theory extends, as declared.
    pub extends: Vec<Identifier>,
}

/// Parses the header of a theory: `theory Name extends Other, …`. The rest of the text is not read.
///
/// # Errors
/// A [`SyntaxError`] at the first lexeme that does not fit.
pub fn parse_header(text: &str) -> Result<Header, SyntaxError> {
    read_header(&mut Parser::new(text, RESERVED)?)
}

fn read_header(parser: &mut Parser<'_>) -> Result<Header, SyntaxError> {
    expect_word(parser, "theory", THEORY)?;
    let name = parse_capital_name(parser, "the name of the theory, with a capital initial")?;
    let mut extends = Vec::new();
    if parser.is_at_word("extends") {
        parser.advance()?;
        loop {
            extends.push(parse_capital_name(parser, "the name of a theory, with a capital initial")?);
            if !parser.accept(Token::Comma)? {
                break;
            }
        }
    }
    Ok(Header { name, extends })
}

/// Returns the names that a [laid out](super::layout) theory may define, found without parsing: the names after `let`
/// and, after `type`, every capitalised name and the name of its fold. The set may contain further names.
pub(super) fn announced_names(text: &str) -> FxHashSet<Name> {
    let mut names: FxHashSet<Name> = FxHashSet::default();
    let mut in_type = false;
    for line in text.lines() {
        // a type declaration continues on indented lines, which the layout guarantees; a `let` has its name on the
        // first line
        in_type = line.starts_with("type ") || in_type && line.starts_with(' ');
        if in_type {
            let words = line.split(|letter: char| !letter.is_alphanumeric() && !matches!(letter, '_' | '\''));
            for word in words.filter(|word| is_capital(word)) {
                // a name that only occurs in a constructor's arguments is included too: a superset is enough for
                // laziness
                names.insert(word.into());
                names.insert(fold_name(word).into());
            }
        } else if let Some(rest) = line.strip_prefix("let ") {
            names.extend(rest.split_whitespace().find(|word| *word != "rec").map(Name::from));
        }
    }
    names
}

/// Parses the text of a theory.
///
/// # Errors
/// A [`SyntaxError`] at the first lexeme that does not fit.
pub fn parse(text: &str) -> Result<TheoryDocument, SyntaxError> {
    let mut parser = Parser::new(text, RESERVED)?;
    let start = parser.span().start;
    let Header { name, extends } = read_header(&mut parser)?;
    let mut document =
        TheoryDocument { name, extends, citations: vec![], summary: String::new(), items: vec![], starts: vec![start] };
    while !parser.is_at(Token::End) {
        parse_item(&mut parser, &mut document)?;
    }
    Ok(document)
}

fn parse_item(parser: &mut Parser<'_>, document: &mut TheoryDocument) -> Result<(), SyntaxError> {
    // read before the parser advances: the comment belongs to the first lexeme of the item
    let comment = parser.current().comment;
    document.starts.push(parser.span().start);
    if parser.is_at_word("cite") {
        parser.advance()?;
        let span = parser.span();
        // keys of papers have a capital initial; a lower one is accepted here and reported as unknown by the loader
        if !parser.is_at(Token::Upper) && !parser.is_at(Token::Lower) {
            return Err(parser.expected_error("the key of a paper, such as Sherman2021"));
        }
        let key = parser.intern_name(span);
        parser.advance()?;
        document.citations.push(Citation {
            key,
            span,
            place: parse_text(parser, "the place in the paper, in quotation marks")?,
        });
    } else if parser.is_at_word("about") {
        parser.advance()?;
        document.summary = parse_text(parser, "a text in quotation marks")?;
    } else if parser.is_at_word("type") {
        parser.advance()?;
        document.items.push(TheoryItem::Type(parser.parse_type_declaration()?));
    } else if parser.accept(Token::Let)? {
        let declaration = parser.parse_declaration()?;
        // an expression `let … in …` would otherwise be reported at `in` as an unknown item
        if parser.is_at(Token::In) {
            return Err(parser.expected_error("the next part of the theory, as definitions of a theory have no `in`"));
        }
        let doc = strip_comment_signs(parser.text_of(comment));
        document.items.push(TheoryItem::Let(declaration, doc));
    } else if parser.is_at_word("claim") {
        parser.advance()?;
        document.items.push(TheoryItem::Claim(statement::parse_claim(parser)?));
    } else if parser.is_at_word("law") {
        parser.advance()?;
        document.items.push(TheoryItem::Law(statement::parse_named_law(parser, false)?));
    } else if parser.is_at_word("refuted") {
        parser.advance()?;
        expect_word(parser, "law", "`law` after `refuted`")?;
        document.items.push(TheoryItem::Law(statement::parse_named_law(parser, true)?));
    } else if parser.is_at_word("sample") {
        parser.advance()?;
        document.items.push(TheoryItem::Sample(parse_sample(parser)?));
    } else if parser.is_at_word("model") {
        parser.advance()?;
        document.items.push(TheoryItem::Model(parse_model(parser)?));
    } else if parser.is_at_word("refute") {
        parser.advance()?;
        document.items.push(TheoryItem::Refute(parse_refute(parser)?));
    } else {
        return Err(
            parser.expected_error("`let`, `type`, `law`, `claim`, `sample`, `model`, `refute`, `cite` or `about`")
        );
    }
    Ok(())
}

/// Parses `T = e | …` after `sample`.
fn parse_sample(parser: &mut Parser<'_>) -> Result<SampleDraft, SyntaxError> {
    let ty = parser.parse_type_expression()?;
    parser.expect(Token::Equals, "`=` and the constructors, with `|` between them")?;
    let mut alternatives = vec![parser.parse_expression()?];
    while parser.accept(Token::Bar)? {
        alternatives.push(parser.parse_expression()?);
    }
    Ok(SampleDraft { ty, alternatives })
}

/// Parses `name : all except law, … because "…"` after `model`.
fn parse_model(parser: &mut Parser<'_>) -> Result<ModelDraft, SyntaxError> {
    let model = parse_lower_name(parser, "the name of a model")?;
    parser.expect(Token::Colon, "`:` and `all`")?;
    expect_word(parser, "all", "`all`, or `all except` and the names of laws")?;
    if !parser.is_at_word("except") {
        return Ok(ModelDraft { model, except: Vec::new(), because: None });
    }
    parser.advance()?;
    let except = parse_names(parser)?;
    // an exception without a reason is a syntax error: no law is left out silently
    expect_word(parser, "because", "`because` and the reason, in quotation marks")?;
    Ok(ModelDraft { model, except, because: Some(parse_text(parser, "the reason, in quotation marks")?) })
}

/// Parses `mutant : law, …` after `refute`.
fn parse_refute(parser: &mut Parser<'_>) -> Result<RefuteDraft, SyntaxError> {
    let mutant = parse_lower_name(parser, "the name of a mutant; `smoothish mutants` lists them")?;
    parser.expect(Token::Colon, "`:` and the names of laws and claims")?;
    Ok(RefuteDraft { mutant, by: parse_names(parser)? })
}

/// Parses one or more lower-case names, separated by commas.
fn parse_names(parser: &mut Parser<'_>) -> Result<Vec<Identifier>, SyntaxError> {
    let mut names = vec![parse_lower_name(parser, "the name of a law or of a claim")?];
    while parser.accept(Token::Comma)? {
        names.push(parse_lower_name(parser, "the name of a law or of a claim")?);
    }
    Ok(names)
}

/// Parses an identifier with a lower-case initial.
fn parse_lower_name(parser: &mut Parser<'_>, expected: &str) -> Result<Identifier, SyntaxError> {
    if parser.is_at(Token::Lower) { parser.parse_identifier() } else { Err(parser.expected_error(expected)) }
}

/// Consumes the reserved word `word`. The error names `expected_error`.
fn expect_word(parser: &mut Parser<'_>, word: &str, expected: &str) -> Result<(), SyntaxError> {
    if !parser.is_at_word(word) {
        return Err(parser.expected_error(expected));
    }
    parser.advance().map(|_| ())
}

/// Parses an identifier with a capital initial.
fn parse_capital_name(parser: &mut Parser<'_>, expected: &str) -> Result<Identifier, SyntaxError> {
    let span = parser.expect(Token::Upper, expected)?.span;
    Ok(Identifier { name: parser.intern_name(span), span })
}

/// Parses a text in quotation marks. Returns it without them, with every run of white space as one space.
fn parse_text(parser: &mut Parser<'_>, expected: &str) -> Result<String, SyntaxError> {
    let span = parser.expect(Token::Text, expected)?.span;
    // the lexer accepts typographic quotation marks as well as straight ones
    let inside = parser.text_of(span).trim_matches(['"', '“', '”']);
    Ok(inside.split_whitespace().collect::<Vec<_>>().join(" "))
}

/// Returns the text of a comment without the `!` that begins each of its lines.
fn strip_comment_signs(comment: &str) -> String {
    let lines = comment.lines().map(|line| line.trim_start().trim_start_matches('!').trim());
    lines.collect::<Vec<_>>().join("\n")
}
