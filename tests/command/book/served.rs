//! The server of the live book, asked through sockets.

use super::empty_folder;
use serde_json::{Value as Json, json};
use smoothish::cli::book::example::{find_blocks, parse_examples};
use smoothish::cli::book::formula::{LinePart, split_line, to_mathml};
use smoothish::cli::book::gate::{GateKeys, content_policy};
use smoothish::cli::book::markup::{ExplainedWords, to_live_page};
use smoothish::cli::book::pages::{RenderedBook, embedded_sources};
use smoothish::cli::book::server::{BookServer, IDLE};
use smoothish::cli::evaluator::TheorySession;
use smoothish::random::SplitMix64;
use std::collections::BTreeMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{Ipv4Addr, Shutdown, TcpListener, TcpStream};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, LazyLock, Mutex};
use std::time::{Duration, Instant};
use std::{env, fs, thread};

/// The program that answers.
const PROGRAM: &str = env!("CARGO_BIN_EXE_smoothish");
/// A question that works for longer than any test waits.
const LONG: &str = "min01 (\\a => min01 (\\b => min01 (\\c => min01 (\\d => min01 (\\e => (a-b)^2+(b-c)^2+sin (9*(c+d))+cos (7*e*a))))))";

/// The rendered book, which takes a second in a build for tests.
static BOOK: LazyLock<RenderedBook> = LazyLock::new(|| RenderedBook::render(&TheorySession::load()).unwrap());

/// A server in this process, which ends when it is dropped.
struct Served {
    keys: GateKeys,
    interrupted: Arc<AtomicBool>,
    thread: Option<thread::JoinHandle<()>>,
}

impl Served {
    fn start(idle: Duration) -> Self {
        let listener = TcpListener::bind((Ipv4Addr::LOCALHOST, 0)).unwrap();
        let keys = GateKeys::new(listener.local_addr().unwrap().port()).unwrap();
        let book = RenderedBook { files: BOOK.files.clone(), theories: BOOK.theories.clone() };
        let server = BookServer::new(book, keys.clone(), PROGRAM.into(), idle);
        let interrupted = Arc::new(AtomicBool::new(false));
        let flag = interrupted.clone();
        let thread = Some(thread::spawn(move || server.serve(listener, &flag).unwrap()));
        Self { keys, interrupted, thread }
    }

    /// The headers of a page of the book that asks a question.
    fn headers(&self) -> Vec<(String, String)> {
        let port = self.keys.port;
        let pairs = [
            ("Host", format!("127.0.0.1:{port}")),
            ("Cookie", format!("theme=navy; smoothish-{port}={}", self.keys.cookie)),
            ("Origin", format!("http://127.0.0.1:{port}")),
            ("X-Smoothish", self.keys.page.clone()),
            ("Content-Type", "application/json".to_owned()),
        ];
        pairs.map(|(name, value)| (name.to_owned(), value)).to_vec()
    }

    /// Returns the headers with one of them replaced, or removed by `None`.
    fn headers_but(&self, name: &str, value: Option<&str>) -> Vec<(String, String)> {
        let mut headers = self.headers();
        headers.retain(|(known, _)| known != name);
        headers.extend(value.map(|value| (name.to_owned(), value.to_owned())));
        headers
    }

    /// Sends bytes, and reads all that comes back.
    fn send(&self, bytes: &[u8]) -> String {
        let mut stream = TcpStream::connect((Ipv4Addr::LOCALHOST, self.keys.port)).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
        // The server may refuse before it has read everything.
        let _ = stream.write_all(bytes);
        let mut reply = Vec::new();
        let _ = stream.read_to_end(&mut reply);
        String::from_utf8_lossy(&reply).into_owned()
    }

    /// The text of a request.
    fn request(method: &str, path: &str, headers: &[(String, String)], body: &[u8]) -> Vec<u8> {
        let mut text = format!("{method} {path} HTTP/1.1\r\nConnection: close\r\nContent-Length: {}\r\n", body.len());
        headers.iter().for_each(|(name, value)| text += &format!("{name}: {value}\r\n"));
        [text.as_bytes(), b"\r\n", body].concat()
    }

    /// The status and the text of a reply.
    fn ask(&self, method: &str, path: &str, headers: &[(String, String)], body: &[u8]) -> (u16, String) {
        let reply = self.send(&Self::request(method, path, headers, body));
        (status_of(&reply), reply)
    }

    /// Begins a question: the stream, after its head and the line with the name of the run.
    fn begin(&self, question: &Json) -> (BufReader<TcpStream>, String) {
        let mut stream = TcpStream::connect((Ipv4Addr::LOCALHOST, self.keys.port)).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
        stream.write_all(&Self::request("POST", "/run", &self.headers(), question.to_string().as_bytes())).unwrap();
        let mut reader = BufReader::new(stream);
        loop {
            let line = read_line(&mut reader);
            if let Ok(object) = serde_json::from_str::<Json>(&line)
                && let Some(name) = object["run"].as_str()
            {
                return (reader, name.to_owned());
            }
            assert!(!line.is_empty(), "no run began");
        }
    }

    /// The answer to a question.
    fn run(&self, question: &Json) -> Json {
        answer_of(&mut self.begin(question).0)
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        self.interrupted.store(true, Ordering::Relaxed);
        let thread = self.thread.take().expect("it is dropped once");
        if thread.join().is_err() && !thread::panicking() {
            panic!("the server has crashed");
        }
    }
}

fn read_line(reader: &mut impl BufRead) -> String {
    let mut line = Vec::new();
    reader.read_until(b'\n', &mut line).unwrap();
    String::from_utf8(line).unwrap()
}

/// The last line of a run.
fn answer_of(reader: &mut impl BufRead) -> Json {
    loop {
        let line = read_line(reader);
        assert!(!line.is_empty(), "the stream ends without an answer");
        if let Ok(object) = serde_json::from_str::<Json>(&line)
            && object.get("lines").is_some()
        {
            return object;
        }
    }
}

fn status_of(reply: &str) -> u16 {
    reply.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0)
}

fn eval(text: &str) -> Json {
    json!({ "page": "plots", "kind": "smoothish", "goal": "", "text": text, "before": [] })
}

fn shell(page: &str, text: &str) -> Json {
    json!({ "page": page, "kind": "shell", "text": text })
}

