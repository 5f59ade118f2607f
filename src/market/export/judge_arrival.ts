/**
 * Checks whether exported prices reach the ERP (docs/decisions/rules.md, "Prices for the ERP").
 * After a program (not a person) has exported prices, imports are checked for them.
 */
import { z } from "@hono/zod-openapi";
import { eachWorkspace } from "../../accounts/workspace.ts";
import { keyWith, viewer } from "../../accounts/roles.ts";
import { batchesOf, firstOf } from "../../base/collections.ts";
import { isId } from "../../base/id.ts";
import { type Columns, fields, openListTable } from "../../catalogue/lists/list_file.ts";
import {
  ARRIVAL_STATUSES,
  type ArrivalCount,
  arrivalCounts,
  arrivedPrices,
  type AwaitedPrice,
  awaitedPrices,
  BY_CLOCK,
  type FinishedExport,
  finishedExports,
  queuedArrivals,
  walkFinishedExports,
} from "../../catalogue/prices/awaited_price_store.ts";
import type { ExportedChange } from "../../catalogue/prices/price_rows.ts";
import { findIndexRows } from "../../catalogue/products/index_row_store.ts";
import { parseProduct } from "../../catalogue/products/product.ts";
import { findDocuments } from "../../catalogue/products/product_store.ts";
import { codeCell } from "../../engine/wording/code_words.ts";
import { IMPORT_KIND, isUndo, type QueuedImport } from "../../imports/state/import_job.ts";
import { type AlertDeps, raiseAlerts, systemAlert } from "../../messages/alert_store.ts";
import { page } from "../../platform/http/answer.ts";
import { openCursor, pageQuery, toPage } from "../../platform/http/http.ts";
import { resource } from "../../platform/http/resource.ts";
import { findJob } from "../../platform/jobs/job_store.ts";
import type { ClockAndIds, Context, WorkspaceStore } from "../../platform/store/context.ts";
import { type Store, transact } from "../../platform/store/kv.ts";
import { momentCell, moneyCell } from "../../platform/tables/cell.ts";
import { beginOf, type ExportRange, findOwners, walkRange } from "./export_range.ts";
import type { Found } from "../../platform/store/table.ts";

const EXPORTED_AT_ONCE = 200;

const COMPARED_EXPORTS = 20;

export async function noteExport(
  ctx: Context,
  exported: ExportRange,
  { format, rows, toMs }: Pick<FinishedExport, "format" | "rows" | "toMs">,
): Promise<void> {
  if (rows === 0) return;
  const { fromMs, afterVersion, upToVersion } = exported;
  const { actor } = ctx;
  const range = `${fromMs} ${afterVersion} ${upToVersion}`;
  let compared = 0;
  for await (const known of walkFinishedExports(ctx, 0)) {
    if (known.actor.id === actor.id && known.range === range) return;
    if (++compared === COMPARED_EXPORTS) break;
  }
  // An XML file contains each product's current price, not the price after each change.
  if (actor.type !== "user") await rememberExported(ctx, exported, format === "xml");
  const atMs = ctx.now().getTime();
  const beginMs = await beginOf(ctx, exported);
  const row = { id: ctx.newId(), atMs, actor, format, fromMs: beginMs, toMs, rows, range };
  await transact(ctx, (write) => finishedExports.put(write, ctx, row));
}

async function rememberExported(ctx: Context, range: ExportRange, isOfToday: boolean) {
  for await (const batch of batchesOf(walkRange(ctx, range, null), EXPORTED_AT_ONCE)) {
    await remember(ctx, batch, isOfToday);
  }
}

