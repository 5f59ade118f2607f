/** The context of a request, with the caller and the services that handlers use. */
import type { Context as HonoContext } from "hono";
import type { Failure } from "../../base/failure.ts";
import type { FairQueue } from "../fair_queue.ts";
import type { Context, WorkspaceStore } from "../store/context.ts";
import type { BodyMemory, BodyPace } from "./body.ts";

/** Roles and scopes are names that `accounts` defines. */
export type Access =
  | { readonly by: "anyone" }
  /** A person with at least this role, who sends a session cookie. */
  | { readonly by: "session"; readonly role: string; readonly from?: SignInStage }
  /** An API key with all of these scopes; `[]` accepts every valid key. */
  | { readonly by: "key"; readonly scopes: readonly string[] }
  /** A cookie with at least this role, or any valid key. */
  | { readonly by: "either"; readonly role: string };

/** `first_step`: the second factor is not given yet. `set_up`: a required factor is missing. */
export type SignInStage = "first_step" | "set_up";

export interface AppEnv {
  Variables: {
    requestId: string;
    gate: Authentication;
    /** The JSON value of the body, before it is validated. */
    body: unknown;
    /** Absent on routes that need no credentials. */
    ctx: Context;
    /** When the person last entered a password or factor. Absent for keys and anonymous callers. */
    provedAtMs: number | undefined;
    /** Set if the caller has a valid key (docs/decisions/identity.md). */
    rateHeaders: readonly (readonly [string, string])[] | undefined;
  };
  Bindings: { remoteAddr?: Deno.Addr };
}

export type AppContext = HonoContext<AppEnv>;

export interface Authentication {
  /** Returns a failure instead of throwing it. */
  admit(c: AppContext, access: Exclude<Access, { by: "anyone" }>): Promise<Context | Failure>;
  dispatch(request: Request, c: AppContext): Promise<Response>;
  timeZoneOf(workspace: WorkspaceStore): Promise<string>;
  readonly bodyPace: BodyPace;
  /** Requests of all workspaces, which share this thread. */
  readonly requests: FairQueue;
  /** Bodies of callers without credentials have a separate budget. */
  readonly bodyMemory: { readonly strangers: BodyMemory; readonly admitted: BodyMemory };
}
