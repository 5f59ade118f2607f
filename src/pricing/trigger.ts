import type { z } from "zod";
import type { Market } from "./market.ts";
import type { ReferenceOptions, References } from "./reference.ts";
import type { RuleMemory } from "./situation.ts";

/** What one rule sees of one product. */
export interface View {
  readonly market: Market;
  readonly references: References;
  readonly options: ReferenceOptions;
  /** Null before the first evaluation. */
  readonly memory: RuleMemory | null;
  /** The own price; 0 only for triggers that need none. */
  readonly ourPriceCents: number;
}

/** A trigger's answer. The words are made only when somebody asks. */
export interface Verdict {
  readonly fires: boolean;
  readonly say: () => string;
  /** Our rank, to be remembered for the next evaluation; null for triggers that know none. */
  readonly rank: number | null;
}

export type Judge = (view: View) => Verdict;

/** What must be there before a trigger judges; without it the rule rests. */
export interface TriggerNeeds {
  readonly ownPrice: boolean;
  readonly references: boolean;
}

/** One value of `when.trigger`: its words, its fields, its judgement. */
export interface Trigger<Fields extends z.ZodObject = z.ZodObject> {
  readonly value: string;
  readonly label: string;
  readonly description: string;
  readonly needs: TriggerNeeds;
  readonly fields: Fields;
  /** Reads the condition of a rule once, so that judging it costs only the comparison. */
  bind(when: unknown): Judge;
}

/** `judgeBy` gets the fields as validated; what it prepares is shared by all products. */
export function defineTrigger<Fields extends z.ZodObject>(
  trigger: Omit<Trigger<Fields>, "bind"> & { judgeBy(when: z.output<Fields>): Judge },
): Trigger<Fields> {
  const { judgeBy, ...words } = trigger;
  return { ...words, bind: (when) => judgeBy(words.fields.parse(when)) };
}

export function verdict(fires: boolean, say: () => string): Verdict {
  return { fires, say, rank: null };
}
