//! The gate of the live book: every request passes it before anything else looks at it.
//!
//! The server runs programs for whoever may speak to it. A browser speaks to it for every page that it shows, so being on this
//! machine is not enough:
//!
//! | a request has | else | against |
//! |---|---|---|
//! | a `Host` that is this machine, with our port | 421 | names that other sites point at this machine |
//! | the cookie that the printed address was exchanged for | 403 | other users of this machine, other pages |
//! | to run: our own page as `Origin`, and the page's token | 403 | forms and scripts of other pages |
//! | to run: JSON, and at most 64 KiB of it | 415, 413 | forms, and exhausted memory |
//!
//! A refusal says what to do, and nothing about the book.

use super::pages::RenderedBook;
use data_encoding::BASE64;
use hyper::Method;
use hyper::header::{CONTENT_LENGTH, CONTENT_TYPE, COOKIE, HOST, HeaderMap, HeaderName, ORIGIN};
use hyper::http::request::Parts;
use sha2::{Digest, Sha256};
use std::collections::BTreeSet;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

/// The header with the token of the page: another page could send it only after asking, and is not answered.
pub const TOKEN_HEADER: HeaderName = HeaderName::from_static("x-smoothish");
/// The greatest size of a question with all that belongs to it, in bytes.
pub const BODY_BYTES: u64 = 64 << 10;
/// The length of a token, in bytes. A choice: 128 bits cannot be guessed.
const TOKEN_BYTES: usize = 16;

/// Returns a new random token of 128 bits, as hexadecimal digits.
///
/// # Errors
/// The error of the system's random numbers: without them nothing may be served.
pub fn random_token() -> Result<String, getrandom::Error> {
    let mut bytes = [0; TOKEN_BYTES];
    getrandom::fill(&mut bytes)?;
    Ok(data_encoding::HEXLOWER.encode(&bytes))
}

/// The secrets of one run of the server, and its port.
#[derive(Clone, Debug)]
pub struct GateKeys {
    /// The port that the server listens on.
    pub port: u16,
    /// The token of the printed address.
    pub address: String,
    /// The token of the address that the browser is started with. It counts once: other users of the machine may see the arguments
    /// of a program that starts.
    pub browser: String,
    /// `true` if the browser has opened its address.
    pub is_opened: Arc<AtomicBool>,
    /// The value of the cookie.
    pub cookie: String,
    /// The token that pages send with a question.
    pub page: String,
}

/// A request that the gate lets through.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum GateRoute {
    /// The token of the address is exchanged for the cookie.
    Enter,
    /// A file of the book.
    File,
    /// A question is run.
    Run,
    /// A running question is stopped.
    Stop,
}

/// A refused request: the status, and a sentence for who reads it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct GateRefusal {
    /// The status of HTTP.
    pub status: u16,
    /// The reason.
    pub reason: &'static str,
}

/// Makes a refusal.
const fn refusal(status: u16, reason: &'static str) -> GateRefusal {
    GateRefusal { status, reason }
}

impl GateKeys {
    /// Makes the keys for a port.
    ///
    /// # Errors
    /// As [`random_token`].
    pub fn new(port: u16) -> Result<Self, getrandom::Error> {
        Ok(Self {
            port,
            address: random_token()?,
            browser: random_token()?,
            is_opened: Arc::default(),
            cookie: random_token()?,
            page: random_token()?,
        })
    }

    /// Returns the name of the cookie. Servers on several ports of one machine share their cookies, and need a name each.
    #[must_use]
    pub fn cookie_name(&self) -> String {
        format!("smoothish-{}", self.port)
    }

    /// Decides on a request by its head.
    ///
    /// # Errors
    /// A [`GateRefusal`].
    pub fn admit(&self, head: &Parts) -> Result<GateRoute, GateRefusal> {
        // A request for another machine, as a proxy gets it, names that machine in its address.
        let host = single_value(&head.headers, &HOST).filter(|host| self.is_own_host(host));
        if host.is_none() || head.uri.authority().is_some() {
            return Err(refusal(421, "this machine is not served under that name; open the printed address"));
        }
        if head.method == Method::GET
            && let Some(token) = head.uri.query().and_then(|query| query.strip_prefix("token="))
        {
            let is_browser = || is_equal(token, &self.browser) && !self.is_opened.swap(true, Ordering::AcqRel);
            return match is_equal(token, &self.address) || is_browser() {
                true => Ok(GateRoute::Enter),
                false => Err(refusal(403, "this address is of another run; open the address that is printed now")),
            };
        }
        if !self.has_cookie(&head.headers) {
            return Err(refusal(403, "open the address that `smoothish book` has printed"));
        }
        let path = head.uri.path();
        match (path, &head.method) {
            ("/run" | "/stop", &Method::POST) => self.admit_question(&head.headers)?,
            ("/run" | "/stop", _) => return Err(refusal(405, "questions are sent by POST")),
            (_, &Method::GET | &Method::HEAD) => return Ok(GateRoute::File),
            _ => return Err(refusal(405, "pages are only read")),
        }
        Ok(if path == "/run" { GateRoute::Run } else { GateRoute::Stop })
    }

