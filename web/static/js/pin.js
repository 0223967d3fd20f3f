// Asks for the PIN when the table wants one, then goes on with what was asked for.

import { ask, get, post, refusal } from "./api.js";
import { h } from "./dom.js";
import { t } from "./words.js";

let waiting = null;

/** Asks for a PIN. Resolves to whether one was accepted. `leave`: offers to give the right to act back. `director`: only his will do. */
function askPin(why, { leave = false, director = false } = {}) {
  waiting ??= new Promise((resolve) => {
    const input = h("input", { type: "password", id: "pin-input", name: "pin", inputmode: "numeric", autocomplete: "off", required: true });
    const wrong = h("p", { class: "wrong", role: "alert" });
    const dialog = h("dialog", { class: "pin", "aria-labelledby": "pin-title" },
      h("h2", { id: "pin-title" }, "PIN"),
      h("form", { method: "dialog", onsubmit: (event) => {
        event.preventDefault();
        change("enter", { pin: input.value }, "yes");
      } },
      h("label", { for: "pin-input" }, why), input, wrong,
      h("div", { class: "ends" }, leave ? h("button", { type: "button", class: "bare", id: "pin-leave", onclick: () => change("leave", {}) }, t("Sign off")) : null, h("button", { type: "button", onclick: () => dialog.close() }, t("Cancel")),
        h("button", { type: "submit", class: "main", id: "pin-yes" }, t("Enter")))));
    let busy = false;
    async function change(path, body, result) {
      if (busy) return;   // on a slow line each press would count as a wrong PIN of its own, of which a few are allowed
      busy = true;
      try {
        const { rank } = await post(path, body);
        dispatchEvent(new Event("rank"));   // what this page may be shown has changed
        if (!director || rank === "director") { dialog.close(result); return; }
        wrong.textContent = t("That is the table’s PIN.");
        input.select();
      } catch (error) {
        wrong.textContent = refusal(error).message;
        input.select();
      } finally {
        busy = false;
      }
    }
    dialog.addEventListener("close", () => { waiting = null; dialog.remove(); resolve(dialog.returnValue === "yes"); });
    document.body.append(dialog);
    dialog.showModal();
  });
  return waiting;
}

/** Asks the API, and for the PIN when it is needed. */
export async function act(path, body, method = "POST", patience) {
  for (;;) {
    try {
      return await ask(method, path, body, patience);
    } catch (error) {
      if (!["pin_needed", "director_needed", "director_ruled"].includes(error.code)) throw error;
      if (!await askPin(error.message, { director: error.code !== "pin_needed" })) throw error;
    }
  }
}

let known = null;   // who one is, as far as that was to be had

/** Whether what only the director does would be met with a question for his PIN. */
export const asksDirector = () => Boolean(known) && !known.open && known.rank !== "director";

const RANKS = { viewer: t("Viewer"), table: t("At the table"), director: t("Director") };

/** Keeps a button that says who one is to this table, where it has PINs, and lets one give a PIN before anything asks for it. What comes
    back is to be told for whom every snapshot is: another tab may have signed on or off, or new PINs have ended it. */
export function rankButton(button) {
  let asked = 0;
  async function show() {
    const mine = ++asked;
    const found = await get("me").catch(() => known);
    if (mine !== asked) return;   // it was asked for again since, when a PIN was given: this may be older
    known = found;
    if (!known) return;
    const { rank, open } = known;
    button.hidden = open;
    button.textContent = RANKS[rank];
    button.onclick = () => askPin(t("The table’s PIN, or the director’s"), { leave: rank !== "viewer" });
  }
  addEventListener("rank", show);
  show();
  return (audience) => { if (!known || (!known.open && known.rank !== audience)) show(); };
}
