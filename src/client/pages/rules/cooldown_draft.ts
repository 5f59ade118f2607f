/** The cooldown of a rule as its form asks for it: a number and a unit, stored in minutes. */
import { numberText, readNumber } from "../../formats/number_text.ts";

const MINUTES = { minutes: 1, hours: 60, days: 1440 } as const;

export type CooldownUnit = keyof typeof MINUTES;

export const COOLDOWN_UNITS = [
  "minutes",
  "hours",
  "days",
] as const satisfies readonly CooldownUnit[];

export interface CooldownDraft {
  /** As typed; "" for the default. */
  readonly count: string;
  readonly unit: CooldownUnit;
}

export const NO_COOLDOWN: CooldownDraft = { count: "", unit: "minutes" };

/** In the largest unit that divides it. */
export function cooldownDraftOf(minutes: number, locale: string): CooldownDraft {
  const unit = minutes === 0
    ? "minutes"
    : COOLDOWN_UNITS.findLast((one) => minutes % MINUTES[one] === 0) ?? "minutes";
  return { count: numberText(minutes / MINUTES[unit], locale), unit };
}

/** In minutes; what is no number stays as typed. */
export function cooldownBody({ count, unit }: CooldownDraft, locale: string) {
  const read = readNumber(count, locale);
  if (typeof read !== "number") return read;
  const minutes = read * MINUTES[unit];
  const whole = Math.round(minutes);
  // 1.1 × 60 is not quite 66 in binary.
  return Math.abs(minutes - whole) < 1e-6 ? whole : minutes;
}
