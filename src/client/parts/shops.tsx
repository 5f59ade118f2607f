/** Badges and colours of shops; a shop has the same ones in the whole workspace. */
import { useApp } from "../app/app.ts";
import { useQuery } from "@tanstack/preact-query";
import { useMemo } from "preact/hooks";
import type { Wire } from "../api/call.ts";
import type { Page } from "../api/page.ts";

interface ShopBadgeProps {
  readonly name: string;
  /** Number of the shop's colour; neutral if absent, while it is not loaded. */
  readonly colour: number | undefined;
}

/** Shows two letters in the shop's colour; screen readers read the whole name. */
export function ShopBadge({ name, colour }: ShopBadgeProps) {
  const ofShop = colour === undefined ? "" : shopClass(colour);
  return (
    <span class={`shop-badge ${ofShop}`} title={name}>
      <span aria-hidden="true">{badgeOf(name)}</span>
      <span class="sr-only">{name}</span>
    </span>
  );
}

/** Our own badge, in the accent colour. */
export function OwnBadge() {
  const { words } = useApp();
  return <span class="shop-badge own" aria-hidden="true">{words.position.us}</span>;
}

/** Colours and badges of shops: the same on every screen of a workspace. */

/** Number of colours; the eighth shop has the first colour with a different dash pattern. */
const COLOUR_COUNT = 7;
const DASH_COUNT = 4;

/**
 * Returns the classes of a shop's colour and dash pattern by its colour number
 * (docs/decisions/competitors.md).
 */
export function shopClass(colour: number): string {
  const at = (colour - 1) % COLOUR_COUNT;
  const turn = Math.floor((colour - 1) / COLOUR_COUNT);
  return `shop-${at + 1} dash-${(at + turn) % DASH_COUNT + 1}`;
}

/**
 * Returns two capital letters: the initials of the first two words, or the first two letters of a
 * single word.
 */
export function badgeOf(name: string): string {
  const letters = name.match(/\p{Lu}/gu) ?? [];
  const word = [...name.replace(/[^\p{L}\p{N}]/gu, "")];
  const chosen = letters.length >= 2 ? letters : word;
  return chosen.slice(0, 2).join("").toUpperCase() || "?";
}

/** A shop, as shown next to its prices. */
export interface Shop {
  readonly id: string;
  /** The host without `www.` */
  readonly domain: string;
  readonly displayName: string;
  readonly enabled: boolean;
  /** Number of the colour, from 1; fixed for the shop. */
  readonly colour: number;
}

/** A shop with what tells whether it needs a person. */
export type KnownShop = Shop & Pick<Wire<"Competitor">, "trackedProducts" | "health">;

const KEPT_MS = 60_000;
const AT_ONCE = 200;

/** Returns all shops of the workspace in order of creation; null while they are loading. */
export function useShops(): readonly KnownShop[] | null {
  const { call } = useApp();
  const { data } = useQuery({
    queryKey: ["competitors", "shops"],
    staleTime: KEPT_MS,
    queryFn: async ({ signal }): Promise<readonly KnownShop[]> => {
      const all: KnownShop[] = [];
      let cursor: string | null = null;
      do {
        const page: Page<KnownShop> = await call(
          (api) => api.GET("/api/competitors", { params: { query: { limit: AT_ONCE, cursor } } }),
          { signal },
        );
        all.push(...page.items);
        cursor = page.nextCursor;
      } while (cursor !== null);
      return all;
    },
  });
  return data ?? null;
}

/** Returns the colour numbers by shop id. */
export function useShopColours(): ReadonlyMap<string, number> {
  const shops = useShops();
  return useMemo(() => new Map((shops ?? []).map(({ id, colour }) => [id, colour])), [shops]);
}
