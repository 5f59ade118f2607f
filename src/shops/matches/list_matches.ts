/** Reads the links of products to pages (matches), and records people's decisions about them. */
import { type AuditEntry, changedFields } from "../../accounts/audit/audit.ts";
import { addAuditRow } from "../../accounts/audit/audit_store.ts";
import { isInStock } from "../../base/codes.ts";
import { isId } from "../../base/id.ts";
import { unitPriceCents } from "../../base/money.ts";
import { isoOrNull } from "../../base/time.ts";
import type { CompetitorPrice } from "../../catalogue/prices/product_market.ts";
import { markForSchedule, productVersions } from "../../catalogue/products/change_log_store.ts";
import {
  type Page,
  pageById,
  pageQuery,
  requireVersion,
  versionOf,
} from "../../platform/http/http.ts";
import type { Actor, Context, WorkspaceStore } from "../../platform/store/context.ts";
import { transact, type Write } from "../../platform/store/kv.ts";
import { type Competitor, competitors, competitorsById } from "../competitor_store.ts";
import { blankOffer, type Offer, readOwnSellers, showsOtherProduct } from "../offers/offer.ts";
import {
  checkOffers,
  findOffers,
  findOffersOf,
  movedOffer,
  putOffers,
  readRow,
  type StoredOffers,
} from "../offers/offer_store.ts";
import {
  findIdentities,
  identities,
  type IdentityRow,
  type KeptIdentity,
  knownShopSku,
  NO_IDENTITY,
  type PersonsWord,
  type StatementAuthor,
  withIdentity,
  withWord,
} from "./match_identity.ts";
import {
  type CompetitorProduct,
  type Match,
  MATCH_READ_ONLY,
  matchLabel,
  termsOf,
  toCompetitorProduct,
} from "./match.ts";
import {
  findMatchAt,
  findMatchesAt,
  findMatchPlace,
  findMatchPlaces,
  listMatchesOfProduct,
  type MatchPlace,
  moveMatch,
  type PlacedMatch,
  placePages,
  saveMatch,
} from "./match_store.ts";
import { noSuch } from "../../base/failure.ts";
import { z } from "@hono/zod-openapi";
import {
  findIndexRow,
  marksOf,
  putIndexRowMarks,
} from "../../catalogue/products/index_row_store.ts";
import { currencyInDocument, shard } from "../../catalogue/products/product.ts";
import {
  checkProduct,
  findAnyProduct,
  type StoredDocument,
  type StoredProduct,
} from "../../catalogue/products/product_store.ts";
import { publish } from "../../platform/events/outbox_store.ts";
import type { Found } from "../../platform/store/table.ts";

interface ProductLinks {
  readonly found: StoredProduct;
  readonly offers: StoredOffers;
}

/**
 * Read the product's matches only after this call, so that `saveProductLinks` notices later changes
 * of the matches.
 */
export async function readProductLinks(
  workspace: WorkspaceStore,
  productId: string,
): Promise<ProductLinks | null> {
  const found = await findAnyProduct(workspace, productId);
  return found && { found, offers: await findOffers(workspace, productId) };
}

/** Adds two version checks to the commit. */
export async function saveProductLinks(
  write: Write,
  workspace: WorkspaceStore & Pick<Context, "now" | "newId">,
  { found, offers }: ProductLinks,
  after: readonly Offer[],
): Promise<void> {
  const { workspaceId } = workspace;
  const { product } = found;
  checkProduct(write, workspaceId, found);
  checkOffers(write, workspaceId, offers);
  putOffers(write, workspaceId, product, { before: offers.offers, after });
  productVersions.set(write, workspaceId, shard(product.sku));
  const moved = movedOffer({ before: offers.offers, after });
  if (moved) {
    const data = { cause: "match" as const, ref: moved.matchId, productIds: [product.id] };
    publish(write, workspace, [{ type: "products.touched", data }]);
  }
  const indexRow = await findIndexRow(workspace, product.sku);
  if (!indexRow || indexRow.importHash === null) return;
  putIndexRowMarks(write, workspaceId, product, { ...marksOf(indexRow), importHash: null });
}

/** `links` is read before `match`: a commit that checks `links` also fails if `match` changed. */
export interface FoundMatch {
  readonly place: MatchPlace;
  readonly links: ProductLinks;
  readonly match: Match;
  readonly owner: Found<Competitor>;
  readonly known: Found<IdentityRow> | null;
}

export async function requireMatch(workspace: WorkspaceStore, id: string): Promise<FoundMatch> {
  const place = isId(id) ? await findMatchPlace(workspace, id) : null;
  const links = place && await readProductLinks(workspace, place.productId);
  const match = place && await findMatchAt(workspace, place);
  const owner = match && await competitors.find(workspace, { id: match.competitorId });
  if (!place || !links || !match || !owner) throw noSuch("competitor product", id);
  return { place, links, match, owner, known: await identities.find(workspace, { matchId: id }) };
}

