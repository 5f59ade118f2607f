/** Creates links in bulk from pasted lines of SKU and URL, each with its own result. */
import { Failure, noSuch, requireRefusal } from "../../base/failure.ts";
import { normaliseSku } from "../../base/text.ts";
import { cutByShard } from "../../catalogue/products/product_store.ts";
import { shard } from "../../catalogue/products/product.ts";
import { skuError } from "../../catalogue/products/product_fields.ts";
import type { AddressAllowList } from "../../platform/fetch/address_guard.ts";
import type { Context } from "../../platform/store/context.ts";
import { changeMatch, requireTarget } from "./change_match.ts";
import { type BatchOutcome, linkBatch, type PlacedLink, SHARDS_PER_BATCH } from "./link_batch.ts";
import { PackFactor, VisitField } from "./match.ts";
import { readMatch } from "./list_matches.ts";
import { z } from "@hono/zod-openapi";

const Link = z.strictObject({
  sku: z.string(),
  url: z.string(),
  packFactor: PackFactor.optional(),
});

/** Links are validated one by one, so that an invalid link does not affect the others. */
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

/** One result per link, in the order of the request. The request may be repeated. */
export async function linkProducts(
  ctx: Context,
  { links, visit }: BulkLinks,
  allowed: AddressAllowList,
): Promise<LinkResult[]> {
  // An idempotency record describes the whole request, so no commit of a single link may write it.
  const each: Context = { ...ctx, receipt: null };
  const outcomes = new Map<number, BatchOutcome>();
  const placed: PlacedLink[] = [];
  for (const [index, link] of links.entries()) {
    try {
      placed.push(placeLink(link, index, allowed));
    } catch (error) {
      outcomes.set(index, { kind: "refused", failure: requireRefusal(error) });
    }
  }
  placed.sort((a, b) => a.shard - b.shard);
  const batches = cutByShard(placed, { rows: LINKS_PER_BATCH, shards: SHARDS_PER_BATCH });
  for (let batch = batches.shift(); batch; batch = batches.shift()) {
    const done = await linkBatch(each, batch, visit);
    for (const [index, outcome] of done.outcomes) outcomes.set(index, outcome);
    if (done.left.length > 0) batches.unshift([...done.left]);
  }
  const results: LinkResult[] = [];
  for (const [index, outcome] of [...outcomes].sort(([a], [b]) => a - b)) {
    results.push({ index, ...await resultOf(each, outcome, allowed) });
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

async function resultOf(
  ctx: Context,
  outcome: BatchOutcome,
  allowed: AddressAllowList,
): Promise<LinkOutcome> {
  switch (outcome.kind) {
    case "created":
      return { ok: true, status: "created", competitorProductId: outcome.id, error: null };
    case "known":
      try {
        return await keepLink(ctx, outcome, allowed);
      } catch (error) {
        return refused(requireRefusal(error));
      }
    case "refused":
      return refused(outcome.failure);
  }
}

function refused({ code, message }: Failure): LinkOutcome {
  return { ok: false, status: null, competitorProductId: null, error: { code, message } };
}

async function keepLink(
  ctx: Context,
  { id, packFactor }: Extract<BatchOutcome, { kind: "known" }>,
  allowed: AddressAllowList,
): Promise<LinkOutcome> {
  const isOther = packFactor !== undefined && packFactor !== (await readMatch(ctx, id)).packFactor;
  if (isOther) await changeMatch(ctx, id, { packFactor }, { allowed, expected: null });
  const status = isOther ? "changed" : "existing";
  return { ok: true, status, competitorProductId: id, error: null };
}
