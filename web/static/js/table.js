// The table page: draws every snapshot, and sends what people at the table say.

import { refusal } from "./api.js";
import { keepAwake } from "./awake.js";
import { Board } from "./board.js";
import { clockFace, follow as clocks } from "./clock.js";
import { $, fitNames, h, keep, say, unbroken } from "./dom.js";
import { complain } from "./dialog.js";
import { about, again, balance, boardOf, chip, clocksStand, cubeWords, differences, ending, index, nameOf, playerOf, playing, points, resigning, scoreOf, SEATS, timeUp } from "./facts.js";
import { Hand } from "./hand.js";
import { showKeys } from "./keys.js";
import { Live } from "./live.js";
import { Picture } from "./picture.js";
import { act, rankButton } from "./pin.js";
import { showQuestion } from "./question.js";
import { recordOf } from "./records.js";
import { showLine } from "./theme.js";
import { showTower } from "./tower.js";
import "./twice.js";
import { announce, listens } from "./voice.js";
import { t } from "./words.js";

let state = null;
const { title } = document;
const board = new Board($("board"));
const picture = new Picture($("picture"));

const SHOWN_WITHIN = 4000;   // ms a command's answer may be ahead of the snapshot that shows it
const SLOW = 1000;           // ms after which who pressed something is told that it is on its way
const LEFT_ALONE = 15;       // minutes without anything new after which the screen may go out
let sending = 0;             // commands whose result the page does not show yet
let waiting = [];            // [whether a snapshot shows it, what to do then]

/** Until a snapshot shows what was done: whatever is pressed next is then pressed by somebody who has seen it. */
function shown(done) {
  return new Promise((resolve) => {
    if (done(state)) { resolve(); return; }
    waiting.push([done, resolve]);
    setTimeout(resolve, SHOWN_WITHIN);
  });
}

/** Tells the referee. Where only the answer was lost the table has gone on, as the stream shows: asked again, he says whether with this. */
async function tell(name, said) {
  try {
    return await act(name, said);
  } catch (error) {
    const on = state.match !== said.match || state.seq > said.seq;
    if (refusal(error).code !== "unreachable" || !on) throw error;
    return act(name, said);
  }
}

/** Sends a command of a person who looked at the snapshot `seen`; shows a refusal by name, but where what was sent stands already. Comes back when the page shows the result. */
async function send(name, body, { seq, match, started }) {
  sending += 1;
  const slow = setTimeout(() => { if (!$("dialog").open) toast(t("Waiting for the referee…"), "waits"); }, SLOW);
  try {
    const answer = await tell(name, { seq, match, ...body });
    $("toast").hidden = true;
    await shown(name === "start_match" && started ? (now) => now.match !== match : (now) => now.match !== match || now.seq >= answer.seq);
    return answer;
  } catch (error) {
    const { body: { same }, message, code } = refusal(error);   // `same`: another was quicker to say just that, and it is done
    if (!same) toast(message, code);
    if (code === "stale") await shown((now) => now.match !== match || now.seq > seq);
    return same ? { seq: state.seq } : null;
  } finally {
    sending -= 1;
    clearTimeout(slow);
    if ($("toast").dataset.code === "waits") $("toast").hidden = true;
  }
}

/** What is to be done next is in sight, where what was pressed lay below it in a column that scrolls by itself: on a phone lying down. Where a camera's
 *  picture stands between, whoever has scrolled down to the controls finds them where they were. */
function inSight() {
  const [column, hand, camera] = [$("voice").parentElement, $("hand"), $("camera")];
  if (column.scrollHeight <= column.clientHeight) return;
  if (camera.hidden || camera.offsetTop > hand.offsetTop) column.scrollTop = 0;
  hand.querySelector(".main")?.scrollIntoView({ block: "nearest" });
}

let fading = 0;
function toast(text, code = "") {
  const mark = $("toast");
  mark.dataset.code = code;
  if (complain(text, code)) return;
  mark.textContent = text;
  mark.hidden = false;
  clearTimeout(fading);
  fading = setTimeout(() => { mark.hidden = true; }, 9000);
}

const hand = new Hand({ send, toast, inSight, redraw: () => draw(), toBoard: () => board.focus() });
$("keys").onclick = showKeys;
const shownTo = rankButton($("rank"));
board.onPick = (place, event) => hand.pick(place, event);

// drawing ---------------------------------------------------------------------------------------------------------------

function players() {
  for (const seat of SEATS) {
    const turn = state.decider === seat;
    $(seat).classList.toggle("turn", turn);
    const seatName = !state.names[index(seat)] ? null : seat === "near" ? t("near") : t("far");   // without a name it stands in its place
    keep($(seat), [state.names, scoreOf(state), state.pips, turn, state.started, state.money], () => [
      chip(seat),
      h("div", { class: "who" },
        h("div", { class: "name", dir: "auto" }, playerOf(state, seat), turn ? h("span", { class: "hidden-text" }, ` ${t("(to act)")}`) : null),
        h("div", { class: state.money ? "seat sum" : "seat" }, [seatName, state.pips ? t("{n} pips", { n: state.pips[index(seat)] }) : null, balance(state, seat)].filter(Boolean).join(" · "))),
      clockFace(seat),
      state.started ? points(state, seat) : null]);
  }
  document.title = [state.started ? `${SEATS.map((seat) => nameOf(state, seat)).join(" – ")} ${scoreOf(state).join("–")}` : "", title].filter(Boolean).join(" · ");
  keep($("about"), [about(state), state.cube, state.names, state.length, state.crawford], () => {
    const [first, ...rest] = about(state);
    const more = [...rest, cubeWords(state)].join(" · ");
    return first ? [h("strong", {}, first), h("span", { title: more }, more)] : [];
  });
  fitNames();   // what stands between the names has its width
}

