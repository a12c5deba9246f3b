//! The pictures of the book, made again by the commands that are shown beside them.
//!
//! In chapters with pictures a block tagged `console` holds commands, each after `$ `, and what they print. `-o pictures/…`
//! names a file of the book. `UPDATE=1 cargo test --test command plot` writes pictures and texts anew, to be looked at.
//! With `CHAPTER=plots` it does so for that chapter alone.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

/// The chapters with pictures: those with a command that writes one.
fn chapters_with_pictures() -> Vec<String> {
    let files = fs::read_dir(chapter("")).expect("the book is here").map(|entry| entry.unwrap().path());
    let draws = |path: &PathBuf| fs::read_to_string(path).unwrap().contains(" -o pictures/");
    let mut names: Vec<_> = files.filter(|path| path.extension().is_some_and(|e| e == "md")).filter(draws).collect();
    names.sort();
    names.into_iter().map(|path| path.file_name().unwrap().to_string_lossy().into_owned()).collect()
}

fn chapter(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("book/src").join(name)
}

/// The words of a command, where some stand in single quotes.
fn words(command: &str) -> Vec<String> {
    let mut words = Vec::new();
    for (i, part) in command.split('\'').enumerate() {
        if i % 2 == 1 {
            words.push(part.to_owned());
        } else {
            words.extend(part.split_whitespace().map(str::to_owned));
        }
    }
    words
}

/// What a command prints, and the picture that it makes, with the name that the book gives it.
fn made(command: &str) -> (Vec<String>, Option<(String, Vec<u8>)>) {
    let mut words = words(command);
    assert_eq!(words.remove(0), "smoothish");
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("book");
    fs::create_dir_all(folder.join("pictures")).unwrap();
    let mut run = Command::new(env!("CARGO_BIN_EXE_smoothish"));
    run.args(&words).current_dir(&folder).env("NO_COLOR", "1").env("LC_ALL", "C.UTF-8");
    let output = run.output().expect("the program starts");
    let lines =
        |bytes: &[u8]| String::from_utf8(bytes.to_vec()).unwrap().lines().map(str::to_owned).collect::<Vec<_>>();
    let printed = [lines(&output.stdout), lines(&output.stderr)].concat();
    let picture = words.iter().position(|w| w == "-o").map(|at| &words[at + 1]);
    (printed, picture.map(|name| (name.clone(), fs::read(folder.join(name)).expect("the picture is there"))))
}

/// How many pictures a chapter has, each as its command makes it.
fn pictures_of(name: &str, update: bool) -> usize {
    let text = fs::read_to_string(chapter(name)).unwrap();
    let (mut new, mut pictures, mut faults) = (Vec::new(), Vec::new(), Vec::new());
    let mut lines = text.lines().peekable();
    let mut inside = false;
    while let Some(line) = lines.next() {
        new.push(line.to_owned());
        if line.starts_with("```") {
            inside = line == "```console";
        }
        let Some(command) = line.strip_prefix("$ ").filter(|_| inside) else { continue };
        let mut shown = Vec::new();
        while let Some(more) = lines.next_if(|l| !l.starts_with("```") && !l.starts_with("$ ")) {
            shown.push(more.to_owned());
        }
        let (printed, picture) = made(command);
        if printed != shown {
            faults.push(format!(
                "{command}\n--- the book says\n{}\n--- printed\n{}",
                shown.join("\n"),
                printed.join("\n")
            ));
        }
        new.extend(printed);
        if let Some((picture, bytes)) = picture {
            let path = chapter(&picture);
            if fs::read(&path).ok().as_ref() != Some(&bytes) {
                faults.push(format!("{picture} is not what {command} makes"));
            }
            if update {
                fs::write(&path, bytes).unwrap();
            }
            assert!(text.contains(&format!("]({picture})")), "{picture} is not shown");
            pictures.push(picture);
        }
    }
    if update {
        fs::write(chapter(name), new.join("\n") + "\n").unwrap();
    } else {
        assert!(faults.is_empty(), "\n{}", faults.join("\n"));
    }
    pictures.len()
}

#[test]
fn commands_are_taken_apart() {
    assert_eq!(words(r"smoothish plot '\x => x' -o f.svg"), ["smoothish", "plot", r"\x => x", "-o", "f.svg"]);
}

/// Tests that take more than half a second: `cargo quick` passes them over.
mod slow {
    use super::*;

    #[test]
    fn the_pictures_of_the_book_are_those_of_its_commands() {
        let update = std::env::var_os("UPDATE").is_some_and(|v| v == "1");
        if let Ok(name) = std::env::var("CHAPTER") {
            assert!(pictures_of(&format!("{name}.md"), update) > 0, "{name} has no pictures");
            return;
        }
        let pictures: usize = chapters_with_pictures().iter().map(|name| pictures_of(name, update)).sum();
        let kept = fs::read_dir(chapter("pictures")).unwrap().count();
        let drawn = super::super::speed::PICTURES.len();
        assert_eq!(
            (pictures, kept),
            (34, 34 + drawn),
            "every picture of the book has its command, or is drawn from a table"
        );
    }
}
