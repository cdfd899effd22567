//! Something between the program and the adb server that interferes with single services of the
//! phone: refuses them, plays them itself, loses lines of them, or cuts them.

use clawperator_contract::frame::{Frame, FrameReader};
use clawperator_contract::message::Message;
use clawperator_contract::operator::RELEASE_PACKAGE;
use serde_json::json;
use std::io::{BufRead as _, BufReader, Read as _, Write as _};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::sync::{Arc, Mutex};
use std::thread;

/// What becomes of a service that the program opens on the phone.
pub(crate) enum Service {
    /// Nothing is done to it.
    Pass,
    /// The phone seems to refuse it.
    Refuse,
    /// Somebody else plays it.
    Play(Box<dyn FnOnce(TcpStream) + Send>),
    /// Only the lines that this likes come through.
    Lines(Box<dyn FnMut(&str) -> bool + Send>),
    /// It is cut in the middle of what the phone says, right behind this.
    CutAt(&'static str),
}

/// Asked for every service that is opened.
type Rule = dyn Fn(&str) -> Service + Send + Sync;

/// It listens until the tests end.
pub(crate) struct Between {
    pub(crate) port: u16,
    heard: Arc<Mutex<Vec<u8>>>,
    opened: Arc<Mutex<Vec<String>>>,
}

impl Between {
    /// In front of the server at this port.
    pub(crate) fn before(
        server: u16,
        rule: impl Fn(&str) -> Service + Send + Sync + 'static,
    ) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let port = listener.local_addr().unwrap().port();
        let (heard, opened) = (Arc::default(), Arc::default());
        let call = Call { server, rule: Arc::new(rule), heard, opened };
        let between = Self { port, heard: call.heard.clone(), opened: call.opened.clone() };
        thread::spawn(move || {
            for program in listener.incoming() {
                let (program, call) = (program.unwrap(), call.clone());
                // A connection that ends is no failure: both ends of it are being harmed.
                thread::spawn(move || call.serve(program));
            }
        });
        between
    }

    /// Has the program been told this by the phone?
    pub(crate) fn has_heard(&self, text: &str) -> bool {
        find(&self.heard.lock().unwrap(), text).is_some()
    }

    /// The services that were opened, in order.
    pub(crate) fn opened(&self) -> Vec<String> {
        self.opened.lock().unwrap().clone()
    }
}

fn find(bytes: &[u8], text: &str) -> Option<usize> {
    bytes.windows(text.len()).position(|window| window == text.as_bytes())
}

#[derive(Clone)]
struct Call {
    server: u16,
    rule: Arc<Rule>,
    heard: Arc<Mutex<Vec<u8>>>,
    opened: Arc<Mutex<Vec<String>>>,
}

impl Call {
    fn serve(&self, mut program: TcpStream) -> Option<()> {
        program.set_nodelay(true).ok()?;
        let first = request(&mut program)?;
        let mut server = TcpStream::connect(("127.0.0.1", self.server)).ok()?;
        server.set_nodelay(true).ok()?;
        ask(&mut server, &first)?;
        if !first.starts_with("host:transport:") {
            return self.pass(program, server, Service::Pass);
        }
        let mut status = [0; 4];
        server.read_exact(&mut status).ok()?;
        program.write_all(&status).ok()?;
        if status != *b"OKAY" {
            return self.pass(program, server, Service::Pass);
        }
        let service = request(&mut program)?;
        let treatment = (self.rule)(&service);
        self.opened.lock().unwrap().push(service.clone());
        match treatment {
            Service::Refuse => program.write_all(b"FAIL0006closed").ok(),
            Service::Play(player) => {
                program.write_all(b"OKAY").ok()?;
                player(program);
                Some(())
            }
            other => {
                ask(&mut server, &service)?;
                self.pass(program, server, other)
            }
        }
    }

