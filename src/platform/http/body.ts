/** Reads request bodies with limits of bytes, time and depth. */
import { Failure } from "../../base/failure.ts";
import type { BodyMemory } from "./body_memory.ts";

/**
 * A body must arrive faster than `bytesPerWindowMin` in each window, and whole within `totalMs`.
 */
export interface BodyPace {
  readonly windowMs: number;
  readonly bytesPerWindowMin: number;
  readonly totalMs: number;
}

/** A client counts as stalled below 1 KiB/s over 30 s, or after 10 minutes. */
export const DEFAULT_BODY_PACE: BodyPace = {
  windowMs: 30_000,
  bytesPerWindowMin: 30 * 1024,
  totalMs: 600_000,
};

const JSON_BYTES_MAX = 1024 * 1024;
const JSON_DEPTH_MAX = 64;
/** Initial buffer of a body that is read completely; it doubles when it is full. */
const FIRST_ROOM_BYTES = 4096;
const BLOCK_BYTES = 65_536;

/**
 * A body as it is read. Refuses with `payload_too_large` beyond `bytesMax` (declared or counted),
 * with `request_timeout` when the client stalls or hangs up: an abort signal alone does not end a
 * read reliably, so every read races the clock.
 */
class BodyReading implements Disposable {
  readonly #bytesMax: number;
  readonly #reader: ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>> | null;
  readonly #clock: ReturnType<typeof startPace>;
  #last: Uint8Array<ArrayBuffer> | null = null;
  #total = 0;
  #failure: Failure | null = null;
  #refuse: (failure: Failure) => void = () => {};
  #timer: ReturnType<typeof setTimeout> | undefined;

  constructor(request: Request, bytesMax: number, pace: BodyPace) {
    const declared = Number(request.headers.get("Content-Length") ?? 0);
    if (declared > bytesMax) throw tooLarge(bytesMax);
    this.#bytesMax = bytesMax;
    this.#reader = request.body?.getReader() ?? null;
    this.#clock = startPace(pace);
    this.#watch();
  }

