// Dice being entered by hand: of the opening one for each seat, else two of one seat. The last that is chosen enters the throw.

import { h } from "./dom.js";
import { dieIcon } from "./dice.js";
import { nameOf, other, SEATS } from "./facts.js";
import { t } from "./words.js";

/** Whether dice that are entered now are the opening's, one of each player. */
export const opens = (state) => state.phase === "opening" || Boolean(state.dice?.opening);

export class Thrown {
  /** `enter` is told a throw that is whole, as `roll` takes it; `redraw` that another die is chosen. */
  constructor({ enter, redraw }) {
    Object.assign(this, { enter, redraw });
    this.chosen = {};   // by seat (opening), or the first
    this.wanted = "";   // what was said to be missing of the opening throw
    this.coming = 0;    // throws that are entered and whose result is not shown yet
  }

  get begun() { return Object.keys(this.chosen).length > 0; }

  /** Six faces for a seat. */
  keypad(state, seat, label = "", opening = opens(state)) {
    const first = opening ? this.chosen[seat] : this.chosen.first;
    return h("div", { role: "group", "aria-label": opening ? t("{name}’s die", { name: nameOf(state, seat) }) : t("Dice") },
      label ? h("p", { class: "quiet" }, label) : null,
      h("div", { class: "keypad", "data-seat": seat }, [1, 2, 3, 4, 5, 6].map((value) => h("button", {
        type: "button", id: `die-${seat}-${value}`, "aria-label": String(value), "aria-pressed": String(first === value),
        onclick: () => this.#choose(seat, value, opening) }, dieIcon(value, seat)))));
  }

  /** With two phones each player presses his own die on his own: the page says that it wants both. Until it shows what came of them it says
   *  nothing else: what was said before, as of a tie, would pass for that. */
  missing(state) {
    const seat = SEATS.find((one) => !this.chosen[one] && this.chosen[other(one)]);
    if (state.phase !== "opening" || (!seat && !this.coming)) this.wanted = "";
    else if (seat) this.wanted = t("Now {name}’s die, here too", { name: nameOf(state, seat) });
    return this.wanted;
  }

  #choose(seat, value, opening) {
    this.chosen = { ...this.chosen, [opening ? seat : this.chosen.first ? "second" : "first"]: value };
    const { near, far, first, second } = this.chosen;
    const dice = opening ? [near, far] : [first, second];
    if (dice.every(Boolean)) {
      this.chosen = {};
      this.coming += 1;
      this.enter(opening ? { dice } : { dice, seat }).finally(() => { this.coming -= 1; this.redraw(); });
    }
    this.redraw();
  }
}
