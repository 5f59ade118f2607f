import type { Wire } from "../../api/call.ts";
import { useDocument } from "../../app/queries.ts";

const WATCH_MS = 10_000;

/** Returns the number of open suggestions by certainty; null while it is unknown. */
export function useSuggestionCounts(): Wire<"SuggestionCounts"> | null {
  const { data } = useDocument({
    key: ["suggestions", "counts"],
    read: (api) => api.GET("/api/match-suggestions/counts"),
    everyMs: () => WATCH_MS,
  });
  return data ?? null;
}
