//! Reading from the server without making it wait.
//!
//! The server writes small pieces and, as sockets do by default, holds the second one back until
//! the first is acknowledged; this computer, as sockets do by default, acknowledges only after
//! 40 ms when it has nothing to say. Together they would add 40 ms to a command of 3.

use std::io::{self, Read};
use std::net::TcpStream;

/// Reads what is there, and has it acknowledged at once.
pub(crate) fn read(mut socket: &TcpStream, buffer: &mut [u8]) -> io::Result<usize> {
    // Linux forgets this wish now and then, so it is said before every read. Where it cannot be
    // said, everything still works.
    #[cfg(target_os = "linux")]
    let _ = rustix::net::sockopt::set_tcp_quickack(socket, true);
    socket.read(buffer)
}
