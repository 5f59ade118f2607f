/**
 * The conventions of both interfaces, in one place (docs/decisions/http.md): every answer passes
 * through here.
 */
import { OpenAPIHono } from "@hono/zod-openapi";
import { HTTPException } from "hono/http-exception";
import { Failure } from "../../base/failure.ts";
import type { Door } from "./door.ts";
import type { AppContext, AppEnv, Gate } from "./app_context.ts";
import { roomLog } from "../log.ts";
import { methodsByPath } from "./route_table.ts";
import { StoreTrouble } from "../store/store_trouble.ts";

const EXTERNAL = "/api/public/v1/";
const log = roomLog("http");

/** Counts what was answered. */
export interface RequestCounter {
  count(method: string, status: number, durationMs: number): void;
}

export interface HttpDeps {
  readonly gate: Gate;
  readonly door: Door;
  newRequestId(): string;
  /** True when browsers reach the service by https. */
  readonly isHttps: boolean;
  readonly metrics: RequestCounter | null;
  /** A page for a browser that asks for an unknown address; null where an error is the answer. */
  pageForUnknown?(c: AppContext): Promise<Response | null>;
}

/** An application with the conventions and without a route. */
export function createHttpApp(deps: HttpDeps): OpenAPIHono<AppEnv> {
  const app = new OpenAPIHono<AppEnv>();
  app.use("*", async (c, next) => {
    const startedAt = performance.now();
    c.set("requestId", deps.newRequestId());
    c.set("gate", deps.gate);
    const refusal = refuseAtTheDoor(c, deps.door);
    // Thrown from here it would pass by what every answer gets below; said on purpose, it is no error.
    if (refusal) c.res = answerFailure(c, refusal);
    else await next();
    decorate(c, deps.isHttps);
    note(c, performance.now() - startedAt, deps.metrics);
  });
  app.onError((error, c) => answerError(c, error));
  const methodsOf = methodsByPath(app);
  app.notFound(async (c) => {
    const methods = methodsOf(c.req.path);
    const page = methods.length === 0 ? await deps.pageForUnknown?.(c) : null;
    return page ?? answerUnrouted(c, methods);
  });
  return app;
}

/** The engine lets `Host: a b` through, of which no URL can be made. */
/** Who may not come in at all; the process itself is asked about until its end. */
function refuseAtTheDoor(c: AppContext, door: Door): Failure | null {
  if (!URL.canParse(c.req.url)) return foreignHost();
  if (!door.isClosed || c.req.path === "/healthz") return null;
  return new Failure("unavailable", "The server is shutting down, try again in a few seconds");
}

function foreignHost(): Failure {
  return new Failure("validation_failed", "The Host header is not the name of a host", {
    fields: [{ path: "Host", message: "Not the name of a host" }],
  });
}

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
  headers.set("X-Request-Id", c.var.requestId);
  headers.set("X-Content-Type-Options", "nosniff");
  headers.set("Referrer-Policy", "no-referrer");
  headers.set("Cross-Origin-Opener-Policy", "same-origin");
  // A page may bring a stricter one.
  if (!headers.has("Content-Security-Policy")) headers.set("Content-Security-Policy", PAGE_CSP);
  if (isHttps) headers.set("Strict-Transport-Security", "max-age=31536000; includeSubDomains");
  // A refusal is about one caller at one moment; some statuses are cacheable without a word.
  if (c.var.ctx || c.res.status >= 400) headers.set("Cache-Control", "no-store");
  for (const [name, value] of c.var.rateHeaders ?? []) headers.set(name, value);
  if (c.req.path.startsWith(EXTERNAL)) {
    headers.set("Access-Control-Allow-Origin", "*");
    headers.set("Access-Control-Expose-Headers", EXPOSED);
  } else headers.set("Cross-Origin-Resource-Policy", "same-origin");
}

