// A play being put together on the page: single moves of single dice. What is legal is the referee's business; here only
// counting is done, so that nothing about legal plays is shown to anybody.

import { count, flip } from "./board.js";
import { index, other } from "./facts.js";
import { t } from "./words.js";

const BAR = 25, OFF = 0, HOME = 6;

/** A place of the board (near's number, "bar", "off") in the mover's own numbers, and back. */
const own = (seat, place) => (place === "bar" ? BAR : place === "off" ? OFF : flip(seat, place));
const place = (seat, number) => (number === BAR ? "bar" : number === OFF ? "off" : flip(seat, number));

export class Play {
  constructor(seat, dice, position) {
    this.seat = seat;
    this.dice = dice[0] === dice[1] ? [dice[0], dice[0], dice[0], dice[0]] : [...dice];
    this.start = position;
    this.moves = [];          // [from, to, die] in the mover's numbers
    this.source = null;       // a place of the board
    this.gone = null;         // the place a checker was brought to by the choice of where it stood alone
  }

  get left() {
    const rest = [...this.dice];
    for (const [, , die] of this.moves) rest.splice(rest.indexOf(die), 1);
    return rest;
  }

  get position() {
    const made = { points: [...this.start.points], bar: [...this.start.bar], off: [...this.start.off] };
    const me = index(this.seat), them = index(other(this.seat)), sign = me === 0 ? 1 : -1;
    for (const [from, to] of this.moves) {
      if (from === BAR) made.bar[me] -= 1;
      else made.points[place(this.seat, from) - 1] -= sign;
      if (to === OFF) { made.off[me] += 1; continue; }
      const at = place(this.seat, to) - 1;
      if (made.points[at] === -sign) { made.points[at] = 0; made.bar[them] += 1; }
      made.points[at] += sign;
    }
    return made;
  }

  /** The highest number where the mover has a checker. */
  get last() {
    const now = this.position;
    return Array.from({ length: BAR }, (_, i) => BAR - i).find((n) => count(now, this.seat, place(this.seat, n)) > 0);
  }

  /** Why no checker from there can be moved, and what can be done. */
  #stuck(from) {
    const number = own(this.seat, from);
    if (!this.left.some((die) => die >= number)) return t("No die that is left brings a checker from there to an open point.");
    return this.last > HOME ? t("No checker may be borne off before all are home.") : t("A number higher than the point bears off the checker that stands farthest back: choose that one first.");
  }

  /** Where a checker from `from` (a place) can be put with one of the dice left: [place, die] pairs. */
  targets(from) {
    const now = this.position;
    if (count(now, this.seat, from) === 0 || from === "off") return [];
    const number = own(this.seat, from), { last } = this;
    const found = [];
    for (const die of new Set([...this.left].sort((a, b) => a - b))) {   // of two that bear a checker off the smaller is used, as people do
      const to = Math.max(OFF, number - die);
      if (to === OFF && (last > HOME || (number < die && number < last))) continue;   // nobody bears off before all are home, nor past a higher one
      const at = place(this.seat, to);
      if (to !== OFF && count(now, other(this.seat), at) > 1) continue;
      if (found.some(([taken]) => taken === at)) continue;
      found.push([at, die]);
    }
    return found;
  }

  /** A place was chosen. Returns a sentence when that does not do anything. */
  pick(chosen) {
    const gone = this.gone;
    this.gone = null;
    if (this.source !== null) {
      const target = this.targets(this.source).find(([at]) => at === chosen);
      const from = this.source;
      this.source = null;
      if (target) {
        const [at, die] = target;
        this.moves.push([own(this.seat, from), own(this.seat, at), die]);
        return "";
      }
      if (chosen === from && this.targets(from).length !== 1) return "";
    }
    if (this.left.length === 0) {
      // A click on where a checker has just gone asks for nothing.
      const last = this.moves[this.moves.length - 1];
      return last && own(this.seat, chosen) === last[1] ? "" : t("Both dice are used: confirm the play or take a move back.");
    }
    if (count(this.position, this.seat, chosen) === 0) return "";
    const targets = this.targets(chosen);
    if (targets.length === 0) return this.#stuck(chosen);
    if (targets.length === 1 && chosen !== gone) {   // who chooses the place it went to as well means that move, not another
      const [at, die] = targets[0];
      this.moves.push([own(this.seat, chosen), own(this.seat, at), die]);
      this.gone = at;
    } else {
      this.source = chosen;
    }
    return "";
  }

  back() {
    this.gone = null;
    if (this.source !== null) this.source = null;
    else this.moves.pop();
  }

  get words() {
    const name = (n) => (n === BAR ? "bar" : n === OFF ? "off" : String(n));
    return this.moves.map(([from, to]) => `${name(from)}/${name(to)}`).join(" ");
  }
}
