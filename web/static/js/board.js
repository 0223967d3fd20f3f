// The board as SVG, drawn from a position. Near sits at the bottom; `home` says on which side both homes lie.
//
// Places are named by near's point numbers 1..24, "bar" and "off". Counts: positive near's, negative far's.

import { s, reducedMotion, stayIn } from "./dom.js";
import { cube, die } from "./dice.js";
import { index, other, SEATS } from "./facts.js";
import { t } from "./words.js";

const R = 31, D = 2 * R;          // a checker
const POINT = 66;                 // width of a point
const BAR = 74, TRAY = 86, SIDE = 20, EDGE = 34;
const HALF = 6 * POINT;
const WIDTH = SIDE + HALF + BAR + HALF + TRAY;
const HEIGHT = 2 * EDGE + 5 * D * 2 + 104;
const TIP = 5 * D - 8;            // length of a point

/** A point of near's numbers as `seat` numbers it, and back. */
export const flip = (seat, point) => (seat === "near" ? point : 25 - point);

/** How many checkers of `seat` the position has on a place. */
export function count(position, seat, place) {
  if (place === "bar") return position.bar[index(seat)];
  if (place === "off") return position.off[index(seat)] ?? 0;
  const n = position.points[place - 1];
  return Math.max(0, seat === "near" ? n : -n);
}

