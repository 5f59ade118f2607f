/** Decides whether the change of an audit entry can be undone, and undoes it. */
import { useMemo } from "preact/hooks";
import type { AuditRow } from "../../../accounts/audit/audit.ts";
import {
  ApiError,
  type Ask,
  byId,
  byPath,
  type Call,
  Overtaken,
  saveOver,
  type Wire,
} from "../../api/call.ts";
import { useApp, useChange } from "../../app/app.ts";
import { type Reopened, takenBackText } from "../../parts/decision/decision.tsx";
import { CONDITIONS } from "../../../base/codes.ts";
import { isJsonObject, type JsonObject, sumOf } from "../../../base/collections.ts";
import type { BulkChange } from "../../../catalogue/changes/change_products.ts";
import { BULK_NAMES, type BulkName } from "../../../catalogue/products/product_field_table.ts";
import {
  type BulkResult,
  decideInBulk,
  type SeenPrice,
  setPrices,
} from "../../parts/decision/decide_in_bulk.ts";
import { changeLinks, type LinkChange } from "../../parts/shop/read_again.tsx";

export type Undo = ReturnType<typeof useUndoing>;

export function useUndoing(rows: readonly AuditRow[]) {
  const { words, show, may, questions, toasts } = useApp();
  const texts = words.auditLog;
  const isManager = may("manager");
  const undoings = useMemo(
    () => isManager ? undoingsOf(rows, Date.now()) : new Map<string, Undoing>(),
    [rows, isManager],
  );
  const change = useChange({
    run: (call, wanted: readonly Undoing[]) => takeBack(call, wanted, words.frame.undone),
    touches: ["audit-logs", "products", "proposals", "overview", "matches", "repairs"],
    showsError: true,
    onDone: ({ done, left, reopened = [] }) => {
      const undone = left === 0 ? words.frame.undone : texts.undoneBut(done, left);
      toasts.tell(takenBackText({ words, show }, undone, reopened));
    },
  });
  const run = async (wanted: readonly Undoing[]) => {
    const count = countOf(wanted);
    if (count > 1 || wanted.some(({ kind }) => kind === "bulk")) {
      const title = wanted.every(({ kind }) => kind === "bulk")
        ? texts.undoMany(count)
        : texts.undoChanges(count);
      if (!await questions.ask({ title, text: texts.undoManyText, yes: texts.undo })) return;
    }
    change.mutate(wanted, {
      onError: (error) => {
        if (error instanceof Overtaken) toasts.tell(texts.overtaken);
        else toasts.refuse(error);
      },
    });
  };
  return {
    isBusy: change.isPending,
    of: (entries: readonly AuditRow[]) => {
      const wanted = entries.flatMap(({ id }) => undoings.get(id) ?? []);
      return wanted.length === 0 ? null : () => void run(wanted);
    },
  };
}

export type Undoing =
  | {
    readonly kind: "product";
    readonly id: string;
    /** Values after the change; the undo fails if another person has changed one of them since. */
    readonly seen: JsonObject;
    readonly back: Wire<"ProductChange">;
    readonly price: SeenPrice | null;
  }
  | { readonly kind: "request"; readonly ask: Ask<unknown> }
  | {
    readonly kind: "decision";
    readonly action: "rollback" | "reopen";
    readonly proposalId: string;
  }
  | { readonly kind: "link"; readonly matchId: string; readonly back: LinkChange }
  | {
    readonly kind: "bulk";
    readonly changes: readonly Pick<BulkChange, "ids" | "set" | "having">[];
    readonly products: number;
  };

interface TakenBack {
  readonly done: number;
  readonly left: number;
  readonly reopened?: readonly Reopened[];
}

const SET_BACK = new Set<string>(["ourPriceCents", ...BULK_NAMES]);

