/**
 * Keys: `due bucket dueAt W productId` → empty, for all workspaces, so that due products are found
 * without reading products; `ds W productId` → the schedule of a product, with the key of its due
 * row. The rows are not a declared table, because keys of `due` do not begin with a workspace.
 */
import { sha256 } from "../../base/bytes.ts";
import { DAY_MS, HOUR_MS } from "../../base/time.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import { idIn, idKey, lastIdOf } from "../../platform/store/rows.ts";
import type { Store, Write } from "../../platform/store/kv.ts";
import { defineStoreTable, defineTable } from "../../platform/store/table.ts";

const EMPTY = new Uint8Array();
/** The keys of due products are spread over this many ranges of the store. */
const BUCKETS = 16;

const stateKey = (workspaceId: string, productId: string) => idKey("ds", workspaceId, productId);
const dueKey = (workspaceId: string, productId: string, dueAtMs: number) => [
  "due",
  bucketOf(productId),
  dueAtMs,
  ...stateKey(workspaceId, productId).slice(1),
];
const count = { decode: (value: unknown) => ({ load: Number(Object(value).value) }) };

export const domainLoads = defineStoreTable<{ domain: string; load: number }, "domain">({
  prefix: "dl",
  about: "u64, due fetches per day of the domain for all workspaces, in thousandths",
  key: { domain: "text" },
  codec: count,
});

export const shopLoads = defineTable<{ competitorId: string; load: number }, "competitorId">({
  prefix: "dc",
  about: "u64, due fetches per day at the shop, in thousandths",
  key: { competitorId: "id" },
  codec: count,
});

function bucketOf(productId: string): number {
  return parseInt(productId.slice(-2), 16) % BUCKETS;
}

interface StoredDue {
  readonly due: DueProduct | null;
  readonly versionstamp: string | null;
}

export async function findDue(
  { store, workspaceId }: WorkspaceStore,
  productId: string,
): Promise<StoredDue> {
  const { value, versionstamp } = await store.kv.get<DueProduct>(stateKey(workspaceId, productId));
  return { due: value, versionstamp };
}

/** If `after` is null, removes the schedule. The commit fails if the schedule was changed. */
export function saveDue(
  write: Write,
  workspaceId: string,
  productId: string,
  { due: before, versionstamp }: StoredDue,
  after: DueProduct | null,
): void {
  const key = stateKey(workspaceId, productId);
  write.check(key, versionstamp);
  if (before && before.dueAtMs !== after?.dueAtMs) {
    write.delete(dueKey(workspaceId, productId, before.dueAtMs));
  }
  if (after) {
    write.set(key, after);
    write.set(dueKey(workspaceId, productId, after.dueAtMs), EMPTY);
  } else if (before) write.delete(key);
  if (before) addLoad(write, workspaceId, before.load, -1);
  if (after) addLoad(write, workspaceId, after.load, 1);
}

function addLoad(
  write: Write,
  workspaceId: string,
  { domains, competitors }: Load,
  sign: 1 | -1,
): void {
  for (const [domain, load] of Object.entries(domains)) {
    write.sum(domainLoads.keyOf({}, { domain }), sign * load);
  }
  for (const [competitorId, load] of Object.entries(competitors)) {
    write.sum(shopLoads.keyOf({ workspaceId }, { competitorId }), sign * load);
  }
}

/** Returns fetches per day, in thousandths, in the order of `competitorIds`. */
export async function findCompetitorLoads(
  workspace: WorkspaceStore,
  competitorIds: readonly string[],
): Promise<number[]> {
  const keys = competitorIds.map((competitorId) => ({ competitorId }));
  return (await shopLoads.getMany(workspace, keys)).map((found) => found?.row.load ?? 0);
}

export interface DueRow {
  readonly workspaceId: string;
  readonly productId: string;
  readonly dueAtMs: number;
}

/** Yields at most `max` products per bucket. Workspaces take turns. */
export async function* walkDue({ kv }: Store, nowMs: number, max: number): AsyncGenerator<DueRow> {
  for (let bucket = 0; bucket < BUCKETS; bucket++) {
    const range = { prefix: ["due", bucket], end: ["due", bucket, nowMs + 1] };
    const rows: DueRow[] = [];
    // Many rows of one workspace must not hide the rows of another workspace.
    for await (const { key } of kv.list(range, { limit: 5_000, batchSize: 500 })) {
      rows.push({ workspaceId: idIn(key, 3), productId: idIn(key, 4), dueAtMs: Number(key[2]) });
    }
    yield* roundRobin(rows).slice(0, max);
  }
}

/** The first row of every workspace, then the second, and so on. */
function roundRobin(rows: readonly DueRow[]): DueRow[] {
  const counts = new Map<string, number>();
  const placed = rows.map((row) => {
    const round = counts.get(row.workspaceId) ?? 0;
    counts.set(row.workspaceId, round + 1);
    return { row, round };
  });
  return placed.sort((a, b) => a.round - b.round).map(({ row }) => row);
}

export function dropDueRow(write: Write, { workspaceId, productId, dueAtMs }: DueRow): void {
  write.delete(dueKey(workspaceId, productId, dueAtMs));
}

export async function* walkSchedules({ store, workspaceId }: WorkspaceStore) {
  const prefix = idKey("ds", workspaceId);
  for await (const { key, value } of store.kv.list<DueProduct>({ prefix }, { batchSize: 1_000 })) {
    yield { productId: lastIdOf(key), due: value };
  }
}

export async function hasDueRow(
  { store, workspaceId }: WorkspaceStore,
  productId: string,
  { dueAtMs }: DueProduct,
): Promise<boolean> {
  const { versionstamp } = await store.kv.get(dueKey(workspaceId, productId, dueAtMs));
  return versionstamp !== null;
}

/** Fetches per day, in thousandths. */
export interface Load {
  readonly domains: Readonly<Record<string, number>>;
  readonly competitors: Readonly<Record<string, number>>;
}

export interface DueProduct {
  readonly dueAtMs: number;
  readonly baseMs: number;
  readonly intervalHours: number;
  readonly load: Load;
}

const MILLI = 1_000;
const JITTER = 0.1;

export function loadOf(
  intervalHours: number,
  targets: readonly { readonly domain: string; readonly competitorId: string }[],
): Load {
  const perTarget = Math.round(MILLI * 24 / intervalHours);
  const domains: Record<string, number> = {};
  const competitors: Record<string, number> = {};
  for (const { domain, competitorId } of targets) {
    domains[domain] = (domains[domain] ?? 0) + perTarget;
    competitors[competitorId] = (competitors[competitorId] ?? 0) + perTarget;
  }
  return { domains, competitors };
}

export function perDayMax(delayMs: number): number {
  return Math.floor(DAY_MS / Math.max(delayMs, 1));
}

/** The factor by which intervals grow; at least 1. */
export function stretchOf(loads: readonly number[], delayMs: number): number {
  const fits = perDayMax(delayMs) * MILLI;
  return Math.max(1, ...loads.map((load) => load / fits));
}

/** Varies the interval by up to 10 %, always equally for the same product and `baseMs`. */
export function dueAfter(
  productId: string,
  { baseMs, intervalHours, stretch }: {
    readonly baseMs: number;
    readonly intervalHours: number;
    readonly stretch: number;
  },
): number {
  const [byte = 0, next = 0] = sha256(`${productId} ${baseMs}`);
  const spread = ((byte * 256 + next) / 65_535 * 2 - 1) * JITTER;
  return Math.round(baseMs + intervalHours * HOUR_MS * stretch * (1 + spread));
}
