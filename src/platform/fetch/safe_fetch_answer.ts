/**
 * Reads and decompresses HTTP/1.1 responses of untrusted servers (RFC 9112), with limits for their
 * size.
 */
import { joinedBytes } from "../../base/bytes.ts";
import { type Deadline, FetchTrouble } from "./fetch_limits.ts";
import {
  type BrotliDecompress,
  createBrotliDecompress,
  createGunzip,
  createInflate,
  createInflateRaw,
  type Gunzip,
  type Inflate,
  type InflateRaw,
} from "node:zlib";

export interface WireAnswer {
  readonly status: number;
  readonly headers: Headers;
  /** The body without chunked framing, still compressed; throws if the connection ends early. */
  readonly body: AsyncGenerator<Uint8Array, void>;
}

type WireSource = Pick<Deno.Conn, "read">;

/** Maximum total size of the headers of a response and of its interim (1xx) responses. */
const HEADS_BYTES_MAX = 128 * 1024;
const INTERIM_MAX = 20;
const READ_BYTES = 64 * 1024;
/** Limit for bytes that are not data, such as chunk sizes: 64 KiB plus 8 for each data byte. */
const FRAMING_BYTES = 64 * 1024;
const FRAMING_PER_DATA_BYTE = 8;

/** Throws `FetchTrouble` if a limit is exceeded, and other errors for bytes that are not HTTP. */
export async function readAnswer(source: WireSource): Promise<WireAnswer> {
  const inlet = new Inlet(source);
  for (let interim = 0; interim <= INTERIM_MAX; interim++) {
    const status = statusOf(await inlet.line());
    const headers = await readHeaders(inlet);
    if (status >= 200) return { status, headers, body: bodyOf(inlet, status, headers) };
    if (status === 101) throw new Error("The server switched to another protocol");
  }
  throw new FetchTrouble(
    "unreachable",
    `The server sent more than ${INTERIM_MAX} interim answers and no answer`,
  );
}

function statusOf(line: string): number {
  const status = /^HTTP\/1\.[01] ([1-9]\d\d)(?: |$)/.exec(line)?.[1];
  if (status === undefined) throw new Error("The server does not speak HTTP/1.1");
  return Number(status);
}

/** If a header in `SINGLE` is repeated, only its first value is used; other headers are joined. */
const SINGLE =
  /^(?:content-length|content-type|etag|last-modified|location|retry-after|cf-mitigated)$/i;

