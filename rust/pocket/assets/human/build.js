// Makes elements. Every text of the agent or of a person goes in as a text node and never as markup.

export function element(name, properties = {}, ...children) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (key === "class") made.className = value;
    else if (key.startsWith("aria-") || ["role", "for", "capture"].includes(key)) made.setAttribute(key, value);
    else made[key] = value;
  }
  made.append(...children.filter((child) => child !== null && child !== undefined && child !== ""));
  return made;
}

export function button(text, act, kind = "") {
  return element("button", { type: "button", class: `button ${kind}`, onclick: act }, text);
}

export function card(title, ...children) {
  return element("section", { class: "card" }, title && element("h2", {}, title), ...children);
}

let count = 0;

// A label over an input, with a line of help under it.
export function labelled(text, input, help = "") {
  count += 1;
  input.id = `input-${count}`;
  const line = help && element("p", { class: "help", id: `help-${count}` }, help);
  if (line) input.setAttribute("aria-describedby", line.id);
  return element("div", { class: "field" }, element("label", { for: input.id }, text), input, line);
}

// Base64 of bytes, in parts: a call with a million arguments fails.
export function base64(bytes) {
  let text = "";
  for (let at = 0; at < bytes.length; at += 0x8000) {
    text += String.fromCharCode(...bytes.subarray(at, at + 0x8000));
  }
  return btoa(text);
}

export function jsonArtifact(value) {
  return { mimeType: "application/json", base64: base64(new TextEncoder().encode(JSON.stringify(value))) };
}
