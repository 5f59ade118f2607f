/** The cached robots.txt of each origin, stored once for all workspaces. */

import { TooComplex } from "../../base/failure.ts";
import type { FetchResult, SafeFetch } from "../../platform/fetch/safe_fetch.ts";
import type { SandboxTurn } from "../../platform/sandbox/sandbox.ts";
import type { Store, Write } from "../../platform/store/kv.ts";
import { defineStoreTable } from "../../platform/store/table.ts";
import { type Aftermath, aftermathOf } from "./domain_queue.ts";
import type { RobotsAnswer, RobotsQuestion } from "./robots_rules.ts";

/** The answer of an origin, valid until `expiresAtMs`. */
export interface RobotsRecord {
  readonly expiresAtMs: number;
  /** `closed`: it could not be asked, so nothing may be fetched (RFC 9309 §2.3.1.4). */
  readonly kind: "text" | "open" | "closed";
  /** Why a closed one is closed, as a scrape run says it. */
  readonly errorCode: string | null;
  readonly message: string | null;
}

export interface KnownRobots extends RobotsRecord {
  /** Empty unless the kind is `text`. */
  readonly text: string;
}

const PART_BYTES = 60_000;
/** Broken bytes grow when they are written as text; a commit must take all of it. */
const TEXT_BYTES_MAX = 512_000;
const KEPT_MS = 24 * 3_600_000;
/** The text outlives its head by an hour, for readers that have read the head already. */
const EXPIRE_MS = KEPT_MS + 3_600_000;

/** The stored row of an origin; the text is stored under its unique version. */
export interface StoredRobots extends RobotsRecord {
  readonly origin: string;
  readonly version: string;
}

export const robotsHeads = defineStoreTable<StoredRobots, "origin">({
  prefix: "rob",
  about: "what is known of the origin's robots.txt, and until when",
  key: { origin: "text" },
  keyOnly: ["origin"],
  expireInMs: EXPIRE_MS,
});

interface RobotsPart extends Pick<StoredRobots, "origin" | "version"> {
  readonly n: number;
  readonly bytes: Uint8Array;
}

export const robotsParts = defineStoreTable<RobotsPart, "origin" | "version" | "n">({
  prefix: "robt",
  about: "its text, in parts of what one value holds",
  key: { origin: "text", version: "text", n: "number" },
  codec: { encode: ({ bytes }) => bytes, decode: (value) => ({ bytes: Object(value) }) },
  keyOnly: ["origin", "version", "n"],
  expireInMs: EXPIRE_MS,
});

