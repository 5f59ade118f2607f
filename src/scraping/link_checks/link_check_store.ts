/**
 * Keys: `lc W jobId "part" n` → lines as they came in, as JSON bytes, until they are read; `lc W jobId
 * "wait" competitorId n` → a line that waits for its page, and `lc W jobId "left" competitorId` → u64, how
 * many of the shop do; `lc W jobId outcome n` → a line that was looked at, as JSON bytes; `lc W jobId
 * "sum" outcome status` → u64, how many of them stand so.
 *
 * Who takes a line from one place to another does both in one commit, with the counts.
 */

import { idBytes } from "../../base/id.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import { idIn, selectorAfter } from "../../platform/store/id_keys.ts";
import type { Store, Write } from "../../platform/store/kv.ts";
import { defineTable } from "../../platform/store/table.ts";
import { firstRow, getRows } from "../../platform/store/rows.ts";
import type { ReadPage } from "../teaching/preview_page.ts";
import {
  CHECK_OUTCOMES,
  type CheckOutcome,
  LINE_STATUSES,
  type LineStatus,
} from "./check_codes.ts";
import type { RawLine, StoredCheckLine, WaitingLine } from "./link_check.ts";

/** How long a page that was seen is not fetched again. */
export const PAGE_KEPT_MS = 7 * 86_400_000;
/** Lines that never became a check, because the process died while they came in. */
const PART_KEPT_MS = 31 * 86_400_000;
const LINES_PER_READ = 200;

const ofCheck = (workspaceId: string, checkId: string) => [
  "lc",
  idBytes(workspaceId),
  idBytes(checkId),
];
const waitPrefix = (workspaceId: string, checkId: string) => [
  ...ofCheck(workspaceId, checkId),
  "wait",
];
const leftKey = (workspaceId: string, checkId: string, competitorId: string) => [
  ...ofCheck(workspaceId, checkId),
  "left",
  idBytes(competitorId),
];
const sumKey = (
  workspaceId: string,
  checkId: string,
  outcome: CheckOutcome,
  status: LineStatus,
) => [...ofCheck(workspaceId, checkId), "sum", outcome, status];
const lineKey = (workspaceId: string, checkId: string, outcome: CheckOutcome, line: number) => [
  ...ofCheck(workspaceId, checkId),
  outcome,
  line,
];

const encoder = new TextEncoder();
const decoder = new TextDecoder();
const encode = (value: unknown) => encoder.encode(JSON.stringify(value));

/** Lines in the pieces that are stored, each with the bytes of one value at most. */
export function* packLines(lines: readonly RawLine[]): Generator<Uint8Array<ArrayBuffer>> {
  let texts: string[] = [];
  let bytes = 0;
  for (const line of lines) {
    const text = JSON.stringify(line);
    const size = 3 * text.length + 1;
    if (texts.length === LINES_PER_PART || bytes + size > PART_BYTES_MAX) {
      if (texts.length > 0) yield encoder.encode(`[${texts.join(",")}]`);
      [texts, bytes] = [[], 0];
    }
    texts.push(text);
    bytes += size;
  }
  if (texts.length > 0) yield encoder.encode(`[${texts.join(",")}]`);
}

/** Lines per commit when they are read. */
const LINES_PER_PART = 300;
const PART_BYTES_MAX = 60_000;

export function putPart(
  write: Write,
  workspaceId: string,
  checkId: string,
  part: number,
  bytes: Uint8Array<ArrayBuffer>,
): void {
  write.set([...ofCheck(workspaceId, checkId), "part", part], bytes, PART_KEPT_MS);
}

/** The lines of a part; none of one that was read. */
export async function findPart(
  { store, workspaceId }: WorkspaceStore,
  checkId: string,
  part: number,
): Promise<readonly RawLine[]> {
  const key = [...ofCheck(workspaceId, checkId), "part", part];
  const { value } = await store.kv.get<Uint8Array>(key);
  return value ? JSON.parse(decoder.decode(value)) : [];
}

export function dropPart(write: Write, workspaceId: string, checkId: string, part: number): void {
  write.delete([...ofCheck(workspaceId, checkId), "part", part]);
}

