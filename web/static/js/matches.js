// The list of kept matches, filtered as one types.

import { get, refusal } from "./api.js";
import { $, h, say } from "./dom.js";
import { dayWords, isolated, nameOf, scoreOf } from "./facts.js";
import { address } from "./records.js";
import "./theme.js";
import { t, tn } from "./words.js";

let asked = 0;

async function list() {
  const wanted = new URLSearchParams([...new FormData($("filter"))].filter(([, value]) => value));
  $("csv").href = `/api/v1/results.csv?${new URLSearchParams([...wanted, ["bom", "true"]])}`;
  address((ending) => `/api/v1/records.zip?${new URLSearchParams([...wanted, ["ending", ending]])}`);
  const mine = ++asked;
  let found;
  try {
    found = await get(`matches?${wanted}`);
  } catch (error) {
    const { message } = refusal(error);
    if (mine === asked) say($("none"), message);
    return;
  }
  if (mine !== asked) return;
  $("list").hidden = $("records").hidden = found.matches.length === 0;
  say($("none"), found.matches.length ? tn(found.matches.length, "1 match", "{n} matches")
    : String(wanted) ? t("No match fits.") : t("No match has been played yet. Every match that is started at the table is kept here."));
  $("rows").replaceChildren(...found.matches.map((match) => h("tr", {},
    h("td", {}, dayWords(match.day, "medium")),
    match.problem ? h("td", { class: "problem" }, h("a", { href: `matches/${match.id}` }, match.problem)) : h("td", {}, h("a", { href: `matches/${match.id}` }, match.names.map(isolated).join(" – ")),
      h("span", { class: "quiet" }, standing(match, found.on).map((one) => ` · ${one}`).join(""))),
    h("td", { class: "number" }, scoreOf(match).join("–")),
    h("td", {}, match.length ? tn(match.length, "1 point", "{n} points") : t("money")),
    h("td", {}, [match.event, match.round].filter(Boolean).map(isolated).join(", ")))));
}

/** Where a match stands; its score need not say who won it, as where it was awarded to who was behind. A money session has no end. */
function standing(match, on) {
  if (match.winner) return [t("won by {name}", { name: nameOf(match, match.winner) })].concat(match.id === on ? t("on the table") : []);
  if (match.id === on) return [t("on the table")];
  return match.open ? [match.length ? t("not finished") : t("can go on")] : [];
}

$("filter").addEventListener("input", list);
$("filter").addEventListener("submit", (event) => { event.preventDefault(); list(); });
list();
