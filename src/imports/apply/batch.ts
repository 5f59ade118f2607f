/** Reads the next records of a span with all data that their decisions need. */
import type { IndexRow } from "../../catalogue/products/index_row_store.ts";
import { parseProducts, type Product } from "../../catalogue/products/product.ts";
import { findDeletedProduct, findDocuments } from "../../catalogue/products/product_store.ts";
import { findSalesChanges, type SalesChange } from "../../catalogue/sales/sales_store.ts";
import type { SoldDay } from "../../catalogue/sales/sale.ts";
import type { AddressAllowList } from "../../platform/fetch/address_guard.ts";
import type { StepTools } from "../../platform/jobs/job.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import { type CompetitorSet, readCompetitorSet } from "../../shops/competitor_store.ts";
import { planProductLinks } from "../../shops/matches/link_plan.ts";
import { judgeLinks, type LinkPlan, type WantedLink } from "../../shops/matches/link_plan.ts";
import { findOffersOf, type StoredOffers } from "../../shops/offers/offer_store.ts";
import { patchOf, type RecordPatch, soldOf } from "../records/record_patch.ts";
import type { ImportJob } from "../state/import_job.ts";
import type { UploadLimits } from "../upload/read_upload.ts";
import { isLeftOut, isSkipped } from "./decide_record.ts";
import type { Span, Winner } from "./span.ts";

export interface TouchedRecord {
  readonly winner: Winner;
  readonly patch: RecordPatch;
  readonly indexRow: IndexRow | undefined;
  readonly before: Product | null;
  readonly wanted: readonly WantedLink[];
  readonly refusedUrls: readonly string[];
}

export interface Batch {
  readonly records: readonly { readonly winner: Winner; readonly touched: TouchedRecord | null }[];
  /** By product id. */
  readonly offers: ReadonlyMap<string, StoredOffers>;
  readonly competitors: CompetitorSet | null;
  /** By product id. */
  readonly sales: ReadonlyMap<string, readonly SalesChange[]>;
}

/** True for a plan that only computes figures for the guards, without findings or reports. */
export function isJudged({ phase, args }: ImportJob): boolean {
  return phase === "plan" && !args.isDryRun;
}

export function isJudgedByIndexRows(job: ImportJob): boolean {
  return isJudged(job) && job.cursor?.plan?.hold?.whole === undefined;
}

export async function readBatch(
  { allowed }: ImportDeps,
  job: ImportJob,
  tools: StepTools<ImportJob>,
  span: Span,
  position: number,
): Promise<Batch> {
  const forGuards = isJudged(job);
  const picked = pickWinners(job, span, position);
  const sold = picked.flatMap(({ winner, indexRow, hasSold }) =>
    hasSold && indexRow ? soldDaysOf(winner).map((day) => ({ productId: indexRow.id, day })) : []
  );
  const sales = sold.length === 0 ? [] : await findSalesChanges(tools, sold);
  const documents = await findProducts(
    tools,
    picked.flatMap(({ indexRow, isTouched }) => indexRow && isTouched ? [indexRow.id] : []),
  );
  const records = picked.map(({ winner, indexRow, isTouched }) => {
    if (!isTouched) return { winner, touched: null };
    const patch = patchOf(winner);
    const before = indexRow ? requireDocument(documents, indexRow.id) : null;
    const { wanted, refused: refusedUrls } = patch.links
      ? judgeLinks(patch.links, allowed)
      : NO_LINKS;
    return { winner, touched: { winner, patch, indexRow, before, wanted, refusedUrls } };
  });
  const linked = records.flatMap(({ touched }) =>
    touched?.before && touched.wanted.length > 0 && !forGuards ? [touched.before.id] : []
  );
  const hasLinks = !forGuards &&
    records.some(({ touched }) => touched !== null && touched.wanted.length > 0);
  const offers = await findOffersOf(tools, linked);
  return {
    records,
    offers: new Map(offers.map((row) => [row.productId, row])),
    competitors: hasLinks ? await readCompetitorSet(tools) : null,
    sales: Map.groupBy(sales, ({ productId }) => productId),
  };
}

interface PickedWinner {
  readonly winner: Winner;
  readonly indexRow: IndexRow | undefined;
  readonly isTouched: boolean;
  readonly hasSold: boolean;
}

function pickWinners(job: ImportJob, span: Span, position: number): PickedWinner[] {
  const { args, cursor } = job;
  const picked: PickedWinner[] = [];
  const forGuards = isJudged(job);
  const byIndexRows = isJudgedByIndexRows(job);
  const rowsMax = forGuards ? 2_000 : span.rowsMax;
  let rows = 0;
  for (let at = position; at < span.winners.length && picked.length < 4_000; at++) {
    const winner = span.winners.at(at);
    if (!winner) break;
    const indexRow = span.indexRows.get(winner.sku);
    const isHalfDone = at === position && cursor?.isCounted === true;
    const isAwaited = indexRow !== undefined && !forGuards && span.awaited.has(indexRow.id) &&
      !isLeftOut(args.mode, indexRow);
    const isWanted = isHalfDone || isAwaited || !isSkipped(args.mode, winner.hash, indexRow);
    const isTouched = isWanted && !byIndexRows && (indexRow !== undefined || !forGuards);
    const hasSold = winner.sold !== "" && !forGuards && !isLeftOut(args.mode, indexRow);
    // A new product costs about two rows of a commit, a changed product about four.
    if (isTouched || hasSold) rows += indexRow ? 4 : 2;
    if (rows > rowsMax) break;
    picked.push({ winner, indexRow, isTouched, hasSold });
  }
  return picked;
}

const NO_LINKS = { wanted: [], refused: [] };

export function soldDaysOf(winner: Winner): SoldDay[] {
  return soldOf(winner).map(([date, units]) => ({
    date,
    units,
    revenueCents: null,
    currency: null,
  }));
}

/** Also finds soft-deleted products. */
export async function findProducts(
  workspace: WorkspaceStore,
  ids: Iterable<string>,
): Promise<Map<string, Product>> {
  const sorted = [...new Set(ids)].sort();
  const found = await findDocuments(workspace, sorted);
  const products = new Map<string, Product>();
  for (const product of parseProducts(found.map(({ bytes }) => bytes))) {
    products.set(product.id, product);
  }
  for (const id of sorted.filter((id) => !products.has(id))) {
    const deleted = await findDeletedProduct(workspace, id);
    if (deleted) products.set(id, deleted.product);
  }
  return products;
}

function requireDocument(documents: ReadonlyMap<string, Product>, id: string): Product {
  const product = documents.get(id);
  if (!product) throw new StaleBatch();
  return product;
}

/** Thrown if another writer changed rows between two reads of a batch. */
export class StaleBatch extends Error {
  constructor() {
    super("A product was written while a batch was read");
    this.name = "StaleBatch";
  }
}

export async function linksOf(
  tools: StepTools<ImportJob>,
  batch: Batch,
  { wanted }: Pick<TouchedRecord, "wanted">,
  productId: string,
  competitors: CompetitorSet,
): Promise<LinkPlan | null> {
  if (wanted.length === 0) return null;
  const none: StoredOffers = { productId, offers: [], versionstamp: null };
  const offers = batch.offers.get(productId) ?? none;
  return await planProductLinks(tools, offers, wanted, competitors);
}

export interface ImportDeps {
  readonly limits: UploadLimits;
  readonly allowed: AddressAllowList;
  /** Maximum time that a request waits for the end of the job that it started. */
  readonly answerMs: number;
  wake(kind: string): void;
}
