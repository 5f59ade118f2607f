/**
 * Lists suspicious prices of competitors, and lets people decide on them. Rules ignore a suspicious
 * price until a person accepts it, or Kurant sees the same price again after six hours. If many
 * prices of a shop change alike, only a person can accept them (docs/decisions/rules.md).
 */
import { AuditReason } from "../../accounts/audit/audit.ts";
import { addAuditRow } from "../../accounts/audit/audit_store.ts";
import { manager, viewer } from "../../accounts/roles.ts";
import { isInStock } from "../../base/codes.ts";
import { Failure, requireRefusal, shown } from "../../base/failure.ts";
import { isId } from "../../base/id.ts";
import { type Columns, fields, moments, openListTable } from "../../catalogue/lists/list_file.ts";
import { findProduct } from "../../catalogue/products/product_store.ts";
import { compileRules } from "../../engine/pricing/compile_rule.ts";
import { codeCell } from "../../engine/wording/code_words.ts";
import { publish } from "../../platform/events/outbox_store.ts";
import { one, page } from "../../platform/http/answer.ts";
import { type Page, pageById, pageQuery } from "../../platform/http/http.ts";
import { resource } from "../../platform/http/resource.ts";
import type { Context } from "../../platform/store/context.ts";
import { transact } from "../../platform/store/kv.ts";
import { moneyCell } from "../../platform/tables/cell.ts";
import { schedules } from "../../scraping/schedule/schedule.ts";
import { competitorsById } from "../../shops/competitor_store.ts";
import { changedObservations } from "../../shops/observations/observation.ts";
import { releaseObservations } from "../../shops/observations/observation_store.ts";
import { addMoves, movesBetween } from "../../shops/observations/move_store.ts";
import {
  type FoundHeld,
  heldIdOf,
  heldPrices,
  releasedPrices,
  walkActiveHeld,
} from "../../shops/offers/failing_and_held_store.ts";
import { type Offer, withObservation } from "../../shops/offers/offer.ts";
import { checkOffers, findOffers, putOffers } from "../../shops/offers/offer_store.ts";
import { shopSuspicion } from "../../shops/recording/record_observation.ts";
import { isOpen, type ShopAlarm, shopAlarms } from "../../shops/recording/watch_shops.ts";
import { SUSPICIONS } from "../../shops/choices.ts";
import { listRules } from "../rule.ts";
import { allRules, type Judged, judgeOne } from "./judge.ts";
import { readSurroundings } from "../proposals/priced_product.ts";
import { readSubjects, type Subject } from "./situation_reader.ts";
import { z } from "@hono/zod-openapi";
import { firstOf } from "../../base/collections.ts";

const SHOP_MAX = 500;
const ALARMS_PER_COMMIT = 8;

const QuarantineFilter = z.strictObject({
  competitorId: z.string().max(100).optional().describe("Only prices of this competitor"),
});

const QuarantineQuery = z.strictObject({ ...pageQuery(25, 100), ...QuarantineFilter.shape });

const HeldPriceDocument = z.object({
  id: z.string(),
  productId: z.string(),
  sku: z.string(),
  title: z.string(),
  competitorProductId: z.string(),
  competitorId: z.string(),
  competitor: z.string().describe("The competitor's display name"),
  price: z.int().describe("Minor units of `currency`, as observed"),
  currency: z.string(),
  inStock: z.boolean().nullable(),
  acceptedPrice: z.int().nullable().describe("The price that rules use instead; null: none"),
  acceptedCurrency: z.string().nullable().describe("Currency of `acceptedPrice`"),
  code: z.enum(SUSPICIONS).describe("Why the price is suspicious"),
  against: z.int().nullable()
    .describe("The price, the median or the cost that it was compared with"),
  heldAt: z.iso.datetime().describe("When it was first observed"),
  observedAt: z.iso.datetime().describe("When it was last observed"),
  nextFetchAt: z.iso.datetime().nullable()
    .describe("When the product's pages are due next; null: no fetch is planned"),
  would: z.object({
    ruleId: z.string(),
    ruleName: z.string(),
    outcome: z.enum(["propose", "apply", "rest"]),
    currentCents: z.int().nullable(),
    proposedCents: z.int(),
    currency: z.string(),
  }).nullable().describe("What the rules would do with it now; null: set no price"),
}).meta({ id: "HeldPrice" });

type HeldPriceDocument = z.infer<typeof HeldPriceDocument>;

