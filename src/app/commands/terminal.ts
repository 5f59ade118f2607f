/** Results of commands go to standard output, all other messages to standard error. */
import { encoder } from "../../base/bytes.ts";
import { Failure, type FailureCode } from "../../base/failure.ts";

export const print = (line: string): void => writeOut(`${line}\n`);
export const printError = (line: string): void => writeLog(`${line}\n`);
export const writeLog = (text: string): void => writeAll(Deno.stderr, text);
export const writeOut = (content: string | Uint8Array): void => writeAll(Deno.stdout, content);

/** Calls `writeSync` repeatedly, because a pipe may accept only some of the bytes per call. */
function writeAll(stream: typeof Deno.stdout, content: string | Uint8Array): void {
  let bytes = typeof content === "string" ? encoder.encode(content) : content;
  while (bytes.length > 0) bytes = bytes.subarray(stream.writeSync(bytes));
}

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
