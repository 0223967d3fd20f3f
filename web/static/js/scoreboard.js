// The scoreboard: names, score, cube, dice, whose turn, and the last play, for a big screen. ?board=0 leaves the board out.

import { keepAwake } from "./awake.js";
import { Board } from "./board.js";
import { clockFace, follow as clocks } from "./clock.js";
import { $, h, keep, say } from "./dom.js";
import { about, again, balance, boardOf, chip, clocksStand, cubeOf, cubeWords, differences, ending, index, isolated, nameOf, playerOf, playing, points, resigning, scoreOf, SEATS, timeUp, turnWords } from "./facts.js";
import { Live } from "./live.js";
import { showLine } from "./theme.js";
import { t } from "./words.js";

const LEFT_ALONE = 60;   // minutes without anything new after which the screen may go out
const board = new URLSearchParams(location.search).get("board") === "0" ? null : new Board($("board"));
$("board").toggleAttribute("hidden", !board);
$("board").parentElement.classList.toggle("boardless", !board);

/** A name that its lines do not hold, or a word of it one line, is written smaller. */
function fitNames() {
  for (const name of document.querySelectorAll(".name")) {
    name.classList.remove("long");
    name.classList.add("whole");
    const long = name.scrollHeight > name.clientHeight + 1 || name.scrollWidth > name.clientWidth + 1;
    name.classList.remove("whole");
    name.classList.toggle("long", long);
  }
}

/** Nobody scrolls a screen on the wall: what does not fit on it all together is drawn smaller. */
function fit() {
  for (const size of [1, .95, .9, .85, .8, .75, .7]) {
    $("board").parentElement.style.setProperty("--fit", size);
    fitNames();
    if (document.documentElement.scrollHeight <= innerHeight) return;
  }
}

function draw(state) {
  for (const seat of SEATS) {
    $(seat).classList.toggle("turn", state.decider === seat);
    const facts = [cubeOf(state)?.owner === seat ? t("cube at {value}", { value: state.cube.value }) : null,
      state.pips ? t("{n} pips", { n: state.pips[index(seat)] }) : null, balance(state, seat) || null,
      state.length && state.started && state.phase !== "match_over" ? t("{n} away", { n: Math.max(0, state.length - state.score[index(seat)]) }) : null].filter(Boolean);
    keep($(seat), [nameOf(state, seat), scoreOf(state), facts], () => [chip(seat),
      h("div", { class: "said" }, h("div", { class: "name" }, playerOf(state, seat)), h("div", { class: "facts" }, facts.flatMap((one, n) => [n ? " · " : "", h("span", {}, one)])), clockFace(seat)), points(state, seat)]);
  }
  clocks(state);
  keep($("about"), [about(state), cubeWords(state), state.event], () => [h("span", {}, [$("about").dataset.table, state.event, ...about(state)].filter(Boolean).map(isolated).join(" · ")),
    h("span", {}, state.started ? cubeWords(state) : "")]);
  const marks = {};
  if (state.held) for (const place of differences(state.position, state.held.seen)) marks[place] = "wrong";
  board?.render({ ...boardOf(state), marks });
  const now = $("expected");
  now.classList.toggle("held", Boolean(state.held));
  now.classList.toggle("asks", Boolean(state.doubt) && !state.held);
  say(now, state.expected.text);
  say($("last"), state.held?.text ?? (resigning(state) || ending(state) || again(state) || timeUp(state) || clocksStand(state) || (state.last_turn ? turnWords(state) : "")));
  fit();
  keepAwake(playing(state), LEFT_ALONE);
  document.body.dataset.seq = state.seq;
  document.body.dataset.phase = state.phase;
}

addEventListener("resize", fit);
document.fonts?.addEventListener("loadingdone", fit);
new Live({ onState: draw, onLine: showLine }, true);
