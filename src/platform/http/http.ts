/**
 * Code for all endpoints: the context of a request, which names the caller; schemas of requests and
 * answers; pages with cursors; and versions of documents.
 */
import type { Context as HonoContext } from "hono";
import { sha256Hex } from "../../base/bytes.ts";
import {
  Failure,
  FAILURE_STATUS,
  type RefusedField,
  type RefusedKind,
  refuseFields,
} from "../../base/failure.ts";
import type { FairQueue } from "../event_loop.ts";
import type { BodyMemory, BodyPace } from "./body.ts";
import { z } from "@hono/zod-openapi";
import { parseBound } from "../../base/time.ts";
import type { JsonValue } from "../../base/collections.ts";
import type { Context, WorkspaceStore } from "../store/context.ts";

export type Access =
  | { readonly by: "anyone" }
  /** Admits a person who sends a session cookie, and has `role` or a stronger role. */
  | { readonly by: "session"; readonly role: string; readonly from?: SignInStage }
  /** Admits an API key that has all `scopes`; `[]` admits every valid key. */
  | { readonly by: "key"; readonly scopes: readonly string[] }
  /** Admits a person who has `role` or a stronger role, and any valid API key. */
  | { readonly by: "either"; readonly role: string };

/**
 * `first_step`: the second factor is not entered yet; `set_up`: no second factor is set up yet.
 */
export type SignInStage = "first_step" | "set_up";

export interface AppEnv {
  Variables: {
    requestId: string;
    gate: Authentication;
    body: unknown;
    /** `ctx` is set only on routes that need credentials. */
    ctx: Context;
    /** Time of the person's last sign-in or proof of identity; undefined for other callers. */
    provedAtMs: number | undefined;
    rateHeaders: readonly (readonly [string, string])[] | undefined;
  };
  Bindings: { remoteAddr?: Deno.Addr };
}

export type AppContext = HonoContext<AppEnv>;

export interface Authentication {
  admit(c: AppContext, access: Exclude<Access, { by: "anyone" }>): Promise<Context | Failure>;
  dispatch(request: Request, c: AppContext): Promise<Response>;
  timeZoneOf(workspace: WorkspaceStore): Promise<string>;
  readonly bodyPace: BodyPace;
  readonly requests: FairQueue;
  /** Memory for request bodies: `strangers` for routes open to anyone, `admitted` for others. */
  readonly bodyMemory: { readonly strangers: BodyMemory; readonly admitted: BodyMemory };
}

export const BOUND_FORMS = [
  { type: "string", format: "date-time" },
  { type: "string", format: "date" },
  { type: "string", maxLength: 0 },
] as const;

/** Start or end of a time range; an empty text means no limit. */
export const BoundText = z.string().optional()
  .refine(
    (text) => !text || parseBound(text, "start") !== null,
    "Must be a time such as 2026-08-01T09:00:00Z, or a date",
  )
  .meta({ anyOf: [...BOUND_FORMS], description: "Inclusive; a date means the whole day in UTC" });

export const flagQuery = z.enum(["true", "false"]).optional()
  .transform((text) => text === "true");

const FAILURE_CODES = Object.keys(FAILURE_STATUS);

export const ErrorBody = z.object({
  error: z.object({
    code: z.enum(FAILURE_CODES).meta({
      description: "Stable, for programs. New codes may be added",
      example: "validation_failed",
    }),
    message: z.string().describe("A text for people"),
    requestId: z.string().meta({ example: "req_01JD0Z5W6Q8X9Y7V3T2R1P0N4M" }),
    details: z.record(z.string(), z.unknown()).optional(),
  }).describe("The reason for the refusal"),
}).meta({ id: "Error" });

export const Ok = z.object({ ok: z.literal(true) }).meta({ id: "Ok" });

export function jsonAnswer<T extends z.ZodType>(schema: T, description: string) {
  return { description, content: { "application/json": { schema } } };
}

export function jsonBody<T extends z.ZodType>(schema: T, required = true) {
  return { required, content: { "application/json": { schema } } } as const;
}

