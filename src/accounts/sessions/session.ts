/** The session cookie of the in-app interface (docs/decisions/identity.md). */

import { sha256 } from "../../base/bytes.ts";
import type { AppContext } from "../../platform/http/app_context.ts";
import { isToken } from "../secret.ts";
import { getCookie } from "hono/cookie";

export const SESSION_COOKIE = "pr_session";
/** A session ends two weeks after sign-in, even if it is used. */
export const SESSION_SECONDS = 1_209_600;

/**
 * A session. It is stored under the hash of its token, and only the browser has the token itself.
 */
export interface Session {
  readonly userId: string;
  /** The session has ended if the user's number is higher. */
  readonly generation: number;
  readonly createdAt: string;
  readonly expiresAt: string;
  /**
   * Present while the second step of the sign-in is missing. Such a session may only give that
   * step, or end.
   */
  readonly awaits?: "factor";
  /** True if a second factor was given, or the sign-in needs none. */
  readonly isComplete?: boolean;
  /**
   * The last time at which the person gave a password or a factor; absent in older rows, for which
   * it is `createdAt`.
   */
  readonly provedAt?: string;
  /** The last use, up to a minute too early; absent in older rows. */
  readonly usedAt?: string;
  /** The browser that signed in; absent in older rows. */
  readonly browser?: Browser;
}

/** A browser, for the list of sessions. */
export interface Browser {
  /** Its `User-Agent`, shortened. */
  readonly agent: string;
  readonly address: string;
}

/** How a session starts. */
export interface SessionStart {
  readonly browser?: Browser;
  /** True if the sign-in needs no second step, for example by a passkey or another service. */
  readonly isComplete?: boolean;
  /** When the person gave the proof; now by default. */
  readonly provedAt?: Date;
}

/** The value of `Set-Cookie` that starts a session. */
export function sessionCookie(token: string, isHttps: boolean): string {
  return cookieText(token, SESSION_SECONDS, isHttps);
}

/** The value of `Set-Cookie` that removes the session from the browser. */
export function endedCookie(isHttps: boolean): string {
  return cookieText("", 0, isHttps);
}

/** True if the request has a session cookie, valid or not. */
export function carriesSession(c: AppContext): boolean {
  return getCookie(c, SESSION_COOKIE) !== undefined;
}

/** The hash under which the request's session is stored; null without a well-formed cookie. */
export function sessionHash(c: AppContext): Uint8Array | null {
  const token = getCookie(c, SESSION_COOKIE);
  return token !== undefined && isToken(token) ? sha256(token) : null;
}

function cookieText(token: string, maxAgeSeconds: number, isHttps: boolean): string {
  const attributes = `HttpOnly; SameSite=Lax; Path=/; Max-Age=${maxAgeSeconds}`;
  return `${SESSION_COOKIE}=${token}; ${attributes}${isHttps ? "; Secure" : ""}`;
}

/**
 * The users of recently used sessions, so that a session and its user can be read together instead
 * of one after the other. It is only a guess: the stored session decides, and the cache admits
 * nobody.
 */
export interface SessionCache {
  guess(hash: Uint8Array): SessionOwner | null;
  note(hash: Uint8Array, owner: SessionOwner): void;
}

/** The user of a session, and their workspace. */
export interface SessionOwner {
  readonly id: string;
  readonly workspaceId: string;
}

export function createSessionCache(): SessionCache {
  const owners = new Map<string, SessionOwner>();
  return {
    guess: (hash) => owners.get(hash.toHex()) ?? null,
    note(hash, { id, workspaceId }) {
      if (owners.size >= 10_000) owners.clear();
      owners.set(hash.toHex(), { id, workspaceId });
    },
  };
}
