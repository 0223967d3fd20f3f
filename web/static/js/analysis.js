// GNU Backgammon's look at a kept match: begun by a button, followed while it runs, shown as figures and the worst plays.

import { get, refusal } from "./api.js";
import { $, h, keep, unbroken } from "./dom.js";
import { diceWords, isolated } from "./facts.js";
import { act } from "./pin.js";
import { decimal, t, tn } from "./words.js";

const EVERY = 1000;   // ms between looks at how far it is
let match = 0;
let go = () => {};

/** None of who decided nothing: it would read as a perfect one. */
const rate = (one, value, digits) => (one.decisions ? decimal(value, digits) : "–");

function figures(found) {
  const rows = [
    [t("PR"), (one) => rate(one, one.pr, 2)], [t("Error rate"), (one) => rate(one, one.error_rate, 1)], [t("Decisions"), (one) => String(one.decisions)],
    [t("Errors in play"), (one) => decimal(one.play_error, 3)], [t("Errors with the cube"), (one) => decimal(one.cube_error, 3)],
    [t("Luck"), (one) => `${one.luck > 0 ? "+" : ""}${decimal(one.luck, 3)}`],
  ];
  return [
    h("table", { class: "tally" },
      h("thead", {}, h("tr", {}, h("td", {}), found.players.map((one) => h("th", { scope: "col" }, one.name)))),
      h("tbody", {}, rows.map(([name, of]) => h("tr", {}, h("th", { scope: "row" }, name), found.players.map((one) => h("td", {}, of(one))))))),
    h("p", { class: "quiet" }, t("PR: errors a decision times 500; below 5 is strong. Errors and luck in points at cube 1, by GNU Backgammon looking {n} plies deep.", { n: found.plies })),
    found.worst.length ? [h("h3", {}, t("The worst plays")), h("ol", { class: "worst" }, found.worst.map((one) => h("li", {},
      h("button", { type: "button", class: "bare", onclick: () => go(one.game, one.roll) }, h("strong", {}, decimal(one.error, 3)), h("span", {}, unbroken(t("Game {n}, roll {roll}, {name} {dice}: {play}; better {best}",
        { n: one.game, roll: one.roll, name: isolated(one.player), dice: diceWords(one.dice), play: one.play, best: one.best })))))))] : null];
}

function show(now) {
  const running = now.status === "running";
  const again = { none: t("Analyse"), failed: t("Try again"), busy: t("Try again"), missing: t("Try again"), refused: t("Try again") }[now.status];
  const press = now.status === "refused" ? follow : () => tell("POST", {});   // first what holds: it may be running, or done
  keep($("analysis"), now, () => [
    running ? h("p", { role: "status" }, t("GNU Backgammon is looking at the match…"), " ", tn(Math.floor(now.seconds), "1 second", "{n} seconds")) : null,
    running ? h("progress", { "aria-label": t("Analysis"), max: now.games, value: now.done || null }) : null,
    running && now.done && now.games > 1 ? h("p", { class: "quiet" }, t("{n} of {games} games", { n: now.done, games: now.games })) : null,
    now.text ? h("p", { class: "quiet", role: "status" }, now.text) : null,
    now.status === "none" ? h("p", { class: "quiet" }, t("GNU Backgammon, a program of its own on this computer, finds error rate, luck and the worst plays.")) : null,
    now.analysis ? figures(now.analysis) : null,
    again ? h("button", { type: "button", id: "analyse", onclick: press }, again) : null,
    running ? h("button", { type: "button", id: "analyse-stop", onclick: () => tell("DELETE") }, t("Stop")) : null,
  ]);
  $("analysis").dataset.status = now.status;
  if (running) setTimeout(follow, EVERY);
}

const refused = (error) => {
  show({ status: "refused", text: refusal(error).message, seconds: 0, analysis: null });
};
const tell = (method, body) => act(`matches/${match}/analysis`, body, method).then(show, refused);
const follow = () => get(`matches/${match}/analysis`).then(show, refused);

/** Shows it for match `id`; `show` is called with (game, roll) of a play to be looked at. `allowed`: whether it may be asked for now. */
export function analysis(id, look, allowed) {
  match = id;
  go = look;
  if (allowed) follow();
  else show({ status: "refused", text: t("This match is being played; it can be analysed when it is over."), seconds: 0, analysis: null });
}
