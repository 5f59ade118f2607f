/** All triggers: the one place where a new one is registered. The values are public and only grow (spec §9). */
import { z } from "zod";
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