/** Null when the origin was never asked, or too long ago. */
export async function findRobots(
  store: Store,
  origin: string,
  nowMs: number,
): Promise<StoredRobots | null> {
  const found = await robotsHeads.find({ store }, { origin });
  return found && found.row.expiresAtMs > nowMs ? found.row : null;
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

/**
 * Bytes beyond 512,000 are dropped; `version` is new with each call, so that no reader sees a
 * mixture of two files.
 */
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

export type RobotsVerdict =
  /** It has to be asked first. */
  | { readonly kind: "unknown" }
  | {
    readonly kind: "refused";
    readonly errorCode: string;
    readonly message: string;
    /** False when it is unknown what the file says, because the shop did not hand it out. */
    readonly isAnswered: boolean;
  }
  | { readonly kind: "allowed" };

/** Reads a robots.txt in the sandbox; throws `TooComplex` when it is too much work. */
export interface RobotsReader {
  robots(question: RobotsQuestion, permit: SandboxTurn): Promise<RobotsAnswer>;
}

export interface RobotsAsker {
  readonly store: Store;
  readonly reader: RobotsReader;
  /** The whole header; its first product is who robots.txt files know us as. */
  readonly userAgent: string;
  readonly turn: SandboxTurn;
}

/** The token that robots.txt files know us by: the first product of `User-Agent` (RFC 9309 §2.2.1). */
export function productToken(userAgent: string): string {
  return /^[a-z_-]*/i.exec(userAgent.trim())?.[0] ?? "";
}

/** By what is known at `nowMs`; nothing is fetched here. */
export async function judgeByRobots(
  asker: RobotsAsker,
  url: URL,
  nowMs: number,
): Promise<RobotsVerdict> {
  const known = await findRobots(asker.store, url.origin, nowMs);
  if (known === null) return { kind: "unknown" };
  if (known.kind === "open") return { kind: "allowed" };
  if (known.kind === "closed") {
    const errorCode = known.errorCode ?? "robots_disallowed";
    const message = known.message ?? "robots.txt is unknown";
    return { kind: "refused", errorCode, message, isAnswered: false };
  }
  try {
    if (await askFile(asker, known, url)) return { kind: "allowed" };
  } catch (error) {
    if (!(error instanceof TooComplex)) throw error;
    const message = `robots.txt of the shop is too much work to read: ${error.message}`;
    return { kind: "refused", errorCode: "too_complex", message, isAnswered: true };
  }
  const message = "robots.txt of the shop does not allow this page";
  return { kind: "refused", errorCode: "robots_disallowed", message, isAnswered: true };
}

/** The text is read from the store and handed over only where the file is not known already. */
async function askFile(
  { store, reader, userAgent, turn }: RobotsAsker,
  { origin, version }: StoredRobots,
  url: URL,
): Promise<boolean> {
  const question = {
    file: `${origin} ${version}`,
    token: productToken(userAgent),
    url: url.href,
  };
  const first = await reader.robots({ ...question, text: null }, turn);
  if (first.kind === "known") return first.isAllowed;
  const text = await readRobotsText(store, { origin, version });
  const second = await reader.robots({ ...question, text }, turn);
  return second.kind === "known" && second.isAllowed;
}

/** The parsed size of a file (RFC 9309 §2.5); the rest is ignored. */
const BYTES_MAX = 500 * 1024;
const REDIRECTS_MAX = 5;
/** A server in trouble is asked again soon; the domain's own rest comes on top. */
const CLOSED_KEPT_MS = 10 * 60_000;
/** A host that is not there at all may be there in a minute. */
const MISSING_KEPT_MS = 60_000;

export interface FetchedRobots {
  readonly robots: KnownRobots;
  readonly aftermath: Aftermath;
}

/**
 * Asks an origin for its robots.txt: 4xx, and a chain of redirects without an end, open everything;
 * 5xx and an origin that cannot be reached close it (docs/decisions/scraping.md, RFC 9309 §2.3.1).
 */
export async function fetchRobots(
  { safeFetch, timeoutMs }: { readonly safeFetch: SafeFetch; readonly timeoutMs: number },
  { origin, signal, now }: {
    readonly origin: string;
    readonly signal: AbortSignal;
    now(): Date;
  },
): Promise<FetchedRobots> {
  const result = await safeFetch({
    url: `${origin}/robots.txt`,
    timeoutMs,
    redirectsMax: REDIRECTS_MAX,
    bytesMax: BYTES_MAX,
    onTooLarge: "cut",
    signal,
  });
  const nowMs = now().getTime();
  return { robots: judgeRobots(result, nowMs), aftermath: aftermathOf(result, nowMs) };
}

function judgeRobots(result: FetchResult, nowMs: number): KnownRobots {
  if (result.kind === "failed") return judgeFailure(result, nowMs);
  if (result.kind === "moved") return opened(nowMs);
  const { status, body } = result;
  if (status >= 200 && status < 300) {
    // Broken bytes are no reason to know nothing of the rest.
    return { ...opened(nowMs), kind: "text", text: new TextDecoder().decode(body) };
  }
  if (status < 500) return opened(nowMs);
  const message = `robots.txt answers ${status}, so nothing may be fetched`;
  return closed("robots_disallowed", message, nowMs + CLOSED_KEPT_MS);
}

function judgeFailure(
  { errorCode, message }: Extract<FetchResult, { kind: "failed" }>,
  nowMs: number,
): KnownRobots {
  switch (errorCode) {
    case "redirect_refused":
      return opened(nowMs);
    case "dns_error":
    case "private_address":
    case "unreachable":
      // The page itself is unreachable too, so this reason says more than "disallowed".
      return closed(errorCode, message, nowMs + MISSING_KEPT_MS);
    case "timeout":
    case "too_large":
    case "unsupported_content": {
      const reason = `robots.txt cannot be read, so nothing may be fetched: ${message}`;
      return closed("robots_disallowed", reason, nowMs + CLOSED_KEPT_MS);
    }
  }
}

function opened(nowMs: number): KnownRobots {
  const expiresAtMs = nowMs + KEPT_MS;
  return { kind: "open", text: "", expiresAtMs, errorCode: null, message: null };
}

function closed(errorCode: string, message: string, expiresAtMs: number): KnownRobots {
  return { kind: "closed", text: "", expiresAtMs, errorCode, message };
}
