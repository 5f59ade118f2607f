/** What stands before every handler: who asks, the body, and whether this was asked before. */
import type { MiddlewareHandler } from "hono";
import { Failure } from "../base/failure.ts";
import { sha256Hex } from "../base/sha256.ts";
import { type BodyPace, parseJson, readJsonBytes } from "./body.ts";
import type { BodyMemory } from "./body_memory.ts";
import type { Context } from "./context.ts";
import type { Access, AppContext, AppEnv } from "./http.ts";
import { answerOnce } from "./idempotency.ts";

/** What the composition root gives to the guards of all routes. */
export interface Gate {
  /** Refuses with the codes of decisions §9, else answers in whose name the request runs. */
  admit(c: AppContext, access: Exclude<Access, { by: "anyone" }>): Promise<Context>;
  /** Runs a request through the whole application again, for an answer that a crash has lost. */
  dispatch(request: Request, c: AppContext): Promise<Response>;
  readonly bodyPace: BodyPace;
  /** What bodies hold while they are read: those of strangers take no room from the others. */
  readonly bodyMemory: { readonly strangers: BodyMemory; readonly admitted: BodyMemory };
}

interface GuardPlan {
  readonly access: Access;
  readonly hasBody: boolean;
  readonly keepsAnswers: boolean;
}

/** Credentials first, then the body, then the idempotency key: a stranger's body is never read. */
export function guard(plan: GuardPlan): MiddlewareHandler<AppEnv> {
  return async (c, next) => {
    const { gate } = c.var;
    if (plan.access.by !== "anyone") c.set("ctx", await gate.admit(c, plan.access));
    const memory = plan.access.by === "anyone"
      ? gate.bodyMemory.strangers
      : gate.bodyMemory.admitted;
    const body = plan.hasBody ? await takeJsonBody(c, gate.bodyPace, memory) : new Uint8Array();
    const key = plan.keepsAnswers ? c.req.header("Idempotency-Key") : undefined;
    if (key === undefined) return await next();
    return await answerOnce(c, key, sha256Hex(body), next);
  };
}

/** What the validators take for JSON in every version of theirs. */
const PLAIN_TYPE = /^application\/json(; ?charset=[\w-]+)?$/i;
const JSON_TYPE = /^application\/([\w.-]+\+)?json\s*(;|$)/i;

/** Reads the body once, strictly, and leaves it where the validators look for it. */
async function takeJsonBody(
  c: AppContext,
  pace: BodyPace,
  memory: BodyMemory,
): Promise<Uint8Array> {
  const type = c.req.header("Content-Type") ?? "";
  if (!JSON_TYPE.test(type)) {
    throw new Failure(
      "unsupported_media_type",
      type === ""
        ? 'The Content-Type is missing: send the header "Content-Type: application/json"'
        : `The Content-Type "${type}" is not taken here: send "Content-Type: application/json"`,
    );
  }
  const bytes = await readJsonBytes(c.req.raw, pace, memory);
  // The value alone stays for as long as the request takes: its text may be a MiB of blanks.
  const value: ReturnType<typeof JSON.parse> = parseJson(bytes);
  c.req.json = () => Promise.resolve(value);
  if (!PLAIN_TYPE.test(type)) c.req.raw = asPlainJson(c.req.raw);
  return bytes;
}

/** HTTP knows more spellings of a type than the validators: a blank before the `;`, nothing after it. */
function asPlainJson({ url, method, headers: sent }: Request): Request {
  const headers = new Headers(sent);
  headers.set("Content-Type", "application/json");
  return new Request(url, { method, headers });
}
