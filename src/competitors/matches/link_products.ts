/**
 * Links in bulk: pasted lines of SKU and URL, each with a result of its own
 * (docs/decisions/competitors.md).
 */
import { z } from "@hono/zod-openapi";
import { Failure, noSuch } from "../../base/failure.ts";
import { normaliseSku } from "../../base/text.ts";
import { findCard } from "../../catalogue/products/card_store.ts";
import { misfitOfSku } from "../../catalogue/products/product_fields.ts";
import type { AddressAllowList } from "../../platform/fetch/address_guard.ts";
import type { Context } from "../../platform/store/context.ts";
import { changeMatch } from "./change_match.ts";
import { createMatch } from "./create_match.ts";
import { readMatch } from "./find_match.ts";
import { PackFactor } from "./match.ts";

const LINKS_MAX = 1_000;

const Link = z.strictObject({
  sku: z.string(),
  url: z.string(),
  packFactor: PackFactor.optional(),
});

/** A link is judged by itself: a bad one is refused alone. */
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
  ).min(1).max(LINKS_MAX).meta({ description: "The links to make, one per product and page" }),
}).meta({
  id: "BulkLinks",
  example: { links: [{ sku: "SKU-1", url: "https://www.mediamarkt.de/p/1.html" }] },
});

export type BulkLinks = z.infer<typeof BulkLinks>;

export const LinkResult = z.object({
  index: z.int(),
  ok: z.boolean(),
  status: z.enum(["created", "changed", "existing"]).nullable().meta({
    description: "`changed`: the link was there with another packFactor; null when refused",
  }),
  competitorProductId: z.string().nullable(),
  error: z.object({ code: z.string(), message: z.string() }).nullable()
    .meta({ description: "Why it was refused; null when it was not" }),
}).meta({ id: "LinkResult" });

export type LinkResult = z.infer<typeof LinkResult>;

type LinkOutcome = Pick<LinkResult, "status" | "competitorProductId">;

/** One result per link, in their order. Sending the same links again changes nothing. */
export async function linkProducts(
  ctx: Context,
  { links }: BulkLinks,
  allowed: AddressAllowList,
): Promise<LinkResult[]> {
  // Each link commits by itself; a receipt would belong to the first of them alone.
  const each: Context = { ...ctx, receipt: null };
  const results: LinkResult[] = [];
  for (const [index, link] of links.entries()) {
    results.push({ index, ...await tryLink(each, link, allowed) });
  }
  return results;
}

async function tryLink(
  ctx: Context,
  link: BulkLinks["links"][number],
  allowed: AddressAllowList,
): Promise<Omit<LinkResult, "index">> {
  try {
    return { ok: true, ...await linkProduct(ctx, link, allowed), error: null };
  } catch (error) {
    if (!(error instanceof Failure)) throw error;
    const { code, message } = error;
    return { ok: false, status: null, competitorProductId: null, error: { code, message } };
  }
}

async function linkProduct(
  ctx: Context,
  input: BulkLinks["links"][number],
  allowed: AddressAllowList,
): Promise<LinkOutcome> {
  const { sku, url, packFactor } = requireLink(input);
  const productId = await requireProductId(ctx, sku);
  try {
    const { id } = await createMatch(ctx, { productId, url, packFactor }, allowed);
    return { status: "created", competitorProductId: id };
  } catch (error) {
    const id = error instanceof Failure ? error.details?.competitorProductId : undefined;
    if (typeof id !== "string") throw error;
    return await keepLink(ctx, id, packFactor, allowed);
  }
}

function requireLink(input: BulkLinks["links"][number]): z.infer<typeof Link> {
  const parsed = Link.safeParse(input);
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const place = issue && issue.path.length > 0 ? `${issue.path.join(".")}: ` : "";
  throw new Failure("validation_failed", `${place}${issue?.message ?? "Is no link"}`);
}

async function requireProductId(ctx: Context, text: string): Promise<string> {
  const sku = normaliseSku(text);
  const card = misfitOfSku(sku) === null ? await findCard(ctx, sku) : null;
  if (card && !card.isDeleted) return card.id;
  throw noSuch("product with the SKU", sku);
}

/** The link is there: only a pack factor that was given can still change it. */
async function keepLink(
  ctx: Context,
  id: string,
  packFactor: number | undefined,
  allowed: AddressAllowList,
): Promise<LinkOutcome> {
  const existing = await readMatch(ctx, id);
  const isOther = packFactor !== undefined && packFactor !== existing.packFactor;
  if (isOther) await changeMatch(ctx, id, { packFactor }, { allowed, expected: null });
  return { status: isOther ? "changed" : "existing", competitorProductId: id };
}
