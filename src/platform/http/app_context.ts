/** What a request meets before its handler, and what the handler finds: the types of both sides. */
import type { Context as HonoContext } from "hono";
import type { Failure } from "../../base/failure.ts";
import type { Context, WorkspaceStore } from "../store/context.ts";
import type { ThreadShare } from "../thread_share.ts";
import type { BodyPace } from "./body.ts";
import type { BodyMemory } from "./body_memory.ts";

/**
 * Who may call a route. There is no default: a route without an answer cannot be written. Roles and
 * scopes are identity's, which says what they are; here they are names.
 */
export type Access =
  | { readonly by: "anyone" }
  /** Any signed-in user of the role or above, by cookie. */
  | { readonly by: "session"; readonly role: string }
  /** A bearer key that holds all of the scopes; `[]` is every valid key. */
  | { readonly by: "key"; readonly scopes: readonly string[] }
  /** A cookie of the role or above, or any valid key, on either interface (the reference lists). */
  | { readonly by: "either"; readonly role: string };

/** What every handler finds in `c.var`. */
export interface AppEnv {
  Variables: {
    requestId: string;
    gate: Gate;
    /** Set for every route but those that anyone may call. */
    ctx: Context;
    /** Set for an answer to a valid key (docs/decisions/identity.md). */
    rateHeaders: readonly (readonly [string, string])[] | undefined;
  };
  Bindings: { remoteAddr?: Deno.Addr };
}

export type AppContext = HonoContext<AppEnv>;

/** What the composition root gives to the guards of all routes. */
export interface Gate {
  /**
   * In whose name the request runs, or why it is refused, by the codes of docs/decisions/identity.md:
   * a value, because an error that is thrown costs as much as the rest of such an answer.
   */
  admit(c: AppContext, access: Exclude<Access, { by: "anyone" }>): Promise<Context | Failure>;
  /** Runs a request through the whole application again, for an answer that a crash has lost. */
  dispatch(request: Request, c: AppContext): Promise<Response>;
  /** The clock of a workspace, for times of workbooks. */
  timeZoneOf(workspace: WorkspaceStore): Promise<string>;
  readonly bodyPace: BodyPace;
  /** Of this process; what is done in somebody's name counts there. */
  readonly thread: ThreadShare;
  /** What bodies hold while they are read: those of strangers take no room from the others. */
  readonly bodyMemory: { readonly strangers: BodyMemory; readonly admitted: BodyMemory };
}
