import { z } from "@hono/zod-openapi";
import { currencyExponent } from "../base/currency.ts";
import { composed, hasControlCharacters, isLongerThan } from "../base/text.ts";

const NAME_CHARACTERS_MAX = 200;
/** A year with a leap day: no expected interval between imports is longer. */
const EXPECTED_HOURS_MAX = 8_784;

/**
 * What people call a workspace, a key and the like: 1 to 200 characters on one line
 * (docs/decisions/http.md).
 */
export const Name = z.string().trim().overwrite(composed).min(1, "Must not be empty")
  .refine(
    (name) => !isLongerThan(name, NAME_CHARACTERS_MAX),
    `Must have at most ${NAME_CHARACTERS_MAX} characters`,
  )
  .refine((name) => !hasControlCharacters(name), "Must not hold control characters");

/** A percent with at most 4 decimals, so that comparisons stay exact (docs/decisions/http.md). */
export const percent = (max: number) =>
  z.number().min(0).max(max)
    .refine((pct) => /^\d+(?:\.\d{1,4})?$/.test(String(pct)), "Must have at most 4 decimals");

const Currency = z.string().refine(
  (code) => currencyExponent(code) !== null,
  'Must be a currency code of ISO 4217, such as "EUR"',
);
const TimeZone = z.string().refine(isTimeZone, 'Must be a time zone such as "Europe/Berlin"');
const Locale = z.string().refine(isLocale, 'Must be a language tag such as "de-DE"');
/** When an import is held: nothing of it is applied before a person has let it through. */
export const ImportHold = z.strictObject({
  movePct: percent(10_000).meta({
    description:
      "A product whose price or cost moves by more has moved; so has one whose currency " +
      "changes",
  }),
  sharePct: percent(100).meta({
    description: "An import is held when more of the products moved whose price or cost it brings",
  }),
}).meta({ id: "ImportHold" });

export type ImportHold = Readonly<z.infer<typeof ImportHold>>;

/** More people than one in all: one alone can always approve. */
const PEOPLE_MAX = 5;

/** Which changes of prices one person alone does not let through. */
export const ApprovalTerms = z.strictObject({
  beyondPct: percent(1_000).meta({
    description: "A proposal that moves its price by more waits for several people",
  }),
  people: z.int().min(2).max(PEOPLE_MAX).meta({ description: "How many, each another one" }),
}).meta({ id: "ApprovalTerms" });

export type ApprovalTerms = Readonly<z.infer<typeof ApprovalTerms>>;

/** Somebody has stopped all prices that rules set by themselves. */
export const AutomationStop = z.object({
  at: z.iso.datetime(),
  byName: z.string().meta({ description: "Who stopped them" }),
  reason: z.string(),
}).meta({ id: "AutomationStop" });

export type AutomationStop = Readonly<z.infer<typeof AutomationStop>>;

/**
 * The tenant with its settings: everything else belongs to exactly one
 * (docs/decisions/identity.md).
 */
export const Workspace = z.object({
  id: z.string(),
  name: z.string(),
  currency: z.string().meta({ example: "EUR" }),
  timeZone: z.string().meta({ example: "Europe/Berlin" }),
  locale: z.string().meta({ example: "de-DE" }),
  pricesIncludeVat: z.boolean(),
  vatRatePct: z.number().nullable(),
  autoApply: z.boolean().meta({ description: "Whether rules may change prices by themselves" }),
  automationStop: AutomationStop.nullable().meta({
    description: "While it is there, no rule changes a price by itself; null is never or no more",
  }),
  approval: ApprovalTerms.nullable().meta({
    description: "Null: one person approves any change, and rules apply what their guards let",
  }),
  importHold: ImportHold.nullable().meta({
    description:
      "Null is off: then every product that moves beyond the default bounds is a warning",
  }),
  importHoldUnconfirmed: z.boolean().meta({
    description:
      "An upgrade has switched the hold on, and nobody has confirmed or changed it since",
  }),
  importExpectedHours: z.int().nullable()
    .meta({ description: "An alert is raised when no import came for this long; null is off" }),
  createdAt: z.iso.datetime(),
}).meta({ id: "Workspace" });

export type Workspace = z.infer<typeof Workspace>;

/** Fields that only the service writes; a body may hold them, as a document that was read does. */
export const SETTINGS_READ_ONLY = [
  "id",
  "createdAt",
  "automationStop",
  "importHoldUnconfirmed",
] as const;

/** The bounds of a workspace that has none of its own, and by which one without a hold warns. */
export const DEFAULT_HOLD: ImportHold = { movePct: 50, sharePct: 20 };

/**
 * What a new workspace starts with, and what a `null` in a change sets back to, but for
 * `importHold`.
 */
export const WORKSPACE_DEFAULTS = {
  currency: "EUR",
  timeZone: "Europe/Berlin",
  locale: "de-DE",
  pricesIncludeVat: false,
  vatRatePct: null,
  autoApply: false,
  automationStop: null,
  approval: null,
  importHold: DEFAULT_HOLD,
  importHoldUnconfirmed: false,
  importExpectedHours: null,
} as const;

/**
 * Settings as a change names them: absent is unchanged, `null` is the default
 * (docs/decisions/http.md). The one exception is `importHold`: its default is on, so `null`
 * switches it off.
 */
export const WorkspaceSettings = z.strictObject({
  name: Name.optional(),
  currency: Currency.nullish(),
  timeZone: TimeZone.nullish(),
  locale: Locale.nullish(),
  pricesIncludeVat: z.boolean().nullish(),
  vatRatePct: percent(100).nullish(),
  autoApply: z.boolean().nullish(),
  approval: ApprovalTerms.nullish().meta({
    description: "Which changes several people must let through; null: one is enough",
  }),
  importHold: ImportHold.nullish().meta({
    description: "Null switches the hold off; the default is 50 and 20",
  }),
  importExpectedHours: z.int().min(1).max(EXPECTED_HOURS_MAX).nullish(),
}).meta({ id: "WorkspaceSettings" });

export type WorkspaceSettings = z.infer<typeof WorkspaceSettings>;

/**
 * A workspace with the settings changed that `settings` names; who names the hold has confirmed it.
 */
export function withSettings(workspace: Workspace, settings: WorkspaceSettings): Workspace {
  const { importHold, ...others } = settings;
  const named = Object.entries(others).filter(([, value]) => value !== undefined);
  const defaults: Record<string, unknown> = WORKSPACE_DEFAULTS;
  const changes = named.map(([name, value]) => [name, value ?? defaults[name] ?? null]);
  const hold = importHold === undefined ? {} : { importHold, importHoldUnconfirmed: false };
  return { ...workspace, ...Object.fromEntries(changes), ...hold };
}

/** Names of IANA only: an offset such as `+01:00` knows no summer time. */
function isTimeZone(name: string): boolean {
  if (!/^[A-Z]/i.test(name)) return false;
  try {
    new Intl.DateTimeFormat("en", { timeZone: name });
    return true;
  } catch {
    // The constructor throws for unknown names: that is the answer.
    return false;
  }
}

function isLocale(tag: string): boolean {
  try {
    return Intl.DateTimeFormat.supportedLocalesOf(tag).length > 0;
  } catch {
    // Thrown for what is no language tag: that is the answer.
    return false;
  }
}
