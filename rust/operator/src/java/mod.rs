//! Everything that touches JNI.
//!
//! Kotlin calls the natives of [`native`]; Rust calls the methods of [`service`]. Behind the screen
//! a person opens is `activity`, on Android only. Classes and methods are looked up once, in `JNI_OnLoad`: there the class loader of the app is at hand, which
//! a thread of our own does not have. Nothing unwinds into Java, and no exception of Java's stays
//! pending here: both become errors where they happen.

#[cfg(target_os = "android")]
mod activity;
mod native;
mod panics;
mod service;

#[cfg(target_os = "android")]
pub(crate) use activity::{MainThread, open_accessibility_settings};
pub(crate) use service::Service;

use clawperator_contract::operator::LOG_TAG;
use jni::objects::{JClass, JString};
use jni::refs::LoaderContext;
use jni::sys::{JNI_ERR, JNI_VERSION_1_6, jint};
use jni::{Env, JavaVM, bind_java_type, jni_str};
use std::ffi::c_void;

bind_java_type! {
    FrameworkLog => android.util.Log,
    methods { static fn println(priority: jint, tag: JString, line: JString) -> jint },
}

/// Called by `System.loadLibrary`, before anything else of this library.
#[unsafe(no_mangle)]
pub(crate) extern "system" fn JNI_OnLoad(
    vm: *mut jni::sys::JavaVM,
    _reserved: *mut c_void,
) -> jint {
    // SAFETY: Java hands over its own virtual machine.
    let vm = unsafe { JavaVM::from_raw(vm) };
    let prepared = std::panic::catch_unwind(|| vm.attach_current_thread(look_up));
    match prepared {
        Ok(Ok(())) => JNI_VERSION_1_6,
        // `loadLibrary` fails then, which is what the log tells.
        Ok(Err(_)) | Err(_) => JNI_ERR,
    }
}

fn look_up(env: &mut Env<'_>) -> jni::errors::Result<()> {
    // Here, and only here, FindClass asks the loader of whoever called `loadLibrary`.
    let own: JClass<'_> = env.find_class(jni_str!("com/clawperator/operator/Native"))?;
    let loader = own.get_class_loader(env)?;
    let app = LoaderContext::Loader(&loader);
    native::NativeAPI::get(env, &app)?;
    service::ShimAPI::get(env, &app)?;
    FrameworkLogAPI::get(env, &app)?;
    #[cfg(target_os = "android")]
    activity::look_up(env, &app)?;
    Ok(())
}

/// Writes a line to the phone's log.
pub(crate) fn print(priority: i32, line: &str) {
    let printed = JavaVM::singleton().and_then(|vm| {
        vm.attach_current_thread(|env| {
            let tag = JString::from_str(env, LOG_TAG)?;
            let line = JString::from_str(env, line)?;
            FrameworkLog::println(env, priority, &tag, &line)
        })
    });
    // There is no other place to tell it.
    drop(printed);
}