/// The confined processes that a process has started for pages, from the system's list; those that have ended do not count.
#[cfg(target_os = "linux")]
fn children_of(parent: u32) -> Vec<u32> {
    let processes = fs::read_dir("/proc").unwrap().filter_map(|entry| entry.ok()?.file_name().to_str()?.parse().ok());
    let is_child = |id: &u32| {
        let Ok(stat) = fs::read_to_string(format!("/proc/{id}/stat")) else { return false };
        // The name in parentheses may have spaces.
        let mut rest = stat.rsplit(") ").next().unwrap_or_default().split(' ');
        let (state, owner) = (rest.next(), rest.next().and_then(|owner| owner.parse().ok()));
        // Other tests of this process run the program as well, in folders of their own.
        let folder = fs::read_link(format!("/proc/{id}/cwd")).unwrap_or_default();
        owner == Some(parent) && state != Some("Z") && folder.to_string_lossy().contains("smoothish-run-")
    };
    processes.filter(is_child).collect()
}

/// Waits until a condition holds.
#[track_caller]
fn wait_until(what: &str, mut holds: impl FnMut() -> bool) {
    let start = Instant::now();
    while !holds() {
        assert!(start.elapsed() < Duration::from_secs(20), "{what}");
        thread::sleep(Duration::from_millis(10));
    }
}

/// Tests that start processes, one after another: some of them count those of the others.
static COUNTS_PROCESSES: Mutex<()> = Mutex::new(());

/// The embedded chapters are the files of the folder, and those that the table of contents lists.
#[test]
fn the_embedded_book_is_the_book() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("book");
    let mut on_disk = BTreeMap::new();
    let mut folders = vec![root.join("src")];
    while let Some(folder) = folders.pop() {
        for entry in fs::read_dir(folder).unwrap() {
            let path = entry.unwrap().path();
            if path.is_dir() {
                folders.push(path);
            } else {
                let name = path.strip_prefix(&root).unwrap().to_string_lossy().into_owned();
                on_disk.insert(name, fs::read(path).unwrap());
            }
        }
    }
    let embedded = embedded_sources();
    for (name, bytes) in &on_disk {
        let is_same = embedded.get(name).is_some_and(|embedded| embedded == bytes);
        assert!(
            is_same,
            "{name} differs from the embedded one: a new file is seen when src/cli/book/pages.rs is touched"
        );
    }
    for (name, bytes) in &embedded {
        assert!(fs::read(root.join(name)).is_ok_and(|file| file == *bytes), "{name} differs from the file");
        assert!(!name.starts_with("src/") || on_disk.contains_key(name), "{name} is no longer there");
    }
    let summary = std::str::from_utf8(embedded["src/SUMMARY.md"]).unwrap();
    for name in embedded.keys().filter_map(|name| name.strip_prefix("src/")) {
        assert!(!name.ends_with(".md") || name == "SUMMARY.md" || summary.contains(&format!("({name})")), "{name}");
        let page = name.replace(".md", ".html");
        assert!(!name.ends_with(".md") || name == "SUMMARY.md" || BOOK.files.contains_key(&page), "{page}");
    }
    // What `book.toml` names beside the chapters is there as well.
    let settings = std::str::from_utf8(embedded["book.toml"]).unwrap();
    for name in ["live.js", "live.css", "language.js"] {
        assert!(settings.contains(&format!("\"{name}\"")) && embedded.contains_key(name), "{name}");
    }
}

/// A request: its name, the expected status, its method and path, its headers and its body.
type GateCase<'c> = (&'c str, u16, &'c str, String, Vec<(String, String)>, &'c [u8]);

