/**
 * Describes an import source in requests, answers and the store, and computes the times of its
 * schedule.
 */
import { z } from "@hono/zod-openapi";
import { Name, percentField } from "../../engine/pricing/field.ts";
import { Failure } from "../../base/failure.ts";
import { JOB_STATUSES } from "../../platform/jobs/job.ts";
import type { StoredSecret } from "../../platform/store/secret_store.ts";
import {
  AUTH_KINDS,
  type Day,
  DAYS,
  DEFAULT_SOURCE_HOLD,
  IMPORT_MODES,
  PULL_OUTCOMES,
  PULL_PERIODS,
  SOURCE_KINDS,
} from "../choices.ts";

const EVERY_MS = { "15m": 15 * 60_000, "1h": 3_600_000, "24h": 86_400_000 } as const;

function timeOfDay(example: string) {
  return z.string().regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, `Must be a time such as "${example}"`)
    .meta({ description: "Time of day in the workspace's time zone", example });
}

const Days = z.array(z.enum(DAYS)).min(1, "Must name at least one day")
  .refine((days) => new Set(days).size === days.length, "Must not name a day twice")
  .default([...DAYS])
  .meta({ uniqueItems: true, description: "Days of the week" });

const At = z.strictObject({ at: timeOfDay("04:30"), days: Days });

const PullSchedule = z.union([z.strictObject({ every: z.enum(PULL_PERIODS) }), At])
  .meta({ id: "ImportSourceSchedule" });
type PullSchedule = Readonly<z.infer<typeof PullSchedule>>;

const share = (name: keyof typeof DEFAULT_SOURCE_HOLD, description: string) =>
  percentField(0, 100).default(DEFAULT_SOURCE_HOLD[name]).meta({ description });

export const SourceHold = z.strictObject({
  movePct: percentField(0, 10_000).default(DEFAULT_SOURCE_HOLD.movePct).describe(
    "A product counts as moved if its price changes by more than this percentage or is removed (`price_guard`)",
  ),
  sharePct: share(
    "sharePct",
    "Held when more of the products moved whose price or cost the file brings; of prices and " +
      "costs alike",
  ),
  costMovePct: percentField(0, 10_000).default(DEFAULT_SOURCE_HOLD.costMovePct).describe(
    "A product counts as moved if its cost changes by more than this percentage or is removed (`cost_guard`)",
  ),
  changedPct: share(
    "changedPct",
    "Held when more of the SKUs of the file change anything of their product; from the second " +
      "import on (`change_guard`). 100 for files that bring changes alone",
  ),
  deletedPct: share(
    "deletedPct",
    "Held when more of the products of this source would go, because `replace` misses them or " +
      "the file marks them as deleted (`replace_guard`)",
  ),
  newPct: share(
    "newPct",
    "Held when more of the SKUs of the file are new; from the second import on (`new_guard`)",
  ),
  currencyPct: share(
    "currencyPct",
    "Held when more of the products whose price or cost the file brings change their currency " +
      "(`currency_guard`)",
  ),
}).meta({ id: "ImportSourceHold" });
export type SourceHold = Readonly<z.infer<typeof SourceHold>>;

/** Returns the last planned time after `since` and not after `now`; null if there is none. */
export function plannedTime(
  schedule: PullSchedule,
  { since, now, timeZone }: { readonly since: Date; readonly now: Date; readonly timeZone: string },
): Date | null {
  if ("every" in schedule) {
    const periodMs = EVERY_MS[schedule.every];
    const periods = Math.floor((now.getTime() - since.getTime()) / periodMs);
    return periods < 1 ? null : new Date(since.getTime() + periods * periodMs);
  }
  const last = lastTimeOf({ by: schedule.at, days: schedule.days }, now, timeZone);
  return last > since ? last : null;
}

/** If the change to summer time skips the time `by` on a day, the result is one hour later. */
function lastTimeOf(
  { by, days }: { readonly by: string; readonly days: readonly Day[] },
  now: Date,
  timeZone: string,
): Date {
  const instant = Temporal.Instant.fromEpochMilliseconds(now.getTime());
  const today = instant.toZonedDateTimeISO(timeZone).toPlainDate();
  const plainTime = Temporal.PlainTime.from(by);
  for (let back = 0; back <= 8; back++) {
    const date = today.subtract({ days: back });
    const day = DAYS[date.dayOfWeek - 1];
    if (day === undefined || !days.includes(day)) continue;
    const atMs = date.toZonedDateTime({ timeZone, plainTime }).epochMilliseconds;
    if (atMs <= now.getTime()) return new Date(atMs);
  }
  throw new Error("A week has none of the days");
}

