//! Threads with small stacks, and waiting until all have ended.

use std::io;
use std::sync::Mutex;
use std::sync::mpsc::{Receiver, Sender, channel};
use std::thread;

use crate::lock::lock;

/// Stack of a thread. Hundreds of devices run in one process, and nothing here recurses or keeps
/// buffers on the stack; pages that are never touched cost nothing.
const STACK_BYTES: usize = 128 * 1024;

/// Starts threads that [`Finish`] waits for. Held by every such thread, so that it can start more.
#[derive(Clone)]
pub(crate) struct Workers {
    /// Never sent on: that it is dropped is the message.
    alive: Sender<()>,
}

/// Waits for the threads of its [`Workers`].
pub(crate) struct Finish(Mutex<Receiver<()>>);

impl Workers {
    pub(crate) fn new() -> (Self, Finish) {
        let (alive, gone) = channel();
        (Self { alive }, Finish(Mutex::new(gone)))
    }

    pub(crate) fn spawn(&self, name: &str, work: impl FnOnce() + Send + 'static) -> io::Result<()> {
        let alive = self.alive.clone();
        let run = move || {
            // Held through a panic too, and let go last.
            let _alive = alive;
            work();
        };
        thread::Builder::new().name(name.to_owned()).stack_size(STACK_BYTES).spawn(run)?;
        Ok(())
    }
}

impl Finish {
    /// Returns when every thread has ended and no `Workers` is left to start another.
    pub(crate) fn wait(&self) {
        // Nothing is ever sent: this ends when the last sender has gone.
        let _ = lock(&self.0).recv();
    }
}
