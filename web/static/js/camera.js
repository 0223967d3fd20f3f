// Makes this phone the referee's camera: its pictures go to the server, one after the other, as fast as the line takes them.

import { PATIENCE, refusal } from "./api.js";
import { keepAwake } from "./awake.js";
import { $, say } from "./dom.js";
import { serverTime } from "./live.js";
import { act } from "./pin.js";
import "./theme.js";
import { t } from "./words.js";

const EVERY = 100;      // ms between pictures at the most
const AGAIN = 1500;     // ms before what failed is tried again
const QUALITY = 0.85;
const TAKEN = t("The camera is taken, as by a call: its pictures go on by themselves when it is free.");
const GONE = t("The camera was taken away: try again when no other program uses it.");
const BUSY = t("The camera is used by another program: end that, then try again.");
const NONE = t("The browser finds no camera on this device.");
const REFUSED = { NotFoundError: NONE, OverconstrainedError: NONE, NotReadableError: BUSY, AbortError: BUSY };
const video = $("video");
const canvas = document.createElement("canvas");

const taken = () => new Promise((resolve) => {
  canvas.width = video.videoWidth;
  canvas.height = video.videoHeight;
  canvas.getContext("2d").drawImage(video, 0, 0);
  canvas.toBlob(resolve, "image/jpeg", QUALITY);
});

const pause = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Sends until the camera is taken away for good; while it is taken, as by a call, its last picture would stand for the board. */
async function send() {
  const [track] = video.srcObject.getVideoTracks();
  let sent = 0;
  while (track.readyState === "live") {
    if (track.muted) {
      say($("said"), TAKEN);
      await pause(AGAIN);
      continue;
    }
    const begun = performance.now();
    try {
      const at = serverTime.now();
      const picture = await taken();
      const headers = { "content-type": "image/jpeg" };
      if (serverTime.offsets.length) headers.captured = at.toFixed(3);
      const signal = AbortSignal.timeout?.(PATIENCE);   // a dead line says nothing by itself
      const answer = await fetch("/api/v1/frames", { method: "POST", headers, body: picture, signal });
      if (answer.ok) {
        serverTime.heard(Number(answer.headers.get("server-time")));
        sent += 1;
        say($("said"), t("Sending {width} × {height} pictures. Keep this page open.", { width: canvas.width, height: canvas.height }));
      } else {
        say($("said"), (await answer.json().catch(() => ({ message: t("The referee refuses the picture.") }))).message);
        await pause(AGAIN);
      }
    } catch {
      say($("said"), t("The referee cannot be reached; trying again."));
      await pause(AGAIN);
    }
    document.body.dataset.sent = sent;
    await pause(Math.max(0, EVERY - (performance.now() - begun)));
  }
  again(GONE);
}

/** Why there is no picture, what to do where the camera was not allowed, and the button to try again. */
function again(why, allow = false) {
  say($("said"), why);
  $("allow").hidden = !allow;
  say($("start"), t("Try again"));
  $("start").hidden = false;
}

/** The table's camera is changed when this phone's gives a picture, and not before: the one that watches until then goes on. */
async function start() {
  $("allow").hidden = true;
  if (!navigator.mediaDevices) {
    say($("said"), t("The browser gives its camera only to HTTPS pages: start the referee with --https."));
    return;
  }
  try {
    video.srcObject = await navigator.mediaDevices.getUserMedia({ audio: false, video: { facingMode: "environment", width: { ideal: 1920 }, height: { ideal: 1080 } } });
  } catch ({ name }) {
    again(REFUSED[name] ?? t("The camera was not allowed. To allow it:"), !REFUSED[name]);
    return;
  }
  try {
    await act("camera", { source: "phone" });
  } catch (error) {
    for (const track of video.srcObject.getTracks()) track.stop();
    say($("said"), refusal(error).message);
    return;
  }
  await video.play();
  $("start").hidden = true;
  keepAwake(true);
  send();
}

$("start").onclick = async () => {
  $("start").disabled = true;   // pressed twice it would send every picture twice
  await start().finally(() => { $("start").disabled = false; });
};
