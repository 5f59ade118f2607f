/**
 * Admits or refuses a request by its session or its API key (docs/decisions/identity.md). A
 * page of another site cannot change data with a person's session (CSRF). Each API key may make
 * only a limited number of requests in any 60 seconds. Processes that share a store also share this
 * limit. Each process reserves up to `SHARE_SIZE` requests in advance, so that not every request
 * writes to the store.
 */
import { isPast } from "../base/time.ts";
import { keepNewest } from "../base/collections.ts";
import { Failure } from "../base/failure.ts";
import { EXTERNAL_PATH } from "../platform/http/answer.ts";
import type { AppContext, Authentication, SignInStage } from "../platform/http/http.ts";
import { type Actor, type Context, contextFor, type Tools } from "../platform/store/context.ts";
import { type Store, transact } from "../platform/store/kv.ts";
import { defineStoreTable } from "../platform/store/table.ts";
import { apiKeys, isWithin, keyUses, type StoredApiKey } from "./keys/api_key.ts";
import { sha256 } from "../base/bytes.ts";
import { hasRole } from "./roles.ts";
import {
  carriesSession,
  findSessionWithUser,
  isLive,
  MinuteNotes,
  sessionHash,
  type Visits,
} from "./sessions/session.ts";
import { actorOf } from "./users/user.ts";

const WINDOW_SECONDS = 60;
const WINDOW_MS = WINDOW_SECONDS * 1_000;

export interface AdmissionDeps extends Tools {
  readonly limiter: RateLimiter;
  readonly keyRing: KeyRing;
  readonly visits: Visits;
  /** Addresses of proxies whose `X-Forwarded-For` is trusted. */
  readonly trustedProxies: readonly string[];
  readonly publicUrl: string | null;
}

