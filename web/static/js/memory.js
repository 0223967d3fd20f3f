// What this device remembers. A browser may forbid it, and what is there may be damaged: then nothing is.

export function recall(key) {
  try { return localStorage.getItem(key); } catch { return null; }
}

export function remember(key, text) {
  try { localStorage.setItem(key, text); } catch { /* asked for anew next time */ }
}

/** What was chosen for the last match on this device; null for none. */
export function lastMatch() {
  try {
    const found = JSON.parse(recall("match") ?? "null");
    return typeof found === "object" && !Array.isArray(found) ? found : null;
  } catch { return null; }
}

export const keepMatch = (chosen) => remember("match", JSON.stringify(chosen));

/** What is half entered on the table page; it outlasts that the page is loaded again, and not that it is closed. */
export function begun() {
  try { return JSON.parse(sessionStorage.getItem("begun")) ?? {}; } catch { return {}; }
}

export function keepBegun(entered) {
  try { sessionStorage.setItem("begun", JSON.stringify(entered)); } catch { /* entered anew then */ }
}