export function pageOf<T extends z.ZodType>(item: T) {
  return z.object({
    items: z.array(item),
    nextCursor: z.string().nullable().describe("Null on the last page"),
    count: z.int().describe("Items on this page"),
  });
}

export function dataPageOf<T extends z.ZodType>(item: T) {
  return z.object({ data: z.array(item), nextCursor: z.string().nullable(), count: z.int() });
}

/** A `limit` above `max` becomes `max`; zero and text are refused (docs/decisions/http.md). */
export function pageQuery(defaultLimit: number, max: number) {
  return {
    limit: z.string().regex(/^\d+$/, "Must be a whole number from 1 upwards")
      .transform(Number)
      .refine((limit) => limit >= 1, "Must be a whole number from 1 upwards")
      .transform((limit) => Math.min(limit, max))
      .default(defaultLimit)
      .meta({
        type: "integer",
        minimum: 1,
        description: `Default ${defaultLimit}, at most ${max}; larger values are reduced to that`,
      }),
    cursor: z.string().optional()
      .describe("The `nextCursor` of the previous page"),
  };
}

export function choiceFilter<const Values extends readonly string[]>(values: Values) {
  const error = `Must be one of ${values.join(", ")}`;
  return z.union([z.literal(""), z.enum(values)], { error }).optional();
}

/** Drops read-only fields, so that clients may send a whole document back. */
export function ignoring<T extends z.ZodType>(readOnly: readonly string[], schema: T) {
  const names = new Set(readOnly);
  return z.preprocess((body) => {
    if (typeof body !== "object" || body === null || Array.isArray(body)) return body;
    return Object.fromEntries(Object.entries(body).filter(([name]) => !names.has(name)));
  }, schema);
}

