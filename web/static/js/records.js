// The menu of the formats in which records are downloaded; what not every format has of a match stands below them before one is chosen.

import { get } from "./api.js";
import { $, h } from "./dom.js";

const menu = $("records");
const links = [...menu.querySelectorAll("a")];
let match = 0;   // whose record is downloaded; 0: those of several

for (const link of links) link.addEventListener("click", () => { menu.open = false; });
menu.addEventListener("toggle", async () => {
  if (!menu.open) return;
  const found = match ? await get(`matches/${match}/lost`).catch(() => null) : null;   // out of reach: the page says so
  if (found) $("left-out").replaceChildren(...found.lost.map((one) => h("p", {}, one)));
  menu.lastElementChild.scrollIntoView({ block: "nearest" });   // where it hangs out of a column that scrolls by itself
});

/** Each format is downloaded from the address that `of` gives for its ending. */
export function address(of) {
  for (const link of links) link.href = of(link.dataset.ending);
}

/** The record of a match is downloaded. */
export function recordOf(id) {
  if (id !== match) $("left-out").replaceChildren();
  match = id;
  address((ending) => `/api/v1/matches/${id}/record${ending}`);
}
