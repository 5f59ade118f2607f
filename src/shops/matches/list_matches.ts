import { changedFields } from "../../accounts/audit/audit.ts";
import type { AuditAction } from "../../accounts/audit/audit_actions.ts";
import { addAuditRow } from "../../accounts/audit/audit_store.ts";
import { isId } from "../../base/id.ts";
import { markForSchedule } from "../../catalogue/products/schedule_mark_store.ts";
import { requireVersion } from "../../platform/http/http.ts";
import { openCursor, type Page, toPage } from "../../platform/http/page.ts";
import type { Actor, Context, WorkspaceStore } from "../../platform/store/context.ts";
import { transact, type Write } from "../../platform/store/kv.ts";
import { competitors, findCompetitors } from "../competitor_store.ts";
import type { Offer } from "../offers/offer.ts";
import { findOffersOf } from "../offers/offer_store.ts";
import { findIdentities, identities } from "./identity_store.ts";
import {
  type CompetitorProduct,
  type Match,
  matchLabel,
  termsOf,
  toCompetitorProduct,
} from "./match.ts";
import {
  freesRefusal,
  type KeptIdentity,
  NO_IDENTITY,
  type PersonsWord,
  type StatementAuthor,
  withIdentity,
  withWord,
} from "./match_identity.ts";
import {
  findMatchesAt,
  listMatchesOfProduct,
  listPlaces,
  type PlacedMatch,
  saveMatch,
} from "./match_store.ts";
import {
  type FoundMatch,
  matchVersion,
  offerOf,
  requireMatch,
  saveOffer,
} from "./product_links.ts";

interface MatchFilter {
  readonly productId?: string | undefined;
  readonly competitorId?: string | undefined;
}

/** Ordered by match id. */
export async function listMatches(
  ctx: Context,
  { productId = "", competitorId = "" }: MatchFilter,
  { limit, cursor }: { readonly limit: number; readonly cursor?: string | undefined },
): Promise<Page<CompetitorProduct>> {
  const list = `competitor-products ${JSON.stringify([productId, competitorId])}`;
  const position = openCursor(ctx, list, cursor);
  const after = typeof position === "string" ? position : null;
  const isVain = [productId, competitorId].some((id) => id !== "" && !isId(id));
  const ask = { competitorId: competitorId === "" ? null : competitorId, after, wanted: limit + 1 };
  const read = () => productId === "" ? readPlaces(ctx, ask) : readProduct(ctx, productId, ask);
  const rows = isVain ? [] : await read();
  return toPage(ctx, { list, rows, limit, positionOf: ({ id }) => id });
}

interface Ask {
  readonly competitorId: string | null;
  readonly after: string | null;
  readonly wanted: number;
}

async function readProduct(
  workspace: WorkspaceStore,
  productId: string,
  { competitorId, after, wanted }: Ask,
): Promise<CompetitorProduct[]> {
  const all = await listMatchesOfProduct(workspace, productId);
  const fitting = all.filter(({ match }) =>
    (competitorId === null || match.competitorId === competitorId) &&
    (after === null || match.id > after)
  );
  return (await asShown(workspace, fitting)).slice(0, wanted);
}

/** Omits matches of a competitor that is being deleted, but fills the page nevertheless. */
async function readPlaces(
  workspace: WorkspaceStore,
  { competitorId, after, wanted }: Ask,
): Promise<CompetitorProduct[]> {
  const rows: CompetitorProduct[] = [];
  for (let last = after; rows.length < wanted;) {
    const missing = wanted - rows.length;
    const places = await listPlaces(workspace, competitorId, last, missing);
    rows.push(...await asShown(workspace, await findMatchesAt(workspace, places)));
    if (places.length < missing) break;
    last = places.at(-1)?.matchId ?? null;
  }
  return rows;
}

/** Deleted matches are omitted. */
export async function listMatchesOfProducts(
  workspace: WorkspaceStore,
  named: readonly { readonly matchId: string; readonly productId: string }[],
): Promise<Map<string, CompetitorProduct>> {
  const ids = new Set(named.map(({ matchId }) => matchId));
  const offers = await offersById(workspace, [...new Set(named.map((one) => one.productId))]);
  const places = [...offers].flatMap(([productId, of]) =>
    of.flatMap(({ matchId, urlHash }) => ids.has(matchId) ? [{ matchId, productId, urlHash }] : [])
  );
  const shown = await asShown(workspace, await findMatchesAt(workspace, places));
  return new Map(shown.map((one) => [one.id, one]));
}

