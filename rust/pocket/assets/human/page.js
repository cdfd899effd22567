// The page: puts its parts together and sends the decision.
import { attachments } from "./attach.js";
import { button, card, element, labelled } from "./build.js";
import { fields, payment } from "./fields.js";
import { middle } from "./middle.js";
import { takeover } from "./takeover.js";

// The token leaves the address bar at once, before anything else can read it there or it is kept
// in the history.
const token = new URLSearchParams(location.search).get("token") ?? "";
history.replaceState(null, "", location.pathname);

const MOST_BYTES = 18_000_000;
const STILL_MS = 500;
const data = JSON.parse(document.getElementById("data").textContent);
const { form } = data;
// Relative to this page, so that it works behind any path.
const address = (what) => new URL(`../v1/human-auth/requests/${encodeURIComponent(data.requestId)}/${what}`, location.href);

function style() {
  const root = document.documentElement.style;
  root.setProperty("--brand", form.brandColor);
  const hex = form.brandColor.slice(1);
  const wide = hex.length === 3 ? [...hex].map((digit) => digit + digit).join("") : hex;
  const [red, green, blue] = [0, 2, 4].map((at) => parseInt(wide.slice(at, at + 2), 16));
  // Black or white on the agent's colour, whichever can be read.
  root.setProperty("--on-brand", red * 0.299 + green * 0.587 + blue * 0.114 > 140 ? "#14110d" : "#ffffff");
  if (form.backgroundCss) document.body.style.background = form.backgroundCss;
}

const status = element("p", { class: "status", role: "status", "aria-live": "polite" });
function say(text, kind = "") {
  status.textContent = text;
  status.className = `status ${kind}`;
}

const parts = { fields: fields(data), payment: payment(data), attach: attachments(data, say) };
parts.middle = middle(data, say, parts.attach.attach, moved);
parts.takeover = takeover(data, address, token);

const note = element("textarea", { rows: 2, maxLength: 2000, placeholder: form.notePlaceholder });
const yes = button(form.approveLabel, () => decide(approve), "primary");
const no = button(form.rejectLabel, () => decide(reject), "danger");

let deciding = false;
let moving = null;
function allow() {
  yes.disabled = deciding || moving !== null;
  no.disabled = deciding;
}

// The agent's part may grow whenever it likes, and so push this button under a finger that aims at
// something else. The button takes a tap only after it has stood still.
function moved() {
  clearTimeout(moving);
  moving = setTimeout(() => {
    moving = null;
    allow();
  }, STILL_MS);
  allow();
}

async function decide(how) {
  deciding = true;
  allow();
  try {
    if (await how()) return;
  } catch (error) {
    say(error.message, "bad");
  }
  deciding = false;
  allow();
}

// In the order of the page; what comes later replaces what came before.
async function approve() {
  let artifact = null;
  for (const part of [parts.attach, parts.fields, parts.payment]) {
    const got = part.collect();
    if (got.error) throw new Error(got.error);
    artifact = got.artifact ?? artifact;
  }
  const changed = await parts.middle.approve(note.value.trim(), artifact !== null);
  if (changed.error) throw new Error(changed.error);
  artifact = changed.artifact ?? artifact;
  if (form.requireArtifactOnApprove && !artifact) throw new Error("Something is still missing: fill in or attach what is asked for.");
  return send({ approved: true, note: changed.note ?? note.value.trim(), artifact });
}

function reject() {
  return send({ approved: false, note: note.value.trim(), artifact: null });
}

async function send(decision) {
  const body = JSON.stringify({ token, ...decision });
  if (body.length > MOST_BYTES * 4 / 3) throw new Error("This is too large to send; choose something smaller.");
  say("Sending…");
  for (let attempt = 1; ; attempt += 1) {
    let answer;
    try {
      const signal = AbortSignal.timeout(body.length > 3_000_000 ? 90_000 : 45_000);
      answer = await fetch(address("resolve"), { method: "POST", headers: { "content-type": "application/json" }, body, signal });
    } catch {
      if (attempt === 2) throw new Error("The relay cannot be reached; check the connection and try again.");
      await new Promise((done) => setTimeout(done, 900));
      continue;
    }
    const said = await answer.json().catch(() => ({}));
    if (answer.ok) return finish(said.status === "approved" ? "Approved. You can close this page." : "Rejected. You can close this page.", "good");
    if (answer.status === 409) return finish(`${said.message} You can close this page.`, "good");
    throw new Error(said.message || `The relay answered ${answer.status}.`);
  }
}

function finish(text, kind) {
  parts.takeover.stop();
  clearInterval(ticking);
  document.getElementById("page").replaceChildren(badge(), card("", element("h1", {}, form.title), element("p", { class: `status done ${kind}` }, text)));
  return true;
}

function badge() {
  return element("div", { class: "badge" }, element("span", { class: "lock", "aria-hidden": "true" }), element("span", {}, data.host ?? location.host), element("code", {}, data.requestId.slice(-8)));
}

// How long there is still to decide.
const clock = element("p", { class: "help" });
function tick() {
  const left = Math.round((Date.parse(data.expiresAt) - Date.now()) / 1000);
  if (left <= 0) {
    finish("Time is up. The agent was told; you can close this page.", "bad");
    return;
  }
  clock.textContent = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")} left to decide`;
}
const ticking = setInterval(tick, 1000);

const context = [
  ["Task", data.task], ["Capability", data.capability], ["Template", `${form.templateId} (${form.source})`],
  ["Instruction", data.instruction], ["Reason", data.reason], ["App", data.currentApp], ["Request", data.requestId],
];
const known = context.filter(([, text]) => text);
const facts = known.flatMap(([name, text]) => [element("dt", {}, name), element("dd", {}, text)]);

style();
document.getElementById("page").replaceChildren(
  ...[
    badge(),
    element("header", {}, element("h1", {}, form.title), element("p", { class: "summary" }, form.summary || data.instruction)),
    parts.fields.element,
    parts.middle.element,
    form.capabilityHint && element("p", { class: "hint" }, form.capabilityHint),
    parts.payment.element,
    parts.attach.element,
    card(
      "",
      labelled(form.noteLabel, note),
      element("div", { class: "actions" }, yes, no),
      status,
      element("p", { class: "help" }, "Only approve what you expected. This link works once."),
      clock,
    ),
    parts.takeover.element,
    card("", element("details", {}, element("summary", {}, "Full context"), element("dl", {}, ...facts))),
  ].filter(Boolean),
);
tick();
document.body.dataset.ready = "yes";
