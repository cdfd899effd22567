//! The functions that walk the stack when Rust panics. The NDK brings them as `libunwind.a`; this
//! archive takes its place where the library is linked without an NDK.
#![no_std]

extern crate unwinding as _;

unsafe extern "C" {
    safe fn abort() -> !;
}

/// A panic inside the unwinder has nowhere to go.
#[panic_handler]
fn panic(_: &core::panic::PanicInfo<'_>) -> ! {
    abort()
}
