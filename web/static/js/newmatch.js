// The dialog that starts a match: names, length or money, rules with what they leave to the players, and what the record should say.

import { aidsOf, choicesIn, lengthField, questionFields, RECORD, rulesSaid } from "./agree.js";
import { get, Refused } from "./api.js";
import { h, show } from "./dom.js";
import { field, open, text } from "./dialog.js";
import { keepMatch, lastMatch } from "./memory.js";
import { t } from "./words.js";

let asking = false;

/** On a device that has set nothing up yet the match that is on is the last one. */
export const played = ({ started, length, rules, choices, aids, event, round, money }) =>
  (started ? { length, rules, choices, aids, event, round, stake: money?.stake, unit: money?.unit } : {});

export async function newMatch(state, send, toast, now) {
  if (asking) return;   // pressed twice on a slow line: the second answer must not take what is typed meanwhile
  asking = true;
  let sets;
  try {
    sets = (await get("rules")).rules;
  } catch (error) {
    if (!(error instanceof Refused)) throw error;
    toast(error.message, error.code);   // under other rules than the players chose nothing is begun
    return;
  } finally {
    asking = false;
  }
  const last = lastMatch() ?? played(state);
  const chosen = { ...last.choices };
  const set = () => sets.find((one) => one.name === rules.value);
  const rules = h("select", { id: "f-rules", name: "rules", onchange: () => { aids.checked = aidsOf(set(), last); ask(); } },
    sets.map((one) => h("option", { value: one.name, selected: one.name === (last.rules ?? "bray") }, one.title)));
  let points = last.length ?? 5;
  const length = lengthField(points, (n) => { points = n; ask(); });
  const money = h("div", { class: "two" },
    field(t("Stake of a point"), h("input", { type: "number", id: "f-stake", name: "stake", value: last.stake ?? 1, min: 1, max: 1000000, step: 1 })),
    field(t("Currency or unit"), text("unit", last.unit ?? "", { maxlength: 12, placeholder: t("EUR, points, …") })));
  const aids = h("input", { type: "checkbox", name: "aids", checked: aidsOf(set(), last) });
  const asked = h("div", { class: "asked" });
  const more = h("div", { class: "asked" });
  const folded = h("details", {}, h("summary", {}, t("Also open to agreement")), more);
  const said = rulesSaid();
  function ask() {
    said.fill(set());
    show(money, points === 0);
    const [now, later] = questionFields(set(), points === 0, chosen);
    asked.replaceChildren(...now);
    more.replaceChildren(...later);
    folded.hidden = later.length === 0;
  }
  const labels = { event: t("Event"), round: t("Round"), place: t("Place"), transcriber: t("Transcriber") };
  const form = open(t("New match"), [
    h("div", { class: "two" },
      field(t("Far player"), text("far", state.names[1] || last.far || "", { required: true, maxlength: 31, placeholder: t("Name") })),
      field(t("Near player"), text("near", state.names[0] || last.near || "", { required: true, maxlength: 31, placeholder: t("Name") }))),
    length.field, money,
    field(t("Rules"), rules), said.node, asked, folded,
    h("details", { open: RECORD.some((name) => last[name]) }, h("summary", {}, t("For the record")),
      h("div", { class: "two" }, RECORD.map((name) => field(labels[name], text(name, last[name] ?? "", { maxlength: 100 }))))),
    h("label", { class: "row" }, aids, t("Show pip counts and legal plays to the players")),
    state.started && state.phase !== "match_over" ? h("p", { class: "quiet" }, t("The match that is being played is kept as it stands.")) : null,
  ], t("Start"), async (values) => {
    const body = { length: Math.max(0, points), rules: values.rules, aids: "aids" in values, choices: choicesIn(form, set()) };
    for (const name of RECORD) body[name] = values[name].trim();
    if (!points) Object.assign(body, { stake: Number(values.stake) || 1, unit: values.unit.trim() });
    const [near, far] = [values.near.trim(), values.far.trim()];
    const started = await send("start_match", { ...body, names: [near, far] }, state);
    if (started) keepMatch({ ...last, ...body, near, far });
    return started;
  }, () => { state = now(); });
  length.set();
}
