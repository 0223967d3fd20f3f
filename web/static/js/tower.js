// The dice tower on the table page: how its line is in a word, and behind that what went over it.

import { inform } from "./dialog.js";
import { $, h, keep, say } from "./dom.js";
import { t, tn } from "./words.js";

let box = null;
let told = 0;   // lost reports that somebody has read of here

const missed = () => box.lost + box.before;

const standing = () => box.status !== "connected" ? box.text || t("Looking for the dice tower.")
  : box.reads ? t("It is connected and reads its dice.")
  : t("It is connected. It does not read its dice: what was thrown is told by the camera, or entered by hand.");

const facts = () => [
  h("p", {}, standing()),
  box.lost ? h("p", { id: "tower-lost" }, tn(box.lost, "1 report of the box did not arrive: see whether a throw or a button is missing, and enter it by hand.",
    "{n} reports of the box did not arrive: see whether throws or buttons are missing, and enter them by hand.")) : null,
  box.before ? h("p", { id: "tower-before" }, tn(box.before, "1 report of the box was lost before the referee heard it: if it was of this match, enter by hand what is missing.",
    "{n} reports of the box were lost before the referee heard it: if they were of this match, enter by hand what is missing.")) : null,
  h("dl", { class: "keys" }, [[t("Events"), box.events], [t("Lines"), box.lines], [t("Damaged lines"), box.bad_lines], [t("Repeated events"), box.repeats],
    [t("Lost events"), missed()], [t("Resets of the box"), box.resets]].map(([name, n]) => [h("dt", {}, name), h("dd", {}, String(n))])),
];

/** Shows how the tower `seen` is, null for none. */
export function showTower(seen) {
  const mark = $("tower");
  box = seen;
  mark.hidden = !seen;
  if (!seen) return;
  if (missed() < told) told = 0;   // the referee was started anew
  const there = seen.status === "connected", name = seen.device ?? "", lost = missed() - told;
  mark.dataset.line = there && !lost ? "live" : "stale";
  say(mark, !there ? seen.text || t("Looking for the tower") : [t("Tower {name}", { name }), lost ? tn(lost, "1 report lost", "{n} reports lost") : null].filter(Boolean).join(": "));
  if ($("tower-facts")) keep($("tower-facts"), seen, facts);
}

$("tower").onclick = () => {
  inform(t("Dice tower {name}", { name: box.device ?? "" }), h("div", { id: "tower-facts" }, facts()));
  told = missed();
  showTower(box);
};
