// What both forms that start a match ask: its length, what its rule set leaves to the players, and what is noted for the record.

import { h } from "./dom.js";
import { t } from "./words.js";

const COMMON = [1, 3, 5, 7, 9, 11];
export const LONGEST = 25;
/** What is noted for the record. */
export const RECORD = ["event", "round", "place", "transcriber"];

/** The choice of a match's length: money play, a common length, or any other by typing. `changed` is called with the length. */
export function lengthField(chosen, changed) {
  const typed = h("input", { type: "number", id: "f-length", name: "length", min: 1, max: LONGEST, step: 1, inputmode: "numeric", "aria-label": t("Points") });
  const button = (n, label) => h("button", { type: "button", "data-length": n, id: `length-${n}`, onclick: () => set(n) }, label);
  const buttons = [button(0, t("Money game")), ...COMMON.map((n) => button(n, String(n)))];
  function set(n) {
    typed.required = n !== 0;
    if (n > 0 && n !== Number(typed.value)) typed.value = n;   // what is being typed and is no length yet stays as it is
    if (n === 0) typed.value = "";
    for (const one of buttons) one.setAttribute("aria-pressed", String(Number(one.dataset.length) === n));
    changed(n);
  }
  typed.oninput = () => set(Number(typed.value) || -1);
  const field = h("fieldset", { class: "field length" }, h("legend", {}, t("Match length in points")), h("div", { class: "lengths" }, buttons, typed));
  return { field, set: () => set(chosen) };
}

/** Folded away: what the rule set says of all that is not asked. `fill` is given the set. */
export function rulesSaid() {
  const lines = h("ul", {});
  const node = h("details", { class: "says" }, h("summary", {}, t("What these rules say")), lines);
  return { node, fill: (set) => lines.replaceChildren(...(set?.says ?? []).map((line) => h("li", {}, line))) };
}

/** Whether aids are shown: as at the last match under these rules, else as the set has it. */
export const aidsOf = (set, last) => Boolean((set?.name === last.rules ? last.aids : undefined) ?? set?.aids);

/** The fields of one rule set's questions: [those asked at set-up, those open to agreement]. `chosen` is written by the fields. */
export function questionFields(set, money, chosen) {
  const ask = (set?.questions ?? []).filter((one) => money || !one.money);
  const field = (one) => {
    const value = one.answers.some((answer) => answer.value === chosen[one.choice]) ? chosen[one.choice] : one.value;
    return h("fieldset", { id: `q-${one.choice}` }, h("legend", {}, one.title), h("div", { class: "answers-of" }, one.answers.map((answer) => h("label", {},
      h("input", { type: "radio", name: `q-${one.choice}`, "data-choice": one.choice, value: JSON.stringify(answer.value), checked: answer.value === value,
        onchange: () => { chosen[one.choice] = answer.value; } }), h("span", {}, answer.text)))));
  };
  return [ask.filter((one) => one.asked).map(field), ask.filter((one) => !one.asked).map(field)];
}

/** What was chosen in the fields below `form` and differs from what the set has anyway. */
export function choicesIn(form, set) {
  const made = {};
  for (const radio of form.querySelectorAll("[data-choice]:checked")) {
    const one = set.questions.find((question) => question.choice === radio.dataset.choice);
    const value = JSON.parse(radio.value);
    if (value !== one.value) made[one.choice] = value;
  }
  return made;
}