const EXPOSED = "ETag, Location, Retry-After, RateLimit, RateLimit-Policy, X-RateLimit-Limit, " +
  "X-RateLimit-Remaining, X-RateLimit-Reset, X-Request-Id, X-Job-Status, X-Next-Since, " +
  "Idempotent-Replayed";

/** The path alone is logged: a query may hold what people search for. */
function note(c: AppContext, durationMs: number, metrics: RequestCounter | null): void {
  const { method, path } = c.req;
  const { status } = c.res;
  metrics?.count(method, status, durationMs);
  log.info("request", {
    requestId: c.var.requestId,
    method,
    path,
    status,
    durationMs: Math.round(durationMs * 10) / 10,
    workspaceId: c.var.ctx?.workspaceId ?? null,
    actor: c.var.ctx ? `${c.var.ctx.actor.type}:${c.var.ctx.actor.id}` : null,
  });
}

/** A `Failure` says what it says; anything else is a defect, told to the log alone. */
function answerError(c: AppContext, error: unknown): Response {
  const failure = asFailure(error);
  if (failure.status >= 500) {
    log.error("request failed", { requestId: c.var.requestId, path: c.req.path, error });
  }
  return answerFailure(c, failure);
}

function asFailure(error: unknown): Failure {
  if (error instanceof Failure) return error;
  // What the validators themselves refuse; broken JSON never gets that far.
  if (error instanceof HTTPException && error.status === 415) {
    return new Failure("unsupported_media_type", "This Content-Type is not taken here");
  }
  if (error instanceof HTTPException && error.status === 400) {
    return new Failure("invalid_json", "The body cannot be read");
  }
  if (error instanceof StoreTrouble) {
    return new Failure("unavailable", "The store does not answer now, try again later");
  }
  return new Failure("internal_error", "Something went wrong; the request id finds it in the log");
}

function answerFailure(c: AppContext, failure: Failure): Response {
  const { code, message, details } = failure;
  const headers = new Headers({ "Content-Type": "application/json" });
  const retryAfter = details?.retryAfterSeconds;
  if (typeof retryAfter === "number") headers.set("Retry-After", String(retryAfter));
  else if (failure.status === 503) headers.set("Retry-After", "5");
  if (failure.status === 401 && c.req.path.startsWith(EXTERNAL)) {
    headers.set("WWW-Authenticate", 'Bearer realm="Kurant"');
  }
  if (failure.status === 405 && Array.isArray(details?.allow)) {
    headers.set("Allow", details.allow.join(", "));
  }
  // The rest of a body that was refused or given up is not worth waiting for.
  if (failure.status === 408 || failure.status === 413) headers.set("Connection", "close");
  const error = { code, message, requestId: c.var.requestId, ...(details && { details }) };
  return new Response(JSON.stringify({ error }), { status: failure.status, headers });
}

/** 404 for an unknown path, 405 for an unknown method, and OPTIONS, all without credentials. */
function answerUnrouted(c: AppContext, methods: readonly string[]): Response {
  if (methods.length === 0) {
    return answerFailure(c, new Failure("not_found", `There is nothing at "${c.req.path}"`));
  }
  const allow = [...methods, ...(methods.includes("GET") ? ["HEAD"] : []), "OPTIONS"].sort();
  if (c.req.method === "OPTIONS") return answerOptions(c, allow);
  return answerFailure(
    c,
    new Failure("method_not_allowed", `"${c.req.method}" is not possible here`, { allow }),
  );
}

function answerOptions(c: AppContext, allow: readonly string[]): Response {
  const headers = new Headers({ Allow: allow.join(", ") });
  if (c.req.path.startsWith(EXTERNAL) && c.req.header("Origin")) {
    headers.set("Access-Control-Allow-Methods", allow.join(", "));
    headers.set(
      "Access-Control-Allow-Headers",
      "Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Prefer",
    );
    headers.set("Access-Control-Max-Age", "86400");
  }
  return new Response(null, { status: 204, headers });
}