export async function readMatch(workspace: WorkspaceStore, id: string): Promise<CompetitorProduct> {
  return documentOf(await requireMatch(workspace, id));
}

function documentOf({ place, links, match, owner, known }: FoundMatch): CompetitorProduct {
  const offer = offerOf(links.offers.offers, match, place);
  return toCompetitorProduct(match, owner.row, offer, known?.row ?? null);
}

export function matchVersion(found: FoundMatch): string {
  return versionOf(documentOf(found), MATCH_READ_ONLY);
}

export function offerOf(offers: readonly Offer[], match: Match, { urlHash }: MatchPlace): Offer {
  return offers.find(({ matchId }) => matchId === match.id) ?? blankOffer(termsOf(match, urlHash));
}

export async function keptShopSku(
  workspace: WorkspaceStore,
  productId: string,
  urlHash: string,
): Promise<string | null> {
  const links = await listMatchesOfProduct(workspace, productId);
  const link = links.find(({ place }) => place.urlHash === urlHash);
  if (link?.match.matchType !== "exact") return null;
  const kept = await identities.find(workspace, { matchId: link.match.id });
  return kept && knownShopSku(kept.row);
}

export const MatchQuery = z.strictObject({
  productId: z.string().optional(),
  competitorId: z.string().optional(),
  ...pageQuery(50, 200),
});

export async function listMatches(
  ctx: Context,
  { productId = "", competitorId = "", ...page }: z.output<typeof MatchQuery>,
): Promise<Page<CompetitorProduct>> {
  const isVain = [productId, competitorId].some((id) => id !== "" && !isId(id));
  return await pageById(ctx, page, async ({ after, limit: wanted }) => {
    if (isVain) return [];
    if (productId === "") return await readPlaces(ctx, competitorId || null, after, wanted);
    const all = await listMatchesOfProduct(ctx, productId);
    const fitting = all.filter(({ match }) =>
      (competitorId === "" || match.competitorId === competitorId) &&
      (after === null || match.id > after)
    );
    return (await toDocuments(ctx, fitting)).slice(0, wanted);
  });
}

async function readPlaces(
  workspace: WorkspaceStore,
  competitorId: string | null,
  after: string | null,
  wanted: number,
): Promise<CompetitorProduct[]> {
  const rows: CompetitorProduct[] = [];
  for await (const places of placePages(workspace, competitorId, wanted, after)) {
    rows.push(...await toDocuments(workspace, await findMatchesAt(workspace, places)));
    if (rows.length >= wanted) break;
  }
  return rows.slice(0, wanted);
}

export async function findMatches(
  workspace: WorkspaceStore,
  ids: readonly string[],
): Promise<Map<string, CompetitorProduct>> {
  const places = await findMatchPlaces(workspace, ids);
  const documents = await toDocuments(workspace, await findMatchesAt(workspace, places));
  return new Map(documents.map((one) => [one.id, one]));
}

async function toDocuments(
  workspace: WorkspaceStore,
  placed: readonly PlacedMatch[],
): Promise<CompetitorProduct[]> {
  const productIds = [...new Set(placed.map(({ place }) => place.productId))];
  const [shops, stored, known] = await Promise.all([
    competitorsById(workspace),
    findOffersOf(workspace, productIds),
    findIdentities(workspace, placed.map(({ match }) => match.id)),
  ]);
  const offers = new Map(stored.map((row) => [row.productId, row.offers]));
  return placed.flatMap(({ match, place }) => {
    const competitor = shops.get(match.competitorId);
    if (!competitor) return [];
    const offer = offerOf(offers.get(place.productId) ?? [], match, place);
    const identity = known.get(match.id) ?? null;
    return [toCompetitorProduct(match, competitor, offer, identity)];
  });
}

export interface LiveMatch {
  readonly match: Match;
  readonly competitor: Competitor;
  readonly offer: Offer;
}

export async function listLiveMatches(
  workspace: WorkspaceStore,
  productId: string,
): Promise<LiveMatch[]> {
  const { offers } = await findOffers(workspace, productId);
  const live = await liveMatchesOf(workspace, productId, offers);
  return live.filter(({ match }) => match.visit !== "never");
}

async function liveMatchesOf(
  workspace: WorkspaceStore,
  productId: string,
  offers: readonly Offer[],
): Promise<LiveMatch[]> {
  if (!offers.some(({ enabled }) => enabled)) return [];
  const [matches, competitors] = await Promise.all([
    findMatchesAt(workspace, offers.map((offer) => ({ ...offer, productId }))),
    competitorsById(workspace),
  ]);
  return matches.flatMap(({ match, place }) => {
    const competitor = competitors.get(match.competitorId);
    if (!match.enabled || !competitor?.enabled) return [];
    return [{ match, competitor, offer: offerOf(offers, match, place) }];
  });
}

