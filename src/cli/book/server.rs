//! The server of the live book: HTTP on this machine alone.
//!
//! | request | answer |
//! |---|---|
//! | `GET /…?token=T` | the cookie, and the way to the page |
//! | `GET /PATH` | a file of the book |
//! | `POST /run` | lines of JSON: the name of the run, progress, and `{"lines":[…],"status":0,"pictures":[…]}` at the end |
//! | `POST /stop` | stops a run by its name |
//!
//! Each passes the [`gate`] first. Pages are rendered once, and served from memory: no request names a file.

use super::child::{LineSender, PageQuestion, PageRunner};
use super::gate::{self, BODY_BYTES, GateKeys, GateRefusal, GateRoute};
use super::markup::escape;
use super::pages::RenderedBook;
use http_body_util::{BodyExt, Either, Full, Limited};
use hyper::body::{Body, Bytes, Frame, Incoming};
use hyper::header::{self, HeaderName, HeaderValue};
use hyper::server::conn::http1;
use hyper::service::service_fn;
use hyper::{Request, Response, StatusCode};
use hyper_util::rt::{TokioIo, TokioTimer};
use serde_json::{Value as Json, json};
use std::convert::Infallible;
use std::io;
use std::net::TcpListener;
use std::path::PathBuf;
use std::pin::{Pin, pin};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::sync::{Semaphore, mpsc};

/// The number of connections at a time. A choice: a browser opens six to one server.
const CONNECTIONS: usize = 64;
/// The time in which a connection must send the head of a request, and then its body.
const READ_TIME: Duration = Duration::from_secs(10);
/// The greatest head of a request, in bytes.
const HEAD_BYTES: usize = 32 << 10;
/// The time between two looks at the flag of Ctrl-C.
const LOOK: Duration = Duration::from_millis(50);
/// The time that an unused prompt of a page is kept.
pub const IDLE: Duration = Duration::from_secs(600);
/// The time that the server gives its connections to end.
const SHUTDOWN: Duration = Duration::from_millis(200);
/// The number of lines that wait for a slow reader.
const LINES_AHEAD: usize = 64;

/// The body of a response: a whole, or lines as they come.
type BookBody = Either<Full<Bytes>, LineBody>;

/// Lines that are sent as soon as they are there.
#[derive(Debug)]
pub struct LineBody(mpsc::Receiver<Bytes>);

impl Body for LineBody {
    type Data = Bytes;
    type Error = Infallible;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, Infallible>>> {
        self.0.poll_recv(context).map(|line| line.map(|line| Ok(Frame::data(line))))
    }
}

/// A live book: its pages, and who may see and ask them.
#[derive(Debug)]
pub struct BookServer {
    book: Arc<RenderedBook>,
    keys: GateKeys,
    policy: HeaderValue,
    runner: Arc<PageRunner>,
    idle: Duration,
}

impl BookServer {
    /// Makes the server of a book. `program` answers the questions; the prompt of a page ends when it was `idle` for so long.
    #[must_use]
    pub fn new(mut book: RenderedBook, keys: GateKeys, program: PathBuf, idle: Duration) -> Self {
        let policy = HeaderValue::try_from(gate::content_policy(&book)).expect("hashes and names are ASCII");
        // Without this element a page shows no run button: it is not part of pages that are written to a folder.
        let token = format!("<meta name=\"smoothish-live\" content=\"{}\"></head>", keys.page);
        for (path, file) in &mut book.files {
            if path.ends_with(".html")
                && let Ok(page) = std::str::from_utf8(&file.bytes)
            {
                file.bytes = page.replacen("</head>", &token, 1).into_bytes();
            }
        }
        Self { book: Arc::new(book), keys, policy, runner: Arc::new(PageRunner::new(program)), idle }
    }

