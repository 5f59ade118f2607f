/** Reads the records of an import with their products, and decides what happens to each record. */
import { sha256 } from "../../base/bytes.ts";
import { sumOf } from "../../base/collections.ts";
import { hasReturned } from "../../catalogue/prices/awaited_price_store.ts";
import { isRepriced, type Product } from "../../catalogue/products/product.ts";
import type { StepTools } from "../../platform/jobs/job.ts";
import type { Context, WorkspaceStore } from "../../platform/store/context.ts";
import { addCosts, type CommitCost, type Write } from "../../platform/store/kv.ts";
import { type ImportJob, type ImportStats, STAT_NAMES } from "../state/import_job.ts";
import { APPLY_FROM, type RecordLine, saveFinding } from "../state/import_row_store.ts";
import { firstSales, type SalesChange } from "../../catalogue/sales/sale.ts";
import type { CompetitorSet } from "../../shops/competitor_store.ts";
import { costOfLinks, type LinkPlan, planProductLinks } from "../../shops/matches/link_plan.ts";
import type { StoredOffers } from "../../shops/offers/offer_store.ts";
import { decideRecord, type RecordOutcome, type Warning } from "./decide_record.ts";
import { showMoney } from "../../base/money.ts";
import { brokenBound } from "../../base/price_doubts.ts";
import { listPriceChanges } from "../../catalogue/products/product_store.ts";
import { TimeSlice } from "../../platform/event_loop.ts";
import { type Finding, findingOf } from "../files/source_file.ts";
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
  outcome: RecordOutcome,
): Promise<Warning | null> {
  // A price change sets `importHash` to null, unless an import makes the change.
  if (outcome.kind !== "updated" || indexRow?.importHash !== null) return null;
  const { before, after } = outcome;
  if (before.ourPriceCents === null || before.ourPriceCents === after.ourPriceCents) return null;
  const stretch = { fromMs: 0, beforeMs: Number.MAX_SAFE_INTEGER };
  const [newest, ...older] = await listPriceChanges(workspace, before.id, stretch, HISTORY_ROWS);
  if (!newest || newest.source === "import") return null;
  const wasImported = indexRow.isFromImport || older.some(({ source }) => source === "import") ||
    newest.fromCents === after.ourPriceCents;
  if (!wasImported || await hasReturned(workspace, before, newest)) return null;
  const was = showMoney(before.ourPriceCents, before.currency);
  const is = after.ourPriceCents === null ? "none" : showMoney(after.ourPriceCents, after.currency);
  return {
    code: "price_reverted",
    message: `The price ${was}, set by "${newest.source}", is replaced by ${is} from the file`,
    value: is,
  };
}

export interface ResolvedRecord extends BatchRecord {
  readonly outcome: RecordOutcome;
  readonly links: LinkPlan | null;
  readonly isWhole: boolean;
  readonly notes: readonly RecordNote[];
  readonly stats: Partial<ImportStats>;
}

const NO_LINKS = { links: null, isWhole: true };

interface ResolveTools {
  readonly tools: StepTools<ImportJob>;
  readonly batch: Batch;
  readonly isForGuards: boolean;
  readonly competitors: CompetitorSet | null;
  readonly linksMax: number;
  readonly warnsBeyondPct: number | null;
}

async function resolveRecord(
  question: ResolveTools,
  record: BatchRecord,
  outcome: RecordOutcome,
  isCounted: boolean,
): Promise<ResolvedRecord> {
  const { winner } = record;
  const counts = isCounted ? {} : COUNTS[outcome.kind];
  const resolved = { ...record, outcome, ...NO_LINKS, notes: [], stats: counts };
  if (question.isForGuards) return resolved;
  const sales = salesOf(outcome, record);
  const stats = { ...counts, soldDays: sumOf(sales, ({ days }) => days.length) };
  if (record.patch === null) return { ...resolved, sales, stats };
  const { links, isWhole } = await planLinks(question, record, productOf(outcome));
  const overruled = await findOverruledPrice(question.tools, record, outcome);
  const notes = isCounted ? [] : notesOf(winner, outcome, question.warnsBeyondPct);
  const broken = isCounted ? null : brokenBy(outcome);
  const warnings = [overruled, broken].filter((one) => one !== null);
  if (isWhole) warnings.push(...linkWarnings(record, links));
  notes.push(...warnings.map(warningFor(winner)));
  return {
    ...resolved,
    links,
    isWhole,
    sales,
    notes,
    stats: {
      ...stats,
      competitorsLinked: links?.linked ?? 0,
      reverted: overruled ? 1 : 0,
      beyondBounds: broken ? 1 : 0,
    },
  };
}

function salesOf(
  outcome: RecordOutcome,
  { winner, patch, sales }: BatchRecord,
): readonly SalesChange[] {
  const product = productOf(outcome);
  if (patch === null || winner.sold === "") return sales;
  if (outcome.kind === "inserted") return firstSales(outcome.after.id, soldDaysOf(winner));
  return product === null ? [] : sales;
}

