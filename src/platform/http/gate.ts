/** The guards before every handler: authentication, the body, and idempotency. */
import { sha256Hex } from "../../base/bytes.ts";
import { Failure, refuseFields } from "../../base/failure.ts";
import type { Access, AppContext, AppEnv } from "./app_context.ts";
import { type BodyPace, decodeText, parseJson, parseLines, readJsonBytes } from "./body.ts";
import type { BodyMemory } from "./body_memory.ts";
import { answerFailure } from "./failure_answer.ts";
import { answerOnce } from "./idempotency_store.ts";
import { refusedFieldsOf } from "./refused_fields.ts";
import type { MiddlewareHandler } from "hono";
import { z } from "zod";

interface GuardPlan {
  readonly access: Access;
  readonly body: "none" | "optional" | "required" | "lines" | "text";
  readonly bodyBytesMax: number | undefined;
  /** Names of the query parameters; if null, every parameter is refused. */
  readonly queryNames: readonly string[] | null;
  readonly keepsAnswers: boolean;
  readonly waitsForOthers: boolean;
  readonly sensitive: Sensitive | undefined;
}

/** Asks people for a recent proof of identity; a function decides by the sent body. */
export type Sensitive = true | ((body: unknown) => boolean);

/**
 * The credentials, the body, the idempotency key, in this order, so strangers' bodies stay unread.
 */
export function guard(plan: GuardPlan): MiddlewareHandler<AppEnv> {
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
    // Reading a body takes time of the thread, too, so it waits before and after reading.
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
  const { error } = NO_QUERY.safeParse(c.req.queries());
  if (error) throw refuseFields(refusedFieldsOf(error.issues));
  return null;
}

/** False for requests that wait for a shop, a job or an upload. */
function usesThread({ access, waitsForOthers }: GuardPlan): boolean {
  return access.by !== "anyone" && !waitsForOthers;
}

const PLAIN_TYPE = /^application\/json(; ?charset=[\w-]+)?$/i;
const LINES_TYPE = /^application\/(x-)?(ndjson|jsonl)\s*(;|$)/i;
const TEXT_TYPE = /^text\/(csv|plain)\s*(;|$)/i;
const JSON_TYPE = /^application\/([\w.-]+\+)?json\s*(;|$)/i;

/** Reads and parses the body once, and stores the value where the validators read it. */
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
  // An empty body needs no Content-Type.
  const isLeftOut = kind === "optional" && bytes.length === 0;
  if (!isLeftOut && !isLines && !isText) requireJsonType(type);
  // The text is not kept, because it may be a MiB of blanks.
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

/** Gives a request the one form of Content-Type that the validators know. */
function asPlainJson({ url, method, headers: sent }: Request): Request {
  const headers = new Headers(sent);
  headers.set("Content-Type", "application/json");
  return new Request(url, { method, headers });
}
