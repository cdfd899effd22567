//! A real browser in the form of a phone, driven over its debugging pipe. Needs a Chromium:
//! `CHROMIUM_PATH`, or one in `PATH`.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::path::PathBuf;
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::sync::atomic::{AtomicU32, Ordering};
use std::time::{Duration, Instant};

/// The most a page may take for anything; only a test that hangs sees it.
const PATIENCE: Duration = Duration::from_secs(60);

/// A browser of a phone's size, with one page.
pub struct Browser {
    child: Child,
    to: ChildStdin,
    from: BufReader<ChildStdout>,
    count: u64,
    session: String,
    profile: PathBuf,
}

impl Browser {
    /// Starts one.
    pub fn phone() -> Self {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let name = format!("human-{}-{}", std::process::id(), COUNT.fetch_add(1, Ordering::SeqCst));
        let profile = std::env::temp_dir().join(name);
        let program = std::env::var("CHROMIUM_PATH").unwrap_or_else(|_| "chromium".into());
        // The browser reads commands from its descriptor 3 and writes to 4. A shell puts our pipes
        // there, which std alone cannot.
        let mut child = Command::new("sh")
            .args(["-c", "exec \"$@\" 3<&0 4>&1 </dev/null >/dev/null 2>&1", "sh", &program])
            .args(["--headless=new", "--remote-debugging-pipe", "--no-sandbox", "--disable-gpu"])
            .args(["--disable-dev-shm-usage", "--no-first-run", "--hide-scrollbars"])
            .args(["--disable-background-networking", "--disable-extensions", "--no-proxy-server"])
            .arg(format!("--user-data-dir={}", profile.display()))
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let (to, from) = (child.stdin.take().unwrap(), child.stdout.take().unwrap());
        let from = BufReader::new(from);
        let mut browser = Self { child, to, from, count: 0, session: String::new(), profile };
        let made = browser.call("Target.createTarget", json!({"url": "about:blank"}));
        let attach = json!({"targetId": made["targetId"], "flatten": true});
        let attached = browser.call("Target.attachToTarget", attach);
        browser.session = attached["sessionId"].as_str().unwrap().to_owned();
        browser.call("Page.enable", json!({}));
        let size = json!({"width": 390, "height": 844, "deviceScaleFactor": 2, "mobile": true});
        browser.call("Emulation.setDeviceMetricsOverride", size);
        browser
    }

    /// Asks the browser itself; see the DevTools protocol.
    pub fn call(&mut self, method: &str, params: Value) -> Value {
        self.count += 1;
        let mut message = json!({"id": self.count, "method": method, "params": params});
        if !self.session.is_empty() {
            message["sessionId"] = json!(self.session);
        }
        self.to.write_all(format!("{message}\0").as_bytes()).unwrap();
        loop {
            let mut bytes = Vec::new();
            self.from.read_until(0, &mut bytes).unwrap();
            assert_eq!(
                bytes.pop(),
                Some(0),
                "no browser: scripts/test installs one, or set CHROMIUM_PATH"
            );
            let answer: Value = serde_json::from_slice(&bytes).unwrap();
            if answer["id"] == json!(self.count) {
                assert!(answer["error"].is_null(), "{method}: {answer}");
                return answer["result"].clone();
            }
        }
    }

    /// The value of an expression in the page.
    pub fn value(&mut self, expression: &str) -> Value {
        let asked = json!({"expression": expression, "awaitPromise": true, "returnByValue": true});
        let got = self.call("Runtime.evaluate", asked);
        assert!(got["exceptionDetails"].is_null(), "{expression}: {got}");
        got["result"]["value"].clone()
    }

    /// Waits until an expression holds.
    pub fn until(&mut self, expression: &str) {
        let held = self.value(&format!(
            "new Promise((done) => {{ const end = performance.now() + {}; \
             const look = () => ({expression}) ? done(true) : performance.now() > end ? done(false) \
             : requestAnimationFrame(look); look(); }})",
            PATIENCE.as_millis()
        ));
        let text = self.value("document.body.innerText");
        assert_eq!(held, json!(true), "never held: {expression}; the page says {text}");
    }

