/** Snapshots of a catalogue before an import, after it and after its undo. */
import { everyItem } from "../../api/answers.ts";
import type { Caller } from "../../caller.ts";

type Fields = Readonly<Record<string, unknown>>;

/** All visible fields of a product except times and derived ones. */
export interface SeenProduct {
  readonly fields: Fields;
  readonly isDeleted: boolean;
  /** Whether each link is enabled, by URL. */
  readonly links: Readonly<Record<string, boolean>>;
}

const NOT_COMPARED = ["updatedAt", "ourPriceUpdatedAt", "deletedAt", "lastScrapedAt", "market"];

/** Products by SKU, including deleted ones. */
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

interface SeenPrice {
  readonly tier: string;
  readonly currency: string;
  readonly minQty: number;
}

/** Each price row becomes a field, because each is undone separately. */
function pricesByPlace(prices: readonly SeenPrice[]): Fields {
  return Object.fromEntries(
    prices.map((price) => [`price ${price.tier} ${price.currency} ${price.minQty}`, price]),
  );
}

/**
 * Returns the expected catalogue after an undo. A field that was not changed since the import is as
 * before it, any other field is as it is now.
 */
export function expectedAfterUndo(
  before: ReadonlyMap<string, SeenProduct>,
  imported: ReadonlyMap<string, SeenProduct>,
  now: ReadonlyMap<string, SeenProduct>,
): Map<string, SeenProduct> {
  const expected = new Map<string, SeenProduct>();
  for (const [sku, is] of now) {
    const old = before.get(sku);
    const left = imported.get(sku);
    const isTouched = JSON.stringify(is) !== JSON.stringify(left);
    if (!old) expected.set(sku, isTouched ? is : { ...is, isDeleted: true, links: {} });
    else if (!left) expected.set(sku, is);
    else {
      expected.set(sku, {
        fields: merged(old.fields, left.fields, is.fields),
        isDeleted: is.isDeleted === left.isDeleted ? old.isDeleted : is.isDeleted,
        links: merged(old.links, left.links, is.links),
      });
    }
  }
  return expected;
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
