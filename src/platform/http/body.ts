/**
 * Reads request bodies, with limits for size, time and nesting, and for the memory of all bodies
 * together.
 */
import { Failure } from "../../base/failure.ts";

/** A sender must send `bytesPerWindowMin` bytes in each `windowMs`, and end within `totalMs`. */
export const DEFAULT_BODY_PACE = {
  windowMs: 30_000,
  bytesPerWindowMin: 30 * 1024,
  totalMs: 600_000,
};
export type BodyPace = Readonly<typeof DEFAULT_BODY_PACE>;

const JSON_DEPTH_MAX = 64;
const FIRST_ROOM_BYTES = 4096;
const BLOCK_BYTES = 65_536;

class BodyReading implements Disposable {
  readonly #bytesMax: number;
  readonly #reader: ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>> | null;
  readonly #pace: BodyPace;
  readonly #endsAtMs: number;
  #windowEndsAtMs: number;
  #windowBytes = 0;
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
    this.#pace = pace;
    this.#endsAtMs = performance.now() + pace.totalMs;
    this.#windowEndsAtMs = performance.now() + pace.windowMs;
    this.#watch();
  }

  /** Returns the next chunk of the body, which is valid only until `next` is called again. */
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
    if (this.#failure) throw this.#failure;
    if (done) return null;
    this.#total += value.length;
    if (this.#total > this.#bytesMax) throw tooLarge(this.#bytesMax);
    this.#windowBytes += value.length;
    if (this.#windowBytes >= this.#pace.bytesPerWindowMin) {
      this.#windowBytes = 0;
      this.#windowEndsAtMs = performance.now() + this.#pace.windowMs;
    }
    this.#last = value;
    return value;
  }

  giveUp(failure: Failure): void {
    this.#failure ??= failure;
    this.#refuse(this.#failure);
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer);
    // `cancel` rejects if reading the body has already failed.
    this.#reader?.cancel().catch(() => {});
  }

  #watch(): void {
    const leftMs = Math.min(this.#windowEndsAtMs, this.#endsAtMs) - performance.now();
    if (leftMs > 0) this.#timer = setTimeout(() => this.#watch(), leftMs);
    else this.giveUp(new Failure("request_timeout", "The body arrived too slowly: send it again"));
  }
}

function brokenOff(cause: unknown): Failure {
  const message = "The body ended too early: send it again";
  return new Failure("request_timeout", message, undefined, { cause });
}

function tooLarge(bytesMax: number): Failure {
  return new Failure("payload_too_large", `The body is larger than ${bytesMax} bytes`, {
    bytesMax,
  });
}

/** Yields blocks of `BLOCK_BYTES`; only the last block may be shorter. */
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

export async function readJsonBytes(
  request: Request,
  pace: BodyPace,
  memory: BodyMemory,
  bytesMax = 1024 * 1024,
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

/** A buffer that frees its old memory when it grows, without waiting for garbage collection. */
class GatheredBytes implements Disposable {
  readonly #bytesMax: number;
  #buffer = new ArrayBuffer(FIRST_ROOM_BYTES);
  #filled = 0;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

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

  take(): Uint8Array {
    return new Uint8Array(this.#buffer.transfer(this.#filled));
  }

  [Symbol.dispose](): void {
    this.#buffer = this.#buffer.detached ? this.#buffer : this.#buffer.transfer(0);
    this.#filled = 0;
  }
}

export function decodeText(bytes: Uint8Array): string {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

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

/** An invalid line becomes `null`, and an empty line is skipped. */
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

type GiveUp = (failure: Failure) => void;

export class BodyMemory {
  readonly #bytesMax: number;
  readonly #held = new Map<GiveUp, number>();
  #total = 0;

  constructor(bytesMax: number) {
    this.#bytesMax = bytesMax;
  }

  /** If all bodies together exceed `bytesMax`, the largest body is refused with `unavailable`. */
  share(giveUp: GiveUp) {
    this.#held.set(giveUp, 0);
    return {
      grow: (bytes: number): void => {
        const before = this.#held.get(giveUp);
        if (before === undefined) return;
        this.#held.set(giveUp, bytes);
        this.#total += bytes - before;
        this.#makeRoom();
      },
      [Symbol.dispose]: () => this.#leave(giveUp),
    };
  }

  #leave(giveUp: GiveUp): void {
    this.#total -= this.#held.get(giveUp) ?? 0;
    this.#held.delete(giveUp);
  }

  #makeRoom(): void {
    while (this.#total > this.#bytesMax) {
      const [largest] = [...this.#held].reduce((most, one) => one[1] > most[1] ? one : most);
      this.#leave(largest);
      const message = "Too much data is being sent at once: try again in a few seconds";
      largest(new Failure("unavailable", message));
    }
  }
}
