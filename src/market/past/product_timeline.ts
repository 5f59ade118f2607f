/** Lists what shops, rules, people and imports did with a product (docs/decisions/market.md). */

import type { AuditRow } from "../../accounts/audit/audit.ts";
import { type AuditFilter, walkAuditRows } from "../../accounts/audit/audit_store.ts";
import { firstOf } from "../../base/collections.ts";
import { splitList } from "../../base/text.ts";
import { iso } from "../../base/time.ts";
import {
  type FinishedExport,
  walkFinishedExports,
} from "../../catalogue/prices/awaited_price_store.ts";
import type { PriceChange } from "../../catalogue/prices/price_rows.ts";
import { listPriceChanges } from "../../catalogue/products/product_store.ts";
import type { Product } from "../../catalogue/products/product.ts";
import { IMPORT_KIND, type QueuedImport } from "../../imports/state/import_job.ts";
import { alerts as alertTable } from "../../messages/alert_store.ts";
import { cursorAt, flagQuery, openCursor, type Page, pageQuery } from "../../platform/http/http.ts";
import { findJob } from "../../platform/jobs/job_store.ts";
import type { Context } from "../../platform/store/context.ts";
import { idOf, pagesOf } from "../../platform/store/rows.ts";
import type { StoredProposal } from "../../rules/proposals/proposal.ts";
import { listProposals } from "../../rules/proposals/proposal_store.ts";
import { walkLoneMoves } from "../../shops/observations/move_store.ts";
import type { Observation, PlacedObservation } from "../../shops/observations/observation.ts";
import { ofProduct, ownedPages } from "../../shops/observations/read_observations.ts";
import { changePct, shownUnitCents } from "../unit_cents.ts";
import { readPastShops } from "./product_chart.ts";
import {
  compareNewest,
  findMoves,
  type FoundMove,
  mergeNewest,
  NEWEST,
  TIMELINE_TYPES,
  type TimelineItem,
  type TimelinePlace,
  type TimelineType,
} from "./timeline_item.ts";
import { z } from "@hono/zod-openapi";

const isType = (name: string): name is TimelineType =>
  TIMELINE_TYPES.some((known) => known === name);

const Types = z.string().optional().transform((text, check): readonly TimelineType[] => {
  const names = splitList(text ?? "");
  const known = names.filter(isType);
  if (known.length === names.length) return known.length === 0 ? TIMELINE_TYPES : known;
  check.addIssue({ code: "custom", message: `Must be some of ${TIMELINE_TYPES.join(", ")}` });
  return [];
});

export const TimelineQuery = z.strictObject({
  ...pageQuery(50, 200),
  types: Types.meta({
    type: "string",
    description: `Some of ${TIMELINE_TYPES.join(", ")}, separated by commas; default: all`,
    example: "move,price",
  }),
  includeDeleted: flagQuery.meta({ type: "boolean" }),
});

const OBSERVATIONS_MAX = 20_000;
const ROWS_PER_READ = 500;
const CHANGES_PER_READ = 100;
const PROPOSALS_PER_READ = 100;
const EXPORTS_MAX = 2_000;
const EXPORTS_KEPT_MS = 400 * 86_400_000;

/** If `item` is null, the page ends here, because `OBSERVATIONS_MAX` observations were read. */
interface Found extends TimelinePlace {
  readonly item: TimelineItem | null;
}

/** A page may have fewer than `limit` items: it ends after `OBSERVATIONS_MAX` observations. */
export async function pageOfTimeline(
  ctx: Context,
  product: Product,
  { limit, cursor, types }: z.output<typeof TimelineQuery>,
): Promise<Page<TimelineItem>> {
  const place = openCursor(ctx, cursor, z.tuple([z.number(), z.string()]));
  const after = place ? { atMs: place[0], id: place[1] } : NEWEST;
  const past: Past = { ctx, product, after };
  const items: TimelineItem[] = [];
  let last = after;
  for await (const found of mergeNewest(sourcesOf(past, new Set(types)), after)) {
    if (items.length < limit) {
      last = found;
      if (found.item !== null) {
        items.push(found.item);
        continue;
      }
    }
    const nextCursor = cursorAt(ctx, [last.atMs, last.id]);
    return { items, nextCursor, count: items.length };
  }
  return { items, nextCursor: null, count: items.length };
}

