// Deletes a whole match, after it was confirmed by writing the near player's name.

import { $, h } from "./dom.js";
import { refusal } from "./api.js";
import { isolated } from "./facts.js";
import { act } from "./pin.js";
import { t } from "./words.js";

export function remove(id, names) {
  const dialog = $("dialog");
  const wrong = h("p", { class: "wrong", role: "alert" });
  const input = h("input", { type: "text", id: "confirm", autocomplete: "off", required: true });
  dialog.replaceChildren(h("h2", { id: "dialog-title" }, t("Delete this match?")),
    h("form", { method: "dialog", onsubmit: async (event) => {
      event.preventDefault();
      if (input.value.trim() !== names[0]) { wrong.textContent = t("That is not the near player’s name."); return; }
      try {
        await act(`matches/${id}`, { names }, "DELETE");
      } catch (error) {
        const { message, code } = refusal(error);
        if (code !== "no_match") {   // else it is gone, as by a press before, whose answer is on its way or never came
          wrong.textContent = message;
          return;
        }
      }
      location.href = "../matches";
    } },
    h("p", {}, t("The match, its rulings and its pictures are gone for good.")),
    h("label", { for: "confirm" }, t("Write {name} to confirm", { name: isolated(names[0]) })), input, wrong,
    h("div", { class: "ends" }, h("button", { type: "button", onclick: () => dialog.close() }, t("Cancel")), h("button", { type: "submit", class: "main", id: "delete-yes" }, t("Delete")))));
  dialog.showModal();
}
