//! The lines in front of the phones, and the threads that work them off.

use super::Desk;
use super::fair::Fair;
use super::ticket::Ticket;
use super::work::Work;
use clawperator_contract::{ErrorCode, Failure};
use std::collections::HashMap;
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

/// A thread without work waits so long for some before it goes.
const IDLE: Duration = Duration::from_secs(20);
/// Phones that can have lines at once. A name of a phone is believed at first, so somebody could
/// invent any number of them.
const LANES: usize = 1_024;

/// Something that waits for its turn.
pub(super) struct Job {
    pub(super) ticket: Ticket,
    pub(super) work: Work,
    pub(super) wait: Duration,
}

/// All lines, by the serials of their phones.
pub(super) struct Lanes {
    most: usize,
    lanes: Mutex<HashMap<String, Arc<Lane>>>,
}

#[derive(Default)]
struct Lane {
    queue: Mutex<Fair<Job>>,
    bell: Condvar,
}

impl Lanes {
    pub(super) fn new(most: usize) -> Self {
        Self { most, lanes: Mutex::default() }
    }

    /// Lines up, and sees to it that somebody works.
    pub(super) fn push(&self, desk: &Desk, client: &str, job: Job) -> Result<(), Failure> {
        let device = job.ticket.device().to_owned();
        let mut lanes = lock(&self.lanes);
        if let Some(lane) = lanes.get(&device) {
            let mut queue = lock(&lane.queue);
            if queue.len() >= self.most {
                return Err(full(&device, queue.len()));
            }
            queue.push(client, job);
            lane.bell.notify_one();
            return Ok(());
        }
        if lanes.len() >= LANES {
            let message = format!("{LANES} phones are busy already");
            return Err(Failure::new(ErrorCode::QueueFull, message));
        }
        let lane = Arc::<Lane>::default();
        lock(&lane.queue).push(client, job);
        let (desk, own, serial) = (desk.clone(), Arc::clone(&lane), device.clone());
        let worker = thread::Builder::new().name("phone".into());
        worker.spawn(move || work(&desk, &own, &serial)).map_err(|error| {
            let message = format!("no thread for the phone: {error}");
            Failure::new(ErrorCode::InternalServerError, message)
        })?;
        lanes.insert(device, lane);
        Ok(())
    }

    /// Takes a job out of its line.
    pub(super) fn remove(&self, device: &str, dispatch_id: &str) -> Option<Job> {
        let lane = lock(&self.lanes).get(device).cloned()?;
        lock(&lane.queue).remove(|job| job.ticket.dispatch_id() == dispatch_id)
    }

    pub(super) fn waiting(&self, device: &str) -> usize {
        let lane = lock(&self.lanes).get(device).cloned();
        lane.map_or(0, |lane| lock(&lane.queue).len())
    }

    /// Takes a line away, unless somebody lined up meanwhile.
    fn close(&self, device: &str, lane: &Lane) -> bool {
        let mut lanes = lock(&self.lanes);
        let empty = lock(&lane.queue).len() == 0;
        if empty {
            lanes.remove(device);
        }
        empty
    }
}

/// Works off one line until it has been empty for a while.
fn work(desk: &Desk, lane: &Lane, device: &str) {
    loop {
        let job = {
            let queue = lock(&lane.queue);
            let waited = lane.bell.wait_timeout_while(queue, IDLE, |queue| queue.len() == 0);
            let (mut queue, _) = waited.unwrap_or_else(PoisonError::into_inner);
            queue.pop()
        };
        match job {
            Some(job) => desk.run(job),
            None if desk.0.lanes.close(device, lane) => return,
            None => {}
        }
    }
}

fn full(device: &str, waiting: usize) -> Failure {
    let code = ErrorCode::QueueFull;
    Failure::new(code, format!("{waiting} orders wait for {device} already"))
        .detail("deviceId", device)
        .detail("waiting", waiting)
        .hint(code.remedy())
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
