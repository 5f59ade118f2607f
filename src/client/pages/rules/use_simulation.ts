import { keepPreviousData, useQuery } from "@tanstack/preact-query";
import { useApp } from "../../app/app.ts";
import type { Simulation } from "../../parts/decision/decision.ts";
import { useSettled } from "../../parts/use_settled.ts";
import type { bodyOf } from "./rule_draft.ts";

const PAUSE_MS = 350;

interface SimulationState {
  /** The last answer; of an earlier draft while `isRunning`. */
  readonly simulation: Simulation | null;
  readonly isRunning: boolean;
  readonly error: unknown;
  /** The question, settled: what else is asked of the draft is asked at the same time. */
  readonly asked: string;
  again(): void;
}

/** The effect of the rule in the form, requested again after a pause in typing. */
export function useSimulation(
  rule: ReturnType<typeof bodyOf>,
  ruleId: string | null,
): SimulationState {
  const { call } = useApp();
  // A rule without a name can be tried out all the same.
  const wanted = JSON.stringify({
    rule: { ...rule, name: rule.name || "–", description: null },
    ruleId,
  });
  const asked = useSettled(wanted, PAUSE_MS);
  const found = useQuery<Simulation>({
    queryKey: ["simulation", asked],
    queryFn: ({ signal }) =>
      call((api) => api.POST("/api/rules/simulate", { body: JSON.parse(asked) }), { signal }),
    placeholderData: keepPreviousData,
  });
  return {
    simulation: found.data ?? null,
    isRunning: found.isFetching || asked !== wanted,
    error: found.error,
    asked,
    again: () => void found.refetch(),
  };
}