  /**
   * The next chunk, `null` at the end. Valid until the next read: the engine gives each chunk a
   * buffer of 64 KiB, even of one byte, and waiting for the garbage collector takes long.
   */
  async next(): Promise<Uint8Array<ArrayBuffer> | null> {
    if (this.#reader === null) return null;
    const reader = this.#reader;
    this.#last?.buffer.transfer(0);
    this.#last = null;
    const { done, value } = await new Promise<
      ReadableStreamReadResult<Uint8Array<ArrayBuffer>>
    >((resolve, reject) => {
      if (this.#failure) return reject(this.#failure);
      this.#refuse = reject;
      reader.read().then(resolve, (cause) => reject(brokenOff(cause)));
    });
    // The body was given up after the last read.
    if (this.#failure) throw this.#failure;
    if (done) return null;
    this.#total += value.length;
    if (this.#total > this.#bytesMax) throw tooLarge(this.#bytesMax);
    this.#clock.count(value.length);
    this.#last = value;
    return value;
  }

  /** The current or next read throws this. */
  giveUp(failure: Failure): void {
    this.#failure ??= failure;
    this.#refuse(this.#failure);
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
    // A finished or broken reader cannot be cancelled, but then there is nothing to stop.
    this.#reader?.cancel().catch(() => {});
  }

  /** One timer for a body, however many reads it takes: deadlines only move away. */
  #watch(): void {
    const restMs = this.#clock.nextDeadlineMs() - performance.now();
    this.#timer = setTimeout(() => {
      if (this.#clock.nextDeadlineMs() > performance.now()) return this.#watch();
      this.giveUp(new Failure("request_timeout", "The body came too slowly and was given up"));
    }, Math.max(0, restMs));
  }
}

/** A client that hangs up is no defect of the service; only the log reads this answer. */
function brokenOff(cause: unknown): Failure {
  const message = "The body broke off before its end";
  return new Failure("request_timeout", message, undefined, { cause });
}

function tooLarge(bytesMax: number): Failure {
  return new Failure("payload_too_large", `The body is larger than ${bytesMax} bytes`, {
    bytesMax,
  });
}

function startPace({ windowMs, bytesPerWindowMin, totalMs }: BodyPace) {
  const endsAt = performance.now() + totalMs;
  let windowEndsAt = performance.now() + windowMs;
  let bytes = 0;
  return {
    nextDeadlineMs: () => Math.min(windowEndsAt, endsAt),
    count(length: number) {
      bytes += length;
      if (bytes < bytesPerWindowMin) return;
      bytes = 0;
      windowEndsAt = performance.now() + windowMs;
    },
  };
}

/**
 * A body in full blocks of 64 KiB (the last one may be smaller), each with memory of its own, in
 * however small pieces it came. Refuses with `payload_too_large` beyond `bytesMax`, with
 * `request_timeout` when the client stalls or hangs up.
 */
export async function* readBlocks(
  request: Request,
  bytesMax: number,
  pace: BodyPace,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  using body = new BodyReading(request, bytesMax, pace);
  let block = new Uint8Array(BLOCK_BYTES);
  let filled = 0;
  for (let chunk = await body.next(); chunk !== null; chunk = await body.next()) {
    for (let taken = 0; taken < chunk.length;) {
      const part = chunk.subarray(taken, taken + BLOCK_BYTES - filled);
      block.set(part, filled);
      filled += part.length;
      taken += part.length;
      if (filled < BLOCK_BYTES) continue;
      yield block;
      block = new Uint8Array(BLOCK_BYTES);
      filled = 0;
    }
  }
  if (filled > 0) yield block.subarray(0, filled);
}

/**
 * A body's bytes, read whole: for JSON and pasted text only, at most 1 MiB where a route does not say
 * otherwise (docs/decisions/http.md). Refuses with `unavailable` when all bodies together hold more than
 * `memory` has.
 */
export async function readJsonBytes(
  request: Request,
  pace: BodyPace,
  memory: BodyMemory,
  bytesMax = JSON_BYTES_MAX,
): Promise<Uint8Array> {
  using body = new BodyReading(request, bytesMax, pace);
  using gathered = new GatheredBytes(bytesMax);
  using share = memory.share((failure) => {
    gathered[Symbol.dispose]();
    body.giveUp(failure);
  });
  for (let chunk = await body.next(); chunk !== null; chunk = await body.next()) {
    gathered.add(chunk);
    share.grow(gathered.room);
  }
  return gathered.take();
}

/** Bytes in one piece of memory that grows with them; what they outgrow is freed at once. */
class GatheredBytes implements Disposable {
  readonly #bytesMax: number;
  #buffer = new ArrayBuffer(FIRST_ROOM_BYTES);
  #filled = 0;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  /** Bytes of memory. */
  get room(): number {
    return this.#buffer.byteLength;
  }

  add(chunk: Uint8Array): void {
    const needed = this.#filled + chunk.length;
    if (needed > this.room) {
      const doubled = Math.min(this.#bytesMax, 2 * this.room);
      this.#buffer = this.#buffer.transfer(Math.max(needed, doubled));
    }
    new Uint8Array(this.#buffer).set(chunk, this.#filled);
    this.#filled = needed;
  }

  /** Nothing is left here. */
  take(): Uint8Array {
    return new Uint8Array(this.#buffer.transfer(this.#filled));
  }

  [Symbol.dispose](): void {
    this.#buffer = this.#buffer.detached ? this.#buffer : this.#buffer.transfer(0);
    this.#filled = 0;
  }
}

/** The text of a body: UTF-8 or, where it is invalid, Windows-1252. */
export function decodeText(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

/**
 * The JSON of a body. Refuses with `invalid_json` what is not UTF-8, not JSON, or nested deeper
 * than 64.
 */
export function parseJson(bytes: Uint8Array): unknown {
  let text: string;
  try {
    text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new Failure("invalid_json", "The body is not valid UTF-8", undefined, { cause });
  }
  if (text.trim() === "") throw new Failure("invalid_json", "The body is empty, JSON is expected");
  if (isDeeperThan(text, JSON_DEPTH_MAX)) {
    throw new Failure("invalid_json", `The JSON is nested deeper than ${JSON_DEPTH_MAX}`);
  }
  try {
    return JSON.parse(text);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Failure("invalid_json", `The body is not valid JSON: ${reason}`, undefined, {
      cause,
    });
  }
}

/**
 * The lines of an NDJSON body, `null` for one that is no JSON: each is judged separately by its
 * place. Empty lines are skipped.
 */
export function parseLines(bytes: Uint8Array): unknown[] {
  const values: unknown[] = [];
  let from = 0;
  for (let at = 0; at <= bytes.length; at++) {
    if (at < bytes.length && bytes[at] !== LINE_FEED) continue;
    const line = bytes.subarray(from, at);
    from = at + 1;
    if (line.every((byte) => byte <= BLANK)) continue;
    values.push(parsedOrNull(line));
  }
  return values;
}

const LINE_FEED = 0x0a;
const BLANK = 0x20;

function parsedOrNull(line: Uint8Array): unknown {
  try {
    return parseJson(line);
  } catch (error) {
    // The item is identified by its index, because the engine's message names no line.
    if (error instanceof Failure) return null;
    throw error;
  }
}

function isDeeperThan(json: string, depthMax: number): boolean {
  let depth = 0;
  let isInString = false;
  for (let at = 0; at < json.length; at++) {
    const char = json[at];
    if (isInString) {
      if (char === "\\") at++;
      else if (char === '"') isInString = false;
    } else if (char === '"') isInString = true;
    else if (char === "{" || char === "[") {
      if (++depth > depthMax) return true;
    } else if (char === "}" || char === "]") depth--;
  }
  return false;
}
