//! Screens that wait to hear that there is something new to tell.

use crate::lock;
use std::sync::Mutex;

type Wake = Box<dyn Fn() + Send>;

/// More than one while Android replaces an activity by its next.
static SCREENS: Mutex<Vec<(u64, Wake)>> = Mutex::new(Vec::new());

/// Something the screen tells has changed. It does not wait for the screen.
pub(crate) fn changed() {
    for (_, wake) in lock(&SCREENS).iter() {
        wake();
    }
}

/// Wakes a screen at every change, until it is dropped.
#[cfg(any(target_os = "android", test))]
pub(super) struct Listening(u64);

#[cfg(any(target_os = "android", test))]
impl Listening {
    pub(super) fn new(wake: impl Fn() + Send + 'static) -> Self {
        let mut screens = lock(&SCREENS);
        let number = screens.last().map_or(0, |(last, _)| last + 1);
        screens.push((number, Box::new(wake)));
        Self(number)
    }
}

#[cfg(any(target_os = "android", test))]
impl Drop for Listening {
    fn drop(&mut self) {
        lock(&SCREENS).retain(|(number, _)| *number != self.0);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::mpsc::channel;

    #[test]
    fn every_screen_hears_of_a_change_until_it_is_gone() {
        let ((tell_one, one), (tell_two, two)) = (channel(), channel());
        let first = Listening::new(move || tell_one.send(()).unwrap_or_default());
        let second = Listening::new(move || tell_two.send(()).unwrap_or_default());
        changed();
        assert!(one.try_recv().is_ok() && two.try_recv().is_ok());
        drop(first);
        changed();
        assert!(two.try_recv().is_ok());
        // Its sender is gone with it; whatever other tests changed meanwhile came before.
        while one.try_recv() == Ok(()) {}
        assert_eq!(one.try_recv(), Err(std::sync::mpsc::TryRecvError::Disconnected));
        drop(second);
    }
}