export function addWaiting(
  write: Write,
  workspaceId: string,
  checkId: string,
  competitorId: string,
  line: WaitingLine,
): void {
  const place = [...waitPrefix(workspaceId, checkId), idBytes(competitorId), line.line];
  write.set(place, encode(line));
  write.sum(leftKey(workspaceId, checkId, competitorId), 1);
}

export async function findWaiting(
  workspace: WorkspaceStore,
  checkId: string,
  competitorId: string,
): Promise<WaitingLine | null> {
  const [line = null] = await listWaiting(workspace, checkId, competitorId, 1);
  return line;
}

export async function listWaiting(
  { store, workspaceId }: WorkspaceStore,
  checkId: string,
  competitorId: string,
  limit: number,
): Promise<WaitingLine[]> {
  const prefix = [...waitPrefix(workspaceId, checkId), idBytes(competitorId)];
  const rows = await Array.fromAsync(store.kv.list<Uint8Array>({ prefix }, { limit }));
  return rows.map(({ value }) => JSON.parse(decoder.decode(value)));
}

/** The shop behind that one of which lines wait; null behind the last. */
export async function findWaitingShop(
  { store, workspaceId }: WorkspaceStore,
  checkId: string,
  after: string | null,
): Promise<string | null> {
  const prefix = waitPrefix(workspaceId, checkId);
  const selector = selectorAfter(prefix, after);
  const row = await firstRow(store, selector);
  return row && shopOf(row.key);
}

function shopOf(key: Deno.KvKey): string {
  return idIn(key, 4);
}

/** A line that was looked at: it waits no more. */
export function putLooked(
  write: Write,
  workspaceId: string,
  checkId: string,
  line: StoredCheckLine,
  waited: { readonly competitorId: string } | null,
): void {
  if (waited !== null) {
    const { competitorId } = waited;
    write.delete([...waitPrefix(workspaceId, checkId), idBytes(competitorId), line.line]);
    write.sum(leftKey(workspaceId, checkId, competitorId), -1);
  }
  write.set(lineKey(workspaceId, checkId, line.outcome, line.line), encode(line));
  write.sum(sumKey(workspaceId, checkId, line.outcome, line.status), 1);
}

export interface FoundLine {
  readonly line: StoredCheckLine;
  readonly versionstamp: string;
}

/** The lines of these numbers, as far as they were looked at. */
export async function findLines(
  { store, workspaceId }: WorkspaceStore,
  checkId: string,
  numbers: readonly number[],
): Promise<FoundLine[]> {
  const keys = numbers.flatMap((number) =>
    CHECK_OUTCOMES.map((outcome) => lineKey(workspaceId, checkId, outcome, number))
  );
  const rows = await getRows<Uint8Array>(store, keys);
  return rows.flatMap(({ value, versionstamp }) =>
    value === null ? [] : [{ line: JSON.parse(decoder.decode(value)), versionstamp }]
  );
}

/** The lines of an outcome behind that number, in their order. */
export async function* walkLines(
  { store, workspaceId }: WorkspaceStore,
  checkId: string,
  outcome: CheckOutcome,
  after = 0,
): AsyncGenerator<FoundLine> {
  const prefix = [...ofCheck(workspaceId, checkId), outcome];
  const rows = store.kv.list<Uint8Array>({ prefix, start: [...prefix, after + 1] }, {
    batchSize: LINES_PER_READ,
  });
  for await (const { value, versionstamp } of rows) {
    yield { line: JSON.parse(decoder.decode(value)), versionstamp };
  }
}

/** The commit fails when the line is other than when it was read. */
export function moveLine(
  write: Write,
  workspaceId: string,
  checkId: string,
  { line, versionstamp }: FoundLine,
  after: Pick<StoredCheckLine, "status" | "competitorProductId">,
): void {
  const key = lineKey(workspaceId, checkId, line.outcome, line.line);
  write.check(key, versionstamp);
  write.set(key, encode({ ...line, ...after }));
  write.sum(sumKey(workspaceId, checkId, line.outcome, line.status), -1);
  write.sum(sumKey(workspaceId, checkId, line.outcome, after.status), 1);
}

