//! The protocol of `repl --json`: the prompt for other programs, which keep it open.
//!
//! A line in, a line out, both JSON objects. The first line out is a greeting,
//! `{"version":1,"protocol":"smoothish","program":"0.2.0"}`.
//!
//! | a request has | |
//! |---|---|
//! | `"input"` | the input: a question, a definition, a command such as `:load FILE`; it may have several lines |
//! | `"id"` | anything; the reply has the same |
//! | `"eps"`, `"rel"`, `"digits"`, `"timeout"` | for this input alone: as those of the command line, as texts or numbers |
//! | `"form"` | absent, or `"lines"`: the reply shows what a terminal would |
//!
//! | a reply has | |
//! |---|---|
//! | `"version"`, `"id"`, `"status"` | the version of the protocol, the `"id"` of the request, the exit status of `eval` |
//! | the members of `eval --json` | if the input is a question with an answer |
//! | `"text"`, `"notes"` | the output of a definition or a command, and the notes on it |
//! | `"lines"`, `"goal"` | with the form `"lines"`, in the place of all others: the printed lines, and the accuracy of the next answer |
//! | `"error"` | the reason why there is no answer, as in `eval --json` |
//!
//! A line that is no request is answered by an error. The program ends with its input, and after `:quit`. An interrupt
//! (SIGINT) ends the running question alone; between two requests it ends the program.

use super::prompt::{InputResult, Prompt};
use super::{PIPE_NAME, editor};
use crate::cli::eval;
use crate::cli::output::Streams;
use crate::cli::status::Status;
use crate::session::Diagnostic;
use crate::session::tolerance::{AccuracyClass, AccuracyGoal, Digits, Timeout, Tolerance};
use crate::syntax::parser::{PromptInput, parse_input};
use serde_json::{Map, Value as Json, json};
use std::io;
use std::io::{BufRead, Write};
use std::str::FromStr;
use std::sync::atomic::Ordering;

/// The version of the protocol. A reply may get new members without a new version.
pub const PROTOCOL_VERSION: u32 = 1;

/// The form of a request, as errors describe it.
const EXPECTED: &str =
    "a request is a JSON object on one line, as {\"id\": 1, \"input\": \"sqrt 2\", \"eps\": \"1e-9\"}";

/// A request that can be answered.
struct ProtocolRequest {
    id: Json,
    input: String,
    goal: Option<AccuracyGoal>,
    timeout: Option<Timeout>,
    /// `true` if the reply has the lines that a terminal shows.
    shows_lines: bool,
}

/// Answers a request on every line, until the input ends.
///
/// # Errors
/// Errors of reading and of writing.
pub fn run_protocol(prompt: &mut Prompt<'_>, input: &mut dyn BufRead, out: &mut dyn Write) -> io::Result<Status> {
    send_reply(
        out,
        json!({ "version": PROTOCOL_VERSION, "protocol": "smoothish", "program": env!("CARGO_PKG_VERSION") }),
    )?;
    let mut number = 0;
    while let Some(line) = editor::read_line(input, PIPE_NAME, number + 1)? {
        number += 1;
        // An interrupt that arrived after the last answer was meant for that question.
        prompt.interrupted.store(false, Ordering::Relaxed);
        let mut id = Json::Null;
        let (reply, done) = match line.and_then(|line| parse_request(&line, &mut id)) {
            Ok(request) => answer_request(prompt, request)?,
            Err(refusal) => (error_reply(id, &refusal), InputResult::Status(Status::from(refusal.kind))),
        };
        send_reply(out, reply)?;
        if done == InputResult::Quit {
            break;
        }
    }
    Ok(Status::Reached)
}

/// Writes one reply, and flushes it, since the other program waits.
fn send_reply(out: &mut dyn Write, reply: Json) -> io::Result<()> {
    writeln!(out, "{reply}")?;
    out.flush()
}

/// Parses the request on a line. `identity` is set as soon as it is known, so that errors carry it as well.
fn parse_request(line: &str, identity: &mut Json) -> Result<ProtocolRequest, Diagnostic> {
    let wrong = |what: &str| Diagnostic::invalid_input(format!("error: {what}\n  = help: {EXPECTED}"));
    let mut members = match serde_json::from_str(line) {
        Ok(Json::Object(members)) => members,
        Ok(_) => return Err(wrong("expected an object")),
        Err(error) => return Err(wrong(&format!("this is no JSON: {error}"))),
    };
    let id = members.remove("id").unwrap_or_default();
    identity.clone_from(&id);
    let Some(Json::String(input)) = members.remove("input") else {
        return Err(wrong("the request has no text named \"input\""));
    };
    let eps = read_member::<Tolerance>(&mut members, "eps")?;
    let rel = read_member::<Tolerance>(&mut members, "rel")?;
    let digits = read_member::<Digits>(&mut members, "digits")?;
    let timeout = read_member::<Timeout>(&mut members, "timeout")?;
    let shows_lines = match members.remove("form") {
        None | Some(Json::Null) => false,
        Some(form) if form == "lines" => true,
        Some(_) => return Err(wrong("\"form\" is \"lines\" or absent")),
    };
    // A misspelt member must not be ignored: the answer would have another accuracy than requested.
    if let Some(name) = members.keys().next() {
        return Err(wrong(&format!("a request has no member {name:?}")));
    }
    if rel.is_some() && digits.is_some() {
        return Err(wrong("one of \"rel\" and \"digits\" is enough"));
    }
    let is_asked = eps.is_some() || rel.is_some() || digits.is_some();
    let goal = is_asked.then_some(AccuracyGoal { eps, rel, of_digits: digits, default_digits: None });
    Ok(ProtocolRequest { id, input, goal, timeout, shows_lines })
}

