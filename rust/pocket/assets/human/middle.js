// The agent's own part of the form. It runs in a frame without an origin and without a network; a
// port is all that leads out of it, and over the port go only the words below.
import { card, element } from "./build.js";

const APPROVE_MS = 15_000;
const MOST_ARTIFACT = 18_000_000;

const isArtifact = (value) =>
  typeof value === "object" && value !== null && typeof value.mimeType === "string" && value.mimeType.length <= 127 &&
  typeof value.base64 === "string" && value.base64.length <= MOST_ARTIFACT;

// `moved` is told whenever the frame, and not a person, changes where things are on the page.
export function middle(data, say, attach, moved) {
  const parts = data.form.middle;
  if (!parts) return { element: null, approve: async () => ({}), any: false };
  const frame = element("iframe", { class: "middle", title: "The agent's own part of this form", src: "assets/stage.html" });
  frame.setAttribute("sandbox", "allow-scripts");
  frame.setAttribute("referrerpolicy", "no-referrer");
  const shown = parts.html || parts.script || parts.css;
  const { port1, port2 } = new MessageChannel();
  const waiting = new Map();
  let own = null;
  let calls = 0;
  let state = "loading";
  let ready;
  const started = new Promise((done) => { ready = done; });

  frame.addEventListener("load", () => {
    if (state !== "loading") {
      // It went somewhere else: whatever is there now is not what we started.
      state = "gone";
      port1.close();
      frame.remove();
      moved();
      for (const done of waiting.values()) done({ error: "The agent's part of the form left." });
      return;
    }
    state = "running";
    const { middle: code, ...uiTemplate } = data.form;
    const about = { requestId: data.requestId, capability: data.capability, uiTemplate };
    frame.contentWindow.postMessage({ about, code }, "*", [port2]);
    ready();
  });

  port1.onmessage = ({ data: message }) => {
    if (typeof message !== "object" || message === null) return;
    if (message.do === "status") say(`The agent's form says: ${String(message.text).slice(0, 300)}`);
    if (message.do === "height") {
      frame.style.height = `${Math.min(640, Math.max(40, Number(message.height) || 0))}px`;
      moved();
    }
    if (message.do === "clear") {
      own = null;
      attach(null);
      moved();
    }
    if (message.do === "artifact" && isArtifact(message.artifact)) {
      own = { mimeType: message.artifact.mimeType, base64: message.artifact.base64 };
      attach(own, "Made by the agent's form");
      moved();
    }
    if (message.do === "answer") {
      const done = waiting.get(message.call);
      waiting.delete(message.call);
      if (done) done(message);
    }
  };

  // Runs approveScript. Whatever goes wrong in it blocks the approval.
  async function approve(note, hasArtifact) {
    if (state === "gone") return { error: "The agent's part of the form left; reload the link." };
    if (!parts.approve) return {};
    await started;
    calls += 1;
    const call = calls;
    const answer = await new Promise((done) => {
      waiting.set(call, done);
      setTimeout(() => done({ error: "The agent's form took longer than 15 seconds." }), APPROVE_MS);
      port1.postMessage({ call, approved: true, note, hasArtifact, currentArtifact: own });
    });
    waiting.delete(call);
    if (typeof answer.error === "string" && answer.error) return { error: `The agent's form refuses: ${answer.error.slice(0, 300)}` };
    const changed = {};
    if (typeof answer.note === "string") changed.note = answer.note.slice(0, 2000);
    if (isArtifact(answer.artifact)) changed.artifact = { mimeType: answer.artifact.mimeType, base64: answer.artifact.base64 };
    return changed;
  }

  const words = element("p", { class: "help" }, "The agent made this part. It cannot see the rest of the page.");
  const section = card("", frame, words);
  if (!shown) section.classList.add("hidden");
  return { element: section, approve, any: Boolean(parts.approve) };
}
