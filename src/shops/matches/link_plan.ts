/**
 * Plans how a record of an import file changes a product's links, and adds the changes to the
 * caller's commit (docs/decisions/imports.md, "Links"). Creates missing competitors, because links
 * from files and pasted lines may name new shops. If a person disabled or removed a link, an import
 * neither enables nor restores it.
 */
import type { Context, WorkspaceStore } from "../../platform/store/context.ts";
import type { Product } from "../../catalogue/products/product.ts";
import type { IdentityCode } from "../../engine/matching/identity_codes.ts";
import { judgeIdentity, type Judgement } from "../../engine/matching/judge_identity.ts";
import type { AddressAllowList } from "../../platform/fetch/fetch_limits.ts";
import { type CommitCost, transact, type Write } from "../../platform/store/kv.ts";
import {
  checkCompetitorSet,
  type Competitor,
  competitorAudit,
  competitorOf,
  competitors,
  type CompetitorSet,
  type Creator,
  freeColours,
  newCompetitor,
  readCompetitorSet,
} from "../competitor_store.ts";
import { type MatchTarget, parseDomain, parseMatchUrl } from "../domain.ts";
import { blankOffer, type Offer } from "../offers/offer.ts";
import { putOffers, type StoredOffers } from "../offers/offer_store.ts";
import { type Match, MATCHES_PER_PRODUCT_MAX, newMatch, switched, termsOf } from "./match.ts";
import type { KeptArticle } from "./match_identity.ts";
import { addMatch, findMatchesAt, findRemovals, saveMatch } from "./match_store.ts";
import { addAuditRow } from "../../accounts/audit/audit_store.ts";
import { batchesOf } from "../../base/collections.ts";

export interface FileLink {
  readonly url: string;
  readonly name: string | null;
  readonly domain: string | null;
  readonly enabled: boolean;
}

export interface WantedLink {
  readonly target: MatchTarget;
  readonly domain: string;
  readonly name: string | null;
  readonly enabled: boolean;
}

/** If links have the same URL, the last one is used. `refused` lists URLs that are not allowed. */
export function judgeLinks(
  links: readonly FileLink[],
  allowed: AddressAllowList,
): { wanted: WantedLink[]; refused: string[] } {
  const wanted = new Map<string, WantedLink>();
  const refused: string[] = [];
  for (const { url, name, domain, enabled } of links) {
    const parsed = parseMatchUrl(url, allowed);
    if ("reason" in parsed) refused.push(url);
    else {
      const { target } = parsed;
      const given = domain === null ? null : parseDomain(domain, allowed);
      const owner = given && "domain" in given ? given.domain : target.domain;
      wanted.set(target.urlHash, { target, domain: owner, name, enabled });
    }
  }
  return { wanted: [...wanted.values()], refused };
}

interface AddedMatch {
  readonly match: Match;
  readonly urlHash: string;
}

export interface LinkPlan {
  readonly before: readonly Offer[];
  readonly after: readonly Offer[];
  readonly added: readonly AddedMatch[];
  readonly switched: readonly Offer[];
  readonly linked: number;
  /**
   * URLs that the import should enable but cannot: a person disabled or removed the link, the
   * product has too many links, or the link's competitor was deleted or is being deleted.
   */
  readonly keptOff: readonly string[];
}

type Importer = WorkspaceStore & Pick<Context, "now" | "newId">;

/**
 * `competitors` must contain the domains of all wanted links. The caller's commit must fail if the
 * offers have changed.
 */
export async function planProductLinks(
  ctx: Importer,
  { productId, offers }: StoredOffers,
  wanted: readonly WantedLink[],
  competitors: CompetitorSet,
): Promise<LinkPlan> {
  const known = new Set(offers.map(({ urlHash }) => urlHash));
  const unknown = wanted.map(({ target }) => target.urlHash).filter((hash) => !known.has(hash));
  const removals = await findRemovals(ctx, productId, unknown);
  const after = [...offers];
  const added: AddedMatch[] = [];
  const moved: Offer[] = [];
  const keptOff: string[] = [];
  let linked = 0;
  for (const link of wanted) {
    const { target: { url, urlHash }, enabled } = link;
    const position = after.findIndex((offer) => offer.urlHash === urlHash);
    const offer = after[position];
    const { removedBy = "import" } = removals.get(urlHash) ?? {};
    const isFree = removedBy === "import" && after.length < MATCHES_PER_PRODUCT_MAX;
    const ofNew = isFree ? "goesOn" : "isOff";
    const verdict = offer ? judgeKnown(offer, link, competitors) : ofNew;
    if (verdict === "isOff" && enabled) keptOff.push(url);
    if (verdict !== "goesOn") continue;
    if (offer) {
      after[position] = { ...offer, ...switched(offer, enabled, "import") };
      moved.push(after[position]);
    } else {
      const competitorId = competitorOf(competitors, link.domain).id;
      const blank = newMatch(ctx, { productId, competitorId, url }, "import");
      const match = { ...blank, ...switched(blank, enabled, "import") };
      added.push({ match, urlHash });
      after.push(blankOffer(termsOf(match, urlHash)));
    }
    if (enabled) linked++;
  }
  return { before: offers, after, added, switched: moved, linked, keptOff };
}

