//! The routes, by what they are about.

pub(super) mod about;
pub(super) mod dispatches;
pub(super) mod emulators;
pub(super) mod executions;
pub(super) mod phones;
pub(super) mod pocket;
pub(super) mod recipes;
pub(super) mod recordings;
pub(super) mod skills;

use super::answer::broken;
use super::bodies::Text;
use clawperator_contract::Failure;

/// Does something that blocks, away from the threads that serve connections.
pub(super) async fn blocking<T: Send + 'static>(
    what: impl FnOnce() -> Result<T, Failure> + Send + 'static,
) -> Result<T, Failure> {
    let done = tokio::task::spawn_blocking(what).await;
    done.unwrap_or_else(|_| Err(broken("the route has a fault")))
}

pub(super) fn text(text: Option<Text>) -> Option<String> {
    text.map(|text| text.0)
}
