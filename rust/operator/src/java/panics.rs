//! Where faults of native methods end.

use jni::Env;
use jni::errors::{ErrorPolicy, Result};
use std::any::Any;

/// An error or a panic is logged, and Java gets zero, false or null: an exception on Android's main
/// thread would end the app, and with it every execution.
pub(super) struct LogAndGoOn;

impl<T: Default, E: std::fmt::Display> ErrorPolicy<T, E> for LogAndGoOn {
    type Captures<'env: 'native, 'native> = ();

    fn on_error<'env: 'native, 'native>(
        env: &mut Env<'env>,
        (): &mut Self::Captures<'env, 'native>,
        error: E,
    ) -> Result<T> {
        env.exception_clear();
        log::error!("a call from the app failed: {error}");
        Ok(T::default())
    }

    fn on_panic<'env: 'native, 'native>(
        env: &mut Env<'env>,
        (): &mut Self::Captures<'env, 'native>,
        panic: Box<dyn Any + Send + 'static>,
    ) -> Result<T> {
        env.exception_clear();
        log::error!("a call from the app panicked: {}", panic_text(panic.as_ref()));
        Ok(T::default())
    }
}

/// The message of a panic, whichever way it was raised: with arguments it is a `String`.
pub(super) fn panic_text(panic: &(dyn Any + Send)) -> &str {
    if let Some(text) = panic.downcast_ref::<&str>() {
        return text;
    }
    panic.downcast_ref::<String>().map_or("for an unknown reason", String::as_str)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::panic::catch_unwind;

    #[test]
    fn the_text_of_a_panic_is_found_with_and_without_arguments() {
        let number = std::hint::black_box(7);
        let plain = catch_unwind(|| panic!("boom")).unwrap_err();
        let formatted = catch_unwind(|| panic!("boom {number}")).unwrap_err();
        let other = catch_unwind(|| std::panic::panic_any(number)).unwrap_err();
        assert_eq!(panic_text(plain.as_ref()), "boom");
        assert_eq!(panic_text(formatted.as_ref()), "boom 7");
        assert_eq!(panic_text(other.as_ref()), "for an unknown reason");
    }
}
