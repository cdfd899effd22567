//! MCP over HTTP, for agents that find this program running.

use super::{Office, Server};
use rmcp::transport::streamable_http_server::session::local::LocalSessionManager;
use rmcp::transport::{StreamableHttpServerConfig, StreamableHttpService};
use std::sync::Arc;
use tokio_util::sync::CancellationToken;

/// The service behind `/mcp`. It checks no token and no origin: that is for whoever mounts it, in
/// the same way as for every other route. Ends with its token.
#[must_use]
pub fn service(
    office: Office,
    end: CancellationToken,
) -> StreamableHttpService<Server, LocalSessionManager> {
    let config =
        StreamableHttpServerConfig::default().with_cancellation_token(end).disable_allowed_hosts();
    let agent = move || Ok(Server::new(office.clone()));
    StreamableHttpService::new(agent, Arc::new(LocalSessionManager::default()), config)
}