const QuarantineDecision = z.strictObject({
  action: z.enum(["release", "drop"])
    .describe("`release`: rules use the price from now on; `drop`: rules never use it"),
  ids: z.array(z.string()).min(1).max(200),
  reason: AuditReason.optional(),
}).meta({ id: "QuarantineDecision" });

type QuarantineDecision = z.infer<typeof QuarantineDecision>;

const QuarantineOutcome = z.object({
  results: z.array(z.object({
    id: z.string(),
    ok: z.boolean(),
    error: z.object({ code: z.string(), message: z.string() }).optional()
      .describe("Why the decision was refused; absent if it was made"),
  })),
}).meta({ id: "QuarantineOutcome" });

type QuarantineOutcome = z.infer<typeof QuarantineOutcome>;

const HeldShop = z.object({
  competitorId: z.string(),
  competitor: z.string().describe("The competitor's display name"),
  waiting: z.int().describe("Number of its prices that are held because of a pattern"),
  heldAt: z.iso.datetime().describe("When the first of them was observed"),
  patterns: z.array(z.object({
    kind: z.enum(["down", "up", "same"])
      .describe("Changes of more than 30 % in one direction; `same`: the same new price"),
    price: z.int().nullable().describe("The new price; null unless `kind` is `same`"),
    currency: z.string().nullable().describe("Currency of `price`"),
    count: z.int().describe("Products with the pattern when it was noticed"),
    seen: z.int().describe("Observed products when the pattern was noticed"),
    since: z.iso.datetime().describe("When the pattern was noticed"),
  })).describe("Patterns that currently hold prices of the competitor"),
}).meta({ id: "HeldShop" });

type HeldShop = z.infer<typeof HeldShop>;

const HeldShops = z.object({ items: z.array(HeldShop) }).meta({ id: "HeldShops" });

const ShopDecision = QuarantineDecision.omit({ ids: true }).meta({ id: "ShopDecision" });

const ShopOutcome = z.object({
  decided: z.int().describe(`Number of decided prices, at most ${SHOP_MAX}`),
  left: z.int().describe("Number of prices still held: repeat the request to decide them"),
}).meta({ id: "ShopOutcome" });

async function pageOfHeld(
  ctx: Context,
  { competitorId = "", ...query }: z.infer<typeof QuarantineQuery>,
): Promise<Page<HeldPriceDocument>> {
  const fits = (held: FoundHeld) => competitorId === "" || held.competitorId === competitorId;
  const { items, ...page } = await pageById(
    ctx,
    query,
    ({ after, limit }) => firstOf(walkActiveHeld(ctx, fits, after), limit),
  );
  const documents = await toDocuments(ctx, items);
  return { items: documents, ...page, count: documents.length };
}

async function toDocuments(ctx: Context, held: readonly FoundHeld[]): Promise<HeldPriceDocument[]> {
  const surroundings = await readSurroundings(ctx);
  const scene = { surroundings, nowMs: ctx.now().getTime() };
  const ids = [...new Set(held.map(({ productId }) => productId))];
  const { subjects } = await readSubjects(ctx, ids, scene);
  const byId = new Map(subjects.map((subject) => [subject.found.id, subject]));
  const rules = compileRules(await listRules(ctx));
  const documents: HeldPriceDocument[] = [];
  for (const one of held) {
    const subject = byId.get(one.productId);
    if (!subject) continue;
    const { winner } = await judgeOne(ctx, allRules(rules), withPrice(subject, one));
    const { situation: { offers }, found: { product } } = subject;
    const accepted = offers.find(({ matchId }) => matchId === one.matchId);
    const due = await schedules.find(ctx, { productId: one.productId });
    documents.push({
      id: one.id,
      productId: one.productId,
      sku: one.sku,
      title: product.title,
      competitorProductId: one.matchId,
      competitorId: one.competitorId,
      competitor: surroundings.competitors.get(one.competitorId)?.displayName ?? "",
      price: one.priceCents,
      currency: one.currency,
      inStock: isInStock(one.availability),
      acceptedPrice: accepted?.priceCents ?? null,
      acceptedCurrency: accepted?.currency ?? null,
      code: SUSPICIONS.find((code) => code === one.code) ?? "unit",
      against: one.againstCents,
      heldAt: new Date(one.heldAtMs).toISOString(),
      observedAt: new Date(one.observedAtMs).toISOString(),
      nextFetchAt: due && new Date(due.row.dueAtMs).toISOString(),
      would: winner === null || winner.proposedCents === null ? null : {
        ruleId: winner.ruleId,
        ruleName: rules.find(({ id }) => id === winner.ruleId)?.name ?? "",
        outcome: winner.outcome === "alert" ? "rest" : winner.outcome,
        currentCents: winner.currentCents,
        proposedCents: winner.proposedCents,
        currency: product.currency,
      },
    });
  }
  return documents;
}

