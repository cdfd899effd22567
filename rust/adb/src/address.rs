//! Where the adb server listens.

use crate::{AdbError, Deadline};
use std::ffi::OsString;
use std::io::{self, ErrorKind};
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpStream, ToSocketAddrs};
use std::sync::mpsc::channel;
use std::time::Instant;
use std::{fmt, thread};

/// A host and a port.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Address {
    host: String,
    port: u16,
}

/// Why there is no connection.
pub(crate) enum Unconnected {
    /// Nobody listens there.
    Refused(io::Error),
    /// Something else.
    Failed(AdbError),
}

impl Address {
    pub(crate) fn new(host: &str, port: u16) -> Self {
        Self { host: host.to_owned(), port }
    }

    /// Where adb itself would look: the same variables mean the same here.
    pub(crate) fn from_variables(
        variable: impl Fn(&str) -> Option<OsString>,
    ) -> Result<Self, AdbError> {
        let variable = |name: &str| {
            let value = variable(name).map(|value| value.to_string_lossy().into_owned());
            value.filter(|value| !value.is_empty())
        };
        if let Some(spec) = variable("ADB_SERVER_SOCKET") {
            let wrong = || AdbError::ServerFailed {
                message: format!(
                    "ADB_SERVER_SOCKET is {spec:?}; it must be tcp:PORT or tcp:HOST:PORT"
                ),
            };
            let place = spec.strip_prefix("tcp:").ok_or_else(wrong)?;
            let (host, port) = place.rsplit_once(':').unwrap_or(("", place));
            let host = host.trim_start_matches('[').trim_end_matches(']');
            let host = if host.is_empty() { "127.0.0.1" } else { host };
            return Ok(Self::new(host, number(port).ok_or_else(wrong)?));
        }
        let host = variable("ANDROID_ADB_SERVER_ADDRESS").unwrap_or("127.0.0.1".into());
        let port = match variable("ANDROID_ADB_SERVER_PORT") {
            None => 5037,
            Some(port) => number(&port).ok_or_else(|| AdbError::ServerFailed {
                message: format!(
                    "ANDROID_ADB_SERVER_PORT is {port:?}; it must be a number from 1 to 65535"
                ),
            })?,
        };
        Ok(Self { host, port })
    }

    pub(crate) fn port(&self) -> u16 {
        self.port
    }

    /// Is it this computer? A server elsewhere cannot be started from here.
    pub(crate) fn is_local(&self) -> bool {
        let loopback = self.host.parse().is_ok_and(|address: IpAddr| address.is_loopback());
        loopback || self.host == "localhost"
    }

    pub(crate) fn connect(&self, deadline: Deadline) -> Result<TcpStream, Unconnected> {
        let started = Instant::now();
        let mut refused = None;
        let mut failed = None;
        for address in self.resolve(deadline).map_err(Unconnected::Failed)? {
            let Some(left) = deadline.left() else {
                return Err(Unconnected::Failed(self.timed_out(started)));
            };
            match TcpStream::connect_timeout(&address, left).and_then(ready) {
                Ok(socket) => return Ok(socket),
                Err(error) if error.kind() == ErrorKind::ConnectionRefused => refused = Some(error),
                Err(error) => failed = Some(error),
            }
        }
        Err(match (refused, failed) {
            (Some(error), _) => Unconnected::Refused(error),
            (None, Some(error)) if error.kind() == ErrorKind::TimedOut => {
                Unconnected::Failed(self.timed_out(started))
            }
            (None, Some(error)) => Unconnected::Failed(self.unreachable(&error)),
            (None, None) => Unconnected::Failed(self.unknown("it has no address")),
        })
    }

    /// Names are looked up on another thread, as nothing else ends a lookup in time.
    fn resolve(&self, deadline: Deadline) -> Result<Vec<SocketAddr>, AdbError> {
        if let Ok(address) = self.host.parse::<IpAddr>() {
            return Ok(vec![(address, self.port).into()]);
        }
        if self.host == "localhost" {
            let both: [IpAddr; 2] = [Ipv4Addr::LOCALHOST.into(), Ipv6Addr::LOCALHOST.into()];
            return Ok(both.map(|address| (address, self.port).into()).to_vec());
        }
        let started = Instant::now();
        let (found, wait) = channel();
        let (host, port) = (self.host.clone(), self.port);
        let look_up = move || {
            let addresses = (host.as_str(), port).to_socket_addrs();
            // Nobody waits for it any more when the deadline has passed.
            let _ = found.send(addresses.map(Iterator::collect::<Vec<_>>));
        };
        let thread = thread::Builder::new().name("adb server's name".into()).spawn(look_up);
        thread.map_err(|error| self.unknown(&error.to_string()))?;
        let left = deadline.left().unwrap_or_default();
        let addresses = wait.recv_timeout(left).map_err(|_| self.timed_out(started))?;
        addresses.map_err(|error| self.unknown(&error.to_string()))
    }

