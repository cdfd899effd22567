//! What whoever uses this crate gives: a name, and services.

use crate::stream::Stream;

/// Features of the protocol that this crate itself serves: `shell,v2` framing, and all of `sync:`
/// without compression. A device that offers neither service should leave them out.
///
/// Not here, because nothing in this crate does it: `delayed_ack` (we acknowledge one write at a
/// time), `cmd`, `abb` and `abb_exec` (ways to install, which are services of the device).
pub const FEATURES: [&str; 5] = ["shell_v2", "stat_v2", "ls_v2", "fixed_push_mkdir", "sendrecv_v2"];

/// How the device introduces itself; `adb devices -l` shows it.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Banner {
    /// `ro.product.name`.
    pub name: String,
    /// `ro.product.model`.
    pub model: String,
    /// `ro.product.device`.
    pub device: String,
    /// What the device can do, [`FEATURES`] usually and perhaps more.
    pub features: Vec<String>,
}

impl Banner {
    /// A banner with [`FEATURES`].
    #[must_use]
    pub fn new(name: &str, model: &str, device: &str) -> Self {
        Self {
            name: name.to_owned(),
            model: model.to_owned(),
            device: device.to_owned(),
            features: FEATURES.map(str::to_owned).to_vec(),
        }
    }

    pub(crate) fn to_line(&self) -> String {
        format!(
            "device::ro.product.name={};ro.product.model={};ro.product.device={};features={}",
            one_value(&self.name),
            one_value(&self.model),
            one_value(&self.device),
            one_value(&self.features.join(",")),
        )
    }
}

/// Without what would end the value or the banner.
fn one_value(value: &str) -> String {
    value.replace([';', '\0'], "_")
}

/// Serves one stream, on a thread of its own. It must return soon after its stream has closed:
/// [`crate::Server::close`] waits for it.
pub type Service = Box<dyn FnOnce(Stream) + Send>;

/// A device: who it is and what it serves.
pub trait Device: Send + Sync + 'static {
    /// How it introduces itself; asked once for each host that comes in.
    fn banner(&self) -> Banner;

    /// The service of this name (`shell:ls`, `sync:`, `tcp:80`, `localabstract:echo`), or `None`
    /// to refuse it. Called on the connection's thread, so it decides and does not wait; the
    /// answer runs on its own thread.
    fn open(&self, service: &str) -> Option<Service>;
}