function withPrice({ situation }: Subject, held: FoundHeld): Judged {
  const { priceCents, currency, availability, confidence, observedAtMs } = held;
  const seen = { priceCents, currency, inStock: isInStock(availability), confidence, observedAtMs };
  const offers = situation.offers.map((offer) =>
    offer.matchId === held.matchId ? { ...offer, ...seen, isReleased: true } : offer
  );
  return { situation: { ...situation, offers } };
}

const HELD_MAX = 20_000;

function walkShopHeld(ctx: Context, competitorId: string | null = null) {
  const fits = (held: FoundHeld) =>
    (competitorId === null || held.competitorId === competitorId) && shopSuspicion(held) !== null;
  return walkActiveHeld(ctx, fits, null, HELD_MAX);
}

export async function listHeldShops(ctx: Context): Promise<HeldShop[]> {
  const shops = new Map<string, { waiting: number; heldAtMs: number }>();
  for await (const { competitorId, heldAtMs } of walkShopHeld(ctx)) {
    const shop = shops.getOrInsert(competitorId, { waiting: 0, heldAtMs });
    shop.waiting++;
    shop.heldAtMs = Math.min(shop.heldAtMs, heldAtMs);
  }
  const competitors = await competitorsById(ctx);
  const nowMs = ctx.now().getTime();
  return await Promise.all([...shops].map(async ([competitorId, { waiting, heldAtMs }]) => {
    const alarms = await shopAlarms.list(ctx, { within: { competitorId } });
    return {
      competitorId,
      competitor: competitors.get(competitorId)?.displayName ?? "",
      waiting,
      heldAt: new Date(heldAtMs).toISOString(),
      patterns: alarms.flatMap(({ row }) => isOpen(row, nowMs) ? [patternOf(row)] : []),
    };
  }));
}

function patternOf({ pattern, count, seen, sinceMs }: ShopAlarm): HeldShop["patterns"][number] {
  const isSame = pattern.kind === "same";
  return {
    kind: pattern.kind,
    price: isSame ? pattern.priceCents : null,
    currency: isSame ? pattern.currency : null,
    count,
    seen,
    since: new Date(sinceMs).toISOString(),
  };
}

export async function decideShop(
  ctx: Context,
  competitorId: string,
  { action, reason = null }: Omit<QuarantineDecision, "ids">,
) {
  const waiting: string[] = [];
  for await (const { id } of walkShopHeld(ctx, competitorId)) waiting.push(id);
  if (waiting.length === 0) {
    const message = `No prices of the competitor "${shown(competitorId)}" are held by a pattern`;
    throw new Failure("not_found", message);
  }
  if (action === "release") await acceptPatterns(ctx, competitorId);
  const { results } = await decideHeld(ctx, { action, ids: waiting.slice(0, SHOP_MAX), reason });
  const decided = results.filter(({ ok }) => ok).length;
  return { decided, left: Math.max(0, waiting.length - SHOP_MAX) };
}

async function acceptPatterns(ctx: Context, competitorId: string): Promise<void> {
  const releasedMs = ctx.now().getTime();
  for (let left = true; left;) {
    left = await transact(ctx, async (write) => {
      const open = (await shopAlarms.list(ctx, { within: { competitorId } }))
        .filter(({ row }) => row.releasedMs === null);
      for (const found of open.slice(0, ALARMS_PER_COMMIT)) {
        shopAlarms.save(write, ctx, found, { ...found.row, releasedMs });
      }
      return open.length > ALARMS_PER_COMMIT;
    });
  }
}

async function decideHeld(
  ctx: Context,
  { action, ids, reason = null }: QuarantineDecision,
): Promise<QuarantineOutcome> {
  const each = { ...ctx, receipt: null };
  const results: QuarantineOutcome["results"] = [];
  for (const id of ids) {
    try {
      await decideOne(each, id, action, reason);
      results.push({ id, ok: true });
    } catch (error) {
      const { code, message } = requireRefusal(error);
      results.push({ id, ok: false, error: { code, message } });
    }
  }
  return { results };
}

