/** Creates the app: common headers, answers to errors, request log (docs/decisions/http.md). */
import { Hono } from "hono";
import { TrieRouter } from "hono/router/trie-router";
import { Failure, FAILURE_STATUS, type FailureCode } from "../../base/failure.ts";
import { roomLog } from "../log.ts";
import { DAMAGED, StoreTrouble } from "../store/store_trouble.ts";
import type { AppContext, AppEnv, Authentication } from "./http.ts";
import { answerFailure, EXTERNAL_PATH, packAnswer, type Refusal, replaceBody } from "./answer.ts";

const log = roomLog("http");

export interface RequestCounter {
  count(method: string, status: number, durationMs: number): void;
}

interface HttpDeps {
  readonly gate: Authentication;
  readonly drainGate: DrainGate;
  newRequestId(): string;
  readonly isHttps: boolean;
  readonly metrics: RequestCounter | null;
  pageForUnknown?(c: AppContext): Promise<Response | null>;
}

export function createHttpApp(deps: HttpDeps): Hono<AppEnv> {
  // The default router is slow for the paths of this service.
  const app = new Hono<AppEnv>({ router: new TrieRouter() });
  app.use("*", async (c, next) => {
    const startedAt = performance.now();
    c.set("requestId", deps.newRequestId());
    c.set("gate", deps.gate);
    const refused = refuseWhileDraining(c, deps.drainGate);
    // Do not throw the refusal, because `decorate` must add headers to its answer.
    if (refused) c.res = answerFailure(c, refused);
    else await next();
    // Cancel the body for HEAD, because a streamed file would wait for ever for a reader.
    if (c.req.method === "HEAD") await c.res.body?.cancel();
    decorate(c, deps.isHttps);
    note(c, performance.now() - startedAt, deps.metrics);
  });
  app.use("*", async (c, next) => {
    await next();
    await packAnswer(c);
    const { headers } = c.res;
    const isFile = headers.has("Content-Disposition") && !headers.has("ETag");
    if (isFile && c.req.method === "GET") {
      const cut = new TransformStream<Uint8Array, Uint8Array>();
      replaceBody(c, c.res.body?.pipeThrough(cut, { signal: deps.drainGate.ending }) ?? null);
    }
  });
  app.onError((error, c) => answerError(c, error));
  app.notFound(async (c) => {
    const methods = methodsAt(app, c.req.path);
    const page = methods.length === 0 ? await deps.pageForUnknown?.(c) : null;
    return page ?? answerUnrouted(c, methods);
  });
  return app;
}

function refuseWhileDraining(c: AppContext, drainGate: DrainGate) {
  // An invalid `Host` header makes the URL of the request invalid.
  if (!URL.canParse(c.req.url)) return FOREIGN_HOST;
  if (!drainGate.isClosed || c.req.path === "/healthz") return null;
  return CLOSED;
}

function refusal(code: FailureCode, message: string, details?: Failure["details"]): Refusal {
  return { code, message, status: FAILURE_STATUS[code], ...(details && { details }) };
}

const FOREIGN_HOST = refusal("validation_failed", "The Host header is not a valid host name", {
  fields: [{ path: "Host", message: "Is not a valid host name" }],
});
const CLOSED = refusal("unavailable", "The server is shutting down, try again in a few seconds");

const PAGE_CSP = [
  "default-src 'self'",
  "img-src 'self' data:",
  "object-src 'none'",
  "base-uri 'none'",
  "form-action 'self'",
  "frame-ancestors 'none'",
].join("; ");

function decorate(c: AppContext, isHttps: boolean): void {
  const { headers } = c.res;
  headers.set("X-Request-Id", c.get("requestId"));
  headers.set("X-Content-Type-Options", "nosniff");
  headers.set("Referrer-Policy", "no-referrer");
  headers.set("Cross-Origin-Opener-Policy", "same-origin");
  // Keep the stricter Content-Security-Policy of pages that set their own.
  if (!headers.has("Content-Security-Policy")) headers.set("Content-Security-Policy", PAGE_CSP);
  if (isHttps) headers.set("Strict-Transport-Security", "max-age=31536000; includeSubDomains");
  // Without `no-store`, a cache could keep an answer that is meant for one caller.
  if (c.get("ctx") || c.res.status >= 400) headers.set("Cache-Control", "no-store");
  for (const [name, value] of c.get("rateHeaders") ?? []) headers.set(name, value);
  if (c.req.path.startsWith(EXTERNAL_PATH)) {
    headers.set("Access-Control-Allow-Origin", "*");
    headers.set("Access-Control-Expose-Headers", EXPOSED);
  } else headers.set("Cross-Origin-Resource-Policy", "same-origin");
}

