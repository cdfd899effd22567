//! Many streams on one link.

use clawperator_adbd::packet::Command;

use crate::host::Host;
use crate::support::phone::TestPhone;

#[test]
fn a_stream_carries_bytes_both_ways_one_write_at_a_time() {
    let (_phone, server) = TestPhone::listen();
    let mut host = Host::online(server.port());
    let echo = host.open(5, "localabstract:echo");
    host.send(Command::Write, 5, echo, b"one");
    host.expect(Command::Okay, echo, 5, b"");
    host.expect(Command::Write, echo, 5, b"one");
    // Unacknowledged, the device may take more, but writes nothing.
    host.send(Command::Write, 5, echo, b"two");
    host.expect(Command::Okay, echo, 5, b"");
    let other = host.open(6, "shell:echo meanwhile");
    host.expect(Command::Write, other, 6, b"meanwhile\n");
    host.expect(Command::Close, other, 6, b"");
    // Acknowledged, it does.
    host.send(Command::Okay, 5, echo, b"");
    host.expect(Command::Write, echo, 5, b"two");
}

#[test]
fn streams_have_numbers_of_their_own() {
    let (_phone, server) = TestPhone::listen();
    let mut host = Host::online(server.port());
    let streams: Vec<u32> = (1..51).map(|local| host.open(local, "localabstract:echo")).collect();
    for (local, remote) in (1..51).zip(&streams).rev() {
        host.send(Command::Write, local, *remote, format!("{local}").as_bytes());
        host.expect(Command::Okay, *remote, local, b"");
        host.expect(Command::Write, *remote, local, format!("{local}").as_bytes());
    }
}

#[test]
fn a_service_that_does_not_read_stops_only_its_own_stream() {
    let (_phone, server) = TestPhone::listen();
    let mut host = Host::online(server.port());
    let idle = host.open(1, "test:idle");
    host.send(Command::Write, 1, idle, b"nobody takes this");
    let other = host.open(2, "shell:echo hello");
    host.expect(Command::Write, other, 2, b"hello\n");
}

#[test]
fn a_service_that_dropped_its_reader_ignores_what_comes() {
    let (_phone, server) = TestPhone::listen();
    let mut host = Host::online(server.port());
    let deaf = host.open(1, "test:deaf");
    host.expect(Command::Write, deaf, 1, b"not listening");
    for _ in 0..3 {
        host.send(Command::Write, 1, deaf, b"hello?");
        host.expect(Command::Okay, deaf, 1, b"");
    }
}

#[test]
fn what_arrived_before_the_close_is_still_read() {
    let (phone, server) = TestPhone::listen();
    let mut host = Host::online(server.port());
    let sync = host.open(1, "sync:");
    let push = b"SEND\x08\0\0\0/f,33188DATA\x02\0\0\0hiDONE\0\0\0\0";
    host.send(Command::Write, 1, sync, push);
    host.send(Command::Close, 1, sync, b"");
    drop(host);
    // Waits for the service.
    server.close();
    assert_eq!(*clawperator_adbd::Files::read(&*phone.files, "/f").unwrap(), b"hi");
}

#[test]
fn an_unknown_service_is_refused_from_stream_zero() {
    let (_phone, server) = TestPhone::listen();
    let mut host = Host::online(server.port());
    for service in ["reboot:", "reverse:forward:tcp:1;tcp:2", "jdwp:1", "", "shell\u{fffd}"] {
        host.send(Command::Open, 9, 0, format!("{service}\0").as_bytes());
        host.expect(Command::Close, 0, 9, b"");
    }
    host.send(Command::Open, 9, 0, b"shell:\xff\xfe\0");
    host.expect(Command::Close, 0, 9, b"");
}

#[test]
fn a_service_that_panics_closes_its_stream_and_nothing_else() {
    let (_phone, server) = TestPhone::listen();
    let mut host = Host::online(server.port());
    let stream = host.open(1, "test:panic");
    host.expect(Command::Close, stream, 1, b"");
    let other = host.open(2, "shell:echo alive");
    host.expect(Command::Write, other, 2, b"alive\n");
}

#[test]
fn packets_for_streams_that_are_gone_are_ignored() {
    let (_phone, server) = TestPhone::listen();
    let mut host = Host::online(server.port());
    let stream = host.open(1, "shell:echo bye");
    host.expect(Command::Write, stream, 1, b"bye\n");
    host.expect(Command::Close, stream, 1, b"");
    host.send(Command::Okay, 1, stream, b"");
    host.send(Command::Write, 1, stream, b"too late");
    host.send(Command::Close, 1, stream, b"");
    host.send(Command::Write, 1, 4711, b"never was");
    let other = host.open(2, "shell:echo alive");
    host.expect(Command::Write, other, 2, b"alive\n");
}

#[test]
fn a_stream_belongs_to_both_of_its_numbers() {
    let (_phone, server) = TestPhone::listen();
    let mut host = Host::online(server.port());
    let echo = host.open(1, "localabstract:echo");
    // Right stream of ours, wrong stream of the host's.
    host.send(Command::Close, 2, echo, b"");
    host.send(Command::Write, 1, echo, b"still open");
    host.expect(Command::Okay, echo, 1, b"");
    host.expect(Command::Write, echo, 1, b"still open");
}

#[test]
fn a_long_write_is_cut_to_what_the_host_can_take() {
    let (_phone, server) = TestPhone::listen();
    let mut host = Host::silent(server.port());
    host.send(Command::Connect, 0x0100_0000, 4096, b"host::");
    assert_eq!(host.read().command, Command::Connect);
    let flood = host.open(1, "shell:flood");
    let packet = host.read();
    assert_eq!((packet.command, packet.payload.len()), (Command::Write, 4096));
    host.send(Command::Okay, 1, flood, b"");
    assert_eq!(host.read().payload.len(), 4096);
}

#[test]
fn too_many_streams_are_refused_one_by_one() {
    let (_phone, server) = TestPhone::listen();
    let mut host = Host::online(server.port());
    for local in 1..=256 {
        host.open(local, "test:idle");
    }
    host.send(Command::Open, 300, 0, b"test:idle\0");
    host.expect(Command::Close, 0, 300, b"");
}
