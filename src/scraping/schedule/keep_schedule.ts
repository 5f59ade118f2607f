/**
 * Plans when each product is fetched next. A commit that changes a product, link or shop only marks
 * the products, and a later pass plans the marked products. Intervals grow if a domain has too many
 * pages to be fetched in time (docs/decisions/scraping.md).
 */
import {
  dueMarks,
  listScheduleMarks,
  markAwaited,
  markForSchedule,
  type MarkPlace,
  scheduleMarks,
} from "../../catalogue/products/schedule_mark_store.ts";
import { eachApart } from "../../platform/jobs/work_loop.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import { type Store, transact, type Write } from "../../platform/store/kv.ts";
import { competitors, switchedCompetitors } from "../../shops/competitor_store.ts";
import type { Found } from "../../platform/store/table.ts";
import { listPlaces } from "../../shops/matches/match_store.ts";
import { readProductLinks, saveProductLinks } from "../../shops/matches/list_matches.ts";
import type { Offer } from "../../shops/offers/offer.ts";
import { findOffersOf, walkOffers } from "../../shops/offers/offer_store.ts";
import {
  domainLoads,
  dueAfter,
  type DueProduct,
  findDue,
  type Load,
  loadOf,
  saveDue,
  stretchOf,
} from "./schedule_store.ts";
import { msOrNull } from "../../base/time.ts";
import { findProduct } from "../../catalogue/products/product_store.ts";
import { domainOf } from "../../shops/domain.ts";
import { listLiveMatches, type LiveMatch } from "../../shops/matches/competitor_prices.ts";

const MARKS_PER_PASS = 5_000;
const MARKED_PER_COMMIT = 200;

interface ScheduleKeeper {
  readonly store: Store;
  readonly delayMs: number;
  now(): Date;
  newId(): string;
}

/** Returns the number of planned products. */
export async function keepSchedule(keeper: ScheduleKeeper): Promise<number> {
  const { store } = keeper;
  const switched = await Array.fromAsync(switchedCompetitors.walkAll(store));
  await eachApart("mark products", switched, (one) => markProductsOf(store, one));
  const marks = await listScheduleMarks(store, MARKS_PER_PASS);
  await eachApart("schedule", marks, (mark) => reschedule(keeper, mark));
  return marks.length;
}

type Switched = Found<{ readonly id: string }> & Pick<WorkspaceStore, "workspaceId">;

/** Removes the shop's mark last, so that a crash leaves no product without a mark. */
async function markProductsOf(store: Store, switched: Switched): Promise<void> {
  const { workspaceId, row: { id } } = switched;
  let after: string | null = null;
  for (;;) {
    const places = await listPlaces({ store, workspaceId }, id, after, MARKED_PER_COMMIT);
    const last = places.at(-1);
    if (!last) break;
    after = last.matchId;
    const productIds = [...new Set(places.map(({ productId }) => productId))];
    await transact({ store }, async (write) => {
      const resumed = await resumedAt({ store, workspaceId }, id, productIds);
      for (const productId of productIds) {
        if (resumed.has(productId)) markAwaited(write, workspaceId, productId);
        else markForSchedule(write, workspaceId, productId);
      }
    });
  }
  await transact({ store }, async (write) => {
    const found = await switchedCompetitors.find({ store, workspaceId }, { id });
    const isSame = found?.versionstamp === switched.versionstamp;
    if (isSame) switchedCompetitors.remove(write, { workspaceId }, found);
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
    const stored = await findDue(workspace, productId);
    const nowMs = now().getTime();
    const question = { productId, before: stored.due, nowMs, delayMs, tried: null };
    // If `markAwaited` writes the mark meanwhile, this commit fails.
    const isAwaited = await dueMarks.find({ store }, mark) !== null;
    const after = await planDue(workspace, { ...question, isAwaited });
    scheduleMarks.remove(write, {}, current);
    dueMarks.drop(write, {}, mark);
    if (stored.due || after) saveDue(write, workspaceId, productId, stored, after);
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

/** Marks products that should be fetched but are not planned. Returns their number. */
export async function healSchedule(workspace: WorkspaceStore): Promise<number> {
  let count = 0;
  for await (const { productId, offers } of walkOffers(workspace)) {
    if (!offers.some(({ enabled }) => enabled)) continue;
    if ((await findDue(workspace, productId)).due) continue;
    await transact(workspace, (write) => {
      markForSchedule(write, workspace.workspaceId, productId);
    });
    count++;
  }
  return count;
}

interface DueQuestion {
  readonly productId: string;
  readonly before: DueProduct | null;
  readonly nowMs: number;
  readonly delayMs: number;
  /** Null if no run ends. */
  readonly tried: ReadonlySet<string> | null;
  /** True if a link or a shop is active again after a pause. */
  readonly isAwaited?: boolean;
}

/** Null if the product is no longer fetched. */
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
  const plan = { baseMs, intervalHours, load };
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

function isUnseen({ match, offer }: LiveMatch, tried: ReadonlySet<string> | null): boolean {
  return offer.status === null && match.visit === undefined && !tried?.has(match.id);
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
