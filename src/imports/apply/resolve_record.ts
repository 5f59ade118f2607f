/** Reads the records of an import with their products, and decides what happens to each record. */
import { sha256 } from "../../base/bytes.ts";
import { sumOf } from "../../base/collections.ts";
import { hasReturned } from "../../catalogue/prices/awaited_price_store.ts";
import { isRepriced, type Product } from "../../catalogue/products/product.ts";
import type { StepTools } from "../../platform/jobs/job.ts";
import type { Context, WorkspaceStore } from "../../platform/store/context.ts";
import { addCosts, type CommitCost, type Write } from "../../platform/store/kv.ts";
import { type ImportJob, type ImportStats, STAT_NAMES } from "../state/import_job.ts";
import { APPLY_FROM, saveFinding } from "../state/import_row_store.ts";
import { firstSales, type SalesChange } from "../../catalogue/sales/sale.ts";
import type { CompetitorSet } from "../../shops/competitor_store.ts";
import { costOfLinks, type LinkPlan, planProductLinks } from "../../shops/matches/link_plan.ts";
import type { StoredOffers } from "../../shops/offers/offer_store.ts";
import {
  decideRecord,
  type RecordNote,
  type RecordOutcome,
  SKIPPED,
  warning,
} from "./decide_record.ts";
import { showMoney } from "../../base/money.ts";
import { brokenBound as findBrokenBound } from "../../base/price_doubts.ts";
import { listPriceChanges } from "../../catalogue/products/product_store.ts";
import { TimeSlice } from "../../platform/event_loop.ts";
import { findingOf } from "../files/source_file.ts";
import {
  type Batch,
  type BatchRecord,
  type ImportStep,
  isJudged,
  readBatch,
  requireCursor,
  soldDaysOf,
} from "./span.ts";
import { warningOfMove } from "./hold.ts";

const HISTORY_ROWS = 100;

async function findOverruledPrice(
  workspace: WorkspaceStore,
  { indexRow }: BatchRecord,
  { before, after }: RecordOutcome,
): Promise<RecordNote | null> {
  // `importHash` becomes null if anything but an import changes a field such as the price.
  if (before === null || after === null || indexRow?.importHash !== null) return null;
  if (before.ourPriceCents === null || before.ourPriceCents === after.ourPriceCents) return null;
  const stretch = { fromMs: 0, beforeMs: Number.MAX_SAFE_INTEGER };
  const [newest, ...older] = await listPriceChanges(workspace, before.id, stretch, HISTORY_ROWS);
  if (!newest || newest.source === "import") return null;
  const wasImported = indexRow.isFromImport || older.some(({ source }) => source === "import") ||
    newest.fromCents === after.ourPriceCents;
  if (!wasImported || await hasReturned(workspace, before, newest)) return null;
  const was = showMoney(before.ourPriceCents, before.currency);
  const is = after.ourPriceCents === null ? "none" : showMoney(after.ourPriceCents, after.currency);
  const message = `The price ${was}, set by "${newest.source}", is replaced by ${is} from the file`;
  return warning("price_reverted", message, is);
}

export interface ResolvedRecord extends BatchRecord {
  readonly outcome: RecordOutcome;
  readonly links: LinkPlan | null;
  /** False if the next step must still write some links of the record. */
  readonly isWhole: boolean;
  readonly notes: readonly RecordNote[];
  readonly stats: Partial<ImportStats>;
}

const NO_LINKS = { links: null, isWhole: true };

interface Walk {
  readonly tools: StepTools<ImportJob>;
  readonly batch: Batch;
  readonly isForGuards: boolean;
  readonly competitors: CompetitorSet | null;
  readonly linksMax: number;
  readonly warnsBeyondPct: number | null;
}

