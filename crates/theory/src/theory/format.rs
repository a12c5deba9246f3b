//! The parser of one theory file: from text to an untyped [`TheoryDocument`].
//!
//! # The parser of claims and laws

use super::Citation;
use crate::number::Rational;
use crate::syntax::data::fold_name;
use crate::syntax::error::{SyntaxError, THEORY};
use crate::syntax::lexer::Token;
use crate::syntax::name::{Name, is_capital};
use crate::syntax::parser::Parser;
use crate::syntax::source::Span;
use crate::syntax::surface::{
    BinaryOperator, Binder, Declaration, Expression, ExpressionKind, Identifier, TypeDeclaration, TypeExpression,
};
use crate::theory::StatementRelation;
use rustc_hash::FxHashSet;

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
        document.items.push(TheoryItem::Claim(parse_claim(parser)?));
    } else if parser.is_at_word("law") {
        parser.advance()?;
        document.items.push(TheoryItem::Law(parse_named_law(parser, false)?));
    } else if parser.is_at_word("refuted") {
        parser.advance()?;
        expect_word(parser, "law", "`law` after `refuted`")?;
        document.items.push(TheoryItem::Law(parse_named_law(parser, true)?));
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

/// The highest order of `derives`. A choice: it bounds the Taylor expansions that a law can ask for.
pub const MOST_ORDER: usize = 8;

/// A claim as written.
#[derive(Debug)]
pub struct ClaimDraft {
    /// The name of the claim.
    pub name: Identifier,
    /// The statement itself.
    pub statement: StatementDraft,
    /// The reason why the claim is right.
    pub because: String,
    /// The place of the statement in the source.
    pub span: Span,
}

/// A statement about programs, as written.
#[derive(Debug)]
pub enum StatementDraft {
    /// `e within d of a .. b`, `e unreached within d of a .. b`
    Within {
        /// The program, of type `Real`.
        expression: Expression,
        /// The distance by which the enclosure may extend beyond `low` and `high`; at least 0.
        tolerance: Rational,
        /// The lower end of the expected interval.
        low: Rational,
        /// The upper end of the expected interval; `low` for a single number.
        high: Rational,
        /// `true` if the tolerance is reached; `false` after `unreached`.
        reached: bool,
    },
    /// `e undefined`
    Undefined(Expression),
    /// `e rejects "part of the message"`: type inference must fail with this part in its message.
    Rejects(Expression, String),
    /// `e = f`, `e ~ f`, `e >= f`, `e >= a .. b`, `e derives R`
    Related(RelatedDraft),
}

impl StatementDraft {
    /// Returns the place of the program that the statement is about; of two programs, the left one.
    #[must_use]
    pub fn program_span(&self) -> Span {
        match self {
            Self::Within { expression, .. } | Self::Undefined(expression) | Self::Rejects(expression, _) => {
                expression.span
            }
            Self::Related(related) => related.left.span,
        }
    }
}

/// A relation between two sides, as written.
#[derive(Debug)]
pub struct RelatedDraft {
    /// The relation asserted between the sides.
    pub relation: StatementRelation,
    /// The left side.
    pub left: Expression,
    /// The right side. `None` if the right side is an interval, and for `derives`.
    pub right: Option<Expression>,
    /// The ends of the interval on the right side of `>=`; `None` for every other right side.
    pub interval: Option<(Rational, Rational)>,
}

/// `law name A (x : T) … : statement where condition, …`, as written.
#[derive(Debug)]
pub struct LawDraft {
    /// The name of the law.
    pub name: Identifier,
    /// Its type parameters.
    pub type_parameters: Vec<Identifier>,
    /// The variables that the law quantifies over, with their types.
    pub binders: Vec<Binder>,
    /// The relation that the law asserts.
    pub statement: RelatedDraft,
    /// The conditions under which the law holds.
    pub conditions: Vec<ConditionDraft>,
    /// `true` if the law is false and kept for its counterexample.
    pub refuted: bool,
    /// The reason why the law holds, or fails; `None` if the source gives none.
    pub because: Option<String>,
    /// The place of the statement in the source.
    pub span: Span,
}

/// A condition of a law, as written.
#[derive(Debug)]
pub struct ConditionDraft {
    /// `smooth`, `increasing`, `positive` or `apart`.
    pub word: Identifier,
    /// The expressions that the condition constrains.
    pub arguments: Vec<Expression>,
}

/// Parses a claim, after the word `claim`.
fn parse_claim(parser: &mut Parser<'_>) -> Result<ClaimDraft, SyntaxError> {
    let name = parse_name(parser, "the name of the claim")?;
    parser.expect(Token::Colon, "`:` and the claim")?;
    let start = parser.span();
    let statement = parse_statement(parser)?;
    let span = parser.span_from(start);
    // `derives` compares derivatives at random points, and a claim has no variables to draw
    if matches!(&statement, StatementDraft::Related(related) if matches!(related.relation, StatementRelation::Derives(_)))
    {
        let expected = "another statement in a claim, since `derives` is for laws about variables".to_owned();
        return Err(SyntaxError::Expected { expected, found: "`derives`".to_owned(), span });
    }
    expect_word(parser, "because", "`because` and the reason, in quotation marks")?;
    let because = parse_text(parser, "the reason, in quotation marks")?;
    Ok(ClaimDraft { name, statement, because, span })
}

/// Parses a law, after the word `law`.
fn parse_named_law(parser: &mut Parser<'_>, refuted: bool) -> Result<LawDraft, SyntaxError> {
    let name = parse_name(parser, "the name of the law")?;
    parse_law_body(parser, name, refuted)
}

/// Parses a law, after its name: `A (x : T) … : statement where condition, … because "…"`.
fn parse_law_body(parser: &mut Parser<'_>, name: Identifier, refuted: bool) -> Result<LawDraft, SyntaxError> {
    let (type_parameters, binders) = parser.parse_definition_binders()?;
    parser.expect(Token::Colon, "`:` and the statement of the law")?;
    let start = parser.span();
    let StatementDraft::Related(statement) = parse_statement(parser)? else {
        let span = parser.span_from(start);
        let expected = "`=`, `~`, `>=` or `derives` in a law, since `within` and `rejects` are for claims".to_owned();
        return Err(SyntaxError::Expected { expected, found: "another statement".to_owned(), span });
    };
    let span = parser.span_from(start);
    let mut conditions = Vec::new();
    if parser.is_at_word("where") {
        parser.advance()?;
        loop {
            conditions.push(parse_condition(parser)?);
            if !parser.accept(Token::Comma)? {
                break;
            }
        }
    }
    let because = match parser.is_at_word("because") {
        true => {
            parser.advance()?;
            Some(parse_text(parser, "the reason, in quotation marks")?)
        }
        false => None,
    };
    Ok(LawDraft { name, type_parameters, binders, statement, conditions, refuted, because, span })
}

/// Parses a law without the word `law` and the name, `A (x : T) … : statement where …`. The law gets the name `name`.
///
/// # Errors
/// A [`SyntaxError`] at the first lexeme that does not fit.
pub fn parse_law(name: &str, text: &str) -> Result<LawDraft, SyntaxError> {
    let mut parser = Parser::new(text, RESERVED)?;
    let name = Identifier { name: name.into(), span: parser.span() };
    let law = parse_law_body(&mut parser, name, false)?;
    parser.expect_end()?;
    Ok(law)
}

/// Parses a condition: a word and the atoms that follow it. The elaborator checks the word.
fn parse_condition(parser: &mut Parser<'_>) -> Result<ConditionDraft, SyntaxError> {
    let word = parse_name(parser, "a condition: `smooth f`, `increasing f`, `positive e` or `apart e f`")?;
    let mut arguments = Vec::new();
    while parser.starts_atom() {
        arguments.push(parser.parse_argument()?);
    }
    Ok(ConditionDraft { word, arguments })
}

/// Parses an identifier of either initial.
fn parse_name(parser: &mut Parser<'_>, expected: &str) -> Result<Identifier, SyntaxError> {
    if !parser.is_at(Token::Lower) && !parser.is_at(Token::Upper) {
        return Err(parser.expected_error(expected));
    }
    parser.parse_identifier()
}

/// Parses the statement of a claim or law. The forms are told apart by the word or operator after the left side.
fn parse_statement(parser: &mut Parser<'_>) -> Result<StatementDraft, SyntaxError> {
    let left = parser.parse_expression()?;
    let related = |relation, left, right| {
        StatementDraft::Related(RelatedDraft { relation, left, right: Some(right), interval: None })
    };
    if parser.accept(Token::Tilde)? {
        return Ok(related(StatementRelation::Overlap, left, parser.parse_expression()?));
    }
    if parser.accept(Token::Equals)? {
        return Ok(related(StatementRelation::NormalForm, left, parser.parse_expression()?));
    }
    // The expression parser has consumed `>=` as the comparison of natural numbers, so the relation is found at the
    // root of the tree.
    if matches!(left.kind, ExpressionKind::Binary(BinaryOperator::GreaterEqual, ..)) {
        let ExpressionKind::Binary(_, left, right) = left.into_kind() else {
            return Err(parser.expected_error("`>=`"));
        };
        let (left, right) = (*left, *right);
        if !parser.is_at(Token::DotDot) {
            return Ok(related(StatementRelation::Contains, left, right));
        }
        // the lower end was read as an expression; its text is parsed again, as a constant number
        let low = Parser::new(parser.text_of(right.span), RESERVED)?.parse_constant_number();
        let low = low.map_err(|_| SyntaxError::Expected {
            expected: "a number at each end of an interval".to_owned(),
            found: format!("`{}`", parser.text_of(right.span)),
            span: right.span,
        })?;
        parser.advance()?;
        let high = parse_upper_end(parser, &low)?;
        let statement =
            RelatedDraft { relation: StatementRelation::Contains, left, right: None, interval: Some((low, high)) };
        return Ok(StatementDraft::Related(statement));
    }
    if parser.is_at_word("rejects") {
        parser.advance()?;
        return Ok(StatementDraft::Rejects(left, parse_text(parser, "a part of the message, in quotation marks")?));
    }
    if parser.is_at_word("derives") {
        parser.advance()?;
        let at = parser.span();
        let order = parser.parse_constant_number()?;
        // an order that is not a small natural number is reported with the range that is allowed
        let order = order.is_integer().then(|| order.numer().to_usize()).flatten();
        let Some(order) = order.filter(|order| (1..=MOST_ORDER).contains(order)) else {
            return Err(number_error(parser, at, &format!("an order from 1 to {MOST_ORDER}")));
        };
        let relation = StatementRelation::Derives(order);
        return Ok(StatementDraft::Related(RelatedDraft { relation, left, right: None, interval: None }));
    }
    if parser.is_at_word("undefined") {
        parser.advance()?;
        return Ok(StatementDraft::Undefined(left));
    }
    // `a == b` alone is a truth value, for which a law has no use; before `within` it may be part of a program
    if matches!(left.kind, ExpressionKind::Binary(BinaryOperator::Equal, ..)) && !is_before_number(parser) {
        let expected = "a ~ b, which is how a law says that a and b are equal".to_owned();
        return Err(SyntaxError::Expected { expected, found: "a == b".to_owned(), span: left.span });
    }
    parse_within(parser, left)
}

/// Returns `true` if a statement about a number follows: `within` or `unreached`.
fn is_before_number(parser: &Parser<'_>) -> bool {
    parser.is_at_word("within") || parser.is_at_word("unreached")
}

/// Parses `within d of a .. b`, or `unreached within d of a .. b`, after the program.
fn parse_within(parser: &mut Parser<'_>, expression: Expression) -> Result<StatementDraft, SyntaxError> {
    let reached = !parser.is_at_word("unreached");
    if !reached {
        parser.advance()?;
    }
    expect_word(parser, "within", "`within`, `unreached within`, `=`, `~`, `>=`, `derives`, `undefined` or `rejects`")?;
    let at = parser.span();
    let tolerance = parser.parse_constant_number()?;
    if tolerance < 0 {
        return Err(number_error(parser, at, "a tolerance of at least 0"));
    }
    expect_word(parser, "of", "`of` and a number")?;
    let low = parser.parse_constant_number()?;
    // a single number is the interval from the number to itself
    let high = if parser.accept(Token::DotDot)? { parse_upper_end(parser, &low)? } else { low.clone() };
    Ok(StatementDraft::Within { expression, tolerance, low, high, reached })
}

/// Parses the upper end of an interval. The error is reported if it lies below `low`.
fn parse_upper_end(parser: &mut Parser<'_>, low: &Rational) -> Result<Rational, SyntaxError> {
    let at = parser.span();
    let high = parser.parse_constant_number()?;
    if high < *low {
        return Err(number_error(parser, at, "an upper end that is not below the lower one"));
    }
    Ok(high)
}

/// Makes the error for a number out of range, which spans from `start` to the last lexeme.
fn number_error(parser: &Parser<'_>, start: Span, expected: &str) -> SyntaxError {
    let span = parser.span_from(start);
    SyntaxError::Expected { expected: expected.to_owned(), found: format!("`{}`", parser.text_of(span)), span }
}
