import { buildClient } from "./built_client.ts";
import { findDisagreements } from "../src/app/commands/check_store.ts";
import { allowed } from "../src/app/commands/allowed.ts";
import { readConfig } from "../src/app/composition/config.ts";
import { openStore, storeFile } from "../src/platform/store/open_store.ts";
import type { Store } from "../src/platform/store/kv.ts";
import { sizeOf } from "../src/platform/store/store_file.ts";
import { createCaller } from "./caller.ts";
import { closing } from "./closing_store.ts";
import { newOwnerSession } from "./owner_session.ts";
import { tasks, V8_FLAGS } from "./task_flags.ts";

export interface Finished {
  readonly code: number;
  /** The signal that killed the process; null if it ended by itself. */
  readonly signal: Deno.Signal | null;
  readonly out: string;
  readonly err: string;
}

export type Server = Awaited<ReturnType<typeof startServer>>;

export type LiveServer = Awaited<ReturnType<typeof startLiveServer>>;

/** A program that starts without `deno task`; by default, it has all permissions. */
export interface OwnProgram {
  readonly flags?: readonly string[];
  readonly v8Flags?: string;
  readonly entry?: string;
  readonly cwd?: string;
  readonly descriptorsMax?: number;
  /** The program appends its log to this file; by default, the log stays in memory. */
  readonly logPath?: string;
}

/** By default, the server starts without `deno task`, with the permissions of the task `start`. */
export interface Launch {
  readonly task?: readonly string[];
  readonly program?: OwnProgram;
}

/** The program has all permissions. `SMALL_HEAP` sets the same variable as the task `start`. */
export const AS_STARTED: Launch = { program: {} };
export const SMALL_HEAP = { MALLOC_ARENA_MAX: "2" } as const;

const decoder = new TextDecoder();
/** How long opening a store waits, in milliseconds, while a server writes to its file. */
const BUSY_MS = 30_000;

function optionsOf(settings: Record<string, string>) {
  const needed = ["PATH", "HOME", "DENO_DIR", "TMPDIR"];
  const kept = Object.entries(Deno.env.toObject()).filter(([name]) => needed.includes(name));
  const env = { ...Object.fromEntries(kept), NO_COLOR: "1", ...settings };
  return { env, clearEnv: true, stdin: "piped", stdout: "piped", stderr: "piped" } as const;
}

/** Restricts a task's network access to this machine. */
function here(command: string): string {
  const here = command.replace(" --allow-net ", " --allow-net=127.0.0.1,localhost ");
  if (here === command) throw new Error("The task no longer allows the network as a whole");
  return here;
}

/** The command of the task `start`, without its first part, which builds the client. */
const START = here(tasks.start.command);

/** For tests of how `deno task` passes on signals and parses the command. */
export const BY_TASK: Launch = { task: ["--eval", START] };

export const BY_TASK_KURANT: Launch = { task: ["--eval", `${here(tasks.kurant)} serve`] };

function taskCommand(
  args: readonly string[],
  settings: Record<string, string>,
  detached = false,
): Deno.Command {
  return new Deno.Command(Deno.execPath(), {
    args: ["task", "--quiet", ...args],
    detached,
    ...optionsOf(settings),
  });
}

/**
 * Runs a task's command without `deno task`, with the same permissions and flags. Replaces calls of
 * `allowed.ts` by their output.
 */
