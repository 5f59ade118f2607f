/** The schema of an import source, as it is written, shown and stored, and the times of its schedule. */
import { z } from "@hono/zod-openapi";
import { Name } from "../../accounts/workspace.ts";
import { JOB_STATUSES } from "../../platform/jobs/job.ts";
import {
  AUTH_KINDS,
  type Day,
  DAYS,
  DEFAULT_SOURCE_HOLD,
  PULL_OUTCOMES,
  PULL_PERIODS,
  SOURCE_KINDS,
} from "../source_choices.ts";
import { SourceHold } from "./import_figures.ts";
import { IMPORT_MODES } from "./import_job.ts";

const EVERY_MS = { "15m": 15 * 60_000, "1h": 3_600_000, "24h": 86_400_000 } as const;

function timeOfDay(example: string) {
  return z.string().regex(/^(?:[01]\d|2[0-3]):[0-5]\d$/, `Must be a time such as "${example}"`)
    .meta({ description: "In the time zone of the workspace", example });
}

const Days = z.array(z.enum(DAYS)).min(1, "Must name at least one day")
  .refine((days) => new Set(days).size === days.length, "Must not name a day twice")
  .default([...DAYS])
  .meta({ uniqueItems: true, description: "On which days of the week" });

const At = z.strictObject({ at: timeOfDay("04:30"), days: Days });

/** Every so often, or at a time of some days. */
const PullSchedule = z.union([z.strictObject({ every: z.enum(PULL_PERIODS) }), At])
  .meta({ id: "ImportSourceSchedule" });

type PullSchedule = Readonly<z.infer<typeof PullSchedule>>;

/**
 * The last planned time that is later than `since` and not after `now`; null if there is none.
 * A period counts from `since`, so that sources do not all come at once.
 */
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

