//! `--device sim`: a simulated phone inside this process, behind the same link as any other.

use clawperator_contract::envelope::{StepData, StepResult};
use clawperator_contract::message::{HostAnswer, HostCall};
use clawperator_contract::{Envelope, ErrorCode, Execution, Failure};
use clawperator_link::socket::{Caller, HostSession, LinkError, serve};
use clawperator_link::station::Station;
use clawperator_simphone::device::Options;
use clawperator_simphone::system::{Identity, OperatorPackage, RELEASE_PACKAGE, System};
use std::os::unix::net::UnixStream;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

/// What names it on the command line.
pub(crate) const NAME: &str = "sim";

/// A host waits this much longer than the phone may take.
const MARGIN: Duration = Duration::from_secs(5);

/// Boots a phone, runs the execution on it, and switches it off again.
pub(crate) fn run(execution: &Execution) -> Result<Envelope, Failure> {
    let failed = |message: String| Failure::new(ErrorCode::SimulatorFailed, message);
    let options = Options::real().map_err(|error| failed(error.to_string()))?;
    let operators = vec![OperatorPackage::current()];
    let system = System::boot(options, &Identity::default(), operators)
        .map_err(|error| failed(error.to_string()))?;
    let operator: Arc<dyn Station> = system
        .operator(RELEASE_PACKAGE)
        .ok_or_else(|| failed("the operator's process did not start".into()))?;
    let connected = UnixStream::pair().and_then(|(host, phone)| {
        let (host_writer, phone_writer) = (host.try_clone()?, phone.try_clone()?);
        std::thread::Builder::new()
            .name("link".into())
            .spawn(move || serve(phone, phone_writer, &operator))?;
        Ok((host, host_writer))
    });
    let (reader, writer) = connected.map_err(|error| failed(error.to_string()))?;
    let version = env!("CARGO_PKG_VERSION");
    let mut session =
        HostSession::open(reader, writer, version, MARGIN).map_err(|e| link_failure(&e))?;
    // One phone, one process, one sending: any id is new.
    let dispatch_id = format!("{}-1", std::process::id());
    let mut host = Host { system: &system, execution, pictures: Vec::new() };
    let within = execution.timeout() + MARGIN;
    let mut done = session
        .dispatch(&dispatch_id, execution, within, &mut host)
        .map_err(|error| link_failure(&error))?;
    host.finish(&mut done.envelope);
    system.shut_down();
    Ok(done.envelope)
}

fn link_failure(error: &LinkError) -> Failure {
    let code = match error {
        LinkError::TimedOut => ErrorCode::ResultEnvelopeTimeout,
        _ => ErrorCode::LinkUnavailable,
    };
    Failure::new(code, error.to_string())
}

/// Does what only a host can, and keeps the pictures until the end.
struct Host<'a> {
    system: &'a Arc<System>,
    execution: &'a Execution,
    pictures: Vec<(usize, Vec<u8>)>,
}

impl Caller for Host<'_> {
    fn step_ended(&mut self, index: usize, _result: &StepResult, picture: Option<Vec<u8>>) {
        self.pictures.extend(picture.map(|png| (index, png)));
    }

    fn host_call(&mut self, call: HostCall) -> HostAnswer {
        match call {
            HostCall::CloseApp { application_id } => {
                self.system.force_stop(&application_id);
                HostAnswer::Done { data: StepData::new() }
            }
            other => HostAnswer::Failed {
                code: ErrorCode::ActionFailed.name().into(),
                message: format!("the simulated phone does this by itself: {other:?}"),
            },
        }
    }
}

/// What is said of a snapshot that was taken at once after a click.
const UNSETTLED: &str = "snapshot captured without a preceding sleep step; UI may not have settled - consider adding a sleep step between click and snapshot_ui";

impl Host<'_> {
    /// Puts pictures into files and warns of snapshots that came too early.
    fn finish(&self, envelope: &mut Envelope) {
        for (index, png) in &self.pictures {
            let path = self.picture_path(*index);
            let Some(step) = envelope.step_results.get_mut(*index) else { continue };
            match std::fs::write(&path, png) {
                Ok(()) => {
                    step.data.insert("path".into(), path.display().to_string());
                }
                Err(error) => {
                    let message = format!("{}: {error}", path.display());
                    let (id, kind) = (step.id.clone(), step.action_type.clone());
                    *step = StepResult::failure(&id, &kind, ErrorCode::OutputUnwritable, &message);
                }
            }
        }
        let clicks = ["click", "scroll_and_click"];
        for index in 1..envelope.step_results.len() {
            let after_click =
                clicks.contains(&envelope.step_results[index - 1].action_type.as_str());
            let step = &mut envelope.step_results[index];
            if after_click && step.success && step.action_type == "snapshot_ui" {
                step.data.insert("warn".into(), UNSETTLED.into());
            }
        }
        envelope.reconcile();
    }

    fn picture_path(&self, index: usize) -> PathBuf {
        let action = self.execution.actions().get(index);
        let asked = action.and_then(|action| action.param("path")).and_then(|path| path.as_str());
        asked.map_or_else(
            || std::env::temp_dir().join(format!("clawperator-{}-{index}.png", std::process::id())),
            PathBuf::from,
        )
    }
}
