//! MCP over standard input and output, for an agent that starts this program.

use super::{Office, Server};
use clawperator_contract::{ErrorCode, Failure};
use rmcp::ServiceExt as _;
use rmcp::service::QuitReason;
use rmcp::transport::stdio_pipes;
use std::time::Duration;
use tokio::runtime::Builder;

/// Serves one agent until it closes its end, or until this program is told to end. What still
/// runs on a phone then is stopped there.
pub fn stdio(office: Office, told_to_end: impl Future<Output = ()>) -> Result<(), Failure> {
    // Phones have threads of their own at the desk; here is only one agent to talk to.
    let runtime = Builder::new_multi_thread().worker_threads(1).enable_all().build();
    let runtime = runtime.map_err(|error| broken(&error))?;
    let served = runtime.block_on(serve(office, told_to_end));
    // A thread may still wait for a line of standard input that will never come.
    runtime.shutdown_background();
    served
}

async fn serve(office: Office, told_to_end: impl Future<Output = ()>) -> Result<(), Failure> {
    let desk = office.desk.clone();
    tokio::pin!(told_to_end);
    let service = tokio::select! {
        service = Server::new(office).serve(stdio_pipes()) => service,
        () = &mut told_to_end => return Ok(()),
    };
    // A client that goes away before it has said who it is needs no answer.
    let Ok(service) = service else { return Ok(()) };
    let end = service.cancellation_token();
    let ended = tokio::select! {
        ended = service.waiting() => ended,
        () = &mut told_to_end => {
            // First the phones: they are what goes on without us.
            desk.close(Duration::ZERO).await;
            end.cancel();
            return Ok(());
        }
    };
    desk.close(Duration::ZERO).await;
    match ended {
        Ok(QuitReason::JoinError(error)) | Err(error) => Err(broken(&error)),
        Ok(_) => Ok(()),
    }
}

fn broken(error: &dyn std::error::Error) -> Failure {
    let code = ErrorCode::InternalError;
    Failure::new(code, format!("the agent cannot be served: {error}")).hint(code.remedy())
}
