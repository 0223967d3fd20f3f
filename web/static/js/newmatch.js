// The dialogs that start a match, and put the rules of one right.

import { get, refusal } from "./api.js";
import { open, shown } from "./dialog.js";
import { h } from "./dom.js";
import { matchForm, rulesForm } from "./matchform.js";
import { t } from "./words.js";

let asking = false;

/** Calls `then` with the rule sets that are offered. */
async function withSets(toast, then) {
  if (asking) return;   // pressed twice on a slow line: the second answer must not take what is typed meanwhile
  asking = true;
  const before = shown();
  let sets;
  try {
    sets = (await get("rules")).rules;
  } catch (error) {
    const { message, code } = refusal(error);
    toast(message, code);   // under other rules than the players chose nothing is begun
    return;
  } finally {
    asking = false;
  }
  if (shown() === before) then(sets);   // else somebody has opened another dialog meanwhile, or left this one
}

export function newMatch(state, send, toast, now) {
  return withSets(toast, (sets) => {
    const match = matchForm(sets, state);
    const form = open(t("New match"), match.fields, t("Start"), async () => {
      const said = match.command(form);
      const started = await send("start_match", said, state);
      if (started) match.keep(said);
      return started;
    }, () => { state = now(); match.follow(state); });
  });
}

export function correctRules(state, send, toast, now) {
  let sets = [];
  return withSets(toast, (found) => { sets = found; show(state); });
  function show(state) {
    const rules = rulesForm(sets, state);
    const form = open(t("Rules and clock"), [
      h("p", { class: "quiet" }, t("What is chosen here counts from the beginning of the match, as long as nothing in it would have gone otherwise.")),
      ...rules.fields, rules.aids],
    t("Save"), async () => {
      const said = rules.chosen(form);
      const saved = await send("rules", said, state);
      if (saved) rules.keep(said);
      return saved;
    }, () => {
      if (now().match === state.match) state = now();
      else show(now());   // whose rules are others
    });
  }
}
