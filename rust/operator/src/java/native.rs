//! What Kotlin calls.

use super::panics::LogAndGoOn;
use super::service::Shim;
use crate::app::{self, Start};
use crate::changes::ScrollPosition;
use crate::recorded::Told;
use clawperator_link::broadcast::{
    Broadcast, EXTRA_CANCEL, EXTRA_DISPATCH, EXTRA_PAYLOAD, EXTRA_RESUME,
};
use jni::errors::{Error, Result};
use jni::objects::{JByteArray, JClass, JIntArray, JString};
use jni::refs::Reference;
use jni::sys::{jboolean, jint};
use jni::{Env, bind_java_type};

bind_java_type! {
    pub(super) Native => com.clawperator.operator.Native,
    type_map = { Shim => com.clawperator.operator.Shim },
    native_methods_export = false,
    native_methods_error_policy = LogAndGoOn,
    native_methods {
        static fn start(
            package_name: JString,
            version: JString,
            recordings: JString,
            api_level: jint,
            accepted_uids: [jint]
        ),
        static fn stop(),
        static fn connected(shim: Shim),
        static fn disconnected(),
        static fn event(kind: jint) -> jboolean,
        static fn scrolled(x: jint, y: jint, first_item: jint, dx: jint, dy: jint) -> jboolean,
        static fn key(code: jint) -> jboolean,
        static fn record(
            kind: jint,
            package_name: JString,
            class_name: JString,
            event_text: JString,
            node_text: JString,
            description: JString,
            resource_id: JString,
            password: jboolean,
            numbers: [jint]
        ),
        static fn record_key(code: jint),
        static fn gesture_ended(token: jint, completed: jboolean),
        static fn screenshot_ended(token: jint, failure: jint, png: [jbyte]),
        static fn receive(payload: JString, dispatch: JString, resume: JString, cancel: JString),
    },
}

impl NativeNativeInterface for NativeAPI {
    type Error = Error;

    fn start<'local>(
        env: &mut Env<'local>,
        _class: JClass<'local>,
        package: JString<'local>,
        version: JString<'local>,
        recordings: JString<'local>,
        api_level: jint,
        accepted_uids: JIntArray<'local>,
    ) -> Result<()> {
        crate::logging::init();
        let mut uids = vec![0; accepted_uids.len(env)?];
        accepted_uids.get_region(env, 0, &mut uids)?;
        let start = Start {
            package: package.try_to_string(env)?,
            version: version.try_to_string(env)?,
            recordings: recordings.try_to_string(env)?.into(),
            api_level,
            accepted_uids: uids.into_iter().filter_map(|uid| u32::try_from(uid).ok()).collect(),
        };
        if let Err(error) = app::start(start) {
            log::error!("the operator did not start: {error}");
        }
        Ok(())
    }

    fn stop<'local>(_env: &mut Env<'local>, _class: JClass<'local>) -> Result<()> {
        app::stop();
        Ok(())
    }

    fn connected<'local>(
        env: &mut Env<'local>,
        _class: JClass<'local>,
        shim: Shim<'local>,
    ) -> Result<()> {
        let shim = env.new_global_ref(shim)?;
        if let Some(app) = app::current() {
            app.service.connect(shim);
            app.service_changed();
        }
        Ok(())
    }

    fn disconnected<'local>(_env: &mut Env<'local>, _class: JClass<'local>) -> Result<()> {
        if let Some(app) = app::current() {
            app.service.disconnect();
            app.service_changed();
        }
        Ok(())
    }

    fn event<'local>(
        _env: &mut Env<'local>,
        _class: JClass<'local>,
        kind: jint,
    ) -> Result<jboolean> {
        Ok(app::current().is_some_and(|app| app.event(kind)))
    }

    fn scrolled<'local>(
        _env: &mut Env<'local>,
        _class: JClass<'local>,
        x: jint,
        y: jint,
        first_item: jint,
        dx: jint,
        dy: jint,
    ) -> Result<jboolean> {
        let position = ScrollPosition { x, y, first_item, delta: (dx, dy) };
        Ok(app::current().is_some_and(|app| app.scrolled(position)))
    }

    fn key<'local>(_env: &mut Env<'local>, _class: JClass<'local>, code: jint) -> Result<jboolean> {
        Ok(app::current().is_some_and(|app| app.wants_key(code)))
    }

    fn record<'local>(
        env: &mut Env<'local>,
        _class: JClass<'local>,
        kind: jint,
        package: JString<'local>,
        class: JString<'local>,
        event_text: JString<'local>,
        node_text: JString<'local>,
        description: JString<'local>,
        resource_id: JString<'local>,
        password: jboolean,
        numbers: JIntArray<'local>,
    ) -> Result<()> {
        let Some(app) = app::current() else { return Ok(()) };
        let (mut bounds, mut scroll) = ([0; 4], [0; 4]);
        numbers.get_region(env, 0, &mut bounds)?;
        numbers.get_region(env, 4, &mut scroll)?;
        app.record(Told {
            kind,
            package: optional(env, &package)?,
            class: optional(env, &class)?,
            event_text: optional(env, &event_text)?,
            node_text: optional(env, &node_text)?,
            description: optional(env, &description)?,
            resource_id: optional(env, &resource_id)?,
            password,
            bounds,
            scroll,
        });
        Ok(())
    }

    fn record_key<'local>(
        _env: &mut Env<'local>,
        _class: JClass<'local>,
        code: jint,
    ) -> Result<()> {
        if let Some(app) = app::current() {
            app.record_key(code);
        }
        Ok(())
    }

    fn gesture_ended<'local>(
        _env: &mut Env<'local>,
        _class: JClass<'local>,
        token: jint,
        completed: jboolean,
    ) -> Result<()> {
        if let Some(app) = app::current() {
            app.answers.gesture.tell(token, completed);
        }
        Ok(())
    }

    fn screenshot_ended<'local>(
        env: &mut Env<'local>,
        _class: JClass<'local>,
        token: jint,
        failure: jint,
        png: JByteArray<'local>,
    ) -> Result<()> {
        let Some(app) = app::current() else { return Ok(()) };
        let taken = if png.is_null() { Err(failure) } else { Ok(env.convert_byte_array(&png)?) };
        app.answers.screenshot.tell(token, taken);
        Ok(())
    }

    fn receive<'local>(
        env: &mut Env<'local>,
        _class: JClass<'local>,
        payload: JString<'local>,
        dispatch: JString<'local>,
        resume: JString<'local>,
        cancel: JString<'local>,
    ) -> Result<()> {
        let extras = [
            (EXTRA_PAYLOAD, optional(env, &payload)?),
            (EXTRA_DISPATCH, optional(env, &dispatch)?),
            (EXTRA_RESUME, optional(env, &resume)?),
            (EXTRA_CANCEL, optional(env, &cancel)?),
        ];
        let get = |key: &str| extras.iter().find(|(own, _)| *own == key)?.1.clone();
        match (app::current(), Broadcast::from_extras(get)) {
            (Some(app), Some(broadcast)) => app.receive(broadcast),
            (_, None) => log::warn!("a broadcast came without `{EXTRA_PAYLOAD}`"),
            (None, _) => log::error!("a broadcast came, but the operator has not started"),
        }
        Ok(())
    }
}

fn optional(env: &Env<'_>, text: &JString<'_>) -> Result<Option<String>> {
    if text.is_null() { Ok(None) } else { text.try_to_string(env).map(Some) }
}
