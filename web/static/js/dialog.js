// The page's one dialog: a form with its fields, what it does, and what went wrong, said inside it.

import { $, h, say, stayIn } from "./dom.js";
import { t } from "./words.js";

const LONGEST_NAME = 31;   // more no .mat file holds

/** Opens it. `fields` are nodes; `act` is given the form's values and closes the dialog by returning something true. `renew` opens it anew on
 *  what holds by then, or has the same form speak of that: when somebody else was quicker, the person sees that, with what he has entered
 *  himself, and may press again. */
export function open(title, fields, yes, act, renew = null) {
  const dialog = $("dialog");
  if (!dialog.open) comeBack(dialog, document.activeElement);
  let busy = false;
  const form = h("form", { method: "dialog", onsubmit: async (event) => {
    event.preventDefault();
    if (busy) return;
    busy = true;
    const pressed = form.querySelector("[type=submit]");
    pressed.setAttribute("aria-busy", "true");
    try {
      const wrong = $("dialog-wrong");
      wrong.dataset.code = "";
      const done = await act(Object.fromEntries(new FormData(form)));
      if (!form.isConnected) return;   // it was left meanwhile, and another stands in its place
      if (done) dialog.close();
      else if (renew && wrong.dataset.code === "stale" && dialog.open) {
        const entered = [...form.elements].filter(touched).map(({ id, value }) => [id, value]);
        renew();
        if (form.isConnected) return;
        for (const [id, value] of entered) enter($(id), value);
        complain(wrong.textContent, "stale");
      }
    } finally {
      busy = false;
      pressed.removeAttribute("aria-busy");
    }
  } }, fields, h("p", { class: "wrong", id: "dialog-wrong", role: "alert", hidden: true }), h("div", { class: "ends" },
    h("button", { type: "button", onclick: () => dialog.close() }, t("Cancel")),
    h("button", { type: "submit", class: "main", id: "dialog-yes" }, yes)));
  dialog.replaceChildren(h("h2", { id: "dialog-title" }, title), form);
  if (!dialog.open) dialog.showModal();
  else [...form.elements].find((one) => one.getClientRects().length).focus();   // one form has taken another's place: its first that is seen
  return form;
}

/** Opens it with what is only to be read. */
export function inform(title, ...parts) {
  $("dialog").replaceChildren(h("h2", { id: "dialog-title" }, title), ...parts,
    h("form", { method: "dialog", class: "ends" }, h("button", { class: "main", id: "dialog-done" }, t("Close"))));
  $("dialog").showModal();
}

/** Once it closes the focus is on what it was opened with, which may have been drawn anew, or near that. */
function comeBack(dialog, opener) {
  const near = opener.closest("section, main");
  dialog.addEventListener("close", () => {
    const now = document.activeElement;   // still in the dialog, until that is drawn as closed
    if (now !== document.body && !dialog.contains(now)) return;
    const again = opener.id && $(opener.id);
    if (again) again.focus({ preventScroll: true });   // what is to be done next is in sight by now
    else if (near) stayIn(near);
  }, { once: true });
}

/** What stands in the dialog; null while it is closed. */
export const shown = () => ($("dialog").open ? $("dialog").lastChild : null);

/** Whether a person has changed what a field held when the dialog was opened. */
const touched = (field) => (field.tagName === "SELECT" ? ![...field.selectedOptions].every((one) => one.defaultSelected) : "defaultValue" in field && field.value !== field.defaultValue);

function enter(field, value) {
  if (!field || (field.tagName === "SELECT" && ![...field.options].some((one) => one.value === value))) return;
  field.value = value;
  field.dispatchEvent(new Event("change"));
}

/** Says what went wrong inside the dialog. Whether it is open, so that somebody reads it. */
export function complain(sentence, code = "") {
  const wrong = $("dialog").open ? $("dialog-wrong") : null;
  if (!wrong) return false;
  wrong.textContent = sentence;
  wrong.dataset.code = code;
  wrong.hidden = false;
  wrong.scrollIntoView({ block: "nearest" });
  return true;
}

/** A field with its label. Where it takes so many letters and no more, that is said once it is full: else what is typed or pasted ends without a word. */
export function field(label, input, hint) {
  const full = input.maxLength > 0 ? h("span", { class: "quiet", role: "status" }) : null;
  if (full) input.addEventListener("input", () => say(full, input.value.length < input.maxLength ? "" : t("No more than {n} letters go in here.", { n: input.maxLength })));
  return h("div", { class: "field" }, h("label", { for: input.id }, label), input, full, hint ? h("span", { class: "quiet" }, hint) : null);
}

/** The players' names, in the order of the score line, with what swaps them: they were entered for the other's side, or have changed places. */
export function playerNames(near, far, { prefix = "", ...rest } = {}) {
  const [left, right] = [["far", far], ["near", near]].map(([seat, name]) => text(`${prefix}${seat}`, name, { maxlength: LONGEST_NAME, placeholder: t("Name"), ...rest }));
  const swap = () => { [left.value, right.value] = [right.value, left.value]; };
  return [h("div", { class: "two" }, field(t("Far player"), left), field(t("Near player"), right)),
    h("div", { class: "row" }, h("button", { type: "button", class: "small", id: "swap", onclick: swap }, t("Swap sides")))];
}

export const text = (name, value = "", rest = {}) => h("input", { type: "text", id: `f-${name}`, name, value, autocomplete: "off", ...rest });
export const number = (name, value, min, max) => h("input", { type: "number", id: `f-${name}`, name, value, min, max, required: true });
export const select = (name, options, chosen, rest = {}) => h("select", { id: `f-${name}`, name, ...rest },
  options.map(([value, label]) => h("option", { value, selected: value === chosen }, label)));
