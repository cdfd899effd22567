//! The abstract Unix socket hosts connect to, through adb.

use crate::lock;
use clawperator_link::socket::serve;
use clawperator_link::station::Station;
use std::collections::HashMap;
use std::io;
use std::net::Shutdown;
#[cfg(target_os = "android")]
use std::os::android::net::SocketAddrExt;
#[cfg(target_os = "linux")]
use std::os::linux::net::SocketAddrExt;
use std::os::unix::net::{SocketAddr, UnixListener, UnixStream};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;
use std::time::Duration;

/// After a failed accept, which means that the process has no file descriptors left.
const BREATH: Duration = Duration::from_millis(100);

/// Listens until it is dropped.
pub(crate) struct AbstractSocket {
    listener: UnixListener,
    accepting: Option<JoinHandle<()>>,
    shared: Arc<Shared>,
}

struct Shared {
    station: Arc<dyn Station>,
    /// Users whose connections are served; anybody on the phone can connect.
    accepted_uids: Vec<u32>,
    open: Mutex<HashMap<u64, UnixStream>>,
    closed: AtomicBool,
}

impl AbstractSocket {
    /// Listens under this name.
    pub(crate) fn listen(
        name: &str,
        accepted_uids: Vec<u32>,
        station: Arc<dyn Station>,
    ) -> io::Result<Self> {
        let listener = UnixListener::bind_addr(&SocketAddr::from_abstract_name(name)?)?;
        let open = Mutex::default();
        let closed = AtomicBool::new(false);
        let shared = Arc::new(Shared { station, accepted_uids, open, closed });
        let (own, heard) = (Arc::clone(&shared), listener.try_clone()?);
        let thread = std::thread::Builder::new().name("socket".into());
        let accepting = Some(thread.spawn(move || own.accept(&heard))?);
        Ok(Self { listener, accepting, shared })
    }
}

impl Drop for AbstractSocket {
    fn drop(&mut self) {
        self.shared.closed.store(true, Ordering::SeqCst);
        // Ends the accept that the listening thread stands in; there is nothing else to hear.
        let _ = rustix::net::shutdown(&self.listener, rustix::net::Shutdown::Both);
        if let Some(accepting) = self.accepting.take() {
            let _ = accepting.join();
        }
        for stream in lock(&self.shared.open).values() {
            let _ = stream.shutdown(Shutdown::Both);
        }
    }
}

impl Shared {
    fn accept(self: &Arc<Self>, listener: &UnixListener) {
        let mut number = 0;
        loop {
            let accepted = listener.accept();
            if self.closed.load(Ordering::SeqCst) {
                return;
            }
            number += 1;
            let served = accepted.and_then(|(stream, _)| self.serve(number, stream));
            if let Err(error) = served {
                log::warn!("a connection could not be taken: {error}");
                std::thread::sleep(BREATH);
            }
        }
    }

    fn serve(self: &Arc<Self>, number: u64, stream: UnixStream) -> io::Result<()> {
        let peer = rustix::net::sockopt::socket_peercred(&stream)?;
        let uid = peer.uid.as_raw();
        if !self.accepted_uids.contains(&uid) {
            log::warn!("a connection of user {uid} was refused");
            return Ok(());
        }
        lock(&self.open).insert(number, stream.try_clone()?);
        let own = Arc::clone(self);
        let thread = std::thread::Builder::new().name("connection".into());
        let spawned = thread.spawn(move || {
            let ended = stream.try_clone().and_then(|reader| serve(reader, stream, &own.station));
            if let Err(error) = ended {
                log::info!("a connection broke: {error}");
            }
            lock(&own.open).remove(&number);
        });
        if spawned.is_err() {
            lock(&self.open).remove(&number);
        }
        spawned.map(drop)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::closed::Closed;
    use clawperator_link::socket::HostSession;
    use std::io::Read;

    fn own_uid() -> u32 {
        let (one, _other) = UnixStream::pair().unwrap();
        rustix::net::sockopt::socket_peercred(one).unwrap().uid.as_raw()
    }

    fn name(of: &str) -> String {
        format!("clawperator-test-{}-{of}", std::process::id())
    }

    fn connect(name: &str) -> io::Result<UnixStream> {
        UnixStream::connect_addr(&SocketAddr::from_abstract_name(name)?)
    }

    #[test]
    fn an_accepted_user_is_greeted_on_every_connection() {
        let name = name("accepted");
        let _socket = AbstractSocket::listen(&name, vec![own_uid()], Arc::new(Closed)).unwrap();
        for _ in 0..3 {
            let stream = connect(&name).unwrap();
            let mut session = HostSession::new(stream.try_clone().unwrap(), stream, "test");
            assert_eq!(session.greet(Duration::from_secs(10)).unwrap().package, "test");
        }
    }

    #[test]
    fn another_user_hears_nothing() {
        let name = name("refused");
        let others = vec![own_uid() + 1];
        let _socket = AbstractSocket::listen(&name, others, Arc::new(Closed)).unwrap();
        let mut heard = Vec::new();
        connect(&name).unwrap().read_to_end(&mut heard).unwrap();
        assert!(heard.is_empty());
    }

    #[test]
    fn once_dropped_its_name_is_free_and_its_connections_have_ended() {
        let name = name("dropped");
        let listen = || AbstractSocket::listen(&name, vec![own_uid()], Arc::new(Closed));
        let socket = listen().unwrap();
        let mut stream = connect(&name).unwrap();
        let mut session =
            HostSession::new(stream.try_clone().unwrap(), stream.try_clone().unwrap(), "test");
        session.greet(Duration::from_secs(10)).unwrap();
        drop(socket);
        let mut heard = Vec::new();
        stream.read_to_end(&mut heard).unwrap();
        listen().unwrap();
    }
}