    /// What to say when nobody listens.
    pub(crate) fn unreachable(&self, error: &io::Error) -> AdbError {
        AdbError::ServerFailed { message: format!("no adb server answers at {self}: {error}") }
    }

    fn unknown(&self, why: &str) -> AdbError {
        let message = format!("the adb server's host {} cannot be found: {why}", self.host);
        AdbError::ServerFailed { message }
    }

    fn timed_out(&self, started: Instant) -> AdbError {
        let during = format!("connecting to the adb server at {self}");
        AdbError::TimedOut { during, after: started.elapsed() }
    }
}

impl fmt::Display for Address {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let bare = if self.host.contains(':') { ("[", "]") } else { ("", "") };
        write!(f, "{}{}{}:{}", bare.0, self.host, bare.1, self.port)
    }
}

fn ready(socket: TcpStream) -> io::Result<TcpStream> {
    // A call to a free port of one's own can reach oneself, when that port is taken for the call.
    if socket.local_addr()? == socket.peer_addr()? {
        return Err(ErrorKind::ConnectionRefused.into());
    }
    // Words are short and each waits for its answer.
    socket.set_nodelay(true)?;
    Ok(socket)
}

fn number(port: &str) -> Option<u16> {
    port.parse().ok().filter(|port| *port != 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn from(variables: &[(&str, &str)]) -> Result<String, String> {
        let find = |name: &str| variables.iter().find(|(its, _)| *its == name);
        let address = Address::from_variables(|name| Some(find(name)?.1.into()));
        address.map(|it| it.to_string()).map_err(|error| error.to_string())
    }

    #[test]
    fn the_environment_says_where_the_server_is() {
        let (socket, host, port) =
            ("ADB_SERVER_SOCKET", "ANDROID_ADB_SERVER_ADDRESS", "ANDROID_ADB_SERVER_PORT");
        for (variables, address) in [
            (vec![], "127.0.0.1:5037"),
            (vec![(port, "6000")], "127.0.0.1:6000"),
            (vec![(host, "build.example")], "build.example:5037"),
            (vec![(host, "10.0.0.2"), (port, "6000")], "10.0.0.2:6000"),
            (vec![(socket, "tcp:6000")], "127.0.0.1:6000"),
            (vec![(socket, "tcp:10.0.0.2:6000")], "10.0.0.2:6000"),
            (vec![(socket, "tcp:[::1]:6000"), (port, "1")], "[::1]:6000"),
            // Empty is as good as not set.
            (vec![(socket, ""), (host, ""), (port, "")], "127.0.0.1:5037"),
        ] {
            assert_eq!(from(&variables).as_deref(), Ok(address), "{variables:?}");
        }
    }

    #[test]
    fn a_wrong_variable_is_named_with_what_it_holds() {
        for port in ["abc", "0", "65536", "-1"] {
            let said = from(&[("ANDROID_ADB_SERVER_PORT", port)]).unwrap_err();
            assert!(said.starts_with(&format!("ANDROID_ADB_SERVER_PORT is {port:?}")), "{said}");
        }
        for spec in ["tcp:", "tcp:host:", "tcp:x", "localfilesystem:/tmp/adb", "6000"] {
            let said = from(&[("ADB_SERVER_SOCKET", spec)]).unwrap_err();
            assert!(said.starts_with(&format!("ADB_SERVER_SOCKET is {spec:?}")), "{said}");
        }
    }

    #[test]
    fn only_this_computers_own_addresses_are_local() {
        for host in ["127.0.0.1", "127.1.2.3", "::1", "localhost"] {
            assert!(Address::new(host, 1).is_local(), "{host}");
        }
        for host in ["10.0.0.2", "build.example", "0.0.0.0"] {
            assert!(!Address::new(host, 1).is_local(), "{host}");
        }
    }
}
