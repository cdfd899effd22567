//! An answer that Android gives later, on another thread.

use crate::lock;
use std::sync::{Condvar, Mutex, PoisonError};
use std::time::Instant;

/// One question at a time, each with a token: an answer that comes too late is nobody's.
#[derive(Debug)]
pub(crate) struct Awaited<T> {
    state: Mutex<State<T>>,
    told: Condvar,
}

#[derive(Debug)]
struct State<T> {
    token: i32,
    answer: Option<T>,
    hung_up: bool,
}

impl<T> Default for Awaited<T> {
    fn default() -> Self {
        let state = State { token: 0, answer: None, hung_up: false };
        Self { state: Mutex::new(state), told: Condvar::new() }
    }
}

impl<T> Awaited<T> {
    /// A new question; answers to those before it are not heard any more.
    pub(crate) fn ask(&self) -> i32 {
        let mut state = lock(&self.state);
        *state = State { token: state.token.wrapping_add(1), answer: None, hung_up: false };
        state.token
    }

    /// Tells the answer, if this is still the question.
    pub(crate) fn tell(&self, token: i32, answer: T) {
        let mut state = lock(&self.state);
        if state.token == token && state.answer.is_none() {
            state.answer = Some(answer);
            drop(state);
            self.told.notify_all();
        }
    }

    /// Whoever waits waits no longer: nobody is left who would answer.
    pub(crate) fn hang_up(&self) {
        lock(&self.state).hung_up = true;
        self.told.notify_all();
    }

    /// The answer, if it comes by then.
    pub(crate) fn wait(&self, until: Instant) -> Option<T> {
        let mut state = lock(&self.state);
        loop {
            let left = until.saturating_duration_since(Instant::now());
            if state.answer.is_some() || state.hung_up || left.is_zero() {
                return state.answer.take();
            }
            let waited = self.told.wait_timeout(state, left);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::sync::Arc;
    use std::time::Duration;

    fn far() -> Instant {
        Instant::now() + Duration::from_secs(60)
    }

    #[test]
    fn an_answer_ends_the_wait_before_it_or_after_it() {
        let awaited = Arc::new(Awaited::default());
        let token = awaited.ask();
        awaited.tell(token, "early");
        assert_eq!(awaited.wait(far()), Some("early"));

        let token = awaited.ask();
        let other = Arc::clone(&awaited);
        let telling = std::thread::spawn(move || other.tell(token, "late"));
        assert_eq!(awaited.wait(far()), Some("late"));
        telling.join().unwrap();
    }

    #[test]
    fn an_answer_to_an_older_question_is_nobodys() {
        let awaited = Awaited::default();
        let old = awaited.ask();
        let new = awaited.ask();
        awaited.tell(old, 1);
        awaited.tell(new, 2);
        awaited.tell(new, 3);
        assert_eq!(awaited.wait(far()), Some(2));
    }

    #[test]
    fn hanging_up_ends_the_wait_without_an_answer() {
        let awaited = Awaited::<()>::default();
        awaited.ask();
        awaited.hang_up();
        assert_eq!(awaited.wait(far()), None);
    }
}
