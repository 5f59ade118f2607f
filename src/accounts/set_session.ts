import type { AppContext } from "../platform/http/app_context.ts";
import { type IdentityDeps, isHttps } from "./identity_deps.ts";
import { knownBrowserCookie } from "./sessions/known_browser.ts";
import { sessionCookie } from "./sessions/session.ts";
import type { StoredUser } from "./users/user.ts";

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
