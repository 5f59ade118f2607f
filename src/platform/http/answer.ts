/**
 * Answers of endpoints, each with its schemas and a function that writes the response. `packAnswer`
 * compresses responses, and sends 304 if the client already has the content. A refused request gets
 * JSON, or a problem document (RFC 9457) if the client accepts it.
 */
import { type RouteConfig, z } from "@hono/zod-openapi";
import { gzipSync } from "node:zlib";
import { encoder, joinedBytes, sha256Hex } from "../../base/bytes.ts";
import type { Failure } from "../../base/failure.ts";
import { type AppContext, dataPageOf, jsonAnswer, Ok, pageOf, versionOf } from "./http.ts";

export interface Surface {
  readonly base: "/api" | "/api/public/v1";
  /** True on the external interface, where documents and lists are in the field `data`. */
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
  /** Names of read-only fields, which do not change the version of a document. */
  readonly readOnly: readonly string[];
}

export interface Answer<T> {
  responses(surface: Surface, status: Status): RouteConfig["responses"];
  write(value: T, writing: Writing): Response;
}

/**
 * Names of an answer's schema in the OpenAPI documents; a schema without a name is inlined. For
 * single documents, `inApp` is ignored, because the app uses the name of their own schema.
 */
interface Names {
  readonly inApp?: string;
  readonly external?: string;
}

type Frozen<T> = T extends readonly (infer Item)[] ? readonly Frozen<Item>[]
  : T extends object ? { readonly [Name in keyof T]: Frozen<T[Name]> }
  : T;
type Value<S extends z.ZodType> = Frozen<z.input<S>>;

const components = new Map<string, z.ZodType>();

function named(name: string | undefined, make: () => z.ZodType): z.ZodType {
  if (name === undefined) return make();
  return components.getOrInsertComputed(name, () => make().meta({ id: name }));
}

interface Schemas {
  inApp(): z.ZodType;
  external(): z.ZodType;
}

const both =
  ({ inApp, external }: Schemas, words: string) =>
  (surface: Surface, status: Status): RouteConfig["responses"] => ({
    [status]: jsonAnswer(surface.isEnveloped ? external() : inApp(), words),
  });

type Bodies<T> = { readonly [Name in keyof Schemas]: (value: T, c: AppContext) => unknown };

function plain<T>(schemas: Schemas, words: string, { inApp, external }: Bodies<T>): Answer<T> {
  return {
    responses: both(schemas, words),
    write: (value, { c, surface, status, headers }) => {
      const body = surface.isEnveloped ? external(value, c) : inApp(value, c);
      return answerBytes(c, encoder.encode(JSON.stringify(body)), status, headers);
    },
  };
}

function documentSchemas(schema: z.ZodType, names: Names & { readonly words?: string }): Schemas {
  const data = () => names.words === undefined ? schema : schema.describe(names.words);
  return {
    inApp: () => schema,
    external: () => named(names.external, () => z.object({ data: data() })),
  };
}

export function one<S extends z.ZodType>(
  schema: S,
  words: string,
  names: Names & { readonly words?: string } = {},
): Answer<Value<S>> {
  return plain(documentSchemas(schema, names), words, {
    inApp: (value) => value,
    external: (data) => ({ data }),
  });
}

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
    write: (bytes, { c, status }) => answerBytes(c, bytes, status),
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
  return plain(schemas, words, {
    inApp: ({ items, ...rest }) => ({ items, ...rest }),
    external: ({ items: data, ...rest }) => ({ data, ...rest }),
  });
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
  return plain(schemas, words, {
    inApp: (items) => ({ [field]: items }),
    external: (data) => ({ data, count: data.length }),
  });
}

const OK = { ok: true };

export function done(words: string): Answer<void> {
  return plain({ inApp: () => Ok, external: () => Ok }, words, {
    inApp: () => OK,
    external: () => OK,
  });
}

const RemovedData = z.object({
  data: z.object({ id: z.string() }).describe("Id of the removed resource"),
});

