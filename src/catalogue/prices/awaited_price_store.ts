/**
 * Prices that the ERP has fetched and that its imports have not brought back yet, one row each, with the
 * price that the last import brought instead. After each import `market/export/judge_arrival.ts`
 * evaluates these rows. The row of an arrived price is deleted. A commit that changes a row after reading
 * it checks the version of the table.
 */

import type { Actor, WorkspaceStore } from "../../platform/store/context.ts";
import type { Write } from "../../platform/store/kv.ts";
import { defineTable } from "../../platform/store/table.ts";
import type { PriceChange } from "./price_history.ts";

/** `not_arrived`: an import brought another price. `missing`: none brought any. */
export const ARRIVAL_STATUSES = ["waiting", "not_arrived", "missing"] as const;
export type ArrivalStatus = (typeof ARRIVAL_STATUSES)[number];

/** Tiers compare as they are written. */
export interface AwaitedPlace {
  readonly productId: string;
  /** Tier of the product when its price was exported; empty for none. */
  readonly tier: string;
}

export interface SeenPrice {
  readonly jobId: string;
  readonly cents: number | null;
  readonly currency: string;
}

export interface AwaitedPrice extends AwaitedPlace {
  readonly cents: number;
  readonly currency: string;
  /** When its export was fetched. */
  readonly toldAtMs: number;
  readonly status: ArrivalStatus;
  /** Full loads with prices since that did not have this one. */
  readonly misses: number;
  /** The price that came instead. */
  readonly seen: SeenPrice | null;
  /** The price in the last import, which may still be running; absent if no import had one. */
  readonly brought?: SeenPrice;
}

export const awaitedPrices = defineTable<AwaitedPrice, "productId" | "tier">({
  prefix: "xa",
  about: "a price that the ERP has fetched and that its imports should bring",
  key: { productId: "id", tier: "text" },
  keyOnly: ["productId", "tier"],
  version: "xav",
  keep: {
    what: "prices that the ERP fetched and did not send back",
    days: 30,
    isOld: ({ toldAtMs }, before) => toldAtMs < before.getTime(),
  },
  figure: {
    name: "kurant_awaited_prices",
    help:
      "Fetched prices that no import has brought back; at most 10000 of a workspace are counted",
    label: "status",
    by: ({ status }) => status,
    most: 10_000,
  },
});

/** Notes what an import brings in the place of awaited prices; anything else that it brings is passed over. */
export async function noteBrought(
  write: Write,
  workspace: WorkspaceStore,
  jobId: string,
  brought: readonly (AwaitedPlace & Omit<SeenPrice, "jobId">)[],
): Promise<void> {
  const version = await awaitedPrices.version(workspace);
  const rows = await awaitedPrices.getMany(workspace, brought);
  awaitedPrices.checkVersion(write, workspace, version);
  for (const [at, { cents, currency }] of brought.entries()) {
    const row = rows[at]?.row;
    if (row) awaitedPrices.put(write, workspace, { ...row, brought: { jobId, cents, currency } });
  }
}

/** Judges by age alone, in the place of an import. */
export const BY_CLOCK = "0".repeat(24);

export const queuedArrivals = defineTable<{ readonly jobId: string }, "jobId">({
  prefix: "xj",
  about: "an import that has ended and by which awaited prices are still to be judged",
  key: { jobId: "id" },
  keyOnly: ["jobId"],
  codec: { encode: () => null, decode: () => ({}) },
});

/** How many prices were awaited of an import, arrived with it, and have not arrived by now. */
interface Arrival {
  readonly expected: number;
  readonly arrived: number;
  readonly missing: number;
}

export interface ArrivalCount extends Arrival {
  readonly jobId: string;
  /** Prices of `missing` that were not reported before. */
  readonly fresh: number;
  /** Judged up to here; null: none is. */
  readonly after: AwaitedPlace | null;
  readonly isDone: boolean;
}

export const arrivalCounts = defineTable<ArrivalCount, "jobId">({
  prefix: "xi",
  about:
    "how many awaited prices an import brought, and until that is known how far judging has come",
  key: { jobId: "id" },
  keyOnly: ["jobId"],
});

export async function awaitsAny(workspace: WorkspaceStore): Promise<boolean> {
  return (await awaitedPrices.list(workspace, { limit: 1 })).length > 0;
}

export async function findArrival(
  workspace: WorkspaceStore,
  jobId: string,
): Promise<Arrival | null> {
  const found = await arrivalCounts.find(workspace, { jobId });
  if (found === null || !found.row.isDone || found.row.expected === 0) return null;
  const { expected, arrived, missing } = found.row;
  return { expected, arrived, missing };
}

export interface FinishedExport {
  readonly id: string;
  readonly atMs: number;
  readonly actor: Actor;
  readonly format: string;
  /** The export contains no older changes. */
  readonly fromMs: number;
  /** When the export began: it contains no newer changes. */
  readonly toMs: number;
  readonly rows: number;
  /** The same for an export of the same changes. */
  readonly range: string;
}

export const finishedExports = defineTable<FinishedExport, "atMs" | "id">({
  prefix: "xe",
  about: "an export of price changes that was read to its end, by when that was",
  key: { atMs: "number", id: "id" },
  keyOnly: ["atMs", "id"],
  keep: {
    what: "finished exports of price changes",
    days: 400,
    isOld: ({ atMs }, before) => atMs < before.getTime(),
    isInOrder: true,
  },
});

/** From `fromMs` on, the newest first. */
export async function* walkFinishedExports(
  workspace: WorkspaceStore,
  fromMs: number,
): AsyncGenerator<FinishedExport> {
  for await (const { row } of finishedExports.walk(workspace, { order: "desc" })) {
    if (row.atMs < fromMs) return;
    yield row;
  }
}

/**
 * True when an export contained the price while it was in force. `endedMs`: the time of the next
 * price. Imported prices are not exported.
 */
export type HasReported = (change: Pick<PriceChange, "at" | "source">, endedMs: number) => boolean;

/**
 * The exports that were read to their end since a time. An export and the ones before it cover a span
 * from its beginning, so time alone decides. In doubt a price is awaited rather than left out.
 */
export async function exportsSince(
  workspace: WorkspaceStore,
  sinceMs: number,
): Promise<HasReported> {
  const exports = await Array.fromAsync(walkFinishedExports(workspace, sinceMs));
  return ({ at, source }, endedMs) => {
    if (source === "import") return false;
    const atMs = Date.parse(at);
    return exports.some(({ fromMs, toMs }) => fromMs <= atMs && atMs <= toMs && toMs < endedMs);
  };
}
