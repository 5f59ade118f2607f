/** Shared parts of commands: printing, errors of the disk, modules loaded on demand. */
import { Failure } from "../../base/failure.ts";
import {
  DiskRefusal,
  type DiskTrouble,
  diskTroubleOf,
} from "../../platform/store/store_trouble.ts";

/** The terminal of a command: results go to standard output, everything else to standard error. */

const encoder = new TextEncoder();

/** Prints a line that a caller may process: a key, a URL, a result. */
export function print(line: string): void {
  writeAll(Deno.stdout, `${line}\n`);
}

/** Prints a line for a person: a refusal, a hint, a log line. */
export function printError(line: string): void {
  writeAll(Deno.stderr, `${line}\n`);
}

export function writeLog(text: string): void {
  writeAll(Deno.stderr, text);
}

export function writeOut(text: string): void {
  writeAll(Deno.stdout, text);
}

/** Writes a piece of a result that is no text, such as a workbook. */
export function writeBytes(bytes: Uint8Array): void {
  writeAllBytes(Deno.stdout, bytes);
}

interface Writer {
  writeSync(bytes: Uint8Array): number;
}

function writeAll(stream: Writer, text: string): void {
  writeAllBytes(stream, encoder.encode(text));
}

/** Writes in parts, because a pipe accepts only a part of a long text at a time. */
function writeAllBytes(stream: Writer, given: Uint8Array): void {
  let bytes = given;
  while (bytes.length > 0) bytes = bytes.subarray(stream.writeSync(bytes));
}

/** Reads all of standard input as text, for secrets, which must not appear in a process list. */
export async function readInput(): Promise<string> {
  return await new Response(Deno.stdin.readable).text();
}

/** Loads a module at the first call: all of the program takes most of a second. */
export function lazily<Args extends readonly unknown[], Result>(
  load: () => Promise<(...args: Args) => Result | Promise<Result>>,
): (...args: Args) => Promise<Result> {
  return async (...args) => await (await load())(...args);
}

/**
 * `work` writes to `folder`. Throws `unavailable` if that is read-only or full; `way` is an
 * alternative, such as "set DATA_DIR to another folder".
 */
export async function inFolder<T>(folder: string, way: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    // A disk error is reported once, for the innermost folder.
    if (error instanceof DiskRefusal) throw error;
    if (error instanceof Failure && error.cause === undefined) throw error;
    // SQLite and the store often report less than the system knows.
    const trouble = diskTroubleOf(error) ?? await probe(folder);
    throw trouble === null ? error : refusal(trouble, folder, way, error);
  }
}

function refusal(trouble: DiskTrouble, folder: string, way: string, cause: unknown): DiskRefusal {
  const message = trouble === "full"
    ? `The disk of the folder "${folder}" is full: make room there, or ${way}`
    : `The folder "${folder}" cannot be written to: give whoever runs this the right, or ${way}`;
  return new DiskRefusal(message, cause);
}

async function probe(folder: string): Promise<DiskTrouble | null> {
  const path = `${folder}/.kurant-probe-${Deno.pid}`;
  try {
    // Larger than the space that file systems reserve for small files.
    await Deno.writeFile(path, new Uint8Array(65_536));
    return null;
  } catch (error) {
    return diskTroubleOf(error);
  } finally {
    // If nothing could be written, there is nothing to remove.
    await Deno.remove(path).catch(() => {});
  }
}
