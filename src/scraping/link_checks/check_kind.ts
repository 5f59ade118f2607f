/**
 * The job of a link check finds the product and the shop of each pasted line. For each shop, it
 * starts a second job, which visits the pages. The first job waits until these jobs have ended.
 */
import { sha256 } from "../../base/bytes.ts";
import { keepNewest } from "../../base/collections.ts";
import { findNearSkus } from "../../catalogue/lists/find_product.ts";
import {
  hasEnded,
  type JobKind,
  type StepResult,
  type StepTools,
} from "../../platform/jobs/job.ts";
import { addJob, findJob } from "../../platform/jobs/job_store.ts";
import { COMMIT_MAX } from "../../platform/store/kv.ts";
import { type CompetitorSet, readCompetitorSet } from "../../shops/competitor_store.ts";
import type { ScrapeDeps } from "../page/visit_tools.ts";
import {
  CHECK_KIND,
  type CheckCursor,
  type CheckJob,
  type RawLine,
  type StoredCheckLine,
  VISIT_KIND,
  type VisitArgs,
  type WaitingLine,
} from "./link_check.ts";
import { CheckRows } from "./link_check_store.ts";
import { gtin14 } from "../../base/codes.ts";
import { normaliseSku } from "../../base/text.ts";
import { findIndexRows } from "../../catalogue/products/index_row_store.ts";
import { skuError } from "../../catalogue/products/product_fields.ts";
import { documentPages, listDocuments } from "../../catalogue/products/product_store.ts";
import { parseProduct } from "../../catalogue/products/product.ts";
import type { AddressAllowList } from "../../platform/fetch/fetch_limits.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import { parseMatchUrl } from "../../shops/domain.ts";
import type { LineError } from "./check_codes.ts";

type Tools = StepTools<CheckJob>;
type Step = StepResult<CheckJob>;

const BEGIN: CheckCursor = { part: 0, firstLine: 1, shop: null, isVisiting: false };
/** A commit needs a version check for each started job, and one for this job; one is spare. */
const SHOPS_PER_STEP = COMMIT_MAX.checks - 2;
const GIVEN_UP_PER_STEP = 100;
const PRODUCTS_PER_READ = 500;
/** Pause in ms between checks of the visiting jobs: the elapsed time × `share`, within limits. */
const POLL_MS = { min: 500, max: 15_000, share: 0.1 };

export function createCheckKind({ limits }: ScrapeDeps): JobKind<CheckJob> {
  const known = new Map<string, LineProducts>();
  return {
    kind: CHECK_KIND,
    slotsPerProcess: 4,
    step: async (job, tools) => {
      const cursor = job.cursor ?? BEGIN;
      if (cursor.part < job.args.parts) {
        const products = await productsOf(known, job, tools);
        return await readNextPart(job, cursor, tools, products, limits.allowed);
      }
      return cursor.isVisiting
        ? await awaitVisits(job, tools)
        : await startVisits(job, cursor, tools);
    },
    finish: (job) => {
      known.delete(job.jobId);
      return Promise.resolve();
    },
  };
}

/** Maps SKUs and GTINs of lines to product ids, and unknown SKUs to similar SKUs. */
interface LineProducts {
  readonly skus: ReadonlyMap<string, string>;
  /** The product id is null if several products have the GTIN. */
  readonly gtins: ReadonlyMap<string, string | null>;
  readonly nearSkus: ReadonlyMap<string, readonly string[]>;
}