export function undoingOf(row: AuditRow, nowMs: number): Undoing | null {
  const { action, resource: { type, id }, before, after } = row;
  if (type === "product" && action === "product.bulk") return undoingOfBulk(row, nowMs);
  if (action === "product.update" && before !== null && after !== null) {
    const names = Object.keys(after);
    if (names.length === 0 || !names.every((name) => SET_BACK.has(name))) return null;
    const back = Object.fromEntries(
      names.map((name) => [
        name,
        name === "heldUntil" ? heldUntilOf(before, nowMs) : before[name] ?? null,
      ]),
    );
    const { currency } = row;
    const isPriced = currency !== undefined && "ourPriceCents" in after;
    const seen = isPriced ? { ...after, currency } : after;
    return { kind: "product", id, seen, back, price: priceBackOf(row) };
  }
  switch (action) {
    case "product.delete":
      return requesting((api) => api.POST("/api/products/{id}/restore", byId(id)));
    case "product.mark": {
      const { at, isError } = after ?? {};
      if (isError !== true || before?.isError !== false || typeof at !== "string") return null;
      const body = { isError: false, neverShown: false, reason: null };
      return requesting((api) =>
        api.POST("/api/products/{id}/price-history/{at}/mark", { ...byPath({ id, at }), body })
      );
    }
    case "competitor_product.update":
      return after?.noPrice === true && Object.keys(after).length === 1
        ? { kind: "link", matchId: id, back: { noPrice: false } }
        : null;
    case "competitor_product.delete":
      return { kind: "link", matchId: id, back: { removed: false } };
    case "competitor_product.confirm":
    case "competitor_product.reject":
      return requesting((api) => api.POST("/api/competitor-products/{id}/reopen", byId(id)));
    case "proposal.approve":
      return { kind: "decision", action: "rollback", proposalId: id };
    case "proposal.reject":
      return { kind: "decision", action: "reopen", proposalId: id };
    case "proposal.later":
      return typeof after?.until === "string" && (before?.until ?? null) === null
        ? requesting((api) =>
          api.POST("/api/proposals/{id}/later", { ...byId(id), body: { until: null } })
        )
        : null;
    default:
      return null;
  }
}

const requesting = (ask: Ask<unknown>): Undoing => ({ kind: "request", ask });

function priceBackOf({ resource: { id }, before, after, currency }: AuditRow): SeenPrice | null {
  const [was, is] = [before?.ourPriceCents, after?.ourPriceCents];
  const isWhole = Object.keys(after ?? {}).length === 1 && currency !== undefined;
  if (!isWhole || !isCents(was) || !isCents(is)) return null;
  return { id, currency, seenCents: is, ourPriceCents: was };
}

function isCents(value: unknown): value is number | null {
  return value === null || typeof value === "number";
}

function heldUntilOf({ heldUntil }: JsonObject, nowMs: number): string | null {
  return typeof heldUntil === "string" && Date.parse(heldUntil) > nowMs ? heldUntil : null;
}

