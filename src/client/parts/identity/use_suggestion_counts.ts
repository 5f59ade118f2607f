import type { Wire } from "../../api/call.ts";
import { useDocument } from "../../app/queries.ts";

const WATCH_MS = 10_000;

/** Open suggestions by certainty; null until they are loaded. */
export function useSuggestionCounts(): Wire<"SuggestionCounts"> | null {
  const { data } = useDocument({
    key: ["suggestions", "counts"],
    read: (api) => api.GET("/api/match-suggestions/counts"),
    everyMs: () => WATCH_MS,
  });
  return data ?? null;
}
