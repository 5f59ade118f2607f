/** The declaration of a trigger: its schemas, its needs, and how it judges a product. */
import type { z } from "zod";
import type { ReferenceOptions, References } from "./reference.ts";
import type { Rest, Statement } from "./statement.ts";
import type { Market, RulePast } from "./situation.ts";

export interface View {
  readonly market: Market;
  readonly references: References;
  readonly options: ReferenceOptions;
  /** Null if the rule has never fired for the product, and no rank is stored. */
  readonly past: RulePast | null;
  readonly ourPriceCents: number;
}

export interface Verdict<Said extends Statement = Statement> {
  readonly fires: boolean;
  readonly said: () => Said;
  /** Null for triggers that do not compare ranks. */
  readonly rank: number | null;
}

type Judge<Said extends Statement = Statement> = (view: View) => Verdict<Said>;

interface TriggerNeeds {
  readonly ownPrice: boolean;
  readonly references: boolean;
}

export interface Trigger<
  Code extends string = string,
  Fields extends z.ZodObject = z.ZodObject,
  Said extends z.ZodObject = z.ZodObject,
  Own extends z.ZodObject = z.ZodObject,
> {
  readonly value: Code;
  readonly label: string;
  readonly description: string;
  readonly needs: TriggerNeeds;
  needsOf(when: unknown): TriggerNeeds;
  /** True if time alone can fire the trigger. */
  readonly isClockDriven: boolean;
  readonly own: Own;
  readonly fields: Fields;
  readonly facts: Said;
  bind(when: unknown): Judge<Statement<Code, z.output<Said>> | Rest>;
}

export function defineTrigger<
  const Code extends string,
  Fields extends z.ZodObject,
  Said extends z.ZodObject,
  Own extends z.ZodObject,
>(
  trigger: Omit<Trigger<Code, Fields, Said, Own>, "bind" | "needsOf"> & {
    needsWhen?(when: z.output<Fields>): TriggerNeeds;
    judgeBy(
      when: z.output<Fields>,
      say: (facts: z.output<Said>) => Statement<Code, z.output<Said>>,
    ): Judge<Statement<Code, z.output<Said>> | Rest>;
  },
): Trigger<Code, Fields, Said, Own> {
  const { judgeBy, needsWhen, ...declared } = trigger;
  const say = (facts: z.output<Said>) => ({ code: declared.value, facts });
  return {
    ...declared,
    needsOf: (when) => needsWhen?.(declared.fields.parse(when)) ?? declared.needs,
    bind: (when) => judgeBy(declared.fields.parse(when), say),
  };
}

export function verdict<Said extends Statement>(fires: boolean, said: () => Said): Verdict<Said> {
  return { fires, said, rank: null };
}
