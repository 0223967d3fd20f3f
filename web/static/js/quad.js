// Four corners on a picture that a person drags, or moves with the arrow keys.

import { h, s } from "./dom.js";
import { t } from "./words.js";

const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };
const clip = (v) => Math.min(1, Math.max(0, v));

export class Quad {
  /** `box` is the picture's frame, `svg` lies over it with the view box 0 0 1 1. */
  constructor(box, svg) {
    this.box = box;
    this.svg = svg;
    this.corners = null;   // four [x, y], shares of the picture's width and height
  }

  /** Shows `corners`, called by their `names`. */
  show(corners, names) {
    this.hide();
    this.corners = corners.map((corner) => [...corner]);
    this.outline = s("polygon", {});
    this.svg.replaceChildren(this.outline);
    this.svg.removeAttribute("hidden");
    this.knobs = this.corners.map((corner, i) => this.#knob(corner, names[i]));
    this.box.append(...this.knobs);
    this.#trace();
  }

  hide() {
    for (const knob of this.knobs ?? []) knob.remove();
    this.knobs = [];
    this.corners = null;
    this.svg.setAttribute("hidden", "");
  }

  #knob(corner, name) {
    const move = (x, y) => { corner[0] = clip(x); corner[1] = clip(y); this.#trace(); };
    const knob = h("button", { type: "button", class: "corner", "aria-label": t("{name}; move it with the arrow keys", { name }),
      onpointerdown: (event) => knob.setPointerCapture(event.pointerId),
      onpointermove: (event) => {
        if (!knob.hasPointerCapture(event.pointerId)) return;
        const box = this.box.getBoundingClientRect();
        move((event.clientX - box.left) / box.width, (event.clientY - box.top) / box.height);
      },
      onkeydown: (event) => {
        const step = STEPS[event.key];
        if (!step) return;
        event.preventDefault();
        const by = event.shiftKey ? .02 : .003;
        move(corner[0] + step[0] * by, corner[1] + step[1] * by);
      } });
    return knob;
  }

  #trace() {
    this.outline.setAttribute("points", this.corners.map((corner) => corner.join(",")).join(" "));
    this.knobs.forEach((knob, i) => { knob.style.left = `${this.corners[i][0] * 100}%`; knob.style.top = `${this.corners[i][1] * 100}%`; });
  }
}
