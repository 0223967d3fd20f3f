// A picture that is taken anew again and again. The next is asked for when the one before has come: on a slow line each would
// be given up for the next one, and none ever be seen.

import { PATIENCE } from "./api.js";

const AGAIN = 3000;   // ms after which one that never came is asked for again: the camera may send no other

export class Picture {
  constructor(image) {
    this.image = image;
    this.since = null;   // when the picture was asked for that has not come
    for (const end of ["load", "error"]) image.addEventListener(end, () => { this.since = null; this.#ask(); });
    image.addEventListener("error", () => { setTimeout(() => this.#askAgain(), AGAIN); });
  }

  /** Shows the picture at `src`, or a later one if that is known by then. */
  show(src) {
    this.wanted = src;
    this.#ask();
  }

  #askAgain() {
    const broken = this.image.complete && !this.image.naturalWidth;
    if (this.since !== null || !broken || this.image.hidden) return;   // another was asked for since, or there is none any more
    this.asked = null;
    this.#ask();
  }

  #ask() {
    const waits = this.since !== null && performance.now() - this.since < PATIENCE;   // a dead line says nothing by itself
    if (waits || this.wanted === this.asked) return;
    this.since = performance.now();
    this.asked = this.wanted;
    this.image.src = this.wanted;
  }
}
