//! The processes that answer for a page.
//!
//! Each question is a process of this program: its text is what a terminal shows, and a crash or a hang ends it alone. It is
//! started with `--confined` in a fresh folder ([`confine`](super::confine)), two at a time. Inputs of `session` blocks go to
//! one prompt for each page, `repl --json`.
//!
//! A stopped question gets an interrupt, on which it prints its best answer so far, and is killed if it does not end then.

use super::example::{ExampleKind, PageExample, printed_lines};
use super::pages::{RenderedBook, media_type};
use crate::cli::output::PROGRESS_MARK;
use data_encoding::BASE64;
use hyper::body::Bytes;
use serde_json::{Value as Json, json};
use std::collections::HashMap;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tempfile::TempDir;
use tokio::io::{AsyncBufReadExt, AsyncRead, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::process::{Child, ChildStdin, Command};
use tokio::sync::{Notify, Semaphore, mpsc};
use tokio::time::{Instant, sleep_until};

/// The number of processes that run at a time. A choice: a page asks one question at a time, and another page may as well.
const RUNNING: usize = 2;
/// The number of questions that may wait for a process.
const WAITING: usize = 8;
/// The time that a question gets.
const DEFAULT_SECONDS: u64 = 10;
/// The time that a question gets at most, by its own `--timeout`.
const MOST_SECONDS: u64 = 60;
/// The time on the processor beyond the time of the question, after which the system ends the process.
const CPU_RESERVE: u64 = 10;
/// The time on the processor that the prompt of a page gets for all its answers together.
const SESSION_CPU_SECONDS: u64 = 600;
/// The time between the interrupt of a process and its end.
const GRACE: Duration = Duration::from_millis(500);
/// The greatest output of a process that is kept, in bytes. A choice: no reader reads more.
const OUTPUT_BYTES: usize = 1 << 20;
/// The greatest picture that is shown, in bytes.
const PICTURE_BYTES: u64 = 8 << 20;
/// The number of pages whose prompts are kept at a time.
const SESSIONS: usize = 8;

/// The beginning of the command that ends a prompt: its first letter is enough of it.
const QUIT: &str = ":q";

/// The output of a question, line by line in JSON; the page reads it while it comes.
pub type LineSender = mpsc::Sender<Bytes>;

/// A question of a page.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct PageQuestion {
    /// The name of the chapter.
    pub page: String,
    /// The command that answers it.
    pub kind: ExampleKind,
    /// The accuracy that the prompt names.
    pub goal: Option<String>,
    /// The text.
    pub text: String,
    /// The inputs of the session above this one.
    pub before: Vec<String>,
}

impl PageQuestion {
    /// Reads a question as the page script sends it.
    ///
    /// # Errors
    /// A sentence: this is no JSON, or a member is absent or of another kind.
    pub fn from_json(bytes: &[u8]) -> Result<Self, &'static str> {
        let Ok(object) = serde_json::from_slice::<Json>(bytes) else { return Err("a question is a JSON object") };
        let text = |name: &str| object.get(name).and_then(Json::as_str);
        let kind = text("kind").and_then(ExampleKind::of_tag).ok_or("\"kind\" is the tag of a block of questions")?;
        let goal = match text("goal") {
            None | Some("") => None,
            // It becomes an option of the command line, so it must be one of these and no other.
            Some(goal) => match goal.split_once('=') {
                Some(("eps" | "rel" | "digits", _)) if !goal.contains(char::is_whitespace) => Some(goal.to_owned()),
                _ => return Err("\"goal\" is eps=E, rel=R or digits=N"),
            },
        };
        let before = object.get("before").and_then(Json::as_array).map(Vec::as_slice).unwrap_or_default();
        let before: Option<Vec<String>> = before.iter().map(|input| input.as_str().map(str::to_owned)).collect();
        Ok(Self {
            page: text("page").ok_or("\"page\" is the name of a chapter")?.to_owned(),
            kind,
            goal,
            text: text("text").ok_or("\"text\" is the question")?.to_owned(),
            before: before.ok_or("\"before\" is a list of texts")?,
        })
    }

    /// Returns the arguments of the process, and the time that it gets.
    fn to_command(&self) -> (Vec<String>, Duration) {
        let (goal, source) = (self.goal.clone(), self.text.clone());
        let example = PageExample { line: 0, goal, source, kind: self.kind, printed: 0..0 };
        let arguments = example.arguments().unwrap_or_default();
        let given = arguments.iter().enumerate().find_map(|(i, argument)| match argument.strip_prefix("--timeout") {
            Some("") => arguments.get(i + 1)?.parse::<f64>().ok(),
            Some(rest) => rest.strip_prefix('=')?.parse().ok(),
            None => None,
        });
        let most = Duration::from_secs(MOST_SECONDS);
        // A question that names its time is asked to end by itself, and says so in its own words.
        let seconds = given.map(|seconds| seconds + 1.0).filter(|seconds| (0.0..MOST_SECONDS as f64).contains(seconds));
        let default = if given.is_some() { most } else { Duration::from_secs(DEFAULT_SECONDS) };
        (arguments, seconds.map_or(default, Duration::from_secs_f64))
    }
}

