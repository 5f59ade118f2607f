/** Decides whether and how the change of an audit entry can be undone, and undoes it. */
import type { AuditRow } from "../../../accounts/audit/audit.ts";
import { CONDITIONS } from "../../../base/codes.ts";
import type { BulkChange } from "../../../catalogue/changes/change_products.ts";
import { BULK_NAMES, type BulkName } from "../../../catalogue/products/product_field_table.ts";
import { ApiError } from "../../api/api_error.ts";
import { byId, byPath, type Call, Overtaken, saveOver, type Wire } from "../../api/call.ts";
import {
  type BulkResult,
  decideInBulk,
  type SeenPrice,
  type SetPrices,
  setPrices,
} from "../../parts/decision/decide_in_bulk.ts";
import type { Reopened } from "../../parts/decision/decision.tsx";
import { changeLinks, type LinkChange } from "../../parts/shop/read_again.tsx";

type Fields = Readonly<Record<string, unknown>>;
/** The service refuses an undo if other people have changed the same fields since the entry. */
export type Undoing =
  | {
    readonly kind: "product";
    readonly id: string;
    /** The values after the entry. The undo fails if these values have changed. */
    readonly seen: Fields;
    readonly back: Wire<"ProductChange">;
    readonly price: SeenPrice | null;
  }
  | { readonly kind: "restore"; readonly id: string }
  | {
    readonly kind: "unmark";
    readonly id: string;
    readonly at: string;
  }
  | { readonly kind: "not later"; readonly proposalId: string }
  | {
    readonly kind: "decision";
    readonly action: "rollback" | "reopen";
    readonly proposalId: string;
  }
  | {
    /** A person marked a linked page as showing no price, or removed the link. */
    readonly kind: "link";
    readonly matchId: string;
    readonly back: LinkChange;
  }
  | {
    /** A person decided whether the page shows our product. */
    readonly kind: "word";
    readonly matchId: string;
  }
  | {
    readonly kind: "bulk";
    readonly changes: readonly Pick<BulkChange, "ids" | "set" | "having">[];
    readonly products: number;
  };

/** Numbers of undone changes, and of changes that stay because newer changes exist. */
interface TakenBack {
  readonly done: number;
  readonly left: number;
  readonly reopened?: readonly Reopened[];
}

const SET_BACK = new Set<string>(["ourPriceCents", ...BULK_NAMES]);

/** Null if the entry cannot be undone. */
export function undoingOf(row: AuditRow, nowMs: number): Undoing | null {
  const { action, resource: { type, id }, before, after } = row;
  if (type === "product" && action === "product.bulk") return undoingOfBulk(row, nowMs);
  if (action === "product.update" && before !== null && after !== null) {
    const names = Object.keys(after);
    if (names.length === 0 || !names.every((name) => SET_BACK.has(name))) return null;
    const back = Object.fromEntries(names.map((name) => [name, formerOf(before, name, nowMs)]));
    return { kind: "product", id, seen: after, back, price: priceBackOf(row) };
  }
  switch (action) {
    case "product.delete":
      return { kind: "restore", id };
    case "product.mark": {
      const { at, isError } = after ?? {};
      return isError === true && before?.isError === false && typeof at === "string"
        ? { kind: "unmark", id, at }
        : null;
    }
    case "competitor_product.update":
      return after?.noPrice === true && Object.keys(after).length === 1
        ? { kind: "link", matchId: id, back: { noPrice: false } }
        : null;
    case "competitor_product.delete":
      return { kind: "link", matchId: id, back: { removed: false } };
    case "competitor_product.confirm":
    case "competitor_product.reject":
      return { kind: "word", matchId: id };
    case "proposal.approve":
      return { kind: "decision", action: "rollback", proposalId: id };
    case "proposal.reject":
      return { kind: "decision", action: "reopen", proposalId: id };
    case "proposal.later":
      return typeof after?.until === "string" && (before?.until ?? null) === null
        ? { kind: "not later", proposalId: id }
        : null;
    default:
      return null;
  }
}

/** Null if the entry changed more than a price, or the currency is unknown. */
function priceBackOf({ resource: { id }, before, after, currency }: AuditRow): SeenPrice | null {
  const [was, is] = [before?.ourPriceCents, after?.ourPriceCents];
  const isWhole = Object.keys(after ?? {}).length === 1 && currency !== undefined;
  if (!isWhole || !isCents(was) || !isCents(is)) return null;
  return { id, currency, seenCents: is, ourPriceCents: was };
}

function isCents(value: unknown): value is number | null {
  return value === null || typeof value === "number";
}

/** The former value of a field; null for a `heldUntil` that has passed. */
function formerOf(before: Fields, name: string, nowMs: number): unknown {
  const value = before[name] ?? null;
  const isOver = name === "heldUntil" && typeof value === "string" && Date.parse(value) <= nowMs;
  return isOver ? null : value;
}