export type LineSums = ReadonlyMap<`${CheckOutcome} ${LineStatus}`, number>;

export async function readSums(
  { store, workspaceId }: WorkspaceStore,
  checkId: string,
): Promise<LineSums> {
  const places = CHECK_OUTCOMES.flatMap((outcome) =>
    LINE_STATUSES.map((status) => ({ outcome, status }))
  );
  const keys = places.map(({ outcome, status }) => sumKey(workspaceId, checkId, outcome, status));
  const rows = await getRows<Deno.KvU64>(store, keys);
  return new Map(
    places.map(({ outcome, status }, at) =>
      [`${outcome} ${status}`, Number(rows[at]?.value?.value ?? 0n)] as const
    ),
  );
}

export async function readMostLeft(
  { store, workspaceId }: WorkspaceStore,
  checkId: string,
): Promise<number> {
  let most = 0;
  const prefix = [...ofCheck(workspaceId, checkId), "left"];
  for await (const { value } of store.kv.list<Deno.KvU64>({ prefix }, { batchSize: 500 })) {
    most = Math.max(most, Number(value.value));
  }
  return most;
}

export interface SeenPage {
  readonly read: ReadPage;
  readonly atMs: number;
}

interface SeenPageRow extends SeenPage {
  readonly urlHash: string;
  readonly productId: string;
}

export const seenPages = defineTable<SeenPageRow, "urlHash" | "productId">({
  prefix: "lcp",
  about: "what a page said when it was looked at for a product, for a week",
  key: { urlHash: "hex", productId: "id" },
  codec: {
    encode: ({ read, atMs }) => encode({ read, atMs }),
    decode: (value) => JSON.parse(decoder.decode(bytesOf(value))),
  },
  keyOnly: ["urlHash", "productId"],
  expireInMs: PAGE_KEPT_MS,
});

/** The page as it was seen for the product within the last week. */
export async function findSeenPage(
  workspace: WorkspaceStore,
  page: Pick<SeenPageRow, "urlHash" | "productId">,
  nowMs: number,
): Promise<SeenPage | null> {
  const { row = null } = await seenPages.find(workspace, page) ?? {};
  return row && nowMs - row.atMs < PAGE_KEPT_MS ? row : null;
}

/** The keys of all rows of a check except its job. */
export async function* walkCheckRows(
  { kv }: Store,
  { workspaceId, jobId }: { readonly workspaceId: string; readonly jobId: string },
): AsyncGenerator<Deno.KvKey> {
  const prefix = ofCheck(workspaceId, jobId);
  for await (const { key } of kv.list({ prefix }, { batchSize: 500 })) yield key;
}

export function deleteCheckRow(write: Write, key: Deno.KvKey): void {
  write.delete(key);
}

/** Every row of a workspace's checks, by what it is, for checks of the store. */
export async function* walkCheckEntries({ store, workspaceId }: WorkspaceStore) {
  const prefix = ["lc", idBytes(workspaceId)];
  for await (const { key, value } of store.kv.list({ prefix }, { batchSize: 500 })) {
    const [, , , kind, ...rest] = key;
    const checkId = idIn(key, 2);
    if (kind === "part") yield { checkId, kind } as const;
    else if (kind === "wait") yield { checkId, kind, name: `left ${shopOf(key)}` } as const;
    else if (kind === "left") {
      yield { checkId, kind, name: `left ${shopOf(key)}`, count: countOf(value) } as const;
    } else if (kind === "sum") {
      yield { checkId, kind, name: rest.join(" "), count: countOf(value) } as const;
    } else {
      const line: StoredCheckLine = JSON.parse(decoder.decode(bytesOf(value)));
      yield { checkId, kind: "line", name: `${line.outcome} ${line.status}` } as const;
    }
  }
}

function countOf(value: unknown): number {
  if (!(value instanceof Deno.KvU64)) throw new Error("A count of checked lines is none");
  return Number(value.value);
}

function bytesOf(value: unknown): Uint8Array {
  if (value instanceof Uint8Array) return value;
  throw new Error("A checked line has no bytes");
}