/// A place in the queue, which is left when it is dropped.
#[derive(Debug)]
pub struct QueuePlace(Arc<AtomicUsize>);

impl Drop for QueuePlace {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::AcqRel);
    }
}

/// The runs of a server: those that run, those that wait, and the prompts of pages.
#[derive(Debug)]
pub struct PageRunner {
    program: PathBuf,
    slots: Semaphore,
    queued: Arc<AtomicUsize>,
    /// The questions that are not yet answered, by the names that the pages know.
    stops: Mutex<HashMap<String, Arc<Notify>>>,
    sessions: Mutex<HashMap<String, Arc<tokio::sync::Mutex<Option<PageSession>>>>>,
}

/// The reasons why a process is stopped before it has answered.
struct StopSignals<'r> {
    stop: &'r Notify,
    sender: &'r LineSender,
    deadline: Instant,
}

impl StopSignals<'_> {
    /// Waits until the reader has stopped the question, has left, or the time is over. Returns `true` in the last case.
    async fn wait(&self) -> bool {
        tokio::select! {
            () = self.stop.notified() => false,
            () = self.sender.closed() => false,
            () = sleep_until(self.deadline) => true,
        }
    }
}

impl PageRunner {
    /// Makes a runner of questions by the program at a path.
    #[must_use]
    pub fn new(program: PathBuf) -> Self {
        Self {
            program,
            slots: Semaphore::new(RUNNING),
            queued: Arc::default(),
            stops: Mutex::default(),
            sessions: Mutex::default(),
        }
    }

    /// Takes a place in the queue. Returns `None` if all are taken.
    #[must_use]
    pub fn enqueue(&self) -> Option<QueuePlace> {
        let has_place = |taken: usize| (taken < RUNNING + WAITING).then_some(taken + 1);
        self.queued.fetch_update(Ordering::AcqRel, Ordering::Acquire, has_place).ok()?;
        Some(QueuePlace(self.queued.clone()))
    }

    /// Stops a question by its name. Returns `false` if it is answered already.
    pub fn stop(&self, name: &str) -> bool {
        let stops = self.stops.lock().unwrap_or_else(PoisonError::into_inner);
        // A permit is stored: the question may not be waiting for it yet.
        stops.get(name).inspect(|stop| stop.notify_one()).is_some()
    }

    /// Answers a question into `sender`. `name` is what the page stops it by.
    pub async fn run(
        &self,
        book: &RenderedBook,
        question: PageQuestion,
        name: String,
        place: QueuePlace,
        sender: LineSender,
    ) {
        let stop = Arc::new(Notify::new());
        self.stops.lock().unwrap_or_else(PoisonError::into_inner).insert(name.clone(), stop.clone());
        send_line(&sender, &json!({ "run": name })).await;
        let answer = self.answer(book, &question, &stop, &sender).await;
        self.stops.lock().unwrap_or_else(PoisonError::into_inner).remove(&name);
        // The place is free before the page learns of it: its next question must find it.
        drop(place);
        let answer = answer.unwrap_or_else(|error| json!({ "lines": [format!("error: {error}")], "status": 2 }));
        send_line(&sender, &answer).await;
    }

