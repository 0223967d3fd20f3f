// The score sheet of a kept match, for printing: every roll with what was played, the cube, resignations and rulings, each game with its
// score before and after.

import { h, unbroken } from "./dom.js";
import { dayWords, diceWords, isolated, scoreOf } from "./facts.js";
import { t, tn } from "./words.js";

const PLAYS = ["played", "play_corrected", "illegal_play_stood"];
const SCORES = ["game_won", "penalised", "score_set"];   // what changes the score is followed by it
const ENDS = ["game_won", "match_won"];
const LINES = [...PLAYS, ...SCORES, "no_roll", "auto_doubled", "first_throw_refused", "doubled", "beavered", "taken", "dropped", "resigned",
  "resignation_accepted", "resignation_refused", "ruled", "flagged", "position_set", "cube_set", "turn_set", "length_set", "rules_set", "match_won"];

/** What the match was, in a line. */
function head({ event, round, length, day }) {
  return h("p", { class: "head" }, [isolated(event), isolated(round), dayWords(day, "long"), length ? tn(length, "1 point", "{n} points") : t("Money game")].filter(Boolean).join(" · "));
}

const line = (dice, text, score = []) => h("p", {}, h("b", {}, diceWords(dice)), h("span", {}, text.replace(/\.$/, ""), score));

/** The lines of the sheet, from what the API says of a match. */
export function sheet({ match, steps }) {
  const made = [head(match)];
  let thrown = [];
  let roll = null;   // what was thrown and is not on the sheet yet
  const unplayed = () => {
    if (roll) made.push(line(thrown, roll.text));
    roll = null;
  };
  steps.forEach((step, i) => {
    const score = SCORES.includes(step.type) ? unbroken(` · ${scoreOf({ ...step, length: match.length }).join("–")}`) : [];
    const awards = step.type === "ruled" && ENDS.includes(steps[i + 1]?.type);
    if (awards || [...ENDS, "resigned", "game_started"].includes(step.type)) unplayed();
    if (step.type === "game_started") made.push(h("h2", {}, step.text));   // with the score, and whether it is the Crawford game
    else if (step.type === "penalised" && steps[i - 1]?.type === "ruled") made[made.length - 1].lastChild.append(...score);   // the ruling has said why
    else if (LINES.includes(step.type)) made.push(line(PLAYS.includes(step.type) ? thrown : [], step.text, score));
    if (step.dice) thrown = step.dice.values;
    if (["rolled", "opening_rolled"].includes(step.type)) roll = step;
    else if (PLAYS.includes(step.type)) roll = null;
  });
  unplayed();   // of a match that was left
  return made;
}
