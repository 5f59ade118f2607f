/** Admits or refuses a request by its session or its API key (docs/decisions/identity.md). */

import { keepNewest } from "../base/collections.ts";
import { Failure } from "../base/failure.ts";
import type { AppContext, Authentication, SignInStage } from "../platform/http/app_context.ts";
import { EXTERNAL_PATH } from "../platform/http/answer.ts";
import type { RateLimiter, RateVerdict } from "../platform/http/rate_limit.ts";
import { type Actor, type Context, contextFor } from "../platform/store/context.ts";
import type { Tools } from "./anonymous.ts";
import { clientAddress, refuseForeignOrigin } from "./client_address.ts";
import { isKeyText, isWithin, type KeyRing, type StoredApiKey } from "./keys/api_key.ts";
import { hasRole } from "./roles.ts";
import { isPast } from "./secret.ts";
import {
  carriesSession,
  findSessionWithUser,
  type Session,
  sessionHash,
  type SessionOwner,
  type Visits,
} from "./sessions/session.ts";
import { actorOf, type StoredUser } from "./users/user.ts";

const WINDOW_SECONDS = 60;

export interface AdmissionDeps extends Tools {
  readonly limiter: RateLimiter;
  readonly keyRing: KeyRing;
  readonly visits: Visits;
  /** Addresses of proxies whose `X-Forwarded-For` is trusted. */
  readonly trustedProxies: readonly string[];
  /** Origin at which browsers reach the service; null if not configured. */
  readonly publicUrl: string | null;
}

interface Deps extends AdmissionDeps {
  /** The users of recent sessions. With this map, session and user are read in one call. */
  readonly sessions: Map<string, SessionOwner>;
}

export function createAdmission(given: AdmissionDeps): Authentication["admit"] {
  const deps: Deps = { ...given, sessions: new Map() };
  return async (c, access) => {
    switch (access.by) {
      case "session":
        return await admitSession(deps, c, access);
      case "key":
        return await admitKey(deps, c, access.scopes);
      case "either":
        if (c.req.header("Authorization") !== undefined) return await admitKey(deps, c, []);
        if (carriesSession(c)) return await admitSession(deps, c, access);
        return c.req.path.startsWith(EXTERNAL_PATH) ? MISSING_KEY : NOT_AUTHENTICATED;
    }
  };
}

/** Admits a person. The role is read for each request, so that a new role applies at once. */
async function admitSession(
  deps: Deps,
  c: AppContext,
  { role, from }: { readonly role: string; readonly from?: SignInStage },
): Promise<Context | Failure> {
  if (carriesSession(c)) refuseForeignOrigin(c, deps.publicUrl);
  const found = await findLiveSession(deps, c);
  if (!found) return NOT_AUTHENTICATED;
  const { session, user, needsFactor } = found;
  if (session.awaits && from !== "first_step") return FACTOR_REQUIRED;
  if (needsFactor && !session.awaits && from === undefined) return FACTOR_MISSING;
  if (!hasRole(user.role, role)) {
    return new Failure("forbidden", `This needs the role "${role}", yours is "${user.role}"`, {
      required: role,
    });
  }
  const ctx = contextOf(deps, c, user.workspaceId, actorOf(user));
  c.set("provedAtMs", Date.parse(session.provedAt ?? session.createdAt));
  deps.visits.note(ctx, user.id, {
    path: c.req.path,
    isCount: c.req.query("limit") === "1",
    now: deps.clock.now(),
  });
  return ctx;
}

async function findLiveSession(
  { store, clock, sessions, visits }: Deps,
  c: AppContext,
): Promise<{ session: Session; user: StoredUser; needsFactor: boolean } | null> {
  const hash = sessionHash(c);
  if (hash === null) return null;
  const found = await findSessionWithUser(store, hash, sessions.get(hash.toHex()) ?? null);
  const { session, user, factorRoles } = found;
  const now = clock.now();
  if (!session || isPast(session.expiresAt, now)) return null;
  if (user?.sessionGeneration !== session.generation) return null;
  const { id, workspaceId } = user;
  keepNewest(sessions, hash.toHex(), { id, workspaceId }, 10_000);
  visits.noteSession(store, hash, session, now);
  const needsFactor = !session.isComplete && !user.hasFactor && factorRoles.includes(user.role);
  return { session, user, needsFactor };
}