    /// Answers a question as soon as a process may run.
    async fn answer(
        &self,
        book: &RenderedBook,
        question: &PageQuestion,
        stop: &Notify,
        sender: &LineSender,
    ) -> io::Result<Json> {
        let theories = book.theories.get(&question.page).map(Vec::as_slice).unwrap_or_default();
        let waited = || Ok(json!({ "lines": ["note: stopped while it waited"], "status": 4 }));
        let session = match question.kind {
            ExampleKind::Session => Some(self.session_of(&question.page)),
            ExampleKind::Eval | ExampleKind::Agree | ExampleKind::Shell => None,
        };
        // The prompt of a page answers one input after another. Who waits for it takes no slot from others, and can be stopped.
        let prompt = match &session {
            Some(session) => tokio::select! {
                prompt = session.lock() => Some(prompt),
                () = stop.notified() => return waited(),
                () = sender.closed() => return Ok(Json::Null),
            },
            None => None,
        };
        let slot = tokio::select! {
            slot = self.slots.acquire() => slot,
            () = stop.notified() => return waited(),
            () = sender.closed() => return Ok(Json::Null),
        };
        let answer = match prompt {
            Some(mut prompt) => self.answer_session(&mut prompt, question, theories, stop, sender).await,
            None => self.answer_process(question, theories, stop, sender).await,
        };
        drop(slot);
        answer
    }

    /// Starts a confined process in a folder.
    fn spawn(&self, arguments: &[String], cpu_seconds: u64, folder: &Path, stdin: Stdio) -> io::Result<Child> {
        Command::new(&self.program)
            .arg("--confined")
            .arg(cpu_seconds.to_string())
            .args(arguments)
            .current_dir(folder)
            // Nothing of the server's environment is needed, and some of it may be secret.
            .env_clear()
            .envs([("NO_COLOR", "1"), ("LC_ALL", "C.UTF-8")])
            .stdin(stdin)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
    }

    /// Answers a question by a process of its own.
    async fn answer_process(
        &self,
        question: &PageQuestion,
        theories: &[(String, String)],
        stop: &Notify,
        sender: &LineSender,
    ) -> io::Result<Json> {
        let folder = run_folder(theories)?;
        let (arguments, time) = question.to_command();
        let mut child = self.spawn(&arguments, time.as_secs() + CPU_RESERVE, folder.path(), Stdio::null())?;
        let full = Arc::new(Notify::new());
        let out = tokio::spawn(read_output(child.stdout.take().expect("piped"), full.clone(), None));
        let err = tokio::spawn(read_output(child.stderr.take().expect("piped"), full.clone(), Some(sender.clone())));
        let signals = StopSignals { stop, sender, deadline: Instant::now() + time };
        let (mut kill_at, mut is_over) = (None, false);
        let status = loop {
            let killed = kill_at.unwrap_or_else(far_away);
            tokio::select! {
                status = child.wait() => break status?,
                is_late = signals.wait(), if kill_at.is_none() => {
                    is_over = is_late;
                    interrupt(&mut child);
                    kill_at = Some(Instant::now() + GRACE);
                }
                () = full.notified(), if kill_at.is_none() => {
                    child.start_kill()?;
                    kill_at = Some(far_away());
                }
                () = sleep_until(killed) => {
                    child.start_kill()?;
                    kill_at = Some(far_away());
                }
            }
        };
        let ((out, is_out_cut), (err, is_err_cut)) = (out.await?, err.await?);
        let mut lines = printed_lines(question.kind, &out, &err, status.code());
        if is_out_cut || is_err_cut {
            lines.push(format!("note: the output is longer than {OUTPUT_BYTES} bytes, and is cut"));
        }
        if is_over {
            let seconds = time.as_secs();
            lines.push(format!(
                "note: a page gives this question {seconds} s; a command has --timeout, up to {MOST_SECONDS}"
            ));
        }
        let pictures = read_pictures(folder.path(), theories)?;
        Ok(json!({ "lines": lines, "status": status.code(), "pictures": pictures }))
    }