export function productOf(outcome: RecordOutcome): Product | null {
  if (outcome.kind === "inserted" || outcome.kind === "updated") return outcome.after;
  return outcome.kind === "unchanged" ? outcome.before : null;
}

async function planLinks(
  { tools, batch, competitors, linksMax }: ResolveTools,
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

function notesOf(
  winner: RecordLine,
  outcome: RecordOutcome,
  warnsBeyondPct: number | null,
): RecordNote[] {
  if (outcome.kind === "refused") {
    const { code, message } = outcome;
    return [{ severity: "error", record: winner, code, message }];
  }
  if (outcome.kind !== "updated" && outcome.kind !== "inserted") return [];
  const moved = outcome.kind === "inserted" || warnsBeyondPct === null
    ? null
    : warningOfMove(outcome.before, outcome.after, warnsBeyondPct);
  return [...outcome.warnings, ...moved ? [moved] : []].map(warningFor(winner));
}

function warningFor(record: RecordLine): (warning: Warning) => RecordNote {
  return (warning) => ({ ...warning, severity: "warning", record });
}

function brokenBy(outcome: RecordOutcome): Warning | null {
  if (outcome.kind !== "updated" && outcome.kind !== "inserted") return null;
  const { after } = outcome;
  if (outcome.kind === "updated" && !isRepriced(outcome.before, after)) return null;
  const broken = brokenBound(after.ourPriceCents, after);
  if (broken === null) return null;
  const limit = showMoney(broken.limitCents, after.currency);
  const kind = broken.code === "below_min" ? "below the minimum" : "above the maximum";
  const value = showMoney(after.ourPriceCents ?? 0, after.currency);
  const message = `The price ${value} is ${kind} of its product, ${limit}: it is set anyway`;
  return { code: "price_out_of_bounds", message, value };
}

function linkWarnings({ refusedUrls }: BatchRecord, links: LinkPlan | null): Warning[] {
  const kept = (links?.keptOff ?? []).map((url): Warning => ({
    code: "link_kept_off",
    message:
      "The link stays disabled: a person disabled or removed it, or the product has too many links",
    value: url,
  }));
  const refused = refusedUrls.map((url): Warning => ({
    code: "invalid_url",
    message: "The link is not a public web address",
    value: url,
  }));
  // A record with thousands of links must not fill the commit with warnings.
  return [...kept, ...refused].slice(0, 100);
}

function duplicatesNote(winner: RecordLine): RecordNote {
  const message = `"${winner.sku}" is ${winner.losers + 1} times in the upload: the last record ` +
    "is used";
  return warningFor(winner)({ code: "duplicate_sku", message, value: winner.sku });
}

interface RecordNote extends Warning {
  readonly severity: Finding["severity"];
  readonly record: RecordLine;
}

function saveNotes({ job, tools, span }: ImportStep, notes: readonly RecordNote[]): void {
  for (const [n, { record, severity, code, message, value }] of notes.entries()) {
    const { index, line, sku } = record;
    const place = { index, file: span.files[record.file]?.name ?? null, line, sku, value };
    const finding = findingOf(severity, code, message, place);
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

/** In the result, `isCounted` is true if only links of the record at `position` remain. */
export async function walkRecords(step: ImportStep, sink: RecordSink) {
  const { job, tools } = step;
  const cursor = requireCursor(job);
  let { position, isCounted } = cursor;
  const { warnsBeyondPct } = cursor;
  const batch = await readBatch(step);
  const competitors = await sink.competitorsOf(batch);
  const idOf = newIds(job, tools);
  const isPlan = cursor.plan !== null;
  const stats = { ...(cursor.plan?.stats ?? job.stats) };
  const linksMax = isPlan ? Infinity : LINKS_PER_COMMIT;
  const isForGuards = isJudged(job);
  const question = { tools, batch, isForGuards, competitors, linksMax, warnsBeyondPct };
  const { mode, setting: { currency, timeZone } } = job.args;
  const setting = { mode, now: tools.now(), timeZone, currency };
  const slice = new TimeSlice();
  for (const record of batch.records) {
    const { winner, patch, before } = record;
    const outcome: RecordOutcome = patch === null
      ? { kind: "skipped" }
      : decideRecord(patch, before, setting, () => idOf(winner.index));
    const resolved = await resolveRecord(question, record, outcome, isCounted);
    const links = resolved.links && !isPlan ? costOfLinks(resolved.links) : {};
    if (!hasRoom(tools.write, links, { bytes: sink.pendingBytes })) break;
    await sink.put(resolved);
    isCounted = !resolved.isWhole;
    const { losers } = winner;
    const isRepeated = losers > 0 && !isCounted;
    const notes = isRepeated ? [...resolved.notes, duplicatesNote(winner)] : resolved.notes;
    for (const name of STAT_NAMES) stats[name] += resolved.stats[name] ?? 0;
    for (const { severity } of notes) stats[`${severity}Count`]++;
    if (!isForGuards) saveNotes(step, notes);
    if (isCounted) break;
    stats.skipped += losers;
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
