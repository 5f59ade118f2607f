/**
 * Undoes an import in steps, each of which restores some products in one commit. A field, price or
 * attribute gets its previous value back only if it still has the value that the import wrote.
 */
import { monthOf } from "../../base/time.ts";
import {
  findIndexRows,
  type IndexRow,
  marksOf,
  putIndexRowMarks,
} from "../../catalogue/products/index_row_store.ts";
import { isRepriced, type Product, shard, stampChange } from "../../catalogue/products/product.ts";
import { AMOUNT_NAMES } from "../../catalogue/products/product_field_table.ts";
import { type SalesChange, unpackMonth } from "../../catalogue/sales/sale.ts";
import type { Match } from "../../shops/matches/match.ts";
import { findOffersOf, putOffers } from "../../shops/offers/offer_store.ts";
import {
  NO_IMPACT,
  NO_STATS,
  NO_UNDO_COUNTS,
  type UndoArgs,
  type UndoCounts,
  type UndoCursor,
  type UndoJob,
} from "../state/import_job.ts";
import {
  isOfNewProduct,
  type Kept,
  KEPT_MESSAGES,
  KEPT_PRODUCT,
  keptPart,
  partsOf,
  readUndoCommit,
  salesToSetBack,
  type Step,
  type UndoEntry,
  valueOfDay,
  withParts,
} from "../state/undo_store.ts";
import { requireWorkspace, type Workspace } from "../../accounts/workspace.ts";
import { sumOf } from "../../base/collections.ts";
import { findRefusal } from "../../catalogue/changes/write_change.ts";
import { productsById } from "../../catalogue/products/product_store.ts";
import { findSalesRows, putSalesChange } from "../../catalogue/sales/sales.ts";
import type { StepResult, StepTools } from "../../platform/jobs/job.ts";
import type { WorkspaceStore } from "../../platform/store/context.ts";
import { COMMIT_MAX } from "../../platform/store/kv.ts";
import { type Competitor, competitorsById } from "../../shops/competitor_store.ts";
import { findMatchesAt, removeMatch, saveMatch } from "../../shops/matches/match_store.ts";
import type { Offer } from "../../shops/offers/offer.ts";
import { findingOf } from "../files/source_file.ts";
import { APPLY_FROM, saveFinding } from "../state/import_row_store.ts";
import { readVersionCounters, StaleBatch } from "./span.ts";
import { ProductWrites } from "./apply_step.ts";
import { addToImpact } from "./hold.ts";
import { hasRoom } from "./resolve_record.ts";
import { isDeepStrictEqual } from "node:util";

interface LinkReturn {
  readonly match: Match;
  /** True if the link was enabled before the import; null if the import created the link. */
  readonly isOn: boolean | null;
}

interface UndoPlace {
  readonly product: Product;
  readonly indexRow: IndexRow;
  readonly offers: readonly Offer[];
  /** The links of all products that the step restores, by the ids of the links. */
  readonly matches: ReadonlyMap<string, Match>;
  readonly sales: ReadonlyMap<number, Uint8Array>;
}

type ImportSpan = Pick<UndoArgs, "beganAt" | "endedAt">;

interface UndoOutcome {
  readonly after: Product | null;
  readonly action: "setBack" | "deleted" | "restored" | null;
  readonly links: readonly LinkReturn[];
  readonly sales: readonly SalesChange[];
  readonly kept: readonly Kept[];
}

const NO_OUTCOME: UndoOutcome = { after: null, action: null, links: [], sales: [], kept: [] };

function decideUndo(
  entry: UndoEntry,
  place: UndoPlace,
  span: ImportSpan,
  now: Date,
  keepsPrice = false,
): UndoOutcome {
  const { product } = place;
  const isNew = isOfNewProduct(entry);
  if (isNew && product.deletedAt !== null) return NO_OUTCOME;
  if (isNew && !isUntouched(entry, place, span)) return { ...NO_OUTCOME, kept: [KEPT_PRODUCT] };
  const isOfNew = product.deletedAt === null && product.createdAt >= span.beganAt;
  if (entry.atMs === null && isOfNew) return NO_OUTCOME;
  const kept: Kept[] = [];
  const back = partsToSetBack(entry, place, keepsPrice, kept);
  const draft = withParts(product, back, kept);
  const sales = salesToSetBack(product.id, place.sales, back);
  const links = linksToSetBack(entry, place, kept);
  const distinct = new Map(kept.map((one) => [JSON.stringify(one), one]));
  const rest = { links, sales, kept: isNew ? [] : [...distinct.values()] };
  if (draft === product) return { ...rest, after: null, action: null };
  const after = stampChange(product, draft, now);
  if (!back.has("deletedAt")) return { ...rest, after, action: "setBack" };
  if (draft.deletedAt === null) return { ...rest, after, action: "restored" };
  return { ...rest, after: { ...after, deletedAt: after.updatedAt }, action: "deleted" };
}

