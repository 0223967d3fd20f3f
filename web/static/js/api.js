// Commands to the referee. Each carries the log sequence the person was looking at, so that a stale one is refused by name.

import { language, t } from "./words.js";

export const PATIENCE = 10000;   // ms: a dead line says nothing by itself, and whatever is pressed next waits for the answer

class Refused extends Error {
  constructor(body) {
    super(body?.message ?? t("The referee did not answer."));
    this.code = body?.error ?? "unreachable";
    this.body = body;
  }
}

/** `error`, where the referee has refused or is out of reach: that is said. Any other goes on. */
export function refusal(error) {
  if (!(error instanceof Refused)) throw error;
  return error;
}

/** `patience`: ms after which the referee counts as out of reach; more where the answer itself takes long. */
export async function ask(method, path, body, patience = PATIENCE) {
  let response, answer;
  const wait = new AbortController();
  const timer = setTimeout(() => wait.abort(), patience);
  try {
    response = await fetch(`/api/v1/${path}`, {
      method,
      headers: { accept: "application/json", "accept-language": language, ...(body === undefined ? {} : { "content-type": "application/json" }) },
      body: body === undefined ? undefined : JSON.stringify(body),
      credentials: "same-origin",
      signal: wait.signal,
    });
    answer = await response.json();
  } catch {
    throw new Refused({ error: "unreachable", message: t("The referee cannot be reached. Is it still running?") });
  } finally {
    clearTimeout(timer);
  }
  if (!response.ok) throw new Refused(answer);
  return answer;
}

export const get = (path) => ask("GET", path);
export const post = (path, body) => ask("POST", path, body);
