//! The accessibility service, as Rust calls it.

use crate::lock;
use clawperator_runtime::phone::PhoneError;
use clawperator_runtime::screen::{Generation, Screen};
use jni::errors::Error;
use jni::objects::{JByteBuffer, JIntArray, JString};
use jni::refs::{Global, Reference};
use jni::{Env, JavaVM, bind_java_type};
use std::sync::{Arc, Mutex};

bind_java_type! {
    pub(super) Shim => com.clawperator.operator.Shim,
    methods {
        fn capture(generation: jlong) -> JByteBuffer,
        fn look() -> JByteBuffer,
        fn perform(node: jint, action: jint, text: JString) -> jint,
        fn gesture(token: jint, strokes: [jint]) -> jboolean,
        fn global(action: jint) -> jboolean,
        fn launch(package_name: JString) -> jint,
        fn view(uri: JString) -> jint,
        fn screenshot(token: jint) -> jboolean,
        fn display() -> jint,
        fn wake(),
        fn setting(name: JString) -> jint,
    },
}

/// The service while it runs. Each question is one call into Java, on whichever thread asks.
#[derive(Default)]
pub(crate) struct Service {
    shim: Mutex<Option<Arc<Global<Shim<'static>>>>>,
}

impl Service {
    pub(super) fn connect(&self, shim: Global<Shim<'static>>) {
        *lock(&self.shim) = Some(Arc::new(shim));
    }

    pub(super) fn disconnect(&self) {
        *lock(&self.shim) = None;
    }

    pub(crate) fn is_running(&self) -> bool {
        lock(&self.shim).is_some()
    }

    /// Captures the screen and keeps its nodes, to be acted on.
    pub(crate) fn capture(&self, generation: Generation) -> Result<Screen, PhoneError> {
        let number = i64::try_from(generation).unwrap_or(i64::MAX);
        self.ask(|env, shim| {
            let packed = shim.capture(env, number)?;
            decoded(env, &packed)
        })?
    }

    /// Captures the screen only to be read.
    pub(crate) fn look(&self) -> Result<Screen, PhoneError> {
        self.ask(|env, shim| {
            let packed = shim.look(env)?;
            decoded(env, &packed)
        })?
    }

    /// Performs an action on a node of the newest capture.
    pub(crate) fn perform(
        &self,
        node: u32,
        action: i32,
        text: Option<&str>,
    ) -> Result<i32, PhoneError> {
        let node = i32::try_from(node).map_err(|_| PhoneError::NodeGone)?;
        self.ask(|env, shim| {
            let text = text.map_or(Ok(JString::null()), |text| JString::from_str(env, text))?;
            shim.perform(env, node, action, &text)
        })
    }

    pub(crate) fn gesture(&self, token: i32, strokes: &[i32]) -> Result<bool, PhoneError> {
        self.ask(|env, shim| {
            let numbers = JIntArray::new(env, strokes.len())?;
            numbers.set_region(env, 0, strokes)?;
            shim.gesture(env, token, &numbers)
        })
    }

    pub(crate) fn global(&self, action: i32) -> Result<bool, PhoneError> {
        self.ask(|env, shim| shim.global(env, action))
    }

    pub(crate) fn launch(&self, package: &str) -> Result<i32, PhoneError> {
        self.ask(|env, shim| {
            let package = JString::from_str(env, package)?;
            shim.launch(env, &package)
        })
    }

    pub(crate) fn view(&self, uri: &str) -> Result<i32, PhoneError> {
        self.ask(|env, shim| {
            let uri = JString::from_str(env, uri)?;
            shim.view(env, &uri)
        })
    }

    pub(crate) fn screenshot(&self, token: i32) -> Result<bool, PhoneError> {
        self.ask(|env, shim| shim.screenshot(env, token))
    }

    pub(crate) fn display(&self) -> Result<i32, PhoneError> {
        self.ask(|env, shim| shim.display(env))
    }

    pub(crate) fn wake(&self) -> Result<(), PhoneError> {
        self.ask(|env, shim| shim.wake(env))
    }

    pub(crate) fn setting(&self, name: &str) -> Result<i32, PhoneError> {
        self.ask(|env, shim| {
            let name = JString::from_str(env, name)?;
            shim.setting(env, &name)
        })
    }

    /// Asks the shim. Local references end with the question: attaching opens a frame of its own.
    fn ask<T>(
        &self,
        question: impl FnOnce(&mut Env<'_>, &Shim<'static>) -> jni::errors::Result<T>,
    ) -> Result<T, PhoneError> {
        let shim = lock(&self.shim).clone().ok_or(PhoneError::ServiceUnavailable)?;
        let answer =
            JavaVM::singleton().and_then(|vm| vm.attach_current_thread(|env| question(env, &shim)));
        // What a service says that was unbound meanwhile is no answer: it says no to everything.
        let same = |now: &Arc<_>| Arc::ptr_eq(now, &shim);
        if !lock(&self.shim).as_ref().is_some_and(same) {
            return Err(PhoneError::ServiceUnavailable);
        }
        answer.map_err(|error| PhoneError::Failed(described(&error)))
    }
}

fn described(error: &Error) -> String {
    match error {
        Error::CaughtJavaException { name, msg, .. } => format!("Android threw {name}: {msg}"),
        other => format!("Android could not be asked: {other}"),
    }
}

fn decoded(
    env: &mut Env<'_>,
    packed: &JByteBuffer<'_>,
) -> jni::errors::Result<Result<Screen, PhoneError>> {
    let length = env.get_direct_buffer_capacity(packed)?;
    let start = env.get_direct_buffer_address(packed)?;
    // SAFETY: the buffer is direct, so its memory stays where it is, and `packed` keeps it alive.
    // Nobody writes to it meanwhile: the shim writes only when asked for a capture, and each of
    // its two buffers is asked for by one thread.
    let bytes = unsafe { std::slice::from_raw_parts(start, length) };
    Ok(Screen::decode(bytes).map_err(|error| PhoneError::Failed(error.to_string())))
}
