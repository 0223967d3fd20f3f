// The form that starts a match, as the table page opens it and the set-up page shows it: names, length or money, rules with what they leave to
// the players, and what the record should say.

import { field, playerNames, select, text } from "./dialog.js";
import { h, say, show } from "./dom.js";
import { nameOf } from "./facts.js";
import { keepMatch, lastMatch } from "./memory.js";
import { t } from "./words.js";

const COMMON = [1, 3, 5, 7, 9, 11];
export const LONGEST = 99;   // points of a match
const RECORD = { event: t("Event"), round: t("Round"), place: t("Place"), transcriber: t("Transcriber") };

/** On a device that has set nothing up yet the match that is on is the last one. */
const played = ({ started, length, rules, choices, aids, event, round, money, clock_rules }) =>
  (started ? { length, rules, choices, aids, event, round, stake: money?.stake, unit: money?.unit, clock: clock_rules } : {});

/** The choice of a rule set out of `sets`, of what it leaves to the players, and of stake or clock, as in the match `last` at first. `of` is told
 *  the match's length, and `chosen` is what the form that holds them says. */
function rulesFields(sets, last) {
  const answers = { ...last.choices };
  const set = () => sets.find((one) => one.name === rules.value);
  const kept = last.rules && !sets.some((one) => one.name === last.rules) ? h("option", { value: last.rules, selected: true }, last.rules) : null;   // offered no more
  const rules = h("select", { id: "f-rules", name: "rules", onchange: () => { aids.checked = aidsOf(set(), last); clock.of(set()); ask(); } },
    kept, sets.map((one) => h("option", { value: one.name, selected: one.name === (last.rules ?? "bray") }, one.title)));
  const aids = h("input", { type: "checkbox", id: "f-aids", name: "aids", checked: aidsOf(set(), last) });
  const money = h("div", { class: "two" },
    field(t("Stake of a point"), h("input", { type: "number", id: "f-stake", name: "stake", value: last.stake ?? 1, min: 1, max: 1000000, step: 1 })),
    field(t("Currency or unit"), text("unit", last.unit ?? "", { maxlength: 12, placeholder: t("EUR, points, …") })));
  const clock = clockFields(last);
  const lines = h("ul", {});   // folded away: what the rule set says of all that is not asked
  const [asked, more] = [h("div", { class: "asked" }), h("div", { class: "asked" })];
  const folded = h("details", {}, h("summary", {}, t("Also open to agreement")), more);
  let points = 0;
  function ask() {
    lines.replaceChildren(...(set()?.says ?? []).map((line) => h("li", {}, line)));
    show(money, points === 0);
    clock.show(points !== 0);
    const [now, later] = questionFields(set(), points === 0, answers);
    asked.replaceChildren(...now);
    more.replaceChildren(...later);
    folded.hidden = later.length === 0;
  }
  clock.of(set());
  return {
    fields: [money, field(t("Rules"), rules), h("details", { class: "says" }, h("summary", {}, t("What these rules say")), lines), asked, folded, ...clock.fields],
    aids: h("label", { class: "row" }, aids, t("Show pip counts and legal plays to the players")),
    of(length) { points = length; ask(); },
    chosen(form) {
      const said = { rules: rules.value, aids: aids.checked, choices: choicesIn(form, set()) };
      return points ? { ...said, clock: clock.chosen() } : { ...said, stake: Number(form.elements.stake.value) || 1, unit: form.elements.unit.value.trim() };
    },
  };
}

/** The fields that put the rules of the match right that is on, as `state` has it. What was started wrongly is not what the next one begins with. */
export function rulesForm(sets, state) {
  const made = rulesFields(sets, played(state));
  made.of(state.length);
  return { ...made, keep(said) { if (lastMatch()) keepMatch({ ...lastMatch(), ...said }); } };
}

/** Its fields for somebody who looks at the table's `state`, of which `follow` is told when it changes; `sets` are the rule sets. `command` is what
 *  the form that holds them says, and `keep` has this device remember it. */
