/** Writes one changed product, with the audit row and the events of the change. */
import { type AuditEntry, changedFields } from "../../accounts/audit/audit.ts";
import type { AuditAction } from "../../accounts/audit/audit_actions.ts";
import { addAuditRow } from "../../accounts/audit/audit_store.ts";
import { brokenBound } from "../../base/price_doubts.ts";
import type { OutboxEvent } from "../../platform/events/event.ts";
import { publish } from "../../platform/events/outbox_store.ts";
import type { Context } from "../../platform/store/context.ts";
import type { Write } from "../../platform/store/kv.ts";
import { type PriceCause, priceChangeId, priceChangeOf } from "../prices/price_rows.ts";
import { findIndexRow, marksOf, NO_MARKS } from "../products/index_row_store.ts";
import {
  differsForImports,
  isJudgedAnew,
  isRepriced,
  type Product,
  toWire,
} from "../products/product.ts";
import { AMOUNT_NAMES, FIELD_NAMES, PRODUCT_FIELDS } from "../products/product_field_table.ts";
import { checkProduct, putProduct, type StoredProduct } from "../products/product_store.ts";
import { type Counters, createCounters, saveCounters } from "../products/change_log_store.ts";

/**
 * `after` must already have its new `updatedAt`. Without `batch`, the commit fails if the stored
 * product differs from `found`. With `batch`, the caller must read the shards' version counters
 * before `found`, check and save these counters, and publish the events of `batch`.
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
  const events = productEvents(ctx, { before: found.product, after, cause });
  if (batch) batch.events.push(...events);
  else publish(write, ctx, events);
  return toWire(after);
}

export function causedByApi(ctx: Context): PriceCause {
  return { source: "api", actor: ctx.actor, ref: null };
}

interface ChangeOfProduct {
  readonly before: Product | null;
  readonly after: Product;
  readonly cause: PriceCause;
}

export function publishProduct(
  write: Write,
  ctx: Pick<Context, "workspaceId" | "now" | "newId" | "requestId">,
  change: ChangeOfProduct,
): void {
  publish(write, ctx, productEvents(ctx, change));
}

/** A price set by a rule triggers no rules, because rules could trigger each other endlessly. */
function productEvents(
  ctx: Pick<Context, "requestId">,
  { before, after, cause }: ChangeOfProduct,
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
  return Object.fromEntries(
    Object.entries(side).map(([name, value]) => [
      name,
      typeof value === "string" && value.length > CUT_CHARACTERS
        ? `${value.slice(0, CUT_CHARACTERS).toWellFormed()}…`
        : value,
    ]),
  );
}