#[test]
fn the_gate_refuses_what_is_no_page_of_the_book() {
    let _alone = COUNTS_PROCESSES.lock();
    let served = Served::start(IDLE);
    let port = served.keys.port;
    let own = served.headers();
    let but = |name: &str, value: Option<&str>| served.headers_but(name, value);
    let question = eval("1 + 1").to_string();
    let question = question.as_bytes();
    let long = [b" ".repeat(65 << 10).as_slice(), question].concat();
    let token = |token: &str| format!("/plots.html?token={token}");
    let host = format!("127.0.0.1:{port}");
    let other = format!("127.0.0.1:{}", port ^ 1);
    let padded = format!("127.0.0.1:0{port}");
    let cases: Vec<GateCase<'_>> = vec![
        ("a page", 200, "GET", "/plots.html".into(), own.clone(), b""),
        ("the first page", 200, "GET", "/".into(), own.clone(), b""),
        (
            "by another name of this machine",
            200,
            "GET",
            "/".into(),
            but("Host", Some(&format!("localhost:{port}"))),
            b"",
        ),
        ("by its address of version 6", 200, "GET", "/".into(), but("Host", Some(&format!("[::1]:{port}"))), b""),
        ("no cookie", 403, "GET", "/plots.html".into(), but("Cookie", None), b""),
        ("no cookie for a style sheet", 403, "GET", "/live.css".into(), but("Cookie", None), b""),
        ("another cookie", 403, "GET", "/".into(), but("Cookie", Some(&format!("smoothish-{port}=0"))), b""),
        (
            "the cookie of another port",
            403,
            "GET",
            "/".into(),
            but("Cookie", Some(&format!("smoothish-{}={}", port ^ 1, served.keys.cookie))),
            b"",
        ),
        (
            "the address's token as a cookie",
            403,
            "GET",
            "/".into(),
            but("Cookie", Some(&format!("smoothish-{port}={}", served.keys.address))),
            b"",
        ),
        ("another host", 421, "GET", "/".into(), but("Host", Some("evil.example")), b""),
        ("another host with our port", 421, "GET", "/".into(), but("Host", Some(&format!("evil.example:{port}"))), b""),
        (
            "a host that begins as ours",
            421,
            "GET",
            "/".into(),
            but("Host", Some(&format!("127.0.0.1.evil.example:{port}"))),
            b"",
        ),
        (
            "a host with a name before it",
            421,
            "GET",
            "/".into(),
            but("Host", Some(&format!("a@127.0.0.1:{port}"))),
            b"",
        ),
        ("another port", 421, "GET", "/".into(), but("Host", Some(&other)), b""),
        ("no port", 421, "GET", "/".into(), but("Host", Some("127.0.0.1")), b""),
        ("a port with a zero", 421, "GET", "/".into(), but("Host", Some(&padded)), b""),
        ("two hosts", 421, "GET", "/".into(), [own.clone(), vec![("Host".into(), host.clone())]].concat(), b""),
        ("the address of another host", 421, "GET", format!("http://evil.example:{port}/"), own.clone(), b""),
        ("the printed address", 200, "GET", token(&served.keys.address), but("Cookie", None), b""),
        ("the address with another token", 403, "GET", token("00000000000000000000000000000000"), own.clone(), b""),
        ("the address with the page's token", 403, "GET", token(&served.keys.page), own.clone(), b""),
        (
            "the printed address under another name",
            421,
            "GET",
            token(&served.keys.address),
            but("Host", Some("evil.example")),
            b"",
        ),
        ("a page that is not there", 404, "GET", "/nothing.html".into(), own.clone(), b""),
        ("a path out of the book", 404, "GET", "/../../../../etc/passwd".into(), own.clone(), b""),
        ("the same with signs", 404, "GET", "/%2e%2e/%2e%2e/etc/passwd".into(), own.clone(), b""),
        ("a path of the system", 404, "GET", "//etc/passwd".into(), own.clone(), b""),
        ("writing to a page", 405, "PUT", "/plots.html".into(), own.clone(), b"x"),
        ("deleting a page", 405, "DELETE", "/plots.html".into(), own.clone(), b""),
        ("asking what is allowed", 405, "OPTIONS", "/plots.html".into(), own.clone(), b""),
        ("asking what may be run", 405, "OPTIONS", "/run".into(), but("X-Smoothish", None), b""),
        ("reading a run", 405, "GET", "/run".into(), own.clone(), b""),
        ("a question", 200, "POST", "/run".into(), own.clone(), question),
        (
            "a question with a charset",
            200,
            "POST",
            "/run".into(),
            but("Content-Type", Some("application/json; charset=utf-8")),
            question,
        ),
        ("a question without a cookie", 403, "POST", "/run".into(), but("Cookie", None), question),
        ("a question under another name", 421, "POST", "/run".into(), but("Host", Some("evil.example")), question),
        ("the origin of a frame", 403, "POST", "/run".into(), but("Origin", Some("null")), question),
        ("no origin", 403, "POST", "/run".into(), but("Origin", None), question),
        ("another origin", 403, "POST", "/run".into(), but("Origin", Some("http://evil.example")), question),
        (
            "our machine, another port",
            403,
            "POST",
            "/run".into(),
            but("Origin", Some(&format!("http://{other}"))),
            question,
        ),
        ("our host, encrypted", 403, "POST", "/run".into(), but("Origin", Some(&format!("https://{host}"))), question),
        (
            "two origins",
            403,
            "POST",
            "/run".into(),
            [own.clone(), vec![("Origin".into(), format!("http://{host}"))]].concat(),
            question,
        ),
        ("no token", 403, "POST", "/run".into(), but("X-Smoothish", None), question),
        ("the cookie as a token", 403, "POST", "/run".into(), but("X-Smoothish", Some(&served.keys.cookie)), question),
        (
            "a form",
            415,
            "POST",
            "/run".into(),
            but("Content-Type", Some("application/x-www-form-urlencoded")),
            question,
        ),
        ("plain text", 415, "POST", "/run".into(), but("Content-Type", Some("text/plain")), question),
        ("no type", 415, "POST", "/run".into(), but("Content-Type", None), question),
        ("65 KiB", 413, "POST", "/run".into(), own.clone(), &long),
        ("no JSON", 400, "POST", "/run".into(), own.clone(), b"{"),
        ("no question", 400, "POST", "/run".into(), own.clone(), b"{}"),
        (
            "a chapter that is not there",
            400,
            "POST",
            "/run".into(),
            own.clone(),
            br#"{"page":"../x","kind":"smoothish","text":"1"}"#,
        ),
        (
            "an option as the accuracy",
            400,
            "POST",
            "/run".into(),
            own.clone(),
            br#"{"page":"plots","kind":"smoothish","goal":"load=x","text":"1"}"#,
        ),
        ("stopping nothing", 200, "POST", "/stop".into(), own.clone(), br#"{"run":"x"}"#),
        ("stopping without a token", 403, "POST", "/stop".into(), but("X-Smoothish", None), br#"{"run":"x"}"#),
    ];
    for (what, expected, method, path, headers, body) in cases {
        let (status, reply) = served.ask(method, &path, &headers, body);
        assert_eq!(status, expected, "{what}: {}", reply.chars().take(300).collect::<String>());
        let lower = reply.to_lowercase();
        for header in [
            "content-security-policy: default-src 'none'; ",
            "x-content-type-options: nosniff",
            "referrer-policy: no-referrer",
            "cross-origin-resource-policy: same-origin",
            "cache-control: no-store",
        ] {
            assert!(lower.contains(header), "{what}: no {header}");
        }
        assert!(!lower.contains("access-control-"), "{what}: another page may read this");
        // A refusal tells no secret and nothing of the book.
        let secrets = [&served.keys.address, &served.keys.cookie, &served.keys.page];
        assert!(status == 200 || !secrets.iter().any(|secret| reply.contains(*secret)), "{what}");
        assert!(status == 200 || !reply.contains("<html"), "{what}");
    }
    // Lengths that are not told, and requests that are none.
    let head = |extra: &str| {
        let headers: String = served.headers().iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
        format!("POST /run HTTP/1.1\r\n{headers}{extra}\r\n")
    };
    let chunk = format!("10000\r\n{}\r\n", "x".repeat(0x10000));
    let chunked = format!("{}{chunk}{chunk}0\r\n\r\n", head("Transfer-Encoding: chunked\r\nConnection: close\r\n"));
    assert_eq!(status_of(&served.send(chunked.as_bytes())), 413);
    let long_head = format!("GET / HTTP/1.1\r\nHost: {host}\r\nX: {}\r\n\r\n", "x".repeat(1 << 20));
    assert!(matches!(status_of(&served.send(long_head.as_bytes())), 431 | 0));
    assert!(matches!(status_of(&served.send(b"GET / HTTP/1.0\r\n\r\n")), 421));
    // The address that a browser is started with opens the book once.
    for expected in [200, 403] {
        let (status, _) = served.ask("GET", &token(&served.keys.browser), &but("Cookie", None), b"");
        assert_eq!(status, expected);
    }
    // The cookie is for this server's pages alone.
    let (_, reply) = served.ask("GET", &token(&served.keys.address), &but("Cookie", None), b"");
    assert!(
        reply.contains(&format!("smoothish-{port}={}; HttpOnly; SameSite=Strict; Path=/", served.keys.cookie)),
        "{reply}"
    );
    assert!(reply.contains("url=/plots.html\""), "{reply}");
    let (_, reply) =
        served.ask("GET", &format!("//evil.example/?token={}", served.keys.address), &but("Cookie", None), b"");
    assert!(reply.contains("url=/\"") && !reply.contains("evil"), "{reply}");
}

/// mdBook's pages run no script that the policy does not name, and have no handler and no sheet inside.
#[test]
fn the_policy_names_the_scripts_of_the_pages() {
    let policy = content_policy(&BOOK);
    assert!(
        !policy.contains("script-src 'self' 'unsafe") && !policy.contains("unsafe-eval") && !policy.contains('*'),
        "{policy}"
    );
    let count = policy.matches("'sha256-").count();
    assert!((1..20).contains(&count), "{policy}");
    for (path, file) in BOOK.files.iter().filter(|(path, _)| path.ends_with(".html")) {
        let page = String::from_utf8_lossy(&file.bytes);
        assert!(!page.contains("<style"), "{path}");
        assert!(!page.contains("smoothish-live"), "{path}: only a server makes pages live");
        for handler in [" onclick=", " onload=", " onerror=", "javascript:"] {
            assert!(!page.contains(handler), "{path}: {handler}");
        }
        let addresses = page.split("src=\"").skip(1).filter_map(|rest| rest.split('"').next());
        for address in addresses {
            assert!(!address.contains("//"), "{path} loads {address}");
        }
    }
}

/// Formulas of the papers.
const FORMULAS: [&str; 10] = [
    r"\frac{d}{dc}\int_0^1 \max(0, x-c)\,dx = c-1",
    r"\hat f(x) = \sup_{0\le t\le 1} f(x,t)",
    r"f^{(k)} : \mathbb{R}^n \times (\mathbb{R}^n)^k \to \mathbb{R}^m",
    r"\partial f(x) = \operatorname{co}\left\{\lim_{i\to\infty} \nabla f(x_i) : x_i \to x\right\}",
    r"(f\circ g)^{(k)} = \sum_{\pi\in P(k)} f^{(|\pi|)}\circ g \cdot \prod_{B\in\pi} g^{(|B|)}",
    r"\llbracket \Gamma \vdash t : \tau \rrbracket(\rho) = \bigsqcup_{n} \llbracket t_n \rrbracket(\rho)",
    r"\mathrm{Tan}\,A \cong \int^{n} A(\mathbb{R}^n) \times T\mathbb{R}^n",
    r"\begin{cases} 1 & x > 0 \\ {}[0, 1] & x = 0 \\ 0 & x < 0 \end{cases}",
    r"\frac{\partial}{\partial\theta}\mathbb{E}_{x\sim p_\theta}[f(x)] = \mathbb{E}\left[f(x)\,\nabla_\theta \log p_\theta(x)\right]",
    r"\sqrt{x^2+y^2} \preceq \Bigl(\sum_{i=1}^n |x_i|^p\Bigr)^{1/p}",
];

#[test]
fn formulas_become_elements_without_a_script() {
    for formula in FORMULAS {
        for is_display in [false, true] {
            let mathml = to_mathml(formula, is_display).unwrap_or_else(|| panic!("{formula}"));
            assert!(mathml.starts_with("<math") && mathml.trim_end().ends_with("</math>"), "{mathml}");
            assert_eq!(mathml.contains("display=\"block\""), is_display, "{mathml}");
            assert!(!mathml.contains("/>") && !mathml.contains("<merror") && !mathml.contains('\n'), "{mathml}");
            // As many ends as beginnings, of each element.
            let names = mathml
                .split('<')
                .skip(1)
                .filter(|tag| !tag.starts_with('/'))
                .map(|tag| tag.split([' ', '>']).next().unwrap());
            for name in names {
                let begins =
                    mathml.matches(&format!("<{name}>")).count() + mathml.matches(&format!("<{name} ")).count();
                assert_eq!(begins, mathml.matches(&format!("</{name}>")).count(), "{name} in {mathml}");
            }
        }
    }
    for wrong in [r"\frac{1}", r"\nothing", r"\left( x", "{x", r"\begin{cases} 1"] {
        assert_eq!(to_mathml(wrong, false), None, "{wrong}");
    }
}

#[test]
fn a_formula_is_told_from_money_and_from_code() {
    use LinePart::{Code, Formula, Text};
    assert_eq!(split_line("so $x^2$, and"), [Text("so "), Formula("x^2", false), Text(", and")]);
    assert_eq!(split_line("$$\\int f$$"), [Formula("\\int f", true)]);
    assert_eq!(split_line("`$x$` or ``a ` $y$``"), [Code("`$x$`"), Text(" or "), Code("``a ` $y$``")]);
    for text in ["from $5 to $6", "a $ b $ c", "5$ and 6$", "\\$x\\$", "$HOME", "$x $", "$$", "a ` b $c"] {
        assert_eq!(split_line(text), [Text(text)], "{text}");
    }
    // Nothing is lost, whatever a line has.
    let mut random = SplitMix64::new(3);
    for _ in 0..2000 {
        let line: String =
            (0..random.next_below(12)).map(|_| *random.pick(&['$', '`', '\\', 'x', ' ', '1', 'é'])).collect();
        let joined: String = split_line(&line)
            .into_iter()
            .map(|part| match part {
                Text(text) | Code(text) => text.to_owned(),
                Formula(formula, true) => format!("$${formula}$$"),
                Formula(formula, false) => format!("${formula}$"),
            })
            .collect();
        assert_eq!(joined, line);
    }
}

/// Every formula of the chapters is converted, and every link that a page was given leads to a place that is there.
#[test]
fn what_is_added_to_the_chapters_is_right() {
    let page = |name: &str| std::str::from_utf8(&BOOK.files[name].bytes).unwrap();
    let (mut links, mut formulas) = (0, 0);
    for (path, bytes) in embedded_sources() {
        let Some(name) =
            path.strip_prefix("src/").and_then(|path| path.strip_suffix(".md")).filter(|name| *name != "SUMMARY")
        else {
            continue;
        };
        let source = std::str::from_utf8(bytes).unwrap();
        let html = page(&format!("{name}.html"));
        let inside = find_blocks(source);
        for (number, line) in source.lines().enumerate() {
            if inside.iter().any(|(_, start, end)| (start - 1..=*end).contains(&number)) {
                continue;
            }
            for part in split_line(line) {
                if let LinePart::Formula(formula, is_display) = part {
                    assert!(to_mathml(formula, is_display).is_some(), "{name}: {formula}");
                    formulas += 1;
                }
            }
        }
        for class in ["name", "item"] {
            for link in html.split(&format!("<a class=\"{class}\" href=\"")).skip(1) {
                let (target, anchor) = link.split('"').next().unwrap().split_once('#').unwrap();
                assert!(page(target).contains(&format!("id=\"{anchor}\"")), "{name}: {target}#{anchor}");
                links += 1;
            }
        }
        // Each question stands on the page, with its own text.
        let examples = parse_examples(source).unwrap();
        assert_eq!(html.matches("<span class=\"question\">").count(), examples.len(), "{name}");
        let texts =
            html.split("<span class=\"text\" ").skip(1).map(|rest| rest.split("</span></span>").next().unwrap());
        for (text, example) in texts.zip(&examples) {
            let shown: String = text
                .split('<')
                .enumerate()
                .map(|(i, part)| {
                    if i == 0 && !part.contains('>') { part } else { part.split_once('>').map_or("", |(_, text)| text) }
                })
                .collect();
            let shown = shown
                .replace("&lt;", "<")
                .replace("&gt;", ">")
                .replace("&quot;", "\"")
                .replace("&#124;", "|")
                .replace("&amp;", "&");
            assert_eq!(shown, example.source, "{name}");
        }
    }
    assert!(links > 500 && formulas > 2, "{links} links, {formulas} formulas");
}

/// A block is text, whatever it looks like, and so is a line of a table.
#[test]
fn nothing_in_a_block_is_read_as_html() {
    let words = ExplainedWords::default();
    let hostile = "<img src=x onerror=alert(1)>\"&|</pre>";
    for (tag, prompt) in [("smoothish", "> "), ("agree", "> "), ("session", "eps=1> "), ("shell", "$ smoothish eval ")]
    {
        let page = to_live_page("x\"><b>", &format!("```{tag}\n{prompt}{hostile}\n{hostile}\n```\n"), &words);
        let shown = "&lt;img src=x onerror=alert(1)&gt;&quot;&amp;&#124;&lt;/pre&gt;";
        assert_eq!(page.matches(shown).count(), 2, "{page}");
        assert_eq!(
            (page.matches("<img").count(), page.matches("</pre>").count(), page.matches("<b>").count()),
            (0, 1, 0),
            "{page}"
        );
    }
}

#[test]
fn a_name_is_explained_where_it_is_the_library_s() {
    let words = ExplainedWords::of_library(&TheorySession::load());
    let page = |text: &str| to_live_page("plots", text, &words);
    let question = |text: &str| page(&format!("```smoothish\n> {text}\n1\n```\n"));
    let title = "title=\"(Real -&gt; Real) -&gt; Real -&gt; Real — ";
    assert!(question("deriv sin 1").contains(title), "{}", question("deriv sin 1"));
    // A name that the program binds is another one.
    assert!(!question("let deriv f = f 1 in deriv cos").contains(title));
    assert!(!question("(\\deriv => deriv 1) cos").contains(title));
    assert!(
        !page("```session\neps=1e-3> let deriv f = f 1\nx\n```\n\n```session\neps=1e-3> deriv cos\n1\n```\n")
            .contains(title)
    );
    assert!(!page("```shell\n$ smoothish plot '\\x => x' --deriv 1\n1\n```\n").contains(title));
    // In sentences: names alone, outside of links and headings.
    assert!(page("so `deriv` is\n").contains("<a class=\"name\" href=\"reference.html#"));
    for kept in ["## `deriv`\n", "[the `deriv`](x.md)\n", "`deriv f`\n", "[two\nlines of `deriv`](x.md)\n"] {
        assert_eq!(page(kept), kept);
    }
    assert!(page("as said (E42).\n").contains("href=\"correspondence.html#E42\""));
    assert!(page("as in S §4.1, too\n").contains(">S §4.1</a>, too"));
    for kept in ["E9999, E42x, XE42, S §99.9\n", "[E42](x.md)\n", "# E42\n", "`E42`\n"] {
        assert_eq!(page(kept), kept);
    }
    // Blocks that are no questions stay as they are.
    let other = "```rust\nlet x = \"E42 $y$\";\n```\n";
    assert_eq!(page(other), other);
}

/// The examples of chapters, asked through the server, are answered as the chapters say: each kind of block.
#[test]
fn examples_are_answered_as_the_chapters_say() {
    let _alone = COUNTS_PROCESSES.lock();
    let served = Served::start(IDLE);
    let mut counts = BTreeMap::new();
    for page in ["derivatives-at-kinks", "the-prompt", "models"] {
        let source = embedded_sources()[&format!("src/{page}.md")];
        let text = std::str::from_utf8(source).unwrap();
        let lines: Vec<&str> = text.lines().collect();
        let mut before: Vec<String> = Vec::new();
        for example in parse_examples(text).unwrap() {
            let kind = example.kind.tag();
            let question = json!({
                "page": page, "kind": kind, "goal": example.goal, "text": example.source, "before": before,
            });
            let is_input = kind == "session";
            // These name files that a page has not, and are refused; they are no part of the session either.
            if is_input && [":load", ":save", ":reload"].iter().any(|name| example.source.starts_with(name)) {
                break;
            }
            if is_input {
                before.push(example.source.clone());
            }
            let expected = &lines[example.printed.clone()];
            let found = served.run(&question);
            assert_eq!(found["lines"], json!(expected), "{page}: {}", example.source);
            *counts.entry(kind).or_insert(0) += 1;
        }
    }
    assert!(counts["smoothish"] > 20 && counts["session"] > 5 && counts["agree"] > 2, "{counts:?}");
}

#[test]
fn a_session_is_what_the_page_shows() {
    let _alone = COUNTS_PROCESSES.lock();
    let served = Served::start(IDLE);
    let input = |text: &str, before: &[&str]| {
        served.run(&json!({ "page": "the-prompt", "kind": "session", "text": text, "before": before }))["lines"][0]
            .clone()
    };
    assert_eq!(input("let f x = x + 1", &[]), "f : Real -> Real");
    assert_eq!(input("f 1", &["let f x = x + 1"]), "2");
    // The inputs above are given to a prompt that has not seen them, and one that has seen others begins anew.
    assert_eq!(input("f 1", &["let f x = x + 2"]), "3");
    assert_eq!(input("g 1", &["let f x = x + 2", "let g x = f (f x)"]), "5");
    let lost = input("g 1", &["let f x = x + 2"]);
    assert!(lost.as_str().unwrap().starts_with("error: "), "{lost}");
    // Another page has another session.
    let other = served.run(&json!({ "page": "numbers", "kind": "session", "text": "f 1", "before": [] }));
    assert!(other["lines"][0].as_str().unwrap().starts_with("error: "), "{other}");
    // A prompt that has ended is started again.
    input(":quit", &[]);
    assert_eq!(input("1", &[":quit"]), "1");
}

#[test]
fn pictures_and_theories_belong_to_the_page() {
    let _alone = COUNTS_PROCESSES.lock();
    let served = Served::start(IDLE);
    let plot = served.run(&shell("plots", "plot '\\x => abs x' --from -1 --to 1 --columns 8 -o pictures/a.svg"));
    assert_eq!(
        (&plot["status"], &plot["pictures"][0]["type"], &plot["pictures"][0]["name"]),
        (&json!(0), &json!("image/svg+xml"), &json!("a.svg"))
    );
    assert_eq!(plot["pictures"].as_array().unwrap().len(), 1);
    let checked = served.run(&shell("theories", "check slopes.theory --samples 1"));
    assert!(checked["lines"][0].as_str().unwrap().starts_with("Slopes"), "{checked}");
    let elsewhere = served.run(&shell("plots", "check slopes.theory --samples 1"));
    assert_eq!(elsewhere["lines"][0], "error: a page reads no files but its own theories: slopes.theory");
    let refused = served.run(&shell("plots", "plot '\\x => abs x' -o ../a.svg"));
    assert_eq!((&refused["status"], refused["pictures"].as_array().unwrap().len()), (&json!(2), 0), "{refused}");
}

/// Tests that take more than half a second, and count processes.
#[cfg(target_os = "linux")]
mod slow {
    use super::*;

    /// The confined processes of this test.
    fn own_children() -> Vec<u32> {
        children_of(std::process::id())
    }

    #[test]
    fn a_stopped_question_answers_with_its_best() {
        let _alone = COUNTS_PROCESSES.lock();
        let served = Served::start(IDLE);
        let (mut reader, name) = served.begin(&shell("plots", &format!("eval --timeout 30 '{LONG}'")));
        // Progress comes before the answer.
        let best: Json = serde_json::from_str(&loop {
            let line = read_line(&mut reader);
            if line.contains("\"best\"") {
                break line;
            }
        })
        .unwrap();
        let [low, high] = [0, 1].map(|end| best["best"][end].as_str().unwrap().parse::<f64>().unwrap());
        assert!(low <= high && best["seconds"].as_f64().unwrap() > 0.0, "{best}");
        thread::sleep(Duration::from_secs(1));
        let child = own_children();
        assert_eq!(child.len(), 1, "{child:?}");
        // The system knows the limits of the process.
        let limits = fs::read_to_string(format!("/proc/{}/limits", child[0])).unwrap();
        let limit = |name: &str| limits.lines().find_map(|line| line.strip_prefix(name)?.split_whitespace().next());
        assert_eq!(limit("Max address space"), Some("4294967296"), "{limits}");
        assert_eq!(limit("Max cpu time"), Some("41"), "{limits}");
        assert_eq!(limit("Max core file size"), Some("0"), "{limits}");
        let started = Instant::now();
        let (status, _) = served.ask("POST", "/stop", &served.headers(), json!({ "run": name }).to_string().as_bytes());
        let answer = answer_of(&mut reader);
        assert!(started.elapsed() < Duration::from_millis(600), "{:?}", started.elapsed());
        assert_eq!(status, 200);
        assert!(answer["lines"][0].as_str().unwrap().starts_with('['), "{answer}");
        assert_eq!(own_children(), [0_u32; 0]);
    }

    #[test]
    fn a_page_that_is_left_and_a_time_that_is_over_end_the_process() {
        let _alone = COUNTS_PROCESSES.lock();
        let served = Served::start(IDLE);
        let (reader, _) = served.begin(&shell("plots", &format!("eval --timeout 30 '{LONG}'")));
        wait_until("no process began", || own_children().len() == 1);
        drop(reader);
        let left = Instant::now();
        wait_until("the process goes on", || own_children().is_empty());
        assert!(left.elapsed() < Duration::from_secs(2), "{:?}", left.elapsed());
        // A question has 10 s if it names no time.
        let started = Instant::now();
        let answer = served.run(&eval(LONG));
        let note = answer["lines"].as_array().unwrap().last().unwrap();
        assert_eq!(note, "note: a page gives this question 10 s; a command has --timeout, up to 60");
        assert!((9..13).contains(&started.elapsed().as_secs()), "{:?}", started.elapsed());
        assert!(answer["lines"][0].as_str().unwrap().starts_with('['), "{answer}");
    }

    #[test]
    fn two_questions_run_eight_wait_and_others_are_refused() {
        let _alone = COUNTS_PROCESSES.lock();
        let served = Served::start(IDLE);
        let question = shell("plots", &format!("eval --timeout 30 '{LONG}'"));
        let mut begun: Vec<_> = (0..10).map(|_| served.begin(&question)).collect();
        let (status, reply) = served.ask("POST", "/run", &served.headers(), question.to_string().as_bytes());
        assert_eq!(status, 429, "{reply}");
        wait_until("two run", || own_children().len() == 2);
        thread::sleep(Duration::from_millis(300));
        assert_eq!(own_children().len(), 2);
        // One that waits can be stopped, and its place is free then.
        let (mut reader, name) = begun.pop().unwrap();
        served.ask("POST", "/stop", &served.headers(), json!({ "run": name }).to_string().as_bytes());
        assert_eq!(answer_of(&mut reader)["lines"][0], "note: stopped while it waited");
        begun.push(served.begin(&question));
        // Pages that are left leave the queue.
        drop(begun);
        wait_until("the queue is empty", || own_children().is_empty());
        assert_eq!(served.run(&eval("1 + 1"))["status"], 0);
    }

    /// The prompt of a page answers one input after another. Who waits for it takes no slot, and can be stopped.
    #[test]
    fn an_input_that_waits_for_its_prompt_is_stopped() {
        let _alone = COUNTS_PROCESSES.lock();
        let served = Served::start(IDLE);
        let question = json!({ "page": "the-prompt", "kind": "session", "text": LONG, "before": [":timeout 20"] });
        let (mut first, first_name) = served.begin(&question);
        wait_until("no prompt began", || own_children().len() == 1);
        let (mut second, name) = served.begin(&question);
        let (left, _) = served.begin(&question);
        drop(left);
        thread::sleep(Duration::from_millis(300));
        // one slot is free
        assert_eq!(served.run(&eval("1 + 1"))["lines"][0], "2");
        let stopped = Instant::now();
        served.ask("POST", "/stop", &served.headers(), json!({ "run": name }).to_string().as_bytes());
        assert_eq!(answer_of(&mut second)["lines"][0], "note: stopped while it waited");
        assert!(stopped.elapsed() < Duration::from_millis(600), "{:?}", stopped.elapsed());
        served.ask("POST", "/stop", &served.headers(), json!({ "run": first_name }).to_string().as_bytes());
        assert!(answer_of(&mut first)["lines"][0].is_string());
    }

    /// Who is refused loses the connection: thousands of requests that nobody reads keep no place.
    #[test]
    fn a_refusal_closes_its_connection() {
        let served = Served::start(IDLE);
        let mut stream = TcpStream::connect((Ipv4Addr::LOCALHOST, served.keys.port)).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(5))).unwrap();
        let refused = b"GET / HTTP/1.1\r\nHost: evil.example\r\n\r\n";
        stream.write_all(&refused.repeat(2)).unwrap();
        let mut reply = Vec::new();
        // What was sent after the refusal may reset the connection.
        let _ = stream.read_to_end(&mut reply);
        let reply = String::from_utf8_lossy(&reply).into_owned();
        assert_eq!(reply.matches("HTTP/1.1 421").count(), 1, "{reply}");
        assert!(reply.contains("connection: close"), "{reply}");
    }

    #[test]
    fn an_unused_session_ends() {
        let _alone = COUNTS_PROCESSES.lock();
        let served = Served::start(Duration::from_millis(500));
        let question = json!({ "page": "the-prompt", "kind": "session", "text": "1", "before": [] });
        served.run(&question);
        assert_eq!(own_children().len(), 1);
        wait_until("the prompt goes on", || own_children().is_empty());
        assert_eq!(served.run(&question)["lines"][0], "1");
        // So does one whose server ends.
        drop(served);
        wait_until("the prompt survives its server", || own_children().is_empty());
    }

    /// The program itself: Ctrl-C ends it, and neither that nor its death leaves a process behind.
    #[test]
    fn the_end_of_the_program_is_the_end_of_its_processes() {
        use nix::sys::signal::{Signal, kill};
        let _alone = COUNTS_PROCESSES.lock();
        for signal in [Signal::SIGINT, Signal::SIGTERM, Signal::SIGHUP, Signal::SIGKILL] {
            let folders = tempfile::tempdir().unwrap();
            let mut command = Command::new(PROGRAM);
            command
                .env("TMPDIR", folders.path())
                .args(["book", "plots", "--no-browser"])
                .stdout(Stdio::piped())
                .stderr(Stdio::null())
                .stdin(Stdio::null());
            let mut server = command.spawn().unwrap();
            let address = read_line(&mut BufReader::new(server.stdout.take().unwrap()));
            let (port, token) =
                address.trim().strip_prefix("http://127.0.0.1:").unwrap().split_once("/plots.html?token=").unwrap();
            let port: u16 = port.parse().unwrap();
            let mut client = Client { port, headers: vec![("Host".into(), format!("127.0.0.1:{port}"))] };
            let reply = client.get(&format!("/?token={token}"));
            let cookie = reply.lines().find_map(|line| line.strip_prefix("set-cookie: ")?.split(';').next()).unwrap();
            client.headers.push(("Cookie".into(), cookie.to_owned()));
            let page = client.get("/plots.html");
            let token = page.split("smoothish-live\" content=\"").nth(1).unwrap().split('"').next().unwrap();
            client.headers.push(("X-Smoothish".into(), token.to_owned()));
            client.headers.push(("Origin".into(), format!("http://127.0.0.1:{port}")));
            client.headers.push(("Content-Type".into(), "application/json".into()));
            let streams: Vec<TcpStream> = [
                shell("plots", &format!("eval --timeout 30 '{LONG}'")),
                json!({ "page": "the-prompt", "kind": "session", "text": LONG, "before": [] }),
            ]
            .iter()
            .map(|question| client.post("/run", question.to_string().as_bytes()))
            .collect();
            wait_until("no two processes", || children_of(server.id()).len() == 2);
            let children = children_of(server.id());
            kill(nix::unistd::Pid::from_raw(server.id() as i32), signal).unwrap();
            let status = wait_for(&mut server);
            assert_eq!(status.code(), if signal == Signal::SIGKILL { None } else { Some(0) }, "{signal}");
            let is_running =
                |id: &u32| fs::read_to_string(format!("/proc/{id}/stat")).is_ok_and(|stat| !stat.contains(") Z "));
            wait_until("a process survives its server", || !children.iter().any(is_running));
            drop(streams);
            // Nobody is asked who is killed.
            if signal != Signal::SIGKILL {
                let left: Vec<_> = fs::read_dir(folders.path()).unwrap().collect();
                assert!(left.is_empty(), "{signal}: {left:?}");
            }
        }
    }

    fn wait_for(child: &mut Child) -> std::process::ExitStatus {
        let start = Instant::now();
        loop {
            if let Some(status) = child.try_wait().unwrap() {
                return status;
            }
            assert!(start.elapsed() < Duration::from_secs(10), "the server does not end");
            thread::sleep(Duration::from_millis(10));
        }
    }

    /// A client that knows no more than a browser.
    struct Client {
        port: u16,
        headers: Vec<(String, String)>,
    }

    impl Client {
        fn get(&self, path: &str) -> String {
            let mut stream = TcpStream::connect((Ipv4Addr::LOCALHOST, self.port)).unwrap();
            stream.write_all(&Served::request("GET", path, &self.headers, b"")).unwrap();
            let mut reply = String::new();
            stream.read_to_string(&mut reply).unwrap();
            reply
        }

        fn post(&self, path: &str, body: &[u8]) -> TcpStream {
            let mut stream = TcpStream::connect((Ipv4Addr::LOCALHOST, self.port)).unwrap();
            stream.write_all(&Served::request("POST", path, &self.headers, body)).unwrap();
            stream
        }
    }

    /// A random word of a command line that tries to name a file.
    fn hostile_words(random: &mut SplitMix64, canary: &Path) -> String {
        let canary = canary.display().to_string();
        let commands = [
            "eval",
            "check",
            "fmt",
            "plot '\\x => x'",
            "render '\\x y => x'",
            "theorem",
            "repl",
            "repl --json",
            "campaign",
            "fuzz --target parse",
            "book",
            "pieces '\\x => x'",
            "table '\\x => x'",
            "audit '\\x => x' --at 0 --claim 1",
            "mutants",
            "man",
            "completions bash",
            "--confined 1000000 eval",
            "-- eval",
            "demo",
            "",
        ];
        let options = [
            "-f", "--file", "--load", "--macro", "--corpus", "--resume", "-o", "--write", "--load=", "-o=", "-f",
            "--watch", "--json", "--", "-", "'", "\0", "\u{202e}",
        ];
        let paths = [
            canary.as_str(),
            canary.as_str(),
            canary.as_str(),
            canary.as_str(),
            canary.as_str(),
            "../canary.theory",
            "/etc/passwd",
            "/proc/self/environ",
            "..",
            ".",
            "/",
            "-",
            "a.svg",
            "../../a.svg",
            "/dev/stdin",
            "/dev/zero",
            "~/x",
            "$HOME",
            "`id`",
            ";id",
            "|id",
            "a/../../b",
            "1",
            "\\x => x",
        ];
        // Half of them name a file where a command takes one.
        let forms = [
            "check PATH",
            "fmt PATH",
            "eval -f PATH",
            "eval --load PATH 1",
            "eval --load=PATH 1",
            "theorem --macro PATH",
            "repl --json PATH",
            "plot '\\x => x' --from 0 --to 1 -o PATH",
            "pieces '\\x => x' --from 0 --to 1 -oPATH",
            "expect 'return 1' '\\x => x' --load PATH",
        ];
        if random.random_bool(50) {
            let form = random.pick(&forms);
            let path = *random.pick(&paths);
            return form.replace("PATH", path);
        }
        let mut line = (*random.pick(&commands)).to_owned();
        for _ in 0..random.next_below(5) {
            let joint = if random.random_bool(80) { " " } else { "" };
            line += joint;
            line += if random.random_bool(50) { *random.pick(&options) } else { *random.pick(&paths) };
        }
        line
    }

    #[test]
    fn a_thousand_hostile_requests_touch_nothing() {
        let _alone = COUNTS_PROCESSES.lock();
        let folder = empty_folder("hostile");
        let canary = folder.join("canary.theory");
        // Whoever checks it prints its name, whoever formats it changes it, and an error shows its first line.
        let secret = "theory B5c0\nlet   two : ℜ = 2\nclaim value : two ~ 2 because \"b5c0\"\n";
        fs::write(&canary, secret).unwrap();
        let served = Served::start(IDLE);
        let mut random = SplitMix64::new(7);
        let (mut statuses, mut runs) = (BTreeMap::new(), 0);
        for number in 0..1000 {
            let mut headers = served.headers();
            // Most of them come from a page of the book: what they ask is hostile, not who they are.
            let is_own = random.random_bool(65);
            if !is_own {
                match random.next_below(4) {
                    0 => drop(headers.remove(random.next_below(headers.len()))),
                    1 => headers.push(headers[random.next_below(5)].clone()),
                    2 => headers
                        .iter_mut()
                        .for_each(|(_, value)| *value = value.replace('0', "1").replace("http", "file")),
                    _ => headers.push(("X".into(), "y".repeat(random.next_below(40_000)))),
                }
            }
            let method = if random.random_bool(90) {
                "POST"
            } else {
                *random.pick(&["GET", "PUT", "HEAD", "TRACE", "CONNECT", "", "P\u{f6}ST"])
            };
            let path = if random.random_bool(90) {
                "/run"
            } else {
                *random.pick(&[
                    "/stop",
                    "/",
                    "/../run",
                    "*",
                    "/run?token=",
                    "/%00",
                    "//run",
                    "http://evil.example/run",
                    "/\u{1}",
                ])
            };
            let text = hostile_words(&mut random, &canary);
            let kind = *random.pick(&["shell", "shell", "shell", "session", "smoothish", "agree", "theory", ""]);
            let text = if kind == "session" {
                format!("{} {text}", random.pick(&[":load", ":save", ":l", ":help", "let x =", ":quit", ""]))
            } else {
                text
            };
            let page = *random.pick(&["plots", "theories", "the-prompt", "plots", "../x"]);
            let goal = *random.pick(&["", "", "", "", "eps=1e-3", "load=x", "eps=1 -f"]);
            let question = json!({ "page": page, "kind": kind, "goal": goal, "text": text, "before": [] });
            let mut body = question.to_string().into_bytes();
            if random.random_bool(15) && !body.is_empty() {
                let at = random.next_below(body.len());
                body[at] = random.next() as u8;
            }
            if random.random_bool(5) {
                body = b"{".repeat(random.next_below(100_000));
            }
            let mut request = Served::request(method, path, &headers, &body);
            let whole = request.clone();
            if random.random_bool(10) {
                let at = random.next_below(request.len());
                request[at] = random.next() as u8;
            }
            if random.random_bool(5) {
                request.truncate(random.next_below(request.len()));
            }
            let reply = exchange(served.keys.port, &request, request == whole);
            assert!(!reply.to_lowercase().contains("b5c0"), "request {number} has read the canary: {question}");
            assert!(!reply.contains("root:"), "request {number} has read a file: {question}");
            runs += usize::from(reply.contains("\"lines\""));
            *statuses.entry(status_of(&reply)).or_insert(0) += 1;
        }
        // They have come as far as they should: some are run, and each refusal is met.
        assert!(runs > 100, "{runs} of {statuses:?}");
        assert!([200, 400, 403, 405, 421].iter().all(|status| statuses.contains_key(status)), "{statuses:?}");
        assert_eq!(served.run(&eval("1 + 1"))["status"], 0, "the server still answers");
        assert_eq!(fs::read_to_string(&canary).unwrap(), secret);
        let names: Vec<_> = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name()).collect();
        assert_eq!(names, ["canary.theory"]);
        drop(served);
        wait_until("a process is left", || own_children().is_empty());
    }

    /// Sends a request, and reads the reply. One that may wait for more than it has is told that no more comes.
    fn exchange(port: u16, request: &[u8], is_whole: bool) -> String {
        let mut stream = TcpStream::connect((Ipv4Addr::LOCALHOST, port)).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(15))).unwrap();
        let _ = stream.write_all(request);
        // A whole question keeps its connection open: closing it would stop the question.
        if !is_whole {
            let _ = stream.shutdown(Shutdown::Write);
        }
        let mut reply = Vec::new();
        let _ = stream.read_to_end(&mut reply);
        String::from_utf8_lossy(&reply).into_owned()
    }
}
