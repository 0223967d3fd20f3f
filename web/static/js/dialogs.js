// The dialogs of the table page.

import { inSeconds, inWords, reserve, TIME } from "./clock.js";
import { field, number, open, playerNames, select, text } from "./dialog.js";
import { $, h, show } from "./dom.js";
import { ACROSS, index, nameOf, other, SEATS, timeUp, turnWords } from "./facts.js";
import { LONGEST } from "./matchform.js";
import { correctRules, newMatch } from "./newmatch.js";
import { asksDirector } from "./pin.js";
import { t } from "./words.js";

const CUBES = Array.from({ length: 16 }, (_, i) => 2 ** i);  // to LARGEST_CUBE
const LARGEST_SCORE = 9999;   // that a person may set; what was played for may come to more

/** Each is said by somebody who looked at the `state` it was opened on: what came later makes it stale, and the dialog opens anew on `now()`. */
export function dialogs({ send, toast, now }) {
  const seatName = { near: t("near"), far: t("far") };
  const seats = (state) => SEATS.map((seat) => [seat, `${nameOf(state, seat)} (${seatName[seat]})`]);
  const kinds = [["single", t("A single game")], ["gammon", t("A gammon")], ["backgammon", t("A backgammon")]];
  return {
    match: (state) => newMatch(state, send, toast, now),

    resign(state) {
      open(t("Resign"), [
        field(t("Who resigns"), select("seat", [["", t("Choose…")], ...seats(state)], state.decider ?? "", { required: true })),
        field(t("What"), select("kind", kinds.filter(([kind]) => state.resignable.includes(kind)), "single"))],
      t("Offer"), (values) => send("resign", { seat: values.seat, kind: values.kind }, state), () => this.resign(now()));
    },

    undo(state) {
      const steps = state.log.filter((line) => !["match_started", "reopened"].includes(line.type)).reverse();   // neither changed the game
      if (!steps.length) { toast(t("There is nothing to undo.")); return; }
      const options = steps.map((line) => [String(line.seq - 1), line.text]);
      open(t("Undo"), [
        field(t("Take back everything from"), select("to", options, options[0][0]), t("The log keeps it; the pages no longer show it. With a camera, the board is then compared with the log."))],
      t("Undo"), (values) => send("undo", { to_seq: Number(values.to) }, state), () => this.undo(now()));
    },

    /** What only a director may say: on a play, penalty points, a game or the match given to somebody. */
    rule(state) {
      const can = (name) => state.can.includes(name);
      const flagged = can("award_match") && state.clock?.flagged;
      const what = [
        can("rule") ? ["stands", t("The play stands as it lies")] : null, can("rule") ? ["counts", t("This play counts instead")] : null,
        can("penalise") ? ["penalise", t("Penalty points")] : null, can("late") ? ["late", t("A player came late")] : null,
        can("award_game") ? ["award", t("The game is awarded")] : null, can("award_match") ? ["award_match", t("The match is awarded")] : null,
        flagged ? ["lost_on_time", t("{name} loses the match on time", { name: nameOf(state, flagged) })] : null,
      ].filter(Boolean);
      const about = state.held?.text ?? (state.last_turn ? turnWords(state) : "");
      const play = h("p", { id: "about-play" }, about);
      const parts = {
        counts: field(t("Play"), text("play", "", { placeholder: "24/18 13/11" })),
        seat: field(t("Player"), select("seat", [["", t("Choose…")], ...seats(state)], "")),
        points: field(t("Points"), number("points", 1, 1, 99)),
        minutes: field(t("Minutes late"), number("minutes", 5, 0, 1440)),
        kind: field(t("What"), select("kind", kinds, "single")),
      };
      const wanted = { stands: [], counts: ["counts"], penalise: ["seat", "points"], late: ["seat", "minutes"], award: ["seat", "kind"], award_match: ["seat"], lost_on_time: [] };
      const asked = flagged && timeUp(state) && !state.held ? "lost_on_time" : what[0]?.[0];   // what the page waits for
      const choice = select("what", what, asked, { onchange: () => show() });
      function show() {
        play.hidden = !about || !["stands", "counts"].includes(choice.value);
        for (const [name, part] of Object.entries(parts)) {
          const on = wanted[choice.value]?.includes(name) ?? false;
          part.hidden = !on;
          for (const input of part.querySelectorAll("input, select")) { input.disabled = !on; input.required = on; }
        }
      }
      open(t("Director’s ruling"), [asksDirector() ? h("p", { class: "quiet", id: "asks-director" }, t("This needs the director’s PIN.")) : null, field(t("What is ruled"), choice), about ? play : null, ...Object.values(parts), field(t("Reason"), text("note", "", { maxlength: 300 }))],
        t("Rule"), ({ what: kind, note, ...values }) => {
          if (kind === "stands" || kind === "counts") return send("rule", { stands: kind === "stands", play: values.play ?? "", note }, state);
          if (kind === "penalise") return send(kind, { seat: values.seat, points: Number(values.points), note }, state);
          if (kind === "lost_on_time") return send("award_match", { seat: other(flagged), on_time: true, note }, state);
          if (kind === "late") return send(kind, { seat: values.seat, minutes: Number(values.minutes), note }, state);
          return send(kind, kind === "award" ? { seat: values.seat, kind: values.kind, note } : { seat: values.seat, note }, state);
        }, () => this.rule(now()));
      show();
    },

    /** Score, cube, turn and position of an XGID or GNUBGID. */
    moment(state, done) {
      open(t("Take a moment over"), [
        field("XGID / GNUBGID", text("text", "", { required: true, maxlength: 200, spellcheck: "false", placeholder: "XGID=-b----E-C---eE---c-e----B-:0:0:1:00:0:0:0:5:10" })),
        field(t("Its bottom player"), select("bottom", seats(state), state.on_roll ?? "near"))],
      t("Take over"), async (values) => {
        const answer = await send("moment", { text: values.text.trim(), bottom: values.bottom }, state);
        if (answer) done();
        return answer;
      }, () => this.moment(now(), done));
    },

    correct(state) {
      const clock = state.clock && SEATS.map((seat) => Math.ceil(reserve(seat)));   // as the faces show it
      let seen = state;   // with what this dialog has corrected: after a refusal only the rest is sent again
      const crawford = field(state.game && state.can.includes("start_game") ? t("Is the next game the Crawford game?") : t("Is this the Crawford game?"),
        select("crawford", [["", t("as the score tells")], ["yes", t("yes")], ["no", t("no")]], ""));
      const form = open(t("Correct"), [
        state.can.includes("set_rules") ? h("div", { class: "row" }, h("button", { type: "button", class: "small", id: "to-rules", onclick: () => correctRules(now(), send, toast, now) }, t("Rules and clock…"))) : null,
        state.can.includes("set_score") ? h("div", { class: "two" },
          ACROSS.map((seat) => field(t("Score: {name}", { name: nameOf(state, seat) }), number(seat, state.score[index(seat)], 0, Math.max(LARGEST_SCORE, ...state.score))))) : null,
        state.can.includes("set_crawford") ? crawford : null,
        state.can.includes("set_length") ? field(t("Match length"), number("length", state.length, 0, LONGEST), t("0 for a money game")) : null,
        state.can.includes("set_cube") ? h("div", { class: "two" },
          field(t("Cube"), select("cube", CUBES.map((v) => [String(v), v === 1 ? t("1 (shows 64)") : String(v)]), String(state.cube.value))),
          field(t("Cube with"), select("owner", [["", t("in the middle")], ...seats(state)], state.cube.owner ?? ""))) : null,
        state.can.includes("set_turn") ? field(t("On roll"), select("seat", state.on_roll ? seats(state) : [["", t("nobody")], ...seats(state)], state.on_roll ?? "")) : null,
        clock && state.can.includes("set_clock") ? h("div", { class: "two" }, ACROSS.map((seat) => field(t("Time left: {name}", { name: nameOf(state, seat) }),
          text(`clock-${seat}`, inWords(clock[index(seat)]), { required: true, pattern: TIME, title: t("Minutes and seconds, such as 12:30") })))) : null,
        playerNames(...state.names, { prefix: "name-" }),
        state.score[0] === state.score[1] ? null : h("p", { class: "quiet" }, t("The score stays with its side. If the players have changed seats since, change it, too.")),
        field(t("Event"), text("event", state.event, { maxlength: 100 }))],
      t("Save"), async (values) => {
        for (const [name, body, facts] of changes(seen, clock, values)) {
          const answer = await send(name, body, seen);
          if (!answer) return false;
          seen = { ...seen, ...facts, seq: answer.seq };
        }
        return true;
      }, () => this.correct(now()));
      if (!crawford.isConnected) return;
      const length = () => Number($("f-length")?.value ?? state.length);
      const atPoint = () => show(crawford, SEATS.filter((seat) => length() - $(`f-${seat}`).value === 1).length === 1);
      for (const kind of ["input", "change"]) form.addEventListener(kind, atPoint, true);
      atPoint();
    },
  };
}

