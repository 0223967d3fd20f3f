// The players' clocks as a page shows them: counted on from the last snapshot by the server's time.

import { $, h } from "./dom.js";
import { index, SEATS } from "./facts.js";
import { serverTime } from "./live.js";
import { t } from "./words.js";

let clock = null;

/** (reserve, free seconds) of a seat now. */
function left(seat) {
  const i = index(seat);
  let reserve = clock.remaining[i];
  if (clock.running !== seat) return [reserve, 0];
  const gone = Math.max(0, serverTime.now() - clock.at);
  const free = Math.max(0, clock.free_left - gone);
  reserve -= Math.max(0, gone - clock.free_left);
  return [Math.max(0, reserve), free];
}

function words(seconds) {
  const whole = Math.ceil(seconds - 0.001);
  const text = (n) => String(n).padStart(2, "0");
  return whole >= 3600 ? `${Math.floor(whole / 3600)}:${text(Math.floor(whole / 60) % 60)}:${text(whole % 60)}` : `${Math.floor(whole / 60)}:${text(whole % 60)}`;
}

/** A clock's place in a player's line; `show` fills it. */
export const clockFace = (seat) => h("span", { class: "clock", id: `clock-${seat}`, role: "timer", "aria-live": "off", hidden: true });

function show() {
  for (const seat of SEATS) {
    const face = $(`clock-${seat}`);
    if (!face) continue;
    face.hidden = !clock;
    if (!clock) continue;
    const [reserve, free] = left(seat);
    face.classList.toggle("running", clock.running === seat);
    face.classList.toggle("low", reserve < 30);
    face.classList.toggle("flagged", clock.flagged === seat);
    const text = (clock.flagged === seat ? `${t("flag")} ` : "") + words(reserve) + (free > 0 ? ` +${Math.ceil(free)}` : "");
    if (face.textContent !== text) face.textContent = text;
  }
}

export function follow(state) {
  clock = state.clock;
  show();
}

setInterval(show, 200);
