//! How a device introduces itself.

use std::sync::Arc;

use clawperator_adbd::{Auth, Banner, Device, Server, Service};

use crate::host::Host;

struct Named(Banner);

impl Device for Named {
    fn banner(&self) -> Banner {
        self.0.clone()
    }

    fn open(&self, _service: &str) -> Option<Service> {
        None
    }
}

fn line(banner: Banner) -> String {
    let server = Server::bind("127.0.0.1:0", Arc::new(Named(banner)), Auth::NoAuth).unwrap();
    String::from_utf8(Host::greeting(server.port()).read().payload).unwrap()
}

#[test]
fn the_banner_is_the_one_a_phone_sends() {
    assert_eq!(
        line(Banner::new("sdk_phone", "Pixel 9", "tokay")),
        "device::ro.product.name=sdk_phone;ro.product.model=Pixel 9;ro.product.device=tokay;\
         features=shell_v2,stat_v2,ls_v2,fixed_push_mkdir,sendrecv_v2"
    );
}

#[test]
fn a_name_cannot_smuggle_in_another_field() {
    let line = line(Banner::new("a;features=delayed_ack", "m", "d"));
    assert!(line.contains("ro.product.name=a_features=delayed_ack;"), "{line}");
}
