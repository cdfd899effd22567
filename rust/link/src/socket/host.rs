//! The host's end of the socket link.

use super::wire::{Arrival, Incoming, Outgoing, Transport};
use crate::station::Identity;
use clawperator_contract::envelope::StepResult;
use clawperator_contract::message::{HostAnswer, HostCall, Message, PROTOCOL};
use clawperator_contract::{Envelope, Execution, json};
use std::collections::HashMap;
use std::fmt;
use std::io::{self, Write};
use std::time::{Duration, Instant};

/// What the host does while an execution runs.
pub trait Caller {
    /// A step has ended; a picture it took comes with it.
    fn step_ended(&mut self, index: usize, result: &StepResult, picture: Option<Vec<u8>>);

    /// The phone asks for something only the host can do.
    fn host_call(&mut self, call: HostCall) -> HostAnswer;

    /// Should the execution stop? Asked again and again while it runs.
    fn wants_to_stop(&self) -> bool {
        false
    }
}

/// An operator greets at once; a phone under load may take its time.
const GREETING: Duration = Duration::from_secs(5);
/// How often a caller is asked whether it wants to stop, while nothing comes.
const LOOK: Duration = Duration::from_millis(100);

/// How a dispatch ended.
#[derive(Clone, Debug, PartialEq)]
pub struct Dispatched {
    /// Its envelope.
    pub envelope: Envelope,
    /// Was it told again, after the first telling got lost?
    pub replayed: bool,
}

/// What can go wrong with the link itself.
#[derive(Debug)]
pub enum LinkError {
    /// The connection broke. The execution may run on: ask for it on a new connection.
    Broken(io::Error),
    /// No answer came within the time given.
    TimedOut,
    /// The other end said something the protocol does not know.
    Nonsense(String),
    /// The other end speaks another version of the protocol.
    Incompatible {
        /// Its protocol.
        protocol: u32,
        /// Its version.
        app_version: String,
    },
    /// The other end refused, by a code of the table.
    Refused {
        /// The code.
        code: String,
        /// Why.
        message: String,
    },
}

impl fmt::Display for LinkError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Broken(error) => write!(f, "the link broke: {error}"),
            Self::TimedOut => f.write_str("the operator did not answer in time"),
            Self::Nonsense(why) => write!(f, "the operator said something unknown: {why}"),
            Self::Incompatible { protocol, app_version } => write!(
                f,
                "operator {app_version} speaks protocol {protocol}, this program {PROTOCOL}"
            ),
            Self::Refused { code, message } => write!(f, "{code}: {message}"),
        }
    }
}

impl std::error::Error for LinkError {}

impl From<io::Error> for LinkError {
    fn from(error: io::Error) -> Self {
        match error.kind() {
            io::ErrorKind::WouldBlock | io::ErrorKind::TimedOut => Self::TimedOut,
            io::ErrorKind::InvalidData => Self::Nonsense(error.to_string()),
            _ => Self::Broken(error),
        }
    }
}

/// A connection to an operator, after the first words.
pub struct HostSession<R, W> {
    incoming: Incoming<R>,
    outgoing: Outgoing<W>,
    host_version: String,
    identity: Option<Identity>,
    /// Bytes that came before the message that speaks of them.
    pictures: HashMap<u32, Vec<u8>>,
}

impl<R: Transport, W: Write> HostSession<R, W> {
    /// A connection on which nothing has been said.
    pub fn new(reader: R, writer: W, host_version: &str) -> Self {
        Self {
            incoming: Incoming::new(reader),
            outgoing: Outgoing::new(writer),
            pictures: HashMap::new(),
            host_version: host_version.to_owned(),
            identity: None,
        }
    }

    /// Says hello and waits for the answer: who is at the other end.
    pub fn greet(&mut self, within: Duration) -> Result<&Identity, LinkError> {
        let hello = self.hello();
        self.send(&hello)?;
        self.welcome(within)
    }

    /// Who is at the other end, once that was told.
    pub fn identity(&self) -> Option<&Identity> {
        self.identity.as_ref()
    }

    fn hello(&self) -> Message {
        Message::Hello { protocol: PROTOCOL, host_version: self.host_version.clone() }
    }

    fn welcome(&mut self, within: Duration) -> Result<&Identity, LinkError> {
        match self.next(Instant::now() + within)?.ok_or(LinkError::TimedOut)? {
            Message::Welcome { protocol, app_version, .. } if protocol != PROTOCOL => {
                Err(LinkError::Incompatible { protocol, app_version })
            }
            Message::Welcome {
                app_version, package, boot_id, service_running, uptime_ms, ..
            } => {
                let uptime = Duration::from_millis(uptime_ms);
                let told = Identity { app_version, package, boot_id, service_running, uptime };
                Ok(self.identity.insert(told))
            }
            other => Err(unexpected(&other)),
        }
    }

