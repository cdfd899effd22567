// Records sound where the browser lets us, which is only on https or on the computer itself.
import { button } from "./build.js";

export function recorder(give, say) {
  if (!window.isSecureContext || !navigator.mediaDevices || !window.MediaRecorder) return null;
  let running = null;
  const knob = button("Record", async () => {
    if (running) {
      running.stop();
      return;
    }
    try {
      const stream = await navigator.mediaDevices.getUserMedia({ audio: true });
      const parts = [];
      running = new MediaRecorder(stream);
      running.ondataavailable = (event) => parts.push(event.data);
      running.onstop = () => {
        stream.getTracks().forEach((track) => track.stop());
        const type = running.mimeType || "audio/webm";
        running = null;
        knob.textContent = "Record again";
        give(new File(parts, "recording", { type }));
      };
      running.start();
      knob.textContent = "Stop recording";
    } catch {
      say("The browser does not let this page record; choose a file instead.", "bad");
    }
  });
  return knob;
}