async function readHeaders(inlet: Inlet): Promise<Headers> {
  const headers = new Headers();
  for (let line = await inlet.line(); line !== ""; line = await inlet.line()) {
    const [, name, value = ""] = /^([!#$%&'*+.^`|~\w-]+):[ \t]*(.*)$/s.exec(line) ?? [];
    if (name === undefined || !/^[\x20-\x7e\x80-\xff\t]*$/.test(value)) continue;
    if (!SINGLE.test(name) || !headers.has(name)) headers.append(name, value);
  }
  return headers;
}

/** Returns ms from now; the header may contain seconds or a date (RFC 9110 §10.2.3). */
export function parseRetryAfter(header: string | null, nowMs: number): number | null {
  const text = header?.trim() ?? "";
  if (/^\d{1,9}$/.test(text)) return Number(text) * 1_000;
  const atMs = Date.parse(text);
  return Number.isNaN(atMs) ? null : Math.max(0, atMs - nowMs);
}

function bodyOf(inlet: Inlet, status: number, headers: Headers): WireAnswer["body"] {
  if (status === 204 || status === 304) return nothing();
  const coding = (headers.get("Transfer-Encoding") ?? "").trim().toLowerCase();
  if (coding === "chunked") return chunked(inlet);
  if (coding !== "") throw new Error("The server sends in an unknown transfer coding");
  const length = headers.get("Content-Length");
  if (length === null) return untilClosed(inlet);
  if (!/^\d{1,15}$/.test(length)) throw new Error("The length of the answer is not a number");
  return ofLength(inlet, Number(length));
}

async function* nothing(): AsyncGenerator<Uint8Array, void> {}

async function* ofLength(inlet: Inlet, length: number): AsyncGenerator<Uint8Array, void> {
  for (let left = length; left > 0;) {
    const piece = (await whole(inlet)).subarray(0, left);
    left -= piece.length;
    yield piece;
  }
}

async function* untilClosed(inlet: Inlet): AsyncGenerator<Uint8Array, void> {
  for (let piece = await ending(inlet); piece; piece = await ending(inlet)) yield piece;
}

/** Treats the end of a TLS connection without a closing message as the end of the body. */
async function ending(inlet: Inlet): Promise<Uint8Array | null> {
  try {
    return await inlet.piece();
  } catch (error) {
    if (error instanceof Deno.errors.UnexpectedEof) return null;
    throw error;
  }
}

async function* chunked(inlet: Inlet): AsyncGenerator<Uint8Array, void> {
  const chunks = new Chunks();
  while (!chunks.isOver) {
    const data = chunks.dataIn(await whole(inlet));
    if (data.length > 0) yield data;
  }
}

async function whole(inlet: Inlet): Promise<Uint8Array> {
  const piece = await inlet.piece();
  if (piece === null) throw new Error("The connection was closed within the answer");
  return piece;
}

class Inlet {
  readonly #source: WireSource;
  readonly #buffer = new Uint8Array(READ_BYTES);
  #unread: Uint8Array = new Uint8Array();
  #headBytes = 0;

  constructor(source: WireSource) {
    this.#source = source;
  }

  async line(): Promise<string> {
    let line = "";
    for (;;) {
      const piece = await whole(this);
      const end = piece.indexOf(LF);
      const part = piece.subarray(0, end < 0 ? piece.length : end + 1);
      this.#unread = piece.subarray(part.length);
      this.#headBytes += part.length;
      if (this.#headBytes > HEADS_BYTES_MAX) {
        throw new FetchTrouble(
          "too_large",
          `The head of the answer is over ${HEADS_BYTES_MAX} bytes`,
        );
      }
      line += latin1(part);
      if (end >= 0) return line.replace(/\r?\n$/, "");
    }
  }

  async piece(): Promise<Uint8Array | null> {
    const piece = this.#unread;
    this.#unread = new Uint8Array();
    if (piece.length > 0) return piece;
    const count = await this.#source.read(this.#buffer);
    return count === null ? null : this.#buffer.slice(0, count);
  }
}

const LF = 0x0a;

function latin1(bytes: Uint8Array): string {
  let text = "";
  for (const byte of bytes) text += String.fromCharCode(byte);
  return text;
}

class Chunks {
  #part: "size" | "data" | "gap" | "trailer" | "over" = "size";
  #line = "";
  #left = 0;
  #framingBytes = 0;
  #dataBytes = 0;

  get isOver(): boolean {
    return this.#part === "over";
  }

  /** Removes the chunk framing from `piece` in place, and returns the data. */
  dataIn(piece: Uint8Array): Uint8Array {
    let length = 0;
    for (let at = 0; at < piece.length && !this.isOver;) {
      if (this.#part !== "data") {
        this.#readFraming(piece[at++] ?? LF);
        continue;
      }
      const end = Math.min(at + this.#left, piece.length);
      piece.copyWithin(length, at, end);
      length += end - at;
      this.#left -= end - at;
      at = end;
      if (this.#left === 0) this.#part = "gap";
    }
    this.#dataBytes += length;
    if (this.#framingBytes > FRAMING_BYTES + FRAMING_PER_DATA_BYTE * this.#dataBytes) {
      throw new Error("The answer is more framing than data");
    }
    return piece.subarray(0, length);
  }

  #readFraming(byte: number): void {
    this.#framingBytes += 1;
    if (byte !== LF) {
      // Keep only the start of the line, which contains the size of the chunk.
      if (this.#line.length < 64) this.#line += String.fromCharCode(byte);
      return;
    }
    const line = this.#line.replace(/\r$/, "");
    this.#line = "";
    if (this.#part === "size") this.#begin(line);
    else if (line === "") this.#part = this.#part === "gap" ? "size" : "over";
    else if (this.#part === "gap") throw new Error("A chunk is longer than it says");
  }

  #begin(line: string): void {
    const size = /^([\da-f]{1,12})[ \t]*(?:;|$)/i.exec(line)?.[1];
    if (size === undefined) throw new Error("A chunk does not say how long it is");
    this.#left = parseInt(size, 16);
    this.#part = this.#left === 0 ? "trailer" : "data";
  }
}

export interface BodyLimits {
  readonly bytesMax: number;
  /** For a body above `bytesMax`, `refuse` throws `too_large`, and `cut` returns its beginning. */
  readonly onTooLarge: "refuse" | "cut";
  /** Waits until the body may use `bytes` bytes of memory. */
  readonly admit?: (bytes: number) => Promise<void>;
  /** Receives the body of a successful response in pieces; the result then has an empty body. */
  readonly take?: (piece: Uint8Array) => Promise<void>;
}

export const ACCEPTED_ENCODINGS = "gzip, deflate, br";

/** `bytesMax` limits both the compressed and the decoded bytes. */
export async function readBody(
  { headers, body }: Pick<WireAnswer, "headers" | "body">,
  limits: BodyLimits,
  deadline: Deadline,
): Promise<Uint8Array<ArrayBuffer>> {
  const { bytesMax, onTooLarge, admit, take } = limits;
  const sent = countingSent(body, limits);
  const encoding = (headers.get("Content-Encoding") ?? "").trim().toLowerCase();
  const isPlain = encoding === "" || encoding === "identity";
  const chunks: AsyncGenerator<Uint8Array> = isPlain ? sent : inflated(sent, encoding);
  const parts: Uint8Array[] = [];
  try {
    for (let bytes = 0; bytes <= bytesMax;) {
      const { done, value } = await deadline.race(chunks.next());
      if (done) break;
      bytes += value.length;
      if (bytes > bytesMax && onTooLarge === "refuse") throw tooLarge(bytesMax);
      if (!take) parts.push(value);
      else if (bytes <= bytesMax) await deadline.race(take(value));
      if (admit && bytes <= bytesMax) await deadline.race(admit(bytes));
    }
    return joinedBytes(parts).subarray(0, bytesMax);
  } finally {
    // Do not wait for the end of the chunks, because the server may send nothing more.
    chunks.return(undefined).catch(() => {});
  }
}

type SentEnd = "whole" | "cut";

async function* countingSent(
  body: WireAnswer["body"],
  { bytesMax, onTooLarge }: BodyLimits,
): AsyncGenerator<Uint8Array, SentEnd> {
  let bytes = 0;
  for await (const chunk of body) {
    bytes += chunk.length;
    yield chunk;
    if (bytes <= bytesMax) continue;
    if (onTooLarge === "cut") return "cut";
    throw tooLarge(bytesMax);
  }
  return "whole";
}

async function* inflated(
  sent: AsyncGenerator<Uint8Array, SentEnd>,
  encoding: string,
): AsyncGenerator<Uint8Array> {
  const first = await sent.next();
  if (first.done) return;
  const decoder = decoderFor(encoding, first.value);
  // Without a listener, an error of the decoder would end the process.
  decoder.on("error", () => {});
  const feeding = feed(decoder, first.value, sent);
  try {
    yield* decoder;
  } catch (cause) {
    const isBroken = cause instanceof Error && "code" in cause &&
      /^(Z_|ERR_)/.test(String(cause.code));
    if (!isBroken) throw cause;
    throw new FetchTrouble("unsupported_content", "The page's compression is broken", { cause });
  } finally {
    decoder.destroy();
    await Promise.race([feeding, Promise.resolve()]);
  }
}

type Decoder = Gunzip | Inflate | InflateRaw | BrotliDecompress;

function decoderFor(encoding: string, first: Uint8Array): Decoder {
  switch (encoding) {
    case "gzip":
    case "x-gzip":
      return createGunzip();
    case "deflate":
      // Some servers send `deflate` without the zlib header.
      return ((first[0] ?? 0) & 0x0f) === 8 ? createInflate() : createInflateRaw();
    case "br":
      return createBrotliDecompress();
    default:
      throw new FetchTrouble(
        "unsupported_content",
        `The page is sent in the unknown encoding "${encoding.slice(0, 40)}"`,
      );
  }
}

async function feed(
  decoder: Decoder,
  first: Uint8Array,
  sent: AsyncGenerator<Uint8Array, SentEnd>,
): Promise<void> {
  try {
    await write(decoder, first);
    let next = await sent.next();
    for (; !next.done; next = await sent.next()) {
      if (decoder.destroyed) return void await sent.return("cut");
      await write(decoder, next.value);
    }
    // For a cut body, call `flush`, because `end` would fail and lose decoded bytes.
    if (next.value === "cut") decoder.flush(() => decoder.push(null));
    else decoder.end();
  } catch (error) {
    decoder.destroy(error instanceof Error ? error : new Error(String(error)));
  }
}

function write(decoder: Decoder, chunk: Uint8Array): Promise<void> {
  return new Promise((resolve) => {
    if (decoder.destroyed || decoder.write(chunk)) return resolve();
    decoder.once("drain", resolve);
    decoder.once("close", resolve);
  });
}

function tooLarge(bytesMax: number): FetchTrouble {
  return new FetchTrouble("too_large", `The page is larger than ${bytesMax} bytes`);
}
