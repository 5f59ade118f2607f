/**
 * Reads the records of a partition with their products, and decides on each. The plan counts the
 * outcomes; the apply phase writes them.
 */
import { sha256 } from "../../base/bytes.ts";
import type { IndexRow } from "../../catalogue/products/index_row_store.ts";
import { isRepriced, type Product } from "../../catalogue/products/product.ts";
import type { StepTools } from "../../platform/jobs/job.ts";
import type { Context, WorkspaceStore } from "../../platform/store/context.ts";
import type { CommitCost, Write } from "../../platform/store/kv.ts";
import { type ImportJob, type ImportStats, STAT_NAMES } from "../state/import_job.ts";
import { APPLY_FROM, listFiles, saveFinding } from "../state/import_row_store.ts";
import type { RecordLine } from "../records/record_patch.ts";
import { firstSales, type SalesChange } from "../../catalogue/sales/sales_store.ts";
import type { CompetitorSet } from "../../shops/competitor_store.ts";
import { planProductLinks } from "../../shops/matches/link_plan.ts";
import { changesLinks, type LinkPlan } from "../../shops/matches/link_plan.ts";
import type { StoredOffers } from "../../shops/offers/offer_store.ts";
import { decideRecord, type RecordOutcome, type Warning } from "./decide_record.ts";
import { showMoney } from "../../base/money.ts";
import { brokenBound } from "../../base/price_doubts.ts";
import { listPriceChanges } from "../../catalogue/products/price_changes.ts";
import { TimeSlice } from "../../platform/event_loop.ts";
import { type Finding, findingOf } from "../files/source_file.ts";
import {
  type Batch,
  type ImportDeps,
  isJudged,
  readBatch,
  requireCursor,
  soldDaysOf,
  type Span,
  type TouchedRecord,
} from "./span.ts";
import { warningOfMove } from "./hold.ts";

const HISTORY_ROWS = 100;

function mayOverrule(
  { importHash }: IndexRow,
  { before, after }: { readonly before: Product; readonly after: Product },
): boolean {
  return before.ourPriceCents !== after.ourPriceCents && before.ourPriceCents !== null &&
    importHash === null;
}

/** Warns about a price that a rule, a proposal or a person set after the last import. */
async function findOverruledPrice(
  workspace: WorkspaceStore,
  indexRow: IndexRow,
  before: Product,
  after: Product,
): Promise<Warning | null> {
  if (before.ourPriceCents === null) return null;
  const stretch = { fromMs: 0, beforeMs: Number.MAX_SAFE_INTEGER };
  const [newest, ...older] = await listPriceChanges(workspace, before.id, stretch, HISTORY_ROWS);
  if (!newest || newest.source === "import") return null;
  const wasImported = indexRow.isFromImport || older.some(({ source }) => source === "import") ||
    newest.fromCents === after.ourPriceCents;
  if (!wasImported) return null;
  const was = showMoney(before.ourPriceCents, before.currency);
  const is = after.ourPriceCents === null ? "none" : showMoney(after.ourPriceCents, after.currency);
  return {
    code: "price_reverted",
    message: `The price ${was}, set by "${newest.source}", is replaced by ${is} from the file`,
    value: is,
  };
}

export interface ResolvedRecord {
  readonly record: TouchedRecord;
  readonly outcome: RecordOutcome;
  readonly links: LinkPlan | null;
  readonly sales: readonly SalesChange[];
  /** False if some links must wait for another commit. */
  readonly isWhole: boolean;
  readonly notes: readonly RecordNote[];
  readonly stats: Partial<ImportStats>;
}

interface ResolveTools {
  readonly tools: StepTools<ImportJob>;
  readonly batch: Batch;
  readonly isForGuards: boolean;
  readonly competitors: CompetitorSet | null;
  readonly linksMax: number;
  readonly warnsBeyondPct: number | null;
}

interface Reads extends Pick<ResolvedRecord, "links" | "isWhole"> {
  readonly overruled: Warning | null;
}

const NO_READS: Reads = { links: null, isWhole: true, overruled: null };

