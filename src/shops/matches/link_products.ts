/**
 * Creates links from a list of SKUs and URLs, and returns a result per link. One commit creates the
 * links of products in a few shards (parts of the catalogue). Links that do not fit into a commit
 * go into the next commit. If a link already exists, a separate commit sets its `packFactor`.
 */
import { Failure, noSuch, requireRefusal } from "../../base/failure.ts";
import { normaliseSku } from "../../base/text.ts";
import { findDocuments } from "../../catalogue/products/product_store.ts";
import { cutByShard, parseProduct, shard } from "../../catalogue/products/product.ts";
import { skuError } from "../../catalogue/products/product_fields.ts";
import type { AddressAllowList } from "../../platform/fetch/fetch_limits.ts";
import type { Context } from "../../platform/store/context.ts";
import { changeMatch, noRoom, putNewMatch, requireTarget } from "./change_match.ts";
import { MATCHES_PER_PRODUCT_MAX, PackFactor, type Visit, VisitField } from "./match.ts";
import { readMatch } from "./list_matches.ts";
import { z } from "@hono/zod-openapi";
import {
  findIndexRows,
  type IndexRow,
  marksOf,
  putIndexRowMarks,
} from "../../catalogue/products/index_row_store.ts";
import { offerVersions, productVersions } from "../../catalogue/products/change_log_store.ts";
import { publish } from "../../platform/events/outbox_store.ts";
import type { OutboxEvent } from "../../platform/events/event.ts";
import { COMMIT_MAX, shareOfCommit, transact, type Write } from "../../platform/store/kv.ts";
import { checkCompetitorSet, competitorOf, type CompetitorSet } from "../competitor_store.ts";
import { requireDomains } from "./link_plan.ts";
import type { Offer } from "../offers/offer.ts";
import { findOffersOf, putOffers } from "../offers/offer_store.ts";
import type { MatchTarget } from "../domain.ts";

const Link = z.strictObject({
  sku: z.string(),
  url: z.string(),
  packFactor: PackFactor.optional(),
});

export const BulkLinks = z.strictObject({
  links: z.array(
    z.record(z.string(), z.unknown()).meta({
      properties: {
        sku: { type: "string" },
        url: { type: "string", format: "uri", description: "The page of the competitor" },
        packFactor: { type: "number" },
      },
      required: ["sku", "url"],
    }),
  ).min(1).max(1_000).describe("The links to create, one per product and page"),
  visit: VisitField.optional(),
}).meta({
  id: "BulkLinks",
  example: { links: [{ sku: "SKU-1", url: "https://www.mediamarkt.de/p/1.html" }] },
});
export type BulkLinks = z.infer<typeof BulkLinks>;

export const LinkResult = z.object({
  index: z.int(),
  ok: z.boolean(),
  status: z.enum(["created", "changed", "existing"]).nullable()
    .describe("`changed`: the link existed with another packFactor; null if refused"),
  competitorProductId: z.string().nullable(),
  error: z.object({ code: z.string(), message: z.string() }).nullable()
    .describe("Why the link was refused; null if it was not"),
}).meta({ id: "LinkResult" });
export type LinkResult = z.infer<typeof LinkResult>;

type LinkOutcome = Omit<LinkResult, "index">;

const LINKS_PER_BATCH = 100;

export async function linkProducts(
  ctx: Context,
  { links, visit }: BulkLinks,
  allowed: AddressAllowList,
): Promise<LinkResult[]> {
  const each: Context = { ...ctx, receipt: null };
  const outcomes = new Map<number, LinkOutcome>();
  const placed: PlacedLink[] = [];
  for (const [index, link] of links.entries()) {
    try {
      placed.push(placeLink(link, index, allowed));
    } catch (error) {
      outcomes.set(index, refused(requireRefusal(error)));
    }
  }
  placed.sort((a, b) => a.shard - b.shard);
  const batches = cutByShard(placed, { rows: LINKS_PER_BATCH, shards: SHARDS_PER_BATCH });
  for (let batch = batches.shift(); batch; batch = batches.shift()) {
    const done = await linkBatch(each, batch, visit);
    for (const [index, outcome] of done.outcomes) outcomes.set(index, outcome);
    if (done.left.length > 0) batches.unshift([...done.left]);
  }
  const packFactors = new Map(placed.map(({ index, packFactor }) => [index, packFactor]));
  const results: LinkResult[] = [];
  for (const [index, outcome] of [...outcomes].sort(([a], [b]) => a - b)) {
    const packFactor = packFactors.get(index);
    const isKept = outcome.status !== "existing" || packFactor === undefined;
    const changed = isKept ? outcome : await withPackFactor(each, outcome, packFactor, allowed);
    results.push({ index, ...changed });
  }
  return results;
}

