import type { AppContext } from "../platform/http/http.ts";
import type { Anonymous, Context, WorkspaceStore } from "../platform/store/context.ts";
import type { Write } from "../platform/store/kv.ts";
import { type AdmissionDeps, clientAddress } from "./admission.ts";
import type { PasswordPermit, PasswordPermits } from "./passwords/password.ts";
import { addressBlock, knownBrowserCookie } from "./sessions/login_throttle.ts";
import { type PasskeyTools, relyingPartyOf } from "./factors/passkey.ts";
import { type Browser, sessionCookie } from "./sessions/session.ts";
import type { Provider } from "./sessions/provider.ts";
import type { StoredUser } from "./users/user.ts";

export interface IdentityDeps extends AdmissionDeps {
  /** Returns the web client's origin. The `Host` header is not used: a sender can forge it. */
  linkBase(): string;
  readonly isMailOn: boolean;
  readonly provider: Provider | null;
  /** Called when a person signs in, opens the web client or proves their identity. */
  onArrival(workspace: WorkspaceStore): void;
  /** Removes rows of a person from other tables, in the commit that removes the person. */
  onRemoval(write: Write, ctx: Context, userId: string): Promise<void>;
}

export function anonymous({ store, clock }: IdentityDeps, c: AppContext): Anonymous {
  return { store, clock, requestId: c.var.requestId };
}

export function permitOf(
  { trustedProxies }: IdentityDeps,
  permits: PasswordPermits,
  c: AppContext,
): PasswordPermit {
  return permits.of(addressBlock(clientAddress(c, trustedProxies)));
}

export function browserOf({ trustedProxies }: IdentityDeps, c: AppContext): Browser {
  const agent = (c.req.header("User-Agent") ?? "").slice(0, 400).toWellFormed();
  return { agent, address: clientAddress(c, trustedProxies) };
}

export function passkeyTools({ store, clock, linkBase }: IdentityDeps): PasskeyTools | null {
  const party = relyingPartyOf(linkBase());
  return party && { store, now: clock.now, party };
}

export function isHttps({ publicUrl }: IdentityDeps): boolean {
  return publicUrl?.startsWith("https:") ?? false;
}

/** Browsers do not send the part after `#`, so no server logs the token. */
export function pageLink({ linkBase }: IdentityDeps, path: string, token: string): string {
  return `${linkBase()}${path}#token=${token}`;
}

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
