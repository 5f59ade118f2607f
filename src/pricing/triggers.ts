/**
 * All triggers. A new one is a file in `triggers/`, a row of `TRIGGERS` here and a row of
 * `TRIGGER_WORDS` in `wording`. The values are public and only grow.
 */
import { z } from "zod";
import type { referenceFields } from "./reference.ts";
import type { Trigger } from "./trigger.ts";
import { competitorOvercut } from "./triggers/competitor_overcut.ts";
import { competitorUndercut } from "./triggers/competitor_undercut.ts";
import { marginAbove } from "./triggers/margin_above.ts";
import { marginBelow } from "./triggers/margin_below.ts";
import { marketIndex } from "./triggers/market_index.ts";
import { positionChange } from "./triggers/position_change.ts";
import { scrapeStale } from "./triggers/scrape_stale.ts";

export const TRIGGERS = [
  competitorUndercut,
  competitorOvercut,
  marginBelow,
  marginAbove,
  positionChange,
  marketIndex,
  scrapeStale,
] as const;

const [first, ...others] = TRIGGERS;

/** The condition of a rule: a trigger, its own fields and the common options. */
export const When = z.discriminatedUnion("trigger", [
  first.fields,
  ...others.map(({ fields }) => fields),
], {
  error: ({ code }) =>
    code === "invalid_union"
      ? `Must be one of ${TRIGGERS.map(({ value }) => value).join(", ")}`
      : undefined,
}).meta({ id: "When" });

export type When = z.output<typeof When>;

type AnyTrigger = (typeof TRIGGERS)[number];

/** The facts of answers, by the code of the trigger. */
export type TriggerFacts = FactsOf<AnyTrigger>;

/** The fields that a trigger has beside those of all triggers, by its code. */
export type TriggerFields = FieldsOf<AnyTrigger>;

/** As `TriggerFacts`, of any triggers. */
export type FactsOf<Some extends Trigger> = {
  readonly [One in Some as One["value"]]: z.output<One["facts"]>;
};

/** As `TriggerFields`, of any triggers. */
export type FieldsOf<Some extends Trigger> = {
  readonly [One in Some as One["value"]]: Omit<
    z.output<One["fields"]>,
    "trigger" | keyof typeof referenceFields
  >;
};
