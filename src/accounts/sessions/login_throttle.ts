/**
 * Limits how often passwords can be guessed (docs/decisions/identity.md). An attempt is counted
 * before its password is checked, so that simultaneous attempts cannot exceed the limit. After a
 * right password, the attempt is no longer counted.
 */

import { sha256, sha256Hex } from "../../base/bytes.ts";
import { Failure } from "../../base/failure.ts";
import { MINUTE_MS } from "../../base/time.ts";
import type { AppContext } from "../../platform/http/http.ts";
import { type Store, transact, type Write } from "../../platform/store/kv.ts";
import { defineStoreTable, type Found } from "../../platform/store/table.ts";
import { requireStoreSecret } from "../../platform/store/secret_store.ts";
import type { Tools } from "../../platform/store/context.ts";
import type { StoredUser } from "../users/user.ts";
import { getCookie } from "hono/cookie";
import { Buffer } from "node:buffer";
import { createHmac, timingSafeEqual } from "node:crypto";

const LIMITS = {
  pair: { failuresMax: 5, windowMs: 15 * MINUTE_MS },
  address: { failuresMax: 20, windowMs: 15 * MINUTE_MS },
  account: { failuresMax: 30, windowMs: 60 * MINUTE_MS },
  linked_account: { failuresMax: 3, windowMs: 60 * MINUTE_MS },
  linking_address: { failuresMax: 10, windowMs: 60 * MINUTE_MS },
  refused: { failuresMax: 200, windowMs: 60 * MINUTE_MS },
  refused_address: { failuresMax: 10, windowMs: 60 * MINUTE_MS },
} as const;

interface Throttled {
  readonly kind: keyof typeof LIMITS;
  readonly value: string;
}

interface Attempts {
  readonly kind: string;
  readonly hash: Uint8Array;
  readonly times: readonly number[];
}

const countedAttempts = defineStoreTable<Attempts, "kind" | "hash">({
  prefix: "th",
  about: "the times, in ms, of attempts such as sign-ins with the same e-mail address. The " +
    "address is stored as 16 bytes of SHA-256, because people sometimes type a password instead",
  key: { kind: "text", hash: "bytes" },
  value: "times",
  expireInMs: 65 * MINUTE_MS,
});

async function findAttempts(store: Store, { kind, value }: Throttled) {
  const key = { kind, hash: sha256(value).slice(0, 16) };
  const found = await countedAttempts.find({ store }, key);
  return { ...key, found, times: found?.row.times ?? [] };
}

/** The commit fails if another attempt was counted since `found` was read. */
export function saveAttempts(
  write: Write,
  { found, ...row }: Attempts & { readonly found: Found<Attempts> | null },
): void {
  if (row.times.length > 0) countedAttempts.save(write, {}, found, row);
  else if (found) countedAttempts.remove(write, {}, found);
}

/**
 * Call this after a right proof. It removes the attempt from each count, and sets the count for
 * this e-mail address from this network (`pair`) to 0.
 */
type Forgive = (write: Write) => Promise<void>;

interface Guess {
  readonly email: string;
  readonly address: string;
  readonly isKnownBrowser: boolean;
}

/** Throws `rate_limited` after too many attempts, even for a right password. */
export async function countAttempt(
  tools: Tools,
  { email, address, isKnownBrowser }: Guess,
): Promise<Forgive> {
  const block = addressBlock(address);
  return await count(tools, [
    { kind: "pair", value: `${email}\n${block}` },
    { kind: "address", value: block },
    ...(isKnownBrowser ? [] : [{ kind: "account", value: email } as const]),
  ]);
}

export async function countLinkRequest(
  tools: Tools,
  { email, address }: Omit<Guess, "isKnownBrowser">,
): Promise<void> {
  await count(tools, [
    { kind: "linked_account", value: email },
    { kind: "linking_address", value: addressBlock(address) },
  ]);
}

/** Returns false after too many refusals: then the caller must not audit the refusal. */
export async function countRefusal(tools: Tools, address: string): Promise<boolean> {
  return await count(tools, [
    { kind: "refused_address", value: addressBlock(address) },
    { kind: "refused", value: "" },
  ]).then(() => true, (error) => {
    if (error instanceof Failure && error.code === "rate_limited") return false;
    throw error;
  });
}

