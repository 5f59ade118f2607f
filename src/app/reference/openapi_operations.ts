/** Derives an operation's texts for the OpenAPI documents, such as its name and headers. */
import type { RequestHeader } from "../../platform/http/route.ts";
import { isSchema, requiredOf, type Schema, type Schemas, targetOf } from "./openapi_schemas.ts";

export const METHODS = ["get", "post", "patch", "put", "delete"] as const;
type Method = (typeof METHODS)[number];

export interface Operation {
  readonly tags?: readonly string[];
  readonly summary?: string;
  readonly description?: string;
  readonly security?: readonly Readonly<Record<string, readonly string[]>>[];
  readonly parameters?: readonly { readonly $ref?: string; readonly schema?: Schema }[];
  readonly requestBody?: Body;
  readonly responses: Readonly<Record<string, Body>>;
}

export interface Body {
  readonly description?: string;
  readonly content?: Readonly<Record<string, Media>>;
}

interface Media {
  readonly schema: Schema;
  readonly example?: unknown;
}

const PREFIX = /^\/api\/(public\/v1\/)?/;

/**
 * Returns `listProducts` for `GET /api/products`. Client programs use these names, so they must not
 * change.
 */
export function operationIdOf(method: Method, path: string, isList: boolean): string {
  const parts = path.replace(PREFIX, "").split("/").map(camel);
  const isId = (part = "") => part.startsWith("{");
  const isOne = isId(parts.at(-1));
  const words = parts.map((part, n) => isId(parts[n + 1]) ? singular(part) : part)
    .filter((part) => !isId(part));
  if (method !== "post") {
    const get = isList && !isOne ? "list" : "get";
    const verb = { get, patch: "update", put: "replace", delete: "delete" }[method];
    return `${verb}${capital(words)}`;
  }
  const last = parts.findLast((part) => !isId(part)) ?? "";
  const owners = isOne ? words : words.slice(0, -1);
  if (owners.length > 0) return `${last}${capital(owners)}`;
  return last.endsWith("s") ? `create${capital([singular(last)])}` : last;
}

/** Returns `Create api key` for `createApiKey`. */
export function summaryOf(operationId: string): string {
  return capital([operationId.replaceAll(/([a-z0-9])([A-Z])/g, "$1 $2").toLowerCase()]);
}

/** Returns `Competitor products` for `/api/competitor-products/{id}`. */
export function groupOf(path: string): string {
  const word = path.replace(PREFIX, "").split(/[/.]/)[0] ?? "";
  return capital([word]).replaceAll("-", " ");
}

export function accessWords(security: Operation["security"]): string {
  const needs = (security ?? []).flatMap((scheme) => Object.entries(scheme)).map(
    ([scheme, names]) =>
      scheme === "session"
        ? `a session of the role ${names.join(", ")} or one above it`
        : names.length > 0
        ? `a key with the scope ${names.join(", ")}`
        : "any key",
  );
  return needs.length === 0 ? "Anybody may call it" : `It takes ${needs.join(", or ")}`;
}

export function successOf(responses: Operation["responses"]): Body | undefined {
  return Object.entries(responses).find(([status]) => status.startsWith("2"))?.[1];
}

export function jsonOf(body: Body | undefined): Media | undefined {
  return body?.content?.["application/json"];
}

export function isListOf(responses: Operation["responses"], schemas: Schemas): boolean {
  const { properties = {} } = wholeOf(jsonOf(successOf(responses))?.schema, schemas);
  return "items" in properties || "data" in properties;
}

/** Fills missing required fields of the example with false, 0, an empty list or null. */
export function completed(
  declared: Schema | undefined,
  example: unknown,
  schemas: Schemas,
): unknown {
  const schema = wholeOf(declared, schemas);
  if (Array.isArray(example)) return example.map((one) => completed(schema.items, one, schemas));
  if (!isSchema(example) || !schema.properties) return example;
  const required = requiredOf(schema, true);
  const fields = Object.entries(schema.properties).flatMap(([name, of]) => {
    if (name in example) return [[name, completed(of, example[name], schemas)]];
    return required.includes(name) ? [[name, blankOf(of, schemas)]] : [];
  });
  return Object.fromEntries(fields);
}

function blankOf(declared: Schema, schemas: Schemas): unknown {
  const { type } = wholeOf(declared, schemas);
  return { boolean: false, integer: 0, array: [] }[String(type)] ?? null;
}

function wholeOf(declared: Schema = {}, schemas: Schemas): Schema {
  return declared.$ref ? wholeOf(schemas[targetOf(declared.$ref)], schemas) : declared;
}

export const REQUEST_HEADER_PARAMETERS = {
  "Idempotency-Key": {
    name: "Idempotency-Key",
    in: "header",
    description:
      "Any text of 1 to 255 characters, a new one for each request. If the same request is " +
      "repeated within 24 hours, it gets the first answer and is not executed again",
    schema: { type: "string", minLength: 1, maxLength: 255 },
  },
  "If-Match": {
    name: "If-Match",
    in: "header",
    description:
      "The `ETag` of the document as read; the answer is 412 if the document has changed since",
    schema: { type: "string" },
  },
  Prefer: {
    name: "Prefer",
    in: "header",
    description: "`respond-async`: the answer is an immediate 202, and the job continues",
    schema: { type: "string" },
  },
} as const satisfies Record<RequestHeader, Schema>;

export const ANSWER_HEADERS = {
  "X-Request-Id": {
    description: "Id of the request in the log; useful for support",
    schema: { type: "string" },
  },
  ETag: {
    description: "The version of the document, for `If-Match` and `If-None-Match`",
    schema: { type: "string" },
  },
  Location: { description: "Address of the new document or the job", schema: { type: "string" } },
  "Retry-After": {
    description: "Number of seconds after which to try again",
    schema: { type: "integer" },
  },
  "RateLimit-Policy": {
    description: "Number of requests allowed per key, and the number of seconds for them",
    schema: { type: "string" },
  },
  RateLimit: {
    description: "Number of remaining requests, and seconds until the limit is full again",
    schema: { type: "string" },
  },
} as const;

type AnswerHeader = keyof typeof ANSWER_HEADERS;

export function answerHeadersOf(
  { status, security, versioned }: {
    readonly status: number;
    readonly security: Operation["security"];
    readonly versioned: boolean;
  },
): Readonly<Record<string, Schema>> {
  const names: AnswerHeader[] = ["X-Request-Id"];
  if (versioned && status < 300) names.push("ETag");
  if (status === 201 || status === 202) names.push("Location");
  if (status === 429 || status === 503) names.push("Retry-After");
  if (security?.some((scheme) => "key" in scheme)) names.push("RateLimit-Policy", "RateLimit");
  return Object.fromEntries(names.map((name) => [name, { $ref: `#/components/headers/${name}` }]));
}

/** Returns `competitorProducts` for `competitor-products`, `productsCsv` for `products.csv`. */
function camel(word: string): string {
  return word.replaceAll(/[-_.](\w)/g, (_, letter: string) => letter.toUpperCase());
}

export function capital(words: readonly string[]): string {
  return words.map((word) => word.charAt(0).toUpperCase() + word.slice(1)).join("");
}

function singular(word: string): string {
  return word.replace(/ies$/, "y").replace(/(?<!s)s$/, "");
}