function isUntouched(
  { atMs }: UndoEntry,
  { product, offers, matches }: UndoPlace,
  { beganAt, endedAt }: ImportSpan,
): boolean {
  if (Date.parse(product.updatedAt) !== atMs) return false;
  return offers.every(({ matchId }) => {
    const match = matches.get(matchId);
    if (match === undefined || match.source === "manual") return false;
    if (match.updatedAt !== match.createdAt) return false;
    return match.source === "push" || (match.createdAt >= beganAt && match.createdAt <= endedAt);
  });
}

function partsToSetBack(
  entry: UndoEntry,
  { product, sales }: UndoPlace,
  keepsPrice: boolean,
  kept: Kept[],
): Map<string, unknown> {
  const now = partsOf(product);
  for (const [month, row] of sales) {
    for (const day of unpackMonth(month, row)) now.set(`units:${day.date}`, valueOfDay(day));
  }
  const back = new Map<string, unknown>();
  for (const step of entry.steps) {
    const [part, from] = step;
    const is = now.get(part) ?? null;
    if (isDeepStrictEqual(is, from)) continue;
    if (part === "deletedAt" && from !== null && is !== null) continue;
    // If our current price stays, the tier prices stay too, because our price may be one of them.
    if (keepsPrice && part.startsWith("prices:")) continue;
    const isBound = keepsPrice && (part === "currency" || part === "ourPriceCents");
    if (isBound) kept.push({ ...keptPart("ourPriceCents", product, null), code: "kept_bound" });
    else if (isAsWritten(step, is, entry, product)) back.set(part, from);
    else kept.push(keptPart(part, product, is));
  }
  return back;
}

function isAsWritten(
  [part, , to]: Step,
  is: unknown,
  { atMs, currency }: UndoEntry,
  product: Product,
): boolean {
  if (!isDeepStrictEqual(is, to)) return false;
  const isOfImport = (time: string | null) => time !== null && Date.parse(time) === atMs;
  // A person may have set the same amount after the import, so the price's time is compared.
  const isPriceOfImport = isOfImport(product.ourPriceUpdatedAt);
  switch (part) {
    case "deletedAt":
      return to !== null || isOfImport(product.updatedAt);
    case "currency":
      return product.ourPriceCents === null || isPriceOfImport;
    case "ourPriceCents":
      return product.currency === currency && isPriceOfImport;
    default:
      return product.currency === currency || !AMOUNT_NAMES.some((name) => name === part);
  }
}

function linksToSetBack(
  { links }: UndoEntry,
  { matches }: UndoPlace,
  kept: Kept[],
): LinkReturn[] {
  return links.flatMap(([matchId, wasEnabled]) => {
    const match = matches.get(matchId);
    if (!match || match.enabled === wasEnabled) return [];
    const isAsWritten = wasEnabled === null
      ? match.updatedAt === match.createdAt
      : !wasEnabled || match.disabledBy === "import";
    if (isAsWritten) return [{ match, isOn: wasEnabled }];
    kept.push({ code: "kept_link", field: "competitors", value: match.url });
    return [];
  });
}

const BEGINNING: UndoCursor = { row: 0, position: 0, counts: NO_UNDO_COUNTS, impact: NO_IMPACT };

