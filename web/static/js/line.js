// One stream for all pages of a browser, which has only six lines to a server: a shared worker holds it and passes on what comes.

let shared = typeof SharedWorker === "function";   // not every phone has them

/** Follows the stream at `url`. What comes back is used like an EventSource. `fresh`: not what came before, but asked for anew. */
export function follow(url, fresh = false) {
  try {
    if (shared) return new Shared(url, fresh);
  } catch {
    shared = false;   // Firefox refuses it where a site may keep nothing
  }
  return new EventSource(url);
}

class Shared extends EventTarget {
  constructor(url, fresh) {
    super();
    this.readyState = EventSource.CONNECTING;
    this.onerror = null;
    this.heard = false;
    const worker = new SharedWorker(new URL("shared.js", import.meta.url), { name: url });
    worker.onerror = () => this.#failed(EventSource.CLOSED);
    this.port = worker.port;
    this.port.onmessage = ({ data: { type, data, readyState } }) => {
      if (type === "error") {
        this.#failed(readyState);
        return;
      }
      this.heard = true;
      this.readyState = EventSource.OPEN;
      this.dispatchEvent(new MessageEvent(type, { data }));
    };
    this.port.postMessage(fresh ? "afresh" : "open");
  }

  close() {
    this.readyState = EventSource.CLOSED;
    this.port.onmessage = null;
    this.port.postMessage("close");
    this.port.close();
  }

  #failed(readyState) {
    if (!this.heard) {   // a worker that never brought anything: this page is better off with a line of its own
      shared = false;
      this.readyState = EventSource.CLOSED;
    } else {
      this.readyState = readyState;
    }
    this.onerror?.();
  }
}
