// The dialog that starts a match.

import { get, refusal } from "./api.js";
import { open } from "./dialog.js";
import { matchForm } from "./matchform.js";
import { t } from "./words.js";

let asking = false;

export async function newMatch(state, send, toast, now) {
  if (asking) return;   // pressed twice on a slow line: the second answer must not take what is typed meanwhile
  asking = true;
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
  const match = matchForm(sets, state);
  const form = open(t("New match"), match.fields, t("Start"), async () => {
    const said = match.command(form);
    const started = await send("start_match", said, state);
    if (started) match.keep(said);
    return started;
  }, () => { state = now(); match.follow(state); });
}
