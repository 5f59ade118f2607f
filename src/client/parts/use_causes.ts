import { useDocument } from "../app/queries.ts";

const WATCH_MS = 30_000;

/** Causes of unread alerts; each says whether this person has put it off. */
export function useCauses() {
  return useDocument({
    key: ["alerts", "causes"],
    read: (api) => api.GET("/api/alerts/causes"),
    everyMs: () => WATCH_MS,
  });
}