/// Reads a member that is written as on the command line. Returns `None` if it is absent or `null`.
fn read_member<T: FromStr<Err: std::fmt::Display>>(
    members: &mut Map<String, Json>,
    name: &str,
) -> Result<Option<T>, Diagnostic> {
    let member = members.remove(name);
    let is_number = matches!(member, Some(Json::Number(_)));
    let text = match member {
        None | Some(Json::Null) => return Ok(None),
        Some(Json::String(text)) => text,
        Some(other) => other.to_string(),
    };
    let help = if is_number {
        "\n  = help: a number of JSON is a floating-point one; as a text, \"1e-400\", it is read exactly"
    } else {
        ""
    };
    text.parse()
        .map(Some)
        .map_err(|error| Diagnostic::invalid_input(format!("error: {name:?} is {text:?}: {error}{help}")))
}

/// Answers a request. Its accuracy and its limit of time hold for it alone.
fn answer_request(prompt: &mut Prompt<'_>, request: ProtocolRequest) -> io::Result<(Json, InputResult)> {
    let ProtocolRequest { id, input, goal, timeout, shows_lines } = request;
    let kept = (prompt.goal.clone(), prompt.timeout);
    let own = (goal.is_some(), timeout.is_some());
    prompt.goal = goal.unwrap_or_else(|| kept.0.clone());
    prompt.timeout = timeout.unwrap_or(kept.1);
    let reply = match parse_input(&input, &[]) {
        _ if shows_lines => answer_in_lines(prompt, id, &input),
        // Text with a colon first is a command, even where it would parse.
        Ok(PromptInput::Expression(_)) if !input.trim_start().starts_with(':') => {
            Ok(answer_question(prompt, id, &input))
        }
        _ => answer_typed(prompt, id, &input),
    };
    // A command may have changed a setting that the request did not give; that change stays.
    if own.0 {
        prompt.goal = kept.0;
    }
    if own.1 {
        prompt.timeout = kept.1;
    }
    reply
}

/// Answers a question.
fn answer_question(prompt: &mut Prompt<'_>, id: Json, text: &str) -> (Json, InputResult) {
    let limits = prompt.limits();
    let source = prompt.input_source(text);
    match prompt.library.ask_and_set_ans(source, &prompt.goal, &prompt.goal, &limits) {
        Ok(answer) => {
            let status = AccuracyClass::of_value(answer.value(), &prompt.goal.accuracy()).into();
            let object =
                with_header(id, status, eval::to_json(text, &answer, &eval::printable_value(&answer), &prompt.goal));
            (object, InputResult::Status(status))
        }
        Err(refusal) => (error_reply(id, &refusal), InputResult::Status(Status::from(refusal.kind))),
    }
}

/// Answers a definition or a command by its output.
fn answer_typed(prompt: &mut Prompt<'_>, id: Json, text: &str) -> io::Result<(Json, InputResult)> {
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let done = prompt.answer_input(text, &mut Streams { out: &mut out, err: &mut err })?;
    let [out, err] = [out, err].map(|bytes| String::from_utf8_lossy(&bytes).trim_end().to_owned());
    let status = match done {
        InputResult::Status(status) => status,
        InputResult::Quit => Status::Reached,
    };
    // The prompt prints diagnostics as text; the error is recovered from it.
    if err.starts_with("error: ") {
        let mut error = eval::diagnostic_to_json(&Diagnostic::invalid_input(err));
        error["status"] = json!(status.code());
        return Ok((with_header(id, status, json!({ "error": error })), done));
    }
    let notes: Vec<&str> = err.lines().map(|line| line.strip_prefix("note: ").unwrap_or(line)).collect();
    let mut printed = json!({ "text": out });
    if !notes.is_empty() {
        printed["notes"] = json!(notes);
    }
    Ok((with_header(id, status, printed), done))
}

/// Answers an input by the lines that a terminal would show.
fn answer_in_lines(prompt: &mut Prompt<'_>, id: Json, text: &str) -> io::Result<(Json, InputResult)> {
    let (mut out, mut err) = (Vec::new(), Vec::new());
    let name = std::mem::replace(&mut prompt.name, editor::TERMINAL_NAME.to_owned());
    let done = prompt.answer_input(text, &mut Streams { out: &mut out, err: &mut err });
    prompt.name = name;
    let done = done?;
    let status = match done {
        InputResult::Status(status) => status,
        InputResult::Quit => Status::Reached,
    };
    out.extend(err);
    let printed = String::from_utf8_lossy(&out);
    let lines: Vec<&str> = printed.lines().map(str::trim_end).collect();
    Ok((with_header(id, status, json!({ "lines": lines, "goal": prompt.goal.to_string() })), done))
}

/// Returns the reply with an error.
fn error_reply(id: Json, refusal: &Diagnostic) -> Json {
    with_header(id, Status::from(refusal.kind), json!({ "error": eval::diagnostic_to_json(refusal) }))
}

/// Returns a reply with the members that all have. The version is that of the protocol.
fn with_header(id: Json, status: Status, reply: Json) -> Json {
    let mut all = Map::new();
    all.insert("version".into(), json!(PROTOCOL_VERSION));
    all.insert("id".into(), id);
    all.insert("status".into(), json!(status.code()));
    if let Json::Object(members) = reply {
        all.extend(members.into_iter().filter(|(name, _)| name != "version"));
    }
    Json::Object(all)
}
