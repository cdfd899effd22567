//! The packets of `shell,v2`: a byte that says what, four that say how long, and the data.

/// Data for the command's stdin, from the host.
pub(super) const STDIN: u8 = 0;
/// The command's output.
pub(super) const STDOUT: u8 = 1;
/// The command's errors.
pub(super) const STDERR: u8 = 2;
/// One byte: the exit code. The last packet.
pub(super) const EXIT: u8 = 3;
/// From the host: stdin has ended.
pub(super) const CLOSE_STDIN: u8 = 4;
/// From the host: `ROWSxCOLUMNS,XPIXELSxYPIXELS` in ASCII, and a NUL.
pub(super) const WINDOW_SIZE: u8 = 5;

/// Bytes before the data.
pub(super) const HEADER_BYTES: usize = 5;
/// The longest window size there is: four numbers of 32 bits, their separators and a NUL.
pub(super) const WINDOW_SIZE_BYTES: u64 = 4 * 10 + 3 + 1;

/// One packet.
pub(super) fn encode(kind: u8, data: &[u8]) -> Vec<u8> {
    // Data is cut to a stream's payload before it comes here.
    let length = u32::try_from(data.len()).unwrap_or(u32::MAX);
    let mut packet = Vec::with_capacity(HEADER_BYTES + data.len());
    packet.push(kind);
    packet.extend_from_slice(&length.to_le_bytes());
    packet.extend_from_slice(data);
    packet
}

/// The size of the host's terminal.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct WindowSize {
    /// Lines of text.
    pub rows: u16,
    /// Characters in a line.
    pub columns: u16,
}

impl WindowSize {
    pub(super) fn parse(data: &[u8]) -> Option<Self> {
        let text = std::str::from_utf8(data).ok()?.trim_end_matches('\0');
        let (characters, _pixels) = text.split_once(',')?;
        let (rows, columns) = characters.split_once('x')?;
        Some(Self { rows: rows.parse().ok()?, columns: columns.parse().ok()? })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn stdout_is_framed_byte_for_byte() {
        let expected = [
            1, // stdout
            0x02, 0x00, 0x00, 0x00, // length
            b'o', b'k',
        ];
        assert_eq!(encode(STDOUT, b"ok"), expected);
    }

    #[test]
    fn an_exit_code_is_one_byte() {
        let expected = [
            3, // exit
            0x01, 0x00, 0x00, 0x00, // length
            127,
        ];
        assert_eq!(encode(EXIT, &[127]), expected);
    }

    #[test]
    fn a_window_size_is_read_as_adb_writes_it() {
        let size = WindowSize::parse(b"24x80,0x0\0");
        assert_eq!(size, Some(WindowSize { rows: 24, columns: 80 }));
        for wrong in [&b"24"[..], b"x,x", b"\xff", b"99999x1,0x0"] {
            assert_eq!(WindowSize::parse(wrong), None);
        }
    }
}
