/**
 * Traces as they were stored before sentences were made of facts: with an English sentence of the
 * trigger (`trigger.reason`) and of each guard (`why`). Their facts are found in the figures that
 * such a trace holds beside its sentences; nothing here reads a sentence. Only what a proposal was
 * made from was stored: the trigger fired, and guards objected at most to applying the price.
 */
import { z } from "zod";
import { add, divide, floorOf, multiply, percent, subtract, whole } from "../../base/fraction.ts";
import { knownCost } from "../../base/margin.ts";
import type { Facts, Saying } from "./said.ts";
import type { Trace, TraceReference } from "./trace.ts";

/** What was stored then. */
export interface FormerTrace extends Omit<Trace, "trigger" | "guards"> {
  readonly trigger: Omit<Trace["trigger"], "said"> & { readonly reason: string };
  readonly guards: readonly {
    readonly guard: string;
    readonly forbids: "price" | "apply";
    readonly why: string | null;
  }[];
}

/** A trace as the store may hold it. */
export type StoredTrace = Trace | FormerTrace;

const HOUR_MS = 3_600_000;
/** What counted as high, and as old, when those traces were made. */
const HIGH_CONFIDENCE = 0.9;
const APPLIED_AGE_HOURS = 24;

/** As far as a trace must have its shape to be shown. */
const Shape = z.looseObject({
  at: z.iso.datetime(),
  inputs: z.looseObject({ currency: z.string() }),
  trigger: z.union([
    z.looseObject({
      value: z.string(),
      said: z.object({ code: z.string(), facts: z.record(z.string(), z.unknown()) }),
    }),
    z.looseObject({ value: z.string(), reason: z.string() }),
  ]),
  references: z.array(z.looseObject({ matchId: z.string(), competitor: z.string() })),
  leftOut: z.array(z.looseObject({ matchId: z.string(), why: z.string() })),
  guards: z.array(z.looseObject({ guard: z.string(), forbids: z.enum(["price", "apply"]) })),
});

/** True for a trace of a workspace's file that can be shown, whichever version wrote it. */
export function isTrace(value: unknown): value is StoredTrace {
  return Shape.safeParse(value).success;
}

export function isFormer(trace: StoredTrace): trace is FormerTrace {
  return !("said" in trace.trigger);
}

/** The trace with facts, whenever it was stored. */
export function readTrace(stored: StoredTrace): Trace {
  if (!isFormer(stored)) return stored;
  const { reason, ...trigger } = stored.trigger;
  const said = answerThen(stored) ?? { code: "told", facts: { text: reason } };
  return {
    ...stored,
    trigger: { ...trigger, said },
    guards: stored.guards.map(({ why, ...asked }) => ({
      ...asked,
      facts: why === null ? null : objectionThen(stored, asked.guard),
    })),
  };
}

/** Null where the figures do not tell: the sentence is shown as it was. */
function answerThen(trace: FormerTrace): Saying | null {
  if (!trace.trigger.fires) return null;
  switch (trace.trigger.value) {
    case "competitor_undercut":
    case "competitor_overcut":
      return comparisonThen(trace);
    case "margin_below":
    case "margin_above":
      return marginThen(trace);
    case "position_change":
      return rankThen(trace);
    case "market_index":
      return indexThen(trace);
    case "scrape_stale":
      return ageThen(trace);
    default:
      return null;
  }
}

function comparisonThen({ trigger, inputs, references }: FormerTrace): Saying | null {
  const compared = references.find(({ matchId }) => trigger.comparedWith.includes(matchId));
  if (compared === undefined) return null;
  const sum = references.reduce((total, { unitCents }) => total + unitCents, 0);
  const isMean = trigger.reference === "average";
  const facts = {
    kind: trigger.reference,
    competitor: compared.competitor,
    count: references.length,
    priceCents: isMean ? Math.floor(sum / references.length) : compared.unitCents,
    isExact: isMean ? sum % references.length === 0 : compared.exact === `${compared.unitCents}`,
    ourPriceCents: inputs.ourPriceCents ?? 0,
    currency: inputs.currency,
    deltaPct: null,
    fires: true,
  };
  return { code: trigger.value, facts };
}