const EXPOSED = "ETag, Location, Retry-After, RateLimit, RateLimit-Policy, X-RateLimit-Limit, " +
  "X-RateLimit-Remaining, X-RateLimit-Reset, X-Request-Id, X-Job-Status, X-Next-Since, " +
  "X-Prices-Include-Vat, Idempotent-Replayed";

/** The log omits the query of the URL, which may contain a person's search text. */
function note(c: AppContext, durationMs: number, metrics: RequestCounter | null): void {
  const { method, path } = c.req;
  const { status } = c.res;
  const ctx = c.get("ctx");
  metrics?.count(method, status, durationMs);
  log.info("request", {
    requestId: c.get("requestId"),
    method,
    path,
    status,
    durationMs: Math.round(durationMs * 10) / 10,
    workspaceId: ctx?.workspaceId ?? null,
    actor: ctx ? `${ctx.actor.type}:${ctx.actor.id}` : null,
  });
}

/** The caller sees the text of a `Failure`; the text of any other error is only logged. */
function answerError(c: AppContext, error: unknown): Response {
  const failure = asFailure(error);
  if (failure.status >= 500) {
    const isPlanned = error instanceof Failure && error.cause === undefined;
    const level = isPlanned ? "warning" : "error";
    log[level]("request failed", { requestId: c.get("requestId"), path: c.req.path, error });
  }
  return answerFailure(c, failure);
}

function asFailure(error: unknown): Failure {
  if (error instanceof Failure) return error;
  if (error instanceof StoreTrouble) {
    const message = error.kind === "damaged"
      ? DAMAGED
      : "The store does not answer now, try again later";
    return new Failure("unavailable", message);
  }
  return new Failure("internal_error", "Something went wrong; the request id finds it in the log");
}

function answerUnrouted(c: AppContext, methods: readonly string[]): Response {
  if (methods.length === 0) {
    return answerFailure(c, refusal("not_found", `There is nothing at "${c.req.path}"`));
  }
  const allow = [...methods, ...(methods.includes("GET") ? ["HEAD"] : []), "OPTIONS"].sort();
  if (c.req.method === "OPTIONS") return answerOptions(c, allow);
  return answerFailure(
    c,
    refusal("method_not_allowed", `"${c.req.method}" is not allowed here`, { allow }),
  );
}

function answerOptions(c: AppContext, allow: readonly string[]): Response {
  const headers = new Headers({ Allow: allow.join(", ") });
  if (c.req.path.startsWith(EXTERNAL_PATH) && c.req.header("Origin")) {
    headers.set("Access-Control-Allow-Methods", allow.join(", "));
    headers.set(
      "Access-Control-Allow-Headers",
      "Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Prefer",
    );
    headers.set("Access-Control-Max-Age", "86400");
  }
  return new Response(null, { status: 204, headers });
}

const METHODS = ["DELETE", "GET", "PATCH", "POST", "PUT"];

/** Returns the methods of a path; ignores middleware, which has the method `ALL` in Hono. */
function methodsAt({ router }: Hono<AppEnv>, path: string): string[] {
  return METHODS.filter((method) =>
    router.match(method, path)[0].some(([[, route]]) => route.method !== "ALL")
  );
}

/** Call `close` before Deno's shutdown, which would cut off running requests. */
export class DrainGate {
  readonly #ending = new AbortController();
  #isClosed = false;
  #inside = 0;
  #emptied = Promise.withResolvers<void>();

  get isClosed(): boolean {
    return this.#isClosed;
  }

  get ending(): AbortSignal {
    return this.#ending.signal;
  }

  /** A request counts as running until `work` and, if given, `sent` have settled. */
  pass<T>(work: () => Promise<T>, sent?: Promise<void>): Promise<T> {
    this.#inside++;
    const answer = work();
    let open = sent ? 2 : 1;
    const close = () => {
      if (--open > 0) return;
      this.#inside--;
      this.#resolveIfEmpty();
    };
    answer.then(close, close);
    sent?.then(close, close);
    return answer;
  }

  /** Waits for running requests; downloads that still run after 1 s are cut off. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#resolveIfEmpty();
    // Abort with a text, because Deno would print an `Error` with its stack.
    const abort = () => this.#ending.abort("A file was broken off, because the server stops");
    const timer = setTimeout(abort, 1_000);
    await this.#emptied.promise;
    clearTimeout(timer);
  }

  #resolveIfEmpty(): void {
    if (this.#isClosed && this.#inside === 0) this.#emptied.resolve();
  }
}
