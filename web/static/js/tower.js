// The dice tower on the table page: how its line is in a word, and behind that what went over it.

import { $, h, keep, say } from "./dom.js";
import { t } from "./words.js";

let box = null;

const facts = () => [
  h("p", {}, box.text || t("It is connected.")),
  h("dl", { class: "keys" }, [[t("Events"), box.events], [t("Lines"), box.lines], [t("Damaged lines"), box.bad_lines], [t("Repeated events"), box.repeats],
    [t("Resets of the box"), box.resets]].map(([name, n]) => [h("dt", {}, name), h("dd", {}, String(n))])),
];

/** Shows how the tower `seen` is, null for none. */
export function showTower(seen) {
  const mark = $("tower");
  box = seen;
  mark.hidden = !seen;
  if (!seen) return;
  mark.dataset.line = seen.status === "connected" ? "live" : "stale";
  say(mark, seen.status === "connected" ? t("Tower {name}", { name: seen.device ?? "" }) : seen.text || t("Looking for the tower"));
  if ($("tower-facts")) keep($("tower-facts"), seen, facts);
}

$("tower").onclick = () => {
  const dialog = $("dialog");
  dialog.replaceChildren(h("h2", { id: "dialog-title" }, t("Dice tower {name}", { name: box.device ?? "" })), h("div", { id: "tower-facts" }, facts()),
    h("form", { method: "dialog", class: "ends" }, h("button", { class: "main", id: "tower-done" }, t("Close"))));
  dialog.showModal();
};
