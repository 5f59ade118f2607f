/** Helpers for tests of undone imports: send files, undo imports, and read the catalogue. */
import { everyItem, valuesOf } from "../../api/answers.ts";
import type { Caller } from "../../caller.ts";
import type { TestApp } from "../../harness.ts";
import { type Item, sendItems } from "../import_calls.ts";

export const SOURCE = "/api/import-sources/default";

/** Resumes the source, because an undo pauses it, and sends a file. */
export async function send(app: TestApp, items: readonly Item[], query = "") {
  await app.manager.change(SOURCE, { pausedAt: null });
  return await sendItems(app, items, `${query === "" ? "?" : `${query}&`}force=true`);
}

export async function undo(app: TestApp, jobId: string, query = "") {
  app.clock.advance(60_000);
  return await app.manager.act(`/api/imports/${jobId}/undo${query}`);
}

export async function patch(app: TestApp, sku: string, fields: Record<string, unknown>) {
  app.clock.advance(1_000);
  const id = (await seen(app.owner)).get(sku)?.fields["id"];
  await app.owner.change(`/api/products/${id}`, fields);
}

export const link = (url: string, enabled = "J") =>
  `<COMPETITOR><URL>${url}</URL><ENABLED>${enabled}</ENABLED></COMPETITOR>`;

type Fields = Readonly<Record<string, unknown>>;

/** Visible fields of a product, except times of changes and visits, and computed fields. */
export interface SeenProduct {
  readonly fields: Fields;
  readonly isDeleted: boolean;
  readonly links: Readonly<Record<string, boolean>>;
}

const NOT_COMPARED = ["updatedAt", "ourPriceUpdatedAt", "deletedAt", "lastScrapedAt", "market"];

export async function seen(owner: Pick<Caller, "get">): Promise<Map<string, SeenProduct>> {
  const links = new Map<string, Record<string, boolean>>();
  const matches = await everyItem(owner, "/api/competitor-products?limit=200");
  for (const { productId, url, enabled } of matches) {
    links.set(productId, { ...links.get(productId), [url]: enabled });
  }
  const found = new Map<string, SeenProduct>();
  const path = "/api/products?limit=200&includeDeleted=true";
  for (const product of await everyItem(owner, path)) {
    const { prices, ...others } = product;
    const fields = Object.entries(others).filter(([name]) => !NOT_COMPARED.includes(name));
    found.set(product.sku, {
      fields: { ...Object.fromEntries(fields), ...pricesByPlace(prices) },
      isDeleted: product.deletedAt !== null,
      links: links.get(product.id) ?? {},
    });
  }
  return found;
}

/** An undo restores each price row separately, so each counts as a field. */
function pricesByPlace(prices: readonly object[]): Fields {
  const places = valuesOf(prices, "tier", "currency", "minQty");
  return Object.fromEntries(places.map((place, n) => [`price ${place.join(" ")}`, prices[n]]));
}

/** An undo restores a field only if its value has not changed since the import. */
export function expectedAfterUndo(
  before: ReadonlyMap<string, SeenProduct>,
  imported: ReadonlyMap<string, SeenProduct>,
  now: ReadonlyMap<string, SeenProduct>,
  changed: ReadonlySet<string> = new Set(),
): Map<string, SeenProduct> {
  const expectedOf = (sku: string, is: SeenProduct): SeenProduct => {
    const [old, left] = [before.get(sku), imported.get(sku)];
    const isTouched = changed.has(sku) || JSON.stringify(is) !== JSON.stringify(left);
    if (!old) return isTouched ? is : { ...is, isDeleted: true, links: {} };
    if (!left) return is;
    return {
      fields: merged(old.fields, left.fields, is.fields),
      isDeleted: is.isDeleted === left.isDeleted ? old.isDeleted : is.isDeleted,
      links: merged(old.links, left.links, is.links),
    };
  };
  return new Map([...now].map(([sku, is]) => [sku, expectedOf(sku, is)]));
}

function merged<Value>(
  before: Readonly<Record<string, Value>>,
  imported: Readonly<Record<string, Value>>,
  now: Readonly<Record<string, Value>>,
): Record<string, Value> {
  const same = (one: Value | undefined, other: Value | undefined) =>
    JSON.stringify(one) === JSON.stringify(other);
  const result: Record<string, Value> = {};
  for (const name of new Set([...Object.keys(before), ...Object.keys(now)])) {
    const value = same(now[name], imported[name]) ? before[name] : now[name];
    if (value !== undefined) result[name] = value;
  }
  return result;
}
