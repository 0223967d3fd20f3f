// Follows the table over server-sent events: a snapshot first and on every reconnection, then one for every change.
// A heartbeat tells a quiet table from a dead line; without one the page says that what it shows is stale.

import { follow } from "./line.js";
import { language } from "./words.js";

const GRACE = 2.5;   // heartbeats that may be missed

/** The server's clock, seconds: a line delays a beat but never hastens it, so the largest offset of the last beats is the best.
    Counted by clocks that nobody sets, on both sides: a time of day may be put right while a player's time runs. */
export const serverTime = {
  offsets: [],
  past: false,   // the line they came over is gone
  heard(now) {
    this.offsets = [...(this.past ? [] : this.offsets), now - performance.now() / 1000].slice(-10);
    this.past = false;
  },
  now() { return performance.now() / 1000 + (this.offsets.length ? Math.max(...this.offsets) : 0); },
  anew() { this.past = true; },   // the computer behind the next line may have been started again, and its clock with it
};

export class Live {
  /**
   * A page that is not looked at gives its place up, because a browser has few lines to one server; `always` keeps it.
   * @param {{onState: function(object), onCamera?: function(object), onLine: function(string), always?: function(): boolean}} handlers
   *   onLine is given "wait", "live" or "stale"
   * `publicly`: told what anybody is told, whoever has signed on in this browser: what the page shows hangs on a wall or goes out on a stream.
   */
  constructor(handlers, publicly = false) {
    this.handlers = handlers;
    this.url = `/api/v1/stream?lang=${language}${publicly ? "&as=viewer" : ""}`;
    this.beat = 5000;
    this.timer = 0;
    this.retry = 0;
    document.addEventListener("visibilitychange", () => {
      if (document.hidden && !this.handlers.always?.()) this.close();
      else if (!document.hidden && this.line !== "live") this.open();
    });
    addEventListener("online", () => this.open());
    addEventListener("rank", () => this.open(true));
    addEventListener("pagehide", () => this.close());
    addEventListener("pageshow", (event) => { if (event.persisted) this.open(); });
    this.open();
  }

  close() {
    this.#drop();
    this.#set("wait");
  }

  #drop() {
    clearTimeout(this.retry);
    clearTimeout(this.timer);
    this.source?.close();
    this.source = null;
    this.shown = false;    // a snapshot has come over this line
  }

  /** `fresh`: what came before was for somebody with less or more rights. */
  open(fresh = false) {
    if (document.hidden && this.source === null && !this.handlers.always?.()) return;   // it opens when it is looked at
    this.#drop();
    serverTime.anew();
    const source = follow(this.url, fresh);
    this.source = source;
    source.addEventListener("state", (event) => { this.shown = true; this.#alive(); this.handlers.onState(JSON.parse(event.data)); });
    source.addEventListener("camera", (event) => { this.#alive(); this.handlers.onCamera?.(JSON.parse(event.data)); });
    source.addEventListener("beat", (event) => {
      const { every, now } = JSON.parse(event.data);
      this.beat = Number(every) * 1000 || this.beat;
      serverTime.heard(now);
      this.#alive();
    });
    // The browser reconnects by itself after a broken line, but not after an answer it did not expect (a full house).
    source.onerror = () => {
      if (source !== this.source) return;
      serverTime.anew();
      this.#set("stale");
      if (source.readyState === EventSource.CLOSED) this.retry = setTimeout(() => this.open(), 3000);
    };
    this.#watch();
  }

  #alive() {
    if (this.shown) this.#set("live");
    this.#watch();
  }

  #watch() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => { this.#set("stale"); this.open(); }, this.beat * GRACE);
  }

  #set(line) {
    if (this.line === line) return;
    this.line = line;
    this.handlers.onLine(line);
  }
}
