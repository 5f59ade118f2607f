/**
 * Checks whether imports contain the prices that were exported to the ERP
 * (docs/decisions/rules.md).
 */
import { eachWorkspace } from "../../accounts/each_workspace.ts";
import { batchesOf } from "../../base/collections.ts";
import {
  type ArrivalCount,
  arrivalCounts,
  type ArrivedPrice,
  arrivedPrices,
  type AwaitedPrice,
  awaitedPrices,
  BY_CLOCK,
  queuedArrivals,
} from "../../catalogue/prices/awaited_price_store.ts";
import { isId } from "../../base/id.ts";
import type { ExportedChange } from "../../catalogue/prices/price_rows.ts";
import { findDeletedProduct, findDocuments } from "../../catalogue/products/product_store.ts";
import { parseProduct, type Product } from "../../catalogue/products/product.ts";
import { IMPORT_KIND, isUndo, type QueuedImport } from "../../imports/state/import_job.ts";
import { type AlertDeps, raiseAlert, systemAlert } from "../../messages/alerts/alert.ts";
import { findJob } from "../../platform/jobs/job_store.ts";
import type { ClockAndIds, Context, WorkspaceStore } from "../../platform/store/context.ts";
import { type Store, transact } from "../../platform/store/kv.ts";
import { type ExportRange, walkRange } from "./export_range.ts";
import { exponentOf } from "../../base/money.ts";
import { startOfDay } from "../../base/german_values.ts";
import { PRICE_SOURCES, priceChangeId } from "../../catalogue/prices/price_history.ts";
import { PRICE_SOURCE_WORDS } from "../../engine/wording/code_words.ts";
import { languageOf } from "../../base/language.ts";
import { amountCell, type Cell, type OutgoingTable } from "../../platform/tables/cell.ts";
import type { CsvDialect } from "../../platform/tables/csv_table.ts";
import { z } from "@hono/zod-openapi";

const EXPORTED_AT_ONCE = 200;

/**
 * Does nothing for exports by people. `isOfToday` is true if the export contained current prices
 * instead of single changes.
 */
export async function rememberExported(
  ctx: Context,
  range: ExportRange,
  isOfToday: boolean,
): Promise<void> {
  if (ctx.actor.type === "user") return;
  for await (const batch of batchesOf(walkRange(ctx, range, null), EXPORTED_AT_ONCE)) {
    await remember(ctx, batch, isOfToday);
  }
}

async function remember(
  ctx: Context,
  changes: readonly ExportedChange[],
  isOfToday: boolean,
): Promise<void> {
  const owners = await findOwners(ctx, changes);
  const toldAtMs = ctx.now().getTime();
  const exported = new Map<string, ExportedPrice>();
  for (const { productId, change } of changes) {
    const owner = owners.get(productId);
    if (owner === undefined || owner.deletedAt !== null) continue;
    const { ourPriceCents, tier } = owner;
    const cents = isOfToday ? ourPriceCents : change.toCents;
    const { currency } = isOfToday ? owner : change;
    if (cents === null) continue;
    const price = { productId, tier: tier ?? "", cents, currency };
    const isCurrent = ourPriceCents === cents && owner.currency === currency;
    exported.set(productId, { price, isCurrent, changedAtMs: Date.parse(change.at) });
  }
  const prices = [...exported.values()].map(({ price }) => price);
  await transact(ctx, async (write) => {
    const version = await awaitedPrices.version(ctx);
    const before = await awaitedPrices.getMany(ctx, prices);
    const arrived = await arrivedPrices.getMany(ctx, prices);
    awaitedPrices.checkVersion(write, ctx, version);
    for (const [at, one] of [...exported.values()].entries()) {
      const { price } = one;
      if (hasArrived(one, arrived[at]?.row)) awaitedPrices.drop(write, ctx, price);
      else {
        const brought = before[at]?.row.brought;
        const waits = { status: "waiting", misses: 0, seen: null, toldAtMs } as const;
        awaitedPrices.put(write, ctx, { ...price, ...waits, ...brought && { brought } });
      }
    }
  });
}

interface ExportedPrice {
  readonly price: Pick<AwaitedPrice, "productId" | "tier" | "cents" | "currency">;
  readonly isCurrent: boolean;
  readonly changedAtMs: number;
}

function hasArrived(
  { price, isCurrent, changedAtMs }: ExportedPrice,
  arrived: ArrivedPrice | undefined,
): boolean {
  return isCurrent && arrived !== undefined && arrived.cents === price.cents &&
    arrived.currency === price.currency && changedAtMs <= arrived.toldAtMs;
}

const ROWS_PER_COMMIT = 50;

const NONE = { expected: 0, arrived: 0, missing: 0, fresh: 0, after: null, isDone: false } as const;