    /// Returns the address that opens a page. `path` is that of a file of the book, empty for the first page.
    #[must_use]
    pub fn address(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}/{path}?token={}", self.keys.port, self.keys.address)
    }

    /// Returns the address that a browser is started with, which opens a page once.
    #[must_use]
    pub fn browser_address(&self, path: &str) -> String {
        format!("http://127.0.0.1:{}/{path}?token={}", self.keys.port, self.keys.browser)
    }

    /// Serves until `interrupted` is set, and ends every process that it has started.
    ///
    /// # Errors
    /// Errors of the listening socket.
    pub fn serve(self, listener: TcpListener, interrupted: &AtomicBool) -> io::Result<()> {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
        listener.set_nonblocking(true)?;
        let served = runtime.block_on(Arc::new(self).accept_connections(listener, interrupted));
        // What is dropped here kills its process.
        runtime.shutdown_timeout(SHUTDOWN);
        served
    }

    /// Accepts connections until `interrupted` is set.
    async fn accept_connections(self: Arc<Self>, listener: TcpListener, interrupted: &AtomicBool) -> io::Result<()> {
        let listener = tokio::net::TcpListener::from_std(listener)?;
        let places = Arc::new(Semaphore::new(CONNECTIONS));
        let (mut look, mut idle) = (tokio::time::interval(LOOK), tokio::time::interval(self.idle / 10));
        let mut end = pin!(wait_for_end());
        while !interrupted.load(Ordering::Relaxed) {
            let place = tokio::select! {
                _ = look.tick() => continue,
                () = &mut end => return Ok(()),
                place = places.clone().acquire_owned() => place.map_err(io::Error::other)?,
            };
            let accepted = tokio::select! {
                _ = look.tick() => continue,
                () = &mut end => return Ok(()),
                _ = idle.tick() => {
                    self.runner.close_idle(self.idle);
                    continue;
                }
                accepted = listener.accept() => accepted,
            };
            let Ok((stream, _)) = accepted else {
                // The other end has left already, or the process has too many files open: soon it has fewer.
                tokio::time::sleep(LOOK).await;
                continue;
            };
            // Lines are short, and each is for now: they must not wait for the reply to the one before, which takes 40 ms.
            let _ = stream.set_nodelay(true);
            let server = self.clone();
            tokio::spawn(async move {
                let service = service_fn(|request| {
                    let server = server.clone();
                    async move { Ok::<_, Infallible>(server.respond(request).await) }
                });
                let connection = http1::Builder::new()
                    .timer(TokioTimer::new())
                    .header_read_timeout(READ_TIME)
                    .max_buf_size(HEAD_BYTES)
                    .serve_connection(TokioIo::new(stream), service);
                // A broken connection concerns its own reader only.
                let _ = connection.await;
                drop(place);
            });
        }
        Ok(())
    }

    /// Answers a request.
    async fn respond(&self, request: Request<Incoming>) -> Response<BookBody> {
        let (head, body) = request.into_parts();
        let response = match self.keys.admit(&head) {
            Err(refusal) => self.refuse(refusal),
            Ok(GateRoute::Enter) => self.enter(head.uri.path()),
            Ok(GateRoute::File) => self.send_file(head.uri.path()),
            Ok(route) => match read_body(body).await {
                Err(refusal) => self.refuse(refusal),
                Ok(bytes) if route == GateRoute::Run => self.run(&bytes),
                Ok(bytes) => self.stop(&bytes),
            },
        };
        self.with_policy(response)
    }

    /// Adds the headers that every response has.
    fn with_policy(&self, mut response: Response<BookBody>) -> Response<BookBody> {
        let headers = response.headers_mut();
        headers.insert(header::CONTENT_SECURITY_POLICY, self.policy.clone());
        for (name, value) in [
            (header::X_CONTENT_TYPE_OPTIONS, "nosniff"),
            (header::REFERRER_POLICY, "no-referrer"),
            (header::CACHE_CONTROL, "no-store"),
            (HeaderName::from_static("cross-origin-resource-policy"), "same-origin"),
            (HeaderName::from_static("cross-origin-opener-policy"), "same-origin"),
        ] {
            headers.insert(name, HeaderValue::from_static(value));
        }
        response
    }

    /// Answers a refused request, and closes its connection: who sends thousands and reads nothing must not keep its place.
    fn refuse(&self, refusal: GateRefusal) -> Response<BookBody> {
        let status = StatusCode::from_u16(refusal.status).unwrap_or(StatusCode::FORBIDDEN);
        let mut response = whole(status, "text/plain; charset=utf-8", format!("{}\n", refusal.reason));
        response.headers_mut().insert(header::CONNECTION, HeaderValue::from_static("close"));
        response
    }

    /// Gives the cookie, and sends the browser to the page.
    ///
    /// A page does so, and no redirection: a browser counts a redirection to the site that has the link, and would keep a
    /// strict cookie back.
    fn enter(&self, path: &str) -> Response<BookBody> {
        let path = if self.book.files.contains_key(path.trim_start_matches('/')) { path } else { "/" };
        let path = escape(&format!("/{}", path.trim_start_matches('/')));
        let page = format!(
            "<!DOCTYPE html><html lang=\"en\"><head><meta charset=\"utf-8\"><title>smoothish</title>\
             <meta http-equiv=\"refresh\" content=\"0;url={path}\"></head>\
             <body><a href=\"{path}\">to the book</a></body></html>\n"
        );
        let mut response = whole(StatusCode::OK, "text/html; charset=utf-8", page);
        let (name, value) = (self.keys.cookie_name(), &self.keys.cookie);
        let cookie = HeaderValue::try_from(format!("{name}={value}; HttpOnly; SameSite=Strict; Path=/"));
        response.headers_mut().insert(header::SET_COOKIE, cookie.expect("hexadecimal digits are ASCII"));
        response
    }

    /// Sends a file of the book.
    fn send_file(&self, path: &str) -> Response<BookBody> {
        let name = match path.trim_start_matches('/') {
            "" => "index.html",
            name => name,
        };
        match self.book.files.get(name) {
            Some(file) => whole(StatusCode::OK, file.media_type, file.bytes.clone()),
            None => whole(StatusCode::NOT_FOUND, "text/plain; charset=utf-8", "the book has no such page\n".to_owned()),
        }
    }

    /// Begins to answer a question.
    fn run(&self, bytes: &[u8]) -> Response<BookBody> {
        let question = match PageQuestion::from_json(bytes) {
            Ok(question) if self.book.theories.contains_key(&question.page) => question,
            Ok(_) => return self.refuse(GateRefusal { status: 400, reason: "the book has no such chapter" }),
            Err(reason) => return self.refuse(GateRefusal { status: 400, reason }),
        };
        let Some(place) = self.runner.enqueue() else {
            return self.refuse(GateRefusal { status: 429, reason: "ten questions are being answered; wait for one" });
        };
        let Ok(name) = gate::random_token() else {
            return self.refuse(GateRefusal { status: 500, reason: "the system has no random numbers" });
        };
        let (sender, receiver): (LineSender, _) = mpsc::channel(LINES_AHEAD);
        let (runner, book) = (self.runner.clone(), self.book.clone());
        tokio::spawn(async move { runner.run(&book, question, name, place, sender).await });
        let mut response = Response::new(Either::Right(LineBody(receiver)));
        let lines = HeaderValue::from_static("application/x-ndjson; charset=utf-8");
        response.headers_mut().insert(header::CONTENT_TYPE, lines);
        response
    }

    /// Stops a question.
    fn stop(&self, bytes: &[u8]) -> Response<BookBody> {
        let object = serde_json::from_slice::<Json>(bytes).unwrap_or_default();
        let is_stopped = object.get("run").and_then(Json::as_str).is_some_and(|name| self.runner.stop(name));
        whole(StatusCode::OK, "application/json", json!({ "stopped": is_stopped }).to_string())
    }
}