    /// Answers an input by the prompt of the page.
    ///
    /// A session is what the page shows: the inputs above this one, in their order. Those that the prompt has not seen are
    /// given to it first; a prompt that has seen others begins anew.
    async fn answer_session(
        &self,
        session: &mut Option<PageSession>,
        question: &PageQuestion,
        theories: &[(String, String)],
        stop: &Notify,
        sender: &LineSender,
    ) -> io::Result<Json> {
        let is_prefix = session.as_mut().is_some_and(|open| {
            let has_quit = open.history.last().is_some_and(|input| input.trim_start().starts_with(QUIT));
            question.before.starts_with(&open.history) && (has_quit || open.is_running())
        });
        if !is_prefix {
            *session = None;
        }
        if session.is_none() {
            *session = Some(self.open_session(theories)?);
        }
        let open = session.as_mut().expect("just opened");
        let deadline = Instant::now() + Duration::from_secs(MOST_SECONDS);
        let signals = StopSignals { stop, sender, deadline };
        let inputs: Vec<&String> = question.before.iter().chain([&question.text]).collect();
        let mut reply = None;
        open.set_listener(Some(sender.clone()));
        for (number, input) in inputs.iter().enumerate().skip(open.history.len()) {
            // After `:quit` the session goes on as a new one, as that of a terminal would.
            if number > 0 && inputs[number - 1].trim_start().starts_with(QUIT) && open.has_ended().await {
                *open = self.open_session(theories)?;
                open.history = question.before[..number].to_vec();
                open.set_listener(Some(sender.clone()));
            }
            let (answered, is_stopped) = open.ask(input, &signals).await;
            reply = answered;
            // A stop is meant for all that the question has set going.
            if reply.is_none() || is_stopped {
                break;
            }
        }
        open.set_listener(None);
        open.last_used = Instant::now();
        Ok(match reply {
            Some(reply) => json!({ "lines": reply["lines"], "status": reply["status"], "goal": reply["goal"] }),
            None => {
                *session = None;
                json!({ "lines": ["note: stopped; the session begins anew with the next input"], "status": 4 })
            }
        })
    }

    /// Returns the place of a page's prompt. Closes the prompt that is unused for longest if there are too many.
    fn session_of(&self, page: &str) -> Arc<tokio::sync::Mutex<Option<PageSession>>> {
        let mut sessions = self.sessions.lock().unwrap_or_else(PoisonError::into_inner);
        if !sessions.contains_key(page) && sessions.len() >= SESSIONS {
            let oldest = sessions.iter().filter_map(|(page, session)| {
                // A locked one answers just now.
                let session = session.try_lock().ok()?;
                Some((session.as_ref().map(|open| open.last_used), page.clone()))
            });
            if let Some((_, page)) = oldest.min() {
                sessions.remove(&page);
            }
        }
        sessions.entry(page.to_owned()).or_default().clone()
    }

    /// Starts the prompt of a page.
    fn open_session(&self, theories: &[(String, String)]) -> io::Result<PageSession> {
        let folder = run_folder(theories)?;
        let arguments = ["repl", "--json"].map(str::to_owned);
        let mut child = self.spawn(&arguments, SESSION_CPU_SECONDS, folder.path(), Stdio::piped())?;
        let (replies, receiver) = mpsc::channel(1);
        let listener = Arc::new(Mutex::new(None));
        tokio::spawn(forward_replies(child.stdout.take().expect("piped"), replies));
        tokio::spawn(forward_progress(child.stderr.take().expect("piped"), listener.clone()));
        let stdin = child.stdin.take().expect("piped");
        Ok(PageSession {
            child,
            stdin,
            replies: receiver,
            listener,
            history: Vec::new(),
            last_used: Instant::now(),
            _folder: folder,
        })
    }

