// One kept match: step through every position, roll, play and ruling; dice counted; analysed, exported, printed, deleted.

import { analysis } from "./analysis.js";
import { ask, get, refusal } from "./api.js";
import { Board } from "./board.js";
import { $, h, keep, say, unbroken } from "./dom.js";
import { cubeOf, dayWords, isolated, scoreOf } from "./facts.js";
import "./theme.js";
import { complain, field, open, text } from "./dialog.js";
import { act } from "./pin.js";
import { recordOf } from "./records.js";
import { sheet } from "./sheet.js";
import { decimal, t, tn } from "./words.js";

const id = Number($("match").dataset.match);
const board = new Board($("board"));
const ROLES = { referee: t("by the referee"), director: t("by the director") };
const PATIENCE = 60000;   // ms: thousands of steps, as of a long money session, take a small computer its time
let found = null;
let names = null;   // of the players, once it is known what can be deleted; empty where the log is damaged from its first row on
let at = 0;
let buttons = [];   // of the list of steps
let shown = null;   // that of the step which is shown
recordOf(id);

const load = () => ask("GET", `matches/${id}`, undefined, PATIENCE);

function show(index, focus = false) {
  at = Math.max(0, Math.min(found.steps.length - 1, index));
  const step = found.steps[at], then = { ...step, length: found.match.length };
  const [near, far] = found.match.names.map(isolated);
  board.render({ position: step.position, home: "right", names: [near, far], numbers: step.on_roll ?? "near", dice: step.dice, cube: cubeOf(then) });
  say($("said"), step.text);
  say($("facts"), [t("Game {n}", { n: step.game }), t("score {score}", { score: scoreOf(then).join("–") }),
    step.pips ? t("pips: {near} {n}, {far} {m}", { near, n: step.pips[0], far, m: step.pips[1] }) : null,
    step.rule ? t("rule {rule}", { rule: step.rule }) : null, ROLES[step.role] ?? null].filter(Boolean).join(" · "));
  $("ids").hidden = !step.ids;
  for (const name of ["xgid", "gnubgid"]) say($(name), step.ids?.[name] ?? "");
  $("evidence").hidden = !step.picture;
  if (step.picture) evidence(`/api/v1/matches/${id}/pictures/${step.picture}.jpg`);
  shown?.removeAttribute("aria-current");
  shown = buttons[at];
  shown.setAttribute("aria-current", "step");
  inList(shown);
  if (focus) shown.focus();
}

/** Shows the picture at `src` once it has come: until then a browser shows that of another step, which would pass for it. Its place stays. */
function evidence(src) {
  const image = $("evidence-picture");
  if (image.getAttribute("src") === src) return;
  image.style.visibility = "hidden";
  image.src = src;
}
for (const end of ["load", "error"]) $("evidence-picture").addEventListener(end, ({ target }) => { target.style.visibility = ""; });

/** `button` is in sight in the list of steps, and the page stays where it is: on a phone it would leave the board, and what is pressed would go from under the finger. */
function inList(button) {
  button.parentElement.style.contentVisibility = "visible";   // else the list cannot be moved past the height guessed of a game not laid out yet
  const [list, one] = [$("steps"), button].map((element) => element.getBoundingClientRect());
  if (one.top < list.top) $("steps").scrollTop -= list.top - one.top;
  else if (one.bottom > list.bottom) $("steps").scrollTop += one.bottom - list.bottom;
}

/** Shows the play of a game's n-th roll, with the board behind it. */
function look(game, roll) {
  let n = 0;
  const rolled = found.steps.findIndex((step) => step.game === game && !step.replaced && ["rolled", "opening_rolled"].includes(step.type) && ++n === roll);
  if (rolled < 0) return;
  show(rolled);
  $("board").scrollIntoView({ block: "nearest" });
}

