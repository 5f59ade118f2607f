/** Files out of multipart/form-data, one after the other, as fast as they are taken. */
import { Busboy, type BusboyInstance } from "@fastify/busboy";
import type { Readable } from "node:stream";
import { Failure } from "../../base/failure.ts";
import { charsetOf } from "./upload_type.ts";

/** A file that begins, or the next bytes of the one that began last. */
export type MultipartEvent =
  | { readonly kind: "file"; readonly name: string; readonly charset: string | null }
  | { readonly kind: "bytes"; readonly bytes: Uint8Array }
  | { readonly kind: "field"; readonly name: string; readonly text: string };

const PARTS_MAX = 1_000;
const FIELD_BYTES_MAX = 262_144;
const FILE_TYPE = /^(application\/(xml|zip|octet-stream)|text\/xml)\b/i;

interface BegunFile {
  readonly stream: Readable;
  readonly name: string;
  readonly charset: string | null;
}

/**
 * A part with a file name, or of a type that only files have, is a file, whatever its field is
 * called, but for `fieldNames`. Refuses with `validation_failed` what is no multipart or ends early.
 */
export async function* readMultipart(
  contentType: string,
  chunks: AsyncIterable<Uint8Array>,
  fieldNames: readonly string[],
): AsyncGenerator<MultipartEvent> {
  const parser = openParser(contentType, fieldNames);
  const queue = new EventQueue();
  parser.on("file", (field, stream, fileName, _encoding, type) => {
    queue.push({ stream, name: fileName || field || "file", charset: charsetOf(type) });
  });
  parser.on("field", (name, text) => queue.push({ kind: "field", name, text }));
  parser.on("partsLimit", () => queue.fail(malformed(`it has more than ${PARTS_MAX} parts`)));
  parser.on("error", (error) => queue.fail(asFailure(error)));
  parser.on("finish", () => queue.end());

  const fed = feed(parser, chunks, queue);
  try {
    for (let next = await queue.next(); next !== null; next = await queue.next()) {
      if ("kind" in next) yield next;
      else yield* readFile(next, queue);
    }
  } finally {
    queue.stop();
    parser.destroy();
    await fed;
  }
}

function openParser(contentType: string, fieldNames: readonly string[]): BusboyInstance {
  try {
    return new Busboy({
      headers: { "content-type": contentType },
      limits: { parts: PARTS_MAX, fieldSize: FIELD_BYTES_MAX, headerPairs: 100 },
      isPartAFile: (field, type, fileName) =>
        !fieldNames.includes(field ?? "") && (Boolean(fileName) || FILE_TYPE.test(type ?? "")),
    });
  } catch (cause) {
    throw asFailure(cause);
  }
}

/** The parser's own back pressure: it asks for a pause while a file is not taken. */
async function feed(parser: BusboyInstance, chunks: AsyncIterable<Uint8Array>, queue: EventQueue) {
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

function drained(parser: BusboyInstance): Promise<void> {
  return new Promise((resolve) => {
    parser.once("drain", () => resolve());
  });
}

async function* readFile(file: BegunFile, queue: EventQueue): AsyncGenerator<MultipartEvent> {
  const { stream, name, charset } = file;
  yield { kind: "file", name, charset };
  queue.onFailure((error) => stream.destroy(error instanceof Error ? error : undefined));
  try {
    for await (const bytes of stream) yield { kind: "bytes", bytes };
  } catch (error) {
    throw queue.failure ?? asFailure(error);
  }
  if (queue.failure) throw queue.failure;
}

/** What the parser tells, until it is asked for. */
class EventQueue {
  failure: unknown = null;
  isOver = false;
  readonly over: Promise<void>;
  readonly #events: (BegunFile | Extract<MultipartEvent, { kind: "field" }>)[] = [];
  #isEnded = false;
  #wake = () => {};
  #setOver = () => {};
  #failed: (error: unknown) => void = () => {};

  constructor() {
    this.over = new Promise((resolve) => this.#setOver = resolve);
  }

  push(event: BegunFile | Extract<MultipartEvent, { kind: "field" }>): void {
    this.#events.push(event);
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

  /** Nobody asks any more. */
  stop(): void {
    this.isOver = true;
    this.#setOver();
  }

  /** Null at the end. */
  async next() {
    for (;;) {
      if (this.failure) throw this.failure;
      const event = this.#events.shift();
      if (event) return event;
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
