/** The context of a request: its caller, its guards and their resources. */
import type { Context as HonoContext } from "hono";
import type { Failure } from "../../base/failure.ts";
import type { Context, WorkspaceStore } from "../store/context.ts";
import type { ThreadShare } from "../thread_share.ts";
import type { BodyPace } from "./body.ts";
import type { BodyMemory } from "./body_memory.ts";

/** Who may call a route. Roles and scopes are plain names; `accounts` defines them. */
export type Access =
  | { readonly by: "anyone" }
  /** Any signed-in user with at least this role, by cookie. */
  | { readonly by: "session"; readonly role: string; readonly from?: SignInStage }
  /** An API key with all of these scopes; `[]` accepts every valid key. */
  | { readonly by: "key"; readonly scopes: readonly string[] }
  /** A cookie with at least this role, or any valid key. */
  | { readonly by: "either"; readonly role: string };

/** `first_step`: the second factor is missing. `set_up`: the role needs one, and there is none. */
export type SignInStage = "first_step" | "set_up";

export interface AppEnv {
  Variables: {
    requestId: string;
    gate: Authentication;
    /** The query parameters of the route, for hints about misspelled ones. */
    queryNames: readonly string[];
    /** Absent on routes that anyone may call. */
    ctx: Context;
    /** When the person last gave a password or a factor. Absent for keys and anonymous callers. */
    provedAtMs: number | undefined;
    /** Set if the caller has a valid key (docs/decisions/identity.md). */
    rateHeaders: readonly (readonly [string, string])[] | undefined;
  };
  Bindings: { remoteAddr?: Deno.Addr };
}

export type AppContext = HonoContext<AppEnv>;

export interface Authentication {
  /** Returns the failure instead of throwing it, because throwing takes twice the time. */
  admit(c: AppContext, access: Exclude<Access, { by: "anyone" }>): Promise<Context | Failure>;
  /** Sends a request through the whole application, to repeat an answer that a crash has lost. */
  dispatch(request: Request, c: AppContext): Promise<Response>;
  timeZoneOf(workspace: WorkspaceStore): Promise<string>;
  readonly bodyPace: BodyPace;
  readonly thread: ThreadShare;
  /** Memory for bodies. Bodies without credentials have a separate budget. */
  readonly bodyMemory: { readonly strangers: BodyMemory; readonly admitted: BodyMemory };
}