    /// Decides on a request that runs or stops a question.
    fn admit_question(&self, headers: &HeaderMap) -> Result<(), GateRefusal> {
        // A sandboxed frame or a file has the origin `null`; a program that is no browser has none.
        let origin = single_value(headers, &ORIGIN).and_then(|origin| origin.strip_prefix("http://"));
        if !origin.is_some_and(|host| self.is_own_host(host)) {
            return Err(refusal(403, "questions are asked from a page of this book"));
        }
        if !single_value(headers, &TOKEN_HEADER).is_some_and(|token| is_equal(token, &self.page)) {
            return Err(refusal(403, "this page is of another run; load it again"));
        }
        let media_type = single_value(headers, &CONTENT_TYPE).unwrap_or_default();
        if !media_type.split(';').next().unwrap_or_default().trim().eq_ignore_ascii_case("application/json") {
            return Err(refusal(415, "a question is JSON"));
        }
        // A body without a length is cut off where it is read.
        let length = headers.get(CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse::<u64>().ok());
        match length.is_some_and(|length| length > BODY_BYTES) {
            true => Err(refusal(413, "a question has at most 64 KiB")),
            false => Ok(()),
        }
    }

    /// Returns `true` for the names of this machine with our port.
    fn is_own_host(&self, host: &str) -> bool {
        let port = host.rsplit_once(':').and_then(|(name, port)| {
            matches!(name, "127.0.0.1" | "localhost" | "[::1]").then(|| port.parse::<u16>().ok())?
        });
        // Leading zeros and signs are no way to write a port.
        port == Some(self.port) && host.ends_with(&format!(":{}", self.port))
    }

    /// Returns `true` if a request carries our cookie.
    fn has_cookie(&self, headers: &HeaderMap) -> bool {
        let name = self.cookie_name();
        let cookies = headers.get_all(COOKIE).iter().filter_map(|value| value.to_str().ok());
        let pairs = cookies.flat_map(|cookies| cookies.split(';')).filter_map(|pair| pair.trim().split_once('='));
        pairs.filter(|(given, _)| *given == name).any(|(_, value)| is_equal(value, &self.cookie))
    }
}

/// Returns the value of a header that stands in the request once. `None` if it is absent, repeated or no text.
fn single_value<'h>(headers: &'h HeaderMap, name: &HeaderName) -> Option<&'h str> {
    let mut values = headers.get_all(name).iter();
    let first = values.next()?.to_str().ok()?;
    values.next().is_none().then_some(first)
}

/// Compares secrets in a time that does not tell where they differ.
fn is_equal(given: &str, secret: &str) -> bool {
    given.len() == secret.len() && given.bytes().zip(secret.bytes()).fold(0, |all, (a, b)| all | (a ^ b)) == 0
}

/// Returns the content policy of the book: everything comes from this server, and of scripts inside of pages only those that
/// mdBook writes, by their hashes.
#[must_use]
pub fn content_policy(book: &RenderedBook) -> String {
    let mut hashes = BTreeSet::new();
    for (path, file) in &book.files {
        if path.ends_with(".html") {
            let page = String::from_utf8_lossy(&file.bytes);
            hashes.extend(inline_scripts(&page).map(|script| BASE64.encode(&Sha256::digest(script))));
        }
    }
    let scripts: String = hashes.iter().map(|hash| format!(" 'sha256-{hash}'")).collect();
    // mdBook hides and shows parts by `style` attributes, and its sheets hold a picture; sheets and scripts inside of pages stay
    // forbidden.
    format!(
        "default-src 'none'; script-src 'self'{scripts}; style-src 'self'; style-src-attr 'unsafe-inline'; \
         img-src 'self' blob: data:; font-src 'self'; connect-src 'self'; \
         frame-ancestors 'none'; base-uri 'none'; form-action 'none'"
    )
}

/// Returns the texts of the scripts that stand in a page.
fn inline_scripts(page: &str) -> impl Iterator<Item = &str> {
    page.split("<script").skip(1).filter_map(|rest| {
        let (attributes, rest) = rest.split_once('>')?;
        let (script, _) = rest.split_once("</script>")?;
        (!attributes.contains("src=")).then_some(script)
    })
}
