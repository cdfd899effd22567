//! How the phone's time passes.

use super::{Device, Shared, World, lock};
use clawperator_runtime::phone::{Clock, Moment};
use clawperator_runtime::screen::Generation;
use std::sync::{Arc, MutexGuard, PoisonError, Weak};
use std::thread;
use std::time::Duration;

/// The longest a phone in real time sleeps without looking whether it is still wanted.
const NAP: Duration = Duration::from_secs(1);

/// In real time things happen even when nobody looks: a thread sees to that, as long as the phone
/// is wanted.
pub(super) struct Life(Weak<Shared>);

impl Life {
    pub(super) fn new(shared: &Arc<Shared>) -> Self {
        if !shared.clock.is_virtual() {
            let weak = Arc::downgrade(shared);
            let thread = thread::Builder::new().name("simphone".into());
            if let Err(error) = thread.spawn(move || live(&weak)) {
                log::warn!("the phone's own thread did not start: {error}");
            }
        }
        Self(Arc::downgrade(shared))
    }
}

impl Drop for Life {
    fn drop(&mut self) {
        if let Some(shared) = self.0.upgrade() {
            shared.changed.notify_all();
        }
    }
}

fn live(weak: &Weak<Shared>) {
    while let Some(shared) = weak.upgrade() {
        let world = shared.up_to_date();
        let now = shared.clock.now();
        let nap = world.agenda.next().map_or(NAP, |at| at.saturating_sub(now).min(NAP));
        drop(shared.sleep(world, nap));
        shared.deliver();
        // Only this thread is left: nobody can ask for anything any more.
        if Arc::strong_count(&shared) == 1 {
            return;
        }
    }
}

impl Shared {
    /// Lets go of the phone for at most so long, or until something happens to it.
    fn sleep<'a>(
        &'a self,
        world: MutexGuard<'a, World>,
        longest: Duration,
    ) -> MutexGuard<'a, World> {
        let slept = self.changed.wait_timeout(world, longest);
        let (mut world, _) = slept.unwrap_or_else(PoisonError::into_inner);
        let before = world.counter;
        world.catch_up();
        if world.counter != before {
            self.changed.notify_all();
        }
        world
    }

    /// Lets time pass, with everything that happens in it.
    fn pass_until<'a>(
        &'a self,
        mut world: MutexGuard<'a, World>,
        moment: Moment,
    ) -> MutexGuard<'a, World> {
        loop {
            world.catch_up();
            let now = self.clock.now();
            if now >= moment {
                return world;
            }
            let next = world.agenda.next().map_or(moment, |at| at.min(moment));
            if self.clock.is_virtual() {
                self.clock.advance_to(next);
            } else {
                world = self.sleep(world, next.saturating_sub(now));
            }
        }
    }
}

impl Device {
    /// Lets time pass: at once in virtual time, by waiting in real time.
    pub fn advance(&self, time: Duration) {
        let world = self.shared.up_to_date();
        let until = self.shared.clock.now() + time;
        drop(self.shared.pass_until(world, until));
        self.shared.changed.notify_all();
        self.shared.deliver();
    }

    /// Waits until the counter of events and captures has moved on from `since`, or `until` has
    /// come, or somebody calls the waker. Without `since` it waits for the other two only.
    pub fn wait(&self, since: Option<Generation>, until: Moment) {
        let mut world = self.shared.up_to_date();
        loop {
            let now = self.shared.clock.now();
            let moved = since.is_some_and(|since| world.counter > since);
            if moved || world.woken || now >= until {
                world.woken = false;
                break;
            }
            let next = world.agenda.next().map_or(until, |at| at.min(until));
            if self.shared.clock.is_virtual() {
                self.shared.clock.advance_to(next);
                world.catch_up();
            } else {
                world = self.shared.sleep(world, next.saturating_sub(now));
            }
        }
        drop(world);
        self.shared.deliver();
    }

    /// Ends a wait of another thread at once, or the next one if nobody waits.
    #[must_use]
    pub fn waker(&self) -> Arc<dyn Fn() + Send + Sync> {
        let shared = Arc::downgrade(&self.shared);
        Arc::new(move || {
            if let Some(shared) = shared.upgrade() {
                lock(&shared.world).woken = true;
                shared.changed.notify_all();
            }
        })
    }

    /// Lets an operation take its time, then does it and tells everybody.
    pub(crate) fn taking<T>(&self, time: Duration, work: impl FnOnce(&mut World) -> T) -> T {
        let world = self.shared.up_to_date();
        let until = self.shared.clock.now() + time;
        let mut world = self.shared.pass_until(world, until);
        let result = work(&mut world);
        drop(world);
        self.shared.changed.notify_all();
        self.shared.deliver();
        result
    }

    /// Does something at moments, one after the other, and lets time pass in between. Each is told
    /// what to do; the phone is free for others while time passes.
    pub(crate) fn at_moments<T>(
        &self,
        moments: impl Iterator<Item = (Moment, T)>,
        mut work: impl FnMut(&mut World, T),
    ) {
        for (moment, what) in moments {
            let world = self.shared.up_to_date();
            let mut world = self.shared.pass_until(world, moment);
            work(&mut world, what);
            drop(world);
            self.shared.changed.notify_all();
            self.shared.deliver();
        }
    }

    pub(crate) fn latency(&self) -> super::Latency {
        self.shared.lock().latency
    }
}
