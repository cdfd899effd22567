//! The sending half of a connection, and its open streams: what services and the connection's
//! thread share.

use std::collections::HashMap;
use std::io::{self, Write};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use crate::channel::Channel;
use crate::link::Link;
use crate::lock::lock;
use crate::packet::{self, Command};

/// Streams a host may have open at once; each is a thread. A busy host has a dozen.
const MAX_STREAMS: usize = 256;

pub(crate) struct Wire {
    link: Link,
    /// One packet at a time.
    sending: Mutex<()>,
    checksums: AtomicBool,
    max_payload: AtomicUsize,
    streams: Mutex<Streams>,
}

#[derive(Default)]
struct Streams {
    open: HashMap<u32, Arc<Channel>>,
    last: u32,
    /// The connection has ended: nothing opens any more.
    ended: bool,
}

impl Wire {
    pub(crate) fn new(link: Link) -> Self {
        Self {
            link,
            sending: Mutex::default(),
            // Until the host has said that it does without.
            checksums: AtomicBool::new(true),
            max_payload: AtomicUsize::new(packet::MIN_PAYLOAD),
            streams: Mutex::default(),
        }
    }

    /// What both sides can do, from the host's greeting.
    pub(crate) fn agree(&self, checksums: bool, max_payload: usize) {
        self.checksums.store(checksums, Ordering::Relaxed);
        self.max_payload.store(max_payload, Ordering::Relaxed);
    }

    pub(crate) fn checksums(&self) -> bool {
        self.checksums.load(Ordering::Relaxed)
    }

    pub(crate) fn max_payload(&self) -> usize {
        self.max_payload.load(Ordering::Relaxed)
    }

    pub(crate) fn send(
        &self,
        command: Command,
        arg0: u32,
        arg1: u32,
        payload: &[u8],
    ) -> io::Result<()> {
        // A greeting and a token come before the host knows what was agreed.
        let checksums = self.checksums() || matches!(command, Command::Connect | Command::Auth);
        let bytes = packet::encode(command, arg0, arg1, payload, checksums);
        let _one_at_a_time = lock(&self.sending);
        self.link.clone().write_all(&bytes)
    }

    pub(crate) fn cut(&self) {
        self.link.cut();
    }

    /// A new stream to the host's `remote`; `None` when there are too many.
    pub(crate) fn open(&self, remote: u32) -> Option<Arc<Channel>> {
        let mut streams = lock(&self.streams);
        if streams.ended || streams.open.len() >= MAX_STREAMS {
            return None;
        }
        // Never 0, which means "none", and never one that still lives.
        let local = loop {
            streams.last = streams.last.wrapping_add(1);
            if streams.last != 0 && !streams.open.contains_key(&streams.last) {
                break streams.last;
            }
        };
        let channel = Arc::new(Channel::new(local, remote));
        streams.open.insert(local, Arc::clone(&channel));
        Some(channel)
    }

    /// The stream that both sides mean; packets for others are late, and dropped.
    pub(crate) fn stream(&self, local: u32, remote: u32) -> Option<Arc<Channel>> {
        lock(&self.streams).open.get(&local).filter(|channel| channel.remote == remote).cloned()
    }

    /// The host closed a stream.
    pub(crate) fn closed_by_host(&self, channel: &Channel) {
        lock(&self.streams).open.remove(&channel.local);
        channel.close();
    }

    /// The service is done with a stream.
    pub(crate) fn closed_by_service(&self, channel: &Channel) {
        if channel.close() {
            lock(&self.streams).open.remove(&channel.local);
            // A broken link closes the stream just as well.
            let _ = self.send(Command::Close, channel.local, channel.remote, &[]);
        }
    }

    /// The connection has ended, and all its streams with it.
    pub(crate) fn end(&self) {
        self.cut();
        let open = {
            let mut streams = lock(&self.streams);
            streams.ended = true;
            std::mem::take(&mut streams.open)
        };
        for channel in open.into_values() {
            channel.close();
        }
    }
}