    /// Ends the prompts that were not used for a time.
    pub fn close_idle(&self, idle: Duration) {
        let mut sessions = self.sessions.lock().unwrap_or_else(PoisonError::into_inner);
        sessions.retain(|_, session| match session.try_lock() {
            Ok(session) => session.as_ref().is_some_and(|open| open.last_used.elapsed() < idle),
            Err(_) => true,
        });
    }
}

/// The prompt of a page.
#[derive(Debug)]
struct PageSession {
    child: Child,
    stdin: ChildStdin,
    replies: mpsc::Receiver<Json>,
    /// The page that reads of the progress of the running input.
    listener: Arc<Mutex<Option<LineSender>>>,
    /// The inputs that it has answered.
    history: Vec<String>,
    last_used: Instant,
    /// The folder of the process, which is removed with it.
    _folder: TempDir,
}

impl PageSession {
    /// Returns `true` if the process has not ended.
    fn is_running(&mut self) -> bool {
        matches!(self.child.try_wait(), Ok(None))
    }

    /// Returns `true` if the process ends within the time that it gets for its end.
    async fn has_ended(&mut self) -> bool {
        tokio::time::timeout(GRACE, self.child.wait()).await.is_ok()
    }

    /// Sets who reads of the progress.
    fn set_listener(&self, listener: Option<LineSender>) {
        *self.listener.lock().unwrap_or_else(PoisonError::into_inner) = listener;
    }

    /// Asks one input. Returns its reply, `None` if the process has ended or was ended, and whether it was stopped.
    async fn ask(&mut self, input: &str, signals: &StopSignals<'_>) -> (Option<Json>, bool) {
        let request = json!({ "id": self.history.len(), "input": input, "form": "lines" });
        if self.stdin.write_all(format!("{request}\n").as_bytes()).await.is_err() {
            return (None, false);
        }
        let mut kill_at = None;
        loop {
            let killed = kill_at.unwrap_or_else(far_away);
            tokio::select! {
                reply = self.replies.recv() => {
                    let Some(reply) = reply else { return (None, kill_at.is_some()) };
                    // The greeting has no `id`.
                    if reply["id"] == request["id"] {
                        self.history.push(input.to_owned());
                        return (Some(reply), kill_at.is_some());
                    }
                }
                _ = signals.wait(), if kill_at.is_none() => {
                    interrupt(&mut self.child);
                    kill_at = Some(Instant::now() + GRACE);
                }
                () = sleep_until(killed) => {
                    // An error means that it has ended by itself.
                    let _ = self.child.start_kill();
                    return (None, true);
                }
            }
        }
    }
}

/// A time that no server sees.
fn far_away() -> Instant {
    Instant::now() + Duration::from_secs(1 << 25)
}

/// Asks a process for its best answer so far. It has ended already if that fails.
fn interrupt(child: &mut Child) {
    #[cfg(unix)]
    if let Some(id) = child.id().and_then(|id| i32::try_from(id).ok()) {
        use nix::sys::signal::{Signal, kill};
        // The process is not waited for yet, so its number is still its own.
        let _ = kill(nix::unistd::Pid::from_raw(id), Signal::SIGINT);
    }
    // Elsewhere there is no such signal for one process.
    #[cfg(not(unix))]
    let _ = child.start_kill();
}

/// Makes the folder of a run, with the theories of its page.
fn run_folder(theories: &[(String, String)]) -> io::Result<TempDir> {
    let folder = tempfile::Builder::new().prefix("smoothish-run-").tempdir()?;
    for (name, text) in theories {
        // The names come from the chapters, which are part of the program.
        std::fs::write(folder.path().join(name), text)?;
    }
    Ok(folder)
}

/// Sends a line of JSON. A reader that has left is noticed elsewhere.
async fn send_line(sender: &LineSender, line: &Json) {
    let _ = sender.send(Bytes::from(format!("{line}\n"))).await;
}

