/** Compresses answers, and answers 304 to callers that have the answer already. */
import { joinedBytes, sha256Hex } from "../../base/bytes.ts";
import type { AppContext } from "./app_context.ts";
import { gzipSync } from "node:zlib";

/** Pictures, archives and workbooks are compressed already. */
const PACKABLE = /^(?:application\/(?:json|x-ndjson|xml)|text\/)/i;
/** Larger downloads are streamed, without an ETag. */
const TAGGED_BYTES_MAX = 256 * 1_024;

type Bytes = Uint8Array<ArrayBuffer>;

/**
 * Adds a weak ETag to answers of GET and HEAD. A versioned document keeps its strong ETag, although
 * compression changes its bytes. This is safe, because the service supports no byte ranges.
 */
export async function packAnswer(c: AppContext): Promise<void> {
  const { headers } = c.res;
  if (c.res.status === 304 || !PACKABLE.test(headers.get("Content-Type") ?? "")) return;
  // Files of the build and the OpenAPI documents are compressed already.
  if (headers.has("Content-Encoding") || headers.has("Vary")) return;
  headers.set("Vary", "Accept-Encoding");
  const isTagged = /^(?:GET|HEAD)$/.test(c.req.method) && c.res.status === 200 &&
    !headers.has("ETag");
  if ((!isTagged && !isPacked(c)) || c.res.body === null) return;
  const isDownload = headers.has("Content-Disposition") || !isJson(headers);
  // Do not make a file for HEAD, because headers about content are optional (RFC 9110 §9.3.2).
  if (isDownload && c.req.method === "HEAD") return;
  const begin = isDownload ? await begun(c.res.body) : { whole: await c.res.bytes() };
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
  // Compression hardly shrinks smaller answers.
  if (!isPacked(c) || begin.whole.length < 1_024) return replaceBody(c, begin.whole);
  headers.set("Content-Encoding", "gzip");
  // Level 6 takes 1.5 times as long for answers that are 1 to 4 % smaller.
  replaceBody(c, new Uint8Array(gzipSync(begin.whole, { level: 4 })));
}

interface LongDownload {
  readonly whole?: never;
  readonly stream: ReadableStream<Bytes>;
}

/** The body as bytes if it has at most `TAGGED_BYTES_MAX`, else as a stream. */
async function begun(
  body: ReadableStream<Bytes>,
): Promise<{ readonly whole: Bytes } | LongDownload> {
  const reader = body.getReader();
  const first: Bytes[] = [];
  let [size, isDone] = [0, false];
  while (size <= TAGGED_BYTES_MAX && !isDone) {
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

function isJson(headers: Headers): boolean {
  return /^application\/json/i.test(headers.get("Content-Type") ?? "");
}

export function etagOf(bytes: Uint8Array): string {
  return `"${sha256Hex(bytes).slice(0, 32)}"`;
}

/** True if `If-None-Match` contains the ETag, by weak comparison (RFC 9110 §13.1.2). */
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