    /// Carries bytes both ways until either end has gone.
    fn pass(&self, program: TcpStream, server: TcpStream, how: Service) -> Option<()> {
        let (mut from, mut to) = (program.try_clone().ok()?, server.try_clone().ok()?);
        thread::spawn(move || {
            let _ = std::io::copy(&mut from, &mut to);
            let _ = to.shutdown(Shutdown::Write);
        });
        self.back(&program, &server, how);
        let _ = program.shutdown(Shutdown::Both);
        let _ = server.shutdown(Shutdown::Both);
        Some(())
    }

    /// From the phone to the program.
    fn back(&self, mut program: &TcpStream, mut server: &TcpStream, how: Service) -> Option<()> {
        if let Service::Lines(mut liked) = how {
            let mut status = [0; 4];
            server.read_exact(&mut status).ok()?;
            program.write_all(&status).ok()?;
            let mut lines = BufReader::new(server);
            let mut line = Vec::new();
            while matches!(lines.read_until(b'\n', &mut line), Ok(1..)) {
                if liked(&String::from_utf8_lossy(&line)) {
                    self.tell(program, &line)?;
                }
                line.clear();
            }
            return None;
        }
        let mut said = Vec::new();
        let mut buffer = [0; 4_096];
        while let Ok(count @ 1..) = server.read(&mut buffer) {
            let before = said.len();
            said.extend_from_slice(&buffer[..count]);
            if let Service::CutAt(text) = how
                && let Some(at) = find(&said, text)
            {
                return self.tell(program, &said[before..at + text.len()]);
            }
            self.tell(program, &said[before..])?;
        }
        None
    }

    fn tell(&self, mut program: &TcpStream, bytes: &[u8]) -> Option<()> {
        program.write_all(bytes).ok()?;
        self.heard.lock().unwrap().extend_from_slice(bytes);
        Some(())
    }
}

/// Reads a request of adb's protocol.
fn request(stream: &mut TcpStream) -> Option<String> {
    let mut length = [0; 4];
    stream.read_exact(&mut length).ok()?;
    let length = usize::from_str_radix(std::str::from_utf8(&length).ok()?, 16).ok()?;
    let mut text = vec![0; length];
    stream.read_exact(&mut text).ok()?;
    String::from_utf8(text).ok()
}

fn ask(stream: &mut TcpStream, request: &str) -> Option<()> {
    stream.write_all(format!("{:04x}{request}", request.len()).as_bytes()).ok()
}

/// A command of the phone's shell that says this and ends with this code.
pub(crate) fn shell_says(text: &'static str, code: u8) -> Service {
    Service::Play(Box::new(move |mut program| {
        let mut packets = vec![1];
        packets.extend(u32::try_from(text.len()).unwrap().to_le_bytes());
        packets.extend(text.as_bytes());
        packets.extend([3, 1, 0, 0, 0, code]);
        let _ = program.write_all(&packets);
        // Until the program has read it.
        let _ = std::io::copy(&mut program, &mut std::io::sink());
    }))
}

/// An operator that speaks this protocol and answers each message after the first with these.
pub(crate) fn as_operator(
    protocol: u32,
    answers: impl Fn(&Message) -> Vec<Frame> + Send + 'static,
) -> Service {
    Service::Play(Box::new(move |mut program| {
        let mut frames = FrameReader::default();
        let mut buffer = [0; 4_096];
        while let Ok(count @ 1..) = program.read(&mut buffer) {
            frames.push(&buffer[..count]);
            while let Some(frame) = frames.next_frame().unwrap() {
                let Frame::Json(text) = frame else { panic!("the program sends no bytes") };
                let message = Message::from_text(&text).unwrap();
                let said = match &message {
                    Message::Hello { .. } => vec![welcome(protocol)],
                    other => answers(other),
                };
                let mut bytes = Vec::new();
                said.iter().for_each(|frame| frame.write(&mut bytes).unwrap());
                if program.write_all(&bytes).is_err() {
                    return;
                }
            }
        }
    }))
}

/// Written by hand: an operator of another version may say more or less.
fn welcome(protocol: u32) -> Frame {
    let welcome = json!({
        "type": "welcome", "protocol": protocol, "appVersion": "9.9.9",
        "package": RELEASE_PACKAGE, "bootId": "played", "serviceRunning": true
    });
    Frame::Json(welcome.to_string())
}
