/**
 * Writes one changed product with its audit row and events, and checks the prices that people set
 * (docs/decisions/rules.md, "Prices that people set").
 */
import { mapValues } from "../../base/collections.ts";
import { type AuditEntry, changedFields } from "../../accounts/audit/audit.ts";
import type { AuditAction } from "../../accounts/audit/audit_actions.ts";
import { addAuditRow } from "../../accounts/audit/audit_store.ts";
import { brokenBound, needsReason, type PriceDoubt, priceDoubts } from "../../base/price_doubts.ts";
import type { OutboxEvent } from "../../platform/events/event.ts";
import { publish } from "../../platform/events/outbox_store.ts";
import type { Context, WorkspaceStore } from "../../platform/store/context.ts";
import type { Write } from "../../platform/store/kv.ts";
import { type PriceCause, priceChangeId, priceChangeOf } from "../prices/price_rows.ts";
import { findIndexRow, marksOf, NO_MARKS } from "../products/index_row_store.ts";
import {
  differsForImports,
  followPrice,
  holdEndMs,
  isJudgedAnew,
  isRepriced,
  type Product,
  toWire,
} from "../products/product.ts";
import { AMOUNT_NAMES, FIELD_NAMES, PRODUCT_FIELDS } from "../products/product_field_table.ts";
import {
  checkProduct,
  priceDayAgo,
  putProduct,
  type StoredProduct,
} from "../products/product_store.ts";
import { type Counters, createCounters, saveCounters } from "../products/change_log_store.ts";
import {
  checkWorkspace,
  readWorkspace,
  requireWorkspace,
  type Workspace,
} from "../../accounts/workspace.ts";
import { Failure } from "../../base/failure.ts";
import { startOfDay } from "../../base/german_values.ts";
import { isLargeMove, showMoney } from "../../base/money.ts";

/**
 * Set the new `updatedAt` of `after` before the call. Without `batch`, the commit fails if the
 * stored product differs from `found`. With `batch`, the caller must check the shards' version
 * counters that it read before `found`, save `batch.counters`, and publish `batch.events`.
 */
export async function writeChange(
  write: Write,
  ctx: Context,
  found: StoredProduct,
  after: Product,
  { action, cause, reason, batch }: {
    readonly action: AuditAction<"product">;
    readonly cause: PriceCause;
    readonly reason?: string | null | undefined;
    readonly batch?: { readonly counters: Counters; readonly events: OutboxEvent[] };
  },
): Promise<Uint8Array<ArrayBuffer>> {
  if (!batch) checkProduct(write, ctx.workspaceId, found);
  const indexRow = await findIndexRow(ctx, found.product.sku);
  const marks = indexRow ? marksOf(indexRow) : NO_MARKS;
  const isForImports = differsForImports(found.product, after);
  const counters = batch?.counters ?? createCounters();
  putProduct(write, ctx.workspaceId, {
    before: { product: found.product, marks },
    after: { product: after, marks: { ...marks, ...(isForImports && { importHash: null }) } },
    cause,
  }, counters);
  if (!batch) saveCounters(write, ctx.workspaceId, counters);
  addAuditRow(write, ctx, {
    ...productAudit(action, found.product, after),
    ...(cause.source === "rule" && cause.ref !== null && { about: [`rule:${cause.ref}`] }),
    reason,
  });
  const events = productEvents(ctx, found.product, after, cause);
  if (batch) batch.events.push(...events);
  else publish(write, ctx, events);
  return toWire(after);
}

export function causedByApi(ctx: Context): PriceCause {
  return { source: "api", actor: ctx.actor, ref: null };
}

/** A price set by a rule triggers no rules; otherwise rules could trigger each other endlessly. */
export function productEvents(
  ctx: Pick<Context, "requestId">,
  before: Product | null,
  after: Product,
  cause: PriceCause,
): OutboxEvent[] {
  const events = priceEvents(before, after, cause);
  if (cause.source !== "rule" && isJudgedAnew(before, after)) {
    const data = { cause: "write" as const, ref: ctx.requestId, productIds: [after.id] };
    events.push({ type: "products.touched", data });
  }
  return events;
}

function priceEvents(before: Product | null, after: Product, cause: PriceCause): OutboxEvent[] {
  const change = priceChangeOf(before, after, cause);
  if (change === null || change.source === "import") return [];
  const { at, fromCents, toCents, currency, source, ref } = change;
  const { id: productId, sku, title } = after;
  const changeId = priceChangeId(productId, at);
  const data = { changeId, productId, sku, at, fromCents, toCents, currency, source, ref };
  const broken = cause.actor.type === "api_key" ? brokenBound(toCents, after) : null;
  const price: OutboxEvent = { type: "price.changed", data };
  if (broken === null || toCents === null) return [price];
  const { code: bound, limitCents } = broken;
  const facts = { productId, sku, title, currency, cents: toCents, bound, limitCents };
  return [price, { type: "price.out_of_bounds", data: { ...facts, by: cause.actor.name } }];
}

const SIDE_CHARACTERS_MAX = 12_000;
const CUT_CHARACTERS = 100;

const LEFT_OUT = new Set<string>(
  FIELD_NAMES.filter((name) => {
    const { audit } = PRODUCT_FIELDS[name];
    return audit === null || audit === "each";
  }),
);