async function remember(ctx: Context, changes: readonly ExportedChange[], isOfToday: boolean) {
  const owners = await findOwners(ctx, changes);
  const toldAtMs = ctx.now().getTime();
  const exported = changes.flatMap(({ productId, change }) => {
    const owner = owners.get(productId);
    if (owner === undefined || owner.deletedAt !== null) return [];
    const { ourPriceCents, tier } = owner;
    const cents = isOfToday ? ourPriceCents : change.toCents;
    const { currency } = isOfToday ? owner : change;
    if (cents === null) return [];
    const price = { productId, tier: tier ?? "", cents, currency };
    const isCurrent = ourPriceCents === cents && owner.currency === currency;
    return [{ price, isCurrent, changedAtMs: Date.parse(change.at) }];
  });
  const latest = [...new Map(exported.map((one) => [one.price.productId, one])).values()];
  const prices = latest.map(({ price }) => price);
  await transact(ctx, async (write) => {
    const version = await awaitedPrices.version(ctx);
    const before = await awaitedPrices.getMany(ctx, prices);
    const arrived = await arrivedPrices.getMany(ctx, prices);
    awaitedPrices.checkVersion(write, ctx, version);
    for (const [at, { price, isCurrent, changedAtMs }] of latest.entries()) {
      const last = arrived[at]?.row;
      const isArrived = isCurrent && last?.cents === price.cents &&
        last.currency === price.currency && changedAtMs <= last.toldAtMs;
      if (isArrived) awaitedPrices.drop(write, ctx, price);
      else {
        const brought = before[at]?.row.brought;
        const waits = { status: "waiting", misses: 0, seen: null, toldAtMs } as const;
        awaitedPrices.put(write, ctx, { ...price, ...waits, ...brought && { brought } });
      }
    }
  });
}

const ROWS_PER_COMMIT = 50;

const NONE = { expected: 0, arrived: 0, missing: 0, fresh: 0, after: null, isDone: false } as const;

export interface ArrivalSetup {
  readonly store: Store;
  readonly clock: ClockAndIds;
  readonly deps: AlertDeps;
}

/** Several processes may call `judgeArrivals` at the same time. */
export async function judgeArrivals(setup: ArrivalSetup): Promise<void> {
  await eachWorkspace(setup.store, "arrivals", async (workspace) => {
    for (const { row: { jobId } } of await queuedArrivals.list(workspace, { limit: 100 })) {
      // Earlier versions of Kurant may have queued invalid ids, which are skipped.
      while (isId(jobId) && !await judgePart(setup, workspace, jobId));
    }
  });
}

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

async function judgePart({ clock, deps }: ArrivalSetup, workspace: WorkspaceStore, jobId: string) {
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
      raiseAlerts(write, ctx, deps, [systemAlert(facts)]);
    }
    return isDone;
  });
}

/**
 * `later`: a later import must decide, as this file was uploaded before the price was exported.
 * `gone`: the product was deleted or its `tier` has changed, so the price is no longer awaited.
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
  const isFull = job !== null && !isUndo(job) && job.args.mode === "replace" &&
    job.cursor?.bringsPrices === true;
  const sentAtMs = job === null ? nowMs : await findSentMs(workspace, job);
  const documents = await findDocuments(workspace, prices.map(({ productId }) => productId));
  const products = new Map(documents.map(({ id, bytes }) => [id, parseProduct(bytes)]));
  const indexRows = await findIndexRows(workspace, [...products.values()].map(({ sku }) => sku));
  return (price) => {
    const { productId, tier, cents, currency, toldAtMs } = price;
    const product = products.get(productId);
    if (product === undefined || (product.tier ?? "") !== tier) return "gone";
    // Even a complete file has no prices for products that another source imported.
    const { isFromImport = false, importSource = null } = indexRows.get(product.sku) ?? {};
    const hasAll = isFull && (!isFromImport || importSource === (job.args.source ?? null));
    const brought = price.brought?.jobId === jobId ? price.brought : null;
    if (brought?.cents === cents && brought.currency === currency) return "arrived";
    return sentAtMs < toldAtMs ? "later" : judged(price, brought, hasAll, nowMs);
  };
}

/** Returns the upload time of the file, which an earlier job (a dry run) may have received. */
async function findSentMs(workspace: WorkspaceStore, job: QueuedImport): Promise<number> {
  const before = isUndo(job) ? null : job.args.appliedFrom;
  const first = before && await findJob<QueuedImport>(workspace, IMPORT_KIND, before);
  return first ? await findSentMs(workspace, first) : Date.parse(job.createdAt);
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
  // `misses` counts the complete price imports without a price for this product.
  const isMissing = misses >= 2 || isTooOld(price, nowMs);
  return { ...price, misses, status: isMissing ? "missing" : "waiting" };
}