async function resolveRecord(
  walk: Walk,
  record: BatchRecord,
  outcome: RecordOutcome,
  isCounted: boolean,
): Promise<ResolvedRecord> {
  const counts = isCounted ? {} : COUNTS[outcome.kind];
  const bare = { ...record, outcome, ...NO_LINKS, notes: [], stats: counts };
  if (walk.isForGuards) return bare;
  const sales = salesOf(outcome, record);
  const soldDays = sumOf(sales, ({ days }) => days.length);
  if (record.patch === null) {
    return { ...bare, sales, notes: duplicates(record), stats: { ...counts, soldDays } };
  }
  const { links, isWhole } = await planLinks(walk, record, productOf(outcome));
  const overruled = await findOverruledPrice(walk.tools, record, outcome);
  const broken = isCounted ? null : brokenBound(outcome);
  const { before, after } = outcome;
  const pct = walk.warnsBeyondPct;
  const moved = before && after && pct !== null ? warningOfMove(before, after, pct) : null;
  const notes = [
    ...(isCounted ? [] : [...outcome.notes, moved]),
    overruled,
    broken,
    ...(isWhole ? [...linkWarnings(record, links), ...duplicates(record)] : []),
  ].filter((note) => note !== null);
  const stats = {
    ...counts,
    soldDays,
    competitorsLinked: links?.linked ?? 0,
    reverted: overruled ? 1 : 0,
    beyondBounds: broken ? 1 : 0,
  };
  return { ...bare, links, isWhole, sales, notes, stats };
}

function salesOf(
  outcome: RecordOutcome,
  { winner, patch, sales }: BatchRecord,
): readonly SalesChange[] {
  if (patch === null || winner.sold === "") return sales;
  const product = productOf(outcome);
  if (product && outcome.kind === "inserted") return firstSales(product.id, soldDaysOf(winner));
  return product === null ? [] : sales;
}

export function productOf({ kind, after }: RecordOutcome): Product | null {
  return kind === "deleted" ? null : after;
}

async function planLinks(
  { tools, batch, competitors, linksMax }: Walk,
  { wanted }: BatchRecord,
  product: Product | null,
): Promise<Pick<ResolvedRecord, "links" | "isWhole">> {
  if (competitors === null || product === null || wanted.length === 0) return NO_LINKS;
  const none: StoredOffers = { productId: product.id, offers: [], versionstamp: null };
  const offers = batch.offers.get(product.id) ?? none;
  const links = await planProductLinks(tools, offers, wanted, competitors);
  const changed = [...links.added, ...links.switched].map(({ urlHash }) => urlHash);
  if (changed.length <= linksMax) return { links, isWhole: true };
  const first = new Set(changed.slice(0, linksMax));
  const some = wanted.filter(({ target }) => first.has(target.urlHash));
  return { links: await planProductLinks(tools, offers, some, competitors), isWhole: false };
}

const COUNTS: Readonly<Record<RecordOutcome["kind"], Partial<ImportStats>>> = {
  inserted: { inserted: 1 },
  updated: { updated: 1 },
  deleted: { updated: 1 },
  refused: { errors: 1 },
  skipped: { skipped: 1 },
  unchanged: { skipped: 1 },
};

function brokenBound({ before, after }: RecordOutcome): RecordNote | null {
  if (after === null || (before !== null && !isRepriced(before, after))) return null;
  const broken = findBrokenBound(after.ourPriceCents, after);
  if (broken === null) return null;
  const limit = showMoney(broken.limitCents, after.currency);
  const kind = broken.code === "below_min" ? "below the minimum" : "above the maximum";
  const value = showMoney(after.ourPriceCents ?? 0, after.currency);
  const message = `The price ${value} is ${kind} of its product, ${limit}: it is set anyway`;
  return warning("price_out_of_bounds", message, value);
}