/** Returns `If-Match` or null. Of each ETag (version and hash), keeps only the version. */
export function expectedVersions(c: AppContext): string | null {
  return c.req.header("If-Match")?.replace(/-[0-9a-f]{16}"/g, '"') ?? null;
}

export function versionOf(document: object, readOnly: readonly string[]): string {
  const edited = Object.entries(document).filter(([name]) => !readOnly.includes(name))
    .sort(([one], [other]) => one < other ? -1 : 1);
  return sha256Hex(JSON.stringify(edited)).slice(0, 32);
}

/** Throws `version_conflict` unless `expected` contains `etag`; null and `*` accept any version. */
export function requireVersion(expected: string | null, etag: string): void {
  if (expected === null || expected.trim() === "*") return;
  const wanted = expected.split(",").map((part) => part.trim());
  if (wanted.includes(`"${etag}"`)) return;
  throw new Failure(
    "version_conflict",
    "The document has changed since it was read: read it again and repeat the change",
    { current: `"${etag}"` },
  );
}

type Asker = Pick<Context, "workspaceId" | "cursors" | "list">;

export interface Page<T> {
  readonly items: T[];
  readonly nextCursor: string | null;
  readonly count: number;
}

/** Throws `invalid_cursor` for a cursor of another list, filter, workspace or version of Kurant. */
export function openCursor<T>(
  ctx: Asker,
  cursor: string | undefined,
  place: z.ZodType<T>,
): T | null {
  if (cursor === undefined || cursor === "") return null;
  const position = ctx.cursors.open(scopeOf(ctx), cursor);
  const { data, success } = place.safeParse(position);
  if (success && position !== null) return data;
  throw new Failure(
    "invalid_cursor",
    "The cursor is not one of this list with these filters: start again without a cursor",
  );
}

/** If there is another page, `rows` must contain more than `limit` rows. */
export function toPage<T>(
  ctx: Asker,
  { rows, limit, positionOf }: {
    rows: readonly T[];
    limit: number;
    positionOf: (row: T) => JsonValue;
  },
): Page<T> {
  const items = rows.slice(0, limit);
  const last = items.at(-1);
  const nextCursor = rows.length > limit && last !== undefined
    ? cursorAt(ctx, positionOf(last))
    : null;
  return { items, nextCursor, count: items.length };
}

/** `read` must return items sorted by id. */
export async function pageById<T extends { readonly id: string }>(
  ctx: Asker,
  { limit, cursor }: { readonly limit: number; readonly cursor?: string | undefined },
  read: (range: { after: string | null; limit: number }) => Promise<readonly T[]>,
): Promise<Page<T>> {
  const after = openCursor(ctx, cursor, z.string());
  const rows = await read({ after, limit: limit + 1 });
  return toPage(ctx, { rows, limit, positionOf: ({ id }) => id });
}

export function cursorAt(ctx: Asker, position: JsonValue): string {
  return ctx.cursors.seal(scopeOf(ctx), position);
}

function scopeOf({ workspaceId, list }: Asker): string {
  return `${workspaceId} ${list?.() ?? ""}`;
}

interface Issue {
  readonly code?: string | undefined;
  readonly path: readonly PropertyKey[];
  readonly message: string;
  readonly keys?: readonly string[] | undefined;
  readonly origin?: string | undefined;
  readonly minimum?: number | bigint | undefined;
  readonly maximum?: number | bigint | undefined;
}

export function refusedFieldsOf(
  issues: readonly Issue[],
  known: readonly string[] = [],
): RefusedField[] {
  return issues.flatMap((issue) => fieldsOf(issue, known));
}

export function parseOrRefuse<T>(
  schema: z.ZodType<T>,
  value: unknown,
  known: readonly string[] = [],
): T {
  const { data, error } = schema.safeParse(value);
  if (error) throw refuseFields(refusedFieldsOf(error.issues, known));
  return data;
}

function fieldsOf(issue: Issue, known: readonly string[]): RefusedField[] {
  const path = issue.path.map(String);
  if (issue.code === "unrecognized_keys" && issue.keys) {
    return issue.keys.map((key) => {
      const near = nearWord(key, known);
      return {
        path: [...path, key].join("."),
        message: near === null ? "Unknown field" : `Unknown field: did you mean "${near}"?`,
        kind: "unknown",
      };
    });
  }
  const kind = kindOf(issue);
  const limit = issue.minimum ?? issue.maximum;
  return [{
    path: path.join("."),
    message: issue.message,
    ...(kind && { kind }),
    ...(kind && limit !== undefined && { limit: Number(limit) }),
  }];
}

const MISSED: Readonly<Record<string, readonly [below: RefusedKind, above: RefusedKind]>> = {
  number: ["too_small", "too_large"],
  int: ["too_small", "too_large"],
  string: ["too_short", "too_long"],
  array: ["too_few", "too_many"],
};

function kindOf({ code, origin = "", message }: Issue): RefusedKind | null {
  switch (code) {
    case "too_small":
      return MISSED[origin]?.[0] ?? null;
    case "too_big":
      return MISSED[origin]?.[1] ?? null;
    case "invalid_value":
      return "not_an_option";
    case "invalid_type":
      return message.endsWith("received undefined") ? "missing" : "wrong_type";
    default:
      return null;
  }
}

function nearWord(typed: string, words: readonly string[]): string | null {
  const plain = typed.toLowerCase();
  const near = words.map((word) => ({ word, edits: editsBetween(plain, word.toLowerCase()) }))
    .filter(({ word, edits }) => edits <= Math.min(2, word.length / 2))
    .toSorted((a, b) => a.edits - b.edits);
  return near[0]?.word ?? null;
}

/** Levenshtein distance; `Infinity` above 64 letters, or if lengths differ by more than 2. */
function editsBetween(a: string, b: string): number {
  if (a.length > 64 || Math.abs(a.length - b.length) > 2) return Infinity;
  let last = Array.from({ length: b.length + 1 }, (_, n) => n);
  for (let i = 1; i <= a.length; i++) {
    const row = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = (last[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      row.push(Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, replaced));
    }
    last = row;
  }
  return last[b.length] ?? Infinity;
}