export function matchForm(sets, state) {
  const last = lastMatch() ?? played(state);
  const rules = rulesFields(sets, sets.some((one) => one.name === last.rules) ? last : { ...last, rules: undefined });
  const running = h("p", { class: "quiet", id: "running" });
  let points = last.length ?? 5;
  const length = lengthField(points, (n) => { points = n; rules.of(n); });
  function follow(now) {
    running.hidden = !now.started || now.phase === "match_over";
    say(running, t("{near} and {far} are playing; their match is kept as it stands.", { near: nameOf(now, "near"), far: nameOf(now, "far") }));
  }
  follow(state);
  return {
    fields: [
      ...playerNames(state.names[0] || last.near || "", state.names[1] || last.far || "", { required: true }),
      length, ...rules.fields, h("details", { id: "for-record", open: Object.keys(RECORD).some((name) => last[name]) }, h("summary", {}, t("For the record")),
        h("div", { class: "two" }, Object.entries(RECORD).map(([name, label]) => field(label, text(name, last[name] ?? "", { maxlength: 100 }))))),
      rules.aids, running],
    follow,
    command(form) {
      const values = Object.fromEntries(new FormData(form));
      const said = { names: [values.near.trim(), values.far.trim()], length: Math.max(0, points), ...rules.chosen(form) };
      for (const name of Object.keys(RECORD)) said[name] = values[name].trim();
      return said;
    },
    keep({ names, ...said }) { keepMatch({ ...last, ...said, near: names[0], far: names[1] }); },
  };
}

/** The choice of a match's length: money play, a common length, or any other by typing. `changed` is called with the length. */
function lengthField(chosen, changed) {
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
  set(chosen);
  return h("fieldset", { class: "field length" }, h("legend", {}, t("Match length in points")), h("div", { class: "lengths" }, buttons, typed));
}

const ANYONE = "lift_by_anyone";
const TIMED = ["simple_delay", "bronstein", "fischer"];

/** The choice of a match's clock: as the rule set has it, none, one on the table, or one of three kinds with its times. `of` is told which set is chosen, `chosen`
 *  is what the referee is told, null for the set's own. */
function clockFields(last) {
  let own = null;
  const says = h("span", { class: "quiet" });
  const kind = select("clock", [["", t("As the rules have it")], ["none", t("No clock")], ["own", t("The club’s own, which the referee cannot see")], ["simple_delay", t("Simple delay")], ["bronstein", t("Bronstein")],
    ["fischer", t("Fischer")]], "", { onchange: () => draw() });
  const minutes = h("input", { type: "number", id: "f-minutes", min: 0.1, max: 60, step: "any", required: true });
  const free = h("input", { type: "number", id: "f-free", min: 0, max: 600, step: "any", required: true });
  const press = h("input", { type: "checkbox", id: "f-press" });
  const times = h("div", { class: "two" }, field(t("Minutes for each point"), minutes), field(t("Free seconds in each turn"), free),
    h("label", { class: "row" }, press, t("A turn ends when the clock is pressed, not when the dice are lifted")));
  const choice = h("div", { class: "field" }, h("label", { for: kind.id }, t("Clock")), kind, says);
  let on = true;
  function draw() {
    show(choice, on);
    says.hidden = kind.value !== "";
    show(times, on && TIMED.includes(kind.value));
  }
  return {
    fields: [choice, times],
    show(wanted) { on = wanted; draw(); },
    of(set) {
      own = set?.clock ?? null;
      const kept = set && set.name === last.rules && last.clock;
      const now = kept && Object.entries(own).some(([name, value]) => kept[name] !== value) ? kept : null;
      kind.value = now ? (now.mode === "none" && now.turn_end === ANYONE ? "own" : now.mode) : "";
      minutes.value = (now ?? own)?.bank_s_per_point / 60;
      free.value = (now ?? own)?.delay_s;
      press.checked = (now ?? own)?.turn_end === "clock";
      say(says, set?.clock_says ?? "");
      draw();
    },
    chosen() {
      if (!kind.value) return null;
      if (kind.value === "own") return { ...own, mode: "none", turn_end: ANYONE };
      if (kind.value === "none") return { ...own, mode: "none", turn_end: "dice_lift" };
      return { ...own, mode: kind.value, bank_s_per_point: minutes.value * 60, delay_s: Number(free.value), turn_end: press.checked ? "clock" : "dice_lift" };
    },
  };
}

/** Whether aids are shown: as at the last match under these rules, else as the set has it. */
const aidsOf = (set, last) => Boolean((set?.name === last.rules ? last.aids : undefined) ?? set?.aids);

/** The fields of one rule set's questions: [those asked at set-up, those open to agreement]. `chosen` is written by the fields. */
function questionFields(set, money, chosen) {
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
function choicesIn(form, set) {
  const made = {};
  for (const radio of form.querySelectorAll("[data-choice]:checked")) {
    const one = set.questions.find((question) => question.choice === radio.dataset.choice);
    const value = JSON.parse(radio.value);
    if (value !== one.value) made[one.choice] = value;
  }
  return made;
}
