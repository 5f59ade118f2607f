/** The terminal of a command: results on standard output, everything else on standard error. */

const encoder = new TextEncoder();

/** A line that a caller may read on: a key, a URL, a result. */
export function print(line: string): void {
  writeAll(Deno.stdout, `${line}\n`);
}

/** A line for a person: a refusal, a hint, a log line. */
export function printError(line: string): void {
  writeAll(Deno.stderr, `${line}\n`);
}

/** Text as it is, for writers that end their lines themselves. */
export function writeLog(text: string): void {
  writeAll(Deno.stderr, text);
}

/** A piece of a result as it is, for results that end their lines themselves. */
export function writeOut(text: string): void {
  writeAll(Deno.stdout, text);
}

/** A pipe takes part of a long text at a time. */
function writeAll(stream: { writeSync(bytes: Uint8Array): number }, text: string): void {
  let bytes = encoder.encode(text);
  while (bytes.length > 0) bytes = bytes.subarray(stream.writeSync(bytes));
}

/** All of standard input as text: for secrets, which must not stand in a process list. */
export async function readInput(): Promise<string> {
  return await new Response(Deno.stdin.readable).text();
}
