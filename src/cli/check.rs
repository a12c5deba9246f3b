//! `smoothish check`: the claims of theories, one line each.

use super::arguments::{CheckOptions, Format};
use super::ask::{Claim, Evaluator, Limits, Outcome};
use super::eval::JSON_VERSION;
use super::status::Status;
use serde_json::{Value as Json, json};
use std::io::{self, Write};
use std::path::Path;

/// Checks every claim of every file; without files, of the theories that come with the program.
///
/// # Errors
/// What writing to `out` or `err` fails with.
pub fn run(
    options: &CheckOptions,
    evaluator: &mut dyn Evaluator,
    limits: &Limits,
    out: &mut dyn Write,
    err: &mut dyn Write,
) -> io::Result<Status> {
    let files: Vec<Option<&Path>> = match options.files.as_slice() {
        [] => vec![None],
        files => files.iter().map(|file| Some(file.as_path())).collect(),
    };
    let (mut worst, mut claims) = (Status::default(), Vec::new());
    for file in files {
        match evaluator.check(file, limits) {
            Ok(checked) => {
                for claim in &checked {
                    print(claim, options.format, out)?;
                }
                claims.extend(checked);
            }
            Err(refusal) => {
                writeln!(err, "{}", options.format.refusal(&refusal))?;
                worst = Status::worst([worst, refusal.status]);
            }
        }
        if limits.is_interrupted() {
            break;
        }
    }
    if !options.format.is_json() && !options.format.is_short() {
        let count = |status: Status| claims.iter().filter(|claim| status_of(claim) == status).count();
        let (held, refuted, open) = (count(Status::Reached), count(Status::Refuted), count(Status::Nothing));
        writeln!(out, "{held} hold, {refuted} refuted, {open} open")?;
    }
    out.flush()?;
    Ok(Status::worst(claims.iter().map(status_of).chain([worst])))
}

fn status_of(claim: &Claim) -> Status {
    match claim.outcome {
        Outcome::Holds => Status::Reached,
        Outcome::Refuted { .. } => Status::Refuted,
        Outcome::Open(_) => Status::Nothing,
    }
}

fn print(claim: &Claim, format: Format, out: &mut dyn Write) -> io::Result<()> {
    if format.is_json() {
        return writeln!(out, "{}", to_json(claim));
    }
    let name = format!("{}.{}", claim.theory, claim.name);
    match &claim.outcome {
        Outcome::Holds => writeln!(out, "holds    {name}"),
        Outcome::Open(why) => writeln!(out, "open     {name}: {why}"),
        Outcome::Refuted { left, right } if format.is_short() => {
            writeln!(out, "refuted  {name}: computed {left}; claimed {right}")
        }
        Outcome::Refuted { left, right } => {
            writeln!(out, "refuted  {name}\n         computed {left}\n         claimed  {right}")?;
            match &claim.because {
                Some(because) => writeln!(out, "         because  {because}"),
                None => Ok(()),
            }
        }
    }
}

fn to_json(claim: &Claim) -> Json {
    let mut object = json!({ "version": JSON_VERSION, "theory": claim.theory, "claim": claim.name });
    object["outcome"] = match &claim.outcome {
        Outcome::Holds => json!("holds"),
        Outcome::Refuted { left, right } => {
            (object["left"], object["right"]) = (json!(left), json!(right));
            json!("refuted")
        }
        Outcome::Open(why) => {
            object["why"] = json!(why);
            json!("open")
        }
    };
    if let Some(because) = &claim.because {
        object["because"] = json!(because);
    }
    object["ms"] = json!((claim.elapsed.as_secs_f64() * 1e6).round() / 1e3);
    object
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cli::arguments::{Arguments, Command};
    use crate::cli::ask::{Answer, Refusal};
    use crate::number::Rational;
    use clap::Parser;
    use std::sync::Arc;
    use std::time::Duration;

    /// The theory of a file has one claim, which goes as the file is called.
    struct Files;

    impl Evaluator for Files {
        fn ask(&mut self, _: &str, _: &Rational, _: &Limits) -> Result<Answer, Refusal> {
            Err(Refusal::wrong("no questions"))
        }

        fn check(&mut self, file: Option<&Path>, _: &Limits) -> Result<Vec<Claim>, Refusal> {
            let name = file.map_or("good", |file| file.to_str().unwrap());
            let outcome = match name {
                "good" => Outcome::Holds,
                "bad" => Outcome::Refuted { left: "[2, 2]".into(), right: "3 .. 3".into() },
                "open" => Outcome::Open("not within 1e-9".into()),
                other => {
                    return Err(Refusal::wrong(format!("error: {other}: no such file")));
                }
            };
            Ok(vec![Claim {
                theory: "T".into(),
                name: name.into(),
                outcome,
                because: Some("1 + 1".into()),
                elapsed: Duration::from_millis(2),
            }])
        }
    }

    #[track_caller]
    fn prints(arguments: &[&str], status: u8, out: &str, err: &str) {
        let all = ["smoothish", "check"].iter().chain(arguments);
        let Command::Check(options) = Arguments::try_parse_from(all).unwrap().command else { unreachable!() };
        let limits = Limits { timeout: options.timeout, interrupted: Arc::default() };
        let (mut o, mut e) = (Vec::new(), Vec::new());
        let got = run(&options, &mut Files, &limits, &mut o, &mut e).unwrap();
        let texts = [o, e].map(|bytes| String::from_utf8(bytes).unwrap());
        assert_eq!((got.code(), &*texts[0], &*texts[1]), (status, out, err), "{arguments:?}");
    }

    #[test]
    fn each_claim_is_a_line_and_the_worst_decides() {
        prints(&[], 0, "holds    T.good\n1 hold, 0 refuted, 0 open\n", "");
        prints(
            &["good", "bad", "open"],
            1,
            "holds    T.good\nrefuted  T.bad\n         computed [2, 2]\n         claimed  3 .. 3\n         because  1 + 1\n\
             open     T.open: not within 1e-9\n1 hold, 1 refuted, 1 open\n",
            "",
        );
        prints(&["open"], 4, "open     T.open: not within 1e-9\n0 hold, 0 refuted, 1 open\n", "");
        prints(&["none", "bad", "--json"], 2, BAD, "error: none: no such file\n");
    }

    const BAD: &str = "{\"version\":1,\"theory\":\"T\",\"claim\":\"bad\",\"left\":\"[2, 2]\",\
                       \"right\":\"3 .. 3\",\"outcome\":\"refuted\",\"because\":\"1 + 1\",\"ms\":2.0}\n";
}