export async function undoStep(
  job: UndoJob,
  tools: StepTools<UndoJob>,
): Promise<StepResult<UndoJob>> {
  const cursor = job.cursor ?? BEGINNING;
  const { args } = job;
  const commit = await readUndoCommit(tools, args.undoes, cursor.row);
  if (commit === null) return endUndo(job, cursor);
  const asked = commit.entries.slice(cursor.position);
  const scene = await readUndoScene(tools, asked);
  const products = new ProductWrites(tools, job);
  const workspace = await requireWorkspace(tools);
  const counts = { ...cursor.counts };
  const impact = { ...cursor.impact };
  let { warningCount } = job.stats;
  let done = 0;
  for (const entry of scene.entries) {
    const place = scene.places.get(entry.productId);
    const outcome = place ? await outcomeOf(entry, place, job, tools, workspace) : NO_OUTCOME;
    const { after, action, links, kept } = outcome;
    const costs = [...links.map(() => LINK_COST_MAX), ...kept.map(() => FINDING_COST_MAX)];
    if (done > 0 && !hasRoom(tools.write, ...costs)) break;
    if (place) {
      const { product } = place;
      const of = { index: counts.entries, sku: product.sku };
      for (const [n, { code, ...what }] of kept.entries()) {
        const finding = findingOf("warning", code, KEPT_MESSAGES[code], { ...of, ...what });
        saveFinding(tools.write, tools, job.jobId, finding, APPLY_FROM + n);
      }
      if (!args.isDryRun) putBack(tools, products, place, outcome, scene.competitors);
      else if (after && action !== "deleted") addToImpact(impact, product, after, workspace);
    }
    count(counts, place?.product ?? null, outcome);
    warningCount += kept.length;
    done++;
  }
  scene.versionCounters.check(tools, products.close());
  const position = cursor.position + done;
  const isOver = position === commit.entries.length;
  const next = isOver ? { row: commit.nextRow, position: 0 } : { row: cursor.row, position };
  const { entries, setBack, deleted, restored } = counts;
  const updated = setBack + deleted + restored;
  return {
    phase: "undo",
    cursor: { ...next, counts, impact },
    stats: { ...NO_STATS, updated, skipped: entries - updated, removed: deleted, warningCount },
    progress: { processed: entries, total: args.entries },
  };
}

function count(
  counts: { -readonly [Name in keyof UndoCounts]: number },
  product: Product | null,
  { after, action, links, sales, kept }: UndoOutcome,
): void {
  counts.entries++;
  if (action !== null) counts[action]++;
  if (product && after && after.ourPriceUpdatedAt !== product.ourPriceUpdatedAt) counts.prices++;
  counts.links += links.length;
  counts.soldDays += sumOf(sales, ({ days }) => days.length);
  if (kept.length > 0) counts.kept++;
}

async function outcomeOf(
  entry: UndoEntry,
  place: UndoPlace,
  { args, createdBy }: UndoJob,
  tools: StepTools<UndoJob>,
  workspace: Workspace,
): Promise<UndoOutcome> {
  const decide = (keepsPrice: boolean) => decideUndo(entry, place, args, tools.now(), keepsPrice);
  const outcome = decide(false);
  const { after, action } = outcome;
  const isPriced = action === "setBack" && after !== null && isRepriced(place.product, after);
  if (createdBy.type !== "user" || !isPriced) return outcome;
  const refusal = await findRefusal(tools, after, args.reason ?? null, workspace);
  return refusal === null ? outcome : decide(true);
}

function endUndo({ args }: UndoJob, { counts }: UndoCursor): StepResult<UndoJob> {
  if (counts.entries === args.entries) return { end: { status: "succeeded" } };
  const message = "The data for the undo has expired: the remaining changes stay";
  return { end: { status: "failed", error: { code: "conflict", message } } };
}

const LINK_COST_MAX = { mutations: 8, keyBytes: 1_100, bytes: 10_400 };
const FINDING_COST_MAX = { mutations: 1, keyBytes: 100, bytes: 700 };