addEventListener("resize", fitNames);
document.fonts?.addEventListener("loadingdone", fitNames);

function voice() {
  const anew = again(state);
  const up = timeUp(state);
  const asks = Boolean(state.doubt || anew || up);
  $("voice").classList.toggle("held", Boolean(state.held) || Boolean(state.trouble));
  $("voice").classList.toggle("asks", asks && !state.held);
  const missing = hand.thrown.missing(state);   // told in the place of what was expected of both: nothing below it moves
  say($("expected"), state.trouble || missing || state.expected.text);
  const facts = resigning(state) || ending(state) || anew;
  const rest = [clocksStand(state), up && `${up} ${t("Ruling… says what comes of it.")}`].filter(Boolean);
  const more = missing ? "" : [state.held?.text ?? "", state.held?.silent ? t("Only you see this.") : "", facts && rest.length ? `${facts}.` : facts, ...rest].filter(Boolean).join(" ");
  keep($("more"), [more, anew && state.log[state.log.length - 1].seq], () => h("span", {}, unbroken(more)));   // the same ruling on the next throw is read out, too
  $("more").hidden = !more;
  const list = state.held?.put_back ?? state.put_back;
  $("put-back").hidden = list.length === 0;
  keep($("put-back"), list, () => list.map((text) => h("li", {}, unbroken(text))));
}

let answering = 0;   // the question that is: the same answer twice before the page shows its result is one
async function answered(answer) {
  const { seq } = state.doubt;
  if (answering === seq) return;
  answering = seq;
  await send("answer", { doubt: seq, answer }, state).finally(() => { if (answering === seq) answering = 0; });
}

function rulings() {
  keep($("rulings"), state.log, () => (state.log.length ? [...state.log].reverse().map((line) =>
    h("li", { class: `${line.seat ?? ""}` },
      h("span", { class: "mark", "aria-hidden": "true" }),
      h("span", { class: line.level }, unbroken(line.text), line.silent ? h("span", { class: "quiet" }, ` ${t("Only you see this.")}`) : null),
      line.rule ? h("span", { class: "rule", title: t("Rule {rule}", { rule: line.rule }) }, line.rule) : h("span")))
    : h("li", { class: "empty" }, t("Nothing has happened yet."))));
  $("records").hidden = !state.started;
  recordOf(state.match);
}

function camera() {
  const seen = state.camera;
  showTower(seen.tower);
  $("camera").hidden = seen.status === "none";
  if (seen.status === "none") return;
  $("camera").classList.toggle("lost", seen.status === "lost");
  $("camera").classList.toggle("found", Boolean(seen.board));
  say($("camera-text"), seen.text);
  const image = $("picture");
  if (seen.picture && image.dataset.shown !== String(seen.picture)) {
    image.dataset.shown = seen.picture;
    const src = `/api/v1/picture.jpg?n=${seen.picture}`;
    picture.show(src);
    image.alt = t("The board as the camera saw it. {text}", { text: seen.text });
    $("picture-link").href = src;
  }
  image.hidden = $("saw").hidden = !seen.picture;
}

function marks(shown) {
  const found = {};
  if (state.held) for (const place of differences(state.position, state.held.seen)) found[place] = "wrong";
  else if (state.last_turn && !hand.busy && !differences(state.last_turn.after, state.position).length) {   // else checkers have been set since
    for (const place of differences(state.last_turn.before, state.last_turn.after)) found[place] = "to";
  }
  return { ...found, ...shown };
}

function draw() {
  if (!state) return;
  players();
  clocks(state);
  const lies = boardOf(state), entry = hand.board(state);
  board.render({ ...lies, position: entry.position ?? lies.position, numbers: entry.numbers ?? lies.numbers, early: state.early, marks: marks(entry.marks), active: entry.active });
  voice();
  showQuestion(state, answered);
  rulings();
  camera();
  hand.draw(state);
}

new Live({
  onState: (fresh) => {
    state = fresh;
    shownTo(fresh.audience);
    hand.follow(fresh);
    draw();
    if (sending) inSight();   // at once with what is shown: nothing moves away under who presses that
    announce(fresh);
    keepAwake(playing(fresh) && fresh.audience !== "viewer", LEFT_ALONE);
    Object.assign(document.body.dataset, { seq: fresh.seq, phase: fresh.phase, match: fresh.match });
    waiting = waiting.filter(([done, resolve]) => { if (done(fresh)) resolve(); else return true; return false; });
  },
  onCamera: (seen) => { if (state) { state.camera = seen; camera(); } },
  onLine: (line) => {
    showLine(line);
    if (line === "live" && $("toast").dataset.code === "unreachable") $("toast").hidden = true;   // it is reached again
  },
  always: listens,
});
