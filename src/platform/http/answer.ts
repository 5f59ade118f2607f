/** Answers of endpoints, each with its schemas and a function that writes the response. */
import { type RouteConfig, z } from "@hono/zod-openapi";
import { encoder, joinedBytes, sha256Hex } from "../../base/bytes.ts";
import type { AppContext } from "./app_context.ts";
import { dataPageOf, jsonAnswer, Ok, pageOf, versionOf } from "./http.ts";
import { isKnown } from "./packed_answer.ts";

export interface Surface {
  readonly base: "/api" | "/api/public/v1";
  /** True on the external interface, where answers are wrapped in `data`. */
  readonly isEnveloped: boolean;
}

export const IN_APP: Surface = { base: "/api", isEnveloped: false };
export const EXTERNAL: Surface = { base: "/api/public/v1", isEnveloped: true };

export type Status = 200 | 201 | 202;
export type Headers = Record<string, string>;

interface Writing {
  readonly c: AppContext;
  readonly surface: Surface;
  readonly status: Status;
  readonly headers: Headers;
  /** Fields that only the service writes. The document's version does not depend on them. */
  readonly readOnly: readonly string[];
}

export interface Answer<T> {
  responses(surface: Surface, status: Status): RouteConfig["responses"];
  write(value: T, writing: Writing): Response;
}

/** A schema without a name is inlined. */
interface Names {
  readonly inApp?: string;
  readonly external?: string;
}

type Frozen<T> = T extends readonly (infer Item)[] ? readonly Frozen<Item>[]
  : T extends object ? { readonly [Name in keyof T]: Frozen<T[Name]> }
  : T;
type Value<S extends z.ZodType> = Frozen<z.input<S>>;

const components = new Map<string, z.ZodType>();

/** Returns the same schema for the same name, because a component may be declared only once. */
function named(name: string | undefined, make: () => z.ZodType): z.ZodType {
  if (name === undefined) return make();
  return components.getOrInsertComputed(name, () => make().meta({ id: name }));
}

/** The schemas are made when the documents are built. */
interface Schemas {
  inApp(): z.ZodType;
  external(): z.ZodType;
}

const both =
  ({ inApp, external }: Schemas, words: string) =>
  (surface: Surface, status: Status): RouteConfig["responses"] => ({
    [status]: jsonAnswer(surface.isEnveloped ? external() : inApp(), words),
  });

function documentSchemas(schema: z.ZodType, names: Names & { readonly words?: string }): Schemas {
  const data = () => names.words === undefined ? schema : schema.describe(names.words);
  return {
    inApp: () => schema,
    external: () => named(names.external, () => z.object({ data: data() })),
  };
}

/** `words` describes the response, and `names.words` describes `data` in the external schema. */
export function one<S extends z.ZodType>(
  schema: S,
  words: string,
  names: Names & { readonly words?: string } = {},
): Answer<Value<S>> {
  return {
    responses: both(documentSchemas(schema, names), words),
    write: (value, { c, surface, status, headers }) =>
      c.json(surface.isEnveloped ? { data: value } : value, status, headers),
  };
}

/** An answer with one document, whose version is the ETag. */
export function versioned<S extends z.ZodType>(
  schema: S,
  words: string,
  names: Names & { readonly readOnly?: readonly string[] } = {},
): Answer<Value<S> & object> {
  return {
    responses: both(documentSchemas(schema, names), words),
    write: (value, writing) =>
      answerVersioned(value, { ...writing, readOnly: names.readOnly ?? writing.readOnly }),
  };
}

/** A document that is stored as the bytes of its answer. Only the `Location` header needs `id`. */
interface StoredDocument {
  readonly bytes: Uint8Array<ArrayBuffer>;
  readonly etag: string;
  readonly id?: string;
}

export function stored(
  schema: z.ZodType,
  words: string,
  names: Names = {},
): Answer<StoredDocument> {
  return {
    responses: both(documentSchemas(schema, names), words),
    write: ({ bytes, etag }, writing) =>
      answerDocument(
        { bytes: writing.surface.isEnveloped ? joinedBytes([HEAD, bytes, TAIL]) : bytes, etag },
        writing,
      ),
  };
}

