import type { AppContext } from "../platform/http/app_context.ts";
import { type IdentityDeps, isHttps } from "./identity_deps.ts";
import { sessionCookie } from "./sessions/session.ts";

/** Puts a session into the answer, which no cache may keep. */
export function setSession(c: AppContext, deps: IdentityDeps, token: string): void {
  c.header("Set-Cookie", sessionCookie(token, isHttps(deps)));
  c.header("Cache-Control", "no-store");
}