/** The commands that make the table's facts what the form says, which was opened with the reserves `clock`, and what each makes of them. */
function changes(state, clock, values) {
  const steps = [];
  const score = SEATS.map((seat) => Number(values[seat])), length = Number(values.length);
  const crawford = values.crawford ? values.crawford === "yes" : null;
  const longer = values.length && length > state.length, shorter = values.length && length < state.length;   // the score must fit: whichever comes last says of the Crawford game
  if (longer) steps.push(["length", { length }, { length }]);
  if (values.near && ((crawford !== null && !shorter) || score.join() !== state.score.join())) steps.push(["score", { score, crawford: shorter ? null : crawford }, { score }]);
  if (shorter) steps.push(["length", { length, crawford }, { length }]);
  const cube = { value: Number(values.cube), owner: values.owner || null };
  if (values.cube && (cube.value !== state.cube.value || cube.owner !== state.cube.owner)) steps.push(["cube", cube, { cube }]);
  if (values.seat && values.seat !== state.on_roll) steps.push(["turn", { seat: values.seat }, { on_roll: values.seat }]);
  if (values["clock-near"]) {
    const wanted = SEATS.map((seat) => inSeconds(values[`clock-${seat}`]));
    const kept = (i) => wanted[i] === clock[i];   // and has run on since
    if (!SEATS.every((_, i) => kept(i))) steps.push(["clock_set", { remaining: SEATS.map((seat, i) => (kept(i) ? reserve(seat) : wanted[i])) }]);
  }
  const called = SEATS.map((seat) => values[`name-${seat}`].trim());
  const event = values.event.trim();
  if (called.join("\n") !== state.names.join("\n") || event !== state.event) steps.push(["names", { names: called, event }, { names: called, event }]);
  return steps;
}
