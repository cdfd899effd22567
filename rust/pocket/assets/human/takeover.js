// The driven phone's screen, and touches on it.
import { button, card, element } from "./build.js";

const REFRESH_MS = 1500;

export function takeover(data, address, token) {
  if (!data.takeover) return { element: null, stop: () => {} };
  let size = null;
  let stopped = false;
  let timer = null;
  const state = element("p", { class: "help", role: "status" }, "Tap the picture to tap the phone.");
  const picture = element("img", { class: "screen", alt: "The phone's screen", draggable: false });
  const headers = { "x-clawperator-auth": token };

  async function refresh() {
    clearTimeout(timer);
    try {
      const answer = await fetch(address("takeover/snapshot"), { headers, cache: "no-store" });
      const body = await answer.json();
      if (!answer.ok) throw new Error(body.message);
      size = body.frame;
      picture.src = `data:image/png;base64,${body.frame.screenshotBase64}`;
    } catch (error) {
      state.textContent = error.message;
    }
    if (!stopped && box.open) timer = setTimeout(refresh, REFRESH_MS);
  }

  async function act(action) {
    try {
      const answer = await fetch(address("takeover/action"), {
        method: "POST",
        headers: { ...headers, "content-type": "application/json" },
        body: JSON.stringify({ action }),
      });
      const body = await answer.json();
      state.textContent = body.message;
    } catch {
      state.textContent = "The relay cannot be reached.";
    }
    refresh();
  }

  // A short move is a tap, a longer one a swipe.
  let from = null;
  const point = (event) => {
    const box = picture.getBoundingClientRect();
    return [((event.clientX - box.left) / box.width) * size.width, ((event.clientY - box.top) / box.height) * size.height];
  };
  picture.onpointerdown = (event) => {
    if (!size) return;
    picture.setPointerCapture(event.pointerId);
    from = { at: point(event), time: Date.now(), x: event.clientX, y: event.clientY };
  };
  picture.onpointerup = (event) => {
    if (!from) return;
    const [x1, y1] = from.at;
    const [x2, y2] = point(event);
    const far = Math.hypot(event.clientX - from.x, event.clientY - from.y) > 12;
    act(far ? { type: "swipe", x1, y1, x2, y2, durationMs: Date.now() - from.time } : { type: "tap", x: x1, y: y1 });
    from = null;
  };

  const keys = [["Back", "KEYCODE_BACK"], ["Home", "KEYCODE_HOME"], ["Recents", "KEYCODE_APP_SWITCH"], ["Enter", "KEYCODE_ENTER"]];
  const row = element("div", { class: "keys" }, ...keys.map(([text, keycode]) => button(text, () => act({ type: "keyevent", keycode }), "small")));
  const text = element("input", { type: "text", placeholder: "Text to type on the phone", autocapitalize: "off", "aria-label": "Text to type on the phone" });
  const typing = element("div", { class: "row typing" }, text, button("Type", () => {
    if (text.value.trim() !== "") act({ type: "type", text: text.value });
    text.value = "";
  }, "small"));
  const box = element("details", {}, element("summary", {}, "Use the phone yourself"), picture, row, typing, button("Refresh", refresh, "quiet"), state);
  box.ontoggle = () => { if (box.open) refresh(); };
  return {
    element: card("", box),
    stop: () => {
      stopped = true;
      clearTimeout(timer);
    },
  };
}
