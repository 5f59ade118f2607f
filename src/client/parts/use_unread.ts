import { useDocument } from "../app/queries.ts";

const WATCH_MS = 30_000;

/** The number of unread alerts; `null` while unknown. */
export function useUnread(): number | null {
  const { data } = useDocument({
    key: ["alerts", "unread-count"],
    read: (api) => api.GET("/api/alerts/unread-count"),
    everyMs: () => WATCH_MS,
  });
  return data?.count ?? null;
}
