//! `shell,v2`: what a command reads and writes, as packets within a stream.

use clawperator_adbd::packet::Command;

use crate::host::Host;
use crate::support::phone::TestPhone;

/// Everything a service writes until it closes, acknowledged as it comes.
fn output(host: &mut Host, local: u32, remote: u32) -> Vec<u8> {
    let mut bytes = Vec::new();
    loop {
        let packet = host.read();
        match packet.command {
            Command::Write => {
                bytes.extend(packet.payload);
                host.send(Command::Okay, local, remote, b"");
            }
            Command::Okay => {}
            _ => return bytes,
        }
    }
}

#[test]
fn stdout_stderr_and_the_exit_code_are_told_apart() {
    let (_phone, server) = TestPhone::listen();
    let mut host = Host::online(server.port());
    let stream = host.open(1, "shell,v2,raw:both");
    let expected = [
        &b"\x01\x0a\0\0\0to stdout\n"[..], // stdout, 10 bytes
        b"\x02\x0a\0\0\0to stderr\n",      // stderr, 10 bytes
        b"\x03\x01\0\0\0\x07",             // exit, 1 byte: 7
    ];
    assert_eq!(output(&mut host, 1, stream), expected.concat());
}

#[test]
fn without_v2_all_is_one_stream_and_no_exit_code() {
    let (_phone, server) = TestPhone::listen();
    let mut host = Host::online(server.port());
    for (local, service) in [(1, "shell:both"), (2, "exec:both")] {
        let stream = host.open(local, service);
        assert_eq!(output(&mut host, local, stream), b"to stdout\nto stderr\n");
    }
}

#[test]
fn stdin_ends_when_the_host_closes_it_and_the_answer_still_comes() {
    let (_phone, server) = TestPhone::listen();
    let mut host = Host::online(server.port());
    let stream = host.open(1, "shell,v2,raw:cat");
    let input = [
        &b"\x05\x0a\0\0\x0024x80,0x0\0"[..], // window size
        b"\x00\x02\0\0\0he",                 // stdin
        b"\x00\0\0\0\0",                     // stdin, nothing
        b"\x63\x03\0\0\0???",                // what nobody knows
        b"\x00\x03\0\0\0llo",                // stdin
        b"\x04\0\0\0\0",                     // close stdin
    ];
    host.send(Command::Write, 1, stream, &input.concat());
    let expected = [&b"\x01\x02\0\0\0he"[..], b"\x01\x03\0\0\0llo", b"\x03\x01\0\0\0\0"];
    assert_eq!(output(&mut host, 1, stream), expected.concat());
}

#[test]
fn stdin_may_be_split_anywhere() {
    let (_phone, server) = TestPhone::listen();
    let mut host = Host::online(server.port());
    let stream = host.open(1, "shell,v2,raw:cat");
    for byte in b"\x00\x02\0\0\0hi" {
        host.send(Command::Write, 1, stream, &[*byte]);
        host.expect(Command::Okay, stream, 1, b"");
        // What was read so far may already come back.
        if byte.is_ascii_lowercase() {
            host.expect(Command::Write, stream, 1, &[1, 1, 0, 0, 0, *byte]);
            host.send(Command::Okay, 1, stream, b"");
        }
    }
    host.send(Command::Close, 1, stream, b"");
}
