/** Declares a route. Validation and the OpenAPI documents are derived from the declaration. */
import { sha256Hex } from "../../base/bytes.ts";
import { Failure, refuseFields } from "../../base/failure.ts";
import type { Access, AppContext, AppEnv } from "./app_context.ts";
import {
  type BodyMemory,
  type BodyPace,
  decodeText,
  parseJson,
  parseLines,
  readJsonBytes,
} from "./body.ts";
import { answerFailure, parseOrRefuse, refusedFieldsOf } from "./failure_answer.ts";
import { ErrorBody, jsonAnswer } from "./http.ts";
import { answerOnce } from "./idempotency_store.ts";
import { createRoute, OpenAPIHono, type RouteConfig, z } from "@hono/zod-openapi";
import type { MiddlewareHandler } from "hono";

export function room(): OpenAPIHono<AppEnv> {
  return new OpenAPIHono<AppEnv>({
    defaultHook: (result, c) => {
      if (result.success) return;
      const known = result.target === "query" ? c.get("queryNames") : [];
      throw refuseFields(refusedFieldsOf(result.error.issues, known));
    },
  });
}

type Method = "get" | "post" | "patch" | "put" | "delete";

export interface RouteDefinition extends RouteConfig {
  readonly method: Method;
  readonly access: Access;
  /** False if the answer contains a secret and therefore must not be stored. */
  readonly keepsAnswers?: boolean;
  /** False if the handler reads the body as a stream, for example an upload. */
  readonly readsJson?: boolean;
  /** True if NDJSON is also accepted. The lines of NDJSON become the field `items`. */
  readonly takesLines?: boolean;
  /** True if plain text and CSV are also accepted. A body of text becomes the field `text`. */
  readonly takesText?: boolean;
  readonly bodyBytesMax?: number;
  /** True if the handler mostly waits, so that it runs without `ThreadShare`. */
  readonly waitsForOthers?: boolean;
  readonly sensitive?: Sensitive;
  /** True if the route accepts `If-Match`. */
  readonly versioned?: boolean;
  readonly takesHeaders?: readonly RequestHeader[];
}

export function route<P extends string, R extends Omit<RouteDefinition, "path"> & { path: P }>(
  definition: R,
) {
  // Only the properties in `documented` appear in the OpenAPI document.
  const {
    access,
    keepsAnswers,
    readsJson,
    takesLines: _lines,
    takesText: _text,
    bodyBytesMax,
    waitsForOthers,
    versioned: _versioned,
    takesHeaders: _headers,
    sensitive,
    ...documented
  } = definition;
  const request = definition.request ?? {};
  const isKept = definition.method === "post" && access.by !== "anyone" &&
    keepsAnswers !== false && readsJson !== false;
  // These headers only appear in the OpenAPI documents, and are not validated.
  const parameters = headersOf(definition, isKept);
  return createRoute({
    ...documented,
    security: securityOf(access),
    responses: { ...sharedErrors(access, request.body !== undefined), ...definition.responses },
    middleware: [
      guard({
        access,
        body: bodyKindOf(definition),
        bodyBytesMax,
        queryNames: namesIn(request.query),
        keepsAnswers: isKept,
        waitsForOthers: waitsForOthers === true || readsJson === false,
        sensitive,
      }),
    ],
    ...(parameters.length > 0 && { parameters }),
  });
}

function namesIn(query: unknown): readonly string[] | null {
  if (query === undefined) return null;
  return query instanceof z.ZodObject ? Object.keys(query.shape) : [];
}

export type RequestHeader = "Idempotency-Key" | "If-Match" | "Prefer";

function headersOf({ versioned, takesHeaders }: Omit<RouteDefinition, "path">, isKept: boolean) {
  const names: RequestHeader[] = [...takesHeaders ?? []];
  if (isKept) names.push("Idempotency-Key");
  if (versioned) names.push("If-Match");
  return names.map((name) => ({ $ref: `#/components/parameters/${name}` }));
}

function bodyKindOf({ request, readsJson, takesLines, takesText }: Omit<RouteDefinition, "path">) {
  if (request?.body === undefined || readsJson === false) return "none";
  if (takesLines) return "lines";
  if (takesText) return "text";
  return request.body.required === false ? "optional" : "required";
}

/** The required roles and scopes, which OpenAPI allows for all kinds of credentials since 3.1. */
function securityOf(access: Access): Record<string, string[]>[] {
  switch (access.by) {
    case "anyone":
      return [];
    case "session":
      return [{ session: [access.role] }];
    case "key":
      return [{ key: [...access.scopes] }];
    case "either":
      return [{ session: [access.role] }, { key: [] }];
  }
}

const ERROR_WORDS: Record<number, string> = {
  400: "The input is refused; `details.fields` names what and why",
  401: "There is no valid credential",
  403: "The credential is valid but may not do this",
  404: "It does not exist, or belongs to another workspace",
  405: "The path exists, this method does not; see `Allow`",
  408: "The body came too slowly",
  409: "The current state does not allow this",
  412: "The document has changed since the version in `If-Match`",
  413: "The body is larger than allowed",
  415: "The media type of the body is not accepted here",
  422: "Valid, but probably a mistake",
  429: "Too many requests; see `Retry-After`",
  500: "A defect of the service; `requestId` finds it in the log",
  503: "The service is temporarily unavailable",
};
const ERROR_ANSWERS = Object.entries(ERROR_WORDS)
  .map(([status, words]) => [Number(status), jsonAnswer(ErrorBody, words)] as const);
const ONLY_GUARDED = [401, 403];
const ONLY_WITH_BODY = [408, 413, 415];

