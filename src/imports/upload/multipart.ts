/** Files out of multipart/form-data, one after the other, as fast as they are taken. */
import { Dicer } from "@fastify/busboy";
import { Buffer } from "node:buffer";
import type { Readable } from "node:stream";
import { Failure } from "../../base/failure.ts";
import { charsetOf, isXmlType } from "./upload_type.ts";

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
export type MultipartEvent =
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
