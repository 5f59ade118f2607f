/** Finds the lowest price of the 30 days before a moment (docs/decisions/catalogue.md). */
import { requireWorkspace, vatSteps } from "../../accounts/workspace.ts";
import { iso } from "../../base/time.ts";
import type { Context, WorkspaceStore } from "../../platform/store/context.ts";
import { exportsSince, type HasReported } from "../prices/awaited_price_store.ts";
import { listPriceMarks, type PriceChange, PriceMark, withMarks } from "../prices/price_rows.ts";
import {
  listTermsSteps,
  termsBegins,
  tierCents,
  VatTimeline,
} from "../prices/price_terms_store.ts";
import { listPriceChanges } from "../products/product_store.ts";
import type { Product } from "../products/product.ts";
import { z } from "@hono/zod-openapi";

export const WINDOW_MS = 30 * 24 * 3_600_000;

interface LowestPrice {
  readonly lowestCents: number | null;
  readonly currency: string | null;
  readonly since: string | null;
  readonly complete: boolean;
}

type DatedPrice = Pick<PriceChange, "at" | "toCents" | "currency">;

/** `at` converts a price to gross or net by the VAT terms, which may change at `moments` (ms). */
interface Amounts {
  readonly moments: readonly number[];
  at(cents: number, atMs: number): number | null;
}

const AS_STORED: Amounts = { moments: [], at: (cents) => cents };

/**
 * `changes` must be sorted, oldest first, and have only prices that customers could see. `complete`
 * is true only if `changes` reach back to 30 days before `endMs` and are all in one currency.
 */
export function lowestPrice(
  changes: readonly DatedPrice[],
  endMs: number,
  amounts = AS_STORED,
): LowestPrice {
  const counted = changes.filter(({ at }) => Date.parse(at) < endMs);
  const [first] = counted;
  const currency = counted.at(-1)?.currency ?? null;
  const isWhole = first !== undefined && Date.parse(first.at) <= endMs - WINDOW_MS;
  const complete = isWhole && counted.every((change) => change.currency === currency);
  let lowest: { readonly cents: number; readonly since: string } | null = null;
  for (const [n, { at, toCents, currency: own }] of counted.entries()) {
    if (toCents === null || own !== currency) continue;
    const fromMs = Math.max(Date.parse(at), endMs - WINDOW_MS);
    const untilMs = Date.parse(counted[n + 1]?.at ?? iso(endMs));
    const moments = amounts.moments.filter((ms) => ms > fromMs && ms < untilMs);
    for (const ms of [fromMs, ...moments]) {
      const cents = amounts.at(toCents, ms);
      if (cents === null) return { lowestCents: null, currency, since: null, complete };
      if (lowest !== null && cents >= lowest.cents) continue;
      lowest = { cents, since: ms === fromMs ? at : iso(ms) };
    }
  }
  return { lowestCents: lowest?.cents ?? null, currency, since: lowest?.since ?? null, complete };
}

function isReduction(price: DatedPrice, before: DatedPrice, vat: VatTimeline): boolean {
  const sideOf = ({ at }: DatedPrice) => vat.at(Date.parse(at)).pricesIncludeVat;
  const isMixed = sideOf(price) !== sideOf(before);
  const amountOf = ({ toCents, at }: DatedPrice) =>
    toCents !== null && isMixed ? vat.netAt(toCents, Date.parse(at)) : toCents;
  const [toCents, fromCents] = [amountOf(price), amountOf(before)];
  return toCents !== null && fromCents !== null && price.currency === before.currency &&
    toCents < fromCents;
}

