/** Results of commands go to standard output, all other messages to standard error. */
import { encoder } from "../../base/bytes.ts";
import { Failure, type FailureCode } from "../../base/failure.ts";
import {
  DiskRefusal,
  type DiskTrouble,
  diskTroubleOf,
} from "../../platform/store/store_trouble.ts";

export const print = (line: string): void => writeOut(`${line}\n`);
export const printError = (line: string): void => writeLog(`${line}\n`);
export const writeLog = (text: string): void => writeAll(Deno.stderr, text);
export const writeOut = (content: string | Uint8Array): void => writeAll(Deno.stdout, content);

/** A pipe may take only some of the bytes in one call of `writeSync`. */
function writeAll(stream: typeof Deno.stdout, content: string | Uint8Array): void {
  let bytes = typeof content === "string" ? encoder.encode(content) : content;
  while (bytes.length > 0) bytes = bytes.subarray(stream.writeSync(bytes));
}

/** The error says why the file cannot be read. If `cause` is a `Failure`, returns `cause`. */
export function unreadable(
  what: string,
  cause: unknown,
  code: FailureCode = "validation_failed",
): Failure {
  if (cause instanceof Failure) return cause;
  const reason = cause instanceof Error ? cause.message : String(cause);
  return new Failure(code, `${what} cannot be read: ${reason}`, undefined, { cause });
}

/** Secrets are read from standard input, because process lists show arguments. */
export async function readInput(): Promise<string> {
  return await new Response(Deno.stdin.readable).text();
}

/** Throws `unavailable` with the advice `way` if `folder` is not writable or its disk is full. */
export async function inFolder<T>(folder: string, way: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    // A nested call of `inFolder` has already replaced the error.
    if (error instanceof DiskRefusal) throw error;
    if (error instanceof Failure && error.cause === undefined) throw error;
    // If SQLite's error does not name the cause, a test write shows the cause.
    const trouble = diskTroubleOf(error) ?? await probe(folder);
    throw trouble === null ? error : refusal(trouble, folder, way, error);
  }
}

function refusal(trouble: DiskTrouble, folder: string, way: string, cause: unknown): DiskRefusal {
  const message = trouble === "full"
    ? `The disk of the folder "${folder}" is full: make room there, or ${way}`
    : `The folder "${folder}" cannot be written to: give the user of this program write access, ` +
      `or ${way}`;
  return new DiskRefusal(message, cause);
}

async function probe(folder: string): Promise<DiskTrouble | null> {
  const path = `${folder}/.kurant-probe-${Deno.pid}`;
  try {
    // A full file system may still have space for a small file, so this file is larger.
    await Deno.writeFile(path, new Uint8Array(65_536));
    return null;
  } catch (error) {
    return diskTroubleOf(error);
  } finally {
    await Deno.remove(path).catch(() => {});
  }
}
