//! Messages in the words of Python: the library names options as its commands have them, `--model pap`, and functions take arguments,
//! `model='pap'`.

/// What commands are called that have another name here.
const COMMANDS: [(&str, &str); 4] = [
    ("`smoothish evidence`, `expect` or `infer`", "`evidence` or `expect`"),
    ("plot --density", "density"),
    ("the strategy `tape` gives", "`sweep` gives"),
    ("use smoothish eval --model", "use `eval` with --model"),
];

/// Returns a message with arguments in the place of options.
pub fn in_python(message: &str) -> String {
    let mut text = message.to_owned();
    for (command, function) in COMMANDS {
        text = text.replace(command, function);
    }
    let mut written = String::new();
    let mut rest = &*text;
    while let Some(start) = rest.find("--") {
        let (before, option) = rest.split_at(start);
        let name: &str = word(&option[2..], |c| c.is_ascii_lowercase() || c == '-');
        written += before;
        if name.is_empty() || before.ends_with('-') || name.starts_with('-') {
            written += "--";
            rest = &option[2..];
            continue;
        }
        written += &name.replace('-', "_");
        written.push('=');
        rest = &option[2 + name.len()..];
        let value = rest.strip_prefix(' ').map_or("", |rest| word(rest, |c| c.is_alphanumeric() || c == '-'));
        // a value is a placeholder or a number, and the name of a model; other words go on with the sentence
        match name {
            "model" if !value.is_empty() => written += &format!("'{value}'"),
            _ if value.starts_with(|c: char| c.is_ascii_uppercase() || c.is_ascii_digit()) => {
                written += value;
            }
            _ => continue,
        }
        rest = &rest[1 + value.len()..];
    }
    written + rest
}

/// The characters of a kind with which a text begins.
fn word(text: &str, is_of_it: impl Fn(char) -> bool) -> &str {
    text.split(|c| !is_of_it(c)).next().unwrap_or_default()
}