async function decideOne(
  ctx: Context,
  id: string,
  action: QuarantineDecision["action"],
  reason: string | null,
): Promise<void> {
  await transact(ctx, async (write) => {
    const { row: held = null } = isId(id) ? await heldPrices.find(ctx, { id }) ?? {} : {};
    const found = held && await findProduct(ctx, held.productId);
    const stored = held && await findOffers(ctx, held.productId);
    const before = stored?.offers.find((offer) => heldIdOf(offer) === id);
    if (!held || !found || !stored || !before) {
      throw new Failure("not_found", `No held price has the id "${shown(id)}"`);
    }
    const { product } = found;
    checkOffers(write, ctx.workspaceId, stored);
    const after = decided(before, held, action);
    const offers = stored.offers.map((offer) => offer === before ? after : offer);
    putOffers(write, ctx.workspaceId, product, { before: stored.offers, after: offers });
    if (action === "release") {
      releasedPrices.put(write, ctx, held);
      await releaseObservations(write, ctx, held);
      addMoves(write, ctx, movesBetween(product.id, before, after));
      const changed = changedObservations(product, before, after, held.source);
      const data = { cause: "write" as const, ref: ctx.requestId, productIds: [product.id] };
      publish(write, ctx, [...changed, { type: "products.touched", data }]);
    }
    addAuditRow(write, ctx, {
      action: `competitor_product.${action}`,
      resource: { type: "competitor_product", id: held.matchId, label: product.sku },
      about: [`product:${product.id}`],
      currency: held.currency,
      before: { price: before.priceCents, held: held.priceCents },
      after: { price: after.priceCents, held: null },
      reason,
    });
  });
}

function decided(offer: Offer, held: FoundHeld, action: QuarantineDecision["action"]): Offer {
  const free = { ...offer, heldAtMs: null };
  return action === "drop" ? free : withObservation(free, held, held.observedAtMs);
}

export function quarantineRoutes() {
  return resource("/quarantine", {
    read: { people: viewer },
    change: { people: manager },
    tags: ["Quarantine"],
  })
    .get("/shops", {
      answer: one(HeldShops, "Competitors with prices that are held because of a pattern"),
    }, async ({ ctx }) => ({ items: await listHeldShops(ctx) }))
    .post("/shops/{competitorId}", {
      body: ShopDecision,
      answer: one(ShopOutcome, "Numbers of decided prices and of prices that are still held"),
    }, ({ ctx, competitorId, body }) => decideShop(ctx, competitorId, body))
    .list({
      query: QuarantineQuery,
      answer: page(
        HeldPriceDocument,
        "Held prices, the longest wait first, with the decisions that accepting would cause",
        { inApp: "HeldPricePage" },
      ),
    }, ({ ctx, query }) => pageOfHeld(ctx, query))
    .files("", {
      tags: ["Quarantine"],
      query: QuarantineFilter,
      words: "All matching held prices, the longest wait first",
      open: (ctx, filter) =>
        openListTable("quarantine", COLUMNS, (page) => pageOfHeld(ctx, { ...filter, ...page })),
    })
    .post("/bulk", {
      body: QuarantineDecision,
      answer: one(QuarantineOutcome, "The result for each price"),
    }, ({ ctx, body }) => decideHeld(ctx, body)).routes;
}

const COLUMNS: Columns<HeldPriceDocument> = {
  ...moments("heldAt", "observedAt"),
  ...fields("sku", "title", "competitor"),
  seen: ({ price, currency }) => moneyCell(price, currency),
  ...fields("currency", "inStock"),
  accepted: ({ acceptedPrice, acceptedCurrency, currency }) =>
    moneyCell(acceptedPrice, acceptedCurrency ?? currency),
  acceptedCurrency: ({ acceptedCurrency }) => acceptedCurrency,
  code: ({ code }) => codeCell("suspicions", code),
  against: ({ against, code, currency, acceptedCurrency }) =>
    moneyCell(against, (code === "currency" ? acceptedCurrency : null) ?? currency),
  rule: ({ would }) => would?.ruleName ?? null,
  outcome: ({ would }) => codeCell("decisionOutcomes", would?.outcome ?? null),
  current: ({ would }) => would && moneyCell(would.currentCents, would.currency),
  proposed: ({ would }) => would && moneyCell(would.proposedCents, would.currency),
  ruleId: ({ would }) => would?.ruleId ?? null,
  ...fields("productId", "competitorId", "competitorProductId", "id"),
};