function linkWarnings({ refusedUrls }: BatchRecord, links: LinkPlan | null): RecordNote[] {
  const kept =
    "The link stays disabled: a person disabled or removed it, or the product has too many links";
  return [
    ...(links?.keptOff ?? []).map((url) => warning("link_kept_off", kept, url)),
    ...refusedUrls.map((url) =>
      warning("invalid_url", "The link is not a public web address", url)
    ),
    // Thousands of links must not fill the commit with warnings, so at most 100 are kept.
  ].slice(0, 100);
}

function duplicates({ winner: { sku, losers } }: BatchRecord): RecordNote[] {
  if (losers === 0) return [];
  const message = `"${sku}" is ${losers + 1} times in the upload: the last record is used`;
  return [warning("duplicate_sku", message, sku)];
}

function saveNotes({ job, tools, span }: ImportStep, { winner, notes }: ResolvedRecord): void {
  const { index, line, sku } = winner;
  const file = span.files[winner.file]?.name ?? null;
  for (const [n, { severity, code, message, value }] of notes.entries()) {
    const finding = findingOf(severity, code, message, { index, file, line, sku, value });
    saveFinding(tools.write, tools, job.jobId, finding, APPLY_FROM + n);
  }
}

const COST_PER_RECORD_MAX = { mutations: 150, keyBytes: 14_000, bytes: 320_000 };

export function hasRoom(write: Write, ...more: readonly Partial<CommitCost>[]): boolean {
  return write.fits(addCosts(COST_PER_RECORD_MAX, ...more));
}

const LINKS_PER_COMMIT = 40;

export interface RecordSink {
  readonly pendingBytes: number;
  competitorsOf(batch: Batch): CompetitorSet | null | Promise<CompetitorSet | null>;
  put(resolved: ResolvedRecord): void | Promise<void>;
}

const RECORDS_PER_YIELD = 8;

/** `isCounted`: `stats` already include the record at `position`, but some links are unwritten. */
export async function walkRecords(step: ImportStep, sink: RecordSink) {
  const { job, tools } = step;
  const cursor = requireCursor(job);
  let { position, isCounted } = cursor;
  const { warnsBeyondPct, plan } = cursor;
  const batch = await readBatch(step);
  const competitors = await sink.competitorsOf(batch);
  const idOf = newIds(job, tools);
  const stats = { ...(plan?.stats ?? job.stats) };
  const linksMax = plan ? Infinity : LINKS_PER_COMMIT;
  const walk = { tools, batch, isForGuards: isJudged(job), competitors, linksMax, warnsBeyondPct };
  const { mode, setting: { currency, timeZone } } = job.args;
  const setting = { mode, now: tools.now(), timeZone, currency };
  const slice = new TimeSlice();
  for (const record of batch.records) {
    const { winner, patch, before } = record;
    const outcome = patch === null
      ? SKIPPED
      : decideRecord(patch, before, setting, () => idOf(winner.index));
    const resolved = await resolveRecord(walk, record, outcome, isCounted);
    const links = resolved.links && !plan ? costOfLinks(resolved.links) : {};
    if (!hasRoom(tools.write, links, { bytes: sink.pendingBytes })) break;
    await sink.put(resolved);
    saveNotes(step, resolved);
    for (const name of STAT_NAMES) stats[name] += resolved.stats[name] ?? 0;
    for (const { severity } of resolved.notes) stats[`${severity}Count`]++;
    isCounted = !resolved.isWhole;
    if (isCounted) break;
    stats.skipped += winner.losers;
    if (++position % RECORDS_PER_YIELD === 0) await slice.yield();
  }
  return { position, isCounted, stats };
}

function newIds(
  job: ImportJob,
  { newId }: Pick<Context, "newId">,
): (index: number) => string {
  const { idSeconds } = requireCursor(job);
  if (idSeconds === null) return () => newId();
  const source = hex(idSeconds, 8) + sha256(job.jobId).slice(0, 5).toHex();
  return (index) => source + hex(index, 6);
}

function hex(value: number, digits: number): string {
  return value.toString(16).padStart(digits, "0");
}
