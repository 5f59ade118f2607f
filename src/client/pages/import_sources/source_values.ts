/**
 * Converts an import source to the values of its form, and back. Also derives a source's state from
 * its last fetch and its last import.
 */
import { fromKeys } from "../../../base/collections.ts";
import type { ImportSource } from "../../../imports/state/import_source.ts";
import {
  type Day,
  DAYS,
  DEFAULT_SOURCE_HOLD,
  HOLD_BOUNDS,
  isHoldCode,
} from "../../../imports/choices.ts";
import { ApiError, asApiError } from "../../api/api_error.ts";
import { numberText, readNumber } from "../../formats/decimal.ts";
import type { Language } from "../../../base/codes.ts";
import { alertWordsOf } from "../../../engine/wording/alert_text.ts";
import type { Tone } from "../../parts/controls.tsx";

/**
 * Form value for a fetch at a fixed time of day. Other values are intervals, or "" for no fetch.
 */
export const AT = "at";

export const PULL_DAY = "pull";
export const EXPECTED_DAY = "on";

export function valuesOf(source: ImportSource | null, locale: string) {
  const pull = source?.pull ?? null;
  const schedule = pull?.schedule ?? null;
  const at = schedule && "at" in schedule ? schedule : null;
  const hold = source ? source.hold : DEFAULT_SOURCE_HOLD;
  const bounds = hold ?? DEFAULT_SOURCE_HOLD;
  return {
    name: source?.name ?? "",
    kind: source?.kind ?? "api",
    profile: source?.profile ?? "",
    mode: source?.mode ?? "upsert",
    tier: source?.tier ?? "",
    strict: source?.options.strict ?? false,
    paused: (source?.pausedAt ?? null) !== null,
    url: pull?.url ?? "",
    schedule: schedule === null ? "" : "every" in schedule ? schedule.every : AT,
    at: at?.at ?? "",
    ...dayValues(PULL_DAY, at?.days ?? DAYS),
    auth: pull?.auth?.kind ?? "",
    user: "",
    password: "",
    token: "",
    headerName: "",
    headerValue: "",
    by: source?.expected?.by ?? "",
    ...dayValues(EXPECTED_DAY, source?.expected?.days ?? DAYS),
    holds: hold !== null,
    ...fromKeys(HOLD_BOUNDS, (name) => numberText(bounds[name], locale)),
  };
}

export type SourceValues = ReturnType<typeof valuesOf>;

export function bodyOf(values: SourceValues, source: ImportSource | null, locale: string) {
  const shared = {
    name: values.name,
    profile: values.profile || null,
    mode: values.mode,
    tier: values.tier.trim() || null,
    options: { strict: values.strict },
    expected: values.by.trim() === "" ? null : {
      by: values.by.trim(),
      days: daysOf(EXPECTED_DAY, values),
    },
    pausedAt: values.paused ? source?.pausedAt ?? new Date().toISOString() : null,
  };
  if (source?.isDefault) return { ...shared, kind: values.kind };
  const bounds = HOLD_BOUNDS.map((name) => [name, readNumber(values[name], locale)]);
  return {
    ...shared,
    kind: values.kind,
    hold: values.holds ? Object.fromEntries(bounds) : null,
    pull: values.kind === "pull" ? pullOf(values) : null,
  };
}

const FORM_NAMES: Readonly<Record<string, string>> = {
  "pull.schedule.at": "at",
  "pull.schedule": "schedule",
  "expected.by": "by",
  "expected": "by",
  "options.strict": "strict",
  "pull": "kind",
};

export function asRefusalOfForm(error: unknown): ApiError {
  const { code, message, status, requestId, details, fields } = asApiError(error);
  const named = fields.map((field) => ({
    ...field,
    path: FORM_NAMES[field.path] ?? field.path.replace(/^(?:pull|hold)\./, ""),
  }));
  const said = named.length === 0 ? details : { ...details, fields: named };
  return new ApiError({ code, message, status, requestId, details: said, cause: error });
}

function pullOf(values: SourceValues) {
  const schedule = values.schedule === AT
    ? { at: values.at.trim(), days: daysOf(PULL_DAY, values) }
    : { every: values.schedule };
  return {
    url: values.url.trim(),
    schedule: values.schedule === "" ? null : schedule,
    auth: authOf(values),
  };
}

/** Returns only `kind` if no credentials were typed, so that the service keeps the stored ones. */
function authOf({ auth, user, password, token, headerName, headerValue }: SourceValues) {
  switch (auth) {
    case "basic":
      return { kind: auth, ...(user || password ? { user, password } : {}) };
    case "bearer":
      return { kind: auth, ...(token ? { token } : {}) };
    case "header":
      return {
        kind: auth,
        ...(headerName || headerValue ? { name: headerName, value: headerValue } : {}),
      };
    default:
      return null;
  }
}

function dayValues<P extends string>(prefix: P, chosen: readonly Day[]) {
  const names = DAYS.map((day) => `${prefix}${day}` as const);
  return fromKeys(names, (name) => chosen.some((day) => name === prefix + day));
}

function daysOf(prefix: typeof PULL_DAY | typeof EXPECTED_DAY, values: SourceValues): Day[] {
  return DAYS.filter((day) => values[`${prefix}${day}`]);
}

export const SOURCE_TONES = {
  paused: "warn",
  missed: "bad",
  held: "warn",
  failed: "bad",
  unguarded: "warn",
  punctual: "good",
  applied: "good",
  idle: "plain",
} as const satisfies Readonly<Record<string, Tone>>;

export type SourceState = keyof typeof SOURCE_TONES;

export function stateOf(
  { pausedAt, missedAt, lastPull, hold, isDefault, lastImport, expected }: ImportSource,
): SourceState {
  if (pausedAt !== null) return "paused";
  const isPullLost = lastPull?.outcome === "failed" || lastPull?.outcome === "waiting";
  if (missedAt !== null || isPullLost) return "missed";
  if (lastImport?.status === "failed") return isHoldCode(lastImport.errorCode) ? "held" : "failed";
  if (hold === null && !isDefault) return "unguarded";
  if (lastImport === null) return "idle";
  return expected === null ? "applied" : "punctual";
}

export const ORDER: readonly string[] = Object.keys(SOURCE_TONES);

export function pullErrorText(
  { errorCode, message }: Pick<NonNullable<ImportSource["lastPull"]>, "errorCode" | "message">,
  language: Language,
): string | null {
  return alertWordsOf(language).fetchErrors[errorCode ?? ""] ?? message;
}
