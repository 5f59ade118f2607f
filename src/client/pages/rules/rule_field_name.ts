import type { Words } from "../../words/words.ts";

/** What the field at this path of a rule is called; the path itself for one that has no name. */
export function ruleFieldName({ rules, terms }: Words, path: string): string {
  const { fieldNames, aim, bounds } = rules;
  const name = path.split(".").findLast((part) => !/^\d+$/.test(part)) ?? path;
  const ofPrice: Readonly<Record<string, string>> = {
    kind: aim.kind,
    nth: aim.nth,
    competitorId: aim.competitor,
    pct: aim.by,
    cents: aim.by,
    belowCents: aim.below,
    endings: aim.endings,
    deadbandPct: aim.deadband,
    markupPct: bounds.markupPct,
    minCents: bounds.minPrice,
    maxCents: bounds.maxPrice,
    belowTargetPct: bounds.belowTargetPct,
    aboveTargetPct: bounds.aboveTargetPct,
    maxMovePct: bounds.maxMovePct,
    maxMovePerDayPct: bounds.maxMovePerDayPct,
    maxMovesPerDay: bounds.maxMovesPerDay,
    cuts: bounds.brakeCuts,
    days: bounds.brakeDays,
    restDays: bounds.brakeRestDays,
    currency: bounds.currency,
  };
  return fieldNames[path] ?? terms.fields[name] ?? ofPrice[name] ?? path;
}
