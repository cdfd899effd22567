//! The queue in front of the runtime: executions run one at a time, in the order they came.

use crate::cancel::Cancel;
use crate::context::Observer;
use crate::dispatches::{Dispatches, Known};
use crate::phone::{Clock, Moment, Phone};
use crate::run::Runtime;
use clawperator_contract::Envelope;
use std::collections::VecDeque;
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};

/// Whoever sent an execution and waits for its end.
pub trait Sender: Observer + Send {
    /// It has ended.
    fn ended(&mut self, envelope: Arc<Envelope>);
}

/// An execution as it came in.
pub struct Job {
    /// Minted by the host. A plain broadcast has none, and always acts.
    pub dispatch_id: Option<String>,
    /// The payload's text.
    pub payload: Vec<u8>,
    /// When it came; waiting in the queue counts against its timeout.
    pub arrived: Moment,
    /// Who waits for it.
    pub sender: Box<dyn Sender>,
}

/// What became of a job that was handed in.
#[derive(Clone, Debug, PartialEq)]
pub enum Submitted {
    /// It stands in the queue.
    Queued,
    /// Its dispatch id is known: nothing is executed, this is what is known.
    Known(Known),
    /// The executor was closed.
    Closed,
}

/// Takes jobs from many threads and runs them on one.
#[derive(Default)]
pub struct Executor {
    queue: Mutex<Queue>,
    changed: Condvar,
    dispatches: Dispatches,
}

#[derive(Default)]
struct Queue {
    jobs: VecDeque<(Job, Cancel)>,
    running: Option<Cancel>,
    closed: bool,
    aborted: bool,
}

impl Queue {
    /// The next job, which runs from now on.
    fn take(&mut self) -> Option<(Job, Cancel)> {
        let next = self.jobs.pop_front()?;
        self.running = Some(next.1.clone());
        Some(next)
    }
}

impl Executor {
    /// Hands a job in.
    pub fn submit(&self, job: Job) -> Submitted {
        let mut queue = self.lock();
        if queue.closed {
            return Submitted::Closed;
        }
        let cancel = match &job.dispatch_id {
            None => Cancel::default(),
            Some(id) => match self.dispatches.begin(id) {
                Some(cancel) => cancel,
                None => return Submitted::Known(self.dispatches.known(id)),
            },
        };
        queue.jobs.push_back((job, cancel));
        drop(queue);
        self.changed.notify_one();
        Submitted::Queued
    }

    /// The memory of dispatches.
    pub fn dispatches(&self) -> &Dispatches {
        &self.dispatches
    }

    /// Runs jobs until the executor is closed. The one worker thread spends its life here.
    pub fn work<P: Phone, C: Clock>(&self, runtime: &mut Runtime<P, C>) {
        while let Some((job, cancel)) = self.next() {
            self.run(runtime, job, &cancel);
        }
    }

    /// Runs the jobs that wait now, then returns.
    pub fn work_off<P: Phone, C: Clock>(&self, runtime: &mut Runtime<P, C>) {
        loop {
            let next = self.lock().take();
            let Some((job, cancel)) = next else { return };
            self.run(runtime, job, &cancel);
        }
    }

    /// Takes no more jobs; the worker returns when it has run those that wait.
    pub fn close(&self) {
        self.lock().closed = true;
        self.changed.notify_all();
    }

    /// Ends at once, as a process that is killed does: what waits is dropped, what runs stops at
    /// its next look, and nobody is told.
    pub fn abort(&self) {
        let mut queue = self.lock();
        (queue.closed, queue.aborted) = (true, true);
        queue.jobs.clear();
        let running = queue.running.take();
        drop(queue);
        if let Some(running) = running {
            running.cancel();
        }
        self.changed.notify_all();
    }

    fn next(&self) -> Option<(Job, Cancel)> {
        let mut queue = self.lock();
        loop {
            if let Some(next) = queue.take() {
                return Some(next);
            }
            if queue.closed {
                return None;
            }
            queue = self.changed.wait(queue).unwrap_or_else(PoisonError::into_inner);
        }
    }

    /// Whatever happens, the dispatch ends with an envelope and the worker lives on.
    fn run<P: Phone, C: Clock>(&self, runtime: &mut Runtime<P, C>, mut job: Job, cancel: &Cancel) {
        let envelope = runtime.execute(&job.payload, job.arrived, cancel, job.sender.as_mut());
        if self.lock().aborted {
            return;
        }
        let envelope = Arc::new(envelope);
        // Remembered before it is told: whoever loses the answer can ask for it.
        if let Some(id) = &job.dispatch_id {
            self.dispatches.end(id, Arc::clone(&envelope));
        }
        if catch_unwind(AssertUnwindSafe(|| job.sender.ended(envelope))).is_err() {
            log::error!("the sender of an execution panicked");
        }
    }

    /// A thread that panicked left the queue as whole as it found it.
    fn lock(&self) -> MutexGuard<'_, Queue> {
        self.queue.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
