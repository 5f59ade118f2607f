/** The real program as a process of its own, on a folder of its own. */
import { buildClient } from "../built_client.ts";
import { readText } from "../process_text.ts";

/** What a finished command left behind. */
export interface Finished {
  readonly code: number;
  readonly out: string;
  readonly err: string;
}

/** A running server; disposing kills it when it still runs. */
export interface Server extends AsyncDisposable {
  readonly url: string;
  /** What it has printed on standard output, once the pattern is in it or the server has ended. */
  printed(pattern: RegExp): Promise<string>;
  /** Asks the task that people start the server by to stop, and waits for the end. */
  stop(signal: "SIGTERM" | "SIGINT"): Promise<Finished>;
  /** As `stop`, but asks all processes of the task at once, as terminals and service managers do. */
  stopGroup(signal: "SIGTERM" | "SIGINT"): Promise<Finished>;
  /** Ends the server itself without a word, as a crash does. */
  crash(): Promise<Finished>;
}

const decoder = new TextDecoder();

/** Only what a test says is in the environment, and what a program needs to run at all. */
function environment(settings: Record<string, string>): Record<string, string> {
  const kept = ["PATH", "HOME", "DENO_DIR", "TMPDIR"].flatMap((name) => {
    const value = Deno.env.get(name);
    return value === undefined ? [] : [[name, value] as const];
  });
  return { ...Object.fromEntries(kept), NO_COLOR: "1", ...settings };
}

/** By the tasks that people use, so that a test fails when their permissions are too tight. */
function command(
  args: readonly string[],
  settings: Record<string, string>,
  detached = false,
): Deno.Command {
  return new Deno.Command(Deno.execPath(), {
    args: ["task", "--quiet", ...args],
    detached,
    env: environment(settings),
    clearEnv: true,
    stdin: "piped",
    stdout: "piped",
    stderr: "piped",
  });
}

/** Runs a command to its end, with `input` on its standard input. */
export async function kurant(
  args: readonly string[],
  settings: Record<string, string>,
  input = "",
): Promise<Finished> {
  const child = command(["kurant", ...args], settings).spawn();
  const writer = child.stdin.getWriter();
  // A command that reads no input may be gone before it is written.
  await writer.write(new TextEncoder().encode(input)).then(() => writer.close()).catch(() => {});
  const { code, stdout, stderr } = await child.output();
  return { code, out: decoder.decode(stdout), err: decoder.decode(stderr) };
}

const { tasks } = JSON.parse(await Deno.readTextFile("deno.json"));

/**
 * The task "start" as it is, but for the network and for the pages, which are built already: whatever a test stores, its server asks nobody
 * outside of this machine for the address of a name.
 */
function startHere(): string[] {
  const { command } = tasks.start;
  const here = command.replace(" --allow-net ", " --allow-net=127.0.0.1,localhost ");
  if (here === command) throw new Error("The task no longer allows the network as a whole");
  return ["--eval", here];
}

/** Starts `serve`, or another task that serves, on a free port and waits until it listens. */
export async function startServer(
  settings: Record<string, string>,
  task: readonly string[] = startHere(),
): Promise<Server> {
  await buildClient();
  // In a group of its own, so that one signal can go to the task and all that it has started.
  const child = command(task, { PORT: "0", LOG_FORMAT: "json", ...settings }, true).spawn();
  await child.stdin.close();
  const out = readText(child.stdout);
  const err = readText(child.stderr);
  const line = await out.until(/Kurant listens on (\S+)/);
  if (line === null) {
    await child.status;
    throw new Error(`serve did not start: ${out.text()}${err.text()}`);
  }
  const finish = async (): Promise<Finished> => {
    const { code } = await child.status;
    await Promise.all([out.ended, err.ended]);
    return { code, out: out.text(), err: err.text() };
  };
  let isOver = false;
  return {
    url: line[1]!,
    async printed(pattern) {
      await out.until(pattern);
      return out.text();
    },
    async stop(signal) {
      isOver = true;
      child.kill(signal);
      return await finish();
    },
    async stopGroup(signal) {
      isOver = true;
      Deno.kill(-child.pid, signal);
      return await finish();
    },
    async crash() {
      isOver = true;
      const pid = (await err.until(/"event":"listening".*"pid":(\d+)/))?.[1];
      Deno.kill(Number(pid), "SIGKILL");
      return await finish();
    },
    async [Symbol.asyncDispose]() {
      if (!isOver) child.kill("SIGTERM");
      await finish();
    },
  };
}

/** A folder for a store, removed at the end. */
export async function temporaryFolder(): Promise<{ readonly path: string } & AsyncDisposable> {
  const path = await Deno.makeTempDir({ prefix: "kurant-test-" });
  return { path, [Symbol.asyncDispose]: () => Deno.remove(path, { recursive: true }) };
}