    /// Opens a page of the relay and waits until it is built.
    pub fn open(&mut self, url: &str) {
        self.call("Page.navigate", json!({"url": url}));
        self.until("document.body && document.body.dataset.ready === 'yes'");
    }

    /// Clicks the middle of what a selector finds, as a finger would: when it stands still, and again
    /// if it moved away or took no clicks at that moment.
    pub fn click(&mut self, selector: &str) {
        let end = Instant::now() + PATIENCE;
        while !self.clicked(selector) {
            assert!(Instant::now() < end, "never took a click: {selector}");
        }
    }

    /// Whether the click arrived. What else it would have hit does not hear of it.
    fn clicked(&mut self, selector: &str) -> bool {
        let place = self.value(&format!(
            "new Promise((done) => {{
               const found = document.querySelector({selector:?});
               found.scrollIntoView({{block: 'center'}});
               const box = () => found.getBoundingClientRect();
               const end = performance.now() + {};
               const watch = (event) => {{
                 if (!found.contains(event.target)) event.stopImmediatePropagation();
                 else if (event.type === 'click') window.clickArrived = true;
               }};
               const look = (before) => requestAnimationFrame(() => {{
                 const {{left, top, width, height}} = box();
                 if (top !== before && performance.now() < end) return look(top);
                 window.clickArrived = false;
                 window.clickWatch?.abort();
                 window.clickWatch = new AbortController();
                 for (const kind of ['pointerdown', 'pointerup', 'mousedown', 'mouseup', 'click'])
                   addEventListener(kind, watch, {{capture: true, signal: window.clickWatch.signal}});
                 done([left + width / 2, top + height / 2]);
               }});
               look(box().top);
             }})",
            PATIENCE.as_millis()
        ));
        for kind in ["mousePressed", "mouseReleased"] {
            let event = json!({"type": kind, "x": place[0], "y": place[1], "button": "left", "clickCount": 1});
            self.call("Input.dispatchMouseEvent", event);
        }
        // A page that is no longer there was left by the click.
        self.value("(window.clickWatch?.abort(), window.clickArrived)") != json!(false)
    }

    /// Clicks into what a selector finds, and types.
    pub fn write(&mut self, selector: &str, text: &str) {
        self.click(selector);
        self.call("Input.insertText", json!({"text": text}));
    }

    /// Chooses files for the input a selector finds.
    pub fn choose(&mut self, selector: &str, files: &[&str]) {
        let root = self.call("DOM.getDocument", json!({}))["root"]["nodeId"].clone();
        let found = self.call("DOM.querySelector", json!({"nodeId": root, "selector": selector}));
        self.call("DOM.setFileInputFiles", json!({"nodeId": found["nodeId"], "files": files}));
    }

    /// Keeps a picture of the page where `HUMAN_PICTURES` says, for a person to look at.
    pub fn picture(&mut self, name: &str) {
        let Some(folder) = std::env::var_os("HUMAN_PICTURES") else { return };
        self.value("(scrollTo(0, 0), new Promise((done) => setTimeout(done, 100)))");
        for (scheme, full) in [("light", true), ("dark", false)] {
            let feature = json!([{"name": "prefers-color-scheme", "value": scheme}]);
            self.call("Emulation.setEmulatedMedia", json!({"features": feature}));
            let shot = self.call("Page.captureScreenshot", json!({"captureBeyondViewport": full}));
            let bytes = STANDARD.decode(shot["data"].as_str().unwrap()).unwrap();
            let file = PathBuf::from(&folder).join(format!("{name}-{scheme}.png"));
            std::fs::write(file, bytes).unwrap();
        }
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        self.session.clear();
        let _ = self.to.write_all(b"{\"id\":0,\"method\":\"Browser.close\"}\0");
        let _ = self.child.wait();
        let _ = std::fs::remove_dir_all(&self.profile);
    }
}