function judgeKnown(
  offer: Offer,
  { enabled }: WantedLink,
  { byId }: CompetitorSet,
): "stays" | "goesOn" | "isOff" {
  if (!byId.has(offer.competitorId)) return "isOff";
  if (offer.enabled === enabled) return "stays";
  return !enabled || offer.disabledBy === "import" ? "goesOn" : "isOff";
}

export function changesLinks(plan: LinkPlan): boolean {
  return plan.added.length > 0 || plan.switched.length > 0;
}

export function costOfLinks({ added, switched }: LinkPlan): CommitCost {
  const count = added.length + switched.length;
  return { checks: 0, mutations: 4 * count, keyBytes: 560 * count, bytes: 8_000 * count };
}

/** The caller's commit must check that products, offers and competitors are unchanged. */
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

const OF_PACKS: ReadonlySet<IdentityCode> = new Set<IdentityCode>([
  "gtin_other_pack",
  "gtin_differs",
]);

/** With a `packFactor` other than 1, a different GTIN proves nothing: the pack has its own GTIN. */
export function judgeLink(
  { title, brand, ean, mpn, condition }: Pick<
    Product,
    "title" | "brand" | "ean" | "mpn" | "condition"
  >,
  packFactor: number,
  page: KeptArticle,
): Judgement {
  const ours = { title, brand, gtin: ean, mpn, condition };
  const theirs = {
    title: page.title,
    brand: page.brand,
    gtins: page.gtins ?? listOf(page.gtin),
    mpns: listOf(page.mpn),
    skus: listOf(page.sku),
    condition: page.condition,
    isOtherVariant: page.isOtherVariant,
  };
  return judgedAsPack(ean, packFactor, (gtin) => judgeIdentity({ ...ours, gtin }, theirs, "link"));
}

export function judgedAsPack(
  ean: string | null,
  packFactor: number,
  judge: (ean: string | null) => Judgement,
): Judgement {
  const judged = judge(ean);
  const [first] = judged.reasons;
  const isOfPack = packFactor !== 1 && judged.verdict === "different" &&
    first !== undefined && OF_PACKS.has(first.code);
  return isOfPack ? judge(null) : judged;
}

function listOf(text: string | null): string[] {
  return text === null ? [] : [text];
}

const ADDED_PER_COMMIT = 100;

/**
 * Creates missing competitors in separate commits, before the caller's commit. The caller's commit
 * must check that the returned set of competitors is unchanged.
 */
export async function requireCompetitors(
  ctx: Creator,
  wanted: Iterable<Pick<WantedLink, "domain" | "name">>,
  onAdd: (write: Write, competitor: Competitor) => void,
): Promise<CompetitorSet> {
  const set = await readCompetitorSet(ctx);
  const names = new Map<string, string | null>();
  for (const { domain, name } of wanted) {
    if (!set.byDomain.has(domain)) names.set(domain, names.get(domain) ?? name);
  }
  if (names.size === 0) return set;
  for await (const missing of batchesOf(names, ADDED_PER_COMMIT)) {
    await transact(ctx, async (write) => {
      const known = await readCompetitorSet(ctx);
      checkCompetitorSet(write, ctx.workspaceId, known);
      const colours = freeColours(known.byId.values());
      for (const [domain, displayName] of missing) {
        if (known.byDomain.has(domain)) continue;
        const competitor = newCompetitor(ctx, domain, colours, { displayName });
        competitors.put(write, ctx, competitor);
        onAdd(write, competitor);
      }
    });
  }
  return await readCompetitorSet(ctx);
}

export async function requireDomains(
  ctx: Context,
  domains: Iterable<string>,
): Promise<CompetitorSet> {
  const wanted = Array.from(domains, (domain) => ({ domain, name: null }));
  return await requireCompetitors(ctx, wanted, (write, competitor) => {
    addAuditRow(write, ctx, competitorAudit("competitor.create", null, competitor));
  });
}
