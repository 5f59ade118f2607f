/** The form values of a price aim and its bounds, as typed. */

import { fromKeys } from "../../../base/collections.ts";
import { exponentOf, parseMajor } from "../../../base/money.ts";
import type { Brake } from "../../../engine/pricing/brake.ts";
import type { Bounds } from "../../../engine/pricing/bounds.ts";
import type { PriceAim } from "../../../engine/pricing/price_aim.ts";
import { decimalText, numberText, readNumber, readSigned } from "../../formats/decimal.ts";

export interface RangeDraft {
  /** Upper limit in major units; empty for the last range, which has no upper limit. */
  readonly below: string;
  readonly endings: string;
}

/** Texts as typed. The unit of `by` is percent, or an amount in major units. */
export type AimDraft = ReturnType<typeof aimDraftOf>;

/** The bounds with a text field, in the order of the form. */
export const BOUND_NAMES = [
  "markupPct",
  "minCents",
  "maxCents",
  "belowTargetPct",
  "aboveTargetPct",
  "maxMovePct",
  "maxMovePerDayPct",
  "maxMovesPerDay",
] as const satisfies readonly (keyof Bounds)[];

export const BRAKE_NAMES = ["cuts", "days", "restDays"] as const satisfies readonly (keyof Brake)[];

type BoundName = (typeof BOUND_NAMES)[number];

const isAmount = (name: BoundName) => name === "minCents" || name === "maxCents";

export interface Writing {
  readonly locale: string;
  readonly currency: string;
}

const EMPTY_RANGE: RangeDraft = { below: "", endings: "" };

export const NEW_AIM: AimDraft = {
  kind: "cheapest",
  nth: "2",
  competitorId: "",
  unit: "pct",
  by: "",
  direction: "both",
  way: "down",
  ranges: [EMPTY_RANGE],
  deadbandPct: "",
  fallback: "",
  fallbackPct: "",
};

export const NO_BOUNDS = boundsDraftOf(null, null, { locale: "en", currency: "EUR" });

export function aimDraftOf(aim: PriceAim, writing: Writing) {
  const { reference, adjust, rounding, fallback } = aim;
  const number = (value: number | null | undefined) => numberText(value, writing.locale);
  const ranges: readonly RangeDraft[] = rounding.ranges.map(({ belowCents, endings }) => ({
    below: amountText(belowCents, writing),
    endings: endings.join(", "),
  }));
  const isMoney = adjust !== null && adjust.cents !== null;
  return {
    kind: reference.kind,
    nth: number(reference.nth ?? 2),
    competitorId: reference.competitorId ?? "",
    unit: isMoney ? "money" as const : "pct" as const,
    by: isMoney ? amountText(adjust.cents, writing) : number(adjust?.pct),
    direction: aim.direction,
    way: rounding.to,
    ranges: ranges.length === 0 ? [EMPTY_RANGE] : ranges,
    deadbandPct: aim.deadbandPct === 0 ? "" : number(aim.deadbandPct),
    /** Kind of the price to use if the reference price is missing; "" for none. */
    fallback: fallback?.kind ?? "",
    fallbackPct: number(fallback?.pct),
  };
}

/** Texts as typed; percentages, numbers, and amounts in major units. */
export type BoundsDraft =
  & Readonly<Record<BoundName | (typeof BRAKE_NAMES)[number], string>>
  & { readonly isStopped: boolean };

export function boundsDraftOf(
  bounds: Bounds | null,
  brake: Brake | null,
  writing: Writing,
): BoundsDraft {
  const number = (value: number | null | undefined) => numberText(value, writing.locale);
  return {
    ...fromKeys(
      BOUND_NAMES,
      (name) =>
        isAmount(name) ? amountText(bounds?.[name] ?? null, writing) : number(bounds?.[name]),
    ),
    ...fromKeys(BRAKE_NAMES, (name) => number(brake?.[name])),
    isStopped: bounds?.noTarget === "stop",
  };
}

/** An invalid text is sent as typed, so that the service refuses it with a reason. */
export function aimBody(draft: AimDraft, writing: Writing) {
  const number = (text: string) => readNumber(text, writing.locale);
  const { kind, unit, by, fallback } = draft;
  const hasEndings = draft.ranges.some(({ below, endings }) => below + endings !== "");
  return {
    reference: {
      kind,
      nth: kind === "nth" ? number(draft.nth) : null,
      competitorId: kind === "competitor" ? draft.competitorId || null : null,
    },
    adjust: by.trim() === ""
      ? null
      : unit === "pct"
      ? { pct: number(by) }
      : { cents: readAmount(by, writing) },
    direction: draft.direction,
    rounding: {
      to: draft.way,
      ranges: hasEndings
        ? draft.ranges.map(({ below, endings }) => ({
          belowCents: readAmount(below, writing),
          endings: endings.split(/[\s;,]+/).filter((one) => one !== ""),
        }))
        : [],
    },
    deadbandPct: number(draft.deadbandPct),
    fallback: fallback === "" ? null : { kind: fallback, pct: number(draft.fallbackPct) },
  } satisfies Readonly<Record<keyof PriceAim, unknown>>;
}

/** Null if no bound is set. */
export function boundsBody(draft: BoundsDraft, writing: Writing) {
  if (!draft.isStopped && BOUND_NAMES.every((name) => draft[name].trim() === "")) return null;
  return {
    ...fromKeys(
      BOUND_NAMES,
      (name) =>
        isAmount(name) ? readAmount(draft[name], writing) : readNumber(draft[name], writing.locale),
    ),
    noTarget: draft.isStopped ? "stop" : "ignore",
  } satisfies Readonly<Record<keyof Bounds, unknown>>;
}

/** Null if all fields of the brake are empty. */
export function brakeBody(draft: BoundsDraft, { locale }: Writing) {
  const { cuts, days, restDays } = fromKeys(BRAKE_NAMES, (name) => readNumber(draft[name], locale));
  if (cuts === null && days === null && restDays === null) return null;
  return { cuts: cuts ?? 3, days: days ?? 7, restDays: restDays ?? days ?? 7 };
}

function amountText(cents: number | null, { currency, locale }: Writing): string {
  if (cents === null) return "";
  return (cents < 0 ? "-" : "") + decimalText(Math.abs(cents), currency, locale);
}

/** Minor units, or the typed text if it is not an amount of the currency. */
function readAmount(text: string, { currency, locale }: Writing): number | string | null {
  if (text.trim() === "") return null;
  const read = readSigned(text, locale);
  const parsed = read && parseMajor(read.decimal, exponentOf(currency));
  if (!parsed || !("minor" in parsed)) return text;
  return read.isNegative ? -parsed.minor : parsed.minor;
}