function readsFor(
  { tools, batch, competitors, linksMax }: ResolveTools,
  record: TouchedRecord,
  outcome: RecordOutcome,
): Promise<Reads> | null {
  const { indexRow, wanted } = record;
  const product = productOf(outcome);
  const linking = competitors && product !== null && wanted.length > 0
    ? planCut({ tools, batch, competitors, linksMax }, record, product.id)
    : null;
  const overruling = outcome.kind === "updated" && indexRow && mayOverrule(indexRow, outcome)
    ? findOverruledPrice(tools, indexRow, outcome.before, outcome.after)
    : null;
  if (linking === null && overruling === null) return null;
  return Promise.all([linking ?? NO_READS, overruling]).then(([links, overruled]) => ({
    ...links,
    overruled,
  }));
}

/** `isCounted`: an earlier commit wrote and counted the record. */
function resolveRecord(
  { batch, isForGuards, warnsBeyondPct }: ResolveTools,
  record: TouchedRecord,
  outcome: RecordOutcome,
  isCounted: boolean,
  { links, isWhole, overruled }: Reads,
): ResolvedRecord {
  const stats = isCounted ? {} : COUNTS[outcome.kind];
  if (isForGuards) return { record, outcome, links, isWhole, sales: [], notes: [], stats };
  const { winner } = record;
  const sales = salesOf(outcome, winner, batch);
  const notes = isCounted ? [] : notesOf(record, outcome, warnsBeyondPct);
  const broken = isCounted ? null : brokenBy(outcome);
  const warnings = [overruled, broken].filter((one) => one !== null);
  if (isWhole) warnings.push(...linkWarnings(record, links));
  notes.push(...warnings.map(warningFor(winner)));
  return {
    record,
    outcome,
    links,
    isWhole,
    sales,
    notes,
    stats: links === null && sales.length === 0 && warnings.length === 0 ? stats : {
      ...stats,
      competitorsLinked: links?.linked ?? 0,
      soldDays: soldDaysIn(sales),
      ...(overruled ? { reverted: 1 } : {}),
      ...(broken ? { beyondBounds: 1 } : {}),
    },
  };
}

function salesOf(
  outcome: RecordOutcome,
  winner: RecordLine,
  { sales }: Batch,
): readonly SalesChange[] {
  const product = productOf(outcome);
  if (winner.sold === "" || product === null) return [];
  if (outcome.kind === "inserted") return firstSales(product.id, soldDaysOf(winner));
  return sales.get(product.id) ?? [];
}

export function soldDaysIn(sales: readonly SalesChange[]): number {
  return sales.reduce((sum, { days }) => sum + days.length, 0);
}

/** Null if the record is refused or skipped, or deletes the product. */
export function productOf(outcome: RecordOutcome): Product | null {
  if (outcome.kind === "inserted" || outcome.kind === "updated") return outcome.after;
  return outcome.kind === "unchanged" ? outcome.before : null;
}

