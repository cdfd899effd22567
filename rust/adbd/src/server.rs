//! One device on one TCP port.

use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener, TcpStream, ToSocketAddrs};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread;
use std::time::Duration;

use crate::auth::{Auth, Gatekeeper};
use crate::connection::Connection;
use crate::device::Device;
use crate::link::{Fuse, Link};
use crate::lock::lock;
use crate::public_key::PublicKey;
use crate::workers::{Finish, Workers};

/// Connections at once; each is a thread. A device has one host, or two while one is dying.
const MAX_CONNECTIONS: usize = 16;
/// How long to rest when no connection can be accepted, as when descriptors have run out.
const ACCEPT_REST: Duration = Duration::from_millis(50);
/// How long the call that wakes the listener may take; it goes to our own port.
const WAKE_TIMEOUT: Duration = Duration::from_secs(1);

/// How a device meets the hosts that call.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Presence {
    /// As its [`Auth`] says.
    #[default]
    Online,
    /// Hangs up on everyone: `adb devices` says `offline`, and adb tries again for a while.
    Offline,
    /// Accepts no key, known or not, and not `NoAuth` either: `adb devices` says `unauthorized`.
    Unauthorized,
}

/// A listening device. Dropping it is [`Server::close`].
pub struct Server {
    shared: Arc<Shared>,
    address: SocketAddr,
    finish: Finish,
}

struct Shared {
    device: Arc<dyn Device>,
    gatekeeper: Arc<Gatekeeper>,
    fuse: Arc<Fuse>,
    closing: AtomicBool,
    /// Both under one lock: no connection slips in under the presence of before.
    hosts: Mutex<Hosts>,
}

#[derive(Default)]
struct Hosts {
    presence: Presence,
    connections: Vec<Arc<Connection>>,
}

impl Server {
    /// Listens at `address`, with port 0 at any free port.
    ///
    /// # Errors
    /// When the address cannot be listened at, or no thread can be started.
    pub fn bind(
        address: impl ToSocketAddrs,
        device: Arc<dyn Device>,
        auth: Auth,
    ) -> io::Result<Self> {
        let listener = TcpListener::bind(address)?;
        let address = listener.local_addr()?;
        let shared = Arc::new(Shared {
            device,
            gatekeeper: Arc::new(Gatekeeper::new(auth)),
            fuse: Arc::new(Fuse::unarmed()),
            closing: AtomicBool::new(false),
            hosts: Mutex::default(),
        });
        let (workers, finish) = Workers::new();
        let (listening, listeners_workers) = (Arc::clone(&shared), workers.clone());
        workers.spawn("adb listener", move || listening.listen(&listener, &listeners_workers))?;
        Ok(Self { shared, address, finish })
    }

    /// Where it listens.
    #[must_use]
    pub fn address(&self) -> SocketAddr {
        self.address
    }

    /// The port it listens at.
    #[must_use]
    pub fn port(&self) -> u16 {
        self.address.port()
    }

    /// How many hosts have come through the handshake and are still there.
    #[must_use]
    pub fn hosts(&self) -> usize {
        self.connections().iter().filter(|connection| connection.is_online()).count()
    }

    /// Accepts a key from now on, and lets in the hosts that wait with it, as when somebody taps
    /// "Allow" on a phone.
    pub fn accept_key(&self, key: &PublicKey) {
        self.shared.gatekeeper.learn(key);
        for connection in self.connections() {
            if let Err(error) = connection.accept_key(key) {
                log::warn!("a host left before its key was accepted: {error}");
            }
        }
    }

    /// Changes how hosts are met; those that are there are cut off and may call again.
    pub fn set_presence(&self, presence: Presence) {
        lock(&self.shared.hosts).presence = presence;
        self.cut();
    }

    /// Cuts all connections, in the middle of whatever they carry. Hosts may call again.
    pub fn cut(&self) {
        for connection in self.connections() {
            connection.cut();
        }
    }

    /// Cuts a connection when `bytes` more bytes have passed between the device and its hosts, in
    /// both directions together: the byte after those cuts the connection that carries it. Once.
    pub fn cut_after(&self, bytes: u64) {
        self.shared.fuse.arm(bytes);
    }

    /// Stops listening, cuts all connections, and waits until every service has returned; so it
    /// must not be called by a service.
    pub fn close(&self) {
        if self.shared.closing.swap(true, Ordering::SeqCst) {
            // Not called again: by now the port may be somebody else's.
            return;
        }
        self.cut();
        match TcpStream::connect_timeout(&reachable(self.address), WAKE_TIMEOUT) {
            Ok(_) => self.finish.wait(),
            // Out of descriptors, most likely: it ends with the next call instead.
            Err(error) => log::warn!("the adb listener was not woken: {error}"),
        }
    }

    fn connections(&self) -> Vec<Arc<Connection>> {
        lock(&self.shared.hosts).connections.clone()
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        self.close();
    }
}

impl std::fmt::Debug for Server {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Server").field("address", &self.address).finish_non_exhaustive()
    }
}

impl Shared {
    fn listen(self: &Arc<Self>, listener: &TcpListener, workers: &Workers) {
        loop {
            let accepted = listener.accept();
            if self.closing.load(Ordering::SeqCst) {
                return;
            }
            let welcomed = accepted.and_then(|(socket, _)| self.welcome(socket, workers));
            if let Err(error) = welcomed {
                log::warn!("an adb connection could not be accepted: {error}");
                thread::sleep(ACCEPT_REST);
            }
        }
    }

    fn welcome(self: &Arc<Self>, socket: TcpStream, workers: &Workers) -> io::Result<()> {
        let link = Link::new(socket, Arc::clone(&self.fuse))?;
        let connection = {
            let mut hosts = lock(&self.hosts);
            if hosts.presence == Presence::Offline || hosts.connections.len() >= MAX_CONNECTIONS {
                link.cut();
                return Ok(());
            }
            let connection = Arc::new(Connection::new(
                link,
                Arc::clone(&self.device),
                Arc::clone(&self.gatekeeper),
                hosts.presence == Presence::Unauthorized,
            ));
            hosts.connections.push(Arc::clone(&connection));
            connection
        };
        // Between our look at `closing` and the push, `close` may have cut everyone but this one.
        if self.closing.load(Ordering::SeqCst) {
            connection.cut();
        }
        let (shared, its_workers) = (Arc::clone(self), workers.clone());
        let serving = Arc::clone(&connection);
        workers
            .spawn("adb connection", move || {
                serving.run(&its_workers);
                shared.forget(&serving);
            })
            .inspect_err(|_| self.forget(&connection))
    }

    fn forget(&self, connection: &Arc<Connection>) {
        lock(&self.hosts).connections.retain(|other| !Arc::ptr_eq(other, connection));
    }
}

/// Where to call a listener that listens everywhere.
fn reachable(address: SocketAddr) -> SocketAddr {
    let ip = match address.ip() {
        IpAddr::V4(ip) if ip.is_unspecified() => Ipv4Addr::LOCALHOST.into(),
        IpAddr::V6(ip) if ip.is_unspecified() => Ipv6Addr::LOCALHOST.into(),
        ip => ip,
    };
    SocketAddr::new(ip, address.port())
}
