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
 * In the stage `first_step`, the second factor is not entered yet; in `set_up`, it is not set up.
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
  readonly requests: FairQueue;
  /** Memory for request bodies, separate for callers without credentials (`strangers`). */
  readonly bodyMemory: { readonly strangers: BodyMemory; readonly admitted: BodyMemory };
}