function asTask(
  command: string,
  args: readonly string[],
  settings: Record<string, string>,
): Deno.Command {
  const list = (_: string, kind: string) =>
    allowed(kind, (name) => settings[name]).join(",").replaceAll(/["$`\\]/g, "\\$&");
  const line = command
    .replaceAll(/\$\(deno run -qE src\/app\/commands\/allowed\.ts (\w+)\)/g, list)
    .replace(/(?<=&& )deno run /, 'exec "$0" run ');
  if (!line.includes("exec") || line.includes("$(")) throw new Error(`Another task: ${command}`);
  return new Deno.Command("sh", {
    args: ["-c", `${line} "$@"`, Deno.execPath(), ...args],
    ...optionsOf(settings),
  });
}

function ownCommand(
  { flags = ["--allow-all"], v8Flags = V8_FLAGS, entry = "main.ts", ...own }: OwnProgram,
  args: readonly string[],
  settings: Record<string, string>,
): Deno.Command {
  const { cwd, descriptorsMax, logPath } = own;
  const all = ["run", "--quiet", "--no-prompt", v8Flags, ...flags];
  const program = [Deno.execPath(), ...all, entry, ...args];
  const limit = descriptorsMax === undefined ? "" : `ulimit -n ${descriptorsMax} && `;
  return new Deno.Command("sh", {
    args: ["-c", `${limit}exec "$@"${logPath ? ` 2>>"${logPath}"` : ""}`, "sh", ...program],
    ...(cwd !== undefined && { cwd }),
    ...optionsOf(settings),
  });
}

export function kurant(
  args: readonly string[],
  settings: Record<string, string>,
  input = "",
): Promise<Finished> {
  return runToTheEnd(asTask(tasks.kurant, args, settings), input);
}

export function kurantTask(
  args: readonly string[],
  settings: Record<string, string>,
  input = "",
): Promise<Finished> {
  return runToTheEnd(taskCommand(["kurant", ...args], settings), input);
}

export function outputOf(
  program: string,
  args: readonly string[],
  env: Record<string, string> = {},
  cwd = ".",
): Promise<Finished> {
  return finish(new Deno.Command(program, { args: [...args], env, cwd }).output());
}

export function runProgram(
  program: OwnProgram,
  args: readonly string[],
  settings: Record<string, string>,
  input = "",
): Promise<Finished> {
  return runToTheEnd(ownCommand(program, args, settings), input);
}

async function runToTheEnd(command: Deno.Command, input: string): Promise<Finished> {
  const child = command.spawn();
  const writer = child.stdin.getWriter();
  // Ignores write errors: a command that reads no input may already have ended.
  await writer.write(new TextEncoder().encode(input)).then(() => writer.close()).catch(() => {});
  return await finish(child.output());
}

async function finish(output: Promise<Deno.CommandOutput>): Promise<Finished> {
  const { code, signal, stdout, stderr } = await output;
  return { code, signal, out: decoder.decode(stdout), err: decoder.decode(stderr) };
}

/** Waits until the server listens on a free port. */
export async function startServer(
  settings: Record<string, string>,
  { task, program }: Launch = {},
) {
  await buildClient();
  const all = { PORT: "0", LOG_FORMAT: "json", ...settings };
  const commandOf = () => {
    // The process group lets one signal reach all processes that the task has started.
    if (task) return taskCommand(task, all, true);
    return program ? ownCommand(program, ["serve"], all) : asTask(START, [], all);
  };
  const child = commandOf().spawn();
  await child.stdin.close();
  const out = readText(child.stdout);
  const err = readText(child.stderr);
  const ended = child.status.then(async ({ code, signal }): Promise<Finished> => {
    await Promise.all([out.ended, err.ended]);
    return { code, signal, out: out.text(), err: err.text() };
  });
  const url = (await out.until(/Kurant listens on (\S+)/))?.[1];
  if (url === undefined) {
    await ended;
    throw new Error(`serve did not start: ${out.text()}${err.text()}`);
  }
  let isOver = false;
  const end = (kill: () => void): Promise<Finished> => {
    isOver = true;
    kill();
    return ended;
  };
  return {
    url,
    ended,
    /** Waits until standard output matches `pattern` or the server ends. */
    async printed(pattern: RegExp) {
      await out.until(pattern);
      return out.text();
    },
    log: err.text,
    /** Throws if the process ends before its log matches the pattern. */
    async logged(pattern: RegExp) {
      if (await err.until(pattern) === null) throw new Error(`Never logged: ${err.text()}`);
    },
    tell: (signal: Deno.Signal) => child.kill(signal),
    stop: (signal: "SIGTERM" | "SIGINT") => end(() => child.kill(signal)),
    /** Sends the signal to all processes of a task, as terminals and service managers do. */
    stopGroup: (signal: "SIGTERM" | "SIGINT") => end(() => Deno.kill(-child.pid, signal)),
    async crash() {
      const pid = (await err.until(/"event":"listening".*"pid":(\d+)/))?.[1];
      return await end(() => Deno.kill(Number(pid), "SIGKILL"));
    },
    async [Symbol.asyncDispose]() {
      // SIGTERM lets `deno task` stop its child; SIGKILL would leave the child running. Only
      // SIGKILL ends a program that a test has suspended.
      if (!isOver) killIfAlive(child, program ? "SIGKILL" : "SIGTERM");
      await ended;
    },
  };
}

function killIfAlive(child: Deno.ChildProcess, signal: Deno.Signal): void {
  try {
    child.kill(signal);
  } catch (error) {
    if (!(error instanceof TypeError)) throw error;
  }
}

export async function startLiveServer(
  dataDir: string,
  settings: Record<string, string> = {},
  launch: Launch = {},
) {
  const newSession = () => onStore(dataDir, settings, newOwnerSession);
  // In a new store, the owner is created before the server starts. Tests of crashes need the
  // restarted server to be the first process that opens the store.
  const isNew = settings.KV_URL !== undefined || await sizeOf(storeFile(dataDir).kvPath) === null;
  const early = isNew ? await newSession() : null;
  const server = await startServer({ DATA_DIR: dataDir, ...settings }, launch);
  try {
    const cookie = early ?? await newSession();
    const owner = createCaller(server.url, { Cookie: cookie });
    return { ...server, owner, anyone: createCaller(server.url), cookie };
  } catch (error) {
    await server[Symbol.asyncDispose]();
    throw error;
  }
}

async function onStore<T>(
  dataDir: string,
  settings: Record<string, string>,
  work: (store: Store) => Promise<T>,
): Promise<T> {
  const kvUrl = settings.KV_URL ?? null;
  const { SECRET_KEY: secretKeys } = readConfig((name) => settings[name]);
  const place = { kvUrl, dataDir: kvUrl === null ? dataDir : null };
  const opening = openStore({ ...place, ...(secretKeys && { secretKeys }) }, BUSY_MS);
  using store = closing(await opening);
  return await work(store);
}

export function errorLines(log: string): string[] {
  return log.split("\n").filter((line) => line.includes('"level":"error"'));
}

export async function serverPid(dataDir: string): Promise<number> {
  return JSON.parse(await Deno.readTextFile(`${dataDir}/kurant.lock`)).pid;
}

/** Returns the contradictions that `check-store` finds between rows of the store. */
export async function findingsOf(
  dataDir: string,
  settings: Record<string, string> = {},
): Promise<string> {
  const findings = (store: Store) => Array.fromAsync(findDisagreements(store));
  return (await onStore(dataDir, settings, findings)).join("\n");
}

/** Reads the stream continuously, so that a full pipe never blocks the process. */
export function readText(stream: ReadableStream<Uint8Array<ArrayBuffer>>) {
  let text = "";
  let isOver = false;
  let change = Promise.withResolvers<void>();
  const wake = () => {
    change.resolve();
    change = Promise.withResolvers();
  };
  const ended = (async () => {
    for await (const chunk of stream.pipeThrough(new TextDecoderStream())) {
      text += chunk;
      wake();
    }
    isOver = true;
    wake();
  })();
  return {
    ended,
    text: () => text,
    /** Returns null if the stream ends before its text matches the pattern. */
    async until(pattern: RegExp) {
      while (!pattern.test(text) && !isOver) await change.promise;
      return pattern.exec(text);
    },
  };
}