/** Imports that name no source use the source `default`, which always exists. */
export const DEFAULT_SOURCE = "default";

export const SourceId = z.string()
  .regex(/^[a-z0-9][a-z0-9-]{0,63}$/, "Must be 1 to 64 of a-z, 0-9 and hyphens")
  .meta({ example: "jtl-nightly" });

const Expected = z.strictObject({ by: timeOfDay("06:00"), days: Days })
  .meta({ id: "ImportSourceExpected" });

const SECRET_MAX = 2_000;
const secret = z.string().min(1).max(SECRET_MAX)
  .regex(/^[\x20-\x7e]*$/, "Must be printable ASCII");
const HEADER = /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/;
const OWN_HEADERS =
  /^(?:host|connection|content-length|transfer-encoding|accept-encoding|cookie)$/i;

/**
 * Answers of the API contain only `kind`, without the credentials. A request with only `kind` keeps
 * the stored credentials.
 */
export const PullAuth = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("basic"),
    user: z.string().max(200).optional().describe("User name for the server"),
    password: z.string().max(SECRET_MAX).optional().describe("Password for the server"),
  }),
  z.strictObject({
    kind: z.literal("bearer"),
    token: secret.optional().describe("Token that is sent as `Authorization: Bearer …`"),
  }),
  z.strictObject({
    kind: z.literal("header"),
    name: z.string().regex(HEADER, "Must be the name of a header")
      .refine((name) => !OWN_HEADERS.test(name), "Is a header of the fetch itself").optional().meta(
        { description: "Name of the header" },
      ),
    value: secret.optional().describe("Value of the header"),
  }),
]).meta({ id: "ImportSourceAuth" });
export type PullAuth = Readonly<z.infer<typeof PullAuth>>;

const Url = z.string().max(2_048).meta({
  description: "URL of the file",
  example: "https://erp.example/export/products.csv",
});

const Pull = z.strictObject({
  url: Url,
  schedule: PullSchedule.nullable().default(null)
    .describe("Null: only on request"),
  auth: PullAuth.nullable().default(null)
    .describe("Never returned; sending only `kind` keeps the stored credentials"),
}).meta({ id: "ImportSourcePullInput" });

const SourceOptions = z.strictObject({
  strict: z.boolean().default(false)
    .describe("Like `strict=true` in the query of each import"),
}).meta({ id: "ImportSourceOptions" });

const TIER_WORDS = "The price group whose price is our own where the file names none";

const settings = {
  name: Name.meta({ description: "Name of the source", example: "JTL, every night" }),
  kind: z.enum(SOURCE_KINDS).default("api")
    .describe("`pull` is fetched from `pull.url` by the service"),
  profile: z.string().min(1).max(64).nullable().default(null)
    .describe("Profile that reads its files; null: detected from the file"),
  mode: z.enum(IMPORT_MODES).default("upsert")
    .describe("`replace` deletes products that this source created and that the file lacks"),
  tier: z.string().trim().min(1).max(64).nullable().default(null)
    .describe(TIER_WORDS),
  options: SourceOptions.default({ strict: false }),
  hold: SourceHold.nullable().default(DEFAULT_SOURCE_HOLD)
    .describe("Null disables the hold; for `default` the workspace's setting applies"),
  expected: Expected.nullable().default(null)
    .describe("When an import is expected; if it is missing, there is an alert `source_silent`"),
  pausedAt: z.iso.datetime().nullable().default(null)
    .describe(
      "Since when the source is paused, so that no file is accepted or fetched; null: not paused",
    ),
};

export const NewImportSource = z.strictObject({
  id: SourceId.optional(),
  ...settings,
  pull: Pull.nullable().default(null),
}).meta({ id: "NewImportSource" });
export type NewImportSource = z.infer<typeof NewImportSource>;

/**
 * An absent field is unchanged. `hold: null` switches off all guards except `replace_guard`; in
 * other fields, null restores the default.
 */
