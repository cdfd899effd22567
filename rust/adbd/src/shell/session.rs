//! A running shell service: stdin to read, stdout and stderr to write, an exit code to end with.

use std::io::{self, Read, Write};

use super::ShellProtocol;
use super::framing::{self, WindowSize};
use crate::stream::{Stream, StreamReader, StreamWriter};

/// What a command needs, whichever form the host chose.
#[derive(Debug)]
pub struct Shell {
    /// Its stdin.
    pub input: ShellInput,
    /// Its stdout, its stderr and its end.
    pub output: ShellOutput,
}

impl Shell {
    /// Speaks `protocol` on a stream.
    #[must_use]
    pub fn new(protocol: ShellProtocol, stream: Stream) -> Self {
        let (reader, writer) = stream.split();
        Self {
            input: ShellInput { protocol, reader, left: 0, ended: false, window: None },
            output: ShellOutput { protocol, writer },
        }
    }
}

/// A command's stdin. Ends when the host closes it, or goes.
#[derive(Debug)]
pub struct ShellInput {
    protocol: ShellProtocol,
    reader: StreamReader,
    /// Bytes of the current stdin packet still to be read.
    left: u64,
    ended: bool,
    window: Option<WindowSize>,
}

impl ShellInput {
    /// The size of the host's terminal, as last heard while reading.
    #[must_use]
    pub fn window(&self) -> Option<WindowSize> {
        self.window
    }

    /// Reads packets until one has data for stdin, or ends it.
    fn next_data(&mut self) -> io::Result<()> {
        while self.left == 0 && !self.ended {
            let mut kind = [0];
            if self.reader.read(&mut kind)? == 0 {
                self.ended = true;
                return Ok(());
            }
            let mut length = [0; 4];
            self.reader.read_exact(&mut length)?;
            let length = u64::from(u32::from_le_bytes(length));
            match kind[0] {
                framing::STDIN => self.left = length,
                framing::CLOSE_STDIN => self.ended = true,
                framing::WINDOW_SIZE if length <= framing::WINDOW_SIZE_BYTES => {
                    let mut data = Vec::new();
                    (&mut self.reader).take(length).read_to_end(&mut data)?;
                    self.window = WindowSize::parse(&data).or(self.window);
                }
                // Nothing else comes from a host; skip it, as adbd does.
                _ => {
                    io::copy(&mut (&mut self.reader).take(length), &mut io::sink())?;
                }
            }
        }
        Ok(())
    }
}

impl Read for ShellInput {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.protocol == ShellProtocol::Raw {
            return self.reader.read(buffer);
        }
        if buffer.is_empty() {
            return Ok(0);
        }
        self.next_data()?;
        let wanted = usize::try_from(self.left).unwrap_or(usize::MAX).min(buffer.len());
        let count = self.reader.read(&mut buffer[..wanted])?;
        self.left -= count as u64;
        if count == 0 {
            self.ended = true;
            self.left = 0;
        }
        Ok(count)
    }
}

/// A command's output and its end.
#[derive(Debug)]
pub struct ShellOutput {
    protocol: ShellProtocol,
    writer: StreamWriter,
}

impl ShellOutput {
    /// The command's stdout.
    #[must_use]
    pub fn stdout(&self) -> ShellWriter {
        self.writer(framing::STDOUT)
    }

    /// The command's stderr; the same as stdout where the host did not ask for `v2`.
    #[must_use]
    pub fn stderr(&self) -> ShellWriter {
        self.writer(framing::STDERR)
    }

    /// The stream beneath: to learn that the host has gone.
    #[must_use]
    pub fn stream(&self) -> &StreamWriter {
        &self.writer
    }

    /// Ends the command with an exit code, which only a `v2` host learns.
    ///
    /// # Errors
    /// When the host has gone.
    pub fn exit(mut self, code: u8) -> io::Result<()> {
        match self.protocol {
            ShellProtocol::Raw => Ok(()),
            ShellProtocol::V2 => self.writer.write_all(&framing::encode(framing::EXIT, &[code])),
        }
    }

    fn writer(&self, kind: u8) -> ShellWriter {
        ShellWriter { protocol: self.protocol, kind, writer: self.writer.clone() }
    }
}

/// A command's stdout or stderr. Each write is a packet and waits for the one before, so many
/// small ones - a `writeln!` is several - want a [`std::io::BufWriter`], flushed before the exit.
#[derive(Clone, Debug)]
pub struct ShellWriter {
    protocol: ShellProtocol,
    kind: u8,
    writer: StreamWriter,
}

impl Write for ShellWriter {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        if self.protocol == ShellProtocol::Raw {
            return self.writer.write(bytes);
        }
        // In one write of the stream, so that packets of stdout and stderr never mingle.
        let count = bytes.len().min(self.writer.max_write() - framing::HEADER_BYTES);
        if count > 0 {
            self.writer.write_all(&framing::encode(self.kind, &bytes[..count]))?;
        }
        Ok(count)
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}