function marginThen({ trigger, inputs }: FormerTrace): Saying | null {
  const { ourPriceCents, pricesIncludeVat, vatRatePct } = inputs;
  const cost = knownCost(inputs);
  if (cost === null || !ourPriceCents || (pricesIncludeVat && vatRatePct === null)) return null;
  const factor = add(whole(1), percent(pricesIncludeVat ? vatRatePct ?? 0 : 0));
  const net = divide(whole(ourPriceCents), factor);
  const margin = divide(subtract(net, whole(cost)), net);
  const marginPct = floorOf(multiply(margin, whole(10_000))) / 100;
  return { code: trigger.value, facts: { marginPct, boundPct: null, fires: true } };
}

function rankThen({ trigger, inputs, references }: FormerTrace): Saying {
  const ours = inputs.ourPriceCents ?? 0;
  const rank = references.filter(({ unitCents }) => unitCents < ours).length + 1;
  const facts = { rank, of: references.length + 1, before: inputs.lastRank };
  return { code: trigger.value, facts };
}

function indexThen({ trigger, inputs, references }: FormerTrace): Saying {
  const sum = references.reduce((total, { unitCents }) => total + unitCents, 0);
  const ours = (inputs.ourPriceCents ?? 0) * references.length;
  const index = sum === 0 ? null : Math.floor(ours * 10_000 / sum) / 100;
  const facts = { index, indexAbove: null, indexBelow: null, fires: true };
  return { code: trigger.value, facts };
}

/** How old a match is that was never seen stands in the sentence alone. */
function ageThen({ at, trigger, references, leftOut }: FormerTrace): Saying | null {
  const times = [...references, ...leftOut]
    .flatMap(({ observedAt }) => observedAt ? [Date.parse(observedAt)] : []);
  if (times.length === 0) return null;
  const ageHours = Math.floor((Date.parse(at) - Math.max(...times)) / HOUR_MS);
  const facts = { since: "observation", ageHours, staleHours: null };
  return { code: trigger.value, facts };
}

/** The facts of an objection, but for those that no language shows. */
function objectionThen(trace: FormerTrace, guard: string): Facts {
  const { inputs, price, references } = trace;
  const used = references.filter(({ isUsed }) => isUsed);
  const change = { fromCents: inputs.ourPriceCents, toCents: price?.proposedCents ?? null };
  switch (guard) {
    case "change_too_large":
      return change;
    case "daily_change_too_large":
      return { ...change, fromCents: inputs.dayAgoCents, currency: inputs.currency };
    case "cooldown":
      return { lastFiredAt: inputs.lastFiredAt };
    case "manual_price":
      return { setAt: inputs.setByPersonAt };
    case "low_confidence": {
      const unsure = used.filter(({ confidence }) => (confidence ?? 0) < HIGH_CONFIDENCE);
      return { competitors: namesOf(unsure) };
    }
    case "stale_reference":
      return staleThen(trace, used);
    case "outlier":
      return outlierThen(trace, used);
    default:
      return {};
  }
}

function staleThen({ at }: FormerTrace, used: readonly TraceReference[]): Facts {
  const oldestMs = Date.parse(at) - APPLIED_AGE_HOURS * HOUR_MS;
  const old = used.filter(({ observedAt }) =>
    observedAt !== null && Date.parse(observedAt) < oldestMs
  );
  const isAhead = old.length === 0;
  return { competitors: namesOf(isAhead ? used : old), maxAgeHours: APPLIED_AGE_HOURS, isAhead };
}

/** Whether a match was changed since stood in the sentence alone: its price then counts as moved. */
function outlierThen({ inputs }: FormerTrace, used: readonly TraceReference[]): Facts {
  const ourPriceCents = inputs.ourPriceCents ?? 0;
  const newAndFar = used.filter(({ previousPriceCents, unitCents }) =>
    previousPriceCents === null && Math.abs(unitCents - ourPriceCents) * 2 > ourPriceCents
  );
  const isNew = newAndFar.length > 0;
  return {
    competitors: namesOf(isNew ? newAndFar : used),
    awayFrom: isNew ? "own" : "previous",
    ourPriceCents,
    currency: inputs.currency,
  };
}

function namesOf(references: readonly TraceReference[]): string[] {
  return references.map(({ competitor }) => competitor);
}
