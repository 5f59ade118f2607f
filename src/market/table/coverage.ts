/** Counts products with a linked page, by shop and group. Ignores the age of prices. */
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
  linked: number;
  /** Products in `linked` whose link the page or a person confirms. */
  confirmed: number;
}

export interface CoverageSums {
  /** One cell per requested shop, in the same order. */
  readonly cells: readonly CoverageCell[];
  products: number;
}

interface Coverage {
  readonly all: CoverageSums;
  readonly anywhere: number;
  readonly atThree: number;
  /** The largest group comes first. `name` is null for products without a brand or category. */
  readonly groups: readonly (CoverageSums & { readonly name: string | null })[];
  /** Sums of all other groups; null if all groups are listed. */
  readonly rest: (CoverageSums & { readonly groups: number }) | null;
}

/** The table may change during the count. */
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
  // With many shops, the response lists fewer groups.
  const most = Math.min(GROUPS_MAX, Math.max(1, Math.floor(20_000 / (shopIds.length || 1))));
  const largest = [...sizes].toSorted(([, a], [, b]) => b - a);
  const noSums = () => ({ products: 0, cells: shopIds.map(() => ({ linked: 0, confirmed: 0 })) });
  const groups = new Map(largest.slice(0, most).map(([word]) => [word, noSums()]));
  const rest = noSums();
  let [anywhere, atThree] = [0, 0];
  const seen = new Uint32Array(shopIds.length);
  const sure = new Uint32Array(shopIds.length);
  let mark = 0;
  await eachRow(table, slice, (row) => {
    mark++;
    const sums = groups.get(table.columns.words[by][row] ?? 0) ?? rest;
    sums.products++;
    const { first, shops, traits } = table.links;
    const begin = first[row] ?? 0;
    const end = begin + (table.columns.bytes.links[row] ?? 0);
    let linked = 0;
    for (let at = begin; at < end; at++) {
      const shop = places.get(shops[at] ?? 0);
      const trait = traits[at] ?? 0;
      const cell = shop === undefined ? undefined : sums.cells[shop];
      if (shop === undefined || !cell || (trait & LINK_OTHER_PRODUCT) !== 0) continue;
      if (seen[shop] !== mark) {
        seen[shop] = mark;
        linked++;
        cell.linked++;
      }
      if ((trait & LINK_CONFIRMED) !== 0 && sure[shop] !== mark) {
        sure[shop] = mark;
        cell.confirmed++;
      }
    }
    if (linked > 0) anywhere++;
    if (linked >= SOME_SHOPS) atThree++;
  });
  const others = largest.length - groups.size;
  return {
    all: sumOf([...groups.values(), rest], noSums()),
    anywhere,
    atThree,
    groups: Array.from(groups, ([word, sums]) => ({ name: table.list(by).textOf(word), ...sums })),
    rest: others > 0 ? { groups: others, ...rest } : null,
  };
}

function sumOf(parts: readonly CoverageSums[], all: CoverageSums): CoverageSums {
  for (const { products, cells } of parts) {
    all.products += products;
    for (const [at, cell] of all.cells.entries()) {
      cell.linked += cells[at]?.linked ?? 0;
      cell.confirmed += cells[at]?.confirmed ?? 0;
    }
  }
  return all;
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
