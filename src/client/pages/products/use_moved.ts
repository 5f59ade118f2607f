import { useQuery } from "@tanstack/preact-query";
import { useApp } from "../../app/app.ts";
import type { MarketProduct, ProductPage } from "./product.ts";

const WATCH_MS = 30_000;

interface Watched {
  /** The list's query, without offers, page and length. */
  readonly query: Readonly<Record<string, string>>;
  readonly isSorted: boolean;
  readonly first: ProductPage | null;
  /** Rows of the first page. */
  readonly limit: number;
}

/**
 * The number of the list's products that have moved since it was read. Rows stay where they are
 * until the person asks for them, so none moves under the pointer.
 */
export function useMoved({ query, isSorted, first, limit }: Watched): number {
  const { call } = useApp();
  const cursor = first?.nextCursor ?? null;
  const { data } = useQuery({
    queryKey: ["moved", query, first?.asOf, cursor],
    enabled: first !== null,
    refetchInterval: WATCH_MS,
    refetchOnMount: false,
    // Checked at once when the window gets the focus.
    refetchOnWindowFocus: "always",
    initialData: 0,
    initialDataUpdatedAt: () => Date.now(),
    queryFn: async ({ signal }) => {
      // The service counts behind a cursor of an ordered list; else the first page is compared.
      const isCounted = isSorted && cursor !== null;
      const page = await call(
        (api) =>
          api.GET("/api/products", {
            params: { query: { ...query, ...(isCounted ? { limit: 1, cursor } : { limit }) } },
          }),
        { signal },
      );
      return isCounted ? page.moved : movedBetween(first?.items ?? [], page.items);
    },
  });
  return data;
}

/** Those that have other facts or prices now, have come or have gone. */
export function movedBetween(before: readonly Facts[], after: readonly Facts[]): number {
  const now = new Map(after.map((product) => [product.id, stateOf(product)]));
  const then = new Set(before.map(({ id }) => id));
  const changed = before.filter((product) => now.get(product.id) !== stateOf(product));
  return changed.length + after.filter(({ id }) => !then.has(id)).length;
}

type Facts = Pick<MarketProduct, "id" | "updatedAt" | "ourPriceCents" | "market">;

function stateOf({ updatedAt, ourPriceCents, market }: Facts): string {
  return JSON.stringify([updatedAt, ourPriceCents, market]);
}