const cents = z.int().nullable();

const PriceArrival = z.object({
  productId: z.string(),
  sku: z.string(),
  tier: z.string().nullable(),
  status: z.enum(ARRIVAL_STATUSES).describe(
    "`not_arrived`: an import contained another price; `missing`: two full loads with prices " +
      "contained none, or no import contained one within 48 hours",
  ),
  expectedCents: z.int().describe("The price as fetched, in minor units of `currency`"),
  currency: z.string(),
  seenCents: cents.describe("The price in the import, in minor units of `seenCurrency`"),
  seenCurrency: z.string().nullable().describe("Null if no import contained a price"),
  seenIn: z.string().nullable().describe("Id of the import"),
  fetchedAt: z.iso.datetime().describe("When the export was fetched"),
}).meta({ id: "PriceArrival" });

type PriceArrival = z.infer<typeof PriceArrival>;

const Filter = z.strictObject({
  status: z.enum(ARRIVAL_STATUSES).optional().describe("Default: all"),
});
const Query = z.strictObject({ ...pageQuery(50, 200), ...Filter.shape });

const ARRIVAL_COLUMNS: Columns<PriceArrival> = {
  ...fields("sku", "tier"),
  status: ({ status }) => codeCell("arrivals", status),
  expected: ({ expectedCents, currency }) => moneyCell(expectedCents, currency),
  currency: ({ currency }) => currency,
  seen: ({ seenCents, seenCurrency, currency }) => moneyCell(seenCents, seenCurrency ?? currency),
  ...fields("seenCurrency", "seenIn"),
  fetchedAt: ({ fetchedAt }) => momentCell(fetchedAt),
  productId: ({ productId }) => productId,
};

const Position = z.tuple([z.string(), z.string().nullable()]);

async function pageOfArrivals(ctx: Context, { limit, cursor, status }: z.output<typeof Query>) {
  const position = openCursor(ctx, cursor, Position);
  const after = position && { productId: position[0], tier: position[1] ?? "" };
  const fits = ({ row }: Found<AwaitedPrice>) => status === undefined || row.status === status;
  const rows = await firstOf(awaitedPrices.walk(ctx, { after }), limit + 1, fits);
  const positionOf = ({ row }: Found<AwaitedPrice>) => [row.productId, row.tier];
  const { items, ...page } = toPage(ctx, { rows, limit, positionOf });
  const documents = await findDocuments(ctx, items.map(({ row }) => row.productId));
  const skus = new Map(documents.map(({ id, bytes }) => [id, parseProduct(bytes).sku]));
  return { ...page, items: items.map(({ row }) => rowOf(row, skus.get(row.productId) ?? "")) };
}

function rowOf(price: AwaitedPrice, sku: string): PriceArrival {
  const { productId, tier, status, cents, currency, seen, toldAtMs } = price;
  return {
    productId,
    sku,
    tier: tier || null,
    status,
    expectedCents: cents,
    currency,
    seenCents: seen?.cents ?? null,
    seenCurrency: seen?.currency ?? null,
    seenIn: seen?.jobId ?? null,
    fetchedAt: new Date(toldAtMs).toISOString(),
  };
}

export function arrivalRoutes() {
  const tags = ["Price export"];
  return resource("/price-arrivals", {
    read: { people: viewer, keys: keyWith("proposals:read") },
    tags,
  })
    .list({
      query: Query,
      answer: page(
        PriceArrival,
        "Prices that exports have told and no import has brought, by product",
      ),
    }, ({ ctx, query }) => pageOfArrivals(ctx, query))
    .files("", {
      tags,
      query: Filter,
      words: "Every price that exports have told and no import has brought, by product",
      open: (ctx, filter) =>
        openListTable(
          "price-arrivals",
          ARRIVAL_COLUMNS,
          (page) => pageOfArrivals(ctx, { ...filter, ...page }),
        ),
    }).routes;
}
