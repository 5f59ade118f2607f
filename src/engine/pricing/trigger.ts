/**
 * The declaration of a rule's trigger: its fields, the data that it needs, and the check whether it
 * fires. A `Statement` is a reason for a decision: a code and facts, from which a sentence is made.
 * Stored decisions contain statements of earlier versions, which may lack newer facts.
 */
import type { z } from "zod";
import { fromKeys } from "../../base/collections.ts";
import type { ReferenceOptions, References } from "./reference.ts";
import type { ScopeField } from "./codes.ts";
import type { LeftOut, Market, RulePast } from "./situation.ts";

export type Facts = Readonly<Record<string, unknown>>;

export interface Statement<Code extends string = string, Said extends Facts = Facts> {
  readonly code: Code;
  readonly facts: Said;
}

type Unusable = Readonly<{
  leftOut: readonly Readonly<{ why: LeftOut; count: number }>[];
  lacksVat: boolean;
}>;

export type RestFacts = Readonly<{
  out_of_scope: Readonly<{ field: ScopeField | "sku"; value: string | null }>;
  unseen: Readonly<{ days: number }>;
  no_own_price: Readonly<Record<never, never>>;
  no_reference: Unusable;
  too_few_references: Unusable & Readonly<{ minCompetitors: number }>;
  no_second: Readonly<Record<never, never>>;
  cost_unknown: Readonly<{ isZero: boolean }>;
  vat_unknown: Readonly<Record<never, never>>;
}>;

export type Rest = {
  readonly [Code in keyof RestFacts]: Statement<Code, RestFacts[Code]>;
}[keyof RestFacts];

export interface View {
  readonly market: Market;
  readonly references: References;
  readonly options: ReferenceOptions;
  /** Null if the rule has never fired for the product and has no stored rank. */
  readonly past: RulePast | null;
  readonly ourPriceCents: number;
}

export interface Verdict<Said extends Statement = Statement> {
  readonly fires: boolean;
  readonly said: () => Said;
  /** Rank of our price; null if the trigger does not compare ranks. */
  readonly rank: number | null;
}

export type Judge<Code extends string = string, Said extends Facts = Facts> = (
  view: View,
) => Verdict<Statement<Code, Said> | Rest>;

interface TriggerNeeds {
  readonly ownPrice: boolean;
  readonly references: boolean;
}

interface Declared<Code extends string, Own extends z.ZodObject> {
  readonly value: Code;
  readonly label: string;
  readonly description: string;
  readonly needs: TriggerNeeds;
  /** True if the trigger can fire because time passes, even if no data changes. */
  readonly isClockDriven: boolean;
  /** Schema of the trigger's fields, except those that select the competitors' prices. */
  readonly own: Own;
}

export function defineTrigger<
  const Code extends string,
  Own extends z.ZodObject,
  Said extends Facts,
>(
  { needsWhen, judgeBy, ...declared }: Declared<Code, Own> & {
    needsWhen?(terms: z.output<Own>): TriggerNeeds;
    judgeBy(terms: z.output<Own>, options: ReferenceOptions): Judge<Code, Said>;
  },
) {
  const { value, isClockDriven, needs, own } = declared;
  return {
    ...declared,
    compile(when: Facts, options: ReferenceOptions) {
      const terms = own.parse(fromKeys(Object.keys(own.shape), (name) => when[name]));
      const judge = judgeBy(terms, options);
      return { value, isClockDriven, needs: needsWhen?.(terms) ?? needs, judge };
    },
  };
}

export function verdict<Said extends Statement>(fires: boolean, said: () => Said): Verdict<Said> {
  return { fires, said, rank: null };
}