interface Past {
  readonly ctx: Context;
  readonly product: Product;
  readonly after: TimelinePlace;
}

function sourcesOf(past: Past, types: ReadonlySet<TimelineType>): AsyncIterable<Found>[] {
  return [
    ...(types.has("move") ? [moves(past)] : []),
    ...(types.has("price") || types.has("import") ? [prices(past, types)] : []),
    ...(types.has("proposal") ? [proposals(past)] : []),
    ...(types.has("alert") ? [alerts(past)] : []),
    ...(types.has("edit") ? [edits(past)] : []),
    ...(types.has("export") ? [exports(past)] : []),
  ];
}

function placed(item: TimelineItem): Found {
  return { atMs: Date.parse(item.at), id: item.id, item };
}

async function* moves(past: Past): AsyncGenerator<Found> {
  const shops = await readPastShops(past.ctx, past.product);
  const observations = mergeNewest([observed(past, shops.accepts), lone(past)], NEWEST);
  for await (const found of findMoves(observations, OBSERVATIONS_MAX)) {
    if (found.is === "break") yield { atMs: found.atMs + 1, id: "", item: null };
    else {
      const shop = await shops.of(found.seen.observation.matchId);
      if (shop === null || shop.isOurs) continue;
      const unit = (cents: number) => shownUnitCents(cents, shop, shops.ours);
      yield placed(moveItem(found, shop.competitor, unit));
    }
  }
}

async function* lone({ ctx, product, after }: Past): AsyncGenerator<PlacedObservation> {
  for await (const move of walkLoneMoves(ctx, product.id, after.atMs)) {
    const { id, productId, matchId, competitorId, toCents, currency, atMs } = move;
    const observation = {
      productId,
      matchId,
      competitorId,
      currency,
      observedAtMs: atMs,
      priceCents: toCents,
      availability: "discontinued",
      listPriceCents: null,
      shippingCents: null,
      method: null,
      confidence: 1,
      source: "scrape",
      runId: null,
    } as const;
    yield { atMs, id, observation };
  }
}

async function* observed(
  { ctx, product, after }: Past,
  accepts: (one: Observation) => boolean,
): AsyncGenerator<PlacedObservation> {
  const stretch = { fromMs: 0, toMs: after.atMs, order: "desc" } as const;
  for await (const rows of ownedPages(ctx, ofProduct(product.id), stretch, ROWS_PER_READ)) {
    yield* rows.filter(({ observation }) => accepts(observation));
  }
}

function moveItem(
  { kind, seen, before }: Extract<FoundMove, { is: "move" }>,
  competitor: string,
  unitCents: (cents: number) => number,
): TimelineItem {
  const { matchId, competitorId, priceCents, currency, observedAtMs } = seen.observation;
  const fromCents = before?.currency === currency ? unitCents(before.priceCents) : null;
  const toCents = unitCents(priceCents);
  return {
    id: `move-${seen.id}`,
    at: new Date(observedAtMs).toISOString(),
    type: "move",
    title: competitor,
    actor: null,
    ref: matchId,
    data: {
      kind,
      competitorProductId: matchId,
      competitorId,
      competitor,
      fromCents,
      toCents,
      currency,
      changePct: before?.currency === currency ? changePct(before.priceCents, priceCents) : null,
    },
  };
}

async function* prices({ ctx, product, after }: Past, types: ReadonlySet<TimelineType>) {
  for (let beforeMs = after.atMs + 1;;) {
    const stretch = { fromMs: 0, beforeMs };
    const changes = await listPriceChanges(ctx, product.id, stretch, CHANGES_PER_READ);
    for (const change of changes) {
      const type = change.source === "import" ? "import" : "price";
      if (types.has(type)) yield placed(await priceItem(ctx, product, change));
    }
    const last = changes.at(-1);
    if (last === undefined || changes.length < CHANGES_PER_READ) return;
    beforeMs = Date.parse(last.at);
  }
}

async function priceItem(
  ctx: Context,
  { sku }: Product,
  { at, source, fromCents, toCents, currency, actor, ref }: PriceChange,
): Promise<TimelineItem> {
  const rest = { at, actor, ref, data: { source, fromCents, toCents, currency } };
  const id = `price-${Date.parse(at)}`;
  if (source !== "import") return { id, type: "price", title: sku, ...rest };
  const job = ref === null ? null : await findJob<QueuedImport>(ctx, IMPORT_KIND, ref);
  return { id, type: "import", title: job?.args.label ?? sku, ...rest };
}

