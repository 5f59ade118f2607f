/**
 * Declares a route: who may call it, how a request is validated, and what the OpenAPI documents
 * say.
 */
import { sha256Hex } from "../../base/bytes.ts";
import { Failure } from "../../base/failure.ts";
import {
  type BodyMemory,
  type BodyPace,
  decodeText,
  parseJson,
  parseLines,
  readJsonBytes,
} from "./body.ts";
import { answerFailure } from "./answer.ts";
import {
  type Access,
  type AppContext,
  type AppEnv,
  type Authentication,
  ErrorBody,
  jsonAnswer,
  jsonBody,
  parseOrRefuse,
} from "./http.ts";
import type { Context } from "../store/context.ts";
import { answerOnce } from "./idempotency_store.ts";
import { type RouteConfig, z } from "@hono/zod-openapi";
import type { Handler, Hono, Input, MiddlewareHandler } from "hono";

type Upload = NonNullable<NonNullable<RouteConfig["request"]>["body"]>;

type Method = "get" | "post" | "patch" | "put" | "delete";

export interface RouteDefinition {
  readonly method: Method;
  readonly path: string;
  readonly access: Access;
  readonly summary?: string;
  readonly description?: string;
  readonly tags?: string[];
  readonly params?: z.ZodObject;
  readonly query?: z.ZodObject;
  readonly body?: z.ZodType;
  readonly isBodyOptional?: boolean;
  readonly upload?: Upload;
  readonly takesLines?: boolean;
  readonly takesText?: boolean;
  readonly bodyBytesMax?: number;
  /** False if the answer must not be stored, for example because the answer contains a secret. */
  readonly keepsAnswers?: boolean;
  /** True for a handler that mostly waits, so that it takes no slot of the request queue. */
  readonly waitsForOthers?: boolean;
  readonly sensitive?: Sensitive;
  readonly versioned?: boolean;
  readonly takesHeaders?: readonly RequestHeader[];
  responses(): RouteConfig["responses"];
}

export interface Route {
  addTo(app: Hono<AppEnv>): void;
  document(): RouteConfig;
}

export function route<I extends Input>(
  definition: RouteDefinition,
  handle: Handler<AppEnv, string, I>,
): Route {
  const { method, path, access, upload, keepsAnswers = true } = definition;
  const isKept = method === "post" && access.by !== "anyone" && keepsAnswers && !upload;
  return {
    addTo: (app) =>
      void app.on(
        method,
        path.replaceAll(/\{(\w+)\}/g, ":$1"),
        guard(definition, isKept),
        validated(definition, handle),
      ),
    document: () => documentOf(definition, isKept),
  };
}

function documentOf(definition: RouteDefinition, isKept: boolean): RouteConfig {
  const { method, path, access, summary, description, tags, params, query, responses } = definition;
  const body = definition.body
    ? jsonBody(definition.body, !definition.isBodyOptional)
    : definition.upload;
  const parameters = headersOf(definition, isKept);
  return {
    ...(summary && { summary }),
    ...(description && { description }),
    ...(tags && { tags }),
    method,
    path,
    request: { ...(params && { params }), ...(query && { query }), ...(body && { body }) },
    security: securityOf(access),
    responses: { ...sharedErrors(access, body !== undefined), ...responses() },
    ...(parameters.length > 0 && { parameters }),
  };
}

export type RequestHeader = "Idempotency-Key" | "If-Match" | "Prefer";

function headersOf({ versioned, takesHeaders }: RouteDefinition, isKept: boolean) {
  const names: RequestHeader[] = [...takesHeaders ?? []];
  if (isKept) names.push("Idempotency-Key");
  if (versioned) names.push("If-Match");
  return names.map((name) => ({ $ref: `#/components/parameters/${name}` }));
}

/** OpenAPI 3.1 allows roles and scopes for every kind of credentials, not only for OAuth. */
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

/** If `true`, or if the function returns true, people need a recent proof of identity. */
type Sensitive = true | ((body: unknown) => boolean);

