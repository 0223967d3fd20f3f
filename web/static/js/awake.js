// A screen that is needed stays on: a phone beside the board would lock itself between two throws. Browsers let only pages over HTTPS, or
// of the same computer, ask for it.

let held = null;   // the lock, or its coming
let timer = 0;

const hold = () => { held = navigator.wakeLock?.request("screen").catch(() => null); };

/** Keeps the screen on or lets it go out again; on, it goes out after so many `minutes` in which nobody says so again, 0 for never. */
export function keepAwake(on, minutes = 0) {
  clearTimeout(timer);
  if (on && minutes) timer = setTimeout(() => keepAwake(false), minutes * 60000);
  if (on === Boolean(held)) return;
  if (on) hold();
  else {
    held.then((lock) => lock?.release());
    held = null;
  }
}

document.addEventListener("visibilitychange", () => { if (!document.hidden && held) hold(); });   // it is let go while nobody looks
