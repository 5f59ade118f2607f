import type { AppContext } from "../platform/http/app_context.ts";
import type { Context, WorkspaceStore } from "../platform/store/context.ts";
import type { Write } from "../platform/store/kv.ts";
import type { AdmissionDeps } from "./admission.ts";
import type { Anonymous } from "./anonymous.ts";
import { addressBlock, clientAddress } from "./client_address.ts";
import type { PasswordTurn, PasswordTurns } from "./passwords/password.ts";
import { knownBrowserCookie } from "./sessions/login_throttle.ts";
import { sessionCookie } from "./sessions/session.ts";
import type { StoredUser } from "./users/user.ts";

/** Dependencies of the room's routes. */
export interface IdentityDeps extends AdmissionDeps {
  /** Where people reach the service: links begin with it, and never with what a request calls us. */
  linkBase(): string;
  /** Called when a person arrives, to prepare data; must return at once. */
  onArrival(workspace: WorkspaceStore): void;
  /** Removes other rooms' rows of a person in the commit that removes the person. */
  onRemoval(write: Write, ctx: Context, userId: string): Promise<void>;
}

/** The request before anybody is known. */
export function anonymous({ store, clock }: IdentityDeps, c: AppContext): Anonymous {
  return { store, clock, requestId: c.var.requestId };
}

/** The turns of those who come from where this request comes from. */
export function turnOf(
  { trustedProxies }: IdentityDeps,
  turns: PasswordTurns,
  c: AppContext,
): PasswordTurn {
  return turns.of(addressBlock(clientAddress(c, trustedProxies)));
}

/** True when browsers reach the service by https, so that cookies are theirs alone over it. */
export function isHttps({ publicUrl }: IdentityDeps): boolean {
  return publicUrl?.startsWith("https:") ?? false;
}

/** The address of a page that takes a token: behind `#`, so that no server and no log sees it. */
export function pageLink({ linkBase }: IdentityDeps, path: string, token: string): string {
  return `${linkBase()}${path}#token=${token}`;
}

/**
 * Puts a session into the answer, which no cache may keep. The browser is known to the account from
 * then on.
 */
export async function setSession(
  c: AppContext,
  deps: IdentityDeps,
  { user, token }: { readonly user: StoredUser; readonly token: string },
): Promise<void> {
  c.header("Set-Cookie", sessionCookie(token, isHttps(deps)));
  const known = await knownBrowserCookie(deps.store, user, isHttps(deps));
  c.header("Set-Cookie", known, { append: true });
  c.header("Cache-Control", "no-store");
}