/** Checks the credentials first, so that the body of a refused caller is never read. */
function guard(definition: RouteDefinition, isKept: boolean): MiddlewareHandler<AppEnv> {
  const { access, sensitive, waitsForOthers, upload } = definition;
  const isWork = !waitsForOthers && upload === undefined;
  return async (c, next) => {
    const gate = c.get("gate");
    const answer = ({ bytes, value }: TakenBody, share: (work: Work) => Promise<void>) => {
      refuseOldProof(c, sensitive, value);
      c.set("body", value);
      const work = () => share(next);
      const key = isKept ? c.req.header("Idempotency-Key") : undefined;
      if (key === undefined) return work();
      const begin = async (ctx: Context) => {
        c.set("ctx", ctx);
        await work();
        return c.res;
      };
      return answerOnce(c, sha256Hex(bytes), { begin });
    };
    const { bodyMemory, bodyPace } = gate;
    if (access.by === "anyone") {
      return await answer(await takeBody(c, bodyPace, bodyMemory.strangers, definition), alone);
    }
    const ctx = await gate.admit(c, access);
    if (ctx instanceof Failure) return answerFailure(c, ctx);
    c.set("ctx", ctx);
    const share = (work: Work) => runInTurn(gate, ctx.workspaceId, work);
    if (definition.body === undefined && isWork) return await answer(NO_BODY, share);
    // Read the body only when the workspace's turn has come, so that waiting requests hold no body.
    await share(nothing);
    const body = await takeBody(c, bodyPace, bodyMemory.admitted, definition);
    return await answer(body, isWork ? share : alone);
  };
}

async function runInTurn(
  { requests }: Authentication,
  workspaceId: string,
  work: Work,
): Promise<void> {
  if (requests.waitingOf(workspaceId) >= WAITING_MAX) {
    const message = `More than ${WAITING_MAX} requests of this workspace wait: send fewer at once`;
    throw new Failure("rate_limited", message, { retryAfterSeconds: 1 });
  }
  await requests.run(workspaceId, work);
}

const WAITING_MAX = 500;

function validated<I extends Input>(
  { params, query = NO_QUERY, body }: RouteDefinition,
  handle: Handler<AppEnv, string, I>,
): Handler<AppEnv, string, I> {
  const names = Object.keys(query.shape);
  return (c, next) => {
    const { req, get } = c;
    const texts = Object.entries(req.queries())
      .map(([name, values]) => [name, values.length === 1 ? values[0] : values]);
    const asked = parseOrRefuse(query, Object.fromEntries(texts), names);
    req.addValidatedData("query", asked);
    const ctx = get("ctx");
    if (ctx) c.set("ctx", { ...ctx, list: () => listName(req.path, asked) });
    if (params) req.addValidatedData("param", parseOrRefuse(params, req.param()));
    const parsed = body && parseOrRefuse(body, get("body"));
    if (parsed) req.addValidatedData("json", parsed);
    return handle(c, next);
  };
}

/** Identifies the list in cursors; an empty filter counts as no filter. */
function listName(path: string, { limit: _limit, cursor: _cursor, ...filters }: Filters): string {
  const given = Object.entries(filters).filter(([, value]) => value !== undefined && value !== "");
  return JSON.stringify([path, ...given]);
}

type Filters = Readonly<Record<string, unknown>>;

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

const NO_QUERY = z.strictObject({});

interface TakenBody {
  readonly bytes: Uint8Array;
  readonly value: unknown;
}

const NO_BODY: TakenBody = { bytes: new Uint8Array(), value: null };

type Work = () => Promise<void>;

const alone = (work: Work) => work();
const nothing = () => Promise.resolve();

const LINES_TYPE = /^application\/(x-)?(ndjson|jsonl)\s*(;|$)/i;
const TEXT_TYPE = /^text\/(csv|plain)\s*(;|$)/i;
const JSON_TYPE = /^application\/([\w.-]+\+)?json\s*(;|$)/i;

async function takeBody(
  c: AppContext,
  pace: BodyPace,
  memory: BodyMemory,
  { body, isBodyOptional, takesLines, takesText, bodyBytesMax }: RouteDefinition,
): Promise<TakenBody> {
  if (body === undefined) return NO_BODY;
  const type = c.req.header("Content-Type") ?? "";
  const isLines = takesLines && LINES_TYPE.test(type);
  const isText = takesText && TEXT_TYPE.test(type);
  if (!isBodyOptional && !isLines && !isText) requireJsonType(type);
  const bytes = await readJsonBytes(c.req.raw, pace, memory, bodyBytesMax);
  if (isBodyOptional && bytes.length === 0) return { bytes, value: {} };
  if (isLines) return { bytes, value: { items: parseLines(bytes) } };
  if (isText) return { bytes, value: { text: decodeText(bytes) } };
  requireJsonType(type);
  return { bytes, value: parseJson(bytes) };
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
