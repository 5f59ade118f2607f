/**
 * The declaration of a trigger: its schemas, its needs, and how it judges a product. A statement
 * gives one reason for a decision: a code, and the values in its sentence. Stored traces contain
 * statements, so the schema of a new fact must have a default.
 */
import { z } from "zod";
import type { ReferenceOptions, References } from "./reference.ts";
import { LEFT_OUT, type Market, type RulePast } from "./situation.ts";

export type Facts = Readonly<Record<string, unknown>>;

export interface Statement<Code extends string = string, Said extends Facts = Facts> {
  readonly code: Code;
  readonly facts: Said;
}

const leftOut = z.array(z.object({ why: z.enum(LEFT_OUT), count: z.int() }));

export const RESTS = {
  out_of_scope: z.object({
    field: z.enum(["brand", "category", "tier", "currency", "sku"]),
    value: z.string().nullable(),
  }),
  unseen: z.object({ days: z.int() }),
  no_own_price: z.object({}),
  no_reference: z.object({ leftOut, lacksVat: z.boolean() }),
  too_few_references: z.object({ minCompetitors: z.int(), leftOut, lacksVat: z.boolean() }),
  no_second: z.object({}),
  cost_unknown: z.object({ isZero: z.boolean() }),
  vat_unknown: z.object({}),
} as const;

type RestCode = keyof typeof RESTS;

export type Rest = {
  readonly [Code in RestCode]: Statement<Code, z.output<(typeof RESTS)[Code]>>;
}[RestCode];

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