async function* proposals({ ctx, product }: Past): AsyncGenerator<Found> {
  const index = { by: "product", id: product.id } as const;
  const pages = pagesOf(
    (...at) => listProposals(ctx, index, ...at, "desc"),
    idOf,
    PROPOSALS_PER_READ,
  );
  for await (const read of pages) {
    yield* read.flatMap(proposalItems).map(placed).sort(compareNewest);
  }
}

function proposalItems(proposal: StoredProposal): TimelineItem[] {
  const { id, ruleId, ruleName, status, reason, currency, expiresAt } = proposal;
  const { currentCents, proposedCents, createdAt, decidedAt, decidedBy } = proposal;
  const base = { type: "proposal", title: ruleName, ref: id } as const;
  const facts = { status, ruleId, ruleName, currentCents, proposedCents, currency, reason };
  const item = (event: "made" | "decided", at: string): TimelineItem => ({
    ...base,
    id: `proposal-${event}-${id}`,
    at,
    actor: event === "decided" ? decidedBy : null,
    data: { event, ...facts, expiresAt },
  });
  return [item("made", createdAt), ...(decidedAt === null ? [] : [item("decided", decidedAt)])];
}

async function* alerts({ ctx, product }: Past): AsyncGenerator<Found> {
  const ofProduct = { productId: product.id };
  for await (const { row } of alertTable.walkBy(ctx, "product", ofProduct, { order: "desc" })) {
    const { id, createdAt: at, title, severity, ruleId, body, facts } = row;
    const data = { severity, ruleId, body, facts: facts ?? null };
    yield placed({ id: `alert-${id}`, at, type: "alert", title, actor: null, ref: id, data });
  }
}

async function* edits({ ctx, product, after: before }: Past): AsyncGenerator<Found> {
  const filter: AuditFilter = {
    resource: `product:${product.id}`,
    ...(Number.isFinite(before.atMs) && { toMs: before.atMs }),
    order: "desc",
  };
  for await (const row of walkAuditRows(ctx, filter)) {
    if (!isPriceAlone(row)) yield placed(editItem(row));
  }
}

function isPriceAlone({ action, after, reason }: AuditRow): boolean {
  const names = Object.keys(after ?? {});
  return reason === undefined && action === "product.update" && names.length > 0 &&
    names.every((name) => name === "ourPriceCents");
}

function editItem(
  { id, at, actor, action, before, after, currency, reason }: AuditRow,
): TimelineItem {
  const data = { action, before, after, currency: currency ?? null, reason: reason ?? null };
  return { id: `edit-${id}`, at, type: "edit", title: action, actor, ref: id, data };
}

async function* exports({ ctx, product }: Past): AsyncGenerator<Found> {
  const stretch = { fromMs: ctx.now().getTime() - EXPORTS_KEPT_MS, beforeMs: Infinity };
  const changes = await listPriceChanges(ctx, product.id, stretch, CHANGES_PER_READ);
  const exportable = changes.filter(({ source }) => source !== "import");
  const oldest = exportable.at(-1);
  if (oldest === undefined) return;
  const known = await firstOf(walkFinishedExports(ctx, Date.parse(oldest.at)), EXPORTS_MAX);
  const firsts = new Map<string, { readonly one: FinishedExport; readonly toldAt: string }>();
  for (const { at } of exportable) {
    const atMs = Date.parse(at);
    const one = known.findLast(({ fromMs, toMs }) => fromMs <= atMs && atMs <= toMs);
    if (one !== undefined && !firsts.has(one.id)) firsts.set(one.id, { one, toldAt: at });
  }
  yield* [...firsts.values()].map(exportItem).map(placed).sort(compareNewest);
}

function exportItem(
  { one, toldAt }: { readonly one: FinishedExport; readonly toldAt: string },
): TimelineItem {
  const { id, atMs, actor, format, fromMs, toMs, rows } = one;
  const data = { format, from: fromMs === 0 ? null : iso(fromMs), to: iso(toMs), rows, toldAt };
  return { id: `export-${id}`, at: iso(atMs), type: "export", title: format, actor, ref: id, data };
}
