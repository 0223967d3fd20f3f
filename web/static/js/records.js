// The menu of the formats in which records are downloaded; what not every format has of a match stands below them before one is chosen.

import { get } from "./api.js";
import { $, h } from "./dom.js";

const menu = $("records");
const links = [...menu.querySelectorAll("a")];
let match = 0;   // whose record is downloaded; 0: those of several

for (const link of links) link.addEventListener("click", leave);
menu.addEventListener("toggle", shown);

/** What was pressed is out of sight then: the focus is where the menu was opened, and the next Tab goes on from there. */
function leave() {
  menu.querySelector("summary").focus({ preventScroll: true });
  menu.open = false;
}

/** Says what formats leave out, once the menu is open. */
async function shown() {
  if (!menu.open) return;
  const of = match;
  const found = of ? await get(`matches/${of}/lost`).catch(() => null) : null;   // out of reach: the page says so
  if (of !== match) return;   // another match began meanwhile
  if (found) $("left-out").replaceChildren(...found.lost.map((one) => h("p", {}, one)));
  menu.lastElementChild.scrollIntoView({ block: "nearest" });   // where it hangs out of a column that scrolls by itself
}

/** Each format is downloaded from the address that `of` gives for its ending. */
export function address(of) {
  for (const link of links) link.href = of(link.dataset.ending);
}

/** The record of a match is downloaded; the menu may have been opened before it was known which match is on. */
export function recordOf(id) {
  if (id === match) return;
  match = id;
  $("left-out").replaceChildren();
  address((ending) => `/api/v1/matches/${id}/record${ending}`);
  shown();
}
