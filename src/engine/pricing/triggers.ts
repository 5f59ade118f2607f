/**
 * All triggers. A new one is a file in `triggers/`, a row of `TRIGGERS` here and a row of
 * `TRIGGER_WORDS` in `wording`. The values are public and only grow.
 */
import { z } from "zod";
import { orDefault } from "./field.ts";
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

const ALSO_MAX = 3;

const unknownTrigger = ({ code }: { readonly code: string }) =>
  code === "invalid_union"
    ? `Must be one of ${TRIGGERS.map(({ value }) => value).join(", ")}`
    : undefined;

const [first, ...others] = TRIGGERS;

/** One more trigger of a rule: it has its own fields, and shares the common options of the first. */
const Also = z.discriminatedUnion("trigger", [first.own, ...others.map(({ own }) => own)], {
  error: unknownTrigger,
}).meta({ id: "AlsoWhen" });

const more = {
  or: orDefault(z.array(Also).max(ALSO_MAX), []).meta({
    title: "Or when",
    description: "More triggers: the rule fires when any of them does",
  }),
};

/** The condition of a rule: a trigger, its own fields, the common options, and more triggers. */
export const When = z.discriminatedUnion("trigger", [
  competitorUndercut.fields.safeExtend(more).meta({ id: "WhenCompetitorUndercut" }),
  competitorOvercut.fields.safeExtend(more).meta({ id: "WhenCompetitorOvercut" }),
  marginBelow.fields.safeExtend(more).meta({ id: "WhenMarginBelow" }),
  marginAbove.fields.safeExtend(more).meta({ id: "WhenMarginAbove" }),
  positionChange.fields.safeExtend(more).meta({ id: "WhenPositionChange" }),
  marketIndex.fields.safeExtend(more).meta({ id: "WhenMarketIndex" }),
  scrapeStale.fields.safeExtend(more).meta({ id: "WhenScrapeStale" }),
], { error: unknownTrigger }).meta({ id: "When" });

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
  readonly [One in Some as One["value"]]: Omit<z.output<One["own"]>, "trigger">;
};