function putBack(
  { write, workspaceId, now }: StepTools<UndoJob>,
  products: ProductWrites,
  { product, indexRow, offers }: UndoPlace,
  { after, links, sales }: UndoOutcome,
  competitors: ReadonlyMap<string, Competitor>,
): void {
  if (after === null && links.length + sales.length === 0) return;
  for (const change of sales) putSalesChange(write, workspaceId, change);
  const marks = { ...marksOf(indexRow), importHash: null };
  if (after !== null) {
    products.put({ before: { product, marks: indexRow }, after: { product: after, marks } });
  } else {
    putIndexRowMarks(write, workspaceId, product, marks);
    products.touchShard(product.sku);
  }
  if (links.length === 0) return;
  const at = now().toISOString();
  const returns = new Map(links.map((link) => [link.match.id, link]));
  const left = offers.flatMap((offer): Offer[] => {
    const { match, isOn } = returns.get(offer.matchId) ?? {};
    if (match === undefined || isOn === undefined) return [offer];
    if (isOn === null) {
      const { displayName = "", domain = "" } = competitors.get(match.competitorId) ?? {};
      const removed = { match, competitor: { displayName, domain }, removedAt: at };
      // The removal is stored as made by the import, so that a later import may add the link again.
      removeMatch(write, workspaceId, { ...removed, removedBy: "import" }, offer.urlHash);
      return [];
    }
    const state = { enabled: isOn, disabledBy: isOn ? null : "import" as const };
    saveMatch(write, workspaceId, { ...match, ...state, updatedAt: at }, offer.urlHash);
    return [{ ...offer, ...state }];
  });
  const moved = { before: offers, after: left };
  putOffers(write, workspaceId, product, moved);
  products.noteLinks(product, moved);
}

/**
 * Each shard (part of the catalogue) needs two of a commit's version checks, and the job needs one.
 */
const SHARDS_MAX = Math.floor((COMMIT_MAX.checks - 1) / 2);

async function readUndoScene(workspace: WorkspaceStore, asked: readonly UndoEntry[]) {
  const known = await productsById(workspace, asked.map(({ productId }) => productId));
  const shards = new Set<number>();
  const chosen: UndoEntry[] = [];
  for (const entry of asked) {
    const product = known.get(entry.productId);
    if (product && !shards.has(shard(product.sku))) {
      if (shards.size === SHARDS_MAX) break;
      shards.add(shard(product.sku));
    }
    chosen.push(entry);
  }
  const versionCounters = await readVersionCounters(workspace, [...shards]);
  const products = await productsById(workspace, chosen.map(({ productId }) => productId));
  const isMoved = [...products.values()].some(({ sku }) => !shards.has(shard(sku)));
  if (isMoved) throw new StaleBatch();
  const places = await readPlaces(workspace, chosen, products);
  const competitors = await competitorsById(workspace);
  return { entries: chosen, places, competitors, versionCounters };
}

async function readPlaces(
  workspace: WorkspaceStore,
  entries: readonly UndoEntry[],
  products: ReadonlyMap<string, Product>,
): Promise<Map<string, UndoPlace>> {
  const indexRows = await findIndexRows(workspace, [...products.values()].map(({ sku }) => sku));
  const linked = entries.filter((entry) => entry.links.length > 0 || isOfNewProduct(entry));
  const rows = await findOffersOf(workspace, linked.map(({ productId }) => productId));
  const offers = new Map(rows.map((row) => [row.productId, row]));
  const links = rows.flatMap(({ productId, offers }) =>
    offers.map(({ matchId, urlHash }) => ({ matchId, productId, urlHash }))
  );
  const found = await findMatchesAt(workspace, links);
  const matches = new Map(found.map(({ match }) => [match.id, match]));
  const sales = await findSales(workspace, entries);
  const places = new Map<string, UndoPlace>();
  for (const [id, product] of products) {
    const indexRow = indexRows.get(product.sku);
    if (indexRow?.id !== id) throw new StaleBatch();
    places.set(id, {
      product,
      indexRow,
      offers: offers.get(id)?.offers ?? [],
      matches,
      sales: sales.get(id) ?? new Map(),
    });
  }
  return places;
}

async function findSales(workspace: WorkspaceStore, entries: readonly UndoEntry[]) {
  const places = entries.flatMap(({ productId, steps }) => {
    const days = steps.flatMap(([part]) => part.startsWith("units:") ? [part.slice(6)] : []);
    return [...new Set(days.map(monthOf))].map((month) => ({ productId, month }));
  });
  const rows = await findSalesRows(workspace, places);
  const found = new Map<string, Map<number, Uint8Array>>();
  for (const [at, { productId, month }] of places.entries()) {
    const row = rows[at];
    if (row) found.getOrInsertComputed(productId, () => new Map()).set(month, row);
  }
  return found;
}
