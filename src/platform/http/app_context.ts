/** Types of the guards before a handler, and of the handler's input. */
import type { Context as HonoContext } from "hono";
import type { Failure } from "../../base/failure.ts";
import type { Context, WorkspaceStore } from "../store/context.ts";
import type { ThreadShare } from "../thread_share.ts";
import type { BodyPace } from "./body.ts";
import type { BodyMemory } from "./body_memory.ts";

/**
 * The callers of a route. There is no default: every route declares them. Roles and scopes are
 * declared by `accounts`; here they are names.
 */
export type Access =
  | { readonly by: "anyone" }
  /** Any signed-in user of the role or above, by cookie. */
  | { readonly by: "session"; readonly role: string }
  /** A bearer key that holds all of the scopes; `[]` is every valid key. */
  | { readonly by: "key"; readonly scopes: readonly string[] }
  /** A cookie of the role or above, or any valid key, on either interface (the reference lists). */
  | { readonly by: "either"; readonly role: string };

export interface AppEnv {
  Variables: {
    requestId: string;
    gate: Authentication;
    /** Set for every route but those that anyone may call. */
    ctx: Context;
    /** Set for an answer to a valid key (docs/decisions/identity.md). */
    rateHeaders: readonly (readonly [string, string])[] | undefined;
  };
  Bindings: { remoteAddr?: Deno.Addr };
}

export type AppContext = HonoContext<AppEnv>;

/** The composition root's tools for the guards of all routes. */
export interface Authentication {
  /**
   * In whose name the request runs, or why it is refused, by the codes of docs/decisions/identity.md: a
   * value, because throwing an error costs as much as the rest of such an answer.
   */
  admit(c: AppContext, access: Exclude<Access, { by: "anyone" }>): Promise<Context | Failure>;
  /** Runs a request through the whole application again, for an answer that a crash has lost. */
  dispatch(request: Request, c: AppContext): Promise<Response>;
  /** The clock of a workspace, for times of workbooks. */
  timeZoneOf(workspace: WorkspaceStore): Promise<string>;
  readonly bodyPace: BodyPace;
  /** The process's thread, which accounts work to workspaces. */
  readonly thread: ThreadShare;
  /** Memory for bodies; bodies without credentials have a share of their own. */
  readonly bodyMemory: { readonly strangers: BodyMemory; readonly admitted: BodyMemory };
}
