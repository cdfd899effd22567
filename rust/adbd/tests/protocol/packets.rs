//! Packets byte for byte.

use clawperator_adbd::packet::{Command, Packet, PacketError};

fn packet(command: Command, arg0: u32, arg1: u32, payload: &[u8]) -> Packet {
    Packet { command, arg0, arg1, payload: payload.to_vec() }
}

fn read(bytes: &[u8]) -> Result<Option<Packet>, PacketError> {
    Packet::read(&mut &bytes[..], 4096, true)
}

#[test]
fn a_greeting_is_written_byte_for_byte() {
    let expected = [
        b'C', b'N', b'X', b'N', // command
        0x01, 0x00, 0x00, 0x01, // version 0x01000001
        0x00, 0x00, 0x04, 0x00, // max payload 256 KiB
        0x08, 0x00, 0x00, 0x00, // length
        0xe4, 0x02, 0x00, 0x00, // sum of the payload's bytes
        0xbc, 0xb1, 0xa7, 0xb1, // complement of the command
        b'd', b'e', b'v', b'i', b'c', b'e', b':', b':',
    ];
    let greeting = packet(Command::Connect, 0x0100_0001, 256 * 1024, b"device::");
    assert_eq!(greeting.to_bytes(true), expected);
    assert_eq!(read(&expected).unwrap(), Some(greeting));
}

#[test]
fn an_okay_is_a_header_alone() {
    let expected = [
        b'O', b'K', b'A', b'Y', // command
        0x02, 0x01, 0x00, 0x00, // our stream 258
        0x07, 0x00, 0x00, 0x00, // the host's stream 7
        0x00, 0x00, 0x00, 0x00, // length
        0x00, 0x00, 0x00, 0x00, // checksum
        0xb0, 0xb4, 0xbe, 0xa6, // complement of the command
    ];
    assert_eq!(packet(Command::Okay, 258, 7, b"").to_bytes(true), expected);
}

#[test]
fn a_write_without_checksums_leaves_zero_there() {
    let expected = [
        b'W', b'R', b'T', b'E', // command
        0x01, 0x00, 0x00, 0x00, // our stream
        0x02, 0x00, 0x00, 0x00, // the host's stream
        0x02, 0x00, 0x00, 0x00, // length
        0x00, 0x00, 0x00, 0x00, // no checksum
        0xa8, 0xad, 0xab, 0xba, // complement of the command
        0xff, 0x00,
    ];
    assert_eq!(packet(Command::Write, 1, 2, &[0xff, 0x00]).to_bytes(false), expected);
    assert!(Packet::read(&mut &expected[..], 4096, false).is_ok());
    assert!(matches!(read(&expected), Err(PacketError::BadChecksum { said: 0, is: 0xff, .. })));
}

#[test]
fn every_command_is_read_as_it_was_written() {
    use Command::{Auth, Close, Connect, Okay, Open, Write};
    for command in [Connect, Auth, Open, Okay, Write, Close] {
        let packet = packet(command, 1, u32::MAX, b"abc");
        assert_eq!(read(&packet.to_bytes(true)).unwrap(), Some(packet));
    }
}

#[test]
fn a_link_that_ends_between_packets_has_just_ended() {
    assert_eq!(read(b"").unwrap(), None);
}

#[test]
fn a_link_that_ends_within_a_packet_has_broken() {
    let bytes = packet(Command::Write, 1, 2, b"abc").to_bytes(true);
    for end in 1..bytes.len() {
        assert!(matches!(read(&bytes[..end]), Err(PacketError::Link(_))), "{end} bytes");
    }
}

#[test]
fn a_payload_beyond_the_limit_is_refused_before_it_is_read() {
    let mut bytes = packet(Command::Write, 1, 2, b"").to_bytes(true);
    bytes[12..16].copy_from_slice(&u32::MAX.to_le_bytes());
    assert!(matches!(read(&bytes), Err(PacketError::TooLong { limit: 4096, .. })));
}

#[test]
fn what_is_no_packet_is_named() {
    let mut bytes = packet(Command::Okay, 1, 2, b"").to_bytes(true);
    bytes[20] ^= 1;
    assert!(matches!(read(&bytes), Err(PacketError::BadMagic { .. })));
    let mut bytes = [0; 24];
    bytes[20..].copy_from_slice(&[0xff; 4]);
    assert!(matches!(read(&bytes), Err(PacketError::UnknownCommand(0))));
}
