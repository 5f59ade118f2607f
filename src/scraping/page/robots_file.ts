/** Caches the robots.txt of each origin for all workspaces. */
import { TooComplex } from "../../base/failure.ts";
import type { FetchResult, SafeFetch } from "../../platform/fetch/safe_fetch.ts";
import type { SandboxPermit } from "../../platform/sandbox/sandbox.ts";
import type { Store, Write } from "../../platform/store/kv.ts";
import { defineStoreTable } from "../../platform/store/table.ts";
import { type Aftermath, aftermathOf, type ShopReader } from "./visit_tools.ts";

interface RobotsRecord {
  readonly expiresAtMs: number;
  /** `closed` forbids all requests, because the file could not be fetched (RFC 9309 §2.3.1.4). */
  readonly kind: "text" | "open" | "closed";
  readonly errorCode: string | null;
  readonly message: string | null;
}

export interface KnownRobots extends RobotsRecord {
  readonly text: string;
}

const PART_BYTES = 60_000;
/** Maximum size of a stored robots.txt, which must fit into one commit. */
const TEXT_BYTES_MAX = 512_000;
const KEPT_MS = 24 * 3_600_000;
/** Rows are deleted at least an hour after they become invalid: a running call may need them. */
const EXPIRE_MS = KEPT_MS + 3_600_000;

export interface StoredRobots extends RobotsRecord {
  readonly origin: string;
  readonly version: string;
}

const robotsHeads = defineStoreTable<StoredRobots, "origin">({
  prefix: "rob",
  about: "the state of the origin's robots.txt, and until when it is valid",
  key: { origin: "text" },
  expireInMs: EXPIRE_MS,
});

interface RobotsPart extends Pick<StoredRobots, "origin" | "version"> {
  readonly n: number;
  readonly bytes: Uint8Array;
}

const robotsParts = defineStoreTable<RobotsPart, "origin" | "version" | "n">({
  prefix: "robt",
  about: "the text of a robots.txt, in parts that fit into a value",
  key: { origin: "text", version: "text", n: "number" },
  value: "bytes",
  expireInMs: EXPIRE_MS,
});

export async function findRobots(
  store: Store,
  origin: string,
  nowMs: number,
): Promise<StoredRobots | null> {
  const found = await robotsHeads.find({ store }, { origin });
  const leftMs = found ? found.row.expiresAtMs - nowMs : 0;
  // An expiry time in the far future comes from a wrong clock, so ignore the row.
  return found && leftMs > 0 && leftMs < EXPIRE_MS ? found.row : null;
}

export async function readRobotsText(
  store: Store,
  { origin, version }: Pick<StoredRobots, "origin" | "version">,
): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const { row } of robotsParts.walk({ store }, { within: { origin, version } })) {
    text += decoder.decode(row.bytes, { stream: true });
  }
  return text + decoder.decode();
}

export function saveRobots(
  write: Write,
  origin: string,
  version: string,
  { text, ...record }: KnownRobots,
): void {
  robotsHeads.put(write, {}, { ...record, origin, version });
  const bytes = new TextEncoder().encode(text).subarray(0, TEXT_BYTES_MAX);
  for (let at = 0; at < bytes.length; at += PART_BYTES) {
    const part = { n: at / PART_BYTES, bytes: bytes.slice(at, at + PART_BYTES) };
    robotsParts.put(write, {}, { origin, version, ...part });
  }
}

type RobotsVerdict =
  | { readonly kind: "unknown" }
  | {
    readonly kind: "refused";
    readonly errorCode: string;
    readonly message: string;
    readonly isAnswered: boolean;
  }
  | { readonly kind: "allowed" };

interface RobotsAsker {
  readonly store: Store;
  readonly reader: Pick<ShopReader, "robots">;
  readonly userAgent: string;
  readonly permit: SandboxPermit;
}

/** Returns the name of our crawler in robots.txt files (RFC 9309 §2.2.1). */
export function productToken(userAgent: string): string {
  return /^[a-z_-]*/i.exec(userAgent.trim())?.[0] ?? "";
}

export async function judgeByRobots(
  { store, reader, userAgent, permit }: RobotsAsker,
  url: URL,
  nowMs: number,
): Promise<RobotsVerdict> {
  const known = await findRobots(store, url.origin, nowMs);
  if (known === null) return { kind: "unknown" };
  if (known.kind === "open") return { kind: "allowed" };
  if (known.kind === "closed") {
    const errorCode = known.errorCode ?? "robots_disallowed";
    const message = known.message ?? "robots.txt is unknown";
    return { kind: "refused", errorCode, message, isAnswered: false };
  }
  try {
    const text = await readRobotsText(store, known);
    const question = { text, token: productToken(userAgent), url: url.href };
    if ((await reader.robots(question, permit)).isAllowed) return { kind: "allowed" };
  } catch (error) {
    if (!(error instanceof TooComplex)) throw error;
    const message = `robots.txt of the shop is too much work to read: ${error.message}`;
    return { kind: "refused", errorCode: "too_complex", message, isAnswered: true };
  }
  const message = "robots.txt of the shop does not allow this page";
  return { kind: "refused", errorCode: "robots_disallowed", message, isAnswered: true };
}

const CLOSED_KEPT_MS = 10 * 60_000;

/**
 * A 4xx answer or too many redirects allow all URLs. A 5xx answer or no answer forbids all URLs
 * (RFC 9309 §2.3.1).
 */
export async function fetchRobots(
  { safeFetch, timeoutMs }: { readonly safeFetch: SafeFetch; readonly timeoutMs: number },
  { origin, signal, now }: { readonly origin: string; readonly signal: AbortSignal; now(): Date },
): Promise<{ readonly robots: KnownRobots; readonly aftermath: Aftermath }> {
  const result = await safeFetch({
    url: `${origin}/robots.txt`,
    timeoutMs,
    redirectsMax: 5,
    // A crawler need not parse more than 500 KiB (RFC 9309 §2.5).
    bytesMax: 500 * 1024,
    onTooLarge: "cut",
    signal,
  });
  const nowMs = now().getTime();
  return { robots: judgeRobots(result, nowMs), aftermath: aftermathOf(result, nowMs) };
}

const RETRIED_AFTER_A_MINUTE: ReadonlySet<string> = new Set([
  "dns_error",
  "private_address",
  "unreachable",
]);

function judgeRobots(result: FetchResult, nowMs: number): KnownRobots {
  if (result.kind === "moved") return opened(nowMs);
  if (result.kind === "failed") {
    const { errorCode, message } = result;
    if (errorCode === "redirect_refused") return opened(nowMs);
    if (RETRIED_AFTER_A_MINUTE.has(errorCode)) return closed(errorCode, message, nowMs + 60_000);
    const reason = `robots.txt cannot be read, so nothing may be fetched: ${message}`;
    return closed("robots_disallowed", reason, nowMs + CLOSED_KEPT_MS);
  }
  const { status, body } = result;
  if (status >= 200 && status < 300) {
    return { ...opened(nowMs), kind: "text", text: new TextDecoder().decode(body) };
  }
  if (status < 500) return opened(nowMs);
  const message = `robots.txt answers ${status}, so nothing may be fetched`;
  return closed("robots_disallowed", message, nowMs + CLOSED_KEPT_MS);
}

function opened(nowMs: number): KnownRobots {
  const expiresAtMs = nowMs + KEPT_MS;
  return { kind: "open", text: "", expiresAtMs, errorCode: null, message: null };
}

function closed(errorCode: string, message: string, expiresAtMs: number): KnownRobots {
  return { kind: "closed", text: "", expiresAtMs, errorCode, message };
}