function sharedErrors(access: Access, hasBody: boolean) {
  return Object.fromEntries(
    ERROR_ANSWERS.filter(([status]) =>
      (access.by !== "anyone" || !ONLY_GUARDED.includes(status)) &&
      (hasBody || !ONLY_WITH_BODY.includes(status))
    ),
  );
}

interface GuardPlan {
  readonly access: Access;
  readonly body: "none" | "optional" | "required" | "lines" | "text";
  readonly bodyBytesMax: number | undefined;
  /** The names of the query parameters; null if the route refuses every parameter. */
  readonly queryNames: readonly string[] | null;
  readonly keepsAnswers: boolean;
  readonly waitsForOthers: boolean;
  readonly sensitive: Sensitive | undefined;
}

/** True if people need a recent proof of identity. A function decides this from the body. */
type Sensitive = true | ((body: unknown) => boolean);

/** Checks credentials before it reads the body, so the body of an unknown caller stays unread. */
function guard(plan: GuardPlan): MiddlewareHandler<AppEnv> {
  const isWork = usesThread(plan);
  return async (c, next) => {
    const gate = c.get("gate");
    const proceed = plan.queryNames ? next : () => refuseQuery(c) ?? next();
    c.set("queryNames", plan.queryNames ?? []);
    if (plan.access.by === "anyone") {
      const body = await takeBody(c, gate.bodyPace, gate.bodyMemory.strangers, plan);
      return await answer(plan, c, body, proceed);
    }
    const ctx = await gate.admit(c, plan.access);
    if (ctx instanceof Failure) return answerFailure(c, ctx);
    c.set("ctx", ctx);
    const { thread, bodyMemory, bodyPace } = gate;
    const work = isWork ? () => thread.pass(ctx.workspaceId, proceed) : proceed;
    // A request with a body waits for its share twice: before and after the body is read.
    if (plan.body === "none" && isWork) {
      refuseOldProof(c, plan.sensitive, null);
      return await answer(plan, c, NO_BODY, work);
    }
    await thread.pass(ctx.workspaceId, nothing);
    const body = await takeBody(c, bodyPace, bodyMemory.admitted, plan);
    refuseOldProof(c, plan.sensitive, plan.body === "none" ? null : await c.req.json());
    return await answer(plan, c, body, work);
  };
}

function refuseOldProof(c: AppContext, sensitive: Sensitive | undefined, body: unknown): void {
  const provedAtMs = c.get("provedAtMs");
  if (sensitive === undefined || provedAtMs === undefined) return;
  if (c.var.ctx.now().getTime() - provedAtMs < 10 * 60_000) return;
  if (sensitive !== true && !sensitive(body)) return;
  throw new Failure(
    "reauthentication_required",
    "This needs a proof of identity of the last 10 minutes: send it, then repeat the request",
  );
}

const NO_BODY = new Uint8Array();
const nothing = () => Promise.resolve();

function answer(
  { keepsAnswers }: GuardPlan,
  c: AppContext,
  body: Uint8Array,
  work: () => Promise<void>,
): Promise<Response | void> {
  const key = keepsAnswers ? c.req.header("Idempotency-Key") : undefined;
  return key === undefined ? work() : answerOnce(c, key, sha256Hex(body), work);
}

const NO_QUERY = z.strictObject({});

function refuseQuery(c: AppContext): null {
  if (!c.req.url.includes("?")) return null;
  parseOrRefuse(NO_QUERY, c.req.queries());
  return null;
}

function usesThread({ access, waitsForOthers }: GuardPlan): boolean {
  return access.by !== "anyone" && !waitsForOthers;
}

const PLAIN_TYPE = /^application\/json(; ?charset=[\w-]+)?$/i;
const LINES_TYPE = /^application\/(x-)?(ndjson|jsonl)\s*(;|$)/i;
const TEXT_TYPE = /^text\/(csv|plain)\s*(;|$)/i;
const JSON_TYPE = /^application\/([\w.-]+\+)?json\s*(;|$)/i;

/** Parses the body, and makes `c.req.json` return the result to the validators. */
async function takeBody(
  c: AppContext,
  pace: BodyPace,
  memory: BodyMemory,
  { body: kind, bodyBytesMax }: Pick<GuardPlan, "body" | "bodyBytesMax">,
): Promise<Uint8Array> {
  if (kind === "none") return NO_BODY;
  const type = c.req.header("Content-Type") ?? "";
  const isLines = kind === "lines" && LINES_TYPE.test(type);
  const isText = kind === "text" && TEXT_TYPE.test(type);
  if (kind !== "optional" && !isLines && !isText) requireJsonType(type);
  const bytes = await readJsonBytes(c.req.raw, pace, memory, bodyBytesMax);
  const isLeftOut = kind === "optional" && bytes.length === 0;
  if (!isLeftOut && !isLines && !isText) requireJsonType(type);
  // Keep only the parsed value, because the text may be a MiB of blanks.
  const value: ReturnType<typeof JSON.parse> = isLeftOut
    ? {}
    : isLines
    ? { items: parseLines(bytes) }
    : isText
    ? { text: decodeText(bytes) }
    : parseJson(bytes);
  c.req.json = () => Promise.resolve(value);
  if (!PLAIN_TYPE.test(type)) c.req.raw = asPlainJson(c.req.raw);
  return bytes;
}

function requireJsonType(type: string): void {
  if (JSON_TYPE.test(type)) return;
  throw new Failure(
    "unsupported_media_type",
    type === ""
      ? 'The Content-Type is missing: send the header "Content-Type: application/json"'
      : `The Content-Type "${type}" is not accepted here: send "Content-Type: application/json"`,
  );
}

/** Sets the Content-Type to `application/json`, because the validators know no other type. */
function asPlainJson({ url, method, headers: sent }: Request): Request {
  const headers = new Headers(sent);
  headers.set("Content-Type", "application/json");
  return new Request(url, { method, headers });
}
