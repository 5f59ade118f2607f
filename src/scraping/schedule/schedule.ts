/**
 * Plans the next fetch of each product's pages (docs/decisions/scraping.md). A commit that changes
 * a product or link, or switches a shop on or off, stores a mark. `keepSchedule` reads the marks
 * and plans the affected products.
 */
import {
  dueMarks,
  listScheduleMarks,
  markAwaited,
  markForSchedule,
  type MarkPlace,
  scheduleMarks,
} from "../../catalogue/products/change_log_store.ts";
import { eachApart } from "../../platform/jobs/work_loop.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import { type Store, transact, type Write } from "../../platform/store/kv.ts";
import { miscounts } from "../../shops/check_shops.ts";
import { competitors, switchedCompetitors } from "../../shops/competitor_store.ts";
import { defineStoreTable, defineTable, type Found } from "../../platform/store/table.ts";
import type { Match } from "../../shops/matches/match.ts";
import { placePages } from "../../shops/matches/match_store.ts";
import type { Offer } from "../../shops/offers/offer.ts";
import { findOffersOf } from "../../shops/offers/offer_store.ts";
import { HOUR_MS, msOrNull } from "../../base/time.ts";
import { findProduct } from "../../catalogue/products/product_store.ts";
import { domainOf } from "../../shops/domain.ts";
import {
  listLiveMatches,
  type LiveMatch,
  readProductLinks,
  saveProductLinks,
} from "../../shops/matches/list_matches.ts";
import { sha256 } from "../../base/bytes.ts";
import { endOutage, lastErrors, perDayMax, shopLoads } from "./health.ts";

const MARKS_PER_PASS = 5_000;
const MARKS_PER_STEP = 100;
const MARKED_PER_COMMIT = 200;

interface ScheduleKeeper {
  readonly store: Store;
  readonly delayMs: number;
  now(): Date;
  newId(): string;
}

/** Calls `afterStep` after every 100 planned products, because planning all can take minutes. */
export async function keepSchedule(
  keeper: ScheduleKeeper,
  afterStep: () => Promise<void> = () => Promise.resolve(),
): Promise<void> {
  const { store } = keeper;
  const switched = await Array.fromAsync(switchedCompetitors.walkAll(store));
  await eachApart("mark products", switched, (one) => markProductsOf(keeper, one));
  const marks = await listScheduleMarks(store, MARKS_PER_PASS);
  for (let at = 0; at < marks.length; at += MARKS_PER_STEP) {
    const step = marks.slice(at, at + MARKS_PER_STEP);
    await eachApart("schedule", step, (mark) => reschedule(keeper, mark));
    await afterStep();
  }
}

type Switched = Found<{ readonly id: string }> & Pick<WorkspaceStore, "workspaceId">;

/** Removes the `switchedCompetitors` row last, so that the function runs again after a crash. */
async function markProductsOf(keeper: ScheduleKeeper, switched: Switched): Promise<void> {
  const { store } = keeper;
  const { workspaceId, row: { id } } = switched;
  const workspace = { ...keeper, workspaceId };
  for await (const places of placePages(workspace, id, MARKED_PER_COMMIT)) {
    const productIds = [...new Set(places.map(({ productId }) => productId))];
    await transact({ store }, async (write) => {
      const resumed = await resumedAt(workspace, id, productIds);
      for (const productId of productIds) {
        if (resumed.has(productId)) markAwaited(write, workspaceId, productId);
        else markForSchedule(write, workspaceId, productId);
      }
    });
  }
  await transact({ store }, async (write) => {
    const found = await switchedCompetitors.find(workspace, { id });
    if (found?.versionstamp !== switched.versionstamp) return;
    switchedCompetitors.remove(write, workspace, found);
    const shop = await competitors.find(workspace, { id });
    const error = await lastErrors.find(workspace, { competitorId: id });
    if (shop?.row.enabled === false && error) endOutage(write, workspace, error, shop.row);
  });
}

async function resumedAt(
  workspace: WorkspaceStore,
  competitorId: string,
  productIds: readonly string[],
): Promise<ReadonlySet<string>> {
  const shop = await competitors.find(workspace, { id: competitorId });
  if (!shop?.row.enabled) return new Set();
  const rows = await findOffersOf(workspace, productIds);
  const isOn = (offer: Offer) => offer.competitorId === competitorId && offer.enabled;
  return new Set(rows.flatMap(({ productId, offers }) => offers.some(isOn) ? [productId] : []));
}