export const LowestPriceAnswer = z.object({
  at: z.iso.datetime().describe("End of the 30 days (exclusive)"),
  reduced: z.boolean().optional().describe(
    "True if the reductions to the current price began at `at`; absent in price evidence",
  ),
  lowestCents: z.int().nullable().describe("Gross if the workspace's prices include VAT"),
  lowestGrossCents: z.int().nullable().optional()
    .describe(
      "Only if prices are net: the lowest price including the VAT of its days; null without a VAT rate",
    ),
  currency: z.string(),
  since: z.iso.datetime().nullable().describe("When that price took effect"),
  complete: z.boolean().describe("False if the stored history is shorter than the 30 days"),
  tier: z.string().nullable().describe("The tier of the price; null for the own price"),
  leftOut: z.array(
    PriceMark.omit({ isError: true, neverShown: true })
      .extend({ at: z.iso.datetime(), toCents: z.int().nullable(), currency: z.string() }),
  ).describe(
    "Prices of these 30 days that are marked as never shown, with person and reason, newest first",
  ),
}).meta({ id: "LowestPrice" });

export type LowestPriceAnswer = z.infer<typeof LowestPriceAnswer>;

export async function findLowestPrice(
  ctx: Context,
  product: Product,
  { atMs, tier = null }: { readonly atMs: number | null; readonly tier?: string | null },
): Promise<LowestPriceAnswer> {
  const vat = await readVat(ctx, product);
  const past: Past<PricedMoment> = tier === null || tier === product.tier
    ? { isWhole: true, before: (ms) => pricesBefore(ctx, product.id, ms, vat) }
    : await tierPast(ctx, product, tier);
  const { answer, isReduced } = await examinePast(ctx, product, past, vat, atMs);
  return { ...answer, reduced: isReduced, tier };
}

interface Past<Price extends PricedMoment> {
  readonly isWhole: boolean;
  before(beforeMs: number): AsyncIterable<Price> | Iterable<Price>;
}

export async function examinePast<Price extends PricedMoment>(
  ctx: Context,
  product: Product,
  past: Past<Price>,
  vat: VatTimeline,
  atMs: number | null,
) {
  const reducedMs = atMs === null ? await findReductionStart(past, vat) : null;
  const endMs = atMs ?? reducedMs ?? ctx.now().getTime();
  const prices = await readWindow(past, endMs);
  const counted = prices.filter(({ isLeftOut }) => !isLeftOut).map(({ change }) => change);
  const { pricesIncludeVat } = await requireWorkspace(ctx);
  const startMs = endMs - WINDOW_MS;
  const moments = vat.momentsIn(startMs, endMs);
  const gross: Amounts = { moments, at: (cents, ms) => vat.grossAt(cents, ms) };
  const net: Amounts = { moments, at: (cents, ms) => vat.netAt(cents, ms) };
  const isMixed = [startMs, ...moments]
    .some((ms) => vat.at(ms).pricesIncludeVat !== pricesIncludeVat);
  // If `pricesIncludeVat` has changed, past prices are converted to gross or net, as used today.
  const today = isMixed ? pricesIncludeVat ? gross : net : AS_STORED;
  const { lowestCents, currency, since, complete } = lowestPrice(counted, endMs, today);
  const answer: LowestPriceAnswer = {
    at: iso(endMs),
    lowestCents,
    ...(!pricesIncludeVat && { lowestGrossCents: lowestPrice(counted, endMs, gross).lowestCents }),
    currency: currency ?? product.currency,
    since,
    complete: complete && past.isWhole && !(isMixed && lowestCents === null),
    tier: null,
    leftOut: prices.filter(({ isLeftOut }) => isLeftOut).reverse().map(leftOutOf),
  };
  return { answer, prices, isReduced: reducedMs !== null };
}

async function tierPast(ctx: Context, product: Product, tier: string): Promise<Past<PricedMoment>> {
  const all = await listTermsSteps(ctx, product.id);
  const beganMs = (await termsBegins.find(ctx, {}))?.row.beganMs ?? null;
  const { currency } = product;
  const steps = all.flatMap(({ atMs, tiers }) =>
    tiers.filter(([name, of]) => name === tier && of === currency)
      .map(([, , fromCents, toCents]) => ({ atMs, fromCents, toCents }))
  );
  const [first] = steps;
  const createdMs = Date.parse(product.createdAt);
  const knownMs = Math.min(
    Math.max(createdMs, beganMs ?? createdMs),
    (first?.atMs ?? Infinity) - 1,
  );
  const firstCents = first ? first.fromCents : tierCents(product, tier);
  const prices = firstCents === null ? steps : [{ atMs: knownMs, toCents: firstCents }, ...steps];
  const moments = prices.map(({ atMs, toCents }): PricedMoment => {
    const change = { at: iso(atMs), toCents, currency, mark: null };
    return { change, isLeftOut: false };
  });
  return {
    isWhole: beganMs !== null,
    before: (ms) => moments.filter(({ change }) => Date.parse(change.at) < ms).reverse(),
  };
}

