/** Counts products with a linked page, by shop and group. The age of prices does not matter. */
import type { TimeSlice } from "../../platform/event_loop.ts";
import { LINK_CONFIRMED, LINK_OTHER_PRODUCT } from "./link_columns.ts";
import type { MarketTable } from "./market_table.ts";
import type { ListColumn } from "./number_columns.ts";

export const COVERAGE_GROUPS = ["brand", "category"] as const satisfies readonly ListColumn[];
type CoverageGroup = (typeof COVERAGE_GROUPS)[number];

const ROWS_PER_SLICE = 2_000;
export const GROUPS_MAX = 200;
const SOME_SHOPS = 3;

interface CoverageCell {
  /** Products with a linked page that is not known to show another product. */
  readonly linked: number;
  /** Of these, products whose page shows the product, or whose link a person has confirmed. */
  readonly confirmed: number;
}

export interface CoverageSums {
  /** In the order of the requested shops. */
  readonly cells: readonly CoverageCell[];
  readonly products: number;
}

interface Coverage {
  readonly all: CoverageSums;
  readonly anywhere: number;
  readonly atThree: number;
  /** Largest first. The name is null for products without a brand or category. */
  readonly groups: readonly (CoverageSums & { readonly name: string | null })[];
  /** Sums of all other groups; null if all groups are listed. */
  readonly rest: (CoverageSums & { readonly groups: number }) | null;
}

/** Counts all rows in slices. Each product counts as it is when its slice is read. */
export async function coverageOf(
  table: MarketTable,
  by: CoverageGroup,
  shopIds: readonly string[],
  slice: Pick<TimeSlice, "yield">,
): Promise<Coverage> {
  const places = new Map(shopIds.map((id, at) => [table.list("competitor").find(id), at]));
  const sizes = new Map<number, number>();
  await eachRow(table, slice, (row) => {
    const word = table.columns.words[by][row] ?? 0;
    sizes.set(word, (sizes.get(word) ?? 0) + 1);
  });
  // An answer has groups times shops cells, so with many shops it has fewer groups.
  const most = Math.min(GROUPS_MAX, Math.max(1, Math.floor(20_000 / (shopIds.length || 1))));
  const largest = [...sizes].toSorted(([, a], [, b]) => b - a);
  const named = largest.slice(0, most).map(([word]) => word);
  const groupOf = new Map(named.map((word, at) => [word, at]));
  const sums = new Sums(named.length + 1, shopIds.length);
  let [anywhere, atThree] = [0, 0];
  const seen = new Uint32Array(shopIds.length);
  const sure = new Uint32Array(shopIds.length);
  let mark = 0;
  await eachRow(table, slice, (row) => {
    mark++;
    const group = groupOf.get(table.columns.words[by][row] ?? 0) ?? named.length;
    sums.addProduct(group);
    const { first, shops, traits } = table.links;
    const begin = first[row] ?? 0;
    const end = begin + (table.columns.bytes.links[row] ?? 0);
    let linked = 0;
    for (let at = begin; at < end; at++) {
      const shop = places.get(shops[at] ?? 0);
      const trait = traits[at] ?? 0;
      if (shop === undefined || (trait & LINK_OTHER_PRODUCT) !== 0) continue;
      if (seen[shop] !== mark) {
        seen[shop] = mark;
        linked++;
        sums.addLinked(group, shop);
      }
      if ((trait & LINK_CONFIRMED) !== 0 && sure[shop] !== mark) {
        sure[shop] = mark;
        sums.addConfirmed(group, shop);
      }
    }
    if (linked > 0) anywhere++;
    if (linked >= SOME_SHOPS) atThree++;
  });
  const others = largest.length - named.length;
  return {
    all: sums.all(),
    anywhere,
    atThree,
    groups: named.map((word, at) => ({ name: table.list(by).textOf(word), ...sums.of(at) })),
    rest: others > 0 ? { groups: others, ...sums.of(named.length) } : null,
  };
}

async function eachRow(
  table: MarketTable,
  slice: Pick<TimeSlice, "yield">,
  add: (row: number) => void,
): Promise<void> {
  const { rows } = table;
  for (let from = 0; from < rows; from += ROWS_PER_SLICE) {
    const until = Math.min(rows, from + ROWS_PER_SLICE);
    for (let row = from; row < until; row++) if (!table.isEmpty(row)) add(row);
    await slice.yield();
  }
}

class Sums {
  readonly #products: Uint32Array;
  readonly #linked: Uint32Array;
  readonly #confirmed: Uint32Array;
  readonly #shops: number;

  constructor(groups: number, shops: number) {
    this.#products = new Uint32Array(groups);
    this.#linked = new Uint32Array(groups * shops);
    this.#confirmed = new Uint32Array(groups * shops);
    this.#shops = shops;
  }

  addProduct(group: number): void {
    this.#products[group]! += 1;
  }

  addLinked(group: number, shop: number): void {
    this.#linked[group * this.#shops + shop]! += 1;
  }

  addConfirmed(group: number, shop: number): void {
    this.#confirmed[group * this.#shops + shop]! += 1;
  }

  of(group: number): CoverageSums {
    return this.#sumOf([group]);
  }

  all(): CoverageSums {
    return this.#sumOf([...this.#products.keys()]);
  }

  #sumOf(groups: readonly number[]): CoverageSums {
    const total = (counts: Uint32Array, width: number, at: number) =>
      groups.reduce((sum, group) => sum + (counts[group * width + at] ?? 0), 0);
    return {
      products: total(this.#products, 1, 0),
      cells: Array.from({ length: this.#shops }, (_, shop) => ({
        linked: total(this.#linked, this.#shops, shop),
        confirmed: total(this.#confirmed, this.#shops, shop),
      })),
    };
  }
}
