/** Files out of multipart/form-data, one after the other, as fast as they are taken. */

import { Failure, refuseFields } from "../../base/failure.ts";
import { Dicer } from "@fastify/busboy";
import { Buffer } from "node:buffer";
import type { Readable } from "node:stream";

/** Headers of a part of a form; an absent text is empty. */
interface PartHead {
  readonly field: string;
  /** Without the folders before it. */
  readonly fileName: string;
  readonly type: string;
  /** Of the type; null when it names none. */
  readonly charset: string | null;
}

const PARAMETER = /;\s*([^\s;=]+)\s*=\s*(?:"((?:[^"\\]|\\.)*)"|([^;]*))/g;

/** Null for a part that is none of a form. `lines` are values by lower-case name, each byte a character. */
export function readPartHead(lines: object): PartHead | null {
  const disposition = valueOf(lines, "content-disposition");
  if (!/^form-data\s*(;|$)/i.test(disposition)) return null;
  const parameters = parametersOf(disposition);
  const type = valueOf(lines, "content-type");
  const fileName = fileNameIn(parameters);
  return { field: parameters.get("name") ?? "", fileName, type, charset: charsetOf(type) };
}

/** The name that a `Content-Disposition` of a whole body gives it, without folders; empty for none. */
export function fileNameOf(headers: Headers): string {
  return fileNameIn(parametersOf(utf8Of(headers.get("Content-Disposition") ?? "")));
}

