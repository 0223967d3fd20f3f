// Follows the table over server-sent events: a snapshot first and on every reconnection, then one for every change.
// A heartbeat tells a quiet table from a dead line; without one the page says that what it shows is stale. Where no stream is to be
// had, since all places are taken or something on the way waits for its end, the page asks for the table every few seconds.

import { follow } from "./line.js";
import { language } from "./words.js";

const GRACE = 2.5;   // heartbeats that may be missed
const LOOK = 3000;   // ms between looks at the table while no stream comes
const PATIENCE = 10000;   // ms in which such a look must be answered

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

let made = null;   // by which program this page was made, and for which table

/** Whether the program was started again as another one, or the table has another name since: this page is of the old one, and a new one comes in its place. */
function outdated({ table, program }) {
  made ??= { table, program };
  if (made.table === table && made.program === program) return false;
  location.replace(location.pathname.replace(/^\/t\/[^/]+/, `/t/${table}`) + location.search);
  return true;
}

export class Live {
  /**
   * A page that is not looked at gives its place up, because a browser has few lines to one server; `always` keeps it.
   * @param {{onState: function(object), onCamera?: function(object), onLine: function(string), always?: function(): boolean}} handlers
   *   onLine is given "wait", "live" or "stale"
   * `publicly`: told what anybody is told, whoever has signed on in this browser: what the page shows hangs on a wall or goes out on a stream.
   */
  constructor(handlers, publicly = false) {
    this.handlers = handlers;
    const whose = `lang=${language}${publicly ? "&as=viewer" : ""}`;
    this.url = `/api/v1/stream?${whose}`;
    this.table = `/api/v1/state?${whose}`;
    this.beat = 5000;
    this.timer = 0;
    this.retry = 0;
    this.mute = false;     // no stream comes: all places are taken, or something on the way keeps it back
    this.looks = 0;
    this.looking = false;
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
    clearInterval(this.looks);
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
    source.addEventListener("state", (event) => { this.shown = true; this.#alive(); this.#show(JSON.parse(event.data)); });
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
      if (!this.mute) this.#set("stale");
      if (source.readyState !== EventSource.CLOSED) return;
      this.#lookOn();
      this.retry = setTimeout(() => this.open(), 3000);
    };
    if (this.mute) this.#lookOn();
    this.#watch();
  }

  #alive() {
    if (this.shown) {
      this.mute = false;
      clearInterval(this.looks);
      this.#set("live");
    }
    this.#watch();
  }

  #watch() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => {
      if (!this.mute) this.#set("stale");
      this.mute ||= !this.shown;
      this.open();
    }, this.beat * GRACE);
  }

  /** Until a stream comes the table is asked for now and then. */
  #lookOn() {
    this.mute = true;
    clearInterval(this.looks);
    this.looks = setInterval(() => this.#look(), LOOK);
    this.#look();
  }

  async #look() {
    if (this.looking) return;
    this.looking = true;
    let seen = null;
    try {
      const answer = await fetch(this.table, { credentials: "same-origin", signal: AbortSignal.timeout?.(PATIENCE) });
      if (answer.ok) {
        seen = await answer.json();
        serverTime.heard(Number(answer.headers.get("server-time")));
      }
    } catch { /* out of reach: the line says so */ }
    this.looking = false;
    if (!this.mute || this.source === null) return;   // a stream has come, or nobody looks at the page
    this.#set(seen ? "live" : "stale");
    if (seen) this.#show(seen);
    if (seen) this.handlers.onCamera?.(seen.camera);
  }

  #show(state) {
    if (outdated(state)) this.close();   // another snapshot would ask for the new page once more, and that on its way would be dropped
    else this.handlers.onState(state);
  }

  #set(line) {
    if (this.line === line) return;
    this.line = line;
    this.handlers.onLine(line);
  }
}
