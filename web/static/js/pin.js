// Asks for the PIN when the table wants one, then goes on with what was asked for.

import { ask, post, Refused } from "./api.js";
import { h } from "./dom.js";
import { t } from "./words.js";

let waiting = null;

/** Asks for a PIN. Resolves to whether one was accepted. */
function askPin(why) {
  waiting ??= new Promise((resolve) => {
    const input = h("input", { type: "password", id: "pin-input", name: "pin", inputmode: "numeric", autocomplete: "off", required: true });
    const wrong = h("p", { class: "wrong", role: "alert" });
    const dialog = h("dialog", { class: "pin", "aria-labelledby": "pin-title" },
      h("h2", { id: "pin-title" }, "PIN"),
      h("form", { method: "dialog", onsubmit: async (event) => {
        event.preventDefault();
        try {
          await post("enter", { pin: input.value });
          dispatchEvent(new Event("rank"));   // what this page may be shown has changed
          dialog.close("yes");
        } catch (error) {
          if (!(error instanceof Refused)) throw error;
          wrong.textContent = error.message;
          input.select();
        }
      } },
      h("label", { for: "pin-input" }, why), input, wrong,
      h("div", { class: "ends" }, h("button", { type: "button", onclick: () => dialog.close() }, t("Cancel")),
        h("button", { type: "submit", class: "main", id: "pin-yes" }, t("Enter")))));
    dialog.addEventListener("close", () => { waiting = null; dialog.remove(); resolve(dialog.returnValue === "yes"); });
    document.body.append(dialog);
    dialog.showModal();
  });
  return waiting;
}

/** Asks the API, and for the PIN when it is needed. */
export async function act(path, body, method = "POST") {
  for (;;) {
    try {
      return await ask(method, path, body);
    } catch (error) {
      if (!(error instanceof Refused) || !["pin_needed", "director_needed"].includes(error.code)) throw error;
      if (!await askPin(error.message)) throw error;
    }
  }
}
