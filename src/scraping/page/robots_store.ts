/**
 * Keys: `rob origin` → what is known of the origin's robots.txt and until when;
 * `robt origin version n` → its text in parts of what one value holds. They belong to no workspace.
 */
import type { Store, Write } from "../../platform/store/kv.ts";

/** What an origin said when it was asked, valid until `expiresAtMs`. */
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
const LEFT_OVER_MS = 3_600_000;

const headKey = (origin: string) => ["rob", origin];
const partsPrefix = (origin: string, version: string) => ["robt", origin, version];

/** What is stored of an origin; the text of a file lies under its version, which never has another. */
export interface StoredRobots extends RobotsRecord {
  readonly origin: string;
  readonly version: string;
}

type HeadRow = Omit<StoredRobots, "origin">;

/** Null when the origin was never asked, or too long ago. */
export async function findRobots(
  { kv }: Store,
  origin: string,
  nowMs: number,
): Promise<StoredRobots | null> {
  const { value } = await kv.get<HeadRow>(headKey(origin));
  return value === null || value.expiresAtMs <= nowMs ? null : { ...value, origin };
}

/** The text of a file. */
export async function readRobotsText(
  { kv }: Store,
  { origin, version }: Pick<StoredRobots, "origin" | "version">,
): Promise<string> {
  const decoder = new TextDecoder();
  let text = "";
  for await (const part of kv.list<Uint8Array>({ prefix: partsPrefix(origin, version) })) {
    text += decoder.decode(part.value, { stream: true });
  }
  return text + decoder.decode();
}

/** What is beyond 512,000 bytes is left out; `version` is new with each call, so that no reader sees two files in one. */
export function saveRobots(
  write: Write,
  origin: string,
  version: string,
  { text, ...record }: KnownRobots,
  nowMs: number,
): void {
  const keptMs = record.expiresAtMs - nowMs + LEFT_OVER_MS;
  const head: HeadRow = { ...record, version };
  write.set(headKey(origin), head, keptMs);
  const bytes = new TextEncoder().encode(text).subarray(0, TEXT_BYTES_MAX);
  for (let at = 0; at < bytes.length; at += PART_BYTES) {
    const key = [...partsPrefix(origin, version), at / PART_BYTES];
    write.set(key, bytes.slice(at, at + PART_BYTES), keptMs);
  }
}