async function reschedule(keeper: ScheduleKeeper, mark: MarkPlace) {
  const { store, delayMs, now } = keeper;
  const { workspaceId, productId } = mark;
  const workspace = { store, workspaceId };
  await transact({ store }, async (write) => {
    const current = await scheduleMarks.find({ store }, mark);
    if (!current) return;
    const stored = await schedules.find(workspace, { productId });
    const nowMs = now().getTime();
    const question = { productId, before: stored?.row ?? null, nowMs, delayMs, tried: null };
    // `dueMarks` needs no version check, because `markAwaited` also changes `scheduleMarks`.
    const isAwaited = await dueMarks.find({ store }, mark) !== null;
    const after = await planDue(workspace, { ...question, isAwaited });
    scheduleMarks.remove(write, {}, current);
    dueMarks.drop(write, {}, mark);
    if (stored || after) saveDue(write, workspaceId, productId, stored, after);
    if (!after) await endFailures(write, { ...keeper, workspaceId }, productId);
  });
}

async function endFailures(
  write: Write,
  workspace: WorkspaceStore & ScheduleKeeper,
  productId: string,
) {
  const links = await readProductLinks(workspace, productId);
  if (!links || links.found.product.deletedAt === null) return;
  const { offers } = links.offers;
  const after = offers.map((offer) =>
    offer.failingSinceMs === null ? offer : { ...offer, failingSinceMs: null }
  );
  if (after.some((offer, at) => offer !== offers[at])) {
    await saveProductLinks(write, workspace, links, after);
  }
}

interface DueQuestion {
  readonly productId: string;
  readonly before: DueProduct | null;
  readonly nowMs: number;
  readonly delayMs: number;
  /** Set after a run: true for links that the run visited and that have not changed since. */
  readonly tried: ((match: Match) => boolean) | null;
  readonly isAwaited?: boolean;
}

export async function planDue(
  workspace: WorkspaceStore,
  question: DueQuestion,
): Promise<DueProduct | null> {
  const { productId, before, nowMs, delayMs, tried, isAwaited = false } = question;
  const product = (await findProduct(workspace, productId))?.product;
  const live = product?.scrapeEnabled ? await listLiveMatches(workspace, productId) : [];
  if (!product || live.length === 0) return null;
  const intervalHours = product.scrapeIntervalHours;
  const load = loadOf(intervalHours, live.flatMap(targetOf));
  const baseMs = tried ? nowMs : before?.baseMs ?? msOrNull(product.lastScrapedAt) ?? nowMs;
  const plan = { productId, baseMs, intervalHours, load };
  if (isAwaited || live.some((one) => isUnseen(one, tried))) return { ...plan, dueAtMs: nowMs };
  const isAsBefore = tried === null && before?.intervalHours === intervalHours;
  if (isAsBefore) return { ...plan, dueAtMs: before.dueAtMs };
  const stretch = stretchOf(await loadsOf(workspace, before?.load ?? null, load), delayMs);
  const dueAtMs = dueAfter(productId, { baseMs, intervalHours, stretch });
  return { ...plan, dueAtMs: Math.max(dueAtMs, nowMs) };
}

function targetOf({ match, competitor }: LiveMatch) {
  const url = URL.parse(match.url);
  return url ? [{ domain: domainOf(url), competitorId: competitor.id }] : [];
}

function isUnseen({ match, offer }: LiveMatch, tried: DueQuestion["tried"]): boolean {
  return offer.status === null && match.visit === undefined && !tried?.(match);
}

async function loadsOf(
  { store }: WorkspaceStore,
  before: Load | null,
  { domains }: Load,
): Promise<number[]> {
  const names = Object.keys(domains);
  const sums = await domainLoads.getMany({ store }, names.map((domain) => ({ domain })));
  return names.map((name, at) =>
    (sums[at]?.row.load ?? 0) - (before?.domains[name] ?? 0) + (domains[name] ?? 0)
  );
}

/** Number of fetches per day by domain and by competitor, in thousandths of a fetch. */
interface Load {
  readonly domains: Readonly<Record<string, number>>;
  readonly competitors: Readonly<Record<string, number>>;
}

export interface DueProduct {
  readonly productId: string;
  readonly dueAtMs: number;
  readonly baseMs: number;
  readonly intervalHours: number;
  readonly load: Load;
}