    /// Sends an execution and sees it through. The id must be new for every sending.
    ///
    /// On a connection on which nothing has been said, hello and the execution travel together:
    /// an operator of another protocol hears the hello first and takes nothing after it.
    pub fn dispatch(
        &mut self,
        dispatch_id: &str,
        execution: &Execution,
        within: Duration,
        caller: &mut dyn Caller,
    ) -> Result<Dispatched, LinkError> {
        let request = Message::request(dispatch_id, execution);
        if self.identity.is_some() {
            self.outgoing.frames(&[request])?;
        } else {
            self.outgoing.frames(&[self.hello().to_frame(), request])?;
            self.welcome(within.min(GREETING))?;
        }
        self.see_through(dispatch_id, within, caller)
    }

    /// Asks what became of a dispatch. Executes nothing.
    pub fn resume(
        &mut self,
        dispatch_id: &str,
        within: Duration,
        caller: &mut dyn Caller,
    ) -> Result<Dispatched, LinkError> {
        self.send(&Message::Resume { dispatch_id: dispatch_id.into() })?;
        self.see_through(dispatch_id, within, caller)
    }

    /// Asks the operator to stop a dispatch at its next wait. Its result comes as always.
    pub fn cancel(&mut self, dispatch_id: &str) -> Result<(), LinkError> {
        self.send(&Message::Cancel { dispatch_id: dispatch_id.into() })
    }

    fn send(&mut self, message: &Message) -> Result<(), LinkError> {
        Ok(self.outgoing.send(message)?)
    }

    /// The next message, if it comes by then. Bytes that come before it are kept for it.
    fn next(&mut self, until: Instant) -> Result<Option<Message>, LinkError> {
        loop {
            let left = until.saturating_duration_since(Instant::now());
            if left.is_zero() {
                return Ok(None);
            }
            self.incoming.stream().set_read_limit(Some(left))?;
            let arrival = match self.incoming.next().map_err(LinkError::from) {
                Err(LinkError::TimedOut) => return Ok(None),
                other => other?,
            };
            match arrival {
                Arrival::Message(message) => return Ok(Some(*message)),
                Arrival::Bytes { id, bytes } => {
                    self.pictures.insert(id, bytes);
                }
                Arrival::End => {
                    return Err(LinkError::Broken(io::ErrorKind::UnexpectedEof.into()));
                }
            }
        }
    }

    fn see_through(
        &mut self,
        wanted: &str,
        within: Duration,
        caller: &mut dyn Caller,
    ) -> Result<Dispatched, LinkError> {
        let until = Instant::now() + within;
        let mut steps = Vec::new();
        let mut stopping = false;
        loop {
            if !stopping && caller.wants_to_stop() {
                stopping = true;
                self.cancel(wanted)?;
            }
            let now = Instant::now();
            if now >= until {
                return Err(LinkError::TimedOut);
            }
            let Some(message) = self.next(until.min(now + LOOK))? else { continue };
            match message {
                Message::Accepted { .. } => {}
                Message::Step { dispatch_id, index, result, attachments } => {
                    let picture = attachments.iter().find_map(|a| self.pictures.remove(&a.id));
                    if dispatch_id == wanted {
                        caller.step_ended(index as usize, &result, picture);
                        steps.push(result);
                    }
                }
                Message::HostCall { dispatch_id, call_id, call } => {
                    let answer = caller.host_call(call);
                    self.send(&Message::HostAnswer { dispatch_id, call_id, answer })?;
                }
                Message::Result { dispatch_id, mut envelope, replayed, told }
                    if dispatch_id == wanted =>
                {
                    if steps.len() < told as usize {
                        let heard = steps.len();
                        let why = format!("{told} steps were told, {heard} were heard");
                        return Err(LinkError::Nonsense(why));
                    }
                    steps.truncate(told as usize);
                    steps.append(&mut envelope.step_results);
                    envelope.step_results = steps;
                    return Ok(Dispatched { envelope, replayed });
                }
                // The end of another dispatch somebody asked for on this connection.
                Message::Result { .. } => {}
                Message::Refused { code, message, .. } => {
                    return Err(LinkError::Refused { code, message });
                }
                other => return Err(unexpected(&other)),
            }
        }
    }
}

fn unexpected(message: &Message) -> LinkError {
    match message {
        Message::Refused { code, message, .. } => {
            LinkError::Refused { code: code.clone(), message: message.clone() }
        }
        other => {
            let text: String = json::compact(other).chars().take(80).collect();
            LinkError::Nonsense(text)
        }
    }
}
