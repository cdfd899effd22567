//! The relay: a small HTTP server that shows requests to a person and takes the decision.
//!
//! It keeps everything in memory, listens on this computer only unless it is told otherwise, and
//! runs on a thread of its own, so that the session that waits need not be asynchronous.

mod book;
mod events;
mod guard;
mod page;
mod read;
mod record;
mod refusal;
mod requests;
mod routes;
mod takeover;

pub(super) use book::Book;
pub(super) use record::{Asked, Settled};
pub use takeover::{Frame, Takeover, Touch};

use super::clock::Clock;
use super::secret::Secret;
use axum::http::Uri;
use clawperator_contract::{ErrorCode, Failure};
use futures_util::future::select;
use guard::without_port;
use std::fmt;
use std::future::IntoFuture;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};
use std::pin::pin;
use std::sync::Arc;
use std::thread::JoinHandle;
use std::time::Duration;
use tokio::sync::oneshot;

/// How often an idle relay forgets what ended long ago.
const TIDY: Duration = Duration::from_secs(30);

/// How a relay is started.
#[derive(Clone)]
pub struct Settings {
    /// Where it listens. Only this computer reaches it on a loopback address.
    pub host: IpAddr,
    /// The port; 0 takes any that is free.
    pub port: u16,
    /// How people reach it, when that is not its own address: a tunnel or a proxy, perhaps with a
    /// path.
    pub public_base_url: Option<String>,
    /// What an agent must show to make a request, as `Authorization: Bearer`.
    pub api_key: Option<Secret>,
    /// The phone that is driven, when a person may take it over.
    pub takeover: Option<Arc<dyn Takeover>>,
    /// The time.
    pub clock: Clock,
}

impl Default for Settings {
    fn default() -> Self {
        Self {
            host: IpAddr::V4(Ipv4Addr::LOCALHOST),
            port: 0,
            public_base_url: None,
            api_key: None,
            takeover: None,
            clock: Clock::default(),
        }
    }
}

/// What every route needs.
struct Shared {
    book: Arc<Book>,
    api_key: Option<super::token::Hash>,
    takeover: Option<Arc<dyn Takeover>>,
    public_base_url: Option<String>,
    public_host: Option<String>,
    loopback: bool,
}

impl Shared {
    /// A page of another site can make its own name lead to this computer and would then count as
    /// ours. A relay only this computer reaches therefore goes by its own names.
    fn knows(&self, host: &str) -> bool {
        let own = ["127.0.0.1", "localhost", "[::1]"];
        let is = |name: &str| name.eq_ignore_ascii_case(host);
        !self.loopback || own.into_iter().any(is) || self.public_host.as_deref().is_some_and(is)
    }
}

/// A relay that runs until it is dropped.
pub struct Relay {
    book: Arc<Book>,
    base_url: String,
    address: SocketAddr,
    stop: Option<oneshot::Sender<()>>,
    thread: Option<JoinHandle<()>>,
}

impl Relay {
    /// Starts a relay and returns when it listens.
    ///
    /// # Errors
    /// The port is taken, or `public_base_url` is no http or https address.
    pub fn start(settings: Settings) -> Result<Self, Failure> {
        let failed = |what: String| {
            Failure::new(ErrorCode::PocketHumanUnavailable, what)
                .hint("Mend humanAuth in the settings: another port, or 0 for any that is free.")
        };
        let public = settings.public_base_url.as_deref().map(base).transpose()?;
        let wanted = SocketAddr::new(settings.host, settings.port);
        let listener = std::net::TcpListener::bind(wanted)
            .and_then(|listener| listener.set_nonblocking(true).map(|()| listener))
            .map_err(|error| failed(format!("the relay cannot listen on {wanted}: {error}")))?;
        let address = listener
            .local_addr()
            .map_err(|error| failed(format!("the relay has no address: {error}")))?;
        let book = Arc::new(Book::new(settings.clock)?);
        let shared = Shared {
            book: Arc::clone(&book),
            api_key: settings.api_key.map(|key| super::token::Hash::of(key.reveal())),
            takeover: settings.takeover,
            public_host: public.as_ref().map(|(_, host)| host.clone()),
            public_base_url: public.map(|(url, _)| url),
            loopback: address.ip().is_loopback(),
        };
        let base_url =
            shared.public_base_url.clone().unwrap_or_else(|| format!("http://{address}"));
        let (stop, stopped) = oneshot::channel();
        // One thread is enough for a person; a phone that is taken over is asked on others.
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .build()
            .map_err(|error| failed(format!("the relay cannot start: {error}")))?;
        let thread = std::thread::Builder::new()
            .name("human-relay".into())
            .spawn(move || {
                runtime.block_on(serve(listener, Arc::new(shared), stopped));
                // Whoever still listens for a decision is cut off, not waited for.
                runtime.shutdown_background();
            })
            .map_err(|error| failed(format!("the relay cannot start: {error}")))?;
        Ok(Self { book, base_url, address, stop: Some(stop), thread: Some(thread) })
    }

    /// Where people reach it, without a slash at the end.
    #[must_use]
    pub fn base_url(&self) -> &str {
        &self.base_url
    }

    /// Where it listens.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    pub(super) fn book(&self) -> &Arc<Book> {
        &self.book
    }
}

impl Drop for Relay {
    fn drop(&mut self) {
        if let Some(stop) = self.stop.take() {
            let _ = stop.send(());
        }
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

impl fmt::Debug for Relay {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Relay").field("base_url", &self.base_url).finish_non_exhaustive()
    }
}

async fn serve(
    listener: std::net::TcpListener,
    shared: Arc<Shared>,
    stopped: oneshot::Receiver<()>,
) {
    let Ok(listener) = tokio::net::TcpListener::from_std(listener) else { return };
    let book = Arc::clone(&shared.book);
    tokio::spawn(async move {
        loop {
            tokio::time::sleep(TIDY).await;
            book.tidy();
        }
    });
    let server = pin!(axum::serve(listener, routes::all(shared)).into_future());
    // Whichever is first; a server that cannot go on ends the thread too.
    let _ = select(server, stopped).await;
}

/// An address people reach the relay at, without a slash at its end, and the host in it.
fn base(url: &str) -> Result<(String, String), Failure> {
    let refused = || {
        Failure::new(
            ErrorCode::PocketConfigInvalid,
            format!("publicBaseUrl {url:?} is no http or https address of a relay"),
        )
        .hint("Write it like https://relay.example/path, without a query.")
    };
    let url = url.trim().trim_end_matches('/');
    let uri: Uri = url.parse().map_err(|_| refused())?;
    let http = matches!(uri.scheme_str(), Some("http" | "https"));
    match uri.authority() {
        Some(place) if http && uri.query().is_none() && !place.as_str().contains('@') => {
            Ok((url.to_owned(), without_port(place.as_str()).to_owned()))
        }
        _ => Err(refused()),
    }
}