export interface ArrivalSetup {
  readonly store: Store;
  readonly clock: ClockAndIds;
  readonly deps: AlertDeps;
}

/** Several processes may call this function at once. */
export async function judgeArrivals(setup: ArrivalSetup): Promise<void> {
  await eachWorkspace(setup.store, "arrivals", async (workspace) => {
    for (const { row: { jobId } } of await queuedArrivals.list(workspace, { limit: 100 })) {
      // Entries of older versions may have an invalid id and are skipped.
      while (isId(jobId) && !await judgePart(setup, workspace, jobId));
    }
  });
}

/** Queues a check if no import has contained an exported price within 48 hours. */
export async function queueOldArrivals({ store, clock }: ArrivalSetup): Promise<void> {
  const nowMs = clock.now().getTime();
  await eachWorkspace(store, "old arrivals", async (workspace) => {
    for await (const { row } of awaitedPrices.walk(workspace)) {
      if (row.status !== "waiting" || !isTooOld(row, nowMs)) continue;
      await transact(workspace, (write) => {
        queuedArrivals.put(write, workspace, { jobId: BY_CLOCK });
      });
      break;
    }
  });
}

function isTooOld({ toldAtMs }: AwaitedPrice, nowMs: number): boolean {
  return nowMs - toldAtMs >= 48 * 3_600_000;
}

/** Returns true at the end. */
async function judgePart(
  { clock, deps }: ArrivalSetup,
  workspace: WorkspaceStore,
  jobId: string,
): Promise<boolean> {
  const { workspaceId } = workspace;
  const ctx = { workspaceId, now: () => clock.now(), newId: () => clock.newId() };
  return await transact(workspace, async (write) => {
    const found = await arrivalCounts.find(workspace, { jobId });
    if (found?.row.isDone) return true;
    const begun: ArrivalCount = found?.row ?? { ...NONE, jobId };
    const version = await awaitedPrices.version(workspace);
    const next = { after: begun.after, limit: ROWS_PER_COMMIT };
    const prices = (await awaitedPrices.list(workspace, next)).map(({ row }) => row);
    const judge = await judgeOf(workspace, jobId, prices, clock.now().getTime());
    awaitedPrices.checkVersion(write, workspace, version);
    const counted = { ...begun };
    for (const price of prices) {
      const verdict = judge(price);
      if (verdict === "later") continue;
      if (verdict !== "gone") counted.expected++;
      if (verdict === "arrived") {
        counted.arrived++;
        const { productId, tier, cents, currency, toldAtMs } = price;
        arrivedPrices.put(write, workspace, { productId, tier, cents, currency, toldAtMs });
      }
      if (verdict === "arrived" || verdict === "gone") {
        awaitedPrices.drop(write, workspace, price);
        continue;
      }
      awaitedPrices.put(write, workspace, verdict);
      if (verdict.status === "waiting") continue;
      counted.missing++;
      if (price.status === "waiting") counted.fresh++;
    }
    const last = prices.at(-1);
    const isDone = prices.length < ROWS_PER_COMMIT;
    const after = last ? { productId: last.productId, tier: last.tier } : begun.after;
    if (isDone) queuedArrivals.drop(write, workspace, { jobId });
    if (isDone && jobId === BY_CLOCK) {
      arrivalCounts.check(write, workspace, { jobId }, found);
      arrivalCounts.drop(write, workspace, { jobId });
    } else arrivalCounts.save(write, workspace, found, { ...counted, after, isDone });
    if (isDone && counted.fresh > 0) {
      const { fresh, expected } = counted;
      const facts = { code: "prices_not_arrived", count: fresh, expected } as const;
      raiseAlert(write, ctx, deps, systemAlert(facts));
    }
    return isDone;
  });
}

/**
 * `later`: the price was exported after the file was made. `gone`: the price is no longer expected.
 */
type Verdict = AwaitedPrice | "arrived" | "gone" | "later";

async function judgeOf(
  workspace: WorkspaceStore,
  jobId: string,
  prices: readonly AwaitedPrice[],
  nowMs: number,
): Promise<(price: AwaitedPrice) => Verdict> {
  const isByClock = jobId === BY_CLOCK;
  const job = isByClock ? null : await findJob<QueuedImport>(workspace, IMPORT_KIND, jobId);
  const hasAll = job !== null && !isUndo(job) && job.args.mode === "replace" &&
    job.cursor?.bringsPrices === true;
  const sentAtMs = job === null ? nowMs : Date.parse(job.createdAt);
  const documents = await findDocuments(workspace, prices.map(({ productId }) => productId));
  const tiers = new Map(documents.map(({ id, bytes }) => [id, parseProduct(bytes).tier ?? ""]));
  return (price) => {
    const { productId, tier, cents, currency, toldAtMs } = price;
    if (tiers.get(productId) !== tier) return "gone";
    const brought = price.brought?.jobId === jobId ? price.brought : null;
    if (brought?.cents === cents && brought.currency === currency) return "arrived";
    return sentAtMs < toldAtMs ? "later" : judged(price, brought, hasAll, nowMs);
  };
}