/**
 * Returns when the current series of price cuts began; null if the last price change was not a cut.
 */
async function findReductionStart(
  past: Past<PricedMoment>,
  vat: VatTimeline,
): Promise<number | null> {
  let start: number | null = null;
  let later: DatedPrice | null = null;
  for await (const { change, isLeftOut } of past.before(Infinity)) {
    if (isLeftOut) continue;
    if (later !== null) {
      if (!isReduction(later, change, vat)) return start;
      start = Date.parse(later.at);
    }
    later = change;
  }
  return start;
}

async function readWindow<Price extends PricedMoment>(
  past: Past<Price>,
  endMs: number,
): Promise<Price[]> {
  const prices: Price[] = [];
  const startMs = endMs - WINDOW_MS;
  let untilMs = endMs;
  for await (const price of past.before(endMs)) {
    const { change: { at }, isLeftOut } = price;
    const atMs = Date.parse(at);
    if (!isLeftOut || untilMs > startMs) prices.push(price);
    untilMs = atMs;
    if (!isLeftOut && atMs <= startMs) break;
  }
  return prices.reverse();
}

function leftOutOf({ change: { at, toCents, currency, mark } }: PricedMoment) {
  if (mark === null) throw new Error("A price without a mark is left out");
  const { reason, by, markedAt } = mark;
  return { at, toCents, currency, reason, by, markedAt };
}

const CHANGES_PER_READ = 500;

interface PricedMoment {
  readonly change: DatedPrice & { readonly mark: PriceMark | null };
  readonly isLeftOut: boolean;
}

/**
 * Yields the product's prices before `beforeMs`, newest first. `wasExported` is computed only if
 * `asksForExports` is true or the product has a marked price; otherwise it is false.
 */
export async function* pricesBefore(
  workspace: WorkspaceStore,
  productId: string,
  beforeMs: number,
  vat: VatTimeline,
  { asksForExports = false }: { readonly asksForExports?: boolean } = {},
) {
  const marks = await listPriceMarks(workspace, productId, { fromMs: 0, beforeMs: Infinity });
  let hasReported: HasReported | null = null;
  let endedMs: number | null = null;
  for (let end = Infinity;;) {
    const stretch = { fromMs: 0, beforeMs: end };
    const changes = await listPriceChanges(workspace, productId, stretch, CHANGES_PER_READ);
    const oldest = changes.at(-1);
    if (oldest && (asksForExports || marks.size > 0)) {
      hasReported = await exportsSince(workspace, Date.parse(oldest.at));
    }
    for (const change of withMarks(changes, marks, vat)) {
      const atMs = Date.parse(change.at);
      if (atMs < beforeMs) {
        const wasExported = hasReported?.(change, endedMs ?? Infinity) ?? false;
        const isLeftOut = change.mark?.neverShown === true && !wasExported;
        yield { change, isLeftOut, wasExported };
      }
      endedMs = atMs;
    }
    if (!oldest || changes.length < CHANGES_PER_READ) return;
    end = Date.parse(oldest.at);
  }
}

export async function readVat(
  workspace: WorkspaceStore,
  { id, vatRatePct: ownPct }: { readonly id: string; readonly vatRatePct: number | null },
): Promise<VatTimeline> {
  const terms = await requireWorkspace(workspace);
  const [ownSteps, termsSteps] = await Promise.all([
    listTermsSteps(workspace, id),
    Array.fromAsync(vatSteps.walk(workspace), ({ row }) => row),
  ]);
  return new VatTimeline({ ownPct, ownSteps, terms, termsSteps });
}
