import { keepPreviousData, useQuery } from "@tanstack/preact-query";
import type { ClauseCounts } from "../../../rules/evaluation/count_clauses.ts";
import { useApp } from "../../app/app.ts";
import type { ClauseCount } from "./clause.tsx";

/** By the clause that leaves so much. */
export type SaidCounts = Readonly<
  Record<"scope" | "who" | "when" | "then" | "floor", ClauseCount | null>
>;

/**
 * The number of products after each clause, requested again when the draft is stable; the previous
 * request is cancelled. `null` while unknown: the simulation shows a draft's errors.
 */
export function useClauseCounts(asked: string): SaidCounts | null {
  const { call, words, show } = useApp();
  const texts = words.rules.counts;
  const { data, error } = useQuery<ClauseCounts>({
    queryKey: ["clause counts", asked],
    queryFn: ({ signal }) =>
      call((api) => api.POST("/api/rules/counts", { body: JSON.parse(asked) }), { signal }),
    placeholderData: keepPreviousData,
    retry: false,
  });
  if (!data || error) return null;
  const say = (count: number, tell: (count: string) => string): ClauseCount => {
    const text = data.isCut ? texts.atLeast(show.number(count)) : show.number(count);
    return { text, told: tell(text) };
  };
  return {
    scope: say(data.scope, texts.scope),
    who: say(data.offers, (count) => texts.who(count, show.number(data.withOffers))),
    when: say(data.fires, texts.when),
    then: say(data.moves, texts.then),
    floor: data.bound === 0 ? null : say(data.bound, texts.floor),
  };
}
