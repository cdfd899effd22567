//! The activity a person opens: Android's own NativeActivity, with a thread of ours behind it.
//!
//! It finds this library in the process already: the application loaded it and started the operator
//! before any activity can come. NativeActivity opens it once more, which counts a reference and
//! calls no `JNI_OnLoad`.

use super::panics::panic_text;
use crate::lock;
use crate::status::{Insets, Window};
use android_activity::{AndroidApp, AndroidAppWaker};
use jni::errors::Result;
use jni::objects::JString;
use jni::refs::{LoaderContext, Reference};
use jni::{Env, JavaVM, bind_java_type};
use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Mutex};

bind_java_type! {
    Intent => android.content.Intent,
    constructors { fn new(action: JString) },
}

bind_java_type! {
    Activity => android.app.Activity,
    type_map = {
        AndroidWindow => android.view.Window,
        Intent => android.content.Intent,
    },
    methods {
        fn get_window() -> AndroidWindow,
        fn start_activity(intent: Intent),
    },
}

bind_java_type! {
    AndroidWindow => android.view.Window,
    type_map = { View => android.view.View },
    methods { fn get_decor_view() -> View },
}

bind_java_type! {
    View => android.view.View,
    type_map = { WindowInsets => android.view.WindowInsets },
    methods {
        fn get_root_window_insets() -> WindowInsets,
        fn set_content_description(text: JCharSequence),
    },
}

bind_java_type! {
    WindowInsets => android.view.WindowInsets,
    methods {
        fn get_system_window_inset_left() -> jint,
        fn get_system_window_inset_top() -> jint,
        fn get_system_window_inset_right() -> jint,
        fn get_system_window_inset_bottom() -> jint,
    },
}

/// Since this API level Android knows where cameras are.
const CUTOUTS: i32 = 28;

bind_java_type! {
    InsetsWithCutout => android.view.WindowInsets,
    type_map = { DisplayCutout => android.view.DisplayCutout },
    methods { fn get_display_cutout() -> DisplayCutout },
}

bind_java_type! {
    DisplayCutout => android.view.DisplayCutout,
    methods {
        fn get_safe_inset_left() -> jint,
        fn get_safe_inset_top() -> jint,
        fn get_safe_inset_right() -> jint,
        fn get_safe_inset_bottom() -> jint,
    },
}

/// Looks up what every supported Android has.
pub(super) fn look_up(env: &mut Env<'_>, loader: &LoaderContext<'_, '_>) -> Result<()> {
    IntentAPI::get(env, loader)?;
    ActivityAPI::get(env, loader)?;
    AndroidWindowAPI::get(env, loader)?;
    ViewAPI::get(env, loader)?;
    WindowInsetsAPI::get(env, loader)?;
    Ok(())
}

/// Called on a thread of its own for every activity that Android makes, until that one ends.
#[unsafe(no_mangle)]
pub(crate) fn android_main(app: AndroidApp) {
    // A fault of the screen ends the screen; the operator goes on.
    if let Err(panic) = catch_unwind(AssertUnwindSafe(|| Window::new(&app).run())) {
        log::error!("the status screen panicked: {}", panic_text(panic.as_ref()));
    }
}

/// Runs something with the activity. Attaching opens a frame for local references and catches what
/// Java throws.
fn with_activity<T>(
    app: &AndroidApp,
    work: impl FnOnce(&mut Env<'_>, &Activity<'_>) -> Result<T>,
) -> Result<T> {
    let reference: jni::sys::jobject = app.activity_as_ptr().cast();
    JavaVM::singleton()?.attach_current_thread(|env| {
        // SAFETY: it is a global reference that lives as long as `app`. Its class is checked.
        let activity = unsafe { env.as_cast_raw::<Activity<'_>>(&reference) }?;
        work(env, &activity)
    })
}

/// Opens Android's accessibility settings. Any thread may.
pub(crate) fn open_accessibility_settings(app: &AndroidApp) -> Result<()> {
    // Settings.ACTION_ACCESSIBILITY_SETTINGS
    const ACTION: &str = "android.settings.ACCESSIBILITY_SETTINGS";
    with_activity(app, |env, activity| {
        let action = JString::from_str(env, ACTION)?;
        let intent = Intent::new(env, &action)?;
        activity.start_activity(env, &intent)
    })
}

/// What only Android's main thread may do, for a screen that must not wait for it.
pub(crate) struct MainThread {
    app: AndroidApp,
    insets: Arc<Mutex<Insets>>,
    waker: AndroidAppWaker,
}

impl MainThread {
    /// For this activity; insets are put there, and its screen is woken when they are others.
    pub(crate) fn new(app: &AndroidApp, insets: &Arc<Mutex<Insets>>) -> Self {
        Self { app: app.clone(), insets: Arc::clone(insets), waker: app.create_waker() }
    }

    /// Asks for the insets, and gives the window a text for those who hear it instead of seeing it:
    /// of pixels Android knows nothing.
    pub(crate) fn visit(self, spoken: &str, api_level: i32) {
        let (app, spoken) = (self.app.clone(), spoken.to_owned());
        app.run_on_java_main_thread(Box::new(move || {
            match with_activity(&self.app, |env, at| described(env, at, &spoken, api_level)) {
                Ok(Some(insets)) => {
                    let before = std::mem::replace(&mut *lock(&self.insets), insets);
                    if before != insets {
                        self.waker.wake();
                    }
                }
                // The window is not on the screen yet, or no more.
                Ok(None) => {}
                Err(error) => log::warn!("the insets of the screen are not known: {error}"),
            }
        }));
    }
}

fn described(
    env: &mut Env<'_>,
    activity: &Activity<'_>,
    spoken: &str,
    api_level: i32,
) -> Result<Option<Insets>> {
    let window = activity.get_window(env)?;
    let view = window.get_decor_view(env)?;
    let text = JString::from_str(env, spoken)?;
    view.set_content_description(env, &text)?;
    let insets = view.get_root_window_insets(env)?;
    if insets.is_null() {
        return Ok(None);
    }
    let bars = [
        insets.get_system_window_inset_left(env)?,
        insets.get_system_window_inset_top(env)?,
        insets.get_system_window_inset_right(env)?,
        insets.get_system_window_inset_bottom(env)?,
    ];
    let cut = if api_level >= CUTOUTS { cutout(env, &insets)? } else { [0; 4] };
    let edge = |at: usize| u32::try_from(bars[at].max(cut[at])).unwrap_or(0);
    Ok(Some(Insets { left: edge(0), top: edge(1), right: edge(2), bottom: edge(3) }))
}

fn cutout(env: &mut Env<'_>, insets: &WindowInsets<'_>) -> Result<[i32; 4]> {
    let insets = env.as_cast::<InsetsWithCutout<'_>>(insets)?;
    let cutout = insets.get_display_cutout(env)?;
    if cutout.is_null() {
        return Ok([0; 4]);
    }
    Ok([
        cutout.get_safe_inset_left(env)?,
        cutout.get_safe_inset_top(env)?,
        cutout.get_safe_inset_right(env)?,
        cutout.get_safe_inset_bottom(env)?,
    ])
}
