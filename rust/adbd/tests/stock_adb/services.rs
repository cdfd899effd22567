//! `adb shell`, `adb exec-out`, `adb forward`.

use std::io::{Read, Write};
use std::net::TcpStream;

use crate::support::phone::{TestPhone, every_byte};
use clawperator_lab::Adb;

#[test]
fn a_shell_tells_stdout_stderr_and_the_exit_code_apart() {
    let adb = Adb::start();
    let (_phone, server) = TestPhone::listen();
    let serial = adb.connect(server.port());
    let ran = adb.run(&["-s", &serial, "shell", "both"]);
    assert_eq!(ran.code, Some(7));
    assert_eq!(ran.stdout, b"to stdout\n");
    assert_eq!(ran.stderr, b"to stderr\n");
    let ran = adb.run(&["-s", &serial, "shell", "nonsense"]);
    assert_eq!(ran.code, Some(127));
    assert_eq!(ran.text(), "nonsense: inaccessible or not found\n");
    // As it was before there were exit codes.
    let ran = adb.on(&serial, &["shell", "-x", "both"]);
    assert_eq!(ran.stdout, b"to stdout\nto stderr\n");
}

#[test]
fn a_shell_reads_its_stdin_to_the_end() {
    let adb = Adb::start();
    let (_phone, server) = TestPhone::listen();
    let serial = adb.connect(server.port());
    for input in [b"".to_vec(), every_byte(), vec![b'x'; 1_000_000]] {
        let ran = adb.run_with(&["-s", &serial, "shell", "cat"], &input);
        assert_eq!(ran.code, Some(0));
        assert!(ran.stdout == input, "{} of {} bytes", ran.stdout.len(), input.len());
    }
    let ran = adb.run_with(&["-s", &serial, "shell"], b"hello\nphone\n");
    assert_eq!(ran.stdout, b"you said hello\nyou said phone\n");
}

#[test]
fn exec_out_is_as_it_was_sent() {
    let adb = Adb::start();
    let (_phone, server) = TestPhone::listen();
    let serial = adb.connect(server.port());
    assert_eq!(adb.on(&serial, &["exec-out", "bytes"]).stdout, every_byte());
    assert_eq!(adb.on(&serial, &["shell", "bytes"]).stdout, every_byte());
    let ran = adb.run_with(&["-s", &serial, "exec-in", "cat"], b"hello");
    assert_eq!(ran.code, Some(0), "{}", ran.text());
}

#[test]
fn a_forwarded_port_leads_to_a_socket_of_the_device() {
    let adb = Adb::start();
    let (_phone, server) = TestPhone::listen();
    let serial = adb.connect(server.port());
    let port = adb.on(&serial, &["forward", "tcp:0", "localabstract:echo"]).text();
    let port: u16 = port.trim().parse().unwrap();
    let mut sockets: Vec<TcpStream> =
        (0..5).map(|_| TcpStream::connect(("127.0.0.1", port)).unwrap()).collect();
    for round in 0..20 {
        for (i, socket) in sockets.iter_mut().enumerate() {
            let said = format!("{round} {i}").repeat(1000);
            socket.write_all(said.as_bytes()).unwrap();
            let mut heard = vec![0; said.len()];
            socket.read_exact(&mut heard).unwrap();
            assert!(heard == said.as_bytes());
        }
    }
    // Where nobody listens, the connection is closed at once.
    let port = adb.on(&serial, &["forward", "tcp:0", "localabstract:nobody"]).text();
    let mut socket = TcpStream::connect(("127.0.0.1", port.trim().parse().unwrap())).unwrap();
    assert_eq!(socket.read(&mut [0]).unwrap(), 0);
}

#[test]
fn what_the_device_does_not_serve_is_refused() {
    let adb = Adb::start();
    let (_phone, server) = TestPhone::listen();
    let serial = adb.connect(server.port());
    for args in [["reboot"].as_slice(), &["reverse", "tcp:1", "tcp:2"], &["root"]] {
        let args = [&["-s", &serial], args].concat();
        let ran = adb.run(&args);
        assert!(ran.text().contains(": closed"), "adb {args:?}: {ran:?}");
    }
    adb.on(&serial, &["shell", "echo", "alive"]);
}
