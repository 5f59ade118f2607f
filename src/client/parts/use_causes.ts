import { useDocument } from "../app/queries.ts";

const WATCH_MS = 30_000;

/** The causes of unread alerts, as this person has put them off. */
export function useCauses() {
  return useDocument({
    key: ["alerts", "causes"],
    read: (api) => api.GET("/api/alerts/causes"),
    everyMs: () => WATCH_MS,
  });
}