const HEAD = encoder.encode('{"data":');
const TAIL = encoder.encode("}");

export function bytesOf(inApp: z.ZodType, words: string): Answer<Uint8Array<ArrayBuffer>> {
  return {
    responses: both({ inApp: () => inApp, external: () => inApp }, words),
    write: (bytes, { status }) => answerBytes(bytes, status),
  };
}

interface PageValue<T> {
  readonly items: readonly T[];
  readonly nextCursor: string | null;
  readonly count: number;
}

export function page<S extends z.ZodType, E extends z.ZodRawShape | undefined = undefined>(
  item: S,
  words: string,
  names: Names & { readonly extra?: E } = {},
): Answer<PageValue<Value<S>> & (E extends z.ZodRawShape ? Value<z.ZodObject<E>> : unknown)> {
  const { extra = {} } = names;
  const schemas = {
    inApp: () => named(names.inApp, () => pageOf(item).extend(extra)),
    external: () => named(names.external, () => dataPageOf(item).extend(extra)),
  };
  return {
    responses: both(schemas, words),
    write: ({ items, ...rest }, { c, surface, status }) =>
      c.json(surface.isEnveloped ? { data: items, ...rest } : { items, ...rest }, status),
  };
}

export function whole<S extends z.ZodType>(
  item: S,
  words: string,
  names: Pick<Names, "external"> & { readonly field?: string } = {},
): Answer<readonly Value<S>[]> {
  const { field = "items" } = names;
  const schemas = {
    inApp: () => z.object({ [field]: z.array(item) }),
    external: () => named(names.external, () => z.object({ data: z.array(item), count: z.int() })),
  };
  return {
    responses: both(schemas, words),
    write: (data, { c, surface, status }) =>
      c.json(surface.isEnveloped ? { data, count: data.length } : { [field]: data }, status),
  };
}

export function done(words: string): Answer<void> {
  return {
    responses: both({ inApp: () => Ok, external: () => Ok }, words),
    write: (_nothing, { c, status }) => c.json({ ok: true }, status),
  };
}

const RemovedData = z.object({
  data: z.object({ id: z.string() }).describe("Id of the removed resource"),
});

export function removed(words: string): Answer<void> {
  return {
    responses: both({ inApp: () => Ok, external: () => RemovedData }, words),
    write: (_nothing, { c, surface }) =>
      c.json(surface.isEnveloped ? { data: { id: c.req.param("id") } } : { ok: true }),
  };
}

export function custom(
  responses: RouteConfig["responses"] | ((surface: Surface) => RouteConfig["responses"]),
): Answer<Response> {
  return {
    responses: (surface) => typeof responses === "function" ? responses(surface) : responses,
    write: (response) => response,
  };
}

function answerBytes(bytes: Uint8Array<ArrayBuffer>, status: Status): Response {
  return new Response(bytes, { status, headers: { "Content-Type": "application/json" } });
}

/** Answers 304 if the caller already has the document (RFC 9110 §13.1.2). */
function answerDocument(
  document: Pick<StoredDocument, "bytes" | "etag">,
  { c, status, headers }: Pick<Writing, "c" | "status" | "headers">,
): Response {
  const etag = `"${document.etag}"`;
  const isRead = c.req.method === "GET" || c.req.method === "HEAD";
  if (isRead && isKnown(c, etag)) {
    return new Response(null, { status: 304, headers: { ETag: etag, ...headers } });
  }
  const answer = answerBytes(document.bytes, status);
  answer.headers.set("ETag", etag);
  for (const name in headers) answer.headers.set(name, headers[name] ?? "");
  return answer;
}

/** The ETag includes a hash of the answer, so a 304 never hides a change of a read-only field. */
export function answerVersioned(document: object, writing: Writing): Response {
  const text = JSON.stringify(writing.surface.isEnveloped ? { data: document } : document);
  const etag = `${versionOf(document, writing.readOnly)}-${sha256Hex(text).slice(0, 16)}`;
  return answerDocument({ bytes: encoder.encode(text), etag }, writing);
}
