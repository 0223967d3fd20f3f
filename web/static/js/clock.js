// The players' clocks as a page shows them: counted on from the last snapshot by the server's time.

import { $, h, keep } from "./dom.js";
import { index, SEATS } from "./facts.js";
import { serverTime } from "./live.js";
import { t } from "./words.js";

let clock = null;
let behind = 0;   // seconds by which the page shows everything later

/** [reserve, free seconds, whether overtime runs] of a seat now. No snapshot comes when a reserve runs out: overtime begins here too. */
function left(seat) {
  const i = index(seat);
  let reserve = clock.remaining[i];
  let overtime = clock.overtime[i];
  if (clock.running !== seat) return [reserve, 0, overtime];
  const gone = Math.max(0, serverTime.now() - behind - clock.at);
  const free = Math.max(0, clock.free_left - gone);
  const used = Math.max(0, gone - clock.free_left);
  reserve -= used;
  if (reserve <= 0 && used > 0 && !overtime && clock.overtime_s > 0) {
    reserve += clock.overtime_s;
    overtime = true;
  }
  return [Math.max(0, reserve), free, overtime];
}

/** The reserve of a seat now, in seconds, as its face shows it. */
export const reserve = (seat) => left(seat)[0];

/** A time as people write it on a clock, "12:30" or "1:02:30", for a field; and back. */
export const TIME = "(\\d{1,2}:)?\\d{1,4}:[0-5]\\d";
export const inSeconds = (written) => written.split(":").reduce((sum, part) => 60 * sum + Number(part), 0);

export function inWords(seconds) {
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
    const [reserve, free, overtime] = left(seat);
    face.classList.toggle("running", clock.running === seat);
    face.classList.toggle("low", reserve < 30 || overtime);
    face.classList.toggle("flagged", clock.flagged === seat);
    const label = clock.flagged === seat ? t("flag") : overtime ? t("overtime") : "";
    keep(face, [label, inWords(reserve), Math.ceil(free)], () => [label ? h("span", { class: "label" }, `${label} `) : null,
      inWords(reserve) + (free > 0 ? ` +${Math.ceil(free)}` : "")]);
  }
}

/** `late`: the seconds by which `state` is shown later than it was. */
export function follow(state, late = 0) {
  clock = state.clock;
  behind = late;
  show();
}

setInterval(show, 200);