export async function listCompetitorPrices(
  workspace: WorkspaceStore,
  { id, bytes, beside }: StoredDocument,
): Promise<CompetitorPrice[]> {
  const { offers } = readRow(id, beside?.[0]);
  const isOurs = await readOwnSellers(workspace, offers);
  const live = (await liveMatchesOf(workspace, id, offers))
    .filter(({ offer }) => !showsOtherProduct(offer) && !isOurs(offer));
  const isUnseen = live.some(({ offer }) => offer.currency === null);
  const fallback = isUnseen ? currencyInDocument(bytes) : null;
  return live.toSorted(byDisplayName).map(({ match, competitor, offer }) => ({
    competitor: competitor.displayName,
    domain: competitor.domain,
    url: match.url,
    price: offer.priceCents,
    unitPrice: offer.priceCents === null
      ? null
      : unitPriceCents(offer.priceCents, match.packFactor),
    packFactor: match.packFactor,
    currency: offer.currency ?? fallback,
    inStock: isInStock(offer.availability),
    lastCheckedAt: isoOrNull(offer.checkedAtMs),
  }));
}

const collator = new Intl.Collator("de", { numeric: true });

function byDisplayName(a: LiveMatch, b: LiveMatch): number {
  return collator.compare(a.competitor.displayName, b.competitor.displayName) ||
    collator.compare(a.competitor.domain, b.competitor.domain) ||
    (a.match.id < b.match.id ? -1 : 1);
}

export type MatchStatement = "confirm" | "reject" | "reopen";

const KIND_OF: Readonly<Record<MatchStatement, PersonsWord["kind"] | null>> = {
  confirm: "confirmed",
  reject: "rejected",
  reopen: null,
};

export async function recordStatement(
  ctx: Context,
  id: string,
  statement: MatchStatement,
  expected: string | null,
): Promise<CompetitorProduct> {
  return await transact(ctx, async (write) => {
    const found = await requireMatch(ctx, id);
    requireVersion(expected, matchVersion(found));
    const { place, match: before, owner, links, known } = found;
    const stored = known?.row ?? NO_IDENTITY;
    const said = stored.word?.kind ?? null;
    const kind = KIND_OF[statement];
    if (said === kind) return documentOf(found);
    const isBack = kind !== "rejected" && said === "rejected" && !before.enabled;
    const updatedAt = ctx.now().toISOString();
    const match: Match = kind === "rejected"
      ? { ...before, enabled: false, disabledBy: "person", updatedAt }
      : isBack
      ? { ...before, enabled: true, disabledBy: null, updatedAt }
      : before;
    const by = statementAuthor(ctx.actor, ctx.now());
    const identity = withWord(stored, kind && { kind, by });
    const terms = termsOf(match, place.urlHash);
    const offer = withIdentity(
      { ...offerOf(links.offers.offers, before, place), ...terms },
      identity,
    );
    const fields = ({ enabled, disabledBy }: Match, said: typeof kind) => (
      { enabled, disabledBy, said }
    );
    const { product } = links.found;
    await putMatchChange(write, ctx, found, { match, identity, offer }, {
      action: `competitor_product.${statement}`,
      resource: { type: "competitor_product", id, label: matchLabel(product.sku, owner.row) },
      ...changedFields(fields(before, said), fields(match, kind)),
      about: [`product:${product.id}`],
    });
    ctx.receipt?.put(write, `/api/competitor-products/${id}`);
    return toCompetitorProduct(match, owner.row, offer, identity);
  });
}

export async function putMatchChange(
  write: Write,
  ctx: Context,
  { place, links, match: before, owner, known }: FoundMatch,
  { match, offer, identity }: {
    readonly match: Match;
    readonly offer: Offer;
    readonly identity: KeptIdentity | null;
  },
  audit: AuditEntry,
): Promise<void> {
  const { workspaceId } = ctx;
  const { offers } = links.offers;
  competitors.check(write, ctx, owner.row, owner);
  const after = offers.map((one) => one.matchId === offer.matchId ? offer : one);
  await saveProductLinks(write, ctx, links, after);
  const { urlHash } = offer;
  if (urlHash !== place.urlHash) {
    moveMatch(write, workspaceId, match, { from: place.urlHash, to: urlHash });
  } else if (match !== before) saveMatch(write, workspaceId, match, urlHash);
  if (identity && identity !== known?.row) {
    identities.put(write, ctx, { ...identity, matchId: match.id });
  }
  const was = offerOf(offers, before, place);
  const isReset = was.status !== null && offer.status === null;
  if (isReset || before.visit !== match.visit) {
    markForSchedule(write, workspaceId, match.productId);
  }
  addAuditRow(write, ctx, audit);
}

export function statementAuthor({ type, id, name }: Actor, at: Date): StatementAuthor {
  return { type, id, name, at: at.toISOString() };
}
