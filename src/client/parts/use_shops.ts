import { useQuery } from "@tanstack/preact-query";
import { useMemo } from "preact/hooks";
import { useApp } from "../app/app.ts";
import type { Page } from "../api/page.ts";

/** A shop as it is shown wherever prices of it stand. */
export interface Shop {
  readonly id: string;
  readonly displayName: string;
  readonly enabled: boolean;
  /** From 1: given once, the same on every screen. */
  readonly colour: number;
}

const KEPT_MS = 60_000;
const AT_ONCE = 200;

/** All shops of the workspace, in the order in which they were made; null while they are not known. */
export function useShops(): readonly Shop[] | null {
  const { call } = useApp();
  const { data } = useQuery({
    queryKey: ["competitors", "shops"],
    staleTime: KEPT_MS,
    queryFn: async ({ signal }): Promise<readonly Shop[]> => {
      const all: Shop[] = [];
      let cursor: string | null = null;
      do {
        const page: Page<Shop> = await call(
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

/** The number of each shop's colour, by the shop's id. */
export function useShopColours(): ReadonlyMap<string, number> {
  const shops = useShops();
  return useMemo(() => new Map((shops ?? []).map(({ id, colour }) => [id, colour])), [shops]);
}
