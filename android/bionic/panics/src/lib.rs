//! A library that panics. The operator has no panic that can be asked for, and should have none.

use std::cell::Cell;
use std::panic::{AssertUnwindSafe, catch_unwind, set_hook};

struct Counted<'a>(&'a Cell<i32>);

impl Drop for Counted<'_> {
    fn drop(&mut self) {
        self.0.set(self.0.get() + 1);
    }
}

/// Panics `depth` calls down. The number of frames that were cleaned up on the way out, or -1 if
/// the message did not arrive.
#[unsafe(no_mangle)]
pub extern "C" fn panic_below(depth: i32) -> i32 {
    set_hook(Box::new(|_| {}));
    let cleaned = Cell::new(0);
    let caught = catch_unwind(AssertUnwindSafe(|| descend(depth, &cleaned)));
    let message = caught.err().and_then(|panic| panic.downcast::<String>().ok());
    if message.is_some_and(|text| *text == "with 0 to go") { cleaned.get() } else { -1 }
}

#[inline(never)]
fn descend(left: i32, cleaned: &Cell<i32>) {
    if left == 0 {
        panic!("with {left} to go");
    }
    let _counted = Counted(cleaned);
    descend(left - 1, cleaned);
}

/// Panics in a thread of its own; 1 if whoever joins it is told.
#[unsafe(no_mangle)]
pub extern "C" fn panic_in_a_thread() -> i32 {
    set_hook(Box::new(|_| {}));
    let thread = std::thread::spawn(|| panic!("in a thread"));
    i32::from(thread.join().is_err_and(|panic| panic.downcast_ref() == Some(&"in a thread")))
}
