//! A device with a handful of services, enough to tell whether a host believes in it.

use std::io::{self, BufRead, BufReader, Read, Write};
use std::sync::Arc;

use clawperator_adbd::{
    Auth, Banner, Device, MemoryFiles, Server, Service, Shell, ShellRequest, Stream, sync,
};

pub struct TestPhone {
    pub files: Arc<MemoryFiles>,
}

impl TestPhone {
    pub fn new() -> Arc<Self> {
        Arc::new(Self { files: Arc::new(MemoryFiles::new(32 << 20)) })
    }

    /// Listens at a free port for hosts without keys.
    pub fn listen() -> (Arc<Self>, Server) {
        let phone = Self::new();
        let server = Server::bind("127.0.0.1:0", Arc::clone(&phone) as _, Auth::NoAuth).unwrap();
        (phone, server)
    }
}

impl Device for TestPhone {
    fn banner(&self) -> Banner {
        Banner::new("test_phone", "Test Phone", "testphone")
    }

    fn open(&self, service: &str) -> Option<Service> {
        if let Some(request) = ShellRequest::parse(service) {
            return Some(Box::new(move |stream| {
                // The host may have gone in the middle: that is what some tests are about.
                let _ = run(&request.command, Shell::new(request.protocol, stream));
            }));
        }
        let files = Arc::clone(&self.files);
        match service {
            "sync:" => Some(Box::new(move |mut stream| {
                let _ = sync::serve(&*files, &mut stream);
            })),
            "localabstract:echo" => Some(Box::new(|stream| {
                let _ = echo(stream);
            })),
            // Answers nothing, reads nothing, and lasts until the host goes.
            "test:idle" => Some(Box::new(|stream| {
                let (reader, writer) = stream.split();
                let (gone, wait) = std::sync::mpsc::channel::<()>();
                writer.on_close(move || drop(gone));
                let _ = wait.recv();
                drop(reader);
            })),
            "test:deaf" => Some(Box::new(|stream| {
                let (reader, mut writer) = stream.split();
                drop(reader);
                let _ = writer.write_all(b"not listening");
                let (gone, wait) = std::sync::mpsc::channel::<()>();
                writer.on_close(move || drop(gone));
                let _ = wait.recv();
            })),
            "test:panic" => Some(Box::new(|_stream| panic!("a service that panics"))),
            _ => None,
        }
    }
}

fn echo(mut stream: Stream) -> io::Result<()> {
    let mut buffer = [0; 4096];
    loop {
        let count = stream.read(&mut buffer)?;
        if count == 0 {
            return Ok(());
        }
        stream.write_all(&buffer[..count])?;
    }
}

fn run(command: &str, shell: Shell) -> io::Result<()> {
    let Shell { mut input, output } = shell;
    let (mut stdout, mut stderr) = (output.stdout(), output.stderr());
    let code = match command.split_once(' ').unwrap_or((command, "")) {
        ("echo", words) => stdout.write_all(format!("{words}\n").as_bytes()).map(|()| 0)?,
        ("cat", _) => io::copy(&mut input, &mut stdout).map(|_| 0)?,
        ("bytes", _) => stdout.write_all(&every_byte()).map(|()| 0)?,
        ("both", _) => {
            stdout.write_all(b"to stdout\n")?;
            stderr.write_all(b"to stderr\n")?;
            7
        }
        ("flood", _) => loop {
            stdout.write_all(&[b'x'; 32 * 1024])?;
        },
        // A person's shell: one command in a line.
        ("", _) => {
            for line in BufReader::new(input).lines() {
                stdout.write_all(format!("you said {}\n", line?).as_bytes())?;
            }
            0
        }
        (name, _) => {
            stderr.write_all(format!("{name}: inaccessible or not found\n").as_bytes())?;
            127
        }
    };
    output.exit(code)
}

pub fn every_byte() -> Vec<u8> {
    (0..=255).collect()
}