/** One request restores all products whose former values are equal. */
function undoingOfBulk({ before, after }: AuditRow, nowMs: number): Undoing | null {
  const having = settingsOf(after);
  if (before === null || having === null) return null;
  const groups = new Map<string, { readonly set: BulkChange["set"]; readonly ids: string[] }>();
  for (const [id, former] of Object.entries(before)) {
    const set = settingsOf(isFields(former) ? former : null, nowMs);
    if (set === null) return null;
    const key = JSON.stringify(set);
    const group = groups.get(key) ?? { set, ids: [] };
    group.ids.push(id);
    groups.set(key, group);
  }
  return {
    kind: "bulk",
    changes: [...groups.values()].map((group) => ({ ...group, having })),
    products: Object.keys(before).length,
  };
}

/** Null if the fields contain anything but bulk settings. */
function settingsOf(fields: Fields | null, nowMs?: number): BulkChange["set"] | null {
  if (fields === null) return null;
  const { priceLocked, condition, scrapeEnabled, scrapeIntervalHours, heldUntil, ...others } =
    fields;
  const known = {
    priceLocked: typeof priceLocked === "boolean" && { priceLocked },
    condition: conditionOf(condition),
    scrapeEnabled: typeof scrapeEnabled === "boolean" && { scrapeEnabled },
    scrapeIntervalHours: typeof scrapeIntervalHours === "number" && { scrapeIntervalHours },
    heldUntil: heldUntil !== undefined && { heldUntil: holdOf(fields, nowMs) },
  } satisfies { readonly [Name in BulkName]: false | Pick<BulkChange["set"], Name> };
  const set: BulkChange["set"] = {
    ...known.priceLocked,
    ...known.condition,
    ...known.scrapeEnabled,
    ...known.scrapeIntervalHours,
    ...known.heldUntil,
  };
  const isWhole = Object.keys(set).length === Object.keys(fields).length;
  return isWhole && Object.keys(others).length === 0 && Object.keys(set).length > 0 ? set : null;
}

function conditionOf(value: unknown): false | Pick<BulkChange["set"], "condition"> {
  const condition = value === null ? null : CONDITIONS.find((one) => one === value);
  return condition !== undefined && { condition };
}

function holdOf(fields: Fields, nowMs: number | undefined): string | null {
  const until = nowMs === undefined ? fields.heldUntil : formerOf(fields, "heldUntil", nowMs);
  return typeof until === "string" ? until : null;
}

