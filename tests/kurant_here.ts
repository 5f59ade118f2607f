/**
 * Runs commands in this process, because starting a process takes half a second. The commands get
 * all permissions, so only `kurant` of `tests/program.ts` can find a missing one.
 */
import { deepStrictEqual as assertEquals, match } from "node:assert/strict";
import { runCommandLine } from "../src/app/commands/command_line.ts";
import { variableNames } from "../src/app/composition/config.ts";
import type { Finished } from "./program.ts";

const decoder = new TextDecoder();
/** Request logs of an app that the test has just closed are not the command's output. */
const LATE_LOG = /^\S+ info +http request /;
let isBusy = false;

export async function kurantHere(
  args: readonly string[],
  settings: Record<string, string>,
  input = "",
): Promise<Finished> {
  // Only one command may run, because it changes the environment and streams of the whole process.
  if (isBusy) throw new Error("Another command runs in this process");
  isBusy = true;
  const out: Uint8Array[] = [];
  const err: Uint8Array[] = [];
  using put = new DisposableStack();
  put.defer(() => isBusy = false);
  for (const name of variableNames()) put.use(withVariable(name, settings[name]));
  const readable = new Response(input).body ?? new ReadableStream();
  put.use(withProperties(Deno.stdin, { readable, isTerminal: () => false }));
  put.use(withProperties(Deno.stdout, { writeSync: (bytes: Uint8Array) => keep(out, bytes) }));
  const tell = (bytes: Uint8Array) =>
    LATE_LOG.test(decoder.decode(bytes)) ? bytes.length : keep(err, bytes);
  const told = { writeSync: tell, isTerminal: () => false };
  put.use(withProperties(Deno.stderr, told));
  const code = await runCommandLine(args);
  return { code, signal: null, out: textOf(out), err: textOf(err) };
}

/**
 * Requires exit code 0 and an empty standard error. Returns standard output, which must match all
 * patterns.
 */
export async function succeeds(
  command: Finished | Promise<Finished>,
  ...patterns: readonly RegExp[]
): Promise<string> {
  const { code, out, err } = await command;
  assertEquals([code, err], [0, ""], out);
  for (const pattern of patterns) match(out, pattern);
  return out;
}

/**
 * Requires this exit code and an empty standard output. Returns standard error, which must match
 * all patterns.
 */
export async function fails(
  command: Finished | Promise<Finished>,
  failure: number,
  ...patterns: readonly RegExp[]
): Promise<string> {
  const { code, out, err } = await command;
  assertEquals([code, out, err !== ""], [failure, "", true], err);
  for (const pattern of patterns) match(err, pattern);
  return err;
}

function keep(pieces: Uint8Array[], bytes: Uint8Array): number {
  pieces.push(bytes.slice());
  return bytes.length;
}

function textOf(pieces: readonly Uint8Array[]): string {
  return pieces.map((piece) => decoder.decode(piece, { stream: true })).join("") + decoder.decode();
}

function withVariable(name: string, value: string | undefined): Disposable {
  const before = Deno.env.get(name);
  const set = (to: string | undefined) =>
    to === undefined ? Deno.env.delete(name) : Deno.env.set(name, to);
  set(value);
  return { [Symbol.dispose]: () => set(before) };
}

function withProperties(target: object, properties: Record<string, unknown>): Disposable {
  const before = Object.keys(properties).map((name) =>
    [name, Object.getOwnPropertyDescriptor(target, name)] as const
  );
  for (const [name, value] of Object.entries(properties)) {
    Object.defineProperty(target, name, { value, configurable: true });
  }
  return {
    [Symbol.dispose]() {
      for (const [name, descriptor] of before) {
        Reflect.deleteProperty(target, name);
        if (descriptor) Object.defineProperty(target, name, descriptor);
      }
    },
  };
}
