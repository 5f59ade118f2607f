/**
 * A typed client of Kurant's external interface. Requests are repeated if the connection breaks or
 * the service has a temporary error. A repeated POST takes effect once (`Idempotency-Key`).
 */
import createClient, { type Client } from "openapi-fetch";
import type { paths } from "./kurant.ts";

export type { components, operations, paths } from "./kurant.ts";

export interface Options {
  /** Address of the service, without a path. */
  readonly baseUrl: string;
  /** An API key, which begins with `pk_live_`. */
  readonly key: string;
  /** Maximum number of attempts per request. The default of 6 attempts takes about a minute. */
  readonly tries?: number;
}

const AGAIN = new Set([408, 429, 500, 502, 503, 504]);
const WAIT_MAX_SECONDS = 60;

export function kurant({ baseUrl, key, tries = 6 }: Options): Client<paths, "application/json"> {
  return createClient<paths, "application/json">({
    baseUrl,
    headers: { Authorization: `Bearer ${key}` },
    fetch: (request: Request) => fetchAgain(request, tries),
  });
}

async function fetchAgain(request: Request, tries: number): Promise<Response> {
  if (request.method === "POST" && !request.headers.has("Idempotency-Key")) {
    request.headers.set("Idempotency-Key", crypto.randomUUID());
  }
  for (let attempt = 1;; attempt++) {
    let seconds = 2 ** attempt;
    try {
      const answer = await fetch(request.clone());
      if (!isPassing(answer) || attempt >= tries) return answer;
      await answer.body?.cancel();
      seconds = Number(answer.headers.get("Retry-After") ?? seconds);
    } catch (error) {
      if (attempt >= tries) throw error;
    }
    await new Promise((wake) => setTimeout(wake, Math.min(seconds, WAIT_MAX_SECONDS) * 1_000));
  }
}

/** A 409 with `Retry-After` is temporary: for example, an earlier attempt is still running. */
function isPassing(answer: Response): boolean {
  return AGAIN.has(answer.status) || (answer.status === 409 && answer.headers.has("Retry-After"));
}
