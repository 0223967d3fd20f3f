// The worker that holds the stream for all pages of a browser; its name is the stream's address. See line.js.

const SILENT = 12000;   // ms without a sign of life after which the line counts as dead

const pages = new Set();
const last = new Map();   // by type, what came last and when
let source = null;
let heard = 0;

function tell(message) {
  for (const port of pages) port.postMessage(message);
}

function connect() {
  source?.close();
  last.clear();
  heard = performance.now();
  source = new EventSource(self.name);
  for (const type of ["state", "camera", "beat"]) {
    source.addEventListener(type, ({ data }) => {
      heard = performance.now();
      last.set(type, { data, heard });
      tell({ type, data });
    });
  }
  source.onerror = () => {
    last.clear();
    tell({ type: "error", readyState: source.readyState });
  };
}

/** What came last, to a page that comes later; the server's clock has gone on meanwhile. */
function catchUp(port) {
  for (const [type, { data, heard: then }] of last) {
    const beat = type === "beat" ? JSON.parse(data) : null;
    port.postMessage({ type, data: beat ? JSON.stringify({ ...beat, now: beat.now + (performance.now() - then) / 1000 }) : data });
  }
}

self.onconnect = ({ ports: [port] }) => {
  port.onmessage = ({ data: wish }) => {
    if (wish === "close") {
      pages.delete(port);
      if (pages.size) return;
      source?.close();
      source = null;
      return;
    }
    pages.add(port);
    const alive = source && source.readyState !== EventSource.CLOSED && performance.now() - heard < SILENT;
    if (wish === "afresh" || !alive) connect();
    else catchUp(port);
  };
};
