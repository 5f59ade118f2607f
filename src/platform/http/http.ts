/** How a room declares an endpoint; validation, OpenAPI and conventions follow from it. */
import { sha256Hex } from "../../base/bytes.ts";
import { Failure, FAILURE_STATUS, refuseFields } from "../../base/failure.ts";
import type { Access, AppContext, AppEnv } from "./app_context.ts";
import { guard, type Sensitive } from "./gate.ts";
import { refusedFieldsOf } from "./refused_fields.ts";
import { createRoute, OpenAPIHono, type RouteConfig, z } from "@hono/zod-openapi";
import { parseBound } from "../../base/time.ts";

/** Forms of a time bound in the OpenAPI documents: an instant, a date, or an empty text. */
export const BOUND_FORMS = [
  { type: "string", format: "date-time" },
  { type: "string", format: "date" },
  { type: "string", maxLength: 0 },
] as const;

/** A bound of a time range for `parseBound`. An empty text means no bound. */
export const BoundText = z.string().optional()
  .refine(
    (text) => !text || parseBound(text, "start") !== null,
    "Must be a time such as 2026-08-01T09:00:00Z, or a date",
  )
  .meta({ anyOf: [...BOUND_FORMS], description: "Inclusive; a date means the whole day in UTC" });

export const flagQuery = z.enum(["true", "false"]).optional()
  .transform((text) => text === "true");

export function room(): OpenAPIHono<AppEnv> {
  return new OpenAPIHono<AppEnv>({
    defaultHook: (result, c) => {
      if (result.success) return;
      const known = result.target === "query" ? c.get("queryNames") : [];
      throw refuseFields(refusedFieldsOf(result.error.issues, known));
    },
  });
}

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

/** `{ok: true}`, for example the answer of a DELETE (docs/decisions/http.md). */
export const Ok = z.object({ ok: z.literal(true) }).meta({ id: "Ok" });

export function jsonAnswer<T extends z.ZodType>(schema: T, description: string) {
  return { description, content: { "application/json": { schema } } };
}

export function jsonBody<T extends z.ZodType>(schema: T) {
  return { required: true, content: { "application/json": { schema } } } as const;
}

