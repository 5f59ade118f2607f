/**
 * A trigger is the condition under which a rule fires. Stored rules contain the codes of triggers,
 * so never remove a trigger.
 */

import {
  add,
  compareFractions,
  divide,
  floorOf,
  isWhole,
  multiply,
  percent,
  whole,
} from "../../base/fraction.ts";
import { HOUR_MS } from "../../base/time.ts";
import { orDefault, orNull, percentField } from "./field.ts";
import { compareMargin, marginPct, type Market, missingForMargin } from "./situation.ts";
import {
  isWatched,
  rankOf,
  referenceFields,
  type ReferenceKind,
  referenceOffers,
  referencePrice,
  sumOf,
} from "./reference.ts";
import { defineTrigger, type Judge, type Rest, verdict } from "./trigger.ts";
import { z } from "zod";

type CompetitorFacts = Readonly<{
  kind: ReferenceKind;
  /** Name of the compared competitor, or of the cheapest one if an average is compared. */
  competitor: string;
  count: number;
  /** Compared price per piece, rounded down, with VAT if our price includes VAT. */
  priceCents: number;
  isExact: boolean;
  ourPriceCents: number;
  currency: string;
  deltaPct: number;
  fires: boolean;
}>;

function defineCompetitorTrigger<const Code extends string>(
  { value, label, side, deltaPctMax }: {
    readonly value: Code;
    readonly label: string;
    readonly side: "above" | "below";
    readonly deltaPctMax: number;
  },
) {
  const sign = side === "above" ? 1 : -1;
  const own = z.strictObject({
    trigger: z.literal(value),
    competitorDeltaPct: orDefault(percentField(0, deltaPctMax), 0).meta({
      title: "By at least, in percent",
      description: "Relative to our price; 0 fires from the first cent on",
    }),
  });
  return defineTrigger({
    value,
    label,
    description: `Fires when the reference is ${side} our price, by at least the given share of it`,
    needs: { ownPrice: true, references: true },
    isClockDriven: false,
    own,
    judgeBy({ competitorDeltaPct: deltaPct }, { kind }): Judge<Code, CompetitorFacts> {
      const share = add(whole(1), percent(sign * deltaPct));
      return ({ market, references, ourPriceCents }) => {
        const price = referencePrice(kind, references);
        if (price === null) return verdict(false, () => ({ code: "no_second", facts: {} }));
        const ours = whole(ourPriceCents);
        const fires = sign * compareFractions(price, ours) > 0 &&
          sign * compareFractions(price, multiply(ours, share)) >= 0;
        const facts = () => ({
          kind,
          competitor: referenceOffers(kind, references)[0]?.offer.competitor ?? "",
          count: references.offers.length,
          priceCents: floorOf(price),
          isExact: isWhole(price),
          ourPriceCents,
          currency: market.situation.product.currency,
          deltaPct,
          fires,
        });
        return verdict(fires, () => ({ code: value, facts: facts() }));
      };
    },
  });
}

type MarginFacts = Readonly<{
  marginPct: number | null;
  boundPct: number;
  fires: boolean;
}>;

function defineMarginTrigger<const Code extends string>({ value, label, side }: {
  readonly value: Code;
  readonly label: string;
  readonly side: "above" | "below";
}) {
  const sign = side === "above" ? 1 : -1;
  const own = z.strictObject({
    trigger: z.literal(value),
    marginPct: percentField(-100, 100).meta({
      title: "Margin in percent",
      description: `Fires when (net price − cost) ÷ net price is ${side} this`,
    }),
  });
  return defineTrigger({
    value,
    label,
    description: `Fires when the margin of our net price is ${side} the given percent`,
    needs: { ownPrice: true, references: false },
    isClockDriven: false,
    own,
    judgeBy({ marginPct: boundPct }): Judge<Code, MarginFacts> {
      const bound = percent(boundPct);
      return ({ market, ourPriceCents }) => {
        const missing = missingForMargin(market);
        if (missing !== null) return verdict(false, () => restsWithout(market, missing));
        const fires = sign * compareMargin(market, ourPriceCents, bound) > 0;
        const facts = () => ({ marginPct: marginPct(market, ourPriceCents), boundPct, fires });
        return verdict(fires, () => ({ code: value, facts: facts() }));
      };
    },
  });
}

const INDEX_MAX = 100_000;