/** The last time of day on one of the days that is not after `now`. A time that a change of the clock leaves out is the one behind it. */
export function lastTimeOf(
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

/** The source of files that name none: it is always there and follows the workspace's setting. */
export const DEFAULT_SOURCE = "default";

/** As in addresses and queries: lower case, digits and hyphens. */
export const SourceId = z.string()
  .regex(/^[a-z0-9][a-z0-9-]{0,63}$/, "Must be 1 to 64 of a-z, 0-9 and hyphens")
  .meta({ example: "jtl-nightly" });

const Expected = z.strictObject({ by: timeOfDay("06:00"), days: Days })
  .meta({ id: "ImportSourceExpected" });

const SECRET_MAX = 2_000;
/** Header values of today are printable ASCII; further characters are not needed. */
const secret = z.string().min(1).max(SECRET_MAX)
  .regex(/^[\x20-\x7e]*$/, "Must be printable ASCII");
const HEADER = /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$/;
const OWN_HEADERS =
  /^(?:host|connection|content-length|transfer-encoding|accept-encoding|cookie)$/i;

/**
 * Credentials for the file's server. Written, never read back: an answer has `kind` alone, and
 * `kind` alone in a change keeps what is there.
 */
export const PullAuth = z.discriminatedUnion("kind", [
  z.strictObject({
    kind: z.literal("basic"),
    user: z.string().max(200).optional().meta({ description: "The name to sign in with there" }),
    password: z.string().max(SECRET_MAX).optional().meta({
      description: "The password that goes with it",
    }),
  }),
  z.strictObject({
    kind: z.literal("bearer"),
    token: secret.optional().meta({ description: "What is sent as `Authorization: Bearer …`" }),
  }),
  z.strictObject({
    kind: z.literal("header"),
    name: z.string().regex(HEADER, "Must be the name of a header")
      .refine((name) => !OWN_HEADERS.test(name), "Is a header of the fetch itself").optional().meta(
        { description: "The name of the header" },
      ),
    value: secret.optional().meta({ description: "What the header says" }),
  }),
]).meta({ id: "ImportSourceAuth" });

export type PullAuth = Readonly<z.infer<typeof PullAuth>>;

const URL_CHARACTERS_MAX = 2_048;
const Url = z.string().max(URL_CHARACTERS_MAX).meta({
  description: "Where the file is fetched",
  example: "https://erp.example/export/products.csv",
});

const Pull = z.strictObject({
  url: Url,
  schedule: PullSchedule.nullable().default(null)
    .meta({ description: "Null: only when somebody asks for it" }),
  auth: PullAuth.nullable().default(null)
    .meta({ description: "Never read back; its `kind` alone keeps what is stored" }),
}).meta({ id: "ImportSourcePullInput" });

const SourceOptions = z.strictObject({
  strict: z.boolean().default(false)
    .meta({ description: "As `strict=true` in the query of each import" }),
}).meta({ id: "ImportSourceOptions" });

const TIER_WORDS = "The price group whose price is our own where the file names none";

const settings = {
  name: Name.meta({ description: "What people call the source", example: "JTL, every night" }),
  kind: z.enum(SOURCE_KINDS).default("api")
    .meta({ description: "`pull` is fetched from `pull.url` by the service" }),
  profile: z.string().min(1).max(64).nullable().default(null)
    .meta({ description: "How its files are read; null: found out from the file" }),
  mode: z.enum(IMPORT_MODES).default("upsert")
    .meta({ description: "`replace` deletes products that this source made and that are missing" }),
  tier: z.string().trim().min(1).max(64).nullable().default(null)
    .meta({ description: TIER_WORDS }),
  options: SourceOptions.default({ strict: false }),
  hold: SourceHold.nullable().default(DEFAULT_SOURCE_HOLD)
    .meta({
      description: "Null switches it off; of `default` the setting of the workspace counts",
    }),
  expected: Expected.nullable().default(null)
    .meta({ description: "When an import must have come, else an alert `source_silent`" }),
  pausedAt: z.iso.datetime().nullable().default(null)
    .meta({ description: "Since then nothing of it is taken in or fetched; null: it works" }),
};

/** A new source; without an `id` it is made of the name. */
export const NewImportSource = z.strictObject({
  id: SourceId.optional(),
  ...settings,
  pull: Pull.nullable().default(null),
}).meta({ id: "NewImportSource" });

export type NewImportSource = z.infer<typeof NewImportSource>;

/** A change: absent is unchanged, null is the default, but for `hold`, which null switches off. */
export const ImportSourcePatch = z.strictObject({
  name: Name.optional().meta({ description: "What people call the source" }),
  kind: z.enum(SOURCE_KINDS).nullish()
    .meta({ description: "How its files come; `pull`: the service fetches them" }),
  profile: z.string().min(1).max(64).nullish(),
  mode: z.enum(IMPORT_MODES).nullish(),
  tier: z.string().trim().min(1).max(64).nullish().meta({ description: TIER_WORDS }),
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
  "createdAt",
  "updatedAt",
] as const;

export const LastImport = z.object({
  jobId: z.string(),
  status: z.enum(JOB_STATUSES),
  errorCode: z.string().nullable()
    .meta({ description: "Why it failed, or which guard holds it" }),
  finishedAt: z.iso.datetime(),
  succeededAt: z.iso.datetime().nullable()
    .meta({ description: "When one of it succeeded at last" }),
});

export type LastImport = Readonly<z.infer<typeof LastImport>>;

export const ImportSource = z.object({
  id: SourceId,
  isDefault: z.boolean().meta({
    description: "The one of files that name none: its hold is the workspace's `importHold`",
  }),
  ...settings,
  options: SourceOptions,
  pull: z.object({
    url: Url,
    schedule: PullSchedule.nullable(),
    auth: z.object({ kind: z.enum(AUTH_KINDS) }).nullable(),
  }).nullable(),
  lastImport: LastImport.extend({
    label: z.string().nullable().meta({
      description: "The name of its file; null when the import is not kept any more",
    }),
  }).nullable().meta({ description: "Rehearsals do not count" }),
  lastPull: z.object({
    outcome: z.enum(PULL_OUTCOMES),
    at: z.iso.datetime(),
    jobId: z.string().nullable().meta({ description: "The import that the file last became" }),
    errorCode: z.string().nullable(),
    message: z.string().nullable(),
    failures: z.int().meta({ description: "In a row" }),
    nextTryAt: z.iso.datetime().nullable(),
  }).nullable(),
  createdAt: z.iso.datetime().nullable(),
  updatedAt: z.iso.datetime().nullable(),
}).meta({ id: "ImportSource" });

export type ImportSource = z.infer<typeof ImportSource>;

/**
 * The stored form: with encrypted credentials, and without the facts in the rows of the last import and
 * pull.
 */
export interface StoredSource
  extends Omit<ImportSource, "isDefault" | "lastImport" | "lastPull" | "pull"> {
  readonly pull:
    | (Omit<NonNullable<ImportSource["pull"]>, "auth"> & { readonly auth: SealedAuth | null })
    | null;
}

/** A source as it is shown, without what its last import and pull came to. */
export function serialiseSource({ pull, ...source }: StoredSource) {
  const shown = pull && { ...pull, auth: pull.auth && { kind: pull.auth.kind } };
  return { ...source, isDefault: source.id === DEFAULT_SOURCE, pull: shown };
}

/** Credentials that only a process of this store can read. */
export interface SealedAuth {
  readonly kind: PullAuth["kind"];
  readonly sealed: Uint8Array;
}

/** The unchanged default source, for files that name none. */
export const BLANK_DEFAULT: StoredSource = {
  id: DEFAULT_SOURCE,
  name: "Standard",
  kind: "api",
  profile: null,
  mode: "upsert",
  tier: null,
  options: { strict: false },
  hold: null,
  expected: null,
  pull: null,
  pausedAt: null,
  createdAt: null,
  updatedAt: null,
};
