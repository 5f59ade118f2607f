/**
 * A running service, as `pull` and `push` call it: with a key, and again when a failure passes. What
 * they send may be sent twice without harm.
 */
import { Failure } from "../../base/failure.ts";
import { ConfigError, readConfig } from "../composition/config.ts";
import { z } from "@hono/zod-openapi";

/** Long enough for a file of a million products over a slow line. */
const TRY_MS = 900_000;
const TRIES = 8;
const WAIT_MAX_SECONDS = 60;
/** What a next try may change; 409 only while an `Idempotency-Key` is in use, which has a `Retry-After`. */
const PASSING = new Set([408, 429, 500, 502, 503, 504]);

export interface ServiceRequest<T> {
  readonly path: string;
  readonly method?: "GET" | "POST";
  readonly headers?: Record<string, string>;
  /** Opened again for each try. */
  body?(): Promise<ReadableStream<Uint8Array>>;
  /** Reads the answer; a connection that breaks meanwhile is another try. */
  read(answer: Response): Promise<T>;
}

/** Throws `unavailable` with the service's own words when it refuses, or cannot be reached. */
export async function callKurant<T>(request: ServiceRequest<T>): Promise<T> {
  const { KURANT_URL: url, KURANT_KEY: key } = readConfig();
  if (url === null || key === null) {
    throw new ConfigError(["KURANT_URL and KURANT_KEY must be set: which service, with which key"]);
  }
  const { path, method = "GET", headers, body, read } = request;
  for (let attempt = 1;; attempt++) {
    let seconds = 2 ** attempt;
    let trouble: unknown;
    try {
      const answer = await fetch(new URL(path, url), {
        method,
        headers: { ...headers, Authorization: `Bearer ${key}` },
        body: await body?.(),
        redirect: "error",
        signal: AbortSignal.timeout(TRY_MS),
      });
      if (answer.ok) return await read(answer);
      const after = answer.headers.get("Retry-After");
      trouble = `${answer.status} ${refusalOf(await answer.text())}`;
      if (!PASSING.has(answer.status) && !(answer.status === 409 && after)) attempt = TRIES;
      seconds = Number(after ?? seconds);
    } catch (error) {
      // What `fetch` throws when the connection breaks or the time is over; a full disk is neither.
      if (!(error instanceof TypeError || error instanceof DOMException)) throw error;
      trouble = error.message;
    }
    if (attempt >= TRIES) throw new Failure("unavailable", `${method} ${url}: ${trouble}`);
    await new Promise((wake) => setTimeout(wake, Math.min(seconds, WAIT_MAX_SECONDS) * 1_000));
  }
}

const Refusal = z.object({ error: z.object({ code: z.string(), message: z.string() }) });

/** A proxy in front answers in its own way. */
function refusalOf(text: string): string {
  try {
    const { error } = Refusal.parse(JSON.parse(text));
    return `${error.code}: ${error.message}`;
  } catch {
    return text.slice(0, 200);
  }
}
