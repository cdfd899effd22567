//! The simulated phone as the runtime sees it.

use crate::device::{Device, World};
use clawperator_contract::runnable::StrokePoint;
use clawperator_runtime::phone::{
    Display, GestureEnd, GlobalAction, Launch, Moment, NodeAction, Phone, PhoneError, Picture,
};
use clawperator_runtime::screen::{Generation, NodeHandle, Screen};
use std::sync::Arc;
use std::time::Duration;

/// A [`Device`] as a [`Phone`]: what an accessibility service on it can do.
#[derive(Clone, Debug)]
pub struct SimPhone {
    device: Device,
}

impl SimPhone {
    /// The service of this phone.
    #[must_use]
    pub fn new(device: Device) -> Self {
        Self { device }
    }

    /// The phone it is on.
    #[must_use]
    pub fn device(&self) -> &Device {
        &self.device
    }
}

impl Phone for SimPhone {
    fn capture(&mut self) -> Result<Screen, PhoneError> {
        let slow = self.device.taking(self.device.latency().capture, |world| {
            world.asked()?;
            let slow = world.chaos.strikes(|faults| faults.slow_captures);
            Ok(if slow { world.chaos.delay(200, 1_500) } else { Duration::ZERO })
        })?;
        self.device.taking(slow, World::capture)
    }

    fn perform(&mut self, node: NodeHandle, action: &NodeAction) -> Result<bool, PhoneError> {
        self.device.taking(self.device.latency().action, |world| {
            world.asked()?;
            world.perform(node, action)
        })
    }

    fn gesture(&mut self, strokes: &[Vec<StrokePoint>]) -> Result<GestureEnd, PhoneError> {
        let end = self.device.taking(Duration::ZERO, |world| {
            world.asked()?;
            Ok(if !world.powered || world.chaos.strikes(|faults| faults.refused_gestures) {
                GestureEnd::Refused
            } else if world.chaos.strikes(|faults| faults.cancelled_gestures) {
                GestureEnd::Cancelled
            } else {
                GestureEnd::Completed
            })
        })?;
        match end {
            GestureEnd::Completed => self.device.gesture(strokes),
            GestureEnd::Cancelled => self.device.gesture_part(strokes, 0.5),
            GestureEnd::Refused => {}
        }
        Ok(end)
    }

    fn global(&mut self, action: GlobalAction) -> Result<bool, PhoneError> {
        self.device.taking(self.device.latency().action, |world| {
            world.asked()?;
            match action {
                GlobalAction::Back => world.back(),
                GlobalAction::Home => world.home_key(),
                GlobalAction::Recents => world.recents_key(),
                GlobalAction::DismissNotificationShade => {}
            }
            Ok(true)
        })
    }

    fn launch(&mut self, package: &str) -> Result<Launch, PhoneError> {
        self.device.taking(self.device.latency().action, |world| {
            world.asked()?;
            Ok(world.start(package, None))
        })
    }

    fn view(&mut self, uri: &str) -> Result<Launch, PhoneError> {
        self.device.taking(self.device.latency().action, |world| {
            world.asked()?;
            Ok(world.view(uri, None))
        })
    }

    fn screenshot(&mut self) -> Result<Picture, PhoneError> {
        self.device.taking(self.device.latency().screenshot, World::asked)?;
        Ok(self.device.picture())
    }

    fn display(&mut self) -> Result<Display, PhoneError> {
        self.device.taking(Duration::ZERO, |world| {
            world.asked()?;
            Ok(world.display())
        })
    }

    fn wake(&mut self) -> Result<(), PhoneError> {
        self.device.taking(Duration::ZERO, World::asked)?;
        self.device.wake();
        self.device.dismiss_keyguard();
        Ok(())
    }

    fn scroll_mark(&mut self) -> u64 {
        self.device.taking(Duration::ZERO, |world| world.scroll_mark)
    }

    fn vitals(&mut self) -> Vec<(String, String)> {
        let yes = || "true".to_owned();
        vec![
            ("developer_options_enabled".to_owned(), yes()),
            ("usb_debugging_enabled".to_owned(), yes()),
            ("simulated".to_owned(), yes()),
        ]
    }

    fn generation(&self) -> Generation {
        self.device.generation()
    }

    fn wait(&mut self, since: Option<Generation>, until: Moment) {
        self.device.wait(since, until);
    }

    fn waker(&self) -> Arc<dyn Fn() + Send + Sync> {
        self.device.waker()
    }
}
