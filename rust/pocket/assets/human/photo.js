// Photos, made small enough to send.
import { base64, jsonArtifact } from "./build.js";

const MOST_EDGE = 1920;
const MOST_BYTES = 2_200_000;
const MOST_PHOTOS = 20;
const MOST_ALBUM = 16_000_000;

function isHeic(file) {
  return /hei[cf]/i.test(file.type) || /\.hei[cf]$/i.test(file.name);
}

// The photo as {name, mimeType, bytes, lastModifiedMs}: as it is when it is small, else as JPEG.
async function prepared(file) {
  const asIs = async () => ({
    name: file.name,
    mimeType: file.type || "application/octet-stream",
    bytes: new Uint8Array(await file.arrayBuffer()),
    lastModifiedMs: file.lastModified,
  });
  let picture;
  try {
    picture = await createImageBitmap(file);
  } catch {
    // This browser cannot read it; the phone perhaps can.
    return asIs();
  }
  const edge = Math.max(picture.width, picture.height);
  if (edge <= MOST_EDGE && file.size <= MOST_BYTES && !isHeic(file)) {
    picture.close();
    return asIs();
  }
  const scale = Math.min(1, MOST_EDGE / edge);
  const canvas = document.createElement("canvas");
  canvas.width = Math.max(1, Math.round(picture.width * scale));
  canvas.height = Math.max(1, Math.round(picture.height * scale));
  canvas.getContext("2d").drawImage(picture, 0, 0, canvas.width, canvas.height);
  picture.close();
  let made = null;
  for (let step = 0; step <= 3; step += 1) {
    const quality = Math.max(0.58, 0.84 - 0.08 * step);
    made = await new Promise((done) => canvas.toBlob(done, "image/jpeg", quality));
    if (!made || made.size <= MOST_BYTES) break;
  }
  if (!made) return asIs();
  const name = `${file.name.replace(/\.[^.]*$/, "") || "photo"}.jpg`;
  const bytes = new Uint8Array(await made.arrayBuffer());
  return { name, mimeType: "image/jpeg", bytes, lastModifiedMs: file.lastModified };
}

// One photo is sent as it is, several as an album.
export async function photoArtifact(files, capability) {
  if (files.length > MOST_PHOTOS) throw new Error(`Choose at most ${MOST_PHOTOS} photos.`);
  const photos = [];
  for (const file of files) photos.push(await prepared(file));
  if (photos.length === 1) return { mimeType: photos[0].mimeType, base64: base64(photos[0].bytes) };
  const size = photos.reduce((sum, photo) => sum + photo.bytes.length, 0);
  if (size > MOST_ALBUM) throw new Error("These photos are too large together; choose fewer.");
  const sent = photos.map(({ name, mimeType, bytes, lastModifiedMs }) => ({
    name, mimeType, base64: base64(bytes), sizeBytes: bytes.length, lastModifiedMs,
  }));
  return jsonArtifact({
    kind: "photo_library_grant_v1",
    mode: "album_grant",
    capability,
    capturedAt: new Date().toISOString(),
    count: sent.length,
    latestIndex: sent.length - 1,
    latestName: sent[sent.length - 1].name,
    photos: sent,
  });
}
