/** The context of a request, with the caller and the services that handlers use. */
import type { Context as HonoContext } from "hono";
import type { Failure } from "../../base/failure.ts";
import type { FairQueue } from "../event_loop.ts";
import type { Context, WorkspaceStore } from "../store/context.ts";
import type { BodyMemory, BodyPace } from "./body.ts";

export type Access =
  | { readonly by: "anyone" }
  /** A person who sends a session cookie, and has `role` or a stronger role. */
  | { readonly by: "session"; readonly role: string; readonly from?: SignInStage }
  /** An API key that has all `scopes`; `[]` accepts every valid key. */
  | { readonly by: "key"; readonly scopes: readonly string[] }
  /** A person who has `role` or a stronger role, or any valid API key. */
  | { readonly by: "either"; readonly role: string };

/**
 * In the stage `first_step`, the person has not entered the second factor yet. In the stage
 * `set_up`, the person has not set up a second factor yet.
 */
export type SignInStage = "first_step" | "set_up";

export interface AppEnv {
  Variables: {
    requestId: string;
    gate: Authentication;
    body: unknown;
    /** Set only on routes that need credentials. */
    ctx: Context;
    /** Time when the person last entered a password or second factor; absent without a person. */
    provedAtMs: number | undefined;
    /** Headers about the rate limit, for callers with an API key (docs/decisions/identity.md). */
    rateHeaders: readonly (readonly [string, string])[] | undefined;
  };
  Bindings: { remoteAddr?: Deno.Addr };
}

export type AppContext = HonoContext<AppEnv>;

export interface Authentication {
  admit(c: AppContext, access: Exclude<Access, { by: "anyone" }>): Promise<Context | Failure>;
  dispatch(request: Request, c: AppContext): Promise<Response>;
  timeZoneOf(workspace: WorkspaceStore): Promise<string>;
  readonly bodyPace: BodyPace;
  /** The queue in which requests of all workspaces wait for this thread. */
  readonly requests: FairQueue;
  /** Memory for request bodies, separate for callers without credentials (`strangers`). */
  readonly bodyMemory: { readonly strangers: BodyMemory; readonly admitted: BodyMemory };
}
