// Commands to the referee. Each carries the log sequence the person was looking at, so that a stale one is refused by name.

export class Refused extends Error {
  constructor(body, status) {
    super(body?.message ?? "The referee did not answer.");
    this.code = body?.error ?? "unreachable";
    this.status = status;
    this.body = body;
  }
}

export async function ask(method, path, body) {
  let response;
  try {
    response = await fetch(`/api/v1/${path}`, {
      method,
      headers: body === undefined ? { accept: "application/json" } : { accept: "application/json", "content-type": "application/json" },
      body: body === undefined ? undefined : JSON.stringify(body),
      credentials: "same-origin",
    });
  } catch {
    throw new Refused({ error: "unreachable", message: "The referee cannot be reached. Is it still running?" }, 0);
  }
  const answer = await response.json().catch(() => null);
  if (!response.ok) throw new Refused(answer, response.status);
  return answer;
}

export const get = (path) => ask("GET", path);
export const post = (path, body) => ask("POST", path, body);
