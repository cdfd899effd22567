//! `sync:` byte for byte.

use std::io::{self, Cursor, Read, Write};

use clawperator_adbd::{Files, MemoryFiles, sync};

/// What a host would send, and what it gets back.
struct Conversation {
    requests: Cursor<Vec<u8>>,
    answers: Vec<u8>,
}

impl Read for Conversation {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        self.requests.read(buffer)
    }
}

impl Write for Conversation {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.answers.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

fn files() -> MemoryFiles {
    let files = MemoryFiles::new(1 << 20);
    files.write("/a/hello.txt", 0o640, 0x0102_0304, b"hello".to_vec()).unwrap();
    files.make_link("/link", "a/hello.txt", 5).unwrap();
    files
}

fn answers(files: &MemoryFiles, requests: &[&[u8]]) -> io::Result<Vec<u8>> {
    let requests = Cursor::new(requests.concat());
    let mut conversation = Conversation { requests, answers: Vec::new() };
    sync::serve(files, &mut conversation).map(|()| conversation.answers)
}

/// One request with a path.
fn request(id: &[u8; 4], path: &str) -> Vec<u8> {
    let length = u32::try_from(path.len()).unwrap();
    [&id[..], &length.to_le_bytes(), path.as_bytes()].concat()
}

#[test]
fn stat_is_mode_size_and_time() {
    let expected = [
        &b"STAT"[..],              // answers by its own name
        &[0xa0, 0x81, 0x00, 0x00], // S_IFREG | 0640
        &[0x05, 0x00, 0x00, 0x00], // size
        &[0x04, 0x03, 0x02, 0x01], // time
    ];
    let got = answers(&files(), &[&request(b"STAT", "/a/hello.txt")]).unwrap();
    assert_eq!(got, expected.concat());
}

#[test]
fn stat_of_nothing_is_zeros() {
    let got = answers(&files(), &[&request(b"STAT", "/nothing")]).unwrap();
    assert_eq!(got, [&b"STAT"[..], &[0; 12]].concat());
}

#[test]
fn stat_2_follows_links_and_lstat_2_does_not() {
    let got = answers(
        &files(),
        &[&request(b"STA2", "/link"), &request(b"LST2", "/link"), &request(b"LST2", "/no")],
    )
    .unwrap();
    let (stat, rest) = got.split_at(72);
    let expected = [
        &b"STA2"[..],
        &[0, 0, 0, 0],             // no error
        &[0; 16],                  // device, inode
        &[0xa0, 0x81, 0x00, 0x00], // S_IFREG | 0640
        &[0x01, 0x00, 0x00, 0x00], // links
        &[0xd0, 0x07, 0x00, 0x00], // uid 2000, shell
        &[0xd0, 0x07, 0x00, 0x00], // gid
        &[5, 0, 0, 0, 0, 0, 0, 0], // size
        &[4, 3, 2, 1, 0, 0, 0, 0], // accessed
        &[4, 3, 2, 1, 0, 0, 0, 0], // modified
        &[4, 3, 2, 1, 0, 0, 0, 0], // changed
    ];
    assert_eq!(stat, expected.concat());
    let (lstat, nothing) = rest.split_at(72);
    assert_eq!(lstat[..4], *b"LST2");
    assert_eq!(lstat[24..28], [0xff, 0xa1, 0x00, 0x00]); // S_IFLNK | 0777
    assert_eq!(nothing, [&b"LST2\x02\0\0\0"[..], &[0; 64]].concat()); // ENOENT
}

#[test]
fn a_listing_has_an_entry_for_each_name_and_done() {
    let got = answers(&files(), &[&request(b"LIST", "/a")]).unwrap();
    let expected = [
        &b"DENT\xf9\x41\0\0\0\x10\0\0\x04\x03\x02\x01\x01\0\0\0."[..], // S_IFDIR | 0771
        b"DENT\xed\x41\0\0\0\x10\0\0\0\0\0\0\x02\0\0\0..",             // S_IFDIR | 0755
        b"DENT\xa0\x81\0\0\x05\0\0\0\x04\x03\x02\x01\x09\0\0\0hello.txt",
        b"DONE\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0\0",
    ];
    assert_eq!(got, expected.concat());
    let got = answers(&files(), &[&request(b"LIS2", "/a")]).unwrap();
    assert_eq!(got.len(), 4 * 76 + ".".len() + "..".len() + "hello.txt".len());
    assert!(got.starts_with(b"DNT2") && got.ends_with(&[&b"DONE"[..], &[0; 72]].concat()));
}

#[test]
fn a_listing_of_nothing_is_done() {
    let got = answers(&files(), &[&request(b"LIST", "/nothing")]).unwrap();
    assert_eq!(got, [&b"DONE"[..], &[0; 16]].concat());
}

#[test]
fn a_file_is_received_in_blocks() {
    let files = files();
    let long: Vec<u8> = (0..200_000_u32).map(|i| i.to_le_bytes()[0]).collect();
    files.write("/long", 0o644, 0, long.clone()).unwrap();
    let second = b"RCV2\0\0\0\0"; // no compression
    let got = answers(
        &files,
        &[&request(b"RECV", "/link"), &request(b"RCV2", "/long"), second, &request(b"QUIT", "")],
    )
    .unwrap();
    let mut expected = b"DATA\x05\0\0\0helloDONE\0\0\0\0".to_vec();
    for block in long.chunks(65_536) {
        expected.extend_from_slice(b"DATA");
        expected.extend_from_slice(&u32::try_from(block.len()).unwrap().to_le_bytes());
        expected.extend_from_slice(block);
    }
    expected.extend_from_slice(b"DONE\0\0\0\0");
    assert_eq!(got, expected);
}

#[test]
fn a_file_that_cannot_be_received_fails_in_the_words_of_adbd() {
    let got = answers(&files(), &[&request(b"RECV", "/nothing")]).unwrap();
    assert_eq!(got, b"FAIL\x26\0\0\0open failed: No such file or directory");
    let got = answers(&files(), &[&request(b"RECV", "/a")]).unwrap();
    assert_eq!(got, b"FAIL\x1b\0\0\0open failed: Is a directory");
}

#[test]
fn sent_files_are_written_with_their_modes_and_times() {
    let files = files();
    let got = answers(
        &files,
        &[
            &request(b"SEND", "/sdcard/with, comma,33188"),
            b"DATA\x02\0\0\0abDATA\x01\0\0\0cDONE\x07\0\0\0",
            &request(b"SND2", "/sdcard/run"),
            b"SND2\xed\x81\0\0\0\0\0\0", // mode 0100755, flags 0
            b"DONE\x09\0\0\0",
        ],
    )
    .unwrap();
    assert_eq!(got, b"OKAY\0\0\0\0OKAY\0\0\0\0");
    assert_eq!(*files.read("/sdcard/with, comma").unwrap(), b"abc");
    let stat = files.stat("/sdcard/run").unwrap();
    assert_eq!((stat.mode, stat.size, stat.mtime), (0o100_755, 0, 9));
}

#[test]
fn a_file_that_does_not_fit_fails_and_the_next_one_is_taken() {
    let files = MemoryFiles::new(1000);
    let data = [&b"DATA\xe9\x03\0\0"[..], &[b'x'; 1001], b"DONE\0\0\0\0"].concat();
    let got = answers(
        &files,
        &[
            &request(b"SEND", "/big,33188"),
            &data,
            &request(b"SEND", "/small,33188"),
            b"DONE\0\0\0\0",
        ],
    )
    .unwrap();
    assert_eq!(got, b"FAIL\x25\0\0\0write failed: No space left on deviceOKAY\0\0\0\0");
    assert!(files.stat("/big").is_err() && files.stat("/small").is_ok());
}

#[test]
fn compression_is_refused_for_it_was_not_offered() {
    let brotli = b"SND2\xa4\x81\0\0\x01\0\0\0";
    let got = answers(
        &files(),
        &[
            &request(b"SND2", "/x"),
            brotli,
            b"DONE\0\0\0\0",
            &request(b"RCV2", "/link"),
            b"RCV2\x01\0\0\0",
        ],
    )
    .unwrap();
    let text = String::from_utf8_lossy(&got);
    assert_eq!(text.matches("FAIL").count(), 2, "{text}");
    assert!(!text.contains("hello"), "{text}");
}

#[test]
fn what_is_no_request_ends_the_service() {
    for (wrong, why) in [
        (&b"WHAT\0\0\0\0"[..], "unknown request"),
        (b"STAT\xff\xff\xff\xff", "path too long"),
        (b"SEND\x02\0\0\0/x", "missing ,"),
        (b"SEND\x04\0\0\0/x,9OKAY\0\0\0\0", "neither DATA nor DONE"),
        (b"SEND\x04\0\0\0/x,9DATA\x01\0\x01\0", "oversize data message"),
        (b"RCV2\x02\0\0\0/xSND2\0\0\0\0", "RCV2 without"),
    ] {
        let got = answers(&files(), &[wrong, &request(b"STAT", "/a")]).unwrap();
        let text = String::from_utf8_lossy(&got);
        assert!(text.starts_with("FAIL") && text.contains(why), "{text}");
        assert!(!text.contains("STAT"), "it went on: {text}");
    }
}

#[test]
fn a_link_cut_in_the_middle_leaves_no_file() {
    let files = files();
    let push = [&request(b"SEND", "/x,33188")[..], b"DATA\x02\0\0\0abDONE\0\0\0\0"].concat();
    for end in 1..push.len() {
        assert!(answers(&files, &[&push[..end]]).is_err(), "{end} bytes");
        assert!(files.stat("/x").is_err(), "{end} bytes");
    }
}
