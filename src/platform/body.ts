/** Reading what a client sends, bounded in bytes, in time and in depth. */
import { Failure } from "../base/failure.ts";

/** A body must arrive faster than `bytesPerWindowMin` in each window, and whole within `totalMs`. */
export interface BodyPace {
  readonly windowMs: number;
  readonly bytesPerWindowMin: number;
  readonly totalMs: number;
}

/** Below 1 KiB/s over 30 s, or after 10 minutes, a client is taken for stalled. */
export const DEFAULT_BODY_PACE: BodyPace = {
  windowMs: 30_000,
  bytesPerWindowMin: 30 * 1024,
  totalMs: 600_000,
};

const JSON_BYTES_MAX = 1024 * 1024;
const JSON_DEPTH_MAX = 64;

/**
 * The chunks of a body as they come. Refuses with `payload_too_large` beyond `bytesMax` (declared
 * or counted), with `request_timeout` when the client stalls or hangs up: an abort signal alone
 * does not end a read reliably, so every read races the clock.
 */
export async function* readChunks(
  request: Request,
  bytesMax: number,
  pace: BodyPace,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  const declared = Number(request.headers.get("Content-Length") ?? 0);
  if (declared > bytesMax) throw tooLarge(bytesMax);
  if (request.body === null) return;
  const reader = request.body.getReader();
  const clock = startPace(pace);
  try {
    for (let total = 0;;) {
      const { done, value } = await beforeDeadline(
        reader.read().catch(refuseBrokenOff),
        clock.nextDeadlineMs(),
      );
      if (done) return;
      total += value.length;
      if (total > bytesMax) throw tooLarge(bytesMax);
      clock.count(value.length);
      yield value;
    }
  } finally {
    // A reader that is done or broken refuses to be cancelled: there is nothing left to stop then.
    reader.cancel().catch(() => {});
  }
}

/** A client that hangs up is no defect of the service; nobody reads this answer but the log. */
function refuseBrokenOff(cause: unknown): never {
  const message = "The body broke off before its end";
  throw new Failure("request_timeout", message, undefined, { cause });
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

async function beforeDeadline<T>(read: Promise<T>, deadlineMs: number): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const stalled = new Promise<never>((_, reject) => {
    timer = setTimeout(
      () => reject(new Failure("request_timeout", "The body came too slowly and was given up")),
      Math.max(0, deadlineMs - performance.now()),
    );
  });
  try {
    return await Promise.race([read, stalled]);
  } finally {
    clearTimeout(timer);
  }
}

/** A body's bytes, read whole: for JSON only, at most 1 MiB (decisions §1). */
export async function readJsonBytes(request: Request, pace: BodyPace): Promise<Uint8Array> {
  const chunks: Uint8Array[] = [];
  for await (const chunk of readChunks(request, JSON_BYTES_MAX, pace)) chunks.push(chunk);
  if (chunks.length === 1 && chunks[0]) return chunks[0];
  const bytes = new Uint8Array(chunks.reduce((sum, chunk) => sum + chunk.length, 0));
  let offset = 0;
  for (const chunk of chunks) {
    bytes.set(chunk, offset);
    offset += chunk.length;
  }
  return bytes;
}

/** The text of a JSON body. Refuses with `invalid_json` what is not UTF-8, not JSON, or nested deeper than 64. */
export function jsonText(bytes: Uint8Array): string {
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
    JSON.parse(text);
  } catch (cause) {
    const reason = cause instanceof Error ? cause.message : String(cause);
    throw new Failure("invalid_json", `The body is not valid JSON: ${reason}`, undefined, {
      cause,
    });
  }
  return text;
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