const BUCKETS = 16;

export interface DueRow extends Pick<DueProduct, "productId" | "dueAtMs"> {
  readonly workspaceId: string;
}

type PlacedDueRow = DueRow & { readonly bucket: number };

/** Keys do not begin with the workspace: due products of all workspaces are read together. */
const dueRows = defineStoreTable<PlacedDueRow, keyof PlacedDueRow>({
  prefix: "due",
  about: "empty, a product whose pages are due at this time",
  key: { bucket: "number", dueAtMs: "number", workspaceId: "id", productId: "id" },
  codec: { encode: () => new Uint8Array(), decode: () => ({}) },
});

export const schedules = defineTable<DueProduct, "productId">({
  prefix: "ds",
  about: "when and how often a product's pages are visited, and its part of the loads `dc`, `dl`",
  key: { productId: "id" },
  check: async (due, workspace) => {
    const row = await dueRows.find(workspace, placed({ ...due, ...workspace }));
    return row === null ? `Product ${due.productId} is never found to be due` : null;
  },
});

export const domainLoads = defineStoreTable<{ domain: string; load: number }, "domain">({
  prefix: "dl",
  about: "u64, due fetches per day of the domain for all workspaces, in thousandths",
  key: { domain: "text" },
  value: "load",
});

function placed({ workspaceId, productId, dueAtMs }: DueRow): PlacedDueRow {
  const bucket = parseInt(productId.slice(-2), 16) % BUCKETS;
  return { bucket, dueAtMs, workspaceId, productId };
}

export function saveDue(
  write: Write,
  workspaceId: string,
  productId: string,
  found: Found<DueProduct> | null,
  after: DueProduct | null,
): void {
  const owner = { workspaceId };
  const before = found?.row ?? null;
  if (after) schedules.save(write, owner, found, after);
  else {
    schedules.check(write, owner, { productId }, found);
    if (before) schedules.drop(write, owner, before);
  }
  if (before && before.dueAtMs !== after?.dueAtMs) dropDueRow(write, { ...before, workspaceId });
  if (after) dueRows.put(write, {}, placed({ ...after, workspaceId }));
  if (before) addLoad(write, workspaceId, before.load, -1);
  if (after) addLoad(write, workspaceId, after.load, 1);
}

export function dropDueRow(write: Write, row: DueRow): void {
  dueRows.drop(write, {}, placed(row));
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

export async function* walkDue(store: Store, nowMs: number, max: number): AsyncGenerator<DueRow> {
  for (let bucket = 0; bucket < BUCKETS; bucket++) {
    const rows: DueRow[] = [];
    // Read more rows than `max`, because the first rows may all belong to one workspace.
    const range = { within: { bucket }, before: { dueAtMs: nowMs + 1 }, limit: 20 * max };
    for await (const { row } of dueRows.walk({ store }, range)) rows.push(row);
    yield* roundRobin(rows).slice(0, max);
  }
}

function roundRobin(rows: readonly DueRow[]): DueRow[] {
  const counts = new Map<string, number>();
  const placed = rows.map((row) => {
    const round = counts.get(row.workspaceId) ?? 0;
    counts.set(row.workspaceId, round + 1);
    return { row, round };
  });
  return placed.sort((a, b) => a.round - b.round).map(({ row }) => row);
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

export function stretchOf(loads: readonly number[], delayMs: number): number {
  const fits = perDayMax(delayMs) * MILLI;
  return Math.max(1, ...loads.map((load) => load / fits));
}

/** Adds `intervalHours * stretch`, varied by up to 10 %, to `baseMs`; the result is not random. */
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

/** Finds stored sums of planned fetches that contradict the schedules (docs/decisions/keys.md). */
export async function* checkSchedules(store: Store, workspaceId: string): AsyncGenerator<string> {
  const workspace = { store, workspaceId };
  const loads = new Map<string, number>();
  for await (const { row } of schedules.walk(workspace)) {
    for (const [id, load] of Object.entries(row.load.competitors)) {
      loads.set(id, (loads.get(id) ?? 0) + load);
    }
  }
  const sums = (await shopLoads.list(workspace)).map(({ row }) => row);
  const counted = new Map(sums.map(({ competitorId, load }) => [competitorId, load]));
  yield* miscounts(loads, counted, "thousandths of due fetches");
}
