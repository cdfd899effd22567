// What a person can attach. One thing is sent; the latest counts, and the page says which.
import { base64, button, card, element, jsonArtifact, labelled } from "./build.js";
import { photoArtifact } from "./photo.js";
import { recorder } from "./record.js";

function picker(text, properties, take) {
  const input = element("input", { type: "file", class: "hidden", ...properties });
  input.onchange = () => {
    if (input.files.length > 0) take([...input.files]);
    input.value = "";
  };
  return [button(text, () => input.click()), input];
}

export function attachments(data, say) {
  const { form } = data;
  const head = () => ({ capability: data.capability, capturedAt: new Date().toISOString() });
  let attached = null;
  const shown = element("div", { class: "attached", role: "status" });
  let preview = null;

  function attach(artifact, words, file = null) {
    attached = artifact;
    if (preview) URL.revokeObjectURL(preview);
    preview = file ? URL.createObjectURL(file) : null;
    shown.replaceChildren();
    if (!artifact) return;
    if (preview && file.type.startsWith("image/")) shown.append(element("img", { src: preview, alt: "What you attached" }));
    if (preview && file.type.startsWith("audio/")) shown.append(element("audio", { src: preview, controls: true }));
    shown.append(element("p", {}, words), button("Remove", () => attach(null), "quiet"));
  }

  const size = (bytes) => (bytes < 1_000_000 ? `${Math.ceil(bytes / 1000)} KB` : `${(bytes / 1e6).toFixed(1)} MB`);
  const raw = async ([file]) => {
    const bytes = new Uint8Array(await file.arrayBuffer());
    attach({ mimeType: file.type || "application/octet-stream", base64: base64(bytes) }, `${file.name}, ${size(bytes.length)}`, file);
  };
  const photos = async (files) => {
    say("Preparing the photo…");
    try {
      const artifact = await photoArtifact(files, data.capability);
      const words = files.length === 1 ? files[0].name : `${files.length} photos`;
      attach(artifact, `${words}, ${size(artifact.base64.length * 0.75)}`, files[files.length - 1]);
      say("");
    } catch (error) {
      say(error.message, "bad");
    }
  };

  const parts = [];
  let text = null;
  if (form.allowTextAttachment) {
    const code = ["sms", "2fa"].includes(data.capability);
    text = element("input", { type: "text", autocapitalize: "off", spellcheck: false, autocomplete: code ? "one-time-code" : "off" });
    if (code) text.inputMode = "numeric";
    parts.push(labelled(code ? "Code" : "Text", text));
  }
  let lat = null;
  let lon = null;
  if (form.allowLocationAttachment) {
    lat = element("input", { type: "number", step: "any", min: -90, max: 90, inputMode: "decimal" });
    lon = element("input", { type: "number", step: "any", min: -180, max: 180, inputMode: "decimal" });
    // Browsers tell the place only to https or to the computer itself; typing it always works.
    if (window.isSecureContext && navigator.geolocation) {
      parts.push(button("Use my location", () => {
        say("Finding out where you are…");
        navigator.geolocation.getCurrentPosition(
          (found) => {
            lat.value = found.coords.latitude;
            lon.value = found.coords.longitude;
            say("");
          },
          () => say("The browser does not say where you are; type it instead.", "bad"),
          { enableHighAccuracy: true, timeout: 20_000 },
        );
      }));
    }
    parts.push(element("div", { class: "row" }, labelled("Latitude", lat), labelled("Longitude", lon)));
  }
  const knobs = element("div", { class: "knobs" });
  if (form.allowPhotoAttachment) {
    knobs.append(...picker("Take a photo", { accept: "image/*", capture: "environment" }, photos));
    knobs.append(...picker("Choose photos", { accept: "image/*", multiple: true }, photos));
  }
  if (form.allowAudioAttachment) {
    const live = recorder((file) => raw([file]), say);
    knobs.append(...(live ? [live] : picker("Record", { accept: "audio/*", capture: "user" }, raw)));
  }
  if (form.allowFileAttachment) {
    knobs.append(...picker("Choose a file", form.fileAccept ? { accept: form.fileAccept } : {}, raw));
  }
  if (knobs.children.length > 0) parts.push(knobs);
  parts.push(shown);

  return {
    element: parts.length > 1 ? card(form.capabilityHint ? "" : "Attach", ...parts) : null,
    // What the agent's frame made counts like something attached.
    attach: (artifact, words) => attach(artifact, words),
    collect: () => {
      if (attached) return { artifact: attached };
      if (text && text.value.trim() !== "") return { artifact: jsonArtifact({ kind: "text", value: text.value.trim(), ...head() }) };
      if (lat && (lat.value !== "" || lon.value !== "")) {
        const place = [lat.valueAsNumber, lon.valueAsNumber];
        if (!lat.checkValidity() || !lon.checkValidity() || !place.every(Number.isFinite)) {
          return { error: "Latitude goes from -90 to 90, longitude from -180 to 180." };
        }
        return { artifact: jsonArtifact({ kind: "geo", lat: place[0], lon: place[1], ...head() }) };
      }
      return {};
    },
  };
}