export function optionalJsonBody<T extends z.ZodType>(schema: T) {
  return { required: false, content: { "application/json": { schema } } } as const;
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

/** A `limit` above `max` is reduced; other invalid ones are refused (docs/decisions/http.md). */
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

/** A filter by one of the values. An empty text does not filter. */
export function choiceFilter<const Values extends readonly string[]>(values: Values) {
  const error = `Must be one of ${values.join(", ")}`;
  return z.union([z.literal(""), z.enum(values)], { error }).optional();
}

/** Drops fields that only the service writes, so that clients can send a document back. */
export function ignoring<T extends z.ZodType>(readOnly: readonly string[], schema: T) {
  const names = new Set(readOnly);
  return z.preprocess((body) => {
    if (typeof body !== "object" || body === null || Array.isArray(body)) return body;
    return Object.fromEntries(Object.entries(body).filter(([name]) => !names.has(name)));
  }, schema);
}

type Method = "get" | "post" | "patch" | "put" | "delete";

export interface RouteDefinition extends RouteConfig {
  readonly method: Method;
  readonly access: Access;
  /** False if the answer contains a secret, which must not be stored. */
  readonly keepsAnswers?: boolean;
  /** False if the handler reads the body as a stream, as for an upload. */
  readonly readsJson?: boolean;
  /** True if NDJSON is accepted, too. Its lines become the field `items`. */
  readonly takesLines?: boolean;
  /** True if plain text and CSV are accepted, too. They become the field `text`. */
  readonly takesText?: boolean;
  readonly bodyBytesMax?: number;
  /** True if the handler mostly waits for a shop, a job or another server. */
  readonly waitsForOthers?: boolean;
  readonly sensitive?: Sensitive;
  /** True if the endpoint changes or deletes a document that people edit. It accepts `If-Match`. */
  readonly versioned?: boolean;
  readonly takesHeaders?: readonly RequestHeader[];
}

export function route<P extends string, R extends Omit<RouteDefinition, "path"> & { path: P }>(
  definition: R,
) {
  // The OpenAPI document contains all properties of `documented`.
  const {
    access,
    keepsAnswers,
    readsJson,
    takesLines: _lines,
    takesText: _text,
    bodyBytesMax,
    waitsForOthers,
    versioned: _versioned,
    takesHeaders: _headers,
    sensitive,
    ...documented
  } = definition;
  const request = definition.request ?? {};
  const isKept = definition.method === "post" && access.by !== "anyone" &&
    keepsAnswers !== false && readsJson !== false;
  // Only for the OpenAPI documents; they are not validated.
  const parameters = headersOf(definition, isKept);
  return createRoute({
    ...documented,
    security: securityOf(access),
    responses: { ...sharedErrors(access, request.body !== undefined), ...definition.responses },
    middleware: [
      guard({
        access,
        body: bodyKindOf(definition),
        bodyBytesMax,
        queryNames: namesIn(request.query),
        keepsAnswers: isKept,
        waitsForOthers: waitsForOthers === true || readsJson === false,
        sensitive,
      }),
    ],
    ...(parameters.length > 0 && { parameters }),
  });
}

function namesIn(query: unknown): readonly string[] | null {
  if (query === undefined) return null;
  return query instanceof z.ZodObject ? Object.keys(query.shape) : [];
}

export type RequestHeader = "Idempotency-Key" | "If-Match" | "Prefer";

function headersOf({ versioned, takesHeaders }: Omit<RouteDefinition, "path">, isKept: boolean) {
  const names: RequestHeader[] = [...takesHeaders ?? []];
  if (isKept) names.push("Idempotency-Key");
  if (versioned) names.push("If-Match");
  return names.map((name) => ({ $ref: `#/components/parameters/${name}` }));
}

function bodyKindOf({ request, readsJson, takesLines, takesText }: Omit<RouteDefinition, "path">) {
  if (request?.body === undefined || readsJson === false) return "none";
  if (takesLines) return "lines";
  if (takesText) return "text";
  return request.body.required === false ? "optional" : "required";
}

/** Since OpenAPI 3.1, roles and scopes are allowed for all kinds of credentials. */
function securityOf(access: Access): Record<string, string[]>[] {
  switch (access.by) {
    case "anyone":
      return [];
    case "session":
      return [{ session: [access.role] }];
    case "key":
      return [{ key: [...access.scopes] }];
    case "either":
      return [{ session: [access.role] }, { key: [] }];
  }
}

const ERROR_WORDS: Record<number, string> = {
  400: "The input is refused; `details.fields` names what and why",
  401: "There is no valid credential",
  403: "The credential is valid but may not do this",
  404: "It does not exist, or belongs to another workspace",
  405: "The path exists, this method does not; see `Allow`",
  408: "The body came too slowly",
  409: "The current state does not allow this",
  412: "The document has changed since the version in `If-Match`",
  413: "The body is larger than allowed",
  415: "The media type of the body is not accepted here",
  422: "Valid, but probably a mistake",
  429: "Too many requests; see `Retry-After`",
  500: "A defect of the service; `requestId` finds it in the log",
  503: "The service is temporarily unavailable",
};
const ERROR_ANSWERS = Object.entries(ERROR_WORDS)
  .map(([status, words]) => [Number(status), jsonAnswer(ErrorBody, words)] as const);
const ONLY_GUARDED = [401, 403];
const ONLY_WITH_BODY = [408, 413, 415];

function sharedErrors(access: Access, hasBody: boolean) {
  return Object.fromEntries(
    ERROR_ANSWERS.filter(([status]) =>
      (access.by !== "anyone" || !ONLY_GUARDED.includes(status)) &&
      (hasBody || !ONLY_WITH_BODY.includes(status))
    ),
  );
}

/** The versions in `If-Match`, without the second hash of `answerVersioned`; null if not sent. */
export function expectedVersions(c: AppContext): string | null {
  return c.req.header("If-Match")?.replace(/-[0-9a-f]{16}"/g, '"') ?? null;
}

/** A hash of the fields that clients may change. */
export function versionOf(document: object, readOnly: readonly string[]): string {
  const edited = Object.entries(document).filter(([name]) => !readOnly.includes(name))
    .sort(([one], [other]) => one < other ? -1 : 1);
  return sha256Hex(JSON.stringify(edited)).slice(0, 32);
}

/** Throws `version_conflict` if `If-Match` is sent without the current version of the document. */
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