function undoingOfBulk({ before, after: having }: AuditRow, nowMs: number): Undoing | null {
  if (before === null || !isSettings(having)) return null;
  const groups = new Map<string, { readonly set: BulkChange["set"]; readonly ids: string[] }>();
  for (const [id, former] of Object.entries(before)) {
    if (!isSettings(former)) return null;
    const set = "heldUntil" in former
      ? { ...former, heldUntil: heldUntilOf(former, nowMs) }
      : former;
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

const isSwitch = (value: unknown) => typeof value === "boolean";

const FITS: Readonly<Record<BulkName, (value: unknown) => boolean>> = {
  priceLocked: isSwitch,
  condition: (value) => value === null || CONDITIONS.some((one) => one === value),
  scrapeEnabled: isSwitch,
  scrapeIntervalHours: (value) => typeof value === "number",
  heldUntil: (value) => value === null || typeof value === "string",
};

function isSettings(fields: unknown): fields is BulkChange["set"] {
  if (!isJsonObject(fields) || Object.keys(fields).length === 0) return false;
  return Object.entries(fields).every(([field, value]) =>
    BULK_NAMES.some((name) => name === field && FITS[name](value))
  );
}

/**
 * An entry cannot be undone if a newer entry changed the same field. The price change of a decision
 * has no undo of its own: undoing the decision restores the price.
 */
export function undoingsOf(rows: readonly AuditRow[], nowMs: number): ReadonlyMap<string, Undoing> {
  const found = new Map<string, Undoing>();
  const touched = new Set<string>();
  const isSetByDecision = pricesOfDecisions(rows);
  for (const row of rows.toSorted((a, b) => a.at < b.at ? 1 : a.at > b.at ? -1 : 0)) {
    const places = placesOf(row);
    const isOvertaken = places.some((place) => touched.has(place));
    if (isSetByDecision(row)) continue;
    const undoing = isOvertaken ? null : undoingOf(row, nowMs);
    if (undoing !== null) found.set(row.id, undoing);
    for (const place of places) touched.add(place);
  }
  return found;
}

export function pricesOfDecisions(rows: readonly AuditRow[]): (row: AuditRow) => boolean {
  const decided = new Set(
    rows.filter(({ resource }) => resource.type === "proposal").map((row) =>
      `${row.requestId} ${String(row.after?.productId)}`
    ),
  );
  return ({ action, requestId, resource: { id } }) =>
    action === "product.update" && decided.has(`${requestId} ${id}`);
}

const DECIDED_FIELDS: Readonly<Record<string, string>> = {
  "proposal.approve": "ourPriceCents",
  "proposal.rollback": "ourPriceCents",
  "proposal.reject": "rejection",
  "proposal.reopen": "rejection",
};

function placesOf({ action, resource: { type, id }, before, after }: AuditRow): string[] {
  const names = Object.keys(after ?? {});
  const field = (productId: string, name: string) => `product ${productId} ${name}`;
  const fields = (productId: string) => names.map((name) => field(productId, name));
  if (action === "product.bulk") return Object.keys(before ?? {}).flatMap(fields);
  if (action === "product.mark") return [field(id, `mark ${String(after?.at)}`)];
  if (action === "product.delete" || action === "product.restore") return [field(id, "deletedAt")];
  if (action === "competitor_product.create" || action === "competitor_product.delete") {
    return [`match ${id}`];
  }
  if (type === "product") return fields(id);
  if (type === "competitor_product") {
    const kind = action === "competitor_product.update" ? "match" : "link";
    return names.map((name) => `${kind} ${id} ${name}`);
  }
  if (type !== "proposal") return [];
  const place = DECIDED_FIELDS[action];
  const productId = after?.productId ?? before?.productId;
  return [`proposal ${id}`, ...(place ? [field(String(productId), place)] : [])];
}

/**
 * Does not undo entries whose values have changed since, but counts them in `left`. Throws instead
 * if `undoings` has only one entry, unless it is about links or a bulk change.
 */
export async function takeBack(
  call: Call,
  undoings: readonly Undoing[],
  reason: string,
): Promise<TakenBack> {
  const isSingle = undoings.length === 1;
  const attempt = isSingle ? (act: () => Promise<TakenBack>) => act() : leavingNewer;
  const others = undoings.filter((one) => one.kind !== "decision" && one.kind !== "link");
  const priceOf = (one: Undoing) => !isSingle && one.kind === "product" ? one.price : null;
  const prices = others.flatMap((one) => priceOf(one) ?? []);
  const { done, left, error } = await setPrices(call, { prices, reason });
  if (error !== null) throw error;
  const links = undoings.filter((one) => one.kind === "link");
  const taken: TakenBack[] = [{ done: done.length, left }, await changeLinksBack(call, links)];
  for (const action of ["rollback", "reopen"] as const) {
    const decided = undoings.flatMap((one) =>
      one.kind === "decision" && one.action === action ? [{ id: one.proposalId, sku: null }] : []
    );
    const decide = async () => takenBackOf(await decideInBulk(call, { action, reason }, decided));
    taken.push(await attempt(decide, decided.length));
  }
  for (const one of others) {
    if (priceOf(one) !== null) continue;
    taken.push(await attempt(() => takeOneBack(call, one, reason), countOf([one])));
  }
  return joined(taken);
}

async function takeOneBack(
  call: Call,
  undoing: Exclude<Undoing, { kind: "decision" | "link" }>,
  reason: string,
): Promise<TakenBack> {
  if (undoing.kind === "bulk") {
    const taken: TakenBack[] = [];
    for (const body of undoing.changes) {
      const { changed, unchanged, missing } = await call((api) =>
        api.POST("/api/products/bulk", { body })
      );
      taken.push({ done: changed, left: unchanged + missing.length });
    }
    return joined(taken);
  }
  if (undoing.kind === "product") await takeProductBack(call, undoing, reason);
  else await call(undoing.ask);
  return { done: 1, left: 0 };
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
      const now: JsonObject = latest;
      return Object.entries(seen).every(([name, value]) => now[name] === value);
    },
  });
}

function countOf(undoings: readonly Undoing[]): number {
  return sumOf(undoings, (one) => one.kind === "bulk" ? one.products : 1);
}

function takenBackOf({ done, refused, error }: BulkResult): TakenBack {
  if (error) throw error;
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

const NEWER = new Set([404, 409, 412]);

/** If newer changes prevent `act`, all its changes (`most`) count as left. */
async function leavingNewer(act: () => Promise<TakenBack>, most: number): Promise<TakenBack> {
  try {
    return await act();
  } catch (error) {
    const isNewer = error instanceof Overtaken ||
      error instanceof ApiError && NEWER.has(error.status);
    if (!isNewer) throw error;
    return { done: 0, left: most };
  }
}

function joined(taken: readonly TakenBack[]): TakenBack {
  return {
    done: sumOf(taken, ({ done }) => done),
    left: sumOf(taken, ({ left }) => left),
    reopened: taken.flatMap(({ reopened = [] }) => reopened),
  };
}
