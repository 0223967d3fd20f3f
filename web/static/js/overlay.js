// The overlay for a stream. ?board=1 shows the board, ?clock=0 hides the clocks, ?delay=SECONDS shows everything that much later, as the
// stream's video is.

import { get } from "./api.js";
import { Board } from "./board.js";
import { clockFace, follow as clocks } from "./clock.js";
import { $, fitNames, h, keep } from "./dom.js";
import { about, again, boardOf, chip, cubeOf, cubeWords, diceWords, ending, index, isolated, nameOf, playerOf, points, scoreOf, SEATS } from "./facts.js";
import { Live } from "./live.js";
import { language, t, tn } from "./words.js";

const wishes = new URLSearchParams(location.search);
const delay = Math.min(600, Math.max(0, Number(wishes.get("delay")) || 0)) * 1000;
const board = wishes.get("board") === "1" ? new Board($("board")) : null;
$("board").toggleAttribute("hidden", !board);
const clocked = wishes.get("clock") !== "0";

/** While this is expected, the dice or the last play say more than whose turn it is. */
const PLAYING = ["roll", "roll_or_double", "closed_out", "closed_out_or_double", "play", "judging"];
const BOARD_TOP = 556;   // px the board's upper edge is above the bar's lower
const BROKEN = 4000;   // ms a line is gone before that is said
const LONG = 16;   // letters of a name in a sentence
const ASKED = 1000;   // ms between two looks at how the table was, until the first that came is due

/** What goes on now: [name, what he rolled or played], or ["", a sentence]. */
function now(state) {
  if (!state.started) return ["", ""];
  const last = state.last_turn;
  const { code, text } = state.expected;
  if (again(state)) return ["", again(state)];
  if (PLAYING.includes(code) && (state.dice || last)) {
    return state.dice ? [nameOf(state, state.dice.seat), diceWords(state.dice.values)] : [nameOf(state, last.seat), last.play || t("no play")];
  }
  const why = offer(state) || ending(state);
  const said = code === "match_over" ? [text, why] : [why, code === "next_game" && why ? "" : text];   // a ruling may be long: the winner comes first
  return ["", said.filter(Boolean).join(" · ")];
}

/** What somebody must answer. */
function offer(state) {
  const { code } = state.expected;
  if (code === "answer_double") return cubeWords(state);
  const { seat, points } = state.resignation ?? {};
  return code === "answer_resignation" ? t("{name} offers {points}", { name: nameOf(state, seat), points: tn(points, "1 point", "{n} points") }) : "";
}

/** Whether the cube lies in the middle and shows more than at the start, as after an automatic double: it stands beside neither name. */
const turned = (state) => state.started && cubeOf(state)?.value > 1 && !state.cube.owner && !state.cube.offered_by;

/** A sentence begins with a capital, also where a name does not. */
const spelt = (name) => [name, `${name.charAt(0).toUpperCase()}${name.slice(1)}`];

const shortened = (state, text) => state.names.filter((name) => [...name].length > LONG).flatMap(spelt)
  .reduce((said, name) => said.replaceAll(isolated(name), isolated(`${[...name].slice(0, LONG - 2).join("").trimEnd()}…`)), text);

/** Where bar and board do not fit (a small source, a laptop's window) they are drawn smaller, and in a source of more than 1920 x 1080 as much
 *  larger as it is: a stream of it is watched as small as any other. A theme may have moved them. */
function fit() {
  const { style } = $("overlay"), { left, bottom, width, height } = getComputedStyle($("overlay"));
  const [x, y, w] = [left, bottom, width].map(parseFloat);
  const h = board ? BOARD_TOP : parseFloat(height);
  const large = Math.max(1, Math.min(innerWidth / 1920, innerHeight / 1080));
  const part = (room, from, size) => {
    const most = (room - from - Math.min(from, 40)) / size;
    return from + size <= room ? Math.min(large, Math.max(1, most)) : most;
  };
  const scale = Math.min(part(innerWidth, x, w), part(innerHeight, y, h));
  style.transform = scale === 1 ? "" : `scale(${Math.max(scale, .1)})`;
}
addEventListener("resize", fit);

let drawn = null;   // the state that is shown
document.fonts?.addEventListener("loadingdone", () => { if (drawn) fitText(drawn); });

/** What is too long for its place: names are written smaller, and those in a sentence shortened where its lines do not hold it. */
function fitText(state) {
  fitNames();
  const [name, what] = now(state), said = $("expected");
  said.classList.toggle("sentence", !name);
  keep(said, [name, what], () => (name ? [h("span", { class: "name", dir: "auto" }, name), h("span", { class: "what" }, ` ${what}`)] : what));
  if (!name && said.scrollHeight > said.clientHeight) keep(said, ["", what, "shortened"], () => shortened(state, what));
}

function draw(state) {
  drawn = state;
  fit();
  for (const seat of SEATS) {
    const facts = [state.dice?.seat === seat ? diceWords(state.dice.values) : null, cubeOf(state)?.owner === seat ? t("cube {value}", { value: state.cube.value }) : null,
      state.pips && state.started ? t("{n} pips", { n: state.pips[index(seat)] }) : null].filter(Boolean).join(" · ");
    $(seat).classList.toggle("turn", state.decider === seat);
    keep($(seat), [state.names, scoreOf(state), facts], () => [chip(seat), h("div", { class: "said" }, h("span", { class: "name", dir: "auto" }, playerOf(state, seat)),
      h("span", { class: "facts" }, facts)), clocked ? clockFace(seat) : null, points(state, seat)]);
  }
  $("overlay").classList.toggle("delays", clocked && state.clock?.mode === "simple_delay");
  clocks(state, delay / 1000);
  const cube = turned(state) ? `${t("cube {value}", { value: state.cube.value })} · ` : "";
  const [length = "", ...rest] = about(state);
  keep($("about"), [state.event, cube, length, rest], () => [
    state.event ? h("span", { class: "event" }, h("span", { class: "short" }, isolated(state.event)), length ? " · " : "") : null,
    h("span", { class: "what" }, cube, h("span", { class: "short" }, length), rest.map((one) => ` · ${one}`).join(""))]);
  fitText(state);
  board?.render({ ...boardOf(state), position: state.position, numbers: "near" });
  document.body.dataset.seq = state.seq;
}

const later = (show) => (delay ? setTimeout(show, delay) : show());

let due = !delay;   // what the stream has brought is shown

function show(state) {
  due = true;
  draw(state);
}

/** What the stream brings is shown later. Until then the table is asked how it was: a scene that is switched to is not empty. */
async function meanwhile() {
  const state = await get(`state?ago=${delay / 1000}&lang=${language}&as=viewer`).catch(() => null);
  if (due) return;
  if (state) draw(state);
  setTimeout(meanwhile, ASKED);
}

let broken = 0;

/** That nothing new comes any more is said, but not of a line that is there again at once: a stream shows no flicker. */
function line(now) {
  clearTimeout(broken);
  const tell = (lost) => later(() => document.body.classList.toggle("stale", lost));
  if (now === "stale") broken = setTimeout(tell, BROKEN, true);
  else tell(false);
}

if (!due) meanwhile();
new Live({ onState: (state) => later(() => show(state)), onLine: line, always: () => true }, true);