async function count({ store, clock }: Tools, counted: readonly Throttled[]): Promise<Forgive> {
  const atMs = clock.now().getTime();
  const counting = transact({ store }, async (write) => {
    for (const throttled of counted) {
      const attempts = await findAttempts(store, throttled);
      const { windowMs } = LIMITS[throttled.kind];
      const recent = attempts.times.filter((time) => Math.abs(atMs - time) < windowMs);
      refuseTooMany(recent, throttled.kind, atMs);
      saveAttempts(write, { ...attempts, times: [...recent, atMs] });
    }
  });
  await counting.catch((error: unknown) => {
    if (!(error instanceof Failure) || error.code !== "conflict") throw error;
    const message = "Too many attempts at once: wait a moment";
    throw new Failure("rate_limited", message, { retryAfterSeconds: 1 }, { cause: error });
  });
  return async (write) => {
    for (const throttled of counted) {
      const attempts = await findAttempts(store, throttled);
      const at = attempts.times.indexOf(atMs);
      const times = attempts.times.filter((_, n) => throttled.kind !== "pair" && n !== at);
      saveAttempts(write, { ...attempts, times });
    }
  };
}

function refuseTooMany(recent: readonly number[], kind: Throttled["kind"], nowMs: number): void {
  const { failuresMax, windowMs } = LIMITS[kind];
  const decisive = recent.at(-failuresMax);
  if (recent.length < failuresMax || decisive === undefined) return;
  const retryAfterSeconds = Math.max(1, Math.ceil((decisive + windowMs - nowMs) / 1000));
  const minutes = Math.ceil(retryAfterSeconds / 60);
  const way = kind === "account"
    ? ", or sign in with a browser in which you have signed in before"
    : "";
  const what = kind.startsWith("link") ? "requests for a link" : "failed attempts";
  throw new Failure("rate_limited", `Too many ${what}: wait ${minutes} min${way}`, {
    retryAfterSeconds,
  });
}

/** Browsers keep cookies for at most 400 days. */
const KNOWN_SECONDS = 400 * 24 * 3_600;

export async function knownBrowserCookie(
  store: Store,
  user: StoredUser,
  isHttps: boolean,
): Promise<string> {
  const attributes = `HttpOnly; SameSite=Strict; Path=/api/auth/login; Max-Age=${KNOWN_SECONDS}`;
  const signature = (await signatureOf(store, user)).toString("base64url");
  return `${nameOf(user)}=${signature}; ${attributes}${isHttps ? "; Secure" : ""}`;
}

export async function isKnownBrowser(
  c: AppContext,
  store: Store,
  user: StoredUser,
): Promise<boolean> {
  const cookie = getCookie(c, nameOf(user));
  if (cookie === undefined) return false;
  const sent = Buffer.from(cookie, "base64url");
  const signature = await signatureOf(store, user);
  return sent.length === signature.length && timingSafeEqual(sent, signature);
}

function nameOf({ id }: StoredUser): string {
  return `pr_known_${sha256Hex(id).slice(0, 12)}`;
}

async function signatureOf(store: Store, { id, passwordHash }: StoredUser): Promise<Buffer> {
  return createHmac("sha256", await requireStoreSecret(store))
    .update(`known browser\n${id}\n${passwordHash ?? ""}`)
    .digest();
}

/** Returns an IPv4 address, or the first 64 bits of an IPv6 address. */
export function addressBlock(address: string): string {
  if (!address.includes(":")) return address;
  const [head = "", tail] = address.split("%")[0]?.split("::") ?? [];
  const left = head.split(":").filter(Boolean);
  const right = tail?.split(":").filter(Boolean) ?? [];
  const zeros = tail === undefined ? 0 : Math.max(0, 8 - left.length - right.length);
  const groups = [...left, ...Array<string>(zeros).fill("0"), ...right];
  return groups.slice(0, 4).map((group) => group.replace(/^0+(?=.)/, "").toLowerCase()).join(":");
}