export class Board {
  /** @param {SVGElement} svg  the element to draw in */
  constructor(svg) {
    this.svg = svg;
    this.onPick = null;   // called with a place when one is chosen
    this.home = null;
    this.checkers = {};    // by seat
    this.focusPlace = 6;
    svg.setAttribute("viewBox", `0 0 ${WIDTH} ${HEIGHT}`);
    svg.addEventListener("click", (event) => this.#picked(event));
    svg.addEventListener("keydown", (event) => this.#key(event));
  }

  // geometry ----------------------------------------------------------------------------------------------------------

  /** x in a board whose homes are on the right, turned round when they are on the left. */
  #x(x) { return this.home === "left" ? WIDTH - x : x; }

  #pointX(point) {
    const column = point <= 12 ? point - 1 : 24 - point;   // 0 = the outermost of the home side
    const left = column < 6 ? SIDE + HALF + BAR + (5 - column) * POINT : SIDE + (11 - column) * POINT;
    return this.#x(left + POINT / 2);
  }

  #spot(seat, place, at, total) {
    if (place === "bar") {
      const step = total > 3 ? 3 * D / total * 0.95 : D + 2;
      const y = HEIGHT / 2 + (seat === "near" ? -1 : 1) * (74 + at * step);
      return [this.#x(SIDE + HALF + BAR / 2), y];
    }
    if (place === "off") {
      const step = 17.6;
      const y = seat === "near" ? HEIGHT - EDGE - 10 - at * step : EDGE + 10 + at * step;
      return [this.#x(WIDTH - TRAY / 2), y];
    }
    const step = total > 5 ? (4 * D) / (total - 1) : D;
    const away = R + at * step;
    return [this.#pointX(place), place <= 12 ? HEIGHT - EDGE - away : EDGE + away];
  }

  // the fixed parts ---------------------------------------------------------------------------------------------------

  #build(home) {
    this.home = home;
    const points = [];
    const hits = [];
    for (let p = 1; p <= 24; p++) {
      const x = this.#pointX(p);
      const base = p <= 12 ? HEIGHT - EDGE : EDGE;
      const tip = p <= 12 ? base - TIP : base + TIP;
      points.push(s("path", { class: `point ${p % 2 ? "odd" : "even"}`, "data-mark": p,
        d: `M${x - POINT / 2 + 2} ${base} L${x} ${tip} L${x + POINT / 2 - 2} ${base} Z` }));
      hits.push(this.#hit(p, x - POINT / 2, p <= 12 ? HEIGHT / 2 : 0, POINT, HEIGHT / 2));
    }
    const barX = this.#x(SIDE + HALF + BAR / 2) - BAR / 2;
    const trayX = this.#x(WIDTH - TRAY / 2) - TRAY / 2;
    hits.push(this.#hit("bar", barX, 0, BAR, HEIGHT), this.#hit("off", trayX, 0, TRAY, HEIGHT));
    this.labels = s("g", { class: "numbers", "aria-hidden": "true" });
    this.men = s("g", { class: "men", "aria-hidden": "true" });
    this.counts = s("g", { class: "counts", "aria-hidden": "true" });
    this.extras = s("g", { class: "extras", "aria-hidden": "true" });
    this.hits = s("g", { class: "hits" }, hits);
    const halves = [SIDE, SIDE + HALF + BAR].map((x) => {
      const left = this.home === "left" ? WIDTH - x - HALF : x;
      return s("rect", { class: "felt", x: left, y: EDGE - 2, width: HALF, height: HEIGHT - 2 * EDGE + 4, rx: 4 });
    });
    const tray = (y) => s("rect", { class: "tray", x: trayX + 13, y, width: TRAY - 26, height: 15 * 17.6 + 6, rx: 6 });
    this.svg.replaceChildren(
      s("rect", { class: "frame", x: 0, y: 0, width: WIDTH, height: HEIGHT, rx: 14 }),
      ...halves,
      s("rect", { class: "bar-rail", x: barX + 5, y: EDGE - 2, width: BAR - 10, height: HEIGHT - 2 * EDGE + 4, rx: 4 }),
      tray(EDGE - 2), tray(HEIGHT - EDGE - 15 * 17.6 - 4),
      s("g", { class: "points", "aria-hidden": "true" }, points),
      this.labels, this.men, this.counts, this.extras, this.hits);
    this.checkers = Object.fromEntries(SEATS.map((seat) => [seat, Array.from({ length: 15 }, () => {
      const mark = s("g", { class: `checker ${seat}` },
        s("circle", { class: "body", r: R - 1.5 }), s("circle", { class: "ring", r: R * 0.62 }),
        seat === "far" ? s("circle", { class: "dot", r: R * 0.16 }) : null,
        s("rect", { class: "edge", x: -27, y: -7.3, width: 54, height: 14.6, rx: 4 }));
      this.men.append(mark);
      return { mark, place: null, index: 0 };
    })]));
  }

  #hit(place, x, y, width, height) {
    return s("rect", { class: "hit", "data-place": place, x, y, width, height, rx: 6 });
  }

  // drawing -----------------------------------------------------------------------------------------------------------

  /**
   * @param {object} model position, home ("left"/"right"), numbers (whose point numbers), dice {seat, values, opening} and early {seat, dice},
   *   cube {value, owner, offered_by}, marks {place: class}, active (points can be chosen), names
   */
  render(model) {
    if (model.home !== this.home) this.#build(model.home);
    this.model = model;
    this.svg.classList.toggle("still", reducedMotion());
    this.#placeCheckers(model.position);
    this.#numbers(model.numbers);
    this.extras.replaceChildren(...this.#diceAndCube(model));
    for (const path of this.svg.querySelectorAll("[data-mark]")) {
      const mark = model.marks?.[path.dataset.mark] ?? "";
      path.setAttribute("class", `point ${path.dataset.mark % 2 ? "odd" : "even"} ${mark}`);
    }
    this.#interactive(model);
    this.svg.setAttribute("aria-label", describe(model.position, model.names));
  }

  #numbers(seat) {
    if (this.numbered === seat + this.home) return;
    this.numbered = seat + this.home;
    this.labels.replaceChildren(...Array.from({ length: 24 }, (_, i) => s("text",
      { x: this.#pointX(i + 1), y: i < 12 ? HEIGHT - EDGE / 2 + 1 : EDGE / 2 + 1 }, String(flip(seat, i + 1)))));
  }

  #placeCheckers(position) {
    const counts = [];
    for (const seat of SEATS) {
      const free = [];
      const open = [];
      const settled = new Map();
      const places = ["bar", "off", ...Array.from({ length: 24 }, (_, i) => i + 1)];
      for (const man of this.checkers[seat]) {
        const here = settled.get(man.place) ?? 0;
        if (man.place !== null && here < count(position, seat, man.place)) settled.set(man.place, here + 1);
        else free.push(man);
      }
      const stays = this.checkers[seat].filter((man) => !free.includes(man));
      for (const place of places) {
        const total = count(position, seat, place);
        stays.filter((man) => man.place === place).sort((a, b) => a.index - b.index).forEach((man, i) => { man.index = i; });
        for (let i = settled.get(place) ?? 0; i < total; i++) open.push([place, i]);
        if (place !== "off" && total > (place === "bar" ? 3 : 5)) counts.push([seat, place, total]);
      }
      free.forEach((man, i) => { [man.place, man.index] = open[i] ?? [null, 0]; });
      for (const man of this.checkers[seat]) {
        const total = man.place === null ? 0 : count(position, seat, man.place);
        const [x, y] = man.place === null ? [WIDTH / 2, HEIGHT / 2] : this.#spot(seat, man.place, man.index, total);
        man.mark.setAttribute("class", `checker ${seat}${man.place === "off" ? " off" : ""}${man.place === null ? " gone" : ""}`);
        man.mark.style.transform = `translate(${x}px, ${y}px)`;
      }
      // later ones lie on top
      this.men.append(...[...this.checkers[seat]].sort((a, b) => a.index - b.index).map((man) => man.mark));
    }
    this.counts.replaceChildren(...counts.map(([seat, place, total]) => {
      const [x, y] = this.#spot(seat, place, total - 1, total);
      return s("text", { class: seat, x, y: y + 1 }, String(total));
    }));
  }

  #diceAndCube(model) {
    const made = [];
    const size = 54;
    const halfX = (side) => this.#x(side === "home" ? SIDE + HALF + BAR + HALF / 2 : SIDE + HALF / 2);
    const right = this.home === "left" ? "outer" : "home";     // near throws to his right, far to his own
    const hand = (seat) => halfX(seat === "near" ? right : right === "home" ? "outer" : "home");
    if (model.dice) {
      for (const [seat, values] of lying(model.dice)) {
        values.forEach((v, i) => made.push(die(hand(seat) + (i - (values.length - 1) / 2) * (size + 16), HEIGHT / 2, size, v, seat)));
      }
    }
    for (const [i, v] of (model.early?.dice ?? []).entries()) made.push(die(hand(model.early.seat) + (i ? 35 : -35), HEIGHT / 2, size, v, model.early.seat, true));
    if (model.cube) {
      const { value, owner, offered_by: by } = model.cube;
      if (by) {
        made.push(cube(hand(by === "near" ? "far" : "near"), HEIGHT / 2, 58, 2 * value, true));
      } else {
        const y = owner === "near" ? HEIGHT - EDGE - 34 : owner === "far" ? EDGE + 34 : HEIGHT / 2;
        made.push(cube(this.#x(SIDE + HALF + BAR / 2), y, 50, value));
      }
    }
    return made;
  }

  /** Puts the keyboard on the board, where points can be chosen. */
  focus() { if (this.model?.active) this.#focus(this.focusPlace); }

  // choosing places ---------------------------------------------------------------------------------------------------

  #interactive(model) {
    this.svg.classList.toggle("active", Boolean(model.active));
    this.svg.setAttribute("role", model.active ? "group" : "img");
    if (!model.active && this.svg.contains(document.activeElement)) stayIn(this.svg.parentElement);
    for (const rect of this.hits.children) {
      const place = rect.dataset.place;
      rect.setAttribute("class", `hit ${model.marks?.[place] ?? ""}`);
      if (!model.active) {
        for (const name of ["role", "tabindex", "aria-label"]) rect.removeAttribute(name);
        continue;
      }
      rect.setAttribute("role", "button");
      rect.setAttribute("tabindex", String(this.focusPlace) === place ? "0" : "-1");
      rect.setAttribute("aria-label", nameOf(place, model));
    }
  }

  #picked(event) {
    const rect = event.target.closest?.("[data-place]");
    if (!rect || !this.model?.active || !this.onPick) return;
    const place = /^\d+$/.test(rect.dataset.place) ? Number(rect.dataset.place) : rect.dataset.place;
    this.#focus(place, false);
    this.onPick(place, event);
  }

  #focus(place, move = true) {
    this.focusPlace = place;
    for (const rect of this.hits.children) rect.setAttribute("tabindex", rect.dataset.place === String(place) ? "0" : "-1");
    if (move) this.hits.querySelector(`[data-place="${place}"]`)?.focus();
  }

  /** Arrow keys walk over the points as they lie on the screen; Enter or space chooses. */
  #key(event) {
    if (!this.model?.active) return;
    const here = event.target.dataset?.place;
    if (!here) return;
    if (event.key === "Enter" || event.key === " ") {
      event.preventDefault();
      this.#picked(event);
      return;
    }
    const turn = this.home === "left" ? -1 : 1;
    const top = [13, 14, 15, 16, 17, 18, "bar", 19, 20, 21, 22, 23, 24, "off"];
    const low = [12, 11, 10, 9, 8, 7, "bar", 6, 5, 4, 3, 2, 1, "off"];
    const key = /^\d+$/.test(here) ? Number(here) : here;
    const row = low.includes(key) && !(this.lastTop && typeof key === "string") ? low : top;
    const at = row.indexOf(key);
    let next = null;
    if (event.key === "ArrowRight") next = row[(at + turn + row.length) % row.length];
    else if (event.key === "ArrowLeft") next = row[(at - turn + row.length) % row.length];
    else if (event.key === "ArrowUp") { next = top[at]; this.lastTop = true; }
    else if (event.key === "ArrowDown") { next = low[at]; this.lastTop = false; }
    if (next === null) return;
    event.preventDefault();
    if (typeof next === "number") this.lastTop = next > 12;
    this.#focus(next);
  }
}

/** Whose dice lie where: [seat, numbers] pairs. Of the opening each player threw one, and the higher begins. */
function lying({ seat, values, opening }) {
  const [high, low] = [...values].sort((a, b) => b - a);
  return opening && high !== low ? [[seat, [high]], [other(seat), [low]]] : [[seat, values]];
}

function nameOf(place, model) {
  const held = SEATS.map((seat) => [count(model.position, seat, place), model.names[index(seat)]]).filter(([n]) => n > 0)
    .map(([n, name]) => t("{n} of {name}’s", { n, name }));
  const now = { source: t("picked up"), target: t("can be put here") }[model.marks?.[place]];
  const what = place === "bar" ? t("Bar") : place === "off" ? t("Borne off") : t("Point {n}", { n: flip(model.numbers, Number(place)) });
  return [`${what}: ${held.join(", ") || t("empty")}`, now].filter(Boolean).join(", ");
}

/** The position in words, each side from its own chair. */
function describe(position, names) {
  return SEATS.map((seat, i) => {
    const parts = [];
    for (let p = 24; p >= 1; p--) {
      const n = count(position, seat, flip(seat, p));
      if (n) parts.push(t("{n} on {point}", { n, point: p }));
    }
    if (position.bar[i]) parts.unshift(t("{n} on the bar", { n: position.bar[i] }));
    if (position.off[i]) parts.push(t("{n} off", { n: position.off[i] }));
    return `${names[i]}: ${parts.join(", ")}`;
  }).join(". ");
}
