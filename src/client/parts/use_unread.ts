import { useDocument } from "../app/queries.ts";

const WATCH_MS = 30_000;

/** Returns the number of unread alerts; null while it is unknown. */
export function useUnread(): number | null {
  const { data } = useDocument({
    key: ["alerts", "unread-count"],
    read: (api) => api.GET("/api/alerts/unread-count"),
    everyMs: () => WATCH_MS,
  });
  return data?.count ?? null;
}
