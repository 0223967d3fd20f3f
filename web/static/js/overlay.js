// The overlay for a stream. ?board=1 shows the board, ?delay=SECONDS shows everything that much later, as the stream's video is.

import { Board } from "./board.js";
import { $, h, keep, say } from "./dom.js";
import { about, chip, diceOf, index, nameOf, SEATS } from "./facts.js";
import { Live } from "./live.js";
import { t } from "./words.js";

const wishes = new URLSearchParams(location.search);
const delay = Math.min(600, Math.max(0, Number(wishes.get("delay")) || 0)) * 1000;
const board = wishes.get("board") === "1" ? new Board($("board")) : null;
$("board").toggleAttribute("hidden", !board);

function draw(state) {
  for (const seat of SEATS) {
    const facts = [state.dice?.seat === seat ? state.dice.values.join("-") : null, state.cube.owner === seat ? t("cube {value}", { value: state.cube.value }) : null].filter(Boolean).join(" · ");
    $(seat).classList.toggle("turn", state.decider === seat);
    keep($(seat), [state.names, state.score, facts], () => [chip(seat), h("span", { class: "name" }, nameOf(state, seat)),
      h("span", { class: "facts" }, facts), h("span", { class: "points" }, String(state.score[index(seat)]))]);
  }
  say($("about"), [state.event, ...about(state)].filter(Boolean).join(" · "));
  const last = state.last_turn;
  say($("expected"), !state.started ? "" : state.dice ? `${nameOf(state, state.dice.seat)} ${state.dice.values.join("-")}` : last ? `${nameOf(state, last.seat)} ${last.play || t("no play")}` : state.expected.text);
  board?.render({ position: state.position, home: state.home, names: [nameOf(state, "near"), nameOf(state, "far")], numbers: "near", dice: diceOf(state), cube: state.started ? state.cube : null });
  document.body.dataset.seq = state.seq;
}

new Live({ onState: (state) => (delay ? setTimeout(() => draw(state), delay) : draw(state)), onLine: () => {}, always: () => true });
