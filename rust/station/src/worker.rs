//! The worker, and the station the links see.

use clawperator_contract::Envelope;
use clawperator_contract::envelope::StepResult;
use clawperator_contract::message::{HostAnswer, HostCall};
use clawperator_link::station::{Courier, DispatchState, Identity, Station, Taken};
use clawperator_runtime::dispatches::Known;
use clawperator_runtime::executor::{Executor, Job, Sender, Submitted};
use clawperator_runtime::phone::{Clock, Phone};
use clawperator_runtime::recording::Recorder;
use clawperator_runtime::{Observer, Runtime};
use std::io;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Stack of the worker: the deepest it goes is a step of an action, far below this; on a phone
/// Android's own calls stand on it too. Pages that are never touched cost nothing.
const WORKER_STACK: usize = 1 << 20;

/// What an operator is made of, beside its phone.
pub struct Setup {
    /// Version it tells.
    pub app_version: String,
    /// Package it runs as.
    pub package: String,
    /// Another one for every process: whoever sees it change knows that memory was lost.
    pub boot_id: String,
    /// Where recordings go.
    pub recorder: Arc<Recorder>,
    /// Decides the jitter of retries.
    pub seed: u64,
}

/// An operator that runs: executions go in over any link, one worker performs them.
pub struct Operator {
    executor: Arc<Executor>,
    clock: Box<dyn Clock + Send + Sync>,
    identity: Identity,
    started: Instant,
    service_running: AtomicBool,
}

impl Operator {
    /// Starts the worker on this phone.
    pub fn start<P, C>(phone: P, clock: C, setup: Setup) -> io::Result<Self>
    where
        P: Phone + Send + 'static,
        C: Clock + Clone + Send + Sync + 'static,
    {
        let executor = Arc::new(Executor::default());
        let work = Arc::clone(&executor);
        let mut runtime =
            Runtime::new(phone, clock.clone(), setup.recorder, &setup.package, setup.seed);
        // It ends by itself when the executor is closed, which dropping the operator does.
        std::thread::Builder::new()
            .name("operator".into())
            .stack_size(WORKER_STACK)
            .spawn(move || work.work(&mut runtime))?;
        let identity = Identity {
            app_version: setup.app_version,
            package: setup.package,
            boot_id: setup.boot_id,
            service_running: true,
            uptime: Duration::ZERO,
        };
        Ok(Self {
            executor,
            clock: Box::new(clock),
            identity,
            started: Instant::now(),
            service_running: AtomicBool::new(true),
        })
    }

    /// Says whether the accessibility service runs, as the handshake tells it.
    pub fn set_service_running(&self, running: bool) {
        self.service_running.store(running, Ordering::SeqCst);
    }

    /// Ends like a process that is killed: nothing more is done and nobody is told.
    pub fn kill(&self) {
        self.executor.abort();
    }
}

impl Drop for Operator {
    fn drop(&mut self) {
        self.executor.close();
    }
}

impl Station for Operator {
    fn identity(&self) -> Identity {
        let service_running = self.service_running.load(Ordering::SeqCst);
        Identity { service_running, uptime: self.started.elapsed(), ..self.identity.clone() }
    }

    fn submit(
        &self,
        dispatch_id: Option<&str>,
        payload: Vec<u8>,
        courier: Box<dyn Courier>,
    ) -> Taken {
        let job = Job {
            dispatch_id: dispatch_id.map(str::to_owned),
            payload,
            arrived: self.clock.now(),
            sender: Box::new(Carried(courier)),
        };
        match self.executor.submit(job) {
            Submitted::Queued => Taken::Queued,
            Submitted::Known(known) => Taken::Known(state(known)),
            Submitted::Closed => Taken::Closed,
        }
    }

    fn outcome(&self, dispatch_id: &str, wait: Duration) -> DispatchState {
        state(self.executor.dispatches().wait(dispatch_id, wait))
    }

    fn cancel(&self, dispatch_id: &str) {
        self.executor.dispatches().cancel(dispatch_id);
    }
}

fn state(known: Known) -> DispatchState {
    match known {
        Known::Nothing => DispatchState::Unknown,
        Known::Running => DispatchState::Running,
        Known::Ended(envelope) => DispatchState::Ended(envelope),
    }
}

/// A courier of the link, as the runtime knows its senders.
struct Carried(Box<dyn Courier>);

impl Observer for Carried {
    fn step_ended(&mut self, index: usize, result: &StepResult, picture: Option<Vec<u8>>) {
        self.0.step_ended(index, result, picture);
    }

    fn host_call(&mut self, call: HostCall, within: Duration) -> Option<HostAnswer> {
        self.0.host_call(call, within)
    }
}

impl Sender for Carried {
    fn ended(&mut self, envelope: Arc<Envelope>) {
        self.0.ended(envelope);
    }
}