export function createAdmission(deps: AdmissionDeps): Authentication["admit"] {
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

/** Admits a person. The role is read for each request, so that a new role applies immediately. */
async function admitSession(
  deps: AdmissionDeps,
  c: AppContext,
  { role, from }: { readonly role: string; readonly from?: SignInStage },
): Promise<Context | Failure> {
  if (carriesSession(c)) refuseForeignOrigin(c, deps.publicUrl);
  const { store, visits } = deps;
  const hash = sessionHash(c);
  const found = hash && await findSessionWithUser(store, hash);
  const now = deps.clock.now();
  if (!hash || !found || !isLive(found.session, found.user, now)) return NOT_AUTHENTICATED;
  const { session, user, factorRoles } = found;
  visits.noteSession(store, hash, now);
  const needsFactor = !session.isComplete && !user.hasFactor && factorRoles.includes(user.role);
  if (session.awaits && from !== "first_step") return FACTOR_REQUIRED;
  if (needsFactor && !session.awaits && from === undefined) return FACTOR_MISSING;
  if (!hasRole(user.role, role)) {
    return new Failure("forbidden", `This needs the role "${role}", yours is "${user.role}"`, {
      required: role,
    });
  }
  const ctx = contextOf(deps, c, user.workspaceId, actorOf(user));
  c.set("provedAtMs", Date.parse(session.provedAt ?? session.createdAt));
  visits.note(ctx, user.id, { path: c.req.path, isCount: c.req.query("limit") === "1", now });
  return ctx;
}

/** A request counts towards the key's rate limit, even if the key lacks the required scope. */
async function admitKey(
  deps: AdmissionDeps,
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
  if (lacking.length > 0) {
    const named = lacking.map((scope) => `"${scope}"`).join(", ");
    const message = `This key lacks ${named}: make one that has it`;
    return new Failure("insufficient_scope", message, { required: scopes });
  }
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

function contextOf(deps: AdmissionDeps, c: AppContext, workspaceId: string, actor: Actor): Context {
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

/**
 * Returns the client's IP address; `unknown` if the connection has none. If the connection is from
 * a trusted proxy, the client is the last entry of `X-Forwarded-For` that is not a trusted proxy.
 */
export function clientAddress(c: AppContext, trustedProxies: readonly string[]): string {
  const trusted = new Set(trustedProxies.map(plainAddress));
  const remote = c.env?.remoteAddr;
  let address = remote !== undefined && "hostname" in remote
    ? plainAddress(remote.hostname)
    : "unknown";
  const forwarded = (c.req.header("X-Forwarded-For") ?? "").split(",")
    .map((entry) => plainAddress(entry.trim())).filter(Boolean);
  while (trusted.has(address)) {
    const before = forwarded.pop();
    if (before === undefined) break;
    address = before;
  }
  return address;
}

function plainAddress(text: string): string {
  const bare = /^\[(.+)\](?::\d+)?$/.exec(text)?.[1] ?? text.replace(/^([\d.]+):\d+$/, "$1");
  return bare.replace(/^::ffff:(?=[\d.]+$)/i, "").toLowerCase();
}

const SAFE_METHODS = new Set(["GET", "HEAD", "OPTIONS"]);

/**
 * Throws `csrf_refused` if a page of another site makes a request that may change data. A request
 * without `Origin` and `Sec-Fetch-Site` is accepted, because it does not come from a browser.
 */
export function refuseForeignOrigin(c: AppContext, publicUrl: string | null): void {
  if (SAFE_METHODS.has(c.req.method)) return;
  const site = c.req.header("Sec-Fetch-Site");
  const origin = c.req.header("Origin");
  const isForeign = (site !== undefined && site !== "same-origin") ||
    (origin !== undefined && !isOwnOrigin(c, origin, publicUrl));
  if (!isForeign) return;
  throw new Failure(
    "csrf_refused",
    "The request comes from another site: only pages of this service may change something here",
  );
}

function isOwnOrigin(c: AppContext, origin: string, publicUrl: string | null): boolean {
  if (!URL.canParse(origin)) return false;
  const { host, origin: normalised } = new URL(origin);
  if (publicUrl !== null) return normalised === new URL(publicUrl).origin;
  return host === (c.req.header("Host") ?? new URL(c.req.url).host).toLowerCase();
}

const SHARE_SIZE = 20;
const SHARE_MS = 5_000;

interface Share {
  readonly owner: string;
  readonly number: number;
  readonly atMs: number;
  readonly size: number;
}

const rateShares = defineStoreTable<
  { readonly keyId: string; readonly shares: readonly Share[] },
  "keyId"
>({
  prefix: "rls",
  about: "how many requests of a key's limit each process has reserved in the last minute",
  key: { keyId: "id" },
  value: "shares",
  expireInMs: WINDOW_MS + SHARE_MS,
});

type RateVerdict = Awaited<ReturnType<RateLimiter["take"]>>;

/** A process may refuse a request below `limit` if other processes have reserved the rest. */
export class RateLimiter {
  readonly #limit: number;
  readonly #timesOfKey = new Map<string, number[]>();
  readonly #spend: ReturnType<typeof createShares> | null;

  constructor(store: Store, limit: number) {
    this.#limit = limit;
    this.#spend = store.kind === "remote" ? createShares(store, limit) : null;
  }

  async take(keyId: string, nowMs: number) {
    const limit = this.#limit;
    const times = this.#timesOfKey.getOrInsertComputed(keyId, () => []);
    while (times[0] !== undefined && !counts(nowMs - times[0], WINDOW_MS)) times.shift();
    // If `#spend` is null, an `await` here would let parallel calls exceed the limit.
    const isAllowed = times.length < limit &&
      (this.#spend === null || await this.#spend(keyId, nowMs));
    if (isAllowed) times.push(nowMs);
    const leftMs = times[0] === undefined ? 0 : times[0] + WINDOW_MS - nowMs;
    return {
      isAllowed,
      limit,
      remaining: isAllowed || !this.#spend ? limit - times.length : 0,
      resetSeconds: Math.ceil(leftMs / 1_000),
    };
  }
}

/** `ageMs` is negative if the system clock was set back. */
function counts(ageMs: number, windowMs: number): boolean {
  return ageMs < windowMs && ageMs > -windowMs;
}

interface Held extends Share {
  used: number;
}

function createShares(store: Store, limit: number) {
  const heldByKey = new Map<string, Held>();
  const owner = crypto.randomUUID();
  const take = async (keyId: string, nowMs: number, last: Held | undefined) => {
    const share = await transact({ store }, async (write) => {
      const found = await rateShares.find({ store }, { keyId });
      const live = (found?.row.shares ?? [])
        .filter((share) => counts(nowMs - share.atMs, WINDOW_MS + SHARE_MS))
        .map((share) =>
          last && share.owner === owner && share.number === last.number
            ? { ...share, size: last.used }
            : share
        );
      const free = limit - live.reduce((sum, share) => sum + share.size, 0);
      const size = Math.min(SHARE_SIZE, free);
      if (size <= 0) return null;
      const taken = { owner, number: (last?.number ?? 0) + 1, atMs: nowMs, size };
      rateShares.save(write, {}, found, { keyId, shares: [...live, taken] });
      return taken;
    });
    if (share !== null) heldByKey.set(keyId, { ...share, used: 0 });
    return share !== null;
  };
  const taking = new Map<string, Promise<boolean>>();
  return async (keyId: string, nowMs: number): Promise<boolean> => {
    for (;;) {
      const mine = heldByKey.get(keyId);
      if (mine && mine.used < mine.size && nowMs - mine.atMs < SHARE_MS) {
        mine.used++;
        return true;
      }
      // Parallel requests wait for one reservation (`Share`) instead of making one each.
      const hasTaken = await taking.getOrInsertComputed(
        keyId,
        () => take(keyId, nowMs, mine).finally(() => taking.delete(keyId)),
      );
      if (!hasTaken) return false;
    }
  };
}

export function isKeyText(text: string): boolean {
  return /^pk_live_[0-9A-Za-z]{32}$/.test(text);
}

/** A cache of API keys. Create one per process, because `forget` does not reach other instances. */
export class KeyRing {
  readonly #store: Store;
  readonly #known = new Map<string, { key: StoredApiKey; readAtMs: number }>();
  readonly notes = new MinuteNotes();
  #revocations = 0;

  constructor(store: Store) {
    this.#store = store;
  }

  async find(text: string, now: Date): Promise<StoredApiKey | null> {
    const nowMs = now.getTime();
    const held = this.#known.get(text);
    if (held && Math.abs(nowMs - held.readAtMs) < 5_000) return held.key;
    const before = this.#revocations;
    const found = await apiKeys.find({ store: this.#store }, { hash: sha256(text) });
    const key = found?.row ?? null;
    // Do not cache the key if any key was revoked during the read.
    if (!key || this.#revocations !== before) this.#known.delete(text);
    else keepNewest(this.#known, text, { key, readAtMs: nowMs }, 10_000);
    return key;
  }

  /** Removes a key from the cache; call this after the commit that revokes the key. */
  forget(keyId: string): void {
    this.#revocations++;
    for (const [text, { key }] of this.#known) if (key.id === keyId) this.#known.delete(text);
    this.notes.forget(keyId);
  }

  noteUse(key: StoredApiKey, now: Date): void {
    const use = { id: key.id, at: now.toISOString() };
    const store = this.#store;
    const save = () => transact({ store }, (write) => keyUses.put(write, key, use));
    this.notes.note(key.id, now, save);
  }
}
