import { V8_FLAGS } from "./task_flags.ts";

/**
 * A program in its own process, so that its work is not measured. `line` is the first line of its
 * output.
 */
interface HelperProcess extends AsyncDisposable {
  readonly line: string;
}

/** Starts a program with all permissions. Fails if the program ends without output. */
export async function startHelper(file: URL, args: readonly string[] = []): Promise<HelperProcess> {
  const child = new Deno.Command(Deno.execPath(), {
    args: ["run", "--quiet", "--no-check", V8_FLAGS, "--allow-all", file.pathname, ...args],
    stdin: "null",
    stdout: "piped",
    stderr: "inherit",
  }).spawn();
  const reader = child.stdout.pipeThrough(new TextDecoderStream()).getReader();
  let line = "";
  while (!line.endsWith("\n")) {
    const { done, value } = await reader.read();
    if (done) throw new Error(`${file.pathname} ended after "${line}"`);
    line += value;
  }
  return {
    line: line.trim(),
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await Promise.all([child.status, reader.cancel()]);
    },
  };
}