export const ImportSourcePatch = z.strictObject({
  name: Name.optional().describe("Name of the source"),
  kind: z.enum(SOURCE_KINDS).nullish()
    .describe("How its files arrive; `pull`: the service fetches them"),
  profile: z.string().min(1).max(64).nullish(),
  mode: z.enum(IMPORT_MODES).nullish(),
  tier: z.string().trim().min(1).max(64).nullish().describe(TIER_WORDS),
  options: SourceOptions.nullish(),
  hold: SourceHold.nullish(),
  expected: Expected.nullish(),
  pausedAt: z.iso.datetime().nullish(),
  pull: Pull.nullish(),
}).meta({ id: "ImportSourcePatch" });
export type ImportSourcePatch = z.infer<typeof ImportSourcePatch>;

export const SOURCE_READ_ONLY = [
  "isDefault",
  "lastImport",
  "lastPull",
  "missedAt",
  "createdAt",
  "updatedAt",
] as const;

export const LastImport = z.object({
  jobId: z.string(),
  status: z.enum(JOB_STATUSES),
  errorCode: z.string().nullable()
    .describe("Code of its error, or of the guard that holds it"),
  finishedAt: z.iso.datetime(),
  succeededAt: z.iso.datetime().nullable()
    .describe("When an import last succeeded, or its file was last fetched unchanged"),
});
export type LastImport = Readonly<z.infer<typeof LastImport>>;

export const ImportSource = z.object({
  id: SourceId,
  isDefault: z.boolean().describe(
    "True for the source of files without a named source; its hold is the workspace's `importHold`",
  ),
  ...settings,
  options: SourceOptions,
  pull: z.object({
    url: Url,
    schedule: PullSchedule.nullable(),
    auth: z.object({ kind: z.enum(AUTH_KINDS) }).nullable(),
  }).nullable(),
  lastImport: LastImport.extend({
    label: z.string().nullable().describe("Name of its file; null if the import was deleted"),
  }).nullable().describe("The last import, without dry runs"),
  lastPull: z.object({
    outcome: z.enum(PULL_OUTCOMES),
    at: z.iso.datetime(),
    jobId: z.string().nullable().describe("Id of the import that the last fetched file became"),
    errorCode: z.string().nullable(),
    message: z.string().nullable(),
    failures: z.int().describe("Number of consecutive failures"),
    nextTryAt: z.iso.datetime().nullable(),
  }).nullable(),
  missedAt: z.iso.datetime().nullable()
    .describe("The last expected time for which no import has come; null: none is missing"),
  createdAt: z.iso.datetime().nullable(),
  updatedAt: z.iso.datetime().nullable(),
}).meta({ id: "ImportSource" });
export type ImportSource = z.infer<typeof ImportSource>;

export interface StoredSource
  extends Omit<ImportSource, "isDefault" | "lastImport" | "lastPull" | "missedAt" | "pull"> {
  readonly pull:
    | (Omit<NonNullable<ImportSource["pull"]>, "auth"> & { readonly auth: SealedAuth | null })
    | null;
}

/** Returns the time at which a missing import was expected; null if no import is missing. */
export function missedTime(
  { expected, pausedAt, updatedAt }: Pick<StoredSource, "expected" | "pausedAt" | "updatedAt">,
  succeededAt: string | null,
  now: Date,
  timeZone: string,
): string | null {
  if (expected === null || pausedAt !== null || updatedAt === null) return null;
  const due = lastTimeOf(expected, now, timeZone);
  const before = lastTimeOf(expected, new Date(due.getTime() - 1), timeZone);
  if (due.getTime() <= Date.parse(updatedAt)) return null;
  const isThere = succeededAt !== null && Date.parse(succeededAt) > before.getTime();
  return isThere ? null : due.toISOString();
}

export function serialiseSource({ pull, ...source }: StoredSource) {
  const shown = pull && { ...pull, auth: pull.auth && { kind: pull.auth.kind } };
  return { ...source, isDefault: source.id === DEFAULT_SOURCE, pull: shown };
}

export function pausedFailure({ id, pausedAt }: Pick<StoredSource, "id" | "pausedAt">): Failure {
  const message = `The import source "${id}" is paused since ${pausedAt}: nothing of it is ` +
    `applied. "Resume" in the app, or PATCH import-sources/${id} with {"pausedAt": null}, ends that`;
  return new Failure("conflict", message, { pausedAt });
}

export type SealedAuth = Exclude<StoredSecret, string> & { readonly kind: PullAuth["kind"] };

export const BLANK_DEFAULT: StoredSource = {
  ...NewImportSource.parse({ name: "Standard", hold: null }),
  id: DEFAULT_SOURCE,
  pull: null,
  createdAt: null,
  updatedAt: null,
};
