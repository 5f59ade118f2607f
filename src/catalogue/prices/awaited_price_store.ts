/**
 * Stores awaited prices: prices that the ERP has fetched but not yet sent back in an import. Read
 * the table's version before its rows; a commit that changes rows must check this version.
 */
import type { Actor, WorkspaceStore } from "../../platform/store/context.ts";
import type { Write } from "../../platform/store/kv.ts";
import { defineTable } from "../../platform/store/table.ts";
import type { PriceChange } from "./price_rows.ts";

/**
 * `not_arrived`: an import contained a different price for the product. `missing`: two full imports
 * contained prices but none for this product, or no import contained its price within 48 hours.
 */
export const ARRIVAL_STATUSES = ["waiting", "not_arrived", "missing"] as const;
type ArrivalStatus = (typeof ARRIVAL_STATUSES)[number];

export interface AwaitedPlace {
  readonly productId: string;
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
  readonly toldAtMs: number;
  readonly status: ArrivalStatus;
  /** Number of full imports that contained prices of other products, but none for this product. */
  readonly misses: number;
  readonly seen: SeenPrice | null;
  /** Last price that an import contained while this price was awaited; absent if there is none. */
  readonly brought?: SeenPrice;
}

export const awaitedPrices = defineTable<AwaitedPrice, "productId" | "tier">({
  prefix: "xa",
  about: "a price that the ERP has fetched and that its imports should contain",
  key: { productId: "id", tier: "text" },
  version: "xav",
  keep: {
    what: "prices that the ERP fetched and did not send back",
    days: 30,
    isOld: ({ toldAtMs }, before) => toldAtMs < before.getTime(),
  },
});

interface ArrivedPrice extends AwaitedPlace {
  readonly cents: number;
  readonly currency: string;
  /** Time at which the ERP fetched the price; the product may have a newer price by now. */
  readonly toldAtMs: number;
}

export const arrivedPrices = defineTable<ArrivedPrice, "productId" | "tier">({
  prefix: "xb",
  about: "the last price that the ERP has fetched and that one of its imports contained",
  key: { productId: "id", tier: "text" },
  keep: {
    what: "prices that the ERP fetched and sent back",
    days: 30,
    isOld: ({ toldAtMs }, before) => toldAtMs < before.getTime(),
  },
});

/** True if the ERP fetched the changed price, and an import later contained the same price. */
export async function hasReturned(
  workspace: WorkspaceStore,
  { id: productId, tier }: { readonly id: string; readonly tier: string | null },
  { at, toCents, currency }: PriceChange,
): Promise<boolean> {
  const arrived = (await arrivedPrices.find(workspace, { productId, tier: tier ?? "" }))?.row;
  return arrived !== undefined && arrived.cents === toCents && arrived.currency === currency &&
    arrived.toldAtMs >= Date.parse(at);
}

export async function awaitedProducts(workspace: WorkspaceStore): Promise<ReadonlySet<string>> {
  return new Set(await Array.fromAsync(awaitedPrices.walk(workspace), ({ row }) => row.productId));
}

export type BroughtPrice = AwaitedPlace & Omit<SeenPrice, "jobId">;

export async function noteBrought(
  write: Write,
  workspace: WorkspaceStore,
  jobId: string,
  brought: readonly BroughtPrice[],
): Promise<void> {
  const version = await awaitedPrices.version(workspace);
  const rows = await awaitedPrices.getMany(workspace, brought);
  awaitedPrices.checkVersion(write, workspace, version);
  for (const [at, { cents, currency }] of brought.entries()) {
    const row = rows[at]?.row;
    if (row) awaitedPrices.put(write, workspace, { ...row, brought: { jobId, cents, currency } });
  }
}

/** The `jobId` of a check that was started by the age of a price, not by an import. */
export const BY_CLOCK = "0".repeat(24);

export const queuedArrivals = defineTable<{ readonly jobId: string }, "jobId">({
  prefix: "xj",
  about: "a finished import whose awaited prices are not evaluated yet",
  key: { jobId: "id" },
  codec: { encode: () => null, decode: () => ({}) },
});

interface Arrival {
  readonly expected: number;
  readonly arrived: number;
  readonly missing: number;
}

export interface ArrivalCount extends Arrival {
  readonly jobId: string;
  readonly fresh: number;
  readonly after: AwaitedPlace | null;
  readonly isDone: boolean;
}

export const arrivalCounts = defineTable<ArrivalCount, "jobId">({
  prefix: "xi",
  about: "how many awaited prices an import contained, and the progress of evaluating them",
  key: { jobId: "id" },
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
  readonly fromMs: number;
  readonly toMs: number;
  readonly rows: number;
  readonly range: string;
}

export const finishedExports = defineTable<FinishedExport, "atMs" | "id">({
  prefix: "xe",
  about: "a completely read export of price changes; `atMs` is the time of its end",
  key: { atMs: "number", id: "id" },
  keep: {
    what: "finished exports of price changes",
    days: 400,
    isOld: ({ atMs }, before) => atMs < before.getTime(),
    isInOrder: true,
  },
});

export async function* walkFinishedExports(
  workspace: WorkspaceStore,
  fromMs: number,
): AsyncGenerator<FinishedExport> {
  for await (const { row } of finishedExports.walk(workspace, { order: "desc" })) {
    if (row.atMs < fromMs) return;
    yield row;
  }
}

export type HasReported = (change: Pick<PriceChange, "at" | "source">, endedMs: number) => boolean;

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
