/** The cooldown in the form is a number with a unit. The rule stores minutes. */
import { numberText, readNumber } from "../../formats/number_text.ts";

const MINUTES = { minutes: 1, hours: 60, days: 1440 } as const;

type CooldownUnit = keyof typeof MINUTES;

export const COOLDOWN_UNITS = [
  "minutes",
  "hours",
  "days",
] as const satisfies readonly CooldownUnit[];

export interface CooldownDraft {
  /** The number as typed; "" for the default cooldown. */
  readonly count: string;
  readonly unit: CooldownUnit;
}

export const NO_COOLDOWN: CooldownDraft = { count: "", unit: "minutes" };

/** Uses the largest unit that gives a whole number. */
export function cooldownDraftOf(minutes: number, locale: string): CooldownDraft {
  const unit = minutes === 0
    ? "minutes"
    : COOLDOWN_UNITS.findLast((one) => minutes % MINUTES[one] === 0) ?? "minutes";
  return { count: numberText(minutes / MINUTES[unit], locale), unit };
}

/** In minutes. A text that is not a number is returned as typed. */
export function cooldownBody({ count, unit }: CooldownDraft, locale: string) {
  const read = readNumber(count, locale);
  if (typeof read !== "number") return read;
  const minutes = read * MINUTES[unit];
  const whole = Math.round(minutes);
  // In floating point, 1.1 × 1440 is not exactly 1584.
  return Math.abs(minutes - whole) < 1e-6 ? whole : minutes;
}
