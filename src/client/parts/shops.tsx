/** A shop has the same badge and colour on every screen. */
import { useApp } from "../app/app.ts";
import { useQuery } from "@tanstack/preact-query";
import { useMemo } from "preact/hooks";
import { get, PAGE_SIZE_MAX, pagesOf, where, type Wire } from "../api/call.ts";

export function ShopBadge({ id, name }: { readonly id: string; readonly name: string }) {
  const shop = useShops()?.find((one) => one.id === id);
  const ofShop = shop === undefined ? "" : shopClass(shop.colour);
  return (
    <span class={`shop-badge ${ofShop}`} title={name}>
      <span aria-hidden="true">{badgeOf(name)}</span>
      <span class="sr-only">{name}</span>
    </span>
  );
}

export function OwnBadge() {
  const { words } = useApp();
  return <span class="shop-badge own" aria-hidden="true">{words.position.us}</span>;
}

/** The eighth shop gets the first colour again, with another dash pattern. */
const COLOUR_COUNT = 7;
const DASH_COUNT = 4;

export function shopClass(colour: number): string {
  const at = (colour - 1) % COLOUR_COUNT;
  const round = Math.floor((colour - 1) / COLOUR_COUNT);
  return `shop-${at + 1} dash-${(at + round) % DASH_COUNT + 1}`;
}

/**
 * Returns the name's first two capitals. With fewer than two capitals, returns its first two
 * letters or digits in upper case, or `?`.
 */
export function badgeOf(name: string): string {
  const letters = name.match(/\p{Lu}/gu) ?? [];
  const word = [...name.replace(/[^\p{L}\p{N}]/gu, "")];
  const chosen = letters.length >= 2 ? letters : word;
  return chosen.slice(0, 2).join("").toUpperCase() || "?";
}

export type Shop = Wire<"Competitor">;

export function useShops(): readonly Shop[] | null {
  const { call } = useApp();
  const { data } = useQuery({
    queryKey: ["competitors", "shops"],
    staleTime: 60_000,
    queryFn: async ({ signal }): Promise<readonly Shop[]> => {
      const all: Shop[] = [];
      const pages = pagesOf((cursor) =>
        call(get("/api/competitors", where({ limit: PAGE_SIZE_MAX, cursor })), { signal })
      );
      for await (const { items } of pages) all.push(...items);
      return all;
    },
  });
  return data ?? null;
}

export function useShopColours(): ReadonlyMap<string, number> {
  const shops = useShops();
  return useMemo(() => new Map((shops ?? []).map(({ id, colour }) => [id, colour])), [shops]);
}