export function removed(words: string): Answer<void> {
  return plain({ inApp: () => Ok, external: () => RemovedData }, words, {
    inApp: () => OK,
    external: (_nothing, c) => ({ data: { id: c.req.param("id") } }),
  });
}

export function custom(
  responses: RouteConfig["responses"] | ((surface: Surface) => RouteConfig["responses"]),
): Answer<Response> {
  return {
    responses: (surface) => typeof responses === "function" ? responses(surface) : responses,
    write: (response) => response,
  };
}

/** Bodies as bytes, so that `packAnswer` need not read them from a stream. */
const wholeBodies = new WeakMap<Response, Bytes>();

function answerBytes(c: AppContext, bytes: Bytes, status: Status, headers: Headers = {}): Response {
  const answer = c.body(bytes, status, { "Content-Type": "application/json" });
  for (const name in headers) answer.headers.set(name, headers[name] ?? "");
  wholeBodies.set(answer, bytes);
  return answer;
}

function answerDocument(
  document: Pick<StoredDocument, "bytes" | "etag">,
  { c, status, headers }: Pick<Writing, "c" | "status" | "headers">,
): Response {
  const etag = `"${document.etag}"`;
  const isRead = c.req.method === "GET" || c.req.method === "HEAD";
  if (isRead && isKnown(c, etag)) {
    return new Response(null, { status: 304, headers: { ETag: etag, ...headers } });
  }
  return answerBytes(c, document.bytes, status, { ETag: etag, ...headers });
}

/** The ETag consists of the version and a hash of the whole answer, including read-only fields. */
export function answerVersioned(document: object, writing: Writing): Response {
  const text = JSON.stringify(writing.surface.isEnveloped ? { data: document } : document);
  const etag = `${versionOf(document, writing.readOnly)}-${sha256Hex(text).slice(0, 16)}`;
  return answerDocument({ bytes: encoder.encode(text), etag }, writing);
}

const PACKABLE = /^(?:application\/(?:json|x-ndjson|xml)|text\/)/i;
/** A download of more than `TAGGED_BYTES_MAX` bytes is streamed and has no ETag. */
const TAGGED_BYTES_MAX = 256 * 1_024;

type Bytes = Uint8Array<ArrayBuffer>;

export async function packAnswer(c: AppContext): Promise<void> {
  const { headers } = c.res;
  if (c.res.status === 304 || !PACKABLE.test(headers.get("Content-Type") ?? "")) return;
  // Skip answers that are stored compressed: files of the web client and OpenAPI documents.
  if (headers.has("Content-Encoding") || headers.has("Vary")) return;
  headers.set("Vary", "Accept-Encoding");
  const isTagged = /^(?:GET|HEAD)$/.test(c.req.method) && c.res.status === 200 &&
    !headers.has("ETag");
  if (!isTagged && !isPacked(c)) return;
  const known = wholeBodies.get(c.res);
  const begin = known ? { whole: known } : await begun(c);
  if (begin === null) return;
  if (begin.whole === undefined) {
    replaceBody(c, begin.stream);
    return isPacked(c) ? packStream(c) : undefined;
  }
  if (isTagged) {
    const etag = `W/${etagOf(begin.whole)}`;
    headers.set("ETag", etag);
    if (isKnown(c, etag)) {
      headers.delete("Content-Type");
      headers.delete("Content-Disposition");
      return replaceBody(c, null, 304);
    }
  }
  const isShort = begin.whole.length < 1_024;
  if (!isPacked(c) || isShort) return known ? undefined : replaceBody(c, begin.whole);
  headers.set("Content-Encoding", "gzip");
  replaceBody(c, new Uint8Array(gzipSync(begin.whole, { level: 4 })));
}

