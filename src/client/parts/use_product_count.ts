import { useDocument } from "../app/queries.ts";

const WATCH_MS = 30_000;

/** Null until the number is loaded. */
export function useProductCount(
  query: Readonly<Record<string, string | number | boolean>>,
  everyMs: number | false = WATCH_MS,
): number | null {
  const { data } = useDocument({
    key: ["products", "count", query],
    read: (api) => api.GET("/api/products", { params: { query: { ...query, limit: 1 } } }),
    everyMs: () => everyMs,
  });
  return data?.total ?? null;
}