export function productAudit(
  action: AuditAction<"product">,
  before: Product | null,
  after: Product,
): AuditEntry {
  const changed = changedFields(before ? auditFields(before) : {}, auditFields(after));
  return {
    action,
    resource: { type: "product", id: after.id, label: after.sku },
    before: before && cut(changed.before),
    after: cut(changed.after),
    ...(AMOUNT_NAMES.some((name) => name in (changed.after ?? {})) && { currency: after.currency }),
    ...brokenBy(before, after),
  };
}

function brokenBy(before: Product | null, after: Product): Pick<AuditEntry, "brokenBound"> {
  if (before !== null && !isRepriced(before, after)) return {};
  const broken = brokenBound(after.ourPriceCents, after);
  return broken === null ? {} : { brokenBound: broken.code };
}

function auditFields(product: Product): Record<string, unknown> {
  const fields = Object.entries(product).filter(([name]) => !LEFT_OUT.has(name));
  const attributes = Object.entries(product.attributes)
    .map(([name, value]) => [`attributes.${name}`, value]);
  return Object.fromEntries([...fields, ...attributes]);
}

function cut(side: Record<string, unknown> | null): Record<string, unknown> | null {
  if (side === null || JSON.stringify(side).length <= SIDE_CHARACTERS_MAX) return side;
  return mapValues(
    side,
    (value) =>
      typeof value === "string" && value.length > CUT_CHARACTERS
        ? `${value.slice(0, CUT_CHARACTERS).toWellFormed()}…`
        : value,
  );
}

/**
 * Throws `conflict` if a person's price needs a reason and has none (`details.needsReason`), or if
 * it needs the approval of other people (`details.guard` is `approval_needed`).
 */
export async function requireAllowedPrice(
  write: Write,
  ctx: Context,
  before: Product,
  after: Product,
  reason: string | null,
): Promise<void> {
  if (ctx.actor.type !== "user" || !isRepriced(before, after)) return;
  const { workspace, versionstamp } = await readWorkspace(ctx);
  checkWorkspace(write, ctx.workspaceId, versionstamp);
  const refusal = await findRefusal(ctx, after, reason, workspace);
  if (refusal) throw refusal;
}

export async function findRefusal(
  ctx: WorkspaceStore & Pick<Context, "now">,
  after: Product,
  reason: string | null,
  workspace: Workspace,
): Promise<Failure | null> {
  const objection = reason === null ? objectionTo(after, workspace, ctx.now()) : null;
  if (objection) return lacksReason(objection, after);
  const { ourPriceCents: cents } = after;
  if (workspace.approval === null || cents === null) return null;
  const from = await priceDayAgo(ctx, after, ctx.now());
  if (!from || from.toCents === null) return null;
  const isComparable = from.currency === after.currency;
  if (isComparable && !isLargeMove(workspace.approval, from.toCents, cents)) return null;
  const was = showMoney(from.toCents, from.currency);
  const is = showMoney(cents, after.currency);
  const way = isComparable
    ? "approve a proposal for this price"
    : "import the new price from the ERP";
  return new Failure(
    "conflict",
    `The change from ${was} (the price 24 hours ago) to ${is} needs the approval of ` +
      `${workspace.approval.people} people: ${way} instead`,
    { guard: "approval_needed" },
  );
}

function objectionTo(after: Product, workspace: Workspace, now: Date): PriceDoubt | undefined {
  const { ourPriceCents: cents } = after;
  const bounds = cents === null
    ? { costPriceCents: null, minPriceCents: null, maxPriceCents: null }
    : after;
  return priceDoubts({
    cents: cents ?? 0,
    oldCents: null,
    marketCents: null,
    floorPct: null,
    terms: {
      costPriceCents: bounds.costPriceCents,
      vatRatePct: after.vatRatePct ?? workspace.vatRatePct,
      pricesIncludeVat: workspace.pricesIncludeVat,
    },
    limits: {
      minPriceCents: bounds.minPriceCents,
      maxPriceCents: bounds.maxPriceCents,
      isLocked: after.priceLocked,
      isHeld: (holdEndMs(after) ?? 0) > now.getTime(),
    },
  }).find((doubt) => needsReason([doubt]));
}

const REFUSALS: Partial<Record<PriceDoubt["code"], readonly [guard: string, text: string]>> = {
  below_min: ["min_price", "below the minimum"],
  above_max: ["max_price", "above the maximum"],
  locked: ["price_locked", "locked"],
  held: ["price_held", "held"],
};

function lacksReason(doubt: PriceDoubt, { currency }: Product): Failure {
  const [guard, text] = REFUSALS[doubt.code] ?? ["below_cost", "below cost"];
  const limit = "limitCents" in doubt ? `, ${showMoney(doubt.limitCents, currency)}` : "";
  const message = `The price is ${text}${limit}: give a reason to set it anyway`;
  return new Failure("conflict", message, { guard, needsReason: true });
}

export async function atOwnPrice(
  ctx: Context,
  product: Product,
  ourPriceCents: number | null,
): Promise<Product> {
  const { timeZone } = await requireWorkspace(ctx);
  return followPrice({ ...product, ourPriceCents }, startOfDay(ctx.now(), timeZone));
}