function placeLink(
  input: BulkLinks["links"][number],
  index: number,
  allowed: AddressAllowList,
): PlacedLink {
  const { sku: text, url, packFactor } = requireLink(input);
  const sku = normaliseSku(text);
  if (skuError(sku) !== null) throw noSuch("product with the SKU", sku);
  return { index, sku, shard: shard(sku), target: requireTarget(url, allowed), packFactor };
}

function requireLink(input: BulkLinks["links"][number]): z.infer<typeof Link> {
  const parsed = Link.safeParse(input);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const place = issue && issue.path.length > 0 ? `${issue.path.join(".")}: ` : "";
  throw new Failure("validation_failed", `${place}${issue?.message ?? "Is not a link"}`);
}

function refused({ code, message }: Failure): LinkOutcome {
  return { ok: false, status: null, competitorProductId: null, error: { code, message } };
}

function linked(status: LinkOutcome["status"], id: string): LinkOutcome {
  return { ok: true, status, competitorProductId: id, error: null };
}

async function withPackFactor(
  ctx: Context,
  outcome: LinkOutcome,
  packFactor: number,
  allowed: AddressAllowList,
): Promise<LinkOutcome> {
  const id = outcome.competitorProductId ?? "";
  try {
    if ((await readMatch(ctx, id)).packFactor === packFactor) return outcome;
    await changeMatch(ctx, id, { packFactor }, { allowed, expected: null });
    return linked("changed", id);
  } catch (error) {
    return refused(requireRefusal(error));
  }
}

interface PlacedLink {
  readonly index: number;
  readonly sku: string;
  readonly shard: number;
  readonly target: MatchTarget;
  readonly packFactor: number | undefined;
}

/** A commit makes two version checks per shard (part of the catalogue), and one for competitors. */
const SHARDS_PER_BATCH = Math.floor((COMMIT_MAX.checks - 1) / 2);

const NEXT_LINK = shareOfCommit(0.15);

async function linkBatch(
  ctx: Context,
  batch: readonly PlacedLink[],
  visit: Visit | undefined,
) {
  return await transact(ctx, async (write) => {
    const { workspaceId } = ctx;
    const shards = [...new Set(batch.map((link) => link.shard))];
    const ofProducts = await productVersions.find(ctx, shards);
    const ofOffers = await offerVersions.find(ctx, shards);
    const outcomes = new Map<number, LinkOutcome>();
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
  readonly outcomes: Map<number, LinkOutcome>;
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
  outcomes: Map<number, LinkOutcome>,
): Promise<ProductGroup[]> {
  const bySku = Map.groupBy(batch, ({ sku }) => sku);
  const indexRows = await findIndexRows(ctx, [...bySku.keys()]);
  const active = [...bySku].flatMap(([sku, links]) => {
    const indexRow = indexRows.get(sku);
    if (indexRow && !indexRow.isDeleted) return [{ sku, links, indexRow }];
    const failure = noSuch("product with the SKU", sku);
    for (const { index } of links) outcomes.set(index, refused(failure));
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
    const { index, target: { urlHash } } = link;
    const holder = after.find((offer) => offer.urlHash === urlHash);
    if (holder) outcomes.set(index, linked("existing", holder.matchId));
    else if (after.length < MATCHES_PER_PRODUCT_MAX) after.push(putLink(draft, product, link));
    else outcomes.set(index, refused(noRoom()));
  }
  if (after.length > before.length) {
    putOffers(write, workspaceId, product, { before, after });
    productVersions.set(write, workspaceId, links[0]?.shard ?? 0);
    // Null makes the next import compare product and record, even if the record is unchanged.
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
  const competitor = competitorOf(competitors, target.domain);
  const ends = { product, competitor, target };
  const made = putNewMatch(write, ctx, ends, { packFactor, visit }, "manual");
  outcomes.set(index, linked("created", made.match.id));
  events.push(made.event);
  draft.eventBytes += 1_000 + 2 * target.url.length;
  return made.offer;
}
