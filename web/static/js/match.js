// One kept match: step through every position, roll, play and ruling; dice counted; export, print, delete.

import { get, Refused } from "./api.js";
import { Board } from "./board.js";
import { $, h, say } from "./dom.js";
import "./theme.js";
import { remove } from "./remove.js";

$("line")?.remove();
const id = Number($("match").dataset.match);
const board = new Board($("board"));
let found = null;
let at = 0;

function show(index, focus = false) {
  at = Math.max(0, Math.min(found.steps.length - 1, index));
  const step = found.steps[at];
  const [near, far] = found.match.names;
  board.render({ position: step.position, home: "right", names: [near, far], numbers: step.on_roll ?? "near", dice: step.dice, cube: step.crawford ? null : step.cube });
  say($("said"), step.text);
  say($("facts"), [`Game ${step.game}`, `score ${step.score.join("–")}`, step.pips ? `pips ${near} ${step.pips[0]}, ${far} ${step.pips[1]}` : null, step.rule ? `rule ${step.rule}` : null,
    step.role === "machine" ? null : `by the ${step.role}`].filter(Boolean).join(" · "));
  $("evidence").hidden = !step.picture;
  if (step.picture) $("evidence-picture").src = `/api/v1/matches/${id}/pictures/${step.picture}.jpg`;
  for (const button of $("steps").querySelectorAll("button")) {
    const here = Number(button.dataset.index) === at;
    button.toggleAttribute("aria-current", here);
    if (here) { button.scrollIntoView({ block: "nearest" }); if (focus) button.focus(); }
  }
}

function tally() {
  const rows = ["near", "far"].map((seat, i) => [found.match.names[i], found.dice[seat]]);
  $("dice").replaceChildren(
    h("table", { class: "tally" },
      h("thead", {}, h("tr", {}, h("th", { scope: "col" }, "Player"), [1, 2, 3, 4, 5, 6].map((n) => h("th", { scope: "col" }, String(n))), h("th", { scope: "col" }, "χ²"), h("th", { scope: "col" }, "p"))),
      h("tbody", {}, rows.map(([name, one]) => h("tr", {}, h("th", { scope: "row" }, name), one.counts.map((n) => h("td", {}, String(n))), h("td", {}, one.chi_square.toFixed(1)), h("td", {}, one.p.toFixed(2)))))),
    ...rows.map(([name, one]) => h("p", { class: "quiet" }, `${name}: ${one.rolls} rolls, ${one.doubles} doubles. ${one.text}`)));
}

function lists() {
  let game = -1;
  const made = [], sheet = [];
  found.steps.forEach((step, i) => {
    if (step.game !== game && step.game > 0) {
      game = step.game;
      made.push(h("p", { class: "game" }, `Game ${game}`));
      sheet.push(h("h2", {}, `Game ${game}`));
    }
    made.push(h("button", { type: "button", "data-index": i, onclick: () => show(i) }, h("span", {}, step.text), step.rule ? h("span", { class: "rule" }, step.rule) : null));
    if (["played", "play_corrected", "illegal_play_stood", "doubled", "taken", "dropped", "game_won", "resigned", "match_won"].includes(step.type)) sheet.push(h("p", {}, step.text));
  });
  $("steps").replaceChildren(...made);
  $("sheet").replaceChildren(...sheet);
}

try {
  found = await get(`matches/${id}`);
  const { names, score, length, event } = found.match;
  say($("title"), `${names.join(" – ")}  ${score.join("–")}`);
  document.title = `${names.join(" – ")} · Backgammon referee`;
  say($("lost"), [event, length ? `${length} points` : "money game", ...found.lost].filter(Boolean).join(" · "));
  lists();
  tally();
  show(found.steps.length - 1);
} catch (error) {
  if (!(error instanceof Refused)) throw error;
  say($("said"), error.message);
}

$("first").onclick = () => show(0);
$("back").onclick = () => show(at - 1);
$("next").onclick = () => show(at + 1);
$("final").onclick = () => show(Infinity);
$("print").onclick = () => print();
$("delete").onclick = () => found && remove(id, found.match.names);
addEventListener("keydown", (event) => {
  if (!found || event.target.closest("input, dialog")) return;
  if (event.key === "ArrowRight" || event.key === "ArrowDown") show(at + 1, $("steps").contains(document.activeElement));
  else if (event.key === "ArrowLeft" || event.key === "ArrowUp") show(at - 1, $("steps").contains(document.activeElement));
  else return;
  event.preventDefault();
});
