/** Creates many links in one commit, for products of a few shards. */
import { type Failure, noSuch } from "../../base/failure.ts";
import {
  findIndexRows,
  type IndexRow,
  marksOf,
  putIndexRowMarks,
} from "../../catalogue/products/index_row_store.ts";
import { offerVersions, productVersions } from "../../catalogue/products/product_mark_store.ts";
import { findDocuments } from "../../catalogue/products/product_store.ts";
import { parseProduct } from "../../catalogue/products/product.ts";
import { publish } from "../../platform/events/outbox_store.ts";
import type { OutboxEvent } from "../../platform/events/event.ts";
import type { Context, WorkspaceStore } from "../../platform/store/context.ts";
import { COMMIT_MAX, shareOfCommit, transact, type Write } from "../../platform/store/kv.ts";
import { checkCompetitorSet, type CompetitorSet } from "../competitor_store.ts";
import { requireDomains } from "../require_competitors.ts";
import type { Offer } from "../offers/offer.ts";
import { findOffersOf, putOffers, type StoredOffers } from "../offers/offer_store.ts";
import { noRoom, putNewMatch } from "./change_match.ts";
import { changesLinks, type LinkPlan, planLinks, type WantedLink } from "./link_plan.ts";
import { type Match, MATCHES_PER_PRODUCT_MAX, type Visit } from "./match.ts";
import { addMatch, findMatchesAt, findRemovals, saveMatch } from "./match_store.ts";
import type { MatchTarget } from "../domain.ts";

export interface PlacedLink {
  readonly index: number;
  readonly sku: string;
  readonly shard: number;
  readonly target: MatchTarget;
  readonly packFactor: number | undefined;
}

/** A commit needs two checks per shard (products, offers), and one for the set of competitors. */
export const SHARDS_PER_BATCH = Math.floor((COMMIT_MAX.checks - 1) / 2);

export type BatchOutcome =
  | { readonly kind: "created"; readonly id: string }
  | { readonly kind: "known"; readonly id: string; readonly packFactor: number | undefined }
  | { readonly kind: "refused"; readonly failure: Failure };

interface LinkedBatch {
  readonly outcomes: ReadonlyMap<number, BatchOutcome>;
  readonly left: readonly PlacedLink[];
}

/** Part of a commit that must be free for one more link. */
const NEXT_LINK = shareOfCommit(0.15);

export async function linkBatch(
  ctx: Context,
  batch: readonly PlacedLink[],
  visit: Visit | undefined,
): Promise<LinkedBatch> {
  return await transact(ctx, async (write) => {
    const { workspaceId } = ctx;
    const shards = [...new Set(batch.map((link) => link.shard))];
    const ofProducts = await productVersions.find(ctx, shards);
    const ofOffers = await offerVersions.find(ctx, shards);
    const outcomes = new Map<number, BatchOutcome>();
    const groups = await readGroups(ctx, batch, outcomes);
    const unlinked = groups.flatMap(({ links, offers }) =>
      links.filter(({ target }) => !offers.some(({ urlHash }) => urlHash === target.urlHash))
    );
    const competitors = await requireDomains(ctx, unlinked.map(({ target }) => target.domain));
    const draft: Draft = { write, ctx, visit, competitors, outcomes, events: [], eventBytes: 0 };
    const left = groups.flatMap((group) => linkProduct(draft, group));
    if (draft.events.length === 0) return { outcomes, left };
    productVersions.check(write, workspaceId, ofProducts);
    offerVersions.check(write, workspaceId, ofOffers);
    checkCompetitorSet(write, workspaceId, competitors);
    publish(write, ctx, draft.events);
    return { outcomes, left };
  });
}

interface Draft {
  readonly write: Write;
  readonly ctx: Context;
  readonly visit: Visit | undefined;
  readonly competitors: CompetitorSet;
  readonly outcomes: Map<number, BatchOutcome>;
  readonly events: OutboxEvent[];
  eventBytes: number;
}

interface ProductGroup {
  readonly sku: string;
  readonly indexRow: IndexRow;
  readonly links: readonly PlacedLink[];
  readonly offers: readonly Offer[];
  readonly bytes: Uint8Array | null;
}

