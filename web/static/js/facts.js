// Facts of a snapshot in words and marks that several pages show.

import { h, s } from "./dom.js";
import { language, t, tn } from "./words.js";

export const SEATS = ["near", "far"];
/** As the score line of a page has them, from left to right. */
export const ACROSS = ["far", "near"];
export const index = (seat) => (seat === "near" ? 0 : 1);
export const other = (seat) => (seat === "near" ? "far" : "near");
/** A name, of a player or an event, that leaves the order of what is written beside it alone, as `referee.match.names.isolated`. */
export const isolated = (name) => (/[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u.test(name) ? `\u2068${name}\u2069` : name);
export const nameOf = (state, seat) => isolated(state.names[index(seat)]) || (seat === "near" ? t("Near") : t("Far"));
/** The same where nothing but him is told. */
export const playerOf = (state, seat) => (state.names[index(seat)] ? nameOf(state, seat) : seat === "near" ? t("Near player") : t("Far player"));

/** The page's language as the reader's own country has it, where his browser says: an English page has no German dates. */
const locale = navigator.languages?.find((one) => one.split("-")[0] === language) ?? language;

/** The day of a match in words. It is the club's, wherever it is read. */
export const dayWords = (day, dateStyle) => new Date(day).toLocaleDateString(locale, { dateStyle, timeZone: "UTC" });

/** A player's checker as a small picture. */
export function chip(seat) {
  return s("svg", { class: "chip", viewBox: "-32 -32 64 64", "aria-hidden": "true" },
    s("g", { class: `checker ${seat}` }, s("circle", { class: "body", r: 29 }), s("circle", { class: "ring", r: 18 }),
      seat === "far" ? s("circle", { class: "dot", r: 5 }) : null));
}

/** Whether people sit at the board: a match is on, and nobody has paused it. */
export const playing = (state) => state.started && !["paused", "match_over"].includes(state.phase);

/** "5 points", "Game 2", "Crawford game" ...; between games the number is that of the game before. */
export function about(state) {
  if (!state.started) return [];
  const length = state.length ? tn(state.length, "1 point", "{n} points") : stake(state);
  const next = state.game && state.can.includes("start_game");
  const crawford = next ? t("next: Crawford game") : t("Crawford game");
  const after = next ? t("next: post-Crawford") : t("post-Crawford");
  return [length, t("Game {n}", { n: Math.max(1, state.game) }), state.crawford ? crawford : null, state.post_crawford && state.phase !== "match_over" ? after : null].filter(Boolean);
}

function stake(state) {
  const { stake: each = 1, unit = "" } = state.money ?? {};
  return each > 1 || unit ? t("Money game, {stake} a point", { stake: [each, unit].filter(Boolean).join(" ") }) : t("Money game");
}

const signed = (n) => (n > 0 ? `+${n}` : n < 0 ? `−${-n}` : "0");

/** A player's plus or minus in money play: "+3, 15 EUR"; empty in a match. */
export function balance(state, seat) {
  if (!state.money || !state.started) return "";
  const { stake: each, unit, points: won, amounts } = state.money;
  const i = index(seat);
  return (each > 1 || unit ? `${signed(won[i])} (${signed(amounts[i])}${unit ? ` ${unit}` : ""})` : signed(won[i])).replaceAll(" ", "\u00a0");   // one sum, on one line
}

/** The cube, as a board draws it; null where none is in play: in the Crawford game and in a match to one point. */
export const cubeOf = (state) => (state.crawford || state.length === 1 ? null : state.cube);

/** The cube in words. */
export function cubeWords(state) {
  const { value, owner, offered_by: by } = state.cube;
  if (!cubeOf(state)) return t("no cube");
  if (by) return t("{name} offers the cube at {value}", { name: nameOf(state, by), value: value * 2 });
  if (!owner) return value === 1 ? t("cube in the middle") : t("cube at {value} in the middle", { value });
  return t("cube at {value} with {name}", { value, name: nameOf(state, owner) });
}

/** Points (near's numbers) and "bar" where two positions differ. */
export function differences(a, b) {
  if (!a || !b) return [];
  const places = [];
  for (let p = 1; p <= 24; p++) if (a.points[p - 1] !== b.points[p - 1]) places.push(p);
  if (a.bar.join() !== b.bar.join()) places.push("bar");
  return places;
}

/** Dice in words, the higher first however they were thrown: "6-5". */
export const diceWords = (dice) => [...dice].sort((a, b) => b - a).join("-");

/** What a board shows of the table: while a play is held the checkers as they lie, in the numbers of who is to put his back. */
export const boardOf = (state) => ({
  position: state.held?.seen ?? state.position, home: state.home, names: SEATS.map((seat) => nameOf(state, seat)),
  numbers: state.held?.moves?.[0]?.seat ?? state.on_roll ?? "near", dice: state.dice, cube: state.started ? cubeOf(state) : null,
});

/** The score as people read it: what is over the length of a match is irrelevant. */
export const scoreOf = ({ score, length }) => score.map((n) => (length ? Math.min(n, length) : n));

/** A player's points; where one has a hundred or more both are written smaller, so that the names keep their room. */
export function points(state, seat) {
  return h("span", { class: Math.max(...scoreOf(state)) > 99 ? "points many" : "points" }, String(scoreOf(state)[index(seat)]));
}

const AGAIN = ["roll_void", "opening_tied", "first_throw_refused"];

/** Where the last line of a log is that passes a test, -1 for none: the browsers of many televisions have no `findLast`. */
export const lastOf = (log, test) => log.reduce((found, line, i) => (test(line) ? i : found), -1);

/** The log's newest line, where it is of one of these types and is said aloud; empty once something else has happened. */
export function newest(state, types) {
  const last = state.log[state.log.length - 1];
  return last?.aloud && types.includes(last.type) ? last.text.replace(/\.$/, "") : "";
}

/** That a double was annulled just now, as by a score put right that makes this the Crawford game; the cube's way back is all that follows it. */
function annulled(state) {
  const ruling = state.rulings.find((one) => one.code === "crawford_annulled" && state.log.slice(-2).some((line) => line.seq === one.seq));
  const since = ruling ? state.log.filter((line) => line.seq > ruling.seq) : [];
  return ruling && since.every((line) => line.type === "cube_set") ? ruling.text.replace(/\.$/, "") : "";
}

/** What was ruled just now, which what is expected does not tell: why dice are to be thrown again, what a tie makes of the cube, that a double is annulled. */
export function again(state) {
  const turned = newest(state, ["auto_doubled"]);
  return annulled(state) || [newest(turned ? { log: state.log.slice(0, -1) } : state, AGAIN), turned].filter(Boolean).join(" · ");
}

/** The last turn: who, and what: "Anna", "3-1: 8/5 6/5"; one sentence where nothing was rolled. */
export function turnParts(state) {
  const { seat, dice, play } = state.last_turn;
  if (!dice) return [t("{name} was closed out and did not roll", { name: nameOf(state, seat) })];
  return [nameOf(state, seat), `${diceWords(dice)}: ${play || t("no play")}`];
}

/** The same in a line: "Anna 3-1: 8/5 6/5". */
export const turnWords = (state) => turnParts(state).join(" ");

/** The resignation that waits for its answer: "Boris offers to resign a gammon · 4 points"; empty when there is none. */
export function resigning(state) {
  if (!state.resignation) return "";
  const said = state.log[lastOf(state.log, (line) => line.type === "resigned")];
  return [said?.text, tn(state.resignation.points, "1 point", "{n} points")].filter(Boolean).join(" · ");
}

/** That the clocks do not go on by themselves, as after a restart or without the camera; empty while they run or stop and go with the play. */
export function clocksStand(state) {
  if (!state.clock || state.phase === "match_over") return "";
  if (state.clock.held) return t("Both clocks stand until somebody presses Start clocks.");
  const alone = state.lost.includes("camera") && state.decider && !state.doubt && state.phase !== "paused";
  return alone && !state.clock.running ? t("Both clocks stand without the camera; they go on with what is entered by hand.") : "";
}

/** What ends a turn. */
export const TURNS = ["played", "play_corrected", "illegal_play_stood", "no_roll"];

/** Whose time has run out; empty while nobody's has, and once play goes on all the same: the other has had a turn since, another game has
 *  begun, or the director has ruled. No clock goes on when the match is over. */
export function timeUp(state) {
  const seat = state.phase === "match_over" ? null : state.clock?.flagged;
  const fell = lastOf(state.log, (line) => line.type === "flagged");
  const ruled = ({ type, source }) => type === "ruled" && source === "person";
  const goesOn = (line) => ruled(line) || line.type === "game_started" || (TURNS.includes(line.type) && line.seat !== seat);
  return seat && fell >= 0 && !state.log.slice(fell).some(goesOn) ? t("{name}’s time is up.", { name: nameOf(state, seat) }) : "";
}

/** How the game ended that was just played: "Boris drops · Anna wins 1 point"; empty in a game. The end of the match is said elsewhere,
 *  but not why it ended away from the board: with a drop, or with the ruling right before it. */
export function ending(state) {
  const { code } = state.expected;
  if (!["next_game", "match_over", "session_over"].includes(code)) return "";
  if (code === "match_over") {
    const said = state.log.slice(0, lastOf(state.log, (line) => line.type === "match_won"));
    const why = said[lastOf(said, (line) => !["game_won", "penalised"].includes(line.type))];   // these follow from it
    if (why?.type === "dropped") return why.text;
    const ruling = why?.type === "ruled" && state.rulings.find((one) => one.seq === why.seq);   // without the reason given: the log has that
    return ruling ? ruling.text.replace(/\.$/, "") : "";
  }
  const game = state.log.slice(lastOf(state.log, (line) => line.type === "game_started") + 1);
  return game.filter((line) => ["dropped", "game_won"].includes(line.type)).map((line) => line.text).join(" · ");
}
