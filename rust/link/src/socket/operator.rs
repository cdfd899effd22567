//! The operator's end of the socket link: one thread per connection reads, whoever has news writes.

use super::wire::{Arrival, Incoming, Outgoing};
use crate::station::{Courier, DispatchState, Station, Taken};
use clawperator_contract::envelope::StepResult;
use clawperator_contract::frame::Frame;
use clawperator_contract::limits::MAX_ID_LENGTH;
use clawperator_contract::message::{Attachment, HostAnswer, HostCall, Message, PROTOCOL};
use clawperator_contract::{Envelope, ErrorCode};
use std::collections::HashMap;
use std::io::{self, Read, Write};
use std::sync::mpsc::{RecvTimeoutError, SyncSender, sync_channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

/// How long a dispatch may still run while somebody asks for its end: the longest timeout an
/// execution can have, and a margin.
const LONGEST_RUN: Duration = Duration::from_secs(130);

/// Serves one connection until it ends. Executions that were taken go on after that.
pub fn serve<R, W>(reader: R, writer: W, station: &Arc<dyn Station>) -> io::Result<()>
where
    R: Read,
    W: Write + Send + 'static,
{
    let line = Line {
        out: Arc::new(Mutex::new(Box::new(writer) as Box<dyn Write + Send>)),
        calls: Arc::new(Mutex::new(Calls::default())),
    };
    let mut incoming = Incoming::new(reader);
    let served = converse(&mut incoming, &line, station);
    // Whoever waits for an answer from this host waits no longer.
    lock(&line.calls).hang_up();
    served
}

fn converse<R: Read>(
    incoming: &mut Incoming<R>,
    line: &Line,
    station: &Arc<dyn Station>,
) -> io::Result<()> {
    if !greet(incoming, line, station)? {
        return Ok(());
    }
    loop {
        let message = match incoming.next()? {
            Arrival::End => return Ok(()),
            // The host has no bytes to send; what a newer one sends is passed over.
            Arrival::Bytes { .. } => continue,
            Arrival::Message(message) => *message,
        };
        match message {
            Message::Request { dispatch_id, execution } => {
                request(line, station, dispatch_id, execution.to_string().into_bytes())?;
            }
            Message::Resume { dispatch_id } => resume(line, station, dispatch_id)?,
            Message::Cancel { dispatch_id } => station.cancel(&dispatch_id),
            Message::HostAnswer { dispatch_id, call_id, answer } => {
                lock(&line.calls).answer(&dispatch_id, call_id, answer);
            }
            other => {
                let message = format!("a host does not say {}", kind_of(&other));
                line.refuse(None, ErrorCode::LinkProtocolError, &message)?;
            }
        }
    }
}

/// The first words. `false` when the two do not understand each other.
fn greet<R: Read>(
    incoming: &mut Incoming<R>,
    line: &Line,
    station: &Arc<dyn Station>,
) -> io::Result<bool> {
    let hello = match incoming.next()? {
        Arrival::Message(message) => *message,
        _ => return Ok(false),
    };
    let Message::Hello { protocol, host_version } = hello else {
        line.refuse(None, ErrorCode::LinkProtocolError, "the first message must be hello")?;
        return Ok(false);
    };
    let identity = station.identity();
    line.send(&Message::Welcome {
        protocol: PROTOCOL,
        app_version: identity.app_version,
        package: identity.package,
        boot_id: identity.boot_id,
        service_running: identity.service_running,
        uptime_ms: u64::try_from(identity.uptime.as_millis()).unwrap_or(u64::MAX),
    })?;
    if protocol == PROTOCOL {
        return Ok(true);
    }
    let message =
        format!("host {host_version} speaks protocol {protocol}, this operator {PROTOCOL}");
    line.refuse(None, ErrorCode::VersionIncompatible, &message)?;
    Ok(false)
}

fn request(
    line: &Line,
    station: &Arc<dyn Station>,
    dispatch_id: String,
    payload: Vec<u8>,
) -> io::Result<()> {
    if dispatch_id.is_empty() || dispatch_id.chars().count() > MAX_ID_LENGTH {
        let message = "a dispatch id has 1 to 128 characters";
        return line.refuse(Some(dispatch_id), ErrorCode::LinkProtocolError, message);
    }
    // Said before it is handed in: its steps may be quicker than this thread.
    line.send(&Message::Accepted { dispatch_id: dispatch_id.clone() })?;
    let courier =
        Box::new(Post { line: line.clone(), dispatch_id: dispatch_id.clone(), calls: 0, told: 0 });
    match station.submit(Some(&dispatch_id), payload, courier) {
        Taken::Queued => Ok(()),
        Taken::Known(_) => resume(line, station, dispatch_id),
        Taken::Closed => line.refuse(
            Some(dispatch_id),
            ErrorCode::ServiceUnavailable,
            "the operator is going away",
        ),
    }
}

/// Answers what became of a dispatch, now or when it has ended; the connection goes on meanwhile.
fn resume(line: &Line, station: &Arc<dyn Station>, dispatch_id: String) -> io::Result<()> {
    match station.outcome(&dispatch_id, Duration::ZERO) {
        DispatchState::Ended(envelope) => line.replay(dispatch_id, &envelope),
        DispatchState::Unknown => line.unknown(dispatch_id),
        DispatchState::Running => {
            let (line, station) = (line.clone(), Arc::clone(station));
            std::thread::Builder::new()
                .name("resume".into())
                .spawn(move || {
                    let answered = match station.outcome(&dispatch_id, LONGEST_RUN) {
                        DispatchState::Ended(envelope) => line.replay(dispatch_id, &envelope),
                        _ => line.unknown(dispatch_id),
                    };
                    if let Err(error) = answered {
                        log::debug!("who asked for a dispatch has gone: {error}");
                    }
                })
                .map(drop)
        }
    }
}

/// The way back to the host, shared by all who have news for it.
#[derive(Clone)]
struct Line {
    out: Arc<Mutex<Box<dyn Write + Send>>>,
    calls: Arc<Mutex<Calls>>,
}

impl Line {
    fn send(&self, message: &Message) -> io::Result<()> {
        self.frames(&[message.to_frame()])
    }

    fn frames(&self, frames: &[Frame]) -> io::Result<()> {
        let mut out = lock(&self.out);
        Outgoing::new(out.as_mut()).frames(frames)
    }

    fn refuse(&self, dispatch_id: Option<String>, code: ErrorCode, why: &str) -> io::Result<()> {
        let code = code.name().to_owned();
        self.send(&Message::Refused { dispatch_id, code, message: why.to_owned() })
    }

    fn unknown(&self, dispatch_id: String) -> io::Result<()> {
        let why = "this operator does not remember the dispatch";
        self.refuse(Some(dispatch_id), ErrorCode::DispatchUnknown, why)
    }

    fn replay(&self, dispatch_id: String, envelope: &Envelope) -> io::Result<()> {
        let envelope = envelope.clone();
        self.send(&Message::Result { dispatch_id, envelope, replayed: true, told: 0 })
    }
}

/// Questions to the host that wait for their answer.
#[derive(Default)]
struct Calls {
    open: HashMap<(String, u32), SyncSender<HostAnswer>>,
    hung_up: bool,
}

impl Calls {
    fn answer(&mut self, dispatch_id: &str, call_id: u32, answer: HostAnswer) {
        if let Some(waiting) = self.open.remove(&(dispatch_id.to_owned(), call_id)) {
            // Who asked may have run out of time.
            let _ = waiting.send(answer);
        }
    }

    fn hang_up(&mut self) {
        self.hung_up = true;
        self.open.clear();
    }
}

/// Carries the news of one dispatch. A broken connection loses news, never the execution.
struct Post {
    line: Line,
    dispatch_id: String,
    calls: u32,
    /// Steps that were told, one after the other from the first on.
    told: usize,
}

impl Post {
    fn note(&self, sent: io::Result<()>) {
        if let Err(error) = sent {
            log::debug!("dispatch {}: nobody listens: {error}", self.dispatch_id);
        }
    }
}

impl Courier for Post {
    fn step_ended(&mut self, index: usize, result: &StepResult, picture: Option<Vec<u8>>) {
        if index == self.told {
            self.told += 1;
        }
        let index = u32::try_from(index).unwrap_or(u32::MAX);
        let mut frames = Vec::new();
        let mut attachments = Vec::new();
        if let Some(bytes) = picture {
            // One step has one picture, so the step's place is a good id.
            frames.push(Frame::Binary { id: index, bytes });
            attachments.push(Attachment { id: index, media_type: "image/png".into() });
        }
        let dispatch_id = self.dispatch_id.clone();
        let step = Message::Step { dispatch_id, index, result: result.clone(), attachments };
        frames.push(step.to_frame());
        self.note(self.line.frames(&frames));
    }

    fn host_call(&mut self, call: HostCall, within: Duration) -> Option<HostAnswer> {
        self.calls += 1;
        let key = (self.dispatch_id.clone(), self.calls);
        let (answer, answered) = sync_channel(1);
        {
            let mut calls = lock(&self.line.calls);
            if calls.hung_up {
                return None;
            }
            calls.open.insert(key.clone(), answer);
        }
        let (dispatch_id, call_id) = key.clone();
        if self.line.send(&Message::HostCall { dispatch_id, call_id, call }).is_err() {
            lock(&self.line.calls).open.remove(&key);
            return None;
        }
        let failed = |why: &str| HostAnswer::Failed {
            code: ErrorCode::LinkUnavailable.name().into(),
            message: why.into(),
        };
        let answer = answered.recv_timeout(within);
        lock(&self.line.calls).open.remove(&key);
        Some(answer.unwrap_or_else(|error| match error {
            RecvTimeoutError::Timeout => failed("the host did not answer in time"),
            RecvTimeoutError::Disconnected => failed("the link broke while the host was asked"),
        }))
    }

    fn ended(&mut self, envelope: Arc<Envelope>) {
        let dispatch_id = self.dispatch_id.clone();
        // Everything that was told on this connection has arrived, or this will not either.
        let told = self.told.min(envelope.step_results.len());
        let rest = envelope.step_results[told..].to_vec();
        let envelope = Envelope { step_results: rest, ..envelope.without_steps() };
        let told = u32::try_from(told).unwrap_or(u32::MAX);
        let result = Message::Result { dispatch_id, envelope, replayed: false, told };
        self.note(self.line.send(&result));
    }
}

fn kind_of(message: &Message) -> &'static str {
    match message {
        Message::Hello { .. } => "hello twice",
        Message::Welcome { .. } => "welcome",
        Message::Accepted { .. } => "accepted",
        Message::Step { .. } => "step",
        Message::HostCall { .. } => "hostCall",
        Message::Result { .. } => "result",
        Message::Refused { .. } => "refused",
        _ => "that",
    }
}

/// A thread that panicked left nothing half-done behind these locks.
fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
