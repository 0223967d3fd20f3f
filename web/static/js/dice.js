// Die faces and the cube as SVG groups.

import { s } from "./dom.js";

const PIPS = {
  1: [[0, 0]],
  2: [[-1, -1], [1, 1]],
  3: [[-1, -1], [0, 0], [1, 1]],
  4: [[-1, -1], [1, -1], [-1, 1], [1, 1]],
  5: [[-1, -1], [1, -1], [0, 0], [-1, 1], [1, 1]],
  6: [[-1, -1], [1, -1], [-1, 0], [1, 0], [-1, 1], [1, 1]],
};

/** A die of `size` centred on (x, y); `seat` gives its colour, `used` dims it. */
export function die(x, y, size, value, seat, used = false) {
  const half = size / 2;
  return s("g", { class: `die ${seat ?? ""}${used ? " used" : ""}`, transform: `translate(${x} ${y})` },
    s("rect", { x: -half, y: -half, width: size, height: size, rx: size * 0.2 }),
    (PIPS[value] ?? []).map(([px, py]) =>
      s("circle", { cx: px * size * 0.26, cy: py * size * 0.26, r: size * 0.095 })));
}

/** A die as a picture of its own, for buttons and lists. */
export function dieIcon(value, seat) {
  return s("svg", { class: "die-icon", viewBox: "-22 -22 44 44", "aria-hidden": "true", focusable: "false" }, die(0, 0, 40, value, seat));
}

/** The doubling cube of `size` centred on (x, y); a centred cube worth 1 shows 64, as on a real board. */
export function cube(x, y, size, value, offered = false) {
  const half = size / 2;
  const shown = value === 1 ? "64" : String(value);
  return s("g", { class: `cube${offered ? " offered" : ""}`, transform: `translate(${x} ${y})` },
    s("rect", { x: -half, y: -half, width: size, height: size, rx: size * 0.16 }),
    s("text", { y: size * 0.02, "font-size": size * Math.min(0.5, 1.3 / shown.length) }, shown));
}