/// Waits until the system asks the server to end: by SIGTERM, or by SIGHUP when its terminal closes. Folders are then removed, as after Ctrl-C.
async fn wait_for_end() {
    #[cfg(unix)]
    {
        use tokio::signal::unix::{SignalKind, signal};
        if let (Ok(mut terminate), Ok(mut hangup)) = (signal(SignalKind::terminate()), signal(SignalKind::hangup())) {
            tokio::select! {
                _ = terminate.recv() => return,
                _ = hangup.recv() => return,
            }
        }
    }
    std::future::pending().await
}

/// Makes a response with a whole body.
fn whole(status: StatusCode, media_type: &'static str, body: impl Into<Bytes>) -> Response<BookBody> {
    let mut response = Response::new(Either::Left(Full::new(body.into())));
    *response.status_mut() = status;
    response.headers_mut().insert(header::CONTENT_TYPE, HeaderValue::from_static(media_type));
    response
}

/// Reads a body up to the greatest size, in a limited time.
async fn read_body(body: Incoming) -> Result<Bytes, GateRefusal> {
    let limited = Limited::new(body, usize::try_from(BODY_BYTES).unwrap_or(usize::MAX));
    match tokio::time::timeout(READ_TIME, limited.collect()).await {
        Ok(Ok(body)) => Ok(body.to_bytes()),
        Ok(Err(_)) => Err(GateRefusal { status: 413, reason: "a question has at most 64 KiB" }),
        Err(_) => Err(GateRefusal { status: 408, reason: "the question did not come in time" }),
    }
}