async function asShown(
  workspace: WorkspaceStore,
  placed: readonly PlacedMatch[],
): Promise<CompetitorProduct[]> {
  const productIds = [...new Set(placed.map(({ place }) => place.productId))];
  const [shops, offers, known] = await Promise.all([
    findCompetitors(workspace, placed.map(({ match }) => match.competitorId)),
    offersById(workspace, productIds),
    findIdentities(workspace, placed.map(({ match }) => match.id)),
  ]);
  return placed.flatMap(({ match, place }) => {
    const competitor = shops.get(match.competitorId);
    if (!competitor) return [];
    const offer = offerOf(offers.get(place.productId) ?? [], match, place);
    const identity = known.get(match.id) ?? null;
    return [toCompetitorProduct(match, competitor, offer, identity)];
  });
}

async function offersById(
  workspace: WorkspaceStore,
  productIds: readonly string[],
): Promise<Map<string, readonly Offer[]>> {
  const stored = await findOffersOf(workspace, productIds);
  return new Map(stored.map(({ productId, offers }) => [productId, offers]));
}

/** `reopen` revokes the last statement. */
export type MatchStatement = "confirm" | "reject" | "reopen";

const KIND_OF: Readonly<Record<MatchStatement, PersonsWord["kind"] | null>> = {
  confirm: "confirmed",
  reject: "rejected",
  reopen: null,
};

/**
 * A person's statement overrides the automatic verdict until the content of the page changes.
 * Rejecting disables the link, and no import enables it again. Confirming enables a link that a
 * rejection disabled. Idempotent. Throws `not_found`, and `version_conflict` if the link is not at
 * the `expected` version.
 */
export async function sayOfMatch(
  ctx: Context,
  id: string,
  said: MatchStatement,
  expected: string | null,
): Promise<CompetitorProduct> {
  return await transact(ctx, async (write) => {
    const found = await requireMatch(ctx, id);
    requireVersion(expected, matchVersion(found));
    const { place, match: before, owner, links, known } = found;
    const identity = known?.row ?? NO_IDENTITY;
    const offer = offerOf(links.offers.offers, before, place);
    if ((identity.word?.kind ?? null) === KIND_OF[said]) {
      return toCompetitorProduct(before, owner.row, offer, known?.row ?? null);
    }
    const kind = KIND_OF[said];
    const word = kind && { kind, by: statementAuthor(ctx.actor, ctx.now()) };
    const after = {
      match: switchedBy(before, identity, said, ctx.now()),
      identity: withWord(identity, word),
    };
    const told = withIdentity({ ...offer, ...termsOf(after.match, place.urlHash) }, after.identity);
    await putWord(write, ctx, found, { ...after, offer: told, said });
    return toCompetitorProduct(after.match, owner.row, told, after.identity);
  });
}

export function statementAuthor({ type, id, name }: Actor, at: Date): StatementAuthor {
  return { type, id, name, at: at.toISOString() };
}

function switchedBy(match: Match, { word }: KeptIdentity, said: MatchStatement, now: Date): Match {
  const updatedAt = now.toISOString();
  if (said === "reject") {
    return { ...match, enabled: false, disabledBy: "person", updatedAt };
  }
  const isBack = word?.kind === "rejected" && !match.enabled;
  return isBack ? { ...match, enabled: true, disabledBy: null, updatedAt } : match;
}

async function putWord(
  write: Write,
  ctx: Context,
  { place, match: before, owner, links, known }: FoundMatch,
  { match, identity, offer, said }: {
    readonly match: Match;
    readonly identity: KeptIdentity;
    readonly offer: Offer;
    readonly said: MatchStatement;
  },
): Promise<void> {
  const { workspaceId } = ctx;
  competitors.check(write, ctx, owner.row, owner);
  const { offers } = links.offers;
  const { product } = links.found;
  await saveOffer(write, ctx, links, offer);
  if (match !== before) saveMatch(write, workspaceId, match, place.urlHash);
  identities.put(write, ctx, { ...identity, matchId: match.id });
  if (offers.some((one) => one.matchId === match.id && freesRefusal(one, offer))) {
    markForSchedule(write, workspaceId, product.id);
  }
  const action: AuditAction = `competitor_product.${said}`;
  const fields = (of: Match, { word }: KeptIdentity) => ({
    enabled: of.enabled,
    disabledBy: of.disabledBy,
    said: word?.kind ?? null,
  });
  addAuditRow(write, ctx, {
    action,
    resource: {
      type: "competitor_product",
      id: match.id,
      label: matchLabel(product.sku, owner.row),
    },
    ...changedFields(fields(before, known?.row ?? NO_IDENTITY), fields(match, identity)),
    about: [`product:${product.id}`],
  });
  ctx.receipt?.put(write, `/api/competitor-products/${match.id}`);
}
