// The editor that sets a position by hand.

import { count } from "./board.js";
import { h } from "./dom.js";
import { index, nameOf, other, SEATS } from "./facts.js";
import { t } from "./words.js";

const START = { points: [-2, 0, 0, 0, 0, 5, 0, 3, 0, 0, 0, -5, 5, 0, 0, 0, -3, 0, -5, 0, 0, 0, 0, 2], bar: [0, 0], off: [0, 0] };

/** `position`, to be changed without the one it was. */
const copy = ({ points, bar, off }) => ({ points: [...points], bar: [...bar], off: [...off] });

/** A position being set by hand: every click adds a checker of the chosen player, or takes the other's away. */
export class Editor {
  constructor(state) {
    this.position = copy(state.position);
    this.brush = "near";
  }

  get key() { return [this.position, this.brush]; }

  #settle() {
    for (const seat of SEATS) {
      const i = index(seat);
      const on = this.position.points.reduce((sum, n) => sum + Math.max(0, i ? -n : n), 0) + this.position.bar[i];
      this.position.off[i] = 15 - on;
    }
  }

  pick(place, event) {
    const i = index(this.brush), sign = i ? -1 : 1;
    if (place === "off") return t("Checkers that are nowhere on the board count as borne off.");
    const before = copy(this.position);
    const less = event.shiftKey || this.brush === "none";
    if (place === "bar") {
      if (this.brush === "none") this.position.bar = [0, 0];
      else this.position.bar[i] = Math.max(0, this.position.bar[i] + (less ? -1 : 1));
    } else if (this.brush === "none") {
      this.position.points[place - 1] -= Math.sign(this.position.points[place - 1]);
    } else {
      const there = count(this.position, other(this.brush), place);
      if (there) this.position.points[place - 1] = sign;
      else this.position.points[place - 1] += less ? -Math.min(1, count(this.position, this.brush, place)) * sign : sign;
    }
    this.#settle();
    if (this.position.off[i] < 0) {
      this.position = before;   // the other's checkers there, too
      return t("All fifteen checkers are on the board: take one away first.");
    }
    return "";
  }

  /** What a click does. */
  brushes(state, redraw) {
    const brush = (value, label) => h("button", { type: "button", id: `brush-${value}`, "aria-pressed": String(this.brush === value),
      onclick: () => { this.brush = value; redraw(); } }, h("span", {}, label));
    return h("div", { class: "choice", role: "group", "aria-label": t("What is done to a point that is chosen") },
      brush("near", `+ ${nameOf(state, "near")}`), brush("far", `+ ${nameOf(state, "far")}`), brush("none", t("Take away")));
  }

  controls({ redraw, done, cancel, fromId }) {
    return [
      h("div", { class: "row" }, h("button", { type: "button", class: "main", id: "position-done", onclick: done }, t("Set this position")),
        h("button", { type: "button", onclick: cancel }, t("Cancel"))),
      h("div", { class: "row" },
        h("button", { type: "button", class: "small", onclick: () => { this.position = copy(START); redraw(); } }, t("Starting position")),
        h("button", { type: "button", class: "small", onclick: () => { this.position = { points: Array(24).fill(0), bar: [0, 0], off: [15, 15] }; redraw(); } }, t("Clear")),
        fromId ? h("button", { type: "button", class: "small", id: "from-id", onclick: fromId }, t("From an ID…")) : null)];
  }
}