function isFields(value: unknown): value is Fields {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

/**
 * Entries that newer entries have superseded cannot be undone. The price change that a listed
 * decision made has no undo of its own.
 */
export function undoingsOf(rows: readonly AuditRow[], nowMs: number): ReadonlyMap<string, Undoing> {
  const found = new Map<string, Undoing>();
  const touched = new Set<string>();
  const decided = new Set(
    rows.filter(({ resource }) => resource.type === "proposal").map((row) =>
      `${row.requestId} ${String(row.after?.productId)}`
    ),
  );
  for (const row of rows.toSorted((a, b) => a.at < b.at ? 1 : a.at > b.at ? -1 : 0)) {
    const places = placesOf(row);
    const isOvertaken = places.some((place) => touched.has(place));
    const isOfDecision = row.action === "product.update" &&
      decided.has(`${row.requestId} ${row.resource.id}`);
    const undoing = isOvertaken || isOfDecision ? null : undoingOf(row, nowMs);
    if (undoing !== null) found.set(row.id, undoing);
    if (!isOfDecision) { for (const place of places) touched.add(place); }
  }
  return found;
}

/**
 * For each decision, the field of the product that it changes. The field belongs to the product,
 * not to the proposal, because a reopened proposal has a new id.
 */
const PLACES: Readonly<Record<string, string>> = {
  "proposal.approve": "ourPriceCents",
  "proposal.rollback": "ourPriceCents",
  "proposal.reject": "rejection",
  "proposal.reopen": "rejection",
};

function placesOf({ action, resource: { type, id }, before, after }: AuditRow): string[] {
  const field = (productId: string, name: string) => `product ${productId} ${name}`;
  if (action === "product.bulk") {
    return Object.keys(before ?? {}).flatMap((productId) =>
      Object.keys(after ?? {}).map((name) => field(productId, name))
    );
  }
  if (action === "product.mark") return [field(id, `mark ${String(after?.at)}`)];
  if (action === "product.delete" || action === "product.restore") return [field(id, "deletedAt")];
  if (action === "competitor_product.create" || action === "competitor_product.delete") {
    return [`match ${id}`];
  }
  if (action === "competitor_product.update") {
    return Object.keys(after ?? {}).map((name) => `match ${id} ${name}`);
  }
  if (type === "product") return Object.keys(after ?? {}).map((name) => field(id, name));
  if (type === "competitor_product") {
    return Object.keys(after ?? {}).map((name) => `link ${id} ${name}`);
  }
  if (type !== "proposal") return [];
  const place = PLACES[action];
  const productId = after?.productId ?? before?.productId;
  return [`proposal ${id}`, ...(place ? [field(String(productId), place)] : [])];
}

/**
 * `reason` goes to the audit log. Throws `Overtaken` if the product was changed since the entry.
 */
export async function takeBack(call: Call, undoing: Undoing, reason: string): Promise<TakenBack> {
  switch (undoing.kind) {
    case "product":
      await takeProductBack(call, undoing, reason);
      return { done: 1, left: 0 };
    case "restore":
      await call((api) => api.POST("/api/products/{id}/restore", byId(undoing.id)));
      return { done: 1, left: 0 };
    case "unmark": {
      const params = { path: { id: undoing.id, at: undoing.at } };
      const body = { isError: false, neverShown: false, reason: null };
      await call((api) => api.POST("/api/products/{id}/price-history/{at}/mark", { params, body }));
      return { done: 1, left: 0 };
    }
    case "not later": {
      const params = { path: { id: undoing.proposalId } };
      await call((api) => api.POST("/api/proposals/{id}/later", { params, body: { until: null } }));
      return { done: 1, left: 0 };
    }
    case "link":
      return await changeLinksBack(call, [undoing]);
    case "word":
      await call((api) => api.POST("/api/competitor-products/{id}/reopen", byId(undoing.matchId)));
      return { done: 1, left: 0 };
    case "decision": {
      const { action, proposalId: id } = undoing;
      return takenBackOf(await decideInBulk(call, { action, reason }, [{ id, sku: null }]));
    }
    case "bulk": {
      const taken: TakenBack[] = [];
      for (const body of undoing.changes) {
        const { changed, unchanged, missing } = await call((api) =>
          api.POST("/api/products/bulk", { body })
        );
        taken.push({ done: changed, left: unchanged + missing.length });
      }
      return sumOf(taken);
    }
  }
}

async function takeProductBack(
  call: Call,
  { id, seen, back }: Extract<Undoing, { kind: "product" }>,
  reason: string,
): Promise<void> {
  await saveOver(call, {
    read: (api) => api.GET("/api/products/{id}", byId(id)),
    write: (api) =>
      api.PATCH("/api/products/{id}", {
        ...byPath({ id }, { allowLargeChange: true }),
        body: { ...back, reason },
      }),
    isSeen: (latest) => {
      const now: Fields = latest;
      return Object.entries(seen).every(([name, value]) => now[name] === value);
    },
  });
}

export function countOf(undoings: readonly Undoing[]): number {
  return undoings.reduce((sum, one) => sum + (one.kind === "bulk" ? one.products : 1), 0);
}

/** An entry whose values have changed again is not undone but counted. */
export async function takeAllBack(
  call: Call,
  undoings: readonly Undoing[],
  reason: string,
): Promise<TakenBack> {
  const prices = undoings.flatMap((one) => one.kind === "product" ? one.price ?? [] : []);
  const decided = (wanted: string) =>
    undoings.flatMap((one) =>
      one.kind === "decision" && one.action === wanted ? [{ id: one.proposalId, sku: null }] : []
    );
  const links = undoings.filter((one) => one.kind === "link");
  const others = undoings.filter((one) =>
    one.kind !== "decision" && one.kind !== "link" &&
    (one.kind !== "product" || one.price === null)
  );
  const taken = [
    await takePricesBack(call, { prices, reason }),
    await changeLinksBack(call, links),
  ];
  for (const action of ["rollback", "reopen"] as const) {
    taken.push(
      await leavingNewer(async () =>
        takenBackOf(await decideInBulk(call, { action, reason }, decided(action)))
      ),
    );
  }
  for (const one of others) taken.push(await leavingNewer(() => takeBack(call, one, reason)));
  return sumOf(taken);
}

function takenBackOf({ done, refused }: BulkResult): TakenBack {
  const reopened = done.flatMap((one) => one.reopened ?? []);
  return { done: done.length, left: refused.length, reopened };
}

async function changeLinksBack(
  call: Call,
  wanted: readonly Extract<Undoing, { kind: "link" }>[],
): Promise<TakenBack> {
  let done = 0;
  for (const some of Map.groupBy(wanted, ({ back }) => "removed" in back).values()) {
    const [one] = some;
    const ids = some.map(({ matchId }) => matchId);
    if (one) done += (await changeLinks(call, ids, one.back)).length;
  }
  return { done, left: wanted.length - done };
}

async function takePricesBack(call: Call, wish: SetPrices): Promise<TakenBack> {
  const { done, left, error } = await setPrices(call, wish);
  if (error !== null) throw error;
  return { done: done.length, left };
}

const NEWER = new Set([404, 409, 412]);

async function leavingNewer(act: () => Promise<TakenBack>): Promise<TakenBack> {
  try {
    return await act();
  } catch (error) {
    const isNewer = error instanceof Overtaken ||
      error instanceof ApiError && NEWER.has(error.status);
    if (!isNewer) throw error;
    return { done: 0, left: 1 };
  }
}

function sumOf(taken: readonly TakenBack[]): TakenBack {
  const sum = (of: (one: TakenBack) => number) => taken.reduce((all, one) => all + of(one), 0);
  return {
    done: sum(({ done }) => done),
    left: sum(({ left }) => left),
    reopened: taken.flatMap(({ reopened = [] }) => reopened),
  };
}