async function productsOf(
  kept: Map<string, LineProducts>,
  { jobId, cursor, args }: CheckJob,
  tools: Tools,
): Promise<LineProducts> {
  const known = kept.get(jobId);
  if (known) return known;
  const skus = new Map<string, string>();
  const unknown = new Set<string>();
  const wanted = new Set<string>();
  for (let part = cursor?.part ?? 0; part < args.parts; part++) {
    const lines = await new CheckRows(tools, jobId).findPart(part);
    for (const { gtin } of lines) {
      const valid = gtin === null ? null : gtin14(gtin);
      if (valid !== null) wanted.add(valid);
    }
    const named = new Set(lines.flatMap(({ sku }) => skuOf(sku) ?? []));
    const indexRows = await findIndexRows(tools, [...named]);
    for (const sku of named) {
      const indexRow = indexRows.get(sku);
      if (!indexRow || indexRow.isDeleted) unknown.add(sku);
      else skus.set(sku, indexRow.id);
    }
    await tools.beat();
  }
  const goOn = () => tools.beat();
  const found: LineProducts = {
    skus,
    gtins: wanted.size === 0 ? new Map() : await findGtins(tools, wanted, goOn),
    nearSkus: unknown.size === 0 ? new Map() : await findNearSkus(tools, unknown, goOn),
  };
  keepNewest(kept, jobId, found, 4);
  return found;
}

async function findGtins(
  workspace: WorkspaceStore,
  wanted: ReadonlySet<string>,
  goOn: () => Promise<void>,
): Promise<LineProducts["gtins"]> {
  const gtins = new Map<string, string | null>();
  for await (const documents of documentPages(workspace, listDocuments, PRODUCTS_PER_READ)) {
    for (const { id, bytes } of documents) {
      const { ean } = parseProduct(bytes);
      const gtin = ean === null ? null : gtin14(ean);
      if (gtin !== null && wanted.has(gtin)) gtins.set(gtin, gtins.has(gtin) ? null : id);
    }
    await goOn();
  }
  return gtins;
}

async function readNextPart(
  { jobId }: CheckJob,
  cursor: CheckCursor,
  tools: Tools,
  products: LineProducts,
  allowed: AddressAllowList,
): Promise<Step> {
  const { write } = tools;
  const rows = new CheckRows(tools, jobId);
  const lines = await rows.findPart(cursor.part);
  const shops = await readCompetitorSet(tools);
  const at = tools.now().toISOString();
  for (const [n, { misfit, ...raw }] of lines.entries()) {
    const line = { ...raw, line: cursor.firstLine + n };
    const found = misfit ? refuse(misfit) : resolve(raw, products, shops, allowed);
    if ("productId" in found) {
      rows.addWaiting(write, found.competitorId, { ...line, productId: found.productId });
    } else rows.putChecked(write, { ...refusedLine(line, at, found.errorCode), ...found }, null);
  }
  rows.dropPart(write, cursor.part);
  const firstLine = cursor.firstLine + lines.length;
  return { cursor: { ...cursor, part: cursor.part + 1, firstLine } };
}

type Refused =
  & { readonly errorCode: LineError }
  & Partial<
    Pick<StoredCheckLine, "nearSkus" | "competitorId">
  >;

function refuse(errorCode: LineError, more: Omit<Refused, "errorCode"> = {}): Refused {
  return { errorCode, ...more };
}

function resolve(
  { sku, gtin, url }: Omit<RawLine, "misfit">,
  { skus, gtins, nearSkus }: LineProducts,
  { byDomain }: CompetitorSet,
  allowed: AddressAllowList,
): Refused | Pick<WaitingLine, "productId"> & { readonly competitorId: string } {
  const ours = skuOf(sku) ?? "";
  const productId = gtin === null ? skus.get(ours) : gtins.get(gtin14(gtin) ?? "");
  if (productId === null) return refuse("several_products");
  if (productId === undefined) {
    const near = nearSkus.get(ours) ?? [];
    return gtin === null ? refuse("unknown_sku", { nearSkus: [...near] }) : refuse("unknown_gtin");
  }
  const parsed = parseMatchUrl(url, allowed);
  if ("reason" in parsed) return refuse("bad_url");
  const shop = byDomain.get(parsed.target.domain);
  if (!shop) return refuse("unknown_shop");
  const { id: competitorId } = shop;
  return shop.enabled ? { productId, competitorId } : refuse("shop_off", { competitorId });
}