async function readGroups(
  ctx: Context,
  batch: readonly PlacedLink[],
  outcomes: Map<number, BatchOutcome>,
): Promise<ProductGroup[]> {
  const bySku = Map.groupBy(batch, ({ sku }) => sku);
  const indexRows = await findIndexRows(ctx, [...bySku.keys()]);
  const active = [...bySku].flatMap(([sku, links]) => {
    const indexRow = indexRows.get(sku);
    if (indexRow && !indexRow.isDeleted) return [{ sku, links, indexRow }];
    const failure = noSuch("product with the SKU", sku);
    for (const { index } of links) outcomes.set(index, { kind: "refused", failure });
    return [];
  });
  const stored = await findOffersOf(ctx, active.map(({ indexRow }) => indexRow.id));
  const imported = active.filter(({ indexRow }) => indexRow.importHash !== null);
  const documents = await findDocuments(ctx, imported.map(({ indexRow }) => indexRow.id));
  const bytesOf = new Map(documents.map(({ id, bytes }) => [id, bytes]));
  return active.map((one, at) => ({
    ...one,
    offers: stored[at]?.offers ?? [],
    bytes: bytesOf.get(one.indexRow.id) ?? null,
  }));
}

function linkProduct(draft: Draft, group: ProductGroup): readonly PlacedLink[] {
  const { write, ctx: { workspaceId }, outcomes } = draft;
  const { sku, indexRow, links, offers: before, bytes } = group;
  const product = { id: indexRow.id, sku };
  const after = [...before];
  let done = 0;
  const hasRoom = () =>
    draft.write.fits({ ...NEXT_LINK, bytes: NEXT_LINK.bytes + draft.eventBytes });
  for (; done < links.length && hasRoom(); done++) {
    const link = links[done];
    if (!link) continue;
    const { index, target: { urlHash }, packFactor } = link;
    const holder = after.find((offer) => offer.urlHash === urlHash);
    if (holder) outcomes.set(index, { kind: "known", id: holder.matchId, packFactor });
    else if (after.length < MATCHES_PER_PRODUCT_MAX) after.push(putLink(draft, product, link));
    else outcomes.set(index, { kind: "refused", failure: noRoom() });
  }
  if (after.length > before.length) {
    putOffers(write, workspaceId, product, { before, after });
    productVersions.set(write, workspaceId, links[0]?.shard ?? 0);
    // Without the hash, the next import compares the whole product again.
    const marks = { ...marksOf(indexRow), importHash: null };
    if (bytes) putIndexRowMarks(write, workspaceId, parseProduct(bytes), marks);
  }
  return links.slice(done);
}

function putLink(
  draft: Draft,
  product: { readonly id: string; readonly sku: string },
  { index, target, packFactor }: PlacedLink,
): Offer {
  const { write, ctx, visit, competitors, outcomes, events } = draft;
  const competitor = competitors.byDomain.get(target.domain);
  if (!competitor) throw new Error(`There is no competitor with the domain "${target.domain}"`);
  const made = putNewMatch(
    write,
    ctx,
    { product, competitor, target },
    { packFactor, visit },
    "manual",
  );
  outcomes.set(index, { kind: "created", id: made.match.id });
  events.push(made.event);
  // Upper bound for an event, which contains the URL twice.
  draft.eventBytes += 1_000 + 2 * target.url.length;
  return made.offer;
}

type Importer = WorkspaceStore & Pick<Context, "now" | "newId">;

/** Never restores URLs that people removed. The commit must check that the offers are unchanged. */
export async function planProductLinks(
  ctx: Importer,
  { productId, offers }: StoredOffers,
  wanted: readonly WantedLink[],
  competitors: CompetitorSet,
): Promise<LinkPlan> {
  const known = new Set(offers.map(({ urlHash }) => urlHash));
  const unknown = wanted.map(({ target }) => target.urlHash).filter((hash) => !known.has(hash));
  const removals = await findRemovals(ctx, productId, unknown);
  const at = ctx.now().toISOString();
  const { newId } = ctx;
  return planLinks({ productId, offers, wanted, removals, competitors, at, newId });
}

/** The caller must check the version counters and the set of competitors. */
export async function putLinks(
  write: Write,
  ctx: Importer,
  product: { readonly id: string; readonly sku: string },
  plan: LinkPlan,
): Promise<void> {
  if (!changesLinks(plan)) return;
  const { workspaceId } = ctx;
  for (const { match, urlHash } of plan.added) addMatch(write, workspaceId, match, urlHash);
  for (const { match, urlHash } of await switchedMatches(ctx, product.id, plan)) {
    saveMatch(write, workspaceId, match, urlHash);
  }
  putOffers(write, workspaceId, product, plan);
}

async function switchedMatches(
  ctx: Importer,
  productId: string,
  { switched }: LinkPlan,
): Promise<{ match: Match; urlHash: string }[]> {
  const places = switched.map(({ matchId, urlHash }) => ({ matchId, productId, urlHash }));
  const updatedAt = ctx.now().toISOString();
  return (await findMatchesAt(ctx, places)).flatMap(({ match, place }) => {
    const offer = switched.find(({ matchId }) => matchId === match.id);
    if (!offer) return [];
    const { enabled, disabledBy } = offer;
    return [{ match: { ...match, enabled, disabledBy, updatedAt }, urlHash: place.urlHash }];
  });
}