/** A request counts towards the key's rate limit, even if the key lacks the required scope. */
async function admitKey(
  deps: Deps,
  c: AppContext,
  scopes: readonly string[],
): Promise<Context | Failure> {
  const now = deps.clock.now();
  const key = await findKey(deps.keyRing, c, now);
  if (key instanceof Failure) return key;
  const address = key.allowedAddresses?.length ? clientAddress(c, deps.trustedProxies) : null;
  if (address !== null && !isWithin(key.allowedAddresses ?? [], address)) {
    return new Failure("forbidden", `This key may not be used from ${address}`, { address });
  }
  const verdict = await deps.limiter.take(key.id, now.getTime());
  c.set("rateHeaders", rateHeaders(verdict, now));
  if (!verdict.isAllowed) {
    const retryAfterSeconds = Math.max(1, verdict.resetSeconds);
    return new Failure(
      "rate_limited",
      `This key may send ${verdict.limit} requests a minute: wait ${retryAfterSeconds} s`,
      { retryAfterSeconds },
    );
  }
  deps.keyRing.noteUse(key, now);
  const lacking = scopes.filter((scope) => !key.scopes.includes(scope));
  if (lacking.length > 0) return insufficientScope(scopes, lacking);
  const actor: Actor = { type: "api_key", id: key.id, name: key.name };
  return { ...contextOf(deps, c, key.workspaceId, actor), scopes: key.scopes };
}

async function findKey(
  keyRing: KeyRing,
  c: AppContext,
  now: Date,
): Promise<StoredApiKey | Failure> {
  const text = /^Bearer +(\S.*)$/i.exec(c.req.header("Authorization") ?? "")?.[1]?.trim();
  if (text === undefined) return MISSING_KEY;
  const key = isKeyText(text) ? await keyRing.find(text, now) : null;
  return !key || isPast(key.expiresAt, now) ? INVALID_KEY : key;
}

function insufficientScope(required: readonly string[], lacking: readonly string[]): Failure {
  const named = lacking.map((scope) => `"${scope}"`).join(", ");
  return new Failure("insufficient_scope", `This key lacks ${named}: make one that has it`, {
    required,
  });
}

function rateHeaders(verdict: RateVerdict, now: Date): [string, string][] {
  const { limit, remaining, resetSeconds } = verdict;
  const resetAt = Math.ceil(now.getTime() / 1000) + resetSeconds;
  return [
    ["RateLimit-Policy", `"key";q=${limit};w=${WINDOW_SECONDS}`],
    ["RateLimit", `"key";r=${remaining};t=${resetSeconds}`],
    ["X-RateLimit-Limit", String(limit)],
    ["X-RateLimit-Remaining", String(remaining)],
    ["X-RateLimit-Reset", String(resetAt)],
  ];
}

function contextOf(deps: Deps, c: AppContext, workspaceId: string, actor: Actor): Context {
  return contextFor({ ...deps, requestId: c.get("requestId") }, workspaceId, actor);
}

const MISSING_KEY = new Failure(
  "missing_credentials",
  'An API key is needed: send the header "Authorization: Bearer pk_live_…"',
);
const INVALID_KEY = new Failure("invalid_api_key", "The API key is unknown, revoked or expired");
const NOT_AUTHENTICATED = new Failure("not_authenticated", "A session is needed: sign in first");
const FACTOR_REQUIRED = new Failure(
  "second_factor_required",
  "The sign-in needs its second step: send the second factor",
);
const FACTOR_MISSING = new Failure(
  "second_factor_missing",
  "Your role needs a second factor: set one up first",
);