async function planCut(
  { tools, batch, competitors, linksMax }: Pick<ResolveTools, "tools" | "batch" | "linksMax"> & {
    readonly competitors: CompetitorSet;
  },
  record: TouchedRecord,
  productId: string,
): Promise<{ links: LinkPlan | null; isWhole: boolean }> {
  const links = await linksOf(tools, batch, record, productId, competitors);
  if (!links) return { links: null, isWhole: true };
  const changed = [...links.added, ...links.switched].map(({ urlHash }) => urlHash);
  if (changed.length <= linksMax) return { links, isWhole: true };
  const first = new Set(changed.slice(0, linksMax));
  const wanted = record.wanted.filter(({ target }) => first.has(target.urlHash));
  const cut = await linksOf(tools, batch, { wanted }, productId, competitors);
  return { links: cut, isWhole: false };
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
  { winner }: TouchedRecord,
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

function linkWarnings({ refusedUrls }: TouchedRecord, links: LinkPlan | null): Warning[] {
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
  // One record must not fill a commit with findings.
  return [...kept, ...refused].slice(0, 100);
}

function duplicatesNote(winner: RecordLine): RecordNote {
  const message = `"${winner.sku}" is ${winner.losers + 1} times in the upload: the last record ` +
    "is used";
  return warningFor(winner)({ code: "duplicate_sku", message, value: winner.sku });
}

export function writesRows({ outcome, links, sales }: ResolvedRecord): boolean {
  return (outcome.kind !== "skipped" && outcome.kind !== "refused") || sales.length > 0 ||
    (links !== null && changesLinks(links));
}

export interface RecordNote extends Warning {
  readonly severity: Finding["severity"];
  readonly record: RecordLine;
}

export function costOfNotes(count: number): CommitCost {
  return { checks: 0, mutations: count, keyBytes: 100 * count, bytes: 2_600 * count };
}

export async function saveNotes(
  write: Write,
  workspace: WorkspaceStore,
  jobId: string,
  notes: readonly RecordNote[],
): Promise<void> {
  if (notes.length === 0) return;
  const files = await listFiles(workspace, jobId);
  const counts = new Map<number, number>();
  for (const { record, severity, code, message, value } of notes) {
    const n = counts.get(record.index) ?? APPLY_FROM;
    counts.set(record.index, n + 1);
    const { index, line, sku } = record;
    const place = { index, file: files[record.file]?.name ?? null, line, sku, value };
    const finding = findingOf(severity, code, message, place);
    saveFinding(write, workspace, jobId, finding, n);
  }
}

export interface RecordSink {
  readonly before: ImportStats;
  readonly linksMax: number;
  /** Null without links. Includes unknown competitors. */
  competitorsOf(batch: Batch): CompetitorSet | null | Promise<CompetitorSet | null>;
  hasRoomFor(resolved: ResolvedRecord): boolean;
  /** Reads stored data that `put` needs. Null if the data is already in memory. */
  open?(product: Product): Promise<unknown> | null;
  put(resolved: ResolvedRecord): void;
  putLinks?(resolved: ResolvedRecord, links: LinkPlan): Promise<void>;
  hasRoomForSales(sales: readonly SalesChange[]): boolean;
  /** Writes sales of a record that does not change its product. */
  pass(winner: RecordLine, sales: readonly SalesChange[]): void;
  note(notes: readonly RecordNote[]): void;
}

interface Walk {
  readonly position: number;
  /** True if only links of the record at `position` are left. */
  readonly isCounted: boolean;
  readonly stats: ImportStats;
}

const RECORDS_PER_YIELD = 8;

export async function walkRecords(
  deps: ImportDeps,
  job: ImportJob,
  tools: StepTools<ImportJob>,
  span: Span,
  sink: RecordSink,
): Promise<Walk> {
  const cursor = requireCursor(job);
  let { position, isCounted } = cursor;
  const { warnsBeyondPct } = cursor;
  const batch = await readBatch(deps, job, tools, span, position);
  const competitors = await sink.competitorsOf(batch);
  const idOf = newIds(job, tools);
  const stats = { ...sink.before };
  const add = (more: Partial<ImportStats>, notes: readonly RecordNote[]) => {
    for (const name of STAT_NAMES) if (more[name]) stats[name] += more[name];
    for (const { severity } of notes) stats[`${severity}Count`]++;
  };
  const { linksMax } = sink;
  const isForGuards = isJudged(job);
  const question = { tools, batch, isForGuards, competitors, linksMax, warnsBeyondPct };
  const { mode, setting: { currency, timeZone } } = job.args;
  const setting = { mode, now: tools.now(), timeZone, currency };
  const slice = new TimeSlice();
  for (const { winner, touched } of batch.records) {
    if (touched === null) {
      const sales = batch.sales.get(span.indexRows.get(winner.sku)?.id ?? "") ?? [];
      if (!sink.hasRoomForSales(sales)) break;
      sink.pass(winner, sales);
      add({ skipped: isCounted ? 0 : 1, soldDays: soldDaysIn(sales) }, []);
    } else {
      const { patch, before } = touched;
      const outcome = decideRecord(patch, before, setting, () => idOf(winner.index));
      const reads = isForGuards ? null : readsFor(question, touched, outcome);
      const read = reads === null ? NO_READS : await reads;
      const resolved = resolveRecord(question, touched, outcome, isCounted, read);
      if (!sink.hasRoomFor(resolved)) break;
      const changed = writesRows(resolved) ? productOf(outcome) : null;
      const reading = changed && sink.open?.(changed);
      if (reading) await reading;
      sink.put(resolved);
      if (resolved.links) await sink.putLinks?.(resolved, resolved.links);
      add(resolved.stats, resolved.notes);
      isCounted = !resolved.isWhole;
      if (isCounted) break;
    }
    if (winner.losers > 0) {
      const note = duplicatesNote(winner);
      sink.note([note]);
      add({ skipped: winner.losers }, [note]);
    }
    isCounted = false;
    if (++position % RECORDS_PER_YIELD === 0) await slice.yield();
  }
  return { position, isCounted, stats };
}

/** With `idSeconds`, ids are in file order, and do not change if a batch is repeated. */
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

async function linksOf(
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