function tally() {
  const rows = [...["near", "far"].map((seat, i) => [isolated(found.match.names[i]), found.dice[seat]]), [t("All dice"), found.dice.both]];
  const head = (text) => h("th", { scope: "col" }, text);
  $("dice").replaceChildren(h("table", { class: "tally" },
      h("thead", {}, h("tr", {}, head(t("Player")), [1, 2, 3, 4, 5, 6].map((n) => head(String(n))), head("χ²"), head("p"))),
      h("tbody", {}, rows.map(([name, one]) => h("tr", {}, h("th", { scope: "row" }, name), one.counts.map((n) => h("td", {}, String(n))),
        h("td", {}, decimal(one.chi_square, 1)), h("td", {}, decimal(one.p, 2)))))));
  $("dice-said").replaceChildren(...rows.map(([name, one]) => h("p", { class: "quiet" },
      `${name}: ${tn(one.rolls, "1 roll", "{n} rolls")}, ${tn(one.doubles, "1 double", "{n} doubles")}. ${one.text}`)));
}

function lists() {
  const games = new Map();
  buttons = found.steps.map((step, i) => h("button", { type: "button", "data-index": i, onclick: () => show(i) },
    h("span", {}, unbroken(step.text)), step.rule ? h("span", { class: "rule" }, step.rule) : null));
  found.steps.forEach(({ game }, i) => {
    if (!games.has(game)) games.set(game, game > 0 ? [h("p", { class: "game" }, t("Game {n}", { n: game }))] : []);
    games.get(game).push(buttons[i]);
  });
  $("steps").replaceChildren(...[...games.values()].map((made) => h("div", { class: "a-game" }, made)));
}

$("first").onclick = () => found && show(0);
$("back").onclick = () => found && show(at - 1);
$("next").onclick = () => found && show(at + 1);
$("final").onclick = () => found && show(Infinity);
$("print").onclick = () => print();
addEventListener("beforeprint", () => { if (found) $("sheet").replaceChildren(...sheet(found)); });   // only then: that of a long session is long
$("continue").onclick = () => open(t("Continue this match?"),
  [h("p", {}, t("It goes on where it stood, with the clocks standing. A match that is on the table now is kept, and can be continued the same way."))],
  t("Continue"), async () => {
    try {
      await act(`matches/${id}/continue`, { on: found.on });
      location.href = "../table";
    } catch (error) {
      const { code, message } = refusal(error);
      complain(message, code);
      if (code === "stale") ({ on: found.on } = await load().catch(() => found));   // told of it, he may press again
    }
  });
$("delete").onclick = () => names && open(t("Delete this match?"), [
  h("p", {}, t("The match, its rulings and its pictures are gone for good.")),
  names[0] && field(t("Write {name} to confirm", { name: isolated(names[0]) }), text("confirm", "", { required: true }))],
t("Delete"), async ({ confirm = "" }) => {
  if (confirm.trim() !== names[0]) { complain(t("That is not the near player’s name.")); return; }
  try {
    await act(`matches/${id}`, { names }, "DELETE");
  } catch (error) {
    const { message, code } = refusal(error);
    if (code !== "no_match") { complain(message, code); return; }   // else it is gone, as by a press before, whose answer is on its way or never came
  }
  location.href = "../matches";
});
addEventListener("keydown", (event) => {
  if (!found || event.ctrlKey || event.metaKey || event.altKey || event.shiftKey || event.target.closest("input, select, dialog, .scroll")) return;
  const listed = $("steps").contains(document.activeElement);   // elsewhere up and down scroll the page
  if (event.key === "ArrowRight" || (listed && event.key === "ArrowDown")) show(at + 1, listed);
  else if (event.key === "ArrowLeft" || (listed && event.key === "ArrowUp")) show(at - 1, listed);
  else return;
  event.preventDefault();
});

try {
  found = await load();
  const { length, event } = found.match;
  ({ names } = found.match);
  keep($("title"), [names, found.match], () => [`${names.map(isolated).join(" – ")}  `, unbroken(scoreOf(found.match).join("–"))]);
  document.title = `${names.map(isolated).join(" – ")} · ${t("Backgammon referee")}`;
  say($("about"), [isolated(event), length ? tn(length, "1 point", "{n} points") : t("Money game"), dayWords(found.match.day, "long")].filter(Boolean).join(" · "));
  $("continue").hidden = !found.match.open || found.on === id;
  lists();
  tally();
  show(found.steps.length - 1);
  analysis(id, look, found.analysed);
} catch (error) {
  const { code, message } = refusal(error);
  say($("said"), message);
  if (code === "damaged") names = (await get("matches").catch(refusal)).matches?.find((one) => one.id === id)?.names;   // to be deleted at least
}
document.body.dataset.ready = "";