async function begun({ req, res: { body, headers } }: AppContext) {
  const isJson = /^application\/json/i.test(headers.get("Content-Type") ?? "");
  const isDownload = headers.has("Content-Disposition") || !isJson;
  // Do not read a download for HEAD, because headers that depend on the content, such as the ETag,
  // are optional (RFC 9110 §9.3.2).
  if (body === null || (isDownload && req.method === "HEAD")) return null;
  const reader = body.getReader();
  const first: Bytes[] = [];
  let [size, isDone] = [0, false];
  while ((size <= TAGGED_BYTES_MAX || !isDownload) && !isDone) {
    const { value, done } = await reader.read();
    isDone = done;
    if (value) first.push(value);
    size += value?.length ?? 0;
  }
  if (isDone) return { whole: joinedBytes(first) };
  const stream = new ReadableStream<Bytes>({
    async pull(controller) {
      const value = first.shift() ?? (await reader.read()).value;
      if (value) controller.enqueue(value);
      else controller.close();
    },
    cancel: (reason) => reader.cancel(reason),
  }, { highWaterMark: 0 });
  return { stream };
}

function isPacked(c: AppContext): boolean {
  return c.req.method !== "HEAD" && takesCoding(c, "gzip");
}

function packStream(c: AppContext): void {
  const { headers, body } = c.res;
  if (body === null) return;
  headers.set("Content-Encoding", "gzip");
  headers.delete("Content-Length");
  replaceBody(c, body.pipeThrough(new CompressionStream("gzip")));
}

export function replaceBody(c: AppContext, body: BodyInit | null, status = c.res.status): void {
  const { headers } = c.res;
  // Remove the old response first, because Hono would merge the headers of both responses.
  c.res = undefined;
  c.res = new Response(body, { status, headers });
}

export function etagOf(bytes: Uint8Array): string {
  return `"${sha256Hex(bytes).slice(0, 32)}"`;
}

/** True if `If-None-Match` is `*` or contains the ETag, by weak comparison (RFC 9110 §13.1.2). */
export function isKnown(c: AppContext, etag: string): boolean {
  const known = c.req.header("If-None-Match")?.split(",") ?? [];
  return known.map((part) => part.trim())
    .some((candidate) => candidate === "*" || opaque(candidate) === opaque(etag));
}

function opaque(etag: string): string {
  return etag.replace(/^W\//, "");
}

export function takesCoding(c: AppContext, coding: "gzip" | "br"): boolean {
  const codings = (c.req.header("Accept-Encoding") ?? "").split(",").map((part) => part.trim());
  return codings.some((one) => {
    const [name = "", ...parameters] = one.split(";").map((part) => part.trim().toLowerCase());
    return name === coding && !parameters.some((parameter) => /^q=0(?:\.0*)?$/.test(parameter));
  });
}

export const EXTERNAL_PATH = `${EXTERNAL.base}/`;

export type Refusal = Pick<Failure, "code" | "message" | "details" | "status">;

const PROBLEM_TYPE = "application/problem+json";

export function answerFailure(c: AppContext, failure: Refusal): Response {
  const { code, message, details, status } = failure;
  const isProblem = c.req.header("Accept")?.toLowerCase().includes(PROBLEM_TYPE) ?? false;
  const more = { requestId: c.get("requestId"), ...(details && { details }) };
  const title = code.charAt(0).toUpperCase() + code.slice(1).replaceAll("_", " ");
  const body = isProblem
    ? { type: `urn:kurant:error:${code}`, title, status, detail: message, code, ...more }
    : { error: { code, message, ...more } };
  const headers = new Headers({ "Content-Type": isProblem ? PROBLEM_TYPE : "application/json" });
  if (isProblem) headers.set("Vary", "Accept");
  const retryAfter = details?.retryAfterSeconds;
  if (typeof retryAfter === "number") headers.set("Retry-After", String(retryAfter));
  else if (status === 503) headers.set("Retry-After", "5");
  if (status === 401 && c.req.path.startsWith(EXTERNAL_PATH)) {
    headers.set("WWW-Authenticate", 'Bearer realm="Kurant"');
  }
  if (status === 405 && Array.isArray(details?.allow)) {
    headers.set("Allow", details.allow.join(", "));
  }
  // Close the connection, because the client may still be sending the rest of the refused body.
  if (status === 408 || status === 413) headers.set("Connection", "close");
  return new Response(JSON.stringify(body), { status, headers });
}