function skuOf(text: string | null): string | null {
  const sku = text === null ? null : normaliseSku(text);
  return sku !== null && skuError(sku) === null ? sku : null;
}

async function startVisits({ jobId }: CheckJob, cursor: CheckCursor, tools: Tools): Promise<Step> {
  let { shop } = cursor;
  for (let added = 0; added < SHOPS_PER_STEP; added++) {
    const next = await new CheckRows(tools, jobId).findWaitingShop(shop);
    if (next === null) return { cursor: { ...cursor, shop, isVisiting: true } };
    const args: VisitArgs = { checkId: jobId, competitorId: next };
    const ids = { ...tools, newId: () => visitIdOf(jobId, args.competitorId) };
    addJob(tools.write, ids, { kind: VISIT_KIND, args, stats: {} });
    shop = next;
  }
  return { cursor: { ...cursor, shop } };
}

/** The id depends only on the arguments, so `awaitVisits` finds the job without a stored id. */
function visitIdOf(checkId: string, competitorId: string): string {
  const hash = sha256(`${checkId} ${competitorId}`).slice(0, 8);
  return checkId.slice(0, 8) + hash.toHex();
}

async function awaitVisits(
  { jobId, startedAt, createdAt, stats }: CheckJob,
  tools: Tools,
): Promise<Step> {
  const rows = new CheckRows(tools, jobId);
  const checked = (await rows.readSums()).values().reduce((sum, one) => sum + one, 0);
  const progress = { processed: checked, total: stats.lines };
  const shop = await rows.findWaitingShop(null);
  if (shop === null) return { progress, end: { status: "succeeded" } };
  const visit = await findJob(tools, VISIT_KIND, visitIdOf(jobId, shop));
  if (visit === null || hasEnded(visit)) {
    const { code = "crash_loop", message = "The pages of the shop could not be visited" } =
      visit?.error ?? {};
    await giveUp(tools, jobId, shop, { errorCode: code, message });
    return { progress };
  }
  const nowMs = tools.now().getTime();
  const passedMs = nowMs - Date.parse(startedAt ?? createdAt);
  const waitMs = Math.min(Math.max(passedMs * POLL_MS.share, POLL_MS.min), POLL_MS.max);
  return { progress, notBefore: new Date(nowMs + waitMs) };
}

async function giveUp(
  tools: Tools,
  checkId: string,
  competitorId: string,
  why: { readonly errorCode: string; readonly message: string },
): Promise<void> {
  const rows = new CheckRows(tools, checkId);
  const at = tools.now().toISOString();
  for (const line of await rows.listWaiting(competitorId, GIVEN_UP_PER_STEP)) {
    const failed = { ...blankLine(line, at), outcome: "failed", ...why } as const;
    const { productId } = line;
    rows.putChecked(tools.write, { ...failed, productId, competitorId }, competitorId);
  }
}

export function refusedLine(
  line: Parameters<typeof blankLine>[0],
  checkedAt: string,
  errorCode: LineError,
): StoredCheckLine {
  // The page of a disabled shop may show the product, so do not call it `wrong`.
  const outcome = errorCode === "shop_off" ? "failed" : "wrong";
  return { ...blankLine(line, checkedAt), outcome, errorCode };
}

export function blankLine(
  { line, sku, gtin, url, packFactor }: Omit<WaitingLine, "productId">,
  checkedAt: string,
): Omit<StoredCheckLine, "outcome"> {
  return {
    line,
    sku,
    nearSkus: [],
    gtin,
    url,
    packFactor,
    status: "open",
    productId: null,
    title: null,
    competitorId: null,
    competitorProductId: null,
    verdict: null,
    reasons: [],
    page: null,
    price: null,
    currency: null,
    errorCode: null,
    message: null,
    checkedAt,
  };
}
