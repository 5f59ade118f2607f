import { deepStrictEqual as assertEquals } from "node:assert/strict";
import fc from "fast-check";
import type { Caller } from "../caller.ts";
import { type TestApp, withApp } from "../harness.ts";
import { extent } from "../proof.ts";
import { bodyOf, column } from "./answers.ts";

const BRANDS = ["Bosch", "BOSCH Siemens", "Miele", null] as const;
const CATEGORIES = ["Bad", "Badmöbel", "Küche", null] as const;
const TIERS = ["A", "B", null] as const;

type Fields = Readonly<Record<"brand" | "category" | "tier", string | null>>;

interface Listed extends Fields {
  readonly id: string;
  readonly sku: string;
  updatedAt: string;
  isDeleted: boolean;
}

const fields: fc.Arbitrary<Fields> = fc.record({
  brand: fc.constantFrom(...BRANDS),
  category: fc.constantFrom(...CATEGORIES),
  tier: fc.constantFrom(...TIERS),
});

type FilterName = keyof Fields | "q" | "sku" | "includeDeleted" | "updatedSince";
type Filter = Partial<Record<FilterName, string>>;

const includeDeleted = fc.constant("true");
const optional = { requiredKeys: [] };
const filter: fc.Arbitrary<Filter> = fc.oneof(
  fc.record({
    brand: fc.constantFrom("bosch", "SIEM", "e", "nobody"),
    category: fc.constantFrom("BAD", "möbel", "Küche"),
    tier: fc.constantFrom("A", "B"),
  }, optional),
  fc.record({ includeDeleted, brand: fc.constantFrom("bosch", "e") }, optional),
  fc.record({ includeDeleted, q: fc.constantFrom("1", "sku-2"), tier: fc.constant("A") }, optional),
  fc.record({ includeDeleted, sku: fc.constantFrom("SKU-1", "SKU-2") }, optional),
);

/** A change by another caller before a page; `at` selects an existing product. */
type Step =
  | { readonly does: "create"; readonly fields: Fields }
  | { readonly does: "delete"; readonly at: number }
  | { readonly does: "restore"; readonly at: number }
  | { readonly does: "change"; readonly at: number; readonly fields: Fields };

const at = fc.nat(1_000);
const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ does: fc.constant("create" as const), fields }),
  fc.record({ does: fc.constant("delete" as const), at }),
  fc.record({ does: fc.constant("restore" as const), at }),
  fc.record({ does: fc.constant("change" as const), at, fields }),
);

const plan = fc.record({
  products: fc.array(fields, { maxLength: extent(40, 20), size: "max" }),
  filter,
  /** Selects an existing product, whose last change is the `updatedSince` of the list. */
  since: fc.option(at),
  limit: fc.integer({ min: 1, max: 12 }),
  steps: fc.array(fc.array(step, { maxLength: 4 }), { maxLength: 20, size: "max" }),
});

/** A list that is kept twice: as an array in creation order, and in the service. */
class Shop {
  readonly #listed: Listed[] = [];

  constructor(private readonly app: TestApp, private readonly owner: Caller) {}

  /** When the selected product was last changed. */
  changedAt(at: number): string | undefined {
    return this.#listed[at % this.#listed.length]?.updatedAt;
  }

  async create(given: Fields): Promise<void> {
    this.app.clock.advance(1_000);
    const made = { sku: `SKU-${this.#listed.length}`, title: "t", ...given };
    const { id, updatedAt } = await this.owner.create("/api/products", made);
    this.#listed.push({ id, updatedAt, ...made, isDeleted: false });
  }

  async take(step: Step): Promise<void> {
    this.app.clock.advance(1_000);
    if (step.does === "create") return await this.create(step.fields);
    const product = this.#listed[step.at % this.#listed.length];
    if (!product) return;
    const path = `/api/products/${product.id}`;
    if (step.does === "restore") {
      await this.owner.act(`${path}/restore`);
      product.isDeleted = false;
    } else if (step.does === "delete") {
      await bodyOf(this.owner.delete(path), product.isDeleted ? 404 : 200);
      product.isDeleted = true;
    } else if (!product.isDeleted) {
      await this.owner.change(path, step.fields);
      Object.assign(product, step.fields);
    }
    product.updatedAt = (await this.owner.read(`${path}?includeDeleted=true`)).updatedAt;
  }

  /** Ids of the products that match, in order. */
  fitting({ brand, category, tier, q, sku, includeDeleted, updatedSince = "" }: Filter): string[] {
    const holds = (text: string | null, part: string | undefined) =>
      part === undefined || (text ?? "").toLowerCase().includes(part.toLowerCase());
    return this.#listed.filter((product) =>
      (includeDeleted || !product.isDeleted) && product.updatedAt >= updatedSince &&
      holds(product.brand, brand) && holds(product.category, category) && holds(product.sku, q) &&
      (tier === undefined || product.tier === tier) && (sku === undefined || product.sku === sku)
    ).map(({ id }) => id);
  }
}

withApp.test("every page of a list continues after the previous one, despite changes by others", async (app) => {
  await fc.assert(
    fc.asyncProperty(plan, async ({ products, filter: fields, since, limit, steps }) => {
      const owner = await app.strangerOwner();
      const shop = new Shop(app, owner);
      for (const product of products) await shop.create(product);
      const updatedSince = since === null ? undefined : shop.changedAt(since);
      const filter = { ...fields, ...(updatedSince && { updatedSince }) };
      const query = new URLSearchParams({ ...filter, limit: String(limit) });
      let last = "";
      for (let page = 0;; page++) {
        for (const step of steps[page] ?? []) await shop.take(step);
        const { items, nextCursor, count } = await owner.read(`/api/products?${query}`);
        const ids = column(items, "id");
        const left = shop.fitting(filter).filter((id) => id > last);
        assertEquals([ids, count], [left.slice(0, limit), Math.min(limit, left.length)]);
        assertEquals(nextCursor === null, left.length <= limit);
        if (nextCursor === null) break;
        last = ids.at(-1)!;
        query.set("cursor", nextCursor);
      }
    }),
    { numRuns: extent(80, 40) },
  );
});
