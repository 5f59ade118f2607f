import { deepStrictEqual as assertEquals, ok } from "node:assert/strict";
import fc from "fast-check";
import type { Caller } from "../caller.ts";
import { withApp } from "../harness.ts";
import { extent } from "../proof.ts";
import { bodyOf, column } from "./answers.ts";

const BRANDS = ["Bosch", "BOSCH Siemens", "Miele", null] as const;
const CATEGORIES = ["Bad", "Badmöbel", "Küche", null] as const;
const TIERS = ["A", "B", null] as const;

interface Fields {
  readonly brand: string | null;
  readonly category: string | null;
  readonly tier: string | null;
}

interface Listed extends Fields {
  readonly id: string;
  readonly sku: string;
  isDeleted: boolean;
}

const fields: fc.Arbitrary<Fields> = fc.record({
  brand: fc.constantFrom(...BRANDS),
  category: fc.constantFrom(...CATEGORIES),
  tier: fc.constantFrom(...TIERS),
});

type Filter = { brand?: string; category?: string; tier?: string; q?: string };

const filter: fc.Arbitrary<Filter> = fc.record({
  brand: fc.constantFrom("bosch", "SIEM", "e", "nobody"),
  category: fc.constantFrom("BAD", "möbel", "Küche"),
  tier: fc.constantFrom("A", "B"),
  q: fc.constantFrom("1", "sku-2"),
}, { requiredKeys: [] });

/** A change by another caller between two pages; `at` selects an existing product. */
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
  limit: fc.integer({ min: 1, max: 12 }),
  steps: fc.array(fc.array(step, { maxLength: 4 }), { maxLength: 20, size: "max" }),
});

/** A list that is kept twice: as an array in creation order, and in the service. */
class Shop {
  readonly #listed: Listed[] = [];

  constructor(private readonly owner: Caller) {}

  async create(given: Fields): Promise<void> {
    const sku = `SKU-${this.#listed.length}`;
    const { id } = await this.owner.create("/api/products", { sku, title: "t", ...given });
    this.#listed.push({ id, sku, ...given, isDeleted: false });
  }

  async take(step: Step): Promise<void> {
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
  }

  /** Ids of the active products that match, in order. */
  fitting({ brand, category, tier, q }: Filter): string[] {
    const holds = (text: string | null, part: string | undefined) =>
      part === undefined || (text ?? "").toLowerCase().includes(part.toLowerCase());
    return this.#listed.filter((product) =>
      !product.isDeleted && holds(product.brand, brand) && holds(product.category, category) &&
      (tier === undefined || product.tier === tier) && holds(product.sku, q)
    ).map(({ id }) => id);
  }
}

withApp.test("every page of a list continues after the previous one, despite changes by others", async (app) => {
  await fc.assert(
    fc.asyncProperty(plan, async ({ products, filter, limit, steps }) => {
      const owner = await app.strangerOwner();
      const shop = new Shop(owner);
      for (const product of products) await shop.create(product);
      const query = new URLSearchParams({ ...filter, limit: String(limit) });
      let last = "";
      for (let page = 0;; page++) {
        const { items, nextCursor, count } = await owner.read(`/api/products?${query}`);
        const ids = column(items, "id");
        const left = shop.fitting(filter).filter((id) => id > last);
        assertEquals([ids, count], [left.slice(0, limit), Math.min(limit, left.length)]);
        assertEquals(nextCursor === null, left.length <= limit);
        if (nextCursor === null) break;
        last = ids.at(-1)!;
        query.set("cursor", nextCursor);
        for (const step of steps[page] ?? []) await shop.take(step);
      }
    }),
    { numRuns: extent(40, 8) },
  );
});

withApp.test("products that stay are listed once while others are created and deleted", async (app) => {
  const key = await app.key([]);
  const staying: string[] = [];
  const leaving: string[] = [];
  for (let n = 0; n < extent(120, 25); n++) {
    const product = { sku: `S${n}`, title: "t", brand: n % 3 === 0 ? "Bosch" : "Miele" };
    const { id } = await app.owner.create("/api/products", product);
    (n % 2 === 0 ? staying : leaving).push(id);
  }
  let isPaging = true;
  const writer = (async () => {
    for (let n = 0; isPaging; n++) {
      const sku = `N${n}`;
      const { id } = await app.owner.create("/api/products", { sku, title: "t", brand: "Bosch" });
      leaving.push(id);
      await app.owner.remove(`/api/products/${leaving.shift()}`);
    }
  })();
  for (let round = 0; round < 5; round++) {
    const visited: string[] = [];
    for (let cursor = ""; cursor !== "end";) {
      const path = `/api/public/v1/products?limit=7&cursor=${cursor}`;
      const { data, nextCursor } = await key.read(path);
      visited.push(...data.map(({ id }: Listed) => id));
      // A writer faster than the reader would make the list endless.
      cursor = visited.length > 1_000 ? "end" : nextCursor ?? "end";
    }
    assertEquals(new Set(visited).size, visited.length);
    assertEquals(visited, visited.toSorted());
    assertEquals(staying.filter((id) => !visited.includes(id)), []);
  }
  isPaging = false;
  await writer;
  ok(leaving.length > 0);
});
