// The table in words, for a screen reader: one live region, everything else to be read when wanted.

import { count, flip } from "./board.js";
import { clockFace, follow as clocks } from "./clock.js";
import { $, h, keep, say } from "./dom.js";
import { about, again, balance, clocksStand, cubeWords, diceWords, ending, index, nameOf, newest, resigning, scoreOf, SEATS, timeUp, TURNS } from "./facts.js";
import { Live } from "./live.js";
import { showLine } from "./theme.js";
import { t, tn } from "./words.js";

function points(state, seat) {
  const i = index(seat);
  const lines = [];
  if (state.position.bar[i]) lines.push(t("{n} on the bar", { n: state.position.bar[i] }));
  for (let p = 24; p >= 1; p--) {
    const n = count(state.position, seat, flip(seat, p));
    if (n) lines.push(`${p}: ${tn(n, "{n} checker", "{n} checkers")}`);
  }
  if (state.position.off[i]) lines.push(t("{n} off", { n: state.position.off[i] }));
  return lines;
}

/** One after the other; what is followed by another ends with its full stop. */
const sentences = (said) => said.filter(Boolean).map((one, i, all) => (i < all.length - 1 && !/[.?!]$/.test(one) ? `${one}.` : one)).join(" ");

function draw(state) {
  const first = resigning(state) || ending(state) || again(state) || newest(state, TURNS);   // a roll is told by what is expected then
  say($("expected"), sentences([state.trouble, first, state.doubt ? state.doubt.text : state.expected.text, state.held?.text, clocksStand(state), timeUp(state)]));
  keep($("score"), [state.names, scoreOf(state), state.money, about(state), state.cube, state.pips, state.dice], () => [
    ...SEATS.map((seat) => h("li", {}, [`${nameOf(state, seat)}: ${scoreOf(state)[index(seat)]}`, balance(state, seat),
      state.pips ? t("{n} pips", { n: state.pips[index(seat)] }) : null].filter(Boolean).join(", "), " ", clockFace(seat))),
    ...(state.started ? [h("li", {}, [...about(state), cubeWords(state)].join(", "))] : []),
    state.dice ? h("li", {}, t("Dice: {dice}", { dice: diceWords(state.dice.values) })) : null]);
  clocks(state);
  keep($("points"), [state.position, state.names], () => SEATS.map((seat) => h("div", {},
    h("h3", {}, nameOf(state, seat)), h("ul", {}, points(state, seat).map((line) => h("li", {}, line))))));
  keep($("last"), state.log, () => (state.log.length ? [...state.log].reverse().slice(0, 20).map((line) => h("li", {}, line.text))
    : h("li", { class: "quiet" }, t("Nothing has happened yet."))));
  document.body.dataset.seq = state.seq;
}

new Live({ onState: draw, onLine: showLine }, true);