function parametersOf(disposition: string): ReadonlyMap<string, string> {
  const parameters = new Map<string, string>();
  for (const [, name = "", quoted, plain = ""] of disposition.matchAll(PARAMETER)) {
    const text = quoted === undefined ? plain.trim() : quoted.replace(/\\(["\\])/g, "$1");
    parameters.set(name.toLowerCase(), text);
  }
  return parameters;
}

function fileNameIn(parameters: ReadonlyMap<string, string>): string {
  const path = extendedText(parameters.get("filename*")) ?? parameters.get("filename") ?? "";
  return path.split(/[/\\]/).at(-1) ?? "";
}

/** Headers come with each byte as a character. */
function utf8Of(bytes: string): string {
  return Buffer.from(bytes, "latin1").toString("utf8");
}

function valueOf(lines: object, name: string): string {
  const values: unknown = Object.entries(lines).find(([key]) => key === name)?.[1];
  const value: unknown = Array.isArray(values) ? values[0] : undefined;
  return typeof value === "string" ? utf8Of(value) : "";
}

/** `UTF-8''K%C3%A4se.xml` (RFC 5987); null for what is none. */
function extendedText(text: string | undefined): string | null {
  const encoded = /^utf-8'[^']*'(.*)$/i.exec(text ?? "")?.[1];
  if (encoded === undefined) return null;
  try {
    return decodeURIComponent(encoded);
  } catch {
    return null; // Broken percent signs: the plain name beside it is taken.
  }
}

/** A file that begins, or the next bytes of the one that began last. */
type MultipartEvent =
  | {
    readonly kind: "file";
    readonly name: string;
    readonly charset: string | null;
    readonly isXml: boolean;
  }
  | { readonly kind: "bytes"; readonly bytes: Uint8Array }
  | { readonly kind: "field"; readonly name: string; readonly text: string };

const PARTS_MAX = 1_000;
const HEADERS_MAX = 100;
const FIELD_BYTES_MAX = 262_144;
const FILE_TYPE =
  /^(?:application\/(?:xml|zip|octet-stream|json|(?:x-)?ndjson|(?:x-)?gzip|vnd\.)|text\/(?:xml|csv|tab-))/i;

interface BegunPart {
  readonly stream: Readable;
  readonly head: PartHead;
}

/**
 * A part with a file name, or of a type that only files have, is a file, whatever its field is
 * called, but for `fieldNames`. Refuses with `validation_failed` what is no multipart or ends early.
 */
export async function* readMultipart(
  boundary: string,
  chunks: AsyncIterable<Uint8Array>,
  fieldNames: readonly string[],
): AsyncGenerator<MultipartEvent> {
  const queue = new PartQueue();
  const parser = openParser(boundary, queue);
  const fed = feed(parser, chunks, queue);
  try {
    for (let part = await queue.next(); part !== null; part = await queue.next()) {
      yield* isFile(part.head, fieldNames) ? readFile(part, queue) : readField(part, queue);
    }
  } finally {
    queue.stop();
    parser.destroy();
    await fed;
  }
}

/** The parser for forms tells no charset of a part, so the one for parts is asked, on which it is built. */
function openParser(boundary: string, queue: PartQueue): Dicer {
  const parser = new Dicer({ boundary, maxHeaderPairs: HEADERS_MAX });
  let parts = 0;
  parser.on("part", (stream) => {
    // Without a listener the error of a part that is not taken would end the process.
    stream.on("error", (error: Error) => queue.fail(asFailure(error)));
    stream.on("header", (lines: object) => {
      parts++;
      if (parts > PARTS_MAX) queue.fail(malformed(`it has more than ${PARTS_MAX} parts`));
      const head = readPartHead(lines);
      if (head) queue.push({ stream, head });
      else stream.resume();
    });
  });
  parser.on("error", (error) => queue.fail(asFailure(error)));
  parser.on("finish", () => queue.end());
  return parser;
}

function isFile({ field, fileName, type }: PartHead, fieldNames: readonly string[]): boolean {
  return !fieldNames.includes(field) && (fileName !== "" || FILE_TYPE.test(type));
}

/** The parser's own back pressure: it asks for a pause while a file is not taken. */
async function feed(parser: Dicer, chunks: AsyncIterable<Uint8Array>, queue: PartQueue) {
  try {
    for await (const chunk of chunks) {
      if (queue.isOver) return;
      if (!parser.write(chunk)) await Promise.race([drained(parser), queue.over]);
    }
    parser.end();
  } catch (error) {
    queue.fail(error);
  }
}

function drained(parser: Dicer): Promise<void> {
  return new Promise((resolve) => {
    parser.once("drain", () => resolve());
  });
}

async function* readFile(part: BegunPart, queue: PartQueue): AsyncGenerator<MultipartEvent> {
  const { fileName, field, charset, type } = part.head;
  yield { kind: "file", name: fileName || field || "file", charset, isXml: isXmlType(type) };
  for await (const bytes of readPart(part, queue)) yield { kind: "bytes", bytes };
}

async function* readField(part: BegunPart, queue: PartQueue): AsyncGenerator<MultipartEvent> {
  const bytes = new Uint8Array(FIELD_BYTES_MAX);
  let filled = 0;
  for await (const chunk of readPart(part, queue)) {
    const taken = chunk.subarray(0, FIELD_BYTES_MAX - filled);
    bytes.set(taken, filled);
    filled += taken.length;
  }
  const text = new TextDecoder().decode(bytes.subarray(0, filled));
  yield { kind: "field", name: part.head.field, text };
}

async function* readPart({ stream }: BegunPart, queue: PartQueue): AsyncGenerator<Uint8Array> {
  queue.onFailure((error) => stream.destroy(error instanceof Error ? error : undefined));
  try {
    for await (const bytes of stream) yield bytes;
  } catch (error) {
    throw queue.failure ?? asFailure(error);
  }
  if (queue.failure) throw queue.failure;
}

class PartQueue {
  failure: unknown = null;
  isOver = false;
  readonly #over = Promise.withResolvers<void>();
  readonly #parts: BegunPart[] = [];
  #isEnded = false;
  #wake = () => {};
  #failed: (error: unknown) => void = () => {};

  /** Resolves when no more is asked for. */
  get over(): Promise<void> {
    return this.#over.promise;
  }

  push(part: BegunPart): void {
    this.#parts.push(part);
    this.#wake();
  }

  fail(error: unknown): void {
    this.failure ??= error;
    this.#failed(this.failure);
    this.#wake();
  }

  onFailure(listener: (error: unknown) => void): void {
    this.#failed = listener;
    if (this.failure) listener(this.failure);
  }

  end(): void {
    this.#isEnded = true;
    this.#wake();
  }

  stop(): void {
    this.isOver = true;
    this.#over.resolve();
  }

  /** Null at the end. */
  async next(): Promise<BegunPart | null> {
    for (;;) {
      if (this.failure) throw this.failure;
      const part = this.#parts.shift();
      if (part) return part;
      if (this.#isEnded) return null;
      await new Promise<void>((resolve) => this.#wake = resolve);
    }
  }
}

function asFailure(error: unknown): unknown {
  if (error instanceof Failure) return error;
  return malformed(error instanceof Error ? error.message : String(error), error);
}

function malformed(reason: string, cause?: unknown): Failure {
  const message = `The multipart body cannot be read: ${reason}`;
  return new Failure("validation_failed", message, undefined, { cause });
}

/** The Content-Type of an upload; `charset` is its own, or null. */
type UploadType =
  | { readonly kind: "raw"; readonly charset: string | null; readonly isXml: boolean }
  | { readonly kind: "multipart"; readonly boundary: string };

const XML = ["application/xml", "text/xml"];
/** Kinds of files that are told by their content, whatever they are called. */
const RAW = [
  ...XML,
  "application/zip",
  "application/gzip",
  "application/x-gzip",
  "text/csv",
  "text/tab-separated-values",
  "text/plain",
  "application/json",
  "application/x-ndjson",
  "application/ndjson",
  "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
  "application/vnd.ms-excel",
  "application/octet-stream",
];
const CURL_DEFAULT = "application/x-www-form-urlencoded";

/** No client writes a longer type; what is longer is not even read. */
const HEADER_CHARACTERS_MAX = 1_024;
/** RFC 2046 §5.1.1; the parser searches all of a body for it. */
const BOUNDARY_CHARACTERS_MAX = 70;
const BOUNDARY = /;\s*boundary\s*=\s*(?:"([^"]+)"|([^;\s]+))/i;

/**
 * Refuses with `unsupported_media_type`, in words that help users of curl
 * (docs/decisions/imports.md, "Bodies"), with `validation_failed` a form whose boundary is missing
 * or longer than 70 characters.
 */
export function uploadType(header: string | undefined): UploadType {
  if ((header ?? "").length > HEADER_CHARACTERS_MAX) {
    throw misfitType(`Must have at most ${HEADER_CHARACTERS_MAX} characters`);
  }
  const type = header?.split(";")[0]?.trim().toLowerCase() ?? "";
  if (RAW.includes(type)) {
    return { kind: "raw", charset: charsetOf(header ?? ""), isXml: isXmlType(type) };
  }
  if (type === "multipart/form-data") {
    return { kind: "multipart", boundary: boundaryOf(header ?? "") };
  }
  throw new Failure("unsupported_media_type", `${misfit(type)}: ${HINT}`, {
    accepted: [...RAW, "multipart/form-data"],
  });
}

/**
 * A body that was packed on its way is a file in gzip, which its content says as well. Refuses with
 * `unsupported_media_type` what is packed otherwise, and a packed form.
 */
export function requireKnownCoding(header: string | null, { kind }: UploadType): void {
  const coding = header?.trim().toLowerCase() ?? "";
  if (coding === "" || coding === "identity") return;
  const isGzip = coding === "gzip" || coding === "x-gzip";
  if (isGzip && kind === "raw") return;
  const what = isGzip ? "A form in gzip is not taken here" : `"${coding.slice(0, 100)}" is not`;
  const message = isGzip
    ? `${what}: pack the files in it instead`
    : `The Content-Encoding ${what} taken here: send "gzip", or the file as it is`;
  throw new Failure("unsupported_media_type", message, { accepted: ["gzip", "identity"] });
}

/** Whether a media type says that its content is XML. */
function isXmlType(type: string): boolean {
  return XML.includes(type.split(";")[0]?.trim().toLowerCase() ?? "");
}

const HINT = 'send XML with the header "Content-Type: application/xml" (curl: -H ' +
  '"Content-Type: application/xml" --data-binary @file.xml), CSV with "text/csv", a workbook or ' +
  'an archive with "application/octet-stream", or files as multipart/form-data (curl: -F file=@file.xml)';

function misfit(type: string): string {
  if (type === "") return "The Content-Type is missing";
  const shown = type.slice(0, 100);
  return type === CURL_DEFAULT
    ? `"${shown}" is what curl sends by itself and is not taken here`
    : `The Content-Type "${shown}" is not taken here`;
}

function boundaryOf(header: string): string {
  const [, quoted, plain] = BOUNDARY.exec(header) ?? [];
  const boundary = quoted ?? plain;
  if (boundary === undefined) throw misfitType("Names no boundary");
  if (boundary.length > BOUNDARY_CHARACTERS_MAX) {
    throw misfitType(`Has a boundary of more than ${BOUNDARY_CHARACTERS_MAX} characters`);
  }
  return boundary;
}

function misfitType(message: string): Failure {
  return refuseFields([{ path: "Content-Type", message }]);
}

/** The charset of a media type, as it is written; null when it names none. */
export function charsetOf(type: string): string | null {
  return /;\s*charset\s*=\s*(?:"([^"]*)"|([^;\s]+))/i.exec(type)?.slice(1).find(Boolean) ?? null;
}