function judged(
  price: AwaitedPrice,
  brought: AwaitedPrice["seen"],
  hasAll: boolean,
  nowMs: number,
): AwaitedPrice {
  if (brought) return { ...price, status: "not_arrived", seen: brought };
  if (price.status !== "waiting") return price;
  const misses = price.misses + (hasAll ? 1 : 0);
  // Only full imports with prices count as misses.
  const isMissing = misses >= 2 || isTooOld(price, nowMs);
  return { ...price, misses, status: isMissing ? "missing" : "waiting" };
}

/** Columns for programs. Add new columns at the end. */
const NAMES = [
  "sku",
  "productId",
  "fromCents",
  "toCents",
  "currency",
  "at",
  "source",
  "ref",
  "tier",
  "validFrom",
  "id",
] as const satisfies readonly (keyof PriceChangeRow)[];

/** Columns for people, with the usual names of German ERPs. */
const COLUMNS = [
  "Artikelnummer",
  "Preisgruppe",
  "Preis",
  "Währung",
  "Gültig ab",
  "Alter Preis",
  "Quelle",
];
export const EXCEL_HEAD = `\`${COLUMNS.join(";")}\``;

interface Terms {
  readonly timeZone: string;
  readonly locale: string;
}

export function priceChangeTable(
  rows: AsyncIterable<readonly PriceChangeRow[]>,
  terms: Terms,
  dialect: CsvDialect,
): OutgoingTable {
  const isForPeople = dialect === "excel";
  return {
    name: "price-changes",
    columns: isForPeople ? COLUMNS : NAMES,
    batches: cellBatches(rows, isForPeople ? (row) => shownCells(row, terms) : plainCells),
  };
}

async function* cellBatches(
  batches: AsyncIterable<readonly PriceChangeRow[]>,
  cellsOf: (row: PriceChangeRow) => Cell[],
): AsyncGenerator<Cell[][]> {
  for await (const rows of batches) yield rows.map(cellsOf);
}

function plainCells(row: PriceChangeRow): Cell[] {
  return NAMES.map((name) => row[name]);
}

function shownCells(row: PriceChangeRow, { timeZone, locale }: Terms): Cell[] {
  const exponent = exponentOf(row.currency);
  const day = Temporal.Instant.from(row.validFrom).toZonedDateTimeISO(timeZone).toPlainDate();
  return [
    row.sku,
    row.tier,
    amountCell(row.toCents, exponent),
    row.currency,
    { day: day.toString() },
    amountCell(row.fromCents, exponent),
    PRICE_SOURCE_WORDS[languageOf(locale)][row.source],
  ];
}

const cents = z.int().nullable().describe("Minor units of `currency`");

/** A change of one of our prices, for the ERP (docs/decisions/rules.md). */
export const PriceChangeRow = z.object({
  sku: z.string().describe("The current SKU of the product"),
  productId: z.string(),
  fromCents: cents,
  toCents: cents,
  currency: z.string(),
  at: z.iso.datetime(),
  source: z.enum(PRICE_SOURCES).describe("What changed the price"),
  ref: z.string().nullable(),
  tier: z.string().nullable().describe("The current price tier of the product"),
  validFrom: z.iso.datetime()
    .describe("The start of the day of the change, in the workspace's time zone"),
  id: z.string().describe("The same for this change in every export"),
}).meta({ id: "PriceChangeRow" });

export type PriceChangeRow = z.infer<typeof PriceChangeRow>;

/** `owner` is the product as it is now; null if deleted. */
export function toRow(
  { productId, change }: ExportedChange,
  owner: Pick<Product, "sku" | "tier"> | null,
  timeZone: string,
): PriceChangeRow {
  const { fromCents, toCents, currency, at, source, ref } = change;
  const { sku, tier } = owner ?? { sku: "", tier: null };
  const validFrom = startOfDay(new Date(at), timeZone);
  const id = priceChangeId(productId, at);
  return { sku, productId, fromCents, toCents, currency, at, source, ref, tier, validFrom, id };
}

export async function findOwners(
  workspace: WorkspaceStore,
  changes: readonly ExportedChange[],
): Promise<Map<string, Product>> {
  const ids = [...new Set(changes.map(({ productId }) => productId))];
  const owners = new Map<string, Product>();
  for (const { id, bytes } of await findDocuments(workspace, ids)) {
    owners.set(id, parseProduct(bytes));
  }
  for (const id of ids.filter((one) => !owners.has(one))) {
    const deleted = await findDeletedProduct(workspace, id);
    if (deleted) owners.set(id, deleted.product);
  }
  return owners;
}