const indexFields = z.strictObject({
  trigger: z.literal("market_index"),
  indexAbove: orNull(percentField(0, INDEX_MAX)).meta({
    title: "Above",
    description: "100 is the market mean; fires only above the bound, not at it",
  }),
  indexBelow: orNull(percentField(0, INDEX_MAX)).meta({
    title: "Below",
    description: "100 is the market mean; fires only below the bound, not at it",
  }),
  always: orDefault(z.boolean(), false).meta({
    title: "At every evaluation",
    description: "Fires at any price, even without competitors; replaces the bounds",
  }),
}).superRefine(({ indexAbove, indexBelow, always }, check) => {
  const hasBound = indexAbove !== null || indexBelow !== null;
  if (hasBound !== always) return;
  const message = always
    ? 'Must be null together with "always"'
    : 'Give "indexAbove", "indexBelow" or both, or "always"';
  const path = [always && indexAbove === null ? "indexBelow" : "indexAbove"];
  check.addIssue({ code: "custom", path, message });
});

type IndexFacts = Readonly<{
  /** Our price in percent of the competitors' mean price, rounded down to 2 decimals. */
  index: number | null;
  indexAbove: number | null;
  indexBelow: number | null;
  /** Absent in decisions that earlier versions of Kurant stored. */
  always: boolean;
  fires: boolean;
}>;

const marketIndex = defineTrigger({
  value: "market_index",
  label: "We are off the market",
  description: "Fires when our price ÷ mean of the references × 100 is beyond a bound, or always",
  needs: { ownPrice: true, references: true },
  needsWhen: ({ always }) => ({ ownPrice: true, references: !always }),
  isClockDriven: false,
  own: indexFields,
  judgeBy({ indexAbove, indexBelow, always }): Judge<"market_index", IndexFacts> {
    const said = (index: number | null, fires: boolean) => ({
      code: "market_index" as const,
      facts: { index, indexAbove, indexBelow, always, fires },
    });
    if (always) return () => verdict(true, () => said(null, true));
    const above = indexAbove === null ? null : percent(indexAbove);
    const below = indexBelow === null ? null : percent(indexBelow);
    return ({ references, ourPriceCents }) => {
      const sum = sumOf(references.offers);
      // Both sides of the comparison are multiplied by the sum of prices, to avoid a division.
      const ours = whole(ourPriceCents * references.offers.length);
      const isAbove = above !== null && compareFractions(ours, multiply(sum, above)) > 0;
      const isBelow = below !== null && compareFractions(ours, multiply(sum, below)) < 0;
      const fires = isAbove || isBelow;
      return verdict(fires, () => {
        const index = compareFractions(sum, whole(0)) === 0
          ? null
          : floorOf(divide(multiply(ours, whole(10_000)), sum)) / 100;
        return said(index, fires);
      });
    };
  },
});

const DIRECTIONS = ["worse", "better", "any"] as const;

const positionFields = z.strictObject({
  trigger: z.literal("position_change"),
  direction: orDefault(z.enum(DIRECTIONS), "any").meta({
    title: "Direction",
    description: "Worse is a higher rank number",
  }),
  minPositions: orDefault(z.int().min(1).max(200), 1).meta({
    title: "By at least, in places",
    description: "Smaller changes are stored but do not fire",
  }),
});

type PositionFacts = Readonly<{
  rank: number;
  of: number;
  before: number | null;
}>;

const positionChange = defineTrigger({
  value: "position_change",
  label: "Our rank has changed",
  description: "Fires when our rank among the offers (1 is the cheapest, equal prices share a " +
    "rank) differs from the previous evaluation; the first evaluation only stores it",
  needs: { ownPrice: true, references: true },
  isClockDriven: false,
  own: positionFields,
  judgeBy({ direction, minPositions }): Judge<"position_change", PositionFacts> {
    return ({ references, past, ourPriceCents }) => {
      const rank = rankOf(ourPriceCents, references);
      const before = past?.rank ?? null;
      const facts = { rank, of: references.offers.length + 1, before };
      const said = () => ({ code: "position_change" as const, facts });
      if (before === null) return { fires: false, said, rank };
      const places = rank - before;
      const isWanted = direction === "any" || (direction === "worse" ? places > 0 : places < 0);
      const fires = isWanted && Math.abs(places) >= minPositions;
      return { fires, said, rank };
    };
  },
});

const staleFields = z.strictObject({
  trigger: z.literal("scrape_stale"),
  staleHours: orNull(z.int().min(1).max(8_760)).meta({
    title: "Older than, in hours",
    description: "Null: twice the scrape interval of the product",
  }),
});

type StaleFacts = Readonly<{
  /** The event from which `ageHours` counts; null if the rule uses none of the product's links. */
  since: "observation" | "match" | null;
  ageHours: number;
  staleHours: number;
}>;

