//! The screen in the phone's window. It sleeps until something happens: an event of Android's, news
//! of the operator, or the moment at which "3 min ago" is no longer true.

use super::news::Listening;
use super::{Face, Insets, Page, Picture, Status, phones_font, render};
use crate::java::MainThread;
use crate::lock;
use android_activity::input::{InputEvent, KeyAction, Keycode, MotionAction};
use android_activity::ndk::configuration::UiModeNight;
use android_activity::ndk::hardware_buffer_format::HardwareBufferFormat;
use android_activity::ndk::native_window::NativeWindow;
use android_activity::{AndroidApp, InputStatus, MainEvent, PollEvent};
use std::io;
use std::panic::catch_unwind;
use std::path::Path;
use std::sync::{Arc, Mutex};

/// A finger that moved farther than this between touching and leaving did not tap.
const SLOP_DP: f32 = 16.0;
/// Of a phone that does not say: the middle of what phones have.
const USUAL_DPI: u32 = 420;

/// The screen of one activity.
pub(crate) struct Window<'a> {
    app: &'a AndroidApp,
    face: Option<Face>,
    /// Told by Android's main thread.
    insets: Arc<Mutex<Insets>>,
    /// What the window shows, as words and on which page.
    shown: Option<(String, Page)>,
    /// Where a finger touched.
    touched: Option<(f32, f32)>,
    on_screen: bool,
    over: bool,
}

impl<'a> Window<'a> {
    pub(crate) fn new(app: &'a AndroidApp) -> Self {
        let face = phones_font(Path::new("/system"));
        if face.is_none() {
            log::warn!("no font was found below /system: the status screen has no words");
        }
        let insets = Arc::default();
        Self { app, face, insets, shown: None, touched: None, on_screen: false, over: false }
    }

    /// Shows the status until the activity ends.
    pub(crate) fn run(mut self) {
        let waker = self.app.create_waker();
        let _listening = Listening::new(move || waker.wake());
        while !self.over {
            let keeps = Status::now().keeps_for().filter(|_| self.on_screen);
            let app = self.app;
            app.poll_events(keeps, |event| self.happened(&event));
            // After the event: its window is still there, or gone for good.
            if self.on_screen
                && let Some(window) = app.native_window()
            {
                self.update(&window);
            }
        }
    }

    fn happened(&mut self, event: &PollEvent<'_>) {
        match event {
            PollEvent::Main(MainEvent::Destroy) => self.over = true,
            PollEvent::Main(MainEvent::Start) => self.on_screen = true,
            // The window stays a while and nobody looks at it.
            PollEvent::Main(MainEvent::Stop) => self.on_screen = false,
            PollEvent::Main(
                MainEvent::InitWindow { .. }
                | MainEvent::TerminateWindow { .. }
                | MainEvent::WindowResized { .. }
                | MainEvent::RedrawNeeded { .. },
            ) => self.shown = None,
            PollEvent::Main(MainEvent::InputAvailable) => {
                if self.tapped()
                    && let Err(error) = crate::java::open_accessibility_settings(self.app)
                {
                    log::error!("Android did not open its accessibility settings: {error}");
                }
            }
            _ => {}
        }
    }

    fn tapped(&mut self) -> bool {
        let mut tapped = false;
        let slop = SLOP_DP * self.density();
        let Ok(mut events) = self.app.input_events_iter() else { return false };
        while events.next(|event| match event {
            InputEvent::MotionEvent(motion) => {
                let at = motion.pointers().next().map(|finger| (finger.x(), finger.y()));
                match motion.action() {
                    MotionAction::Down => self.touched = at,
                    MotionAction::Up => {
                        let from = self.touched.take();
                        tapped |= from.zip(at).is_some_and(|((x, y), (to_x, to_y))| {
                            (x - to_x).abs() <= slop && (y - to_y).abs() <= slop
                        });
                    }
                    MotionAction::Cancel | MotionAction::PointerDown => self.touched = None,
                    _ => {}
                }
                InputStatus::Handled
            }
            // A keyboard, or the stick of a television.
            InputEvent::KeyEvent(key)
                if matches!(key.key_code(), Keycode::Enter | Keycode::DpadCenter) =>
            {
                tapped |= key.action() == KeyAction::Up;
                InputStatus::Handled
            }
            // Back, above all, is Android's.
            _ => InputStatus::Unhandled,
        }) {}
        tapped
    }

    fn density(&self) -> f32 {
        let dpi = self.app.config().density().filter(|dpi| *dpi > 0).unwrap_or(USUAL_DPI);
        // Android's highest is below 1,000.
        f32::from(u16::try_from(dpi.min(2_000)).unwrap_or(420)) / 160.0
    }

    /// Draws, if the window does not show this already.
    fn update(&mut self, window: &NativeWindow) {
        let status = Status::now();
        let spoken = status.spoken();
        MainThread::new(self.app, &self.insets).visit(&spoken, status.api_level);
        let side = |length: i32| u32::try_from(length).unwrap_or(0);
        let page = Page {
            width: side(window.width()),
            height: side(window.height()),
            density: self.density(),
            dark: self.app.config().ui_mode_night() == UiModeNight::Yes,
            insets: *lock(&self.insets),
        };
        let now = Some((spoken, page));
        if self.shown == now {
            return;
        }
        let picture = render(&status, &page, self.face.as_ref());
        match catch_unwind(|| paint(window, &picture)) {
            Ok(Ok(())) => self.shown = now,
            // Windows come and go; the next event tries again.
            Ok(Err(error)) => log::warn!("the status screen was not drawn: {error}"),
            Err(_) => log::warn!("the status screen was not drawn: Android did not take it"),
        }
    }
}

/// Carries a picture to the window. Panics when Android does not take the buffer back, so nothing
/// else in here may.
fn paint(window: &NativeWindow, picture: &Picture) -> io::Result<()> {
    // Its own size; a NativeActivity's window has 16 bits a pixel unless asked for more.
    window.set_buffers_geometry(0, 0, Some(HardwareBufferFormat::R8G8B8A8_UNORM))?;
    let mut buffer = window.lock(None)?;
    let (width, height) = (picture.width as usize, picture.height as usize);
    let (size, format) = ((buffer.width(), buffer.height()), buffer.format());
    let expected = format == HardwareBufferFormat::R8G8B8A8_UNORM && size == (width, height);
    let Some(lines) = buffer.lines().filter(|_| expected) else {
        return Err(io::Error::other(format!("the window gave {size:?} pixels of {format:?}")));
    };
    for (line, row) in lines.zip(picture.rgba.chunks_exact((width * 4).max(1))) {
        line.write_copy_of_slice(row);
    }
    Ok(())
}