/// Splits progress reports from the lines of a buffer: reports are sent, and the others stay. The last line stays if it is open.
fn take_reports(buffer: &mut Vec<u8>, seen: &mut usize, sender: &LineSender) {
    while let Some(end) = buffer[*seen..].iter().position(|byte| *byte == b'\n') {
        let line = &buffer[*seen..*seen + end];
        if let Some(report) = line.strip_prefix(&[PROGRESS_MARK]) {
            let mut report = report.to_vec();
            report.push(b'\n');
            // A report that does not fit is older than the next one.
            let _ = sender.try_send(Bytes::from(report));
            buffer.drain(*seen..=*seen + end);
        } else {
            *seen += end + 1;
        }
    }
}

/// Reads a stream to its end, up to a length: the bytes, and whether they are cut. `full` is told at that length.
///
/// With a `sender`, progress reports are sent to it.
async fn read_output(
    mut stream: impl AsyncRead + Unpin,
    full: Arc<Notify>,
    sender: Option<LineSender>,
) -> (Vec<u8>, bool) {
    let (mut bytes, mut seen, mut chunk) = (Vec::new(), 0, vec![0; 1 << 13]);
    loop {
        // An error means that the process has gone: what it has written is what there is.
        let read = stream.read(&mut chunk).await.unwrap_or(0);
        if read == 0 {
            return (bytes, false);
        }
        bytes.extend_from_slice(&chunk[..read]);
        if let Some(sender) = &sender {
            take_reports(&mut bytes, &mut seen, sender);
        }
        if bytes.len() > OUTPUT_BYTES {
            full.notify_one();
            bytes.truncate(OUTPUT_BYTES);
            return (bytes, true);
        }
    }
}

/// Sends every reply of a prompt.
async fn forward_replies(stream: impl AsyncRead + Unpin, replies: mpsc::Sender<Json>) {
    let mut lines = BufReader::new(stream);
    loop {
        let mut line = Vec::new();
        let read = (&mut lines).take(OUTPUT_BYTES as u64).read_until(b'\n', &mut line).await.unwrap_or(0);
        // A reply that is cut is no JSON, and ends the session.
        let Ok(reply) = serde_json::from_slice(&line) else { return };
        if read == 0 || replies.send(reply).await.is_err() {
            return;
        }
    }
}

/// Sends the progress reports of a prompt to whoever listens.
async fn forward_progress(mut stream: impl AsyncRead + Unpin, listener: Arc<Mutex<Option<LineSender>>>) {
    let (mut bytes, mut chunk) = (Vec::new(), vec![0; 1 << 13]);
    loop {
        let read = stream.read(&mut chunk).await.unwrap_or(0);
        if read == 0 {
            return;
        }
        bytes.extend_from_slice(&chunk[..read]);
        let sender = listener.lock().unwrap_or_else(PoisonError::into_inner).clone();
        if let Some(sender) = sender {
            take_reports(&mut bytes, &mut 0, &sender);
        }
        // Other lines are part of the replies.
        let keep = bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1);
        bytes.drain(..keep);
        bytes.truncate(OUTPUT_BYTES);
    }
}

/// Reads the files that a run has written, as the page shows them.
fn read_pictures(folder: &Path, theories: &[(String, String)]) -> io::Result<Vec<Json>> {
    let (mut pictures, mut folders) = (Vec::new(), vec![folder.to_owned()]);
    while let Some(inner) = folders.pop() {
        for entry in std::fs::read_dir(inner)? {
            let entry = entry?;
            let (name, kind) = (entry.file_name().to_string_lossy().into_owned(), entry.file_type()?);
            if kind.is_dir() {
                folders.push(entry.path());
            } else if kind.is_file()
                && entry.metadata()?.len() <= PICTURE_BYTES
                && !theories.iter().any(|(theory, _)| *theory == name)
            {
                let bytes = BASE64.encode(&std::fs::read(entry.path())?);
                pictures.push(json!({ "name": name, "type": media_type(&name), "bytes": bytes }));
            }
        }
    }
    Ok(pictures)
}