const scrapeStale = defineTrigger({
  value: "scrape_stale",
  label: "Prices are out of date",
  description: "Fires when the newest observation of a product with a match is too old; " +
    "if there is none, the age counts from the creation of the match",
  needs: { ownPrice: false, references: false },
  isClockDriven: true,
  own: staleFields,
  judgeBy(terms, options): Judge<"scrape_stale", StaleFacts> {
    return ({ market }) => {
      const { offers, product, nowMs } = market.situation;
      const staleHours = terms.staleHours ?? 2 * product.scrapeIntervalHours;
      const watched = offers.filter((offer) => isWatched(options, offer));
      const said = (since: StaleFacts["since"], ageHours: number) => () => ({
        code: "scrape_stale" as const,
        facts: { since, ageHours, staleHours },
      });
      if (watched.length === 0) return verdict(false, said(null, 0));
      const newestMs = Math.max(...watched.map(({ observedAtMs }) => observedAtMs ?? -Infinity));
      const isObserved = newestMs > -Infinity;
      const createdMs = Math.min(...watched.map(({ matchCreatedAtMs }) => matchCreatedAtMs));
      const ageMs = nowMs - (isObserved ? newestMs : createdMs);
      const since = isObserved ? "observation" : "match";
      return verdict(ageMs > staleHours * HOUR_MS, said(since, Math.floor(ageMs / HOUR_MS)));
    };
  },
});

const competitorUndercut = defineCompetitorTrigger({
  value: "competitor_undercut",
  label: "A competitor is cheaper",
  side: "below",
  deltaPctMax: 100,
});

const competitorOvercut = defineCompetitorTrigger({
  value: "competitor_overcut",
  label: "Competitors are dearer",
  side: "above",
  deltaPctMax: 1_000,
});

const marginBelow = defineMarginTrigger({
  value: "margin_below",
  label: "Our margin is too small",
  side: "below",
});

const marginAbove = defineMarginTrigger({
  value: "margin_above",
  label: "Our margin is larger than needed",
  side: "above",
});

export const TRIGGERS = [
  competitorUndercut,
  competitorOvercut,
  marginBelow,
  marginAbove,
  positionChange,
  marketIndex,
  scrapeStale,
] as const;

const unknownTrigger = ({ code }: { readonly code: string }) =>
  code === "invalid_union"
    ? `Must be one of ${TRIGGERS.map(({ value }) => value).join(", ")}`
    : undefined;

const [first, ...others] = TRIGGERS;

const Also = z.discriminatedUnion("trigger", [first.own, ...others.map(({ own }) => own)], {
  error: unknownTrigger,
}).meta({ id: "AlsoWhen" });

const more = {
  ...referenceFields,
  or: orDefault(z.array(Also).max(3), []).meta({
    title: "Or when",
    description: "More triggers: the rule fires when any of them does",
  }),
};

export const When = z.discriminatedUnion("trigger", [
  competitorUndercut.own.safeExtend(more).meta({ id: "WhenCompetitorUndercut" }),
  competitorOvercut.own.safeExtend(more).meta({ id: "WhenCompetitorOvercut" }),
  marginBelow.own.safeExtend(more).meta({ id: "WhenMarginBelow" }),
  marginAbove.own.safeExtend(more).meta({ id: "WhenMarginAbove" }),
  positionChange.own.safeExtend(more).meta({ id: "WhenPositionChange" }),
  marketIndex.own.safeExtend(more).meta({ id: "WhenMarketIndex" }),
  scrapeStale.own.safeExtend(more).meta({ id: "WhenScrapeStale" }),
], { error: unknownTrigger }).meta({ id: "When" });

export type When = z.output<typeof When>;

type AnyTrigger = (typeof TRIGGERS)[number];

export type TriggerFacts = {
  readonly [One in AnyTrigger as One["value"]]: SaidBy<One>["facts"];
};

type SaidBy<One extends AnyTrigger> = Extract<
  ReturnType<ReturnType<ReturnType<One["compile"]>["judge"]>["said"]>,
  { readonly code: One["value"] }
>;

export type TriggerFields = {
  readonly [One in AnyTrigger as One["value"]]: Omit<z.output<One["own"]>, "trigger">;
};

function restsWithout(market: Market, missing: "cost_unknown" | "vat_unknown"): Rest {
  if (missing === "vat_unknown") return { code: missing, facts: {} };
  return { code: missing, facts: { isZero: market.situation.product.costPriceCents === 0 } };
}
